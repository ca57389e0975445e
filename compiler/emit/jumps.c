/* Jumps take the short way: to where a chain of jumps ends, not around another jump, and a jump to a return returns.
 */
#include "machine.h"

enum { CHAIN = 8, RETURN_LIST = 16 };

void vmc_drop_jumps_to_next(Fn *f)
{
    for (size_t i = 0; i < f->code.n; i++) {
        Insn *insn = &f->code.at[i];
        if (insn->row != ROW(jmp) || insn->pinned)
            continue;
        for (size_t k = i + 1; k < f->code.n && f->code.at[k].row == ROW_LABEL; k++) {
            if (f->code.at[k].wide[0] == insn->wide[0])
                insn->row = ROW_NOTHING;
        }
    }
    vmc_compact(f);
}

/* The first instruction behind the label and those that stand with it; code.n if there is none. */
static size_t behind(const Fn *f, size_t at)
{
    while (at < f->code.n && f->code.at[at].row == ROW_LABEL)
        at++;
    return at;
}

static unsigned inverse(unsigned row)
{
    static const uint16_t pairs[][2] = {{ROW(jnz), ROW(jz)}, {ROW(jeq), ROW(jne)}, {ROW(jslt), ROW(jsge)}, {ROW(jult), ROW(juge)}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (pairs[i][0] == row)
            return pairs[i][1];
        if (pairs[i][1] == row)
            return pairs[i][0];
    }
    return ROW_NOTHING;
}

/* `jeq L1; jmp L2; L1:` is `jne L2`. */
static void jump_once(Fn *f)
{
    for (size_t i = 0; i + 2 < f->code.n; i++) {
        Insn *first = &f->code.at[i], *second = &f->code.at[i + 1];
        unsigned row = inverse(first->row);
        uint64_t *label = vmc_insn_label(first);
        if (row == ROW_NOTHING || second->row != ROW(jmp) || second->pinned)
            continue;
        for (size_t k = i + 2; k < f->code.n && f->code.at[k].row == ROW_LABEL; k++) {
            if (f->code.at[k].wide[0] != *label)
                continue;
            first->row = (uint16_t)row;
            *label = second->wide[0];
            second->row = ROW_NOTHING;
            break;
        }
    }
    vmc_compact(f);
}

void vmc_thread_jumps(Fn *f)
{
    vmc_drop_jumps_to_next(f);
    jump_once(f);
    uint32_t *label_at = ARENA_ARRAY(f->arena, uint32_t, f->nlabels + 1);
    for (uint32_t i = 0; i < f->code.n; i++) {
        if (f->code.at[i].row == ROW_LABEL)
            label_at[f->code.at[i].wide[0]] = i;
    }
    for (uint32_t i = 0; i < f->code.n; i++) {
        Insn *insn = &f->code.at[i];
        uint64_t *label = vmc_insn_label(insn);
        if (!label || insn->row == ROW(strip) || insn->row == ROW(strip_next))
            continue;
        size_t to = behind(f, label_at[*label]);
        for (unsigned hop = 0; hop < CHAIN && to < f->code.n && f->code.at[to].row == ROW(jmp); hop++) {
            *label = f->code.at[to].wide[0];
            to = behind(f, label_at[*label]);
        }
        if (insn->row == ROW(jmp) && !insn->pinned && to < f->code.n && f->code.at[to].row == ROW(ret) &&
            f->code.at[to].nlist <= RETURN_LIST)
            *insn = f->code.at[to];
    }
}
