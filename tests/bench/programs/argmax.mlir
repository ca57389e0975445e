// argmax of the last dimension, as an importer writes it and after conversion to loops.  $M rows of $N.
#rows = affine_map<(i, j) -> (i, j)>
#kept = affine_map<(i, j) -> (i, 0)>
func.func @generic(%x: tensor<$Mx$Nxf32>) -> (tensor<$Mx1xf32>, tensor<$Mx1xi64>) {
  %lowest = arith.constant -3.40282347E+38 : f32
  %zero = arith.constant 0 : i64
  %ve = tensor.empty() : tensor<$Mx1xf32>
  %ie = tensor.empty() : tensor<$Mx1xi64>
  %v = linalg.fill ins(%lowest : f32) outs(%ve : tensor<$Mx1xf32>) -> tensor<$Mx1xf32>
  %i = linalg.fill ins(%zero : i64) outs(%ie : tensor<$Mx1xi64>) -> tensor<$Mx1xi64>
  %r:2 = linalg.generic {indexing_maps = [#rows, #kept, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<$Mx$Nxf32>) outs(%v, %i : tensor<$Mx1xf32>, tensor<$Mx1xi64>) {
  ^bb0(%e: f32, %best: f32, %at: i64):
    %jx = linalg.index 1 : index
    %j = arith.index_cast %jx : index to i64
    %more = arith.cmpf ogt, %e, %best : f32
    %nv = arith.select %more, %e, %best : f32
    %ni = arith.select %more, %j, %at : i64
    linalg.yield %nv, %ni : f32, i64
  } -> (tensor<$Mx1xf32>, tensor<$Mx1xi64>)
  return %r#0, %r#1 : tensor<$Mx1xf32>, tensor<$Mx1xi64>
}
func.func @scf(%x: memref<$Mx$Nxf32>) -> (memref<$Mx1xf32>, memref<$Mx1xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant $M : index
  %n = arith.constant $N : index
  %zero = arith.constant 0 : i64
  %lowest = arith.constant -3.40282347E+38 : f32
  %at = memref.alloc() {alignment = 64 : i64} : memref<$Mx1xi64>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %c1 step %c1 {
      memref.store %zero, %at[%i, %j] : memref<$Mx1xi64>
    }
  }
  %best = memref.alloc() {alignment = 64 : i64} : memref<$Mx1xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %c1 step %c1 {
      memref.store %lowest, %best[%i, %j] : memref<$Mx1xf32>
    }
  }
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %e = memref.load %x[%i, %j] : memref<$Mx$Nxf32>
      %b = memref.load %best[%i, %c0] : memref<$Mx1xf32>
      %a = memref.load %at[%i, %c0] : memref<$Mx1xi64>
      %k = arith.index_cast %j : index to i64
      %more = arith.cmpf ogt, %e, %b : f32
      %nv = arith.select %more, %e, %b : f32
      %ni = arith.select %more, %k, %a : i64
      memref.store %nv, %best[%i, %c0] : memref<$Mx1xf32>
      memref.store %ni, %at[%i, %c0] : memref<$Mx1xi64>
    }
  }
  return %best, %at : memref<$Mx1xf32>, memref<$Mx1xi64>
}
func.func @affine(%x: memref<$Mx$Nxf32>) -> (memref<$Mx1xf32>, memref<$Mx1xi64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %lowest = arith.constant -3.40282347E+38 : f32
  %at = memref.alloc() {alignment = 64 : i64} : memref<$Mx1xi64>
  affine.for %i = 0 to $M {
    affine.for %j = 0 to 1 {
      affine.store %zero, %at[%i, %j] : memref<$Mx1xi64>
    }
  }
  %best = memref.alloc() {alignment = 64 : i64} : memref<$Mx1xf32>
  affine.for %i = 0 to $M {
    affine.for %j = 0 to 1 {
      affine.store %lowest, %best[%i, %j] : memref<$Mx1xf32>
    }
  }
  affine.for %i = 0 to $M {
    affine.for %j = 0 to $N {
      %e = affine.load %x[%i, %j] : memref<$Mx$Nxf32>
      %b = affine.load %best[%i, %c0] : memref<$Mx1xf32>
      %a = affine.load %at[%i, %c0] : memref<$Mx1xi64>
      %k = arith.index_cast %j : index to i64
      %more = arith.cmpf ogt, %e, %b : f32
      %nv = arith.select %more, %e, %b : f32
      %ni = arith.select %more, %k, %a : i64
      affine.store %nv, %best[%i, %c0] : memref<$Mx1xf32>
      affine.store %ni, %at[%i, %c0] : memref<$Mx1xi64>
    }
  }
  return %best, %at : memref<$Mx1xf32>, memref<$Mx1xi64>
}
