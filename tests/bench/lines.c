/* Acceptance lines 1 to 6: loops against the machine's limits, compiled loops, numpy and OpenBLAS. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const Bound no_bound = {NO_BOUND, 0};
static Bound speed(double ratio)
{
    return (Bound){SPEED_AT_LEAST, ratio};
}
static Bound times(double ratio)
{
    return (Bound){TIME_AT_MOST, ratio};
}

static Numpy numpy;

static Runner numpy_task(const Bench *bench, const char *name, long m, long n)
{
    char setup[128];
    snprintf(setup, sizeof setup, "new %s %ld %ld", name, m, n);
    numpy_runner(bench, &numpy, "drop"); /* one task at a time: their operands take memory */
    return numpy_runner(bench, &numpy, setup);
}

static const char *size_text(char *out, size_t room, const char *what, long m, long n)
{
    if (m > 1)
        snprintf(out, room, "%s %ldx%ld", what, m, n);
    else
        snprintf(out, room, "%s %ld", what, n);
    return out;
}

static void *room_for(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 127) & ~(size_t)63);
    if (!p) {
        fprintf(stderr, "bench: out of memory\n");
        exit(1);
    }
    memset(p, 0, bytes);
    return p;
}

/* ---- limits ---- */

/* A limit is what the best sample reached. */
static void limit_row(const Bench *bench, const char *what, const Runner *runner, double units, const char *unit)
{
    Times t;
    if (!runner->run)
        return;
    bench_measure(bench, runner, 1, &t, NULL);
    t.median = t.best;
    bench_row(0, what, &t, units, unit, NULL, NULL, NULL);
}

void bench_limits(const Bench *bench)
{
    bench_title("limits of this machine, measured now");
    static const long sizes[] = {4096, 65536, 1000000, 10000000};
    static const char *const names[] = {"read 16 KiB (L1)", "read 256 KiB (L2)", "read 4 MB", "read 40 MB"};
    float *data = room_for((size_t)sizes[3] * sizeof *data), out;
    for (size_t k = 0; k < COUNT(sizes); k++) {
        Native native = {NATIVE_ROWS_TO_F32, NULL, {data}, &out, 1, sizes[k]};
        Runner runner = native_runner(NATIVE_HAND, "sum_avx2", "AVX2 sum", &native);
        limit_row(bench, names[k], &runner, 4 * (double)sizes[k], "GB/s");
    }
    static const char *const peaks[][2] = {{"peak_avx2", "fma in registers, AVX2"}, {"peak_avx512", "fma in registers, AVX-512"}};
    for (size_t k = 0; k < COUNT(peaks); k++) {
        double operations = 1e6;
        Runner runner = native_peak(peaks[k][0], peaks[k][1], &operations);
        limit_row(bench, peaks[k][1], &runner, operations, "GFLOP/s");
    }
    free(data);
}

/* ---- line 1 ---- */

static void argmax_of(const Bench *bench, long m, long n, double bound)
{
    static const char *const forms[] = {"generic", "scf", "affine"};
    static Program *programs[COUNT(forms)];
    char what[80];
    for (size_t k = 0; k < COUNT(forms); k++)
        programs[k] = program_new(bench, &(ProgramOptions){"argmax.mlir", forms[k], m, n, BUFVMC_STRICT, 4});
    if (programs[0]) {
        int64_t *out = room_for((size_t)m * sizeof *out);
        Native read = {NATIVE_ROWS_TO_F32, NULL, {program_arg(programs[0], 0)}, out, m, n}, loop = read;
        Runner ours = {"ours", program_run, programs[0]};
        Peer peers[] = {{native_runner(NATIVE_HAND, "sum_avx2", "AVX2 sum of the buffer", &read), speed(bound)},
                        {numpy_task(bench, "argmax", m, n), speed(1)},
                        {native_runner(NATIVE_STRICT, "argmax", "gcc -O3", &loop), no_bound}};
        bench_rows(bench, 1, size_text(what, sizeof what, "argmax", m, n), 4.0 * (double)m * (double)n, "GB/s", &ours, peers,
                   COUNT(peers));
        for (size_t k = 1; k < COUNT(forms); k++) {
            if (!programs[k])
                continue;
            char name[40];
            snprintf(name, sizeof name, "argmax as %s loops", forms[k]);
            Runner loops = {"ours", program_run, programs[k]};
            static Jit jit;
            Peer others[] = {{{"ours, generic", program_run, programs[0]}, speed(0.8)}, {{.name = NULL}, no_bound}};
            if (m > 1 && k == 1)
                others[1].runner = jit_runner(bench, &jit, forms[k], m, n);
            bench_rows(bench, 1, size_text(what, sizeof what, name, m, n), 4.0 * (double)m * (double)n, "GB/s", &loops, others, 2);
        }
        free(out);
    }
    for (size_t k = 0; k < COUNT(forms); k++)
        program_free(programs[k]);
}

void bench_argmax(const Bench *bench)
{
    bench_title("1. argmax f32 to i64");
    argmax_of(bench, 1, 1000, 0.6);
    argmax_of(bench, 1, 100000, 0.85);
    argmax_of(bench, 1, 10000000, 0.85);
    argmax_of(bench, 4096, 1024, 0.85);
}

/* ---- line 2 ---- */

static void reduction(const Bench *bench, const char *function, const char *what, long m, long n, BufvmcFp fp, double scale,
                      unsigned element)
{
    char text[80];
    Program *program = program_new(bench, &(ProgramOptions){"reduce.mlir", function, m, n, fp, scale});
    if (!program)
        return;
    float *out = room_for((size_t)m * sizeof *out);
    Native read = {NATIVE_ROWS_TO_F32, NULL, {program_arg(program, 0)}, out, m, n * element / 4};
    Native strict = {NATIVE_ROWS_TO_F32, NULL, {program_arg(program, 0)}, out, m, n};
    const char *loop = strcmp(function, "max") == 0 ? "maxr" : function;
    bool is_strict_sum = strcmp(function, "sum") == 0 && fp == BUFVMC_STRICT;
    Runner ours = {"ours", program_run, program};
    Peer peers[] = {{native_runner(NATIVE_HAND, "sum_avx2", "AVX2 sum of the bytes", &read),
                     is_strict_sum ? no_bound : speed(fp == BUFVMC_FAST ? 0.75 : 0.85)},
                    {native_runner(NATIVE_STRICT, loop, "gcc -O3", &strict), is_strict_sum ? speed(4) : no_bound},
                    {numpy_task(bench, function, m, n), no_bound}};
    bench_rows(bench, 2, size_text(text, sizeof text, what, m, n), (double)element * (double)m * (double)n, "GB/s", &ours, peers,
               COUNT(peers));
    free(out);
    program_free(program);
}

void bench_reductions(const Bench *bench)
{
    bench_title("2. reductions");
    reduction(bench, "max", "max f32", 1, 10000000, BUFVMC_STRICT, 4, 4);
    reduction(bench, "min", "min f32", 1, 10000000, BUFVMC_STRICT, 4, 4);
    reduction(bench, "any", "any i1 (all false)", 1, 10000000, BUFVMC_STRICT, 0, 1);
    reduction(bench, "isum", "sum i32", 1, 10000000, BUFVMC_STRICT, 4, 4);
    reduction(bench, "sum", "sum f32, strict", 4096, 1024, BUFVMC_STRICT, 4, 4);
    reduction(bench, "sum", "sum f32, fast", 4096, 1024, BUFVMC_FAST, 4, 4);
    reduction(bench, "sum", "sum f32, fast", 1, 10000000, BUFVMC_FAST, 4, 4);
}

/* ---- line 3 ---- */

typedef struct Elementwise {
    const char *function, *loop, *what;
    NativeShape shape;
    NativeBuild bar; /* which build the bound is against */
    Bound small, cached, large;
    const char *numpy; /* its task, or NULL */
    double traffic;    /* bytes of an element */
    double tolerance;  /* of the comparison with the native loop */
} Elementwise;

static void elementwise(const Bench *bench, const Elementwise *e, long n, Bound bound)
{
    char what[80];
    Program *program = program_new(bench, &(ProgramOptions){"elementwise.mlir", e->function, 1, n, BUFVMC_STRICT, 4});
    if (!program)
        return;
    float *out = room_for((size_t)n * sizeof *out);
    Native strict = {e->shape, NULL, {NULL}, out, 1, n}, fast;
    for (unsigned k = 0; k <= (unsigned)(e->shape - NATIVE_EW1); k++)
        strict.in[k] = program_arg(program, k);
    fast = strict;
    Runner ours = {"ours", program_run, program}, plain = native_runner(NATIVE_STRICT, e->loop, "gcc -O3 -march=native", &strict);
    Peer peers[] = {{plain, e->bar == NATIVE_STRICT ? bound : no_bound},
                    {native_runner(NATIVE_FAST, e->loop, "gcc -O3 -ffast-math", &fast), e->bar == NATIVE_FAST ? bound : no_bound},
                    {e->numpy ? numpy_task(bench, e->numpy, 1, n) : (Runner){0}, no_bound}};
    if (plain.run) {
        plain.run(plain.state, 1);
        if (!program_agrees(program, out, e->tolerance))
            bench_skip("(a warning) results of %s differ from the loop's", e->what);
    }
    bench_rows(bench, 3, size_text(what, sizeof what, e->what, 1, n), e->traffic * (double)n, "GB/s", &ours, peers, COUNT(peers));
    free(out);
    program_free(program);
}

void bench_elementwise(const Bench *bench)
{
    const Elementwise all[] = {
        {"add", "add", "a + b", NATIVE_EW2, NATIVE_STRICT, speed(0.5), speed(0.9), speed(0.9), "add", 12, 1e-6},
        {"fma3", "fma3", "a * b + c", NATIVE_EW3, NATIVE_STRICT, speed(0.5), speed(0.9), speed(0.9), NULL, 16, 1e-6},
        {"gelupoly", "gelupoly", "gelu poly, clamp, select", NATIVE_EW1, NATIVE_STRICT, speed(0.4), speed(0.4), speed(0.55), NULL,
         8, 1e-5},
        {"exp", "vexp", "exp", NATIVE_EW1, NATIVE_FAST, times(2), times(2), times(2), "exp", 8, 1e-5},
        {"tanh", "vtanh", "tanh", NATIVE_EW1, NATIVE_FAST, times(1.5), times(1.5), times(1.5), "tanh", 8, 1e-5},
        {"gelu", "vgelu", "gelu by erf", NATIVE_EW1, NATIVE_FAST, times(2), times(2), times(2), NULL, 8, 1e-5}};
    bench_title("3. elementwise, strict");
    for (size_t k = 0; k < COUNT(all); k++) {
        elementwise(bench, &all[k], 1000, all[k].small);
        elementwise(bench, &all[k], 100000, all[k].cached);
        elementwise(bench, &all[k], 10000000, all[k].large);
    }
}

/* ---- line 4 ---- */

static void chain(const Bench *bench, const char *function, const char *hand, BufvmcFp fp, const char *what, double bound)
{
    enum { M = 4096, N = 1024 };
    Program *program = program_new(bench, &(ProgramOptions){"rows.mlir", function, M, N, fp, 4});
    if (!program)
        return;
    float *out = room_for(sizeof(float) * M * N);
    bool is_norm = strcmp(function, "layernorm") == 0;
    Native fused = {is_norm ? NATIVE_ROWS3 : NATIVE_ROWS_TO_F32, NULL, {program_arg(program, 0)}, out, M, N};
    for (unsigned k = 1; is_norm && k < 3; k++)
        fused.in[k] = program_arg(program, k);
    Native plain = fused, fast = fused;
    Runner ours = {"ours", program_run, program}, loop = native_runner(NATIVE_STRICT, function, "gcc -O3", &plain);
    Peer peers[] = {{native_runner(NATIVE_HAND, hand, "hand-fused AVX2", &fused), fp == BUFVMC_STRICT ? times(bound) : no_bound},
                    {numpy_task(bench, function, M, N), speed(4)},
                    {native_runner(NATIVE_FAST, function, "gcc -O3 -ffast-math", &fast), no_bound}};
    if (loop.run) {
        loop.run(loop.state, 1);
        if (!program_agrees(program, out, 1e-4))
            bench_skip("(a warning) results of %s differ from the loop's", what);
    }
    bench_rows(bench, 4, what, (double)M * N, "Gelem/s", &ours, peers, COUNT(peers));
    free(out);
    program_free(program);
}

void bench_chains(const Bench *bench)
{
    bench_title("4. rows 4096x1024 as chains of generics");
    chain(bench, "softmax", "softmax_avx2", BUFVMC_STRICT, "softmax, strict", 2.4);
    chain(bench, "softmax", "softmax_avx2", BUFVMC_FAST, "softmax, fast", 0);
    chain(bench, "layernorm", "layernorm_avx2", BUFVMC_STRICT, "layer norm, strict", 1.4);
    chain(bench, "layernorm", "layernorm_avx2", BUFVMC_FAST, "layer norm, fast", 0);
}

/* ---- line 5 ---- */

static void matmul_f32(const Bench *bench, long n, BufvmcFp fp, double bound)
{
    char what[80];
    Program *program = program_new(bench, &(ProgramOptions){"matmul.mlir", "f32", n, n, fp, 1});
    if (!program)
        return;
    float *out = room_for((size_t)(n * n) * sizeof *out);
    double operations = 2.0 * (double)n * (double)n * (double)n, avx2 = operations, avx512 = operations;
    Gemm gemm = {n, program_arg(program, 0), program_arg(program, 1), out};
    Runner ours = {"ours", program_run, program}, blas = openblas_runner(&gemm);
    Peer peers[] = {{blas, speed(bound)},
                    {native_peak("peak_avx2", "fma peak, AVX2", &avx2), no_bound},
                    {native_peak("peak_avx512", "fma peak, AVX-512", &avx512), no_bound}};
    if (blas.run) {
        blas.run(blas.state, 1);
        if (!program_agrees(program, out, 1e-4))
            bench_skip("(a warning) results of the product differ from OpenBLAS's");
    }
    const char *name = fp == BUFVMC_STRICT ? "f32 strict" : fp == BUFVMC_CONTRACT ? "f32 contract" : "f32 fast";
    bench_rows(bench, 5, size_text(what, sizeof what, name, 1, n), operations, "GFLOP/s", &ours, peers, COUNT(peers));
    free(out);
    program_free(program);
}

static void matmul_other(const Bench *bench, const char *function, BufvmcFp fp, const char *what, double bound)
{
    enum { N = 512 };
    Program *program = program_new(bench, &(ProgramOptions){"matmul.mlir", function, N, N, fp, 1});
    Program *wide = program_new(bench, &(ProgramOptions){"matmul.mlir", "f32", N, N, fp, 1});
    double operations = 2.0 * N * N * N, avx2 = operations;
    if (program && wide) {
        bool is_integer = strcmp(function, "i8") == 0;
        Runner ours = {"ours", program_run, program};
        Peer peers[] = {{native_peak("peak_avx2", "fma peak, AVX2", &avx2), is_integer ? speed(bound) : no_bound},
                        {{"ours, f32", program_run, wide}, is_integer ? no_bound : speed(bound)}};
        bench_rows(bench, 5, what, operations, "GOP/s", &ours, peers, COUNT(peers));
    }
    program_free(program);
    program_free(wide);
}

void bench_matmul(const Bench *bench)
{
    bench_title("5. matrix products");
    matmul_f32(bench, 64, BUFVMC_STRICT, 1.2);
    matmul_f32(bench, 64, BUFVMC_CONTRACT, 1.5);
    for (long n = 256; n <= 1024; n *= 2) {
        matmul_f32(bench, n, BUFVMC_STRICT, 0.75);
        matmul_f32(bench, n, BUFVMC_CONTRACT, 0.95);
    }
    matmul_other(bench, "i8", BUFVMC_STRICT, "i8 into i32 512", 1.1);
    matmul_other(bench, "f16", BUFVMC_STRICT, "f16 into f32 512, strict", 0.8);
    matmul_other(bench, "f16", BUFVMC_CONTRACT, "f16 into f32 512, contract", 0.8);
    matmul_other(bench, "bf16", BUFVMC_STRICT, "bf16 into f32 512, strict", 0.6);
    matmul_other(bench, "bf16", BUFVMC_CONTRACT, "bf16 into f32 512, contract", 0.6);
}

/* ---- line 6 ---- */

void bench_scalar(const Bench *bench)
{
    char command[2048];
    printf("\n6. scalar code\n");
    snprintf(command, sizeof command, "%s/tests/bench/scalar.sh", bench->source);
    if (access(command, R_OK) != 0) {
        bench_skip("%s is not there", command);
        return;
    }
    fflush(stdout);
    snprintf(command, sizeof command, "srcdir='%s' VMC=./vmc VMRUN=./vmrun sh '%s/tests/bench/scalar.sh'", bench->source,
             bench->source);
    if (system(command) != 0)
        bench_skip("scalar.sh failed");
}
