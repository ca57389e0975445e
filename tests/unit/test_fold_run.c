/* Every op of arith and math that has a numeric row is folded, run as scalar code and run on a tensor, on the same inputs:
 * the three answers must be the same bits, traps included.
 *
 * One module a row and type: functions f0, f1, .. of constants (folded), r0, r1, .. of unfoldable constants, and t of tensors.
 */
#include "../../compiler/bufvmc.h"
#include "../../compiler/dialects/dialect.h"
#include "../../vm/bufvm.h"
#include "../../vm/bytecode/format.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Kind {
    const char *text;
    unsigned width;
    bool is_float;
} Kind;

static const Kind kinds[] = {{"i1", 1, false},   {"i7", 7, false},   {"i8", 8, false},   {"i16", 16, false},
                             {"i24", 24, false}, {"i32", 32, false}, {"i64", 64, false}, {"index", 64, false},
                             {"f16", 16, true},  {"bf16", 16, true}, {"f32", 32, true},  {"f64", 64, true}};
static const Kind small_floats[] = {{"f8E5M2", 8, true}, {"f8E4M3FN", 8, true}, {"f8E4M3FNUZ", 8, true}, {"f4E2M1FN", 4, true}};
enum { KINDS = sizeof kinds / sizeof *kinds, SMALLS = sizeof small_floats / sizeof *small_floats, SAMPLES = 20 };

/* ---- inputs --------------------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return x ^ x >> 32;
}

/* Bits of sample k: the edges of the type first, then numbers of middling size, then any bits. */
static uint64_t sample(const Kind *kind, unsigned k, unsigned operand)
{
    uint64_t random = mix(k * 3 + operand + 77), top = UINT64_C(1) << (kind->width - 1);
    uint64_t mask = kind->width == 64 ? UINT64_MAX : (UINT64_C(1) << kind->width) - 1;
    if (!kind->is_float) {
        const uint64_t edges[] = {0, 1, mask, top, top - 1, 2, 5};
        unsigned pick = (k * (operand + 2) + operand) % 11;
        return (pick < 7 ? edges[pick] : random >> random % 60) & mask;
    }
    static const uint64_t f32s[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                    0x7fc00000, 0xffc12345, 0x7f812345, 0x00000001, 0x7f7fffff, 0x40490fdb,
                                    0x3e99999a, 0xc1200000, 0x3fc00000, 0x41b00000, 0x42c80000};
    uint64_t bits = f32s[(k * (operand * 4 + 5) + operand * 3) % (sizeof f32s / sizeof *f32s)];
    if (kind->width == 64) {
        uint64_t exponent = bits >> 23 & 0xff, wide = exponent == 0xff ? 0x7ff : exponent ? exponent + 896 : 0;
        bits = (bits >> 31) << 63 | wide << 52 | (bits & 0x7fffff) << 29 | (exponent && exponent != 0xff ? random & 0x1fffffff : 0);
    } else if (kind->width < 32) {
        bits = strcmp(kind->text, "bf16") == 0 ? bits >> 16 : random & mask;
    }
    return bits & mask;
}

static void literal(char *out, size_t size, const Kind *kind, uint64_t bits)
{
    if (kind->is_float)
        snprintf(out, size, "0x%0*" PRIX64, (int)((kind->width + 3) / 4), bits);
    else if (kind->width == 1)
        snprintf(out, size, "%s", bits ? "true" : "false");
    else
        snprintf(out, size, "%" PRId64, (int64_t)(bits << (64 - kind->width)) >> (64 - kind->width));
}

/* ---- programs --------------------------------------------------------------------------- */

typedef struct Trial {
    const char *name, *suffix; /* op, and what stands behind its operands: predicate is in front */
    const char *predicate;
    unsigned n;
    const Kind *in[3], *out;
    const char *types; /* printf format of the type part; %1$s input, %2$s output, of scalar or tensor */
    bool can_trap;
} Trial;

static char text[1 << 17];
static size_t used;

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text + used, sizeof text - used, format, args);
    va_end(args);
    ck_assert(n >= 0 && used + (size_t)n < sizeof text);
    used += (size_t)n;
}

static void add_op(const Trial *trial, const char *in, const char *second, const char *out)
{
    add("  %%r = %s %s", trial->name, trial->predicate ? trial->predicate : "");
    for (unsigned i = 0; i < trial->n; i++)
        add("%s%%a%u", i || trial->predicate ? ", " : "", i);
    add(" : ");
    if (strcmp(trial->name, "arith.select") == 0)
        add("%s%s%s", strchr(in, 'x') ? in : "", strchr(in, 'x') ? ", " : "", out);
    else if (strcmp(trial->types, "to") == 0)
        add("%s to %s", in, out);
    else if (strcmp(trial->types, "two") == 0)
        add("%s, %s", in, second);
    else
        add("%s", in);
    add("\n  return %%r : %s\n}\n", out);
}

static void add_scalar(const Trial *trial, unsigned k, bool folded)
{
    add("func.func @%c%u() -> %s {\n", folded ? 'f' : 'r', k, trial->out->text);
    for (unsigned i = 0; i < trial->n; i++) {
        char value[40];
        literal(value, sizeof value, trial->in[i], sample(trial->in[i], k, i));
        add("  %%a%u = %s %s%s%s\n", i, folded ? "arith.constant" : "util.unfoldable_constant", value,
            trial->in[i]->width == 1 ? "" : " : ", trial->in[i]->width == 1 ? "" : trial->in[i]->text);
    }
    add_op(trial, trial->in[0]->text, trial->n > 1 ? trial->in[1]->text : "", trial->out->text);
}

static void add_tensor(const Trial *trial)
{
    char types[4][32];
    for (unsigned i = 0; i < trial->n; i++)
        snprintf(types[i], sizeof types[i], "tensor<%dx%s>", SAMPLES, trial->in[i]->text);
    snprintf(types[3], sizeof types[3], "tensor<%dx%s>", SAMPLES, trial->out->text);
    add("func.func @t() -> %s {\n", types[3]);
    for (unsigned i = 0; i < trial->n; i++) {
        add("  %%a%u = util.unfoldable_constant dense<[", i);
        for (unsigned k = 0; k < SAMPLES; k++) {
            char value[40];
            uint64_t bits = sample(trial->in[i], k, i);
            literal(value, sizeof value, trial->in[i], trial->can_trap && i == 1 && bits == 0 ? 1 : bits);
            add("%s%s", k ? ", " : "", value);
        }
        add("]> : %s\n", types[i]);
    }
    add_op(trial, types[0], types[1], types[3]);
}

/* ---- runs -------------------------------------------------------------------------------- */

static unsigned ran, trapped;

static BufvmStatus call(BufvmModule *module, BufvmContext *context, const char *name, BufvmValue *result)
{
    uint32_t number;
    BufvmError error = {0};
    ck_assert_msg(bufvm_module_find(module, name, &number), "%s", name);
    memset(result, 0, sizeof *result);
    return bufvm_call(context, number, NULL, 0, result, 1, &error);
}

static uint64_t element(const BufvmValue *value, unsigned k)
{
    size_t bytes = bufvm_elem_bytes(value->view.elem);
    uint64_t bits = 0;
    for (size_t i = bytes; i-- > 0;)
        bits = bits << 8 | bufvm_buffer_data(value->view.buffer)[value->view.offset + k * bytes + i];
    return bits;
}

static void compare(const Trial *trial, BufvmModule *module, BufvmContext *context)
{
    BufvmValue folded, run, tensor;
    uint64_t mask = trial->out->width == 64 ? UINT64_MAX : (UINT64_C(1) << trial->out->width) - 1;
    ck_assert_msg(call(module, context, "t", &tensor) == BUFVM_OK, "%s on tensors of %s", trial->name, trial->in[0]->text);
    for (unsigned k = 0; k < SAMPLES; k++) {
        char name[2][8];
        snprintf(name[0], sizeof name[0], "f%u", k);
        snprintf(name[1], sizeof name[1], "r%u", k);
        BufvmStatus a = call(module, context, name[0], &folded), b = call(module, context, name[1], &run);
        ck_assert_msg(a == b, "%s %s sample %u: folded %s, run %s", trial->name, trial->in[0]->text, k, bufvm_status_name(a),
                      bufvm_status_name(b));
        ran++;
        trapped += a == BUFVM_TRAP;
        if (a != BUFVM_OK)
            continue;
        ck_assert_msg(folded.bits == run.bits, "%s %s %s -> %s sample %u: folded %" PRIx64 ", run %" PRIx64, trial->name,
                      trial->predicate ? trial->predicate : "", trial->in[0]->text, trial->out->text, k, folded.bits, run.bits);
        ck_assert_msg((element(&tensor, k) & mask) == (run.bits & mask),
                      "%s %s %s -> %s sample %u: scalar %" PRIx64 ", tensor %" PRIx64, trial->name,
                      trial->predicate ? trial->predicate : "", trial->in[0]->text, trial->out->text, k, run.bits,
                      element(&tensor, k));
    }
    bufvm_value_release(&tensor);
}

static void try_it(const Trial *trial)
{
    used = 0;
    for (unsigned k = 0; k < SAMPLES; k++) {
        add_scalar(trial, k, true);
        add_scalar(trial, k, false);
    }
    add_tensor(trial);
    BufvmcOutput out;
    const BufvmcOptions options = {0};
    BufvmcStatus status = bufvmc_compile(text, used, &options, &out);
    ck_assert_msg(status == BUFVMC_OK, "%s %s:\n%s", trial->name, trial->in[0]->text, out.diagnostics);
    BufvmModule *module;
    BufvmContext *context;
    BufvmError error = {0};
    ck_assert_msg(bufvm_module_load(out.data, out.size, NULL, &module, &error) == BUFVM_OK, "%s", error.text);
    ck_assert_msg(bufvm_context_new(module, NULL, NULL, 0, NULL, &context, &error) == BUFVM_OK, "%s", error.text);
    compare(trial, module, context);
    bufvm_context_free(context);
    bufvm_module_release(module);
    bufvmc_output_free(&out);
}

/* ---- rows ----------------------------------------------------------------------------------- */

static bool takes(const OpDef *def, const Kind *kind)
{
    const char *constraint = strchr(def->operands_text, ':') + 1;
    bool wants_float = strncmp(constraint, "float", 5) == 0;
    return wants_float == kind->is_float &&
           (strncmp(constraint, "intlike", 7) == 0 || wants_float || strcmp(kind->text, "index") != 0);
}

static void try_plain(const OpDef *def, unsigned n, bool to_i1)
{
    for (unsigned i = 0; i < KINDS + SMALLS; i++) {
        const Kind *kind = i < KINDS ? &kinds[i] : &small_floats[i - KINDS];
        if (!takes(def, kind))
            continue;
        Trial trial = {.name = def->name, .n = n, .in = {kind, kind, kind}, .out = to_i1 ? &kinds[0] : kind, .types = ""};
        trial.can_trap = strstr(def->name, "div") && !kind->is_float;
        trial.can_trap |= strstr(def->name, "rem") && !kind->is_float;
        try_it(&trial);
    }
}

static void try_compares(const OpDef *def)
{
    bool is_float = strcmp(def->name, "arith.cmpf") == 0;
    const EnumDef *predicates = vmc_find_enum(is_float ? "cmpf_predicate" : "cmpi_predicate");
    for (unsigned i = 0; i < KINDS; i++)
        for (uint32_t p = 0; takes(def, &kinds[i]) && p < predicates->n; p++) {
            Trial trial = {.name = def->name,
                           .n = 2,
                           .in = {&kinds[i], &kinds[i]},
                           .out = &kinds[0],
                           .types = "",
                           .predicate = predicates->cases[p].name};
            try_it(&trial);
        }
}

static void try_conversion(const OpDef *def, const Kind *in, const Kind *out)
{
    bool wider = out->width > in->width, index = strcmp(in->text, "index") == 0 || strcmp(out->text, "index") == 0;
    bool both_index = strcmp(in->text, out->text) == 0;
    bool is_index_cast = strncmp(def->name, "arith.index_cast", 16) == 0;
    bool fits = is_index_cast                             ? index && !both_index
                : index                                   ? false
                : strncmp(def->name, "arith.ext", 9) == 0 ? wider
                : strncmp(def->name, "arith.trunc", 11) == 0
                    ? out->width < in->width
                    : strcmp(def->name, "arith.convertf") != 0 || (out->width == in->width && in != out);
    bool wants_float_in = strstr(def->operands_text, "in:float") != NULL,
         wants_float_out = strstr(def->results_text, "out:float") != NULL;
    if (!fits || in->is_float != wants_float_in || out->is_float != wants_float_out)
        return;
    Trial trial = {.name = def->name, .n = 1, .in = {in}, .out = out, .types = "to"};
    try_it(&trial);
}

static void try_conversions(const OpDef *def)
{
    for (unsigned i = 0; i < KINDS + SMALLS; i++)
        for (unsigned o = 0; o < KINDS + SMALLS; o++)
            try_conversion(def, i < KINDS ? &kinds[i] : &small_floats[i - KINDS], o < KINDS ? &kinds[o] : &small_floats[o - KINDS]);
}

static void try_fpowi(const OpDef *def)
{
    for (unsigned i = 0; i < KINDS; i++)
        if (kinds[i].is_float) {
            Trial trial = {.name = def->name, .n = 2, .in = {&kinds[i], &kinds[5]}, .out = &kinds[i], .types = "two"};
            try_it(&trial);
        }
}

static void try_select(const OpDef *def)
{
    for (unsigned i = 0; i < KINDS; i++) {
        Trial trial = {.name = def->name, .n = 3, .in = {&kinds[0], &kinds[i], &kinds[i]}, .out = &kinds[i], .types = ""};
        try_it(&trial);
    }
}

static void try_row(const OpDef *def)
{
    const char *numeric = def->hooks.numeric;
    bool known = strncmp(def->name, "arith.", 6) == 0 || strncmp(def->name, "math.", 5) == 0;
    if (!known || !numeric)
        return;
    if (strncmp(numeric, "cmp", 3) == 0) {
        try_compares(def);
        return;
    }
    int row = bvm_op_by_name(numeric, strlen(numeric));
    ck_assert_msg(row >= 0, "%s: no row %s", def->name, numeric);
    switch (bvm_ops[row].form) {
    case '1':
        try_plain(def, 1, false);
        break;
    case '2':
        try_plain(def, 2, false);
        break;
    case '3':
        try_plain(def, 3, false);
        break;
    case 'p':
        try_plain(def, 1, true);
        break;
    case 'x':
        try_conversions(def);
        break;
    case 'e':
        try_fpowi(def);
        break;
    case '?':
        try_select(def);
        break;
    default:
        ck_abort_msg("%s: form %c", def->name, bvm_ops[row].form);
    }
}

/* Every sixteenth row: a failure hides only what comes behind it in its part. */
START_TEST(folded_run_and_tiled_agree)
{
    for (uint32_t i = (uint32_t)_i; i < vmc_num_defs(); i += 16)
        try_row(vmc_def_at(i));
    ck_assert_uint_gt(ran, 100);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fold_run");
    TCase *tcase = tcase_create("fold_run");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, folded_run_and_tiled_agree, 0, 16);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
