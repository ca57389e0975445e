/* Hooks of the rows in memref.def, tensor.def, linalg.def, affine.def and bufferization.def. */
#ifndef VMC_HOOKS_BUFFER_H
#define VMC_HOOKS_BUFFER_H

#include "dialect.h"

#define VMC_GRAMMAR(name)                                                                                                          \
    bool vmc_##name##_parse(Asm *p, const OpDef *def);                                                                             \
    void vmc_##name##_print(Printer *p, const Op *op);
#define VMC_VERIFY(name) bool vmc_##name##_verify(Context *ctx, Op *op);
#define VMC_FOLD(name)                                                                                                             \
    bool vmc_##name##_fold(Context *ctx, Op *op, const Attr *const *operands, const Attr **attrs, Value **values);

/* memref.c, memref_grammar.c */
VMC_GRAMMAR(alloca_scope)
VMC_GRAMMAR(memref_subview)
VMC_GRAMMAR(memref_reinterpret_cast)
VMC_GRAMMAR(memref_transpose)
VMC_GRAMMAR(memref_global)
VMC_GRAMMAR(memref_assume_alignment)
VMC_GRAMMAR(memref_prefetch)
VMC_GRAMMAR(memref_generic_atomic_rmw)
VMC_GRAMMAR(memref_tensor_store)
VMC_VERIFY(memref_alloc)
VMC_VERIFY(memref_access)
VMC_VERIFY(memref_prefetch)
VMC_VERIFY(memref_assume_alignment)
VMC_VERIFY(memref_copy)
VMC_VERIFY(memref_cast)
VMC_VERIFY(memref_space_cast)
VMC_VERIFY(memref_subview)
VMC_VERIFY(memref_reinterpret_cast)
VMC_VERIFY(memref_expand_shape)
VMC_VERIFY(memref_collapse_shape)
VMC_VERIFY(memref_transpose)
VMC_VERIFY(memref_view)
VMC_VERIFY(memref_global)
VMC_VERIFY(memref_get_global)
VMC_VERIFY(memref_strided_metadata)
VMC_VERIFY(memref_atomic_rmw)
VMC_VERIFY(memref_generic_atomic_rmw)
VMC_VERIFY(memref_realloc)
VMC_VERIFY(reshape) /* of tensors too */
VMC_VERIFY(alloca_scope)

/* tensor.c, tensor_grammar.c; reshapes, dim, rank and cast serve memref too */
VMC_GRAMMAR(expand_shape)
VMC_GRAMMAR(collapse_shape)
VMC_GRAMMAR(tensor_extract_slice)
VMC_GRAMMAR(tensor_insert_slice)
VMC_GRAMMAR(tensor_pad)
VMC_GRAMMAR(tensor_pack)
VMC_GRAMMAR(tensor_unpack)
VMC_VERIFY(tensor_empty)
VMC_VERIFY(tensor_access)
VMC_VERIFY(tensor_cast)
VMC_VERIFY(tensor_bitcast)
VMC_VERIFY(tensor_from_elements)
VMC_VERIFY(tensor_splat)
VMC_VERIFY(tensor_generate)
VMC_VERIFY(tensor_pad)
VMC_VERIFY(tensor_concat)
VMC_VERIFY(tensor_extract_slice)
VMC_VERIFY(tensor_insert_slice)
VMC_VERIFY(tensor_expand_shape)
VMC_VERIFY(tensor_collapse_shape)
VMC_VERIFY(tensor_gather)
VMC_VERIFY(tensor_scatter)
VMC_VERIFY(tensor_pack)
VMC_VERIFY(tensor_unpack)
VMC_FOLD(dim)
VMC_FOLD(rank)
VMC_FOLD(shape_cast)
VMC_FOLD(tensor_extract)

/* linalg.c */
VMC_GRAMMAR(linalg_generic)
VMC_GRAMMAR(linalg_named)
VMC_GRAMMAR(linalg_init_tensor)
VMC_GRAMMAR(linalg_map)
VMC_GRAMMAR(linalg_reduce)
VMC_GRAMMAR(linalg_transpose)
VMC_GRAMMAR(linalg_broadcast)
VMC_GRAMMAR(linalg_softmax)
bool vmc_linalg_winograd_parse(Asm *p, const OpDef *def, const char *name);
void vmc_linalg_winograd_print(Printer *p, const Op *op, const char *name);
VMC_VERIFY(linalg_winograd)
VMC_VERIFY(linalg_structured)
VMC_VERIFY(linalg_index)
VMC_VERIFY(linalg_init_tensor)
VMC_VERIFY(linalg_softmax)

/* affine.c, affine_grammar.c, affine_transfer.c */
VMC_GRAMMAR(affine_apply)
VMC_GRAMMAR(affine_for)
VMC_GRAMMAR(affine_if)
VMC_GRAMMAR(affine_load)
VMC_GRAMMAR(affine_store)
VMC_GRAMMAR(affine_parallel)
VMC_GRAMMAR(affine_delinearize)
VMC_GRAMMAR(affine_linearize)
VMC_GRAMMAR(affine_prefetch)
VMC_GRAMMAR(affine_vector_load)
VMC_GRAMMAR(affine_vector_store)
VMC_GRAMMAR(affine_dma_start)
VMC_GRAMMAR(affine_dma_wait)
VMC_VERIFY(affine_subscripts)
VMC_VERIFY(affine_vector)
VMC_VERIFY(affine_dma_start)
VMC_VERIFY(affine_dma_wait)
VMC_VERIFY(affine_apply)
VMC_VERIFY(affine_for)
VMC_VERIFY(affine_if)
VMC_VERIFY(affine_access)
VMC_VERIFY(affine_parallel)
VMC_VERIFY(affine_delinearize)
VMC_VERIFY(affine_linearize)
VMC_FOLD(affine_apply)

/* bufferization.c */
VMC_GRAMMAR(to_tensor)
VMC_GRAMMAR(to_buffer)
VMC_GRAMMAR(bufferization_dealloc)
VMC_VERIFY(to_tensor)
VMC_VERIFY(tensor_store)
VMC_VERIFY(to_buffer)
VMC_VERIFY(alloc_tensor)
VMC_VERIFY(bufferization_clone)
VMC_VERIFY(bufferization_dealloc)
VMC_VERIFY(materialize)

/* linalg_ext.c */
VMC_VERIFY(ext_index)
VMC_VERIFY(ext_scatter)
VMC_VERIFY(ext_gather)
VMC_VERIFY(ext_map)
VMC_VERIFY(ext_sort)
VMC_VERIFY(ext_scan)
VMC_VERIFY(ext_topk)
VMC_VERIFY(ext_arg_compare)
VMC_VERIFY(ext_attention)
VMC_VERIFY(ext_winograd)
VMC_GRAMMAR(ext_im2col)
VMC_VERIFY(ext_im2col)

#undef VMC_GRAMMAR
#undef VMC_VERIFY
#undef VMC_FOLD
#endif
