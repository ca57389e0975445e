#!/usr/bin/env python3
"""numpy as a peer of the benchmarks.  Reads commands, one a line, and answers each with one line:

  new NAME ROWS COLUMNS          -> the number of a new task, or "error ..."
  bert SIZE TOKENS PREFIX SCRIPT -> the same; weights from PREFIX.weights, the model of SCRIPT (tests/models/bert.py)
  run NUMBER CALLS               -> nanoseconds of CPU time that the calls took
  peak                           -> peak resident megabytes of this process
  drop                           -> forgets all tasks
"""
import glob
import importlib.util
import itertools
import os
import sys
import time

try:
    import numpy as np
except ImportError:
    print("error numpy is not installed", flush=True)
    sys.exit(0)

rng = np.random.default_rng(1)


def f32(*shape, scale=4):
    return ((rng.random(shape, dtype=np.float32) * 2 - 1) * scale).astype(np.float32)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def layer_norm(x, scale, shift):
    d = x - x.mean(-1, keepdims=True)
    return d / np.sqrt((d * d).mean(-1, keepdims=True) + np.float32(1e-5)) * scale + shift


def task(name, m, n):
    """a function without arguments"""
    if name == "matmul":
        a, b, c = f32(n, n), f32(n, n), np.empty((n, n), np.float32)
        return lambda: np.matmul(a, b, out=c)
    if name == "any":
        x = np.zeros((m, n), bool)
        return lambda: x.any(-1)
    if name == "isum":
        x = rng.integers(-9, 9, (m, n), np.int32)
        return lambda: x.sum(-1, dtype=np.int32)
    if name == "layernorm":
        x, g, b = f32(m, n), f32(n), f32(n)
        return lambda: layer_norm(x, g, b)
    x = f32(m, n)
    if m == 1:
        x = x.reshape(-1)
    out = np.empty_like(x)
    y = f32(*x.shape) if name == "add" else None
    return {
        "argmax": lambda: np.argmax(x, axis=-1),
        "max": lambda: x.max(-1),
        "min": lambda: x.min(-1),
        "sum": lambda: x.sum(-1),
        "softmax": lambda: softmax(x),
        "add": lambda: np.add(x, y, out=out),
        "exp": lambda: np.exp(x, out=out),
        "tanh": lambda: np.tanh(x, out=out),
    }[name]


def bert_task(size, tokens, prefix, script):
    spec = importlib.util.spec_from_file_location("bert", script)
    bert = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bert)
    layers, width, heads, _ = bert.SIZES[size]
    params = {}
    for path in glob.glob(os.path.join(prefix + ".weights", "*.npy")):
        key, value = os.path.basename(path)[:-4], np.load(path)
        params[key] = np.ascontiguousarray(value.T) if key.endswith("_w") else value
    ids = np.load(prefix + ".ids.npy")
    return lambda: bert.evaluate(params, ids, None, layers, width, heads, erf=bert.erf32, transposed=True)


def answer(words, tasks):
    if words[0] == "run":
        fn, count = tasks[int(words[1])], int(words[2])
        start = time.thread_time_ns()
        for _ in itertools.repeat(None, count):
            fn()
        return time.thread_time_ns() - start
    if words[0] == "peak":
        with open("/proc/self/status") as status:  # getrusage counts what the parent had when it started us
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))
    if words[0] == "drop":
        tasks.clear()
        return 0
    if words[0] == "bert":
        tasks.append(bert_task(words[1], int(words[2]), words[3], words[4]))
    else:
        tasks.append(task(words[1], int(words[2]), int(words[3])))
    return len(tasks) - 1


def main():
    tasks = []
    for line in sys.stdin:
        try:
            print(answer(line.split(), tasks), flush=True)
        except Exception as error:  # the driver prints it and goes on without this peer
            print("error %s" % str(error).replace("\n", " "), flush=True)


if __name__ == "__main__":
    main()
