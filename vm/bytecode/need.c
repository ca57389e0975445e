/* The workgroup local memory that each function needs, callees included.
 *
 * Nodes are the functions and, behind them, one per string for indirect calls with those banks.
 * Strongly connected components (Tarjan, with a stack of its own) come out callees first, so
 * one pass computes the sums.
 */
#include "file.h"

#define NO_NODE  UINT32_MAX
#define MAX_NEED (UINT64_C(1) << 60)

typedef struct Frame {
    uint32_t node, edge;
} Frame;

typedef struct Graph {
    uint32_t nfunctions, nodes;
    const uint64_t *own;
    uint64_t *need;
    uint32_t *first; /* edges of node i: targets[first[i] .. first[i + 1]] */
    uint32_t *targets;
    uint32_t *index, *low; /* index 0: not seen; low NO_NODE: component done */
    uint32_t *stack;
    Frame *frames;
} Graph;

static uint64_t own_of(const Graph *g, uint32_t node)
{
    return node < g->nfunctions ? bvm_align(g->own[node], 64) : 0;
}

/* Closes the component whose members lie on the stack from `bottom` up. */
static bool close_component(Graph *g, uint32_t bottom, uint32_t top, uint32_t *bad)
{
    uint64_t most = 0;
    bool cycle = top - bottom > 1;
    for (uint32_t i = bottom; i < top; i++)
        for (uint32_t e = g->first[g->stack[i]]; e < g->first[g->stack[i] + 1]; e++) {
            uint32_t target = g->targets[e];
            if (g->low[target] != NO_NODE)
                cycle = true; /* inside the component */
            else if (g->need[target] > most)
                most = g->need[target];
        }
    for (uint32_t i = bottom; i < top; i++) {
        uint32_t node = g->stack[i];
        uint64_t own = own_of(g, node);
        *bad = node;
        if ((cycle && own) || own > MAX_NEED || most > MAX_NEED - own)
            return false;
        g->need[node] = own + most;
    }
    for (uint32_t i = bottom; i < top; i++)
        g->low[g->stack[i]] = NO_NODE;
    return true;
}

static bool walk(Graph *g, uint32_t root, uint32_t *counter, uint32_t *bad)
{
    uint32_t depth = 0, top = 0;
    g->frames[depth++] = (Frame){root, g->first[root]};
    g->stack[top++] = root;
    g->index[root] = g->low[root] = ++*counter;
    while (depth) {
        Frame *f = &g->frames[depth - 1];
        uint32_t node = f->node;
        if (f->edge < g->first[node + 1]) {
            uint32_t target = g->targets[f->edge++];
            if (!g->index[target]) {
                g->index[target] = g->low[target] = ++*counter;
                g->stack[top++] = target;
                g->frames[depth++] = (Frame){target, g->first[target]};
            } else if (g->low[target] != NO_NODE && g->index[target] < g->low[node]) {
                g->low[node] = g->index[target];
            }
            continue;
        }
        depth--;
        if (g->low[node] == g->index[node]) {
            uint32_t bottom = top;
            while (g->stack[--bottom] != node)
                continue;
            if (!close_component(g, bottom, top, bad))
                return false;
            top = bottom;
        } else {
            uint32_t parent = g->frames[depth - 1].node;
            if (g->low[node] < g->low[parent])
                g->low[parent] = g->low[node];
        }
    }
    return true;
}

/* Rows of the adjacency table, by counting. */
static void fill_edges(Graph *g, const BvmEdge *edges, size_t nedges, const uint32_t *banks, const uint8_t *referenced)
{
    for (size_t i = 0; i < nedges; i++)
        g->first[edges[i].from + 1]++;
    for (uint32_t f = 0; f < g->nfunctions; f++)
        if (referenced[f])
            g->first[g->nfunctions + banks[f] + 1]++;
    for (uint32_t i = 0; i < g->nodes; i++)
        g->first[i + 1] += g->first[i];
    uint32_t *next = g->stack; /* free until the walk */
    memcpy(next, g->first, g->nodes * sizeof *next);
    for (size_t i = 0; i < nedges; i++)
        g->targets[next[edges[i].from]++] = edges[i].to;
    for (uint32_t f = 0; f < g->nfunctions; f++)
        if (referenced[f])
            g->targets[next[g->nfunctions + banks[f]]++] = f;
}

BufvmStatus bvm_local_need(const BufvmAllocator *a, uint32_t nfunctions, uint32_t nstrings, const uint64_t *own,
                           const uint32_t *banks, const uint8_t *referenced, const BvmEdge *edges, size_t nedges, uint64_t *need,
                           uint32_t *bad)
{
    *bad = 0;
    if (nfunctions > UINT32_MAX / 2 || nstrings > UINT32_MAX / 2 - 2 || nedges > UINT32_MAX / 2)
        return BUFVM_LIMIT;
    BvmArena arena = {.allocator = a};
    uint32_t nodes = nfunctions + nstrings;
    Graph g = {.nfunctions = nfunctions, .nodes = nodes, .own = own, .need = need};
    g.first = bvm_arena_array(&arena, nodes + (size_t)1, sizeof *g.first);
    g.targets = bvm_arena_array(&arena, nedges + nfunctions, sizeof *g.targets);
    g.index = bvm_arena_array(&arena, nodes, sizeof *g.index);
    g.low = bvm_arena_array(&arena, nodes, sizeof *g.low);
    g.stack = bvm_arena_array(&arena, nodes, sizeof *g.stack);
    g.frames = bvm_arena_array(&arena, nodes, sizeof *g.frames);
    BufvmStatus status = BUFVM_OK;
    if (!g.first || !g.targets || !g.index || !g.low || !g.stack || !g.frames) {
        status = BUFVM_OUT_OF_MEMORY;
    } else {
        fill_edges(&g, edges, nedges, banks, referenced);
        memset(need, 0, nodes * sizeof *need);
        uint32_t counter = 0;
        for (uint32_t i = 0; i < nodes && status == BUFVM_OK; i++)
            if (!g.index[i] && !walk(&g, i, &counter, bad))
                status = BUFVM_INVALID_ARGUMENT;
        for (uint32_t f = 0; f < nfunctions; f++)
            need[f] = bvm_align(need[f], 4096);
    }
    bvm_arena_free(a, arena.blocks);
    return status;
}
