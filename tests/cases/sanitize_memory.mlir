// Reports about memory: each kind, and a near twin that is silent.
// options: --sanitize
//
// call: @never_written 0
// want: f32=2
// call: @never_written 1
// want: f32=1
// report: 111:8 uninitialized
//
// A copy moves what was never written along, whole rows, single elements, through select and calls.
// call: @copied 3
// want: i32=0
// report: 125:8 uninitialized
// call: @copied 2
// want: i32=12
// call: @moved 0
// want: i32=1
// call: @moved 1
// want: i32=1
// report: 145:8 uninitialized
// call: @padded
// want: 6xf32=[0 1 2 3 4 0]
// call: @given_back
// want: 2x2xi32=[[0 0][0 0]]
// report: 163:3 uninitialized
// call: @transposed
// want: 3x2xi32=[[5 0][5 0][5 0]]
// report: 174:3 uninitialized
//
// As an index, a condition, a scalar result, and by a kernel.
// call: @as_index
// want: i32=9
// report: 186:8 uninitialized
// call: @as_condition
// want: i32=2
// report: 195:8 uninitialized
// call: @as_result
// want: i32=0
// report: 205:3 uninitialized
// call: @by_kernel 2x2xf32=[[1 2][3 4]]
// want: 2x2xf32=[[7 10][15 22]]
// report: 209:8 uninitialized
// call: @by_kernel_twin 2x2xf32=[[1 2][3 4]]
// want: 2x2xf32=[[7 10][15 22]]
// call: @lanes 1
// want: 20xi32=[1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1]
// report: 235:10 uninitialized
// call: @lanes 0
// want: 20xi32=[8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8]
// call: @argument 4xi32=[1 2 3 4]
// want: 4xi32=[0 0 3 4]
// report: 245:3 uninitialized
//
// Lives of buffers.
// call: @after_dealloc 1
// want: i32=7
// report: 258:13 use-after-dealloc
// call: @after_dealloc 0
// want: i32=7
// call: @copy_after_dealloc
// want: i32=7
// report: 270:3 use-after-dealloc
// call: @leaks 1
// want: i32=7
// call: @leaks 0
// want: i32=7
// report: 277:8 leak
// call: @handed_on
// want: i32=7
// call: @twice
// want: error
// call: @of_a_view
// want: error
// call: @of_a_global
// want: error
//
// memref.copy between views.
// call: @overlap 4
// want: 8xi32=[1 2 3 4 1 2 3 4]
// call: @overlap 0
// want: 8xi32=[1 2 3 4 5 6 7 8]
// call: @overlap 3
// want: 8xi32=[1 2 3 1 2 3 4 8]
// report: 324:3 copy-overlap
// call: @between
// want: 8xi32=[1 1 3 3 5 5 7 7]
// Alignment, and sizes that do not fit.
// call: @aligned 4
// want: i32=0
// call: @aligned 3
// want: i32=0
// report: 348:3 alignment
// call: @cast 4
// want: index=4
// call: @cast 5
// want: error
// call: @expand 12
// want: index=3
// call: @expand 10
// want: error
// call: @subview 4
// want: index=4
// call: @subview 9
// want: error
func.func @never_written(%i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  %y = arith.addf %x, %v : f32
  memref.dealloc %m : memref<4xf32>
  return %y : f32
}
func.func @copied(%i: index) -> i32 {
  %c2 = arith.constant 2 : index
  %v = arith.constant 6 : i32
  %m = memref.alloc() : memref<4xi32>
  %n = memref.alloc() : memref<4xi32>
  memref.store %v, %m[%c2] : memref<4xi32>
  memref.copy %m, %n : memref<4xi32> to memref<4xi32>
  %x = memref.load %n[%i] : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  memref.dealloc %n : memref<4xi32>
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func private @pass(%x: i32) -> i32 {
  return %x : i32
}
func.func @moved(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %false = arith.constant false
  %m = memref.alloca() : memref<2xi32>
  %n = memref.alloca() : memref<2xi32>
  %zero = arith.constant 0 : i32
  memref.store %zero, %m[%c0] : memref<2xi32>
  %x = memref.load %m[%i] : memref<2xi32>
  %p = func.call @pass(%x) : (i32) -> i32
  memref.store %p, %n[%c1] : memref<2xi32>
  %q = memref.load %n[%c1] : memref<2xi32>
  %s = arith.select %false, %one, %q : i32
  %y = arith.addi %s, %one : i32
  return %y : i32
}
func.func @padded() -> tensor<6xf32> {
  %t = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<6xf32>
  %e = tensor.empty() : tensor<6xf32>
  %c = linalg.copy ins(%p : tensor<6xf32>) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  return %c : tensor<6xf32>
}
func.func @given_back() -> tensor<2x2xi32> {
  %e = tensor.empty() : tensor<2x2xi32>
  %f = tensor.empty() : tensor<2x2xi32>
  %c = linalg.copy ins(%e : tensor<2x2xi32>) outs(%f : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %c : tensor<2x2xi32>
}
func.func @transposed() -> tensor<3x2xi32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<2x3xi32>
  %v = arith.constant 5 : i32
  %row = tensor.empty() : tensor<3xi32>
  %five = linalg.fill ins(%v : i32) outs(%row : tensor<3xi32>) -> tensor<3xi32>
  %half = tensor.insert_slice %five into %e[0, 0] [1, 3] [1, 1] : tensor<3xi32> into tensor<2x3xi32>
  %f = tensor.empty() : tensor<3x2xi32>
  %t = linalg.transpose ins(%half : tensor<2x3xi32>) outs(%f : tensor<3x2xi32>) permutation = [1, 0]
  return %t : tensor<3x2xi32>
}
func.func @as_index() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 9 : i32
  %m = memref.alloca() : memref<2xindex>
  %n = memref.alloca() : memref<2xi32>
  memref.store %v, %n[%c0] : memref<2xi32>
  memref.store %v, %n[%c1] : memref<2xi32>
  memref.store %c1, %m[%c1] : memref<2xindex>
  %i = memref.load %m[%c0] : memref<2xindex>
  %x = memref.load %n[%i] : memref<2xi32>
  return %x : i32
}
func.func @as_condition() -> i32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %m = memref.alloca() : memref<i1>
  %c = memref.load %m[] : memref<i1>
  %x = scf.if %c -> (i32) {
    scf.yield %one : i32
  } else {
    scf.yield %two : i32
  }
  return %x : i32
}
func.func @as_result() -> i32 {
  %m = memref.alloca() : memref<i32>
  %x = memref.load %m[] : memref<i32>
  return %x : i32
}
func.func @by_kernel(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<2x2xf32>
  %r = linalg.matmul ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
func.func @by_kernel_twin(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = linalg.matmul ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// Twenty lanes of which some come from memory that was never written.
func.func @lanes(%k: index) -> tensor<20xi32> {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<20xi32>
  %t = tensor.empty() : tensor<20xi32>
  %first = arith.cmpi eq, %k, %c0 : index
  %s = scf.if %first -> (tensor<20xi32>) {
    %f = linalg.fill ins(%seven : i32) outs(%e : tensor<20xi32>) -> tensor<20xi32>
    scf.yield %f : tensor<20xi32>
  } else {
    scf.yield %e : tensor<20xi32>
  }
  %r = linalg.map ins(%s : tensor<20xi32>) outs(%t : tensor<20xi32>)
  (%x: i32) {
    %y = arith.addi %x, %one : i32
    linalg.yield %y : i32
  }
  return %r : tensor<20xi32>
}
func.func @argument(%out: memref<4xi32>) {
  %m = memref.alloc() : memref<2xi32>
  %s = memref.subview %out[0] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1]>>
  memref.copy %m, %s : memref<2xi32> to memref<2xi32, strided<[1]>>
  memref.dealloc %m : memref<2xi32>
  return
}
func.func @after_dealloc(%k: index) -> i32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i32
  %m = memref.alloc() : memref<4xi32>
  memref.store %v, %m[%c0] : memref<4xi32>
  %early = memref.load %m[%c0] : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  %first = arith.cmpi eq, %k, %c0 : index
  %r = scf.if %first -> (i32) {
    scf.yield %early : i32
  } else {
    %late = memref.load %m[%c0] : memref<4xi32>
    scf.yield %late : i32
  }
  return %r : i32
}
func.func @copy_after_dealloc() -> i32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i32
  %m = memref.alloc() : memref<4xi32>
  %n = memref.alloca() : memref<4xi32>
  memref.store %v, %m[%c0] : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  memref.copy %m, %n : memref<4xi32> to memref<4xi32>
  %r = memref.load %n[%c0] : memref<4xi32>
  return %r : i32
}
func.func @leaks(%k: index) -> i32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i32
  %m = memref.alloc() : memref<4xi32>
  memref.store %v, %m[%c0] : memref<4xi32>
  %r = memref.load %m[%c0] : memref<4xi32>
  %free = arith.cmpi ne, %k, %c0 : index
  scf.if %free {
    memref.dealloc %m : memref<4xi32>
  }
  return %r : i32
}
func.func private @made() -> memref<4xi32> {
  %m = memref.alloc() : memref<4xi32>
  return %m : memref<4xi32>
}
func.func @handed_on() -> i32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i32
  %m = func.call @made() : () -> memref<4xi32>
  memref.store %v, %m[%c0] : memref<4xi32>
  %r = memref.load %m[%c0] : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  return %r : i32
}
func.func @twice() {
  %m = memref.alloc() : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  return
}
func.func @of_a_view() {
  %m = memref.alloca() : memref<4xi8>
  %c1 = arith.constant 1 : index
  %w = memref.view %m[%c1][] : memref<4xi8> to memref<2xi8>
  memref.dealloc %w : memref<2xi8>
  return
}
memref.global "private" @g : memref<2xi32> = dense<[1, 2]>
func.func @of_a_global() {
  %m = memref.get_global @g : memref<2xi32>
  memref.dealloc %m : memref<2xi32>
  return
}
func.func @overlap(%i: index) -> tensor<8xi32> {
  %t = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, 8]> : tensor<8xi32>
  %m = memref.alloc() : memref<8xi32>
  bufferization.materialize_in_destination %t in writable %m : (tensor<8xi32>, memref<8xi32>) -> ()
  %a = memref.subview %m[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  %b = memref.subview %m[%i] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: ?>>
  memref.copy %a, %b : memref<4xi32, strided<[1]>> to memref<4xi32, strided<[1], offset: ?>>
  %r = bufferization.to_tensor %m restrict : memref<8xi32> to tensor<8xi32>
  %c = tensor.empty() : tensor<8xi32>
  %d = linalg.copy ins(%r : tensor<8xi32>) outs(%c : tensor<8xi32>) -> tensor<8xi32>
  memref.dealloc %m : memref<8xi32>
  return %d : tensor<8xi32>
}
func.func @between() -> tensor<8xi32> {
  %t = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, 8]> : tensor<8xi32>
  %m = memref.alloc() : memref<8xi32>
  bufferization.materialize_in_destination %t in writable %m : (tensor<8xi32>, memref<8xi32>) -> ()
  %a = memref.subview %m[0] [4] [2] : memref<8xi32> to memref<4xi32, strided<[2]>>
  %b = memref.subview %m[1] [4] [2] : memref<8xi32> to memref<4xi32, strided<[2], offset: 1>>
  memref.copy %a, %b : memref<4xi32, strided<[2]>> to memref<4xi32, strided<[2], offset: 1>>
  %r = bufferization.to_tensor %m restrict : memref<8xi32> to tensor<8xi32>
  %c = tensor.empty() : tensor<8xi32>
  %d = linalg.copy ins(%r : tensor<8xi32>) outs(%c : tensor<8xi32>) -> tensor<8xi32>
  memref.dealloc %m : memref<8xi32>
  return %d : tensor<8xi32>
}
func.func @aligned(%i: index) -> i32 {
  %m = memref.alloca() : memref<64xi32>
  %z = arith.constant 0 : i32
  %s = memref.subview %m[%i] [4] [1] : memref<64xi32> to memref<4xi32, strided<[1], offset: ?>>
  memref.assume_alignment %s, 16 : memref<4xi32, strided<[1], offset: ?>>
  return %z : i32
}
func.func @cast(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %m = memref.alloca(%n) : memref<?xi32>
  %c = memref.cast %m : memref<?xi32> to memref<4xi32>
  %u = memref.cast %c : memref<4xi32> to memref<?xi32>
  %d = memref.dim %u, %c0 : memref<?xi32>
  return %d : index
}
func.func @expand(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %m = memref.alloca(%n) : memref<?xi32>
  %k = arith.constant 3 : index
  %c = memref.expand_shape %m [[0, 1]] output_shape [%k, 4] : memref<?xi32> into memref<?x4xi32>
  %d = memref.dim %c, %c0 : memref<?x4xi32>
  return %d : index
}
func.func @subview(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<8xi32>
  %c = memref.subview %m[0] [%n] [1] : memref<8xi32> to memref<?xi32, strided<[1]>>
  %d = memref.dim %c, %c0 : memref<?xi32, strided<[1]>>
  return %d : index
}
