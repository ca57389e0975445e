/* The public interface by table: what is refused, what its names say, and values on their way into a program and out of it. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/bufvm.h"
#include "../../vm/bytecode/module.h"
#include "../../vm/tools/tools.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void *module_bytes;

static BufvmModule *load(const char *text)
{
    void *data;
    size_t size;
    BufvmError error;
    BufvmModule *module = NULL;
    ck_assert_msg(!bvm_assemble(NULL, text, strlen(text), &data, &size, &error), "%s:\n%s", error.text, text);
    ck_assert_msg(!bufvm_module_load(data, size, NULL, &module, &error), "%s:\n%s", error.text, text);
    free(module_bytes);
    module_bytes = data;
    return module;
}

static BufvmContext *context_of(BufvmModule *module)
{
    BufvmContext *context = NULL;
    BufvmError error;
    ck_assert_msg(!bufvm_context_new(module, NULL, NULL, 0, NULL, &context, &error), "%s", error.text);
    return context;
}

static ToolValue value_of(const char *text)
{
    ToolValue value;
    ToolError error;
    ck_assert_msg(tool_value_parse(text, NULL, &value, &error), "%s: %s", text, error.text);
    return value;
}

#define EMPTY ".function @f \":\" scalars 0 buffers 0 {\n  ret ()\n}\n.export @f = @f () -> ()\n"

/* -- misuse and names ------------------------------------------------------------------------------------------- */

START_TEST(misuse_is_refused)
{
    BufvmError error;
    BufvmModule *module = load(EMPTY ".import @x () -> ()\n.attribute \"fp\" \"strict\"\n"), *other = (void *)1;
    BufvmContext *context = (void *)1;
    BufvmBuffer *buffer = (void *)1;
    uint8_t byte = 0;
    uint32_t number;

#define REFUSED(call, message)                                                                                                     \
    do {                                                                                                                           \
        ck_assert_int_eq((call), BUFVM_INVALID_ARGUMENT);                                                                          \
        ck_assert_int_eq(error.status, BUFVM_INVALID_ARGUMENT);                                                                    \
        ck_assert_msg(strstr(error.text, message), "%s", error.text);                                                              \
    } while (0)
    REFUSED(bufvm_module_load(NULL, 8, NULL, &other, &error), "no data");
    REFUSED(bufvm_module_load(&byte, 1, NULL, NULL, &error), "no place for the module");
    REFUSED(bufvm_module_load_file(NULL, NULL, &other, &error), "no path");
    REFUSED(bufvm_module_load_file("/", NULL, NULL, &error), "no place for the module");
    REFUSED(bufvm_context_new(NULL, NULL, NULL, 0, NULL, &context, &error), "no module");
    REFUSED(bufvm_context_new(module, NULL, NULL, 0, NULL, NULL, &error), "no place for the context");
    REFUSED(bufvm_context_new(module, NULL, NULL, 1, NULL, &context, &error), "no imports");
    REFUSED(bufvm_context_new(module, &(BufvmLimits){.threads = 1025}, NULL, 0, NULL, &context, &error),
            "1025 threads: the most is 1024");
    REFUSED(bufvm_context_new(module, &(BufvmLimits){.cpu = "z80"}, NULL, 0, NULL, &context, &error),
            "cpu 'z80' is not known (portable,");
    REFUSED(bufvm_context_new(module, &(BufvmLimits){.sanitize = BUFVM_SANITIZE}, NULL, 0, NULL, &context, &error),
            "compile it with -g");
    ck_assert_ptr_null(context);
    REFUSED(bufvm_call(NULL, 0, NULL, 0, NULL, 0, &error), "no context");
    REFUSED(bufvm_buffer_alloc(NULL, 1, NULL, &error), "no place for the result");
    REFUSED(bufvm_buffer_wrap(NULL, &byte, 1, false, NULL, NULL, NULL, &error), "no place for the result");
    REFUSED(bufvm_buffer_wrap(NULL, NULL, 1, false, NULL, NULL, &buffer, &error), "1 bytes at NULL");
    REFUSED(bufvm_buffer_wrap(NULL, &byte, UINT64_MAX, false, NULL, NULL, &buffer, &error),
            "18446744073709551615 bytes at an address");
    ck_assert_ptr_null(buffer);
#undef REFUSED
    ck_assert_int_eq(bufvm_buffer_alloc(NULL, UINT64_MAX, &buffer, &error), BUFVM_OUT_OF_MEMORY);
    ck_assert_int_eq(bufvm_buffer_alloc(NULL, UINT64_MAX - 100, &buffer, &error), BUFVM_OUT_OF_MEMORY);
    ck_assert_ptr_null(buffer);
    ck_assert_int_eq(bufvm_module_load(NULL, 0, NULL, &other, &error), BUFVM_INVALID_MODULE);
    ck_assert_int_eq(bufvm_module_load(&byte, 1, &(BufvmLoadOptions){.max_module_bytes = 0}, &other, &error), BUFVM_INVALID_MODULE);
    ck_assert_int_eq(bufvm_module_load(module_bytes, 100, &(BufvmLoadOptions){.max_module_bytes = 99}, &other, &error),
                     BUFVM_LIMIT);
    ck_assert_msg(strstr(error.text, "100") && strstr(error.text, "99"), "%s", error.text);
    ck_assert_ptr_null(other);

    /* an error that nobody wants to read */
    ck_assert_int_eq(bufvm_module_load(NULL, 8, NULL, &other, NULL), BUFVM_INVALID_ARGUMENT);
    ck_assert_int_eq(bufvm_call(NULL, 0, NULL, 0, NULL, 0, NULL), BUFVM_INVALID_ARGUMENT);

    /* nothing of nothing */
    bufvm_module_retain(NULL);
    bufvm_module_release(NULL);
    bufvm_context_free(NULL);
    bufvm_context_interrupt(NULL);
    bufvm_buffer_retain(NULL);
    bufvm_buffer_release(NULL);
    bufvm_value_release(NULL);
    ck_assert_ptr_null(bufvm_buffer_data(NULL));
    ck_assert_uint_eq(bufvm_buffer_bytes(NULL), 0);
    ck_assert_uint_eq(bufvm_buffer_address(NULL), 0);
    ck_assert_uint_eq(bufvm_module_exports(NULL), 0);
    ck_assert_uint_eq(bufvm_module_imports(NULL), 0);
    ck_assert_ptr_null(bufvm_module_export(NULL, 0));
    ck_assert_ptr_null(bufvm_module_import(NULL, 0));
    ck_assert_ptr_null(bufvm_module_attribute(NULL, "fp"));
    ck_assert(!bufvm_module_find(NULL, "f", &number));

    ck_assert_uint_eq(bufvm_module_exports(module), 1);
    ck_assert_uint_eq(bufvm_module_imports(module), 1);
    ck_assert_str_eq(bufvm_module_export(module, 0)->name, "f");
    ck_assert_str_eq(bufvm_module_import(module, 0)->name, "x");
    ck_assert_ptr_null(bufvm_module_export(module, 1));
    ck_assert_ptr_null(bufvm_module_import(module, 1));
    ck_assert_str_eq(bufvm_module_attribute(module, "fp"), "strict");
    ck_assert_ptr_null(bufvm_module_attribute(module, "nosuch"));
    ck_assert_ptr_null(bufvm_module_attribute(module, NULL));
    ck_assert(bufvm_module_find(module, "f", NULL));
    ck_assert(bufvm_module_find(module, "f", &number) && number == 0);
    ck_assert(!bufvm_module_find(module, "g", &number));
    ck_assert(!bufvm_module_find(module, NULL, &number));
    bufvm_module_retain(module);
    bufvm_module_release(module);
    bufvm_module_release(module);
}
END_TEST

START_TEST(counts_are_checked)
{
    static const struct {
        uint32_t number;
        size_t nargs, nresults;
        bool args, results;
        BufvmStatus status;
        const char *text;
    } cases[] = {{0, 1, 1, true, true, BUFVM_OK, ""},
                 {1, 1, 1, true, true, BUFVM_NOT_FOUND, "export 1 of 1"},
                 {0, 0, 1, true, true, BUFVM_INVALID_ARGUMENT, "takes 1 arguments, got 0"},
                 {0, 2, 1, true, true, BUFVM_INVALID_ARGUMENT, "takes 1 arguments, got 2"},
                 {0, 1, 1, false, true, BUFVM_INVALID_ARGUMENT, "takes 1 arguments, got 1"},
                 {0, 1, 0, true, true, BUFVM_INVALID_ARGUMENT, "gives 1 results, 0 were asked for"},
                 {0, 1, 2, true, true, BUFVM_INVALID_ARGUMENT, "gives 1 results, 2 were asked for"},
                 {0, 1, 1, true, false, BUFVM_INVALID_ARGUMENT, "gives 1 results, 1 were asked for"}};
    BufvmModule *module =
        load(".function @f \"s:s\" scalars 1 buffers 0 {\n  ret (s0)\n}\n.export @f = @f (s i64 \"i64\") -> (s i64 \"i64\")\n");
    BufvmContext *context = context_of(module);
    for (size_t i = 0; i < COUNT(cases); i++) {
        BufvmValue args[2] = {{.kind = BUFVM_SCALAR, .elem = BUFVM_I64, .bits = 5}}, results[2] = {{0}, {0}};
        BufvmError error = {0};
        BufvmStatus status = bufvm_call(context, cases[i].number, cases[i].args ? args : NULL, cases[i].nargs,
                                        cases[i].results ? results : NULL, cases[i].nresults, &error);
        ck_assert_int_eq(status, cases[i].status);
        ck_assert_msg(strstr(error.text, cases[i].text), "%s", error.text);
        ck_assert_int_eq(results[0].kind, status ? BUFVM_NOTHING : BUFVM_SCALAR);
    }
    BufvmStatistics statistics;
    bufvm_context_statistics(context, &statistics);
    ck_assert_uint_eq(statistics.calls, 1);
    bufvm_context_free(context);
    bufvm_module_release(module);
}
END_TEST

START_TEST(names)
{
    for (unsigned s = BUFVM_OK; s <= BUFVM_HOST; s++) {
        ck_assert_str_ne(bufvm_status_name(s), "unknown status");
        for (unsigned t = BUFVM_OK; t < s; t++)
            ck_assert_str_ne(bufvm_status_name(s), bufvm_status_name(t));
    }
    ck_assert_str_eq(bufvm_status_name(BUFVM_HOST + 1), "unknown status");
    ck_assert_str_eq(bufvm_status_name((BufvmStatus)-1), "unknown status");
    static const size_t bytes[] = {0, 1, 1, 2, 4, 8, 2, 2, 4, 8, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 8, 16};
    for (unsigned e = 0; e < 256; e++) {
        bool known = e >= BUFVM_I1 && e <= BUFVM_C128;
        ck_assert_uint_eq(bufvm_elem_bytes((BufvmElem)e), known ? bytes[e] : 0);
        ck_assert_msg((bufvm_elem_name((BufvmElem)e) != NULL) == known, "element type %u", e);
    }
}
END_TEST

/* -- scalars ------------------------------------------------------------------------------------------------------ */

/* Whatever is above the bits of a type: the slot is in its form on the way in and on the way out. */
START_TEST(scalars_of_every_type)
{
    for (BufvmElem e = BUFVM_I1; e <= BUFVM_C128; e++) {
        bool is_complex = e >= BUFVM_C64, is_integer = e > BUFVM_I1 && e <= BUFVM_I64;
        unsigned bits = e == BUFVM_I1                                ? 1
                        : e == BUFVM_F4E2M1FN                        ? 4
                        : e == BUFVM_F6E2M3FN || e == BUFVM_F6E3M2FN ? 6
                                                                     : 8 * (unsigned)bufvm_elem_bytes(e) / (is_complex ? 2 : 1);
        uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, sign = UINT64_C(1) << (bits - 1);
        char text[400];
        const char *name = bufvm_elem_name(e), *banks = is_complex ? "ss:ss" : "s:s", *regs = is_complex ? "s0, s1" : "s0";
        snprintf(text, sizeof text,
                 ".function @f \"%s\" scalars 2 buffers 0 {\n  ret (%s)\n}\n.export @f = @f (s %s \"%s\") -> (s %s \"%s\")\n",
                 banks, regs, name, name, name, name);
        BufvmModule *module = load(text);
        BufvmContext *context = context_of(module);
        static const uint64_t patterns[] = {
            0, 1, UINT64_MAX, UINT64_C(0x123456789abcdef0), UINT64_C(0x8080808080808080), UINT64_C(0xff7fff7fff7f8001)};
        for (size_t i = 0; i < COUNT(patterns); i++) {
            BufvmValue arg = {.kind = BUFVM_SCALAR, .elem = e, .bits = patterns[i], .bits2 = ~patterns[i]}, result = {0};
            BufvmError error;
            ck_assert_msg(!bufvm_call(context, 0, &arg, 1, &result, 1, &error), "%s", error.text);
            uint64_t low = patterns[i] & mask;
            ck_assert_int_eq(result.kind, BUFVM_SCALAR);
            ck_assert_int_eq(result.elem, e);
            ck_assert_uint_eq(result.bits, is_integer && low & sign ? low | ~mask : low);
            ck_assert_uint_eq(result.bits2, is_complex ? ~patterns[i] & mask : 0);
        }
        BufvmValue wrong = {.kind = BUFVM_SCALAR, .elem = e == BUFVM_I8 ? BUFVM_I16 : BUFVM_I8}, result;
        BufvmError error;
        ck_assert_int_eq(bufvm_call(context, 0, &wrong, 1, &result, 1, &error), BUFVM_INVALID_ARGUMENT);
        wrong.elem = 99;
        ck_assert_int_eq(bufvm_call(context, 0, &wrong, 1, &result, 1, &error), BUFVM_INVALID_ARGUMENT);
        ck_assert_msg(strstr(error.text, "got a scalar of unknown type"), "%s", error.text);
        wrong.kind = BUFVM_NOTHING;
        ck_assert_int_eq(bufvm_call(context, 0, &wrong, 1, &result, 1, &error), BUFVM_INVALID_ARGUMENT);
        ck_assert_msg(strstr(error.text, "got nothing"), "%s", error.text);
        bufvm_context_free(context);
        bufvm_module_release(module);
    }
}
END_TEST

/* -- views in ------------------------------------------------------------------------------------------------------ */

/* An argument of a type, given back: what the program sees are the elements in their order. */
typedef struct ViewCase {
    const char *type, *banks, *regs; /* of argument and result */
    const char *value;               /* its elements are 1, 2, 3... in memory */
    bool strided;
    int64_t dims[2], strides[2], offset; /* of a strided one; the offset in bytes of both kinds */
    const char *result, *message;        /* one of them */
} ViewCase;

#define DYNAMIC_1 "v i32 memref [?] \"memref<?xi32>\"", "bs:bs", "b0, s0"
#define STATIC_2  "v i32 [2, 3] \"tensor<2x3xi32>\"", "b:b", "b0"
#define LAYOUT_2                                                                                                                   \
    "v i32 memref [?, ?] offset ? strides [?, ?] \"memref<?x?xi32, strided<[?, ?], offset: ?>>\"", "bsssss:bsssss",                \
        "b0, s0, s1, s2, s3, s4"
#define LAYOUT_3_1 "v i32 memref [2, 2] offset 1 strides [3, 1] \"memref<2x2xi32, strided<[3, 1], offset: 1>>\"", "b:b", "b0"
#define FAR        "v i32 memref [2] offset 4611686018427387904 strides [1] \"memref<2xi32, strided<[1], offset: far>>\"", "b:b", "b0"
#define UNRANKED   "u i32 memref \"memref<*xi32>\"", "bb:bb", "b0, b1"

static const ViewCase view_cases[] = {
    {DYNAMIC_1, "4xi32=1 2 3 4", false, {0}, {0}, 0, "4xi32=1 2 3 4", NULL},
    {DYNAMIC_1, "0xi32", false, {0}, {0}, 0, "0xi32=", NULL},
    {DYNAMIC_1, "4xi32=1 2 3 4", true, {4}, {1}, 0, "4xi32=1 2 3 4", NULL},
    {DYNAMIC_1, "4xi32=1 2 3 4", true, {1}, {7}, 8, "1xi32=3", NULL},
    {DYNAMIC_1, "4xi32=1 2 3 4", true, {2}, {2}, 0, NULL, "expected memref<?xi32>, got 2xi32 with strides"},
    {DYNAMIC_1, "4xi32=1 2 3 4", true, {5}, {1}, 0, NULL, "5xi32 with strides at byte 0 does not fit into a buffer of 16 bytes"},
    {DYNAMIC_1, "4xi32=1 2 3 4", true, {2}, {1}, 12, NULL, "at byte 12 does not fit into a buffer of 16 bytes"},
    {DYNAMIC_1, "4xi32=1 2 3 4", true, {2}, {1}, 17, NULL, "at byte 17 does not fit"},
    {DYNAMIC_1, "4xi32=1 2 3 4", true, {-1}, {1}, 0, NULL, "got -1xi32"},
    {DYNAMIC_1, "4xi32=1 2 3 4", true, {INT64_MAX}, {INT64_MAX}, 0, NULL, "does not fit"},
    {DYNAMIC_1, "4xi32=1 2 3 4", true, {INT64_MAX}, {1}, 0, NULL, "does not fit"},
    {DYNAMIC_1, "2x2xi32=1 2 3 4", false, {0}, {0}, 0, NULL, "got 2x2xi32"},
    {DYNAMIC_1, "4xi8=1 2 3 4", false, {0}, {0}, 0, NULL, "got 4xi8"},
    {DYNAMIC_1, "i32=1", false, {0}, {0}, 0, NULL, "got a scalar i32"},
    {STATIC_2, "2x3xi32=1 2 3 4 5 6", false, {0}, {0}, 0, "2x3xi32=[1 2 3][4 5 6]", NULL},
    {STATIC_2, "2x3xi32=1 2 3 4 5 6", false, {0}, {0}, 4, NULL, "does not fit"},
    {STATIC_2, "3x2xi32=1 2 3 4 5 6", false, {0}, {0}, 0, NULL, "expected tensor<2x3xi32>, got 3x2xi32"},
    {STATIC_2, "2x3xi32=1 2 3 4 5 6", true, {2, 3}, {3, 1}, 0, "2x3xi32=[1 2 3][4 5 6]", NULL},
    {STATIC_2, "2x3xi32=1 2 3 4 5 6", true, {2, 3}, {1, 2}, 0, NULL, "with strides"},
    {LAYOUT_2, "2x3xi32=1 2 3 4 5 6", false, {0}, {0}, 0, "2x3xi32=[1 2 3][4 5 6]", NULL},
    {LAYOUT_2, "2x3xi32=1 2 3 4 5 6", true, {3, 2}, {1, 3}, 0, "3x2xi32=[1 4][2 5][3 6]", NULL},
    {LAYOUT_2, "2x3xi32=1 2 3 4 5 6", true, {2, 3}, {-3, -1}, 20, "2x3xi32=[6 5 4][3 2 1]", NULL},
    {LAYOUT_2, "2x3xi32=1 2 3 4 5 6", true, {2, 3}, {-3, -1}, 16, NULL, "does not fit"},
    {LAYOUT_2, "2x3xi32=1 2 3 4 5 6", true, {2, 2}, {0, 0}, 8, "2x2xi32=[3 3][3 3]", NULL},
    {LAYOUT_2, "2x3xi32=1 2 3 4 5 6", true, {0, 9}, {5, 5}, 4, "0x9xi32=", NULL},
    {LAYOUT_2, "2x3xi32=1 2 3 4 5 6", true, {2, 2}, {INT64_MIN, 1}, 0, NULL, "does not fit"},
    {LAYOUT_2, "2x3xi32=1 2 3 4 5 6", true, {2, 2}, {INT64_MAX, INT64_MAX}, 0, NULL, "does not fit"},
    {LAYOUT_2, "2x3xi32=1 2 3 4 5 6", true, {2, 2}, {INT64_MAX / 4, 1}, 0, NULL, "does not fit"},
    {LAYOUT_2, "2x3xi32=1 2 3 4 5 6", true, {2, 2}, {INT64_MIN / 4, 1}, 8, NULL, "does not fit"},
    {LAYOUT_2, "2x3xi32=1 2 3 4 5 6", true, {INT64_C(1) << 32, INT64_C(1) << 32}, {0, 0}, 0, NULL, "does not fit"},
    {LAYOUT_3_1, "6xi32=1 2 3 4 5 6", true, {2, 2}, {3, 1}, 4, "2x2xi32=[2 3][5 6]", NULL},
    {LAYOUT_3_1, "6xi32=1 2 3 4 5 6", true, {2, 2}, {3, 1}, 0, NULL, "got 2x2xi32 with strides"},
    {LAYOUT_3_1, "6xi32=1 2 3 4 5 6", true, {2, 2}, {2, 1}, 4, NULL, "got 2x2xi32 with strides"},
    {FAR, "2xi32=1 2", false, {0}, {0}, 0, NULL, "got 2xi32"},
    {UNRANKED, "2x3xi32=1 2 3 4 5 6", false, {0}, {0}, 0, "2x3xi32=[1 2 3][4 5 6]", NULL},
    {UNRANKED, "i32=7", false, {0}, {0}, 0, NULL, "got a scalar i32"},
    {UNRANKED, "2x3xi32=1 2 3 4 5 6", true, {3, 2}, {-1, 3}, 8, "3x2xi32=[3 6][2 5][1 4]", NULL},
    {UNRANKED, "2x0xi32", false, {0}, {0}, 0, "2x0xi32=", NULL},
    {UNRANKED, "2x3xi32=1 2 3 4 5 6", true, {7, 1}, {1, 1}, 0, NULL, "does not fit"},
};

START_TEST(views_go_in_and_out)
{
    for (size_t i = 0; i < COUNT(view_cases); i++) {
        const ViewCase *c = &view_cases[i];
        char text[800];
        snprintf(text, sizeof text, ".function @f \"%s\" scalars 5 buffers 2 {\n  ret (%s)\n}\n.export @f = @f (%s) -> (%s)\n",
                 c->banks, c->regs, c->type, c->type);
        BufvmModule *module = load(text);
        BufvmContext *context = context_of(module);
        ToolValue value = value_of(c->value);
        BufvmValue arg = value.value, result = {0};
        BufvmError error = {0};
        arg.view.offset = (uint64_t)c->offset;
        if (c->strided) {
            arg.kind = BUFVM_STRIDED;
            arg.view.rank = strstr(c->type, "memref<?xi32>") ? 1 : 2;
            memcpy(arg.view.dims, c->dims, sizeof c->dims);
            memcpy(arg.strides, c->strides, sizeof c->strides);
        }
        BufvmStatus status = bufvm_call(context, 0, &arg, 1, &result, 1, &error);
        if (c->message) {
            ck_assert_msg(status == BUFVM_INVALID_ARGUMENT, "case %zu: %s", i, bufvm_status_name(status));
            ck_assert_msg(strstr(error.text, c->message), "case %zu: %s", i, error.text);
            ck_assert_int_eq(result.kind, BUFVM_NOTHING);
        } else {
            ck_assert_msg(status == BUFVM_OK, "case %zu: %s", i, error.text);
            ToolValue expected = value_of(c->result), got = {.value = result, .format = expected.format};
            ck_assert_msg(tool_value_equal(&got, &expected, &(ToolTolerance){0}, stdout), "case %zu", i);
            tool_value_release(&expected);
            bufvm_value_release(&result);
        }
        BufvmStatistics statistics;
        bufvm_context_statistics(context, &statistics);
        ck_assert_uint_eq(statistics.leaked_buffers, 0);
        bufvm_context_free(context);
        bufvm_module_release(module);
        tool_value_release(&value);
    }
}
END_TEST

START_TEST(ranks_have_an_end)
{
    BufvmModule *module = load(
        ".function @f \"bb:bb\" scalars 0 buffers 2 {\n  ret (b0, b1)\n}\n.export @f = @f (u i8 memref \"memref<*xi8>\") -> (u i8 "
        "memref \"memref<*xi8>\")\n");
    BufvmContext *context = context_of(module);
    BufvmError error;
    BufvmBuffer *buffer;
    ck_assert(!bufvm_buffer_alloc(NULL, 1, &buffer, &error));
    for (uint32_t rank = BUFVM_MAX_RANK; rank <= BUFVM_MAX_RANK + 1; rank++) {
        BufvmValue arg = {.kind = BUFVM_VIEW, .view = {.buffer = buffer, .elem = BUFVM_I8, .rank = rank}}, result = {0};
        for (uint32_t d = 0; d < BUFVM_MAX_RANK; d++)
            arg.view.dims[d] = 1;
        ck_assert_int_eq(bufvm_call(context, 0, &arg, 1, &result, 1, &error),
                         rank > BUFVM_MAX_RANK ? BUFVM_INVALID_ARGUMENT : BUFVM_OK);
        bufvm_value_release(&result);
    }
    BufvmValue none = {.kind = BUFVM_VIEW, .view = {.elem = BUFVM_I8}}, result = {0};
    ck_assert_int_eq(bufvm_call(context, 0, &none, 1, &result, 1, &error), BUFVM_INVALID_ARGUMENT);
    none.view.elem = 77;
    ck_assert_int_eq(bufvm_call(context, 0, &none, 1, &result, 1, &error), BUFVM_INVALID_ARGUMENT);
    ck_assert_msg(strstr(error.text, "got unknown type"), "%s", error.text);
    bufvm_buffer_release(buffer);
    bufvm_context_free(context);
    bufvm_module_release(module);
}
END_TEST

/* -- results that a program makes up --------------------------------------------------------------------------------- */

/* Sizes, strides and descriptors are numbers that a program computes: a result that they lead out of is a trap. */
START_TEST(results_are_checked)
{
#define RANKED                                                                                                                     \
    ".function @f \"sss:bsss\" scalars 4 buffers 1 {\n  imm s3, 16\n  buffer.alloc b0, s3, 0\n  ret (b0, s0, s1, s2)\n}\n"         \
    ".export @f = @f (s i64 \"i64\", s i64 \"i64\", s i64 \"i64\") -> (v i32 [?] offset ? strides [?] \"memref<?xi32, "            \
    "strided>\")\n"
#define TWO                                                                                                                        \
    ".function @f \"sss:bss\" scalars 4 buffers 1 {\n  imm s3, 16\n  buffer.alloc b0, s3, 0\n  ret (b0, s0, s1)\n}\n"              \
    ".export @f = @f (s i64 \"i64\", s i64 \"i64\", s i64 \"i64\") -> (v i32 [?, ?] \"tensor<?x?xi32>\")\n"
#define DESCRIBED                                                                                                                  \
    ".function @f \"sss:bb\" scalars 8 buffers 2 {\n  imm s3, 16\n  buffer.alloc b0, s3, 0\n  imm s3, 32\n  buffer.alloc b1, s3, " \
    "0\n  imm s4, 0\n  store.i64 s0, b1, s4\n  imm s4, 2\n  store.i64 s1, b1, s4\n  imm s4, 3\n  store.i64 s2, b1, s4\n  ret "     \
    "(b0, "                                                                                                                        \
    "b1)\n}\n"                                                                                                                     \
    ".export @f = @f (s i64 \"i64\", s i64 \"i64\", s i64 \"i64\") -> (u i32 \"tensor<*xi32>\")\n"
#define NULLS(regs)                                                                                                                \
    ".function @f \"sss:bb\" scalars 8 buffers 2 {\n  imm s3, 16\n  buffer.alloc b0, s3, 0\n  ret (" regs ")\n}\n"                 \
    ".export @f = @f (s i64 \"i64\", s i64 \"i64\", s i64 \"i64\") -> (u i32 \"tensor<*xi32>\")\n"
    static const struct {
        const char *text;
        int64_t a, b, c;
        const char *message; /* NULL: all is well */
        uint64_t count;
    } cases[] = {
        {RANKED, 0, 4, 1, NULL, 4},
        {RANKED, 3, 4, -1, NULL, 4},
        {RANKED, 0, 2, 2, NULL, 2},
        {RANKED, 9, 0, 9, NULL, 0},
        {RANKED, 0, 5, 1, "lead out of its buffer of 16 bytes", 0},
        {RANKED, 2, 4, -1, "lead out of", 0},
        {RANKED, -1, 1, 1, "lead out of", 0},
        {RANKED, 0, -1, 1, "lead out of", 0},
        {RANKED, INT64_MAX, 2, 1, "lead out of", 0},
        {RANKED, INT64_MIN, 2, -1, "lead out of", 0},
        {RANKED, 0, INT64_MAX, INT64_MAX, "lead out of", 0},
        {TWO, 2, 2, 0, NULL, 4},
        {TWO, 0, INT64_MAX, 0, NULL, 0},
        {TWO, 2, 3, 0, "lead out of", 0},
        {TWO, -2, 2, 0, "negative or overflow", 0},
        {TWO, INT64_MAX, INT64_MAX, 0, "negative or overflow", 0},
        {DESCRIBED, 1, 4, 1, NULL, 4},
        {DESCRIBED, 0, 4, 1, NULL, 1},
        {DESCRIBED, 1, 5, 1, "lead out of", 0},
        {DESCRIBED, 2, 4, 1, "no valid descriptor", 0},
        {DESCRIBED, 65, 4, 1, "no valid descriptor", 0},
        {DESCRIBED, -1, 4, 1, "no valid descriptor", 0},
        {NULLS("b0, b1"), 0, 0, 0, "no valid descriptor", 0},
        {NULLS("b1, b0"), 0, 0, 0, "is a null buffer", 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        BufvmModule *module = load(cases[i].text);
        BufvmContext *context = context_of(module);
        int64_t given[3] = {cases[i].a, cases[i].b, cases[i].c};
        BufvmValue args[3], result = {0};
        BufvmError error = {0};
        for (int k = 0; k < 3; k++)
            args[k] = (BufvmValue){.kind = BUFVM_SCALAR, .elem = BUFVM_I64, .bits = (uint64_t)given[k]};
        BufvmStatus status = bufvm_call(context, 0, args, 3, &result, 1, &error);
        ck_assert_msg(status == (cases[i].message ? BUFVM_TRAP : BUFVM_OK), "case %zu: %s", i, error.text);
        if (cases[i].message)
            ck_assert_msg(strstr(error.text, cases[i].message), "case %zu: %s", i, error.text);
        else
            ck_assert_uint_eq(tool_view_count(&result.view), cases[i].count);
        bufvm_value_release(&result);
        BufvmStatistics statistics;
        bufvm_context_statistics(context, &statistics);
        ck_assert_uint_eq(statistics.leaked_buffers, 0);
        bufvm_context_free(context);
        bufvm_module_release(module);
    }
}
END_TEST

/* A result of 2x2xi32 into what the caller gives. */
START_TEST(results_into_buffers_of_the_caller)
{
    static const struct {
        BufvmElem elem;
        uint32_t rank;
        int64_t dims[2];
        uint64_t bytes, offset;
        bool read_only;
        const char *message;
    } cases[] = {
        {BUFVM_I32, 2, {2, 2}, 16, 0, false, NULL},
        {BUFVM_I32, 2, {2, 2}, 24, 8, false, NULL},
        {BUFVM_I32, 2, {2, 2}, 16, 0, true, "read-only"},
        {BUFVM_I32, 2, {2, 2}, 16, 4, false, "a result of 16 bytes does not fit at byte 4 of a buffer of 16"},
        {BUFVM_I32, 2, {2, 2}, 16, 17, false, "does not fit at byte 17"},
        {BUFVM_I32, 2, {2, 3}, 24, 0, false, "a result of 2x2xi32 does not go into a buffer given for 2x3xi32"},
        {BUFVM_I32, 1, {4, 1}, 16, 0, false, "does not go into a buffer given for 4xi32"},
        {BUFVM_F32, 2, {2, 2}, 16, 0, false, "does not go into a buffer given for 2x2xf32"},
        {99, 2, {2, 2}, 16, 0, false, "does not go into a buffer given for 2x2xunknown type"},
        {BUFVM_I32, 2, {2, 2}, 0, 0, false, "does not go into a buffer given for 2x2xi32 without a buffer"},
    };
    BufvmModule *module =
        load(".constant k0 16 data { 01000000020000000300000004000000 }\n.function @f \":b\" scalars 0 buffers 1 {\n  "
             "buffer.const b0, k0\n  ret (b0)\n}\n.export @f = @f () -> (v i32 [2, 2] \"tensor<2x2xi32>\")\n");
    BufvmContext *context = context_of(module);
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t memory[8] = {0};
        BufvmValue result = {.kind = BUFVM_VIEW, .view = {.elem = cases[i].elem, .rank = cases[i].rank, .offset = cases[i].offset}};
        memcpy(result.view.dims, cases[i].dims, sizeof cases[i].dims);
        BufvmError error = {0};
        if (cases[i].bytes)
            ck_assert(
                !bufvm_buffer_wrap(NULL, memory, cases[i].bytes, cases[i].read_only, NULL, NULL, &result.view.buffer, &error));
        BufvmStatus status = bufvm_call(context, 0, NULL, 0, &result, 1, &error);
        if (cases[i].message) {
            ck_assert_msg(status == BUFVM_INVALID_ARGUMENT && strstr(error.text, cases[i].message), "case %zu: %s", i, error.text);
            ck_assert_int_eq(result.kind, BUFVM_NOTHING);
            for (int k = 0; k < 8; k++)
                ck_assert_uint_eq(memory[k], 0);
        } else {
            ck_assert_msg(!status, "case %zu: %s", i, error.text);
            for (uint32_t k = 0; k < 4; k++) {
                const uint8_t *p = (const uint8_t *)memory + cases[i].offset + 4 * k;
                ck_assert_uint_eq(p[0], k + 1);
            }
        }
        bufvm_value_release(&result);
    }
    bufvm_context_free(context);
    bufvm_module_release(module);
}
END_TEST

static void count_release(void *user, void *data)
{
    (void)data;
    ++*(int *)user;
}

START_TEST(wrapped_memory_is_given_back_once)
{
    int released = 0;
    uint8_t bytes[3] = {0};
    BufvmBuffer *buffer;
    BufvmError error;
    ck_assert(!bufvm_buffer_wrap(NULL, bytes + 1, 2, false, count_release, &released, &buffer, &error));
    ck_assert_ptr_eq(bufvm_buffer_data(buffer), bytes + 1);
    ck_assert_uint_eq(bufvm_buffer_bytes(buffer), 2);
    bufvm_buffer_retain(buffer);
    bufvm_buffer_release(buffer);
    ck_assert_int_eq(released, 0);
    bufvm_buffer_release(buffer);
    ck_assert_int_eq(released, 1);
    ck_assert(!bufvm_buffer_wrap(NULL, NULL, 0, true, NULL, NULL, &buffer, &error));
    ck_assert_uint_eq(bufvm_buffer_bytes(buffer), 0);
    bufvm_buffer_release(buffer);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("api");
    TCase *t = tcase_create("api");
    tcase_add_test(t, misuse_is_refused);
    tcase_add_test(t, counts_are_checked);
    tcase_add_test(t, names);
    tcase_add_test(t, scalars_of_every_type);
    tcase_add_test(t, views_go_in_and_out);
    tcase_add_test(t, ranks_have_an_end);
    tcase_add_test(t, results_are_checked);
    tcase_add_test(t, results_into_buffers_of_the_caller);
    tcase_add_test(t, wrapped_memory_is_given_back_once);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    free(module_bytes);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
