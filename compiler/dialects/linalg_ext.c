/* Checks of iree_linalg_ext ops: what the expansions rely on. */
#include "linalg_ext.h"

#include "hooks_buffer.h"

static bool is_shaped(const Value *value)
{
    return value && (value->type->kind == TYPE_TENSOR || value->type->kind == TYPE_MEMREF);
}

static bool is_integer(const Type *type)
{
    return type->kind == TYPE_INT || type->kind == TYPE_INDEX;
}

/* Everything shaped is a tensor and each out has a result of its type, or everything is a memref and there is no result. */
static bool outs_ok(Context *ctx, Op *op, uint32_t nouts, Value *const *outs)
{
    TypeKind kind = outs[0]->type->kind;
    for (uint32_t i = 0; i < op->noperands; i++)
        if (is_shaped(op->operands[i].value) && op->operands[i].value->type->kind != kind)
            return vmc_op_error(ctx, op, "expected tensors or memrefs, not both");
    if (op->nresults != (kind == TYPE_TENSOR ? nouts : 0))
        return vmc_op_error(ctx, op, "expected a result for each tensor of outs");
    for (uint32_t i = 0; i < op->nresults; i++)
        if (op->results[i].type != outs[i]->type)
            return vmc_op_error(ctx, op, "expected the type of outs #%u as the type of result #%u", i, i);
    return true;
}

/* One block with these arguments that ends in a yield of these types. */
static bool body_ok(Context *ctx, Op *op, uint32_t nargs, const Type *const *args, uint32_t nyields, const Type *const *yields)
{
    const Block *body = vmc_entry(op, 0);
    if (!body || body->next || body->nargs != nargs)
        return vmc_op_error(ctx, op, "expected a body of one block with %u arguments", nargs);
    for (uint32_t i = 0; i < nargs; i++)
        if (body->args[i]->type != args[i])
            return vmc_op_error(ctx, op, "argument #%u of the body does not have the type of an element", i);
    const Op *yield = vmc_terminator(body);
    if (!yield || !vmc_is(yield, "iree_linalg_ext.yield") || yield->noperands != nyields)
        return vmc_op_error(ctx, op, "expected a body that ends in iree_linalg_ext.yield of %u values", nyields);
    for (uint32_t i = 0; i < nyields; i++)
        if (yield->operands[i].value->type != yields[i])
            return vmc_op_error(ctx, op, "the body yields a value #%u of another type than expected", i);
    return true;
}

static bool compare_ok(Context *ctx, Op *op, const Type *elem)
{
    const Type *args[2] = {elem, elem}, *i1 = vmc_type_int(ctx, 1, SIGNLESS);
    return body_ok(ctx, op, 2, args, 1, &i1);
}

static bool sizes_agree(int64_t a, int64_t b)
{
    return a == b || a == VMC_DYNAMIC || b == VMC_DYNAMIC;
}

/* ---- gather, scatter ------------------------------------------------------------------ */

/* `slices` (updates of a scatter, output of a gather) has the batch dims, then those of a slice of `full`. */
static bool indexed_ok(Context *ctx, Op *op, const Type *full, const Type *slices, const Type *indices, const Value *mask)
{
    const int64_t *map;
    ptrdiff_t depth = vmc_attr_ints(ctx, vmc_get_attr(op, "dimension_map"), &map);
    if (depth < 0 || (size_t)depth > full->rank)
        return vmc_op_error(ctx, op, "expected a dimension_map of at most %u entries", full->rank);
    uint32_t slice_rank = full->rank - (uint32_t)depth;
    if (slices->rank < slice_rank)
        return vmc_op_error(ctx, op, "expected at least %u dimensions of slices", slice_rank);
    uint32_t batch = slices->rank - slice_rank;
    for (ptrdiff_t i = 0; i < depth; i++) {
        bool good = map[i] >= 0 && map[i] < depth;
        for (ptrdiff_t k = 0; good && k < i; k++)
            good = map[k] != map[i];
        if (!good)
            return vmc_op_error(ctx, op, "expected a dimension_map that permutes the first %u dimensions", (unsigned)depth);
    }
    bool own_dim = indices->rank == batch + 1 && sizes_agree(indices->dims[batch], depth);
    if (!is_integer(indices->elem) || !(own_dim || (indices->rank == batch && depth == 1)))
        return vmc_op_error(ctx, op, "expected integer indices of %u batch dimensions with %u coordinates each", batch,
                            (unsigned)depth);
    for (uint32_t i = 0; i < batch; i++)
        if (!sizes_agree(indices->dims[i], slices->dims[i]))
            return vmc_op_error(ctx, op, "size %u of the indices is not that of the slices", i);
    if (!mask)
        return true;
    bool good = mask->type->rank == batch && mask->type->elem->kind == TYPE_INT;
    for (uint32_t i = 0; good && i < batch; i++)
        good = sizes_agree(mask->type->dims[i], slices->dims[i]);
    return good || vmc_op_error(ctx, op, "expected a mask of integers with the batch shape");
}

bool vmc_ext_scatter_verify(Context *ctx, Op *op)
{
    Value *updates = vmc_operand_named(op, "updates"), *indices = vmc_operand_named(op, "indices"),
          *original = vmc_operand_named(op, "original");
    const Type *full = original->type;
    if (updates->type->elem != full->elem)
        return vmc_op_error(ctx, op, "expected updates of the element type of the original");
    const Type *args[2] = {full->elem, full->elem};
    return outs_ok(ctx, op, 1, &original) &&
           indexed_ok(ctx, op, full, updates->type, indices->type, vmc_operand_named(op, "mask")) &&
           body_ok(ctx, op, 2, args, 1, &full->elem);
}

bool vmc_ext_gather_verify(Context *ctx, Op *op)
{
    Value *source = vmc_operand_named(op, "source"), *indices = vmc_operand_named(op, "indices"),
          *output = vmc_operand_named(op, "output");
    if (source->type->elem != output->type->elem)
        return vmc_op_error(ctx, op, "expected an output of the element type of the source");
    return outs_ok(ctx, op, 1, &output) &&
           indexed_ok(ctx, op, source->type, output->type, indices->type, vmc_operand_named(op, "mask"));
}

/* ---- map_load, map_store ------------------------------------------------------------------- */

bool vmc_ext_map_verify(Context *ctx, Op *op)
{
    Value *source = op->operands[0].value, *output = op->operands[1].value;
    bool load = vmc_is(op, "iree_linalg_ext.map_load");
    uint32_t nargs = load ? output->type->rank : source->type->rank, nyields = load ? source->type->rank : output->type->rank;
    if (source->type->elem != output->type->elem)
        return vmc_op_error(ctx, op, "expected an output of the element type of the source");
    const Type **args = ARENA_ARRAY(&ctx->arena, const Type *, nargs + 1),
               **yields = ARENA_ARRAY(&ctx->arena, const Type *, nyields + 1);
    for (uint32_t i = 0; i < nargs; i++)
        args[i] = vmc_type_index(ctx);
    for (uint32_t i = 0; i < nyields; i++)
        yields[i] = vmc_type_index(ctx);
    yields[nyields] = load ? output->type->elem : vmc_type_int(ctx, 1, SIGNLESS);
    return outs_ok(ctx, op, 1, &output) && body_ok(ctx, op, nargs, args, nyields + 1, yields);
}

/* ---- along a dimension ------------------------------------------------------------------------ */

static bool dimension_ok(Context *ctx, Op *op, const Type *type)
{
    int64_t dim;
    return (vmc_get_int(op, "dimension", &dim) && dim >= 0 && dim < (int64_t)type->rank) ||
           vmc_op_error(ctx, op, "expected a dimension below the rank %u", type->rank);
}

/* `type` is `full` without the op's dimension (`reduced`), or with it alike but for its size (`resized`), or just alike. */
typedef enum Fit { FIT_SAME, FIT_REDUCED, FIT_RESIZED } Fit;

static bool fits(Context *ctx, Op *op, const Type *full, const Type *type, Fit fit, const char *what)
{
    int64_t dim = 0;
    vmc_get_int(op, "dimension", &dim);
    bool good = type->rank == full->rank - (fit == FIT_REDUCED);
    for (uint32_t i = 0, k = 0; good && i < full->rank; i++) {
        if (i == dim && fit == FIT_REDUCED)
            continue;
        good = (i == dim && fit == FIT_RESIZED) || sizes_agree(full->dims[i], type->dims[k]);
        k++;
    }
    return good || vmc_op_error(ctx, op, "the shape of %s does not fit that of the input", what);
}

bool vmc_ext_sort_verify(Context *ctx, Op *op)
{
    OperandRange outs = vmc_operand_group(op, "outputs");
    if (vmc_operand_group(op, "inputs").count || !outs.count)
        return vmc_op_error(ctx, op, "expected outs, and no ins");
    Value **values = ARENA_ARRAY(&ctx->arena, Value *, outs.count);
    const Type **args = ARENA_ARRAY(&ctx->arena, const Type *, 2 * (size_t)outs.count), *i1 = vmc_type_int(ctx, 1, SIGNLESS);
    for (uint32_t i = 0; i < outs.count; i++) {
        values[i] = op->operands[outs.first + i].value;
        args[2 * i] = args[2 * i + 1] = values[i]->type->elem;
    }
    if (!outs_ok(ctx, op, outs.count, values) || !dimension_ok(ctx, op, values[0]->type))
        return false;
    for (uint32_t i = 1; i < outs.count; i++)
        if (!fits(ctx, op, values[0]->type, values[i]->type, FIT_SAME, "an out"))
            return false;
    return body_ok(ctx, op, 2 * outs.count, args, 1, &i1);
}

bool vmc_ext_scan_verify(Context *ctx, Op *op)
{
    Value *input = op->operands[0].value, *outs[2] = {op->operands[1].value, op->operands[2].value};
    const Type *elem = input->type->elem, *args[2] = {elem, elem};
    if (outs[0]->type->elem != elem || outs[1]->type->elem != elem)
        return vmc_op_error(ctx, op, "expected one element type");
    return outs_ok(ctx, op, 2, outs) && dimension_ok(ctx, op, input->type) &&
           fits(ctx, op, input->type, outs[0]->type, FIT_SAME, "the output") &&
           fits(ctx, op, input->type, outs[1]->type, FIT_REDUCED, "the accumulator") && body_ok(ctx, op, 2, args, 1, &elem);
}

bool vmc_ext_topk_verify(Context *ctx, Op *op)
{
    bool second = vmc_is(op, "iree_linalg_ext.topk_v2");
    Value *values = vmc_operand_named(op, "values"), *indices = vmc_operand_named(op, second ? "input_indices" : "indices");
    Value *outs[2] = {vmc_operand_named(op, "output_values"), vmc_operand_named(op, "output_indices")};
    const Type *type = values->type;
    if (outs[0]->type->elem != type->elem || (outs[1] && !is_integer(outs[1]->type->elem)) ||
        (indices && (!outs[1] || indices->type->elem != outs[1]->type->elem)))
        return vmc_op_error(ctx, op, "expected values of one element type and indices of one integer type");
    return outs_ok(ctx, op, outs[1] ? 2 : 1, outs) && dimension_ok(ctx, op, type) &&
           (!indices || fits(ctx, op, type, indices->type, FIT_SAME, "the indices")) &&
           fits(ctx, op, type, outs[0]->type, FIT_RESIZED, "the output") &&
           (!outs[1] || (fits(ctx, op, type, outs[1]->type, FIT_RESIZED, "the output indices") &&
                         fits(ctx, op, outs[0]->type, outs[1]->type, FIT_SAME, "the output indices"))) &&
           compare_ok(ctx, op, type->elem);
}

bool vmc_ext_arg_compare_verify(Context *ctx, Op *op)
{
    Value *values = vmc_operand_named(op, "input_value"), *indices = vmc_operand_named(op, "input_index");
    Value *outs[2] = {vmc_operand_named(op, "output_value"), vmc_operand_named(op, "output_index")};
    const Type *type = values->type;
    if (outs[0]->type->elem != type->elem || !is_integer(outs[1]->type->elem) ||
        (indices && indices->type->elem != outs[1]->type->elem))
        return vmc_op_error(ctx, op, "expected values of one element type and indices of one integer type");
    if (indices && vmc_operand_named(op, "index_base"))
        return vmc_op_error(ctx, op, "expected no index_base beside given indices");
    return outs_ok(ctx, op, 2, outs) && dimension_ok(ctx, op, type) &&
           (!indices || fits(ctx, op, type, indices->type, FIT_SAME, "the indices")) &&
           fits(ctx, op, type, outs[0]->type, FIT_REDUCED, "the output") &&
           fits(ctx, op, type, outs[1]->type, FIT_REDUCED, "the output index") && compare_ok(ctx, op, type->elem);
}

/* ---- attention ------------------------------------------------------------------------------------ */

static bool has_dim(const AffineMap *map, uint32_t dim)
{
    for (uint32_t i = 0; map && i < map->nresults; i++)
        if (map->results[i]->kind == AFFINE_DIM && map->results[i]->value == (int64_t)dim)
            return true;
    return false;
}

bool vmc_ext_attention(Context *ctx, const Op *op, Attention *out)
{
    *out = (Attention){.query = vmc_operand_named(op, "query"),
                       .key = vmc_operand_named(op, "key"),
                       .value = vmc_operand_named(op, "value"),
                       .scale = vmc_operand_named(op, "scale"),
                       .mask = vmc_operand_named(op, "mask"),
                       .output = vmc_operand_named(op, "output")};
    bool online = vmc_is(op, "iree_linalg_ext.online_attention");
    if (online) {
        out->max = vmc_operand_named(op, "max");
        out->sum = vmc_operand_named(op, "sum");
    }
    const Attr *attr = vmc_get_attr(op, "indexing_maps");
    const AffineMap **maps[] = {&out->query_map, &out->key_map,    &out->value_map, NULL,
                                &out->mask_map,  &out->output_map, &out->max_map,   &out->sum_map};
    const Value *operands[] = {out->query, out->key, out->value, out->scale, out->mask, out->output, out->max, out->sum};
    size_t next = 0;
    if (!attr || attr->kind != ATTR_ARRAY)
        return false; /* what stands inside is verified first, and asks too */
    for (size_t k = 0; k < sizeof operands / sizeof operands[0]; k++) {
        if (!operands[k])
            continue;
        if (next >= attr->n || attr->elems[next]->kind != ATTR_MAP)
            return false;
        const AffineMap *map = attr->elems[next++]->map;
        out->nloops = map->ndims;
        if (map->ndims != attr->elems[0]->map->ndims || map->nsyms || !vmc_map_is_projected_permutation(map))
            return false;
        for (uint32_t r = 0; r < map->nresults; r++)
            if (map->results[r]->kind != AFFINE_DIM)
                return false;
        if (map->nresults != (maps[k] ? operands[k]->type->rank : 0))
            return false;
        if (maps[k])
            *maps[k] = map;
    }
    if (next != attr->n)
        return false;
    out->scored = ARENA_ARRAY(&ctx->arena, bool, out->nloops + 1);
    out->kept = ARENA_ARRAY(&ctx->arena, bool, out->nloops + 1);
    for (uint32_t l = 0; l < out->nloops; l++) {
        bool q = has_dim(out->query_map, l), k = has_dim(out->key_map, l), v = has_dim(out->value_map, l),
             o = has_dim(out->output_map, l);
        /* batch: all four; rows: query and output; inner of the first product: query and key; columns: value and output; what the
           softmax runs over: key and value */
        if (!((q && k && v && o) || (q && o && !k && !v) || (q && k && !v && !o) || (v && o && !q && !k) || (k && v && !q && !o)))
            return false;
        out->scored[l] = (q && o) || (k && v);
        out->kept[l] = q && o;
        if (has_dim(out->mask_map, l) && !out->scored[l])
            return false;
        if (online && (has_dim(out->max_map, l) != out->kept[l] || has_dim(out->sum_map, l) != out->kept[l]))
            return false;
    }
    return true;
}

bool vmc_ext_index_verify(Context *ctx, Op *op)
{
    const Op *around = vmc_parent_op(op);
    Attention a;
    int64_t dim = -1, n = 0;
    vmc_get_int(op, "dim", &dim);
    while (around && !vmc_is(around, "iree_linalg_ext.attention") && !vmc_is(around, "iree_linalg_ext.online_attention"))
        around = vmc_parent_op(around);
    if (!around)
        return vmc_op_error(ctx, op, "must stand in an attention");
    if (!vmc_ext_attention(ctx, around, &a))
        return true; /* reported there */
    for (uint32_t l = 0; l < a.nloops; l++)
        n += a.scored[l];
    return (dim >= 0 && dim < n) || vmc_op_error(ctx, op, "expected a dimension of the scores, which have %d", (int)n);
}

bool vmc_ext_attention_verify(Context *ctx, Op *op)
{
    Attention a;
    if (!vmc_ext_attention(ctx, op, &a))
        return vmc_op_error(ctx, op, "expected one indexing map for each operand that together form an attention");
    Value *outs[3] = {a.output, a.max, a.sum};
    const Value *floats[] = {a.query, a.key, a.value, a.output, a.max, a.sum};
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
        if (floats[i] && floats[i]->type->elem->kind != TYPE_FLOAT)
            return vmc_op_error(ctx, op, "expected elements of float type");
    if (a.max && (a.max->type->elem != a.sum->type->elem))
        return vmc_op_error(ctx, op, "expected a maximum and a sum of one element type");
    if (a.mask && a.mask->type->elem->kind != TYPE_FLOAT && a.mask->type->elem->kind != TYPE_INT)
        return vmc_op_error(ctx, op, "expected a mask of integers or floats");
    const Block *body = vmc_entry(op, 0);
    const Type *score = body && body->nargs == 1 ? body->args[0]->type : NULL;
    if (!score || score->kind != TYPE_FLOAT)
        return vmc_op_error(ctx, op, "expected a body with one argument of float type");
    return outs_ok(ctx, op, a.max ? 3 : 1, outs) && body_ok(ctx, op, 1, &score, 1, &score);
}

/* ---- winograd ---------------------------------------------------------------------------------------- */

bool vmc_ext_winograd_verify(Context *ctx, Op *op)
{
    Value *input = op->operands[0].value, *output = op->operands[1].value;
    bool filter = vmc_is(op, "iree_linalg_ext.winograd.filter_transform");
    bool back = vmc_is(op, "iree_linalg_ext.winograd.output_transform");
    int64_t tile = 0, kernel = 0;
    const int64_t *dims;
    vmc_get_int(op, "output_tile_size", &tile);
    vmc_get_int(op, "kernel_size", &kernel);
    if (tile != 6 || kernel != 3)
        return vmc_op_error(ctx, op, "is there for output tiles of 6 and kernels of 3");
    const Type *plain = back ? output->type : input->type, *tiled = back ? input->type : output->type;
    uint32_t tiled_rank = filter ? 4 : 6;
    if (vmc_attr_ints(ctx, vmc_get_attr(op, filter ? "kernel_dimensions" : "image_dimensions"), &dims) != 2 || plain->rank != 4 ||
        tiled->rank != tiled_rank || plain->elem != tiled->elem || plain->elem->kind != TYPE_FLOAT)
        return vmc_op_error(ctx, op, "expected two dimensions, ranks 4 and %u, and one element type of floats", tiled_rank);
    int64_t first = filter ? 0 : 1;
    bool last = dims[0] == first && dims[1] == first + 1, channels_first = dims[0] == 2 && dims[1] == 3;
    if (!last && !channels_first)
        return vmc_op_error(ctx, op, "expected the dimensions of the image or kernel to be [%d, %d] or [2, 3]", (int)first,
                            (int)first + 1);
    if (!sizes_agree(tiled->dims[0], tile + kernel - 1) || !sizes_agree(tiled->dims[1], tile + kernel - 1) ||
        (filter && (!sizes_agree(plain->dims[dims[0]], kernel) || !sizes_agree(plain->dims[dims[1]], kernel))))
        return vmc_op_error(ctx, op, "expected tiles of size %d", (int)(tile + kernel - 1));
    return outs_ok(ctx, op, 1, &output);
}

/* A tile's size along one dimension is that of the Winograd domain, or 1 where the kernel is 1. */
static bool tile_size_ok(const Type *tiled, uint32_t dim, int64_t alpha)
{
    return tiled->dims[dim] == alpha || tiled->dims[dim] == 1;
}

bool vmc_linalg_winograd_verify(Context *ctx, Op *op)
{
    const Type *in = op->operands[0].value->type, *out = op->operands[1].value->type;
    bool filter = vmc_is(op, "linalg.winograd_filter_transform"), back = vmc_is(op, "linalg.winograd_output_transform");
    const Type *plain = back ? out : in, *tiled = back ? in : out;
    int64_t m = 0, r = 0;
    vmc_get_int(op, "m", &m);
    vmc_get_int(op, "r", &r);
    if (!((m == 2 && r == 3) || (m == 4 && r == 3) || (m == 2 && r == 5)))
        return vmc_op_error(ctx, op, "is there for m and r of 2 and 3, 4 and 3, 2 and 5");
    if (plain->rank != 4 || tiled->rank != (filter ? 4 : 6) || plain->elem != tiled->elem || plain->elem->kind != TYPE_FLOAT)
        return vmc_op_error(ctx, op, "expected ranks 4 and %d, and one element type of floats", filter ? 4 : 6);
    if (!tile_size_ok(tiled, 0, m + r - 1) || !tile_size_ok(tiled, 1, m + r - 1))
        return vmc_op_error(ctx, op, "expected tiles of the static size %d, or 1", (int)(m + r - 1));
    for (uint32_t i = 0; filter && i < 2; i++)
        if (plain->dims[1 + i] != (tiled->dims[i] == 1 ? 1 : r))
            return vmc_op_error(ctx, op, "expected kernels of the static size %d, or 1 where the tile is", (int)r);
    return op->results[0].type == out || vmc_op_error(ctx, op, "expected the type of outs as that of the result");
}
