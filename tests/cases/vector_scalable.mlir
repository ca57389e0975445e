// The size of a scalable vector is not known: refused by name, at its place.
// call: @f 4xf32=[1 2 3 4]
// want: error
func.func @f(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%c0], %zero : memref<4xf32>, vector<[4]xf32>
  %r = vector.reduction <add>, %v : vector<[4]xf32> into f32
  return %r : f32
}
