/* Which kernel variants the machine can run, detected in one place and masked from outside. */
#ifndef BVM_CPU_H
#define BVM_CPU_H

#include <stdbool.h>

#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !defined(BUFVM_NO_SIMD)
#define BVM_ARM 1
#else
#define BVM_ARM 0
#endif
/* Rows for extensions of Armv8.2 and later; clang has their intrinsics in single functions since 16. */
#if BVM_ARM && (!defined(__clang__) || __clang_major__ >= 16)
#define BVM_ARM_EXTENSIONS 1
#else
#define BVM_ARM_EXTENSIONS 0
#endif

/* Sets of extensions.  A kernel row asks for one of them, a machine has a union; numbers of x86 and Arm do not meet. */
enum {
    BVM_CPU_PORTABLE = 0,
    BVM_CPU_BASE = 1,                   /* what the architecture always has: SSE2, NEON */
    BVM_CPU_AVX2 = 2 | 1,               /* AVX2, FMA and F16C */
    BVM_CPU_AVX512 = 4 | 3,             /* AVX-512 F, BW, DQ, VL and VNNI */
    BVM_CPU_FP16 = 8 | 1,               /* arithmetic on f16 */
    BVM_CPU_DOTPROD = 16 | 1,           /* sums of four products of bytes */
    BVM_CPU_BF16 = 32 | 1,              /* conversion to bf16 */
    BVM_CPU_I8MM = 64 | BVM_CPU_DOTPROD, /* matrix products of bytes, bytes of mixed signs */
    BVM_CPU_HALVES = 128                 /* no extension: vectors of 512 bits are worked on in halves */
};

static inline bool bvm_cpu_has(unsigned cpu, unsigned set)
{
    return (set & ~cpu) == 0;
}

/* What this machine has, as far as the variant called `name` allows (NULL or "native": all).  false: no such name. */
bool bvm_cpu_select(const char *name, unsigned *cpu);
const char *bvm_cpu_names(void); /* for messages */

#endif
