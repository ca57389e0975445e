/* Places static allocations in workgroup local memory, a stack that is reused by every call.
 *
 * A loop that becomes a grid is a function of its own here: its slots are those of its turns.
 *
 * Candidates are memref.alloca and memref.alloc of static size that cannot be alive when the
 * same op runs again: not returned, stored, yielded or passed as a block argument, and never
 * deallocated by hand.  Each gets `bufvm.local = byte offset` within its function, the function
 * `bufvm.local_bytes`.  No chain of calls needs more than the budget: what asks for workgroup
 * memory comes first, then callees before callers.  A function on a call cycle places nothing;
 * an indirect call may reach every function whose address is taken.  Slots whose lifetimes are
 * disjoint share bytes; what is not marked `bufvm.written` is cleared by the code that is made.
 */
#include "lifetime.h"

typedef VEC(Life) Lives;

typedef struct Func {
    Op *op;
    Lives wanted; /* in workgroup space: must be placed */
    Lives optional;
    uint64_t must;  /* bytes of `wanted` alone */
    uint64_t own;   /* bytes placed */
    uint64_t above; /* most that callers must have on the stack, by `must` */
    uint64_t below; /* most that callees have on the stack */
    VEC(uint32_t) callees;
    uint32_t index, low; /* Tarjan; 0 = not visited */
    uint32_t members;    /* at the first of a component in `order`: how many follow, itself included */
    bool on_stack, cyclic, calls_indirectly, address_taken;
} Func;

typedef struct Locals {
    PassContext *pc;
    Context *ctx;
    uint64_t budget;
    VEC(Func) funcs;     /* the last one stands for every function whose address is taken */
    Map numbers;         /* Op * -> number + 1 */
    VEC(uint32_t) order; /* callees first */
} Locals;

/* ---- what there is ----------------------------------------------------------- */

/* A function, or a loop that becomes one (emit/grids.c). */
static bool has_frame(const Op *op)
{
    return vmc_is(op, "func.func") || vmc_get_attr(op, "bufvm.grid");
}

static bool add_function(Op *op, void *user)
{
    Locals *l = user;
    if (!has_frame(op))
        return true;
    VEC_PUSH(&l->ctx->scratch, &l->funcs, ((Func){.op = op}));
    vmc_map_put(&l->numbers, MAP_KEY(op), l->funcs.n);
    return true;
}

static bool in_workgroup_space(const Type *type)
{
    const Attr *space = type->space;
    if (!space)
        return false;
    if (space->kind == ATTR_INT)
        return space->i == 3;
    return space->kind == ATTR_OPAQUE && strstr(space->s, "gpu.address_space") && strstr(space->s, "workgroup");
}

static bool number_of(Locals *l, Op *from, const Attr *symbol, uint32_t *number)
{
    Op *op = vmc_resolve_symbol(from, symbol);
    uint64_t n;
    if (!op || !vmc_map_get(&l->numbers, MAP_KEY(op), &n))
        return false;
    *number = (uint32_t)n - 1;
    return true;
}

static void consider(Locals *l, Func *f, Op *op)
{
    Context *ctx = l->ctx;
    const Type *type = op->results[0].type;
    bool must = in_workgroup_space(type);
    int64_t alignment = 0;
    Life life = vmc_lifetime(ctx, op);
    if (life.written && !vmc_get_attr(op, "bufvm.written"))
        vmc_set_attr(ctx, op, "bufvm.written", vmc_attr_unit(ctx));
    if (l->pc->options->debug) { /* every named value keeps memory of its own */
        if (!must)
            return;
        life.span = (Span){0, UINT32_MAX};
    }
    bool fits = life.bytes && !life.escapes && !life.deallocated && !life.shown && !(vmc_get_int(op, "alignment", &alignment) && alignment > 64);
    if (fits)
        VEC_PUSH(&ctx->scratch, must ? &f->wanted : &f->optional, life);
    else if (must && vmc_is(op, "memref.alloca"))
        vmc_error(&ctx->diag, op->pos,
                  "an allocation in workgroup memory must have a static size, at most 64-byte alignment, and not outlive "
                  "its turn: it may not be returned, stored, yielded or passed to a block");
}

static uint32_t frame_of(Locals *l, const Op *op)
{
    uint64_t n = 0;
    for (op = vmc_parent_op(op); op && !vmc_map_get(&l->numbers, MAP_KEY(op), &n);)
        op = vmc_parent_op(op);
    return (uint32_t)n - 1;
}

static bool scan_op(Op *op, void *user)
{
    Locals *l = user;
    Func *f = &l->funcs.at[frame_of(l, op)];
    uint32_t callee;
    if (vmc_get_attr(op, "bufvm.grid")) {
        uint64_t n = 0;
        vmc_map_get(&l->numbers, MAP_KEY(op), &n);
        VEC_PUSH(&l->ctx->scratch, &f->callees, (uint32_t)n - 1);
    }
    if (vmc_is(op, "memref.alloca") || vmc_is(op, "memref.alloc")) {
        consider(l, f, op);
    } else if (vmc_is(op, "func.call")) {
        if (number_of(l, op, vmc_get_attr(op, "callee"), &callee))
            VEC_PUSH(&l->ctx->scratch, &f->callees, callee);
    } else if (vmc_is(op, "func.call_indirect")) {
        f->calls_indirectly = true;
    } else if (vmc_is(op, "func.constant")) {
        if (number_of(l, op, vmc_get_attr(op, "value"), &callee))
            l->funcs.at[callee].address_taken = true;
    }
    return true;
}

static void scan_functions(Locals *l)
{
    Arena *arena = &l->ctx->scratch;
    uint32_t n = (uint32_t)l->funcs.n;
    for (uint32_t i = 0; i < n; i++) {
        Op *func = l->funcs.at[i].op;
        if (!vmc_is(func, "func.func"))
            continue;
        vmc_number_ops(l->ctx, func);
        for (Block *b = func->regions[0].first; b; b = b->next)
            for (Op *op = b->first; op; op = op->next)
                vmc_walk(op, scan_op, l);
    }
    VEC_PUSH(arena, &l->funcs, ((Func){0}));
    for (uint32_t i = 0; i < n; i++) {
        if (l->funcs.at[i].calls_indirectly)
            VEC_PUSH(arena, &l->funcs.at[i].callees, n);
        if (l->funcs.at[i].address_taken)
            VEC_PUSH(arena, &l->funcs.at[n].callees, i);
    }
}

/* ---- call graph ----------------------------------------------------------------- */

/* Strongly connected components without recursion: a component of several functions, or one that calls itself, is a cycle. */
static void find_cycles(Locals *l)
{
    Arena *arena = &l->ctx->scratch;
    typedef struct Visit {
        uint32_t f, next;
    } Visit;
    VEC(Visit) visits = {0};
    VEC(uint32_t) stack = {0};
    uint32_t counter = 0;
    for (uint32_t root = 0; root < l->funcs.n; root++) {
        if (l->funcs.at[root].index)
            continue;
        VEC_PUSH(arena, &visits, ((Visit){root, 0}));
        while (visits.n) {
            Visit *v = &visits.at[visits.n - 1];
            Func *f = &l->funcs.at[v->f];
            if (v->next == 0 && !f->index) {
                f->index = f->low = ++counter;
                f->on_stack = true;
                VEC_PUSH(arena, &stack, v->f);
            }
            if (v->next < f->callees.n) {
                uint32_t callee = f->callees.at[v->next++];
                Func *g = &l->funcs.at[callee];
                if (callee == v->f)
                    f->cyclic = true;
                if (!g->index)
                    VEC_PUSH(arena, &visits, ((Visit){callee, 0}));
                else if (g->on_stack && g->index < f->low)
                    f->low = g->index;
                continue;
            }
            uint32_t done = v->f;
            visits.n--;
            if (visits.n && f->low < l->funcs.at[visits.at[visits.n - 1].f].low)
                l->funcs.at[visits.at[visits.n - 1].f].low = f->low;
            if (f->low != f->index)
                continue;
            bool several = stack.at[stack.n - 1] != done;
            uint32_t first = stack.at[stack.n - 1];
            for (uint32_t member = UINT32_MAX; member != done;) {
                member = stack.at[--stack.n];
                l->funcs.at[member].on_stack = false;
                l->funcs.at[member].cyclic |= several;
                l->funcs.at[first].members++;
                VEC_PUSH(arena, &l->order, member);
            }
        }
    }
}

/* ---- placement ------------------------------------------------------------------------ */

static void place_wanted(Locals *l)
{
    for (size_t i = 0; i < l->funcs.n; i++) {
        Func *f = &l->funcs.at[i];
        if (f->cyclic && f->wanted.n)
            vmc_error(&l->ctx->diag, f->wanted.at[0].op->pos, "a function on a call cycle can not have workgroup memory");
        f->must = f->cyclic ? 0 : vmc_place_lives(l->ctx, f->wanted.at, f->wanted.n);
    }
}

/* Callers before callees: what is on the stack above each function at least.  On a cycle it is the same for all. */
static void sum_above(Locals *l)
{
    for (size_t end = l->order.n; end > 0;) {
        size_t first = end - 1;
        while (l->funcs.at[l->order.at[first]].members != end - first)
            first--;
        uint64_t above = 0;
        for (size_t i = first; i < end; i++) {
            const Func *f = &l->funcs.at[l->order.at[i]];
            above = f->above > above ? f->above : above;
        }
        for (size_t i = first; i < end; i++) {
            Func *f = &l->funcs.at[l->order.at[i]];
            f->above = above;
            for (size_t c = 0; c < f->callees.n; c++) {
                Func *g = &l->funcs.at[f->callees.at[c]];
                g->above = above + f->must > g->above ? above + f->must : g->above;
            }
        }
        end = first;
    }
}

static uint64_t most_below(const Locals *l, const Func *f)
{
    uint64_t most = 0;
    for (size_t c = 0; c < f->callees.n; c++) {
        const Func *g = &l->funcs.at[f->callees.at[c]];
        uint64_t need = g->own + g->below;
        most = need > most ? need : most;
    }
    return most;
}

/* Small ones first; those that do not fit stay on the heap. */
static void choose_optional(Locals *l, Func *f, uint64_t room)
{
    Context *ctx = l->ctx;
    Lives chosen = {0};
    for (size_t i = 0; i < f->wanted.n; i++)
        VEC_PUSH(&ctx->scratch, &chosen, f->wanted.at[i]);
    for (uint64_t limit = room; limit; limit /= 2) {
        size_t before = chosen.n;
        for (size_t i = 0; i < f->optional.n; i++)
            if (f->optional.at[i].bytes <= limit)
                VEC_PUSH(&ctx->scratch, &chosen, f->optional.at[i]);
        uint64_t total = vmc_place_lives(ctx, chosen.at, chosen.n);
        if (total <= room) {
            f->own = total;
            break;
        }
        chosen.n = before;
    }
    if (chosen.n == f->wanted.n)
        f->own = vmc_place_lives(ctx, chosen.at, chosen.n);
    for (size_t i = 0; i < chosen.n; i++)
        vmc_set_attr(ctx, chosen.at[i].op, "bufvm.local", vmc_attr_i64(ctx, (int64_t)chosen.at[i].offset));
}

static void place_function(Locals *l, Func *f)
{
    uint64_t taken = f->above + f->below;
    if (taken + f->must > l->budget) {
        if (f->must)
            vmc_error(&l->ctx->diag, f->wanted.at[0].op->pos,
                      "this call chain needs %llu bytes of workgroup memory, the budget is %llu (--local-budget)",
                      (unsigned long long)(taken + f->must), (unsigned long long)l->budget);
        return;
    }
    choose_optional(l, f, l->budget - taken);
    if (f->own)
        vmc_set_attr(l->ctx, f->op, "bufvm.local_bytes", vmc_attr_i64(l->ctx, (int64_t)f->own));
}

static void place_all(Locals *l)
{
    for (size_t i = 0; i < l->order.n;) {
        size_t end = i + l->funcs.at[l->order.at[i]].members;
        uint64_t below = 0;
        for (size_t k = i; k < end; k++) {
            uint64_t b = most_below(l, &l->funcs.at[l->order.at[k]]);
            below = b > below ? b : below;
        }
        for (; i < end; i++) {
            Func *f = &l->funcs.at[l->order.at[i]];
            f->below = below;
            if (f->op && !f->cyclic)
                place_function(l, f);
        }
    }
}

static bool forget_placement(Op *op, void *user)
{
    Locals *l = user;
    if (vmc_get_attr(op, "bufvm.local"))
        vmc_set_attr(l->ctx, op, "bufvm.local", NULL);
    if (vmc_get_attr(op, "bufvm.local_bytes"))
        vmc_set_attr(l->ctx, op, "bufvm.local_bytes", NULL);
    return true;
}

bool vmc_pass_local_memory(PassContext *pc)
{
    enum { DEFAULT_BUDGET = 64 << 10 };
    ArenaMark mark = vmc_arena_mark(&pc->ctx->scratch);
    Locals l = {.pc = pc, .ctx = pc->ctx, .numbers = {.arena = &pc->ctx->scratch}};
    l.budget = pc->options->local_budget ? pc->options->local_budget : DEFAULT_BUDGET;
    vmc_walk(pc->ctx->module, forget_placement, &l);
    vmc_walk(pc->ctx->module, add_function, &l);
    scan_functions(&l);
    if (pc->ctx->diag.errors == 0) {
        find_cycles(&l);
        place_wanted(&l);
        sum_above(&l);
        place_all(&l);
    }
    vmc_arena_rewind(&pc->ctx->scratch, mark);
    return pc->ctx->diag.errors == 0;
}
