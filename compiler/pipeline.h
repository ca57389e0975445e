/* The list of passes as text: `vmc --help-passes`, bufvmc_table("passes"). */
#ifndef VMC_PIPELINE_H
#define VMC_PIPELINE_H

#include "support/support.h"

void vmc_pass_table(Text *out);

#endif
