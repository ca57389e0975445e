/* Grammar and checks of builtin.module and the func dialect. */
#include "../syntax/asm.h"
#include "hooks.h"

/* ---- builtin.module ---------------------------------------------------------- */

bool vmc_module_parse(Asm *p, const OpDef *def)
{
    (void)def;
    if (!asm_peek(p, "attributes") && !asm_peek(p, "{")) {
        const char *name;
        if (!asm_symbol_name(p, &name))
            return false;
        asm_add_attr(p, "sym_name", vmc_attr_string(asm_context(p), name, strlen(name)));
    }
    return asm_attr_dict_keyword(p) && asm_region(p, NULL);
}

void vmc_module_print(Printer *p, const Op *op)
{
    const char *name = vmc_get_string(op, "sym_name");
    if (name) {
        print_str(p, " ");
        print_symbol_name(p, name);
    }
    print_attr_dict_keyword(p, op, (const char *const[]){"sym_name", NULL});
    print_str(p, " ");
    print_region(p, &op->regions[0], false, true);
}

/* ---- func.func ----------------------------------------------------------------- */

typedef struct Signature {
    AsmArgs args;
    AsmTypes results;
    VEC(const Attr *) result_attrs;
    bool has_result_attrs;
} Signature;

static bool parse_result(Asm *p, Signature *signature)
{
    const Type *type;
    const Attr *attrs = NULL;
    if (!asm_type(p, &type))
        return false;
    if (asm_peek(p, "{") && !asm_attr(p, NULL, &attrs))
        return false;
    signature->has_result_attrs |= attrs != NULL;
    VEC_PUSH(asm_arena(p), &signature->results, type);
    VEC_PUSH(asm_arena(p), &signature->result_attrs, attrs);
    return true;
}

static bool parse_results(Asm *p, Signature *signature)
{
    if (!asm_try(p, "->"))
        return true;
    if (!asm_try(p, "(")) {
        const Type *type;
        if (!asm_type(p, &type))
            return false;
        VEC_PUSH(asm_arena(p), &signature->results, type);
        VEC_PUSH(asm_arena(p), &signature->result_attrs, (const Attr *)NULL);
        return true;
    }
    if (asm_try(p, ")"))
        return true;
    do {
        if (!parse_result(p, signature))
            return false;
    } while (asm_try(p, ","));
    return asm_expect(p, ")");
}

/* [{..}, {}, ..] of the dictionaries, absent ones empty. */
static void add_dicts(Asm *p, const char *name, size_t n, const Attr **dicts)
{
    Context *ctx = asm_context(p);
    for (size_t i = 0; i < n; i++)
        if (!dicts[i])
            dicts[i] = vmc_attr_dict(ctx, 0, NULL);
    asm_add_attr(p, name, vmc_attr_array(ctx, n, dicts));
}

static void add_signature(Asm *p, Signature *signature)
{
    Context *ctx = asm_context(p);
    size_t n = signature->args.n;
    const Type **ins = ARENA_ARRAY(asm_arena(p), const Type *, n);
    const Attr **attrs = ARENA_ARRAY(asm_arena(p), const Attr *, n);
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        ins[i] = signature->args.at[i].type;
        attrs[i] = signature->args.at[i].attrs;
        any |= attrs[i] != NULL;
    }
    const Type *type = vmc_type_function(ctx, (uint32_t)n, ins, (uint32_t)signature->results.n, signature->results.at);
    asm_add_attr(p, "function_type", vmc_attr_type(ctx, type));
    if (any)
        add_dicts(p, "arg_attrs", n, attrs);
    if (signature->has_result_attrs)
        add_dicts(p, "res_attrs", signature->result_attrs.n, signature->result_attrs.at);
}

static bool parse_body(Asm *p, const AsmArgs *args)
{
    if (!asm_peek(p, "{")) {
        asm_add_empty_region(p);
        return true;
    }
    for (size_t i = 0; i < args->n; i++)
        if (!args->at[i].name.name)
            return asm_error(p, asm_pos(p), "argument #%zu of a function with a body needs a name", i);
    SrcPos pos = asm_pos(p);
    if (!asm_region(p, args))
        return false;
    return asm_region_at(p, asm_num_regions(p) - 1)->first ||
           asm_error(p, pos, "a function's body has a block: leave out the braces of a declaration");
}

bool vmc_func_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    static const char *const visibilities[] = {"private", "public", "nested"};
    const char *visibility = NULL, *name;
    for (int i = 0; i < 3 && !visibility; i++)
        if (asm_try(p, visibilities[i]))
            visibility = visibilities[i];
    if (!asm_symbol_name(p, &name))
        return false;
    asm_add_attr(p, "sym_name", vmc_attr_string(ctx, name, strlen(name)));
    if (visibility)
        asm_add_attr(p, "sym_visibility", vmc_attr_string(ctx, visibility, strlen(visibility)));
    Signature signature = {0};
    if (!asm_arg_list(p, "(", ")", &signature.args, true) || !parse_results(p, &signature))
        return false;
    add_signature(p, &signature);
    return asm_attr_dict_keyword(p) && parse_body(p, &signature.args);
}

static const Type *function_type(const Op *op)
{
    const Attr *attr = vmc_get_attr(op, "function_type");
    return attr && attr->kind == ATTR_TYPE && attr->type->kind == TYPE_FUNCTION ? attr->type : NULL;
}

/* Entry i of an array of dictionaries, NULL when absent or empty. */
static const Attr *dict_at(const Attr *array, uint32_t i)
{
    return array && array->kind == ATTR_ARRAY && i < array->n && array->elems[i]->kind == ATTR_DICT && array->elems[i]->n
               ? array->elems[i]
               : NULL;
}

static void print_type_and_attrs(Printer *p, const Type *type, const Attr *attrs)
{
    print_type(p, type);
    if (attrs) {
        print_str(p, " ");
        print_attr(p, attrs);
    }
}

static void print_func_results(Printer *p, const Op *op, const Type *type)
{
    const Attr *attrs = vmc_get_attr(op, "res_attrs");
    if (!type->nouts)
        return;
    bool plain = type->nouts == 1 && !dict_at(attrs, 0) && type->outs[0]->kind != TYPE_FUNCTION;
    print_str(p, plain ? " -> " : " -> (");
    for (uint32_t i = 0; i < type->nouts; i++) {
        print_str(p, i ? ", " : "");
        print_type_and_attrs(p, type->outs[i], dict_at(attrs, i));
    }
    print_str(p, plain ? "" : ")");
}

void vmc_func_print(Printer *p, const Op *op)
{
    const char *visibility = vmc_get_string(op, "sym_visibility"), *name = vmc_get_string(op, "sym_name");
    const Type *type = function_type(op);
    const Attr *arg_attrs = vmc_get_attr(op, "arg_attrs");
    const Block *entry = op->nregions ? op->regions[0].first : NULL;
    if (visibility)
        print_fmt(p, " %s", visibility);
    print_str(p, " ");
    print_symbol_name(p, name ? name : "");
    print_str(p, "(");
    for (uint32_t i = 0; type && i < type->nins; i++) {
        print_str(p, i ? ", " : "");
        if (entry && i < entry->nargs)
            print_arg(p, entry->args[i], dict_at(arg_attrs, i));
        else
            print_type_and_attrs(p, type->ins[i], dict_at(arg_attrs, i));
    }
    print_str(p, ")");
    if (type)
        print_func_results(p, op, type);
    print_attr_dict_keyword(p, op,
                            (const char *const[]){"sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs", NULL});
    if (entry) {
        print_str(p, " ");
        print_region(p, &op->regions[0], false, true);
    }
}

bool vmc_func_verify(Context *ctx, Op *op)
{
    const Type *type = function_type(op);
    if (!type) {
        vmc_error(&ctx->diag, op->pos, "'func.func' needs a function type");
        return false;
    }
    const Attr *dicts[2] = {vmc_get_attr(op, "arg_attrs"), vmc_get_attr(op, "res_attrs")};
    for (int i = 0; i < 2; i++)
        if (dicts[i] && dicts[i]->n != (i ? type->nouts : type->nins)) {
            vmc_error(&ctx->diag, op->pos, "`%s` must have an entry for each %s", i ? "res_attrs" : "arg_attrs",
                      i ? "result" : "argument");
            return false;
        }
    const Block *entry = op->regions[0].first;
    if (!entry)
        return true;
    bool same = entry->nargs == type->nins;
    for (uint32_t i = 0; same && i < type->nins; i++)
        same = entry->args[i]->type == type->ins[i];
    if (!same)
        vmc_error(&ctx->diag, op->pos, "the entry block's arguments do not have the types of the function's type");
    return same;
}

/* ---- return, call ----------------------------------------------------------------- */

/* Types of n values against a list; reports the first that differs. */
static bool types_match(Context *ctx, const Op *op, const char *what, uint32_t n, const Use *uses, uint32_t nwant,
                        const Type *const *want)
{
    if (n != nwant) {
        vmc_error(&ctx->diag, op->pos, "'%s' has %u %s, the function has %u", op->name, n, what, nwant);
        return false;
    }
    for (uint32_t i = 0; i < n; i++)
        if (uses[i].value->type != want[i]) {
            Text text = {.arena = &ctx->arena};
            vmc_print_type(&text, uses[i].value->type);
            vmc_text_str(&text, ", the function wants ");
            vmc_print_type(&text, want[i]);
            vmc_error(&ctx->diag, op->pos, "%s #%u of '%s' has type %s", what, i, op->name, text.at);
            return false;
        }
    return true;
}

static bool results_match(Context *ctx, const Op *op, const Type *type)
{
    bool same = op->nresults == type->nouts;
    for (uint32_t i = 0; same && i < type->nouts; i++)
        same = op->results[i].type == type->outs[i];
    if (!same)
        vmc_error(&ctx->diag, op->pos, "the results of '%s' do not have the types that the function returns", op->name);
    return same;
}

bool vmc_return_verify(Context *ctx, Op *op)
{
    const Op *func = vmc_parent_op(op);
    if (func && vmc_is(func, "util.initializer"))
        return types_match(ctx, op, "operands", op->noperands, op->operands, 0, NULL);
    if (!func || !vmc_is(func, "func.func")) {
        vmc_error(&ctx->diag, op->pos, "'func.return' must stand in a func.func");
        return false;
    }
    const Type *type = function_type(func);
    return !type || types_match(ctx, op, "operands", op->noperands, op->operands, type->nouts, type->outs);
}

/* The func.func that `symbol` names, with its type; reports. */
static const Op *callee_of(Context *ctx, Op *op, const Attr *symbol)
{
    const Op *func = vmc_resolve_symbol(op, symbol);
    if (func && vmc_is(func, "func.func") && function_type(func))
        return func;
    vmc_error(&ctx->diag, op->pos, "'@%s' does not name a function", symbol->s);
    return NULL;
}

bool vmc_call_verify(Context *ctx, Op *op)
{
    const Op *func = callee_of(ctx, op, vmc_get_attr(op, "callee"));
    if (!func)
        return false;
    const Type *type = function_type(func);
    return types_match(ctx, op, "operands", op->noperands, op->operands, type->nins, type->ins) && results_match(ctx, op, type);
}

bool vmc_func_constant_verify(Context *ctx, Op *op)
{
    const Op *func = callee_of(ctx, op, vmc_get_attr(op, "value"));
    if (!func || function_type(func) == op->results[0].type)
        return func != NULL;
    vmc_error(&ctx->diag, op->pos, "'func.constant' does not have the type of the function");
    return false;
}

bool vmc_call_indirect_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand callee;
    AsmOperands operands = {0};
    const Type *type;
    if (!asm_operand(p, &callee) || !asm_operands_in(p, "(", ")", &operands) || !asm_attr_dict(p) || !asm_expect(p, ":"))
        return false;
    SrcPos pos = asm_pos(p);
    if (!asm_function_type(p, &type) || !asm_resolve(p, &callee, type))
        return false;
    if (operands.n != type->nins)
        return asm_error(p, pos, "%zu operands, but the type has %u", operands.n, type->nins);
    for (size_t i = 0; i < operands.n; i++)
        if (!asm_resolve(p, &operands.at[i], type->ins[i]))
            return false;
    for (uint32_t i = 0; i < type->nouts; i++)
        asm_add_result(p, type->outs[i]);
    return true;
}

void vmc_call_indirect_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_str(p, "(");
    print_values(p, op->operands + 1, op->noperands - 1);
    print_str(p, ")");
    print_attr_dict(p, op, (const char *const[]){NULL});
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
}

bool vmc_call_indirect_verify(Context *ctx, Op *op)
{
    const Type *type = op->operands[0].value->type;
    return types_match(ctx, op, "operands", op->noperands - 1, op->operands + 1, type->nins, type->ins) &&
           results_match(ctx, op, type);
}
