// Padding that a constant makes negative traps where it runs, as one that an argument makes so; where it does not run, nothing happens.
// call: @constant 4xi32=[1 2 3 4]
// want: error
// call: @argument 4xi32=[1 2 3 4] i64=-1
// want: error
// call: @argument 4xi32=[1 2 3 4] i64=2
// want: 7xi32=[0 0 1 2 3 4 0]
// call: @not_there 2xi32=[8 9] i1=0
// want: 2xi32=[8 9]
func.func @constant(%t: tensor<4xi32>) -> tensor<?xi32> {
  %z = arith.constant 0 : i32
  %o = arith.constant -1 : index
  %s = arith.constant 1 : index
  %w = tensor.pad %t low[%o] high[%s] {
  ^bb0(%a: index):
    tensor.yield %z : i32
  } : tensor<4xi32> to tensor<?xi32>
  return %w : tensor<?xi32>
}
func.func @argument(%t: tensor<4xi32>, %o: index) -> tensor<?xi32> {
  %z = arith.constant 0 : i32
  %w = tensor.pad %t low[%o] high[1] {
  ^bb0(%a: index):
    tensor.yield %z : i32
  } : tensor<4xi32> to tensor<?xi32>
  return %w : tensor<?xi32>
}
func.func @not_there(%t: tensor<?xi32>, %c: i1) -> tensor<?xi32> {
  %z = arith.constant 0 : i32
  %o = arith.constant -1 : index
  %r = scf.if %c -> tensor<?xi32> {
    %w = tensor.pad %t low[%o] high[%o] {
    ^bb0(%a: index):
      tensor.yield %z : i32
    } : tensor<?xi32> to tensor<?xi32>
    scf.yield %w : tensor<?xi32>
  } else {
    scf.yield %t : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
