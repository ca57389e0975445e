/* Calls of host functions that passes make: one declaration for each module, function and signature. */
#ifndef VMC_HOST_CALLS_H
#define VMC_HOST_CALLS_H

#include "../dialects/dialect.h"

typedef struct HostCalls {
    Context *ctx;
    Map imports; /* function type and name -> declaration */
    Map symbols; /* interned name of every symbol, in whatever table */
} HostCalls;

void vmc_host_calls_init(HostCalls *host, Context *ctx); /* reads the names of the module */
/* func.call of the host function `name` at the builder; a declaration is made in the module around `at` where there is none. */
void vmc_call_host(HostCalls *host, Builder *b, Op *at, const char *name, uint32_t n, Value *const *operands);

#endif
