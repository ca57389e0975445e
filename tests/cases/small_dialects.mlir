// index, ub, util, check and what little else is left of arith, complex, memref, bufferization and builtin.

// call: @index_ops -9223372036854775808 -1
// want: index=9223372036854775807 index=-9223372036854775807 index=-9223372036854775808 index=-1 index=-9223372036854775808 index=-1 index=-9223372036854775808
// call: @index_ops -7 2
// want: index=-5 index=-9 index=-14 index=2 index=-7 index=-7 index=2
func.func @index_ops(%a: index, %b: index) -> (index, index, index, index, index, index, index) {
  %0 = index.add %a, %b
  %1 = index.sub %a, %b
  %2 = index.mul %a, %b
  %3 = index.maxs %a, %b
  %4 = index.mins %a, %b
  %5 = index.maxu %a, %b
  %6 = index.minu %a, %b
  return %0, %1, %2, %3, %4, %5, %6 : index, index, index, index, index, index, index
}

// call: @quotients -7 2
// want: index=-3 index=9223372036854775804 index=-3 index=9223372036854775805 index=-4 index=-1 index=1
// call: @quotients 9223372036854775807 -1
// want: index=-9223372036854775807 index=0 index=-9223372036854775807 index=1 index=-9223372036854775807 index=0 index=9223372036854775807
func.func @quotients(%a: index, %b: index) -> (index, index, index, index, index, index, index) {
  %0 = index.divs %a, %b
  %1 = index.divu %a, %b
  %2 = index.ceildivs %a, %b
  %3 = index.ceildivu %a, %b
  %4 = index.floordivs %a, %b
  %5 = index.rems %a, %b
  %6 = index.remu %a, %b
  return %0, %1, %2, %3, %4, %5, %6 : index, index, index, index, index, index, index
}

// Shifts by the width or more give 0, or the sign.
// call: @shifts -5 1
// want: index=-10 index=-3 index=9223372036854775805 index=1 index=-6 index=-5
// call: @shifts -5 64
// want: index=0 index=-1 index=0 index=64 index=-69 index=-5
func.func @shifts(%a: index, %b: index) -> (index, index, index, index, index, index) {
  %0 = index.shl %a, %b
  %1 = index.shrs %a, %b
  %2 = index.shru %a, %b
  %3 = index.and %a, %b
  %4 = index.xor %a, %b
  %5 = index.or %a, %b
  return %0, %1, %2, %3, %4, %5 : index, index, index, index, index, index
}

// call: @casts 4294967295 i8=-3
// want: i32=-1 i16=-1 index=-3 index=253 i1=1 i1=0 i1=1 index=64 index=-9223372036854775808
func.func @casts(%a: index, %b: i8) -> (i32, i16, index, index, i1, i1, i1, index, index) {
  %0 = index.casts %a : index to i32
  %1 = index.castu %a : index to i16
  %2 = index.casts %b : i8 to index
  %3 = index.castu %b : i8 to index
  %4 = index.cmp slt(%2, %3)
  %5 = index.cmp ult(%2, %3)
  %6 = index.bool.constant true
  %7 = index.sizeof
  %8 = index.constant -9223372036854775808
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : i32, i16, index, index, i1, i1, i1, index, index
}

// What must not matter is zero.
// call: @poison i32=2147483647
// want: i32=2147483647 2xf32=[0 0]
func.func @poison(%a: i32) -> (i32, tensor<2xf32>) {
  %p = ub.poison : i32
  %0 = arith.addi %a, %p : i32
  %1 = ub.poison : tensor<2xf32>
  return %0, %1 : i32, tensor<2xf32>
}

// call: @unreachable i1=1
// want: error
// call: @unreachable i1=0
// want: i32=7
func.func @unreachable(%c: i1) -> i32 {
  cf.cond_br %c, ^never, ^always
^never:
  ub.unreachable
^always:
  %0 = arith.constant 7 : i32
  return %0 : i32
}

// Checks that hold; the tools' tests have some that do not.
// call: @checks i8=-128 f32=0.1
// want: i8=-128
func.func @checks(%a: i8, %b: f32) -> i8 {
  %one = arith.constant 1 : i8
  %less = arith.subi %a, %one : i8
  %big = arith.constant 127 : i8
  %true = arith.cmpi eq, %less, %big : i8
  %false = arith.cmpi ne, %less, %big : i8
  %t = tensor.from_elements %true, %true : tensor<2xi1>
  %x = tensor.from_elements %less, %a : tensor<2xi8>
  %c = arith.constant dense<[127, -128]> : tensor<2xi8>
  %f = tensor.from_elements %b, %b : tensor<2xf32>
  %sum = arith.addf %f, %f : tensor<2xf32>
  check.expect_true(%true) : i1
  check.expect_false(%false) : i1
  check.expect_all_true(%t) : tensor<2xi1>
  check.expect_eq(%x, %c) : tensor<2xi8>
  check.expect_eq_const(%x, dense<[127, -128]> : tensor<2xi8>) : tensor<2xi8>
  check.expect_almost_eq(%sum, %f, atol 0.2) : tensor<2xf32>
  check.expect_almost_eq_const(%sum, dense<0.20001> : tensor<2xf32>) : tensor<2xf32>
  %0 = util.optimization_barrier %a : i8
  return %0 : i8
}

// call: @more_arith 4xi8=[-1 -128 127 3] 4xi8=[2 -1 127 -3]
// want: 4xi8=[-128 1 1 1] 4xi8=[1 127 -2 0] 4xi1=[1 1 0 1] 4xi8=[-3 -127 0 6] 4xi1=[0 1 0 1]
func.func @more_arith(%a: tensor<4xi8>, %b: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi1>, tensor<4xi8>, tensor<4xi1>) {
  %0 = arith.ceildivui %a, %b : tensor<4xi8>
  %1, %2 = arith.addui_extended %a, %b : tensor<4xi8>, tensor<4xi1>
  %3, %4 = arith.subui_extended %a, %b : tensor<4xi8>, tensor<4xi1>
  return %0, %1, %2, %3, %4 : tensor<4xi8>, tensor<4xi8>, tensor<4xi1>, tensor<4xi8>, tensor<4xi1>
}

// Subnormal numbers lose their digits, not their sign.
// call: @more_floats 4xf32=[1e-40 -1e-40 1.1754944e-38 -0] 2xf16=[1.5 300]
// want: 4xf32=[0 -0 1.1754944e-38 -0] 2xbf16=[1.5 300]
func.func @more_floats(%a: tensor<4xf32>, %b: tensor<2xf16>) -> (tensor<4xf32>, tensor<2xbf16>) {
  %0 = arith.flush_denormals %a : tensor<4xf32>
  %1 = arith.convertf %b : tensor<2xf16> to tensor<2xbf16>
  return %0, %1 : tensor<4xf32>, tensor<2xbf16>
}

// call: @more_complex complex<f32>=(16777216,1) complex<f32>=(1,-0.1)
// want: complex<f32>=(16777216,0.9) complex<f32>=(16777215,1.1)
func.func @more_complex(%a: complex<f32>, %b: complex<f32>) -> (complex<f32>, complex<f32>) {
  %0 = complex.add %a, %b : complex<f32>
  %1 = complex.sub %a, %b : complex<f32>
  return %0, %1 : complex<f32>, complex<f32>
}

// call: @buffers 4xi32=[1 -2 2147483647 4]
// want: 4xi32=[1 -2 2147483647 4] i32=-2147483648
func.func @buffers(%a: memref<4xi32>) -> (memref<4xi32>, i32) {
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  memref.assume_alignment %a, 4 : memref<4xi32>
  memref.prefetch %a[%c2], read, locality<3>, data : memref<4xi32>
  %0 = bufferization.clone %a : memref<4xi32> to memref<4xi32>
  %1 = memref.load %0[%c2] : memref<4xi32>
  %2 = arith.addi %1, %one : i32
  memref.store %2, %a[%c2] : memref<4xi32>
  %3 = memref.load %a[%c2] : memref<4xi32>
  return %0, %3 : memref<4xi32>, i32
}

// A buffer ends unless the condition fails or it is retained; the retained ones say whether they are owned now.
// call: @ends i32=-7 i1=1
// want: i32=-14 i1=1
func.func @ends(%x: i32, %c: i1) -> (i32, i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xi32>
  %b = memref.alloc() : memref<1xi32>
  memref.store %x, %a[%c0] : memref<1xi32>
  memref.store %x, %b[%c0] : memref<1xi32>
  %u = memref.load %b[%c0] : memref<1xi32>
  %0 = bufferization.dealloc (%a, %b : memref<1xi32>, memref<1xi32>) if (%c, %c) retain (%a : memref<1xi32>)
  %v = memref.load %a[%c0] : memref<1xi32>
  %1 = arith.addi %u, %v : i32
  %t = bufferization.alloc_tensor() : tensor<2xi32>
  bufferization.dealloc_tensor %t : tensor<2xi32>
  return %1, %0 : i32, i1
}

// call: @same i32=5
// want: i32=5
func.func @same(%x: i32) -> i32 {
  %0 = builtin.unrealized_conversion_cast %x : i32 to i32
  return %0 : i32
}

// call: @vectors 5xf32=[0.1 0.2 0.3 0.4 0.5] 1
// want: 5xf32=[0.1 0.4 0.6 0.4 0.5]
func.func @vectors(%m: memref<5xf32>, %i: index) -> memref<5xf32> {
  %0 = affine.vector_load %m[%i] : memref<5xf32>, vector<2xf32>
  %1 = arith.addf %0, %0 : vector<2xf32>
  affine.vector_store %1, %m[%i] : memref<5xf32>, vector<2xf32>
  %r = memref.alloc() : memref<5xf32>
  memref.copy %m, %r : memref<5xf32> to memref<5xf32>
  return %r : memref<5xf32>
}

// call: @turned 2x3xf32=[[0.1 -0 nan][1e-45 inf 3]] 3xi8=[-128 127 5]
// want: 3x2xf32=[[0.1 1e-45][-0 inf][nan 3]] 3x2xi8=[[-128 -128][127 127][5 5]]
func.func @turned(%a: tensor<2x3xf32>, %b: tensor<3xi8>) -> (tensor<3x2xf32>, tensor<3x2xi8>) {
  %0 = tensor.empty() : tensor<3x2xf32>
  %1 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%0 : tensor<3x2xf32>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<3x2xi8>
  %3 = linalg.broadcast ins(%b : tensor<3xi8>) outs(%2 : tensor<3x2xi8>) dimensions = [1]
  return %1, %3 : tensor<3x2xf32>, tensor<3x2xi8>
}
