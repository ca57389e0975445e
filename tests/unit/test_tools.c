/* What vmrun and `vmc --run` share, by table: value text, .npy bytes, comparison, and the host functions with what they print. */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../vm/tools/host.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static ToolValue value_of(const char *text)
{
    ToolValue value;
    ToolError error;
    ck_assert_msg(tool_value_parse(text, NULL, &value, &error), "%s: %s", text, error.text);
    return value;
}

/* -- text that is collected ----------------------------------------------------------------------------------- */

typedef struct Text {
    FILE *file;
    char *bytes;
    size_t n;
} Text;

static void open_text(Text *text)
{
    text->file = open_memstream(&text->bytes, &text->n);
    ck_assert_ptr_nonnull(text->file);
}

static void expect_text(Text *text, const char *expected, const char *what)
{
    fclose(text->file);
    ck_assert_msg(strcmp(text->bytes, expected) == 0, "%s: got\n%s\nexpected\n%s", what, text->bytes, expected);
    free(text->bytes);
}

/* -- value text ------------------------------------------------------------------------------------------------ */

START_TEST(values_read_and_printed)
{
    static const struct {
        const char *text, *printed;
    } cases[] = {
        {"i32=5", "i32=5"},
        {"i32", "i32=0"},
        {"f32=0.1", "f32=0.1"},
        {"f64=-0", "f64=-0"},
        {"f16=65520", "f16=inf"},
        {"bf16=1", "bf16=1"},
        {"i1=true", "i1=1"},
        {"i1=false", "i1=0"},
        {"ui8=255", "ui8=255"},
        {"si8=-1", "si8=-1"},
        {"i8=255", "i8=-1"},
        {"i4=15", "i4=-1"},
        {"i24=0xffffff", "i24=-1"},
        {"ui24=0XFFFFFF", "ui24=16777215"},
        {"i64=+9223372036854775807", "i64=9223372036854775807"},
        {"i64=18446744073709551615", "i64=-1"},
        {"index=-3", "index=-3"},
        {"complex<f32>=1 2", "complex<f32>=(1,2)"},
        {"c128=(1,-0)", "c128=(1,-0)"},
        {"cf64", "cf64=(0,0)"},
        {"4xf32=1,2,3,4", "4xf32=1 2 3 4"},
        {"2x2xi32=[1 2][3 4]", "2x2xi32=[1 2][3 4]"},
        {"2x2xi32=[[1, 2],\n\t[3, 4]]\r", "2x2xi32=[1 2][3 4]"},
        {"2x1x2xi32=[1 2][3 4]", "2x1x2xi32=[[1 2]][[3 4]]"},
        {"2x2xf32=7", "2x2xf32=[7 7][7 7]"},
        {"2xc64=(1,2)", "2xc64=(1,2) (1,2)"},
        {"2xc64=(1,2)(3,4)", "2xc64=(1,2) (3,4)"},
        {"3xf8E4M3FN=1 2 nan", "3xf8E4M3FN=1 2 nan"},
        {"2x2xi32", "2x2xi32=[0 0][0 0]"},
        {"0xf32=", "0xf32="},
        {"2x0xf32", "2x0xf32="},
        {"\"2xi32=1 2\"", "2xi32=1 2"},
        {"  2xi32=1 2", "2xi32=1 2"},
        {"(ignored)", "(null)"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ToolValue value = value_of(cases[i].text);
        Text text;
        open_text(&text);
        ck_assert(tool_value_print(&value, 0, text.file));
        expect_text(&text, cases[i].printed, cases[i].text);
        tool_value_release(&value);
    }
    ToolValue value = value_of("2x3xi32=1 2 3 4 5 6");
    Text text;
    open_text(&text);
    tool_value_print(&value, 4, text.file);
    expect_text(&text, "2x3xi32=[1 2 3][4...", "only four elements");
    tool_value_release(&value);
}
END_TEST

START_TEST(bare_values_take_the_written_type)
{
    static const struct {
        BufvmKind kind;
        const char *written, *text, *printed; /* printed NULL: refused */
    } cases[] = {
        {BUFVM_SCALAR, "i32", "7", "i32=7"},
        {BUFVM_SCALAR, "f32", "0.5", "f32=0.5"},
        {BUFVM_SCALAR, "complex<f64>", "1 2", "complex<f64>=(1,2)"},
        {BUFVM_SCALAR, "i32", "7.5", NULL},
        {BUFVM_SCALAR, "!nothing", "7", NULL},
        {BUFVM_VIEW, "tensor<f32>", "f32=3", "f32=3"},
        {BUFVM_VIEW, "tensor<f32>", "3", NULL},
        {BUFVM_VIEW, "tensor<i4>", "i4=-1", "i4=-1"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        BufvmType type = {.kind = cases[i].kind, .written = cases[i].written};
        ToolValue value;
        ToolError error = {0};
        bool ok = tool_value_parse(cases[i].text, &type, &value, &error);
        ck_assert_msg(ok == (cases[i].printed != NULL), "%s as %s: %s", cases[i].text, cases[i].written, error.text);
        if (!ok) {
            ck_assert_int_eq(error.exit, TOOL_USAGE);
            continue;
        }
        ck_assert_int_eq(value.value.kind, cases[i].kind);
        Text text;
        open_text(&text);
        tool_value_print(&value, 0, text.file);
        expect_text(&text, cases[i].printed, cases[i].text);
        tool_value_release(&value);
    }
}
END_TEST

START_TEST(values_refused)
{
    static const struct {
        const char *text, *message;
        ToolExit exit;
    } cases[] = {
        {"4xf32=1,2,3", "3 elements given where 4", TOOL_USAGE},
        {"4xf32=1,2,3,4,5", "5 elements given where 4", TOOL_USAGE},
        {"2xc64=1,2,3", "1 elements given where 2", TOOL_USAGE},
        {"f32=1x", "'1x' is no f32", TOOL_USAGE},
        {"f32=", "0 elements given where 1", TOOL_USAGE},
        {"i32=0x1_0", "is no i32", TOOL_USAGE},
        {"i32=-", "is no i32", TOOL_USAGE},
        {"i32=a", "is no i32", TOOL_USAGE},
        {"i32=4294967296", "is no i32", TOOL_USAGE},
        {"i32=-2147483649", "is no i32", TOOL_USAGE},
        {"ui32=-1", "is no ui32", TOOL_USAGE},
        {"i64=18446744073709551616", "is no i64", TOOL_USAGE},
        {"i32=true", "is no i32", TOOL_USAGE},
        {"i32=000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001", "is no i32",
         TOOL_USAGE},
        {"2y3=1", "is no shape", TOOL_USAGE},
        {"2", "is no shape", TOOL_USAGE},
        {"9999999999999999999xf32", "is no shape", TOOL_USAGE},
        {"1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1"
         "x1x1x1x1xf32",
         "is no shape", TOOL_USAGE},
        {"4294967296x4294967296x4294967296xf32", "is too large", TOOL_USAGE},
        {"1099511627776xf32", "the value is too large", TOOL_USAGE},
        {"2xf33", "'f33' names no element type", TOOL_USAGE},
        {"2x", "names no element type", TOOL_USAGE},
        {"i0=1", "names no element type", TOOL_USAGE},
        {"i65=1", "names no element type", TOOL_USAGE},
        {"i08=1", "names no element type", TOOL_USAGE},
        {"i3x=1", "names no element type", TOOL_USAGE},
        {"i=1", "names no element type", TOOL_USAGE},
        {"u8=1", "names no element type", TOOL_USAGE},
        {"averylongnamethatnobodyhas=1", "names no element type", TOOL_USAGE},
        {"@/nonexistent/file.npy", "No such file", TOOL_IO},
        {"2xf32=@/nonexistent/file.bin", "No such file", TOOL_IO},
        {"2xf32=@/dev/null", "0 bytes where a value of f32 needs 8", TOOL_USAGE},
        {"2xf32=@/dev/zero", "over 8 bytes where a value of f32 needs 8", TOOL_USAGE},
        {"@/dev/null", "not a .npy file", TOOL_IO},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ToolValue value;
        ToolError error = {0};
        ck_assert_msg(!tool_value_parse(cases[i].text, NULL, &value, &error), "%s was taken", cases[i].text);
        ck_assert_msg(strstr(error.text, cases[i].message), "%s: %s", cases[i].text, error.text);
        ck_assert_msg(error.exit == cases[i].exit, "%s: exit %d", cases[i].text, error.exit);
    }
}
END_TEST

START_TEST(elements_of_written_types)
{
    static const struct {
        const char *written, *name; /* NULL: names none */
    } cases[] = {
        {"i32", "i32"},
        {"tensor<4xf32>", "f32"},
        {"tensor<?x2xi4>", "i4"},
        {"memref<*xf64>", "f64"},
        {"memref<2xbf16, strided<[?]>>", "bf16"},
        {"tensor<2xcomplex<f32>>", "complex<f32>"},
        {"complex<f64>", "complex<f64>"},
        {"tensor<ui8>", "ui8"},
        {"vector<4x4x!q>", NULL},
        {"none", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ElemFormat format;
        bool ok = tool_elem_of_written(cases[i].written, &format);
        ck_assert_msg(ok == (cases[i].name != NULL), "%s", cases[i].written);
        if (ok)
            ck_assert_str_eq(format.name, cases[i].name);
    }
}
END_TEST

START_TEST(exit_codes_of_statuses)
{
    static const ToolExit exits[] = {[BUFVM_OK] = TOOL_OK,
                                     [BUFVM_INVALID_ARGUMENT] = TOOL_USAGE,
                                     [BUFVM_INVALID_MODULE] = TOOL_MODULE,
                                     [BUFVM_VERSION] = TOOL_MODULE,
                                     [BUFVM_NOT_FOUND] = TOOL_USAGE,
                                     [BUFVM_OUT_OF_MEMORY] = TOOL_LIMIT,
                                     [BUFVM_LIMIT] = TOOL_LIMIT,
                                     [BUFVM_TRAP] = TOOL_TRAP,
                                     [BUFVM_INTERRUPTED] = TOOL_TRAP,
                                     [BUFVM_BUSY] = TOOL_USAGE,
                                     [BUFVM_IO] = TOOL_IO,
                                     [BUFVM_HOST] = TOOL_TRAP};
    for (unsigned s = 0; s < COUNT(exits); s++)
        ck_assert_int_eq(tool_exit_of(s), exits[s]);
    ck_assert_int_eq(tool_exit_of(COUNT(exits)), TOOL_USAGE);
    static const struct {
        BufvmError from;
        const char *text;
    } texts[] = {{{BUFVM_TRAP, "division by zero", "main", 3, 4, 0}, "x: trap: division by zero (in @main at line 3:4)"},
                 {{BUFVM_TRAP, "division by zero", "main", 0, 0, 0}, "x: trap: division by zero (in @main)"},
                 {{BUFVM_LIMIT, "too much", "", 0, 0, 0}, "x: limit reached: too much"},
                 {{BUFVM_INVALID_MODULE, "bad at byte 8", "", 0, 0, 8}, "x: bad at byte 8"}};
    for (size_t i = 0; i < COUNT(texts); i++) {
        ToolError error;
        ck_assert(!tool_fail_status(&error, "x", &texts[i].from));
        ck_assert_str_eq(error.text, texts[i].text);
        ck_assert_int_eq(error.exit, tool_exit_of(texts[i].from.status));
    }
}
END_TEST

START_TEST(sizes_of_flags)
{
    static const struct {
        const char *text;
        bool ok;
        uint64_t value;
    } cases[] = {{"0", true, 0},
                 {"17", true, 17},
                 {"0x10", true, 16},
                 {"2K", true, 2048},
                 {"3M", true, 3 << 20},
                 {"1G", true, 1 << 30},
                 {"", false, 0},
                 {"-1", false, 0},
                 {"1T", false, 0},
                 {"1KK", false, 0},
                 {"x", false, 0},
                 {"18446744073709551615", true, UINT64_MAX},
                 {"18446744073709551616", false, 0},
                 {"18446744073709551615K", false, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t value = 0;
        ck_assert_msg(tool_parse_u64(cases[i].text, &value) == cases[i].ok, "%s", cases[i].text);
        if (cases[i].ok)
            ck_assert_uint_eq(value, cases[i].value);
    }
}
END_TEST

/* -- comparison -------------------------------------------------------------------------------------------------- */

START_TEST(comparisons)
{
    static const ToolTolerance exact = {0}, near = {.atol = 0.01, .approximate = true},
                               relative = {.rtol = 0.01, .approximate = true}, steps = {.ulp = 1, .approximate = true};
    static const struct {
        const char *actual, *expected;
        const ToolTolerance *tolerance;
        const char *report; /* "": equal */
    } cases[] = {
        {"2xf32=1 2", "2xf32=1 2", &exact, ""},
        {"2xf32=1 2", "(ignored)", &exact, ""},
        {"2xf32=nan 2", "2xf32=-nan 2", &exact, ""},
        {"f32=nan", "f32=1", &exact, "1 of 1 elements differ; the worst is nan, expected 1\n"},
        {"f32=1", "f32=nan", &near, "1 of 1 elements differ; the worst is 1, expected nan\n"},
        {"f32=0", "f32=-0", &exact, "1 of 1 elements differ; the worst is 0, expected -0\n"},
        {"f32=0", "f32=-0", &steps, ""},
        {"2x2xf32=1 2 3 4", "2x2xf32=1 2 3 5", &exact, "1 of 4 elements differ; the worst at [1, 1] is 4, expected 5\n"},
        {"2xf32=1 2", "2xf32=1.005 2", &near, ""},
        {"2xf32=1 200", "2xf32=1 200.005", &near, ""},
        {"2xf32=1 200", "2xf32=1 201", &near, "1 of 2 elements differ; the worst at [1] is 200, expected 201\n"},
        {"2xf32=1 200", "2xf32=1 201", &relative, ""},
        {"f32=inf", "f32=3e38", &near, "1 of 1 elements differ; the worst is inf, expected 3e+38\n"},
        {"f32=inf", "f32=inf", &near, ""},
        {"f32=1", "f32=1.0000001", &steps, ""},
        {"f32=1", "f32=1.0000002", &steps, "1 of 1 elements differ; the worst is 1, expected 1.0000002\n"},
        {"f16=-1", "f16=-1.001", &steps, ""},
        {"f64=1e-320", "f64=-1e-320", &steps, "1 of 1 elements differ; the worst is 1e-320, expected -1e-320\n"},
        {"3xi32=1 5 9", "3xi32=1 6 19", &near, "2 of 3 elements differ; the worst at [2] is 9, expected 19\n"},
        {"i4=-2", "i4=-2", &exact, ""},
        {"i4=-2", "i4=-3", &exact, "1 of 1 elements differ; the worst is -2, expected -3\n"},
        {"ui8=200", "i8=-56", &exact, ""},
        {"2xc64=(1,2)(3,4)", "2xc64=(1,2)(3,5)", &exact, "1 of 2 elements differ; the worst at [1] is (3,4), expected (3,5)\n"},
        {"c128=(1,2)", "c128=(1,2)", &exact, ""},
        {"c128=(1,2)", "c128=(0,2)", &exact, "1 of 1 elements differ; the worst is (1,2), expected (0,2)\n"},
        {"2xf32=1 2", "2xi32=1 2", &exact, "the value is a 2xf32, expected a 2xi32\n"},
        {"2xi8=1 2", "2xi7=1 2", &exact, "the value is a 2xi8, expected a 2xi7\n"},
        {"2xf32=1 2", "1x2xf32=1 2", &exact, "the value is a 2xf32, expected a 1x2xf32\n"},
        {"2xf32=1 2", "3xf32=1 2 3", &exact, "the value is a 2xf32, expected a 3xf32\n"},
        {"f32=1", "1xf32=1", &exact, "the value is a f32, expected a 1xf32\n"},
        {"1xf32=1", "f32=1", &exact, "the value is a 1xf32, expected a f32\n"},
        {"c64=(1,2)", "f64=1", &exact, "the value is a c64, expected a f64\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ToolValue actual = value_of(cases[i].actual), expected = value_of(cases[i].expected);
        Text text;
        open_text(&text);
        bool equal = tool_value_equal(&actual, &expected, cases[i].tolerance, text.file);
        ck_assert_msg(equal == !cases[i].report[0], "%s and %s", cases[i].actual, cases[i].expected);
        expect_text(&text, cases[i].report, cases[i].actual);
        tool_value_release(&actual);
        tool_value_release(&expected);
    }
}
END_TEST

/* -- .npy -------------------------------------------------------------------------------------------------------- */

/* A file: version, header dictionary, elements. */
static size_t npy(char *to, int version, const char *header, const char *elements, size_t n)
{
    size_t length = strlen(header), at = version >= 2 ? 12 : 10;
    memcpy(to, "\x93NUMPY", 6);
    to[6] = (char)version;
    to[7] = 0;
    to[8] = (char)(length & 255);
    to[9] = (char)(length >> 8);
    if (version >= 2)
        to[10] = to[11] = 0;
    memcpy(to + at, header, length);
    memcpy(to + at + length, elements, n);
    return at + length + n;
}
#define DICT(descr, order, shape) "{'descr': '" descr "', 'fortran_order': " order ", 'shape': (" shape "), }\n"

START_TEST(npy_files)
{
    static const struct {
        int version;
        const char *header, *bytes;
        size_t n;
        const char *printed; /* NULL: refused with the message */
        const char *message;
    } cases[] = {
        {1, DICT("<i4", "False", "2,"), "\1\0\0\0\2\0\0\0", 8, "2xi32=1 2", ""},
        {2, DICT("<i4", "False", "2,"), "\1\0\0\0\2\0\0\0", 8, "2xi32=1 2", ""},
        {3, DICT("=i4", "False", "2,"), "\1\0\0\0\2\0\0\0", 8, "2xi32=1 2", ""},
        {1, DICT(">i4", "False", "2,"), "\0\0\0\1\0\0\0\2", 8, "2xi32=1 2", ""},
        {1, DICT("<u2", "True", "2, 3"), "\1\0\2\0\3\0\4\0\5\0\6\0", 12, "2x3xui16=[1 3 5][2 4 6]", ""},
        {1, DICT(">u2", "True", "2, 2"), "\0\1\0\2\0\3\0\4", 8, "2x2xui16=[1 3][2 4]", ""},
        {1, DICT("|b1", "False", "3,"), "\0\1\7", 3, "3xi1=0 1 1", ""},
        {1, DICT("<f4", "False", ""), "\0\0\x80\x3f", 4, "f32=1", ""},
        {1, DICT("<f2", "False", "1,"), "\0\x3c", 2, "1xf16=1", ""},
        {1, DICT("<c8", "False", "1,"), "\0\0\x80\x3f\0\0\0\x40", 8, "1xc64=(1,2)", ""},
        {1, DICT(">c8", "False", "1,"), "\x3f\x80\0\0\x40\0\0\0", 8, "1xc64=(1,2)", ""},
        {1, DICT("|V2", "False", "1,"), "\x80\x3f", 2, "1xbf16=1", ""},
        {1, DICT("|V1", "False", "1,"), "\x80", 1, "1xui8=128", ""},
        {1, DICT("<f4", "False", "0,"), "", 0, "0xf32=", ""},
        {1, DICT("<f4", "True", "3, 0"), "", 0, "3x0xf32=", ""},
        {1, "{\"shape\": (1,), \"descr\": \"|i1\", \"fortran_order\" :\tFalse}", "\5", 1, "1xi8=5", ""},
        {1, DICT("|V4", "False", "1,"), "\0\0\0\0", 4, NULL, "no element type for descriptor 'V4'"},
        {1, DICT("<f3", "False", "1,"), "\0\0\0", 3, NULL, "no element type for descriptor 'f3'"},
        {1, DICT("<i3", "False", "1,"), "\0\0\0", 3, NULL, "no element type for descriptor 'i3'"},
        {1, DICT("<i16", "False", "1,"), "\0", 1, NULL, "no element type for descriptor 'i16'"},
        {1, DICT("|S4", "False", "1,"), "\0\0\0\0", 4, NULL, "no element type for descriptor 'S4'"},
        {1, DICT("<M8", "False", "1,"), "\0\0\0\0", 4, NULL, "no element type for descriptor 'M8'"},
        {1, DICT("<f4", "False", "3,"), "\0\0\0\0", 4, NULL, "12 bytes of elements expected, 4 are there"},
        {1, DICT("<f4", "False", "100000000000, 100000000000"), "", 0, NULL, "the header's shape needs more bytes"},
        {1, DICT("<f4", "False", "1, 9999,"), "", 0, NULL, "the header's shape needs more bytes"},
        {0, DICT("<f4", "False", "1,"), "\0\0\0\0", 4, NULL, "sound header"},
        {4, DICT("<f4", "False", "1,"), "\0\0\0\0", 4, NULL, "sound header"},
        {1, DICT("<f4", "Maybe", "1,"), "\0\0\0\0", 4, NULL, "sound header"},
        {1, DICT("f4", "False", "1,"), "\0\0\0\0", 4, NULL, "sound header"},
        {1, DICT("<f", "False", "1,"), "\0\0\0\0", 4, NULL, "sound header"},
        {1, DICT("<f4x", "False", "1,"), "\0\0\0\0", 4, NULL, "sound header"},
        {1, DICT("<f9999", "False", "1,"), "\0\0\0\0", 4, NULL, "no element type for descriptor 'f9999'"},
        {1, DICT("<f10000", "False", "1,"), "\0\0\0\0", 4, NULL, "sound header"},
        {1, DICT("<f4", "False", "-1,"), "\0\0\0\0", 4, NULL, "sound header"},
        {1, DICT("<f4", "False", "1 2"), "\0\0\0\0", 4, NULL, "sound header"},
        {1, DICT("<f4", "False", "9999999999999999999,"), "\0\0\0\0", 4, NULL, "sound header"},
        {1,
         DICT("<f4", "False",
              "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
              "1,1,1,"
              "1,1,1,1"),
         "\0\0\0\0", 4, NULL, "sound header"},
        {1, "{'descr': '<f4', 'fortran_order': False, }", "\0\0\0\0", 4, NULL, "sound header"},
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': 1}", "\0\0\0\0", 4, NULL, "sound header"},
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1", "", 0, NULL, "sound header"},
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,", "", 0, NULL, "sound header"},
        {1, "{'descr': '<f4', 'shape': (1,), 'fortran_order'", "", 0, NULL, "sound header"},
        {1, "{'descr': '<f4', 'shape': (1,), 'fortran_order' False}", "", 0, NULL, "sound header"},
        {1, "{'descr': '<f4', 'shape': (1,), 'fortran_order': F", "", 0, NULL, "sound header"},
        {1, "{'shape': (1,), 'fortran_order': False, 'descr': <f4}", "", 0, NULL, "sound header"},
        {1, "{'shape': (1,), 'fortran_order': False}", "", 0, NULL, "sound header"},
    };
    static char file[2048];
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t size = npy(file, cases[i].version, cases[i].header, cases[i].bytes, cases[i].n), used = 0;
        ToolValue value;
        ToolError error = {0};
        bool ok = tool_npy_parse(file, size, "x", &used, &value, &error);
        ck_assert_msg(ok == (cases[i].printed != NULL), "%s: %s", cases[i].header, error.text);
        if (!ok) {
            ck_assert_msg(strstr(error.text, cases[i].message), "%s: %s", cases[i].header, error.text);
            continue;
        }
        ck_assert_uint_eq(used, size);
        Text text;
        open_text(&text);
        tool_value_print(&value, 0, text.file);
        expect_text(&text, cases[i].printed, cases[i].header);
        tool_value_release(&value);
        for (size_t cut = 0; cut < size; cut++) { /* none of its beginnings is a file */
            char *part = malloc(cut + 1);
            memcpy(part, file, cut);
            ck_assert_msg(!tool_npy_parse(part, cut, "x", &used, &value, &error), "%zu bytes of %s", cut, cases[i].header);
            free(part);
        }
    }
}
END_TEST

/* Every element format through a file and back. */
START_TEST(npy_round_trips)
{
    static const struct {
        const char *text, *written, *descr;
    } cases[] = {
        {"3xi1=1 0 1", "tensor<3xi1>", "|b1"},
        {"2xi8=-1 7", "tensor<2xi8>", "|i1"},
        {"2xui8=255 7", "tensor<2xui8>", "|u1"},
        {"2xi4=-8 7", "tensor<2xi4>", "|i1"},
        {"2xui4=15 7", "tensor<2xui4>", "|u1"},
        {"2xi16=-1 7", "tensor<2xi16>", "<i2"},
        {"2xui32=4294967295 7", "tensor<2xui32>", "<u4"},
        {"1x2xi64=-1 7", "tensor<1x2xi64>", "<i8"},
        {"2xf16=0.1 -inf", "tensor<2xf16>", "<f2"},
        {"2xbf16=0.1 -inf", "tensor<2xbf16>", "|V2"},
        {"2xf32=0.1 nan", "tensor<2xf32>", "<f4"},
        {"2xf64=0.1 -0", "tensor<2xf64>", "<f8"},
        {"2xf8E5M2=1 2", "tensor<2xf8E5M2>", "|V1"},
        {"2xf4E2M1FN=1 6", "tensor<2xf4E2M1FN>", "|V1"},
        {"2xc64=(1,2)(3,4)", "tensor<2xcomplex<f32>>", "<c8"},
        {"2xc128=(1,2)(3,4)", "tensor<2xcomplex<f64>>", "<c16"},
        {"f32=2.5", "tensor<f32>", "<f4"}, /* a scalar becomes an array of rank 0 */
        {"c128=(1,2)", "tensor<complex<f64>>", "<c16"},
        {"i4=-3", "tensor<i4>", "|i1"},
        {"0xf32", "tensor<0xf32>", "<f4"},
    };
    char path[] = "/tmp/bufvm-npy.XXXXXX", argument[40];
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    snprintf(argument, sizeof argument, "@%s", path);
    for (size_t i = 0; i < COUNT(cases); i++) {
        ToolValue value = value_of(cases[i].text), back;
        ToolError error = {0};
        char *data;
        size_t size;
        ck_assert_msg(tool_npy_write(path, &value, &error), "%s", error.text);
        ck_assert_msg(tool_read_file(path, SIZE_MAX, &data, &size, &error), "%s", error.text);
        ck_assert_uint_eq(((uint8_t)data[8] + 256u * (uint8_t)data[9] + 10) % 64, 0);
        ck_assert_msg(strstr(data + 10, cases[i].descr), "%s: %s", cases[i].text, data + 10);
        free(data);
        BufvmType type = {.kind = BUFVM_VIEW, .written = cases[i].written};
        ck_assert_msg(tool_value_parse(argument, &type, &back, &error), "%s: %s", cases[i].text, error.text);
        Text text;
        open_text(&text);
        ck_assert_msg(tool_value_equal(&back, &value, &(ToolTolerance){0}, text.file), "%s", cases[i].text);
        expect_text(&text, "", cases[i].text);
        tool_value_release(&back);
        tool_value_release(&value);
    }
    unlink(path);
}
END_TEST

/* -- host functions ------------------------------------------------------------------------------------------------ */

typedef struct HostCall {
    const char *name, *written[4], *values[4]; /* values: text, `/` in front: the last two dimensions are walked the other way */
    const char *out, *report, *errors;         /* printed; explained; on standard error */
    const char *result;                        /* NULL: none */
    uint64_t failed;
} HostCall;

/* A memref argument as host functions get it. */
static void make_strided(BufvmValue *value, bool transposed)
{
    int64_t step = 1;
    BufvmView *view = &value->view;
    value->kind = BUFVM_STRIDED;
    for (uint32_t d = view->rank; d-- > 0;) {
        value->strides[d] = step;
        step *= view->dims[d];
    }
    if (transposed) {
        uint32_t d = view->rank - 1;
        int64_t dim = view->dims[d], stride = value->strides[d];
        view->dims[d] = view->dims[d - 1];
        value->strides[d] = value->strides[d - 1];
        view->dims[d - 1] = dim;
        value->strides[d - 1] = stride;
    }
}

/* Calls a host function as the interpreter does; what it writes to standard error ends up in errors. */
static BufvmStatus call_host(ToolHost *host, const HostCall *c, const char *result, BufvmValue *results, char *errors, size_t n,
                             BufvmError *error)
{
    BufvmImport imports[100];
    size_t count = tool_host_imports(host, imports, COUNT(imports)), k = 0;
    while (k < count && strcmp(imports[k].name, c->name) != 0)
        k++;
    ck_assert_msg(k < count, "no host function %s", c->name);
    BufvmValue args[4];
    BufvmType types[4], result_type = {.kind = BUFVM_SCALAR};
    ElemFormat format = {0};
    memset(args, 0, sizeof args);
    memset(types, 0, sizeof types);
    BufvmSignature signature = {.name = c->name, .args = types, .results = &result_type, .nresults = result != NULL};
    if (result && tool_elem_parse(result, strcspn(result, "="), &format))
        result_type.elem = format.elem;
    result_type.written = format.name;
    for (; signature.nargs < 4 && c->values[signature.nargs]; signature.nargs++) {
        const char *text = c->values[signature.nargs];
        const char *written = c->written[signature.nargs];
        BufvmType type = {.kind = strchr(written, '<') && strncmp(written, "complex", 7) ? BUFVM_VIEW : BUFVM_SCALAR,
                          .written = written};
        ToolValue value;
        ToolError why;
        ck_assert_msg(tool_value_parse(text + (*text == '/'), &type, &value, &why), "%s: %s", text, why.text);
        args[signature.nargs] = value.value;
        if (value.value.kind == BUFVM_VIEW && strncmp(written, "memref", 6) == 0)
            make_strided(&args[signature.nargs], *text == '/');
        types[signature.nargs] = type;
    }
    FILE *collected = tmpfile();
    ck_assert_ptr_nonnull(collected);
    fflush(stderr);
    int saved = dup(STDERR_FILENO);
    dup2(fileno(collected), STDERR_FILENO);
    BufvmStatus status = imports[k].fn(imports[k].user, NULL, &signature, args, results, error);
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    rewind(collected);
    errors[fread(errors, 1, n - 1, collected)] = 0;
    fclose(collected);
    for (uint32_t i = 0; i < signature.nargs; i++)
        if (args[i].kind != BUFVM_SCALAR)
            bufvm_buffer_release(args[i].view.buffer);
    return status;
}

#define UNRANKED(rank, sizes, strides)                                                                                             \
    "Unranked Memref base@ = 0x0 rank = " rank " offset = 0 sizes = [" sizes "] strides = [" strides "]"
#define SIXTEEN    "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 "
#define ONE_VECTOR "((0, 1, 2, 3),   (4, 5, 6, 7),   (8, 9, 10, 11),  (12, 13, 14, 15))"
static const HostCall host_calls[] = {
    {"printMemrefF32",
     {"memref<*xf32>"},
     {"2x3xf32=1 2 3 4 5 0.1"},
     UNRANKED("2", "2, 3", "3, 1") " data = \n[[1,   2,   3], \n [4,   5,   0.1]]\n",
     "",
     "",
     NULL,
     0},
    {"printMemrefF64",
     {"memref<*xf64>"},
     {"/2x3xf64=1 2 3 4 5 6"},
     UNRANKED("2", "3, 2", "1, 3") " data = \n[[1,   4], \n [2,   5], \n [3,   6]]\n",
     "",
     "",
     NULL,
     0},
    {"printMemrefI32",
     {"memref<*xi32>"},
     {"2x2x2xi32=1 2 3 4 5 6 7 -8"},
     UNRANKED("3", "2, 2, 2", "4, 2, 1") " data = \n[[[1,    2], \n  [3,    4]], \n [[5,    6], \n  [7,    -8]]]\n",
     "",
     "",
     NULL,
     0},
    {"printMemrefI64", {"memref<*xi64>"}, {"i64=-9"}, UNRANKED("0", "", "") " data = \n[-9]\n", "", "", NULL, 0},
    {"printMemrefInd", {"memref<*xindex>"}, {"2xindex=-9 4"}, UNRANKED("1", "2", "1") " data = \n[-9,  4]\n", "", "", NULL, 0},
    {"printMemrefI16", {"memref<*xi16>"}, {"1xi16=-9"}, UNRANKED("1", "1", "1") " data = \n[-9]\n", "", "", NULL, 0},
    {"printMemrefI8", {"memref<*xi8>"}, {"2xi8=65 66"}, UNRANKED("1", "2", "1") " data = \n[A,  B]\n", "", "", NULL, 0},
    {"printMemrefF16", {"memref<*xf16>"}, {"2xf16=0.5 inf"}, UNRANKED("1", "2", "1") " data = \n[0.5,  inf]\n", "", "", NULL, 0},
    {"printMemrefBF16",
     {"memref<*xbf16>"},
     {"2xui16=0x3f00 0xffc0"},
     UNRANKED("1", "2", "1") " data = \n[0.5,  -nan]\n",
     "",
     "",
     NULL,
     0},
    {"printMemrefC32",
     {"memref<*xcomplex<f32>>"},
     {"2xc64=(1,2)(3,-4)"},
     UNRANKED("1", "2", "1") " data = \n[(1,2),  (3,-4)]\n",
     "",
     "",
     NULL,
     0},
    {"printMemrefC64",
     {"memref<*xcomplex<f64>>"},
     {"1xc128=(1,0.5)"},
     UNRANKED("1", "1", "1") " data = \n[(1,0.5)]\n",
     "",
     "",
     NULL,
     0},
    {"printMemrefF32", {"memref<*xf32>"}, {"0xf32"}, UNRANKED("1", "0", "1") " data = \n[]\n", "", "", NULL, 0},
    {"printMemrefShapeF32", {"memref<*xf32>"}, {"2x3xf32=0"}, UNRANKED("2", "2, 3", "3, 1") "\n", "", "", NULL, 0},
    {"printMemrefVector4x4xf32",
     {"memref<?x?x4x4xf32>"},
     {"1x2x4x4xf32=" SIXTEEN SIXTEEN},
     "Memref base@ = 0x0 rank = 2 offset = 0 sizes = [1, 2] strides = [2, 1] data = \n[[" ONE_VECTOR ",   " ONE_VECTOR "]]\n",
     "",
     "",
     NULL,
     0},
    {"printMemrefVector4x4xf32",
     {"memref<?x?x4x4xf32>"},
     {"2x1x4x4xf32=" SIXTEEN SIXTEEN},
     "Memref base@ = 0x0 rank = 2 offset = 0 sizes = [2, 1] strides = [1, 1] data = \n[[" ONE_VECTOR "], \n [" ONE_VECTOR "]]\n",
     "",
     "",
     NULL,
     0},
    {"printI64", {"i64"}, {"-1"}, "-1", "", "", NULL, 0},
    {"printU64", {"ui64"}, {"18446744073709551615"}, "18446744073709551615", "", "", NULL, 0},
    {"printU64", {"i8"}, {"-1"}, "255", "", "", NULL, 0},
    {"printU64", {"index"}, {"-1"}, "18446744073709551615", "", "", NULL, 0},
    {"printF32", {"f32"}, {"0.1"}, "0.1", "", "", NULL, 0},
    {"printF64", {"f64"}, {"1e300"}, "1e+300", "", "", NULL, 0},
    {"printF16", {"f16"}, {"-0"}, "-0", "", "", NULL, 0},
    {"printBF16", {"bf16"}, {"3"}, "3", "", "", NULL, 0},
    {"printNewline", {NULL}, {NULL}, "\n", "", "", NULL, 0},
    {"printComma", {NULL}, {NULL}, ", ", "", "", NULL, 0},
    {"printOpen", {NULL}, {NULL}, "( ", "", "", NULL, 0},
    {"printClose", {NULL}, {NULL}, " )", "", "", NULL, 0},
    {"printString", {"memref<2xi8>"}, {"2xi8=72 105"}, "Hi", "", "", NULL, 0},
    {"printFlops", {"f64"}, {"2.5e9"}, "", "", "2.500000 GFLOPS\n", NULL, 0},
    {"verifyMemRefI32", {"memref<*xi32>", "memref<*xi32>"}, {"2x2xi32=1 2 3 4", "2x2xi32=1 2 3 4"}, "", "", "", "i64=0", 0},
    {"verifyMemRefI32",
     {"memref<*xi32>", "memref<*xi32>"},
     {"2x2xi32=1 2 3 4", "2x2xi32=1 0 3 5"},
     "",
     "",
     "element 0,1 is 2, expected 0\nelement 1,1 is 4, expected 5\n",
     "i64=2",
     0},
    {"verifyMemRefI32",
     {"memref<*xi32>", "memref<*xi32>"},
     {"12xi32=1", "12xi32=0"},
     "",
     "",
     "element 0 is 1, expected 0\nelement 1 is 1, expected 0\nelement 2 is 1, expected 0\nelement 3 is 1, expected 0\nelement 4 is "
     "1, expected "
     "0\nelement 5 is 1, expected 0\nelement 6 is 1, expected 0\nelement 7 is 1, expected 0\nelement 8 is 1, expected 0\nelement 9 "
     "is 1, "
     "expected 0\n",
     "i64=12",
     0},
    {"verifyMemRefI32", {"memref<*xi32>", "memref<*xi32>"}, {"2xi32=1", "3xi32=1"}, "", "", "", "i64=-1", 0},
    {"verifyMemRefI32", {"memref<*xi32>", "memref<*xi32>"}, {"2xi32=1", "1x2xi32=1"}, "", "", "", "i64=-1", 0},
    {"verifyMemRefI32", {"memref<*xi32>", "memref<*xf32>"}, {"2xi32=1", "2xf32=1"}, "", "", "", "i64=-1", 0},
    {"verifyMemRefF32",
     {"memref<*xf32>", "memref<*xf32>"},
     {"4xf32=1 nan 0 -2", "4xf32=1.0000005 nan -0 -2.000001"},
     "",
     "",
     "",
     "i64=0",
     0},
    {"verifyMemRefF64",
     {"memref<*xf64>", "memref<*xf64>"},
     {"3xf64=1 nan 2", "3xf64=1.00001 1 1"},
     "",
     "",
     "element 0 is 1, expected 1.00001\nelement 1 is nan, expected 1\nelement 2 is 2, expected 1\n",
     "i64=3",
     0},
    {"check.expect_true", {"i1"}, {"true"}, "", "", "", NULL, 0},
    {"check.expect_true", {"i1"}, {"false"}, "", "Expected only true: i1=0\n", "", NULL, 1},
    {"check.expect_false", {"i1"}, {"false"}, "", "", "", NULL, 0},
    {"check.expect_false", {"i32"}, {"2"}, "", "Expected false: i32=2\n", "", NULL, 1},
    {"check.expect_all_true", {"memref<2x2xi32>"}, {"/2x2xi32=1 2 3 4"}, "", "", "", NULL, 0},
    {"check.expect_all_true", {"tensor<2xi1>"}, {"2xi1=1 0"}, "", "Expected only true: 2xi1=1 0\n", "", NULL, 1},
    {"check.expect_eq",
     {"memref<2x3xi32>", "memref<2x3xi32>"},
     {"2x3xi32=1 2 3 4 5 6", "/3x2xi32=1 4 2 5 3 6"},
     "",
     "",
     "",
     NULL,
     0},
    {"check.expect_eq",
     {"f32", "f32"},
     {"1", "2"},
     "",
     "Expected equality of these values: 1 of 1 elements differ; the worst is 1, expected 2\n  lhs:\n    f32=1\n  rhs:\n    "
     "f32=2\n",
     "",
     NULL,
     1},
    {"check.expect_eq",
     {"tensor<2xf32>", "memref<2xf32>"},
     {"2xf32=1 2", "2xf32=1 3"},
     "",
     "Expected equality of these values: 1 of 2 elements differ; the worst at [1] is 2, expected 3\n  lhs:\n    2xf32=1 2\n  "
     "rhs:\n    2xf32=1 3\n",
     "",
     NULL,
     1},
    {"check.expect_almost_eq", {"f32", "f32", "f32", "f64"}, {"1", "1.05", "0.1", "0"}, "", "", "", NULL, 0},
    {"check.expect_almost_eq",
     {"f32", "f32", "f32", "f32"},
     {"1", "2", "0.25", "0.25"},
     "",
     "Expected near equality of these values (atol=0.25, rtol=0.25): 1 of 1 elements differ; the worst is 1, expected 2\n  lhs:\n   "
     " f32=1\n  "
     "rhs:\n    f32=2\n",
     "",
     NULL,
     1},
};

START_TEST(host_functions)
{
    for (size_t i = 0; i < COUNT(host_calls); i++) {
        const HostCall *c = &host_calls[i];
        Text out, report;
        open_text(&out);
        open_text(&report);
        ToolHost host = {.out = out.file, .report = report.file};
        BufvmValue result = {0};
        BufvmError error = {0};
        char errors[2000];
        BufvmStatus status = call_host(&host, c, c->result, &result, errors, sizeof errors, &error);
        ck_assert_msg(status == BUFVM_OK, "%s(%s): %s", c->name, c->values[0], error.text);
        ck_assert_msg(host.failed_checks == c->failed, "%s(%s, %s)", c->name, c->values[0], c->values[1]);
        expect_text(&out, c->out, c->name);
        expect_text(&report, c->report, c->name);
        ck_assert_str_eq(errors, c->errors);
        if (c->result) {
            ToolValue wanted = value_of(c->result);
            ck_assert_int_eq(result.kind, BUFVM_SCALAR);
            ck_assert_int_eq(result.elem, wanted.value.elem);
            ck_assert_uint_eq(result.bits, wanted.value.bits);
        }
    }
}
END_TEST

/* Declared with types that a function does not take: an error of the host, nothing is printed. */
START_TEST(host_functions_refuse_other_types)
{
    static const HostCall cases[] = {
        {.name = "printMemrefF32", .written = {"f32"}, .values = {"1"}, .errors = "one memref"},
        {.name = "printMemrefF32", .errors = "one memref"},
        {.name = "printMemrefF32", .written = {"tensor<2xf32>"}, .values = {"2xf32=0"}, .errors = "one memref"},
        {.name = "printMemrefVector4x4xf32", .written = {"memref<4xf32>"}, .values = {"4xf32=0"}, .errors = "one memref<?x?x"},
        {.name = "printMemrefVector4x4xf32",
         .written = {"memref<1x1x4x3xf32>"},
         .values = {"1x1x4x3xf32=0"},
         .errors = "one memref<?x?x"},
        {.name = "printMemrefVector4x4xf32",
         .written = {"memref<1x1x3x4xf32>"},
         .values = {"1x1x3x4xf32=0"},
         .errors = "one memref<?x?x"},
        {.name = "printI64", .written = {"memref<2xi64>"}, .values = {"2xi64=0"}, .errors = "one scalar"},
        {.name = "printI64", .errors = "one scalar"},
        {.name = "printNewline", .written = {"i32"}, .values = {"1"}, .errors = "no argument"},
        {.name = "printString", .written = {"i32"}, .values = {"1"}, .errors = "one row of bytes"},
        {.name = "printString", .written = {"memref<1x2xi8>"}, .values = {"1x2xi8=1"}, .errors = "one row of bytes"},
        {.name = "printString", .written = {"memref<2xi16>"}, .values = {"2xi16=1"}, .errors = "one row of bytes"},
        {.name = "printFlops", .written = {"f32"}, .values = {"1"}, .errors = "one f64"},
        {.name = "printFlops", .written = {"memref<1xf64>"}, .values = {"1xf64=1"}, .errors = "one f64"},
        {.name = "rtclock", .errors = "no argument and one result"},
        {.name = "rtclock", .written = {"i32"}, .values = {"1"}, .result = "f64", .errors = "no argument and one result"},
        {.name = "verifyMemRefF32", .written = {"memref<2xf32>"}, .values = {"2xf32=0"}, .result = "i64", .errors = "two memrefs"},
        {.name = "verifyMemRefF32",
         .written = {"memref<2xf32>", "memref<2xf32>"},
         .values = {"2xf32=0", "2xf32=0"},
         .errors = "two memrefs"},
        {.name = "verifyMemRefF32",
         .written = {"memref<2xf32>", "f32"},
         .values = {"2xf32=0", "0"},
         .result = "i64",
         .errors = "two memrefs"},
        {.name = "verifyMemRefF32",
         .written = {"f32", "memref<2xf32>"},
         .values = {"0", "2xf32=0"},
         .result = "i64",
         .errors = "two memrefs"},
        {.name = "check.expect_true", .errors = "one value"},
        {.name = "check.expect_eq", .written = {"i32"}, .values = {"1"}, .errors = "two values"},
        {.name = "check.expect_almost_eq",
         .written = {"f32", "f32"},
         .values = {"1", "1"},
         .errors = "two values and two tolerances"},
        {.name = "check.expect_almost_eq",
         .written = {"f32", "f32", "i32", "f32"},
         .values = {"1", "1", "1", "1"},
         .errors = "two tolerances"},
        {.name = "check.expect_almost_eq",
         .written = {"f32", "f32", "f32", "memref<1xf32>"},
         .values = {"1", "1", "1", "1xf32=1"},
         .errors = "two tolerances"},
        {.name = "check.expect_eq",
         .written = {"tensor<2x!q.t>", "tensor<2xf32>"},
         .values = {"2xf32=0", "2xf32=0"},
         .errors = "no element type"},
        {.name = "check.expect_eq",
         .written = {"tensor<2xf32>", "tensor<2x!q.t>"},
         .values = {"2xf32=0", "2xf32=0"},
         .errors = "no element type"},
        {.name = "check.expect_true", .written = {"tensor<2x!q.t>"}, .values = {"2xf32=0"}, .errors = "no element type"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Text out;
        open_text(&out);
        ToolHost host = {.out = out.file, .report = out.file};
        BufvmValue result = {0};
        BufvmError error = {0};
        char errors[100];
        ck_assert_int_eq(call_host(&host, &cases[i], cases[i].result, &result, errors, sizeof errors, &error), BUFVM_HOST);
        ck_assert_msg(strstr(error.text, cases[i].errors), "%s: %s", cases[i].name, error.text);
        ck_assert_uint_eq(host.failed_checks, 0);
        expect_text(&out, "", cases[i].name);
    }
}
END_TEST

START_TEST(clocks_go_on)
{
    ToolHost host = {.out = stdout, .report = stdout};
    char errors[10];
    BufvmError error;
    BufvmValue first = {0}, second = {0}, seconds = {0};
    ck_assert_int_eq(call_host(&host, &(HostCall){.name = "nanoTime"}, "i64", &first, errors, sizeof errors, &error), BUFVM_OK);
    ck_assert_int_eq(call_host(&host, &(HostCall){.name = "rtclock"}, "f64", &seconds, errors, sizeof errors, &error), BUFVM_OK);
    ck_assert_int_eq(call_host(&host, &(HostCall){.name = "nanoTime"}, "i64", &second, errors, sizeof errors, &error), BUFVM_OK);
    double s;
    memcpy(&s, &seconds.bits, sizeof s);
    ck_assert_int_eq(seconds.elem, BUFVM_F64);
    ck_assert_uint_le(first.bits, second.bits);
    ck_assert(s >= (double)first.bits * 1e-9 - 1e-3 && s <= (double)second.bits * 1e-9 + 1e-3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tools");
    TCase *t = tcase_create("tools");
    tcase_add_test(t, values_read_and_printed);
    tcase_add_test(t, bare_values_take_the_written_type);
    tcase_add_test(t, values_refused);
    tcase_add_test(t, elements_of_written_types);
    tcase_add_test(t, exit_codes_of_statuses);
    tcase_add_test(t, sizes_of_flags);
    tcase_add_test(t, comparisons);
    tcase_add_test(t, npy_files);
    tcase_add_test(t, npy_round_trips);
    tcase_add_test(t, host_functions);
    tcase_add_test(t, host_functions_refuse_other_types);
    tcase_add_test(t, clocks_go_on);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
