/* Part of the pass linalg-to-loops. */
#ifndef VMC_PARALLEL_TO_LOOPS_H
#define VMC_PARALLEL_TO_LOOPS_H

#include "../dialects/dialect.h"

/* Replaces scf.parallel, or scf.forall without tensors, by scf.for loops in row-major order, reductions in that order.
   Reports and returns false for other forms. */
bool vmc_parallel_to_loops(Context *ctx, Op *op);

#endif
