/* Comparison of results with expected values: bit-exact unless a tolerance is given; any NaN equals any NaN. */
#include "tools.h"

#include "../numeric/numeric.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct Flat { /* a value as a run of numbers: complex elements are two */
    uint8_t scalar[16];
    const uint8_t *data;
    uint64_t parts;
    size_t bytes;
    unsigned elem;
    uint32_t per_element;
} Flat;

static void flatten(const ToolValue *value, Flat *flat)
{
    const BufvmValue *v = &value->value;
    BufvmElem elem = value->format.elem;
    flat->per_element = value->format.kind == 'c' ? 2 : 1;
    flat->bytes = bufvm_elem_bytes(elem) / flat->per_element;
    flat->elem = elem == BUFVM_C64 ? BUFVM_F32 : elem == BUFVM_C128 ? BUFVM_F64 : elem;
    if (v->kind == BUFVM_VIEW) {
        flat->data = bufvm_buffer_data(v->view.buffer) + v->view.offset;
        flat->parts = tool_view_count(&v->view) * flat->per_element;
        return;
    }
    bool narrow = value->format.kind == 'i' && value->format.width < 8; /* a slot has its sign, memory has zeros */
    uint64_t bits = narrow ? num_zext(v->bits, value->format.width) : v->bits;
    for (size_t k = 0; k < flat->bytes; k++) {
        flat->scalar[k] = (uint8_t)(bits >> 8 * k);
        flat->scalar[flat->bytes + k] = (uint8_t)(v->bits2 >> 8 * k);
    }
    flat->data = flat->scalar;
    flat->parts = flat->per_element;
}

static uint64_t part_bits(const Flat *flat, uint64_t k)
{
    uint64_t bits = 0;
    for (size_t b = 0; b < flat->bytes; b++)
        bits |= (uint64_t)flat->data[k * flat->bytes + b] << 8 * b;
    return bits;
}

static double to_double(unsigned elem, uint64_t bits)
{
    uint64_t wide = num_float_convert(elem, bits, BVM_F64, 0);
    double d;
    memcpy(&d, &wide, sizeof d);
    return d;
}

/* Distance in steps of the type: -0 and +0 are one step apart. */
static uint64_t ulp_distance(uint64_t a, uint64_t b, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    uint64_t x = a & sign ? ~a & (sign - 1) : (a & (sign - 1)) + sign;
    uint64_t y = b & sign ? ~b & (sign - 1) : (b & (sign - 1)) + sign;
    return x > y ? x - y : y - x;
}

static bool near_enough(const Flat *flat, uint64_t a, uint64_t e, const ToolTolerance *tolerance)
{
    double x = to_double(flat->elem, a), y = to_double(flat->elem, e);
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    if (a == e)
        return true;
    if (!tolerance->approximate)
        return false;
    if (x == y || (isfinite(y) && isfinite(x) && fabs(x - y) <= tolerance->atol + tolerance->rtol * fabs(y)))
        return true;
    return tolerance->ulp && ulp_distance(a, e, (unsigned)flat->bytes * 8) <= tolerance->ulp;
}

static void print_position(const BufvmView *view, uint64_t at, FILE *out)
{
    int64_t index[BUFVM_MAX_RANK];
    for (uint32_t d = view->rank; d-- > 0;) {
        index[d] = (int64_t)(at % (uint64_t)view->dims[d]);
        at /= (uint64_t)view->dims[d];
    }
    fputc('[', out);
    for (uint32_t d = 0; d < view->rank; d++)
        fprintf(out, "%s%" PRId64, d ? ", " : "", index[d]);
    fputc(']', out);
}

static bool same_shape(const BufvmValue *a, const BufvmValue *b)
{
    bool scalar_a = a->kind == BUFVM_SCALAR, scalar_b = b->kind == BUFVM_SCALAR;
    if (scalar_a || scalar_b) /* a scalar and a rank 0 view are written alike */
        return (scalar_a || a->view.rank == 0) && (scalar_b || b->view.rank == 0);
    return a->view.rank == b->view.rank && memcmp(a->view.dims, b->view.dims, a->view.rank * sizeof *a->view.dims) == 0;
}

static void print_metadata(const ToolValue *value, FILE *out)
{
    if (value->value.kind == BUFVM_VIEW)
        for (uint32_t k = 0; k < value->value.view.rank; k++)
            fprintf(out, "%" PRId64 "x", value->value.view.dims[k]);
    fputs(value->format.name, out);
}

/* Signless expected text stands for every signedness of the width. */
static bool same_format(const ElemFormat *a, const ElemFormat *b)
{
    return a->elem == b->elem && a->kind == b->kind && (a->kind != 'i' || a->width == b->width);
}

bool tool_value_equal(const ToolValue *actual, const ToolValue *expected, const ToolTolerance *tolerance, FILE *report)
{
    if (expected->ignored)
        return true;
    if (!same_format(&actual->format, &expected->format) || !same_shape(&actual->value, &expected->value)) {
        fputs("the value is a ", report);
        print_metadata(actual, report);
        fputs(", expected a ", report);
        print_metadata(expected, report);
        fputc('\n', report);
        return false;
    }
    Flat a, e;
    flatten(actual, &a);
    flatten(expected, &e);
    uint64_t differing = 0, worst = 0;
    double worst_by = -1;
    for (uint64_t k = 0; k < a.parts; k++) {
        uint64_t x = part_bits(&a, k), y = part_bits(&e, k);
        if (actual->format.kind == 'i' ? x == y : near_enough(&a, x, y, tolerance))
            continue;
        differing++;
        double by = actual->format.kind == 'i'
                        ? fabs((double)num_sext(x, actual->format.width) - (double)num_sext(y, actual->format.width))
                        : fabs(to_double(a.elem, x) - to_double(a.elem, y));
        if (isnan(by))
            by = INFINITY;
        if (by > worst_by) {
            worst_by = by;
            worst = k;
        }
    }
    if (!differing)
        return true;
    fprintf(report, "%" PRIu64 " of %" PRIu64 " elements differ; the worst", differing, a.parts / a.per_element);
    if (actual->value.kind == BUFVM_VIEW) {
        fputs(" at ", report);
        print_position(&actual->value.view, worst / a.per_element, report);
    }
    fputs(" is ", report);
    size_t element = a.bytes * a.per_element;
    tool_elem_print(&actual->format, a.data + worst / a.per_element * element, report);
    fputs(", expected ", report);
    tool_elem_print(&expected->format, e.data + worst / a.per_element * element, report);
    fputc('\n', report);
    return false;
}
