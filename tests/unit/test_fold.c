/* Folding: every numeric row on constants gives what vm/numeric gives, traps are left alone, and identities keep every bit. */
#include "../../compiler/passes/passes.h"
#include "../../vm/bytecode/format.h"
#include "../../vm/numeric/numeric.h"
#include "compiler_context.h"

#include <math.h>

static const Attr *one(Context *ctx, const char *name, const Type *result, uint32_t n, const Attr *const *operands, NamedAttr extra)
{
    Block *block = vmc_block_create(ctx);
    Builder b = vmc_at_end(ctx, block, (SrcPos){0});
    Value *values[3];
    for (uint32_t i = 0; i < n; i++)
        values[i] = vmc_build_const(&b, operands[i], operands[i]->type);
    Op *op = vmc_build(&b, name, n, values, 1, &result, extra.name ? 1 : 0, &extra, 0);
    ck_assert_msg(op->def != NULL, "%s has no row", name);
    const Attr *attr = NULL;
    Value *value = NULL;
    if (!vmc_fold_op(ctx, op, &attr, &value))
        return NULL;
    return attr ? attr : vmc_constant_of(value);
}

static const NamedAttr none = {NULL, NULL};

static const Attr *int_of(Context *ctx, uint32_t width, int64_t value)
{
    return vmc_attr_int(ctx, vmc_type_int(ctx, width, SIGNLESS), value);
}

static const Attr *f32_of(Context *ctx, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return vmc_attr_float_bits(ctx, vmc_type_float(ctx, FLOAT_F32), bits);
}

/* Every row of the instruction set that arith or math names, on i32 or f32 operands, against num_eval. */
START_TEST(every_row_is_numeric)
{
    Context *ctx = context_new("");
    const Type *i1 = vmc_type_int(ctx, 1, SIGNLESS);
    unsigned tried = 0;
    for (uint32_t i = 0; i < vmc_num_defs(); i++) {
        const OpDef *def = vmc_def_at(i);
        bool arith = strncmp(def->name, "arith.", 6) == 0 || strncmp(def->name, "math.", 5) == 0;
        int row = def->hooks.numeric && arith ? bvm_op_by_name(def->hooks.numeric, strlen(def->hooks.numeric)) : -1;
        char form = row >= 0 ? bvm_ops[row].form : 0;
        if (form != '1' && form != '2' && form != '3' && form != 'p')
            continue;
        bool is_float = bvm_ops[row].etypes >> BVM_F32 & 1;
        const Attr *operands[3];
        uint64_t slots[3], want;
        for (int k = 0; k < 3; k++) {
            operands[k] = is_float ? f32_of(ctx, 0.3f + (float)k) : int_of(ctx, 32, 77 - 13 * k);
            slots[k] = (uint64_t)operands[k]->i;
        }
        bool can = num_eval((unsigned)row, is_float ? BVM_F32 : BVM_I32, 0, slots[0], slots[1], slots[2], &want);
        uint32_t n = form == '2' ? 2 : form == '3' ? 3 : 1;
        const Attr *got = one(ctx, def->name, form == 'p' ? i1 : operands[0]->type, n, operands, none);
        ck_assert_msg(can == (got != NULL), "%s", def->name);
        if (!can)
            continue;
        uint64_t slot;
        ck_assert(vmc_attr_slot(got, 0, &slot));
        ck_assert_msg(slot == want, "%s: %llx, vm/numeric says %llx", def->name, (unsigned long long)slot,
                      (unsigned long long)want);
        tried++;
    }
    ck_assert_uint_gt(tried, 60);
    context_free(ctx);
}
END_TEST

START_TEST(division_by_zero_stays)
{
    static const char *const names[] = {"arith.divsi",     "arith.divui",     "arith.remsi",      "arith.remui",
                                        "arith.ceildivsi", "arith.ceildivui", "arith.floordivsi", "index.divs"};
    Context *ctx = context_new("");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool index = strncmp(names[i], "index", 5) == 0;
        const Attr *operands[2] = {index ? vmc_attr_index(ctx, 5) : int_of(ctx, 32, 5),
                                   index ? vmc_attr_index(ctx, 0) : int_of(ctx, 32, 0)};
        ck_assert_msg(!one(ctx, names[i], operands[0]->type, 2, operands, none), "%s", names[i]);
    }
    context_free(ctx);
}
END_TEST

START_TEST(odd_widths_and_signs)
{
    Context *ctx = context_new("");
    const Attr *sum = one(ctx, "arith.addi", vmc_type_int(ctx, 24, SIGNLESS), 2,
                          (const Attr *const[]){int_of(ctx, 24, 0x7fffff), int_of(ctx, 24, 1)}, none);
    ck_assert_int_eq(sum->i, -0x800000);
    const Attr *narrow =
        one(ctx, "arith.trunci", vmc_type_int(ctx, 4, SIGNLESS), 1, (const Attr *const[]){int_of(ctx, 32, 0x1f)}, none);
    ck_assert_int_eq(narrow->i, -1);
    const Attr *wide = one(ctx, "arith.extui", vmc_type_int(ctx, 64, SIGNLESS), 1, (const Attr *const[]){int_of(ctx, 8, -1)}, none);
    ck_assert_int_eq(wide->i, 255);
    const Attr *flag = one(ctx, "arith.extsi", vmc_type_int(ctx, 32, SIGNLESS), 1, (const Attr *const[]){int_of(ctx, 1, 1)}, none);
    ck_assert_int_eq(flag->i, -1);
    const Attr *saturated =
        one(ctx, "arith.fptosi", vmc_type_int(ctx, 8, SIGNLESS), 1, (const Attr *const[]){f32_of(ctx, 300)}, none);
    ck_assert_int_eq(saturated->i, 127);
    const Attr *bits =
        one(ctx, "arith.bitcast", vmc_type_int(ctx, 32, SIGNLESS), 1, (const Attr *const[]){f32_of(ctx, -0.0f)}, none);
    ck_assert_int_eq(bits->i, INT32_MIN);
    context_free(ctx);
}
END_TEST

START_TEST(predicates)
{
    static const struct {
        int64_t predicate;
        int64_t a, b;
        bool want;
    } cases[] = {{0, 1, 1, true}, {1, 1, 1, false}, {2, -1, 1, true}, {6, -1, 1, false}, {5, 3, 3, true}, {8, -1, 1, true}};
    Context *ctx = context_new("");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Attr *got = one(ctx, "arith.cmpi", vmc_type_int(ctx, 1, SIGNLESS), 2,
                              (const Attr *const[]){int_of(ctx, 32, cases[i].a), int_of(ctx, 32, cases[i].b)},
                              (NamedAttr){"predicate", vmc_attr_i64(ctx, cases[i].predicate)});
        ck_assert_int_eq(got->i, cases[i].want);
    }
    /* i1 as a signed number is 0 or -1. */
    const Attr *less =
        one(ctx, "arith.cmpi", vmc_type_int(ctx, 1, SIGNLESS), 2, (const Attr *const[]){int_of(ctx, 1, 1), int_of(ctx, 1, 0)},
            (NamedAttr){"predicate", vmc_attr_i64(ctx, 2)});
    ck_assert_int_eq(less->i, 1);
    context_free(ctx);
}
END_TEST

START_TEST(dense)
{
    Context *ctx = context_new("");
    const Type *i16 = vmc_type_int(ctx, 16, SIGNLESS);
    const Type *type = vmc_type_tensor(ctx, 1, (const int64_t[]){3}, i16, NULL);
    const Attr *list = vmc_attr_dense(ctx, type, "\1\0\2\0\xff\xff", 6, false, false);
    const Attr *splat = vmc_attr_of_slot(ctx, type, 10);
    const Attr *sum = one(ctx, "arith.addi", type, 2, (const Attr *const[]){list, splat}, none);
    static const uint64_t want[] = {11, 12, 9};
    for (uint64_t k = 0; k < 3; k++) {
        uint64_t slot;
        ck_assert(vmc_attr_slot(sum, k, &slot));
        ck_assert_uint_eq(slot, want[k]);
    }
    const Attr *twice = one(ctx, "arith.addi", type, 2, (const Attr *const[]){splat, splat}, none);
    ck_assert(twice->splat);
    /* One zero divisor and the whole op stays. */
    const Attr *zero = vmc_attr_dense(ctx, type, "\1\0\0\0\1\0", 6, false, false);
    ck_assert_ptr_null(one(ctx, "arith.divsi", type, 2, (const Attr *const[]){list, zero}, none));
    context_free(ctx);
}
END_TEST

/* x + 0, x * 1, max(x, -inf) of an unknown float are no identities. */
START_TEST(float_identities_keep_bits)
{
    static const struct {
        const char *name;
        float constant;
    } cases[] = {{"arith.addf", 0.0f}, {"arith.addf", -0.0f},        {"arith.subf", 0.0f},          {"arith.mulf", 1.0f},
                 {"arith.divf", 1.0f}, {"arith.maxnumf", -INFINITY}, {"arith.maximumf", -INFINITY}, {"arith.mulf", 0.0f}};
    Context *ctx = context_new("");
    const Type *f32 = vmc_type_float(ctx, FLOAT_F32);
    Block *block = vmc_block_create(ctx);
    Value *x = vmc_block_add_arg(ctx, block, f32, (SrcPos){0});
    Builder b = vmc_at_end(ctx, block, (SrcPos){0});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Value *c = vmc_build_const(&b, f32_of(ctx, cases[i].constant), f32);
        Op *op = vmc_build1(&b, cases[i].name, f32, 2, (Value *const[]){x, c})->op;
        const Attr *attr = NULL;
        Value *value = NULL;
        ck_assert_msg(!vmc_fold_op(ctx, op, &attr, &value), "%s", cases[i].name);
    }
    Value *minus = vmc_build1(&b, "arith.negf", f32, 1, &x);
    Op *plus = vmc_build1(&b, "arith.negf", f32, 1, &minus)->op;
    const Attr *attr = NULL;
    Value *value = NULL;
    ck_assert(vmc_fold_op(ctx, plus, &attr, &value));
    ck_assert_ptr_eq(value, x);
    context_free(ctx);
}
END_TEST

START_TEST(integer_identities)
{
    static const struct {
        const char *name;
        int64_t constant;
        bool to_operand; /* else to the constant */
    } cases[] = {{"arith.addi", 0, true},  {"arith.subi", 0, true},  {"arith.muli", 1, true}, {"arith.muli", 0, false},
                 {"arith.andi", -1, true}, {"arith.andi", 0, false}, {"arith.ori", 0, true},  {"arith.ori", -1, false},
                 {"arith.shli", 0, true},  {"arith.divsi", 1, true}};
    Context *ctx = context_new("");
    const Type *i32 = vmc_type_int(ctx, 32, SIGNLESS);
    Block *block = vmc_block_create(ctx);
    Value *x = vmc_block_add_arg(ctx, block, i32, (SrcPos){0});
    Builder b = vmc_at_end(ctx, block, (SrcPos){0});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Value *c = vmc_build_const(&b, int_of(ctx, 32, cases[i].constant), i32);
        Op *op = vmc_build1(&b, cases[i].name, i32, 2, (Value *const[]){x, c})->op;
        const Attr *attr = NULL;
        Value *value = NULL;
        ck_assert_msg(vmc_fold_op(ctx, op, &attr, &value), "%s", cases[i].name);
        ck_assert_msg(cases[i].to_operand ? value == x : attr == int_of(ctx, 32, cases[i].constant), "%s", cases[i].name);
    }
    context_free(ctx);
}
END_TEST

/* ---- whole passes on text ------------------------------------------------------------ */

static const char *run(const char *source, PassFn first, PassFn second)
{
    static char out[8192];
    Context *ctx = context_parse(source);
    BufvmcOptions options = {0};
    PassContext pc = {.ctx = ctx, .options = &options, .level = 2};
    ck_assert(first(&pc));
    if (second)
        ck_assert(second(&pc));
    ck_assert_msg(vmc_verify(ctx, ctx->module), "%s", context_messages(ctx));
    snprintf(out, sizeof out, "%s", context_print(ctx, false));
    context_free(ctx);
    return out;
}

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

START_TEST(control_flow)
{
    const char *out = run(
        "func.func @f(%a: i32, %b: i32) -> i32 {\n"
        "  %t = arith.constant true\n"
        "  %c0 = arith.constant 0 : index\n"
        "  %c1 = arith.constant 1 : index\n"
        "  %r = scf.if %t -> i32 { scf.yield %a : i32 } else { scf.yield %b : i32 }\n"
        "  %s = scf.for %i = %c0 to %c0 step %c1 iter_args(%x = %r) -> i32 { %y = arith.addi %x, %b : i32\n scf.yield %y : i32 }\n"
        "  %u = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %s) -> i32 { %y = arith.muli %x, %b : i32\n scf.yield %y : i32 }\n"
        "  cf.cond_br %t, ^bb1(%u : i32), ^bb2\n"
        "^bb1(%v: i32):\n  return %v : i32\n"
        "^bb2:\n  return %a : i32\n}\n",
        vmc_pass_canonicalize, NULL);
    ck_assert_msg(!has(out, "scf.") && !has(out, "cf.") && !has(out, "addi") && has(out, "arith.muli %arg0, %arg1") && !has(out, "^bb"),
                  "%s", out);
}
END_TEST

START_TEST(common_subexpressions)
{
    const char *out = run(
        "func.func @f(%a: i32, %b: i32, %c: i1) -> i32 {\n"
        "  %x = arith.muli %a, %b : i32\n"
        "  cf.cond_br %c, ^bb1, ^bb2\n"
        "^bb1:\n  %y = arith.muli %a, %b : i32\n  %p = arith.subi %a, %b : i32\n %z = arith.addi %y, %p : i32\n return %z : i32\n"
        "^bb2:\n  %q = arith.subi %a, %b : i32\n  %w = arith.xori %x, %q : i32\n return %w : i32\n}\n",
        vmc_pass_cse, NULL);
    const char *first = strstr(out, "arith.muli"), *sub = strstr(out, "arith.subi");
    ck_assert_msg(first && !strstr(first + 1, "arith.muli") && sub && strstr(sub + 1, "arith.subi"), "%s", out);
}
END_TEST

START_TEST(contraction)
{
    const char *out = run("func.func @f(%a: f32, %b: f32, %c: f32) -> (f32, f32, f32, f32) {\n"
                          "  %m = arith.mulf %a, %b : f32\n  %0 = arith.addf %m, %c : f32\n"
                          "  %n = arith.mulf %a, %b : f32\n  %1 = arith.subf %c, %n : f32\n"
                          "  %o = arith.mulf %a, %b : f32\n  %2 = arith.subf %o, %c : f32\n"
                          "  %p = arith.mulf %a, %b : f32\n  %3 = arith.addf %p, %p : f32\n"
                          "  return %0, %1, %2, %3 : f32, f32, f32, f32\n}\n",
                          vmc_pass_contract, NULL);
    unsigned fused = 0;
    for (const char *at = out; (at = strstr(at, "math.fma")); at++)
        fused++;
    const char *left = strstr(out, "arith.mulf");
    ck_assert_msg(fused == 3 && left && !strstr(left + 1, "arith.mulf"), "%s", out);
}
END_TEST

START_TEST(checks_become_calls)
{
    const char *out = run("func.func @f(%a: tensor<2xf32>, %b: i1) {\n"
                          "  check.expect_almost_eq_const(%a, dense<[1.0, 2.0]> : tensor<2xf32>, atol 1.0e-2) : tensor<2xf32>\n"
                          "  check.expect_eq(%a, %a) : tensor<2xf32>\n"
                          "  check.expect_eq_const(%a, dense<0.0> : tensor<2xf32>) : tensor<2xf32>\n"
                          "  check.expect_true(%b) : i1\n"
                          "  return\n}\n",
                          vmc_pass_lower_input, NULL);
    ck_assert_msg(has(out, "call @check.expect_almost_eq(") && has(out, "call @check.expect_eq(") &&
                      has(out, "call @check.expect_true(") && !has(out, "$") && has(out, "bufvm.import = \"check.expect_eq\""),
                  "%s", out);
}
END_TEST

START_TEST(unfoldable_stays)
{
    const char *out = run(
        "func.func @f() -> i32 {\n  %a = util.unfoldable_constant 4 : i32\n  %b = arith.addi %a, %a : i32\n  return %b : i32\n}\n",
        vmc_pass_lower_input, vmc_pass_canonicalize);
    ck_assert_msg(has(out, "arith.addi") && has(out, "util.optimization_barrier"), "%s", out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fold");
    TCase *tcase = tcase_create("fold");
    tcase_add_test(tcase, every_row_is_numeric);
    tcase_add_test(tcase, division_by_zero_stays);
    tcase_add_test(tcase, odd_widths_and_signs);
    tcase_add_test(tcase, predicates);
    tcase_add_test(tcase, dense);
    tcase_add_test(tcase, float_identities_keep_bits);
    tcase_add_test(tcase, integer_identities);
    tcase_add_test(tcase, control_flow);
    tcase_add_test(tcase, common_subexpressions);
    tcase_add_test(tcase, contraction);
    tcase_add_test(tcase, checks_become_calls);
    tcase_add_test(tcase, unfoldable_stays);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
