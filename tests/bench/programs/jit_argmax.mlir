// Calls @scf of argmax.mlir twenty times and prints the seconds of each call, for mlir-cpu-runner.  $M rows of $N.
func.func private @rtclock() -> f64
func.func private @printF64(f64)
func.func private @printNewline()
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %times = arith.constant 20 : index
  %m = arith.constant $M : index
  %n = arith.constant $N : index
  %one = arith.constant 1.0 : f32
  %x = memref.alloc() : memref<$Mx$Nxf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %one, %x[%i, %j] : memref<$Mx$Nxf32>
    }
  }
  scf.for %k = %c0 to %times step %c1 {
    %t0 = func.call @rtclock() : () -> f64
    %v:2 = func.call @scf(%x) : (memref<$Mx$Nxf32>) -> (memref<$Mx1xf32>, memref<$Mx1xi64>)
    %t1 = func.call @rtclock() : () -> f64
    memref.dealloc %v#0 : memref<$Mx1xf32>
    memref.dealloc %v#1 : memref<$Mx1xi64>
    %d = arith.subf %t1, %t0 : f64
    func.call @printF64(%d) : (f64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
