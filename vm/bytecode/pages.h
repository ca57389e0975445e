/* Large blocks in large pages: first touch of a page costs about a microsecond, which for megabytes is more than what is done with
 * them.  A wish, not a need: where the system has no such pages nothing happens.
 */
#ifndef BVM_PAGES_H
#define BVM_PAGES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#define BVM_LARGE_BLOCK ((size_t)4 << 20)
#define BVM_LARGE_PAGE  ((uintptr_t)2 << 20)

/* Of the n bytes at p, what is whole large pages. */
static inline void bvm_prefer_large_pages(void *p, size_t n)
{
#ifdef MADV_HUGEPAGE
    if (!p || n < BVM_LARGE_BLOCK)
        return;
    uintptr_t first = ((uintptr_t)p + BVM_LARGE_PAGE - 1) & ~(BVM_LARGE_PAGE - 1), end = ((uintptr_t)p + n) & ~(BVM_LARGE_PAGE - 1);
    if (first < end)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
    (void)p;
    (void)n;
#endif
}

#endif
