/* reduce: o[...] = combine(o[...], i[...]).
 *
 * An output keeps its order of combination where that can be seen: sums and products of floats.  All other combiners are exact
 * in any order.  Ways to walk:
 *   chains   any strides: eight outputs at once
 *   row      inputs side by side along the reduction, any order: lanes over the inputs
 *   strict   the same in order: eight rows at once, turned in registers so that a lane is a row
 *   columns  inputs and outputs side by side along the outputs: a lane for each
 * Inputs of another type than the outputs are converted in blocks first.
 */
#include "lanes.h"

#define CHAINS           8
#define RED_STEPS        64   /* inputs of each column in one turn */
#define RED_BLOCK        2048 /* elements converted at once */
#define FLAG_ANY         2u   /* --fp=fast: sums and products in any order */
#define FLAG_UNSIGNED_IN 4u

/* nv outputs, each over nk inputs in order. */
typedef void Reducer(uint8_t *o, int64_t so, int64_t nv, const uint8_t *i, int64_t siv, int64_t nk, int64_t sik);
/* One output over n inputs side by side. */
typedef void RowReducer(uint8_t *o, const uint8_t *p, int64_t n);
/* Outputs side by side; gives how many it has done. */
typedef int64_t ColumnReducer(uint8_t *o, int64_t nv, const uint8_t *i, int64_t nk, int64_t sik);

#define ORDERED(name) (BVM_OP_##name == BVM_OP_addf || BVM_OP_##name == BVM_OP_mulf)

#define REDUCER(T, name)                                                                                                           \
    static void reduce_##name##_##T(uint8_t *o, int64_t so, int64_t nv, const uint8_t *i, int64_t siv, int64_t nk, int64_t sik)    \
    {                                                                                                                              \
        int64_t v = 0;                                                                                                             \
        for (; v + CHAINS <= nv; v += CHAINS) {                                                                                    \
            NUM_CT_##T acc[CHAINS];                                                                                                \
            for (int l = 0; l < CHAINS; l++)                                                                                       \
                acc[l] = LANE_GET(T, o + (v + l) * so);                                                                            \
            const uint8_t *p = i + v * siv;                                                                                        \
            for (int64_t k = 0; k < nk; k++, p += sik)                                                                             \
                for (int l = 0; l < CHAINS; l++)                                                                                   \
                    acc[l] = NUM_FN(name, T)(acc[l], LANE_GET(T, p + l * siv));                                                    \
            for (int l = 0; l < CHAINS; l++)                                                                                       \
                LANE_PUT(T, o + (v + l) * so, acc[l]);                                                                             \
        }                                                                                                                          \
        for (; v < nv; v++) {                                                                                                      \
            NUM_CT_##T acc = LANE_GET(T, o + v * so);                                                                              \
            const uint8_t *p = i + v * siv;                                                                                        \
            for (int64_t k = 0; k < nk; k++, p += sik)                                                                             \
                acc = NUM_FN(name, T)(acc, LANE_GET(T, p));                                                                        \
            LANE_PUT(T, o + v * so, acc);                                                                                          \
        }                                                                                                                          \
    }

#define COMBINERS(X)                                                                                                               \
    T_INT(X, addi)                                                                                                                 \
    T_INT(X, muli)                                                                                                                 \
    T_INT(X, andi)                                                                                                                 \
    T_INT(X, ori) T_INT(X, xori) T_INT(X, maxsi) T_INT(X, minsi) T_INT(X, maxui) T_INT(X, minui) T_FLT(X, addf) T_FLT(X, mulf)     \
        T_FLT(X, maximumf) T_FLT(X, minimumf) T_FLT(X, maxnumf) T_FLT(X, minnumf)
COMBINERS(REDUCER)

#if !BVM_BIG_ENDIAN
#ifndef INLINE
#define INLINE NUM_INLINE
#endif

/* ---- one vector with another ------------------------------------------------------------- */

#define V_INT(T, U)                                                                                                                \
    INLINE x_##T v_addi_##T(x_##T a, x_##T b)                                                                                      \
    {                                                                                                                              \
        return (x_##T)((x_##U)a + (x_##U)b);                                                                                       \
    }                                                                                                                              \
    INLINE x_##T v_muli_##T(x_##T a, x_##T b)                                                                                      \
    {                                                                                                                              \
        return (x_##T)((x_##U)a * (x_##U)b);                                                                                       \
    }                                                                                                                              \
    INLINE x_##T v_andi_##T(x_##T a, x_##T b)                                                                                      \
    {                                                                                                                              \
        return a & b;                                                                                                              \
    }                                                                                                                              \
    INLINE x_##T v_ori_##T(x_##T a, x_##T b)                                                                                       \
    {                                                                                                                              \
        return a | b;                                                                                                              \
    }                                                                                                                              \
    INLINE x_##T v_xori_##T(x_##T a, x_##T b)                                                                                      \
    {                                                                                                                              \
        return a ^ b;                                                                                                              \
    }                                                                                                                              \
    INLINE x_##T v_maxsi_##T(x_##T a, x_##T b)                                                                                     \
    {                                                                                                                              \
        return X_SELECT(x_##T, a > b, a, b);                                                                                       \
    }                                                                                                                              \
    INLINE x_##T v_minsi_##T(x_##T a, x_##T b)                                                                                     \
    {                                                                                                                              \
        return X_SELECT(x_##T, a < b, a, b);                                                                                       \
    }                                                                                                                              \
    INLINE x_##T v_maxui_##T(x_##T a, x_##T b)                                                                                     \
    {                                                                                                                              \
        return X_SELECT(x_##T, (x_##U)a > (x_##U)b, a, b);                                                                         \
    }                                                                                                                              \
    INLINE x_##T v_minui_##T(x_##T a, x_##T b)                                                                                     \
    {                                                                                                                              \
        return X_SELECT(x_##T, (x_##U)a < (x_##U)b, a, b);                                                                         \
    }
V_INT(I8, U8)
V_INT(I16, U16)
V_INT(I32, U32)
V_INT(I64, U64)

/* Extremes: the operand further on; of equals (zeros) the bits and-ed or or-ed; then NaNs. */
#define V_EXTREME(T, name, ORDER, BITS, keeps_nan, NAN_BITS)                                                                       \
    INLINE x_##T v_##name##_##T(x_##T a, x_##T b)                                                                                  \
    {                                                                                                                              \
        n_##T nan = (n_##T)(a != a), other = (n_##T)(b != b);                                                                      \
        x_##T r = X_SELECT(x_##T, a ORDER b, a, b);                                                                                \
        r = X_SELECT(x_##T, a == b, (n_##T)a BITS(n_##T) b, r);                                                                    \
        if (!keeps_nan)                                                                                                            \
            r = X_SELECT(x_##T, other, a, r);                                                                                      \
        return X_SELECT(x_##T, keeps_nan ? nan | other : nan & other, (n_##T){0} + NAN_BITS, r);                                   \
    }
#define V_FLOAT(T, NAN_BITS)                                                                                                       \
    INLINE x_##T v_addf_##T(x_##T a, x_##T b)                                                                                      \
    {                                                                                                                              \
        return a + b;                                                                                                              \
    } /* a NaN stays one; which one is settled at the end */                                                                       \
    INLINE x_##T v_mulf_##T(x_##T a, x_##T b)                                                                                      \
    {                                                                                                                              \
        return a * b;                                                                                                              \
    }                                                                                                                              \
    INLINE x_##T v_canonical_##T(x_##T a)                                                                                          \
    {                                                                                                                              \
        return X_SELECT(x_##T, a != a, (n_##T){0} + NAN_BITS, a);                                                                  \
    }                                                                                                                              \
    V_EXTREME(T, maximumf, >, &, true, NAN_BITS)                                                                                   \
    V_EXTREME(T, minimumf, <, |, true, NAN_BITS)                                                                                   \
    V_EXTREME(T, maxnumf, >, &, false, NAN_BITS) V_EXTREME(T, minnumf, <, |, false, NAN_BITS)
V_FLOAT(F32, (int32_t)NUM_NAN_F32)
V_FLOAT(F64, (int64_t)NUM_NAN_F64)
#define v_canonical_I8(a)  (a)
#define v_canonical_I16(a) (a)
#define v_canonical_I32(a) (a)
#define v_canonical_I64(a) (a)

/* ---- columns, rows -------------------------------------------------------------------------- */

#define COLUMN_REDUCER(T, name)                                                                                                    \
    static int64_t red_columns_##name##_##T(uint8_t *o, int64_t nv, const uint8_t *i, int64_t nk, int64_t sik)                     \
    {                                                                                                                              \
        enum { E = V_BYTES / sizeof(NUM_CT_##T), G = 128 / V_BYTES };                                                              \
        int64_t v = 0;                                                                                                             \
        for (; v + G * E <= nv; v += G * E) {                                                                                      \
            const uint8_t *p = i + v * (int64_t)sizeof(NUM_CT_##T);                                                                \
            uint8_t *q = o + v * (int64_t)sizeof(NUM_CT_##T);                                                                      \
            x_##T acc[G];                                                                                                          \
            UNROLL                                                                                                                 \
            for (int g = 0; g < G; g++)                                                                                            \
                acc[g] = X_LOAD(T, q + g * V_BYTES);                                                                               \
            for (int64_t k = 0; k < nk; k++, p += sik) {                                                                           \
                UNROLL                                                                                                             \
                for (int g = 0; g < G; g++)                                                                                        \
                    acc[g] = v_##name##_##T(acc[g], X_LOAD(T, p + g * V_BYTES));                                                   \
            }                                                                                                                      \
            UNROLL                                                                                                                 \
            for (int g = 0; g < G; g++)                                                                                            \
                X_STORE(T, q + g * V_BYTES, v_canonical_##T(acc[g]));                                                              \
        }                                                                                                                          \
        return v;                                                                                                                  \
    }

/* The first inputs start the lanes; what was there comes in last. */
#define ROW_REDUCER(T, name)                                                                                                       \
    static void red_row_##name##_##T(uint8_t *o, const uint8_t *p, int64_t n)                                                      \
    {                                                                                                                              \
        enum { E = V_BYTES / sizeof(NUM_CT_##T), G = 8 };                                                                          \
        const int64_t bytes = sizeof(NUM_CT_##T);                                                                                  \
        NUM_CT_##T last = LANE_GET(T, o);                                                                                          \
        int64_t k = 0;                                                                                                             \
        if (n >= G * E) {                                                                                                          \
            x_##T acc[G];                                                                                                          \
            UNROLL                                                                                                                 \
            for (int g = 0; g < G; g++)                                                                                            \
                acc[g] = X_LOAD(T, p + g * V_BYTES);                                                                               \
            for (k = G * E; k + G * E <= n; k += G * E) {                                                                          \
                UNROLL                                                                                                             \
                for (int g = 0; g < G; g++)                                                                                        \
                    acc[g] = v_##name##_##T(acc[g], X_LOAD(T, p + k * bytes + g * V_BYTES));                                       \
            }                                                                                                                      \
            for (; k + E <= n; k += E)                                                                                             \
                acc[0] = v_##name##_##T(acc[0], X_LOAD(T, p + k * bytes));                                                         \
            UNROLL                                                                                                                 \
            for (int g = 1; g < G; g++)                                                                                            \
                acc[0] = v_##name##_##T(acc[0], acc[g]);                                                                           \
            for (int l = 0; l < E; l++)                                                                                            \
                last = NUM_FN(name, T)(last, acc[0][l]);                                                                           \
        }                                                                                                                          \
        for (; k < n; k++)                                                                                                         \
            last = NUM_FN(name, T)(last, LANE_GET(T, p + k * bytes));                                                              \
        LANE_PUT(T, o, last);                                                                                                      \
    }

/* Extremes of a row of f32 or f64.  A NaN loses, and `unordered` remembers it; zeros count as equal, and `signs` tells at the
   end whether one of the sign that goes further was among them: all numbers are on one side of it then. */
#define ROW_EXTREME(T, name, FURTHER, BITS, keeps_nan, FLOOR)                                                                      \
    static void red_row_##name##_##T(uint8_t *o, const uint8_t *p, int64_t n)                                                      \
    {                                                                                                                              \
        enum { E = V_BYTES / sizeof(NUM_CT_##T), G = 4 };                                                                          \
        const int64_t bytes = sizeof(NUM_CT_##T);                                                                                  \
        NUM_CT_##T last = LANE_GET(T, o);                                                                                          \
        int64_t k = 0;                                                                                                             \
        if (n >= G * E) {                                                                                                          \
            x_##T acc[G];                                                                                                          \
            n_##T signs[G], unordered = {0};                                                                                       \
            UNROLL                                                                                                                 \
            for (int g = 0; g < G; g++) {                                                                                          \
                acc[g] = (x_##T){0} + (FLOOR);                                                                                     \
                signs[g] = (n_##T)X_LOAD(T, p);                                                                                    \
            }                                                                                                                      \
            for (; k + G * E <= n; k += G * E) {                                                                                   \
                UNROLL                                                                                                             \
                for (int g = 0; g < G; g += 2) {                                                                                   \
                    x_##T x = X_LOAD(T, p + k * bytes + g * V_BYTES), y = X_LOAD(T, p + k * bytes + (g + 1) * V_BYTES);            \
                    acc[g] = FURTHER##_##T(x, acc[g]);                                                                             \
                    acc[g + 1] = FURTHER##_##T(y, acc[g + 1]);                                                                     \
                    signs[g] = signs[g] BITS(n_##T) x;                                                                             \
                    signs[g + 1] = signs[g + 1] BITS(n_##T) y;                                                                     \
                    unordered |= X_UNORDERED_##T(x, y);                                                                            \
                }                                                                                                                  \
            }                                                                                                                      \
            for (int g = 1; g < G; g++) {                                                                                          \
                acc[0] = FURTHER##_##T(acc[g], acc[0]);                                                                            \
                signs[0] = signs[0] BITS signs[g];                                                                                 \
            }                                                                                                                      \
            bool nans = x_any((x_U64)unordered);                                                                                   \
            NUM_CT_##T found = acc[0][0];                                                                                          \
            for (int l = 1; l < E; l++) {                                                                                          \
                found = NUM_FN(name, T)(found, acc[0][l]);                                                                         \
                signs[0][0] = signs[0][0] BITS signs[0][l];                                                                        \
            }                                                                                                                      \
            if (nans && keeps_nan) {                                                                                               \
                last = NUM_FN(name, T)(last, (NUM_CT_##T)__builtin_nan(""));                                                       \
            } else if (nans && (found == 0 || found == (FLOOR))) { /* the numbers alone, if there are any */                       \
                k = 0;                                                                                                             \
            } else if (found == 0) {                                                                                               \
                last = NUM_FN(name, T)(last, signs[0][0] < 0 ? (NUM_CT_##T) - 0.0 : (NUM_CT_##T)0.0);                              \
            } else {                                                                                                               \
                last = NUM_FN(name, T)(last, found);                                                                               \
            }                                                                                                                      \
        }                                                                                                                          \
        for (; k < n; k++)                                                                                                         \
            last = NUM_FN(name, T)(last, LANE_GET(T, p + k * bytes));                                                              \
        LANE_PUT(T, o, last);                                                                                                      \
    }
#define FLOAT_ROWS(T)                                                                                                              \
    ROW_EXTREME(T, maximumf, X_MAX, &, true, -__builtin_inff())                                                                    \
    ROW_EXTREME(T, minimumf, X_MIN, |, true, __builtin_inff())                                                                     \
    ROW_EXTREME(T, maxnumf, X_MAX, &, false, -__builtin_inff())                                                                    \
    ROW_EXTREME(T, minnumf, X_MIN, |, false, __builtin_inff()) ROW_REDUCER(T, addf) ROW_REDUCER(T, mulf)
FLOAT_ROWS(F32)
FLOAT_ROWS(F64)
#define WIDE_INTS(X)               X(addi) X(muli) X(andi) X(ori) X(xori) X(maxsi) X(minsi) X(maxui) X(minui)
#define INT_ROWS_AND_COLUMNS(name) T_INT(ROW_REDUCER, name) T_INT(COLUMN_REDUCER, name)
WIDE_INTS(INT_ROWS_AND_COLUMNS)
#define WIDE_FLOATS(X)      X(addf) X(mulf) X(maximumf) X(minimumf) X(maxnumf) X(minnumf)
#define FLOAT_COLUMNS(name) COLUMN_REDUCER(F32, name) COLUMN_REDUCER(F64, name)
WIDE_FLOATS(FLOAT_COLUMNS)

/* ---- strict rows ------------------------------------------------------------------------------- */

/* A square of vectors, rows to columns. */
#if V_BYTES == 32
INLINE void turn_F32(x_F32 *r)
{
    __m256 t[8], u[8];
    UNROLL
    for (int j = 0; j < 8; j += 2) {
        t[j] = _mm256_unpacklo_ps((__m256)r[j], (__m256)r[j + 1]);
        t[j + 1] = _mm256_unpackhi_ps((__m256)r[j], (__m256)r[j + 1]);
    }
    UNROLL
    for (int j = 0; j < 8; j += 4) {
        u[j] = _mm256_shuffle_ps(t[j], t[j + 2], 0x44);
        u[j + 1] = _mm256_shuffle_ps(t[j], t[j + 2], 0xee);
        u[j + 2] = _mm256_shuffle_ps(t[j + 1], t[j + 3], 0x44);
        u[j + 3] = _mm256_shuffle_ps(t[j + 1], t[j + 3], 0xee);
    }
    UNROLL
    for (int j = 0; j < 4; j++) {
        r[j] = (x_F32)_mm256_permute2f128_ps(u[j], u[j + 4], 0x20);
        r[j + 4] = (x_F32)_mm256_permute2f128_ps(u[j], u[j + 4], 0x31);
    }
}
INLINE void turn_F64(x_F64 *r)
{
    __m256d t[4];
    UNROLL
    for (int j = 0; j < 4; j += 2) {
        t[j] = _mm256_unpacklo_pd((__m256d)r[j], (__m256d)r[j + 1]);
        t[j + 1] = _mm256_unpackhi_pd((__m256d)r[j], (__m256d)r[j + 1]);
    }
    UNROLL
    for (int j = 0; j < 2; j++) {
        r[j] = (x_F64)_mm256_permute2f128_pd(t[j], t[j + 2], 0x20);
        r[j + 2] = (x_F64)_mm256_permute2f128_pd(t[j], t[j + 2], 0x31);
    }
}
#else
INLINE void turn_F32(x_F32 *r)
{
    x_F32 t0 = X_SHUFFLE(F32, r[0], r[2], 0, 4, 1, 5), t1 = X_SHUFFLE(F32, r[0], r[2], 2, 6, 3, 7);
    x_F32 t2 = X_SHUFFLE(F32, r[1], r[3], 0, 4, 1, 5), t3 = X_SHUFFLE(F32, r[1], r[3], 2, 6, 3, 7);
    r[0] = X_SHUFFLE(F32, t0, t2, 0, 4, 1, 5);
    r[1] = X_SHUFFLE(F32, t0, t2, 2, 6, 3, 7);
    r[2] = X_SHUFFLE(F32, t1, t3, 0, 4, 1, 5);
    r[3] = X_SHUFFLE(F32, t1, t3, 2, 6, 3, 7);
}
INLINE void turn_F64(x_F64 *r)
{
    x_F64 t = X_SHUFFLE(F64, r[0], r[1], 0, 2);
    r[1] = X_SHUFFLE(F64, r[0], r[1], 1, 3);
    r[0] = t;
}
#endif

/* Eight rows, the last one again where there are fewer.  Outputs are independent, so a row seen twice gives the same. */
#define STRICT_REDUCER(T, name)                                                                                                    \
    static void strict_##name##_##T(uint8_t *o, int64_t so, int64_t nv, const uint8_t *i, int64_t siv, int64_t nk)                 \
    {                                                                                                                              \
        enum { E = V_BYTES / sizeof(NUM_CT_##T), S = 8 / E };                                                                      \
        const int64_t bytes = sizeof(NUM_CT_##T);                                                                                  \
        for (int64_t v = 0; v < nv; v += 8) {                                                                                      \
            const uint8_t *p[8];                                                                                                   \
            NUM_CT_##T lanes[8];                                                                                                   \
            x_##T acc[S];                                                                                                          \
            for (int l = 0; l < 8; l++) {                                                                                          \
                int64_t row = v + l < nv ? v + l : nv - 1;                                                                         \
                p[l] = i + row * siv;                                                                                              \
                lanes[l] = LANE_GET(T, o + row * so);                                                                              \
            }                                                                                                                      \
            memcpy(acc, lanes, sizeof acc);                                                                                        \
            int64_t k = 0;                                                                                                         \
            for (; k + E <= nk; k += E) {                                                                                          \
                UNROLL                                                                                                             \
                for (int s = 0; s < S; s++) {                                                                                      \
                    x_##T r[E];                                                                                                    \
                    UNROLL                                                                                                         \
                    for (int l = 0; l < E; l++)                                                                                    \
                        r[l] = X_LOAD(T, p[s * E + l] + k * bytes);                                                                \
                    turn_##T(r);                                                                                                   \
                    UNROLL                                                                                                         \
                    for (int l = 0; l < E; l++)                                                                                    \
                        acc[s] = v_##name##_##T(acc[s], r[l]);                                                                     \
                }                                                                                                                  \
            }                                                                                                                      \
            for (int s = 0; s < S; s++)                                                                                            \
                acc[s] = v_canonical_##T(acc[s]);                                                                                  \
            if (k)                                                                                                                 \
                memcpy(lanes, acc, sizeof acc);                                                                                    \
            for (int l = 0; l < 8 && v + l < nv; l++) {                                                                            \
                for (int64_t j = k; j < nk; j++)                                                                                   \
                    lanes[l] = NUM_FN(name, T)(lanes[l], LANE_GET(T, p[l] + j * bytes));                                           \
                LANE_PUT(T, o + (v + l) * so, lanes[l]);                                                                           \
            }                                                                                                                      \
        }                                                                                                                          \
    }
STRICT_REDUCER(F32, addf)
STRICT_REDUCER(F32, mulf)
STRICT_REDUCER(F64, addf)
STRICT_REDUCER(F64, mulf)

#define FAST_INT(T, name)    red_row_##name##_##T, red_columns_##name##_##T
#define FAST_I8(name)        FAST_INT(I8, name)
#define FAST_I16(name)       FAST_INT(I16, name)
#define FAST_I32(name)       FAST_INT(I32, name)
#define FAST_I64(name)       FAST_INT(I64, name)
#define FAST_F32(name)       FAST_INT(F32, name)
#define FAST_F64(name)       FAST_INT(F64, name)
#define FAST_F16(name)       NULL, NULL
#define FAST_BF16(name)      NULL, NULL
#define STRICT_ENTRY(T, row) strict_##row##_##T
#else
#define FAST_I8(name)        NULL, NULL
#define FAST_I16(name)       NULL, NULL
#define FAST_I32(name)       NULL, NULL
#define FAST_I64(name)       NULL, NULL
#define FAST_F32(name)       NULL, NULL
#define FAST_F64(name)       NULL, NULL
#define FAST_F16(name)       NULL, NULL
#define FAST_BF16(name)      NULL, NULL
#define STRICT_ENTRY(T, row) NULL
#endif

/* ---- inputs of another type -------------------------------------------------------------------- */

/* n elements, `step` bytes apart, to elements side by side. */
typedef void Widen(uint8_t *to, const uint8_t *from, int64_t step, int64_t n);
#define WIDEN(A, B, EXPR)                                                                                                          \
    static void widen_##A##_##B(uint8_t *to, const uint8_t *from, int64_t step, int64_t n)                                         \
    {                                                                                                                              \
        for (int64_t k = 0; k < n; k++) {                                                                                          \
            NUM_CT_##A x = LANE_GET(A, from + k * step);                                                                           \
            LANE_PUT(B, to + k * (int64_t)sizeof(NUM_CT_##B), (NUM_CT_##B)(EXPR));                                                 \
        }                                                                                                                          \
    }
#define WIDEN_U(A, UA, B)                                                                                                          \
    static void widen_u_##A##_##B(uint8_t *to, const uint8_t *from, int64_t step, int64_t n)                                       \
    {                                                                                                                              \
        for (int64_t k = 0; k < n; k++)                                                                                            \
            LANE_PUT(B, to + k * (int64_t)sizeof(NUM_CT_##B), (NUM_CT_##B)(UA)LANE_GET(A, from + k * step));                       \
    }
#define WIDE_PAIRS(X)                                                                                                              \
    X(I8, uint8_t, I16)                                                                                                            \
    X(I8, uint8_t, I32)                                                                                                            \
    X(I8, uint8_t, I64)                                                                                                            \
    X(I16, uint16_t, I32)                                                                                                          \
    X(I16, uint16_t, I64)                                                                                                          \
    X(I32, uint32_t, I64) X(I8, uint8_t, F32) X(I16, uint16_t, F32) X(I32, uint32_t, F32) X(I8, uint8_t, F64)                      \
        X(I16, uint16_t, F64) X(I32, uint32_t, F64)
#define WIDEN_BIT(B)                                                                                                               \
    static void widen_bit_##B(uint8_t *to, const uint8_t *from, int64_t step, int64_t n)                                           \
    {                                                                                                                              \
        for (int64_t k = 0; k < n; k++)                                                                                            \
            LANE_PUT(B, to + k * (int64_t)sizeof(NUM_CT_##B), (NUM_CT_##B)(from[k * step] & 1));                                   \
    }
WIDEN_BIT(I16)
WIDEN_BIT(I32)
WIDEN_BIT(I64)
#define WIDEN_BOTH(A, UA, B) WIDEN(A, B, x) WIDEN_U(A, UA, B)
WIDE_PAIRS(WIDEN_BOTH)
WIDEN(F16, F32, num_canon_f32(num_widen_f16(x)))
WIDEN(F16, F64, num_canon_f64((double)num_widen_f16(x)))
WIDEN(BF16, F32, num_canon_f32(num_widen_bf16(x)))
WIDEN(BF16, F64, num_canon_f64((double)num_widen_bf16(x)))
WIDEN(F32, F64, num_canon_f64((double)x))

static Widen *find_widen(unsigned from, unsigned to, bool is_unsigned)
{
    if (from == BVM_I1)
        return !is_unsigned    ? NULL
               : to == BVM_I16 ? widen_bit_I16
               : to == BVM_I32 ? widen_bit_I32
               : to == BVM_I64 ? widen_bit_I64
                               : NULL;
    static const struct {
        uint8_t from, to;
        Widen *fn, *fn_unsigned;
    } table[] = {
#define WIDE_ENTRY(A, UA, B) {BVM_##A, BVM_##B, widen_##A##_##B, widen_u_##A##_##B},
#define WIDE_FLOAT(A, B)     {BVM_##A, BVM_##B, widen_##A##_##B, NULL}
        WIDE_PAIRS(WIDE_ENTRY) WIDE_FLOAT(F16, F32), WIDE_FLOAT(F16, F64), WIDE_FLOAT(BF16, F32), WIDE_FLOAT(BF16, F64),
        WIDE_FLOAT(F32, F64)};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].from == from && table[i].to == to)
            return is_unsigned ? table[i].fn_unsigned : table[i].fn;
    return NULL;
}

/* ---- the kernel ---------------------------------------------------------------------------------- */

typedef void StrictReducer(uint8_t *o, int64_t so, int64_t nv, const uint8_t *i, int64_t siv, int64_t nk);

typedef struct RedEntry {
    uint16_t row;
    uint8_t etype;
    bool ordered;
    Reducer *chains;
    RowReducer *lanes;
    ColumnReducer *columns;
} RedEntry;

static const RedEntry *find_reducer(uint64_t row, unsigned etype)
{
    static const RedEntry table[] = {
#define ENTRY(T, name) {BVM_OP_##name, BVM_##T, ORDERED(name), reduce_##name##_##T, FAST_##T(name)},
        COMBINERS(ENTRY)};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].row == row && table[i].etype == etype)
            return &table[i];
    return NULL;
}

static StrictReducer *find_strict(const RedEntry *entry)
{
    if (entry->etype == BVM_F32 && entry->ordered)
        return entry->row == BVM_OP_addf ? STRICT_ENTRY(F32, addf) : STRICT_ENTRY(F32, mulf);
    if (entry->etype == BVM_F64 && entry->ordered)
        return entry->row == BVM_OP_addf ? STRICT_ENTRY(F64, addf) : STRICT_ENTRY(F64, mulf);
    return NULL;
}

typedef struct RedPlan {
    const RedEntry *entry;
    RowReducer *lanes; /* how, where not NULL */
    StrictReducer *strict;
    ColumnReducer *columns;
    Widen *widen;
    int64_t bytes, in_bytes; /* of an element of the output; of the input */
    bool is_bit;             /* i1: computed as bytes, bit 0 stays */
} RedPlan;

static void keep_bits(const RedPlan *plan, uint8_t *o, int64_t so, int64_t m)
{
    for (int64_t v = 0; plan->is_bit && v < m; v++)
        o[v * so] &= 1;
}

/* m outputs, each over n inputs of their own type. */
static void red_block(const RedPlan *plan, uint8_t *o, int64_t so, int64_t m, const uint8_t *i, int64_t siv, int64_t n, int64_t sik)
{
    int64_t done = 0;
    if (plan->lanes) {
        for (int64_t v = 0; v < m; v++)
            plan->lanes(o + v * so, i + v * siv, n);
        return;
    }
    if (plan->strict && m > 1) {
        plan->strict(o, so, m, i, siv, n);
        return;
    }
    if (plan->columns)
        done = plan->columns(o, m, i, n, sik);
    plan->entry->chains(o + done * so, so, m - done, i + done * siv, siv, n, sik);
}

/* The same for inputs to be converted, a block at a time: eight rows, or eight inputs of many columns. */
static void red_part(const RedPlan *plan, uint8_t *o, int64_t so, int64_t m, const uint8_t *i, int64_t siv, int64_t n, int64_t sik)
{
    if (!plan->widen) {
        red_block(plan, o, so, m, i, siv, n, sik);
        keep_bits(plan, o, so, m);
        return;
    }
    _Alignas(64) uint8_t wide[RED_BLOCK * 8];
    bool across = plan->columns != NULL;
    int64_t ms = across ? RED_BLOCK / 8 : 8, ns = across ? 8 : RED_BLOCK / 8;
    for (int64_t r = 0; r < m; r += ms)
        for (int64_t c = 0; c < n; c += ns) {
            int64_t mr = m - r < ms ? m - r : ms, nc = n - c < ns ? n - c : ns;
            const uint8_t *from = i + r * siv + c * sik;
            int64_t step = plan->bytes * (RED_BLOCK / 8);
            for (int64_t j = 0; j < (across ? nc : mr); j++)
                plan->widen(wide + j * step, from + j * (across ? sik : siv), across ? siv : sik, across ? mr : nc);
            red_block(plan, o + r * so, so, mr, wide, across ? plan->bytes : step, nc, across ? step : plan->bytes);
        }
}

/* Element by element, in row-major order: right whatever overlaps. */
static BufvmStatus red_in_order(BvmKernelArgs *args, const RedPlan *plan)
{
    BvmWalk walk = {.n = args->rank};
    for (uint32_t d = 0; d < args->rank; d++)
        walk.dim[d] = d;
    bvm_walk_start(&walk, args);
    uint64_t piece = 0;
    uint8_t wide[8];
    do {
        const uint8_t *in = walk.ptr[1];
        if (plan->widen) {
            plan->widen(wide, in, 0, 1);
            in = wide;
        }
        plan->entry->chains(walk.ptr[0], 0, 1, in, 0, 1, 0);
        keep_bits(plan, walk.ptr[0], 0, 1);
        if (++piece == BVM_KERNEL_PIECE) {
            BufvmStatus status = args->poll(args->user, piece);
            if (status)
                return status;
            piece = 0;
        }
    } while (bvm_walk_next(&walk, args));
    return args->poll(args->user, piece);
}

/* Output dimension that is worked on side by side: contiguous in both if there is one, else the longest; -1: none. */
static int pick_outputs(const BvmKernelArgs *args, int64_t bytes, int64_t in_bytes)
{
    int best = -1;
    for (uint32_t d = 0; d < args->rank; d++) {
        if (args->op[0].stride[d] == 0 || args->size[d] == 1)
            continue;
        if (args->op[0].stride[d] == bytes && args->op[1].stride[d] == in_bytes && args->size[d] >= 8)
            return (int)d;
        if (best < 0 || args->size[d] > args->size[best])
            best = (int)d;
    }
    return best;
}

BufvmStatus ISA_NAME(bvm_reduce)(BvmKernelArgs *args)
{
    unsigned etype = args->op[0].etype, in = args->op[1].etype;
    RedPlan plan = {.entry = find_reducer(args->param, etype == BVM_I1 ? BVM_I8 : etype),
                    .bytes = (int64_t)bvm_elem_bytes(etype),
                    .in_bytes = (int64_t)bvm_elem_bytes(in),
                    .is_bit = etype == BVM_I1};
    if (in != etype)
        plan.widen = find_widen(in, etype, args->flags & FLAG_UNSIGNED_IN);
    bool bits = args->param == BVM_OP_andi || args->param == BVM_OP_ori || args->param == BVM_OP_xori;
    if (!plan.entry || (in != etype && !plan.widen) || (etype == BVM_I1 && !bits))
        return bvm_error(args->error, BUFVM_INVALID_ARGUMENT, "reduce of %s from %s with opcode row %u is not in the kernel",
                         bvm_elem_name(etype), bvm_elem_name(in), (unsigned)(args->param & 1023));
    if (!bvm_kernel_independent(args, 1))
        return red_in_order(args, &plan);
    bvm_kernel_simplify(args, 0);
    int v = pick_outputs(args, plan.bytes, plan.in_bytes), k = -1;
    for (uint32_t d = 0; d < args->rank; d++)
        if (args->op[0].stride[d] == 0)
            k = (int)d;
    BvmWalk walk;
    walk.n = 0;
    for (int reductions = 0; reductions < 2; reductions++) /* outputs in any order, then reductions in theirs */
        for (uint32_t d = 0; d < args->rank; d++)
            if ((int)d != v && (int)d != k && (args->op[0].stride[d] == 0) == reductions)
                walk.dim[walk.n++] = d;
    bvm_walk_start(&walk, args);
    int64_t nv = v < 0 ? 1 : args->size[v], so = v < 0 ? 0 : args->op[0].stride[v], siv = v < 0 ? 0 : args->op[1].stride[v];
    int64_t nk = k < 0 ? 1 : args->size[k], sik = k < 0 ? 0 : args->op[1].stride[k];
    if (so == plan.bytes && siv == plan.in_bytes && nv >= 8)
        plan.columns = plan.entry->columns;
    else if (sik == plan.in_bytes && (!plan.entry->ordered || args->flags & FLAG_ANY))
        plan.lanes = plan.entry->lanes;
    else if (sik == plan.in_bytes)
        plan.strict = find_strict(plan.entry);
    int64_t cols = plan.columns ? RED_STEPS : plan.lanes ? BVM_KERNEL_PIECE : BVM_KERNEL_PIECE / CHAINS, rows;
    cols = nk < cols ? nk : cols;
    rows = plan.columns ? 1024 : BVM_KERNEL_PIECE / cols / CHAINS * CHAINS;
    rows = rows ? rows : 1;
    do {
        for (int64_t r = 0; r < nv; r += rows)
            for (int64_t c = 0; c < nk; c += cols) {
                int64_t m = nv - r < rows ? nv - r : rows, n = nk - c < cols ? nk - c : cols;
                red_part(&plan, walk.ptr[0] + r * so, so, m, walk.ptr[1] + r * siv + c * sik, siv, n, sik);
                BufvmStatus status = args->poll(args->user, (uint64_t)m * (uint64_t)n);
                if (status)
                    return status;
            }
    } while (bvm_walk_next(&walk, args));
    return BUFVM_OK;
}

#undef CHAINS
#undef ENTRY
#undef COMBINERS
