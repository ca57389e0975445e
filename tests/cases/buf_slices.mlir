// why: Slices, reshapes and the border between tensors and memrefs: views of memory that is written, tiles
//      computed in place, memory that the caller or a memref can still see.
// call: @tiles 4x4xi32=[[1 2 3 4][5 6 7 8][9 10 11 12][13 14 15 16]]
// want: 4x4xi32=[[2 4 6 8][10 12 14 16][18 20 22 24][26 28 30 32]] 4x4xi32=[[1 2 3 4][5 6 7 8][9 10 11 12][13 14 15 16]]
// call: @slice_then_whole i32=1
// want: 4xi32=[5 6 1 1] 4xi32=[1 1 1 1] 2xi32=[5 6]
// call: @slice_kept i32=1
// want: 4xi32=[9 9 1 1] 2xi32=[1 1]
// call: @columns 2x3xi32=[[1 2 3][4 5 6]]
// want: 4xi32=[2 3 5 6] 2xi32=[3 6] 3xi32=[4 5 6]
// call: @flat_is_written 2x2xi32=[[1 2][3 4]]
// want: 4xi32=[9 2 3 4] 2x2xi32=[[1 2][3 4]]
// call: @reduced i32=3
// want: 2x3xi32=[[3 3 3][7 8 9]] 3xi32=[3 3 3]
// call: @dynamic i64=3
// want: 5xi64=[0 1 2 0 0] i64=3
// call: @from_memref
// want: 3xi32=[1 2 3] 3xi32=[1 9 3]
// call: @to_memref_and_back i32=4
// want: 2xi32=[4 4] 2xi32=[8 4]
// call: @materialize i32=4
// want: 2xi32=[4 4]
// call: @argument_memref 3xi32=[1 2 3]
// want: 3xi32=[1 2 3]
// call: @insert_twice i32=1
// want: 4xi32=[5 5 6 6] 4xi32=[1 5 5 1]
// call: @slice_put_back_and_kept i32=1
// want: 4xi32=[9 5 1 1] 2xi32=[5 5]
// call: @result_of_slice 4xi32=[1 2 3 4]
// want: 2xi32=[2 3] 4xi32=[1 2 3 4]
// call: @cast_and_write i32=2
// want: 2xi32=[2 5] 2xi32=[2 2]
// call: @float_bits 2xf32=[1 -2]
// want: 2xi32=[1065353216 -1073741824]
#id = affine_map<(d) -> (d)>
#id2 = affine_map<(i, j) -> (i, j)>
func.func @tiles(%in: tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<4x4xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c2 iter_args(%a = %in) -> (tensor<4x4xi32>) {
    %q = scf.for %j = %c0 to %c4 step %c2 iter_args(%b = %a) -> (tensor<4x4xi32>) {
      %s = tensor.extract_slice %b[%i, %j] [2, 2] [1, 1] : tensor<4x4xi32> to tensor<2x2xi32>
      %t = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%s : tensor<2x2xi32>) {
      ^bb0(%o: i32):
        %d = arith.addi %o, %o : i32
        linalg.yield %d : i32
      } -> tensor<2x2xi32>
      %u = tensor.insert_slice %t into %b[%i, %j] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<4x4xi32>
      scf.yield %u : tensor<4x4xi32>
    }
    scf.yield %q : tensor<4x4xi32>
  }
  return %r, %in : tensor<4x4xi32>, tensor<4x4xi32>
}
// The slice that goes back is not the slice that was taken, and the whole is read afterwards.
func.func @slice_then_whole(%x: i32) -> (tensor<4xi32>, tensor<4xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5 : i32
  %six = arith.constant 6 : i32
  %t = tensor.from_elements %x, %x, %x, %x : tensor<4xi32>
  %s = tensor.extract_slice %t[2] [2] [1] : tensor<4xi32> to tensor<2xi32>
  %s1 = tensor.insert %five into %s[%c0] : tensor<2xi32>
  %s2 = tensor.insert %six into %s1[%c1] : tensor<2xi32>
  %u = tensor.insert_slice %s2 into %t[0] [2] [1] : tensor<2xi32> into tensor<4xi32>
  return %u, %t, %s2 : tensor<4xi32>, tensor<4xi32>, tensor<2xi32>
}
func.func @slice_kept(%x: i32) -> (tensor<4xi32>, tensor<2xi32>) {
  %nine = arith.constant 9 : i32
  %t = tensor.from_elements %x, %x, %x, %x : tensor<4xi32>
  %s = tensor.extract_slice %t[0] [2] [1] : tensor<4xi32> to tensor<2xi32>
  %e = tensor.empty() : tensor<2xi32>
  %f = linalg.fill ins(%nine : i32) outs(%e : tensor<2xi32>) -> tensor<2xi32>
  %u = tensor.insert_slice %f into %t[0] [2] [1] : tensor<2xi32> into tensor<4xi32>
  return %u, %s : tensor<4xi32>, tensor<2xi32>
}
// Parts that are no run of memory are joined.
func.func @columns(%in: tensor<2x3xi32>) -> (tensor<4xi32>, tensor<2xi32>, tensor<3xi32>) {
  %s = tensor.extract_slice %in[0, 1] [2, 2] [1, 1] : tensor<2x3xi32> to tensor<2x2xi32>
  %f = tensor.collapse_shape %s [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
  %c = tensor.extract_slice %in[0, 2] [2, 1] [1, 1] : tensor<2x3xi32> to tensor<2x1xi32>
  %g = tensor.collapse_shape %c [[0, 1]] : tensor<2x1xi32> into tensor<2xi32>
  %row = tensor.extract_slice %in[1, 0] [1, 3] [1, 1] : tensor<2x3xi32> to tensor<3xi32>
  return %f, %g, %row : tensor<4xi32>, tensor<2xi32>, tensor<3xi32>
}
func.func @flat_is_written(%in: tensor<2x2xi32>) -> (tensor<4xi32>, tensor<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9 : i32
  %e = tensor.empty() : tensor<2x2xi32>
  %t = linalg.copy ins(%in : tensor<2x2xi32>) outs(%e : tensor<2x2xi32>) -> tensor<2x2xi32>
  %f = tensor.collapse_shape %t [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
  %g = tensor.insert %nine into %f[%c0] : tensor<4xi32>
  return %g, %t : tensor<4xi32>, tensor<2x2xi32>
}
func.func @reduced(%x: i32) -> (tensor<2x3xi32>, tensor<3xi32>) {
  %e = tensor.empty() : tensor<2x3xi32>
  %t = linalg.fill ins(%x : i32) outs(%e : tensor<2x3xi32>) -> tensor<2x3xi32>
  %row = arith.constant dense<[7, 8, 9]> : tensor<3xi32>
  %u = tensor.insert_slice %row into %t[1, 0] [1, 3] [1, 1] : tensor<3xi32> into tensor<2x3xi32>
  %v = tensor.extract_slice %u[0, 0] [1, 3] [1, 1] : tensor<2x3xi32> to tensor<3xi32>
  return %u, %v : tensor<2x3xi32>, tensor<3xi32>
}
func.func @dynamic(%n: i64) -> (tensor<?xi64>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0 : i64
  %end = arith.index_cast %n : i64 to index
  %e = tensor.empty(%c5) : tensor<?xi64>
  %f = linalg.fill ins(%z : i64) outs(%e : tensor<?xi64>) -> tensor<?xi64>
  %s = tensor.extract_slice %f[0] [%end] [1] : tensor<?xi64> to tensor<?xi64>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%s : tensor<?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i64
    linalg.yield %v : i64
  } -> tensor<?xi64>
  %r = tensor.insert_slice %g into %f[0] [%end] [1] : tensor<?xi64> into tensor<?xi64>
  %d = tensor.dim %g, %c0 : tensor<?xi64>
  %k = arith.index_cast %d : index to i64
  return %r, %k : tensor<?xi64>, i64
}
// The buffer changes after it was read as a tensor.
func.func @from_memref() -> (tensor<3xi32>, tensor<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %nine = arith.constant 9 : i32
  %m = memref.alloc() : memref<3xi32>
  memref.store %one, %m[%c0] : memref<3xi32>
  memref.store %two, %m[%c1] : memref<3xi32>
  memref.store %three, %m[%c2] : memref<3xi32>
  %t = bufferization.to_tensor %m restrict : memref<3xi32>
  memref.store %nine, %m[%c1] : memref<3xi32>
  %u = bufferization.to_tensor %m restrict : memref<3xi32>
  return %t, %u : tensor<3xi32>, tensor<3xi32>
}
func.func @to_memref_and_back(%x: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %t = tensor.from_elements %x, %x : tensor<2xi32>
  %m = bufferization.to_memref %t : memref<2xi32>
  %v = memref.load %m[%c0] : memref<2xi32>
  %w = arith.addi %v, %v : i32
  memref.store %w, %m[%c0] : memref<2xi32>
  %u = bufferization.to_tensor %m restrict : memref<2xi32>
  return %t, %u : tensor<2xi32>, tensor<2xi32>
}
func.func @materialize(%x: i32) -> tensor<2xi32> {
  %t = tensor.from_elements %x, %x : tensor<2xi32>
  %m = memref.alloc() : memref<2xi32>
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<2xi32>, memref<2xi32>) -> ()
  %u = bufferization.to_tensor %m restrict : memref<2xi32>
  return %u : tensor<2xi32>
}
// A memref argument is the caller's: a tensor made of it is another memory once the memref is written.
func.func @argument_memref(%in: tensor<3xi32>) -> tensor<3xi32> {
  %m = memref.alloc() : memref<3xi32>
  bufferization.materialize_in_destination %in in restrict writable %m : (tensor<3xi32>, memref<3xi32>) -> ()
  %r = func.call @read_then_clear(%m) : (memref<3xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
func.func private @read_then_clear(%m: memref<3xi32>) -> tensor<3xi32> {
  %z = arith.constant 0 : i32
  %t = bufferization.to_tensor %m restrict : memref<3xi32>
  linalg.fill ins(%z : i32) outs(%m : memref<3xi32>)
  return %t : tensor<3xi32>
}
// The same slice is put into two places of one tensor, and into another version of it.
func.func @insert_twice(%x: i32) -> (tensor<4xi32>, tensor<4xi32>) {
  %five = arith.constant 5 : i32
  %six = arith.constant 6 : i32
  %t = tensor.from_elements %x, %x, %x, %x : tensor<4xi32>
  %e = tensor.empty() : tensor<2xi32>
  %f = linalg.fill ins(%five : i32) outs(%e : tensor<2xi32>) -> tensor<2xi32>
  %a = tensor.insert_slice %f into %t[0] [2] [1] : tensor<2xi32> into tensor<4xi32>
  %b = tensor.insert_slice %f into %t[1] [2] [1] : tensor<2xi32> into tensor<4xi32>
  %g = linalg.fill ins(%six : i32) outs(%f : tensor<2xi32>) -> tensor<2xi32>
  %c = tensor.insert_slice %g into %a[2] [2] [1] : tensor<2xi32> into tensor<4xi32>
  return %c, %b : tensor<4xi32>, tensor<4xi32>
}
// What was computed in the slice is read after the whole was written again.
func.func @slice_put_back_and_kept(%x: i32) -> (tensor<4xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : i32
  %nine = arith.constant 9 : i32
  %t = tensor.from_elements %x, %x, %x, %x : tensor<4xi32>
  %s = tensor.extract_slice %t[0] [2] [1] : tensor<4xi32> to tensor<2xi32>
  %m = linalg.fill ins(%five : i32) outs(%s : tensor<2xi32>) -> tensor<2xi32>
  %u = tensor.insert_slice %m into %t[0] [2] [1] : tensor<2xi32> into tensor<4xi32>
  %w = tensor.insert %nine into %u[%c0] : tensor<4xi32>
  return %w, %m : tensor<4xi32>, tensor<2xi32>
}
func.func @result_of_slice(%in: tensor<4xi32>) -> (tensor<2xi32>, tensor<4xi32>) {
  %s = tensor.extract_slice %in[1] [2] [1] : tensor<4xi32> to tensor<2xi32>
  return %s, %in : tensor<2xi32>, tensor<4xi32>
}
func.func @cast_and_write(%x: i32) -> (tensor<?xi32>, tensor<2xi32>) {
  %c1 = arith.constant 1 : index
  %five = arith.constant 5 : i32
  %t = tensor.from_elements %x, %x : tensor<2xi32>
  %d = tensor.cast %t : tensor<2xi32> to tensor<?xi32>
  %u = tensor.insert %five into %d[%c1] : tensor<?xi32>
  return %u, %t : tensor<?xi32>, tensor<2xi32>
}
func.func @float_bits(%in: tensor<2xf32>) -> tensor<2xi32> {
  %r = tensor.bitcast %in : tensor<2xf32> to tensor<2xi32>
  return %r : tensor<2xi32>
}
