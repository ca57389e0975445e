// flow.tensor: bits in a byte stream, low bits first; values by hand.

// 0xA5 = bits 1 0 1 0 0 1 0 1, low first.
// call: @bits 1xi8=[-91]
// want: 8xi1=[1 0 1 0 0 1 0 1]
func.func @bits(%a: tensor<1xi8>) -> tensor<8xi1> {
  %0 = flow.tensor.bitcast %a : tensor<1xi8> -> tensor<8xi1, #iree_encoding.packed_storage>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<8xi1, #iree_encoding.packed_storage>) outs(%0 : tensor<8xi1, #iree_encoding.packed_storage>) {
  ^bb0(%x: i1, %o: i1):
    linalg.yield %x : i1
  } -> tensor<8xi1, #iree_encoding.packed_storage>
  %2 = tensor.bitcast %1 : tensor<8xi1, #iree_encoding.packed_storage> to tensor<8xi1>
  return %2 : tensor<8xi1>
}

// Without the encoding an i1 takes a byte; the low bit counts.
// call: @bytes 3xi8=[3 0 2]
// want: 3xi1=[1 0 0] 3xi8=[1 0 0]
func.func @bytes(%a: tensor<3xi8>) -> (tensor<3xi1>, tensor<3xi8>) {
  %0 = flow.tensor.bitcast %a : tensor<3xi8> -> tensor<3xi1>
  %1 = flow.tensor.bitcast %0 : tensor<3xi1> -> tensor<3xi8>
  return %0, %1 : tensor<3xi1>, tensor<3xi8>
}

// call: @nibbles 2x2xi8=[[18 -1][-128 7]]
// want: 8xi4=[2 1 -1 -1 0 -8 7 0] 2x2xi8=[[18 -1][-128 7]]
func.func @nibbles(%a: tensor<2x2xi8>) -> (tensor<8xi4>, tensor<2x2xi8>) {
  %0 = flow.tensor.bitcast %a : tensor<2x2xi8> -> tensor<8xi4>
  %1 = flow.tensor.bitcast %0 : tensor<8xi4> -> tensor<2x2xi8>
  return %0, %1 : tensor<8xi4>, tensor<2x2xi8>
}

// The bits of a signalling NaN and of -0 stay as they are, also through dynamic shapes.
// call: @halves 4xi16=[0 -32768 1 32672] 2 4
// want: 2xi32=[-2147483648 2141192193] 4xi16=[0 -32768 1 32672]
func.func @halves(%a: tensor<?xi16>, %n: index, %m: index) -> (tensor<?xi32>, tensor<?xi16>) {
  %0 = flow.tensor.bitcast %a : tensor<?xi16>{%m} -> tensor<?xf32>{%n}
  %1 = flow.tensor.bitcast %0 : tensor<?xf32>{%n} -> tensor<?xi32>{%n}
  %2 = flow.tensor.bitcast %0 : tensor<?xf32>{%n} -> tensor<?xi16>{%m}
  return %1, %2 : tensor<?xi32>, tensor<?xi16>
}

// call: @halves 3xi16=[0 1 2] 2 3
// want: error

// call: @signs 2xi16=[-2 258]
// want: 4xui8=[254 255 2 1]
func.func @signs(%a: tensor<2xi16>) -> tensor<4xui8> {
  %0 = flow.tensor.bitcast %a : tensor<2xi16> -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// call: @reshape 2x3xi8=[[1 2 3][4 5 6]] 3
// want: 3x2xi8=[[1 2][3 4][5 6]] i8=7
func.func @reshape(%a: tensor<2x3xi8>, %n: index) -> (tensor<?x2xi8>, tensor<i8>) {
  %0 = flow.tensor.reshape %a : tensor<2x3xi8> -> tensor<?x2xi8>{%n}
  %c = flow.tensor.constant dense<[[7]]> : tensor<1x1xi8>
  %1 = flow.tensor.reshape %c : tensor<1x1xi8> -> tensor<i8>
  return %0, %1 : tensor<?x2xi8>, tensor<i8>
}

// call: @reshape 2x3xi8=[[1 2 3][4 5 6]] 4
// want: error

// call: @constant 2
// want: index=2 2x2xi16=[[1 -1][300 4]]
// call: @constant 3
// want: error
func.func @constant(%n: index) -> (index, tensor<?x2xi16>) {
  %0 = flow.tensor.dynamic_constant dense<[[1, -1], [300, 4]]> : tensor<2x2xi16> -> tensor<?x2xi16>
  %1 = flow.tensor.tie_shape %0 : tensor<?x2xi16>{%n}
  %c0 = arith.constant 0 : index
  %d = tensor.dim %1, %c0 : tensor<?x2xi16>
  return %d, %1 : index, tensor<?x2xi16>
}
