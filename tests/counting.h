/* An allocator hook that counts: bytes held now and at most.  Zeroed before use; pool threads allocate too. */
#ifndef BUFVM_TESTS_COUNTING_H
#define BUFVM_TESTS_COUNTING_H

#include <stdatomic.h>
#include <stdlib.h>

typedef struct Counter {
    atomic_size_t now, peak;
} Counter;

static inline void *count_realloc(void *user, void *p, size_t old, size_t n)
{
    Counter *c = user;
    size_t now = atomic_fetch_add(&c->now, n - (p ? old : 0)) + n - (p ? old : 0);
    for (size_t peak = c->peak; peak < now && !atomic_compare_exchange_weak(&c->peak, &peak, now);)
        continue;
    if (n == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, n);
}

#endif
