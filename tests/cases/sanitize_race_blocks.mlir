// Races: many blocks, blocks that come where others stood, many levels of loops, several readers.
// options: --sanitize=race
//
// Each call has a block of its own, all of them alive at once; turn by turn they come again at the same places.
func.func private @deep(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = memref.alloc() : memref<4xi32>
  memref.store %one, %m[%c0] : memref<4xi32>
  %last = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %last -> (i32) {
    scf.yield %zero : i32
  } else {
    %k = arith.subi %n, %c1 : index
    %q = func.call @deep(%k) : (index) -> i32
    scf.yield %q : i32
  }
  %x = memref.load %m[%c0] : memref<4xi32>
  %s = arith.addi %r, %x : i32
  memref.dealloc %m : memref<4xi32>
  return %s : i32
}
// call: @many_blocks 40 4xi32=0
// want: 4xi32=[41 41 41 41]
func.func @many_blocks(%n: index, %out: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %s = func.call @deep(%n) : (index) -> i32
    memref.store %s, %out[%i] : memref<4xi32>
  }
  return
}
// A block of another size where one stood in an earlier turn.
// call: @other_blocks 4xi32=0
// want: 4xi32=[1 1 1 1]
func.func @other_blocks(%out: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %n = arith.addi %i, %c1 : index
    %m = memref.alloc(%n) : memref<?xi32>
    memref.store %one, %m[%i] : memref<?xi32>
    %x = memref.load %m[%i] : memref<?xi32>
    memref.store %x, %out[%i] : memref<4xi32>
    memref.dealloc %m : memref<?xi32>
  }
  return
}
// Loops inside of loops: past the levels that are watched nothing is said, and nothing breaks.
func.func private @nest(%n: index, %m: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.index_cast %n : index to i32
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    %more = arith.cmpi ne, %n, %c0 : index
    scf.if %more {
      %k = arith.subi %n, %c1 : index
      func.call @nest(%k, %m) : (index, memref<1xi32>) -> ()
    }
    memref.store %v, %m[%c0] : memref<1xi32>
  }
  return
}
// call: @levels 20 1xi32=0
// want: 1xi32=20
func.func @levels(%n: index, %m: memref<1xi32>) {
  call @nest(%n, %m) : (index, memref<1xi32>) -> ()
  return
}
// One turn writes what three others have read, or what one has.
// call: @readers 3 1xi32=5
// want: 1xi32=7
// report: 95:7 race
// call: @readers 1 1xi32=5
// want: 1xi32=7
// report: 92:10 race
// report: 95:7 race
// call: @readers 4 1xi32=5
// want: 1xi32=5
func.func @readers(%writer: index, %m: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %seven = arith.constant 7 : i32
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %x = memref.load %m[%c0] : memref<1xi32>
    %mine = arith.cmpi eq, %i, %writer : index
    scf.if %mine {
      memref.store %seven, %m[%c0] : memref<1xi32>
    }
  }
  return
}
