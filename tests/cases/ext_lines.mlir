// iree_linalg_ext along a dimension: scan, sort, topk, arg_compare. Values by hand or from the definition.

// Sums wrap; the accumulator is the last output.
// call: @scan_in 2x3xi8=[[100 20 30][-100 -20 -30]] 2xi8=[7 8]
// want: 2x3xi8=[[100 120 -106][-100 -120 106]] 2xi8=[-106 106]
func.func @scan_in(%a: tensor<2x3xi8>, %acc: tensor<2xi8>) -> (tensor<2x3xi8>, tensor<2xi8>) {
  %0 = tensor.empty() : tensor<2x3xi8>
  %1:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%a : tensor<2x3xi8>) outs(%0, %acc : tensor<2x3xi8>, tensor<2xi8>) {
  ^bb0(%x: i8, %y: i8):
    %s = arith.addi %x, %y : i8
    iree_linalg_ext.yield %s : i8
  } -> tensor<2x3xi8>, tensor<2xi8>
  return %1#0, %1#1 : tensor<2x3xi8>, tensor<2xi8>
}

// An exclusive scan starts with the accumulator and does not reach the last element; the operation is not commutative.
// call: @scan_ex 3x2xf32=[[1 10][2 20][4 40]] 2xf32=[100 0.5]
// want: 3x2xf32=[[100 0.5][99 -9.5][97 -29.5]] 2xf32=[97 -29.5]
// call: @scan_ex 1x2xf32=[[1 nan]] 2xf32=[100 0.5]
// want: 1x2xf32=[[100 0.5]] 2xf32=[100 0.5]
func.func @scan_ex(%a: tensor<?x2xf32>, %acc: tensor<2xf32>) -> (tensor<?x2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x2xf32>
  %0 = tensor.empty(%n) : tensor<?x2xf32>
  %1:2 = iree_linalg_ext.scan dimension(0) inclusive(false) ins(%a : tensor<?x2xf32>) outs(%0, %acc : tensor<?x2xf32>, tensor<2xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.subf %x, %y : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<?x2xf32>, tensor<2xf32>
  return %1#0, %1#1 : tensor<?x2xf32>, tensor<2xf32>
}

// Equal keys keep their order; the keys are the low nibbles.
// call: @sort 9xi32=[35 18 19 33 2 17 34 3 1] 9xi64=[0 1 2 3 4 5 6 7 8]
// want: 9xi32=[33 17 1 18 2 34 35 19 3] 9xi64=[3 5 8 1 4 6 0 2 7]
// call: @sort 1xi32=[5] 1xi64=[4]
// want: 1xi32=[5] 1xi64=[4]
// call: @sort 0xi32=[] 0xi64=[]
// want: 0xi32=[] 0xi64=[]
func.func @sort(%k: tensor<?xi32>, %v: tensor<?xi64>) -> (tensor<?xi32>, tensor<?xi64>) {
  %mask = arith.constant 15 : i32
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%k, %v : tensor<?xi32>, tensor<?xi64>) {
  ^bb0(%a: i32, %b: i32, %c: i64, %d: i64):
    %x = arith.andi %a, %mask : i32
    %y = arith.andi %b, %mask : i32
    %less = arith.cmpi slt, %x, %y : i32
    iree_linalg_ext.yield %less : i1
  } -> tensor<?xi32>, tensor<?xi64>
  return %0#0, %0#1 : tensor<?xi32>, tensor<?xi64>
}

// A comparator that says yes to equal elements keeps their order too. Columns are sorted; the argument is not changed.
// call: @sort_columns 4x2xf32=[[3 -0][1 0][2 -1][0 -0]]
// want: 4x2xf32=[[0 -1][1 -0][2 0][3 -0]] 4x2xf32=[[3 -0][1 0][2 -1][0 -0]]
func.func @sort_columns(%a: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %0 = iree_linalg_ext.sort dimension(0) outs(%a : tensor<4x2xf32>) {
  ^bb0(%x: f32, %y: f32):
    %le = arith.cmpf ole, %x, %y : f32
    iree_linalg_ext.yield %le : i1
  } -> tensor<4x2xf32>
  return %0, %a : tensor<4x2xf32>, tensor<4x2xf32>
}

// call: @sort_memref 5xi16=[3 -1 2 2 -32768]
// want: 5xi16=[3 2 2 -1 -32768]
func.func @sort_memref(%a: tensor<5xi16>) -> tensor<5xi16> {
  %m = bufferization.to_memref %a : memref<5xi16>
  %n = memref.alloc() : memref<5xi16>
  memref.copy %m, %n : memref<5xi16> to memref<5xi16>
  iree_linalg_ext.sort dimension(0) outs(%n : memref<5xi16>) {
  ^bb0(%x: i16, %y: i16):
    %gt = arith.cmpi sgt, %x, %y : i16
    iree_linalg_ext.yield %gt : i1
  }
  %r = bufferization.to_tensor %n : memref<5xi16>
  return %r : tensor<5xi16>
}

// The outs take part: 6 stays, with the index that it has. Of equal values the smaller index comes first; NaN never does.
// call: @topk 2x6xf32=[[5 7 nan 7 5 1][0 0 0 0 0 0]]
// want: 2x3xf32=[[7 7 6][6 6 6]] 2x3xi32=[[1 3 -9][-9 -9 -9]]
func.func @topk(%a: tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %v = arith.constant dense<6.0> : tensor<2x3xf32>
  %i = arith.constant dense<-9> : tensor<2x3xi32>
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%a : tensor<2x6xf32>) outs(%v, %i : tensor<2x3xf32>, tensor<2x3xi32>) {
  ^bb0(%x: f32, %y: f32):
    %gt = arith.cmpf ogt, %x, %y : f32
    iree_linalg_ext.yield %gt : i1
  } -> tensor<2x3xf32>, tensor<2x3xi32>
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}

// Given indices, i8 ones; without indices at all; outs that are out of order.
// call: @topk_v2 5xi64=[4 -7 9 4 0] 5xi8=[10 20 30 5 50]
// want: 3xi64=[-7 0 4] 3xi8=[20 50 5] 4xi64=[-7 0 1 2]
func.func @topk_v2(%a: tensor<5xi64>, %i: tensor<5xi8>) -> (tensor<3xi64>, tensor<3xi8>, tensor<4xi64>) {
  %v = arith.constant dense<9223372036854775807> : tensor<3xi64>
  %n = arith.constant dense<0> : tensor<3xi8>
  %0:2 = iree_linalg_ext.topk_v2 dimension(0) ins(%a, %i : tensor<5xi64>, tensor<5xi8>) outs(%v, %n : tensor<3xi64>, tensor<3xi8>) {
  ^bb0(%x: i64, %y: i64):
    %lt = arith.cmpi slt, %x, %y : i64
    iree_linalg_ext.yield %lt : i1
  } -> tensor<3xi64>, tensor<3xi8>
  %w = arith.constant dense<[3, 1, 8, 2]> : tensor<4xi64>
  %1 = iree_linalg_ext.topk_v2 dimension(0) is_sorted ins(%a : tensor<5xi64>) outs(%w : tensor<4xi64>) {
  ^bb0(%x: i64, %y: i64):
    %lt = arith.cmpi slt, %x, %y : i64
    iree_linalg_ext.yield %lt : i1
  } -> tensor<4xi64>
  return %0#0, %0#1, %1 : tensor<3xi64>, tensor<3xi8>, tensor<4xi64>
}

// Ties keep the first; a NaN is never greater, and nothing is greater than a NaN in the out.
// call: @arg 2x4xf64=[[nan 2 5 5][-1 -2 nan -3]] 2xf64=[-inf nan] 7
// want: 2xf64=[5 nan] 2xi16=[9 0]
func.func @arg(%a: tensor<2x4xf64>, %v: tensor<2xf64>, %base: index) -> (tensor<2xf64>, tensor<2xi16>) {
  %i = arith.constant dense<0> : tensor<2xi16>
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%a : tensor<2x4xf64>) outs(%v, %i : tensor<2xf64>, tensor<2xi16>) index_base(%base : index) {
  ^bb0(%x: f64, %y: f64):
    %gt = arith.cmpf ogt, %x, %y : f64
    iree_linalg_ext.yield %gt : i1
  } -> tensor<2xf64>, tensor<2xi16>
  return %0#0, %0#1 : tensor<2xf64>, tensor<2xi16>
}

// call: @arg_given 3x2xi8=[[1 -128][-5 127][-5 0]] 3x2xindex=[[10 11][20 21][30 31]]
// want: 2xi8=[-5 -128] 2xindex=[20 11]
func.func @arg_given(%a: tensor<3x2xi8>, %g: tensor<3x2xindex>) -> (tensor<2xi8>, tensor<2xindex>) {
  %v = arith.constant dense<127> : tensor<2xi8>
  %i = arith.constant dense<0> : tensor<2xindex>
  %0:2 = iree_linalg_ext.arg_compare dimension(0) ins(%a, %g : tensor<3x2xi8>, tensor<3x2xindex>) outs(%v, %i : tensor<2xi8>, tensor<2xindex>) {
  ^bb0(%x: i8, %y: i8):
    %lt = arith.cmpi slt, %x, %y : i8
    iree_linalg_ext.yield %lt : i1
  } -> tensor<2xi8>, tensor<2xindex>
  return %0#0, %0#1 : tensor<2xi8>, tensor<2xindex>
}
