/* Host functions: the print helpers of the MLIR runner (mlir_runner_utils, mlir_c_runner_utils), byte for byte, but for
 * base@, which is a reproducible number instead of an address. */
#include "host.h"

#include "../numeric/numeric.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

static uint64_t load_le(const uint8_t *p, size_t bytes)
{
    uint64_t bits = 0;
    for (size_t k = 0; k < bytes; k++)
        bits |= (uint64_t)p[k] << 8 * k;
    return bits;
}

static double float_value(BufvmElem elem, uint64_t bits)
{
    /* a NaN keeps its sign: the helpers print -nan */
    uint64_t sign = bits >> (8 * bufvm_elem_bytes(elem) - 1) & 1;
    uint64_t wide = num_float_convert(elem, bits, BVM_F64, 0);
    double d;
    memcpy(&d, &wide, sizeof d);
    return d != d ? __builtin_copysign(d, sign ? -1.0 : 1.0) : d;
}

static void print_element(FILE *out, const ElemFormat *format, const uint8_t *p)
{
    size_t bytes = bufvm_elem_bytes(format->elem);
    if (format->kind == 'c') {
        BufvmElem part = format->elem == BUFVM_C64 ? BUFVM_F32 : BUFVM_F64;
        fprintf(out, "(%g,%g)", float_value(part, load_le(p, bytes / 2)), float_value(part, load_le(p + bytes / 2, bytes / 2)));
    } else if (format->kind == 'f') {
        fprintf(out, "%g", float_value(format->elem, load_le(p, bytes)));
    } else if (format->width == 8) {
        fputc(p[0], out); /* int8_t through a C++ stream is a character */
    } else {
        fprintf(out, "%" PRId64, num_sext(load_le(p, bytes), format->width));
    }
}

typedef struct Printing {
    FILE *out;
    const ElemFormat *format;
    const BufvmValue *value;
    const uint8_t *base;
} Printing;

static void print_dim(const Printing *p, uint32_t d, int64_t element)
{
    const BufvmView *view = &p->value->view;
    size_t bytes = bufvm_elem_bytes(p->format->elem);
    fputc('[', p->out);
    if (view->rank == 0)
        print_element(p->out, p->format, p->base);
    for (int64_t k = 0; view->rank && k < view->dims[d]; k++) {
        int64_t at = element + k * p->value->strides[d];
        if (k && d + 1 < view->rank)
            fprintf(p->out, ", \n%*s", (int)d + 1, "");
        else if (k)
            fprintf(p->out, ",%*s", (int)view->rank + 1, "");
        if (d + 1 < view->rank)
            print_dim(p, d + 1, at);
        else
            print_element(p->out, p->format, p->base + at * (int64_t)bytes);
    }
    fputc(']', p->out);
}

static void print_numbers(FILE *out, const char *name, uint32_t n, const int64_t *values)
{
    fprintf(out, " %s = [", name);
    for (uint32_t k = 0; k < n; k++)
        fprintf(out, "%s%" PRId64, k ? ", " : "", values[k]);
    fputc(']', out);
}

static void print_header(FILE *out, const BufvmValue *value, size_t bytes)
{
    const BufvmView *view = &value->view;
    fprintf(out, "Unranked Memref base@ = 0x%" PRIx64 " rank = %" PRIu32 " offset = %" PRIu64, bufvm_buffer_address(view->buffer),
            view->rank, view->offset / (bytes ? bytes : 1));
    print_numbers(out, "sizes", view->rank, view->dims);
    print_numbers(out, "strides", view->rank, value->strides);
}

BufvmStatus host_print_memref(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                              BufvmValue *results, BufvmError *error)
{
    (void)context, (void)results;
    ToolHost *host = user;
    ElemFormat format;
    if (signature->nargs != 1 || args[0].kind != BUFVM_STRIDED || !tool_elem_of_written(signature->args[0].written, &format))
        return host_bad_signature(signature, "one memref", error);
    print_header(host->out, &args[0], bufvm_elem_bytes(format.elem));
    if (strstr(signature->name, "Shape")) {
        fputc('\n', host->out);
        return host_printed(host->out, error);
    }
    fputs(" data = \n", host->out);
    Printing printing = {host->out, &format, &args[0], host_elements(&args[0])};
    print_dim(&printing, 0, 0);
    fputc('\n', host->out);
    return host_printed(host->out, error);
}

/* A slot holds narrow integers sign-extended. */
static uint64_t unsigned_value(const BufvmSignature *signature, uint64_t bits)
{
    ElemFormat format;
    bool narrow = tool_elem_of_written(signature->args[0].written, &format) && format.width && format.width < 64;
    return narrow ? bits & (((uint64_t)1 << format.width) - 1) : bits;
}

/* A vector element of the helper's fixed shape, whose dims are the memref's last two. */
static void print_vector(const Printing *p, int64_t element)
{
    const BufvmView *view = &p->value->view;
    uint32_t r = view->rank - 2;
    fputc('(', p->out);
    for (int64_t i = 0; i < view->dims[r]; i++) {
        fputs(i == 0 ? "(" : i + 1 < view->dims[r] ? ",   (" : ",  (", p->out); /* the last one has a blank less */
        for (int64_t k = 0; k < view->dims[r + 1]; k++) {
            int64_t at = element + i * p->value->strides[r] + k * p->value->strides[r + 1];
            fputs(k ? ", " : "", p->out);
            print_element(p->out, p->format, p->base + at * (int64_t)bufvm_elem_bytes(p->format->elem));
        }
        fputc(')', p->out);
    }
    fputc(')', p->out);
}

/* memref<?x?xvector<4x4xf32>>, which arrives as a memref of rank 4; sizes and strides are those in vectors. */
BufvmStatus host_print_vectors(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                               BufvmValue *results, BufvmError *error)
{
    (void)context, (void)results;
    FILE *out = ((ToolHost *)user)->out;
    ElemFormat format;
    const BufvmView *view = &args[0].view;
    if (signature->nargs != 1 || args[0].kind != BUFVM_STRIDED || view->rank != 4 || view->dims[2] != 4 || view->dims[3] != 4 ||
        !tool_elem_of_written(signature->args[0].written, &format))
        return host_bad_signature(signature, "one memref<?x?xvector<4x4xf32>>", error);
    Printing p = {out, &format, &args[0], host_elements(&args[0])};
    fprintf(out, "Memref base@ = 0x%" PRIx64 " rank = 2 offset = %" PRIu64, bufvm_buffer_address(view->buffer),
            view->offset / (16 * bufvm_elem_bytes(format.elem)));
    int64_t strides[2] = {args[0].strides[0] / 16, args[0].strides[1] / 16};
    print_numbers(out, "sizes", 2, view->dims);
    print_numbers(out, "strides", 2, strides);
    fputs(" data = \n[", out);
    for (int64_t i = 0; i < view->dims[0]; i++) {
        fputs(i ? ", \n [" : "[", out);
        for (int64_t k = 0; k < view->dims[1]; k++) {
            fputs(k ? ",   " : "", out);
            print_vector(&p, i * args[0].strides[0] + k * args[0].strides[1]);
        }
        fputc(']', out);
    }
    fputs("]\n", out);
    return host_printed(out, error);
}

BufvmStatus host_print_scalar(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                              BufvmValue *results, BufvmError *error)
{
    (void)context, (void)results;
    ToolHost *host = user;
    if (signature->nargs != 1 || args[0].kind != BUFVM_SCALAR)
        return host_bad_signature(signature, "one scalar", error);
    if (args[0].elem >= BUFVM_F16 && args[0].elem <= BUFVM_F64)
        fprintf(host->out, "%g", float_value(args[0].elem, args[0].bits));
    else if (strcmp(signature->name, "printU64") == 0)
        fprintf(host->out, "%" PRIu64, unsigned_value(signature, args[0].bits));
    else
        fprintf(host->out, "%" PRId64, (int64_t)args[0].bits);
    return host_printed(host->out, error);
}

BufvmStatus host_print_text(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                            BufvmValue *results, BufvmError *error)
{
    (void)context, (void)args, (void)results;
    ToolHost *host = user;
    static const char *const texts[][2] = {{"printNewline", "\n"}, {"printComma", ", "}, {"printOpen", "( "}, {"printClose", " )"}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (strcmp(signature->name, texts[k][0]) == 0 && signature->nargs == 0) {
            fputs(texts[k][1], host->out);
            return host_printed(host->out, error);
        }
    return host_bad_signature(signature, "no argument", error);
}

/* The bytes of a text, as a tensor or memref of i8. */
BufvmStatus host_print_string(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                              BufvmValue *results, BufvmError *error)
{
    (void)context, (void)results;
    if (signature->nargs != 1 || args[0].kind != BUFVM_STRIDED || args[0].view.rank != 1 ||
        bufvm_elem_bytes(args[0].view.elem) != 1)
        return host_bad_signature(signature, "one row of bytes", error);
    const uint8_t *bytes = host_elements(&args[0]);
    for (int64_t k = 0; k < args[0].view.dims[0]; k++)
        fputc(bytes[k * args[0].strides[0]], ((ToolHost *)user)->out);
    return host_printed(((ToolHost *)user)->out, error);
}

BufvmStatus host_clock(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                       BufvmValue *results, BufvmError *error)
{
    (void)user, (void)context, (void)args;
    if (signature->nargs || signature->nresults != 1 || results == NULL)
        return host_bad_signature(signature, "no argument and one result", error);
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    results[0].kind = BUFVM_SCALAR;
    results[0].elem = signature->results[0].elem;
    double seconds = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    if (signature->results[0].elem == BUFVM_F64)
        memcpy(&results[0].bits, &seconds, sizeof seconds);
    else
        results[0].bits = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    return BUFVM_OK;
}

BufvmStatus host_print_flops(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                             BufvmValue *results, BufvmError *error)
{
    (void)user, (void)context, (void)results;
    if (signature->nargs != 1 || args[0].kind != BUFVM_SCALAR || args[0].elem != BUFVM_F64)
        return host_bad_signature(signature, "one f64", error);
    fprintf(stderr, "%f GFLOPS\n", float_value(BUFVM_F64, args[0].bits) / 1e9);
    return BUFVM_OK;
}

/* verifyMemRef*(actual, expected) -> i64: the number of elements that differ, each reported on standard error. */
typedef struct Verifying {
    ToolHost *host;
    const ElemFormat *format;
    const BufvmValue *actual, *expected;
    int64_t index[BUFVM_MAX_RANK];
    uint64_t differing;
} Verifying;

static bool elements_equal(const ElemFormat *format, const uint8_t *a, const uint8_t *b)
{
    size_t bytes = bufvm_elem_bytes(format->elem);
    if (memcmp(a, b, bytes) == 0)
        return true;
    if (format->kind != 'f')
        return false;
    double x = float_value(format->elem, load_le(a, bytes)), y = float_value(format->elem, load_le(b, bytes));
    double delta = x > y ? x - y : y - x, scale = y < 0 ? -y : y;
    return x == y || (x != x && y != y) || delta <= 1e-6 * scale; /* the helper's relative tolerance */
}

static void verify_dim(Verifying *v, uint32_t d, int64_t a, int64_t e)
{
    size_t bytes = bufvm_elem_bytes(v->format->elem);
    if (d == v->actual->view.rank) {
        const uint8_t *x = host_elements(v->actual) + a * (int64_t)bytes, *y = host_elements(v->expected) + e * (int64_t)bytes;
        if (elements_equal(v->format, x, y))
            return;
        if (v->differing++ < 10) {
            fprintf(stderr, "element ");
            for (uint32_t k = 0; k < d; k++)
                fprintf(stderr, "%s%" PRId64, k ? "," : "", v->index[k]);
            fputs(" is ", stderr);
            print_element(stderr, v->format, x);
            fputs(", expected ", stderr);
            print_element(stderr, v->format, y);
            fputc('\n', stderr);
        }
        return;
    }
    for (v->index[d] = 0; v->index[d] < v->actual->view.dims[d]; v->index[d]++)
        verify_dim(v, d + 1, a + v->index[d] * v->actual->strides[d], e + v->index[d] * v->expected->strides[d]);
}

BufvmStatus host_verify_memref(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                               BufvmValue *results, BufvmError *error)
{
    (void)context;
    ElemFormat format;
    if (signature->nargs != 2 || signature->nresults != 1 || args[0].kind != BUFVM_STRIDED || args[1].kind != BUFVM_STRIDED ||
        !tool_elem_of_written(signature->args[0].written, &format))
        return host_bad_signature(signature, "two memrefs and one result", error);
    const BufvmView *a = &args[0].view, *e = &args[1].view;
    Verifying v = {.host = user, .format = &format, .actual = &args[0], .expected = &args[1]};
    if (a->elem != e->elem || a->rank != e->rank || memcmp(a->dims, e->dims, a->rank * sizeof *a->dims) != 0)
        v.differing = UINT64_MAX; /* shapes differ: the helper's -1 */
    else
        verify_dim(&v, 0, 0, 0);
    results[0].kind = BUFVM_SCALAR;
    results[0].elem = signature->results[0].elem;
    results[0].bits = v.differing;
    return BUFVM_OK;
}
