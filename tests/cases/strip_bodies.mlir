// Bodies with loads of their own, quotients, asserts and reinterpreted bits: what tile code does with them.
#m = affine_map<(d0) -> (d0)>
#m2 = affine_map<(d0, d1) -> (d0, d1)>

// call: @gather 5x3xf32=[[1.1 2.2 3.3][4.4 5.5 6.6][7.7 8.8 9.9][-0.0 nan 1.5][10 11 12]] 4xi32=[4 0 3 3]
// want: 4x3xf32=[[10 11 12][1.1 2.2 3.3][-0.0 nan 1.5][-0.0 nan 1.5]]
// call: @gather 5x3xf32=[[1 2 3][4 5 6][7 8 9][1 1 1][2 2 2]] 4xi32=[4 0 5 3]
// want: error
// call: @gather 5x3xf32=[[1 2 3][4 5 6][7 8 9][1 1 1][2 2 2]] 4xi32=[4 0 -1 3]
// want: error
func.func @gather(%table: tensor<5x3xf32>, %at: tensor<4xi32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<4xi32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%i: i32, %o: f32):
    %row = arith.index_cast %i : i32 to index
    %column = linalg.index 1 : index
    %x = tensor.extract %table[%row, %column] : tensor<5x3xf32>
    linalg.yield %x : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// The lanes are the indices: a table of one dimension, i1 and i64 elements, an index that is scaled.
// call: @lookup 6xi64=[9 -8 7 -6 5 9223372036854775807] 6xi1=[1 0 0 1 1 0] 20xi32=[0 1 2 3 4 5 5 4 3 2 1 0 0 0 1 1 2 2 3 3]
// want: 20xi64=[9 -8 7 -6 5 9223372036854775807 9223372036854775807 5 -6 7 -8 9 9 9 -8 -8 7 7 -6 -6] 20xi1=[1 0 0 1 0 1 0 1 1 0 0 1 1 1 0 0 0 0 1 1]
func.func @lookup(%table: tensor<6xi64>, %bits: tensor<6xi1>, %at: tensor<20xi32>) -> (tensor<20xi64>, tensor<20xi1>) {
  %e = tensor.empty() : tensor<20xi64>
  %b = tensor.empty() : tensor<20xi1>
  %r:2 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]}
      ins(%at : tensor<20xi32>) outs(%e, %b : tensor<20xi64>, tensor<20xi1>) {
  ^bb0(%i: i32, %o: i64, %p: i1):
    %k = arith.index_cast %i : i32 to index
    %x = tensor.extract %table[%k] : tensor<6xi64>
    %y = tensor.extract %bits[%k] : tensor<6xi1>
    %n = linalg.index 0 : index
    %four = arith.constant 4 : index
    %late = arith.cmpi eq, %n, %four : index
    %five = arith.constant 5 : index
    %same = arith.cmpi eq, %n, %five : index
    %either = arith.ori %late, %same : i1
    %z = arith.xori %y, %either : i1
    linalg.yield %x, %z : i64, i1
  } -> (tensor<20xi64>, tensor<20xi1>)
  return %r#0, %r#1 : tensor<20xi64>, tensor<20xi1>
}

// A table that the op writes to is read as the loop nest reads it: each turn sees what earlier ones stored.
// call: @running 8xi32=[0 0 1 2 3 4 5 6]
// want: 8xi32=[1 2 3 4 5 6 7 8]
func.func @running(%at: tensor<8xi32>) -> tensor<8xi32> {
  %m = memref.alloc() : memref<8xi32>
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%m : memref<8xi32>)
  %from = bufferization.to_memref %at : tensor<8xi32> to memref<8xi32>
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%from : memref<8xi32>) outs(%m : memref<8xi32>) {
  ^bb0(%i: i32, %o: i32):
    %k = arith.index_cast %i : i32 to index
    %x = memref.load %m[%k] : memref<8xi32>
    %one = arith.constant 1 : i32
    %y = arith.addi %x, %one : i32
    linalg.yield %y : i32
  }
  %t = bufferization.to_tensor %m restrict : memref<8xi32> to tensor<8xi32>
  return %t : tensor<8xi32>
}

// call: @divide 20xi8=[-128 127 7 -7 7 -7 100 1 2 3 4 5 6 7 8 9 10 11 12 13] 20xi8=[-1 -3 2 2 -2 -2 7 1 2 3 4 5 6 7 8 9 10 11 12 13]
// want: 20xi8=[-128 -42 3 -3 -3 3 14 1 1 1 1 1 1 1 1 1 1 1 1 1] 20xi8=[0 1 1 1 1 1 4 0 0 0 0 0 0 0 0 0 0 0 0 0] 20xi8=[0 0 3 124 0 0 14 1 1 1 1 1 1 1 1 1 1 1 1 1]
// call: @divide 20xi8=[-128 127 7 -7 7 -7 100 1 2 3 4 5 6 7 8 9 10 11 12 13] 20xi8=[-1 -3 2 2 -2 -2 7 1 2 3 4 5 6 7 0 9 10 11 12 13]
// want: error
func.func @divide(%a: tensor<20xi8>, %b: tensor<20xi8>) -> (tensor<20xi8>, tensor<20xi8>, tensor<20xi8>) {
  %e = tensor.empty() : tensor<20xi8>
  %r:3 = linalg.generic {indexing_maps = [#m, #m, #m, #m, #m], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<20xi8>, tensor<20xi8>) outs(%e, %e, %e : tensor<20xi8>, tensor<20xi8>, tensor<20xi8>) {
  ^bb0(%x: i8, %y: i8, %o0: i8, %o1: i8, %o2: i8):
    %q = arith.divsi %x, %y : i8
    %s = arith.remsi %x, %y : i8
    %t = arith.muli %s, %s : i8
    %u = arith.divui %x, %y : i8
    linalg.yield %q, %t, %u : i8, i8, i8
  } -> (tensor<20xi8>, tensor<20xi8>, tensor<20xi8>)
  return %r#0, %r#1, %r#2 : tensor<20xi8>, tensor<20xi8>, tensor<20xi8>
}

// call: @bits 5xf32=[1.0 -0.0 1e-45 3.5 -inf] 5xi32=[0 1 2 3 4]
// want: 5xi32=[1065353216 -2147483647 3 1080033283 -8388604] 5xf32=[1.0 -1e-45 4e-45 3.5000007 nan]
func.func @bits(%a: tensor<5xf32>, %b: tensor<5xi32>) -> (tensor<5xi32>, tensor<5xf32>) {
  %e = tensor.empty() : tensor<5xi32>
  %g = tensor.empty() : tensor<5xf32>
  %r:2 = linalg.generic {indexing_maps = [#m, #m, #m, #m], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<5xf32>, tensor<5xi32>) outs(%e, %g : tensor<5xi32>, tensor<5xf32>) {
  ^bb0(%x: f32, %y: i32, %o0: i32, %o1: f32):
    %i = arith.bitcast %x : f32 to i32
    %s = arith.addi %i, %y : i32
    %f = arith.bitcast %s : i32 to f32
    linalg.yield %s, %f : i32, f32
  } -> (tensor<5xi32>, tensor<5xf32>)
  return %r#0, %r#1 : tensor<5xi32>, tensor<5xf32>
}

// call: @demand 5xf32=[1 2 3 4 5]
// want: 5xf32=[1 1.4142135 1.7320508 2 2.236068]
// call: @demand 5xf32=[1 2 3 -4 5]
// want: error
func.func @demand(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%x: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %good = arith.cmpf oge, %x, %zero : f32
    cf.assert %good, "a root of a negative number"
    %y = math.sqrt %x : f32
    linalg.yield %y : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// Whether table and out are one is known when it runs.
// call: @twice 8xi32=[0 0 1 2 3 4 5 6] 8xi32=[10 20 30 40 50 60 70 80]
// want: 8xi32=[1 2 3 4 5 6 7 8] 8xi32=[11 11 21 31 41 51 61 71]
func.func private @step(%at: memref<8xi32>, %table: memref<8xi32>, %out: memref<8xi32>) {
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%at : memref<8xi32>) outs(%out : memref<8xi32>) {
  ^bb0(%i: i32, %o: i32):
    %k = arith.index_cast %i : i32 to index
    %x = memref.load %table[%k] : memref<8xi32>
    %one = arith.constant 1 : i32
    %y = arith.addi %x, %one : i32
    linalg.yield %y : i32
  }
  return
}
func.func @twice(%at: tensor<8xi32>, %other: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %m = memref.alloc() : memref<8xi32>
  %n = memref.alloc() : memref<8xi32>
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%m : memref<8xi32>)
  %from = bufferization.to_memref %at : tensor<8xi32> to memref<8xi32>
  %table = bufferization.to_memref %other : tensor<8xi32> to memref<8xi32>
  call @step(%from, %m, %m) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
  call @step(%from, %table, %n) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
  %t = bufferization.to_tensor %m restrict : memref<8xi32> to tensor<8xi32>
  %u = bufferization.to_tensor %n restrict : memref<8xi32> to tensor<8xi32>
  return %t, %u : tensor<8xi32>, tensor<8xi32>
}
