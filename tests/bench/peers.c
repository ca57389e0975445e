/* Native peers: loops compiled now by the machine's C compiler for this machine, and OpenBLAS where it is installed. */
#include "bench.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *libraries[NATIVE_BUILDS], *own[NATIVE_BUILDS], *blas;

static const char *const build_flags[NATIVE_BUILDS] = {"-ffp-contract=off", "-ffast-math -fno-trapping-math", "-DHAND"};

/* Compiled and linked apart: linking with -ffast-math would switch this process to flushing subnormals. */
static void *build(const Bench *bench, const char *folder, const char *const *files, NativeBuild kind)
{
    char command[4096], objects[1024] = "", path[1024];
    const char *cc = getenv("BENCH_CC");
    if (!cc)
        cc = "gcc";
    for (int i = 0; files[i]; i++) {
        char object[300];
        snprintf(object, sizeof object, " '%s/%s-%s-%d.o'", bench->scratch, folder == bench->peers ? "peer" : "own", files[i],
                 kind);
        snprintf(command, sizeof command, "%s -O3 -march=native -fPIC %s -c '%s/%s.c' -o %s 2>'%s/cc.log'", cc, build_flags[kind],
                 folder, files[i], object, bench->scratch);
        if (system(command) != 0)
            return NULL;
        strncat(objects, object, sizeof objects - strlen(objects) - 1);
    }
    snprintf(path, sizeof path, "%s/%s-%d.so", bench->scratch, folder == bench->peers ? "peer" : "own", kind);
    /* The vector functions of glibc where the C library has them. */
    for (int vector = 1; vector >= 0; vector--) {
        snprintf(command, sizeof command, "%s -shared -o '%s'%s %s -lm 2>'%s/cc.log'", cc, path, objects, vector ? "-lmvec" : "",
                 bench->scratch);
        if (system(command) == 0)
            return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return NULL;
}

bool native_start(const Bench *bench)
{
    char folder[1024];
    const char *plain[] = {"native", NULL}, *hand[] = {"native_hand", NULL}, *rows[] = {"rows", NULL},
               *both[] = {"rows", "ew", NULL};
    snprintf(folder, sizeof folder, "%s/tests/bench", bench->source);
    for (int k = 0; k < NATIVE_BUILDS; k++) {
        own[k] = build(bench, folder, k == NATIVE_HAND ? hand : plain, (NativeBuild)k);
        if (bench->peers)
            libraries[k] = build(bench, bench->peers, k == NATIVE_HAND ? rows : both, (NativeBuild)k);
        if (bench->peers && !libraries[k])
            bench_skip("%s: its files do not compile, own loops instead", bench->peers);
    }
    if (!own[NATIVE_STRICT])
        bench_skip("native loops: no gcc (BENCH_CC names another compiler)");
    else if (!own[NATIVE_HAND])
        bench_skip("hand-written AVX2 loops: not compiled on this machine");
    return own[NATIVE_STRICT] != NULL;
}

void native_stop(void)
{
    for (int k = 0; k < NATIVE_BUILDS; k++) {
        if (own[k])
            dlclose(own[k]);
        if (libraries[k])
            dlclose(libraries[k]);
    }
}

static void *find(NativeBuild kind, const char *function)
{
    void *fn = libraries[kind] ? dlsym(libraries[kind], function) : NULL;
    return fn || !own[kind] ? fn : dlsym(own[kind], function);
}

static double run_native(void *state, long calls)
{
    const Native *n = state;
    double start = bench_cpu_now();
    switch (n->shape) {
    case NATIVE_ROWS_TO_F32:
        ((void (*)(long, const void *, void *, long, long))n->fn)(calls, n->in[0], n->out, n->rows, n->columns);
        break;
    case NATIVE_ROWS3:
        ((void (*)(long, const void *, const void *, const void *, void *, long, long))n->fn)(calls, n->in[0], n->in[1], n->in[2],
                                                                                              n->out, n->rows, n->columns);
        break;
    case NATIVE_EW1:
        ((void (*)(long, const void *, void *, long))n->fn)(calls, n->in[0], n->out, n->columns);
        break;
    case NATIVE_EW2:
        ((void (*)(long, const void *, const void *, void *, long))n->fn)(calls, n->in[0], n->in[1], n->out, n->columns);
        break;
    case NATIVE_EW3:
        ((void (*)(long, const void *, const void *, const void *, void *, long))n->fn)(calls, n->in[0], n->in[1], n->in[2], n->out,
                                                                                        n->columns);
        break;
    }
    return bench_cpu_now() - start;
}

Runner native_runner(NativeBuild kind, const char *function, const char *name, Native *native)
{
    native->fn = find(kind, function);
    return (Runner){name, native->fn ? run_native : NULL, native};
}

/* ---- the multiplier ---- */

typedef double PeakFn(long);
typedef struct Peak {
    PeakFn *fn;
    long turns; /* of fn for one call */
} Peak;

static double run_peak(void *state, long calls)
{
    const Peak *peak = state;
    double start = bench_cpu_now();
    peak->fn(calls * peak->turns);
    return bench_cpu_now() - start;
}

Runner native_peak(const char *function, const char *name, double *operations)
{
    static Peak peaks[8];
    static unsigned next;
    Peak *peak = &peaks[next++ % 8];
    void *fn = own[NATIVE_HAND] ? dlsym(own[NATIVE_HAND], function) : NULL;
    memcpy(&peak->fn, &fn, sizeof fn);
    if (!fn)
        return (Runner){.name = name};
    double once = peak->fn(0);
    peak->turns = *operations > once ? (long)(*operations / once + 0.5) : 1;
    *operations = once * (double)peak->turns;
    return (Runner){name, run_peak, peak};
}

static void *spin(void *state)
{
    const Peak *peak = state;
    peak->fn(peak->turns);
    return NULL;
}

static double run_after(void *state, long calls)
{
    double start = bench_now();
    for (long k = 0; k < 2 * calls; k++)
        spin(state);
    return bench_now() - start;
}

static double run_beside(void *state, long calls)
{
    double start = bench_now();
    for (long k = 0; k < calls; k++) {
        pthread_t other;
        if (pthread_create(&other, NULL, spin, state))
            return -1;
        spin(state);
        pthread_join(other, NULL);
    }
    return bench_now() - start;
}

bool native_two_threads(double operations, Runner *one, Runner *two)
{
    Runner peak = native_peak("peak_avx2", "loop in registers", &operations);
    *one = (Runner){"one thread", run_after, peak.state};
    *two = (Runner){"two threads", run_beside, peak.state};
    return peak.run != NULL;
}

/* ---- OpenBLAS ---- */

typedef void SgemmFn(int order, int transa, int transb, int m, int n, int k, float alpha, const float *a, int lda, const float *b,
                     int ldb, float beta, float *c, int ldc);
static SgemmFn *sgemm;

static double run_gemm(void *state, long calls)
{
    const Gemm *g = state;
    int n = (int)g->n;
    double start = bench_cpu_now();
    for (long k = 0; k < calls; k++)
        sgemm(101, 111, 111, n, n, n, 1, g->a, n, g->b, n, 0, g->c, n);
    return bench_cpu_now() - start;
}

Runner openblas_runner(Gemm *gemm)
{
    Runner none = {.name = "OpenBLAS"};
    if (!blas) {
        setenv("OPENBLAS_NUM_THREADS", "1", 1);
        blas = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
        if (!blas)
            blas = dlopen("libblas.so.3", RTLD_NOW | RTLD_LOCAL);
        void *is_openblas = blas ? dlsym(blas, "openblas_get_config") : NULL, *fn = is_openblas ? dlsym(blas, "cblas_sgemm") : NULL;
        memcpy(&sgemm, &fn, sizeof fn);
    }
    return sgemm ? (Runner){"OpenBLAS", run_gemm, gemm} : none;
}
