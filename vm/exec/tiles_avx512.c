/* Tile instructions compiled for AVX-512 F, BW, DQ and VL.  Same source, same bits: -ffp-contract=off holds here too. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#if defined(__x86_64__) && !defined(BUFVM_NO_SIMD)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma,f16c"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,fma,f16c,prefer-vector-width=512")
#endif
#define TILE_TABLE bvm_tiles_avx512
#include "tile_rows.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bvm_no_tiles_avx512; /* a file must declare something */
#endif
