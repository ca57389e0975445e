/* Grammar of the memref ops that no format string serves. */
#include "hooks_buffer.h"
#include "view_grammar.h"

/* ---- alloca_scope -------------------------------------------------------------- */

bool vmc_alloca_scope_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmTypes results = {0};
    AsmArgs none = {0};
    if (asm_peek(p, "->") && !asm_arrow_types(p, &results))
        return false;
    asm_add_results(p, &results);
    return asm_region(p, &none) && asm_attr_dict(p);
}

void vmc_alloca_scope_print(Printer *p, const Op *op)
{
    if (op->nresults) {
        print_arrow_results(p, op);
    }
    print_str(p, " ");
    print_region(p, &op->regions[0], false, op->nresults != 0);
    print_attr_dict(p, op, NULL);
}

/* ---- transpose ------------------------------------------------------------------- */

static bool keyword_list(Asm *p, const char **names, uint32_t *n, uint32_t cap)
{
    if (!asm_expect(p, "("))
        return false;
    *n = 0;
    if (asm_try(p, ")"))
        return true;
    do {
        if (*n == cap)
            return asm_error(p, asm_pos(p), "too many dimensions in a transposition");
        if (!asm_keyword(p, &names[(*n)++]))
            return false;
    } while (asm_try(p, ","));
    return asm_expect(p, ")");
}

bool vmc_memref_transpose_parse(Asm *p, const OpDef *def)
{
    (void)def;
    enum { MAX_RANK = 64 };
    AsmOperand src;
    const Type *from, *to;
    const char *dims[MAX_RANK], *results[MAX_RANK];
    const AffineExpr *exprs[MAX_RANK];
    uint32_t ndims, nresults;
    Context *ctx = asm_context(p);
    if (!asm_operand(p, &src))
        return false;
    SrcPos pos = asm_pos(p);
    if (!keyword_list(p, dims, &ndims, MAX_RANK) || !asm_expect(p, "->") || !keyword_list(p, results, &nresults, MAX_RANK))
        return false;
    for (uint32_t i = 0; i < nresults; i++) {
        uint32_t k = 0;
        while (k < ndims && strcmp(dims[k], results[i]) != 0)
            k++;
        if (k == ndims)
            return asm_error(p, pos, "use of undeclared dimension '%s' in a transposition", results[i]);
        exprs[i] = vmc_affine_dim(ctx, k);
    }
    asm_add_attr(p, "permutation", vmc_attr_map(ctx, vmc_affine_map(ctx, ndims, 0, nresults, exprs, NULL)));
    if (!asm_attr_dict(p) || !asm_colon_type(p, &from) || !asm_expect(p, "to") || !asm_type(p, &to))
        return false;
    asm_add_result(p, to);
    return asm_resolve(p, &src, from);
}

void vmc_memref_transpose_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"permutation", NULL};
    const Attr *attr = vmc_get_attr(op, "permutation");
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_str(p, " ");
    if (attr && attr->kind == ATTR_MAP)
        vmc_print_map(print_text(p), attr->map);
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
    print_str(p, " to ");
    print_type(p, op->results[0].type);
}

/* ---- global ------------------------------------------------------------------------ */

bool vmc_memref_global_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    const char *visibility, *name;
    const Type *type;
    size_t n;
    if (asm_peek_string(p)) {
        if (!asm_string(p, &visibility, &n))
            return false;
        asm_add_attr(p, "sym_visibility", vmc_attr_string(ctx, visibility, n));
    }
    if (asm_try(p, "constant"))
        asm_add_attr(p, "constant", vmc_attr_unit(ctx));
    if (!asm_symbol_name(p, &name))
        return false;
    asm_add_attr(p, "sym_name", vmc_attr_string(ctx, name, strlen(name)));
    if (!asm_colon_type(p, &type))
        return false;
    asm_add_attr(p, "type", vmc_attr_type(ctx, type));
    if (asm_try(p, "=")) {
        const Attr *value;
        if (asm_try(p, "uninitialized")) {
            value = vmc_attr_unit(ctx);
        } else {
            const Type *as_tensor =
                type->kind == TYPE_MEMREF ? vmc_type_tensor(ctx, type->rank, type->dims, type->elem, NULL) : NULL;
            if (!asm_attr(p, as_tensor, &value))
                return false;
        }
        asm_add_attr(p, "initial_value", value);
    }
    return asm_attr_dict(p);
}

void vmc_memref_global_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"sym_name", "sym_visibility", "type", "initial_value", "constant", NULL};
    const Attr *value = vmc_get_attr(op, "initial_value");
    const Attr *type = vmc_get_attr(op, "type");
    const char *visibility = vmc_get_string(op, "sym_visibility");
    print_str(p, " ");
    if (visibility) {
        print_str(p, "\"");
        print_str(p, visibility);
        print_str(p, "\" ");
    }
    print_str(p, vmc_get_attr(op, "constant") ? "constant " : "");
    print_symbol_name(p, vmc_get_string(op, "sym_name"));
    print_str(p, " : ");
    print_type(p, type->type);
    if (value) {
        print_str(p, " = ");
        if (value->kind == ATTR_UNIT)
            print_str(p, "uninitialized");
        else
            print_attr_no_type(p, value);
    }
    print_attr_dict(p, op, skip);
}

/* ---- assume_alignment, prefetch ------------------------------------------------------ */

/* The op has had a result since LLVM 21; text with a name on the left means that form. */
bool vmc_memref_assume_alignment_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    AsmOperand memref;
    AsmOperands names = {0};
    const Type *type;
    int64_t alignment;
    if (!asm_operand(p, &memref) || !asm_expect(p, ",") || !asm_integer(p, &alignment))
        return false;
    asm_add_attr(p, "alignment", vmc_attr_int(ctx, vmc_type_int(ctx, 32, SIGNLESS), alignment));
    if (!asm_attr_dict(p) || !asm_colon_type(p, &type) || !asm_resolve(p, &memref, type))
        return false;
    if (asm_result_names(p, &names) && names.n)
        asm_add_result(p, type);
    return true;
}

void vmc_memref_assume_alignment_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"alignment", NULL};
    int64_t alignment = 0;
    vmc_get_int(op, "alignment", &alignment);
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_fmt(p, ", %lld", (long long)alignment);
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
}

bool vmc_memref_prefetch_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    AsmOperand memref;
    AsmOperands indices = {0};
    const Type *type;
    int64_t hint;
    if (!asm_operand(p, &memref) || !asm_operands_in(p, "[", "]", &indices) || !asm_expect(p, ","))
        return false;
    bool write = asm_try(p, "write");
    if (!write && !asm_expect(p, "read"))
        return false;
    if (!asm_expect(p, ",") || !asm_expect(p, "locality") || !asm_expect(p, "<") || !asm_integer(p, &hint) || !asm_expect(p, ">") ||
        !asm_expect(p, ","))
        return false;
    bool data = asm_try(p, "data");
    if (!data && !asm_expect(p, "instr"))
        return false;
    asm_add_attr(p, "isWrite", vmc_attr_bool(ctx, write));
    asm_add_attr(p, "localityHint", vmc_attr_int(ctx, vmc_type_int(ctx, 32, SIGNLESS), hint));
    asm_add_attr(p, "isDataCache", vmc_attr_bool(ctx, data));
    return asm_attr_dict(p) && asm_colon_type(p, &type) && asm_resolve(p, &memref, type) &&
           asm_resolve_all(p, &indices, vmc_type_index(ctx));
}

void vmc_memref_prefetch_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"isWrite", "localityHint", "isDataCache", NULL};
    int64_t write = 0, hint = 0, data = 0;
    vmc_get_int(op, "isWrite", &write);
    vmc_get_int(op, "localityHint", &hint);
    vmc_get_int(op, "isDataCache", &data);
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_str(p, "[");
    print_values(p, op->operands + 1, op->noperands - 1);
    print_fmt(p, "], %s, locality<%lld>, %s", write ? "write" : "read", (long long)hint, data ? "data" : "instr");
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    print_type(p, op->operands[0].value->type);
}

/* ---- generic_atomic_rmw ---------------------------------------------------------------- */

bool vmc_memref_generic_atomic_rmw_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand memref;
    AsmOperands indices = {0};
    AsmArgs none = {0};
    const Type *type;
    if (!asm_operand(p, &memref) || !asm_operands_in(p, "[", "]", &indices) || !asm_colon_type(p, &type) ||
        !asm_resolve(p, &memref, type) || !asm_resolve_all(p, &indices, vmc_type_index(asm_context(p))) || !asm_region(p, &none) ||
        !asm_attr_dict(p))
        return false;
    asm_add_result(p, vmc_elem_or_self(type));
    return true;
}

void vmc_memref_generic_atomic_rmw_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_str(p, "[");
    print_values(p, op->operands + 1, op->noperands - 1);
    print_str(p, "] : ");
    print_type(p, op->operands[0].value->type);
    print_str(p, " ");
    print_region(p, &op->regions[0], true, true);
    print_attr_dict(p, op, NULL);
}

/* ---- tensor_store ------------------------------------------------------------------------ */

bool vmc_memref_tensor_store_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    AsmOperand tensor, memref;
    const Type *type;
    if (!asm_operand(p, &tensor) || !asm_expect(p, ",") || !asm_operand(p, &memref) || !asm_attr_dict(p))
        return false;
    SrcPos pos = asm_pos(p);
    if (!asm_colon_type(p, &type))
        return false;
    if (!vmc_is_memref(type))
        return asm_error(p, pos, "expected a memref type");
    const Type *as_tensor = type->kind == TYPE_MEMREF ? vmc_type_tensor(ctx, type->rank, type->dims, type->elem, NULL)
                                                      : vmc_type_unranked_tensor(ctx, type->elem);
    return asm_resolve(p, &tensor, as_tensor) && asm_resolve(p, &memref, type);
}

void vmc_memref_tensor_store_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_values(p, op->operands, 2);
    print_attr_dict(p, op, NULL);
    print_str(p, " : ");
    print_type(p, op->operands[1].value->type);
}
