/* The table of kernel variants and the choice among them. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "kernels.h"

enum {
#define KERNEL(number, name, operands, doc) K_##name = number,
#include "kernels.def"
#undef KERNEL
};
#define KERNEL(number, name, operands, doc) _Static_assert(number < BVM_KERNELS, "kernels.h");
#include "kernels.def"
#undef KERNEL

const BvmKernelRow bvm_kernel_rows[] = {
#define ROW(kernel, set, variant, fn, serves) {K_##kernel, BVM_CPU_##set, #variant, fn, serves},
#define ANY                                   ROW
#if defined(__x86_64__) && !defined(BUFVM_NO_SIMD)
#define X86 ROW
#else
#define X86(...)
#endif
#if BVM_ARM
#define ARM ROW
#else
#define ARM(...)
#endif
#if BVM_ARM_EXTENSIONS
#define ARM_MORE ROW
#else
#define ARM_MORE(...)
#endif
#include "rows.def"
    {0, 0, NULL, NULL, NULL},
};

bool bvm_kernel_row_fits(const BvmKernelRow *row, const BvmKernelArgs *args)
{
    return bvm_cpu_has(args->cpu, row->cpu) && (!row->serves || row->serves(args));
}

bool bvm_kernel_wants_scratch(unsigned kernel, const BvmKernelArgs *args)
{
    enum { SMALL = 32768 }; /* multiply-adds that blocks on the stack do as well */
    int64_t volume = 1;
    if (kernel != K_contract)
        return false;
    for (uint32_t d = 0; d < args->rank; d++)
        if (__builtin_mul_overflow(volume, args->size[d], &volume) || volume > SMALL)
            return true;
    return false;
}

const BvmKernelRow *bvm_kernel_first(unsigned kernel, unsigned cpu)
{
    for (const BvmKernelRow *row = bvm_kernel_rows; row->fn; row++)
        if (row->kernel == kernel && bvm_cpu_has(cpu, row->cpu))
            return row;
    return NULL;
}

BufvmStatus bvm_kernel_run_from(const BvmKernelRow *first, BvmKernelArgs *args)
{
    for (const BvmKernelRow *row = first; row->fn; row++)
        if (row->kernel == first->kernel && bvm_kernel_row_fits(row, args))
            return row->fn(args);
    return bvm_error(args->error, BUFVM_INVALID_ARGUMENT, "kernel %u does not serve these types", first->kernel);
}

BufvmStatus bvm_kernel_run(unsigned kernel, BvmKernelArgs *args)
{
    const BvmKernelRow *first = bvm_kernel_first(kernel, args->cpu);
    return first ? bvm_kernel_run_from(first, args)
                 : bvm_error(args->error, BUFVM_INVALID_ARGUMENT, "kernel %u is not in the table", kernel);
}
