// fib(24) by recursion, `reps` times.
func.func private @fib(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %small = arith.cmpi slt, %n, %two : i32
  %r = scf.if %small -> (i32) {
    scf.yield %n : i32
  } else {
    %n1 = arith.subi %n, %one : i32
    %f1 = func.call @fib(%n1) : (i32) -> i32
    %n2 = arith.subi %n, %two : i32
    %f2 = func.call @fib(%n2) : (i32) -> i32
    %s = arith.addi %f1, %f2 : i32
    scf.yield %s : i32
  }
  return %r : i32
}
func.func @run(%reps: i32) -> i32 {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 24 : i32
  %sum = scf.for %r = %z to %reps step %one iter_args(%s = %z) -> (i32) : i32 {
    %f = func.call @fib(%n) : (i32) -> i32
    %t = arith.addi %s, %f : i32
    scf.yield %t : i32
  }
  return %sum : i32
}
