/* MLIR 19's JIT as a peer: the loops of a program, lowered by mlir-opt and run by mlir-cpu-runner -O3, which times its calls
 * itself. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char folder[] = "/usr/lib/llvm-19";

/* Best of the seconds that one process prints. */
static double run_jit(void *state, long calls)
{
    Jit *jit = state;
    double best = -1, seconds;
    FILE *in = popen(jit->command, "r");
    while (in && fscanf(in, "%lf", &seconds) == 1)
        best = best < 0 || seconds < best ? seconds : best;
    if (in)
        pclose(in);
    return best < 0 ? -1 : best * (double)calls;
}

/* @name with its body, from `func.func @name` up to the next function. */
static char *find_function(char *text, const char *name)
{
    char start[80];
    snprintf(start, sizeof start, "func.func @%s(", name);
    char *from = strstr(text, start), *to = from ? strstr(from + 1, "func.func") : NULL;
    if (to)
        *to = 0;
    return from;
}

Runner jit_runner(const Bench *bench, Jit *jit, const char *function, long m, long n)
{
    static bool told;
    Runner runner = {.name = "mlir-cpu-runner -O3, best"};
    char path[1100], library[100];
    snprintf(path, sizeof path, "%s/bin/mlir-cpu-runner", folder);
    snprintf(library, sizeof library, "%s/lib/libmlir_c_runner_utils.so.19.1", folder);
    if (access(path, X_OK) != 0 || access(library, R_OK) != 0) {
        if (!told)
            bench_skip("mlir-cpu-runner 19: not on this machine");
        told = true;
        return runner;
    }
    snprintf(path, sizeof path, "%.1000s/jit.mlir", bench->scratch);
    char *driver = bench_program_text(bench, "jit_argmax.mlir", m, n), *text = bench_program_text(bench, "argmax.mlir", m, n);
    char *body = text ? find_function(text, function) : NULL;
    FILE *out = driver && body ? fopen(path, "w") : NULL;
    if (out) {
        fprintf(out, "%s%s", driver, body);
        fclose(out);
        snprintf(
            jit->command, sizeof jit->command,
            "%s/bin/mlir-opt '%s' --convert-scf-to-cf --expand-strided-metadata --finalize-memref-to-llvm --convert-arith-to-llvm "
            "--convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts 2>/dev/null | %s/bin/mlir-cpu-runner -O3 "
            "-e main -entry-point-result=void -shared-libs=%s 2>/dev/null",
            folder, path, folder, library);
        if (run_jit(jit, 1) > 0)
            runner = (Runner){runner.name, run_jit, jit};
        else
            bench_skip("mlir-cpu-runner: does not run argmax");
    }
    free(driver);
    free(text);
    return runner;
}
