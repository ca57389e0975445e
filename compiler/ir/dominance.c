/* Dominance between blocks (Lengauer and Tarjan, simple linking) and between values and ops.
 *
 * The tree of a region is kept in its blocks and made anew after a change of blocks or
 * of ops with successors.  Blocks that cannot be reached have dom_in == 0; anything
 * dominates them, for they never run.
 */
#include "../dialects/dialect.h"
#include "ir.h"

typedef struct Node { /* one reachable block, numbered in depth-first preorder from 1 */
    Block *block;
    uint32_t parent, semi, idom, ancestor, label;
    uint32_t bucket, bucket_next; /* vertices whose semidominator this is */
    uint32_t first_edge;          /* into `preds` */
    uint32_t child, sibling;      /* dominator tree */
} Node;

typedef struct Edge {
    uint32_t from, next;
} Edge;

typedef struct Graph {
    Node *nodes;
    Edge *edges;
    uint32_t n, nedges;
    uint32_t *stack;
} Graph;

void vmc_dominance_changed(Region *region)
{
    region->dominance_valid = false;
}

static void number_blocks(Graph *g, Region *region)
{
    /* explicit stack of (node, next successor): the graph may be a chain of a million blocks */
    uint32_t *next = g->stack + g->n;
    uint32_t depth = 0, count = 0;
    Block *entry = region->first;
    entry->dom_in = ++count;
    g->nodes[count].block = entry;
    g->stack[depth] = count;
    next[depth++] = 0;
    while (depth) {
        uint32_t at = g->stack[depth - 1];
        const Op *last = g->nodes[at].block->last;
        if (!last || next[depth - 1] >= last->nsuccessors) {
            depth--;
            continue;
        }
        Block *to = last->successors[next[depth - 1]++].block;
        if (!to || to->parent != region)
            continue;
        if (!to->dom_in) {
            to->dom_in = ++count;
            g->nodes[count].block = to;
            g->nodes[count].parent = at;
            g->stack[depth] = count;
            next[depth++] = 0;
        }
        Node *target = &g->nodes[to->dom_in];
        g->edges[++g->nedges] = (Edge){at, target->first_edge};
        target->first_edge = g->nedges;
    }
    g->n = count;
}

/* The vertex of least semidominator on the path to the root of v's tree; compresses the path. */
static uint32_t eval(Graph *g, uint32_t v)
{
    Node *nodes = g->nodes;
    if (!nodes[v].ancestor)
        return v;
    uint32_t depth = 0;
    for (uint32_t u = v; nodes[nodes[u].ancestor].ancestor; u = nodes[u].ancestor)
        g->stack[depth++] = u;
    while (depth) {
        uint32_t u = g->stack[--depth], a = nodes[u].ancestor;
        if (nodes[nodes[a].label].semi < nodes[nodes[u].label].semi)
            nodes[u].label = nodes[a].label;
        nodes[u].ancestor = nodes[a].ancestor;
    }
    return nodes[v].label;
}

static void find_dominators(Graph *g)
{
    Node *nodes = g->nodes;
    for (uint32_t i = 1; i <= g->n; i++) {
        nodes[i].semi = nodes[i].label = i;
        nodes[i].bucket = 0;
    }
    for (uint32_t w = g->n; w >= 2; w--) {
        for (uint32_t e = nodes[w].first_edge; e; e = g->edges[e].next) {
            uint32_t u = eval(g, g->edges[e].from);
            if (nodes[u].semi < nodes[w].semi)
                nodes[w].semi = nodes[u].semi;
        }
        nodes[w].bucket_next = nodes[nodes[w].semi].bucket;
        nodes[nodes[w].semi].bucket = w;
        uint32_t parent = nodes[w].parent;
        nodes[w].ancestor = parent;
        for (uint32_t v = nodes[parent].bucket; v; v = nodes[v].bucket_next) {
            uint32_t u = eval(g, v);
            nodes[v].idom = nodes[u].semi < nodes[v].semi ? u : parent;
        }
        nodes[parent].bucket = 0;
    }
    for (uint32_t w = 2; w <= g->n; w++)
        if (nodes[w].idom != nodes[w].semi)
            nodes[w].idom = nodes[nodes[w].idom].idom;
}

/* Intervals: a dominates b iff a.in <= b.in and b.out <= a.out. */
static void number_tree(Graph *g)
{
    Node *nodes = g->nodes;
    for (uint32_t i = g->n; i >= 2; i--) {
        nodes[i].sibling = nodes[nodes[i].idom].child;
        nodes[nodes[i].idom].child = i;
        nodes[i].block->idom = nodes[nodes[i].idom].block;
    }
    nodes[1].block->idom = NULL;
    uint32_t clock = 0, depth = 0;
    g->stack[depth++] = 1;
    nodes[1].block->dom_in = ++clock;
    while (depth) {
        uint32_t at = g->stack[depth - 1], child = nodes[at].child;
        if (!child) {
            nodes[at].block->dom_out = ++clock;
            depth--;
            continue;
        }
        nodes[at].child = nodes[child].sibling;
        nodes[child].block->dom_in = ++clock;
        g->stack[depth++] = child;
    }
}

static void compute(Region *region)
{
    region->dominance_valid = true;
    Block *first = region->first;
    if (!first->next) {
        first->idom = NULL;
        first->dom_in = 1;
        first->dom_out = 2;
        return;
    }
    Arena *arena = &first->ctx->scratch;
    ArenaMark mark = vmc_arena_mark(arena);
    uint32_t blocks = 0;
    size_t edges = 0;
    for (Block *b = first; b; b = b->next) {
        b->idom = NULL;
        b->dom_in = b->dom_out = 0;
        blocks++;
        edges += b->last ? b->last->nsuccessors : 0;
    }
    Graph g = {.n = blocks};
    g.nodes = ARENA_ARRAY(arena, Node, (size_t)blocks + 1);
    g.edges = ARENA_ARRAY(arena, Edge, edges + 1);
    g.stack = ARENA_ARRAY(arena, uint32_t, 2 * (size_t)blocks + 2);
    number_blocks(&g, region);
    find_dominators(&g);
    number_tree(&g);
    vmc_arena_rewind(arena, mark);
}

void vmc_dominance_update(Region *region)
{
    if (region->first && !region->dominance_valid)
        compute(region);
}

static bool block_dominates(Block *a, Block *b)
{
    if (a == b)
        return true;
    if (!a->parent->dominance_valid)
        compute(a->parent);
    if (!b->dom_in)
        return true;
    return a->dom_in && a->dom_in <= b->dom_in && b->dom_out <= a->dom_out;
}

/* Of an unknown op nothing is known of when its regions' ops run. */
static bool is_graph_region(const Region *region)
{
    return region->parent && (!region->parent->def || vmc_has_trait(region->parent, TRAIT_GRAPH_REGION));
}

bool vmc_dominates(Value *value, Op *user)
{
    Block *home = value->op ? value->op->parent : value->block;
    if (!home || !home->parent)
        return false;
    Op *at = user;
    while (at && at->parent && at->parent->parent != home->parent)
        at = vmc_parent_op(at);
    if (!at || !at->parent)
        return false;
    if (value->op && home == at->parent)
        return is_graph_region(home->parent) || (value->op != at && vmc_op_before(value->op, at));
    return block_dominates(home, at->parent);
}
