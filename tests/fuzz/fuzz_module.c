/* Fuzz target: bytes as a module; what loads is disassembled and run with fuel. */
#include "../../vm/bytecode/module.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_begin();
    fuzz_run_module(data, size, false);
    char *text = NULL;
    size_t n = 0;
    if (size < 1 << 16 && bvm_disassemble(&fuzz_allocator, data, size, &text, &n, NULL) == BUFVM_OK)
        fuzz_realloc(NULL, text, n + 1, 0);
    fuzz_end(size);
    return 0;
}
