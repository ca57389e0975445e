/* Interning tables of a Context: internal to compiler/ir. */
#ifndef VMC_IR_TABLES_H
#define VMC_IR_TABLES_H

#include "ir.h"

typedef struct InternEntry {
    uint64_t hash;
    const void *item;
} InternEntry;

typedef struct InternSet {
    InternEntry *at;
    size_t n, cap;
} InternSet;

typedef struct Tables {
    InternSet types, attrs, exprs, maps;
} Tables;

typedef bool (*InternEqual)(const void *candidate, const void *item);

/* The equal item, or NULL with *slot set to where vmc_intern_add puts a new one. */
const void *vmc_intern_find(Context *ctx, InternSet *set, uint64_t hash, const void *candidate, InternEqual equal, size_t *slot);
void vmc_intern_add(InternSet *set, size_t slot, uint64_t hash, const void *item);

static inline Tables *vmc_tables(Context *ctx)
{
    return ctx->tables;
}
static inline uint64_t vmc_hash_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9fb21c651e98df25);
    return hash ^ hash >> 29;
}

#endif
