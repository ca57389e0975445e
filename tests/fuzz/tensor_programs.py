#!/usr/bin/env python3
"""Random tensor programs against an interpreter with value semantics.

Writes case files (calls and wanted results in comments, for caserun) whose functions write,
slice, carry, branch on, swap, return and pass small tensors in every order, so that a wrong
choice of memory in bufferization gives a wrong number.

usage: tensor_programs.py SEED COUNT FOLDER
"""
import os
import random
import sys

N = 4
WRAP = 1 << 32


def wrap(v):
    v %= WRAP
    return v - WRAP if v >= WRAP // 2 else v


class Scope:
    """Names that may be used at a point: tensors by number of elements, and scalars."""

    def __init__(self, up=None):
        self.tensors = {4: [], 2: []} if up is None else {k: list(v) for k, v in up.tensors.items()}
        self.scalars = [] if up is None else list(up.scalars)
        self.buffers = [] if up is None else list(up.buffers)


class Writer:
    def __init__(self, rng, functions):
        self.rng = rng
        self.next = 0
        self.functions = functions
        self.buffers = rng.choice([0, 0, 5, 20])

    def name(self):
        self.next += 1
        return f"%v{self.next}"

    def tensor(self, scope, n=4):
        # recent values are likelier, old ones keep being read
        pool = scope.tensors[n]
        return pool[-1 - min(int(self.rng.expovariate(0.4)), len(pool) - 1)]

    def scalar(self, scope):
        return self.rng.choice(scope.scalars)

    # Each maker gives (text lines, function that runs it on an environment) and extends the scope.

    def from_elements(self, scope, n=4):
        r, xs = self.name(), [self.scalar(scope) for _ in range(n)]
        scope.tensors[n].append(r)
        return ([f"{r} = tensor.from_elements {', '.join(xs)} : tensor<{n}xi32>"], lambda e: e.__setitem__(r, [e[x] for x in xs]))

    def insert(self, scope):
        n = 4 if self.rng.random() < 0.8 else 2
        if not scope.tensors[n]:
            n = 4
        r, x, t, i = self.name(), self.scalar(scope), self.tensor(scope, n), self.rng.randrange(n)
        scope.tensors[n].append(r)

        def run(e):
            v = list(e[t])
            v[i] = e[x]
            e[r] = v
        return [f"{r} = tensor.insert {x} into {t}[%c{i}] : tensor<{n}xi32>"], run

    def extract(self, scope):
        r, t, i = self.name(), self.tensor(scope), self.rng.randrange(N)
        scope.scalars.append(r)
        return [f"{r} = tensor.extract {t}[%c{i}] : tensor<4xi32>"], lambda e: e.__setitem__(r, e[t][i])

    def add(self, scope):
        r, a, b = self.name(), self.scalar(scope), self.scalar(scope)
        scope.scalars.append(r)
        return [f"{r} = arith.addi {a}, {b} : i32"], lambda e: e.__setitem__(r, wrap(e[a] + e[b]))

    def slice(self, scope):
        r, t, o, s = self.name(), self.tensor(scope), self.rng.randrange(3), 1
        if o == 0 and self.rng.random() < 0.3:
            s = 2
        scope.tensors[2].append(r)
        return ([f"{r} = tensor.extract_slice {t}[{o}] [2] [{s}] : tensor<4xi32> to tensor<2xi32>"],
                lambda e: e.__setitem__(r, [e[t][o], e[t][o + s]]))

    def insert_slice(self, scope):
        if not scope.tensors[2]:
            return self.slice(scope)
        r, u, t, o = self.name(), self.tensor(scope, 2), self.tensor(scope), self.rng.randrange(3)
        scope.tensors[4].append(r)

        def run(e):
            v = list(e[t])
            v[o:o + 2] = e[u]
            e[r] = v
        return [f"{r} = tensor.insert_slice {u} into {t}[{o}] [2] [1] : tensor<2xi32> into tensor<4xi32>"], run

    def tile(self, scope):
        """A slice, changed, and put back where it came from."""
        t, o = self.tensor(scope), self.rng.randrange(3)
        s, m, r = self.name(), self.name(), self.name()
        x = self.scalar(scope)
        lines = [f"{s} = tensor.extract_slice {t}[{o}] [2] [1] : tensor<4xi32> to tensor<2xi32>"]
        if self.rng.random() < 0.5:
            lines.append(f"{m} = linalg.fill ins({x} : i32) outs({s} : tensor<2xi32>) -> tensor<2xi32>")
            change = lambda e: [e[x], e[x]]
        else:
            i = self.rng.randrange(2)
            lines.append(f"{m} = tensor.insert {x} into {s}[%c{i}] : tensor<2xi32>")
            change = lambda e: [e[x] if k == i else e[t][o + k] for k in range(2)]
        back = o if self.rng.random() < 0.8 else self.rng.randrange(3)
        lines.append(f"{r} = tensor.insert_slice {m} into {t}[{back}] [2] [1] : tensor<2xi32> into tensor<4xi32>")

        def run(e):
            e[s] = e[t][o:o + 2]
            e[m] = change(e)
            v = list(e[t])
            v[back:back + 2] = e[m]
            e[r] = v
        for name, n in ((s, 2), (m, 2), (r, 4)):
            if self.rng.random() < 0.5 or name == r:
                scope.tensors[n].append(name)
        return lines, run

    def reshape(self, scope):
        a, b, t = self.name(), self.name(), self.tensor(scope)
        scope.tensors[4].append(b)
        return ([f"{a} = tensor.expand_shape {t} [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>",
                 f"{b} = tensor.collapse_shape {a} [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>"], lambda e: e.__setitem__(b, list(e[t])))

    def generic(self, scope):
        r, a, o = self.name(), self.tensor(scope), self.tensor(scope)
        if self.rng.random() < 0.3:
            a = o
        kind = self.rng.choice(["same", "reversed", "body", "unread", "shift"])
        imap = {"same": "d", "reversed": "3 - d", "shift": "0"}.get(kind, "d")
        read = kind != "unread"
        body = ["  %sum = arith.addi %x, %y : i32"] if read else ["  %sum = arith.addi %x, %x : i32"]
        if kind == "body":
            b = self.tensor(scope)
            body = ["  %i = linalg.index 0 : index", "  %j = arith.subi %c3, %i : index", f"  %w = tensor.extract {b}[%j] : tensor<4xi32>",
                    "  %sum = arith.addi %w, %y : i32"]
        index = {"same": lambda d: d, "reversed": lambda d: 3 - d, "shift": lambda d: 0}.get(kind, lambda d: d)
        scope.tensors[4].append(r)

        def run(e):
            if kind == "body":
                e[r] = [wrap(e[b][3 - d] + e[o][d]) for d in range(N)]
            elif kind == "unread":
                e[r] = [wrap(2 * v) for v in e[a]]
            else:
                e[r] = [wrap(e[a][index(d)] + e[o][d]) for d in range(N)]
        return ([f"{r} = linalg.generic {{indexing_maps = [affine_map<(d) -> ({imap})>, affine_map<(d) -> (d)>], iterator_types = [\"parallel\"]}} "
                 f"ins({a} : tensor<4xi32>) outs({o} : tensor<4xi32>) {{", "^bb0(%x: i32, %y: i32):"] + body +
                ["  linalg.yield %sum : i32", "} -> tensor<4xi32>"], run)

    def fill(self, scope):
        e0, r, x = self.name(), self.name(), self.scalar(scope)
        scope.tensors[4].append(r)
        if self.rng.random() < 0.4:
            scope.tensors[4].append(e0)
        lines = [f"{e0} = tensor.empty() : tensor<4xi32>", f"{r} = linalg.fill ins({x} : i32) outs({e0} : tensor<4xi32>) -> tensor<4xi32>"]

        def run(e):
            e[e0] = [0] * N
            e[r] = [e[x]] * N
        return lines, run

    def select(self, scope):
        c, r, x, a, b = self.name(), self.name(), self.scalar(scope), self.tensor(scope), self.tensor(scope)
        scope.tensors[4].append(r)
        return ([f"{c} = arith.trunci {x} : i32 to i1", f"{r} = arith.select {c}, {a}, {b} : tensor<4xi32>"],
                lambda e: e.__setitem__(r, list(e[a] if e[x] & 1 else e[b])))

    def loop(self, scope, depth):
        n, k = self.rng.randrange(4), self.rng.randint(1, 3)
        inits = [self.tensor(scope) for _ in range(k)]
        args, r = [self.name() for _ in range(k)], self.name()
        inner = Scope(scope)
        inner.tensors[4] += args
        lines, run = self.block(inner, depth + 1)
        yields = [self.rng.choice(args) if self.rng.random() < 0.3 else self.tensor(inner) for _ in range(k)]
        results = [f"{r}#{i}" for i in range(k)] if k > 1 else [r]
        carried = ", ".join(f"{a} = {i}" for a, i in zip(args, inits))
        types = ", ".join(["tensor<4xi32>"] * k)
        head = f"{r}{':' + str(k) if k > 1 else ''} = scf.for %i{depth} = %c0 to %c{n} step %c1 iter_args({carried}) -> ({types}) {{"
        scope.tensors[4] += results

        def do(e):
            values = [e[i] for i in inits]
            for _ in range(n):
                local = dict(e)
                local.update(zip(args, values))
                run(local)
                values = [local[y] for y in yields]
            e.update(zip(results, values))
        return [head] + ["  " + line for line in lines] + [f"  scf.yield {', '.join(yields)} : {types}", "}"], do

    def branch(self, scope, depth):
        c, r, x = self.name(), self.name(), self.scalar(scope)
        sides = []
        for _ in range(2):
            inner = Scope(scope)
            lines, run = self.block(inner, depth + 1)
            sides.append((lines, run, self.tensor(inner)))
        scope.tensors[4].append(r)

        def do(e):
            _, run, result = sides[0 if e[x] & 1 else 1]
            local = dict(e)
            run(local)
            e[r] = local[result]
        lines = [f"{c} = arith.trunci {x} : i32 to i1", f"{r} = scf.if {c} -> (tensor<4xi32>) {{"]
        for side, end in zip(sides, ("} else {", "}")):
            lines += ["  " + line for line in side[0]] + [f"  scf.yield {side[2]} : tensor<4xi32>", end]
        return lines, do

    def while_loop(self, scope, depth):
        n, init, start = self.rng.randrange(3), self.tensor(scope), self.name()
        k, a, more, b, kb, kn, r = (self.name() for _ in range(7))
        before, after = Scope(scope), Scope(scope)
        before.tensors[4].append(a)
        first, run_first = self.block(before, depth + 1)
        passed = self.tensor(before)
        after.tensors[4].append(b)
        second, run_second = self.block(after, depth + 1)
        back = self.tensor(after)
        scope.tensors[4].append(f"{r}#0")

        def do(e):
            value, count = e[init], 0
            while True:
                local = dict(e)
                local[a] = value
                run_first(local)
                value = local[passed]
                if count >= n:
                    break
                local = dict(e)
                local[b] = value
                run_second(local)
                value = local[back]
                count += 1
            e[f"{r}#0"] = value
        return ([f"{start} = arith.constant 0 : index",
                 f"{r}:2 = scf.while ({a} = {init}, {k} = {start}) : (tensor<4xi32>, index) -> (tensor<4xi32>, index) {{"] +
                ["  " + line for line in first] +
                [f"  {more} = arith.cmpi slt, {k}, %c{n} : index", f"  scf.condition({more}) {passed}, {k} : tensor<4xi32>, index", "} do {",
                 f"^bb0({b}: tensor<4xi32>, {kb}: index):"] + ["  " + line for line in second] +
                [f"  {kn} = arith.addi {kb}, %c1 : index", f"  scf.yield {back}, {kn} : tensor<4xi32>, index", "}"], do)

    def call(self, scope):
        if not self.functions:
            return self.insert(scope)
        name, run_function, nresults = self.rng.choice(self.functions)
        args, r = [self.tensor(scope), self.tensor(scope)], self.name()
        x = self.scalar(scope)
        results = [f"{r}#{i}" for i in range(nresults)]
        scope.tensors[4] += results
        types = ", ".join(["tensor<4xi32>"] * nresults)
        return ([f"{r}:{nresults} = func.call @{name}({', '.join(args)}, {x}) : (tensor<4xi32>, tensor<4xi32>, i32) -> ({types})"],
                lambda e: e.update(zip(results, run_function([e[a] for a in args], e[x]))))

    def buffer(self, scope):
        """Memory as such: read before it is written, from inner regions, as a tensor that must not change with it."""
        kind = self.rng.choice(["new", "store", "store", "load", "load", "tensor", "put", "fill", "copy"])
        if not scope.buffers:
            kind = "new"
        m = scope.buffers[-1 - min(int(self.rng.expovariate(0.5)), len(scope.buffers) - 1)] if scope.buffers else None
        x, i, r = self.scalar(scope), self.rng.randrange(N), self.name()
        if kind == "new":
            scope.buffers.append(r)
            op = self.rng.choice(["alloc", "alloca"])
            return [f"{r} = memref.{op}() : memref<4xi32>"], lambda e: e.__setitem__(r, [0] * N)
        if kind == "store":
            return [f"memref.store {x}, {m}[%c{i}] : memref<4xi32>"], lambda e: e[m].__setitem__(i, e[x])
        if kind == "load":
            scope.scalars.append(r)
            return [f"{r} = memref.load {m}[%c{i}] : memref<4xi32>"], lambda e: e.__setitem__(r, e[m][i])
        if kind == "tensor":
            scope.tensors[4].append(r)
            return [f"{r} = bufferization.to_tensor {m} restrict : memref<4xi32>"], lambda e: e.__setitem__(r, list(e[m]))
        if kind == "put":
            t = self.tensor(scope)
            return ([f"bufferization.materialize_in_destination {t} in restrict writable {m} : (tensor<4xi32>, memref<4xi32>) -> ()"],
                    lambda e: e[m].__setitem__(slice(0, N), e[t]))
        if kind == "fill":
            return [f"linalg.fill ins({x} : i32) outs({m} : memref<4xi32>)"], lambda e: e[m].__setitem__(slice(0, N), [e[x]] * N)
        o = self.rng.choice(scope.buffers)
        return [f"memref.copy {o}, {m} : memref<4xi32> to memref<4xi32>"], lambda e: e[m].__setitem__(slice(0, N), list(e[o]))

    def block(self, scope, depth):
        makers = [self.insert] * 5 + [self.extract] * 3 + [self.add, self.from_elements, self.slice, self.insert_slice, self.insert_slice,
                                                           self.tile, self.tile, self.reshape, self.generic, self.generic, self.fill,
                                                           self.select, self.call] + [self.buffer] * self.buffers
        if depth < 3:
            makers += [lambda s: self.loop(s, depth)] * 3 + [lambda s: self.branch(s, depth)] * 2 + [lambda s: self.while_loop(s, depth)]
        lines, runs = [], []
        for _ in range(self.rng.randint(1, 7 - depth)):
            text, run = self.rng.choice(makers)(scope)
            lines += text
            runs.append(run)
        return lines, lambda e: [run(e) for run in runs]

    def graph(self, scope, results):
        """The rest of a function as a loop of blocks."""
        n, i, more, nx = self.rng.randrange(4), self.name(), self.name(), self.name()
        inits = [self.tensor(scope) for _ in range(2)]
        args, outs = [self.name(), self.name()], [self.name(), self.name()]
        inner = Scope(scope)
        inner.tensors[4] += args
        body, run = self.block(inner, 2)
        back = [self.tensor(inner), self.tensor(inner)]
        last = Scope(scope)
        last.tensors[4] += args if self.rng.random() < 0.5 else outs
        by_args = outs[0] not in last.tensors[4]
        tail, run_tail = self.block(last, 2)
        returned = [self.tensor(last) for _ in range(results)]
        pair = "tensor<4xi32>, tensor<4xi32>"

        def do(e):
            values = [e[t] for t in inits]
            for _ in range(n):
                local = dict(e)
                local.update(zip(args, values))
                run(local)
                values = [local[t] for t in back]
            e.update(zip(args, values))
            e.update(zip(outs, values))
            run_tail(e)
        exit_operands = "" if by_args else f"({args[0]}, {args[1]} : {pair})"
        exit_args = "" if by_args else f"({outs[0]}: tensor<4xi32>, {outs[1]}: tensor<4xi32>)"
        return ([f"cf.br ^head(%c0, {inits[0]}, {inits[1]} : index, {pair})", f"^head({i}: index, {args[0]}: tensor<4xi32>, {args[1]}: tensor<4xi32>):",
                 f"  {more} = arith.cmpi slt, {i}, %c{n} : index", f"  cf.cond_br {more}, ^body, ^exit{exit_operands}", "^body:"] +
                ["  " + line for line in body] +
                [f"  {nx} = arith.addi {i}, %c1 : index", f"  cf.br ^head({nx}, {back[0]}, {back[1]} : index, {pair})", f"^exit{exit_args}:"] +
                ["  " + line for line in tail], do, returned)

    def function(self, name, results):
        scope = Scope()
        scope.tensors[4] = ["%a", "%b"]
        scope.scalars = ["%s", "%k7"]
        lines, run = self.block(scope, 0)
        if self.rng.random() < 0.4:
            more, run_more, returned = self.graph(scope, results)
            lines += more
        else:
            run_more, returned = None, [self.tensor(scope) for _ in range(results)]
        types = ", ".join(["tensor<4xi32>"] * results)
        text = [f"func.func @{name}(%a: tensor<4xi32>, %b: tensor<4xi32>, %s: i32) -> ({types}) {{"]
        text += [f"  %c{i} = arith.constant {i} : index" for i in range(4)] + ["  %k7 = arith.constant 7 : i32"]
        text += ["  " + line for line in lines] + [f"  return {', '.join(returned)} : {types}", "}"]

        def call(tensors, scalar):
            e = {"%a": tensors[0], "%b": tensors[1], "%s": scalar, "%k7": 7}
            run(e)
            if run_more:
                run_more(e)
            return [list(e[t]) for t in returned]
        return text, call


def value(v):
    return f"4xi32=[{' '.join(map(str, v))}]"


def program(seed):
    rng = random.Random(seed)
    functions, text, calls = [], [], []
    for i in range(rng.randint(1, 3)):
        writer = Writer(rng, functions)
        results = rng.randint(2, 4)
        lines, call = writer.function(f"f{i}", results)
        text += lines
        functions.append((f"f{i}", call, results))
    for name, call, _ in functions:
        for _ in range(2):
            args = [[rng.randrange(-9, 99) for _ in range(N)] for _ in range(2)]
            x = rng.randrange(100)
            calls.append(f"// call: @{name} {value(args[0])} {value(args[1])} i32={x}")
            calls.append("// want: " + " ".join(map(value, call(args, x))))
    return "\n".join([f"// seed {seed}"] + calls + text) + "\n"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    first, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    os.makedirs(folder, exist_ok=True)
    for seed in range(first, first + count):
        with open(os.path.join(folder, f"tensors_{seed}.mlir"), "w") as f:
            f.write(program(seed))


if __name__ == "__main__":
    main()
