// softmax and layer norm of rows, as chains of generics on tensors that importers write.  $M rows of $N.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>
#vec = affine_map<(i, j) -> (j)>
func.func @softmax(%x: tensor<$Mx$Nxf32>) -> tensor<$Mx$Nxf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant -3.40282347E+38 : f32
  %c0 = arith.constant 0 : i64
  %ve = tensor.empty() : tensor<$Mx1xf32>
  %ie = tensor.empty() : tensor<$Mx1xi64>
  %vf = linalg.fill ins(%lowest : f32) outs(%ve : tensor<$Mx1xf32>) -> tensor<$Mx1xf32>
  %if = linalg.fill ins(%c0 : i64) outs(%ie : tensor<$Mx1xi64>) -> tensor<$Mx1xi64>
  %top:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<$Mx$Nxf32>) outs(%vf, %if : tensor<$Mx1xf32>, tensor<$Mx1xi64>) {
  ^bb0(%i0: f32, %o0: f32, %o1: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %gt = arith.cmpf ogt, %i0, %o0 : f32
    %m = arith.select %gt, %i0, %o0 : f32
    %n = arith.select %gt, %j, %o1 : i64
    linalg.yield %m, %n : f32, i64
  } -> (tensor<$Mx1xf32>, tensor<$Mx1xi64>)
  %e1 = tensor.empty() : tensor<$Mx$Nxf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %top#0 : tensor<$Mx$Nxf32>, tensor<$Mx1xf32>) outs(%e1 : tensor<$Mx$Nxf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %r = arith.subf %i0, %i1 : f32
    linalg.yield %r : f32
  } -> tensor<$Mx$Nxf32>
  %e2 = tensor.empty() : tensor<$Mx$Nxf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<$Mx$Nxf32>) outs(%e2 : tensor<$Mx$Nxf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = math.exp %i0 : f32
    linalg.yield %r : f32
  } -> tensor<$Mx$Nxf32>
  %e3 = tensor.empty() : tensor<$Mx1xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<$Mx1xf32>) -> tensor<$Mx1xf32>
  %t = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<$Mx$Nxf32>) outs(%f3 : tensor<$Mx1xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = arith.addf %i0, %o : f32
    linalg.yield %r : f32
  } -> tensor<$Mx1xf32>
  %e4 = tensor.empty() : tensor<$Mx$Nxf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %t : tensor<$Mx$Nxf32>, tensor<$Mx1xf32>) outs(%e4 : tensor<$Mx$Nxf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %r = arith.divf %i0, %i1 : f32
    linalg.yield %r : f32
  } -> tensor<$Mx$Nxf32>
  return %y : tensor<$Mx$Nxf32>
}
func.func @layernorm(%x: tensor<$Mx$Nxf32>, %g: tensor<$Nxf32>, %b: tensor<$Nxf32>) -> tensor<$Mx$Nxf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant $N.0 : f32
  %eps = arith.constant 1.000000e-05 : f64
  %e1 = tensor.empty() : tensor<$Mx1xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<$Mx1xf32>) -> tensor<$Mx1xf32>
  %t = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<$Mx$Nxf32>) outs(%f1 : tensor<$Mx1xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = arith.addf %i0, %o : f32
    linalg.yield %r : f32
  } -> tensor<$Mx1xf32>
  %e2 = tensor.empty() : tensor<$Mx1xf32>
  %mean = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<$Mx1xf32>) outs(%e2 : tensor<$Mx1xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = arith.divf %i0, %width : f32
    linalg.yield %r : f32
  } -> tensor<$Mx1xf32>
  %e3 = tensor.empty() : tensor<$Mx$Nxf32>
  %wide = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mean : tensor<$Mx1xf32>) outs(%e3 : tensor<$Mx$Nxf32>) {
  ^bb0(%i0: f32, %o: f32):
    linalg.yield %i0 : f32
  } -> tensor<$Mx$Nxf32>
  %e4 = tensor.empty() : tensor<$Mx$Nxf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %wide : tensor<$Mx$Nxf32>, tensor<$Mx$Nxf32>) outs(%e4 : tensor<$Mx$Nxf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %r = arith.subf %i0, %i1 : f32
    linalg.yield %r : f32
  } -> tensor<$Mx$Nxf32>
  %e5 = tensor.empty() : tensor<$Mx$Nxf32>
  %sq = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d, %d : tensor<$Mx$Nxf32>, tensor<$Mx$Nxf32>) outs(%e5 : tensor<$Mx$Nxf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %r = arith.mulf %i0, %i1 : f32
    linalg.yield %r : f32
  } -> tensor<$Mx$Nxf32>
  %e6 = tensor.empty() : tensor<$Mx1xf32>
  %f6 = linalg.fill ins(%zero : f32) outs(%e6 : tensor<$Mx1xf32>) -> tensor<$Mx1xf32>
  %v = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%sq : tensor<$Mx$Nxf32>) outs(%f6 : tensor<$Mx1xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = arith.addf %i0, %o : f32
    linalg.yield %r : f32
  } -> tensor<$Mx1xf32>
  %e7 = tensor.empty() : tensor<$Mx1xf32>
  %var = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<$Mx1xf32>) outs(%e7 : tensor<$Mx1xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = arith.divf %i0, %width : f32
    linalg.yield %r : f32
  } -> tensor<$Mx1xf32>
  %e8 = tensor.empty() : tensor<$Mx1xf32>
  %safe = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%var : tensor<$Mx1xf32>) outs(%e8 : tensor<$Mx1xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %q = arith.truncf %eps : f64 to f32
    %r = arith.addf %i0, %q : f32
    linalg.yield %r : f32
  } -> tensor<$Mx1xf32>
  %e9 = tensor.empty() : tensor<$Mx1xf32>
  %inv = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%safe : tensor<$Mx1xf32>) outs(%e9 : tensor<$Mx1xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = math.rsqrt %i0 : f32
    linalg.yield %r : f32
  } -> tensor<$Mx1xf32>
  %e10 = tensor.empty() : tensor<$Mx$Nxf32>
  %far = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%inv : tensor<$Mx1xf32>) outs(%e10 : tensor<$Mx$Nxf32>) {
  ^bb0(%i0: f32, %o: f32):
    linalg.yield %i0 : f32
  } -> tensor<$Mx$Nxf32>
  %e11 = tensor.empty() : tensor<$Mx$Nxf32>
  %n = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d, %far : tensor<$Mx$Nxf32>, tensor<$Mx$Nxf32>) outs(%e11 : tensor<$Mx$Nxf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %r = arith.mulf %i0, %i1 : f32
    linalg.yield %r : f32
  } -> tensor<$Mx$Nxf32>
  %e12 = tensor.empty() : tensor<$Mx$Nxf32>
  %s = linalg.generic {indexing_maps = [#id, #vec, #id], iterator_types = ["parallel", "parallel"]}
      ins(%n, %g : tensor<$Mx$Nxf32>, tensor<$Nxf32>) outs(%e12 : tensor<$Mx$Nxf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %r = arith.mulf %i0, %i1 : f32
    linalg.yield %r : f32
  } -> tensor<$Mx$Nxf32>
  %e13 = tensor.empty() : tensor<$Mx$Nxf32>
  %y = linalg.generic {indexing_maps = [#id, #vec, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %b : tensor<$Mx$Nxf32>, tensor<$Nxf32>) outs(%e13 : tensor<$Mx$Nxf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %r = arith.addf %i0, %i1 : f32
    linalg.yield %r : f32
  } -> tensor<$Mx$Nxf32>
  return %y : tensor<$Mx$Nxf32>
}
