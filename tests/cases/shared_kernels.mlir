// Kernels that are long enough to be shared among threads: product, sums of columns, argmax by rows, a copy that transposes.
// Expected values: the -O0 loops.
// call: @run
// want: 8xf32=[53.43945 18.448822 -26.247166 -65.51627 -28.513704 -38.513634 16.458372 33.723602] 8xf32=[3.1687891 3.42452 2.1644318 2.2375753 2.7468998 2.4128978 3.3758752 3.2722316] 8xi32=[87 510 284 325 14 403 352 627] 8xf32=[2.09787 0.3517296 -1.0813605 -2.3626168 0.8170128 -1.2359546 -1.0604724 0.20175439]
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
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
func.func @run() -> (tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f32
  %zi = arith.constant 0 : i32
  %s1 = arith.constant 1 : i32
  %s2 = arith.constant 2 : i32
  %ea = tensor.empty() : tensor<1031x97xf32>
  %a = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%ea : tensor<1031x97xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %w = arith.constant 97 : index
    %p = arith.muli %i, %w : index
    %q = arith.addi %p, %j : index
    %r = arith.index_cast %q : index to i32
    %v = func.call @noise(%r, %s1) : (i32, i32) -> f32
    linalg.yield %v : f32
  } -> tensor<1031x97xf32>
  %eb = tensor.empty() : tensor<97x1021xf32>
  %b = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%eb : tensor<97x1021xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %w = arith.constant 1021 : index
    %p = arith.muli %i, %w : index
    %q = arith.addi %p, %j : index
    %r = arith.index_cast %q : index to i32
    %v = func.call @noise(%r, %s2) : (i32, i32) -> f32
    linalg.yield %v : f32
  } -> tensor<97x1021xf32>
  %ec = tensor.empty() : tensor<1031x1021xf32>
  %zc = linalg.fill ins(%zero : f32) outs(%ec : tensor<1031x1021xf32>) -> tensor<1031x1021xf32>
  %c = linalg.matmul ins(%a, %b : tensor<1031x97xf32>, tensor<97x1021xf32>) outs(%zc : tensor<1031x1021xf32>) -> tensor<1031x1021xf32>
  %er = tensor.empty() : tensor<1021xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<1021xf32>) -> tensor<1021xf32>
  %sums = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%c : tensor<1031x1021xf32>) outs(%zr : tensor<1021xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<1021xf32>
  %et = tensor.empty() : tensor<1031xf32>
  %ei = tensor.empty() : tensor<1031xi32>
  %zt = linalg.fill ins(%low : f32) outs(%et : tensor<1031xf32>) -> tensor<1031xf32>
  %zn = linalg.fill ins(%zi : i32) outs(%ei : tensor<1031xi32>) -> tensor<1031xi32>
  %top:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<1031x1021xf32>) outs(%zt, %zn : tensor<1031xf32>, tensor<1031xi32>) {
  ^bb0(%x: f32, %o: f32, %k: i32):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %g = arith.cmpf ogt, %x, %o : f32
    %m = arith.select %g, %x, %o : f32
    %h = arith.select %g, %n, %k : i32
    linalg.yield %m, %h : f32, i32
  } -> (tensor<1031xf32>, tensor<1031xi32>)
  %ed = tensor.empty() : tensor<1021x1031xf32>
  %d = linalg.generic {indexing_maps = [#id, #swap], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<1031x1021xf32>) outs(%ed : tensor<1021x1031xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<1021x1031xf32>
  %p1 = tensor.extract_slice %sums[1013] [8] [1] : tensor<1021xf32> to tensor<8xf32>
  %p2 = tensor.extract_slice %top#0[500] [8] [1] : tensor<1031xf32> to tensor<8xf32>
  %p3 = tensor.extract_slice %top#1[1023] [8] [1] : tensor<1031xi32> to tensor<8xi32>
  %p4 = tensor.extract_slice %d[1020, 1023] [1, 8] [1, 1] : tensor<1021x1031xf32> to tensor<8xf32>
  return %p1, %p2, %p3, %p4 : tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf32>
}
