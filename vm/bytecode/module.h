/* A loaded module: what the reader made of a file, verified, immutable.
 *
 * Everything here is in host order and in memory of the module's own, but constants, which stay
 * where they are in the file (little-endian).  So a file that changes under its map can change
 * constants and nothing else.
 *
 * Promises of the verifier, on which the interpreter may rely without looking again
 *  - every instruction decodes; registers are below the function's counts; labels lead to instructions of the
 *    same function, and none into or out of a strip; code cannot run off its end
 *  - numbers of functions, imports, constants, globals and strings exist; operand lists fit the signature of the
 *    callee, the function's results, or the kernel's row
 *  - outside of strips tile instructions name full tiles only, all of one capacity per instruction: they
 *    work on all lanes.  Inside a strip they work on the strip length, every tile has room for the strip's h, and a
 *    tile that is not full was written under this strip before it is read.  Strips do not nest; inside
 *    are no jumps but `loop` backwards, no calls, grids, kernels or probes, and no instruction that
 *    writes a buffer register or ends a buffer
 *  - buffer.local lies inside local_own; local_need covers the function and everything that it can
 *    reach, indirect calls included (only functions that are `referenced` may be called indirectly: check it)
 */
#ifndef BVM_MODULE_H
#define BVM_MODULE_H

#include "../bufvm.h"
#include "format.h"
#include "writer.h"

typedef struct BvmText {
    const char *text; /* NUL-terminated; may hold further NULs, names do not */
    uint32_t n;
    bool has_nul;
} BvmText;

/* A constant of `bytes` bytes.  stored == bytes: they are at `data`.  stored < bytes: a splat of the element of
   `stored` bytes at `data`; stored == 0: all zero.  Expansion is the user's (a context counts it against its limit). */
typedef struct BvmConstant {
    const uint8_t *data;
    uint64_t stored, bytes;
} BvmConstant;
/* Writes all constant->bytes bytes. */
void bvm_constant_expand(const BvmConstant *constant, uint8_t *out);

typedef struct BvmGlobal {
    const char *name;
    uint64_t bytes;
    uint32_t align;   /* a power of two */
    int64_t constant; /* initial content (of the same length), -1: zero */
    bool read_only;
} BvmGlobal;

/* What BufvmType leaves out. */
typedef struct BvmTypeExtra {
    int64_t offset;         /* elements; -1 dynamic: a slot */
    const int64_t *strides; /* elements, BVM_DYNAMIC_STRIDE: a slot; NULL = row-major, no slots */
    uint64_t plain;         /* bytes of a row-major view at offset 0 whose sizes are known and not 0; else 0 */
} BvmTypeExtra;

/* A signature shared by exports and imports. */
typedef struct BvmSignature {
    uint32_t nargs, nresults;
    const BufvmType *args, *results;
    const BvmTypeExtra *args_extra, *results_extra;
    uint32_t banks; /* string: "bss:b", see writer.h for the convention of a type */
} BvmSignature;

typedef struct BvmImport {
    BufvmSignature api;
    uint32_t signature;
} BvmImport;

typedef struct BvmExport {
    BufvmSignature api;
    uint32_t function, signature;
} BvmExport;

/* A banks text taken apart: 's' and 'b' of the arguments, then of the results. */
typedef struct BvmBanks {
    const char *args, *results; /* not terminated */
    uint32_t nargs, nresults;
    uint32_t scalar_args, buffer_args;
} BvmBanks;
bool bvm_banks_parse(const char *text, size_t n, BvmBanks *out); /* false: not a banks text */

/* Calling convention: the scalar arguments are in s0, s1, ... of the callee's frame in the order of the
   banks text, the buffer arguments in b0, b1, ...; every other register starts zero or null. */
typedef struct BvmFunc {
    const char *name; /* unique in the module */
    uint32_t banks;   /* string number: equal banks have equal numbers */
    BvmBanks sig;
    uint32_t nscalars, nbuffers, ntiles;
    const BvmTileDecl *tiles;
    uint64_t tile_bytes;  /* of all tiles, each rounded up to 64 */
    const uint64_t *code; /* words in host order */
    uint32_t ncode;
    uint32_t nlines;
    const BvmLine *lines;
    uint64_t local_own;  /* bytes, a multiple of 64; a callee's memory starts behind it */
    uint64_t local_need; /* callees included, rounded up to 4096 */
    bool referenced;     /* its number was taken by func.ref: call.indirect may call it */
    bool has_calls;      /* calls, grids: not a leaf */
} BvmFunc;

typedef struct BvmDebugOp {
    uint32_t probe, line, col;
    const char *stable_id, *loc, *types;
} BvmDebugOp;

typedef struct BvmModule {
    BufvmAllocator allocator;
    void *blocks; /* memory of the module */
    uint16_t major, minor;
    uint32_t nstrings, nconstants, nglobals, nsignatures, nimports, nexports, nfunctions, nattributes, nsources, ndebug_ops;
    const BvmText *strings; /* ascending bytewise, distinct */
    const BvmConstant *constants;
    const BvmGlobal *globals;
    const BvmSignature *signatures;
    const BvmImport *imports;
    const BvmExport *exports;
    const BvmFunc *functions;
    const BvmText (*attributes)[2]; /* key, value */
    const char **sources;
    const BvmDebugOp *debug_ops; /* ascending by probe */
    const char *debug_text;
    uint64_t debug_text_bytes;
    const uint32_t *export_of_string; /* per string: export number of that name, or UINT32_MAX */
} BvmModule;

/* Parses and verifies.  `data` must outlive the module (8-byte aligned).  Frees what it made on failure.  max_bytes 0: 16 GiB. */
BufvmStatus bvm_module_read(const BufvmAllocator *allocator, const void *data, size_t size, uint64_t max_bytes, BvmModule *out,
                            BufvmError *error);
void bvm_module_free(BvmModule *module); /* everything but *module itself */

/* By name, in the logarithm of the number of strings. */
bool bvm_module_find_string(const BvmModule *module, const char *text, size_t n, uint32_t *number);
bool bvm_module_find_export(const BvmModule *module, const char *name, uint32_t *number);
const char *bvm_module_find_attribute(const BvmModule *module, const char *key);     /* NULL if absent */
const BvmDebugOp *bvm_module_find_debug_op(const BvmModule *module, uint32_t probe); /* NULL if absent */
/* Source of a word of a function; false if unknown. */
bool bvm_function_line(const BvmFunc *function, uint32_t word, uint32_t *line, uint32_t *col);

/* Text of a module's file, and back.  *text and *data are made by the allocator (sizes as returned; *text has a NUL behind it, not
 * counted). */
BufvmStatus bvm_disassemble(const BufvmAllocator *allocator, const void *data, size_t size, char **text, size_t *n,
                            BufvmError *error);
/* An error of the assembler has line, col and byte offset in the text; the module was verified unless `check` is false. */
BufvmStatus bvm_assemble(const BufvmAllocator *allocator, const char *text, size_t n, void **data, size_t *size, BufvmError *error);

BufvmStatus bvm_assemble_checked(const BufvmAllocator *allocator, const char *text, size_t n, bool check, void **data, size_t *size,
                                 BufvmError *error);

#endif
