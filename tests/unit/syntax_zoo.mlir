#map0 = affine_map<(d0, d1)[s0] -> (d0 + d1 * 2, d0 floordiv 3, (d0 + s0) mod 4, d1 ceildiv 8, -d0, d0 - d1, d0 - 5, s0 * 3 + 7)>
#odd = affine_map<(i, jay)[k] -> (jay, i, k)>
#set0 = affine_set<(d0)[s0] : (d0 - 1 >= 0, d0 * 2 - s0 == 0, d0 <= 10)>
!alias = tensor<4x?xf32>
!fn = (i32, !alias) -> (f32, index)
#dict = {a = 1 : i32, b = "x"}
"t.types"() {t = [i1, i8, i127, si7, ui8, index, f16, bf16, f32, f64, f80, f128, tf32, f8E5M2, f8E4M3FN, f8E4M3FNUZ, f8E5M2FNUZ, f8E4M3B11FNUZ, none,
  complex<f32>, complex<i8>, vector<4xf32>, vector<[4]xf32>, vector<2x[4]xi1>, vector<f32>, tensor<f32>, tensor<0xi8>, tensor<?x4xindex>, tensor<*xf32>, tensor<4xcomplex<f64>>, tensor<2xf32, "enc">,
  tensor<4x4xf64, #odd>, tensor<?xf32, #foo.bar<x, <y>, "z>">>, memref<f32>, memref<4x?xf32>, memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>, memref<4xf32, 3>, memref<4xf32, "ws">,
  memref<4xf32, strided<[2], offset: ?>, 1>, memref<?x?xf32, strided<[?, 1]>>, memref<*xf32>, memref<*xf32, 2>, memref<4xvector<4xf32>>, memref<2xmemref<4xf32>>, memref<4x4xf32, affine_map<(d0, d1) -> (d0, d1)>>, memref<4xf32, #gpu.address_space<workgroup>>,
  tuple<>, tuple<i32, tuple<f32>>, () -> (), (i32) -> i32, () -> (() -> i32), (i32, f32) -> (i32, f32), !fn, !alias, !foo.t, !foo.t<a, [b], "c>", {d}>, !foo<"x">]} : () -> ()
"t.nums"() {a = 1, b = -1, c = 1 : i32, d = 255 : i8, e = -128 : i8, f = 0xFF : i8, g = 1.0, h = 1.5e10 : f32, i = -0.0 : f32, j = 0x7FC00000 : f32, k = 0x7F800000 : f32, l = true, m = false, n = 1 : i1, o = 18446744073709551615 : ui64, p = 9223372036854775807 : index,
  q = 1.0e-45 : f32, r = 3.40282347E+38 : f32, s = 0.1 : f16, t = 0.1 : bf16, u = 1.0e300 : f64, v = 2.5 : f8E5M2, w = 0x7C00 : f16, x = 4.9406564584124654e-324 : f64, y = 123456789.0 : f32, z = -5 : si8, aa = 200 : ui8, ab = 0x3F80 : bf16, ac = 16777217.0 : f32, ad = 1.00000017881393432617187499 : f32, ae = 65520.0 : f16, af = 5.0e-324 : f64} : () -> ()
"t.attrs"() {a, "odd name" = 1 : i64, b = unit, c = "s\n\t\\\22\01x", d = @sym, e = @a::@b::@"odd name", f = [1, 2.0, [3 : i8], {}], g = {x, y = {z = 1.0 : f32}}, h = i32, i = #map0, j = #set0, k = #dict, l = array<i64>, m = array<i64: 1, -2>, n = array<i1: true, false>, o = array<f32: 1.0, 0x7F800000>, p = array<i8: 1>, q = #foo.bar, r = #foo.bar<1, [2], "3>">, s = #foo<"q">,
   t = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>, v = loc("x":1:2), w = affine_map<() -> ()>, x = affine_map<(d0, d1) -> (0)>, y = "str" : !foo.t, z = strided<[1, ?], offset: 3>, aa = (i32) -> f32, ab = affine_set<(d0) : (d0 == 0)>, ac = @"s p"} : () -> ()
"t.dense"() {a = dense<1> : tensor<4xi32>, b = dense<[1, 2, 3]> : tensor<3xi8>, c = dense<[[1.0, 2.0], [3.0, 4.5]]> : tensor<2x2xf32>, d = dense<"0x0100000002000000"> : tensor<2xi32>, e = dense<[true, false, 1]> : vector<3xi1>, f = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>, g = dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i8>>, h = dense<> : tensor<0xi32>, i = dense<> : tensor<2x0xi32>,
  j = dense<[1, // comment > ] here
   2]> : tensor<2xi64>, k = dense<0x7F800000> : tensor<2xf32>, l = dense<[-1, 255]> : tensor<2xi8>, m = dense<"0x05"> : tensor<4xi1>, n = dense<1.5> : tensor<f16>, o = dense<[1, 7]> : tensor<2xi4>, p = dense<[100000, -5]> : tensor<2xi24>, q = dense<3> : tensor<9223372036854775807xi8>, r = dense<1> : tensor<index>, s = dense<true> : tensor<2xi1>, t = dense<-1> : vector<4xi64>, u = dense<[1.0, 2.0]> : tensor<2xbf16>, w = dense<[18446744073709551615, 1]> : tensor<2xui64>} : () -> ()
%0:3 = "t.pack"() : () -> (i32, f32, index)
"t.use"(%0#1, %0#0, %0#2, %0) : (f32, i32, index, i32) -> ()
"t.region"() ({
  %z = "t.fwd"(%w) : (i32) -> f32
  %w = "t.def"() : () -> i32
}, {
^bb0(%x: i32, %y: f32):
  "t.br"(%x)[^bb2, ^bb1] : (i32) -> ()
^bb1:
  "t.br"()[^bb2] : () -> ()
^bb2:
  "t.end"() : () -> ()
}, {}) : () -> ()
module @nested attributes {x.y = 1 : i32} {
  module { }
  func.func private @decl(i32, f32 {a.b}) -> (i32 {c.d = 1 : i64})
  func.func @g(%arg0: i32 {x.z = #dict}) -> i32 attributes {no_inline} {
    %c = call @g(%arg0) : (i32) -> i32
    cf.br ^bb1(%c : i32)
  ^bb1(%q: i32):
    return %q : i32
  }
}
%u = "t.loc"() : () -> i32 loc("file.mlir":10:20)
"t.loc2"() : () -> () loc(callsite("f"("inner":1:2) at fused<{m = 1 : i32}>["a":1:1, "b", unknown]))
"t.loc3"() ({
^bb0(%a: i32 loc("arg":1:1), %b: f32):
  "t.x"() : () -> () loc(#later)
}) : () -> () loc(unknown)
#later = loc("later":3:4)
