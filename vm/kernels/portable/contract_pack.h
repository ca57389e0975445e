/* Panels of a contraction: elements of an operand, converted and ordered as the tiles read them.
 *
 * A panel holds, for each step of k, `ld` lanes side by side.  Lanes past the given ones are cleared.  Where the elements
 * are is told by two tables of byte offsets, one over lanes and one over k; an element is at their sum.
 */

/* n neighbours into an array of the panel's scalar type. */
typedef void ConvertFn(const uint8_t *from, void *to, int64_t n);

#define CONVERT(NAME, FROM_BYTES, TO, EXPR)                                                                                        \
    static void convert_##NAME(const uint8_t *from, void *to, int64_t n)                                                           \
    {                                                                                                                              \
        TO *t = to;                                                                                                                \
        for (int64_t i = 0; i < n; i++) {                                                                                          \
            const uint8_t *p = from + i * (FROM_BYTES);                                                                            \
            t[i] = (TO)(EXPR);                                                                                                     \
        }                                                                                                                          \
    }
CONVERT(i1_i8, 1, uint8_t, *p & 1)
CONVERT(i8_i8, 1, uint8_t, *p)
CONVERT(i8_biased, 1, uint8_t, *p ^ 0x80)
#define I8_AT  (int8_t) * p
#define I16_AT (int16_t) LANE_GET(I16, p)
#define I32_AT LANE_GET(I32, p)
CONVERT(i1_i16, 1, s_I16, *p & 1)
CONVERT(i1_i32, 1, s_I32, *p & 1)
CONVERT(i1_i64, 1, s_I64, *p & 1)
CONVERT(i8_i16, 1, s_I16, I8_AT)
CONVERT(u8_i16, 1, s_I16, *p)
CONVERT(i16_i16, 2, s_I16, I16_AT)
CONVERT(i8_i32, 1, s_I32, I8_AT)
CONVERT(u8_i32, 1, s_I32, *p)
CONVERT(i16_i32, 2, s_I32, I16_AT)
CONVERT(u16_i32, 2, s_I32, (uint16_t)I16_AT)
CONVERT(i32_i32, 4, s_I32, I32_AT)
CONVERT(i8_i64, 1, s_I64, I8_AT)
CONVERT(u8_i64, 1, s_I64, *p)
CONVERT(i16_i64, 2, s_I64, I16_AT)
CONVERT(u16_i64, 2, s_I64, (uint16_t)I16_AT)
CONVERT(i32_i64, 4, s_I64, (int32_t)I32_AT)
CONVERT(u32_i64, 4, s_I64, (uint32_t)I32_AT)
CONVERT(i64_i64, 8, s_I64, LANE_GET(I64, p))
CONVERT(f32_f32, 4, s_F32, LANE_GET(F32, p))
CONVERT(bf16_f32, 2, s_F32, num_widen_bf16(LANE_GET(BF16, p)))
CONVERT(f16_f16, 2, s_I16, LANE_GET(F16, p))
CONVERT(f64_f64, 8, s_F64, LANE_GET(F64, p))
CONVERT(f32_f64, 4, s_F64, LANE_GET(F32, p))
CONVERT(f16_f64, 2, s_F64, num_widen_f16(LANE_GET(F16, p)))
CONVERT(bf16_f64, 2, s_F64, num_widen_bf16(LANE_GET(BF16, p)))
#ifdef ISA_WIDEN_F16
static void convert_f16_f32(const uint8_t *from, void *to, int64_t n)
{
    enum { N = V_BYTES / 4 };
    s_F32 *t = to;
    int64_t i = 0;
    for (; i + N <= n; i += N)
        *(v_F32 *)(t + i) = ISA_WIDEN_F16(from + i * 2);
    for (; i < n; i++)
        t[i] = num_widen_f16(LANE_GET(F16, from + i * 2));
}
#else
CONVERT(f16_f32, 2, s_F32, num_widen_f16(LANE_GET(F16, p)))
#endif

/* Floats below 16 bits: a byte each. */
typedef struct Packer {
    uint8_t from; /* bytes of an element */
    uint8_t to;   /* bytes of a panel's scalar */
    uint8_t pair;
    bool plain; /* a copy of bytes */
    ConvertFn *convert;
    unsigned small, sum, wide; /* convert NULL: etypes of a small float, the accumulator and the panel's scalar */
} Packer;

static void convert(const Packer *pk, const uint8_t *from, void *to, int64_t n)
{
    if (pk->convert) {
        pk->convert(from, to, n);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        uint64_t slot = 0;
        num_eval(BVM_OP_fconv, pk->small, pk->sum, from[i], 0, 0, &slot); /* f16 does not hold all of f8E8M0FNU */
        num_eval(BVM_OP_fconv, pk->sum, pk->wide, slot, 0, 0, &slot);
        if (pk->to == 4)
            ((s_I32 *)to)[i] = (uint32_t)slot;
        else
            ((s_I64 *)to)[i] = slot;
    }
}

#ifdef ISA_ONLY_F16
#define LEAST_BYTES 2 /* of an accumulator */
#else
#define LEAST_BYTES 4
#endif
#define CHUNK       64 /* k steps that are converted before they are transposed */
#define PANEL_LANES (VECTORS * V_BYTES / LEAST_BYTES > ISA_ROWS ? VECTORS * V_BYTES / LEAST_BYTES : ISA_ROWS)

/* rows[l][0 .. n) of 4-byte units to to[i * ld + l]. */
static void transpose4(const uint8_t *const *rows, int64_t lanes, int64_t n, s_I32 *to, int64_t ld)
{
    int64_t l = 0;
    for (; l + 4 <= lanes; l += 4) {
        const uint8_t *r0 = rows[l], *r1 = rows[l + 1], *r2 = rows[l + 2], *r3 = rows[l + 3];
        s_I32 *t = to + l;
        int64_t i = 0;
        for (; i + 4 <= n; i += 4, t += 4 * ld) {
            q_I32 a = *(const q_I32 *)(r0 + i * 4), b = *(const q_I32 *)(r1 + i * 4), c = *(const q_I32 *)(r2 + i * 4),
                  d = *(const q_I32 *)(r3 + i * 4);
            q_I32 ab = SHUFFLE(a, b, 0, 4, 1, 5), cd = SHUFFLE(c, d, 0, 4, 1, 5), ef = SHUFFLE(a, b, 2, 6, 3, 7),
                  gh = SHUFFLE(c, d, 2, 6, 3, 7);
            *(q_I32 *)t = SHUFFLE(ab, cd, 0, 1, 4, 5);
            *(q_I32 *)(t + ld) = SHUFFLE(ab, cd, 2, 3, 6, 7);
            *(q_I32 *)(t + 2 * ld) = SHUFFLE(ef, gh, 0, 1, 4, 5);
            *(q_I32 *)(t + 3 * ld) = SHUFFLE(ef, gh, 2, 3, 6, 7);
        }
        for (; i < n; i++, t += ld) {
            t[0] = *(const s_I32 *)(r0 + i * 4);
            t[1] = *(const s_I32 *)(r1 + i * 4);
            t[2] = *(const s_I32 *)(r2 + i * 4);
            t[3] = *(const s_I32 *)(r3 + i * 4);
        }
    }
    for (; l < lanes; l++)
        for (int64_t i = 0; i < n; i++)
            to[i * ld + l] = *(const s_I32 *)(rows[l] + i * 4);
}

static void transpose8(const uint8_t *const *rows, int64_t lanes, int64_t n, s_I64 *to, int64_t ld)
{
    for (int64_t l = 0; l < lanes; l++)
        for (int64_t i = 0; i < n; i++)
            to[i * ld + l] = *(const s_I64 *)(rows[l] + i * 8);
}

static void transpose2(const uint8_t *const *rows, int64_t lanes, int64_t n, s_I16 *to, int64_t ld)
{
    for (int64_t l = 0; l < lanes; l++)
        for (int64_t i = 0; i < n; i++)
            to[i * ld + l] = *(const s_I16 *)(rows[l] + i * 2);
}

static void copy_row(uint8_t *to, const uint8_t *from, int64_t bytes)
{
    int64_t i = 0;
    for (; i + 16 <= bytes; i += 16)
        memcpy(to + i, from + i, 16);
    for (; i + 4 <= bytes; i += 4)
        memcpy(to + i, from + i, 4);
    for (; i + 2 <= bytes; i += 2)
        memcpy(to + i, from + i, 2);
}

/* Four rows of bytes: those of a lane become a unit.  Units are `step` apart. */
static void zip4(uint8_t *to, int64_t step, const uint8_t *const *rows, int64_t lanes)
{
    const uint8_t *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
    s_I32 *t = (s_I32 *)(void *)to;
    if (step == 1)
        for (int64_t l = 0; l < lanes; l++)
            t[l] = r0[l] | (uint32_t)r1[l] << 8 | (uint32_t)r2[l] << 16 | (uint32_t)r3[l] << 24;
    else
        for (int64_t l = 0; l < lanes; l++)
            t[l * step] = r0[l] | (uint32_t)r1[l] << 8 | (uint32_t)r2[l] << 16 | (uint32_t)r3[l] << 24;
}

/* Bytes of lanes that are neighbours in memory, four or eight k in a unit. */
static void pack_byte_rows(const Packer *pk, uint8_t *to, int64_t ld, const uint8_t *from, int64_t lanes, const int64_t *k_at,
                           int64_t kc)
{
    static const uint8_t zero[PANEL_LANES];
    uint8_t room[4][PANEL_LANES];
    int64_t fours = pk->pair / 4;
    for (int64_t k = 0; k < kc; k += pk->pair, to += ld * pk->pair)
        for (int64_t f = 0; f < fours; f++) {
            const uint8_t *rows[4];
            for (int64_t i = 0; i < 4; i++) {
                int64_t at = k + f * 4 + i;
                rows[i] = at >= kc ? zero : pk->plain ? from + k_at[at] : room[i];
                if (rows[i] == room[i])
                    convert(pk, from + k_at[at], room[i], lanes);
            }
            zip4(to + f * 4, fours, rows, lanes);
        }
}

/* Lanes that are neighbours in memory: whole rows. */
static void pack_rows(const Packer *pk, uint8_t *to, int64_t ld, const uint8_t *from, int64_t lanes, const int64_t *k_at,
                      int64_t kc)
{
    int64_t unit = pk->to * pk->pair, row = ld * unit;
    if (pk->to == 1) {
        pack_byte_rows(pk, to, ld, from, lanes, k_at, kc);
        return;
    }
    if (pk->pair == 1) {
        for (int64_t k = 0; k < kc; k++, to += row)
            if (pk->plain)
                copy_row(to, from + k_at[k], lanes * unit);
            else
                convert(pk, from + k_at[k], to, lanes);
        return;
    }
    s_I16 even[PANEL_LANES], odd[PANEL_LANES];
    for (int64_t k = 0; k < kc; k += 2, to += row) {
        convert(pk, from + k_at[k], even, lanes);
        if (k + 1 < kc)
            convert(pk, from + k_at[k + 1], odd, lanes);
        else
            memset(odd, 0, sizeof odd);
        s_I16 *t = (s_I16 *)(void *)to; /* neighbours in memory, as along k */
        for (int64_t l = 0; l < lanes; l++) {
            t[2 * l] = even[l];
            t[2 * l + 1] = odd[l];
        }
    }
}

/* Lanes apart: along k, then transposed. */
static void pack_columns(const Packer *pk, uint8_t *to, int64_t ld, const uint8_t *from, const int64_t *lane_at, int64_t lanes,
                         const int64_t *k_at, int64_t kc)
{
    uint64_t room[PANEL_LANES * CHUNK];
    uint8_t raw[CHUNK * 8];
    const uint8_t *rows[PANEL_LANES];
    int64_t unit = pk->to * pk->pair;
    for (int64_t k = 0; k < kc;) {
        int64_t n = 1, most = kc - k < CHUNK ? kc - k : CHUNK;
        while (n < most && k_at[k + n] - k_at[k + n - 1] == pk->from)
            n++;
        bool run = n == most || n >= 16;
        n = run ? (n < most ? n - n % pk->pair : n) : most;
        for (int64_t l = 0; l < lanes; l++) {
            const uint8_t *p = from + lane_at[l] + k_at[k];
            uint8_t *mine = (uint8_t *)room + l * CHUNK * pk->to;
            rows[l] = mine;
            if (run && pk->plain && n % pk->pair == 0) {
                rows[l] = p;
                continue;
            }
            if (!run) {
                const uint8_t *at = from + lane_at[l];
                switch (pk->from) {
                case 1:
                    for (int64_t i = 0; i < n; i++)
                        raw[i] = at[k_at[k + i]];
                    break;
                case 2:
                    for (int64_t i = 0; i < n; i++)
                        memcpy(raw + i * 2, at + k_at[k + i], 2);
                    break;
                case 4:
                    for (int64_t i = 0; i < n; i++)
                        memcpy(raw + i * 4, at + k_at[k + i], 4);
                    break;
                default:
                    for (int64_t i = 0; i < n; i++)
                        memcpy(raw + i * 8, at + k_at[k + i], 8);
                }
                p = raw;
            }
            if (pk->plain)
                memcpy(mine, p, (size_t)(n * pk->to));
            else
                convert(pk, p, mine, n);
            for (int64_t i = n; i % pk->pair; i++)
                memset(mine + i * pk->to, 0, pk->to);
        }
        int64_t units = (n + pk->pair - 1) / pk->pair;
        if (unit == 2)
            transpose2(rows, lanes, units, (s_I16 *)(void *)to, ld);
        else if (unit == 4)
            transpose4(rows, lanes, units, (s_I32 *)(void *)to, ld);
        else
            transpose8(rows, lanes, units, (s_I64 *)(void *)to, ld);
        to += units * ld * unit;
        k += n;
    }
}

static void pack(const Packer *pk, uint8_t *to, int64_t ld, const uint8_t *from, const int64_t *lane_at, int64_t lanes,
                 const int64_t *k_at, int64_t kc)
{
    int64_t unit = pk->to * pk->pair, steps = (kc + pk->pair - 1) / pk->pair, runs = 1;
    if (lanes < ld)
        memset(to, 0, (size_t)(steps * ld * unit));
    for (int64_t l = 1; l < lanes; l++)
        runs += lane_at[l] - lane_at[l - 1] != pk->from;
    bool along_k = kc > 1 && k_at[1] - k_at[0] == pk->from;
    if (runs > 1 && (runs * 4 > lanes || along_k)) {
        pack_columns(pk, to, ld, from, lane_at, lanes, k_at, kc);
        return;
    }
    for (int64_t l = 0; l < lanes;) {
        int64_t n = 1;
        while (l + n < lanes && lane_at[l + n] - lane_at[l + n - 1] == pk->from)
            n++;
        pack_rows(pk, to + l * unit, ld, from + lane_at[l], n, k_at, kc);
        l += n;
    }
}
