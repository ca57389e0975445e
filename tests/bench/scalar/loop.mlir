// acc = (acc + j) ^ i, 10,000 turns of j for each i.
func.func @run(%outer: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 10000 : i32
  %r = scf.for %i = %c0 to %outer step %c1 iter_args(%a = %c1) -> (i32) : i32 {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (i32) : i32 {
      %t = arith.addi %b, %j : i32
      %u = arith.xori %t, %i : i32
      scf.yield %u : i32
    }
    scf.yield %s : i32
  }
  return %r : i32
}
