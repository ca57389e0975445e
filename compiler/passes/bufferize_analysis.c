/* Which writes to a tensor may happen in the memory of the old value.
 *
 * A *version* is a tensor value with content of its own: the result of an op that fills
 * memory, of a write, or a value carried by control flow.  Views (slices, reshapes,
 * casts) belong to the version that they look at.  A write makes a new version; it may
 * reuse the memory of the old one if that memory is *owned* (no caller, constant or
 * foreign memref sees it) and no use of the old version can run after the write without
 * its definition running first.  Since every version's uses end before it is
 * overwritten, each question looks at the uses of one version only.
 *
 * Carried values (loop arguments, results of branches, block arguments) form groups with
 * the edges that feed them.  An owned group takes its memory over: each edge must be a
 * *move*, the last use of an owned version, or is turned into a copy.  A group that is
 * never written may instead share memory; its values then join the alias class of what
 * feeds them, so that the uses of all of them keep a writer off.
 *
 * Groups start as owned and are demoted, classes only grow, so the decisions converge;
 * every decision can fall back to a copy, which is always right.
 */
#include "bufferize.h"

typedef enum Origin { ORIGIN_BORROWED, ORIGIN_FRESH, ORIGIN_PHI } Origin;

#define NONE UINT32_MAX

typedef struct Node { /* a tensor value, or a memref that shares a tensor's memory for reading */
    Value *value;
    Origin origin;
    uint32_t view_of; /* node, or NONE */
    uint32_t group;   /* ORIGIN_PHI */
    uint32_t write;   /* the write whose result this is, or NONE */
    uint32_t parent;  /* union-find of alias classes */
    uint32_t next;    /* circular list of the class */
    uint32_t size;    /* at the representative: members */
    bool slice;       /* tensor.extract_slice: layout is not the identity */
    bool strided;     /* current state, writes considered */
} Node;

typedef struct Group {
    bool wanted; /* a write needs it owned */
    bool owned;
} Group;

typedef enum PointKind { POINT_WRITE, POINT_EDGE } PointKind;

typedef struct Point { /* an operand that takes over the memory of its value */
    Use *use;
    PointKind kind;
    uint32_t group;  /* edge */
    uint32_t result; /* write: node of the new version, or NONE */
    uint32_t order;
    bool in_place; /* write in place; edge moved, or shared where the group is not owned */
} Point;

typedef VEC(uint32_t) Numbers;

typedef struct Reach { /* one search over blocks is kept for the queries that follow */
    const Block *from, *avoid;
    uint64_t stamp; /* blocks with this stamp (Block.data) are reached */
    uint64_t budget;
    VEC(const Block *) work;
} Reach;

typedef struct An {
    Buf *buf;
    Context *ctx;
    Arena *arena;
    VEC(Node) nodes;
    VEC(Group) groups;
    VEC(Point) points;
    Map node_of;  /* Value * -> node + 1 */
    Map point_of; /* Use * -> point + 1 */
    Map quiet;    /* function -> whether nothing in it writes a memref */
    VEC(Op *) foreign_calls;
    Reach reach;
    uint64_t looks;       /* uses that may still be looked at: keeps the analysis linear, past it everything is copied */
    bool foreign_results; /* some import returns tensors */
} An;

/* ---- nodes and classes ----------------------------------------------------- */

static uint32_t node_of(An *an, Value *value)
{
    uint64_t n = 0;
    if (vmc_map_get(&an->node_of, MAP_KEY(value), &n))
        return (uint32_t)n - 1;
    uint32_t id = (uint32_t)an->nodes.n;
    Node node = {.value = value, .view_of = NONE, .group = NONE, .write = NONE, .parent = id, .next = id, .size = 1};
    VEC_PUSH(an->arena, &an->nodes, node);
    vmc_map_put(&an->node_of, MAP_KEY(value), id + 1);
    return id;
}

static uint32_t class_of(An *an, uint32_t n)
{
    Node *at = an->nodes.at;
    while (at[n].parent != n) {
        at[n].parent = at[at[n].parent].parent;
        n = at[n].parent;
    }
    return n;
}

static bool unite(An *an, uint32_t a, uint32_t b)
{
    a = class_of(an, a);
    b = class_of(an, b);
    if (a == b)
        return false;
    Node *at = an->nodes.at;
    if (at[a].size < at[b].size) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    at[b].parent = a;
    at[a].size += at[b].size;
    uint32_t next = at[a].next;
    at[a].next = at[b].next;
    at[b].next = next;
    return true;
}

/* The version that a value shows. */
static uint32_t version_of(const An *an, uint32_t n)
{
    while (an->nodes.at[n].view_of != NONE)
        n = an->nodes.at[n].view_of;
    return n;
}

/* Pointers hold until the next node is made. */
static Node *node_for(An *an, Value *value)
{
    uint32_t n = node_of(an, value);
    return &an->nodes.at[n];
}

static Node *version_for(An *an, Value *value)
{
    uint32_t n = version_of(an, node_of(an, value));
    return &an->nodes.at[n];
}

static Point *point_at(const An *an, const Use *use)
{
    uint64_t n = 0;
    return vmc_map_get(&an->point_of, MAP_KEY(use), &n) ? &an->points.at[n - 1] : NULL;
}

static uint32_t add_point(An *an, Use *use, PointKind kind, uint32_t group, uint32_t result)
{
    Point p = {.use = use, .kind = kind, .group = group, .result = result, .order = (uint32_t)an->points.n, .in_place = true};
    VEC_PUSH(an->arena, &an->points, p);
    vmc_map_put(&an->point_of, MAP_KEY(use), an->points.n);
    return p.order;
}

/* ---- building --------------------------------------------------------------- */

static bool is_tensor_value(const Value *v)
{
    return vmc_is_tensor(v->type);
}

static uint32_t new_group(An *an, bool wanted)
{
    Group g = {.wanted = wanted, .owned = true};
    VEC_PUSH(an->arena, &an->groups, g);
    return (uint32_t)an->groups.n - 1;
}

static void add_member(An *an, uint32_t group, Value *value)
{
    Node *n = node_for(an, value);
    n->origin = ORIGIN_PHI;
    n->group = group;
}

/* Values that cross a block, region or function boundary have the identity layout. */
static void add_boundary(An *an, Use *use)
{
    vmc_map_put_ptr(&an->buf->boundary, use, vmc_buf_type(an->ctx, use->value->type));
}

static void add_edge(An *an, uint32_t group, Use *use)
{
    node_of(an, use->value);
    add_boundary(an, use);
    add_point(an, use, POINT_EDGE, group, NONE);
}

static void add_write(An *an, Use *use, Value *result)
{
    uint32_t r = NONE;
    if (result) {
        r = node_of(an, result);
        an->nodes.at[r].origin = ORIGIN_FRESH;
    }
    node_of(an, use->value);
    uint32_t p = add_point(an, use, POINT_WRITE, NONE, r);
    /* With -g each value that an op computes keeps memory of its own; single elements and slices would cost too much. */
    if (an->buf->pc->options->debug && vmc_buf_kind(an->buf, use->owner) == BUF_STRUCTURED)
        an->points.at[p].in_place = false;
    if (r != NONE)
        an->nodes.at[r].write = p;
}

static void add_view(An *an, Value *view, Value *of, bool slice)
{
    uint32_t v = node_of(an, view), o = node_of(an, of);
    an->nodes.at[v].view_of = o;
    an->nodes.at[v].slice = slice;
    unite(an, v, o);
}

static void build_loop(An *an, Op *op)
{
    OperandRange carried = vmc_buf_carried(op);
    Block *body = vmc_entry(op, 0);
    if (!body || body->nargs < carried.count || op->nresults != carried.count)
        return;
    Op *yield = vmc_terminator(body);
    for (uint32_t i = 0; i < carried.count; i++) {
        Value *arg = body->args[body->nargs - carried.count + i];
        if (!is_tensor_value(arg))
            continue;
        uint32_t g = new_group(an, false);
        add_member(an, g, arg);
        add_member(an, g, &op->results[i]);
        add_edge(an, g, &op->operands[carried.first + i]);
        if (yield && i < yield->noperands)
            add_edge(an, g, &yield->operands[i]);
    }
}

static void build_while(An *an, Op *op)
{
    Block *before = vmc_entry(op, 0), *after = vmc_entry(op, 1);
    if (!before || !after)
        return;
    Op *condition = vmc_terminator(before), *yield = vmc_terminator(after);
    for (uint32_t i = 0; i < before->nargs && i < op->noperands; i++) {
        if (!is_tensor_value(before->args[i]))
            continue;
        uint32_t g = new_group(an, false);
        add_member(an, g, before->args[i]);
        add_edge(an, g, &op->operands[i]);
        if (yield && i < yield->noperands)
            add_edge(an, g, &yield->operands[i]);
    }
    for (uint32_t i = 0; i < after->nargs && i < op->nresults; i++) {
        if (!is_tensor_value(after->args[i]))
            continue;
        uint32_t g = new_group(an, false);
        add_member(an, g, after->args[i]);
        add_member(an, g, &op->results[i]);
        if (condition && i + 1 < condition->noperands)
            add_edge(an, g, &condition->operands[i + 1]);
    }
}

static void build_choice(An *an, Op *op)
{
    for (uint32_t i = 0; i < op->nresults; i++) {
        if (!is_tensor_value(&op->results[i]))
            continue;
        uint32_t g = new_group(an, false);
        add_member(an, g, &op->results[i]);
        for (uint32_t r = 0; r < op->nregions; r++) {
            for (Block *b = op->regions[r].first; b; b = b->next) {
                Op *yield = vmc_terminator(b);
                if (yield && vmc_buf_kind(an->buf, yield) == BUF_YIELD && i < yield->noperands)
                    add_edge(an, g, &yield->operands[i]);
            }
        }
    }
}

static void build_branch(An *an, Op *op)
{
    for (uint32_t s = 0; s < op->nsuccessors; s++) {
        Successor *to = &op->successors[s];
        for (uint32_t i = 0; i < to->count && i < to->block->nargs; i++) {
            Value *arg = to->block->args[i];
            if (!is_tensor_value(arg))
                continue;
            uint32_t n = node_of(an, arg);
            if (an->nodes.at[n].group == NONE)
                add_member(an, new_group(an, false), arg);
            add_edge(an, an->nodes.at[n].group, &op->operands[to->first + i]);
        }
    }
}

static void build_call(An *an, Op *op)
{
    bool foreign = false;
    if (vmc_is(op, "func.call")) {
        Op *callee = vmc_resolve_symbol(op, vmc_get_attr(op, "callee"));
        foreign = !callee || !callee->nregions || !callee->regions[0].first;
    } else {
        foreign = an->foreign_results;
    }
    bool gives_tensor = false;
    for (uint32_t i = 0; i < op->noperands; i++)
        if (is_tensor_value(op->operands[i].value))
            add_boundary(an, &op->operands[i]);
    for (uint32_t i = 0; i < op->nresults; i++) {
        if (!is_tensor_value(&op->results[i]))
            continue;
        gives_tensor = true;
        node_for(an, &op->results[i])->origin = foreign ? ORIGIN_BORROWED : ORIGIN_FRESH;
    }
    if (foreign && gives_tensor)
        VEC_PUSH(an->arena, &an->foreign_calls, op);
}

/* A host function may hand an argument back: from then on its memory is not ours alone. */
static void lend_arguments(An *an)
{
    for (size_t c = 0; c < an->foreign_calls.n; c++) {
        Op *op = an->foreign_calls.at[c];
        for (uint32_t i = 0; i < op->noperands; i++)
            if (is_tensor_value(op->operands[i].value))
                version_for(an, op->operands[i].value)->origin = ORIGIN_BORROWED;
    }
}

/* Every use of the memref, through views, only reads. */
static bool only_read(An *an, Value *memref, uint32_t depth)
{
    for (Use *u = memref->uses; u; u = u->next) {
        Op *op = u->owner;
        Structured s;
        if (vmc_is(op, "memref.load") || vmc_is(op, "memref.dim") || vmc_is(op, "memref.rank") || vmc_is(op, "affine.load"))
            continue;
        if (vmc_is(op, "memref.copy") && u == &op->operands[0])
            continue;
        if (vmc_has_trait(op, TRAIT_VIEW) && op->nresults == 1 && depth < 16 && only_read(an, &op->results[0], depth + 1))
            continue;
        if (vmc_has_trait(op, TRAIT_STRUCTURED) && vmc_structured(an->ctx, op, &s) && (uint32_t)(u - op->operands) < s.nins)
            continue;
        return false;
    }
    return true;
}

static void add_memref_views(An *an, Value *memref, Value *of)
{
    VEC(Value *) work = {0};
    add_view(an, memref, of, false);
    VEC_PUSH(an->arena, &work, memref);
    while (work.n) {
        Value *source = work.at[--work.n];
        for (Use *u = source->uses; u; u = u->next) {
            if (!vmc_has_trait(u->owner, TRAIT_VIEW) || u->owner->nresults != 1)
                continue;
            add_view(an, &u->owner->results[0], source, false);
            VEC_PUSH(an->arena, &work, &u->owner->results[0]);
        }
    }
}

/* Nothing in the function can write a memref, so one that is read as a tensor keeps its content. */
static bool writes_memref(Op *op, void *user)
{
    (void)user;
    if (vmc_is(op, "memref.dealloc") || vmc_is(op, "memref.realloc") || vmc_is(op, "func.call") || vmc_is(op, "func.call_indirect"))
        return false;
    bool touches = false;
    for (uint32_t i = 0; i < op->noperands; i++)
        touches |= vmc_is_memref(op->operands[i].value->type);
    if (!touches || vmc_has_trait(op, TRAIT_VIEW) || vmc_has_trait(op, TRAIT_PURE))
        return true;
    return vmc_is(op, "memref.load") || vmc_is(op, "affine.load") || vmc_is(op, "bufferization.to_tensor");
}

static Op *function_of(Op *op)
{
    while (op && !vmc_has_trait(op, TRAIT_ISOLATED))
        op = vmc_parent_op(op);
    return op;
}

/* No op of the function may write a memref; asked once for each function. */
static bool leaves_memrefs_alone(An *an, Op *func)
{
    uint64_t known = 0;
    if (!func)
        return false;
    if (!vmc_map_get(&an->quiet, MAP_KEY(func), &known)) {
        known = vmc_walk(func, writes_memref, NULL);
        vmc_map_put(&an->quiet, MAP_KEY(func), known);
    }
    return known;
}

static bool is_allocation(const Value *v)
{
    return v->op && (vmc_is(v->op, "memref.alloc") || vmc_is(v->op, "memref.alloca") || vmc_is(v->op, "bufferization.clone"));
}

/* Uses of the memref that come before `op` in its own block, and through views likewise; at most `*looks` of them. */
static bool all_before(Value *memref, Op *op, uint32_t depth, uint32_t *looks)
{
    for (Use *u = memref->uses; u; u = u->next) {
        Op *user = u->owner;
        if (*looks == 0)
            return false;
        --*looks;
        if (user == op)
            continue;
        if (vmc_is(user, "memref.dim") || vmc_is(user, "memref.rank"))
            continue;
        Op *at = user;
        while (at && at->parent != op->parent)
            at = vmc_parent_op(at);
        if (!at || at == op || !vmc_op_before(at, op))
            return false;
        /* What carries the memref away could bring it back later. */
        bool leaves = at == user
                          ? vmc_has_trait(user, TRAIT_TERMINATOR) || vmc_is(user, "func.call") || vmc_is(user, "func.call_indirect")
                          : vmc_has_trait(user, TRAIT_TERMINATOR);
        leaves |= user->nregions != 0 && !vmc_has_trait(user, TRAIT_STRUCTURED);
        if (leaves)
            return false;
        for (uint32_t r = 0; r < user->nresults; r++) {
            if (!vmc_is_memref(user->results[r].type))
                continue;
            if (!vmc_has_trait(user, TRAIT_VIEW) || depth >= 16 || !all_before(&user->results[r], op, depth + 1, looks))
                return false;
        }
        if (vmc_is(user, "bufferization.to_tensor"))
            return false;
    }
    return true;
}

static void build_to_tensor(An *an, Op *op)
{
    Value *memref = vmc_operand(op, 0);
    Node *n = node_for(an, &op->results[0]);
    uint32_t looks = 1000;
    bool identity = memref->type->kind == TYPE_MEMREF && !memref->type->layout && !memref->type->space;
    if (identity && is_allocation(memref) && memref->op->parent == op->parent && all_before(memref, op, 0, &looks)) {
        n->origin = ORIGIN_FRESH;
        vmc_map_put(&an->buf->to_tensor, MAP_KEY(op), 1);
    } else if (identity && leaves_memrefs_alone(an, function_of(op))) {
        n->origin = ORIGIN_BORROWED;
        vmc_map_put(&an->buf->to_tensor, MAP_KEY(op), 1);
    } else {
        n->origin = ORIGIN_FRESH;
    }
}

static void build_to_buffer(An *an, Op *op)
{
    Value *memref = &op->results[0];
    if (vmc_get_attr(op, "read_only") || only_read(an, memref, 0))
        add_memref_views(an, memref, vmc_operand(op, 0));
    else
        add_write(an, &op->operands[0], NULL);
}

static void build_structured(An *an, Op *op)
{
    Structured s;
    if (!vmc_structured(an->ctx, op, &s))
        return;
    uint32_t result = 0;
    for (uint32_t k = s.nins; k < s.nins + s.nouts; k++)
        if (is_tensor_value(op->operands[k].value) && result < op->nresults)
            add_write(an, &op->operands[k], &op->results[result++]);
}

static void build_forall(An *an, Op *op)
{
    OperandRange outs = vmc_buf_carried(op);
    Block *body = vmc_entry(op, 0);
    for (uint32_t i = 0; body && i < outs.count && i < op->nresults && i < body->nargs; i++) {
        uint32_t g = new_group(an, true);
        add_member(an, g, body->args[body->nargs - outs.count + i]);
        add_member(an, g, &op->results[i]);
        add_edge(an, g, &op->operands[outs.first + i]);
    }
}

static bool build_op(Op *op, void *user)
{
    An *an = user;
    switch (vmc_buf_kind(an->buf, op)) {
    case BUF_OTHER:
        for (uint32_t i = 0; i < op->noperands; i++)
            if (is_tensor_value(op->operands[i].value))
                vmc_map_put(&an->buf->refused, MAP_KEY(op), 1);
        for (uint32_t i = 0; i < op->nresults; i++)
            if (is_tensor_value(&op->results[i]))
                vmc_map_put(&an->buf->refused, MAP_KEY(op), 1);
        break;
    case BUF_CONSTANT:
    case BUF_META:
    case BUF_READ:
    case BUF_DROPPED:
    case BUF_YIELD:
        break;
    case BUF_EMPTY:
    case BUF_FRESH:
        for (uint32_t i = 0; i < op->nresults; i++)
            if (is_tensor_value(&op->results[i]))
                node_for(an, &op->results[i])->origin = ORIGIN_FRESH;
        break;
    case BUF_VIEW:
        if (op->noperands && op->nresults && is_tensor_value(&op->results[0]))
            add_view(an, &op->results[0], vmc_operand(op, 0), vmc_is(op, "tensor.extract_slice"));
        break;
    case BUF_IDENTITY:
        for (uint32_t i = 0; i < op->noperands && i < op->nresults; i++)
            if (is_tensor_value(&op->results[i]))
                add_view(an, &op->results[i], vmc_operand(op, i), false);
        break;
    case BUF_SELECT:
        if (is_tensor_value(&op->results[0])) {
            add_boundary(an, &op->operands[1]);
            add_boundary(an, &op->operands[2]);
            unite(an, node_of(an, &op->results[0]), node_of(an, vmc_operand(op, 1)));
            unite(an, node_of(an, &op->results[0]), node_of(an, vmc_operand(op, 2)));
        }
        break;
    case BUF_STRUCTURED:
        build_structured(an, op);
        break;
    case BUF_INSERT:
    case BUF_MATERIALIZE:
        if (op->noperands > 1 && is_tensor_value(vmc_buf_dest(op)->value))
            add_write(an, vmc_buf_dest(op), op->nresults ? &op->results[0] : NULL);
        break;
    case BUF_TO_TENSOR:
        build_to_tensor(an, op);
        break;
    case BUF_TO_BUFFER:
        build_to_buffer(an, op);
        break;
    case BUF_FOR:
        build_loop(an, op);
        break;
    case BUF_WHILE:
        build_while(an, op);
        break;
    case BUF_CHOICE:
        build_choice(an, op);
        break;
    case BUF_FORALL:
        build_forall(an, op);
        break;
    case BUF_BRANCH:
        build_branch(an, op);
        break;
    case BUF_CALL:
        build_call(an, op);
        break;
    case BUF_RETURN:
        for (uint32_t i = 0; i < op->noperands; i++)
            if (is_tensor_value(op->operands[i].value))
                add_edge(an, new_group(an, true), &op->operands[i]);
        break;
    }
    return true;
}

/* ---- order of execution ------------------------------------------------------ */

static Region *def_region(const Value *v)
{
    return v->op ? v->op->parent->parent : v->block->parent;
}

static const Block *def_block(const Value *v)
{
    return v->op ? v->op->parent : v->block;
}

static bool several_blocks(const Region *r)
{
    return r->first != r->last;
}

static uint64_t *stamp_of(const Block *block)
{
    return block->data;
}

/* Is there a path of one or more edges from `from` to `to` that does not enter `avoid`?  True when in doubt. */
static bool reaches(An *an, const Block *from, const Block *to, const Block *avoid)
{
    Reach *r = &an->reach;
    if (r->from != from || r->avoid != avoid) {
        r->from = from;
        r->avoid = avoid;
        r->stamp++;
        r->work.n = 0;
        VEC_PUSH(an->arena, &r->work, from);
        while (r->work.n) {
            const Op *t = r->work.at[--r->work.n]->last;
            for (uint32_t i = 0; t && i < t->nsuccessors; i++) {
                const Block *next = t->successors[i].block;
                if (next == avoid || *stamp_of(next) == r->stamp)
                    continue;
                if (r->budget == 0) {
                    r->from = NULL;
                    return true;
                }
                r->budget--;
                *stamp_of(next) = r->stamp;
                VEC_PUSH(an->arena, &r->work, next);
            }
        }
    }
    return *stamp_of(to) == r->stamp;
}

/* Can `op` run twice without the definition of `version` running in between? */
static bool repeats(An *an, const Value *version, Op *op)
{
    Region *home = def_region(version);
    for (Op *at = op; at && at->parent; at = vmc_parent_op(at)) {
        Region *r = at->parent->parent;
        if (several_blocks(r) && reaches(an, at->parent, at->parent, r == home ? def_block(version) : NULL))
            return true;
        if (r == home)
            return false;
        BufKind kind = vmc_buf_kind(an->buf, r->parent);
        if (kind != BUF_CHOICE)
            return true;
    }
    return true;
}

static uint32_t depth_of(const Op *op)
{
    uint32_t d = 0;
    for (; op; op = vmc_parent_op(op))
        d++;
    return d;
}

static void spend(An *an, uint32_t looks)
{
    an->looks -= looks < an->looks ? looks : an->looks;
}

/* Lifts both ops to one region; false if they have none in common. */
static bool lift(An *an, Op **a, Op **b)
{
    uint32_t da = depth_of(*a), db = depth_of(*b);
    spend(an, (da + db) / 8);
    for (; da > db; da--)
        *a = vmc_parent_op(*a);
    for (; db > da; db--)
        *b = vmc_parent_op(*b);
    while (*a && *b && *a != *b && (*a)->parent->parent != (*b)->parent->parent) {
        Op *pa = vmc_parent_op(*a), *pb = vmc_parent_op(*b);
        if (pa == pb && pa) { /* different regions of one op */
            *a = *b = pa;
            return true;
        }
        *a = pa;
        *b = pb;
    }
    return *a && *b;
}

static bool reads_elementwise(An *an, Op *op, uint32_t in, uint32_t out)
{
    Structured s;
    if (!vmc_structured(an->ctx, op, &s) || op->operands[in].value != op->operands[out].value || !vmc_structured_is_parallel(&s))
        return false;
    const AffineMap *map = s.maps[out];
    if (s.maps[in] != map || map->nresults != s.nloops || !vmc_map_is_projected_permutation(map))
        return false;
    for (uint32_t r = 0; r < map->nresults; r++)
        if (map->results[r]->kind != AFFINE_DIM)
            return false;
    return true;
}

/* Two operands of one op see the same memory, and `at` writes it or takes it over. */
static bool same_op_conflict(An *an, const Point *at, Use *other)
{
    Op *op = at->use->owner;
    uint32_t a = (uint32_t)(at->use - op->operands), o = (uint32_t)(other - op->operands);
    Point *q = point_at(an, other);
    if (op->nsuccessors) { /* different ways out exclude each other */
        for (uint32_t s = 0; s < op->nsuccessors; s++) {
            const Successor *to = &op->successors[s];
            bool has_a = a - to->first < to->count, has_o = o - to->first < to->count;
            if (has_a != has_o)
                return false;
        }
    }
    if (q && q->kind == POINT_EDGE) /* an edge that is copied before: it must see us as later */
        return !(o < a && an->groups.at[q->group].owned && (at->kind == POINT_EDGE));
    if (q && q->kind == POINT_WRITE)
        return o > a;
    if (at->kind == POINT_WRITE && vmc_buf_kind(an->buf, op) == BUF_STRUCTURED)
        return !reads_elementwise(an, op, o, a);
    return true;
}

static bool conflicts(An *an, const Value *version, const Point *at, Use *other)
{
    if (other->owner == at->use->owner)
        return same_op_conflict(an, at, other);
    Op *w = at->use->owner, *u = other->owner;
    if (!lift(an, &w, &u))
        return true;
    if (w == u) {
        if (w == at->use->owner)
            return true; /* the use is inside the op that takes over */
        if (u == other->owner)
            return false; /* operands are read before the regions run */
        return vmc_buf_kind(an->buf, w) != BUF_CHOICE || w->nregions < 2;
    }
    const Region *r = w->parent->parent;
    const Block *avoid = def_region(version) == r ? def_block(version) : NULL;
    if (w->parent == u->parent) {
        if (vmc_op_before(w, u))
            return true;
        return several_blocks(r) && avoid != w->parent && reaches(an, w->parent, u->parent, avoid);
    }
    return reaches(an, w->parent, u->parent, avoid);
}

enum { MAX_SLICE_WRITES = 64 }; /* writes between an extract_slice and its insert_slice that are followed */

/* ---- slices computed in place -------------------------------------------------- */

static bool same_slice(const Op *extract, const Op *insert)
{
    static const char *const lists[] = {"static_offsets", "static_sizes", "static_strides"};
    for (size_t i = 0; i < 3; i++)
        if (vmc_get_attr(extract, lists[i]) != vmc_get_attr(insert, lists[i]))
            return false;
    if (extract->noperands + 1 != insert->noperands)
        return false;
    for (uint32_t i = 1; i < extract->noperands; i++)
        if (extract->operands[i].value != insert->operands[i + 1].value)
            return false;
    return extract->results[0].type == insert->operands[0].value->type;
}

/* The insert puts its source back to where it was computed in place, so there is nothing to move. */
static bool puts_back_in_place(An *an, Op *insert)
{
    uint32_t n = node_of(an, vmc_operand(insert, 0));
    for (uint32_t steps = 0; steps < MAX_SLICE_WRITES; steps++) {
        const Node *node = &an->nodes.at[n];
        if (node->write == NONE) {
            if (!node->slice || node->view_of == NONE)
                return false;
            Op *extract = node->value->op;
            return vmc_operand(extract, 0) == vmc_operand(insert, 1) && same_slice(extract, insert) &&
                   extract->parent == insert->parent;
        }
        const Point *w = &an->points.at[node->write];
        if (!w->in_place)
            return false;
        n = node_of(an, w->use->value);
    }
    return false;
}

/* The use is the destination of the insert that puts back the slice which `at` writes. */
static bool puts_back(An *an, const Point *at, Use *other)
{
    Op *insert = other->owner;
    if (at->kind != POINT_WRITE || !vmc_is(insert, "tensor.insert_slice") || other != vmc_buf_dest(insert))
        return false;
    uint32_t n = node_of(an, at->use->value);
    for (uint32_t steps = 0; steps < MAX_SLICE_WRITES && an->nodes.at[n].write != NONE; steps++)
        n = node_of(an, an->points.at[an->nodes.at[n].write].use->value);
    const Node *slice = &an->nodes.at[n];
    if (!slice->slice || slice->view_of == NONE || slice->value->op->parent != insert->parent)
        return false;
    Op *extract = slice->value->op;
    if (vmc_operand(extract, 0) != other->value || !same_slice(extract, insert))
        return false;
    /* The source must be what comes out of this write, through writes in place alone. */
    n = node_of(an, vmc_operand(insert, 0));
    for (uint32_t steps = 0; steps < MAX_SLICE_WRITES; steps++) {
        if (n == at->result)
            return true;
        if (an->nodes.at[n].write == NONE || !an->points.at[an->nodes.at[n].write].in_place)
            return false;
        n = node_of(an, an->points.at[an->nodes.at[n].write].use->value);
    }
    return false;
}

/* ---- decisions ----------------------------------------------------------------- */

static bool only_shape(const An *an, const Op *op)
{
    return vmc_buf_kind(an->buf, op) == BUF_META || vmc_is(op, "memref.dim") || vmc_is(op, "memref.rank");
}

/* The point is the last use of its version. */
static bool is_last_use(An *an, const Point *p)
{
    uint32_t n = node_of(an, p->use->value);
    const Value *version = an->nodes.at[version_of(an, n)].value;
    uint32_t rep = class_of(an, n);
    if (repeats(an, version, p->use->owner))
        return false;
    uint32_t m = rep;
    do {
        for (Use *u = an->nodes.at[m].value->uses; u; u = u->next) {
            if (u == p->use || only_shape(an, u->owner))
                continue;
            BufKind kind = vmc_buf_kind(an->buf, u->owner);
            if (kind == BUF_VIEW || kind == BUF_IDENTITY || kind == BUF_SELECT)
                continue; /* the uses of its result count */
            if (an->looks == 0)
                return false;
            an->looks--;
            if (conflicts(an, version, p, u) && !puts_back(an, p, u))
                return false;
        }
        m = an->nodes.at[m].next;
    } while (m != rep);
    return true;
}

static bool owned_version(const An *an, const Use *use)
{
    uint64_t n = 0;
    vmc_map_get(&an->node_of, MAP_KEY(use->value), &n);
    const Node *v = &an->nodes.at[version_of(an, (uint32_t)n - 1)];
    return v->origin == ORIGIN_FRESH || (v->origin == ORIGIN_PHI && an->groups.at[v->group].owned);
}

/* Layout as it will be: writes in place keep that of their destination. */
static void update_strided(An *an, uint32_t n)
{
    Node *node = &an->nodes.at[n];
    if (node->slice)
        node->strided = true;
    else if (node->view_of != NONE)
        node->strided = an->nodes.at[node->view_of].strided;
    else if (node->write != NONE) {
        const Point *w = &an->points.at[node->write];
        node->strided = w->in_place && node_for(an, w->use->value)->strided;
    }
}

/* Which groups must be owned: those that a write reaches through moves. */
static void find_wanted(An *an)
{
    Numbers work = {0};
    Numbers *edges_of = ARENA_ARRAY(an->arena, Numbers, an->groups.n + 1);
    for (uint32_t i = 0; i < an->points.n; i++)
        if (an->points.at[i].kind == POINT_EDGE)
            VEC_PUSH(an->arena, &edges_of[an->points.at[i].group], i);
    bool *queued = ARENA_ARRAY(an->arena, bool, an->groups.n + 1);
    for (uint32_t i = 0; i < an->points.n; i++) {
        Point *p = &an->points.at[i];
        const Node *v = version_for(an, p->use->value);
        if (p->kind == POINT_WRITE && v->origin == ORIGIN_PHI && is_last_use(an, p))
            an->groups.at[v->group].wanted = true;
    }
    for (uint32_t g = 0; g < an->groups.n; g++)
        if (an->groups.at[g].wanted) {
            queued[g] = true;
            VEC_PUSH(an->arena, &work, g);
        }
    while (work.n) {
        uint32_t g = work.at[--work.n];
        for (size_t e = 0; e < edges_of[g].n; e++) {
            Point *p = &an->points.at[edges_of[g].at[e]];
            const Node *v = version_for(an, p->use->value);
            if (v->origin == ORIGIN_PHI && !queued[v->group] && is_last_use(an, p)) {
                queued[v->group] = true;
                an->groups.at[v->group].wanted = true;
                VEC_PUSH(an->arena, &work, v->group);
            }
        }
    }
}

/* Shares the memory of what the edge carries with the values of a group that is not owned. */
static bool share(An *an, const Point *edge, const uint32_t *first_member, const uint32_t *next_member)
{
    bool changed = false;
    for (uint32_t m = first_member[edge->group]; m != NONE; m = next_member[m])
        changed |= unite(an, m, node_of(an, edge->use->value));
    return changed;
}

static void decide(An *an)
{
    uint32_t *first = ARENA_ARRAY(an->arena, uint32_t, an->groups.n + 1);
    uint32_t *next = ARENA_ARRAY(an->arena, uint32_t, an->nodes.n + 1);
    memset(first, 0xff, (an->groups.n + 1) * sizeof *first);
    for (uint32_t n = 0; n < an->nodes.n; n++) {
        uint32_t g = an->nodes.at[n].group;
        if (g != NONE) {
            next[n] = first[g];
            first[g] = n;
        }
    }
    enum { TRIALS = 8, ROUNDS = 24 };
    for (int round = 0; round < ROUNDS; round++) {
        bool changed = false;
        for (uint32_t g = 0; round == TRIALS && g < an->groups.n; g++) /* what need not be owned is shared */
            an->groups.at[g].owned = an->groups.at[g].wanted;
        for (uint32_t n = 0; n < an->nodes.n; n++)
            update_strided(an, n);
        for (uint32_t i = 0; i < an->points.n; i++) {
            Point *p = &an->points.at[i];
            if (p->kind == POINT_WRITE) {
                if (p->in_place && !(owned_version(an, p->use) && is_last_use(an, p))) {
                    p->in_place = false;
                    changed = true;
                }
                continue;
            }
            Group *g = &an->groups.at[p->group];
            bool strided = node_for(an, p->use->value)->strided;
            if (!g->owned) {
                bool shared = p->in_place && !strided;
                if (shared && share(an, p, first, next))
                    changed = true;
                if (p->in_place != shared) {
                    p->in_place = shared;
                    changed = true;
                }
                continue;
            }
            bool movable = !strided && owned_version(an, p->use) && is_last_use(an, p);
            if (!movable && !g->wanted) {
                g->owned = false;
                changed = true;
            } else if (p->in_place && !movable) {
                p->in_place = false;
                changed = true;
            }
        }
        if (!changed && round != TRIALS)
            return;
    }
    for (uint32_t i = 0; i < an->points.n; i++) { /* right in any case: every write and every owned edge copies */
        Point *p = &an->points.at[i];
        if (p->kind == POINT_WRITE || an->groups.at[p->group].owned)
            p->in_place = false;
    }
}

/* ---- results ------------------------------------------------------------------- */

static bool reads_destination(An *an, Use *use)
{
    Structured s;
    BufKind kind = vmc_buf_kind(an->buf, use->owner);
    if (kind == BUF_STRUCTURED && vmc_structured(an->ctx, use->owner, &s))
        return vmc_buf_reads_out(an->ctx, &s, (uint32_t)(use - use->owner->operands));
    return kind != BUF_MATERIALIZE;
}

static void record(An *an)
{
    Buf *buf = an->buf;
    for (uint32_t i = 0; i < an->points.n; i++) {
        Point *p = &an->points.at[i];
        if (!p->in_place)
            vmc_map_put(p->kind == POINT_EDGE || reads_destination(an, p->use) ? &buf->copies : &buf->fresh_outs, MAP_KEY(p->use),
                        1);
        else if (p->kind == POINT_WRITE && vmc_is(p->use->owner, "tensor.insert_slice") && puts_back_in_place(an, p->use->owner))
            vmc_map_put(&buf->no_ops, MAP_KEY(p->use->owner), 1);
    }
}

/* A source that may lie in the destination already shows the memory of the result. */
static void unite_put_backs(An *an)
{
    for (uint32_t i = 0; i < an->points.n; i++) {
        Point *p = &an->points.at[i];
        if (p->kind == POINT_WRITE && p->result != NONE && vmc_is(p->use->owner, "tensor.insert_slice") &&
            puts_back_in_place(an, p->use->owner))
            unite(an, p->result, node_of(an, vmc_operand(p->use->owner, 0)));
    }
}

static bool count_op(Op *op, void *user)
{
    An *an = user;
    an->looks += op->noperands;
    an->reach.budget += op->nsuccessors;
    for (uint32_t r = 0; r < op->nregions; r++)
        for (Block *b = op->regions[r].first; b; b = b->next)
            b->data = several_blocks(&op->regions[r]) ? ARENA_NEW(an->arena, uint64_t) : NULL;
    if (vmc_is(op, "func.func") && op->nregions && !op->regions[0].first) {
        const Attr *type = vmc_get_attr(op, "function_type");
        for (uint32_t i = 0; type && type->kind == ATTR_TYPE && i < type->type->nouts; i++)
            an->foreign_results |= vmc_is_tensor(type->type->outs[i]);
    }
    return true;
}

void vmc_buf_analyze(Buf *buf)
{
    enum { LOOKS_PER_USE = 100, STEPS_PER_EDGE = 200 };
    An an = {.buf = buf, .ctx = buf->ctx, .arena = buf->arena};
    an.node_of.arena = an.point_of.arena = an.quiet.arena = buf->arena;
    vmc_walk(buf->ctx->module, count_op, &an);
    an.looks = an.looks * LOOKS_PER_USE + 100000;
    an.reach.budget = an.reach.budget * STEPS_PER_EDGE + 100000;
    vmc_walk(buf->ctx->module, build_op, &an);
    lend_arguments(&an);
    unite_put_backs(&an);
    find_wanted(&an);
    decide(&an);
    record(&an);
}
