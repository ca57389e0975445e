/* Modules mutated by somebody who knows the format:
 *   structured [--seed=N] [--from=N] [--count=N] [--write=FILE] FILE.vmasm...
 *
 * Mutant N of a seed is a golden module taken apart into sections, functions and instructions, changed in a few places - opcodes,
 * registers, labels, numbers at their edges, types, records, counts, whole instructions and sections, pieces of other golden
 * modules - and put together again with lengths, offsets, labels and needs that fit, most times; so that a good share is accepted
 * and what is refused is refused for one thing.  Each is tried as trial.h says, with arguments of its own.  What a mutant is
 * depends on the seed and its number alone: `--from=N --count=1 --write=FILE` gives one back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/bytecode/opnames.h"
#include "forms.h"
#include "trial.h"

enum { MAX_PARTS = 24, MAX_INSNS = 4000, MAX_LIST = 128, MAX_BYTES = 1 << 17 };

typedef struct Part {
    uint32_t kind, count;
    size_t n;
    uint8_t *data;
} Part;

typedef struct Mutant {
    uint64_t state;
    const Goldens *goldens;
    const Golden *golden;
    Part parts[MAX_PARTS];
    unsigned nparts;
    uint16_t major, minor;
    bool needs; /* local memory or calls changed: the needs are computed again */
    char what[2048];
    size_t nwhat;
} Mutant;

static uint32_t rnd(Mutant *m, uint32_t n)
{
    m->state ^= m->state << 13;
    m->state ^= m->state >> 7;
    m->state ^= m->state << 17;
    return (uint32_t)((m->state >> 20) % (n ? n : 1));
}

static bool one_in(Mutant *m, uint32_t n)
{
    return rnd(m, n) == 0;
}

__attribute__((format(printf, 2, 3))) static void say(Mutant *m, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(m->what + m->nwhat, sizeof m->what - m->nwhat, format, args);
    va_end(args);
    m->nwhat = n < 0 || m->nwhat + (size_t)n >= sizeof m->what ? sizeof m->what - 1 : m->nwhat + (size_t)n;
}

/* A number at an edge, or near `old`. */
static uint64_t edge(Mutant *m, uint64_t old)
{
    static const uint64_t edges[] = {0,          1,          2,          7,         8,          16,         63,
                                     64,         65,         255,        256,       4095,       4096,       65535,
                                     65536,      1u << 20,   0x7fffffff, 1u << 31,  UINT32_MAX, 1ull << 32, 1ull << 34,
                                     1ull << 40, 1ull << 61, 1ull << 62, INT64_MAX, 1ull << 63, UINT64_MAX, UINT64_MAX - 1};
    switch (rnd(m, 8)) {
    case 0:
        return old + 1;
    case 1:
        return old - 1;
    case 2:
        return old ^ 1ull << rnd(m, 64);
    case 3:
        return m->state;
    case 4:
        return old * 2;
    default:
        return edges[rnd(m, sizeof edges / sizeof *edges)];
    }
}

/* -- apart and together ------------------------------------------------------------------------- */

static void set_part(Part *part, const uint8_t *data, size_t n)
{
    uint8_t *copy = malloc(n ? n : 1);
    memcpy(copy, data, n);
    free(part->data);
    part->data = copy;
    part->n = n;
}

static void take_apart(Mutant *m, const Golden *g)
{
    m->golden = g;
    m->major = bvm_get16(g->data + 8);
    m->minor = bvm_get16(g->data + 10);
    m->nparts = bvm_get32(g->data + 12);
    for (unsigned i = 0; i < m->nparts; i++) {
        const uint8_t *entry = g->data + BVM_HEADER_BYTES + BVM_ENTRY_BYTES * i;
        m->parts[i] = (Part){.kind = bvm_get32(entry), .count = bvm_get32(entry + 4)};
        set_part(&m->parts[i], g->data + bvm_get64(entry + 8), (size_t)bvm_get64(entry + 16));
    }
}

static void put32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static uint8_t *put_together(const Mutant *m, size_t *size)
{
    size_t at = BVM_HEADER_BYTES + BVM_ENTRY_BYTES * (size_t)m->nparts, room = at;
    for (unsigned i = 0; i < m->nparts; i++)
        room += m->parts[i].n + 64;
    uint8_t *file = calloc(1, room);
    memcpy(file, BVM_MAGIC, 8);
    put32(file + 8, m->major | (uint32_t)m->minor << 16);
    put32(file + 12, m->nparts);
    for (unsigned i = 0; i < m->nparts; i++) {
        const Part *part = &m->parts[i];
        uint8_t *entry = file + BVM_HEADER_BYTES + BVM_ENTRY_BYTES * i;
        at = (size_t)bvm_align(at, part->kind >= BVM_SECTION_DATA ? 64 : 8);
        put32(entry, part->kind);
        put32(entry + 4, part->count);
        bvm_put64(entry + 8, at);
        bvm_put64(entry + 16, part->n);
        memcpy(file + at, part->data, part->n);
        at += part->n;
    }
    bvm_put64(file + 16, at);
    *size = at;
    return file;
}

static Part *part_of(Mutant *m, uint32_t kind)
{
    for (unsigned i = 0; i < m->nparts; i++)
        if (m->parts[i].kind == kind)
            return &m->parts[i];
    return NULL;
}

static uint32_t count_of(Mutant *m, uint32_t kind)
{
    const Part *part = part_of(m, kind);
    return part ? part->count : 0;
}

/* Replaces bytes of a section. */
static void splice(Part *part, size_t at, size_t old, const void *data, size_t n)
{
    uint8_t *all = malloc(part->n - old + n + 1);
    memcpy(all, part->data, at);
    if (n)
        memcpy(all + at, data, n);
    memcpy(all + at + n, part->data + at + old, part->n - at - old);
    free(part->data);
    part->data = all;
    part->n = part->n - old + n;
}

/* -- functions ------------------------------------------------------------------------------------- */

/* One instruction; labels and lines name instructions while it is here. */
typedef struct Insn {
    BvmInsn insn;
    uint16_t list[MAX_LIST];
    uint32_t label; /* instruction, or UINT32_MAX: as it stands in insn.wide */
} Insn;

typedef struct Code {
    Insn insns[MAX_INSNS];
    uint32_t n;
    uint8_t *record; /* of the function */
    uint32_t scalars, buffers, ntiles, first_tile;
    size_t at, old; /* bytes in section 9 */
    size_t lines_at;
    uint32_t nlines, line_of[MAX_INSNS]; /* line table entries, as instructions */
} Code;

static int label_operand(unsigned row)
{
    int wide = 0;
    for (const char *k = bvm_ops[row].kinds; *k; k++) {
        if (*k == 'l')
            return wide;
        wide += strchr(BVM_WIDE_KINDS, *k) != NULL;
    }
    return -1;
}

static uint32_t insn_at(const uint32_t *starts, uint32_t n, uint64_t word)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (starts[middle] < word)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && starts[low] == word ? low : UINT32_MAX;
}

static uint32_t starts[MAX_INSNS];
static uint16_t list_space[65536];
static uint64_t words[MAX_BYTES / 8];

/* Words of a function into instructions: those that decode, up to the first that does not. */
static uint32_t read_insns(const uint8_t *data, uint32_t nwords, Insn *insns, uint32_t most)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < nwords; i++)
        words[i] = bvm_get64(data + 8 * (size_t)i);
    for (uint32_t at = 0; at < nwords && n < most; n++) {
        Insn *insn = &insns[n];
        memset(&insn->insn, 0, sizeof insn->insn);
        size_t used = bvm_decode(words + at, nwords - at, &insn->insn, list_space, NULL);
        if (!used || insn->insn.nlist > MAX_LIST)
            break;
        memcpy(insn->list, list_space, insn->insn.nlist * sizeof *insn->list);
        starts[n] = at;
        at += (uint32_t)used;
    }
    for (uint32_t i = 0; i < n; i++) {
        int label = label_operand(insns[i].insn.row);
        insns[i].label = label < 0 ? UINT32_MAX : insn_at(starts, n, insns[i].insn.wide[label]);
    }
    return n;
}

/* A function of the mutant; false: there is none that can be taken apart. */
static bool open_function(Mutant *m, Code *code)
{
    Part *functions = part_of(m, BVM_SECTION_FUNCTIONS), *text = part_of(m, BVM_SECTION_CODE);
    uint32_t n = functions ? (uint32_t)(functions->n / BVM_FUNCTION_BYTES) : 0;
    if (!n || !text)
        return false;
    uint32_t f = rnd(m, n);
    size_t at = 0;
    code->lines_at = 0;
    code->first_tile = 0;
    for (uint32_t i = 0; i < f; i++) {
        const uint8_t *record = functions->data + BVM_FUNCTION_BYTES * (size_t)i;
        at += 8 * (size_t)bvm_get32(record + 20);
        code->lines_at += BVM_LINE_BYTES * (size_t)bvm_get32(record + 24);
        code->first_tile += bvm_get32(record + 16);
    }
    code->record = functions->data + BVM_FUNCTION_BYTES * (size_t)f;
    code->scalars = bvm_get32(code->record + 8);
    code->buffers = bvm_get32(code->record + 12);
    code->ntiles = bvm_get32(code->record + 16);
    code->nlines = bvm_get32(code->record + 24);
    code->at = at;
    code->old = 8 * (size_t)bvm_get32(code->record + 20);
    if (at > text->n || code->old > text->n - at)
        return false;
    code->n = read_insns(text->data + at, (uint32_t)(code->old / 8), code->insns, MAX_INSNS / 2);
    const Part *lines = part_of(m, BVM_SECTION_LINES);
    bool has_lines = lines && code->nlines <= MAX_INSNS && code->lines_at + BVM_LINE_BYTES * (size_t)code->nlines <= lines->n;
    code->nlines = has_lines ? code->nlines : 0;
    for (uint32_t i = 0; i < code->nlines; i++)
        code->line_of[i] = insn_at(starts, code->n, bvm_get32(lines->data + code->lines_at + BVM_LINE_BYTES * (size_t)i));
    return code->n > 0;
}

/* Back into the sections: labels and lines follow their instructions. */
static void close_function(Mutant *m, Code *code)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < code->n; i++) {
        starts[i] = n;
        code->insns[i].insn.list = code->insns[i].list;
        n += (uint32_t)bvm_encode(&code->insns[i].insn, NULL);
        if (n > MAX_BYTES / 8 - 512)
            return;
    }
    n = 0;
    for (uint32_t i = 0; i < code->n; i++) {
        Insn *insn = &code->insns[i];
        int label = label_operand(insn->insn.row);
        if (label >= 0 && insn->label < code->n)
            insn->insn.wide[label] = starts[insn->label];
        n += (uint32_t)bvm_encode(&insn->insn, words + n);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t word = words[i];
        bvm_put64((uint8_t *)&words[i], word);
    }
    Part *text = part_of(m, BVM_SECTION_CODE), *lines = part_of(m, BVM_SECTION_LINES);
    put32(code->record + 20, n);
    splice(text, code->at, code->old, words, 8 * (size_t)n);
    text->count = (uint32_t)(text->n / 8);
    for (uint32_t i = 0; i < code->nlines; i++)
        if (code->line_of[i] < code->n)
            put32(lines->data + code->lines_at + BVM_LINE_BYTES * (size_t)i, starts[code->line_of[i]]);
}

/* What stands behind instruction `at` moves by `by` (1: a place is made there, -1: that one goes). */
static void move_labels(Code *code, uint32_t at, int by)
{
    for (uint32_t i = 0; i < code->n; i++)
        if (code->insns[i].label != UINT32_MAX && code->insns[i].label > at)
            code->insns[i].label += (uint32_t)by;
    for (uint32_t i = 0; i < code->nlines; i++)
        if (code->line_of[i] != UINT32_MAX && code->line_of[i] > at)
            code->line_of[i] += (uint32_t)by;
}

static bool insert(Code *code, uint32_t at, const Insn *insn)
{
    if (code->n + 1 >= MAX_INSNS)
        return false;
    move_labels(code, at, 1);
    memmove(&code->insns[at + 1], &code->insns[at], (code->n - at) * sizeof *code->insns);
    code->insns[at] = *insn;
    code->n++;
    return true;
}

static void erase(Code *code, uint32_t at)
{
    move_labels(code, at, -1);
    memmove(&code->insns[at], &code->insns[at + 1], (code->n - at - 1) * sizeof *code->insns);
    code->n--;
}

/* -- operands ---------------------------------------------------------------------------------------- */

static const uint8_t *tile_record(Mutant *m, const Code *code, uint32_t tile)
{
    const Part *tiles = part_of(m, BVM_SECTION_TILES);
    size_t at = BVM_TILE_BYTES * ((size_t)code->first_tile + tile);
    return tiles && at + BVM_TILE_BYTES <= tiles->n ? tiles->data + at : NULL;
}

/* A tile of the type that the operand asks for, most times. */
static uint16_t pick_tile(Mutant *m, const Code *code, const BvmInsn *insn, unsigned k)
{
    unsigned wanted = bvm_tile_storage(bvm_tile_elem(insn, k));
    uint32_t tile = rnd(m, code->ntiles);
    for (int tries = 0; tries < 40; tries++, tile = rnd(m, code->ntiles)) {
        const uint8_t *record = tile_record(m, code, tile);
        if (record && bvm_tile_storage(record[0]) == wanted)
            break;
    }
    return (uint16_t)tile;
}

static uint16_t pick_register(Mutant *m, const Code *code, const BvmInsn *insn, char kind, unsigned tile)
{
    if (strchr("TtA", kind) && code->ntiles)
        return pick_tile(m, code, insn, tile);
    uint32_t n = strchr("wrm", kind) ? code->scalars : code->buffers;
    return (uint16_t)rnd(m, n);
}

/* The k-th operand in a field, of the kinds: its letter, and how many tiles are before it. */
static char field_kind(unsigned row, unsigned field, unsigned *tile)
{
    *tile = 0;
    for (const char *k = bvm_ops[row].kinds; *k; k++) {
        if (!strchr(BVM_FIELD_KINDS, *k))
            continue;
        if (field-- == 0)
            return *k;
        *tile += strchr("TtA", *k) != NULL;
    }
    return 0;
}

static unsigned field_count(unsigned row)
{
    unsigned n = 0;
    for (const char *k = bvm_ops[row].kinds; *k; k++)
        n += strchr(BVM_FIELD_KINDS, *k) != NULL;
    return n;
}

static void change_field(Mutant *m, Code *code, Insn *insn)
{
    unsigned n = field_count(insn->insn.row), field = rnd(m, n), tile;
    if (!n)
        return;
    char kind = field_kind(insn->insn.row, field, &tile);
    uint16_t *reg = &insn->insn.regs[field];
    if (kind == 'h')
        *reg = one_in(m, 2) ? (uint16_t)rnd(m, 24) : (uint16_t)edge(m, *reg);
    else
        *reg = one_in(m, 12) ? (uint16_t)edge(m, *reg) : pick_register(m, code, &insn->insn, kind, tile);
    say(m, " operand %u of %s is %u;", field, bvm_ops[insn->insn.row].name, *reg);
}

static uint64_t pick_number(Mutant *m, char kind, uint64_t old)
{
    static const struct {
        char kind;
        uint32_t section;
    } sections[] = {{'k', BVM_SECTION_CONSTANTS},
                    {'g', BVM_SECTION_GLOBALS},
                    {'f', BVM_SECTION_FUNCTIONS},
                    {'n', BVM_SECTION_IMPORTS},
                    {'s', BVM_SECTION_STRINGS}};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (sections[i].kind == kind)
            return one_in(m, 12) ? edge(m, old) : rnd(m, count_of(m, sections[i].section));
    return edge(m, old);
}

static void change_number(Mutant *m, Code *code, Insn *insn)
{
    unsigned wide = 0, n = 0, pick;
    for (const char *k = bvm_ops[insn->insn.row].kinds; *k; k++)
        n += strchr(BVM_WIDE_KINDS, *k) != NULL;
    if (!n)
        return;
    pick = rnd(m, n);
    m->needs = true;
    for (const char *k = bvm_ops[insn->insn.row].kinds; *k; k++) {
        if (!strchr(BVM_WIDE_KINDS, *k) || wide++ != pick)
            continue;
        if (*k == 'l') {
            insn->label = one_in(m, 10) ? UINT32_MAX : rnd(m, code->n);
            insn->insn.wide[pick] = edge(m, insn->insn.wide[pick]);
            say(m, " %s goes to instruction %u;", bvm_ops[insn->insn.row].name, insn->label);
            return;
        }
        insn->insn.wide[pick] = pick_number(m, *k, insn->insn.wide[pick]);
        say(m, " number of %s is 0x%llx;", bvm_ops[insn->insn.row].name, (unsigned long long)insn->insn.wide[pick]);
        return;
    }
}

/* The type, flags or rank of a kernel. */
static void change_kernel(Mutant *m, Insn *insn)
{
    static const uint8_t shifts[] = {24, 32, 40, 48, 16, 0};
    unsigned shift = shifts[rnd(m, sizeof shifts)];
    uint64_t value = shift == 48 ? rnd(m, 8) : shift == 16 ? rnd(m, 17) : shift ? rnd(m, BVM_ELEMS) : 1 + rnd(m, 5);
    insn->insn.wide[0] = (insn->insn.wide[0] & ~(UINT64_C(0xFF) << shift)) | value << shift;
    if (one_in(m, 4))
        insn->insn.wide[1] = rnd(m, BVM_TILE) | (one_in(m, 8) ? (uint64_t)rnd(m, BVM_TILE) << 16 : 0);
    say(m, " kernel 0x%llx 0x%llx;", (unsigned long long)insn->insn.wide[0], (unsigned long long)insn->insn.wide[1]);
}

static void change_list(Mutant *m, Code *code, Insn *insn)
{
    uint32_t n = insn->insn.nlist;
    if (!n || one_in(m, 12)) {
        insn->insn.nlist = one_in(m, 2) && n ? n - 1 : n < MAX_LIST ? n + 1 : n;
        insn->list[insn->insn.nlist ? insn->insn.nlist - 1 : 0] = (uint16_t)rnd(m, code->buffers);
        return;
    }
    uint32_t at = rnd(m, n);
    insn->list[at] =
        one_in(m, 12) ? (uint16_t)edge(m, insn->list[at]) : (uint16_t)rnd(m, one_in(m, 2) ? code->scalars : code->buffers);
    say(m, " register %u of %s's list is %u;", at, bvm_ops[insn->insn.row].name, insn->list[at]);
}

/* Another row of the same operands, another element type, or any op field. */
static void change_opcode(Mutant *m, Insn *insn)
{
    unsigned row = insn->insn.row, tries = 0;
    if (one_in(m, 3)) {
        for (; tries < 400; tries++) {
            unsigned other = rnd(m, BVM_ROWS);
            if (bvm_ops[other].name && strcmp(bvm_ops[other].kinds, bvm_ops[row].kinds) == 0 &&
                (bvm_ops[other].etypes >> insn->insn.etype & 1 || one_in(m, 20)))
                row = other, tries = 400;
        }
    } else if (one_in(m, 8)) {
        do
            row = rnd(m, BVM_ROWS);
        while (!bvm_ops[row].name);
        memset(insn->insn.regs + field_count(row), 0, sizeof insn->insn.regs - field_count(row) * sizeof *insn->insn.regs);
    }
    insn->insn.row = (uint16_t)row;
    if (one_in(m, 4) || !(bvm_ops[row].etypes >> insn->insn.etype & 1))
        for (tries = 0; tries < 100; tries++) {
            insn->insn.etype = (uint16_t)rnd(m, 32);
            if (bvm_ops[row].etypes >> insn->insn.etype & 1)
                break;
        }
    if (one_in(m, 8) || !(bvm_ops[row].form && bvm_elem_class(insn->insn.etype) == 'F'))
        insn->insn.nan_flag = bvm_ops[row].form && bvm_elem_class(insn->insn.etype) == 'F' && !insn->insn.nan_flag;
    say(m, " opcode %s.%s;", bvm_ops[row].name, insn->insn.etype ? bvm_elem_name(insn->insn.etype) : "");
}

/* Registers and numbers that the function has, for an instruction that comes from elsewhere. */
static void fit(Mutant *m, Code *code, Insn *insn)
{
    unsigned wide = 0, tile;
    for (unsigned field = 0; field < field_count(insn->insn.row); field++) {
        char kind = field_kind(insn->insn.row, field, &tile);
        uint32_t n = strchr("wrm", kind) ? code->scalars : strchr("WbM", kind) ? code->buffers : code->ntiles;
        if (strchr("TtA", kind))
            insn->insn.regs[field] = pick_register(m, code, &insn->insn, kind, tile);
        else if (kind != 'h' && insn->insn.regs[field] >= n)
            insn->insn.regs[field] = (uint16_t)rnd(m, n);
    }
    for (const char *k = bvm_ops[insn->insn.row].kinds; *k; k++) {
        if (!strchr(BVM_WIDE_KINDS, *k))
            continue;
        if (*k == 'l')
            insn->label = rnd(m, code->n);
        else if (*k != 'i')
            insn->insn.wide[wide] = pick_number(m, *k, insn->insn.wide[wide]);
        wide++;
    }
    for (uint32_t i = 0; i < insn->insn.nlist; i++)
        if (insn->list[i] >= code->buffers || insn->list[i] >= code->scalars)
            insn->list[i] = (uint16_t)rnd(m, code->buffers);
}

/* Instructions of another golden module's code, in their order. */
static void graft(Mutant *m, Code *code)
{
    static Insn taken[MAX_INSNS / 2];
    const Golden *g = &m->goldens->all[rnd(m, (uint32_t)m->goldens->n)];
    for (uint32_t i = 0; i < bvm_get32(g->data + 12); i++) {
        const uint8_t *entry = g->data + BVM_HEADER_BYTES + BVM_ENTRY_BYTES * (size_t)i;
        if (bvm_get32(entry) != BVM_SECTION_CODE)
            continue;
        uint32_t n = read_insns(g->data + bvm_get64(entry + 8), (uint32_t)(bvm_get64(entry + 16) / 8), taken, MAX_INSNS / 2);
        uint32_t from = rnd(m, n), to = rnd(m, code->n), many = 1 + rnd(m, one_in(m, 4) ? 30 : 3);
        for (uint32_t k = 0; k < many && from + k < n; k++) {
            fit(m, code, &taken[from + k]);
            if (!insert(code, to + k, &taken[from + k]))
                return;
        }
        m->needs = true;
        say(m, " %u instructions of %s at %u;", many, g->name, to);
        return;
    }
}

static void change_order(Mutant *m, Code *code)
{
    uint32_t at = rnd(m, code->n), other = one_in(m, 2) ? at + 1 : rnd(m, code->n);
    m->needs = true;
    switch (rnd(m, 4)) {
    case 0:
        if (code->n > 1)
            erase(code, at);
        say(m, " instruction %u is gone;", at);
        break;
    case 1: {
        static Insn copy;
        copy = code->insns[at];
        insert(code, other < code->n ? other : at, &copy);
        say(m, " instruction %u twice;", at);
        break;
    }
    default:
        if (other < code->n) {
            static Insn copy;
            copy = code->insns[at];
            code->insns[at] = code->insns[other];
            code->insns[other] = copy;
            say(m, " instructions %u and %u changed places;", at, other);
        }
    }
}

static Code the_code;
static void mutate_code(Mutant *m)
{
    Code *code = &the_code;
    if (!open_function(m, code))
        return;
    for (uint32_t times = 1 + rnd(m, 3); times; times--) {
        uint32_t at = rnd(m, code->n);
        Insn *insn = &code->insns[at];
        say(m, " [%u]", at);
        switch (rnd(m, 10)) {
        case 0:
        case 1:
            change_opcode(m, insn);
            break;
        case 2:
        case 3:
        case 4:
            change_field(m, code, insn);
            break;
        case 5:
        case 6:
            if (insn->insn.row == BVM_OP_kernel && one_in(m, 2))
                change_kernel(m, insn);
            else
                change_number(m, code, insn);
            break;
        case 7:
            if (strchr(bvm_ops[insn->insn.row].kinds, '*'))
                change_list(m, code, insn);
            break;
        case 8:
            change_order(m, code);
            break;
        default:
            graft(m, code);
        }
    }
    close_function(m, code);
}

/* -- records ------------------------------------------------------------------------------------------- */

typedef struct Field {
    uint8_t section, record, at, bytes;
    char what; /* # a number at its edge; o: often that of another record; otherwise what it numbers */
} Field;
static const Field fields[] = {
    {BVM_SECTION_ATTRIBUTES, 8, 0, 4, 's'},  {BVM_SECTION_ATTRIBUTES, 8, 4, 4, 's'},  {BVM_SECTION_IMPORTS, 8, 0, 4, 's'},
    {BVM_SECTION_IMPORTS, 8, 4, 4, 'o'},     {BVM_SECTION_GLOBALS, 24, 0, 4, 's'},    {BVM_SECTION_GLOBALS, 24, 4, 4, '2'},
    {BVM_SECTION_GLOBALS, 24, 8, 4, 'p'},    {BVM_SECTION_GLOBALS, 24, 12, 4, 'o'},   {BVM_SECTION_GLOBALS, 24, 16, 8, '#'},
    {BVM_SECTION_FUNCTIONS, 48, 0, 4, 's'},  {BVM_SECTION_FUNCTIONS, 48, 4, 4, 'o'},  {BVM_SECTION_FUNCTIONS, 48, 8, 4, 'r'},
    {BVM_SECTION_FUNCTIONS, 48, 12, 4, 'r'}, {BVM_SECTION_FUNCTIONS, 48, 16, 4, '#'}, {BVM_SECTION_FUNCTIONS, 48, 20, 4, '#'},
    {BVM_SECTION_FUNCTIONS, 48, 24, 4, '#'}, {BVM_SECTION_FUNCTIONS, 48, 32, 8, 'm'}, {BVM_SECTION_FUNCTIONS, 48, 40, 8, '#'},
    {BVM_SECTION_TILES, 4, 0, 1, 'e'},       {BVM_SECTION_TILES, 4, 1, 1, '1'},       {BVM_SECTION_TILES, 4, 2, 2, 'c'},
    {BVM_SECTION_TILES, 4, 2, 2, 'c'},       {BVM_SECTION_TILES, 4, 1, 1, '1'},       {BVM_SECTION_LINES, 12, 0, 4, '#'},
    {BVM_SECTION_LINES, 12, 4, 4, '#'},      {BVM_SECTION_LINES, 12, 8, 4, '#'},      {BVM_SECTION_EXPORTS, 12, 0, 4, 's'},
    {BVM_SECTION_EXPORTS, 12, 4, 4, 'o'},    {BVM_SECTION_EXPORTS, 12, 8, 4, 'o'},    {BVM_SECTION_SOURCES, 4, 0, 4, 's'},
    {BVM_SECTION_DEBUG_OPS, 24, 0, 4, '#'},  {BVM_SECTION_DEBUG_OPS, 24, 4, 4, 's'},  {BVM_SECTION_DEBUG_OPS, 24, 8, 4, '#'},
    {BVM_SECTION_DEBUG_OPS, 24, 16, 4, 's'}, {BVM_SECTION_DEBUG_OPS, 24, 20, 4, 's'}, {BVM_SECTION_CONSTANTS, 24, 0, 8, '#'},
    {BVM_SECTION_CONSTANTS, 24, 8, 8, '#'},  {BVM_SECTION_CONSTANTS, 24, 16, 8, 'b'}, {BVM_SECTION_CODE, 8, 0, 8, '#'},
};

static uint64_t get_bytes(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = n; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static void put_bytes(uint8_t *p, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static uint64_t field_value(Mutant *m, const Part *part, const Field *f, uint64_t old)
{
    static const uint16_t lanes[] = {1, 2, 7, 8, 9, 15, 16, 17, 64, 512, 4096, 65535};
    uint32_t records = (uint32_t)(part->n / f->record);
    if (one_in(m, 10))
        return edge(m, old);
    switch (f->what) {
    case 's':
        return rnd(m, count_of(m, BVM_SECTION_STRINGS));
    case 'o':
        return get_bytes(part->data + f->record * (size_t)rnd(m, records) + f->at, f->bytes);
    case '2':
        return old ^ (1 + rnd(m, 3));
    case '1':
        return old ^ 1;
    case 'p':
        return 1ull << rnd(m, 22);
    case 'r': /* more registers than are used do no harm */
        return one_in(m, 2) ? old + rnd(m, 9) : one_in(m, 4) ? 65535 : old - 1;
    case 'm':
        return one_in(m, 4) ? 64ull << rnd(m, 36) : 64 * (uint64_t)rnd(m, 20);
    case 'e':
        return 1 + rnd(m, BVM_ELEMS);
    case 'c':
        return lanes[rnd(m, sizeof lanes / sizeof *lanes)];
    case 'b':
        return one_in(m, 2) ? old * (1ull << rnd(m, 50)) : edge(m, old);
    default:
        return edge(m, old);
    }
}

static void mutate_record(Mutant *m)
{
    for (int tries = 0; tries < 20; tries++) {
        const Field *f = &fields[rnd(m, sizeof fields / sizeof *fields)];
        Part *part = part_of(m, f->section);
        if (!part || part->n < f->record)
            continue;
        uint32_t record = rnd(m, (uint32_t)(part->n / f->record));
        uint8_t *p = part->data + f->record * (size_t)record + f->at;
        uint64_t value = field_value(m, part, f, get_bytes(p, f->bytes));
        put_bytes(p, value, f->bytes);
        m->needs = m->needs || f->section == BVM_SECTION_FUNCTIONS;
        say(m, " section %u, record %u, byte %u is 0x%llx;", f->section, record, f->at, (unsigned long long)value);
        return;
    }
}

/* Types have no fixed size: they are walked.  Static sizes and strides take other static ones, so that banks stay right. */
static void mutate_type(Mutant *m)
{
    Part *part = part_of(m, BVM_SECTION_TYPES);
    if (!part || !part->count)
        return;
    uint32_t pick = rnd(m, part->count);
    size_t at = 0, bytes = 0;
    for (uint32_t i = 0; i <= pick; i++) {
        at += bytes;
        if (at + BVM_TYPE_BYTES > part->n)
            return;
        uint32_t rank = bvm_get32(part->data + at + 4);
        if (rank > BUFVM_MAX_RANK)
            return;
        bytes = BVM_TYPE_BYTES + 8 * (size_t)rank * (part->data[at + 2] & BVM_TYPE_STRIDES ? 2 : 1);
    }
    if (at + bytes > part->n)
        return;
    uint8_t *p = part->data + at;
    size_t numbers = (bytes - BVM_TYPE_BYTES) / 8;
    say(m, " type %u:", pick);
    switch (rnd(m, 6)) {
    case 0:
        p[1] = (uint8_t)(one_in(m, 8) ? edge(m, p[1]) : 1 + rnd(m, BVM_ELEMS - 1));
        break;
    case 1:
        p[2] ^= (uint8_t)(one_in(m, 4) ? 1u << rnd(m, 8) : BVM_TYPE_MEMREF);
        break;
    case 2:
        put_bytes(p + 16, edge(m, bvm_get64(p + 16)), 8);
        break;
    case 3:
        put32(p + 4, (uint32_t)edge(m, bvm_get32(p + 4)));
        break;
    case 4:
        p[0] = (uint8_t) "svu"[rnd(m, 3)];
        break;
    default:
        if (numbers) {
            uint8_t *number = p + BVM_TYPE_BYTES + 8 * (size_t)rnd(m, (uint32_t)numbers);
            if (bvm_get64(number) != UINT64_MAX || one_in(m, 8))
                put_bytes(number, edge(m, bvm_get64(number)), 8);
        }
    }
    say(m, " kind %c, element %u, flags %u;", p[0], p[1], p[2]);
}

static void mutate_signature(Mutant *m)
{
    Part *part = part_of(m, BVM_SECTION_SIGNATURES);
    if (!part || part->n < 12)
        return;
    size_t at = 4 * (size_t)rnd(m, (uint32_t)(part->n / 4));
    uint32_t old = bvm_get32(part->data + at),
             value = one_in(m, 8) ? (uint32_t)edge(m, old) : rnd(m, count_of(m, BVM_SECTION_TYPES));
    put32(part->data + at, value);
    say(m, " signatures, byte %zu is %u;", at, value);
}

/* -- sections -------------------------------------------------------------------------------------------- */

static void remove_part(Mutant *m, unsigned i)
{
    free(m->parts[i].data);
    memmove(&m->parts[i], &m->parts[i + 1], (m->nparts - i - 1) * sizeof *m->parts);
    m->nparts--;
}

static void insert_part(Mutant *m, unsigned i, const Part *part)
{
    if (m->nparts == MAX_PARTS)
        return;
    memmove(&m->parts[i + 1], &m->parts[i], (m->nparts - i) * sizeof *m->parts);
    m->parts[i] = (Part){.kind = part->kind, .count = part->count};
    m->nparts++;
    set_part(&m->parts[i], part->data, part->n);
}

/* The section of another golden module in the place of this one's. */
static void borrow_part(Mutant *m)
{
    const Golden *g = &m->goldens->all[rnd(m, (uint32_t)m->goldens->n)];
    uint32_t n = bvm_get32(g->data + 12), pick = rnd(m, n);
    if (!n)
        return;
    const uint8_t *entry = g->data + BVM_HEADER_BYTES + BVM_ENTRY_BYTES * (size_t)pick;
    Part part = {bvm_get32(entry), bvm_get32(entry + 4), (size_t)bvm_get64(entry + 16), g->data + bvm_get64(entry + 8)};
    Part *mine = part_of(m, part.kind);
    say(m, " section %u of %s;", part.kind, g->name);
    if (mine) {
        mine->count = part.count;
        set_part(mine, part.data, part.n);
        return;
    }
    unsigned at = 0;
    while (at < m->nparts && m->parts[at].kind < part.kind)
        at++;
    insert_part(m, at, &part);
}

static void resize_part(Mutant *m, Part *part)
{
    static const uint8_t zeros[64];
    size_t unit = (size_t[]){1, 4, 8, 12, 24, 48}[rnd(m, 6)];
    if (one_in(m, 2) && part->n > unit)
        splice(part, part->n - unit, unit, NULL, 0);
    else
        splice(part, part->n, 0, zeros, unit);
    if (one_in(m, 2))
        part->count = (uint32_t)(part->n / unit);
    say(m, " section %u has %zu bytes;", part->kind, part->n);
}

static void mutate_parts(Mutant *m)
{
    if (!m->nparts)
        return;
    unsigned i = rnd(m, m->nparts);
    Part *part = &m->parts[i];
    switch (rnd(m, 8)) {
    case 0:
        say(m, " section %u is gone;", part->kind);
        remove_part(m, i);
        break;
    case 1: {
        Part copy = {part->kind, part->count, part->n, malloc(part->n + 1)};
        memcpy(copy.data, part->data, part->n);
        insert_part(m, one_in(m, 2) ? i : m->nparts, &copy);
        free(copy.data);
        say(m, " section %u twice;", copy.kind);
        break;
    }
    case 2: {
        unsigned j = rnd(m, m->nparts);
        Part copy = *part;
        *part = m->parts[j];
        m->parts[j] = copy;
        say(m, " sections %u and %u changed places;", i, j);
        break;
    }
    case 3:
        part->count = (uint32_t)edge(m, part->count);
        say(m, " section %u has count %u;", part->kind, part->count);
        break;
    case 4:
        part->kind = (uint32_t)edge(m, part->kind);
        say(m, " section %u is of kind %u;", i, part->kind);
        break;
    case 5: { /* what a later version may have */
        uint8_t bytes[40] = {1};
        Part later = {17 + rnd(m, 4), rnd(m, 9), 1 + rnd(m, 40), bytes};
        insert_part(m, m->nparts, &later);
        m->minor = (uint16_t)rnd(m, 3);
        say(m, " unknown section %u, minor version %u;", later.kind, m->minor);
        break;
    }
    case 6:
        borrow_part(m);
        break;
    default:
        resize_part(m, part);
    }
}

/* A number at its edge at any place of a section, or bytes of one place at another. */
static void mutate_bytes(Mutant *m)
{
    if (!m->nparts)
        return;
    Part *part = &m->parts[rnd(m, m->nparts)];
    unsigned bytes = 1u << rnd(m, 4);
    if (part->n < 2 * bytes)
        return;
    size_t at = (size_t)rnd(m, (uint32_t)(part->n / bytes)) * bytes;
    if (one_in(m, 4)) {
        size_t from = (size_t)rnd(m, (uint32_t)(part->n / bytes)) * bytes, n = 1 + rnd(m, 64);
        n = n > part->n - at ? part->n - at : n;
        n = n > part->n - from ? part->n - from : n;
        memmove(part->data + at, part->data + from, n);
    } else {
        put_bytes(part->data + at, edge(m, get_bytes(part->data + at, bytes)), bytes);
    }
    say(m, " section %u, %u bytes at %zu;", part->kind, bytes, at);
}

/* Header and table of the finished file: offsets, sizes, versions. */
static void mutate_file(Mutant *m, uint8_t *file, size_t *size)
{
    size_t head = BVM_HEADER_BYTES + BVM_ENTRY_BYTES * (size_t)m->nparts;
    if (one_in(m, 4)) {
        *size = rnd(m, (uint32_t)*size + 1);
        if (*size >= BVM_HEADER_BYTES && one_in(m, 2))
            bvm_put64(file + 16, *size);
        say(m, " cut to %zu bytes;", *size);
        return;
    }
    unsigned bytes = one_in(m, 2) ? 8 : 4;
    size_t at = bytes * (size_t)rnd(m, (uint32_t)(head / bytes));
    put_bytes(file + at, edge(m, get_bytes(file + at, bytes)), bytes);
    say(m, " head: %u bytes at %zu;", bytes, at);
}

/* -- mutants ------------------------------------------------------------------------------------------------ */

/* The needs that the loader asks for, one after the other as it tells them. */
static void fix_needs(uint8_t *file, size_t size)
{
    for (int i = 0; i < 12; i++) {
        BvmModule module;
        BufvmError error = {0};
        BufvmStatus status = bvm_module_read(NULL, file, size, 0, &module, &error);
        if (status == BUFVM_OK)
            bvm_module_free(&module);
        const char *should = strstr(error.text, "should be ");
        if (status != BUFVM_INVALID_MODULE || !should || !strstr(error.text, "local memory need") || error.offset + 16 > size)
            return;
        bvm_put64(file + error.offset + 8, strtoull(should + strlen("should be "), NULL, 10));
    }
}

static uint8_t *make_mutant(Mutant *m, size_t *size)
{
    uint32_t n = (uint32_t)m->goldens->n, last = n < 7 ? n : 7; /* the files, which have more kinds of records, come more often */
    take_apart(m, &m->goldens->all[one_in(m, 3) ? n - 1 - rnd(m, last) : rnd(m, n)]);
    say(m, "%s:", m->golden->name);
    bool head = false;
    for (uint32_t times = 1 + rnd(m, 2) + rnd(m, 2) * rnd(m, 4); times; times--)
        switch (rnd(m, 20)) {
        case 0:
        case 1:
        case 2:
            mutate_record(m);
            break;
        case 3:
            mutate_type(m);
            break;
        case 4:
            mutate_signature(m);
            break;
        case 5:
            mutate_parts(m);
            break;
        case 6:
            mutate_bytes(m);
            break;
        case 7:
            head = one_in(m, 2);
            break;
        default:
            mutate_code(m);
        }
    uint8_t *file = put_together(m, size);
    if (head)
        mutate_file(m, file, size);
    if (m->needs && !one_in(m, 16))
        fix_needs(file, *size);
    for (unsigned i = 0; i < m->nparts; i++)
        free(m->parts[i].data);
    return file;
}

static Trial trial_of(Mutant *m, uint64_t number)
{
    Trial trial = {.seed = number + 1, .open = GOLDEN_LANES};
    if (one_in(m, 4)) { /* what the golden module is called with */
        trial.seed = 0;
        trial.open = m->golden->nwant > GOLDEN_LANES ? (int64_t)m->golden->nwant : GOLDEN_LANES;
    }
    trial.switched = one_in(m, 4);
    trial.portable = one_in(m, 4);
    trial.threads = one_in(m, 16) ? 1 + rnd(m, 3) : 1;
    trial.watch = one_in(m, 6);
    trial.compare = one_in(m, 5);
    trial.text = one_in(m, 8);
    return trial;
}

static bool write_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(data, 1, size, f) == size;
    return f && fclose(f) == 0 && ok;
}

static bool try_mutant(const Goldens *goldens, uint64_t seed, uint64_t number, const char *path, Tally *tally)
{
    static Mutant m;
    memset(&m, 0, sizeof m);
    m.goldens = goldens;
    m.state = (seed * 0x9E3779B97F4A7C15u) ^ (number * 0xD1B54A32D192ED03u + 0x2545F4914F6CDD1Du);
    for (int i = 0; i < 4; i++)
        rnd(&m, 2);
    size_t size = 0;
    trial_note("--seed=%llu --from=%llu --count=1: being made", (unsigned long long)seed, (unsigned long long)number);
    uint8_t *data = make_mutant(&m, &size);
    Trial trial = trial_of(&m, number);
    trial_note("--seed=%llu --from=%llu --count=1\n%s", (unsigned long long)seed, (unsigned long long)number, m.what);
    bool ok = (!path || write_file(path, data, size)) && trial_run(data, size, &trial, tally);
    free(data);
    return ok;
}

int main(int argc, char **argv)
{
    uint64_t seed = 1, from = 0, count = 20000;
    const char *path = NULL;
    Goldens goldens = {0};
    bool ok = goldens_make(&goldens);
    for (int i = 1; i < argc && ok; i++) {
        if (strncmp(argv[i], "--seed=", 7) == 0)
            seed = strtoull(argv[i] + 7, NULL, 10);
        else if (strncmp(argv[i], "--from=", 7) == 0)
            from = strtoull(argv[i] + 7, NULL, 10);
        else if (strncmp(argv[i], "--count=", 8) == 0)
            count = strtoull(argv[i] + 8, NULL, 10);
        else if (strncmp(argv[i], "--write=", 8) == 0)
            path = argv[i] + 8;
        else
            ok = goldens_read(&goldens, argv[i]);
    }
    trial_open_note("structured.trial");
    Tally tally;
    memset(&tally, 0, sizeof tally);
    for (uint64_t i = 0; i < count && ok; i++)
        ok = try_mutant(&goldens, seed, from + i, path, &tally);
    if (ok) {
        trial_print(&tally);
        trial_close_note();
    }
    goldens_free(&goldens);
    return !ok;
}
