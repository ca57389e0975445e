// Random graphs of blocks, many irreducible, with parallel copies on every edge; answers from a walk of the graph in Python.
// call: @f0 -2 4
// want: i64=2
// call: @f0 -4 3
// want: i64=0
// call: @f0 4 2
// want: i64=8
func.func @f0(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 4 : i64
  %k1 = arith.constant -5 : i64
  %k2 = arith.constant 3 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.addi %k0, %b0_0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^x0, ^bb6(%k0, %k1, %k0 : i64, i64, i64)
^x0:
  %c0 = arith.cmpi slt, %v0_0, %b0_1 : i64
  cf.cond_br %c0, ^bb5(%b0_0 : i64), ^bb1(%b0_1, %k0, %k1, %v0_0 : i64, i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64, %b1_3: i64):
  %v1_0 = arith.maxsi %b1_0, %k0 : i64
  %v1_1 = arith.subi %k0, %b1_2 : i64
  %v1_2 = arith.subi %b0_1, %b1_0 : i64
  %v1_3 = arith.subi %b1_2, %k1 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb6(%b0_1, %b1_2, %v1_3 : i64, i64, i64)
^x1:
  cf.switch %v1_2 : i64, [ default: ^bb6(%k2, %k1, %b1_3 : i64, i64, i64), -2: ^bb6(%b0_0, %v0_0, %k1 : i64, i64, i64), -1: ^bb5(%v1_1 : i64), 0: ^bb1(%b1_3, %k0, %b1_3, %b0_0 : i64, i64, i64, i64), 1: ^bb4(%v1_0, %b1_2, %b1_0, %v1_2, %v0_0 : i64, i64, i64, i64, i64), 2: ^bb4(%b1_3, %b1_1, %v0_0, %b0_1, %b0_0 : i64, i64, i64, i64, i64) ]
^bb2(%b2_0: i64):
  %v2_0 = arith.subi %k0, %b0_1 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb6(%v2_0, %v0_0, %v2_0 : i64, i64, i64)
^x2:
  %c2 = arith.cmpi slt, %v2_0, %b2_0 : i64
  cf.cond_br %c2, ^bb3(%k1 : i64), ^bb1(%b2_0, %k2, %v0_0, %k2 : i64, i64, i64, i64)
^bb3(%b3_0: i64):
  %v3_0 = arith.addi %b3_0, %b0_1 : i64
  %v3_1 = arith.maxsi %v0_0, %v0_0 : i64
  %v3_2 = arith.muli %v3_0, %v3_0 : i64
  %v3_3 = arith.addi %k1, %b0_1 : i64
  %v3_4 = arith.xori %v3_3, %k1 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^bb6(%v3_2, %v3_3, %v3_0 : i64, i64, i64), ^bb6(%v3_4, %v3_4, %b0_1 : i64, i64, i64)
^bb4(%b4_0: i64, %b4_1: i64, %b4_2: i64, %b4_3: i64, %b4_4: i64):
  %v4_0 = arith.xori %b4_4, %v0_0 : i64
  %v4_1 = arith.addi %b4_1, %v0_0 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^x4, ^bb6(%b4_3, %k1, %b4_1 : i64, i64, i64)
^x4:
  %c4 = arith.cmpi sge, %b4_1, %k1 : i64
  cf.cond_br %c4, ^bb1(%b0_0, %v4_1, %b0_1, %k2 : i64, i64, i64, i64), ^bb6(%b0_0, %b4_0, %b4_0 : i64, i64, i64)
^bb5(%b5_0: i64):
  %v5_0 = arith.xori %b0_1, %k2 : i64
  %v5_1 = arith.subi %b5_0, %b0_1 : i64
  %v5_2 = arith.xori %v0_0, %b5_0 : i64
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  %z5 = arith.cmpi slt, %g5, %lim : i64
  cf.cond_br %z5, ^x5, ^bb6(%k2, %k1, %k2 : i64, i64, i64)
^x5:
  %c5 = arith.cmpi eq, %v5_2, %k2 : i64
  cf.cond_br %c5, ^bb2(%b0_0 : i64), ^bb6(%b0_0, %k0, %v5_0 : i64, i64, i64)
^bb6(%b6_0: i64, %b6_1: i64, %b6_2: i64):
  %v6_0 = arith.addi %k2, %b6_0 : i64
  %v6_1 = arith.maxsi %v0_0, %v6_0 : i64
  %f6 = memref.load %cnt[] : memref<i64>
  %g6 = arith.addi %f6, %one : i64
  memref.store %g6, %cnt[] : memref<i64>
  return %v0_0 : i64
}
// call: @f1 4 -2
// want: i64=4
// call: @f1 4 -2
// want: i64=4
// call: @f1 4 4
// want: i64=4
func.func @f1(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant -2 : i64
  %k1 = arith.constant 2 : i64
  %k2 = arith.constant -3 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^x0, ^bb7(%b0_1 : i64)
^x0:
  %c0 = arith.cmpi slt, %k2, %b0_1 : i64
  cf.cond_br %c0, ^bb1(%k0, %k0, %b0_1, %k1 : i64, i64, i64, i64), ^bb5(%k0 : i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64, %b1_3: i64):
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb7(%b1_1 : i64)
^x1:
  %c1 = arith.cmpi ult, %b1_2, %b1_2 : i64
  cf.cond_br %c1, ^bb2(%b0_1 : i64), ^bb3(%b1_0, %b1_2, %k1, %k1 : i64, i64, i64, i64)
^bb2(%b2_0: i64):
  %v2_0 = arith.muli %k0, %k1 : i64
  %v2_1 = arith.addi %b2_0, %k2 : i64
  %v2_2 = arith.muli %v2_1, %k2 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb7(%k0 : i64)
^x2:
  cf.switch %k2 : i64, [ default: ^bb2(%v2_2 : i64), -2: ^bb2(%v2_2 : i64), -1: ^bb1(%v2_2, %b0_1, %k1, %b0_1 : i64, i64, i64, i64), 0: ^bb5(%b2_0 : i64) ]
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64, %b3_3: i64):
  %v3_0 = arith.subi %b3_3, %b3_3 : i64
  %v3_1 = arith.maxsi %b3_0, %b0_0 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb7(%b0_0 : i64)
^x3:
  cf.switch %b3_0 : i64, [ default: ^bb7(%b0_0 : i64), -2: ^bb6(%b0_0, %b0_0 : i64, i64), -1: ^bb5(%b3_2 : i64), 0: ^bb3(%k0, %k0, %b0_1, %b3_2 : i64, i64, i64, i64), 1: ^bb3(%b0_0, %v3_0, %b3_0, %b3_2 : i64, i64, i64, i64) ]
^bb4(%b4_0: i64, %b4_1: i64, %b4_2: i64, %b4_3: i64):
  %v4_0 = arith.addi %b0_0, %k1 : i64
  %v4_1 = arith.subi %b4_2, %b0_0 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^x4, ^bb7(%b0_0 : i64)
^x4:
  %c4 = arith.cmpi slt, %k1, %v4_1 : i64
  cf.cond_br %c4, ^bb4(%v4_0, %v4_0, %k0, %b4_2 : i64, i64, i64, i64), ^bb6(%b4_0, %v4_1 : i64, i64)
^bb5(%b5_0: i64):
  %v5_0 = arith.subi %b0_0, %k1 : i64
  %v5_1 = arith.xori %v5_0, %b5_0 : i64
  %v5_2 = arith.muli %k1, %v5_0 : i64
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  return %v5_0 : i64
^bb6(%b6_0: i64, %b6_1: i64):
  %v6_0 = arith.addi %b6_0, %k1 : i64
  %v6_1 = arith.subi %k2, %k0 : i64
  %v6_2 = arith.subi %v6_0, %k2 : i64
  %v6_3 = arith.maxsi %v6_2, %v6_0 : i64
  %v6_4 = arith.muli %k2, %v6_1 : i64
  %f6 = memref.load %cnt[] : memref<i64>
  %g6 = arith.addi %f6, %one : i64
  memref.store %g6, %cnt[] : memref<i64>
  %z6 = arith.cmpi slt, %g6, %lim : i64
  cf.cond_br %z6, ^x6, ^bb7(%k2 : i64)
^x6:
  cf.switch %b6_0 : i64, [ default: ^bb1(%k0, %v6_4, %v6_3, %k1 : i64, i64, i64, i64), -2: ^bb6(%k2, %b6_1 : i64, i64), -1: ^bb7(%b0_0 : i64), 0: ^bb7(%b0_0 : i64), 1: ^bb1(%b0_1, %b0_0, %b0_1, %v6_1 : i64, i64, i64, i64), 2: ^bb2(%v6_2 : i64) ]
^bb7(%b7_0: i64):
  %v7_0 = arith.maxsi %b0_0, %k1 : i64
  %v7_1 = arith.addi %b7_0, %k2 : i64
  %f7 = memref.load %cnt[] : memref<i64>
  %g7 = arith.addi %f7, %one : i64
  memref.store %g7, %cnt[] : memref<i64>
  return %v7_0 : i64
}
// call: @f2 -3 3
// want: i64=4
// call: @f2 1 4
// want: i64=4
// call: @f2 4 -1
// want: i64=4
func.func @f2(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 4 : i64
  %k1 = arith.constant -5 : i64
  %k2 = arith.constant -3 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.subi %b0_0, %b0_1 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb1(%v0_0, %b0_1 : i64, i64), ^bb1(%b0_1, %k0 : i64, i64)
^bb1(%b1_0: i64, %b1_1: i64):
  %v1_0 = arith.maxsi %b1_1, %k1 : i64
  %v1_1 = arith.maxsi %k0, %b0_0 : i64
  %v1_2 = arith.subi %b0_1, %k0 : i64
  %v1_3 = arith.addi %v1_0, %b1_1 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  return %k0 : i64
}
// call: @f3 4 -2
// want: i64=-1
// call: @f3 0 1
// want: i64=-1
// call: @f3 -4 0
// want: i64=-1
func.func @f3(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 3 : i64
  %k1 = arith.constant -1 : i64
  %k2 = arith.constant 3 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.xori %k1, %b0_0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb3(%k0, %v0_0, %k1, %b0_0 : i64, i64, i64, i64), ^bb5(%b0_0, %b0_0 : i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64, %b1_3: i64, %b1_4: i64):
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb5(%b1_4, %b0_1 : i64, i64)
^x1:
  %c1 = arith.cmpi sge, %b1_0, %b1_1 : i64
  cf.cond_br %c1, ^bb1(%k2, %b1_4, %b1_4, %v0_0, %k2 : i64, i64, i64, i64, i64), ^bb3(%k2, %b1_1, %b0_0, %k1 : i64, i64, i64, i64)
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64, %b2_3: i64, %b2_4: i64):
  %v2_0 = arith.subi %k2, %b2_0 : i64
  %v2_1 = arith.maxsi %b2_0, %v0_0 : i64
  %v2_2 = arith.xori %b0_0, %v0_0 : i64
  %v2_3 = arith.muli %k1, %v2_0 : i64
  %v2_4 = arith.muli %k0, %v0_0 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb5(%v2_3, %v2_3 : i64, i64)
^x2:
  cf.switch %b0_1 : i64, [ default: ^bb1(%v2_1, %b2_4, %b2_3, %k2, %b0_0 : i64, i64, i64, i64, i64), -2: ^bb1(%k2, %b2_2, %b2_2, %k1, %v0_0 : i64, i64, i64, i64, i64), -1: ^bb3(%b0_1, %v2_2, %b2_2, %v2_1 : i64, i64, i64, i64) ]
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64, %b3_3: i64):
  %v3_0 = arith.maxsi %b3_3, %b3_1 : i64
  %v3_1 = arith.muli %k1, %b0_1 : i64
  %v3_2 = arith.addi %v3_1, %k2 : i64
  %v3_3 = arith.xori %k1, %b0_1 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^bb3(%k1, %b3_3, %v3_3, %b0_0 : i64, i64, i64, i64), ^bb5(%v3_0, %k1 : i64, i64)
^bb4(%b4_0: i64, %b4_1: i64, %b4_2: i64, %b4_3: i64, %b4_4: i64):
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^x4, ^bb5(%k1, %b4_1 : i64, i64)
^x4:
  %c4 = arith.cmpi sge, %b0_1, %k0 : i64
  cf.cond_br %c4, ^bb1(%v0_0, %b4_2, %b4_0, %b0_1, %b4_3 : i64, i64, i64, i64, i64), ^bb2(%k0, %b4_2, %b0_0, %k1, %k2 : i64, i64, i64, i64, i64)
^bb5(%b5_0: i64, %b5_1: i64):
  %v5_0 = arith.muli %b0_1, %b0_0 : i64
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  return %b5_1 : i64
}
// call: @f4 0 -4
// want: i64=3
// call: @f4 3 -2
// want: i64=3
// call: @f4 -2 0
// want: i64=3
func.func @f4(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 3 : i64
  %k1 = arith.constant 3 : i64
  %k2 = arith.constant -2 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.xori %k1, %b0_0 : i64
  %v0_1 = arith.addi %v0_0, %v0_0 : i64
  %v0_2 = arith.xori %v0_0, %b0_0 : i64
  %v0_3 = arith.maxsi %v0_1, %b0_1 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb1(%b0_0 : i64), ^bb1(%b0_0 : i64)
^bb1(%b1_0: i64):
  %v1_0 = arith.subi %v0_1, %v0_0 : i64
  %v1_1 = arith.addi %k2, %k0 : i64
  %v1_2 = arith.addi %v1_0, %v1_1 : i64
  %v1_3 = arith.muli %v0_1, %k2 : i64
  %v1_4 = arith.addi %k1, %v1_0 : i64
  %v1_5 = arith.xori %v1_3, %v0_3 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  return %v0_2 : i64
}
// call: @f5 1 -3
// want: i64=-2
// call: @f5 1 -4
// want: i64=-2
// call: @f5 1 1
// want: i64=-2
func.func @f5(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant -2 : i64
  %k1 = arith.constant 0 : i64
  %k2 = arith.constant -3 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^x0, ^bb8(%b0_0, %k0, %b0_0 : i64, i64, i64)
^x0:
  %c0 = arith.cmpi sgt, %k1, %b0_0 : i64
  cf.cond_br %c0, ^bb5(%b0_1, %k1, %k1 : i64, i64, i64), ^bb1(%k0, %k2, %k0 : i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64):
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  return %k0 : i64
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64):
  %v2_0 = arith.muli %b0_0, %k1 : i64
  %v2_1 = arith.maxsi %v2_0, %k2 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb8(%b2_1, %b2_0, %b2_2 : i64, i64, i64)
^x2:
  cf.switch %k2 : i64, [ default: ^bb3(%b0_1, %v2_1, %k2 : i64, i64, i64), -2: ^bb7(%v2_0 : i64) ]
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64):
  %v3_0 = arith.maxsi %k0, %b0_0 : i64
  %v3_1 = arith.addi %k0, %k0 : i64
  %v3_2 = arith.subi %b3_0, %k1 : i64
  %v3_3 = arith.xori %b3_2, %v3_0 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^bb4(%b3_2, %b0_1, %k0, %b3_2, %k1 : i64, i64, i64, i64, i64), ^bb8(%v3_2, %k0, %v3_2 : i64, i64, i64)
^bb4(%b4_0: i64, %b4_1: i64, %b4_2: i64, %b4_3: i64, %b4_4: i64):
  %v4_0 = arith.maxsi %b4_3, %k1 : i64
  %v4_1 = arith.maxsi %k1, %b4_2 : i64
  %v4_2 = arith.muli %k1, %b0_1 : i64
  %v4_3 = arith.subi %v4_1, %v4_2 : i64
  %v4_4 = arith.subi %b0_0, %v4_1 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  return %b4_2 : i64
^bb5(%b5_0: i64, %b5_1: i64, %b5_2: i64):
  %v5_0 = arith.xori %k1, %b5_2 : i64
  %v5_1 = arith.muli %k0, %b0_0 : i64
  %v5_2 = arith.addi %v5_1, %k2 : i64
  %v5_3 = arith.muli %b0_1, %v5_2 : i64
  %v5_4 = arith.muli %v5_1, %v5_1 : i64
  %v5_5 = arith.subi %k0, %b5_2 : i64
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  %z5 = arith.cmpi slt, %g5, %lim : i64
  cf.cond_br %z5, ^bb2(%v5_3, %b0_0, %v5_2 : i64, i64, i64), ^bb8(%b5_2, %b0_1, %v5_2 : i64, i64, i64)
^bb6(%b6_0: i64, %b6_1: i64):
  %v6_0 = arith.muli %b6_0, %b0_1 : i64
  %v6_1 = arith.muli %v6_0, %v6_0 : i64
  %v6_2 = arith.xori %k1, %v6_1 : i64
  %f6 = memref.load %cnt[] : memref<i64>
  %g6 = arith.addi %f6, %one : i64
  memref.store %g6, %cnt[] : memref<i64>
  %z6 = arith.cmpi slt, %g6, %lim : i64
  cf.cond_br %z6, ^x6, ^bb8(%b0_1, %k1, %v6_0 : i64, i64, i64)
^x6:
  %c6 = arith.cmpi sgt, %b0_0, %k1 : i64
  cf.cond_br %c6, ^bb1(%b0_1, %v6_0, %k1 : i64, i64, i64), ^bb8(%b0_1, %b6_1, %b0_0 : i64, i64, i64)
^bb7(%b7_0: i64):
  %f7 = memref.load %cnt[] : memref<i64>
  %g7 = arith.addi %f7, %one : i64
  memref.store %g7, %cnt[] : memref<i64>
  %z7 = arith.cmpi slt, %g7, %lim : i64
  cf.cond_br %z7, ^x7, ^bb8(%b7_0, %b0_1, %k2 : i64, i64, i64)
^x7:
  %c7 = arith.cmpi ult, %k1, %b0_0 : i64
  cf.cond_br %c7, ^bb6(%k1, %b0_1 : i64, i64), ^bb5(%k0, %b7_0, %k2 : i64, i64, i64)
^bb8(%b8_0: i64, %b8_1: i64, %b8_2: i64):
  %v8_0 = arith.addi %k2, %k0 : i64
  %v8_1 = arith.xori %b8_2, %b8_1 : i64
  %v8_2 = arith.muli %k2, %b8_1 : i64
  %f8 = memref.load %cnt[] : memref<i64>
  %g8 = arith.addi %f8, %one : i64
  memref.store %g8, %cnt[] : memref<i64>
  return %b8_1 : i64
}
// call: @f6 3 0
// want: i64=0
// call: @f6 1 -1
// want: i64=-1
// call: @f6 3 4
// want: i64=4
func.func @f6(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 1 : i64
  %k1 = arith.constant 4 : i64
  %k2 = arith.constant -4 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.xori %k2, %k0 : i64
  %v0_1 = arith.muli %k0, %k0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^x0, ^bb7(%v0_0, %k1, %k1, %k2 : i64, i64, i64, i64)
^x0:
  %c0 = arith.cmpi ult, %v0_1, %v0_1 : i64
  cf.cond_br %c0, ^bb4(%b0_1, %k2, %k1 : i64, i64, i64), ^bb7(%k2, %v0_1, %b0_0, %k0 : i64, i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64):
  %v1_0 = arith.maxsi %b0_0, %k1 : i64
  %v1_1 = arith.addi %v0_1, %b1_0 : i64
  %v1_2 = arith.maxsi %k2, %v1_1 : i64
  %v1_3 = arith.muli %b1_0, %k0 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb7(%k2, %k2, %b1_0, %v0_1 : i64, i64, i64, i64)
^x1:
  cf.switch %v1_3 : i64, [ default: ^bb3(%b0_1, %b0_1, %b0_1 : i64, i64, i64), -2: ^bb6(%v1_1 : i64), -1: ^bb3(%v0_1, %v1_1, %b0_0 : i64, i64, i64), 0: ^bb3(%b1_0, %b1_1, %v1_1 : i64, i64, i64), 1: ^bb4(%k1, %k2, %v1_1 : i64, i64, i64), 2: ^bb2(%k1 : i64), 3: ^bb2(%b1_1 : i64) ]
^bb2(%b2_0: i64):
  %v2_0 = arith.maxsi %b0_0, %b2_0 : i64
  %v2_1 = arith.muli %b2_0, %v0_1 : i64
  %v2_2 = arith.subi %v2_0, %b0_0 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb7(%k1, %k2, %v0_0, %v2_0 : i64, i64, i64, i64)
^x2:
  %c2 = arith.cmpi ult, %k0, %v0_1 : i64
  cf.cond_br %c2, ^bb1(%v0_0, %b0_0 : i64, i64), ^bb3(%b0_1, %v2_1, %b0_0 : i64, i64, i64)
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64):
  %v3_0 = arith.maxsi %b0_0, %v0_1 : i64
  %v3_1 = arith.muli %v0_0, %k0 : i64
  %v3_2 = arith.xori %b0_1, %b3_2 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb7(%k2, %v3_0, %b3_1, %b3_1 : i64, i64, i64, i64)
^x3:
  %c3 = arith.cmpi ult, %v0_1, %v0_1 : i64
  cf.cond_br %c3, ^bb6(%v3_2 : i64), ^bb7(%b0_0, %k1, %b0_1, %b0_0 : i64, i64, i64, i64)
^bb4(%b4_0: i64, %b4_1: i64, %b4_2: i64):
  %v4_0 = arith.muli %k0, %k2 : i64
  %v4_1 = arith.addi %v0_1, %b4_0 : i64
  %v4_2 = arith.maxsi %b4_0, %k0 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^bb2(%v4_2 : i64), ^bb7(%v0_1, %b4_1, %b4_0, %b4_0 : i64, i64, i64, i64)
^bb5(%b5_0: i64, %b5_1: i64, %b5_2: i64):
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  %z5 = arith.cmpi slt, %g5, %lim : i64
  cf.cond_br %z5, ^x5, ^bb7(%k2, %k2, %b5_1, %k1 : i64, i64, i64, i64)
^x5:
  %c5 = arith.cmpi eq, %b5_2, %k0 : i64
  cf.cond_br %c5, ^bb7(%b5_0, %k1, %b5_1, %k0 : i64, i64, i64, i64), ^bb1(%k2, %b0_0 : i64, i64)
^bb6(%b6_0: i64):
  %v6_0 = arith.muli %v0_1, %k1 : i64
  %f6 = memref.load %cnt[] : memref<i64>
  %g6 = arith.addi %f6, %one : i64
  memref.store %g6, %cnt[] : memref<i64>
  %z6 = arith.cmpi slt, %g6, %lim : i64
  cf.cond_br %z6, ^bb4(%b0_1, %b0_0, %k0 : i64, i64, i64), ^bb7(%k1, %b0_1, %v6_0, %b0_0 : i64, i64, i64, i64)
^bb7(%b7_0: i64, %b7_1: i64, %b7_2: i64, %b7_3: i64):
  %f7 = memref.load %cnt[] : memref<i64>
  %g7 = arith.addi %f7, %one : i64
  memref.store %g7, %cnt[] : memref<i64>
  return %b0_1 : i64
}
// call: @f7 -3 4
// want: i64=8
// call: @f7 -1 2
// want: i64=6
// call: @f7 1 0
// want: i64=4
func.func @f7(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant -5 : i64
  %k1 = arith.constant -5 : i64
  %k2 = arith.constant -2 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.xori %k0, %k2 : i64
  %v0_1 = arith.subi %v0_0, %b0_0 : i64
  %v0_2 = arith.muli %k1, %b0_0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb4(%b0_0, %k0, %b0_1 : i64, i64, i64), ^bb4(%v0_0, %v0_1, %v0_0 : i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64):
  %v1_0 = arith.maxsi %k1, %b0_0 : i64
  %v1_1 = arith.xori %b0_0, %b0_1 : i64
  %v1_2 = arith.subi %b0_0, %v0_2 : i64
  %v1_3 = arith.subi %b0_1, %v1_2 : i64
  %v1_4 = arith.muli %k1, %b1_1 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  return %b1_1 : i64
^bb2(%b2_0: i64):
  %v2_0 = arith.subi %v0_2, %v0_1 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^bb1(%b0_0, %k0 : i64, i64), ^bb4(%v2_0, %k2, %v0_1 : i64, i64, i64)
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64, %b3_3: i64):
  %v3_0 = arith.subi %v0_1, %k0 : i64
  %v3_1 = arith.addi %k2, %v0_1 : i64
  %v3_2 = arith.xori %b3_3, %v0_0 : i64
  %v3_3 = arith.addi %k1, %v3_2 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb4(%b3_2, %v0_1, %v0_0 : i64, i64, i64)
^x3:
  %c3 = arith.cmpi eq, %k0, %k2 : i64
  cf.cond_br %c3, ^bb4(%k1, %b3_1, %v3_0 : i64, i64, i64), ^bb3(%b3_2, %v3_2, %v0_0, %b0_0 : i64, i64, i64, i64)
^bb4(%b4_0: i64, %b4_1: i64, %b4_2: i64):
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  return %v0_1 : i64
}
// call: @f8 -1 -3
// want: i64=-3
// call: @f8 1 4
// want: i64=0
// call: @f8 -2 3
// want: i64=3
func.func @f8(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 0 : i64
  %k2 = arith.constant 2 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^x0, ^bb7(%k1, %b0_0 : i64, i64)
^x0:
  %c0 = arith.cmpi eq, %k0, %k0 : i64
  cf.cond_br %c0, ^bb1(%b0_0 : i64), ^bb1(%b0_0 : i64)
^bb1(%b1_0: i64):
  %v1_0 = arith.addi %b0_1, %k2 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb7(%k2, %k2 : i64, i64)
^x1:
  %c1 = arith.cmpi sgt, %k0, %b1_0 : i64
  cf.cond_br %c1, ^bb5(%k0, %k2, %b1_0, %b1_0, %b1_0 : i64, i64, i64, i64, i64), ^bb3(%k2, %k2 : i64, i64)
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64, %b2_3: i64):
  %v2_0 = arith.addi %k0, %b0_0 : i64
  %v2_1 = arith.addi %b2_2, %b2_2 : i64
  %v2_2 = arith.xori %b0_1, %b2_1 : i64
  %v2_3 = arith.xori %k2, %b2_2 : i64
  %v2_4 = arith.subi %k0, %v2_3 : i64
  %v2_5 = arith.muli %v2_4, %v2_2 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb7(%v2_0, %b0_0 : i64, i64)
^x2:
  %c2 = arith.cmpi sgt, %v2_0, %k1 : i64
  cf.cond_br %c2, ^bb3(%v2_4, %b2_0 : i64, i64), ^bb4(%b2_0, %v2_3, %v2_3 : i64, i64, i64)
^bb3(%b3_0: i64, %b3_1: i64):
  %v3_0 = arith.xori %b3_1, %k1 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb7(%b3_1, %k1 : i64, i64)
^x3:
  %c3 = arith.cmpi slt, %k1, %b0_0 : i64
  cf.cond_br %c3, ^bb6(%k0, %v3_0, %b3_0, %k2 : i64, i64, i64, i64), ^bb4(%k1, %k1, %b0_1 : i64, i64, i64)
^bb4(%b4_0: i64, %b4_1: i64, %b4_2: i64):
  %v4_0 = arith.xori %b4_2, %k2 : i64
  %v4_1 = arith.subi %k2, %b4_1 : i64
  %v4_2 = arith.xori %v4_1, %b0_0 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^x4, ^bb7(%v4_2, %k1 : i64, i64)
^x4:
  cf.switch %b4_0 : i64, [ default: ^bb7(%b0_1, %b0_1 : i64, i64), -2: ^bb5(%b0_1, %b4_0, %b0_1, %b0_1, %b0_0 : i64, i64, i64, i64, i64), -1: ^bb4(%b0_0, %k2, %b0_0 : i64, i64, i64), 0: ^bb2(%k2, %b0_1, %v4_1, %b0_0 : i64, i64, i64, i64) ]
^bb5(%b5_0: i64, %b5_1: i64, %b5_2: i64, %b5_3: i64, %b5_4: i64):
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  return %b0_1 : i64
^bb6(%b6_0: i64, %b6_1: i64, %b6_2: i64, %b6_3: i64):
  %v6_0 = arith.maxsi %b6_3, %b0_0 : i64
  %f6 = memref.load %cnt[] : memref<i64>
  %g6 = arith.addi %f6, %one : i64
  memref.store %g6, %cnt[] : memref<i64>
  %z6 = arith.cmpi slt, %g6, %lim : i64
  cf.cond_br %z6, ^bb1(%k0 : i64), ^bb7(%b6_2, %k0 : i64, i64)
^bb7(%b7_0: i64, %b7_1: i64):
  %v7_0 = arith.subi %b7_1, %b0_0 : i64
  %v7_1 = arith.muli %k0, %b0_1 : i64
  %v7_2 = arith.subi %k1, %k0 : i64
  %f7 = memref.load %cnt[] : memref<i64>
  %g7 = arith.addi %f7, %one : i64
  memref.store %g7, %cnt[] : memref<i64>
  return %v7_2 : i64
}
// call: @f9 -4 1
// want: i64=0
// call: @f9 -3 2
// want: i64=0
// call: @f9 3 4
// want: i64=0
func.func @f9(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant -5 : i64
  %k1 = arith.constant 0 : i64
  %k2 = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.addi %k1, %k2 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb2(%k0, %k2, %b0_0, %v0_0, %k2 : i64, i64, i64, i64, i64), ^bb5(%b0_1, %v0_0 : i64, i64)
^bb1(%b1_0: i64):
  %v1_0 = arith.maxsi %k2, %k0 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb5(%k0, %v1_0 : i64, i64)
^x1:
  %c1 = arith.cmpi ult, %k1, %k2 : i64
  cf.cond_br %c1, ^bb5(%v1_0, %k1 : i64, i64), ^bb4(%k1, %b1_0, %k2 : i64, i64, i64)
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64, %b2_3: i64, %b2_4: i64):
  %v2_0 = arith.muli %b2_0, %b0_1 : i64
  %v2_1 = arith.muli %b2_0, %k0 : i64
  %v2_2 = arith.muli %v2_0, %b2_3 : i64
  %v2_3 = arith.muli %b2_0, %b2_0 : i64
  %v2_4 = arith.addi %v2_2, %v2_1 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb5(%b2_0, %v2_1 : i64, i64)
^x2:
  %c2 = arith.cmpi sge, %v2_3, %v0_0 : i64
  cf.cond_br %c2, ^bb4(%b2_0, %k0, %v2_2 : i64, i64, i64), ^bb2(%v2_2, %b0_0, %k2, %v2_1, %v2_0 : i64, i64, i64, i64, i64)
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64, %b3_3: i64, %b3_4: i64):
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^bb4(%k1, %b3_3, %b3_3 : i64, i64, i64), ^bb5(%b3_2, %k2 : i64, i64)
^bb4(%b4_0: i64, %b4_1: i64, %b4_2: i64):
  %v4_0 = arith.maxsi %k2, %k2 : i64
  %v4_1 = arith.muli %b0_1, %k2 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^x4, ^bb5(%k2, %k1 : i64, i64)
^x4:
  cf.switch %k2 : i64, [ default: ^bb1(%b4_0 : i64), -2: ^bb2(%b0_1, %k2, %k0, %b4_1, %v0_0 : i64, i64, i64, i64, i64), -1: ^bb1(%v4_0 : i64), 0: ^bb4(%k1, %v4_0, %k2 : i64, i64, i64), 1: ^bb2(%v4_0, %b4_0, %v4_0, %b0_0, %b4_1 : i64, i64, i64, i64, i64) ]
^bb5(%b5_0: i64, %b5_1: i64):
  %v5_0 = arith.subi %k0, %b5_0 : i64
  %v5_1 = arith.maxsi %k2, %b5_0 : i64
  %v5_2 = arith.muli %k1, %k2 : i64
  %v5_3 = arith.subi %b0_0, %k0 : i64
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  return %v5_2 : i64
}
// call: @f10 -1 -4
// want: i64=6
// call: @f10 -4 -4
// want: i64=6
// call: @f10 -4 1
// want: i64=1
func.func @f10(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 5 : i64
  %k1 = arith.constant 0 : i64
  %k2 = arith.constant 2 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.xori %k1, %k0 : i64
  %v0_1 = arith.addi %b0_1, %b0_0 : i64
  %v0_2 = arith.xori %k1, %b0_0 : i64
  %v0_3 = arith.maxsi %v0_2, %k2 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^x0, ^bb5(%v0_1, %k1, %k1, %k2 : i64, i64, i64, i64)
^x0:
  %c0 = arith.cmpi sge, %k0, %k0 : i64
  cf.cond_br %c0, ^bb3(%v0_1, %v0_0 : i64, i64), ^bb1(%v0_2, %v0_3, %v0_3 : i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64):
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb5(%b1_2, %v0_3, %k1, %k0 : i64, i64, i64, i64)
^x1:
  %c1 = arith.cmpi sge, %k1, %b0_0 : i64
  cf.cond_br %c1, ^bb5(%v0_1, %b1_1, %k2, %k0 : i64, i64, i64, i64), ^bb1(%b1_0, %b1_2, %b1_2 : i64, i64, i64)
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64, %b2_3: i64, %b2_4: i64):
  %v2_0 = arith.muli %b2_3, %b2_3 : i64
  %v2_1 = arith.subi %b2_1, %b2_3 : i64
  %v2_2 = arith.subi %k2, %b2_2 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb5(%v0_3, %v0_0, %b2_1, %v0_3 : i64, i64, i64, i64)
^x2:
  cf.switch %v0_0 : i64, [ default: ^bb4(%b0_1, %v0_3, %v2_2, %v2_1 : i64, i64, i64, i64), -2: ^bb5(%v0_3, %v2_2, %v0_2, %b2_1 : i64, i64, i64, i64), -1: ^bb3(%k1, %v0_1 : i64, i64) ]
^bb3(%b3_0: i64, %b3_1: i64):
  %v3_0 = arith.subi %b3_1, %b0_1 : i64
  %v3_1 = arith.muli %v0_1, %k2 : i64
  %v3_2 = arith.muli %k1, %v3_1 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb5(%k0, %b3_1, %v3_2, %v0_0 : i64, i64, i64, i64)
^x3:
  cf.switch %v3_2 : i64, [ default: ^bb4(%v0_3, %v0_3, %b3_0, %v3_0 : i64, i64, i64, i64), -2: ^bb3(%v0_3, %b3_1 : i64, i64) ]
^bb4(%b4_0: i64, %b4_1: i64, %b4_2: i64, %b4_3: i64):
  %v4_0 = arith.muli %b0_1, %v0_1 : i64
  %v4_1 = arith.muli %b4_0, %k2 : i64
  %v4_2 = arith.muli %v0_0, %b4_3 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^bb3(%v0_3, %b4_0 : i64, i64), ^bb5(%v4_1, %v0_2, %v0_0, %k1 : i64, i64, i64, i64)
^bb5(%b5_0: i64, %b5_1: i64, %b5_2: i64, %b5_3: i64):
  %v5_0 = arith.maxsi %b5_1, %v0_0 : i64
  %v5_1 = arith.addi %b5_2, %k0 : i64
  %v5_2 = arith.subi %k2, %b0_1 : i64
  %v5_3 = arith.maxsi %v5_0, %v5_0 : i64
  %v5_4 = arith.maxsi %b5_2, %k1 : i64
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  return %v5_2 : i64
}
// call: @f11 -1 0
// want: i64=-1
// call: @f11 1 1
// want: i64=-1
// call: @f11 2 0
// want: i64=-1
func.func @f11(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 4 : i64
  %k1 = arith.constant -1 : i64
  %k2 = arith.constant 4 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.subi %k2, %b0_1 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^x0, ^bb5(%k1, %k1, %k0, %k1 : i64, i64, i64, i64)
^x0:
  %c0 = arith.cmpi slt, %k2, %k0 : i64
  cf.cond_br %c0, ^bb2(%b0_0, %k0, %k0 : i64, i64, i64), ^bb2(%v0_0, %k2, %b0_0 : i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64, %b1_3: i64, %b1_4: i64):
  %v1_0 = arith.maxsi %v0_0, %b1_3 : i64
  %v1_1 = arith.maxsi %b1_1, %b1_3 : i64
  %v1_2 = arith.maxsi %v1_0, %b1_1 : i64
  %v1_3 = arith.subi %k2, %k0 : i64
  %v1_4 = arith.addi %k0, %b1_2 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^bb1(%b0_0, %k0, %b1_0, %b0_1, %v1_2 : i64, i64, i64, i64, i64), ^bb5(%v1_1, %v0_0, %b1_1, %v0_0 : i64, i64, i64, i64)
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64):
  %v2_0 = arith.maxsi %b2_2, %b2_0 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb5(%k2, %b2_2, %b0_1, %k1 : i64, i64, i64, i64)
^x2:
  cf.switch %b0_1 : i64, [ default: ^bb3(%k0, %b2_1, %b2_2, %k0, %b2_0 : i64, i64, i64, i64, i64), -2: ^bb4(%k1, %b2_1 : i64, i64), -1: ^bb2(%b0_0, %k1, %b0_1 : i64, i64, i64), 0: ^bb2(%k0, %k1, %v0_0 : i64, i64, i64), 1: ^bb3(%k0, %b0_1, %b2_2, %b2_0, %b2_2 : i64, i64, i64, i64, i64) ]
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64, %b3_3: i64, %b3_4: i64):
  %v3_0 = arith.subi %k1, %b3_2 : i64
  %v3_1 = arith.addi %k2, %b0_1 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb5(%v3_0, %b0_0, %k2, %v3_0 : i64, i64, i64, i64)
^x3:
  %c3 = arith.cmpi ult, %b3_4, %b3_2 : i64
  cf.cond_br %c3, ^bb3(%b0_0, %b3_0, %v0_0, %b3_3, %b0_0 : i64, i64, i64, i64, i64), ^bb4(%b3_4, %v3_0 : i64, i64)
^bb4(%b4_0: i64, %b4_1: i64):
  %v4_0 = arith.maxsi %k0, %k0 : i64
  %v4_1 = arith.xori %b0_0, %b0_1 : i64
  %v4_2 = arith.subi %b4_0, %v4_1 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^x4, ^bb5(%k1, %v4_1, %k2, %k2 : i64, i64, i64, i64)
^x4:
  cf.switch %v4_0 : i64, [ default: ^bb1(%k0, %k1, %k1, %v4_1, %k2 : i64, i64, i64, i64, i64), -2: ^bb2(%k0, %k0, %k0 : i64, i64, i64), -1: ^bb2(%v4_2, %v4_2, %k0 : i64, i64, i64), 0: ^bb1(%k0, %k1, %v4_1, %v0_0, %b0_0 : i64, i64, i64, i64, i64) ]
^bb5(%b5_0: i64, %b5_1: i64, %b5_2: i64, %b5_3: i64):
  %v5_0 = arith.addi %b5_0, %k1 : i64
  %v5_1 = arith.subi %b0_0, %b0_0 : i64
  %v5_2 = arith.addi %k0, %k0 : i64
  %v5_3 = arith.addi %v5_2, %v5_0 : i64
  %v5_4 = arith.muli %b5_1, %k1 : i64
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  return %k1 : i64
}
// call: @f12 -2 2
// want: i64=2
// call: @f12 -4 4
// want: i64=4
// call: @f12 -1 0
// want: i64=0
func.func @f12(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant -1 : i64
  %k1 = arith.constant -5 : i64
  %k2 = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.maxsi %b0_1, %b0_0 : i64
  %v0_1 = arith.muli %b0_1, %v0_0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb1(%b0_1, %v0_1, %k0 : i64, i64, i64), ^bb1(%v0_1, %b0_0, %k0 : i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64):
  %v1_0 = arith.xori %k0, %b1_1 : i64
  %v1_1 = arith.maxsi %b0_0, %k1 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  return %b0_1 : i64
}
// call: @f13 1 1
// want: i64=-4
// call: @f13 4 -2
// want: i64=-4
// call: @f13 3 4
// want: i64=-4
func.func @f13(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 2 : i64
  %k1 = arith.constant -4 : i64
  %k2 = arith.constant 2 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.subi %b0_0, %b0_1 : i64
  %v0_1 = arith.muli %b0_1, %k2 : i64
  %v0_2 = arith.maxsi %k1, %k2 : i64
  %v0_3 = arith.subi %b0_0, %v0_2 : i64
  %v0_4 = arith.subi %k1, %k1 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^x0, ^bb1(%v0_3, %k1, %v0_0 : i64, i64, i64)
^x0:
  %c0 = arith.cmpi eq, %b0_0, %b0_1 : i64
  cf.cond_br %c0, ^bb1(%k1, %v0_1, %v0_1 : i64, i64, i64), ^bb1(%v0_1, %k0, %v0_0 : i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64):
  %v1_0 = arith.maxsi %v0_3, %k2 : i64
  %v1_1 = arith.xori %b1_0, %b0_0 : i64
  %v1_2 = arith.xori %k2, %v0_3 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  return %k1 : i64
}
// call: @f14 4 -1
// want: i64=2
// call: @f14 -2 1
// want: i64=2
// call: @f14 2 3
// want: i64=2
func.func @f14(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 2 : i64
  %k2 = arith.constant 5 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.subi %b0_1, %k1 : i64
  %v0_1 = arith.muli %k2, %v0_0 : i64
  %v0_2 = arith.maxsi %k1, %v0_0 : i64
  %v0_3 = arith.subi %b0_0, %v0_0 : i64
  %v0_4 = arith.maxsi %v0_3, %v0_0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb2(%b0_1, %k1, %k2, %k1 : i64, i64, i64, i64), ^bb6(%b0_0, %v0_0 : i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64, %b1_3: i64):
  %v1_0 = arith.xori %k2, %k2 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb6(%b1_1, %b0_1 : i64, i64)
^x1:
  %c1 = arith.cmpi slt, %v0_2, %k0 : i64
  cf.cond_br %c1, ^bb4(%b0_1, %b0_0, %k1, %b1_0, %v1_0 : i64, i64, i64, i64, i64), ^bb1(%b0_1, %b0_0, %v1_0, %v0_1 : i64, i64, i64, i64)
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64, %b2_3: i64):
  %v2_0 = arith.xori %b2_1, %b0_0 : i64
  %v2_1 = arith.maxsi %b2_0, %b0_1 : i64
  %v2_2 = arith.xori %k0, %b0_1 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb6(%b2_2, %k0 : i64, i64)
^x2:
  %c2 = arith.cmpi slt, %v0_2, %v0_0 : i64
  cf.cond_br %c2, ^bb6(%v0_2, %b2_3 : i64, i64), ^bb6(%b2_3, %v0_2 : i64, i64)
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64):
  %v3_0 = arith.xori %v0_0, %b0_1 : i64
  %v3_1 = arith.addi %v0_1, %b0_0 : i64
  %v3_2 = arith.xori %b3_1, %b3_1 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb6(%v0_3, %v3_0 : i64, i64)
^x3:
  %c3 = arith.cmpi sge, %v0_3, %v0_1 : i64
  cf.cond_br %c3, ^bb4(%v3_1, %k0, %v3_0, %v0_0, %b3_0 : i64, i64, i64, i64, i64), ^bb1(%b3_2, %v3_2, %b0_0, %k1 : i64, i64, i64, i64)
^bb4(%b4_0: i64, %b4_1: i64, %b4_2: i64, %b4_3: i64, %b4_4: i64):
  %v4_0 = arith.subi %v0_3, %v0_0 : i64
  %v4_1 = arith.addi %b4_4, %v0_1 : i64
  %v4_2 = arith.xori %v4_1, %k0 : i64
  %v4_3 = arith.muli %v4_1, %b4_0 : i64
  %v4_4 = arith.xori %b4_4, %v0_1 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^x4, ^bb6(%b4_2, %v4_1 : i64, i64)
^x4:
  %c4 = arith.cmpi ult, %k0, %k2 : i64
  cf.cond_br %c4, ^bb1(%v4_4, %b4_1, %k1, %v0_3 : i64, i64, i64, i64), ^bb3(%b4_2, %b4_2, %k1 : i64, i64, i64)
^bb5(%b5_0: i64, %b5_1: i64):
  %v5_0 = arith.muli %v0_4, %b0_1 : i64
  %v5_1 = arith.addi %b0_0, %b0_1 : i64
  %v5_2 = arith.xori %v0_3, %b0_0 : i64
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  return %v0_2 : i64
^bb6(%b6_0: i64, %b6_1: i64):
  %v6_0 = arith.subi %k2, %k1 : i64
  %f6 = memref.load %cnt[] : memref<i64>
  %g6 = arith.addi %f6, %one : i64
  memref.store %g6, %cnt[] : memref<i64>
  return %v0_2 : i64
}
// call: @f15 -4 -1
// want: i64=-1
// call: @f15 2 -2
// want: i64=-2
// call: @f15 1 -3
// want: i64=-3
func.func @f15(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 1 : i64
  %k1 = arith.constant 5 : i64
  %k2 = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.subi %b0_0, %k0 : i64
  %v0_1 = arith.muli %k2, %k1 : i64
  %v0_2 = arith.muli %k2, %b0_0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^x0, ^bb5(%v0_1, %k1, %v0_0 : i64, i64, i64)
^x0:
  %c0 = arith.cmpi sge, %k0, %k0 : i64
  cf.cond_br %c0, ^bb2(%b0_1, %v0_1, %k0, %k1 : i64, i64, i64, i64), ^bb5(%v0_0, %k2, %v0_0 : i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64):
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb5(%b0_1, %b1_1, %k1 : i64, i64, i64)
^x1:
  %c1 = arith.cmpi sgt, %b0_0, %v0_1 : i64
  cf.cond_br %c1, ^bb5(%k2, %b0_0, %k2 : i64, i64, i64), ^bb4(%v0_0, %k2 : i64, i64)
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64, %b2_3: i64):
  %v2_0 = arith.maxsi %b2_3, %b2_1 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^bb3(%b0_0, %v0_2, %b2_3 : i64, i64, i64), ^bb5(%b2_2, %b2_0, %v2_0 : i64, i64, i64)
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64):
  %v3_0 = arith.maxsi %k1, %v0_2 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^bb4(%b0_0, %k2 : i64, i64), ^bb5(%b3_0, %k1, %b0_1 : i64, i64, i64)
^bb4(%b4_0: i64, %b4_1: i64):
  %v4_0 = arith.xori %b4_0, %k0 : i64
  %v4_1 = arith.xori %v0_2, %k2 : i64
  %v4_2 = arith.xori %b0_0, %v0_2 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^x4, ^bb5(%b4_0, %b4_1, %v4_1 : i64, i64, i64)
^x4:
  %c4 = arith.cmpi eq, %v0_2, %v4_0 : i64
  cf.cond_br %c4, ^bb1(%k2, %v0_0 : i64, i64), ^bb4(%v4_1, %b4_1 : i64, i64)
^bb5(%b5_0: i64, %b5_1: i64, %b5_2: i64):
  %v5_0 = arith.xori %v0_0, %v0_1 : i64
  %v5_1 = arith.xori %b5_2, %k1 : i64
  %v5_2 = arith.subi %b5_2, %v0_0 : i64
  %v5_3 = arith.addi %k0, %b5_1 : i64
  %v5_4 = arith.addi %b5_2, %v5_0 : i64
  %v5_5 = arith.muli %b0_0, %v5_4 : i64
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  return %b0_1 : i64
}
// call: @f16 -4 -4
// want: i64=-4
// call: @f16 -3 2
// want: i64=-3
// call: @f16 0 0
// want: i64=0
func.func @f16(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.addi %k2, %k2 : i64
  %v0_1 = arith.muli %b0_0, %b0_0 : i64
  %v0_2 = arith.muli %b0_1, %k2 : i64
  %v0_3 = arith.maxsi %v0_0, %b0_0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^x0, ^bb6(%k1, %v0_0, %b0_0, %v0_0 : i64, i64, i64, i64)
^x0:
  %c0 = arith.cmpi ult, %v0_3, %k0 : i64
  cf.cond_br %c0, ^bb6(%b0_1, %k2, %k1, %k0 : i64, i64, i64, i64), ^bb4(%v0_3, %v0_1 : i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64, %b1_3: i64):
  %v1_0 = arith.addi %k0, %k0 : i64
  %v1_1 = arith.subi %v1_0, %v0_2 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb6(%b1_3, %b1_1, %k0, %b1_3 : i64, i64, i64, i64)
^x1:
  cf.switch %k2 : i64, [ default: ^bb5(%v1_1, %v0_3, %b1_0 : i64, i64, i64), -2: ^bb5(%k2, %b1_1, %b1_1 : i64, i64, i64), -1: ^bb6(%b1_2, %b1_0, %v1_1, %b1_1 : i64, i64, i64, i64), 0: ^bb1(%b0_0, %k0, %b1_1, %b1_1 : i64, i64, i64, i64), 1: ^bb4(%b1_1, %b1_3 : i64, i64) ]
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64, %b2_3: i64, %b2_4: i64):
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb6(%b2_4, %k0, %v0_1, %b2_3 : i64, i64, i64, i64)
^x2:
  %c2 = arith.cmpi sge, %b2_4, %b0_1 : i64
  cf.cond_br %c2, ^bb1(%b2_1, %k0, %v0_0, %b2_4 : i64, i64, i64, i64), ^bb2(%b2_3, %b0_1, %v0_3, %b2_2, %b0_1 : i64, i64, i64, i64, i64)
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64, %b3_3: i64, %b3_4: i64):
  %v3_0 = arith.addi %v0_0, %k0 : i64
  %v3_1 = arith.xori %b3_0, %b3_1 : i64
  %v3_2 = arith.maxsi %k1, %v3_1 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb6(%v3_2, %k1, %b0_0, %b3_4 : i64, i64, i64, i64)
^x3:
  cf.switch %b0_0 : i64, [ default: ^bb5(%b3_3, %v3_0, %k2 : i64, i64, i64), -2: ^bb6(%b3_3, %b0_1, %v3_1, %b3_4 : i64, i64, i64, i64) ]
^bb4(%b4_0: i64, %b4_1: i64):
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  return %b0_0 : i64
^bb5(%b5_0: i64, %b5_1: i64, %b5_2: i64):
  %v5_0 = arith.addi %v0_1, %k0 : i64
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  %z5 = arith.cmpi slt, %g5, %lim : i64
  cf.cond_br %z5, ^bb2(%k1, %k2, %v0_2, %k0, %b0_1 : i64, i64, i64, i64, i64), ^bb6(%b5_1, %b5_1, %k1, %k1 : i64, i64, i64, i64)
^bb6(%b6_0: i64, %b6_1: i64, %b6_2: i64, %b6_3: i64):
  %v6_0 = arith.maxsi %b0_0, %v0_2 : i64
  %v6_1 = arith.subi %k0, %v0_0 : i64
  %v6_2 = arith.subi %b6_2, %b6_3 : i64
  %v6_3 = arith.addi %b6_0, %v6_2 : i64
  %v6_4 = arith.xori %v0_3, %k1 : i64
  %f6 = memref.load %cnt[] : memref<i64>
  %g6 = arith.addi %f6, %one : i64
  memref.store %g6, %cnt[] : memref<i64>
  return %k0 : i64
}
// call: @f17 1 3
// want: i64=4
// call: @f17 4 -1
// want: i64=4
// call: @f17 -1 -1
// want: i64=4
func.func @f17(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 4 : i64
  %k2 = arith.constant 2 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.subi %k1, %k0 : i64
  %v0_1 = arith.muli %v0_0, %k1 : i64
  %v0_2 = arith.xori %b0_0, %b0_0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^x0, ^bb3(%b0_1, %v0_0, %b0_1 : i64, i64, i64)
^x0:
  %c0 = arith.cmpi sge, %b0_1, %v0_1 : i64
  cf.cond_br %c0, ^bb2(%k0 : i64), ^bb3(%v0_0, %k0, %k2 : i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64, %b1_3: i64, %b1_4: i64):
  %v1_0 = arith.xori %b1_2, %v0_1 : i64
  %v1_1 = arith.maxsi %b1_4, %b0_0 : i64
  %v1_2 = arith.xori %b0_1, %b1_3 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^bb2(%v0_0 : i64), ^bb3(%b1_2, %b1_0, %b1_0 : i64, i64, i64)
^bb2(%b2_0: i64):
  %v2_0 = arith.addi %b0_1, %k2 : i64
  %v2_1 = arith.maxsi %k2, %b0_1 : i64
  %v2_2 = arith.maxsi %v2_1, %v0_2 : i64
  %v2_3 = arith.muli %b2_0, %k1 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb3(%b2_0, %v0_2, %v2_3 : i64, i64, i64)
^x2:
  cf.switch %k1 : i64, [ default: ^bb2(%b0_0 : i64), -2: ^bb1(%b0_1, %v2_0, %k0, %v2_1, %v0_1 : i64, i64, i64, i64, i64), -1: ^bb2(%v2_2 : i64), 0: ^bb1(%b0_1, %v2_0, %v2_3, %k0, %v2_3 : i64, i64, i64, i64, i64), 1: ^bb2(%v0_2 : i64), 2: ^bb3(%k1, %b2_0, %v2_3 : i64, i64, i64), 3: ^bb2(%v2_3 : i64) ]
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64):
  %v3_0 = arith.xori %b3_1, %b3_0 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  return %b3_0 : i64
}
// call: @f18 -3 3
// want: i64=1
// call: @f18 1 1
// want: i64=1
// call: @f18 -1 3
// want: i64=1
func.func @f18(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 4 : i64
  %k1 = arith.constant 0 : i64
  %k2 = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.maxsi %k1, %k1 : i64
  %v0_1 = arith.addi %b0_0, %k2 : i64
  %v0_2 = arith.addi %k2, %v0_0 : i64
  %v0_3 = arith.xori %k1, %k2 : i64
  %v0_4 = arith.muli %k0, %v0_0 : i64
  %v0_5 = arith.muli %v0_3, %v0_4 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb2(%b0_1, %b0_1, %v0_1 : i64, i64, i64), ^bb4(%k1, %k0, %b0_0, %v0_4, %v0_2 : i64, i64, i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64):
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  return %b1_1 : i64
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64):
  %v2_0 = arith.maxsi %k2, %b0_1 : i64
  %v2_1 = arith.addi %v0_0, %b0_0 : i64
  %v2_2 = arith.subi %b2_1, %k2 : i64
  %v2_3 = arith.addi %k1, %k1 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb4(%b2_0, %v2_0, %v2_1, %k2, %b2_1 : i64, i64, i64, i64, i64)
^x2:
  cf.switch %v0_3 : i64, [ default: ^bb1(%k2, %v0_3 : i64, i64), -2: ^bb2(%k2, %v2_2, %b2_1 : i64, i64, i64), -1: ^bb2(%v2_0, %v0_0, %b2_0 : i64, i64, i64), 0: ^bb2(%v0_2, %v0_0, %k1 : i64, i64, i64) ]
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64):
  %v3_0 = arith.addi %v0_3, %k0 : i64
  %v3_1 = arith.addi %b0_1, %b3_1 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb4(%v3_1, %k1, %b0_0, %b0_1, %v0_5 : i64, i64, i64, i64, i64)
^x3:
  cf.switch %v3_0 : i64, [ default: ^bb1(%v0_1, %v0_4 : i64, i64), -2: ^bb4(%b0_0, %v3_1, %v0_5, %b3_0, %v0_3 : i64, i64, i64, i64, i64), -1: ^bb4(%b0_0, %b3_0, %v3_1, %b3_1, %v0_0 : i64, i64, i64, i64, i64), 0: ^bb4(%v0_2, %b0_1, %k0, %v3_0, %v0_1 : i64, i64, i64, i64, i64), 1: ^bb1(%v0_0, %v0_2 : i64, i64), 2: ^bb1(%b3_0, %b0_1 : i64, i64) ]
^bb4(%b4_0: i64, %b4_1: i64, %b4_2: i64, %b4_3: i64, %b4_4: i64):
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  return %k0 : i64
}
// call: @f19 2 -2
// want: i64=-2
// call: @f19 -4 0
// want: i64=0
// call: @f19 -2 -4
// want: i64=-4
func.func @f19(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant -2 : i64
  %k1 = arith.constant -5 : i64
  %k2 = arith.constant -3 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.xori %b0_1, %k1 : i64
  %v0_1 = arith.xori %k1, %k2 : i64
  %v0_2 = arith.xori %b0_0, %k1 : i64
  %v0_3 = arith.subi %k0, %b0_1 : i64
  %v0_4 = arith.maxsi %b0_1, %v0_0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb2(%v0_2, %v0_2, %k1 : i64, i64, i64), ^bb2(%b0_1, %v0_2, %k1 : i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64):
  %v1_0 = arith.maxsi %k0, %b1_0 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb2(%v0_3, %v0_2, %b0_1 : i64, i64, i64)
^x1:
  %c1 = arith.cmpi sge, %b0_1, %b0_0 : i64
  cf.cond_br %c1, ^bb1(%b0_1, %v1_0 : i64, i64), ^bb1(%v0_0, %v0_1 : i64, i64)
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64):
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  return %b0_1 : i64
}
// call: @f20 -3 1
// want: i64=-5
// call: @f20 2 -1
// want: i64=-5
// call: @f20 4 -4
// want: i64=-5
func.func @f20(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant -5 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.subi %k2, %b0_1 : i64
  %v0_1 = arith.subi %k1, %k1 : i64
  %v0_2 = arith.maxsi %v0_1, %k1 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb2(%v0_2, %b0_1, %k2, %b0_0, %k2 : i64, i64, i64, i64, i64), ^bb8(%b0_0, %k1 : i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64):
  %v1_0 = arith.subi %b1_1, %b0_1 : i64
  %v1_1 = arith.subi %k0, %k1 : i64
  %v1_2 = arith.maxsi %v0_1, %v1_0 : i64
  %v1_3 = arith.addi %b1_0, %v1_1 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb8(%v0_0, %b0_1 : i64, i64)
^x1:
  %c1 = arith.cmpi eq, %k2, %v1_2 : i64
  cf.cond_br %c1, ^bb8(%k1, %k0 : i64, i64), ^bb7(%v1_3, %v1_1, %v0_2 : i64, i64, i64)
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64, %b2_3: i64, %b2_4: i64):
  %v2_0 = arith.subi %b2_1, %v0_0 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^bb6(%b2_1, %b2_1, %v2_0, %k0, %v0_0 : i64, i64, i64, i64, i64), ^bb8(%k2, %b2_3 : i64, i64)
^bb3(%b3_0: i64, %b3_1: i64):
  %v3_0 = arith.xori %b3_0, %k1 : i64
  %v3_1 = arith.addi %v0_0, %b0_0 : i64
  %v3_2 = arith.muli %v3_1, %v0_1 : i64
  %v3_3 = arith.maxsi %v3_2, %k0 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb8(%v3_3, %k1 : i64, i64)
^x3:
  %c3 = arith.cmpi sge, %k2, %k0 : i64
  cf.cond_br %c3, ^bb8(%v0_2, %b3_0 : i64, i64), ^bb1(%b3_0, %v3_2, %b3_0 : i64, i64, i64)
^bb4(%b4_0: i64, %b4_1: i64, %b4_2: i64, %b4_3: i64):
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^x4, ^bb8(%b4_1, %k2 : i64, i64)
^x4:
  %c4 = arith.cmpi slt, %k0, %k0 : i64
  cf.cond_br %c4, ^bb3(%k1, %b0_1 : i64, i64), ^bb5(%b4_0 : i64)
^bb5(%b5_0: i64):
  %v5_0 = arith.subi %b0_1, %k0 : i64
  %v5_1 = arith.maxsi %v5_0, %v0_2 : i64
  %v5_2 = arith.maxsi %b0_0, %v0_2 : i64
  %v5_3 = arith.addi %v0_0, %k1 : i64
  %v5_4 = arith.subi %k0, %b0_1 : i64
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  %z5 = arith.cmpi slt, %g5, %lim : i64
  cf.cond_br %z5, ^bb5(%k1 : i64), ^bb8(%v0_2, %v0_2 : i64, i64)
^bb6(%b6_0: i64, %b6_1: i64, %b6_2: i64, %b6_3: i64, %b6_4: i64):
  %f6 = memref.load %cnt[] : memref<i64>
  %g6 = arith.addi %f6, %one : i64
  memref.store %g6, %cnt[] : memref<i64>
  %z6 = arith.cmpi slt, %g6, %lim : i64
  cf.cond_br %z6, ^bb4(%b0_0, %k2, %b6_2, %b6_1 : i64, i64, i64, i64), ^bb8(%v0_1, %k2 : i64, i64)
^bb7(%b7_0: i64, %b7_1: i64, %b7_2: i64):
  %v7_0 = arith.xori %k2, %k0 : i64
  %v7_1 = arith.xori %v7_0, %v0_1 : i64
  %v7_2 = arith.maxsi %b7_1, %b7_0 : i64
  %f7 = memref.load %cnt[] : memref<i64>
  %g7 = arith.addi %f7, %one : i64
  memref.store %g7, %cnt[] : memref<i64>
  %z7 = arith.cmpi slt, %g7, %lim : i64
  cf.cond_br %z7, ^bb6(%v0_0, %v0_1, %b0_0, %v7_2, %v0_0 : i64, i64, i64, i64, i64), ^bb8(%v0_1, %k0 : i64, i64)
^bb8(%b8_0: i64, %b8_1: i64):
  %v8_0 = arith.xori %b8_1, %v0_0 : i64
  %v8_1 = arith.xori %b8_0, %k0 : i64
  %v8_2 = arith.muli %b8_0, %k2 : i64
  %v8_3 = arith.muli %b0_0, %v0_1 : i64
  %v8_4 = arith.addi %v0_0, %k1 : i64
  %f8 = memref.load %cnt[] : memref<i64>
  %g8 = arith.addi %f8, %one : i64
  memref.store %g8, %cnt[] : memref<i64>
  return %k2 : i64
}
// call: @f21 -4 -2
// want: i64=-5
// call: @f21 4 -3
// want: i64=-5
// call: @f21 1 3
// want: i64=-5
func.func @f21(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant -5 : i64
  %k1 = arith.constant -5 : i64
  %k2 = arith.constant 5 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.muli %b0_1, %k2 : i64
  %v0_1 = arith.maxsi %k0, %b0_1 : i64
  %v0_2 = arith.addi %k2, %k0 : i64
  %v0_3 = arith.maxsi %k0, %v0_1 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb3(%k1, %b0_1, %v0_0, %k2 : i64, i64, i64, i64), ^bb4(%k0 : i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64, %b1_3: i64):
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^bb3(%k1, %v0_2, %b1_0, %v0_3 : i64, i64, i64, i64), ^bb4(%b1_0 : i64)
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64, %b2_3: i64):
  %v2_0 = arith.xori %k1, %v0_3 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb4(%b0_1 : i64)
^x2:
  %c2 = arith.cmpi eq, %b2_2, %v0_3 : i64
  cf.cond_br %c2, ^bb4(%b2_0 : i64), ^bb3(%b0_1, %b0_0, %b2_2, %k1 : i64, i64, i64, i64)
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64, %b3_3: i64):
  %v3_0 = arith.xori %b3_0, %b3_2 : i64
  %v3_1 = arith.maxsi %b0_0, %b3_1 : i64
  %v3_2 = arith.xori %b0_0, %v0_3 : i64
  %v3_3 = arith.muli %v3_1, %b3_0 : i64
  %v3_4 = arith.maxsi %v3_2, %v3_2 : i64
  %v3_5 = arith.muli %k0, %v0_2 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb4(%v0_2 : i64)
^x3:
  %c3 = arith.cmpi sge, %b3_2, %v0_0 : i64
  cf.cond_br %c3, ^bb2(%v3_3, %v3_4, %b3_3, %v3_5 : i64, i64, i64, i64), ^bb4(%k0 : i64)
^bb4(%b4_0: i64):
  %v4_0 = arith.maxsi %v0_0, %v0_2 : i64
  %v4_1 = arith.muli %b0_1, %b0_0 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  return %k0 : i64
}
// call: @f22 1 -4
// want: i64=4
// call: @f22 3 2
// want: i64=12
// call: @f22 3 0
// want: i64=12
func.func @f22(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 2 : i64
  %k1 = arith.constant 0 : i64
  %k2 = arith.constant -4 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.subi %k1, %b0_0 : i64
  %v0_1 = arith.muli %v0_0, %k2 : i64
  %v0_2 = arith.subi %v0_0, %k1 : i64
  %v0_3 = arith.maxsi %b0_1, %k1 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^x0, ^bb1(%b0_1, %k2, %v0_1, %k1 : i64, i64, i64, i64)
^x0:
  %c0 = arith.cmpi ult, %v0_1, %v0_2 : i64
  cf.cond_br %c0, ^bb1(%v0_1, %v0_3, %k1, %v0_2 : i64, i64, i64, i64), ^bb1(%k2, %v0_1, %b0_1, %k1 : i64, i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64, %b1_3: i64):
  %v1_0 = arith.muli %b0_1, %v0_0 : i64
  %v1_1 = arith.xori %v0_3, %v0_3 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  return %v0_1 : i64
}
// call: @f23 -3 -2
// want: i64=4
// call: @f23 1 1
// want: i64=4
// call: @f23 1 -3
// want: i64=4
func.func @f23(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 4 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 4 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.addi %k2, %k2 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb1(%k0, %k2, %b0_1 : i64, i64, i64), ^bb3(%k2, %k1, %b0_0, %k0 : i64, i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64):
  %v1_0 = arith.muli %b1_2, %b0_1 : i64
  %v1_1 = arith.maxsi %v1_0, %b1_0 : i64
  %v1_2 = arith.maxsi %b1_2, %v1_1 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  return %b1_0 : i64
^bb2(%b2_0: i64, %b2_1: i64):
  %v2_0 = arith.muli %k0, %v0_0 : i64
  %v2_1 = arith.xori %k0, %k1 : i64
  %v2_2 = arith.maxsi %b0_0, %k1 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  return %v0_0 : i64
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64, %b3_3: i64):
  %v3_0 = arith.xori %b3_2, %b3_3 : i64
  %v3_1 = arith.subi %b0_0, %b3_0 : i64
  %v3_2 = arith.xori %b3_0, %b3_1 : i64
  %v3_3 = arith.maxsi %b3_3, %v0_0 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  return %v3_1 : i64
}
// call: @f24 -2 -1
// want: i64=-1
// call: @f24 -2 -3
// want: i64=-3
// call: @f24 -1 0
// want: i64=0
func.func @f24(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 1 : i64
  %k1 = arith.constant 5 : i64
  %k2 = arith.constant -3 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.muli %b0_1, %k1 : i64
  %v0_1 = arith.maxsi %k1, %b0_0 : i64
  %v0_2 = arith.subi %k0, %v0_0 : i64
  %v0_3 = arith.maxsi %k1, %v0_0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb1(%b0_1, %v0_1 : i64, i64), ^bb5(%v0_1, %k0, %k0, %b0_1, %v0_3 : i64, i64, i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64):
  %v1_0 = arith.addi %b1_0, %k0 : i64
  %v1_1 = arith.addi %b0_0, %k2 : i64
  %v1_2 = arith.xori %v1_1, %v0_3 : i64
  %v1_3 = arith.maxsi %b0_1, %v1_2 : i64
  %v1_4 = arith.maxsi %v0_3, %k2 : i64
  %v1_5 = arith.maxsi %v0_1, %v1_2 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb5(%b0_0, %b0_1, %v0_0, %v1_5, %v1_5 : i64, i64, i64, i64, i64)
^x1:
  cf.switch %v1_4 : i64, [ default: ^bb1(%k0, %b0_0 : i64, i64), -2: ^bb2(%v1_5 : i64) ]
^bb2(%b2_0: i64):
  %v2_0 = arith.xori %b2_0, %v0_1 : i64
  %v2_1 = arith.addi %v2_0, %k0 : i64
  %v2_2 = arith.maxsi %v0_0, %k2 : i64
  %v2_3 = arith.subi %v0_0, %b0_1 : i64
  %v2_4 = arith.subi %k0, %b0_1 : i64
  %v2_5 = arith.addi %v2_3, %v2_4 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb5(%k2, %v2_1, %v0_1, %v2_4, %v2_2 : i64, i64, i64, i64, i64)
^x2:
  cf.switch %v2_3 : i64, [ default: ^bb1(%k1, %v0_2 : i64, i64), -2: ^bb5(%k1, %v2_4, %k1, %v0_2, %v0_2 : i64, i64, i64, i64, i64), -1: ^bb2(%k1 : i64), 0: ^bb2(%v0_0 : i64), 1: ^bb3(%k0, %v2_4, %b2_0 : i64, i64, i64) ]
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64):
  %v3_0 = arith.muli %v0_2, %k1 : i64
  %v3_1 = arith.subi %b3_1, %v0_1 : i64
  %v3_2 = arith.maxsi %b0_0, %v0_1 : i64
  %v3_3 = arith.muli %v0_1, %v3_2 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  return %k0 : i64
^bb4(%b4_0: i64, %b4_1: i64, %b4_2: i64):
  %v4_0 = arith.subi %k1, %k2 : i64
  %v4_1 = arith.subi %v0_0, %v0_1 : i64
  %v4_2 = arith.subi %k0, %b0_1 : i64
  %v4_3 = arith.xori %v0_3, %v0_0 : i64
  %v4_4 = arith.addi %b4_1, %v4_0 : i64
  %v4_5 = arith.muli %v4_0, %k2 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^bb2(%v4_2 : i64), ^bb5(%v4_1, %b4_2, %v4_5, %v0_2, %v4_0 : i64, i64, i64, i64, i64)
^bb5(%b5_0: i64, %b5_1: i64, %b5_2: i64, %b5_3: i64, %b5_4: i64):
  %v5_0 = arith.muli %b0_0, %v0_1 : i64
  %v5_1 = arith.addi %b0_1, %b5_1 : i64
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  return %b5_1 : i64
}
// call: @f25 2 1
// want: i64=2
// call: @f25 -3 -2
// want: i64=-3
// call: @f25 0 -3
// want: i64=0
func.func @f25(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant -3 : i64
  %k1 = arith.constant 0 : i64
  %k2 = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.xori %b0_0, %b0_1 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb3(%k1, %k1 : i64, i64), ^bb3(%k2, %b0_0 : i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64, %b1_3: i64):
  %v1_0 = arith.xori %k2, %b0_1 : i64
  %v1_1 = arith.maxsi %b1_1, %b1_3 : i64
  %v1_2 = arith.muli %b1_2, %b0_0 : i64
  %v1_3 = arith.xori %b1_3, %b1_2 : i64
  %v1_4 = arith.subi %k2, %v1_3 : i64
  %v1_5 = arith.addi %v1_0, %b1_2 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^bb1(%b0_1, %b1_3, %k0, %v1_2 : i64, i64, i64, i64), ^bb3(%b1_2, %v1_2 : i64, i64)
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64, %b2_3: i64):
  %v2_0 = arith.addi %k2, %b0_0 : i64
  %v2_1 = arith.muli %b0_0, %v2_0 : i64
  %v2_2 = arith.addi %k1, %b2_2 : i64
  %v2_3 = arith.muli %v2_2, %b2_2 : i64
  %v2_4 = arith.muli %b0_0, %k1 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb3(%k1, %b0_0 : i64, i64)
^x2:
  %c2 = arith.cmpi sge, %b2_1, %v2_2 : i64
  cf.cond_br %c2, ^bb2(%k2, %v2_3, %v2_1, %b2_0 : i64, i64, i64, i64), ^bb2(%v0_0, %b2_0, %v2_3, %v2_4 : i64, i64, i64, i64)
^bb3(%b3_0: i64, %b3_1: i64):
  %v3_0 = arith.subi %k0, %v0_0 : i64
  %v3_1 = arith.muli %b3_0, %k0 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  return %b0_0 : i64
}
// call: @f26 1 0
// want: i64=-2
// call: @f26 -3 3
// want: i64=-2
// call: @f26 2 3
// want: i64=-2
func.func @f26(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant -3 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant -2 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.muli %k1, %b0_0 : i64
  %v0_1 = arith.addi %b0_1, %k2 : i64
  %v0_2 = arith.subi %b0_1, %v0_1 : i64
  %v0_3 = arith.subi %v0_2, %b0_1 : i64
  %v0_4 = arith.xori %v0_0, %k0 : i64
  %v0_5 = arith.addi %b0_1, %k0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb2(%v0_0 : i64), ^bb5(%b0_0, %v0_5, %k1, %k0, %v0_0 : i64, i64, i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64):
  %v1_0 = arith.addi %v0_1, %b1_0 : i64
  %v1_1 = arith.xori %b1_0, %v0_4 : i64
  %v1_2 = arith.subi %b0_1, %v0_3 : i64
  %v1_3 = arith.addi %b1_0, %v1_0 : i64
  %v1_4 = arith.xori %v0_5, %v1_3 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  return %v1_3 : i64
^bb2(%b2_0: i64):
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb5(%v0_1, %v0_5, %v0_3, %k2, %v0_2 : i64, i64, i64, i64, i64)
^x2:
  %c2 = arith.cmpi eq, %b0_0, %v0_3 : i64
  cf.cond_br %c2, ^bb2(%k0 : i64), ^bb5(%b0_1, %k2, %v0_3, %k2, %v0_5 : i64, i64, i64, i64, i64)
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64, %b3_3: i64):
  %v3_0 = arith.addi %k2, %v0_0 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb5(%b3_2, %k2, %v0_1, %v0_4, %b0_1 : i64, i64, i64, i64, i64)
^x3:
  %c3 = arith.cmpi sgt, %v0_2, %k0 : i64
  cf.cond_br %c3, ^bb2(%v3_0 : i64), ^bb4(%v0_2 : i64)
^bb4(%b4_0: i64):
  %v4_0 = arith.xori %k2, %v0_5 : i64
  %v4_1 = arith.muli %b4_0, %b0_1 : i64
  %v4_2 = arith.subi %b4_0, %k2 : i64
  %v4_3 = arith.maxsi %v0_4, %b0_0 : i64
  %v4_4 = arith.muli %b0_0, %v4_1 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^x4, ^bb5(%b0_1, %v4_2, %v4_0, %v0_1, %b0_0 : i64, i64, i64, i64, i64)
^x4:
  %c4 = arith.cmpi slt, %v0_4, %v0_1 : i64
  cf.cond_br %c4, ^bb3(%k0, %b4_0, %v4_3, %v0_1 : i64, i64, i64, i64), ^bb1(%k1, %v0_3 : i64, i64)
^bb5(%b5_0: i64, %b5_1: i64, %b5_2: i64, %b5_3: i64, %b5_4: i64):
  %v5_0 = arith.muli %b5_3, %b0_0 : i64
  %v5_1 = arith.subi %v0_5, %b5_3 : i64
  %v5_2 = arith.xori %b5_0, %v0_4 : i64
  %v5_3 = arith.subi %v5_1, %k2 : i64
  %v5_4 = arith.addi %k0, %b5_3 : i64
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  return %k2 : i64
}
// call: @f27 1 4
// want: i64=5
// call: @f27 2 1
// want: i64=5
// call: @f27 4 -1
// want: i64=5
func.func @f27(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 5 : i64
  %k1 = arith.constant -1 : i64
  %k2 = arith.constant 5 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.muli %k1, %k0 : i64
  %v0_1 = arith.subi %v0_0, %k0 : i64
  %v0_2 = arith.addi %v0_1, %b0_0 : i64
  %v0_3 = arith.subi %b0_1, %v0_0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb2(%k1 : i64), ^bb4(%v0_3 : i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64):
  %v1_0 = arith.muli %b1_2, %b1_0 : i64
  %v1_1 = arith.muli %v0_1, %k2 : i64
  %v1_2 = arith.muli %v0_0, %b0_0 : i64
  %v1_3 = arith.muli %k2, %v0_3 : i64
  %v1_4 = arith.muli %v0_3, %v0_2 : i64
  %v1_5 = arith.addi %k1, %b0_0 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^x1, ^bb4(%v1_0 : i64)
^x1:
  cf.switch %k1 : i64, [ default: ^bb1(%v0_1, %v1_3, %v1_1 : i64, i64, i64), -2: ^bb2(%b1_0 : i64), -1: ^bb1(%b0_1, %v0_2, %v0_0 : i64, i64, i64), 0: ^bb2(%v1_2 : i64), 1: ^bb4(%k2 : i64) ]
^bb2(%b2_0: i64):
  %v2_0 = arith.xori %v0_2, %b0_0 : i64
  %v2_1 = arith.subi %v0_0, %k0 : i64
  %v2_2 = arith.addi %b2_0, %v0_3 : i64
  %v2_3 = arith.xori %k2, %b0_1 : i64
  %v2_4 = arith.addi %v2_0, %k0 : i64
  %v2_5 = arith.maxsi %v2_1, %v0_1 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^x2, ^bb4(%k2 : i64)
^x2:
  %c2 = arith.cmpi slt, %v2_2, %b2_0 : i64
  cf.cond_br %c2, ^bb4(%k0 : i64), ^bb2(%v0_0 : i64)
^bb3(%b3_0: i64, %b3_1: i64, %b3_2: i64):
  %v3_0 = arith.maxsi %b3_1, %v0_0 : i64
  %v3_1 = arith.maxsi %b0_0, %v0_2 : i64
  %v3_2 = arith.addi %v0_3, %v0_0 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb4(%v0_2 : i64)
^x3:
  cf.switch %v3_1 : i64, [ default: ^bb4(%v0_3 : i64), -2: ^bb2(%v0_1 : i64), -1: ^bb1(%v3_0, %v3_0, %k0 : i64, i64, i64), 0: ^bb3(%b3_0, %b3_1, %b0_1 : i64, i64, i64), 1: ^bb4(%v0_0 : i64), 2: ^bb4(%b3_1 : i64), 3: ^bb2(%b0_1 : i64) ]
^bb4(%b4_0: i64):
  %v4_0 = arith.maxsi %k0, %b0_0 : i64
  %v4_1 = arith.subi %v4_0, %v0_2 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  return %k2 : i64
}
// call: @f28 -4 -2
// want: i64=5
// call: @f28 -2 0
// want: i64=-2
// call: @f28 2 0
// want: i64=2
func.func @f28(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant -1 : i64
  %k1 = arith.constant 5 : i64
  %k2 = arith.constant -4 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.maxsi %k2, %b0_0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb4(%b0_1, %b0_1 : i64, i64), ^bb8(%b0_1, %b0_0 : i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64):
  %v1_0 = arith.addi %b1_2, %k1 : i64
  %v1_1 = arith.xori %k1, %b1_1 : i64
  %v1_2 = arith.subi %b1_2, %b1_2 : i64
  %v1_3 = arith.maxsi %v1_2, %k1 : i64
  %v1_4 = arith.maxsi %k1, %b1_1 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  return %b1_2 : i64
^bb2(%b2_0: i64):
  %v2_0 = arith.subi %b0_1, %b0_0 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  %z2 = arith.cmpi slt, %g2, %lim : i64
  cf.cond_br %z2, ^bb1(%b2_0, %b0_0, %k0 : i64, i64, i64), ^bb8(%k2, %v0_0 : i64, i64)
^bb3(%b3_0: i64, %b3_1: i64):
  %v3_0 = arith.addi %k0, %b0_0 : i64
  %v3_1 = arith.xori %b0_1, %k1 : i64
  %f3 = memref.load %cnt[] : memref<i64>
  %g3 = arith.addi %f3, %one : i64
  memref.store %g3, %cnt[] : memref<i64>
  %z3 = arith.cmpi slt, %g3, %lim : i64
  cf.cond_br %z3, ^x3, ^bb8(%b3_0, %k1 : i64, i64)
^x3:
  %c3 = arith.cmpi eq, %k1, %b0_0 : i64
  cf.cond_br %c3, ^bb4(%v3_1, %k1 : i64, i64), ^bb6(%k2, %v0_0, %v0_0, %k0, %b0_1 : i64, i64, i64, i64, i64)
^bb4(%b4_0: i64, %b4_1: i64):
  %v4_0 = arith.maxsi %v0_0, %b4_1 : i64
  %v4_1 = arith.addi %v0_0, %k1 : i64
  %v4_2 = arith.muli %v4_0, %v0_0 : i64
  %v4_3 = arith.maxsi %k1, %k0 : i64
  %f4 = memref.load %cnt[] : memref<i64>
  %g4 = arith.addi %f4, %one : i64
  memref.store %g4, %cnt[] : memref<i64>
  %z4 = arith.cmpi slt, %g4, %lim : i64
  cf.cond_br %z4, ^x4, ^bb8(%b0_1, %v0_0 : i64, i64)
^x4:
  %c4 = arith.cmpi slt, %k0, %b4_1 : i64
  cf.cond_br %c4, ^bb4(%v4_3, %b4_1 : i64, i64), ^bb1(%v4_1, %b4_1, %k1 : i64, i64, i64)
^bb5(%b5_0: i64, %b5_1: i64):
  %f5 = memref.load %cnt[] : memref<i64>
  %g5 = arith.addi %f5, %one : i64
  memref.store %g5, %cnt[] : memref<i64>
  %z5 = arith.cmpi slt, %g5, %lim : i64
  cf.cond_br %z5, ^x5, ^bb8(%k2, %k2 : i64, i64)
^x5:
  %c5 = arith.cmpi eq, %k0, %k0 : i64
  cf.cond_br %c5, ^bb5(%b5_0, %k2 : i64, i64), ^bb5(%b0_1, %b5_1 : i64, i64)
^bb6(%b6_0: i64, %b6_1: i64, %b6_2: i64, %b6_3: i64, %b6_4: i64):
  %v6_0 = arith.xori %b6_2, %b6_1 : i64
  %f6 = memref.load %cnt[] : memref<i64>
  %g6 = arith.addi %f6, %one : i64
  memref.store %g6, %cnt[] : memref<i64>
  %z6 = arith.cmpi slt, %g6, %lim : i64
  cf.cond_br %z6, ^bb3(%b6_3, %b6_4 : i64, i64), ^bb8(%k0, %k1 : i64, i64)
^bb7(%b7_0: i64):
  %v7_0 = arith.maxsi %b0_0, %b7_0 : i64
  %v7_1 = arith.xori %k2, %v7_0 : i64
  %v7_2 = arith.xori %b0_0, %v7_1 : i64
  %v7_3 = arith.addi %v0_0, %v0_0 : i64
  %v7_4 = arith.maxsi %b0_0, %b0_1 : i64
  %f7 = memref.load %cnt[] : memref<i64>
  %g7 = arith.addi %f7, %one : i64
  memref.store %g7, %cnt[] : memref<i64>
  %z7 = arith.cmpi slt, %g7, %lim : i64
  cf.cond_br %z7, ^x7, ^bb8(%v7_2, %v7_2 : i64, i64)
^x7:
  %c7 = arith.cmpi eq, %v7_0, %b7_0 : i64
  cf.cond_br %c7, ^bb1(%b0_0, %k2, %v0_0 : i64, i64, i64), ^bb8(%v0_0, %v7_2 : i64, i64)
^bb8(%b8_0: i64, %b8_1: i64):
  %v8_0 = arith.addi %v0_0, %b8_1 : i64
  %v8_1 = arith.muli %b0_0, %k0 : i64
  %f8 = memref.load %cnt[] : memref<i64>
  %g8 = arith.addi %f8, %one : i64
  memref.store %g8, %cnt[] : memref<i64>
  return %b8_1 : i64
}
// call: @f29 4 1
// want: i64=3
// call: @f29 -3 -1
// want: i64=5
// call: @f29 -3 -2
// want: i64=6
func.func @f29(%b0_0: i64, %b0_1: i64) -> i64 {
  %k0 = arith.constant 4 : i64
  %k1 = arith.constant 4 : i64
  %k2 = arith.constant 3 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lim = arith.constant 60 : i64
  %cnt = memref.alloc() : memref<i64>
  memref.store %zero, %cnt[] : memref<i64>
  %v0_0 = arith.subi %k0, %b0_1 : i64
  %v0_1 = arith.addi %k1, %b0_0 : i64
  %v0_2 = arith.maxsi %v0_0, %k0 : i64
  %v0_3 = arith.muli %b0_1, %b0_0 : i64
  %f0 = memref.load %cnt[] : memref<i64>
  %g0 = arith.addi %f0, %one : i64
  memref.store %g0, %cnt[] : memref<i64>
  %z0 = arith.cmpi slt, %g0, %lim : i64
  cf.cond_br %z0, ^bb2(%v0_3, %b0_0, %v0_0 : i64, i64, i64), ^bb2(%k1, %b0_1, %v0_0 : i64, i64, i64)
^bb1(%b1_0: i64, %b1_1: i64, %b1_2: i64):
  %v1_0 = arith.maxsi %b1_2, %v0_1 : i64
  %v1_1 = arith.muli %k0, %b1_2 : i64
  %v1_2 = arith.muli %b1_1, %v0_0 : i64
  %v1_3 = arith.xori %v0_3, %v0_0 : i64
  %v1_4 = arith.subi %v0_2, %b1_2 : i64
  %v1_5 = arith.subi %b0_1, %v0_1 : i64
  %f1 = memref.load %cnt[] : memref<i64>
  %g1 = arith.addi %f1, %one : i64
  memref.store %g1, %cnt[] : memref<i64>
  %z1 = arith.cmpi slt, %g1, %lim : i64
  cf.cond_br %z1, ^bb2(%b1_0, %v0_0, %k2 : i64, i64, i64), ^bb2(%v1_2, %v1_0, %v1_2 : i64, i64, i64)
^bb2(%b2_0: i64, %b2_1: i64, %b2_2: i64):
  %v2_0 = arith.muli %b2_2, %b0_1 : i64
  %f2 = memref.load %cnt[] : memref<i64>
  %g2 = arith.addi %f2, %one : i64
  memref.store %g2, %cnt[] : memref<i64>
  return %b2_2 : i64
}
