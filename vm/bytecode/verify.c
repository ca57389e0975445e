/* The verifier: one pass over each function's code, under the promises of module.h.
 *
 * Jumps are checked with two bitmaps: where instructions start outside of strips, and which words are jumped to;
 * at the end of the function the second must lie inside the first.  Whether a strip tile was written
 * under the strip that reads it is a stamp per tile: strips have distinct numbers.
 */
#include "file.h"
#include "opnames.h"

typedef struct State {
    const BvmVerify *in;
    BvmModule *m;
    BvmFunc *f;
    uint32_t function;
    BvmArena arena;
    BvmVec edges;
    uint16_t *list_space;
    uint64_t *starts, *strip_starts, *targets; /* a bit per word */
    uint32_t *stamps;                          /* per tile: the strip that wrote it */
    /* of the function's walk */
    size_t at;           /* word of the instruction */
    size_t next;         /* word behind it */
    uint64_t table_left; /* jmp instructions of a switch still to come */
    bool in_strip;
    uint32_t strip; /* number, counted over the module */
    uint32_t strip_lanes, strip_register;
    uint64_t strip_first, strip_end; /* words: its first instruction; behind it */
    char why[256];                   /* reason of the refusal */
} State;

static void set_bit(uint64_t *bits, uint64_t i)
{
    bits[i / 64] |= UINT64_C(1) << i % 64;
}
static bool get_bit(const uint64_t *bits, uint64_t i)
{
    return bits[i / 64] >> i % 64 & 1;
}

/* All checks return true when the instruction may stand; else the reason is in v->why. */
__attribute__((format(printf, 2, 3))) static bool refuse(State *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(v->why, sizeof v->why, format, args);
    va_end(args);
    return false;
}

/* -- registers ------------------------------------------------------------------------ */

static bool check_register(State *v, char bank, uint32_t number)
{
    uint32_t n = bank == 's' ? v->f->nscalars : bank == 'b' ? v->f->nbuffers : v->f->ntiles;
    return number < n || refuse(v, "register %c%u of %u", bank, number, n);
}

static char bank_of_kind(char kind)
{
    return strchr("wrm", kind) ? 's' : strchr("WbM", kind) ? 'b' : 't';
}

static bool check_list(State *v, const uint16_t *list, const char *banks, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!check_register(v, banks[i], list[i]))
            return false;
    return true;
}

/* A list of arguments, then results. */
static bool check_call_list(State *v, const BvmInsn *insn, const BvmBanks *sig)
{
    if (insn->nlist != (uint64_t)sig->nargs + sig->nresults)
        return refuse(v, "%u operands for a callee with %u arguments and %u results", insn->nlist, sig->nargs, sig->nresults);
    return check_list(v, insn->list, sig->args, sig->nargs) && check_list(v, insn->list + sig->nargs, sig->results, sig->nresults);
}

/* -- tiles ------------------------------------------------------------------------------ */

static bool check_tile_type(State *v, const BvmInsn *insn, unsigned k, const BvmTileDecl *tile)
{
    unsigned want = bvm_tile_elem(insn, k);
    if (bvm_tile_storage(tile->etype) == bvm_tile_storage(want))
        return true;
    if (insn->row == BVM_OP_t_mov && bvm_elem_bytes(tile->etype) == bvm_elem_bytes(want) && tile->etype != BVM_I1 && want != BVM_I1)
        return true; /* t.mov also reinterprets */
    return refuse(v, "a tile of %s where one of %s is needed", bvm_elem_name(tile->etype), bvm_elem_name(want));
}

static bool needs_full_tile(uint16_t row, char kind)
{
    return kind == 'A' || row == BVM_OP_t_extract;
}

/* A tile that an instruction names; capacity is that of its first tile, 0 before. */
static bool check_tile(State *v, const BvmInsn *insn, char kind, unsigned k, uint32_t number, uint32_t *capacity)
{
    const BvmTileDecl *tile = &v->f->tiles[number];
    if (!check_tile_type(v, insn, k, tile))
        return false;
    if (needs_full_tile(insn->row, kind))
        return tile->full || refuse(v, "t%u is not a full tile", number);
    if (!v->in_strip) {
        if (!tile->full)
            return refuse(v, "t%u is not a full tile and used outside of a strip", number);
        if (*capacity && *capacity != tile->capacity)
            return refuse(v, "tiles of %u and %u lanes outside of a strip", *capacity, tile->capacity);
        *capacity = tile->capacity;
        return true;
    }
    if (tile->capacity < v->strip_lanes)
        return refuse(v, "t%u has %u lanes in a strip of %u", number, tile->capacity, v->strip_lanes);
    if (kind == 't' && !tile->full && v->stamps[number] != v->strip)
        return refuse(v, "t%u is read and was not written under this strip", number);
    return true;
}

static bool check_fields(State *v, const BvmInsn *insn)
{
    const char *kinds = bvm_ops[insn->row].kinds;
    unsigned field = 0, tiles = 0;
    uint32_t capacity = 0;
    for (const char *k = kinds; *k; k++) {
        if (!strchr(BVM_FIELD_KINDS, *k))
            continue;
        uint16_t number = insn->regs[field++];
        if (*k == 'h')
            continue;
        char bank = bank_of_kind(*k);
        if (!check_register(v, bank, number))
            return false;
        if (bank == 't' && !check_tile(v, insn, *k, tiles++, number, &capacity))
            return false;
    }
    if (v->in_strip && tiles) { /* reads were checked before any write counts */
        field = 0;
        for (const char *k = kinds; *k; k++)
            if (strchr(BVM_FIELD_KINDS, *k)) {
                if (*k == 'T') /* a place is no value: what stood there is not the tile's */
                    v->stamps[insn->regs[field]] = insn->row == BVM_OP_t_dest ? 0 : v->strip;
                field++;
            }
    }
    return true;
}

/* -- numbers ------------------------------------------------------------------------------ */

static bool check_wide(State *v, char kind, uint64_t value)
{
    static const char *const names[] = {
        ['l'] = "label", ['k'] = "constant", ['g'] = "global", ['f'] = "function", ['n'] = "import", ['s'] = "string"};
    uint64_t n = kind == 'l'   ? v->f->ncode
                 : kind == 'k' ? v->m->nconstants
                 : kind == 'g' ? v->m->nglobals
                 : kind == 'f' ? v->m->nfunctions
                 : kind == 'n' ? v->m->nimports
                               : v->m->nstrings;
    return value < n || refuse(v, "%s %llu of %llu", names[(unsigned char)kind], (unsigned long long)value, (unsigned long long)n);
}

static bool check_wides(State *v, const BvmInsn *insn)
{
    unsigned i = 0;
    for (const char *k = bvm_ops[insn->row].kinds; *k; k++) {
        if (!strchr(BVM_WIDE_KINDS, *k))
            continue;
        uint64_t value = insn->wide[i++];
        if (*k == 'i')
            continue;
        if (!check_wide(v, *k, value))
            return false;
        if (*k == 'l' && !v->in_strip)
            set_bit(v->targets, value);
    }
    return true;
}

/* -- strips --------------------------------------------------------------------------------- */

static bool begin_strip(State *v, const BvmInsn *insn)
{
    v->strip_lanes = insn->regs[2];
    v->strip_register = insn->regs[0];
    v->strip_first = v->next;
    v->strip_end = insn->wide[0];
    if (v->strip_lanes == 0)
        return refuse(v, "a strip of 0 lanes");
    if (v->strip_end <= v->next)
        return refuse(v, "a strip's end does not lie behind it");
    v->in_strip = true;
    v->strip++;
    return true;
}

static bool end_strip(State *v, const BvmInsn *insn)
{
    if (!v->in_strip)
        return refuse(v, "strip.next outside of a strip");
    if (insn->regs[0] != v->strip_register || insn->wide[0] != v->strip_first || v->next != v->strip_end)
        return refuse(v, "strip.next does not fit the strip that it ends");
    v->in_strip = false;
    return true;
}

/* Inside a strip nothing transfers control but `loop`, and no buffer register changes: tiles may be views of buffers. */
static bool may_stand_in_strip(State *v, const BvmInsn *insn)
{
    const BvmOpInfo *op = &bvm_ops[insn->row];
    switch (insn->row) {
    case BVM_OP_strip_next:
        return true;
    case BVM_OP_loop:
        if (insn->wide[0] < v->strip_first || insn->wide[0] > v->at || !get_bit(v->strip_starts, insn->wide[0]))
            return refuse(v, "a loop inside a strip does not lead back inside it");
        return true;
    case BVM_OP_unreachable:
    case BVM_OP_switch:
    case BVM_OP_probe:
    case BVM_OP_strip:
    case BVM_OP_buffer_dealloc:
    case BVM_OP_func_ref:
        return refuse(v, "'%s' inside a strip", op->name);
    default:
        if (strpbrk(op->kinds, "lWM*"))
            return refuse(v, "'%s' inside a strip", op->name);
        return true;
    }
}

/* -- kernels ------------------------------------------------------------------------------------ */

static bool takes(unsigned row, unsigned etype)
{
    return row < BVM_TILE && bvm_ops[row].name && (bvm_ops[row].etypes >> etype & 1);
}
static bool is_float(unsigned etype)
{
    return bvm_elem_class(etype) == 'F' || bvm_elem_class(etype) == 'S';
}

/* Inputs that a reduction converts; which ones the kernel has is its own matter. */
static bool widens(unsigned from, unsigned to)
{
    if (from >= BVM_I1 && from <= BVM_I64)
        return (to <= BVM_I64 && from < to) || to == BVM_F32 || to == BVM_F64;
    return from >= BVM_F16 && from < to && to >= BVM_F32 && to <= BVM_F64;
}

enum { FILL = 1, COPY, CONTRACT, REDUCE, ARGREDUCE };

/* Element types of the operands and the second immediate. */
static bool check_kernel_types(State *v, unsigned kernel, unsigned operands, const unsigned e[3], uint64_t parameter)
{
    for (unsigned i = 0; i < 3; i++)
        if (i < operands ? !bvm_elem_name(e[i]) : e[i] != 0)
            return refuse(v, "kernel operand %u has element type code %u", i, e[i]);
    char class = bvm_elem_class(e[0]);
    bool ok = true;
    switch (kernel) {
    case FILL:
        ok = class != 'C' && parameter == 0;
        break;
    case COPY:
        ok = e[0] == e[1] && parameter == 0;
        break;
    case CONTRACT:
        ok = (class == 'I' && bvm_elem_class(e[1]) == 'I' && bvm_elem_class(e[2]) == 'I') ||
             (class == 'F' && is_float(e[1]) && is_float(e[2]));
        ok = ok && parameter == 0;
        break;
    case REDUCE:
        ok = parameter < BVM_TILE && takes((unsigned)parameter, e[0] == BVM_I1 ? BVM_I8 : e[0]) && bvm_ops[parameter].form == '2' &&
             (e[0] == e[1] || widens(e[1], e[0]));
        break;
    case ARGREDUCE:
        ok = (parameter & 0xffff) < BVM_TILE && takes(parameter & 0xffff, e[0]) && bvm_ops[parameter & 0xffff].form == 'c';
        parameter >>= 16;
        ok = ok && (parameter == 0 || (((parameter >= BVM_OP_maximumf && parameter <= BVM_OP_minnumf) ||
                                        (parameter >= BVM_OP_cmpf_ugt && parameter <= BVM_OP_cmpf_ule)) &&
                                       takes((unsigned)parameter, e[0])));
        break;
    default:
        break;
    }
    return ok || refuse(v, "element types or parameter that kernel '%s' does not take", bvm_kernel_table[kernel].name);
}

static bool check_kernel(State *v, const BvmInsn *insn)
{
    uint64_t word = insn->wide[0];
    unsigned kernel = word & 0xFFFF, rank = word >> 16 & 0xFF;
    unsigned etypes[3] = {word >> 24 & 0xFF, word >> 32 & 0xFF, word >> 40 & 0xFF};
    if (kernel >= BVM_KERNELS || !bvm_kernel_table[kernel].name)
        return refuse(v, "unknown kernel %u", kernel);
    if (rank > BVM_KERNEL_MAX_RANK)
        return refuse(v, "kernel of rank %u, the most is %u", rank, BVM_KERNEL_MAX_RANK);
    uint32_t at = 0;
    unsigned operands = 0;
    for (const char *k = bvm_kernel_table[kernel].operands; *k; k++) {
        bool view = *k == 'o' || *k == 'i';
        uint32_t slots = *k == 'N' ? rank : view ? rank + 1 : 1;
        operands += view;
        if (insn->nlist - at < slots + view)
            return refuse(v, "the kernel's operand list is too short");
        if (view && !check_register(v, 'b', insn->list[at++]))
            return false;
        for (uint32_t i = 0; i < slots; i++)
            if (!check_register(v, 's', insn->list[at++]))
                return false;
    }
    if (at != insn->nlist)
        return refuse(v, "the kernel's operand list is too long");
    return check_kernel_types(v, kernel, operands, etypes, insn->wide[1]);
}

/* -- calls ------------------------------------------------------------------------------------------ */

static bool note_edge(State *v, uint32_t to)
{
    BvmEdge edge = {v->function, to};
    v->f->has_calls = true;
    return bvm_vec_append(&v->m->allocator, &v->edges, &edge, sizeof edge) || refuse(v, "out of memory");
}

static bool check_grid(State *v, const BvmInsn *insn)
{
    const BvmFunc *callee = &v->m->functions[insn->wide[0]];
    if (callee->sig.nresults || callee->sig.nargs != (uint64_t)insn->nlist + 1 || callee->sig.args[insn->nlist] != 's')
        return refuse(v, "a grid's function takes the listed arguments and the workgroup's number and has no results");
    return check_list(v, insn->list, callee->sig.args, insn->nlist) && note_edge(v, (uint32_t)insn->wide[0]);
}

static bool check_call(State *v, const BvmInsn *insn)
{
    uint32_t callee = (uint32_t)insn->wide[0];
    BvmBanks sig;
    switch (insn->row) {
    case BVM_OP_call:
        return check_call_list(v, insn, &v->m->functions[callee].sig) && note_edge(v, callee);
    case BVM_OP_call_import: {
        const BvmText *banks = &v->m->strings[v->m->signatures[v->m->imports[callee].signature].banks];
        v->f->has_calls = true;
        return bvm_banks_parse(banks->text, banks->n, &sig) ? check_call_list(v, insn, &sig) : refuse(v, "an import without banks");
    }
    default:
        if (!bvm_banks_parse(v->m->strings[callee].text, v->m->strings[callee].n, &sig))
            return refuse(v, "an indirect call without valid banks");
        return check_call_list(v, insn, &sig) && note_edge(v, v->m->nfunctions + callee);
    }
}

/* -- rules of single rows -------------------------------------------------------------------------------- */

static bool check_width(State *v, unsigned bits)
{
    return (bits >= 1 && bits <= 64) || refuse(v, "a width of %u bits", bits);
}

static bool check_destination(State *v, unsigned row, unsigned etype)
{
    bool to_int = row == BVM_OP_ftosi || row == BVM_OP_ftoui || row == BVM_OP_exts || row == BVM_OP_extu;
    bool ok = bvm_elem_name(etype) && (to_int ? bvm_elem_class(etype) == 'I' : is_float(etype));
    return ok || refuse(v, "destination element type code %u", etype);
}

/* An unknown compare would select nothing: the result would be what the tile's memory held before. */
static bool check_compare(State *v, unsigned etype, unsigned number)
{
    unsigned n = bvm_elem_class(etype) == 'F' ? BVM_OP_cmpf_uno - BVM_OP_cmpf_oeq + 1 : BVM_OP_cmpi_uge - BVM_OP_cmpi_eq + 1;
    return number < n || refuse(v, "compare %u of %u", number, n);
}

static bool check_alloc(State *v, uint64_t flags)
{
    uint64_t align = flags & UINT32_MAX;
    return (flags >> 34 == 0 && !(align & (align - 1)) && align <= BVM_MAX_ALIGN) ||
           refuse(v, "buffer.alloc with alignment word 0x%llx", (unsigned long long)flags);
}

static bool check_local(State *v, uint64_t offset, uint64_t length)
{
    if (offset > v->f->local_own || length > v->f->local_own - offset)
        return refuse(v, "buffer.local outside of the function's %llu bytes", (unsigned long long)v->f->local_own);
    return offset % 16 == 0 || refuse(v, "buffer.local at offset %llu, which is not a multiple of 16", (unsigned long long)offset);
}

static bool check_special(State *v, const BvmInsn *insn)
{
    switch (insn->row) {
    case BVM_OP_switch:
        v->table_left = insn->wide[1];
        if (v->table_left >= v->f->ncode)
            return refuse(v, "a switch with %llu cases", (unsigned long long)v->table_left);
        v->table_left++;
        return true;
    case BVM_OP_call:
    case BVM_OP_call_import:
    case BVM_OP_call_indirect:
        return check_call(v, insn);
    case BVM_OP_ret:
        if (insn->nlist != v->f->sig.nresults)
            return refuse(v, "%u registers returned from a function with %u results", insn->nlist, v->f->sig.nresults);
        return check_list(v, insn->list, v->f->sig.results, insn->nlist);
    case BVM_OP_probe:
        return insn->wide[0] <= UINT32_MAX || refuse(v, "probe number %llu", (unsigned long long)insn->wide[0]);
    case BVM_OP_grid:
        return check_grid(v, insn);
    case BVM_OP_func_ref:
        v->in->functions[insn->wide[0]].referenced = true;
        return true;
    case BVM_OP_sext:
    case BVM_OP_zext:
    case BVM_OP_ftosi_width:
    case BVM_OP_ftoui_width:
        return check_width(v, insn->regs[2]);
    case BVM_OP_fconv_round:
        return check_destination(v, BVM_OP_fconv, insn->regs[2]) &&
               (insn->regs[3] <= 4 || refuse(v, "rounding mode %u", insn->regs[3]));
    case BVM_OP_t_cmpsel_tttt:
    case BVM_OP_t_cmpsel_tstt:
    case BVM_OP_t_cmpsel_tsst:
        return check_compare(v, insn->etype, insn->regs[5]);
    case BVM_OP_buffer_alloc:
        return check_alloc(v, insn->wide[0]);
    case BVM_OP_buffer_local:
        return check_local(v, insn->wide[0], insn->wide[1]);
    case BVM_OP_strip:
        return begin_strip(v, insn);
    case BVM_OP_strip_next:
        return end_strip(v, insn);
    case BVM_OP_kernel:
        return check_kernel(v, insn);
    default:
        if (bvm_ops[insn->row].form == 'x')
            return check_destination(v, insn->row % BVM_TILE, insn->regs[2]);
        return true;
    }
}

static bool is_terminator(unsigned row)
{
    return row == BVM_OP_ret || row == BVM_OP_jmp || row == BVM_OP_unreachable;
}

static bool check_insn(State *v, const BvmInsn *insn)
{
    if (v->table_left) {
        if (insn->row != BVM_OP_jmp)
            return refuse(v, "'%s' in the table of a switch", bvm_ops[insn->row].name);
        v->table_left--;
    }
    if (v->in_strip) {
        if (v->at >= v->strip_end)
            return refuse(v, "a strip is not closed by strip.next");
        set_bit(v->strip_starts, v->at);
        if (!may_stand_in_strip(v, insn))
            return false;
    } else {
        set_bit(v->starts, v->at);
    }
    /* A conversion's destination decides a tile's type: it is checked first. */
    if (bvm_ops[insn->row].form == 'x' && !check_special(v, insn))
        return false;
    return check_fields(v, insn) && check_wides(v, insn) && (bvm_ops[insn->row].form == 'x' || check_special(v, insn));
}

/* -- functions ----------------------------------------------------------------------------------------------- */

static BufvmStatus fail_at(State *v, uint64_t offset, size_t word)
{
    BufvmStatus status =
        bvm_fail(v->in->error, BUFVM_INVALID_MODULE, offset, "invalid module: function '%.200s', word %zu: %s (at byte %llu)",
                 v->f->name, word, v->why, (unsigned long long)offset);
    if (v->in->error) {
        snprintf(v->in->error->function, sizeof v->in->error->function, "%s", v->f->name);
        bvm_function_line(v->f, (uint32_t)word, &v->in->error->line, &v->in->error->col);
    }
    return status;
}

static uint64_t word_offset(const State *v, size_t word)
{
    return v->in->code_offset + 8 * (uint64_t)(v->f->code - v->m->functions[0].code + (ptrdiff_t)word);
}

static BufvmStatus fail_word(State *v, size_t word, const char *why)
{
    if (why)
        snprintf(v->why, sizeof v->why, "%s", why);
    return fail_at(v, word_offset(v, word), word);
}

/* Entries ascend and stand at instructions. */
static BufvmStatus check_lines(State *v)
{
    for (uint32_t i = 0; i < v->f->nlines; i++) {
        uint32_t word = v->f->lines[i].word;
        uint64_t offset = v->in->lines_offset + BVM_LINE_BYTES * (uint64_t)(v->f->lines - v->m->functions[0].lines + (ptrdiff_t)i);
        bool starts = word < v->f->ncode && (get_bit(v->starts, word) || get_bit(v->strip_starts, word));
        if (!starts || (i && v->f->lines[i - 1].word >= word)) {
            refuse(v,
                   starts ? "line table entry %u does not lie behind the one before"
                          : "line table entry %u is not of an instruction",
                   i);
            return fail_at(v, offset, word);
        }
    }
    return BUFVM_OK;
}

static BufvmStatus check_targets(State *v, size_t nbits)
{
    for (size_t i = 0; i < nbits; i++) {
        uint64_t wrong = v->targets[i] & ~v->starts[i];
        if (wrong)
            return fail_word(v, 64 * i + (size_t)__builtin_ctzll(wrong), "a jump leads here, into an instruction or a strip");
    }
    return BUFVM_OK;
}

static BufvmStatus verify_function(State *v)
{
    size_t n = v->f->ncode, nbits = (n + 63) / 64;
    memset(v->starts, 0, nbits * sizeof *v->starts);
    memset(v->strip_starts, 0, nbits * sizeof *v->starts);
    memset(v->targets, 0, nbits * sizeof *v->starts);
    v->table_left = 0;
    v->in_strip = false;
    unsigned last = BVM_ROWS;
    for (v->at = 0; v->at < n; v->at = v->next) {
        BvmInsn insn;
        const char *why = NULL;
        size_t used = bvm_decode(v->f->code + v->at, n - v->at, &insn, v->list_space, &why);
        if (!used)
            return fail_word(v, v->at, why);
        v->next = v->at + used;
        last = insn.row;
        if (!check_insn(v, &insn))
            return strcmp(v->why, "out of memory") == 0
                       ? bvm_fail(v->in->error, BUFVM_OUT_OF_MEMORY, 0, "out of memory while loading a module")
                       : fail_word(v, v->at, NULL);
    }
    if (v->in_strip || v->table_left || !is_terminator(last))
        return fail_word(v, n ? n - 1 : 0, "the code does not end in ret, jmp or unreachable");
    BufvmStatus status = check_targets(v, nbits);
    return status == BUFVM_OK ? check_lines(v) : status;
}

static BufvmStatus check_need(State *v)
{
    BvmModule *m = v->m;
    uint32_t bad = 0;
    uint64_t *own = bvm_arena_array(&v->arena, m->nfunctions, sizeof *own);
    uint64_t *need = bvm_arena_array(&v->arena, (size_t)m->nfunctions + m->nstrings, sizeof *need);
    uint32_t *banks = bvm_arena_array(&v->arena, m->nfunctions, sizeof *banks);
    uint8_t *referenced = bvm_arena_array(&v->arena, m->nfunctions, 1);
    BufvmStatus status = BUFVM_OUT_OF_MEMORY;
    if (own && need && banks && referenced) {
        for (uint32_t i = 0; i < m->nfunctions; i++) {
            own[i] = m->functions[i].local_own;
            banks[i] = m->functions[i].banks;
            referenced[i] = m->functions[i].referenced;
        }
        status = bvm_local_need(&m->allocator, m->nfunctions, m->nstrings, own, banks, referenced,
                                (const BvmEdge *)(const void *)v->edges.data, v->edges.n / sizeof(BvmEdge), need, &bad);
    }
    if (status == BUFVM_OUT_OF_MEMORY)
        return bvm_fail(v->in->error, status, 0, "out of memory while loading a module");
    if (status == BUFVM_LIMIT)
        return bvm_fail(v->in->error, status, 0, "the module has too many functions or calls");
    bad = bad < m->nfunctions ? bad : 0;
    if (status == BUFVM_OK)
        while (bad < m->nfunctions && need[bad] == m->functions[bad].local_need)
            bad++;
    if (status == BUFVM_OK && bad == m->nfunctions)
        return BUFVM_OK;
    v->f = &v->in->functions[bad];
    if (status == BUFVM_OK)
        refuse(v, "a local memory need of %llu bytes, should be %llu", (unsigned long long)v->f->local_need,
               (unsigned long long)need[bad]);
    else
        refuse(v, "local memory in a function on a call cycle, or too much of it");
    return fail_at(v, v->in->functions_offset + BVM_FUNCTION_BYTES * (uint64_t)bad + 32, 0);
}

BufvmStatus bvm_verify(const BvmVerify *verify)
{
    BvmModule *m = verify->module;
    State v = {.in = verify, .m = m};
    v.arena.allocator = &m->allocator;
    uint32_t ncode = 0, ntiles = 0;
    for (uint32_t i = 0; i < m->nfunctions; i++) {
        ncode = m->functions[i].ncode > ncode ? m->functions[i].ncode : ncode;
        ntiles = m->functions[i].ntiles > ntiles ? m->functions[i].ntiles : ntiles;
    }
    size_t nbits = ((size_t)ncode + 63) / 64;
    v.list_space = bvm_arena_alloc(&v.arena, 65536 * sizeof *v.list_space);
    v.starts = bvm_arena_array(&v.arena, nbits, sizeof *v.starts);
    v.strip_starts = bvm_arena_array(&v.arena, nbits, sizeof *v.starts);
    v.targets = bvm_arena_array(&v.arena, nbits, sizeof *v.starts);
    v.stamps = bvm_arena_array(&v.arena, ntiles, sizeof *v.stamps);
    BufvmStatus status = BUFVM_OK;
    if (!v.list_space || !v.starts || !v.strip_starts || !v.targets || !v.stamps)
        status = bvm_fail(verify->error, BUFVM_OUT_OF_MEMORY, 0, "out of memory while loading a module");
    for (uint32_t i = 0; i < m->nfunctions && status == BUFVM_OK; i++) {
        v.function = i;
        v.f = &verify->functions[i];
        status = verify_function(&v);
    }
    if (status == BUFVM_OK)
        status = check_need(&v);
    bvm_release(&m->allocator, v.edges.data, v.edges.capacity);
    bvm_arena_free(&m->allocator, v.arena.blocks);
    return status;
}
