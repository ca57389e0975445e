/* What the golden modules hold, and what they give: covered FILE.vmasm...
 *
 * Walks the built modules - of the files and the made ones of forms.h - instruction by instruction and record by record, and
 * compares with what the tables have: every row with every element type, the .raw flag, destinations, compares, widths, rounding
 * modes, promises, kernels with the types of each operand, combiners and flags, every operand kind, every section and kind of
 * record.  Names what is missing.  Then calls them, with both dispatch loops, with SIMD and without: made modules must give what
 * vm/numeric gives, the files what the list below says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"

#include "../../vm/bytecode/opnames.h"
#include "../../vm/numeric/numeric.h"

/* -- a set of facts ----------------------------------------------------------------------------- */

enum Fact {
    ROW,
    RAW,
    NUMBER1,
    NUMBER2,
    IN_STRIP,
    OUTSIDE,
    KIND,
    KERNEL,
    OPERAND,
    PAIR,
    FLAGS,
    PARAMETER,
    SECTION,
    TYPE,
    CONSTANT,
    GLOBAL,
    TILE,
    TEXT,
    RECORD
};
enum { FACTS = 1 << 17 };
static uint64_t facts[FACTS];

static size_t find(enum Fact fact, unsigned a, unsigned b, unsigned c, uint64_t *key)
{
    *key = (uint64_t)(fact + 1) << 56 | (uint64_t)(a & 0xFFFFF) << 36 | (uint64_t)(b & 0xFFFF) << 20 | (c & 0xFFFFF);
    size_t at = (size_t)(*key * UINT64_C(0x9E3779B97F4A7C15) >> 47);
    while (facts[at] && facts[at] != *key)
        at = (at + 1) % FACTS;
    return at;
}

static void note(enum Fact fact, unsigned a, unsigned b, unsigned c)
{
    uint64_t key;
    size_t at = find(fact, a, b, c, &key);
    facts[at] = key;
}

static unsigned long wanted, missing;

__attribute__((format(printf, 5, 6))) static void need(enum Fact fact, unsigned a, unsigned b, unsigned c, const char *format, ...)
{
    uint64_t key;
    wanted++;
    if (facts[find(fact, a, b, c, &key)])
        return;
    missing++;
    char text[128];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "no golden module has %s\n", text);
}

/* -- walking ---------------------------------------------------------------------------------------- */

static uint16_t list_space[65536];

static void walk_kernel(const BvmInsn *insn)
{
    unsigned kernel = insn->wide[0] & 0xFFFF, rank = insn->wide[0] >> 16 & 0xFF, flags = (unsigned)(insn->wide[0] >> 48);
    unsigned e[3] = {insn->wide[0] >> 24 & 0xFF, insn->wide[0] >> 32 & 0xFF, insn->wide[0] >> 40 & 0xFF};
    note(KERNEL, kernel, rank, 0);
    note(FLAGS, kernel, flags, 0);
    note(PAIR, kernel, e[0], e[1]);
    for (unsigned i = 0; i < 3; i++)
        note(OPERAND, kernel, i, e[i]);
    note(PARAMETER, kernel, e[0], (unsigned)insn->wide[1] & 0xFFFF);
    note(PARAMETER, kernel, 100 + e[0], (unsigned)(insn->wide[1] >> 16));
}

static void walk_code(const BvmFunc *f)
{
    BvmInsn insn;
    bool strip = false;
    for (size_t at = 0; at < f->ncode;) {
        at += bvm_decode(f->code + at, f->ncode - at, &insn, list_space, NULL);
        strip = strip && insn.row != BVM_OP_strip_next;
        note(ROW, insn.row, insn.etype, 0);
        note(strip ? IN_STRIP : OUTSIDE, insn.row, 0, 0);
        if (insn.nan_flag)
            note(RAW, insn.row, insn.etype, 0);
        unsigned numbers[2] = {0}, n = 0, field = 0;
        for (const char *k = bvm_ops[insn.row].kinds; *k; k++) {
            note(KIND, (unsigned char)*k, 0, 0);
            if (*k == 'h' && n < 2)
                numbers[n++] = insn.regs[field];
            field += strchr(BVM_FIELD_KINDS, *k) != NULL;
        }
        note(NUMBER1, insn.row, insn.etype, numbers[0]);
        note(NUMBER2, insn.row, insn.etype << 8 | numbers[1], numbers[0]);
        if (insn.row == BVM_OP_kernel)
            walk_kernel(&insn);
        if (insn.row == BVM_OP_buffer_alloc)
            note(NUMBER1, insn.row, (unsigned)(insn.wide[0] >> 32), 0);
        strip = strip || insn.row == BVM_OP_strip;
    }
}

static void walk_type(const BufvmType *type, const BvmTypeExtra *extra, bool result)
{
    note(TYPE, type->kind, type->elem, result);
    note(TYPE, 10, type->is_memref, type->kind);
    note(TYPE, 11, type->rank > 2 ? 2 : type->rank, type->kind);
    note(TYPE, 12, extra->strides != NULL, extra->offset < 0 ? 1 : extra->offset > 0 ? 2 : 0);
    for (uint32_t i = 0; i < type->rank; i++) {
        note(TYPE, 13, type->dims[i] < 0, 0);
        if (extra->strides)
            note(TYPE, 14, extra->strides[i] == BVM_DYNAMIC_STRIDE, 0);
    }
}

static void walk_records(const BvmModule *m)
{
    for (uint32_t i = 0; i < m->nsignatures; i++) {
        const BvmSignature *s = &m->signatures[i];
        for (uint32_t k = 0; k < s->nargs; k++)
            walk_type(&s->args[k], &s->args_extra[k], false);
        for (uint32_t k = 0; k < s->nresults; k++)
            walk_type(&s->results[k], &s->results_extra[k], true);
    }
    for (uint32_t i = 0; i < m->nconstants; i++) {
        const BvmConstant *c = &m->constants[i];
        note(CONSTANT, c->stored == c->bytes && c->bytes ? 100 : (unsigned)c->stored, c->bytes != 0, 0);
    }
    for (uint32_t i = 0; i < m->nglobals; i++)
        note(GLOBAL, m->globals[i].read_only, m->globals[i].constant >= 0, 0);
    for (uint32_t i = 0; i < m->nstrings; i++)
        note(TEXT, m->strings[i].has_nul, m->strings[i].n == 0, 0);
    for (uint32_t f = 0; f < m->nfunctions; f++) {
        for (uint32_t i = 0; i < m->functions[f].ntiles; i++)
            note(TILE, m->functions[f].tiles[i].etype, m->functions[f].tiles[i].full, 0);
        note(RECORD, m->functions[f].local_own != 0, m->functions[f].nlines != 0, m->functions[f].has_calls);
        walk_code(&m->functions[f]);
    }
}

static bool walk(const Golden *g)
{
    BvmModule m;
    BufvmError e = {0};
    if (bvm_module_read(NULL, g->data, g->size, 0, &m, &e) != BUFVM_OK)
        return fprintf(stderr, "%s: %s\n", g->name, e.text) < 0;
    for (uint32_t i = 0; i < bvm_get32(g->data + 12); i++)
        note(SECTION, bvm_get32(g->data + BVM_HEADER_BYTES + BVM_ENTRY_BYTES * (size_t)i), 0, 0);
    walk_records(&m);
    bvm_module_free(&m);
    return true;
}

/* -- what there is ------------------------------------------------------------------------------------ */

static bool to_int(unsigned row)
{
    row %= BVM_TILE;
    return row == BVM_OP_ftosi || row == BVM_OP_ftoui || row == BVM_OP_exts || row == BVM_OP_extu;
}

/* The 16-bit numbers that make a form of their own. */
static void need_numbers(unsigned row, unsigned e)
{
    const char *name = bvm_ops[row].name, *type = e ? bvm_elem_name(e) : "";
    bool conversion = bvm_ops[row].form == 'x' || row == BVM_OP_fconv_round;
    for (unsigned to = 1; conversion && to < BVM_ELEMS; to++) {
        if (to_int(row) ? bvm_elem_class(to) != 'I' : !num_is_float(to))
            continue;
        need(NUMBER1, row, e, to, "%s.%s to %s", name, type, bvm_elem_name(to));
        for (unsigned mode = 0; mode < 5 && row == BVM_OP_fconv_round; mode++)
            need(NUMBER2, row, e << 8 | mode, to, "%s.%s to %s, mode %u", name, type, bvm_elem_name(to), mode);
    }
    if (row >= BVM_OP_t_cmpsel_tttt && row <= BVM_OP_t_cmpsel_tsst)
        for (unsigned h = 0; h < (bvm_elem_class(e) == 'F' ? 14 : 10); h++)
            need(NUMBER1, row, e, h, "%s.%s of compare %u", name, type, h);
    if (row == BVM_OP_sext || row == BVM_OP_zext || row == BVM_OP_ftosi_width || row == BVM_OP_ftoui_width)
        for (unsigned w = 1; w <= 64; w = w < 8 ? w + w : w < 32 ? w + 8 - w % 8 : w + 31 + (w == 63))
            need(NUMBER1, row, e, w > 64 ? 64 : w, "%s.%s of width %u", name, type, w);
    if (row == BVM_OP_parallel)
        for (unsigned h = 0; h < 5; h++)
            need(NUMBER1, row, e, h, "%s %u", name, h);
    if (row == BVM_OP_check_index)
        need(NUMBER1, row, e, BVM_DIM_OF_RANK, "%s of a dimension against a rank", name);
    if (row == BVM_OP_buffer_alloc)
        for (unsigned flags = 0; flags < 4; flags++)
            need(NUMBER1, row, flags, 0, "%s with flags %u", name, flags);
    if (row == BVM_OP_report_values || row == BVM_OP_t_report_values) {
#define PROMISE(number, NAME, ...) need(NUMBER1, row, e, number, "%s.%s of promise %s", name, type, #NAME);
#include "../../vm/bytecode/promises.def"
#undef PROMISE
    }
}

/* What an instruction that may not, or need not, stand inside or outside of a strip is not asked for. */
static bool stands_in_strips(unsigned row)
{
    return row != BVM_OP_strip && row != BVM_OP_strip_next && row != BVM_OP_loop && row != BVM_OP_unreachable &&
           row != BVM_OP_switch && row != BVM_OP_probe && row != BVM_OP_buffer_dealloc && row != BVM_OP_func_ref &&
           !strpbrk(bvm_ops[row].kinds, "lWM*");
}

static void need_rows(void)
{
    for (unsigned row = 0; row < BVM_ROWS; row++) {
        if (!bvm_ops[row].name)
            continue;
        for (unsigned e = 0; e < BVM_ELEMS; e++) {
            if (!(bvm_ops[row].etypes >> e & 1))
                continue;
            need(ROW, row, e, 0, "%s.%s", bvm_ops[row].name, e ? bvm_elem_name(e) : "");
            if (bvm_ops[row].form && bvm_elem_class(e) == 'F')
                need(RAW, row, e, 0, "%s.%s.raw", bvm_ops[row].name, bvm_elem_name(e));
            need_numbers(row, e);
        }
        if (bvm_ops[row].tile || (stands_in_strips(row) && !bvm_ops[row].form))
            need(IN_STRIP, row, 0, 0, "%s in a strip", bvm_ops[row].name);
        need(OUTSIDE, row, 0, 0, "%s outside of a strip", bvm_ops[row].name);
    }
    for (const char *k = BVM_FIELD_KINDS BVM_WIDE_KINDS "*"; *k; k++)
        need(KIND, (unsigned char)*k, 0, 0, "operand kind %c", *k);
}

/* Forms that the verifier takes and no kernel has end in a trap when they run: they are not asked for. */
static bool kernel_takes(unsigned kernel, unsigned operand, unsigned e)
{
    char class = bvm_elem_class(e);
    bool number = e != BVM_I1 && (class == 'I' || class == 'F');
    switch (kernel) {
    case 1:
        return operand == 0 && class != 'C';
    case 2:
        return operand < 2;
    case 3:
        return operand ? class != 'C' : number;
    case 4:
        return operand < 2 && (class == 'I' || class == 'F');
    default:
        return operand == 1 ? number && class == 'I' : number;
    }
}

static bool chooses(unsigned row)
{
    return (row >= BVM_OP_cmpi_slt && row <= BVM_OP_cmpi_uge) || (row >= BVM_OP_cmpf_ogt && row <= BVM_OP_cmpf_ole) ||
           (row >= BVM_OP_cmpf_ugt && row <= BVM_OP_cmpf_ule);
}

static bool combines(unsigned row)
{
    return (row >= BVM_OP_andi && row <= BVM_OP_xori) || (row >= BVM_OP_maxsi && row <= BVM_OP_minui) || row == BVM_OP_addi ||
           row == BVM_OP_muli || row == BVM_OP_addf || row == BVM_OP_mulf || (row >= BVM_OP_maximumf && row <= BVM_OP_minnumf);
}

static void need_kernels(void)
{
    static const struct {
        unsigned kernel, flags;
    } flags[] = {{1, 0}, {2, 0}, {2, 1}, {3, 0}, {3, 1}, {3, 2}, {3, 4}, {4, 0}, {4, 2}, {4, 4}, {5, 0}, {5, 1}};
    for (unsigned k = 0; k < BVM_KERNELS; k++) {
        if (!bvm_kernel_table[k].name)
            continue;
        for (unsigned rank = 0; rank < 4; rank++)
            if (rank || k != 5) /* a position needs a dimension */
                need(KERNEL, k, rank, 0, "kernel %s of rank %u", bvm_kernel_table[k].name, rank);
        need(KERNEL, k, BVM_KERNEL_MAX_RANK, 0, "kernel %s of rank %u", bvm_kernel_table[k].name, BVM_KERNEL_MAX_RANK);
        for (unsigned operand = 0; operand < 3; operand++)
            for (unsigned e = 1; e < BVM_ELEMS; e++)
                if (kernel_takes(k, operand, e))
                    need(OPERAND, k, operand, e, "kernel %s with %s as operand %u", bvm_kernel_table[k].name, bvm_elem_name(e),
                         operand);
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        need(FLAGS, flags[i].kernel, flags[i].flags, 0, "kernel %s with flags %u", bvm_kernel_table[flags[i].kernel].name,
             flags[i].flags);
    for (unsigned row = 0; row < BVM_TILE; row++)
        for (unsigned e = 1; e < BVM_ELEMS; e++) {
            if (!bvm_ops[row].name || !(bvm_ops[row].etypes >> e & 1))
                continue;
            if (chooses(row))
                need(PARAMETER, 5, e, row, "kernel argreduce.%s by %s", bvm_elem_name(e), bvm_ops[row].name);
            if (combines(row))
                need(PARAMETER, 4, e, row, "kernel reduce.%s by %s", bvm_elem_name(e), bvm_ops[row].name);
            if (bvm_elem_class(e) == 'F' &&
                ((row >= BVM_OP_maximumf && row <= BVM_OP_minnumf) || (row >= BVM_OP_cmpf_ugt && row <= BVM_OP_cmpf_ule)))
                need(PARAMETER, 5, 100 + e, row, "kernel argreduce.%s with %s", bvm_elem_name(e), bvm_ops[row].name);
        }
}

static void need_records(void)
{
    static const unsigned stored[] = {0, 1, 2, 4, 8, 16, 100};
    for (unsigned s = 1; s < BVM_SECTIONS; s++)
        need(SECTION, s, 0, 0, "section %u", s);
    for (unsigned e = 1; e < BVM_ELEMS; e++)
        for (unsigned result = 0; result < 2; result++) {
            need(TYPE, BUFVM_SCALAR, e, result, "a scalar %s as %s", bvm_elem_name(e), result ? "result" : "argument");
            need(TYPE, BUFVM_VIEW, e, result, "a view of %s as %s", bvm_elem_name(e), result ? "result" : "argument");
            need(TYPE, BUFVM_NOTHING, e, result, "an unranked view of %s as %s", bvm_elem_name(e), result ? "result" : "argument");
        }
    for (unsigned flag = 0; flag < 2; flag++) {
        need(TYPE, 10, flag, BUFVM_VIEW, "a view that is %s memref", flag ? "a" : "no");
        need(TYPE, 13, flag, 0, "a %s size", flag ? "dynamic" : "static");
        need(TYPE, 14, flag, 0, "a %s stride", flag ? "dynamic" : "static");
        need(TYPE, 12, flag, 0, "a view at offset 0 with strides: %u", flag);
        need(TYPE, 12, flag, 1, "a view at a dynamic offset with strides: %u", flag);
        need(TYPE, 12, flag, 2, "a view at a static offset with strides: %u", flag);
        need(GLOBAL, flag, 0, 0, "a global without initial content, read-only: %u", flag);
        need(GLOBAL, flag, 1, 0, "a global with initial content, read-only: %u", flag);
        for (unsigned e = 1; e < BVM_ELEMS; e++)
            if (bvm_elem_class(e) != 'C')
                need(TILE, e, flag, 0, "a tile of %s, full: %u", bvm_elem_name(e), flag);
    }
    for (unsigned rank = 0; rank < 3; rank++)
        need(TYPE, 11, rank, BUFVM_VIEW, "a view of rank %u", rank);
    for (size_t i = 0; i < sizeof stored / sizeof *stored; i++)
        need(CONSTANT, stored[i], 1, 0, "a constant that stores %u (100: all) of its bytes", stored[i]);
    need(CONSTANT, 0, 0, 0, "a constant of no bytes");
    need(TEXT, 1, 0, 0, "a string with a NUL");
    need(TEXT, 0, 1, 0, "an empty string");
    need(RECORD, 1, 1, 1, "a function with local memory, lines and calls");
}

/* -- what they give ---------------------------------------------------------------------------------------- */

static bool is_nan(unsigned e, uint64_t bits)
{
    uint64_t yes = 0;
    return num_eval(BVM_OP_isnan, e, 0, bits, 0, 0, &yes) && yes;
}

static uint64_t get(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;
    for (unsigned i = bytes; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static bool same_form(const Golden *g, const GoldenForm *form, const uint8_t *got)
{
    unsigned bytes = form->result ? bvm_elem_bytes(form->result) : 8;
    unsigned nan_type = form->result && bvm_elem_class(form->result) == 'F' ? form->result : form->insn.etype;
    if (bvm_ops[form->insn.row].form == 'x')
        nan_type = form->insn.regs[2];
    for (unsigned at = form->region; at + bytes <= form->region + GOLDEN_REGION; at += bytes) {
        uint64_t x = get(g->want + at, bytes > 8 ? 8 : bytes), y = get(got + at, bytes > 8 ? 8 : bytes);
        if (!g->known[at] || x == y || (g->known[at] == 2 && is_nan(nan_type, x) && is_nan(nan_type, y)))
            continue;
        return fprintf(stderr, "%s: %s%s%s (%u, %u, 0x%llx, 0x%llx), element %u: 0x%llx, should be 0x%llx\n", g->name,
                       bvm_ops[form->insn.row].name, form->insn.etype ? "." : "",
                       form->insn.etype ? bvm_elem_name(form->insn.etype) : "", form->insn.regs[2], form->insn.regs[3],
                       (unsigned long long)form->insn.wide[0], (unsigned long long)form->insn.wide[1], (at - form->region) / bytes,
                       (unsigned long long)y, (unsigned long long)x) < 0;
    }
    return true;
}

static bool run_made(const Golden *g, BufvmContext *context)
{
    BufvmError error = {0};
    BufvmValue args[2] = {{.kind = BUFVM_VIEW, .view = {.elem = BVM_I8, .rank = 1, .dims = {(int64_t)g->nwant}}},
                          {.kind = BUFVM_SCALAR, .elem = BVM_I64, .bits = GOLDEN_LANES}};
    if (bufvm_buffer_alloc(NULL, g->nwant, &args[0].view.buffer, NULL) != BUFVM_OK)
        return false;
    BufvmStatus status = bufvm_call(context, 0, args, 2, NULL, 0, &error);
    bool ok = status == BUFVM_OK || fprintf(stderr, "%s: %s\n", g->name, error.text) < 0;
    for (size_t i = 0; i < g->nforms && ok; i++)
        ok = same_form(g, &g->forms[i], bufvm_buffer_data(args[0].view.buffer));
    bufvm_value_release(&args[0]);
    return ok;
}

/* Calls of the files' exports: scalars in, scalars out; text: the trap that it must be. */
typedef struct Call {
    const char *file, *name;
    uint32_t nargs, nresults;
    uint64_t args[4], results[4];
    const char *trap;
} Call;
static const Call calls[] = {
#include "calls.def"
};

static bool run_call(const Golden *g, const BufvmModule *module, BufvmContext *context, const Call *call)
{
    BufvmError error = {0};
    uint32_t number;
    BufvmValue args[4], results[4];
    memset(args, 0, sizeof args);
    memset(results, 0, sizeof results);
    if (!bufvm_module_find(module, call->name, &number))
        return fprintf(stderr, "%s has no export %s\n", g->name, call->name) < 0;
    const BufvmSignature *sig = bufvm_module_export(module, number);
    for (uint32_t i = 0; i < call->nargs && i < sig->nargs; i++)
        args[i] = (BufvmValue){.kind = BUFVM_SCALAR, .elem = sig->args[i].elem, .bits = call->args[i]};
    BufvmStatus status = bufvm_call(context, number, args, call->nargs, results, call->nresults, &error);
    bool ok = call->trap ? status == BUFVM_TRAP && strstr(error.text, call->trap) : status == BUFVM_OK;
    if (!ok)
        fprintf(stderr, "%s: @%s: %s, should %s%s\n", g->name, call->name, status ? error.text : "it returned",
                call->trap ? "trap: " : "return", call->trap ? call->trap : "");
    for (uint32_t i = 0; i < call->nresults && ok && !status; i++)
        if (results[i].bits != call->results[i])
            ok = fprintf(stderr, "%s: @%s: result %u is 0x%llx, should be 0x%llx\n", g->name, call->name, i,
                         (unsigned long long)results[i].bits, (unsigned long long)call->results[i]) < 0;
    for (uint32_t i = 0; i < call->nresults; i++)
        bufvm_value_release(&results[i]);
    return ok;
}

static bool run(const Golden *g, BufvmLimits limits, unsigned long *ncalls)
{
    BufvmModule *module = NULL;
    BufvmContext *context = NULL;
    BufvmError error = {0};
    bool ok = bufvm_module_load(g->data, g->size, NULL, &module, &error) == BUFVM_OK &&
              bufvm_context_new(module, &limits, NULL, 0, NULL, &context, &error) == BUFVM_OK;
    if (!ok)
        fprintf(stderr, "%s: %s\n", g->name, error.text);
    if (ok && g->nforms) {
        ok = run_made(g, context);
        ++*ncalls;
    }
    for (size_t i = 0; i < sizeof calls / sizeof *calls && context; i++)
        if (strcmp(calls[i].file, g->name) == 0) {
            ok = run_call(g, module, context, &calls[i]) && ok;
            ++*ncalls;
        }
    bufvm_context_free(context);
    bufvm_module_release(module);
    return ok;
}

int main(int argc, char **argv)
{
    Goldens goldens = {0};
    bool ok = goldens_make(&goldens);
    for (int i = 1; i < argc; i++)
        ok = goldens_read(&goldens, argv[i]) && ok;
    size_t bytes = 0, largest = 0, forms = 0;
    unsigned long ncalls = 0;
    for (size_t i = 0; i < goldens.n && ok; i++) {
        const Golden *g = &goldens.all[i];
        bytes += g->size;
        forms += g->nforms;
        largest = g->size > largest ? g->size : largest;
        ok = walk(g);
        for (unsigned way = 0; way < 4 && ok; way++)
            ok = run(g, (BufvmLimits){.switch_dispatch = way & 1, .cpu = way & 2 ? "portable" : NULL}, &ncalls);
    }
    need_rows();
    need_kernels();
    need_records();
    printf("%zu golden modules, %zu bytes, the largest has %zu; %lu of %lu forms, kinds and sections; %zu forms with results, %lu "
           "calls\n",
           goldens.n, bytes, largest, wanted - missing, wanted, forms, ncalls);
    goldens_free(&goldens);
    return !ok || missing;
}
