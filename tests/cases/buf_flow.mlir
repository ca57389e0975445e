// why: Tensors carried by loops, branches, graphs and calls: who owns the memory when a value is yielded
//      twice, crosswise, captured, or handed back.
// call: @swap i64=3 i32=1 i32=2
// want: 2xi32=[2 2] 2xi32=[1 1]
// call: @swap i64=4 i32=1 i32=2
// want: 2xi32=[1 1] 2xi32=[2 2]
// call: @swap_and_write i64=3 i32=10 i32=20
// want: 2xi32=[20 21] 2xi32=[12 10]
// call: @captured i32=7
// want: i32=27 2xi32=[7 7]
// call: @captured_dead i32=7
// want: i32=24
// call: @one_init_twice i64=3 i32=5
// want: 2xi32=[8 5] 2xi32=[5 5]
// call: @one_init_twice i64=0 i32=5
// want: 2xi32=[5 5] 2xi32=[5 5]
// call: @yield_twice i64=2 i32=5
// want: 2xi32=[7 5] 2xi32=[5 100]
// call: @if_in_loop i64=5
// want: 5xi32=[0 10 2 30 4]
// call: @branch_keeps i32=1
// want: 2xi32=[9 1] 2xi32=[1 1]
// call: @branch_keeps i32=0
// want: 2xi32=[0 0] 2xi32=[0 0]
// call: @while_loop i32=4
// want: 2xi32=[16 4] 2xi32=[1 0]
// call: @while_loop i32=0
// want: 2xi32=[1 0] 2xi32=[1 0]
// call: @graph i64=3 i32=1 i32=2
// want: 2xi32=[3 2] 2xi32=[3 1]
// call: @graph i64=0 i32=1 i32=2
// want: 2xi32=[1 1] 2xi32=[2 2]
// call: @graph_two_exits i32=1 i32=4
// want: 2xi32=[9 4] i32=4
// call: @graph_two_exits i32=0 i32=4
// want: 2xi32=[4 4] i32=4
// call: @calls 2xi32=[1 2]
// want: 2xi32=[50 2] 2xi32=[1 2] 2xi32=[50 2] 2xi32=[1 2] 2xi32=[60 8] 2xi32=[7 8]
// call: @indirect 2xi32=[1 2]
// want: 2xi32=[50 2] 2xi32=[1 2]
// call: @recursive i64=3 2xi32=[0 0]
// want: 2xi32=[3 6] 2xi32=[0 0]
// call: @switch i64=0 i32=3
// want: 2xi32=[9 3] 2xi32=[3 3]
// call: @switch i64=1 i32=3
// want: 2xi32=[3 9] 2xi32=[3 3]
// call: @switch i64=7 i32=3
// want: 2xi32=[3 3] 2xi32=[3 3]
// call: @nested i64=3
// want: 3x3xi64=[[0 1 2][1 2 3][2 3 4]] 3x3xi64=[[0 0 0][0 0 0][0 0 0]]
// call: @old_turn i64=4
// want: 2xi64=[3 0] 2xi64=[2 0]
func.func @swap(%n: i64, %x: i32, %y: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i64 to index
  %a0 = tensor.from_elements %x, %x : tensor<2xi32>
  %b0 = tensor.from_elements %y, %y : tensor<2xi32>
  %r:2 = scf.for %i = %c0 to %end step %c1 iter_args(%a = %a0, %b = %b0) -> (tensor<2xi32>, tensor<2xi32>) {
    scf.yield %b, %a : tensor<2xi32>, tensor<2xi32>
  }
  return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
}
func.func @swap_and_write(%n: i64, %x: i32, %y: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %end = arith.index_cast %n : i64 to index
  %a0 = tensor.from_elements %x, %x : tensor<2xi32>
  %b0 = tensor.from_elements %y, %y : tensor<2xi32>
  %r:2 = scf.for %i = %c0 to %end step %c1 iter_args(%a = %a0, %b = %b0) -> (tensor<2xi32>, tensor<2xi32>) {
    %p = arith.remui %i, %c2 : index
    %v = tensor.extract %a[%p] : tensor<2xi32>
    %w = arith.addi %v, %one : i32
    %a2 = tensor.insert %w into %a[%p] : tensor<2xi32>
    scf.yield %b, %a2 : tensor<2xi32>, tensor<2xi32>
  }
  return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
}
// The insert is into the same captured value each turn: no turn sees what another wrote.
func.func @captured(%x: i32) -> (i32, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i32
  %t = tensor.from_elements %x, %x : tensor<2xi32>
  %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %z) -> (i32) {
    %k = arith.index_cast %i : index to i32
    %old = tensor.extract %t[%c0] : tensor<2xi32>
    %w = arith.addi %old, %k : i32
    %u = tensor.insert %w into %t[%c0] : tensor<2xi32>
    %v = tensor.extract %u[%c0] : tensor<2xi32>
    %n = arith.addi %acc, %v : i32
    scf.yield %n : i32
  }
  %three = arith.constant 3 : i32
  %r = arith.addi %s, %three : i32
  return %r, %t : i32, tensor<2xi32>
}
// The captured value has no use behind the loop, but each turn starts from it.
func.func @captured_dead(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = tensor.from_elements %x, %x : tensor<2xi32>
  %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %z) -> (i32) {
    %old = tensor.extract %t[%c0] : tensor<2xi32>
    %w = arith.addi %old, %one : i32
    %u = tensor.insert %w into %t[%c0] : tensor<2xi32>
    %v = tensor.extract %u[%c0] : tensor<2xi32>
    %n = arith.addi %acc, %v : i32
    scf.yield %n : i32
  }
  return %s : i32
}
func.func @one_init_twice(%n: i64, %x: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %end = arith.index_cast %n : i64 to index
  %t = tensor.from_elements %x, %x : tensor<2xi32>
  %r:2 = scf.for %i = %c0 to %end step %c1 iter_args(%a = %t, %b = %t) -> (tensor<2xi32>, tensor<2xi32>) {
    %v = tensor.extract %a[%c0] : tensor<2xi32>
    %w = arith.addi %v, %one : i32
    %a2 = tensor.insert %w into %a[%c0] : tensor<2xi32>
    scf.yield %a2, %b : tensor<2xi32>, tensor<2xi32>
  }
  return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
}
// One value is yielded to both carried tensors, each of which is written in the next turn.
func.func @yield_twice(%n: i64, %x: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %hundred = arith.constant 100 : i32
  %end = arith.index_cast %n : i64 to index
  %t = tensor.from_elements %x, %x : tensor<2xi32>
  %u = tensor.from_elements %x, %x : tensor<2xi32>
  %r:2 = scf.for %i = %c0 to %end step %c1 iter_args(%a = %t, %b = %u) -> (tensor<2xi32>, tensor<2xi32>) {
    %v = tensor.extract %a[%c0] : tensor<2xi32>
    %w = arith.addi %v, %one : i32
    %a2 = tensor.insert %w into %a[%c0] : tensor<2xi32>
    scf.yield %a2, %a2 : tensor<2xi32>, tensor<2xi32>
  }
  %v1 = tensor.insert %hundred into %r#1[%c1] : tensor<2xi32>
  %v2 = tensor.insert %x into %v1[%c0] : tensor<2xi32>
  return %r#0, %v2 : tensor<2xi32>, tensor<2xi32>
}
func.func @if_in_loop(%n: i64) -> tensor<5xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ten = arith.constant 10 : i32
  %end = arith.index_cast %n : i64 to index
  %t = arith.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%a = %t) -> (tensor<5xi32>) {
    %p = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %p, %c1 : index
    %q = scf.if %odd -> (tensor<5xi32>) {
      %v = tensor.extract %a[%i] : tensor<5xi32>
      %w = arith.muli %v, %ten : i32
      %u = tensor.insert %w into %a[%i] : tensor<5xi32>
      scf.yield %u : tensor<5xi32>
    } else {
      scf.yield %a : tensor<5xi32>
    }
    scf.yield %q : tensor<5xi32>
  }
  return %r : tensor<5xi32>
}
func.func @branch_keeps(%c: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %nine = arith.constant 9 : i32
  %p = arith.cmpi ne, %c, %z : i32
  %t = tensor.from_elements %c, %c : tensor<2xi32>
  %r = scf.if %p -> (tensor<2xi32>) {
    %u = tensor.insert %nine into %t[%c0] : tensor<2xi32>
    scf.yield %u : tensor<2xi32>
  } else {
    scf.yield %t : tensor<2xi32>
  }
  return %r, %t : tensor<2xi32>, tensor<2xi32>
}
func.func @while_loop(%n: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = tensor.from_elements %one, %z : tensor<2xi32>
  %r = scf.while (%a = %t) : (tensor<2xi32>) -> tensor<2xi32> {
    %k = tensor.extract %a[%c1] : tensor<2xi32>
    %go = arith.cmpi slt, %k, %n : i32
    scf.condition(%go) %a : tensor<2xi32>
  } do {
  ^bb0(%a: tensor<2xi32>):
    %v = tensor.extract %a[%c0] : tensor<2xi32>
    %k = tensor.extract %a[%c1] : tensor<2xi32>
    %v2 = arith.addi %v, %v : i32
    %k2 = arith.addi %k, %one : i32
    %a2 = tensor.insert %v2 into %a[%c0] : tensor<2xi32>
    %a3 = tensor.insert %k2 into %a2[%c1] : tensor<2xi32>
    scf.yield %a3 : tensor<2xi32>
  }
  return %r, %t : tensor<2xi32>, tensor<2xi32>
}
// Block arguments change places at each turn, and one is written on the way.
func.func @graph(%n: i64, %x: i32, %y: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %end = arith.index_cast %n : i64 to index
  %a0 = tensor.from_elements %x, %x : tensor<2xi32>
  %b0 = tensor.from_elements %y, %y : tensor<2xi32>
  cf.br ^head(%c0, %a0, %b0 : index, tensor<2xi32>, tensor<2xi32>)
^head(%i: index, %a: tensor<2xi32>, %b: tensor<2xi32>):
  %more = arith.cmpi slt, %i, %end : index
  cf.cond_br %more, ^body, ^exit(%a, %b : tensor<2xi32>, tensor<2xi32>)
^body:
  %v = tensor.extract %a[%c0] : tensor<2xi32>
  %w = arith.addi %v, %one : i32
  %a2 = tensor.insert %w into %a[%c0] : tensor<2xi32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %b, %a2 : index, tensor<2xi32>, tensor<2xi32>)
^exit(%ra: tensor<2xi32>, %rb: tensor<2xi32>):
  return %ra, %rb : tensor<2xi32>, tensor<2xi32>
}
func.func @graph_two_exits(%c: i32, %x: i32) -> (tensor<2xi32>, i32) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %nine = arith.constant 9 : i32
  %p = arith.cmpi ne, %c, %z : i32
  %t = tensor.from_elements %x, %x : tensor<2xi32>
  cf.cond_br %p, ^write(%t : tensor<2xi32>), ^join(%t : tensor<2xi32>)
^write(%a: tensor<2xi32>):
  %u = tensor.insert %nine into %a[%c0] : tensor<2xi32>
  cf.br ^join(%u : tensor<2xi32>)
^join(%r: tensor<2xi32>):
  %old = tensor.extract %t[%c0] : tensor<2xi32>
  return %r, %old : tensor<2xi32>, i32
}
func.func private @same(%x: tensor<2xi32>) -> tensor<2xi32> {
  return %x : tensor<2xi32>
}
func.func private @both(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  return %x, %x : tensor<2xi32>, tensor<2xi32>
}
func.func private @fixed() -> tensor<2xi32> {
  %t = arith.constant dense<[7, 8]> : tensor<2xi32>
  return %t : tensor<2xi32>
}
func.func @calls(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %fifty = arith.constant 50 : i32
  %sixty = arith.constant 60 : i32
  %a = func.call @same(%x) : (tensor<2xi32>) -> tensor<2xi32>
  %a2 = tensor.insert %fifty into %a[%c0] : tensor<2xi32>
  %b:2 = func.call @both(%x) : (tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  %b2 = tensor.insert %fifty into %b#0[%c0] : tensor<2xi32>
  %c = func.call @fixed() : () -> tensor<2xi32>
  %c2 = tensor.insert %sixty into %c[%c0] : tensor<2xi32>
  %d = func.call @fixed() : () -> tensor<2xi32>
  return %a2, %x, %b2, %b#1, %c2, %d : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}
func.func @indirect(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %fifty = arith.constant 50 : i32
  %f = func.constant @same : (tensor<2xi32>) -> tensor<2xi32>
  %a = func.call_indirect %f(%x) : (tensor<2xi32>) -> tensor<2xi32>
  %a2 = tensor.insert %fifty into %a[%c0] : tensor<2xi32>
  return %a2, %x : tensor<2xi32>, tensor<2xi32>
}
func.func @recursive(%n: i64, %x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %stop = arith.cmpi eq, %n, %z : i64
  %r = scf.if %stop -> (tensor<2xi32>) {
    scf.yield %x : tensor<2xi32>
  } else {
    %m = arith.subi %n, %one : i64
    %k = arith.trunci %n : i64 to i32
    %i = arith.constant 1 : i32
    %a = tensor.extract %x[%c0] : tensor<2xi32>
    %b = tensor.extract %x[%c1] : tensor<2xi32>
    %a1 = arith.addi %a, %i : i32
    %b1 = arith.addi %b, %k : i32
    %y = tensor.insert %a1 into %x[%c0] : tensor<2xi32>
    %w = tensor.insert %b1 into %y[%c1] : tensor<2xi32>
    %q:2 = func.call @recursive(%m, %w) : (i64, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    scf.yield %q#0 : tensor<2xi32>
  }
  return %r, %x : tensor<2xi32>, tensor<2xi32>
}
func.func @switch(%n: i64, %x: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nine = arith.constant 9 : i32
  %t = tensor.from_elements %x, %x : tensor<2xi32>
  %k = arith.index_cast %n : i64 to index
  %r = scf.index_switch %k -> tensor<2xi32>
  case 0 {
    %u = tensor.insert %nine into %t[%c0] : tensor<2xi32>
    scf.yield %u : tensor<2xi32>
  }
  case 1 {
    %u = tensor.insert %nine into %t[%c1] : tensor<2xi32>
    scf.yield %u : tensor<2xi32>
  }
  default {
    scf.yield %t : tensor<2xi32>
  }
  return %r, %t : tensor<2xi32>, tensor<2xi32>
}
// The inner loop starts from the outer carried tensor, whose first value is still wanted at the end.
func.func @nested(%n: i64) -> (tensor<3x3xi64>, tensor<3x3xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i64 to index
  %z = arith.constant 0 : i64
  %e = tensor.empty() : tensor<3x3xi64>
  %t = linalg.fill ins(%z : i64) outs(%e : tensor<3x3xi64>) -> tensor<3x3xi64>
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%a = %t) -> (tensor<3x3xi64>) {
    %q = scf.for %j = %c0 to %end step %c1 iter_args(%b = %a) -> (tensor<3x3xi64>) {
      %s = arith.addi %i, %j : index
      %v = arith.index_cast %s : index to i64
      %u = tensor.insert %v into %b[%i, %j] : tensor<3x3xi64>
      scf.yield %u : tensor<3x3xi64>
    }
    scf.yield %q : tensor<3x3xi64>
  }
  return %r, %t : tensor<3x3xi64>, tensor<3x3xi64>
}
// The value of the turn before is carried beside the new one.
func.func @old_turn(%n: i64) -> (tensor<2xi64>, tensor<2xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i64 to index
  %z = arith.constant 0 : i64
  %t = tensor.from_elements %z, %z : tensor<2xi64>
  %r:2 = scf.for %i = %c0 to %end step %c1 iter_args(%a = %t, %old = %t) -> (tensor<2xi64>, tensor<2xi64>) {
    %v = arith.index_cast %i : index to i64
    %u = tensor.insert %v into %a[%c0] : tensor<2xi64>
    scf.yield %u, %a : tensor<2xi64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<2xi64>, tensor<2xi64>
}
