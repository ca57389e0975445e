/* Acceptance line 10: every row of the kernel table that this machine can run, called directly, beside the machine's limit; the
 * others as not executed, those of other architectures too.
 */
#include "../../vm/bytecode/opnames.h"
#include "../../vm/kernels/kernels.h"
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
#define KERNEL(number, name, operands, doc) K_##name = number,
#include "../../vm/kernels/kernels.def"
#undef KERNEL
};

/* A use of a kernel: sizes, and of each operand the element type and the strides in elements. */
typedef struct Use {
    unsigned kernel;
    const char *what;
    unsigned rank, nops, flags;
    uint64_t param;
    int64_t size[3];
    struct {
        BufvmElem elem;
        int64_t stride[3];
    } op[3];
    double operations; /* of a call; 0: counted in bytes */
} Use;

enum { LINE = 65536, SIDE = 256, ROWS = 64, COLUMNS = 1024 };
#define REDUCE(text, combiner, type)                                                                                               \
    {                                                                                                                              \
        K_reduce, text, 2, 2, 0, BVM_OP_##combiner, {ROWS, COLUMNS}, {{type, {1, 0}}, {type, {COLUMNS, 1}}}, 0                     \
    }
#define PRODUCT(text, flag, in, out)                                                                                               \
    {                                                                                                                              \
        K_contract, text, 3, 3, flag, 0, {SIDE, SIDE, SIDE}, {{out, {SIDE, 1, 0}}, {in, {SIDE, 0, 1}}, {in, {0, 1, SIDE}}},        \
            2.0 * SIDE *SIDE *SIDE                                                                                                 \
    }
static const Use uses[] = {
    {K_fill, "fill f32", 1, 1, 0, 0, {LINE}, {{BUFVM_F32, {1}}}, 0},
    {K_copy, "copy f32", 1, 2, 0, 0, {LINE}, {{BUFVM_F32, {1}}, {BUFVM_F32, {1}}}, 0},
    {K_copy, "transpose f32 256x256", 2, 2, 0, 0, {SIDE, SIDE}, {{BUFVM_F32, {SIDE, 1}}, {BUFVM_F32, {1, SIDE}}}, 0},
    PRODUCT("contract f32 256, two roundings", 0, BUFVM_F32, BUFVM_F32),
    PRODUCT("contract f32 256, fma", 1, BUFVM_F32, BUFVM_F32),
    PRODUCT("contract f64 256, fma", 1, BUFVM_F64, BUFVM_F64),
    PRODUCT("contract f16 256 into f32, fma", 1, BUFVM_F16, BUFVM_F32),
    PRODUCT("contract bf16 256 into f32, fma", 1, BUFVM_BF16, BUFVM_F32),
    PRODUCT("contract f16 256, two roundings", 0, BUFVM_F16, BUFVM_F16),
    PRODUCT("contract f16 256, fma", 1, BUFVM_F16, BUFVM_F16),
    PRODUCT("contract bf16 256, two roundings", 0, BUFVM_BF16, BUFVM_BF16),
    PRODUCT("contract i8 256 into i32", 0, BUFVM_I8, BUFVM_I32),
    PRODUCT("contract u8 256 times i8 into i32", 2, BUFVM_I8, BUFVM_I32),
    PRODUCT("contract u8 256 into i32", 6, BUFVM_I8, BUFVM_I32),
    REDUCE("reduce addf f32 64x1024", addf, BUFVM_F32),
    REDUCE("reduce maximumf f32 64x1024", maximumf, BUFVM_F32),
    REDUCE("reduce addi i32 64x1024", addi, BUFVM_I32),
    {K_argreduce,
     "argreduce ogt f32 64x1024",
     2,
     3,
     0,
     BVM_OP_cmpf_ogt,
     {ROWS, COLUMNS},
     {{BUFVM_F32, {1, 0}}, {BUFVM_I64, {1, 0}}, {BUFVM_F32, {COLUMNS, 1}}},
     0},
};

typedef struct Run {
    BvmKernelFn *fn;
    BvmKernelArgs args;
    BufvmError error;
} Run;

static BufvmStatus poll(void *user, uint64_t elements)
{
    (void)user, (void)elements;
    return BUFVM_OK;
}

static double run_kernel(void *state, long calls)
{
    Run *run = state;
    double start = bench_cpu_now();
    for (long k = 0; k < calls; k++) {
        BvmKernelArgs args = run->args; /* a kernel may change them */
        if (run->fn(&args))
            return -1;
    }
    return bench_cpu_now() - start;
}

static uint64_t operand_bytes(const Use *use, unsigned k)
{
    int64_t last = 0;
    for (unsigned d = 0; d < use->rank; d++)
        last += (use->size[d] - 1) * use->op[k].stride[d];
    return (uint64_t)(last + 1) * bufvm_elem_bytes(use->op[k].elem);
}

static void use_row(const Bench *bench, const BvmKernelRow *row, unsigned cpu, const Use *use, BvmPool *pool)
{
    static uint8_t scratch[BVM_KERNEL_SCRATCH] __attribute__((aligned(64)));
    Run run = {.fn = row->fn,
               .args = {.scratch = scratch,
                        .rank = use->rank,
                        .nops = use->nops,
                        .flags = use->flags,
                        .param = use->param,
                        .cpu = cpu,
                        .pool = pool,
                        .poll = poll}};
    void *memory[3] = {NULL};
    double bytes = 0, limit_operations = use->operations;
    run.args.error = &run.error;
    for (unsigned d = 0; d < use->rank; d++)
        run.args.size[d] = use->size[d];
    for (unsigned k = 0; k < use->nops; k++) {
        uint64_t n = operand_bytes(use, k);
        bytes += (double)n;
        memory[k] = aligned_alloc(64, (n + 127) & ~UINT64_C(63));
        if (!memory[k])
            goto done;
        memset(memory[k], 0, n);
        run.args.op[k].p = memory[k];
        run.args.op[k].etype = use->op[k].elem;
        for (unsigned d = 0; d < use->rank; d++)
            run.args.op[k].stride[d] = use->op[k].stride[d] * (int64_t)bufvm_elem_bytes(use->op[k].elem);
    }
    char what[80];
    snprintf(what, sizeof what, "%s: %s", row->variant, use->what);
    Runner ours = {"ours", run_kernel, &run};
    if (run_kernel(&run, 1) < 0) {
        bench_skip("%s: %s", what, run.error.text);
        goto done;
    }
    float *data = aligned_alloc(64, ((size_t)bytes + 127) & ~(size_t)63), sum;
    if (data) {
        memset(data, 0, (size_t)bytes);
        Native read = {NATIVE_ROWS_TO_F32, NULL, {data}, &sum, 1, (long)(bytes / 4)};
        Peer limit = {use->operations > 0 ? native_peak("peak_avx2", "fma peak, AVX2 f32", &limit_operations)
                                          : native_runner(NATIVE_HAND, "sum_avx2", "reading as many bytes", &read),
                      {NO_BOUND, 0}};
        bench_rows(bench, 10, what, use->operations > 0 ? use->operations : bytes, use->operations > 0 ? "GOP/s" : "GB/s", &ours,
                   &limit, 1);
    }
    free(data);
done:
    for (unsigned k = 0; k < use->nops; k++)
        free(memory[k]);
}

/* Whether the row has the use's types, on a machine with all that it needs. */
static bool row_serves(const BvmKernelRow *row, const Use *use)
{
    BvmKernelArgs args = {.flags = use->flags, .cpu = row->cpu};
    for (unsigned k = 0; k < use->nops; k++)
        args.op[k].etype = use->op[k].elem;
    return row->kernel == use->kernel && bvm_kernel_row_fits(row, &args);
}

static void other_architectures(void)
{
    static const struct {
        const char *variant, *kernel;
    } all[] = {
#define ROW(kernel, set, variant, fn, serves) {#variant, #kernel},
#define ANY(...)
#define X86      ROW
#define ARM      ROW
#define ARM_MORE ROW
#include "../../vm/kernels/rows.def"
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bool here = false;
        for (const BvmKernelRow *row = bvm_kernel_rows; row->fn; row++)
            here |= strcmp(row->variant, all[i].variant) == 0;
        if (!here)
            printf("%-4d %s: %s: not executed, a row of another architecture\n", 10, all[i].variant, all[i].kernel);
    }
}

void bench_kernels(const Bench *bench)
{
    unsigned cpu;
    BufvmAllocator allocator = bvm_mem_allocator(NULL);
    BvmPool *pool = bvm_pool_new(&allocator, UINT64_C(1) << 30, UINT64_C(1) << 30, false);
    bench_title("10. rows of the kernel table; the ratio is the share of the limit");
    if (!pool || !bvm_cpu_select(NULL, &cpu))
        return;
    for (const BvmKernelRow *row = bvm_kernel_rows; row->fn; row++) {
        unsigned found = 0;
        for (size_t k = 0; k < sizeof uses / sizeof *uses; k++) {
            if (!row_serves(row, &uses[k]))
                continue;
            found++;
            if (bvm_cpu_has(cpu, row->cpu))
                use_row(bench, row, cpu, &uses[k], pool);
            else
                printf("%-4d %s: %s: not executed, this machine is without %s\n", 10, row->variant, uses[k].what, row->variant);
        }
        if (!found)
            bench_skip("kernel %u, %s: no use of it is listed in kernel_rows.c", row->kernel, row->variant);
    }
    other_architectures();
    bvm_pool_close(pool);
}
