// Bodies that become rows of two operations and of operands that are slots: chains of multiplications and additions, a clamp,
// selects by compares, with special values; whole numbers.  Expected values: numpy, in f32.
// call: @chain 19xf32=[0.1 -0.7 1.3 2.9 -0.33 inf -inf nan -0.0 0.0 0.001 -7.1 3.3 10000000000.0 0.77 -2.5 0.9 5e-39 -1.1]
// want: 19xf32=[0.053991206 0.25 1.0 1.0 0.25 1.0 0.25 nan -0.0 0.0 0.000500399 0.25 1.0 1.0 0.62780374 0.25 0.78484714 2.5e-39 0.25]
// call: @terms 19xf32=[0.1 -0.7 1.3 2.9 -0.33 inf -inf nan -0.0 0.0 0.001 -7.1 3.3 10000000000.0 0.77 -2.5 0.9 5e-39 -1.1]
// want: 19xf32=[-0.098600015 -4.301 -5.2189994 -33.371006 -1.6000739 -inf -inf nan -0.29070005 -0.29070005 -0.28830782 -257.26102 -44.217003 -4.76e+20 -1.2672138 -36.0332 -1.9889998 -0.29070005 -8.687001]
// call: @whole 17xi32=[5 -3 7 0 -9 100 2147483647 -2147483648 1 2 3 4 6 8 -1 -2 17]
// want: 17xi32=[0 -3 6 4 -23 -23 -23 -23 1 2 15 3 1 7 -5 -2 -4]
#id = affine_map<(d0) -> (d0)>
func.func @chain(%a: tensor<19xf32>) -> tensor<19xf32> {
  %h = arith.constant 0.5 : f32
  %h2 = arith.constant 0.25 : f32
  %one = arith.constant 1.0 : f32
  %m1 = arith.constant -1.0 : f32
  %zero = arith.constant 0.0 : f32
  %k = arith.constant 0.79788456 : f32
  %k3 = arith.constant 0.044715 : f32
  %o = tensor.empty() : tensor<19xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<19xf32>) outs(%o : tensor<19xf32>) {
  ^bb0(%x: f32, %z: f32):
    %x2 = arith.mulf %x, %x : f32
    %x3 = arith.mulf %x2, %x : f32
    %t = arith.mulf %x3, %k3 : f32
    %u = arith.addf %x, %t : f32
    %v = arith.mulf %u, %k : f32
    %w = arith.addf %v, %one : f32
    %hx = arith.mulf %x, %h : f32
    %p = arith.mulf %hx, %w : f32
    %c0 = arith.maximumf %p, %m1 : f32
    %c1 = arith.minimumf %c0, %one : f32
    %neg = arith.cmpf olt, %x, %zero : f32
    %q = arith.select %neg, %h2, %c1 : f32
    linalg.yield %q : f32
  } -> tensor<19xf32>
  return %r : tensor<19xf32>
}
func.func @terms(%a: tensor<19xf32>) -> tensor<19xf32> {
  %c = arith.constant 0.3 : f32
  %d = arith.constant 1.7 : f32
  %e = arith.constant 0.9 : f32
  %o = tensor.empty() : tensor<19xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<19xf32>) outs(%o : tensor<19xf32>) {
  ^bb0(%x: f32, %z: f32):
    %y0 = arith.subf %x, %c : f32
    %y = arith.mulf %y0, %d : f32
    %z0 = arith.subf %c, %x : f32
    %zz = arith.mulf %z0, %y : f32
    %q0 = arith.mulf %y, %x : f32
    %q = arith.subf %q0, %zz : f32
    %s0 = arith.mulf %q, %e : f32
    %s = arith.subf %zz, %s0 : f32
    linalg.yield %s : f32
  } -> tensor<19xf32>
  return %r : tensor<19xf32>
}
func.func @whole(%a: tensor<17xi32>) -> tensor<17xi32> {
  %four = arith.constant 4 : i32
  %three = arith.constant 3 : i32
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %low = arith.constant -20 : i32
  %five = arith.constant 5 : i32
  %o = tensor.empty() : tensor<17xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<17xi32>) outs(%o : tensor<17xi32>) {
  ^bb0(%x: i32, %z: i32):
    %less = arith.cmpi slt, %x, %four : i32
    %m = arith.muli %x, %three : i32
    %p = arith.addi %m, %one : i32
    %n = arith.subi %ten, %x : i32
    %k = arith.select %less, %p, %n : i32
    %g = arith.maxsi %low, %k : i32
    %q = arith.xori %g, %five : i32
    linalg.yield %q : i32
  } -> tensor<17xi32>
  return %r : tensor<17xi32>
}
