/* Canonicalisation: constants folded, made unique and hoisted; identities; constant control flow
 * taken; dead pure ops and unreachable blocks removed.
 *
 * One worklist of ops per round, first in first out; a change puts the ops that it touches back.
 * Every change removes an op, a use or a block, so the work is linear in the module but for the
 * rounds that flattened control flow asks for.  No result changes by a bit: folding is vm/numeric's.
 */
#include "passes.h"

#include "../../vm/bytecode/format.h"

/* Rounds of worklist and block merging; more than this only pathological graphs would use. */
enum { MAX_ROUNDS = 16 };

typedef struct Canon {
    Context *ctx;
    VEC(Op *) work;
    size_t head;
    Map scopes; /* isolated op -> Map * of its constants: Attr * -> Op * */
    bool changed;
} Canon;

/* Op.data while this pass runs: the op stands in the worklist. */
static char queued_mark;

static void push(Canon *c, Op *op)
{
    if (!op || op->data == &queued_mark)
        return;
    op->data = &queued_mark;
    VEC_PUSH(&c->ctx->arena, &c->work, op);
}

static void push_users(Canon *c, const Value *value)
{
    for (const Use *use = value->uses; use; use = use->next)
        push(c, use->owner);
}

/* What defines the operands of the op and of all that is in it. */
static bool push_operands(Op *op, void *user)
{
    for (uint32_t i = 0; i < op->noperands; i++)
        if (op->operands[i].value)
            push(user, op->operands[i].value->op);
    return true;
}

static bool push_visited(Op *op, void *user)
{
    op->data = NULL;
    push(user, op);
    return true;
}

/* An op that was erased, alone or with an op around it, hangs on no module any more. */
static bool is_live(const Canon *c, const Op *op)
{
    return vmc_is_ancestor(c->ctx->module, op);
}

static void replace(Canon *c, Value *old, Value *with)
{
    if (!with->name && with->op)
        with->name = old->name;
    push_users(c, old);
    vmc_replace_uses(old, with);
    push(c, with->op);
    c->changed = true;
}

static void erase(Canon *c, Op *op)
{
    vmc_walk(op, push_operands, c);
    if (op->parent && op->parent->last)
        push(c, vmc_parent_op(op)); /* may be dead now */
    vmc_op_erase(op);
    c->changed = true;
}

/* ---- constants ------------------------------------------------------------------- */

static Op *isolated_parent(const Op *op)
{
    Op *parent = vmc_parent_op(op);
    while (parent && !vmc_has_trait(parent, TRAIT_ISOLATED))
        parent = vmc_parent_op(parent);
    return parent;
}

static Map *constants_of(Canon *c, const Op *scope)
{
    Map *map = vmc_map_ptr(&c->scopes, scope);
    if (!map) {
        map = ARENA_NEW(&c->ctx->arena, Map);
        map->arena = &c->ctx->arena;
        vmc_map_put_ptr(&c->scopes, scope, map);
    }
    return map;
}

/* The constant `attr` at the head of the scope around `near`, if it was seen there. */
static Op *known_constant(Canon *c, const Op *scope, const Attr *attr)
{
    Op *found = vmc_map_ptr(constants_of(c, scope), attr);
    return found && found->parent ? found : NULL;
}

/* In the run of constants that opens the entry block. */
static bool stands_at_head(const Op *op, const Block *entry)
{
    return op->parent == entry && (!op->prev || vmc_has_trait(op->prev, TRAIT_CONSTANT));
}

/* Merges an arith.constant with its equal of the scope, or moves it to the scope's head. */
static bool hoist_constant(Canon *c, Op *op)
{
    const Attr *attr = vmc_get_attr(op, "value");
    Op *scope = isolated_parent(op);
    if (!vmc_is(op, "arith.constant") || !attr || !scope || !vmc_has_trait(scope, TRAIT_SYMBOL | TRAIT_ISOLATED))
        return false;
    Op *known = known_constant(c, scope, attr);
    if (known && known != op) {
        replace(c, &op->results[0], &known->results[0]);
        erase(c, op);
        return true;
    }
    vmc_map_put_ptr(constants_of(c, scope), attr, op);
    Block *entry = vmc_entry(scope, 0);
    if (!stands_at_head(op, entry)) {
        vmc_op_unlink(op);
        vmc_op_insert_before(op, entry->first);
        c->changed = true;
    }
    return false;
}

/* A constant for `attr` that `op` may use, or NULL when it is not of that type. */
static Value *constant_for(Canon *c, Op *op, const Attr *attr, const Type *type)
{
    bool number = attr->kind == ATTR_INT || attr->kind == ATTR_FLOAT || attr->kind == ATTR_DENSE || attr->kind == ATTR_RESOURCE;
    if (!number || attr->type != type)
        return NULL;
    Op *scope = isolated_parent(op);
    Op *known = scope ? known_constant(c, scope, attr) : NULL;
    if (known)
        return &known->results[0];
    Builder b = vmc_before(c->ctx, op);
    Value *value = vmc_build_const(&b, attr, type);
    value->op->data = NULL;
    if (scope && vmc_has_trait(scope, TRAIT_SYMBOL)) {
        vmc_map_put_ptr(constants_of(c, scope), attr, value->op);
        vmc_op_unlink(value->op);
        vmc_op_insert_before(value->op, vmc_entry(scope, 0)->first);
    }
    return value;
}

/* ---- dead ops ---------------------------------------------------------------------- */

static bool is_unused(const Op *op)
{
    for (uint32_t i = 0; i < op->nresults; i++)
        if (op->results[i].uses)
            return false;
    return true;
}

static bool touches_memref(const Op *op)
{
    for (uint32_t i = 0; i < op->noperands; i++)
        if (op->operands[i].value && vmc_is_memref(op->operands[i].value->type))
            return true;
    return false;
}

/* Running the op, with all that is in it, has no effect but its results, and it ends. */
static bool has_no_effect(const Op *op)
{
    if (!op->def || op->nsuccessors)
        return false;
    uint32_t traits = op->def->traits;
    if (traits & (TRAIT_PURE | TRAIT_CONSTANT))
        return true;
    bool structured = (traits & TRAIT_STRUCTURED) != 0;
    if ((!structured && !(traits & TRAIT_RECURSIVE_EFFECTS)) || (structured && touches_memref(op)) || vmc_is(op, "scf.while"))
        return false;
    for (uint32_t r = 0; r < op->nregions; r++) {
        if (op->regions[r].first != op->regions[r].last)
            return false;
        for (const Op *inner = op->regions[r].first ? op->regions[r].first->first : NULL; inner; inner = inner->next)
            if (!has_no_effect(inner))
                return false;
    }
    return true;
}

/* An allocation that nobody uses but to free it, once: a second dealloc has to be reported. */
static bool remove_dead_alloc(Canon *c, Op *op)
{
    if (!vmc_is(op, "memref.alloc") && !vmc_is(op, "memref.alloca"))
        return false;
    const Use *use = op->results[0].uses;
    if (use && (use->next || !vmc_is(use->owner, "memref.dealloc") || use->owner->parent != op->parent))
        return false;
    if (use)
        erase(c, use->owner);
    erase(c, op);
    return true;
}

static bool remove_dead(Canon *c, Op *op)
{
    if (op->def && op->def->traits & TRAIT_TERMINATOR)
        return false;
    if (is_unused(op) && has_no_effect(op)) {
        erase(c, op);
        return true;
    }
    return remove_dead_alloc(c, op);
}

/* ---- folding ------------------------------------------------------------------------- */

static bool fold(Canon *c, Op *op)
{
    if (!op->def || !op->nresults || op->def->traits & TRAIT_CONSTANT || is_unused(op))
        return false;
    const Attr *attr1 = NULL, **attrs = op->nresults == 1 ? &attr1 : ARENA_ARRAY(&c->ctx->arena, const Attr *, op->nresults);
    Value *value1 = NULL, **values = op->nresults == 1 ? &value1 : ARENA_ARRAY(&c->ctx->arena, Value *, op->nresults);
    if (!vmc_fold_op(c->ctx, op, attrs, values))
        return false;
    bool all = true;
    for (uint32_t i = 0; i < op->nresults; i++) {
        Value *with = values[i];
        if (!with && attrs[i])
            with = constant_for(c, op, attrs[i], op->results[i].type);
        if (with && with != &op->results[i] && with->type == op->results[i].type)
            replace(c, &op->results[i], with);
        else
            all = false;
    }
    if (all && has_no_effect(op))
        erase(c, op);
    return all;
}

/* The constant of a commutative op stands on the right: one form for equal things. */
static void order_operands(Canon *c, Op *op)
{
    if (!vmc_has_trait(op, TRAIT_COMMUTATIVE) || op->noperands != 2)
        return;
    Value *a = op->operands[0].value, *b = op->operands[1].value;
    if (!vmc_constant_of(a) || vmc_constant_of(b))
        return;
    vmc_set_operand(op, 0, b);
    vmc_set_operand(op, 1, a);
    c->changed = true;
}

/* ---- structured control flow ------------------------------------------------------------ */

/* Puts the ops of a region's one block in place of `op`; its terminator's operands from `first` on are the results. */
static void inline_block(Canon *c, Op *op, Block *block, uint32_t first)
{
    Op *terminator = block->last;
    for (Op *inner = block->first, *next; inner && inner != terminator; inner = next) {
        next = inner->next;
        vmc_op_unlink(inner);
        vmc_op_insert_before(inner, op);
        push(c, inner);
    }
    for (uint32_t i = 0; i < op->nresults; i++)
        replace(c, &op->results[i], terminator->operands[first + i].value);
    erase(c, op);
}

static bool simplify_if(Canon *c, Op *op)
{
    int64_t condition;
    if (!vmc_constant_int(op->operands[0].value, &condition))
        return false;
    Block *taken = op->regions[0].first;
    if (!(condition & 1))
        taken = op->nregions > 1 ? op->regions[1].first : NULL;
    if (taken)
        inline_block(c, op, taken, 0);
    else
        erase(c, op);
    return true;
}

static bool simplify_index_switch(Canon *c, Op *op)
{
    int64_t value;
    const int64_t *cases;
    ptrdiff_t n = vmc_attr_ints(c->ctx, vmc_get_attr(op, "cases"), &cases);
    if (n < 0 || n + 1 != (ptrdiff_t)op->nregions || !vmc_constant_int(op->operands[0].value, &value))
        return false;
    uint32_t taken = 0;
    for (uint32_t i = 0; !taken && i < (uint32_t)n; i++)
        taken = cases[i] == value ? i + 1 : 0;
    inline_block(c, op, op->regions[taken].first, 0);
    return true;
}

static bool simplify_execute_region(Canon *c, Op *op)
{
    Block *block = op->regions[0].first;
    if (!block || block->next || !vmc_is(block->last, "scf.yield") || vmc_get_attr(op, "no_inline"))
        return false;
    inline_block(c, op, block, 0);
    return true;
}

/* A loop of constant bounds that runs not at all or once. */
static bool simplify_for(Canon *c, Op *op)
{
    int64_t lower, upper, step;
    if (!vmc_constant_int(op->operands[0].value, &lower) || !vmc_constant_int(op->operands[1].value, &upper))
        return false;
    bool is_unsigned = vmc_get_attr(op, "unsignedCmp") != NULL;
    if (is_unsigned && (lower < 0 || upper < 0))
        return false;
    if (!vmc_constant_int(op->operands[2].value, &step) || step <= 0) /* one that is not positive traps */
        return false;
    if (lower >= upper) {
        for (uint32_t i = 0; i < op->nresults; i++)
            replace(c, &op->results[i], op->operands[3 + i].value);
        erase(c, op);
        return true;
    }
    /* Distance without overflow: upper > lower. */
    if ((uint64_t)upper - (uint64_t)lower > (uint64_t)step)
        return false;
    Block *body = op->regions[0].first;
    replace(c, body->args[0], op->operands[0].value);
    for (uint32_t i = 0; i < op->nresults; i++)
        replace(c, body->args[1 + i], op->operands[3 + i].value);
    inline_block(c, op, body, 0);
    return true;
}

/* ---- flat control flow ---------------------------------------------------------------------- */

/* Replaces a branch by cf.br along one of its successors. */
static void become_br(Canon *c, Op *op, const Successor *taken)
{
    Value **values = ARENA_ARRAY(&c->ctx->arena, Value *, taken->count);
    for (uint32_t i = 0; i < taken->count; i++)
        values[i] = op->operands[taken->first + i].value;
    OpState state = {.name = "cf.br",
                     .pos = op->pos,
                     .loc = op->loc,
                     .noperands = taken->count,
                     .operands = values,
                     .nsuccessors = 1,
                     .successors = &taken->block,
                     .successor_counts = &taken->count};
    Op *br = vmc_op_create(c->ctx, &state);
    br->data = NULL;
    vmc_op_insert_before(br, op);
    Region *region = op->parent->parent;
    erase(c, op);
    vmc_dominance_changed(region);
}

static bool same_target(const Op *op, const Successor *a, const Successor *b)
{
    bool same = a->block == b->block && a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = op->operands[a->first + i].value == op->operands[b->first + i].value;
    return same;
}

static bool simplify_cond_br(Canon *c, Op *op)
{
    int64_t condition;
    if (vmc_constant_int(op->operands[0].value, &condition))
        become_br(c, op, &op->successors[condition & 1 ? 0 : 1]);
    else if (same_target(op, &op->successors[0], &op->successors[1]))
        become_br(c, op, &op->successors[0]);
    else
        return false;
    return true;
}

static bool simplify_switch(Canon *c, Op *op)
{
    int64_t flag;
    uint64_t slot;
    const Attr *values = vmc_get_attr(op, "case_values");
    if (!vmc_constant_int(op->operands[0].value, &flag))
        return false;
    uint32_t taken = 0;
    for (uint32_t i = 1; values && !taken && i < op->nsuccessors; i++)
        taken = vmc_attr_slot(values, i - 1, &slot) && slot == (uint64_t)flag ? i : 0;
    become_br(c, op, &op->successors[taken]);
    return true;
}

static bool simplify_assert(Canon *c, Op *op)
{
    int64_t condition;
    if (!vmc_constant_int(op->operands[0].value, &condition) || !(condition & 1))
        return false;
    erase(c, op);
    return true;
}

static bool simplify_control_flow(Canon *c, Op *op)
{
    static const struct {
        const char *name;
        bool (*simplify)(Canon *c, Op *op);
    } rules[] = {
        {"scf.if", simplify_if},
        {"scf.index_switch", simplify_index_switch},
        {"scf.execute_region", simplify_execute_region},
        {"scf.for", simplify_for},
        {"cf.cond_br", simplify_cond_br},
        {"cf.switch", simplify_switch},
        {"cf.assert", simplify_assert},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (vmc_is(op, rules[i].name))
            return rules[i].simplify(c, op);
    return false;
}

/* ---- blocks ------------------------------------------------------------------------------------ */

/* Block.data while the graph of a region is looked at: one more than the number of edges into a reachable block. */
static uintptr_t edges(const Block *block)
{
    return (uintptr_t)block->data;
}

static void count_edges(Canon *c, Region *region)
{
    VEC(Block *) stack = {0};
    for (Block *block = region->first; block; block = block->next)
        block->data = NULL;
    region->first->data = (void *)(uintptr_t)1;
    VEC_PUSH(&c->ctx->arena, &stack, region->first);
    while (stack.n) {
        const Block *block = stack.at[--stack.n];
        for (uint32_t i = 0; block->last && i < block->last->nsuccessors; i++) {
            Block *next = block->last->successors[i].block;
            if (!next->data) {
                next->data = (void *)(uintptr_t)1;
                VEC_PUSH(&c->ctx->arena, &stack, next);
            }
            next->data = (void *)(edges(next) + 1);
        }
    }
}

static void erase_unreachable(Canon *c, Region *region)
{
    for (Block *block = region->first, *next; block; block = next) {
        next = block->next;
        if (block->data)
            continue;
        while (block->last)
            erase(c, block->last);
        vmc_block_unlink(block);
    }
}

/* Joins blocks to the one branch that leads to them. */
static void merge_chain(Canon *c, Block *block)
{
    for (;;) {
        Op *br = block->last;
        if (!br || !vmc_is(br, "cf.br"))
            return;
        Block *next = br->successors[0].block;
        if (next == block || edges(next) != 2 || next == next->parent->first)
            return;
        for (uint32_t i = 0; i < next->nargs; i++)
            replace(c, next->args[i], br->operands[br->successors[0].first + i].value);
        erase(c, br);
        for (Op *op = next->first, *after; op; op = after) {
            after = op->next;
            vmc_op_unlink(op);
            vmc_op_append(block, op);
            push(c, op);
        }
        vmc_block_unlink(next);
    }
}

static bool simplify_graphs(Op *op, void *user)
{
    Canon *c = user;
    for (uint32_t r = 0; r < op->nregions; r++) {
        Region *region = &op->regions[r];
        if (region->first == region->last)
            continue;
        count_edges(c, region);
        erase_unreachable(c, region);
        for (Block *block = region->first; block; block = block->next)
            merge_chain(c, block);
        vmc_dominance_changed(region);
    }
    return true;
}

/* ---- the pass -------------------------------------------------------------------------------------- */

static void visit(Canon *c, Op *op)
{
    op->data = NULL;
    if (!is_live(c, op) || remove_dead(c, op))
        return;
    if (vmc_has_trait(op, TRAIT_CONSTANT)) {
        hoist_constant(c, op);
        return;
    }
    order_operands(c, op);
    if (!fold(c, op))
        simplify_control_flow(c, op);
}

static bool clear_data(Op *op, void *user)
{
    (void)user;
    op->data = NULL;
    return true;
}

bool vmc_pass_canonicalize(PassContext *pc)
{
    Canon c = {.ctx = pc->ctx, .scopes = {.arena = &pc->ctx->arena}};
    vmc_walk(pc->ctx->module, push_visited, &c);
    for (int round = 0; round < MAX_ROUNDS; round++) {
        while (c.head < c.work.n)
            visit(&c, c.work.at[c.head++]);
        c.head = c.work.n = 0;
        vmc_walk(pc->ctx->module, simplify_graphs, &c);
        if (!c.work.n)
            break;
    }
    vmc_walk(pc->ctx->module, clear_data, NULL);
    return true;
}
