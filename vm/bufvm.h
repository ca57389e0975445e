/* bufvm: load a module, call its functions.
 *
 * The library owns no process: it never exits, prints or keeps global state.  Every
 * function that can fail returns a BufvmStatus and fills an optional BufvmError.
 *
 * Objects
 *   BufvmModule   verified bytecode; immutable, reference counted, shared between threads
 *   BufvmContext  one program's state: globals, workgroup local memory, limits; used by one
 *                 thread at a time (a second one gets BUFVM_BUSY)
 *   BufvmBuffer   a block of bytes, reference counted (atomically)
 *   BufvmView     a buffer with element type and shape, row-major from a byte offset
 * Units: sizes and offsets are bytes unless a name says elements.  Element bytes are
 * little-endian on every host.
 */
#ifndef BUFVM_H
#define BUFVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BUFVM_API __attribute__((visibility("default")))

typedef enum BufvmStatus {
    BUFVM_OK = 0,
    BUFVM_INVALID_ARGUMENT, /* the caller's fault: wrong count, type, shape, range */
    BUFVM_INVALID_MODULE,   /* not a module, damaged, or not verifiable */
    BUFVM_VERSION,          /* another major version */
    BUFVM_NOT_FOUND,        /* no such function, import or file */
    BUFVM_OUT_OF_MEMORY,    /* the allocator hook refused */
    BUFVM_LIMIT,            /* a limit of the context or loader was reached */
    BUFVM_TRAP,             /* the program failed: bounds, division by zero, assertion, ... */
    BUFVM_INTERRUPTED,      /* bufvm_context_interrupt */
    BUFVM_BUSY,             /* the context is running on another thread */
    BUFVM_IO,               /* reading or writing a file failed */
    BUFVM_HOST              /* a host function returned an error of its own */
} BufvmStatus;
BUFVM_API const char *bufvm_status_name(BufvmStatus status);

typedef struct BufvmError { /* filled on failure; text is cut, never overrun */
    BufvmStatus status;
    char text[1024];
    char function[128]; /* of a trap: the function, and where in the source */
    uint32_t line, col; /* 0 when unknown */
    uint64_t offset;    /* BUFVM_INVALID_MODULE: byte offset in the file */
} BufvmError;

/* realloc semantics; new_size 0 frees.  May be called from pool threads at the same time. */
typedef struct BufvmAllocator {
    void *(*realloc)(void *user, void *ptr, size_t old_size, size_t new_size);
    void *user;
} BufvmAllocator;

/* ---- element types ------------------------------------------------------- */
/* Codes of vm/bytecode/elemtypes.def. */
typedef uint8_t BufvmElem;
enum {
    BUFVM_I1 = 1, BUFVM_I8, BUFVM_I16, BUFVM_I32, BUFVM_I64, BUFVM_F16, BUFVM_BF16, BUFVM_F32, BUFVM_F64,
    BUFVM_F8E5M2, BUFVM_F8E4M3FN, BUFVM_F8E4M3, BUFVM_F8E5M2FNUZ, BUFVM_F8E4M3FNUZ, BUFVM_F8E4M3B11FNUZ, BUFVM_F8E3M4, BUFVM_F8E8M0FNU,
    BUFVM_F6E2M3FN, BUFVM_F6E3M2FN, BUFVM_F4E2M1FN, BUFVM_C64, BUFVM_C128
};
BUFVM_API size_t bufvm_elem_bytes(BufvmElem elem);
BUFVM_API const char *bufvm_elem_name(BufvmElem elem);

/* ---- buffers and views --------------------------------------------------- */
typedef struct BufvmBuffer BufvmBuffer;
#define BUFVM_MAX_RANK 64

BUFVM_API BufvmStatus bufvm_buffer_alloc(const BufvmAllocator *allocator, uint64_t bytes, BufvmBuffer **out, BufvmError *error); /* zero-filled, 64-byte aligned */
/* No copy: `data` must stay valid until `release` is called (may be NULL), when the last reference goes.  Any alignment. */
BUFVM_API BufvmStatus bufvm_buffer_wrap(const BufvmAllocator *allocator, void *data, uint64_t bytes, bool read_only,
                                        void (*release)(void *user, void *data), void *user, BufvmBuffer **out, BufvmError *error);
BUFVM_API void bufvm_buffer_retain(BufvmBuffer *buffer);
BUFVM_API void bufvm_buffer_release(BufvmBuffer *buffer); /* NULL is fine */
BUFVM_API uint8_t *bufvm_buffer_data(BufvmBuffer *buffer);
BUFVM_API uint64_t bufvm_buffer_bytes(const BufvmBuffer *buffer);
/* The reproducible number that programs see as its address: a multiple of the requested alignment, never a host address. */
BUFVM_API uint64_t bufvm_buffer_address(const BufvmBuffer *buffer);

typedef struct BufvmView {
    BufvmBuffer *buffer; /* a reference of its own */
    uint64_t offset;     /* bytes */
    BufvmElem elem;
    uint32_t rank;
    int64_t dims[BUFVM_MAX_RANK];
} BufvmView;

typedef enum BufvmKind { BUFVM_NOTHING, BUFVM_SCALAR, BUFVM_VIEW, BUFVM_STRIDED } BufvmKind;

typedef struct BufvmValue {
    BufvmKind kind;
    BufvmElem elem;      /* SCALAR */
    uint64_t bits;       /* SCALAR: integers sign-extended, i1 0 or 1, floats their bits; complex: real part */
    uint64_t bits2;      /* SCALAR of complex type: imaginary part */
    BufvmView view;      /* VIEW; STRIDED too, with `offset` in bytes */
    int64_t strides[BUFVM_MAX_RANK]; /* STRIDED, elements: memref arguments of host functions */
} BufvmValue;
BUFVM_API void bufvm_value_release(BufvmValue *value); /* drops a view's reference, becomes NOTHING */

/* ---- signatures ---------------------------------------------------------- */
typedef struct BufvmType {
    BufvmKind kind;       /* SCALAR or VIEW (NOTHING: unranked view) */
    BufvmElem elem;
    bool is_memref;
    uint32_t rank;
    const int64_t *dims;  /* -1 = any */
    const char *written;  /* as in the source, "tensor<4xui8>" */
} BufvmType;
typedef struct BufvmSignature {
    const char *name;
    uint32_t nargs, nresults;
    const BufvmType *args, *results;
    uint64_t local_memory; /* bytes needed, callees included, a multiple of 4096 */
} BufvmSignature;

/* ---- modules ------------------------------------------------------------- */
typedef struct BufvmModule BufvmModule;
typedef struct BufvmLoadOptions {
    const BufvmAllocator *allocator; /* NULL: malloc */
    uint64_t max_module_bytes;       /* 0: default 16 GiB */
    bool no_mmap;                    /* files only: read a private copy */
} BufvmLoadOptions;
/* From memory: bytes are used in place, without a copy, and must outlive the module (8-byte aligned or they are copied). */
BUFVM_API BufvmStatus bufvm_module_load(const void *data, size_t size, const BufvmLoadOptions *options, BufvmModule **out, BufvmError *error);
BUFVM_API BufvmStatus bufvm_module_load_file(const char *path, const BufvmLoadOptions *options, BufvmModule **out, BufvmError *error);
BUFVM_API void bufvm_module_retain(BufvmModule *module);
BUFVM_API void bufvm_module_release(BufvmModule *module);
BUFVM_API uint32_t bufvm_module_exports(const BufvmModule *module);
BUFVM_API const BufvmSignature *bufvm_module_export(const BufvmModule *module, uint32_t i); /* NULL past the end */
BUFVM_API bool bufvm_module_find(const BufvmModule *module, const char *name, uint32_t *export_number);
BUFVM_API const char *bufvm_module_attribute(const BufvmModule *module, const char *key); /* "fp"; NULL if absent */
BUFVM_API uint32_t bufvm_module_imports(const BufvmModule *module);
BUFVM_API const BufvmSignature *bufvm_module_import(const BufvmModule *module, uint32_t i);

/* ---- contexts ------------------------------------------------------------ */
typedef struct BufvmContext BufvmContext;
/* What --sanitize says of a module of `vmc -g`: once for each place and kind.  Texts live until the callback returns. */
typedef struct BufvmReport {
    const char *kind; /* "uninitialized", "shift", "race", ... (vmrun(1) lists them) */
    const char *text; /* with the values */
    const char *function, *file;
    uint32_t line, col; /* 0 when unknown */
} BufvmReport;
enum { BUFVM_SANITIZE = 1, BUFVM_SANITIZE_RACE = 2 };

typedef struct BufvmLimits { /* 0 = the default in brackets */
    uint64_t memory;       /* bytes of buffers alive in the context, as they are allocated: aligned, in size classes [4 GiB] */
    uint64_t allocation;   /* one buffer [memory] */
    uint64_t fuel;         /* instructions (a kernel costs its elements), per call; UINT64_MAX = none [none] */
    uint64_t local_memory; /* workgroup local memory, bytes [larger of L2 data cache and 128 KiB] */
    uint32_t call_depth;   /* [10000] */
    uint64_t stack;        /* bytes of frames [64 MiB] */
    uint32_t threads;      /* [1] */
    bool poison;           /* fresh memory reads as 0xCB bytes instead of zero */
    bool switch_dispatch;  /* run the switch twin of the dispatch loop; results are the same */
    const char *cpu;       /* kernel variant at most: "portable", "sse2", "avx2", "avx512", "neon", "fp16", "bf16", "dotprod", "i8mm"; NULL: what the machine has; unknown names are an error */
    unsigned sanitize;     /* BUFVM_SANITIZE, with BUFVM_SANITIZE_RACE: report what MLIR leaves undefined; runs on one thread */
    void (*on_report)(void *user, const BufvmReport *report);
    void *report_user;
} BufvmLimits;

/* A host function: reads args, fills results (which it gives away), returns BUFVM_OK or fails the call with error->text.
   On entry function, line and col of *error say where it is called. */
typedef BufvmStatus (*BufvmHostFn)(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args, BufvmValue *results, BufvmError *error);
typedef struct BufvmImport {
    const char *name; /* "check.expect_eq", "printMemrefF32" */
    BufvmHostFn fn;
    void *user;
} BufvmImport;

/* Imports are resolved by name here; a missing one fails when it is called, with its name. */
BUFVM_API BufvmStatus bufvm_context_new(BufvmModule *module, const BufvmLimits *limits, const BufvmImport *imports, size_t n_imports,
                                        const BufvmAllocator *allocator, BufvmContext **out, BufvmError *error);
BUFVM_API void bufvm_context_free(BufvmContext *context);
/* Runs one export.  Checks count, types and shapes of args by the signature; their buffers are lent: the caller keeps its references
   until the call returns, in host functions too.  results: nresults values, overwritten; a result whose
   kind is VIEW on entry names a buffer that receives the elements (type and shape must fit).  The caller releases them.  On failure all are NOTHING
   and the context stays usable. */
BUFVM_API BufvmStatus bufvm_call(BufvmContext *context, uint32_t export_number, const BufvmValue *args, size_t nargs, BufvmValue *results, size_t nresults,
                                 BufvmError *error);
/* From any thread or signal handler: the call that runs ends with BUFVM_INTERRUPTED, after 65536 instructions or elements of
   kernels at most, or when a host function returns; where none runs, the next one does.  One that comes as a call ends may do
   nothing. */
BUFVM_API void bufvm_context_interrupt(BufvmContext *context);
typedef struct BufvmStatistics { uint64_t allocations, bytes_now, bytes_peak, instructions, calls, leaked_buffers; } BufvmStatistics;
BUFVM_API void bufvm_context_statistics(const BufvmContext *context, BufvmStatistics *out);

#ifdef __cplusplus
}
#endif
#endif
