// Vectors as values of functions, loops, branches and choices; a scalable one is refused.
// call: @loops 4xi32=[1 2 3 2147483647] index=3
// want: 4xi32=[4 7 10 2147483646] 4xi32=[1 2 3 2147483647] i32=2147483643
// call: @loops 4xi32=[1 2 3 4] index=0
// want: 4xi32=[1 1 1 1] 4xi32=[1 2 3 4] i32=10
// call: @branches 4xi32=[5 -6 7 8] i1=1
// want: 4xi32=[10 -12 14 16]
// call: @branches 4xi32=[5 -6 7 8] i1=0
// want: 4xi32=[-5 6 -7 -8]
// call: @choices 4xi32=[5 -6 7 -2147483648] i1=0
// want: 4xi32=[-5 6 -7 -2147483648] 4xi32=[5 6 7 -2147483648]
// call: @whiles 2xf32=[0.1 3]
// want: 2xf32=[0.8 24] index=3
// call: @recursive 2xi8=[100 -3] index=2
// want: 2xi8=[-112 -12]
// call: @signed 4xui8=[200 1 2 255]
// want: 4xui8=[200 1 2 255]
func.func @loops(%v: vector<4xi32>, %n: index) -> (vector<4xi32>, vector<4xi32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1> : vector<4xi32>
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %one) -> vector<4xi32> {
    %next = arith.addi %s, %v : vector<4xi32>
    scf.yield %next : vector<4xi32>
  }
  %lane = vector.reduction <add>, %v, %zero : vector<4xi32> into i32
  %carry = arith.cmpi sgt, %lane, %zero : i32
  %ext = arith.extui %carry : i1 to i32
  %x = arith.subi %lane, %ext : i32
  %y = arith.addi %x, %ext : i32
  %five = arith.constant 10 : i32
  %is = arith.cmpi eq, %y, %five : i32
  %overflowed = arith.subi %y, %five : i32
  %r = arith.select %is, %y, %overflowed : i32
  return %sum, %v, %r : vector<4xi32>, vector<4xi32>, i32
}
func.func private @twice(%v: vector<4xi32>) -> vector<4xi32> {
  %two = arith.constant dense<2> : vector<4xi32>
  %r = arith.muli %v, %two : vector<4xi32>
  return %r : vector<4xi32>
}
func.func @branches(%v: vector<4xi32>, %c: i1) -> vector<4xi32> {
  %zero = arith.constant dense<0> : vector<4xi32>
  cf.cond_br %c, ^double(%v : vector<4xi32>), ^negate
^double(%a: vector<4xi32>):
  %d = call @twice(%a) : (vector<4xi32>) -> vector<4xi32>
  cf.br ^end(%d : vector<4xi32>)
^negate:
  %n = arith.subi %zero, %v : vector<4xi32>
  cf.br ^end(%n : vector<4xi32>)
^end(%r: vector<4xi32>):
  return %r : vector<4xi32>
}
func.func @choices(%v: vector<4xi32>, %c: i1) -> (vector<4xi32>, vector<4xi32>) {
  %zero = arith.constant dense<0> : vector<4xi32>
  %n = arith.subi %zero, %v : vector<4xi32>
  %r = arith.select %c, %v, %n : vector<4xi32>
  %positive = arith.cmpi sgt, %v, %zero : vector<4xi32>
  %abs = arith.select %positive, %v, %n : vector<4xi1>, vector<4xi32>
  return %r, %abs : vector<4xi32>, vector<4xi32>
}
func.func @whiles(%v: vector<2xf32>) -> (vector<2xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %limit = arith.constant 20.0 : f32
  %r:2 = scf.while (%a = %v, %n = %c0) : (vector<2xf32>, index) -> (vector<2xf32>, index) {
    %x = vector.extract %a[1] : f32 from vector<2xf32>
    %more = arith.cmpf olt, %x, %limit : f32
    scf.condition(%more) %a, %n : vector<2xf32>, index
  } do {
  ^bb0(%a: vector<2xf32>, %n: index):
    %b = arith.addf %a, %a : vector<2xf32>
    %m = arith.addi %n, %c1 : index
    scf.yield %b, %m : vector<2xf32>, index
  }
  return %r#0, %r#1 : vector<2xf32>, index
}
func.func @recursive(%v: vector<2xi8>, %n: index) -> vector<2xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> vector<2xi8> {
    scf.yield %v : vector<2xi8>
  } else {
    %w = arith.addi %v, %v : vector<2xi8>
    %m = arith.subi %n, %c1 : index
    %s = func.call @recursive(%w, %m) : (vector<2xi8>, index) -> vector<2xi8>
    scf.yield %s : vector<2xi8>
  }
  return %r : vector<2xi8>
}
func.func @signed(%v: vector<4xui8>) -> vector<4xui8> {
  %0 = vector.shape_cast %v : vector<4xui8> to vector<2x2xui8>
  %1 = vector.transpose %0, [0, 1] : vector<2x2xui8> to vector<2x2xui8>
  %2 = vector.shape_cast %1 : vector<2x2xui8> to vector<4xui8>
  return %2 : vector<4xui8>
}
