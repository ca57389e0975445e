/* argreduce: where compare(i[...], o1[...]) then o1 = i, o2 = position along the last dimension.  With a combiner the value is
 * combine(i[...], o1[...]) instead: maximumf and its kin, which differ from the choice by NaNs and the sign of a zero alone, or a
 * choice of its own that tells equals apart otherwise and keeps a NaN, as the index then does.
 *
 * Three ways to walk, all of them the same fold:
 *   chains   any strides: four rows at once, so that one row's chain of compares does not hold up the others
 *   row      inputs side by side along the reduction: the extreme of a block first; where it beats what there is, its place
 *   columns  inputs side by side along the outputs: a lane for each
 * Orders as the eight compares need them: `less` looks for the least, `last` takes equals too, so that the last one stays,
 * `takes_nan` takes where either number is a NaN: then what was found before a NaN is forgotten.
 * Combined values go the same three ways where no NaN is near, and get the sign of their zeros behind it; else they are chains.
 */
#include "lanes.h"

#define CHAINS       4
#define ROW_MIN      16   /* shorter rows are chains */
#define ROW_BLOCK    1024 /* elements whose extreme is found before it is located */
#define COL_STEPS    64   /* inputs of each column in one turn */
#define MOST_COLUMNS 1024

/* nv rows of values and indices, each over nk inputs, the first of which has position `from`. */
typedef void ArgReducer(uint8_t *o1, int64_t so1, uint8_t *o2, int64_t so2, unsigned index_bytes, int64_t nv, const uint8_t *i,
                        int64_t siv, int64_t nk, int64_t sik, int64_t from);

static inline int64_t get_index(const uint8_t *p, unsigned bytes)
{
    switch (bytes) {
    case 1:
        return (int8_t)bvm_get8(p);
    case 2:
        return (int16_t)bvm_get16(p);
    case 4:
        return (int32_t)bvm_get32(p);
    default:
        return (int64_t)bvm_get64(p);
    }
}

static inline void put_index(uint8_t *p, unsigned bytes, int64_t v)
{
    switch (bytes) {
    case 1:
        bvm_put8(p, (uint8_t)v);
        break;
    case 2:
        bvm_put16(p, (uint16_t)v);
        break;
    case 4:
        bvm_put32(p, (uint32_t)v);
        break;
    default:
        bvm_put64(p, (uint64_t)v);
    }
}

/* ---- chains ---------------------------------------------------------------------------- */

#define TAKE(T, name, x, best)      NUM_FN(name, T)(x, best)
#define TAKE_HELD(T, name, x, best) (!NUM_FN(cmpf_uno, T)(best, best) && NUM_FN(name, T)(x, best))
#define CHOOSE(T, take, x, best)    (take) ? (x) : (best)
#define CHAIN_ROWS(T, name, TAKE, VALUE, N)                                                                                        \
    {                                                                                                                              \
        NUM_CT_##T best[N];                                                                                                        \
        int64_t at[N];                                                                                                             \
        for (int l = 0; l < N; l++) {                                                                                              \
            best[l] = LANE_GET(T, o1 + (v + l) * so1);                                                                             \
            at[l] = get_index(o2 + (v + l) * so2, index_bytes);                                                                    \
        }                                                                                                                          \
        const uint8_t *p = i + v * siv;                                                                                            \
        for (int64_t k = from; k < from + nk; k++, p += sik)                                                                       \
            for (int l = 0; l < N; l++) {                                                                                          \
                NUM_CT_##T x = LANE_GET(T, p + l * siv);                                                                           \
                bool take = TAKE(T, name, x, best[l]);                                                                             \
                best[l] = VALUE(T, take, x, best[l]);                                                                              \
                at[l] = take ? k : at[l];                                                                                          \
            }                                                                                                                      \
        for (int l = 0; l < N; l++) {                                                                                              \
            LANE_PUT(T, o1 + (v + l) * so1, best[l]);                                                                              \
            put_index(o2 + (v + l) * so2, index_bytes, at[l]);                                                                     \
        }                                                                                                                          \
    }
#define CHAIN_REDUCER_OF(T, name, suffix, TAKE, VALUE)                                                                             \
    static void arg_##name##suffix##_##T(uint8_t *o1, int64_t so1, uint8_t *o2, int64_t so2, unsigned index_bytes, int64_t nv,     \
                                         const uint8_t *i, int64_t siv, int64_t nk, int64_t sik, int64_t from)                     \
    {                                                                                                                              \
        int64_t v = 0;                                                                                                             \
        for (; v + CHAINS <= nv; v += CHAINS)                                                                                      \
            CHAIN_ROWS(T, name, TAKE, VALUE, CHAINS)                                                                               \
        for (; v < nv; v++)                                                                                                        \
            CHAIN_ROWS(T, name, TAKE, VALUE, 1)                                                                                    \
    }
#define COMPARES(X)                                                                                                                \
    T_FLT(X, cmpf_ogt)                                                                                                             \
    T_FLT(X, cmpf_oge)                                                                                                             \
    T_FLT(X, cmpf_olt)                                                                                                             \
    T_FLT(X, cmpf_ole)                                                                                                             \
    T_FLT(X, cmpf_ugt)                                                                                                             \
    T_FLT(X, cmpf_uge)                                                                                                             \
    T_FLT(X, cmpf_ult)                                                                                                             \
    T_FLT(X, cmpf_ule)                                                                                                             \
    T_INT(X, cmpi_slt)                                                                                                             \
    T_INT(X, cmpi_sle)                                                                                                             \
    T_INT(X, cmpi_sgt)                                                                                                             \
    T_INT(X, cmpi_sge) T_INT(X, cmpi_ult) T_INT(X, cmpi_ule) T_INT(X, cmpi_ugt) T_INT(X, cmpi_uge)
#define CHAIN_REDUCER(T, name) CHAIN_REDUCER_OF(T, name, , TAKE, CHOOSE)
COMPARES(CHAIN_REDUCER)

#define VALUE_maximumf(T, take, x, best)        NUM_FN(maximumf, T)(x, best)
#define VALUE_minimumf(T, take, x, best)        NUM_FN(minimumf, T)(x, best)
#define VALUE_maxnumf(T, take, x, best)         NUM_FN(maxnumf, T)(x, best)
#define VALUE_minnumf(T, take, x, best)         NUM_FN(minnumf, T)(x, best)
#define COMBINING_REDUCER(T, compare, combiner) CHAIN_REDUCER_OF(T, compare, _##combiner, TAKE, VALUE_##combiner)
/* Compares and combiners that look the same way. */
#define COMBINING(X, compare, combiner)                                                                                            \
    X(F16, compare, combiner) X(BF16, compare, combiner) X(F32, compare, combiner) X(F64, compare, combiner)
#define COMBINED_ROWS(X)                                                                                                           \
    COMBINING(X, cmpf_ogt, maximumf)                                                                                               \
    COMBINING(X, cmpf_oge, maximumf)                                                                                               \
    COMBINING(X, cmpf_ugt, maximumf)                                                                                               \
    COMBINING(X, cmpf_uge, maximumf)                                                                                               \
    COMBINING(X, cmpf_ogt, maxnumf)                                                                                                \
    COMBINING(X, cmpf_oge, maxnumf)                                                                                                \
    COMBINING(X, cmpf_ugt, maxnumf)                                                                                                \
    COMBINING(X, cmpf_uge, maxnumf)                                                                                                \
    COMBINING(X, cmpf_olt, minimumf)                                                                                               \
    COMBINING(X, cmpf_ole, minimumf)                                                                                               \
    COMBINING(X, cmpf_ult, minimumf)                                                                                               \
    COMBINING(X, cmpf_ule, minimumf)                                                                                               \
    COMBINING(X, cmpf_olt, minnumf)                                                                                                \
    COMBINING(X, cmpf_ole, minnumf)                                                                                                \
    COMBINING(X, cmpf_ult, minnumf)                                                                                                \
    COMBINING(X, cmpf_ule, minnumf)
COMBINED_ROWS(COMBINING_REDUCER)

/* A NaN that is found stays, and value and index need not agree on equals: compares of the index, of the value; what the first
   one is where there are no NaNs. */
#define VALUE_cmpf_ugt(T, take, x, best) TAKE_HELD(T, cmpf_ugt, x, best) ? (x) : (best)
#define VALUE_cmpf_uge(T, take, x, best) TAKE_HELD(T, cmpf_uge, x, best) ? (x) : (best)
#define VALUE_cmpf_ult(T, take, x, best) TAKE_HELD(T, cmpf_ult, x, best) ? (x) : (best)
#define VALUE_cmpf_ule(T, take, x, best) TAKE_HELD(T, cmpf_ule, x, best) ? (x) : (best)
#define HOLDING(X, compare, value, ordered)                                                                                        \
    X(F16, compare, value, ordered) X(BF16, compare, value, ordered) X(F32, compare, value, ordered) X(F64, compare, value, ordered)
#define HELD_ROWS(X)                                                                                                               \
    HOLDING(X, cmpf_ugt, cmpf_ugt, cmpf_ogt)                                                                                       \
    HOLDING(X, cmpf_ugt, cmpf_uge, cmpf_ogt)                                                                                       \
    HOLDING(X, cmpf_uge, cmpf_ugt, cmpf_oge)                                                                                       \
    HOLDING(X, cmpf_uge, cmpf_uge, cmpf_oge)                                                                                       \
    HOLDING(X, cmpf_ult, cmpf_ult, cmpf_olt)                                                                                       \
    HOLDING(X, cmpf_ult, cmpf_ule, cmpf_olt)                                                                                       \
    HOLDING(X, cmpf_ule, cmpf_ult, cmpf_ole)                                                                                       \
    HOLDING(X, cmpf_ule, cmpf_ule, cmpf_ole)
#define HOLDING_REDUCER(T, compare, value, ordered) CHAIN_REDUCER_OF(T, compare, _##value, TAKE_HELD, VALUE_##value)
HELD_ROWS(HOLDING_REDUCER)

/* ---- keys -------------------------------------------------------------------------------- */

#if !BVM_BIG_ENDIAN
#define INLINE NUM_INLINE

/* Keys order as the numbers do.  For f32, f64 and integers they are the numbers; f16 and bf16 become integers, where a NaN is
   above all (side 1) or below all (side -1). */
#define KEYS_SELF(T)                                                                                                               \
    INLINE x_##T keys_##T(x_##T raw, int side)                                                                                     \
    {                                                                                                                              \
        return (void)side, raw;                                                                                                    \
    }                                                                                                                              \
    INLINE n_##T nans_##T(x_##T raw)                                                                                               \
    {                                                                                                                              \
        return (n_##T)(raw != raw);                                                                                                \
    }                                                                                                                              \
    INLINE n_##T takes_##T(x_##T x, x_##T best, bool less, bool last, bool takes_nan)                                              \
    {                                                                                                                              \
        if (takes_nan)                                                                                                             \
            return (n_##T) ~(less ? last ? x > best : x >= best : last ? x < best : x <= best);                                    \
        return (n_##T)(less ? last ? x <= best : x < best : last ? x >= best : x > best);                                          \
    }
#define KEYS_SMALL(T, INFINITE)                                                                                                    \
    INLINE x_##T keys_##T(x_##T raw, int side)                                                                                     \
    {                                                                                                                              \
        x_##T sign = raw >> 15, size = raw & 0x7fff, key = (size ^ sign) - sign;                                                   \
        return X_SELECT(x_##T, size > INFINITE, X_SPLAT(T, (int16_t)(side < 0 ? INT16_MIN : INT16_MAX)), key);                     \
    }                                                                                                                              \
    INLINE n_##T nans_##T(x_##T raw)                                                                                               \
    {                                                                                                                              \
        return (n_##T)((raw & 0x7fff) > INFINITE);                                                                                 \
    }                                                                                                                              \
    /* a NaN is a key that wins: in x only where it is taken, in best until it is taken from */                                    \
    INLINE n_##T takes_##T(x_##T x, x_##T best, bool less, bool last, bool takes_nan)                                              \
    {                                                                                                                              \
        n_##T wins = (n_##T)(less ? last ? x <= best : x < best : last ? x >= best : x > best);                                    \
        return takes_nan ? wins | (n_##T)(best == (int16_t)(less ? INT16_MIN : INT16_MAX)) : wins;                                 \
    }
KEYS_SELF(I8)
KEYS_SELF(I16)
KEYS_SELF(I32)
KEYS_SELF(I64)
KEYS_SELF(U8)
KEYS_SELF(U16)
KEYS_SELF(U32)
KEYS_SELF(U64)
KEYS_SELF(F32)
KEYS_SELF(F64)
KEYS_SMALL(F16, 0x7c00)
KEYS_SMALL(BF16, 0x7f80)

/* What every number that is no NaN beats or equals. */
#define FLOOR_F32(less)  ((less) ? __builtin_inff() : -__builtin_inff())
#define FLOOR_F64(less)  ((less) ? __builtin_inf() : -__builtin_inf())
#define FLOOR_F16(less)  ((int16_t)((less) ? INT16_MAX : INT16_MIN))
#define FLOOR_BF16(less) FLOOR_F16(less)
#define FLOOR_I8(less)   ((int8_t)((less) ? INT8_MAX : INT8_MIN))
#define FLOOR_I16(less)  ((int16_t)((less) ? INT16_MAX : INT16_MIN))
#define FLOOR_I32(less)  ((less) ? INT32_MAX : INT32_MIN)
#define FLOOR_I64(less)  ((less) ? INT64_MAX : INT64_MIN)
#define FLOOR_U8(less)   ((uint8_t)((less) ? UINT8_MAX : 0))
#define FLOOR_U16(less)  ((uint16_t)((less) ? UINT16_MAX : 0))
#define FLOOR_U32(less)  ((less) ? UINT32_MAX : 0)
#define FLOOR_U64(less)  ((less) ? UINT64_MAX : 0)

/* ---- rows ---------------------------------------------------------------------------------- */

/* One row of n inputs side by side, at least ROW_MIN, the first of which has position `from`. */
typedef void RowSearch(uint8_t *o1, uint8_t *o2, unsigned index_bytes, const uint8_t *p, int64_t n, int64_t from);

#define FURTHER(T)                                                                                                                 \
    INLINE x_##T further_##T(x_##T x, x_##T best, bool less)                                                                       \
    {                                                                                                                              \
        return less ? X_SELECT(x_##T, x < best, x, best) : X_SELECT(x_##T, x > best, x, best);                                     \
    }
#define FURTHER_FLOAT(T)                                                                                                           \
    INLINE x_##T further_##T(x_##T x, x_##T best, bool less)                                                                       \
    {                                                                                                                              \
        return less ? X_MIN_##T(x, best) : X_MAX_##T(x, best);                                                                     \
    }
FURTHER(I8)
FURTHER(I16)
FURTHER(I32)
FURTHER(I64)
FURTHER(U8)
FURTHER(U16)
FURTHER(U32)
FURTHER(U64)
FURTHER(F16)
FURTHER(BF16)
FURTHER_FLOAT(F32)
FURTHER_FLOAT(F64)

/* The extreme key of n >= E elements.  The end is looked at together with some elements before it. */
#define EXTREME(T, C)                                                                                                              \
    INLINE C extreme_of_##T(const uint8_t *p, int64_t n, bool less)                                                                \
    {                                                                                                                              \
        enum { E = V_BYTES / sizeof(C) };                                                                                          \
        int side = less ? 1 : -1;                                                                                                  \
        x_##T part[4];                                                                                                             \
        UNROLL                                                                                                                     \
        for (int j = 0; j < 4; j++)                                                                                                \
            part[j] = X_SPLAT(T, FLOOR_##T(less));                                                                                 \
        int64_t i = 0;                                                                                                             \
        for (; i + 4 * E <= n; i += 4 * E)                                                                                         \
            UNROLL                                                                                                                 \
        for (int j = 0; j < 4; j++) {                                                                                              \
            x_##T x = keys_##T(X_LOAD(T, p + (i + j * E) * (int64_t)sizeof(C)), side);                                             \
            part[j] = further_##T(x, part[j], less);                                                                               \
        }                                                                                                                          \
        for (; i < n; i += E) {                                                                                                    \
            x_##T x = keys_##T(X_LOAD(T, p + (i + E <= n ? i : n - E) * (int64_t)sizeof(C)), side);                                \
            part[0] = further_##T(x, part[0], less);                                                                               \
        }                                                                                                                          \
        UNROLL                                                                                                                     \
        for (int j = 1; j < 4; j++)                                                                                                \
            part[0] = further_##T(part[j], part[0], less);                                                                         \
        C key = part[0][0];                                                                                                        \
        for (int l = 1; l < E; l++)                                                                                                \
            key = (less ? part[0][l] < key : part[0][l] > key) ? part[0][l] : key;                                                 \
        return key;                                                                                                                \
    }                                                                                                                              \
    static __attribute__((noinline)) C extreme_##T(const uint8_t *p, int64_t n, bool less)                                         \
    {                                                                                                                              \
        return less ? extreme_of_##T(p, n, true) : extreme_of_##T(p, n, false);                                                    \
    }

/* First or last of n >= E elements for which `mask` of the vector x holds, or -1. */
#define PLACE(name, T, C, ARG, mask)                                                                                               \
    static __attribute__((noinline)) int64_t name##_##T(const uint8_t *p, int64_t n, ARG, bool last)                               \
    {                                                                                                                              \
        enum { E = V_BYTES / sizeof(C) };                                                                                          \
        for (int64_t i = 0; i < n; i += E) {                                                                                       \
            int64_t at = i + E <= n ? i : n - E;                                                                                   \
            if (last)                                                                                                              \
                at = n - E - at;                                                                                                   \
            x_##T x = X_LOAD(T, p + at * (int64_t)sizeof(C));                                                                      \
            n_##T found = mask;                                                                                                    \
            if (!x_any((x_U64)found))                                                                                              \
                continue;                                                                                                          \
            if (last)                                                                                                              \
                for (int l = E; l-- > 0;)                                                                                          \
                    if (found[l])                                                                                                  \
                        return at + l;                                                                                             \
            for (int l = 0; l < E; l++)                                                                                            \
                if (found[l])                                                                                                      \
                    return at + l;                                                                                                 \
        }                                                                                                                          \
        return -1;                                                                                                                 \
    }

#define SEARCH(T, C, IS_FLOAT)                                                                                                     \
    EXTREME(T, C)                                                                                                                  \
    PLACE(place, T, C, C key, (n_##T)(keys_##T(x, last ? 1 : -1) == key))                                                          \
    PLACE(nan, T, C, C key, ((void)key, nans_##T(x)))                                                                              \
    static __attribute__((noinline)) void search_##T(uint8_t *o1, uint8_t *o2, unsigned index_bytes, const uint8_t *p, int64_t n,  \
                                                     int64_t from, bool less, bool last, bool takes_nan)                           \
    {                                                                                                                              \
        enum { E = V_BYTES / sizeof(C) };                                                                                          \
        const int64_t bytes = sizeof(C);                                                                                           \
        const uint8_t *best = o1;                                                                                                  \
        int64_t b = 0, at = -1, z;                                                                                                 \
        while (b < n) {                                                                                                            \
            const uint8_t *q = p + b * bytes;                                                                                      \
            int64_t m = n - b <= ROW_BLOCK + E ? n - b : ROW_BLOCK;                                                                \
            C raw = *(const e_##T *)best;                                                                                          \
            x_##T had = keys_##T(X_SPLAT(T, raw), less ? -1 : 1);                                                                  \
            bool at_nan = IS_FLOAT && nans_##T(X_SPLAT(T, raw))[0];                                                                \
            if (at_nan && !takes_nan)                                                                                              \
                break;                                                                                                             \
            if (at_nan || m < E) { /* one step of the definition */                                                                \
                C next = *(const e_##T *)q;                                                                                        \
                m = 1;                                                                                                             \
                z = takes_##T(keys_##T(X_SPLAT(T, next), less == takes_nan ? -1 : 1), had, less, last, takes_nan)[0] ? 0 : -1;     \
            } else if (IS_FLOAT && takes_nan && (z = nan_##T(q, m, 0, true)) >= 0) {                                               \
                m = z + 1;                                                                                                         \
            } else {                                                                                                               \
                C key = extreme_##T(q, m, less);                                                                                   \
                z = takes_##T(X_SPLAT(T, key), had, less, last, false)[0] ? place_##T(q, m, key, last) : -1;                       \
            }                                                                                                                      \
            if (z >= 0) {                                                                                                          \
                best = q + z * bytes;                                                                                              \
                at = from + b + z;                                                                                                 \
            }                                                                                                                      \
            b += m;                                                                                                                \
        }                                                                                                                          \
        if (at >= 0) {                                                                                                             \
            memcpy(o1, best, sizeof(C));                                                                                           \
            put_index(o2, index_bytes, at);                                                                                        \
        }                                                                                                                          \
    }

/* ---- columns ---------------------------------------------------------------------------------- */

/* nv outputs side by side, each over nk <= COL_STEPS inputs; those of one step are side by side too.  Gives how many outputs it
   has done. */
typedef int64_t ColumnSearch(uint8_t *o1, uint8_t *o2, int64_t so2, unsigned index_bytes, int64_t nv, const uint8_t *i, int64_t nk,
                             int64_t sik, int64_t from);

#define COLUMNS(T, C)                                                                                                              \
    INLINE int64_t columns_##T(uint8_t *o1, uint8_t *o2, int64_t so2, unsigned index_bytes, int64_t nv, const uint8_t *i,          \
                               int64_t nk, int64_t sik, int64_t from, bool less, bool last, bool takes_nan)                        \
    {                                                                                                                              \
        enum { E = V_BYTES / sizeof(C) };                                                                                          \
        enum { G = 64 / V_BYTES, W = G * E }; /* a cache line at once: those of several steps may not be kept */                   \
        int64_t v = 0;                                                                                                             \
        for (; v + W <= nv; v += W) {                                                                                              \
            const uint8_t *p = i + v * (int64_t)sizeof(C);                                                                         \
            uint8_t *o = o1 + v * (int64_t)sizeof(C);                                                                              \
            x_##T raw[G], best[G];                                                                                                 \
            n_##T at[G], k = {0};                                                                                                  \
            UNROLL                                                                                                                 \
            for (int g = 0; g < G; g++) {                                                                                          \
                raw[g] = X_LOAD(T, o + g * V_BYTES);                                                                               \
                best[g] = keys_##T(raw[g], less ? -1 : 1);                                                                         \
                at[g] = (n_##T){0} - 1;                                                                                            \
            }                                                                                                                      \
            for (int64_t step = 0; step < nk; step++, p += sik) {                                                                  \
                UNROLL                                                                                                             \
                for (int g = 0; g < G; g++) {                                                                                      \
                    x_##T in = X_LOAD(T, p + g * V_BYTES), key = keys_##T(in, less == takes_nan ? -1 : 1);                         \
                    n_##T take = takes_##T(key, best[g], less, last, takes_nan);                                                   \
                    raw[g] = X_SELECT(x_##T, take, in, raw[g]);                                                                    \
                    best[g] = X_SELECT(x_##T, take, key, best[g]);                                                                 \
                    at[g] = X_SELECT(n_##T, take, k, at[g]);                                                                       \
                }                                                                                                                  \
                k += 1;                                                                                                            \
            }                                                                                                                      \
            UNROLL                                                                                                                 \
            for (int g = 0; g < G; g++) {                                                                                          \
                X_STORE(T, o + g * V_BYTES, raw[g]);                                                                               \
                if (!x_any((x_U64)(at[g] >= 0)))                                                                                   \
                    continue;                                                                                                      \
                for (int l = 0; l < E; l++)                                                                                        \
                    if (at[g][l] >= 0)                                                                                             \
                        put_index(o2 + (v + g * E + l) * so2, index_bytes, from + at[g][l]);                                       \
            }                                                                                                                      \
        }                                                                                                                          \
        return v;                                                                                                                  \
    }

#define EACH_KEY(X)                                                                                                                \
    X(I8, int8_t, 0)                                                                                                               \
    X(I16, int16_t, 0)                                                                                                             \
    X(I32, int32_t, 0)                                                                                                             \
    X(I64, int64_t, 0)                                                                                                             \
    X(U8, uint8_t, 0)                                                                                                              \
    X(U16, uint16_t, 0)                                                                                                            \
    X(U32, uint32_t, 0)                                                                                                            \
    X(U64, uint64_t, 0) X(F16, int16_t, 1) X(BF16, int16_t, 1) X(F32, float, 1) X(F64, double, 1)
#define SEARCH_AND_COLUMNS(T, C, IS_FLOAT) SEARCH(T, C, IS_FLOAT) COLUMNS(T, C)
EACH_KEY(SEARCH_AND_COLUMNS)
/* A compare as an order on the keys K: ORDER(what, T, compare, K, less, last, takes NaN). */
#define ROW_ORDER(T, name, K, less, last, takes_nan)                                                                               \
    static void row_##name##_##T(uint8_t *o1, uint8_t *o2, unsigned index_bytes, const uint8_t *p, int64_t n, int64_t from)        \
    {                                                                                                                              \
        search_##K(o1, o2, index_bytes, p, n, from, less, last, takes_nan);                                                        \
    }
#define COLUMN_ORDER(T, name, K, less, last, takes_nan)                                                                            \
    static int64_t columns_##name##_##T(uint8_t *o1, uint8_t *o2, int64_t so2, unsigned index_bytes, int64_t nv, const uint8_t *i, \
                                        int64_t nk, int64_t sik, int64_t from)                                                     \
    {                                                                                                                              \
        return columns_##K(o1, o2, so2, index_bytes, nv, i, nk, sik, from, less, last, takes_nan);                                 \
    }
#define INT_ORDERS(ORDER, T, U)                                                                                                    \
    ORDER(T, cmpi_slt, T, true, false, false)                                                                                      \
    ORDER(T, cmpi_sle, T, true, true, false)                                                                                       \
    ORDER(T, cmpi_sgt, T, false, false, false)                                                                                     \
    ORDER(T, cmpi_sge, T, false, true, false)                                                                                      \
    ORDER(T, cmpi_ult, U, true, false, false)                                                                                      \
    ORDER(T, cmpi_ule, U, true, true, false)                                                                                       \
    ORDER(T, cmpi_ugt, U, false, false, false) ORDER(T, cmpi_uge, U, false, true, false)
#define FLOAT_ORDERS(ORDER, T, K)                                                                                                  \
    ORDER(T, cmpf_olt, K, true, false, false)                                                                                      \
    ORDER(T, cmpf_ole, K, true, true, false)                                                                                       \
    ORDER(T, cmpf_ogt, K, false, false, false)                                                                                     \
    ORDER(T, cmpf_oge, K, false, true, false)                                                                                      \
    ORDER(T, cmpf_ult, K, true, false, true)                                                                                       \
    ORDER(T, cmpf_ule, K, true, true, true)                                                                                        \
    ORDER(T, cmpf_ugt, K, false, false, true) ORDER(T, cmpf_uge, K, false, true, true)
#define ORDERS(ORDER)                                                                                                              \
    INT_ORDERS(ORDER, I8, U8)                                                                                                      \
    INT_ORDERS(ORDER, I16, U16)                                                                                                    \
    INT_ORDERS(ORDER, I32, U32)                                                                                                    \
    INT_ORDERS(ORDER, I64, U64)                                                                                                    \
    FLOAT_ORDERS(ORDER, F16, F16) FLOAT_ORDERS(ORDER, BF16, BF16) FLOAT_ORDERS(ORDER, F64, F64)
ORDERS(ROW_ORDER)
ORDERS(COLUMN_ORDER)
FLOAT_ORDERS(COLUMN_ORDER, F32, F32)
#ifdef ISA_SEARCH_F32
#include ISA_SEARCH_F32
#else
FLOAT_ORDERS(ROW_ORDER, F32, F32)
#endif
#define FAST(name, T) row_##name##_##T, columns_##name##_##T
#else
typedef void RowSearch(void);
typedef int64_t ColumnSearch(void);
#define FAST(name, T) NULL, NULL
#endif

/* ---- combined values ------------------------------------------------------------------------------ */

/* What the parts that look at numbers need of a type.  All want n >= a vector's elements. */
typedef struct Looks {
    int64_t lanes;
    int64_t (*nan)(const uint8_t *p, int64_t n);              /* place of one, or -1 */
    int64_t (*zero)(const uint8_t *p, int64_t n, bool minus); /* place of a zero of that sign, or -1 */
    int64_t (*any_zero)(const uint8_t *p, int64_t n, bool last);
} Looks;

#if !BVM_BIG_ENDIAN
#define ZERO(T, C)                                                                                                                 \
    PLACE(zero, T, C, bool minus, (n_##T)((n_##T)x == (minus ? ((n_##T){0} - 1) << (8 * (int)sizeof(C) - 1) : (n_##T){0})))
#define ANY_ZERO(T, C) PLACE(any_zero, T, C, C unused, ((void)unused, (n_##T)((n_##T)x << 1 == (n_##T){0})))
ANY_ZERO(F16, int16_t)
ANY_ZERO(BF16, int16_t)
ANY_ZERO(F32, float)
ANY_ZERO(F64, double)
ZERO(F16, int16_t)
ZERO(BF16, int16_t)
ZERO(F32, float)
ZERO(F64, double)
#define LOOKS(T, C)                                                                                                                \
    static int64_t look_nan_##T(const uint8_t *p, int64_t n)                                                                       \
    {                                                                                                                              \
        return nan_##T(p, n, 0, false);                                                                                            \
    }                                                                                                                              \
    static int64_t look_zero_##T(const uint8_t *p, int64_t n, bool minus)                                                          \
    {                                                                                                                              \
        return zero_##T(p, n, minus, false);                                                                                       \
    }                                                                                                                              \
    static int64_t look_any_zero_##T(const uint8_t *p, int64_t n, bool last)                                                       \
    {                                                                                                                              \
        return any_zero_##T(p, n, 0, last);                                                                                        \
    }                                                                                                                              \
    static const Looks looks_##T = {V_BYTES / sizeof(C), look_nan_##T, look_zero_##T, look_any_zero_##T};
LOOKS(F16, int16_t)
LOOKS(BF16, int16_t)
LOOKS(F32, float)
LOOKS(F64, double)
#define LOOKS_OF(T) &looks_##T
#else
#define LOOKS_OF(T) NULL
#endif

/* ---- the kernel -------------------------------------------------------------------------------- */

typedef struct ArgEntry {
    uint16_t row, combiner; /* combiner 0: the value is chosen */
    uint8_t etype;
    ArgReducer *chains;
    RowSearch *search;
    ColumnSearch *columns;
    const Looks *looks; /* of a combined value */
} ArgEntry;

static const ArgEntry *find_arg(uint64_t param, unsigned etype)
{
    static const ArgEntry table[] = {
#define ENTRY(T, name) {BVM_OP_##name, 0, BVM_##T, arg_##name##_##T, FAST(name, T), NULL},
#define COMBINED(T, name, combiner)                                                                                                \
    {BVM_OP_##name, BVM_OP_##combiner, BVM_##T, arg_##name##_##combiner##_##T, FAST(name, T), LOOKS_OF(T)},
#define HELD(T, name, value, ordered)                                                                                              \
    {BVM_OP_##name, BVM_OP_##value, BVM_##T, arg_##name##_##value##_##T, FAST(ordered, T), LOOKS_OF(T)},
        COMPARES(ENTRY) COMBINED_ROWS(COMBINED) HELD_ROWS(HELD)};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if ((table[i].row | (uint64_t)table[i].combiner << 16) == param && table[i].etype == etype)
            return &table[i];
    return NULL;
}

/* One element after the other in row-major order: right whatever overlaps. */
static BufvmStatus arg_in_order(BvmKernelArgs *args, const ArgEntry *entry, uint32_t position, unsigned index_bytes)
{
    BvmWalk walk = {.n = args->rank};
    for (uint32_t d = 0; d < args->rank; d++)
        walk.dim[d] = d;
    bvm_walk_start(&walk, args);
    uint64_t owed = 0;
    do {
        entry->chains(walk.ptr[0], 0, walk.ptr[1], 0, index_bytes, 1, walk.ptr[2], 0, 1, 0, walk.at[position]);
        if (++owed == BVM_KERNEL_PIECE) {
            BufvmStatus status = args->poll(args->user, owed);
            if (status)
                return status;
            owed = 0;
        }
    } while (bvm_walk_next(&walk, args));
    return args->poll(args->user, owed);
}

/* The dimension of the position comes last, where no other reduction behind it sets the order. */
static bool position_last(BvmKernelArgs *args, uint32_t position)
{
    if (args->op[0].stride[position] || args->op[1].stride[position])
        return false;
    for (uint32_t d = position + 1; d < args->rank; d++)
        if (args->size[d] > 1 && !args->op[0].stride[d])
            return false;
    int64_t size = args->size[position];
    for (uint32_t d = position; d + 1 < args->rank; d++)
        args->size[d] = args->size[d + 1];
    args->size[args->rank - 1] = size;
    for (uint32_t k = 0; k < args->nops; k++) {
        int64_t stride = args->op[k].stride[position];
        for (uint32_t d = position; d + 1 < args->rank; d++)
            args->op[k].stride[d] = args->op[k].stride[d + 1];
        args->op[k].stride[args->rank - 1] = stride;
    }
    return true;
}

typedef struct ArgPlane { /* nv outputs, each over nk inputs */
    int64_t nv, so1, so2, siv, nk, sik;
    unsigned index_bytes;
} ArgPlane;

#if !BVM_BIG_ENDIAN
static bool looks_minimum(const ArgEntry *entry)
{
    return entry->combiner == BVM_OP_minimumf || entry->combiner == BVM_OP_minnumf;
}

static bool holds(const ArgEntry *entry)
{
    return entry->combiner < BVM_OP_maximumf || entry->combiner > BVM_OP_minnumf;
}

static bool is_zero(const uint8_t *p, unsigned bytes)
{
    for (unsigned i = 0; i + 1 < bytes; i++)
        if (p[i])
            return false;
    return (p[bytes - 1] & 0x7f) == 0;
}

/* Where a zero was chosen, which one it is: n elements, `step` bytes apart, none a NaN; what there was before them. */
static void choose_zero(const ArgEntry *entry, uint8_t *o1, const uint8_t *before, const uint8_t *p, int64_t n, int64_t step)
{
    unsigned bytes = bvm_elem_bytes(entry->etype);
    bool together = step == (int64_t)bytes && n >= entry->looks->lanes;
    int64_t at = -1;
    if (!is_zero(o1, bytes))
        return;
    if (!holds(entry)) { /* a positive one wins a maximum */
        uint8_t wins[8] = {0}, loses[8] = {0};
        bool minimum = looks_minimum(entry);
        (minimum ? wins : loses)[bytes - 1] = 0x80;
        if (together)
            at = entry->looks->zero(p, n, minimum);
        for (int64_t k = 0; !together && k < n && at < 0; k++)
            at = memcmp(p + k * step, wins, bytes) == 0 ? k : -1;
        memcpy(o1, at >= 0 || memcmp(before, wins, bytes) == 0 ? wins : loses, bytes);
        return;
    }
    bool last = entry->combiner == BVM_OP_cmpf_uge || entry->combiner == BVM_OP_cmpf_ule;
    if (last || !is_zero(before, bytes)) {
        if (together)
            at = entry->looks->any_zero(p, n, last);
        for (int64_t k = 0; !together && k < n && (last || at < 0); k++)
            at = is_zero(p + k * step, bytes) ? k : at;
    }
    memcpy(o1, at >= 0 ? p + at * step : before, bytes);
}

/* One row, block by block. */
static void combined_row(const ArgEntry *entry, uint8_t *o1, uint8_t *o2, unsigned index_bytes, const uint8_t *p, int64_t n,
                         int64_t from)
{
    unsigned bytes = bvm_elem_bytes(entry->etype);
    uint8_t same[64], before[8];
    for (int64_t b = 0, m; b < n; b += m, p += m * bytes) {
        m = n - b <= ROW_BLOCK ? n - b : ROW_BLOCK;
        for (int64_t l = 0; l < entry->looks->lanes; l++)
            memcpy(same + l * bytes, o1, bytes);
        if (holds(entry) && entry->looks->nan(same, entry->looks->lanes) >= 0)
            return;
        if (m < entry->looks->lanes || m < ROW_MIN || entry->looks->nan(same, entry->looks->lanes) >= 0 ||
            entry->looks->nan(p, m) >= 0) {
            entry->chains(o1, 0, o2, 0, index_bytes, 1, p, 0, m, bytes, from + b);
            continue;
        }
        memcpy(before, o1, bytes);
        entry->search(o1, o2, index_bytes, p, m, from + b);
        choose_zero(entry, o1, before, p, m, bytes);
    }
}

/* Outputs side by side; gives how many are done. */
static int64_t combined_columns(const ArgEntry *entry, uint8_t *o1, uint8_t *o2, int64_t so2, unsigned index_bytes, int64_t nv,
                                const uint8_t *i, int64_t nk, int64_t sik, int64_t from)
{
    unsigned bytes = bvm_elem_bytes(entry->etype);
    uint8_t before[MOST_COLUMNS * 8];
    if (nv < entry->looks->lanes || nv > MOST_COLUMNS || entry->looks->nan(o1, nv) >= 0)
        return 0;
    for (int64_t k = 0; k < nk; k++)
        if (entry->looks->nan(i + k * sik, nv) >= 0)
            return 0;
    memcpy(before, o1, (size_t)nv * bytes);
    int64_t done = entry->columns(o1, o2, so2, index_bytes, nv, i, nk, sik, from);
    for (int64_t v = 0; v < done; v++)
        choose_zero(entry, o1 + v * bytes, before + v * bytes, i + v * bytes, nk, sik);
    return done;
}
#endif

/* A part of it: outputs r .. r + m - 1, inputs c .. c + n - 1. */
static void arg_part(const ArgEntry *entry, const ArgPlane *a, uint8_t *const *ptr, int64_t r, int64_t m, int64_t c, int64_t n,
                     bool rows, bool columns)
{
    uint8_t *o1 = ptr[0] + r * a->so1, *o2 = ptr[1] + r * a->so2;
    const uint8_t *i = ptr[2] + r * a->siv + c * a->sik;
#if !BVM_BIG_ENDIAN
    if (rows) {
        for (int64_t v = 0; v < m; v++)
            if (entry->combiner)
                combined_row(entry, o1 + v * a->so1, o2 + v * a->so2, a->index_bytes, i + v * a->siv, n, c);
            else
                entry->search(o1 + v * a->so1, o2 + v * a->so2, a->index_bytes, i + v * a->siv, n, c);
        return;
    }
    if (columns) {
        int64_t done = entry->combiner ? combined_columns(entry, o1, o2, a->so2, a->index_bytes, m, i, n, a->sik, c)
                                       : entry->columns(o1, o2, a->so2, a->index_bytes, m, i, n, a->sik, c);
        o1 += done * a->so1;
        o2 += done * a->so2;
        i += done * a->siv;
        m -= done;
    }
#else
    (void)rows, (void)columns;
#endif
    entry->chains(o1, a->so1, o2, a->so2, a->index_bytes, m, i, a->siv, n, a->sik, c);
}

static BufvmStatus arg_plane(BvmKernelArgs *args, const ArgEntry *entry, const ArgPlane *a, uint8_t *const *ptr)
{
    int64_t bytes = (int64_t)bvm_elem_bytes(args->op[0].etype);
    bool rows = !BVM_BIG_ENDIAN && a->sik == bytes && a->nk >= ROW_MIN;
    bool columns = !BVM_BIG_ENDIAN && !rows && a->siv == bytes && a->so1 == bytes;
    int64_t c_step = rows ? BVM_KERNEL_PIECE : columns ? COL_STEPS : BVM_KERNEL_PIECE / CHAINS, r_step;
    c_step = a->nk < c_step ? a->nk : c_step;
    r_step = columns ? MOST_COLUMNS : c_step >= BVM_KERNEL_PIECE || a->nv == 1 ? 1 : BVM_KERNEL_PIECE / c_step / CHAINS * CHAINS;
    r_step = r_step ? r_step : 1;
    for (int64_t r = 0; r < a->nv; r += r_step)
        for (int64_t c = 0; c < a->nk; c += c_step) {
            int64_t m = a->nv - r < r_step ? a->nv - r : r_step, n = a->nk - c < c_step ? a->nk - c : c_step;
            arg_part(entry, a, ptr, r, m, c, n, rows && n >= ROW_MIN, columns);
            BufvmStatus status = args->poll(args->user, (uint64_t)m * (uint64_t)n);
            if (status)
                return status;
        }
    return BUFVM_OK;
}

/* One row whose elements lie side by side, of one piece: as much as a short call is about. */
static bool is_short_row(const BvmKernelArgs *args, const ArgEntry *entry)
{
    return !BVM_BIG_ENDIAN && args->independent && args->rank == 1 && !entry->combiner && args->size[0] >= ROW_MIN &&
           args->size[0] <= BVM_KERNEL_PIECE && !args->op[0].stride[0] && !args->op[1].stride[0] &&
           args->op[2].stride[0] == (int64_t)bvm_elem_bytes(args->op[2].etype);
}

BufvmStatus ISA_NAME(bvm_argreduce)(BvmKernelArgs *args)
{
    unsigned etype = args->op[0].etype, index = args->op[1].etype, index_bytes = bvm_elem_bytes(index);
    bool index_ok = index == BVM_I8 || index == BVM_I16 || index == BVM_I32 || index == BVM_I64;
    bool ok = args->op[2].etype == etype && index_ok && args->flags < args->rank;
    const ArgEntry *entry = ok ? find_arg(args->param, etype) : NULL;
    if (!entry)
        return bvm_error(args->error, BUFVM_INVALID_ARGUMENT, "argreduce of %s to %s with opcode row %u is not in the kernel",
                         bvm_elem_name(etype), bvm_elem_name(index), (unsigned)(args->param & 0xffff));
    if (is_short_row(args, entry)) {
        ArgPlane row = {.nv = 1, .nk = args->size[0], .sik = args->op[2].stride[0], .index_bytes = index_bytes};
        uint8_t *const at[] = {args->op[0].p, args->op[1].p, args->op[2].p};
        arg_part(entry, &row, at, 0, 1, 0, row.nk, true, false);
        return args->poll(args->user, (uint64_t)row.nk);
    }
    uint32_t position = args->rank - 1 - args->flags;
    if (!bvm_kernel_independent(args, 2) || !position_last(args, position))
        return arg_in_order(args, entry, position, index_bytes);
    bvm_kernel_simplify(args, 1);
    uint32_t k = args->rank - 1;
    int64_t bytes = (int64_t)bvm_elem_bytes(etype);
    if (k == 0) { /* one output */
        ArgPlane row = {.nv = 1, .nk = args->size[0], .sik = args->op[2].stride[0], .index_bytes = index_bytes};
        uint8_t *const at[] = {args->op[0].p, args->op[1].p, args->op[2].p};
        return arg_plane(args, entry, &row, at);
    }
    int v = -1; /* side by side: contiguous if there is such a dimension, else the longest */
    for (uint32_t d = 0; d < k; d++) {
        bool is_out = args->op[0].stride[d] && args->op[1].stride[d];
        bool dense = is_out && args->op[0].stride[d] == bytes && args->op[2].stride[d] == bytes && args->size[d] >= 8;
        if (dense || (is_out && (v < 0 || args->size[d] > args->size[v])))
            v = (int)d;
        if (dense)
            break;
    }
    BvmWalk walk;
    walk.n = 0;
    for (uint32_t d = 0; d < k; d++)
        if ((int)d != v)
            walk.dim[walk.n++] = d;
    bvm_walk_start(&walk, args);
    ArgPlane plane = {.nv = 1, .nk = args->size[k], .sik = args->op[2].stride[k], .index_bytes = index_bytes};
    if (v >= 0) {
        plane.nv = args->size[v];
        plane.so1 = args->op[0].stride[v];
        plane.so2 = args->op[1].stride[v];
        plane.siv = args->op[2].stride[v];
    }
    do {
        BufvmStatus status = arg_plane(args, entry, &plane, walk.ptr);
        if (status)
            return status;
    } while (bvm_walk_next(&walk, args));
    return BUFVM_OK;
}

#undef CHAINS
#undef COMPARES
#undef ENTRY
#undef COMBINED
#undef COMBINING
#undef COMBINED_ROWS
#undef HELD
#undef HELD_ROWS
#undef HOLDING
#undef TAKE
#undef TAKE_HELD
