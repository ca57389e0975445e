#map = affine_map<(d0, d1) -> (d0 + d1)>
#set = affine_set<(d0)[s0] : (d0 - 10 >= 0, s0 - d0 == 0)>
memref.global "private" constant @g0 : memref<2xf32> = dense<[1.0, 2.0]>
memref.global "private" @g1 : memref<2x2xf32> = uninitialized {alignment = 64 : i64}
memref.global @g2 : memref<2xi1>
func.func @memref(%n: index, %m: memref<?x?xf32>, %f: f32, %b: memref<2048xi8>, %u: memref<*xf32>, %sh: memref<2xindex>, %st: memref<4x8xf32, strided<[8, 1], offset: ?>>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = memref.alloc() : memref<4x8xf32>
  %1 = memref.alloc(%n, %n) {alignment = 64 : i64} : memref<?x?xf32>
  %2 = memref.alloca(%n) : memref<4x?xi32>
  %3 = memref.alloc(%n)[%n] : memref<?x4xf32, affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>>
  memref.dealloc %0 : memref<4x8xf32>
  %4 = memref.load %m[%n, %c0] : memref<?x?xf32>
  memref.store %f, %m[%n, %c0] : memref<?x?xf32>
  memref.store %f, %m[%n, %c0] {nontemporal = true} : memref<?x?xf32>
  memref.copy %m, %1 : memref<?x?xf32> to memref<?x?xf32>
  %5 = memref.dim %m, %c0 : memref<?x?xf32>
  %6 = memref.rank %u : memref<*xf32>
  %7 = memref.cast %m : memref<?x?xf32> to memref<4x?xf32>
  %8 = memref.cast %m : memref<?x?xf32> to memref<*xf32>
  %9 = memref.subview %m[%n, 0] [4, %n] [1, 2] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 2], offset: ?>>
  %10 = memref.subview %0[1, 2] [1, 4] [1, 1] : memref<4x8xf32> to memref<4xf32, strided<[1], offset: 10>>
  %11 = memref.reinterpret_cast %m to offset: [%n], sizes: [4, %n], strides: [%n, 1] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %12 = memref.expand_shape %0 [[0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xf32> into memref<2x2x8xf32>
  %13 = memref.collapse_shape %0 [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %14 = memref.transpose %m (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
  %15 = memref.view %b[%n][%n] : memref<2048xi8> to memref<?x4xf32>
  %16 = memref.get_global @g0 : memref<2xf32>
  %17 = memref.reshape %0(%sh) : (memref<4x8xf32>, memref<2xindex>) -> memref<?x?xf32>
  %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  %18 = memref.extract_aligned_pointer_as_index %m : memref<?x?xf32> -> index
  memref.assume_alignment %m, 16 : memref<?x?xf32>
  memref.prefetch %m[%n, %n], read, locality<3>, data : memref<?x?xf32>
  memref.prefetch %m[%n, %n], write, locality<1>, instr : memref<?x?xf32>
  %19 = memref.atomic_rmw addf %f, %m[%n, %n] : (f32, memref<?x?xf32>) -> f32
  %20 = memref.generic_atomic_rmw %m[%n, %n] : memref<?x?xf32> {
  ^bb0(%cur: f32):
    %x = arith.addf %cur, %f : f32
    memref.atomic_yield %x : f32
  }
  %21 = memref.alloca_scope -> (f32) {
    %t = memref.alloca() : memref<4xf32>
    memref.alloca_scope.return %f : f32
  }
  memref.alloca_scope {
    %t = memref.alloca() : memref<4xf32>
    memref.alloca_scope.return
  }
  %22 = memref.memory_space_cast %m : memref<?x?xf32> to memref<?x?xf32, 5>
  %h = memref.alloc(%n) : memref<?xf32>
  %23 = memref.realloc %h(%n) : memref<?xf32> to memref<?xf32>
  %24 = memref.realloc %h : memref<?xf32> to memref<100xf32>
  %25 = memref.expand_shape %7 [[0, 1], [2]] output_shape [2, 2, %n] : memref<4x?xf32> into memref<2x2x?xf32>
  return %4 : f32
}
func.func @tensor(%n: index, %t: tensor<?x4xf32>, %f: f32, %u: tensor<*xf32>, %sh: tensor<2xindex>, %s4: tensor<4x4xf32>, %idx: tensor<3x1xindex>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.empty(%n) : tensor<?x4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = tensor.dim %t, %c0 : tensor<?x4xf32>
  %3 = tensor.rank %u : tensor<*xf32>
  %4 = tensor.cast %t : tensor<?x4xf32> to tensor<3x4xf32>
  %5 = tensor.extract %t[%n, %c0] : tensor<?x4xf32>
  %6 = tensor.insert %f into %t[%n, %c0] : tensor<?x4xf32>
  %7 = tensor.from_elements %f, %f : tensor<2xf32>
  %8 = tensor.splat %f : tensor<2x2xf32>
  %9 = tensor.splat %f[%n] : tensor<?x2xf32>
  %10 = tensor.generate %n {
  ^bb0(%i : index, %j : index):
    %e = tensor.extract %t[%i, %j] : tensor<?x4xf32>
    tensor.yield %e : f32
  } : tensor<?x4xf32>
  %11 = tensor.pad %t low[1, %n] high[%n, 2] {
  ^bb0(%i : index, %j : index):
    tensor.yield %f : f32
  } : tensor<?x4xf32> to tensor<?x?xf32>
  %12 = tensor.pad %s4 nofold low[0, 0] high[1, 2] {
  ^bb0(%i : index, %j : index):
    tensor.yield %f : f32
  } {foo} : tensor<4x4xf32> to tensor<5x6xf32>
  %13 = tensor.concat dim(0) %s4, %s4 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %14 = tensor.extract_slice %t[0, %n] [%n, 1] [1, 1] : tensor<?x4xf32> to tensor<?xf32>
  %15 = tensor.insert_slice %14 into %t[0, %n] [%n, 1] [1, 1] : tensor<?xf32> into tensor<?x4xf32>
  %16 = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, %n, 4] : tensor<?x4xf32> into tensor<2x?x4xf32>
  %17 = tensor.collapse_shape %t [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %18 = tensor.reshape %t(%sh) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %19 = tensor.bitcast %s4 : tensor<4x4xf32> to tensor<4x4xi32>
  %20 = tensor.gather %s4[%idx] gather_dims([0]) unique : (tensor<4x4xf32>, tensor<3x1xindex>) -> tensor<3x1x4xf32>
  %21 = tensor.scatter %20 into %s4[%idx] scatter_dims([0]) unique : (tensor<3x1x4xf32>, tensor<4x4xf32>, tensor<3x1xindex>) -> tensor<4x4xf32>
  %22 = tensor.empty() : tensor<2x2x2x2xf32>
  %23 = tensor.pack %s4 inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %22 : tensor<4x4xf32> -> tensor<2x2x2x2xf32>
  %24 = tensor.unpack %23 outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %s4 : tensor<2x2x2x2xf32> -> tensor<4x4xf32>
  %25 = tensor.empty(%n, %n, %n) : tensor<?x2x?x?xf32>
  %26 = tensor.pack %s4 padding_value(%f : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [%n, %n] into %25 : tensor<4x4xf32> -> tensor<?x2x?x?xf32>
  return %t : tensor<?x4xf32>
}
func.func @affine(%n: index, %m: memref<?x10xf32>, %f: f32) -> f32 {
  %0 = affine.apply #map(%n, %n)
  %1 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 4 + s0 mod 3)>(%0)[%n]
  %2 = affine.min affine_map<(d0)[s0] -> (d0, s0, 100)>(%0)[%n]
  %3 = affine.max affine_map<(d0) -> (d0 ceildiv 2, 7)>(%0)
  affine.for %i = 0 to 10 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n step 2 {
      affine.for %k = max affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n] to min affine_map<(d0) -> (d0 + 1, 10)>(%j) {
        %x = affine.load %m[%i + 1, %j * 2 - 3] : memref<?x10xf32>
        affine.store %x, %m[%i, symbol(%n)] : memref<?x10xf32>
      }
    }
  }
  %r:2 = affine.for %i = 0 to 10 iter_args(%a = %f, %b = %f) -> (f32, f32) {
    %s = arith.addf %a, %b : f32
    affine.yield %s, %a : f32, f32
  }
  affine.for %i = 0 to 10 {
    affine.if #set(%i)[%n] {
      affine.store %f, %m[%i, 0] : memref<?x10xf32>
    } else {
      affine.store %f, %m[0, 0] : memref<?x10xf32>
    }
    %y = affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%i) -> f32 {
      affine.yield %f : f32
    } else {
      %z = affine.load %m[0, 0] : memref<?x10xf32>
      affine.yield %z : f32
    }
  }
  affine.parallel (%i, %j) = (0, 0) to (%n, 10) step (1, 2) {
    affine.store %f, %m[%i, %j] : memref<?x10xf32>
  }
  %p = affine.parallel (%i, %j) = (0, 0) to (10, 10) reduce ("addf") -> (f32) {
    %x = affine.load %m[%i, %j] : memref<?x10xf32>
    affine.yield %x : f32
  }
  %d:2 = affine.delinearize_index %n into (%0, %1) : index, index
  return %p : f32
}
func.func @buf(%t: tensor<4xf32>, %m: memref<4xf32>, %c: i1, %n: index) -> tensor<4xf32> {
  %0 = bufferization.to_tensor %m : memref<4xf32>
  %1 = bufferization.to_tensor %m restrict writable : memref<4xf32>
  %2 = bufferization.to_memref %t : memref<4xf32>
  %3 = bufferization.to_memref %t read_only : memref<4xf32, strided<[?], offset: ?>>
  %4 = bufferization.alloc_tensor() : tensor<4xf32>
  %5 = bufferization.alloc_tensor(%n) size_hint=%n : tensor<?xf32>
  %6 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  %7 = bufferization.alloc_tensor() copy(%t) {memory_space = 1 : i64} : tensor<4xf32>
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  %8 = bufferization.materialize_in_destination %t in %6 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %9 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  bufferization.dealloc_tensor %4 : tensor<4xf32>
  %10 = bufferization.dealloc (%m, %9 : memref<4xf32>, memref<4xf32>) if (%c, %c) retain (%2 : memref<4xf32>)
  return %8 : tensor<4xf32>
}
func.func @lin(%t: tensor<4x4xf32>, %v: tensor<4xf32>, %m: memref<4x4xf32>, %f: f32) -> tensor<4x4xf32> {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "reduction"]} ins(%t, %f : tensor<4x4xf32>, f32) outs(%v, %t : tensor<4xf32>, tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %i = linalg.index 1 : index
    linalg.yield %a, %b : f32, f32
  } -> (tensor<4xf32>, tensor<4x4xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m : memref<4x4xf32>) outs(%m : memref<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return %r#1 : tensor<4x4xf32>
}
