// Reductions of the last dimension to one value per row, with the start values that importers give.  $M rows of $N.
#rows = affine_map<(i, j) -> (i, j)>
#kept = affine_map<(i, j) -> (i)>
func.func @max(%x: tensor<$Mx$Nxf32>) -> tensor<$Mxf32> {
  %start = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<$Mxf32>
  %f = linalg.fill ins(%start : f32) outs(%e : tensor<$Mxf32>) -> tensor<$Mxf32>
  %r = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<$Mx$Nxf32>) outs(%f : tensor<$Mxf32>) {
  ^bb0(%v: f32, %a: f32):
    %n = arith.maximumf %v, %a : f32
    linalg.yield %n : f32
  } -> tensor<$Mxf32>
  return %r : tensor<$Mxf32>
}
func.func @min(%x: tensor<$Mx$Nxf32>) -> tensor<$Mxf32> {
  %start = arith.constant 0x7F800000 : f32
  %e = tensor.empty() : tensor<$Mxf32>
  %f = linalg.fill ins(%start : f32) outs(%e : tensor<$Mxf32>) -> tensor<$Mxf32>
  %r = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<$Mx$Nxf32>) outs(%f : tensor<$Mxf32>) {
  ^bb0(%v: f32, %a: f32):
    %n = arith.minimumf %v, %a : f32
    linalg.yield %n : f32
  } -> tensor<$Mxf32>
  return %r : tensor<$Mxf32>
}
func.func @sum(%x: tensor<$Mx$Nxf32>) -> tensor<$Mxf32> {
  %start = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<$Mxf32>
  %f = linalg.fill ins(%start : f32) outs(%e : tensor<$Mxf32>) -> tensor<$Mxf32>
  %r = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<$Mx$Nxf32>) outs(%f : tensor<$Mxf32>) {
  ^bb0(%v: f32, %a: f32):
    %n = arith.addf %v, %a : f32
    linalg.yield %n : f32
  } -> tensor<$Mxf32>
  return %r : tensor<$Mxf32>
}
func.func @isum(%x: tensor<$Mx$Nxi32>) -> tensor<$Mxi32> {
  %start = arith.constant 0 : i32
  %e = tensor.empty() : tensor<$Mxi32>
  %f = linalg.fill ins(%start : i32) outs(%e : tensor<$Mxi32>) -> tensor<$Mxi32>
  %r = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<$Mx$Nxi32>) outs(%f : tensor<$Mxi32>) {
  ^bb0(%v: i32, %a: i32):
    %n = arith.addi %v, %a : i32
    linalg.yield %n : i32
  } -> tensor<$Mxi32>
  return %r : tensor<$Mxi32>
}
func.func @any(%x: tensor<$Mx$Nxi1>) -> tensor<$Mxi1> {
  %start = arith.constant false
  %e = tensor.empty() : tensor<$Mxi1>
  %f = linalg.fill ins(%start : i1) outs(%e : tensor<$Mxi1>) -> tensor<$Mxi1>
  %r = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<$Mx$Nxi1>) outs(%f : tensor<$Mxi1>) {
  ^bb0(%v: i1, %a: i1):
    %n = arith.ori %v, %a : i1
    linalg.yield %n : i1
  } -> tensor<$Mxi1>
  return %r : tensor<$Mxi1>
}
