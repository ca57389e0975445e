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
typedef float s_F32 __attribute__((aligned(1), may_alias));
typedef double s_F64 __attribute__((aligned(1), may_alias));
typedef uint32_t s_I32 __attribute__((aligned(1), may_alias));
typedef uint64_t s_I64 __attribute__((aligned(1), may_alias));
typedef int16_t s_I16 __attribute__((aligned(1), may_alias));

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
static inline v_F32 round_bf16(v_F32 x)
{
    v_I32 u = (v_I32)x, bad = (v_I32)(x != x);
    u = (u + 0x7fff + (u >> 16 & 1)) & 0xffff0000u;
    return (v_F32)((u & ~bad) | (bad & (uint32_t)NUM_NAN_F32));
}
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
#define canonical_one_I32(x)   (x)
#define canonical_one_I64(x)   (x)
#define CHAIN_FMA_F32(a, b, c) num_fma_f32(a, b, c)
#define CHAIN_FMA_F64(a, b, c) num_fma_f64(a, b, c)
#define CHAIN_PAIR(a, b, c)                                                                                                        \
    ((c) + (uint32_t)((int32_t)(int16_t)(a) * (int32_t)(int16_t)(b)) + (uint32_t)(((int32_t)(a) >> 16) * ((int32_t)(b) >> 16)))
#define CHAIN_F16(a, b, c)      num_widen_f16(num_f32_to_f16((c) + num_widen_f16(num_f32_to_f16((a) * (b)))))
#define CHAIN_BF16(a, b, c)     num_widen_bf16(num_f32_to_bf16((c) + num_widen_bf16(num_f32_to_bf16((a) * (b)))))
#define CHAIN_FMA_F16(a, b, c)  num_widen_f16(num_f64_to_f16(num_mul_add_odd((double)(a), (double)(b), (double)(c))))
#define CHAIN_FMA_BF16(a, b, c) num_widen_bf16(num_f64_to_bf16(num_mul_add_odd((double)(a), (double)(b), (double)(c))))

/* -- families ------------------------------------------------------------------------------------------------------ */

typedef struct Family {
    uint8_t bytes; /* of an accumulator and of a panel's element */
    uint8_t pair;  /* k steps in a panel's element */
    TileFn *tile[VECTORS][ISA_CLASSES];
    TileFn *wide, *chain;
    LanesFn *lanes[VECTORS][2]; /* LANE_ROWS rows; one */
} Family;

#define LANE_ROWS 4

/* Row counts that tiles exist for. */
#if ISA_ROWS == 12
#define ROW_CLASSES 12, 8, 4, 2, 1
#define EACH_CLASS(X, VEC, ...)                                                                                                    \
    X(__VA_ARGS__, 12, VEC) X(__VA_ARGS__, 8, VEC) X(__VA_ARGS__, 4, VEC) X(__VA_ARGS__, 2, VEC) X(__VA_ARGS__, 1, VEC)
#define CLASS_NAMES(NAME, VEC)                                                                                                     \
    {                                                                                                                              \
        tile_##NAME##_12x##VEC, tile_##NAME##_8x##VEC, tile_##NAME##_4x##VEC, tile_##NAME##_2x##VEC, tile_##NAME##_1x##VEC         \
    }
#elif ISA_ROWS == 6
#define ROW_CLASSES             6, 4, 2, 1
#define EACH_CLASS(X, VEC, ...) X(__VA_ARGS__, 6, VEC) X(__VA_ARGS__, 4, VEC) X(__VA_ARGS__, 2, VEC) X(__VA_ARGS__, 1, VEC)
#define CLASS_NAMES(NAME, VEC)                                                                                                     \
    {                                                                                                                              \
        tile_##NAME##_6x##VEC, tile_##NAME##_4x##VEC, tile_##NAME##_2x##VEC, tile_##NAME##_1x##VEC                                 \
    }
#else
#define ROW_CLASSES             4, 2, 1
#define EACH_CLASS(X, VEC, ...) X(__VA_ARGS__, 4, VEC) X(__VA_ARGS__, 2, VEC) X(__VA_ARGS__, 1, VEC)
#define CLASS_NAMES(NAME, VEC)                                                                                                     \
    {                                                                                                                              \
        tile_##NAME##_4x##VEC, tile_##NAME##_2x##VEC, tile_##NAME##_1x##VEC                                                        \
    }
#endif

#define FAMILY(NAME, T, PAIR, STEP, CHAIN_STEP)                                                                                    \
    EACH_CLASS(TILE, 2, NAME, T, STEP)                                                                                             \
    EACH_CLASS(TILE, 1, NAME, T, STEP)                                                                                             \
    TILE(NAME, T, STEP, 1, 8)                                                                                                      \
    LANEWISE(NAME, T, STEP, 4, 2)                                                                                                  \
    LANEWISE(NAME, T, STEP, 1, 2)                                                                                                  \
    LANEWISE(NAME, T, STEP, 4, 1)                                                                                                  \
    LANEWISE(NAME, T, STEP, 1, 1)                                                                                                  \
    CHAIN(NAME, T, CHAIN_STEP)                                                                                                     \
    static const Family family_##NAME = {                                                                                          \
        sizeof(s_##T),     PAIR,         {CLASS_NAMES(NAME, 1), CLASS_NAMES(NAME, 2)},                                             \
        tile_##NAME##_1x8, chain_##NAME, {{lanes_##NAME##_4x1, lanes_##NAME##_1x1}, {lanes_##NAME##_4x2, lanes_##NAME##_1x2}}};

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
