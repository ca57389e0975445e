/* Kernels: loop nests over strided operands, bit for bit what the nest computes in row-major order.
 *
 * The caller has checked that every element is inside its buffer.  A kernel gets pointers, byte strides and sizes;
 * it reports its work in pieces of at most 2^16 elements to `poll`, which may stop it.
 * Order: per output element the iterations happen in row-major order; outputs are independent where memory
 * proves it (they are distinct and no input overlaps them), and only then are they worked on side by side.
 */
#ifndef BVM_KERNELS_H
#define BVM_KERNELS_H

#include "../memory/memory.h"
#include "cpu.h"

#define BVM_KERNEL_RANK    64
#define BVM_KERNEL_PIECE   65536
#define BVM_KERNEL_SCRATCH (1536 << 10) /* bytes */

typedef struct BvmOperand {
    uint8_t *p; /* element 0, 0, ... */
    unsigned etype;
    int64_t stride[BVM_KERNEL_RANK]; /* bytes */
} BvmOperand;

typedef struct BvmKernelArgs {
    uint32_t rank, nops;
    int64_t size[BVM_KERNEL_RANK]; /* all positive */
    BvmOperand op[3];              /* written ones first, as in kernels.def */
    uint64_t scalar;               /* fill */
    unsigned flags;                /* of the first immediate */
    uint64_t param;                /* the second immediate */
    unsigned cpu;                  /* extensions allowed */
    bool independent;              /* known to hold; bvm_kernel_independent looks where it is false */
    BvmPool *pool;                 /* for a copy of an operand that overlaps */
    uint8_t *scratch;              /* BVM_KERNEL_SCRATCH bytes for packed panels; NULL: small blocks on the stack */
    BufvmError *error;
    BufvmStatus (*poll)(void *user, uint64_t elements);
    void *user;
} BvmKernelArgs;

typedef BufvmStatus BvmKernelFn(BvmKernelArgs *args);

/* One variant of one kernel: rows.def. */
typedef struct BvmKernelRow {
    unsigned kernel; /* number in kernels.def */
    unsigned cpu;    /* extensions that it needs */
    const char *variant;
    BvmKernelFn *fn;
    bool (*serves)(const BvmKernelArgs *args); /* it has these types, and is the one to take here; NULL: always */
} BvmKernelRow;
extern const BvmKernelRow bvm_kernel_rows[]; /* ends with fn NULL */

/* The extensions are allowed and the types served. */
bool bvm_kernel_row_fits(const BvmKernelRow *row, const BvmKernelArgs *args);

/* Whether the kernel runs better with scratch: sizes are those of the call. */
bool bvm_kernel_wants_scratch(unsigned kernel, const BvmKernelArgs *args);

/* BUFVM_INVALID_ARGUMENT when the types do not fit the kernel.  May change *args. */
BufvmStatus bvm_kernel_run(unsigned kernel, BvmKernelArgs *args);
#define BVM_KERNELS 8 /* above all numbers */
/* The first row of a kernel whose extensions are there; NULL: no such kernel.  run_from takes it or one of those behind it. */
const BvmKernelRow *bvm_kernel_first(unsigned kernel, unsigned cpu);
BufvmStatus bvm_kernel_run_from(const BvmKernelRow *first, BvmKernelArgs *args);

/* -- for the kernels themselves ----------------------------------------------------------------------- */

/* Drops dimensions of size 1 and joins neighbours that are one stretch in all operands; the last `keep` dimensions stay. */
void bvm_kernel_simplify(BvmKernelArgs *args, uint32_t keep);
/* No two index vectors, over the dimensions in which it moves, name overlapping elements of operand `k` (false: not proved). */
bool bvm_kernel_injective(const BvmKernelArgs *args, uint32_t k);
/* The bytes of operands j and k have nothing in common. */
bool bvm_kernel_apart(const BvmKernelArgs *args, uint32_t j, uint32_t k);
/* Outputs are distinct and apart from all inputs and each other. */
bool bvm_kernel_independent(const BvmKernelArgs *args, uint32_t outputs);

/* An odometer over some dimensions, the last one fastest; ptr follows each operand. */
typedef struct BvmWalk {
    uint32_t n;
    uint32_t dim[BVM_KERNEL_RANK];
    int64_t at[BVM_KERNEL_RANK];
    uint8_t *ptr[3];
} BvmWalk;
void bvm_walk_start(BvmWalk *walk, const BvmKernelArgs *args); /* after n and dim are set */
bool bvm_walk_next(BvmWalk *walk, const BvmKernelArgs *args);  /* false: done */

BvmKernelFn bvm_fill_portable, bvm_copy_portable, bvm_contract_portable, bvm_reduce_portable, bvm_argreduce_portable;
BvmKernelFn bvm_contract_sse2, bvm_contract_avx2, bvm_contract_avx512;
BvmKernelFn bvm_contract_neon, bvm_contract_fp16, bvm_contract_bf16, bvm_contract_dotprod, bvm_contract_i8mm;
bool bvm_contract_serves_avx512(const BvmKernelArgs *args);
bool bvm_contract_serves_fp16(const BvmKernelArgs *args), bvm_contract_serves_bf16(const BvmKernelArgs *args);
bool bvm_contract_serves_dotprod(const BvmKernelArgs *args), bvm_contract_serves_i8mm(const BvmKernelArgs *args);
BvmKernelFn bvm_reduce_avx2, bvm_argreduce_avx2, bvm_argreduce_avx512;

#endif
