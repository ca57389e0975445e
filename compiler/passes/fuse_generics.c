/* Structured ops on tensors are computed inside their consumer where that saves a trip through memory.
 *
 * A producer is a generic whose loops are all parallel and whose out has a permutation of them as subscripts: each element of its
 * result is a function of elements of its inputs, so computing it where it is used changes no bit.  Four kinds:
 *   positions   (what linalg.index gives, converted) go into elementwise consumers and those that find a value with its position;
 *   moves       (fill, broadcast, permutation) go into every consumer that reads them, but for a permutation into an elementwise
 *               one, which would walk its operand against memory;
 *   arithmetic  goes into an elementwise consumer that uses every element once and is the only user;
 *   cheap       arithmetic (one or two simple ops) goes into several such consumers: reading its inputs again costs no more than
 *               reading its result.
 * A sum or product over a loop is never a producer, and arithmetic does not go into one: its kernel wants plain operands.  The one
 * exception is a widening, which the kernels do themselves.
 */
#include "../dialects/linalg.h"

#include "../emit/emit.h"
#include "builders.h"
#include "generalize.h"
#include "passes.h"

enum { MAX_INPUTS = 24, MAX_BODY = 128, CHEAP_OPS = 2, CHEAP_USERS = 4 };

typedef enum Kind { KIND_NONE, KIND_POSITION, KIND_MOVE, KIND_WIDENING, KIND_CHEAP, KIND_ARITHMETIC } Kind;

static bool is_live(const Op *op)
{
    return op->parent != NULL;
}

/* A generic on ranked tensors and scalars. */
static bool on_tensors(Context *ctx, Op *op, Structured *s)
{
    if (!vmc_is(op, "linalg.generic") || !vmc_structured(ctx, op, s) || !s->body || s->body->nargs != op->noperands ||
        op->nresults != s->nouts)
        return false;
    for (uint32_t k = 0; k < op->noperands; k++)
        if (vmc_structured_operand(s, k)->type->kind == TYPE_MEMREF)
            return false;
    return true;
}

/* ---- producers ---------------------------------------------------------------------------- */

/* What the kernels of products and sums do to their operands: whole bytes only. */
static bool is_widening(const Op *op)
{
    bool widens = vmc_is(op, "arith.extf") || vmc_is(op, "arith.extsi") || vmc_is(op, "arith.extui");
    const Type *from = widens ? op->operands[0].value->type : NULL;
    return widens && (from->kind != TYPE_INT || from->width == 1 || from->width % 8 == 0);
}

static bool is_simple(const Op *op)
{
    static const char *const names[] = {"arith.addf", "arith.subf", "arith.mulf",  "arith.negf", "math.absf",
                                        "arith.addi", "arith.subi", "arith.andi",  "arith.ori",  "arith.xori",
                                        "arith.cmpf", "arith.cmpi", "arith.select"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (vmc_is(op, names[i]))
            return true;
    return is_widening(op);
}

static Kind body_kind(const Structured *s)
{
    const Op *yield = vmc_terminator(s->body);
    uint32_t n = 0, all = 0;
    bool simple = true, index = false, casts = true;
    for (const Op *op = s->body->first; op != yield; op = op->next) {
        if (++all > MAX_BODY || op->nregions ||
            !(vmc_has_trait(op, TRAIT_SPECULATABLE) || vmc_has_trait(op, TRAIT_CONSTANT) || vmc_is(op, "linalg.index")))
            return KIND_NONE;
        index |= vmc_is(op, "linalg.index");
        if (vmc_has_trait(op, TRAIT_CONSTANT))
            continue;
        if (vmc_is(op, "linalg.index"))
            continue;
        n++;
        simple &= is_simple(op);
        casts &= vmc_is(op, "arith.index_cast") || vmc_is(op, "arith.trunci") || vmc_is(op, "arith.extsi");
    }
    if (n == 0 && !index)
        return KIND_MOVE;
    if (index && n <= 2 && s->nins == 0 && !s->body->args[0]->uses && casts)
        return KIND_POSITION;
    if (n == 1 && is_widening(s->body->first) && yield->operands[0].value->op == s->body->first)
        return KIND_WIDENING;
    return simple && !index && n <= CHEAP_OPS && s->nins <= CHEAP_OPS ? KIND_CHEAP : KIND_ARITHMETIC;
}

/* Which of the out's subscripts is each loop: at[l]; false where the out is no permutation of the loops. */
static bool loop_places(const Structured *s, uint32_t *at)
{
    const AffineMap *map = s->maps[s->nins];
    if (map->nresults != s->nloops)
        return false;
    for (uint32_t l = 0; l < s->nloops; l++)
        at[l] = s->nloops;
    for (uint32_t r = 0; r < map->nresults; r++) {
        if (map->results[r]->kind != AFFINE_DIM || at[map->results[r]->value] != s->nloops)
            return false;
        at[map->results[r]->value] = r;
    }
    return true;
}

static bool producer(Context *ctx, Op *op, Structured *s, Kind *kind)
{
    if (!on_tensors(ctx, op, s) || s->nouts != 1 || !vmc_structured_is_parallel(s))
        return false;
    *kind = body_kind(s);
    return *kind != KIND_NONE;
}

/* ---- consumers ---------------------------------------------------------------------------- */

static bool has_dim(const AffineMap *map, uint32_t loop)
{
    for (uint32_t r = 0; r < map->nresults; r++)
        if (map->results[r]->kind == AFFINE_DIM && map->results[r]->value == (int64_t)loop)
            return true;
    return false;
}

/* Every loop of more than one turn is one subscript by itself, the others are constant: each element is used at most once. */
static bool uses_once(const Structured *s, uint32_t k)
{
    const AffineMap *map = s->maps[k];
    uint32_t missing = 0;
    if (!vmc_map_is_projected_permutation(map))
        return false;
    for (uint32_t l = 0; l < s->nloops; l++)
        missing += !has_dim(map, l) && vmc_structured_static_size(s, l) != 1;
    return missing == 0;
}

/* The subscripts come in the order of the loops. */
static bool in_order(const AffineMap *map)
{
    int64_t last = -1;
    for (uint32_t r = 0; r < map->nresults; r++) {
        if (map->results[r]->kind != AFFINE_DIM)
            continue;
        if (map->results[r]->value <= last)
            return false;
        last = map->results[r]->value;
    }
    return true;
}

typedef struct Pair {
    Context *ctx;
    Structured p, c;
    Kind kind;
    uint32_t k;               /* the operand of c that p makes */
    const AffineExpr **loops; /* each loop of p in those of c */
    const AffineMap **maps;   /* of the inputs of p, over the loops of c */
    uint32_t ninputs;         /* inputs of p, and its out where it is read */
} Pair;

static bool reads_out(const Structured *s)
{
    return s->body->args[s->nins]->uses != NULL;
}

static void compose(Pair *pair)
{
    Context *ctx = pair->ctx;
    uint32_t *at = ARENA_ARRAY(&ctx->arena, uint32_t, pair->p.nloops + 1);
    pair->loops = ARENA_ARRAY(&ctx->arena, const AffineExpr *, pair->p.nloops + 1);
    pair->ninputs = pair->p.nins + reads_out(&pair->p);
    pair->maps = ARENA_ARRAY(&ctx->arena, const AffineMap *, pair->ninputs + 1);
    loop_places(&pair->p, at);
    for (uint32_t l = 0; l < pair->p.nloops; l++)
        pair->loops[l] = pair->c.maps[pair->k]->results[at[l]];
    for (uint32_t j = 0; j < pair->ninputs; j++) {
        const AffineMap *map = pair->p.maps[j];
        const AffineExpr **results = ARENA_ARRAY(&ctx->arena, const AffineExpr *, map->nresults + 1);
        for (uint32_t r = 0; r < map->nresults; r++)
            results[r] = vmc_affine_replace(ctx, map->results[r], pair->loops, NULL);
        pair->maps[j] = vmc_affine_map(ctx, pair->c.nloops, 0, map->nresults, results, NULL);
    }
}

/* Some operand still says how often each loop runs. */
static bool sizes_stay(const Pair *pair)
{
    for (uint32_t l = 0; l < pair->c.nloops; l++) {
        bool found = false;
        for (uint32_t k = 0; k < pair->c.nins + pair->c.nouts && !found; k++)
            found = k != pair->k && has_dim(pair->c.maps[k], l);
        for (uint32_t j = 0; j < pair->ninputs && !found; j++)
            found = has_dim(pair->maps[j], l);
        if (!found)
            return false;
    }
    return true;
}

/* The size that an operand gives the consumer's loop, its operand `k` aside: what the new op has of it; NULL if unknown. */
static Value *size_without(const Pair *pair, uint32_t loop, uint32_t *dim)
{
    const Structured *both[2] = {&pair->c, &pair->p};
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < (side ? pair->ninputs : pair->c.nins + pair->c.nouts); i++) {
            const AffineMap *map = side ? pair->maps[i] : pair->c.maps[i];
            for (uint32_t r = 0; (side || i != pair->k) && r < map->nresults; r++)
                if (map->results[r]->kind == AFFINE_DIM && map->results[r]->value == (int64_t)loop) {
                    *dim = r;
                    return vmc_structured_operand(both[side], i);
                }
        }
    return NULL;
}

/* The out of the producer is no operand of the new op: where its size is known at run time only, that it is the loop's is checked
   in front; false where that cannot be done.  The first round only tells. */
static bool check_out(const Pair *pair, bool emit)
{
    Value *out = vmc_structured_operand(&pair->p, pair->p.nins);
    Builder b = vmc_before(pair->ctx, pair->c.op);
    b.loc = pair->c.op->loc;
    for (uint32_t r = 0; pair->ninputs == pair->p.nins && r < out->type->rank; r++) {
        const AffineExpr *e = pair->c.maps[pair->k]->results[r];
        uint32_t dim = 0;
        if (e->kind != AFFINE_DIM) {
            for (uint32_t j = 0; j <= pair->p.nins; j++)
                if (!vmc_structured_is_scalar(&pair->p, j) && !vmc_has_static_shape(vmc_structured_operand(&pair->p, j)->type))
                    return false;
            continue;
        }
        Value *other = size_without(pair, (uint32_t)e->value, &dim);
        if (!other)
            return false;
        if (out->type->dims[r] != VMC_DYNAMIC && other->type->dims[dim] == out->type->dims[r])
            continue;
        if (emit)
            vmc_assert_that(&b, vmc_cmpi(&b, CMPI_EQ, vmc_dim_of(&b, out, r), vmc_dim_of(&b, other, dim)),
                            "linalg.generic: sizes of a value where it is made and where it is used differ");
    }
    return true;
}

/* linalg.index of the producer has a counterpart in the consumer. */
static bool indices_stay(const Pair *pair)
{
    for (const Op *op = pair->p.body->first; op; op = op->next) {
        int64_t dim = 0;
        if (vmc_is(op, "linalg.index") &&
            (!vmc_get_int(op, "dim", &dim) || (pair->loops[dim]->kind != AFFINE_DIM && pair->loops[dim]->kind != AFFINE_CONST)))
            return false;
    }
    return true;
}

/* How many, or one more than fit. */
static uint32_t body_ops(const Structured *s)
{
    uint32_t n = 0;
    for (const Op *op = s->body->first; op && n <= MAX_BODY; op = op->next)
        n++;
    return n;
}

static bool only_user(const Value *value, const Op *user)
{
    for (const Use *use = value->uses; use; use = use->next)
        if (use->owner != user)
            return false;
    return true;
}

static bool fits_elementwise(Context *ctx, Op *consumer, const Value *value)
{
    Structured c;
    if (!on_tensors(ctx, consumer, &c) || !vmc_structured_is_parallel(&c))
        return false;
    for (uint32_t k = 0; k < c.nins + c.nouts; k++)
        if (vmc_structured_operand(&c, k) == value && (k >= c.nins || !uses_once(&c, k) || !in_order(c.maps[k])))
            return false;
    return true;
}

/* There are few users and all would take the producer in. */
static bool every_user_fits(Context *ctx, const Op *op)
{
    uint32_t n = 0;
    for (const Use *use = op->results[0].uses; use; use = use->next)
        if (++n > CHEAP_USERS)
            return false;
    for (const Use *use = op->results[0].uses; use; use = use->next)
        if (use->owner->parent != op->parent || !fits_elementwise(ctx, use->owner, &op->results[0]))
            return false;
    return true;
}

static bool worth_it(const Pair *pair)
{
    Op *p = pair->p.op, *c = pair->c.op;
    bool elementwise = vmc_structured_is_parallel(&pair->c), ordered = true;
    switch (pair->kind) {
    case KIND_POSITION:
        return elementwise || pair->c.nouts > 1;
    case KIND_MOVE:
        for (uint32_t j = 0; j < pair->ninputs; j++)
            ordered &= in_order(pair->maps[j]);
        return ordered || !elementwise;
    case KIND_WIDENING:
        if (!elementwise)
            return only_user(&p->results[0], c);
        break;
    case KIND_CHEAP:
    case KIND_ARITHMETIC:
        break;
    default:
        return false;
    }
    return fits_elementwise(pair->ctx, c, &p->results[0]) && vmc_strip_supported(p) == vmc_strip_supported(c) &&
           (only_user(&p->results[0], c) || (pair->kind != KIND_ARITHMETIC && every_user_fits(pair->ctx, p)));
}

/* ---- the new op ------------------------------------------------------------------------------ */

/* linalg.index of the producer in the loops of the consumer. */
static void rename_index(Builder *b, Op *index, const AffineExpr *const *loops)
{
    int64_t dim = 0;
    if (!vmc_get_int(index, "dim", &dim))
        return;
    if (loops[dim]->kind == AFFINE_CONST) {
        vmc_replace_uses(&index->results[0], vmc_build_index(b, loops[dim]->value));
        vmc_op_erase(index);
    } else {
        vmc_set_attr(b->ctx, index, "dim", vmc_attr_i64(b->ctx, loops[dim]->value));
    }
}

/* Moves the ops of a body behind the builder, with `args` for its arguments; linalg.index is renamed where `loops` is set.
   Returns the terminator, which stays behind. */
static Op *take_body(Builder *b, Block *from, Value *const *args, const AffineExpr *const *loops)
{
    for (uint32_t i = 0; i < from->nargs; i++)
        vmc_replace_uses(from->args[i], args[i]);
    for (Op *op = from->first, *next; op != from->last; op = next) {
        next = op->next;
        vmc_op_unlink(op);
        vmc_op_append(b->block, op);
        if (loops && vmc_is(op, "linalg.index"))
            rename_index(b, op, loops);
    }
    return from->last;
}

/* The bodies of both ops go into the new one: what is left of the producer and of the consumer is only good to be erased. */
static Op *build_fused(const Pair *pair)
{
    Context *ctx = pair->ctx;
    const Structured *p = &pair->p, *c = &pair->c;
    uint32_t nins = 0, total = c->nins + c->nouts + pair->ninputs;
    Value **ins = ARENA_ARRAY(&ctx->arena, Value *, total), **outs = ARENA_ARRAY(&ctx->arena, Value *, c->nouts + 1);
    const AffineMap **maps = ARENA_ARRAY(&ctx->arena, const AffineMap *, total);
    for (uint32_t k = 0; k < c->nins; k++) {
        if (k == pair->k)
            continue;
        maps[nins] = c->maps[k];
        ins[nins++] = vmc_structured_operand(c, k);
    }
    uint32_t first = nins;
    for (uint32_t j = 0; j < pair->ninputs; j++) {
        maps[nins] = pair->maps[j];
        ins[nins++] = vmc_structured_operand(p, j);
    }
    for (uint32_t k = 0; k < c->nouts; k++) {
        maps[nins + k] = c->maps[c->nins + k];
        outs[k] = vmc_structured_operand(c, c->nins + k);
    }
    Builder b = vmc_before(ctx, c->op);
    b.loc = c->op->loc;
    Op *op = vmc_build_generic(&b, nins, ins, c->nouts, outs, maps, c->nloops, c->loops);
    Block *body = vmc_entry(op, 0);
    Value **args = ARENA_ARRAY(&ctx->arena, Value *, total + 1);
    for (uint32_t j = 0; j <= p->nins; j++)
        args[j] = j < pair->ninputs ? body->args[first + j] : NULL;
    Builder inner = vmc_at_end(ctx, body, p->op->pos);
    Value *made = take_body(&inner, p->body, args, pair->loops)->operands[0].value;
    for (uint32_t k = 0, next = 0; k < c->nins + c->nouts; k++)
        args[k] = k == pair->k ? made : body->args[k < c->nins ? next++ : nins + k - c->nins];
    inner = vmc_at_end(ctx, body, c->op->pos);
    Op *yield = take_body(&inner, c->body, args, NULL);
    vmc_op_unlink(yield);
    vmc_op_append(body, yield);
    return op;
}

static void replace_op(Context *ctx, Op *old, Op *with)
{
    Value **results = ARENA_ARRAY(&ctx->arena, Value *, old->nresults + 1);
    for (uint32_t i = 0; i < old->nresults; i++)
        results[i] = &with->results[i];
    vmc_replace_op(old, results);
}

/* ---- inputs that are one ----------------------------------------------------------------------- */

/* Equal inputs at equal subscripts become one. */
static Op *merge_inputs(Context *ctx, Op *op)
{
    Structured s;
    if (!on_tensors(ctx, op, &s))
        return op;
    uint32_t kept = 0;
    Value **operands = ARENA_ARRAY(&ctx->arena, Value *, op->noperands + 1);
    const AffineMap **maps = ARENA_ARRAY(&ctx->arena, const AffineMap *, op->noperands + 1);
    uint32_t *to = ARENA_ARRAY(&ctx->arena, uint32_t, op->noperands + 1);
    for (uint32_t k = 0; k < op->noperands; k++) {
        uint32_t same = kept;
        for (uint32_t j = 0; j < kept && k < s.nins && same == kept; j++)
            if (operands[j] == vmc_structured_operand(&s, k) && maps[j] == s.maps[k])
                same = j;
        to[k] = same;
        if (same < kept)
            continue;
        operands[kept] = vmc_structured_operand(&s, k);
        maps[kept++] = s.maps[k];
    }
    if (kept == op->noperands)
        return op;
    Builder b = vmc_before(ctx, op);
    b.loc = op->loc;
    Op *merged = vmc_build_generic(&b, kept - s.nouts, operands, s.nouts, operands + kept - s.nouts, maps, s.nloops, s.loops);
    Block *body = vmc_entry(merged, 0);
    Value **args = ARENA_ARRAY(&ctx->arena, Value *, op->noperands + 1);
    for (uint32_t k = 0; k < op->noperands; k++)
        args[k] = body->args[to[k]];
    Builder inner = vmc_at_end(ctx, body, op->pos);
    Op *yield = vmc_inline_block(&inner, s.body, args);
    vmc_op_unlink(yield);
    vmc_op_append(body, yield);
    replace_op(ctx, op, merged);
    return merged;
}

/* ---- pass ------------------------------------------------------------------------------------ */

/* The consumer with the producer of its operand k inside, or NULL. */
static Op *fuse(Context *ctx, Op *consumer, uint32_t k)
{
    Pair pair = {.ctx = ctx, .k = k};
    Op *op = consumer->operands[k].value->op;
    if (!op || op->parent != consumer->parent || op->noperands > MAX_INPUTS + 1 || !on_tensors(ctx, consumer, &pair.c) ||
        k >= pair.c.nins || !producer(ctx, op, &pair.p, &pair.kind))
        return NULL;
    uint32_t *at = ARENA_ARRAY(&ctx->scratch, uint32_t, pair.p.nloops + 1);
    if (!loop_places(&pair.p, at) || pair.c.nins + pair.p.nins > MAX_INPUTS || body_ops(&pair.p) + body_ops(&pair.c) > MAX_BODY)
        return NULL;
    compose(&pair);
    if (!sizes_stay(&pair) || !indices_stay(&pair) || !worth_it(&pair) || !check_out(&pair, false))
        return NULL;
    check_out(&pair, true);
    if (op->results[0].uses->next) { /* others use it as it is */
        Op *copy = vmc_op_clone(ctx, op, NULL);
        vmc_op_insert_before(copy, op);
        op = copy;
        vmc_structured(ctx, op, &pair.p);
    }
    Op *fused = build_fused(&pair);
    replace_op(ctx, consumer, fused);
    vmc_op_erase(op);
    return fused;
}

static void fuse_producers(Context *ctx, Op *op)
{
    bool changed = op->noperands <= 2 * MAX_INPUTS;
    while (changed) {
        changed = false;
        op = merge_inputs(ctx, op);
        for (uint32_t k = 0; k < op->noperands && !changed; k++) {
            Op *fused = fuse(ctx, op, k);
            changed = fused != NULL;
            op = fused ? fused : op;
        }
    }
}

bool vmc_pass_fuse_generics(PassContext *pc)
{
    Context *ctx = pc->ctx;
    OpList generics = vmc_open_generics(ctx);
    for (size_t i = 0; i < generics.n; i++) {
        ArenaMark mark = vmc_arena_mark(&ctx->scratch);
        if (is_live(generics.at[i]))
            fuse_producers(ctx, generics.at[i]);
        vmc_arena_rewind(&ctx->scratch, mark);
    }
    return true;
}
