/* Calls of host functions that passes make (host_calls.h). */
#include "host_calls.h"

/* The module (symbol table) around an op. */
static Op *table_of(Op *op)
{
    while (op && !vmc_has_trait(op, TRAIT_SYMBOL_TABLE))
        op = vmc_parent_op(op);
    return op;
}

/* `name`, or `name$1`, ...: no symbol of the module has it. */
static const char *free_symbol(HostCalls *host, const char *name)
{
    Context *ctx = host->ctx;
    const char *symbol = vmc_name(ctx, name);
    for (size_t i = host->symbols.n; vmc_map_ptr(&host->symbols, symbol); i++)
        symbol = vmc_name(ctx, vmc_arena_printf(&ctx->arena, "%s$%zu", name, i));
    vmc_map_put(&host->symbols, MAP_KEY(symbol), 1);
    return symbol;
}

/* The host function only reads its tensors: bufferization needs no copy for it. */
static const Attr *read_only_args(Context *ctx, const Type *type)
{
    NamedAttr access = {vmc_name(ctx, "bufferization.access"), vmc_attr_string(ctx, "read", 4)};
    const Attr **dicts = ARENA_ARRAY(&ctx->arena, const Attr *, type->nins + 1);
    for (uint32_t i = 0; i < type->nins; i++)
        dicts[i] = vmc_attr_dict(ctx, vmc_is_tensor(type->ins[i]), &access);
    return vmc_attr_array(ctx, type->nins, dicts);
}

static Op *declare(HostCalls *host, Op *table, const char *name, const Type *type)
{
    Context *ctx = host->ctx;
    const char *symbol = free_symbol(host, name);
    NamedAttr attrs[] = {{"sym_name", vmc_attr_string(ctx, symbol, strlen(symbol))},
                         {"function_type", vmc_attr_type(ctx, type)},
                         {"sym_visibility", vmc_attr_string(ctx, "private", 7)},
                         {"arg_attrs", read_only_args(ctx, type)},
                         {"bufvm.import", vmc_attr_string(ctx, name, strlen(name))}};
    Builder b = vmc_at_end(ctx, vmc_entry(table, 0), table->pos);
    return vmc_build(&b, "func.func", 0, NULL, 0, NULL, sizeof attrs / sizeof attrs[0], attrs, 1);
}

static Op *declaration_of(HostCalls *host, Op *table, const char *name, const Type *type)
{
    uint64_t key = (MAP_KEY(table) * 31 + MAP_KEY(vmc_name(host->ctx, name))) * 31 + MAP_KEY(type), found;
    key = key ? key : 1;
    if (vmc_map_get(&host->imports, key, &found)) {
        Op *known = (Op *)(uintptr_t)found;
        if (vmc_parent_op(known) == table && vmc_get_attr(known, "function_type")->type == type &&
            strcmp(vmc_get_string(known, "bufvm.import"), name) == 0)
            return known;
    }
    Op *made = declare(host, table, name, type);
    vmc_map_put(&host->imports, key, MAP_KEY(made));
    return made;
}

void vmc_call_host(HostCalls *host, Builder *b, Op *at, const char *name, uint32_t n, Value *const *operands)
{
    Context *ctx = host->ctx;
    const Type **ins = ARENA_ARRAY(&ctx->arena, const Type *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        ins[i] = operands[i]->type;
    const Op *callee = declaration_of(host, table_of(at), name, vmc_type_function(ctx, n, ins, 0, NULL));
    NamedAttr attr = {"callee", vmc_attr_symbol(ctx, vmc_get_string(callee, "sym_name"), 0, NULL)};
    vmc_build(b, "func.call", n, operands, 0, NULL, 1, &attr, 0);
}

static bool collect_symbol(Op *op, void *user)
{
    HostCalls *host = user;
    const Op *parent = vmc_parent_op(op);
    const char *symbol = parent && vmc_has_trait(parent, TRAIT_SYMBOL_TABLE) ? vmc_get_string(op, "sym_name") : NULL;
    if (symbol)
        vmc_map_put(&host->symbols, MAP_KEY(vmc_name(host->ctx, symbol)), 1);
    return true;
}

void vmc_host_calls_init(HostCalls *host, Context *ctx)
{
    *host = (HostCalls){.ctx = ctx, .imports = {.arena = &ctx->arena}, .symbols = {.arena = &ctx->arena}};
    vmc_walk(ctx->module, collect_symbol, host);
}
