/* Shadow memory: which bytes of a block the program has written, and where the block was made and ended.
 *
 * Only under --sanitize.  A block without a shadow counts as written in full: memory of the host, constants.
 * A region is the set of elements that sizes and strides reach, as runs of bytes, each byte at least once; runs may
 * stand in another order than the elements.
 */
#ifndef BVM_SHADOW_H
#define BVM_SHADOW_H

#include "memory.h"

typedef struct BvmSource { /* a place in the source; line 0: unknown */
    uint32_t line, col;
} BvmSource;

typedef struct BvmShadow {
    BufvmAllocator allocator;
    size_t raw;
    uint64_t serial; /* differs between blocks that stand at one address one after the other */
    BvmSource made, ended;
    const void *made_by; /* stands for the instruction that made it */
    size_t owned;        /* place in the list of blocks that the program must dealloc, plus 1; 0: none */
    uint8_t bits[];      /* a bit a byte: written */
} BvmShadow;

/* All bytes written, or none; false: out of memory.  Replaces nothing. */
bool bvm_shadow_new(BufvmBuffer *block, const BufvmAllocator *allocator, bool written);
void bvm_shadow_free(BufvmBuffer *block); /* NULL shadow is fine */

bool bvm_bits_all(const uint8_t *bits, uint64_t from, uint64_t n);
void bvm_bits_set(uint8_t *bits, uint64_t from, uint64_t n, bool value);
/* One access of up to 8 bytes: in line, as it is what loops do. */
static inline bool bvm_bits_access(const uint8_t *bits, uint64_t from, unsigned n)
{
    unsigned v = bits[from >> 3] | (unsigned)bits[(from >> 3) + 1] << 8, mask = (1u << n) - 1; /* a byte of room behind */
    return ((v >> (from & 7)) & mask) == mask;
}
static inline void bvm_bits_mark(uint8_t *bits, uint64_t from, unsigned n)
{
    unsigned mask = ((1u << n) - 1) << (from & 7);
    bits[from >> 3] |= (uint8_t)mask;
    bits[(from >> 3) + 1] |= (uint8_t)(mask >> 8);
}

typedef struct BvmRegion {
    uint64_t offset, bytes; /* of the first run, of each run; bytes 0: empty */
    uint32_t rank;
    uint64_t count[BUFVM_MAX_RANK], stride[BUFVM_MAX_RANK];
} BvmRegion;
/* offset and strides in bytes, of the element at index 0; all elements lie inside the block. */
void bvm_region_init(BvmRegion *r, uint64_t offset, uint64_t elem, uint32_t rank, const int64_t *sizes, const int64_t *strides);
typedef bool BvmRunFn(void *user, uint64_t offset, uint64_t bytes); /* false: that is enough */
bool bvm_region_each(const BvmRegion *r, BvmRunFn *fn, void *user); /* false: fn was */

#endif
