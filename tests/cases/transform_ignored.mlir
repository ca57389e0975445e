// Schedules of the transform dialect are read as text and do not change the result; an alias in them is their own affair.
#tiles = [4, 8]
module attributes {transform.with_named_sequence} {
// call: @f i32=2147483647
// want: i32=-2147483648
  func.func @f(%a: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %0 = arith.addi %a, %c1 : i32
    return %0 : i32
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly})
      -> !transform.any_op
      attributes {some = #tiles} {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op // not }
    %1, %loops:2 = transform.structured.tile_using_for %0 tile_sizes [4, [8]] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield %1 : !transform.any_op
  }
  transform.named_sequence @declared(!transform.any_op {transform.consumed})
  transform.sequence failures(propagate) {
  ^bb0(%root: !transform.any_op):
    transform.yield
  }
}
