// How what was never written moves: through calls, loops, choices, slices; and that nothing else is reported.
// options: --sanitize=race
// call: @recursive 0
// want: f32=1
// call: @recursive 1
// want: f32=0
// report: 75:3 uninitialized
// call: @complex 0
// want: complex<f32>=(2,2)
// call: @complex 1
// want: complex<f32>=(0,0)
// report: 84:3 uninitialized
// call: @nibbles 0
// want: 2xi4=[1 1]
// call: @nibbles 1
// want: 2xi4=[0 0]
// report: 94:3 uninitialized
// call: @global 0
// want: i32=0
// report: 106:3 uninitialized
// call: @global 1
// want: i32=5
// call: @carried 0
// want: i32=4
// call: @carried 1
// want: i32=0
// report: 120:8 uninitialized
// call: @chosen 1
// want: f32=1
// call: @chosen 0
// want: f32=0
// report: 131:3 uninitialized
// call: @indirect 0
// want: i32=6
// call: @indirect 1
// want: i32=0
// report: 144:8 uninitialized
// call: @vectors 0
// want: f32=4
// call: @vectors 1
// want: f32=3
// report: 153:8 uninitialized
// call: @many 0
// want: i32=70
// call: @strided 0
// want: 2xf32=[1 2]
// call: @strided 1
// want: 2xf32=[0 0]
// report: 183:3 uninitialized
// call: @reversed
// want: 4xf32=[4 3 2 1]
// call: @lives 3
// want: i32=3
func.func private @down(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> (f32) {
    scf.yield %x : f32
  } else {
    %k = arith.subi %n, %c1 : index
    %q = func.call @down(%k, %x) : (index, f32) -> f32
    scf.yield %q : f32
  }
  return %r : f32
}
func.func @recursive(%i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloca() : memref<4xf32>
  memref.store %one, %m[%c0] : memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  %r = call @down(%c5, %x) : (index, f32) -> f32
  return %r : f32
}
func.func @complex(%i: index) -> complex<f32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<2xcomplex<f32>>
  %re = arith.constant 2.0 : f32
  %v = complex.create %re, %re : complex<f32>
  memref.store %v, %m[%c0] : memref<2xcomplex<f32>>
  %x = memref.load %m[%i] : memref<2xcomplex<f32>>
  return %x : complex<f32>
}
func.func @nibbles(%i: index) -> tensor<2xi4> {
  %e = tensor.empty() : tensor<2xi4>
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i4
  %g = tensor.insert %one into %e[%c0] : tensor<2xi4>
  %s = tensor.extract_slice %g[%i] [1] [1] : tensor<2xi4> to tensor<1xi4>
  %t = tensor.insert_slice %s into %g[0] [1] [1] : tensor<1xi4> into tensor<2xi4>
  %u = tensor.insert_slice %s into %t[1] [1] [1] : tensor<1xi4> into tensor<2xi4>
  return %u : tensor<2xi4>
}
memref.global "private" @g : memref<4xi32> = uninitialized
func.func @global(%write: index) -> i32 {
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : i32
  %g = memref.get_global @g : memref<4xi32>
  %w = arith.cmpi ne, %write, %c0 : index
  scf.if %w {
    memref.store %five, %g[%c0] : memref<4xi32>
  }
  %x = memref.load %g[%c0] : memref<4xi32>
  return %x : i32
}
// A value that loops carry from turn to turn.
func.func @carried(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %two = arith.constant 2 : i32
  %m = memref.alloca() : memref<2xi32>
  memref.store %two, %m[%c0] : memref<2xi32>
  %x = memref.load %m[%i] : memref<2xi32>
  %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%v = %x) -> (i32) {
    scf.yield %v : i32
  }
  %y = arith.addi %r, %r : i32
  return %y : i32
}
// Of two arms only the one that is chosen counts.
func.func @chosen(%i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloca() : memref<f32>
  %x = memref.load %m[] : memref<f32>
  %c = arith.cmpi eq, %i, %c1 : index
  %r = arith.select %c, %one, %x : f32
  return %r : f32
}
func.func private @same(%x: i32) -> i32 {
  return %x : i32
}
func.func @indirect(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : i32
  %f = func.constant @same : (i32) -> i32
  %m = memref.alloca() : memref<2xi32>
  memref.store %three, %m[%c0] : memref<2xi32>
  %x = memref.load %m[%i] : memref<2xi32>
  %y = func.call_indirect %f(%x) : (i32) -> i32
  %z = arith.addi %y, %y : i32
  return %z : i32
}
func.func @vectors(%i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<8xf32>
  %v = arith.constant dense<1.0> : vector<4xf32>
  vector.store %v, %m[%c0] : memref<8xf32>, vector<4xf32>
  %w = vector.load %m[%i] : memref<8xf32>, vector<4xf32>
  %s = vector.reduction <add>, %w : vector<4xf32> into f32
  return %s : f32
}
func.func @many(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c70 = arith.constant 70 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = memref.alloca() : memref<70xi32>
  %n = memref.alloca() : memref<70xi32>
  memref.copy %m, %n : memref<70xi32> to memref<70xi32>
  scf.for %k = %c0 to %c70 step %c1 {
    %x = memref.load %n[%k] : memref<70xi32>
    memref.store %x, %m[%k] : memref<70xi32>
    memref.store %one, %n[%k] : memref<70xi32>
  }
  %s = scf.for %k = %c0 to %c70 step %c1 iter_args(%a = %z) -> (i32) {
    %x = memref.load %n[%k] : memref<70xi32>
    %b = arith.addi %a, %x : i32
    scf.yield %b : i32
  }
  return %s : i32
}
// Every second element is written; columns and rows are told apart.
func.func @strided(%i: index) -> tensor<2xf32> {
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %g = tensor.insert_slice %t into %e[0, 0] [2, 1] [1, 1] : tensor<2xf32> into tensor<2x2xf32>
  %s = tensor.extract_slice %g[0, %i] [2, 1] [1, 1] : tensor<2x2xf32> to tensor<2xf32>
  return %s : tensor<2xf32>
}
func.func @reversed() -> tensor<4xf32> {
  %t = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (3 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// Blocks come back from the pool as if new: what an earlier life wrote does not count, and what this one writes does.
func.func @lives(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
    %m = memref.alloc() : memref<4xi32>
    memref.store %one, %m[%c1] : memref<4xi32>
    %x = memref.load %m[%c1] : memref<4xi32>
    %b = arith.addi %a, %x : i32
    memref.dealloc %m : memref<4xi32>
    scf.yield %b : i32
  }
  return %s : i32
}
