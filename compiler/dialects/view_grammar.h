/* Pieces of grammar that memref and tensor ops share. */
#ifndef VMC_VIEW_GRAMMAR_H
#define VMC_VIEW_GRAMMAR_H

#include "../syntax/asm.h"
#include "shapes.h"

typedef struct AsmSlice {
    AsmOperands offsets, sizes, strides;
} AsmSlice;

/* [offsets] [sizes] [strides] into the static_ attributes; the dynamic operands are resolved by asm_slice_resolve, in that order.
 */
bool vmc_asm_slice(Asm *p, AsmSlice *out);
bool vmc_asm_slice_resolve(Asm *p, const AsmSlice *slice);
/* One list in the given brackets into attribute `static_name`. */
bool vmc_asm_mixed(Asm *p, const char *open, const char *close, const char *static_name, AsmOperands *operands);
/* [1, 2, 3] */
bool vmc_asm_int_list(Asm *p, int64_t **values, size_t *n);
/* NAME = [1, 2, 3] into attribute `name`. */
bool vmc_asm_ints_attr(Asm *p, const char *name);

void vmc_print_mixed(Printer *p, const Op *op, const char *static_name, const char *operands_name);
void vmc_print_slice(Printer *p, const Op *op); /* [offsets] [sizes] [strides] */
void vmc_print_int_list(Printer *p, const int64_t *values, size_t n);
static inline Context *vmc_op_context(const Op *op)
{
    return op->parent->ctx;
}

extern const char *const vmc_slice_attrs[]; /* what a slice prints outside its attribute dictionary */

#endif
