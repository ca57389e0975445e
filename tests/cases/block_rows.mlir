// Chains of structured ops that run block of rows by block of rows (they are past a second-level cache): with a rest, a temporary
// that is used afterwards, a row that is named by its index, a neighbour row that is read, and memory that outlives a turn of a loop.
// Expected values: the -O0 loops.
// call: @softmax
// want: 83xf32=[0.001086052 0.0010793365 0.0010842013 0.0010825743 0.0010841553 0.0010813973 0.0010825925 0.0010814567 0.0010863257 0.0010808306 0.0010817216 0.0010799128 0.0010841311 0.0010831242 0.0010806734 0.001081806 0.0010790844 0.0010828361 0.0010811399 0.0010846384 0.0010821063 0.0010840484 0.001077327 0.0010823805 0.0010842839 0.0010814816 0.0010844684 0.001085816 0.0010803596 0.0010827241 0.001081672 0.0010804333 0.0010801349 0.0010821235 0.0010850204 0.001081569 0.0010785984 0.0010814673 0.0010802434 0.0010827836 0.001084102 0.0010814741 0.0010888305 0.0010833564 0.0010795206 0.0010857142 0.0010815102 0.0010841358 0.0010830616 0.0010834972 0.001081455 0.0010808143 0.0010841802 0.0010859629 0.0010769374 0.0010812817 0.0010831837 0.0010819347 0.0010835401 0.0010831087 0.0010819534 0.0010844157 0.0010798288 0.0010784903 0.0010793438 0.0010780452 0.0010798909 0.0010820418 0.0010848966 0.0010804519 0.0010792493 0.00108163 0.001085338 0.0010776706 0.0010782549 0.0010852518 0.0010818602 0.0010767045 0.001078373 0.0010820847 0.0010798092 0.0010847386 0.0010808179]
// call: @used_after
// want: 83xf32=[0.36899102 621.87024 1257.3441 1889.9521 2526.5647 3185.7515 3807.1113 4453.3887 4969.862 5742.805 6317.0723 7020.589 7566.8657 8313.865 8933.676 9439.3545 10151.825 10861.533 11304.971 11970.334 12655.962 13090.064 14158.835 14448.356 15051.172 15803.787 16525.188 16921.123 17799.596 18311.297 19156.375 19579.54 20193.812 20829.303 21577.791 22135.324 23112.297 23360.205 24261.924 24546.105 25335.545 26464.83 26470.344 27020.488 28034.975 28567.21 28936.172 29620.846 30564.367 30630.697 31593.906 32679.566 32739.508 32589.273 34578.867 34395.887 35409.203 35586.88 36708.43 37500.867 37945.957 38394.32 39285.195 39921.89 40780.344 40443.695 41963.246 42252.812 43238.965 43831.83 44422.453 45109.49 45129.938 46339.17 47409.98 47576.242 48083.742 49112.99 49409.746 49959.17 50165.605 50370.42 52614.074]
// call: @neighbours
// want: 81xf32=[-2.1102653 14.089734 4.649765 10.851495 2.261469 -1.3165662 -21.250511 -0.3681184 17.687017 1.9888309 0.12127721 3.9381967 12.3774 -16.052776 -6.2631006 15.817343 -11.229719 -16.041027 3.9595807 -9.846262 22.198183 7.0638967 -27.762722 5.148408 13.929801 -6.497115 0.43999588 3.9786296 3.7705808 0.67366016 -10.641909 1.039952 6.0976896 3.8363006 9.581834 -2.4438486 -4.1245065 -2.7883048 -8.102905 26.479984 -5.125449 -29.725266 4.826547 11.937379 -6.568252 -8.765235 9.999749 -9.142225 -8.484236 27.529642 -0.7861177 -42.216427 14.809823 15.309825 -10.269334 -0.896023 -0.3719483 19.858587 -0.10122985 -11.883381 2.756146 3.846202 3.5652306 -14.088723 -0.11879802 14.033661 0.5529996 7.25364 -2.4020274 0.2238236 -12.898143 -0.7339458 20.87395 -1.8745874 -12.89873 5.6919227 3.3805811 -8.331525 -11.108992 -18.675653 15.20714]
// call: @turns
// want: 83xf32=[-36.093365 -90.967636 -40.317997 -24.288805 -17.027084 38.99922 0.0719533 34.52271 -129.1642 32.17576 -17.879082 47.753986 -19.300156 57.639114 56.730835 -25.450342 25.752342 59.65957 -42.81903 -35.437664 -24.12629 -88.49629 115.83155 -43.57748 -59.40905 -13.5231 16.04031 -62.227318 30.964048 -30.724403 49.90678 -19.533947 -3.4851305 -20.177168 13.396785 3.815206 85.86447 -11.043506 58.023983 -28.365234 1.0608041 121.16678 -40.70182 -51.662323 11.1695595 11.611971 -29.374971 -33.27423 22.499561 -84.49859 -21.962683 79.69722 -32.898567 -173.09514 71.42213 -73.397964 -5.9663315 -77.58071 -7.669585 27.604336 -3.418764 -41.551735 17.52354 -4.923629 38.2727 -81.55459 38.60464 -14.843939 24.423567 30.029013 28.65931 30.318274 -59.877647 36.10335 75.336136 4.5919924 -6.633513 60.81887 23.665588 -2.1861532 -43.974808 -115.09741 37.08566]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#r1 = affine_map<(d0) -> (d0)>
!t = tensor<83x1000xf32>
!r = tensor<83xf32>
func.func private @noise(%index: i32) -> f32 {
  %a = arith.constant -1640531535 : i32
  %b = arith.constant -2048144777 : i32
  %c15 = arith.constant 15 : i32
  %c13 = arith.constant 13 : i32
  %c8 = arith.constant 8 : i32
  %scale = arith.constant 5.9604644775390625e-08 : f32
  %half = arith.constant 5.0e-01 : f32
  %h0 = arith.muli %index, %a : i32
  %h2 = arith.shrui %h0, %c15 : i32
  %h3 = arith.xori %h0, %h2 : i32
  %h4 = arith.muli %h3, %b : i32
  %h5 = arith.shrui %h4, %c13 : i32
  %h6 = arith.xori %h4, %h5 : i32
  %h7 = arith.shrui %h6, %c8 : i32
  %f0 = arith.uitofp %h7 : i32 to f32
  %f1 = arith.mulf %f0, %scale : f32
  %f2 = arith.subf %f1, %half : f32
  return %f2 : f32
}
func.func private @data() -> tensor<83x1000xf32> {
  %e = tensor.empty() : tensor<83x1000xf32>
  %x = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<83x1000xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %w = arith.constant 1000 : index
    %p = arith.muli %i, %w : index
    %q = arith.addi %p, %j : index
    %r = arith.index_cast %q : index to i32
    %v = func.call @noise(%r) : (i32) -> f32
    linalg.yield %v : f32
  } -> tensor<83x1000xf32>
  return %x : tensor<83x1000xf32>
}
func.func @softmax() -> !r {
  %x = call @data() : () -> !t
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !t
  %er = tensor.empty() : !r
  %f = linalg.fill ins(%low : f32) outs(%er : !r) -> !r
  %top = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : !t) outs(%f : !r) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %o : f32
    linalg.yield %m : f32
  } -> !r
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %top : !t, !r) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %m = math.exp %d : f32
    linalg.yield %m : f32
  } -> !t
  %z = linalg.fill ins(%zero : f32) outs(%er : !r) -> !r
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : !t) outs(%z : !r) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %o, %a : f32
    linalg.yield %m : f32
  } -> !r
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %sum : !t, !r) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.divf %a, %b : f32
    linalg.yield %m : f32
  } -> !t
  %sq = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%q : !t) outs(%z : !r) {
  ^bb0(%a: f32, %o: f32):
    %w = arith.mulf %a, %a : f32
    %m = arith.addf %o, %w : f32
    linalg.yield %m : f32
  } -> !r
  return %sq : !r
}
func.func @used_after() -> !r {
  %x = call @data() : () -> !t
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !t
  %er = tensor.empty() : !r
  %f = linalg.fill ins(%low : f32) outs(%er : !r) -> !r
  %top = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : !t) outs(%f : !r) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %o : f32
    linalg.yield %m : f32
  } -> !r
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %top : !t, !r) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %m = math.exp %d : f32
    linalg.yield %m : f32
  } -> !t
  %z = linalg.fill ins(%zero : f32) outs(%er : !r) -> !r
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : !t) outs(%z : !r) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %o, %a : f32
    linalg.yield %m : f32
  } -> !r
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %sum : !t, !r) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.divf %a, %b : f32
    linalg.yield %m : f32
  } -> !t
  %sq = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%q : !t) outs(%z : !r) {
  ^bb0(%a: f32, %o: f32):
    %w = arith.mulf %a, %a : f32
    %m = arith.addf %o, %w : f32
    linalg.yield %m : f32
  } -> !r
  %neighbour = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : !t) outs(%sq : !r) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %g = arith.sitofp %k : i32 to f32
    %h = arith.mulf %a, %g : f32
    %m = arith.addf %o, %h : f32
    linalg.yield %m : f32
  } -> !r
  %c0 = arith.constant 0 : index
  %corner = tensor.extract %p[%c0, %c0] : !t
  %both = linalg.generic {indexing_maps = [#r1, #r1], iterator_types = ["parallel"]} ins(%neighbour : !r) outs(%er : !r) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %corner : f32
    linalg.yield %m : f32
  } -> !r
  return %both : !r
}
func.func @neighbours() -> tensor<81xf32> {
  %x = call @data() : () -> !t
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !t
  %eo = tensor.empty() : tensor<81xf32>
  %z = linalg.fill ins(%zero : f32) outs(%eo : tensor<81xf32>) -> tensor<81xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !t) outs(%e : !t) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> !t
  %q = tensor.extract_slice %p[2, 0] [81, 1000] [1, 1] : !t to tensor<81x1000xf32>
  %h = tensor.extract_slice %p[0, 0] [81, 1000] [1, 1] : !t to tensor<81x1000xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]} ins(%q, %h : tensor<81x1000xf32>, tensor<81x1000xf32>) outs(%z : tensor<81xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %m = arith.addf %o, %d : f32
    linalg.yield %m : f32
  } -> tensor<81xf32>
  return %s : tensor<81xf32>
}
func.func @turns() -> !r {
  %x = call @data() : () -> !t
  %m = bufferization.to_memref %x : memref<83x1000xf32>
  %kept = memref.alloc() : memref<83x1000xf32>
  %s = memref.alloc() : memref<83xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  linalg.fill ins(%zero : f32) outs(%s : memref<83xf32>)
  scf.for %i = %c0 to %c3 step %c1 {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : memref<83x1000xf32>) outs(%kept : memref<83x1000xf32>) {
    ^bb0(%a: f32, %o: f32):
      %h = arith.addf %a, %o : f32
      linalg.yield %h : f32
    }
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%kept : memref<83x1000xf32>) outs(%s : memref<83xf32>) {
    ^bb0(%a: f32, %o: f32):
      %h = arith.addf %a, %o : f32
      linalg.yield %h : f32
    }
  }
  %t = bufferization.to_tensor %s restrict : memref<83xf32>
  return %t : !r
}
