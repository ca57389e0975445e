// Values in the body of a module, where they may be used before they are made: refused before any pass.
// check: module_values.mlir:4:6: error: cannot lower 'math.roundeven': it has no meaning at the top of a module
// want: error
%a = math.roundeven %a : tensor<4xf32>
func.func @f() {
  return
}
