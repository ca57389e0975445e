/* Floats as text: reading any number of digits with one rounding, printing the shortest text that reads back.
 *
 * Both are exact.  Reading compares as W. D. Clinger, "How to Read Floating Point Numbers Accurately" (PLDI 1990), does: the
 * decimal is the fraction of two integers, of which a quotient of 64 bits and whether a remainder is left decide every rounding.
 * Printing makes digits as G. L. Steele and J. L. White, "How to Print Floating-Point Numbers Accurately" (PLDI 1990), and tries
 * one digit more until the text reads back.  Integers of up to 19 digits with a small exponent go through 128-bit arithmetic, all
 * else through integers of fixed size: digits behind the 800th count only as being zero or not (no format needs more than 767), and
 * exponents beyond every format are answered before anything grows.
 */
#include <limits.h>
#include <string.h>

#include "formats.h"
#include "numeric.h"

enum {
    DIGITS = 800,       /* significant digits kept exactly */
    EXPONENT_MAX = 400, /* 10^400 overflows and 10^-400 vanishes in every format */
    LIMBS = 160,        /* 10^(DIGITS + EXPONENT_MAX) takes 125 limbs, a dividend 3 more than that */
    PRINTED = 17        /* digits that tell any two f64 apart */
};

/* -- unsigned integers of up to LIMBS limbs, little-endian, no leading zero limb ------------------------------------------- */
typedef struct Big {
    int n;
    uint32_t limb[LIMBS];
} Big;

static void big_set(Big *a, uint64_t v)
{
    a->limb[0] = (uint32_t)v;
    a->limb[1] = (uint32_t)(v >> 32);
    a->n = v >> 32 ? 2 : v ? 1 : 0;
}

/* a = a * factor + addend */
static void big_muladd(Big *a, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < a->n; i++) {
        carry += (uint64_t)a->limb[i] * factor;
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        a->limb[a->n++] = (uint32_t)carry;
}

static void big_scale10(Big *a, unsigned power)
{
    for (; power >= 9; power -= 9)
        big_muladd(a, 1000000000, 0);
    for (; power > 0; power--)
        big_muladd(a, 10, 0);
}

static int big_bits(const Big *a)
{
    return a->n == 0 ? 0 : 32 * a->n - __builtin_clz(a->limb[a->n - 1]);
}

static void big_shift(Big *a, unsigned left)
{
    unsigned limbs = left / 32, bits = left % 32;
    if (a->n == 0)
        return;
    a->limb[a->n] = 0;
    for (int i = a->n; i >= 0; i--) {
        uint32_t low = i > 0 && bits ? a->limb[i - 1] >> (32 - bits) : 0;
        a->limb[i + (int)limbs] = (i < a->n ? a->limb[i] << bits : 0) | low;
    }
    memset(a->limb, 0, limbs * sizeof a->limb[0]);
    a->n += (int)limbs + 1;
    while (a->n > 0 && a->limb[a->n - 1] == 0)
        a->n--;
}

static int big_compare(const Big *a, const Big *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (int i = a->n - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* a -= b * q, where that is not negative. */
static void big_submul(Big *a, const Big *b, uint32_t q)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->n; i++) {
        uint64_t take = borrow + (i < b->n ? (uint64_t)b->limb[i] * q : 0);
        borrow = (take >> 32) + (a->limb[i] < (uint32_t)take);
        a->limb[i] -= (uint32_t)take;
    }
    while (a->n > 0 && a->limb[a->n - 1] == 0)
        a->n--;
}

/* a / b below 2^32, leaving the remainder in a.  b's highest limb has its top bit set. */
static uint32_t big_divide_step(Big *a, const Big *b)
{
    if (a->n < b->n)
        return 0;
    uint64_t top = a->limb[a->n - 1];
    if (a->n > b->n)
        top = top << 32 | a->limb[a->n - 2];
    /* Divided by one more than b's highest limb: too small by 2 at most. */
    uint64_t q = top / ((uint64_t)b->limb[b->n - 1] + 1);
    big_submul(a, b, (uint32_t)q);
    for (; big_compare(a, b) >= 0; q++)
        big_submul(a, b, 1);
    return (uint32_t)q;
}

/* The highest 64 bits of a, and its exponent; sticky: more bits were set below. */
static NumParts big_top(const Big *a, bool *sticky)
{
    NumParts v = {.class = NUM_NUMBER};
    int shift = big_bits(a) - 64, limb = shift / 32, bit = shift % 32;
    if (shift <= 0) {
        v.m = (a->n > 1 ? (uint64_t)a->limb[1] << 32 : 0) | a->limb[0];
        return v;
    }
    uint64_t low = a->limb[limb] | (uint64_t)a->limb[limb + 1] << 32;
    v.m = bit ? low >> bit | (uint64_t)a->limb[limb + 2] << (64 - bit) : low;
    v.e = shift;
    bool rest = bit && a->limb[limb] << (32 - bit) != 0;
    for (int i = 0; i < limb; i++)
        rest |= a->limb[i] != 0;
    *sticky |= rest;
    return v;
}

/* a / b to 64 bits or a few more cut to 64, and whether that is all of it.  Both are changed. */
static NumParts big_ratio(Big *a, Big *b, bool *sticky)
{
    /* b's top bit to the top of a limb; then a so that the quotient lies in (2^64, 2^66). */
    unsigned align = (unsigned)(32 * b->n - big_bits(b));
    big_shift(b, align);
    int shift = big_bits(b) + 65 - big_bits(a);
    if (shift > 0)
        big_shift(a, (unsigned)shift);
    else
        shift = 0; /* a is longer still: more quotient bits, taken below */
    Big rest = {.n = 0}, quotient = {.n = 0};
    for (int i = a->n - 1; i >= 0; i--) {
        if (rest.n > 0)
            memmove(rest.limb + 1, rest.limb, (size_t)rest.n * sizeof rest.limb[0]);
        rest.limb[0] = a->limb[i];
        rest.n += rest.n > 0 || rest.limb[0] != 0;
        uint32_t q = big_divide_step(&rest, b);
        if (quotient.n > 0)
            memmove(quotient.limb + 1, quotient.limb, (size_t)quotient.n * sizeof quotient.limb[0]);
        quotient.limb[0] = q;
        quotient.n += quotient.n > 0 || q != 0;
    }
    *sticky |= rest.n != 0;
    NumParts v = big_top(&quotient, sticky);
    v.e += (int)align - shift;
    return v;
}

/* -- reading ------------------------------------------------------------------------------------------------------------------ */

typedef struct Decimal {
    char digit[DIGITS]; /* no leading zeros, no trailing zeros */
    int n;
    int64_t exponent; /* the number is digits * 10^exponent */
    bool more;        /* something not zero follows the digits */
} Decimal;

#ifdef __SIZEOF_INT128__
static const uint64_t power10[20] = {1,
                                     10,
                                     100,
                                     1000,
                                     10000,
                                     100000,
                                     1000000,
                                     10000000,
                                     100000000,
                                     1000000000,
                                     10000000000,
                                     100000000000,
                                     1000000000000,
                                     10000000000000,
                                     100000000000000,
                                     1000000000000000,
                                     10000000000000000,
                                     100000000000000000,
                                     1000000000000000000,
                                     UINT64_C(10000000000000000000)};
#endif

/* digits * 10^exponent by 128-bit arithmetic; false when that is too narrow. */
static bool short_decimal(uint64_t digits, int64_t exponent, NumParts *v, bool *sticky)
{
    if (exponent == 0) {
        *v = (NumParts){.class = NUM_NUMBER, .m = digits};
        return true;
    }
#ifdef __SIZEOF_INT128__
    if (exponent < -19 || exponent > 19)
        return false;
    unsigned __int128 wide;
    int e = 0;
    if (exponent > 0) {
        wide = (unsigned __int128)digits * power10[exponent];
    } else {
        /* digits shifted to the top: the quotient has at least 63 bits. */
        int up = __builtin_clzll(digits);
        unsigned __int128 dividend = (unsigned __int128)(digits << up) << 64;
        wide = dividend / power10[-exponent];
        *sticky |= dividend % power10[-exponent] != 0;
        e = -64 - up;
    }
    uint64_t high = (uint64_t)(wide >> 64), low = (uint64_t)wide;
    int cut = high ? 64 - __builtin_clzll(high) : 0;
    *v = (NumParts){.class = NUM_NUMBER, .m = (uint64_t)(wide >> cut), .e = e + cut};
    *sticky |= cut > 0 && (cut == 64 ? low : low << (64 - cut)) != 0;
    return true;
#else
    (void)v;
    (void)sticky;
    return false;
#endif
}

static NumParts long_decimal(const Decimal *d, bool *sticky)
{
    Big a, b;
    big_set(&a, 0);
    for (int i = 0; i < d->n; i++) {
        if (a.n == 0)
            big_set(&a, (uint64_t)(d->digit[i] - '0'));
        else
            big_muladd(&a, 10, (uint32_t)(d->digit[i] - '0'));
    }
    if (d->exponent >= 0) {
        big_scale10(&a, (unsigned)d->exponent);
        return big_top(&a, sticky);
    }
    big_set(&b, 1);
    big_scale10(&b, (unsigned)-d->exponent);
    return big_ratio(&a, &b, sticky);
}

static uint64_t decimal_bits(const NumFormat *format, const Decimal *d, bool negative)
{
    NumParts v = {.class = NUM_ZERO};
    bool sticky = d->more;
    if (d->n > 0 && d->n + d->exponent > EXPONENT_MAX) {
        v = (NumParts){.class = NUM_NUMBER, .m = 1, .e = 1 << 20};
    } else if (d->n > 0 && d->n + d->exponent < -EXPONENT_MAX) {
        v = (NumParts){.class = NUM_NUMBER, .m = 1, .e = -(1 << 20)};
    } else if (d->n > 0) {
        uint64_t digits = 0;
        for (int i = 0; i < d->n && i < 19; i++)
            digits = digits * 10 + (uint64_t)(d->digit[i] - '0');
        if (d->n > 19 || !short_decimal(digits, d->exponent, &v, &sticky))
            v = long_decimal(d, &sticky);
    }
    v.negative = negative;
    return num_pack(format, v, sticky, NUM_NEAREST_EVEN);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool word_at(const char *text, size_t n, const char *word)
{
    size_t length = strlen(word);
    if (n < length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (lower(text[i]) != word[i])
            return false;
    return true;
}

static int digit_value(char c, int base)
{
    int v = c >= '0' && c <= '9' ? c - '0' : lower(c) >= 'a' && lower(c) <= 'f' ? lower(c) - 'a' + 10 : 99;
    return v < base ? v : -1;
}

/* An exponent behind its letter: bytes read, 0 if there is none.  Clamped far beyond what matters. */
static size_t read_exponent(const char *text, size_t n, char letter, int64_t *exponent)
{
    size_t i = 0;
    *exponent = 0;
    if (n == 0 || lower(text[0]) != letter)
        return 0;
    bool negative = n > 1 && text[1] == '-';
    i = n > 1 && (text[1] == '-' || text[1] == '+') ? 2 : 1;
    size_t first = i;
    int64_t v = 0;
    for (; i < n && digit_value(text[i], 10) >= 0; i++)
        if (v < INT64_MAX / 100)
            v = v * 10 + digit_value(text[i], 10);
    if (i == first)
        return 0;
    *exponent = negative ? -v : v;
    return i;
}

/* Digits around at most one point. */
typedef struct Mantissa {
    size_t length;   /* bytes */
    bool any;        /* a digit was there */
    int64_t dropped; /* digits not kept, minus digits behind the point: what the exponent owes */
} Mantissa;

static Mantissa read_hex_digits(const char *text, size_t n, uint64_t *m, bool *sticky)
{
    Mantissa r = {.length = 0};
    bool point = false;
    for (; r.length < n; r.length++) {
        char c = text[r.length];
        int v = digit_value(c, 16);
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (v < 0)
            break;
        r.any = true;
        r.dropped -= point;
        if (*m >> 60) {
            *sticky |= v != 0;
            r.dropped++;
        } else {
            *m = *m << 4 | (uint64_t)v;
        }
    }
    return r;
}

static Mantissa read_decimal_digits(const char *text, size_t n, Decimal *d)
{
    Mantissa r = {.length = 0};
    bool point = false;
    for (; r.length < n; r.length++) {
        char c = text[r.length];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9')
            break;
        r.any = true;
        r.dropped -= point;
        if (d->n == 0 && c == '0')
            continue;
        if (d->n < DIGITS) {
            d->digit[d->n++] = c;
        } else {
            d->more |= c != '0';
            r.dropped++;
        }
    }
    return r;
}

static size_t parse_hex(const char *text, size_t n, const NumFormat *format, bool negative, uint64_t *bits)
{
    NumParts v = {.class = NUM_NUMBER, .negative = negative};
    bool sticky = false;
    Mantissa r = read_hex_digits(text, n, &v.m, &sticky);
    if (!r.any)
        return 0;
    int64_t exponent;
    size_t length = r.length + read_exponent(text + r.length, n - r.length, 'p', &exponent);
    if (v.m == 0)
        v.class = NUM_ZERO;
    /* |4 * dropped| is at most four times a text's length, |exponent| below INT64_MAX / 10. */
    int64_t e = 4 * r.dropped + exponent;
    v.e = e > 1 << 20 ? 1 << 20 : e < -(1 << 20) ? -(1 << 20) : (int)e;
    *bits = num_pack(format, v, sticky, NUM_NEAREST_EVEN);
    return length;
}

static size_t parse_decimal(const char *text, size_t n, const NumFormat *format, bool negative, uint64_t *bits)
{
    Decimal d;
    d.n = 0;
    d.more = false;
    Mantissa r = read_decimal_digits(text, n, &d);
    if (!r.any)
        return 0;
    size_t length = r.length + read_exponent(text + r.length, n - r.length, 'e', &d.exponent);
    d.exponent += r.dropped;
    for (; d.n > 0 && d.digit[d.n - 1] == '0' && !d.more; d.n--)
        d.exponent++;
    *bits = decimal_bits(format, &d, negative);
    return length;
}

size_t num_parse_float(const char *text, size_t n, unsigned etype, uint64_t *bits)
{
    const NumFormat *format = num_format(etype);
    if (!format || n == 0)
        return 0;
    bool negative = text[0] == '-';
    size_t sign = negative || text[0] == '+', length;
    const char *rest = text + sign;
    n -= sign;
    NumParts special = {.class = NUM_INFINITY, .negative = negative};
    if (word_at(rest, n, "inf")) {
        length = word_at(rest, n, "infinity") ? 8 : 3;
        *bits = num_pack(format, special, false, NUM_NEAREST_EVEN);
    } else if (word_at(rest, n, "nan")) {
        length = 3;
        special.class = NUM_NOT_A_NUMBER;
        *bits = num_pack(format, special, false, NUM_NEAREST_EVEN);
    } else if (word_at(rest, n, "0x") && (length = parse_hex(rest + 2, n - 2, format, negative, bits)) > 0) {
        length += 2;
    } else {
        length = parse_decimal(rest, n, format, negative, bits);
    }
    return length ? length + sign : 0;
}

/* -- printing --------------------------------------------------------------------------------------------------------------------
 */

/* The first digits of a number, exactly. */
typedef struct Digits {
    uint8_t digit[PRINTED + 1]; /* one more than is printed, which with `more` decides the rounding */
    int point;                  /* value = 0.d1 d2 d3 ... * 10^point */
    bool more;                  /* what is cut off is not zero */
} Digits;

/* Numbers whose fraction ends within 60 bits and whose integer part fits in 64. */
static bool short_digits(NumParts v, Digits *d)
{
    if (v.e > __builtin_clzll(v.m) || v.e < -60)
        return false;
    uint64_t whole = v.e >= 0 ? v.m << v.e : v.m >> -v.e;
    uint64_t mask = v.e >= 0 ? 0 : (UINT64_C(1) << -v.e) - 1, fraction = v.m & mask;
    uint8_t reversed[20];
    int n = 0, used = 0;
    for (; whole > 0; whole /= 10)
        reversed[n++] = (uint8_t)(whole % 10);
    d->point = n;
    d->more = false;
    while (n > 0) {
        uint8_t digit = reversed[--n];
        if (used <= PRINTED)
            d->digit[used++] = digit;
        else
            d->more |= digit != 0;
    }
    while (used <= PRINTED) {
        fraction *= 10;
        uint8_t digit = v.e < 0 ? (uint8_t)(fraction >> -v.e) : 0;
        fraction &= mask;
        if (used == 0 && digit == 0)
            d->point--;
        else
            d->digit[used++] = digit;
    }
    d->more |= fraction != 0;
    return true;
}

static void long_digits(NumParts v, Digits *d)
{
    Big a, b;
    big_set(&a, v.m);
    big_set(&b, 1);
    if (v.e >= 0)
        big_shift(&a, (unsigned)v.e);
    else
        big_shift(&b, (unsigned)-v.e);
    /* log10 of the number, at most one too small: value < 10^(estimate + 2). */
    int bits = 63 - __builtin_clzll(v.m) + v.e;
    int estimate = (int)((int64_t)bits * 30103 / 100000) - (bits < 0);
    if (estimate > 0)
        big_scale10(&b, (unsigned)estimate);
    else
        big_scale10(&a, (unsigned)-estimate);
    /* Both shifted alike, for the division's estimate. */
    unsigned align = (unsigned)(32 * b.n - big_bits(&b));
    big_shift(&b, align);
    big_shift(&a, align);
    uint32_t first = big_divide_step(&a, &b);
    int used = 0;
    d->point = estimate + 1;
    if (first >= 10) {
        d->digit[used++] = (uint8_t)(first / 10);
        d->point++;
        first %= 10;
    }
    if (first == 0 && used == 0)
        d->point--;
    else
        d->digit[used++] = (uint8_t)first;
    while (used <= PRINTED) {
        big_muladd(&a, 10, 0);
        uint32_t digit = big_divide_step(&a, &b);
        if (used == 0 && digit == 0)
            d->point--;
        else
            d->digit[used++] = (uint8_t)digit;
    }
    d->more = a.n != 0;
}

/* The first p digits rounded to nearest even, as `d->n` digits without trailing zeros; the exponent as of the last digit. */
static void round_digits(const Digits *digits, int p, Decimal *d, int *point)
{
    bool more = digits->more;
    for (int i = p + 1; i <= PRINTED; i++)
        more |= digits->digit[i] != 0;
    int next = digits->digit[p];
    bool up = next > 5 || (next == 5 && (more || (digits->digit[p - 1] & 1)));
    d->n = p;
    *point = digits->point;
    for (int i = 0; i < p; i++)
        d->digit[i] = (char)('0' + digits->digit[i]);
    if (up) {
        int i = p - 1;
        for (; i >= 0 && d->digit[i] == '9'; i--)
            d->digit[i] = '0';
        if (i >= 0) {
            d->digit[i]++;
        } else {
            d->digit[0] = '1';
            ++*point;
        }
    }
    while (d->n > 1 && d->digit[d->n - 1] == '0')
        d->n--;
    d->exponent = *point - d->n;
    d->more = false;
}

/* As C's %.{p}g with p at least 6, that is with an exponent when it is below -4 or has no place among the digits. */
static size_t write_decimal(const Decimal *d, int point, int p, bool negative, char *out)
{
    char *at = out;
    int exponent = point - 1;
    if (negative)
        *at++ = '-';
    if (exponent < -4 || exponent >= (p < 6 ? 6 : p)) {
        *at++ = d->digit[0];
        if (d->n > 1) {
            *at++ = '.';
            memcpy(at, d->digit + 1, (size_t)d->n - 1);
            at += d->n - 1;
        }
        unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
        *at++ = 'e';
        *at++ = exponent < 0 ? '-' : '+';
        if (size >= 100)
            *at++ = (char)('0' + size / 100);
        *at++ = (char)('0' + size / 10 % 10);
        *at++ = (char)('0' + size % 10);
    } else {
        if (point <= 0) {
            memcpy(at, "0.0000", 6);
            at += 2 - point;
        }
        for (int i = 0; i < d->n || i < point; i++) {
            if (i == point && point > 0)
                *at++ = '.';
            *at++ = i < d->n ? d->digit[i] : '0';
        }
    }
    *at = 0;
    return (size_t)(at - out);
}

size_t num_print_float(unsigned etype, uint64_t bits, char *out)
{
    const NumFormat *format = num_format(etype);
    out[0] = 0;
    if (!format)
        return 0;
    NumParts v = num_unpack(format, bits);
    uint64_t wanted = num_pack(format, v, false, NUM_NEAREST_EVEN);
    if (v.class != NUM_NUMBER) {
        static const char *const text[2][4] = {{"0", "", "inf", "nan"}, {"-0", "", "-inf", "nan"}};
        strcpy(out, text[v.negative][v.class]);
        return strlen(out);
    }
    /* Without trailing zero bits more numbers take the short way. */
    int zeros = __builtin_ctzll(v.m);
    v.m >>= zeros;
    v.e += zeros;
    Digits digits;
    if (!short_digits(v, &digits))
        long_digits(v, &digits);
    Decimal d;
    int point = 0, p = 1;
    for (; p <= PRINTED; p++) {
        round_digits(&digits, p, &d, &point);
        if (decimal_bits(format, &d, v.negative) == wanted)
            break;
    }
    return write_decimal(&d, point, p, v.negative, out);
}
