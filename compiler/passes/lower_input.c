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
#include "../../vm/bytecode/format.h"
#include "builders.h"
#include "expand_arith.h"
#include "host_calls.h"
#include "lower_globals.h"
#include "passes.h"

typedef struct Lowering {
    Context *ctx;
    Map rules; /* OpDef -> Rule */
    HostCalls host;
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

static void call_host(Lowering *l, Op *op, const char *name, uint32_t n, Value *const *operands)
{
    Builder b = vmc_before(l->ctx, op);
    vmc_call_host(&l->host, &b, op, name, n, operands);
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

/* Tensors of poison are zero as scalars are (emission). */
static void lower_poison(Lowering *l, Op *op)
{
    const Type *type = op->results[0].type;
    if (type->kind != TYPE_TENSOR || !vmc_has_static_shape(type) || vmc_etype(type->elem) == BVM_NONE ||
        type->elem->kind == TYPE_COMPLEX)
        return;
    Builder b = vmc_before(l->ctx, op);
    replace_with(op, vmc_build_const(&b, vmc_attr_of_slot(l->ctx, type, 0), type));
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
    {"ub.poison", lower_poison},
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
    if (rule_of(l, op))
        VEC_PUSH(&l->ctx->arena, &l->work, op);
    return true;
}

bool vmc_pass_lower_input(PassContext *pc)
{
    Lowering l = {.ctx = pc->ctx, .rules = {.arena = &pc->ctx->arena}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        vmc_map_put_ptr(&l.rules, vmc_find_def(pc->ctx, rules[i].name), &rules[i]);
    if (!vmc_lower_globals(pc->ctx))
        return false;
    vmc_host_calls_init(&l.host, pc->ctx);
    vmc_walk(pc->ctx->module, collect, &l);
    for (size_t i = 0; i < l.work.n; i++)
        rule_of(&l, l.work.at[i])->lower(&l, l.work.at[i]);
    return true;
}
