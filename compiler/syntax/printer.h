/* What the format interpreter needs of the printer beyond asm.h. */
#ifndef VMC_PRINTER_H
#define VMC_PRINTER_H

#include "asm.h"

Context *print_context(Printer *p);
/* Whether the attribute has the value that its row gives as the default. */
bool print_is_default(Printer *p, const Op *op, const FieldDef *field);

#endif
