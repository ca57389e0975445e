/* The instruction buffer of one function: from virtual registers to the words of the module file.
 *
 * Order of work: the constants of the pool go first; jumps to the next instruction, unreachable code and results that
 * nobody reads go; a copy of a value made just before is replaced by making it in place; addresses leave loops, registers
 * that copies connect become one, jumps take the short way (hoist.c, coalesce.c, jumps.c); live intervals; a linear scan gives
 * physical registers, where they do not suffice after scalars with far ends moved to a buffer; encoding.
 *
 * Live intervals.  A register lives from its first to its last occurrence in the order of the code.  That order is a
 * reverse post order, so a value's definition stands before its uses, and for a jump back from p to q only a
 * register that was written before q and occurs at q or behind it can carry a value over the jump: its interval is
 * extended to p.  (One first written behind q is written again before it is read: were there a path from q to a
 * use that avoids the definition, there would be one from the entry, since the definition does not dominate q.)
 */
#include "machine.h"
#include "config.h"

enum { MAX_REGISTERS = 65535, COALESCE_WINDOW = 64 };
#ifdef BUFVM_DEBUG /* few, so that spilling runs in every test */
enum { MAX_SCALARS = 128 };
#else
enum { MAX_SCALARS = MAX_REGISTERS };
#endif

Reg vmc_reg(Fn *f, unsigned bank)
{
    VReg reg = {.bank = (uint8_t)bank};
    if (f->regs.n == 0)
        VEC_PUSH(f->arena, &f->regs, (VReg){0});
    VEC_PUSH(f->arena, &f->regs, reg);
    return (Reg)(f->regs.n - 1);
}

Reg vmc_tile_reg(Fn *f, unsigned etype, unsigned capacity)
{
    Reg r = vmc_reg(f, BANK_TILE);
    f->regs.at[r].etype = (uint8_t)etype;
    f->regs.at[r].capacity = (uint16_t)capacity;
    return r;
}

Insn *vmc_insn(Fn *f, unsigned row, unsigned etype, const uint32_t *fields, const uint64_t *wide)
{
    Insn insn = {.row = (uint16_t)row, .etype = (uint16_t)etype, .pos = f->pos};
    if (fields)
        memcpy(insn.f, fields, sizeof insn.f);
    if (wide)
        memcpy(insn.wide, wide, sizeof insn.wide);
    VEC_PUSH(f->arena, &f->code, insn);
    return &f->code.at[f->code.n - 1];
}

Insn *vmc_insn_list(Fn *f, unsigned row, const uint32_t *fields, const uint64_t *wide, const Reg *list, size_t n, size_t nread)
{
    Insn *insn = vmc_insn(f, row, BVM_NONE, fields, wide);
    insn->list = vmc_arena_dup(f->arena, list, n * sizeof(Reg));
    insn->nlist = (uint32_t)n;
    insn->nread = (uint32_t)nread;
    return insn;
}

Label vmc_label(Fn *f)
{
    return ++f->nlabels;
}

void vmc_place(Fn *f, Label label)
{
    vmc_insn(f, ROW_LABEL, BVM_NONE, NULL, WIDE(label));
}

void vmc_jump(Fn *f, Label label)
{
    vmc_insn(f, ROW(jmp), BVM_NONE, NULL, WIDE(label));
}

/* -- parallel copies: each destination is written once, in an order that keeps sources alive; cycles go over one register -- */

static void move_reg(Fn *f, Reg to, Reg from)
{
    unsigned row = f->regs.at[to].bank == BANK_BUFFER ? ROW(buffer_mov) : ROW(mov);
    vmc_insn(f, row, BVM_NONE, REGS(to, from), NULL);
}

static void copy_registers(Fn *f, const Copies *copies)
{
    VEC(Reg) ready = {0};
    VReg *regs = f->regs.at;
    for (size_t i = 0; i < copies->n; i++)
        regs[copies->at[i].to].location = 0;
    for (size_t i = 0; i < copies->n; i++) {
        const Copy *c = &copies->at[i];
        if (!c->from.is_const && c->from.r != c->to) {
            regs[c->from.r].pending = 0;
            regs[c->from.r].location = c->from.r;
        }
    }
    for (size_t i = 0; i < copies->n; i++) {
        const Copy *c = &copies->at[i];
        regs[c->to].pending = c->from.is_const || c->from.r == c->to ? 0 : c->from.r;
    }
    for (size_t i = 0; i < copies->n; i++) {
        if (regs[copies->at[i].to].pending && !regs[copies->at[i].to].location)
            VEC_PUSH(f->arena, &ready, copies->at[i].to);
    }
    for (size_t next = 0; next <= copies->n; next++) {
        while (ready.n) {
            Reg to = ready.at[--ready.n], from = f->regs.at[to].pending, at = f->regs.at[from].location;
            move_reg(f, to, at);
            f->regs.at[to].pending = 0;
            f->regs.at[from].location = to;
            if (at == from && f->regs.at[from].pending)
                VEC_PUSH(f->arena, &ready, from);
        }
        if (next < copies->n && f->regs.at[copies->at[next].to].pending) { /* on a cycle */
            Reg to = copies->at[next].to, saved = vmc_reg(f, f->regs.at[to].bank);
            move_reg(f, saved, to);
            f->regs.at[to].location = saved;
            VEC_PUSH(f->arena, &ready, to);
        }
    }
}

void vmc_parallel_copy(Fn *f, Copies *copies)
{
    copy_registers(f, copies);
    for (size_t i = 0; i < copies->n; i++) {
        if (copies->at[i].from.is_const)
            vmc_assign(f, copies->at[i].to, copies->at[i].from);
    }
    copies->n = 0;
}

/* -- what an instruction reads and writes ------------------------------------------------------------------------- */

static unsigned kind_access(char kind)
{
    switch (kind) {
    case 'r':
    case 'b':
    case 't':
        return ACCESS_READ;
    case 'w':
    case 'W':
    case 'T':
        return ACCESS_WRITE;
    case 'm':
    case 'M':
    case 'A':
        return ACCESS_READ | ACCESS_WRITE;
    default:
        return 0;
    }
}

static const char *insn_kinds(const Insn *insn)
{
    return insn->row < BVM_ROWS && bvm_ops[insn->row].kinds ? bvm_ops[insn->row].kinds : "";
}

void vmc_visit_registers(Fn *f, Insn *insn, uint32_t at, VisitFn visit)
{
    unsigned field = 0;
    for (const char *k = insn_kinds(insn); *k; k++) {
        unsigned access = kind_access(*k);
        if (access)
            visit(f, &insn->f[field], access, at);
        if (access || *k == 'h')
            field++;
    }
    for (uint32_t i = 0; i < insn->nlist; i++)
        visit(f, &insn->list[i], i < insn->nread ? ACCESS_READ : ACCESS_WRITE, at);
}

uint64_t *vmc_insn_label(Insn *insn)
{
    unsigned wide = 0;
    for (const char *k = insn_kinds(insn); *k; k++) {
        if (*k == 'l')
            return &insn->wide[wide];
        if (strchr("ikgfns", *k))
            wide++;
    }
    return NULL;
}

bool vmc_is_plain(unsigned row)
{
    if (row >= ROW(mov) && row <= ROW(zext))
        return true;
    switch (row) {
    case ROW(buffer_mov):
    case ROW(buffer_length):
    case ROW(buffer_const):
    case ROW(buffer_global):
    case ROW(buffer_same):
    case ROW(func_ref):
        return true;
    default:
        return row >= ROW(addi) && row < ROW(strip) && bvm_ops[row].kinds && bvm_ops[row].kinds[0] == 'w';
    }
}

static bool can_trap(unsigned row)
{
    return row >= ROW(divsi) && row <= ROW(floordivsi);
}

/* -- clean-up ------------------------------------------------------------------------------------------------------- */

bool vmc_ends_flow(const Insn *insn)
{
    return insn->row == ROW(jmp) || insn->row == ROW(ret) || insn->row == ROW(unreachable);
}

void vmc_compact(Fn *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->code.n; i++) {
        if (f->code.at[i].row != ROW_NOTHING)
            f->code.at[n++] = f->code.at[i];
    }
    f->code.n = n;
}

static void drop_unreachable(Fn *f, const uint32_t *label_uses)
{
    bool reachable = true;
    for (size_t i = 0; i < f->code.n; i++) {
        Insn *insn = &f->code.at[i];
        if (insn->row == ROW_LABEL && label_uses[insn->wide[0]])
            reachable = true;
        else if (!reachable && insn->row != ROW_LABEL)
            insn->row = ROW_NOTHING;
        if (vmc_ends_flow(insn) && !(insn->pinned && i + 1 < f->code.n && f->code.at[i + 1].pinned))
            reachable = false;
    }
    vmc_compact(f);
}

static void clean_flow(Fn *f)
{
    for (int round = 0; round < 2; round++) { /* code gone in the first round may have held the only jumps to labels */
        uint32_t *uses = ARENA_ARRAY(f->arena, uint32_t, f->nlabels + 1);
        for (size_t i = 0; i < f->code.n; i++) {
            const uint64_t *label = vmc_insn_label(&f->code.at[i]);
            if (label)
                uses[*label]++;
        }
        drop_unreachable(f, uses);
    }
    vmc_drop_jumps_to_next(f);
}

static void count_access(Fn *f, Reg *reg, unsigned access, uint32_t at)
{
    (void)at;
    VReg *r = &f->regs.at[*reg];
    r->uses += (access & ACCESS_READ) != 0;
    r->defs += (access & ACCESS_WRITE) != 0;
}

static void uncount_access(Fn *f, Reg *reg, unsigned access, uint32_t at)
{
    (void)at;
    VReg *r = &f->regs.at[*reg];
    r->uses -= (access & ACCESS_READ) != 0;
    r->defs -= (access & ACCESS_WRITE) != 0;
}

static void drop_unread(Fn *f)
{
    for (size_t i = 0; i < f->code.n; i++)
        vmc_visit_registers(f, &f->code.at[i], 0, count_access);
    for (size_t i = f->code.n; i-- > 0;) {
        Insn *insn = &f->code.at[i];
        if (insn->row >= ROW_NOTHING || !vmc_is_plain(insn->row) || can_trap(insn->row) || f->regs.at[insn->f[0]].uses)
            continue;
        vmc_visit_registers(f, insn, 0, uncount_access);
        insn->row = ROW_NOTHING;
    }
    vmc_compact(f);
}

static bool mentions(Fn *f, Insn *insn, Reg reg)
{
    (void)f;
    unsigned field = 0;
    for (const char *k = insn_kinds(insn); *k; k++) {
        unsigned access = kind_access(*k);
        if (access && insn->f[field] == reg)
            return true;
        if (access || *k == 'h')
            field++;
    }
    for (uint32_t i = 0; i < insn->nlist; i++) {
        if (insn->list[i] == reg)
            return true;
    }
    return false;
}

/* `mov a, t` behind the only definition of t, which nothing else reads: t is made in a, if a is not touched between. */
static void make_in_place(Fn *f)
{
    for (size_t i = 1; i < f->code.n; i++) {
        Insn *move = &f->code.at[i];
        if (move->row != ROW(mov))
            continue;
        Reg to = move->f[0], from = move->f[1];
        if (f->regs.at[from].uses != 1 || f->regs.at[from].defs != 1 || f->regs.at[from].is_fixed)
            continue;
        for (size_t k = i, seen = 0; k-- > 0 && seen < COALESCE_WINDOW; seen++) {
            Insn *at = &f->code.at[k];
            if (at->row == ROW_LABEL || vmc_insn_label(at) || vmc_ends_flow(at))
                break;
            if ((vmc_is_plain(at->row) || at->row == ROW(load) || at->row == ROW(loadx)) && at->f[0] == from) {
                at->f[0] = to;
                move->row = ROW_NOTHING;
                break;
            }
            if (mentions(f, at, to) || mentions(f, at, from))
                break;
        }
    }
    vmc_compact(f);
}

/* -- live intervals -------------------------------------------------------------------------------------------------- */

static void live_access(Fn *f, Reg *reg, unsigned access, uint32_t at)
{
    VReg *r = &f->regs.at[*reg];
    bool late = access == ACCESS_WRITE && (at & 1);
    uint32_t position = (at & ~1u) + (late ? 1 : 0);
    if (position < r->start)
        r->start = position;
    uint32_t end = access & ACCESS_WRITE ? (at | 1) : (at & ~1u);
    if (end > r->end)
        r->end = end;
}

typedef struct BackEdge {
    uint32_t to, from;
} BackEdge;

/* Number of edges with to <= position; edges ascend by `to`. */
static size_t edges_up_to(const BackEdge *edges, size_t n, uint32_t position)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (edges[middle].to <= position)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* Largest `from` among the edges with `to` in (start, end]; tree[] is a segment tree of maxima over them. */
static uint32_t farthest(const BackEdge *edges, const uint32_t *tree, size_t n, uint32_t start, uint32_t end)
{
    size_t lo = edges_up_to(edges, n, start) + n, hi = edges_up_to(edges, n, end) + n;
    uint32_t most = 0;
    for (; lo < hi; lo /= 2, hi /= 2) {
        if (lo & 1) {
            most = tree[lo] > most ? tree[lo] : most;
            lo++;
        }
        if (hi & 1) {
            hi--;
            most = tree[hi] > most ? tree[hi] : most;
        }
    }
    return most;
}

static void extend_over_loops(Fn *f, const BackEdge *edges, size_t n)
{
    if (n == 0)
        return;
    uint32_t *tree = ARENA_ARRAY(f->arena, uint32_t, 2 * n);
    for (size_t i = 0; i < n; i++)
        tree[n + i] = edges[i].from;
    for (size_t i = n; i-- > 1;)
        tree[i] = tree[2 * i] > tree[2 * i + 1] ? tree[2 * i] : tree[2 * i + 1];
    for (size_t i = 1; i < f->regs.n; i++) {
        VReg *r = &f->regs.at[i];
        if (r->start == UINT32_MAX)
            continue;
        /* Chains of jumps back are short in code that people write; where one is long, the end of the code is safe too. */
        for (int round = 0;; round++) {
            uint32_t end = farthest(edges, tree, n, r->start, r->end);
            if (end <= r->end)
                break;
            r->end = round < 64 ? end : (uint32_t)(2 * f->code.n + 1);
        }
    }
}

static void live_intervals(Fn *f)
{
    uint32_t *label_at = ARENA_ARRAY(f->arena, uint32_t, f->nlabels + 1);
    for (size_t i = 1; i < f->regs.n; i++) {
        f->regs.at[i].start = f->regs.at[i].is_fixed ? 0 : UINT32_MAX;
        f->regs.at[i].end = 0;
        f->regs.at[i].hint = 0;
    }
    uint32_t nback = 0;
    for (uint32_t i = 0; i < f->code.n; i++) {
        Insn *insn = &f->code.at[i];
        if (insn->row == ROW_LABEL)
            label_at[insn->wide[0]] = i + 1;
        const uint64_t *label = vmc_insn_label(insn);
        nback += label && label_at[*label];
        vmc_visit_registers(f, insn, 2 * i + 2 + (insn->row < BVM_TILE && vmc_is_plain(insn->row) ? 1 : 0), live_access);
        if ((insn->row == ROW(mov) || insn->row == ROW(buffer_mov)) && !f->regs.at[insn->f[0]].hint)
            f->regs.at[insn->f[0]].hint = insn->f[1];
    }
    /* Edges by ascending target: counted per target position. */
    uint32_t *farthest_from = ARENA_ARRAY(f->arena, uint32_t, f->code.n + 1);
    for (uint32_t i = 0; i < f->code.n; i++) {
        const uint64_t *label = vmc_insn_label(&f->code.at[i]);
        if (label && label_at[*label] && label_at[*label] - 1 <= i)
            farthest_from[label_at[*label] - 1] = 2 * i + 3;
    }
    BackEdge *edges = ARENA_ARRAY(f->arena, BackEdge, nback);
    size_t n = 0;
    for (uint32_t i = 0; i < f->code.n; i++) {
        if (farthest_from[i])
            edges[n++] = (BackEdge){2 * i + 2, farthest_from[i]};
    }
    extend_over_loops(f, edges, n);
}

/* -- registers ---------------------------------------------------------------------------------------------------------- */

typedef VEC(uint16_t) PhysList;
typedef struct Class { /* registers that can stand for each other: a bank, or tiles of one declaration */
    uint8_t bank, etype, role;
    uint16_t capacity;
    PhysList free; /* a stack; entries that is_free denies are stale */
} Class;

typedef struct Scan {
    Fn *f;
    VEC(Class) classes;
    bool *is_free[BANKS];
    uint32_t count[BANKS];
    Reg *active; /* heap by end */
    size_t nactive;
    VEC(BvmTileDecl) tiles;
} Scan;

static void heap_push(Scan *s, Reg reg)
{
    const VReg *regs = s->f->regs.at;
    size_t i = s->nactive++;
    for (; i && regs[s->active[(i - 1) / 2]].end > regs[reg].end; i = (i - 1) / 2)
        s->active[i] = s->active[(i - 1) / 2];
    s->active[i] = reg;
}

static Reg heap_pop(Scan *s)
{
    const VReg *regs = s->f->regs.at;
    Reg top = s->active[0], last = s->active[--s->nactive];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= s->nactive)
            break;
        if (child + 1 < s->nactive && regs[s->active[child + 1]].end < regs[s->active[child]].end)
            child++;
        if (regs[s->active[child]].end >= regs[last].end)
            break;
        s->active[i] = s->active[child];
        i = child;
    }
    if (s->nactive)
        s->active[i] = last;
    return top;
}

static uint32_t register_limit(unsigned bank)
{
    return bank == BANK_SCALAR ? MAX_SCALARS : MAX_REGISTERS;
}

static Class *class_of(Scan *s, const VReg *r)
{
    for (size_t i = 0; i < s->classes.n; i++) {
        Class *c = &s->classes.at[i];
        if (c->bank == r->bank && c->etype == r->etype && c->capacity == r->capacity && c->role == r->role)
            return c;
    }
    VEC_PUSH(s->f->arena, &s->classes, ((Class){r->bank, r->etype, r->role, r->capacity, {0}}));
    return &s->classes.at[s->classes.n - 1];
}

static bool take_register(Scan *s, Reg reg)
{
    Fn *f = s->f;
    VReg *r = &f->regs.at[reg];
    bool *is_free = s->is_free[r->bank];
    Class *c = class_of(s, r);
    if (r->is_fixed) {
        s->count[r->bank] = r->physical + 1u > s->count[r->bank] ? r->physical + 1u : s->count[r->bank];
        return true;
    }
    const VReg *hint = r->hint ? &f->regs.at[r->hint] : NULL;
    if (hint && hint->start < r->start && is_free[hint->physical] && hint->bank == r->bank && hint->bank != BANK_TILE) {
        r->physical = hint->physical;
        is_free[r->physical] = false;
        return true;
    }
    while (c->free.n) {
        uint16_t p = c->free.at[--c->free.n];
        if (is_free[p]) {
            is_free[p] = false;
            r->physical = p;
            return true;
        }
    }
    if (s->count[r->bank] >= register_limit(r->bank))
        return false;
    r->physical = (uint16_t)s->count[r->bank]++;
    if (r->bank == BANK_TILE)
        VEC_PUSH(f->arena, &s->tiles, ((BvmTileDecl){r->etype, r->capacity, false}));
    return true;
}

/* Registers in the order of their start: counting sort by position. */
static Reg *by_start(Fn *f, size_t *n)
{
    size_t positions = 2 * f->code.n + 4;
    uint32_t *first = ARENA_ARRAY(f->arena, uint32_t, positions + 1);
    for (size_t i = 1; i < f->regs.n; i++) {
        if (f->regs.at[i].start != UINT32_MAX)
            first[f->regs.at[i].start + 1]++;
    }
    for (size_t i = 1; i <= positions; i++)
        first[i] += first[i - 1];
    *n = first[positions];
    Reg *order = ARENA_ARRAY(f->arena, Reg, *n + 1);
    for (size_t i = 1; i < f->regs.n; i++) {
        if (f->regs.at[i].start != UINT32_MAX)
            order[first[f->regs.at[i].start]++] = (Reg)i;
    }
    return order;
}

/* On failure *full is the register that found none free. */
static bool allocate(Scan *s, Reg *full)
{
    Fn *f = s->f;
    size_t n = 0;
    Reg *order = by_start(f, &n);
    s->active = ARENA_ARRAY(f->arena, Reg, n + 1);
    for (unsigned b = 0; b < BANKS; b++)
        s->is_free[b] = ARENA_ARRAY(f->arena, bool, f->regs.n + 1); /* no more physical registers than virtual ones */
    for (size_t i = 0; i < n; i++) {
        const VReg *r = &f->regs.at[order[i]];
        while (s->nactive && f->regs.at[s->active[0]].end < r->start) {
            const VReg *gone = &f->regs.at[heap_pop(s)];
            s->is_free[gone->bank][gone->physical] = true;
            Class *c = class_of(s, gone);
            VEC_PUSH(f->arena, &c->free, gone->physical);
        }
        if (!take_register(s, order[i])) {
            *full = order[i];
            return false;
        }
        heap_push(s, order[i]);
    }
    return true;
}

/* -- scalars in memory -------------------------------------------------------------------------------------------------- */

/* A register written by an instruction that jumps has to be in the register when the jump is taken. */
static void keep_in_register(Fn *f, Reg *reg, unsigned access, uint32_t at)
{
    (void)at;
    if (access & ACCESS_WRITE)
        f->regs.at[*reg].stays = true;
}

/* Gives slots of the spill buffer to the scalars alive at `point` whose ends are farthest, half of the bank.  False: none can go.
 */
static bool choose_spills(Fn *f, uint32_t point, uint32_t *slots)
{
    for (size_t i = 0; i < f->code.n; i++) {
        if (vmc_insn_label(&f->code.at[i]))
            vmc_visit_registers(f, &f->code.at[i], 0, keep_in_register);
    }
    uint32_t *histogram = ARENA_ARRAY(f->arena, uint32_t, 2 * f->code.n + 4);
    for (size_t i = 1; i < f->regs.n; i++) {
        VReg *r = &f->regs.at[i];
        r->spills =
            r->bank == BANK_SCALAR && !r->is_fixed && !r->stays && !r->slot_plus_1 && r->start < point && r->end > point + 1;
        if (r->spills)
            histogram[r->end]++;
    }
    uint32_t wanted = MAX_SCALARS / 2, chosen = 0;
    size_t least = 2 * f->code.n + 3;
    for (; least > 0 && chosen < wanted; least--)
        chosen += histogram[least];
    for (size_t i = 1; i < f->regs.n; i++) {
        if (f->regs.at[i].spills && f->regs.at[i].end > least)
            f->regs.at[i].slot_plus_1 = ++*slots;
    }
    return chosen > 0;
}

typedef struct Spiller {
    Fn *f;
    Reg buffer;
    VEC(Insn) code;
    Insn *current;
    VEC(Reg) written; /* pairs: temporary, spilled register */
} Spiller;

static void push_access(Spiller *s, bool store, Reg value, Reg spilled)
{
    Fn *f = s->f;
    uint32_t slot = f->regs.at[spilled].slot_plus_1 - 1;
    Reg index = vmc_reg(f, BANK_SCALAR);
    f->regs.at[index].stays = true;
    Insn imm = {.row = ROW(imm), .f = {index}, .wide = {slot}, .pos = s->current->pos};
    Insn access = {.row = store ? ROW(store) : ROW(load), .etype = BVM_I64, .f = {value, s->buffer, index}, .pos = s->current->pos};
    VEC_PUSH(f->arena, &s->code, imm);
    VEC_PUSH(f->arena, &s->code, access);
}

static void spill_access(Spiller *s, Reg *reg, unsigned access)
{
    Fn *f = s->f;
    Reg spilled = *reg;
    if (!f->regs.at[spilled].spills || !f->regs.at[spilled].slot_plus_1)
        return;
    Reg temporary = vmc_reg(f, BANK_SCALAR);
    f->regs.at[temporary].stays = true;
    if (access & ACCESS_READ)
        push_access(s, false, temporary, spilled);
    if (access & ACCESS_WRITE) {
        VEC_PUSH(f->arena, &s->written, temporary);
        VEC_PUSH(f->arena, &s->written, spilled);
    }
    *reg = temporary;
}

static void spill_registers(Fn *f, Reg buffer)
{
    Spiller s = {.f = f, .buffer = buffer};
    for (size_t i = 0; i < f->code.n; i++) {
        Insn insn = f->code.at[i];
        unsigned field = 0;
        s.current = &insn;
        s.written.n = 0;
        for (const char *k = insn_kinds(&insn); *k; k++) {
            unsigned access = kind_access(*k);
            if (access)
                spill_access(&s, &insn.f[field], access);
            if (access || *k == 'h')
                field++;
        }
        for (uint32_t n = 0; n < insn.nlist; n++)
            spill_access(&s, &insn.list[n], n < insn.nread ? ACCESS_READ : ACCESS_WRITE);
        VEC_PUSH(f->arena, &s.code, insn);
        for (size_t n = 0; n < s.written.n; n += 2)
            push_access(&s, true, s.written.at[n], s.written.at[n + 1]);
    }
    f->code.at = (void *)s.code.at;
    f->code.n = s.code.n;
    f->code.cap = s.code.cap;
}

/* The buffer of the spilled scalars, made at the function's start. */
static void make_spill_buffer(Fn *f, Reg buffer, uint32_t slots)
{
    Reg bytes = vmc_reg(f, BANK_SCALAR);
    Insn first = {.row = ROW(imm), .f = {bytes}, .wide = {8 * (uint64_t)slots}};
    Insn second = {.row = ROW(buffer_alloc), .f = {buffer, bytes}};
    for (int i = 0; i < 2; i++)
        VEC_PUSH(f->arena, &f->code, (Insn){0});
    memmove(f->code.at + 2, f->code.at, (f->code.n - 2) * sizeof(Insn));
    f->code.at[0] = first;
    f->code.at[1] = second;
}

static bool assign_registers(Fn *f, Scan *scan)
{
    static const char *const bank_names[BANKS] = {"scalar", "buffer", "tile"};
    Reg buffer = 0, full = 0;
    uint32_t slots = 0;
    for (int round = 0; round < 16; round++) {
        live_intervals(f);
        *scan = (Scan){.f = f};
        if (allocate(scan, &full)) {
            if (!slots)
                return true;
            make_spill_buffer(f, buffer, slots);
            live_intervals(f);
            *scan = (Scan){.f = f};
            return allocate(scan, &full);
        }
        if (f->regs.at[full].bank != BANK_SCALAR || !choose_spills(f, f->regs.at[full].start, &slots))
            break;
        buffer = buffer ? buffer : vmc_reg(f, BANK_BUFFER);
        spill_registers(f, buffer);
    }
    vmc_error(&f->ctx->diag, f->op->pos, "function '%s' needs more than %u %s registers at one point", f->name,
              register_limit(f->regs.at[full].bank), bank_names[f->regs.at[full].bank]);
    return false;
}

/* -- encoding --------------------------------------------------------------------------------------------------------------- */

/* `regs` has room for the list. */
static void lower_insn(Fn *f, const Insn *insn, BvmInsn *out, uint16_t *list, const uint32_t *label_word)
{
    memset(out, 0, sizeof *out);
    out->row = insn->row;
    out->etype = insn->etype;
    out->nan_flag = insn->nan_flag;
    unsigned field = 0, wide = 0;
    for (const char *k = insn_kinds(insn); *k; k++) {
        if (kind_access(*k)) {
            out->regs[field] = f->regs.at[insn->f[field]].physical;
            field++;
        } else if (*k == 'h') {
            out->regs[field] = (uint16_t)insn->f[field];
            field++;
        } else if (*k == 'l') {
            out->wide[wide] = label_word ? label_word[insn->wide[wide]] : 0;
            wide++;
        } else if (*k != '*') {
            out->wide[wide] = insn->wide[wide];
            wide++;
        }
    }
    for (uint32_t i = 0; i < insn->nlist; i++)
        list[i] = f->regs.at[insn->list[i]].physical;
    out->list = list;
    out->nlist = insn->nlist;
}

static bool is_copy_of_itself(Fn *f, const Insn *insn)
{
    return (insn->row == ROW(mov) || insn->row == ROW(buffer_mov)) &&
           f->regs.at[insn->f[0]].physical == f->regs.at[insn->f[1]].physical;
}

typedef VEC(BvmLine) Lines;

static void add_line(Fn *f, Lines *lines, uint32_t word, SrcPos pos)
{
    uint32_t line = 0, col = 0;
    if (!vmc_line_col(&f->ctx->diag, pos, &line, &col))
        return;
    if (lines->n && lines->at[lines->n - 1].line == line && lines->at[lines->n - 1].col == col)
        return;
    VEC_PUSH(f->arena, lines, ((BvmLine){word, line, col}));
}

static bool encode(Fn *f, uint32_t number, BvmFunction *out)
{
    uint32_t *label_word = ARENA_ARRAY(f->arena, uint32_t, f->nlabels + 1);
    uint32_t longest = 0;
    for (size_t i = 0; i < f->code.n; i++) {
        if (is_copy_of_itself(f, &f->code.at[i]))
            f->code.at[i].row = ROW_NOTHING;
        longest = f->code.at[i].nlist > longest ? f->code.at[i].nlist : longest;
    }
    vmc_compact(f);
    uint16_t *list = ARENA_ARRAY(f->arena, uint16_t, longest + 1);
    uint64_t words = 0;
    BvmInsn insn;
    for (size_t i = 0; i < f->code.n; i++) {
        if (f->code.at[i].row == ROW_LABEL) {
            label_word[f->code.at[i].wide[0]] = (uint32_t)words;
            continue;
        }
        lower_insn(f, &f->code.at[i], &insn, list, NULL);
        words += bvm_encode(&insn, NULL);
        if (words > INT32_MAX || longest > 0xffff) {
            vmc_error(&f->ctx->diag, f->op->pos, "function '%s' is too large to encode", f->name);
            return false;
        }
    }
    uint64_t *code = ARENA_ARRAY(f->arena, uint64_t, words + 1);
    Lines lines = {0};
    size_t at = 0;
    for (size_t i = 0; i < f->code.n; i++) {
        if (f->code.at[i].row == ROW_LABEL)
            continue;
        add_line(f, &lines, (uint32_t)at, f->code.at[i].pos);
        lower_insn(f, &f->code.at[i], &insn, list, label_word);
        at += bvm_encode(&insn, code + at);
    }
    out->code = code;
    out->ncode = (uint32_t)at;
    out->lines = lines.at;
    out->nlines = (uint32_t)lines.n;
    bvm_write_define(f->e->writer, number, out);
    return true;
}

/* The constants of the pool are written before everything else. */
static void prepend_pool(Fn *f)
{
    size_t n = f->pool.n;
    SrcPos none = {0};
    for (size_t i = 0; i < n; i++)
        VEC_PUSH(f->arena, &f->code, (Insn){0});
    memmove(f->code.at + n, f->code.at, (f->code.n - n) * sizeof(Insn));
    for (size_t i = 0; i < n; i++) {
        int64_t c = f->pool.at[i];
        bool is_short = c >= INT16_MIN && c <= INT16_MAX;
        f->code.at[i] = (Insn){.row = is_short ? ROW(imm16) : ROW(imm), .pos = none};
        f->code.at[i].f[0] = f->pool_regs.at[i];
        f->code.at[i].f[1] = is_short ? (uint16_t)c : 0;
        f->code.at[i].wide[0] = is_short ? 0 : (uint64_t)c;
    }
}

bool vmc_finish_function(Fn *f, uint32_t number, const char *banks)
{
    if (f->regs.n == 0)
        VEC_PUSH(f->arena, &f->regs, (VReg){0});
    clean_flow(f);
    prepend_pool(f);
    if (2 * f->code.n + 8 > UINT32_MAX) {
        vmc_error(&f->ctx->diag, f->op->pos, "function '%s' is too large to encode", f->name);
        return false;
    }
    drop_unread(f);
    make_in_place(f);
    vmc_hoist_addresses(f);
    vmc_coalesce(f);
    vmc_thread_jumps(f);
    Scan scan;
    if (!assign_registers(f, &scan))
        return false;
    BvmFunction out = {.name = f->name,
                       .banks = banks,
                       .nscalars = scan.count[BANK_SCALAR],
                       .nbuffers = scan.count[BANK_BUFFER],
                       .ntiles = scan.count[BANK_TILE],
                       .tiles = scan.tiles.at,
                       .local_bytes = f->local_bytes};
    return encode(f, number, &out);
}
