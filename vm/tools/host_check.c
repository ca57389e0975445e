/* Host functions: IREE's check.* (conventions: vm/doc/host-functions.md).  A failed check is reported and counted;
 * the test goes on, as with iree-check-module. */
#include "host.h"

#include "../numeric/numeric.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A host argument as a value that compare.c takes: strided memrefs are gathered to row-major. */
static bool gather(const BufvmValue *arg, const BufvmType *type, ToolValue *out, BufvmError *error)
{
    memset(out, 0, sizeof *out);
    if (!tool_elem_of_written(type->written, &out->format)) {
        snprintf(error->text, sizeof error->text, "no element type in '%.200s'", type->written);
        return false;
    }
    out->value = *arg;
    if (arg->kind != BUFVM_STRIDED) {
        if (arg->kind == BUFVM_VIEW)
            bufvm_buffer_retain(arg->view.buffer);
        return true;
    }
    const BufvmView *from = &arg->view;
    size_t bytes = bufvm_elem_bytes(from->elem);
    uint64_t count = tool_view_count(from);
    out->value.kind = BUFVM_VIEW;
    out->value.view.offset = 0;
    if (bufvm_buffer_alloc(NULL, count * bytes, &out->value.view.buffer, error) != BUFVM_OK) {
        out->value.kind = BUFVM_NOTHING;
        return false;
    }
    int64_t index[BUFVM_MAX_RANK] = {0};
    uint8_t *to = bufvm_buffer_data(out->value.view.buffer);
    for (uint64_t k = 0; k < count; k++) {
        int64_t at = 0;
        for (uint32_t d = 0; d < from->rank; d++)
            at += index[d] * arg->strides[d];
        memcpy(to + k * bytes, host_elements(arg) + at * (int64_t)bytes, bytes);
        for (uint32_t d = from->rank; d-- > 0 && ++index[d] == from->dims[d];)
            index[d] = 0;
    }
    return true;
}

/* Where the check stands; a host function's error says so on entry. */
static void report_place(ToolHost *host, const BufvmError *error)
{
    if (error->line)
        fprintf(host->report, "line %" PRIu32 ", column %" PRIu32 ": ", error->line, error->col);
}

static void report_values(ToolHost *host, const ToolValue *lhs, const ToolValue *rhs)
{
    host->failed_checks++;
    fputs("  lhs:\n    ", host->report);
    tool_value_print(lhs, 256, host->report);
    fputs("\n  rhs:\n    ", host->report);
    tool_value_print(rhs, 256, host->report);
    fputc('\n', host->report);
}

static BufvmStatus compare(ToolHost *host, const BufvmSignature *signature, const BufvmValue *args, const ToolTolerance *tolerance,
                           const char *message, BufvmError *error)
{
    ToolValue lhs, rhs;
    if (!gather(&args[0], &signature->args[0], &lhs, error))
        return BUFVM_HOST;
    if (!gather(&args[1], &signature->args[1], &rhs, error)) {
        tool_value_release(&lhs);
        return BUFVM_HOST;
    }
    char *lines = NULL;
    size_t n = 0;
    FILE *memory = open_memstream(&lines, &n);
    bool equal = memory && tool_value_equal(&lhs, &rhs, tolerance, memory);
    if (memory)
        fclose(memory);
    if (!equal) {
        report_place(host, error);
        fprintf(host->report, "%s: %s", message, memory ? lines : "out of memory\n");
        report_values(host, &lhs, &rhs);
    }
    free(lines);
    tool_value_release(&lhs);
    tool_value_release(&rhs);
    return BUFVM_OK;
}

BufvmStatus host_check_eq(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                          BufvmValue *results, BufvmError *error)
{
    (void)context, (void)results;
    if (signature->nargs != 2)
        return host_bad_signature(signature, "two values", error);
    ToolTolerance exact = {0};
    return compare(user, signature, args, &exact, "Expected equality of these values", error);
}

static bool scalar_double(const BufvmValue *value, double *out)
{
    if (value->kind != BUFVM_SCALAR || (value->elem != BUFVM_F32 && value->elem != BUFVM_F64))
        return false;
    uint64_t wide = num_float_convert(value->elem, value->bits, BVM_F64, 0);
    memcpy(out, &wide, sizeof wide);
    return true;
}

BufvmStatus host_check_almost_eq(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                                 BufvmValue *results, BufvmError *error)
{
    (void)context, (void)results;
    ToolTolerance tolerance = {.approximate = true};
    if (signature->nargs != 4 || !scalar_double(&args[2], &tolerance.atol) || !scalar_double(&args[3], &tolerance.rtol))
        return host_bad_signature(signature, "two values and two tolerances", error);
    char message[120];
    snprintf(message, sizeof message, "Expected near equality of these values (atol=%g, rtol=%g)", tolerance.atol, tolerance.rtol);
    return compare(user, signature, args, &tolerance, message, error);
}

static bool all_are(const ToolValue *value, bool wanted)
{
    if (value->value.kind == BUFVM_SCALAR)
        return (value->value.bits != 0) == wanted;
    size_t bytes = bufvm_elem_bytes(value->format.elem);
    const uint8_t *data = host_elements(&value->value);
    for (uint64_t k = 0; k < tool_view_count(&value->value.view); k++) {
        bool is_set = false;
        for (size_t b = 0; b < bytes; b++)
            is_set |= data[k * bytes + b] != 0;
        if (is_set != wanted)
            return false;
    }
    return true;
}

BufvmStatus host_check_true(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                            BufvmValue *results, BufvmError *error)
{
    (void)context, (void)results;
    ToolHost *host = user;
    ToolValue value;
    if (signature->nargs != 1)
        return host_bad_signature(signature, "one value", error);
    if (!gather(&args[0], &signature->args[0], &value, error))
        return BUFVM_HOST;
    bool wanted = strstr(signature->name, "false") == NULL;
    if (!all_are(&value, wanted)) {
        host->failed_checks++;
        report_place(host, error);
        fprintf(host->report, "Expected %s: ", wanted ? "only true" : "false");
        tool_value_print(&value, 256, host->report);
        fputc('\n', host->report);
    }
    tool_value_release(&value);
    return BUFVM_OK;
}
