/* Hooks of the rows in vector.def. */
#ifndef VMC_HOOKS_VECTOR_H
#define VMC_HOOKS_VECTOR_H

#include "dialect.h"

#define VMC_GRAMMAR(name)                                                                                                          \
    bool vmc_##name##_parse(Asm *p, const OpDef *def);                                                                             \
    void vmc_##name##_print(Printer *p, const Op *op);
#define VMC_VERIFY(name) bool vmc_##name##_verify(Context *ctx, Op *op);

bool vmc_vector_infer(Asm *p, const OpDef *def);
bool vmc_vector_part_parse(Asm *p, const OpDef *def, const char *name);
void vmc_vector_part_print(Printer *p, const Op *op, const char *name);
VMC_GRAMMAR(vector_contract)
VMC_GRAMMAR(vector_outerproduct)
VMC_GRAMMAR(vector_extract)
VMC_GRAMMAR(vector_insert)
VMC_GRAMMAR(vector_mask)
VMC_GRAMMAR(vector_read)
VMC_GRAMMAR(vector_write)
VMC_GRAMMAR(vector_print)
VMC_GRAMMAR(vector_warp)
VMC_VERIFY(vector_broadcast)
VMC_VERIFY(vector_from_elements)
VMC_VERIFY(vector_to_elements)
VMC_VERIFY(vector_step)
VMC_VERIFY(vector_reduction)
VMC_VERIFY(vector_multi_reduction)
VMC_VERIFY(vector_scan)
VMC_VERIFY(vector_contract)
VMC_VERIFY(vector_outerproduct)
VMC_VERIFY(vector_matmul)
VMC_VERIFY(vector_flat_transpose)
VMC_VERIFY(vector_shuffle)
VMC_VERIFY(vector_interleave)
VMC_VERIFY(vector_deinterleave)
VMC_VERIFY(vector_element)
VMC_VERIFY(vector_extract)
VMC_VERIFY(vector_insert)
VMC_VERIFY(vector_extract_strided)
VMC_VERIFY(vector_insert_strided)
VMC_VERIFY(vector_transpose)
VMC_VERIFY(vector_shape_cast)
VMC_VERIFY(vector_bitcast)
VMC_VERIFY(vector_type_cast)
VMC_VERIFY(vector_constant_mask)
VMC_VERIFY(vector_create_mask)
VMC_VERIFY(vector_mask)
VMC_VERIFY(vector_transfer)
VMC_VERIFY(vector_memory)
VMC_VERIFY(vector_gather)
VMC_VERIFY(vector_print)

#undef VMC_GRAMMAR
#undef VMC_VERIFY
#endif
