/* Texts that the assembler or the verifier must refuse: refuse FILE.
 *
 * A case begins with a line "=== LINE:COL REASON"; the text up to the next one must fail at that place (0:0: none) with an
 * error that has REASON in it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/bytecode/module.h"

static int run_case(const char *path, size_t at, const char *head, const char *text, size_t n)
{
    unsigned line = 0, col = 0;
    int used = 0;
    if (sscanf(head, "=== %u:%u %n", &line, &col, &used) < 2) {
        fprintf(stderr, "%s:%zu: not a case\n", path, at);
        return 1;
    }
    char reason[256];
    snprintf(reason, sizeof reason, "%.*s", (int)strcspn(head + used, "\n"), head + used);
    void *data = NULL;
    size_t size = 0;
    BufvmError e = {0};
    char *exact = malloc(n ? n : 1); /* so that a sanitizer sees a read past the end */
    memcpy(exact, text, n);
    BufvmStatus status = bvm_assemble(NULL, exact, n, &data, &size, &e);
    free(exact);
    free(data);
    if (status != BUFVM_OK && strstr(e.text, reason) && e.line == line && e.col == col)
        return 0;
    fprintf(stderr, "%s:%zu: want %u:%u: %s\n  got %u:%u: %s\n", path, at, line, col, reason, e.line, e.col,
            status == BUFVM_OK ? "no error" : e.text);
    return 1;
}

int main(int argc, char **argv)
{
    FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!f)
        return 2;
    char *text = malloc(1 << 20);
    size_t n = fread(text, 1, (1 << 20) - 1, f), line = 1;
    fclose(f);
    text[n] = 0;
    int bad = 0, cases = 0;
    for (char *p = strstr(text, "=== "), *next; p; p = next) {
        for (; *text && text < p; text++)
            line += *text == '\n';
        char *body = strchr(p, '\n') + 1;
        next = strstr(body, "\n=== ");
        next = next ? next + 1 : NULL;
        bad += run_case(argv[1], line, p, body, next ? (size_t)(next - body) : strlen(body));
        cases++;
    }
    if (cases < 50)
        bad += fprintf(stderr, "%s: only %d cases\n", argv[1], cases) > 0;
    return bad != 0;
}
