// Views, unranked buffers, globals, atomics, odd widths in memory, calls, loops and graphs: what emission has a rule for.
// call: @unranked 2x3xi32=[[1 2 3][4 5 6]]
// want: i32=21 index=2 index=3
func.func private @sum_any(%m: memref<*xi32>) -> i32 {
  %r = memref.rank %m : memref<*xi32>
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %two = arith.cmpi eq, %r, %c2 : index
  cf.assert %two, "rank"
  %x = memref.cast %m : memref<*xi32> to memref<?x?xi32>
  %d0 = memref.dim %m, %c0 : memref<*xi32>
  %d1 = memref.dim %x, %c1 : memref<?x?xi32>
  %s = scf.for %i = %c0 to %d0 step %c1 iter_args(%a = %z) -> (i32) {
    %t = scf.for %j = %c0 to %d1 step %c1 iter_args(%b = %a) -> (i32) {
      %v = memref.load %x[%i, %j] : memref<?x?xi32>
      %w = arith.addi %b, %v : i32
      scf.yield %w : i32
    }
    scf.yield %t : i32
  }
  return %s : i32
}
func.func @unranked(%m: memref<2x3xi32>) -> (i32, index, index) {
  %u = memref.cast %m : memref<2x3xi32> to memref<*xi32>
  %s = call @sum_any(%u) : (memref<*xi32>) -> i32
  %r = memref.rank %u : memref<*xi32>
  %c1 = arith.constant 1 : index
  %d = memref.dim %u, %c1 : memref<*xi32>
  return %s, %r, %d : i32, index, index
}
// call: @reshape 2x6xi32=[[0 1 2 3 4 5][6 7 8 9 10 11]] 3 4
// want: i32=6
func.func @reshape(%m: memref<2x6xi32>, %a: index, %b: index) -> i32 {
  %sh = memref.alloc() : memref<2xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  memref.store %a, %sh[%c0] : memref<2xindex>
  memref.store %b, %sh[%c1] : memref<2xindex>
  %r = memref.reshape %m(%sh) : (memref<2x6xi32>, memref<2xindex>) -> memref<?x?xi32>
  %v = memref.load %r[%c1, %c2] : memref<?x?xi32>
  memref.dealloc %sh : memref<2xindex>
  return %v : i32
}
// call: @realloc 3
// want: i64=2 i64=0
func.func @realloc(%n: index) -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %m = memref.alloc(%n) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i64
    memref.store %v, %m[%i] : memref<?xi64>
  }
  %q = memref.realloc %m(%c8) : memref<?xi64> to memref<?xi64>
  %a = memref.load %q[%c2] : memref<?xi64>
  %c7 = arith.constant 7 : index
  %b = memref.load %q[%c7] : memref<?xi64>
  return %a, %b : i64, i64
}
// call: @view 16
// want: f32=1.5 i32=1069547520
func.func @view(%n: index) -> (f32, i32) {
  %m = memref.alloc(%n) : memref<?xi8>
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.5 : f32
  %v = memref.view %m[%c4][%c2] : memref<?xi8> to memref<?xf32>
  memref.store %f, %v[%c0] : memref<?xf32>
  %w = memref.view %m[%c4][] : memref<?xi8> to memref<1xi32>
  %a = memref.load %v[%c0] : memref<?xf32>
  %b = memref.load %w[%c0] : memref<1xi32>
  return %a, %b : f32, i32
}
// call: @view 11
// want: error
// call: @rc 6xi32=[0 1 2 3 4 5]
// want: i32=4 i32=1 index=1 index=2
func.func @rc(%m: memref<6xi32>) -> (i32, i32, index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %r = memref.reinterpret_cast %m to offset: [%c1], sizes: [2, 2], strides: [%c2, 1] : memref<6xi32> to memref<2x2xi32, strided<[?, 1], offset: ?>>
  %a = memref.load %r[%c1, %c1] : memref<2x2xi32, strided<[?, 1], offset: ?>>
  %b = memref.load %r[%c0, %c0] : memref<2x2xi32, strided<[?, 1], offset: ?>>
  %base, %off, %sz:2, %st:2 = memref.extract_strided_metadata %r : memref<2x2xi32, strided<[?, 1], offset: ?>> -> memref<i32>, index, index, index, index, index
  return %a, %b, %off, %sz#0 : i32, i32, index, index
}
// call: @shapes 6x4xi32=[[0 1 2 3][4 5 6 7][8 9 10 11][12 13 14 15][16 17 18 19][20 21 22 23]]
// want: i32=19 i32=17 index=3
func.func @shapes(%m: memref<6x4xi32>) -> (i32, i32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c17 = arith.constant 17 : index
  %d = memref.cast %m : memref<6x4xi32> to memref<?x?xi32>
  %x = memref.dim %d, %c0 : memref<?x?xi32>
  %e = memref.expand_shape %d [[0, 1], [2, 3]] output_shape [%c3, 2, 2, %c2] : memref<?x?xi32> into memref<?x2x2x?xi32>
  %a = memref.load %e[%c2, %c0, %c1, %c1] : memref<?x2x2x?xi32>
  %f = memref.collapse_shape %e [[0, 1, 2, 3]] : memref<?x2x2x?xi32> into memref<?xi32>
  %b = memref.load %f[%c17] : memref<?xi32>
  %n = memref.dim %e, %c0 : memref<?x2x2x?xi32>
  return %a, %b, %n : i32, i32, index
}
// call: @atomics
// want: i32=5 i32=12 f32=3
func.func @atomics() -> (i32, i32, f32) {
  %m = memref.alloc() : memref<1xi32>
  %g = memref.alloc() : memref<1xf32>
  %c0 = arith.constant 0 : index
  %a = arith.constant 5 : i32
  %b = arith.constant 7 : i32
  %f = arith.constant 3.0 : f32
  %o = memref.atomic_rmw addi %a, %m[%c0] : (i32, memref<1xi32>) -> i32
  %p = memref.atomic_rmw addi %b, %m[%c0] : (i32, memref<1xi32>) -> i32
  %q = memref.load %m[%c0] : memref<1xi32>
  %x = memref.generic_atomic_rmw %g[%c0] : memref<1xf32> {
  ^bb0(%c: f32):
    %t = arith.addf %c, %f : f32
    memref.atomic_yield %t : f32
  }
  %y = memref.load %g[%c0] : memref<1xf32>
  return %p, %q, %y : i32, i32, f32
}
// call: @indirect 1
// want: i32=42
// call: @indirect 0
// want: i32=20
func.func private @twice(%a: i32) -> i32 { %r = arith.addi %a, %a : i32 return %r : i32 }
func.func private @square(%a: i32) -> i32 { %c = arith.constant 4 : i32 %s = arith.muli %a, %c : i32 %d = arith.constant 2 : i32 %r = arith.addi %s, %d : i32 return %r : i32 }
func.func @indirect(%c: i1) -> i32 {
  %f = constant @twice : (i32) -> i32
  %g = constant @square : (i32) -> i32
  %h = arith.select %c, %g, %f : (i32) -> i32
  %v = arith.constant 10 : i32
  %r = call_indirect %h(%v) : (i32) -> i32
  return %r : i32
}
// call: @fact 10
// want: i64=3628800
func.func @fact(%n: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  %le = arith.cmpi sle, %n, %c1 : i64
  %r = scf.if %le -> i64 { scf.yield %c1 : i64 } else {
    %m = arith.subi %n, %c1 : i64
    %t = func.call @fact(%m) : (i64) -> i64
    %u = arith.muli %t, %n : i64
    scf.yield %u : i64
  }
  return %r : i64
}
// call: @cplx
// want: f32=-5 f32=10 f32=5 f32=2.2 f32=-0.4
func.func @cplx() -> (f32, f32, f32, f32, f32) {
  %a = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %x = arith.constant 3.0 : f32
  %y = arith.constant 4.0 : f32
  %b = complex.create %x, %y : complex<f32>
  %m = complex.mul %a, %b : complex<f32>
  %re = complex.re %m : complex<f32>
  %im = complex.im %m : complex<f32>
  %ab = complex.abs %b : complex<f32>
  %buf = memref.alloc() : memref<3xcomplex<f32>>
  %c1 = arith.constant 1 : index
  %d = complex.div %b, %a : complex<f32>
  memref.store %d, %buf[%c1] : memref<3xcomplex<f32>>
  %l = memref.load %buf[%c1] : memref<3xcomplex<f32>>
  %dr = complex.re %l : complex<f32>
  %di = complex.im %l : complex<f32>
  return %re, %im, %ab, %dr, %di : f32, f32, f32, f32, f32
}
// call: @big_loop 20000
// want: i64=19999
func.func @big_loop(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i64) {
    %m = memref.alloca(%n) : memref<?xi64>
    %v = arith.index_cast %i : index to i64
    memref.store %v, %m[%i] : memref<?xi64>
    %w = memref.load %m[%i] : memref<?xi64>
    %x = arith.maxsi %a, %w : i64
    scf.yield %x : i64
  }
  return %r : i64
}
// call: @parallel
// want: i64=66 index=11
func.func @parallel() -> (i64, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  %z = arith.constant 0 : i64
  %r:2 = scf.parallel (%i, %j) = (%c0, %c0) to (%c12, %c1) step (%c1, %c1) init (%z, %c0) -> (i64, index) {
    %v = arith.index_cast %i : index to i64
    scf.reduce(%v, %i : i64, index) {
    ^bb0(%a: i64, %b: i64):
      %s = arith.addi %a, %b : i64
      scf.reduce.return %s : i64
    }, {
    ^bb0(%a: index, %b: index):
      %s = arith.maxsi %a, %b : index
      scf.reduce.return %s : index
    }
  }
  return %r#0, %r#1 : i64, index
}
// call: @collatz 27
// want: i64=111
func.func @collatz(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %r:2 = scf.while (%x = %n, %k = %c0) : (i64, i64) -> (i64, i64) {
    %go = arith.cmpi ne, %x, %c1 : i64
    scf.condition(%go) %k, %x : i64, i64
  } do {
  ^bb0(%k: i64, %x: i64):
    %odd = arith.andi %x, %c1 : i64
    %b = arith.trunci %odd : i64 to i1
    %y = scf.execute_region -> i64 {
      cf.cond_br %b, ^odd, ^even
    ^odd:
      %t = arith.muli %x, %c3 : i64
      %u = arith.addi %t, %c1 : i64
      scf.yield %u : i64
    ^even:
      %h = arith.shrsi %x, %c1 : i64
      scf.yield %h : i64
    }
    %k1 = arith.addi %k, %c1 : i64
    scf.yield %y, %k1 : i64, i64
  }
  return %r#0 : i64
}
// call: @i1s 1 1
// want: i1=0 i1=1 i1=0 i64=-1 f32=-1 i1=0 i1=1 i1=1
func.func @i1s(%a: i1, %b: i1) -> (i1, i1, i1, i64, f32, i1, i1, i1) {
  %f = arith.constant false
  %0 = arith.addi %a, %b : i1
  %1 = arith.muli %a, %b : i1
  %2 = arith.cmpi slt, %f, %a : i1
  %3 = arith.extsi %a : i1 to i64
  %4 = arith.sitofp %a : i1 to f32
  %5 = arith.maxui %f, %f : i1
  %6 = arith.cmpi ult, %f, %a : i1
  %7 = arith.minsi %f, %a : i1
  return %0, %1, %2, %3, %4, %5, %6, %7 : i1, i1, i1, i64, f32, i1, i1, i1
}
// call: @cfswitch 7
// want: i32=107
// call: @cfswitch -2
// want: i32=98
// call: @cfswitch 3
// want: i32=5
func.func @cfswitch(%f: i32) -> i32 {
  %c100 = arith.constant 100 : i32
  %c5 = arith.constant 5 : i32
  cf.switch %f : i32, [ default: ^d(%c5 : i32), 7: ^a(%f, %c100 : i32, i32), -2: ^a(%c100, %f : i32, i32) ]
^a(%x: i32, %y: i32):
  %s = arith.addi %x, %y : i32
  cf.br ^d(%s : i32)
^d(%r: i32):
  return %r : i32
}
// call: @copyt 2x3xf32=[[1 2 3][4 5 6]]
// want: f32=4 f32=2
func.func @copyt(%m: memref<2x3xf32>) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.transpose %m (i, j) -> (j, i) : memref<2x3xf32> to memref<3x2xf32, strided<[1, 3]>>
  %n = memref.alloc() : memref<3x2xf32>
  memref.copy %t, %n : memref<3x2xf32, strided<[1, 3]>> to memref<3x2xf32>
  %a = memref.load %n[%c0, %c1] : memref<3x2xf32>
  %b = memref.load %n[%c1, %c0] : memref<3x2xf32>
  return %a, %b : f32, f32
}
memref.global "private" @counter : memref<2xi32> = dense<[3, 4]>
// call: @bump
// want: i32=4
func.func @bump() -> i32 {
  %g = memref.get_global @counter : memref<2xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %v = memref.load %g[%c0] : memref<2xi32>
  %w = arith.addi %v, %c1 : i32
  memref.store %w, %g[%c0] : memref<2xi32>
  %x = memref.load %g[%c0] : memref<2xi32>
  return %x : i32
}
// call: @odd_memory
// want: i4=-3 i24=-5 i1=1 f8E5M2=1.5
func.func @odd_memory() -> (i4, i24, i1, f8E5M2) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi4>
  %b = memref.alloc() : memref<2xi24>
  %c = memref.alloc() : memref<2xi1>
  %d = memref.alloc() : memref<2xf8E5M2>
  %va = arith.constant -3 : i4
  %vb = arith.constant -5 : i24
  %vc = arith.constant true
  %vd = arith.constant 1.5 : f8E5M2
  memref.store %va, %a[%c1] : memref<2xi4>
  memref.store %vb, %b[%c1] : memref<2xi24>
  memref.store %vc, %c[%c1] : memref<2xi1>
  memref.store %vd, %d[%c1] : memref<2xf8E5M2>
  %0 = memref.load %a[%c1] : memref<2xi4>
  %1 = memref.load %b[%c1] : memref<2xi24>
  %2 = memref.load %c[%c1] : memref<2xi1>
  %3 = memref.load %d[%c1] : memref<2xf8E5M2>
  return %0, %1, %2, %3 : i4, i24, i1, f8E5M2
}
// call: @small 1.5 2.25
// want: f8E4M3FN=3.75 f8E4M3FN=3.5 i1=1
func.func @small(%x: f8E4M3FN, %y: f8E4M3FN) -> (f8E4M3FN, f8E4M3FN, i1) {
  %a = arith.addf %x, %y : f8E4M3FN
  %b = arith.mulf %x, %y : f8E4M3FN
  %c = arith.cmpf olt, %x, %y : f8E4M3FN
  return %a, %b, %c : f8E4M3FN, f8E4M3FN, i1
}
// call: @forall
// want: 4xindex=[0 10 20 30]
func.func @forall() -> memref<4xindex> {
  %m = memref.alloc() : memref<4xindex>
  %c10 = arith.constant 10 : index
  scf.forall (%i) in (4) {
    %v = arith.muli %i, %c10 : index
    memref.store %v, %m[%i] : memref<4xindex>
  }
  return %m : memref<4xindex>
}
