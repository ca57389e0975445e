// What ops promise of their operands: each kind, and a near twin that is silent.
// options: --sanitize
// call: @shift i32=1 i32=31
// want: i32=-2147483648
// call: @shift i32=1 i32=32
// want: i32=0
// report: 154:8 shift
// call: @shift_odd i5=1 i5=4
// want: i5=-16
// call: @shift_odd i5=1 i5=5
// want: i5=0
// report: 158:8 shift
// call: @shift_right i64=-8 i64=63
// want: i64=-1 i64=1
// call: @shift_right i64=-8 i64=64
// want: i64=-1 i64=0
// report: 162:8 shift
// report: 163:8 shift
// call: @shift_flags i8=3 i8=5
// want: i8=96
// call: @shift_flags i8=3 i8=6
// want: i8=-64
// report: 167:8 overflow
// call: @signed i32=2147483646 i32=1
// want: i32=2147483647 i32=2147483645 i32=2147483646
// call: @signed i32=2147483647 i32=1
// want: i32=-2147483648 i32=2147483646 i32=2147483647
// report: 171:8 overflow
// call: @signed i32=-2147483648 i32=1
// want: i32=-2147483647 i32=2147483647 i32=-2147483648
// report: 172:8 overflow
// call: @signed i32=65536 i32=32768
// want: i32=98304 i32=32768 i32=-2147483648
// report: 173:8 overflow
// call: @unsigned i8=-2 i8=1
// want: i8=-1 i8=-3 i8=-2
// call: @unsigned i8=-1 i8=1
// want: i8=0 i8=-2 i8=-1
// report: 177:8 overflow
// call: @unsigned i8=1 i8=2
// want: i8=3 i8=-1 i8=2
// report: 178:8 overflow
// call: @unsigned i8=16 i8=16
// want: i8=32 i8=0 i8=0
// report: 179:8 overflow
// call: @wraps i32=2147483647 i32=1
// want: i32=-2147483648
// call: @narrow i16=127
// want: i8=127 i8=127
// call: @narrow i16=128
// want: i8=-128 i8=-128
// report: 187:8 overflow
// call: @narrow i16=-1
// want: i8=-1 i8=-1
// report: 188:8 overflow
// call: @narrow i16=256
// want: i8=0 i8=0
// report: 187:8 overflow
// report: 188:8 overflow
// call: @divide i32=-2147483648 i32=1
// want: i32=-2147483648 i32=0
// call: @divide i32=-2147483648 i32=-1
// want: i32=-2147483648 i32=0
// report: 192:8 division
// report: 193:8 division
// call: @divide i32=-2147483647 i32=-1
// want: i32=2147483647 i32=0
// call: @to_int f32=127.9
// want: i8=127
// call: @to_int f32=-128.9
// want: i8=-128
// call: @to_int f32=128
// want: i8=127
// report: 197:8 float-to-int
// call: @to_int f32=-129
// want: i8=-128
// report: 197:8 float-to-int
// call: @to_int f32=nan
// want: i8=0
// report: 197:8 float-to-int
// call: @to_wide f64=-9223372036854775808
// want: i64=-9223372036854775808
// call: @to_wide f64=9223372036854775808
// want: i64=9223372036854775807
// report: 201:8 float-to-int
// call: @to_unsigned f16=-0.5
// want: i3=0
// call: @to_unsigned f16=7.5
// want: i3=-1
// call: @to_unsigned f16=-1
// want: i3=0
// report: 205:8 float-to-int
// call: @to_unsigned f16=8
// want: i3=-1
// report: 205:8 float-to-int
// call: @no_nan f32=1 f32=0
// want: f32=inf i1=1
// call: @no_nan f32=0 f32=0
// want: f32=nan i1=0
// report: 209:8 fastmath
// call: @no_nan f32=nan f32=1
// want: f32=nan i1=0
// report: 209:8 fastmath
// report: 210:8 fastmath
// call: @no_infinity f64=1e300
// want: f64=inf
// report: 214:8 fastmath
// call: @no_infinity f64=1e100
// want: f64=1e+200
// call: @no_infinity f64=nan
// want: f64=nan
// call: @fast bf16=1 bf16=2
// want: bf16=3
// call: @fast bf16=1 bf16=inf
// want: bf16=inf
// report: 218:8 fastmath
// call: @fma f32=1 f32=2 f32=3
// want: f32=5
// call: @fma f32=1 f32=2 f32=nan
// want: f32=nan
// report: 222:8 fastmath
// call: @lanes 19xi32=3 19xi32=2
// want: 19xi32=11
// call: @lanes 4xi32=[1 2 3 1073741825] 4xi32=[2 2 2 2]
// want: 4xi32=[3 7 11 3]
// report: 232:10 overflow
// call: @lanes 4xi32=[1 2 3 4] 4xi32=[2 2 32 2]
// want: 4xi32=[3 7 -1 15]
// report: 232:10 shift
// call: @lanes 4xi32=[-2147483648 2 3 4] 4xi32=[0 2 0 2]
// want: 4xi32=[2147483647 7 2 15]
// report: 233:10 overflow
// call: @float_lanes 5xf32=[1 2 3 4 5.5]
// want: 5xi16=[2 4 6 8 11]
// call: @float_lanes 5xf32=[1 2 nan 4 5.5]
// want: 5xi16=[2 4 0 8 11]
// report: 242:10 fastmath
// report: 243:10 float-to-int
// call: @float_lanes 5xf32=[1 2 16384 4 5.5]
// want: 5xi16=[2 4 32767 8 11]
// report: 243:10 float-to-int
// call: @sum 4xi32=[2147483647 0 0 0]
// want: i32=2147483647
// call: @sum 4xi32=[2147483647 0 1 -5]
// want: i32=2147483643
// report: 254:10 overflow
// call: @product 2x2xf32=[[1 2][3 4]]
// want: 2x2xf32=[[7 10][15 22]]
// call: @product 2x2xf32=[[1 2][3 nan]]
// want: 2x2xf32=[[7 nan][nan nan]]
// report: 268:10 fastmath
// report: 269:10 fastmath
func.func @shift(%a: i32, %b: i32) -> i32 {
  %r = arith.shli %a, %b : i32
  return %r : i32
}
func.func @shift_odd(%a: i5, %b: i5) -> i5 {
  %r = arith.shli %a, %b : i5
  return %r : i5
}
func.func @shift_right(%a: i64, %b: i64) -> (i64, i64) {
  %r = arith.shrsi %a, %b : i64
  %s = arith.shrui %a, %b : i64
  return %r, %s : i64, i64
}
func.func @shift_flags(%a: i8, %b: i8) -> i8 {
  %r = arith.shli %a, %b overflow<nsw, nuw> : i8
  return %r : i8
}
func.func @signed(%a: i32, %b: i32) -> (i32, i32, i32) {
  %r = arith.addi %a, %b overflow<nsw> : i32
  %s = arith.subi %a, %b overflow<nsw> : i32
  %t = arith.muli %a, %b overflow<nsw> : i32
  return %r, %s, %t : i32, i32, i32
}
func.func @unsigned(%a: i8, %b: i8) -> (i8, i8, i8) {
  %r = arith.addi %a, %b overflow<nuw> : i8
  %s = arith.subi %a, %b overflow<nuw> : i8
  %t = arith.muli %a, %b overflow<nuw> : i8
  return %r, %s, %t : i8, i8, i8
}
func.func @wraps(%a: i32, %b: i32) -> i32 {
  %r = arith.addi %a, %b : i32
  return %r : i32
}
func.func @narrow(%a: i16) -> (i8, i8) {
  %r = arith.trunci %a overflow<nsw> : i16 to i8
  %s = arith.trunci %a overflow<nuw> : i16 to i8
  return %r, %s : i8, i8
}
func.func @divide(%a: i32, %b: i32) -> (i32, i32) {
  %r = arith.divsi %a, %b : i32
  %s = arith.remsi %a, %b : i32
  return %r, %s : i32, i32
}
func.func @to_int(%a: f32) -> i8 {
  %r = arith.fptosi %a : f32 to i8
  return %r : i8
}
func.func @to_wide(%a: f64) -> i64 {
  %r = arith.fptosi %a : f64 to i64
  return %r : i64
}
func.func @to_unsigned(%a: f16) -> i3 {
  %r = arith.fptoui %a : f16 to i3
  return %r : i3
}
func.func @no_nan(%a: f32, %b: f32) -> (f32, i1) {
  %r = arith.divf %a, %b fastmath<nnan> : f32
  %s = arith.cmpf ogt, %a, %b fastmath<nnan> : f32
  return %r, %s : f32, i1
}
func.func @no_infinity(%a: f64) -> f64 {
  %r = arith.mulf %a, %a fastmath<ninf> : f64
  return %r : f64
}
func.func @fast(%a: bf16, %b: bf16) -> bf16 {
  %r = arith.addf %a, %b fastmath<fast> : bf16
  return %r : bf16
}
func.func @fma(%a: f32, %b: f32, %c: f32) -> f32 {
  %r = math.fma %a, %b, %c fastmath<nnan> : f32
  return %r : f32
}
func.func @lanes(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = linalg.map ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>)
  (%x: i32, %y: i32) {
    %s = arith.shli %x, %y overflow<nuw> : i32
    %t = arith.subi %s, %one overflow<nsw> : i32
    linalg.yield %t : i32
  }
  return %r : tensor<?xi32>
}
func.func @float_lanes(%a: tensor<5xf32>) -> tensor<5xi16> {
  %e = tensor.empty() : tensor<5xi16>
  %r = linalg.map ins(%a : tensor<5xf32>) outs(%e : tensor<5xi16>)
  (%x: f32) {
    %s = arith.addf %x, %x fastmath<nnan> : f32
    %t = arith.fptosi %s : f32 to i16
    linalg.yield %t : i16
  }
  return %r : tensor<5xi16>
}
func.func @sum(%a: tensor<4xi32>) -> i32 {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %r = linalg.reduce ins(%a : tensor<4xi32>) outs(%f : tensor<i32>) dimensions = [0]
  (%x: i32, %acc: i32) {
    %s = arith.addi %x, %acc overflow<nsw> : i32
    linalg.yield %s : i32
  }
  %v = tensor.extract %r[] : tensor<i32>
  return %v : i32
}
func.func @product(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>) outs(%f : tensor<2x2xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<nnan> : f32
    %s = arith.addf %acc, %p fastmath<nnan> : f32
    linalg.yield %s : f32
  } -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
