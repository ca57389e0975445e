// iree_linalg_ext: elements at computed places.

// Rows of a 3x2 table; a coordinate past its end traps.
// call: @gather 3x2xi32=[[1 2][3 4][5 6]] 2x2xi64=[[2 0][1 1]]
// want: 2x2x2xi32=[[[5 6][1 2]][[3 4][3 4]]]
// call: @gather 3x2xi32=[[1 2][3 4][5 6]] 2x2xi64=[[2 0][1 3]]
// want: error
// call: @gather 3x2xi32=[[1 2][3 4][5 6]] 2x2xi64=[[2 0][1 -1]]
// want: error
func.func @gather(%s: tensor<3x2xi32>, %i: tensor<2x2xi64>) -> tensor<2x2x2xi32> {
  %o = tensor.empty() : tensor<2x2x2xi32>
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : tensor<3x2xi32>, tensor<2x2xi64>) outs(%o : tensor<2x2x2xi32>) -> tensor<2x2x2xi32>
  return %0 : tensor<2x2x2xi32>
}

// Coordinates (column, row) by the map; a masked one is not looked at.
// call: @gather_masked 2x3xf32=[[1 2 3][4 5 6]] 3x2xi8=[[2 1][9 9][0 1]] 3xi1=[1 0 1]
// want: 3xf32=[6 -1 4]
func.func @gather_masked(%s: tensor<2x3xf32>, %i: tensor<3x2xi8>, %m: tensor<3xi1>) -> tensor<3xf32> {
  %o = arith.constant dense<-1.0> : tensor<3xf32>
  %0 = iree_linalg_ext.gather dimension_map = [1, 0] ins(%s, %i, %m : tensor<2x3xf32>, tensor<3x2xi8>, tensor<3xi1>) outs(%o : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Updates in order: the second one to row 1 sees the first. i8 wraps.
// call: @scatter 3x2xi8=[[100 1][2 3][4 5]] 3x2xi8=[[10 20][30 127][1 1]] 3x1xi32=[[1][1][0]]
// want: 3x2xi8=[[101 2][42 -106][4 5]] 3x2xi8=[[100 1][2 3][4 5]]
func.func @scatter(%o: tensor<3x2xi8>, %u: tensor<3x2xi8>, %i: tensor<3x1xi32>) -> (tensor<3x2xi8>, tensor<3x2xi8>) {
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%u, %i : tensor<3x2xi8>, tensor<3x1xi32>) outs(%o : tensor<3x2xi8>) {
  ^bb0(%new: i8, %old: i8):
    %s = arith.addi %new, %old : i8
    iree_linalg_ext.yield %s : i8
  } -> tensor<3x2xi8>
  return %0, %o : tensor<3x2xi8>, tensor<3x2xi8>
}

// call: @scatter_masked 4xf32=[1 2 3 4] 3xf32=[10 20 nan] 3xi32=[3 7 0] 3xi8=[1 0 3]
// want: 4xf32=[nan 2 3 10]
func.func @scatter_masked(%o: tensor<4xf32>, %u: tensor<3xf32>, %i: tensor<3xi32>, %m: tensor<3xi8>) -> tensor<4xf32> {
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%u, %i, %m : tensor<3xf32>, tensor<3xi32>, tensor<3xi8>) outs(%o : tensor<4xf32>) {
  ^bb0(%new: f32, %old: f32):
    iree_linalg_ext.yield %new : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Two elements to the right, cut at both ends.
// call: @shifted 5xi16=[1 2 3 4 5]
// want: 7xi16=[-7 -7 1 2 3 4 5] 4xi16=[0 0 1 2]
func.func @shifted(%a: tensor<5xi16>) -> (tensor<7xi16>, tensor<4xi16>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant -7 : i16
  %o = tensor.empty() : tensor<7xi16>
  %0 = iree_linalg_ext.map_load %a into %o {
  ^bb0(%i: index):
    %s = arith.subi %i, %c2 : index
    iree_linalg_ext.yield %s, %pad : index, i16
  } : tensor<5xi16> into tensor<7xi16> -> tensor<7xi16>
  %z = arith.constant dense<0> : tensor<4xi16>
  %1 = iree_linalg_ext.map_store %a into %z {
  ^bb0(%i: index):
    %s = arith.addi %i, %c2 : index
    %fits = arith.cmpi ult, %s, %c4 : index
    iree_linalg_ext.yield %s, %fits : index, i1
  } : tensor<5xi16> into tensor<4xi16> -> tensor<4xi16>
  return %0, %1 : tensor<7xi16>, tensor<4xi16>
}

// The older names, on memrefs; the transpose of a matrix.
// call: @turned 2x3xf32=[[1 2 3][4 5 6]]
// want: 3x2xf32=[[1 4][2 5][3 6]] 3x2xf32=[[1 4][2 5][3 6]]
func.func @turned(%t: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %a = bufferization.to_memref %t : memref<2x3xf32>
  %b = memref.alloc() : memref<3x2xf32>
  %c = memref.alloc() : memref<3x2xf32>
  %pad = arith.constant 0.0 : f32
  %true = arith.constant true
  iree_linalg_ext.map_gather %a into %b {
  ^bb0(%i: index, %j: index):
    iree_linalg_ext.yield %j, %i, %pad : index, index, f32
  } : memref<2x3xf32> into memref<3x2xf32>
  iree_linalg_ext.map_scatter %a into %c {
  ^bb0(%i: index, %j: index):
    iree_linalg_ext.yield %j, %i, %true : index, index, i1
  } : memref<2x3xf32> into memref<3x2xf32>
  %0 = bufferization.to_tensor %b : memref<3x2xf32>
  %1 = bufferization.to_tensor %c : memref<3x2xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<3x2xf32>
}
