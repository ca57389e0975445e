/* Registers that copies connect become one where they are never needed at once.
 *
 * Block arguments and carried values have registers of their own, which parallel copies write.  Liveness over the blocks of
 * the code, for the scalar registers of copies alone, says which of them are needed at the same time; the copies of inner
 * loops choose first.  A register whose value at the function's start could be read keeps to itself, and so does one that
 * is written inside a strip, whose lanes may run twice.  Where a function has too many such registers for a matrix of them,
 * all copies stay: they cost time, nothing else.
 */
#include "machine.h"

enum { MAX_REGISTERS = 2048, MAX_WORDS = 1 << 18, MAX_ROUNDS = 64 };

typedef struct Span { /* a block: instructions first to end - 1 */
    uint32_t first, end;
    uint32_t next[2]; /* blocks that may follow, + 1 */
} Span;

typedef struct Coalescer {
    Fn *f;
    uint32_t n, words;   /* candidates; words of a row of bits */
    uint32_t *number;    /* per register: its candidate + 1 */
    Reg *reg;            /* per candidate */
    uint32_t *group;     /* per candidate: one of its group */
    bool *alone, *fixed; /* per candidate */
    uint64_t *beside;    /* per candidate: those needed at the same time */
    VEC(Span) spans;
    uint64_t *in, *gen, *kill, *live; /* per block, the last one row */
    uint32_t *depth;                  /* per instruction: loops around it */
    const Insn *insn;
    bool in_strip;
} Coalescer;

static bool has(const uint64_t *row, uint32_t i)
{
    return row[i / 64] >> (i % 64) & 1;
}
static void put(uint64_t *row, uint32_t i)
{
    row[i / 64] |= UINT64_C(1) << (i % 64);
}
static void clear(uint64_t *row, uint32_t i)
{
    row[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

static uint32_t leader(Coalescer *c, uint32_t i)
{
    while (c->group[i] != i)
        i = c->group[i] = c->group[c->group[i]];
    return i;
}

/* -- candidates ------------------------------------------------------------------------------------------- */

static void add_candidate(Coalescer *c, Reg reg)
{
    Fn *f = c->f;
    if (f->regs.at[reg].bank != BANK_SCALAR || c->number[reg])
        return;
    c->number[reg] = ++c->n;
}

static bool find_candidates(Coalescer *c)
{
    Fn *f = c->f;
    c->number = ARENA_ARRAY(f->arena, uint32_t, f->regs.n + 1);
    for (size_t i = 0; i < f->code.n; i++) {
        const Insn *insn = &f->code.at[i];
        if (insn->row != ROW(mov))
            continue;
        add_candidate(c, insn->f[0]);
        add_candidate(c, insn->f[1]);
    }
    if (!c->n || c->n > MAX_REGISTERS)
        return false;
    c->words = (c->n + 63) / 64;
    c->reg = ARENA_ARRAY(f->arena, Reg, c->n);
    c->group = ARENA_ARRAY(f->arena, uint32_t, c->n);
    c->alone = ARENA_ARRAY(f->arena, bool, c->n);
    c->fixed = ARENA_ARRAY(f->arena, bool, c->n);
    c->beside = ARENA_ARRAY(f->arena, uint64_t, (size_t)c->n * c->words);
    for (uint32_t r = 1; r < f->regs.n; r++) {
        if (!c->number[r])
            continue;
        uint32_t i = c->number[r] - 1;
        c->reg[i] = r;
        c->group[i] = i;
        c->fixed[i] = f->regs.at[r].is_fixed;
    }
    return true;
}

/* -- blocks ------------------------------------------------------------------------------------------------- */

/* A case of a switch table may also go on to the next one: the switch itself goes to any of them. */
static bool ends_block(const Insn *insn)
{
    return vmc_ends_flow(insn) || vmc_insn_label((Insn *)(uintptr_t)insn);
}

static bool find_blocks(Coalescer *c)
{
    Fn *f = c->f;
    uint32_t *block_of = ARENA_ARRAY(f->arena, uint32_t, f->nlabels + 1); /* + 1 */
    uint32_t *label_at = ARENA_ARRAY(f->arena, uint32_t, f->nlabels + 1); /* + 1 */
    c->depth = ARENA_ARRAY(f->arena, uint32_t, f->code.n + 2);
    bool open = false;
    for (uint32_t i = 0; i < f->code.n; i++) {
        Insn *insn = &f->code.at[i];
        if (!open || (insn->row == ROW_LABEL && f->code.at[i - 1].row != ROW_LABEL))
            VEC_PUSH(f->arena, &c->spans, ((Span){i, i, {0, 0}}));
        open = !ends_block(insn);
        c->spans.at[c->spans.n - 1].end = i + 1;
        if (insn->row == ROW_LABEL) {
            block_of[insn->wide[0]] = (uint32_t)c->spans.n;
            label_at[insn->wide[0]] = i + 1;
        }
        const uint64_t *label = vmc_insn_label(insn);
        if (label && label_at[*label]) { /* a loop: depths are sums of these */
            c->depth[label_at[*label] - 1]++;
            c->depth[i + 1]--;
        }
    }
    for (uint32_t i = 1; i < f->code.n; i++)
        c->depth[i] += c->depth[i - 1];
    for (uint32_t b = 0; b < c->spans.n; b++) {
        Span *span = &c->spans.at[b];
        Insn *last = &f->code.at[span->end - 1];
        const uint64_t *label = vmc_insn_label(last);
        span->next[0] = label ? block_of[*label] : 0;
        if ((!vmc_ends_flow(last) || last->pinned) && b + 1 < c->spans.n)
            span->next[1] = b + 2;
    }
    return (size_t)c->spans.n * c->words <= MAX_WORDS;
}

/* -- liveness ----------------------------------------------------------------------------------------------- */

/* Calls fn for every candidate that the instruction accesses so. */
typedef void (*EachFn)(Coalescer *c, uint32_t candidate);
static void each(Coalescer *c, const Insn *insn, unsigned access, EachFn fn)
{
    unsigned field = 0;
    const char *kinds = insn->row < BVM_ROWS && bvm_ops[insn->row].kinds ? bvm_ops[insn->row].kinds : "";
    for (const char *k = kinds; *k; k++) {
        bool is_field = strchr(BVM_FIELD_KINDS, *k) != NULL;
        bool reads = *k == 'r' || *k == 'm', writes = *k == 'w' || *k == 'm';
        if (is_field && ((reads && access == ACCESS_READ) || (writes && access == ACCESS_WRITE)) && c->number[insn->f[field]])
            fn(c, c->number[insn->f[field]] - 1);
        field += is_field;
    }
    for (uint32_t i = 0; i < insn->nlist; i++) {
        if ((i < insn->nread) == (access == ACCESS_READ) && c->number[insn->list[i]])
            fn(c, c->number[insn->list[i]] - 1);
    }
}

static void make_live(Coalescer *c, uint32_t i)
{
    put(c->live, i);
}
static void make_dead(Coalescer *c, uint32_t i)
{
    clear(c->live, i);
}
static void note_write(Coalescer *c, uint32_t i)
{
    put(c->kill, i);
    clear(c->gen, i);
}
static void note_read(Coalescer *c, uint32_t i)
{
    put(c->gen, i);
}

static bool find_live(Coalescer *c)
{
    Fn *f = c->f;
    size_t w = c->words, nspans = c->spans.n;
    uint64_t *gen = ARENA_ARRAY(f->arena, uint64_t, nspans * w), *kill = ARENA_ARRAY(f->arena, uint64_t, nspans * w);
    c->in = ARENA_ARRAY(f->arena, uint64_t, nspans * w);
    c->live = ARENA_ARRAY(f->arena, uint64_t, w);
    for (size_t b = 0; b < nspans; b++) {
        c->gen = gen + b * w;
        c->kill = kill + b * w;
        for (uint32_t i = c->spans.at[b].end; i-- > c->spans.at[b].first;) {
            each(c, &f->code.at[i], ACCESS_WRITE, note_write);
            each(c, &f->code.at[i], ACCESS_READ, note_read);
        }
    }
    for (int round = 0; round < MAX_ROUNDS; round++) {
        bool changed = false;
        for (size_t b = nspans; b-- > 0;) {
            const Span *span = &c->spans.at[b];
            for (size_t k = 0; k < w; k++) {
                uint64_t out = 0;
                for (unsigned e = 0; e < 2; e++)
                    out |= span->next[e] ? c->in[(span->next[e] - 1) * w + k] : 0;
                uint64_t in = gen[b * w + k] | (out & ~kill[b * w + k]);
                changed |= in != c->in[b * w + k];
                c->in[b * w + k] = in;
            }
        }
        if (!changed)
            return true;
    }
    return false;
}

/* -- who is needed beside whom -------------------------------------------------------------------------------- */

static void note_beside(Coalescer *c, uint32_t a, uint32_t b)
{
    if (a == b)
        return;
    put(c->beside + (size_t)a * c->words, b);
    put(c->beside + (size_t)b * c->words, a);
}

static void write_beside_live(Coalescer *c, uint32_t written)
{
    /* A copy's source holds the same value. */
    uint32_t source = c->insn->row == ROW(mov) ? c->number[c->insn->f[1]] : 0;
    c->alone[written] |= c->in_strip;
    for (uint32_t k = 0; k < c->words; k++) {
        for (uint64_t bits = c->live[k]; bits; bits &= bits - 1) {
            uint32_t other = k * 64 + (uint32_t)__builtin_ctzll(bits);
            if (other + 1 != source)
                note_beside(c, written, other);
        }
    }
}

static void scan_block(Coalescer *c, const Span *span)
{
    Fn *f = c->f;
    memset(c->live, 0, c->words * sizeof *c->live);
    for (unsigned e = 0; e < 2; e++) {
        for (uint32_t k = 0; span->next[e] && k < c->words; k++)
            c->live[k] |= c->in[(size_t)(span->next[e] - 1) * c->words + k];
    }
    for (uint32_t i = span->end; i-- > span->first;) {
        const Insn *insn = c->insn = &f->code.at[i];
        if (insn->row == ROW(strip_next))
            c->in_strip = true;
        each(c, insn, ACCESS_WRITE, make_live);
        if (!vmc_is_plain(insn->row)) /* may write before it has read everything */
            each(c, insn, ACCESS_READ, make_live);
        each(c, insn, ACCESS_WRITE, write_beside_live);
        each(c, insn, ACCESS_WRITE, make_dead);
        each(c, insn, ACCESS_READ, make_live);
        if (insn->row == ROW(strip))
            c->in_strip = false;
    }
}

static void find_conflicts(Coalescer *c)
{
    for (size_t b = c->spans.n; b-- > 0;)
        scan_block(c, &c->spans.at[b]);
    /* Arguments are written at the function's start; nothing else may be needed there. */
    for (uint32_t i = 0; i < c->n; i++) {
        if (!has(c->in, i))
            continue;
        c->alone[i] |= !c->fixed[i];
        for (uint32_t k = 0; k < c->n; k++) {
            if (c->fixed[i] && c->fixed[k])
                note_beside(c, i, k);
        }
    }
}

/* -- joining -------------------------------------------------------------------------------------------------- */

static void join(Coalescer *c, Reg a, Reg b)
{
    uint32_t x = leader(c, c->number[a] - 1), y = leader(c, c->number[b] - 1);
    if (x == y || c->alone[x] || c->alone[y] || (c->fixed[x] && c->fixed[y]) || has(c->beside + (size_t)x * c->words, y))
        return;
    if (c->fixed[y]) {
        uint32_t t = x;
        x = y;
        y = t;
    }
    uint64_t *to = c->beside + (size_t)x * c->words;
    const uint64_t *from = c->beside + (size_t)y * c->words;
    for (uint32_t k = 0; k < c->words; k++) {
        for (uint64_t bits = from[k] & ~to[k]; bits; bits &= bits - 1)
            put(c->beside + (size_t)(k * 64 + (uint32_t)__builtin_ctzll(bits)) * c->words, x);
        to[k] |= from[k];
    }
    c->group[y] = x;
}

static void join_copies(Coalescer *c)
{
    Fn *f = c->f;
    uint32_t deepest = 0;
    for (size_t i = 0; i < f->code.n; i++) {
        if (f->code.at[i].row == ROW(mov))
            deepest = c->depth[i] > deepest ? c->depth[i] : deepest;
    }
    deepest = deepest > 16 ? 16 : deepest; /* the rest at once */
    for (uint32_t depth = deepest + 1; depth-- > 0;) {
        for (size_t i = f->code.n; i-- > 0;) { /* what a loop hands on stands at its end, and every turn copies it */
            const Insn *insn = &f->code.at[i];
            if (insn->row == ROW(mov) && (c->depth[i] == depth || (depth == deepest && c->depth[i] > depth)))
                join(c, insn->f[0], insn->f[1]);
        }
    }
}

static void rename_register(Fn *f, Reg *reg, unsigned access, uint32_t at)
{
    (void)access;
    (void)at;
    if (f->regs.at[*reg].location)
        *reg = f->regs.at[*reg].location;
}

void vmc_coalesce(Fn *f)
{
    Coalescer c = {.f = f};
    if (!find_candidates(&c) || !find_blocks(&c) || !find_live(&c))
        return;
    find_conflicts(&c);
    join_copies(&c);
    for (size_t r = 1; r < f->regs.n; r++)
        f->regs.at[r].location = c.number[r] ? c.reg[leader(&c, c.number[r] - 1)] : 0;
    for (size_t i = 0; i < f->code.n; i++) {
        Insn *insn = &f->code.at[i];
        vmc_visit_registers(f, insn, 0, rename_register);
        if (insn->row == ROW(mov) && insn->f[0] == insn->f[1])
            insn->row = ROW_NOTHING;
    }
    vmc_compact(f);
}
