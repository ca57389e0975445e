/* Grammar and checks of scf's sequential ops: for, if, while, execute_region, index_switch, yield. */
#include "scf.h"
#include "../syntax/asm.h"
#include "hooks.h"

static const char *type_text(Context *ctx, const Type *type)
{
    Text text = {.arena = &ctx->arena};
    vmc_print_type(&text, type);
    return text.at;
}

/* `(%a = %x, %b = %y)`: region arguments without types and their initial values. */
bool vmc_parse_assignments(Asm *p, AsmArgs *args, AsmOperands *inits)
{
    if (!asm_expect(p, "("))
        return false;
    if (asm_try(p, ")"))
        return true;
    do {
        AsmArg arg = {0};
        AsmOperand init;
        if (!asm_operand(p, &arg.name) || !asm_expect(p, "=") || !asm_operand(p, &init))
            return false;
        VEC_PUSH(asm_arena(p), args, arg);
        VEC_PUSH(asm_arena(p), inits, init);
    } while (asm_try(p, ","));
    return asm_expect(p, ")");
}

void vmc_print_assignments(Printer *p, Value *const *args, const Use *inits, uint32_t n)
{
    print_str(p, "(");
    for (uint32_t i = 0; i < n; i++) {
        print_str(p, i ? ", " : "");
        print_value(p, args[i]);
        print_str(p, " = ");
        print_value(p, inits[i].value);
    }
    print_str(p, ")");
}

static bool verify_values(Context *ctx, const Op *op, const char *what, uint32_t n, const Use *uses, uint32_t nwant,
                          const Value *want)
{
    if (n != nwant) {
        vmc_error(&ctx->diag, op->pos, "'%s' has %u %s, expected %u", op->name, n, what, nwant);
        return false;
    }
    for (uint32_t i = 0; i < n; i++)
        if (uses[i].value->type != want[i].type) {
            vmc_error(&ctx->diag, op->pos, "%s #%u of '%s' has type %s, expected %s", what, i, op->name,
                      type_text(ctx, uses[i].value->type), type_text(ctx, want[i].type));
            return false;
        }
    return true;
}

/* Arguments first.. of the block against values. */
static bool verify_block_args(Context *ctx, const Op *op, const Block *block, uint32_t first, uint32_t n, const Use *uses)
{
    if (block->nargs != first + n) {
        vmc_error(&ctx->diag, op->pos, "the region of '%s' has %u arguments, expected %u", op->name, block->nargs, first + n);
        return false;
    }
    for (uint32_t i = 0; i < n; i++)
        if (block->args[first + i]->type != uses[i].value->type) {
            vmc_error(&ctx->diag, op->pos, "region argument #%u of '%s' has type %s, its initial value %s", first + i, op->name,
                      type_text(ctx, block->args[first + i]->type), type_text(ctx, uses[i].value->type));
            return false;
        }
    return true;
}

static bool verify_terminator(Context *ctx, const Op *op, const Block *block, const char *name)
{
    if (block->last && vmc_is(block->last, name))
        return true;
    vmc_error(&ctx->diag, op->pos, "the region of '%s' must end in '%s'", op->name, name);
    return false;
}

/* ---- for ------------------------------------------------------------------------------------ */

typedef struct ForHead {
    AsmOperand bounds[3];
    AsmArgs args; /* induction variable first */
    AsmOperands inits;
    AsmTypes results;
} ForHead;

static bool parse_for_head(Asm *p, ForHead *head)
{
    static const char *const between[] = {"=", "to", "step"};
    AsmArg induction = {0};
    if (asm_try(p, "unsigned"))
        asm_add_attr(p, "unsignedCmp", vmc_attr_unit(asm_context(p)));
    if (!asm_operand(p, &induction.name))
        return false;
    VEC_PUSH(asm_arena(p), &head->args, induction);
    for (int i = 0; i < 3; i++)
        if (!asm_expect(p, between[i]) || !asm_operand(p, &head->bounds[i]))
            return false;
    if (!asm_try(p, "iter_args"))
        return true;
    SrcPos pos = asm_pos(p);
    if (!vmc_parse_assignments(p, &head->args, &head->inits) || !asm_arrow_types(p, &head->results))
        return false;
    return head->results.n == head->inits.n ||
           asm_error(p, pos, "%zu loop-carried values, but %zu result types", head->inits.n, head->results.n);
}

bool vmc_scf_for_parse(Asm *p, const OpDef *def)
{
    (void)def;
    ForHead head = {0};
    const Type *type = vmc_type_index(asm_context(p));
    if (!parse_for_head(p, &head) || (asm_try(p, ":") && !asm_type(p, &type)))
        return false;
    for (int i = 0; i < 3; i++)
        if (!asm_resolve(p, &head.bounds[i], type))
            return false;
    head.args.at[0].type = type;
    for (size_t i = 0; i < head.inits.n; i++) {
        head.args.at[i + 1].type = head.results.at[i];
        if (!asm_resolve(p, &head.inits.at[i], head.results.at[i]))
            return false;
    }
    asm_add_results(p, &head.results);
    return asm_region(p, &head.args) && asm_attr_dict(p);
}

void vmc_scf_for_print(Printer *p, const Op *op)
{
    const Block *body = op->regions[0].first;
    print_str(p, vmc_get_attr(op, "unsignedCmp") ? " unsigned " : " ");
    print_value(p, body->args[0]);
    static const char *const between[] = {" = ", " to ", " step "};
    for (uint32_t i = 0; i < 3; i++) {
        print_str(p, between[i]);
        print_value(p, op->operands[i].value);
    }
    if (op->nresults) {
        print_str(p, " iter_args");
        vmc_print_assignments(p, body->args + 1, op->operands + 3, op->nresults);
        print_arrow_results(p, op);
    }
    if (op->operands[0].value->type->kind != TYPE_INDEX) {
        print_str(p, " : ");
        print_type(p, op->operands[0].value->type);
        print_str(p, " ");
    }
    print_str(p, " ");
    print_region(p, &op->regions[0], false, op->nresults != 0);
    print_attr_dict(p, op, (const char *const[]){"unsignedCmp", NULL});
}

bool vmc_scf_for_verify(Context *ctx, Op *op)
{
    const Block *body = op->regions[0].first;
    if (body->nargs < 1 || body->args[0]->type != op->operands[0].value->type) {
        vmc_error(&ctx->diag, op->pos, "the first region argument of 'scf.for' must have the type of the bounds");
        return false;
    }
    return verify_values(ctx, op, "initial values", op->noperands - 3, op->operands + 3, op->nresults, op->results) &&
           verify_block_args(ctx, op, body, 1, op->noperands - 3, op->operands + 3) &&
           verify_terminator(ctx, op, body, "scf.yield");
}

/* ---- if --------------------------------------------------------------------------------------- */

bool vmc_scf_if_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand condition;
    AsmTypes results = {0};
    if (!asm_operand(p, &condition) || !asm_resolve(p, &condition, vmc_type_int(asm_context(p), 1, SIGNLESS)) ||
        !asm_try_arrow_types(p, &results))
        return false;
    asm_add_results(p, &results);
    if (!asm_region(p, NULL))
        return false;
    if (!asm_try(p, "else"))
        asm_add_empty_region(p);
    else if (!asm_region(p, NULL))
        return false;
    return asm_attr_dict(p);
}

void vmc_scf_if_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_arrow_results(p, op);
    print_str(p, " ");
    print_region(p, &op->regions[0], false, op->nresults != 0);
    if (op->nregions > 1 && op->regions[1].first) {
        print_str(p, " else ");
        print_region(p, &op->regions[1], false, op->nresults != 0);
    }
    print_attr_dict(p, op, (const char *const[]){NULL});
}

bool vmc_scf_if_verify(Context *ctx, Op *op)
{
    bool has_else = op->nregions > 1 && op->regions[1].first;
    if (!op->regions[0].first || (op->nresults && !has_else)) {
        vmc_error(&ctx->diag, op->pos, "'scf.if' with results needs both regions");
        return false;
    }
    return verify_terminator(ctx, op, op->regions[0].first, "scf.yield") &&
           (!has_else || verify_terminator(ctx, op, op->regions[1].first, "scf.yield"));
}

/* ---- while -------------------------------------------------------------------------------------- */

bool vmc_scf_while_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmArgs args = {0};
    AsmOperands inits = {0};
    const Type *type;
    if (asm_peek(p, "(") && !vmc_parse_assignments(p, &args, &inits))
        return false;
    if (!asm_expect(p, ":"))
        return false;
    SrcPos pos = asm_pos(p);
    if (!asm_function_type(p, &type))
        return false;
    if (type->nins != inits.n)
        return asm_error(p, pos, "%zu initial values, but the type has %u operands", inits.n, type->nins);
    for (size_t i = 0; i < inits.n; i++) {
        args.at[i].type = type->ins[i];
        if (!asm_resolve(p, &inits.at[i], type->ins[i]))
            return false;
    }
    for (uint32_t i = 0; i < type->nouts; i++)
        asm_add_result(p, type->outs[i]);
    return asm_region(p, &args) && asm_expect(p, "do") && asm_region(p, NULL) && asm_attr_dict_keyword(p);
}

void vmc_scf_while_print(Printer *p, const Op *op)
{
    const Block *before = op->regions[0].first;
    print_str(p, " ");
    if (op->noperands) {
        vmc_print_assignments(p, before->args, op->operands, op->noperands);
        print_str(p, " ");
    }
    print_str(p, ": (");
    for (uint32_t i = 0; i < op->noperands; i++) {
        print_str(p, i ? ", " : "");
        print_type(p, op->operands[i].value->type);
    }
    print_str(p, ") -> ");
    print_types_paren(p, op->nresults, op->results);
    print_str(p, " ");
    print_region(p, &op->regions[0], false, true);
    print_str(p, " do ");
    print_region(p, &op->regions[1], true, true);
    print_attr_dict_keyword(p, op, (const char *const[]){NULL});
}

bool vmc_scf_while_verify(Context *ctx, Op *op)
{
    const Block *before = op->regions[0].first, *after = op->regions[1].first;
    if (!verify_block_args(ctx, op, before, 0, op->noperands, op->operands) ||
        !verify_terminator(ctx, op, before, "scf.condition") || !verify_terminator(ctx, op, after, "scf.yield"))
        return false;
    const Op *condition = before->last;
    if (!condition->noperands)
        return false;
    return verify_values(ctx, condition, "values", condition->noperands - 1, condition->operands + 1, op->nresults, op->results) &&
           verify_block_args(ctx, op, after, 0, condition->noperands - 1, condition->operands + 1);
}

/* ---- execute_region -------------------------------------------------------------------------------- */

bool vmc_execute_region_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmTypes results = {0};
    if (asm_try(p, "no_inline"))
        asm_add_attr(p, "no_inline", vmc_attr_unit(asm_context(p)));
    if (!asm_try_arrow_types(p, &results))
        return false;
    asm_add_results(p, &results);
    return asm_region(p, NULL) && asm_attr_dict(p);
}

void vmc_execute_region_print(Printer *p, const Op *op)
{
    print_arrow_results(p, op);
    print_str(p, " ");
    print_region(p, &op->regions[0], false, true);
    print_attr_dict(p, op, (const char *const[]){NULL});
}

/* ---- index_switch ------------------------------------------------------------------------------------- */

bool vmc_index_switch_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    AsmOperand arg;
    AsmTypes results = {0};
    VEC(int64_t) cases = {0};
    if (!asm_operand(p, &arg) || !asm_resolve(p, &arg, vmc_type_index(ctx)) || !asm_attr_dict(p))
        return false;
    if (asm_try(p, "->") && !(asm_peek(p, "(") ? asm_paren_types(p, &results) : asm_type_list(p, &results)))
        return false;
    asm_add_results(p, &results);
    while (asm_try(p, "case")) {
        int64_t value;
        if (!asm_integer(p, &value) || !asm_region(p, NULL))
            return false;
        VEC_PUSH(asm_arena(p), &cases, value);
    }
    if (!asm_expect(p, "default") || !asm_region(p, NULL))
        return false;
    asm_last_region_first(p);
    asm_add_attr(p, "cases", vmc_attr_i64_array(ctx, cases.n, cases.at));
    return true;
}

/* Value k of a dense array of i64. */
static int64_t case_at(const Attr *cases, size_t k)
{
    uint64_t v = 0;
    for (size_t i = 8; i-- > 0;)
        v = v << 8 | ((const uint8_t *)cases->data)[8 * k + i];
    return (int64_t)v;
}

void vmc_index_switch_print(Printer *p, const Op *op)
{
    const Attr *cases = vmc_get_attr(op, "cases");
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_attr_dict(p, op, (const char *const[]){"cases", NULL});
    for (uint32_t i = 0; i < op->nresults; i++) { /* the one op whose list of result types has no parentheses */
        print_str(p, i ? ", " : " -> ");
        print_type(p, op->results[i].type);
    }
    for (uint32_t i = 1; i < op->nregions && cases && cases->kind == ATTR_DENSE_ARRAY && 8 * (size_t)i <= cases->n; i++) {
        print_newline(p);
        print_fmt(p, "case %lld ", (long long)case_at(cases, i - 1));
        print_region(p, &op->regions[i], false, true);
    }
    print_newline(p);
    print_str(p, "default ");
    print_region(p, &op->regions[0], false, true);
}

/* The values of the cases, each once. */
static bool verify_cases(Context *ctx, const Op *op)
{
    const int64_t *values = NULL;
    ptrdiff_t n = vmc_attr_ints(ctx, vmc_get_attr(op, "cases"), &values);
    ArenaMark mark = vmc_arena_mark(&ctx->scratch);
    Map seen = {.arena = &ctx->scratch};
    bool ok = true;
    for (ptrdiff_t i = 0; ok && i < n; i++) {
        const Attr *value = vmc_attr_i64(ctx, values[i]); /* interned: a key that is not 0 */
        ok = !vmc_map_ptr(&seen, value);
        vmc_map_put_ptr(&seen, value, value);
        if (!ok)
            vmc_error(&ctx->diag, op->pos, "'scf.index_switch' has the case %lld twice", (long long)values[i]);
    }
    vmc_arena_rewind(&ctx->scratch, mark);
    return ok;
}

bool vmc_index_switch_verify(Context *ctx, Op *op)
{
    const Attr *cases = vmc_get_attr(op, "cases");
    if (cases->kind != ATTR_DENSE_ARRAY || cases->n != 8 * ((size_t)op->nregions - 1)) {
        vmc_error(&ctx->diag, op->pos,
                  "'scf.index_switch' must have one case value for each region but the default, as array<i64>");
        return false;
    }
    for (uint32_t i = 0; i < op->nregions; i++) {
        if (!op->regions[i].first) {
            vmc_error(&ctx->diag, op->pos, "a case of 'scf.index_switch' must have a block");
            return false;
        }
        if (!verify_terminator(ctx, op, op->regions[i].first, "scf.yield"))
            return false;
    }
    return verify_cases(ctx, op);
}

/* ---- yield ----------------------------------------------------------------------------------------------- */

bool vmc_scf_yield_verify(Context *ctx, Op *op)
{
    const Op *parent = vmc_parent_op(op);
    if (!parent || strncmp(parent->name, "scf.", 4) != 0) {
        vmc_error(&ctx->diag, op->pos, "'scf.yield' must stand in a region of an scf op");
        return false;
    }
    if (!vmc_is(parent, "scf.while"))
        return verify_values(ctx, op, "operands", op->noperands, op->operands, parent->nresults, parent->results);
    bool same = op->noperands == parent->noperands;
    for (uint32_t i = 0; same && i < op->noperands; i++)
        same = op->operands[i].value->type == parent->operands[i].value->type;
    if (!same)
        vmc_error(&ctx->diag, op->pos, "'scf.yield' must give the values that 'scf.while' starts with, by type");
    return same;
}
