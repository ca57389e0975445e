// A NaN that arithmetic makes is the positive quiet one with payload 0, on every machine; moves and sign changes keep bits.
// call: @scalars f32=0 f32=inf f32=-1
// want: i32=2143289344 i32=2143289344 i32=2143289344 i32=-4194304 i64=9221120237041090560
// call: @through_view f32=0 f32=inf f32=-1
// want: 12xi8=[0 0 -64 127 0 0 -64 127 0 0 -64 127]
// call: @elementwise 4xf32=[0 inf -inf -1]
// want: 4xi32=[2143289344 2143289344 2143289344 2143289344] 4xi32=[2143289344 1065353216 1065353216 1065353216]
// call: @payload i32=2141192193
// want: i32=2141192193 i32=-6291455 i32=2143289344
#id = affine_map<(d) -> (d)>
func.func @scalars(%zero: f32, %inf: f32, %minus: f32) -> (i32, i32, i32, i32, i64) {
  %a = arith.divf %zero, %zero : f32
  %b = arith.subf %inf, %inf : f32
  %c = math.sqrt %minus : f32
  %d = arith.negf %a : f32
  %e = arith.extf %d : f32 to f64
  %ai = arith.bitcast %a : f32 to i32
  %bi = arith.bitcast %b : f32 to i32
  %ci = arith.bitcast %c : f32 to i32
  %di = arith.bitcast %d : f32 to i32
  %ei = arith.bitcast %e : f64 to i64
  return %ai, %bi, %ci, %di, %ei : i32, i32, i32, i32, i64
}
func.func @through_view(%zero: f32, %inf: f32, %minus: f32) -> memref<12xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %bytes = memref.alloc() : memref<12xi8>
  %floats = memref.view %bytes[%c0][] : memref<12xi8> to memref<3xf32>
  %a = arith.divf %zero, %zero : f32
  %b = arith.subf %inf, %inf : f32
  %c = math.sqrt %minus : f32
  memref.store %a, %floats[%c0] : memref<3xf32>
  memref.store %b, %floats[%c1] : memref<3xf32>
  memref.store %c, %floats[%c2] : memref<3xf32>
  return %bytes : memref<12xi8>
}
func.func @elementwise(%x: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e, %e : tensor<4xi32>, tensor<4xi32>) {
  ^bb0(%v: f32, %u: i32, %w: i32):
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %p = arith.mulf %v, %zero : f32
    %q = arith.divf %p, %zero : f32
    %n = arith.maximumf %q, %v : f32
    %k = arith.divf %v, %v : f32
    %m = arith.minnumf %k, %one : f32
    %z = arith.cmpf oeq, %v, %zero : f32
    %s = arith.select %z, %k, %m : f32
    %i = arith.bitcast %n : f32 to i32
    %j = arith.bitcast %s : f32 to i32
    linalg.yield %i, %j : i32, i32
  } -> (tensor<4xi32>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<4xi32>, tensor<4xi32>
}
func.func @payload(%bits: i32) -> (i32, i32, i32) {
  %one = arith.constant 1.0 : f32
  %m = memref.alloca() : memref<f32>
  %x = arith.bitcast %bits : i32 to f32
  memref.store %x, %m[] : memref<f32>
  %y = memref.load %m[] : memref<f32>
  %n = arith.negf %y : f32
  %s = arith.addf %y, %one : f32
  %a = arith.bitcast %y : f32 to i32
  %b = arith.bitcast %n : f32 to i32
  %c = arith.bitcast %s : f32 to i32
  return %a, %b, %c : i32, i32, i32
}
