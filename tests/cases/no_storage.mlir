// Elements without storage are refused, not divided by.
// check: cannot lower 'memref.load': elements of type memref<4xf32>
// want: error
#m = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: memref<8x8xmemref<4xf32>>, %b: memref<8x8xmemref<4xf32>>) {
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%a : memref<8x8xmemref<4xf32>>) outs(%b : memref<8x8xmemref<4xf32>>) {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    linalg.yield %x : memref<4xf32>
  }
  return
}
