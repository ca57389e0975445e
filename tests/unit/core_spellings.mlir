// Older and newer spellings than LLVM 19's that mean the same: test_dialects reads them and finds today's ops.
func @old_func(%a: f32, %b: f32, %c: i1) -> f32 {
  %0 = arith.maxf %a, %b : f32
  %1 = arith.minf %a, %b : f32
  %2 = "arith.cmpf"(%a, %b) {predicate = 2 : i64} : (f32, f32) -> i1
  %3 = "arith.addf"(%0, %1) {fastmath = #arith.fastmath<none>} : (f32, f32) -> f32
  return %3 : f32
}
func.func @reduces(%n: index, %x: f32) -> (f32, f32) {
  %c1 = arith.constant 1 : index
  %0:2 = scf.parallel (%i) = (%n) to (%n) step (%c1) init (%x, %x) -> (f32, f32) {
    scf.reduce(%x) : f32 {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      scf.reduce.return %s : f32
    }
    scf.reduce(%x) : f32 {
    ^bb0(%l: f32, %r: f32):
      %s = arith.mulf %l, %r : f32
      scf.reduce.return %s : f32
    }
  }
  scf.parallel (%i) = (%n) to (%n) step (%c1) {
    scf.yield
  }
  return %0#0, %0#1 : f32, f32
}
func.func @foreach(%n: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  scf.foreach_thread (%i) in (%n) {
    scf.foreach_thread.perform_concurrently {
    }
  }
  %0 = scf.foreach_thread (%i) in (%n) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.foreach_thread.perform_concurrently {
    }
  }
  return %0 : tensor<4xf32>
}
func.func @newer(%a: f32, %i: i32, %c: i1, %u: index) {
  %0:2 = math.sincos %a : f32
  %1 = math.clampf %a to [%a, %a] : f32
  %2 = arith.extui %i nneg : i32 to i64
  %3 = arith.trunci %i overflow<nsw> : i32 to i8
  scf.for unsigned %k = %u to %u step %u {
  }
  %4 = arith.truncf %a to_nearest_away : f32 to f16
  %5 = arith.shrui %i, %i exact : i32
  cf.cond_br %c weights([1, 2]), ^bb1, ^bb1
^bb1:
  return
}
func.func @checks(%a: tensor<2xf32>, %i: i32) {
  %0 = util.unfoldable_constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = util.optimization_barrier %0 : tensor<2xf32>
  check.expect_eq(%a, %1) : tensor<2xf32>
  check.expect_eq_const(%a, dense<1.0> : tensor<2xf32>) : tensor<2xf32>
  check.expect_almost_eq(%a, %1, atol 1.0e-2, rtol 1.e-3) : tensor<2xf32>
  check.expect_almost_eq_const(%a, dense<[0.999999, 2.0]> : tensor<2xf32>) : tensor<2xf32>
  check.expect_true(%i) : i32
  check.expect_false(%i) : i32
  return
}
