// Complex functions: f32 is rounded once (values from a computation in 113 bits), infinities, NaNs and zeros as Annex G of C99.

// call: @exp 9xcomplex<f32>=[1.5 -2.25 -0.699999988079071 0.30000001192092896 0.0010000000474974513 4 -3 -9.999999747378752e-05 inf 1 -inf 0 nan 0 0 -0 1 inf]
// want: 9xcomplex<f32>=[-2.8152787685394287 -3.4870822429656982 0.47440606355667114 0.14675100147724152 -0.6542975902557373 -0.7575596570968628 0.049787066876888275 -4.978706783731468e-06 inf inf 0 0 nan 0 1 -0 nan nan]
func.func @exp(%a: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  %0 = complex.exp %a : tensor<9xcomplex<f32>>
  return %0 : tensor<9xcomplex<f32>>
}

// call: @log 9xcomplex<f32>=[1.5 -2.25 -0.699999988079071 0.30000001192092896 0.0010000000474974513 4 -3 -9.999999747378752e-05 inf 1 -inf 0 nan 0 0 -0 1 inf]
// want: 9xcomplex<f32>=[0.9947925806045532 -0.9827937483787537 -0.2723636031150818 2.7367007732391357 1.3862943649291992 1.570546269416809 1.0986123085021973 -3.141559362411499 inf 0 inf 3.141592653589793 nan nan -inf -0 inf 1.5707963267948966]
func.func @log(%a: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  %0 = complex.log %a : tensor<9xcomplex<f32>>
  return %0 : tensor<9xcomplex<f32>>
}

// call: @sqrt 9xcomplex<f32>=[1.5 -2.25 -0.699999988079071 0.30000001192092896 0.0010000000474974513 4 -3 -9.999999747378752e-05 inf 1 -inf 0 nan 0 0 -0 1 inf]
// want: 9xcomplex<f32>=[1.4498558044433594 -0.7759392261505127 0.17546696960926056 0.8548617959022522 1.4143903255462646 1.414036750793457 2.8867512810393237e-05 -1.7320507764816284 inf 0 0 inf nan nan 0 -0 inf inf]
func.func @sqrt(%a: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  %0 = complex.sqrt %a : tensor<9xcomplex<f32>>
  return %0 : tensor<9xcomplex<f32>>
}

// call: @sin 9xcomplex<f32>=[1.5 -2.25 -0.699999988079071 0.30000001192092896 0.0010000000474974513 4 -3 -9.999999747378752e-05 inf 1 -inf 0 nan 0 0 -0 1 inf]
// want: 9xcomplex<f32>=[4.784552097320557 -0.3318401277065277 -0.673425555229187 0.23290997743606567 0.027308229357004166 27.28990364074707 -0.14112000167369843 9.89992477116175e-05 nan nan nan 0 nan 0 0 -0 inf inf]
func.func @sin(%a: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  %0 = complex.sin %a : tensor<9xcomplex<f32>>
  return %0 : tensor<9xcomplex<f32>>
}

// call: @cos 9xcomplex<f32>=[1.5 -2.25 -0.699999988079071 0.30000001192092896 0.0010000000474974513 4 -3 -9.999999747378752e-05 inf 1 -inf 0 nan 0 0 -0 1 inf]
// want: 9xcomplex<f32>=[0.33929577469825745 4.679416656494141 0.7995190024375916 0.19617736339569092 27.30821990966797 -0.027289913967251778 -0.9899924993515015 -1.4112000826571602e-05 nan nan nan 0 nan 0 1 0 inf -inf]
func.func @cos(%a: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  %0 = complex.cos %a : tensor<9xcomplex<f32>>
  return %0 : tensor<9xcomplex<f32>>
}

// call: @tan 9xcomplex<f32>=[1.5 -2.25 -0.699999988079071 0.30000001192092896 0.0010000000474974513 4 -3 -9.999999747378752e-05 inf 1 -inf 0 nan 0 0 -0 1 inf]
// want: 9xcomplex<f32>=[0.0032055152114480734 -1.0222351551055908 -0.7270371913909912 0.46970516443252563 1.3409498933469877e-06 0.9993293285369873 0.14254653453826904 -0.00010203194688074291 nan nan nan 0 nan 0 0 -0 0 1]
func.func @tan(%a: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  %0 = complex.tan %a : tensor<9xcomplex<f32>>
  return %0 : tensor<9xcomplex<f32>>
}

// call: @tanh 9xcomplex<f32>=[1.5 -2.25 -0.699999988079071 0.30000001192092896 0.0010000000474974513 4 -3 -9.999999747378752e-05 inf 1 -inf 0 nan 0 0 -0 1 inf]
// want: 9xcomplex<f32>=[1.0163346529006958 0.09917250275611877 -0.6398359537124634 0.189717099070549 0.00234054634347558 1.1578185558319092 -0.9950547814369202 -9.86603708952316e-07 1 0 -1 0 nan 0 0 -0 nan nan]
func.func @tanh(%a: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  %0 = complex.tanh %a : tensor<9xcomplex<f32>>
  return %0 : tensor<9xcomplex<f32>>
}

// call: @log1p 9xcomplex<f32>=[1.5 -2.25 -0.699999988079071 0.30000001192092896 0.0010000000474974513 4 -3 -9.999999747378752e-05 inf 1 -inf 0 nan 0 0 -0 1 inf]
// want: 9xcomplex<f32>=[1.2129541635513306 -0.7328150868415833 -0.8573991656303406 0.7853981852531433 1.4166655540466309 1.3255823850631714 0.6931471824645996 -3.141542673110962 inf 0 inf 3.141592653589793 nan nan 0 -0 inf 1.5707963267948966]
func.func @log1p(%a: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  %0 = complex.log1p %a : tensor<9xcomplex<f32>>
  return %0 : tensor<9xcomplex<f32>>
}

// call: @expm1 9xcomplex<f32>=[1.5 -2.25 -0.699999988079071 0.30000001192092896 0.0010000000474974513 4 -3 -9.999999747378752e-05 inf 1 -inf 0 nan 0 0 -0 1 inf]
// want: 9xcomplex<f32>=[-3.8152787685394287 -3.4870822429656982 -0.5255939364433289 0.14675100147724152 -1.6542975902557373 -0.7575596570968628 -0.9502129554748535 -4.978706783731468e-06 inf inf -1 0 nan 0 0 -0 nan nan]
func.func @expm1(%a: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  %0 = complex.expm1 %a : tensor<9xcomplex<f32>>
  return %0 : tensor<9xcomplex<f32>>
}

// call: @rsqrt 9xcomplex<f32>=[1.5 -2.25 -0.699999988079071 0.30000001192092896 0.0010000000474974513 4 -3 -9.999999747378752e-05 inf 1 -inf 0 nan 0 0 -0 1 inf]
// want: 9xcomplex<f32>=[0.5361568331718445 0.2869424521923065 0.23039942979812622 -1.1224884986877441 0.35359758138656616 -0.35350918769836426 9.622503966966178e-06 0.5773502588272095 0 0 0 -0 nan nan inf nan 0 -0]
func.func @rsqrt(%a: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  %0 = complex.rsqrt %a : tensor<9xcomplex<f32>>
  return %0 : tensor<9xcomplex<f32>>
}

// call: @sign 9xcomplex<f32>=[1.5 -2.25 -0.699999988079071 0.30000001192092896 0.0010000000474974513 4 -3 -9.999999747378752e-05 inf 1 -inf 0 nan 0 0 -0 1 inf]
// want: 9xcomplex<f32>=[0.5547001957893372 -0.8320503234863281 -0.9191450476646423 0.39391931891441345 0.0002500000118743628 0.9999999403953552 -1 -3.333333370392211e-05 nan 0 nan 0 nan nan 0 -0 0 nan]
func.func @sign(%a: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  %0 = complex.sign %a : tensor<9xcomplex<f32>>
  return %0 : tensor<9xcomplex<f32>>
}

// call: @mul 7xcomplex<f32>=[1.100000023841858 -2.299999952316284 1.0000000200408773e+20 1.0000000200408773e+20 -3 0.5 inf nan 1 -1 3 -4 inf inf] 7xcomplex<f32>=[0.699999988079071 3.0999999046325684 1.0000000200408773e+20 -9.999999682655225e-21 0.25 -8 2 3 inf nan 0 0 inf nan]
// want: 7xcomplex<f32>=[7.899999618530273 1.8000001907348633 inf inf 3.25 24.125 inf inf inf -inf 0 0 inf inf]
func.func @mul(%a: tensor<7xcomplex<f32>>, %b: tensor<7xcomplex<f32>>) -> tensor<7xcomplex<f32>> {
  %0 = complex.mul %a, %b : tensor<7xcomplex<f32>>
  return %0 : tensor<7xcomplex<f32>>
}

// call: @div 7xcomplex<f32>=[1.100000023841858 -2.299999952316284 1.0000000200408773e+20 1.0000000200408773e+20 -3 0.5 inf nan 1 -1 3 -4 inf inf] 7xcomplex<f32>=[0.699999988079071 3.0999999046325684 1.0000000200408773e+20 -9.999999682655225e-21 0.25 -8 2 3 inf nan 0 0 inf nan]
// want: 7xcomplex<f32>=[-0.6297029852867126 -0.49702972173690796 1 1 -0.0741463378071785 -0.37268292903900146 inf -inf 0 -0 inf -inf nan nan]
func.func @div(%a: tensor<7xcomplex<f32>>, %b: tensor<7xcomplex<f32>>) -> tensor<7xcomplex<f32>> {
  %0 = complex.div %a, %b : tensor<7xcomplex<f32>>
  return %0 : tensor<7xcomplex<f32>>
}

// call: @pow 3xcomplex<f32>=[1.100000023841858 -2.299999952316284 -8 0 -3 0.5] 3xcomplex<f32>=[0.699999988079071 3.0999999046325684 0.5 0.25 0.25 -8]
// want: 3xcomplex<f32>=[-32.516441345214844 53.852455139160156 -0.6406142711639404 1.1192184686660767 -8573217792 -27675510784]
func.func @pow(%a: tensor<3xcomplex<f32>>, %b: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %0 = complex.pow %a, %b : tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// The modulus overflows where it is too large, not where its square is.
// call: @polar 8xcomplex<f32>=[1.5 -2.25 -0.699999988079071 0.30000001192092896 0.0010000000474974513 4 -3 -9.999999747378752e-05 3.0000000054977558e+38 3.0000000054977558e+38 1.401298464324817e-45 1.401298464324817e-45 inf nan -0 -0]
// want: 8xf32=[2.7041635513305664 0.761577308177948 4 3 inf 1.401298464324817e-45 inf 0] 8xf32=[-0.9827937483787537 2.7367007732391357 1.570546269416809 -3.141559362411499 0.7853981852531433 0.7853981852531433 nan -3.1415927410125732]
func.func @polar(%a: tensor<8xcomplex<f32>>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = complex.abs %a : tensor<8xcomplex<f32>>
  %1 = complex.angle %a : tensor<8xcomplex<f32>>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// Numbers whose squares are out of range; values that are exact.
// call: @extremes
// want: f64=5e300 f64=5e-320 f64=2e150 f64=1e150 f64=0.6 f64=0.8
func.func @extremes() -> (f64, f64, f64, f64, f64, f64) {
  %a = complex.constant [3.0e300 : f64, -4.0e300 : f64] : complex<f64>
  %b = complex.constant [3.0e-320 : f64, 4.0e-320 : f64] : complex<f64>
  %c = complex.constant [3.0e300 : f64, 4.0e300 : f64] : complex<f64>
  %0 = complex.abs %a : complex<f64>
  %1 = complex.abs %b : complex<f64>
  %2 = complex.sqrt %c : complex<f64>
  %3 = complex.re %2 : complex<f64>
  %4 = complex.im %2 : complex<f64>
  %5 = complex.sign %c : complex<f64>
  %6 = complex.re %5 : complex<f64>
  %7 = complex.im %5 : complex<f64>
  return %0, %1, %3, %4, %6, %7 : f64, f64, f64, f64, f64, f64
}

// Integer powers are products: (1 + 2i)^3 = -11 - 2i, (1 + i)^-2 = -i/2, and anything to the power 0 is 1.
// call: @powers complex<f32>=(1,2) 3
// want: complex<f32>=(-11,-2)
// call: @powers complex<f32>=(1,1) -2
// want: complex<f32>=(0,-0.5)
// call: @powers complex<f32>=(nan,inf) 0
// want: complex<f32>=(1,0)
func.func @powers(%z: complex<f32>, %n: i32) -> complex<f32> {
  %0 = complex.powi %z, %n : complex<f32>, i32
  return %0 : complex<f32>
}

// call: @parts complex<f32>=(-0,2.5) complex<f32>=(nan,1)
// want: complex<f32>=(0,-2.5) complex<f32>=(-0,-2.5) i1=0 i1=1 i64=4620693219829612544 complex<f32>=(-0,2.5) f64=8.000003814697266
func.func @parts(%z: complex<f32>, %w: complex<f32>) -> (complex<f32>, complex<f32>, i1, i1, i64, complex<f32>, f64) {
  %0 = complex.neg %z : complex<f32>
  %1 = complex.conj %z : complex<f32>
  %2 = complex.eq %w, %w : complex<f32>
  %3 = complex.neq %w, %z : complex<f32>
  %4 = complex.bitcast %z : complex<f32> to i64
  %5 = complex.bitcast %4 : i64 to complex<f32>
  %6 = complex.bitcast %z : complex<f32> to f64
  return %0, %1, %2, %3, %4, %5, %6 : complex<f32>, complex<f32>, i1, i1, i64, complex<f32>, f64
}

// The angle of 1 + i, -1 + i: pi / 4, 3 pi / 4, as complex numbers.
// call: @arc 2xcomplex<f32>=[1 0 1 0] 2xcomplex<f32>=[1 0 -1 0]
// want: 2xcomplex<f32>=[0.7853982 0 2.3561945 0]
func.func @arc(%y: tensor<2xcomplex<f32>>, %x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = complex.atan2 %y, %x : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
