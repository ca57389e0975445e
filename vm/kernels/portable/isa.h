/* What the kernel sources share that are compiled once for each instruction set: the including file may have
 * chosen an instruction set and a suffix for names (x86/avx2.c); by default it is the portable one.
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
#define ISA_ROWS       4 /* of a contraction tile: two vectors a row, and the whole in 16 registers */
#define V_BYTES        16
#endif

#define LANE_GET(T, p)    bvm_lane_get_##T(p, 0)
#define LANE_PUT(T, p, v) bvm_lane_put_##T(p, 0, v)

#endif
