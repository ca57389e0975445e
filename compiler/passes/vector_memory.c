/* Vector ops on memory and tensors: loops over the lanes in row-major order, one element at a time, so that lanes that are off
 * or outside touch nothing. */
#include "lower_vectors.h"

static Value **values_of(Context *ctx, const Op *op, const char *group, uint32_t *n)
{
    OperandRange range = vmc_operand_group(op, group);
    Value **values = ARENA_ARRAY(&ctx->arena, Value *, range.count + 1);
    for (uint32_t i = 0; i < range.count; i++)
        values[i] = op->operands[range.first + i].value;
    *n = range.count;
    return values;
}

static Value *plus(Builder *b, Value *x, Value *y)
{
    return !x ? y : !y ? x : vec_add(b, x, y);
}

bool vec_type_cast(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)l, (void)mask;
    Value *source = op->operands[0].value;
    results[0] = source->type == op->results[0].type ? source : vmc_build1(b, "memref.cast", op->results[0].type, 1, &source);
    return true;
}

/* ---- transfers ----------------------------------------------------------------------------- */

typedef struct Moving { /* a transfer inside its loops */
    Transfer t;
    Value *mask;
    Value **sizes; /* of the source's dims that are looked at */
    Value **subscripts;
    Value *condition; /* NULL: always */
} Moving;

static void moving_begin(Vectors *l, Op *op, Builder *b, Value *mask, Moving *m)
{
    vmc_transfer(l->ctx, op, &m->t);
    m->mask = m->t.mask ? m->t.mask : mask;
    m->sizes = ARENA_ARRAY(&l->ctx->arena, Value *, m->t.source->type->rank + 1);
    for (uint32_t v = 0; v < m->t.nmapped; v++)
        if (!m->t.in_bounds[v])
            m->sizes[m->t.source_dim[v]] = vmc_dim_of(b, m->t.source, (uint32_t)m->t.source_dim[v]);
}

static void moving_place(Vectors *l, Op *op, Builder *b, Value *const *at, uint32_t rank, Moving *m)
{
    const Transfer *t = &m->t;
    m->subscripts = ARENA_ARRAY(&l->ctx->arena, Value *, t->source->type->rank + 1);
    m->condition = NULL;
    for (uint32_t d = 0; d < t->nindices; d++)
        m->subscripts[d] = op->operands[t->first_index + d].value;
    for (uint32_t v = 0; v < rank; v++)
        if (t->source_dim[v] >= 0)
            m->subscripts[t->source_dim[v]] = plus(b, m->subscripts[t->source_dim[v]], at[v]);
    for (uint32_t v = 0; v < t->nmapped; v++) {
        if (t->in_bounds[v])
            continue;
        Value *inside = vmc_cmpi(b, CMPI_SLT, m->subscripts[t->source_dim[v]], m->sizes[t->source_dim[v]]);
        m->condition = m->condition ? vmc_binary(b, "arith.andi", m->condition, inside) : inside;
    }
    if (!m->mask)
        return;
    Value **place = ARENA_ARRAY(&l->ctx->arena, Value *, m->mask->type->rank + 1);
    for (uint32_t d = 0; d < m->mask->type->rank; d++)
        place[d] = NULL;
    for (uint32_t v = 0; v < t->nmapped; v++)
        if (t->source_dim[v] >= 0)
            place[vmc_transfer_mask_dim(t, v)] = at[v];
    for (uint32_t d = 0; d < m->mask->type->rank; d++)
        if (!place[d])
            place[d] = vmc_build_index(b, 0);
    Value *on = vec_get(b, m->mask, place);
    m->condition = m->condition ? vmc_binary(b, "arith.andi", on, m->condition) : on;
}

/* Whole elements move, and those of a memref of vectors whole as well (the dialect allows parts of their bits). */
static bool elements_fit(const Transfer *t, const Type *type)
{
    const Type *source = t->source->type;
    bool ok = source->elem == type->elem;
    for (uint32_t v = t->nmapped; ok && v < type->rank; v++)
        ok = type->dims[v] == source->dims[t->source_dim[v]];
    return ok;
}

/* Besides: has a mask from a vector.mask around the op the dims that the transfer looks at? */
static bool transfer_fits(Vectors *l, Op *op, const Type *type, const Value *mask)
{
    Transfer t;
    uint32_t n = 0;
    bool ok = vmc_transfer(l->ctx, op, &t);
    if (!ok || !elements_fit(&t, type)) {
        vmc_error(&l->ctx->diag, op->pos, "'%s' op transfers elements of another type than those of its vector", op->name);
        return false;
    }
    for (uint32_t v = 0; ok && mask && v < t.nmapped; v++)
        if (t.source_dim[v] >= 0) {
            uint32_t d = vmc_transfer_mask_dim(&t, v);
            ok = d < mask->type->rank && mask->type->dims[d] == type->dims[v];
            n++;
        }
    if (ok && (!mask || n == mask->type->rank || (n == 0 && mask->type->rank == 1)))
        return true;
    vmc_error(&l->ctx->diag, op->pos, "'%s' op has a mask of another shape than what it transfers", op->name);
    return false;
}

bool vec_transfer_read(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    const Type *type = op->results[0].type;
    if (!transfer_fits(l, op, type, mask))
        return false;
    Moving m;
    moving_begin(l, op, b, mask, &m);
    Value *empty = vec_empty(b, type), *padding = vmc_operand_named(op, "padding");
    VecNest nest;
    vec_nest_begin(b, type->rank, type->dims, 1, &empty, &nest);
    moving_place(l, op, &nest.body, nest.at, type->rank, &m);
    Value *element;
    if (m.condition) {
        VecChoice choice;
        vec_choice_begin(&nest.body, m.condition, 1, &type->elem, &choice);
        Value *inside = vec_load(&choice.yes, m.t.source, m.subscripts);
        Value *outside = vec_get(&choice.no, padding, nest.at + m.t.nmapped);
        vec_choice_end(&choice, 1, &inside, &outside);
        element = &choice.op->results[0];
    } else {
        element = vec_load(&nest.body, m.t.source, m.subscripts);
    }
    Value *next = vec_set(&nest.body, nest.carried[0], nest.at, element);
    results[0] = vec_nest_end(&nest, &next)[0];
    return true;
}

/* One element written to a memref, or to the tensor that the loops carry, where `condition` holds (NULL: always). */
static void write_element(VecNest *nest, Value *condition, Value *target, Value *const *subscripts, Value *element, Value **next)
{
    bool tensor = target->type->kind == TYPE_TENSOR;
    if (!condition) {
        *next = vec_set(&nest->body, target, subscripts, element);
        return;
    }
    VecChoice choice;
    vec_choice_begin(&nest->body, condition, tensor, &target->type, &choice);
    Value *written = vec_set(&choice.yes, target, subscripts, element);
    vec_choice_end(&choice, tensor, &written, &target);
    *next = tensor ? &choice.op->results[0] : NULL;
}

bool vec_transfer_write(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    Value *vector = vmc_operand_named(op, "vector"), *source = vmc_operand_named(op, "source");
    bool tensor = source->type->kind == TYPE_TENSOR;
    if (!transfer_fits(l, op, vector->type, mask))
        return false;
    Moving m;
    moving_begin(l, op, b, mask, &m);
    VecNest nest;
    vec_nest_begin(b, vector->type->rank, vector->type->dims, tensor, &source, &nest);
    moving_place(l, op, &nest.body, nest.at, vector->type->rank, &m);
    Value *element = vec_get(&nest.body, vector, nest.at), *next;
    write_element(&nest, m.condition, tensor ? nest.carried[0] : source, m.subscripts, element, &next);
    Value **out = vec_nest_end(&nest, &next);
    if (op->nresults)
        results[0] = out[0];
    return true;
}

/* ---- boxes --------------------------------------------------------------------------------------------- */

/* Subscripts of the element at `at` of a box with `rank` dims that starts at the indices and lies in the memref's last dims. */
static Value **box_place(Builder *b, Value *base, uint32_t nindices, Value *const *indices, Value *const *at, uint32_t rank)
{
    uint32_t full = base->type->rank;
    Value **out = ARENA_ARRAY(&b->ctx->arena, Value *, full + 1);
    for (uint32_t d = 0; d < full; d++) {
        Value *lane = d + rank >= full ? at[d + rank - full] : NULL;
        out[d] = plus(b, d < nindices ? indices[d] : NULL, lane);
    }
    return out;
}

/* The memref and the indices of a load or store; those of affine ops are computed. */
static Value **box_of(Vectors *l, Op *op, Builder *b, Value **base, uint32_t *n)
{
    Context *ctx = l->ctx;
    bool vector = strncmp(op->name, "vector.", 7) == 0, affine = strncmp(op->name, "affine.", 7) == 0;
    *base = vmc_operand_named(op, vector ? "base" : "memref");
    Value **indices = values_of(ctx, op, "indices", n);
    if (!affine)
        return indices;
    const AffineMap *map = vmc_get_attr(op, "map")->map;
    Value **computed = ARENA_ARRAY(&ctx->arena, Value *, map->nresults + 1);
    for (uint32_t i = 0; i < map->nresults; i++)
        computed[i] = vmc_affine_value(b, map->results[i], indices, indices + map->ndims);
    *n = map->nresults;
    return computed;
}

/* A vector of more dims than its memref has leading ones of size 1. */
static bool box_fits(Vectors *l, Op *op, const Value *base, const Type *type, uint32_t *extra)
{
    *extra = type->rank > base->type->rank ? type->rank - base->type->rank : 0;
    for (uint32_t i = 0; i < *extra; i++)
        if (type->dims[i] != 1) {
            vmc_error(&l->ctx->diag, op->pos, "'%s' moves a vector of higher rank than its memref", op->name);
            return false;
        }
    return true;
}

bool vec_load_box(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    Value *base, *empty;
    uint32_t n, extra;
    Value **indices = box_of(l, op, b, &base, &n);
    const Type *type = op->results[0].type;
    if (!box_fits(l, op, base, type, &extra))
        return false;
    VecNest nest;
    empty = vec_empty(b, type);
    vec_nest_begin(b, type->rank, type->dims, 1, &empty, &nest);
    Value **place = box_place(&nest.body, base, n, indices, nest.at + extra, type->rank - extra);
    Value *next = vec_set(&nest.body, nest.carried[0], nest.at, vec_load(&nest.body, base, place));
    results[0] = vec_nest_end(&nest, &next)[0];
    return true;
}

bool vec_store_box(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask, (void)results;
    Value *base, *vector = vmc_operand_named(op, strncmp(op->name, "vector.", 7) == 0 ? "valueToStore" : "value");
    uint32_t n, extra;
    Value **indices = box_of(l, op, b, &base, &n);
    if (!box_fits(l, op, base, vector->type, &extra))
        return false;
    VecNest nest;
    vec_nest_begin(b, vector->type->rank, vector->type->dims, 0, NULL, &nest);
    Value **place = box_place(&nest.body, base, n, indices, nest.at + extra, vector->type->rank - extra);
    vec_set(&nest.body, base, place, vec_get(&nest.body, vector, nest.at));
    vec_nest_end(&nest, NULL);
    return true;
}

/* ---- lanes under a mask ------------------------------------------------------------------------------------ */

typedef struct Lanes {
    Value *base, *mask, *vector; /* vector: pass_thru or the value to store */
    uint32_t nindices;
    Value **indices;
} Lanes;

static Lanes lanes_of(Vectors *l, Op *op)
{
    Lanes lanes = {.base = vmc_operand_named(op, "base"), .mask = vmc_operand_named(op, "mask")};
    lanes.vector = vmc_operand_named(op, op->nresults ? "pass_thru" : "valueToStore");
    lanes.indices = values_of(l->ctx, op, "indices", &lanes.nindices);
    return lanes;
}

/* Where the lane at `at` lies: filled by the op's own rule. */
typedef Value **(*PlaceOf)(Vectors *l, Op *op, Builder *b, const Lanes *lanes, Value *const *at);

static Value **place_in_box(Vectors *l, Op *op, Builder *b, const Lanes *lanes, Value *const *at)
{
    (void)l, (void)op;
    return box_place(b, lanes->base, lanes->nindices, lanes->indices, at, lanes->vector->type->rank);
}

/* The element `distance` behind the indices in row-major order. */
static Value **place_behind(Vectors *l, Op *op, Builder *b, const Lanes *lanes, Value *const *at)
{
    const Type *type = lanes->base->type;
    uint32_t rank = type->rank;
    Value **out = ARENA_ARRAY(&l->ctx->arena, Value *, rank + 1);
    Value *distance = vec_to_index(b, vec_get(b, vmc_operand_named(op, "index_vec"), at));
    Value *place = lanes->indices[0];
    for (uint32_t d = 1; d < rank; d++)
        place = vec_add(b, vmc_binary(b, "arith.muli", place, vmc_dim_of(b, lanes->base, d)), lanes->indices[d]);
    place = vec_add(b, place, distance);
    for (uint32_t d = rank - 1; d > 0; d--) {
        Value *size = vmc_dim_of(b, lanes->base, d), *rest = vmc_binary(b, "arith.floordivsi", place, size);
        out[d] = vmc_binary(b, "arith.subi", place, vmc_binary(b, "arith.muli", rest, size));
        place = rest;
    }
    out[0] = place;
    return out;
}

static void load_lanes(Vectors *l, Op *op, Builder *b, Value *extra_mask, PlaceOf place_of, Value **results)
{
    Lanes lanes = lanes_of(l, op);
    const Type *type = op->results[0].type;
    VecNest nest;
    vec_nest_begin(b, type->rank, type->dims, 1, &lanes.vector, &nest);
    Value *on = vec_get(&nest.body, lanes.mask, nest.at), *carried = nest.carried[0];
    if (extra_mask)
        on = vmc_binary(&nest.body, "arith.andi", on, vec_get(&nest.body, extra_mask, nest.at));
    VecChoice choice;
    vec_choice_begin(&nest.body, on, 1, &type, &choice);
    Value *element = vec_load(&choice.yes, lanes.base, place_of(l, op, &choice.yes, &lanes, nest.at));
    Value *filled = vec_set(&choice.yes, carried, nest.at, element);
    vec_choice_end(&choice, 1, &filled, &carried);
    Value *next = &choice.op->results[0];
    results[0] = vec_nest_end(&nest, &next)[0];
}

static void store_lanes(Vectors *l, Op *op, Builder *b, Value *extra_mask, PlaceOf place_of)
{
    Lanes lanes = lanes_of(l, op);
    VecNest nest;
    vec_nest_begin(b, lanes.vector->type->rank, lanes.vector->type->dims, 0, NULL, &nest);
    Value *on = vec_get(&nest.body, lanes.mask, nest.at);
    if (extra_mask)
        on = vmc_binary(&nest.body, "arith.andi", on, vec_get(&nest.body, extra_mask, nest.at));
    VecChoice choice;
    vec_choice_begin(&nest.body, on, 0, NULL, &choice);
    Value *element = vec_get(&choice.yes, lanes.vector, nest.at);
    vec_set(&choice.yes, lanes.base, place_of(l, op, &choice.yes, &lanes, nest.at), element);
    vec_choice_end(&choice, 0, NULL, NULL);
    vec_nest_end(&nest, NULL);
}

static bool lanes_fit(Vectors *l, Op *op, const Value *mask)
{
    const Type *type = lanes_of(l, op).vector->type;
    if (!mask || (mask->type->rank == type->rank && memcmp(mask->type->dims, type->dims, type->rank * sizeof *type->dims) == 0))
        return true;
    vmc_error(&l->ctx->diag, op->pos, "'%s' op is under a mask of another shape", op->name);
    return false;
}

bool vec_masked_load(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    if (!lanes_fit(l, op, mask))
        return false;
    load_lanes(l, op, b, mask, place_in_box, results);
    return true;
}

bool vec_masked_store(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)results;
    if (!lanes_fit(l, op, mask))
        return false;
    store_lanes(l, op, b, mask, place_in_box);
    return true;
}

bool vec_gather(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    if (!lanes_fit(l, op, mask))
        return false;
    load_lanes(l, op, b, mask, place_behind, results);
    return true;
}

bool vec_scatter(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)results;
    if (!lanes_fit(l, op, mask))
        return false;
    store_lanes(l, op, b, mask, place_behind);
    return true;
}

/* ---- lanes side by side -------------------------------------------------------------------------------------- */

bool vec_expand_load(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask;
    Lanes lanes = lanes_of(l, op);
    const Type *type = op->results[0].type, *types[2] = {type, vmc_type_index(l->ctx)};
    Value *inits[2] = {lanes.vector, vmc_build_index(b, 0)};
    VecNest nest;
    vec_nest_begin(b, 1, type->dims, 2, inits, &nest);
    VecChoice choice;
    vec_choice_begin(&nest.body, vec_get(&nest.body, lanes.mask, nest.at), 2, types, &choice);
    Builder *in = &choice.yes;
    Value *count = nest.carried[1];
    Value *element = vec_load(in, lanes.base, box_place(in, lanes.base, lanes.nindices, lanes.indices, &count, 1));
    Value *yes[2] = {vec_set(in, nest.carried[0], nest.at, element), vec_add(in, count, vmc_build_index(in, 1))};
    vec_choice_end(&choice, 2, yes, nest.carried);
    Value *next[2] = {&choice.op->results[0], &choice.op->results[1]};
    results[0] = vec_nest_end(&nest, next)[0];
    return true;
}

bool vec_compress_store(Vectors *l, Op *op, Builder *b, Value *mask, Value **results)
{
    (void)mask, (void)results;
    Lanes lanes = lanes_of(l, op);
    const Type *index = vmc_type_index(l->ctx);
    Value *zero = vmc_build_index(b, 0);
    VecNest nest;
    vec_nest_begin(b, 1, lanes.vector->type->dims, 1, &zero, &nest);
    VecChoice choice;
    vec_choice_begin(&nest.body, vec_get(&nest.body, lanes.mask, nest.at), 1, &index, &choice);
    Builder *in = &choice.yes;
    Value *count = nest.carried[0];
    vec_set(in, lanes.base, box_place(in, lanes.base, lanes.nindices, lanes.indices, &count, 1),
            vec_get(in, lanes.vector, nest.at));
    Value *yes = vec_add(in, count, vmc_build_index(in, 1));
    vec_choice_end(&choice, 1, &yes, &count);
    Value *next = &choice.op->results[0];
    vec_nest_end(&nest, &next);
    return true;
}
