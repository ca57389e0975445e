/* Operations, blocks and values: creation, links, uses, symbols, walks. */
#include "ir.h"

#include "../dialects/dialect.h"
#include "tables.h"

void vmc_context_init(Context *ctx)
{
    vmc_arena_init(&ctx->arena, &ctx->memory);
    vmc_arena_init(&ctx->scratch, &ctx->memory);
    ctx->names = (Interner){.arena = &ctx->arena};
    ctx->diag.arena = &ctx->arena;
    ctx->tables = ARENA_NEW(&ctx->arena, Tables);
    ctx->formats = ARENA_NEW(&ctx->arena, Map);
    ctx->formats->arena = &ctx->arena;
    ctx->buffer_types.arena = &ctx->arena;
    ctx->resources = (Map){.arena = &ctx->arena};
    ctx->module = NULL;
    ctx->limits_depth = 0;
    vmc_register_dialects(ctx);
}

void vmc_context_free(Context *ctx)
{
    vmc_arena_free(&ctx->scratch);
    vmc_arena_free(&ctx->arena);
}

const char *vmc_name(Context *ctx, const char *text)
{
    return vmc_intern(&ctx->names, text, strlen(text));
}

/* ---- uses ---------------------------------------------------------------- */

static void add_use(Use *use, Op *owner, Value *value)
{
    use->value = value;
    use->owner = owner;
    if (!value) {
        use->next = NULL;
        use->link = NULL;
        return;
    }
    use->next = value->uses;
    use->link = &value->uses;
    if (use->next)
        use->next->link = &use->next;
    value->uses = use;
}

static void drop_use(Use *use)
{
    if (!use->link)
        return;
    *use->link = use->next;
    if (use->next)
        use->next->link = use->link;
    use->link = NULL;
    use->next = NULL;
    use->value = NULL;
}

void vmc_set_operand(Op *op, uint32_t i, Value *value)
{
    drop_use(&op->operands[i]);
    add_use(&op->operands[i], op, value);
}

void vmc_set_operands(Context *ctx, Op *op, uint32_t n, Value *const *values)
{
    Value **copy = vmc_arena_dup(&ctx->arena, values, n * sizeof(*values)); /* `values` may point into the operands */
    for (uint32_t i = 0; i < op->noperands; i++)
        drop_use(&op->operands[i]);
    if (n > op->noperands)
        op->operands = ARENA_ARRAY(&ctx->arena, Use, n);
    op->noperands = n;
    for (uint32_t i = 0; i < n; i++)
        add_use(&op->operands[i], op, copy[i]);
}

void vmc_replace_uses(Value *old, Value *with)
{
    if (old == with || !old->uses)
        return;
    Use *last = old->uses;
    for (;; last = last->next) {
        last->value = with;
        if (!last->next)
            break;
    }
    last->next = with->uses;
    if (with->uses)
        with->uses->link = &last->next;
    with->uses = old->uses;
    with->uses->link = &with->uses;
    old->uses = NULL;
}

/* ---- ops ----------------------------------------------------------------- */

Op *vmc_op_create(Context *ctx, const OpState *state)
{
    Arena *arena = &ctx->arena;
    size_t size = sizeof(Op) + state->noperands * sizeof(Use) + state->nresults * sizeof(Value) + state->nregions * sizeof(Region) +
                  state->nsuccessors * sizeof(Successor) + state->nattrs * sizeof(NamedAttr);
    Op *op = vmc_arena_zalloc(arena, size);
    op->operands = (Use *)(op + 1);
    op->results = (Value *)(op->operands + state->noperands);
    op->regions = (Region *)(op->results + state->nresults);
    op->successors = (Successor *)(op->regions + state->nregions);
    op->attrs = (NamedAttr *)(op->successors + state->nsuccessors);

    op->name = vmc_name(ctx, state->name);
    op->def = vmc_find_def(ctx, op->name);
    if (op->def && strcmp(op->def->name, op->name) != 0)
        op->name = vmc_name(ctx, op->def->name); /* an older spelling */
    op->pos = state->pos;
    op->loc = state->loc;
    op->noperands = state->noperands;
    op->nresults = state->nresults;
    op->nregions = state->nregions;
    op->nsuccessors = state->nsuccessors;
    op->nattrs = state->nattrs;
    for (uint32_t i = 0; i < op->noperands; i++)
        add_use(&op->operands[i], op, state->operands[i]);
    for (uint32_t i = 0; i < op->nresults; i++)
        op->results[i] = (Value){.type = state->result_types[i], .op = op, .index = i, .pos = state->pos};
    for (uint32_t i = 0; i < op->nregions; i++)
        op->regions[i] = (Region){.parent = op, .index = i};
    uint32_t taken = 0;
    for (uint32_t i = 0; state->successor_counts && i < op->nsuccessors; i++)
        taken += state->successor_counts[i];
    uint32_t first = op->noperands - taken;
    for (uint32_t i = 0; i < op->nsuccessors; i++) {
        uint32_t count = state->successor_counts ? state->successor_counts[i] : 0;
        op->successors[i] = (Successor){state->successors[i], first, count};
        first += count;
    }
    for (uint32_t i = 0; i < op->nattrs; i++)
        op->attrs[i] = (NamedAttr){vmc_name(ctx, state->attrs[i].name), state->attrs[i].attr};
    return op;
}

static void block_changed(Block *block, const Op *op)
{
    block->version++;
    if (op->nsuccessors && block->parent)
        vmc_dominance_changed(block->parent);
}

void vmc_op_insert_before(Op *op, Op *at)
{
    Block *block = at->parent;
    op->parent = block;
    op->next = at;
    op->prev = at->prev;
    if (at->prev)
        at->prev->next = op;
    else
        block->first = op;
    at->prev = op;
    block_changed(block, op);
    uint32_t low = op->prev ? op->prev->order : 0;
    if (block->order_valid && at->order - low >= 2)
        op->order = low + (at->order - low) / 2;
    else
        block->order_valid = false;
}

#define ORDER_STEP 16u

void vmc_op_append(Block *block, Op *op)
{
    op->parent = block;
    op->next = NULL;
    op->prev = block->last;
    if (block->last)
        block->last->next = op;
    else
        block->first = op;
    block->last = op;
    block_changed(block, op);
    if (!op->prev)
        block->order_valid = true;
    uint32_t low = op->prev ? op->prev->order : 0;
    if (low > UINT32_MAX - ORDER_STEP)
        block->order_valid = false;
    else
        op->order = low + ORDER_STEP;
}

void vmc_op_unlink(Op *op)
{
    Block *block = op->parent;
    if (!block)
        return;
    block_changed(block, op);
    if (op->prev)
        op->prev->next = op->next;
    else
        block->first = op->next;
    if (op->next)
        op->next->prev = op->prev;
    else
        block->last = op->prev;
    op->parent = NULL;
    op->prev = op->next = NULL;
}

static void drop_all_uses(Op *op)
{
    for (uint32_t i = 0; i < op->noperands; i++)
        drop_use(&op->operands[i]);
    for (uint32_t r = 0; r < op->nregions; r++)
        for (Block *b = op->regions[r].first; b; b = b->next)
            for (Op *inner = b->first; inner; inner = inner->next)
                drop_all_uses(inner);
}

void vmc_op_erase(Op *op)
{
    vmc_op_unlink(op);
    drop_all_uses(op);
}

bool vmc_op_before(Op *a, Op *b)
{
    Block *block = a->parent;
    if (!block->order_valid) {
        uint32_t n = 0, count = 0;
        for (const Op *op = block->first; op; op = op->next)
            count++;
        uint32_t step = count < UINT32_MAX / ORDER_STEP ? ORDER_STEP : 1;
        for (Op *op = block->first; op; op = op->next)
            op->order = n += step;
        block->order_valid = true;
    }
    return a->order < b->order;
}

bool vmc_is_ancestor(const Op *ancestor, const Op *op)
{
    while (op && op != ancestor)
        op = vmc_parent_op(op);
    return op != NULL;
}

bool vmc_defined_inside(const Op *op, const Value *value)
{
    const Op *owner = value->op ? vmc_parent_op(value->op) : value->block->parent ? value->block->parent->parent : NULL;
    return owner && vmc_is_ancestor(op, owner);
}

/* ---- cloning ------------------------------------------------------------- */

typedef struct Fixup {
    Op *op;
    uint32_t operand;
} Fixup;

typedef struct Cloner {
    Context *ctx;
    Map *values;
    VEC(Fixup) fixups; /* operands whose value had no clone when they were met */
} Cloner;

static Op *clone_op(Cloner *c, const Op *op);

static void clone_region(Cloner *c, const Region *from, Region *to)
{
    Map blocks = {.arena = &c->ctx->arena};
    for (const Block *b = from->first; b; b = b->next) {
        Block *copy = vmc_block_create(c->ctx);
        copy->name = b->name;
        vmc_block_append(to, copy);
        vmc_map_put_ptr(&blocks, b, copy);
        for (uint32_t i = 0; i < b->nargs; i++) {
            Value *arg = vmc_block_add_arg(c->ctx, copy, b->args[i]->type, b->args[i]->pos);
            arg->name = b->args[i]->name;
            arg->loc = b->args[i]->loc;
            vmc_map_put_ptr(c->values, b->args[i], arg);
        }
    }
    Block *copy = to->first;
    for (const Block *b = from->first; b; b = b->next, copy = copy->next) {
        for (const Op *op = b->first; op; op = op->next) {
            Op *new_op = clone_op(c, op);
            for (uint32_t i = 0; i < new_op->nsuccessors; i++) {
                Block *target = vmc_map_ptr(&blocks, new_op->successors[i].block);
                if (target)
                    new_op->successors[i].block = target;
            }
            vmc_op_append(copy, new_op);
        }
    }
}

static Op *clone_op(Cloner *c, const Op *op)
{
    Arena *arena = &c->ctx->arena;
    Value **operands = ARENA_ARRAY(arena, Value *, op->noperands);
    const Type **types = ARENA_ARRAY(arena, const Type *, op->nresults);
    Block **successors = ARENA_ARRAY(arena, Block *, op->nsuccessors);
    uint32_t *counts = ARENA_ARRAY(arena, uint32_t, op->nsuccessors);
    for (uint32_t i = 0; i < op->noperands; i++) {
        Value *mapped = vmc_map_ptr(c->values, op->operands[i].value);
        operands[i] = mapped ? mapped : op->operands[i].value;
    }
    for (uint32_t i = 0; i < op->nresults; i++)
        types[i] = op->results[i].type;
    for (uint32_t i = 0; i < op->nsuccessors; i++) {
        successors[i] = op->successors[i].block;
        counts[i] = op->successors[i].count;
    }
    OpState state = {.name = op->name,
                     .pos = op->pos,
                     .loc = op->loc,
                     .noperands = op->noperands,
                     .operands = operands,
                     .nresults = op->nresults,
                     .result_types = types,
                     .nattrs = op->nattrs,
                     .attrs = op->attrs,
                     .nregions = op->nregions,
                     .nsuccessors = op->nsuccessors,
                     .successors = successors,
                     .successor_counts = counts};
    Op *copy = vmc_op_create(c->ctx, &state);
    for (uint32_t i = 0; i < op->noperands; i++) {
        if (operands[i] == op->operands[i].value) {
            Fixup fixup = {copy, i};
            VEC_PUSH(arena, &c->fixups, fixup);
        }
    }
    for (uint32_t i = 0; i < op->nresults; i++) {
        copy->results[i].name = op->results[i].name;
        copy->results[i].pos = op->results[i].pos;
        vmc_map_put_ptr(c->values, &op->results[i], &copy->results[i]);
    }
    for (uint32_t r = 0; r < op->nregions; r++)
        clone_region(c, &op->regions[r], &copy->regions[r]);
    return copy;
}

Op *vmc_op_clone(Context *ctx, const Op *op, Map *values)
{
    Map own = {.arena = &ctx->arena};
    Cloner c = {.ctx = ctx, .values = values ? values : &own};
    if (!c.values->arena)
        c.values->arena = &ctx->arena;
    Op *copy = clone_op(&c, op);
    for (size_t i = 0; i < c.fixups.n; i++) {
        Fixup f = c.fixups.at[i];
        Value *mapped = vmc_map_ptr(c.values, f.op->operands[f.operand].value);
        if (mapped)
            vmc_set_operand(f.op, f.operand, mapped);
    }
    return copy;
}

/* ---- attributes of ops --------------------------------------------------- */

const Attr *vmc_get_attr(const Op *op, const char *name)
{
    for (uint32_t i = 0; i < op->nattrs; i++)
        if (op->attrs[i].name == name || strcmp(op->attrs[i].name, name) == 0)
            return op->attrs[i].attr;
    return NULL;
}

void vmc_set_attr(Context *ctx, Op *op, const char *name, const Attr *attr)
{
    if (op->parent && strcmp(name, "sym_name") == 0)
        op->parent->version++;
    for (uint32_t i = 0; i < op->nattrs; i++) {
        if (strcmp(op->attrs[i].name, name) != 0)
            continue;
        if (attr) {
            op->attrs[i].attr = attr;
            return;
        }
        memmove(&op->attrs[i], &op->attrs[i + 1], (op->nattrs - i - 1) * sizeof(NamedAttr));
        op->nattrs--;
        return;
    }
    if (!attr)
        return;
    NamedAttr *attrs = ARENA_ARRAY(&ctx->arena, NamedAttr, op->nattrs + 1);
    if (op->nattrs)
        memcpy(attrs, op->attrs, op->nattrs * sizeof(NamedAttr));
    attrs[op->nattrs++] = (NamedAttr){vmc_name(ctx, name), attr};
    op->attrs = attrs;
}

bool vmc_get_int(const Op *op, const char *name, int64_t *value)
{
    const Attr *attr = vmc_get_attr(op, name);
    if (!attr || attr->kind != ATTR_INT)
        return false;
    *value = attr->i;
    return true;
}

const char *vmc_get_string(const Op *op, const char *name)
{
    const Attr *attr = vmc_get_attr(op, name);
    return attr && (attr->kind == ATTR_STRING || attr->kind == ATTR_SYMBOL) ? attr->s : NULL;
}

/* ---- blocks -------------------------------------------------------------- */

Block *vmc_block_create(Context *ctx)
{
    Block *block = ARENA_NEW(&ctx->arena, Block);
    block->ctx = ctx;
    block->order_valid = true;
    return block;
}

void vmc_block_append(Region *region, Block *block)
{
    block->parent = region;
    block->next = NULL;
    block->prev = region->last;
    if (region->last)
        region->last->next = block;
    else
        region->first = block;
    region->last = block;
    vmc_dominance_changed(region);
}

void vmc_block_insert_before(Block *block, Block *at)
{
    Region *region = at->parent;
    block->parent = region;
    block->next = at;
    block->prev = at->prev;
    if (at->prev)
        at->prev->next = block;
    else
        region->first = block;
    at->prev = block;
    vmc_dominance_changed(region);
}

void vmc_block_unlink(Block *block)
{
    Region *region = block->parent;
    if (!region)
        return;
    if (block->prev)
        block->prev->next = block->next;
    else
        region->first = block->next;
    if (block->next)
        block->next->prev = block->prev;
    else
        region->last = block->prev;
    block->parent = NULL;
    block->prev = block->next = NULL;
    vmc_dominance_changed(region);
}

Value *vmc_block_add_arg(Context *ctx, Block *block, const Type *type, SrcPos pos)
{
    if (block->nargs == block->cap_args) {
        uint32_t cap = block->cap_args ? 2 * block->cap_args : 4;
        block->args = vmc_arena_grow(&ctx->arena, block->args, block->cap_args * sizeof(*block->args), cap * sizeof(*block->args));
        block->cap_args = cap;
    }
    Value *arg = ARENA_NEW(&ctx->arena, Value);
    *arg = (Value){.type = type, .block = block, .index = block->nargs, .pos = pos};
    block->args[block->nargs++] = arg;
    return arg;
}

void vmc_block_erase_arg(Block *block, uint32_t i)
{
    memmove(&block->args[i], &block->args[i + 1], (block->nargs - i - 1) * sizeof(*block->args));
    block->nargs--;
    for (; i < block->nargs; i++)
        block->args[i]->index = i;
}

/* ---- builder ------------------------------------------------------------- */

Builder vmc_before(Context *ctx, Op *op)
{
    return (Builder){.ctx = ctx, .block = op->parent, .at = op, .pos = op->pos, .loc = op->loc};
}

Builder vmc_at_end(Context *ctx, Block *block, SrcPos pos)
{
    return (Builder){.ctx = ctx, .block = block, .pos = pos};
}

Op *vmc_build(Builder *b, const char *name, uint32_t noperands, Value *const *operands, uint32_t nresults, const Type *const *types,
              uint32_t nattrs, const NamedAttr *attrs, uint32_t nregions)
{
    OpState state = {.name = name,
                     .pos = b->pos,
                     .loc = b->loc,
                     .noperands = noperands,
                     .operands = operands,
                     .nresults = nresults,
                     .result_types = types,
                     .nattrs = nattrs,
                     .attrs = attrs,
                     .nregions = nregions};
    Op *op = vmc_op_create(b->ctx, &state);
    if (b->at)
        vmc_op_insert_before(op, b->at);
    else if (b->block)
        vmc_op_append(b->block, op);
    return op;
}

Value *vmc_build1(Builder *b, const char *name, const Type *type, uint32_t noperands, Value *const *operands)
{
    return vmc_build(b, name, noperands, operands, 1, &type, 0, NULL, 0)->results;
}

Value *vmc_build_const(Builder *b, const Attr *value, const Type *type)
{
    NamedAttr attr = {"value", value};
    return vmc_build(b, "arith.constant", 0, NULL, 1, &type, 1, &attr, 0)->results;
}

Value *vmc_build_index(Builder *b, int64_t value)
{
    return vmc_build_const(b, vmc_attr_index(b->ctx, value), vmc_type_index(b->ctx));
}

const Attr *vmc_constant_of(const Value *value)
{
    return value->op && vmc_has_trait(value->op, TRAIT_CONSTANT) ? vmc_get_attr(value->op, "value") : NULL;
}

bool vmc_constant_int(const Value *value, int64_t *out)
{
    const Attr *attr = vmc_constant_of(value);
    if (!attr || attr->kind != ATTR_INT)
        return false;
    *out = attr->i;
    return true;
}

/* ---- symbols ------------------------------------------------------------- */

static const char *symbol_of(const Op *op)
{
    const Attr *attr = vmc_get_attr(op, "sym_name");
    return attr && attr->kind == ATTR_STRING ? attr->s : NULL;
}

static uint64_t symbol_key(const char *name)
{
    uint64_t h = vmc_hash(name, strlen(name), 1);
    return h ? h : 1;
}

static void index_symbols(Block *block)
{
    Arena *arena = &block->ctx->arena;
    block->symbols = ARENA_NEW(arena, Map);
    block->symbols->arena = arena;
    block->symbols_version = block->version;
    for (Op *op = block->first; op; op = op->next) {
        const char *name = symbol_of(op);
        uint64_t seen;
        if (name && !vmc_map_get(block->symbols, symbol_key(name), &seen)) /* the first of two equals */
            vmc_map_put(block->symbols, symbol_key(name), MAP_KEY(op));
    }
}

Op *vmc_lookup_symbol(Op *table, const char *name)
{
    if (!table->nregions || !table->regions[0].first)
        return NULL;
    Block *block = table->regions[0].first;
    uint64_t found;
    if (block->symbols && vmc_map_get(block->symbols, symbol_key(name), &found)) {
        Op *op = (Op *)(uintptr_t)found;
        const char *own = op->parent == block ? symbol_of(op) : NULL;
        if (own && strcmp(own, name) == 0)
            return op; /* holds even after other changes */
    }
    if (!block->symbols || block->symbols_version != block->version)
        index_symbols(block);
    if (!vmc_map_get(block->symbols, symbol_key(name), &found))
        return NULL;
    Op *op = (Op *)(uintptr_t)found;
    if (strcmp(symbol_of(op), name) == 0)
        return op;
    for (op = block->first; op; op = op->next) { /* two names of one hash */
        const char *own = symbol_of(op);
        if (own && strcmp(own, name) == 0)
            return op;
    }
    return NULL;
}

static bool is_symbol_table(const Op *op)
{
    return op->def ? (op->def->traits & TRAIT_SYMBOL_TABLE) != 0 : strcmp(op->name, "builtin.module") == 0;
}

Op *vmc_resolve_symbol(Op *from, const Attr *symbol)
{
    if (!symbol || symbol->kind != ATTR_SYMBOL)
        return NULL;
    for (Op *table = from; table; table = vmc_parent_op(table)) {
        if (!is_symbol_table(table))
            continue;
        Op *found = vmc_lookup_symbol(table, symbol->s);
        for (size_t i = 0; found && i < symbol->n; i++)
            found = vmc_lookup_symbol(found, symbol->elems[i]->s);
        if (found)
            return found;
    }
    return NULL;
}

/* ---- walks --------------------------------------------------------------- */

static bool walk_regions(Op *op, bool post, bool (*visit)(Op *op, void *user), void *user);

static bool walk_op(Op *op, bool post, bool (*visit)(Op *op, void *user), void *user)
{
    if (post)
        return walk_regions(op, post, visit, user) && visit(op, user);
    Block *parent = op->parent;
    if (!visit(op, user))
        return false;
    if (parent && op->parent != parent)
        return true; /* erased, or moved to where it will be met again */
    return walk_regions(op, post, visit, user);
}

static bool walk_regions(Op *op, bool post, bool (*visit)(Op *op, void *user), void *user)
{
    for (uint32_t r = 0; r < op->nregions; r++) {
        for (Block *b = op->regions[r].first, *next_block; b; b = next_block) {
            next_block = b->next;
            for (Op *inner = b->first, *next; inner; inner = next) {
                next = inner->next;
                if (!walk_op(inner, post, visit, user))
                    return false;
            }
        }
    }
    return true;
}

bool vmc_walk(Op *root, bool (*visit)(Op *op, void *user), void *user)
{
    return walk_op(root, false, visit, user);
}
bool vmc_walk_post(Op *root, bool (*visit)(Op *op, void *user), void *user)
{
    return walk_op(root, true, visit, user);
}
