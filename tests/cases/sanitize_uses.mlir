// What counts as a use of what was never written, and where it only moves: each function has a twin call that reads what was written.
// options: --sanitize=race
// call: @fills 0
// want: 2xf32=[1 1]
// call: @fills 1
// want: 2xf32=[0 0]
// report: 16:3 uninitialized
func.func @fills(%i: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloca() : memref<2xf32>
  memref.store %one, %m[%c0] : memref<2xf32>
  %x = memref.load %m[%i] : memref<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %r = linalg.fill ins(%x : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// call: @beside_a_kernel 0
// want: f32=8
// call: @beside_a_kernel 1
// want: f32=7
// report: 34:8 uninitialized
func.func @beside_a_kernel(%i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloca() : memref<2xf32>
  memref.store %one, %m[%c0] : memref<2xf32>
  %x = memref.load %m[%i] : memref<2xf32>
  %a = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %b = arith.constant dense<[[3.0], [2.0]]> : tensor<2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x1xf32>
  %p = linalg.matmul ins(%a, %b : tensor<1x2xf32>, tensor<2x1xf32>) outs(%z : tensor<1x1xf32>) -> tensor<1x1xf32>
  %q = tensor.extract %p[%c0, %c0] : tensor<1x1xf32>
  %r = arith.addf %q, %x : f32
  return %r : f32
}
// call: @workgroups 0
// want: i32=3
// call: @workgroups 1
// want: i32=0
// report: 53:3 uninitialized
func.func @workgroups(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %m = memref.alloca() : memref<2xindex>
  %n = memref.alloca() : memref<8xi32>
  linalg.fill ins(%zero : i32) outs(%n : memref<8xi32>)
  memref.store %c3, %m[%c0] : memref<2xindex>
  %k = memref.load %m[%i] : memref<2xindex>
  scf.parallel (%p) = (%c0) to (%k) step (%c1) {
    memref.store %three, %n[%p] : memref<8xi32>
  }
  %r = memref.load %n[%c0] : memref<8xi32>
  return %r : i32
}
// call: @asserts 0
// want: i32=1
// call: @asserts 1
// want: error
// report: 71:3 uninitialized
func.func @asserts(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %one = arith.constant 1 : i32
  %m = memref.alloca() : memref<2xi1>
  memref.store %true, %m[%c0] : memref<2xi1>
  %b = memref.load %m[%i] : memref<2xi1>
  cf.assert %b, "must be true"
  return %one : i32
}
// call: @branches 0
// want: i32=1
// call: @branches 1
// want: i32=2
// report: 87:8 uninitialized
func.func @branches(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %m = memref.alloca() : memref<2xi1>
  memref.store %true, %m[%c0] : memref<2xi1>
  %b = memref.load %m[%i] : memref<2xi1>
  %r = scf.if %b -> (i32) {
    scf.yield %one : i32
  } else {
    scf.yield %two : i32
  }
  return %r : i32
}
// call: @switches 0
// want: i32=1
// call: @switches 1
// want: i32=2
// report: 107:8 uninitialized
func.func @switches(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %m = memref.alloca() : memref<2xindex>
  memref.store %c5, %m[%c0] : memref<2xindex>
  %b = memref.load %m[%i] : memref<2xindex>
  %r = scf.index_switch %b -> i32
  case 5 {
    scf.yield %one : i32
  }
  default {
    scf.yield %two : i32
  }
  return %r : i32
}
// call: @sizes 0
// want: index=2
// call: @sizes 1
// want: index=0
// report: 127:8 uninitialized
func.func @sizes(%i: index) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloca() : memref<2xindex>
  memref.store %c2, %m[%c0] : memref<2xindex>
  %n = memref.load %m[%i] : memref<2xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  %d = memref.dim %a, %c0 : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return %d : index
}
// call: @offsets 0
// want: f32=1
// call: @offsets 1
// want: f32=2
// report: 144:8 uninitialized
func.func @offsets(%i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xindex>
  memref.store %c1, %m[%c0] : memref<2xindex>
  %t = arith.constant dense<[2.0, 1.0]> : tensor<2xf32>
  %n = memref.load %m[%i] : memref<2xindex>
  %s = tensor.extract_slice %t[%n] [1] [1] : tensor<2xf32> to tensor<1xf32>
  %r = tensor.extract %s[%c0] : tensor<1xf32>
  return %r : f32
}
// call: @indices 0
// want: f32=1
// call: @indices 1
// want: f32=2
// report: 160:8 uninitialized
func.func @indices(%i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xindex>
  memref.store %c1, %m[%c0] : memref<2xindex>
  %t = arith.constant dense<[2.0, 1.0]> : tensor<2xf32>
  %n = memref.load %m[%i] : memref<2xindex>
  %r = tensor.extract %t[%n] : tensor<2xf32>
  return %r : f32
}
// The value that is stored moves on; the place that it is stored to is used.
// call: @places 0
// want: f32=4
// call: @places 1
// want: f32=4
// report: 178:3 uninitialized
// report: 180:8 uninitialized
func.func @places(%i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %four = arith.constant 4.0 : f32
  %m = memref.alloca() : memref<2xindex>
  %a = memref.alloca() : memref<2xf32>
  memref.store %c1, %m[%c0] : memref<2xindex>
  %n = memref.load %m[%i] : memref<2xindex>
  memref.store %four, %a[%n] : memref<2xf32>
  %o = memref.load %m[%i] : memref<2xindex>
  %r = memref.load %a[%o] : memref<2xf32>
  return %r : f32
}
// Tiles: a splat, a choice lane by lane, a loop that carries them, a store and a load move; arithmetic uses.
// call: @splats 0
// want: f32=1
// call: @splats 1
// want: f32=0
// report: 199:3 uninitialized
func.func @splats(%i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloca() : memref<2xf32>
  %a = memref.alloca() : memref<4xf32>
  memref.store %one, %m[%c0] : memref<2xf32>
  %x = memref.load %m[%i] : memref<2xf32>
  %v = vector.broadcast %x : f32 to vector<4xf32>
  vector.store %v, %a[%c0] : memref<4xf32>, vector<4xf32>
  %r = memref.load %a[%c0] : memref<4xf32>
  return %r : f32
}
// call: @lanes 0
// want: f32=4
// call: @lanes 1
// want: f32=2
// report: 227:8 uninitialized
func.func @lanes(%i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloca() : memref<8xf32>
  %ones = arith.constant dense<1.0> : vector<4xf32>
  vector.store %ones, %m[%c0] : memref<8xf32>, vector<4xf32>
  %half = vector.load %m[%c2] : memref<8xf32>, vector<4xf32>
  %first = arith.constant dense<[true, true, false, false]> : vector<4xi1>
  %last = arith.constant dense<[false, false, true, true]> : vector<4xi1>
  %z = arith.cmpi eq, %i, %c0 : index
  %s = scf.if %z -> (vector<4xf32>) {
    %k = arith.select %first, %half, %ones : vector<4xi1>, vector<4xf32>
    scf.yield %k : vector<4xf32>
  } else {
    %k = arith.select %last, %half, %ones : vector<4xi1>, vector<4xf32>
    scf.yield %k : vector<4xf32>
  }
  %c = scf.for %t = %c0 to %c2 step %c1 iter_args(%v = %s) -> (vector<4xf32>) {
    scf.yield %v : vector<4xf32>
  }
  %r = vector.reduction <add>, %c : vector<4xf32> into f32
  return %r : f32
}
// A choice by a mask that nobody wrote.
// call: @masks 0
// want: f32=4
// call: @masks 4
// want: f32=8
// report: 244:8 uninitialized
func.func @masks(%i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<8xi1>
  %all = arith.constant dense<true> : vector<4xi1>
  %ones = arith.constant dense<1.0> : vector<4xf32>
  %twos = arith.constant dense<2.0> : vector<4xf32>
  vector.store %all, %m[%c0] : memref<8xi1>, vector<4xi1>
  %b = vector.load %m[%i] : memref<8xi1>, vector<4xi1>
  %s = arith.select %b, %ones, %twos : vector<4xi1>, vector<4xf32>
  %r = vector.reduction <add>, %s : vector<4xf32> into f32
  return %r : f32
}
// A gather: its numbers are used, what it finds moves, and only in lanes that the mask takes.
// call: @gathers 0 0
// want: f32=4
// call: @gathers 4 0
// want: f32=4
// report: 280:8 uninitialized
// call: @gathers 0 1
// want: f32=2
// report: 281:8 uninitialized
// call: @gathers 0 2
// want: f32=4
func.func @gathers(%i: index, %j: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<8xindex>
  %a = memref.alloca() : memref<8xf32>
  %some = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
  %ones = arith.constant dense<1.0> : vector<4xf32>
  %pass = arith.constant dense<1.0> : vector<4xf32>
  vector.store %some, %m[%c0] : memref<8xindex>, vector<4xindex>
  vector.store %ones, %a[%c0] : memref<8xf32>, vector<4xf32>
  %n = vector.load %m[%i] : memref<8xindex>, vector<4xindex>
  %two = arith.constant 2 : index
  %z = arith.cmpi ne, %j, %c0 : index
  %o = scf.if %z -> (index) {
    scf.yield %two : index
  } else {
    scf.yield %c0 : index
  }
  %mask0 = arith.cmpi ne, %j, %two : index
  %mask = vector.broadcast %mask0 : i1 to vector<4xi1>
  %firsts = arith.constant dense<[true, true, false, false]> : vector<4xi1>
  %taken = arith.ori %mask, %firsts : vector<4xi1>
  %g = vector.gather %a[%o] [%n], %taken, %pass : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %r = vector.reduction <add>, %g : vector<4xf32> into f32
  return %r : f32
}
// A promise about the bits of a narrow type, lane by lane.
// call: @narrow_lanes 3xi7=[60 -3 0] 3xi7=[3 4 0]
// want: 3xi7=[63 1 0]
// call: @narrow_lanes 3xi7=[60 -3 60] 3xi7=[3 4 4]
// want: 3xi7=[63 1 -64]
// report: 295:10 overflow
func.func @narrow_lanes(%a: tensor<3xi7>, %b: tensor<3xi7>) -> tensor<3xi7> {
  %e = tensor.empty() : tensor<3xi7>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<3xi7>, tensor<3xi7>) outs(%e : tensor<3xi7>) {
  ^bb0(%x: i7, %y: i7, %z: i7):
    %s = arith.addi %x, %y overflow<nsw> : i7
    linalg.yield %s : i7
  } -> tensor<3xi7>
  return %r : tensor<3xi7>
}
// What is given to a host function.
func.func private @printI64(i64)
// call: @host 0
// want: i64=3
// call: @host 1
// want: i64=0
// report: 313:3 uninitialized
func.func @host(%i: index) -> i64 {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : i64
  %m = memref.alloca() : memref<2xi64>
  memref.store %three, %m[%c0] : memref<2xi64>
  %x = memref.load %m[%i] : memref<2xi64>
  call @printI64(%x) : (i64) -> ()
  return %x : i64
}
