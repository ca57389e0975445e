// What dealloc is not for: memory of alloca, and views that start inside their buffer, known when compiling or not.
// call: @of_alloca 8xf32=1
// want: error
// call: @of_view 8xf32=1 i64=2
// want: error
// call: @of_view 8xf32=1.5 i64=0
// want: f32=1.5
// call: @of_static_view 8xf32=1
// want: error
func.func @of_alloca(%v: tensor<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<8xf32>
  %x = tensor.extract %v[%c0] : tensor<8xf32>
  memref.store %x, %m[%c0] : memref<8xf32>
  %r = memref.load %m[%c0] : memref<8xf32>
  memref.dealloc %m : memref<8xf32>
  return %r : f32
}
func.func @of_view(%v: tensor<8xf32>, %o: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<8xf32>
  %x = tensor.extract %v[%c0] : tensor<8xf32>
  memref.store %x, %m[%c0] : memref<8xf32>
  %r = memref.load %m[%c0] : memref<8xf32>
  %s = memref.subview %m[%o] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.dealloc %s : memref<4xf32, strided<[1], offset: ?>>
  return %r : f32
}
func.func @of_static_view(%v: tensor<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<8xf32>
  %x = tensor.extract %v[%c0] : tensor<8xf32>
  memref.store %x, %m[%c0] : memref<8xf32>
  %r = memref.load %m[%c0] : memref<8xf32>
  %s = memref.subview %m[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  memref.dealloc %s : memref<4xf32, strided<[1], offset: 2>>
  return %r : f32
}
