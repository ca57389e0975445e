// What must trap, and near twins that must not.
// call: @load i64=4
// want: error
// call: @load i64=-1
// want: error
// call: @load i64=4611686018427387904
// want: error
// call: @load i64=3
// want: i32=40
// call: @column i64=1 i64=3
// want: error
// call: @column i64=1 i64=2
// want: i32=6
// call: @column i64=2 i64=0
// want: error
// call: @divide i32=7 i32=0
// want: error
// call: @divide i32=-2147483648 i32=-1
// want: i32=-2147483648 i32=0
// call: @asserted i32=1
// want: i32=1
// call: @asserted i32=0
// want: error
// call: @slice i64=2
// want: 2xi32=[3 4]
// call: @slice i64=3
// want: error
// call: @slice i64=-1
// want: error
// call: @deep i64=100000000
// want: error
// call: @deep i64=100
// want: i64=100
// call: @negative i64=-5
// want: error
// call: @step i64=0
// want: error
// call: @step i64=3
// want: i64=4
memref.global "private" constant @g : memref<4xi32> = dense<[10, 20, 30, 40]>
memref.global "private" constant @h : memref<2x3xi32> = dense<[[1, 2, 3], [4, 5, 6]]>
func.func @load(%i: i64) -> i32 {
  %m = memref.get_global @g : memref<4xi32>
  %k = arith.index_cast %i : i64 to index
  %r = memref.load %m[%k] : memref<4xi32>
  return %r : i32
}
func.func @column(%i: i64, %j: i64) -> i32 {
  %m = memref.get_global @h : memref<2x3xi32>
  %k = arith.index_cast %i : i64 to index
  %l = arith.index_cast %j : i64 to index
  %r = memref.load %m[%k, %l] : memref<2x3xi32>
  return %r : i32
}
func.func @divide(%a: i32, %b: i32) -> (i32, i32) {
  %q = arith.divsi %a, %b : i32
  %r = arith.remsi %a, %b : i32
  return %q, %r : i32, i32
}
func.func @asserted(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %ok = arith.cmpi ne, %a, %zero : i32
  cf.assert %ok, "the argument must not be zero"
  return %a : i32
}
func.func @slice(%at: i64) -> tensor<2xi32> {
  %t = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %k = arith.index_cast %at : i64 to index
  %r = tensor.extract_slice %t[%k] [2] [1] : tensor<4xi32> to tensor<2xi32>
  return %r : tensor<2xi32>
}
func.func @deep(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %stop = arith.cmpi sle, %n, %zero : i64
  cf.cond_br %stop, ^end, ^more
^more:
  %less = arith.subi %n, %one : i64
  %r = call @deep(%less) : (i64) -> i64
  %s = arith.addi %r, %one : i64
  return %s : i64
^end:
  return %zero : i64
}
func.func @negative(%n: i64) -> tensor<?xi32> {
  %k = arith.index_cast %n : i64 to index
  %t = tensor.empty(%k) : tensor<?xi32>
  return %t : tensor<?xi32>
}
func.func @step(%s: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k = arith.index_cast %s : i64 to index
  %r = scf.for %i = %c0 to %c10 step %k iter_args(%n = %zero) -> i64 {
    %m = arith.addi %n, %one : i64
    scf.yield %m : i64
  }
  return %r : i64
}
