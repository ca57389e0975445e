/* Unit tests of vm/numeric/decimal.c: float text in and out, in every format. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "expect.h"
#include "numeric_hash.h"

static uint64_t parsed(const char *text, unsigned etype)
{
    uint64_t bits = UINT64_MAX;
    size_t n = num_parse_float(text, strlen(text), etype, &bits);
    EXPECT(n == strlen(text), "%s: %zu bytes read", text, n);
    return bits;
}

static const char *printed(unsigned etype, uint64_t bits)
{
    static char text[64];
    memset(text, '#', sizeof text);
    size_t n = num_print_float(etype, bits, text);
    EXPECT(n < 40 && text[n] == 0 && strlen(text) == n, "length %zu", n);
    return text;
}

START_TEST(prints)
{
    static const struct {
        unsigned etype;
        const char *text;
    } cases[] = {
        {BVM_F32, "1"},
        {BVM_F32, "-0"},
        {BVM_F32, "0"},
        {BVM_F32, "10"},
        {BVM_F32, "1000"},
        {BVM_F32, "100000"},
        {BVM_F32, "1e+06"},
        {BVM_F32, "1e+10"},
        {BVM_F32, "0.22222222"},
        {BVM_F32, "6.9077554"},
        {BVM_F32, "6e-08"},
        {BVM_F32, "5.9604645e-08"},
        {BVM_F32, "4.2949673e+09"},
        {BVM_F32, "2.1474836e+09"},
        {BVM_F32, "65504"},
        {BVM_F32, "16777216"},
        {BVM_F32, "3.4028235e+38"},
        {BVM_F32, "-3.4028235e+38"},
        {BVM_F32, "1e-45"},
        {BVM_F32, "1.1754944e-38"},
        {BVM_F32, "9.223372e+18"},
        {BVM_F32, "1.0995116e+12"},
        {BVM_F32, "0.0001"},
        {BVM_F32, "1e-05"},
        {BVM_F32, "123456.78"},
        {BVM_F32, "inf"},
        {BVM_F32, "-inf"},
        {BVM_F32, "nan"},
        {BVM_F64, "0.1"},
        {BVM_F64, "0.30000000000000004"},
        {BVM_F64, "5e-324"},
        {BVM_F64, "2.2250738585072014e-308"},
        {BVM_F64, "1.7976931348623157e+308"},
        {BVM_F64, "1e+22"},
        {BVM_F64, "1e+23"},
        {BVM_F64, "9007199254740993e+3"},
        {BVM_F64, "9.5367431640625e-07"},
        {BVM_F64, "123456789012345680"},
        {BVM_F16, "65500"},
        {BVM_F16, "6e-08"},
        {BVM_F16, "0.1"},
        {BVM_F16, "1000"},
        {BVM_BF16, "3.39e+38"},
        {BVM_BF16, "9e-41"},
        {BVM_BF16, "0.1"},
        {BVM_F8E4M3FN, "450"},
        {BVM_F8E8M0FNU, "1"},
        {BVM_F8E8M0FNU, "6e-39"},
        {BVM_F4E2M1FN, "6"},
        {BVM_F4E2M1FN, "-0.5"},
        {BVM_F4E2M1FN, "-0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = printed(cases[i].etype, parsed(cases[i].text, cases[i].etype));
        const char *want = strcmp(cases[i].text, "9007199254740993e+3") == 0  ? "9.007199254740993e+18"
                           : strcmp(cases[i].text, "123456789012345680") == 0 ? "1.2345678901234568e+17"
                                                                              : cases[i].text;
        EXPECT(strcmp(text, want) == 0, "%s printed as %s", want, text);
    }
    ck_assert_str_eq(printed(BVM_F32, 0xffc00001), "nan");
    ck_assert_str_eq(printed(BVM_F8E4M3FNUZ, 0x80), "nan");
    char text[40];
    ck_assert_uint_eq(num_print_float(BVM_I32, 1, text), 0);
}
END_TEST

/* A text is shortest if it reads back and one digit less, in C's rounding, does not. */
static void check_shortest(unsigned etype, uint64_t bits)
{
    double value = num_float64(num_float_convert(etype, bits, BVM_F64, 0));
    const char *text = printed(etype, bits);
    if (value != value) {
        EXPECT(strcmp(text, "nan") == 0, "%s", text);
        return;
    }
    EXPECT(parsed(text, etype) == bits, "%s does not read back as %llx", text, (unsigned long long)bits);
    if (value == 0 || isinf(value))
        return;
    int digits = 0;
    bool significant = false;
    for (const char *p = text; *p && *p != 'e'; p++) {
        significant |= *p >= '1' && *p <= '9';
        digits += significant && *p >= '0' && *p <= '9';
    }
    /* Zeros that only hold places, as in 100, are no digits of precision. */
    if (!strchr(text, '.'))
        for (const char *p = text + strcspn(text, "e"); p[-1] == '0'; p--)
            digits--;
    char exact[64], shorter[64];
    snprintf(exact, sizeof exact, "%.*e", digits - 1, value);
    EXPECT(strtod(exact, NULL) == strtod(text, NULL), "%s: closest of that length is %s", text, exact);
    if (digits > 1) {
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
        EXPECT(parsed(shorter, etype) != bits, "%s: %s is enough", text, shorter);
    }
}

START_TEST(shortest_small)
{
    for (unsigned etype = 0; etype < BVM_ELEMS; etype++)
        for (uint64_t code = 0; num_is_float(etype) && bvm_elem_bits(etype) <= 16 && code < UINT64_C(1) << bvm_elem_bits(etype);
             code++)
            if (num_float_convert(etype, code, etype, 0) == code) /* one NaN of many */
                check_shortest(etype, code);
}
END_TEST

START_TEST(shortest_wide)
{
    for (uint64_t u = 0; u < 0x7f800000; u += 7919)
        check_shortest(BVM_F32, u);
    for (uint64_t e = 1; e < 255; e++) /* powers of two, whose neighbours are not alike */
        for (uint64_t k = 0; k < 3; k++)
            check_shortest(BVM_F32, (e << 23) + k - 1);
    NumericHash random = {21, 0, 0};
    for (int i = 0; i < 100000; i++)
        check_shortest(BVM_F64, hash_random(&random) & UINT64_C(0x7fefffffffffffff));
    for (uint64_t e = 1; e < 2047; e++)
        for (uint64_t k = 0; k < 3; k++)
            check_shortest(BVM_F64, (e << 52) + k - 1);
    for (int i = 0; i < 50000; i++)
        check_shortest(BVM_F64, num_bits64((double)(hash_random(&random) >> (hash_random(&random) % 60))));
}
END_TEST

START_TEST(reads)
{
    /* Beside the middle between two numbers, in the 60th or the 800th digit. */
    ck_assert_uint_eq(parsed("9007199254740993", BVM_F64), num_bits64(9007199254740992.0));
    ck_assert_uint_eq(parsed("9007199254740993.00000000000000000000000000000000000000000000000001", BVM_F64),
                      num_bits64(9007199254740994.0));
    ck_assert_uint_eq(parsed("9007199254740992.99999999999999999999999999999999999999999999999999", BVM_F64),
                      num_bits64(9007199254740992.0));
    ck_assert_uint_eq(parsed("16777217", BVM_F32), num_bits32(16777216.0f));
    ck_assert_uint_eq(parsed("16777217.0000001", BVM_F32), num_bits32(16777218.0f));
    ck_assert_uint_eq(parsed("16777217.0000000000000000001", BVM_F32), num_bits32(16777218.0f));
    ck_assert_uint_eq(parsed("1.00048828125", BVM_F16), 0x3c00); /* 1 + 2^-11 */
    ck_assert_uint_eq(parsed("1.0004882812500000000000000000000000001", BVM_F16), 0x3c01);
    ck_assert_uint_eq(parsed("65519.99999999999999999", BVM_F16), 0x7bff);
    ck_assert_uint_eq(parsed("65520", BVM_F16), 0x7c00);
    ck_assert_uint_eq(parsed("1e400", BVM_F64), num_bits64(INFINITY));
    ck_assert_uint_eq(parsed("-1e-400", BVM_F64), num_bits64(-0.0));
    ck_assert_uint_eq(parsed("2.4703282292062327e-324", BVM_F64), 0);
    ck_assert_uint_eq(parsed("2.4703282292062328e-324", BVM_F64), 1);
    ck_assert_uint_eq(parsed("2.2250738585072011e-308", BVM_F64), UINT64_C(0x000fffffffffffff));
    ck_assert_uint_eq(parsed("1.7976931348623158e308", BVM_F64), num_bits64(1.7976931348623157e308));
    ck_assert_uint_eq(parsed("1.7976931348623159e308", BVM_F64), num_bits64(INFINITY));
    ck_assert_uint_eq(parsed("0e999999999999999999999999", BVM_F64), 0);
    ck_assert_uint_eq(parsed("0.0000000000000000000000000000000000000000000000000000001e55", BVM_F64), num_bits64(1));
    ck_assert_uint_eq(parsed("1e999999999999999999999999", BVM_F64), num_bits64(INFINITY));
    ck_assert_uint_eq(parsed("1e-999999999999999999999999", BVM_F64), 0);
    ck_assert_uint_eq(parsed("0x1.8p3", BVM_F64), num_bits64(12));
    ck_assert_uint_eq(parsed("-0X.8P-1", BVM_F64), num_bits64(-0.25));
    ck_assert_uint_eq(parsed("0x1.00000000000008p0", BVM_F64), num_bits64(1));
    ck_assert_uint_eq(parsed("0x1.00000000000008000000000000000000000001p0", BVM_F64), num_bits64(0x1.0000000000001p0));
    ck_assert_uint_eq(parsed("0x1p-1075", BVM_F64), 0);
    ck_assert_uint_eq(parsed("0x1.0000001p-1075", BVM_F64), 1);
    ck_assert_uint_eq(parsed("0x1p999999999999999999999", BVM_F64), num_bits64(INFINITY));
    ck_assert_uint_eq(parsed("NaN", BVM_F16), 0x7e00);
    ck_assert_uint_eq(parsed("-nan", BVM_F32), NUM_NAN_F32);
    ck_assert_uint_eq(parsed("-Infinity", BVM_F32), 0xff800000);
    ck_assert_uint_eq(parsed("inf", BVM_F8E4M3FN), 0x7f);
    ck_assert_uint_eq(parsed("-inf", BVM_F4E2M1FN), 0xf);
    ck_assert_uint_eq(parsed("+.5", BVM_F32), num_bits32(0.5f));
    ck_assert_uint_eq(parsed("5.", BVM_F32), num_bits32(5));
}
END_TEST

START_TEST(grammar)
{
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {{"", 0},      {".", 0},    {"-", 0},     {"+-1", 0},      {"e5", 0},  {"1e", 1},   {"1e+", 1},
                 {"1.2.3", 3}, {"1,5", 1},  {"0x", 1},    {"0x.", 1},      {"0xg", 1}, {"0x1p", 3}, {"0x1p+", 3},
                 {"1 2", 1},   {"nanx", 3}, {"infin", 3}, {"infinity", 8}, {"in", 0},  {"-.e1", 0}, {"1_000", 1},
                 {" 1", 0},    {"1f", 1},   {"1e5e5", 3}, {"0x1.8p-1p", 8}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t bits;
        size_t n = num_parse_float(cases[i].text, strlen(cases[i].text), BVM_F64, &bits);
        EXPECT(n == cases[i].length, "'%s': %zu bytes read", cases[i].text, n);
    }
    /* Not past the end that was given. */
    uint64_t bits;
    ck_assert_uint_eq(num_parse_float("12345", 2, BVM_F64, &bits), 2);
    ck_assert_uint_eq(bits, num_bits64(12));
    ck_assert_uint_eq(num_parse_float("1e55", 2, BVM_F64, &bits), 1);
    ck_assert_uint_eq(num_parse_float("0x1", 2, BVM_F64, &bits), 1);
    ck_assert_uint_eq(num_parse_float("infinity", 4, BVM_F64, &bits), 3);
    ck_assert_uint_eq(num_parse_float("1", 1, BVM_I32, &bits), 0);
}
END_TEST

START_TEST(long_text)
{
    /* A million digits: 1.000...01 is above 1 + 2^-53 by its last digit alone. */
    enum { N = 1000000 };
    char *text = malloc(N + 64);
    ck_assert_ptr_nonnull(text);
    static const char middle[] = "1.00000000000000011102230246251565404236316680908203125";
    memcpy(text, middle, sizeof middle - 1);
    memset(text + sizeof middle - 1, '0', N);
    uint64_t bits;
    ck_assert_uint_eq(num_parse_float(text, N, BVM_F64, &bits), N);
    ck_assert_uint_eq(bits, num_bits64(1));
    text[N - 1] = '1';
    ck_assert_uint_eq(num_parse_float(text, N, BVM_F64, &bits), N);
    ck_assert_uint_eq(bits, num_bits64(0x1.0000000000001p0));
    /* A number of a million digits with the exponent that brings it back. */
    memset(text, '0', N);
    text[0] = '7';
    memcpy(text + N, "e-999999", 9);
    ck_assert_uint_eq(num_parse_float(text, N + 8, BVM_F64, &bits), N + 8);
    ck_assert_uint_eq(bits, num_bits64(7));
    free(text);
}
END_TEST

/* Random text against the C library's reader, which is exact for double and float. */
START_TEST(against_strtod)
{
    NumericHash random = {31, 0, 0};
    setlocale(LC_ALL, "C");
    for (int i = 0; i < 100000; i++) {
        static const int lengths[] = {1, 3, 9, 17, 18, 19, 20, 21, 40, 120, 400};
        char text[512];
        int digits = lengths[hash_random(&random) % 11], n = 0, point = (int)(hash_random(&random) % (uint64_t)(digits + 1));
        for (int k = 0; k < digits; k++) {
            if (k == point)
                text[n++] = '.';
            text[n++] = (char)('0' + hash_random(&random) % 10);
        }
        uint64_t r = hash_random(&random);
        if (r % 4)
            n += sprintf(text + n, "e%d", (int)(r >> 8) % (r % 2 ? 30 : 330));
        text[n] = 0;
        EXPECT(parsed(text, BVM_F64) == num_bits64(strtod(text, NULL)), "%s", text);
        EXPECT(parsed(text, BVM_F32) == num_bits32(strtof(text, NULL)), "%s as f32", text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("numeric text");
    TCase *all = tcase_create("text");
    tcase_set_timeout(all, 240);
    tcase_add_test(all, prints);
    tcase_add_test(all, shortest_small);
    tcase_add_test(all, shortest_wide);
    tcase_add_test(all, reads);
    tcase_add_test(all, grammar);
    tcase_add_test(all, long_text);
    tcase_add_test(all, against_strtod);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
