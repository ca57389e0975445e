// linalg: forms with maps, functions by name, bodies; fill_rng_2d; Winograd.

// LLVM 19's generic form of the op, by hand: two steps of the generator, scaled; an i32 is truncated.
// call: @fill_rng_2d f64=-10.5 f64=1e9 i32=42 3x4xi32=0 2x2xf32=0
// want: 3x4xi32=[259909362 516841525 773773689 30705858 20202991 277135154 534067318 790999481 780496614 37428783 294360946 551293110] 2x2xf32=[2.5990936e+08 5.1684154e+08 20202992 2.7713517e+08]
func.func @fill_rng_2d(%min: f64, %max: f64, %seed: i32, %o: tensor<3x4xi32>, %p: tensor<2x2xf32>) -> (tensor<3x4xi32>, tensor<2x2xf32>) {
  %0 = linalg.fill_rng_2d ins(%min, %max, %seed : f64, f64, i32) outs(%o : tensor<3x4xi32>) -> tensor<3x4xi32>
  %1 = linalg.fill_rng_2d ins(%min, %max, %seed : f64, f64, i32) outs(%p : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<3x4xi32>, tensor<2x2xf32>
}

// A transposed, a repeated operand; sums wrap.
// call: @elementwise 2x3xi8=[[1 2 3][100 -100 5]] 3xi8=[100 -128 7]
// want: 3x2xi8=[[101 -56][-126 28][10 12]] 2x3xi8=[[1 2 3][100 100 5]]
func.func @elementwise(%a: tensor<2x3xi8>, %b: tensor<3xi8>) -> (tensor<3x2xi8>, tensor<2x3xi8>) {
  %o = tensor.empty() : tensor<3x2xi8>
  %p = tensor.empty() : tensor<2x3xi8>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<add>
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]
      ins(%a, %b : tensor<2x3xi8>, tensor<3xi8>) outs(%o : tensor<3x2xi8>) -> tensor<3x2xi8>
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<abs> ins(%a : tensor<2x3xi8>) outs(%p : tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0, %1 : tensor<3x2xi8>, tensor<2x3xi8>
}

// A contraction over two dims into a vector, cast unsigned; a matmul whose maps transpose both operands and broadcast.
// call: @contract 2x2x2xi8=[[[1 2][3 -1]][[-1 -1][5 6]]] 2x2xi8=[[255 1][2 3]] 2xi32=[0 -7] 2x3xi8=[[1 2 3][4 5 6]] 2xi8=[10 -20]
// want: 2xi32=[1028 65301] 3x2xi16=[[-70 -70][-80 -80][-90 -90]]
func.func @contract(%a: tensor<2x2x2xi8>, %b: tensor<2x2xi8>, %o: tensor<2xi32>, %c: tensor<2x3xi8>, %d: tensor<2xi8>) -> (tensor<2xi32>, tensor<3x2xi16>) {
  %0 = linalg.contract {cast = #linalg.type_fn<cast_unsigned>}
      indexing_maps = [affine_map<(m, k, l) -> (m, k, l)>, affine_map<(m, k, l) -> (k, l)>, affine_map<(m, k, l) -> (m)>]
      ins(%a, %b : tensor<2x2x2xi8>, tensor<2x2xi8>) outs(%o : tensor<2xi32>) -> tensor<2xi32>
  %z = arith.constant dense<0> : tensor<3x2xi16>
  %1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%c, %d : tensor<2x3xi8>, tensor<2xi8>) outs(%z : tensor<3x2xi16>) -> tensor<3x2xi16>
  return %0, %1 : tensor<2xi32>, tensor<3x2xi16>
}

// The body of a map may read the out, in the later form; of a reduction in short form the running value comes first.
// call: @bodies 3xf32=[1 2 4] 3xf32=[10 20 nan]
// want: 3xf32=[9 18 nan] f32=-7 3xi8=[127 -128 2]
func.func @bodies(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>, tensor<3xi8>) {
  %0 = linalg.map ins(%a : tensor<3xf32>) outs(%b : tensor<3xf32>) (%in: f32, %init: f32) {
    %r = arith.subf %init, %in : f32
    linalg.yield %r : f32
  }
  %z = arith.constant dense<0.0> : tensor<f32>
  %1 = linalg.reduce { arith.subf } ins(%a : tensor<3xf32>) outs(%z : tensor<f32>) dimensions = [0]
  %c = arith.constant dense<[127, -128, 1]> : tensor<3xi8>
  %d = arith.constant dense<[0, 0, 1]> : tensor<3xi8>
  %e = tensor.empty() : tensor<3xi8>
  %2 = linalg.map { arith.addi {overflowFlags = #arith.overflow<none>} } ins(%c, %d : tensor<3xi8>, tensor<3xi8>) outs(%e : tensor<3xi8>)
  return %0, %1, %2 : tensor<3xf32>, tensor<f32>, tensor<3xi8>
}

// F(2, 3) on integers is exact: the convolution of one row and its sum with the output.
// call: @winograd 1x1x6x1xf32=[[[[1][2][3][4][5][6]]]] 1x1x3x1xf32=[[[[1][10][100]]]] 1x1x4x1xf32=[[[[0.5][0][0][1000]]]]
// want: 1x1x4x1xf32=[[[[321.5][432][543][1654]]]]
func.func @winograd(%i: tensor<1x1x6x1xf32>, %f: tensor<1x1x3x1xf32>, %o: tensor<1x1x4x1xf32>) -> tensor<1x1x4x1xf32> {
  %e0 = tensor.empty() : tensor<1x4x1x1xf32>
  %e1 = tensor.empty() : tensor<1x4x1x2x1x1xf32>
  %0 = linalg.winograd_filter_transform m(2) r(3) ins(%f : tensor<1x1x3x1xf32>) outs(%e0 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %1 = linalg.winograd_input_transform fmr(F_2_3) ins(%i : tensor<1x1x6x1xf32>) outs(%e1 : tensor<1x4x1x2x1x1xf32>) -> tensor<1x4x1x2x1x1xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, n, k) -> (a, b, c, d, n, k)>, affine_map<(a, b, c, d, n, k) -> (a, b, k, n)>,
      affine_map<(a, b, c, d, n, k) -> (a, b, c, d, n, k)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%1, %0 : tensor<1x4x1x2x1x1xf32>, tensor<1x4x1x1xf32>) outs(%e1 : tensor<1x4x1x2x1x1xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    linalg.yield %p : f32
  } -> tensor<1x4x1x2x1x1xf32>
  %3 = linalg.winograd_output_transform m(2) r(3) ins(%2 : tensor<1x4x1x2x1x1xf32>) outs(%o : tensor<1x1x4x1xf32>) -> tensor<1x1x4x1xf32>
  return %3 : tensor<1x1x4x1xf32>
}

// F(4, 3) and F(2, 5) of a kernel: the rounded columns of G times one number, then of those, the last column of G.
// call: @filters 1x3x3x1xf64=[[[[0][0][0]][[0][0][0]][[0][0][3]]]] 1x5x1x1xf64=[[[[15]][[0]][[0]][[0]][[0]]]]
// want: 6xf64=[0 -1 -1 1 1 3] 6x1x1x1xf64=[15 2.5 -2.5 -4 0.25 0]
func.func @filters(%f: tensor<1x3x3x1xf64>, %g: tensor<1x5x1x1xf64>) -> (tensor<6xf64>, tensor<6x1x1x1xf64>) {
  %e0 = tensor.empty() : tensor<6x6x1x1xf64>
  %e1 = tensor.empty() : tensor<6x1x1x1xf64>
  %0 = linalg.winograd_filter_transform m(4) r(3) ins(%f : tensor<1x3x3x1xf64>) outs(%e0 : tensor<6x6x1x1xf64>) -> tensor<6x6x1x1xf64>
  %1 = linalg.winograd_filter_transform fmr(2 : i32) ins(%g : tensor<1x5x1x1xf64>) outs(%e1 : tensor<6x1x1x1xf64>) -> tensor<6x1x1x1xf64>
  %2 = tensor.extract_slice %0[5, 0, 0, 0] [1, 6, 1, 1] [1, 1, 1, 1] : tensor<6x6x1x1xf64> to tensor<6xf64>
  return %2, %1 : tensor<6xf64>, tensor<6x1x1x1xf64>
}
