/* Part of the pass lower-input: globals of util and ml_program. */
#ifndef VMC_LOWER_GLOBALS_H
#define VMC_LOWER_GLOBALS_H

#include "../dialects/dialect.h"

bool vmc_lower_globals(Context *ctx); /* reports and gives false where one cannot be kept */

#endif
