/* Builds a module file.  The only part of the bytecode library that the compiler uses.
 *
 * Strings, constants and signatures are interned: equal content gets one number.  All memory
 * comes from the allocator hook; on failure every later call is a no-op and bvm_writer_finish
 * returns BUFVM_OUT_OF_MEMORY.  Output is deterministic.
 */
#ifndef BVM_WRITER_H
#define BVM_WRITER_H

#include "../bufvm.h"
#include "format.h"

typedef struct BvmWriter BvmWriter;
BvmWriter *bvm_writer_new(const BufvmAllocator *allocator);
void bvm_writer_free(BvmWriter *w);
bool bvm_writer_failed(const BvmWriter *w); /* finish will say why */

uint32_t bvm_write_string(BvmWriter *w, const char *text, size_t n);
/* `data` is copied unless `borrowed` (then it must live until finish); a splat is stored as one element and expanded at load. */
uint32_t bvm_write_constant(BvmWriter *w, const void *data, uint64_t n, uint64_t total_bytes, bool borrowed);

#define BVM_DYNAMIC_STRIDE INT64_MIN /* sizes and offsets have -1, which is a stride as good as any */

/* A type as the outside sees it. */
typedef struct BvmTypeDesc {
    uint8_t kind;   /* 's' scalar, 'v' ranked view (tensor or memref), 'u' unranked view */
    uint8_t etype;
    bool is_memref; /* tensors: the callee never writes the argument */
    uint32_t rank;
    const int64_t *dims;    /* -1 dynamic */
    int64_t offset;         /* -1 dynamic */
    const int64_t *strides; /* BVM_DYNAMIC_STRIDE: not known; NULL = row-major */
    const char *written;    /* as in the source: "tensor<4xui8>" */
} BvmTypeDesc;
/* Register convention of one value of such a type, in order: scalar: one slot.
 * 'v': buffer, then slots: offset if dynamic, each dynamic size, each dynamic stride.
 * 'u': buffer, then a descriptor buffer of i64: rank, offset, sizes, strides.
 * Complex scalars: two slots.  The banks of a signature are written as text, 's' slot and 'b' buffer: "bss:b" (arguments:results). */

uint32_t bvm_write_import(BvmWriter *w, const char *name, uint32_t nargs, const BvmTypeDesc *args, uint32_t nresults, const BvmTypeDesc *results);
uint32_t bvm_write_global(BvmWriter *w, const char *name, uint64_t bytes, uint32_t align, int64_t constant_or_minus_1, bool read_only);

typedef struct BvmTileDecl { uint8_t etype; uint16_t capacity; bool full; /* vector value or accumulator: always full, starts at zero */ } BvmTileDecl;
typedef struct BvmLine { uint32_t word, line, col; } BvmLine; /* source of the words from `word` on; ascending */
typedef struct BvmFunction {
    const char *name;
    const char *banks;  /* "bss:b" */
    uint32_t nscalars, nbuffers, ntiles;
    const BvmTileDecl *tiles;
    const uint64_t *code; /* words, host order */
    uint32_t ncode;
    uint64_t local_bytes; /* own workgroup slots; the file's record holds the need including callees */
    uint32_t nlines;
    const BvmLine *lines;
} BvmFunction;
/* Functions are declared first so that calls can name them, then defined in any order. */
uint32_t bvm_write_declare(BvmWriter *w, const char *name, const char *banks);
void bvm_write_define(BvmWriter *w, uint32_t function, const BvmFunction *body);
void bvm_write_export(BvmWriter *w, const char *name, uint32_t function, uint32_t nargs, const BvmTypeDesc *args, uint32_t nresults, const BvmTypeDesc *results);
/* -g: the input text (large constants elided, in order into constants), and the op table read by probes. */
void bvm_write_debug_text(BvmWriter *w, const char *text, size_t n);
void bvm_write_debug_op(BvmWriter *w, uint32_t probe, const char *stable_id, uint32_t line, uint32_t col, const char *loc, const char *types);
void bvm_write_source_name(BvmWriter *w, const char *file);
void bvm_write_attribute(BvmWriter *w, const char *key, const char *value); /* "fp" = "strict", ... */

/* Computes every need(f), serialises.  *data is allocated with the hook; the caller frees it. */
BufvmStatus bvm_writer_finish(BvmWriter *w, void **data, size_t *size, BufvmError *error);

#endif
