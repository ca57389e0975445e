// Values of a module that calls change; every call here starts with a new context.
util.global private mutable @sum = dense<[2147483647, 5]> : tensor<2xi32>
util.global private mutable @count = 250 : i8
util.global private @scale = 1.5 : f32
util.global private mutable @table : tensor<4xi64>
ml_program.global private mutable @state(dense<3> : tensor<3xi16>) : tensor<3xi16>
ml_program.global public @seed(7 : i64) : i64

// The table is filled before the first function runs, once, in the order of the initialisers.
util.initializer {
  %0 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  util.global.store %0, @table : tensor<4xi64>
  util.return
}
util.initializer {
  %0 = util.global.load @table : tensor<4xi64>
  %1 = arith.muli %0, %0 : tensor<4xi64>
  util.global.store %1, @table : tensor<4xi64>
  util.return
}

// What was loaded keeps its value.
// call: @add 2xi32=[1 -7]
// want: 2xi32=[2147483647 5] 2xi32=[-2147483648 -2]
func.func @add(%a: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0 = util.global.load @sum : tensor<2xi32>
  %1 = arith.addi %0, %a : tensor<2xi32>
  util.global.store %1, @sum : tensor<2xi32>
  %2 = util.global.load @sum : tensor<2xi32>
  return %0, %2 : tensor<2xi32>, tensor<2xi32>
}

// Ten turns wrap an i8.
// call: @counted
// want: i8=4 f32=15
util.func public @counted() -> (i8, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %z) -> f32 {
    util.call @count_one() : () -> ()
    %f = util.global.load immutable @scale : f32
    %t = arith.addf %s, %f : f32
    scf.yield %t : f32
  }
  %n = util.global.load @count : i8
  util.return %n, %r : i8, f32
}
util.func private @count_one() {
  %0 = util.global.load @count : i8
  %c1 = arith.constant 1 : i8
  %1 = arith.addi %0, %c1 : i8
  util.global.store %1, @count : i8
  util.return
}

// call: @squares
// want: 4xi64=[1 4 9 16]
func.func @squares() -> tensor<4xi64> {
  %0 = util.global.load @table : tensor<4xi64>
  return %0 : tensor<4xi64>
}

// call: @states i16=32760
// want: 3xi16=[32763 -32763 32763] i64=7
func.func @states(%x: i16) -> (tensor<3xi16>, i64) {
  %c1 = arith.constant 1 : index
  %0 = ml_program.global_load @state : tensor<3xi16>
  %s = tensor.splat %x : tensor<3xi16>
  %1 = arith.addi %0, %s : tensor<3xi16>
  ml_program.global_store @state = %1 : tensor<3xi16>
  %2 = ml_program.global_load @state : tensor<3xi16>
  %ten = arith.constant 10 : i16
  %e = tensor.extract %2[%c1] : tensor<3xi16>
  %w = arith.addi %e, %ten : i16
  %3 = tensor.insert %w into %2[%c1] : tensor<3xi16>
  ml_program.global_store @state = %3 : tensor<3xi16>
  %4 = ml_program.global_load @state : tensor<3xi16>
  %k = ml_program.global_load_const @seed : i64
  return %4, %k : tensor<3xi16>, i64
}
