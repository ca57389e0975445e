/* Emission: programs at the schedule level are compiled, loaded and run; what the code looks like is read from its assembly.
 * Expected values are computed by hand or by C on the same widths. */
#include "../../compiler/bufvmc.h"
#include "../../vm/bufvm.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEDULE(text) "module attributes {bufvm.level = \"schedule\"} {\n" text "\n}\n"

static BufvmcOutput compile(const char *text, BufvmcEmit emit)
{
    BufvmcOptions options = {.emit = emit, .file_name = "test.mlir"};
    BufvmcOutput out;
    BufvmcStatus status = bufvmc_compile(text, strlen(text), &options, &out);
    ck_assert_msg(status == BUFVMC_OK, "%s", out.diagnostics ? out.diagnostics : "out of memory");
    return out;
}

typedef struct Run {
    BufvmStatus status;
    uint64_t bits[4];
    BufvmError error;
} Run;

/* Calls @f with i64-slot arguments of the signature's types. */
static Run run_values(const char *text, const BufvmValue *args, size_t nargs)
{
    BufvmcOutput out = compile(text, BUFVMC_BYTECODE);
    BufvmModule *module;
    BufvmContext *context;
    BufvmValue results[4] = {{0}};
    Run run = {0};
    uint32_t f;
    ck_assert_msg(bufvm_module_load(out.data, out.size, NULL, &module, &run.error) == BUFVM_OK, "%s", run.error.text);
    ck_assert_int_eq(bufvm_context_new(module, NULL, NULL, 0, NULL, &context, &run.error), BUFVM_OK);
    ck_assert(bufvm_module_find(module, "f", &f));
    uint32_t nresults = bufvm_module_export(module, f)->nresults;
    ck_assert_uint_le(nresults, 4);
    run.status = bufvm_call(context, f, args, nargs, results, nresults, &run.error);
    for (uint32_t i = 0; i < nresults; i++) {
        run.bits[i] = results[i].bits;
        bufvm_value_release(&results[i]);
    }
    bufvm_context_free(context);
    bufvm_module_release(module);
    bufvmc_output_free(&out);
    return run;
}

static BufvmValue scalar(BufvmElem elem, int64_t bits)
{
    return (BufvmValue){.kind = BUFVM_SCALAR, .elem = elem, .bits = (uint64_t)bits};
}

static int64_t run_i64(const char *text, BufvmElem elem, int64_t a, int64_t b)
{
    BufvmValue args[2] = {scalar(elem, a), scalar(elem, b)};
    Run run = run_values(text, args, 2);
    ck_assert_msg(run.status == BUFVM_OK, "%s", run.error.text);
    return (int64_t)run.bits[0];
}

static bool asm_has(const char *text, const char *what)
{
    BufvmcOutput out = compile(text, BUFVMC_ASM);
    char *copy = malloc(out.size + 1);
    memcpy(copy, out.data, out.size);
    copy[out.size] = '\0';
    bool found = strstr(copy, what) != NULL;
    free(copy);
    bufvmc_output_free(&out);
    return found;
}

static const char *const width_ops[] = {"addi",  "subi",  "muli",  "divsi", "divui", "remsi", "remui", "shli",
                                        "shrsi", "shrui", "maxsi", "minsi", "maxui", "minui", "andi",  "xori"};

static int64_t sext(uint64_t v, unsigned w)
{
    return (int64_t)(v << (64 - w)) >> (64 - w);
}
static uint64_t zext(uint64_t v, unsigned w)
{
    return w == 64 ? v : v & ((UINT64_C(1) << w) - 1);
}

static int64_t expected(unsigned op, unsigned w, int64_t a, int64_t b)
{
    uint64_t ua = zext((uint64_t)a, w), ub = zext((uint64_t)b, w);
    a = sext(ua, w);
    b = sext(ub, w);
    switch (op) {
    case 0:
        return sext(ua + ub, w);
    case 1:
        return sext(ua - ub, w);
    case 2:
        return sext(ua * ub, w);
    case 3:
        return sext((uint64_t)(a / b), w);
    case 4:
        return sext(ua / ub, w);
    case 5:
        return sext((uint64_t)(a % b), w);
    case 6:
        return sext(ua % ub, w);
    case 7:
        return ub >= w ? 0 : sext(ua << ub, w);
    case 8:
        return ub >= w ? (a < 0 ? -1 : 0) : a >> ub;
    case 9:
        return ub >= w ? 0 : sext(ua >> ub, w);
    case 10:
        return a > b ? a : b;
    case 11:
        return a < b ? a : b;
    case 12:
        return ua > ub ? a : b;
    case 13:
        return ua < ub ? a : b;
    case 14:
        return sext(ua & ub, w);
    default:
        return sext(ua ^ ub, w);
    }
}

/* Odd widths live in the next wider row: every op on values that use the top bit. */
START_TEST(odd_widths)
{
    static const unsigned widths[] = {2, 4, 7, 24, 33, 63};
    static const int64_t values[] = {1, 3, -1, -2, 5, INT64_C(0x123456789abcdef)};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        char text[512];
        const char *name = width_ops[_i];
        unsigned n = widths[w];
        snprintf(
            text, sizeof text,
            SCHEDULE(
                "func.func @f(%%a: i64, %%b: i64) -> i64 { %%x = arith.trunci %%a : i64 to i%u %%y = arith.trunci %%b : i64 to i%u "
                "%%z = arith.%s %%x, %%y : i%u %%r = arith.extsi %%z : i%u to i64 return %%r : i64 }"),
            n, n, name, n, n);
        for (size_t i = 0; i < 6; i++) {
            for (size_t k = 0; k < 6; k++) {
                int64_t a = values[i], b = values[k];
                if (_i >= 3 && _i <= 6 && zext((uint64_t)b, n) == 0)
                    continue;
                int64_t want = expected((unsigned)_i, n, a, b), got = run_i64(text, BUFVM_I64, a, b);
                ck_assert_msg(got == want, "%s i%u %lld %lld: %lld, not %lld", name, n, (long long)a, (long long)b, (long long)got,
                              (long long)want);
            }
        }
    }
}
END_TEST

START_TEST(loops_and_swaps)
{
    /* Fibonacci by a swap of carried values */
    ck_assert_int_eq(
        run_i64(SCHEDULE("func.func @f(%n: i64, %s: i64) -> i64 { %c0 = arith.constant 0 : i64 %c1 = arith.constant 1 : i64 "
                         "%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c1) -> (i64, i64) : i64 { "
                         "%t = arith.addi %a, %b : i64 scf.yield %b, %t : i64, i64 } return %r#0 : i64 }"),
                BUFVM_I64, 50, 0),
        INT64_C(12586269025));
    /* a plain swap, odd number of times */
    ck_assert_int_eq(
        run_i64(SCHEDULE("func.func @f(%x: i64, %y: i64) -> i64 { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index "
                         "%c3 = arith.constant 3 : index %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y) -> "
                         "(i64, i64) { "
                         "scf.yield %b, %a : i64, i64 } return %r#0 : i64 }"),
                BUFVM_I64, 7, 9),
        9);
    /* a graph whose loop has two entries; three values turn in a cycle */
    ck_assert_int_eq(
        run_i64(SCHEDULE("func.func @f(%n: i64, %s: i64) -> i64 { %c0 = arith.constant 0 : i64 %c1 = arith.constant 1 : i64 "
                         "%c2 = arith.constant 2 : i64 %c3 = arith.constant 3 : i64 %odd = arith.cmpi ne, %s, %c0 : i64 "
                         "cf.cond_br %odd, ^a(%n, %c1, %c2, %c3 : i64, i64, i64, i64), ^b(%n, %c1, %c2, %c3 : i64, i64, i64, i64) "
                         "^a(%i: i64, %x: i64, %y: i64, %z: i64): %k = arith.subi %i, %c1 : i64 cf.br ^b(%k, %y, %z, %x : i64, "
                         "i64, i64, i64) "
                         "^b(%j: i64, %p: i64, %q: i64, %r: i64): %more = arith.cmpi sgt, %j, %c0 : i64 "
                         "cf.cond_br %more, ^a(%j, %p, %q, %r : i64, i64, i64, i64), ^end "
                         "^end: %t = arith.muli %q, %c3 : i64 %u = arith.addi %t, %p : i64 return %u : i64 }"),
                BUFVM_I64, 4, 1),
        2 + 3 * 3);
}
END_TEST

START_TEST(switches)
{
    static const int64_t want[] = {70, 10, 20, 70, 30, 40, 70};
    for (int64_t v = -1; v < 6; v++) {
        ck_assert_int_eq(
            run_i64(SCHEDULE("func.func @f(%n: i64, %s: i64) -> i64 { %i = arith.index_cast %n : i64 to index "
                             "%r = scf.index_switch %i -> i64 case 0 { %c = arith.constant 10 : i64 scf.yield %c : i64 } "
                             "case 1 { %c = arith.constant 20 : i64 scf.yield %c : i64 } case 3 { %c = arith.constant 30 : i64 "
                             "scf.yield %c : i64 } "
                             "case 4 { %c = arith.constant 40 : i64 scf.yield %c : i64 } default { %c = arith.constant 70 : i64 "
                             "scf.yield %c : i64 } "
                             "return %r : i64 }"),
                    BUFVM_I64, v, 0),
            want[v + 1]);
    }
}
END_TEST

#define SUM_LOOP(bound)                                                                                                            \
    SCHEDULE(                                                                                                                      \
        "func.func @f(%n: index, %s: index) -> i64 { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index "               \
        "%z = arith.constant 0 : i64 %m = memref.alloc(%n) : memref<?xi64> %d = memref.dim %m, %c0 : memref<?xi64> "               \
        "scf.for %i = %c0 to %d step %c1 { %v = arith.index_cast %i : index to i64 memref.store %v, %m[%i] : memref<?xi64> } "     \
        "%r = scf.for %i = %c0 to " bound " step %c1 iter_args(%a = %z) -> (i64) { %v = memref.load %m[%i] : memref<?xi64> "       \
        "%t = arith.addi %a, %v : i64 scf.yield %t : i64 } memref.dealloc %m : memref<?xi64> return %r : i64 }")

START_TEST(bounds)
{
    ck_assert_int_eq(run_i64(SUM_LOOP("%d"), BUFVM_I64, 10, 0), 45);
    ck_assert(!asm_has(SUM_LOOP("%d"), "check.index"));
    ck_assert(asm_has(SUM_LOOP("%s"), "check.index"));
    BufvmValue args[2] = {scalar(BUFVM_I64, 10), scalar(BUFVM_I64, 11)};
    Run run = run_values(SUM_LOOP("%s"), args, 2);
    ck_assert_int_eq(run.status, BUFVM_TRAP);
    ck_assert_uint_ne(run.error.line, 0);
    args[0].bits = (uint64_t)-3;
    ck_assert_int_eq(run_values(SUM_LOOP("%d"), args, 2).status, BUFVM_TRAP);
}
END_TEST

START_TEST(views)
{
    /* element (1, 1) of the transposed middle of a 4x6 buffer that holds 10 * row + column */
    const char *text =
        SCHEDULE("func.func @f(%o: index, %s: index) -> i64 { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c4 = "
                 "arith.constant 4 : index "
                 "%c6 = arith.constant 6 : index %c10 = arith.constant 10 : index %m = memref.alloca() : memref<4x6xi16> "
                 "scf.for %i = %c0 to %c4 step %c1 { scf.for %j = %c0 to %c6 step %c1 { %t = arith.muli %i, %c10 : index %v = "
                 "arith.addi %t, %j : index "
                 "%w = arith.index_cast %v : index to i16 memref.store %w, %m[%i, %j] : memref<4x6xi16> } } "
                 "%v = memref.subview %m[1, %o] [2, 2] [2, %s] : memref<4x6xi16> to memref<2x2xi16, strided<[12, ?], offset: ?>> "
                 "%t = memref.transpose %v (i, j) -> (j, i) : memref<2x2xi16, strided<[12, ?], offset: ?>> to memref<2x2xi16, "
                 "strided<[?, 12], offset: ?>> "
                 "%x = memref.load %t[%c1, %c0] : memref<2x2xi16, strided<[?, 12], offset: ?>> "
                 "%y = memref.load %t[%c0, %c1] : memref<2x2xi16, strided<[?, 12], offset: ?>> %q = arith.extsi %x : i16 to i64 %r "
                 "= arith.extsi %y : i16 to i64 "
                 "%h = arith.constant 100 : i64 %u = arith.muli %q, %h : i64 %w = arith.addi %u, %r : i64 return %w : i64 }");
    ck_assert_int_eq(run_i64(text, BUFVM_I64, 1, 3), 14 * 100 + 31);
    BufvmValue args[2] = {scalar(BUFVM_I64, 3), scalar(BUFVM_I64, 3)};
    ck_assert_int_eq(run_values(text, args, 2).status, BUFVM_TRAP);
}
END_TEST

#define GENERIC(attribute, in, out)                                                                                                \
    SCHEDULE("func.func @f(%n: index, %k: index) -> i64 { %c0 = arith.constant 0 : index "                                         \
             "%c1 = arith.constant 1 : index %m = memref.alloc() : memref<2001xi32> %c2001 = arith.constant 2001 : index "         \
             "scf.for %i = %c0 to %c2001 step %c1 { %v = arith.index_cast %i : index to i32 memref.store %v, %m[%i] : "            \
             "memref<2001xi32> } "                                                                                                 \
             "%a = memref.subview %m[0] [2000] [1] : memref<2001xi32> to memref<2000xi32, strided<[1]>> "                          \
             "%b = memref.subview %m[1] [2000] [1] : memref<2001xi32> to memref<2000xi32, strided<[1], offset: 1>> "               \
             "linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = "             \
             "[\"parallel\"]} ins(" in ") outs(" out ") attrs = {" attribute "} { "                                                \
             "^bb0(%x: i32, %y: i32): %j = linalg.index 0 : index %ji = arith.index_cast %j : index to i32 %t = arith.muli %x, "   \
             "%x : i32 "                                                                                                           \
             "%u = arith.addi %t, %ji : i32 linalg.yield %u : i32 } "                                                              \
             "%w = memref.load %m[%n] : memref<2001xi32> %r = arith.extsi %w : i32 to i64 return %r : i64 }")
#define VIEW_A "%a : memref<2000xi32, strided<[1]>>"
#define VIEW_B "%b : memref<2000xi32, strided<[1], offset: 1>>"

START_TEST(strips)
{
    const char *in_place = GENERIC("bufvm.strip = 0 : i64", VIEW_A, VIEW_A);
    ck_assert(asm_has(in_place, "t.load"));
    ck_assert_int_eq(run_i64(in_place, BUFVM_I64, 1999, 0), (int32_t)(1999 * 1999 + 1999));
    /* each turn reads what the one before wrote: no strip, and the loop's answer */
    const char *shifted = GENERIC("bufvm.strip = 0 : i64", VIEW_A, VIEW_B);
    ck_assert(!asm_has(shifted, "t.load"));
    uint32_t x = 0;
    for (uint32_t i = 0; i < 700; i++)
        x = x * x + i;
    ck_assert_int_eq(run_i64(shifted, BUFVM_I64, 700, 0), (int32_t)x);
}
END_TEST

static char *list(char *at, const char *format, int from, int to)
{
    for (int i = from; i < to; i++) {
        at += i > from ? sprintf(at, ", ") : 0;
        at += sprintf(at, format, i);
    }
    return at;
}

/* The code grows with the operands, not with their pairs: outs may share memory with any of them. */
START_TEST(many_operands)
{
    enum { N = 1200, HALF = N / 2 };
    char *text = malloc(N * 200), *at = text;
    at += sprintf(at, "func.func @f(");
    at = list(at, "%%m%d: memref<64xf32>", 0, N);
    at += sprintf(at, ") {\n linalg.generic {indexing_maps = [");
    at = list(at, "affine_map<(d0) -> (d0)>", 0, N);
    at += sprintf(at, "], iterator_types = [\"parallel\"]} ins(");
    at = list(at, "%%m%d", 0, HALF);
    at += sprintf(at, " : ");
    at = list(at, "memref<64xf32>", 0, HALF);
    at += sprintf(at, ") outs(");
    at = list(at, "%%m%d", HALF, N);
    at += sprintf(at, " : ");
    at = list(at, "memref<64xf32>", HALF, N);
    at += sprintf(at, ") {\n ^bb0(");
    at = list(at, "%%x%d: f32", 0, N);
    at += sprintf(at, "):\n linalg.yield ");
    at = list(at, "%%x%d", 0, HALF);
    at += sprintf(at, " : ");
    at = list(at, "f32", 0, HALF);
    sprintf(at, "\n }\n return\n}\n");
    BufvmcOutput out = compile(text, BUFVMC_BYTECODE);
    ck_assert_uint_lt(out.size, N * 400);
    bufvmc_output_free(&out);
    free(text);
}
END_TEST

/* More values alive at once than there are registers: some live in memory. */
START_TEST(more_values_than_registers)
{
    enum { VALUES = 66000, LINE = 64 };
    char *text = malloc(2 * VALUES * LINE + 1000), *at = text;
    uint64_t sum = 6, value = 3;
    at += sprintf(at, "func.func @f(%%v0: i64, %%b: i64) -> i64 {\n%%s0 = arith.addi %%v0, %%v0 : i64\n");
    for (int i = 1; i < VALUES; i++)
        at += sprintf(at, "%%v%d = arith.muli %%v%d, %%b : i64\n", i, i - 1);
    for (int i = 1; i < VALUES; i++)
        at += sprintf(at, "%%s%d = arith.xori %%s%d, %%v%d : i64\n", i, i - 1, i);
    sprintf(at, "return %%s%d : i64\n}\n", VALUES - 1);
    for (int i = 1; i < VALUES; i++)
        sum ^= value *= 5;
    ck_assert_int_eq(run_i64(text, BUFVM_I64, 3, 5), (int64_t)sum);
    free(text);
}
END_TEST

START_TEST(refusals)
{
    static const char *const texts[] = {
        SCHEDULE("func.func @f(%a: vector<4xi32>) -> vector<4xi32> { return %a : vector<4xi32> }"),
        SCHEDULE("func.func @f(%a: i128) -> i128 { return %a : i128 }"),
        SCHEDULE("func.func @f() { \"foo.bar\"() : () -> () return }"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        BufvmcOptions options = {.file_name = "test.mlir", .allow_unregistered = true};
        BufvmcOutput out;
        ck_assert_int_eq(bufvmc_compile(texts[i], strlen(texts[i]), &options, &out), BUFVMC_ERRORS);
        ck_assert_ptr_nonnull(strstr(out.diagnostics, "test.mlir:2:"));
        bufvmc_output_free(&out);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("emit");
    TCase *tcase = tcase_create("emit");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, odd_widths, 0, 16);
    tcase_add_test(tcase, loops_and_swaps);
    tcase_add_test(tcase, switches);
    tcase_add_test(tcase, bounds);
    tcase_add_test(tcase, views);
    tcase_add_test(tcase, strips);
    tcase_add_test(tcase, many_operands);
    tcase_add_test(tcase, more_values_than_registers);
    tcase_add_test(tcase, refusals);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
