/* The register tiles of a contraction, and the table of families that holds them.
 *
 * A tile of rows x vectors of accumulators stays in registers while k runs.  Each accumulator takes its products one after the
 * other in the order of k, so a tile computes what the loop nest does, whatever its shape.  A NaN is made canonical when the tile
 * is stored: nothing between can see it.
 */

#define VECTORS 2 /* of a row in most tiles */
#define WIDE    8 /* of the tile of one row */

#ifdef __clang__
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
#define OPAQUE(x) __asm__("" : "+r"(x)) /* keeps an address step in a register of its own */

/* A buffer may start at any byte. */
typedef float v_F32 __attribute__((vector_size(V_BYTES), aligned(1), may_alias));
typedef double v_F64 __attribute__((vector_size(V_BYTES), aligned(1), may_alias));
typedef uint32_t v_I32 __attribute__((vector_size(V_BYTES), aligned(1), may_alias));
typedef uint64_t v_I64 __attribute__((vector_size(V_BYTES), aligned(1), may_alias));
typedef int32_t m_F32 __attribute__((vector_size(V_BYTES), aligned(1), may_alias));
typedef int64_t m_F64 __attribute__((vector_size(V_BYTES), aligned(1), may_alias));
#ifdef ISA_ONLY_F16
typedef __fp16 v_H16 __attribute__((vector_size(V_BYTES), aligned(1), may_alias));
typedef uint16_t m_H16 __attribute__((vector_size(V_BYTES), aligned(1), may_alias));
typedef __fp16 s_H16 __attribute__((aligned(1), may_alias));
#endif
typedef float s_F32 __attribute__((aligned(1), may_alias));
typedef double s_F64 __attribute__((aligned(1), may_alias));
typedef uint32_t s_I32 __attribute__((aligned(1), may_alias));
typedef uint64_t s_I64 __attribute__((aligned(1), may_alias));
typedef int16_t s_I16 __attribute__((aligned(1), may_alias));

typedef uint32_t q_I32 __attribute__((vector_size(16), aligned(1), may_alias));

#ifdef __clang__
#define SHUFFLE(x, y, a, b, c, d) __builtin_shufflevector(x, y, a, b, c, d)
#else
#define SHUFFLE(x, y, a, b, c, d) __builtin_shuffle(x, y, (q_I32){a, b, c, d})
#endif

/* A NaN lane becomes the canonical NaN. */
static inline v_F32 canonical_F32(v_F32 x)
{
    m_F32 bad = (m_F32)(x != x), nan = {0};
    nan = nan + (int32_t)NUM_NAN_F32;
    return (v_F32)(((m_F32)x & ~bad) | (nan & bad));
}
static inline v_F64 canonical_F64(v_F64 x)
{
    m_F64 bad = (m_F64)(x != x), nan = {0};
    nan = nan + (int64_t)NUM_NAN_F64;
    return (v_F64)(((m_F64)x & ~bad) | (nan & bad));
}
#ifdef ISA_ONLY_F16
static inline v_H16 canonical_H16(v_H16 x)
{
    m_H16 u = (m_H16)x, bad = (m_H16)((u & 0x7fff) > 0x7c00);
    return (v_H16)((u & ~bad) | (bad & 0x7e00));
}
#endif
#define canonical_I32(x) (x)
#define canonical_I64(x) (x)

/* -- steps: the new accumulator from a, b and the old one ------------------------------------------------------- */

#define STEP_PLAIN(a, b, c) ((c) + (a) * (b))

#ifdef ISA_FMA_F32
#define STEP_FMA_F32 ISA_FMA_F32
#define STEP_FMA_F64 ISA_FMA_F64
#else
static inline v_F32 fma_lanes_F32(v_F32 a, v_F32 b, v_F32 c)
{
    for (int l = 0; l < V_BYTES / 4; l++)
        c[l] = num_fma_f32(a[l], b[l], c[l]);
    return c;
}
static inline v_F64 fma_lanes_F64(v_F64 a, v_F64 b, v_F64 c)
{
    for (int l = 0; l < V_BYTES / 8; l++)
        c[l] = __builtin_fma(a[l], b[l], c[l]);
    return c;
}
#define STEP_FMA_F32 fma_lanes_F32
#define STEP_FMA_F64 fma_lanes_F64
#endif

/* Two neighbours of i16 in each lane: both products, added.  No sum of products but the wrapped one is out of range. */
#ifdef ISA_MADD_I16
#define STEP_PAIR ISA_MADD_I16
#else
static inline v_I32 madd_lanes(v_I32 a, v_I32 b, v_I32 c)
{
    m_F32 x = (m_F32)a, y = (m_F32)b;
    m_F32 low = ((m_F32)(a << 16) >> 16) * ((m_F32)(b << 16) >> 16), high = (x >> 16) * (y >> 16);
    return c + (v_I32)low + (v_I32)high;
}
#define STEP_PAIR madd_lanes
#endif

/* Accumulators of 16 bits live as f32.  f32 has more than twice their precision and two bits, so a sum or product of theirs
   that is rounded to f32 first rounds to them as the exact one does. */
#ifdef ISA_ROUND_F16
#define ROUND_F16 ISA_ROUND_F16
#else
static inline v_F32 round_lanes_f16(v_F32 x)
{
    for (int l = 0; l < V_BYTES / 4; l++)
        x[l] = num_widen_f16(num_f32_to_f16(x[l]));
    return x;
}
#define ROUND_F16 round_lanes_f16
#endif
#ifdef ISA_ROUND_BF16
#define round_bf16 ISA_ROUND_BF16
#else
static inline v_F32 round_bf16(v_F32 x)
{
    v_I32 u = (v_I32)x, bad = (v_I32)(x != x);
    u = (u + 0x7fff + (u >> 16 & 1)) & 0xffff0000u;
    return (v_F32)((u & ~bad) | (bad & (uint32_t)NUM_NAN_F32));
}
#endif
#define STEP_F16(a, b, c)  ROUND_F16((c) + ROUND_F16((a) * (b)))
#define STEP_BF16(a, b, c) round_bf16((c) + round_bf16((a) * (b)))
static inline v_F32 step_fma_f16(v_F32 a, v_F32 b, v_F32 c)
{
    for (int l = 0; l < V_BYTES / 4; l++)
        c[l] = num_widen_f16(num_f64_to_f16(num_mul_add_odd((double)a[l], (double)b[l], (double)c[l])));
    return c;
}
static inline v_F32 step_fma_bf16(v_F32 a, v_F32 b, v_F32 c)
{
    for (int l = 0; l < V_BYTES / 4; l++)
        c[l] = num_widen_bf16(num_f64_to_bf16(num_mul_add_odd((double)a[l], (double)b[l], (double)c[l])));
    return c;
}

/* -- tiles ------------------------------------------------------------------------------------------------------- */

/* ROWS x VEC vectors: c += a * b over kc steps.  All steps are in bytes; lanes of b and c are neighbours. */
typedef void TileFn(int64_t kc, const uint8_t *a, int64_t ar, int64_t ak, const uint8_t *b, int64_t bk, uint8_t *c, int64_t cr);

#define ROW_AT(r)                                                                                                                  \
    (((r) < 6 ? a : a6) + ((r) % 6 == 0   ? 0                                                                                      \
                           : (r) % 6 == 1 ? ar                                                                                     \
                           : (r) % 6 == 2 ? 2 * ar                                                                                 \
                           : (r) % 6 == 3 ? ar3                                                                                    \
                           : (r) % 6 == 4 ? 4 * ar                                                                                 \
                                          : ar5))

#define TILE(NAME, T, STEP, ROWS, VEC)                                                                                             \
    static void tile_##NAME##_##ROWS##x##VEC(int64_t kc, const uint8_t *a, int64_t ar, int64_t ak, const uint8_t *b, int64_t bk,   \
                                             uint8_t *c, int64_t cr)                                                               \
    {                                                                                                                              \
        v_##T acc[ROWS][VEC];                                                                                                      \
        const uint8_t *a6 = (ROWS) > 6 ? a + 6 * ar : a;                                                                           \
        int64_t ar3 = 3 * ar, ar5 = 5 * ar;                                                                                        \
        OPAQUE(a6);                                                                                                                \
        OPAQUE(ar3);                                                                                                               \
        OPAQUE(ar5);                                                                                                               \
        UNROLL for (int r = 0; r < (ROWS); r++)                                                                                    \
        {                                                                                                                          \
            UNROLL for (int j = 0; j < (VEC); j++) acc[r][j] = *(const v_##T *)(c + r * cr + j * V_BYTES);                         \
        }                                                                                                                          \
        for (int64_t k = 0; k < kc; k++, a += ak, a6 += ak, b += bk) {                                                             \
            v_##T y[VEC];                                                                                                          \
            UNROLL for (int j = 0; j < (VEC); j++) y[j] = *(const v_##T *)(b + j * V_BYTES);                                       \
            UNROLL for (int r = 0; r < (ROWS); r++)                                                                                \
            {                                                                                                                      \
                v_##T x = *(const s_##T *)ROW_AT(r) - (v_##T){0}; /* all lanes; minus keeps the sign of a zero */                  \
                UNROLL for (int j = 0; j < (VEC); j++) acc[r][j] = STEP(x, y[j], acc[r][j]);                                       \
            }                                                                                                                      \
        }                                                                                                                          \
        UNROLL for (int r = 0; r < (ROWS); r++)                                                                                    \
        {                                                                                                                          \
            UNROLL for (int j = 0; j < (VEC); j++) * (v_##T *)(c + r * cr + j * V_BYTES) = canonical_##T(acc[r][j]);               \
        }                                                                                                                          \
    }

/* As TILE, with a sum of its own for what is too much in every row: FIX(y, sum) each step, taken off at the end. */
#define TILE_FIXED(NAME, T, STEP, FIX, ROWS, VEC)                                                                                  \
    static void tile_##NAME##_##ROWS##x##VEC(int64_t kc, const uint8_t *a, int64_t ar, int64_t ak, const uint8_t *b, int64_t bk,   \
                                             uint8_t *c, int64_t cr)                                                               \
    {                                                                                                                              \
        v_##T acc[ROWS][VEC], sum[VEC] = {0};                                                                                      \
        const uint8_t *a6 = (ROWS) > 6 ? a + 6 * ar : a;                                                                           \
        int64_t ar3 = 3 * ar, ar5 = 5 * ar;                                                                                        \
        OPAQUE(a6);                                                                                                                \
        OPAQUE(ar3);                                                                                                               \
        OPAQUE(ar5);                                                                                                               \
        UNROLL for (int r = 0; r < (ROWS); r++)                                                                                    \
        {                                                                                                                          \
            UNROLL for (int j = 0; j < (VEC); j++) acc[r][j] = *(const v_##T *)(c + r * cr + j * V_BYTES);                         \
        }                                                                                                                          \
        for (int64_t k = 0; k < kc; k++, a += ak, a6 += ak, b += bk) {                                                             \
            v_##T y[VEC];                                                                                                          \
            UNROLL for (int j = 0; j < (VEC); j++)                                                                                 \
            {                                                                                                                      \
                y[j] = *(const v_##T *)(b + j * V_BYTES);                                                                          \
                sum[j] = FIX(y[j], sum[j]);                                                                                        \
            }                                                                                                                      \
            UNROLL for (int r = 0; r < (ROWS); r++)                                                                                \
            {                                                                                                                      \
                v_##T x = *(const s_##T *)ROW_AT(r) - (v_##T){0};                                                                  \
                UNROLL for (int j = 0; j < (VEC); j++) acc[r][j] = STEP(x, y[j], acc[r][j]);                                       \
            }                                                                                                                      \
        }                                                                                                                          \
        UNROLL for (int r = 0; r < (ROWS); r++)                                                                                    \
        {                                                                                                                          \
            UNROLL for (int j = 0; j < (VEC); j++) * (v_##T *)(c + r * cr + j * V_BYTES) = acc[r][j] - sum[j];                     \
        }                                                                                                                          \
    }

/* For instructions that multiply two rows with two lanes, eight k at once.  a: pairs of rows, b: pairs of lanes, neighbours of
   eight bytes each in their panels; c as elsewhere.  A vector of accumulators holds two lanes of two rows (FLIP: two rows of two
   lanes). */
#define TILE_SQUARES(NAME, T, STEP, FLIP, ROWS, VEC)                                                                               \
    static void tile_##NAME##_##ROWS##x##VEC(int64_t kc, const uint8_t *a, int64_t ar, int64_t ak, const uint8_t *b, int64_t bk,   \
                                             uint8_t *c, int64_t cr)                                                               \
    {                                                                                                                              \
        v_##T acc[((ROWS) + 1) / 2][2 * (VEC)];                                                                                    \
        (void)ar;                                                                                                                  \
        UNROLL for (int r = 0; r < (ROWS); r += 2)                                                                                 \
        {                                                                                                                          \
            UNROLL for (int j = 0; j < (VEC); j++)                                                                                 \
            {                                                                                                                      \
                v_##T up = *(const v_##T *)(c + r * cr + j * V_BYTES), down = {0};                                                 \
                if (r + 1 < (ROWS))                                                                                                \
                    down = *(const v_##T *)(c + (r + 1) * cr + j * V_BYTES);                                                       \
                acc[r / 2][2 * j] = (FLIP) ? SHUFFLE(up, down, 0, 4, 1, 5) : SHUFFLE(up, down, 0, 1, 4, 5);                        \
                acc[r / 2][2 * j + 1] = (FLIP) ? SHUFFLE(up, down, 2, 6, 3, 7) : SHUFFLE(up, down, 2, 3, 6, 7);                    \
            }                                                                                                                      \
        }                                                                                                                          \
        for (int64_t k = 0; k < kc; k++, a += ak, b += bk) {                                                                       \
            v_##T y[2 * (VEC)];                                                                                                    \
            UNROLL for (int j = 0; j < 2 * (VEC); j++) y[j] = *(const v_##T *)(b + j * V_BYTES);                                   \
            UNROLL for (int r = 0; r < (ROWS); r += 2)                                                                             \
            {                                                                                                                      \
                v_##T x = r + 1 < (ROWS) ? *(const v_##T *)(a + r * 8) : (v_##T)(v_I64){*(const s_I64 *)(a + r * 8)};              \
                UNROLL for (int j = 0; j < 2 * (VEC); j++) acc[r / 2][j] = STEP(x, y[j], acc[r / 2][j]);                           \
            }                                                                                                                      \
        }                                                                                                                          \
        UNROLL for (int r = 0; r < (ROWS); r += 2)                                                                                 \
        {                                                                                                                          \
            UNROLL for (int j = 0; j < (VEC); j++)                                                                                 \
            {                                                                                                                      \
                v_##T even = acc[r / 2][2 * j], odd = acc[r / 2][2 * j + 1], up, down;                                             \
                up = (FLIP) ? SHUFFLE(even, odd, 0, 2, 4, 6) : SHUFFLE(even, odd, 0, 1, 4, 5);                                     \
                down = (FLIP) ? SHUFFLE(even, odd, 1, 3, 5, 7) : SHUFFLE(even, odd, 2, 3, 6, 7);                                   \
                *(v_##T *)(c + r * cr + j * V_BYTES) = up;                                                                         \
                if (r + 1 < (ROWS))                                                                                                \
                    *(v_##T *)(c + (r + 1) * cr + j * V_BYTES) = down;                                                             \
            }                                                                                                                      \
        }                                                                                                                          \
    }

/* Lane by lane: a moves with the lanes as b does.  The step of k is a table, as windows have no single one. */
typedef void LanesFn(int64_t kc, const uint8_t *a, int64_t ar, const int64_t *a_at, const uint8_t *b, const int64_t *b_at,
                     uint8_t *c, int64_t cr);

#define LANEWISE(NAME, T, STEP, ROWS, VEC)                                                                                         \
    static void lanes_##NAME##_##ROWS##x##VEC(int64_t kc, const uint8_t *a, int64_t ar, const int64_t *a_at, const uint8_t *b,     \
                                              const int64_t *b_at, uint8_t *c, int64_t cr)                                         \
    {                                                                                                                              \
        v_##T acc[ROWS][VEC];                                                                                                      \
        UNROLL for (int r = 0; r < (ROWS); r++)                                                                                    \
        {                                                                                                                          \
            UNROLL for (int j = 0; j < (VEC); j++) acc[r][j] = *(const v_##T *)(c + r * cr + j * V_BYTES);                         \
        }                                                                                                                          \
        for (int64_t k = 0; k < kc; k++) {                                                                                         \
            const uint8_t *x = a + a_at[k], *y = b + b_at[k];                                                                      \
            UNROLL for (int j = 0; j < (VEC); j++)                                                                                 \
            {                                                                                                                      \
                v_##T w = *(const v_##T *)(y + j * V_BYTES);                                                                       \
                UNROLL for (int r = 0; r < (ROWS); r++) acc[r][j] =                                                                \
                    STEP(*(const v_##T *)(x + r * ar + j * V_BYTES), w, acc[r][j]);                                                \
            }                                                                                                                      \
        }                                                                                                                          \
        UNROLL for (int r = 0; r < (ROWS); r++)                                                                                    \
        {                                                                                                                          \
            UNROLL for (int j = 0; j < (VEC); j++) * (v_##T *)(c + r * cr + j * V_BYTES) = canonical_##T(acc[r][j]);               \
        }                                                                                                                          \
    }

/* One output; the rows and lanes of the arguments are not looked at. */
#define CHAIN(NAME, T, STEP)                                                                                                       \
    static void chain_##NAME(int64_t kc, const uint8_t *a, int64_t ar, int64_t ak, const uint8_t *b, int64_t bk, uint8_t *c,       \
                             int64_t cr)                                                                                           \
    {                                                                                                                              \
        (void)ar;                                                                                                                  \
        (void)cr;                                                                                                                  \
        s_##T acc = *(const s_##T *)c;                                                                                             \
        for (int64_t k = 0; k < kc; k++, a += ak, b += bk)                                                                         \
            acc = STEP(*(const s_##T *)a, *(const s_##T *)b, acc);                                                                 \
        *(s_##T *)c = canonical_one_##T(acc);                                                                                      \
    }
#define canonical_one_F32(x)   num_canon_f32(x)
#define canonical_one_F64(x)   num_canon_f64(x)
#define canonical_one_H16(x)   (canonical_H16((v_H16){x})[0])
#define canonical_one_I32(x)   (x)
#define canonical_one_I64(x)   (x)
#define CHAIN_FMA_F32(a, b, c) num_fma_f32(a, b, c)
#define CHAIN_FMA_F64(a, b, c) num_fma_f64(a, b, c)
#define CHAIN_PAIR(a, b, c)                                                                                                        \
    ((c) + (uint32_t)((int32_t)(int16_t)(a) * (int32_t)(int16_t)(b)) + (uint32_t)(((int32_t)(a) >> 16) * ((int32_t)(b) >> 16)))
/* The four bytes of a lane; SIGN is int8_t or uint8_t. */
#define BYTE_OF(SIGN, x, i) ((uint32_t)(int32_t)(SIGN)((x) >> 8 * (i)))
#define CHAIN_BYTES(SA, SB, a, b, c)                                                                                               \
    ((c) + BYTE_OF(SA, a, 0) * BYTE_OF(SB, b, 0) + BYTE_OF(SA, a, 1) * BYTE_OF(SB, b, 1) + BYTE_OF(SA, a, 2) * BYTE_OF(SB, b, 2) + \
     BYTE_OF(SA, a, 3) * BYTE_OF(SB, b, 3))
#define CHAIN_SS(a, b, c)       CHAIN_BYTES(int8_t, int8_t, a, b, c)
#define CHAIN_UU(a, b, c)       CHAIN_BYTES(uint8_t, uint8_t, a, b, c)
#define CHAIN_US(a, b, c)       CHAIN_BYTES(uint8_t, int8_t, a, b, c)
#define CHAIN_SU(a, b, c)       CHAIN_BYTES(int8_t, uint8_t, a, b, c)
#define CHAIN_F16(a, b, c)      num_widen_f16(num_f32_to_f16((c) + num_widen_f16(num_f32_to_f16((a) * (b)))))
#define CHAIN_BF16(a, b, c)     num_widen_bf16(num_f32_to_bf16((c) + num_widen_bf16(num_f32_to_bf16((a) * (b)))))
#define CHAIN_FMA_F16(a, b, c)  num_widen_f16(num_f64_to_f16(num_mul_add_odd((double)(a), (double)(b), (double)(c))))
#define CHAIN_FMA_BF16(a, b, c) num_widen_bf16(num_f64_to_bf16(num_mul_add_odd((double)(a), (double)(b), (double)(c))))

/* -- families ------------------------------------------------------------------------------------------------------ */

typedef struct Family {
    uint8_t bytes; /* of an accumulator */
    uint8_t unit;  /* of a panel's element; as many if there is more than `tile` */
    uint8_t pair;  /* k steps in a panel's element */
    bool biased;   /* the panels of a hold a number of i8 as one of u8, 128 more */
    TileFn *tile[VECTORS][ISA_CLASSES];
    TileFn *wide, *chain;
    LanesFn *lanes[VECTORS][2]; /* LANE_ROWS rows; one */
} Family;

#define LANE_ROWS 4

#if defined(ISA_SQUARE_SS)
#define MOST_PAIR 8
#elif defined(ISA_DOT_SS) || defined(ISA_DOT_US)
#define MOST_PAIR 4
#else
#define MOST_PAIR 2
#endif

/* Row counts that tiles exist for. */
#if ISA_ROWS == 12
#define ROW_CLASSES 12, 8, 4, 2, 1
#define EACH_CLASS(VEC, X, ...)                                                                                                    \
    X(__VA_ARGS__, 12, VEC) X(__VA_ARGS__, 8, VEC) X(__VA_ARGS__, 4, VEC) X(__VA_ARGS__, 2, VEC) X(__VA_ARGS__, 1, VEC)
#define CLASS_NAMES(NAME, VEC)                                                                                                     \
    {                                                                                                                              \
        tile_##NAME##_12x##VEC, tile_##NAME##_8x##VEC, tile_##NAME##_4x##VEC, tile_##NAME##_2x##VEC, tile_##NAME##_1x##VEC         \
    }
#elif ISA_ROWS == 6
#define ROW_CLASSES             6, 4, 2, 1
#define EACH_CLASS(VEC, X, ...) X(__VA_ARGS__, 6, VEC) X(__VA_ARGS__, 4, VEC) X(__VA_ARGS__, 2, VEC) X(__VA_ARGS__, 1, VEC)
#define CLASS_NAMES(NAME, VEC)                                                                                                     \
    {                                                                                                                              \
        tile_##NAME##_6x##VEC, tile_##NAME##_4x##VEC, tile_##NAME##_2x##VEC, tile_##NAME##_1x##VEC                                 \
    }
#else
#define ROW_CLASSES             4, 2, 1
#define EACH_CLASS(VEC, X, ...) X(__VA_ARGS__, 4, VEC) X(__VA_ARGS__, 2, VEC) X(__VA_ARGS__, 1, VEC)
#define CLASS_NAMES(NAME, VEC)                                                                                                     \
    {                                                                                                                              \
        tile_##NAME##_4x##VEC, tile_##NAME##_2x##VEC, tile_##NAME##_1x##VEC                                                        \
    }
#endif

#define FAMILY(NAME, T, PAIR, STEP, CHAIN_STEP)                                                                                    \
    EACH_CLASS(2, TILE, NAME, T, STEP)                                                                                             \
    EACH_CLASS(1, TILE, NAME, T, STEP)                                                                                             \
    TILE(NAME, T, STEP, 1, 8)                                                                                                      \
    LANEWISE(NAME, T, STEP, 4, 2)                                                                                                  \
    LANEWISE(NAME, T, STEP, 1, 2)                                                                                                  \
    LANEWISE(NAME, T, STEP, 4, 1)                                                                                                  \
    LANEWISE(NAME, T, STEP, 1, 1)                                                                                                  \
    CHAIN(NAME, T, CHAIN_STEP)                                                                                                     \
    static const Family family_##NAME = {                                                                                          \
        .bytes = sizeof(s_##T),                                                                                                    \
        .unit = sizeof(s_##T),                                                                                                     \
        .pair = PAIR,                                                                                                              \
        .tile = {CLASS_NAMES(NAME, 1), CLASS_NAMES(NAME, 2)},                                                                      \
        .wide = tile_##NAME##_1x8,                                                                                                 \
        .chain = chain_##NAME,                                                                                                     \
        .lanes = {{lanes_##NAME##_4x1, lanes_##NAME##_1x1}, {lanes_##NAME##_4x2, lanes_##NAME##_1x2}}};

/* For blocks of several rows and lanes alone, packed. */
#define TILES_ONLY(NAME, UNIT, PAIR, BIASED, ...)                                                                                  \
    EACH_CLASS(2, __VA_ARGS__)                                                                                                     \
    EACH_CLASS(1, __VA_ARGS__)                                                                                                     \
    static const Family family_##NAME = {                                                                                          \
        .bytes = 4, .unit = UNIT, .pair = PAIR, .biased = BIASED, .tile = {CLASS_NAMES(NAME, 1), CLASS_NAMES(NAME, 2)}};

#if defined(ISA_ONLY_F16)
FAMILY(half, H16, 1, ISA_STEP_F16, ISA_CHAIN_F16)
FAMILY(half_fma, H16, 1, ISA_STEP_FMA_F16, ISA_CHAIN_FMA_F16)
#elif defined(ISA_ONLY_BF16)
FAMILY(bf16, F32, 1, STEP_BF16, CHAIN_BF16)
#elif defined(ISA_ONLY_BYTES)
FAMILY(quad_ss, I32, 4, ISA_DOT_SS, CHAIN_SS)
FAMILY(quad_uu, I32, 4, ISA_DOT_UU, CHAIN_UU)
#ifdef ISA_DOT_US
#define DOT_SU(a, b, c) ISA_DOT_US(b, a, c)
FAMILY(quad_us, I32, 4, ISA_DOT_US, CHAIN_US)
FAMILY(quad_su, I32, 4, DOT_SU, CHAIN_SU)
#endif
#ifdef ISA_SQUARE_SS
TILES_ONLY(square_ss, 8, 8, false, TILE_SQUARES, square_ss, I32, ISA_SQUARE_SS, false)
TILES_ONLY(square_uu, 8, 8, false, TILE_SQUARES, square_uu, I32, ISA_SQUARE_UU, false)
TILES_ONLY(square_us, 8, 8, false, TILE_SQUARES, square_us, I32, ISA_SQUARE_US, false)
#define SQUARE_SU(a, b, c) ISA_SQUARE_US(b, a, c)
TILES_ONLY(square_su, 8, 8, false, TILE_SQUARES, square_su, I32, SQUARE_SU, true)
#endif
#else
FAMILY(f32, F32, 1, STEP_PLAIN, STEP_PLAIN)
FAMILY(f32_fma, F32, 1, STEP_FMA_F32, CHAIN_FMA_F32)
FAMILY(f64, F64, 1, STEP_PLAIN, STEP_PLAIN)
FAMILY(f64_fma, F64, 1, STEP_FMA_F64, CHAIN_FMA_F64)
FAMILY(i32, I32, 1, STEP_PLAIN, STEP_PLAIN)
FAMILY(i64, I64, 1, STEP_PLAIN, STEP_PLAIN)
FAMILY(pair, I32, 2, STEP_PAIR, CHAIN_PAIR)
FAMILY(f16, F32, 1, STEP_F16, CHAIN_F16)
FAMILY(f16_fma, F32, 1, step_fma_f16, CHAIN_FMA_F16)
FAMILY(bf16, F32, 1, STEP_BF16, CHAIN_BF16)
FAMILY(bf16_fma, F32, 1, step_fma_bf16, CHAIN_FMA_BF16)
#ifdef ISA_DOT_US
#define DOT_SU(a, b, c)      ISA_DOT_US(b, a, c)
#define DOT_OFFSET(y, total) ISA_DOT_US((v_I32){0} + 0x80808080u, y, total)
TILES_ONLY(quad_us, 4, 4, false, TILE, quad_us, I32, ISA_DOT_US)
TILES_ONLY(quad_su, 4, 4, false, TILE, quad_su, I32, DOT_SU)
TILES_ONLY(quad_ss, 4, 4, true, TILE_FIXED, quad_ss, I32, ISA_DOT_US, DOT_OFFSET)
#endif
#endif
