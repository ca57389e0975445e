/* Lifetimes of allocations and their placement: see lifetime.h. */
#include "lifetime.h"

#include "../dialects/linalg.h"
#include "bufferize.h"

#include <stdlib.h>

/* ---- positions --------------------------------------------------------------- */

typedef struct Numbering {
    Span *spans;
    size_t ops;
    uint32_t next;
} Numbering;

static bool count_op(Op *op, void *user)
{
    (void)op;
    ++*(size_t *)user;
    return true;
}

static void number_op(Numbering *n, Op *op)
{
    Span *span = &n->spans[n->ops++];
    span->start = n->next++;
    op->data = span;
    for (uint32_t r = 0; r < op->nregions; r++)
        for (Block *b = op->regions[r].first; b; b = b->next)
            for (Op *inner = b->first; inner; inner = inner->next)
                number_op(n, inner);
    span->end = n->next++;
}

uint32_t vmc_number_ops(Context *ctx, Op *func)
{
    size_t ops = 0;
    vmc_walk(func, count_op, &ops);
    Numbering n = {.spans = ARENA_ARRAY(&ctx->scratch, Span, ops)};
    number_op(&n, func);
    return n.next;
}

static Span span_of(const Op *op)
{
    return *(const Span *)op->data;
}

/* ---- uses through views --------------------------------------------------------- */

typedef struct Touch {
    Use *use;
    bool whole; /* through views that show every element */
    bool lost;
} Touch;

typedef struct Alias {
    Value *value;
    bool whole;
} Alias;

typedef struct Scan {
    Context *ctx;
    Arena *arena;
    Life *life;
    VEC(Touch) touches;
    VEC(Alias) work;
} Scan;

static bool shows_everything(const Op *view)
{
    return vmc_is(view, "memref.expand_shape") || vmc_is(view, "memref.collapse_shape") || vmc_is(view, "memref.cast") ||
           vmc_is(view, "memref.assume_alignment") || vmc_is(view, "memref.memory_space_cast");
}

/* Memory that the op keeps or hands on under a name that is not followed. */
static bool loses(const Op *op, const Use *use)
{
    if (!op->def || (op->def->traits & TRAIT_TERMINATOR))
        return true;
    if (op->nregions && !vmc_has_trait(op, TRAIT_STRUCTURED) && !vmc_is(op, "memref.generic_atomic_rmw"))
        return true;
    if ((vmc_is(op, "memref.store") || vmc_is(op, "affine.store")) && use == &op->operands[0])
        return true;
    if (vmc_is(op, "memref.realloc"))
        return true;
    for (uint32_t i = 0; i < op->nresults; i++)
        if (!vmc_has_trait(op, TRAIT_ALLOCATES) && (vmc_is_memref(op->results[i].type) || op->results[i].type->kind == TYPE_OPAQUE))
            return true;
    return false;
}

static void follow(Scan *s, const Alias *alias)
{
    for (Use *u = alias->value->uses; u; u = u->next) {
        Op *op = u->owner;
        if (vmc_has_trait(op, TRAIT_VIEW) && u == &op->operands[0] && !vmc_is(op, "bufferization.to_tensor")) {
            for (uint32_t i = 0; i < op->nresults; i++)
                if (vmc_is_memref(op->results[i].type))
                    VEC_PUSH(s->arena, &s->work, ((Alias){&op->results[i], alias->whole && shows_everything(op)}));
            continue;
        }
        if (vmc_is(op, "memref.dim") || vmc_is(op, "memref.rank"))
            continue;
        bool lost = !vmc_has_trait(op, TRAIT_VIEW) && loses(op, u); /* a view's other operands are only read */
        s->life->deallocated |= vmc_is(op, "memref.dealloc");
        s->life->escapes |= lost;
        VEC_PUSH(s->arena, &s->touches, ((Touch){u, alias->whole, lost}));
    }
}

static Op *ancestor_in(Op *op, const Block *block)
{
    while (op && op->parent != block)
        op = vmc_parent_op(op);
    return op;
}

static void measure(Scan *s, Op *alloc)
{
    Life *life = s->life;
    bool elsewhere = false;
    life->span = (Span){UINT32_MAX, 0};
    for (size_t i = 0; i < s->touches.n; i++) {
        Op *at = ancestor_in(s->touches.at[i].use->owner, alloc->parent);
        if (!at) {
            elsewhere = true;
            continue;
        }
        Span span = span_of(at);
        life->span.start = span.start < life->span.start ? span.start : life->span.start;
        life->span.end = span.end > life->span.end ? span.end : life->span.end;
    }
    life->touched = s->touches.n != 0;
    if (!life->touched)
        life->span = span_of(alloc);
    if (elsewhere) /* used in several blocks of a graph: alive in all of it */
        life->span = span_of(alloc->parent->parent->parent);
}

/* ---- written first ---------------------------------------------------------------- */

/* The touch writes all of the memory and its op reads none of it. */
static bool writes_all(Scan *s, const Touch *touch)
{
    Op *op = touch->use->owner;
    Structured st;
    uint32_t k = (uint32_t)(touch->use - op->operands);
    if (!touch->whole || touch->lost)
        return false;
    if (vmc_is(op, "memref.copy"))
        return k == 1;
    return vmc_has_trait(op, TRAIT_STRUCTURED) && vmc_structured(s->ctx, op, &st) && k >= st.nins &&
           !vmc_buf_reads_out(s->ctx, &st, k);
}

/* Number of the element that a store with constant indices sets, or -1. */
static int64_t stored_element(const Op *alloc, const Touch *touch)
{
    const Op *op = touch->use->owner;
    const Type *type = alloc->results[0].type;
    if (!vmc_is(op, "memref.store") || op->parent != alloc->parent || vmc_operand(op, 1) != &alloc->results[0])
        return -1;
    int64_t element = 0;
    for (uint32_t d = 0; d < type->rank; d++) {
        int64_t i;
        if (!vmc_constant_int(vmc_operand(op, 2 + d), &i) || i < 0 || i >= type->dims[d])
            return -1;
        element = element * type->dims[d] + i;
    }
    return element;
}

static bool stores_cover(Scan *s, Op *alloc)
{
    enum { MAX_ELEMENTS = 1 << 16 };
    int64_t count;
    if (!vmc_num_elements(alloc->results[0].type, &count) || count <= 0 || count > MAX_ELEMENTS || (size_t)count > s->touches.n)
        return false;
    uint32_t other = UINT32_MAX; /* first position of anything but such a store */
    for (size_t i = 0; i < s->touches.n; i++) {
        Op *at = ancestor_in(s->touches.at[i].use->owner, alloc->parent);
        if (at && stored_element(alloc, &s->touches.at[i]) < 0 && span_of(at).start < other)
            other = span_of(at).start;
    }
    bool *seen = ARENA_ARRAY(s->arena, bool, count);
    int64_t covered = 0;
    for (size_t i = 0; i < s->touches.n; i++) {
        int64_t e = stored_element(alloc, &s->touches.at[i]);
        if (e < 0 || seen[e] || span_of(s->touches.at[i].use->owner).start >= other)
            continue;
        seen[e] = true;
        covered++;
    }
    return covered == count;
}

static bool written_first(Scan *s, Op *alloc)
{
    const Touch *first = NULL;
    uint32_t start = UINT32_MAX, together = 0;
    for (size_t i = 0; i < s->touches.n; i++) {
        Op *at = ancestor_in(s->touches.at[i].use->owner, alloc->parent);
        if (!at || span_of(at).start > start)
            continue;
        together = span_of(at).start == start ? together + 1 : 1;
        start = span_of(at).start;
        first = &s->touches.at[i];
    }
    if (!first)
        return s->touches.n == 0;
    if (first->use->owner->parent == alloc->parent && together == 1 && writes_all(s, first))
        return true;
    return stores_cover(s, alloc);
}

/* Whether a function outside the module gets it as a whole, as an unranked memref: a printed base and offset are those of memory
   of its own. */
static bool is_shown(const Op *alloc)
{
    for (const Use *use = alloc->results[0].uses; use; use = use->next) {
        if (!vmc_is(use->owner, "memref.cast") || use->owner->results[0].type->kind != TYPE_UNRANKED_MEMREF)
            continue;
        for (const Use *seen = use->owner->results[0].uses; seen; seen = seen->next)
            if (vmc_is(seen->owner, "func.call"))
                return true;
    }
    return false;
}

Life vmc_lifetime(Context *ctx, Op *alloc)
{
    Life life = {.op = alloc, .shown = is_shown(alloc)};
    ArenaMark mark = vmc_arena_mark(&ctx->scratch);
    Scan s = {.ctx = ctx, .arena = &ctx->scratch, .life = &life};
    const Type *type = alloc->results[0].type;
    int64_t count;
    uint64_t elem = vmc_elem_bytes(type->elem);
    if (!type->layout && vmc_num_elements(type, &count) && elem && (uint64_t)count < (UINT64_C(1) << 40) / elem)
        life.bytes = (uint64_t)count * elem;
    VEC_PUSH(s.arena, &s.work, ((Alias){&alloc->results[0], true}));
    while (s.work.n) {
        Alias alias = s.work.at[--s.work.n];
        follow(&s, &alias);
    }
    measure(&s, alloc);
    if (!type->layout)
        life.written = vmc_get_attr(alloc, "bufvm.written") || written_first(&s, alloc); /* what escapes is read behind the op that loses it at the earliest */
    if (!life.written && span_of(alloc).start < life.span.start) /* it is cleared where it is made */
        life.span.start = span_of(alloc).start;
    vmc_arena_rewind(&ctx->scratch, mark);
    return life;
}

/* ---- placement ------------------------------------------------------------------------ */

enum { ALIGNMENT = 64, MAX_EXACT = 2048 };

static uint64_t padded(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
}

static int by_size(const void *a, const void *b)
{
    const Life *x = *(Life *const *)a, *y = *(Life *const *)b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->span.start < y->span.start ? -1 : x->span.start > y->span.start;
}

static int by_start(const void *a, const void *b)
{
    const Life *x = *(Life *const *)a, *y = *(Life *const *)b;
    if (x->span.start != y->span.start)
        return x->span.start < y->span.start ? -1 : 1;
    return x->span.end < y->span.end ? -1 : x->span.end > y->span.end;
}

/* Largest first, each at the lowest free offset: close to the live sum, quadratic. */
static uint64_t place_by_size(Life **lives, Life **placed, size_t n)
{
    uint64_t total = 0;
    qsort(lives, n, sizeof(*lives), by_size);
    for (size_t i = 0; i < n; i++) {
        Life *life = lives[i];
        uint64_t at = 0;
        for (size_t k = 0; k < i; k++) {
            const Life *p = placed[k];
            if (p->span.start > life->span.end || p->span.end < life->span.start || p->offset + padded(p->bytes) <= at)
                continue;
            if (p->offset >= at && p->offset - at >= padded(life->bytes))
                break;
            at = p->offset + padded(p->bytes);
        }
        life->offset = at;
        size_t k = i; /* `placed` is kept in the order of offsets */
        for (; k > 0 && placed[k - 1]->offset > at; k--)
            placed[k] = placed[k - 1];
        placed[k] = life;
        total = at + padded(life->bytes) > total ? at + padded(life->bytes) : total;
    }
    return total;
}

typedef struct Hole {
    uint64_t offset, size;
    struct Hole *next, *prev;
} Hole;

typedef struct Holes {
    Arena *arena;
    Hole *first, *unused;
    Map by_start, by_end; /* offset + 1 -> Hole * */
    uint64_t top;
} Holes;

static void remove_hole(Holes *h, Hole *hole)
{
    if (hole->prev)
        hole->prev->next = hole->next;
    else
        h->first = hole->next;
    if (hole->next)
        hole->next->prev = hole->prev;
    vmc_map_put(&h->by_start, hole->offset + 1, 0);
    vmc_map_put(&h->by_end, hole->offset + hole->size + 1, 0);
    hole->next = h->unused;
    h->unused = hole;
}

static Hole *hole_at(const Map *map, uint64_t offset)
{
    uint64_t v = 0;
    return vmc_map_get(map, offset + 1, &v) ? (Hole *)(uintptr_t)v : NULL;
}

static void add_hole(Holes *h, uint64_t offset, uint64_t size)
{
    Hole *before = hole_at(&h->by_end, offset), *after = hole_at(&h->by_start, offset + size);
    if (before) {
        offset = before->offset;
        size += before->size;
        remove_hole(h, before);
    }
    if (after) {
        size += after->size;
        remove_hole(h, after);
    }
    if (offset + size == h->top) {
        h->top = offset;
        return;
    }
    Hole *hole = h->unused;
    if (hole)
        h->unused = hole->next;
    else
        hole = ARENA_NEW(h->arena, Hole);
    *hole = (Hole){.offset = offset, .size = size, .next = h->first};
    if (h->first)
        h->first->prev = hole;
    h->first = hole;
    vmc_map_put(&h->by_start, offset + 1, MAP_KEY(hole));
    vmc_map_put(&h->by_end, offset + size + 1, MAP_KEY(hole));
}

static uint64_t take(Holes *h, uint64_t size)
{
    enum { LOOKS = 64 };
    Hole *best = NULL;
    int looks = 0;
    for (Hole *hole = h->first; hole && looks < LOOKS; hole = hole->next, looks++)
        if (hole->size >= size && (!best || hole->size < best->size))
            best = hole;
    if (!best) {
        uint64_t at = h->top;
        h->top += size;
        return at;
    }
    uint64_t at = best->offset, rest = best->size - size;
    remove_hole(h, best);
    if (rest)
        add_hole(h, at + size, rest);
    return at;
}

static void sift_down(Life **heap, size_t n, size_t i)
{
    for (;;) {
        size_t c = 2 * i + 1;
        if (c >= n)
            return;
        if (c + 1 < n && heap[c + 1]->span.end < heap[c]->span.end)
            c++;
        if (heap[i]->span.end <= heap[c]->span.end)
            return;
        Life *t = heap[i];
        heap[i] = heap[c];
        heap[c] = t;
        i = c;
    }
}

/* In the order of time, out of the holes that ended lives leave: for very many allocations. */
static uint64_t place_by_time(Arena *arena, Life **lives, Life **heap, size_t n)
{
    Holes h = {.arena = arena, .by_start = {.arena = arena}, .by_end = {.arena = arena}};
    uint64_t total = 0;
    size_t alive = 0;
    qsort(lives, n, sizeof(*lives), by_start);
    for (size_t i = 0; i < n; i++) {
        while (alive && heap[0]->span.end < lives[i]->span.start) {
            Life *ended = heap[0];
            heap[0] = heap[--alive];
            sift_down(heap, alive, 0);
            add_hole(&h, ended->offset, padded(ended->bytes));
        }
        lives[i]->offset = take(&h, padded(lives[i]->bytes));
        total = h.top > total ? h.top : total;
        size_t k = alive++;
        heap[k] = lives[i];
        while (k && heap[(k - 1) / 2]->span.end > heap[k]->span.end) {
            Life *t = heap[k];
            heap[k] = heap[(k - 1) / 2];
            heap[(k - 1) / 2] = t;
            k = (k - 1) / 2;
        }
    }
    return total;
}

uint64_t vmc_place_lives(Context *ctx, Life *lives, size_t n)
{
    Arena *arena = &ctx->scratch;
    if (!n)
        return 0;
    Life **order = ARENA_ARRAY(arena, Life *, n), **scratch = ARENA_ARRAY(arena, Life *, n);
    for (size_t i = 0; i < n; i++)
        order[i] = &lives[i];
    return n <= MAX_EXACT ? place_by_size(order, scratch, n) : place_by_time(arena, order, scratch, n);
}

uint64_t vmc_live_sum(Context *ctx, const Life *lives, size_t n, uint32_t positions)
{
    uint64_t *change = ARENA_ARRAY(&ctx->scratch, uint64_t, (size_t)positions + 1); /* differences, modulo 2^64 */
    for (size_t i = 0; i < n; i++) {
        change[lives[i].span.start] += lives[i].bytes;
        change[lives[i].span.end + 1] -= lives[i].bytes;
    }
    uint64_t sum = 0, largest = 0;
    for (uint32_t p = 0; p < positions; p++) {
        sum += change[p];
        largest = sum > largest ? sum : largest;
    }
    return largest;
}
