/* Part of the passes lower-input and generalize. */
#ifndef VMC_EXPAND_ARITH_H
#define VMC_EXPAND_ARITH_H

#include "../dialects/dialect.h"

/* Replaces an op on scalars or vectors that is defined by others; false if it is no such op. */
bool vmc_expand_arith(Context *ctx, Op *op);

#endif
