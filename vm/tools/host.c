/* The list of host functions that vmrun and `vmc --run` offer to modules. */
#include "host.h"

#include <string.h>

BufvmStatus host_printed(FILE *out, BufvmError *error)
{
    if (!ferror(out))
        return BUFVM_OK;
    snprintf(error->text, sizeof error->text, "writing the output failed");
    return BUFVM_IO;
}

BufvmStatus host_bad_signature(const BufvmSignature *signature, const char *wanted, BufvmError *error)
{
    snprintf(error->text, sizeof error->text, "host function '%.200s' is declared with other types: it takes %s", signature->name,
             wanted);
    return BUFVM_HOST;
}

typedef struct HostRow {
    const char *name;
    BufvmHostFn fn;
} HostRow;

#define EACH_ELEMENT(prefix, fn)                                                                                                   \
    {prefix "I8", fn}, {prefix "I16", fn}, {prefix "I32", fn}, {prefix "I64", fn}, {prefix "Ind", fn}, {prefix "F16", fn},         \
        {prefix "BF16", fn}, {prefix "F32", fn}, {prefix "F64", fn}, {prefix "C32", fn},                                           \
    {                                                                                                                              \
        prefix "C64", fn                                                                                                           \
    }

static const HostRow rows[] = {
    EACH_ELEMENT("printMemref", host_print_memref),
    EACH_ELEMENT("printMemrefShape", host_print_memref),
    EACH_ELEMENT("verifyMemRef", host_verify_memref),
    {"printMemrefVector4x4xf32", host_print_vectors},
    {"printI64", host_print_scalar},
    {"printU64", host_print_scalar},
    {"printString", host_print_string},
    {"printF32", host_print_scalar},
    {"printF64", host_print_scalar},
    {"printF16", host_print_scalar},
    {"printBF16", host_print_scalar},
    {"printNewline", host_print_text},
    {"printComma", host_print_text},
    {"printOpen", host_print_text},
    {"printClose", host_print_text},
    {"printFlops", host_print_flops},
    {"rtclock", host_clock},
    {"nanoTime", host_clock},
    {"check.expect_true", host_check_true},
    {"check.expect_false", host_check_true},
    {"check.expect_all_true", host_check_true},
    {"check.expect_eq", host_check_eq},
    {"check.expect_almost_eq", host_check_almost_eq},
};

size_t tool_host_imports(ToolHost *host, BufvmImport *out, size_t max)
{
    size_t n = 0;
    for (; n < sizeof rows / sizeof *rows && n < max; n++)
        out[n] = (BufvmImport){rows[n].name, rows[n].fn, host};
    return n;
}
