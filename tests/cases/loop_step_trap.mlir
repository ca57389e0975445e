// A step that is not positive traps, whatever the bounds: where all are constants too.
// call: @constants
// want: error
// call: @arguments i64=10 i64=0 i64=-3
// want: error
// call: @arguments i64=10 i64=0 i64=3
// want: i64=7
func.func @constants() -> index {
  %lower = arith.constant 10 : index
  %upper = arith.constant 0 : index
  %step = arith.constant -3 : index
  %z = arith.constant 7 : index
  %r = scf.for %i = %lower to %upper step %step iter_args(%n = %z) -> index {
    scf.yield %i : index
  }
  return %r : index
}
func.func @arguments(%lower: index, %upper: index, %step: index) -> index {
  %z = arith.constant 7 : index
  %r = scf.for %i = %lower to %upper step %step iter_args(%n = %z) -> index {
    scf.yield %i : index
  }
  return %r : index
}
