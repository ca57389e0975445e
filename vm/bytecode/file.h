/* The file as bytes: sections and record sizes, and the helpers that writer and reader share.
 * vm/doc/format.md describes every field.
 */
#ifndef BVM_FILE_H
#define BVM_FILE_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "module.h"

#define BVM_MAGIC        "BUFVM\x1a\n\0"
#define BVM_HEADER_BYTES 24
#define BVM_ENTRY_BYTES  24 /* of the section table */

/* In the order of the file.  Record bytes: 0 where the records have no fixed size. */
enum {
    BVM_SECTION_STRINGS = 1, /* count end offsets of 4 bytes, then the bytes, each string with a NUL */
    BVM_SECTION_TYPES,       /* records of 24 bytes and dims, strides */
    BVM_SECTION_SIGNATURES,  /* nargs, nresults, types; 4 bytes each */
    BVM_SECTION_ATTRIBUTES,
    BVM_SECTION_IMPORTS,
    BVM_SECTION_GLOBALS,
    BVM_SECTION_FUNCTIONS,
    BVM_SECTION_TILES,
    BVM_SECTION_CODE,
    BVM_SECTION_LINES,
    BVM_SECTION_EXPORTS,
    BVM_SECTION_SOURCES,
    BVM_SECTION_DEBUG_OPS,
    BVM_SECTION_DEBUG_TEXT,
    BVM_SECTION_CONSTANTS,
    BVM_SECTION_DATA, /* 64-byte aligned, constants in place */
    BVM_SECTIONS
};

#define BVM_TYPE_BYTES      24 /* without dims and strides */
#define BVM_ATTRIBUTE_BYTES 8
#define BVM_IMPORT_BYTES    8
#define BVM_GLOBAL_BYTES    24
#define BVM_FUNCTION_BYTES  48
#define BVM_TILE_BYTES      4
#define BVM_LINE_BYTES      12
#define BVM_EXPORT_BYTES    12
#define BVM_SOURCE_BYTES    4
#define BVM_DEBUG_OP_BYTES  24
#define BVM_CONSTANT_BYTES  24

#define BVM_TYPE_MEMREF      1u
#define BVM_TYPE_STRIDES     2u
#define BVM_GLOBAL_READ_ONLY 1u
#define BVM_GLOBAL_INITIAL   2u
#define BVM_MAX_REGISTERS    65535u
#define BVM_MAX_LOCAL        (UINT64_C(1) << 40) /* bytes of one function's own slots */
#define BVM_MAX_ALIGN        (UINT64_C(1) << 20)

static inline uint64_t bvm_align(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}
/* Alignment of a constant inside the data section: splats need that of their element only. */
static inline uint64_t bvm_constant_align(uint64_t stored, uint64_t bytes)
{
    return stored == bytes ? 64 : 16;
}

static inline uint16_t bvm_get16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}
static inline uint32_t bvm_get32(const uint8_t *p)
{
    return bvm_get16(p) | (uint32_t)bvm_get16(p + 2) << 16;
}
static inline uint64_t bvm_get64(const uint8_t *p)
{
    return bvm_get32(p) | (uint64_t)bvm_get32(p + 4) << 32;
}
static inline void bvm_put64(uint8_t *p, uint64_t v)
{
    for (int i = 0; i < 8; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

/* malloc behind the hook's signature, for a NULL hook. */
BufvmAllocator bvm_allocator_or_default(const BufvmAllocator *allocator);
static inline void *bvm_realloc(const BufvmAllocator *a, void *p, size_t old, size_t n)
{
    return a->realloc(a->user, p, old, n);
}
static inline void bvm_release(const BufvmAllocator *a, void *p, size_t old)
{
    if (p)
        a->realloc(a->user, p, old, 0);
}

/* Memory that is freed at once: a chain of blocks. */
typedef struct BvmArena {
    const BufvmAllocator *allocator;
    void *blocks;      /* newest first; each starts with its link and size */
    size_t used, size; /* of the newest small block */
} BvmArena;
void *bvm_arena_alloc(BvmArena *arena, size_t n); /* 8-byte aligned, not cleared; NULL when refused; n == 0 gives a valid pointer */
void *bvm_arena_array(BvmArena *arena, size_t n, size_t each); /* cleared */
void bvm_arena_free(const BufvmAllocator *allocator, void *blocks);

/* A growing array of bytes. */
typedef struct BvmVec {
    uint8_t *data;
    size_t n, capacity; /* bytes */
} BvmVec;
bool bvm_vec_reserve(const BufvmAllocator *a, BvmVec *v, size_t more);
bool bvm_vec_append(const BufvmAllocator *a, BvmVec *v, const void *data, size_t n);

/* Fills *error if it is not NULL and returns the status. */
__attribute__((format(printf, 4, 5))) BufvmStatus bvm_fail(BufvmError *error, BufvmStatus status, uint64_t offset,
                                                           const char *format, ...);

/* One call, grid or reference as the need computation sees it. */
typedef struct BvmEdge {
    uint32_t from, to; /* functions; `to` of an indirect call is the string of its banks plus the number of functions */
} BvmEdge;
/* need[f] = own[f], rounded up to 64, plus the largest need among callees; then rounded up to 4096.  An indirect call reaches each
   referenced function with those banks.  `need` has nfunctions + nstrings entries.  Linear.  BUFVM_INVALID_ARGUMENT: *bad is a
   function on a call cycle that has slots of its own, or whose need is out of range. */
BufvmStatus bvm_local_need(const BufvmAllocator *a, uint32_t nfunctions, uint32_t nstrings, const uint64_t *own,
                           const uint32_t *banks, const uint8_t *referenced, const BvmEdge *edges, size_t nedges, uint64_t *need,
                           uint32_t *bad);

/* Appends the banks of a type as an argument or result to a text; false: out of memory. */
bool bvm_append_banks(const BufvmAllocator *a, BvmVec *text, const BvmTypeDesc *type);

/* -- tables that verifier, assembler and disassembler share -- */
typedef struct BvmKernelInfo {
    const char *name, *operands;
} BvmKernelInfo;
#define BVM_KERNELS         256
#define BVM_KERNEL_MAX_RANK 16u
extern const BvmKernelInfo bvm_kernel_table[BVM_KERNELS];

/* Verifies all functions' code of a module whose tables are filled. */
typedef struct BvmVerify {
    BvmModule *module;
    BvmFunc *functions;                                   /* to fill referenced, has_calls; local_need is checked */
    uint64_t code_offset, functions_offset, lines_offset; /* of the sections in the file, for errors */
    BufvmError *error;
} BvmVerify;
BufvmStatus bvm_verify(const BvmVerify *verify);

#endif
