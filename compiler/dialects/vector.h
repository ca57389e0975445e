/* Facts on vector ops that their grammar, checks and lowering share. */
#ifndef VMC_VECTOR_H
#define VMC_VECTOR_H

#include "dialect.h"

/* The arith op that a combining kind is on elements of a type, NULL if there is none; `kind` absent means add.
   The kinds minf and maxf of older text prefer numbers, unlike the ops of those names. */
const char *vmc_combining_op(const Attr *kind, const Type *elem);
/* "add" as its current spelling, from `<add>`, "add" or an older name; NULL for an unknown one. */
const char *vmc_combining_name(const char *text, size_t n);

/* Position of vector.extract or insert: static values with VMC_DYNAMIC where a dynamic operand stands, in either spelling. */
bool vmc_vector_position(Context *ctx, const Op *op, const int64_t **values, uint32_t *n);

/* A transfer op: of its vector's dims the first `nmapped` are subscripted by the map, the rest are those of vector elements in
   memory.  source_dim[v] is the dimension that vector dim v runs over, or -1 where it repeats one element. */
typedef struct Transfer {
    uint32_t nindices, nmapped;
    Value *source, *vector, *mask; /* mask: or NULL; vector: NULL when reading */
    uint32_t first_index;          /* number of the first index operand */
    int64_t *source_dim;
    bool *in_bounds; /* nmapped entries; of dims that repeat: true */
} Transfer;
/* False (nothing reported) if the attributes do not fit the types.  Holds before and behind the conversion of vector types. */
bool vmc_transfer(Context *ctx, const Op *op, Transfer *out);
/* Dim of the mask (numbered in the order of the source's dims) that vector dim v belongs to; only for dims that do not repeat. */
uint32_t vmc_transfer_mask_dim(const Transfer *t, uint32_t v);

#endif
