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
    X(F8E5M2FNUZ, __VA_ARGS__) X(F8E4M3FNUZ, __VA_ARGS__) X(F8E4M3B11FNUZ, __VA_ARGS__) X(F8E3M4, __VA_ARGS__)                     \
        X(F8E8M0FNU, __VA_ARGS__) X(F6E2M3FN, __VA_ARGS__) X(F6E3M2FN, __VA_ARGS__) X(F4E2M1FN, __VA_ARGS__)
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

/* -- the table --------------------------------------------------------------------------------------- */

const BvmTileTable TILE_TABLE = {
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
    .reductions = {INTS(REDUCE_ENTRY) FLTS(REDUCE_ENTRY)},
};
