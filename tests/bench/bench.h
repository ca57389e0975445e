/* The benchmarks of `make bench`: ratios of our programs to peers on the same machine.
 *
 * Nothing here asserts a time.  Machines have fast and slow modes and other users, so runners that are compared take turns,
 * many short samples each, and a row shows the median of the ratios of neighbouring samples and the ratio of the best ones.
 * What runs on one thread is timed by that thread's CPU clock, which does not count the time that others had the processor.
 */
#ifndef BUFVM_BENCH_H
#define BUFVM_BENCH_H

#include "../../compiler/bufvmc.h"
#include "../../vm/bufvm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Bench {
    const char *source;  /* folder of the project */
    const char *scratch; /* folder for what is built on the way */
    const char *models;  /* folder where models are kept from run to run */
    const char *peers;   /* folder with rows.c and ew.c that replace our native loops; NULL: ours */
    const char *bert;    /* the one size of line 8 to run; NULL: all */
    double seconds;      /* for one row at most, about */
} Bench;

/* ---- timing.c ---- */

typedef struct Runner { /* something that can be called again and again */
    const char *name;
    double (*run)(void *state, long calls); /* seconds that `calls` calls took; negative: failed */
    void *state;
} Runner;

typedef enum BoundKind { NO_BOUND, SPEED_AT_LEAST, TIME_AT_MOST } BoundKind;
typedef struct Bound {
    BoundKind kind;
    double ratio; /* SPEED_AT_LEAST: peer's time / our time; TIME_AT_MOST: our time / peer's time */
} Bound;

typedef struct Peer {
    Runner runner; /* run NULL: not on this machine */
    Bound bound;
} Peer;

typedef struct Times {
    double best, median; /* seconds per call */
} Times;

typedef struct Pairing { /* of a peer with ours */
    Times times;
    double median, best; /* peer's time / our time */
} Pairing;

double bench_now(void);     /* wall clock, seconds */
double bench_cpu_now(void); /* CPU time of this thread */
void bench_title(const char *text);
void bench_skip(const char *format, ...) __attribute__((format(printf, 1, 2))); /* says aloud what is not measured */
/* Runs all in turns, prints a row for each peer that is there; `units` of `unit` happen in one call of ours.  Returns our times. */
Times bench_rows(const Bench *bench, int line, const char *what, double units, const char *unit, const Runner *ours,
                 const Peer *peers, size_t npeers);
/* Without a table: times of each runner, ratios of the others to the first. */
void bench_measure(const Bench *bench, const Runner *runners, size_t n, Times *times, Pairing *pairings);
void bench_row(int line, const char *what, const Times *ours, double units, const char *unit, const char *peer,
               const Pairing *pairing, const Bound *bound);

/* ---- program.c ---- */

typedef struct Program Program; /* a compiled function with arguments */
typedef struct ProgramOptions {
    const char *file, *function; /* tests/bench/programs/FILE */
    long m, n;                   /* what $M and $N stand for */
    BufvmcFp fp;
    double scale; /* floats are spread over -scale .. scale; 0: all bytes zero */
} ProgramOptions;
Program *program_new(const Bench *bench, const ProgramOptions *options); /* NULL after a message */
void program_free(Program *program);
void *program_arg(const Program *program, unsigned i);
uint64_t program_arg_bytes(const Program *program, unsigned i);
double program_run(void *program, long calls);
/* The last f32 result, or the last argument, differs from `expected` by at most `tolerance` of its size. */
bool program_agrees(Program *program, const float *expected, double tolerance);
/* The text of tests/bench/programs/FILE with numbers in it; NULL when it cannot be read; free() it. */
char *bench_program_text(const Bench *bench, const char *file, long m, long n);

/* ---- native.c and others, compiled at run time ---- */

typedef enum NativeShape {
    NATIVE_ROWS_TO_F32, /* (in, out, rows, columns): also to i64 */
    NATIVE_ROWS3,       /* (x, scale, shift, out, rows, columns) */
    NATIVE_EW1,         /* (a, out, n) */
    NATIVE_EW2,
    NATIVE_EW3
} NativeShape;
typedef enum NativeBuild { NATIVE_STRICT, NATIVE_FAST, NATIVE_HAND, NATIVE_BUILDS } NativeBuild;

typedef struct Native { /* a loop with its operands */
    NativeShape shape;
    void *fn;
    const void *in[3];
    void *out;
    long rows, columns;
} Native;
bool native_start(const Bench *bench); /* false: no compiler; rows then lack these peers */
void native_stop(void);
Runner native_runner(NativeBuild build, const char *function, const char *name, Native *native); /* fills native->fn */
Runner native_peak(const char *function, const char *name,
                   double *operations); /* runs about *operations floating operations a call */
/* The same loop twice, one after the other and on two threads, by the wall clock; false: not on this machine. */
bool native_two_threads(double operations, Runner *one, Runner *two);

typedef struct Gemm {
    long n;
    const float *a, *b;
    float *c;
} Gemm;
Runner openblas_runner(Gemm *gemm); /* run NULL: no OpenBLAS */

/* ---- numpy.c ---- */

typedef struct Numpy {
    int to, from, pid, number;
} Numpy;
/* One helper process; `setup` is a line of numpy_peer.py's language. */
Runner numpy_runner(const Bench *bench, Numpy *numpy, const char *setup);
double numpy_peak_mb(const Numpy *numpy);
void numpy_stop(Numpy *numpy);

/* ---- mlir.c ---- */

typedef struct Jit {
    char command[4096];
} Jit;
Runner jit_runner(const Bench *bench, Jit *jit, const char *function, long m, long n); /* of argmax.mlir */

/* ---- the lines ---- */

void bench_limits(const Bench *bench);
void bench_argmax(const Bench *bench);
void bench_reductions(const Bench *bench);
void bench_elementwise(const Bench *bench);
void bench_chains(const Bench *bench);
void bench_matmul(const Bench *bench);
void bench_scalar(const Bench *bench);
void bench_start(const Bench *bench);
void bench_bert(const Bench *bench);
void bench_kernels(const Bench *bench);

/* ---- start.c: child processes ---- */

typedef struct Child {
    double seconds;
    double peak_mb;
    int status; /* of waitpid */
} Child;
bool bench_spawn(const char *const *argv,
                 Child *child); /* output goes to /dev/null; false: not started, or its exit code is not 0 */
/* The same with the peak right: a child's peak counts what its parent had when it was started, so a small process of this program
   is put between. */
bool bench_spawn_peak(const char *const *argv, Child *child);
int bench_between(char **argv); /* main of that process */

#endif
