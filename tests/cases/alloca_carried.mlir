// Stack buffers that outlive their turn: carried as a block argument (two alive at once), in a recursive function, in a loop.
// call: @carried i64=10
// want: i64=55
// call: @carried i64=1
// want: i64=1
// call: @recursive i64=0
// want: i64=0
// call: @recursive i64=20
// want: i64=2870
// call: @swapped i64=3
// want: i64=20 i64=10
// call: @swapped i64=4
// want: i64=10 i64=20
func.func @carried(%n: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %first = memref.alloca() : memref<2xi64>
  memref.store %zero, %first[%c0] : memref<2xi64>
  %end = arith.index_cast %n : i64 to index
  cf.br ^loop(%c0, %first : index, memref<2xi64>)
^loop(%i: index, %old: memref<2xi64>):
  %more = arith.cmpi slt, %i, %end : index
  cf.cond_br %more, ^body, ^done
^body:
  %new = memref.alloca() : memref<2xi64>
  %next = arith.addi %i, %c1 : index
  %k = arith.index_cast %next : index to i64
  %before = memref.load %old[%c0] : memref<2xi64>
  %sum = arith.addi %before, %k : i64
  memref.store %sum, %new[%c0] : memref<2xi64>
  memref.store %zero, %new[%c1] : memref<2xi64>
  cf.br ^loop(%next, %new : index, memref<2xi64>)
^done:
  %r = memref.load %old[%c0] : memref<2xi64>
  return %r : i64
}
func.func @recursive(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %mine = memref.alloca() : memref<i64>
  %square = arith.muli %n, %n : i64
  memref.store %square, %mine[] : memref<i64>
  %stop = arith.cmpi sle, %n, %zero : i64
  %rest = scf.if %stop -> i64 {
    scf.yield %zero : i64
  } else {
    %less = arith.subi %n, %one : i64
    %r = func.call @recursive(%less) : (i64) -> i64
    scf.yield %r : i64
  }
  %kept = memref.load %mine[] : memref<i64>
  %sum = arith.addi %kept, %rest : i64
  return %sum : i64
}
func.func @swapped(%n: i64) -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ten = arith.constant 10 : i64
  %twenty = arith.constant 20 : i64
  %end = arith.index_cast %n : i64 to index
  %a = memref.alloca() : memref<i64>
  %b = memref.alloca() : memref<i64>
  memref.store %ten, %a[] : memref<i64>
  memref.store %twenty, %b[] : memref<i64>
  %r:2 = scf.for %i = %c0 to %end step %c1 iter_args(%x = %a, %y = %b) -> (memref<i64>, memref<i64>) {
    scf.yield %y, %x : memref<i64>, memref<i64>
  }
  %p = memref.load %r#0[] : memref<i64>
  %q = memref.load %r#1[] : memref<i64>
  return %p, %q : i64, i64
}
