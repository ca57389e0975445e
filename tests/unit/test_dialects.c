/* Rows: what the strings say is consistent, and every op of the sample files reads, prints and reads back to the same. */
#include "compiler_context.h"

/* ---- rows -------------------------------------------------------------------------- */

START_TEST(rows_are_consistent)
{
    Context *ctx = context_new("");
    ck_assert_uint_gt(vmc_num_defs(), 200);
    for (uint32_t i = 0; i < vmc_num_defs(); i++) {
        const OpDef *row = vmc_def_at(i), *def = vmc_find_def(ctx, row->name);
        ck_assert_ptr_nonnull(def);
        ck_assert_str_eq(def->name, row->name);
        ck_assert_ptr_eq(vmc_match_def(row->name), row);
        ck_assert_msg(strchr(row->name, '.') != NULL, "%s", row->name);
        ck_assert_msg(row->doc[0] != 0, "%s has no documentation", row->name);
        ck_assert_msg(!row->hooks.parse == !row->hooks.print, "%s", row->name);
        ck_assert_msg(!(row->traits & TRAIT_IMPLICIT_TERMINATOR) == !row->hooks.terminator, "%s", row->name);
        ck_assert_msg(!(row->traits & TRAIT_SPECULATABLE) || row->traits & TRAIT_PURE, "%s", row->name);
        ck_assert_msg(row->hooks.parse || row->format[0] || def->noperands + def->nresults + def->nregions == 0, "%s has no form",
                      row->name);
        char kind[16], name[64];
        for (uint32_t k = 0; k < def->nresults; k++) {
            if (!vmc_constraint_ref(def->results[k].constraint, kind, sizeof kind, name, sizeof name))
                continue;
            bool found = false;
            for (uint32_t m = 0; m < def->noperands; m++)
                found |= strcmp(def->operands[m].name, name) == 0;
            for (uint32_t m = 0; m < def->nresults; m++)
                found |= strcmp(def->results[m].name, name) == 0;
            ck_assert_msg(found, "%s: %s refers to nothing", row->name, def->results[k].constraint);
        }
    }
    context_free(ctx);
}
END_TEST

START_TEST(aliases_and_enums)
{
    Context *ctx = context_new("");
    ck_assert_str_eq(vmc_find_def(ctx, "arith.maxf")->name, "arith.maximumf");
    ck_assert_str_eq(vmc_find_def(ctx, "scf.foreach_thread")->name, "scf.forall");
    ck_assert_ptr_null(vmc_find_def(ctx, "arith.nothing"));
    ck_assert(vmc_is_known_dialect("arith", 5));
    ck_assert(!vmc_is_known_dialect("stablehlo", 9));
    int64_t value;
    const EnumDef *predicates = vmc_find_enum("cmpf_predicate");
    ck_assert(vmc_enum_value(predicates, "uno", &value));
    ck_assert_int_eq(value, 14);
    ck_assert_str_eq(vmc_enum_name(predicates, 2), "ogt");
    ck_assert_ptr_null(vmc_enum_name(predicates, 16));
    context_free(ctx);
}
END_TEST

/* ---- sample files ---------------------------------------------------------------------- */

static char *read_sample(const char *name)
{
    const char *srcdir = getenv("srcdir");
    char path[512];
    snprintf(path, sizeof path, "%s/tests/unit/%s", srcdir ? srcdir : ".", name);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    char *text = calloc(1, 1 << 16);
    size_t n = fread(text, 1, (1 << 16) - 1, file);
    ck_assert_uint_gt(n, 0);
    fclose(file);
    return text;
}

/* Custom and generic print read back to the same module. */
static void round_trip(const char *source)
{
    Context *ctx = context_parse(source);
    const char *custom = context_print(ctx, false);
    Context *again = context_parse(custom);
    ck_assert_str_eq(context_print(again, false), custom);
    Context *generic = context_parse(context_print(ctx, true));
    ck_assert_str_eq(context_print(generic, false), custom);
    context_free(generic);
    context_free(again);
    context_free(ctx);
}

START_TEST(samples_round_trip)
{
    static const char *const names[] = {"core_ops.mlir", "core_spellings.mlir"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = read_sample(names[i]);
        round_trip(text);
        free(text);
    }
}
END_TEST

START_TEST(old_spellings_are_todays_ops)
{
    char *source = read_sample("core_spellings.mlir");
    Context *ctx = context_parse(source);
    const char *text = context_print(ctx, false);
    ck_assert_msg(strstr(text, "arith.maximumf") && strstr(text, "scf.forall (") &&
                      strstr(text, "scf.reduce(%arg1, %arg1 : f32, f32)"),
                  "%s", text);
    ck_assert_ptr_null(strstr(text, "arith.maxf"));
    ck_assert_ptr_null(strstr(text, "foreach_thread"));
    context_free(ctx);
    free(source);
}
END_TEST

/* ---- refusals ------------------------------------------------------------------------------ */

static void refused(const char *body, const char *message)
{
    Context *ctx = context_new(body);
    const ParseOptions options = {0};
    bool good = vmc_parse_module(ctx, &options) && vmc_verify(ctx, ctx->module);
    ck_assert_msg(!good, "accepted: %s", body);
    ck_assert_msg(strstr(context_messages(ctx), message) != NULL, "%s\nexpected: %s", context_messages(ctx), message);
    context_free(ctx);
}

START_TEST(wrong_ops_are_refused)
{
    refused("func.func @f(%a: i32) -> i64 {\n  return %a : i32\n}", "has type i32");
    refused("func.func @f(%a: f32) {\n  %0 = \"arith.addi\"(%a, %a) : (f32, f32) -> f32\n  return\n}",
            "must be an integer or index, or a vector or tensor of such, has type f32");
    refused("func.func @f(%a: i32) {\n  %0 = arith.extsi %a : i32 to i16\n  return\n}", "wider");
    refused("func.func @f(%a: i32) {\n  %0 = arith.cmpi foo, %a, %a : i32\n  return\n}", "foo");
    refused("func.func @f(%a: i32) {\n  %0 = arith.addi %a, %a overflow<foo> : i32\n  return\n}", "unknown overflow flag");
    const char *const lists[] = {"fastmath = #arith.fastmath<noNe>", "fastmath = #arith.fastmath<nnan,>",
                                 "fastmath = #arith.fastmath<>", "fastmath = #arith.overflow<none>", "fastmath = #foo.bar"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) { /* what the short form could not print and read */
        char text[200];
        snprintf(text, sizeof text,
                 "func.func @f(%%a: f32) {\n  %%0 = \"arith.addf\"(%%a, %%a) {%s} : (f32, f32) -> f32\n  return\n}", lists[i]);
        refused(text, "must be a list of flags");
    }
    refused("func.func @f() {\n  call @g() : () -> ()\n  return\n}", "does not name a function");
    refused("func.func @f(%a: i32) {\n  %0 = \"arith.cmpi\"(%a, %a) {predicate = 99 : i64} : (i32, i32) -> i1\n  return\n}",
            "predicate");
    refused("func.func @f(%a: i32) {\n  %0 = \"arith.cmpi\"(%a, %a) : (i32, i32) -> i1\n  return\n}", "predicate");
    refused("func.func @f(%c: i1) {\n  %0 = scf.if %c -> i32 {\n    %1 = arith.constant 1 : i32\n    scf.yield %1 : i32\n  }\n  "
            "return\n}",
            "needs both regions");
    refused("func.func @f(%a: index) {\n  scf.for %i = %a to %a step %a iter_args(%x = %a) -> (i32) {\n    scf.yield %x : i32\n  "
            "}\n  return\n}",
            "index");
    refused("func.func @f(%a: i32, %t: tensor<2xi32>) {\n  %0 = \"arith.addi\"(%a, %t) : (i32, tensor<2xi32>) -> i32\n  return\n}",
            "one type");
    refused("func.func @f(%a: i32) {\n  %0 = arith.nonsense %a : i32\n  return\n}", "arith.nonsense");
    refused("func.func @f(%a: tensor<2xf32>) {\n  %0 = arith.extf %a : tensor<2xf32> to tensor<3xf64>\n  return\n}", "shape");
    refused("func.func @f(%a: i32) {\n  scf.yield %a : i32\n}", "scf");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dialects");
    TCase *tcase = tcase_create("dialects");
    tcase_add_test(tcase, rows_are_consistent);
    tcase_add_test(tcase, aliases_and_enums);
    tcase_add_test(tcase, samples_round_trip);
    tcase_add_test(tcase, old_spellings_are_todays_ops);
    tcase_add_test(tcase, wrong_ops_are_refused);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
