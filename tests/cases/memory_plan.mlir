// why: Temporaries that share memory: one that was made early and is read first late must read as zero,
//      whoever used its bytes in between; in a loop in every turn.
// call: @late i32=5
// want: i32=0 i32=20
// call: @turns i64=4
// want: i64=0 i64=6
// call: @two_lives i32=3
// want: i32=3 i32=0 i32=9
func.func @late(%x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloca() : memref<4xi32>
  %a = memref.alloca() : memref<4xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<4xi32>)
  %b = memref.alloc() : memref<4xi32>
  memref.copy %a, %b : memref<4xi32> to memref<4xi32>
  %p = memref.load %b[%c0] : memref<4xi32>
  %q = memref.load %b[%c3] : memref<4xi32>
  %pq = arith.addi %p, %q : i32
  %r = arith.addi %pq, %pq : i32
  memref.copy %m, %m : memref<4xi32> to memref<4xi32>
  %z = memref.load %m[%c0] : memref<4xi32>
  return %z, %r : i32, i32
}
func.func @turns(%n: i64) -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %end = arith.index_cast %n : i64 to index
  %r:2 = scf.for %i = %c0 to %end step %c1 iter_args(%seen = %z, %sum = %z) -> (i64, i64) {
    %m = memref.alloc() : memref<4xi64>
    %t = memref.alloc() : memref<4xi64>
    %k = arith.index_cast %i : index to i64
    linalg.fill ins(%k : i64) outs(%t : memref<4xi64>)
    %v = memref.load %t[%c1] : memref<4xi64>
    %old = memref.load %m[%c1] : memref<4xi64>
    memref.store %k, %m[%c1] : memref<4xi64>
    %s = arith.addi %seen, %old : i64
    %w = arith.addi %sum, %v : i64
    scf.yield %s, %w : i64, i64
  }
  return %r#0, %r#1 : i64, i64
}
func.func @two_lives(%x: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xi32>
  %t = memref.alloc() : memref<2xi32>
  memref.store %x, %m[%c0] : memref<2xi32>
  %v = memref.load %m[%c0] : memref<2xi32>
  %sq = arith.muli %v, %v : i32
  memref.store %sq, %t[%c0] : memref<2xi32>
  %w = memref.load %t[%c0] : memref<2xi32>
  %z = memref.load %t[%c1] : memref<2xi32>
  return %v, %z, %w : i32, i32, i32
}
