/* What the expansions of iree_linalg_ext ops (passes/expand_ext*.c) may rely on once an op is verified. */
#ifndef VMC_LINALG_EXT_H
#define VMC_LINALG_EXT_H

#include "shapes.h"

/* attention and online_attention: operand k is read (outs: written) at maps[k] of the loops; every map is a projected permutation.
   Loops: a query loop is one of query and output and not of key, ...; `scored` ones index the scores (query times key), `kept` ones
   of these stay in the row maximum and sum. */
typedef struct Attention {
    Value *query, *key, *value, *scale, *mask, *output, *max, *sum; /* mask, max, sum: NULL without */
    const AffineMap *query_map, *key_map, *value_map, *mask_map, *output_map, *max_map, *sum_map;
    uint32_t nloops;
    bool *scored, *kept; /* nloops entries each */
} Attention;
bool vmc_ext_attention(Context *ctx, const Op *op, Attention *out);

/* im2col: output dim inverse[d] is canonical dim d; the canonical dims are batch, then m, then k ones.  Dim d is taken apart into
   sizes[d]->n coordinates; all of them in a row are those of batch, of m (one for each), and of windows and channels. */
typedef struct Im2col {
    const int64_t *strides, *dilations, *batch, *m, *k;
    uint32_t nbatch, nm, nk, ndims;
    uint32_t *inverse, *inverse_k;                                             /* of output_perm and input_k_perm */
    MixedList kernel, offsets, input_low, input_high, output_low, output_high; /* the last four with n == 0 where left out */
    const Attr *sizes;                                                         /* ARRAY of ints, VMC_DYNAMIC for an operand */
    uint32_t sizes_first;                                                      /* number of the first of these operands */
    Value *pad;                                                                /* or NULL */
} Im2col;
bool vmc_ext_im2col(Context *ctx, const Op *op, Im2col *out);

#endif
