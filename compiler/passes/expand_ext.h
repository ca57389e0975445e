/* Part of the pass generalize: iree_linalg_ext ops become linalg, scf and tensor ops. */
#ifndef VMC_EXPAND_EXT_H
#define VMC_EXPAND_EXT_H

#include "../dialects/linalg_ext.h"
#include "generalize.h"

/* Loops in row-major order from 0 to sizes[k], with carried values; without loops the body runs once. */
typedef struct Nest {
    Builder b;       /* at the end of the innermost body */
    Value **at;      /* indices */
    Value **carried; /* as the innermost body sees them */
    Value **results; /* behind the loops, once closed */
    uint32_t nloops, ncarried;
} Nest;
void vmc_nest_open(Nest *nest, Builder *b, uint32_t nloops, Value *const *sizes, uint32_t ncarried, Value *const *init);
void vmc_nest_close(Nest *nest, Value *const *next);

/* The ops of a body, copied to the builder's place with its arguments replaced; gives what its terminator yields. */
Value **vmc_clone_body(Builder *b, const Block *body, Value *const *args);
Value *vmc_extract(Builder *b, Value *tensor, Value *const *at);
Value *vmc_insert(Builder *b, Value *scalar, Value *tensor, Value *const *at);
/* scf.if of one type with two empty blocks. */
Op *vmc_build_choice(Builder *b, Value *condition, const Type *type, Builder *yes, Builder *no);
/* The n indices without entry `dim`, or with it replaced. */
Value **vmc_without(Arena *arena, uint32_t n, Value *const *at, int64_t dim);
Value **vmc_replaced(Arena *arena, uint32_t n, Value *const *at, int64_t dim, Value *with);

/* Each gives the values of the results and leaves the op, on tensors, in place. */
Value **vmc_ext_sort(Builder *b, Op *op); /* expand_sort.c */
Value **vmc_ext_topk(Builder *b, Op *op);
Value **vmc_ext_attend(Builder *b, Op *op);        /* expand_attention.c */
Value **vmc_ext_winograd(Builder *b, Op *op);      /* expand_winograd.c */
Value **vmc_ext_im2col_expand(Builder *b, Op *op); /* expand_im2col.c */

#endif
