/* The compiler's API: options, levels that read back, limits, and every allocation failing in turn. */
#include "../../compiler/bufvmc.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] =
    "func.func @f(%in: tensor<8xf32>, %x: f32) -> tensor<8xf32> {\n"
    "  %e = tensor.empty() : tensor<8xf32>\n"
    "  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>\n"
    "  %a = linalg.add ins(%in, %f : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>\n"
    "  return %a : tensor<8xf32>\n"
    "}\n";

static BufvmcOutput compile(const char *text, const BufvmcOptions *options)
{
    BufvmcOutput out;
    BufvmcStatus status = bufvmc_compile(text, strlen(text), options, &out);
    ck_assert_msg(status == BUFVMC_OK, "%s", out.diagnostics ? out.diagnostics : "out of memory");
    return out;
}

static void refused_as(BufvmcStatus status, const char *text, const BufvmcOptions *options, const char *message)
{
    BufvmcOutput out;
    ck_assert_int_eq(bufvmc_compile(text, strlen(text), options, &out), status);
    ck_assert_uint_ge(out.errors, 1);
    ck_assert_ptr_null(out.data);
    ck_assert_msg(strstr(out.diagnostics, message) != NULL, "`%s` is not in: %s", message, out.diagnostics);
    bufvmc_output_free(&out);
}

static void refused(const char *text, const BufvmcOptions *options, const char *message)
{
    refused_as(BUFVMC_ERRORS, text, options, message);
}

START_TEST(levels_read_back)
{
    static const BufvmcEmit levels[] = {BUFVMC_PARSE, BUFVMC_CORE, BUFVMC_BUFFERS, BUFVMC_SCHEDULE};
    BufvmcOptions asm_options = {.emit = BUFVMC_SCHEDULE, .optimize = _i ? 1 : 3, .fp = BUFVMC_CONTRACT, .fp_given = true};
    BufvmcOutput direct = compile(program, &asm_options);
    for (size_t i = 0; i < 4; i++) {
        BufvmcOptions options = asm_options;
        options.emit = levels[i];
        BufvmcOutput text = compile(program, &options);
        ck_assert_uint_eq(strlen(text.data), text.size);
        BufvmcOptions on = {.emit = BUFVMC_SCHEDULE};
        BufvmcOutput again = compile(text.data, &on);
        if (levels[i] != BUFVMC_PARSE)
            ck_assert_str_eq(again.data, direct.data);
        BufvmcOptions same = {.emit = levels[i]};
        BufvmcOutput twice = compile(text.data, &same);
        ck_assert_str_eq(twice.data, text.data);
        bufvmc_output_free(&twice);
        bufvmc_output_free(&again);
        bufvmc_output_free(&text);
    }
    bufvmc_output_free(&direct);
}
END_TEST

START_TEST(options_are_checked)
{
    refused_as(BUFVMC_INVALID_ARGUMENT, program, &(BufvmcOptions){.passes = "bufferize,nothing"},
               "--passes names no pass: 'nothing'");
    refused_as(BUFVMC_INVALID_ARGUMENT, program, &(BufvmcOptions){.disable_passes = "cse,x"}, "--disable-pass names no pass: 'x'");
    refused_as(BUFVMC_INVALID_ARGUMENT, program, &(BufvmcOptions){.dump_after = "everything"},
               "--dump-after names no pass: 'everything'");
    refused("module attributes {bufvm.level = \"top\"} {}", NULL, "bufvm.level");
    refused("module attributes {bufvm.fp = 1 : i32} {}", NULL, "bufvm.fp");
    refused("module attributes {bufvm.options = {speed}} {}", NULL, "bufvm.options");
    refused("ML\xEFR\1\2\3", &(BufvmcOptions){.file_name = "in.mlirbc"}, "mlir-opt in.mlirbc -o in.mlirbc.mlir");
    BufvmcOutput out;
    ck_assert_int_eq(bufvmc_compile(NULL, 3, NULL, &out), BUFVMC_INVALID_ARGUMENT);
}
END_TEST

static void count_dump(void *user, const char *pass, const char *text, size_t n)
{
    int *count = user;
    ck_assert_uint_eq(strlen(text), n);
    ck_assert(strlen(pass) > 0);
    ++*count;
}

static void count_time(void *user, const char *pass, double seconds)
{
    int *count = user;
    ck_assert(strlen(pass) > 0 && seconds >= 0);
    *count += 100;
}

START_TEST(passes_alone_and_dumped)
{
    int count = 0;
    BufvmcOptions options = {.emit = BUFVMC_BUFFERS,
                             .passes = "lower-input,generalize,bufferize",
                             .dump_after = "all",
                             .on_dump = count_dump,
                             .on_time = count_time,
                             .user = &count};
    BufvmcOutput out = compile(program, &options);
    ck_assert_int_eq(count, 303);
    ck_assert_ptr_null(strstr(out.data, "bufvm.level"));
    ck_assert_ptr_nonnull(strstr(out.data, "memref.alloc"));
    bufvmc_output_free(&out);
}
END_TEST

typedef struct Failing {
    long left;
    size_t used, blocks;
} Failing;

static void *failing_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    Failing *f = user;
    if (new_size == 0) {
        f->blocks -= ptr != NULL;
        f->used -= old_size;
        free(ptr);
        return NULL;
    }
    if (f->left-- <= 0)
        return NULL;
    void *p = realloc(ptr, new_size);
    if (p) {
        f->blocks += ptr == NULL;
        f->used += new_size - old_size;
    }
    return p;
}

START_TEST(every_allocation_fails_once)
{
    static const BufvmcEmit kinds[] = {BUFVMC_CORE, BUFVMC_SCHEDULE, BUFVMC_BYTECODE, BUFVMC_ASM};
    for (size_t e = 0; e < 4; e++) {
        bool succeeded = false;
        for (long k = 0; !succeeded && k < 3000; k++) {
            Failing failing = {.left = k};
            BufvmcOptions options = {.emit = kinds[e], .realloc = failing_realloc, .user = &failing};
            BufvmcOutput out;
            BufvmcStatus status = bufvmc_compile(program, strlen(program), &options, &out);
            ck_assert_msg(status == BUFVMC_OK || status == BUFVMC_OUT_OF_MEMORY, "status %d: %s", (int)status, out.diagnostics);
            succeeded = status == BUFVMC_OK;
            ck_assert(succeeded == (out.data != NULL));
            bufvmc_output_free(&out);
            ck_assert_msg(failing.blocks == 0 && failing.used == 0, "failure %ld: %zu blocks, %zu bytes are left", k,
                          failing.blocks, failing.used);
        }
        ck_assert(succeeded);
    }
}
END_TEST

START_TEST(memory_limit)
{
    BufvmcOutput out;
    for (size_t limit = 1000; limit < 1 << 20; limit += 10000) {
        BufvmcStatus status =
            bufvmc_compile(program, strlen(program), &(BufvmcOptions){.max_memory = limit, .emit = BUFVMC_SCHEDULE}, &out);
        ck_assert(status == BUFVMC_OK || status == BUFVMC_OUT_OF_MEMORY);
        bufvmc_output_free(&out);
    }
    out = compile(program, &(BufvmcOptions){.max_memory = 16 << 20});
    ck_assert_uint_gt(out.memory_peak, 0);
    ck_assert_uint_lt(out.memory_peak, 16 << 20);
    bufvmc_output_free(&out);
}
END_TEST

START_TEST(tables)
{
    BufvmcOutput out;
    const char *ops = bufvmc_table("ops", &out);
    ck_assert_ptr_nonnull(ops);
    ck_assert_ptr_nonnull(strstr(ops, "### arith.addi"));
    bufvmc_output_free(&out);
    const char *passes = bufvmc_table("passes", &out);
    ck_assert_ptr_nonnull(passes);
    ck_assert_ptr_nonnull(strstr(passes, "plan-memory"));
    bufvmc_output_free(&out);
    ck_assert_ptr_null(bufvmc_table("nothing", &out));
    bufvmc_output_free(&out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pipeline");
    TCase *tc = tcase_create("pipeline");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, levels_read_back, 0, 2);
    tcase_add_test(tc, options_are_checked);
    tcase_add_test(tc, passes_alone_and_dumped);
    tcase_add_test(tc, every_allocation_fails_once);
    tcase_add_test(tc, memory_limit);
    tcase_add_test(tc, tables);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
