/* Detection of CPU features.  A name of a variant that this machine or build lacks selects the best one below it. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <string.h>

#include "cpu.h"

/* "sse2" is what the portable rows are compiled to on x86-64. */
static const struct {
    const char *name;
    unsigned cpu;
} variants[] = {{"portable", BVM_CPU_PORTABLE},
                {"sse2", BVM_CPU_PORTABLE},
                {"neon", BVM_CPU_PORTABLE},
                {"avx2", BVM_CPU_AVX2},
                {"native", BVM_CPU_AVX2}};

static unsigned best(void)
{
#if defined(__x86_64__) && !defined(BUFVM_NO_SIMD)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return BVM_CPU_AVX2;
#endif
    return BVM_CPU_PORTABLE;
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
    return "portable, sse2, neon, avx2, native";
}
