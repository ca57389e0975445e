// Producers inside consumers: layer norm as importers write it, an index in a producer, a permutation in front of an elementwise
// op and of a product, a widening in front of a product, a constant that is transposed while compiling, and a cheap producer
// with two users.  Expected values: the -O0 loops, and numpy for the chain of the first function.
// call: @rows 3x5xf32=[0.1 0.7 -1.3 2.9 0.33][1e-3 7.7 -7.1 0.2 3.3][1e10 -3 0.3 5 -1e9]
// want: 3x5xf32=[-0.09854034 0.1928091 1.2235793 1.9070281 -0.122490495][-0.050746888 2.4150324 1.471895 -0.14087135 0.39428076][0.5973408 -0.74303365 0.39337072 -0.48078647 -0.5235231]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
#col = affine_map<(d0, d1) -> (d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#mk = affine_map<(d0, d1, d2) -> (d0, d2)>
#kn = affine_map<(d0, d1, d2) -> (d2, d1)>
#mn = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @rows(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant 5.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %g = arith.constant dense<[0.3, 1.7, -0.9, 1.1, 0.77]> : tensor<5xf32>
  %er = tensor.empty() : tensor<3x1xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%er : tensor<3x1xf32>) -> tensor<3x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x5xf32>) outs(%z : tensor<3x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<3x1xf32>
  %mean = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<3x1xf32>) outs(%er : tensor<3x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.divf %a, %width : f32
    linalg.yield %r : f32
  } -> tensor<3x1xf32>
  %wide = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%mean : tensor<3x1xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3x5xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %wide : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %d : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %sq = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%q : tensor<3x5xf32>) outs(%z : tensor<3x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<3x1xf32>
  %var = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%sq : tensor<3x1xf32>) outs(%er : tensor<3x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.divf %a, %width : f32
    %s = arith.addf %r, %eps : f32
    linalg.yield %s : f32
  } -> tensor<3x1xf32>
  %inv = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%var : tensor<3x1xf32>) outs(%er : tensor<3x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.rsqrt %a : f32
    linalg.yield %r : f32
  } -> tensor<3x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %inv, %g : tensor<3x5xf32>, tensor<3x1xf32>, tensor<5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    %s = arith.mulf %r, %c : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}
// call: @index
// want: 4x3xi32=[0 10 40][0 11 42][0 12 44][0 13 46]
func.func @index() -> tensor<4x3xi32> {
  %e = tensor.empty() : tensor<4x3xi32>
  %et = tensor.empty() : tensor<3x4xi32>
  %p = linalg.generic {indexing_maps = [#swap], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x3xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %ten = arith.constant 10 : index
    %a = arith.muli %i, %ten : index
    %b = arith.addi %a, %j : index
    %c = arith.index_cast %b : index to i32
    linalg.yield %c : i32
  } -> tensor<4x3xi32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x3xi32>) outs(%e : tensor<4x3xi32>) {
  ^bb0(%a: i32, %o: i32):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i32
    %r = arith.muli %a, %k : i32
    linalg.yield %r : i32
  } -> tensor<4x3xi32>
  return %c : tensor<4x3xi32>
}
// call: @product 3x4xf16=[0.1 0.2 0.3 0.7][1.5 -2.25 3 0.01][-0.125 7 1e-3 -9]
// want: 3x2xf32=[0.5900757 3.6811645][-2.7679985 7.9300117][-0.01279974 -64.3621] 2x3xf32=[0.5900757 -2.7679985 -0.01279974][3.6811645 7.9300117 -64.3621]
func.func @product(%x: tensor<3x4xf16>) -> (tensor<3x2xf32>, tensor<2x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[0.1, 0.9, -0.3, 0.7], [1.3, -2.1, 0.4, 5.5]]> : tensor<2x4xf32>
  %e = tensor.empty() : tensor<3x4xf32>
  %et = tensor.empty() : tensor<4x2xf32>
  %eo = tensor.empty() : tensor<3x2xf32>
  %es = tensor.empty() : tensor<2x3xf32>
  %t = linalg.generic {indexing_maps = [#id, #swap], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<2x4xf32>) outs(%et : tensor<4x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x2xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xf16>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%a: f16, %o: f32):
    %r = arith.extf %a : f16 to f32
    linalg.yield %r : f32
  } -> tensor<3x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x2xf32>) -> tensor<3x2xf32>
  %y = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%wide, %t : tensor<3x4xf32>, tensor<4x2xf32>) outs(%z : tensor<3x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<3x2xf32>
  %yt = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<3x2xf32>) outs(%es : tensor<2x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<2x3xf32>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%yt : tensor<2x3xf32>) outs(%es : tensor<2x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.divf %zero, %a : f32
    %s = arith.subf %a, %r : f32
    linalg.yield %s : f32
  } -> tensor<2x3xf32>
  return %y, %u : tensor<3x2xf32>, tensor<2x3xf32>
}
