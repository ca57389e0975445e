#!/usr/bin/python3
"""Writes tests/cases/strict_*.mlir: programs whose strict results were computed here, in loop order, by numpy.

The inputs are made inside the program by integer hashing, exactly, so that the data rounds and the files stay small.
Each expected value is a sequence of single-precision updates in the order of the reduction loops: numpy vectorises over
independent outputs only (rank-1 updates), so no sum is reassociated.  Run it again only to change the programs.

  strict_order.py [FOLDER]
"""
import os
import sys
import numpy as np

F = np.float32


def noise(shape, salt):
    """float32 in [-0.5, 0.5) with 24 random bits; the same as @noise in the programs"""
    index = np.arange(int(np.prod(shape)), dtype=np.uint32).reshape(shape)
    h = index * np.uint32(2654435761) + np.uint32(salt)
    h ^= h >> np.uint32(15)
    h *= np.uint32(2246822519)
    h ^= h >> np.uint32(13)
    return (h >> np.uint32(8)).astype(F) * F(2.0 ** -24) - F(0.5)


def noise_text(name, shape, salt):
    rank, dims = len(shape), ["d%d" % k for k in range(len(shape))]
    t = "tensor<%sxf32>" % "x".join(map(str, shape))
    lines = ["  %%%s_e = tensor.empty() : %s" % (name, t),
             '  %%%s = linalg.generic {indexing_maps = [affine_map<(%s) -> (%s)>], iterator_types = [%s]} outs(%%%s_e : %s) {'
             % (name, ", ".join(dims), ", ".join(dims), ", ".join(['"parallel"'] * rank), name, t), "  ^bb0(%u: f32):"]
    lines.append("    %n0 = arith.constant 0 : index")
    for k in range(rank):
        lines += ["    %%i%d = linalg.index %d : index" % (k, k), "    %%s%d = arith.constant %d : index" % (k, shape[k]),
                  "    %%m%d = arith.muli %%n%d, %%s%d : index" % (k, k, k), "    %%n%d = arith.addi %%m%d, %%i%d : index" % (k + 1, k, k)]
    lines += ["    %%w = arith.index_cast %%n%d : index to i32" % rank, "    %f = func.call @noise(%w, %salt_" + name + ") : (i32, i32) -> f32",
              "    linalg.yield %f : f32", "  } -> " + t]
    return ["  %%salt_%s = arith.constant %d : i32" % (name, salt)] + lines


NOISE = """func.func private @noise(%index: i32, %salt: i32) -> f32 {
  %a = arith.constant -1640531535 : i32
  %b = arith.constant -2048144777 : i32
  %c15 = arith.constant 15 : i32
  %c13 = arith.constant 13 : i32
  %c8 = arith.constant 8 : i32
  %scale = arith.constant 5.9604644775390625e-08 : f32
  %half = arith.constant 5.0e-01 : f32
  %h0 = arith.muli %index, %a : i32
  %h1 = arith.addi %h0, %salt : i32
  %h2 = arith.shrui %h1, %c15 : i32
  %h3 = arith.xori %h1, %h2 : i32
  %h4 = arith.muli %h3, %b : i32
  %h5 = arith.shrui %h4, %c13 : i32
  %h6 = arith.xori %h4, %h5 : i32
  %h7 = arith.shrui %h6, %c8 : i32
  %f0 = arith.uitofp %h7 : i32 to f32
  %f1 = arith.mulf %f0, %scale : f32
  %f2 = arith.subf %f1, %half : f32
  return %f2 : f32
}
"""


def number(v):
    return "-0" if v == 0 and np.signbit(v) else np.format_float_scientific(v, unique=True, trim="-")


def tensor_type(shape):
    return "tensor<%sxf32>" % "x".join(map(str, shape))


def write(folder, name, why, result, body, fp="strict"):
    t = tensor_type(result.shape)
    want = "%sxf32=[%s]" % ("x".join(map(str, result.shape)), " ".join(number(v) for v in result.ravel()))
    with open(os.path.join(folder, name + ".mlir"), "w") as f:
        f.write("// %s; expected values by tests/golden/strict_order.py\n" % why)
        if fp != "strict":
            f.write("// options: --fp=%s\n" % fp)
        f.write("// call: @run\n// want: %s\n" % want)
        f.write(NOISE + "func.func @run() -> %s {\n  %%zero = arith.constant 0.0 : f32\n" % t + "\n".join(body) + "\n  return %%r : %s\n}\n" % t)


def filled(shape):
    t = tensor_type(shape)
    return ["  %%e = tensor.empty() : %s" % t, "  %%z = linalg.fill ins(%%zero : f32) outs(%%e : %s) -> %s" % (t, t)]


def matmul(folder, m, k, n):
    a, b = noise((m, k), 1), noise((k, n), 2)
    acc = np.zeros((m, n), F)
    for p in range(k):
        acc = acc + a[:, p:p + 1] * b[p:p + 1, :]
    ta, tb, tc = tensor_type((m, k)), tensor_type((k, n)), tensor_type((m, n))
    body = noise_text("a", (m, k), 1) + noise_text("b", (k, n), 2) + filled((m, n))
    body.append("  %%r = linalg.matmul ins(%%a, %%b : %s, %s) outs(%%z : %s) -> %s" % (ta, tb, tc, tc))
    write(folder, "strict_matmul", "matmul %dx%dx%d, every product and sum rounded, k in order" % (m, k, n), acc, body)
    # contract: one rounding a step; f64 holds the product exactly and the sum is rounded to odd before it is rounded to f32
    fused = np.zeros((m, n), F)
    for p in range(k):
        fused = fma32(np.broadcast_to(a[:, p:p + 1], (m, n)), np.broadcast_to(b[p:p + 1, :], (m, n)), fused)
    write(folder, "contract_matmul", "the same with one rounding a step (fma)", fused, body, "contract")


def fma32(a, b, c):
    """float32 fma: the product is exact in f64; two-sum finds the rounding error of the sum, which makes it odd"""
    p, c = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    s = p + c
    t = s - p
    error = (p - (s - t)) + (c - t)
    bits = s.view(np.int64)
    toward_zero = (error != 0) & ((error > 0) != (s > 0)) & (s != 0)
    bits = np.where(toward_zero, bits - 1, bits)
    bits = np.where(error != 0, bits | 1, bits)
    return bits.view(np.float64).astype(F)


def convolution(folder):
    x, w = noise((2, 11, 13, 5), 3), noise((3, 2, 5, 7), 4)
    acc = np.zeros((2, 5, 12, 7), F)
    for kh in range(3):
        for kw in range(2):
            for c in range(5):
                patch = x[:, kh:kh + 9:2, kw:kw + 12:1, c]
                acc = acc + patch[..., None] * w[kh, kw, c]
    tx, tw, to = tensor_type(x.shape), tensor_type(w.shape), tensor_type(acc.shape)
    body = noise_text("x", x.shape, 3) + noise_text("w", w.shape, 4) + filled(acc.shape)
    body.append("  %%r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} "
                "ins(%%x, %%w : %s, %s) outs(%%z : %s) -> %s" % (tx, tw, to, to))
    write(folder, "strict_conv", "strided convolution, window rows, columns, then channels in order", acc, body)


def sums(folder):
    x = noise((37, 301), 5)
    rows, columns = np.zeros(37, F), np.zeros(301, F)
    for j in range(301):
        rows = rows + x[:, j]
    for i in range(37):
        columns = columns + x[i]
    for name, result, kept, kinds in (("strict_row_sums", rows, "i", '"parallel", "reduction"'), ("strict_column_sums", columns, "j", '"reduction", "parallel"')):
        t = tensor_type(result.shape)
        body = noise_text("x", x.shape, 5) + filled(result.shape)
        body += ["  %%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (%s)>], iterator_types = [%s]} ins(%%x : %s) outs(%%z : %s) {"
                 % (kept, kinds, tensor_type(x.shape), t), "  ^bb0(%v: f32, %s: f32):", "    %n = arith.addf %s, %v : f32", "    linalg.yield %n : f32", "  } -> " + t]
        write(folder, name, "sums in loop order", result, body)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases")
    matmul(folder, 33, 257, 65)
    convolution(folder)
    sums(folder)


if __name__ == "__main__":
    main()
