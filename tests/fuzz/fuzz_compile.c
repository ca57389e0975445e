/* Fuzz target: text as MLIR through the whole compiler; what compiles loads and runs with fuel.  The length chooses options. */
#include "../../compiler/bufvmc.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    BufvmcOptions options = {.realloc = fuzz_realloc,
                             .max_memory = ((size_t)48 << 20) + 16 * size,
                             .optimize = size % 3 == 0 ? 1 : 3,
                             .debug = size % 5 == 0,
                             .fp = size % 7 == 0 ? BUFVMC_CONTRACT : BUFVMC_STRICT,
                             .fp_given = true,
                             .allow_unregistered = size % 11 == 0};
    BufvmcOutput out;
    fuzz_begin();
    if (bufvmc_compile((const char *)data, size, &options, &out) == BUFVMC_OK)
        fuzz_run_module(out.data, out.size, true);
    bufvmc_output_free(&out);
    fuzz_end(size);
    return 0;
}
