#!/usr/bin/python3
"""Scalar code beside other interpreters (acceptance line 6).

    scalar.py [--vmc FILE] [--vmrun FILE] [--rounds N] [--only NAME,NAME]

Each program of scalar/ exists as MLIR (compiled with the matchers off, so that no loop becomes tiles), as Lua and as
WebAssembly text.  All run with two counts of turns, ours and each peer in turn, round after round; the difference of the least
processor times is what the turns cost, whatever else the machine does.  Every run's result is compared.  A row is: program,
ns per inner step, best peer, its ns, ratio, bound.  Peers that are not found are named and left out: luajit (with -joff),
lua5.4, and, with wat2wasm, wasm3 and iwasm (WASM3, IWASM name them where they are not on the path).
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# name: source of the peers, turns low and high, inner steps of a turn, bound
PROGRAMS = {
    "loop": ("loop", 10, 1010, 10000, 0.7),
    "argmax": ("argmax", 1, 11, 1000000, 0.7),
    "argmaxsel": ("argmax", 1, 11, 1000000, 0.7),
    "matmul": ("matmul", 1, 6, 2097152, 0.7),
    "fib": ("fib", 1, 61, 150049, 0.9),
    "sieve": ("sieve", 1, 4, 3123042, 0.7),
    "collatz": ("collatz", 1, 13, 849637, 0.7),
}


def run(command):
    """Processor seconds and printed text of one run."""
    read, write = os.pipe()
    pid = os.posix_spawnp(command[0], command, os.environ,
                          file_actions=[(os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_DUP2, write, 2)])
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit("scalar.py: %s failed" % " ".join(command))
    return usage.ru_utime + usage.ru_stime, text


def number(text):
    return int(re.findall(r"-?\d+", re.split("[=:]", text)[-1])[0])


def peers(tmp, program):
    """Command lines by name; {} stands for the number of turns."""
    source = os.path.join(HERE, "scalar", PROGRAMS[program][0])
    found, missing = {}, []
    for name, options in (("luajit", ["-joff"]), ("lua5.4", [])):
        if shutil.which(name):
            found[name] = [name] + options + [source + ".lua", "{}"]
        else:
            missing.append(name)
    wat = os.path.join(HERE, "scalar", program + ".wat")
    wasm = os.path.join(tmp, program + ".wasm")
    engines = {"wasm3": ["--func", "run", wasm, "{}"], "iwasm": ["-f", "run", wasm, "{}"]}
    for name, arguments in engines.items():
        tool = os.environ.get(name.upper()) or shutil.which(name)
        if tool and shutil.which("wat2wasm"):
            subprocess.run(["wat2wasm", wat, "-o", wasm], check=True)
            found[name] = [tool] + arguments
        else:
            missing.append(name)
    return found, missing


def measure(program, vmc, vmrun, tmp, rounds):
    _, low, high, steps, bound = PROGRAMS[program]
    module = os.path.join(tmp, program + ".vmb")
    subprocess.run([vmc, "--disable-pass=raise-loops,match-strips,match-kernels",
                    os.path.join(HERE, "scalar", program + ".mlir"), "-o", module], check=True)
    found, missing = peers(tmp, program)
    commands = {"bufvm": [vmrun, module, "--function=run", "--input={}"]}
    commands.update(found)
    best, results = {}, {}
    for _ in range(rounds):
        for name, command in commands.items():
            for turns in (low, high):
                cpu, text = run([c.replace("{}", str(turns)) for c in command])
                result = number(text.replace("0x", "")) if name != "iwasm" else int(text.split(":")[0], 16)
                result &= 0xffffffff
                if results.setdefault(turns, result) != result:
                    sys.exit("scalar.py: %s of %s gives %d, not %d" % (program, name, result, results[turns]))
                best[name, turns] = min(cpu, best.get((name, turns), cpu))
    ns = {name: (best[name, high] - best[name, low]) * 1e9 / ((high - low) * steps) for name in commands}
    row = "scalar %-10s bufvm %6.2f ns" % (program, ns["bufvm"])
    others = {name: t for name, t in ns.items() if name != "bufvm"}
    row += "".join("  %s %6.2f" % item for item in others.items())
    if others:
        peer = min(others, key=others.get)
        ratio = ns["bufvm"] / others[peer]
        row += "  ratio %.2f of %s, bound %.2f%s" % (ratio, peer, bound, "" if ratio <= bound else "  MISSED")
    print(row, flush=True)
    return missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--vmc", default="./vmc")
    parser.add_argument("--vmrun", default="./vmrun")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    only = args.only.split(",") if args.only else list(PROGRAMS)
    missing = []
    with tempfile.TemporaryDirectory() as tmp:
        for program in PROGRAMS:
            if program in only:
                missing = measure(program, args.vmc, args.vmrun, tmp, args.rounds)
    for name in missing:
        print("scalar: no %s here (or no wat2wasm)" % name)


if __name__ == "__main__":
    main()
