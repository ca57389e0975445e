/* Grammar and checks of scf.parallel, scf.reduce, scf.forall and their older spellings.
 *
 * Older text is brought into today's form as it is read: several scf.reduce ops with one
 * value each, closed by scf.yield, become the one terminator scf.reduce; foreach_thread is forall.
 */
#include "../syntax/asm.h"
#include "hooks.h"
#include "scf.h"

/* ---- parallel ------------------------------------------------------------------------------ */

/* `(%i, %j)` as index arguments. */
static bool parse_induction(Asm *p, AsmArgs *args)
{
    AsmOperands names = {0};
    if (!asm_operands_in(p, "(", ")", &names))
        return false;
    for (size_t i = 0; i < names.n; i++) {
        AsmArg arg = {.name = names.at[i], .type = vmc_type_index(asm_context(p))};
        VEC_PUSH(asm_arena(p), args, arg);
    }
    return true;
}

/* The ops of an old-style body end: every scf.reduce, behind which an scf.yield may stand.  false: the body is of today's form. */
static bool is_old_body(const Block *block)
{
    uint32_t reduces = 0;
    for (const Op *op = block->first; op; op = op->next)
        reduces += vmc_is(op, "scf.reduce");
    return block->last && ((vmc_is(block->last, "scf.yield") && block->last->noperands == 0) || reduces > 1);
}

/* Puts one scf.reduce with all values and regions at the end of the block. */
static void merge_reduces(Asm *p, Block *block)
{
    Context *ctx = asm_context(p);
    VEC(Op *) reduces = {0};
    VEC(Value *) values = {0};
    for (Op *op = block->first; op; op = op->next)
        if (vmc_is(op, "scf.reduce")) {
            VEC_PUSH(asm_arena(p), &reduces, op);
            for (uint32_t i = 0; i < op->noperands; i++)
                VEC_PUSH(asm_arena(p), &values, op->operands[i].value);
        }
    SrcPos pos = block->last->pos;
    if (vmc_is(block->last, "scf.yield"))
        vmc_op_erase(block->last);
    uint32_t nregions = 0;
    for (size_t i = 0; i < reduces.n; i++)
        nregions += reduces.at[i]->nregions;
    Builder b = vmc_at_end(ctx, block, pos);
    Op *merged = vmc_build(&b, "scf.reduce", (uint32_t)values.n, values.at, 0, NULL, 0, NULL, nregions);
    uint32_t at = 0;
    for (size_t i = 0; i < reduces.n; i++) {
        for (uint32_t r = 0; r < reduces.at[i]->nregions; r++, at++)
            for (Block *from = reduces.at[i]->regions[r].first, *next; from; from = next) {
                next = from->next;
                vmc_block_unlink(from);
                vmc_block_append(&merged->regions[at], from);
            }
        vmc_op_erase(reduces.at[i]);
    }
}

typedef struct ParallelHead {
    AsmArgs args;
    AsmOperands bounds[3], inits;
    AsmTypes results;
} ParallelHead;

static bool parse_parallel_head(Asm *p, ParallelHead *head)
{
    static const char *const between[] = {"=", "to", "step"};
    if (!parse_induction(p, &head->args))
        return false;
    for (int i = 0; i < 3; i++) {
        SrcPos pos = asm_pos(p);
        if (!asm_expect(p, between[i]) || !asm_operands_in(p, "(", ")", &head->bounds[i]))
            return false;
        if (head->bounds[i].n != head->args.n)
            return asm_error(p, pos, "%zu induction variables, but %zu bounds", head->args.n, head->bounds[i].n);
    }
    if (asm_try(p, "init") && !asm_operands_in(p, "(", ")", &head->inits))
        return false;
    SrcPos pos = asm_pos(p);
    if (!asm_try_arrow_types(p, &head->results))
        return false;
    return head->results.n == head->inits.n ||
           asm_error(p, pos, "%zu init values, but %zu result types", head->inits.n, head->results.n);
}

bool vmc_scf_parallel_parse(Asm *p, const OpDef *def)
{
    (void)def;
    ParallelHead head = {0};
    SrcPos pos = asm_pos(p);
    if (!parse_parallel_head(p, &head))
        return false;
    for (int i = 0; i < 3; i++)
        if (!asm_resolve_all(p, &head.bounds[i], vmc_type_index(asm_context(p))))
            return false;
    if (!asm_resolve_list(p, &head.inits, &head.results, pos))
        return false;
    int32_t n = (int32_t)head.args.n;
    asm_set_segments(p, 4, (const int32_t[]){n, n, n, (int32_t)head.inits.n});
    asm_add_results(p, &head.results);
    if (!asm_region(p, &head.args) || !asm_attr_dict(p))
        return false;
    Block *body = asm_region_at(p, asm_num_regions(p) - 1)->first;
    if (body && is_old_body(body))
        merge_reduces(p, body);
    return true;
}

static void print_list(Printer *p, const char *before, const Use *uses, uint32_t n)
{
    print_str(p, before);
    print_values(p, uses, n);
    print_str(p, ")");
}

void vmc_scf_parallel_print(Printer *p, const Op *op)
{
    const Block *body = op->regions[0].first;
    uint32_t n = body->nargs;
    print_str(p, " (");
    for (uint32_t i = 0; i < n; i++) {
        print_str(p, i ? ", " : "");
        print_value(p, body->args[i]);
    }
    print_list(p, ") = (", op->operands, n);
    print_list(p, " to (", op->operands + n, n);
    print_list(p, " step (", op->operands + 2 * n, n);
    if (op->nresults) {
        print_list(p, " init (", op->operands + 3 * n, op->nresults);
        print_str(p, " -> ");
        print_types_paren(p, op->nresults, op->results);
    }
    print_str(p, " ");
    print_region(p, &op->regions[0], false, op->nresults != 0);
    print_attr_dict(p, op, (const char *const[]){"operandSegmentSizes", "operand_segment_sizes", NULL});
}

bool vmc_scf_parallel_verify(Context *ctx, Op *op)
{
    const Block *body = op->regions[0].first;
    uint32_t n = vmc_operand_group(op, "lowerBound").count;
    if (n == 0 || vmc_operand_group(op, "upperBound").count != n || vmc_operand_group(op, "step").count != n || body->nargs != n) {
        vmc_error(&ctx->diag, op->pos,
                  "'scf.parallel' must have as many lower bounds, upper bounds and steps as induction variables, at least one");
        return false;
    }
    for (uint32_t i = 0; i < n; i++)
        if (body->args[i]->type->kind != TYPE_INDEX) {
            vmc_error(&ctx->diag, op->pos, "the induction variables of 'scf.parallel' have type index");
            return false;
        }
    const Op *reduce = body->last;
    if (!reduce || !vmc_is(reduce, "scf.reduce") || reduce->noperands != op->nresults ||
        vmc_operand_group(op, "initVals").count != op->nresults) {
        vmc_error(&ctx->diag, op->pos, "'scf.parallel' must have an init value and a reduction for each result");
        return false;
    }
    for (uint32_t i = 0; i < op->nresults; i++)
        if (reduce->operands[i].value->type != op->results[i].type || op->operands[3 * n + i].value->type != op->results[i].type) {
            vmc_error(&ctx->diag, op->pos, "init value, reduced value and result #%u of 'scf.parallel' must have one type", i);
            return false;
        }
    return true;
}

/* ---- reduce ------------------------------------------------------------------------------------ */

/* Operands with their types: `(%a, %b : T, T)`, of old `(%a) : T`. */
static bool parse_reduce_operands(Asm *p)
{
    AsmOperands operands = {0};
    AsmTypes types = {0};
    SrcPos pos = asm_pos(p);
    if (!asm_expect(p, "(") || !asm_operand_list(p, &operands))
        return false;
    bool old = asm_try(p, ")");
    if (!asm_expect(p, ":") || !asm_type_list(p, &types) || (!old && !asm_expect(p, ")")))
        return false;
    return asm_resolve_list(p, &operands, &types, pos);
}

bool vmc_scf_reduce_parse(Asm *p, const OpDef *def)
{
    (void)def;
    if (asm_peek(p, "(") && !parse_reduce_operands(p))
        return false;
    for (uint32_t i = 0; i < asm_num_operands(p); i++)
        if ((i && !asm_expect(p, ",")) || !asm_region(p, NULL))
            return false;
    return asm_attr_dict(p);
}

void vmc_scf_reduce_print(Printer *p, const Op *op)
{
    if (op->noperands) {
        print_str(p, "(");
        print_values(p, op->operands, op->noperands);
        print_str(p, " : ");
        for (uint32_t i = 0; i < op->noperands; i++) {
            print_str(p, i ? ", " : "");
            print_type(p, op->operands[i].value->type);
        }
        print_str(p, ")");
    }
    for (uint32_t i = 0; i < op->nregions; i++) {
        print_str(p, i ? ", " : " ");
        print_region(p, &op->regions[i], true, true);
    }
    print_attr_dict(p, op, (const char *const[]){NULL});
}

bool vmc_scf_reduce_verify(Context *ctx, Op *op)
{
    bool good = op->nregions == op->noperands;
    for (uint32_t i = 0; good && i < op->nregions; i++) {
        const Type *type = op->operands[i].value->type;
        const Block *block = op->regions[i].first;
        good = block && block->nargs == 2 && block->args[0]->type == type && block->args[1]->type == type && block->last &&
               vmc_is(block->last, "scf.reduce.return") && block->last->noperands == 1 &&
               block->last->operands[0].value->type == type;
    }
    const Op *parent = vmc_parent_op(op);
    if (good && parent && vmc_is(parent, "scf.parallel"))
        return true;
    vmc_error(&ctx->diag, op->pos,
              "'scf.reduce' must end an scf.parallel and have for each operand a region of two arguments and an scf.reduce.return "
              "of its type");
    return false;
}

/* ---- forall ----------------------------------------------------------------------------------------- */

typedef struct ForallBounds {
    int64_t *statics[3]; /* lower, upper, step */
    size_t n[3];
    AsmOperands operands[3];
} ForallBounds;

static bool parse_forall_bounds(Asm *p, size_t rank, ForallBounds *bounds)
{
    SrcPos pos = asm_pos(p);
    static const char *const between[] = {"=", "to", "step"};
    if (asm_try(p, "in")) {
        if (!asm_dynamic_index_list(p, "(", ")", &bounds->statics[1], &bounds->n[1], &bounds->operands[1]))
            return false;
        for (int i = 0; i < 3; i += 2) {
            bounds->n[i] = rank;
            bounds->statics[i] = ARENA_ARRAY(asm_arena(p), int64_t, rank);
            for (size_t k = 0; k < rank; k++)
                bounds->statics[i][k] = i / 2;
        }
    } else {
        for (int i = 0; i < 3; i++)
            if (!asm_expect(p, between[i]) ||
                !asm_dynamic_index_list(p, "(", ")", &bounds->statics[i], &bounds->n[i], &bounds->operands[i]))
                return false;
    }
    for (int i = 0; i < 3; i++)
        if (bounds->n[i] != rank)
            return asm_error(p, pos, "%zu induction variables, but %zu bounds", rank, bounds->n[i]);
    return true;
}

/* `shared_outs(%o = %t, ..) -> (T, ..)`; of LLVM 15 only `-> (T, ..)`. */
static bool parse_shared_outs(Asm *p, AsmArgs *args, AsmOperands *outs, AsmTypes *types)
{
    SrcPos pos = asm_pos(p);
    size_t first = args->n;
    if (!asm_try(p, "shared_outs"))
        return asm_try_arrow_types(p, types);
    if (!vmc_parse_assignments(p, args, outs) || !asm_arrow_types(p, types))
        return false;
    if (types->n != outs->n)
        return asm_error(p, pos, "%zu shared outputs, but %zu result types", outs->n, types->n);
    for (size_t i = 0; i < outs->n; i++)
        args->at[first + i].type = types->at[i];
    return true;
}

/* LLVM 15 wrote no shared outputs: slice k is inserted into a tensor of outside, which becomes output k. */
static bool adopt_destinations(Asm *p, const AsmTypes *types, SrcPos pos)
{
    Block *body = asm_region_at(p, asm_num_regions(p) - 1)->first;
    const Op *end = body ? body->last : NULL;
    Op *insert = end && vmc_is(end, "scf.forall.in_parallel") && end->regions[0].first ? end->regions[0].first->first : NULL;
    for (size_t i = 0; i < types->n; i++, insert = insert->next) {
        Value *destination = insert && insert->noperands > 1 ? vmc_operand_named(insert, "dest") : NULL;
        if (!destination || destination->type != types->at[i])
            return asm_error(p, pos, "result #%zu needs a shared output, or a slice inserted into a tensor of its type", i);
        asm_add_operand(p, destination);
        Value *arg = vmc_block_add_arg(asm_context(p), body, types->at[i], pos);
        for (uint32_t k = 1; k < insert->noperands; k++)
            if (insert->operands[k].value == destination)
                vmc_set_operand(insert, k, arg);
    }
    return true;
}

bool vmc_forall_parse(Asm *p, const OpDef *def)
{
    (void)def;
    static const char *const names[] = {"staticLowerBound", "staticUpperBound", "staticStep"};
    Context *ctx = asm_context(p);
    AsmArgs args = {0};
    ForallBounds bounds = {0};
    AsmOperands outs = {0};
    AsmTypes types = {0};
    if (!parse_induction(p, &args) || !parse_forall_bounds(p, args.n, &bounds))
        return false;
    SrcPos pos = asm_pos(p);
    if (!parse_shared_outs(p, &args, &outs, &types))
        return false;
    int32_t segments[4];
    for (int i = 0; i < 3; i++) {
        if (!asm_resolve_all(p, &bounds.operands[i], vmc_type_index(ctx)))
            return false;
        asm_add_attr(p, names[i], vmc_attr_i64_array(ctx, bounds.n[i], bounds.statics[i]));
        segments[i] = (int32_t)bounds.operands[i].n;
    }
    segments[3] = (int32_t)types.n;
    for (size_t i = 0; i < outs.n; i++)
        if (!asm_resolve(p, &outs.at[i], types.at[i]))
            return false;
    asm_set_segments(p, 4, segments);
    asm_add_results(p, &types);
    return asm_region(p, &args) && (outs.n == types.n || adopt_destinations(p, &types, pos)) && asm_attr_dict(p);
}

/* Static values of `name`; NULL when the attribute has not n of them. */
static const Attr *statics_of(const Op *op, const char *name, size_t n)
{
    const Attr *attr = vmc_get_attr(op, name);
    return attr && attr->kind == ATTR_DENSE_ARRAY && attr->n == 8 * n ? attr : NULL;
}

static int64_t static_at(const Attr *statics, size_t k)
{
    uint64_t v = 0;
    for (size_t i = 8; i-- > 0;)
        v = v << 8 | ((const uint8_t *)statics->data)[8 * k + i];
    return (int64_t)v;
}

static bool all_equal(const Attr *statics, size_t n, int64_t value)
{
    for (size_t i = 0; i < n; i++)
        if (static_at(statics, i) != value)
            return false;
    return true;
}

static void print_bounds(Printer *p, const Op *op, const char *before, const char *statics_name, const char *group, size_t n)
{
    const Attr *attr = statics_of(op, statics_name, n);
    VEC(int64_t) statics = {0};
    for (size_t i = 0; attr && i < n; i++)
        VEC_PUSH(print_text(p)->arena, &statics, static_at(attr, i));
    print_str(p, before);
    print_dynamic_index_list(p, statics.at, statics.n, op->operands + vmc_operand_group(op, group).first);
    print_str(p, ")");
}

void vmc_forall_print(Printer *p, const Op *op)
{
    const Block *body = op->regions[0].first;
    uint32_t n = body->nargs - op->nresults;
    const Attr *lower = statics_of(op, "staticLowerBound", n), *step = statics_of(op, "staticStep", n);
    print_str(p, " (");
    for (uint32_t i = 0; i < n; i++) {
        print_str(p, i ? ", " : "");
        print_value(p, body->args[i]);
    }
    if (lower && step && all_equal(lower, n, 0) && all_equal(step, n, 1)) {
        print_bounds(p, op, ") in (", "staticUpperBound", "dynamicUpperBound", n);
    } else {
        print_bounds(p, op, ") = (", "staticLowerBound", "dynamicLowerBound", n);
        print_bounds(p, op, " to (", "staticUpperBound", "dynamicUpperBound", n);
        print_bounds(p, op, " step (", "staticStep", "dynamicStep", n);
    }
    if (op->nresults) {
        print_str(p, " shared_outs");
        vmc_print_assignments(p, body->args + n, op->operands + op->noperands - op->nresults, op->nresults);
        print_arrow_results(p, op);
    }
    print_str(p, " ");
    print_region(p, &op->regions[0], false, op->nresults != 0);
    print_attr_dict(p, op,
                    (const char *const[]){"staticLowerBound", "staticUpperBound", "staticStep", "operandSegmentSizes",
                                          "operand_segment_sizes", NULL});
}

/* As many operands in the group as the statics have holes. */
static bool holes_match(const Op *op, const char *statics_name, const char *group, size_t n)
{
    const Attr *statics = statics_of(op, statics_name, n);
    uint32_t holes = 0;
    for (size_t i = 0; statics && i < n; i++)
        holes += static_at(statics, i) == VMC_DYNAMIC;
    return statics && holes == vmc_operand_group(op, group).count;
}

bool vmc_forall_verify(Context *ctx, Op *op)
{
    const Block *body = op->regions[0].first;
    uint32_t outs = vmc_operand_group(op, "outs").count;
    bool good = outs == op->nresults && body->nargs >= outs;
    size_t n = good ? body->nargs - outs : 0;
    good = good && holes_match(op, "staticLowerBound", "dynamicLowerBound", n) &&
           holes_match(op, "staticUpperBound", "dynamicUpperBound", n) && holes_match(op, "staticStep", "dynamicStep", n);
    for (size_t i = 0; good && i < n; i++)
        good = body->args[i]->type->kind == TYPE_INDEX;
    for (uint32_t i = 0; good && i < outs; i++)
        good = body->args[n + i]->type == op->results[i].type &&
               op->operands[op->noperands - outs + i].value->type == op->results[i].type;
    if (good && body->last && vmc_is(body->last, "scf.forall.in_parallel"))
        return true;
    vmc_error(&ctx->diag, op->pos,
              "'scf.forall' needs bounds and an index argument for each dimension, a shared output for each result, and "
              "scf.forall.in_parallel at its end");
    return false;
}

bool vmc_in_parallel_parse(Asm *p, const OpDef *def)
{
    (void)def;
    return asm_region(p, NULL) && asm_attr_dict(p);
}

void vmc_in_parallel_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_region(p, &op->regions[0], false, true);
    print_attr_dict(p, op, (const char *const[]){NULL});
}
