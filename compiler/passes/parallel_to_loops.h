/* Part of the passes generalize (scf.forall with tensors) and linalg-to-loops. */
#ifndef VMC_PARALLEL_TO_LOOPS_H
#define VMC_PARALLEL_TO_LOOPS_H

#include "../dialects/dialect.h"

/* Replaces scf.parallel or scf.forall by scf.for loops in row-major order, reductions in that order; shared results are carried
   from turn to turn.  Reports and returns false for forms that it does not know. */
bool vmc_parallel_to_loops(Context *ctx, Op *op);

#endif
