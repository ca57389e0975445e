// A second dealloc is a reported error; a forgotten one is not.
// call: @twice
// want: error
// call: @forgotten
// want: i32=7
// call: @of_view
// want: error
// call: @once
// want: i32=7
func.func @twice() -> i32 {
  %v = arith.constant 7 : i32
  %m = memref.alloc() : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  return %v : i32
}
func.func @forgotten() -> i32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i32
  %m = memref.alloc() : memref<4000xi32>
  memref.store %v, %m[%c0] : memref<4000xi32>
  %r = memref.load %m[%c0] : memref<4000xi32>
  return %r : i32
}
memref.global "private" constant @g : memref<2xi32> = dense<[1, 2]>
func.func @of_view() {
  %m = memref.get_global @g : memref<2xi32>
  memref.dealloc %m : memref<2xi32>
  return
}
func.func @once() -> i32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i32
  %m = memref.alloc() : memref<4xi32>
  memref.store %v, %m[%c0] : memref<4xi32>
  %r = memref.load %m[%c0] : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  return %r : i32
}
