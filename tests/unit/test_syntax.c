/* Text to IR and back: what is read, what is refused, what is printed, and what input can not do to us. */
#include "compiler_context.h"

static char *slurp(const char *name)
{
    char path[512];
    const char *srcdir = getenv("srcdir");
    snprintf(path, sizeof path, "%s/tests/unit/%s", srcdir ? srcdir : ".", name);
    FILE *f = fopen(path, "rb");
    if (!f)
        ck_abort_msg("%s can not be read", path);
    char *text = malloc(1 << 20);
    size_t n = fread(text, 1, (1 << 20) - 1, f);
    text[n] = 0;
    fclose(f);
    return text;
}

/* Reads `source` with these options and gives the messages; fails when it is accepted. */
static const char *refuse(Context *ctx)
{
    const ParseOptions options = {0};
    if (vmc_parse_module(ctx, &options) && vmc_verify(ctx, ctx->module))
        ck_abort_msg("accepted: %.200s", ctx->diag.source);
    return context_messages(ctx);
}

static void expect_error(const char *source, const char *message)
{
    Context *ctx = context_new(source);
    const char *messages = refuse(ctx);
    if (!strstr(messages, message))
        ck_abort_msg("for %.200s\nexpected %s\ngot %s", source, message, messages);
    context_free(ctx);
}

static void expect_errors(const char *source, unsigned count)
{
    Context *ctx = context_new(source);
    const char *messages = refuse(ctx);
    if (ctx->diag.errors != count)
        ck_abort_msg("expected %u errors, got %u:\n%s", count, ctx->diag.errors, messages);
    context_free(ctx);
}

/* The text that `source` prints as; it must read back to itself in both forms. */
static char *round_trip(const char *source)
{
    Context *first = context_parse(source);
    char *text = strdup(context_print(first, false)), *generic = strdup(context_print(first, true));
    context_free(first);
    Context *second = context_parse(text);
    ck_assert_str_eq(context_print(second, false), text);
    context_free(second);
    Context *third = context_parse(generic);
    ck_assert_str_eq(context_print(third, false), text);
    context_free(third);
    free(generic);
    return text;
}

static void expect_text(const char *source, const char *part)
{
    char *text = round_trip(source);
    if (!strstr(text, part))
        ck_abort_msg("for %s\nexpected %s\ngot %s", source, part, text);
    free(text);
}

static const Attr *attr_of(Context *ctx, const char *name)
{
    return vmc_get_attr(ctx->module->regions[0].first->first, name);
}

/* One attribute `a`, written as `text`. */
static Context *with_attr(const char *text)
{
    static char source[1 << 16];
    snprintf(source, sizeof source, "\"t.x\"() {a = %s} : () -> ()", text);
    return context_parse(source);
}

static void expect_bits(const char *text, uint64_t bits)
{
    Context *ctx = with_attr(text);
    const Attr *a = attr_of(ctx, "a");
    ck_assert_msg(a->kind == ATTR_FLOAT && (uint64_t)a->i == bits, "%s gives %llx", text, (unsigned long long)a->i);
    context_free(ctx);
}

static void expect_int(const char *text, int64_t value)
{
    Context *ctx = with_attr(text);
    const Attr *a = attr_of(ctx, "a");
    ck_assert_msg(a->kind == ATTR_INT && a->i == value, "%s gives %lld", text, (long long)a->i);
    context_free(ctx);
}

static void expect_data(const char *text, size_t n, const unsigned char *bytes, bool splat)
{
    Context *ctx = with_attr(text);
    const Attr *a = attr_of(ctx, "a");
    ck_assert_msg(a->n == n && a->splat == splat, "%s has %zu bytes, splat %d", text, a->n, a->splat);
    ck_assert_msg(n == 0 || memcmp(a->data, bytes, n) == 0, "%s has other bytes", text);
    context_free(ctx);
}
#define DATA(text, splat, ...) expect_data(text, sizeof((unsigned char[]){__VA_ARGS__}), (unsigned char[]){__VA_ARGS__}, splat)

/* ---- reading ------------------------------------------------------------- */

START_TEST(zoo_round_trips)
{
    char *source = slurp("syntax_zoo.mlir");
    free(round_trip(source));
    free(source);
}
END_TEST

START_TEST(numbers)
{
    expect_int("255 : i8", -1);
    expect_int("-128 : i8", -128);
    expect_int("0xFF : i8", -1);
    expect_int("18446744073709551615 : ui64", -1);
    expect_int("true", 1);
    expect_int("-1 : i1", 1);
    expect_error("\"t.x\"() {a = 256 : i8} : () -> ()", "out of the range of i8");
    expect_error("\"t.x\"() {a = -129 : i8} : () -> ()", "out of the range of i8");
    expect_error("\"t.x\"() {a = 128 : si8} : () -> ()", "out of the range of si8");
    expect_error("\"t.x\"() {a = -1 : ui8} : () -> ()", "out of the range of ui8");
    expect_error("\"t.x\"() {a = 99999999999999999999} : () -> ()", "out of the range");
    expect_error("\"t.x\"() {a = 1 : f32} : () -> ()", "needs a decimal point");
    expect_error("\"t.x\"() {a = 1.0 : i32} : () -> ()", "is an integer");
    expect_error("\"t.x\"() {a = 0x100000000 : f32} : () -> ()", "no bit pattern of type f32");
}
END_TEST

START_TEST(floats)
{
    expect_bits("1.0 : f32", 0x3F800000);
    expect_bits("-0.0 : f32", 0x80000000);
    expect_bits("0x7FC00001 : f32", 0x7FC00001);
    expect_bits("3.40282347E+38 : f32", 0x7F7FFFFF);
    expect_bits("0.1 : f64", UINT64_C(0x3FB999999999999A));
    expect_bits("1.5 : bf16", 0x3FC0);
    /* through f64: rounded straight to f32 this would be 0x3F800001 */
    expect_bits("1.00000005960464477540 : f32", 0x3F800000);
    expect_bits("65520.0 : f16", 0x7C00);
    /* printed so that they read back */
    static const char *const same[] = {"a = 1.0 : f32",  "a = -0.0 : f16",     "a = 0x7F800000 : f32", "a = 0x7FC00001 : f32",
                                       "a = 0.1 : bf16", "a = 5.0e-324 : f64", "a = 1.0e-45 : f32"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char source[128];
        snprintf(source, sizeof source, "\"t.x\"() {%s} : () -> ()", same[i]);
        expect_text(source, same[i]);
    }
}
END_TEST

START_TEST(every_half_reads_back)
{
    /* all values of a format in one constant of 100 elements each, so that they are printed as decimals */
    static char source[1 << 16];
    for (unsigned base = 0; base < 65536; base += 8192) {
        size_t n = (size_t)snprintf(source, sizeof source, "\"t.x\"() {a = [");
        for (unsigned i = 0; i < 900; i++)
            n += (size_t)snprintf(source + n, sizeof source - n, "%s0x%04X : f16, 0x%04X : bf16", i ? ", " : "", base + 9 * i,
                                  base + 9 * i);
        snprintf(source + n, sizeof source - n, "]} : () -> ()");
        Context *first = context_parse(source);
        char *text = strdup(context_print(first, false));
        Context *second = context_parse(text);
        const Attr *a = attr_of(first, "a"), *b = attr_of(second, "a");
        ck_assert_uint_eq(a->n, b->n);
        for (size_t i = 0; i < a->n; i++)
            ck_assert_msg(a->elems[i]->i == b->elems[i]->i, "bits %llx read back as %llx", (unsigned long long)a->elems[i]->i,
                          (unsigned long long)b->elems[i]->i);
        context_free(first);
        context_free(second);
        free(text);
    }
}
END_TEST

START_TEST(elements)
{
    DATA("dense<[1, 2, 3]> : tensor<3xi8>", false, 1, 2, 3);
    DATA("dense<[[1, 2], [3, 4]]> : tensor<2x2xi16>", false, 1, 0, 2, 0, 3, 0, 4, 0);
    DATA("dense<7> : tensor<1000000000000xi32>", true, 7, 0, 0, 0);
    DATA("dense<[7, 7]> : tensor<2xi8>", true, 7);
    DATA("dense<\"0x01000000FFFFFFFF\"> : tensor<2xi32>", false, 1, 0, 0, 0, 255, 255, 255, 255);
    DATA("dense<\"0x05\"> : tensor<4xi1>", false, 1, 0, 1, 0);
    DATA("dense<\"0x0501\"> : tensor<9xi1>", false, 1, 0, 1, 0, 0, 0, 0, 0, 1);
    DATA("dense<\"0xFF\"> : tensor<100xi1>", true, 1);
    DATA("dense<[true, 0, 1]> : tensor<3xi1>", false, 1, 0, 1);
    DATA("dense<[-1, 7]> : tensor<2xi4>", false, 15, 7);
    DATA("dense<[-2, 1]> : tensor<2xi24>", false, 0xFE, 255, 255, 255, 1, 0, 0, 0);
    DATA("dense<\"0xFEFFFF010000\"> : tensor<2xi24>", false, 0xFE, 255, 255, 255, 1, 0, 0, 0);
    DATA("dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i8>>", false, 1, 2, 3, 4);
    DATA("dense<0x3F800000> : tensor<4xf32>", true, 0, 0, 0x80, 0x3F);
    DATA("dense<[1, // ] > \" \n 2]> : tensor<2xi8>", false, 1, 2);
    DATA("dense<1.0> : tensor<f16>", true, 0, 0x3C);
    DATA("array<i32: 1, -1>", false, 1, 0, 0, 0, 255, 255, 255, 255);
    DATA("array<i1: true, false>", false, 1, 0);
    expect_data("dense<> : tensor<0x4xi32>", 0, NULL, false);
    expect_data("dense<[]> : tensor<0xi32>", 0, NULL, false);
    expect_data("dense<5> : tensor<0xi32>", 0, NULL, false);
}
END_TEST

START_TEST(wrong_elements)
{
    static const char *const wrong[][2] = {
        {"dense<[1, 2]> : tensor<3xi8>", "does not match the shape"},
        {"dense<[1, 2, 3, 4]> : tensor<3xi8>", "does not match the shape"},
        {"dense<[[1], [2]]> : tensor<2xi8>", "does not match the shape"},
        {"dense<[1, 2]> : tensor<2x1xi8>", "does not match the shape"},
        {"dense<[1, ]> : tensor<1xi8>", "behind the comma"},
        {"dense<[1 2]> : tensor<2xi8>", "expected ','"},
        {"dense<256> : tensor<2xi8>", "out of the range"},
        {"dense<1> : tensor<2xf32>", "decimal point"},
        {"dense<1.0> : tensor<2xi32>", "are integers"},
        {"dense<true> : tensor<2xi32>", "of type i1"},
        {"dense<\"0x0102\"> : tensor<3xi8>", "its type needs 6"},
        {"dense<\"0x0G02\"> : tensor<2xi8>", "no hexadecimal digit"},
        {"dense<\"text\"> : tensor<2xi8>", "start with 0x"},
        {"dense<[\"a\"]> : tensor<1xi8>", "expected a number"},
        {"dense<1> : tensor<?xi8>", "static shape"},
        {"dense<1> : memref<2xi8>", "ranked tensor or vector"},
        {"dense<1> : tensor<9223372036854775807x4xi8>", "past 64 bits"},
        {"dense<[1]> : tensor<9223372036854775807xi8>", "does not match the shape"},
        {"dense<[1] : tensor<1xi8>", "expected elements and '>'"},
        {"dense_resource<k> : tensor<4xi8>", "no data for dense_resource<k>"},
        {"dense_resource<__elided__> : tensor<4xi8>", "--elided=zero"},
    };
    char source[256];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(source, sizeof source, "\"t.x\"() {a = %s} : () -> ()", wrong[i][0]);
        expect_error(source, wrong[i][1]);
    }
}
END_TEST

START_TEST(resources)
{
    const char *source =
        "\"t.x\"() {a = dense_resource<blob> : tensor<2xi16>, b = dense_resource<\"odd key\"> : tensor<2xf32>} : () -> ()\n"
        "{-#\n  external_resources: { mlir_reproducer: { verify_each: true, pipeline: \"x\", list: [1, 2] } },\n"
        "  dialect_resources: { builtin: { blob: \"0x0400000001000200\", \"odd key\": \"0x040000000000803F0000803F\" } }\n#-}\n";
    Context *ctx = context_parse(source);
    const Attr *a = attr_of(ctx, "a"), *b = attr_of(ctx, "b");
    ck_assert_uint_eq(a->n, 4);
    ck_assert_int_eq(memcmp(a->data, "\1\0\2\0", 4), 0);
    ck_assert_uint_eq(b->n, 8);
    context_free(ctx);
    expect_text(source, "blob: \"0x0400000001000200\"");
    expect_error("\"t.x\"() {a = dense_resource<blob> : tensor<3xi16>} : () -> ()\n"
                 "{-# dialect_resources: { builtin: { blob: \"0x0400000001000200\" } } #-}",
                 "its type needs 6");
}
END_TEST

START_TEST(elided_constants)
{
    const char *source =
        "\"t.x\"() {a = dense_resource<__elided__> : tensor<64xf32>, b = dense_resource<__elided__> : tensor<4xi64>} : () -> ()";
    const Attr *data[3];
    Context *contexts[3];
    const char *const policies[] = {"zero", "random:7", "random:7"};
    for (int i = 0; i < 3; i++) {
        const ParseOptions options = {.elided = policies[i]};
        contexts[i] = context_new(source);
        ck_assert(vmc_parse_module(contexts[i], &options));
        data[i] = attr_of(contexts[i], "a");
    }
    ck_assert(data[0]->splat);
    ck_assert(!data[1]->splat && data[1]->n == 256);
    ck_assert_int_eq(memcmp(data[1]->data, data[2]->data, 256), 0);
    for (int i = 0; i < 3; i++)
        context_free(contexts[i]);
    Context *ctx = context_new(source);
    const ParseOptions options = {.elided = "ones"};
    ck_assert(!vmc_parse_module(ctx, &options));
    ck_assert_ptr_nonnull(strstr(context_messages(ctx), "random:SEED"));
    context_free(ctx);
}
END_TEST

START_TEST(names_and_scopes)
{
    free(round_trip("func.func @f(%a: i32) -> i32 {\n  %r:2 = \"t.two\"(%a) : (i32) -> (i32, f32)\n  return %r#0 : i32\n}\n"
                    "func.func @g(%a: f32) {\n  cf.br ^later(%a : f32)\n^later(%b: f32):\n  return\n}"));
    /* a forward reference across blocks */
    free(round_trip(
        "func.func @f(%c: i1) -> i32 {\n  cf.br ^a\n^b:\n  return %x : i32\n^a:\n  %x = arith.constant 1 : i32\n  cf.br ^b\n}"));
    expect_error("func.func @f() {\n  %0 = arith.addi %x, %x : i32\n  return\n}", "'%x' is used but never defined");
    expect_error("func.func @f(%a: i32) {\n  %a = arith.addi %a, %a : i32\n  return\n}", "'%a' is defined already");
    expect_error("func.func @f(%a: i32) {\n  %0 = arith.addi %a, %a : i64\n  return\n}", "'%a' is used as i64 but its type is i32");
    expect_error("func.func @f() {\n  %r:2 = \"t.two\"() : () -> (i32, f32)\n  \"t.use\"(%r#2) : (i32) -> ()\n  return\n}",
                 "there is no #2");
    expect_error("func.func @f() {\n  %r:3 = \"t.two\"() : () -> (i32, f32)\n  return\n}", "has 2 results but 3 are named");
    expect_error("func.func @f() {\n  cf.br ^nowhere\n}", "block '^nowhere' is used but never defined");
    expect_error("func.func @f(%a: i32) {\n  func.func @g() {\n    \"t.use\"(%a) : (i32) -> ()\n    return\n  }\n  return\n}",
                 "'%a' is used but never defined");
    expect_error(
        "func.func @f(%c: i1) {\n  scf.if %c {\n    %x = arith.constant 1 : i32\n  }\n  \"t.use\"(%x) : (i32) -> ()\n  return\n}",
        "'%x' is used but never defined");
}
END_TEST

START_TEST(aliases)
{
    expect_text("#m = affine_map<(i, j)[n] -> (j, i + n)>\n\"t.x\"() {a = #m, b = [#m, #m]} : () -> ()",
                "#map = affine_map<(d0, d1)[s0] -> (d1, d0 + s0)>");
    expect_text("!t = tensor<4xf32>\n\"t.x\"() {a = !t} : () -> !t", "-> tensor<4xf32>");
    /* what opaque text refers to is written out in it */
    expect_text("#m = affine_map<(d0) -> (d0)>\n\"t.x\"() {a = #foo.bar<#m, 1>} : () -> ()",
                "#foo.bar<affine_map<(d0) -> (d0)>, 1>");
    expect_error("#a = [#b]\n#b = [#a]", "#b is not defined");
    expect_error("#a = 1\n#a = 2", "#a is defined already");
    expect_error("\"t.x\"() {a = #nowhere} : () -> ()", "#nowhere is not defined");
    expect_error("\"t.x\"() : () -> !nowhere", "!nowhere is not defined");
    expect_error("\"t.x\"() : () -> () loc(#nowhere)", "#nowhere is used but never defined");
}
END_TEST

START_TEST(locations)
{
    Context *ctx = context_parse(
        "\"t.x\"() : () -> () loc(#later)\n\"t.y\"() : () -> () loc(callsite(\"f\" at fused<1>[\"a\":1:2, unknown]))\n"
        "#later = loc(\"x.py\":3:4)\n");
    const Op *op = ctx->module->regions[0].first->first;
    ck_assert_ptr_nonnull(op->loc);
    ck_assert_int_eq(op->loc->loc, LOC_FILE);
    ck_assert_uint_eq(op->loc->line, 3);
    ck_assert_uint_eq(op->loc->col, 4);
    ck_assert_int_eq(op->next->loc->loc, LOC_CALLSITE);
    Text text = {.arena = &ctx->arena};
    const PrintOptions options = {.locations = true};
    vmc_print_op(ctx, ctx->module, &options, &text);
    ck_assert_ptr_nonnull(strstr(text.at, "loc(\"x.py\":3:4)"));
    Context *again = context_parse(text.at);
    ck_assert_uint_eq(again->module->regions[0].first->first->loc->line, 3);
    context_free(again);
    context_free(ctx);
}
END_TEST

START_TEST(affine_simplifies)
{
    static const char *const forms[][2] = {
        {"(d0) -> (2 + d0)", "(d0) -> (d0 + 2)"},
        {"(d0) -> (d0 + 2 + 3)", "(d0) -> (d0 + 5)"},
        {"(d0, d1) -> (d0 + 2 + d1)", "(d0, d1) -> (d0 + d1 + 2)"},
        {"(d0) -> (d0 * 2 * 3)", "(d0) -> (d0 * 6)"},
        {"(d0) -> (d0 * 0)", "(d0) -> (0)"},
        {"(d0) -> (d0 - d0)", "(d0) -> (0)"},
        {"(d0) -> (d0 * 4 mod 2)", "(d0) -> (0)"},
        {"(d0) -> ((d0 * 8) floordiv 4)", "(d0) -> (d0 * 2)"},
        {"(d0, d1) -> ((d0 * 4 + d1) floordiv 4)", "(d0, d1) -> (d0 + d1 floordiv 4)"},
        {"(d0, d1) -> ((d0 * 4 + d1) mod 4)", "(d0, d1) -> (d1 mod 4)"},
        {"(d0) -> (d0 - (d0 floordiv 4) * 4)", "(d0) -> (d0 mod 4)"},
        {"() -> (-7 floordiv 2, -7 ceildiv 2, -7 mod 3)", "() -> (-4, -3, 2)"},
        {"(d0)[s0] -> (s0 + d0, s0 * d0)", "(d0)[s0] -> (d0 + s0, d0 * s0)"},
        {"(d0, d1) -> (d0 - (d1 + 3) * 2)", "(d0, d1) -> (d0 - (d1 + 3) * 2)"},
        {"(d0, d1, d2) -> (d0 + (d1 + d2))", "(d0, d1, d2) -> (d0 + (d1 + d2))"},
    };
    char source[256];
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        snprintf(source, sizeof source, "\"t.x\"() {a = affine_map<%s>} : () -> ()", forms[i][0]);
        expect_text(source, forms[i][1]);
    }
    expect_error("#m = affine_map<(d0, d1) -> (d0 * d1)>", "not affine");
    expect_error("#m = affine_map<(d0, d1) -> (d0 mod d1)>", "not affine");
    expect_error("#m = affine_map<(d0, d0) -> (d0)>", "declared twice");
    expect_error("#m = affine_map<(d0) -> (d1)>", "no dimension or symbol");
}
END_TEST

START_TEST(strides_of_layouts)
{
    Context *ctx = context_parse("\"t.x\"() : () -> (memref<4x8xf32>, memref<4x?xf32>, memref<4x8xf32, strided<[1, ?], offset: 3>>,"
                                 " memref<4x8xf32, affine_map<(d0, d1)[s0, s1] -> (d0 * s0 + s1 + d1)>>, memref<4x8xf32, "
                                 "affine_map<(d0, d1) -> (d1, d0)>>)");
    const Value *r = ctx->module->regions[0].first->first->results;
    int64_t offset, s[2];
    ck_assert(vmc_memref_strides(ctx, r[0].type, &offset, s) && offset == 0 && s[0] == 8 && s[1] == 1);
    ck_assert(vmc_memref_strides(ctx, r[1].type, &offset, s) && s[0] == VMC_DYNAMIC && s[1] == 1);
    ck_assert(vmc_memref_strides(ctx, r[2].type, &offset, s) && offset == 3 && s[0] == 1 && s[1] == VMC_DYNAMIC);
    ck_assert(vmc_memref_strides(ctx, r[3].type, &offset, s) && offset == VMC_DYNAMIC && s[0] == VMC_DYNAMIC && s[1] == 1);
    ck_assert(!vmc_memref_strides(ctx, r[4].type, &offset, s));
    context_free(ctx);
}
END_TEST

/* ---- messages ------------------------------------------------------------ */

START_TEST(messages_point_at_the_place)
{
    Context *ctx = context_new("func.func @f(%a: i32) {\n\t%0 = arith.addi %a %a : i32\n  return\n}\n");
    ck_assert_str_eq(refuse(ctx), "test.mlir:2:21: error: expected ',', saw `%a`\n"
                                  "  \t%0 = arith.addi %a %a : i32\n"
                                  "  \t                   ^\n");
    context_free(ctx);
}
END_TEST

START_TEST(several_errors_without_cascade)
{
    expect_errors("func.func @f(%a: i32) {\n"
                  "  %x = arith.addi %a %a : i32\n"  /* 1 */
                  "  %y = arith.muli %x, %x : i32\n" /* silent */
                  "  %z = arith.nonsense %y : i32\n" /* 2 */
                  "  scf.for %i = %z to %z step {\n" /* 3; its body is skipped */
                  "    %q = arith.addi %i, %i : index\n"
                  "  }\n"
                  "  \"t.use\"(%z) : (i64) -> ()\n"
                  "  return\n}\n"
                  "func.func @g() {\n  %0 = arith.constant 1 : f32\n  return\n}\n", /* 4 */
                  4);
}
END_TEST

/* Integers past 64 bits are kept as they are written. */
START_TEST(wide_integers)
{
    expect_text("\"t.x\"() {a = 0018446744073709551615 : i128, b = -170141183460469231731687303715884105728 : i128} : () -> ()",
                "a = 18446744073709551615 : i128, b = -170141183460469231731687303715884105728 : i128");
    expect_text("\"t.x\"() {a = 7 : i128, b = -7 : i70000} : () -> ()", "a = 7 : i128, b = -7 : i70000");
    expect_error("\"t.x\"() {a = 3402823669209384634633746074317682114560 : i128} : () -> ()", "out of the range of i128");
    expect_error("\"t.x\"() {a = 0x1000000000000000000000000000000000 : i128} : () -> ()", "out of the range of i128");
}
END_TEST

START_TEST(casts_cases_and_bodies)
{
    expect_error("func.func @f(%a: tensor<4xi32>) {\n  %0 = arith.extsi %a : tensor<4xi32> to tensor<?xi64>\n  return\n}",
                 "has not the shape of the result's");
    expect_error("func.func @f(%a: vector<[4]xi32>) {\n  %0 = arith.sitofp %a : vector<[4]xi32> to vector<4xf32>\n  return\n}",
                 "has not the shape of the result's");
    expect_error(
        "func.func @f(%a: index) {\n  scf.index_switch %a\n  case 3 {\n    scf.yield\n  }\n  case 3 {\n    scf.yield\n  }\n"
        "  default {\n  }\n  return\n}",
        "the case 3 twice");
    expect_error("func.func @f() {}", "leave out the braces");
    expect_error("func.func @f(%m: memref<4xi32>) {\n  memref.assume_alignment %m, 12 : memref<4xi32>\n  return\n}",
                 "power of two");
    expect_error("func.func @f(%m: memref<4xi32>, %i: index) {\n  memref.prefetch %m[%i], read, locality<5>, data : "
                 "memref<4xi32>\n  return\n}",
                 "locality is 0 to 3");
    expect_error("func.func @f(%a: i64) {\n  %0 = complex.bitcast %a : i64 to f64\n  return\n}", "one of them complex");
}
END_TEST

START_TEST(unknown_operations)
{
    expect_error("arith.frobnicate", "unknown operation 'arith.frobnicate' of dialect 'arith'");
    expect_error("foo.bar %a", "'foo.bar': no such dialect is supported");
    expect_error("frobnicate", "unknown operation 'frobnicate'");
    free(round_trip("\"foo.bar\"() {a} : () -> ()")); /* kept in generic form */
}
END_TEST

static Context *parse_keeping(const char *source)
{
    const ParseOptions options = {.allow_unregistered = true};
    Context *ctx = context_new(source);
    vmc_parse_module(ctx, &options);
    return ctx;
}

/* Ops of unknown dialects in custom form: values and regions stay values and regions, the rest is text. */
START_TEST(unknown_operations_are_kept)
{
    const char *const printed =
        "module {\n"
        "  func.func @f(%arg0: memref<2xf32>, %arg1: index) -> i32 {\n"
        "    %0:2 = foo.a %arg0[%arg1] {x.y = affine_map<(d0) -> (d0)>, \"%z\"} : memref<2xf32> -> !foo.t<4x?xi8>\n"
        "    foo.region in(%0#1) {\n"
        "    ^bb0(%arg2: f32):\n"
        "      %1 = arith.addf %arg2, %arg2 : f32\n"
        "      foo.yield %1 : f32\n"
        "    } by {}\n"
        "    %2 = arith.addi %0#0, %0#0 : i32\n"
        "    func.return %2 : i32\n"
        "  }\n"
        "}\n";
    Context *ctx = parse_keeping("#m = affine_map<(i) -> (i)>\n"
                                 "func.func @f(%a: memref<2xf32>, %i: index) -> i32 {\n"
                                 "  %x:2 = foo.a %a[%i] {x.y = #m, \"%z\"} : memref<2xf32> // a note\n"
                                 "      -> !foo.t<4x?xi8>\n"
                                 "  foo.region in(%x#1) {\n"
                                 "  ^bb0(%b : f32):\n"
                                 "    %y = arith.addf %b, %b : f32\n"
                                 "    foo.yield %y : f32\n"
                                 "  } by {} loc(\"here\")\n"
                                 "  %z = arith.addi %x#0, %x#0 : i32\n"
                                 "  return %z : i32\n"
                                 "}\n");
    char *text = strdup(context_print(ctx, false));
    context_free(ctx);
    ck_assert_str_eq(text, printed);
    ctx = parse_keeping(text);
    ck_assert_str_eq(context_print(ctx, false), printed);
    context_free(ctx);
    free(text);
    static const char *const bad[][2] = {
        {"foo.a %x", "not defined before this op"},
        {"%x = foo.a\n%y = arith.addi %x, %x : i32\n%z = arith.addi %x, %x : i64", "is used as i64"},
        {"func.func @f() {\n  foo.br ^bb1\n^bb1:\n  return\n}", "successors of an operation"},
        {"foo.a [(", "expected"},
        {"foo.a \"\1\"", "control characters"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ctx = parse_keeping(bad[i][0]);
        if (!strstr(context_messages(ctx), bad[i][1]))
            ck_abort_msg("for %s\ngot %s", bad[i][0], context_messages(ctx));
        context_free(ctx);
    }
    /* the text's attribute can not be forged */
    ctx = parse_keeping("\"foo.b\"() {\".text\" = \"\\01\"} : () -> ()");
    ck_assert_ptr_nonnull(strstr(context_print(ctx, false), "\"foo.b\"() {"));
    context_free(ctx);
}
END_TEST

START_TEST(structure_is_verified)
{
    expect_error("func.func @f(%c: i1) -> i32 {\n  cf.cond_br %c, ^a, ^b\n^a:\n  %x = arith.constant 1 : i32\n  cf.br ^b\n^b:\n  "
                 "return %x : i32\n}",
                 "does not dominate this use");
    expect_error("func.func @f(%a: i32) {\n  cf.br ^b(%a : i32)\n^b(%b: f32):\n  return\n}", "successor operand #0 has type 'i32'");
    expect_error("func.func @f() {\n  return\n  return\n}", "must be the last op");
    expect_error("func.func @f() {\n  %x = arith.constant 1 : i32\n}", "must end with a terminator");
    expect_error("func.func @f() {\n^a:\n  cf.br ^a\n}", "entry block");
}
END_TEST

START_TEST(other_files_are_recognised)
{
    expect_error("ML\xEFR...", "MLIR bytecode");
    Context *ctx = context_new("");
    ctx->diag.source = "func.func\0 @f()";
    ctx->diag.source_size = 15;
    ck_assert_ptr_nonnull(strstr(refuse(ctx), "NUL byte"));
    context_free(ctx);
}
END_TEST

/* ---- hostile input ------------------------------------------------------- */

static char *repeat(const char *before, const char *part, size_t n, const char *middle, const char *end, const char *after)
{
    size_t size = strlen(before) + n * (strlen(part) + strlen(end)) + strlen(middle) + strlen(after) + 1;
    char *text = malloc(size), *at = stpcpy(text, before);
    for (size_t i = 0; i < n; i++)
        at = stpcpy(at, part);
    at = stpcpy(at, middle);
    for (size_t i = 0; i < n; i++)
        at = stpcpy(at, end);
    stpcpy(at, after);
    return text;
}

START_TEST(deep_nesting_is_an_error)
{
    static const char *const forms[][5] = {
        {"\"t.x\"() : () -> ", "tuple<", "i32", ">", ""},
        {"\"t.x\"() {a = ", "[", "1", "]", "} : () -> ()"},
        {"\"t.x\"() ", "{a = ", "1", "}", " : () -> ()"},
        {"", "module {\n", "", "}\n", ""},
        {"", "\"t.x\"() ({\n", "", "}) : () -> ()\n", ""},
        {"#m = affine_map<(d0) -> (", "(", "d0", ")", ")>"},
        {"#m = affine_map<(d0) -> (", "-", "d0", "", ")>"},
        {"\"t.x\"() : () -> () loc(", "callsite(", "unknown", " at unknown)", ")"},
        {"\"t.x\"() : () -> !a.b", "<", "x", ">", ""},
        {"\"t.x\"() : () -> (", "() -> (", "", ")", ")"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char *text = repeat(forms[i][0], forms[i][1], 100000, forms[i][2], forms[i][3], forms[i][4]);
        expect_error(text, "nested more than 1000 levels deep");
        free(text);
    }
}
END_TEST

START_TEST(chains_of_aliases_have_the_limit_too)
{
    char *text = malloc(2000 * 32), *at = text + sprintf(text, "#a0 = [1]\n!t0 = tuple<i32>\n");
    for (int i = 1; i < 1100; i++)
        at += sprintf(at, "#a%d = [#a%d]\n", i, i - 1);
    expect_error(text, "nested more than 1000 levels deep");
    free(text);
}
END_TEST

START_TEST(alias_bombs_stay_small)
{
    char *text = malloc(1 << 18), *at = text + sprintf(text, "#a0 = [1, 2]\n!t0 = tuple<i32, f32>\n");
    for (int i = 1; i < 500; i++)
        at += sprintf(at, "#a%d = [#a%d, #a%d]\n!t%d = tuple<!t%d, !t%d>\n", i, i - 1, i - 1, i, i - 1, i - 1);
    sprintf(at, "\"t.x\"() {a = #a499} : () -> !t499\n");
    char *printed = round_trip(text);
    ck_assert_uint_lt(strlen(printed), 2 * strlen(text));
    free(printed);
    /* a message names such a type in bounded space */
    sprintf(at, "func.func @f(%%a: !t499) {\n  %%0 = arith.addi %%a, %%a : i32\n  return\n}\n");
    Context *ctx = context_new(text);
    ck_assert_uint_lt(strlen(refuse(ctx)), 1 << 18);
    context_free(ctx);
    free(text);
}
END_TEST

START_TEST(memory_has_a_bound)
{
    char *text = repeat("func.func @f(%a: i32) { ", "arith.addi %a, %a : i32 ", 40000, "", "", " return }");
    Context *ctx = context_new(text);
    const ParseOptions options = {0};
    ctx->memory.limit = ((size_t)64 << 20) + 20 * strlen(text);
    ck_assert(vmc_parse_module(ctx, &options));
    context_free(ctx);
    free(text);
}
END_TEST

/* Whether parsing and printing stay under the limit; all memory is given back either way. */
static bool fits(size_t limit, const char *source)
{
    static Context ctx;
    static jmp_buf guard;
    static bool done;
    memset(&ctx, 0, sizeof ctx);
    done = false;
    ctx.memory = (VmcMemory){.limit = limit, .guard = &guard};
    if (setjmp(guard) == 0) {
        vmc_context_init(&ctx);
        ctx.diag.source = source;
        ctx.diag.source_size = strlen(source);
        const ParseOptions options = {0};
        ck_assert(vmc_parse_module(&ctx, &options));
        Text text = {.arena = &ctx.arena};
        vmc_print_op(&ctx, ctx.module, NULL, &text);
        done = true;
    }
    ck_assert_uint_le(ctx.memory.peak, limit);
    vmc_context_free(&ctx);
    ck_assert_uint_eq(ctx.memory.used, 0);
    return done;
}

START_TEST(running_out_of_memory_unwinds)
{
    /* every limit in turn stops somewhere else */
    const char *source =
        "#m = affine_map<(d0, d1) -> (d1, d0)>\nfunc.func @f(%a: tensor<4x4xf32>) -> i32 {\n"
        "  %0 = \"t.x\"(%a) {m = #m, d = dense<[1, 2, 3]> : tensor<3xi32>} : (tensor<4x4xf32>) -> i32\n  return %0 : i32\n}\n";
    size_t limits = 0, refused = 0;
    for (size_t limit = 4096; limit < (1 << 20); limit += 4096, limits++)
        refused += !fits(limit, source);
    ck_assert_uint_gt(refused, 0);
    ck_assert_uint_lt(refused, limits);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("syntax");
    TCase *reading = tcase_create("reading"), *messages = tcase_create("messages"), *hostile = tcase_create("hostile");
    tcase_add_test(reading, zoo_round_trips);
    tcase_add_test(reading, numbers);
    tcase_add_test(reading, floats);
    tcase_add_test(reading, every_half_reads_back);
    tcase_add_test(reading, elements);
    tcase_add_test(reading, wrong_elements);
    tcase_add_test(reading, resources);
    tcase_add_test(reading, elided_constants);
    tcase_add_test(reading, names_and_scopes);
    tcase_add_test(reading, aliases);
    tcase_add_test(reading, locations);
    tcase_add_test(reading, affine_simplifies);
    tcase_add_test(reading, strides_of_layouts);
    tcase_add_test(messages, messages_point_at_the_place);
    tcase_add_test(messages, several_errors_without_cascade);
    tcase_add_test(messages, unknown_operations);
    tcase_add_test(messages, wide_integers);
    tcase_add_test(messages, casts_cases_and_bodies);
    tcase_add_test(messages, unknown_operations_are_kept);
    tcase_add_test(messages, structure_is_verified);
    tcase_add_test(messages, other_files_are_recognised);
    tcase_add_test(hostile, deep_nesting_is_an_error);
    tcase_add_test(hostile, chains_of_aliases_have_the_limit_too);
    tcase_add_test(hostile, alias_bombs_stay_small);
    tcase_add_test(hostile, memory_has_a_bound);
    tcase_add_test(hostile, running_out_of_memory_unwinds);
    suite_add_tcase(suite, reading);
    suite_add_tcase(suite, messages);
    suite_add_tcase(suite, hostile);
    tcase_set_timeout(reading, 120);
    tcase_set_timeout(hostile, 120);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
