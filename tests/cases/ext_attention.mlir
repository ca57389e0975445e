// iree_linalg_ext.attention. Scores are 0, -inf or far apart, so that the weights are exact.

// Means of the unmasked rows of V; f16 in, one rounding of the result: (1 + 2049 + 0) / 3 and so on.
// call: @means 1x2x2xf16=[[[0 0][0 0]]] 1x4x2xf16=[[[1 2][3 4][5 6][7 8]]] 1x4x2xf16=[[[1 -4][2048 0.5][8 1][3 2]]] 1x2x4xi1=[[[1 1 0 0][1 1 1 0]]]
// want: 1x2x2xf16=[[[1024 -1.75][685.5 -0.8335]]]
func.func @means(%q: tensor<1x2x2xf16>, %k: tensor<1x4x2xf16>, %v: tensor<1x4x2xf16>, %m: tensor<1x2x4xi1>) -> tensor<1x2x2xf16> {
  %o = tensor.empty() : tensor<1x2x2xf16>
  %s = arith.constant 0.5 : f16
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, k1, k2, n) -> (b, m, k1)>, affine_map<(b, m, k1, k2, n) -> (b, k2, k1)>,
      affine_map<(b, m, k1, k2, n) -> (b, k2, n)>, affine_map<(b, m, k1, k2, n) -> ()>, affine_map<(b, m, k1, k2, n) -> (b, m, k2)>,
      affine_map<(b, m, k1, k2, n) -> (b, m, n)>]}
      ins(%q, %k, %v, %s, %m : tensor<1x2x2xf16>, tensor<1x4x2xf16>, tensor<1x4x2xf16>, f16, tensor<1x2x4xi1>) outs(%o : tensor<1x2x2xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<1x2x2xf16>
  return %0 : tensor<1x2x2xf16>
}

// Q K picks a row of V; the region negates the scores; V is transposed, the sizes are dynamic; no batch.
// call: @picks 2x2xf32=[[1000 0][0 1000]] 2x2xf32=[[1 0][0 1]] 3x2xf32=[[1 2][3 4][5 6]]
// want: 2x3xf32=[[2 4 6][1 3 5]]
func.func @picks(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %q, %c0 : tensor<?x?xf32>
  %n = tensor.dim %v, %c0 : tensor<?x?xf32>
  %o = tensor.empty(%m, %n) : tensor<?x?xf32>
  %s = arith.constant 1.0 : f32
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(m, n, k1, k2) -> (m, k1)>, affine_map<(m, n, k1, k2) -> (k2, k1)>,
      affine_map<(m, n, k1, k2) -> (n, k2)>, affine_map<(m, n, k1, k2) -> ()>, affine_map<(m, n, k1, k2) -> (m, n)>]}
      ins(%q, %k, %v, %s : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, f32) outs(%o : tensor<?x?xf32>) {
  ^bb0(%x: f32):
    %y = arith.negf %x : f32
    iree_linalg_ext.yield %y : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// The region sees where a score stands: row m takes the columns up to m. A row without any is 0 / 0.
// call: @causal 1x3x1xf32=[[[0][0][0]]] 1x3x1xf32=[[[1][2][3]]] 1x3x1xf32=[[[8][16][30]]]
// want: 1x3x1xf32=[[[nan][8][12]]]
func.func @causal(%q: tensor<1x3x1xf32>, %k: tensor<1x3x1xf32>, %v: tensor<1x3x1xf32>) -> tensor<1x3x1xf32> {
  %o = tensor.empty() : tensor<1x3x1xf32>
  %s = arith.constant 1.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, k1, k2, n) -> (b, m, k1)>, affine_map<(b, m, k1, k2, n) -> (b, k2, k1)>,
      affine_map<(b, m, k1, k2, n) -> (b, k2, n)>, affine_map<(b, m, k1, k2, n) -> ()>, affine_map<(b, m, k1, k2, n) -> (b, m, n)>]}
      ins(%q, %k, %v, %s : tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, f32) outs(%o : tensor<1x3x1xf32>) {
  ^bb0(%x: f32):
    %row = iree_linalg_ext.index 1 : index
    %column = iree_linalg_ext.index 2 : index
    %in = arith.cmpi ult, %column, %row : index
    %y = arith.select %in, %x, %lowest : f32
    iree_linalg_ext.yield %y : f32
  } -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}

// Two steps over halves of K and V give what one step over both gives; a given maximum far above makes every weight 0.
// call: @online 4x1xf64=[[1][2][4][8]] f64=-inf
// want: 1x1xf64=[[15]] 1xf64=[0] 1xf64=[4]
// call: @online 4x1xf64=[[1][2][4][8]] f64=1e6
// want: 1x1xf64=[[0.5]] 1xf64=[1e6] 1xf64=[0.25]
func.func @online(%v: tensor<4x1xf64>, %start: f64) -> (tensor<1x1xf64>, tensor<1xf64>, tensor<1xf64>) {
  %q = arith.constant dense<0.0> : tensor<1x1xf64>
  %k = arith.constant dense<3.0> : tensor<2x1xf64>
  %s = arith.constant 1.0 : f64
  %half = arith.constant dense<0.5> : tensor<1x1xf64>
  %quarter = arith.constant dense<0.25> : tensor<1xf64>
  %max = tensor.splat %start : tensor<1xf64>
  %low = tensor.extract_slice %v[0, 0] [2, 1] [1, 1] : tensor<4x1xf64> to tensor<2x1xf64>
  %high = tensor.extract_slice %v[2, 0] [2, 1] [1, 1] : tensor<4x1xf64> to tensor<2x1xf64>
  %0:3 = iree_linalg_ext.online_attention {indexing_maps = [affine_map<(m, k1, k2, n) -> (m, k1)>, affine_map<(m, k1, k2, n) -> (k2, k1)>,
      affine_map<(m, k1, k2, n) -> (k2, n)>, affine_map<(m, k1, k2, n) -> ()>, affine_map<(m, k1, k2, n) -> (m, n)>,
      affine_map<(m, k1, k2, n) -> (m)>, affine_map<(m, k1, k2, n) -> (m)>]}
      ins(%q, %k, %low, %s : tensor<1x1xf64>, tensor<2x1xf64>, tensor<2x1xf64>, f64) outs(%half, %max, %quarter : tensor<1x1xf64>, tensor<1xf64>, tensor<1xf64>) {
  ^bb0(%x: f64):
    iree_linalg_ext.yield %x : f64
  } -> tensor<1x1xf64>, tensor<1xf64>, tensor<1xf64>
  %1:3 = iree_linalg_ext.online_attention {indexing_maps = [affine_map<(m, k1, k2, n) -> (m, k1)>, affine_map<(m, k1, k2, n) -> (k2, k1)>,
      affine_map<(m, k1, k2, n) -> (k2, n)>, affine_map<(m, k1, k2, n) -> ()>, affine_map<(m, k1, k2, n) -> (m, n)>,
      affine_map<(m, k1, k2, n) -> (m)>, affine_map<(m, k1, k2, n) -> (m)>]}
      ins(%q, %k, %high, %s : tensor<1x1xf64>, tensor<2x1xf64>, tensor<2x1xf64>, f64) outs(%0#0, %0#1, %0#2 : tensor<1x1xf64>, tensor<1xf64>, tensor<1xf64>) {
  ^bb0(%x: f64):
    iree_linalg_ext.yield %x : f64
  } -> tensor<1x1xf64>, tensor<1xf64>, tensor<1xf64>
  return %1#0, %1#1, %1#2 : tensor<1x1xf64>, tensor<1xf64>, tensor<1xf64>
}
