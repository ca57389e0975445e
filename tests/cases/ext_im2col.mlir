// iree_linalg_ext.im2col: windows as rows of a matrix.

// A product with the flattened kernel is the convolution, with strides and dilations.
// call: @convolution 2x6x5x2xi8=[1 -2 3 4 -5 6 7 8 9 10 11 -12 13 14 15 -16 17 18 19 20 21 22 -23 24 25 26 27 28 29 30 31 32 33 -34 35 36 37 38 39 40 41 42 43 -44 45 46 47 48 49 50 51 52 -53 54 55 56 57 58 59 60 100 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 -17 18 19 20 21 22 23 24 25 26 27 28 -29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 -46 47 48 49 50 51 52 53 54 55 56 57 58 59 -60] 3x2x2x1xi8=[1 2 3 -4 5 6 7 -8 9 10 11 127]
// want: 2x2x4x1xi16=[[[[3156 3964 4288 4828][-3576 6198 7870 8208][3913 4152 4252 4020][7194 -4152 6950 8034]]]] i1=1
func.func @convolution(%i: tensor<2x6x5x2xi8>, %f: tensor<3x2x2x1xi8>) -> (tensor<2x2x4x1xi16>, i1) {
  %z = arith.constant dense<0> : tensor<2x2x4x1xi16>
  %direct = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%i, %f : tensor<2x6x5x2xi8>, tensor<3x2x2x1xi8>) outs(%z : tensor<2x2x4x1xi16>) -> tensor<2x2x4x1xi16>
  %e = tensor.empty() : tensor<2x8x12xi8>
  %m = iree_linalg_ext.im2col strides = [2, 1] dilations = [1, 1] kernel_size = [3, 2] offsets = [0, 0, 0] output_sizes = [[2], [2, 4], [3, 2, 2]]
      batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2]
      ins(%i : tensor<2x6x5x2xi8>) outs(%e : tensor<2x8x12xi8>) -> tensor<2x8x12xi8>
  %g = tensor.collapse_shape %f [[0, 1, 2], [3]] : tensor<3x2x2x1xi8> into tensor<12x1xi8>
  %zm = arith.constant dense<0> : tensor<2x8x1xi16>
  %p = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%m, %g : tensor<2x8x12xi8>, tensor<12x1xi8>) outs(%zm : tensor<2x8x1xi16>) -> tensor<2x8x1xi16>
  %q = tensor.expand_shape %p [[0], [1, 2], [3]] output_shape [2, 2, 4, 1] : tensor<2x8x1xi16> into tensor<2x2x4x1xi16>
  %d = arith.cmpi eq, %q, %direct : tensor<2x2x4x1xi16>
  %t = arith.constant dense<true> : tensor<i1>
  %all = linalg.reduce { arith.andi } ins(%d : tensor<2x2x4x1xi1>) outs(%t : tensor<i1>) dimensions = [0, 1, 2, 3]
  %r = tensor.extract %all[] : tensor<i1>
  return %direct, %r : tensor<2x2x4x1xi16>, i1
}

// One column of padding on each side, one row of output past the valid ones; k stands first in the output and channel first in k.
// call: @padded 1x1x3x2xf32=[[[[1 10][2 20][3 30]]]] 3
// want: 4x4xf32=[[0.5 1 2 0.5][2 3 0.5 0.5][0.5 10 20 0.5][20 30 0.5 0.5]]
func.func @padded(%i: tensor<1x1x3x2xf32>, %columns: index) -> tensor<4x4xf32> {
  %pad = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<4x4x1x1xf32>
  %o = iree_linalg_ext.im2col strides = [1, 1, 1] dilations = [1, 1, 2] kernel_size = [1, 1, 2] offsets = [0, 0, 0, 0]
      output_sizes = [[1], [1], [%columns], [2, 1, 1, 2]]
      batch_pos = [] m_pos = [0, 1, 2] k_pos = [3] input_k_perm = [3, 0, 1, 2] output_perm = [3, 2, 0, 1]
      input_pad_low = [0, 0, 1, 0] input_pad_high = [0, 0, 1, 0]
      output_pad_low = [0, 0, 0, 0] output_pad_high = [0, 1, 0, 0] pad_value(%pad : f32)
      ins(%i : tensor<1x1x3x2xf32>) outs(%e : tensor<4x4x1x1xf32>) -> tensor<4x4x1x1xf32>
  %r = tensor.extract_slice %o[0, 0, 0, 0] [4, 4, 1, 1] [1, 1, 1, 1] : tensor<4x4x1x1xf32> to tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
