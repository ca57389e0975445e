/* Shadow memory: its bits, and regions as runs of bytes. */
#include "shadow.h"

#include <string.h>

bool bvm_shadow_new(BufvmBuffer *block, const BufvmAllocator *allocator, bool written)
{
    size_t nbits = (size_t)(block->bytes / 8 + 2), raw = sizeof(BvmShadow) + nbits;
    BvmShadow *shadow = bvm_mem_alloc(allocator, raw);
    if (!shadow)
        return false;
    *shadow = (BvmShadow){.allocator = *allocator, .raw = raw};
    memset(shadow->bits, written ? 0xff : 0, nbits);
    block->shadow = shadow;
    return true;
}

void bvm_shadow_free(BufvmBuffer *block)
{
    BvmShadow *shadow = block->shadow;
    if (!shadow)
        return;
    BufvmAllocator a = shadow->allocator;
    block->shadow = NULL;
    bvm_mem_free(&a, shadow, shadow->raw);
}

/* -- bits -------------------------------------------------------------------------------------------- */

/* Bits from .. from + n - 1 of one byte. */
static uint8_t byte_mask(unsigned from, uint64_t n)
{
    return (uint8_t)((n >= 8 ? 0xffu : (1u << n) - 1) << from);
}

bool bvm_bits_all(const uint8_t *bits, uint64_t from, uint64_t n)
{
    const uint8_t *p = bits + (from >> 3);
    unsigned head = from & 7;
    if (head && n) {
        uint64_t have = n < 8 - head ? n : 8 - head;
        uint8_t mask = byte_mask(head, have);
        if ((*p++ & mask) != mask)
            return false;
        n -= have;
    }
    for (; n >= 64; n -= 64, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        if (~word)
            return false;
    }
    for (; n >= 8; n -= 8)
        if (*p++ != 0xff)
            return false;
    uint8_t mask = byte_mask(0, n);
    return !n || (*p & mask) == mask;
}

void bvm_bits_set(uint8_t *bits, uint64_t from, uint64_t n, bool value)
{
    uint8_t *p = bits + (from >> 3);
    unsigned head = from & 7;
    if (head && n) {
        uint64_t have = n < 8 - head ? n : 8 - head;
        uint8_t mask = byte_mask(head, have);
        *p = (uint8_t)(value ? *p | mask : *p & ~mask);
        p++;
        n -= have;
    }
    memset(p, value ? 0xff : 0, n / 8);
    p += n / 8;
    n %= 8;
    if (n)
        *p = (uint8_t)(value ? *p | byte_mask(0, n) : *p & ~byte_mask(0, n));
}

/* -- regions ----------------------------------------------------------------------------------------- */

/* A dimension joins one whose steps are no longer than what the ones before it cover: together they reach every multiple
   of the shorter step. */
static bool joins(uint64_t stride, uint64_t *count, uint64_t next, uint64_t n)
{
    uint64_t steps = stride ? next / stride : 0;
    if (!stride || next % stride || steps > *count)
        return false;
    *count += steps * (n - 1);
    return true;
}

void bvm_region_init(BvmRegion *r, uint64_t offset, uint64_t elem, uint32_t rank, const int64_t *sizes, const int64_t *strides)
{
    r->rank = 0;
    r->offset = offset;
    r->bytes = elem;
    for (uint32_t d = 0; d < rank; d++) {
        uint64_t stride = (uint64_t)strides[d], n = (uint64_t)sizes[d];
        if (sizes[d] <= 0)
            r->bytes = 0;
        if (sizes[d] <= 1 || strides[d] == 0)
            continue;
        if (strides[d] < 0) {
            r->offset -= (0 - stride) * (n - 1);
            stride = 0 - stride;
        }
        uint32_t at = r->rank++;
        for (; at > 0 && r->stride[at - 1] > stride; at--) { /* shortest step first */
            r->stride[at] = r->stride[at - 1];
            r->count[at] = r->count[at - 1];
        }
        r->stride[at] = stride;
        r->count[at] = n;
    }
    uint32_t kept = 0;
    for (uint32_t d = 0; d < r->rank; d++) {
        if (kept && joins(r->stride[kept - 1], &r->count[kept - 1], r->stride[d], r->count[d]))
            continue;
        r->stride[kept] = r->stride[d];
        r->count[kept++] = r->count[d];
    }
    r->rank = kept;
    if (!kept || r->stride[0] != elem || !r->bytes)
        return;
    r->bytes = elem * r->count[0]; /* neighbours: one run */
    r->rank--;
    memmove(r->stride, r->stride + 1, r->rank * sizeof *r->stride);
    memmove(r->count, r->count + 1, r->rank * sizeof *r->count);
}

bool bvm_region_each(const BvmRegion *r, BvmRunFn *fn, void *user)
{
    uint64_t index[BUFVM_MAX_RANK], at = r->offset;
    memset(index, 0, r->rank * sizeof *index);
    if (!r->bytes)
        return true;
    for (;;) {
        if (!fn(user, at, r->bytes))
            return false;
        uint32_t d = 0;
        for (; d < r->rank && ++index[d] == r->count[d]; d++) {
            at -= r->stride[d] * (r->count[d] - 1);
            index[d] = 0;
        }
        if (d == r->rank)
            return true;
        at += r->stride[d];
    }
}
