// Narrow types: what is stored, converted and computed, with data that rounds, overflows and wraps.

// 1 + 2 * 2^-2 and so on: products of two formats are exact in f32, sums round.
// call: @mixed_matmul 2x3xf8E4M3FN=[[1 2 3][4 5 448]] 3x2xf8E5M2=[[1 0.25][57344 1][-1 nan]]
// want: 2x2xf32=[[114686 nan][286276 nan]]
func.func @mixed_matmul(%a: tensor<2x3xf8E4M3FN>, %b: tensor<3x2xf8E5M2>) -> tensor<2x2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf8E4M3FN>, tensor<3x2xf8E5M2>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// Sixteen and one is sixteen when every sum has four bits.
// call: @narrow_sum 5xf8E4M3FN=[16 1 1 1 1]
// want: f8E4M3FN=16
func.func @narrow_sum(%a: tensor<5xf8E4M3FN>) -> tensor<f8E4M3FN> {
  %z = arith.constant dense<0.0> : tensor<f8E4M3FN>
  %0 = linalg.reduce ins(%a : tensor<5xf8E4M3FN>) outs(%z : tensor<f8E4M3FN>) dimensions = [0] (%x : f8E4M3FN, %y : f8E4M3FN) {
    %s = arith.addf %x, %y : f8E4M3FN
    linalg.yield %s : f8E4M3FN
  }
  return %0 : tensor<f8E4M3FN>
}

// Ties go to the even neighbour; what is too large: the format's infinity, its NaN, or its largest number.
// call: @narrow 6xf32=[2.5 -0.3125 1e9 -1e9 0.46875 nan]
// want: 6xf8E5M2=[2.5 -0.3125 inf -inf 0.5 nan] 6xf8E4M3FN=[2.5 -0.3125 nan nan 0.46875 nan] 6xf8E4M3FNUZ=[2.5 -0.3125 nan nan 0.46875 nan] 6xf8E4M3B11FNUZ=[2.5 -0.3125 nan nan 0.46875 nan] 6xf8E5M2FNUZ=[2.5 -0.3125 nan nan 0.5 nan]
func.func @narrow(%a: tensor<6xf32>) -> (tensor<6xf8E5M2>, tensor<6xf8E4M3FN>, tensor<6xf8E4M3FNUZ>, tensor<6xf8E4M3B11FNUZ>, tensor<6xf8E5M2FNUZ>) {
  %0 = arith.truncf %a : tensor<6xf32> to tensor<6xf8E5M2>
  %1 = arith.truncf %a : tensor<6xf32> to tensor<6xf8E4M3FN>
  %2 = arith.truncf %a : tensor<6xf32> to tensor<6xf8E4M3FNUZ>
  %3 = arith.truncf %a : tensor<6xf32> to tensor<6xf8E4M3B11FNUZ>
  %4 = arith.truncf %a : tensor<6xf32> to tensor<6xf8E5M2FNUZ>
  return %0, %1, %2, %3, %4 : tensor<6xf8E5M2>, tensor<6xf8E4M3FN>, tensor<6xf8E4M3FNUZ>, tensor<6xf8E4M3B11FNUZ>, tensor<6xf8E5M2FNUZ>
}

// call: @narrower 6xf64=[2.5 -0.375 100 -1.25 0.09375 -0]
// want: 6xf6E2M3FN=[2.5 -0.375 7.5 -1.25 0.125 -0] 6xf6E3M2FN=[2.5 -0.375 28 -1.25 0.125 -0] 6xf4E2M1FN=[2 -0.5 6 -1 0 -0]
func.func @narrower(%a: tensor<6xf64>) -> (tensor<6xf6E2M3FN>, tensor<6xf6E3M2FN>, tensor<6xf4E2M1FN>) {
  %0 = arith.truncf %a : tensor<6xf64> to tensor<6xf6E2M3FN>
  %1 = arith.truncf %a : tensor<6xf64> to tensor<6xf6E3M2FN>
  %2 = arith.truncf %a : tensor<6xf64> to tensor<6xf4E2M1FN>
  return %0, %1, %2 : tensor<6xf6E2M3FN>, tensor<6xf6E3M2FN>, tensor<6xf4E2M1FN>
}

// call: @scaled 4xf4E2M1FN=[0.5 -6 1.5 -0] 4xf8E8M0FNU=[2 0.25 1024 nan]
// want: 4xf32=[1 -1.5 1536 nan] 4xf4E2M1FN=[0.5 -6 1.5 0] 4xbf16=[1 -1.5 1536 nan]
func.func @scaled(%a: tensor<4xf4E2M1FN>, %s: tensor<4xf8E8M0FNU>) -> (tensor<4xf32>, tensor<4xf4E2M1FN>, tensor<4xbf16>) {
  %0 = arith.scaling_extf %a, %s : tensor<4xf4E2M1FN>, tensor<4xf8E8M0FNU> to tensor<4xf32>
  %1 = arith.scaling_truncf %0, %s : tensor<4xf32>, tensor<4xf8E8M0FNU> to tensor<4xf4E2M1FN>
  %2 = arith.scaling_extf %a, %s : tensor<4xf4E2M1FN>, tensor<4xf8E8M0FNU> to tensor<4xbf16>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf4E2M1FN>, tensor<4xbf16>
}

// Arithmetic: widened exactly, rounded once.  A format without a negative zero has none here either.
// call: @arithmetic 4xf8E5M2FNUZ=[2 nan 0 -5] 4xf8E5M2FNUZ=[3 1 0 0.75]
// want: 4xf8E5M2FNUZ=[5 nan 0 -4] 4xf8E5M2FNUZ=[0.625 nan nan -7] 4xf8E5M2FNUZ=[2 nan nan -0.5] 4xf8E5M2FNUZ=[2 1 0 -5] 4xf8E5M2FNUZ=[-2 nan 0 5] 4xi1=[1 0 0 1]
func.func @arithmetic(%a: tensor<4xf8E5M2FNUZ>, %b: tensor<4xf8E5M2FNUZ>) -> (tensor<4xf8E5M2FNUZ>, tensor<4xf8E5M2FNUZ>, tensor<4xf8E5M2FNUZ>, tensor<4xf8E5M2FNUZ>, tensor<4xf8E5M2FNUZ>, tensor<4xi1>) {
  %0 = arith.addf %a, %b : tensor<4xf8E5M2FNUZ>
  %1 = arith.divf %a, %b : tensor<4xf8E5M2FNUZ>
  %2 = arith.remf %a, %b : tensor<4xf8E5M2FNUZ>
  %3 = arith.minnumf %a, %b : tensor<4xf8E5M2FNUZ>
  %4 = arith.negf %a : tensor<4xf8E5M2FNUZ>
  %5 = arith.cmpf olt, %a, %b : tensor<4xf8E5M2FNUZ>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf8E5M2FNUZ>, tensor<4xf8E5M2FNUZ>, tensor<4xf8E5M2FNUZ>, tensor<4xf8E5M2FNUZ>, tensor<4xf8E5M2FNUZ>, tensor<4xi1>
}

// call: @to_integers 4xf8E5M2=[57344 -3.5 inf nan]
// want: 4xi4=[7 -3 7 0] 4xi2=[1 -2 1 0] 4xi8=[-1 0 -1 0]
func.func @to_integers(%a: tensor<4xf8E5M2>) -> (tensor<4xi4>, tensor<4xi2>, tensor<4xi8>) {
  %0 = arith.fptosi %a : tensor<4xf8E5M2> to tensor<4xi4>
  %1 = arith.fptosi %a : tensor<4xf8E5M2> to tensor<4xi2>
  %2 = arith.fptoui %a : tensor<4xf8E5M2> to tensor<4xi8>
  return %0, %1, %2 : tensor<4xi4>, tensor<4xi2>, tensor<4xi8>
}

// call: @narrow_integers 4xi4=[7 -8 3 5] 4xi4=[7 -1 3 -5] i2=1
// want: 4xi4=[1 -8 -7 7] 4xi32=[1 8 9 7] i2=-2 2xi4=[-8 5]
func.func @narrow_integers(%a: tensor<4xi4>, %b: tensor<4xi4>, %c: i2) -> (tensor<4xi4>, tensor<4xi32>, i2, tensor<2xi4>) {
  %0 = arith.muli %a, %b : tensor<4xi4>
  %1 = arith.extui %0 : tensor<4xi4> to tensor<4xi32>
  %2 = arith.addi %c, %c : i2
  %3 = tensor.extract_slice %a[1] [2] [2] : tensor<4xi4> to tensor<2xi4>
  return %0, %1, %2, %3 : tensor<4xi4>, tensor<4xi32>, i2, tensor<2xi4>
}

// Signed and unsigned spellings are kept at the border.
// call: @signs 4xsi8=[-1 -128 127 3] 4xui8=[255 0 128 3] ui16=65535
// want: 4xui8=[255 0 128 3] 4xsi8=[-1 -128 127 3] ui16=65535 2xui8=[255 1]
func.func @signs(%a: tensor<4xsi8>, %b: tensor<4xui8>, %c: ui16) -> (tensor<4xui8>, tensor<4xsi8>, ui16, tensor<2xui8>) {
  %0 = util.unfoldable_constant dense<[255, 1]> : tensor<2xui8>
  return %b, %a, %c, %0 : tensor<4xui8>, tensor<4xsi8>, ui16, tensor<2xui8>
}

// call: @constants
// want: 4xf8E4M3FN=[1 -448 nan 0.3125] 3xi4=[-8 7 -1] 3xf4E2M1FN=[-6 0.5 2] 2xi2=[-2 1] 4xf8E8M0FNU=[1 2 0.5 nan] 2xf6E3M2FN=[-28 0.0625] 8xi1=[1 0 1 0 0 0 0 1]
func.func @constants() -> (tensor<4xf8E4M3FN>, tensor<3xi4>, tensor<3xf4E2M1FN>, tensor<2xi2>, tensor<4xf8E8M0FNU>, tensor<2xf6E3M2FN>, tensor<8xi1>) {
  %0 = arith.constant dense<[1.0, -448.0, 0x7F, 0.3]> : tensor<4xf8E4M3FN>
  %1 = arith.constant dense<[-8, 7, 15]> : tensor<3xi4>
  %2 = arith.constant dense<[-6.0, 0.5, 2.4]> : tensor<3xf4E2M1FN>
  %3 = arith.constant dense<[-2, 1]> : tensor<2xi2>
  %4 = arith.constant dense<[1.0, 2.0, 0x7E, 0xFF]> : tensor<4xf8E8M0FNU>
  %5 = arith.constant dense<[-28.0, 0.0625]> : tensor<2xf6E3M2FN>
  %6 = arith.constant dense<"0x85"> : tensor<8xi1>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xf8E4M3FN>, tensor<3xi4>, tensor<3xf4E2M1FN>, tensor<2xi2>, tensor<4xf8E8M0FNU>, tensor<2xf6E3M2FN>, tensor<8xi1>
}

// call: @bits 4xi8=[127 -128 1 -1] 4xi4=[1 -8 7 -1]
// want: 4xf8E8M0FNU=[1 2 1.1754943508222875e-38 nan] 4xf4E2M1FN=[0.5 -0 6 -6]
func.func @bits(%a: tensor<4xi8>, %b: tensor<4xi4>) -> (tensor<4xf8E8M0FNU>, tensor<4xf4E2M1FN>) {
  %0 = arith.bitcast %a : tensor<4xi8> to tensor<4xf8E8M0FNU>
  %1 = arith.bitcast %b : tensor<4xi4> to tensor<4xf4E2M1FN>
  return %0, %1 : tensor<4xf8E8M0FNU>, tensor<4xf4E2M1FN>
}

// Functions of math on small floats: exact operand, one rounding.
// call: @functions 4xf8E4M3FN=[2 9 0.5 -1]
// want: 4xf8E4M3FN=[1.375 3 0.6875 nan] 4xf8E4M3FN=[5.5 80 0.9375 nan] 4xf8E4M3FN=[0.9375 1 0.46875 -0.75]
func.func @functions(%a: tensor<4xf8E4M3FN>) -> (tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>) {
  %0 = math.sqrt %a : tensor<4xf8E4M3FN>
  %1 = math.fma %a, %a, %0 : tensor<4xf8E4M3FN>
  %2 = math.tanh %a : tensor<4xf8E4M3FN>
  return %0, %1, %2 : tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>
}

// A memref of small floats, read and written element by element.
// call: @memory 3
// want: f6E2M3FN=7.5
func.func @memory(%i: index) -> f6E2M3FN {
  %a = memref.alloc() : memref<4xf6E2M3FN>
  %c = arith.constant 4.0 : f6E2M3FN
  memref.store %c, %a[%i] : memref<4xf6E2M3FN>
  %0 = memref.load %a[%i] : memref<4xf6E2M3FN>
  %1 = arith.addf %0, %c : f6E2M3FN
  return %1 : f6E2M3FN
}
