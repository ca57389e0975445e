/* Structured ops on memrefs that a row of vm/kernels/kernels.def computes get the attribute bufvm.kernel (linalg.h). */
#include "../emit/emit.h"

#include "alias.h"
#include "builders.h"
#include "match.h"
#include "passes.h"

enum { FLAG_FMA = 1, FLAG_UNSIGNED_1 = 2, FLAG_UNSIGNED_2 = 4, MAX_KERNEL_RANK = 64 };

/* Element type code of vm/bytecode for types whose values fill their storage; BVM_NONE for others. */
unsigned vmc_match_etype(const Type *type)
{
    if (type->kind == TYPE_INDEX)
        return BVM_I64;
    if (type->kind == TYPE_FLOAT)
        return vmc_float_etype(type->format);
    if (type->kind != TYPE_INT)
        return BVM_NONE;
    return type->width == 1    ? BVM_I1
           : type->width == 8  ? BVM_I8
           : type->width == 16 ? BVM_I16
           : type->width == 32 ? BVM_I32
           : type->width == 64 ? BVM_I64
                               : BVM_NONE;
}

bool vmc_match_arithmetic(unsigned etype)
{
    return etype != BVM_NONE && etype != BVM_I1 && etype <= BVM_F64;
}

/* Number of the operand whose element the value is, or -1. */
int vmc_match_operand(const Match *m, const Value *value)
{
    return value->block == m->s.body ? (int)value->index : -1;
}

const Type *vmc_match_elem(const Match *m, uint32_t k)
{
    return vmc_elem_or_self(vmc_structured_operand(&m->s, k)->type);
}

void vmc_match_claim(Match *m, const char *kernel, uint32_t n, const int64_t *operands, const Combine *combine, int64_t flags)
{
    Context *ctx = m->ctx;
    uint32_t nentries = 3;
    NamedAttr entries[5] = {{vmc_name(ctx, "name"), vmc_attr_string(ctx, kernel, strlen(kernel))},
                            {vmc_name(ctx, "operands"), vmc_attr_i64_array(ctx, n, operands)},
                            {vmc_name(ctx, "flags"), vmc_attr_i64(ctx, flags)}};
    if (combine)
        entries[nentries++] =
            (NamedAttr){vmc_name(ctx, "combiner"), vmc_attr_string(ctx, combine->combiner, strlen(combine->combiner))};
    if (combine && combine->value)
        entries[nentries++] = (NamedAttr){vmc_name(ctx, "value"), vmc_attr_string(ctx, combine->value, strlen(combine->value))};
    vmc_set_attr(ctx, m->op, "bufvm.kernel", vmc_attr_dict(ctx, nentries, entries));
}

/* Some loop leaves the out where it is. */
bool vmc_match_reduces(const Match *m)
{
    const AffineMap *map = m->s.maps[m->s.nins];
    int64_t *coefficients = ARENA_ARRAY(&m->ctx->arena, int64_t, m->s.nloops + 1), constant;
    bool *moves = ARENA_ARRAY(&m->ctx->arena, bool, m->s.nloops + 1);
    for (uint32_t r = 0; r < map->nresults; r++) {
        vmc_linear_subscript(map->results[r], m->s.nloops, coefficients, &constant);
        for (uint32_t l = 0; l < m->s.nloops; l++)
            moves[l] |= coefficients[l] != 0;
    }
    for (uint32_t l = 0; l < m->s.nloops; l++)
        if (!moves[l])
            return true;
    return false;
}

/* ---- fill, copy -------------------------------------------------------------------- */

/* The op with the scalar as its only input: what it is filled with is an operand then. */
static void refill(Match *m, Value *scalar)
{
    Builder b = vmc_before(m->ctx, m->op);
    Value *out = vmc_structured_operand(&m->s, m->s.nins);
    const AffineMap *maps[2] = {vmc_affine_map(m->ctx, m->s.nloops, 0, 0, NULL, NULL), m->s.maps[m->s.nins]};
    b.loc = m->op->loc;
    Op *fill = vmc_build_generic(&b, 1, &scalar, 1, &out, maps, m->s.nloops, m->s.loops);
    Builder body = vmc_at_end(m->ctx, vmc_entry(fill, 0), m->op->pos);
    vmc_build_yield(&body, "linalg.yield", 1, &vmc_entry(fill, 0)->args[0]);
    vmc_op_erase(m->op);
    m->op = fill;
    vmc_structured(m->ctx, fill, &m->s);
    m->yield = vmc_terminator(m->s.body);
}

static bool match_fill(Match *m)
{
    static const int64_t order[2] = {1, 0};
    Value *value = m->yield->operands[0].value;
    int k = vmc_match_operand(m, value);
    if (m->s.nouts != 1 || vmc_match_etype(vmc_match_elem(m, m->s.nins)) == BVM_NONE)
        return false;
    for (uint32_t i = 0; i < m->s.nins; i++) /* inputs may give the sizes of loops */
        if (!vmc_structured_is_scalar(&m->s, i))
            return false;
    if (k >= 0 && m->nops == 0 && vmc_structured_is_scalar(&m->s, (uint32_t)k)) {
        value = vmc_structured_operand(&m->s, (uint32_t)k);
    } else if (m->nops == 1 && value->op == m->s.body->first && vmc_has_trait(value->op, TRAIT_CONSTANT)) {
        vmc_op_unlink(value->op);
        vmc_op_insert_before(value->op, m->op);
    } else if (m->nops || k >= 0) {
        return false;
    }
    if (m->s.nins != 1 || k != 0)
        refill(m, value);
    vmc_match_claim(m, "fill", 2, order, NULL, 0);
    return true;
}

static bool match_copy(Match *m)
{
    int k = vmc_match_operand(m, m->yield->operands[0].value);
    const Type *elem = vmc_match_elem(m, m->s.nins);
    bool storable = elem->kind == TYPE_COMPLEX || elem->kind == TYPE_INT || vmc_match_etype(elem) != BVM_NONE;
    if (m->s.nouts != 1 || m->nops || k < 0 || k >= (int)m->s.nins || vmc_structured_is_scalar(&m->s, (uint32_t)k) || !storable)
        return false;
    /* The kernel reads a source that overlaps first; the nest does not. */
    if (!vmc_memrefs_apart(m->ctx, vmc_structured_operand(&m->s, (uint32_t)k), vmc_structured_operand(&m->s, m->s.nins)))
        return false;
    const int64_t order[2] = {m->s.nins, k};
    vmc_match_claim(m, "copy", 2, order, NULL, 0);
    return true;
}

/* ---- contract ------------------------------------------------------------------------- */

/* A factor: the element of an input, widened to the out's type. */
static bool factor(const Match *m, Value *value, const Type *to, int64_t *operand, bool *is_unsigned, uint32_t *nops)
{
    *is_unsigned = false;
    if (value->op && value->op->parent == m->s.body) {
        const char *widening = value->op->name;
        *is_unsigned = strcmp(widening, "arith.extui") == 0;
        if (strcmp(widening, "arith.extf") != 0 && strcmp(widening, "arith.extsi") != 0 && !*is_unsigned)
            return false;
        ++*nops;
        value = value->op->operands[0].value;
    }
    int k = vmc_match_operand(m, value);
    if (k < 0 || k >= (int)m->s.nins || vmc_structured_is_scalar(&m->s, (uint32_t)k))
        return false;
    unsigned from = vmc_match_etype(value->type);
    *operand = k;
    return from != BVM_NONE && from != BVM_I1 && (value->type->kind == TYPE_FLOAT) == (to->kind == TYPE_FLOAT);
}

static bool match_contract(Match *m)
{
    const Type *type = vmc_match_elem(m, m->s.nins);
    Op *sum = m->yield->operands[0].value->op, *product;
    int64_t order[3] = {m->s.nins};
    bool is_unsigned[2];
    uint32_t nops = 1;
    Value *x, *y, *acc;
    if (m->s.nouts != 1 || !vmc_match_arithmetic(vmc_match_etype(type)) || !sum || sum->parent != m->s.body ||
        !vmc_match_reduces(m))
        return false;
    bool fma = vmc_is(sum, "math.fma"), is_float = type->kind == TYPE_FLOAT;
    if (fma) {
        x = sum->operands[0].value;
        y = sum->operands[1].value;
        acc = sum->operands[2].value;
    } else if (vmc_is(sum, is_float ? "arith.addf" : "arith.addi")) {
        acc = sum->operands[0].value;
        Value *other = sum->operands[1].value;
        if (vmc_match_operand(m, acc) != (int)m->s.nins) {
            other = acc;
            acc = sum->operands[1].value;
        }
        product = other->op;
        if (!product || product->parent != m->s.body || !vmc_is(product, is_float ? "arith.mulf" : "arith.muli"))
            return false;
        nops++;
        x = product->operands[0].value;
        y = product->operands[1].value;
    } else {
        return false;
    }
    if (vmc_match_operand(m, acc) != (int)m->s.nins || !factor(m, x, type, &order[1], &is_unsigned[0], &nops))
        return false;
    if (x == y) { /* a square: one widening serves both */
        order[2] = order[1];
        is_unsigned[1] = is_unsigned[0];
    } else if (!factor(m, y, type, &order[2], &is_unsigned[1], &nops)) {
        return false;
    }
    if (nops != m->nops)
        return false;
    vmc_match_claim(m, "contract", 3, order, NULL,
                    (fma ? FLAG_FMA : 0) | (is_unsigned[0] ? FLAG_UNSIGNED_1 : 0) | (is_unsigned[1] ? FLAG_UNSIGNED_2 : 0));
    return true;
}

/* ---- pass -------------------------------------------------------------------------------------- */

/* Memrefs with strides, subscripts linear in the loops. */
static bool is_linear(Context *ctx, const Structured *s)
{
    for (uint32_t k = 0; k < s->nins + s->nouts; k++) {
        const Type *type = vmc_structured_operand(s, k)->type;
        int64_t offset, *strides = ARENA_ARRAY(&ctx->arena, int64_t, type->rank + 1);
        if (vmc_structured_is_scalar(s, k))
            continue;
        if (type->kind != TYPE_MEMREF || !vmc_memref_strides(ctx, type, &offset, strides) || !vmc_linear_map(s->maps[k]))
            return false;
    }
    return true;
}

static bool match(Context *ctx, Op *op, bool fast)
{
    Match m = {.ctx = ctx, .op = op, .fast = fast};
    if (!vmc_structured(ctx, op, &m.s) || !m.s.body || op->nresults || m.s.body->nargs != op->noperands ||
        m.s.nloops > MAX_KERNEL_RANK || !is_linear(ctx, &m.s))
        return true;
    m.yield = vmc_terminator(m.s.body);
    for (Op *inner = m.s.body->first; inner != m.yield; inner = inner->next)
        m.nops++;
    if (match_fill(&m) || match_copy(&m) || match_contract(&m) || vmc_match_reduce(&m) || vmc_match_argreduce(&m))
        return vmc_structured_checks(ctx, &m.s);
    return true;
}

bool vmc_pass_match_kernels(PassContext *pc)
{
    OpList generics = vmc_open_generics(pc->ctx);
    bool ok = true;
    for (size_t i = 0; i < generics.n; i++)
        if (!pc->options->debug || !vmc_body_has_promises(generics.at[i])) /* a kernel does not look at what it is given */
            ok &= match(pc->ctx, generics.at[i], pc->fp == BUFVMC_FAST);
    return ok;
}
