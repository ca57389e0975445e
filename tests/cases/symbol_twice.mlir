// check: '@f' is defined already
// want: error
func.func @f() {
  return
}
func.func @f() {
  return
}
