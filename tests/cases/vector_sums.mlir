// Vector ops that combine: in order, from the accumulator or the first lane, lanes that are off left out; data that rounds and wraps.
// call: @floats 8xf32=[44.12274932861328 -3308.701416015625 0.002430771244689822 -0.0025209214072674513 1.0960984230041504 1582.4810791015625 -0.0909232422709465 -591636.6875] f32=0.1
// want: f32=-593317.75 f32=-593317.6875 f32=83472160.0 f32=-591636.6875 f32=1582.4810791015625
// call: @floats 8xf32=[0.0 nan -0.0 2.0 -3.0 nan 1.0 0.0] f32=nan
// want: f32=nan f32=nan f32=nan f32=-3 f32=nan
// call: @floats 8xf32=[-0.0 -0.0 -0.0 -0.0 -0.0 -0.0 -0.0 -0.0] f32=-0
// want: f32=-0 f32=-0 f32=0 f32=-0 f32=-0
// call: @ints 8xi8=[100 -7 127 -128 55 3 -1 64]
// want: i8=-43 i8=0 i8=-128 i8=127 i8=3 i8=-1 i8=0 i8=-1 i8=-23
// call: @masked_ints 8xi8=[100 -7 127 -128 55 3 -1 64] 8xi1=[1 0 0 1 1 0 1 0]
// want: i8=26 i8=0 i8=-128 i8=100 i8=55 i8=-1 i8=0 i8=-1 i8=44
// call: @masked_ints 8xi8=[100 -7 127 -128 55 3 -1 64] 8xi1=[0 0 0 0 0 0 0 0]
// want: i8=0 i8=1 i8=127 i8=-128 i8=-1 i8=0 i8=-1 i8=0 i8=0
// call: @masked_floats 8xf32=[44.12274932861328 -3308.701416015625 0.002430771244689822 -0.0025209214072674513 1.0960984230041504 1582.4810791015625 -0.0909232422709465 -591636.6875] 8xi1=[1 0 0 1 1 0 1 0] f32=0.1
// want: f32=45.125404357910156 f32=45.22540283203125 f32=-0.0909232422709465
// call: @masked_floats 8xf32=[44.12274932861328 -3308.701416015625 0.002430771244689822 -0.0025209214072674513 1.0960984230041504 1582.4810791015625 -0.0909232422709465 -591636.6875] 8xi1=[0 0 0 0 0 0 0 0] f32=0.1
// want: f32=0 f32=0.10000000149011612 f32=inf
// call: @multi 3x4x2xf32=[115139.1015625 0.0018573310226202011 -151.11795043945312 0.06448475271463394 -0.000980607932433486 -8568.53125 -8718.7919921875 -422.5079345703125 0.00099643983412534 0.0007124212570488453 5914.42431640625 -36.33108901977539 0.3288843035697937 -105.9304428100586 7.930533409118652 -63.157161712646484 -0.0006194908637553453 -10106.7607421875 -5230.81494140625 0.002492176601663232 197.66009521484375 1.3348485231399536 -0.8687560558319092 0.01561532262712717] 4xf32=[-0.20514902472496033 -0.23210753500461578 0.2546539306640625 -0.10114271193742752] 3x4x2xi1=[1 0 0 1 0 0 1 1 0 1 1 1 1 1 1 0 0 1 0 0 1 1 1 0]
// want: 4xf32=[105032.140625 495.99517822265625 -8474.8837890625 -9197.4814453125] f32=87856.15625 3x2xf32=[115139.1015625 0.5 5914.42431640625 0.5 197.66009521484375 1.3348485231399536] 4xf32=[105032.140625 5877.92578125 93.64804077148438 -9134.33984375]
// call: @scan 3x4xf32=[115139.1015625 -151.11795043945312 -0.000980607932433486 -8718.7919921875 0.00099643983412534 5914.42431640625 0.3288843035697937 7.930533409118652 -0.0006194908637553453 -5230.81494140625 197.66009521484375 -0.8687560558319092] 3xf32=[-0.20514902472496033 -0.23210753500461578 0.2546539306640625] 4xf32=[-0.20514902472496033 -0.23210753500461578 0.2546539306640625 -0.10114271193742752]
// want: 3x4xf32=[115139.1015625 114987.984375 114987.984375 106269.1953125 0.00099643983412534 5914.42529296875 5914.75439453125 5922.68505859375 -0.0006194908637553453 -5230.8154296875 -5033.1552734375 -5034.02392578125] 3xf32=[106269.1953125 5922.68505859375 -5034.02392578125] 3x4xf32=[-0.20514902472496033 -0.23210753500461578 0.2546539306640625 -0.10114271193742752 115138.8984375 -151.3500518798828 0.2536733150482178 -8718.8935546875 115138.8984375 5763.07421875 0.5825576186180115 -8710.962890625] 4xf32=[115138.8984375 5763.07421875 0.5825576186180115 -8710.962890625]
// call: @contract 3x5xf32=[1.3591303825378418 0.6986566781997681 32.83290481567383 0.017804160714149475 -1.5094599723815918 0.3404126465320587 1420.94970703125 0.037335630506277084 -0.5166154503822327 65.88455963134766 -0.0671134889125824 0.0038970578461885452 0.026486549526453018 -0.9499056935310364 6.107763767242432] 5x2xf32=[-150.8859100341797 -5.934027671813965 7.882379531860352 -0.004454299807548523 -4.821201801300049 4.935576438903809 5.004873275756836 0.7924225926399231 170.7644500732422 -1.753740906715393] 3x2xf32=[0.6302964687347412 -0.7000911235809326 1.4378572702407837 0.18381711840629578 0.9426689743995667 0.3765992820262909] 3x2x5xi1=[1 1 0 0 1 1 1 1 0 0 0 0 0 0 0 1 1 1 1 1 1 1 0 1 0 1 0 1 1 0]
// want: 3x2xf32=[-614.9033203125 155.9423065185547 22398.513671875 -123.93508911132812 1049.2069091796875 -10.558600425720215] 3x2xf32=[5.507077217102051 162.04931640625 11250.740234375 0.1842728555202484 1042.9888916015625 0.39825329184532166] 3x2xf32=[-456.6983642578125 153.28099060058594 1.4378572702407837 -123.93508911132812 6.345709323883057 0.15285223722457886] f32=157.272705078125
// call: @widening 3x5xi8=[-83 -36 -45 51 85 -15 -112 -32 26 -34 30 93 -14 -50 14] 2x5xi8=[98 -120 57 -47 40 -69 -70 -118 -122 -70] 2x3xi32=[2147463648 2147463648 2147463648 2147463648 2147463648 2147463648]
// want: 2x3xi32=[2147458272 2147471212 2147457540 2147465033 2147475507 2147461840]
// call: @outer 3xf32=[0.10000000149011612 3.0 -10000000000.0] 2xf32=[0.699999988079071 1.0000000150474662e+30] 3x2xf32=[1.0 2.0 3.0 4.0 5.0 -inf] 3x2xi1=[1 0 0 1 1 1]
// want: 3x2xf32=[0.07000000029802322 1.0000000150474662e+29 2.0999999046325684 3.000000196258126e+30 -7000000000.0 -inf] 3x2xf32=[1.0700000524520874 1.0000000150474662e+29 5.099999904632568 3.000000196258126e+30 -7000000000.0 -inf] 3x2xf32=[0.07000000029802322 2.0 2.0999999046325684 4.0 -7000000000.0 -inf] 3xf32=[1.0299999713897705 3.9000000953674316 -3000000000.0] 3x2xf32=[1.0700000524520874 2.0 3.0 3.000000196258126e+30 -7000000000.0 -inf] 3x2xf32=[0.07000000029802322 0.0 0.0 3.000000196258126e+30 -7000000000.0 -inf]
// call: @flat 6xf64=[0.0 0.1 0.2 0.30000000000000004 0.4 0.5] 6xf64=[0.3 1.3 2.3 3.3 4.3 5.3]
// want: 4xf64=[1.18 1.5699999999999998 2.98 4.27] 6xf64=[0.0 0.2 0.4 0.1 0.30000000000000004 0.5]
// call: @masked_division 4xi32=[-7 8 9 -2147483648] 4xi32=[2 0 0 -1] 4xi1=[1 0 1 1]
// want: error
// call: @masked_division 4xi32=[-7 8 9 -2147483648] 4xi32=[2 0 4 -1] 4xi1=[1 0 1 1]
// want: 4xi32=[-3 8 2 -2147483648]
func.func @masked_division(%a: vector<4xi32>, %b: vector<4xi32>, %m: vector<4xi1>) -> vector<4xi32> {
  %0 = vector.mask %m, %a { arith.divsi %a, %b : vector<4xi32> } : vector<4xi1> -> vector<4xi32>
  return %0 : vector<4xi32>
}
func.func @floats(%v: vector<8xf32>, %x: f32) -> (f32, f32, f32, f32, f32) {
  %0 = vector.reduction <add>, %v : vector<8xf32> into f32
  %1 = vector.reduction <add>, %v, %x fastmath<reassoc> : vector<8xf32> into f32
  %2 = vector.reduction <mul>, %v : vector<8xf32> into f32
  %3 = vector.reduction <minf>, %v : vector<8xf32> into f32
  %4 = vector.reduction <maximumf>, %v : vector<8xf32> into f32
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
}
func.func @ints(%v: vector<8xi8>) -> (i8, i8, i8, i8, i8, i8, i8, i8, i8) {
  %0 = vector.reduction <add>, %v : vector<8xi8> into i8
  %1 = vector.reduction <mul>, %v : vector<8xi8> into i8
  %2 = vector.reduction <minsi>, %v : vector<8xi8> into i8
  %3 = vector.reduction <maxsi>, %v : vector<8xi8> into i8
  %4 = vector.reduction <minui>, %v : vector<8xi8> into i8
  %5 = vector.reduction <maxui>, %v : vector<8xi8> into i8
  %6 = vector.reduction <and>, %v : vector<8xi8> into i8
  %7 = vector.reduction <or>, %v : vector<8xi8> into i8
  %8 = vector.reduction <xor>, %v : vector<8xi8> into i8
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : i8, i8, i8, i8, i8, i8, i8, i8, i8
}
func.func @masked_ints(%v: vector<8xi8>, %m: vector<8xi1>) -> (i8, i8, i8, i8, i8, i8, i8, i8, i8) {
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<8xi8> into i8 } : vector<8xi1> -> i8
  %1 = vector.mask %m { vector.reduction <mul>, %v : vector<8xi8> into i8 } : vector<8xi1> -> i8
  %2 = vector.mask %m { vector.reduction <minsi>, %v : vector<8xi8> into i8 } : vector<8xi1> -> i8
  %3 = vector.mask %m { vector.reduction <maxsi>, %v : vector<8xi8> into i8 } : vector<8xi1> -> i8
  %4 = vector.mask %m { vector.reduction <minui>, %v : vector<8xi8> into i8 } : vector<8xi1> -> i8
  %5 = vector.mask %m { vector.reduction <maxui>, %v : vector<8xi8> into i8 } : vector<8xi1> -> i8
  %6 = vector.mask %m { vector.reduction <and>, %v : vector<8xi8> into i8 } : vector<8xi1> -> i8
  %7 = vector.mask %m { vector.reduction <or>, %v : vector<8xi8> into i8 } : vector<8xi1> -> i8
  %8 = vector.mask %m { vector.reduction <xor>, %v : vector<8xi8> into i8 } : vector<8xi1> -> i8
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : i8, i8, i8, i8, i8, i8, i8, i8, i8
}
func.func @masked_floats(%v: vector<8xf32>, %m: vector<8xi1>, %x: f32) -> (f32, f32, f32) {
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<8xf32> into f32 } : vector<8xi1> -> f32
  %1 = vector.mask %m { vector.reduction <add>, %v, %x : vector<8xf32> into f32 } : vector<8xi1> -> f32
  %2 = vector.mask %m { vector.reduction <minnumf>, %v : vector<8xf32> into f32 } : vector<8xi1> -> f32
  return %0, %1, %2 : f32, f32, f32
}
func.func @multi(%v: vector<3x4x2xf32>, %acc: vector<4xf32>, %m: vector<3x4x2xi1>) -> (vector<4xf32>, f32, vector<3x2xf32>, vector<4xf32>) {
  %x = arith.constant 0.1 : f32
  %half = arith.constant dense<0.5> : vector<3x2xf32>
  %0 = vector.multi_reduction <add>, %v, %acc [0, 2] : vector<3x4x2xf32> to vector<4xf32>
  %1 = vector.multi_reduction <add>, %v, %x [0, 1, 2] : vector<3x4x2xf32> to f32
  %2 = vector.multi_reduction #vector.kind<maxnumf>, %v, %half [1] : vector<3x4x2xf32> to vector<3x2xf32>
  %3 = vector.mask %m { vector.multi_reduction <add>, %v, %acc [0, 2] : vector<3x4x2xf32> to vector<4xf32> } : vector<3x4x2xi1> -> vector<4xf32>
  return %0, %1, %2, %3 : vector<4xf32>, f32, vector<3x2xf32>, vector<4xf32>
}
func.func @scan(%v: vector<3x4xf32>, %rows: vector<3xf32>, %columns: vector<4xf32>) -> (vector<3x4xf32>, vector<3xf32>, vector<3x4xf32>, vector<4xf32>) {
  %0:2 = vector.scan <add>, %v, %rows {inclusive = true, reduction_dim = 1 : i64} : vector<3x4xf32>, vector<3xf32>
  %1:2 = vector.scan <add>, %v, %columns {inclusive = false, reduction_dim = 0 : i64} : vector<3x4xf32>, vector<4xf32>
  return %0#0, %0#1, %1#0, %1#1 : vector<3x4xf32>, vector<3xf32>, vector<3x4xf32>, vector<4xf32>
}
#matmul = {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
           iterator_types = ["parallel", "parallel", "reduction"]}
#greatest = {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
             iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxf>}
#dot = {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
#crossed = {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (j, i)>],
            iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
func.func @contract(%a: vector<3x5xf32>, %b: vector<5x2xf32>, %c: vector<3x2xf32>, %m: vector<3x2x5xi1>) -> (vector<3x2xf32>, vector<3x2xf32>, vector<3x2xf32>, f32) {
  %0 = vector.contract #matmul %a, %b, %c : vector<3x5xf32>, vector<5x2xf32> into vector<3x2xf32>
  %1 = vector.contract #greatest %a, %b, %c : vector<3x5xf32>, vector<5x2xf32> into vector<3x2xf32>
  %2 = vector.mask %m { vector.contract #matmul %a, %b, %c : vector<3x5xf32>, vector<5x2xf32> into vector<3x2xf32> } : vector<3x2x5xi1> -> vector<3x2xf32>
  %x = vector.extract %a[0] : vector<5xf32> from vector<3x5xf32>
  %t = vector.transpose %b, [1, 0] : vector<5x2xf32> to vector<2x5xf32>
  %y = vector.extract %t[1] : vector<5xf32> from vector<2x5xf32>
  %z = vector.extract %c[0, 0] : f32 from vector<3x2xf32>
  %3 = vector.contract #dot %x, %y, %z : vector<5xf32>, vector<5xf32> into f32
  return %0, %1, %2, %3 : vector<3x2xf32>, vector<3x2xf32>, vector<3x2xf32>, f32
}
func.func @widening(%a: vector<3x5xi8>, %b: vector<2x5xi8>, %c: vector<2x3xi32>) -> vector<2x3xi32> {
  %0 = vector.contract #crossed %a, %b, %c : vector<3x5xi8>, vector<2x5xi8> into vector<2x3xi32>
  return %0 : vector<2x3xi32>
}
func.func @outer(%a: vector<3xf32>, %b: vector<2xf32>, %c: vector<3x2xf32>, %m: vector<3x2xi1>) -> (vector<3x2xf32>, vector<3x2xf32>, vector<3x2xf32>, vector<3xf32>, vector<3x2xf32>, vector<3x2xf32>) {
  %x = arith.constant 0.3 : f32
  %t = vector.transpose %c, [1, 0] : vector<3x2xf32> to vector<2x3xf32>
  %column = vector.extract %t[0] : vector<3xf32> from vector<2x3xf32>
  %0 = vector.outerproduct %a, %b : vector<3xf32>, vector<2xf32>
  %1 = vector.outerproduct %a, %b, %c : vector<3xf32>, vector<2xf32>
  %2 = vector.outerproduct %a, %b, %c {kind = #vector.kind<minnumf>} : vector<3xf32>, vector<2xf32>
  %3 = vector.outerproduct %a, %x, %column : vector<3xf32>, f32
  %4 = vector.mask %m { vector.outerproduct %a, %b, %c : vector<3xf32>, vector<2xf32> } : vector<3x2xi1> -> vector<3x2xf32>
  %5 = vector.mask %m { vector.outerproduct %a, %b : vector<3xf32>, vector<2xf32> } : vector<3x2xi1> -> vector<3x2xf32>
  return %0, %1, %2, %3, %4, %5 : vector<3x2xf32>, vector<3x2xf32>, vector<3x2xf32>, vector<3xf32>, vector<3x2xf32>, vector<3x2xf32>
}
func.func @flat(%a: vector<6xf64>, %b: vector<6xf64>) -> (vector<4xf64>, vector<6xf64>) {
  %0 = vector.matrix_multiply %a, %b {lhs_rows = 2 : i32, lhs_columns = 3 : i32, rhs_columns = 2 : i32} : (vector<6xf64>, vector<6xf64>) -> vector<4xf64>
  %1 = vector.flat_transpose %a {rows = 2 : i32, columns = 3 : i32} : vector<6xf64> -> vector<6xf64>
  return %0, %1 : vector<4xf64>, vector<6xf64>
}
