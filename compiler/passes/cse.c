/* Common subexpressions: an op without effects and regions that repeats one that dominates it is replaced by that one.
 *
 * Blocks are visited in dominance order with a scoped table: an entry made in a block is seen in the
 * blocks that it dominates and in the regions of its ops, and forgotten behind them.  Ops are found by
 * a hash of name, operands, attributes and result types.
 */
#include "passes.h"

typedef struct Entry {
    uint64_t hash;
    Op *op;
    struct Entry *shadowed; /* older entries of that hash */
} Entry;

typedef struct Cse {
    Context *ctx;
    Map table; /* hash -> Entry * (newest) */
    VEC(Entry *) scope;
    uint32_t depth;
} Cse;

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static uint64_t hash_op(const Op *op)
{
    uint64_t hash = mix(1, MAP_KEY(op->def));
    for (uint32_t i = 0; i < op->noperands; i++)
        hash = mix(hash, MAP_KEY(op->operands[i].value));
    for (uint32_t i = 0; i < op->nresults; i++)
        hash = mix(hash, MAP_KEY(op->results[i].type));
    uint64_t attrs = 0; /* the order of attributes does not matter */
    for (uint32_t i = 0; i < op->nattrs; i++)
        attrs += mix(MAP_KEY(op->attrs[i].name), MAP_KEY(op->attrs[i].attr));
    hash = mix(hash, attrs);
    return hash ? hash : 1;
}

static bool same_op(const Op *a, const Op *b)
{
    /* linalg.index means the structured op around it. */
    if (vmc_is(a, "linalg.index") && a->parent != b->parent)
        return false;
    if (a->def != b->def || a->noperands != b->noperands || a->nresults != b->nresults || a->nattrs != b->nattrs)
        return false;
    for (uint32_t i = 0; i < a->noperands; i++)
        if (a->operands[i].value != b->operands[i].value)
            return false;
    for (uint32_t i = 0; i < a->nresults; i++)
        if (a->results[i].type != b->results[i].type)
            return false;
    for (uint32_t i = 0; i < a->nattrs; i++)
        if (vmc_get_attr(b, a->attrs[i].name) != a->attrs[i].attr)
            return false;
    return true;
}

/* tensor.empty and its kin are storage to be written: two of them merged would have to be copied apart again. */
static bool is_candidate(const Op *op)
{
    return op->def && (op->def->traits & (TRAIT_PURE | TRAIT_CONSTANT)) &&
           !(op->def->traits & (TRAIT_TERMINATOR | TRAIT_ALLOCATES)) && op->nregions == 0 && op->nsuccessors == 0 &&
           op->nresults > 0 && !vmc_is(op, "tensor.empty");
}

static void visit_op(Cse *cse, Op *op)
{
    uint64_t hash = hash_op(op);
    Entry *newest = NULL;
    uint64_t found;
    if (vmc_map_get(&cse->table, hash, &found))
        newest = (Entry *)(uintptr_t)found;
    for (const Entry *entry = newest; entry; entry = entry->shadowed)
        if (same_op(entry->op, op)) {
            for (uint32_t i = 0; i < op->nresults; i++)
                vmc_replace_uses(&op->results[i], &entry->op->results[i]);
            vmc_op_erase(op);
            return;
        }
    Entry *entry = ARENA_NEW(&cse->ctx->arena, Entry);
    *entry = (Entry){hash, op, newest};
    vmc_map_put(&cse->table, hash, MAP_KEY(entry));
    VEC_PUSH(&cse->ctx->arena, &cse->scope, entry);
}

static void leave_scope(Cse *cse, size_t size)
{
    while (cse->scope.n > size) {
        const Entry *entry = cse->scope.at[--cse->scope.n];
        vmc_map_put(&cse->table, entry->hash, MAP_KEY(entry->shadowed));
    }
}

static void visit_region(Cse *cse, Region *region);

static void visit_block(Cse *cse, Block *block)
{
    for (Op *op = block->first, *next; op; op = next) {
        next = op->next;
        if (is_candidate(op)) {
            visit_op(cse, op);
            continue;
        }
        for (uint32_t r = 0; r < op->nregions; r++) {
            if (!vmc_has_trait(op, TRAIT_ISOLATED)) {
                visit_region(cse, &op->regions[r]);
                continue;
            }
            Map outer = cse->table;
            cse->table = (Map){.arena = &cse->ctx->arena};
            visit_region(cse, &op->regions[r]);
            cse->table = outer;
        }
    }
}

/* The reachable blocks by dom_in, so that a dominator stands before what it dominates. */
static Block **preorder(Cse *cse, Region *region, size_t *n)
{
    size_t blocks = 0;
    for (const Block *block = region->first; block; block = block->next)
        blocks++;
    Block **by_number = ARENA_ARRAY(&cse->ctx->arena, Block *, 2 * blocks + 1);
    vmc_dominance_update(region);
    for (Block *block = region->first; block; block = block->next)
        by_number[block->dom_in] = block->dom_in ? block : NULL;
    *n = 0;
    for (size_t i = 1; i <= 2 * blocks; i++)
        if (by_number[i])
            by_number[(*n)++] = by_number[i];
    return by_number;
}

typedef struct Frame {
    const Block *block;
    size_t scope;
} Frame;

/* A region of several blocks: walked along the dominator tree, with the entries of the path alive. */
static void visit_graph(Cse *cse, Region *region)
{
    VEC(Frame) path = {0};
    size_t n;
    Block **order = preorder(cse, region, &n);
    for (size_t i = 0; i < n; i++) {
        while (path.n && path.at[path.n - 1].block != order[i]->idom)
            leave_scope(cse, path.at[--path.n].scope);
        Frame frame = {order[i], cse->scope.n};
        VEC_PUSH(&cse->ctx->arena, &path, frame);
        visit_block(cse, order[i]);
    }
}

static void visit_region(Cse *cse, Region *region)
{
    if (!region->first || cse->depth > VMC_MAX_DEPTH)
        return;
    cse->depth++;
    size_t scope = cse->scope.n;
    if (region->first == region->last)
        visit_block(cse, region->first);
    else
        visit_graph(cse, region);
    leave_scope(cse, scope);
    cse->depth--;
}

bool vmc_pass_cse(PassContext *pc)
{
    Cse cse = {.ctx = pc->ctx, .table = {.arena = &pc->ctx->arena}};
    Op *module = pc->ctx->module;
    for (uint32_t r = 0; r < module->nregions; r++)
        visit_region(&cse, &module->regions[r]);
    return true;
}
