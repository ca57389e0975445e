/* Structured ops on memrefs whose body has tile code get the attribute bufvm.strip: the loop that the lanes run over (linalg.h). */
#include "../dialects/linalg.h"
#include "../emit/emit.h"

#include "alias.h"
#include "passes.h"

/* Elements that an operand moves by in one turn of each loop; false where subscripts or layout are not linear.  Unknown strides
   count as large. */
static bool loop_strides(Context *ctx, const Structured *s, uint32_t k, int64_t *out)
{
    const Type *type = vmc_structured_operand(s, k)->type;
    int64_t offset, constant, *strides = ARENA_ARRAY(&ctx->arena, int64_t, type->rank + 1);
    int64_t *coefficients = ARENA_ARRAY(&ctx->arena, int64_t, s->nloops + 1);
    if (type->kind != TYPE_MEMREF || !vmc_memref_strides(ctx, type, &offset, strides))
        return false;
    for (uint32_t r = 0; r < type->rank; r++) {
        if (!vmc_linear_subscript(s->maps[k]->results[r], s->nloops, coefficients, &constant))
            return false;
        for (uint32_t l = 0; l < s->nloops; l++) {
            int64_t step;
            if (coefficients[l] == 0)
                continue;
            if (strides[r] == VMC_DYNAMIC || __builtin_mul_overflow(coefficients[l], strides[r], &step) ||
                __builtin_add_overflow(out[l], step, &out[l]))
                out[l] = INT64_MAX / 2;
        }
    }
    return true;
}

/* Two turns of the loop write different elements: it is a subscript by itself.  A layout that may give one element several
   subscripts allows only the innermost loop, whose turns are told apart by its stride. */
static bool writes_apart(Context *ctx, const Structured *s, uint32_t loop)
{
    for (uint32_t k = s->nins; k < s->nins + s->nouts; k++) {
        bool found = false;
        if (loop + 1 != s->nloops && !vmc_layout_is_injective(ctx, vmc_structured_operand(s, k)->type))
            return false;
        for (uint32_t r = 0; r < s->maps[k]->nresults; r++)
            found |= s->maps[k]->results[r]->kind == AFFINE_DIM && s->maps[k]->results[r]->value == (int64_t)loop;
        if (!found)
            return false;
    }
    return s->loops[loop] == LOOP_PARALLEL;
}

enum { SCORE_CONTIGUOUS = 4, SCORE_INVARIANT = 1, SCORE_SHORT = -6, SHORT_LOOP = 16 };

/* The loop that most operands walk through contiguously; -1 if no loop can carry lanes. */
static int64_t choose_lane(Context *ctx, const Structured *s)
{
    uint32_t n = s->nins + s->nouts;
    int64_t *scores = ARENA_ARRAY(&ctx->arena, int64_t, s->nloops + 1), best = -1;
    for (uint32_t k = 0; k < n; k++) {
        int64_t *steps = ARENA_ARRAY(&ctx->arena, int64_t, s->nloops + 1);
        if (vmc_structured_is_scalar(s, k))
            continue;
        if (!loop_strides(ctx, s, k, steps))
            return -1;
        for (uint32_t l = 0; l < s->nloops; l++)
            scores[l] += steps[l] == 1 ? SCORE_CONTIGUOUS : steps[l] == 0 ? SCORE_INVARIANT : 0;
    }
    for (uint32_t l = 0; l < s->nloops; l++) {
        int64_t size = vmc_structured_static_size(s, l);
        if (size != VMC_DYNAMIC && size < SHORT_LOOP)
            scores[l] += SCORE_SHORT;
        if (writes_apart(ctx, s, l) && (best < 0 || scores[l] >= scores[best])) /* of equals the innermost */
            best = l;
    }
    return best;
}

bool vmc_pass_match_strips(PassContext *pc)
{
    Context *ctx = pc->ctx;
    OpList generics = vmc_open_generics(ctx);
    bool ok = true;
    for (size_t i = 0; i < generics.n; i++) {
        Structured s;
        Op *op = generics.at[i];
        if (!vmc_structured(ctx, op, &s) || !s.body || op->nresults || s.body->nargs != op->noperands || !vmc_strip_supported(op) ||
            (pc->options->debug && !vmc_strip_reports(op)))
            continue;
        int64_t lane = choose_lane(ctx, &s);
        if (lane < 0)
            continue;
        ok &= vmc_structured_checks(ctx, &s);
        vmc_set_attr(ctx, op, "bufvm.strip", vmc_attr_i64(ctx, lane));
    }
    return ok;
}
