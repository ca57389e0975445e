/* Tile instructions as functions over lanes, found by handler number.
 *
 * A tile is little-endian memory of n elements, of any alignment.  The destination is either one of the sources
 * or apart from them.
 */
#ifndef BVM_TILES_H
#define BVM_TILES_H

#include "../memory/endian.h"
#include "../numeric/ops.h"
#include "handlers.h"

/* Elementwise forms; sources beyond the form's are ignored.  dest: element type that a conversion makes. */
typedef void BvmTileFn(uint8_t *d, const uint8_t *a, const uint8_t *b, const uint8_t *c, size_t n, unsigned dest);
typedef uint64_t BvmReduceFn(uint64_t start, const uint8_t *a, size_t n);

/* Rows whose operands are tiles and slots, named by the fields of the instruction at pc. */
typedef void BvmFusedFn(uint8_t *const *tiles, const uint64_t *scalars, const uint64_t *pc, size_t n);

/* The loops compiled for one instruction set. */
typedef struct BvmTileTable {
    BvmTileFn *rows[H_COUNT - H_TILES];                                           /* by handler - H_TILES */
    BvmReduceFn *reductions[H(t_reduce_minnumf, F64) - H(t_reduce_addi, I8) + 1]; /* by handler - H(t_reduce_addi, I8) */
    BvmFusedFn *fused[H(t_cmpsel_tsst, F64) - H(t_addi_ts, I8) + 1];              /* by handler - H(t_addi_ts, I8) */
} BvmTileTable;
extern const BvmTileTable bvm_tiles_base, bvm_tiles_avx2, bvm_tiles_avx512;
const BvmTileTable *bvm_tile_table(unsigned cpu); /* kernels/cpu.h */
/* A conversion lane by lane, for types without a loop. */
void bvm_tile_convert_slots(unsigned row, unsigned source, uint8_t *d, const uint8_t *a, size_t n, unsigned dest);

/* Lane i as a slot. */
uint64_t bvm_tile_get(unsigned etype, const uint8_t *a, size_t i);
void bvm_tile_put(unsigned etype, uint8_t *a, size_t i, uint64_t slot);
/* First zero lane of a tile of iN, or n. */
size_t bvm_tile_zero(unsigned etype, const uint8_t *a, size_t n);
void bvm_tile_splat(unsigned bytes, uint8_t *d, uint64_t slot, size_t n);
void bvm_tile_iota(uint8_t *d, uint64_t start, uint64_t step, size_t n);
/* n elements of `bytes` bytes each, `step` bytes apart on one side. */
void bvm_tile_load(unsigned bytes, uint8_t *d, const uint8_t *from, int64_t step, size_t n);
void bvm_tile_store(unsigned bytes, const uint8_t *d, uint8_t *to, int64_t step, size_t n);
/* First lane whose index is not below count, or n; masked lanes (mask NULL: all) only. */
size_t bvm_tile_bad_index(const uint8_t *index, const uint8_t *mask, uint64_t count, size_t n);
void bvm_tile_gather(unsigned bytes, uint8_t *d, const uint8_t *from, const uint8_t *index, const uint8_t *mask, size_t n);
void bvm_tile_bits(uint8_t *d, size_t n); /* keeps bit 0 of each byte */
/* Form letter and, for the dividing rows, element type of a tile handler. */
char bvm_tile_form(unsigned handler);
unsigned bvm_tile_divisor(unsigned handler);
/* t.load may be a view, and t.dest and its t.store may work in place, when this bit of the second word is set (a decoder's
 * finding). */
#define BVM_VIEW_BIT (UINT64_C(1) << 16)
/* Are elements first + i * step, 0 <= i < n, all below count?  Which is the first that is not? */
bool bvm_stretch_inside(uint64_t first, uint64_t step, uint64_t n, uint64_t count);
uint64_t bvm_stretch_bad(uint64_t first, uint64_t step, uint64_t n, uint64_t count);
/* Lane number of the first masked lane that is not, or UINT64_MAX. */
uint64_t bvm_stretch_bad_mask(uint64_t first, uint64_t step, const uint8_t *mask, size_t n, uint64_t count);
void bvm_scatter_mask(unsigned bytes, const uint8_t *d, const uint8_t *mask, uint8_t *base, uint64_t first, uint64_t step,
                      size_t n);
/* First lane of a mask that is 0, or n. */
size_t bvm_tile_false(const uint8_t *mask, size_t n);

/* -- lanes ----------------------------------------------------------------------------------------- */

#if BVM_BIG_ENDIAN
#define BVM_LANE_ACCESS(T, bits)                                                                                                   \
    static inline NUM_CT_##T bvm_lane_get_##T(const uint8_t *p, size_t i)                                                          \
    {                                                                                                                              \
        return NUM_FN(from_slot, T)(bvm_get##bits(p + i * (bits / 8)));                                                            \
    }                                                                                                                              \
    static inline void bvm_lane_put_##T(uint8_t *p, size_t i, NUM_CT_##T v)                                                        \
    {                                                                                                                              \
        bvm_put##bits(p + i * (bits / 8), (uint##bits##_t)NUM_FN(slot, T)(v));                                                     \
    }
#else /* copies of known size, which the compiler turns into vector loads and stores of any alignment */
#define BVM_LANE_ACCESS(T, bits)                                                                                                   \
    static inline NUM_CT_##T bvm_lane_get_##T(const uint8_t *p, size_t i)                                                          \
    {                                                                                                                              \
        NUM_CT_##T v;                                                                                                              \
        memcpy(&v, p + i * sizeof v, sizeof v);                                                                                    \
        return v;                                                                                                                  \
    }                                                                                                                              \
    static inline void bvm_lane_put_##T(uint8_t *p, size_t i, NUM_CT_##T v)                                                        \
    {                                                                                                                              \
        memcpy(p + i * sizeof v, &v, sizeof v);                                                                                    \
    }
#endif
BVM_LANE_ACCESS(I1, 8)
BVM_LANE_ACCESS(I8, 8)
BVM_LANE_ACCESS(I16, 16)
BVM_LANE_ACCESS(I32, 32)
BVM_LANE_ACCESS(I64, 64)
BVM_LANE_ACCESS(F16, 16)
BVM_LANE_ACCESS(BF16, 16)
BVM_LANE_ACCESS(F32, 32)
BVM_LANE_ACCESS(F64, 64)

#endif
