// Complex and sub-byte elements through copies, fills and strips; values are exact.
// call: @c128
// want: f64=2 f64=-3 f32=2 f32=-3 i4=-2
func.func @c128() -> (f64, f64, f32, f32, i4) {
  %a = complex.constant [2.0 : f64, -3.0 : f64] : complex<f64>
  %b = complex.constant [2.0 : f32, -3.0 : f32] : complex<f32>
  %n = arith.constant -2 : i4
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<2x2xcomplex<f64>>
  %y = memref.alloc() : memref<2x2xcomplex<f64>>
  memref.store %a, %x[%c1, %c0] : memref<2x2xcomplex<f64>>
  %t = memref.transpose %x (i, j) -> (j, i) : memref<2x2xcomplex<f64>> to memref<2x2xcomplex<f64>, strided<[1, 2]>>
  memref.copy %t, %y : memref<2x2xcomplex<f64>, strided<[1, 2]>> to memref<2x2xcomplex<f64>>
  %l = memref.load %y[%c0, %c1] : memref<2x2xcomplex<f64>>
  %re = complex.re %l : complex<f64>
  %im = complex.im %l : complex<f64>
  %z = memref.alloc() : memref<3xcomplex<f32>>
  linalg.fill ins(%b : complex<f32>) outs(%z : memref<3xcomplex<f32>>)
  %w = memref.load %z[%c1] : memref<3xcomplex<f32>>
  %re2 = complex.re %w : complex<f32>
  %im2 = complex.im %w : complex<f32>
  %q = memref.alloc() : memref<3xi4>
  linalg.fill ins(%n : i4) outs(%q : memref<3xi4>)
  %r = memref.load %q[%c1] : memref<3xi4>
  return %re, %im, %re2, %im2, %r : f64, f64, f32, f32, i4
}
// call: @ct 2xcomplex<f32>=[1 2 3 4]
// want: 2xcomplex<f32>=[-3 4 -7 24]
func.func @ct(%a: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>,affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%a: tensor<2xcomplex<f32>>) outs(%a: tensor<2xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %y: complex<f32>):
    %m = complex.mul %x, %x : complex<f32>
    linalg.yield %m : complex<f32> } -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
