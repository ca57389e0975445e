/* contract: o[...] += a[...] * b[...].
 *
 * Three dimensions are picked: v, an output dimension over which lanes run; u, one over which rows of a tile run; k, the last
 * reduction dimension.  A tile of rows x lanes stays in registers while k runs, so each output still takes its products one after
 * the other, in loop order, with two roundings (or one, flag 1).  What is not contiguous over v, or narrower than the accumulator,
 * is packed into a panel on the stack first.  A NaN is made canonical when the tile is stored: nothing between can see it.
 */
#include "isa.h"

#include <string.h>

#define KC      128 /* depth of a panel */
#define VECTORS 2

/* -- element conversion into a panel of the accumulator's type ------------------------------------------- */

static uint64_t slot_of(unsigned etype, const uint8_t *p, bool is_unsigned)
{
    switch (bvm_elem_bytes(etype)) {
    case 1:
        return bvm_elem_class(etype) != 'I' || is_unsigned ? *p : etype == BVM_I1 ? *p & 1u : (uint64_t)(int8_t)*p;
    case 2:
        return bvm_elem_class(etype) != 'I' || is_unsigned ? bvm_get16(p) : (uint64_t)(int16_t)bvm_get16(p);
    case 4:
        return bvm_elem_class(etype) != 'I' || is_unsigned ? bvm_get32(p) : (uint64_t)(int32_t)bvm_get32(p);
    default:
        return bvm_get64(p);
    }
}

static uint64_t converted(unsigned from, unsigned to, const uint8_t *p, bool is_unsigned)
{
    uint64_t slot = slot_of(from, p, is_unsigned), result = slot;
    if (from != to && bvm_elem_class(from) != 'I')
        num_eval(BVM_OP_fconv, from, to, slot, 0, 0, &result);
    return result;
}

/* n0 rows of n1 elements; row r starts at to + r * ld; the rest of a row up to ld is cleared. */
#define PACK(T)                                                                                                                    \
    static void pack_##T(NUM_CT_##T *to, int64_t ld, const uint8_t *from, unsigned etype, bool is_unsigned, int64_t s0,            \
                         int64_t n0, int64_t s1, int64_t n1)                                                                       \
    {                                                                                                                              \
        for (int64_t r = 0; r < n0; r++, to += ld) {                                                                               \
            const uint8_t *p = from + r * s0;                                                                                      \
            if (etype == BVM_##T)                                                                                                  \
                for (int64_t c = 0; c < n1; c++)                                                                                   \
                    to[c] = LANE_GET(T, p + c * s1);                                                                               \
            else                                                                                                                   \
                for (int64_t c = 0; c < n1; c++)                                                                                   \
                    to[c] = NUM_FN(from_slot, T)(converted(etype, BVM_##T, p + c * s1, is_unsigned));                              \
            for (int64_t c = n1; c < ld; c++)                                                                                      \
                to[c] = 0;                                                                                                         \
        }                                                                                                                          \
    }

/* -- the tile -------------------------------------------------------------------------------------------- */

typedef float v_F32 __attribute__((vector_size(V_BYTES), aligned(4), may_alias));
typedef double v_F64 __attribute__((vector_size(V_BYTES), aligned(8), may_alias));
typedef uint32_t v_I32 __attribute__((vector_size(V_BYTES), aligned(4), may_alias));
typedef uint64_t v_I64 __attribute__((vector_size(V_BYTES), aligned(8), may_alias));
typedef int32_t m_F32 __attribute__((vector_size(V_BYTES), aligned(4), may_alias));
typedef int64_t m_F64 __attribute__((vector_size(V_BYTES), aligned(8), may_alias));

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
static inline v_I32 canonical_I32(v_I32 x)
{
    return x;
}
static inline v_I64 canonical_I64(v_I64 x)
{
    return x;
}

#ifdef ISA_FMA_F32
#define FMA_F32 ISA_FMA_F32
#define FMA_F64 ISA_FMA_F64
#else
static inline v_F32 fma_lanes_F32(v_F32 a, v_F32 b, v_F32 c)
{
    for (int l = 0; l < V_BYTES / 4; l++)
        c[l] = __builtin_fmaf(a[l], b[l], c[l]);
    return c;
}
static inline v_F64 fma_lanes_F64(v_F64 a, v_F64 b, v_F64 c)
{
    for (int l = 0; l < V_BYTES / 8; l++)
        c[l] = __builtin_fma(a[l], b[l], c[l]);
    return c;
}
#define FMA_F32 fma_lanes_F32
#define FMA_F64 fma_lanes_F64
#endif
#define FMA_I32(a, b, c) ((c) + (a) * (b))
#define FMA_I64(a, b, c) ((c) + (a) * (b))
#define MUL_ADD(a, b, c) ((c) + (a) * (b))

/* rows x (VECTORS vectors): c += a * b over kc steps; steps in elements. */
#define TILE(T, ROWS, NAME, STEP)                                                                                                  \
    static void tile_##NAME##_##T##_##ROWS(int64_t kc, const NUM_CT_##T *a, int64_t ar, int64_t ak, const NUM_CT_##T *b,           \
                                           int64_t bk, NUM_CT_##T *c, int64_t cr)                                                  \
    {                                                                                                                              \
        enum { N = V_BYTES / sizeof(NUM_CT_##T) };                                                                                 \
        v_##T acc[ROWS][VECTORS];                                                                                                  \
        for (int r = 0; r < ROWS; r++)                                                                                             \
            for (int j = 0; j < VECTORS; j++)                                                                                      \
                acc[r][j] = *(const v_##T *)(c + r * cr + j * N);                                                                  \
        for (int64_t k = 0; k < kc; k++, a += ak, b += bk) {                                                                       \
            v_##T y[VECTORS];                                                                                                      \
            for (int j = 0; j < VECTORS; j++)                                                                                      \
                y[j] = *(const v_##T *)(b + j * N);                                                                                \
            for (int r = 0; r < ROWS; r++) {                                                                                       \
                v_##T x = a[r * ar] - (v_##T){0}; /* all lanes; minus keeps the sign of a zero */                                  \
                for (int j = 0; j < VECTORS; j++)                                                                                  \
                    acc[r][j] = STEP(x, y[j], acc[r][j]);                                                                          \
            }                                                                                                                      \
        }                                                                                                                          \
        for (int r = 0; r < ROWS; r++)                                                                                             \
            for (int j = 0; j < VECTORS; j++)                                                                                      \
                *(v_##T *)(c + r * cr + j * N) = canonical_##T(acc[r][j]);                                                         \
    }
/* Lane by lane: a moves with v as b does. */
#define TILE_BOTH(T, NAME, STEP)                                                                                                   \
    static void both_##NAME##_##T(int64_t kc, const NUM_CT_##T *a, const NUM_CT_##T *b, int64_t step, NUM_CT_##T *c)               \
    {                                                                                                                              \
        enum { N = V_BYTES / sizeof(NUM_CT_##T) };                                                                                 \
        v_##T acc[VECTORS];                                                                                                        \
        for (int j = 0; j < VECTORS; j++)                                                                                          \
            acc[j] = *(const v_##T *)(c + j * N);                                                                                  \
        for (int64_t k = 0; k < kc; k++, a += step, b += step)                                                                     \
            for (int j = 0; j < VECTORS; j++) {                                                                                    \
                v_##T x = *(const v_##T *)(a + j * N), y = *(const v_##T *)(b + j * N);                                            \
                acc[j] = STEP(x, y, acc[j]);                                                                                       \
            }                                                                                                                      \
        for (int j = 0; j < VECTORS; j++)                                                                                          \
            *(v_##T *)(c + j * N) = canonical_##T(acc[j]);                                                                         \
    }

#if ISA_ROWS == 6
#define MANY(T, NAME, STEP) TILE(T, 6, NAME, STEP) TILE(T, 4, NAME, STEP) TILE(T, 2, NAME, STEP) TILE(T, 1, NAME, STEP)
#define CALL_ROWS(rows, NAME, T, ...)                                                                                              \
    ((rows) >= 6   ? (tile_##NAME##_##T##_6(__VA_ARGS__), 6)                                                                       \
     : (rows) >= 4 ? (tile_##NAME##_##T##_4(__VA_ARGS__), 4)                                                                       \
     : (rows) >= 2 ? (tile_##NAME##_##T##_2(__VA_ARGS__), 2)                                                                       \
                   : (tile_##NAME##_##T##_1(__VA_ARGS__), 1))
#else
#define MANY(T, NAME, STEP) TILE(T, 4, NAME, STEP) TILE(T, 2, NAME, STEP) TILE(T, 1, NAME, STEP)
#define CALL_ROWS(rows, NAME, T, ...)                                                                                              \
    ((rows) >= 4   ? (tile_##NAME##_##T##_4(__VA_ARGS__), 4)                                                                       \
     : (rows) >= 2 ? (tile_##NAME##_##T##_2(__VA_ARGS__), 2)                                                                       \
                   : (tile_##NAME##_##T##_1(__VA_ARGS__), 1))
#endif

/* -- one space ------------------------------------------------------------------------------------------- */

typedef struct Plan {
    int64_t nv, nu, nk;
    int64_t ov, ou;     /* bytes, of the output */
    int64_t av, au, ak; /* of the operand that rows share lanes of: a */
    int64_t bv, bk;
    unsigned a_type, b_type, o_type;
    bool a_unsigned, b_unsigned, fused;
} Plan;

typedef BufvmStatus PlaneFn(const Plan *plan, BvmKernelArgs *args, uint8_t *o, const uint8_t *a, const uint8_t *b);

/* The plane u x v x k.  Lanes in panels of VECTORS vectors, k in panels of KC. */
#define PLANE(T)                                                                                                                   \
    PACK(T)                                                                                                                        \
    MANY(T, strict, MUL_ADD)                                                                                                       \
    MANY(T, fused, FMA_##T)                                                                                                        \
    TILE_BOTH(T, strict, MUL_ADD)                                                                                                  \
    TILE_BOTH(T, fused, FMA_##T)                                                                                                   \
    static BufvmStatus plane_##T(const Plan *p, BvmKernelArgs *args, uint8_t *o, const uint8_t *a, const uint8_t *b)               \
    {                                                                                                                              \
        enum { W = VECTORS * V_BYTES / sizeof(NUM_CT_##T), BYTES = sizeof(NUM_CT_##T) };                                           \
        NUM_CT_##T b_panel[KC * W] __attribute__((aligned(64))),                                                                   \
            a_panel[KC * (W > ISA_ROWS ? W : ISA_ROWS)] __attribute__((aligned(64)));                                              \
        NUM_CT_##T c_tile[ISA_ROWS * W] __attribute__((aligned(64)));                                                              \
        bool native =                                                                                                              \
            !BVM_BIG_ENDIAN && p->a_type == BVM_##T && ((uintptr_t)a | (uintptr_t)p->au | (uintptr_t)p->ak) % BYTES == 0;          \
        bool straight =                                                                                                            \
            !BVM_BIG_ENDIAN && p->b_type == BVM_##T && p->bv == BYTES && ((uintptr_t)b | (uintptr_t)p->bk) % BYTES == 0;           \
        bool in_place = !BVM_BIG_ENDIAN && p->ov == BYTES && ((uintptr_t)o | (uintptr_t)p->ou) % BYTES == 0;                       \
        uint64_t owed = 0;                                                                                                         \
        for (int64_t v = 0; v < p->nv; v += W) {                                                                                   \
            int64_t lanes = p->nv - v < W ? p->nv - v : W;                                                                         \
            for (int64_t k = 0; k < p->nk; k += KC) {                                                                              \
                int64_t kc = p->nk - k < KC ? p->nk - k : KC;                                                                      \
                const uint8_t *b_at = b + v * p->bv + k * p->bk;                                                                   \
                const NUM_CT_##T *bp = b_panel;                                                                                    \
                int64_t bk = W;                                                                                                    \
                if (straight && lanes == W && !p->av) {                                                                            \
                    bp = (const NUM_CT_##T *)(const void *)b_at;                                                                   \
                    bk = p->bk / BYTES;                                                                                            \
                } else {                                                                                                           \
                    pack_##T(b_panel, W, b_at, p->b_type, p->b_unsigned, p->bk, kc, p->bv, lanes);                                 \
                }                                                                                                                  \
                for (int64_t u = 0; u < p->nu;) {                                                                                  \
                    int64_t rows = p->nu - u < ISA_ROWS ? p->nu - u : ISA_ROWS;                                                    \
                    const uint8_t *a_at = a + u * p->au + k * p->ak;                                                               \
                    uint8_t *o_at = o + u * p->ou + v * p->ov;                                                                     \
                    NUM_CT_##T *c = c_tile;                                                                                        \
                    int64_t cr = W;                                                                                                \
                    bool here = in_place && lanes == W;                                                                            \
                    if (here) {                                                                                                    \
                        c = (NUM_CT_##T *)(void *)o_at;                                                                            \
                        cr = p->ou / BYTES;                                                                                        \
                    } else {                                                                                                       \
                        pack_##T(c_tile, W, o_at, BVM_##T, false, p->ou, p->av ? 1 : rows, p->ov, lanes);                          \
                    }                                                                                                              \
                    int64_t done;                                                                                                  \
                    if (p->av) {                                                                                                   \
                        pack_##T(a_panel, W, a_at + v * p->av, p->a_type, p->a_unsigned, p->ak, kc, p->av, lanes);                 \
                        if (p->fused)                                                                                              \
                            both_fused_##T(kc, a_panel, b_panel, W, c);                                                            \
                        else                                                                                                       \
                            both_strict_##T(kc, a_panel, b_panel, W, c);                                                           \
                        done = 1;                                                                                                  \
                    } else {                                                                                                       \
                        const NUM_CT_##T *ap = (const NUM_CT_##T *)(const void *)a_at;                                             \
                        int64_t ar = p->au / BYTES, ak = p->ak / BYTES;                                                            \
                        if (!native) {                                                                                             \
                            pack_##T(a_panel, KC, a_at, p->a_type, p->a_unsigned, p->au, rows, p->ak, kc);                         \
                            ap = a_panel;                                                                                          \
                            ar = KC;                                                                                               \
                            ak = 1;                                                                                                \
                        }                                                                                                          \
                        if (p->fused)                                                                                              \
                            done = CALL_ROWS(rows, fused, T, kc, ap, ar, ak, bp, bk, c, cr);                                       \
                        else                                                                                                       \
                            done = CALL_ROWS(rows, strict, T, kc, ap, ar, ak, bp, bk, c, cr);                                      \
                    }                                                                                                              \
                    if (!here)                                                                                                     \
                        for (int64_t r = 0; r < done; r++)                                                                         \
                            for (int64_t l = 0; l < lanes; l++)                                                                    \
                                LANE_PUT(T, o_at + r * p->ou + l * p->ov, c_tile[r * W + l]);                                      \
                    u += done;                                                                                                     \
                    owed += (uint64_t)done * (uint64_t)lanes * (uint64_t)kc;                                                       \
                    if (owed >= BVM_KERNEL_PIECE / 4) {                                                                            \
                        BufvmStatus status = args->poll(args->user, owed);                                                         \
                        if (status)                                                                                                \
                            return status;                                                                                         \
                        owed = 0;                                                                                                  \
                    }                                                                                                              \
                }                                                                                                                  \
            }                                                                                                                      \
        }                                                                                                                          \
        return args->poll(args->user, owed);                                                                                       \
    }
PLANE(F32)
PLANE(F64)
PLANE(I32)
PLANE(I64)

static PlaneFn *plane_of(unsigned etype)
{
    switch (etype) {
    case BVM_F32:
        return plane_F32;
    case BVM_F64:
        return plane_F64;
    case BVM_I32:
        return plane_I32;
    case BVM_I64:
        return plane_I64;
    default:
        return NULL;
    }
}

/* -- any types, any overlap: the loop nest ------------------------------------------------------------------ */

static BufvmStatus in_loop_order(BvmKernelArgs *args, bool a_unsigned, bool b_unsigned, bool fused)
{
    unsigned t = args->op[0].etype, bytes = bvm_elem_bytes(t);
    bool is_float = bvm_elem_class(t) == 'F';
    unsigned mul = is_float ? BVM_OP_mulf : BVM_OP_muli, add = is_float ? BVM_OP_addf : BVM_OP_addi;
    BvmWalk walk = {.n = args->rank};
    for (uint32_t d = 0; d < args->rank; d++)
        walk.dim[d] = d;
    bvm_walk_start(&walk, args);
    uint64_t owed = 0;
    do {
        uint64_t o = slot_of(t, walk.ptr[0], false), a = converted(args->op[1].etype, t, walk.ptr[1], a_unsigned),
                 b = converted(args->op[2].etype, t, walk.ptr[2], b_unsigned), product = 0;
        if (fused) {
            num_eval(BVM_OP_fma, t, 0, a, b, o, &o);
        } else {
            num_eval(mul, t, 0, a, b, 0, &product);
            num_eval(add, t, 0, o, product, 0, &o);
        }
        for (unsigned i = 0; i < bytes; i++)
            walk.ptr[0][i] = (uint8_t)(o >> 8 * i);
        owed += 4;
        if (owed >= BVM_KERNEL_PIECE) {
            BufvmStatus status = args->poll(args->user, owed);
            if (status)
                return status;
            owed = 0;
        }
    } while (bvm_walk_next(&walk, args));
    return args->poll(args->user, owed);
}

/* -- choice of dimensions ------------------------------------------------------------------------------------ */

static bool types_fit(unsigned o, unsigned x)
{
    char to = bvm_elem_class(o), from = bvm_elem_class(x);
    if (to == 'I')
        return o != BVM_I1 && from == 'I' && bvm_elem_bits(x) <= bvm_elem_bits(o);
    return to == 'F' && (o == x || ((from == 'F' || from == 'S') && bvm_elem_bits(x) < bvm_elem_bits(o)));
}

static int pick_lanes(const BvmKernelArgs *args, uint32_t *b_operand)
{
    int best = -1, best_score = -1;
    for (uint32_t d = 0; d < args->rank; d++) {
        const int64_t o = args->op[0].stride[d], x = args->op[1].stride[d], y = args->op[2].stride[d];
        if (o == 0 || (x == 0 && y == 0) || args->size[d] == 1)
            continue;
        uint32_t b = y ? 2 : 1;
        bool both = x && y, contiguous = args->op[b].stride[d] == (int64_t)bvm_elem_bytes(args->op[b].etype);
        int score = (both ? 0 : 16) + (o == (int64_t)bvm_elem_bytes(args->op[0].etype) ? 4 : 0) + (contiguous ? 2 : 0) +
                    (args->size[d] >= 16  ? 8
                     : args->size[d] >= 8 ? 1
                                          : 0);
        if (score >= best_score) {
            best = (int)d;
            best_score = score;
            *b_operand = b;
        }
    }
    return best;
}

BufvmStatus ISA_NAME(bvm_contract)(BvmKernelArgs *args)
{
    unsigned t = args->op[0].etype;
    if (!types_fit(t, args->op[1].etype) || !types_fit(t, args->op[2].etype))
        return bvm_error(args->error, BUFVM_INVALID_ARGUMENT, "contract of %s and %s into %s is not in the kernel",
                         bvm_elem_name(args->op[1].etype), bvm_elem_name(args->op[2].etype), bvm_elem_name(t));
    bool fused = (args->flags & 1) && bvm_elem_class(t) == 'F';
    bvm_kernel_simplify(args, 0);
    uint32_t b = 2;
    PlaneFn *plane = plane_of(t);
    int v = plane && bvm_kernel_independent(args, 1) ? pick_lanes(args, &b) : -1;
    if (v < 0)
        return in_loop_order(args, args->flags & 2, args->flags & 4, fused);
    uint32_t a = 3 - b;
    const BvmOperand *oo = &args->op[0], *oa = &args->op[a], *ob = &args->op[b];
    int u = -1, k = -1;
    for (uint32_t d = 0; d < args->rank; d++) {
        if (oo->stride[d] == 0)
            k = (int)d;
        else if ((int)d != v && oa->stride[d] && !ob->stride[d] && !oa->stride[v] && (u < 0 || args->size[d] > args->size[u]))
            u = (int)d;
    }
    BvmWalk walk = {0};
    for (int reductions = 0; reductions < 2; reductions++) /* outputs in any order, then reductions in theirs */
        for (uint32_t d = 0; d < args->rank; d++)
            if ((int)d != v && (int)d != u && (int)d != k && (oo->stride[d] == 0) == reductions)
                walk.dim[walk.n++] = d;
    bvm_walk_start(&walk, args);
#define SIZE(d)       ((d) < 0 ? 1 : args->size[d])
#define STRIDE(op, d) ((d) < 0 ? 0 : (op)->stride[d])
    Plan plan = {
        .nv = SIZE(v),
        .nu = SIZE(u),
        .nk = SIZE(k),
        .ov = STRIDE(oo, v),
        .ou = STRIDE(oo, u),
        .av = STRIDE(oa, v),
        .au = STRIDE(oa, u),
        .ak = STRIDE(oa, k),
        .bv = STRIDE(ob, v),
        .bk = STRIDE(ob, k),
        .a_type = oa->etype,
        .b_type = ob->etype,
        .o_type = t,
        .a_unsigned = (args->flags & (a == 1 ? 2 : 4)) != 0,
        .b_unsigned = (args->flags & (b == 1 ? 2 : 4)) != 0,
        .fused = fused,
    };
    do {
        BufvmStatus status = plane(&plan, args, walk.ptr[0], walk.ptr[a], walk.ptr[b]);
        if (status)
            return status;
    } while (bvm_walk_next(&walk, args));
    return BUFVM_OK;
}
