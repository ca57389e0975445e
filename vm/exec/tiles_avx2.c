/* Tile instructions compiled for AVX2, FMA and F16C.  Same source, same bits: -ffp-contract=off holds here too. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#if defined(__x86_64__) && !defined(BUFVM_NO_SIMD)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,f16c")
#endif
#define TILE_TABLE bvm_tiles_avx2
#include "tile_rows.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int bvm_no_tiles_avx2; /* a file must declare something */
#endif
