// A strip whose operands turn out to be one buffer runs as the loop.
// call: @f
// want: 5xi32=[1 2 4 8 16]
func.func private @double(%a: memref<?xi32, strided<[1], offset: ?>>, %b: memref<?xi32, strided<[1], offset: ?>>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%a : memref<?xi32, strided<[1], offset: ?>>) outs(%b : memref<?xi32, strided<[1], offset: ?>>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.addi %x, %x : i32
    linalg.yield %s : i32
  }
  return
}
func.func @f() -> memref<5xi32> {
  %m = memref.alloc() : memref<5xi32>
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  memref.store %c1, %m[%c0] : memref<5xi32>
  %a = memref.subview %m[%c0] [4] [1] : memref<5xi32> to memref<4xi32, strided<[1], offset: ?>>
  %b = memref.subview %m[%i1] [4] [1] : memref<5xi32> to memref<4xi32, strided<[1], offset: ?>>
  %x = memref.cast %a : memref<4xi32, strided<[1], offset: ?>> to memref<?xi32, strided<[1], offset: ?>>
  %y = memref.cast %b : memref<4xi32, strided<[1], offset: ?>> to memref<?xi32, strided<[1], offset: ?>>
  call @double(%x, %y) : (memref<?xi32, strided<[1], offset: ?>>, memref<?xi32, strided<[1], offset: ?>>) -> ()
  return %m : memref<5xi32>
}
