// Sieve of Eratosthenes below 1,000,000 with a fresh mark each time, `reps` times; the sum of the counts of primes.
func.func @run(%reps: i32) -> i32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %root = arith.constant 1000 : index
  %n = arith.constant 1000000 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %marks = arith.constant 255 : i32
  %s = memref.alloc() : memref<1000000xi8>
  %count = scf.for %r = %z to %reps step %one iter_args(%c = %z) -> (i32) : i32 {
    %left = arith.subi %reps, %r : i32
    %m = arith.remui %left, %marks : i32
    %m1 = arith.addi %m, %one : i32
    %t = arith.trunci %m1 : i32 to i8
    scf.for %i = %c2 to %root step %c1 {
      %v = memref.load %s[%i] : memref<1000000xi8>
      %prime = arith.cmpi ne, %v, %t : i8
      scf.if %prime {
        %square = arith.muli %i, %i : index
        scf.for %j = %square to %n step %i {
          memref.store %t, %s[%j] : memref<1000000xi8>
        }
      }
    }
    %found = scf.for %i = %c2 to %n step %c1 iter_args(%k = %c) -> (i32) {
      %v = memref.load %s[%i] : memref<1000000xi8>
      %prime = arith.cmpi ne, %v, %t : i8
      %p = arith.extui %prime : i1 to i32
      %k1 = arith.addi %k, %p : i32
      scf.yield %k1 : i32
    }
    scf.yield %found : i32
  }
  return %count : i32
}
