/* What the kernel sources share that are compiled once for each instruction set: the including file may have
 * chosen an instruction set and a suffix for names (x86/avx2.c); by default it is the portable one.
 * An including file may give instructions for what the portable text spells out, with the same bits:
 *   ISA_FMA_F32, ISA_FMA_F64(a, b, c)  a * b + c rounded once
 *   ISA_MADD_I16(a, b, c)              c + the products of the two i16 of each 32-bit lane, wrapping
 *   ISA_ROUND_F16(x)                   f32 lanes to the nearest f16 and back
 *   ISA_ROUND_BF16(x)                  f32 lanes to the nearest bf16 and back; a NaN stays some NaN
 *   ISA_WIDEN_F16(p)                   a vector of f32 from f16 at any address
 *   ISA_DOT_US(a, b, c)                c + the products of the four bytes of each 32-bit lane, of a unsigned, of b signed, wrapping
 * A row that serves some types alone (and leaves the others to the rows below it) defines ISA_ONLY and one of
 *   ISA_ONLY_BYTES                     i8 and i1 into i32 and less, with ISA_DOT_SS, ISA_DOT_UU, and where they are there ISA_DOT_US and
 *                                      ISA_SQUARE_SS, _UU, _US(a, b, c): two by two lanes of c + eight products each
 *   ISA_ONLY_F16                       f16 into f16, with ISA_STEP_F16, ISA_STEP_FMA_F16(a, b, c), and ISA_CHAIN_... for single ones
 *   ISA_ONLY_BF16                      bf16 into bf16 where sums are rounded twice
 */
#ifndef BVM_ISA_H
#define BVM_ISA_H

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-vectorize,vect-cost-model=dynamic")
#ifdef __aarch64__
#pragma GCC optimize("no-schedule-insns") /* moves loads so far up that accumulators of tiles leave the registers */
#endif
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
