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

const BvmKernelRow bvm_kernel_rows[] = {
    {K_fill, BVM_CPU_PORTABLE, "portable", bvm_fill_portable},
    {K_copy, BVM_CPU_PORTABLE, "portable", bvm_copy_portable},
#if defined(__x86_64__) && !defined(BUFVM_NO_SIMD)
    {K_contract, BVM_CPU_AVX2, "avx2", bvm_contract_avx2},
    {K_reduce, BVM_CPU_AVX2, "avx2", bvm_reduce_avx2},
    {K_argreduce, BVM_CPU_AVX512, "avx512", bvm_argreduce_avx512},
    {K_argreduce, BVM_CPU_AVX2, "avx2", bvm_argreduce_avx2},
#endif
    {K_contract, BVM_CPU_PORTABLE, "portable", bvm_contract_portable},
    {K_reduce, BVM_CPU_PORTABLE, "portable", bvm_reduce_portable},
    {K_argreduce, BVM_CPU_PORTABLE, "portable", bvm_argreduce_portable},
    {0, 0, NULL, NULL},
};

BufvmStatus bvm_kernel_run(unsigned kernel, BvmKernelArgs *args)
{
    for (const BvmKernelRow *row = bvm_kernel_rows; row->fn; row++)
        if (row->kernel == kernel && row->cpu <= args->cpu)
            return row->fn(args);
    return bvm_error(args->error, BUFVM_INVALID_ARGUMENT, "kernel %u is not in the table", kernel);
}
