/* Fuzz target: text as MLIR; what parses is printed, and the print parses. */
#include "../../compiler/bufvmc.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    BufvmcOptions options = {.emit = BUFVMC_PARSE, .realloc = fuzz_realloc, .generic = size & 1, .allow_unregistered = size & 2};
    BufvmcOutput out, again;
    fuzz_begin();
    if (bufvmc_compile((const char *)data, size, &options, &out) == BUFVMC_OK) {
        options.generic = !options.generic;
        if (bufvmc_compile(out.data, out.size, &options, &again) != BUFVMC_OK) {
            fprintf(stderr, "%s%s", again.diagnostics, (const char *)out.data);
            abort();
        }
        bufvmc_output_free(&again);
    }
    size_t printed = out.size;
    bufvmc_output_free(&out);
    fuzz_end(size + printed);
    return 0;
}
