// why: Bufferization of the rarer forms: unranked tensors, shared outs, affine loops, regions that give
//      tensors, complex and boolean constants, older spellings.
// call: @unranked 2x3xf32=[[1 2 3][4 5 6]]
// want: i64=2 i64=3 3x2xf32=[[1 2][3 4][5 6]]
// call: @forall 4xi32=[1 2 3 4]
// want: 4xi32=[10 20 30 40] 4xi32=[1 2 3 4]
// call: @affine 4xi32=[1 2 3 4]
// want: 4xi32=[2 3 4 5] 4xi32=[1 2 3 4]
// call: @affine_branch i64=1
// want: 2xi32=[5 5]
// call: @affine_branch i64=-1
// want: 2xi32=[5 9]
// call: @regions i32=4
// want: 2xi32=[9 4] 2xi32=[4 4]
// call: @booleans
// want: 3xi1=[1 1 1] 3xi1=[1 0 1]
// call: @copied 2xi32=[1 2]
// want: 2xi32=[7 2] 2xi32=[1 2] 2xi32=[1 2]
// call: @zero_sized
// want: i64=0
// call: @rank_zero i32=5
// want: i32=6 i32=5
// call: @graph_regions i32=1
// want: 2xi32=[1 8]
// call: @graph_regions i32=0
// want: 2xi32=[0 0]
// call: @older 2xi32=[5 6] 2xi32=[1 2]
// want: 2xi32=[5 2]
// call: @unused 2xi32=[1 2]
// want: 2xi32=[1 2]
func.func @unranked(%t: tensor<2x3xf32>) -> (i64, i64, tensor<3x2xf32>) {
  %c1 = arith.constant 1 : index
  %shape = arith.constant dense<[3, 2]> : tensor<2xindex>
  %u = tensor.cast %t : tensor<2x3xf32> to tensor<*xf32>
  %r = tensor.rank %u : tensor<*xf32>
  %d = tensor.dim %u, %c1 : tensor<*xf32>
  %back = tensor.cast %u : tensor<*xf32> to tensor<2x3xf32>
  %s = tensor.reshape %back(%shape) : (tensor<2x3xf32>, tensor<2xindex>) -> tensor<3x2xf32>
  %ri = arith.index_cast %r : index to i64
  %di = arith.index_cast %d : index to i64
  return %ri, %di, %s : i64, i64, tensor<3x2xf32>
}
func.func @forall(%t: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %c2 = arith.constant 2 : index
  %ten = arith.constant 10 : i32
  %r = scf.forall (%i) in (2) shared_outs(%o = %t) -> (tensor<4xi32>) {
    %at = arith.muli %i, %c2 : index
    %s = tensor.extract_slice %o[%at] [2] [1] : tensor<4xi32> to tensor<2xi32>
    %m = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]} outs(%s : tensor<2xi32>) {
    ^bb0(%x: i32):
      %p = arith.muli %x, %ten : i32
      linalg.yield %p : i32
    } -> tensor<2xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%at] [2] [1] : tensor<2xi32> into tensor<4xi32>
    }
  }
  return %r, %t : tensor<4xi32>, tensor<4xi32>
}
func.func @affine(%t: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %one = arith.constant 1 : i32
  %r = affine.for %i = 0 to 4 iter_args(%a = %t) -> (tensor<4xi32>) {
    %v = tensor.extract %a[%i] : tensor<4xi32>
    %w = arith.addi %v, %one : i32
    %b = tensor.insert %w into %a[%i] : tensor<4xi32>
    affine.yield %b : tensor<4xi32>
  }
  return %r, %t : tensor<4xi32>, tensor<4xi32>
}
func.func @affine_branch(%n: i64) -> tensor<2xi32> {
  %c1 = arith.constant 1 : index
  %five = arith.constant 5 : i32
  %nine = arith.constant 9 : i32
  %t = tensor.from_elements %five, %five : tensor<2xi32>
  %x = arith.index_cast %n : i64 to index
  %r = affine.if affine_set<(d) : (d >= 0)>(%x) -> tensor<2xi32> {
    affine.yield %t : tensor<2xi32>
  } else {
    %u = tensor.insert %nine into %t[%c1] : tensor<2xi32>
    affine.yield %u : tensor<2xi32>
  }
  return %r : tensor<2xi32>
}
func.func @regions(%x: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9 : i32
  %t = tensor.from_elements %x, %x : tensor<2xi32>
  %r = scf.execute_region -> tensor<2xi32> {
    %u = tensor.insert %nine into %t[%c0] : tensor<2xi32>
    scf.yield %u : tensor<2xi32>
  }
  %s = memref.alloca_scope -> (tensor<2xi32>) {
    memref.alloca_scope.return %r : tensor<2xi32>
  }
  return %s, %t : tensor<2xi32>, tensor<2xi32>
}
func.func @booleans() -> (tensor<3xi1>, tensor<3xi1>) {
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  %t = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %u = tensor.insert %yes into %t[%c1] : tensor<3xi1>
  return %u, %t : tensor<3xi1>, tensor<3xi1>
}
func.func @copied(%t: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %a = bufferization.alloc_tensor() copy(%t) : tensor<2xi32>
  %b = tensor.insert %seven into %a[%c0] : tensor<2xi32>
  %e = bufferization.alloc_tensor() : tensor<2xi32>
  %c = linalg.copy ins(%t : tensor<2xi32>) outs(%e : tensor<2xi32>) -> tensor<2xi32>
  return %b, %t, %c : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}
func.func @zero_sized() -> i64 {
  %c0 = arith.constant 0 : index
  %t = tensor.empty() : tensor<0x4xi32>
  %u = tensor.cast %t : tensor<0x4xi32> to tensor<?x4xi32>
  %d = tensor.dim %u, %c0 : tensor<?x4xi32>
  %r = arith.index_cast %d : index to i64
  return %r : i64
}
func.func @rank_zero(%x: i32) -> (tensor<i32>, tensor<i32>) {
  %one = arith.constant 1 : i32
  %t = tensor.from_elements %x : tensor<i32>
  %v = tensor.extract %t[] : tensor<i32>
  %w = arith.addi %v, %one : i32
  %u = tensor.insert %w into %t[] : tensor<i32>
  return %u, %t : tensor<i32>, tensor<i32>
}
// A region of several blocks, one of them never reached.
func.func @graph_regions(%c: i32) -> tensor<2xi32> {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %eight = arith.constant 8 : i32
  %t = tensor.from_elements %c, %c : tensor<2xi32>
  %p = arith.cmpi ne, %c, %z : i32
  %r = scf.execute_region -> tensor<2xi32> {
    cf.cond_br %p, ^write, ^leave(%t : tensor<2xi32>)
  ^write:
    %u = tensor.insert %eight into %t[%c1] : tensor<2xi32>
    cf.br ^leave(%u : tensor<2xi32>)
  ^never:
    %w = tensor.insert %z into %t[%c1] : tensor<2xi32>
    cf.br ^leave(%w : tensor<2xi32>)
  ^leave(%v: tensor<2xi32>):
    scf.yield %v : tensor<2xi32>
  }
  return %r : tensor<2xi32>
}
// Values that nobody reads.
func.func @unused(%t: tensor<2xi32>) -> tensor<2xi32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %u = tensor.insert %z into %t[%c0] : tensor<2xi32>
  %e = tensor.empty() : tensor<2xi32>
  %s = tensor.extract_slice %u[0] [1] [1] : tensor<2xi32> to tensor<1xi32>
  return %t : tensor<2xi32>
}
// Spellings of LLVM 15.
func.func @older(%x: tensor<2xi32>, %m: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %b = bufferization.to_memref %x : memref<2xi32>
  %v = memref.load %b[%c0] : memref<2xi32>
  %t = bufferization.to_tensor %m : memref<2xi32>
  %u = tensor.insert %v into %t[%c0] : tensor<2xi32>
  memref.tensor_store %u, %m : memref<2xi32>
  return
}
