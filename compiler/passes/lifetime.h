/* Lifetimes of allocations, over structured IR and through views.
 *
 * Positions number the ops of a function in preorder; an allocation's span covers every op
 * that may touch its memory, whole loops where a use lies in a loop that the allocation is
 * outside of.  Two allocations whose spans are disjoint are never in use at one time.
 */
#ifndef VMC_LIFETIME_H
#define VMC_LIFETIME_H

#include "passes.h"

typedef struct Span {
    uint32_t start, end; /* inclusive */
} Span;

typedef struct Life {
    Op *op;
    uint64_t bytes; /* 0: size not static, or nothing to store */
    bool escapes;   /* returned, yielded, stored, passed as a block argument, or lost from sight */
    bool deallocated;
    bool shown;     /* a callee gets it as an unranked memref: base and offset are to be those of memory of its own */
    bool touched;
    bool written; /* every byte is written before one is read */
    Span span;
    uint64_t offset; /* for vmc_place_lives */
} Life;

/* All of this uses Context.scratch: callers mark and rewind it. */

/* Numbers the ops under `func` (Op.data is taken); returns the number of positions. */
uint32_t vmc_number_ops(Context *ctx, Op *func);
/* `alloc` is a memref.alloc or memref.alloca under a numbered function. */
Life vmc_lifetime(Context *ctx, Op *alloc);
/* Gives each life an offset, aligned to 64 bytes, so that those that overlap in time do not overlap in memory; returns the bytes in
 * all. */
uint64_t vmc_place_lives(Context *ctx, Life *lives, size_t n);
/* Largest sum of bytes alive at one position. */
uint64_t vmc_live_sum(Context *ctx, const Life *lives, size_t n, uint32_t positions);

#endif
