// Transfers and bounds of several results.

// Four elements from 1 on to 2 on; the wait and the hint change nothing.
// call: @plain 8xi32=[1 -2 2147483647 4 5 6 7 8]
// want: 6xi32=[0 0 -2 2147483647 4 5]
func.func @plain(%a: memref<8xi32>) -> memref<6xi32> {
  %b = memref.alloc() : memref<6xi32>
  %t = memref.alloc() : memref<1xi32>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  affine.prefetch %a[%c1 + 2], write, locality<0>, instr : memref<8xi32>
  affine.dma_start %a[symbol(%c1)], %b[symbol(%c1) + 1], %t[0], %c4 : memref<8xi32>, memref<6xi32>, memref<1xi32>
  affine.dma_wait %t[0], %c4 : memref<1xi32>
  return %b : memref<6xi32>
}

// Two elements of every row of the slower memory, side by side in the faster one.
// call: @strided 3x4xf32=[[1 2 3 4][5 6 7 8][9 10 11 12]]
// want: 6xf32=[2 3 6 7 10 11]
func.func @strided(%a: memref<3x4xf32>) -> memref<6xf32> {
  %b = memref.alloc() : memref<6xf32, 1>
  %r = memref.memory_space_cast %b : memref<6xf32, 1> to memref<6xf32>
  %t = memref.alloc() : memref<1xi32>
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  affine.dma_start %a[0, 1], %b[0], %t[0], %c6, %c4, %c2 : memref<3x4xf32>, memref<6xf32, 1>, memref<1xi32>
  return %r : memref<6xf32>
}

// A transfer past the end is refused like any other access.
// call: @past 8xi32=[1 2 3 4 5 6 7 8] 6
// want: error
func.func @past(%a: memref<8xi32>, %n: index) -> memref<4xi32> {
  %b = memref.alloc() : memref<4xi32>
  %t = memref.alloc() : memref<1xi32>
  affine.dma_start %a[0], %b[0], %t[0], %n : memref<8xi32>, memref<4xi32>, memref<1xi32>
  return %b : memref<4xi32>
}

// Bounds of several results: from the greatest to the least.
// call: @bounds 2 9
// want: i32=18
// call: @bounds -49 100
// want: i32=8
func.func @bounds(%a: index, %b: index) -> i32 {
  %r = affine.parallel (%i, %j) = (max(%a, 3), 0) to (min(7, %b - 1), min(%b, 2, %a + 50)) step (2, 1) reduce ("addi") -> (i32) {
    %0 = arith.index_cast %i : index to i32
    %1 = arith.index_cast %j : index to i32
    %2 = arith.addi %0, %1 : i32
    affine.yield %2 : i32
  }
  return %r : i32
}
