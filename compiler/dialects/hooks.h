/* Prototypes of the hooks that rows name: each dialect group declares its own. */
#ifndef VMC_HOOKS_H
#define VMC_HOOKS_H

#include "dialect.h"
#include "hooks_core.h"
#include "hooks_vector.h"
#if __has_include("hooks_buffer.h")
#include "hooks_buffer.h"
#endif

#endif
