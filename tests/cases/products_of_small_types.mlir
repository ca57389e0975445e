// Products of small types, large enough for tiles with tails; wanted: digests of loops written with numpy.
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
#all = affine_map<(m, n) -> (m, n)>
#none = affine_map<(m, n) -> ()>

// (m * p + n * q) mod 251 - 125
func.func private @numbers(%e: tensor<?x?xi8>, %p: index, %q: index) -> tensor<?x?xi8> {
  %c251 = arith.constant 251 : index
  %c125 = arith.constant 125 : index
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<?x?xi8>) {
  ^bb0(%o: i8):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %mp = arith.muli %m, %p : index
    %nq = arith.muli %n, %q : index
    %s = arith.addi %mp, %nq : index
    %w = arith.remui %s, %c251 : index
    %x = arith.subi %w, %c125 : index
    %i = arith.index_cast %x : index to i8
    linalg.yield %i : i8
  } -> tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}
func.func private @left() -> tensor<?x?xi8> {
  %c7 = arith.constant 7 : index
  %c13 = arith.constant 13 : index
  %m = arith.constant 29 : index
  %k = arith.constant 53 : index
  %e = tensor.empty(%m, %k) : tensor<?x?xi8>
  %r = call @numbers(%e, %c7, %c13) : (tensor<?x?xi8>, index, index) -> tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}
func.func private @right() -> tensor<?x?xi8> {
  %c17 = arith.constant 17 : index
  %c5 = arith.constant 5 : index
  %n = arith.constant 37 : index
  %k = arith.constant 53 : index
  %e = tensor.empty(%k, %n) : tensor<?x?xi8>
  %r = call @numbers(%e, %c17, %c5) : (tensor<?x?xi8>, index, index) -> tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}
func.func private @digest_i32(%t: tensor<?x?xi32>) -> i64 {
  %c31 = arith.constant 31 : i64
  %c0 = arith.constant dense<0> : tensor<i64>
  %r = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%t : tensor<?x?xi32>) outs(%c0 : tensor<i64>) {
  ^bb0(%x: i32, %o: i64):
    %w = arith.extui %x : i32 to i64
    %p = arith.muli %o, %c31 : i64
    %s = arith.addi %p, %w : i64
    linalg.yield %s : i64
  } -> tensor<i64>
  %e = tensor.extract %r[] : tensor<i64>
  return %e : i64
}
func.func private @digest_i8(%t: tensor<?x?xi8>) -> i64 {
  %c31 = arith.constant 31 : i64
  %c0 = arith.constant dense<0> : tensor<i64>
  %r = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%t : tensor<?x?xi8>) outs(%c0 : tensor<i64>) {
  ^bb0(%x: i8, %o: i64):
    %w = arith.extui %x : i8 to i64
    %p = arith.muli %o, %c31 : i64
    %s = arith.addi %p, %w : i64
    linalg.yield %s : i64
  } -> tensor<i64>
  %e = tensor.extract %r[] : tensor<i64>
  return %e : i64
}
func.func private @digest_f16(%t: tensor<?x?xf16>) -> i64 {
  %c31 = arith.constant 31 : i64
  %c0 = arith.constant dense<0> : tensor<i64>
  %r = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%t : tensor<?x?xf16>) outs(%c0 : tensor<i64>) {
  ^bb0(%x: f16, %o: i64):
    %b = arith.bitcast %x : f16 to i16
    %w = arith.extui %b : i16 to i64
    %p = arith.muli %o, %c31 : i64
    %s = arith.addi %p, %w : i64
    linalg.yield %s : i64
  } -> tensor<i64>
  %e = tensor.extract %r[] : tensor<i64>
  return %e : i64
}
func.func private @digest_bf16(%t: tensor<?x?xbf16>) -> i64 {
  %c31 = arith.constant 31 : i64
  %c0 = arith.constant dense<0> : tensor<i64>
  %r = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%t : tensor<?x?xbf16>) outs(%c0 : tensor<i64>) {
  ^bb0(%x: bf16, %o: i64):
    %b = arith.bitcast %x : bf16 to i16
    %w = arith.extui %b : i16 to i64
    %p = arith.muli %o, %c31 : i64
    %s = arith.addi %p, %w : i64
    linalg.yield %s : i64
  } -> tensor<i64>
  %e = tensor.extract %r[] : tensor<i64>
  return %e : i64
}
func.func private @digest_f32(%t: tensor<?x?xf32>) -> i64 {
  %c31 = arith.constant 31 : i64
  %c0 = arith.constant dense<0> : tensor<i64>
  %r = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%t : tensor<?x?xf32>) outs(%c0 : tensor<i64>) {
  ^bb0(%x: f32, %o: i64):
    %b = arith.bitcast %x : f32 to i32
    %w = arith.extui %b : i32 to i64
    %p = arith.muli %o, %c31 : i64
    %s = arith.addi %p, %w : i64
    linalg.yield %s : i64
  } -> tensor<i64>
  %e = tensor.extract %r[] : tensor<i64>
  return %e : i64
}
func.func private @as_f16(%t: tensor<?x?xi8>) -> tensor<?x?xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %t, %c0 : tensor<?x?xi8>
  %n = tensor.dim %t, %c1 : tensor<?x?xi8>
  %scale = arith.constant 0.015625 : f16
  %e = tensor.empty(%m, %n) : tensor<?x?xf16>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<?x?xi8>) outs(%e : tensor<?x?xf16>) {
  ^bb0(%x: i8, %o: f16):
    %f = arith.sitofp %x : i8 to f16
    %s = arith.mulf %f, %scale : f16
    linalg.yield %s : f16
  } -> tensor<?x?xf16>
  return %r : tensor<?x?xf16>
}
func.func private @as_bf16(%t: tensor<?x?xi8>) -> tensor<?x?xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %t, %c0 : tensor<?x?xi8>
  %n = tensor.dim %t, %c1 : tensor<?x?xi8>
  %scale = arith.constant 0.015625 : bf16
  %e = tensor.empty(%m, %n) : tensor<?x?xbf16>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<?x?xi8>) outs(%e : tensor<?x?xbf16>) {
  ^bb0(%x: i8, %o: bf16):
    %f = arith.sitofp %x : i8 to bf16
    %s = arith.mulf %f, %scale : bf16
    linalg.yield %s : bf16
  } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// call: @ss
// want: i64=2258463091257895770
func.func @ss() -> i64 {
  %a = call @left() : () -> tensor<?x?xi8>
  %b = call @right() : () -> tensor<?x?xi8>
  %m = arith.constant 29 : index
  %n = arith.constant 37 : index
  %zero = arith.constant 0 : i32
  %e = tensor.empty(%m, %n) : tensor<?x?xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<?x?xi32>) -> tensor<?x?xi32>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%f : tensor<?x?xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %wx = arith.extsi %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %p = arith.muli %wx, %wy : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<?x?xi32>
  %d = call @digest_i32(%r) : (tensor<?x?xi32>) -> i64
  return %d : i64
}

// call: @su
// want: i64=1672827570730192218
func.func @su() -> i64 {
  %a = call @left() : () -> tensor<?x?xi8>
  %b = call @right() : () -> tensor<?x?xi8>
  %m = arith.constant 29 : index
  %n = arith.constant 37 : index
  %zero = arith.constant 0 : i32
  %e = tensor.empty(%m, %n) : tensor<?x?xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<?x?xi32>) -> tensor<?x?xi32>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%f : tensor<?x?xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %wx = arith.extsi %x : i8 to i32
    %wy = arith.extui %y : i8 to i32
    %p = arith.muli %wx, %wy : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<?x?xi32>
  %d = call @digest_i32(%r) : (tensor<?x?xi32>) -> i64
  return %d : i64
}

// call: @us
// want: i64=947908344188260442
func.func @us() -> i64 {
  %a = call @left() : () -> tensor<?x?xi8>
  %b = call @right() : () -> tensor<?x?xi8>
  %m = arith.constant 29 : index
  %n = arith.constant 37 : index
  %zero = arith.constant 0 : i32
  %e = tensor.empty(%m, %n) : tensor<?x?xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<?x?xi32>) -> tensor<?x?xi32>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%f : tensor<?x?xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %wx = arith.extui %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %p = arith.muli %wx, %wy : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<?x?xi32>
  %d = call @digest_i32(%r) : (tensor<?x?xi32>) -> i64
  return %d : i64
}

// call: @uu
// want: i64=-9127941852025212326
func.func @uu() -> i64 {
  %a = call @left() : () -> tensor<?x?xi8>
  %b = call @right() : () -> tensor<?x?xi8>
  %m = arith.constant 29 : index
  %n = arith.constant 37 : index
  %zero = arith.constant 0 : i32
  %e = tensor.empty(%m, %n) : tensor<?x?xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<?x?xi32>) -> tensor<?x?xi32>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%f : tensor<?x?xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %wx = arith.extui %x : i8 to i32
    %wy = arith.extui %y : i8 to i32
    %p = arith.muli %wx, %wy : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<?x?xi32>
  %d = call @digest_i32(%r) : (tensor<?x?xi32>) -> i64
  return %d : i64
}

// call: @low
// want: i64=-3848609220683680678
func.func @low() -> i64 {
  %a = call @left() : () -> tensor<?x?xi8>
  %b = call @right() : () -> tensor<?x?xi8>
  %m = arith.constant 29 : index
  %n = arith.constant 37 : index
  %zero = arith.constant 0 : i8
  %e = tensor.empty(%m, %n) : tensor<?x?xi8>
  %f = linalg.fill ins(%zero : i8) outs(%e : tensor<?x?xi8>) -> tensor<?x?xi8>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%f : tensor<?x?xi8>) {
  ^bb0(%x: i8, %y: i8, %o: i8):
    %p = arith.muli %x, %y : i8
    %s = arith.addi %o, %p : i8
    linalg.yield %s : i8
  } -> tensor<?x?xi8>
  %d = call @digest_i8(%r) : (tensor<?x?xi8>) -> i64
  return %d : i64
}

// call: @f16
// want: i64=-3758275690876460638
func.func @f16() -> i64 {
  %ai = call @left() : () -> tensor<?x?xi8>
  %bi = call @right() : () -> tensor<?x?xi8>
  %a = call @as_f16(%ai) : (tensor<?x?xi8>) -> tensor<?x?xf16>
  %b = call @as_f16(%bi) : (tensor<?x?xi8>) -> tensor<?x?xf16>
  %m = arith.constant 29 : index
  %n = arith.constant 37 : index
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty(%m, %n) : tensor<?x?xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<?x?xf16>) -> tensor<?x?xf16>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%f : tensor<?x?xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %p = arith.mulf %x, %y : f16
    %s = arith.addf %o, %p : f16
    linalg.yield %s : f16
  } -> tensor<?x?xf16>
  %d = call @digest_f16(%r) : (tensor<?x?xf16>) -> i64
  return %d : i64
}

// call: @bf16
// want: i64=-7505833727984840268
func.func @bf16() -> i64 {
  %ai = call @left() : () -> tensor<?x?xi8>
  %bi = call @right() : () -> tensor<?x?xi8>
  %a = call @as_bf16(%ai) : (tensor<?x?xi8>) -> tensor<?x?xbf16>
  %b = call @as_bf16(%bi) : (tensor<?x?xi8>) -> tensor<?x?xbf16>
  %m = arith.constant 29 : index
  %n = arith.constant 37 : index
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty(%m, %n) : tensor<?x?xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%f : tensor<?x?xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %o: bf16):
    %p = arith.mulf %x, %y : bf16
    %s = arith.addf %o, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<?x?xbf16>
  %d = call @digest_bf16(%r) : (tensor<?x?xbf16>) -> i64
  return %d : i64
}

// call: @f16_fused
// want: i64=-2199019226247493143
func.func @f16_fused() -> i64 {
  %ai = call @left() : () -> tensor<?x?xi8>
  %bi = call @right() : () -> tensor<?x?xi8>
  %a = call @as_f16(%ai) : (tensor<?x?xi8>) -> tensor<?x?xf16>
  %b = call @as_f16(%bi) : (tensor<?x?xi8>) -> tensor<?x?xf16>
  %m = arith.constant 29 : index
  %n = arith.constant 37 : index
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty(%m, %n) : tensor<?x?xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<?x?xf16>) -> tensor<?x?xf16>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%f : tensor<?x?xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %s = math.fma %x, %y, %o : f16
    linalg.yield %s : f16
  } -> tensor<?x?xf16>
  %d = call @digest_f16(%r) : (tensor<?x?xf16>) -> i64
  return %d : i64
}

// call: @f16_f32
// want: i64=-6288372301891934336
func.func @f16_f32() -> i64 {
  %ai = call @left() : () -> tensor<?x?xi8>
  %bi = call @right() : () -> tensor<?x?xi8>
  %a = call @as_f16(%ai) : (tensor<?x?xi8>) -> tensor<?x?xf16>
  %b = call @as_f16(%bi) : (tensor<?x?xi8>) -> tensor<?x?xf16>
  %m = arith.constant 29 : index
  %n = arith.constant 37 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%f : tensor<?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %wx = arith.extf %x : f16 to f32
    %wy = arith.extf %y : f16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %d = call @digest_f32(%r) : (tensor<?x?xf32>) -> i64
  return %d : i64
}
