/* Texts that the assembler or the verifier must refuse: refuse FILE.
 *
 * A case begins with a line "=== LINE:COL REASON"; the text up to the next one must fail at that place (0:0: none) with an
 * error that has REASON in it.
 *
 * refuse --tokens FILE...  takes good texts and puts another word at the place of each of theirs, one after the other, or ends
 * there: what comes out is a module, or an error with a reason whose place is in the text.
 */
#include <ctype.h>

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

/* -- damaged words --------------------------------------------------------------------------------------------- */

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || (p[n] && strchr("_.$@#\"-", p[n])))
        n++;
    return n ? n : 1;
}

static bool sound_answer(const char *path, const char *text, size_t n)
{
    void *data = NULL;
    size_t size = 0;
    BufvmError e = {0};
    BufvmStatus status = bvm_assemble(NULL, text, n, &data, &size, &e);
    free(data);
    uint32_t lines = 1;
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    bool known = status == BUFVM_OK || status == BUFVM_INVALID_ARGUMENT || status == BUFVM_INVALID_MODULE || status == BUFVM_LIMIT;
    if (!known || (status && (!e.text[0] || e.line > lines)))
        fprintf(stderr, "%s: status %d at %u:%u: %s\n%.*s\n", path, status, e.line, e.col, e.text, (int)n, text);
    return known && (!status || (e.text[0] && e.line <= lines));
}

static int damage_words(const char *path)
{
    static const char *const others[] = {"",       "?",     "@x",     "\"x\"", "-", "99999999999999999999",
                                         "-32769", "65536", "s65535", "t0",    "(", "->"};
    static char text[1 << 16], damaged[(1 << 16) + 32];
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    int bad = n == 0;
    if (f)
        fclose(f);
    for (size_t at = 0; at < n; at += word_length(text + at)) {
        if (isspace((unsigned char)text[at]))
            continue;
        size_t length = word_length(text + at);
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            size_t other = strlen(others[k]);
            memcpy(damaged, text, at);
            memcpy(damaged + at, others[k], other);
            memcpy(damaged + at + other, text + at + length, n - at - length);
            bad += !sound_answer(path, damaged, n - length + other);
        }
        char *end = malloc(at ? at : 1); /* exactly what is left of it */
        memcpy(end, text, at);
        bad += !sound_answer(path, end, at);
        free(end);
    }
    return bad;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--tokens") == 0) {
        int damaged = 0;
        for (int i = 2; i < argc; i++)
            damaged += damage_words(argv[i]);
        return damaged != 0;
    }
    FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!f)
        return 2;
    char *all = malloc(1 << 20), *text = all;
    size_t n = fread(all, 1, (1 << 20) - 1, f), line = 1;
    fclose(f);
    all[n] = 0;
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
    free(all);
    if (cases < 50)
        bad += fprintf(stderr, "%s: only %d cases\n", argv[1], cases) > 0;
    return bad != 0;
}
