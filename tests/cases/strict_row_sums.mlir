// sums in loop order; expected values by tests/golden/strict_order.py
// call: @run
// want: 37xf32=[3.7125905e+00 3.331034e+00 2.9291523e+00 -4.132177e+00 2.3496299e+00 5.8082825e-01 1.5257772e+00 6.343745e+00 -2.86434e+00 1.3039136e+00 5.6327033e+00 -3.212561e+00 2.7017064e+00 -6.982096e-01 1.1913426e+01 -5.8682525e-01 -1.0601834e+01 3.6976068e+00 1.1112387e+00 4.2262883e+00 3.377367e+00 -5.111692e+00 -1.11046195e-01 2.5655675e+00 6.9463706e+00 4.9354916e+00 4.9167843e+00 -1.3374976e+00 -2.1059349e+00 1.8757195e+00 -6.8974996e+00 -1.8266029e+00 -3.710189e+00 -2.0516312e+00 3.0920386e+00 -6.5620556e+00 4.3274105e-01]
func.func private @noise(%index: i32, %salt: i32) -> f32 {
  %a = arith.constant -1640531535 : i32
  %b = arith.constant -2048144777 : i32
  %c15 = arith.constant 15 : i32
  %c13 = arith.constant 13 : i32
  %c8 = arith.constant 8 : i32
  %scale = arith.constant 5.9604644775390625e-08 : f32
  %half = arith.constant 5.0e-01 : f32
  %h0 = arith.muli %index, %a : i32
  %h1 = arith.addi %h0, %salt : i32
  %h2 = arith.shrui %h1, %c15 : i32
  %h3 = arith.xori %h1, %h2 : i32
  %h4 = arith.muli %h3, %b : i32
  %h5 = arith.shrui %h4, %c13 : i32
  %h6 = arith.xori %h4, %h5 : i32
  %h7 = arith.shrui %h6, %c8 : i32
  %f0 = arith.uitofp %h7 : i32 to f32
  %f1 = arith.mulf %f0, %scale : f32
  %f2 = arith.subf %f1, %half : f32
  return %f2 : f32
}
func.func @run() -> tensor<37xf32> {
  %zero = arith.constant 0.0 : f32
  %salt_x = arith.constant 5 : i32
  %x_e = tensor.empty() : tensor<37x301xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%x_e : tensor<37x301xf32>) {
  ^bb0(%u: f32):
    %n0 = arith.constant 0 : index
    %i0 = linalg.index 0 : index
    %s0 = arith.constant 37 : index
    %m0 = arith.muli %n0, %s0 : index
    %n1 = arith.addi %m0, %i0 : index
    %i1 = linalg.index 1 : index
    %s1 = arith.constant 301 : index
    %m1 = arith.muli %n1, %s1 : index
    %n2 = arith.addi %m1, %i1 : index
    %w = arith.index_cast %n2 : index to i32
    %f = func.call @noise(%w, %salt_x) : (i32, i32) -> f32
    linalg.yield %f : f32
  } -> tensor<37x301xf32>
  %e = tensor.empty() : tensor<37xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<37xf32>) -> tensor<37xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<37x301xf32>) outs(%z : tensor<37xf32>) {
  ^bb0(%v: f32, %s: f32):
    %n = arith.addf %s, %v : f32
    linalg.yield %n : f32
  } -> tensor<37xf32>
  return %r : tensor<37xf32>
}
