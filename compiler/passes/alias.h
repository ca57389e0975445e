/* Whether two memrefs can share memory, decided from where they come from. */
#ifndef VMC_ALIAS_H
#define VMC_ALIAS_H

#include "../dialects/dialect.h"

/* True only if it is certain that no byte belongs to both, given that one of them is written. */
bool vmc_memrefs_apart(Context *ctx, const Value *a, const Value *b);

typedef enum Overlap {
    OVERLAP_NONE,
    OVERLAP_SAME,    /* element for element */
    OVERLAP_SOME,    /* parts of one memory that may overlap */
    OVERLAP_UNKNOWN, /* decided by what is passed at run time */
} Overlap;
Overlap vmc_memref_overlap(Context *ctx, const Value *a, const Value *b);

/* Certain that no two subscripts name one element: a plain layout, or strides that step over what lies within them. */
bool vmc_layout_is_injective(Context *ctx, const Type *type);

#endif
