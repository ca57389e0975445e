// The maximum of each row together with its index: the reduction that every BERT needs.
//
//   vmc --run examples/argmax.mlir --input="2x5xf32=[3 9 2 9 1][-4 -1 -7 -1 -2]"
//   result[0]: 2xf32=9 -1
//   result[1]: 2xi64=1 1
#rows = affine_map<(i, j) -> (i, j)>
#kept = affine_map<(i, j) -> (i)>
func.func @argmax(%x: tensor<2x5xf32>) -> (tensor<2xf32>, tensor<2xi64>) {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %ve = tensor.empty() : tensor<2xf32>
  %ie = tensor.empty() : tensor<2xi64>
  %v = linalg.fill ins(%lowest : f32) outs(%ve : tensor<2xf32>) -> tensor<2xf32>
  %i = linalg.fill ins(%zero : i64) outs(%ie : tensor<2xi64>) -> tensor<2xi64>
  %r:2 = linalg.generic {indexing_maps = [#rows, #kept, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x5xf32>) outs(%v, %i : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%e: f32, %best: f32, %at: i64):
    %jx = linalg.index 1 : index
    %j = arith.index_cast %jx : index to i64
    %more = arith.cmpf ogt, %e, %best : f32
    %nv = arith.select %more, %e, %best : f32
    %ni = arith.select %more, %j, %at : i64
    linalg.yield %nv, %ni : f32, i64
  } -> (tensor<2xf32>, tensor<2xi64>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xi64>
}
