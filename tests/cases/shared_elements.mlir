// Elements that several subscripts or several values name: what is rearranged must leave their order alone.
// call: @row_and_whole 64x64xf32=0.37
// want: f32=0.6725618 f32=0.6725618
// call: @rows_share i32=3
// want: 64xi32=[3 12 48 183 669 2370 8202 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 27885 9295 3098 1032 343 113 36 10 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1]
// call: @columns_share i32=3
// want: 64xi32=[3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1]
// call: @one_element i32=3 index=0
// want: 64xi32=[-626668015 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1]
// call: @one_element i32=3 index=1
// want: 64xi32=[3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1]
func.func @row_and_whole(%x: tensor<64x64xf32>) -> (f32, f32) {
  %e = tensor.empty() : tensor<64x64xf32>
  %y = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} ins(%x: tensor<64x64xf32>) outs(%e: tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32 } -> tensor<64x64xf32>
  %e3 = tensor.empty() : tensor<64x64x64xf32>
  %z = linalg.generic {indexing_maps=[affine_map<(i,j,k)->(i,j)>, affine_map<(i,j,k)->(j,k)>, affine_map<(i,j,k)->(i,j)>, affine_map<(i,j,k)->(i,j,k)>], iterator_types=["parallel","parallel","parallel"]} ins(%y, %x, %x: tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) outs(%e3: tensor<64x64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.mulf %s, %d : f32
    linalg.yield %t : f32 } -> tensor<64x64x64xf32>
  %i9 = arith.constant 9 : index
  %i63 = arith.constant 63 : index
  %p = tensor.extract %z[%i9, %i63, %i9] : tensor<64x64x64xf32>
  %q = tensor.extract %z[%i63, %i63, %i63] : tensor<64x64x64xf32>
  return %p, %q : f32, f32
}
func.func @rows_share(%n: i32) -> (memref<64xi32>) {
  %m = memref.alloc() : memref<64xi32>
  %c1 = arith.constant 1 : i32
  linalg.fill ins(%c1 : i32) outs(%m : memref<64xi32>)
  %v = memref.reinterpret_cast %m to offset: [0], sizes: [32,8], strides: [1,1] : memref<64xi32> to memref<32x8xi32, strided<[1,1]>>
  linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} outs(%v: memref<32x8xi32, strided<[1,1]>>) {
  ^bb0(%o: i32):
    %i = linalg.index 1 : index
    %i32 = arith.index_cast %i : index to i32
    %a = arith.muli %o, %n : i32
    %b = arith.addi %a, %i32 : i32
    linalg.yield %b : i32 }
  return %m : memref<64xi32>
}
func.func @columns_share(%n: i32) -> (memref<64xi32>) {
  %m = memref.alloc() : memref<64xi32>
  %c1 = arith.constant 1 : i32
  linalg.fill ins(%c1 : i32) outs(%m : memref<64xi32>)
  %v = memref.reinterpret_cast %m to offset: [0], sizes: [2,32], strides: [16,1] : memref<64xi32> to memref<2x32xi32, strided<[16,1]>>
  linalg.generic {indexing_maps=[affine_map<(i,j)->(j,i)>], iterator_types=["parallel","parallel"]} outs(%v: memref<2x32xi32, strided<[16,1]>>) {
  ^bb0(%o: i32):
    %i = linalg.index 1 : index
    %i32 = arith.index_cast %i : index to i32
    %a = arith.muli %o, %n : i32
    %b = arith.addi %a, %i32 : i32
    linalg.yield %b : i32 }
  return %m : memref<64xi32>
}
func.func @one_element(%n: i32, %s: index) -> (memref<64xi32>) {
  %m = memref.alloc() : memref<64xi32>
  %c1 = arith.constant 1 : i32
  linalg.fill ins(%c1 : i32) outs(%m : memref<64xi32>)
  %v = memref.reinterpret_cast %m to offset: [0], sizes: [32], strides: [%s] : memref<64xi32> to memref<32xi32, strided<[?]>>
  linalg.generic {indexing_maps=[affine_map<(i)->(i)>], iterator_types=["parallel"]} outs(%v: memref<32xi32, strided<[?]>>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %i32 = arith.index_cast %i : index to i32
    %a = arith.muli %o, %n : i32
    %b = arith.addi %a, %i32 : i32
    linalg.yield %b : i32 }
  return %m : memref<64xi32>
}
