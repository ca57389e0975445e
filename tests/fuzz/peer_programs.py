#!/usr/bin/env python3
"""Random programs over arith, math, scf, memref, tensor and linalg, run by us and by MLIR 19's own runner.

A program is a function made of pieces, each a few lines that use values of the pieces before it: the rows that were used
least come first.  What it computes is printed bit by bit (NaNs as one number).  Many functions make one module, which
vmc runs at -O2 and at -O0 and mlir-cpu-runner after MLIR's lowering; a function whose output differs is shrunk by leaving
out pieces, and written to a file.  Left out are inputs for which MLIR leaves the result open (shifts past the width, floats out
of an integer's range, quotients by zero, the zero that maxnumf gives for two zeros) and some where MLIR 19 is wrong: ceildivsi of
numbers near the least one, maxnumf and minnumf of a constant NaN, constant tensors of -0 (they lose the sign);
subnormal bf16 constants are left out too, because x86 instructions that MLIR runs flush them.

usage: peer_programs.py [--seed N] [--count N] [--batch N] [--vmc PATH] [--llvm DIR] [--keep DIR] [--rows FILE] [--only ROW,ROW]
"""
import argparse
import collections
import os
import random
import struct
import subprocess
import sys
import tempfile

INTS = {"i1": 1, "i4": 4, "i24": 24, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
FLOATS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
WIDE_INTS = ["i8", "i16", "i32", "i64", "i4", "i24"]
ELEMS = ["i8", "i16", "i32", "i64", "f32", "f64", "i4", "i24"]
BITS = {**INTS, **FLOATS, "index": 64}


class Piece:
    """Lines of a program: what they define, what they use, and the rows in them; other lines for the peer where it has no such op."""

    def __init__(self, lines, defs, uses, rows, peer):
        self.lines, self.defs, self.uses, self.rows, self.peer = lines, defs, set(uses), rows, peer or lines


class Program:
    def __init__(self, rng, number, counts, only):
        self.rng, self.number, self.counts, self.only = rng, number, counts, only
        self.next = 0
        self.pieces, self.rows = [], set()
        self.scalars = collections.defaultdict(list)
        self.shaped = []  # (name, kind "memref" or "tensor", shape, element type)
        self.arguments = [("%a0", "i64"), ("%a1", "i64"), ("%b0", "f64"), ("%b1", "f64")]
        for name, type_ in self.arguments:
            self.scalars[type_].append(name)

    # ---- writing pieces

    def name(self):
        self.next += 1
        return f"%v{self.next}"

    def add(self, lines, defs, uses, rows, peer=None):
        """defs: scalars (name, type) or shaped values (name, kind, shape, element)."""
        for row in rows:
            self.counts[row] += row not in self.rows
            self.rows.add(row)
        self.pieces.append(Piece(lines, [d[0] for d in defs], [u for u in uses if u not in dict(self.arguments)], rows, peer))
        for d in defs:
            if len(d) == 2:
                self.scalars[d[1]].append(d[0])
            else:
                self.shaped.append(d)

    def literal(self, type_):
        r = self.rng
        if type_ == "i1":
            return r.choice(["true", "false"])
        if type_ in INTS or type_ == "index":
            w = BITS[type_]
            value = r.choice([0, 1, -1, 2, 7, (1 << (w - 1)) - 1, -(1 << (w - 1)), r.getrandbits(w) - (1 << (w - 1)), r.randint(-100, 100) if w > 7 else -3])
            return str(value)
        kind = r.random()
        if kind < 0.15:
            special = {"f16": [0x7C00, 0xFC00, 0x7E00, 0x0001, 0x8001, 0x7BFF], "bf16": [0x7F80, 0xFF80, 0x7FC0, 0x3F81, 0xBF81, 0x7F7F],
                       "f32": [0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x80000001, 0x7F7FFFFF],
                       "f64": [0x7FF0 << 48, 0xFFF0 << 48, 0x7FF8 << 48, 1, (1 << 63) + 1, 0x7FEFFFFFFFFFFFFF]}[type_]
            return "0x%0*X" % (BITS[type_] // 4, r.choice(special))
        value = r.choice([r.uniform(-4, 4), r.gauss(0, 1) * 10 ** r.randint(-6, 6), float(r.randint(-20, 20)), r.randint(-9, 9) + 0.5])
        if type_ == "f16":
            value = max(min(value, 60000.0), -60000.0)
        return repr(float(value))

    def scalar(self, type_):
        """A value of the type: one that is there, a constant, or one made of an argument."""
        pool = self.scalars[type_]
        if pool and self.rng.random() < 0.75:
            return pool[-1 - min(int(self.rng.expovariate(0.3)), len(pool) - 1)]
        name = self.name()
        if type_ in ("i1", "i4", "i8", "i16", "i24", "i32") and self.rng.random() < 0.5:
            source = self.rng.choice(self.scalars["i64"])
            self.add([f"{name} = arith.trunci {source} : i64 to {type_}"], [(name, type_)], [source], ["arith.trunci"])
        elif type_ in ("f32", "f16", "bf16") and self.rng.random() < 0.5:
            source = self.rng.choice(self.scalars["f64"])
            self.add([f"{name} = arith.truncf {source} : f64 to {type_}"], [(name, type_)], [source], ["arith.truncf"])
        else:
            text = self.literal(type_)
            self.add([f"{name} = arith.constant {text}" + ("" if type_ == "i1" else f" : {type_}")], [(name, type_)], [], ["arith.constant"])
        return name

    def constant(self, text, type_):
        name = self.name()
        self.add([f"{name} = arith.constant {text}" + ("" if type_ == "i1" else f" : {type_}")], [(name, type_)], [], ["arith.constant"])
        return name

    def unknown(self, x, type_):
        """Lines and a name for x + 0, of which the peer's folder knows nothing: it folds maxnumf and minnumf of a NaN wrongly."""
        zero, product, name = self.name(), self.name(), self.name()
        b, lines = "%b0", []
        if type_ != "f64":
            b = self.name()
            lines = [f"{b} = arith.truncf %b0 : f64 to {type_}"]
        return lines + [f"{zero} = arith.constant 0.0 : {type_}", f"{product} = arith.mulf {b}, {zero} : {type_}",
                        f"{name} = arith.addf {x}, {product} : {type_}"], name

    def index_below(self, n):
        """An index in 0 .. n - 1, computed half of the time."""
        if self.rng.random() < 0.5:
            return self.constant(str(self.rng.randrange(n)), "index")
        source, bound, name = self.scalar("index"), self.constant(str(n), "index"), self.name()
        self.add([f"{name} = arith.remui {source}, {bound} : index"], [(name, "index")], [source, bound], ["arith.remui"])
        return name

    def shape(self, rank=None):
        rank = self.rng.randint(1, 3) if rank is None else rank
        sizes = [self.rng.randint(1, 4) for _ in range(rank)]
        if self.rng.random() < 0.15:  # long enough for vector code and its rest
            sizes[self.rng.randrange(rank)] = self.rng.randint(5, 40)
        return tuple(sizes)

    def type_of(self, value):
        _, kind, shape, elem = value[:4]
        layout = value[4] if len(value) > 4 else ""
        return kind + "<" + "".join(f"{d}x" for d in shape) + elem + layout + ">"

    def a_tensor(self, shape=None, elem=None):
        found = [v for v in self.shaped if v[1] == "tensor" and (shape is None or v[2] == shape) and (elem is None or v[3] == elem)]
        if found and self.rng.random() < 0.7:
            return self.rng.choice(found[-6:])
        shape, elem = shape or self.shape(), elem or self.rng.choice(ELEMS)
        return self.make_tensor(shape, elem)

    def a_memref(self, shape=None, elem=None, plain=True):
        found = [v for v in self.shaped if v[1] == "memref" and (shape is None or v[2] == shape) and (elem is None or v[3] == elem) and
                 (not plain or len(v) == 4)]
        if found and self.rng.random() < 0.7:
            return self.rng.choice(found[-6:])
        return self.make_memref(shape or self.shape(), elem or self.rng.choice(ELEMS))

    def dense(self, shape, elem):
        if not shape:
            return self.literal(elem)
        return "[" + ", ".join(self.dense(shape[1:], elem) for _ in range(shape[0])) + "]"

    def make_tensor(self, shape, elem):
        name, type_ = self.name(), f"tensor<{''.join(f'{d}x' for d in shape)}{elem}>"
        total = 1
        for d in shape:
            total *= d
        if self.rng.random() < 0.5 and total <= 8:
            xs = [self.scalar(elem) for _ in range(total)]
            self.add([f"{name} = tensor.from_elements {', '.join(xs)} : {type_}"], [(name, "tensor", shape, elem)], xs, ["tensor.from_elements"])
        else:
            self.add([f"{name} = arith.constant dense<{self.dense(shape, elem)}> : {type_}"], [(name, "tensor", shape, elem)], [], ["arith.constant"])
        return (name, "tensor", shape, elem)

    def make_memref(self, shape, elem):
        """An allocation whose elements are all written, from a scalar and the indices."""
        name, x = self.name(), self.scalar(elem)
        type_ = f"memref<{''.join(f'{d}x' for d in shape)}{elem}>"
        kind = self.rng.choice(["alloc", "alloc", "alloca"])
        lines, uses = [f"{name} = memref.{kind}() : {type_}"], [x]
        ivs, pad = [], ""
        for d in shape:
            lo, hi, one, iv = (self.name() for _ in range(4))
            lines += [f"{pad}{lo} = arith.constant 0 : index", f"{pad}{hi} = arith.constant {d} : index", f"{pad}{one} = arith.constant 1 : index",
                      f"{pad}scf.for {iv} = {lo} to {hi} step {one} {{"]
            ivs.append(iv)
            pad += "  "
        value = self.name()
        if elem in FLOATS:
            i, j = self.name(), self.name()
            lines += [f"{pad}{i} = arith.index_cast {ivs[-1]} : index to i32", f"{pad}{j} = arith.sitofp {i} : i32 to {elem}",
                      f"{pad}{value} = arith.addf {x}, {j} : {elem}"]
        else:
            i = self.name()
            lines += [f"{pad}{i} = arith.index_cast {ivs[0]} : index to {elem}", f"{pad}{value} = arith.muli {x}, {i} : {elem}"]
        lines.append(f"{pad}memref.store {value}, {name}[{', '.join(ivs)}] : {type_}")
        for k in range(len(shape)):
            lines.append("  " * (len(shape) - 1 - k) + "}")
        self.add(lines, [(name, "memref", shape, elem)], uses, [f"memref.{kind}", "scf.for", "scf.yield", "memref.store"])
        return (name, "memref", shape, elem)

    # ---- printing

    def print_lines(self):
        """Every scalar, and every element of what is shaped, by the helpers of the module."""
        lines = []
        for type_, names in sorted(self.scalars.items()):
            for name in names:
                lines.append(([name], [f"func.call @p_{type_}({name}) : ({type_}) -> ()"]))
        for value in self.shaped:
            name, kind, shape, elem = value[:4]
            ivs, pad, out = [], "", []
            for d in shape:
                lo, hi, one, iv = (self.name() for _ in range(4))
                out += [f"{pad}{lo} = arith.constant 0 : index", f"{pad}{hi} = arith.constant {d} : index", f"{pad}{one} = arith.constant 1 : index",
                        f"{pad}scf.for {iv} = {lo} to {hi} step {one} {{"]
                ivs.append(iv)
                pad += "  "
            x = self.name()
            read = "memref.load" if kind == "memref" else "tensor.extract"
            out += [f"{pad}{x} = {read} {name}[{', '.join(ivs)}] : {self.type_of(value)}", f"{pad}func.call @p_{elem}({x}) : ({elem}) -> ()"]
            out += ["  " * (len(shape) - 1 - k) + "}" for k in range(len(shape))]
            lines.append(([name], out))
        return lines

    def text(self, pieces=None, peer=False):
        pieces = self.pieces if pieces is None else pieces
        defined = {d for piece in pieces for d in piece.defs} | {n for n, _ in self.arguments}
        body = [line for piece in pieces for line in (piece.peer if peer else piece.lines)]
        for needs, lines in self.prints:
            if all(n in defined for n in needs):
                body += lines
        args = ", ".join(f"{n}: {t}" for n, t in self.arguments)
        return f"func.func @p{self.number}({args}) {{\n  " + "\n  ".join(body) + "\n  return\n}\n"


# ---- makers: each adds one piece or more; registered with the rows that it can make -----------------------------------------

MAKERS = []


def maker(*rows):
    def register(f):
        MAKERS.append((rows, f))
        return f
    return register


def least_used(p, rows):
    wanted = [r for r in rows if not p.only or r in p.only] or list(rows)
    low = min(p.counts[r] for r in wanted)
    return p.rng.choice([r for r in wanted if p.counts[r] <= low + 1])


INT2 = ["arith." + n for n in "addi subi muli andi ori xori maxsi maxui minsi minui".split()]
SHIFTS = ["arith.shli", "arith.shrsi", "arith.shrui"]
DIVS = ["arith." + n for n in "divsi divui remsi remui ceildivsi ceildivui floordivsi".split()]


@maker(*INT2)
def integer_binary(p):
    row, t = least_used(p, INT2), p.rng.choice(WIDE_INTS + ["index", "i1"])
    x, y, r = p.scalar(t), p.scalar(t), p.name()
    p.add([f"{r} = {row} {x}, {y} : {t}"], [(r, t)], [x, y], [row])


@maker(*SHIFTS)
def shift(p):
    row, t = least_used(p, SHIFTS), p.rng.choice(WIDE_INTS + ["index"])
    x, y, m, k, r = p.scalar(t), p.scalar(t), p.name(), p.name(), p.name()
    p.add([f"{m} = arith.constant {BITS[t] - 1} : {t}", f"{k} = arith.andi {y}, {m} : {t}", f"{r} = {row} {x}, {k} : {t}"], [(r, t)], [x, y],
          [row, "arith.andi"])


@maker(*DIVS)
def division(p):
    row, t = least_used(p, DIVS), p.rng.choice(WIDE_INTS + ["index"])
    x, y = p.scalar(t), p.scalar(t)
    r, m, a, b, one = (p.name() for _ in range(5))
    lines = [f"{one} = arith.constant 1 : {t}"]
    if row.endswith("ui"):
        lines += [f"{b} = arith.ori {y}, {one} : {t}"]
        top = x
    else:  # not zero, not -1; of both signs; the dividend of ceildivsi keeps off the ends
        lines += [f"{m} = arith.constant {p.rng.choice([6, -2, 2, 62 if BITS[t] > 7 else 4])} : {t}", f"{a} = arith.andi {y}, {m} : {t}",
                  f"{b} = arith.ori {a}, {one} : {t}"]
        minus, bad, ok = p.name(), p.name(), p.name()
        lines += [f"{minus} = arith.constant -1 : {t}", f"{bad} = arith.cmpi eq, {b}, {minus} : {t}", f"{ok} = arith.select {bad}, {one}, {b} : {t}"]
        b, top = ok, x
        if row in ("arith.ceildivsi", "arith.floordivsi"):
            top = p.name()
            lines += [f"{top} = arith.shrsi {x}, {one} : {t}"]
    lines += [f"{r} = {row} {top}, {b} : {t}"]
    p.add(lines, [(r, t)], [x, y], [row])


EXTENDED = ["arith.addui_extended", "arith.mulsi_extended", "arith.mului_extended"]


@maker(*EXTENDED)
def extended(p):
    row, t = least_used(p, EXTENDED), p.rng.choice(WIDE_INTS)
    x, y, r = p.scalar(t), p.scalar(t), p.name()
    one, two = p.name(), p.name()
    if row == "arith.addui_extended":
        p.add([f"{one}, {two} = {row} {x}, {y} : {t}, i1"], [(one, t), (two, "i1")], [x, y], [row])
    else:
        p.add([f"{one}, {two} = {row} {x}, {y} : {t}"], [(one, t), (two, t)], [x, y], [row])


@maker("arith.cmpi", "arith.cmpf", "arith.select")
def compare(p):
    row = least_used(p, ["arith.cmpi", "arith.cmpf", "arith.select"])
    r = p.name()
    if row == "arith.cmpi":
        t = p.rng.choice(WIDE_INTS + ["index", "i1"])
        how = p.rng.choice("eq ne slt sle sgt sge ult ule ugt uge".split())
        x, y = p.scalar(t), p.scalar(t)
        p.add([f"{r} = arith.cmpi {how}, {x}, {y} : {t}"], [(r, "i1")], [x, y], [row])
    elif row == "arith.cmpf":
        t = p.rng.choice(list(FLOATS))
        how = p.rng.choice("oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno false true".split())
        x, y = p.scalar(t), p.scalar(t)
        p.add([f"{r} = arith.cmpf {how}, {x}, {y} : {t}"], [(r, "i1")], [x, y], [row])
    else:
        t = p.rng.choice(WIDE_INTS + list(FLOATS) + ["index", "i1"])
        c, x, y = p.scalar("i1"), p.scalar(t), p.scalar(t)
        p.add([f"{r} = arith.select {c}, {x}, {y} : {t}"], [(r, t)], [c, x, y], [row])


CASTS = ["arith." + n for n in "extsi extui trunci extf truncf sitofp uitofp fptosi fptoui index_cast index_castui bitcast".split()]


@maker(*CASTS)
def cast(p):
    row, r, rng = least_used(p, CASTS), p.name(), p.rng
    if row in ("arith.extsi", "arith.extui", "arith.trunci"):
        small, large = sorted(rng.sample(list(INTS), 2), key=BITS.get)
        a, b = (large, small) if row == "arith.trunci" else (small, large)
    elif row in ("arith.extf", "arith.truncf"):
        small, large = rng.choice([("f32", "f64"), ("f16", "f32"), ("bf16", "f32")])
        a, b = (large, small) if row == "arith.truncf" else (small, large)
    elif row in ("arith.sitofp", "arith.uitofp"):
        a, b = rng.choice(WIDE_INTS), rng.choice(["f32", "f64"])
    elif row in ("arith.fptosi", "arith.fptoui"):
        a, b = rng.choice(["f32", "f64"]), rng.choice(WIDE_INTS)
        x, y, z, lo, hi = p.scalar(a), *(p.name() for _ in range(4))
        lines, w = p.unknown(x, a)
        most = "120.0" if BITS[b] > 7 else "7.0"
        low, high = ("0.0", most) if row.endswith("ui") else ("-" + most, most)
        p.add(lines + [f"{lo} = arith.constant {low} : {a}", f"{hi} = arith.constant {high} : {a}", f"{y} = arith.maxnumf {w}, {lo} : {a}",
               f"{z} = arith.minnumf {y}, {hi} : {a}", f"{r} = {row} {z} : {a} to {b}"], [(r, b)], [x], [row])
        return
    elif row.startswith("arith.index_cast"):
        a, b = rng.choice([("index", rng.choice(WIDE_INTS)), (rng.choice(WIDE_INTS), "index")])
    else:
        a, b = rng.choice([("i32", "f32"), ("f32", "i32"), ("i64", "f64"), ("f64", "i64"), ("i16", "f16"), ("f16", "i16"), ("bf16", "i16")])
        if a in FLOATS:  # which NaN it is stays open
            x, nan, y, one = p.scalar(a), p.name(), p.name(), p.name()
            p.add([f"{one} = arith.constant 1.0 : {a}", f"{nan} = arith.cmpf uno, {x}, {x} : {a}", f"{y} = arith.select {nan}, {one}, {x} : {a}",
                   f"{r} = arith.bitcast {y} : {a} to {b}"], [(r, b)], [x], [row])
            return
    x = p.scalar(a)
    p.add([f"{r} = {row} {x} : {a} to {b}"], [(r, b)], [x], [row])


FLOAT2 = ["arith." + n for n in "addf subf mulf divf remf maximumf minimumf maxnumf minnumf".split()]


@maker(*FLOAT2)
def float_binary(p):
    row, t = least_used(p, FLOAT2), p.rng.choice(list(FLOATS))
    if row == "arith.remf" or "max" in row or "min" in row:
        t = p.rng.choice(["f32", "f64"])
    x, y, r = p.scalar(t), p.scalar(t), p.name()
    lines = [f"{r} = {row} {x}, {y} : {t}"]
    if "num" in row:  # of two zeros either may come
        s, zero = p.name(), p.name()
        before, z = p.unknown(x, t)
        lines = before + [f"{r} = {row} {z}, {y} : {t}"]
        lines += [f"{zero} = arith.constant 0.0 : {t}", f"{s} = arith.addf {r}, {zero} : {t}"]
        r = s
    p.add(lines, [(r, t)], [x, y], [row])


MATH1 = ["math." + n for n in "absf ceil floor trunc round roundeven sqrt".split()]


@maker("arith.negf", "math.copysign", "math.fma", *MATH1)
def float_unary(p):
    row, r = least_used(p, ["arith.negf", "math.copysign", "math.fma"] + MATH1), p.name()
    t = p.rng.choice(["f32", "f64"])
    n = {"math.copysign": 2, "math.fma": 3}.get(row, 1)
    xs = [p.scalar(t) for _ in range(n)]
    if row == "math.copysign":  # the sign of a NaN that was computed stays open
        nan, sign, one = p.name(), p.name(), p.name()
        lines = [f"{one} = arith.constant 1.0 : {t}", f"{nan} = arith.cmpf uno, {xs[1]}, {xs[1]} : {t}",
                 f"{sign} = arith.select {nan}, {one}, {xs[1]} : {t}"]
        p.add(lines + [f"{r} = {row} {xs[0]}, {sign} : {t}"], [(r, t)], xs, [row])
        return
    p.add([f"{r} = {row} {', '.join(xs)} : {t}"], [(r, t)], xs, [row])


@maker("math.absi", "math.ctlz", "math.cttz", "math.ctpop", "math.ipowi")
def int_unary(p):
    row, r = least_used(p, ["math.absi", "math.ctlz", "math.cttz", "math.ctpop", "math.ipowi"]), p.name()
    t = p.rng.choice(WIDE_INTS)
    x = p.scalar(t)
    if row != "math.ipowi":
        p.add([f"{r} = {row} {x} : {t}"], [(r, t)], [x], [row])
        return
    y, m, e = p.scalar(t), p.name(), p.name()
    p.add([f"{m} = arith.constant 7 : {t}", f"{e} = arith.andi {y}, {m} : {t}", f"{r} = math.ipowi {x}, {e} : {t}"], [(r, t)], [x, y], [row])


# ---- scf

@maker("scf.for", "scf.yield")
def for_loop(p):
    t = p.rng.choice(WIDE_INTS + ["f32", "f64"])
    x, y, n = p.scalar(t), p.scalar(t), p.rng.randint(0, 6)
    r, lo, hi, st, iv, acc, other, a, b, k = (p.name() for _ in range(10))
    step = p.rng.randint(1, 3)
    lines = [f"{lo} = arith.constant {p.rng.randint(-2, 2)} : index", f"{hi} = arith.constant {n} : index", f"{st} = arith.constant {step} : index",
             f"{r}:2 = scf.for {iv} = {lo} to {hi} step {st} iter_args({acc} = {x}, {other} = {y}) -> ({t}, {t}) {{",
             f"  {k} = arith.index_cast {iv} : index to {'i64' if t != 'i64' else 'i32'}"]
    add, mul = ("addi", "muli") if t in INTS else ("addf", "mulf")
    lines += [f"  {a} = arith.{add} {acc}, {other} : {t}", f"  {b} = arith.{mul} {a}, {y} : {t}", f"  scf.yield {b}, {acc} : {t}, {t}", "}"]
    s, u = p.name(), p.name()
    lines += [f"{s} = arith.{add} {r}#0, {r}#1 : {t}"]
    p.add(lines, [(s, t)], [x, y], ["scf.for", "scf.yield"])


@maker("scf.if")
def if_else(p):
    t = p.rng.choice(WIDE_INTS + ["f32", "f64"])
    c, x, y = p.scalar("i1"), p.scalar(t), p.scalar(t)
    r, a, b = p.name(), p.name(), p.name()
    one, two = ("addi", "subi") if t in INTS else ("addf", "mulf")
    p.add([f"{r} = scf.if {c} -> ({t}) {{", f"  {a} = arith.{one} {x}, {y} : {t}", f"  scf.yield {a} : {t}", "} else {",
           f"  {b} = arith.{two} {y}, {x} : {t}", f"  scf.yield {b} : {t}", "}"], [(r, t)], [c, x, y], ["scf.if", "scf.yield"])


@maker("scf.while", "scf.condition")
def while_loop(p):
    t = p.rng.choice(WIDE_INTS)
    x = p.scalar(t)
    r, n, acc, k, acc2, k2, more, one, limit, zero, s = (p.name() for _ in range(11))
    p.add([f"{zero} = arith.constant 0 : i32", f"{one} = arith.constant 1 : i32", f"{limit} = arith.constant {p.rng.randint(0, 9)} : i32",
           f"{r}:2 = scf.while ({acc} = {x}, {k} = {zero}) : ({t}, i32) -> ({t}, i32) {{",
           f"  {more} = arith.cmpi slt, {k}, {limit} : i32", f"  scf.condition({more}) {acc}, {k} : {t}, i32", "} do {",
           f"^bb0({acc2}: {t}, {k2}: i32):", f"  {n} = arith.addi {k2}, {one} : i32", f"  {s} = arith.muli {acc2}, {x} : {t}",
           f"  scf.yield {s}, {n} : {t}, i32", "}", f"{s}r = arith.addi {r}#0, {x} : {t}"], [(s + "r", t)], [x],
          ["scf.while", "scf.condition", "scf.yield"])


@maker("scf.index_switch")
def index_switch(p):
    t = p.rng.choice(WIDE_INTS + ["f32", "f64"])
    i, r = p.index_below(4), p.name()
    xs = [p.scalar(t) for _ in range(3)]
    lines = [f"{r} = scf.index_switch {i} -> {t}"]
    for k in range(2):
        lines += [f"case {2 * k} {{", f"  scf.yield {xs[k]} : {t}", "}"]
    lines += ["default {", f"  scf.yield {xs[2]} : {t}", "}"]
    p.add(lines, [(r, t)], xs + [i], ["scf.index_switch", "scf.yield"])


@maker("scf.execute_region")
def execute_region(p):
    t = p.rng.choice(WIDE_INTS)
    c, x, y, r, z, w = p.scalar("i1"), p.scalar(t), p.scalar(t), p.name(), p.name(), p.name()
    n = p.next
    p.add([f"{r} = scf.execute_region -> {t} {{", f"  cf.cond_br {c}, ^x{n}({x} : {t}), ^y{n}", f"^y{n}:", f"  {w} = arith.subi {x}, {y} : {t}",
           f"  cf.br ^x{n}({w} : {t})", f"^x{n}({z}: {t}):", f"  scf.yield {z} : {t}", "}"], [(r, t)], [c, x, y],
          ["scf.execute_region", "cf.cond_br", "cf.br", "scf.yield"])


@maker("scf.parallel", "scf.reduce", "scf.reduce.return")
def parallel(p):
    t = p.rng.choice(WIDE_INTS)
    x, m = p.scalar(t), p.a_memref(p.shape(2), t)
    r, lo, one, iv, jv, e, a, b, s, u, h0, h1 = (p.name() for _ in range(12))
    how = p.rng.choice(["addi", "muli", "maxsi", "xori"])
    p.add([f"{lo} = arith.constant 0 : index", f"{one} = arith.constant 1 : index", f"{h0} = arith.constant {m[2][0]} : index",
           f"{h1} = arith.constant {m[2][1]} : index",
           f"{r} = scf.parallel ({iv}, {jv}) = ({lo}, {lo}) to ({h0}, {h1}) step ({one}, {one}) init ({x}) -> {t} {{",
           f"  {e} = memref.load {m[0]}[{iv}, {jv}] : {p.type_of(m)}", f"  scf.reduce({e} : {t}) {{", f"  ^bb0({a}: {t}, {b}: {t}):",
           f"    {s} = arith.{how} {a}, {b} : {t}", f"    scf.reduce.return {s} : {t}", "  }", "}"], [(r, t)], [x, m[0]],
          ["scf.parallel", "scf.reduce", "scf.reduce.return", "memref.load"])


@maker("scf.forall", "scf.forall.in_parallel", "tensor.parallel_insert_slice")
def forall(p):
    t = p.a_tensor(p.shape(2))
    r, iv, o, s = (p.name() for _ in range(4))
    n, w = t[2]
    row = f"tensor<1x{w}x{t[3]}>"
    p.add([f"{r} = scf.forall ({iv}) in ({n}) shared_outs({o} = {t[0]}) -> ({p.type_of(t)}) {{",
           f"  {s} = tensor.extract_slice {t[0]}[{iv}, 0] [1, {w}] [1, 1] : {p.type_of(t)} to {row}",
           "  scf.forall.in_parallel {", f"    tensor.parallel_insert_slice {s} into {o}[{iv}, 0] [1, {w}] [1, 1] : {row} into {p.type_of(t)}",
           "  }", "}"], [(r,) + t[1:]], [t[0]], ["scf.forall", "scf.forall.in_parallel", "tensor.parallel_insert_slice", "tensor.extract_slice"])


# ---- memref

@maker("memref.load", "memref.store", "memref.atomic_rmw", "memref.generic_atomic_rmw", "memref.atomic_yield")
def access(p):
    row = least_used(p, ["memref.load", "memref.store", "memref.atomic_rmw", "memref.generic_atomic_rmw"])
    wide = ["i32", "i64"] if "generic" in row else ["i32", "i64", "f32", "f64"]
    m = p.a_memref(elem=p.rng.choice(wide) if "atomic" in row else None)
    at, r, t = [p.index_below(d) for d in m[2]], p.name(), m[3]
    place = f"{m[0]}[{', '.join(at)}]"
    if row == "memref.load":
        p.add([f"{r} = memref.load {place} : {p.type_of(m)}"], [(r, t)], at + [m[0]], [row])
        return
    x = p.scalar(t)
    if row == "memref.store":
        p.add([f"memref.store {x}, {place} : {p.type_of(m)}"], [], at + [m[0], x], [row])
    elif row == "memref.atomic_rmw":
        how = p.rng.choice(["addi", "maxs", "minu", "ori", "andi", "assign"] if t in INTS else ["addf", "assign"])
        p.add([f"{r} = memref.atomic_rmw {how} {x}, {place} : ({t}, {p.type_of(m)}) -> {t}"], [(r, t)], at + [m[0], x], [row])
    else:
        old, new = p.name(), p.name()
        full = p.type_of(m)  # MLIR 19's lowering of it breaks down on some bodies
        p.add([f"{r} = memref.generic_atomic_rmw {place} : {full} {{", f"^bb0({old}: {t}):", f"  {new} = arith.muli {old}, {x} : {t}",
               f"  memref.atomic_yield {new} : {t}", "}"], [(r, t)], at + [m[0], x], [row, "memref.atomic_yield"],
              [f"{r} = memref.load {place} : {full}", f"{new} = arith.muli {r}, {x} : {t}", f"memref.store {new}, {place} : {full}"])


@maker("memref.copy", "memref.dealloc", "memref.realloc", "memref.alloca_scope", "memref.alloca_scope.return", "memref.cast", "memref.dim", "memref.rank",
       "memref.assume_alignment", "memref.prefetch", "memref.memory_space_cast", "memref.tensor_store")
def buffers(p):
    row = least_used(p, ["memref.copy", "memref.dealloc", "memref.realloc", "memref.alloca_scope", "memref.cast", "memref.dim", "memref.rank",
                         "memref.assume_alignment", "memref.prefetch", "memref.memory_space_cast", "memref.tensor_store"])
    r = p.name()
    if row == "memref.realloc":
        t, n, k = p.rng.choice(ELEMS), p.rng.randint(1, 4), p.rng.randint(1, 4)
        x, a, b, i = p.scalar(t), p.name(), p.name(), p.name()
        m = min(n, k)
        lines = [f"{a} = memref.alloc() : memref<{n}x{t}>"]
        uses = [x]
        for j in range(n):
            c = p.name()
            lines += [f"{c} = arith.constant {j} : index", f"memref.store {x}, {a}[{c}] : memref<{n}x{t}>"]
        c = p.name()
        lines += [f"{b} = memref.realloc {a} : memref<{n}x{t}> to memref<{k}x{t}>", f"{c} = arith.constant {m - 1} : index",
                  f"{r} = memref.load {b}[{c}] : memref<{k}x{t}>", f"memref.dealloc {b} : memref<{k}x{t}>"]
        p.add(lines, [(r, t)], uses, [row, "memref.dealloc", "memref.alloc"])
        return
    m = p.a_memref()
    full, uses = p.type_of(m), [m[0]]
    if row == "memref.copy":
        n = p.a_memref(m[2], m[3])
        if n[0] == m[0]:
            n = p.make_memref(m[2], m[3])
        p.add([f"memref.copy {m[0]}, {n[0]} : {full} to {p.type_of(n)}"], [], [m[0], n[0]], [row])
    elif row == "memref.dealloc":
        a, c, x = p.name(), p.name(), p.scalar(m[3])
        p.add([f"{a} = memref.alloc() : memref<{m[3]}>", f"memref.store {x}, {a}[] : memref<{m[3]}>", f"{r} = memref.load {a}[] : memref<{m[3]}>",
               f"memref.dealloc {a} : memref<{m[3]}>"], [(r, m[3])], [x], [row, "memref.alloc"])
    elif row == "memref.alloca_scope":
        a, x, y, t = p.name(), p.scalar(m[3]), p.name(), m[3]
        p.add([f"{r} = memref.alloca_scope -> ({t}) {{", f"  {a} = memref.alloca() : memref<{t}>", f"  memref.store {x}, {a}[] : memref<{t}>",
               f"  {y} = memref.load {a}[] : memref<{t}>", f"  memref.alloca_scope.return {y} : {t}", "}"], [(r, t)], [x],
              [row, "memref.alloca_scope.return"])
    elif row == "memref.cast":
        loose, back = p.name(), r
        dyn = "memref<" + "?x" * len(m[2]) + m[3] + ">"
        p.add([f"{loose} = memref.cast {m[0]} : {full} to {dyn}", f"{back} = memref.cast {loose} : {dyn} to {full}"], [(back,) + m[1:]], uses, [row])
    elif row == "memref.memory_space_cast":
        far = full[:-1] + ", 1>"
        p.add([f"{r}f = memref.memory_space_cast {m[0]} : {full} to {far}", f"{r} = memref.memory_space_cast {r}f : {far} to {full}"], [(r,) + m[1:]], uses,
              [row], [f"{r} = memref.cast {m[0]} : {full} to {full}"])
    elif row == "memref.tensor_store":
        t = p.a_tensor(m[2], m[3])
        p.add([f"memref.tensor_store {t[0]}, {m[0]} : {full}"], [], [t[0], m[0]], [row],
              [f"bufferization.materialize_in_destination {t[0]} in restrict writable {m[0]} : ({p.type_of(t)}, {full}) -> ()"])
    elif row == "memref.dim":
        i = p.index_below(len(m[2]))
        p.add([f"{r} = memref.dim {m[0]}, {i} : {full}"], [(r, "index")], uses + [i], [row])
    elif row == "memref.rank":
        p.add([f"{r} = memref.rank {m[0]} : {full}"], [(r, "index")], uses, [row])
    elif row == "memref.assume_alignment":
        p.add([f"memref.assume_alignment {m[0]}, 1 : {full}"], [], uses, [row])
    else:
        at = [p.index_below(d) for d in m[2]]
        p.add([f"memref.prefetch {m[0]}[{', '.join(at)}], read, locality<3>, data : {full}"], [], uses + at, [row])


VIEWS = ["memref." + n for n in "subview reinterpret_cast transpose expand_shape collapse_shape view reshape extract_strided_metadata".split()]


@maker(*VIEWS)
def views(p):
    row, r, rng = least_used(p, VIEWS), p.name(), p.rng
    if row == "memref.view":
        a, z, lines = p.name(), p.name(), []
        t, n = rng.choice(["i16", "i32", "i64"]), rng.randint(1, 3)
        size = BITS[t] // 8 * n
        x, i, c0, c1, cn = p.scalar("i8"), p.name(), p.name(), p.name(), p.name()
        p.add([f"{a} = memref.alloc() : memref<{size + 8}xi8>", f"{c0} = arith.constant 0 : index", f"{c1} = arith.constant 1 : index",
               f"{cn} = arith.constant {size + 8} : index", f"{z} = arith.constant 8 : index", f"scf.for {i} = {c0} to {cn} step {c1} {{",
               f"  {i}b = arith.index_cast {i} : index to i8", f"  {i}c = arith.muli {i}b, {x} : i8",
               f"  memref.store {i}c, {a}[{i}] : memref<{size + 8}xi8>", "}", f"{r} = memref.view {a}[{z}][] : memref<{size + 8}xi8> to memref<{n}x{t}>"],
              [(r, "memref", (n,), t)], [x], [row])
        return
    if row == "memref.expand_shape":
        a, b = rng.randint(1, 3), rng.randint(1, 3)
        m = p.a_memref((a * b,))
        p.add([f"{r} = memref.expand_shape {m[0]} [[0, 1]] output_shape [{a}, {b}] : {p.type_of(m)} into memref<{a}x{b}x{m[3]}>"],
              [(r, "memref", (a, b), m[3])], [m[0]], [row])
        return
    m = p.a_memref(p.shape(2))
    a, b = m[2]
    t, full = m[3], p.type_of(m)
    if row == "memref.collapse_shape":
        p.add([f"{r} = memref.collapse_shape {m[0]} [[0, 1]] : {full} into memref<{a * b}x{t}>"], [(r, "memref", (a * b,), t)], [m[0]], [row])
    elif row == "memref.transpose":
        layout = f", strided<[1, {b}]>"
        p.add([f"{r} = memref.transpose {m[0]} (i, j) -> (j, i) : {full} to memref<{b}x{a}x{t}{layout}>"], [(r, "memref", (b, a), t, layout)], [m[0]], [row])
    elif row == "memref.subview":
        o, s = [rng.randrange(d) for d in (a, b)], []
        s = [rng.randint(1, d - x) for d, x in zip((a, b), o)]
        layout = f", strided<[{b}, 1], offset: {o[0] * b + o[1]}>"
        p.add([f"{r} = memref.subview {m[0]}[{o[0]}, {o[1]}] [{s[0]}, {s[1]}] [1, 1] : {full} to memref<{s[0]}x{s[1]}x{t}{layout}>"],
              [(r, "memref", tuple(s), t, layout)], [m[0]], [row])
    elif row == "memref.reinterpret_cast":
        n = rng.randint(1, a * b)
        off = rng.randint(0, a * b - n)
        layout = f", strided<[1], offset: {off}>"
        p.add([f"{r} = memref.reinterpret_cast {m[0]} to offset: [{off}], sizes: [{n}], strides: [1] : {full} to memref<{n}x{t}{layout}>"],
              [(r, "memref", (n,), t, layout)], [m[0]], [row])
    elif row == "memref.reshape":
        s, c0, c1, x, y = (p.name() for _ in range(5))
        p.add([f"{s} = memref.alloc() : memref<2xindex>", f"{c0} = arith.constant 0 : index", f"{c1} = arith.constant 1 : index",
               f"{x} = arith.constant {b} : index", f"{y} = arith.constant {a} : index", f"memref.store {x}, {s}[{c0}] : memref<2xindex>",
               f"memref.store {y}, {s}[{c1}] : memref<2xindex>", f"{r} = memref.reshape {m[0]}({s}) : ({full}, memref<2xindex>) -> memref<{b}x{a}x{t}>"],
              [(r, "memref", (b, a), t)], [m[0]], [row])
    else:
        base, off, st = p.name(), p.name(), p.name()
        p.add([f"{base}, {off}, {r}:2, {st}:2 = memref.extract_strided_metadata {m[0]} : {full} -> memref<{t}>, index, index, index, index, index",
               f"{r}s = arith.addi {r}#1, {st}#0 : index"], [(r + "s", "index"), (off, "index")], [m[0]], [row])


@maker("memref.get_global", "memref.global")
def get_global(p):
    r = p.name()
    p.add([f"{r} = memref.get_global @constants : memref<4xi32>"], [(r, "memref", (4,), "i32", "")[:4]], [], ["memref.get_global", "memref.global"])
    p.shaped.pop()  # shared by all programs: only read
    i, x = p.index_below(4), p.name()
    p.add([f"{x} = memref.load {r}[{i}] : memref<4xi32>"], [(x, "i32")], [r, i], ["memref.load"])


# ---- tensor

@maker("tensor.extract", "tensor.insert", "tensor.dim", "tensor.rank", "tensor.splat", "tensor.cast", "tensor.bitcast", "tensor.empty")
def tensor_elements(p):
    row, r = least_used(p, ["tensor.extract", "tensor.insert", "tensor.dim", "tensor.rank", "tensor.splat", "tensor.cast", "tensor.bitcast",
                            "tensor.empty"]), p.name()
    t = p.a_tensor()
    full, e = p.type_of(t), t[3]
    if row == "tensor.extract":
        at = [p.index_below(d) for d in t[2]]
        p.add([f"{r} = tensor.extract {t[0]}[{', '.join(at)}] : {full}"], [(r, e)], at + [t[0]], [row])
    elif row == "tensor.insert":
        at, x = [p.index_below(d) for d in t[2]], p.scalar(e)
        p.add([f"{r} = tensor.insert {x} into {t[0]}[{', '.join(at)}] : {full}"], [(r,) + t[1:]], at + [t[0], x], [row])
    elif row == "tensor.dim":
        i = p.index_below(len(t[2]))
        p.add([f"{r} = tensor.dim {t[0]}, {i} : {full}"], [(r, "index")], [t[0], i], [row])
    elif row == "tensor.rank":
        p.add([f"{r} = tensor.rank {t[0]} : {full}"], [(r, "index")], [t[0]], [row])
    elif row == "tensor.splat":
        x = p.scalar(e)
        p.add([f"{r} = tensor.splat {x} : {full}"], [(r,) + t[1:]], [x], [row])
    elif row == "tensor.cast":
        loose, dyn = p.name(), "tensor<" + "?x" * len(t[2]) + e + ">"
        p.add([f"{loose} = tensor.cast {t[0]} : {full} to {dyn}", f"{r} = tensor.cast {loose} : {dyn} to {full}"], [(r,) + t[1:]], [t[0]], [row])
    elif row == "tensor.bitcast":
        t = p.a_tensor(elem=p.rng.choice(["i32", "i64"]))
        to = {"i32": "f32", "i64": "f64"}[t[3]]
        text = f"bitcast {t[0]} : {p.type_of(t)} to {p.type_of((r, 'tensor', t[2], to))}"
        p.add([f"{r} = tensor.{text}"], [(r, "tensor", t[2], to)], [t[0]], [row], [f"{r} = arith.{text}"])
    else:
        x, a = p.scalar(e), p.name()
        p.add([f"{a} = tensor.empty() : {full}", f"{r} = linalg.fill ins({x} : {e}) outs({a} : {full}) -> {full}"], [(r,) + t[1:]], [x],
              [row, "linalg.fill"])


@maker("tensor.generate", "tensor.yield", "tensor.pad", "tensor.concat", "tensor.extract_slice", "tensor.insert_slice", "tensor.expand_shape",
       "tensor.collapse_shape", "tensor.reshape")
def tensor_shapes(p):
    rng, r = p.rng, p.name()
    row = least_used(p, ["tensor.generate", "tensor.pad", "tensor.concat", "tensor.extract_slice", "tensor.insert_slice", "tensor.expand_shape",
                         "tensor.collapse_shape", "tensor.reshape"])
    t = p.a_tensor(p.shape(2))
    (a, b), e, full = t[2], t[3], p.type_of(t)
    if row == "tensor.generate":
        i, j = p.name(), p.name()
        x = p.name()
        p.add([f"{r} = tensor.generate {{", f"^bb0({i}: index, {j}: index):", f"  {x} = tensor.extract {t[0]}[{i}, {j}] : {full}",
               f"  tensor.yield {x} : {e}", f"}} : {full}"], [(r,) + t[1:]], [t[0]], [row, "tensor.yield"])
    elif row == "tensor.pad":
        lo, hi, x = [rng.randint(0, 2) for _ in range(2)], [rng.randint(0, 2) for _ in range(2)], p.scalar(e)
        shape = (a + lo[0] + hi[0], b + lo[1] + hi[1])
        i, j = p.name(), p.name()
        p.add([f"{r} = tensor.pad {t[0]} low[{lo[0]}, {lo[1]}] high[{hi[0]}, {hi[1]}] {{", f"^bb0({i}: index, {j}: index):", f"  tensor.yield {x} : {e}",
               f"}} : {full} to {p.type_of((r, 'tensor', shape, e))}"], [(r, "tensor", shape, e)], [t[0], x], [row, "tensor.yield"])
    elif row == "tensor.concat":
        u = p.a_tensor((rng.randint(1, 3), b), e)
        shape = (a + u[2][0], b)
        whole, x, y = p.type_of((r, "tensor", shape, e)), p.name(), p.name()
        p.add([f"{r} = tensor.concat dim(0) {t[0]}, {u[0]} : ({full}, {p.type_of(u)}) -> {whole}"], [(r, "tensor", shape, e)], [t[0], u[0]], [row],
              [f"{x} = tensor.empty() : {whole}", f"{y} = tensor.insert_slice {t[0]} into {x}[0, 0] [{a}, {b}] [1, 1] : {full} into {whole}",
               f"{r} = tensor.insert_slice {u[0]} into {y}[{a}, 0] [{u[2][0]}, {b}] [1, 1] : {p.type_of(u)} into {whole}"])
    elif row == "tensor.extract_slice":
        o = [rng.randrange(d) for d in (a, b)]
        s = [rng.randint(1, d - x) for d, x in zip((a, b), o)]
        p.add([f"{r} = tensor.extract_slice {t[0]}[{o[0]}, {o[1]}] [{s[0]}, {s[1]}] [1, 1] : {full} to {p.type_of((r, 'tensor', tuple(s), e))}"],
              [(r, "tensor", tuple(s), e)], [t[0]], [row])
    elif row == "tensor.insert_slice":
        s = (rng.randint(1, a), rng.randint(1, b))
        u = p.a_tensor(s, e)
        o = [rng.randint(0, d - x) for d, x in zip((a, b), s)]
        p.add([f"{r} = tensor.insert_slice {u[0]} into {t[0]}[{o[0]}, {o[1]}] [{s[0]}, {s[1]}] [1, 1] : {p.type_of(u)} into {full}"], [(r,) + t[1:]],
              [t[0], u[0]], [row])
    elif row == "tensor.expand_shape":
        u = p.a_tensor((a * b,), e)
        p.add([f"{r} = tensor.expand_shape {u[0]} [[0, 1]] output_shape [{a}, {b}] : {p.type_of(u)} into {full}"], [(r,) + t[1:]], [u[0]], [row])
    elif row == "tensor.collapse_shape":
        p.add([f"{r} = tensor.collapse_shape {t[0]} [[0, 1]] : {full} into {p.type_of((r, 'tensor', (a * b,), e))}"], [(r, "tensor", (a * b,), e)], [t[0]],
              [row])
    else:
        s = p.name()
        p.add([f"{s} = arith.constant dense<[{b}, {a}]> : tensor<2xindex>",
               f"{r} = tensor.reshape {t[0]}({s}) : ({full}, tensor<2xindex>) -> {p.type_of((r, 'tensor', (b, a), e))}"], [(r, "tensor", (b, a), e)], [t[0]],
              [row])


@maker("tensor.pack", "tensor.unpack", "tensor.gather", "tensor.scatter", "linalg.init_tensor")
def tensor_tiles(p):
    """Ops without a lowering in MLIR 19: the peer gets what they mean."""
    rng, r = p.rng, p.name()
    row = least_used(p, ["tensor.pack", "tensor.unpack", "tensor.gather", "tensor.scatter", "linalg.init_tensor"])
    e = rng.choice(ELEMS)

    def t(*shape):
        return p.type_of((r, "tensor", shape, e))
    if row == "linalg.init_tensor":
        s, x, y = p.shape(), p.scalar(e), p.name()
        fill = f"{r} = linalg.fill ins({x} : {e}) outs({y} : {t(*s)}) -> {t(*s)}"
        p.add([f"{y} = linalg.init_tensor [{', '.join(map(str, s))}] : {t(*s)}", fill], [(r, "tensor", s, e)], [x], [row],
              [f"{y} = tensor.empty() : {t(*s)}", fill])
    elif row == "tensor.pack":
        a, b, m, n = (rng.randint(1, 3) for _ in range(4))
        swap = rng.random() < 0.5
        pads = rng.randrange(m), rng.randrange(n)
        src, x, out = p.a_tensor((a * m - pads[0], b * n - pads[1]), e), p.scalar(e), (b, a, n, m) if swap else (a, b, m, n)
        if 0 in src[2]:
            return
        o, w, y, z, i = (p.name() for _ in range(5))
        how = "outer_dims_perm = [1, 0] inner_dims_pos = [1, 0]" if swap else "inner_dims_pos = [0, 1]"
        p.add([f"{o} = tensor.empty() : {t(*out)}",
               f"{r} = tensor.pack {src[0]} padding_value({x} : {e}) {how} inner_tiles = [{out[2]}, {out[3]}] into {o} : {p.type_of(src)} -> {t(*out)}"],
              [(r, "tensor", out, e)], [src[0], x], [row],
              [f"{w} = tensor.pad {src[0]} low[0, 0] high[{pads[0]}, {pads[1]}] {{", f"^bb0({i}: index, {i}j: index):", f"  tensor.yield {x} : {e}",
               f"}} : {p.type_of(src)} to {t(a * m, b * n)}",
               f"{y} = tensor.expand_shape {w} [[0, 1], [2, 3]] output_shape [{a}, {m}, {b}, {n}] : {t(a * m, b * n)} into {t(a, m, b, n)}",
               f"{z} = tensor.empty() : {t(*out)}",
               f"{r} = linalg.transpose ins({y} : {t(a, m, b, n)}) outs({z} : {t(*out)}) permutation = {[2, 0, 3, 1] if swap else [0, 2, 1, 3]}"])
    elif row == "tensor.unpack":
        a, b, m, n = (rng.randint(1, 2) for _ in range(4))
        cut = rng.randrange(m), rng.randrange(n)
        src, o, y, z, w = p.a_tensor((a, b, m, n), e), *(p.name() for _ in range(4))
        out = (a * m - cut[0], b * n - cut[1])
        p.add([f"{o} = tensor.empty() : {t(*out)}",
               f"{r} = tensor.unpack {src[0]} inner_dims_pos = [0, 1] inner_tiles = [{m}, {n}] into {o} : {p.type_of(src)} -> {t(*out)}"],
              [(r, "tensor", out, e)], [src[0]], [row],
              [f"{y} = tensor.empty() : {t(a, m, b, n)}",
               f"{z} = linalg.transpose ins({src[0]} : {p.type_of(src)}) outs({y} : {t(a, m, b, n)}) permutation = [0, 2, 1, 3]",
               f"{w} = tensor.collapse_shape {z} [[0, 1], [2, 3]] : {t(a, m, b, n)} into {t(a * m, b * n)}",
               f"{r} = tensor.extract_slice {w}[0, 0] [{out[0]}, {out[1]}] [1, 1] : {t(a * m, b * n)} to {t(*out)}"])
    else:
        a, b, n = rng.randint(1, 4), rng.randint(1, 3), rng.randint(1, 4)
        n = min(n, a) if row == "tensor.scatter" else n
        where = rng.sample(range(a), n) if row == "tensor.scatter" else [rng.randrange(a) for _ in range(n)]
        table, at = p.a_tensor((a, b), e), p.name()
        lines = [f"{at} = arith.constant dense<{[[k] for k in where]}> : tensor<{n}x1xindex>"]
        if row == "tensor.gather":
            i, j, k, c, x = (p.name() for _ in range(5))
            z, y = p.name(), p.name()
            p.add(lines + [f"{z} = tensor.gather {table[0]}[{at}] gather_dims([0]) : ({t(a, b)}, tensor<{n}x1xindex>) -> {t(n, 1, b)}",
                           f"{r} = tensor.collapse_shape {z} [[0, 1], [2]] : {t(n, 1, b)} into {t(n, b)}"], [(r, "tensor", (n, b), e)], [table[0]], [row],
                  lines + [f"{c} = arith.constant 0 : index", f"{r} = tensor.generate {{", f"^bb0({i}: index, {j}: index):",
                           f"  {k} = tensor.extract {at}[{i}, {c}] : tensor<{n}x1xindex>", f"  {x} = tensor.extract {table[0]}[{k}, {j}] : {t(a, b)}",
                           f"  tensor.yield {x} : {e}", f"}} : {t(n, b)}"])
        else:
            src = p.a_tensor((n, 1, b), e)
            peer, last = [], table[0]
            for k, to in enumerate(where):
                x, y = p.name(), p.name() if k + 1 < n else r
                peer += [f"{x} = tensor.extract_slice {src[0]}[{k}, 0, 0] [1, 1, {b}] [1, 1, 1] : {t(n, 1, b)} to {t(1, b)}",
                         f"{y} = tensor.insert_slice {x} into {last}[{to}, 0] [1, {b}] [1, 1] : {t(1, b)} into {t(a, b)}"]
                last = y
            p.add(lines + [f"{r} = tensor.scatter {src[0]} into {table[0]}[{at}] scatter_dims([0]) unique : ({t(n, 1, b)}, {t(a, b)}, tensor<{n}x1xindex>) "
                           f"-> {t(a, b)}"], [(r, "tensor", (a, b), e)], [table[0], src[0]], [row], peer)


NEWER = ["arith.subui_extended", "math.isnan", "math.isinf", "math.isfinite", "math.isnormal", "math.clampf"]


@maker(*NEWER)
def newer(p):
    """Ops that MLIR 19 does not have yet, and what they mean there."""
    row, r, s = least_used(p, NEWER), p.name(), p.name()
    if row == "arith.subui_extended":
        t = p.rng.choice(WIDE_INTS)
        x, y = p.scalar(t), p.scalar(t)
        p.add([f"{r}, {s} = {row} {x}, {y} : {t}, i1"], [(r, t), (s, "i1")], [x, y], [row],
              [f"{r} = arith.subi {x}, {y} : {t}", f"{s} = arith.cmpi ult, {x}, {y} : {t}"])
        return
    t = p.rng.choice(["f32", "f64"])
    x, a, inf, low, u, v = p.scalar(t), *(p.name() for _ in range(5))
    if row == "math.clampf":
        lo, hi = p.scalar(t), p.scalar(t)
        p.add([f"{r} = math.clampf {x} to [{lo}, {hi}] : {t}"], [(r, t)], [x, lo, hi], [row],
              [f"{s} = arith.maximumf {x}, {lo} : {t}", f"{r} = arith.minimumf {s}, {hi} : {t}"])
        return
    peer = [f"{a} = math.absf {x} : {t}", f"{inf} = arith.constant {'0x7F800000' if t == 'f32' else '0x7FF0000000000000'} : {t}",
            f"{low} = arith.constant {'0x00800000' if t == 'f32' else '0x0010000000000000'} : {t}"]
    peer += {"math.isnan": [f"{r} = arith.cmpf uno, {x}, {x} : {t}"], "math.isinf": [f"{r} = arith.cmpf oeq, {a}, {inf} : {t}"],
             "math.isfinite": [f"{r} = arith.cmpf olt, {a}, {inf} : {t}"],
             "math.isnormal": [f"{u} = arith.cmpf olt, {a}, {inf} : {t}", f"{v} = arith.cmpf oge, {a}, {low} : {t}", f"{r} = arith.andi {u}, {v} : i1"]}[row]
    p.add([f"{r} = {row} {x} : {t}"], [(r, "i1")], [x], [row], peer)


# ---- linalg

def linalg_call(p, name, ins, out_shape, elem, attrs="", row=None, tensors=None):
    """A named op on tensors or on memrefs; ins: (shape, element type) or a scalar's type."""
    tensors = p.rng.random() < 0.5 if tensors is None else tensors
    pick = p.a_tensor if tensors else p.a_memref
    operands, types = [], []
    for i in ins:
        if isinstance(i, str):
            operands.append(p.scalar(i))
            types.append(i)
        else:
            v = pick(i[0], i[1])
            operands.append(v[0])
            types.append(p.type_of(v))
    row = row or "linalg." + name
    if tensors:
        out, r = p.a_tensor(out_shape, elem), p.name()
        full = p.type_of(out)
        p.add([f"{r} = linalg.{name} {attrs}ins({', '.join(operands)} : {', '.join(types)}) outs({out[0]} : {full}) -> {full}"], [(r,) + out[1:]],
              operands + [out[0]], [row])
    else:
        out = p.make_memref(out_shape, elem)
        p.add([f"linalg.{name} {attrs}ins({', '.join(operands)} : {', '.join(types)}) outs({out[0]} : {p.type_of(out)})"], [], operands + [out[0]], [row])


UNARY = ["abs", "ceil", "floor", "negf", "round", "sqrt", "square", "reciprocal"]
BINARY = ["add", "sub", "mul", "div_unsigned", "max", "min", "div"]


@maker(*["linalg." + n for n in UNARY + BINARY + ["select", "copy", "fill", "elemwise_unary", "elemwise_binary"]])
def linalg_elementwise(p):
    name = least_used(p, ["linalg." + n for n in UNARY + BINARY + ["select", "copy", "fill", "elemwise_unary", "elemwise_binary"]])[7:]
    s, e = p.shape(), p.rng.choice(["i32", "i64", "f32", "f64"])
    if name in UNARY or name == "elemwise_unary":
        e = p.rng.choice(["f32", "f64"])
        attrs = "{fun = #linalg.unary_fn<" + p.rng.choice(["abs", "ceil", "floor", "negf"]) + ">} " if name == "elemwise_unary" else ""
        linalg_call(p, name, [(s, e)], s, e, attrs)
    elif name in BINARY or name == "elemwise_binary":
        if name == "div":
            e = p.rng.choice(["f32", "f64"])
        if name in ("max", "min") and e in FLOATS or name == "div_unsigned":
            e = "i32"
        if name == "div_unsigned":
            d = p.name()
            full = p.type_of((d, "tensor", s, "i32"))
            total = 1
            for n in s:
                total *= n
            x, r, out = p.a_tensor(s, "i32"), p.name(), p.a_tensor(s, "i32")
            values = iter([p.rng.randint(1, (1 << 31) - 1) for _ in range(total)])

            def nest(shape):
                return str(next(values)) if not shape else "[" + ", ".join(nest(shape[1:]) for _ in range(shape[0])) + "]"
            p.add([f"{d} = arith.constant dense<{nest(s)}> : {full}",
                   f"{r} = linalg.div_unsigned ins({x[0]}, {d} : {full}, {full}) outs({out[0]} : {full}) -> {full}"], [(r, "tensor", s, "i32")],
                  [x[0], out[0]], ["linalg.div_unsigned"])
            return
        attrs = "{fun = #linalg.binary_fn<" + p.rng.choice(["add", "sub", "mul"]) + ">} " if name == "elemwise_binary" else ""
        linalg_call(p, name, [(s, e), (s, e)], s, e, attrs)
    elif name == "select":
        c = p.name()
        full = p.type_of((c, "tensor", s, "i1"))
        p.add([f"{c} = arith.constant dense<{p.dense(s, 'i1')}> : {full}"], [], [], [])
        p.pieces[-1].defs = [c]
        x, y, out, r = p.a_tensor(s, e), p.a_tensor(s, e), p.a_tensor(s, e), p.name()
        f = p.type_of(x)
        p.add([f"{r} = linalg.select ins({c}, {x[0]}, {y[0]} : {full}, {f}, {f}) outs({out[0]} : {f}) -> {f}"], [(r,) + out[1:]], [c, x[0], y[0], out[0]],
              ["linalg.select"])
    elif name == "copy":
        linalg_call(p, name, [(s, e)], s, e)
    else:
        linalg_call(p, name, [p.rng.choice(["i32", "i64"]) if e in INTS else e], s, e)


CONTRACT = {  # loops of every operand: lower case parallel, upper case reduced
    "matmul": "mK,Kn,mn", "matmul_transpose_a": "Km,Kn,mn", "matmul_transpose_b": "mK,nK,mn",
    "batch_matmul": "bmK,bKn,bmn", "batch_matmul_transpose_a": "bKm,bKn,bmn", "batch_matmul_transpose_b": "bmK,bnK,bmn",
    "batch_reduce_matmul": "BmK,BKn,mn", "matvec": "mN,N,m", "vecmat": "M,Mn,n", "batch_matvec": "bmK,bK,bm", "batch_vecmat": "bK,bKn,bn",
    "dot": "M,M,", "mmt4d": "mKiL,nKjL,mnij", "batch_mmt4d": "bmKiL,bnKjL,bmnij", "quantized_matmul": "mK,Kn,mn",
    "quantized_batch_matmul": "bmK,bKn,bmn",
}


@maker(*["linalg." + n for n in CONTRACT])
def linalg_contractions(p):
    name = least_used(p, ["linalg." + n for n in CONTRACT])[7:]
    most = p.rng.choice([4, 4, 4, 19])
    sizes = collections.defaultdict(lambda: p.rng.randint(1, most))
    if name.startswith("batch") or "4d" in name:
        most = 4
    shapes = [tuple(sizes[c] for c in operand) for operand in CONTRACT[name].split(",")]
    e, o = p.rng.choice([("i32", "i32"), ("i8", "i32"), ("f32", "f32"), ("f64", "f64"), ("i16", "i64"), ("f32", "f64"), ("i64", "i64")])
    ins = [(shapes[0], e), (shapes[1], e)]
    if name == "batch_reduce_matmul":  # without casts in MLIR 19
        e = o
        ins = [(shapes[0], e), (shapes[1], e)]
    if name.startswith("quantized"):
        e, o = "i8", "i32"
        ins = [(shapes[0], e), (shapes[1], e), "i32", "i32"]
    if name == "dot":
        out, r, tensors = p.name(), p.name(), [p.a_tensor(s, e) for s, e in ins]
        x, f = p.scalar(o), f"tensor<{o}>"
        p.add([f"{out} = tensor.from_elements {x} : {f}",
               f"{r} = linalg.dot ins({tensors[0][0]}, {tensors[1][0]} : {p.type_of(tensors[0])}, {p.type_of(tensors[1])}) outs({out} : {f}) -> {f}"],
              [(r, "tensor", (), o)], [tensors[0][0], tensors[1][0], x], ["linalg.dot"])
        return
    linalg_call(p, name, ins, shapes[2], o)


CONVS = {  # image, kernel, out: letters of the operands; H and W of the out are image sizes less the window
    "conv_1d": ("W", "w", "W"), "conv_2d": ("HW", "hw", "HW"), "conv_3d": ("DHW", "dhw", "DHW"),
    "conv_1d_nwc_wcf": ("nWc", "wcf", "nWf"), "conv_1d_ncw_fcw": ("ncW", "fcw", "nfW"), "conv_2d_nhwc_hwcf": ("nHWc", "hwcf", "nHWf"),
    "conv_2d_nhwc_fhwc": ("nHWc", "fhwc", "nHWf"), "conv_2d_nchw_fchw": ("ncHW", "fchw", "nfHW"), "conv_2d_ngchw_fgchw": ("ngcHW", "fgchw", "ngfHW"),
    "conv_2d_ngchw_gfchw": ("ngcHW", "gfchw", "ngfHW"), "conv_3d_ndhwc_dhwcf": ("nDHWc", "dhwcf", "nDHWf"), "conv_3d_ncdhw_fcdhw": ("ncDHW", "fcdhw", "nfDHW"),
    "conv_2d_nhwc_hwcf_q": ("nHWc", "hwcf", "nHWf"), "conv_2d_nhwc_fhwc_q": ("nHWc", "fhwc", "nHWf"), "conv_2d_ngchw_gfchw_q": ("ngcHW", "gfchw", "ngfHW"),
    "conv_3d_ndhwc_dhwcf_q": ("nDHWc", "dhwcf", "nDHWf"),
    "depthwise_conv_1d_nwc_wc": ("nWc", "wc", "nWc"), "depthwise_conv_1d_ncw_cw": ("ncW", "cw", "ncW"), "depthwise_conv_1d_nwc_wcm": ("nWc", "wcm", "nWcm"),
    "depthwise_conv_2d_nhwc_hwc": ("nHWc", "hwc", "nHWc"), "depthwise_conv_2d_nchw_chw": ("ncHW", "chw", "ncHW"),
    "depthwise_conv_2d_nhwc_hwcm": ("nHWc", "hwcm", "nHWcm"), "depthwise_conv_2d_nhwc_hwc_q": ("nHWc", "hwc", "nHWc"),
    "depthwise_conv_2d_nhwc_hwcm_q": ("nHWc", "hwcm", "nHWcm"), "depthwise_conv_3d_ndhwc_dhwc": ("nDHWc", "dhwc", "nDHWc"),
    "depthwise_conv_3d_ncdhw_cdhw": ("ncDHW", "cdhw", "ncDHW"), "depthwise_conv_3d_ndhwc_dhwcm": ("nDHWc", "dhwcm", "nDHWcm"),
    **{"pooling_" + n: (a, k, a) for n, a, k in [
        (f"{l}_{f}", l.replace("d", "D").replace("h", "H").replace("w", "W"), "".join(c for c in l if c in "dhw"))
        for l in ("nhwc", "nchw", "nwc", "ncw", "ndhwc") for f in ("sum", "max", "min", "max_unsigned", "min_unsigned")]
       if n not in ("nchw_min", "nchw_max_unsigned", "nchw_min_unsigned", "ncw_min", "ncw_max_unsigned", "ncw_min_unsigned", "ndhwc_max_unsigned",
                    "ndhwc_min_unsigned")},
}


@maker(*["linalg." + n for n in CONVS])
def linalg_windows(p):
    name = least_used(p, ["linalg." + n for n in CONVS])[7:]
    image, kernel, out = CONVS[name]
    spatial = [c for c in image if c.isupper()]
    size = {c: p.rng.randint(1, 2) for c in "ncfgm"}
    plain = name in ("conv_1d", "conv_2d", "conv_3d")
    strides = {c: 1 if plain else p.rng.randint(1, 2) for c in spatial}
    dilations = {c: 1 if plain else p.rng.randint(1, 2) for c in spatial}
    window = {c.lower(): p.rng.randint(1, 2) for c in spatial}
    outs = {c: p.rng.randint(1, 3) for c in spatial}
    if p.rng.random() < 0.2:
        outs[spatial[-1]] = p.rng.randint(4, 20)
        size["c"] = p.rng.choice([size["c"], p.rng.randint(3, 17)]) if len(spatial) < 3 else size["c"]
    whole = {c: (outs[c] - 1) * strides[c] + (window[c.lower()] - 1) * dilations[c] + 1 for c in spatial}
    in_shape = tuple(whole[c] if c.isupper() else size[c] for c in image)
    k_shape = tuple(window[c] if c in window else size[c] for c in kernel)
    out_shape = tuple(outs[c] if c.isupper() else size[c] for c in out)
    attrs = "" if plain else "{dilations = dense<[%s]> : tensor<%dxi64>, strides = dense<[%s]> : tensor<%dxi64>} " % (
        ", ".join(str(dilations[c]) for c in spatial), len(spatial), ", ".join(str(strides[c]) for c in spatial), len(spatial))
    e = p.rng.choice(["i32", "i64", "f32", "f64"])
    o = e
    ins = [(in_shape, e), (k_shape, e)]
    if name.endswith("_q"):
        e, o = "i8", "i32"
        ins = [(in_shape, e), (k_shape, e), "i32", "i32"]
    elif name.startswith("pooling") and (name.endswith("unsigned") or "max" in name or "min" in name):
        e = o = "i32"  # which NaN or zero a float maximum takes is another program's matter
        ins = [(in_shape, e), (k_shape, e)]
    elif name.startswith("conv") and p.rng.random() < 0.3:
        e, o = p.rng.choice([("i8", "i32"), ("f32", "f64")])
        ins = [(in_shape, e), (k_shape, e)]
    linalg_call(p, name, ins, out_shape, o, attrs)


@maker("linalg.generic", "linalg.yield", "linalg.index", "linalg.map", "linalg.reduce", "linalg.transpose", "linalg.broadcast")
def linalg_bodies(p):
    rng, r = p.rng, p.name()
    row = least_used(p, ["linalg.generic", "linalg.index", "linalg.map", "linalg.reduce", "linalg.transpose", "linalg.broadcast"])
    e = rng.choice(["i32", "i64", "f32", "f64"])
    add, mul = ("addi", "muli") if e in INTS else ("addf", "mulf")
    a, b = p.shape(2)
    t = p.a_tensor((a, b), e)
    full = p.type_of(t)
    x, y, z, w, v = (p.name() for _ in range(5))
    if row in ("linalg.generic", "linalg.index"):
        maps = rng.choice(["(i, j)", "(j, i)"])
        iterators = '["parallel", "parallel"]'
        src = p.a_tensor((a, b) if maps == "(i, j)" else (b, a), e)
        lines = [f"{r} = linalg.generic {{indexing_maps = [affine_map<(i, j) -> {maps}>, affine_map<(i, j) -> (i, j)>], iterator_types = {iterators}}} "
                 f"ins({src[0]} : {p.type_of(src)}) outs({t[0]} : {full}) {{", f"^bb0({x}: {e}, {y}: {e}):"]
        if row == "linalg.index":
            i = p.name()
            lines += [f"  {i} = linalg.index {rng.randrange(2)} : index", f"  {i}c = arith.index_cast {i} : index to i32"]
            if e in INTS:
                lines += [f"  {z} = arith.extsi {i}c : i32 to {e}" if e == "i64" else f"  {z} = arith.{add} {i}c, {y} : {e}"]
            else:
                lines += [f"  {z} = arith.sitofp {i}c : i32 to {e}"]
        else:
            lines += [f"  {z} = arith.{mul} {x}, {y} : {e}"]
        lines += [f"  {w} = arith.{add} {z}, {x} : {e}", f"  linalg.yield {w} : {e}", f"}} -> {full}"]
        p.add(lines, [(r,) + t[1:]], [src[0], t[0]], ["linalg.generic", "linalg.yield"] + ([row] if row == "linalg.index" else []))
    elif row == "linalg.map":
        u, o = p.a_tensor((a, b), e), p.a_tensor((a, b), e)
        p.add([f"{r} = linalg.map ins({t[0]}, {u[0]} : {full}, {full}) outs({o[0]} : {full}) ({x}: {e}, {y}: {e}) {{", f"  {z} = arith.{mul} {x}, {y} : {e}",
               f"  linalg.yield {z} : {e}", "}"], [(r,) + t[1:]], [t[0], u[0], o[0]], [row, "linalg.yield"])
    elif row == "linalg.reduce":
        d = rng.randrange(2)
        o = p.a_tensor((t[2][1 - d],), e)
        p.add([f"{r} = linalg.reduce ins({t[0]} : {full}) outs({o[0]} : {p.type_of(o)}) dimensions = [{d}] ({x}: {e}, {y}: {e}) {{",
               f"  {z} = arith.{add} {x}, {y} : {e}", f"  linalg.yield {z} : {e}", "}"], [(r,) + o[1:]], [t[0], o[0]], [row, "linalg.yield"])
    elif row == "linalg.transpose":
        o = p.a_tensor((b, a), e)
        p.add([f"{r} = linalg.transpose ins({t[0]} : {full}) outs({o[0]} : {p.type_of(o)}) permutation = [1, 0]"], [(r,) + o[1:]], [t[0], o[0]], [row])
    else:
        u, n, d = p.a_tensor((a,), e), rng.randint(1, 3), rng.randrange(2)
        o = p.a_tensor((n, a) if d == 0 else (a, n), e)
        p.add([f"{r} = linalg.broadcast ins({u[0]} : {p.type_of(u)}) outs({o[0]} : {p.type_of(o)}) dimensions = [{d}]"], [(r,) + o[1:]], [u[0], o[0]], [row])


ROWS = sorted({r for rows, _ in MAKERS for r in rows})


def make_program(seed, number, counts, only):
    p = Program(random.Random(seed * 1000003 + number), number, counts, only)
    makers = [m for m in MAKERS if not only or any(r in only for r in m[0])]
    for _ in range(p.rng.randint(3, 9)):
        # the maker of a row that was seen least, or any
        if p.rng.random() < 0.8:
            rows, make = min(makers, key=lambda m: (min(counts[r] for r in m[0]), p.rng.random()))
        else:
            rows, make = p.rng.choice(makers)
        make(p)
    p.prints = p.print_lines()
    return p


# ---- modules ------------------------------------------------------------------------------------------------------------

def helper(type_):
    w = BITS[type_]
    if type_ == "index":
        body = "%0 = arith.index_cast %x : index to i64"
    elif type_ in INTS:
        body = "%0 = arith.extsi %x : " + type_ + " to i64" if w < 64 else "%c = arith.constant 0 : i64\n  %0 = arith.addi %x, %c : i64"
    else:
        body = f"%nan = arith.cmpf uno, %x, %x : {type_}\n  %bits = arith.bitcast %x : {type_} to i{w}\n  %c = arith.constant 12345 : i{w}\n"
        body += f"  %y = arith.select %nan, %c, %bits : i{w}\n"
        body += f"  %0 = arith.extui %y : i{w} to i64" if w < 64 else "  %d = arith.constant 0 : i64\n  %0 = arith.addi %y, %d : i64"
    return (f"func.func @p_{type_}(%x: {type_}) {{\n  {body}\n  func.call @printI64(%0) : (i64) -> ()\n  func.call @printComma() : () -> ()\n"
            "  return\n}\n")


def module(texts_and_numbers):
    out = ["func.func private @printI64(i64)", "func.func private @printComma()", "func.func private @printNewline()",
           'memref.global "private" constant @constants : memref<4xi32> = dense<[1, -2, 2147483647, -2147483648]>']
    out += [helper(t) for t in list(INTS) + list(FLOATS) + ["index"]]
    main = ["func.func @main() {"]
    for number, text in texts_and_numbers:
        out.append(text)
        r = random.Random(number)
        values = [str(r.getrandbits(64) - (1 << 63)), str(r.randint(-1000, 1000)), repr(r.uniform(-100, 100)), repr(r.gauss(0, 1) * 10.0 ** r.randint(-9, 9))]
        main += [f"  %n{number} = arith.constant {number} : i64", f"  func.call @printI64(%n{number}) : (i64) -> ()",
                 "  func.call @printComma() : () -> ()"]
        for k, (v, t) in enumerate(zip(values, ["i64", "i64", "f64", "f64"])):
            main.append(f"  %q{number}_{k} = arith.constant {v} : {t}")
        main += [f"  func.call @p{number}({', '.join(f'%q{number}_{k}' for k in range(4))}) : (i64, i64, f64, f64) -> ()",
                 "  func.call @printNewline() : () -> ()"]
    return "\n".join(out + main + ["  return", "}"]) + "\n"


LOWERING = """--convert-elementwise-to-linalg --empty-tensor-to-alloc-tensor --one-shot-bufferize=allow-return-allocs-from-loops --scf-forall-to-for
    --linalg-generalize-named-ops --convert-linalg-to-loops --expand-realloc --memref-expand --expand-strided-metadata --lower-affine --arith-expand
    --convert-math-to-funcs --convert-scf-to-cf --convert-cf-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm
    --finalize-memref-to-llvm --convert-math-to-libm --convert-func-to-llvm --reconcile-unrealized-casts""".split()


class Peer:
    def __init__(self, args):
        self.opt, self.run = (os.path.join(args.llvm, "bin", n) for n in ("mlir-opt", "mlir-cpu-runner"))
        lib = os.path.join(args.llvm, "lib")
        names = [n for n in os.listdir(lib) if n.startswith(("libmlir_c_runner_utils.so", "libmlir_float16_utils.so"))]
        self.libs = ",".join(os.path.join(lib, n) for n in names)
        self.vmc = args.vmc

    def ours(self, text, level):
        done = subprocess.run([self.vmc, "--run", level, "--function=main", "-"], input=text, capture_output=True, text=True, timeout=600)
        return done.returncode, done.stdout, done.stderr

    def theirs(self, text):
        low = subprocess.run([self.opt, *LOWERING, "-"], input=text, capture_output=True, text=True, timeout=600)
        if low.returncode:
            return low.returncode, "", low.stderr
        done = subprocess.run([self.run, "-O0", "-e", "main", "-entry-point-result=void", f"-shared-libs={self.libs}"], input=low.stdout, capture_output=True,
                              text=True, timeout=600)
        return done.returncode, done.stdout, done.stderr


def lines_of(output):
    """number -> what its program printed."""
    return {line.split(",")[0]: line for line in output.splitlines()}


def disagree(peer, program, pieces):
    """Whether the program of these pieces is valid and gives different results."""
    text, theirs = (module([(program.number, program.text(pieces, k))]) for k in (False, True))
    theirs = peer.theirs(theirs)
    if theirs[0]:
        return False
    for level in ("-O2", "-O0"):
        ours = peer.ours(text, level)
        if ours[0] or ours[1] != theirs[1]:
            return True
    return False


def shrink(peer, program):
    """Leaves out pieces that no other needs while the results still differ."""
    pieces, changed = list(program.pieces), True
    while changed:
        changed = False
        for k in reversed(range(len(pieces))):
            rest = pieces[:k] + pieces[k + 1:]
            needed = {u for piece in rest for u in piece.uses}
            if any(d in needed for d in pieces[k].defs):
                continue
            if disagree(peer, program, rest):
                pieces, changed = rest, True
    return pieces


def main():
    a = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--count", type=int, default=200)
    a.add_argument("--batch", type=int, default=50)
    a.add_argument("--vmc", default="./vmc")
    a.add_argument("--llvm", default="/usr/lib/llvm-19")
    a.add_argument("--keep", default=".", help="where programs that differ are written")
    a.add_argument("--only", default="", help="only these rows")
    a.add_argument("--rows", help="write how many programs had each row")
    args = a.parse_args()
    if not os.path.exists(os.path.join(args.llvm, "bin", "mlir-cpu-runner")) or not os.path.exists(os.path.join(args.llvm, "bin", "mlir-opt")):
        print("SKIP: no mlir-cpu-runner in", args.llvm)
        return 77
    peer, counts, bad, refused = Peer(args), collections.Counter(), 0, 0
    only = set(args.only.split(",")) - {""}
    for start in range(0, args.count, args.batch):
        programs = [make_program(args.seed, n, counts, only) for n in range(start, min(start + args.batch, args.count))]
        theirs = peer.theirs(module([(p.number, p.text(peer=True)) for p in programs]))
        if theirs[0]:  # some program is not what MLIR takes: one by one
            good = []
            for p in programs:
                one = module([(p.number, p.text(peer=True))])
                said = peer.theirs(one)
                if said[0]:
                    refused += 1
                    path = os.path.join(args.keep, f"refused-{args.seed}-{p.number}.mlir")
                    with open(path, "w") as f:
                        f.write(one)
                    print(f"MLIR refuses program {p.number} ({path}): {(said[2].strip().splitlines() or [''])[0][:200]}")
                else:
                    good.append(p)
            programs = good
            theirs = peer.theirs(module([(p.number, p.text(peer=True)) for p in programs]))
        text, want = module([(p.number, p.text()) for p in programs]), lines_of(theirs[1])
        silent = [p.number for p in programs if str(p.number) not in want]
        if silent:
            print("MLIR's runner printed nothing for", silent)
            bad += len(silent)
        for level in ("-O2", "-O0"):
            code, out, err = peer.ours(text, level)
            got = lines_of(out)
            if code:
                print(f"{level}: vmc --run gives {code}: {err.strip().splitlines()[:1]}")
            suspects = [p for p in programs if got.get(str(p.number)) != want.get(str(p.number))]
            for p in suspects:
                if not disagree(peer, p, p.pieces):
                    continue
                bad += 1
                path = os.path.join(args.keep, f"differs-{args.seed}-{p.number}.mlir")
                with open(path, "w") as f:
                    f.write(module([(p.number, p.text(shrink(peer, p)))]))
                print(f"program {p.number} differs at {level}: {path}")
            if suspects:
                break
    if args.rows:
        with open(args.rows, "w") as f:
            for r in ROWS:
                f.write(f"{counts[r]} {r}\n")
    least = min(ROWS, key=lambda r: counts[r]) if not only else None
    print(f"{args.count} programs, {bad} differ, {refused} refused by MLIR; {len(ROWS)} rows" + (f", the least used: {least} in {counts[least]}" if least else ""))
    return 1 if bad or refused else 0


if __name__ == "__main__":
    sys.exit(main())
