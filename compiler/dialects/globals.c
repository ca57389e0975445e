/* Globals of util and ml_program: grammar and checks.  What they become stands in passes/lower_globals.c. */
#include "../syntax/asm.h"
#include "hooks.h"

/* `private mutable @name`: visibility, mutability and name, in that order. */
static bool parse_head(Asm *p)
{
    static const char *const visibilities[] = {"private", "public", "nested"};
    Context *ctx = asm_context(p);
    const char *name;
    for (int i = 0; i < 3; i++)
        if (asm_try(p, visibilities[i])) {
            asm_add_attr(p, "sym_visibility", vmc_attr_string(ctx, visibilities[i], strlen(visibilities[i])));
            break;
        }
    if (asm_try(p, "mutable"))
        asm_add_attr(p, "is_mutable", vmc_attr_unit(ctx));
    if (!asm_symbol_name(p, &name))
        return false;
    asm_add_attr(p, "sym_name", vmc_attr_string(ctx, name, strlen(name)));
    return true;
}

static void print_head(Printer *p, const Op *op)
{
    const char *visibility = vmc_get_string(op, "sym_visibility"), *name = vmc_get_string(op, "sym_name");
    if (visibility)
        print_fmt(p, " %s", visibility);
    print_str(p, vmc_get_attr(op, "is_mutable") ? " mutable " : " ");
    print_symbol_name(p, name ? name : "");
}

static void print_global_type(Printer *p, const Op *op)
{
    print_str(p, " : ");
    print_type(p, vmc_get_attr(op, "type")->type);
}

static const char *const own_attrs[] = {"sym_name", "sym_visibility", "is_mutable", "type", "initial_value", "value", NULL};

/* @x {attrs} : type   or   @x {attrs} = value, whose type is the global's unless one follows. */
bool vmc_util_global_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    const Attr *value = NULL;
    const Type *type;
    if (!parse_head(p) || !asm_attr_dict(p))
        return false;
    if (asm_try(p, "=")) {
        SrcPos pos = asm_pos(p);
        if (!asm_attr(p, NULL, &value))
            return false;
        asm_add_attr(p, "initial_value", value);
        type = value->type;
        if (!asm_peek(p, ":") && !type)
            return asm_error(p, pos, "expected an initial value with a type");
    }
    if ((!value || asm_peek(p, ":")) && !asm_colon_type(p, &type))
        return false;
    asm_add_attr(p, "type", vmc_attr_type(ctx, type));
    return true;
}

void vmc_util_global_print(Printer *p, const Op *op)
{
    const Attr *value = vmc_get_attr(op, "initial_value");
    print_head(p, op);
    print_attr_dict(p, op, own_attrs);
    if (!value) {
        print_global_type(p, op);
        return;
    }
    print_str(p, " = ");
    print_attr(p, value);
    if (value->type != vmc_get_attr(op, "type")->type)
        print_global_type(p, op);
}

/* @x(value) : type {attrs} */
bool vmc_ml_global_parse(Asm *p, const OpDef *def)
{
    (void)def;
    const Type *type;
    const Attr *value;
    if (!parse_head(p))
        return false;
    if (asm_try(p, "(")) {
        if (!asm_attr(p, NULL, &value) || !asm_expect(p, ")"))
            return false;
        asm_add_attr(p, "value", value);
    }
    if (!asm_colon_type(p, &type))
        return false;
    asm_add_attr(p, "type", vmc_attr_type(asm_context(p), type));
    return asm_attr_dict(p);
}

void vmc_ml_global_print(Printer *p, const Op *op)
{
    const Attr *value = vmc_get_attr(op, "value");
    print_head(p, op);
    if (value) {
        print_str(p, "(");
        print_attr(p, value);
        print_str(p, ")");
    }
    print_global_type(p, op);
    print_attr_dict(p, op, own_attrs);
}

bool vmc_global_verify(Context *ctx, Op *op)
{
    const Attr *type = vmc_get_attr(op, "type");
    if (type && type->kind == ATTR_TYPE)
        return true;
    vmc_error(&ctx->diag, op->pos, "'%s' needs a type", op->name);
    return false;
}

bool vmc_global_access_verify(Context *ctx, Op *op)
{
    const Attr *symbol = vmc_get_attr(op, "global");
    const Op *global = vmc_resolve_symbol(op, symbol);
    const char *want = strncmp(op->name, "util.", 5) == 0 ? "util.global" : "ml_program.global";
    if (!global || !vmc_is(global, want)) {
        vmc_error(&ctx->diag, op->pos, "'@%s' does not name a %s", symbol->s, want);
        return false;
    }
    const Type *type = op->nresults ? op->results[0].type : op->operands[0].value->type;
    const Attr *of_global = vmc_get_attr(global, "type");
    if (of_global && of_global->kind == ATTR_TYPE && of_global->type != type) {
        vmc_error(&ctx->diag, op->pos, "'%s' does not have the type of the global '@%s'", op->name, symbol->s);
        return false;
    }
    if (op->nresults || vmc_get_attr(global, "is_mutable") || vmc_is(vmc_parent_op(op), "util.initializer"))
        return true;
    vmc_error(&ctx->diag, op->pos, "the global '@%s' is not mutable", symbol->s);
    return false;
}
