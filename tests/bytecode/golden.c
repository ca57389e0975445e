/* Golden assembly: golden FILE.vmasm...
 *
 * Each file must assemble, disassemble to its own text, and assemble again to the same bytes.  What the files must hold is
 * covered.c's.  golden --write FILE...  rewrites the files with what the disassembler says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/bytecode/file.h"

static char *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    char *data = NULL;
    *n = 0;
    for (size_t got = 1; got;) {
        data = realloc(data, *n + 65536);
        got = fread(data + *n, 1, 65536, f);
        *n += got;
    }
    fclose(f);
    return data;
}

static bool differ(const char *path, const char *want, const char *got)
{
    size_t line = 1, i = 0;
    for (; want[i] && want[i] == got[i]; i++)
        line += want[i] == '\n';
    if (want[i] == got[i])
        return false;
    while (i && want[i - 1] != '\n')
        i--;
    fprintf(stderr, "%s:%zu: the text differs after a round trip\n-%.*s\n+%.*s\n", path, line, (int)strcspn(want + i, "\n"),
            want + i, (int)strcspn(got + i, "\n"), got + i);
    return true;
}

static bool check(const char *path, bool write)
{
    size_t n, size = 0, size2 = 0, n2 = 0;
    void *data = NULL, *data2 = NULL;
    char *text = read_file(path, &n), *text2 = NULL;
    BufvmError e = {0};
    if (!text) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return false;
    }
    text = realloc(text, n + 1);
    text[n] = 0;
    bool ok = bvm_assemble(NULL, text, n, &data, &size, &e) == BUFVM_OK &&
              bvm_disassemble(NULL, data, size, &text2, &n2, &e) == BUFVM_OK &&
              bvm_assemble(NULL, text2, n2, &data2, &size2, &e) == BUFVM_OK;
    if (!ok) {
        fprintf(stderr, "%s:%u:%u: %s\n", path, e.line, e.col, e.text);
    } else if (write) {
        FILE *f = fopen(path, "wb");
        ok = f && fwrite(text2, 1, n2, f) == n2;
        if (f)
            fclose(f);
    } else if (differ(path, text, text2)) {
        ok = false;
    } else if (size != size2 || memcmp(data, data2, size) != 0) {
        fprintf(stderr, "%s: the module differs after a round trip\n", path);
        ok = false;
    }
    free(text);
    free(text2);
    free(data);
    free(data2);
    return ok;
}

int main(int argc, char **argv)
{
    bool write = argc > 1 && strcmp(argv[1], "--write") == 0;
    int bad = argc < 2;
    for (int i = 1 + write; i < argc; i++)
        bad |= !check(argv[i], write);
    return bad;
}
