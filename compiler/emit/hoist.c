/* Arithmetic of addresses that a loop does not change goes before the loop.
 *
 * The IR has no names for products of indices and strides, so its loop-invariant code motion cannot see them; here they are
 * instructions over registers with one definition.  A loop is what stands between a label and the last jump back to it, if
 * nothing else jumps into it and it is entered by falling into the label.  What is moved can neither fail nor be seen: at
 * worst it was not needed.
 */
#include "machine.h"

#include <stdlib.h>

enum { MAX_LOOPS = 4096, WORK = 64 };

typedef struct Loop {
    uint32_t top, last; /* of the label and of the last jump back */
} Loop;

typedef struct Hoist {
    Fn *f;
    uint32_t *label_at;               /* + 1; 0: not placed */
    uint32_t *first_from, *last_from; /* per label: the instructions that jump to it */
    uint32_t *home;                   /* per instruction: of the label that it goes before, + 1 */
} Hoist;

static bool is_address(const Insn *insn)
{
    switch (insn->row) {
    case ROW(addi):
    case ROW(subi):
    case ROW(muli):
        return insn->etype == BVM_I64;
    default:
        return insn->row >= ROW(imm) && insn->row <= ROW(zext);
    }
}

static void count_writes(Fn *f, Reg *reg, unsigned access, uint32_t at)
{
    (void)at;
    f->regs.at[*reg].defs += (access & ACCESS_WRITE) != 0;
}

/* The register's scratch field `location` holds the number of the last loop that was seen to write it. */
static void stamp_writes(Fn *f, Reg *reg, unsigned access, uint32_t loop)
{
    if (access & ACCESS_WRITE)
        f->regs.at[*reg].location = loop;
}

static bool operands_stay(const Fn *f, const Insn *insn, uint32_t loop)
{
    unsigned field = 0;
    for (const char *k = bvm_ops[insn->row].kinds; *k; k++) {
        if (*k == 'r' && f->regs.at[insn->f[field]].location == loop)
            return false;
        field += *k != 'i' ? 1 : 0;
    }
    return true;
}

static void survey(Hoist *h)
{
    Fn *f = h->f;
    for (size_t i = 1; i < f->regs.n; i++)
        f->regs.at[i].defs = f->regs.at[i].location = 0;
    for (uint32_t i = 0; i < f->code.n; i++) {
        Insn *insn = &f->code.at[i];
        const uint64_t *label = vmc_insn_label(insn);
        if (insn->row == ROW_LABEL)
            h->label_at[insn->wide[0]] = i + 1;
        if (label) {
            h->first_from[*label] = h->first_from[*label] ? h->first_from[*label] : i + 1;
            h->last_from[*label] = i + 1;
        }
        vmc_visit_registers(f, insn, 0, count_writes);
    }
}

/* Entered only by falling into its label. */
static bool is_closed(const Hoist *h, const Loop *loop)
{
    const Fn *f = h->f;
    if (loop->top == 0 || vmc_ends_flow(&f->code.at[loop->top - 1]) || f->code.at[loop->last].row == ROW(strip_next))
        return false;
    for (uint32_t i = loop->top; i <= loop->last; i++) {
        const Insn *insn = &f->code.at[i];
        uint64_t label = insn->wide[0];
        if (insn->row == ROW_LABEL && h->first_from[label] &&
            (h->first_from[label] - 1 < loop->top || h->last_from[label] - 1 > loop->last))
            return false;
    }
    return true;
}

/* Where the instruction stands after what was moved so far. */
static bool is_inside(const Hoist *h, const Loop *loop, uint32_t i)
{
    return !h->home[i] || h->home[i] - 1 > loop->top;
}

static void empty_loop(Hoist *h, const Loop *loop, uint32_t number)
{
    Fn *f = h->f;
    for (uint32_t i = loop->top + 1; i <= loop->last; i++) {
        if (is_inside(h, loop, i))
            vmc_visit_registers(f, &f->code.at[i], number, stamp_writes);
    }
    for (uint32_t i = loop->top + 1; i <= loop->last; i++) {
        const Insn *insn = &f->code.at[i];
        if (!is_inside(h, loop, i) || !is_address(insn))
            continue;
        VReg *to = &f->regs.at[insn->f[0]];
        if (to->defs != 1 || to->is_fixed || !operands_stay(f, insn, number))
            continue;
        h->home[i] = loop->top + 1;
        to->location = 0;
    }
}

static int shorter_first(const void *a, const void *b)
{
    const Loop *x = a, *y = b;
    uint32_t nx = x->last - x->top, ny = y->last - y->top;
    if (nx != ny)
        return nx < ny ? -1 : 1;
    return x->top < y->top ? -1 : x->top > y->top;
}

static void rearrange(Hoist *h)
{
    Fn *f = h->f;
    size_t n = f->code.n;
    uint32_t *first = ARENA_ARRAY(f->arena, uint32_t, n + 1), *next = ARENA_ARRAY(f->arena, uint32_t, n + 1);
    for (uint32_t i = (uint32_t)n; i-- > 0;) {
        if (h->home[i]) {
            next[i] = first[h->home[i] - 1];
            first[h->home[i] - 1] = i + 1;
        }
    }
    Insn *code = ARENA_ARRAY(f->arena, Insn, n + 1);
    size_t to = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = first[i]; k; k = next[k - 1])
            code[to++] = f->code.at[k - 1];
        if (!h->home[i])
            code[to++] = f->code.at[i];
    }
    memcpy(f->code.at, code, n * sizeof *code);
}

void vmc_hoist_addresses(Fn *f)
{
    Hoist h = {.f = f};
    VEC(Loop) loops = {0};
    h.label_at = ARENA_ARRAY(f->arena, uint32_t, f->nlabels + 1);
    h.first_from = ARENA_ARRAY(f->arena, uint32_t, f->nlabels + 1);
    h.last_from = ARENA_ARRAY(f->arena, uint32_t, f->nlabels + 1);
    survey(&h);
    for (uint32_t label = 1; label <= f->nlabels; label++) {
        if (h.label_at[label] && h.last_from[label] > h.label_at[label])
            VEC_PUSH(f->arena, &loops, ((Loop){h.label_at[label] - 1, h.last_from[label] - 1}));
    }
    if (!loops.n || loops.n > MAX_LOOPS)
        return;
    h.home = ARENA_ARRAY(f->arena, uint32_t, f->code.n + 1);
    qsort(loops.at, loops.n, sizeof *loops.at, shorter_first);
    size_t work = 0;
    for (size_t i = 0; i < loops.n; i++) {
        work += loops.at[i].last - loops.at[i].top;
        if (work > WORK * f->code.n)
            break;
        if (is_closed(&h, &loops.at[i]))
            empty_loop(&h, &loops.at[i], (uint32_t)i + 1);
    }
    rearrange(&h);
}
