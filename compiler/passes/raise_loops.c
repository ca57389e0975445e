/* Loop nests over memrefs that have the form of structured ops become linalg.generic, so that kernels and strips serve them.
 *
 * A nest is scf.for and scf.parallel loops of which each holds at most one other, with constant steps.  Lower bounds are constant,
 * or what a tiling loop around the nest counts: then the turns are counted from there.  Loads and stores have subscripts that are
 * linear in one loop each, beside a value from outside.  Stores in front of an inner loop form a nest of their own over the outer
 * loops.  Values that the innermost loop carries live in the element that they are stored to behind it, or in a temporary.
 *
 * A generic on memrefs means its nest in row-major order, element for element (dialects/linalg.h): loads of a turn come first,
 * then its stores.  So what is checked here is only what moves: a load behind a store of its turn, an element that is carried, a
 * store that leaves its place.  Whether turns may run side by side is for those who compute the generic to find out.
 * An access that leaves its memref is still a trap: what is not known to stay inside is checked in front of the nest, where all of
 * its loops have turns.
 */
#include "../dialects/linalg.h"
#include "../dialects/shapes.h"

#include "alias.h"
#include "builders.h"
#include "passes.h"

enum { MAX_LOOPS = 8, MAX_STEPS = 24, MAX_NESTS = 8, MAX_BODY = 200, SMALL = 16 };

typedef struct Loop {
    Value *iv;
    int64_t lower, step, size; /* size: turns, or VMC_DYNAMIC */
    Value *start;              /* lower bound that is no constant, not negative, or NULL: lower 0, step 1 */
    Value *upper, *count;      /* of a dynamic one: lower 0, step 1; count is upper (from start on) or 0 */
} Loop;

typedef struct Subscript { /* constant + base + scale * turn of the loop */
    int64_t constant, scale;
    Value *base; /* from outside, or NULL */
    int loop;    /* -1: none */
} Subscript;

typedef struct Access {
    Value *memref; /* NULL: the temporary `temp` */
    uint32_t rank, temp;
    Subscript *at;
} Access;

typedef struct Step {
    bool store, outer; /* outer: a load from a level further out */
    Value *result;     /* of a load: what it defines */
    Value *value;      /* of a store */
    Access access;
} Step;

typedef struct Nest {
    uint32_t nloops, nsteps;
    Step steps[MAX_STEPS];
} Nest;

typedef struct Raise {
    Context *ctx;
    Op *root;
    uint32_t nloops, nnests, body;
    uint32_t noperands; /* of all ops in the nest: no generic gets more scalars */
    Loop loops[MAX_LOOPS];
    Nest nests[MAX_NESTS];
    Op *carrying; /* the innermost loop, where it carries values */
    Value **temps;
    Map seen; /* values that a walk over operands has been to */
} Raise;

/* ---- values ------------------------------------------------------------------------------- */

static bool is_outside(const Raise *r, const Value *value)
{
    return !vmc_defined_inside(r->root, value);
}

static int loop_of(const Raise *r, const Value *value)
{
    for (uint32_t l = 0; l < r->nloops; l++)
        if (r->loops[l].iv == value)
            return (int)l;
    return -1;
}

static bool is_pure(const Op *op)
{
    return (vmc_has_trait(op, TRAIT_PURE) || vmc_has_trait(op, TRAIT_SPECULATABLE)) && !op->nregions && op->nresults == 1;
}

static bool scaled(Subscript *s, int64_t by)
{
    return !s->base && !__builtin_mul_overflow(s->constant, by, &s->constant) && !__builtin_mul_overflow(s->scale, by, &s->scale);
}

static bool subscript(const Raise *r, Value *value, Subscript *out, uint32_t depth)
{
    int64_t c;
    int loop = loop_of(r, value);
    *out = (Subscript){.loop = -1};
    if (vmc_constant_int(value, &out->constant))
        return true;
    if (loop >= 0) {
        const Loop *of = &r->loops[loop];
        *out = (Subscript){.constant = of->lower, .scale = of->step, .base = of->start, .loop = loop};
        return true;
    }
    if (is_outside(r, value)) {
        out->base = value;
        return value->type->kind == TYPE_INDEX;
    }
    Op *op = value->op;
    if (!op || depth > 8 || op->noperands != 2)
        return false;
    Subscript a, b;
    if (vmc_is(op, "arith.muli"))
        return (vmc_constant_int(op->operands[1].value, &c) && subscript(r, op->operands[0].value, out, depth + 1) &&
                scaled(out, c)) ||
               (vmc_constant_int(op->operands[0].value, &c) && subscript(r, op->operands[1].value, out, depth + 1) &&
                scaled(out, c));
    if ((!vmc_is(op, "arith.addi") && !vmc_is(op, "arith.subi")) || !subscript(r, op->operands[0].value, &a, depth + 1) ||
        !subscript(r, op->operands[1].value, &b, depth + 1))
        return false;
    if ((vmc_is(op, "arith.subi") && !scaled(&b, -1)) || (a.base && b.base) || (a.loop >= 0 && b.loop >= 0))
        return false;
    *out = (Subscript){.scale = a.scale + b.scale, .base = a.base ? a.base : b.base, .loop = a.loop >= 0 ? a.loop : b.loop};
    return !__builtin_add_overflow(a.constant, b.constant, &out->constant);
}

static bool same_place(const Access *a, const Access *b)
{
    if (a->memref != b->memref || a->rank != b->rank || (!a->memref && a->temp != b->temp))
        return false;
    for (uint32_t i = 0; i < a->rank; i++)
        if (a->at[i].constant != b->at[i].constant || a->at[i].scale != b->at[i].scale || a->at[i].base != b->at[i].base ||
            a->at[i].loop != b->at[i].loop)
            return false;
    return true;
}

/* No byte in common, as far as can be told. */
static bool apart(const Raise *r, const Access *a, const Access *b)
{
    return a->memref && b->memref ? vmc_memrefs_apart(r->ctx, a->memref, b->memref) : a->memref != b->memref || a->temp != b->temp;
}

/* Does the subscript stay inside the dimension?  1 yes, 0 no, -1 to be seen at run time. */
static int stays_inside(const Raise *r, const Subscript *s, int64_t dim)
{
    int64_t reach = 0, last;
    int64_t size = s->loop < 0 ? 1 : r->loops[s->loop].size;
    if (size != VMC_DYNAMIC && __builtin_mul_overflow(size - 1, s->scale, &reach))
        return 0;
    if (s->base || size == VMC_DYNAMIC || dim == VMC_DYNAMIC)
        return s->constant < 0 && !s->base ? 0 : -1;
    return s->constant >= 0 && !__builtin_add_overflow(s->constant, reach, &last) && last < dim;
}

static bool access_of(const Raise *r, Op *op, uint32_t first, Access *out)
{
    Value *memref = op->operands[first].value;
    const Type *type = memref->type;
    int64_t offset, *strides = ARENA_ARRAY(&r->ctx->arena, int64_t, type->rank + 1);
    if (type->kind != TYPE_MEMREF || op->noperands != first + 1 + type->rank || !is_outside(r, memref) ||
        vmc_is_shaped(type->elem) || !vmc_memref_strides(r->ctx, type, &offset, strides))
        return false;
    *out = (Access){.memref = memref, .rank = type->rank, .at = ARENA_ARRAY(&r->ctx->arena, Subscript, type->rank + 1)};
    for (uint32_t i = 0; i < type->rank; i++) {
        Subscript *s = &out->at[i];
        if (!subscript(r, op->operands[first + 1 + i].value, s, 0) || (s->loop >= 0 && s->scale <= 0) ||
            (s->loop >= 0 && r->loops[s->loop].size == VMC_DYNAMIC && s->scale != 1) || !stays_inside(r, s, type->dims[i]))
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (s->loop >= 0 && out->at[j].loop == s->loop)
                return false;
    }
    return true;
}

/* ---- collecting ------------------------------------------------------------------------------ */

static Step *new_step(Nest *nest)
{
    return nest->nsteps < MAX_STEPS ? &nest->steps[nest->nsteps++] : NULL;
}

static bool is_loop(const Op *op)
{
    return vmc_is(op, "scf.for") || vmc_is(op, "scf.parallel");
}

/* The bounds of a loop's index; *last is INT64_MAX where the upper bound is no constant.  false: no index of a signed loop from a
   constant on. */
static bool index_range(const Value *value, int64_t *first, int64_t *last)
{
    const Op *loop = value->block ? value->block->parent->parent : NULL;
    if (value->op || !loop || !is_loop(loop) || vmc_get_attr(loop, "unsignedCmp"))
        return false;
    uint32_t i = value->index, n = vmc_is(loop, "scf.for") ? 1 : value->block->nargs;
    int64_t upper;
    if (i >= n || !vmc_constant_int(loop->operands[i].value, first))
        return false;
    *last = vmc_constant_int(loop->operands[n + i].value, &upper) && upper > INT64_MIN ? upper - 1 : INT64_MAX;
    return true;
}

/* From a start that a loop around the nest gives.  Its distance to the upper bound is known where that is the start and a constant.
 */
static bool starts_outside(const Raise *r, Loop *loop, Value *lower, Value *upper)
{
    int64_t first, last, span, end;
    if (loop->step != 1 || !is_outside(r, lower) || !is_outside(r, upper) || !index_range(lower, &first, &last) || first < 0)
        return false;
    loop->start = lower;
    const Op *sum = upper->op;
    if (sum && vmc_is(sum, "arith.addi") && sum->operands[0].value == lower && vmc_constant_int(sum->operands[1].value, &span) &&
        span > 0 && !__builtin_add_overflow(last, span, &end))
        loop->size = span;
    return true;
}

static bool add_loop(Raise *r, Value *iv, Value *lower, Value *upper, Value *step)
{
    int64_t to, span;
    Loop *loop = &r->loops[r->nloops];
    if (r->nloops == MAX_LOOPS || !vmc_constant_int(step, &loop->step) || loop->step < 1 || iv->type->kind != TYPE_INDEX)
        return false;
    loop->iv = iv;
    loop->lower = 0;
    loop->upper = upper;
    loop->start = NULL;
    loop->size = VMC_DYNAMIC;
    if (!vmc_constant_int(lower, &loop->lower)) {
        if (!starts_outside(r, loop, lower, upper))
            return false;
        r->nloops++;
        return true;
    }
    if (vmc_constant_int(upper, &to)) {
        if (__builtin_sub_overflow(to, loop->lower, &span) || span <= 0)
            return false;
        loop->size = (span - 1) / loop->step + 1;
    } else if (loop->lower != 0 || loop->step != 1 || !is_outside(r, upper)) {
        return false;
    }
    r->nloops++;
    return true;
}

static bool add_loops(Raise *r, Op *op)
{
    Block *body = vmc_entry(op, 0);
    if (vmc_get_attr(op, "unsignedCmp"))
        return false;
    if (vmc_is(op, "scf.for"))
        return add_loop(r, body->args[0], op->operands[0].value, op->operands[1].value, op->operands[2].value);
    uint32_t n = body->nargs;
    if (op->nresults || op->noperands != 3 * n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!add_loop(r, body->args[i], op->operands[i].value, op->operands[n + i].value, op->operands[2 * n + i].value))
            return false;
    return true;
}

static bool add_access(Raise *r, Nest *nest, Op *op)
{
    bool store = vmc_is(op, "memref.store");
    Step *step = new_step(nest);
    if (!step || !access_of(r, op, store, &step->access))
        return false;
    step->store = store;
    step->value = store ? op->operands[0].value : NULL;
    step->result = store ? NULL : &op->results[0];
    return true;
}

/* The only store of a carried value, in the loop's block behind it. */
static Op *store_of(const Op *loop, const Value *result)
{
    Op *store = result->uses && !result->uses->next ? result->uses->owner : NULL;
    bool fits = store && vmc_is(store, "memref.store") && store->operands[0].value == result && store->parent == loop->parent;
    return fits ? store : NULL;
}

/* Carried values become elements: stored in front of the loop, loaded and stored by every turn. */
static bool add_carried(Raise *r, Op *loop, Nest *before, Nest *body)
{
    Block *block = vmc_entry(loop, 0);
    for (uint32_t i = 0; i < loop->nresults; i++) {
        Step *init = new_step(before), *load = new_step(body);
        Op *store = store_of(loop, &loop->results[i]);
        if (!init || !load)
            return false;
        init->store = true;
        init->value = loop->operands[3 + i].value;
        load->result = block->args[1 + i];
        if (loop == r->root)
            init->access = (Access){.temp = i};
        else if (!store || !access_of(r, store, 1, &init->access))
            return false;
        load->access = init->access;
    }
    return true;
}

static bool add_yielded(Op *loop, Nest *body)
{
    Op *yield = vmc_terminator(vmc_entry(loop, 0));
    for (uint32_t i = 0; i < loop->nresults; i++) {
        Step *step = new_step(body);
        if (!step)
            return false;
        step->store = true;
        step->value = yield->operands[i].value;
        for (uint32_t j = 0; j < body->nsteps; j++)
            if (body->steps[j].result == vmc_entry(loop, 0)->args[1 + i])
                step->access = body->steps[j].access;
    }
    return true;
}

/* The ops of a level: loads and stores in front of the inner loop, if there is one; behind it only stores of what it carried. */
static bool collect_level(Raise *r, Op *op, Nest *nest, Op **inner)
{
    uint32_t n = 0;
    *inner = NULL;
    for (Op *o = vmc_entry(op, 0)->first; o != vmc_terminator(vmc_entry(op, 0)); o = o->next) {
        bool is_store = vmc_is(o, "memref.store");
        if (++n > MAX_BODY)
            return false;
        r->noperands += o->noperands;
        if (is_loop(o)) {
            if (*inner)
                return false;
            *inner = o;
        } else if (*inner && is_store && o->operands[0].value->op == *inner) {
            continue;
        } else if (is_store || vmc_is(o, "memref.load")) {
            if (*inner || !add_access(r, nest, o))
                return false;
        } else if (!is_pure(o)) {
            return false;
        }
    }
    return true;
}

static bool collect(Raise *r)
{
    Nest *before = &r->nests[r->nnests++]; /* for what the root itself carries */
    for (Op *op = r->root, *inner; op; op = inner) {
        if (r->nnests == MAX_NESTS || !add_loops(r, op))
            return false;
        Nest *nest = &r->nests[r->nnests++];
        nest->nloops = r->nloops;
        if (op->nresults && (!vmc_is(op, "scf.for") || !add_carried(r, op, before, nest)))
            return false;
        if (!collect_level(r, op, nest, &inner) || (inner && op->nresults))
            return false;
        if (op->nresults) {
            r->carrying = op;
            if (!add_yielded(op, nest))
                return false;
        }
        before = nest;
    }
    r->body = r->nnests - 1;
    return true;
}

/* ---- is it the same? ------------------------------------------------------------------------------ */

/* Every value that a store needs is known to the nest; loads of outer levels join it. */
static bool knows(Raise *r, Nest *nest, Value *value, uint32_t depth)
{
    if (vmc_map_ptr(&r->seen, value))
        return true;
    vmc_map_put_ptr(&r->seen, value, value);
    if (is_outside(r, value))
        return !vmc_is_shaped(value->type);
    int loop = loop_of(r, value);
    if (loop >= 0)
        return (uint32_t)loop < nest->nloops;
    for (uint32_t i = 0; i < nest->nsteps; i++)
        if (nest->steps[i].result == value)
            return true;
    if (!value->op || depth > 64)
        return false;
    if (vmc_is(value->op, "memref.load")) {
        Step *step = new_step(nest);
        if (!step || !access_of(r, value->op, 0, &step->access))
            return false;
        step->outer = true;
        step->result = value;
        return true;
    }
    if (!is_pure(value->op))
        return false;
    for (uint32_t i = 0; i < value->op->noperands; i++)
        if (!knows(r, nest, value->op->operands[i].value, depth + 1))
            return false;
    return true;
}

/* Each turn of the nest's loops has an element of its own. */
static bool is_injective(const Raise *r, const Access *a, uint32_t nloops)
{
    if (a->memref && !vmc_layout_is_injective(r->ctx, a->memref->type))
        return false;
    for (uint32_t l = 0; l < nloops; l++) {
        bool found = false;
        for (uint32_t i = 0; i < a->rank; i++)
            found |= a->at[i].loop == (int)l;
        if (!found)
            return false;
    }
    return true;
}

/* Loads of a turn can come before its stores. */
static bool turn_in_order(const Raise *r, const Nest *nest)
{
    for (uint32_t s = 0; s < nest->nsteps; s++)
        for (uint32_t l = 0; nest->steps[s].store && l < nest->nsteps; l++) {
            const Step *store = &nest->steps[s], *other = &nest->steps[l];
            if (l == s)
                continue;
            bool same = same_place(&store->access, &other->access);
            bool is_apart = apart(r, &store->access, &other->access);
            if (other->store ? !same && !is_apart : (other->outer || (l > s && !same)) && !is_apart)
                return false;
            if (!other->store && !same && store->access.memref == other->access.memref && !is_apart)
                return false; /* turns that read what others wrote: no structured op */
            if (!other->store && same && l > s)
                return false; /* reads back what the turn has stored */
        }
    return true;
}

/* Stores in front of the inner loops can all be made before those run: whatever a later nest touches is either elsewhere or
   the element of its own turn. */
static bool fits_before(const Raise *r, uint32_t n)
{
    const Nest *nest = &r->nests[n];
    for (uint32_t i = 0; i < nest->nsteps; i++)
        for (uint32_t k = n + 1; k < r->nnests; k++)
            for (uint32_t j = 0; j < r->nests[k].nsteps; j++) {
                const Step *a = &nest->steps[i], *b = &r->nests[k].steps[j];
                if (!a->store && !b->store)
                    continue;
                bool own = same_place(&a->access, &b->access) && is_injective(r, &a->access, nest->nloops);
                if (!own && !apart(r, &a->access, &b->access))
                    return false;
            }
    return true;
}

/* What the loop carries is in memory between its turns: nothing else there may see or change it. */
static bool carried_alone(const Raise *r)
{
    const Nest *nest = &r->nests[r->body];
    for (uint32_t i = 0; i < nest->nsteps; i++) {
        const Step *carried = &nest->steps[i];
        if (!r->carrying || carried->store || !carried->result->block || carried->result->block != vmc_entry(r->carrying, 0))
            continue;
        if (!is_injective(r, &carried->access, nest->nloops - 1))
            return false;
        for (uint32_t j = 0; j < nest->nsteps; j++) {
            const Step *other = &nest->steps[j];
            bool same = same_place(&carried->access, &other->access);
            if (same ? j != i && !other->store : !apart(r, &carried->access, &other->access))
                return false;
        }
    }
    return true;
}

/* Each loop has an operand dimension that it walks alone, which says how long it is. */
static bool has_sizes(const Nest *nest)
{
    for (uint32_t l = 0; l < nest->nloops; l++) {
        bool found = false;
        for (uint32_t s = 0; s < nest->nsteps; s++)
            for (uint32_t i = 0; i < nest->steps[s].access.rank; i++)
                found |= nest->steps[s].access.at[i].loop == (int)l;
        if (!found)
            return false;
    }
    return true;
}

static bool is_worth_it(const Raise *r)
{
    int64_t turns = 1;
    for (uint32_t l = 0; l < r->nloops; l++)
        if (r->loops[l].size == VMC_DYNAMIC || __builtin_mul_overflow(turns, r->loops[l].size, &turns))
            return true;
    return turns >= SMALL;
}

static bool check(Raise *r)
{
    bool stores = false;
    for (uint32_t n = 0; n < r->nnests; n++) {
        Nest *nest = &r->nests[n];
        uint32_t given = nest->nsteps;
        r->seen = (Map){.arena = &r->ctx->arena};
        for (uint32_t i = 0; i < given; i++)
            if (nest->steps[i].store && !knows(r, nest, nest->steps[i].value, 0))
                return false;
    }
    for (uint32_t n = 0; n < r->nnests; n++) {
        Nest *nest = &r->nests[n];
        bool any = false;
        for (uint32_t i = 0; i < nest->nsteps; i++)
            any |= nest->steps[i].store;
        if (any && (!turn_in_order(r, nest) || (n > 0 && !has_sizes(nest)) || (n < r->body && !fits_before(r, n))))
            return false;
        stores |= any && n == r->body;
    }
    return stores && carried_alone(r) && is_worth_it(r);
}

/* ---- building ----------------------------------------------------------------------------------------- */

static Value *dynamic_size(const Raise *r, const Subscript *s)
{
    return s->loop >= 0 && r->loops[s->loop].size == VMC_DYNAMIC ? r->loops[s->loop].count : NULL;
}

/* In front of a nest of which every loop has turns: the subscript stays inside. */
static void check_inside(const Raise *r, Builder *b, const Access *a, uint32_t i)
{
    const Subscript *s = &a->at[i];
    if (stays_inside(r, s, a->memref->type->dims[i]) > 0)
        return;
    Value *dim = vmc_dim_of(b, a->memref, i), *size = dynamic_size(r, s), *first = vmc_build_index(b, s->constant), *ok = NULL;
    if (s->base) {
        first = vmc_binary(b, "arith.addi", s->base, first);
        ok = vmc_cmpi(b, CMPI_SGE, first, vmc_build_index(b, 0));
    }
    if (!size)
        size = vmc_build_index(b, s->loop < 0 ? 1 : (r->loops[s->loop].size - 1) * s->scale + 1);
    Value *room = vmc_cmpi(b, CMPI_SLE, first, vmc_binary(b, "arith.subi", dim, size));
    ok = ok ? vmc_binary(b, "arith.andi", ok, room) : room;
    vmc_assert_that(b, ok, "index out of bounds in a loop");
}

static bool checked_before(const Raise *r, uint32_t n, uint32_t s)
{
    for (uint32_t m = 0; m <= n; m++)
        for (uint32_t t = 0; t < (m < n ? r->nests[m].nsteps : s); t++)
            if (same_place(&r->nests[m].steps[t].access, &r->nests[n].steps[s].access))
                return true;
    return false;
}

/* The memref itself where the nest walks all of it. */
static bool is_whole(const Raise *r, const Access *a)
{
    for (uint32_t i = 0; i < a->rank; i++) {
        const Subscript *s = &a->at[i];
        int64_t dim = a->memref->type->dims[i], size = s->loop < 0 ? 1 : r->loops[s->loop].size;
        if (s->constant || s->base || (s->loop >= 0 && s->scale != 1) || dim == VMC_DYNAMIC || dim != size)
            return false;
    }
    return true;
}

static int64_t times(int64_t a, int64_t b)
{
    int64_t c;
    return a == VMC_DYNAMIC || b == VMC_DYNAMIC || __builtin_mul_overflow(a, b, &c) ? VMC_DYNAMIC : c;
}

/* The elements that the nest touches, a dimension for each loop, as a memref. */
static Value *view_of(const Raise *r, Builder *b, const Access *a)
{
    Context *ctx = r->ctx;
    const Type *type = a->memref->type;
    uint32_t n = a->rank, rank = 0, noffsets = 0, nsizes = 0;
    int64_t *offsets = ARENA_ARRAY(&ctx->arena, int64_t, n + 1), *sizes = ARENA_ARRAY(&ctx->arena, int64_t, n + 1);
    int64_t *steps = ARENA_ARRAY(&ctx->arena, int64_t, n + 1), *strides = ARENA_ARRAY(&ctx->arena, int64_t, n + 1);
    int64_t *dims = ARENA_ARRAY(&ctx->arena, int64_t, n + 1), *kept = ARENA_ARRAY(&ctx->arena, int64_t, n + 1), offset;
    Value **operands = ARENA_ARRAY(&ctx->arena, Value *, 2 * n + 1);
    vmc_memref_strides(ctx, type, &offset, strides);
    operands[0] = a->memref;
    for (uint32_t i = 0; i < n; i++) {
        const Subscript *s = &a->at[i];
        offsets[i] = s->constant;
        if (s->base) {
            offsets[i] = VMC_DYNAMIC;
            operands[1 + noffsets++] = vmc_binary(b, "arith.addi", s->base, vmc_build_index(b, s->constant));
        }
        sizes[i] = s->loop < 0 ? 1 : r->loops[s->loop].size;
        steps[i] = s->loop < 0 ? 1 : s->scale;
        int64_t way = times(offsets[i], strides[i]);
        offset = offset == VMC_DYNAMIC || way == VMC_DYNAMIC ? VMC_DYNAMIC : offset + way;
        if (s->loop >= 0) {
            dims[rank] = sizes[i];
            kept[rank++] = times(steps[i], strides[i]);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        Value *size = dynamic_size(r, &a->at[i]);
        if (size)
            operands[1 + noffsets + nsizes++] = size;
    }
    const int32_t segments[4] = {1, (int32_t)noffsets, (int32_t)nsizes, 0};
    const NamedAttr attrs[4] = {{vmc_name(ctx, "static_offsets"), vmc_attr_i64_array(ctx, n, offsets)},
                                {vmc_name(ctx, "static_sizes"), vmc_attr_i64_array(ctx, n, sizes)},
                                {vmc_name(ctx, "static_strides"), vmc_attr_i64_array(ctx, n, steps)},
                                vmc_segments(ctx, 4, segments)};
    const Type *result = vmc_type_memref(ctx, rank, dims, type->elem, vmc_attr_strided(ctx, offset, rank, kept), type->space);
    return &vmc_build(b, "memref.subview", 1 + noffsets + nsizes, operands, 1, &result, 4, attrs, 0)->results[0];
}

typedef struct Body {
    Raise *r;
    const Nest *nest;
    Builder b;
    Map values; /* of the loops -> in the body */
} Body;

static Value *in_body(Body *body, Value *value)
{
    Raise *r = body->r;
    Value *known = vmc_map_ptr(&body->values, value);
    int loop = loop_of(r, value);
    if (known)
        return known;
    if (loop >= 0) {
        NamedAttr dim = {vmc_name(r->ctx, "dim"), vmc_attr_i64(r->ctx, loop)};
        const Type *index = vmc_type_index(r->ctx);
        known = &vmc_build(&body->b, "linalg.index", 0, NULL, 1, &index, 1, &dim, 0)->results[0];
        if (r->loops[loop].step != 1)
            known = vmc_binary(&body->b, "arith.muli", known, vmc_build_index(&body->b, r->loops[loop].step));
        if (r->loops[loop].lower != 0)
            known = vmc_binary(&body->b, "arith.addi", known, vmc_build_index(&body->b, r->loops[loop].lower));
        if (r->loops[loop].start)
            known = vmc_binary(&body->b, "arith.addi", known, vmc_map_ptr(&body->values, r->loops[loop].start));
    } else {
        for (uint32_t i = 0; i < value->op->noperands; i++)
            in_body(body, value->op->operands[i].value);
        Op *copy = vmc_op_clone(r->ctx, value->op, &body->values);
        vmc_op_append(body->b.block, copy);
        return &copy->results[0];
    }
    vmc_map_put_ptr(&body->values, value, known);
    return known;
}

typedef struct Operands {
    uint32_t n;
    Value **at;
    const AffineMap **maps;
    const Step **steps; /* NULL: a scalar from outside */
} Operands;

static Operands *new_operands(const Raise *r, uint32_t most)
{
    Operands *o = ARENA_NEW(&r->ctx->arena, Operands);
    o->at = ARENA_ARRAY(&r->ctx->arena, Value *, most);
    o->maps = ARENA_ARRAY(&r->ctx->arena, const AffineMap *, most);
    o->steps = ARENA_ARRAY(&r->ctx->arena, const Step *, most);
    return o;
}

static void add_operand(const Raise *r, Builder *b, Operands *o, uint32_t nloops, const Step *step)
{
    const Access *a = &step->access;
    const AffineExpr *results[64];
    uint32_t n = 0;
    o->steps[o->n] = step;
    if (!a->memref) {
        o->at[o->n] = r->temps[a->temp];
    } else if (is_whole(r, a)) {
        o->at[o->n] = a->memref;
        for (uint32_t i = 0; i < a->rank; i++)
            results[n++] = a->at[i].loop < 0 ? vmc_affine_const(r->ctx, 0) : vmc_affine_dim(r->ctx, (uint32_t)a->at[i].loop);
    } else {
        o->at[o->n] = view_of(r, b, a);
        for (uint32_t i = 0; i < a->rank; i++)
            if (a->at[i].loop >= 0)
                results[n++] = vmc_affine_dim(r->ctx, (uint32_t)a->at[i].loop);
    }
    o->maps[o->n++] = vmc_affine_map(r->ctx, nloops, 0, n, results, NULL);
}

/* Scalars from outside, other than constants, that the value needs. */
static void add_scalars(Raise *r, Operands *o, uint32_t nloops, Value *value)
{
    if (vmc_map_ptr(&r->seen, value))
        return;
    vmc_map_put_ptr(&r->seen, value, value);
    if (is_outside(r, value)) {
        if (value->op && vmc_has_trait(value->op, TRAIT_CONSTANT))
            return;
        o->steps[o->n] = NULL;
        o->maps[o->n] = vmc_affine_map(r->ctx, nloops, 0, 0, NULL, NULL);
        o->at[o->n++] = value;
        return;
    }
    int loop = loop_of(r, value);
    if (loop >= 0 && r->loops[loop].start)
        add_scalars(r, o, nloops, r->loops[loop].start);
    for (uint32_t i = 0; value->op && !vmc_is(value->op, "memref.load") && i < value->op->noperands; i++)
        add_scalars(r, o, nloops, value->op->operands[i].value);
}

static bool stored_again(const Nest *nest, uint32_t s)
{
    for (uint32_t i = s + 1; i < nest->nsteps; i++)
        if (nest->steps[i].store && same_place(&nest->steps[i].access, &nest->steps[s].access))
            return true;
    return false;
}

static void build_generic(Raise *r, Builder *b, const Nest *nest)
{
    uint32_t most = 2 * MAX_STEPS + MAX_LOOPS + r->noperands;
    Operands *ins = new_operands(r, most), *outs = new_operands(r, MAX_STEPS);
    r->seen = (Map){.arena = &r->ctx->arena};
    LoopKind loops[MAX_LOOPS];
    for (uint32_t s = 0; s < nest->nsteps; s++)
        if (nest->steps[s].store && !stored_again(nest, s)) {
            add_operand(r, b, outs, nest->nloops, &nest->steps[s]);
            add_scalars(r, ins, nest->nloops, nest->steps[s].value);
        }
    for (uint32_t s = 0; s < nest->nsteps; s++) {
        bool is_out = nest->steps[s].store;
        for (uint32_t k = 0; k < outs->n; k++)
            is_out |= same_place(&outs->steps[k]->access, &nest->steps[s].access);
        for (uint32_t k = 0; k < ins->n; k++)
            is_out |= ins->steps[k] && same_place(&ins->steps[k]->access, &nest->steps[s].access);
        if (!is_out)
            add_operand(r, b, ins, nest->nloops, &nest->steps[s]);
    }
    for (uint32_t l = 0; l < nest->nloops; l++) {
        loops[l] = LOOP_PARALLEL;
        for (uint32_t k = 0; k < outs->n; k++) {
            bool moves = false;
            for (uint32_t i = 0; i < outs->steps[k]->access.rank; i++)
                moves |= outs->steps[k]->access.at[i].loop == (int)l;
            if (!moves)
                loops[l] = LOOP_REDUCTION;
        }
    }
    for (uint32_t k = 0; k < outs->n; k++)
        ins->maps[ins->n + k] = outs->maps[k];
    Op *generic = vmc_build_generic(b, ins->n, ins->at, outs->n, outs->at, ins->maps, nest->nloops, loops);
    Body body = {.r = r, .nest = nest, .b = vmc_at_end(r->ctx, vmc_entry(generic, 0), r->root->pos)};
    body.values = (Map){.arena = &r->ctx->arena};
    for (uint32_t k = 0; k < ins->n; k++)
        if (!ins->steps[k])
            vmc_map_put_ptr(&body.values, ins->at[k], vmc_entry(generic, 0)->args[k]);
    for (uint32_t s = 0; s < nest->nsteps; s++)
        for (uint32_t k = 0; !nest->steps[s].store && k < ins->n + outs->n; k++) {
            const Step *step = k < ins->n ? ins->steps[k] : outs->steps[k - ins->n];
            if (step && same_place(&step->access, &nest->steps[s].access))
                vmc_map_put_ptr(&body.values, nest->steps[s].result, vmc_entry(generic, 0)->args[k]);
        }
    Value *results[MAX_STEPS];
    for (uint32_t k = 0; k < outs->n; k++)
        results[k] = in_body(&body, outs->steps[k]->value);
    vmc_build_yield(&body.b, "linalg.yield", outs->n, results);
}

/* Some access of the nest, or its view, is out of place where a loop has no turns: views are checked whatever their sizes.  Only a
   view of no elements at the start of a dimension always fits. */
static bool needs_turns(const Raise *r, const Nest *nest)
{
    uint32_t unknown = 0;
    for (uint32_t l = 0; l < nest->nloops; l++)
        unknown += r->loops[l].size == VMC_DYNAMIC;
    for (uint32_t s = 0; s < nest->nsteps && unknown; s++) {
        const Access *a = &nest->steps[s].access;
        for (uint32_t i = 0; i < a->rank; i++) {
            bool starts = unknown == 1 && dynamic_size(r, &a->at[i]) && !a->at[i].base && a->at[i].constant == 0;
            if (!starts && stays_inside(r, &a->at[i], a->memref->type->dims[i]) <= 0)
                return true;
        }
    }
    return false;
}

/* Leaves the builder in an scf.if that is taken where every loop of the nest has turns; returns the op. */
static Op *build_guard(const Raise *r, Builder *b, const Nest *nest)
{
    Value *zero = vmc_build_index(b, 0), *all = NULL;
    for (uint32_t l = 0; l < nest->nloops; l++) {
        if (r->loops[l].size != VMC_DYNAMIC)
            continue;
        Value *turns = vmc_cmpi(b, CMPI_SGT, r->loops[l].upper, zero);
        all = all ? vmc_binary(b, "arith.andi", all, turns) : turns;
    }
    Op *guard = vmc_build(b, "scf.if", 1, &all, 0, NULL, 0, NULL, 2);
    vmc_block_append(&guard->regions[0], vmc_block_create(r->ctx));
    *b = vmc_at_end(r->ctx, vmc_entry(guard, 0), r->root->pos);
    return guard;
}

/* The checks of nest n, and its generic if it stores. */
static void build_nest(Raise *r, Builder outer, uint32_t n)
{
    const Nest *nest = &r->nests[n];
    Builder b = outer;
    Op *guard = needs_turns(r, nest) ? build_guard(r, &b, nest) : NULL;
    bool any = false;
    for (uint32_t s = 0; s < nest->nsteps; s++) {
        any |= nest->steps[s].store;
        for (uint32_t i = 0; !checked_before(r, n, s) && i < nest->steps[s].access.rank; i++)
            check_inside(r, &b, &nest->steps[s].access, i);
    }
    if (any && n > 0)
        build_generic(r, &b, nest);
    if (guard)
        vmc_build_yield(&b, "scf.yield", 0, NULL);
}

static void build(Raise *r)
{
    Builder b = vmc_before(r->ctx, r->root);
    for (uint32_t l = 0; l < r->nloops; l++)
        if (r->loops[l].size == VMC_DYNAMIC && r->loops[l].start) /* no distance from a start that is not negative overflows */
            r->loops[l].upper = vmc_binary(&b, "arith.subi", vmc_binary(&b, "arith.maxsi", r->loops[l].upper, r->loops[l].start),
                                           r->loops[l].start);
    for (uint32_t l = 0; l < r->nloops; l++)
        if (r->loops[l].size == VMC_DYNAMIC)
            r->loops[l].count = vmc_binary(&b, "arith.maxsi", r->loops[l].upper, vmc_build_index(&b, 0));
    r->temps = ARENA_ARRAY(&r->ctx->arena, Value *, r->root->nresults + 1);
    for (uint32_t i = 0; i < r->root->nresults; i++) {
        const Type *type = vmc_type_memref(r->ctx, 0, NULL, r->root->results[i].type, NULL, NULL);
        const int32_t none[2] = {0, 0};
        NamedAttr segments = vmc_segments(r->ctx, 2, none);
        r->temps[i] = &vmc_build(&b, "memref.alloca", 0, NULL, 1, &type, 1, &segments, 0)->results[0];
        Value *operands[2] = {r->root->operands[3 + i].value, r->temps[i]};
        vmc_build(&b, "memref.store", 2, operands, 0, NULL, 0, NULL, 0);
    }
    for (uint32_t n = 0; n < r->nnests; n++)
        build_nest(r, b, n);
    for (uint32_t i = 0; i < r->root->nresults; i++)
        vmc_replace_uses(&r->root->results[i], vmc_build1(&b, "memref.load", r->root->results[i].type, 1, &r->temps[i]));
    vmc_op_erase(r->root);
}

/* ---- pass --------------------------------------------------------------------------------------------------- */

typedef struct Roots {
    Arena *arena;
    VEC(Op *) ops;
} Roots;

static bool collect_roots(Op *op, void *user)
{
    Roots *roots = user;
    if (is_loop(op))
        VEC_PUSH(roots->arena, &roots->ops, op);
    return true;
}

bool vmc_pass_raise_loops(PassContext *pc)
{
    Context *ctx = pc->ctx;
    Roots roots = {.arena = &ctx->arena};
    Raise *r = ARENA_NEW(&ctx->arena, Raise);
    vmc_walk(ctx->module, collect_roots, &roots); /* outermost first */
    for (size_t i = 0; i < roots.ops.n; i++) {
        if (!roots.ops.at[i])
            continue;
        memset(r, 0, sizeof *r);
        r->ctx = ctx;
        r->root = roots.ops.at[i];
        if (!collect(r) || !check(r))
            continue;
        for (size_t j = i + 1; j < roots.ops.n && vmc_is_ancestor(r->root, roots.ops.at[j]); j++)
            roots.ops.at[j] = NULL; /* they follow it */
        build(r);
    }
    return true;
}
