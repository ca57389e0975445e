/* What --sanitize says of promises (promises.def): every one with every element type and width, on scalars and on tiles, against
 * the definitions over wide integers. */
#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/bufvm.h"
#include "../../vm/bytecode/module.h"
#include "../../vm/bytecode/promises.h"
#include "../../vm/numeric/numeric.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
enum { LANES = 300 };

typedef struct Seen { /* reports of a call: of the scalar instruction, of that on tiles */
    unsigned scalar, tile;
    char kind[40], text[400];
} Seen;

static void on_report(void *user, const BufvmReport *report)
{
    Seen *seen = user;
    *(report->line == 1 ? &seen->scalar : &seen->tile) += 1;
    snprintf(seen->kind, sizeof seen->kind, "%s", report->kind);
    snprintf(seen->text, sizeof seen->text, "%s", report->text);
}

static void *module_bytes;

static BufvmModule *module_of(unsigned promise, unsigned etype, unsigned width)
{
    char text[1200];
    const char *t = bufvm_elem_name((BufvmElem)etype);
    snprintf(text, sizeof text,
             ".function @f \"ssbb:\" scalars 4 buffers 2 {\n  .tile t0 %s %d full\n  .tile t1 %s %d full\n  .line 1:1\n  "
             "report.values.%s s0, s1, "
             "%u, %u\n  imm s2, 0\n  imm s3, 1\n  t.load.%s t0, b0, s2, s3\n  t.load.%s t1, b1, s2, s3\n  .line 2:1\n  "
             "t.report.values.%s t0, "
             "t1, %u, %u\n  ret ()\n}\n.export @f = @f (s i64 \"i64\", s i64 \"i64\", v %s [%d] \"a\", v %s [%d] \"b\") -> ()\n"
             ".debug_op 0 \"@f/x\" 1:1 \"\" \"\"\n",
             t, LANES, t, LANES, t, promise, width, t, t, t, promise, width, t, LANES, t, LANES);
    size_t size;
    BufvmError error;
    BufvmModule *module = NULL;
    free(module_bytes);
    module_bytes = NULL;
    ck_assert_msg(!bvm_assemble(NULL, text, strlen(text), &module_bytes, &size, &error), "%s:\n%s", error.text, text);
    ck_assert_msg(!bufvm_module_load(module_bytes, size, NULL, &module, &error), "%s", error.text);
    return module;
}

/* Lanes that keep any promise, but for one. */
static void put_lanes(uint8_t *lanes, unsigned bytes, uint64_t others, size_t lane, uint64_t value)
{
    for (size_t i = 0; i < LANES; i++)
        for (unsigned k = 0; k < bytes; k++)
            lanes[i * bytes + k] = (uint8_t)((i == lane ? value : others) >> 8 * k);
}

/* What stands in the lanes may have zeros above the width where the slot has the sign. */
static Seen see(BufvmModule *module, unsigned promise, unsigned etype, const uint64_t slot[2], const uint64_t memory[2])
{
    static uint8_t lanes[2][LANES * 8];
    static size_t turn;
    static const size_t at[] = {0, LANES - 1, 255, 256, 7};
    Seen seen = {0};
    BufvmLimits limits = {.sanitize = BUFVM_SANITIZE, .on_report = on_report, .report_user = &seen};
    BufvmContext *context = NULL;
    BufvmError error;
    BufvmValue args[4];
    unsigned bytes = (unsigned)bufvm_elem_bytes((BufvmElem)etype);
    size_t lane = at[turn++ % COUNT(at)];
    ck_assert_msg(!bufvm_context_new(module, &limits, NULL, 0, NULL, &context, &error), "%s", error.text);
    for (int k = 0; k < 2; k++) {
        args[k] = (BufvmValue){.kind = BUFVM_SCALAR, .elem = BUFVM_I64, .bits = slot[k]};
        put_lanes(lanes[k], bytes, k == 1 && promise == BVM_PROMISE_ALIGN, lane, memory[k]);
        args[2 + k] = (BufvmValue){.kind = BUFVM_VIEW, .view = {.elem = (BufvmElem)etype, .rank = 1, .dims = {LANES}}};
        ck_assert(!bufvm_buffer_wrap(NULL, lanes[k], LANES * bytes, true, NULL, NULL, &args[2 + k].view.buffer, &error));
    }
    ck_assert_msg(!bufvm_call(context, 0, args, 4, NULL, 0, &error), "%s", error.text);
    bufvm_value_release(&args[2]);
    bufvm_value_release(&args[3]);
    bufvm_context_free(context);
    return seen;
}

/* -- integers --------------------------------------------------------------------------------------------------- */

static bool outside(__int128 r, unsigned width)
{
    return r < -((__int128)1 << (width - 1)) || r >= (__int128)1 << (width - 1);
}

/* The slots a and b as numbers of the width. */
static bool integers_break(unsigned promise, unsigned width, uint64_t a, uint64_t b)
{
    __int128 sa = num_sext(a, width), sb = num_sext(b, width), top = (__int128)1 << width;
    unsigned __int128 ua = num_zext(a, width), ub = num_zext(b, width);
    switch (promise) {
    case BVM_PROMISE_SHIFT:
        return ub >= width;
    case BVM_PROMISE_NSW_ADD:
        return outside(sa + sb, width);
    case BVM_PROMISE_NSW_SUB:
        return outside(sa - sb, width);
    case BVM_PROMISE_NSW_MUL:
        return outside(sa * sb, width);
    case BVM_PROMISE_NUW_ADD:
        return ua + ub >= (unsigned __int128)top;
    case BVM_PROMISE_NUW_SUB:
        return ua < ub;
    case BVM_PROMISE_NUW_MUL:
        return ua * ub >= (unsigned __int128)top;
    case BVM_PROMISE_NSW_SHL:
        return ub < width && outside(sa * ((__int128)1 << (unsigned)ub), width);
    case BVM_PROMISE_NUW_SHL:
        return ub < width && ua << (unsigned)ub >= (unsigned __int128)top;
    case BVM_PROMISE_DIVIDE:
        return sb == -1 && outside(-sa, width);
    case BVM_PROMISE_NSW_TRUNC:
        return outside((int64_t)a, width);
    case BVM_PROMISE_NUW_TRUNC:
        return (__int128)(unsigned __int128)a >= top;
    case BVM_PROMISE_ALIGN:
        return b == 0 || a % b != 0;
    default: /* of floats */
        return false;
    }
}

static void try_integers(unsigned promise, unsigned etype, unsigned width)
{
    unsigned bits = etype == BUFVM_I1 ? 1 : 8 * (unsigned)bufvm_elem_bytes((BufvmElem)etype);
    bool truncates = promise == BVM_PROMISE_NSW_TRUNC || promise == BVM_PROMISE_NUW_TRUNC;
    unsigned form = truncates ? bits : width; /* slots hold numbers of the width, those that are cut off of the type */
    uint64_t top = UINT64_C(1) << (width - 1);
    const uint64_t values[] = {0,   1,       2,       3,           width - 1, width,      top - 1,
                               top, top + 1, top / 2, top / 2 + 1, 0 - top,   UINT64_MAX, UINT64_MAX - 1};
    BufvmModule *module = module_of(promise, etype, width);
    for (size_t i = 0; i < COUNT(values); i++)
        for (size_t j = 0; j < COUNT(values); j++)
            for (int zeros = 0; zeros < (form < bits ? 2 : 1); zeros++) {
                uint64_t of[2] = {values[i], values[j]}, slot[2], memory[2];
                for (int k = 0; k < 2; k++) {
                    slot[k] = etype == BUFVM_I1 ? of[k] & 1 : (uint64_t)num_sext(of[k], form);
                    memory[k] = zeros ? num_zext(of[k], form) : slot[k];
                }
                bool broken = integers_break(promise, width, slot[0], slot[1]);
                Seen seen = see(module, promise, etype, slot, memory);
                ck_assert_msg(seen.scalar == broken, "scalars: promise %u, %s, width %u: %" PRId64 ", %" PRId64 ": %s", promise,
                              bufvm_elem_name((BufvmElem)etype), width, (int64_t)slot[0], (int64_t)slot[1], seen.text);
                ck_assert_msg(seen.tile == broken, "tiles: promise %u, %s, width %u: %" PRId64 ", %" PRId64 " zeros %d: %s",
                              promise, bufvm_elem_name((BufvmElem)etype), width, (int64_t)memory[0], (int64_t)memory[1], zeros,
                              seen.text);
            }
    bufvm_module_release(module);
}

START_TEST(integers)
{
    unsigned promise = (unsigned)_i;
    bool truncates = promise == BVM_PROMISE_NSW_TRUNC || promise == BVM_PROMISE_NUW_TRUNC;
    static const unsigned widths[] = {1, 2, 5, 7, 8, 15, 16, 24, 32, 33, 63, 64};
    for (unsigned etype = BUFVM_I1; etype <= BUFVM_I64; etype++)
        for (size_t k = 0; k < COUNT(widths); k++) {
            unsigned bits = etype == BUFVM_I1 ? 1 : 8 * (unsigned)bufvm_elem_bytes((BufvmElem)etype);
            /* those that are of a type are stored in the least that holds them; a few narrow ones */
            bool stored = widths[k] <= bits && (widths[k] > bits / 2 || (bits == 8 && widths[k] != 2));
            if (promise == BVM_PROMISE_ALIGN ? bits == 64 && widths[k] == 64 : truncates ? widths[k] < bits : stored)
                try_integers(promise, etype, widths[k]);
        }
}
END_TEST

/* -- floats ------------------------------------------------------------------------------------------------------ */

static double number(unsigned etype, uint64_t slot)
{
    uint64_t wide = num_float_convert(etype, slot, BUFVM_F64, 0);
    double x;
    memcpy(&x, &wide, sizeof x);
    return x;
}

static bool floats_break(unsigned promise, unsigned width, double a, double b)
{
    switch (promise) {
    case BVM_PROMISE_TO_SIGNED:
        return !(trunc(a) >= -ldexp(1, (int)width - 1) && trunc(a) < ldexp(1, (int)width - 1));
    case BVM_PROMISE_TO_UNSIGNED:
        return !(trunc(a) >= 0 && trunc(a) < ldexp(1, (int)width));
    case BVM_PROMISE_NNAN:
    case BVM_PROMISE_NNAN_RESULT:
        return isnan(a) || isnan(b);
    default:
        return isinf(a) || isinf(b);
    }
}

static void try_floats(unsigned promise, unsigned etype, unsigned width)
{
    static const double values[] = {0,
                                    -0.0,
                                    1,
                                    -1,
                                    0.5,
                                    -0.5,
                                    -0.9999,
                                    1.5,
                                    127.5,
                                    128,
                                    -128,
                                    -128.5,
                                    -129,
                                    255.5,
                                    256,
                                    0x1p31,
                                    0x1p31 - 1,
                                    -0x1p31,
                                    -0x1p31 - 1,
                                    0x1p32,
                                    0x1p32 - 0.5,
                                    0x1p63,
                                    -0x1p63,
                                    -0x1.0000000000001p63,
                                    0x1.fffffffffffffp63,
                                    0x1p64,
                                    1e300,
                                    INFINITY,
                                    -INFINITY,
                                    NAN};
    BufvmModule *module = module_of(promise, etype, width);
    for (size_t i = 0; i < COUNT(values); i++)
        for (size_t j = 0; j < COUNT(values); j += promise <= BVM_PROMISE_TO_UNSIGNED ? COUNT(values) : 3) {
            double of[2] = {values[i], values[COUNT(values) - 1 - j]};
            uint64_t slot[2], wide;
            for (int k = 0; k < 2; k++) {
                memcpy(&wide, &of[k], sizeof wide);
                slot[k] = num_float_convert(BUFVM_F64, wide, etype, 0);
            }
            bool broken = floats_break(promise, width, number(etype, slot[0]), number(etype, slot[1]));
            Seen seen = see(module, promise, etype, slot, slot);
            ck_assert_msg(seen.scalar == broken, "scalars: promise %u, %s, width %u: %g, %g: %s", promise,
                          bufvm_elem_name((BufvmElem)etype), width, of[0], of[1], seen.text);
            ck_assert_msg(seen.tile == broken, "tiles: promise %u, %s, width %u: %g, %g: %s", promise,
                          bufvm_elem_name((BufvmElem)etype), width, of[0], of[1], seen.text);
        }
    bufvm_module_release(module);
}

START_TEST(floats)
{
    static const unsigned promises[] = {BVM_PROMISE_TO_SIGNED, BVM_PROMISE_TO_UNSIGNED, BVM_PROMISE_NNAN,
                                        BVM_PROMISE_NINF,      BVM_PROMISE_NNAN_RESULT, BVM_PROMISE_NINF_RESULT},
                          widths[] = {1, 5, 8, 32, 54, 64};
    for (unsigned etype = BUFVM_F16; etype <= BUFVM_F64; etype++)
        for (size_t k = 0; k < COUNT(widths); k++)
            if (k == 0 || promises[_i] <= BVM_PROMISE_TO_UNSIGNED)
                try_floats(promises[_i], etype, widths[k]);
}
END_TEST

/* -- words ----------------------------------------------------------------------------------------------------------- */

START_TEST(words)
{
    static const struct {
        unsigned promise, etype, width;
        uint64_t a, b;
        const char *kind, *text;
    } cases[] = {
        {BVM_PROMISE_SHIFT, BUFVM_I32, 32, 1, 32, "shift", "shift of 1 by 32, the width is 32"},
        {BVM_PROMISE_SHIFT, BUFVM_I8, 5, 1, (uint64_t)-1, "shift", "shift of 1 by 31, the width is 5"},
        {BVM_PROMISE_NSW_ADD, BUFVM_I8, 8, 127, 1, "overflow", "127 + 1 overflows 8 signed bits, nsw promises that it does not"},
        {BVM_PROMISE_NUW_ADD, BUFVM_I8, 8, (uint64_t)-1, 1, "overflow",
         "255 + 1 overflows 8 unsigned bits, nuw promises that it does not"},
        {BVM_PROMISE_NSW_SHL, BUFVM_I8, 8, (uint64_t)-128, 1, "overflow",
         "-128 << 1 overflows 8 signed bits, nsw promises that it does not"},
        {BVM_PROMISE_DIVIDE, BUFVM_I64, 64, UINT64_C(1) << 63, (uint64_t)-1, "division",
         "-9223372036854775808 / -1 overflows 64 signed bits"},
        {BVM_PROMISE_NSW_TRUNC, BUFVM_I32, 8, 300, 0, "overflow", "300 does not fit 8 signed bits, nsw promises that it does"},
        {BVM_PROMISE_TO_SIGNED, BUFVM_F32, 8, 0x43960000, 0, "float-to-int", "300 is out of the range of 8 signed bits"},
        {BVM_PROMISE_NNAN, BUFVM_F32, 32, 0x7fc00000, 0x3f800000, "fastmath",
         "an operand is a NaN (nan, 1), nnan promises that there is none"},
        {BVM_PROMISE_ALIGN, BUFVM_I64, 64, 65, 64, "alignment", "address 65 is no multiple of the assumed alignment 64"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        BufvmModule *module = module_of(cases[i].promise, cases[i].etype, cases[i].width);
        uint64_t slot[2] = {cases[i].a, cases[i].b};
        Seen seen = see(module, cases[i].promise, cases[i].etype, slot, slot);
        ck_assert_uint_eq(seen.scalar, 1);
        ck_assert_uint_eq(seen.tile, 1);
        ck_assert_str_eq(seen.kind, cases[i].kind);
        ck_assert_str_eq(seen.text, cases[i].text);
        bufvm_module_release(module);
    }
    BufvmModule *module = module_of(BVM_PROMISES + 1, BUFVM_I32, 32); /* of a later version: says nothing */
    Seen seen = see(module, 0, BUFVM_I32, (uint64_t[]){1, 40}, (uint64_t[]){1, 40});
    ck_assert_uint_eq(seen.scalar + seen.tile, 0);
    bufvm_module_release(module);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("promises");
    TCase *t = tcase_create("promises");
    tcase_add_loop_test(t, integers, BVM_PROMISE_SHIFT, BVM_PROMISES + 1);
    tcase_add_loop_test(t, floats, 0, 6);
    tcase_add_test(t, words);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    free(module_bytes);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
