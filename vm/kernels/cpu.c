/* Detection of CPU features.  A name of a variant that this machine or build lacks selects the best one below it. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <string.h>

#if defined(__x86_64__) && !defined(BUFVM_NO_SIMD)
#include <cpuid.h>
#endif

#include "cpu.h"

static const struct {
    const char *name;
    unsigned cpu;
} variants[] = {{"portable", BVM_CPU_PORTABLE}, {"sse2", BVM_CPU_BASE},     {"neon", BVM_CPU_BASE},
                {"avx2", BVM_CPU_AVX2},         {"avx512", BVM_CPU_AVX512}, {"native", BVM_CPU_AVX512}};

static unsigned best(void)
{
#ifdef BUFVM_NO_SIMD
    return BVM_CPU_PORTABLE;
#elif defined(__x86_64__)
    unsigned a, b, c = 0, d;
    __builtin_cpu_init(); /* its answers include that the system saves the registers */
    bool f16c = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !f16c)
        return BVM_CPU_BASE;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni"))
        return BVM_CPU_AVX512;
    return BVM_CPU_AVX2;
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return BVM_CPU_BASE;
#else
    return BVM_CPU_PORTABLE;
#endif
}

bool bvm_cpu_select(const char *name, unsigned *cpu)
{
    unsigned have = best();
    *cpu = have;
    if (!name)
        return true;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (strcmp(variants[i].name, name) == 0) {
            *cpu = variants[i].cpu < have ? variants[i].cpu : have;
            return true;
        }
    return false;
}

const char *bvm_cpu_names(void)
{
    return "portable, sse2, neon, avx2, avx512, native";
}
