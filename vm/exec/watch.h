/* What sanitize.c and watch_blocks.c share: the instruction that is looked at, and what any touch of memory is asked. */
#ifndef BVM_WATCH_H
#define BVM_WATCH_H

#include "sanitize.h"

typedef struct BvmAt {
    BvmWorker *worker;
    BvmSanitizer *z;
    BvmFrame *frame;
    const uint64_t *pc;
    unsigned row, etype;
} BvmAt;

BufvmStatus bvm_watch_no_memory(BvmWorker *worker);
BufvmStatus bvm_watch_shadow(const BvmAt *at, BufvmBuffer *block); /* the block has one from now on */
void bvm_watch_dead(const BvmAt *at, const BufvmBuffer *block, const char *what) __attribute__((cold));
/* Reports a touch of what was deallocated: what, "a buffer of". */
static inline void bvm_watch_alive(const BvmAt *at, const BufvmBuffer *block, const char *what)
{
    if (__builtin_expect(atomic_load_explicit(&block->flags, memory_order_relaxed) & BVM_DEAD, 0))
        bvm_watch_dead(at, block, what);
}
static inline BufvmStatus bvm_watch_race(const BvmAt *at, BufvmBuffer *block, uint64_t offset, uint64_t bytes, bool writes)
{
    return at->z->race ? bvm_race_access(at->worker, at->frame, at->pc, block, offset, bytes, writes) : BUFVM_OK;
}
void bvm_watch_drop_doubts(BvmWorker *worker); /* of all registers */

#endif
