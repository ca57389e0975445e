// Steps of the Collatz sequences that start at 2 to 9,999, `reps` times.
func.func @run(%reps: i32) -> i32 {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %n = arith.constant 10000 : i32
  %total = scf.for %r = %z to %reps step %one iter_args(%c = %z) -> (i32) : i32 {
    %all = scf.for %i = %two to %n step %one iter_args(%d = %c) -> (i32) : i32 {
      %w:2 = scf.while (%v = %i, %steps = %d) : (i32, i32) -> (i32, i32) {
        %bit = arith.andi %v, %one : i32
        %odd = arith.cmpi ne, %bit, %z : i32
        %next = scf.if %odd -> (i32) {
          %v3 = arith.muli %v, %three : i32
          %v31 = arith.addi %v3, %one : i32
          scf.yield %v31 : i32
        } else {
          %half = arith.shrui %v, %one : i32
          scf.yield %half : i32
        }
        %steps1 = arith.addi %steps, %one : i32
        %more = arith.cmpi ne, %next, %one : i32
        scf.condition(%more) %next, %steps1 : i32, i32
      } do {
      ^bb0(%v: i32, %steps: i32):
        scf.yield %v, %steps : i32, i32
      }
      scf.yield %w#1 : i32
    }
    scf.yield %all : i32
  }
  return %total : i32
}
