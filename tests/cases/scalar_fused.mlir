// What scalar loops and calls become: carried values that change places, ends of loops, calls, bounds, NaN in jumps.
// call: @swap i64=0
// want: i64=1 i64=2
// call: @swap i64=1
// want: i64=2 i64=1
// call: @swap i64=2
// want: i64=1 i64=2
// call: @swap i64=5
// want: i64=2 i64=1
// call: @swap i64=8
// want: i64=1 i64=2
// call: @rotate i64=0
// want: i64=1 i64=10 i64=100
// call: @rotate i64=1
// want: i64=10 i64=100 i64=11
// call: @rotate i64=4
// want: i64=110 i64=111 i64=121
// call: @rotate i64=10
// want: i64=453 i64=574 i64=795
// call: @before i32=0
// want: i32=7 i32=0
// call: @before i32=3
// want: i32=194 i32=64
// call: @before i32=60
// want: i32=-1461308123 i32=944553038
// call: @collatz i64=1
// want: i64=0 i64=1
// call: @collatz i64=7
// want: i64=16 i64=52
// call: @collatz i64=27
// want: i64=111 i64=9232
// call: @collatz i64=97
// want: i64=118 i64=9232
// call: @ifs i64=0
// want: i64=3 i64=4
// call: @ifs i64=1
// want: i64=7 i64=4
// call: @ifs i64=2
// want: i64=4 i64=7
// call: @ifs i64=9
// want: i64=47 i64=29
// call: @argument i64=0
// want: i64=0 i64=0
// call: @argument i64=5
// want: i64=134 i64=5
// call: @fib32 i32=0
// want: i32=0
// call: @fib64 i64=0
// want: i64=0
// call: @fib32 i32=1
// want: i32=1
// call: @fib64 i64=1
// want: i64=1
// call: @fib32 i32=15
// want: i32=610
// call: @fib64 i64=15
// want: i64=610
// call: @fact i32=5
// want: i32=120
// call: @fact i32=13
// want: i32=1932053504
// call: @sum i64=0 i64=4
// want: i64=100
// call: @sum i64=1 i64=4
// want: i64=90
// call: @sum i64=0 i64=5
// want: error
// call: @sum i64=-1 i64=3
// want: error
// call: @sum i64=4 i64=4
// want: i64=0
// call: @column i64=0
// want: i32=5
// call: @column i64=2
// want: i32=9
// call: @column i64=3
// want: error
// call: @column i64=-1
// want: error
// call: @order f32=1 f32=2
// want: i32=1 i32=1
// call: @order f32=2 f32=1
// want: i32=2 i32=2
// call: @order f32=nan f32=1
// want: i32=2 i32=1
// call: @order f32=1 f32=nan
// want: i32=2 i32=1
// call: @order f32=0 f32=-0
// want: i32=2 i32=2
// call: @order f32=inf f32=nan
// want: i32=2 i32=1
// call: @order f32=-inf f32=inf
// want: i32=1 i32=1
memref.global "private" constant @g : memref<4xi64> = dense<[10, 20, 30, 40]>
memref.global "private" constant @h : memref<2x3xi32> = dense<[[1, 2, 3], [4, 5, 6]]>
func.func @swap(%n: i64) -> (i64, i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c1, %b = %c2) -> (i64, i64) : i64 {
    scf.yield %b, %a : i64, i64
  }
  return %r#0, %r#1 : i64, i64
}
func.func @rotate(%n: i64) -> (i64, i64, i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c10 = arith.constant 10 : i64
  %c100 = arith.constant 100 : i64
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c1, %b = %c10, %c = %c100) -> (i64, i64, i64) : i64 {
    %s = arith.addi %a, %b : i64
    scf.yield %b, %c, %s : i64, i64, i64
  }
  return %r#0, %r#1, %r#2 : i64, i64, i64
}
func.func @before(%n: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c7 = arith.constant 7 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c7, %p = %c0) -> (i32, i32) : i32 {
    %t = arith.muli %x, %c3 : i32
    %y = arith.addi %i, %t : i32
    scf.yield %y, %x : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
func.func @collatz(%n: i64) -> (i64, i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %r:3 = scf.while (%v = %n, %steps = %c0, %most = %n) : (i64, i64, i64) -> (i64, i64, i64) {
    %more = arith.cmpi ne, %v, %c1 : i64
    scf.condition(%more) %v, %steps, %most : i64, i64, i64
  } do {
  ^bb0(%v: i64, %steps: i64, %most: i64):
    %bit = arith.andi %v, %c1 : i64
    %even = arith.cmpi eq, %bit, %c0 : i64
    %w = scf.if %even -> (i64) {
      %half = arith.divui %v, %c2 : i64
      scf.yield %half : i64
    } else {
      %t = arith.muli %v, %c3 : i64
      %u = arith.addi %t, %c1 : i64
      scf.yield %u : i64
    }
    %s = arith.addi %steps, %c1 : i64
    %gt = arith.cmpi sgt, %w, %most : i64
    %m = arith.select %gt, %w, %most : i64
    scf.yield %w, %s, %m : i64, i64, i64
  }
  return %r#1, %r#2 : i64, i64
}
func.func @ifs(%n: i64) -> (i64, i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c3, %b = %c4) -> (i64, i64) : i64 {
    %bit = arith.andi %c1, %i : i64
    %odd = arith.cmpi ne, %c0, %bit : i64
    %q:2 = scf.if %odd -> (i64, i64) {
      scf.yield %b, %a : i64, i64
    } else {
      %s = arith.addi %a, %b : i64
      scf.yield %s, %b : i64, i64
    }
    scf.yield %q#0, %q#1 : i64, i64
  }
  return %r#0, %r#1 : i64, i64
}
func.func @argument(%n: i64) -> (i64, i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %n) -> (i64) : i64 {
    %t = arith.muli %x, %c2 : i64
    %u = arith.subi %t, %i : i64
    scf.yield %u : i64
  }
  return %r, %n : i64, i64
}
func.func @fib32(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %small = arith.cmpi slt, %n, %c2 : i32
  %r = scf.if %small -> (i32) {
    scf.yield %n : i32
  } else {
    %a = arith.subi %n, %c1 : i32
    %x = func.call @fib32(%a) : (i32) -> i32
    %b = arith.subi %n, %c2 : i32
    %y = func.call @fib32(%b) : (i32) -> i32
    %s = arith.addi %x, %y : i32
    scf.yield %s : i32
  }
  return %r : i32
}
func.func @fib64(%n: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %m1 = arith.constant -1 : i64
  %small = arith.cmpi slt, %n, %c2 : i64
  cf.cond_br %small, ^leaf(%n : i64), ^inner
^leaf(%v: i64):
  return %v : i64
^inner:
  %a = arith.subi %n, %c1 : i64
  %x = func.call @fib64(%a) : (i64) -> i64
  %b = arith.addi %a, %m1 : i64
  %y = func.call @fib64(%b) : (i64) -> i64
  %s = arith.addi %x, %y : i64
  return %s : i64
}
func.func @fact(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %small = arith.cmpi slt, %n, %c2 : i32
  cf.cond_br %small, ^leaf, ^inner
^leaf:
  return %c1 : i32
^inner:
  %a = arith.subi %n, %c1 : i32
  %x = func.call @fact(%a) : (i32) -> i32
  %p = arith.muli %x, %n : i32
  return %p : i32
}
func.func @sum(%lo: i64, %hi: i64) -> i64 {
  %m = memref.get_global @g : memref<4xi64>
  %l = arith.index_cast %lo : i64 to index
  %h = arith.index_cast %hi : i64 to index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %r = scf.for %i = %l to %h step %c1 iter_args(%s = %z) -> (i64) {
    %v = memref.load %m[%i] : memref<4xi64>
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  }
  return %r : i64
}
func.func @column(%j: i64) -> i32 {
  %m = memref.get_global @h : memref<2x3xi32>
  %k = arith.index_cast %j : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %z) -> (i32) {
    %v = memref.load %m[%i, %k] : memref<2x3xi32>
    %t = arith.addi %s, %v : i32
    scf.yield %t : i32
  }
  return %r : i32
}
func.func @order(%a: f32, %b: f32) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %lt = arith.cmpf olt, %a, %b : f32
  %r = scf.if %lt -> (i32) {
    scf.yield %c1 : i32
  } else {
    scf.yield %c2 : i32
  }
  %ult = arith.cmpf ult, %a, %b : f32
  cf.cond_br %ult, ^yes, ^no
^yes:
  return %r, %c1 : i32, i32
^no:
  return %r, %c2 : i32, i32
}
