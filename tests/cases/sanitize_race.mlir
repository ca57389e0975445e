// Turns of parallel loops that touch one element, and near twins that do not.
// options: --sanitize=race
// call: @stores 1 8xi32=0
// want: 8xi32=[7 7 7 7 7 7 7 7]
// call: @stores 0 8xi32=0
// want: 8xi32=[7 0 0 0 0 0 0 0]
// report: 53:5 race
// call: @shifts 0 8xi32=[1 2 3 4 5 6 7 8]
// want: 8xi32=[2 3 4 5 6 7 8 8]
// call: @shifts 1 8xi32=[1 2 3 4 5 6 7 8]
// want: 8xi32=[2 2 2 2 2 2 2 8]
// report: 80:12 race
// report: 81:7 race
// call: @reads_only 8xi32=[1 2 3 4 5 6 7 8] 8xi32=0
// want: 8xi32=[1 2 3 4 5 6 7 8] 8xi32=[1 1 1 1 1 1 1 1]
// call: @atomic 1xi32=0
// want: 1xi32=8
// call: @not_atomic 1xi32=0
// want: 1xi32=8
// report: 120:10 race
// report: 122:5 race
// call: @private 8xi32=0
// want: 8xi32=[0 2 4 6 8 10 12 14]
// call: @shared 8xi32=0
// want: 8xi32=[0 2 4 6 8 10 12 14]
// report: 154:5 race
// call: @nested 4x4xi32=0 1
// want: 4x4xi32=[[3 3 3 3][3 3 3 3][3 3 3 3][3 3 3 3]]
// call: @nested 4x4xi32=0 0
// want: 4x4xi32=[[3 0 0 0][3 0 0 0][3 0 0 0][3 0 0 0]]
// report: 170:7 race
// call: @in_order 8xi32=[1 2 3 4 5 6 7 8]
// want: 8xi32=[1 1 1 1 1 1 1 1]
// call: @affine 1xi32=0
// want: 1xi32=7
// report: 190:5 race
// call: @affine_twin 8xi32=0
// want: 8xi32=[0 1 2 3 4 5 6 7]
// call: @forall 2
// want: 8xi32=[1 1 2 2 3 3 4 4]
// call: @rows 4x4xf32=0 1
// want: 4x4xf32=[[1 1 1 1][1 1 1 1][1 1 1 1][1 1 1 1]]
// call: @rows 4x4xf32=0 0
// want: 4x4xf32=[[1 1 1 1][0 0 0 0][0 0 0 0][0 0 0 0]]
// report: 223:5 race
func.func @stores(%n: index, %m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = arith.constant 7 : i32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %j = arith.muli %i, %n : index
    memref.store %v, %m[%j] : memref<8xi32>
    scf.reduce
  }
  return
}
// Each turn reads its right neighbour's element, in a copy of its own or in place; or stores there.
func.func @shifts(%right: index, %m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %old = memref.alloca() : memref<8xi32>
  memref.copy %m, %old : memref<8xi32> to memref<8xi32>
  %apart = arith.cmpi eq, %right, %c0 : index
  scf.if %apart {
    scf.parallel (%i) = (%c0) to (%c7) step (%c1) {
      %j = arith.addi %i, %c1 : index
      %x = memref.load %old[%j] : memref<8xi32>
      memref.store %x, %m[%i] : memref<8xi32>
      scf.reduce
    }
  } else {
    scf.parallel (%k) = (%c0) to (%c7) step (%c1) {
      %back = arith.subi %c7, %k : index
      %j = arith.subi %back, %c1 : index
      %first = arith.cmpi eq, %k, %c0 : index
      %at = arith.select %first, %c1, %back : index
      %x = memref.load %m[%c1] : memref<8xi32>
      memref.store %x, %m[%j] : memref<8xi32>
      scf.reduce
    }
  }
  return
}
func.func @reads_only(%m: memref<8xi32>, %n: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %m[%c0] : memref<8xi32>
    memref.store %x, %n[%i] : memref<8xi32>
    scf.reduce
  }
  return
}
func.func @atomic(%m: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %a = memref.atomic_rmw addi %one, %m[%c0] : (i32, memref<1xi32>) -> i32
    %b = memref.generic_atomic_rmw %m[%c0] : memref<1xi32> {
    ^bb0(%x: i32):
      %y = arith.addi %x, %one : i32
      memref.atomic_yield %y : i32
    }
    scf.reduce
  }
  return
}
func.func @not_atomic(%m: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %m[%c0] : memref<1xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %m[%c0] : memref<1xi32>
    scf.reduce
  }
  return
}
// Memory that a turn makes is its own; memory made in front of the loop is shared.
func.func @private(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %t = memref.alloc() : memref<1xi32>
    %s = memref.alloca() : memref<1xi32>
    %v = arith.index_cast %i : index to i32
    memref.store %v, %t[%c0] : memref<1xi32>
    memref.store %v, %s[%c0] : memref<1xi32>
    %x = memref.load %t[%c0] : memref<1xi32>
    %y = memref.load %s[%c0] : memref<1xi32>
    %z = arith.addi %x, %y : i32
    memref.store %z, %m[%i] : memref<8xi32>
    memref.dealloc %t : memref<1xi32>
    scf.reduce
  }
  return
}
func.func @shared(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloca() : memref<1xi32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %t[%c0] : memref<1xi32>
    %x = memref.load %t[%c0] : memref<1xi32>
    %z = arith.addi %x, %x : i32
    memref.store %z, %m[%i] : memref<8xi32>
    scf.reduce
  }
  return
}
func.func @nested(%m: memref<4x4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 3 : i32
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
      %k = arith.muli %j, %n : index
      memref.store %v, %m[%i, %k] : memref<4x4xi32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
func.func @in_order(%m: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c1 to %c8 step %c1 {
    %j = arith.subi %i, %c1 : index
    %x = memref.load %m[%j] : memref<8xi32>
    memref.store %x, %m[%i] : memref<8xi32>
  }
  return
}
func.func @affine(%m: memref<1xi32>) {
  affine.parallel (%i) = (0) to (8) {
    %v = arith.index_cast %i : index to i32
    affine.store %v, %m[0] : memref<1xi32>
  }
  return
}
func.func @affine_twin(%m: memref<8xi32>) {
  affine.parallel (%i) = (0) to (8) {
    %v = arith.index_cast %i : index to i32
    affine.store %v, %m[%i] : memref<8xi32>
  }
  return
}
// Slices of a shared tensor that lie apart.
func.func @forall(%n: index) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %e) -> (tensor<8xi32>) {
    %at = arith.muli %i, %n : index
    %v = arith.index_cast %i : index to i32
    %one = arith.constant 1 : i32
    %w = arith.addi %v, %one : i32
    %t = tensor.empty() : tensor<2xi32>
    %f = linalg.fill ins(%w : i32) outs(%t : tensor<2xi32>) -> tensor<2xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%at] [2] [1] : tensor<2xi32> into tensor<8xi32>
    }
  }
  return %r : tensor<8xi32>
}
// A structured op touches all that it reaches.
func.func @rows(%m: memref<4x4xf32>, %n: index) {
  %v = arith.constant 1.0 : f32
  scf.forall (%i) in (4) {
    %k = arith.muli %i, %n : index
    %row = memref.subview %m[%k, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    linalg.fill ins(%v : f32) outs(%row : memref<4xf32, strided<[1], offset: ?>>)
  }
  return
}
