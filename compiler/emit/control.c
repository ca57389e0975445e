/* Selection of control flow: blocks, func, cf and scf.
 *
 * Values that several paths bring to one place (block arguments, results and carried values of structured ops) have
 * registers of their own, written by parallel copies at the end of each path.  Blocks of a graph stand in reverse post order.
 */
#include "select.h"

#include <stdio.h>

/* ---- one op ------------------------------------------------------------------- */

static bool has_vectors(const Op *op)
{
    for (uint32_t i = 0; i < op->noperands; i++) {
        if (vmc_operand(op, i)->type->kind == TYPE_VECTOR)
            return true;
    }
    for (uint32_t i = 0; i < op->nresults; i++) {
        if (op->results[i].type->kind == TYPE_VECTOR)
            return true;
    }
    return false;
}

void vmc_emit_op(Fn *f, Op *op)
{
    const EmitRow *row = vmc_map_ptr(&f->e->handlers, op->name);
    f->pos = op->pos;
    bool before = f->failed;
    f->failed = false;
    if (row)
        row->emit(f, op);
    else if (op->def && op->def->hooks.numeric)
        vmc_emit_numeric(f, op);
    else if (!op->def)
        vmc_fail(f, op, "unknown op");
    else if (has_vectors(op))
        vmc_fail(f, op, "on vector values");
    else
        vmc_fail(f, op, "it has no form in the bytecode");
    f->failed |= before;
}

static bool is_terminator(const Op *op)
{
    return !op->next && vmc_has_trait(op, TRAIT_TERMINATOR);
}

static void emit_probe(Fn *f, Op *op)
{
    uint32_t line = 0, col = 0;
    Text id = {.arena = f->arena}, types = {.arena = f->arena}, loc = {.arena = f->arena};
    if (op->nresults && op->results[0].name)
        vmc_text_fmt(&id, "@%s/%%%s#%u", f->name, op->results[0].name, f->ordinal);
    else
        vmc_text_fmt(&id, "@%s/%s#%u", f->name, op->name, f->ordinal);
    vmc_text_str(&types, "");
    for (uint32_t i = 0; i < op->nresults; i++) {
        vmc_text_str(&types, i ? ", " : "");
        vmc_print_type(&types, op->results[i].type);
    }
    if (op->loc)
        vmc_print_attr(&loc, op->loc);
    vmc_line_col(&f->ctx->diag, op->pos, &line, &col);
    bvm_write_debug_op(f->e->writer, f->e->probes, id.at, line, col, loc.at ? loc.at : "", types.at);
    vmc_insn(f, ROW(probe), BVM_NONE, NULL, WIDE(f->e->probes));
    f->e->probes++;
}

void vmc_emit_block(Fn *f, Block *block)
{
    if (++f->depth > VMC_MAX_DEPTH) {
        if (block->first)
            vmc_fail(f, block->first, "nested deeper than %d levels", VMC_MAX_DEPTH);
    } else {
        for (Op *op = block->first; op; op = op->next) {
            vmc_emit_op(f, op);
            f->ordinal++;
            if (f->e->pc->options->debug && !f->quiet && !is_terminator(op))
                emit_probe(f, op);
        }
    }
    f->depth--;
}

/* A body that runs many times gives up the buffers that it made: what it passes on has references of its own. */
static void emit_body(Fn *f, Block *block)
{
    vmc_emit_block(f, block);
    for (Op *op = block->first; op; op = op->next) {
        bool makes = vmc_has_trait(op, TRAIT_ALLOCATES) && !vmc_get_attr(op, "bufvm.local");
        if (!makes && !vmc_is(op, "func.call") && !vmc_is(op, "func.call_indirect"))
            continue;
        for (uint32_t i = 0; i < op->nresults; i++) {
            const Val *v = vmc_map_ptr(&f->values, &op->results[i]);
            Reg buffer = !v ? 0 : v->kind == VAL_VIEW ? v->view->buffer : v->kind == VAL_UNRANKED ? v->buffer : 0;
            if (buffer)
                vmc_insn(f, ROW(buffer_drop), BVM_NONE, REGS(buffer), NULL);
        }
    }
}

static void copy_to_target(Fn *f, const Target *target, const Op *op, uint32_t first)
{
    for (uint32_t i = 0; target && i < target->n && first + i < op->noperands; i++)
        vmc_copy_val(f, &f->copies, target->to[i], vmc_get(f, vmc_operand(op, first + i)));
    vmc_parallel_copy(f, &f->copies);
}

static void emit_yield(Fn *f, Op *op)
{
    copy_to_target(f, f->yield, op, 0);
    if (f->yield && f->yield->label)
        vmc_jump(f, f->yield->label);
}

static void emit_region(Fn *f, Block *block, const Target *target, bool is_loop)
{
    const Target *outer = f->yield;
    f->yield = target;
    if (is_loop)
        emit_body(f, block);
    else
        vmc_emit_block(f, block);
    f->yield = outer;
}

/* Values for the results (or block arguments) of `n` types; NULL if one has no form. */
static Val **new_vals(Fn *f, uint32_t n, const Value *values, Value *const *args)
{
    Val **out = ARENA_ARRAY(f->arena, Val *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        out[i] = vmc_new_val(f, values ? values[i].type : args[i]->type);
        if (!out[i])
            return NULL;
    }
    return out;
}

static void set_results(Fn *f, Op *op, Val **vals)
{
    for (uint32_t i = 0; i < op->nresults; i++)
        vmc_set(f, &op->results[i], vals[i]);
}

/* ---- branches ---------------------------------------------------------------------- */

/* Jump for `a OP b`: the row and whether operands change sides; false if there is none for the predicate. */
static bool branch_row(unsigned compare, bool when, unsigned *row, bool *swap)
{
    static const struct {
        uint16_t compare, yes, no;
        bool swap;
    } rows[] = {
        {ROW(cmpi_eq), ROW(jeq), ROW(jne), false},    {ROW(cmpi_ne), ROW(jne), ROW(jeq), false},
        {ROW(cmpi_slt), ROW(jslt), ROW(jsge), false}, {ROW(cmpi_sge), ROW(jsge), ROW(jslt), false},
        {ROW(cmpi_sgt), ROW(jslt), ROW(jsge), true},  {ROW(cmpi_sle), ROW(jsge), ROW(jslt), true},
        {ROW(cmpi_ult), ROW(jult), ROW(juge), false}, {ROW(cmpi_uge), ROW(juge), ROW(jult), false},
        {ROW(cmpi_ugt), ROW(jult), ROW(juge), true},  {ROW(cmpi_ule), ROW(juge), ROW(jult), true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].compare == compare) {
            *row = when ? rows[i].yes : rows[i].no;
            *swap = rows[i].swap;
            return true;
        }
    }
    return false;
}

/* Continue at `label` if the condition is `when`.  An integer compare in the same block is done by the jump. */
static void branch(Fn *f, Value *condition, bool when, Label label)
{
    Op *def = condition->op;
    bool swap = false, sides = false;
    unsigned row;
    if (def && def->def && def->def->hooks.numeric && strcmp(def->def->hooks.numeric, "cmpi") == 0) {
        int compare = vmc_compare_row(def, &swap);
        Val *a = vmc_map_ptr(&f->values, vmc_operand(def, 0)), *b = vmc_map_ptr(&f->values, vmc_operand(def, 1));
        if (compare >= 0 && a && b && a->kind == VAL_SCALAR && b->kind == VAL_SCALAR &&
            branch_row((unsigned)compare, when, &row, &sides)) {
            bool change = swap != sides;
            Reg x = vmc_use(f, change ? b->num[0] : a->num[0]), y = vmc_use(f, change ? a->num[0] : b->num[0]);
            vmc_insn(f, row, BVM_I64, REGS(x, y), WIDE(label));
            return;
        }
    }
    vmc_insn(f, when ? ROW(jnz) : ROW(jz), BVM_NONE, REGS(vmc_get_reg(f, condition)), WIDE(label));
}

/* Continue at labels[k] where the value is cases[k], else at `otherwise`. */
static void dispatch(Fn *f, Num value, uint32_t n, const int64_t *cases, const Label *labels, Label otherwise)
{
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    for (uint32_t i = 0; i < n; i++) {
        lo = cases[i] < lo ? cases[i] : lo;
        hi = cases[i] > hi ? cases[i] : hi;
    }
    Reg v = vmc_use(f, value);
    uint64_t span = (uint64_t)hi - (uint64_t)lo;
    if (n < 4 || span >= 4 * (uint64_t)n) {
        for (uint32_t i = 0; i < n; i++)
            vmc_insn(f, ROW(jeq), BVM_I64, REGS(v, vmc_use(f, vmc_num(cases[i]))), WIDE(labels[i]));
        vmc_jump(f, otherwise);
        return;
    }
    Label *table = ARENA_ARRAY(f->arena, Label, span + 1);
    for (uint32_t i = n; i-- > 0;) /* the first of equal cases wins */
        table[(uint64_t)cases[i] - (uint64_t)lo] = labels[i];
    vmc_insn(f, ROW(switch), BVM_I64, REGS(v), WIDE((uint64_t)lo, span + 1));
    for (uint64_t i = 0; i <= span + 1; i++)
        vmc_insn(f, ROW(jmp), BVM_NONE, NULL, WIDE(i <= span && table[i] ? table[i] : otherwise))->pinned = true;
}

/* ---- graphs of blocks ------------------------------------------------------------------ */

typedef struct Visit {
    Block *block;
    uint32_t next;
} Visit;

static uint32_t num_successors(const Block *block)
{
    return block->last ? block->last->nsuccessors : 0;
}

/* Reachable blocks, reverse post order; labels are made on the way. */
static Block **block_order(Fn *f, Region *region, size_t *n)
{
    VEC(Visit) stack = {0};
    VEC(Block *) post = {0};
    vmc_map_put(&f->values, MAP_KEY(region->first), vmc_label(f));
    VEC_PUSH(f->arena, &stack, ((Visit){region->first, 0}));
    while (stack.n) {
        Visit *top = &stack.at[stack.n - 1];
        if (top->next == num_successors(top->block)) {
            VEC_PUSH(f->arena, &post, top->block);
            stack.n--;
            continue;
        }
        /* the last successor first: the first one then stands right behind the branch */
        Op *terminator = top->block->last;
        Block *to = terminator->successors[terminator->nsuccessors - 1 - top->next++].block;
        uint64_t seen;
        if (vmc_map_get(&f->values, MAP_KEY(to), &seen))
            continue;
        vmc_map_put(&f->values, MAP_KEY(to), vmc_label(f));
        VEC_PUSH(f->arena, &stack, ((Visit){to, 0}));
    }
    for (size_t i = 0; i < post.n / 2; i++) {
        Block *t = post.at[i];
        post.at[i] = post.at[post.n - 1 - i];
        post.at[post.n - 1 - i] = t;
    }
    *n = post.n;
    return post.at;
}

static Label block_label(Fn *f, Block *block)
{
    uint64_t label = 0;
    vmc_map_get(&f->values, MAP_KEY(block), &label);
    return (Label)label;
}

void vmc_emit_cfg(Fn *f, Region *region)
{
    size_t n = 0;
    Block **order = block_order(f, region, &n), *outer = f->next_block;
    for (size_t i = 1; i < n; i++) {
        for (uint32_t k = 0; k < order[i]->nargs; k++) {
            Val *v = vmc_new_val(f, order[i]->args[k]->type);
            if (!v)
                return;
            vmc_set(f, order[i]->args[k], v);
        }
    }
    for (size_t i = 0; i < n; i++) {
        vmc_place(f, block_label(f, order[i]));
        f->next_block = i + 1 < n ? order[i + 1] : NULL;
        vmc_emit_block(f, order[i]);
    }
    f->next_block = outer;
}

static void edge_copies(Fn *f, const Op *op, const Successor *to)
{
    for (uint32_t i = 0; i < to->count && i < to->block->nargs; i++)
        vmc_copy_val(f, &f->copies, vmc_get(f, to->block->args[i]), vmc_get(f, vmc_operand(op, to->first + i)));
    vmc_parallel_copy(f, &f->copies);
}

static void emit_br(Fn *f, Op *op)
{
    edge_copies(f, op, &op->successors[0]);
    vmc_jump(f, block_label(f, op->successors[0].block));
}

static void emit_cond_br(Fn *f, Op *op)
{
    const Successor *yes = &op->successors[0], *no = &op->successors[1];
    Value *condition = vmc_operand(op, 0);
    if (yes->count == 0 && yes->block != f->next_block) {
        branch(f, condition, true, block_label(f, yes->block));
        edge_copies(f, op, no);
        vmc_jump(f, block_label(f, no->block));
        return;
    }
    Label away = no->count ? vmc_label(f) : block_label(f, no->block);
    branch(f, condition, false, away);
    edge_copies(f, op, yes);
    vmc_jump(f, block_label(f, yes->block));
    if (no->count) {
        vmc_place(f, away);
        edge_copies(f, op, no);
        vmc_jump(f, block_label(f, no->block));
    }
}

static void emit_cf_switch(Fn *f, Op *op)
{
    const int64_t *cases = NULL;
    const Attr *attr = vmc_get_attr(op, "case_values");
    ptrdiff_t n = attr ? vmc_attr_ints(f->ctx, attr, &cases) : 0;
    if (n < 0 || (uint32_t)n + 1 != op->nsuccessors) {
        vmc_fail(f, op, "its case values do not match its successors");
        return;
    }
    Label *labels = ARENA_ARRAY(f->arena, Label, op->nsuccessors);
    for (uint32_t i = 0; i < op->nsuccessors; i++)
        labels[i] = op->successors[i].count ? vmc_label(f) : block_label(f, op->successors[i].block);
    Num flag = vmc_get_num(f, vmc_operand(op, 0));
    const Type *type = vmc_operand(op, 0)->type;
    int64_t *values = ARENA_ARRAY(f->arena, int64_t, (size_t)n + 1);
    for (ptrdiff_t i = 0; i < n; i++)
        values[i] = type->kind == TYPE_INT && type->width == 1 ? cases[i] & 1 : cases[i];
    dispatch(f, flag, (uint32_t)n, values, labels + 1, labels[0]);
    for (uint32_t i = 0; i < op->nsuccessors; i++) {
        if (!op->successors[i].count)
            continue;
        vmc_place(f, labels[i]);
        edge_copies(f, op, &op->successors[i]);
        vmc_jump(f, block_label(f, op->successors[i].block));
    }
}

uint64_t vmc_assert_text(Fn *f, const Op *op)
{
    const Attr *msg = vmc_get_attr(op, "msg");
    return msg && msg->kind == ATTR_STRING ? bvm_write_string(f->e->writer, msg->s, msg->n) : vmc_text(f, "assertion failed");
}

static void emit_assert(Fn *f, Op *op)
{
    uint64_t text = vmc_assert_text(f, op);
    Num condition = vmc_get_num(f, vmc_operand(op, 0));
    if (!condition.is_const || !(condition.c & 1))
        vmc_insn(f, ROW(assert), BVM_NONE, REGS(vmc_use(f, condition)), WIDE(text));
}

static void emit_unreachable(Fn *f, Op *op)
{
    vmc_insn(f, ROW(unreachable), BVM_NONE, NULL, WIDE(vmc_text(f, "%s was reached", op->name)));
}

/* ---- loops --------------------------------------------------------------------------------- */

static Num loop_index(Reg r, Num lower, Num upper, Num step)
{
    Num index = vmc_num_reg(r);
    index.lo = lower.lo;
    index.hi = upper.hi > INT64_MIN ? upper.hi - 1 : INT64_MIN;
    if (lower.is_const && upper.is_const && step.is_const && step.c > 0 && lower.c < upper.c) {
        uint64_t turns = ((uint64_t)upper.c - 1 - (uint64_t)lower.c) / (uint64_t)step.c;
        index.hi = (int64_t)((uint64_t)lower.c + turns * (uint64_t)step.c);
    }
    index.below = upper.is_const ? 0 : upper.r;
    return index;
}

static void signed_loop(Fn *f, Num lower, Num upper, Num step, void (*body)(Fn *f, Num index, void *user), void *user)
{
    Label top = vmc_label(f), end = vmc_label(f);
    Reg i = vmc_reg(f, BANK_SCALAR);
    if (step.lo < 1) {
        uint64_t text = vmc_text(f, "the step of a loop must be positive");
        Label good = vmc_label(f);
        Reg by = vmc_use(f, step);
        vmc_insn(f, ROW(check_size), BVM_I64, REGS(by), WIDE(text));
        vmc_insn(f, ROW(jne), BVM_I64, REGS(by, vmc_use(f, vmc_num(0))), WIDE(good));
        vmc_insn(f, ROW(unreachable), BVM_NONE, NULL, WIDE(vmc_text(f, "the step of a loop must be positive: 0")));
        vmc_place(f, good);
    }
    if (lower.hi >= upper.lo)
        vmc_insn(f, ROW(jsge), BVM_I64, REGS(vmc_use(f, lower), vmc_use(f, upper)), WIDE(end));
    vmc_assign(f, i, lower);
    Reg by = vmc_use(f, step), to = vmc_use(f, upper);
    vmc_place(f, top);
    body(f, loop_index(i, lower, upper, step), user);
    vmc_insn(f, ROW(loop), BVM_I64, REGS(i, by, to), WIDE(top));
    vmc_place(f, end);
}

/* Rare: compares of sign-extended slots order as the unsigned values do, but the sum has to be brought back to slot form. */
static void unsigned_loop(Fn *f, Num lower, Num upper, Num step, unsigned width, void (*body)(Fn *f, Num index, void *user),
                          void *user)
{
    Label top = vmc_label(f), end = vmc_label(f), good = vmc_label(f);
    Reg i = vmc_reg(f, BANK_SCALAR), to = vmc_use(f, upper), by = vmc_use(f, step);
    vmc_insn(f, ROW(jne), BVM_I64, REGS(by, vmc_use(f, vmc_num(0))), WIDE(good));
    vmc_insn(f, ROW(unreachable), BVM_NONE, NULL, WIDE(vmc_text(f, "the step of a loop must be positive: 0")));
    vmc_place(f, good);
    vmc_assign(f, i, lower);
    vmc_insn(f, ROW(juge), BVM_I64, REGS(i, to), WIDE(end));
    vmc_place(f, top);
    body(f, vmc_num_reg(i), user);
    Reg sum = vmc_reg(f, BANK_SCALAR);
    vmc_insn(f, ROW(addi), BVM_I64, REGS(sum, i, by), NULL);
    sum = vmc_normalise(f, sum, width);
    vmc_insn(f, ROW(jult), BVM_I64, REGS(sum, i), WIDE(end)); /* wrapped */
    vmc_assign(f, i, vmc_num_reg(sum));
    vmc_insn(f, ROW(jult), BVM_I64, REGS(i, to), WIDE(top));
    vmc_place(f, end);
}

void vmc_for_loop(Fn *f, Num lower, Num upper, Num step, void (*body)(Fn *f, Num index, void *user), void *user)
{
    signed_loop(f, lower, upper, step, body, user);
}

typedef struct ForBody {
    Op *op;
    Target target;
} ForBody;

static void for_body(Fn *f, Num index, void *user)
{
    ForBody *b = user;
    Block *block = vmc_entry(b->op, 0);
    if (vmc_get_attr(b->op, "bufvm.turn"))
        vmc_mark_parallel(f, MARK_TURN);
    vmc_set(f, block->args[0], vmc_scalar_val(f, index));
    emit_region(f, block, &b->target, true);
}

static void emit_for(Fn *f, Op *op)
{
    Block *block = vmc_entry(op, 0);
    if (!block || block->nargs != op->nresults + 1) {
        vmc_fail(f, op, "its body does not have its arguments");
        return;
    }
    if (vmc_get_attr(op, "bufvm.grid") && op->nresults == 0) {
        vmc_emit_grid(f, op);
        return;
    }
    Val **carried = new_vals(f, op->nresults, op->results, NULL);
    if (!carried)
        return;
    ForBody body = {op, {carried, op->nresults, 0}};
    Slot slot = {.width = 64};
    copy_to_target(f, &body.target, op, 3);
    for (uint32_t i = 0; i < op->nresults; i++)
        vmc_set(f, block->args[i + 1], carried[i]);
    Num lower = vmc_get_num(f, vmc_operand(op, 0)), upper = vmc_get_num(f, vmc_operand(op, 1)),
        step = vmc_get_num(f, vmc_operand(op, 2));
    vmc_slot(vmc_operand(op, 0)->type, &slot);
    if (vmc_get_attr(op, "bufvm.parallel"))
        vmc_mark_parallel(f, MARK_BEGIN);
    if (vmc_get_attr(op, "unsignedCmp") && slot.width > 1)
        unsigned_loop(f, lower, upper, step, slot.width, for_body, &body);
    else
        signed_loop(f, lower, upper, step, for_body, &body);
    if (vmc_get_attr(op, "bufvm.parallel"))
        vmc_mark_parallel(f, MARK_END);
    set_results(f, op, carried);
}

static void emit_while(Fn *f, Op *op)
{
    Block *before = vmc_entry(op, 0), *after = vmc_entry(op, 1);
    if (!before || !after) {
        vmc_fail(f, op, "a region is empty");
        return;
    }
    Val **in = new_vals(f, before->nargs, NULL, before->args), **out = in ? new_vals(f, op->nresults, op->results, NULL) : NULL;
    if (!out)
        return;
    Target again = {in, before->nargs, 0}, leave = {out, op->nresults, vmc_label(f)};
    Label top = vmc_label(f);
    const Target *outer = f->condition;
    copy_to_target(f, &again, op, 0);
    for (uint32_t i = 0; i < before->nargs; i++)
        vmc_set(f, before->args[i], in[i]);
    for (uint32_t i = 0; i < after->nargs && i < op->nresults; i++)
        vmc_set(f, after->args[i], out[i]);
    vmc_place(f, top);
    f->condition = &leave;
    vmc_emit_block(f, before);
    f->condition = outer;
    emit_region(f, after, &again, true);
    vmc_jump(f, top);
    vmc_place(f, leave.label);
    set_results(f, op, out);
}

static void emit_condition(Fn *f, Op *op)
{
    copy_to_target(f, f->condition, op, 1);
    if (f->condition)
        branch(f, vmc_operand(op, 0), false, f->condition->label);
}

/* ---- choice ----------------------------------------------------------------------------------- */

static void emit_if(Fn *f, Op *op)
{
    Val **out = new_vals(f, op->nresults, op->results, NULL);
    if (!out)
        return;
    Label end = vmc_label(f);
    bool has_else = op->nregions > 1 && op->regions[1].first;
    Label other = has_else ? vmc_label(f) : end;
    Target jump = {out, op->nresults, end}, fall = {out, op->nresults, 0};
    branch(f, vmc_operand(op, 0), false, other);
    if (op->regions[0].first)
        emit_region(f, op->regions[0].first, has_else ? &jump : &fall, false);
    if (has_else) {
        vmc_place(f, other);
        emit_region(f, op->regions[1].first, &fall, false);
    }
    vmc_place(f, end);
    set_results(f, op, out);
}

static void emit_index_switch(Fn *f, Op *op)
{
    const int64_t *cases = NULL;
    const Attr *attr = vmc_get_attr(op, "cases");
    ptrdiff_t n = attr ? vmc_attr_ints(f->ctx, attr, &cases) : 0;
    Val **out = new_vals(f, op->nresults, op->results, NULL);
    if (!out)
        return;
    if (n < 0 || (uint32_t)n + 1 != op->nregions) {
        vmc_fail(f, op, "its cases do not match its regions");
        return;
    }
    Label *labels = ARENA_ARRAY(f->arena, Label, op->nregions);
    for (uint32_t i = 0; i < op->nregions; i++)
        labels[i] = vmc_label(f);
    Target target = {out, op->nresults, vmc_label(f)};
    dispatch(f, vmc_get_num(f, vmc_operand(op, 0)), (uint32_t)n, cases, labels + 1, labels[0]);
    for (uint32_t i = 0; i < op->nregions; i++) {
        vmc_place(f, labels[i]);
        if (op->regions[i].first)
            emit_region(f, op->regions[i].first, &target, false);
        vmc_jump(f, target.label);
    }
    vmc_place(f, target.label);
    set_results(f, op, out);
}

static void emit_execute_region(Fn *f, Op *op)
{
    Val **out = new_vals(f, op->nresults, op->results, NULL);
    if (!out || !op->regions[0].first)
        return;
    Target target = {out, op->nresults, vmc_label(f)};
    const Target *outer = f->yield;
    f->yield = &target;
    vmc_emit_cfg(f, &op->regions[0]);
    f->yield = outer;
    vmc_place(f, target.label);
    set_results(f, op, out);
}

/* ---- loops without an order: run in order --------------------------------------------------------- */

typedef struct Nest {
    Op *op;
    uint32_t n, level;
    const Num *lower, *upper, *step;
    Block *body;
    Target target;
} Nest;

static void nest_body(Fn *f, Num index, void *user)
{
    Nest *nest = user;
    vmc_set(f, nest->body->args[nest->level], vmc_scalar_val(f, index));
    nest->level++;
    if (nest->level < nest->n) {
        signed_loop(f, nest->lower[nest->level], nest->upper[nest->level], nest->step[nest->level], nest_body, nest);
    } else {
        const Target *outer = f->reduce;
        uint32_t outer_next = f->next_reduce;
        f->reduce = &nest->target;
        f->next_reduce = 0;
        emit_region(f, nest->body, NULL, true);
        f->reduce = outer;
        f->next_reduce = outer_next;
    }
    nest->level--;
}

static void run_nest(Fn *f, Nest *nest)
{
    if (nest->n == 0) {
        emit_region(f, nest->body, NULL, false);
        return;
    }
    signed_loop(f, nest->lower[0], nest->upper[0], nest->step[0], nest_body, nest);
}

static Num *group_nums(Fn *f, const Op *op, const char *group, uint32_t *n)
{
    OperandRange range = vmc_operand_group(op, group);
    Num *out = ARENA_ARRAY(f->arena, Num, range.count + 1);
    for (uint32_t i = 0; i < range.count; i++)
        out[i] = vmc_get_num(f, vmc_operand(op, range.first + i));
    *n = range.count;
    return out;
}

static void emit_parallel(Fn *f, Op *op)
{
    uint32_t nupper, nstep;
    Nest nest = {.op = op, .body = vmc_entry(op, 0)};
    nest.lower = group_nums(f, op, "lowerBound", &nest.n);
    nest.upper = group_nums(f, op, "upperBound", &nupper);
    nest.step = group_nums(f, op, "step", &nstep);
    if (!nest.body || nupper != nest.n || nstep != nest.n || nest.body->nargs < nest.n) {
        vmc_fail(f, op, "its bounds do not match its body");
        return;
    }
    Val **out = new_vals(f, op->nresults, op->results, NULL);
    if (!out)
        return;
    nest.target = (Target){out, op->nresults, 0};
    OperandRange init = vmc_operand_group(op, "initVals");
    copy_to_target(f, &nest.target, op, init.first);
    run_nest(f, &nest);
    set_results(f, op, out);
}

static void emit_reduce(Fn *f, Op *op)
{
    for (uint32_t i = 0; i < op->noperands && i < op->nregions; i++) {
        Block *block = vmc_entry(op, i);
        if (!f->reduce || f->next_reduce >= f->reduce->n || !block || block->nargs != 2) {
            vmc_fail(f, op, "it does not match the results of its loop");
            return;
        }
        Target target = {&f->reduce->to[f->next_reduce++], 1, 0};
        vmc_set(f, block->args[0], target.to[0]);
        vmc_set(f, block->args[1], vmc_get(f, vmc_operand(op, i)));
        emit_region(f, block, &target, false);
    }
}

static Num *mixed_bounds(Fn *f, const Op *op, const char *statics, const char *group, uint32_t *n)
{
    const int64_t *values = NULL;
    uint32_t ndynamic, next = 0;
    const Attr *attr = vmc_get_attr(op, statics);
    ptrdiff_t count = attr ? vmc_attr_ints(f->ctx, attr, &values) : -1;
    Num *dynamic = group_nums(f, op, group, &ndynamic);
    if (count < 0)
        return NULL;
    Num *out = ARENA_ARRAY(f->arena, Num, (size_t)count + 1);
    for (ptrdiff_t i = 0; i < count; i++) {
        if (values[i] == VMC_DYNAMIC && next == ndynamic)
            return NULL;
        out[i] = values[i] == VMC_DYNAMIC ? dynamic[next++] : vmc_num(values[i]);
    }
    *n = (uint32_t)count;
    return out;
}

static void emit_forall(Fn *f, Op *op)
{
    uint32_t nlower = 0, nupper = 0, nstep = 0;
    Nest nest = {.op = op, .body = vmc_entry(op, 0)};
    nest.lower = mixed_bounds(f, op, "staticLowerBound", "dynamicLowerBound", &nlower);
    nest.upper = mixed_bounds(f, op, "staticUpperBound", "dynamicUpperBound", &nupper);
    nest.step = mixed_bounds(f, op, "staticStep", "dynamicStep", &nstep);
    nest.n = nupper;
    if (!nest.body || !nest.lower || !nest.upper || !nest.step || nlower != nupper || nstep != nupper ||
        nest.body->nargs != nupper || op->nresults) {
        vmc_fail(f, op, "its bounds do not match its body, or it still has tensors");
        return;
    }
    run_nest(f, &nest);
}

static void emit_in_parallel(Fn *f, Op *op)
{
    Block *block = op->nregions ? vmc_entry(op, 0) : NULL;
    if (block && block->first)
        vmc_fail(f, block->first, "inside scf.forall.in_parallel");
}

/* ---- functions ------------------------------------------------------------------------------------ */

static void emit_return(Fn *f, Op *op)
{
    RegList list = {0};
    for (uint32_t i = 0; i < op->noperands; i++)
        vmc_abi_regs(f, vmc_operand(op, i)->type, vmc_get(f, vmc_operand(op, i)), &list);
    vmc_insn_list(f, ROW(ret), NULL, NULL, list.at, list.n, list.n);
}

/* Registers of the operands from `first` on, then those of the results, which are made here. */
static Val **call_registers(Fn *f, Op *op, uint32_t first, RegList *list, size_t *nread)
{
    for (uint32_t i = first; i < op->noperands; i++)
        vmc_abi_regs(f, vmc_operand(op, i)->type, vmc_get(f, vmc_operand(op, i)), list);
    *nread = list->n;
    Val **out = new_vals(f, op->nresults, op->results, NULL);
    for (uint32_t i = 0; out && i < op->nresults; i++)
        vmc_abi_regs(f, op->results[i].type, out[i], list);
    return out;
}

static void finish_call(Fn *f, Op *op, Val **out)
{
    for (uint32_t i = 0; i < op->nresults; i++)
        vmc_complete_view(f, op->results[i].type, out[i]);
    set_results(f, op, out);
}

static void emit_call(Fn *f, Op *op)
{
    const Attr *callee = vmc_get_attr(op, "callee");
    FuncRec *rec = callee ? vmc_function_of(f->e, op, callee) : NULL;
    RegList list = {0};
    size_t nread;
    if (!rec) {
        vmc_fail(f, op, "no function of that name");
        return;
    }
    Val **out = call_registers(f, op, 0, &list, &nread);
    if (!out)
        return;
    vmc_insn_list(f, rec->imported ? ROW(call_import) : ROW(call), NULL, WIDE(rec->number), list.at, list.n, nread);
    finish_call(f, op, out);
}

static void emit_call_indirect(Fn *f, Op *op)
{
    const Type *type = vmc_operand(op, 0)->type;
    RegList list = {0};
    size_t nread;
    const char *banks = type->kind == TYPE_FUNCTION ? vmc_function_banks(f->ctx, f->arena, type) : NULL;
    Val **out = banks ? call_registers(f, op, 1, &list, &nread) : NULL;
    if (!out) {
        if (!f->failed)
            vmc_fail(f, op, "its callee's type has no form in calls");
        return;
    }
    Reg callee = vmc_get_reg(f, vmc_operand(op, 0));
    vmc_insn_list(f, ROW(call_indirect), REGS(callee), WIDE(vmc_text(f, "%s", banks)), list.at, list.n, nread);
    finish_call(f, op, out);
}

static void emit_func_constant(Fn *f, Op *op)
{
    const Attr *name = vmc_get_attr(op, "value");
    FuncRec *rec = name ? vmc_function_of(f->e, op, name) : NULL;
    if (!rec || rec->imported) {
        vmc_fail(f, op, "no function with a body of that name");
        return;
    }
    Reg r = vmc_reg(f, BANK_SCALAR);
    vmc_insn(f, ROW(func_ref), BVM_NONE, REGS(r), WIDE(rec->number));
    vmc_set_scalar(f, op, 0, vmc_num_reg(r));
}

const EmitRow vmc_control_rows[] = {
    {"func.return", emit_return},
    {"func.call", emit_call},
    {"func.call_indirect", emit_call_indirect},
    {"func.constant", emit_func_constant},
    {"cf.br", emit_br},
    {"cf.cond_br", emit_cond_br},
    {"cf.switch", emit_cf_switch},
    {"cf.assert", emit_assert},
    {"ub.unreachable", emit_unreachable},
    {"llvm.unreachable", emit_unreachable},
    {"scf.for", emit_for},
    {"scf.if", emit_if},
    {"scf.while", emit_while},
    {"scf.condition", emit_condition},
    {"scf.index_switch", emit_index_switch},
    {"scf.execute_region", emit_execute_region},
    {"scf.parallel", emit_parallel},
    {"scf.reduce", emit_reduce},
    {"scf.forall", emit_forall},
    {"scf.forall.in_parallel", emit_in_parallel},
    {"memref.alloca_scope", emit_execute_region},
    {"scf.yield", emit_yield},
    {"scf.reduce.return", emit_yield},
    {"linalg.yield", emit_yield},
    {"memref.alloca_scope.return", emit_yield},
    {"memref.atomic_yield", emit_yield},
    {NULL, NULL},
};
