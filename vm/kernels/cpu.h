/* Which kernel variants the machine can run, detected in one place and masked from outside. */
#ifndef BVM_CPU_H
#define BVM_CPU_H

#include <stdbool.h>

/* Variants in the order of preference; a kernel row asks for one of them. */
enum { BVM_CPU_PORTABLE = 0, BVM_CPU_AVX2 = 1 /* AVX2 and FMA */ };

/* The best variant that this machine has, at most the one called `name` (NULL or "native": any).  false: no such name. */
bool bvm_cpu_select(const char *name, unsigned *cpu);
const char *bvm_cpu_names(void); /* for messages */

#endif
