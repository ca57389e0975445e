/* First lowering: what is only spelling or convenience becomes ops that the rest of the compiler knows.
 *
 *  - check.* become calls of host functions; how they pass their operands stands in vm/doc/host-functions.md;
 *  - util.unfoldable_constant becomes a constant behind util.optimization_barrier, which no pass looks through
 *    and bufferization (tensors) and emission take as the identity;
 *  - constants of the index dialect become arith.constant; compares that are always false or true become constants;
 *  - flow constants become constants likewise; flow.tensor.tie_shape a check of the sizes;
 *  - globals of util and ml_program become memref.global (lower_globals.c);
 *  - casts between equal types go;
 *  - schedules of the transform dialect go, with a warning.
 * Print helpers are external func.func declarations already: imports by name.
 */
#include "builders.h"
#include "expand_arith.h"
#include "lower_globals.h"
#include "passes.h"

typedef struct Lowering {
    Context *ctx;
    Map rules;   /* OpDef -> Rule */
    Map imports; /* function type and name -> declaration */
    Map symbols; /* interned name of every symbol, in whatever table */
    VEC(Op *) work;
    bool warned; /* of schedules */
} Lowering;

static void replace_with(Op *op, Value *value)
{
    value->name = value->name ? value->name : op->results[0].name;
    vmc_replace_uses(&op->results[0], value);
    vmc_op_erase(op);
}

/* ---- check ------------------------------------------------------------------------ */

/* The module (symbol table) around an op. */
static Op *table_of(Op *op)
{
    while (op && !vmc_has_trait(op, TRAIT_SYMBOL_TABLE))
        op = vmc_parent_op(op);
    return op;
}

/* `name`, or `name$1`, ...: no symbol of the module has it. */
static const char *free_symbol(Lowering *l, const char *name)
{
    const char *symbol = vmc_name(l->ctx, name);
    for (size_t i = l->symbols.n; vmc_map_ptr(&l->symbols, symbol); i++)
        symbol = vmc_name(l->ctx, vmc_arena_printf(&l->ctx->arena, "%s$%zu", name, i));
    vmc_map_put(&l->symbols, MAP_KEY(symbol), 1);
    return symbol;
}

/* The host function only reads its tensors: bufferization needs no copy for it. */
static const Attr *read_only_args(Context *ctx, const Type *type)
{
    NamedAttr access = {vmc_name(ctx, "bufferization.access"), vmc_attr_string(ctx, "read", 4)};
    const Attr **dicts = ARENA_ARRAY(&ctx->arena, const Attr *, type->nins);
    for (uint32_t i = 0; i < type->nins; i++)
        dicts[i] = vmc_attr_dict(ctx, vmc_is_tensor(type->ins[i]), &access);
    return vmc_attr_array(ctx, type->nins, dicts);
}

static Op *declare(Lowering *l, Op *table, const char *name, const Type *type)
{
    Context *ctx = l->ctx;
    const char *symbol = free_symbol(l, name);
    NamedAttr attrs[] = {{"sym_name", vmc_attr_string(ctx, symbol, strlen(symbol))},
                         {"function_type", vmc_attr_type(ctx, type)},
                         {"sym_visibility", vmc_attr_string(ctx, "private", 7)},
                         {"arg_attrs", read_only_args(ctx, type)},
                         {"bufvm.import", vmc_attr_string(ctx, name, strlen(name))}};
    Builder b = vmc_at_end(ctx, vmc_entry(table, 0), table->pos);
    return vmc_build(&b, "func.func", 0, NULL, 0, NULL, sizeof attrs / sizeof attrs[0], attrs, 1);
}

/* One declaration for each module, host function and signature. */
static Op *declaration_of(Lowering *l, Op *table, const char *name, const Type *type)
{
    uint64_t key = (MAP_KEY(table) * 31 + MAP_KEY(vmc_name(l->ctx, name))) * 31 + MAP_KEY(type), found;
    key = key ? key : 1;
    if (vmc_map_get(&l->imports, key, &found)) {
        Op *known = (Op *)(uintptr_t)found;
        if (vmc_parent_op(known) == table && vmc_get_attr(known, "function_type")->type == type &&
            strcmp(vmc_get_string(known, "bufvm.import"), name) == 0)
            return known;
    }
    Op *made = declare(l, table, name, type);
    vmc_map_put(&l->imports, key, MAP_KEY(made));
    return made;
}

static void call_host(Lowering *l, Op *op, const char *name, uint32_t n, Value *const *operands)
{
    Context *ctx = l->ctx;
    const Type **ins = ARENA_ARRAY(&ctx->arena, const Type *, n);
    for (uint32_t i = 0; i < n; i++)
        ins[i] = operands[i]->type;
    const Op *callee = declaration_of(l, table_of(op), name, vmc_type_function(ctx, n, ins, 0, NULL));
    Builder b = vmc_before(ctx, op);
    NamedAttr attr = {"callee", vmc_attr_symbol(ctx, vmc_get_string(callee, "sym_name"), 0, NULL)};
    vmc_build(&b, "func.call", n, operands, 0, NULL, 1, &attr, 0);
    vmc_op_erase(op);
}

static Value *tolerance(Builder *b, const Op *op, const char *name, float fallback)
{
    const Attr *attr = vmc_get_attr(op, name);
    if (!attr) {
        uint32_t bits;
        memcpy(&bits, &fallback, sizeof bits);
        attr = vmc_attr_float_bits(b->ctx, vmc_type_float(b->ctx, FLOAT_F32), bits);
    }
    return vmc_build_const(b, attr, attr->type);
}

static void lower_check(Lowering *l, Op *op)
{
    bool almost = strncmp(op->name, "check.expect_almost", 19) == 0;
    Value *operands[4];
    uint32_t n = 0;
    Builder b = vmc_before(l->ctx, op);
    for (; n < op->noperands; n++)
        operands[n] = op->operands[n].value;
    const Attr *value = vmc_get_attr(op, "value");
    if (value)
        operands[n++] = vmc_build_const(&b, value, value->type);
    if (almost) {
        operands[n++] = tolerance(&b, op, "atol", 1e-4f);
        operands[n++] = tolerance(&b, op, "rtol", 0.0f);
    }
    const char *name = almost ? "check.expect_almost_eq" : value ? "check.expect_eq" : op->name;
    call_host(l, op, name, n, operands);
}

/* ---- constants ------------------------------------------------------------------------ */

static void lower_unfoldable(Lowering *l, Op *op)
{
    Builder b = vmc_before(l->ctx, op);
    Value *constant = vmc_build_const(&b, vmc_get_attr(op, "value"), op->results[0].type);
    replace_with(op, vmc_build1(&b, "util.optimization_barrier", constant->type, 1, &constant));
}

/* The shape is hidden behind a cast, the elements behind the barrier. */
static void lower_flow_constant(Lowering *l, Op *op)
{
    Builder b = vmc_before(l->ctx, op);
    const Attr *elements = vmc_get_attr(op, "value");
    Value *value = vmc_build_const(&b, elements, elements->type);
    if (value->type != op->results[0].type)
        value = vmc_build1(&b, "tensor.cast", op->results[0].type, 1, &value);
    replace_with(op, vmc_build1(&b, "util.optimization_barrier", value->type, 1, &value));
}

/* The sizes that the tensor has are those that it is said to have. */
static void lower_tie_shape(Lowering *l, Op *op)
{
    Value *value = op->operands[0].value;
    const Type *type = value->type;
    Builder b = vmc_before(l->ctx, op);
    for (uint32_t i = 0, next = 1; i < type->rank; i++)
        if (type->dims[i] == VMC_DYNAMIC)
            vmc_assert_that(&b, vmc_cmpi(&b, CMPI_EQ, vmc_dim_of(&b, value, i), op->operands[next++].value),
                            vmc_arena_printf(&l->ctx->arena, "%s: the tensor has another size, dimension %u", op->name, i));
    replace_with(op, value);
}

static void lower_index_constant(Lowering *l, Op *op)
{
    Builder b = vmc_before(l->ctx, op);
    replace_with(op, vmc_build_const(&b, vmc_get_attr(op, "value"), op->results[0].type));
}

static void lower_sizeof(Lowering *l, Op *op)
{
    Builder b = vmc_before(l->ctx, op);
    replace_with(op, vmc_build_index(&b, 64));
}

/* cmpf false and cmpf true do not look at their operands.  Tensors of dynamic shape have no constant; emission takes their scalars.
 */
static void lower_cmpf(Lowering *l, Op *op)
{
    int64_t predicate;
    const Type *type = op->results[0].type;
    if (!vmc_get_int(op, "predicate", &predicate) || (predicate != 0 && predicate != 15) ||
        (vmc_is_shaped(type) && !vmc_has_static_shape(type)))
        return;
    Builder b = vmc_before(l->ctx, op);
    replace_with(op, vmc_build_const(&b, vmc_attr_of_slot(l->ctx, type, predicate != 0), type));
}

/* One value each, so that the others need not think of lists. */
static void lower_barrier(Lowering *l, Op *op)
{
    if (op->nresults == 1)
        return;
    Builder b = vmc_before(l->ctx, op);
    for (uint32_t i = 0; i < op->nresults; i++) {
        Value *value = vmc_build1(&b, op->name, op->results[i].type, 1, &op->operands[i].value);
        value->name = op->results[i].name;
        vmc_replace_uses(&op->results[i], value);
    }
    vmc_op_erase(op);
}

static void lower_by_definition(Lowering *l, Op *op)
{
    vmc_expand_arith(l->ctx, op);
}

static void lower_cast(Lowering *l, Op *op)
{
    (void)l;
    bool same = op->noperands == op->nresults;
    for (uint32_t i = 0; same && i < op->nresults; i++)
        same = op->operands[i].value->type == op->results[i].type;
    if (!same)
        return;
    for (uint32_t i = 0; i < op->nresults; i++)
        vmc_replace_uses(&op->results[i], op->operands[i].value);
    vmc_op_erase(op);
}

static void drop_schedule(Lowering *l, Op *op)
{
    if (!l->warned)
        vmc_warning(&l->ctx->diag, op->pos, "'%s' is ignored: this compiler has a schedule of its own", op->name);
    l->warned = true;
    vmc_op_erase(op);
}

/* ---- the pass ------------------------------------------------------------------------------ */

typedef struct Rule {
    const char *name;
    void (*lower)(Lowering *l, Op *op);
} Rule;

static const Rule rules[] = {
    {"check.expect_true", lower_check},
    {"check.expect_false", lower_check},
    {"check.expect_all_true", lower_check},
    {"check.expect_eq", lower_check},
    {"check.expect_eq_const", lower_check},
    {"check.expect_almost_eq", lower_check},
    {"check.expect_almost_eq_const", lower_check},
    {"util.unfoldable_constant", lower_unfoldable},
    {"util.optimization_barrier", lower_barrier},
    {"flow.tensor.constant", lower_flow_constant},
    {"flow.tensor.dynamic_constant", lower_flow_constant},
    {"flow.tensor.tie_shape", lower_tie_shape},
    {"index.constant", lower_index_constant},
    {"index.bool.constant", lower_index_constant},
    {"index.sizeof", lower_sizeof},
    {"arith.cmpf", lower_cmpf},
    {"arith.scaling_extf", lower_by_definition},
    {"arith.scaling_truncf", lower_by_definition},
    {"arith.flush_denormals", lower_by_definition},
    {"builtin.unrealized_conversion_cast", lower_cast},
    {"transform.named_sequence", drop_schedule},
    {"transform.sequence", drop_schedule},
};

static const Rule *rule_of(const Lowering *l, const Op *op)
{
    return op->def ? vmc_map_ptr(&l->rules, op->def) : NULL;
}

static bool collect(Op *op, void *user)
{
    Lowering *l = user;
    const Op *parent = vmc_parent_op(op);
    const char *symbol = parent && vmc_has_trait(parent, TRAIT_SYMBOL_TABLE) ? vmc_get_string(op, "sym_name") : NULL;
    if (symbol)
        vmc_map_put(&l->symbols, MAP_KEY(vmc_name(l->ctx, symbol)), 1);
    if (rule_of(l, op))
        VEC_PUSH(&l->ctx->arena, &l->work, op);
    return true;
}

bool vmc_pass_lower_input(PassContext *pc)
{
    Arena *arena = &pc->ctx->arena;
    Lowering l = {.ctx = pc->ctx, .rules = {.arena = arena}, .imports = {.arena = arena}, .symbols = {.arena = arena}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        vmc_map_put_ptr(&l.rules, vmc_find_def(pc->ctx, rules[i].name), &rules[i]);
    if (!vmc_lower_globals(pc->ctx))
        return false;
    vmc_walk(pc->ctx->module, collect, &l);
    for (size_t i = 0; i < l.work.n; i++)
        rule_of(&l, l.work.at[i])->lower(&l, l.work.at[i]);
    return true;
}
