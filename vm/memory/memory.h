/* Buffers, the pool that a context takes them from, and workgroup local memory.
 *
 * A block (BufvmBuffer) is reference counted, atomically, and knows where its bytes go when
 * the last reference does: back to a pool, to an allocator, or to the host that owns them.
 * A register (BvmReg) is a window into a block; every access is checked against the window's
 * length, so that nothing can be read or written outside it.
 */
#ifndef BVM_MEMORY_H
#define BVM_MEMORY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../bufvm.h"

/* -- allocation ------------------------------------------------------------------------------------ */

/* `given` or malloc, by value. */
BufvmAllocator bvm_mem_allocator(const BufvmAllocator *given);
void *bvm_mem_alloc(const BufvmAllocator *a, size_t n); /* n > 0; not cleared */
void *bvm_mem_zalloc(const BufvmAllocator *a, size_t n);
void bvm_mem_free(const BufvmAllocator *a, void *p, size_t n);

/* Fills `error` when there is one; returns `status`. */
BufvmStatus bvm_error(BufvmError *error, BufvmStatus status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* -- blocks ---------------------------------------------------------------------------------------- */

typedef struct BvmPool BvmPool;

enum {
    BVM_READ_ONLY = 1,
    BVM_DEAD = 2 /* after dealloc */,
    BVM_FIXED = 4 /* lives as long as its context; not counted */,
    BVM_LOCAL = 8
};

struct BufvmBuffer {
    atomic_uint refs;
    atomic_uint flags;
    uint8_t *data;
    uint64_t bytes;                /* length as asked for */
    uint64_t capacity;             /* bytes behind data */
    uint64_t raw;                  /* bytes taken from the allocator, this header included; 0: not ours */
    atomic_uint_least64_t address; /* reproducible stand-in for the address; 0 = none given yet */
    BvmPool *pool;                 /* NULL: allocated or wrapped by the host */
    BufvmBuffer *next;             /* in a free list */
    uint32_t size_class;
    BufvmAllocator allocator;
    void (*release)(void *user, void *data);
    void *user;
    struct BvmShadow *shadow; /* shadow.h: what of it is written; NULL unless it is watched */
};

/* A buffer register. */
typedef struct BvmReg {
    uint8_t *data;
    uint64_t length;   /* bytes that may be read */
    uint64_t writable; /* bytes that may be written: length, or 0 */
    uintptr_t owner;   /* BufvmBuffer *, plus BVM_BORROWED when the register holds no reference; 0: null register */
} BvmReg;
#define BVM_BORROWED ((uintptr_t)1)

static inline BufvmBuffer *bvm_reg_block(const BvmReg *r)
{
    return (BufvmBuffer *)(r->owner & ~BVM_BORROWED);
}
static inline void bvm_reg_retain(const BvmReg *r)
{
    if (r->owner && !(r->owner & BVM_BORROWED))
        atomic_fetch_add_explicit(&((BufvmBuffer *)r->owner)->refs, 1, memory_order_relaxed);
}
void bvm_block_release(BufvmBuffer *block);
static inline void bvm_reg_drop(BvmReg *r)
{
    if (r->owner && !(r->owner & BVM_BORROWED))
        bvm_block_release((BufvmBuffer *)r->owner);
    *r = (BvmReg){0};
}
/* A window over the whole block.  Takes no reference: marked borrowed unless `counted`. */
BvmReg bvm_reg_of(BufvmBuffer *block, bool counted);
/* A block that is part of another object: never released. */
void bvm_block_init_fixed(BufvmBuffer *block, uint8_t *data, uint64_t bytes, unsigned flags);

/* -- pool ------------------------------------------------------------------------------------------ */

typedef struct BvmPoolStatistics {
    uint64_t allocations, bytes_now, bytes_peak, blocks;
} BvmPoolStatistics;

/* Limits of 0 mean none.  The pool lives until it is closed and the last of its blocks is gone. */
BvmPool *bvm_pool_new(const BufvmAllocator *allocator, uint64_t limit, uint64_t allocation_limit, bool poison);
void bvm_pool_close(BvmPool *pool);
/* align: a power of two or 0 (64).  cleared: fresh bytes read as zero (or as the poison pattern); otherwise they may hold
   anything that this pool's blocks held before.  Safe from several threads. */
BufvmStatus bvm_pool_alloc(BvmPool *pool, uint64_t bytes, uint64_t align, bool cleared, BufvmBuffer **out, BufvmError *error);
/* Charges or returns memory that is not a block (local memory, scratch): false when the limit refuses. */
bool bvm_pool_charge(BvmPool *pool, uint64_t bytes);
/* The error for what does not fit: both figures of the limit. */
BufvmStatus bvm_pool_over(BvmPool *pool, const char *what, uint64_t bytes, BufvmError *error);
void bvm_pool_discharge(BvmPool *pool, uint64_t bytes);
uint64_t bvm_pool_blocks(const BvmPool *pool); /* blocks alive; takes no lock */
void bvm_pool_statistics(BvmPool *pool, BvmPoolStatistics *out);

/* -- workgroup local memory ------------------------------------------------------------------------ */

/* The default size: the larger of the L2 data cache and 128 KiB. */
uint64_t bvm_local_default(void);

/* One block per worker, made when the first function needs it and reused by every call and dispatch. */
typedef struct BvmLocal {
    BufvmBuffer block; /* BVM_FIXED | BVM_LOCAL */
    void *raw;
    uint64_t raw_bytes, available;
} BvmLocal;
BufvmStatus bvm_local_ready(BvmLocal *local, BvmPool *pool, const BufvmAllocator *allocator, BufvmError *error);
void bvm_local_free(BvmLocal *local, BvmPool *pool, const BufvmAllocator *allocator);

#endif
