/* Chains of structured ops over the same rows run block of rows by block of rows, so that what one op writes is still in cache when
 * the next one reads it.
 *
 *   generic A(x) -> t; generic B(t) -> u          scf.for i = 0 to N step n { A on rows i .. i+n-1; B on the same rows }
 *
 * A row loop of an op is a parallel loop that indexes a leading dimension of every operand it occurs in, and of every out.  Ops of
 * one block follow each other in a chain when their row loops run equally often and every memref that one of them writes is seen by
 * all of them at the same rows; between them only ops that touch no memory may stand.  Then the iterations are independent but for
 * rows of the same number, and running them in another order changes no bit.  A temporary that nothing outside the chain sees
 * becomes memory for one block of rows.
 *
 * Only memory traffic is at stake, so a chain is cut up when it passes a second-level cache and has a value that is written and
 * read.
 */
#include "../dialects/linalg.h"
#include "../dialects/shapes.h"

#include "alias.h"
#include "builders.h"
#include "lifetime.h"

enum {
    BLOCK_BYTES = 128 << 10, /* aim of a block of rows, over all operands */
    CHAIN_BYTES = 256 << 10, /* less stays in cache anyhow */
    SHARED_BYTES = 64 << 10, /* of operands that every row reads */
    MIN_ROWS = 8,            /* a sum of rows works on eight at once */
    MAX_MEMBERS = 64,
    MAX_OPERANDS = 48,    /* of a member: they are compared in pairs */
    GRID_WORK = 1 << 19,  /* elements of all loops: more is worth threads, */
    BLOCK_WORK = 1 << 17, /* in pieces of this many */
    MAX_TRIES = 1024,
};

#define NO_DIM UINT32_MAX

typedef struct Seen { /* a memref of the chain */
    Value *value;
    uint32_t dim; /* indexed by the row; NO_DIM: every row reads all of it */
    bool written, read_after;
} Seen;

typedef struct Chain {
    Context *ctx;
    int64_t rows;
    VEC(Op *) members;
    VEC(Seen) seen;
} Chain;

/* ---- rows of one op ------------------------------------------------------------------------- */

/* The dimension of operand k that the loop indexes: *dim, NO_DIM where the loop does not occur; false where it occurs otherwise, or
   not as the leading dimension that moves. */
static bool row_dim(const Structured *s, uint32_t k, uint32_t loop, uint32_t *dim)
{
    const AffineMap *map = s->maps[k];
    const Type *type = vmc_structured_operand(s, k)->type;
    int64_t constant, coefficients[64];
    *dim = NO_DIM;
    for (uint32_t r = 0; r < map->nresults; r++) {
        const AffineExpr *e = map->results[r];
        bool bare = e->kind == AFFINE_DIM && e->value == (int64_t)loop;
        if (!bare) {
            if (s->nloops > 64 || !vmc_linear_subscript(e, s->nloops, coefficients, &constant) || coefficients[loop])
                return false;
            continue;
        }
        if (*dim != NO_DIM)
            return false;
        for (uint32_t q = 0; q < r; q++)
            if (type->dims[q] != 1)
                return false;
        *dim = r;
    }
    return true;
}

static bool contracts(const Structured *s)
{
    uint32_t tensors = 0;
    for (uint32_t k = 0; k < s->nins; k++)
        tensors += !vmc_structured_is_scalar(s, k) && s->maps[k]->nresults > 1;
    return tensors > 1 && !vmc_structured_is_parallel(s);
}

/* A generic on memrefs of static shape. */
static bool candidate(Context *ctx, Op *op, Structured *s)
{
    if (!vmc_is(op, "linalg.generic") || op->noperands > MAX_OPERANDS || op->nresults || !vmc_structured(ctx, op, s) || !s->body ||
        s->body->nargs != op->noperands || contracts(s))
        return false;
    for (uint32_t k = 0; k < op->noperands; k++) {
        const Type *type = vmc_structured_operand(s, k)->type;
        int64_t offset, *strides = ARENA_ARRAY(&ctx->arena, int64_t, type->rank + 1);
        if (!vmc_structured_is_scalar(s, k) && (type->kind != TYPE_MEMREF || !vmc_has_static_shape(type) ||
                                                !vmc_elem_bytes(type->elem) || !vmc_memref_strides(ctx, type, &offset, strides)))
            return false;
        if (k >= s->nins && type->kind == TYPE_MEMREF && !vmc_layout_is_injective(ctx, type))
            return false; /* rows that share elements */
    }
    for (const Op *inner = s->body->first; inner; inner = inner->next) { /* memory of other memrefs is not followed */
        bool fits = vmc_has_trait(inner, TRAIT_SPECULATABLE) || vmc_has_trait(inner, TRAIT_CONSTANT) ||
                    vmc_is(inner, "linalg.index") || inner == vmc_terminator(s->body);
        if (inner->nregions || !fits)
            return false;
    }
    return true;
}

/* linalg.index of the row loop would start at zero in each block. */
static bool names_row(const Structured *s, uint32_t loop)
{
    for (const Op *op = s->body->first; op; op = op->next) {
        int64_t dim = -1;
        if (vmc_is(op, "linalg.index") && vmc_get_int(op, "dim", &dim) && dim == (int64_t)loop)
            return true;
    }
    return false;
}

static bool rows_of(const Structured *s, uint32_t loop, uint32_t *dims)
{
    if (s->loops[loop] != LOOP_PARALLEL || names_row(s, loop))
        return false;
    for (uint32_t k = 0; k < s->nins + s->nouts; k++) {
        dims[k] = NO_DIM;
        if (vmc_structured_is_scalar(s, k))
            continue;
        int64_t count = 0;
        if (!row_dim(s, k, loop, &dims[k]) || (k >= s->nins && dims[k] == NO_DIM))
            return false;
        if (dims[k] == NO_DIM &&
            (!vmc_num_elements(vmc_structured_operand(s, k)->type, &count) ||
             count > (int64_t)SHARED_BYTES / (int64_t)vmc_elem_bytes(vmc_structured_operand(s, k)->type->elem)))
            return false;
    }
    return true;
}

/* ---- chains ------------------------------------------------------------------------------------ */

static Seen *find_seen(Chain *c, const Value *value)
{
    for (size_t i = 0; i < c->seen.n; i++)
        if (c->seen.at[i].value == value)
            return &c->seen.at[i];
    return NULL;
}

/* Whether the op may join: every memref is at one dimension, what it or a member writes is apart from all others. */
static bool joins(Chain *c, const Structured *s, const uint32_t *dims)
{
    for (uint32_t k = 0; k < s->nins + s->nouts; k++) {
        Value *value = vmc_structured_operand(s, k);
        bool writes = k >= s->nins;
        if (vmc_structured_is_scalar(s, k))
            continue;
        for (size_t i = 0; i < c->seen.n; i++) {
            const Seen *seen = &c->seen.at[i];
            bool shared = writes || seen->written;
            if (seen->value == value ? seen->dim != dims[k] : shared && !vmc_memrefs_apart(c->ctx, seen->value, value))
                return false;
        }
        for (uint32_t j = 0; j < s->nins + s->nouts; j++) { /* within the op */
            Value *other = vmc_structured_operand(s, j);
            if (j == k || vmc_structured_is_scalar(s, j))
                continue;
            if (other == value ? dims[j] != dims[k] : j >= s->nins && !vmc_memrefs_apart(c->ctx, other, value))
                return false;
        }
    }
    return true;
}

static void join(Chain *c, const Structured *s, const uint32_t *dims)
{
    VEC_PUSH(&c->ctx->scratch, &c->members, s->op);
    for (uint32_t k = 0; k < s->nins + s->nouts; k++) {
        Value *value = vmc_structured_operand(s, k);
        if (vmc_structured_is_scalar(s, k))
            continue;
        Seen *seen = find_seen(c, value);
        if (!seen) {
            VEC_PUSH(&c->ctx->scratch, &c->seen, ((Seen){.value = value, .dim = dims[k]}));
            seen = &c->seen.at[c->seen.n - 1];
        }
        seen->read_after |= seen->written && k < s->nins;
        seen->written |= k >= s->nins;
    }
}

static bool try_join(Chain *c, Op *op)
{
    Structured s;
    if (c->members.n >= MAX_MEMBERS || !candidate(c->ctx, op, &s))
        return false;
    uint32_t *dims = ARENA_ARRAY(&c->ctx->scratch, uint32_t, op->noperands + 1);
    for (uint32_t l = 0; l < s.nloops; l++) {
        int64_t size = vmc_structured_static_size(&s, l);
        if (size < 2 || (c->members.n && size != c->rows) || !rows_of(&s, l, dims) || !joins(c, &s, dims))
            continue;
        c->rows = size;
        join(c, &s, dims);
        return true;
    }
    return false;
}

/* ---- cutting up ----------------------------------------------------------------------------------- */

static int64_t row_bytes(const Chain *c)
{
    int64_t sum = 0;
    for (size_t i = 0; i < c->seen.n; i++) {
        const Type *type = c->seen.at[i].value->type;
        int64_t count = 0;
        if (c->seen.at[i].dim == NO_DIM || !vmc_num_elements(type, &count))
            continue;
        int64_t bytes = count / type->dims[c->seen.at[i].dim];
        if (__builtin_mul_overflow(bytes, vmc_elem_bytes(type->elem), &bytes) || __builtin_add_overflow(sum, bytes, &sum))
            return INT64_MAX;
    }
    return sum > 0 ? sum : 1;
}

/* About `n` rows, or a few more or less: eight at least where that is not far, and a number that leaves no rest. */
static int64_t rows_of_block(int64_t n, int64_t rows)
{
    if (n < MIN_ROWS)
        n = 2 * n >= MIN_ROWS ? MIN_ROWS : n > 1 ? n : 1;
    if (n >= rows)
        return rows;
    for (int64_t d = n; d > n / 2 && d > n - MAX_TRIES; d--)
        if (rows % d == 0 && (d % MIN_ROWS == 0 || n < MIN_ROWS))
            return d;
    return n > MIN_ROWS ? n / MIN_ROWS * MIN_ROWS : n;
}

typedef struct Cut {
    Chain *chain;
    Builder b;
    int64_t rows; /* of this block */
    Value *first; /* its first row; NULL: constant `at` */
    int64_t at;
    Map views; /* Value * -> the rows of the block */
} Cut;

static const Type *with_rows(Context *ctx, const Type *type, uint32_t dim, int64_t rows)
{
    int64_t *dims = ARENA_ARRAY(&ctx->arena, int64_t, type->rank + 1);
    memcpy(dims, type->dims, type->rank * sizeof *dims);
    dims[dim] = rows;
    return vmc_type_memref(ctx, type->rank, dims, type->elem, type->layout, type->space);
}

static Value *view_rows(Cut *cut, Value *source, uint32_t dim)
{
    Context *ctx = cut->b.ctx;
    const Type *from = source->type;
    int64_t *offsets = ARENA_ARRAY(&ctx->arena, int64_t, from->rank), *sizes = ARENA_ARRAY(&ctx->arena, int64_t, from->rank),
            *ones = ARENA_ARRAY(&ctx->arena, int64_t, from->rank);
    for (uint32_t d = 0; d < from->rank; d++) {
        sizes[d] = from->dims[d];
        ones[d] = 1;
    }
    sizes[dim] = cut->rows;
    offsets[dim] = cut->first ? VMC_DYNAMIC : cut->at;
    Slice slice = {{offsets, from->rank, 1}, {sizes, from->rank, 2}, {ones, from->rank, 2}};
    const Type *type = vmc_subview_type(ctx, from, &slice);
    Value *operands[2] = {source, cut->first};
    const int32_t segments[4] = {1, cut->first != NULL, 0, 0};
    NamedAttr attrs[4] = {{vmc_name(ctx, "static_offsets"), vmc_attr_i64_array(ctx, from->rank, offsets)},
                          {vmc_name(ctx, "static_sizes"), vmc_attr_i64_array(ctx, from->rank, sizes)},
                          {vmc_name(ctx, "static_strides"), vmc_attr_i64_array(ctx, from->rank, ones)},
                          vmc_segments(ctx, 4, segments)};
    return &vmc_build(&cut->b, "memref.subview", 1 + (cut->first != NULL), operands, 1, &type, 4, attrs, 0)->results[0];
}

static bool is_member(const Chain *c, const Op *op)
{
    for (size_t i = 0; i < c->members.n; i++)
        if (c->members.at[i] == op)
            return true;
    return false;
}

/* An allocation of the same turn of the block that only the chain uses. */
static bool is_private(const Chain *c, const Seen *seen)
{
    const Op *alloc = seen->value->op;
    if (!alloc || alloc->parent != c->members.at[0]->parent || !vmc_is(alloc, "memref.alloc") || alloc->noperands ||
        seen->dim == NO_DIM || seen->value->type->layout)
        return false;
    for (const Use *use = seen->value->uses; use; use = use->next)
        if (!is_member(c, use->owner))
            return false;
    return true;
}

static Value *alloc_rows(Cut *cut, const Op *alloc, uint32_t dim)
{
    Context *ctx = cut->b.ctx;
    const Type *type = with_rows(ctx, alloc->results[0].type, dim, cut->rows);
    Op *op = vmc_build(&cut->b, "memref.alloc", 0, NULL, 1, &type, alloc->nattrs, alloc->attrs, 0);
    op->results[0].name = alloc->results[0].name;
    return &op->results[0];
}

/* Clones of the members on the rows of the block. */
static void build_block(Cut *cut)
{
    Chain *c = cut->chain;
    Context *ctx = c->ctx;
    Map values = {.arena = &ctx->arena};
    for (size_t i = 0; i < c->seen.n; i++) {
        Seen *seen = &c->seen.at[i];
        if (seen->dim != NO_DIM)
            vmc_map_put_ptr(&values, seen->value,
                            is_private(c, seen) ? alloc_rows(cut, seen->value->op, seen->dim)
                                                : view_rows(cut, seen->value, seen->dim));
    }
    for (size_t i = 0; i < c->members.n; i++) {
        Op *copy = vmc_op_clone(ctx, c->members.at[i], &values);
        if (cut->b.at)
            vmc_op_insert_before(copy, cut->b.at);
        else
            vmc_op_append(cut->b.block, copy);
    }
}

static void cut_up(Chain *c, int64_t rows)
{
    Context *ctx = c->ctx;
    Op *last = c->members.at[c->members.n - 1];
    int64_t rest = c->rows % rows;
    Builder b = vmc_before(ctx, last);
    Op *loop = vmc_build_for(&b, vmc_build_index(&b, 0), vmc_build_index(&b, c->rows - rest), vmc_build_index(&b, rows), 0, NULL);
    vmc_set_attr(ctx, loop, "bufvm.grid", vmc_attr_unit(ctx));
    Block *body = vmc_entry(loop, 0);
    Cut cut = {.chain = c, .b = vmc_at_end(ctx, body, last->pos), .rows = rows, .first = body->args[0]};
    build_block(&cut);
    vmc_build_yield(&cut.b, "scf.yield", 0, NULL);
    if (rest) {
        cut = (Cut){.chain = c, .b = vmc_before(ctx, last), .rows = rest, .at = c->rows - rest};
        build_block(&cut);
    }
    for (size_t i = 0; i < c->members.n; i++)
        vmc_op_erase(c->members.at[i]);
    for (size_t i = 0; i < c->seen.n; i++)
        if (c->seen.at[i].value->op && !c->seen.at[i].value->uses && vmc_is(c->seen.at[i].value->op, "memref.alloc"))
            vmc_op_erase(c->seen.at[i].value->op);
}

/* Fills, copies and reductions are kernels, which are cut up at run time where there are threads. */
static bool is_strip(const Structured *s)
{
    return vmc_structured_is_parallel(s) && s->body->first != vmc_terminator(s->body);
}

/* Turns of all loops of the members that become tile code; saturates. */
static int64_t work_of(const Chain *c)
{
    int64_t sum = 0;
    for (size_t i = 0; i < c->members.n; i++) {
        Structured s;
        int64_t turns = 1;
        vmc_structured(c->ctx, c->members.at[i], &s);
        for (uint32_t l = 0; is_strip(&s) && l < s.nloops; l++)
            if (__builtin_mul_overflow(turns, vmc_structured_static_size(&s, l), &turns))
                return INT64_MAX;
        if (is_strip(&s) && __builtin_add_overflow(sum, turns, &sum))
            return INT64_MAX;
    }
    return sum;
}

/* Rows of a block so that the chain stays in cache, or so that threads have blocks of their own; c->rows: not worth it. */
static int64_t choose_rows(const Chain *c)
{
    bool passes_on = false;
    int64_t bytes = row_bytes(c), all, work = work_of(c);
    for (size_t i = 0; i < c->seen.n; i++)
        passes_on |= c->seen.at[i].read_after && c->seen.at[i].dim != NO_DIM;
    if (__builtin_mul_overflow(bytes, c->rows, &all))
        all = INT64_MAX;
    if (passes_on && all > CHAIN_BYTES)
        return rows_of_block(BLOCK_BYTES / bytes, c->rows);
    if (work > GRID_WORK)
        return rows_of_block(BLOCK_WORK / (work / c->rows > 0 ? work / c->rows : 1), c->rows);
    return c->rows;
}

/* Ends the chain: cuts it up where that is worth it. */
static void finish(Chain *c)
{
    int64_t rows = c->members.n ? choose_rows(c) : 0;
    if (rows < c->rows)
        cut_up(c, rows);
    *c = (Chain){.ctx = c->ctx};
}

/* ---- pass -------------------------------------------------------------------------------------------- */

/* May stand between members: they run behind it then. */
static bool touches_no_memory(const Op *op)
{
    return vmc_has_trait(op, TRAIT_SPECULATABLE) || vmc_has_trait(op, TRAIT_CONSTANT) || vmc_is(op, "memref.alloc") ||
           vmc_is(op, "memref.get_global") ||
           (vmc_has_trait(op, TRAIT_VIEW) && op->nresults == 1 && vmc_is_memref(op->results[0].type));
}

static void block_rows_in(Context *ctx, Block *block)
{
    Chain chain = {.ctx = ctx};
    for (Op *op = block->first, *next; op; op = next) {
        next = op->next;
        if (chain.members.n && touches_no_memory(op))
            continue;
        if (try_join(&chain, op))
            continue;
        finish(&chain);
        try_join(&chain, op);
    }
    finish(&chain);
}

/* What is written before it is read is known from whole ops; from blocks of rows it would not be. */
static bool note_written(Op *op, void *user)
{
    Context *ctx = user;
    if (vmc_is(op, "memref.alloc") && !vmc_get_attr(op, "bufvm.written") && vmc_lifetime(ctx, op).written)
        vmc_set_attr(ctx, op, "bufvm.written", vmc_attr_unit(ctx));
    return true;
}

static bool visit(Op *op, void *user)
{
    Context *ctx = user;
    if (vmc_is(op, "func.func")) {
        ArenaMark mark = vmc_arena_mark(&ctx->scratch);
        vmc_number_ops(ctx, op);
        vmc_walk(op, note_written, ctx);
        vmc_arena_rewind(&ctx->scratch, mark);
    }
    if (vmc_has_trait(op, TRAIT_STRUCTURED))
        return true;
    for (uint32_t r = 0; r < op->nregions; r++)
        for (Block *block = op->regions[r].first; block; block = block->next) {
            ArenaMark mark = vmc_arena_mark(&ctx->scratch);
            block_rows_in(ctx, block);
            vmc_arena_rewind(&ctx->scratch, mark);
        }
    return true;
}

bool vmc_pass_block_rows(PassContext *pc)
{
    vmc_walk(pc->ctx->module, visit, pc->ctx);
    return true;
}
