/* Random code that the verifier accepts: random_code [ROUNDS [SEED]].
 *
 * Every row of opcodes.def is used with any registers, element types and numbers that the rules allow, so what
 * the interpreter meets is what a hostile but well-formed module can ask for.  A run may trap or meet a limit; it may not
 * crash, leak, or allocate over the limits.  Each module is also run with some bits of its code flipped, if it still loads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/bytecode/file.h"
#include "../../vm/bytecode/opnames.h"
#include "../counting.h"

enum { SCALARS = 8, BUFFERS = 4, FUNCTIONS = 4, TYPES = 9, PER_TYPE = 6, TILES = TYPES * PER_TYPE, MAX_WORDS = 4096 };

static const char *const banks[FUNCTIONS] = {"bsss:s", "s:s", "bs:", "bb:bs"};
static const uint8_t tile_types[TYPES] = {BVM_I1, BVM_I8, BVM_I16, BVM_I32, BVM_I64, BVM_F16, BVM_BF16, BVM_F32, BVM_F64};

typedef struct Gen {
    uint64_t seed;
    BvmWriter *w;
    uint64_t code[MAX_WORDS];
    uint32_t n;
    uint32_t starts[MAX_WORDS], nstarts; /* outside of strips */
    uint32_t fixups[MAX_WORDS], nfixups; /* words that want a label */
    bool in_strip, written[TILES];
    uint32_t strip_lanes, strip_first;
    uint32_t function;
    uint16_t list[256];
} Gen;

static uint32_t rnd(Gen *g, uint32_t n)
{
    g->seed = g->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((g->seed >> 33) % n);
}

static uint64_t any_number(Gen *g)
{
    static const int64_t numbers[] = {0,  1,   2,    3,     4,  7,  8,  15,        16,        31,        32,     63,
                                      64, 100, 4096, 65536, -1, -2, -8, INT64_MAX, INT64_MIN, INT32_MIN, 1 << 20};
    return rnd(g, 8) ? (uint64_t)numbers[rnd(g, sizeof numbers / sizeof *numbers)] : g->seed;
}

static BvmTileDecl tile_decl(uint32_t t)
{
    BvmTileDecl d;
    memset(&d, 0, sizeof d);
    d.etype = tile_types[t / PER_TYPE];
    d.full = t % PER_TYPE >= 2;
    d.capacity = t % PER_TYPE >= 4 ? 8 : 16;
    return d;
}

/* A tile that may stand as operand k of the instruction, or -1. */
static int pick_tile(Gen *g, const BvmInsn *insn, char kind, unsigned k, uint32_t capacity)
{
    unsigned want = bvm_tile_storage(bvm_tile_elem(insn, k));
    for (int tries = 0; tries < 200; tries++) {
        uint32_t t = rnd(g, TILES);
        BvmTileDecl d = tile_decl(t);
        if (d.etype != want)
            continue;
        if (kind == 'A' || insn->row == BVM_OP_t_extract) {
            if (d.full)
                return (int)t;
        } else if (g->in_strip ? d.capacity >= g->strip_lanes && (d.full || kind == 'T' || g->written[t])
                               : d.full && d.capacity == capacity) {
            return (int)t;
        }
    }
    return -1;
}

static void emit(Gen *g, const BvmInsn *insn)
{
    if (!g->in_strip)
        g->starts[g->nstarts++] = g->n;
    if (strchr(bvm_ops[insn->row].kinds, 'l') && !g->in_strip)
        g->fixups[g->nfixups++] = g->n + (uint32_t)bvm_wide_at(insn->row);
    g->n += (uint32_t)bvm_encode(insn, g->code + g->n);
}

static void list_banks(Gen *g, BvmInsn *insn, const char *text, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (text[i] != ':')
            g->list[insn->nlist++] = (uint16_t)rnd(g, text[i] == 's' ? SCALARS : BUFFERS);
    insn->list = g->list;
}

static bool fill_kernel(Gen *g, BvmInsn *insn)
{
    static const uint16_t combiners[] = {BVM_OP_addi, BVM_OP_muli, BVM_OP_maxsi,    BVM_OP_minui,   BVM_OP_xori, BVM_OP_divsi,
                                         BVM_OP_addf, BVM_OP_mulf, BVM_OP_maximumf, BVM_OP_minnumf, BVM_OP_remf};
    static const uint16_t compares[] = {BVM_OP_cmpi_slt, BVM_OP_cmpi_uge, BVM_OP_cmpi_eq,
                                        BVM_OP_cmpf_olt, BVM_OP_cmpf_uno, BVM_OP_cmpf_uge};
    unsigned kernel = 1 + rnd(g, 5), rank = rnd(g, 6) ? rnd(g, 4) : rnd(g, 17);
    uint64_t e[3] = {tile_types[rnd(g, TYPES)], tile_types[rnd(g, TYPES)], tile_types[rnd(g, TYPES)]};
    if (!bvm_kernel_table[kernel].name)
        return false;
    insn->wide[1] = kernel == 4   ? combiners[rnd(g, sizeof combiners / sizeof *combiners)]
                    : kernel == 5 ? compares[rnd(g, sizeof compares / sizeof *compares)]
                                  : 0;
    if (kernel == 2 || kernel == 4 || (kernel == 3 && rnd(g, 2)))
        e[1] = e[2] = e[0];
    if (kernel >= 4 && !(bvm_ops[insn->wide[1]].etypes >> e[0] & 1))
        return false;
    if (kernel == 3 && (bvm_elem_class((unsigned)e[0]) != bvm_elem_class((unsigned)e[1]) ||
                        bvm_elem_class((unsigned)e[1]) != bvm_elem_class((unsigned)e[2])))
        return false;
    insn->wide[0] = kernel | (uint64_t)rank << 16 | (uint64_t)rnd(g, 8) << 48;
    unsigned operands = 0;
    for (const char *k = bvm_kernel_table[kernel].operands; *k; k++) {
        bool view = *k == 'o' || *k == 'i';
        if (view) {
            insn->wide[0] |= e[operands] << (24 + 8 * operands);
            operands++;
            g->list[insn->nlist++] = (uint16_t)rnd(g, BUFFERS);
        }
        for (unsigned i = 0; i < (*k == 'N' ? rank : view ? rank + 1 : 1); i++)
            g->list[insn->nlist++] = (uint16_t)rnd(g, SCALARS);
    }
    insn->list = g->list;
    return true;
}

/* Lists and numbers that must fit something; false: leave the instruction out. */
static bool fill_special(Gen *g, BvmInsn *insn)
{
    uint32_t callee = rnd(g, FUNCTIONS);
    switch (insn->row) {
    case BVM_OP_call:
        insn->wide[0] = callee;
        list_banks(g, insn, banks[callee], (uint32_t)strlen(banks[callee]));
        return true;
    case BVM_OP_call_indirect:
        insn->wide[0] = bvm_write_string(g->w, banks[callee], strlen(banks[callee]));
        list_banks(g, insn, banks[callee], (uint32_t)strlen(banks[callee]));
        return true;
    case BVM_OP_grid:
        insn->wide[0] = 2;
        list_banks(g, insn, "b", 1);
        return true;
    case BVM_OP_ret: {
        const char *results = strchr(banks[g->function], ':');
        list_banks(g, insn, results, (uint32_t)strlen(results));
        return rnd(g, 8) == 0;
    }
    case BVM_OP_kernel:
        return fill_kernel(g, insn);
    case BVM_OP_call_import:
        insn->wide[0] = 0;
        list_banks(g, insn, "sb", 2);
        return true;
    case BVM_OP_probe:
        insn->wide[0] = rnd(g, 100);
        return true;
    case BVM_OP_sext:
    case BVM_OP_zext:
    case BVM_OP_ftosi_width:
    case BVM_OP_ftoui_width:
        insn->regs[2] = (uint16_t)(1 + rnd(g, 64));
        return true;
    case BVM_OP_buffer_alloc:
        insn->wide[0] = UINT64_C(1) << rnd(g, 13) | (uint64_t)rnd(g, 2) << 32;
        return true;
    case BVM_OP_buffer_local:
        insn->wide[0] = 16 * rnd(g, 4);
        insn->wide[1] = rnd(g, 65);
        return g->function == 2; /* the one that is on no call cycle */
    case BVM_OP_unreachable:
        return rnd(g, 8) == 0;
    default:
        return true;
    }
}

/* Rows that trap on most operands come seldom, else a run ends with its first few instructions. */
static bool traps_easily(unsigned row)
{
    return (row >= BVM_OP_check_index && row <= BVM_OP_check_equal) || (row >= BVM_OP_buffer_alloc && row <= BVM_OP_storex) ||
           (row % BVM_TILE >= BVM_OP_divsi && row % BVM_TILE <= BVM_OP_floordivsi) ||
           (row >= BVM_OP_t_gather && row <= BVM_OP_t_assert) || row == BVM_OP_t_load || row == BVM_OP_t_store ||
           row == BVM_OP_t_extract || row == BVM_OP_t_insert || row == BVM_OP_assert || row == BVM_OP_call_indirect ||
           row == BVM_OP_kernel;
}

static void random_insn(Gen *g)
{
    BvmInsn insn = {.row = (uint16_t)rnd(g, BVM_ROWS)};
    const BvmOpInfo *op = &bvm_ops[insn.row];
    if (op->name && traps_easily(insn.row) && rnd(g, 4))
        return;
    if (!op->name || insn.row == BVM_OP_switch || insn.row == BVM_OP_strip || insn.row == BVM_OP_strip_next)
        return;
    if (g->in_strip && (strpbrk(op->kinds, "lWM*") || insn.row == BVM_OP_unreachable || insn.row == BVM_OP_probe ||
                        insn.row == BVM_OP_buffer_dealloc || insn.row == BVM_OP_func_ref))
        return;
    if (g->function == 2 && (insn.row == BVM_OP_call || insn.row == BVM_OP_call_indirect || insn.row == BVM_OP_grid))
        return;
    do
        insn.etype = (uint16_t)rnd(g, BVM_ELEMS);
    while (!(op->etypes >> insn.etype & 1));
    insn.nan_flag = op->form && bvm_elem_class(insn.etype) == 'F' && rnd(g, 2);
    unsigned wides = 0, fields = 0, tiles = 0;
    if (op->form == 'x' || insn.row == BVM_OP_fconv_round) {
        unsigned row = insn.row % BVM_TILE;
        bool to_int = row == BVM_OP_ftosi || row == BVM_OP_ftoui || row == BVM_OP_exts || row == BVM_OP_extu;
        insn.regs[2] = (uint16_t)(to_int ? 1 + rnd(g, 5) : BVM_F16 + rnd(g, 15));
        insn.regs[3] = (uint16_t)(insn.row == BVM_OP_fconv_round ? rnd(g, 5) : 0);
    }
    uint32_t capacity = rnd(g, 2) ? 16 : 8;
    bool writes[TILES] = {false};
    for (const char *k = op->kinds; *k; k++) {
        if (strchr(BVM_FIELD_KINDS, *k)) {
            uint16_t *field = &insn.regs[fields++];
            if (strchr("TtA", *k)) {
                int t = pick_tile(g, &insn, *k, tiles++, capacity);
                if (t < 0)
                    return;
                *field = (uint16_t)t;
                writes[t] |= *k == 'T';
            } else if (*k != 'h') {
                *field = (uint16_t)rnd(g, strchr("wrm", *k) ? SCALARS : BUFFERS);
            } else if (!(op->form == 'x' || insn.row == BVM_OP_fconv_round)) {
                *field = (uint16_t)rnd(g, 4);
            }
        } else if (*k == 's') {
            insn.wide[wides++] = bvm_write_string(g->w, "reason", 6);
        } else if (*k != '*') {
            insn.wide[wides++] = *k == 'i' ? any_number(g) : *k == 'k' ? rnd(g, 3) : *k == 'f' ? rnd(g, FUNCTIONS) : 0;
        }
    }
    if (!fill_special(g, &insn))
        return;
    for (uint32_t t = 0; t < TILES; t++)
        g->written[t] = (g->written[t] || writes[t]) && !(writes[t] && insn.row == BVM_OP_t_dest); /* a place is no value */
    emit(g, &insn);
}

static void random_strip(Gen *g)
{
    BvmInsn strip = {.row = BVM_OP_strip,
                     .regs = {(uint16_t)rnd(g, SCALARS), (uint16_t)rnd(g, SCALARS), (uint16_t)(1 + rnd(g, 16))}};
    uint32_t start = g->n;
    g->starts[g->nstarts++] = g->n;
    g->n += (uint32_t)bvm_encode(&strip, g->code + g->n);
    g->in_strip = true;
    g->strip_lanes = strip.regs[2];
    memset(g->written, 0, sizeof g->written);
    uint32_t first = g->n;
    for (uint32_t i = rnd(g, 120); i; i--)
        random_insn(g);
    if (rnd(g, 4) == 0) {
        BvmInsn loop = {.row = BVM_OP_loop,
                        .etype = BVM_I64,
                        .regs = {(uint16_t)rnd(g, SCALARS), (uint16_t)rnd(g, SCALARS), (uint16_t)rnd(g, SCALARS)},
                        .wide = {first}};
        g->n += (uint32_t)bvm_encode(&loop, g->code + g->n);
    }
    BvmInsn next = {.row = BVM_OP_strip_next, .regs = {strip.regs[0]}, .wide = {first}};
    g->n += (uint32_t)bvm_encode(&next, g->code + g->n);
    g->code[start + bvm_wide_at(BVM_OP_strip)] = g->n;
    g->in_strip = false;
}

static void random_switch(Gen *g)
{
    BvmInsn insn = {.row = BVM_OP_switch, .etype = BVM_I64, .regs = {(uint16_t)rnd(g, SCALARS)}, .wide = {rnd(g, 4), rnd(g, 4)}};
    BvmInsn jmp = {.row = BVM_OP_jmp};
    emit(g, &insn);
    for (uint64_t i = 0; i <= insn.wide[1]; i++)
        emit(g, &jmp);
}

/* Values to start from, then what comes. */
static void random_function(Gen *g, uint32_t f)
{
    g->n = g->nstarts = g->nfixups = 0;
    g->function = f;
    for (unsigned i = 0; i < SCALARS; i++)
        if (rnd(g, 3)) {
            BvmInsn imm = {.row = BVM_OP_imm, .regs = {(uint16_t)i}, .wide = {any_number(g)}};
            emit(g, &imm);
        }
    for (unsigned i = 0; i < BUFFERS; i++)
        if (rnd(g, 4)) {
            BvmInsn imm = {.row = BVM_OP_imm, .regs = {0}, .wide = {rnd(g, 300)}},
                    alloc = {.row = BVM_OP_buffer_alloc, .regs = {(uint16_t)i, 0}};
            emit(g, &imm);
            emit(g, &alloc);
        }
    for (uint32_t i = rnd(g, 200); i; i--) {
        uint32_t what = rnd(g, 30);
        if (what == 0)
            random_strip(g);
        else if (what == 1)
            random_switch(g);
        else
            random_insn(g);
        if (g->n > MAX_WORDS - 2000)
            break;
    }
    BvmInsn ret = {.row = BVM_OP_ret};
    const char *results = strchr(banks[f], ':');
    list_banks(g, &ret, results, (uint32_t)strlen(results));
    emit(g, &ret);
    for (uint32_t i = 0; i < g->nfixups; i++)
        g->code[g->fixups[i]] = g->starts[rnd(g, 4) ? g->nstarts - 1 - rnd(g, (g->nstarts + 1) / 2) : rnd(g, g->nstarts)];
}

static void *random_module(Gen *g, size_t *size)
{
    BvmTileDecl tiles[TILES];
    for (uint32_t t = 0; t < TILES; t++)
        tiles[t] = tile_decl(t);
    g->w = bvm_writer_new(NULL);
    BvmTypeDesc f32 = {.kind = 's', .etype = BVM_F32, .written = "f32"},
                view = {.kind = 'v', .etype = BVM_F32, .is_memref = true, .written = "m"};
    int64_t dims[2] = {-1, -1};
    BvmTypeDesc args[2] = {f32, view};
    bvm_write_import(g->w, "host", 2, args, 0, NULL);
    bvm_write_constant(g->w, "0123456789abcdef0123456789abcdef", 32, 32, false);
    bvm_write_constant(g->w, "abcd", 4, 256, false);
    bvm_write_constant(g->w, NULL, 0, 100, false);
    bvm_write_global(g->w, "g", 100, 64, 2, rnd(g, 2));
    for (uint32_t f = 0; f < FUNCTIONS; f++)
        bvm_write_declare(g->w, (const char[]){(char)('a' + f), 0}, banks[f]);
    for (uint32_t f = 0; f < FUNCTIONS; f++) {
        random_function(g, f);
        BvmFunction body = {.nscalars = SCALARS,
                            .nbuffers = BUFFERS,
                            .ntiles = TILES,
                            .tiles = tiles,
                            .code = g->code,
                            .ncode = g->n,
                            .local_bytes = f == 2 ? 128 : 0};
        bvm_write_define(g->w, f, &body);
    }
    view.rank = 2;
    view.dims = dims;
    view.offset = -1;
    bvm_write_export(g->w, "main", 0, 1, &view, 1, &f32);
    if (rnd(g, 2))
        bvm_write_debug_op(g->w, 0, "@a/x#0", 1, 1, "", ""); /* as of vmc -g: it may be watched */
    void *data = NULL;
    BufvmError error = {0};
    if (bvm_writer_finish(g->w, &data, size, &error) != BUFVM_OK)
        fprintf(stderr, "writer: %s\n", error.text);
    bvm_writer_free(g->w);
    return data;
}

/* -- running ------------------------------------------------------------------------------ */

#define MEMORY (1u << 20)
typedef struct Tally {
    unsigned long refused, statuses[BUFVM_HOST + 1];
} Tally;

static BufvmStatus host(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                        BufvmValue *results, BufvmError *error)
{
    (void)user, (void)context, (void)signature, (void)args, (void)results, (void)error;
    return BUFVM_OK;
}

static bool call_main(BufvmModule *module, const BufvmAllocator *a, uint32_t threads, unsigned sanitize, bool damaged, Tally *tally)
{
    static const BufvmImport import = {"host", host, NULL};
    BufvmLimits limits = {.memory = MEMORY,
                          .fuel = 50000,
                          .local_memory = 1 << 16,
                          .call_depth = 50,
                          .stack = 1 << 20,
                          .threads = threads,
                          .sanitize = sanitize};
    BufvmContext *context = NULL;
    BufvmError error = {0};
    BufvmValue arg = {.kind = BUFVM_VIEW, .view = {.elem = BVM_F32, .rank = 2, .dims = {4, 8}}}, result = {0};
    if (bufvm_context_new(module, &limits, &import, 1, a, &context, &error) != BUFVM_OK)
        return (sanitize && error.status == BUFVM_INVALID_ARGUMENT) ||
               /* without observation points */ fprintf(stderr, "context: %s\n", error.text) < 0;
    if (bufvm_buffer_alloc(a, 128, &arg.view.buffer, &error) != BUFVM_OK)
        return false;
    BufvmStatus status = bufvm_call(context, 0, &arg, 1, &result, 1, &error);
    tally->statuses[status]++;
    bufvm_value_release(&arg);
    bufvm_value_release(&result);
    bufvm_context_free(context);
    /* a damaged name of an import is one that no host has, a damaged type of the export one that the argument does not fit */
    if (damaged && (status == BUFVM_NOT_FOUND || status == BUFVM_INVALID_ARGUMENT))
        return true;
    return status == BUFVM_OK || status == BUFVM_TRAP || status == BUFVM_LIMIT ||
           fprintf(stderr, "%s: %s\n", bufvm_status_name(status), error.text) < 0;
}

static bool run_bytes(const void *data, size_t size, bool must_load, uint32_t threads, Tally *tally)
{
    Counter counter;
    atomic_init(&counter.now, 0);
    atomic_init(&counter.peak, 0);
    BufvmAllocator a = {count_realloc, &counter};
    BufvmLoadOptions options = {.allocator = &a};
    BufvmModule *module = NULL;
    BufvmError error = {0};
    bool ok = true;
    if (bufvm_module_load(data, size, &options, &module, &error) == BUFVM_OK) {
        ok = bufvm_module_exports(module) != 1 ||
             (call_main(module, &a, threads, 0, !must_load, tally) &&
              call_main(module, &a, threads, BUFVM_SANITIZE | BUFVM_SANITIZE_RACE, !must_load, tally));
        bufvm_module_release(module);
    } else {
        tally->refused++;
        ok = !must_load || fprintf(stderr, "%s\n", error.text) < 0;
    }
    if (counter.now)
        return fprintf(stderr, "%zu bytes leaked\n", (size_t)counter.now) < 0;
    return ok && (counter.peak <= (64u << 20) + 20 * size || fprintf(stderr, "%zu bytes allocated\n", (size_t)counter.peak) < 0);
}

static bool run_round(uint64_t seed, Tally *tally)
{
    Gen *g = calloc(1, sizeof *g);
    g->seed = seed * 7919 + 1;
    rnd(g, 2);
    size_t size = 0;
    uint8_t *data = random_module(g, &size);
    bool ok = data && run_bytes(data, size, true, 1 + (uint32_t)(seed % 3), tally);
    for (int k = 0; k < 10 && ok; k++) {
        uint8_t *copy = malloc(size);
        memcpy(copy, data, size);
        for (uint32_t flips = 1 + rnd(g, 3); flips; flips--)
            copy[rnd(g, (uint32_t)size)] ^= (uint8_t)(1u << rnd(g, 8));
        ok = run_bytes(copy, size, false, 1, tally);
        free(copy);
    }
    free(data);
    free(g);
    return ok;
}

int main(int argc, char **argv)
{
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 100, seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    Tally tally;
    memset(&tally, 0, sizeof tally);
    for (unsigned long i = 0; i < rounds; i++)
        if (!run_round(seed + i, &tally)) {
            fprintf(stderr, "seed %lu\n", seed + i);
            return 1;
        }
    printf("%lu modules: %lu damaged ones refused; %lu calls returned, %lu trapped, %lu met a limit\n", rounds, tally.refused,
           tally.statuses[BUFVM_OK], tally.statuses[BUFVM_TRAP], tally.statuses[BUFVM_LIMIT]);
    return 0;
}
