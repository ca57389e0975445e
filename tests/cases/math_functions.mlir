// Every function of math: results of f32 that round (the C library's in f64, rounded), and the values at the edges.

// call: @absf 3xf32=[-0 -1.7000000476837158 nan]
// want: 3xf32=[0 1.7000000476837158 nan]
func.func @absf(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = math.absf %a : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// call: @acos 4xf32=[0.699999988079071 -0.30000001192092896 1.5 -1]
// want: 4xf32=[0.7953988313674927 1.8754889965057373 nan 3.1415927410125732]
func.func @acos(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.acos %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @acosh 4xf32=[1.899999976158142 1 0.5 300]
// want: 4xf32=[1.2571958303451538 0 nan 6.3969268798828125]
func.func @acosh(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.acosh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @asin 4xf32=[0.699999988079071 -0.30000001192092896 1.5 -0]
// want: 4xf32=[0.7753974795341492 -0.30469265580177307 nan -0]
func.func @asin(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.asin %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @asinh 4xf32=[0.699999988079071 -30000 9.999999974752427e-07 -0]
// want: 4xf32=[0.6526665687561035 -11.002099990844727 9.999999974752427e-07 -0]
func.func @asinh(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.asinh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @atan 4xf32=[0.699999988079071 -30 inf -0]
// want: 4xf32=[0.6107259392738342 -1.537475347518921 1.5707963705062866 -0]
func.func @atan(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.atan %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @atanh 4xf32=[0.699999988079071 -0.30000001192092896 1.5 -0]
// want: 4xf32=[0.8673005104064941 -0.30951961874961853 nan -0]
func.func @atanh(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.atanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @cbrt 4xf32=[0.699999988079071 -27 1.0000000031710769e-30 -0]
// want: 4xf32=[0.8879039883613586 -3 1.000000013351432e-10 -0]
func.func @cbrt(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.cbrt %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @cos 4xf32=[0.699999988079071 -30 100000 0]
// want: 4xf32=[0.7648422122001648 0.15425145626068115 -0.9993607997894287 1]
func.func @cos(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.cos %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @cosh 4xf32=[0.699999988079071 -30 100 0]
// want: 4xf32=[1.2551690340042114 5343237111808 inf 1]
func.func @cosh(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.cosh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @erf 4xf32=[0.699999988079071 -0.30000001192092896 9 -0]
// want: 4xf32=[0.6778011918067932 -0.3286267817020416 1 -0]
func.func @erf(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.erf %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @erfc 4xf32=[0.699999988079071 -0.30000001192092896 5 30]
// want: 4xf32=[0.3221988081932068 1.3286267518997192 1.5374598295869735e-12 0]
func.func @erfc(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.erfc %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @exp 4xf32=[0.699999988079071 -30 100 -inf]
// want: 4xf32=[2.0137526988983154 9.357622912219837e-14 inf 0]
func.func @exp(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @exp2 4xf32=[0.699999988079071 -30.25 128 -inf]
// want: 4xf32=[1.624504804611206 7.831458259666135e-10 inf 0]
func.func @exp2(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp2 %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @expm1 4xf32=[0.699999988079071 -9.999999974752427e-07 -30 -0]
// want: 4xf32=[1.0137526988983154 -9.999995427278918e-07 -1 -0]
func.func @expm1(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.expm1 %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @log 4xf32=[0.699999988079071 30 -1 1.0000000031710769e-30]
// want: 4xf32=[-0.3566749691963196 3.4011974334716797 nan -69.07755279541016]
func.func @log(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.log %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @log10 4xf32=[0.699999988079071 1000 -1 1.0000000031710769e-30]
// want: 4xf32=[-0.15490196645259857 3 nan -30]
func.func @log10(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.log10 %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @log1p 4xf32=[0.699999988079071 9.999999974752427e-07 -2 -0]
// want: 4xf32=[0.5306282639503479 9.999995427278918e-07 nan -0]
func.func @log1p(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.log1p %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @log2 4xf32=[0.699999988079071 1024 -1 1.0000000031710769e-30]
// want: 4xf32=[-0.5145732164382935 10 nan -99.65784454345703]
func.func @log2(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.log2 %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @rsqrt 4xf32=[0.699999988079071 1.0000000031710769e-30 -1 3]
// want: 4xf32=[1.1952285766601562 999999986991104 nan 0.5773502588272095]
func.func @rsqrt(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.rsqrt %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @sin 4xf32=[0.699999988079071 -30 100000 -0]
// want: 4xf32=[0.6442176699638367 0.9880316257476807 0.03574879840016365 -0]
func.func @sin(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.sin %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @sinh 4xf32=[0.699999988079071 -30 9.999999974752427e-07 -0]
// want: 4xf32=[0.758583664894104 -5343237111808 9.999999974752427e-07 -0]
func.func @sinh(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.sinh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @sqrt 4xf32=[0.699999988079071 2 -1 -0]
// want: 4xf32=[0.8366600275039673 1.4142135381698608 nan -0]
func.func @sqrt(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.sqrt %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @tan 4xf32=[0.699999988079071 -30 1.5700000524520874 -0]
// want: 4xf32=[0.8422883749008179 6.405331134796143 1255.8482666015625 -0]
func.func @tan(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.tan %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @tanh 4xf32=[0.699999988079071 -30 9.999999974752427e-07 -0]
// want: 4xf32=[0.6043677926063538 -1 9.999999974752427e-07 -0]
func.func @tanh(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.tanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @ceil 4xf32=[0.699999988079071 -0.30000001192092896 2.5 -0]
// want: 4xf32=[1 -0 3 -0]
func.func @ceil(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.ceil %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @floor 4xf32=[0.699999988079071 -0.30000001192092896 2.5 -0]
// want: 4xf32=[0 -1 2 -0]
func.func @floor(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.floor %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @trunc 4xf32=[0.699999988079071 -1.7000000476837158 2.5 -0]
// want: 4xf32=[0 -1 2 -0]
func.func @trunc(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.trunc %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @round 4xf32=[0.5 -2.5 3.5 -0.30000001192092896]
// want: 4xf32=[1 -3 4 -0]
func.func @round(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.round %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @roundeven 4xf32=[0.5 -2.5 3.5 -0.30000001192092896]
// want: 4xf32=[0 -2 4 -0]
func.func @roundeven(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.roundeven %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// call: @isfinite 4xf32=[1 inf nan 1.401298464324817e-45]
// want: 4xi1=[1 0 0 1]
func.func @isfinite(%a: tensor<4xf32>) -> tensor<4xi1> {
  %0 = math.isfinite %a : tensor<4xf32>
  return %0 : tensor<4xi1>
}

// call: @isinf 4xf32=[1 -inf nan 1.401298464324817e-45]
// want: 4xi1=[0 1 0 0]
func.func @isinf(%a: tensor<4xf32>) -> tensor<4xi1> {
  %0 = math.isinf %a : tensor<4xf32>
  return %0 : tensor<4xi1>
}

// call: @isnan 4xf32=[1 inf nan nan]
// want: 4xi1=[0 0 1 1]
func.func @isnan(%a: tensor<4xf32>) -> tensor<4xi1> {
  %0 = math.isnan %a : tensor<4xf32>
  return %0 : tensor<4xi1>
}

// call: @isnormal 4xf32=[1 inf nan 1.401298464324817e-45]
// want: 4xi1=[1 0 0 0]
func.func @isnormal(%a: tensor<4xf32>) -> tensor<4xi1> {
  %0 = math.isnormal %a : tensor<4xf32>
  return %0 : tensor<4xi1>
}

// call: @two 4xf32=[1.5 -0 -2 3.299999952316284] 4xf32=[-2.5 -1 0 0.699999988079071]
// want: 4xf32=[2.601173162460327 -3.1415927410125732 -1.5707963705062866 1.3617733716964722] 4xf32=[-1.5 -0 2 3.299999952316284] 4xf32=[0.3628873825073242 -inf 1 2.3065333366394043] 4xf32=[1 -0 -1 1]
func.func @two(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = math.atan2 %a, %b : tensor<4xf32>
  %1 = math.copysign %a, %b : tensor<4xf32>
  %2 = math.powf %a, %b : tensor<4xf32>
  %l = arith.constant dense<-1.0> : tensor<4xf32>
  %h = arith.constant dense<1.0> : tensor<4xf32>
  %3 = math.clampf %a to [%l, %h] : tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// call: @pair f32=0.7
// want: f32=0.6442176699638367 f32=0.7648422122001648 f32=2.915452003479004
func.func @pair(%x: f32) -> (f32, f32, f32) {
  %0, %1 = math.sincos %x : f32
  %n = arith.constant -3 : i32
  %2 = math.fpowi %x, %n : f32, i32
  return %0, %1, %2 : f32, f32, f32
}

// a * b + c with one rounding: 2^-24 of the product is not lost.
// call: @fused f32=1.00000012 f32=1.00000012 f32=-1.00000024
// want: f32=1.4210855e-14
func.func @fused(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = math.fma %a, %b, %c : f32
  return %0 : f32
}

// call: @bits 5xi16=[-32768 0 1 -1 256]
// want: 5xi16=[-32768 0 1 1 256] 5xi16=[0 16 15 0 7] 5xi16=[15 16 0 0 8] 5xi16=[1 0 1 16 1]
func.func @bits(%a: tensor<5xi16>) -> (tensor<5xi16>, tensor<5xi16>, tensor<5xi16>, tensor<5xi16>) {
  %0 = math.absi %a : tensor<5xi16>
  %1 = math.ctlz %a : tensor<5xi16>
  %2 = math.cttz %a : tensor<5xi16>
  %3 = math.ctpop %a : tensor<5xi16>
  return %0, %1, %2, %3 : tensor<5xi16>, tensor<5xi16>, tensor<5xi16>, tensor<5xi16>
}

// Products wrap; a negative power is 0 but for 1 and -1.
// call: @powers 5xi8=[3 -2 2 -1 1] 5xi8=[6 7 -1 -3 -128]
// want: 5xi8=[-39 -128 0 -1 1]
func.func @powers(%a: tensor<5xi8>, %b: tensor<5xi8>) -> tensor<5xi8> {
  %0 = math.ipowi %a, %b : tensor<5xi8>
  return %0 : tensor<5xi8>
}
