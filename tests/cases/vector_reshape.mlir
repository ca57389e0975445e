// check: 'vector.reshape' is not supported
// want: error
func.func @f(%v: vector<3x2x4xf32>, %i: index) -> vector<2x3x4xf32> {
  %0 = vector.reshape %v, [%i, %i], [%i, %i], [4] : vector<3x2x4xf32> to vector<2x3x4xf32>
  return %0 : vector<2x3x4xf32>
}
