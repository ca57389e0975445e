// Strides in a signature: -1 is one, not the mark of one that is not known; a view that does not have them is refused.
// call: @last 1x4xf32=[1 2.5 3 4] i64=3
// want: error
// call: @through 4xf32=[1 2.5 3 4] i64=0
// want: f32=4
// call: @through 4xf32=[1 2.5 3 4] i64=2
// want: f32=2.5
// call: @through 4xf32=[1 2.5 3 4] i64=4
// want: error
func.func @last(%m: memref<1x4xf32, strided<[4, -1], offset: 3>>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0, %i] : memref<1x4xf32, strided<[4, -1], offset: 3>>
  return %v : f32
}
func.func @reversed(%m: memref<4xf32, strided<[-1], offset: 3>>, %i: index) -> f32 {
  %v = memref.load %m[%i] : memref<4xf32, strided<[-1], offset: 3>>
  return %v : f32
}
func.func @through(%m: memref<4xf32>, %i: index) -> f32 {
  %r = memref.reinterpret_cast %m to offset: [3], sizes: [4], strides: [-1] : memref<4xf32> to memref<4xf32, strided<[-1], offset: 3>>
  %v = call @reversed(%r, %i) : (memref<4xf32, strided<[-1], offset: 3>>, index) -> f32
  return %v : f32
}
