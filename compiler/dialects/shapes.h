/* Rules on shapes that several dialects share: mixed static/dynamic lists, slices, views, reassociations. */
#ifndef VMC_SHAPES_H
#define VMC_SHAPES_H

#include "dialect.h"

/* A list such as [%a, 3, %b]: attribute `static_NAME` with VMC_DYNAMIC where an operand of group NAME stands. */
typedef struct MixedList {
    const int64_t *statics;
    uint32_t n;
    uint32_t first; /* number of the first dynamic operand within the op */
} MixedList;
/* False if attribute and operands do not fit together. */
bool vmc_mixed_list(Context *ctx, const Op *op, const char *static_name, const char *operands_name, MixedList *out);
/* Entry i as an index value: its operand or a constant. */
Value *vmc_mixed_value(Builder *b, const Op *op, const MixedList *list, uint32_t i);

/* offsets, sizes and strides of memref.subview, memref.reinterpret_cast, tensor.extract_slice and the insert_slice family. */
typedef struct Slice {
    MixedList offsets, sizes, strides;
} Slice;
bool vmc_slice(Context *ctx, const Op *op, Slice *out);

/* Which dims of `full` (the unreduced shape, rank entries) remain in `reduced`: kept[i] set for those.  A dim can only be
   dropped when it is the static 1.  False if `reduced` is no such reduction. */
bool vmc_reduced_dims(uint32_t full_rank, const int64_t *full, uint32_t reduced_rank, const int64_t *reduced, bool *kept);
/* The same for the result (or source) type of a slice op; memref strides decide between candidates. */
bool vmc_slice_kept_dims(Context *ctx, const Op *op, bool *kept);

/* Type of memref.subview without rank reduction, NULL if the source is not strided. */
const Type *vmc_subview_type(Context *ctx, const Type *source, const Slice *slice);

/* Groups of a reassociation attribute; false if malformed.  group_of[i] for each of the `expanded_rank` dims. */
typedef struct Reassociation {
    uint32_t ngroups;
    const uint32_t *starts; /* ngroups + 1: dims starts[g] .. starts[g + 1] - 1 of the expanded shape form dim g */
} Reassociation;
bool vmc_reassociation(Context *ctx, const Attr *attr, uint32_t expanded_rank, Reassociation *out);
/* Result types as MLIR infers them; NULL when the layout cannot be collapsed. */
const Type *vmc_collapsed_type(Context *ctx, const Type *source, const Reassociation *groups);
/* Memref with the shape of `expanded` and the layout that follows from `source`. */
const Type *vmc_expanded_memref(Context *ctx, const Type *source, const Type *expanded, const Reassociation *groups);

/* tensor.pack and tensor.unpack: outer dim i of the packed shape is plain dim outer_dims[i]; tile dim k (after the plain_rank outer
   ones) cuts plain dim inner_dims[k].  False if the attributes are malformed. */
typedef struct Packing {
    uint32_t plain_rank, ntiles;
    const int64_t *outer_dims, *inner_dims;
    MixedList tiles;
} Packing;
bool vmc_packing(Context *ctx, const Op *op, Packing *out);

/* Size of dim i of an expand_shape's result: constant, operand, or the source's size divided by the group's other sizes. */
Value *vmc_expanded_size(Builder *b, const Op *op, uint32_t i);

/* Shapes of equal rank where no pair of static dims differs. */
bool vmc_shapes_compatible(const Type *a, const Type *b);
/* memref.cast, and view results: same element type and space, compatible shape and layout (or one unranked). */
bool vmc_memref_cast_ok(Context *ctx, const Type *a, const Type *b);
/* Strided layout attribute, or NULL where offset and strides are those of the identity. */
const Attr *vmc_strided_layout(Context *ctx, uint32_t rank, const int64_t *dims, int64_t offset, const int64_t *strides);
/* Product that stays VMC_DYNAMIC when a factor is, or the product overflows. */
int64_t vmc_dim_mul(int64_t a, int64_t b);

#endif
