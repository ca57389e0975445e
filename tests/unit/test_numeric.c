/* Unit tests of vm/numeric: integers of any width, arithmetic of the float types, conversions between all formats. */
#include <math.h>
#include <stdlib.h>

#include "expect.h"
#include "numeric_hash.h"

#define ROWS(name) BVM_OP_##name

static uint64_t f64_bits(double a)
{
    return num_bits64(a);
}
static double value_of(unsigned etype, uint64_t bits)
{
    return num_float64(num_float_convert(etype, bits, BVM_F64, 0));
}
static uint64_t code_of(unsigned etype, double a)
{
    return num_float_convert(BVM_F64, num_bits64(a), etype, 0);
}

static uint64_t eval(unsigned row, unsigned etype, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t r = 0;
    EXPECT(num_eval(row, etype, 0, a, b, c, &r), "%s", bvm_ops[row].name);
    return r;
}

/* -- integers ------------------------------------------------------------------------------------------------------------------ */

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* The definitions again, on mathematical integers: widths up to 8 leave room in 64 bits. */
static int64_t defined(unsigned row, int width, int64_t sa, int64_t sb)
{
    int64_t mask = (INT64_C(1) << width) - 1, ua = sa & mask, ub = sb & mask;
    int64_t count = 0;
    switch (row) {
    case ROWS(addi):
        return sa + sb;
    case ROWS(subi):
        return sa - sb;
    case ROWS(muli):
        return sa * sb;
    case ROWS(divsi):
        return sa / sb;
    case ROWS(divui):
        return ua / ub;
    case ROWS(remsi):
        return sa % sb;
    case ROWS(remui):
        return ua % ub;
    case ROWS(ceildivsi):
        return -floor_div(-sa, sb);
    case ROWS(ceildivui):
        return (ua + ub - 1) / ub;
    case ROWS(floordivsi):
        return floor_div(sa, sb);
    case ROWS(andi):
        return sa & sb;
    case ROWS(ori):
        return sa | sb;
    case ROWS(xori):
        return sa ^ sb;
    case ROWS(shli):
        return ub >= width ? 0 : ua * (INT64_C(1) << ub);
    case ROWS(shrsi):
        return ub >= width ? (sa < 0 ? -1 : 0) : floor_div(sa, INT64_C(1) << ub);
    case ROWS(shrui):
        return ub >= width ? 0 : ua / (INT64_C(1) << ub);
    case ROWS(maxsi):
        return sa > sb ? sa : sb;
    case ROWS(minsi):
        return sa < sb ? sa : sb;
    case ROWS(maxui):
        return ua > ub ? ua : ub;
    case ROWS(minui):
        return ua < ub ? ua : ub;
    case ROWS(mulhsi):
        return floor_div(sa * sb, INT64_C(1) << width);
    case ROWS(mulhui):
        return ua * ub / (INT64_C(1) << width);
    case ROWS(absi):
        return sa < 0 ? -sa : sa;
    case ROWS(ctpop):
        for (int i = 0; i < width; i++)
            count += ua >> i & 1;
        return count;
    case ROWS(ctlz):
        while (count < width && !(ua >> (width - 1 - count) & 1))
            count++;
        return count;
    case ROWS(cttz):
        while (count < width && !(ua >> count & 1))
            count++;
        return count;
    case ROWS(cmpi_eq):
        return sa == sb;
    case ROWS(cmpi_ne):
        return sa != sb;
    case ROWS(cmpi_slt):
        return sa < sb;
    case ROWS(cmpi_sle):
        return sa <= sb;
    case ROWS(cmpi_sgt):
        return sa > sb;
    case ROWS(cmpi_sge):
        return sa >= sb;
    case ROWS(cmpi_ult):
        return ua < ub;
    case ROWS(cmpi_ule):
        return ua <= ub;
    case ROWS(cmpi_ugt):
        return ua > ub;
    case ROWS(cmpi_uge):
        return ua >= ub;
    default:
        ck_abort_msg("row %u has no definition here", row);
        return 0;
    }
}

static bool is_int_row(unsigned row)
{
    return row >= ROWS(addi) && row <= ROWS(cmpi_uge);
}
static bool is_division(unsigned row)
{
    return row >= ROWS(divsi) && row <= ROWS(floordivsi);
}

/* A result of `width` bits as a slot holds it. */
static uint64_t as_slot(unsigned row, unsigned width, int64_t v)
{
    bool bit = width == 1 || row >= ROWS(cmpi_eq);
    return bit ? (uint64_t)v & 1 : (uint64_t)num_sext((uint64_t)v, width);
}

START_TEST(int_widths)
{
    unsigned width = (unsigned)_i;
    int checked = 0;
    for (unsigned row = 0; row < BVM_TILE; row++) {
        if (!is_int_row(row) || !bvm_ops[row].form)
            continue;
        checked++;
        for (uint64_t a = 0; a < UINT64_C(1) << width; a++)
            for (uint64_t b = 0; b < UINT64_C(1) << width; b++) {
                /* Junk above the width must not matter. */
                uint64_t junk = UINT64_C(0xa5a5a5a5a5a5a5a5) << width, r = 0;
                bool answered = num_eval_int(row, width, a | junk, b | junk, &r);
                if (is_division(row) && b == 0) {
                    EXPECT_TRUE(!answered);
                    continue;
                }
                EXPECT_TRUE(answered);
                uint64_t want = as_slot(row, width, defined(row, (int)width, num_sext(a, width), num_sext(b, width)));
                EXPECT(r == want, "i%u %s %llu %llu: %llx", width, bvm_ops[row].name, (unsigned long long)a, (unsigned long long)b,
                       (unsigned long long)r);
            }
    }
    EXPECT_EQ(checked, 36);
}
END_TEST

/* The typed functions and the slot level are two ways to the same answers. */
START_TEST(int_types)
{
    static const unsigned etypes[] = {BVM_I8, BVM_I16, BVM_I32, BVM_I64}, widths[] = {8, 16, 32, 64};
    NumericHash random = {7, 0, 0};
    for (unsigned t = 0; t < 4; t++)
        for (unsigned row = 0; row < BVM_TILE; row++) {
            if (!is_int_row(row) || !bvm_ops[row].form)
                continue;
            for (int i = 0; i < 4000; i++) {
                uint64_t a = hash_operand(&random, etypes[t]), b = hash_operand(&random, etypes[t]), typed = 0, wide = 1;
                bool x = num_eval(row, etypes[t], 0, a, b, 0, &typed), y = num_eval_int(row, widths[t], a, b, &wide);
                EXPECT_TRUE(x == y);
                EXPECT(!x || typed == wide, "%s i%u %llx %llx: %llx, %llx", bvm_ops[row].name, widths[t], (unsigned long long)a,
                       (unsigned long long)b, (unsigned long long)typed, (unsigned long long)wide);
            }
        }
}
END_TEST

START_TEST(int_edges)
{
    EXPECT_EQ(num_divsi_i8(-128, -1), -128);
    EXPECT_EQ(num_divsi_i64(INT64_MIN, -1), INT64_MIN);
    EXPECT_EQ(num_remsi_i64(INT64_MIN, -1), 0);
    EXPECT_EQ(num_floordivsi_i32(INT32_MIN, -1), INT32_MIN);
    EXPECT_EQ(num_ceildivsi_i32(INT32_MIN, -1), INT32_MIN);
    EXPECT_EQ(num_floordivsi_i32(-7, 2), -4);
    EXPECT_EQ(num_ceildivsi_i32(-7, 2), -3);
    EXPECT_EQ(num_ceildivsi_i32(7, -2), -3);
    EXPECT_EQ(num_ceildivui_i8((int8_t)255, 2), (int8_t)128);
    EXPECT_EQ(num_ceildivui_i64(-1, 1), -1);
    EXPECT_EQ(num_muli_i16((int16_t)0xffff, (int16_t)0xffff), 1);
    EXPECT_EQ(num_mulhsi_i64(INT64_MIN, INT64_MIN), INT64_C(1) << 62);
    EXPECT_EQ(num_mulhsi_i64(INT64_MIN, -1), 0);
    EXPECT_EQ(num_mulhui_i64(-1, -1), -2);
    EXPECT_EQ(num_mulhsi_i64(-3, 5), -1);
    EXPECT_EQ(num_shli_i64(1, 64), 0);
    EXPECT_EQ(num_shrsi_i64(-5, 1000), -1);
    EXPECT_EQ(num_shrui_i8(-1, 8), 0);
    EXPECT_EQ(num_shrsi_i8(-1, -1), -1); /* an amount of 255 */
    EXPECT_EQ(num_absi_i8(-128), -128);
    EXPECT_EQ(num_ctlz_i8(1), 7);
    EXPECT_EQ(num_ctlz_i64(0), 64);
    EXPECT_EQ(num_cttz_i16(0), 16);
    EXPECT_EQ(num_traps_divsi_i32(5, 0), 1);
    EXPECT_EQ(num_traps_divsi_i32(0, 5), 0);
    uint64_t r;
    EXPECT_TRUE(!num_eval(ROWS(remui), BVM_I8, 0, 1, 0x100, 0, &r)); /* 0 in its low bits */
    EXPECT_TRUE(!num_eval(ROWS(addi), BVM_F32, 0, 1, 2, 0, &r));
    EXPECT_TRUE(!num_eval(ROWS(addf), BVM_I32, 0, 1, 2, 0, &r));
    EXPECT_TRUE(!num_eval_int(ROWS(addf), 8, 1, 2, &r));
    EXPECT_TRUE(!num_eval_int(ROWS(addi), 0, 1, 2, &r));
    EXPECT_TRUE(!num_eval_int(ROWS(addi), 65, 1, 2, &r));
}
END_TEST

/* -- formats --------------------------------------------------------------------------------------------------------------------
 */

static const unsigned small_formats[] = {BVM_F16,        BVM_BF16,       BVM_F8E5M2,        BVM_F8E4M3FN, BVM_F8E4M3,
                                         BVM_F8E5M2FNUZ, BVM_F8E4M3FNUZ, BVM_F8E4M3B11FNUZ, BVM_F8E3M4,   BVM_F8E8M0FNU,
                                         BVM_F6E2M3FN,   BVM_F6E3M2FN,   BVM_F4E2M1FN};
enum { SMALL_FORMATS = sizeof small_formats / sizeof small_formats[0] };

typedef struct Fact {
    unsigned etype;
    uint64_t code;
    double value;
} Fact;

/* From the formats' own papers: largest, smallest normal, smallest number, and one in the middle. */
static const Fact facts[] = {
    {BVM_F16, 0x7bff, 65504},        {BVM_F16, 0x0001, 0x1p-24},      {BVM_BF16, 0x7f7f, 0x1.fep127},
    {BVM_BF16, 0x0001, 0x1p-133},    {BVM_F8E5M2, 0x7b, 57344},       {BVM_F8E5M2, 0x01, 0x1p-16},
    {BVM_F8E5M2, 0x04, 0x1p-14},     {BVM_F8E4M3FN, 0x7e, 448},       {BVM_F8E4M3FN, 0x01, 0x1p-9},
    {BVM_F8E4M3FN, 0xb8, -1},        {BVM_F8E4M3, 0x77, 240},         {BVM_F8E4M3, 0x01, 0x1p-9},
    {BVM_F8E5M2FNUZ, 0x7f, 57344},   {BVM_F8E5M2FNUZ, 0x01, 0x1p-17}, {BVM_F8E4M3FNUZ, 0x7f, 240},
    {BVM_F8E4M3FNUZ, 0x01, 0x1p-10}, {BVM_F8E4M3B11FNUZ, 0x7f, 30},   {BVM_F8E4M3B11FNUZ, 0x01, 0x1p-13},
    {BVM_F8E3M4, 0x6f, 15.5},        {BVM_F8E3M4, 0x01, 0x1p-6},      {BVM_F8E8M0FNU, 0x00, 0x1p-127},
    {BVM_F8E8M0FNU, 0x7f, 1},        {BVM_F8E8M0FNU, 0xfe, 0x1p127},  {BVM_F6E2M3FN, 0x1f, 7.5},
    {BVM_F6E2M3FN, 0x01, 0.125},     {BVM_F6E3M2FN, 0x1f, 28},        {BVM_F6E3M2FN, 0x01, 0.0625},
    {BVM_F4E2M1FN, 0x07, 6},         {BVM_F4E2M1FN, 0x01, 0.5},       {BVM_F4E2M1FN, 0x0a, -1},
};

START_TEST(format_facts)
{
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        EXPECT(value_of(facts[i].etype, facts[i].code) == facts[i].value, "%s %llx", bvm_elem_name(facts[i].etype),
               (unsigned long long)facts[i].code);
        EXPECT_EQ(code_of(facts[i].etype, facts[i].value), facts[i].code);
    }
}
END_TEST

typedef struct Ends {
    unsigned etype;
    uint64_t nan, infinity, minus_infinity, too_large, minus_zero;
} Ends;

/* What becomes of NaN, of the infinities, of 1e30 (1e300 for bf16 and f8E8M0FNU) and of -0. */
static const Ends ends[] = {
    {BVM_F16, 0x7e00, 0x7c00, 0xfc00, 0x7c00, 0x8000},
    {BVM_BF16, 0x7fc0, 0x7f80, 0xff80, 0x7f80, 0x8000},
    {BVM_F32, 0x7fc00000, 0x7f800000, 0xff800000, 0x7f800000, 0x80000000},
    {BVM_F8E5M2, 0x7e, 0x7c, 0xfc, 0x7c, 0x80},
    {BVM_F8E4M3FN, 0x7f, 0x7f, 0x7f, 0x7f, 0x80},
    {BVM_F8E4M3, 0x7c, 0x78, 0xf8, 0x78, 0x80},
    {BVM_F8E5M2FNUZ, 0x80, 0x80, 0x80, 0x80, 0x00},
    {BVM_F8E4M3FNUZ, 0x80, 0x80, 0x80, 0x80, 0x00},
    {BVM_F8E4M3B11FNUZ, 0x80, 0x80, 0x80, 0x80, 0x00},
    {BVM_F8E3M4, 0x78, 0x70, 0xf0, 0x70, 0x80},
    {BVM_F8E8M0FNU, 0xff, 0xff, 0xff, 0xff, 0x00},
    {BVM_F6E2M3FN, 0x00, 0x1f, 0x3f, 0x1f, 0x20},
    {BVM_F6E3M2FN, 0x00, 0x1f, 0x3f, 0x1f, 0x20},
    {BVM_F4E2M1FN, 0x00, 0x07, 0x0f, 0x07, 0x08},
};

START_TEST(format_ends)
{
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const Ends *e = &ends[i];
        EXPECT(num_float_convert(BVM_F64, NUM_NAN_F64 | 0x123 | UINT64_C(1) << 63, e->etype, 0) == e->nan, "%s",
               bvm_elem_name(e->etype));
        EXPECT(code_of(e->etype, INFINITY) == e->infinity, "%s", bvm_elem_name(e->etype));
        EXPECT(code_of(e->etype, -INFINITY) == e->minus_infinity, "%s", bvm_elem_name(e->etype));
        EXPECT(code_of(e->etype, 1e300) == e->too_large, "%s", bvm_elem_name(e->etype));
        EXPECT(code_of(e->etype, -0.0) == e->minus_zero, "%s", bvm_elem_name(e->etype));
        EXPECT(code_of(e->etype, 0x1p-1074) == 0, "%s", bvm_elem_name(e->etype));
    }
    /* Just above the largest: the middle to the next code decides. */
    EXPECT_EQ(code_of(BVM_F8E4M3FN, 464), 0x7e);
    EXPECT_EQ(code_of(BVM_F8E4M3FN, 464.001), 0x7f);
    EXPECT_EQ(code_of(BVM_F16, 65519.999), 0x7bff);
    EXPECT_EQ(code_of(BVM_F16, 65520), 0x7c00);
    EXPECT_EQ(code_of(BVM_F8E4M3FNUZ, 247.9), 0x7f);
    EXPECT_EQ(code_of(BVM_F8E4M3FNUZ, 248), 0x80);
    EXPECT_EQ(code_of(BVM_F8E4M3FNUZ, -1e-9), 0);
    EXPECT_EQ(code_of(BVM_F8E8M0FNU, 1.5), 0x80);
    EXPECT_EQ(code_of(BVM_F8E8M0FNU, 1.49), 0x7f);
    EXPECT_EQ(code_of(BVM_F8E8M0FNU, 0), 0);
    EXPECT_EQ(code_of(BVM_F8E8M0FNU, -3), 0);
    /* Rounding modes at the end: toward zero keeps the largest. */
    EXPECT_EQ(num_float_convert(BVM_F64, f64_bits(1e9), BVM_F16, 3), 0x7bff);
    EXPECT_EQ(num_float_convert(BVM_F64, f64_bits(1e9), BVM_F16, 1), 0x7bff);
    EXPECT_EQ(num_float_convert(BVM_F64, f64_bits(-1e9), BVM_F16, 1), 0xfc00);
    EXPECT_EQ(num_float_convert(BVM_F64, f64_bits(1e9), BVM_F16, 2), 0x7c00);
    EXPECT_EQ(num_float_convert(BVM_F64, f64_bits(1e9), BVM_F8E4M3FN, 3), 0x7e);
    EXPECT_EQ(num_float_convert(BVM_F64, f64_bits(1e-9), BVM_F16, 2), 1);
    EXPECT_EQ(num_float_convert(BVM_F64, f64_bits(-1e-9), BVM_F16, 2), 0x8000);
    EXPECT_EQ(num_float_convert(BVM_F64, f64_bits(-1e-9), BVM_F16, 1), 0x8001);
}
END_TEST

/* Every code of every small format goes to f32 and f64 and back. */
START_TEST(format_round_trip)
{
    unsigned etype = small_formats[_i], bits = bvm_elem_bits(etype);
    int nans = 0;
    for (uint64_t code = 0; code < UINT64_C(1) << bits; code++) {
        double v = value_of(etype, code);
        uint64_t single = num_float_convert(etype, code, BVM_F32, 0);
        if (v != v) {
            nans++;
            EXPECT_EQ(single, NUM_NAN_F32);
            EXPECT_EQ(f64_bits(v), NUM_NAN_F64);
            continue;
        }
        EXPECT((double)num_float32((uint32_t)single) == v, "%llx", (unsigned long long)code);
        EXPECT(code_of(etype, v) == code, "%llx", (unsigned long long)code);
        EXPECT_EQ(num_float_convert(BVM_F32, single, etype, 0), code);
    }
    int expected = etype == BVM_F16        ? 2046
                   : etype == BVM_BF16     ? 254
                   : etype == BVM_F8E5M2   ? 6
                   : etype == BVM_F8E4M3   ? 14
                   : etype == BVM_F8E3M4   ? 30
                   : etype == BVM_F8E4M3FN ? 2
                   : bits < 8              ? 0
                                           : 1;
    EXPECT_EQ(nans, expected);
}
END_TEST

/* Between neighbours: the middle goes to the even code or away, what is beside it to the nearer, directed modes to their side. */
START_TEST(format_rounding)
{
    unsigned etype = small_formats[_i], bits = bvm_elem_bits(etype);
    bool signs = etype != BVM_F8E8M0FNU;
    for (uint64_t code = 0; code + 1 < UINT64_C(1) << (bits - signs); code++) {
        double low = value_of(etype, code), high = value_of(etype, code + 1), middle = 0.5 * (low + high);
        if (!(high < INFINITY))
            continue;
        uint64_t even = etype == BVM_F8E8M0FNU || (code & 1) ? code + 1 : code; /* E8M0 has the one significand 1, which is odd */
        const struct {
            double v;
            uint64_t want[5]; /* even, down, up, zero, away */
        } tests[] = {
            {middle, {even, code, code + 1, code, code + 1}},
            {nextafter(middle, low), {code, code, code + 1, code, code}},
            {nextafter(middle, high), {code + 1, code, code + 1, code, code + 1}},
            {nextafter(high, low), {code + 1, code, code + 1, code, code + 1}},
        };
        for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
            for (unsigned mode = 0; mode < 5; mode++) {
                uint64_t got = num_float_convert(BVM_F64, f64_bits(tests[i].v), etype, mode);
                EXPECT(got == tests[i].want[mode], "%s %a mode %u: %llx", bvm_elem_name(etype), tests[i].v, mode,
                       (unsigned long long)got);
                if (!signs)
                    continue;
                /* The same below zero, where down and up change places. */
                uint64_t sign = UINT64_C(1) << (bits - 1), want = tests[i].want[mode == 1 ? 2 : mode == 2 ? 1 : mode];
                bool no_minus_zero = want == 0 && code_of(etype, -0.0) == 0;
                got = num_float_convert(BVM_F64, f64_bits(-tests[i].v), etype, mode);
                EXPECT(got == (no_minus_zero ? 0 : want | sign), "%s %a mode %u: %llx", bvm_elem_name(etype), -tests[i].v, mode,
                       (unsigned long long)got);
            }
    }
}
END_TEST

/* The quick conversions of ops.h against the table's. */
START_TEST(quick_conversions)
{
    NumericHash random = {3, 0, 0};
    for (uint64_t u = 0; u <= UINT32_MAX; u += 1499) {
        float a = num_float32((uint32_t)u);
        EXPECT_EQ(num_f32_to_f16(a), num_float_convert(BVM_F32, u, BVM_F16, 0));
        EXPECT_EQ(num_f32_to_bf16(a), num_float_convert(BVM_F32, u, BVM_BF16, 0));
    }
    for (uint32_t u = 0; u < 65536; u++) {
        EXPECT_EQ(num_bits32(num_fconv_f16_f32((uint16_t)u)), num_float_convert(BVM_F16, u, BVM_F32, 0));
        EXPECT_EQ(num_bits32(num_fconv_bf16_f32((uint16_t)u)), num_float_convert(BVM_BF16, u, BVM_F32, 0));
        /* All that lies around the middle between two f16. */
        double low = value_of(BVM_F16, u), middle = 0.5 * (low + value_of(BVM_F16, u + 1));
        double near[] = {
            low, middle, nextafter(middle, INFINITY), nextafter(middle, -INFINITY), middle * (1 + 0x1p-30), middle * (1 - 0x1p-30)};
        for (int i = 0; i < 6; i++)
            EXPECT(num_f64_to_f16(near[i]) == code_of(BVM_F16, near[i]), "%a", near[i]);
    }
    for (int i = 0; i < 2000000; i++) {
        uint64_t r = hash_random(&random), exponent = 1023 - 160 + (r >> 3) % 320;
        double a = num_float64((r & UINT64_C(0x800fffffffffffff)) | exponent << 52);
        if (i % 3 == 0) /* next to a short number */
            a = num_float64((num_bits64(a) & UINT64_C(0xffffe00000000000)) + (r >> 60) - 8);
        EXPECT(num_f64_to_f16(a) == code_of(BVM_F16, a), "%a", a);
        EXPECT(num_f64_to_bf16(a) == code_of(BVM_BF16, a), "%a", a);
        EXPECT(num_bits32(num_fconv_f64_f32(a)) == code_of(BVM_F32, a), "%a", a);
    }
}
END_TEST

/* Typed and slot conversions, for all pairs: X(row, source, destination). */
#define INTO_INT(D, S, X)         X(ftosi, S, D) X(ftoui, S, D) X(sitof, D, S) X(uitof, D, S)
#define INTO_FLOAT(D, S, X)       X(fconv, S, D)
#define INT_INTO_INT(D, S, X)     X(exts, S, D) X(extu, S, D)
#define CONVERSIONS_OF(S, X)      T_FLOATS(INTO_FLOAT, S, X) T_INT1(INTO_INT, S, X)
#define STORAGE_CONVERSIONS(S, X) T_FLT(INTO_FLOAT, S, X) T_INT1(INTO_INT, S, X)
#define INT_CONVERSIONS(S, X)     T_INT1(INT_INTO_INT, S, X)
#define ALL_PAIRS(X)                                                                                                               \
    CONVERSIONS_OF(F16, X)                                                                                                         \
    CONVERSIONS_OF(BF16, X)                                                                                                        \
    CONVERSIONS_OF(F32, X)                                                                                                         \
    CONVERSIONS_OF(F64, X)                                                                                                         \
    NUM_T_STORAGE(STORAGE_CONVERSIONS, X)                                                                                          \
    INT_CONVERSIONS(I1, X) INT_CONVERSIONS(I8, X) INT_CONVERSIONS(I16, X) INT_CONVERSIONS(I32, X) INT_CONVERSIONS(I64, X)

#define PAIR_FUNCTION(row, S, D)                                                                                                   \
    static uint64_t pair_##row##_##S##_##D(uint64_t a)                                                                             \
    {                                                                                                                              \
        return NUM_FN(slot, D)(NUM_CONV_FN(row, S, D)(NUM_FN(from_slot, S)(a)));                                                   \
    }
ALL_PAIRS(PAIR_FUNCTION)

#define PAIR_ENTRY(row, S, D) {ROWS(row), BVM_##S, BVM_##D, pair_##row##_##S##_##D},
static const struct {
    unsigned row, from, to;
    uint64_t (*typed)(uint64_t);
} pairs[] = {ALL_PAIRS(PAIR_ENTRY)};

START_TEST(typed_conversions)
{
    NumericHash random = {11, 0, 0};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        for (int i = 0; i < 3000; i++) {
            uint64_t a = hash_operand(&random, pairs[k].from), slot = 1;
            EXPECT_TRUE(num_eval(pairs[k].row, pairs[k].from, pairs[k].to, a, 0, 0, &slot));
            uint64_t typed = pairs[k].typed(a);
            EXPECT(typed == slot, "%s %s %s %llx: %llx, %llx", bvm_ops[pairs[k].row].name, bvm_elem_name(pairs[k].from),
                   bvm_elem_name(pairs[k].to), (unsigned long long)a, (unsigned long long)typed, (unsigned long long)slot);
        }
}
END_TEST

START_TEST(int_to_float)
{
    /* One rounding: through f32 or f64 these would come out as ties, or wrong by one. */
    EXPECT_EQ(num_sitof_i64_f32((INT64_C(1) << 60) + (INT64_C(1) << 36) + 1) == 0x1.000002p60f, 1);
    EXPECT_EQ(num_sitof_i32_f16(2049), code_of(BVM_F16, 2048));
    EXPECT_EQ(num_sitof_i32_f16(2051), code_of(BVM_F16, 2052));
    EXPECT_EQ(num_sitof_i64_bf16((INT64_C(0x101) << 54) + (INT64_C(1) << 53)), code_of(BVM_BF16, 0x1.02p62));
    EXPECT_EQ(num_sitof_i64_bf16((INT64_C(0x100) << 54) + (INT64_C(1) << 54)), code_of(BVM_BF16, 0x1p62));
    EXPECT_EQ(num_sitof_i64_bf16((INT64_C(0x100) << 54) + (INT64_C(1) << 54) + 1), code_of(BVM_BF16, 0x1.02p62));
    EXPECT_EQ(num_sitof_i32_bf16(0x01010001), code_of(BVM_BF16, 0x1.02p24));
    EXPECT_EQ(num_sitof_i32_f16(65519), 0x7bff);
    EXPECT_EQ(num_sitof_i32_f16(65520), 0x7c00);
    EXPECT_EQ(num_sitof_i64_f16(INT64_MIN), 0xfc00);
    EXPECT_EQ(num_uitof_i64_f32(-1) == 0x1p64f, 1);
    EXPECT_EQ(num_sitof_i1_f32(1) == -1.0f, 1);
    EXPECT_EQ(num_uitof_i1_f32(1) == 1.0f, 1);
    EXPECT_EQ(num_uitof_i8_f32(-1) == 255.0f, 1);
    EXPECT_EQ(num_int_to_float(4, true, 0x8, BVM_F32), num_bits32(-8.0f));
    EXPECT_EQ(num_int_to_float(4, false, 0xf8, BVM_F32), num_bits32(8.0f));
    EXPECT_EQ(num_int_to_float(64, true, 0, BVM_F32), 0);
    EXPECT_EQ(num_int_to_float(32, true, 1000, BVM_F8E4M3FN), 0x7f);
    EXPECT_EQ(num_int_to_float(32, true, 1000, BVM_F4E2M1FN), 7);
}
END_TEST

START_TEST(float_to_int)
{
    EXPECT_EQ(num_ftosi_f32_i32(NAN), 0);
    EXPECT_EQ(num_ftosi_f32_i32(-NAN), 0);
    EXPECT_EQ(num_ftosi_f32_i32(2147483648.0f), INT32_MAX);
    EXPECT_EQ(num_ftosi_f32_i32(-INFINITY), INT32_MIN);
    EXPECT_EQ(num_ftosi_f64_i32(2147483647.9), INT32_MAX);
    EXPECT_EQ(num_ftosi_f64_i32(-2147483648.9), INT32_MIN);
    EXPECT_EQ(num_ftosi_f64_i64(0x1p63), INT64_MAX);
    EXPECT_EQ(num_ftosi_f64_i64(-0x1p63), INT64_MIN);
    EXPECT_EQ(num_ftosi_f64_i64(0x1.fffffffffffffp62), INT64_C(0x7ffffffffffffc00));
    EXPECT_EQ(num_ftoui_f64_i64(0x1p64), -1);
    EXPECT_EQ(num_ftoui_f64_i64(0x1p63), INT64_MIN);
    EXPECT_EQ(num_ftoui_f32_i8(300), -1);
    EXPECT_EQ(num_ftoui_f32_i32(-1), 0);
    EXPECT_EQ(num_ftoui_f32_i32(4294967040.0f), -256);
    EXPECT_EQ(num_ftosi_f32_i8(-1.9f), -1);
    EXPECT_EQ(num_ftosi_f32_i1(-1.5f), 1);
    EXPECT_EQ(num_ftosi_f32_i1(1.5f), 0);
    EXPECT_EQ(num_ftoui_f32_i1(1.5f), 1);
    EXPECT_EQ((int64_t)num_float_to_int(BVM_F32, num_bits32(100), 4, true), 7);
    EXPECT_EQ((int64_t)num_float_to_int(BVM_F32, num_bits32(-100), 4, true), -8);
    EXPECT_EQ((int64_t)num_float_to_int(BVM_F32, num_bits32(100), 4, false), -1);
    EXPECT_EQ((int64_t)num_float_to_int(BVM_F64, f64_bits(1e30), 64, true), INT64_MAX);
    EXPECT_EQ((int64_t)num_float_to_int(BVM_F64, f64_bits(-1e30), 64, true), INT64_MIN);
    EXPECT_EQ((int64_t)num_float_to_int(BVM_F64, f64_bits(-0x1p63), 64, true), INT64_MIN);
    EXPECT_EQ((int64_t)num_float_to_int(BVM_F64, f64_bits(0x1p-1074), 64, true), 0);
    EXPECT_EQ((int64_t)num_float_to_int(BVM_F8E4M3FN, 0x7f, 32, true), 0);
    EXPECT_EQ((int64_t)num_float_to_int(BVM_F32, num_bits32(1e10f), 33, false), -1);
    EXPECT_EQ((int64_t)num_float_to_int(BVM_F32, num_bits32(0x1p32f), 33, false), -(INT64_C(1) << 32));
}
END_TEST

/* -- arithmetic -------------------------------------------------------------------------------------------------------------------
 */

/* f64 holds sums, products and, rounded innocuously, quotients of two small numbers. */
static void check_small(unsigned etype, NumericHash *random)
{
    for (int i = 0; i < 300000; i++) {
        uint64_t a = hash_random(random) & 0xffff, b = hash_random(random) & 0xffff;
        if (i & 1) /* of like size: cancellation, ties */
            b = (a + (b & 0x7ff) - 0x400) & 0xffff;
        double x = value_of(etype, a), y = value_of(etype, b);
        const struct {
            unsigned row;
            double value;
        } ops[] = {{ROWS(addf), x + y}, {ROWS(subf), x - y},   {ROWS(mulf), x * y},
                   {ROWS(divf), x / y}, {ROWS(sqrt), sqrt(x)}, {ROWS(remf), fmod(x, y)}};
        for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++) {
            uint64_t got = eval(ops[k].row, etype, a, b, 0), want = code_of(etype, ops[k].value);
            EXPECT(got == want, "%s %s %a %a: %llx not %llx", bvm_ops[ops[k].row].name, bvm_elem_name(etype), x, y,
                   (unsigned long long)got, (unsigned long long)want);
        }
    }
}

START_TEST(small_arithmetic)
{
    NumericHash random = {5, 0, 0};
    check_small(BVM_F16, &random);
    check_small(BVM_BF16, &random);
}
END_TEST

START_TEST(fused)
{
    /* A product in the middle between two numbers, and an addend that only says to which side. */
    EXPECT_EQ(num_fma_f16(0x3c01, 0x3e00, 0x0000), 0x3e02);
    EXPECT_EQ(num_fma_f16(0x3c01, 0x3e00, 0x8001), 0x3e01);
    EXPECT_EQ(num_fma_f16(0x3c01, 0x3e00, 0x0001), 0x3e02);
    EXPECT_EQ(num_fma_bf16(0x3f81, 0x3fc0, 0x0000), 0x3fc2);
    EXPECT_EQ(num_fma_bf16(0x3f81, 0x3fc0, 0x8001), 0x3fc1);
    EXPECT_EQ(num_fma_bf16(0x3f83, 0x3fc0, 0x0000), 0x3fc4);
    EXPECT_EQ(num_fma_bf16(0x3f83, 0x3fc0, 0x0001), 0x3fc5);
    EXPECT_EQ(num_bits32(num_fma_f32(0x1.000002p0f, 1.5f, 0.0f)), 0x3fc00002);
    EXPECT_EQ(num_bits32(num_fma_f32(0x1.000002p0f, 1.5f, -0x1p-149f)), 0x3fc00001);
    EXPECT_EQ(num_bits32(num_fma_f32(0x1.000002p0f, 1.5f, 0x1p-149f)), 0x3fc00002);
    EXPECT_EQ(num_bits32(num_fma_f32(0x1.000006p0f, 1.5f, 0x1p-149f)), 0x3fc00005);
    EXPECT_EQ(num_bits32(num_fma_f32(-1, 1, 1)), 0);
    EXPECT_EQ(num_bits32(num_fma_f32(-0.0f, 1, -0.0f)), 0x80000000);
    EXPECT_EQ(num_bits32(num_fma_f32(0x1p100f, 0x1p100f, -INFINITY)), 0xff800000);
    EXPECT_EQ(num_bits32(num_fma_f32(INFINITY, 0, 1)), NUM_NAN_F32);
    NumericHash random = {9, 0, 0};
    for (int i = 0; i < 1000000; i++) {
        uint64_t r = hash_random(&random), s = hash_random(&random);
        uint32_t a = (uint32_t)r, b = (uint32_t)(r >> 32), c = (uint32_t)s;
        if (i & 1) { /* exponents close enough to meet */
            a = (a & 0x807fffff) | (100 + (a >> 23) % 20) << 23;
            b = (b & 0x807fffff) | (100 + (b >> 23) % 20) << 23;
            c = (c & 0x807fffff) | (60 + (c >> 23) % 80) << 23;
        }
        float x = num_float32(a), y = num_float32(b), z = num_float32(c), want = fmaf(x, y, z);
        EXPECT(num_bits32(num_fma_f32(x, y, z)) == num_bits32(num_canon_f32(want)), "%a %a %a", (double)x, (double)y, (double)z);
        want = (float)num_mul_add_odd((double)x, (double)y, (double)z);
        EXPECT_EQ(num_bits32(num_fma_f32(x, y, z)), num_bits32(num_canon_f32(want)));
    }
}
END_TEST

static const struct {
    unsigned etype;
    uint64_t nan, signalling, payload;
} nans[] = {{BVM_F16, 0x7e00, 0xfd00, 0xfe55},
            {BVM_BF16, 0x7fc0, 0xff81, 0xffd5},
            {BVM_F32, 0x7fc00000, 0xffa00001, 0xffc12345},
            {BVM_F64, NUM_NAN_F64, UINT64_C(0xfff0000000000001), UINT64_C(0xfff8123456789abc)}};

START_TEST(nan_rules)
{
    for (int t = 0; t < 4; t++) {
        unsigned e = nans[t].etype;
        uint64_t n = nans[t].nan, one = code_of(e, 1), sign = code_of(e, -0.0), inf = code_of(e, INFINITY), zero = 0;
        uint64_t inputs[] = {nans[t].signalling, nans[t].payload};
        for (int i = 0; i < 2; i++) {
            uint64_t x = inputs[i];
            for (unsigned row = ROWS(addf); row <= ROWS(powf); row++) {
                char form = bvm_ops[row].form;
                if (!form || form == 'c' || form == 'p' || row == ROWS(negf) || row == ROWS(absf) || row == ROWS(copysign))
                    continue;
                if (row == ROWS(maxnumf) || row == ROWS(minnumf)) {
                    EXPECT_EQ(eval(row, e, x, one, 0), one);
                    EXPECT_EQ(eval(row, e, one, x, 0), one);
                    EXPECT_EQ(eval(row, e, x, x, 0), n);
                    continue;
                }
                EXPECT(eval(row, e, x, inf, one) == n, "%s", bvm_ops[row].name);
                if (form != '1' && row != ROWS(powf))
                    EXPECT(eval(row, e, one, x, one) == n, "%s", bvm_ops[row].name);
                if (form == '3')
                    EXPECT_EQ(eval(row, e, one, one, x), n);
            }
            EXPECT_EQ(eval(ROWS(negf), e, x, 0, 0), x ^ sign);
            EXPECT_EQ(eval(ROWS(absf), e, x, 0, 0), x & ~sign);
            EXPECT_EQ(eval(ROWS(copysign), e, x, one, 0), x & ~sign);
            EXPECT_EQ(eval(ROWS(select), e, 1, x, one), x);
            EXPECT_EQ(eval(ROWS(select), e, 0, one, x), x);
            EXPECT_EQ(eval(ROWS(isnan), e, x, 0, 0), 1);
            EXPECT_EQ(eval(ROWS(cmpf_une), e, x, x, 0), 1);
            EXPECT_EQ(eval(ROWS(cmpf_oeq), e, x, x, 0), 0);
            EXPECT_EQ(eval(ROWS(cmpf_uno), e, one, x, 0), 1);
            EXPECT_EQ(eval(ROWS(cmpf_one), e, one, x, 0), 0);
            EXPECT_EQ(eval(ROWS(cmpf_ueq), e, one, x, 0), 1);
        }
        /* New ones: the machine's own NaN may be negative. */
        EXPECT_EQ(eval(ROWS(subf), e, inf, inf, 0), n);
        EXPECT_EQ(eval(ROWS(mulf), e, inf, zero, 0), n);
        EXPECT_EQ(eval(ROWS(divf), e, zero, zero, 0), n);
        EXPECT_EQ(eval(ROWS(sqrt), e, one | sign, 0, 0), n);
        EXPECT_EQ(eval(ROWS(remf), e, one, zero, 0), n);
        EXPECT_EQ(eval(ROWS(remf), e, inf, one, 0), n);
        /* Zeros are ordered. */
        EXPECT_EQ(eval(ROWS(maximumf), e, sign, zero, 0), zero);
        EXPECT_EQ(eval(ROWS(maximumf), e, zero, sign, 0), zero);
        EXPECT_EQ(eval(ROWS(minimumf), e, zero, sign, 0), sign);
        EXPECT_EQ(eval(ROWS(minimumf), e, sign, zero, 0), sign);
        EXPECT_EQ(eval(ROWS(maxnumf), e, sign, zero, 0), zero);
        EXPECT_EQ(eval(ROWS(minnumf), e, zero, sign, 0), sign);
        EXPECT_EQ(eval(ROWS(maximumf), e, one | sign, one, 0), one);
        EXPECT_EQ(eval(ROWS(minimumf), e, one | sign, inf, 0), one | sign);
        EXPECT_EQ(eval(ROWS(sqrt), e, sign, 0, 0), sign);
    }
}
END_TEST

START_TEST(classes)
{
    for (int t = 0; t < 4; t++) {
        unsigned e = nans[t].etype;
        uint64_t inf = code_of(e, -INFINITY);
        EXPECT_EQ(eval(ROWS(isinf), e, inf, 0, 0), 1);
        EXPECT_EQ(eval(ROWS(isinf), e, nans[t].payload, 0, 0), 0);
        EXPECT_EQ(eval(ROWS(isfinite), e, inf, 0, 0), 0);
        EXPECT_EQ(eval(ROWS(isfinite), e, inf - 1, 0, 0), 1);
        EXPECT_EQ(eval(ROWS(isnormal), e, inf - 1, 0, 0), 1);
        EXPECT_EQ(eval(ROWS(isnormal), e, inf, 0, 0), 0);
        EXPECT_EQ(eval(ROWS(isnormal), e, 0, 0, 0), 0);
        EXPECT_EQ(eval(ROWS(isnormal), e, 1, 0, 0), 0);
    }
    EXPECT_EQ(num_isnormal_f32(0x1p-126f), 1);
    EXPECT_EQ(num_isnormal_f32(0x1.fffffcp-127f), 0);
    EXPECT_EQ(num_isnormal_f64(0x1p-1022), 1);
    EXPECT_EQ(num_isnormal_f16(0x0400), 1);
    EXPECT_EQ(num_isnormal_f16(0x03ff), 0);
}
END_TEST

START_TEST(environment)
{
    NumEnv env, inner;
    volatile float small = 0x1p-126f, half = 0.5f, third = 3.0f, one = 1.0f;
#if defined(__SSE2__)
    unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | 0x8040 | 0x4000); /* flush, and round upward */
    unsigned set = __builtin_ia32_stmxcsr();
    EXPECT_TRUE(small * half == 0);
    num_env_enter(&env);
    EXPECT_TRUE(small * half != 0);
    EXPECT_TRUE(one / third == 0x1.555556p-2f);
    num_env_enter(&inner);
    num_env_leave(&inner);
    EXPECT_TRUE(small * half != 0);
    num_env_leave(&env);
    EXPECT_EQ(__builtin_ia32_stmxcsr() & 0xffc0, set & 0xffc0);
    __builtin_ia32_ldmxcsr(before);
#else
    num_env_enter(&env);
    num_env_enter(&inner);
    EXPECT_TRUE(small * half != 0);
    EXPECT_TRUE(one / third == 0x1.555556p-2f);
    num_env_leave(&inner);
    num_env_leave(&env);
#endif
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("numeric");
    TCase *integers = tcase_create("integers"), *formats = tcase_create("formats"), *floats = tcase_create("floats");
    tcase_add_loop_test(integers, int_widths, 1, 8);
    tcase_add_test(integers, int_types);
    tcase_add_test(integers, int_edges);
    tcase_add_test(formats, format_facts);
    tcase_add_test(formats, format_ends);
    tcase_add_loop_test(formats, format_round_trip, 0, SMALL_FORMATS);
    tcase_add_loop_test(formats, format_rounding, 0, SMALL_FORMATS);
    tcase_add_test(formats, quick_conversions);
    tcase_add_test(formats, typed_conversions);
    tcase_add_test(formats, int_to_float);
    tcase_add_test(formats, float_to_int);
    tcase_add_test(floats, small_arithmetic);
    tcase_add_test(floats, fused);
    tcase_add_test(floats, nan_rules);
    tcase_add_test(floats, classes);
    tcase_add_test(floats, environment);
    tcase_set_timeout(integers, 120);
    tcase_set_timeout(formats, 120);
    tcase_set_timeout(floats, 120);
    suite_add_tcase(suite, integers);
    suite_add_tcase(suite, formats);
    suite_add_tcase(suite, floats);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
