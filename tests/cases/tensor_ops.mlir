// tensor ops that become loop nests; every value is computed by hand from the op's definition.

// call: @pad 2x2xi32=[[1 2][3 4]] i32=9
// want: 4x5xi32=[[9 9 9 9 9][9 1 2 9 9][9 3 4 9 9][9 9 9 9 9]]
func.func @pad(%t: tensor<2x2xi32>, %v: i32) -> tensor<4x5xi32> {
  %0 = tensor.pad %t low[1, 1] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : i32
  } : tensor<2x2xi32> to tensor<4x5xi32>
  return %0 : tensor<4x5xi32>
}

// The border is a function of the index; dynamic amounts.
// call: @pad_index 2x2xi32=[[1 2][3 4]] 1
// want: 3x4xi32=[[0 1 2 3][10 1 2 13][20 3 4 23]]
func.func @pad_index(%t: tensor<2x2xi32>, %n: index) -> tensor<?x?xi32> {
  %0 = tensor.pad %t low[%n, 1] high[0, %n] {
  ^bb0(%i: index, %j: index):
    %c10 = arith.constant 10 : index
    %a = arith.muli %i, %c10 : index
    %b = arith.addi %a, %j : index
    %c = arith.index_cast %b : index to i32
    tensor.yield %c : i32
  } : tensor<2x2xi32> to tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// call: @generate 3 5xi32=[5 4 3 2 1]
// want: 3x2xi32=[[5 5][4 5][3 5]]
func.func @generate(%n: index, %t: tensor<5xi32>) -> tensor<?x2xi32> {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %t[%i] : tensor<5xi32>
    %k = arith.index_cast %j : index to i32
    %s = arith.muli %i, %j : index
    %x = arith.index_cast %s : index to i32
    %r = arith.addi %e, %x : i32
    tensor.yield %r : i32
  } : tensor<?x2xi32>
  return %0 : tensor<?x2xi32>
}

// call: @splat f32=1.5 2
// want: 3xf32=[1.5 1.5 1.5] 2x2xf32=[[1.5 1.5][1.5 1.5]]
func.func @splat(%v: f32, %n: index) -> (tensor<3xf32>, tensor<?x2xf32>) {
  %0 = tensor.splat %v : tensor<3xf32>
  %1 = tensor.splat %v[%n] : tensor<?x2xf32>
  return %0, %1 : tensor<3xf32>, tensor<?x2xf32>
}

// call: @concat 2x1xi32=[[1][2]] 2x2xi32=[[3 4][5 6]] 2x2xi32=[[7 8][9 10]]
// want: 2x5xi32=[[1 3 4 7 8][2 5 6 9 10]] 4x2xi32=[[3 4][5 6][7 8][9 10]]
func.func @concat(%a: tensor<2x1xi32>, %b: tensor<2x?xi32>, %c: tensor<2x2xi32>) -> (tensor<2x?xi32>, tensor<?x2xi32>) {
  %0 = tensor.concat dim(1) %a, %b, %c : (tensor<2x1xi32>, tensor<2x?xi32>, tensor<2x2xi32>) -> tensor<2x?xi32>
  %d = tensor.cast %b : tensor<2x?xi32> to tensor<?x2xi32>
  %1 = tensor.concat dim(0) %d, %c : (tensor<?x2xi32>, tensor<2x2xi32>) -> tensor<?x2xi32>
  return %0, %1 : tensor<2x?xi32>, tensor<?x2xi32>
}

// call: @gather 3x2xi32=[[1 2][3 4][5 6]] 2x1xindex=[[2][0]]
// want: 2x1x2xi32=[[[5 6]][[1 2]]] 2x2xi32=[[5 6][1 2]]
func.func @gather(%t: tensor<3x2xi32>, %i: tensor<2x1xindex>) -> (tensor<2x1x2xi32>, tensor<2x2xi32>) {
  %0 = tensor.gather %t[%i] gather_dims([0]) : (tensor<3x2xi32>, tensor<2x1xindex>) -> tensor<2x1x2xi32>
  %1 = tensor.gather %t[%i] gather_dims([0]) : (tensor<3x2xi32>, tensor<2x1xindex>) -> tensor<2x2xi32>
  return %0, %1 : tensor<2x1x2xi32>, tensor<2x2xi32>
}

// call: @gather_bounds 3xi32=[1 2 3] 1x1xi32=3
// want: error
func.func @gather_bounds(%t: tensor<3xi32>, %i: tensor<1x1xi32>) -> tensor<1xi32> {
  %0 = tensor.gather %t[%i] gather_dims([0]) : (tensor<3xi32>, tensor<1x1xi32>) -> tensor<1xi32>
  return %0 : tensor<1xi32>
}

// call: @scatter 2x2xi32=[[10 20][30 40]] 3x2xi32=[[1 2][3 4][5 6]] 2x1xi32=[[2][0]]
// want: 3x2xi32=[[30 40][3 4][10 20]] 3x2xi32=[[1 2][3 4][5 6]]
func.func @scatter(%s: tensor<2x2xi32>, %t: tensor<3x2xi32>, %i: tensor<2x1xi32>) -> (tensor<3x2xi32>, tensor<3x2xi32>) {
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0]) unique : (tensor<2x2xi32>, tensor<3x2xi32>, tensor<2x1xi32>) -> tensor<3x2xi32>
  return %0, %t : tensor<3x2xi32>, tensor<3x2xi32>
}

// call: @pack 4x4xi32=[[0 1 2 3][4 5 6 7][8 9 10 11][12 13 14 15]]
// want: 2x2x2x2xi32=[[[[0 1][4 5]][[2 3][6 7]]][[[8 9][12 13]][[10 11][14 15]]]] 2x2x2x2xi32=[[[[0 4][1 5]][[8 12][9 13]]][[[2 6][3 7]][[10 14][11 15]]]] 4x4xi32=[[0 1 2 3][4 5 6 7][8 9 10 11][12 13 14 15]]
func.func @pack(%t: tensor<4x4xi32>) -> (tensor<2x2x2x2xi32>, tensor<2x2x2x2xi32>, tensor<4x4xi32>) {
  %e = tensor.empty() : tensor<2x2x2x2xi32>
  %0 = tensor.pack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<4x4xi32> -> tensor<2x2x2x2xi32>
  %1 = tensor.pack %t outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %e : tensor<4x4xi32> -> tensor<2x2x2x2xi32>
  %f = tensor.empty() : tensor<4x4xi32>
  %2 = tensor.unpack %1 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %f : tensor<2x2x2x2xi32> -> tensor<4x4xi32>
  return %0, %1, %2 : tensor<2x2x2x2xi32>, tensor<2x2x2x2xi32>, tensor<4x4xi32>
}

// call: @pack_padded 3xi32=[1 2 3] i32=9 2
// want: 2x2xi32=[[1 2][3 9]] 2x2xi32=[[1 2][3 9]] 3xi32=[1 2 3]
func.func @pack_padded(%t: tensor<3xi32>, %v: i32, %n: index) -> (tensor<2x2xi32>, tensor<2x?xi32>, tensor<3xi32>) {
  %e = tensor.empty() : tensor<2x2xi32>
  %0 = tensor.pack %t padding_value(%v : i32) inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<3xi32> -> tensor<2x2xi32>
  %g = tensor.empty(%n) : tensor<2x?xi32>
  %1 = tensor.pack %t padding_value(%v : i32) inner_dims_pos = [0] inner_tiles = [%n] into %g : tensor<3xi32> -> tensor<2x?xi32>
  %f = tensor.empty() : tensor<3xi32>
  %2 = tensor.unpack %1 inner_dims_pos = [0] inner_tiles = [%n] into %f : tensor<2x?xi32> -> tensor<3xi32>
  return %0, %1, %2 : tensor<2x2xi32>, tensor<2x?xi32>, tensor<3xi32>
}

// call: @softmax 2x2xf32=[[0 0][1e30 -inf]]
// want: 2x2xf32=[[0.5 0.5][1 0]] 2x2xf32=[[0 1][1 0]]
func.func @softmax(%t: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %e = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.softmax dimension(1) ins(%t : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.softmax dimension(0) ins(%t : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}

// In place on memory, through the result of another function.
// call: @softmax_memory 2xf32=[3 3]
// want: 2xf32=[0.5 0.5]
func.func @softmax_memory(%t: tensor<2xf32>) -> tensor<2xf32> {
  %m = bufferization.to_memref %t : memref<2xf32>
  %o = memref.alloc() : memref<2xf32>
  linalg.softmax dimension(0) ins(%m : memref<2xf32>) outs(%o : memref<2xf32>)
  %r = bufferization.to_tensor %o restrict : memref<2xf32>
  return %r : tensor<2xf32>
}

// call: @shapes 2x3xi32=[[1 2 3][4 5 6]] 3
// want: 6xi32=[1 2 3 4 5 6] 1x2x3xi32=[[[1 2 3][4 5 6]]] 2xi32=[2 5] 2x3xi32=[[7 2 3][7 5 6]] 3x2xi32=[[1 2][3 4][5 6]]
func.func @shapes(%t: tensor<2x3xi32>, %n: index) -> (tensor<6xi32>, tensor<1x2x3xi32>, tensor<2xi32>, tensor<2x3xi32>, tensor<3x?xi32>) {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xi32> into tensor<6xi32>
  %1 = tensor.expand_shape %t [[0, 1], [2]] : tensor<2x3xi32> into tensor<1x2x3xi32>
  %2 = tensor.extract_slice %t[0, 1] [2, 1] [1, 1] : tensor<2x3xi32> to tensor<2xi32>
  %c7 = arith.constant dense<7> : tensor<2xi32>
  %3 = tensor.insert_slice %c7 into %t[0, 0] [2, 1] [1, 1] : tensor<2xi32> into tensor<2x3xi32>
  %4 = tensor.cast %0 : tensor<6xi32> to tensor<?xi32>
  %5 = tensor.expand_shape %4 [[0, 1]] : tensor<?xi32> into tensor<3x?xi32>
  return %0, %1, %2, %3, %5 : tensor<6xi32>, tensor<1x2x3xi32>, tensor<2xi32>, tensor<2x3xi32>, tensor<3x?xi32>
}
