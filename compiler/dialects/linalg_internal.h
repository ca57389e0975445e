/* Between linalg.c, linalg_grammar.c and linalg_named.c. */
#ifndef VMC_LINALG_INTERNAL_H
#define VMC_LINALG_INTERNAL_H

#include "linalg.h"

/* op, nins and nouts are set: fills nloops, loops and maps from the op's row. */
bool vmc_named_structure(Context *ctx, Structured *s);
/* Appends the row's body and its yield to a block that has its arguments; reports where the element types have none. */
bool vmc_named_fill_body(Context *ctx, const char *name, SrcPos pos, Block *block, const Attr *cast, const Attr *fun);

#endif
