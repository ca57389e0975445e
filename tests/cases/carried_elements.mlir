// Carried values that are stored to an element which the loop reads, or which two of them share, stay where they are.
// call: @reads_its_element 8xf32=[1 2 3 4 5 6 7 8]
// want: 8xf32=[9.600003 19.200006 28.799992 38.400013 48 57.599983 67.19998 76.800026]
// call: @twice 8xf32=1
// want: 8xf32=[9.600003 9.600003 9.600003 9.600003 9.600003 9.600003 9.600003 9.600003]
func.func @reads_its_element(%C: memref<8xf32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant 0.0 : f32
  %h = arith.constant 0.3 : f32
  %A = memref.alloc() : memref<32xf32>
  linalg.fill ins(%h : f32) outs(%A : memref<32xf32>)
  scf.for %i = %c0 to %c8 step %c1 {
    %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z) -> (f32) {
      %c = memref.load %C[%i] : memref<8xf32>
      %x = memref.load %A[%k] : memref<32xf32>
      %p = arith.mulf %c, %x : f32
      %s = arith.addf %acc, %p : f32
      scf.yield %s : f32
    }
    memref.store %r, %C[%i] : memref<8xf32>
  }
  return %C : memref<8xf32>
}
func.func @twice(%C: memref<8xf32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant 0.0 : f32
  %h = arith.constant 0.3 : f32
  %A = memref.alloc() : memref<32xf32>
  linalg.fill ins(%h : f32) outs(%A : memref<32xf32>)
  scf.for %i = %c0 to %c8 step %c1 {
    %r:2 = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z, %acc2 = %h) -> (f32, f32) {
      %x = memref.load %A[%k] : memref<32xf32>
      %s = arith.addf %acc, %x : f32
      %s2 = arith.mulf %acc2, %x : f32
      scf.yield %s, %s2 : f32, f32
    }
    memref.store %r#1, %C[%i] : memref<8xf32>
    memref.store %r#0, %C[%i] : memref<8xf32>
  }
  return %C : memref<8xf32>
}
