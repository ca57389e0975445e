/* Tile instructions: loops over lanes made from the rows of opcodes.def and the bodies of vm/numeric.
 *
 * Included once for each instruction set, by a file that has named the table (TILE_TABLE) and told the compiler what the machine
 * can do.  Plain loops that the compiler turns into vector code.  A destination equals a source or lies apart
 * from it, so no iteration depends on another.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-vectorize,vect-cost-model=dynamic")
#endif

#include "tiles.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#ifdef __clang__
#define LANES _Pragma("clang loop vectorize(assume_safety)") for (size_t i = 0; i < n; i++)
#else
#define LANES _Pragma("GCC ivdep") for (size_t i = 0; i < n; i++)
#endif
#define FN(number, T)                                                                                                              \
    static void tile_##number##_##T(uint8_t *d, const uint8_t *a, const uint8_t *b, const uint8_t *c, size_t n, unsigned dest)
#define A(T) bvm_lane_get_##T(a, i)
#define B(T) bvm_lane_get_##T(b, i)
#define C(T) bvm_lane_get_##T(c, i)

#define FORM_1(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_##T(d, i, NUM_FN(name, T)(A(T)));                                                                       \
    }
/* sin, cos and tan of numbers that are all near 0, as most are, without a branch; a stretch with others lane by lane. */
#define STRETCH           256
#define FORM_near(T, ...) NUM_PASTE2(NEAR_, T)(T, __VA_ARGS__)
#define NEAR_F64(...)     FORM_1(__VA_ARGS__)
#define NEAR_F32(...)     NEAR(__VA_ARGS__)
#define NEAR_F16(...)     NEAR(__VA_ARGS__)
#define NEAR_BF16(...)    NEAR(__VA_ARGS__)
#define NEAR(T, number, name)                                                                                                      \
    static void near_##number##_##T(uint8_t *d, const uint8_t *a, size_t n)                                                        \
    {                                                                                                                              \
        LANES bvm_lane_put_##T(d, i, NUM_FN(near_##name, T)(A(T)));                                                                \
    }                                                                                                                              \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        while (n > 0) {                                                                                                            \
            size_t all = n, bytes;                                                                                                 \
            unsigned far = 0;                                                                                                      \
            n = n < STRETCH ? n : STRETCH;                                                                                         \
            bytes = n * sizeof(NUM_CT_##T);                                                                                        \
            LANES far |= NUM_FN(far, T)(A(T));                                                                                     \
            if (!far)                                                                                                              \
                near_##number##_##T(d, a, n);                                                                                      \
            for (size_t i = 0; far && i < n; i++)                                                                                  \
                bvm_lane_put_##T(d, i, NUM_FN(name, T)(A(T)));                                                                     \
            n = all - n;                                                                                                           \
            a += bytes;                                                                                                            \
            d += bytes;                                                                                                            \
        }                                                                                                                          \
    }
#undef BVM_FORM_sin
#undef BVM_FORM_cos
#undef BVM_FORM_tan
#define BVM_FORM_sin near
#define BVM_FORM_cos near
#define BVM_FORM_tan near
#define FORM_2(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_##T(d, i, NUM_FN(name, T)(A(T), B(T)));                                                                 \
    }
#define FORM_3(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_##T(d, i, NUM_FN(name, T)(A(T), B(T), C(T)));                                                           \
    }
#define FORM_c(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_I1(d, i, NUM_FN(name, T)(A(T), B(T)));                                                                  \
    }
#define FORM_p(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_I1(d, i, NUM_FN(name, T)(A(T)));                                                                        \
    }
#define FORM_s(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_##T(d, i, NUM_FN(name, T)(A(I1), B(T), C(T)));                                                          \
    }
#define FORM_e(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_##T(d, i, NUM_FN(name, T)(A(T), B(I32)));                                                               \
    }

/* -- conversions: a loop for each pair of types with arithmetic, slots for the storage formats --------------------------- */

#define CASE(D, name, T)                                                                                                           \
    case BVM_##D:                                                                                                                  \
        LANES bvm_lane_put_##D(d, i, NUM_CONV_FN(name, T, D)(A(T)));                                                               \
        return;
#define TO_FLT(name, T) CASE(F16, name, T) CASE(BF16, name, T) CASE(F32, name, T) CASE(F64, name, T)
#define TO_INT(name, T) CASE(I1, name, T) CASE(I8, name, T) CASE(I16, name, T) CASE(I32, name, T) CASE(I64, name, T)
#define CONVERT(number, name, T, CASES)                                                                                            \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        switch (dest) {                                                                                                            \
            CASES(name, T)                                                                                                         \
        default:                                                                                                                   \
            bvm_tile_convert_slots(number, BVM_##T, d, a, n, dest);                                                                \
        }                                                                                                                          \
    }
#define BY_SLOTS(T, number, ...)                                                                                                   \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        bvm_tile_convert_slots(number, BVM_##T, d, a, n, dest);                                                                    \
    }
#define SITOF(T, number, ...) CONVERT(number, sitof, T, TO_FLT)
#define UITOF(T, number, ...) CONVERT(number, uitof, T, TO_FLT)
#define EXTS(T, number, ...)  CONVERT(number, exts, T, TO_INT)
#define EXTU(T, number, ...)  CONVERT(number, extu, T, TO_INT)
#define FTOSI(T, number, ...) CONVERT(number, ftosi, T, TO_INT)
#define FTOUI(T, number, ...) CONVERT(number, ftoui, T, TO_INT)
#define FCONV(T, number, ...) CONVERT(number, fconv, T, TO_FLT)
#define T_STORAGE(X, ...)                                                                                                          \
    X(F8E5M2, __VA_ARGS__)                                                                                                         \
    X(F8E4M3FN, __VA_ARGS__)                                                                                                       \
    X(F8E4M3, __VA_ARGS__)                                                                                                         \
    X(F8E5M2FNUZ, __VA_ARGS__)                                                                                                     \
    X(F8E4M3FNUZ, __VA_ARGS__)                                                                                                     \
    X(F8E4M3B11FNUZ, __VA_ARGS__) X(F8E3M4, __VA_ARGS__) X(F8E8M0FNU, __VA_ARGS__) X(F6E2M3FN, __VA_ARGS__)                        \
        X(F6E3M2FN, __VA_ARGS__) X(F4E2M1FN, __VA_ARGS__)
T_INT1(SITOF, 257)
T_INT1(UITOF, 258)
T_INT1(EXTS, 261)
T_INT1(EXTU, 262)
T_FLT(FCONV, 256)
T_FLT(FTOSI, 259)
T_FLT(FTOUI, 260)
T_STORAGE(BY_SLOTS, 256)
T_STORAGE(BY_SLOTS, 259)
T_STORAGE(BY_SLOTS, 260)
_Static_assert(BVM_OP_fconv == 256 && BVM_OP_sitof == 257 && BVM_OP_uitof == 258 && BVM_OP_ftosi == 259 && BVM_OP_ftoui == 260 &&
                   BVM_OP_exts == 261 && BVM_OP_extu == 262,
               "the conversions above are named by number");
#define FORM_x(T, number, name)

#define OP(...)
#define EW(number, name, TYPES, ...) TYPES(NUM_PASTE2(FORM_, BVM_FORM_##name), number, name)
#include "../bytecode/opcodes.def"
#undef OP
#undef EW

/* -- reductions to a slot ---------------------------------------------------------------------------- */

#define REDUCE(T, name)                                                                                                            \
    static uint64_t reduce_##name##_##T(uint64_t start, const uint8_t *a, size_t n)                                                \
    {                                                                                                                              \
        NUM_CT_##T acc = NUM_FN(from_slot, T)(start);                                                                              \
        for (size_t i = 0; i < n; i++)                                                                                             \
            acc = NUM_FN(name, T)(acc, A(T));                                                                                      \
        return NUM_FN(slot, T)(acc);                                                                                               \
    }
#define REDUCE_ENTRY(T, name) [H(t_reduce_##name, T) - H(t_reduce_addi, I8)] = reduce_##name##_##T,
#define INTS(X)                                                                                                                    \
    T_INT(X, addi) T_INT(X, maxsi) T_INT(X, minsi) T_INT(X, maxui) T_INT(X, minui) T_INT(X, andi) T_INT(X, ori) T_INT(X, xori)
#define FLTS(X) T_FLT(X, addf) T_FLT(X, maximumf) T_FLT(X, minimumf) T_FLT(X, maxnumf) T_FLT(X, minnumf)
INTS(REDUCE)
FLTS(REDUCE)

/* -- operands that are slots, and two operations in one ---------------------------------------------- */

/* Such a function takes its operands from the fields of its instruction: t a tile, s a slot. */
#define FIELD(k)        ((uint16_t)((k) < 3 ? pc[0] >> 16 * ((k) + 1) : pc[((k) + 1) / 4] >> 16 * (((k) + 1) & 3)))
#define OPEN_t(T, v, k) const uint8_t *v = tiles[FIELD(k)];
#define OPEN_s(T, v, k) const NUM_CT_##T v = NUM_FN(from_slot, T)(s[FIELD(k)]);
#define LANE_t(T, v)    bvm_lane_get_##T(v, i)
#define LANE_s(T, v)    (v)
#define FUSED(row, T)   static void fused_##row##_##T(uint8_t *const *tiles, const uint64_t *s, const uint64_t *pc, size_t n)
#define FUSED_2(T, row, x, y, EXPR)                                                                                                \
    FUSED(t_##row##_##x##y, T)                                                                                                     \
    {                                                                                                                              \
        uint8_t *d = tiles[FIELD(0)];                                                                                              \
        OPEN_##x(T, a, 1) OPEN_##y(T, b, 2) LANES bvm_lane_put_##T(d, i, EXPR(T, LANE_##x(T, a), LANE_##y(T, b)));                 \
    }
#define FUSED_3(T, row, x, y, z, EXPR)                                                                                             \
    FUSED(t_##row##_##x##y##z, T)                                                                                                  \
    {                                                                                                                              \
        uint8_t *d = tiles[FIELD(0)];                                                                                              \
        OPEN_##x(T, a, 1) OPEN_##y(T, b, 2) OPEN_##z(T, c, 3)                                                                      \
            LANES bvm_lane_put_##T(d, i, EXPR(T, LANE_##x(T, a), LANE_##y(T, b), LANE_##z(T, c)));                                 \
    }
#define E_addi(T, x, y)     NUM_FN(addi, T)(x, y)
#define E_subi(T, x, y)     NUM_FN(subi, T)(x, y)
#define E_muli(T, x, y)     NUM_FN(muli, T)(x, y)
#define E_andi(T, x, y)     NUM_FN(andi, T)(x, y)
#define E_ori(T, x, y)      NUM_FN(ori, T)(x, y)
#define E_xori(T, x, y)     NUM_FN(xori, T)(x, y)
#define E_shli(T, x, y)     NUM_FN(shli, T)(x, y)
#define E_shrsi(T, x, y)    NUM_FN(shrsi, T)(x, y)
#define E_shrui(T, x, y)    NUM_FN(shrui, T)(x, y)
#define E_maxsi(T, x, y)    NUM_FN(maxsi, T)(x, y)
#define E_minsi(T, x, y)    NUM_FN(minsi, T)(x, y)
#define E_maxui(T, x, y)    NUM_FN(maxui, T)(x, y)
#define E_minui(T, x, y)    NUM_FN(minui, T)(x, y)
#define E_addf(T, x, y)     NUM_FN(addf, T)(x, y)
#define E_subf(T, x, y)     NUM_FN(subf, T)(x, y)
#define E_mulf(T, x, y)     NUM_FN(mulf, T)(x, y)
#define E_divf(T, x, y)     NUM_FN(divf, T)(x, y)
#define E_maximumf(T, x, y) NUM_FN(maximumf, T)(x, y)
#define E_minimumf(T, x, y) NUM_FN(minimumf, T)(x, y)
#define E_maxnumf(T, x, y)  NUM_FN(maxnumf, T)(x, y)
#define E_minnumf(T, x, y)  NUM_FN(minnumf, T)(x, y)
/* What is inside need not be canonical: the outer operation makes it so. */
#define E_madd(T, x, y, z)   NUM_FN(addf, T)(NUM_RAW_FN(mulf, T)(x, y), z)
#define E_msub(T, x, y, z)   NUM_FN(subf, T)(NUM_RAW_FN(mulf, T)(x, y), z)
#define E_nmadd(T, x, y, z)  NUM_FN(subf, T)(z, NUM_RAW_FN(mulf, T)(x, y))
#define E_mulmul(T, x, y, z) NUM_FN(mulf, T)(NUM_RAW_FN(mulf, T)(x, y), z)
#define E_addmul(T, x, y, z) NUM_FN(mulf, T)(NUM_RAW_FN(addf, T)(x, y), z)
#define E_submul(T, x, y, z) NUM_FN(mulf, T)(NUM_RAW_FN(subf, T)(x, y), z)
#define E_clampf(T, x, y, z) NUM_FN(minimumf, T)(NUM_FN(maximumf, T)(x, y), z)
T_INT(FUSED_2, addi, t, s, E_addi)
T_INT(FUSED_2, subi, t, s, E_subi)
T_INT(FUSED_2, subi, s, t, E_subi)
T_INT(FUSED_2, muli, t, s, E_muli)
T_INT(FUSED_2, andi, t, s, E_andi)
T_INT(FUSED_2, ori, t, s, E_ori)
T_INT(FUSED_2, xori, t, s, E_xori)
T_INT(FUSED_2, shli, t, s, E_shli)
T_INT(FUSED_2, shrsi, t, s, E_shrsi)
T_INT(FUSED_2, shrui, t, s, E_shrui)
T_INT(FUSED_2, maxsi, t, s, E_maxsi)
T_INT(FUSED_2, minsi, t, s, E_minsi)
T_INT(FUSED_2, maxui, t, s, E_maxui)
T_INT(FUSED_2, minui, t, s, E_minui)
T_F32F64(FUSED_2, addf, t, s, E_addf)
T_F32F64(FUSED_2, subf, t, s, E_subf)
T_F32F64(FUSED_2, subf, s, t, E_subf)
T_F32F64(FUSED_2, mulf, t, s, E_mulf)
T_F32F64(FUSED_2, divf, t, s, E_divf)
T_F32F64(FUSED_2, divf, s, t, E_divf)
T_F32F64(FUSED_2, maximumf, t, s, E_maximumf)
T_F32F64(FUSED_2, minimumf, t, s, E_minimumf)
T_F32F64(FUSED_2, maxnumf, t, s, E_maxnumf)
T_F32F64(FUSED_2, minnumf, t, s, E_minnumf)
T_F32F64(FUSED_3, madd, t, t, t, E_madd)
T_F32F64(FUSED_3, madd, t, t, s, E_madd)
T_F32F64(FUSED_3, madd, t, s, t, E_madd)
T_F32F64(FUSED_3, madd, t, s, s, E_madd)
T_F32F64(FUSED_3, msub, t, t, t, E_msub)
T_F32F64(FUSED_3, msub, t, t, s, E_msub)
T_F32F64(FUSED_3, msub, t, s, t, E_msub)
T_F32F64(FUSED_3, msub, t, s, s, E_msub)
T_F32F64(FUSED_3, nmadd, t, t, t, E_nmadd)
T_F32F64(FUSED_3, nmadd, t, t, s, E_nmadd)
T_F32F64(FUSED_3, nmadd, t, s, t, E_nmadd)
T_F32F64(FUSED_3, nmadd, t, s, s, E_nmadd)
T_F32F64(FUSED_3, mulmul, t, t, t, E_mulmul)
T_F32F64(FUSED_3, mulmul, t, t, s, E_mulmul)
T_F32F64(FUSED_3, mulmul, t, s, t, E_mulmul)
T_F32F64(FUSED_3, addmul, t, t, t, E_addmul)
T_F32F64(FUSED_3, addmul, t, t, s, E_addmul)
T_F32F64(FUSED_3, addmul, t, s, t, E_addmul)
T_F32F64(FUSED_3, addmul, t, s, s, E_addmul)
T_F32F64(FUSED_3, submul, t, t, t, E_submul)
T_F32F64(FUSED_3, submul, t, t, s, E_submul)
T_F32F64(FUSED_3, submul, t, s, t, E_submul)
T_F32F64(FUSED_3, submul, t, s, s, E_submul)
T_F32F64(FUSED_3, submul, s, t, t, E_submul)
T_F32F64(FUSED_3, submul, s, t, s, E_submul)
T_F32F64(FUSED_3, clampf, t, s, s, E_clampf)

/* By the number behind cmpi_eq or cmpf_oeq. */
#define SELECT_IF(T, compare, x, y, z, w)                                                                                          \
    case BVM_OP_##compare - SELECT_BASE_##T:                                                                                       \
        LANES bvm_lane_put_##T(                                                                                                    \
            d, i, NUM_FN(select, T)(NUM_FN(compare, T)(LANE_##x(T, a), LANE_##y(T, b)), LANE_##z(T, c), LANE_##w(T, e)));          \
        break;
#define SELECT_BASE_I32 BVM_OP_cmpi_eq
#define SELECT_BASE_I64 BVM_OP_cmpi_eq
#define SELECT_BASE_F32 BVM_OP_cmpf_oeq
#define SELECT_BASE_F64 BVM_OP_cmpf_oeq
#define SELECT_INT(T, ...)                                                                                                         \
    SELECT_IF(T, cmpi_eq, __VA_ARGS__)                                                                                             \
    SELECT_IF(T, cmpi_ne, __VA_ARGS__)                                                                                             \
    SELECT_IF(T, cmpi_slt, __VA_ARGS__) SELECT_IF(T, cmpi_sle, __VA_ARGS__) SELECT_IF(T, cmpi_sgt, __VA_ARGS__)                    \
        SELECT_IF(T, cmpi_sge, __VA_ARGS__) SELECT_IF(T, cmpi_ult, __VA_ARGS__) SELECT_IF(T, cmpi_ule, __VA_ARGS__)                \
            SELECT_IF(T, cmpi_ugt, __VA_ARGS__) SELECT_IF(T, cmpi_uge, __VA_ARGS__)
#define SELECT_FLT(T, ...)                                                                                                         \
    SELECT_IF(T, cmpf_oeq, __VA_ARGS__)                                                                                            \
    SELECT_IF(T, cmpf_ogt, __VA_ARGS__)                                                                                            \
    SELECT_IF(T, cmpf_oge, __VA_ARGS__) SELECT_IF(T, cmpf_olt, __VA_ARGS__) SELECT_IF(T, cmpf_ole, __VA_ARGS__)                    \
        SELECT_IF(T, cmpf_one, __VA_ARGS__) SELECT_IF(T, cmpf_ueq, __VA_ARGS__) SELECT_IF(T, cmpf_ugt, __VA_ARGS__)                \
            SELECT_IF(T, cmpf_uge, __VA_ARGS__) SELECT_IF(T, cmpf_ult, __VA_ARGS__) SELECT_IF(T, cmpf_ule, __VA_ARGS__)            \
                SELECT_IF(T, cmpf_une, __VA_ARGS__) SELECT_IF(T, cmpf_ord, __VA_ARGS__) SELECT_IF(T, cmpf_uno, __VA_ARGS__)
#define SELECT_I32 SELECT_INT
#define SELECT_I64 SELECT_INT
#define SELECT_F32 SELECT_FLT
#define SELECT_F64 SELECT_FLT
#define FUSED_SELECT(T, x, y, z, w)                                                                                                \
    FUSED(t_cmpsel_##x##y##z##w, T)                                                                                                \
    {                                                                                                                              \
        uint8_t *d = tiles[FIELD(0)];                                                                                              \
        OPEN_##x(T, a, 1) OPEN_##y(T, b, 2) OPEN_##z(T, c, 3) OPEN_##w(T, e, 4) switch (FIELD(5))                                  \
        {                                                                                                                          \
            SELECT_##T(T, x, y, z, w)                                                                                              \
        }                                                                                                                          \
    }
T_LANES(FUSED_SELECT, t, t, t, t)
T_LANES(FUSED_SELECT, t, s, t, t)
T_LANES(FUSED_SELECT, t, s, s, t)

/* -- the table --------------------------------------------------------------------------------------- */

const BvmTileTable
    TILE_TABLE =
        {
            .rows =
                {
#define ONE(T, number, ...) [HT_##number##_##T - H_TILES] = tile_##number##_##T,
#define OP(...)
#define EW(number, name, TYPES, ...) TYPES(ONE, number)
#include "../bytecode/opcodes.def"
#undef OP
#undef EW
#undef ONE
                },
            .fused =
                {
#define ENTRY(T, row) [H(row, T) - H(t_addi_ts, I8)] = fused_##row##_##T,
                    T_INT(ENTRY, t_addi_ts) T_INT(ENTRY, t_subi_ts) T_INT(ENTRY, t_subi_st) T_INT(ENTRY, t_muli_ts) T_INT(ENTRY, t_andi_ts) T_INT(ENTRY, t_ori_ts) T_INT(ENTRY, t_xori_ts) T_INT(ENTRY, t_shli_ts) T_INT(ENTRY, t_shrsi_ts) T_INT(ENTRY, t_shrui_ts) T_INT(ENTRY, t_maxsi_ts) T_INT(ENTRY, t_minsi_ts) T_INT(ENTRY, t_maxui_ts) T_INT(ENTRY, t_minui_ts) T_F32F64(ENTRY, t_addf_ts) T_F32F64(ENTRY, t_subf_ts) T_F32F64(ENTRY, t_subf_st) T_F32F64(ENTRY, t_mulf_ts) T_F32F64(ENTRY, t_divf_ts) T_F32F64(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         t_divf_st) T_F32F64(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             t_maximumf_ts) T_F32F64(ENTRY, t_minimumf_ts) T_F32F64(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    t_maxnumf_ts) T_F32F64(ENTRY, t_minnumf_ts) T_F32F64(ENTRY, t_madd_ttt) T_F32F64(ENTRY, t_madd_tts) T_F32F64(ENTRY, t_madd_tst) T_F32F64(ENTRY, t_madd_tss) T_F32F64(ENTRY, t_msub_ttt) T_F32F64(ENTRY, t_msub_tts) T_F32F64(ENTRY, t_msub_tst) T_F32F64(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             t_msub_tss) T_F32F64(ENTRY, t_nmadd_ttt) T_F32F64(ENTRY, t_nmadd_tts) T_F32F64(ENTRY, t_nmadd_tst) T_F32F64(ENTRY, t_nmadd_tss) T_F32F64(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      t_mulmul_ttt) T_F32F64(ENTRY, t_mulmul_tts) T_F32F64(ENTRY, t_mulmul_tst) T_F32F64(ENTRY, t_addmul_ttt) T_F32F64(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                       t_addmul_tts) T_F32F64(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              t_addmul_tst) T_F32F64(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                     t_addmul_tss) T_F32F64(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            t_submul_ttt) T_F32F64(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                   t_submul_tts) T_F32F64(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          t_submul_tst) T_F32F64(ENTRY, t_submul_tss) T_F32F64(ENTRY, t_submul_stt) T_F32F64(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             t_submul_sts) T_F32F64(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    t_clampf_tss) T_LANES(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          t_cmpsel_tttt) T_LANES(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 t_cmpsel_tstt) T_LANES(ENTRY,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        t_cmpsel_tsst)
#undef ENTRY
                },
            .reductions = {INTS(REDUCE_ENTRY) FLTS(REDUCE_ENTRY)},
};
