/* Fuzz target: bytes as a .npy file and as the text of a value.  What is read is printed, and the print is read as the same. */
#include "../../vm/tools/tools.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

static FILE *nowhere;

static void fail(const char *what, const char *text)
{
    fprintf(stderr, "%s: %s\n", what, text);
    abort();
}

static void read_back(const ToolValue *value)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    if (!out)
        return;
    tool_value_print(value, 0, out);
    fclose(out);
    ToolValue again;
    ToolError error;
    ToolTolerance exact = {0};
    if (!tool_value_parse(text, NULL, &again, &error))
        fail(error.text, text);
    if (!tool_value_equal(value, &again, &exact, nowhere) && !strstr(text, "nan")) /* a NaN is printed without its bits */
        fail("another value", text);
    tool_value_release(&again);
    free(text);
}

/* Elements that the text asks for, up to a limit: a large value is no fault. */
static bool is_small(const char *text)
{
    uint64_t count = 1;
    while (*text == ' ' || *text == '"')
        text++;
    while (*text >= '0' && *text <= '9') {
        uint64_t dim = 0;
        for (; *text >= '0' && *text <= '9'; text++)
            dim = dim > 1 << 20 ? dim : dim * 10 + (uint64_t)(*text - '0');
        count *= dim ? dim : 1;
        if (count > 1 << 13)
            return false;
        text += *text == 'x';
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ToolValue value;
    ToolError error;
    size_t used;
    if (!nowhere && !(nowhere = fopen("/dev/null", "w")))
        return 0;
    fuzz_begin();
    if (tool_npy_parse((const char *)data, size, "input", &used, &value, &error)) {
        if (used > size)
            fail("used", "more than is there");
        read_back(&value);
        tool_value_release(&value);
    }
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    static const int64_t dims[] = {-1, 2};
    const BufvmType types[] = {{.kind = BUFVM_SCALAR, .elem = BUFVM_F16, .written = "f16"},
                               {.kind = BUFVM_VIEW, .elem = BUFVM_I8, .rank = 2, .dims = dims, .written = "tensor<?x2xui8>"}};
    if (!strchr(text, '@') && is_small(text)) /* files would be read */
        for (size_t k = 0; k < 3; k++) {
            if (!tool_value_parse(text, k < 2 ? &types[k] : NULL, &value, &error))
                continue;
            if (!value.ignored)
                read_back(&value);
            tool_value_release(&value);
        }
    free(text);
    fuzz_end(size);
    return 0;
}
