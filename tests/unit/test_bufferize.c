/* Bufferization and the memory plan: which programs need a copy, and that placement never overlaps.
 * What the programs compute is tested by tests/cases/buf_*.mlir. */
#include "../../compiler/bufvmc.h"
#include "../../compiler/passes/lifetime.h"
#include "compiler_context.h"

typedef struct Statistics {
    uint64_t copies, peak, live;
} Statistics;

static void note(void *user, const char *name, uint64_t value)
{
    Statistics *s = user;
    if (strcmp(name, "tensor copies inserted") == 0)
        s->copies = value;
    if (strcmp(name, "temporary bytes peak") == 0)
        s->peak = value;
    if (strcmp(name, "largest live sum") == 0)
        s->live = value;
}

static Statistics statistics_of(const char *text, int optimize)
{
    Statistics s = {UINT64_MAX, 0, 0};
    BufvmcOptions options = {.emit = BUFVMC_SCHEDULE,
                             .on_statistic = note,
                             .user = &s,
                             .optimize = optimize,
                             .disable_passes = "fuse-generics"}; /* which would leave no temporaries */
    BufvmcOutput out;
    BufvmcStatus status = bufvmc_compile(text, strlen(text), &options, &out);
    ck_assert_msg(status == BUFVMC_OK, "%s\n%s", text, out.diagnostics ? out.diagnostics : "out of memory");
    bufvmc_output_free(&out);
    return s;
}

#define FOR_HEAD                                                                                                                   \
    "func.func @f(%x: i32, %n: index) -> tensor<4xi32> {\n"                                                                        \
    "  %c0 = arith.constant 0 : index\n"                                                                                           \
    "  %c1 = arith.constant 1 : index\n"                                                                                           \
    "  %t = tensor.from_elements %x, %x, %x, %x : tensor<4xi32>\n"

static const struct {
    const char *what;
    uint64_t copies;
    const char *text;
} programs[] = {
    {"a chain of inserts", 0,
     FOR_HEAD "  %a = tensor.insert %x into %t[%c0] : tensor<4xi32>\n"
              "  %b = tensor.insert %x into %a[%c1] : tensor<4xi32>\n"
              "  return %b : tensor<4xi32>\n}\n"},
    {"an insert into what is returned too", 1,
     "func.func @f(%x: i32) -> (tensor<1xi32>, tensor<1xi32>) {\n"
     "  %c0 = arith.constant 0 : index\n"
     "  %t = tensor.from_elements %x : tensor<1xi32>\n"
     "  %a = tensor.insert %x into %t[%c0] : tensor<1xi32>\n"
     "  return %a, %t : tensor<1xi32>, tensor<1xi32>\n}\n"},
    {"a loop that writes what it carries", 0,
     FOR_HEAD "  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<4xi32>) {\n"
              "    %b = tensor.insert %x into %a[%i] : tensor<4xi32>\n"
              "    scf.yield %b : tensor<4xi32>\n  }\n"
              "  return %r : tensor<4xi32>\n}\n"},
    {"a loop that writes only in one branch", 0,
     FOR_HEAD "  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<4xi32>) {\n"
              "    %p = arith.cmpi eq, %i, %c1 : index\n"
              "    %q = scf.if %p -> (tensor<4xi32>) {\n"
              "      %b = tensor.insert %x into %a[%i] : tensor<4xi32>\n"
              "      scf.yield %b : tensor<4xi32>\n"
              "    } else {\n      scf.yield %a : tensor<4xi32>\n    }\n"
              "    scf.yield %q : tensor<4xi32>\n  }\n"
              "  return %r : tensor<4xi32>\n}\n"},
    {"a loop that swaps", 0,
     FOR_HEAD "  %y = arith.addi %x, %x : i32\n"
              "  %u = tensor.from_elements %x, %x, %y, %x : tensor<4xi32>\n"
              "  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) -> (tensor<4xi32>, tensor<4xi32>) {\n"
              "    %w = tensor.insert %x into %a[%i] : tensor<4xi32>\n"
              "    scf.yield %b, %w : tensor<4xi32>, tensor<4xi32>\n  }\n"
              "  return %r#0 : tensor<4xi32>\n}\n"},
    {"a graph that carries what it writes", 0,
     FOR_HEAD "  cf.br ^head(%c0, %t : index, tensor<4xi32>)\n"
              "^head(%i: index, %a: tensor<4xi32>):\n"
              "  %more = arith.cmpi slt, %i, %n : index\n"
              "  cf.cond_br %more, ^body, ^exit\n"
              "^body:\n"
              "  %b = tensor.insert %x into %a[%i] : tensor<4xi32>\n"
              "  %j = arith.addi %i, %c1 : index\n"
              "  cf.br ^head(%j, %b : index, tensor<4xi32>)\n"
              "^exit:\n"
              "  return %a : tensor<4xi32>\n}\n"},
    {"an argument that is written in a loop: once, not in every turn", 1,
     "func.func @f(%t: tensor<4xi32>, %x: i32, %n: index) -> tensor<4xi32> {\n"
     "  %c0 = arith.constant 0 : index\n"
     "  %c1 = arith.constant 1 : index\n"
     "  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<4xi32>) {\n"
     "    %b = tensor.insert %x into %a[%i] : tensor<4xi32>\n"
     "    scf.yield %b : tensor<4xi32>\n  }\n"
     "  return %r : tensor<4xi32>\n}\n"},
    {"a tile computed where it lies", 0,
     FOR_HEAD "  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<4xi32>) {\n"
              "    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>\n"
              "    %f = linalg.fill ins(%x : i32) outs(%s : tensor<1xi32>) -> tensor<1xi32>\n"
              "    %b = tensor.insert_slice %f into %a[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>\n"
              "    scf.yield %b : tensor<4xi32>\n  }\n"
              "  return %r : tensor<4xi32>\n}\n"},
    {"new content that is put into a slice is computed there", 0,
     FOR_HEAD "  %e = tensor.empty() : tensor<2xi32>\n"
              "  %f = linalg.fill ins(%x : i32) outs(%e : tensor<2xi32>) -> tensor<2xi32>\n"
              "  %b = tensor.insert_slice %f into %t[1] [2] [1] : tensor<2xi32> into tensor<4xi32>\n"
              "  return %b : tensor<4xi32>\n}\n"},
    {"a constant that is returned", 1,
     "func.func @f() -> tensor<2xi32> {\n"
     "  %t = arith.constant dense<[1, 2]> : tensor<2xi32>\n"
     "  return %t : tensor<2xi32>\n}\n"},
    {"overwriting without reading needs no old content", 0,
     "func.func @f(%t: tensor<4xi32>, %x: i32) -> tensor<4xi32> {\n"
     "  %f = linalg.fill ins(%x : i32) outs(%t : tensor<4xi32>) -> tensor<4xi32>\n"
     "  return %f : tensor<4xi32>\n}\n"},
};

START_TEST(copies_are_counted)
{
    for (int optimize = 1; optimize <= 3; optimize += 2) {
        Statistics s = statistics_of(programs[_i].text, optimize);
        ck_assert_msg(s.copies == programs[_i].copies, "%s: %llu copies", programs[_i].what, (unsigned long long)s.copies);
    }
}
END_TEST

/* A long chain of writes and many readers of one value must not take quadratic time. */
START_TEST(long_programs)
{
    enum { N = 20000 };
    char *text = malloc(N * 200 + 1000);
    size_t n = (size_t)sprintf(
        text, "func.func @f(%%x: i32) -> (tensor<4xi32>, i32) {\n  %%c0 = arith.constant 0 : index\n"
              "  %%v0 = tensor.from_elements %%x, %%x, %%x, %%x : tensor<4xi32>\n"
              "  %%k = tensor.from_elements %%x, %%x, %%x, %%x : tensor<4xi32>\n  %%s0 = arith.addi %%x, %%x : i32\n");
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(text + n,
                             "  %%v%d = tensor.insert %%s%d into %%v%d[%%c0] : tensor<4xi32>\n"
                             "  %%e%d = tensor.extract %%k[%%c0] : tensor<4xi32>\n"
                             "  %%s%d = arith.xori %%e%d, %%s%d : i32\n",
                             i + 1, i, i, i, i + 1, i, i);
    n += (size_t)sprintf(
        text + n,
        "  %%w = tensor.insert %%s%d into %%k[%%c0] : tensor<4xi32>\n  %%r = tensor.extract %%w[%%c0] : tensor<4xi32>\n"
        "  return %%v%d, %%r : tensor<4xi32>, i32\n}\n",
        N, N);
    ck_assert_uint_eq(statistics_of(text, 1).copies, 0);
    free(text);
}
END_TEST

START_TEST(plan_stays_near_the_live_sum)
{
    /* Three temporaries of which two are alive at a time. */
    Statistics s = statistics_of("func.func @f(%in: tensor<256xf32>) -> tensor<256xf32> {\n"
                                 "  %e = tensor.empty() : tensor<256xf32>\n"
                                 "  %a = linalg.exp ins(%in : tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>\n"
                                 "  %b = linalg.exp ins(%a : tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>\n"
                                 "  %c = linalg.exp ins(%b : tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>\n"
                                 "  %d = linalg.exp ins(%c : tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>\n"
                                 "  return %d : tensor<256xf32>\n}\n",
                                 3);
    ck_assert_uint_eq(s.copies, 0);
    ck_assert_uint_eq(s.live, 2048);
    ck_assert_uint_eq(s.peak, 2048);
}
END_TEST

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

START_TEST(placement)
{
    static const size_t counts[] = {1, 2, 50, 500, 5000};
    Context *ctx = context_new("");
    size_t n = counts[_i];
    Life *lives = ARENA_ARRAY(&ctx->arena, Life, n);
    uint32_t random = 7 + (uint32_t)_i, positions = (uint32_t)(4 * n + 100);
    for (size_t i = 0; i < n; i++) {
        uint32_t start = next_random(&random) % (positions - 50);
        lives[i].bytes = 1 + next_random(&random) % (next_random(&random) % 8 ? 100 : 100000);
        lives[i].span = (Span){start, start + next_random(&random) % 40};
    }
    uint64_t total = vmc_place_lives(ctx, lives, n), live = vmc_live_sum(ctx, lives, n, positions);
    ck_assert_uint_ge(total, live);
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_eq(lives[i].offset % 64, 0);
        ck_assert_uint_le(lives[i].offset + lives[i].bytes, total);
        for (size_t k = 0; k < i; k++) {
            bool apart_in_time = lives[i].span.start > lives[k].span.end || lives[k].span.start > lives[i].span.end;
            bool apart = lives[i].offset >= lives[k].offset + lives[k].bytes || lives[k].offset >= lives[i].offset + lives[i].bytes;
            if (!apart && !apart_in_time)
                ck_abort_msg("lives %zu and %zu overlap", i, k);
        }
    }
    context_free(ctx);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bufferize");
    TCase *tc = tcase_create("bufferize");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, copies_are_counted, 0, (int)(sizeof(programs) / sizeof(programs[0])));
    tcase_add_test(tc, long_programs);
    tcase_add_test(tc, plan_stays_near_the_live_sum);
    tcase_add_loop_test(tc, placement, 0, 5);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
