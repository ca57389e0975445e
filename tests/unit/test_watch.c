/* What --sanitize follows in instructions that vmc does not put into observed modules, too: modules are files, anybody writes them.
 *
 * Each program loads a number that was written or was not, moves it or uses it, and returns something; what was written is silent.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/bufvm.h"
#include "../../vm/bytecode/module.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

typedef struct Seen {
    unsigned reports;
    char text[600];
} Seen;

static void on_report(void *user, const BufvmReport *report)
{
    Seen *seen = user;
    seen->reports++;
    size_t n = strlen(seen->text);
    snprintf(seen->text + n, sizeof seen->text - n, "%u:%u %s [%s]\n", report->line, report->col, report->text, report->kind);
}

static BufvmStatus host_same(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                             BufvmValue *results, BufvmError *error)
{
    (void)user, (void)context, (void)signature, (void)error;
    results[0] = args[0];
    return BUFVM_OK;
}

/* s4 is element 0 of b0, 16 elements of i64, which is 1 or, if s0 is odd, was never written; s2 is 0, s3 is 1.  @same gives back
   what it gets, with a buffer in front; @each writes what it gets to the element of its number. */
#define BEGIN                                                                                                                      \
    ".import @host (s i64 \"i64\") -> (s i64 \"i64\")\n"                                                                           \
    ".function @same \"bs:s\" scalars 1 buffers 1 {\n  ret (s0)\n}\n"                                                              \
    ".function @each \"bss:\" scalars 3 buffers 1 {\n  storex.i64 s0, b0, s1, s2\n  ret ()\n}\n"                                   \
    ".function @f \"s:s\" scalars 100 buffers 3 local 64 {\n"                                                                      \
    "  .tile t0 i64 16 full\n  .tile t1 i64 16 full\n  .tile t2 i64 16 full\n  .tile t3 i1 16 full\n"                              \
    "  .line 1:1\n  imm s1, 128\n  buffer.alloc b0, s1, 0\n  imm s2, 0\n  imm s3, 1\n  jnz s0, L9\n  imm s5, 16\n  imm s6, 0\n"    \
    "L8:\n  store.i64 s3, b0, s6\n  loop.i64 s6, s3, s5, L8\nL9:\n  load.i64 s4, b0, s2\n  .line 2:1\n"
#define END "}\n.export @f = @f (s i64 \"i64\") -> (s i64 \"i64\")\n.debug_op 0 \"@f/x\" 1:1 \"\" \"\"\n"

typedef struct Case {
    const char *body, *report; /* NULL: it only moves, or is not there at the end */
} Case;

static const Case cases[] = {
    {"  ret (s4)\n", "a result"},
    {"  imm s4, 7\n  ret (s4)\n", NULL},
    {"  ret (s2)\n", NULL},
    {"  mov s7, s4\n  ret (s7)\n", "a result"},
    {"  mov s7, s4\n  mov s7, s3\n  ret (s7)\n", NULL},
    {"  mov s4, s4\n  ret (s4)\n", "a result"},
    {"  sext s7, s4, 8\n  zext s7, s7, 8\n  ret (s7)\n", "a result"},
    {"  addi.i64 s7, s4, s3\n  ret (s2)\n", "arithmetic"},
    {"  addi.i64 s7, s4, s3\n  ret (s7)\n", "arithmetic"},
    {"  select.i64 s7, s4, s3, s2\n  ret (s7)\n", "a condition"},
    {"  select.i64 s7, s3, s4, s2\n  ret (s7)\n", "a result"},
    {"  select.i64 s7, s3, s2, s4\n  ret (s7)\n", NULL},
    {"  jnz s4, L1\nL1:\n  ret (s2)\n", "a branch"},
    {"  jslt.i64 s2, s4, L1\nL1:\n  ret (s2)\n", "a branch"},
    {"  buffer.alloc b1, s4, 0\n  ret (s2)\n", "a size or offset"},
    {"  load.i64 s7, b0, s4\n  ret (s2)\n", "an index"},
    {"  loadx.i64 s7, b0, s2, s4\n  ret (s2)\n", "an index"},
    {"  loadx.i64 s7, b0, s4, s2\n  ret (s2)\n", "an index"},
    {"  store.i64 s3, b0, s4\n  ret (s2)\n", "an index"},
    {"  storex.i64 s3, b0, s2, s4\n  ret (s2)\n", "an index"},
    {"  storex.i64 s4, b0, s2, s3\n  loadx.i64 s7, b0, s2, s3\n  ret (s7)\n", "a result"},
    {"  storex.i64 s4, b0, s2, s3\n  storex.i64 s3, b0, s2, s3\n  loadx.i64 s7, b0, s2, s3\n  ret (s7)\n", NULL},
    {"  call @same (b0, s4) -> (s7)\n  ret (s7)\n", "a result"},
    {"  call @same (b0, s4) -> (s7)\n  addi.i64 s7, s7, s3\n  ret (s2)\n", "arithmetic"},
    {"  call @same (b0, s4) -> (s7)\n  ret (s2)\n", NULL},
    {"  call @same (b0, s3) -> (s4)\n  ret (s4)\n", NULL},
    {"  func.ref s7, @same\n  call.indirect s7, \"bs:s\" (b0, s4) -> (s7)\n  ret (s7)\n", "a result"},
    {"  call.import @host (s4) -> (s7)\n  ret (s7)\n", "an argument of a host function"},
    {"  call.import @host (s3) -> (s4)\n  ret (s4)\n", NULL},
    {"  grid @each, s4 (b0, s3)\n  ret (s2)\n", "a number of workgroups"},
    {"  grid @each, s3 (b0, s4)\n  ret (s2)\n", "an argument of a workgroup"},
    {"  grid @each, s3 (b0, s2)\n  load.i64 s7, b0, s2\n  ret (s7)\n", NULL},
    {"  t.splat.i64 t0, s4\n  t.mov.i64 t1, t0\n  t.extract.i64 s7, t1, s2\n  ret (s2)\n", "arithmetic"},
    {"  t.splat.i64 t0, s4\n  t.mov.i64 t1, t0\n  t.mov.i64 t1, t2\n  t.extract.i64 s7, t1, s2\n  ret (s2)\n", NULL},
    {"  t.splat.i64 t0, s4\n  t.mov.i64 t0, t0\n  t.splat.i64 t0, s3\n  t.extract.i64 s7, t0, s2\n  ret (s2)\n", NULL},
    {"  t.splat.i64 t0, s4\n  t.addi.i64 t1, t0, t2\n  ret (s2)\n", "arithmetic"},
    {"  t.splat.i64 t0, s4\n  t.store.i64 t0, b0, s2, s3\n  load.i64 s7, b0, s3\n  ret (s7)\n", "a result"},
    {"  t.splat.i64 t0, s4\n  t.store.i64 t0, b0, s2, s3\n  t.store.i64 t2, b0, s2, s3\n  load.i64 s7, b0, s3\n  ret (s7)\n", NULL},
    {"  t.load.i64 t0, b0, s2, s3\n  t.reduce.addi.i64 s7, t0\n  ret (s2)\n", "arithmetic"},
    {"  t.load.i64 t0, b0, s2, s2\n  t.reduce.addi.i64 s7, t0\n  ret (s2)\n", "arithmetic"},
    {"  t.load.i64 t0, b0, s4, s2\n  ret (s2)\n", "an index"},
    {"  t.load.i64 t0, b0, s2, s4\n  ret (s2)\n", "a stride"},
    {"  t.load.i64 t0, b0, s2, s3\n  t.cmpi_eq.i64 t3, t2, t2\n  t.select.i64 t1, t3, t0, t2\n  t.reduce.addi.i64 s7, t1\n  ret "
     "(s2)\n",
     "arithmetic"},
    {"  t.load.i64 t0, b0, s2, s3\n  t.cmpi_ne.i64 t3, t2, t2\n  t.select.i64 t1, t3, t0, t2\n  t.reduce.addi.i64 s7, t1\n  ret "
     "(s2)\n",
     NULL},
    {"  t.load.i64 t0, b0, s2, s3\n  t.gather.i64 t1, b0, t0\n  ret (s2)\n", "an index"},
    {"  t.gather.i64 t1, b0, t2\n  t.reduce.addi.i64 s7, t1\n  ret (s2)\n", "arithmetic"},
    {"  t.gather.mask.i64 t1, b0, t2, t3\n  t.reduce.addi.i64 s7, t1\n  ret (s2)\n", NULL},
    {"  t.store.mask.i64 t2, b0, s2, s3, t3\n  load.i64 s7, b0, s2\n  ret (s7)\n", "a result"},
    {"  t.cmpi_eq.i64 t3, t2, t2\n  t.store.mask.i64 t2, b0, s2, s3, t3\n  load.i64 s7, b0, s2\n  ret (s7)\n", NULL},
    {"  kernel fill rank 1 types i64 (s5, b0, s2, s3, s3)\n  ret (s2)\n", NULL},
    {"  kernel fill rank 1 types i64 (s3, b0, s4, s3, s3)\n  ret (s2)\n", "a size, offset or stride"},
    {"  kernel fill rank 1 types i64 (s3, b0, s2, s3, s4)\n  load.i64 s7, b0, s2\n  ret (s7)\n", "a result"},
};

static BufvmModule *load(const char *text, void **bytes)
{
    size_t size;
    BufvmError error;
    BufvmModule *module = NULL;
    ck_assert_msg(!bvm_assemble(NULL, text, strlen(text), bytes, &size, &error), "%u:%u: %s:\n%s", error.line, error.col,
                  error.text, text);
    ck_assert_msg(!bufvm_module_load(*bytes, size, NULL, &module, &error), "%s:\n%s", error.text, text);
    return module;
}

static Seen see(BufvmModule *module, uint64_t arg)
{
    Seen seen = {0};
    BufvmLimits limits = {.sanitize = BUFVM_SANITIZE | BUFVM_SANITIZE_RACE, .on_report = on_report, .report_user = &seen};
    BufvmImport import = {"host", host_same, NULL};
    BufvmContext *context = NULL;
    BufvmError error;
    BufvmValue in = {.kind = BUFVM_SCALAR, .elem = BUFVM_I64, .bits = arg}, result = {0};
    ck_assert_msg(!bufvm_context_new(module, &limits, &import, 1, NULL, &context, &error), "%s", error.text);
    ck_assert_msg(!bufvm_call(context, 0, &in, 1, &result, 1, &error), "%s", error.text);
    bufvm_context_free(context);
    return seen;
}

/* Reports of anything but buffers that nobody freed. */
static bool reported(const Seen *seen, const char *text)
{
    return text ? strstr(seen->text, text) != NULL : strstr(seen->text, "uninitialized") != NULL;
}

START_TEST(moves_and_uses)
{
    const Case *c = &cases[_i];
    char text[4000];
    void *bytes;
    snprintf(text, sizeof text, "%s%s%s", BEGIN, c->body, END);
    BufvmModule *module = load(text, &bytes);
    Seen written = see(module, 0), not_written = see(module, 1);
    ck_assert_msg(!reported(&written, NULL), "%s: what was written is reported:\n%s", c->body, written.text);
    if (c->report)
        ck_assert_msg(reported(&not_written, c->report) && reported(&not_written, NULL), "%s: reported:\n%s", c->body,
                      not_written.text);
    else
        ck_assert_msg(!reported(&not_written, NULL), "%s: reported:\n%s", c->body, not_written.text);
    bufvm_module_release(module);
    free(bytes);
}
END_TEST

/* More registers in doubt than there is room for: the load itself is the report. */
START_TEST(many_doubts)
{
    char text[8000];
    void *bytes;
    size_t n = (size_t)snprintf(text, sizeof text, "%s", BEGIN);
    for (unsigned reg = 10; reg < 100; reg++)
        n += (size_t)snprintf(text + n, sizeof text - n, "  load.i64 s%u, b0, s2\n", reg);
    snprintf(text + n, sizeof text - n, "  ret (s2)\n%s", END);
    BufvmModule *module = load(text, &bytes);
    Seen written = see(module, 0), not_written = see(module, 1);
    ck_assert(!reported(&written, NULL));
    ck_assert_msg(reported(&not_written, "one load of many uses byte 0"), "%s", not_written.text);
    bufvm_module_release(module);
    free(bytes);
}
END_TEST

/* A report instruction speaks when its condition is false. */
START_TEST(words_of_the_program)
{
    void *bytes;
    BufvmModule *module = load(BEGIN "  report s0, \"the argument is even\"\n  ret (s2)\n" END, &bytes);
    Seen even = see(module, 2), odd = see(module, 3);
    ck_assert_msg(reported(&even, "2:1 the argument is even [report]"), "%s", even.text);
    ck_assert_msg(!reported(&odd, "even"), "%s", odd.text);
    bufvm_module_release(module);
    free(bytes);
}
END_TEST

/* Turns of a parallel loop by hand: s0 odd: they touch one element of what lives outside of them. */
START_TEST(races)
{
    static const struct {
        const char *body;
        bool is_race;
    } turns[] = {
        {"  store.i64 s3, b0, s2\n", true},
        {"  load.i64 s7, b0, s2\n", false},
        {"  store.i64 s3, b0, s6\n", false},
        {"  parallel 3\n  store.i64 s3, b0, s2\n  parallel 4\n", false},
        {"  buffer.local b1, 0, 64\n  store.i64 s3, b1, s2\n", false},
        {"  t.store.i64 t2, b0, s2, s3\n", true},
        {"  t.load.i64 t0, b0, s2, s3\n  t.gather.i64 t1, b0, t2\n", false},
        {"  t.store.mask.i64 t2, b0, s2, s3, t3\n", false},
        {"  t.cmpi_eq.i64 t3, t2, t2\n  t.store.mask.i64 t2, b0, s2, s3, t3\n", true},
        {"  t.store.i64 t2, b0, s2, s2\n", true},
    };
    for (size_t i = 0; i < COUNT(turns); i++) {
        char text[4000];
        void *bytes;
        snprintf(text, sizeof text,
                 "%s  parallel 0\n  imm s6, 0\n  imm s5, 3\nL5:\n  parallel 1\n%s  loop.i64 s6, s3, s5, L5\n  parallel 2\n  ret "
                 "(s2)\n%s",
                 BEGIN, turns[i].body, END);
        BufvmModule *module = load(text, &bytes);
        Seen seen = see(module, 0);
        ck_assert_msg((strstr(seen.text, "[race]") != NULL) == turns[i].is_race, "%s: %s", turns[i].body, seen.text);
        bufvm_module_release(module);
        free(bytes);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("watch");
    TCase *t = tcase_create("watch");
    tcase_add_loop_test(t, moves_and_uses, 0, (int)COUNT(cases));
    tcase_add_test(t, many_doubts);
    tcase_add_test(t, words_of_the_program);
    tcase_add_test(t, races);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
