/* iree_linalg_ext ops on tensors become loop nests and linalg.generic.  On memrefs, the tensors are what the memrefs hold, and the
 * results are put into the outs: everything is read before anything is written. */
#include "expand_ext.h"

/* ---- builders -------------------------------------------------------------------------- */

void vmc_nest_open(Nest *nest, Builder *b, uint32_t nloops, Value *const *sizes, uint32_t ncarried, Value *const *init)
{
    Context *ctx = b->ctx;
    Value *zero = vmc_build_index(b, 0), *one = vmc_build_index(b, 1);
    *nest = (Nest){.b = *b, .nloops = nloops, .ncarried = ncarried};
    nest->at = ARENA_ARRAY(&ctx->arena, Value *, nloops + 1);
    nest->carried = ARENA_ARRAY(&ctx->arena, Value *, ncarried + 1);
    nest->results = ARENA_ARRAY(&ctx->arena, Value *, ncarried + 1);
    for (uint32_t k = 0; k < ncarried; k++)
        nest->carried[k] = init[k];
    for (uint32_t i = 0; i < nloops; i++) {
        Op *loop = vmc_build_for(&nest->b, zero, sizes[i], one, ncarried, nest->carried);
        Value **inner = ARENA_ARRAY(&ctx->arena, Value *, ncarried + 1);
        for (uint32_t k = 0; k < ncarried; k++)
            inner[k] = &loop->results[k];
        if (i)
            vmc_build_yield(&nest->b, "scf.yield", ncarried, inner);
        else
            nest->results = inner;
        const Block *body = vmc_entry(loop, 0);
        nest->at[i] = body->args[0];
        for (uint32_t k = 0; k < ncarried; k++)
            nest->carried[k] = body->args[1 + k];
        nest->b = vmc_at_end(ctx, vmc_entry(loop, 0), b->pos);
    }
}

void vmc_nest_close(Nest *nest, Value *const *next)
{
    if (nest->nloops)
        vmc_build_yield(&nest->b, "scf.yield", nest->ncarried, next);
    for (uint32_t k = 0; !nest->nloops && k < nest->ncarried; k++)
        nest->results[k] = next[k];
}

Value **vmc_clone_body(Builder *b, const Block *body, Value *const *args)
{
    Context *ctx = b->ctx;
    Map values = {.arena = &ctx->arena};
    for (uint32_t i = 0; i < body->nargs; i++)
        vmc_map_put_ptr(&values, body->args[i], args[i]);
    for (const Op *op = body->first; op && op != body->last; op = op->next) {
        Op *copy = vmc_op_clone(ctx, op, &values);
        if (b->at)
            vmc_op_insert_before(copy, b->at);
        else
            vmc_op_append(b->block, copy);
    }
    const Op *yield = body->last;
    Value **yields = ARENA_ARRAY(&ctx->arena, Value *, yield->noperands + 1);
    for (uint32_t i = 0; i < yield->noperands; i++) {
        Value *value = yield->operands[i].value, *copy = vmc_map_ptr(&values, value);
        yields[i] = copy ? copy : value;
    }
    return yields;
}

Value *vmc_extract(Builder *b, Value *tensor, Value *const *at)
{
    uint32_t rank = tensor->type->rank;
    Value **operands = ARENA_ARRAY(&b->ctx->arena, Value *, rank + 1);
    operands[0] = tensor;
    for (uint32_t i = 0; i < rank; i++)
        operands[1 + i] = at[i];
    return vmc_build1(b, "tensor.extract", tensor->type->elem, rank + 1, operands);
}

Value *vmc_insert(Builder *b, Value *scalar, Value *tensor, Value *const *at)
{
    uint32_t rank = tensor->type->rank;
    Value **operands = ARENA_ARRAY(&b->ctx->arena, Value *, rank + 2);
    operands[0] = scalar;
    operands[1] = tensor;
    for (uint32_t i = 0; i < rank; i++)
        operands[2 + i] = at[i];
    return vmc_build1(b, "tensor.insert", tensor->type, rank + 2, operands);
}

Op *vmc_build_choice(Builder *b, Value *condition, const Type *type, Builder *yes, Builder *no)
{
    Op *choice = vmc_build(b, "scf.if", 1, &condition, 1, &type, 0, NULL, 2);
    Builder *sides[2] = {yes, no};
    for (uint32_t k = 0; k < 2; k++) {
        vmc_block_append(&choice->regions[k], vmc_block_create(b->ctx));
        *sides[k] = vmc_at_end(b->ctx, vmc_entry(choice, k), b->pos);
    }
    return choice;
}

Value **vmc_without(Arena *arena, uint32_t n, Value *const *at, int64_t dim)
{
    Value **rest = ARENA_ARRAY(arena, Value *, n + 1);
    for (uint32_t i = 0, k = 0; i < n; i++)
        if (i != dim)
            rest[k++] = at[i];
    return rest;
}

Value **vmc_replaced(Arena *arena, uint32_t n, Value *const *at, int64_t dim, Value *with)
{
    Value **copy = ARENA_ARRAY(arena, Value *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        copy[i] = i == dim ? with : at[i];
    return copy;
}

static Value **one_value(Builder *b, Value *value)
{
    Value **list = ARENA_ARRAY(&b->ctx->arena, Value *, 1);
    list[0] = value;
    return list;
}

static Value *as_index(Builder *b, Value *value)
{
    return value->type->kind == TYPE_INDEX ? value : vmc_build1(b, "arith.index_cast", vmc_type_index(b->ctx), 1, &value);
}

static Value *as_condition(Builder *b, Value *mask)
{
    const Type *i1 = vmc_type_int(b->ctx, 1, SIGNLESS);
    return mask->type == i1 ? mask : vmc_build1(b, "arith.trunci", i1, 1, &mask);
}

static int64_t dimension_of(const Op *op)
{
    int64_t dim = 0;
    vmc_get_int(op, "dimension", &dim);
    return dim;
}

/* ---- gather, scatter ------------------------------------------------------------------------ */

/* Subscripts within `full` of the slice element at `at`: coordinates give the first ones, the slice's own indices the rest. */
static Value **looked_up(Builder *b, const Op *op, const Type *full, Value *indices, uint32_t batch, Value *const *at)
{
    Context *ctx = b->ctx;
    const int64_t *map;
    uint32_t depth = (uint32_t)vmc_attr_ints(ctx, vmc_get_attr(op, "dimension_map"), &map);
    Value **subscripts = ARENA_ARRAY(&ctx->arena, Value *, full->rank + 1), **lookup = ARENA_ARRAY(&ctx->arena, Value *, batch + 2);
    for (uint32_t i = 0; i < batch; i++)
        lookup[i] = at[i];
    for (uint32_t i = 0; i < depth; i++) {
        if (indices->type->rank > batch)
            lookup[batch] = vmc_build_index(b, i);
        subscripts[map[i]] = as_index(b, vmc_extract(b, indices, lookup));
    }
    for (uint32_t i = depth; i < full->rank; i++)
        subscripts[i] = at[batch + i - depth];
    return subscripts;
}

static uint32_t batch_rank(Context *ctx, const Op *op, const Type *full, const Type *slices)
{
    const int64_t *map;
    return slices->rank + (uint32_t)vmc_attr_ints(ctx, vmc_get_attr(op, "dimension_map"), &map) - full->rank;
}

static Value **expand_gather(Builder *b, Op *op)
{
    Value *source = vmc_operand_named(op, "source"), *indices = vmc_operand_named(op, "indices"),
          *mask = vmc_operand_named(op, "mask"), *output = vmc_operand_named(op, "output");
    uint32_t rank = output->type->rank, batch = batch_rank(b->ctx, op, source->type, output->type);
    Builder body;
    Op *generic = vmc_build_map(b, 0, NULL, NULL, output, &body);
    Value **at = ARENA_ARRAY(&b->ctx->arena, Value *, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        at[i] = vmc_build_index_op(&body, i);
    Value *element;
    if (mask) {
        Builder yes, no;
        Op *choice = vmc_build_choice(&body, as_condition(&body, vmc_extract(&body, mask, at)), output->type->elem, &yes, &no);
        Value *read = vmc_extract(&yes, source, looked_up(&yes, op, source->type, indices, batch, at));
        vmc_build_yield(&yes, "scf.yield", 1, &read);
        vmc_build_yield(&no, "scf.yield", 1, &vmc_entry(generic, 0)->args[0]);
        element = &choice->results[0];
    } else {
        element = vmc_extract(&body, source, looked_up(&body, op, source->type, indices, batch, at));
    }
    vmc_build_yield(&body, "linalg.yield", 1, &element);
    return one_value(b, &generic->results[0]);
}

static Value **expand_scatter(Builder *b, Op *op)
{
    Value *updates = vmc_operand_named(op, "updates"), *indices = vmc_operand_named(op, "indices"),
          *mask = vmc_operand_named(op, "mask"), *original = vmc_operand_named(op, "original");
    uint32_t batch = batch_rank(b->ctx, op, original->type, updates->type);
    Nest nest;
    vmc_nest_open(&nest, b, updates->type->rank, vmc_sizes_of(b, updates), 1, &original);
    Builder inner = nest.b, no;
    Op *choice = NULL;
    if (mask)
        choice = vmc_build_choice(&nest.b, as_condition(&nest.b, vmc_extract(&nest.b, mask, nest.at)), original->type, &inner, &no);
    Value **at = looked_up(&inner, op, original->type, indices, batch, nest.at);
    Value *args[2] = {vmc_extract(&inner, updates, nest.at), vmc_extract(&inner, nest.carried[0], at)};
    Value *combined = vmc_clone_body(&inner, vmc_entry(op, 0), args)[0];
    Value *next = vmc_insert(&inner, combined, nest.carried[0], at);
    if (mask) {
        vmc_build_yield(&inner, "scf.yield", 1, &next);
        vmc_build_yield(&no, "scf.yield", 1, &nest.carried[0]);
        next = &choice->results[0];
    } else {
        nest.b = inner;
    }
    vmc_nest_close(&nest, &next);
    return nest.results;
}

/* ---- map_load, map_store ------------------------------------------------------------------------ */

static Value **expand_map_load(Builder *b, Op *op)
{
    Value *source = op->operands[0].value, *output = op->operands[1].value;
    uint32_t rank = output->type->rank, source_rank = source->type->rank;
    Builder body, yes, no;
    Value **sizes = vmc_sizes_of(b, source), **at = ARENA_ARRAY(&b->ctx->arena, Value *, rank + 1);
    Op *generic = vmc_build_map(b, 0, NULL, NULL, output, &body);
    for (uint32_t i = 0; i < rank; i++)
        at[i] = vmc_build_index_op(&body, i);
    Value **yields = vmc_clone_body(&body, vmc_entry(op, 0), at);
    Value *inside = vmc_build_const(&body, vmc_attr_bool(b->ctx, true), vmc_type_int(b->ctx, 1, SIGNLESS));
    for (uint32_t i = 0; i < source_rank; i++)
        inside = vmc_binary(&body, "arith.andi", inside, vmc_cmpi(&body, CMPI_ULT, yields[i], sizes[i]));
    Op *choice = vmc_build_choice(&body, inside, output->type->elem, &yes, &no);
    Value *read = vmc_extract(&yes, source, yields);
    vmc_build_yield(&yes, "scf.yield", 1, &read);
    vmc_build_yield(&no, "scf.yield", 1, &yields[source_rank]);
    Value *element = &choice->results[0];
    vmc_build_yield(&body, "linalg.yield", 1, &element);
    return one_value(b, &generic->results[0]);
}

static Value **expand_map_store(Builder *b, Op *op)
{
    Value *input = op->operands[0].value, *output = op->operands[1].value;
    Nest nest;
    Builder yes, no;
    vmc_nest_open(&nest, b, input->type->rank, vmc_sizes_of(b, input), 1, &output);
    Value **yields = vmc_clone_body(&nest.b, vmc_entry(op, 0), nest.at);
    Op *choice = vmc_build_choice(&nest.b, yields[output->type->rank], output->type, &yes, &no);
    Value *next = vmc_insert(&yes, vmc_extract(&yes, input, nest.at), nest.carried[0], yields);
    vmc_build_yield(&yes, "scf.yield", 1, &next);
    vmc_build_yield(&no, "scf.yield", 1, &nest.carried[0]);
    next = &choice->results[0];
    vmc_nest_close(&nest, &next);
    return nest.results;
}

/* ---- scan, arg_compare ------------------------------------------------------------------------------ */

/* The accumulator holds the last output of each line: the first one of an inclusive scan is the input, of an exclusive one the
   initial accumulator. */
static Value **expand_scan(Builder *b, Op *op)
{
    Arena *arena = &b->ctx->arena;
    Value *input = op->operands[0].value, *init[2] = {op->operands[1].value, op->operands[2].value};
    int64_t dim = dimension_of(op), inclusive = 0;
    uint32_t rank = input->type->rank;
    vmc_get_int(op, "inclusive", &inclusive);
    Value *zero = vmc_build_index(b, 0), *one = vmc_build_index(b, 1);
    Nest nest;
    vmc_nest_open(&nest, b, rank, vmc_sizes_of(b, input), 2, init);
    Builder first, later;
    Value **line = vmc_without(arena, rank, nest.at, dim);
    Value *sum = vmc_extract(&nest.b, nest.carried[1], line);
    Op *choice = vmc_build_choice(&nest.b, vmc_cmpi(&nest.b, CMPI_EQ, nest.at[dim], zero), input->type->elem, &first, &later);
    Value *start = inclusive ? vmc_extract(&first, input, nest.at) : sum;
    vmc_build_yield(&first, "scf.yield", 1, &start);
    Value **at = nest.at;
    if (!inclusive)
        at = vmc_replaced(arena, rank, nest.at, dim, vmc_binary(&later, "arith.subi", nest.at[dim], one));
    Value *args[2] = {sum, vmc_extract(&later, input, at)};
    Value *combined = vmc_clone_body(&later, vmc_entry(op, 0), args)[0];
    vmc_build_yield(&later, "scf.yield", 1, &combined);
    Value *value = &choice->results[0];
    Value *next[2] = {vmc_insert(&nest.b, value, nest.carried[0], nest.at), vmc_insert(&nest.b, value, nest.carried[1], line)};
    vmc_nest_close(&nest, next);
    return nest.results;
}

static Value **expand_arg_compare(Builder *b, Op *op)
{
    Context *ctx = b->ctx;
    Value *values = vmc_operand_named(op, "input_value"), *indices = vmc_operand_named(op, "input_index"),
          *base = vmc_operand_named(op, "index_base");
    Value *ins[2] = {values, indices}, *outs[2] = {vmc_operand_named(op, "output_value"), vmc_operand_named(op, "output_index")};
    int64_t dim = dimension_of(op);
    uint32_t rank = values->type->rank, nins = indices ? 2 : 1;
    LoopKind *loops = ARENA_ARRAY(&ctx->arena, LoopKind, rank + 1);
    const AffineExpr **kept = ARENA_ARRAY(&ctx->arena, const AffineExpr *, rank + 1);
    for (uint32_t i = 0, k = 0; i < rank; i++) {
        loops[i] = i == dim ? LOOP_REDUCTION : LOOP_PARALLEL;
        if (i != dim)
            kept[k++] = vmc_affine_dim(ctx, i);
    }
    const AffineMap *full = vmc_affine_identity(ctx, rank), *reduced = vmc_affine_map(ctx, rank, 0, rank - 1, kept, NULL);
    const AffineMap *maps[4] = {full, full, reduced, reduced};
    Op *generic = vmc_build_generic(b, nins, ins, 2, outs, maps + 2 - nins, rank, loops);
    Value **args = vmc_entry(generic, 0)->args, *pair[2] = {args[0], args[nins]};
    Builder body = vmc_at_end(ctx, vmc_entry(generic, 0), op->pos);
    Value *better = vmc_clone_body(&body, vmc_entry(op, 0), pair)[0], *index;
    if (indices) {
        index = args[1];
    } else {
        index = vmc_build_index_op(&body, (uint32_t)dim);
        if (base)
            index = vmc_binary(&body, "arith.addi", index, base);
        if (index->type != args[nins + 1]->type)
            index = vmc_build1(&body, "arith.index_cast", args[nins + 1]->type, 1, &index);
    }
    Value *next[2] = {vmc_select(&body, better, args[0], args[nins]), vmc_select(&body, better, index, args[nins + 1])};
    vmc_build_yield(&body, "linalg.yield", 2, next);
    Value **results = ARENA_ARRAY(&ctx->arena, Value *, 2);
    results[0] = &generic->results[0];
    results[1] = &generic->results[1];
    return results;
}

/* ---- choice, and memrefs ----------------------------------------------------------------------------- */

typedef struct ExtRow {
    const char *name;
    Value **(*expand)(Builder *b, Op *op);
} ExtRow;

static const ExtRow ext_rows[] = {
    {"iree_linalg_ext.gather", expand_gather},
    {"iree_linalg_ext.scatter", expand_scatter},
    {"iree_linalg_ext.map_load", expand_map_load},
    {"iree_linalg_ext.map_store", expand_map_store},
    {"iree_linalg_ext.scan", expand_scan},
    {"iree_linalg_ext.arg_compare", expand_arg_compare},
    {"iree_linalg_ext.sort", vmc_ext_sort},
    {"iree_linalg_ext.topk", vmc_ext_topk},
    {"iree_linalg_ext.topk_v2", vmc_ext_topk},
    {"iree_linalg_ext.attention", vmc_ext_attend},
    {"iree_linalg_ext.online_attention", vmc_ext_attend},
    {"iree_linalg_ext.winograd.input_transform", vmc_ext_winograd},
    {"iree_linalg_ext.winograd.filter_transform", vmc_ext_winograd},
    {"iree_linalg_ext.winograd.output_transform", vmc_ext_winograd},
    {"iree_linalg_ext.im2col", vmc_ext_im2col_expand},
};

static const ExtRow *ext_row(const Op *op)
{
    for (size_t i = 0; i < sizeof ext_rows / sizeof ext_rows[0]; i++)
        if (vmc_is(op, ext_rows[i].name))
            return &ext_rows[i];
    return NULL;
}

bool vmc_is_ext(const Op *op)
{
    return ext_row(op) != NULL;
}

static const Type *tensor_of(Context *ctx, const Type *memref)
{
    return vmc_type_tensor(ctx, memref->rank, memref->dims, memref->elem, NULL);
}

static const char *const out_groups[] = {"original",       "outputs",      "output",       "accumulator", "output_values",
                                         "output_indices", "output_value", "output_index", "max",         "sum"};

static bool is_out_group(const char *name)
{
    for (size_t i = 0; i < sizeof out_groups / sizeof out_groups[0]; i++)
        if (strcmp(name, out_groups[i]) == 0)
            return true;
    return false;
}

/* The op's operands become what its memrefs hold; *outs gets the memrefs that the results belong into, in order. */
static uint32_t read_memrefs(Builder *b, Op *op, Value **outs)
{
    uint32_t nouts = 0;
    for (uint32_t g = 0; g < op->def->noperands; g++) {
        OperandRange range = vmc_operand_group(op, op->def->operands[g].name);
        for (uint32_t i = range.first; i < range.first + range.count; i++) {
            Value *memref = op->operands[i].value;
            if (memref->type->kind != TYPE_MEMREF)
                continue;
            if (is_out_group(op->def->operands[g].name))
                outs[nouts++] = memref;
            vmc_set_operand(op, i, vmc_build1(b, "bufferization.to_tensor", tensor_of(b->ctx, memref->type), 1, &memref));
        }
    }
    return nouts;
}

bool vmc_expand_ext(Context *ctx, Op *op)
{
    Builder b = vmc_before(ctx, op);
    b.loc = op->loc;
    Value **outs = ARENA_ARRAY(&ctx->arena, Value *, op->noperands + 1);
    uint32_t nouts = read_memrefs(&b, op, outs);
    Value **results = ext_row(op)->expand(&b, op);
    if (!results)
        return false;
    NamedAttr writable = {vmc_name(ctx, "writable"), vmc_attr_unit(ctx)};
    for (uint32_t i = 0; i < nouts; i++) {
        Value *operands[2] = {results[i], outs[i]};
        vmc_build(&b, "bufferization.materialize_in_destination", 2, operands, 0, NULL, 1, &writable, 0);
    }
    vmc_replace_op(op, results);
    return true;
}
