// Tiled nests: the inner loops start where an outer one has got to.  Uneven tiles, indices that are values, carried sums, and bounds
// that leave the memref or end before they start.
// call: @twice 40xf32=[-1.7 -1.6 -1.5 -1.4 -1.3 -1.2 -1.1 -1 -0.9 -0.8 -0.7 -0.6 -0.5 -0.4 -0.3 -0.2 -0.1 2.220446e-16 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 2 2.1 2.2]
// want: 40xf32=[-3.4 -3.2 -3 -2.8 -2.6 -2.4 -2.2 -2 -1.8 -1.6 -1.4 -1.2 -1 -0.8 -0.6 -0.4 -0.2 4.440892e-16 0.2 0.4 0.6 0.8 1 1.2 1.4 1.6 1.8 2 2.2 2.4 2.6 2.8 3 3.2 3.4 3.6 3.8 4 4.2 4.4]
// call: @uneven 40xf32=[-1.7 -1.6 -1.5 -1.4 -1.3 -1.2 -1.1 -1 -0.9 -0.8 -0.7 -0.6 -0.5 -0.4 -0.3 -0.2 -0.1 2.220446e-16 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 2 2.1 2.2]
// want: 40xf32=[-3.4 -3.2 -3 -2.8 -2.6 -2.4 -2.2 -2 -1.8 -1.6 -1.4 -1.2 -1 -0.8 -0.6 -0.4 -0.2 4.440892e-16 0.2 0.4 0.6 0.8 1 1.2 1.4 1.6 1.8 2 2.2 2.4 2.6 2.8 3 3.2 3.4 3.6 3.8 4 4.2 4.4]
// call: @numbers
// want: 36xi32=[0 3 6 9 12 15 18 21 24 27 30 33 36 39 42 45 48 51 54 57 60 63 66 69 72 75 78 81 84 87 90 93 96 99 102 105]
// call: @sum 64xf32=0.1 i64=64
// want: f32=6.3999963
// call: @sum 64xf32=0.1 i64=65
// want: error
// call: @sum 64xf32=0.1 i64=-3
// want: f32=0
// call: @leaves 40xf32=1
// want: error
// call: @backwards
// want: 10xf32=1.5
func.func @twice(%a: memref<40xf32>) -> memref<40xf32> {
  %b = memref.alloc() : memref<40xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %c40 = arith.constant 40 : index
  scf.for %k = %c0 to %c40 step %c20 {
    %e = arith.addi %k, %c20 : index
    scf.for %j = %k to %e step %c1 {
      %x = memref.load %a[%j] : memref<40xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %b[%j] : memref<40xf32>
    }
  }
  return %b : memref<40xf32>
}
func.func @uneven(%a: memref<40xf32>) -> memref<40xf32> {
  %b = memref.alloc() : memref<40xf32>
  affine.for %k = 0 to 40 step 17 {
    affine.for %j = affine_map<(d0) -> (d0)>(%k) to min affine_map<(d0) -> (d0 + 17, 40)>(%k) {
      %x = affine.load %a[%j] : memref<40xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %b[%j] : memref<40xf32>
    }
  }
  return %b : memref<40xf32>
}
func.func @numbers() -> memref<36xi32> {
  %b = memref.alloc() : memref<36xi32>
  %c3 = arith.constant 3 : i32
  affine.for %k = 0 to 36 step 18 {
    affine.for %j = affine_map<(d0) -> (d0)>(%k) to affine_map<(d0) -> (d0 + 18)>(%k) {
      %i = arith.index_cast %j : index to i32
      %y = arith.muli %i, %c3 : i32
      affine.store %y, %b[%j] : memref<36xi32>
    }
  }
  return %b : memref<36xi32>
}
func.func @sum(%a: memref<64xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%s = %z) -> f32 {
    %e = arith.addi %k, %c16 : index
    %t = scf.for %j = %k to %e step %c1 iter_args(%u = %s) -> f32 {
      %x = memref.load %a[%j] : memref<64xf32>
      %y = arith.addf %u, %x : f32
      scf.yield %y : f32
    }
    scf.yield %t : f32
  }
  return %r : f32
}
func.func @leaves(%a: memref<40xf32>) -> memref<40xf32> {
  %b = memref.alloc() : memref<40xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %c40 = arith.constant 40 : index
  scf.for %k = %c0 to %c40 step %c24 {
    %e = arith.addi %k, %c24 : index
    scf.for %j = %k to %e step %c1 {
      %x = memref.load %a[%j] : memref<40xf32>
      memref.store %x, %b[%j] : memref<40xf32>
    }
  }
  return %b : memref<40xf32>
}
func.func @backwards() -> memref<10xf32> {
  %a = memref.alloc() : memref<10xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c10 = arith.constant 10 : index
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.5 : f32
  scf.for %i = %c0 to %c10 step %c1 {
    memref.store %one, %a[%i] : memref<10xf32>
  }
  scf.for %k = %c2 to %c7 step %c1 {
    %e = arith.subi %k, %c2 : index
    scf.for %j = %k to %e step %c1 {
      memref.store %z, %a[%j] : memref<10xf32>
    }
  }
  return %a : memref<10xf32>
}
