/* Jumps take the short way: to where a chain of jumps ends, not around another jump; a jump to a return returns, and one to
 * the short end of a loop does what stands there itself.
 */
#include "machine.h"

enum { CHAIN = 8, RETURN_LIST = 16, LOOP_END = 3 };

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

static uint32_t *find_labels(Fn *f)
{
    uint32_t *label_at = ARENA_ARRAY(f->arena, uint32_t, f->nlabels + 1);
    for (uint32_t i = 0; i < f->code.n; i++) {
        if (f->code.at[i].row == ROW_LABEL)
            label_at[f->code.at[i].wide[0]] = i;
    }
    return label_at;
}

/* Instructions from `at` to a jump back, that one included, if they are few and nothing else; 0 otherwise. */
static size_t loop_end(Fn *f, size_t at, const uint32_t *label_at)
{
    for (size_t n = 0; n < LOOP_END && at + n + 1 < f->code.n; n++) {
        Insn *insn = &f->code.at[at + n];
        const uint64_t *label = vmc_insn_label(insn);
        if (label && (insn->row == ROW(loop) || inverse(insn->row) != ROW_NOTHING) && label_at[*label] < at)
            return n + 1;
        if (!vmc_is_plain(insn->row))
            return 0;
    }
    return 0;
}

/* `jmp L` to the end of a loop: a copy of it, and a jump to what follows it. */
static void copy_loop_ends(Fn *f)
{
    const uint32_t *label_at = find_labels(f);
    uint32_t *follower = ARENA_ARRAY(f->arena, uint32_t, f->code.n + 1); /* label to be placed behind an instruction */
    uint32_t *end_of = ARENA_ARRAY(f->arena, uint32_t, f->code.n + 1);   /* first instruction of the end that a jump goes to */
    size_t copied = 0;
    for (size_t i = 0; i < f->code.n; i++) {
        Insn *insn = &f->code.at[i];
        if (insn->row != ROW(jmp) || insn->pinned)
            continue;
        size_t to = behind(f, label_at[insn->wide[0]]), n = to < f->code.n ? loop_end(f, to, label_at) : 0;
        if (!n)
            continue;
        end_of[i] = (uint32_t)to;
        if (!follower[to + n - 1])
            follower[to + n - 1] = vmc_label(f);
        copied++;
    }
    if (!copied)
        return;
    VEC(Insn) code = {0};
    for (size_t i = 0; i < f->code.n; i++) {
        Insn insn = f->code.at[i];
        if (end_of[i]) {
            size_t last = end_of[i];
            for (; !follower[last]; last++)
                VEC_PUSH(f->arena, &code, f->code.at[last]);
            VEC_PUSH(f->arena, &code, f->code.at[last]);
            insn.wide[0] = follower[last];
        }
        VEC_PUSH(f->arena, &code, insn);
        if (follower[i])
            VEC_PUSH(f->arena, &code, ((Insn){.row = ROW_LABEL, .wide = {follower[i]}}));
    }
    f->code.at = (void *)code.at;
    f->code.n = code.n;
    f->code.cap = code.cap;
}

void vmc_thread_jumps(Fn *f)
{
    vmc_drop_jumps_to_next(f);
    jump_once(f);
    copy_loop_ends(f);
    const uint32_t *label_at = find_labels(f);
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
