// Ops of the core dialects in the spelling of LLVM 19: test_dialects reads, prints and reads them again.
module @outer attributes {some.attr = 1 : i32} {
  module @inner {
    func.func private @host(i32, memref<*xf32>) -> i32
  }
  func.func private @declared(%arg0: i32 {some.flag}, %arg1: f32) -> (i32 {some.flag}, f32) attributes {some.attr}
  func.func private @fnptr(i32) -> i32
  func.func nested @nothing() {
    return
  }

  func.func public @calls(%a: i32, %b: f32) -> i32 {
    %0:2 = call @declared(%a, %b) : (i32, f32) -> (i32, f32)
    func.call @nothing() : () -> ()
    %f = constant @fnptr : (i32) -> i32
    %1 = call_indirect %f(%0#0) : (i32) -> i32
    %2 = call @outer_twin(%1) {no_inline} : (i32) -> i32
    return %2 : i32
  }
  func.func @outer_twin(%a: i32) -> i32 {
    return %a : i32
  }
  func.func @returns_function() -> ((i32) -> i32) {
    %f = func.constant @fnptr : (i32) -> i32
    return %f : (i32) -> i32
  }

  func.func @constants() {
    %0 = arith.constant 1 : i32
    %1 = arith.constant true
    %2 = arith.constant false
    %3 = arith.constant -7 : index
    %4 = arith.constant 1.5 : f32
    %5 = arith.constant 0x7FC00001 : f32
    %6 = arith.constant dense<1> : tensor<2x2xi32>
    %7 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
    %8 = arith.constant dense<[true, false, true]> : vector<3xi1>
    %9 = arith.constant {some.attr = "x"} 3 : i8
    %10 = arith.constant 2.5 : bf16
    %11 = arith.constant dense<"0x0000803F"> : tensor<1xf32>
    %12 = arith.constant -9223372036854775808 : i64
    %13 = arith.constant dense<> : tensor<0xf32>
    %14 = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
    return
  }

  func.func @integers(%a: i32, %b: i32, %t: tensor<?xi64>, %v: vector<4xindex>) {
    %0 = arith.addi %a, %b : i32
    %1 = arith.subi %a, %b overflow<nsw> : i32
    %2 = arith.muli %a, %b overflow<nsw, nuw> : i32
    %3 = arith.divsi %a, %b : i32
    %4 = arith.divui %a, %b : i32
    %5 = arith.ceildivsi %a, %b : i32
    %6 = arith.ceildivui %a, %b : i32
    %7 = arith.floordivsi %a, %b : i32
    %8 = arith.remsi %a, %b : i32
    %9 = arith.remui %a, %b : i32
    %10 = arith.andi %a, %b : i32
    %11 = arith.ori %a, %b : i32
    %12 = arith.xori %a, %b : i32
    %13 = arith.shli %a, %b overflow<nuw> : i32
    %14 = arith.shrsi %a, %b : i32
    %15 = arith.shrui %a, %b : i32
    %16 = arith.maxsi %a, %b : i32
    %17 = arith.maxui %a, %b : i32
    %18 = arith.minsi %a, %b : i32
    %19 = arith.minui %a, %b : i32
    %20 = arith.addi %t, %t {some.attr} : tensor<?xi64>
    %21 = arith.muli %v, %v : vector<4xindex>
    %22, %23 = arith.addui_extended %a, %b : i32, i1
    %24:2 = arith.mulsi_extended %a, %b : i32
    %25:2 = arith.mului_extended %t, %t : tensor<?xi64>
    %26 = arith.cmpi slt, %a, %b : i32
    %27 = arith.cmpi eq, %t, %t : tensor<?xi64>
    %28 = arith.select %26, %a, %b : i32
    %29 = arith.select %27, %t, %t : tensor<?xi1>, tensor<?xi64>
    %30 = arith.select %26, %t, %t : tensor<?xi64>
    %31 = arith.extui %a : i32 to i64
    %32 = arith.extsi %a : i32 to i33
    %33 = arith.trunci %a : i32 to i8
    %34 = arith.index_cast %a : i32 to index
    %35 = arith.index_castui %v : vector<4xindex> to vector<4xi16>
    %36 = arith.bitcast %a : i32 to f32
    %37 = arith.sitofp %a : i32 to f64
    %38 = arith.uitofp %a : i32 to f16
    %39 = math.absi %a : i32
    %40 = math.ctlz %a : i32
    %41 = math.cttz %t : tensor<?xi64>
    %42 = math.ctpop %a : i32
    %43 = math.ipowi %a, %b : i32
    %44 = "arith.addi"(%a, %b) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
    %45 = "arith.cmpi"(%a, %b) <{predicate = 6 : i64}> : (i32, i32) -> i1
    return
  }

  func.func @floats(%a: f32, %b: f32, %c: f64, %t: tensor<2x?xf16>, %i: i32, %e: f8E5M2) {
    %0 = arith.addf %a, %b : f32
    %1 = arith.subf %a, %b fastmath<fast> : f32
    %2 = arith.mulf %a, %b fastmath<nnan,contract> : f32
    %3 = arith.divf %a, %b {some.attr} : f32
    %4 = arith.remf %a, %b : f32
    %5 = arith.maximumf %t, %t : tensor<2x?xf16>
    %6 = arith.minimumf %a, %b : f32
    %7 = arith.maxnumf %a, %b : f32
    %8 = arith.minnumf %a, %b : f32
    %9 = arith.negf %a : f32
    %10 = arith.cmpf ogt, %a, %b : f32
    %11 = arith.cmpf uno, %t, %t fastmath<ninf> : tensor<2x?xf16>
    %12 = arith.extf %a : f32 to f64
    %13 = arith.truncf %c : f64 to f32
    %14 = arith.truncf %c toward_zero : f64 to bf16
    %15 = arith.truncf %a : f32 to f8E4M3FN
    %16 = arith.extf %e : f8E5M2 to f16
    %17 = arith.fptosi %a : f32 to i32
    %18 = arith.fptoui %t : tensor<2x?xf16> to tensor<2x?xi8>
    %19 = math.absf %a : f32
    %20 = math.exp %a fastmath<afn> : f32
    %21 = math.fma %a, %b, %a : f32
    %22 = math.powf %a, %b : f32
    %23 = math.fpowi %a, %i : f32, i32
    %24 = math.copysign %a, %b : f32
    %25 = math.atan2 %a, %b : f32
    %26 = math.roundeven %t : tensor<2x?xf16>
    %27 = math.tanh %a : f32
    %28 = math.erf %a : f32
    %29 = math.rsqrt %a : f32
    %30 = math.log1p %a : f32
    %31 = math.cbrt %a : f32
    return
  }

  func.func @complex(%a: f32, %z: complex<f32>, %w: complex<f64>) {
    %0 = complex.constant [1.0 : f32, -2.0 : f32] : complex<f32>
    %1 = complex.create %a, %a : complex<f32>
    %2 = complex.re %z : complex<f32>
    %3 = complex.im %w : complex<f64>
    %4 = complex.add %z, %1 : complex<f32>
    %5 = complex.mul %z, %1 fastmath<fast> : complex<f32>
    %6 = complex.abs %z : complex<f32>
    %7 = complex.eq %z, %z : complex<f32>
    %8 = complex.exp %w : complex<f64>
    %9 = complex.conj %z : complex<f32>
    %10 = complex.div %z, %1 : complex<f32>
    %11 = complex.angle %z : complex<f32>
    %12 = complex.bitcast %z : complex<f32> to i64
    return
  }

  func.func @branches(%c: i1, %a: i32, %f: i64) -> i32 {
    cf.assert %c, "must hold"
    cf.cond_br %c, ^bb1(%a : i32), ^bb2
  ^bb1(%x: i32):
    cf.br ^bb3(%x, %x : i32, i32)
  ^bb2:
    cf.switch %f : i64, [
      default: ^bb1(%a : i32),
      -42: ^bb3(%a, %a : i32, i32),
      7: ^bb4
    ]
  ^bb3(%y: i32, %z: i32):
    return %y : i32
  ^bb4:
    cf.switch %a : i32, [
      default: ^bb5
    ]
  ^bb5:
    return %a : i32
  }

  func.func @loops(%n: index, %m: i32, %c: i1, %t: tensor<8xf32>, %x: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.if %c {
        func.call @nothing() : () -> ()
      }
    }
    %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %n) -> (f32, index) {
      %s = arith.addf %p, %x : f32
      scf.yield %s, %i : f32, index
    } {some.attr}
    scf.for %j = %m to %m step %m : i32 {
    }
    %1 = scf.if %c -> (f32) {
      scf.yield %x : f32
    } else {
      scf.yield %0#0 : f32
    }
    scf.if %c {
      func.call @nothing() : () -> ()
    } else {
    }
    %2:2 = scf.while (%p = %x, %q = %m) : (f32, i32) -> (i32, f32) {
      scf.condition(%c) %q, %p : i32, f32
    } do {
    ^bb0(%q: i32, %p: f32):
      scf.yield %p, %q : f32, i32
    }
    scf.while : () -> () {
      scf.condition(%c)
    } do {
      scf.yield
    } attributes {some.attr}
    %3 = scf.execute_region -> i32 {
      cf.br ^bb1(%m : i32)
    ^bb1(%k: i32):
      scf.yield %k : i32
    }
    %4 = scf.index_switch %n -> i32
    case 2 {
      scf.yield %m : i32
    }
    case -5 {
      scf.yield %3 : i32
    }
    default {
      scf.yield %m : i32
    }
    scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
      scf.reduce
    }
    %5:2 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x, %m) -> (f32, i32) {
      scf.reduce(%x, %m : f32, i32) {
      ^bb0(%l: f32, %r: f32):
        %s = arith.addf %l, %r : f32
        scf.reduce.return %s : f32
      }, {
      ^bb0(%l: i32, %r: i32):
        %s = arith.muli %l, %r : i32
        scf.reduce.return %s : i32
      }
    }
    scf.forall (%i, %j) in (%n, 4) {
      func.call @nothing() : () -> ()
    }
    %6 = scf.forall (%i) = (0) to (%n) step (2) shared_outs(%o = %t) -> (tensor<8xf32>) {
      scf.forall.in_parallel {
      }
    } {mapping = [#gpu.thread<x>]}
    %7 = ub.poison : i32
    return %1 : f32
  }

  func.func @index(%a: index, %b: index, %i: i32) -> i1 {
    %0 = index.constant 42
    %1 = index.add %a, %b
    %2 = index.sub %a, %b
    %3 = index.mul %a, %0
    %4 = index.divs %a, %b
    %5 = index.ceildivu %a, %b
    %6 = index.maxs %a, %b
    %7 = index.shl %a, %b
    %8 = index.casts %i : i32 to index
    %9 = index.castu %a : index to i64
    %10 = index.sizeof
    %11 = index.bool.constant true
    %12 = index.cmp ult(%a, %b)
    %13 = builtin.unrealized_conversion_cast %a : index to i64
    %14:2 = builtin.unrealized_conversion_cast %a, %i : index, i32 to i64, f32
    return %12 : i1
  }
}
