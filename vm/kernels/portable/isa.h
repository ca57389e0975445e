/* What the kernel sources share that are compiled once for each instruction set: the including file may have
 * chosen an instruction set and a suffix for names (x86/avx2.c); by default it is the portable one.
 * An including file may give instructions for what the portable text spells out, with the same bits:
 *   ISA_FMA_F32, ISA_FMA_F64(a, b, c)  a * b + c rounded once
 *   ISA_MADD_I16(a, b, c)              c + the products of the two i16 of each 32-bit lane, wrapping
 *   ISA_ROUND_F16(x)                   f32 lanes to the nearest f16 and back
 *   ISA_WIDEN_F16(p)                   a vector of f32 from f16 at any address
 */
#ifndef BVM_ISA_H
#define BVM_ISA_H

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-vectorize,vect-cost-model=dynamic")
#endif

#include "../kernels.h"

#include "../../exec/tiles.h"

#ifndef ISA_NAME
#define ISA_NAME(name) name##_portable
#define V_BYTES        16
#define ISA_ROWS       4 /* of a contraction tile: two vectors a row, and the whole in 16 registers */
#define ISA_CLASSES    3 /* row counts that tiles exist for: contract_tile.h */
#endif

#define LANE_GET(T, p)    bvm_lane_get_##T(p, 0)
#define LANE_PUT(T, p, v) bvm_lane_put_##T(p, 0, v)

#endif
