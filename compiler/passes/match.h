/* What the files of match-kernels share: a structured op under examination and what its body looks like. */
#ifndef VMC_MATCH_H
#define VMC_MATCH_H

#include "../../vm/bytecode/format.h"
#include "../dialects/linalg.h"

typedef struct Match {
    Context *ctx;
    Op *op;
    Structured s;
    Op *yield;
    uint32_t nops; /* of the body, without the terminator */
    bool fast;     /* --fp=fast */
} Match;

/* Element type code of vm/bytecode for types whose values fill their storage; BVM_NONE for others. */
unsigned vmc_match_etype(const Type *type);
bool vmc_match_arithmetic(unsigned etype); /* integers and floats that the kernels compute with */
/* Number of the operand whose element the value is, or -1. */
int vmc_match_operand(const Match *m, const Value *value);
const Type *vmc_match_elem(const Match *m, uint32_t k);
bool vmc_match_reduces(const Match *m); /* some loop leaves the out where it is */
typedef struct Combine {
    const char *combiner, *value; /* value: of argreduce, may be NULL */
} Combine;
/* Marks the op: bufvm.kernel (linalg.h).  combine may be NULL. */
void vmc_match_claim(Match *m, const char *kernel, uint32_t n, const int64_t *operands, const Combine *combine, int64_t flags);

/* match_reductions.c; each claims the op and says so, or leaves it as it is. */
bool vmc_match_reduce(Match *m);
bool vmc_match_argreduce(Match *m);

#endif
