/* Which kernel variants the machine can run, detected in one place and masked from outside. */
#ifndef BVM_CPU_H
#define BVM_CPU_H

#include <stdbool.h>

/* Variants in the order of preference; a kernel row asks for one of them. */
enum {
    BVM_CPU_PORTABLE = 0,
    BVM_CPU_BASE = 1,  /* what the architecture always has: SSE2, NEON */
    BVM_CPU_AVX2 = 2,  /* AVX2, FMA and F16C */
    BVM_CPU_AVX512 = 3 /* AVX-512 F, BW, DQ, VL and VNNI */
};

/* The best variant that this machine has, at most the one called `name` (NULL or "native": any).  false: no such name. */
bool bvm_cpu_select(const char *name, unsigned *cpu);
const char *bvm_cpu_names(void); /* for messages */

#endif
