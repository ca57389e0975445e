/* Part of the pass generalize. */
#ifndef VMC_ELEMENTWISE_TO_LINALG_H
#define VMC_ELEMENTWISE_TO_LINALG_H

#include "../dialects/dialect.h"

/* An elementwise op whose results are tensors. */
bool vmc_is_tensor_elementwise(const Op *op);
/* Replaces such an op by linalg.generic, a choice between whole tensors by scf.if; reports and returns false for unranked tensors.
 */
bool vmc_elementwise_to_linalg(Context *ctx, Op *op);

#endif
