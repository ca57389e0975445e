/* A module file as assembly text, which asm.c reads back to the same bytes.
 *
 *   .version 1.0
 *   .attribute "fp" "strict"
 *   .source "a.mlir"
 *   .constant k0 8 data { 0011223344556677 }      also:  .constant k1 4096 splat 07000000    .constant k2 64 zero
 *   .import @print (v f32 memref [4, ?] offset ? strides [?, 1] "memref<...>") -> (s i32 "i32")
 *   .global @g 16 align 64 init k0 readonly
 *   .function @main "bs:s" scalars 4 buffers 1 local 128 {
 *     .tile t0 f32 256 full
 *     .line 3:5
 *   L0:
 *     addi.i32 s2, s0, s1
 *     call @other (s2, b0) -> (s3)
 *     ret (s3)
 *   }
 *   .export @main = @main (...) -> (...)
 *   .debug_op 3 "@main/%0#1" 4:5 "loc" "types"
 *   .debug_text { "module {\n" "}\n" }
 */
#include "file.h"
#include "opnames.h"

typedef struct Printer {
    BvmModule m;
    BvmVec text;
    bool failed; /* an allocation */
    uint16_t *list_space;
    uint32_t *labels;    /* per word of the function: number + 1 of its label */
    uint32_t *same_name; /* per string: imports of that name */
} Printer;

static void put_bytes(Printer *p, const char *s, size_t n)
{
    p->failed = p->failed || !bvm_vec_append(&p->m.allocator, &p->text, s, n);
}
static void put(Printer *p, const char *s)
{
    put_bytes(p, s, strlen(s));
}

__attribute__((format(printf, 2, 3))) static void putf(Printer *p, const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    put_bytes(p, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

static void put_string(Printer *p, const char *s, size_t n)
{
    static const char hex[] = "0123456789ABCDEF";
    put(p, "\"");
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c == '"' || c == '\\')
            put_bytes(p, (char[]){'\\', (char)c}, 2);
        else if (c == '\n')
            put(p, "\\n");
        else if (c == '\t')
            put(p, "\\t");
        else if (c < 0x20 || c >= 0x7F)
            put_bytes(p, (char[]){'\\', hex[c >> 4], hex[c & 15]}, 3);
        else
            put_bytes(p, (const char *)&s[i], 1);
    }
    put(p, "\"");
}

static void put_cstring(Printer *p, const char *s)
{
    put_string(p, s, strlen(s));
}

static bool is_word(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (!first && ((c >= '0' && c <= '9') || c == '.'));
}

/* @name, quoted where it is no plain word. */
static void put_name(Printer *p, const char *name)
{
    bool plain = is_word(name[0], true);
    for (const char *c = name; *c; c++)
        plain = plain && is_word(*c, false);
    put(p, "@");
    if (plain)
        put(p, name);
    else
        put_cstring(p, name);
}

/* -- types ---------------------------------------------------------------------------- */

static void put_dims(Printer *p, const int64_t *dims, uint32_t rank, int64_t dynamic)
{
    put(p, "[");
    for (uint32_t i = 0; i < rank; i++) {
        put(p, i ? ", " : "");
        if (dims[i] == dynamic)
            put(p, "?");
        else
            putf(p, "%lld", (long long)dims[i]);
    }
    put(p, "]");
}

static void put_type(Printer *p, const BufvmType *type, const BvmTypeExtra *extra)
{
    putf(p, "%s %s", type->kind == BUFVM_SCALAR ? "s" : type->kind == BUFVM_VIEW ? "v" : "u", bvm_elem_name(type->elem));
    put(p, type->is_memref ? " memref" : "");
    if (type->kind == BUFVM_VIEW) {
        put(p, " ");
        put_dims(p, type->dims, type->rank, -1);
        if (extra->offset == -1)
            put(p, " offset ?");
        else if (extra->offset)
            putf(p, " offset %lld", (long long)extra->offset);
        if (extra->strides) {
            put(p, " strides ");
            put_dims(p, extra->strides, type->rank, BVM_DYNAMIC_STRIDE);
        }
    }
    put(p, " ");
    put_cstring(p, type->written);
}

static void put_types(Printer *p, const BufvmType *types, const BvmTypeExtra *extras, uint32_t n)
{
    put(p, "(");
    for (uint32_t i = 0; i < n; i++) {
        put(p, i ? ", " : "");
        put_type(p, &types[i], &extras[i]);
    }
    put(p, ")");
}

static void put_signature(Printer *p, uint32_t number)
{
    const BvmSignature *s = &p->m.signatures[number];
    put(p, " ");
    put_types(p, s->args, s->args_extra, s->nargs);
    put(p, " -> ");
    put_types(p, s->results, s->results_extra, s->nresults);
    put(p, "\n");
}

/* -- instructions ------------------------------------------------------------------------- */

static void put_registers(Printer *p, const uint16_t *list, const char *banks, uint32_t n)
{
    put(p, "(");
    for (uint32_t i = 0; i < n; i++)
        putf(p, "%s%c%u", i ? ", " : "", banks[i], list[i]);
    put(p, ")");
}

static void put_call_list(Printer *p, const BvmInsn *insn, const BvmBanks *sig)
{
    put_registers(p, insn->list, sig->args, sig->nargs);
    put(p, " -> ");
    put_registers(p, insn->list + sig->nargs, sig->results, sig->nresults);
}

static void put_kernel(Printer *p, const BvmInsn *insn)
{
    uint64_t word = insn->wide[0];
    const BvmKernelInfo *kernel = &bvm_kernel_table[word & 0xFFFF];
    uint32_t rank = word >> 16 & 0xFF, at = 0;
    putf(p, "%s rank %u types", kernel->name, rank);
    for (const char *k = kernel->operands; *k; k++)
        if (*k == 'o' || *k == 'i') {
            unsigned shift = 24 + 8 * at;
            putf(p, " %s", bvm_elem_name(word >> shift & 0xFF));
            at++;
        }
    if (word >> 48)
        putf(p, " flags %u", (unsigned)(word >> 48));
    if (insn->wide[1])
        putf(p, " parameter %lld", (long long)insn->wide[1]);
    put(p, " (");
    at = 0;
    for (const char *k = kernel->operands; *k; k++) {
        bool view = *k == 'o' || *k == 'i';
        uint32_t slots = *k == 'N' ? rank : view ? rank + 1 : 1;
        for (uint32_t i = 0; i < slots + view; i++, at++)
            putf(p, "%s%c%u", at ? ", " : "", view && i == 0 ? 'b' : 's', insn->list[at]);
    }
    put(p, ")");
}

static void put_list(Printer *p, const BvmFunc *f, const BvmInsn *insn)
{
    BvmBanks sig;
    const BvmText *banks;
    switch (insn->row) {
    case BVM_OP_call:
        put_call_list(p, insn, &p->m.functions[insn->wide[0]].sig);
        break;
    case BVM_OP_grid:
        put_registers(p, insn->list, p->m.functions[insn->wide[0]].sig.args, insn->nlist);
        break;
    case BVM_OP_ret:
        put_registers(p, insn->list, f->sig.results, insn->nlist);
        break;
    default: /* an import or an indirect call */
        banks = &p->m.strings[insn->row == BVM_OP_call_import ? p->m.signatures[p->m.imports[insn->wide[0]].signature].banks
                                                              : insn->wide[0]];
        if (bvm_banks_parse(banks->text, banks->n, &sig))
            put_call_list(p, insn, &sig);
        break;
    }
}

static void put_import_name(Printer *p, uint64_t number)
{
    const char *name = p->m.imports[number].api.name;
    uint32_t string = 0;
    put_name(p, name);
    if (bvm_module_find_string(&p->m, name, strlen(name), &string) && p->same_name[string] > 1)
        putf(p, "#%llu", (unsigned long long)number);
}

static void put_wide(Printer *p, char kind, uint64_t value)
{
    switch (kind) {
    case 'l':
        putf(p, "L%u", p->labels[value] - 1);
        break;
    case 'k':
        putf(p, "k%llu", (unsigned long long)value);
        break;
    case 'g':
        put_name(p, p->m.globals[value].name);
        break;
    case 'f':
        put_name(p, p->m.functions[value].name);
        break;
    case 'n':
        put_import_name(p, value);
        break;
    case 's':
        put_string(p, p->m.strings[value].text, p->m.strings[value].n);
        break;
    default:
        putf(p, "%lld", (long long)value);
    }
}

static void put_insn(Printer *p, const BvmFunc *f, const BvmInsn *insn)
{
    const BvmOpInfo *op = &bvm_ops[insn->row];
    putf(p, "  %s", op->name);
    if (insn->etype)
        putf(p, ".%s", bvm_elem_name(insn->etype));
    put(p, insn->nan_flag ? ".raw" : "");
    if (insn->row == BVM_OP_kernel) {
        put(p, " ");
        put_kernel(p, insn);
        put(p, "\n");
        return;
    }
    unsigned field = 0, wide = 0;
    for (const char *k = op->kinds; *k; k++) {
        put(p, k == op->kinds || *k == '*' ? " " : ", ");
        if (*k == '*') {
            put_list(p, f, insn);
        } else if (strchr(BVM_WIDE_KINDS, *k)) {
            put_wide(p, *k, insn->wide[wide++]);
        } else if (*k == 'h') {
            unsigned value = insn->regs[field++];
            if (field == 3 && (op->form == 'x' || insn->row == BVM_OP_fconv_round))
                put(p, bvm_elem_name(value));
            else
                putf(p, "%u", value);
        } else {
            putf(p, "%c%u", strchr("wrm", *k) ? 's' : strchr("WbM", *k) ? 'b' : 't', insn->regs[field++]);
        }
    }
    put(p, "\n");
}

/* Marks the words that labels name, then numbers them in order. */
static void number_labels(Printer *p, const BvmFunc *f)
{
    memset(p->labels, 0, f->ncode * sizeof *p->labels);
    BvmInsn insn;
    for (size_t at = 0; at < f->ncode; at += bvm_decode(f->code + at, f->ncode - at, &insn, p->list_space, NULL)) {
        const char *kinds = bvm_ops[BVM_CODE_ROW(f->code[at])].kinds, *l = strchr(kinds, 'l');
        if (l) { /* one label at most, behind no other wide operand */
            uint64_t target = f->code[at + bvm_wide_at(BVM_CODE_ROW(f->code[at]))];
            p->labels[target] = 1;
        }
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->ncode; i++)
        if (p->labels[i])
            p->labels[i] = ++n;
}

static void put_function(Printer *p, const BvmFunc *f)
{
    put(p, "\n.function ");
    put_name(p, f->name);
    put(p, " ");
    put_string(p, p->m.strings[f->banks].text, p->m.strings[f->banks].n);
    putf(p, " scalars %u buffers %u", f->nscalars, f->nbuffers);
    if (f->local_own)
        putf(p, " local %llu", (unsigned long long)f->local_own);
    put(p, " {");
    if (f->local_need)
        putf(p, " // needs %llu bytes of local memory", (unsigned long long)f->local_need);
    put(p, "\n");
    for (uint32_t i = 0; i < f->ntiles; i++)
        putf(p, "  .tile t%u %s %u%s\n", i, bvm_elem_name(f->tiles[i].etype), f->tiles[i].capacity,
             f->tiles[i].full ? " full" : "");
    number_labels(p, f);
    uint32_t line = 0;
    for (size_t at = 0; at < f->ncode && !p->failed;) {
        BvmInsn insn;
        size_t used = bvm_decode(f->code + at, f->ncode - at, &insn, p->list_space, NULL);
        if (p->labels[at])
            putf(p, "L%u:\n", p->labels[at] - 1);
        if (line < f->nlines && f->lines[line].word == at) {
            putf(p, "  .line %u:%u\n", f->lines[line].line, f->lines[line].col);
            line++;
        }
        put_insn(p, f, &insn);
        at += used;
    }
    put(p, "}\n");
}

/* -- the other parts ----------------------------------------------------------------------- */

static void put_hex(Printer *p, const uint8_t *data, uint64_t n)
{
    static const char hex[] = "0123456789abcdef";
    char line[128];
    for (uint64_t i = 0; i < n && !p->failed; i += 64) {
        size_t piece = n - i < 64 ? (size_t)(n - i) : 64;
        for (size_t k = 0; k < piece; k++) {
            line[2 * k] = hex[data[i + k] >> 4];
            line[2 * k + 1] = hex[data[i + k] & 15];
        }
        put(p, n > 64 ? "\n  " : " ");
        put_bytes(p, line, 2 * piece);
    }
}

static void put_constants(Printer *p)
{
    for (uint32_t i = 0; i < p->m.nconstants && !p->failed; i++) {
        const BvmConstant *c = &p->m.constants[i];
        putf(p, ".constant k%u %llu ", i, (unsigned long long)c->bytes);
        if (c->stored == 0) {
            put(p, "zero\n");
        } else if (c->stored < c->bytes) {
            put(p, "splat");
            put_hex(p, c->data, c->stored);
            put(p, "\n");
        } else {
            put(p, "data {");
            put_hex(p, c->data, c->stored);
            put(p, c->stored > 64 ? "\n}\n" : " }\n");
        }
    }
}

static void put_tables(Printer *p)
{
    const BvmModule *m = &p->m;
    putf(p, ".version %u.%u\n", m->major, BVM_VERSION_MINOR);
    for (uint32_t i = 0; i < m->nattributes; i++) {
        put(p, ".attribute ");
        put_string(p, m->attributes[i][0].text, m->attributes[i][0].n);
        put(p, " ");
        put_string(p, m->attributes[i][1].text, m->attributes[i][1].n);
        put(p, "\n");
    }
    for (uint32_t i = 0; i < m->nsources; i++) {
        put(p, ".source ");
        put_cstring(p, m->sources[i]);
        put(p, "\n");
    }
    put_constants(p);
    for (uint32_t i = 0; i < m->nimports; i++) {
        put(p, ".import ");
        put_name(p, m->imports[i].api.name);
        put_signature(p, m->imports[i].signature);
    }
    for (uint32_t i = 0; i < m->nglobals; i++) {
        const BvmGlobal *g = &m->globals[i];
        put(p, ".global ");
        put_name(p, g->name);
        putf(p, " %llu align %u", (unsigned long long)g->bytes, g->align);
        if (g->constant >= 0)
            putf(p, " init k%lld", (long long)g->constant);
        put(p, g->read_only ? " readonly\n" : "\n");
    }
}

static void put_exports(Printer *p)
{
    if (p->m.nexports)
        put(p, "\n");
    for (uint32_t i = 0; i < p->m.nexports; i++) {
        const BvmExport *e = &p->m.exports[i];
        put(p, ".export ");
        put_name(p, e->api.name);
        put(p, " = ");
        put_name(p, p->m.functions[e->function].name);
        put_signature(p, e->signature);
    }
}

static void put_debug(Printer *p)
{
    for (uint32_t i = 0; i < p->m.ndebug_ops; i++) {
        const BvmDebugOp *d = &p->m.debug_ops[i];
        putf(p, ".debug_op %u ", d->probe);
        put_cstring(p, d->stable_id);
        putf(p, " %u:%u ", d->line, d->col);
        put_cstring(p, d->loc);
        put(p, " ");
        put_cstring(p, d->types);
        put(p, "\n");
    }
    if (!p->m.debug_text_bytes)
        return;
    put(p, ".debug_text {\n");
    const char *text = p->m.debug_text, *end = text + p->m.debug_text_bytes;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *next = newline ? newline + 1 : end;
        put(p, "  ");
        put_string(p, text, (size_t)(next - text));
        put(p, "\n");
        text = next;
    }
    put(p, "}\n");
}

static void put_module(Printer *p, BvmArena *arena)
{
    uint32_t ncode = 0;
    for (uint32_t i = 0; i < p->m.nfunctions; i++)
        ncode = p->m.functions[i].ncode > ncode ? p->m.functions[i].ncode : ncode;
    p->list_space = bvm_arena_alloc(arena, 65536 * sizeof *p->list_space);
    p->labels = bvm_arena_array(arena, ncode, sizeof *p->labels);
    p->same_name = bvm_arena_array(arena, p->m.nstrings, sizeof *p->same_name);
    if (!p->list_space || !p->labels || !p->same_name) {
        p->failed = true;
        return;
    }
    for (uint32_t i = 0; i < p->m.nimports; i++) {
        uint32_t string;
        if (bvm_module_find_string(&p->m, p->m.imports[i].api.name, strlen(p->m.imports[i].api.name), &string))
            p->same_name[string]++;
    }
    put_tables(p);
    for (uint32_t i = 0; i < p->m.nfunctions && !p->failed; i++)
        put_function(p, &p->m.functions[i]);
    put_exports(p);
    put_debug(p);
}

BufvmStatus bvm_disassemble(const BufvmAllocator *allocator, const void *data, size_t size, char **text, size_t *n,
                            BufvmError *error)
{
    Printer p = {.failed = false};
    *text = NULL;
    *n = 0;
    BufvmStatus status = bvm_module_read(allocator, data, size, 0, &p.m, error);
    if (status != BUFVM_OK)
        return status;
    BufvmAllocator a = p.m.allocator;
    BvmArena arena = {.allocator = &a};
    put_module(&p, &arena);
    put_bytes(&p, "", 1);
    bvm_arena_free(&a, arena.blocks);
    bvm_module_free(&p.m);
    if (!p.failed) { /* the caller frees by the size that it was told */
        char *exact = bvm_realloc(&a, p.text.data, p.text.capacity, p.text.n);
        if (exact) {
            *text = exact;
            *n = p.text.n - 1;
            return BUFVM_OK;
        }
    }
    bvm_release(&a, p.text.data, p.text.capacity);
    return bvm_fail(error, BUFVM_OUT_OF_MEMORY, 0, "out of memory while disassembling");
}
