/* Detection of CPU features.  A name of a variant that this machine or build lacks selects the best one below it. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <string.h>

#if defined(__x86_64__) && !defined(BUFVM_NO_SIMD)
#include <cpuid.h>
#endif
#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

#include "cpu.h"

/* In the order of preference, each with those before it of its architecture. */
enum {
    UP_TO_FP16 = BVM_CPU_FP16,
    UP_TO_BF16 = UP_TO_FP16 | BVM_CPU_BF16,
    UP_TO_DOTPROD = UP_TO_BF16 | BVM_CPU_DOTPROD,
    UP_TO_I8MM = UP_TO_DOTPROD | BVM_CPU_I8MM,
};
static const struct {
    const char *name;
    unsigned cpu;
} variants[] = {{"portable", BVM_CPU_PORTABLE}, {"sse2", BVM_CPU_BASE}, {"avx2", BVM_CPU_AVX2}, {"avx512", BVM_CPU_AVX512},
                {"neon", BVM_CPU_BASE},         {"fp16", UP_TO_FP16},   {"bf16", UP_TO_BF16},   {"dotprod", UP_TO_DOTPROD},
                {"i8mm", UP_TO_I8MM},           {"native", ~0u}};

#if BVM_ARM
/* The kernel's bits, which older headers lack. */
static unsigned arm_extensions(void)
{
    unsigned cpu = BVM_CPU_BASE;
#if BVM_ARM_EXTENSIONS && defined(__linux__)
    enum { ASIMDHP = 1 << 10, ASIMDDP = 1 << 20, I8MM = 1 << 13, BF16 = 1 << 14 };
    unsigned long one = getauxval(AT_HWCAP), two = getauxval(AT_HWCAP2);
    if (one & ASIMDHP)
        cpu |= BVM_CPU_FP16;
    if (two & BF16)
        cpu |= BVM_CPU_BF16;
    if (one & ASIMDDP)
        cpu |= BVM_CPU_DOTPROD;
    if ((one & ASIMDDP) && (two & I8MM))
        cpu |= BVM_CPU_I8MM;
#endif
    return cpu;
}
#endif

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
        return BVM_CPU_AVX512 | (__builtin_cpu_is("amdfam19h") ? BVM_CPU_HALVES : 0); /* Zen 4: units of 256 bits */
    return BVM_CPU_AVX2;
#elif BVM_ARM
    return arm_extensions();
#else
    return BVM_CPU_PORTABLE;
#endif
}

bool bvm_cpu_select(const char *name, unsigned *cpu)
{
    *cpu = best();
    if (!name)
        return true;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (strcmp(variants[i].name, name) == 0) {
            *cpu &= variants[i].cpu;
            return true;
        }
    return false;
}

const char *bvm_cpu_names(void)
{
    return "portable, sse2, avx2, avx512, neon, fp16, bf16, dotprod, i8mm, native";
}
