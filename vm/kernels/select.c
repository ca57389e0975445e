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
    {K_contract, BVM_CPU_AVX512, "avx512", bvm_contract_avx512},
    {K_contract, BVM_CPU_AVX2, "avx2", bvm_contract_avx2},
    {K_contract, BVM_CPU_BASE, "sse2", bvm_contract_sse2},
    {K_reduce, BVM_CPU_AVX2, "avx2", bvm_reduce_avx2},
    {K_argreduce, BVM_CPU_AVX512, "avx512", bvm_argreduce_avx512},
    {K_argreduce, BVM_CPU_AVX2, "avx2", bvm_argreduce_avx2},
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !defined(BUFVM_NO_SIMD)
    {K_contract, BVM_CPU_BASE, "neon", bvm_contract_neon},
#endif
    {K_contract, BVM_CPU_PORTABLE, "portable", bvm_contract_portable},
    {K_reduce, BVM_CPU_PORTABLE, "portable", bvm_reduce_portable},
    {K_argreduce, BVM_CPU_PORTABLE, "portable", bvm_argreduce_portable},
    {0, 0, NULL, NULL},
};

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

BufvmStatus bvm_kernel_run(unsigned kernel, BvmKernelArgs *args)
{
    for (const BvmKernelRow *row = bvm_kernel_rows; row->fn; row++)
        if (row->kernel == kernel && row->cpu <= args->cpu)
            return row->fn(args);
    return bvm_error(args->error, BUFVM_INVALID_ARGUMENT, "kernel %u is not in the table", kernel);
}
