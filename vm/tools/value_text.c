/* Value text: `4xf32=1,2,3,4`, `2x2xi32=[1 2][3 4]`, `2x2xf32=7`, `f32=1`, `3`, `@file.npy`, `2x3xf32=@raw.bin`.
 *
 * Inside the list blanks, commas and brackets only separate.  One element for a type of several is a splat.
 * A decimal goes straight to its type: one rounding.  Complex numbers are pairs, `(1,2)`.
 */
#include "tools.h"

#include "../numeric/numeric.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool tool_fail(ToolError *error, ToolExit exit, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error->exit = exit;
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}

ToolExit tool_exit_of(BufvmStatus status)
{
    switch (status) {
    case BUFVM_OK:
        return TOOL_OK;
    case BUFVM_INVALID_MODULE:
    case BUFVM_VERSION:
        return TOOL_MODULE;
    case BUFVM_TRAP:
    case BUFVM_HOST:
    case BUFVM_INTERRUPTED:
        return TOOL_TRAP;
    case BUFVM_LIMIT:
    case BUFVM_OUT_OF_MEMORY:
        return TOOL_LIMIT;
    case BUFVM_IO:
        return TOOL_IO;
    case BUFVM_INVALID_ARGUMENT:
    case BUFVM_NOT_FOUND:
    case BUFVM_BUSY:
        break;
    }
    return TOOL_USAGE;
}

bool tool_fail_status(ToolError *error, const char *what, const BufvmError *from)
{
    char where[200] = "";
    if (from->function[0] && from->line)
        snprintf(where, sizeof where, " (in @%.100s at line %u:%u)", from->function, from->line, from->col);
    else if (from->function[0])
        snprintf(where, sizeof where, " (in @%.100s)", from->function);
    if (from->status == BUFVM_INVALID_MODULE) /* its text tells the status and the place */
        return tool_fail(error, TOOL_MODULE, "%s: %s", what, from->text);
    return tool_fail(error, tool_exit_of(from->status), "%s: %s: %s%s", what, bufvm_status_name(from->status), from->text, where);
}

void tool_value_release(ToolValue *value)
{
    bufvm_value_release(&value->value);
}

uint64_t tool_view_count(const BufvmView *view)
{
    uint64_t count = 1;
    for (uint32_t k = 0; k < view->rank; k++)
        count *= (uint64_t)view->dims[k];
    return count;
}

/* ---- reading ---- */

static bool is_separator(char c)
{
    return c == ' ' || c == ',' || c == '[' || c == ']' || c == '\t' || c == '\n' || c == '\r' || c == '(' || c == ')';
}

static void store_bits(uint8_t *to, uint64_t bits, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++)
        to[k] = (uint8_t)(bits >> 8 * k);
}

static uint64_t load_bits(const uint8_t *from, size_t bytes)
{
    uint64_t bits = 0;
    for (size_t k = 0; k < bytes; k++)
        bits |= (uint64_t)from[k] << 8 * k;
    return bits;
}

/* Integer text, decimal or hexadecimal, in the signed or unsigned range of the format. */
static bool parse_integer(const char *text, size_t n, const ElemFormat *format, uint64_t *bits)
{
    char copy[80];
    if (n == 0 || n >= sizeof copy)
        return false;
    memcpy(copy, text, n);
    copy[n] = 0;
    if (strcmp(copy, "true") == 0 || strcmp(copy, "false") == 0) {
        *bits = copy[0] == 't';
        return format->width == 1;
    }
    bool negative = copy[0] == '-';
    const char *digits = copy + (negative || copy[0] == '+');
    if (digits[0] < '0' || digits[0] > '9')
        return false;
    int base = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
    char *end;
    errno = 0;
    unsigned long long magnitude = strtoull(digits, &end, base);
    if (*end || errno)
        return false;
    uint64_t top = UINT64_C(1) << (format->width - 1);
    uint64_t highest = top - 1 + top;
    if (negative ? magnitude > top || (format->is_unsigned && magnitude) : magnitude > highest)
        return false;
    *bits = negative ? 0 - (uint64_t)magnitude : (uint64_t)magnitude;
    /* as in memory: widths under 8 have zero upper bits, wider odd ones are sign-extended in their storage */
    if (format->width < 8)
        *bits = num_zext(*bits, format->width);
    else
        *bits = (uint64_t)num_sext(*bits, format->width);
    return true;
}

/* One number; returns its bits as stored. */
static bool parse_number(const char *text, size_t n, const ElemFormat *format, unsigned float_elem, uint64_t *bits)
{
    if (format->kind == 'i')
        return parse_integer(text, n, format, bits);
    return n > 0 && num_parse_float(text, n, float_elem, bits) == n;
}

static unsigned part_elem(const ElemFormat *format)
{
    return format->elem == BUFVM_C64 ? BUFVM_F32 : format->elem == BUFVM_C128 ? BUFVM_F64 : format->elem;
}

static size_t part_bytes(const ElemFormat *format)
{
    return bufvm_elem_bytes(format->elem) / (format->kind == 'c' ? 2 : 1);
}

static bool parse_elements(const char *text, const ElemFormat *format, uint8_t *data, uint64_t count, ToolError *error)
{
    size_t bytes = part_bytes(format);
    uint64_t parts = count * (format->kind == 'c' ? 2 : 1), seen = 0;
    const char *p = text;
    for (;;) {
        while (is_separator(*p))
            p++;
        if (!*p)
            break;
        const char *q = p;
        while (*q && !is_separator(*q))
            q++;
        uint64_t bits;
        if (!parse_number(p, (size_t)(q - p), format, part_elem(format), &bits))
            return tool_fail(error, TOOL_USAGE, "'%.*s' is no %s", (int)(q - p > 60 ? 60 : q - p), p, format->name);
        if (seen < parts)
            store_bits(data + seen * bytes, bits, bytes);
        seen++;
        p = q;
    }
    uint64_t one = format->kind == 'c' ? 2 : 1;
    if (seen == one && parts > one) { /* splat */
        for (uint64_t k = 1; k < count; k++)
            memcpy(data + k * bytes * one, data, bytes * one);
        return true;
    }
    if (seen != parts)
        return tool_fail(error, TOOL_USAGE, "%" PRIu64 " elements given where %" PRIu64 " are needed", seen / one, count);
    return true;
}

static bool fill_scalar(const char *text, const ElemFormat *format, ToolValue *out, ToolError *error)
{
    uint8_t raw[16] = {0};
    if (!parse_elements(text, format, raw, 1, error))
        return false;
    out->value.kind = BUFVM_SCALAR;
    out->value.elem = format->elem;
    out->value.bits = load_bits(raw, part_bytes(format));
    if (format->kind == 'c')
        out->value.bits2 = load_bits(raw + part_bytes(format), part_bytes(format));
    if (format->kind == 'i' && format->width > 1)
        out->value.bits = (uint64_t)num_sext(out->value.bits, format->width);
    return true;
}

static bool read_raw(const char *path, const ElemFormat *format, ToolValue *out, uint64_t bytes, ToolError *error)
{
    char *data;
    size_t size;
    if (!tool_read_file(path, (size_t)bytes + 1, &data, &size, error))
        return false;
    bool fits = size == bytes;
    uint8_t *to = bufvm_buffer_data(out->value.view.buffer);
    if (size >= 6 && memcmp(data, "\x93NUMPY", 6) == 0) {
        free(data);
        return tool_fail(error, TOOL_USAGE, "%s is a .npy file, which has its type and shape: give it as @%s alone", path, path);
    }
    if (fits)
        memcpy(to, data, size);
    for (size_t k = 0; fits && format->kind == 'i' && format->width < 8 && k < size; k++) /* upper bits are zero in memory */
        to[k] = (uint8_t)num_zext(to[k], format->width);
    free(data);
    return fits || tool_fail(error, TOOL_USAGE, "%s: %s%zu bytes where a value of %s needs %" PRIu64, path,
                             size > bytes ? "over " : "", size > bytes ? (size_t)bytes : size, format->name, bytes);
}

/* "2x3xf32": dims into out->value.view; returns the length of the type text up to '=' or the end, 0 on error. */
static bool parse_shape(const char *text, size_t n, ToolValue *out, bool *is_scalar, ToolError *error)
{
    BufvmView *view = &out->value.view;
    size_t at = 0;
    uint64_t count = 1;
    while (at < n && text[at] >= '0' && text[at] <= '9') {
        uint64_t dim = 0;
        size_t start = at;
        while (at < n && text[at] >= '0' && text[at] <= '9' && at - start < 19)
            dim = dim * 10 + (uint64_t)(text[at++] - '0');
        if (at >= n || text[at] != 'x' || view->rank == BUFVM_MAX_RANK || dim > INT64_MAX)
            return tool_fail(error, TOOL_USAGE, "'%.*s' is no shape", (int)(n > 80 ? 80 : n), text);
        if (__builtin_mul_overflow(count, dim, &count) && dim)
            return tool_fail(error, TOOL_USAGE, "the shape '%.*s' is too large", (int)(n > 80 ? 80 : n), text);
        view->dims[view->rank++] = (int64_t)dim;
        at++;
    }
    if (!tool_elem_parse(text + at, n - at, &out->format))
        return tool_fail(error, TOOL_USAGE, "'%.*s' names no element type", (int)(n - at > 60 ? 60 : n - at), text + at);
    *is_scalar = view->rank == 0;
    view->elem = out->format.elem;
    return true;
}

static bool view_bytes(const ToolValue *value, uint64_t *bytes)
{
    uint64_t count = 1;
    for (uint32_t k = 0; k < value->value.view.rank; k++)
        if (__builtin_mul_overflow(count, (uint64_t)value->value.view.dims[k], &count))
            return false;
    return !__builtin_mul_overflow(count, bufvm_elem_bytes(value->format.elem), bytes) && *bytes < (UINT64_C(1) << 40);
}

static bool alloc_view(ToolValue *out, ToolError *error)
{
    BufvmError from;
    uint64_t bytes;
    if (!view_bytes(out, &bytes))
        return tool_fail(error, TOOL_USAGE, "the value is too large");
    if (bufvm_buffer_alloc(NULL, bytes, &out->value.view.buffer, &from) != BUFVM_OK)
        return tool_fail_status(error, "input", &from);
    out->value.kind = BUFVM_VIEW;
    return true;
}

static bool parse_typed(const char *text, const char *equals, const BufvmType *type, ToolValue *out, ToolError *error)
{
    bool is_scalar = false;
    if (!parse_shape(text, equals ? (size_t)(equals - text) : strlen(text), out, &is_scalar, error))
        return false;
    bool wants_view = type && type->kind != BUFVM_SCALAR;
    const char *list = equals ? equals + 1 : "";
    if (is_scalar && !wants_view && *list != '@') {
        memset(&out->value.view, 0, sizeof out->value.view);
        return fill_scalar(equals ? list : out->format.kind == 'c' ? "0 0" : "0", &out->format, out, error);
    }
    if (!alloc_view(out, error))
        return false;
    uint64_t bytes = bufvm_buffer_bytes(out->value.view.buffer);
    if (!equals) /* no list: zero-filled, as it was made */
        return true;
    if (*list == '@')
        return read_raw(list + 1, &out->format, out, bytes, error);
    return parse_elements(list, &out->format, bufvm_buffer_data(out->value.view.buffer), tool_view_count(&out->value.view), error);
}

static bool parse_npy_file(const char *path, ToolValue *out, ToolError *error)
{
    char *data;
    size_t size, used;
    if (!tool_read_file(path, SIZE_MAX, &data, &size, error))
        return false;
    bool ok = tool_npy_parse(data, size, path, &used, out, error);
    free(data);
    return ok;
}

static void take_as(ToolValue *value, const ElemFormat *format)
{
    value->format = *format;
    value->value.view.elem = format->elem;
}

/* What .npy has no descriptor for is of the written type: raw bytes are its floats; bytes in the range of a narrow integer, signed
   or not, are those. */
static bool fit_npy(const char *path, const BufvmType *type, ToolValue *out, ToolError *error)
{
    ElemFormat wanted;
    if (!type || !tool_elem_of_written(type->written, &wanted))
        return true;
    bool raw = strcmp(out->format.name, "ui8") == 0 || strcmp(out->format.name, "bf16") == 0;
    if (raw && wanted.kind == 'f' && bufvm_elem_bytes(wanted.elem) == bufvm_elem_bytes(out->format.elem))
        take_as(out, &wanted);
    if (wanted.kind != 'i' || wanted.width < 2 || wanted.width > 7 || out->format.kind != 'i' || out->format.width != 8)
        return true;
    uint8_t *bytes = bufvm_buffer_data(out->value.view.buffer);
    uint64_t count = tool_view_count(&out->value.view);
    for (uint64_t k = 0; k < count; k++) {
        int value = out->format.is_unsigned ? bytes[k] : (int8_t)bytes[k];
        if (value < -(1 << (wanted.width - 1)) || value >= 1 << wanted.width)
            return tool_fail(error, TOOL_USAGE, "%s: %d is out of the range of %s", path, value, wanted.name);
        bytes[k] &= (uint8_t)((1 << wanted.width) - 1);
    }
    take_as(out, &wanted);
    return true;
}

bool tool_value_parse(const char *text, const BufvmType *type, ToolValue *out, ToolError *error)
{
    memset(out, 0, sizeof *out);
    size_t n = strlen(text);
    if (n >= 2 && text[0] == '"' && text[n - 1] == '"') { /* quotes round the whole are habit; they mean nothing */
        char *copy = strndup(text + 1, n - 2);
        bool ok = copy ? tool_value_parse(copy, type, out, error) : tool_fail(error, TOOL_LIMIT, "out of memory");
        free(copy);
        return ok;
    }
    while (*text == ' ')
        text++;
    if (strcmp(text, "(ignored)") == 0) {
        out->ignored = true;
        return true;
    }
    bool ok;
    const char *equals = strchr(text, '=');
    if (*text == '@')
        ok = parse_npy_file(text + 1, out, error) && fit_npy(text + 1, type, out, error);
    else if (!equals && type && type->kind == BUFVM_SCALAR && tool_elem_of_written(type->written, &out->format))
        ok = fill_scalar(text, &out->format, out, error);
    else
        ok = parse_typed(text, equals, type, out, error);
    if (!ok)
        tool_value_release(out);
    return ok;
}

/* ---- printing ---- */

static void print_number(const ElemFormat *format, unsigned elem, uint64_t bits, FILE *out)
{
    if (format->kind == 'i') {
        if (format->width == 1)
            fprintf(out, "%d", (int)(bits & 1));
        else if (format->is_unsigned)
            fprintf(out, "%" PRIu64, num_zext(bits, format->width));
        else
            fprintf(out, "%" PRId64, num_sext(bits, format->width));
        return;
    }
    char text[64];
    size_t n = num_print_float(elem, bits, text);
    fwrite(text, 1, n, out);
}

void tool_elem_print(const ElemFormat *format, const uint8_t *element, FILE *out)
{
    size_t bytes = part_bytes(format);
    if (format->kind != 'c') {
        print_number(format, format->elem, load_bits(element, bytes), out);
        return;
    }
    fputc('(', out);
    print_number(format, part_elem(format), load_bits(element, bytes), out);
    fputc(',', out);
    print_number(format, part_elem(format), load_bits(element + bytes, bytes), out);
    fputc(')', out);
}

static void print_elements(const ToolValue *value, const uint8_t *data, uint64_t max, FILE *out)
{
    const BufvmView *view = &value->value.view;
    size_t bytes = bufvm_elem_bytes(value->format.elem);
    uint64_t count = tool_view_count(view), shown = max && count > max ? max : count;
    int64_t index[BUFVM_MAX_RANK] = {0};
    uint32_t depth = view->rank ? view->rank - 1 : 0; /* brackets: one less than the rank */
    for (uint64_t k = 0; k < shown; k++) {
        uint32_t opens = 0; /* trailing zero indices open a bracket each */
        for (uint32_t d = view->rank; d-- > 1 && index[d] == 0;)
            opens++;
        for (uint32_t b = 0; b < (opens < depth ? opens : depth); b++)
            fputc('[', out);
        if (k && !(view->rank > 1 && opens))
            fputc(' ', out);
        tool_elem_print(&value->format, data + k * bytes, out);
        for (uint32_t d = view->rank; d-- > 0;) {
            if (++index[d] < view->dims[d] || d == 0)
                break;
            index[d] = 0;
            fputc(']', out);
        }
    }
    if (shown < count)
        fputs("...", out);
}

bool tool_value_print(const ToolValue *value, uint64_t max_elements, FILE *out)
{
    const BufvmValue *v = &value->value;
    if (v->kind == BUFVM_SCALAR) {
        fprintf(out, "%s=", value->format.name);
        uint8_t raw[16];
        size_t bytes = part_bytes(&value->format);
        store_bits(raw, v->bits, bytes);
        if (value->format.kind == 'c')
            store_bits(raw + bytes, v->bits2, bytes);
        tool_elem_print(&value->format, raw, out);
    } else if (v->kind == BUFVM_VIEW) {
        for (uint32_t k = 0; k < v->view.rank; k++)
            fprintf(out, "%" PRId64 "x", v->view.dims[k]);
        fprintf(out, "%s=", value->format.name);
        print_elements(value, bufvm_buffer_data(v->view.buffer) + v->view.offset, max_elements, out);
    } else {
        fputs("(null)", out);
    }
    return !ferror(out);
}
