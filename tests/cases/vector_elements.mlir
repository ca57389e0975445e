// Vectors as elements have a place in memrefs with strides alone: elsewhere they are refused by name, where they stand.
// check: vector_elements.mlir:6:1: error: 'func.func' has a tensor of vectors
// check: vector_elements.mlir:10:8: error: 'tensor.empty' has a tensor of vectors
// check: vector_elements.mlir:13:1: error: 'func.func' has a tensor of vectors, or a memref of vectors whose layout has no strides
// want: error
func.func @tensor(%a: tensor<4xvector<2xf32>>) {
  return
}
func.func @local() {
  %0 = tensor.empty() : tensor<4xvector<2xf32>>
  return
}
func.func @tiled(%a: memref<4xvector<2xf32>, affine_map<(d0) -> (d0 mod 2)>>) {
  return
}
