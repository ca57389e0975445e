/* Element formats: reading the element type of a value text or of a type as written. */
#include "tools.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    BufvmElem elem;
    char kind;
} fixed_formats[] = {
    {"index", BUFVM_I64, 'i'},
    {"bf16", BUFVM_BF16, 'f'},
    {"f16", BUFVM_F16, 'f'},
    {"f32", BUFVM_F32, 'f'},
    {"f64", BUFVM_F64, 'f'},
    {"f8E5M2", BUFVM_F8E5M2, 'f'},
    {"f8E4M3FN", BUFVM_F8E4M3FN, 'f'},
    {"f8E4M3", BUFVM_F8E4M3, 'f'},
    {"f8E5M2FNUZ", BUFVM_F8E5M2FNUZ, 'f'},
    {"f8E4M3FNUZ", BUFVM_F8E4M3FNUZ, 'f'},
    {"f8E4M3B11FNUZ", BUFVM_F8E4M3B11FNUZ, 'f'},
    {"f8E3M4", BUFVM_F8E3M4, 'f'},
    {"f8E8M0FNU", BUFVM_F8E8M0FNU, 'f'},
    {"f6E2M3FN", BUFVM_F6E2M3FN, 'f'},
    {"f6E3M2FN", BUFVM_F6E3M2FN, 'f'},
    {"f4E2M1FN", BUFVM_F4E2M1FN, 'f'},
    {"complex<f32>", BUFVM_C64, 'c'},
    {"complex<f64>", BUFVM_C128, 'c'},
    {"c64", BUFVM_C64, 'c'},
    {"c128", BUFVM_C128, 'c'},
    {"cf64", BUFVM_C64, 'c'},
    {"cf128", BUFVM_C128, 'c'},
};

static BufvmElem storage_of_width(unsigned long width)
{
    if (width == 1)
        return BUFVM_I1;
    return width <= 8 ? BUFVM_I8 : width <= 16 ? BUFVM_I16 : width <= 32 ? BUFVM_I32 : BUFVM_I64;
}

/* i8, si8, ui8 */
static bool parse_integer_format(const char *text, size_t n, ElemFormat *out)
{
    size_t at = 0;
    if (n > 1 && (text[0] == 'u' || text[0] == 's') && text[1] == 'i') {
        out->is_unsigned = text[0] == 'u';
        at = 1;
    }
    if (at >= n || text[at] != 'i' || n - at < 2 || n - at > 3)
        return false;
    unsigned long width = 0;
    for (size_t k = at + 1; k < n; k++) {
        if (text[k] < '0' || text[k] > '9')
            return false;
        width = width * 10 + (unsigned long)(text[k] - '0');
    }
    if (width < 1 || width > 64 || text[at + 1] == '0')
        return false;
    out->kind = 'i';
    out->width = (uint8_t)width;
    out->elem = storage_of_width(width);
    return true;
}

bool tool_elem_parse(const char *text, size_t n, ElemFormat *out)
{
    memset(out, 0, sizeof *out);
    if (n == 0 || n >= sizeof out->name)
        return false;
    memcpy(out->name, text, n);
    if (parse_integer_format(text, n, out))
        return true;
    for (size_t k = 0; k < sizeof fixed_formats / sizeof *fixed_formats; k++)
        if (strlen(fixed_formats[k].name) == n && memcmp(fixed_formats[k].name, text, n) == 0) {
            out->elem = fixed_formats[k].elem;
            out->kind = fixed_formats[k].kind;
            out->width = 64;
            return true;
        }
    return false;
}

bool tool_elem_of_written(const char *written, ElemFormat *out)
{
    const char *open = strchr(written, '<');
    if (!open || strncmp(written, "complex", 7) == 0)
        return tool_elem_parse(written, strlen(written), out);
    /* behind the dimensions: each is digits or `?`, or `*`, followed by x */
    const char *p = open + 1;
    for (;;) {
        const char *q = p;
        while ((*q >= '0' && *q <= '9') || *q == '?' || *q == '*')
            q++;
        if (q == p || *q != 'x')
            break;
        p = q + 1;
    }
    size_t n = strcspn(p, ",>");
    if (strncmp(p, "complex<", 8) == 0)
        n = strcspn(p, ">") + 1;
    return tool_elem_parse(p, n, out);
}
