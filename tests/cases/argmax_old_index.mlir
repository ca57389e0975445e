// An index that the out holds and that passes a narrower type is changed by every turn, taken or not.
// call: @old_index 4x8xf32=1 4xi64=[-1 1099511627776 5 -7] 4xf32=[2 2 0 2]
// want: 4xf32=[2 2 1 2] 4xi64=[4294967295 0 0 4294967289]
func.func @old_index(%x: tensor<4x8xf32>, %i0: tensor<4xi64>, %v0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>) {
  %r:2 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>, affine_map<(i,j)->(i)>], iterator_types=["parallel","reduction"]} ins(%x: tensor<4x8xf32>) outs(%v0, %i0: tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%a: f32, %v: f32, %p: i64):
    %j = linalg.index 1 : index
    %j32 = arith.index_cast %j : index to i32
    %p32 = arith.trunci %p : i64 to i32
    %c = arith.cmpf ogt, %a, %v : f32
    %nv = arith.select %c, %a, %v : f32
    %np = arith.select %c, %j32, %p32 : i32
    %np64 = arith.extui %np : i32 to i64
    linalg.yield %nv, %np64 : f32, i64 } -> (tensor<4xf32>, tensor<4xi64>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
}
