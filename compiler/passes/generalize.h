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

/* linalg.softmax (expand_softmax.c) */
bool vmc_expand_softmax(Context *ctx, Op *op);

/* memref ops made of others (expand_memref.c) */
bool vmc_expand_atomic_rmw(Context *ctx, Op *op);
bool vmc_expand_generic_atomic_rmw(Context *ctx, Op *op);
bool vmc_expand_realloc(Context *ctx, Op *op);
bool vmc_expand_assume_alignment(Context *ctx, Op *op);
bool vmc_expand_prefetch(Context *ctx, Op *op);

/* Result k of `op` becomes values[k], which takes over its name; erases op. */
void vmc_replace_op(Op *op, Value *const *values);

#endif
