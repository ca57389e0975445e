/* Limits, interruption and threads, through the public interface: what stops a call says both numbers and leaves a context that can
 * be used; kernels report their work often enough to be stopped; modules are shared between threads and contexts are not. */
#include <check.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../vm/bufvm.h"
#include "../../vm/bytecode/module.h"
#include "../../vm/bytecode/opnames.h"
#include "../../vm/kernels/kernels.h"

static void *module_bytes;

static BufvmModule *load(const char *text)
{
    size_t size;
    BufvmError error;
    BufvmModule *module = NULL;
    free(module_bytes);
    module_bytes = NULL;
    ck_assert_msg(!bvm_assemble(NULL, text, strlen(text), &module_bytes, &size, &error), "%s", error.text);
    ck_assert_msg(!bufvm_module_load(module_bytes, size, NULL, &module, &error), "%s", error.text);
    return module;
}

static BufvmContext *context_of(BufvmModule *module, const BufvmLimits *limits)
{
    BufvmContext *context = NULL;
    BufvmError error;
    ck_assert_msg(!bufvm_context_new(module, limits, NULL, 0, NULL, &context, &error), "%s", error.text);
    return context;
}

static BufvmStatus call(BufvmContext *context, int64_t n, int64_t *out, BufvmError *error)
{
    BufvmValue arg = {.kind = BUFVM_SCALAR, .elem = BUFVM_I64, .bits = (uint64_t)n}, result = {0};
    BufvmStatus status = bufvm_call(context, 0, &arg, 1, &result, 1, error);
    *out = (int64_t)result.bits;
    return status;
}

#define MAIN(body, scalars, buffers)                                                                                               \
    ".function @main \"s:s\" scalars " #scalars " buffers " #buffers " {\n" body "  ret (s0)\n}\n"                                 \
    ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n"

/* -- limits ------------------------------------------------------------------------------------------------ */

typedef struct LimitCase {
    const char *text;
    BufvmLimits limits;
    int64_t too_much, fits;
    const char *numbers[2];
} LimitCase;

START_TEST(limits_say_both_numbers)
{
    static const char recursive[] = ".function @main \"s:s\" scalars 3 buffers 0 {\n  jne.i64 s0, s2, L0\n  ret (s0)\nL0:\n"
                                    "  addi.imm.i64 s1, s0, -2\n  call @main (s1) -> (s2)\n  ret (s0)\n}\n"
                                    ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    static const char alloc[] = MAIN("  buffer.alloc b0, s0, 0\n", 1, 1);
    static const char loop[] = MAIN("  imm s2, 1\nL0:\n  addi.i64 s1, s1, s3\n  loop.i64 s3, s2, s0, L0\n", 4, 0);
    static const char local[] =
        ".function @leaf \":\" scalars 1 buffers 1 local 128 {\n  buffer.local b0, 64, 64\n  ret ()\n}\n" MAIN(
            "  jz s0, L0\n  call @leaf () -> ()\nL0:\n", 1, 0);
    const LimitCase cases[] = {
        {alloc, {.memory = 100000}, 200000, 5000, {"200000", "100000"}},
        {alloc, {.memory = 65536}, 65536, 5000, {"65536 bytes: a block of 65", "bytes, 0 in use, limit 65536"}},
        {alloc, {.allocation = 5000}, 5001, 5000, {"5001", "5000"}},
        {alloc, {0}, INT64_MAX, 5000, {"9223372036854775807", "4294967296"}},
        {recursive, {.call_depth = 10}, 40, 8, {"call depth is 10", "@main"}},
        {recursive, {.stack = 1 << 17, .call_depth = 1 << 30}, 1 << 30, 8, {"in use", "limit 131072"}},
        {loop, {.fuel = 5000}, 100000, 100, {"5000 instructions", "limit"}},
        {local, {.local_memory = 64 << 10, .memory = 30000}, 1, 1, {"65536", "30000"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        BufvmModule *module = load(cases[k].text);
        for (int twin = 0; twin < 2; twin++) {
            BufvmLimits limits = cases[k].limits;
            limits.switch_dispatch = twin;
            BufvmContext *context = context_of(module, &limits);
            BufvmError error = {0};
            int64_t out;
            for (int again = 0; again < 3; again++) {
                BufvmStatus status = call(context, cases[k].too_much, &out, &error);
                ck_assert_msg(status == BUFVM_LIMIT, "case %zu: %s %s", k, bufvm_status_name(status), error.text);
                for (size_t i = 0; i < 2; i++)
                    ck_assert_msg(strstr(error.text, cases[k].numbers[i]), "case %zu: no %s in '%s'", k, cases[k].numbers[i],
                                  error.text);
                if (cases[k].fits == cases[k].too_much)
                    continue;
                status = call(context, cases[k].fits, &out, &error);
                ck_assert_msg(status == BUFVM_OK && out == cases[k].fits, "case %zu: %s", k, error.text);
            }
            BufvmStatistics statistics;
            bufvm_context_statistics(context, &statistics);
            ck_assert_uint_eq(statistics.leaked_buffers, 0);
            bufvm_context_free(context);
        }
        bufvm_module_release(module);
    }
}
END_TEST

/* Frames larger than what an earlier call has left behind, and again smaller ones. */
START_TEST(frames_of_any_size)
{
    BufvmModule *module =
        load(".function @main \"ss:s\" scalars 5 buffers 0 {\n  jz s1, L1\n  call @big (s0) -> (s2)\n  ret (s2)\nL1:\n"
             "  jne.i64 s0, s3, L0\n  ret (s3)\nL0:\n  addi.imm.i64 s2, s0, -1\n  call @main (s2, s3) -> (s4)\n"
             "  addi.imm.i64 s4, s4, 1\n  ret (s4)\n}\n"
             ".function @big \"s:s\" scalars 65000 buffers 0 {\n  addi.imm.i64 s64999, s0, 5\n  ret (s64999)\n}\n"
             ".export @main = @main (s i64 \"i64\", s i64 \"i64\") -> (s i64 \"i64\")\n");
    BufvmContext *context = context_of(module, NULL);
    static const int64_t calls[][2] = {{300, 0}, {7, 1}, {2, 0}, {3000, 0}, {8, 1}, {9000, 0}, {9, 1}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        BufvmValue args[2], result = {0};
        BufvmError error;
        for (int k = 0; k < 2; k++)
            args[k] = (BufvmValue){.kind = BUFVM_SCALAR, .elem = BUFVM_I64, .bits = (uint64_t)calls[i][k]};
        ck_assert_msg(!bufvm_call(context, 0, args, 2, &result, 1, &error), "%s", error.text);
        ck_assert_int_eq((int64_t)result.bits, calls[i][0] + (calls[i][1] ? 5 : 0));
    }
    bufvm_context_free(context);
    bufvm_module_release(module);
}
END_TEST

/* Grids within grids use the host's stack: they have a limit of their own, and the context goes on. */
START_TEST(grids_within_grids)
{
    BufvmModule *module =
        load(".function @level \"ss:\" scalars 4 buffers 0 {\n  jne.i64 s0, s2, L0\n  ret ()\nL0:\n  addi.imm.i64 s0, s0, -1\n"
             "  imm s3, 1\n  grid @level, s3 (s0)\n  ret ()\n}\n" MAIN("  imm s3, 1\n  grid @level, s3 (s0)\n", 4, 0));
    for (uint32_t threads = 1; threads <= 2; threads++) {
        BufvmContext *context = context_of(module, &(BufvmLimits){.threads = threads});
        BufvmError error;
        int64_t out;
        ck_assert_msg(!call(context, 5, &out, &error), "%s", error.text);
        ck_assert_int_eq(call(context, 1000, &out, &error), BUFVM_LIMIT);
        ck_assert_msg(strstr(error.text, "the limit of nested grids is 16"), "%s", error.text);
        ck_assert_msg(!call(context, 5, &out, &error), "%s", error.text);
        ck_assert_int_eq(out, 5);
        bufvm_context_free(context);
    }
    bufvm_module_release(module);
}
END_TEST

START_TEST(limits_of_loading_and_contexts)
{
    BufvmModule *module = NULL, *good = load(MAIN("", 1, 0));
    BufvmContext *context = NULL;
    BufvmError error;
    ck_assert_int_eq(bufvm_module_load(module_bytes, 500, &(BufvmLoadOptions){.max_module_bytes = 400}, &module, &error),
                     BUFVM_LIMIT);
    ck_assert_msg(strstr(error.text, "500") && strstr(error.text, "400"), "%s", error.text);
    ck_assert_int_eq(bufvm_context_new(good, &(BufvmLimits){.threads = 5000}, NULL, 0, NULL, &context, &error),
                     BUFVM_INVALID_ARGUMENT);
    ck_assert_msg(strstr(error.text, "5000") && strstr(error.text, "1024"), "%s", error.text);
    ck_assert_int_eq(bufvm_context_new(good, &(BufvmLimits){.stack = 100}, NULL, 0, NULL, &context, &error), BUFVM_LIMIT);
    ck_assert_msg(strstr(error.text, "100"), "%s", error.text);
    ck_assert_ptr_null(context);
    bufvm_module_release(good);
}
END_TEST

/* Code that jumps nowhere back, and in which each instruction works on 65535 lanes. */
static char *wide_code(bool strip, unsigned instructions)
{
    static const char head[] =
        ".function @main \"s:s\" scalars 6 buffers 1 {\n  .tile t0 f32 65535 full\n  imm s1, 65535\n  imm16 s2, 1\n",
                      tail[] = "  ret (s0)\n}\n.export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n",
                      line[] = "  t.mulf.f32 t0, t0, t0\n";
    char *text = malloc(sizeof head + sizeof tail + 200 + instructions * sizeof line);
    ck_assert_ptr_nonnull(text);
    char *at = text + sprintf(text, "%s%s", head, strip ? "  strip s3, s1, 65535, L1\nL0:\n" : "");
    for (unsigned i = 0; i < instructions; i++)
        at += sprintf(at, "%s", line);
    sprintf(at, "%s%s", strip ? "  strip.next s3, L0\nL1:\n" : "", tail);
    return text;
}

/* 65535 lanes are 4095 units of fuel an instruction; a turn of a strip that is short is paid in one at its end, a 128th for each
   word of it. */
START_TEST(tiles_cost_their_lanes)
{
    const struct {
        bool strip;
        unsigned instructions;
        uint64_t price;
    } cases[] = {{false, 50, 50 * 4095}, {true, 50, 50 * 4095}, {true, 8, 65535 * 8 / 128}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = wide_code(cases[k].strip, cases[k].instructions);
        BufvmModule *module = load(text);
        free(text);
        for (int twin = 0; twin < 2; twin++) {
            BufvmLimits limits = {.switch_dispatch = twin, .fuel = cases[k].price - 1};
            BufvmContext *context = context_of(module, &limits);
            BufvmError error = {0};
            BufvmStatistics statistics;
            int64_t out;
            ck_assert_int_eq(call(context, 1, &out, &error), BUFVM_LIMIT);
            ck_assert_msg(strstr(error.text, "fuel"), "%s", error.text);
            bufvm_context_free(context);
            limits.fuel++;
            context = context_of(module, &limits);
            ck_assert_msg(call(context, 1, &out, &error) == BUFVM_OK && out == 1, "case %zu: %s", k, error.text);
            bufvm_context_statistics(context, &statistics);
            ck_assert_uint_eq(statistics.instructions, cases[k].price);
            bufvm_context_free(context);
        }
        bufvm_module_release(module);
    }
}
END_TEST

/* -- interruption ------------------------------------------------------------------------------------------- */

typedef struct Interrupter {
    BufvmContext *context;
    struct timespec at;
} Interrupter;

static void *interrupter(void *user)
{
    Interrupter *i = user;
    struct timespec pause = {0, 10000000};
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &i->at);
    bufvm_context_interrupt(i->context);
    return NULL;
}

/* Programs that would run for ages: n is huge. */
static const char *const endless[] = {
    MAIN("  imm s2, 1\nL0:\n  addi.i64 s1, s1, s3\n  loop.i64 s3, s2, s0, L0\n", 4, 0),
    /* a call in a loop, indirect jumps */
    ".function @leaf \"s:s\" scalars 1 buffers 0 {\n  ret (s0)\n}\n" MAIN(
        "  imm s2, 1\nL0:\n  call @leaf (s1) -> (s1)\n  loop.i64 s3, s2, s0, L0\n", 4, 0),
    /* kernels whose strides are all zero */
    MAIN("  imm s1, 8\n  buffer.alloc b0, s1, 0\n  kernel fill rank 1 types i64 (s0, b0, s2, s2, s2)\n", 5, 1),
    MAIN("  imm s1, 8\n  buffer.alloc b0, s1, 0\n  buffer.alloc b1, s1, 0\n"
         "  kernel copy rank 1 types i64 i64 (s0, b0, s2, s2, b1, s2, s2)\n",
         5, 2),
    MAIN("  imm s1, 8\n  buffer.alloc b0, s1, 0\n  kernel reduce rank 1 types i64 i64 parameter 96 (s0, b0, s2, s2, b0, s2, s2)\n",
         5, 1),
    MAIN("  imm s1, 8\n  buffer.alloc b0, s1, 0\n  buffer.alloc b1, s1, 0\n"
         "  kernel contract rank 1 types f64 f64 f64 (s0, b0, s2, s2, b1, s2, s2, b1, s2, s2)\n",
         5, 2),
    /* a grid with a workgroup that never ends, and one of many workgroups */
    ".function @work \"ss:\" scalars 5 buffers 0 {\n  imm s2, 1\nL0:\n  addi.i64 s3, s3, s4\n  loop.i64 s4, s2, s0, L0\n  ret "
    "()\n}\n" MAIN("  imm s1, 4\n  grid @work, s1 (s0)\n", 2, 0),
    ".function @work \"s:\" scalars 1 buffers 0 {\n  ret ()\n}\n" MAIN("  grid @work, s0 ()\n", 1, 0),
    /* a loop of few instructions on many lanes each */
    MAIN("  .tile t0 f64 65535 full\n  imm s2, 1\nL0:\n  t.exp.f64 t0, t0\n  t.exp.f64 t0, t0\n  loop.i64 s3, s2, s0, L0\n", 4, 0),
};

START_TEST(interruption)
{
    for (size_t k = 0; k < sizeof endless / sizeof *endless; k++)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            BufvmModule *module = load(endless[k]);
            BufvmContext *context = context_of(module, &(BufvmLimits){.threads = threads, .switch_dispatch = k & 1});
            BufvmError error = {0};
            Interrupter i = {.context = context};
            pthread_t thread;
            int64_t out;
            struct timespec now;
            ck_assert_int_eq(pthread_create(&thread, NULL, interrupter, &i), 0);
            BufvmStatus status = call(context, INT64_MAX / 4, &out, &error);
            clock_gettime(CLOCK_MONOTONIC, &now);
            pthread_join(thread, NULL);
            ck_assert_msg(status == BUFVM_INTERRUPTED, "program %zu: %s %s", k, bufvm_status_name(status), error.text);
            /* within 2^16 elements: far below a second on any machine, but machines can be busy */
            ck_assert_msg(now.tv_sec - i.at.tv_sec <= 5, "program %zu took %ld s to stop", k, (long)(now.tv_sec - i.at.tv_sec));
            status = call(context, 1, &out, &error);
            ck_assert_msg(status == BUFVM_OK && out == 1, "program %zu: %s", k, error.text);
            bufvm_context_free(context);
            bufvm_module_release(module);
        }
}
END_TEST

/* -- kernels report their work ------------------------------------------------------------------------------ */

enum { ENOUGH = 1 };
typedef struct Polls {
    uint64_t calls, most, total;
} Polls;

static BufvmStatus poll(void *user, uint64_t elements)
{
    Polls *p = user;
    p->calls++;
    p->total += elements;
    if (elements > p->most)
        p->most = elements;
    return p->calls > ENOUGH ? BUFVM_INTERRUPTED : BUFVM_OK;
}

/* Rank 3; a dimension is small, or long and in memory, or endless with all strides zero. */
static void run_shapes(const BvmKernelRow *row, const unsigned *types, uint64_t param, uint8_t *memory, size_t bytes)
{
    static const int64_t sizes[] = {3, 70000, INT64_C(1) << 40};
    for (unsigned shape = 0; shape < 27; shape++)
        for (unsigned turn = 0; turn < 1; turn++) {
            unsigned layout = (shape * 5 + turn * 3) & 7;
            Polls polls = {0};
            BufvmError error;
            BvmKernelArgs args = {.rank = 3, .param = param, .cpu = row->cpu, .error = &error, .poll = poll, .user = &polls};
            args.nops = row->kernel == 1 ? 1 : row->kernel == 2 || row->kernel == 4 ? 2 : 3;
            uint64_t work = 1;
            for (unsigned d = 0, s = shape; d < 3; d++, s /= 3) {
                args.size[d] = sizes[s % 3];
                work = args.size[d] > 1 << 20 || work > UINT64_C(1) << 40 ? UINT64_MAX : work * (uint64_t)args.size[d];
            }
            bool fits = true;
            size_t at = 0;
            for (unsigned k = 0; k < args.nops; k++) {
                BvmOperand *op = &args.op[k];
                int64_t step = bvm_elem_bytes(types[k]);
                op->etype = types[k];
                op->p = memory + at;
                for (unsigned i = 0; i < 3; i++) {
                    unsigned d = layout & 1 ? i : 2 - i;
                    /* the classic places: which operand moves along which dimension */
                    bool moves = row->kernel == 3 ? d != (k == 0   ? 2u
                                                          : k == 1 ? 1u
                                                                   : 0u)
                                                  : !(row->kernel >= 4 && k < args.nops - 1 && d == 2);
                    if (layout & 2)
                        moves = moves && d != 1;
                    if (args.size[d] > 1 << 20)
                        moves = false;
                    op->stride[d] = moves ? step : 0;
                    step *= moves ? args.size[d] : 1;
                }
                fits = fits && at + (size_t)step <= bytes && step < 1 << 24;
                at += layout & 4 ? 8 : fits ? ((size_t)step + 63) & ~(size_t)63 : 0; /* the operands overlap, or do not */
            }
            if (!fits || (row->kernel == 2 && layout & 4)) /* copies that overlap take from a pool */
                continue;
            BufvmStatus status = row->fn(&args);
            ck_assert_msg(polls.most < 2 * BVM_KERNEL_PIECE,
                          /* a piece and what completes a tile */ "kernel %u %s, shape %u, layout %u: %" PRIu64 " elements at once",
                          row->kernel, row->variant, shape, layout, polls.most);
            ck_assert_msg(status == BUFVM_OK || (status == BUFVM_INTERRUPTED && polls.calls == ENOUGH + 1),
                          "kernel %u %s, shape %u, layout %u: status %d after %" PRIu64 " polls", row->kernel, row->variant, shape,
                          layout, (int)status, polls.calls);
            if (status == BUFVM_OK)
                ck_assert_msg(polls.total * 16 >= work,
                              "kernel %u %s, shape %u, layout %u: %" PRIu64 " of %" PRIu64 " elements reported", row->kernel,
                              row->variant, shape, layout, polls.total, work);
        }
}

START_TEST(kernels_poll)
{
    static const struct {
        unsigned kernel, types[3];
        uint64_t param;
    } cases[] = {
        {1, {BUFVM_I8}, 0},
        {1, {BUFVM_F64}, 0},
        {2, {BUFVM_I8, BUFVM_I8}, 0},
        {2, {BUFVM_F32, BUFVM_F32}, 0},
        {3, {BUFVM_F32, BUFVM_F32, BUFVM_F32}, 0},
        {3, {BUFVM_F64, BUFVM_F64, BUFVM_F64}, 0},
        {3, {BUFVM_I32, BUFVM_I8, BUFVM_I8}, 0},
        {3, {BUFVM_I64, BUFVM_I64, BUFVM_I64}, 0},
        {3, {BUFVM_F32, BUFVM_F16, BUFVM_F16}, 0},
        {3, {BUFVM_F16, BUFVM_F16, BUFVM_F16}, 0},
        {4, {BUFVM_F32, BUFVM_F32}, BVM_OP_addf},
        {4, {BUFVM_F32, BUFVM_F32}, BVM_OP_maximumf},
        {4, {BUFVM_I8, BUFVM_I8}, BVM_OP_addi},
        {4, {BUFVM_BF16, BUFVM_BF16}, BVM_OP_mulf},
        {5, {BUFVM_F32, BUFVM_I64, BUFVM_F32}, BVM_OP_cmpf_ogt},
        {5, {BUFVM_I32, BUFVM_I32, BUFVM_I32}, BVM_OP_cmpi_slt},
    };
    size_t bytes = 48u << 20, runs = 0;
    uint8_t *memory = calloc(1, bytes);
    unsigned cpu;
    ck_assert(memory && bvm_cpu_select(NULL, &cpu));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (const BvmKernelRow *row = bvm_kernel_rows; row->fn; row++)
            if (row->kernel == cases[k].kernel && bvm_cpu_has(cpu, row->cpu) && !row->serves) {
                run_shapes(row, cases[k].types, cases[k].param, memory, bytes);
                runs++;
            }
    ck_assert_uint_ge(runs, 16);
    free(memory);
}
END_TEST

/* A transposition with long rows, and a stretch moved onto itself, up and down. */
START_TEST(copies_poll)
{
    const int64_t rows = 16, n = 100000;
    uint8_t *memory = calloc(1, (size_t)(4 * rows * n));
    ck_assert_ptr_nonnull(memory);
    for (int64_t k = 0; k < rows * n; k++)
        memory[k] = (uint8_t)(k * 7 >> 2);
    for (int k = 0; k < 3; k++) {
        Polls polls = {0};
        BufvmError error;
        BvmKernelArgs args = {.rank = 2, .nops = 2, .size = {rows, n}, .error = &error, .poll = poll, .user = &polls};
        args.op[0] = (BvmOperand){.p = memory + 2 * rows * n, .etype = BUFVM_I8, .stride = {n, 1}};
        args.op[1] = (BvmOperand){.p = memory, .etype = BUFVM_I8, .stride = {1, rows}};
        if (k) {
            args.rank = 1;
            args.size[0] = rows * n;
            args.op[0].p = memory + (k == 1 ? 0 : 1000);
            args.op[1].p = memory + (k == 1 ? 1000 : 0);
            args.op[0].stride[0] = args.op[1].stride[0] = 1;
        }
        ck_assert_int_eq(bvm_kernel_run(2, &args), BUFVM_INTERRUPTED);
        ck_assert_msg(polls.most <= BVM_KERNEL_PIECE, "%d: %" PRIu64 " elements at once", k, polls.most);
    }
    free(memory);
}
END_TEST

/* -- threads ------------------------------------------------------------------------------------------------ */

static const char shared_text[] =
    ".constant k0 800 splat 07\n.global @g 8\n"
    ".function @work \"sbs:\" scalars 5 buffers 1 {\n  imm s2, 3\n  muli.i64 s2, s2, s1\n  addi.i64 s2, s2, s0\n"
    "  store.i64 s2, b0, s1\n  ret ()\n}\n"
    ".function @main \"s:s\" scalars 8 buffers 3 {\n"
    "  imm s1, 100\n  imm s2, 800\n  buffer.alloc b0, s2, 0\n  grid @work, s1 (s0, b0)\n"
    "  buffer.const b1, k0\n  buffer.global b2, @g\n  store.i64 s0, b2, s3\n"
    "  imm s4, 1\nL0:\n  load.i64 s5, b0, s3\n  addi.i64 s6, s6, s5\n  load.i8 s5, b1, s3\n  addi.i64 s6, s6, s5\n"
    "  loop.i64 s3, s4, s1, L0\n  imm s3, 0\n  load.i64 s5, b2, s3\n  addi.i64 s6, s6, s5\n  ret (s6)\n}\n"
    ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";

typedef struct Sharer {
    BufvmModule *module;
    uint32_t threads;
    int64_t number;
    char wrong[200];
} Sharer;

static void *share(void *user)
{
    Sharer *s = user;
    for (int64_t round = 0; round < 40 && !s->wrong[0]; round++) {
        BufvmContext *context = NULL;
        BufvmError error = {0};
        int64_t out = 0;
        bufvm_module_retain(s->module);
        BufvmStatus status = bufvm_context_new(s->module, &(BufvmLimits){.threads = s->threads}, NULL, 0, NULL, &context, &error);
        for (int64_t k = 0; k < 3 && !status; k++) {
            int64_t n = s->number * 1000 + round + k, want = 3 * 99 * 100 / 2 + 100 * n + 700 + n;
            status = call(context, n, &out, &error);
            if (!status && out != want)
                snprintf(s->wrong, sizeof s->wrong, "%" PRId64 " instead of %" PRId64, out, want);
        }
        if (status)
            snprintf(s->wrong, sizeof s->wrong, "%.150s", error.text);
        bufvm_context_free(context);
        bufvm_module_release(s->module);
    }
    return NULL;
}

START_TEST(one_module_many_threads)
{
    enum { N = 6 };
    BufvmModule *module = load(shared_text);
    Sharer sharers[N];
    pthread_t ids[N];
    memset(sharers, 0, sizeof sharers);
    for (int k = 0; k < N; k++) {
        sharers[k] = (Sharer){.module = module, .threads = 1 + (uint32_t)k % 3, .number = k};
        ck_assert_int_eq(pthread_create(&ids[k], NULL, share, &sharers[k]), 0);
    }
    for (int k = 0; k < N; k++) {
        pthread_join(ids[k], NULL);
        ck_assert_msg(!sharers[k].wrong[0], "thread %d: %s", k, sharers[k].wrong);
    }
    bufvm_module_release(module);
}
END_TEST

typedef struct Caller {
    BufvmContext *context;
    atomic_uint ok, busy, other;
    atomic_bool stop;
} Caller;

static void *call_again(void *user)
{
    Caller *c = user;
    while (!atomic_load(&c->stop)) {
        BufvmError error = {0};
        int64_t out;
        BufvmStatus status = call(c->context, 20000, &out, &error);
        atomic_fetch_add(status == BUFVM_OK && out == 20000                           ? &c->ok
                         : status == BUFVM_BUSY && strstr(error.text, "another call") ? &c->busy
                                                                                      : &c->other,
                         1);
    }
    return NULL;
}

START_TEST(one_context_two_threads)
{
    BufvmModule *module = load(endless[0]);
    Caller c = {.context = context_of(module, NULL)};
    pthread_t ids[2];
    for (int k = 0; k < 2; k++)
        ck_assert_int_eq(pthread_create(&ids[k], NULL, call_again, &c), 0);
    struct timespec pause = {0, 1000000};
    for (int k = 0; k < 20000 && (!atomic_load(&c.ok) || !atomic_load(&c.busy)); k++)
        nanosleep(&pause, NULL);
    atomic_store(&c.stop, true);
    for (int k = 0; k < 2; k++)
        pthread_join(ids[k], NULL);
    ck_assert_uint_gt(atomic_load(&c.ok), 0);
    ck_assert_uint_gt(atomic_load(&c.busy), 0);
    ck_assert_uint_eq(atomic_load(&c.other), 0);
    bufvm_context_free(c.context);
    bufvm_module_release(module);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("limits");
    TCase *t = tcase_create("limits");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, limits_say_both_numbers);
    tcase_add_test(t, frames_of_any_size);
    tcase_add_test(t, grids_within_grids);
    tcase_add_test(t, limits_of_loading_and_contexts);
    tcase_add_test(t, tiles_cost_their_lanes);
    tcase_add_test(t, interruption);
    tcase_add_test(t, kernels_poll);
    tcase_add_test(t, copies_poll);
    tcase_add_test(t, one_module_many_threads);
    tcase_add_test(t, one_context_two_threads);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    free(module_bytes);
    return failed != 0;
}
