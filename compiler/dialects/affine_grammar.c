/* Grammar of the affine ops. */
#include "hooks_buffer.h"
#include "view_grammar.h"

static const AffineMap *map_of(const Op *op, const char *name)
{
    const Attr *attr = vmc_get_attr(op, name);
    return attr && (attr->kind == ATTR_MAP || attr->kind == ATTR_SET) ? attr->map : NULL;
}

/* (%dims)[%symbols], either may be left out when empty */
static bool parse_map_operands(Asm *p, const AffineMap *map, AsmOperands *out)
{
    AsmOperands dims = {0}, symbols = {0};
    SrcPos pos = asm_pos(p);
    if (asm_peek(p, "(") && !asm_operands_in(p, "(", ")", &dims))
        return false;
    if (asm_peek(p, "[") && !asm_operands_in(p, "[", "]", &symbols))
        return false;
    if (dims.n != map->ndims || symbols.n != map->nsyms)
        return asm_error(p, pos, "expected %u dimension and %u symbol operands, saw %zu and %zu", map->ndims, map->nsyms, dims.n,
                         symbols.n);
    *out = dims;
    for (size_t i = 0; i < symbols.n; i++)
        VEC_PUSH(asm_arena(p), out, symbols.at[i]);
    return true;
}

static void print_map_operands(Printer *p, const AffineMap *map, const Use *operands)
{
    print_str(p, "(");
    print_values(p, operands, map->ndims);
    print_str(p, ")");
    if (map->nsyms) {
        print_str(p, "[");
        print_values(p, operands + map->ndims, map->nsyms);
        print_str(p, "]");
    }
}

/* ---- apply, min, max ---------------------------------------------------------- */

bool vmc_affine_apply_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    const AffineMap *map;
    AsmOperands operands = {0};
    if (!asm_affine_map(p, &map) || !parse_map_operands(p, map, &operands) || !asm_attr_dict(p))
        return false;
    asm_add_attr(p, "map", vmc_attr_map(ctx, map));
    asm_add_result(p, vmc_type_index(ctx));
    return asm_resolve_all(p, &operands, vmc_type_index(ctx));
}

void vmc_affine_apply_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"map", NULL};
    print_str(p, " ");
    print_attr(p, vmc_get_attr(op, "map"));
    print_map_operands(p, map_of(op, "map"), op->operands);
    print_attr_dict(p, op, skip);
}

/* ---- for ------------------------------------------------------------------------- */

static bool parse_bound(Asm *p, const char *several, const AffineMap **map, AsmOperands *operands)
{
    Context *ctx = asm_context(p);
    AsmOperand value;
    int64_t number;
    if (asm_try_operand(p, &value)) {
        const AffineExpr *symbol = vmc_affine_symbol(ctx, 0);
        *map = vmc_affine_map(ctx, 0, 1, 1, &symbol, NULL);
        VEC_PUSH(asm_arena(p), operands, value);
        return true;
    }
    if (asm_try_integer(p, &number)) {
        const AffineExpr *constant = vmc_affine_const(ctx, number);
        *map = vmc_affine_map(ctx, 0, 0, 1, &constant, NULL);
        return true;
    }
    bool many = asm_try(p, several);
    SrcPos pos = asm_pos(p);
    if (!asm_affine_map(p, map))
        return false;
    if ((*map)->nresults == 0 || (!many && (*map)->nresults > 1))
        return asm_error(p, pos, "expected a bound with one result, or '%s' before the map", several);
    return parse_map_operands(p, *map, operands);
}

static bool parse_iter_args(Asm *p, AsmArgs *args, AsmOperands *inits, AsmTypes *types)
{
    AsmOperand name, init;
    if (!asm_expect(p, "("))
        return false;
    if (!asm_try(p, ")")) {
        do {
            if (!asm_operand(p, &name) || !asm_expect(p, "=") || !asm_operand(p, &init))
                return false;
            VEC_PUSH(asm_arena(p), args, ((AsmArg){.name = name}));
            VEC_PUSH(asm_arena(p), inits, init);
        } while (asm_try(p, ","));
        if (!asm_expect(p, ")"))
            return false;
    }
    SrcPos pos = asm_pos(p);
    if (!asm_arrow_types(p, types))
        return false;
    if (types->n != inits->n)
        return asm_error(p, pos, "expected %zu types of carried values, saw %zu", inits->n, types->n);
    for (size_t i = 0; i < types->n; i++)
        args->at[1 + i].type = types->at[i];
    return true;
}

bool vmc_affine_for_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    const Type *index = vmc_type_index(ctx);
    AsmOperand iv;
    AsmArgs args = {0};
    AsmOperands lows = {0}, highs = {0}, inits = {0};
    AsmTypes types = {0};
    const AffineMap *lower, *upper;
    int64_t step = 1;
    SrcPos pos = asm_pos(p);
    if (!asm_operand(p, &iv) || !asm_expect(p, "=") || !parse_bound(p, "max", &lower, &lows) || !asm_expect(p, "to") ||
        !parse_bound(p, "min", &upper, &highs))
        return false;
    if (asm_try(p, "step") && !asm_integer(p, &step))
        return false;
    VEC_PUSH(asm_arena(p), &args, ((AsmArg){.name = iv, .type = index}));
    if (asm_try(p, "iter_args") && !parse_iter_args(p, &args, &inits, &types))
        return false;
    asm_add_attr(p, "lowerBoundMap", vmc_attr_map(ctx, lower));
    asm_add_attr(p, "upperBoundMap", vmc_attr_map(ctx, upper));
    asm_add_attr(p, "step", vmc_attr_index(ctx, step));
    int32_t sizes[3] = {(int32_t)lows.n, (int32_t)highs.n, (int32_t)inits.n};
    asm_set_segments(p, 3, sizes);
    asm_add_results(p, &types);
    return asm_resolve_all(p, &lows, index) && asm_resolve_all(p, &highs, index) && asm_resolve_list(p, &inits, &types, pos) &&
           asm_region(p, &args) && asm_attr_dict(p);
}

static void print_bound(Printer *p, const AffineMap *map, const char *several, const Use *operands)
{
    const AffineExpr *e = map->results[0];
    if (map->nresults == 1 && e->kind == AFFINE_CONST && map->ndims + map->nsyms == 0) {
        print_fmt(p, "%lld", (long long)e->value);
    } else if (map->nresults == 1 && e->kind == AFFINE_SYMBOL && map->ndims == 0 && map->nsyms == 1) {
        print_value(p, operands[0].value);
    } else {
        if (map->nresults > 1)
            print_fmt(p, "%s ", several);
        print_str(p, "affine_map<");
        vmc_print_map(print_text(p), map);
        print_str(p, ">");
        print_map_operands(p, map, operands);
    }
}

void vmc_affine_for_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"lowerBoundMap",       "upperBoundMap",         "step",
                                       "operandSegmentSizes", "operand_segment_sizes", NULL};
    OperandRange lows = vmc_operand_group(op, "lowerBoundOperands"), highs = vmc_operand_group(op, "upperBoundOperands");
    OperandRange inits = vmc_operand_group(op, "inits");
    const Block *body = op->regions[0].first;
    int64_t step = 1;
    vmc_get_int(op, "step", &step);
    print_str(p, " ");
    print_value(p, body->args[0]);
    print_str(p, " = ");
    print_bound(p, map_of(op, "lowerBoundMap"), "max", op->operands + lows.first);
    print_str(p, " to ");
    print_bound(p, map_of(op, "upperBoundMap"), "min", op->operands + highs.first);
    if (step != 1)
        print_fmt(p, " step %lld", (long long)step);
    if (inits.count) {
        print_str(p, " iter_args(");
        for (uint32_t i = 0; i < inits.count; i++) {
            print_str(p, i ? ", " : "");
            print_value(p, body->args[1 + i]);
            print_str(p, " = ");
            print_value(p, op->operands[inits.first + i].value);
        }
        print_str(p, ")");
        print_arrow_results(p, op);
    }
    print_str(p, " ");
    print_region(p, &op->regions[0], false, op->nresults != 0);
    print_attr_dict(p, op, skip);
}

/* ---- if ---------------------------------------------------------------------------- */

bool vmc_affine_if_parse(Asm *p, const OpDef *def)
{
    (void)def;
    const Attr *set;
    AsmOperands operands = {0};
    AsmTypes types = {0};
    AsmArgs none = {0};
    SrcPos pos = asm_pos(p);
    if (!asm_attr(p, NULL, &set))
        return false;
    if (set->kind != ATTR_SET)
        return asm_error(p, pos, "expected an integer set");
    asm_add_attr(p, "condition", set);
    if (!parse_map_operands(p, set->map, &operands) || !asm_resolve_all(p, &operands, vmc_type_index(asm_context(p))))
        return false;
    if (asm_peek(p, "->") && !asm_arrow_types(p, &types))
        return false;
    asm_add_results(p, &types);
    if (!asm_region(p, &none))
        return false;
    if (asm_try(p, "else")) {
        if (!asm_region(p, &none))
            return false;
    } else {
        asm_add_empty_region(p);
    }
    return asm_attr_dict(p);
}

void vmc_affine_if_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"condition", NULL};
    print_str(p, " ");
    print_attr(p, vmc_get_attr(op, "condition"));
    print_map_operands(p, map_of(op, "condition"), op->operands);
    if (op->nresults) {
        print_str(p, " -> ");
        print_result_types(p, op);
    }
    print_str(p, " ");
    print_region(p, &op->regions[0], false, op->nresults != 0);
    if (op->nregions == 2 && op->regions[1].first) {
        print_str(p, " else ");
        print_region(p, &op->regions[1], false, op->nresults != 0);
    }
    print_attr_dict(p, op, skip);
}

/* ---- load, store ----------------------------------------------------------------------- */

static bool parse_access(Asm *p, AsmOperand *stored)
{
    Context *ctx = asm_context(p);
    AsmOperand memref;
    AsmOperands indices = {0};
    const AffineMap *map;
    const Type *type;
    if (stored && (!asm_operand(p, stored) || !asm_expect(p, ",")))
        return false;
    if (!asm_operand(p, &memref) || !asm_affine_subscripts(p, "[", "]", &map, &indices) || !asm_attr_dict(p))
        return false;
    asm_add_attr(p, "map", vmc_attr_map(ctx, map));
    SrcPos pos = asm_pos(p);
    if (!asm_colon_type(p, &type))
        return false;
    if (type->kind != TYPE_MEMREF)
        return asm_error(p, pos, "expected a ranked memref type");
    if (stored && !asm_resolve(p, stored, type->elem))
        return false;
    if (!stored)
        asm_add_result(p, type->elem);
    return asm_resolve(p, &memref, type) && asm_resolve_all(p, &indices, vmc_type_index(ctx));
}

static void print_access(Printer *p, const Op *op, uint32_t memref)
{
    static const char *const skip[] = {"map", NULL};
    print_value(p, op->operands[memref].value);
    print_str(p, "[");
    print_affine_subscripts(p, map_of(op, "map"), op->operands + memref + 1);
    print_str(p, "]");
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    print_type(p, op->operands[memref].value->type);
}

bool vmc_affine_load_parse(Asm *p, const OpDef *def)
{
    (void)def;
    return parse_access(p, NULL);
}

void vmc_affine_load_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_access(p, op, 0);
}

bool vmc_affine_store_parse(Asm *p, const OpDef *def)
{
    (void)def;
    AsmOperand stored;
    return parse_access(p, &stored);
}

void vmc_affine_store_print(Printer *p, const Op *op)
{
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_str(p, ", ");
    print_access(p, op, 1);
}

/* ---- parallel ------------------------------------------------------------------------------ */

/* How many results of its map each bound has. */
static const Attr *group_sizes(Context *ctx, const int32_t *sizes, size_t n)
{
    int64_t dim = (int64_t)n;
    uint8_t *bytes = vmc_arena_alloc(&ctx->arena, 4 * n + 1);
    bool splat = n != 0;
    for (size_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < 4; k++)
            bytes[4 * i + k] = (uint8_t)((uint32_t)sizes[i] >> 8 * k);
        splat &= sizes[i] == sizes[0];
    }
    return vmc_attr_dense(ctx, vmc_type_tensor(ctx, 1, &dim, vmc_type_int(ctx, 32, SIGNLESS), NULL), bytes, splat ? 4 : 4 * n,
                          splat, true);
}

static bool parse_reductions(Asm *p, AsmTypes *types)
{
    Context *ctx = asm_context(p);
    const EnumDef *kinds = vmc_find_enum("atomic_rmw_kind");
    VEC(const Attr *) list = {0};
    if (!asm_expect(p, "("))
        return false;
    do {
        const char *text;
        size_t n;
        int64_t value;
        SrcPos pos = asm_pos(p);
        if (!asm_string(p, &text, &n))
            return false;
        if (!vmc_enum_value(kinds, text, &value))
            return asm_error(p, pos, "unknown reduction \"%s\"", text);
        VEC_PUSH(asm_arena(p), &list, vmc_attr_i64(ctx, value));
    } while (asm_try(p, ","));
    asm_add_attr(p, "reductions", vmc_attr_array(ctx, list.n, list.at));
    return asm_expect(p, ")") && asm_arrow_types(p, types);
}

bool vmc_affine_parallel_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    const Type *index = vmc_type_index(ctx);
    AsmOperands ivs = {0}, lows = {0}, highs = {0};
    AsmArgs args = {0};
    AsmTypes types = {0};
    const AffineMap *lower, *upper;
    const int32_t *low_groups, *high_groups;
    size_t nlow, nhigh;
    SrcPos pos = asm_pos(p);
    if (!asm_operands_in(p, "(", ")", &ivs) || !asm_expect(p, "=") ||
        !asm_affine_bounds(p, "max", &lower, &lows, &low_groups, &nlow) || !asm_expect(p, "to") ||
        !asm_affine_bounds(p, "min", &upper, &highs, &high_groups, &nhigh))
        return false;
    if (nlow != ivs.n || nhigh != ivs.n)
        return asm_error(p, pos, "expected one lower and one upper bound for each induction variable");
    const Attr **steps = ARENA_ARRAY(asm_arena(p), const Attr *, ivs.n + 1);
    bool given = asm_try(p, "step");
    if (given && !asm_expect(p, "("))
        return false;
    for (size_t i = 0; i < ivs.n; i++) {
        int64_t step = 1;
        if (given && ((i && !asm_expect(p, ",")) || !asm_integer(p, &step)))
            return false;
        steps[i] = vmc_attr_i64(ctx, step);
        VEC_PUSH(asm_arena(p), &args, ((AsmArg){.name = ivs.at[i], .type = index}));
    }
    if (given && !asm_expect(p, ")"))
        return false;
    asm_add_attr(p, "reductions", vmc_attr_array(ctx, 0, NULL));
    if (asm_try(p, "reduce") && !parse_reductions(p, &types))
        return false;
    asm_add_attr(p, "lowerBoundsMap", vmc_attr_map(ctx, lower));
    asm_add_attr(p, "lowerBoundsGroups", group_sizes(ctx, low_groups, nlow));
    asm_add_attr(p, "upperBoundsMap", vmc_attr_map(ctx, upper));
    asm_add_attr(p, "upperBoundsGroups", group_sizes(ctx, high_groups, nhigh));
    asm_add_attr(p, "steps", vmc_attr_array(ctx, ivs.n, steps));
    asm_add_results(p, &types);
    return asm_resolve_all(p, &lows, index) && asm_resolve_all(p, &highs, index) && asm_region(p, &args) && asm_attr_dict(p);
}

static void print_bounds(Printer *p, const Op *op, const char *map_name, const char *groups_name, const char *several,
                         const Use *operands)
{
    Context *ctx = vmc_op_context(op);
    const AffineMap *map = map_of(op, map_name);
    const int64_t *groups = NULL;
    ptrdiff_t n = vmc_attr_ints(ctx, vmc_get_attr(op, groups_name), &groups);
    uint32_t at = 0;
    for (ptrdiff_t i = 0; i < n && groups[i] >= 0 && groups[i] <= map->nresults - at; i++) {
        uint32_t size = (uint32_t)groups[i];
        const AffineMap *bound = vmc_affine_map(ctx, map->ndims, map->nsyms, size, map->results + at, NULL);
        print_fmt(p, "%s%s%s", i ? ", " : "", size > 1 ? several : "", size > 1 ? "(" : "");
        print_affine_subscripts(p, bound, operands);
        print_str(p, size > 1 ? ")" : "");
        at += size;
    }
}

void vmc_affine_parallel_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {
        "reductions", "lowerBoundsMap", "lowerBoundsGroups", "upperBoundsMap", "upperBoundsGroups", "steps", NULL};
    const AffineMap *lower = map_of(op, "lowerBoundsMap");
    const Attr *reductions = vmc_get_attr(op, "reductions");
    const EnumDef *kinds = vmc_find_enum("atomic_rmw_kind");
    const Block *body = op->regions[0].first;
    const int64_t *steps = NULL;
    ptrdiff_t n = vmc_attr_ints(vmc_op_context(op), vmc_get_attr(op, "steps"), &steps);
    print_str(p, " (");
    for (uint32_t i = 0; i < body->nargs; i++) {
        print_str(p, i ? ", " : "");
        print_value(p, body->args[i]);
    }
    print_str(p, ") = (");
    print_bounds(p, op, "lowerBoundsMap", "lowerBoundsGroups", "max", op->operands);
    print_str(p, ") to (");
    print_bounds(p, op, "upperBoundsMap", "upperBoundsGroups", "min", op->operands + lower->ndims + lower->nsyms);
    print_str(p, ")");
    for (ptrdiff_t i = 0; i < n; i++)
        print_fmt(p, "%s%lld%s", i ? ", " : " step (", (long long)steps[i], i + 1 == n ? ")" : "");
    if (reductions && reductions->n) {
        for (size_t i = 0; i < reductions->n; i++)
            print_fmt(p, "%s\"%s\"", i ? ", " : " reduce (", vmc_enum_name(kinds, reductions->elems[i]->i));
        print_str(p, ")");
        print_arrow_results(p, op);
    }
    print_str(p, " ");
    print_region(p, &op->regions[0], false, op->nresults != 0);
    print_attr_dict(p, op, skip);
}

/* ---- delinearize_index, linearize_index -------------------------------------------------------- */

bool vmc_affine_delinearize_parse(Asm *p, const OpDef *def)
{
    (void)def;
    const Type *index = vmc_type_index(asm_context(p));
    AsmOperand linear;
    AsmOperands basis = {0};
    AsmTypes types = {0};
    if (!asm_operand(p, &linear) || !asm_expect(p, "into") || !vmc_asm_mixed(p, "(", ")", "static_basis", &basis) ||
        !asm_attr_dict(p) || !asm_expect(p, ":") || !asm_type_list(p, &types))
        return false;
    asm_add_results(p, &types);
    return asm_resolve(p, &linear, index) && asm_resolve_all(p, &basis, index);
}

void vmc_affine_delinearize_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"static_basis", NULL};
    print_str(p, " ");
    print_value(p, op->operands[0].value);
    print_str(p, " into (");
    if (vmc_get_attr(op, "static_basis"))
        vmc_print_mixed(p, op, "static_basis", "dynamic_basis");
    else
        print_values(p, op->operands + 1, op->noperands - 1);
    print_str(p, ")");
    print_attr_dict(p, op, skip);
    print_str(p, " : ");
    for (uint32_t i = 0; i < op->nresults; i++) {
        print_str(p, i ? ", " : "");
        print_type(p, op->results[i].type);
    }
}

bool vmc_affine_linearize_parse(Asm *p, const OpDef *def)
{
    (void)def;
    Context *ctx = asm_context(p);
    const Type *index = vmc_type_index(ctx), *type;
    AsmOperands indices = {0}, basis = {0};
    if (asm_try(p, "disjoint"))
        asm_add_attr(p, "disjoint", vmc_attr_unit(ctx));
    if (!asm_operands_in(p, "[", "]", &indices) || !asm_expect(p, "by") || !vmc_asm_mixed(p, "(", ")", "static_basis", &basis) ||
        !asm_attr_dict(p) || !asm_colon_type(p, &type))
        return false;
    int32_t sizes[2] = {(int32_t)indices.n, (int32_t)basis.n};
    asm_set_segments(p, 2, sizes);
    asm_add_result(p, type);
    return asm_resolve_all(p, &indices, index) && asm_resolve_all(p, &basis, index);
}

void vmc_affine_linearize_print(Printer *p, const Op *op)
{
    static const char *const skip[] = {"static_basis", "disjoint", "operandSegmentSizes", NULL};
    print_str(p, vmc_get_attr(op, "disjoint") ? " disjoint [" : " [");
    print_operands(p, op, "multi_index");
    print_str(p, "] by (");
    vmc_print_mixed(p, op, "static_basis", "dynamic_basis");
    print_str(p, ")");
    print_attr_dict(p, op, skip);
    print_str(p, " : index");
}
