/* Fuzz target: text as bytecode assembly.  What assembles loads, and its disassembly assembles to the same bytes. */
#include "../../vm/bytecode/module.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_back(const void *data, size_t size)
{
    char *text = NULL;
    void *again = NULL;
    size_t n = 0, again_size = 0;
    BufvmError error = {0};
    if (bvm_disassemble(&fuzz_allocator, data, size, &text, &n, &error) != BUFVM_OK ||
        bvm_assemble(&fuzz_allocator, text, n, &again, &again_size, &error) != BUFVM_OK) {
        fprintf(stderr, "%u:%u: %s\n%s", error.line, error.col, error.text, text ? text : "");
        abort();
    }
    if (again_size != size || memcmp(again, data, size) != 0) {
        fprintf(stderr, "another module:\n%s", text);
        abort();
    }
    fuzz_realloc(NULL, again, again_size, 0);
    fuzz_realloc(NULL, text, n + 1, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    void *module = NULL;
    size_t n = 0;
    BufvmError error;
    fuzz_begin();
    if (bvm_assemble(&fuzz_allocator, (const char *)data, size, &module, &n, &error) == BUFVM_OK) {
        fuzz_run_module(module, n, true);
        if (n < 1 << 16)
            read_back(module, n);
        fuzz_realloc(NULL, module, n, 0);
    }
    fuzz_end(size + n);
    return 0;
}
