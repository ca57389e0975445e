// Index of the largest of 1,000,000 numbers from a linear congruence, by a branch; the sum of `reps` searches.
func.func @run(%reps: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seed = arith.constant 12345 : i32
  %mul = arith.constant 1664525 : i32
  %inc = arith.constant 1013904223 : i32
  %eight = arith.constant 8 : i32
  %least = arith.constant 0xFF800000 : f32
  %p = memref.alloc() : memref<1000000xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %seed) -> (i32) {
    %y = arith.muli %x, %mul : i32
    %w = arith.addi %y, %inc : i32
    %h = arith.shrsi %w, %eight : i32
    %v = arith.sitofp %h : i32 to f32
    memref.store %v, %p[%i] : memref<1000000xf32>
    scf.yield %w : i32
  }
  %sum = scf.for %r = %z to %reps step %one iter_args(%s = %z) -> (i32) : i32 {
    %m:2 = scf.for %i = %c0 to %n step %c1 iter_args(%max = %least, %idx = %c0) -> (f32, index) {
      %v = memref.load %p[%i] : memref<1000000xf32>
      %gt = arith.cmpf ogt, %v, %max : f32
      %b:2 = scf.if %gt -> (f32, index) {
        scf.yield %v, %i : f32, index
      } else {
        scf.yield %max, %idx : f32, index
      }
      scf.yield %b#0, %b#1 : f32, index
    }
    %k = arith.index_cast %m#1 : index to i32
    %t = arith.addi %s, %k : i32
    scf.yield %t : i32
  }
  return %sum : i32
}
