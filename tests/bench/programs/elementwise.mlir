// Elementwise bodies into a destination that the caller gives.  $N elements.
#id = affine_map<(i) -> (i)>
func.func @add(%a: memref<$Nxf32>, %b: memref<$Nxf32>, %out: memref<$Nxf32>) {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : memref<$Nxf32>, memref<$Nxf32>) outs(%out : memref<$Nxf32>) {
  ^bb0(%x: f32, %y: f32, %unused: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  }
  return
}
func.func @fma3(%a: memref<$Nxf32>, %b: memref<$Nxf32>, %c: memref<$Nxf32>, %out: memref<$Nxf32>) {
  linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b, %c : memref<$Nxf32>, memref<$Nxf32>, memref<$Nxf32>) outs(%out : memref<$Nxf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %unused: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %p, %z : f32
    linalg.yield %r : f32
  }
  return
}
func.func @exp(%a: memref<$Nxf32>, %out: memref<$Nxf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<$Nxf32>) outs(%out : memref<$Nxf32>) {
  ^bb0(%x: f32, %unused: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  }
  return
}
func.func @tanh(%a: memref<$Nxf32>, %out: memref<$Nxf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<$Nxf32>) outs(%out : memref<$Nxf32>) {
  ^bb0(%x: f32, %unused: f32):
    %r = math.tanh %x : f32
    linalg.yield %r : f32
  }
  return
}
func.func @gelu(%a: memref<$Nxf32>, %out: memref<$Nxf32>) {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %sqrt2 = arith.constant 1.41421354 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<$Nxf32>) outs(%out : memref<$Nxf32>) {
  ^bb0(%x: f32, %unused: f32):
    %s = arith.divf %x, %sqrt2 : f32
    %e = math.erf %s : f32
    %p = arith.addf %e, %one : f32
    %h = arith.mulf %p, %half : f32
    %r = arith.mulf %x, %h : f32
    linalg.yield %r : f32
  }
  return
}
func.func @gelupoly(%a: memref<$Nxf32>, %out: memref<$Nxf32>) {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %zero = arith.constant 0.0 : f32
  %k = arith.constant 4.471500e-02 : f32
  %root = arith.constant 0.797884583 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<$Nxf32>) outs(%out : memref<$Nxf32>) {
  ^bb0(%x: f32, %unused: f32):
    %x2 = arith.mulf %x, %x : f32
    %x3 = arith.mulf %x2, %x : f32
    %t = arith.mulf %x3, %k : f32
    %s = arith.addf %x, %t : f32
    %u = arith.mulf %s, %root : f32
    %below = arith.cmpf ult, %u, %minus : f32
    %v = arith.select %below, %minus, %u : f32
    %above = arith.cmpf ugt, %v, %one : f32
    %w = arith.select %above, %one, %v : f32
    %p = arith.addf %w, %one : f32
    %h = arith.mulf %x, %half : f32
    %g = arith.mulf %h, %p : f32
    %neg = arith.cmpf olt, %x, %zero : f32
    %r = arith.select %neg, %w, %g : f32
    linalg.yield %r : f32
  }
  return
}
