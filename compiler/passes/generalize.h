/* Parts of the pass generalize: each replaces one op and reports where it cannot. */
#ifndef VMC_GENERALIZE_H
#define VMC_GENERALIZE_H

#include "../dialects/linalg.h"
#include "builders.h"

/* tensor ops that are loop nests (expand_tensor.c) */
bool vmc_expand_pad(Context *ctx, Op *op);
bool vmc_expand_generate(Context *ctx, Op *op);
bool vmc_expand_splat(Context *ctx, Op *op);
bool vmc_expand_concat(Context *ctx, Op *op);
bool vmc_expand_gather(Context *ctx, Op *op);
bool vmc_expand_scatter(Context *ctx, Op *op);
bool vmc_expand_pack(Context *ctx, Op *op);
bool vmc_expand_unpack(Context *ctx, Op *op);
bool vmc_expand_init_tensor(Context *ctx, Op *op);

/* shared by the expansions (expand_tensor.c) */
Value *vmc_build_index_op(Builder *b, uint32_t dim); /* linalg.index */
/* linalg.generic over all of `out`, parallel, with the given inputs; *body ends up at the end of its empty body. */
Op *vmc_build_map(Builder *b, uint32_t nins, Value *const *ins, const AffineMap *const *in_maps, Value *out, Builder *body);
Value *vmc_build_fill(Builder *b, Value *scalar, Value *out);
Value **vmc_sizes_of(Builder *b, Value *shaped); /* of every dimension */
/* A check at run time; nothing where both are the same constant. */
void vmc_require_equal(Builder *b, const Op *op, Value *a, Value *v, const char *what, uint32_t dim);

/* flow.tensor casts (expand_flow.c) */
bool vmc_expand_flow_reshape(Context *ctx, Op *op);
bool vmc_expand_flow_bitcast(Context *ctx, Op *op);

/* iree_linalg_ext ops (expand_ext.c) */
bool vmc_is_ext(const Op *op);
bool vmc_expand_ext(Context *ctx, Op *op);

/* linalg.winograd_* (expand_winograd.c) */
bool vmc_expand_linalg_winograd(Context *ctx, Op *op);

/* linalg.softmax (expand_softmax.c) */
bool vmc_expand_softmax(Context *ctx, Op *op);

/* memref ops made of others (expand_memref.c) */
bool vmc_expand_atomic_rmw(Context *ctx, Op *op);
bool vmc_expand_generic_atomic_rmw(Context *ctx, Op *op);
bool vmc_expand_realloc(Context *ctx, Op *op);
bool vmc_expand_assume_alignment(Context *ctx, Op *op);
bool vmc_expand_prefetch(Context *ctx, Op *op);
bool vmc_expand_clone(Context *ctx, Op *op);   /* bufferization.clone */
bool vmc_expand_dealloc(Context *ctx, Op *op); /* bufferization.dealloc */

/* Result k of `op` becomes values[k], which takes over its name; erases op. */
void vmc_replace_op(Op *op, Value *const *values);

#endif
