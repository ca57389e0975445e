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

#endif
