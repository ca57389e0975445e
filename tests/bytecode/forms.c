/* Made golden modules: see forms.h. */
#include "forms.h"

#include <math.h>
#include <stdlib.h>

#include "../../vm/bytecode/opnames.h"
#include "../../vm/numeric/formats.h"
#include "../../vm/numeric/numeric.h"

enum { STRIP = 8, MAX_CODE = 8000, MAX_INPUTS = 96, OPERANDS = 4 };
/* Scalar registers: size and count are the export's arguments. */
enum { S_SIZE, S_COUNT, S_I, S_ONE, S_AT, S_RESULT, S_ZERO, S_TEMP, S_INPUTS };
enum { B_OUT, B_IN, B_VIEW, BUFFERS };

typedef struct Input {
    uint8_t etype, operand;
    int32_t slot, tile; /* registers that hold it in this turn; -1 */
} Input;

typedef struct Builder {
    Goldens *goldens;
    Golden *golden;
    const char *name;
    enum { LOOP, STRIPS, ONCE } shape; /* of the code: slots in a loop, lanes in strips, kernels and full tiles */
    uint64_t code[MAX_CODE];
    uint32_t ncode, loop;
    Input inputs[MAX_INPUTS];
    uint32_t ninputs, nslots, ntiles;
    BvmTileDecl tile[256];
    uint32_t strip_at;
    int32_t results[BVM_ELEMS]; /* tile that results of a type go to, + 1 */
    bool failed;
} Builder;

/* -- operands ----------------------------------------------------------------------------------- */

static uint64_t float_bits(double x, unsigned etype)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return etype == BVM_F64 ? bits : num_float_convert(BVM_F64, bits, etype, 0);
}

/* Element `lane` of the operand: numbers at the edges, none of them a zero divisor. */
static uint64_t sample(unsigned etype, unsigned operand, unsigned lane)
{
    static const int64_t ints[] = {1, -1, 7, INT64_MIN, INT64_MAX, 2, -128, 0, 3, 32767, 13, INT32_MIN, 65};
    static const int64_t divisors[] = {-1, 3, -2, -1, 5, 1, 31, 8, 100, -7, 64, INT64_MAX, 2};
    static const double floats[] = {1.0, -0.0, 2.5, 1e30, -1e-3, 0.3, INFINITY, -2.0, NAN, 7.0, 0.1, 1e-40, -100.75};
    static const double others[] = {0.5, 3.0, -1.25, 1e-30, 0.0, -0.7, 2.0, INFINITY, 1.0, NAN, 0.2, 4.0, 3.3};
    lane %= GOLDEN_LANES;
    unsigned at = (lane + 5 * (operand / 2)) % GOLDEN_LANES;
    if (bvm_elem_class(etype) != 'I')
        return float_bits((operand & 1 ? others : floats)[at], etype);
    if (etype == BVM_I1)
        return (lane + operand) % 3 != 0;
    uint64_t value = (uint64_t)(operand & 1 ? divisors : ints)[at];
    uint64_t narrow = (uint64_t)num_sext(value, bvm_elem_bits(etype));
    return operand & 1 && !narrow ? 1 : narrow;
}

static void put(uint8_t *to, uint64_t bits, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = i < 8 ? (uint8_t)(bits >> 8 * i) : 0;
}

static uint32_t input_base(const Builder *b, const Input *input)
{
    return (uint32_t)(input - b->inputs) * GOLDEN_REGION / bvm_elem_bytes(input->etype);
}

static Input *input_of(Builder *b, unsigned etype, unsigned operand)
{
    for (uint32_t i = 0; i < b->ninputs; i++)
        if (b->inputs[i].etype == etype && b->inputs[i].operand == operand)
            return &b->inputs[i];
    if (b->ninputs == MAX_INPUTS) {
        b->failed = true;
        return b->inputs;
    }
    b->inputs[b->ninputs] = (Input){(uint8_t)etype, (uint8_t)operand, -1, -1};
    return &b->inputs[b->ninputs++];
}

/* Whether the code gives a result for an element: one in each turn of a strip for slots, one strip outside of strips. */
static bool lane_runs(const Builder *b, bool tile, unsigned lane)
{
    if (b->shape == ONCE)
        return tile ? lane < STRIP : lane == 0;
    return tile || b->shape == LOOP || lane % STRIP == 0;
}

/* -- code ------------------------------------------------------------------------------------------ */

static void emit(Builder *b, const BvmInsn *insn)
{
    if (b->ncode + 64 > MAX_CODE)
        b->failed = true;
    else
        b->ncode += (uint32_t)bvm_encode(insn, b->code + b->ncode);
}
#define EMIT(b, ...) emit(b, &(BvmInsn){__VA_ARGS__})
#define R(...)       .regs = {__VA_ARGS__}
#define W(...)       .wide = {__VA_ARGS__}

static uint16_t new_tile(Builder *b, unsigned etype, bool full)
{
    if (b->ntiles == sizeof b->tile / sizeof *b->tile)
        b->failed = true, b->ntiles--;
    b->tile[b->ntiles] =
        (BvmTileDecl){.etype = (uint8_t)bvm_tile_storage(etype), .capacity = STRIP, .full = full || b->shape == ONCE};
    return (uint16_t)b->ntiles++;
}

/* S_AT = i + base */
static void emit_at(Builder *b, uint64_t base)
{
    EMIT(b, .row = BVM_OP_mad_imm, .etype = BVM_I64, R(S_AT, S_ONE, S_I), W(base));
}

static unsigned memory_type(unsigned etype)
{
    unsigned storage = bvm_tile_storage(etype);
    return storage == BVM_C64 ? BVM_I64 : storage;
}

static uint16_t slot_of(Builder *b, unsigned etype, unsigned operand)
{
    Input *input = input_of(b, etype, operand);
    if (input->slot < 0) {
        input->slot = (int32_t)(S_INPUTS + b->nslots++);
        emit_at(b, input_base(b, input));
        EMIT(b, .row = BVM_OP_load, .etype = (uint16_t)memory_type(etype), R((uint16_t)input->slot, B_IN, S_AT));
    }
    return (uint16_t)input->slot;
}

static uint16_t tile_of(Builder *b, unsigned etype, unsigned operand)
{
    Input *input = input_of(b, etype, operand);
    if (input->tile < 0) {
        input->tile = new_tile(b, etype, false);
        emit_at(b, input_base(b, input));
        EMIT(b, .row = BVM_OP_t_load, .etype = (uint16_t)memory_type(etype), R((uint16_t)input->tile, B_IN, S_AT, S_ONE));
    }
    return (uint16_t)input->tile;
}

static uint16_t result_tile(Builder *b, unsigned etype)
{
    if (!b->results[etype])
        b->results[etype] = 1 + new_tile(b, etype, false);
    return (uint16_t)(b->results[etype] - 1);
}

static void begin(Builder *b, const char *name, int shape)
{
    Goldens *all = b->goldens;
    memset(b, 0, sizeof *b);
    b->goldens = all;
    b->name = name;
    b->shape = shape;
    all->all = realloc(all->all, (all->n + 1) * sizeof *all->all);
    b->golden = &all->all[all->n++];
    memset(b->golden, 0, sizeof *b->golden);
    snprintf(b->golden->name, sizeof b->golden->name, "%s-%zu", name, all->n);
    EMIT(b, .row = BVM_OP_buffer_const, R(B_IN), W(0));
    EMIT(b, .row = BVM_OP_imm16, R(S_ONE, 1));
    EMIT(b, .row = BVM_OP_imm16, R(S_ZERO, 0));
    if (shape == STRIPS) {
        b->strip_at = b->ncode;
        EMIT(b, .row = BVM_OP_strip, R(S_I, S_COUNT, STRIP), W(0));
    } else {
        EMIT(b, .row = BVM_OP_imm16, R(S_I, 0));
    }
    b->loop = b->ncode;
}

static void *input_data(const Builder *b, size_t *n)
{
    *n = (b->ninputs ? b->ninputs : 1) * (size_t)GOLDEN_REGION;
    uint8_t *data = calloc(1, *n);
    data[0] = 1; /* never all zero */
    for (uint32_t i = 0; i < b->ninputs; i++)
        for (unsigned lane = 0; lane < GOLDEN_LANES; lane++) {
            unsigned bytes = bvm_elem_bytes(b->inputs[i].etype);
            put(data + GOLDEN_REGION * (size_t)i + bytes * lane, sample(b->inputs[i].etype, b->inputs[i].operand, lane), bytes);
        }
    return data;
}

static void finish(Builder *b, const char *entry)
{
    if (b->shape == STRIPS) {
        EMIT(b, .row = BVM_OP_strip_next, R(S_I), W(b->loop));
        b->code[b->strip_at + bvm_wide_at(BVM_OP_strip)] = b->ncode;
    } else if (b->shape == LOOP) {
        EMIT(b, .row = BVM_OP_loop, .etype = BVM_I64, R(S_I, S_ONE, S_COUNT), W(b->loop));
    }
    EMIT(b, .row = BVM_OP_ret);
    size_t ndata;
    void *data = input_data(b, &ndata);
    BvmWriter *w = bvm_writer_new(NULL);
    bvm_write_string(w, "golden", 6); /* number 0 of the strings that code names, until the writer sorts them */
    bvm_write_constant(w, data, ndata, ndata, false);
    uint32_t f = bvm_write_declare(w, entry, "bss:");
    BvmFunction body = {.nscalars = S_INPUTS + b->nslots,
                        .nbuffers = BUFFERS,
                        .ntiles = b->ntiles,
                        .tiles = b->tile,
                        .code = b->code,
                        .ncode = b->ncode};
    bvm_write_define(w, f, &body);
    int64_t dims[1] = {-1};
    BvmTypeDesc args[2] = {{.kind = 'v', .etype = BVM_I8, .is_memref = true, .rank = 1, .dims = dims, .written = "memref<?xi8>"},
                           {.kind = 's', .etype = BVM_I64, .written = "index"}};
    bvm_write_export(w, entry, f, 2, args, 0, NULL);
    bvm_write_debug_op(w, 0, "@golden/0", 1, 1, "", ""); /* it may be watched */
    void *file = NULL;
    BufvmError error = {0};
    if (bvm_writer_finish(w, &file, &b->golden->size, &error) != BUFVM_OK || b->failed) {
        fprintf(stderr, "%s: %s\n", b->name, b->failed ? "too large to be made" : error.text);
        free(file);
        file = NULL;
    }
    b->golden->data = file;
    bvm_writer_free(w);
    free(data);
}

/* -- forms and what they give -------------------------------------------------------------------------- */

static uint64_t eval(unsigned row, unsigned etype, uint64_t a, uint64_t b)
{
    uint64_t r = 0;
    num_eval(row, etype, 0, a, b, 0, &r);
    return r;
}

/* t.FAMILY.MODES: a row of slots, or two of them. */
static bool eval_tile_row(const BvmInsn *insn, const uint64_t *v, uint64_t *result)
{
    static const struct {
        const char *name;
        uint16_t inner, outer;
        bool reversed;
    } pairs[] = {{"madd.", BVM_OP_mulf, BVM_OP_addf, false},          {"msub.", BVM_OP_mulf, BVM_OP_subf, false},
                 {"nmadd.", BVM_OP_mulf, BVM_OP_subf, true},          {"mulmul.", BVM_OP_mulf, BVM_OP_mulf, false},
                 {"addmul.", BVM_OP_addf, BVM_OP_mulf, false},        {"submul.", BVM_OP_subf, BVM_OP_mulf, false},
                 {"clampf.", BVM_OP_maximumf, BVM_OP_minimumf, false}};
    const char *name = bvm_ops[insn->row].name + 2;
    unsigned e = insn->etype;
    if (insn->row == BVM_OP_t_mov || insn->row == BVM_OP_t_splat) {
        *result = v[0];
        return true;
    }
    if (strncmp(name, "cmpsel.", 7) == 0) {
        unsigned first = bvm_elem_class(e) == 'F' ? BVM_OP_cmpf_oeq : BVM_OP_cmpi_eq;
        *result = eval(first + insn->regs[5], e, v[0], v[1]) & 1 ? v[2] : v[3];
        return true;
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strncmp(name, pairs[i].name, strlen(pairs[i].name)) == 0) {
            uint64_t inner = eval(pairs[i].inner, e, v[0], v[1]);
            *result = pairs[i].reversed ? eval(pairs[i].outer, e, v[2], inner) : eval(pairs[i].outer, e, inner, v[2]);
            return true;
        }
    int base = bvm_op_by_name(name, strcspn(name, "."));
    return base >= 0 && num_eval((unsigned)base, e, 0, v[0], v[1], 0, result);
}

bool forms_eval(const BvmInsn *insn, const uint64_t *v, uint64_t *result)
{
    unsigned e = insn->etype;
    if (bvm_ops[insn->row].form)
        return num_eval(insn->row % BVM_TILE, e, bvm_ops[insn->row].form == 'x' ? insn->regs[2] : 0, v[0], v[1], v[2], result);
    if (bvm_ops[insn->row].tile)
        return eval_tile_row(insn, v, result);
    switch (insn->row) {
    case BVM_OP_mov:
        *result = v[0];
        return true;
    case BVM_OP_imm:
        *result = insn->wide[0];
        return true;
    case BVM_OP_imm16:
        *result = (uint64_t)num_sext(insn->regs[1], 16);
        return true;
    case BVM_OP_addi_imm:
        *result = v[0] + insn->wide[0];
        return true;
    case BVM_OP_muli_imm:
        *result = v[0] * insn->wide[0];
        return true;
    case BVM_OP_mad_imm:
        *result = v[0] * insn->wide[0] + v[1];
        return true;
    case BVM_OP_mad:
        *result = v[0] * v[1] + v[2];
        return true;
    case BVM_OP_sext:
        *result = (uint64_t)num_sext(v[0], insn->regs[2]);
        return true;
    case BVM_OP_zext:
        *result = num_zext(v[0], insn->regs[2]);
        return true;
    case BVM_OP_fconv_round:
        *result = num_float_convert(e, v[0], insn->regs[2], insn->regs[3]);
        return true;
    case BVM_OP_ftosi_width:
    case BVM_OP_ftoui_width:
        *result = num_float_to_int(e, v[0], insn->regs[2], insn->row == BVM_OP_ftosi_width);
        return true;
    default:
        return false;
    }
}

/* A region of the output, whose bytes nothing is known of yet. */
static GoldenForm *add_form(Builder *b, const BvmInsn *insn, unsigned result)
{
    Golden *g = b->golden;
    g->forms = realloc(g->forms, (g->nforms + 1) * sizeof *g->forms);
    GoldenForm *form = &g->forms[g->nforms++];
    *form = (GoldenForm){*insn, (uint32_t)g->nwant, (uint8_t)result};
    form->insn.list = NULL;
    g->nwant += GOLDEN_REGION;
    g->want = realloc(g->want, g->nwant);
    g->known = realloc(g->known, g->nwant);
    memset(g->want + form->region, 0, GOLDEN_REGION);
    memset(g->known + form->region, 0, GOLDEN_REGION);
    return form;
}

static void want(Builder *b, const GoldenForm *form, unsigned lane, uint64_t bits)
{
    unsigned bytes = form->result ? bvm_elem_bytes(form->result) : 8;
    uint8_t *at = b->golden->want + form->region + bytes * lane, *known = b->golden->known + form->region + bytes * lane;
    put(at, bits, bytes);
    memset(known, 1, bytes);
    if (form->insn.nan_flag)
        known[0] = 2;
}

static unsigned scalar_type(const BvmInsn *insn, unsigned k)
{
    switch (bvm_ops[insn->row].form) {
    case '?':
        return k == 0 ? BVM_I1 : insn->etype;
    case 'e':
        return k == 1 ? BVM_I32 : insn->etype;
    default:
        return insn->etype ? insn->etype : BVM_I64;
    }
}

/* A form over slots or tiles that computes: kinds w or T, then r or t, then numbers, which are set already. */
static void compute(Builder *b, BvmInsn *insn)
{
    const char *kinds = bvm_ops[insn->row].kinds;
    bool tile = kinds[0] == 'T';
    unsigned types[OPERANDS] = {0}, n = 0, tiles = 1;
    for (const char *k = kinds + 1; *k == 'r' || *k == 't'; k++, n++) {
        types[n] = *k == 't' ? bvm_tile_elem(insn, tiles++) : scalar_type(insn, n);
        insn->regs[n + 1] = *k == 't' ? tile_of(b, types[n], n) : slot_of(b, types[n], n);
    }
    unsigned result = tile ? bvm_tile_elem(insn, 0) : 0;
    insn->regs[0] = tile ? result_tile(b, result) : S_RESULT;
    emit(b, insn);
    GoldenForm *form = add_form(b, insn, result);
    unsigned bytes = tile ? bvm_elem_bytes(result) : 8;
    emit_at(b, form->region / bytes);
    if (tile) {
        EMIT(b, .row = BVM_OP_t_store, .etype = (uint16_t)memory_type(result), R(insn->regs[0], B_OUT, S_AT, S_ONE));
    } else {
        EMIT(b, .row = BVM_OP_store, .etype = BVM_I64, R(S_RESULT, B_OUT, S_AT));
    }
    for (unsigned lane = 0; lane < GOLDEN_LANES; lane++) {
        if (!lane_runs(b, tile, lane))
            continue;
        uint64_t v[OPERANDS] = {0}, r = 0;
        unsigned k = 0;
        for (const char *p = kinds + 1; *p == 'r' || *p == 't'; p++, k++) /* a slot beside lanes holds the strip's first element */
            v[k] = sample(types[k], k, *p == 'r' && tile ? lane / STRIP * STRIP : lane);
        if (forms_eval(insn, v, &r))
            want(b, form, lane, r);
        else
            b->failed = true;
    }
}

/* -- modules of forms that compute ------------------------------------------------------------------------ */

enum { FULL = 330 }; /* words of a module from which on the next form begins another: small modules are tried faster */

static void next_module(Builder *b, bool *open)
{
    if (*open && b->ncode > FULL) {
        finish(b, b->name);
        *open = false;
    }
    if (!*open)
        begin(b, b->name, b->shape);
    *open = true;
}

static bool computes(unsigned row)
{
    const char *kinds = bvm_ops[row].kinds;
    if (!bvm_ops[row].name || row == BVM_OP_t_iota || row == BVM_OP_t_extract || row == BVM_OP_local_size ||
        !strchr("wT", kinds[0]))
        return false;
    size_t n = 1 + strspn(kinds + 1, kinds[0] == 'w' ? "r" : "rt");
    n += strspn(kinds + n, "h");
    n += strspn(kinds + n, "i");
    return !kinds[n];
}

static bool converts_to_int(unsigned row)
{
    row %= BVM_TILE;
    return row == BVM_OP_ftosi || row == BVM_OP_ftoui || row == BVM_OP_exts || row == BVM_OP_extu;
}

/* Calls `each` with every setting of the row's 16-bit and 64-bit numbers that is a form of its own. */
static void variants(Builder *b, BvmInsn insn, void (*each)(Builder *, BvmInsn *))
{
    unsigned row = insn.row;
    if (bvm_ops[row].form == 'x' || row == BVM_OP_fconv_round) {
        for (unsigned e = 1; e < BVM_ELEMS; e++)
            if (converts_to_int(row) ? bvm_elem_class(e) == 'I' : num_is_float(e))
                for (unsigned mode = 0; mode < (row == BVM_OP_fconv_round ? 5 : 1); mode++) {
                    insn.regs[2] = (uint16_t)e;
                    insn.regs[3] = (uint16_t)mode;
                    each(b, &insn);
                }
    } else if (row >= BVM_OP_t_cmpsel_tttt && row <= BVM_OP_t_cmpsel_tsst) {
        unsigned n = bvm_elem_class(insn.etype) == 'F' ? BVM_OP_cmpf_uno - BVM_OP_cmpf_oeq : BVM_OP_cmpi_uge - BVM_OP_cmpi_eq;
        for (insn.regs[5] = 0; insn.regs[5] <= n; insn.regs[5]++)
            each(b, &insn);
    } else if (row == BVM_OP_sext || row == BVM_OP_zext || row == BVM_OP_ftosi_width || row == BVM_OP_ftoui_width) {
        static const uint8_t few[] = {1, 2, 4, 7, 8, 16, 24, 31, 32, 33, 63, 64};
        for (size_t i = 0; i < sizeof few; i++) {
            insn.regs[2] = few[i];
            each(b, &insn);
        }
    } else if (row == BVM_OP_imm16) {
        for (unsigned h = 7; h <= 65535; h += 65528) {
            insn.regs[1] = (uint16_t)h;
            each(b, &insn);
        }
    } else if (strchr(bvm_ops[row].kinds, 'i')) {
        for (int i = 0; i < 3; i++) {
            insn.wide[0] = (uint64_t[]){5, (uint64_t)-5, UINT64_C(0x8000000000000000)}[i];
            each(b, &insn);
        }
    } else {
        each(b, &insn);
    }
}

static bool module_open;
static void compute_in_module(Builder *b, BvmInsn *insn)
{
    next_module(b, &module_open);
    compute(b, insn);
}

static void computing_modules(Builder *b, bool tiles)
{
    char name[40];
    for (unsigned e = 0; e < BVM_ELEMS; e++) {
        snprintf(name, sizeof name, "%s-%s", tiles ? "lanes" : "slots", e ? bvm_elem_name(e) : "any");
        b->name = name;
        b->shape = tiles ? STRIPS : LOOP;
        module_open = false;
        for (unsigned row = 0; row < BVM_ROWS; row++) {
            if (!computes(row) || !(bvm_ops[row].etypes >> e & 1) || bvm_ops[row].tile != tiles)
                continue;
            BvmInsn insn = {.row = (uint16_t)row, .etype = (uint16_t)e};
            variants(b, insn, compute_in_module);
            insn.nan_flag = bvm_ops[row].form && bvm_elem_class(e) == 'F';
            if (insn.nan_flag)
                variants(b, insn, compute_in_module);
        }
        if (module_open)
            finish(b, name);
    }
}

/* Tile rows outside of strips, where they work on full tiles, and slots inside of strips: a type of each row. */
static void placed_modules(Builder *b, bool tiles)
{
    b->name = tiles ? "full" : "strip-slots";
    b->shape = tiles ? ONCE : STRIPS;
    module_open = false;
    for (unsigned row = 0; row < BVM_ROWS; row++) {
        if (!computes(row) || bvm_ops[row].tile != tiles)
            continue;
        BvmInsn insn = {.row = (uint16_t)row, .etype = (uint16_t)__builtin_ctz(bvm_ops[row].etypes)};
        bool once = bvm_ops[row].form == 'x' || row == BVM_OP_fconv_round;
        insn.regs[2] = converts_to_int(row) ? BVM_I16 : BVM_BF16;
        if (once)
            compute_in_module(b, &insn);
        else
            variants(b, insn, compute_in_module);
    }
    finish(b, b->name);
}

/* -- memory ------------------------------------------------------------------------------------------------- */

static uint64_t slot_value(unsigned etype, uint64_t bits)
{
    unsigned width = bvm_elem_bits(etype);
    return bvm_elem_class(etype) == 'I' && width > 1 ? (uint64_t)num_sext(bits, width) : num_zext(bits, width);
}

static void store_slot(Builder *b, const GoldenForm *form)
{
    emit_at(b, form->region / 8);
    EMIT(b, .row = BVM_OP_store, .etype = BVM_I64, R(S_RESULT, B_OUT, S_AT));
}

static void want_lanes(Builder *b, const GoldenForm *form, bool tile)
{
    unsigned e = form->insn.etype;
    for (unsigned lane = 0; lane < GOLDEN_LANES; lane++)
        if (lane_runs(b, tile, lane))
            want(b, form, lane, form->result ? sample(e, 0, lane) : slot_value(e, sample(e, 0, lane)));
}

static void slot_memory(Builder *b, unsigned e)
{
    uint16_t t = (uint16_t)e;
    uint64_t base = input_base(b, input_of(b, e, 0)), bytes = bvm_elem_bytes(e);
    uint16_t a = slot_of(b, e, 0);
    BvmInsn insn = {.row = BVM_OP_load, .etype = t, R(S_RESULT, B_IN, S_AT)};
    emit_at(b, base);
    emit(b, &insn);
    GoldenForm *form = add_form(b, &insn, 0);
    store_slot(b, form);
    want_lanes(b, form, false);
    insn = (BvmInsn){.row = BVM_OP_loadx, .etype = t, R(S_RESULT, B_IN, S_TEMP, S_I)};
    EMIT(b, .row = BVM_OP_imm, R(S_TEMP), W(base));
    emit(b, &insn);
    form = add_form(b, &insn, 0);
    store_slot(b, form);
    want_lanes(b, form, false);
    insn = (BvmInsn){.row = BVM_OP_store, .etype = t, R(a, B_OUT, S_AT)};
    form = add_form(b, &insn, e);
    emit_at(b, form->region / bytes);
    emit(b, &insn);
    want_lanes(b, form, false);
    insn = (BvmInsn){.row = BVM_OP_storex, .etype = t, R(a, B_OUT, S_I, S_TEMP)};
    form = add_form(b, &insn, e);
    EMIT(b, .row = BVM_OP_imm, R(S_TEMP), W(form->region / bytes));
    emit(b, &insn);
    want_lanes(b, form, false);
}

/* Lanes i + k of the operand turned around: the tile of their numbers. */
static uint16_t turned(Builder *b, uint64_t base)
{
    uint16_t tile = new_tile(b, BVM_I64, false);
    EMIT(b, .row = BVM_OP_imm, R(S_TEMP), W(base + GOLDEN_LANES - 1));
    EMIT(b, .row = BVM_OP_subi, .etype = BVM_I64, R(S_TEMP, S_TEMP, S_I));
    EMIT(b, .row = BVM_OP_imm16, R(S_RESULT, 65535));
    EMIT(b, .row = BVM_OP_t_iota, .etype = BVM_I64, R(tile, S_TEMP, S_RESULT));
    EMIT(b, .row = BVM_OP_imm, R(S_TEMP), W(base + GOLDEN_LANES));
    EMIT(b, .row = BVM_OP_t_check_index, .etype = BVM_I64, R(tile, S_TEMP, 0));
    return tile;
}

static void store_lanes(Builder *b, const GoldenForm *form, uint16_t tile)
{
    emit_at(b, form->region / bvm_elem_bytes(form->result));
    EMIT(b, .row = BVM_OP_t_store, .etype = form->result, R(tile, B_OUT, S_AT, S_ONE));
}

static void lane_memory(Builder *b, unsigned e)
{
    uint16_t t = (uint16_t)e, a = tile_of(b, e, 0), mask = tile_of(b, BVM_I1, 0), out = result_tile(b, e);
    uint16_t index = turned(b, input_base(b, input_of(b, e, 0)));
    BvmInsn insn = {.row = BVM_OP_t_gather, .etype = t, R(out, B_IN, index)};
    emit(b, &insn);
    GoldenForm *form = add_form(b, &insn, e);
    store_lanes(b, form, out);
    for (unsigned lane = 0; lane < GOLDEN_LANES && lane_runs(b, true, lane); lane++)
        want(b, form, lane, sample(e, 0, GOLDEN_LANES - 1 - lane));
    insn = (BvmInsn){.row = BVM_OP_t_gather_mask, .etype = t, R(out, B_IN, index, mask)};
    emit(b, &insn);
    form = add_form(b, &insn, e);
    store_lanes(b, form, out);
    for (unsigned lane = 0; lane < GOLDEN_LANES && lane_runs(b, true, lane); lane++)
        want(b, form, lane, sample(BVM_I1, 0, lane) ? sample(e, 0, GOLDEN_LANES - 1 - lane) : 0);
    insn = (BvmInsn){.row = BVM_OP_t_store_mask, .etype = t, R(a, B_OUT, S_AT, S_ONE, mask)};
    form = add_form(b, &insn, e);
    emit_at(b, form->region / bvm_elem_bytes(e));
    emit(b, &insn);
    for (unsigned lane = 0; lane < GOLDEN_LANES && lane_runs(b, true, lane); lane++)
        want(b, form, lane, sample(BVM_I1, 0, lane) ? sample(e, 0, lane) : 0);
    uint16_t placed = new_tile(b, e, false);
    insn = (BvmInsn){.row = BVM_OP_t_dest, .etype = t, R(placed, B_OUT, S_AT, S_ONE)};
    form = add_form(b, &insn, e);
    emit_at(b, form->region / bvm_elem_bytes(e));
    emit(b, &insn);
    EMIT(b, .row = BVM_OP_t_mov, .etype = t, R(placed, a));
    EMIT(b, .row = BVM_OP_t_store, .etype = t, R(placed, B_OUT, S_AT, S_ONE));
    want_lanes(b, form, true);
    EMIT(b, .row = BVM_OP_t_splat, .etype = BVM_I1, R(result_tile(b, BVM_I1), S_ONE));
    EMIT(b, .row = BVM_OP_t_assert, R(result_tile(b, BVM_I1)), W(0));
    uint16_t full = new_tile(b, e, true), s = slot_of(b, e, 0);
    insn = (BvmInsn){.row = BVM_OP_t_insert, .etype = t, R(full, s, S_TEMP)};
    EMIT(b, .row = BVM_OP_imm16, R(S_TEMP, 3));
    emit(b, &insn);
    EMIT(b, .row = BVM_OP_t_extract, .etype = t, R(S_RESULT, full, S_TEMP));
    form = add_form(b, &insn, 0);
    store_slot(b, form);
    for (unsigned lane = 0; lane < GOLDEN_LANES && lane_runs(b, false, lane); lane += STRIP)
        want(b, form, lane, slot_value(e, sample(e, 0, lane)));
}

static void lane_reduction(Builder *b, BvmInsn *insn)
{
    unsigned e = insn->etype;
    const char *name = bvm_ops[insn->row].name + strlen("t.reduce.");
    int base = bvm_op_by_name(name, strlen(name));
    insn->regs[1] = tile_of(b, e, 1);
    insn->regs[0] = S_RESULT;
    EMIT(b, .row = BVM_OP_imm, R(S_RESULT), W(0));
    emit(b, insn);
    GoldenForm *form = add_form(b, insn, 0);
    store_slot(b, form);
    for (unsigned lane = 0; lane < GOLDEN_LANES && lane_runs(b, false, lane); lane += STRIP) {
        uint64_t acc = 0;
        for (unsigned k = lane; k < lane + STRIP && k < GOLDEN_LANES; k++)
            if (base < 0 || !num_eval((unsigned)base, e, 0, acc, sample(e, 1, k), 0, &acc))
                b->failed = true;
        want(b, form, lane, acc);
    }
}

static bool takes_memory(unsigned e)
{
    return bvm_ops[BVM_OP_load].etypes >> e & 1;
}

static void memory_modules(Builder *b)
{
    char name[40];
    for (unsigned e = 1; e < BVM_ELEMS; e++) {
        if (!takes_memory(e))
            continue;
        snprintf(name, sizeof name, "slot-memory-%s", bvm_elem_name(e));
        begin(b, name, LOOP);
        slot_memory(b, e);
        finish(b, name);
        snprintf(name, sizeof name, "lane-memory-%s", bvm_elem_name(e));
        begin(b, name, STRIPS);
        lane_memory(b, e);
        for (unsigned row = 0; row < BVM_ROWS; row++)
            if (bvm_ops[row].name && strncmp(bvm_ops[row].name, "t.reduce.", 9) == 0 && (bvm_ops[row].etypes >> e & 1))
                lane_reduction(b, &(BvmInsn){.row = (uint16_t)row, .etype = (uint16_t)e});
        finish(b, name);
    }
    for (unsigned e = BVM_I32; e <= BVM_F32; e += BVM_F32 - BVM_I32) {
        snprintf(name, sizeof name, "full-memory-%s", bvm_elem_name(e));
        begin(b, name, ONCE);
        lane_memory(b, e);
        for (unsigned row = 0; row < BVM_ROWS; row++)
            if (bvm_ops[row].name && strncmp(bvm_ops[row].name, "t.reduce.", 9) == 0 && (bvm_ops[row].etypes >> e & 1))
                lane_reduction(b, &(BvmInsn){.row = (uint16_t)row, .etype = (uint16_t)e});
        finish(b, name);
        snprintf(name, sizeof name, "strip-memory-%s", bvm_elem_name(e));
        begin(b, name, STRIPS);
        slot_memory(b, e);
        finish(b, name);
    }
}

/* -- what a program promises: does nothing unless watched ------------------------------------------------------ */

static void report_modules(Builder *b)
{
    static const uint8_t promises[] = {
#define PROMISE(number, ...) number,
#include "../../vm/bytecode/promises.def"
#undef PROMISE
    };
    char name[40];
    for (unsigned e = 1; e < BVM_ELEMS; e++) {
        if (!takes_memory(e))
            continue;
        uint16_t t = (uint16_t)e, width = (uint16_t)bvm_elem_bits(e);
        snprintf(name, sizeof name, "reports-%s", bvm_elem_name(e));
        begin(b, name, e == BVM_I32 ? ONCE : STRIPS);
        uint16_t x[] = {slot_of(b, e, 0), slot_of(b, e, 1)}, y[] = {tile_of(b, e, 0), tile_of(b, e, 1)};
        EMIT(b, .row = BVM_OP_report, R(x[0]), W(0));
        for (size_t i = 0; i < sizeof promises; i++) {
            EMIT(b, .row = BVM_OP_report_values, .etype = t, R(x[0], x[1], promises[i], width));
            EMIT(b, .row = BVM_OP_t_report_values, .etype = t, R(y[0], y[1], promises[i], width));
        }
        store_slot(b, add_form(b, &(BvmInsn){.row = BVM_OP_report}, 0));
        finish(b, name);
    }
}

/* -- kernels ------------------------------------------------------------------------------------------------------- */

enum { FILL = 1, COPY, CONTRACT, REDUCE, ARGREDUCE };

/* A register with the first element of an operand. */
static uint16_t base_of(Builder *b, unsigned etype, unsigned operand)
{
    Input *input = input_of(b, etype, operand);
    if (input->slot < 0) {
        input->slot = (int32_t)(S_INPUTS + b->nslots++);
        EMIT(b, .row = BVM_OP_imm, R((uint16_t)input->slot), W(input_base(b, input)));
    }
    return (uint16_t)input->slot;
}

/* What a kernel instruction is made of; stride: the register with that of the outputs. */
typedef struct KernelForm {
    unsigned kernel, e[3], flags;
    uint64_t parameter;
    uint16_t stride;
    unsigned rank; /* all dimensions but the last are of size 1 */
} KernelForm;

static uint16_t list_dims(uint16_t *list, uint16_t n, unsigned rank, uint16_t all, uint16_t last)
{
    for (unsigned d = 0; d < rank; d++)
        list[n++] = d + 1 < rank ? all : last;
    return n;
}

/* Outputs go to regions of their own; gives the first. */
static GoldenForm *emit_kernel(Builder *b, const KernelForm *form)
{
    static uint16_t list[80];
    uint16_t n = 0;
    unsigned outputs = 0, operand = 0;
    BvmInsn insn = {.row = BVM_OP_kernel,
                    W(form->kernel | (uint64_t)form->rank << 16 | (uint64_t)form->flags << 48, form->parameter),
                    .list = list};
    size_t first = b->golden->nforms;
    for (const char *k = bvm_kernel_table[form->kernel].operands; *k; k++) {
        if (*k == 'N') {
            n = list_dims(list, n, form->rank, S_ONE, S_COUNT);
            continue;
        }
        if (*k == 's') {
            list[n++] = slot_of(b, form->e[0], 0);
            continue;
        }
        unsigned e = form->e[operand];
        insn.wide[0] |= (uint64_t)e << (24 + 8 * operand);
        if (*k == 'o') {
            uint16_t at = outputs++ ? S_TEMP : S_AT;
            EMIT(b, .row = BVM_OP_imm, R(at), W(add_form(b, &insn, e)->region / bvm_elem_bytes(e)));
            list[n++] = B_OUT, list[n++] = at;
            n = list_dims(list, n, form->rank, S_ZERO, form->stride);
        } else {
            list[n++] = B_IN, list[n++] = base_of(b, e, operand);
            n = list_dims(list, n, form->rank, S_ZERO, S_ONE);
        }
        operand++;
    }
    insn.nlist = n;
    emit(b, &insn);
    for (size_t i = first; i < b->golden->nforms; i++)
        b->golden->forms[i].insn.wide[0] = insn.wide[0];
    return &b->golden->forms[first];
}

/* An operand as the accumulator's type; false: left to other tests. */
static bool widened(unsigned from, unsigned to, bool is_unsigned, uint64_t bits, uint64_t *out)
{
    char class = bvm_elem_class(from);
    *out = bits;
    if (from == BVM_I1 || (class != 'I' && bvm_elem_bits(from) > bvm_elem_bits(to)))
        return false;
    if (class == 'I' && bvm_elem_class(to) == 'I')
        *out = is_unsigned ? num_zext(bits, bvm_elem_bits(from)) : (uint64_t)num_sext(bits, bvm_elem_bits(from));
    else if (class == 'I')
        return num_eval(is_unsigned ? BVM_OP_uitof : BVM_OP_sitof, from, to, bits, 0, 0, out);
    else if (from != to)
        *out = num_float_convert(from, bits, to, 0);
    return true;
}

static void move(Builder *b, unsigned kernel, unsigned e, unsigned flags, unsigned rank)
{
    GoldenForm *form = emit_kernel(b, &(KernelForm){kernel, {e, kernel == COPY ? e : 0}, flags, 0, S_ONE, rank});
    for (unsigned lane = 0; lane < (rank ? GOLDEN_LANES : 1) && bvm_elem_class(e) != 'C'; lane++)
        want(b, form, lane, kernel == COPY ? sample(e, 1, lane) : sample(e, 0, 0));
}

static void contract(Builder *b, const unsigned e[3], unsigned flags, unsigned rank)
{
    GoldenForm *form = emit_kernel(b, &(KernelForm){CONTRACT, {e[0], e[1], e[2]}, flags, 0, S_ONE, rank});
    bool is_float = bvm_elem_class(e[0]) == 'F';
    for (unsigned lane = 0; lane < (rank ? GOLDEN_LANES : 1); lane++) {
        uint64_t x, y, r = 0;
        if (!widened(e[1], e[0], flags & 2, sample(e[1], 1, lane), &x) ||
            !widened(e[2], e[0], flags & 4, sample(e[2], 2, lane), &y))
            continue;
        if (is_float && flags & 1)
            num_eval(BVM_OP_fma, e[0], 0, x, y, 0, &r);
        else
            r = eval(is_float ? BVM_OP_addf : BVM_OP_addi, e[0], 0, eval(is_float ? BVM_OP_mulf : BVM_OP_muli, e[0], x, y));
        want(b, form, lane, r);
    }
}

static void reduce(Builder *b, unsigned combiner, unsigned to, unsigned from, unsigned flags, unsigned rank)
{
    GoldenForm *form = emit_kernel(b, &(KernelForm){REDUCE, {to, from}, flags, combiner, S_ZERO, rank});
    uint64_t acc = 0, x;
    bool known = !(flags & 2) && to != BVM_I1;
    for (unsigned lane = 0; lane < (rank ? GOLDEN_LANES : 1) && known; lane++) {
        known = widened(from, to, flags & 4, sample(from, 1, lane), &x);
        acc = eval(combiner, to, acc, x);
    }
    if (known)
        want(b, form, 0, acc);
}

static bool is_extreme(unsigned row)
{
    return row >= BVM_OP_maximumf && row <= BVM_OP_minnumf;
}

static void argreduce(Builder *b, unsigned compare, unsigned combiner, unsigned e, unsigned index, unsigned rank)
{
    size_t first = b->golden->nforms;
    emit_kernel(b, &(KernelForm){ARGREDUCE, {e, index, e}, rank == 2, compare | (uint64_t)combiner << 16, S_ZERO, rank});
    uint64_t best = 0, at = 0;
    for (unsigned lane = 0; lane < GOLDEN_LANES; lane++) {
        uint64_t x = sample(e, 2, lane);
        bool take = eval(compare, e, x, best) & 1;
        at = take ? lane : at;
        best = is_extreme(combiner) ? eval(combiner, e, best, x) : take ? x : best;
    }
    if (rank == 2 || (combiner && !is_extreme(combiner)))
        return;
    want(b, &b->golden->forms[first], 0, best);
    want(b, &b->golden->forms[first + 1], 0, at);
}

/* The ranks that other forms do not have; a kernel of positions needs a dimension. */
static void rank_module(Builder *b, bool *open)
{
    static const unsigned ranks[] = {0, 2, 3, BVM_KERNEL_MAX_RANK};
    next_module(b, open);
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        move(b, FILL, BVM_F32, 0, ranks[i]);
        move(b, COPY, BVM_I16, i & 1, ranks[i]);
        contract(b, (unsigned[]){BVM_F64, BVM_F64, BVM_F64}, 0, ranks[i]);
        reduce(b, BVM_OP_addf, BVM_F32, BVM_F32, 0, ranks[i]);
        if (ranks[i])
            argreduce(b, BVM_OP_cmpf_ogt, 0, BVM_F32, BVM_I64, ranks[i]);
    }
}

static void move_modules(Builder *b, bool *open)
{
    for (unsigned e = 1; e < BVM_ELEMS; e++) {
        next_module(b, open);
        if (bvm_elem_class(e) != 'C')
            move(b, FILL, e, 0, 1);
        move(b, COPY, e, 0, 1);
    }
}

static void contract_modules(Builder *b, bool *open)
{
    for (unsigned e0 = BVM_I8; e0 <= BVM_F64; e0++)
        for (unsigned e1 = 1; e1 < BVM_ELEMS; e1++) {
            bool ints = e0 <= BVM_I64, narrow = bvm_elem_bits(e1) < bvm_elem_bits(e0) || e0 == e1;
            if (!narrow || (ints ? bvm_elem_class(e1) != 'I' : !num_is_float(e1)))
                continue;
            next_module(b, open);
            contract(b, (unsigned[]){e0, e1, e1}, 0, 1);
            contract(b, (unsigned[]){e0, e1, e0}, ints ? 2 : 1, 1);
            if (ints)
                contract(b, (unsigned[]){e0, e0, e1}, 4, 1);
        }
}

static bool is_bitwise(unsigned row)
{
    return row >= BVM_OP_andi && row <= BVM_OP_xori;
}

static bool combines(unsigned row)
{
    return is_bitwise(row) || is_extreme(row) || (row >= BVM_OP_maxsi && row <= BVM_OP_minui) || row == BVM_OP_addi ||
           row == BVM_OP_muli || row == BVM_OP_addf || row == BVM_OP_mulf;
}

static void reduce_modules(Builder *b, bool *open)
{
    for (unsigned row = 0; row < BVM_TILE; row++)
        for (unsigned e = 1; e < BVM_ELEMS && combines(row); e++) {
            if (!(bvm_ops[row].etypes >> e & 1) && !(e == BVM_I1 && is_bitwise(row)))
                continue;
            next_module(b, open);
            reduce(b, row, e, e, 0, 1);
            if (row == BVM_OP_addf)
                reduce(b, row, e, e, 2, 1);
            for (unsigned from = BVM_I1; from < e && e <= BVM_I64; from++) {
                if (from > BVM_I1)
                    reduce(b, row, e, from, 0, 1);
                if (from > BVM_I1 || e > BVM_I8)
                    reduce(b, row, e, from, 4, 1);
            }
            for (unsigned from = BVM_I8; from < e && e >= BVM_F32 && row == BVM_OP_addf; from++) {
                if (from == BVM_I64)
                    continue;
                reduce(b, row, e, from, 0, 1);
                if (from < BVM_I64)
                    reduce(b, row, e, from, 4, 1);
            }
        }
}

/* Compares look upwards (greater, or equal) or downwards; a combiner looks the same way. */
static void argreduce_modules(Builder *b, bool *open)
{
    static const uint16_t up[] = {BVM_OP_cmpf_ogt, BVM_OP_cmpf_oge, BVM_OP_cmpf_ugt, BVM_OP_cmpf_uge},
                          down[] = {BVM_OP_cmpf_olt, BVM_OP_cmpf_ole, BVM_OP_cmpf_ult, BVM_OP_cmpf_ule};
    for (unsigned e = BVM_I8; e <= BVM_I64; e++)
        for (unsigned compare = BVM_OP_cmpi_slt; compare <= BVM_OP_cmpi_uge; compare++) {
            next_module(b, open);
            argreduce(b, compare, 0, e, e, 1);
        }
    for (unsigned e = BVM_F16; e <= BVM_F64; e++)
        for (unsigned i = 0; i < 8; i++) {
            const uint16_t *way = i < 4 ? up : down;
            unsigned compare = way[i % 4];
            next_module(b, open);
            argreduce(b, compare, 0, e, i & 1 ? BVM_I64 : BVM_I32, 1);
            argreduce(b, compare, i < 4 ? BVM_OP_maximumf : BVM_OP_minimumf, e, BVM_I64, 1);
            argreduce(b, compare, i < 4 ? BVM_OP_maxnumf : BVM_OP_minnumf, e, BVM_I64, 1);
            if (i % 4 >= 2) {
                argreduce(b, compare, way[2], e, BVM_I64, 1);
                argreduce(b, compare, way[3], e, BVM_I64, 1);
            }
        }
}

static void kernel_modules(Builder *b)
{
    static void (*const parts[])(Builder *, bool *) = {rank_module, move_modules, contract_modules, reduce_modules,
                                                       argreduce_modules};
    static const char *const names[] = {"ranks", "move", "contract", "reduce", "argreduce"};
    for (int i = 0; i < 5; i++) {
        bool open = false;
        b->name = names[i];
        b->shape = ONCE;
        parts[i](b, &open);
        finish(b, b->name);
    }
}

/* -- types --------------------------------------------------------------------------------------------------------------- */

/* A function that gives back what it gets, exported with many types: each element type as scalar, tensor, memref with any layout
   and unranked. */
static void type_module(Builder *b, const char *name, const char *banks, char kind, bool layout)
{
    begin(b, name, ONCE);
    Golden *g = b->golden;
    BvmWriter *w = bvm_writer_new(NULL);
    BvmBanks sig;
    bvm_banks_parse(banks, strlen(banks), &sig);
    uint16_t list[8], scalars = 0, buffers = 0;
    for (uint32_t i = 0; i < sig.nargs; i++)
        list[i] = sig.args[i] == 's' ? scalars++ : buffers++;
    BvmInsn ret = {.row = BVM_OP_ret, .list = list, .nlist = sig.nargs};
    BvmFunction body = {.nscalars = scalars, .nbuffers = buffers, .code = b->code, .ncode = (uint32_t)bvm_encode(&ret, b->code)};
    uint32_t f = bvm_write_declare(w, "same", banks);
    bvm_write_define(w, f, &body);
    int64_t dims[2] = {-1, 2}, strides[2] = {BVM_DYNAMIC_STRIDE, 1};
    for (unsigned e = 1; e < BVM_ELEMS; e++) {
        bool pair = kind == 's' && bvm_elem_class(e) == 'C';
        if (kind == 's' && pair != (sig.nargs == 2))
            continue;
        BvmTypeDesc type = {.kind = (uint8_t)kind,
                            .etype = (uint8_t)e,
                            .is_memref = kind != 's' && (layout || kind == 'u' || e % 2),
                            .rank = kind == 'v' ? 2 : 0,
                            .dims = dims,
                            .offset = layout ? -1 : 0,
                            .strides = layout ? strides : NULL,
                            .written = bvm_elem_name(e)};
        bvm_write_export(w, bvm_elem_name(e), f, 1, &type, 1, &type);
    }
    void *data = NULL;
    BufvmError error = {0};
    if (bvm_writer_finish(w, &data, &g->size, &error) != BUFVM_OK)
        b->failed = fprintf(stderr, "%s: %s\n", name, error.text) > 0;
    g->data = data;
    bvm_writer_free(w);
}

bool goldens_make(Goldens *goldens)
{
    Builder *b = calloc(1, sizeof *b);
    bool ok = true;
    b->goldens = goldens;
    size_t first = goldens->n;
    computing_modules(b, false);
    computing_modules(b, true);
    placed_modules(b, false);
    placed_modules(b, true);
    memory_modules(b);
    report_modules(b);
    kernel_modules(b);
    type_module(b, "types-scalar", "s:s", 's', false);
    type_module(b, "types-complex", "ss:ss", 's', false);
    type_module(b, "types-view", "bs:bs", 'v', false);
    type_module(b, "types-layout", "bsss:bsss", 'v', true);
    type_module(b, "types-unranked", "bb:bb", 'u', false);
    for (size_t i = first; i < goldens->n; i++)
        ok = ok && goldens->all[i].data && goldens->all[i].size <= GOLDEN_MAX_BYTES;
    free(b);
    return ok;
}

bool goldens_read(Goldens *goldens, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return fprintf(stderr, "%s: cannot be read\n", path) < 0;
    char *text = malloc(1 << 20);
    size_t n = fread(text, 1, 1 << 20, f);
    fclose(f);
    void *data = NULL;
    Golden golden;
    memset(&golden, 0, sizeof golden);
    BufvmError error = {0};
    BufvmStatus status = bvm_assemble(NULL, text, n, &data, &golden.size, &error);
    free(text);
    if (status != BUFVM_OK)
        return fprintf(stderr, "%s:%u:%u: %s\n", path, error.line, error.col, error.text) < 0;
    const char *name = strrchr(path, '/');
    snprintf(golden.name, sizeof golden.name, "%s", name ? name + 1 : path);
    golden.data = data;
    goldens->all = realloc(goldens->all, (goldens->n + 1) * sizeof *goldens->all);
    goldens->all[goldens->n++] = golden;
    return golden.size <= GOLDEN_MAX_BYTES || fprintf(stderr, "%s: the module has over 64 KiB\n", path) < 0;
}

void goldens_free(Goldens *goldens)
{
    for (size_t i = 0; i < goldens->n; i++) {
        free(goldens->all[i].data);
        free(goldens->all[i].forms);
        free(goldens->all[i].want);
        free(goldens->all[i].known);
    }
    free(goldens->all);
    *goldens = (Goldens){0};
}
