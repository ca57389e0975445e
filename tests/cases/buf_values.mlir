// why: Value semantics under writes in place: an old value that is read after the write, in every shape
//      that straight-line code can give it.
// call: @two_readers i32=1 i32=2 i32=9
// want: i32=1 i32=2 i32=9 i32=2
// call: @reversed 4xi32=[1 2 3 4]
// want: 4xi32=[7 8 9 10]
// call: @shifted_self 5xi32=[1 2 3 4 5]
// want: 5xi32=[1 1 2 3 5]
// call: @read_in_body 3xi32=[5 6 7]
// want: 3xi32=[13 12 11]
// call: @one_tensor_two_outs i32=3
// want: 2xi32=[4 4] 2xi32=[5 5]
// call: @elementwise i32=3
// want: 2xi32=[9 9]
// call: @empty_reads_zero
// want: 3xi32=[1 1 1] 3xi32=[2 2 2]
// call: @rows_left_out 2x3xi32=[[1 2 3][4 5 6]] i32=7
// want: 3x3xi32=[[7 7 7][1 2 3][4 5 6]] 3x3xi32=[[7 7 7][7 7 7][7 7 7]] 3x3xi32=[[0 0 0][1 2 3][4 5 6]]
// call: @choose i32=0 i32=5
// want: 2xi32=[5 0] 2xi32=[1 1] 2xi32=[2 2]
// call: @choose i32=1 i32=5
// want: 2xi32=[5 1] 2xi32=[1 1] 2xi32=[2 2]
// call: @chosen_is_kept i32=0 i32=5
// want: 2xi32=[2 2] 2xi32=[5 2]
// call: @chosen_is_kept i32=1 i32=5
// want: 2xi32=[1 1] 2xi32=[5 2]
#id = affine_map<(d) -> (d)>
func.func @two_readers(%a: i32, %b: i32, %x: i32) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tensor.from_elements %a, %b : tensor<2xi32>
  %u = tensor.insert %x into %t[%c0] : tensor<2xi32>
  %t0 = tensor.extract %t[%c0] : tensor<2xi32>
  %t1 = tensor.extract %t[%c1] : tensor<2xi32>
  %u0 = tensor.extract %u[%c0] : tensor<2xi32>
  %u1 = tensor.extract %u[%c1] : tensor<2xi32>
  return %t0, %t1, %u0, %u1 : i32, i32, i32, i32
}
func.func @reversed(%in: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %one = arith.constant 1 : i32
  %f = linalg.fill ins(%one : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<4xi32>) outs(%f : tensor<4xi32>) {
  ^bb0(%v: i32, %o: i32):
    %s = arith.addi %v, %o : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (3 - d)>, #id], iterator_types = ["parallel"]} ins(%t : tensor<4xi32>) outs(%t : tensor<4xi32>) {
  ^bb0(%v: i32, %o: i32):
    %s = arith.addi %o, %o : i32
    %w = arith.addi %s, %v : i32
    %m = arith.subi %w, %one : i32
    %z = arith.subi %m, %one : i32
    linalg.yield %z : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @shifted_self(%in: tensor<5xi32>) -> tensor<5xi32> {
  %e = tensor.empty() : tensor<5xi32>
  %t = linalg.copy ins(%in : tensor<5xi32>) outs(%e : tensor<5xi32>) -> tensor<5xi32>
  %s = tensor.extract_slice %t[0] [3] [1] : tensor<5xi32> to tensor<3xi32>
  %r = tensor.insert_slice %s into %t[1] [3] [1] : tensor<3xi32> into tensor<5xi32>
  return %r : tensor<5xi32>
}
// Each element is read from the old tensor by the body, in another order than it is written.
func.func @read_in_body(%in: tensor<3xi32>) -> tensor<3xi32> {
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<3xi32>
  %t = linalg.copy ins(%in : tensor<3xi32>) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  %six = arith.constant 6 : i32
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%t : tensor<3xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = arith.subi %c2, %i : index
    %v = tensor.extract %t[%j] : tensor<3xi32>
    %s = arith.addi %v, %six : i32
    linalg.yield %s : i32
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}
func.func @one_tensor_two_outs(%x: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %t = tensor.from_elements %x, %x : tensor<2xi32>
  %one = arith.constant 1 : i32
  %r:2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} outs(%t, %t : tensor<2xi32>, tensor<2xi32>) {
  ^bb0(%a: i32, %b: i32):
    %p = arith.addi %a, %one : i32
    %q = arith.addi %b, %one : i32
    %q2 = arith.addi %q, %one : i32
    linalg.yield %p, %q2 : i32, i32
  } -> (tensor<2xi32>, tensor<2xi32>)
  return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
}
func.func @elementwise(%x: i32) -> tensor<2xi32> {
  %t = tensor.from_elements %x, %x : tensor<2xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<2xi32>) outs(%t : tensor<2xi32>) {
  ^bb0(%a: i32, %b: i32):
    %p = arith.muli %a, %b : i32
    linalg.yield %p : i32
  } -> tensor<2xi32>
  return %r : tensor<2xi32>
}
// One tensor.empty, two writers that read it: each sees zeros.
func.func @empty_reads_zero() -> (tensor<3xi32>, tensor<3xi32>) {
  %e = tensor.empty() : tensor<3xi32>
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<3xi32>) {
  ^bb0(%o: i32):
    %s = arith.addi %o, %one : i32
    linalg.yield %s : i32
  } -> tensor<3xi32>
  %b = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<3xi32>) {
  ^bb0(%o: i32):
    %s = arith.addi %o, %two : i32
    linalg.yield %s : i32
  } -> tensor<3xi32>
  return %a, %b : tensor<3xi32>, tensor<3xi32>
}
// The out map leaves the first row out: it keeps what the destination held, though the body does not read it.
func.func @rows_left_out(%in: tensor<2x3xi32>, %x: i32) -> (tensor<3x3xi32>, tensor<3x3xi32>, tensor<3x3xi32>) {
  %e = tensor.empty() : tensor<3x3xi32>
  %f = linalg.fill ins(%x : i32) outs(%e : tensor<3x3xi32>) -> tensor<3x3xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + 1, j)>], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<2x3xi32>) outs(%f : tensor<3x3xi32>) {
  ^bb0(%v: i32, %o: i32):
    linalg.yield %v : i32
  } -> tensor<3x3xi32>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + 1, j)>], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<2x3xi32>) outs(%e : tensor<3x3xi32>) {
  ^bb0(%v: i32, %o: i32):
    linalg.yield %v : i32
  } -> tensor<3x3xi32>
  return %r, %f, %z : tensor<3x3xi32>, tensor<3x3xi32>, tensor<3x3xi32>
}
func.func @choose(%c: i32, %x: i32) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi ne, %c, %z : i32
  %a = tensor.from_elements %one, %one : tensor<2xi32>
  %b = tensor.from_elements %two, %two : tensor<2xi32>
  %s = arith.select %p, %a, %b : tensor<2xi32>
  %w0 = tensor.insert %x into %s[%c0] : tensor<2xi32>
  %w = tensor.insert %c into %w0[%c1] : tensor<2xi32>
  return %w, %a, %b : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}
// A selected value stays as it was when one of the two that it came from is written.
func.func @chosen_is_kept(%c: i32, %x: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %p = arith.cmpi ne, %c, %z : i32
  %a = tensor.from_elements %one, %one : tensor<2xi32>
  %b = tensor.from_elements %two, %two : tensor<2xi32>
  %s = arith.select %p, %a, %b : tensor<2xi32>
  %w = tensor.insert %x into %b[%c0] : tensor<2xi32>
  return %s, %w : tensor<2xi32>, tensor<2xi32>
}

// A tensor that was never written is zeros in a place too: padding or inserting it does not leave what was there.
// call: @empty_in_place
// want: 6xf32=[1.5 0 0 0 0 1.5] 5xf32=[2.5 0 0 2.5 2.5]
func.func @empty_in_place() -> (tensor<6xf32>, tensor<5xf32>) {
  %z = arith.constant 1.5 : f32
  %y = arith.constant 2.5 : f32
  %e = tensor.empty() : tensor<4xf32>
  %p = tensor.pad %e low[1] high[1] {
  ^bb0(%a: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<6xf32>
  %s = tensor.splat %y : tensor<5xf32>
  %d = tensor.empty() : tensor<2xf32>
  %i = tensor.insert_slice %d into %s[1] [2] [1] : tensor<2xf32> into tensor<5xf32>
  return %p, %i : tensor<6xf32>, tensor<5xf32>
}
