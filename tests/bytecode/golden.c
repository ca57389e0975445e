/* Golden assembly: golden FILE.vmasm...
 *
 * Each file must assemble, disassemble to its own text, and assemble again to the same bytes.  Together the files
 * must hold every row of opcodes.def with every element type that it takes, every operand kind, every kernel and every section.
 * golden --write FILE...  rewrites the files with what the disassembler says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/bytecode/file.h"
#include "../../vm/bytecode/opnames.h"

static uint32_t seen_types[BVM_ROWS];
static bool seen_kernels[BVM_KERNELS], seen_sections[BVM_SECTIONS], seen_kinds[128], seen_raw;
static uint16_t list_space[65536];

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

static void note_code(const BvmFunc *f)
{
    BvmInsn insn;
    for (size_t at = 0; at < f->ncode; at += bvm_decode(f->code + at, f->ncode - at, &insn, list_space, NULL)) {
        size_t n = bvm_decode(f->code + at, f->ncode - at, &insn, list_space, NULL);
        (void)n;
        seen_types[insn.row] |= UINT32_C(1) << insn.etype;
        seen_raw = seen_raw || insn.nan_flag;
        for (const char *k = bvm_ops[insn.row].kinds; *k; k++)
            seen_kinds[(unsigned char)*k] = true;
        if (insn.row == BVM_OP_kernel)
            seen_kernels[insn.wide[0] & 0xFF] = true;
    }
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
    if (ok) {
        BvmModule m;
        ok = bvm_module_read(NULL, data, size, 0, &m, &e) == BUFVM_OK;
        for (uint32_t i = 0; i < m.nfunctions; i++)
            note_code(&m.functions[i]);
        bvm_module_free(&m);
        for (uint32_t i = 0; i < bvm_get32((uint8_t *)data + 12); i++)
            seen_sections[bvm_get32((uint8_t *)data + BVM_HEADER_BYTES + BVM_ENTRY_BYTES * i)] = true;
    }
    free(text);
    free(text2);
    free(data);
    free(data2);
    return ok;
}

static int missing(const char *what, const char *name)
{
    fprintf(stderr, "no golden file has %s %s\n", what, name);
    return 1;
}

/* A plain elementwise instruction that no file holds, through the codec: rows that are added need no line in a file. */
static bool codec_keeps(unsigned row, unsigned etype)
{
    static uint16_t list[1];
    uint64_t words[8];
    const char *why;
    BvmInsn insn = {.row = (uint16_t)row, .etype = (uint16_t)etype, .regs = {3, 1, 2, 5}}, back;
    if (!bvm_ops[row].form || !strchr("123cpe", bvm_ops[row].form))
        return false;
    size_t fields = strlen(bvm_ops[row].kinds);
    memset(insn.regs + fields, 0, sizeof insn.regs - fields * sizeof *insn.regs);
    size_t n = bvm_encode(&insn, words);
    return bvm_decode(words, n, &back, list, &why) == n && back.row == row && back.etype == etype &&
           memcmp(back.regs, insn.regs, fields * sizeof *insn.regs) == 0;
}

static int check_coverage(void)
{
    int bad = 0;
    char text[64];
    for (unsigned row = 0; row < BVM_ROWS; row++)
        for (unsigned e = 0; bvm_ops[row].name && e < 32; e++)
            if ((bvm_ops[row].etypes & ~seen_types[row]) >> e & 1 && !codec_keeps(row, e)) {
                snprintf(text, sizeof text, "%s.%s", bvm_ops[row].name, e ? bvm_elem_name(e) : "");
                bad |= missing("instruction", text);
            }
    for (unsigned k = 0; k < BVM_KERNELS; k++)
        if (bvm_kernel_table[k].name && !seen_kernels[k])
            bad |= missing("kernel", bvm_kernel_table[k].name);
    for (const char *k = BVM_FIELD_KINDS BVM_WIDE_KINDS "*"; *k; k++)
        if (!seen_kinds[(unsigned char)*k])
            bad |= missing("operand kind", (char[]){*k, 0});
    for (unsigned s = 1; s < BVM_SECTIONS; s++) {
        snprintf(text, sizeof text, "%u", s);
        if (!seen_sections[s])
            bad |= missing("section", text);
    }
    return seen_raw ? bad : missing("flag", ".raw");
}

int main(int argc, char **argv)
{
    bool write = argc > 1 && strcmp(argv[1], "--write") == 0;
    int bad = argc < 2;
    for (int i = 1 + write; i < argc; i++)
        bad |= !check(argv[i], write);
    bad |= check_coverage();
    return bad;
}
