/* What the files of scf share. */
#ifndef VMC_SCF_H
#define VMC_SCF_H

#include "../syntax/asm.h"

/* `(%a = %x, %b = %y)`: region arguments without types and their initial values. */
bool vmc_parse_assignments(Asm *p, AsmArgs *args, AsmOperands *inits);
void vmc_print_assignments(Printer *p, Value *const *args, const Use *inits, uint32_t n);

#endif
