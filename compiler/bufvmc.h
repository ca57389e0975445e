/* bufvmc: compile MLIR text in memory to a bufvm module.
 *
 * A compilation is one call; it has no state outside it, prints nothing and may run in
 * several threads at once.  Lengths are bytes; text is UTF-8.
 */
#ifndef BUFVMC_H
#define BUFVMC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BUFVMC_API __attribute__((visibility("default")))

typedef enum BufvmcStatus {
    BUFVMC_OK,
    BUFVMC_ERRORS, /* see diagnostics */
    BUFVMC_OUT_OF_MEMORY,
    BUFVMC_INVALID_ARGUMENT /* options; diagnostics tell which pass names are none */
} BufvmcStatus;
typedef enum BufvmcEmit { BUFVMC_BYTECODE, BUFVMC_ASM, BUFVMC_PARSE, BUFVMC_CORE, BUFVMC_BUFFERS, BUFVMC_SCHEDULE } BufvmcEmit;
typedef enum BufvmcFp { BUFVMC_STRICT, BUFVMC_CONTRACT, BUFVMC_FAST } BufvmcFp;

typedef struct BufvmcOptions { /* all zero = defaults */
    const char *file_name; /* for messages; NULL: "<stdin>" */
    BufvmcEmit emit;
    bool input_is_asm;     /* the input is bytecode assembly */
    bool text_is_terminated; /* text[n] is 0: the input is read where it lies, not copied */
    int optimize;          /* 0 = default (2); 1 = level 0; 3 = level 2 */
    BufvmcFp fp;
    bool fp_given;         /* else a level read back keeps its own */
    bool debug;            /* -g */
    bool generic;          /* print ops in generic form */
    bool print_locations;
    bool allow_unregistered; /* ops of unknown dialects in custom form are kept as text, as at BUFVMC_PARSE; no lowering takes them */
    uint64_t elide_over;   /* printing: constants with more elements are elided; 0 never */
    const char *elided;    /* NULL, "zero", "random", "random:SEED" */
    uint64_t local_budget; /* 0 = 64 KiB */
    bool row_major_matrices; /* vector.matrix_multiply and flat_transpose; else column-major, as LLVM has it */
    const char *passes;    /* comma-separated; NULL = the pipeline */
    const char *disable_passes; /* comma-separated */
    const char *dump_after;     /* comma-separated, or "all": the text goes to `on_dump` */
    void (*on_dump)(void *user, const char *pass, const char *text, size_t n);
    void (*on_time)(void *user, const char *pass, double seconds);
    void (*on_statistic)(void *user, const char *name, uint64_t value);
    void *user;
    void *(*realloc)(void *user, void *ptr, size_t old_size, size_t new_size); /* NULL: malloc */
    size_t max_memory;     /* bytes; 0 = none */
    uint32_t max_errors;   /* 0 = 20 */
} BufvmcOptions;

typedef struct BufvmcOutput { /* freed by bufvmc_output_free */
    void *data;            /* module bytes or text; NULL on failure */
    size_t size;
    char *diagnostics;     /* rendered messages, "" if none; NULL when memory ran out */
    size_t errors, warnings;
    size_t memory_peak;    /* bytes, by the allocator hook's count */
    void *internal;
} BufvmcOutput;

/* `text` needs no terminator.  Fills *out in every case. */
BUFVMC_API BufvmcStatus bufvmc_compile(const char *text, size_t n, const BufvmcOptions *options, BufvmcOutput *out);
BUFVMC_API void bufvmc_output_free(BufvmcOutput *out);
/* Tables as text, for tools and documentation: "ops" (Markdown reference of all IR ops), "passes". NULL if unknown. */
BUFVMC_API const char *bufvmc_table(const char *name, BufvmcOutput *storage);

#ifdef __cplusplus
}
#endif
#endif
