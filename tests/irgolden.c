/* Checks on the text of a level: irgolden FILE.ir
 *
 * The file is MLIR that carries its checks in comments:
 *   // emit: LEVEL [-O0] [-g] [--passes=a,b] [--disable-pass=a]   compile the file to this level (parse, core, buffers,
 *                                                      schedule, asm); the lines below check its text
 *   // has: TEXT       a line contains TEXT, behind the place of the `has` before
 *   // not: TEXT       no line contains TEXT
 *   // count: N TEXT   exactly N lines contain TEXT
 *   // error: TEXT     the compilation fails and its messages contain TEXT
 * Runs of blanks count as one.  A file without a check fails.
 */
#include "../compiler/bufvmc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
    const char *file, *source;
    size_t n;
    char *text; /* of the level, blanks folded; NULL when it failed */
    char *messages;
    const char *at; /* behind the last `has` */
    int checks, failures;
    BufvmcOutput out;
} Run;

/* In place: runs of blanks become one, those at line ends go. */
static void fold(char *s)
{
    char *to = s;
    for (char *p = s; *p; p++) {
        bool blank = *p == ' ' || *p == '\t';
        if (blank && (to == s || to[-1] == ' ' || to[-1] == '\n'))
            continue;
        if (*p == '\n' && to > s && to[-1] == ' ')
            to--;
        *to++ = blank ? ' ' : *p;
    }
    *to = 0;
}

static void fail(Run *run, int line, const char *what, const char *text)
{
    run->failures++;
    printf("%s:%d: %s: %s\n", run->file, line, what, text);
}

static void compile(Run *run, int line, char *arguments)
{
    static const struct {
        const char *name;
        BufvmcEmit emit;
    } levels[] = {{"parse", BUFVMC_PARSE},
                  {"core", BUFVMC_CORE},
                  {"buffers", BUFVMC_BUFFERS},
                  {"schedule", BUFVMC_SCHEDULE},
                  {"asm", BUFVMC_ASM}};
    BufvmcOptions options = {.file_name = run->file};
    bool known = false;
    for (char *word = strtok(arguments, " "); word; word = strtok(NULL, " ")) {
        bool option = true;
        if (strcmp(word, "-O0") == 0)
            options.optimize = 1;
        else if (strcmp(word, "-g") == 0)
            options.debug = true;
        else if (strncmp(word, "--passes=", 9) == 0)
            options.passes = word + 9;
        else if (strncmp(word, "--disable-pass=", 15) == 0)
            options.disable_passes = word + 15;
        else
            option = false;
        for (size_t i = 0; !option && i < sizeof(levels) / sizeof(levels[0]); i++)
            if (strcmp(word, levels[i].name) == 0) {
                options.emit = levels[i].emit;
                known = option = true;
            }
        if (!option)
            fail(run, line, "not understood", word);
    }
    if (!known)
        fail(run, line, "names no level", "emit");
    bufvmc_output_free(&run->out);
    run->text = bufvmc_compile(run->source, run->n, &options, &run->out) == BUFVMC_OK ? run->out.data : NULL;
    run->messages = run->out.diagnostics;
    if (run->text)
        fold(run->text);
    if (run->messages)
        fold(run->messages);
    run->at = run->text;
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *p = text; (p = strstr(p, what)) != NULL; n++) {
        p = strchr(p, '\n');
        if (!p) {
            n++;
            break;
        }
    }
    return n;
}

static void check(Run *run, int line, const char *kind, char *text)
{
    run->checks++;
    if (strcmp(kind, "error") == 0) {
        if (run->text || !run->messages || !strstr(run->messages, text))
            fail(run, line, run->text ? "compiles, expected the error" : run->messages, text);
        return;
    }
    if (!run->text) {
        fail(run, line, "does not compile", run->messages ? run->messages : "out of memory");
        return;
    }
    if (strcmp(kind, "has") == 0) {
        const char *found = strstr(run->at, text);
        if (found)
            run->at = found + strlen(text);
        else
            fail(run, line, "is not in the rest of the text", text);
    } else if (strcmp(kind, "not") == 0) {
        if (strstr(run->text, text))
            fail(run, line, "is in the text", text);
    } else {
        char *rest;
        long expected = strtol(text, &rest, 10);
        rest += *rest == ' ';
        if (count(run->text, rest) != (int)expected) {
            printf("%s:%d: %d lines have: %s\n", run->file, line, count(run->text, rest), rest);
            run->failures++;
        }
    }
}

static void directive(Run *run, int line, char *text)
{
    static const char *const kinds[] = {"has", "not", "count", "error"};
    fold(text);
    if (strncmp(text, "emit: ", 6) == 0) {
        compile(run, line, text + 6);
        return;
    }
    for (size_t i = 0; i < 4; i++) {
        size_t n = strlen(kinds[i]);
        if (strncmp(text, kinds[i], n) == 0 && strncmp(text + n, ": ", 2) == 0)
            check(run, line, kinds[i], text + n + 2);
    }
}

static char *read_all(const char *name, size_t *n)
{
    FILE *f = fopen(name, "rb");
    char *data = NULL;
    if (!f)
        return NULL;
    *n = 0;
    for (size_t got = 1; got;) {
        char *more = realloc(data, *n + 65537);
        if (!more)
            break;
        data = more;
        got = fread(data + *n, 1, 65536, f);
        *n += got;
        data[*n] = 0;
    }
    fclose(f);
    return data;
}

int main(int argc, char **argv)
{
    Run run = {.file = argc > 1 ? argv[1] : ""};
    char *source = argc == 2 ? read_all(argv[1], &run.n) : NULL;
    if (!source) {
        fprintf(stderr, "usage: irgolden FILE.ir\n");
        return 2;
    }
    run.source = source;
    int line = 1;
    for (char *p = source; *p; line++) {
        size_t n = strcspn(p, "\n");
        if (strncmp(p, "// ", 3) == 0) {
            char *text = strndup(p + 3, n - 3);
            if (text)
                directive(&run, line, text);
            free(text);
        }
        p += n;
        p += *p == '\n';
    }
    if (!run.checks)
        fail(&run, 1, "has no checks", run.file);
    bufvmc_output_free(&run.out);
    free(source);
    return run.failures != 0;
}
