/* The reference of all IR ops as Markdown, made from their rows. */
#ifndef VMC_REFERENCE_H
#define VMC_REFERENCE_H

#include "support/support.h"

void vmc_op_reference(Text *out);

#endif
