/* Small builders that the lowering passes share. */
#ifndef VMC_BUILDERS_H
#define VMC_BUILDERS_H

#include "../dialects/dialect.h"

enum { CMPI_EQ = 0, CMPI_NE = 1, CMPI_SLT = 2, CMPI_SLE = 3, CMPI_SGT = 4, CMPI_SGE = 5, CMPI_ULT = 6 };

Value *vmc_binary(Builder *b, const char *op, Value *lhs, Value *rhs); /* result of the operands' type */
Value *vmc_cmpi(Builder *b, int64_t predicate, Value *lhs, Value *rhs);
Value *vmc_select(Builder *b, Value *condition, Value *yes, Value *no);
void vmc_assert_that(Builder *b, Value *condition, const char *text);
/* Size of dim i of a ranked tensor or memref: a constant where static. */
Value *vmc_dim_of(Builder *b, Value *shaped, uint32_t i);
/* tensor.empty whose dynamic sizes are those entries of `sizes` (rank entries, made by vmc_dim_of or so). */
Value *vmc_empty_tensor(Builder *b, const Type *type, Value *const *sizes);
/* Operand segments as the attribute operandSegmentSizes. */
NamedAttr vmc_segments(Context *ctx, uint32_t n, const int32_t *sizes);
/* scf.for with its body block and arguments (index, then one for each init); the caller appends scf.yield. */
Op *vmc_build_for(Builder *b, Value *lower, Value *upper, Value *step, uint32_t ninits, Value *const *inits);
/* A parallel loop that -g observes (bufvm.parallel) becomes loops of which the outermost and the innermost say so. */
void vmc_mark_nest(Context *ctx, const Op *parallel, Op *outermost, Op *innermost);
void vmc_build_yield(Builder *b, const char *op, uint32_t n, Value *const *values);
/* Moves the ops of `from`, without its terminator, to the builder's place, with its arguments replaced by `args`; gives the
   terminator, which stays behind in `from`. */
Op *vmc_inline_block(Builder *b, Block *from, Value *const *args);
/* Value of an affine expression, exact for negative numbers. */
Value *vmc_affine_value(Builder *b, const AffineExpr *expr, Value *const *dims, Value *const *syms);
/* tensor.insert_slice with stride 1; constant offsets and sizes become static entries. */
Value *vmc_build_insert_slice(Builder *b, Value *source, Value *dest, Value *const *offsets, Value *const *sizes);

#endif
