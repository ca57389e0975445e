// Naive product of two 128x128 matrices, `reps` times.
func.func @run(%reps: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %n = arith.constant 128 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<128x128xf32>
  %b = memref.alloc() : memref<128x128xf32>
  %c = memref.alloc() : memref<128x128xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %row = arith.muli %i, %n : index
      %at = arith.addi %row, %j : index
      %m7 = arith.remsi %at, %c7 : index
      %m5 = arith.remsi %at, %c5 : index
      %i7 = arith.index_cast %m7 : index to i32
      %i5 = arith.index_cast %m5 : index to i32
      %f7 = arith.sitofp %i7 : i32 to f32
      %f5 = arith.sitofp %i5 : i32 to f32
      memref.store %f7, %a[%i, %j] : memref<128x128xf32>
      memref.store %f5, %b[%i, %j] : memref<128x128xf32>
    }
  }
  scf.for %r = %z to %reps step %one : i32 {
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
          %x = memref.load %a[%i, %k] : memref<128x128xf32>
          %y = memref.load %b[%k, %j] : memref<128x128xf32>
          %xy = arith.mulf %x, %y : f32
          %s = arith.addf %acc, %xy : f32
          scf.yield %s : f32
        }
        memref.store %sum, %c[%i, %j] : memref<128x128xf32>
      }
    }
  }
  %i78 = arith.constant 78 : index
  %i16 = arith.constant 16 : index
  %f = memref.load %c[%i78, %i16] : memref<128x128xf32>
  %result = arith.fptosi %f : f32 to i32
  return %result : i32
}
