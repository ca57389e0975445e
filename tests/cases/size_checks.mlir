// why: static sizes of results and destinations that the sizes at run time do not fit

// call: @concat 1x2xi32=[[1 1]] 3x2xi32=[[2 2][3 3][4 4]]
// want: 4x2xi32=[[1 1][2 2][3 3][4 4]]
// call: @concat 1x2xi32=[[1 1]] 1x2xi32=[[2 2]]
// want: error
// call: @concat 3x2xi32=[[1 1][1 1][1 1]] 2x2xi32=[[2 2][2 2]]
// want: error
func.func @concat(%a: tensor<?x2xi32>, %b: tensor<?x2xi32>) -> tensor<4x2xi32> {
  %r = tensor.concat dim(0) %a, %b : (tensor<?x2xi32>, tensor<?x2xi32>) -> tensor<4x2xi32>
  return %r : tensor<4x2xi32>
}

// call: @concat_rows 1x2xi32=[[1 1]] 1x2xi32=[[2 3]]
// want: 2x2xi32=[[1 1][2 3]]
// call: @concat_rows 1x2xi32=[[1 1]] 1x1xi32=[[2]]
// want: error
// call: @concat_rows 1x1xi32=[[1]] 1x2xi32=[[2 3]]
// want: error
func.func @concat_rows(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %r = tensor.concat dim(0) %a, %b : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// call: @concat_mixed 1x2xi32=[[1 1]] 1x2xi32=[[2 3]]
// want: 2x2xi32=[[1 1][2 3]]
// call: @concat_mixed 1x1xi32=[[1]] 1x2xi32=[[2 3]]
// want: error
// call: @concat_mixed 1x3xi32=[[1 2 3]] 1x2xi32=[[2 3]]
// want: error
func.func @concat_mixed(%a: tensor<?x?xi32>, %b: tensor<1x2xi32>) -> tensor<?x2xi32> {
  %r = tensor.concat dim(0) %a, %b : (tensor<?x?xi32>, tensor<1x2xi32>) -> tensor<?x2xi32>
  return %r : tensor<?x2xi32>
}

// call: @pad 2xi32=[1 2] 1
// want: 4xi32=[9 1 2 9]
// call: @pad 1xi32=[1] 1
// want: error
// call: @pad 2xi32=[1 2] 0
// want: error
// call: @pad 3xi32=[1 2 3] 1
// want: error
func.func @pad(%a: tensor<?xi32>, %low: index) -> tensor<4xi32> {
  %v = arith.constant 9 : i32
  %r = tensor.pad %a low[%low] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : i32
  } : tensor<?xi32> to tensor<4xi32>
  return %r : tensor<4xi32>
}

// call: @pack_padded 3xi32=[1 2 3]
// want: 2x2xi32=[[1 2][3 9]]
// call: @pack_padded 4xi32=[1 2 3 4]
// want: 2x2xi32=[[1 2][3 4]]
// call: @pack_padded 5xi32=[1 2 3 4 5]
// want: error
// call: @pack_padded 2xi32=[1 2]
// want: 2x2xi32=[[1 2][9 9]]
func.func @pack_padded(%t: tensor<?xi32>) -> tensor<2x2xi32> {
  %v = arith.constant 9 : i32
  %e = tensor.empty() : tensor<2x2xi32>
  %r = tensor.pack %t padding_value(%v : i32) inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<?xi32> -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// call: @pack 4xi32=[1 2 3 4]
// want: 2x2xi32=[[1 2][3 4]]
// call: @pack 3xi32=[1 2 3]
// want: error
// call: @pack 5xi32=[1 2 3 4 5]
// want: error
// call: @pack 6xi32=[1 2 3 4 5 6]
// want: error
func.func @pack(%t: tensor<?xi32>) -> tensor<2x2xi32> {
  %e = tensor.empty() : tensor<2x2xi32>
  %r = tensor.pack %t inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<?xi32> -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// call: @unpack 2x2xi32=[[1 2][3 4]] 2
// want: 3xi32=[1 2 3]
// call: @unpack 3x2xi32=[[1 2][3 4][5 6]] 2
// want: 3xi32=[1 2 3]
// call: @unpack 1x2xi32=[[1 2]] 2
// want: error
// call: @unpack 2x3xi32=[[1 2 3][4 5 6]] 2
// want: error
// call: @unpack 2x2xi32=[[1 2][3 4]] 0
// want: error
func.func @unpack(%t: tensor<?x?xi32>, %n: index) -> tensor<3xi32> {
  %e = tensor.empty() : tensor<3xi32>
  %r = tensor.unpack %t inner_dims_pos = [0] inner_tiles = [%n] into %e : tensor<?x?xi32> -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// call: @reshape 2x3xi32=[[1 2 3][4 5 6]] 2xi64=[3 2]
// want: 3x2xi32=[[1 2][3 4][5 6]]
// call: @reshape 2x3xi32=[[1 2 3][4 5 6]] 2xi64=[2 3]
// want: error
// call: @reshape 1x3xi32=[[1 2 3]] 2xi64=[3 2]
// want: error
// call: @reshape 3x3xi32=[[1 2 3][4 5 6][7 8 9]] 2xi64=[3 2]
// want: error
func.func @reshape(%t: tensor<?x3xi32>, %s: tensor<2xi64>) -> tensor<3x2xi32> {
  %r = tensor.reshape %t(%s) : (tensor<?x3xi32>, tensor<2xi64>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// call: @reshape_unranked 2x3xi32=[[1 2 3][4 5 6]] 1xi64=[6]
// want: 6xi32=[1 2 3 4 5 6]
// call: @reshape_unranked 2x3xi32=[[1 2 3][4 5 6]] 1xi64=[5]
// want: error
func.func @reshape_unranked(%t: tensor<?x3xi32>, %s: tensor<1xi64>) -> tensor<?xi32> {
  %u = tensor.cast %t : tensor<?x3xi32> to tensor<*xi32>
  %r = tensor.reshape %u(%s) : (tensor<*xi32>, tensor<1xi64>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// Sizes of the two may differ, and what is written afterwards goes to neither operand.
// call: @select i1=1 2xi32=[1 2] 3xi32=[3 4 5]
// want: 2xi32=[7 2] 2xi32=[1 2] 3xi32=[3 4 5]
// call: @select i1=0 2xi32=[1 2] 3xi32=[3 4 5]
// want: 3xi32=[7 4 5] 2xi32=[1 2] 3xi32=[3 4 5]
func.func @select(%c: i1, %a: tensor<?xi32>, %b: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %s = arith.select %c, %a, %b : tensor<?xi32>
  %r = tensor.insert %seven into %s[%zero] : tensor<?xi32>
  return %r, %a, %b : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// call: @dim 2x3xi32=[[1 2 3][4 5 6]] 1
// want: 3
// call: @dim 2x3xi32=[[1 2 3][4 5 6]] 2
// want: error
// call: @dim 2x3xi32=[[1 2 3][4 5 6]] -1
// want: error
func.func @dim(%t: tensor<?x?xi32>, %i: index) -> index {
  %d = tensor.dim %t, %i : tensor<?x?xi32>
  return %d : index
}

// call: @step 2
// want: 3
// call: @step 0
// want: error
// call: @step -3
// want: error
func.func @step(%s: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %r = scf.for %i = %zero to %five step %s iter_args(%n = %zero) -> index {
    %m = arith.addi %n, %one : index
    scf.yield %m : index
  }
  return %r : index
}

// call: @alloc 3 2
// want: 3x2xi64=[[5 5][5 5][5 5]]
// call: @alloc 4611686018427387904 1
// want: error
// call: @alloc 8589934592 4294967296
// want: error
// call: @alloc 4294967296 4294967296
// want: error
func.func @alloc(%n: index, %m: index) -> tensor<?x?xi64> {
  %five = arith.constant 5 : i64
  %e = tensor.empty(%n, %m) : tensor<?x?xi64>
  %r = linalg.fill ins(%five : i64) outs(%e : tensor<?x?xi64>) -> tensor<?x?xi64>
  return %r : tensor<?x?xi64>
}
