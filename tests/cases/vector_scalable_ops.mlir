// check: 'vector.vscale'
// want: error
func.func @f(%v: vector<4xf32>, %w: vector<[4]xf32>) -> (index, vector<4xf32>) {
  %0 = vector.vscale
  %1 = vector.scalable.insert %v, %w[0] : vector<4xf32> into vector<[4]xf32>
  %2 = vector.scalable.extract %1[0] : vector<4xf32> from vector<[4]xf32>
  return %0, %2 : index, vector<4xf32>
}
