/* Writes vm/doc/opcodes.md from the tables: opref opcodes.def > opcodes.md.
 *
 * Rows come from the compiled table; the .def file is read for its section headings only.
 */
#include <stdio.h>
#include <string.h>

#include "../bytecode/format.h"

static void print_types(const BvmOpInfo *op)
{
    const char *between = "";
    if (op->etypes & 1)
        fputs("none", stdout);
    for (unsigned e = 1; e < BVM_ELEMS; e++)
        if (op->etypes >> e & 1) {
            printf("%s%s", between, bvm_elem_name(e));
            between = " ";
        }
}

static void print_row(unsigned number)
{
    const BvmOpInfo *op = &bvm_ops[number];
    printf("| %u | `%s` | ", number, op->name);
    if (op->form)
        printf("`%s`, tile `%s`", op->kinds, bvm_ops[number + BVM_TILE].kinds);
    else if (*op->kinds)
        printf("`%s`", op->kinds);
    fputs(" | ", stdout);
    print_types(op);
    printf(" | %s |\n", op->doc);
}

static unsigned print_rows(unsigned from, unsigned to)
{
    puts("\n| number | name | operands | element types | |\n| ---: | --- | --- | --- | --- |");
    for (; from < to; from++)
        if (bvm_ops[from].name)
            print_row(from);
    return to;
}

static void print_intro(void)
{
    puts("# Opcodes\n\n"
         "Written by `vm/doc/opref.c` from `vm/bytecode/opcodes.def`, `elemtypes.def` and `vm/kernels/kernels.def`: change those. "
         "`format.md` says how an\n"
         "instruction is encoded and what the verifier asks of it.\n\n"
         "Operands, in the order of the text: `w r m` scalar register written, read, both; `W b M` buffer register; `T t A` tile\n"
         "register; `h` 16-bit number; `i` 64-bit number; `l` label; `k` constant; `g` global; `f` function; `n` import; `s` "
         "string; `*` list of registers.\n"
         "A row with tile operands is also an instruction `t.NAME`, numbered 512 higher.\n\n"
         "## Element types\n\n| code | name | bytes | bits | class |\n| ---: | --- | ---: | ---: | --- |");
    for (unsigned e = 1; e < BVM_ELEMS; e++)
        printf("| %u | `%s` | %u | %u | %c |\n", e, bvm_elem_name(e), bvm_elem_bytes(e), bvm_elem_bits(e), bvm_elem_class(e));
}

static void print_kernels(void)
{
    puts("\n## Table of kernels\n\nOperands of the list: `N` the sizes, `o` a view written, `i` a view read (buffer, element "
         "offset, "
         "strides), `s` a scalar.\n\n"
         "| number | name | operands | |\n| ---: | --- | --- | --- |");
#define KERNEL(number, name, operands, doc) printf("| %d | `%s` | `%s` | %s |\n", number, #name, operands, doc);
#include "../kernels/kernels.def"
#undef KERNEL
}

int main(int argc, char **argv)
{
    FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!f) {
        fprintf(stderr, "usage: opref opcodes.def\n");
        return 2;
    }
    print_intro();
    char line[4096], title[256] = "", next[256];
    unsigned from = 0, number;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "/* -- %255[^-\n]", next) == 1) {
            strcpy(title, next);
            for (size_t n = strlen(title); n && title[n - 1] == ' '; n--)
                title[n - 1] = 0;
        } else if (*title && (sscanf(line, "OP(%u,", &number) == 1 || sscanf(line, "EW(%u,", &number) == 1)) {
            if (from != number && number)
                from = print_rows(from, number);
            printf("\n## %c%s\n", title[0] >= 'a' ? title[0] - 'a' + 'A' : title[0], title + 1);
            *title = 0;
        }
    }
    print_rows(from, BVM_TILE);
    print_kernels();
    fclose(f);
    return 0;
}
