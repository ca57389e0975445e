/* Services on structured ops: linalg.generic, and the named linalg ops, which are rows that
 * carry the same facts (linalg_named.def) and always have their body as a region.
 *
 * A structured op is a loop nest: `nloops` iterators, outermost first; operand k is read at (and
 * outs are also written at) the subscripts maps[k] of the loop indices; the body computes the new
 * values of the outs from one element of each operand.  An operand that is no tensor or memref is a
 * scalar and has a map without results.  What it computes is what the nest in row-major order computes.
 *
 * Attributes that the schedule level adds to linalg.generic on memrefs:
 *
 *   bufvm.kernel = {name = "contract", operands = array<i64: 2, 0, 1>, combiner = "addf", flags = 0 : i64}
 *       name      row of vm/kernels/kernels.def; R = nloops, the sizes are those of the loops (vmc_structured_size)
 *       operands  operand numbers of the op in the order of the row's letters o, i and s
 *       combiner  opcodes.def row name, for rows with a combiner or compare (reduce, argreduce); absent otherwise
 *       value     opcodes.def row name of what an argreduce makes its value with; absent: the value is chosen
 *       flags     the row's flags
 *     Every mapped subscript is linear in the loop indices (vmc_linear_subscript), so each operand has one stride a loop.
 *   bufvm.strip = L : i64
 *       lanes run over loop L, which is parallel: the body is straight-line code of scalar ops, linalg.index and
 *       constants; two turns of loop L never touch the same element of an out; every subscript is linear.  The other
 *       loops run around the strip in their order.
 * Both come after run-time checks of the shapes (cf.assert in front of the op), so all subscripts are in range.
 */
#ifndef VMC_LINALG_H
#define VMC_LINALG_H

#include "dialect.h"

typedef enum LoopKind { LOOP_PARALLEL, LOOP_REDUCTION, LOOP_WINDOW } LoopKind; /* window is a reduction */

typedef struct Structured {
    Op *op;
    uint32_t nloops, nins, nouts; /* operands 0 .. nins-1, then the outs */
    const LoopKind *loops;        /* nloops */
    const AffineMap *const *maps; /* nins + nouts, each with nloops dims and no symbols */
    Block
        *body; /* its arguments: one element of each operand, in order (linalg.map: of the inputs alone); NULL if the op has none */
} Structured;

/* Fills *out; false (nothing reported) if `op` is no structured op or not a well-formed one. */
bool vmc_structured(Context *ctx, Op *op, Structured *out);
static inline Value *vmc_structured_operand(const Structured *s, uint32_t k)
{
    return s->op->operands[k].value;
}
static inline bool vmc_structured_is_parallel(const Structured *s)
{
    for (uint32_t l = 0; l < s->nloops; l++)
        if (s->loops[l] != LOOP_PARALLEL)
            return false;
    return true;
}
static inline bool vmc_structured_is_scalar(const Structured *s, uint32_t k)
{
    const Type *t = s->op->operands[k].value->type;
    return t->kind != TYPE_TENSOR && t->kind != TYPE_MEMREF;
}
/* An operand dimension that is indexed by loop `loop` alone, i.e. whose size is the loop's; false if there is none.
   Prefers one of static size. */
bool vmc_structured_size_source(const Structured *s, uint32_t loop, uint32_t *operand, uint32_t *dim);
/* Trip count where static, else VMC_DYNAMIC. */
int64_t vmc_structured_static_size(const Structured *s, uint32_t loop);
/* Trip count as an index value at the builder: a constant, or memref.dim / tensor.dim of its source. */
Value *vmc_structured_size(Builder *b, const Structured *s, uint32_t loop);

/* expr = constant + sum coefficients[k] * dim k; false if it is not linear or overflows.  `coefficients` has ndims entries. */
bool vmc_linear_subscript(const AffineExpr *expr, uint32_t ndims, int64_t *coefficients, int64_t *constant);
/* All results linear. */
bool vmc_linear_map(const AffineMap *map);

/* Emits in front of the op what must hold at run time: sizes of different operands along one loop agree, subscripts that are
   not plain loop indices stay inside.  Reports a static violation and returns false. */
bool vmc_structured_checks(Context *ctx, const Structured *s);

/* Body of a named op made by a pass or read without one: fills region 0 from the row.  False: not a named op, or the
   element types have no such body (reported). */
bool vmc_named_body(Context *ctx, Op *op);
bool vmc_is_named(const Op *op); /* has a row in linalg_named.def */

/* Every linalg.generic of the module for which no kernel or strip has been chosen yet, in order. */
typedef VEC(Op *) OpList;
OpList vmc_open_generics(Context *ctx);

/* linalg.generic with an empty entry block that has its arguments.  Results: the outs that are tensors. */
Op *vmc_build_generic(Builder *b, uint32_t nins, Value *const *ins, uint32_t nouts, Value *const *outs,
                      const AffineMap *const *maps, uint32_t nloops, const LoopKind *loops);
/* A whole number as a float constant. */
Value *vmc_build_float(Builder *b, const Type *type, int64_t whole);
/* The conversion that linalg applies between element types: `value` itself, or ext/trunc/int-float casts.  NULL if there is none.
 */
Value *vmc_linalg_cast(Builder *b, Value *value, const Type *to, bool is_unsigned);

#endif
