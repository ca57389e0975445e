/* Runs a fuzz target on files: every input that once failed stays a test in builds without libFuzzer. */
#include "../../vm/tools/tools.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *data;
        size_t n;
        ToolError error;
        if (!tool_read_file(argv[i], SIZE_MAX, &data, &n, &error)) {
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }
        uint8_t *copy = malloc(n ? n : 1); /* exactly as large as it is */
        if (!copy)
            return 99;
        memcpy(copy, data, n);
        LLVMFuzzerTestOneInput(copy, n);
        free(copy);
        free(data);
    }
    printf("%d inputs\n", argc - 1);
    return 0;
}
