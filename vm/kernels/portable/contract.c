/* contract: o[...] += a[...] * b[...], any linear maps.
 *
 * The dimensions fall into groups by the operands that they move: M (output and a), N (output and b), K (no output), and a batch
 * (all three).  Each group is one long dimension whose elements are found through tables of offsets, so matrices in any
 * order, windows and strides are one case.  N runs over lanes, M over the rows of a register tile (contract_tile.h), K inside it,
 * in loop order: K is cut in blocks between which the output is stored and loaded again, which keeps the order.  Blocks of a and b
 * are packed into panels (contract_pack.h) that stay in the caches, unless they can be read where they are.  Where a batch is the
 * only dimension to run lanes over (depthwise windows), both operands move with the lanes.
 */
#include "isa.h"

#include <string.h>

#include "contract_tile.h"

#include "contract_pack.h"

/* -- types ------------------------------------------------------------------------------------------------- */

typedef struct Types {
    const Family *family;
    Packer a, b;
    bool stored; /* accumulators are stored as they are */
    unsigned o_type;
} Types;

static bool types_fit(unsigned o, unsigned x)
{
    char to = bvm_elem_class(o), from = bvm_elem_class(x);
    if (to == 'I')
        return o != BVM_I1 && from == 'I' && bvm_elem_bits(x) <= bvm_elem_bits(o);
    return to == 'F' && (o == x || ((from == 'F' || from == 'S') && bvm_elem_bits(x) < bvm_elem_bits(o)));
}

static Packer packer_of(const Family *family, unsigned o, unsigned etype, bool is_unsigned, bool biased)
{
    enum { WIDE_F64 = 8, WIDE_I32 = 32, WIDE_I64 = 64, PAIRS = 16, WIDE_F32 = 4, BYTES = 1, BIASED = 128, HALF = 2 };
    bool is_float = bvm_elem_class(etype) != 'I', narrow = family->bytes == 4;
    int to = family->pair == 2    ? PAIRS
             : family->pair > 2   ? (biased ? BIASED : BYTES)
             : family->bytes == 2 ? HALF
             : is_float           ? (narrow ? WIDE_F32 : WIDE_F64)
             : narrow             ? WIDE_I32
                                  : WIDE_I64;
    static const struct {
        uint8_t etype, is_unsigned, to;
        ConvertFn *fn;
    } table[] = {
        {BVM_I1, 0, PAIRS, convert_i1_i16},        {BVM_I1, 0, WIDE_I32, convert_i1_i32},   {BVM_I1, 0, WIDE_I64, convert_i1_i64},
        {BVM_I8, 0, PAIRS, convert_i8_i16},        {BVM_I8, 1, PAIRS, convert_u8_i16},      {BVM_I16, 0, PAIRS, convert_i16_i16},
        {BVM_I8, 0, WIDE_I32, convert_i8_i32},     {BVM_I8, 1, WIDE_I32, convert_u8_i32},   {BVM_I16, 0, WIDE_I32, convert_i16_i32},
        {BVM_I16, 1, WIDE_I32, convert_u16_i32},   {BVM_I32, 0, WIDE_I32, convert_i32_i32}, {BVM_I32, 1, WIDE_I32, convert_i32_i32},
        {BVM_I8, 0, WIDE_I64, convert_i8_i64},     {BVM_I8, 1, WIDE_I64, convert_u8_i64},   {BVM_I16, 0, WIDE_I64, convert_i16_i64},
        {BVM_I16, 1, WIDE_I64, convert_u16_i64},   {BVM_I32, 0, WIDE_I64, convert_i32_i64}, {BVM_I32, 1, WIDE_I64, convert_u32_i64},
        {BVM_I64, 0, WIDE_I64, convert_i64_i64},   {BVM_I64, 1, WIDE_I64, convert_i64_i64}, {BVM_F16, 0, WIDE_F32, convert_f16_f32},
        {BVM_BF16, 0, WIDE_F32, convert_bf16_f32}, {BVM_F32, 0, WIDE_F32, convert_f32_f32}, {BVM_F16, 0, WIDE_F64, convert_f16_f64},
        {BVM_BF16, 0, WIDE_F64, convert_bf16_f64}, {BVM_F32, 0, WIDE_F64, convert_f32_f64}, {BVM_F64, 0, WIDE_F64, convert_f64_f64},
        {BVM_I1, 0, BYTES, convert_i1_i8},         {BVM_I8, 0, BYTES, convert_i8_i8},       {BVM_I8, 1, BYTES, convert_i8_i8},
        {BVM_I8, 0, BIASED, convert_i8_biased},    {BVM_F16, 0, HALF, convert_f16_f16},
    };
    Packer pk = {.from = (uint8_t)bvm_elem_bytes(etype),
                 .to = family->unit / family->pair,
                 .pair = family->pair,
                 .small = etype,
                 .sum = o,
                 .wide = narrow ? BVM_F32 : BVM_F64};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].etype == etype && table[i].is_unsigned == (is_unsigned && !is_float && etype != BVM_I1) && table[i].to == to)
            pk.convert = table[i].fn;
    pk.plain = !BVM_BIG_ENDIAN && pk.from == pk.to && etype != BVM_I1 && !biased;
    return pk;
}

/* The family that serves the types, as it stands in the table of contract_tile.h; NULL: none of this row.
   tiles: for blocks of several rows and lanes, for which there may be a better one. */
#if defined(ISA_ONLY_F16)
static const Family *family_of(unsigned o, unsigned a, bool a_unsigned, unsigned b, bool b_unsigned, bool fused, bool tiles)
{
    (void)a_unsigned, (void)b_unsigned, (void)tiles;
    if (o != BVM_F16 || a != BVM_F16 || b != BVM_F16)
        return NULL;
    return fused ? &family_half_fma : &family_half;
}
#elif defined(ISA_ONLY_BF16)
static const Family *family_of(unsigned o, unsigned a, bool a_unsigned, unsigned b, bool b_unsigned, bool fused, bool tiles)
{
    (void)a_unsigned, (void)b_unsigned, (void)tiles;
    return o == BVM_BF16 && a == BVM_BF16 && b == BVM_BF16 && !fused ? &family_bf16 : NULL;
}
#elif defined(ISA_ONLY_BYTES)
static const Family *family_of(unsigned o, unsigned a, bool a_unsigned, unsigned b, bool b_unsigned, bool fused, bool tiles)
{
    (void)fused, (void)tiles;
    if (o == BVM_I64 || (a != BVM_I8 && a != BVM_I1) || (b != BVM_I8 && b != BVM_I1))
        return NULL;
    a_unsigned = a == BVM_I1 ? b == BVM_I8 && b_unsigned : a_unsigned; /* a bit is a number of either kind */
    b_unsigned = b == BVM_I1 ? a_unsigned : b_unsigned;
#ifdef ISA_SQUARE_SS
    if (tiles)
        return a_unsigned ? (b_unsigned ? &family_square_uu : &family_square_us)
                          : (b_unsigned ? &family_square_su : &family_square_ss);
#endif
    if (a_unsigned == b_unsigned)
        return a_unsigned ? &family_quad_uu : &family_quad_ss;
#ifdef ISA_DOT_US
    return a_unsigned ? &family_quad_us : &family_quad_su;
#else
    return NULL;
#endif
}
#else
static bool pairs_up(unsigned etype, bool is_unsigned)
{
    return etype == BVM_I8 || etype == BVM_I1 || (etype == BVM_I16 && !is_unsigned);
}

static const Family *family_of(unsigned o, unsigned a, bool a_unsigned, unsigned b, bool b_unsigned, bool fused, bool tiles)
{
    (void)tiles;
#ifdef ISA_FMA_F32
    /* Products of f16 are exact in f32: one rounding or two are the same. */
    fused |= o == BVM_F32 && a == BVM_F16 && b == BVM_F16;
#endif
    switch (o) {
    case BVM_F32:
        return fused ? &family_f32_fma : &family_f32;
    case BVM_F64:
        return fused ? &family_f64_fma : &family_f64;
    case BVM_I64:
        return &family_i64;
    case BVM_F16:
        return fused ? &family_f16_fma : &family_f16;
    case BVM_BF16:
        return fused ? &family_bf16_fma : &family_bf16;
    default: /* the low bits of a sum are the sum of the low bits */
#ifdef ISA_DOT_US
        if (tiles && a == BVM_I8 && b == BVM_I8 && !(a_unsigned && b_unsigned))
            return a_unsigned ? &family_quad_us : b_unsigned ? &family_quad_su : &family_quad_ss;
#endif
        return pairs_up(a, a_unsigned) && pairs_up(b, b_unsigned) ? &family_pair : &family_i32;
    }
}
#endif

static Types types_of(unsigned o, unsigned a, bool a_unsigned, unsigned b, bool b_unsigned, bool fused, bool tiles)
{
    Types t = {.o_type = o, .family = family_of(o, a, a_unsigned, b, b_unsigned, fused, tiles)};
    t.stored = !BVM_BIG_ENDIAN && bvm_elem_bytes(o) == t.family->bytes;
    t.a = packer_of(t.family, o, a, a_unsigned, t.family->biased);
    t.b = packer_of(t.family, o, b, b_unsigned, false);
    return t;
}

/* -- accumulators of a tile that memory cannot hold as they are -------------------------------------------------------- */

static uint64_t accumulator_in(const Types *t, const uint8_t *p)
{
    switch (t->o_type) {
    case BVM_I8:
        return *p;
    case BVM_I16:
        return bvm_get16(p);
    case BVM_F16:
        return t->stored ? bvm_get16(p) : num_bits32(num_widen_f16(bvm_get16(p)));
    case BVM_BF16:
        return (uint32_t)bvm_get16(p) << 16;
    case BVM_I64:
    case BVM_F64:
        return bvm_get64(p);
    default:
        return bvm_get32(p);
    }
}

static void accumulator_out(const Types *t, uint8_t *p, uint64_t v)
{
    switch (t->o_type) {
    case BVM_I8:
        *p = (uint8_t)v;
        break;
    case BVM_I16:
        bvm_put16(p, (uint16_t)v);
        break;
    case BVM_F16:
        bvm_put16(p, t->stored ? (uint16_t)v : num_f32_to_f16(num_float32((uint32_t)v)));
        break;
    case BVM_BF16:
        bvm_put16(p, (uint16_t)((uint32_t)v >> 16)); /* rounded and canonical already */
        break;
    case BVM_I64:
    case BVM_F64:
        bvm_put64(p, v);
        break;
    default:
        bvm_put32(p, (uint32_t)v);
    }
}

static void tile_in(const Types *t, uint8_t *tile, const uint8_t *p, const int64_t *at, int64_t lanes, bool together)
{
    if (t->stored && together) {
        copy_row(tile, p + at[0], lanes * t->family->bytes);
        return;
    }
    for (int64_t l = 0; l < lanes; l++)
        if (t->family->bytes == 2)
            ((s_I16 *)(void *)tile)[l] = (int16_t)accumulator_in(t, p + at[l]);
        else if (t->family->bytes == 4)
            ((s_I32 *)(void *)tile)[l] = (uint32_t)accumulator_in(t, p + at[l]);
        else
            ((s_I64 *)(void *)tile)[l] = accumulator_in(t, p + at[l]);
}

static void tile_out(const Types *t, const uint8_t *tile, uint8_t *p, const int64_t *at, int64_t lanes, bool together)
{
    if (t->stored && together) {
        copy_row(p + at[0], tile, lanes * t->family->bytes);
        return;
    }
    for (int64_t l = 0; l < lanes; l++)
        accumulator_out(t, p + at[l],
                        t->family->bytes == 2   ? (uint16_t)((const s_I16 *)(const void *)tile)[l]
                        : t->family->bytes == 4 ? ((const s_I32 *)(const void *)tile)[l]
                                                : ((const s_I64 *)(const void *)tile)[l]);
}

/* -- groups of dimensions ------------------------------------------------------------------------------------------------ */

typedef struct Group {
    uint32_t n;
    uint32_t dim[BVM_KERNEL_RANK]; /* outermost first */
    int64_t total;                 /* elements */
} Group;

static void group_add(const BvmKernelArgs *args, Group *g, uint32_t d)
{
    g->dim[g->n++] = d;
    if (__builtin_mul_overflow(g->total, args->size[d], &g->total))
        g->total = INT64_MAX; /* dimensions that stand still can be that long */
}

/* Outputs may be taken in any order: neighbours in memory innermost. */
static void group_sort(const BvmKernelArgs *args, Group *g)
{
    for (uint32_t i = 1; i < g->n; i++)
        for (uint32_t j = i; j > 0; j--) {
            uint32_t outer = g->dim[j - 1], inner = g->dim[j];
            if (__builtin_llabs(args->op[0].stride[outer]) >= __builtin_llabs(args->op[0].stride[inner]))
                break;
            g->dim[j - 1] = inner;
            g->dim[j] = outer;
        }
}

/* Byte offsets, in operand `op`, of elements start .. start + n of a group. */
static void offsets(const BvmKernelArgs *args, const Group *g, unsigned op, int64_t start, int64_t n, int64_t *at)
{
    const int64_t *stride = args->op[op].stride;
    if (g->n == 0) {
        at[0] = 0;
        return;
    }
    int64_t index[BVM_KERNEL_RANK], outer = 0, rest = start;
    for (uint32_t i = g->n; i-- > 0;) {
        index[i] = rest % args->size[g->dim[i]];
        rest /= args->size[g->dim[i]];
        outer += i + 1 < g->n ? index[i] * stride[g->dim[i]] : 0;
    }
    uint32_t last = g->n - 1;
    int64_t step = stride[g->dim[last]], size = args->size[g->dim[last]], x = index[last];
    for (int64_t i = 0; i < n;) {
        int64_t run = size - x < n - i ? size - x : n - i;
        for (int64_t e = 0; e < run; e++)
            at[i + e] = outer + (x + e) * step;
        i += run;
        x = 0;
        for (uint32_t j = last; j-- > 0;) {
            outer += stride[g->dim[j]];
            if (++index[j] < args->size[g->dim[j]])
                break;
            outer -= stride[g->dim[j]] * args->size[g->dim[j]];
            index[j] = 0;
        }
    }
}

static int64_t step_of(const BvmKernelArgs *args, const Group *g, unsigned op)
{
    return g->n ? args->op[op].stride[g->dim[g->n - 1]] : 0;
}

/* Are n lanes neighbours of `bytes` bytes? */
static bool neighbours(const int64_t *at, int64_t n, int64_t bytes)
{
    for (int64_t i = 1; i < n; i++)
        if (at[i] - at[i - 1] != bytes)
            return false;
    return true;
}

/* -- the plan of a call ------------------------------------------------------------------------------------------------------ */

typedef struct Plan {
    Types types;
    unsigned a, b;   /* operand numbers */
    Group m, n, k;   /* n: lanes */
    bool with_lanes; /* a moves with the lanes, too */
    bool a_direct, b_direct;
    int64_t kc, mc, nc; /* block sizes */
    uint8_t *a_panel, *b_panel;
    int64_t *a_m, *o_m, *b_n, *o_n, *a_n, *a_k, *b_k; /* tables of a block */
    uint64_t owed;
} Plan;

enum {
    KC = 256, /* panel elements deep: a panel of b fits the first cache */
    MC = 144, /* a block of a fits the second */
    NC_BYTES = 4096,
    SMALL_KC = 64,
    ALIGNED = 64,
};
#define SMALL_MC           (2 * ISA_ROWS > PANEL_LANES ? 2 * ISA_ROWS : PANEL_LANES) /* a panel of lanes fits, too */
#define SMALL_NC_BYTES     (VECTORS * V_BYTES > 64 ? VECTORS * V_BYTES : 64)
#define TABLES(kc, mc, nc) ((2 * (mc) + 3 * (nc) + 2 * MOST_PAIR * (kc)) * (int64_t)sizeof(int64_t))
#define AREA(kc, mc, ncb)  (((mc)*8 + (ncb)) * (kc) + TABLES(kc, mc, (ncb) / LEAST_BYTES) + ALIGNED)
_Static_assert(AREA(KC, MC, NC_BYTES) <= BVM_KERNEL_SCRATCH, "the scratch holds the blocks");

static void divide(Plan *p, uint8_t *area, int64_t kc, int64_t mc, int64_t nc_bytes)
{
    const Family *f = p->types.family;
    area = (uint8_t *)(((uintptr_t)area + ALIGNED - 1) & ~(uintptr_t)(ALIGNED - 1));
    p->kc = kc * f->pair;
    while (ISA_ROWS * VECTORS * (V_BYTES / f->bytes) * p->kc > 3 * BVM_KERNEL_PIECE) /* polls are that far apart */
        p->kc /= 2;
    p->mc = mc;
    p->nc = nc_bytes / f->unit;
    p->b_panel = area;
    p->a_panel = area + kc * nc_bytes;
    p->a_m = (int64_t *)(void *)(p->a_panel + kc * mc * f->unit);
    p->o_m = p->a_m + mc;
    p->b_n = p->o_m + mc;
    p->o_n = p->b_n + p->nc;
    p->a_n = p->o_n + p->nc;
    p->a_k = p->a_n + p->nc;
    p->b_k = p->a_k + p->kc;
}

static BufvmStatus spent(BvmKernelArgs *args, Plan *p, int64_t work)
{
    p->owed += (uint64_t)work;
    if (p->owed < BVM_KERNEL_PIECE)
        return BUFVM_OK;
    uint64_t owed = p->owed;
    p->owed = 0;
    return args->poll(args->user, owed);
}

static const uint8_t row_classes[ISA_CLASSES] = {ROW_CLASSES};

static unsigned row_class(int64_t rows)
{
    unsigned c = 0;
    while (row_classes[c] > rows)
        c++;
    return c;
}

/* -- blocks: M x N x K -----------------------------------------------------------------------------------------------------------
 */

/* One block of a, packed or where it is, times the panels of b. */
static BufvmStatus block(BvmKernelArgs *args, Plan *p, uint8_t *o, const uint8_t *a, const uint8_t *b, int64_t mc, int64_t nc,
                         int64_t kc)
{
    const Types *t = &p->types;
    const Family *f = t->family;
    uint8_t tile[(ISA_ROWS > WIDE / VECTORS ? ISA_ROWS : WIDE / VECTORS) * VECTORS * V_BYTES] __attribute__((aligned(64)));
    int64_t lane = V_BYTES / f->bytes, unit = f->unit, steps = (kc + f->pair - 1) / f->pair, a_step = step_of(args, &p->m, p->a),
            ak = step_of(args, &p->k, p->a), bk = step_of(args, &p->k, p->b);
    bool whole = t->stored && ((uintptr_t)o & (f->bytes - 1u)) == 0;
    for (int64_t n = 0; n < nc;) {
        bool wide = p->b_direct && p->m.total == 1 && nc - n >= WIDE * lane;
        int64_t width = wide ? WIDE * lane : VECTORS * lane, lanes = nc - n < width ? nc - n : width;
        int vectors = lanes <= lane ? 1 : 2;
        bool together = neighbours(p->o_n + n, lanes, bvm_elem_bytes(t->o_type)), full = wide || lanes == vectors * lane;
        const uint8_t *bp = p->b_panel + n * steps * unit;
        int64_t b_step = VECTORS * lane * unit;
        if (p->b_direct && full) {
            bp = b + p->b_n[n];
            b_step = bk;
        }
        const uint8_t *ap = p->a_panel;
        for (int64_t m = 0; m < mc;) {
            unsigned c = row_class(mc - m);
            int64_t rows = row_classes[c], o_step = rows > 1 ? p->o_m[m + 1] - p->o_m[m] : 0;
            TileFn *fn = wide ? f->wide : f->tile[vectors - 1][c];
            const uint8_t *x = p->a_direct ? a + p->a_m[m] : ap;
            int64_t ar = p->a_direct ? a_step : unit, a_k = p->a_direct ? ak : rows * unit;
            if (full && together && whole && neighbours(p->o_m + m, rows, o_step)) {
                fn(steps, x, ar, a_k, bp, b_step, o + p->o_m[m] + p->o_n[n], o_step);
            } else {
                for (int64_t r = 0; r < rows; r++)
                    tile_in(t, tile + r * width * f->bytes, o + p->o_m[m + r], p->o_n + n, lanes, together);
                fn(steps, x, ar, a_k, bp, b_step, tile, width * f->bytes);
                for (int64_t r = 0; r < rows; r++)
                    tile_out(t, tile + r * width * f->bytes, o + p->o_m[m + r], p->o_n + n, lanes, together);
            }
            BufvmStatus status = spent(args, p, rows * lanes * kc);
            if (status)
                return status;
            m += rows;
            ap += rows * steps * unit;
        }
        n += lanes;
    }
    return BUFVM_OK;
}

static void pack_b(const Plan *p, const uint8_t *b, int64_t nc, int64_t kc)
{
    const Family *f = p->types.family;
    int64_t width = VECTORS * V_BYTES / f->bytes, steps = (kc + f->pair - 1) / f->pair;
    int64_t n = p->b_direct ? nc - nc % width : 0; /* only what fills no vectors */
    for (; n < nc; n += width)
        pack(&p->types.b, p->b_panel + n * steps * f->unit, width, b, p->b_n + n, nc - n < width ? nc - n : width, p->b_k, kc);
}

static void pack_a(const Plan *p, const uint8_t *a, int64_t mc, int64_t kc)
{
    const Family *f = p->types.family;
    int64_t steps = (kc + f->pair - 1) / f->pair;
    uint8_t *to = p->a_panel;
    for (int64_t m = 0; m < mc;) {
        int64_t rows = row_classes[row_class(mc - m)];
        pack(&p->types.a, to, rows, a, p->a_m + m, rows, p->a_k, kc);
        to += rows * steps * f->unit;
        m += rows;
    }
}

static BufvmStatus matrix(BvmKernelArgs *args, Plan *p, uint8_t *o, const uint8_t *a, const uint8_t *b)
{
    for (int64_t n = 0; n < p->n.total; n += p->nc) {
        int64_t nc = p->n.total - n < p->nc ? p->n.total - n : p->nc;
        offsets(args, &p->n, p->b, n, nc, p->b_n);
        offsets(args, &p->n, 0, n, nc, p->o_n);
        for (int64_t k = 0; k < p->k.total; k += p->kc) {
            int64_t kc = p->k.total - k < p->kc ? p->k.total - k : p->kc;
            offsets(args, &p->k, p->a, k, kc, p->a_k);
            offsets(args, &p->k, p->b, k, kc, p->b_k);
            pack_b(p, b, nc, kc);
            for (int64_t m = 0; m < p->m.total; m += p->mc) {
                int64_t mc = p->m.total - m < p->mc ? p->m.total - m : p->mc;
                offsets(args, &p->m, p->a, m, mc, p->a_m);
                offsets(args, &p->m, 0, m, mc, p->o_m);
                if (!p->a_direct)
                    pack_a(p, a, mc, kc);
                BufvmStatus status =
                    block(args, p, o, p->a_direct ? a + p->a_k[0] : a, p->b_direct ? b + p->b_k[0] : b, mc, nc, kc);
                if (status)
                    return status;
            }
        }
    }
    return BUFVM_OK;
}

/* -- one output
 * ----------------------------------------------------------------------------------------------------------------------- */

static BufvmStatus chain(BvmKernelArgs *args, Plan *p, uint8_t *o, const uint8_t *a, const uint8_t *b)
{
    const Types *t = &p->types;
    const Family *f = t->family;
    const int64_t zero = 0;
    uint8_t acc[8] __attribute__((aligned(8)));
    tile_in(t, acc, o, &zero, 1, false);
    BufvmStatus status = BUFVM_OK;
    for (int64_t k = 0; k < p->k.total && !status; k += p->kc) {
        int64_t kc = p->k.total - k < p->kc ? p->k.total - k : p->kc, ak = f->unit, bk = f->unit;
        const uint8_t *x = p->a_panel, *y = p->b_panel;
        offsets(args, &p->k, p->a, k, kc, p->a_k);
        offsets(args, &p->k, p->b, k, kc, p->b_k);
        if (p->a_direct) {
            x = a + p->a_k[0];
            ak = step_of(args, &p->k, p->a);
        } else {
            pack(&t->a, p->a_panel, 1, a, &zero, 1, p->a_k, kc);
        }
        if (p->b_direct) {
            y = b + p->b_k[0];
            bk = step_of(args, &p->k, p->b);
        } else {
            pack(&t->b, p->b_panel, 1, b, &zero, 1, p->b_k, kc);
        }
        f->chain((kc + f->pair - 1) / f->pair, x, 0, ak, y, bk, acc, 0);
        status = spent(args, p, kc);
    }
    if (!status)
        tile_out(t, acc, o, &zero, 1, false);
    return status;
}

/* -- lanes over a batch
 * ------------------------------------------------------------------------------------------------------------------ */

/* A panel of lanes, and one block of k. */
typedef struct Lanes {
    int64_t lanes, width, kc;
    int vectors;
    bool together, here, a_direct;
    const uint8_t *b;
    const int64_t *b_k, *packed;
} Lanes;

static BufvmStatus lane_rows(BvmKernelArgs *args, Plan *p, const Lanes *l, uint8_t *o, const uint8_t *a, int64_t mc)
{
    const Types *t = &p->types;
    const Family *f = t->family;
    uint8_t tile[LANE_ROWS * VECTORS * V_BYTES] __attribute__((aligned(64)));
    int64_t steps = (l->kc + f->pair - 1) / f->pair;
    for (int64_t m = 0; m < mc;) {
        int64_t rows = l->a_direct && mc - m >= LANE_ROWS ? LANE_ROWS : 1;
        int64_t a_step = rows > 1 ? p->a_m[m + 1] - p->a_m[m] : 0, o_step = rows > 1 ? p->o_m[m + 1] - p->o_m[m] : 0;
        if (!neighbours(p->a_m + m, rows, a_step)) {
            rows = 1;
            a_step = 0;
        }
        LanesFn *fn = f->lanes[l->vectors - 1][rows == 1];
        const uint8_t *x = a + p->a_m[m] + p->a_n[0];
        if (!l->a_direct) {
            pack(&t->a, p->a_panel, l->width, a + p->a_m[m], p->a_n, l->lanes, p->a_k, l->kc);
            x = p->a_panel;
        }
        bool here = l->here && neighbours(p->o_m + m, rows, o_step);
        uint8_t *c = here ? o + p->o_m[m] + p->o_n[0] : tile;
        int64_t c_step = here ? o_step : VECTORS * V_BYTES;
        for (int64_t r = 0; r < rows && !here; r++)
            tile_in(t, tile + r * c_step, o + p->o_m[m + r], p->o_n, l->lanes, l->together);
        fn(steps, x, a_step, l->a_direct ? p->a_k : l->packed, l->b, l->b_k, c, c_step);
        for (int64_t r = 0; r < rows && !here; r++)
            tile_out(t, tile + r * c_step, o + p->o_m[m + r], p->o_n, l->lanes, l->together);
        BufvmStatus status = spent(args, p, rows * l->lanes * l->kc);
        if (status)
            return status;
        m += rows;
    }
    return BUFVM_OK;
}

static BufvmStatus batch(BvmKernelArgs *args, Plan *p, uint8_t *o, const uint8_t *a, const uint8_t *b)
{
    const Types *t = &p->types;
    const Family *f = t->family;
    int64_t lane = V_BYTES / f->bytes, width = VECTORS * lane, kc_most = SMALL_KC * f->pair, packed[SMALL_KC];
    bool whole = t->stored && ((uintptr_t)o & (f->bytes - 1u)) == 0;
    for (int64_t i = 0; i < SMALL_KC; i++)
        packed[i] = i * VECTORS * V_BYTES;
    for (int64_t n = 0, lanes; n < p->n.total; n += lanes) {
        int64_t left = p->n.total - n;
        int vectors = left >= width ? 2 : 1;
        lanes = left >= width ? width : left >= lane ? lane : left;
        offsets(args, &p->n, p->b, n, lanes, p->b_n);
        offsets(args, &p->n, p->a, n, lanes, p->a_n);
        offsets(args, &p->n, 0, n, lanes, p->o_n);
        bool full = lanes == vectors * lane;
        Lanes l = {.lanes = lanes,
                   .width = width,
                   .vectors = vectors,
                   .together = neighbours(p->o_n, lanes, bvm_elem_bytes(t->o_type)),
                   .a_direct = full && p->a_direct && neighbours(p->a_n, lanes, f->bytes),
                   .packed = packed};
        l.here = full && whole && l.together;
        bool b_direct = full && p->b_direct && neighbours(p->b_n, lanes, f->bytes);
        for (int64_t k = 0; k < p->k.total; k += kc_most) {
            int64_t kc = p->k.total - k < kc_most ? p->k.total - k : kc_most;
            offsets(args, &p->k, p->a, k, kc, p->a_k);
            offsets(args, &p->k, p->b, k, kc, p->b_k);
            if (!b_direct)
                pack(&t->b, p->b_panel, width, b, p->b_n, lanes, p->b_k, kc);
            l.kc = kc;
            l.b = b_direct ? b + p->b_n[0] : p->b_panel;
            l.b_k = b_direct ? p->b_k : packed;
            for (int64_t m = 0; m < p->m.total; m += p->mc) {
                int64_t mc = p->m.total - m < p->mc ? p->m.total - m : p->mc;
                offsets(args, &p->m, p->a, m, mc, p->a_m);
                offsets(args, &p->m, 0, m, mc, p->o_m);
                BufvmStatus status = lane_rows(args, p, &l, o, a, mc);
                if (status)
                    return status;
            }
        }
    }
    return BUFVM_OK;
}

/* -- any overlap: the loop nest
 * --------------------------------------------------------------------------------------------------------- */

static uint64_t slot_of(unsigned etype, const uint8_t *p, bool is_unsigned)
{
    bool bare = bvm_elem_class(etype) != 'I' || is_unsigned;
    switch (bvm_elem_bytes(etype)) {
    case 1:
        return bare ? *p : etype == BVM_I1 ? *p & 1u : (uint64_t)(int8_t)*p;
    case 2:
        return bare ? bvm_get16(p) : (uint64_t)(int16_t)bvm_get16(p);
    case 4:
        return bare ? bvm_get32(p) : (uint64_t)(int32_t)bvm_get32(p);
    default:
        return bvm_get64(p);
    }
}

static uint64_t converted(unsigned from, unsigned to, const uint8_t *p, bool is_unsigned)
{
    uint64_t slot = slot_of(from, p, is_unsigned), result = slot;
    if (from != to && bvm_elem_class(to) == 'F')
        num_eval(BVM_OP_fconv, from, to, slot, 0, 0, &result);
    return result;
}

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

/* -- choice
 * ----------------------------------------------------------------------------------------------------------------------------------
 */

#define MOST_K (INT64_C(1) << 40) /* of one flattened group: offsets stay far from overflow */

/* Groups when `a` gives the rows and the other operand the lanes; what is left over goes to the walk. */
static void divide_dims(const BvmKernelArgs *args, Plan *p, Group *all, Group *outer)
{
    p->m = p->n = p->k = *all = *outer = (Group){.total = 1};
    for (uint32_t d = 0; d < args->rank; d++) {
        bool o = args->op[0].stride[d], x = args->op[p->a].stride[d], y = args->op[p->b].stride[d];
        if (o)
            group_add(args, !y ? &p->m : !x ? &p->n : all, d);
    }
    int64_t total = 1;
    uint32_t first = args->rank;
    while (first > 0) { /* the innermost reductions that are not too many together */
        uint32_t d = first - 1;
        if (!args->op[0].stride[d] && __builtin_mul_overflow(total, args->size[d], &total))
            break;
        if (total > MOST_K)
            break;
        first = d;
    }
    for (uint32_t d = 0; d < args->rank; d++)
        if (!args->op[0].stride[d])
            group_add(args, d < first ? outer : &p->k, d);
    group_sort(args, &p->m);
    group_sort(args, &p->n);
    group_sort(args, all);
}

/* How good lanes over the group are. */
static int lane_score(const BvmKernelArgs *args, const Group *g, const Types *t, unsigned b, int64_t enough)
{
    return (g->total >= enough       ? 16
            : g->total >= enough / 2 ? 8
            : g->total >= enough / 4 ? 4
                                     : 0) +
           (step_of(args, g, 0) == (int64_t)bvm_elem_bytes(t->o_type) ? 2 : 0) +
           (step_of(args, g, b) == (int64_t)bvm_elem_bytes(args->op[b].etype) ? 1 : 0);
}

static Types plan_types(const BvmKernelArgs *args, const Plan *p, bool fused, bool tiles)
{
    return types_of(args->op[0].etype, args->op[p->a].etype, args->flags & (p->a == 1 ? 2 : 4), args->op[p->b].etype,
                    args->flags & (p->b == 1 ? 2 : 4), fused, tiles);
}

static int64_t innermost(const BvmKernelArgs *args, const Group *g)
{
    return g->n ? args->size[g->dim[g->n - 1]] : 1;
}

/* Neighbours in the group are neighbours in the output and in operand `op`. */
static bool lined_with(const BvmKernelArgs *args, const Group *g, unsigned op)
{
    return step_of(args, g, 0) == (int64_t)bvm_elem_bytes(args->op[0].etype) &&
           step_of(args, g, op) == (int64_t)bvm_elem_bytes(args->op[op].etype);
}

static bool lined(const BvmKernelArgs *args, const Group *g)
{
    return lined_with(args, g, 1) && lined_with(args, g, 2);
}

/* The other operand gives the rows. */
static void exchange(const BvmKernelArgs *args, Plan *p, bool fused)
{
    unsigned a = p->a;
    Group m = p->m;
    p->a = p->b;
    p->b = a;
    p->m = p->n;
    p->n = m;
    p->types = plan_types(args, p, fused, false);
}

static void choose(const BvmKernelArgs *args, Plan *p, Group *outer, bool fused)
{
    Group all, left;
    Plan other = {.a = 2, .b = 1}; /* the same groups with the roles changed, in their order */
    p->a = 1;
    p->b = 2;
    p->types = plan_types(args, p, fused, false);
    int64_t enough = V_BYTES / p->types.family->bytes;
    divide_dims(args, &other, &all, &left);
    divide_dims(args, p, &all, &left);
    if (lane_score(args, &other.n, &p->types, other.b, enough) > lane_score(args, &p->n, &p->types, p->b, enough))
        exchange(args, p, fused);
    /* A matrix times a vector, once for each of a batch, has nothing to use twice but the vector. */
    bool thin = p->m.total == 1 || p->n.total == 1;
    p->with_lanes = false;
    if (all.total > 1 &&
        ((p->n.total == 1 && p->m.total == 1) || (thin && lined(args, &all) && innermost(args, &all) >= enough / 2))) {
        if (p->n.total > p->m.total)
            exchange(args, p, fused); /* rows over the longer one */
        Group n = p->n;
        p->n = all;
        all = n;
        p->with_lanes = true;
    } else if (p->m.total == 1 && p->n.n > 1 && innermost(args, &p->n) >= enough && lined_with(args, &p->n, p->b)) {
        exchange(args, p, fused); /* windows: lanes and rows both over what moves, the other's elements in all lanes */
        p->n = (Group){.n = 1, .dim = {p->m.dim[p->m.n - 1]}, .total = innermost(args, &p->m)};
        p->m.n--;
        p->m.total /= p->n.total;
        p->with_lanes = true;
    }
    if (!p->with_lanes && p->m.total > 1 && p->n.total > 1)
        p->types = plan_types(args, p, fused, true);
    *outer = (Group){.total = 1};
    for (uint32_t i = 0; i < all.n; i++)
        outer->dim[outer->n++] = all.dim[i];
    for (uint32_t i = 0; i < left.n; i++) /* reductions last, in order */
        outer->dim[outer->n++] = left.dim[i];
}

/* Which operands the tiles can read in place. */
static void look(const BvmKernelArgs *args, Plan *p, const uint8_t *a, const uint8_t *b)
{
    const Family *f = p->types.family;
    bool single = f->pair == 1; /* k of several elements are in one of a panel */
    bool a_plain = single && p->types.a.plain && ((uintptr_t)a & (f->bytes - 1u)) == 0,
         b_plain = single && p->types.b.plain && ((uintptr_t)b & (f->bytes - 1u)) == 0;
    if (p->with_lanes) { /* each panel looks further */
        p->a_direct = a_plain;
        p->b_direct = b_plain;
        return;
    }
    int64_t width = VECTORS * V_BYTES / f->bytes, cache = 32768 / f->bytes;
    bool k_even = p->k.n <= 1, one = p->m.total == 1 && p->n.total == 1;
    p->a_direct = a_plain && k_even && p->m.n <= 1 &&
                  (p->n.total <= 2 * width || p->m.total <= ISA_ROWS || (p->k.total <= cache && p->m.total <= cache / p->k.total));
    p->b_direct = b_plain && k_even && (one || (p->n.n <= 1 && step_of(args, &p->n, p->b) == f->bytes)) &&
                  (p->m.total <= 2 * ISA_ROWS || (p->k.total <= cache && p->n.total <= cache / p->k.total));
}

static BufvmStatus run(BvmKernelArgs *args, Plan *p, const Group *outer)
{
    BvmWalk walk = {.n = outer->n};
    memcpy(walk.dim, outer->dim, outer->n * sizeof *outer->dim);
    bvm_walk_start(&walk, args);
    look(args, p, args->op[p->a].p, args->op[p->b].p);
    do {
        const uint8_t *a = walk.ptr[p->a], *b = walk.ptr[p->b];
        BufvmStatus status = p->with_lanes                        ? batch(args, p, walk.ptr[0], a, b)
                             : p->m.total == 1 && p->n.total == 1 ? chain(args, p, walk.ptr[0], a, b)
                                                                  : matrix(args, p, walk.ptr[0], a, b);
        if (status)
            return status;
    } while (bvm_walk_next(&walk, args));
    return args->poll(args->user, p->owed);
}

static __attribute__((noinline)) BufvmStatus run_small(BvmKernelArgs *args, Plan *p, const Group *outer)
{
    uint8_t area[AREA(SMALL_KC, SMALL_MC, SMALL_NC_BYTES)];
    divide(p, area, SMALL_KC, SMALL_MC, SMALL_NC_BYTES);
    return run(args, p, outer);
}

static bool is_fused(const BvmKernelArgs *args)
{
    return (args->flags & 1) && bvm_elem_class(args->op[0].etype) == 'F';
}

static bool serves(const BvmKernelArgs *args)
{
    unsigned o = args->op[0].etype, a = args->op[1].etype, b = args->op[2].etype;
    return types_fit(o, a) && types_fit(o, b) && family_of(o, a, args->flags & 2, b, args->flags & 4, is_fused(args), false);
}

#ifdef ISA_ONLY
bool ISA_NAME(bvm_contract_serves)(const BvmKernelArgs *args)
{
    return serves(args);
}
#endif

BufvmStatus ISA_NAME(bvm_contract)(BvmKernelArgs *args)
{
    unsigned t = args->op[0].etype;
    if (!serves(args))
        return bvm_error(args->error, BUFVM_INVALID_ARGUMENT, "contract of %s and %s into %s is not in the kernel",
                         bvm_elem_name(args->op[1].etype), bvm_elem_name(args->op[2].etype), bvm_elem_name(t));
    bool fused = is_fused(args);
    bvm_kernel_simplify(args, 0);
    if (!bvm_kernel_independent(args, 1))
        return in_loop_order(args, args->flags & 2, args->flags & 4, fused);
    Plan plan;
    Group outer;
    plan.owed = 0;
    choose(args, &plan, &outer, fused);
    if (!args->scratch)
        return run_small(args, &plan, &outer);
    divide(&plan, args->scratch, KC, MC, NC_BYTES);
    return run(args, &plan, &outer);
}
