// affine ops: expressions on negative numbers, bounds of several results, sets, reductions, subscripts.

// floordiv rounds toward minus infinity, ceildiv toward plus infinity, mod is never negative.
// call: @negatives -7
// want: index=-3 index=-2 index=2
// call: @negatives 7
// want: index=2 index=3 index=1
// call: @negatives -6
// want: index=-2 index=-2 index=0
func.func @negatives(%n: index) -> (index, index, index) {
  %0 = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%n)
  %1 = affine.apply affine_map<(d0) -> (d0 ceildiv 3)>(%n)
  %2 = affine.apply affine_map<(d0) -> (d0 mod 3)>(%n)
  return %0, %1, %2 : index, index, index
}

// call: @extremes 5 9
// want: index=5 index=12
func.func @extremes(%a: index, %b: index) -> (index, index) {
  %0 = affine.min affine_map<(d0)[s0] -> (d0, s0, 7)>(%a)[%b]
  %1 = affine.max affine_map<(d0)[s0] -> (d0 * 2 + 2, s0)>(%a)[%b]
  return %0, %1 : index, index
}

// Rows i of the triangle j <= i below both bounds: 0, 0+1, 0+1+2, then cut at n.
// call: @triangle 3
// want: index=6
// call: @triangle 2
// want: index=3
func.func @triangle(%n: index) -> index {
  %z = arith.constant 0 : index
  %r = affine.for %i = 0 to 3 iter_args(%s = %z) -> (index) {
    %q = affine.for %j = max affine_map<(d0) -> (0, d0 - 100)>(%i) to min affine_map<(d0)[s0] -> (d0 + 1, s0)>(%i)[%n] iter_args(%t = %s) -> (index) {
      %u = arith.addi %t, %j : index
      %one = arith.constant 1 : index
      %v = arith.addi %u, %one : index
      affine.yield %v : index
    }
    affine.yield %q : index
  }
  %c = arith.constant 4 : index
  %x = affine.apply affine_map<(d0)[s0] -> (d0 - s0)>(%r)[%c]
  return %x : index
}

// call: @subscripts 3x4xi32=[[0 1 2 3][4 5 6 7][8 9 10 11]]
// want: 3x4xi32=[[4 5 6 7][0 1 2 3][8 9 10 -1]]
func.func @subscripts(%t: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %m = bufferization.to_memref %t : memref<3x4xi32>
  %o = memref.alloc() : memref<3x4xi32>
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 8 step 2 {
      %x = affine.load %m[%i, %j floordiv 2] : memref<3x4xi32>
      affine.if affine_set<(d0) : (1 - d0 >= 0)>(%i) {
        affine.store %x, %o[1 - %i, %j floordiv 2] : memref<3x4xi32>
      } else {
        affine.store %x, %o[%i, (%j + 1) floordiv 2] : memref<3x4xi32>
      }
    }
  }
  %c = arith.constant -1 : i32
  affine.store %c, %o[2, 3] : memref<3x4xi32>
  %r = bufferization.to_tensor %o restrict : memref<3x4xi32>
  return %r : tensor<3x4xi32>
}

// call: @if_value 4
// want: i32=1
// call: @if_value 5
// want: i32=2
func.func @if_value(%n: index) -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %r = affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%n) -> i32 {
    affine.yield %a : i32
  } else {
    affine.yield %b : i32
  }
  return %r : i32
}

// Reductions run row-major from the neutral value: 1e8 + 1 - 1e8 in f32 loses the 1.
// call: @reduce 2x2xf32=[[1e8 1][-1e8 3]]
// want: f32=3 f32=-1e8 f32=1e8
func.func @reduce(%t: tensor<2x2xf32>) -> (f32, f32, f32) {
  %m = bufferization.to_memref %t : memref<2x2xf32>
  %r:3 = affine.parallel (%i, %j) = (0, 0) to (2, 2) reduce ("addf", "minimumf", "maximumf") -> (f32, f32, f32) {
    %x = affine.load %m[%i, %j] : memref<2x2xf32>
    affine.yield %x, %x, %x : f32, f32, f32
  }
  return %r#0, %r#1, %r#2 : f32, f32, f32
}

// call: @indices 23 3 4
// want: index=1 index=2 index=3 index=23
func.func @indices(%n: index, %a: index, %b: index) -> (index, index, index, index) {
  %c2 = arith.constant 2 : index
  %0:3 = affine.delinearize_index %n into (%c2, %a, %b) : index, index, index
  %1 = affine.linearize_index [%0#0, %0#1, %0#2] by (2, %a, 4) : index
  return %0#0, %0#1, %0#2, %1 : index, index, index, index
}

// call: @parallel_scf 2x3xi32=[[1 2 3][4 5 6]]
// want: 2x3xi32=[[2 4 6][8 10 12]] i32=123456
func.func @parallel_scf(%t: tensor<2x3xi32>) -> (tensor<2x3xi32>, i32) {
  %m = bufferization.to_memref %t : memref<2x3xi32>
  %o = memref.alloc() : memref<2x3xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c3) step (%c1, %c1) {
    %x = memref.load %m[%i, %j] : memref<2x3xi32>
    %y = arith.addi %x, %x : i32
    memref.store %y, %o[%i, %j] : memref<2x3xi32>
  }
  %s = scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c3) step (%c1, %c1) init (%z) -> i32 {
    %x = memref.load %m[%i, %j] : memref<2x3xi32>
    scf.reduce(%x : i32) {
    ^bb0(%a: i32, %b: i32):
      %ten = arith.constant 10 : i32
      %p = arith.muli %a, %ten : i32
      %q = arith.addi %p, %b : i32
      scf.reduce.return %q : i32
    }
  }
  %r = bufferization.to_tensor %o restrict : memref<2x3xi32>
  return %r, %s : tensor<2x3xi32>, i32
}

// call: @forall 4xi32=[1 2 3 4]
// want: 4xi32=[10 11 30 31]
func.func @forall(%t: tensor<4xi32>) -> tensor<4xi32> {
  %r = scf.forall (%i) = (0) to (4) step (2) shared_outs(%o = %t) -> (tensor<4xi32>) {
    %e = tensor.extract %t[%i] : tensor<4xi32>
    %ten = arith.constant 10 : i32
    %one = arith.constant 1 : i32
    %a = arith.muli %e, %ten : i32
    %b = arith.addi %a, %one : i32
    %s = tensor.from_elements %a, %b : tensor<2xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [2] [1] : tensor<2xi32> into tensor<4xi32>
    }
  }
  return %r : tensor<4xi32>
}
