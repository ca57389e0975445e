/* util and ml_program globals become memref.global; loads and stores read and write these.  A tensor that is loaded keeps its value
 * whatever is stored later: bufferization copies where it has to.  The initialisers of a module become one function, which every
 * function that a caller outside can reach calls first; a global of its own remembers that it ran. */
#include "lower_globals.h"

#include "builders.h"

typedef struct Globals {
    Context *ctx;
    VEC(Op *) definitions, accesses, initializers, functions;
    bool ok;
} Globals;

static bool fail(Globals *g, const Op *op, const char *what)
{
    vmc_error(&g->ctx->diag, op->pos, "'%s': %s", op->name, what);
    g->ok = false;
    return false;
}

static const Type *memref_of(Context *ctx, const Type *type)
{
    bool tensor = type->kind == TYPE_TENSOR;
    const Type *elem = tensor ? type->elem : type;
    if (elem->kind == TYPE_INT)
        elem = vmc_type_int(ctx, elem->width, SIGNLESS);
    return vmc_type_memref(ctx, tensor ? type->rank : 0, tensor ? type->dims : NULL, elem, NULL, NULL);
}

static bool is_storable(const Type *type)
{
    if (type->kind == TYPE_TENSOR)
        return vmc_has_static_shape(type);
    return type->kind == TYPE_INT || type->kind == TYPE_INDEX || type->kind == TYPE_FLOAT;
}

/* The initial value as elements of the memref's type; zeros where there is none. */
static const Attr *initial_elements(Globals *g, const Op *op, const Type *memref)
{
    Context *ctx = g->ctx;
    const Attr *value = vmc_get_attr(op, vmc_is(op, "util.global") ? "initial_value" : "value");
    const Type *type = vmc_get_attr(op, "type")->type;
    const Type *elements = vmc_type_tensor(ctx, memref->rank, memref->dims, memref->elem, NULL);
    uint64_t slot = 0;
    if (value && (value->kind == ATTR_DENSE || value->kind == ATTR_RESOURCE) && value->type && value->type->kind == TYPE_TENSOR &&
        type->kind == TYPE_TENSOR && value->type->elem == type->elem && value->type->rank == type->rank) {
        bool same = memcmp(value->type->dims, type->dims, type->rank * sizeof *type->dims) == 0;
        if (same && value->kind == ATTR_RESOURCE)
            return value->type == elements ? value : NULL;
        return same ? vmc_attr_dense(ctx, elements, value->data, value->n, value->splat, true) : NULL;
    }
    bool scalar = value && (value->kind == ATTR_INT || value->kind == ATTR_FLOAT) && value->type == type;
    if ((value && !scalar) || (scalar && !vmc_attr_slot(value, 0, &slot)))
        return NULL;
    return vmc_attr_of_slot(ctx, elements, slot);
}

static void lower_definition(Globals *g, Op *op)
{
    Context *ctx = g->ctx;
    const Type *type = vmc_get_attr(op, "type")->type;
    if (!is_storable(type)) {
        fail(g, op, "a global is a number or a tensor of static shape");
        return;
    }
    const Type *memref = memref_of(ctx, type);
    const Attr *value = initial_elements(g, op, memref);
    if (!value) {
        fail(g, op, "the initial value is no number or constant elements of the global's type");
        return;
    }
    const char *name = vmc_get_string(op, "sym_name");
    NamedAttr attrs[] = {{vmc_name(ctx, "sym_name"), vmc_attr_string(ctx, name, strlen(name))},
                         {vmc_name(ctx, "sym_visibility"), vmc_attr_string(ctx, "private", 7)},
                         {vmc_name(ctx, "type"), vmc_attr_type(ctx, memref)},
                         {vmc_name(ctx, "initial_value"), value}};
    Builder b = vmc_before(ctx, op);
    vmc_build(&b, "memref.global", 0, NULL, 0, NULL, sizeof attrs / sizeof attrs[0], attrs, 0);
    vmc_op_erase(op);
}

static Value *get_global(Builder *b, const Attr *symbol, const Type *memref)
{
    NamedAttr attr = {vmc_name(b->ctx, "name"), symbol};
    return &vmc_build(b, "memref.get_global", 0, NULL, 1, &memref, 1, &attr, 0)->results[0];
}

static Value *sign_cast(Builder *b, Value *value, const Type *to)
{
    if (value->type == to)
        return value;
    return vmc_build1(b, to->kind == TYPE_TENSOR ? "tensor.bitcast" : "builtin.unrealized_conversion_cast", to, 1, &value);
}

static const Type *signless(Context *ctx, const Type *type)
{
    const Type *memref = memref_of(ctx, type);
    return type->kind == TYPE_TENSOR ? vmc_type_tensor(ctx, type->rank, type->dims, memref->elem, NULL) : memref->elem;
}

static void lower_access(Globals *g, Op *op)
{
    Context *ctx = g->ctx;
    Builder b = vmc_before(ctx, op);
    const Type *type = op->nresults ? op->results[0].type : op->operands[0].value->type;
    if (!is_storable(type))
        return; /* its definition is refused */
    Value *memref = get_global(&b, vmc_get_attr(op, "global"), memref_of(ctx, type));
    if (op->nresults) {
        const char *load = type->kind == TYPE_TENSOR ? "bufferization.to_tensor" : "memref.load";
        Value *value = sign_cast(&b, vmc_build1(&b, load, signless(ctx, type), 1, &memref), type);
        value->name = value->name ? value->name : op->results[0].name;
        vmc_replace_uses(&op->results[0], value);
    } else {
        Value *operands[2] = {sign_cast(&b, op->operands[0].value, signless(ctx, type)), memref};
        NamedAttr writable = {vmc_name(ctx, "writable"), vmc_attr_unit(ctx)};
        if (type->kind == TYPE_TENSOR)
            vmc_build(&b, "bufferization.materialize_in_destination", 2, operands, 0, NULL, 1, &writable, 0);
        else
            vmc_build(&b, "memref.store", 2, operands, 0, NULL, 0, NULL, 0);
    }
    vmc_op_erase(op);
}

/* ---- initialisers ---------------------------------------------------------------------- */

/* NAME, NAME$1, NAME$2, ...: the next that no symbol has, from *next on.  All are asked for before a symbol is added, since that
   drops the index of the table. */
static const char *free_name(Op *table, const char *name, uint32_t *next, Arena *arena)
{
    const char *candidate;
    do
        candidate = *next ? vmc_arena_printf(arena, "%s$%u", name, *next) : name;
    while ((*next)++, vmc_lookup_symbol(table, candidate));
    return candidate;
}

static const Attr *symbol_attr(Context *ctx, const char *name)
{
    return vmc_attr_symbol(ctx, name, 0, NULL);
}

static Op *make_function(Builder *b, const char *name)
{
    Context *ctx = b->ctx;
    NamedAttr attrs[] = {{vmc_name(ctx, "sym_name"), vmc_attr_string(ctx, name, strlen(name))},
                         {vmc_name(ctx, "function_type"), vmc_attr_type(ctx, vmc_type_function(ctx, 0, NULL, 0, NULL))},
                         {vmc_name(ctx, "sym_visibility"), vmc_attr_string(ctx, "private", 7)}};
    return vmc_build(b, "func.func", 0, NULL, 0, NULL, sizeof attrs / sizeof attrs[0], attrs, 1);
}

static void call(Builder *b, const char *name)
{
    NamedAttr attr = {vmc_name(b->ctx, "callee"), symbol_attr(b->ctx, name)};
    vmc_build(b, "func.call", 0, NULL, 0, NULL, 1, &attr, 0);
}

/* A private function with the body of the initialiser, in its place. */
static void function_of_initializer(Globals *g, const char *name, Op *op)
{
    Builder b = vmc_before(g->ctx, op);
    Op *func = make_function(&b, name);
    for (Block *block = op->regions[0].first, *next; block; block = next) {
        next = block->next;
        vmc_block_unlink(block);
        vmc_block_append(&func->regions[0], block);
    }
    vmc_dominance_changed(&func->regions[0]);
    vmc_op_erase(op);
}

/* if (!done) { done = true; call all }, at the start of a function. */
static void guard(Globals *g, Op *func, const char *done, const char *run)
{
    Context *ctx = g->ctx;
    Op *first = vmc_entry(func, 0)->first;
    Builder b = first ? vmc_before(ctx, first) : vmc_at_end(ctx, vmc_entry(func, 0), func->pos);
    const Type *i1 = vmc_type_int(ctx, 1, SIGNLESS);
    Value *flag = get_global(&b, symbol_attr(ctx, done), vmc_type_memref(ctx, 0, NULL, i1, NULL, NULL));
    Value *ran = vmc_build1(&b, "memref.load", i1, 1, &flag);
    Value *yes = vmc_build_const(&b, vmc_attr_bool(ctx, true), i1);
    Value *first_time = vmc_binary(&b, "arith.xori", ran, yes);
    Op *choice = vmc_build(&b, "scf.if", 1, &first_time, 0, NULL, 0, NULL, 2);
    vmc_block_append(&choice->regions[0], vmc_block_create(ctx));
    Builder then = vmc_at_end(ctx, vmc_entry(choice, 0), func->pos);
    Value *operands[2] = {yes, flag};
    vmc_build(&then, "memref.store", 2, operands, 0, NULL, 0, NULL, 0);
    call(&then, run);
    vmc_build_yield(&then, "scf.yield", 0, NULL);
}

static bool is_reachable_from_outside(const Op *func)
{
    const char *visibility = vmc_get_string(func, "sym_visibility");
    return func->regions[0].first && (!visibility || strcmp(visibility, "public") == 0);
}

static void lower_initializers(Globals *g)
{
    Context *ctx = g->ctx;
    Op *table = vmc_parent_op(g->initializers.at[0]);
    VEC(const char *) names = {0};
    uint32_t next = 0, next_flag = 0, next_run = 0;
    for (size_t i = 0; i < g->initializers.n; i++) {
        if (vmc_parent_op(g->initializers.at[i]) != table) {
            fail(g, g->initializers.at[i], "initialisers stand in one module");
            return;
        }
        VEC_PUSH(&ctx->arena, &names, free_name(table, "__initializer", &next, &ctx->arena));
    }
    const char *done = free_name(table, "__initialized", &next_flag, &ctx->arena);
    const char *run = free_name(table, "__initialize", &next_run, &ctx->arena);
    for (size_t i = 0; i < names.n; i++)
        function_of_initializer(g, names.at[i], g->initializers.at[i]);
    Builder b = vmc_at_end(ctx, vmc_entry(table, 0), table->pos);
    const Type *memref = vmc_type_memref(ctx, 0, NULL, vmc_type_int(ctx, 1, SIGNLESS), NULL, NULL);
    const Type *elements = vmc_type_tensor(ctx, 0, NULL, memref->elem, NULL);
    NamedAttr attrs[] = {{vmc_name(ctx, "sym_name"), vmc_attr_string(ctx, done, strlen(done))},
                         {vmc_name(ctx, "sym_visibility"), vmc_attr_string(ctx, "private", 7)},
                         {vmc_name(ctx, "type"), vmc_attr_type(ctx, memref)},
                         {vmc_name(ctx, "initial_value"), vmc_attr_of_slot(ctx, elements, 0)}};
    vmc_build(&b, "memref.global", 0, NULL, 0, NULL, sizeof attrs / sizeof attrs[0], attrs, 0);
    Op *func = make_function(&b, run);
    vmc_block_append(&func->regions[0], vmc_block_create(ctx));
    Builder body = vmc_at_end(ctx, vmc_entry(func, 0), table->pos);
    for (size_t i = 0; i < names.n; i++)
        call(&body, names.at[i]);
    vmc_build_yield(&body, "func.return", 0, NULL);
    for (size_t i = 0; i < g->functions.n; i++)
        if (vmc_parent_op(g->functions.at[i]) == table && is_reachable_from_outside(g->functions.at[i]))
            guard(g, g->functions.at[i], done, run);
}

/* ---- the walk ------------------------------------------------------------------------------ */

static bool collect(Op *op, void *user)
{
    Globals *g = user;
    Arena *arena = &g->ctx->arena;
    if (vmc_is(op, "util.global") || vmc_is(op, "ml_program.global"))
        VEC_PUSH(arena, &g->definitions, op);
    else if (vmc_is(op, "util.initializer"))
        VEC_PUSH(arena, &g->initializers, op);
    else if (vmc_is(op, "func.func"))
        VEC_PUSH(arena, &g->functions, op);
    else if (strncmp(op->name, "util.global.", 12) == 0 || strncmp(op->name, "ml_program.global_", 18) == 0)
        VEC_PUSH(arena, &g->accesses, op);
    return true;
}

bool vmc_lower_globals(Context *ctx)
{
    Globals g = {.ctx = ctx, .ok = true};
    vmc_walk(ctx->module, collect, &g);
    for (size_t i = 0; i < g.accesses.n; i++)
        lower_access(&g, g.accesses.at[i]);
    for (size_t i = 0; i < g.definitions.n; i++)
        lower_definition(&g, g.definitions.at[i]);
    if (g.ok && g.initializers.n)
        lower_initializers(&g);
    return g.ok;
}
