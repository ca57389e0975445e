/* What vmrun and `vmc --run` share: value text, .npy files, comparison, host functions, the run options.
 *
 * A convenience library of the programs, no part of libbufvm; it works through bufvm.h alone
 * (and num_parse_float/num_print_float).  Functions that fail fill a ToolError with one line of
 * text and the exit code that the program should end with.
 */
#ifndef BUFVM_TOOLS_H
#define BUFVM_TOOLS_H

#include "../bufvm.h"

#include <stdio.h>

/* Exit codes of both programs (documented in the man pages). */
typedef enum ToolExit {
    TOOL_OK = 0,
    TOOL_MISMATCH = 1, /* an expected value differs, a check failed, vmc: the input has errors */
    TOOL_USAGE = 2,    /* unknown flag, bad value text, wrong count or type of arguments */
    TOOL_MODULE = 3,   /* the module does not load */
    TOOL_TRAP = 4,     /* the program trapped */
    TOOL_LIMIT = 5,    /* a limit was reached, memory ran out */
    TOOL_IO = 6        /* a file could not be read or written */
} ToolExit;

typedef struct ToolError {
    ToolExit exit;
    char text[1600];
} ToolError;
bool tool_fail(ToolError *error, ToolExit exit, const char *format, ...) __attribute__((format(printf, 3, 4))); /* returns false */
bool tool_fail_status(ToolError *error, const char *what, const BufvmError *from);
ToolExit tool_exit_of(BufvmStatus status);

/* ---- element formats: how the elements of a type as written are read and shown ---- */
typedef struct ElemFormat {
    BufvmElem elem;   /* storage */
    char kind;        /* 'i' integer, 'f' float, 'c' complex */
    bool is_unsigned; /* uiN: shown unsigned */
    uint8_t width;    /* integers: bits */
    char name[20];    /* "i4", "ui8", "f32", "complex<f32>" */
} ElemFormat;
bool tool_elem_parse(const char *text, size_t n, ElemFormat *out);
/* Element of "tensor<2x?xi4>", "memref<4xf32, ...>", "i32"; false for text that names none. */
bool tool_elem_of_written(const char *written, ElemFormat *out);

/* ---- values ---- */
typedef struct ToolValue { /* a BufvmValue and how it is written */
    BufvmValue value;
    ElemFormat format;
    bool ignored; /* "(ignored)" */
} ToolValue;
void tool_value_release(ToolValue *value);
uint64_t tool_view_count(const BufvmView *view);
/* `text` as in --input; `type` gives the type of bare scalars and may be NULL. */
bool tool_value_parse(const char *text, const BufvmType *type, ToolValue *out, ToolError *error);
/* Appends "2x2xi32=[1 2][3 4]" or "f32=1"; at most max_elements (0 = all), "..." for the rest. */
bool tool_value_print(const ToolValue *value, uint64_t max_elements, FILE *out);
void tool_elem_print(const ElemFormat *format, const uint8_t *element, FILE *out);

typedef struct ToolTolerance {
    double atol, rtol;
    uint64_t ulp;
    bool approximate;
} ToolTolerance;
/* true when equal; otherwise writes the report (how many differ, the worst, where, both values) to `report`. */
bool tool_value_equal(const ToolValue *actual, const ToolValue *expected, const ToolTolerance *tolerance, FILE *report);

/* ---- files ---- */
/* First thing in main: a closed standard stream gives errors instead of becoming the next file that is opened, and so do a pipe that
   nobody reads and a file that may not grow, instead of a signal. */
void tool_start(void);
/* Last: closes standard output; the exit code, which a failure there can make TOOL_IO. */
int tool_end(const char *program, int code);
bool tool_read_file(const char *path, size_t max, char **data, size_t *size,
                    ToolError *error); /* "-" is standard input; NUL-terminated; free() it */
/* To a temporary beside `path`, then renamed; "-" is standard output; devices and pipes are written in place. */
bool tool_write_file(const char *path, const void *data, size_t size, ToolError *error);
bool tool_npy_parse(const char *data, size_t size, const char *path, size_t *used, ToolValue *out, ToolError *error);
bool tool_npy_write(const char *path, const ToolValue *value, ToolError *error);

/* ---- host functions ---- */
typedef struct ToolHost { /* state of the host functions of one run */
    FILE *out;            /* where print helpers write */
    FILE *report;         /* where failed checks are explained */
    uint64_t failed_checks;
} ToolHost;
/* All host functions that the tools offer: print helpers of the MLIR runner, IREE's check.*; ends with a NULL name. */
size_t tool_host_imports(ToolHost *host, BufvmImport *out, size_t max);

/* ---- benchmarks ---- */
typedef struct ToolBenchmark { /* zero: off, one second, one repetition */
    bool on, json;
    double seconds, warm_up; /* of a repetition; before the first */
    uint64_t calls;          /* of a repetition, instead of a time */
    uint32_t repetitions;
    uint32_t rows; /* printed so far */
} ToolBenchmark;
typedef struct ToolBenchmarkCall { /* what is called; results are overwritten and stay with the caller */
    BufvmContext *context;
    uint32_t number;
    const BufvmSignature *signature;
    const BufvmValue *args;
    BufvmValue *results;
    const uint64_t *failed_checks; /* of the host: a call that fails one is not timed */
} ToolBenchmarkCall;
int tool_benchmark_flag(ToolBenchmark *benchmark, int argc, char **argv, int *i, ToolError *error); /* as tool_run_flag */
void tool_benchmark_begin(const ToolBenchmark *benchmark, const char *program);
bool tool_benchmark_function(ToolBenchmark *benchmark, const ToolBenchmarkCall *call, ToolError *error); /* prints its rows */
void tool_benchmark_end(const ToolBenchmark *benchmark);

/* ---- running ---- */
typedef struct ToolRun ToolRun;
ToolRun *tool_run_new(void); /* NULL when memory ran out */
void tool_run_free(ToolRun *run);
/* Takes argv[*i] (and its value, moving *i) if it is a run flag: 1 taken, 0 not one of ours, -1 error. */
int tool_run_flag(ToolRun *run, int argc, char **argv, int *i, ToolError *error);
const char *tool_run_help(void);
void tool_run_load_options(const ToolRun *run, BufvmLoadOptions *out);
/* Lists, checks, benchmarks or calls, as the flags say; returns the exit code, messages on stderr behind `program`. */
int tool_run_module(ToolRun *run, BufvmModule *module, const char *program);

/* ---- flags ---- */
/* If argv[*i] is --name=value or "--name value" (when the value is required): the value; else NULL. */
const char *tool_flag_value(int argc, char **argv, int *i, const char *name);
bool tool_parse_u64(const char *text, uint64_t *out); /* decimal, 0x, and suffixes K M G (1024) */
/* Expands --flagfile=PATH (a flag a line, # and // comments) into a new argv; free() each via tool_free_args. */
bool tool_expand_flagfiles(int argc, char **argv, int *out_argc, char ***out_argv, ToolError *error);
void tool_free_args(int argc, char **argv);

#endif
