// A producer that moves into its consumer takes the check of its size along.
// call: @moved 4xf32=1 index=4
// want: 4xf32=[3.5 3.5 3.5 3.5]
// call: @moved 4xf32=1 index=2
// want: error
// call: @moved 4xf32=1 index=6
// want: error
// call: @computed 4xf32=1 4xf32=0.3 index=4
// want: 4xf32=[1.09 1.09 1.09 1.09]
// call: @computed 4xf32=1 4xf32=0.3 index=6
// want: error
// call: @computed 4xf32=1 4xf32=0.3 index=3
// want: error
func.func @moved(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c = arith.constant 2.5 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %p = linalg.fill ins(%c : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %q = linalg.generic {indexing_maps=[affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%p: tensor<?xf32>) outs(%t: tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32 } -> tensor<?xf32>
  return %q : tensor<?xf32>
}
func.func @computed(%t: tensor<?xf32>, %x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %p = linalg.generic {indexing_maps=[affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%x: tensor<?xf32>) outs(%e: tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32 } -> tensor<?xf32>
  %q = linalg.generic {indexing_maps=[affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%p: tensor<?xf32>) outs(%t: tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32 } -> tensor<?xf32>
  return %q : tensor<?xf32>
}
