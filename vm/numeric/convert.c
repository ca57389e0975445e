/* Conversions between numbers of any float format and any integer width.
 *
 * A value is taken apart into sign, 64-bit significand and exponent, and put together with one rounding.  Formats without infinity
 * behave as LLVM's APFloat: those with a NaN turn infinity and overflow into it, those without saturate.  Beyond that (where
 * APFloat has no answer) NaN becomes 0 in a format without NaN, and a negative number the smallest of f8E8M0FNU.
 */
#include "formats.h"
#include "numeric.h"

static const NumFormat formats[BVM_ELEMS] = {
    [BVM_F16] = {5, 10, NUM_IEEE, 15, false},          [BVM_BF16] = {8, 7, NUM_IEEE, 127, false},
    [BVM_F32] = {8, 23, NUM_IEEE, 127, false},         [BVM_F64] = {11, 52, NUM_IEEE, 1023, false},
    [BVM_F8E5M2] = {5, 2, NUM_IEEE, 15, false},        [BVM_F8E4M3FN] = {4, 3, NUM_NAN_ONES, 7, false},
    [BVM_F8E4M3] = {4, 3, NUM_IEEE, 7, false},         [BVM_F8E5M2FNUZ] = {5, 2, NUM_NAN_NEG0, 16, false},
    [BVM_F8E4M3FNUZ] = {4, 3, NUM_NAN_NEG0, 8, false}, [BVM_F8E4M3B11FNUZ] = {4, 3, NUM_NAN_NEG0, 11, false},
    [BVM_F8E3M4] = {3, 4, NUM_IEEE, 3, false},         [BVM_F8E8M0FNU] = {8, 0, NUM_NAN_ONES, 127, true},
    [BVM_F6E2M3FN] = {2, 3, NUM_FINITE, 1, false},     [BVM_F6E3M2FN] = {3, 2, NUM_FINITE, 3, false},
    [BVM_F4E2M1FN] = {2, 1, NUM_FINITE, 1, false},
};

const NumFormat *num_format(unsigned etype)
{
    return etype < BVM_ELEMS && formats[etype].exponent_bits ? &formats[etype] : NULL;
}

static uint64_t magnitude_mask(const NumFormat *f)
{
    return (UINT64_C(1) << (f->exponent_bits + f->fraction_bits)) - 1;
}
static uint64_t sign_bit(const NumFormat *f)
{
    return f->is_unsigned ? 0 : magnitude_mask(f) + 1;
}
static uint64_t infinity_code(const NumFormat *f)
{
    return ((UINT64_C(1) << f->exponent_bits) - 1) << f->fraction_bits;
}

/* Code of the largest finite magnitude. */
static uint64_t largest_code(const NumFormat *f)
{
    if (f->specials == NUM_IEEE)
        return infinity_code(f) - 1;
    return magnitude_mask(f) - (f->specials == NUM_NAN_ONES);
}

static uint64_t nan_code(const NumFormat *f)
{
    switch (f->specials) {
    case NUM_IEEE:
        return infinity_code(f) | UINT64_C(1) << (f->fraction_bits - 1);
    case NUM_NAN_ONES:
        return magnitude_mask(f);
    case NUM_NAN_NEG0:
        return sign_bit(f);
    default:
        return 0;
    }
}

bool num_is_float(unsigned etype)
{
    return num_format(etype) != NULL;
}

NumParts num_unpack(const NumFormat *f, uint64_t bits)
{
    uint64_t code = bits & magnitude_mask(f), fraction = code & ((UINT64_C(1) << f->fraction_bits) - 1);
    int exponent = (int)(code >> f->fraction_bits);
    NumParts v = {.class = NUM_NUMBER, .negative = (bits & sign_bit(f)) != 0};
    if ((f->specials == NUM_NAN_NEG0 && code == 0 && v.negative) || (f->specials == NUM_NAN_ONES && code == magnitude_mask(f)) ||
        (f->specials == NUM_IEEE && code > infinity_code(f))) {
        v.class = NUM_NOT_A_NUMBER;
    } else if (f->specials == NUM_IEEE && code == infinity_code(f)) {
        v.class = NUM_INFINITY;
    } else if (code == 0 && !f->is_unsigned) {
        v.class = NUM_ZERO;
    } else {
        bool normal = exponent > 0 || f->is_unsigned;
        v.m = normal ? fraction | UINT64_C(1) << f->fraction_bits : fraction;
        v.e = (normal ? exponent : 1) - f->bias - f->fraction_bits;
    }
    return v;
}

static uint64_t overflow(const NumFormat *f, bool negative, unsigned mode)
{
    uint64_t sign = negative ? sign_bit(f) : 0;
    bool away = mode == NUM_NEAREST_EVEN || mode == NUM_NEAREST_AWAY || mode == (negative ? NUM_DOWN : NUM_UP);
    if (f->specials == NUM_FINITE || !away)
        return largest_code(f) | sign;
    return f->specials == NUM_IEEE ? infinity_code(f) | sign : nan_code(f);
}

/* The bits cut off are `rest`, of which `half` is the highest; more: and then some. */
static bool rounds_away(uint64_t rest, uint64_t half, bool more, bool odd, bool negative, unsigned mode)
{
    bool inexact = rest != 0 || more;
    switch (mode) {
    case NUM_DOWN:
        return inexact && negative;
    case NUM_UP:
        return inexact && !negative;
    case NUM_TOWARD_ZERO:
        return false;
    case NUM_NEAREST_AWAY:
        return rest >= half;
    default:
        return rest > half || (rest == half && (more || odd));
    }
}

static uint64_t pack_number(const NumFormat *f, NumParts v, bool sticky, unsigned mode)
{
    int shift = __builtin_clzll(v.m);
    uint64_t m = v.m << shift;
    int64_t biased = (int64_t)v.e - shift + 63 + f->bias;
    if (f->is_unsigned && (v.negative || biased < 0))
        return 0;
    if (biased > (INT64_C(1) << f->exponent_bits))
        return overflow(f, v.negative, mode);
    bool normal = biased >= 1 || f->is_unsigned;
    int64_t cut = 63 - f->fraction_bits + (normal ? 0 : 1 - biased);
    bool more = sticky;
    if (cut > 64) {
        more = true; /* below half of the smallest number: all that is left is that it is not zero */
        m = 0;
        cut = 64;
    }
    uint64_t kept = cut >= 64 ? 0 : m >> cut, half = UINT64_C(1) << (cut - 1), rest = cut >= 64 ? m : m & ((half << 1) - 1);
    uint64_t code = kept;
    if (normal) /* the implicit bit of `kept` adds the last one to the exponent */
        code += (uint64_t)(biased - 1) << f->fraction_bits;
    code += rounds_away(rest, half, more, kept & 1, v.negative, mode);
    if (code > largest_code(f))
        return overflow(f, v.negative, mode);
    if (code == 0 && f->specials == NUM_NAN_NEG0)
        return 0;
    return code | (v.negative ? sign_bit(f) : 0);
}

uint64_t num_pack(const NumFormat *f, NumParts v, bool sticky, unsigned mode)
{
    switch (v.class) {
    case NUM_NOT_A_NUMBER:
        return nan_code(f);
    case NUM_INFINITY:
        return f->is_unsigned ? nan_code(f) : overflow(f, v.negative, NUM_NEAREST_EVEN);
    case NUM_ZERO:
        return v.negative && f->specials != NUM_NAN_NEG0 ? sign_bit(f) : 0;
    default:
        return pack_number(f, v, sticky, mode);
    }
}

uint64_t num_float_convert(unsigned from, uint64_t a, unsigned to, unsigned mode)
{
    const NumFormat *source = num_format(from), *dest = num_format(to);
    return source && dest ? num_pack(dest, num_unpack(source, a), false, mode) : 0;
}

uint64_t num_int_to_float(unsigned width, bool is_signed, uint64_t a, unsigned dest_etype)
{
    const NumFormat *dest = num_format(dest_etype);
    if (!dest)
        return 0;
    uint64_t value = is_signed ? (uint64_t)num_sext(a, width) : num_zext(a, width);
    NumParts v = {.class = value ? NUM_NUMBER : NUM_ZERO, .negative = is_signed && (int64_t)value < 0};
    v.m = v.negative ? 0 - value : value;
    return num_pack(dest, v, false, NUM_NEAREST_EVEN);
}

/* Magnitude truncated to an integer; UINT64_MAX when it needs more than 64 bits. */
static uint64_t truncated(NumParts v)
{
    if (v.class != NUM_NUMBER)
        return v.class == NUM_INFINITY ? UINT64_MAX : 0;
    if (v.e <= -64)
        return 0;
    if (v.e <= 0)
        return v.m >> -v.e;
    return v.e > __builtin_clzll(v.m) ? UINT64_MAX : v.m << v.e;
}

uint64_t num_float_to_int(unsigned etype, uint64_t a, unsigned width, bool is_signed)
{
    const NumFormat *format = num_format(etype);
    if (!format)
        return 0;
    NumParts v = num_unpack(format, a);
    uint64_t magnitude = truncated(v), result;
    if (is_signed) {
        uint64_t limit = (UINT64_C(1) << (width - 1)) - !v.negative;
        magnitude = magnitude > limit ? limit : magnitude;
        result = v.negative ? 0 - magnitude : magnitude;
    } else {
        uint64_t limit = num_zext(UINT64_MAX, width);
        result = v.negative ? 0 : magnitude > limit ? limit : magnitude;
    }
    return width == 1 ? result & 1 : (uint64_t)num_sext(result, width);
}
