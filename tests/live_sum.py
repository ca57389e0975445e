#!/usr/bin/env python3
"""Largest live sum of the text of `vmc --emit=buffers`.

Reads the text alone: for every function, the bytes of the temporaries (memref.alloc and
memref.alloca of static size that are not returned) that are alive at each line, and the
largest such sum.  A temporary is alive from the line that makes it to the last line that uses
it or a view of it; a use inside of a loop or branch that began after the temporary was made
counts until the line that closes that region.

usage: live_sum.py FILE|-  [--peak BYTES]   with --peak: exit 1 if BYTES is more than 1.25 times the sum
"""
import re
import sys

VIEWS = ("memref.subview", "memref.cast", "memref.expand_shape", "memref.collapse_shape", "memref.view",
         "memref.reinterpret_cast", "memref.transpose", "memref.reshape", "memref.assume_alignment")
NAME = re.compile(r"%[A-Za-z0-9_$.\-]+(?:#\d+)?")
MEMREF = re.compile(r"memref<((?:\d+x)*)([a-z]+[0-9a-zA-Z]*|complex<f\d+>)")


def element_bytes(name):
    if name == "index":
        return 8
    if name.startswith("complex"):
        return 2 * element_bytes(name[8:-1])
    bits = int(re.search(r"\d+", name).group()) if re.match(r"[a-z]+\d+$", name) else 8
    if name.startswith("f8") or name.startswith("f6") or name.startswith("f4"):
        bits = 8
    if name == "bf16":
        bits = 16
    size = 1
    while 8 * size < bits:
        size *= 2
    return size


def static_bytes(line):
    found = MEMREF.search(line[line.rindex(" : "):])
    if not found:
        return 0
    count = 1
    for dim in found.group(1).split("x"):
        if dim:
            count *= int(dim)
    return count * element_bytes(found.group(2))


def strip_strings(line):
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)


class Function:
    def __init__(self, begin):
        self.begin = begin
        self.made = {}      # name of the allocation -> (line, bytes, open regions)
        self.root = {}      # name of a view -> name of the allocation
        self.last = {}      # name of the allocation -> last line
        self.returned = set()
        self.open = []      # lines on which the regions that are open began
        self.waiting = []   # (number of regions that must close, name)


def allocation(function, name):
    return function.root.get(name.split("#")[0])


def measure(lines):
    best, best_line = 0, 0
    function = None
    for number, raw in enumerate(lines, 1):
        if "memref.global" in raw[:80]:
            continue
        line = strip_strings(raw)
        if re.match(r"\s*func\.func\b", line) and "{" in line:
            function = Function(number)
            function.depth = len(line) - len(line.lstrip())
            continue
        if function is None:
            continue
        if re.match(r"\s*\}", line) and len(line) - len(line.lstrip()) == function.depth and not function.open:
            sum_, at = largest(function, number)
            if sum_ > best:
                best, best_line = sum_, at
            function = None
            continue
        define = re.match(r"\s*(%[^=]*?)\s*=\s*([a-z_]+\.[a-z_.]+)", line)
        opens = line.rstrip().endswith("{")
        closes = re.match(r"\s*\}", line) is not None
        if closes and function.open:
            began = function.open.pop()
            for name, (at, _, _) in function.made.items():
                if at < began and function.last.get(name, 0) >= began:
                    function.last[name] = number
        names = NAME.findall(line)
        used = [allocation(function, n) for n in names if allocation(function, n)]
        for name in used:
            function.last[name] = number
        if re.match(r"\s*(func\.)?return\b", line):
            function.returned.update(used)
        if define:
            results = [n.split(":")[0] for n in NAME.findall(define.group(1))]
            if define.group(2) in ("memref.alloc", "memref.alloca"):
                function.made[results[0]] = (number, static_bytes(line), len(function.open))
                function.root[results[0]] = results[0]
                function.last[results[0]] = number
            elif define.group(2) in VIEWS and used:
                function.root[results[0]] = used[0]
            elif results:
                function.root.pop(results[0], None)
        if opens:
            function.open.append(number)
    return best, best_line


def largest(function, end):
    change = [0] * (end - function.begin + 3)
    for name, (line, size, _) in function.made.items():
        if name in function.returned:
            continue
        change[line - function.begin] += size
        change[function.last[name] - function.begin + 1] -= size
    alive, best, at = 0, 0, 0
    for i, delta in enumerate(change):
        alive += delta
        if alive > best:
            best, at = alive, function.begin + i
    return best, at


def main():
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    text = sys.stdin if sys.argv[1] == "-" else open(sys.argv[1])
    live, line = measure(text)
    print(f"largest live sum: {live} bytes, at line {line}")
    if len(sys.argv) == 4:
        peak = int(sys.argv[3])
        print(f"peak: {peak} bytes, {peak / live if live else 0:.3f} of it")
        sys.exit(peak > 1.25 * live)


if __name__ == "__main__":
    main()
