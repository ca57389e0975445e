/* iree_linalg_ext.sort, topk and topk_v2, line by line along their dimension.
 *
 * sort merges runs of 1, 2, 4, ... elements from one buffer into another and back: stable, and n log n compares.  Of two elements
 * the right one goes first only where the comparator puts it in front of the left one and not the left one in front of it.  topk
 * inserts each element into the K kept ones. */
#include "expand_ext.h"

typedef struct Line {
    Builder *b;
    Value *const *outs; /* tensors that are sorted alike */
    uint32_t n;
    int64_t dim;
    const Block *compare; /* (l0, r0, l1, r1, ...), or of the first pair alone */
} Line;

static Value *compare(Builder *b, const Line *line, Value *const *from, Value *left, Value *right)
{
    uint32_t pairs = line->compare->nargs / 2;
    Value **args = ARENA_ARRAY(&b->ctx->arena, Value *, 2 * (size_t)pairs);
    for (uint32_t k = 0; k < pairs; k++) {
        args[2 * k] = vmc_extract(b, from[k], &left);
        args[2 * k + 1] = vmc_extract(b, from[k], &right);
    }
    return vmc_clone_body(b, line->compare, args)[0];
}

static Value *build_true(Builder *b)
{
    return vmc_build_const(b, vmc_attr_bool(b->ctx, true), vmc_type_int(b->ctx, 1, SIGNLESS));
}

/* Whether the element at i comes next: always without an element at j, never without one at i. */
static Value *takes_left(Builder *b, const Line *line, Value *const *from, Value *i, Value *j, Value *middle, Value *end)
{
    const Type *i1 = vmc_type_int(b->ctx, 1, SIGNLESS);
    Builder left, none, both, alone, swapped, kept;
    Op *has_left = vmc_build_choice(b, vmc_cmpi(b, CMPI_SLT, i, middle), i1, &left, &none);
    Op *has_both = vmc_build_choice(&left, vmc_cmpi(&left, CMPI_SLT, j, end), i1, &both, &alone);
    Op *ordered = vmc_build_choice(&both, compare(&both, line, from, j, i), i1, &swapped, &kept);
    Value *also = compare(&swapped, line, from, i, j), *yes = build_true(&kept);
    vmc_build_yield(&swapped, "scf.yield", 1, &also);
    vmc_build_yield(&kept, "scf.yield", 1, &yes);
    Value *result = &ordered->results[0];
    vmc_build_yield(&both, "scf.yield", 1, &result);
    yes = build_true(&alone);
    vmc_build_yield(&alone, "scf.yield", 1, &yes);
    result = &has_both->results[0];
    vmc_build_yield(&left, "scf.yield", 1, &result);
    Value *no = vmc_build_const(&none, vmc_attr_bool(b->ctx, false), i1);
    vmc_build_yield(&none, "scf.yield", 1, &no);
    return &has_left->results[0];
}

static Value *smaller(Builder *b, Value *x, Value *y)
{
    return vmc_binary(b, "arith.minsi", x, y);
}

/* Runs of `width` in `from` become runs of twice that in `to`; gives the new `to`. */
static Value **merge_runs(Builder *b, const Line *line, Value *size, Value *width, Value *const *from, Value *const *to)
{
    Arena *arena = &b->ctx->arena;
    Value *zero = vmc_build_index(b, 0), *one = vmc_build_index(b, 1), *two = vmc_build_index(b, 2);
    Value *both = vmc_binary(b, "arith.muli", width, two);
    Value **init = ARENA_ARRAY(arena, Value *, line->n + 2);
    init[0] = init[1] = zero;
    for (uint32_t k = 0; k < line->n; k++)
        init[2 + k] = to[k];
    Nest nest;
    vmc_nest_open(&nest, b, 1, &size, line->n + 2, init);
    Builder *body = &nest.b;
    Value *at = nest.at[0], *start = vmc_binary(body, "arith.muli", vmc_binary(body, "arith.divui", at, both), both);
    Value *middle = smaller(body, vmc_binary(body, "arith.addi", start, width), size);
    Value *end = smaller(body, vmc_binary(body, "arith.addi", start, both), size);
    Value *fresh = vmc_cmpi(body, CMPI_EQ, at, start);
    Value *i = vmc_select(body, fresh, start, nest.carried[0]), *j = vmc_select(body, fresh, middle, nest.carried[1]);
    Value *left = takes_left(body, line, from, i, j, middle, end), *source = vmc_select(body, left, i, j);
    Value **next = ARENA_ARRAY(arena, Value *, line->n + 2);
    next[0] = vmc_select(body, left, vmc_binary(body, "arith.addi", i, one), i);
    next[1] = vmc_select(body, left, j, vmc_binary(body, "arith.addi", j, one));
    for (uint32_t k = 0; k < line->n; k++)
        next[2 + k] = vmc_insert(body, vmc_extract(body, from[k], &source), nest.carried[2 + k], &at);
    vmc_nest_close(&nest, next);
    return nest.results + 2;
}

/* while (width < size) { from, to = merged, from; width *= 2 }; gives the last `from`. */
static Value **merge_all(Builder *b, const Line *line, Value *size, Value *const *from, Value *const *to)
{
    Context *ctx = b->ctx;
    uint32_t n = 1 + 2 * line->n;
    Value **values = ARENA_ARRAY(&ctx->arena, Value *, n);
    const Type **types = ARENA_ARRAY(&ctx->arena, const Type *, n);
    values[0] = vmc_build_index(b, 1);
    for (uint32_t k = 0; k < line->n; k++) {
        values[1 + k] = from[k];
        values[1 + line->n + k] = to[k];
    }
    for (uint32_t k = 0; k < n; k++)
        types[k] = values[k]->type;
    Op *loop = vmc_build(b, "scf.while", n, values, n, types, 0, NULL, 2);
    Block *blocks[2];
    for (uint32_t r = 0; r < 2; r++) {
        blocks[r] = vmc_block_create(ctx);
        vmc_block_append(&loop->regions[r], blocks[r]);
        for (uint32_t k = 0; k < n; k++)
            vmc_block_add_arg(ctx, blocks[r], types[k], b->pos);
    }
    Builder before = vmc_at_end(ctx, blocks[0], b->pos), after = vmc_at_end(ctx, blocks[1], b->pos);
    Value **condition = ARENA_ARRAY(&ctx->arena, Value *, n + 1);
    condition[0] = vmc_cmpi(&before, CMPI_SLT, blocks[0]->args[0], size);
    for (uint32_t k = 0; k < n; k++)
        condition[1 + k] = blocks[0]->args[k];
    vmc_build(&before, "scf.condition", n + 1, condition, 0, NULL, 0, NULL, 0);
    Value **args = blocks[1]->args, **merged = merge_runs(&after, line, size, args[0], args + 1, args + 1 + line->n);
    Value **next = ARENA_ARRAY(&ctx->arena, Value *, n);
    next[0] = vmc_binary(&after, "arith.muli", args[0], vmc_build_index(&after, 2));
    for (uint32_t k = 0; k < line->n; k++) {
        next[1 + k] = merged[k];
        next[1 + line->n + k] = args[1 + k];
    }
    vmc_build_yield(&after, "scf.yield", n, next);
    Value **results = ARENA_ARRAY(&ctx->arena, Value *, line->n);
    for (uint32_t k = 0; k < line->n; k++)
        results[k] = &loop->results[1 + k];
    return results;
}

/* One line of a tensor, as a tensor of its own. */
static Value *read_line(Builder *b, Value *tensor, Value *const *at, int64_t dim, Value *size)
{
    const Type *type = vmc_type_tensor(b->ctx, 1, &tensor->type->dims[dim], tensor->type->elem, NULL);
    Builder body;
    Op *generic = vmc_build_map(b, 0, NULL, NULL, vmc_empty_tensor(b, type, &size), &body);
    Value *i = vmc_build_index_op(&body, 0);
    Value *element = vmc_extract(&body, tensor, vmc_replaced(&b->ctx->arena, tensor->type->rank, at, dim, i));
    vmc_build_yield(&body, "linalg.yield", 1, &element);
    return &generic->results[0];
}

static Value *write_line(Builder *b, Value *line, Value *tensor, Value *const *at, int64_t dim, Value *size)
{
    Nest nest;
    vmc_nest_open(&nest, b, 1, &size, 1, &tensor);
    Value *element = vmc_extract(&nest.b, line, nest.at);
    Value *next =
        vmc_insert(&nest.b, element, nest.carried[0], vmc_replaced(&b->ctx->arena, tensor->type->rank, at, dim, nest.at[0]));
    vmc_nest_close(&nest, &next);
    return nest.results[0];
}

/* All outs sorted along the dimension. */
static Value **sorted(const Line *line)
{
    Builder *b = line->b;
    Arena *arena = &b->ctx->arena;
    uint32_t rank = line->outs[0]->type->rank;
    Value **sizes = vmc_sizes_of(b, line->outs[0]), *size = sizes[line->dim];
    for (uint32_t k = 1; k < line->n; k++)
        for (uint32_t i = 0; i < rank; i++)
            vmc_assert_that(b, vmc_cmpi(b, CMPI_EQ, sizes[i], vmc_dim_of(b, line->outs[k], i)),
                            "iree_linalg_ext: sizes of the outs differ");
    Nest nest;
    vmc_nest_open(&nest, b, rank, vmc_replaced(arena, rank, sizes, line->dim, vmc_build_index(b, 1)), line->n, line->outs);
    Value **from = ARENA_ARRAY(arena, Value *, line->n), **to = ARENA_ARRAY(arena, Value *, line->n),
          **next = ARENA_ARRAY(arena, Value *, line->n);
    for (uint32_t k = 0; k < line->n; k++) {
        from[k] = read_line(&nest.b, nest.carried[k], nest.at, line->dim, size);
        to[k] = vmc_empty_tensor(&nest.b, from[k]->type, &size);
    }
    Value **merged = merge_all(&nest.b, line, size, from, to);
    for (uint32_t k = 0; k < line->n; k++)
        next[k] = write_line(&nest.b, merged[k], nest.carried[k], nest.at, line->dim, size);
    vmc_nest_close(&nest, next);
    return nest.results;
}

Value **vmc_ext_sort(Builder *b, Op *op)
{
    OperandRange outs = vmc_operand_group(op, "outputs");
    Value **values = ARENA_ARRAY(&b->ctx->arena, Value *, outs.count);
    for (uint32_t i = 0; i < outs.count; i++)
        values[i] = op->operands[outs.first + i].value;
    Line line = {.b = b, .outs = values, .n = outs.count, .compare = vmc_entry(op, 0)};
    vmc_get_int(op, "dimension", &line.dim);
    return sorted(&line);
}

/* ---- topk ------------------------------------------------------------------------------------- */

/* One of the K: the better of the kept element and the one on its way stays, the other goes on.  Of two that are equal the smaller
   index stays. */
static void insert_step(Nest *k, Value *const *at, int64_t dim, const Block *compare_body, bool indexed)
{
    Builder *b = &k->b;
    Arena *arena = &b->ctx->arena;
    uint32_t n = indexed ? 2 : 1; /* carried: what is on its way, then the outs */
    Value **slot = vmc_replaced(arena, k->carried[n]->type->rank, at, dim, k->at[0]);
    Value *way = k->carried[0], *kept = vmc_extract(b, k->carried[n], slot), *next[4];
    Value *forward[2] = {way, kept}, *backward[2] = {kept, way};
    Value *better = vmc_clone_body(b, compare_body, forward)[0];
    next[0] = vmc_select(b, better, kept, way);
    next[n] = vmc_insert(b, vmc_select(b, better, way, kept), k->carried[n], slot);
    if (indexed) {
        Value *index = k->carried[1], *kept_index = vmc_extract(b, k->carried[n + 1], slot);
        Value *worse = vmc_clone_body(b, compare_body, backward)[0];
        Value *first = vmc_binary(b, "arith.andi", vmc_cmpi(b, CMPI_EQ, better, worse), vmc_cmpi(b, CMPI_SLT, index, kept_index));
        Value *takes = vmc_binary(b, "arith.ori", better, first);
        next[1] = vmc_select(b, takes, kept_index, index);
        next[n + 1] = vmc_insert(b, vmc_select(b, takes, index, kept_index), k->carried[n + 1], slot);
    }
    vmc_nest_close(k, next);
}

Value **vmc_ext_topk(Builder *b, Op *op)
{
    bool second = vmc_is(op, "iree_linalg_ext.topk_v2");
    Value *values = vmc_operand_named(op, "values"), *indices = vmc_operand_named(op, second ? "input_indices" : "indices");
    Value *given[2] = {vmc_operand_named(op, "output_values"), vmc_operand_named(op, "output_indices")}, **outs = given;
    uint32_t n = given[1] ? 2 : 1;
    int64_t dim = 0;
    vmc_get_int(op, "dimension", &dim);
    if (second && vmc_get_attr(op, "is_sorted")) {
        Line line = {.b = b, .outs = outs, .n = n, .dim = dim, .compare = vmc_entry(op, 0)};
        outs = sorted(&line);
    }
    Value *kept = vmc_dim_of(b, outs[0], (uint32_t)dim);
    Nest nest, k;
    vmc_nest_open(&nest, b, values->type->rank, vmc_sizes_of(b, values), n, outs);
    Value *init[4];
    init[0] = vmc_extract(&nest.b, values, nest.at);
    if (n == 2) {
        const Type *index = given[1]->type->elem;
        init[1] = indices ? vmc_extract(&nest.b, indices, nest.at) : nest.at[dim];
        if (init[1]->type != index)
            init[1] = vmc_build1(&nest.b, "arith.index_cast", index, 1, &init[1]);
    }
    for (uint32_t i = 0; i < n; i++)
        init[n + i] = nest.carried[i];
    vmc_nest_open(&k, &nest.b, 1, &kept, 2 * n, init);
    insert_step(&k, nest.at, dim, vmc_entry(op, 0), n == 2);
    vmc_nest_close(&nest, k.results + n);
    return nest.results;
}
