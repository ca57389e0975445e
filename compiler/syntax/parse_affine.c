/* affine_map<...>, affine_set<...>, and affine expressions over SSA values. */
#include "parser.h"

#define MAX_DIMS 4096u /* names that one map may declare */

typedef struct AffineNames {
    Map dims, syms; /* interned name (or name and number of a value) -> position + 1 */
    uint32_t ndims, nsyms;
    bool values; /* operands are SSA values, which are given positions as they come */
    AsmOperands dim_operands, sym_operands;
} AffineNames;

static bool parse_sum(Asm *p, AffineNames *names, const AffineExpr **out);

static bool checked(Asm *p, SrcPos pos, AffineKind kind, const AffineExpr *lhs, const AffineExpr *rhs, const AffineExpr **out)
{
    if (kind == AFFINE_MUL && !lhs->symbolic && !rhs->symbolic)
        return asm_error(p, pos, "not affine: one side of a product must be a constant or a symbol");
    if (kind >= AFFINE_MOD && !rhs->symbolic)
        return asm_error(p, pos, "not affine: the right side of a division must be a constant or a symbol");
    *out = vmc_affine_binary(p->ctx, kind, lhs, rhs);
    if ((*out)->depth > VMC_MAX_DEPTH) {
        asm_error(p, pos, "this expression is nested more than %d levels deep", VMC_MAX_DEPTH);
        p->fatal = true;
        return false;
    }
    return true;
}

static bool value_leaf(Asm *p, AffineNames *names, bool symbol, const AffineExpr **out)
{
    AsmOperand operand;
    if (!asm_operand(p, &operand))
        return false;
    Map *map = symbol ? &names->syms : &names->dims;
    AsmOperands *operands = symbol ? &names->sym_operands : &names->dim_operands;
    uint32_t *n = symbol ? &names->nsyms : &names->ndims;
    uint64_t position;
    /* a result of a pack has a key of its own: names are at least 16 bytes apart, numbers past that are not looked up */
    uint64_t key = MAP_KEY(operand.name) + operand.number;
    if (operand.number >= 16 || !vmc_map_get(map, key, &position)) {
        if (*n >= MAX_DIMS)
            return asm_error(p, operand.pos, "more than %u values in one expression", MAX_DIMS);
        VEC_PUSH(&p->ctx->scratch, operands, operand);
        position = ++*n;
        if (operand.number < 16)
            vmc_map_put(map, key, position);
    }
    *out = symbol ? vmc_affine_symbol(p->ctx, (uint32_t)position - 1) : vmc_affine_dim(p->ctx, (uint32_t)position - 1);
    return true;
}

static bool name_leaf(Asm *p, AffineNames *names, const AffineExpr **out)
{
    const char *name = vmc_intern_token(p, 0);
    uint64_t position;
    if (vmc_map_get(&names->dims, MAP_KEY(name), &position))
        *out = vmc_affine_dim(p->ctx, (uint32_t)position - 1);
    else if (vmc_map_get(&names->syms, MAP_KEY(name), &position))
        *out = vmc_affine_symbol(p->ctx, (uint32_t)position - 1);
    else
        return asm_error(p, asm_pos(p), "'%s' is no dimension or symbol of this map", name);
    vmc_advance(p);
    return true;
}

static bool parse_operand(Asm *p, AffineNames *names, const AffineExpr **out)
{
    if (p->tok.kind == TOKEN_INTEGER) {
        uint64_t v;
        if (!vmc_token_u64(p, &v) || v > INT64_MAX)
            return asm_error(p, asm_pos(p), "this integer is past 64 bits");
        *out = vmc_affine_const(p->ctx, (int64_t)v);
        vmc_advance(p);
        return true;
    }
    if (names->values && p->tok.kind == TOKEN_VALUE)
        return value_leaf(p, names, false, out);
    if (names->values && vmc_tok_is(p, "symbol")) {
        vmc_advance(p);
        return asm_expect(p, "(") && value_leaf(p, names, true, out) && asm_expect(p, ")");
    }
    if (p->tok.kind == TOKEN_WORD)
        return name_leaf(p, names, out);
    SrcPos pos = asm_pos(p);
    bool negative = vmc_tok_is(p, "-");
    if (!negative && !vmc_tok_is(p, "("))
        return vmc_expected(p, "an affine expression");
    vmc_advance(p);
    if (!vmc_enter(p))
        return false;
    bool ok = negative ? parse_operand(p, names, out) : parse_sum(p, names, out);
    vmc_leave(p);
    if (!ok)
        return false;
    return negative ? checked(p, pos, AFFINE_MUL, *out, vmc_affine_const(p->ctx, -1), out) : asm_expect(p, ")");
}

static bool parse_product(Asm *p, AffineNames *names, const AffineExpr **out)
{
    static const struct {
        const char *word;
        AffineKind kind;
    } ops[] = {{"*", AFFINE_MUL}, {"mod", AFFINE_MOD}, {"floordiv", AFFINE_FLOORDIV}, {"ceildiv", AFFINE_CEILDIV}};
    if (!parse_operand(p, names, out))
        return false;
    for (;;) {
        size_t i = 0;
        while (i < 4 && !vmc_tok_is(p, ops[i].word))
            i++;
        if (i == 4)
            return true;
        SrcPos pos = asm_pos(p);
        const AffineExpr *rhs;
        vmc_advance(p);
        if (!parse_operand(p, names, &rhs) || !checked(p, pos, ops[i].kind, *out, rhs, out))
            return false;
    }
}

static bool parse_sum(Asm *p, AffineNames *names, const AffineExpr **out)
{
    if (!parse_product(p, names, out))
        return false;
    for (;;) {
        bool minus = vmc_tok_is(p, "-");
        if (!minus && !vmc_tok_is(p, "+"))
            return true;
        SrcPos pos = asm_pos(p);
        const AffineExpr *rhs;
        vmc_advance(p);
        if (!parse_product(p, names, &rhs))
            return false;
        if (minus && !checked(p, pos, AFFINE_MUL, rhs, vmc_affine_const(p->ctx, -1), &rhs))
            return false;
        if (!checked(p, pos, AFFINE_ADD, *out, rhs, out))
            return false;
    }
}

/* ---- maps and sets ------------------------------------------------------- */

static bool declare(Asm *p, AffineNames *names, const char *open, const char *close, Map *map, uint32_t *n)
{
    if (!asm_expect(p, open))
        return false;
    if (asm_try(p, close))
        return true;
    do {
        uint64_t position;
        if (p->tok.kind != TOKEN_WORD)
            return vmc_expected(p, "the name of a dimension or symbol");
        const char *name = vmc_intern_token(p, 0);
        if (vmc_map_get(&names->dims, MAP_KEY(name), &position) || vmc_map_get(&names->syms, MAP_KEY(name), &position))
            return asm_error(p, asm_pos(p), "'%s' is declared twice", name);
        if (*n >= MAX_DIMS)
            return asm_error(p, asm_pos(p), "more than %u dimensions in one map", MAX_DIMS);
        vmc_map_put(map, MAP_KEY(name), ++*n);
        vmc_advance(p);
    } while (asm_try(p, ","));
    return asm_expect(p, close);
}

typedef struct Results {
    VEC(const AffineExpr *) exprs;
    VEC(bool) eq;
} Results;

/* e == e, e >= e, e <= e */
static bool parse_constraint(Asm *p, AffineNames *names, Results *results)
{
    const AffineExpr *lhs, *rhs;
    if (!parse_sum(p, names, &lhs))
        return false;
    SrcPos pos = asm_pos(p);
    bool less = vmc_tok_is(p, "<"), greater = vmc_tok_is(p, ">");
    if (!less && !greater && !vmc_tok_is(p, "="))
        return vmc_expected(p, "'==', '>=' or '<='");
    vmc_advance(p);
    if (!asm_expect(p, "=") || !parse_sum(p, names, &rhs))
        return false;
    const AffineExpr *from = less ? rhs : lhs, *take = less ? lhs : rhs;
    if (!checked(p, pos, AFFINE_MUL, take, vmc_affine_const(p->ctx, -1), &take) || !checked(p, pos, AFFINE_ADD, from, take, &from))
        return false;
    VEC_PUSH(&p->ctx->scratch, &results->exprs, from);
    VEC_PUSH(&p->ctx->scratch, &results->eq, !less && !greater);
    return true;
}

static bool parse_result(Asm *p, AffineNames *names, bool set, Results *results)
{
    if (set)
        return parse_constraint(p, names, results);
    const AffineExpr *e;
    if (!parse_sum(p, names, &e))
        return false;
    VEC_PUSH(&p->ctx->scratch, &results->exprs, e);
    return true;
}

bool vmc_parse_affine_attr(Asm *p, bool set, const AffineMap **out)
{
    AffineNames names = {.dims.arena = &p->ctx->scratch, .syms.arena = &p->ctx->scratch};
    Results results = {0};
    if (!asm_expect(p, "<") || !declare(p, &names, "(", ")", &names.dims, &names.ndims))
        return false;
    if (vmc_tok_is(p, "[") && !declare(p, &names, "[", "]", &names.syms, &names.nsyms))
        return false;
    if (!asm_expect(p, set ? ":" : "->") || !asm_expect(p, "("))
        return false;
    if (!vmc_tok_is(p, ")")) {
        do {
            if (!parse_result(p, &names, set, &results))
                return false;
        } while (asm_try(p, ","));
    }
    if (!asm_expect(p, ")"))
        return false;
    static const bool none;
    *out = vmc_affine_map(p->ctx, names.ndims, names.nsyms, (uint32_t)results.exprs.n, results.exprs.at,
                          set ? (results.eq.at ? results.eq.at : &none) : NULL);
    return asm_expect(p, ">");
}

/* ---- subscripts ---------------------------------------------------------- */

/* map(%a, %b)[%c] */
static bool applied_map(Asm *p, const AffineMap **map, AsmOperands *operands)
{
    SrcPos pos = asm_pos(p);
    if (!asm_affine_map(p, map))
        return false;
    size_t before = operands->n;
    if (!asm_operands_in(p, "(", ")", operands))
        return false;
    size_t dims = operands->n - before;
    if (vmc_tok_is(p, "[") && !asm_operands_in(p, "[", "]", operands))
        return false;
    size_t syms = operands->n - before - dims;
    if (dims != (*map)->ndims || syms != (*map)->nsyms)
        return asm_error(p, pos, "the map has %u dimensions and %u symbols but gets %zu and %zu operands", (*map)->ndims,
                         (*map)->nsyms, dims, syms);
    return true;
}

static const AffineMap *map_of_values(Asm *p, const AffineNames *names, const Results *results, AsmOperands *operands)
{
    for (size_t i = 0; i < names->dim_operands.n; i++)
        VEC_PUSH(&p->ctx->scratch, operands, names->dim_operands.at[i]);
    for (size_t i = 0; i < names->sym_operands.n; i++)
        VEC_PUSH(&p->ctx->scratch, operands, names->sym_operands.at[i]);
    return vmc_affine_map(p->ctx, names->ndims, names->nsyms, (uint32_t)results->exprs.n, results->exprs.at, NULL);
}

static bool parse_bound(Asm *p, const char *several, AffineNames *names, Results *results)
{
    if (!asm_try(p, several))
        return parse_result(p, names, false, results);
    if (!asm_expect(p, "("))
        return false;
    do {
        if (!parse_result(p, names, false, results))
            return false;
    } while (asm_try(p, ","));
    return asm_expect(p, ")");
}

bool asm_affine_bounds(Asm *p, const char *several, const AffineMap **map, AsmOperands *operands, const int32_t **groups, size_t *n)
{
    AffineNames names = {.dims.arena = &p->ctx->scratch, .syms.arena = &p->ctx->scratch, .values = true};
    Results results = {0};
    VEC(int32_t) counts = {0};
    if (!asm_expect(p, "("))
        return false;
    if (!vmc_tok_is(p, ")")) {
        do {
            size_t before = results.exprs.n;
            if (!parse_bound(p, several, &names, &results))
                return false;
            VEC_PUSH(&p->ctx->scratch, &counts, (int32_t)(results.exprs.n - before));
        } while (asm_try(p, ","));
    }
    *map = map_of_values(p, &names, &results, operands);
    *groups = counts.at;
    *n = counts.n;
    return asm_expect(p, ")");
}

bool asm_affine_subscripts(Asm *p, const char *open, const char *close, const AffineMap **map, AsmOperands *operands)
{
    if (p->tok.kind == TOKEN_HASH || vmc_tok_is(p, "affine_map") || vmc_tok_is(p, "affine_set"))
        return applied_map(p, map, operands);
    AffineNames names = {.dims.arena = &p->ctx->scratch, .syms.arena = &p->ctx->scratch, .values = true};
    Results results = {0};
    if (!asm_expect(p, open))
        return false;
    if (!vmc_tok_is(p, close)) {
        do {
            if (!parse_result(p, &names, false, &results))
                return false;
        } while (asm_try(p, ","));
    }
    *map = map_of_values(p, &names, &results, operands);
    return asm_expect(p, close);
}
