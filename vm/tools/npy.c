/* NumPy .npy arrays, format versions 1.0 to 3.0 (NumPy Enhancement Proposal 1 and numpy.lib.format).
 *
 * Reading accepts both byte orders and Fortran order (converted); every header field is checked against the
 * file's size.  Writing makes version 1.0, little endian, C order.  bf16 and the small floats have no
 * descriptor of their own and are written as raw bytes (V2, V1); reading those takes the type from the signature.  Integers of
 * 2 to 7 bits are written as bytes with their value.
 */
#include "tools.h"

#include "../numeric/numeric.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct NpyHeader {
    char order; /* '<' '>' '|' */
    char kind;
    unsigned bytes;
    bool fortran;
    uint32_t rank;
    int64_t dims[BUFVM_MAX_RANK];
    size_t data_at;
} NpyHeader;

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\t'))
        p++;
    return p;
}

static const char *find_key(const char *text, const char *end, const char *key)
{
    size_t n = strlen(key);
    for (const char *p = text; p + n + 2 <= end; p++)
        if ((*p == '\'' || *p == '"') && memcmp(p + 1, key, n) == 0 && p[n + 1] == *p) {
            const char *q = skip_blanks(p + n + 2, end);
            return q < end && *q == ':' ? skip_blanks(q + 1, end) : NULL;
        }
    return NULL;
}

static bool parse_descr(const char *p, const char *end, NpyHeader *header)
{
    if (!p || end - p < 5 || (*p != '\'' && *p != '"') || !strchr("<>|=", p[1]))
        return false;
    header->order = p[1];
    header->kind = p[2];
    unsigned bytes = 0;
    const char *q = p + 3;
    while (q < end && *q >= '0' && *q <= '9' && bytes < 1000)
        bytes = bytes * 10 + (unsigned)(*q++ - '0');
    header->bytes = bytes;
    return q < end && *q == *p && bytes > 0;
}

static bool parse_dims(const char *p, const char *end, NpyHeader *header)
{
    if (!p || p >= end || *p != '(')
        return false;
    p = skip_blanks(p + 1, end);
    while (p < end && *p != ')') {
        uint64_t dim = 0;
        const char *start = p;
        while (p < end && *p >= '0' && *p <= '9' && p - start < 18)
            dim = dim * 10 + (uint64_t)(*p++ - '0');
        if (p == start || header->rank == BUFVM_MAX_RANK)
            return false;
        header->dims[header->rank++] = (int64_t)dim;
        p = skip_blanks(p, end);
        if (p < end && *p == ',')
            p = skip_blanks(p + 1, end);
        else if (p >= end || *p != ')')
            return false;
    }
    return p < end;
}

static bool parse_header(const char *data, size_t size, NpyHeader *header)
{
    memset(header, 0, sizeof *header);
    if (size < 10 || memcmp(data, "\x93NUMPY", 6) != 0)
        return false;
    const uint8_t *u = (const uint8_t *)data;
    size_t at = 10, length = u[8] | (size_t)u[9] << 8;
    if (u[6] < 1 || u[6] > 3)
        return false;
    if (u[6] >= 2) {
        if (size < 12)
            return false;
        length |= (size_t)u[10] << 16 | (size_t)u[11] << 24;
        at = 12;
    }
    if (length > size - at || length > 1 << 20)
        return false;
    const char *text = data + at, *end = text + length;
    const char *order = find_key(text, end, "fortran_order");
    if (!order || end - order < 5)
        return false;
    header->fortran = memcmp(order, "True", 4) == 0;
    if (!header->fortran && memcmp(order, "False", 5) != 0)
        return false;
    header->data_at = at + length;
    return parse_descr(find_key(text, end, "descr"), end, header) && parse_dims(find_key(text, end, "shape"), end, header);
}

static bool format_of(const NpyHeader *header, ElemFormat *format)
{
    char name[24];
    unsigned bits = header->bytes * 8;
    switch (header->kind) {
    case 'b':
        bits = 1;
        snprintf(name, sizeof name, "i1");
        break;
    case 'i':
        snprintf(name, sizeof name, "i%u", bits);
        break;
    case 'u':
        snprintf(name, sizeof name, "ui%u", bits);
        break;
    case 'f':
        snprintf(name, sizeof name, "f%u", bits);
        break;
    case 'c':
        snprintf(name, sizeof name, "c%u", bits);
        break;
    case 'V':
        snprintf(name, sizeof name, "%s", header->bytes == 2 ? "bf16" : header->bytes == 1 ? "ui8" : "?");
        break;
    default:
        return false;
    }
    return tool_elem_parse(name, strlen(name), format) && bufvm_elem_bytes(format->elem) == header->bytes;
}

/* Copies from the file's order (either byte order, C or Fortran) into row-major little-endian elements. */
static void copy_elements(const NpyHeader *header, const uint8_t *from, uint8_t *to, uint64_t count)
{
    size_t bytes = header->bytes, part = header->kind == 'c' ? bytes / 2 : bytes;
    bool swap = header->order == '>' && part > 1;
    if (!header->fortran && !swap) {
        memcpy(to, from, count * bytes);
        return;
    }
    int64_t index[BUFVM_MAX_RANK] = {0};
    for (uint64_t k = 0; k < count; k++) {
        uint64_t source = k;
        if (header->fortran) {
            source = 0;
            for (uint32_t d = header->rank; d-- > 0;)
                source = source * (uint64_t)header->dims[d] + (uint64_t)index[d];
        }
        for (size_t b = 0; b < bytes; b++)
            to[k * bytes + b] = from[source * bytes + (swap ? b - b % part + part - 1 - b % part : b)];
        for (uint32_t d = header->rank; d-- > 0 && ++index[d] == header->dims[d];)
            index[d] = 0;
    }
}

bool tool_npy_parse(const char *data, size_t size, const char *path, size_t *used, ToolValue *out, ToolError *error)
{
    NpyHeader header;
    memset(out, 0, sizeof *out);
    if (!parse_header(data, size, &header))
        return tool_fail(error, TOOL_IO, "%s: not a .npy file of version 1 to 3 with a sound header", path);
    if (!format_of(&header, &out->format))
        return tool_fail(error, TOOL_USAGE, "%s: no element type for descriptor '%c%u'", path, header.kind, header.bytes);
    BufvmView *view = &out->value.view;
    view->rank = header.rank;
    view->elem = out->format.elem;
    memcpy(view->dims, header.dims, sizeof header.dims);
    uint64_t bytes = header.bytes;
    bool empty = false;
    for (uint32_t d = 0; d < header.rank; d++)
        if (header.dims[d] == 0)
            empty = true;
    for (uint32_t d = 0; d < header.rank && !empty; d++)
        if (__builtin_mul_overflow(bytes, (uint64_t)header.dims[d], &bytes) || bytes > size)
            return tool_fail(error, TOOL_IO, "%s: the header's shape needs more bytes than the %zu of the file", path, size);
    if (empty)
        bytes = 0;
    if (bytes > size - header.data_at)
        return tool_fail(error, TOOL_IO, "%s: %" PRIu64 " bytes of elements expected, %zu are there", path, bytes,
                         size - header.data_at);
    BufvmError from;
    if (bufvm_buffer_alloc(NULL, bytes, &view->buffer, &from) != BUFVM_OK)
        return tool_fail_status(error, path, &from);
    out->value.kind = BUFVM_VIEW;
    copy_elements(&header, (const uint8_t *)data + header.data_at, bufvm_buffer_data(view->buffer), bytes / header.bytes);
    for (uint64_t k = 0; header.kind == 'b' && k < bytes; k++) /* any byte but 0 is true */
        bufvm_buffer_data(view->buffer)[k] = bufvm_buffer_data(view->buffer)[k] != 0;
    *used = header.data_at + bytes;
    return true;
}

static void descr_of(const ElemFormat *format, char *out, size_t n)
{
    size_t bytes = bufvm_elem_bytes(format->elem);
    if (format->elem == BUFVM_I1)
        snprintf(out, n, "|b1");
    else if (format->kind == 'i')
        snprintf(out, n, "%c%c%zu", bytes == 1 ? '|' : '<', format->is_unsigned ? 'u' : 'i', bytes);
    else if (format->kind == 'c')
        snprintf(out, n, "<c%zu", bytes);
    else if (format->elem == BUFVM_F16 || format->elem == BUFVM_F32 || format->elem == BUFVM_F64)
        snprintf(out, n, "<f%zu", bytes);
    else
        snprintf(out, n, "|V%zu", bytes);
}

bool tool_npy_write(const char *path, const ToolValue *value, ToolError *error)
{
    char header[128 + 24 * BUFVM_MAX_RANK], descr[16];
    const BufvmView *view = &value->value.view;
    uint8_t scalar[16] = {0};
    bool is_view = value->value.kind == BUFVM_VIEW;
    size_t elem = bufvm_elem_bytes(value->format.elem);
    for (size_t k = 0; k < elem; k++) {
        size_t part = value->format.kind == 'c' ? elem / 2 : elem;
        scalar[k] = (uint8_t)((k < part ? value->value.bits : value->value.bits2) >> 8 * (k % part));
    }
    descr_of(&value->format, descr, sizeof descr);
    size_t n = 10;
    n += (size_t)snprintf(header + n, sizeof header - n, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (uint32_t d = 0; is_view && d < view->rank; d++)
        n += (size_t)snprintf(header + n, sizeof header - n, d + 1 < view->rank || view->rank == 1 ? "%" PRId64 ", " : "%" PRId64,
                              view->dims[d]);
    n += (size_t)snprintf(header + n, sizeof header - n, "), }");
    while ((n + 1) % 64)
        header[n++] = ' ';
    header[n++] = '\n';
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)((n - 10) & 255);
    header[9] = (char)((n - 10) >> 8);
    size_t bytes = is_view ? (size_t)tool_view_count(view) * elem : elem;
    char *file = malloc(n + bytes + 1);
    if (!file)
        return tool_fail(error, TOOL_LIMIT, "out of memory");
    memcpy(file, header, n);
    if (is_view && bytes)
        memcpy(file + n, bufvm_buffer_data(view->buffer) + view->offset, bytes);
    else if (!is_view)
        memcpy(file + n, scalar, bytes);
    if (value->format.kind == 'i' && value->format.width > 1 && value->format.width < 8 && !value->format.is_unsigned)
        for (size_t k = 0; k < bytes; k++) /* memory has zeros above the bits, a number its sign */
            file[n + k] = (char)num_sext((uint8_t)file[n + k], value->format.width);
    bool ok = tool_write_file(path, file, n + bytes, error);
    free(file);
    return ok;
}
