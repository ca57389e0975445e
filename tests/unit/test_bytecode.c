/* The bytecode library from inside: table and codec, damaged headers, versions, failing allocations, sizes that lie. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/bytecode/file.h"
#include "../../vm/bytecode/opnames.h"

static uint16_t list_space[65536];

/* -- table and codec -------------------------------------------------------------- */

START_TEST(test_rows)
{
    for (unsigned row = 0; row < BVM_ROWS; row++) {
        const BvmOpInfo *op = &bvm_ops[row];
        if (!op->name)
            continue;
        ck_assert_msg(op->kinds && op->doc && op->etypes, "row %u", row);
        ck_assert_int_eq(bvm_op_by_name(op->name, strlen(op->name)), row);
        ck_assert_uint_eq(strspn(op->kinds, BVM_FIELD_KINDS BVM_WIDE_KINDS "*"), strlen(op->kinds));
        const char *l = strchr(op->kinds, 'l'), *star = strchr(op->kinds, '*');
        if (l) /* what the disassembler relies on: the label is the first wide operand, and the only one */
            ck_assert(strpbrk(op->kinds, BVM_WIDE_KINDS) == l && !strchr(l + 1, 'l'));
        if (star)
            ck_assert_int_eq(star[1], 0);
        if (op->form && !op->tile)
            ck_assert_str_eq(bvm_ops[row + BVM_TILE].name + 2, op->name);
    }
    ck_assert_int_eq(bvm_op_by_name("nonsense", 8), -1);
    ck_assert_int_eq(bvm_elem_by_name("bf16", 4), BVM_BF16);
    ck_assert_int_eq(bvm_elem_by_name("bf1", 3), BVM_NONE);
}
END_TEST

static BvmInsn sample(unsigned row, unsigned etype)
{
    static const uint16_t list[5] = {1, 2, 65535, 4, 5};
    BvmInsn insn = {.row = (uint16_t)row, .etype = (uint16_t)etype};
    unsigned fields = 0, wides = 0;
    for (const char *k = bvm_ops[row].kinds; *k; k++)
        if (strchr(BVM_FIELD_KINDS, *k))
            insn.regs[fields] = (uint16_t)(65535 - fields), fields++;
        else if (*k == '*')
            insn.list = list, insn.nlist = 5;
        else
            insn.wide[wides] = UINT64_C(0xFEDCBA9876543210) + wides, wides++;
    return insn;
}

START_TEST(test_codec)
{
    for (unsigned row = 0; row < BVM_ROWS; row++)
        for (unsigned e = 0; bvm_ops[row].name && e < 32; e++) {
            if (!(bvm_ops[row].etypes >> e & 1))
                continue;
            uint64_t words[32];
            const char *why = NULL;
            BvmInsn insn = sample(row, e), back;
            memset(&back, 0, sizeof back);
            size_t n = bvm_encode(&insn, words);
            ck_assert_uint_eq(n, bvm_encode(&insn, NULL));
            ck_assert_uint_eq(bvm_decode(words, n, &back, list_space, &why), n);
            ck_assert(back.row == row && back.etype == e && back.nlist == insn.nlist);
            ck_assert(memcmp(back.regs, insn.regs, sizeof insn.regs) == 0 && memcmp(back.wide, insn.wide, sizeof insn.wide) == 0);
            ck_assert(insn.nlist == 0 || memcmp(back.list, insn.list, insn.nlist * 2) == 0);
            for (size_t cut = 0; cut < n; cut++)
                ck_assert_uint_eq(bvm_decode(words, cut, &back, list_space, &why), 0);
        }
}
END_TEST

START_TEST(test_codec_refuses)
{
    BvmInsn insn = {.row = BVM_OP_jmp};
    uint64_t words[4];
    const char *why;
    bvm_encode(&insn, words);
    words[0] |= UINT64_C(1) << 20; /* an unused field */
    ck_assert_uint_eq(bvm_decode(words, 2, &insn, list_space, &why), 0);
    ck_assert_ptr_nonnull(strstr(why, "unused field"));
    words[0] = 0xFFFF;
    ck_assert_uint_eq(bvm_decode(words, 2, &insn, list_space, &why), 0);
    words[0] = BVM_CODE(BVM_OP_addi, BVM_I32) | BVM_FLAG_NAN;
    ck_assert_uint_eq(bvm_decode(words, 2, &insn, list_space, &why), 0);
    words[0] = BVM_CODE(BVM_OP_ret, 0);
    words[1] = UINT64_C(1) << 40; /* a list that lies about its length */
    ck_assert_uint_eq(bvm_decode(words, 4, &insn, list_space, &why), 0);
    words[1] = 1;
    words[2] = 1 << 16;
    ck_assert_uint_eq(bvm_decode(words, 4, &insn, list_space, &why), 0);
    ck_assert_ptr_nonnull(strstr(why, "unused part"));
}
END_TEST

/* -- modules ---------------------------------------------------------------------- */

/* An allocator that counts, and refuses at one call. */
typedef struct Counter {
    size_t now, peak, calls, refuse_at;
} Counter;

static void *count_realloc(void *user, void *p, size_t old, size_t n)
{
    Counter *c = user;
    if (n == 0) {
        c->now -= p ? old : 0;
        free(p);
        return NULL;
    }
    if (++c->calls == c->refuse_at)
        return NULL;
    c->now = c->now - (p ? old : 0) + n;
    c->peak = c->now > c->peak ? c->now : c->peak;
    return realloc(p, n);
}

static const char text[] = ".attribute \"fp\" \"strict\"\n"
                           ".source \"a.mlir\"\n"
                           ".constant k0 8 data { 0011223344556677 }\n"
                           ".constant k1 64 splat 01020304\n"
                           ".constant k2 100 zero\n"
                           ".import @host (v f32 [?] \"tensor<?xf32>\") -> (s i32 \"i32\")\n"
                           ".global @g 8 align 8 init k0\n"
                           ".function @f \"ss:s\" scalars 3 buffers 1 local 100 {\n"
                           "  .tile t0 f32 16 full\n"
                           "  .line 1:1\n"
                           "  addi.i32 s2, s0, s1\n"
                           "  buffer.const b0, k0\n"
                           "  call @g (s2) -> (s2)\n"
                           "  ret (s2)\n"
                           "}\n"
                           ".function @g \"s:s\" scalars 1 local 64 { ret (s0) }\n"
                           ".export @f = @f (s i32 \"i32\", s i32 \"i32\") -> (s i32 \"i32\")\n"
                           ".debug_op 1 \"a\" 1:2 \"b\" \"c\"\n"
                           ".debug_text { \"module {}\" }\n";

static uint8_t *module_bytes(size_t *size)
{
    void *data;
    BufvmError e = {0};
    ck_assert_msg(bvm_assemble(NULL, text, sizeof text - 1, &data, size, &e) == BUFVM_OK, "%u:%u: %s", e.line, e.col, e.text);
    return data;
}

static BufvmStatus load(const uint8_t *data, size_t size, BufvmError *e)
{
    BvmModule m;
    Counter c = {0};
    BufvmAllocator a = {count_realloc, &c};
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, data, size);
    BufvmStatus status = bvm_module_read(&a, copy, size, 0, &m, e);
    if (status == BUFVM_OK)
        bvm_module_free(&m);
    free(copy);
    ck_assert_uint_eq(c.now, 0);
    return status;
}

START_TEST(test_tables)
{
    size_t size;
    uint8_t *data = module_bytes(&size);
    BvmModule m;
    ck_assert_int_eq(bvm_module_read(NULL, data, size, 0, &m, NULL), BUFVM_OK);
    uint32_t n = 9, line = 0, col = 0;
    ck_assert(bvm_module_find_export(&m, "f", &n) && n == 0);
    ck_assert(!bvm_module_find_export(&m, "g", &n));
    ck_assert_str_eq(bvm_module_find_attribute(&m, "fp"), "strict");
    ck_assert_ptr_null(bvm_module_find_attribute(&m, "absent"));
    ck_assert_uint_eq(m.functions[0].local_own, 128);
    ck_assert_uint_eq(m.functions[0].local_need, 4096);
    ck_assert_uint_eq(m.exports[0].api.local_memory, 4096);
    ck_assert_uint_eq(m.functions[0].tile_bytes, 64);
    ck_assert(bvm_function_line(&m.functions[0], 3, &line, &col) && line == 1 && col == 1);
    ck_assert(!bvm_function_line(&m.functions[1], 0, &line, &col));
    ck_assert_str_eq(bvm_module_find_debug_op(&m, 1)->types, "c");
    ck_assert_ptr_null(bvm_module_find_debug_op(&m, 2));
    ck_assert_uint_eq((uintptr_t)(m.constants[0].data - data) % 64, 0); /* in place, aligned in the file */
    uint8_t expanded[100];
    bvm_constant_expand(&m.constants[1], expanded);
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(expanded[i], 1 + i % 4);
    memset(expanded, 1, sizeof expanded);
    bvm_constant_expand(&m.constants[2], expanded);
    ck_assert(expanded[0] == 0 && expanded[99] == 0);
    bvm_module_free(&m);
    free(data);
}
END_TEST

START_TEST(test_versions)
{
    size_t size;
    BufvmError e = {0};
    uint8_t *data = module_bytes(&size);
    data[10]++; /* a later minor version */
    ck_assert_int_eq(load(data, size, &e), BUFVM_OK);
    data[8] = 7; /* another major one */
    ck_assert_int_eq(load(data, size, &e), BUFVM_VERSION);
    ck_assert_ptr_nonnull(strstr(e.text, "7.1"));
    ck_assert_ptr_nonnull(strstr(e.text, "1.0"));
    free(data);
}
END_TEST

/* A later minor version may have further sections: an empty module with one of kind 99. */
START_TEST(test_unknown_section)
{
    uint8_t data[64 + 8] = BVM_MAGIC;
    BufvmError e = {0};
    data[8] = BVM_VERSION_MAJOR;
    data[10] = BVM_VERSION_MINOR;
    bvm_put64(data + 12, 1 | (uint64_t)sizeof data << 32);
    data[BVM_HEADER_BYTES] = 99;
    bvm_put64(data + BVM_HEADER_BYTES + 8, 64);
    bvm_put64(data + BVM_HEADER_BYTES + 16, 8);
    ck_assert_int_eq(load(data, sizeof data, &e), BUFVM_INVALID_MODULE);
    ck_assert_ptr_nonnull(strstr(e.text, "unknown section kind 99"));
    data[10]++;
    ck_assert_msg(load(data, sizeof data, &e) == BUFVM_OK, "%s", e.text);
}
END_TEST

/* Offset of a section's entry in the table. */
static uint8_t *entry_of(uint8_t *data, uint32_t kind)
{
    for (uint32_t i = 0; i < bvm_get32(data + 12); i++)
        if (bvm_get32(data + BVM_HEADER_BYTES + BVM_ENTRY_BYTES * i) == kind)
            return data + BVM_HEADER_BYTES + BVM_ENTRY_BYTES * i;
    return NULL;
}

/* Fields of records, each set to something wrong: section, byte in it, value, reason. */
START_TEST(test_corrupt_fields)
{
    static const struct {
        uint32_t section, at;
        uint8_t value;
        const char *reason;
    } cases[] = {
        {BVM_SECTION_STRINGS, 0, 0xFF, "ends outside"},
        {BVM_SECTION_TYPES, 0, 'x', "unknown kind"},
        {BVM_SECTION_TYPES, 1, 99, "unknown kind, element type"},
        {BVM_SECTION_TYPES, 4, 65, "has rank 65"},
        {BVM_SECTION_TYPES, 4, 64, "cut off"},
        {BVM_SECTION_TYPES, 8, 0xFF, "string number"},
        {BVM_SECTION_TYPES, 23, 0x80, "negative offset"},
        {BVM_SECTION_SIGNATURES, 3, 0xFF, "cut off"},
        {BVM_SECTION_SIGNATURES, 8, 0, "does not have the banks"},
        {BVM_SECTION_SIGNATURES, 12, 9, "type number"},
        {BVM_SECTION_ATTRIBUTES, 4, 0xFF, "string number"},
        {BVM_SECTION_IMPORTS, 4, 9, "signature number"},
        {BVM_SECTION_GLOBALS, 4, 0xF0, "unknown flag"},
        {BVM_SECTION_GLOBALS, 8, 3, "alignment 3"},
        {BVM_SECTION_GLOBALS, 12, 1, "initial constant"},
        {BVM_SECTION_FUNCTIONS, 0, 0xFF, "string number"},
        {BVM_SECTION_FUNCTIONS, 4, 0, "no valid banks"},
        {BVM_SECTION_FUNCTIONS, 8, 1, "fewer registers"},
        {BVM_SECTION_FUNCTIONS, 16, 2, "more tiles"},
        {BVM_SECTION_FUNCTIONS, 20, 200, "more tiles, code"},
        {BVM_SECTION_FUNCTIONS, 20, 1, "belong to no function"},
        {BVM_SECTION_FUNCTIONS, 28, 1, "reserved field"},
        {BVM_SECTION_FUNCTIONS, 32, 1, "has 1 bytes of local"},
        {BVM_SECTION_FUNCTIONS, 41, 0, "local memory need of 0 bytes, should be 4096"},
        {BVM_SECTION_TILES, 1, 2, "tile 0"},
        {BVM_SECTION_CODE, 1, 0x5F, "unknown opcode"},
        {BVM_SECTION_LINES, 0, 200, "line table entry 0 is not of an instruction"},
        {BVM_SECTION_EXPORTS, 4, 2, "function number 2"},
        {BVM_SECTION_EXPORTS, 4, 1, "does not fit its function"},
        {BVM_SECTION_EXPORTS, 8, 9, "signature number 9"},
        {BVM_SECTION_SOURCES, 0, 0xFF, "string number"},
        {BVM_SECTION_DEBUG_OPS, 16, 0xFF, "string number"},
        {BVM_SECTION_CONSTANTS, 0, 1, "does not start"},
        {BVM_SECTION_CONSTANTS, 8, 9, "stores 9 of 8"},
        {BVM_SECTION_CONSTANTS, 24 + 8, 3, "stores 3 of 64"},
        {BVM_SECTION_DATA, 9, 1, "padding"},
    };
    size_t size;
    uint8_t *data = module_bytes(&size);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        BufvmError e = {0};
        uint64_t at = bvm_get64(entry_of(data, cases[i].section) + 8) + cases[i].at;
        uint8_t before = data[at];
        data[at] = cases[i].value;
        ck_assert_msg(load(data, size, &e) == BUFVM_INVALID_MODULE, "case %zu: %s", i, e.text);
        ck_assert_msg(strstr(e.text, cases[i].reason) != NULL, "case %zu: want %s, got %s", i, cases[i].reason, e.text);
        ck_assert_uint_lt(e.offset, size);
        data[at] = before;
    }
    free(data);
}
END_TEST

/* Entries of the section table: kind, count, offset and size, each wrong in several ways. */
START_TEST(test_corrupt_table)
{
    size_t size;
    uint8_t *data = module_bytes(&size);
    static const uint64_t values[] = {
        0, 1, 8, UINT64_MAX, UINT64_MAX - 7, (uint64_t)INT64_MAX, UINT64_C(1) << 32, UINT64_C(0xFFFFFFFF)};
    for (uint32_t i = 0; i < bvm_get32(data + 12); i++)
        for (size_t field = 0; field < 3; field++)
            for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
                uint8_t *p = data + BVM_HEADER_BYTES + BVM_ENTRY_BYTES * i + 8 * field;
                uint64_t before = bvm_get64(p);
                if (before == values[v])
                    continue;
                bvm_put64(p, values[v]);
                BufvmError e = {0};
                ck_assert_int_eq(load(data, size, &e), BUFVM_INVALID_MODULE);
                bvm_put64(p, before);
            }
    free(data);
}
END_TEST

START_TEST(test_truncation_and_flips)
{
    size_t size;
    uint8_t *data = module_bytes(&size);
    for (size_t i = 0; i < size; i++) {
        BufvmError e = {0};
        ck_assert_int_eq(load(data, i, &e), BUFVM_INVALID_MODULE);
    }
    for (size_t bit = 0; bit < 8 * size; bit++) {
        BufvmError e = {0};
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        BufvmStatus status = load(data, size, &e);
        ck_assert(status == BUFVM_OK ||
                  ((status == BUFVM_INVALID_MODULE || status == BUFVM_VERSION) && e.text[0] && e.offset <= size));
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    free(data);
}
END_TEST

START_TEST(test_failing_allocations)
{
    size_t size, failures = 0;
    uint8_t *data = module_bytes(&size);
    for (int what = 0; what < 3; what++)
        for (size_t at = 1;; at++) {
            Counter c = {.refuse_at = at};
            BufvmAllocator a = {count_realloc, &c};
            BufvmError e = {0};
            void *out = NULL;
            char *listing = NULL;
            size_t n = 0;
            BvmModule m;
            BufvmStatus status;
            if (what == 0) {
                status = bvm_module_read(&a, data, size, 0, &m, &e);
                if (status == BUFVM_OK)
                    bvm_module_free(&m);
            } else if (what == 1) {
                status = bvm_assemble(&a, text, sizeof text - 1, &out, &n, &e);
                count_realloc(&c, out, n, 0);
            } else {
                status = bvm_disassemble(&a, data, size, &listing, &n, &e);
                count_realloc(&c, listing, listing ? n + 1 : 0, 0);
            }
            ck_assert_uint_eq(c.now, 0);
            if (status == BUFVM_OK && c.calls < at)
                break;
            ck_assert_msg(status == BUFVM_OUT_OF_MEMORY, "%d, allocation %zu: %d %s", what, at, (int)status, e.text);
            failures++;
        }
    ck_assert_uint_gt(failures, 40);
    free(data);
}
END_TEST

/* -- a writer that is misused ---------------------------------------------------------- */

static uint64_t two_words[2];

static void odd_splat(BvmWriter *w)
{
    bvm_write_constant(w, "abc", 3, 6, false);
}
static void long_splat(BvmWriter *w)
{
    bvm_write_constant(w, "0123456789abcdef0123456789abcdef", 32, 64, false);
}
static void splat_beyond(BvmWriter *w)
{
    bvm_write_constant(w, "abcd", 4, 2, false);
}
static void rank_65(BvmWriter *w)
{
    static const int64_t dims[65] = {0};
    BvmTypeDesc type = {.kind = 'v', .etype = BVM_I8, .rank = 65, .dims = dims};
    bvm_write_import(w, "f", 1, &type, 0, NULL);
}
static void undeclared(BvmWriter *w)
{
    bvm_write_define(w, 7, &(BvmFunction){.name = "f", .banks = ":"});
}
static void undefined(BvmWriter *w)
{
    bvm_write_declare(w, "f", ":");
}
static void endless_local(BvmWriter *w)
{
    bvm_write_define(w, bvm_write_declare(w, "f", ":"), &(BvmFunction){.name = "f", .banks = ":", .local_bytes = UINT64_MAX});
}
static void no_instruction(BvmWriter *w)
{
    two_words[0] = 0xffff;
    bvm_write_define(w, bvm_write_declare(w, "f", ":"), &(BvmFunction){.name = "f", .banks = ":", .code = two_words, .ncode = 1});
}
static void no_string(BvmWriter *w)
{
    BvmInsn insn = {.row = BVM_OP_unreachable, .wide = {1000}};
    bvm_write_define(w, bvm_write_declare(w, "f", ":"),
                     &(BvmFunction){.name = "f", .banks = ":", .code = two_words, .ncode = (uint32_t)bvm_encode(&insn, two_words)});
}

START_TEST(test_writer_misuse)
{
    static const struct {
        void (*write)(BvmWriter *w);
        BufvmStatus status;
        const char *text;
    } cases[] = {
        {odd_splat, BUFVM_INVALID_ARGUMENT, "1, 2, 4, 8 or 16 bytes"},
        {long_splat, BUFVM_INVALID_ARGUMENT, "1, 2, 4, 8 or 16 bytes"},
        {splat_beyond, BUFVM_INVALID_ARGUMENT, "1, 2, 4, 8 or 16 bytes"},
        {rank_65, BUFVM_INVALID_ARGUMENT, "rank is over 64"},
        {undeclared, BUFVM_INVALID_ARGUMENT, "was not declared"},
        {undefined, BUFVM_INVALID_ARGUMENT, "function 'f' is declared and not defined"},
        {endless_local, BUFVM_LIMIT, "local memory is over 1 TiB"},
        {no_instruction, BUFVM_INVALID_ARGUMENT, "function 'f', word 0: "},
        {no_string, BUFVM_INVALID_ARGUMENT, "function 'f', word 0: a string operand is out of range"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        BvmWriter *w = bvm_writer_new(NULL);
        void *data = w;
        size_t size = 1;
        BufvmError e = {0};
        cases[i].write(w);
        ck_assert_int_eq(bvm_writer_finish(w, &data, &size, &e), cases[i].status);
        ck_assert_msg(strstr(e.text, cases[i].text), "case %zu: %s", i, e.text);
        ck_assert_ptr_null(data);
        ck_assert_uint_eq(size, 0);
        bvm_writer_free(w);
    }
}
END_TEST

/* -- sizes ------------------------------------------------------------------------- */

static size_t peak_of_load(const void *data, size_t size)
{
    BvmModule m;
    BufvmError e = {0};
    Counter c = {0};
    BufvmAllocator a = {count_realloc, &c};
    ck_assert_msg(bvm_module_read(&a, data, size, 0, &m, &e) == BUFVM_OK, "%s", e.text);
    bvm_module_free(&m);
    return c.peak;
}

/* 10^6 functions, all exported, with one long banks text that they share: linear in time and memory. */
START_TEST(test_many_functions)
{
    enum { N = 1000000, ARGS = 200 };
    BvmWriter *w = bvm_writer_new(NULL);
    char *banks = malloc(ARGS + 2);
    memset(banks, 's', ARGS);
    strcpy(banks + ARGS, ":");
    BvmTypeDesc *args = calloc(ARGS, sizeof *args);
    for (size_t i = 0; i < ARGS; i++)
        args[i] = (BvmTypeDesc){.kind = 's', .etype = BVM_I32, .written = "i32"};
    BvmInsn ret = {.row = BVM_OP_ret};
    uint64_t code[2];
    BvmFunction body = {.nscalars = ARGS, .code = code, .ncode = (uint32_t)bvm_encode(&ret, code)};
    for (uint32_t i = 0; i < N; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%u", i);
        bvm_write_define(w, bvm_write_declare(w, name, banks), &body);
    }
    for (uint32_t i = 0; i < 100; i++) { /* the writer's own work is per export */
        char name[16];
        snprintf(name, sizeof name, "e%u", i);
        bvm_write_export(w, name, i, ARGS, args, 0, NULL);
    }
    void *data;
    size_t size;
    BufvmError e = {0};
    ck_assert_msg(bvm_writer_finish(w, &data, &size, &e) == BUFVM_OK, "%s", e.text);
    bvm_writer_free(w);
    ck_assert_uint_le(peak_of_load(data, size), (64u << 20) + 20 * size);
    free(data);
    free(args);
    free(banks);
}
END_TEST

/* Parts are asked for in different orders; the file is the same. */
START_TEST(test_order)
{
    void *data[2];
    size_t size[2];
    for (int k = 0; k < 2; k++) {
        BvmWriter *w = bvm_writer_new(NULL);
        BvmTypeDesc i32 = {.kind = 's', .etype = BVM_I32, .written = "i32"},
                    f32 = {.kind = 's', .etype = BVM_F32, .written = "f32"};
        if (k) { /* strings that nobody uses leave no trace */
            bvm_write_string(w, "zzz", 3);
            bvm_write_string(w, "unused", 6);
        }
        uint32_t f = bvm_write_declare(w, "f", "s:s"), g = bvm_write_declare(w, "g", "s:");
        if (k == 0)
            bvm_write_import(w, "host", 1, &f32, 0, NULL);
        bvm_write_export(w, "f", f, 1, &i32, 1, &i32);
        if (k == 1)
            bvm_write_import(w, "host", 1, &f32, 0, NULL);
        uint64_t code[16];
        uint16_t list[1] = {0};
        BvmInsn trap = {.row = BVM_OP_unreachable}, ret = {.row = BVM_OP_ret, .list = list, .nlist = 1};
        trap.wide[0] = bvm_write_string(w, "boom", 4);
        for (int j = 0; j < 2; j++) {
            BvmFunction body = {.nscalars = 1, .code = code};
            body.ncode = (uint32_t)bvm_encode(j == k ? &ret : &trap, code);
            bvm_write_define(w, j == k ? f : g, &body);
        }
        ck_assert_int_eq(bvm_writer_finish(w, &data[k], &size[k], NULL), BUFVM_OK);
        bvm_writer_free(w);
    }
    ck_assert_uint_eq(size[0], size[1]);
    ck_assert(memcmp(data[0], data[1], size[0]) == 0);
    free(data[0]);
    free(data[1]);
}
END_TEST

/* A chain of calls adds up; siblings share; indirect calls count as their largest target. */
START_TEST(test_need)
{
    static const char source[] =
        ".function @a \":\" local 4096 { call @b () -> ()\n call @c () -> ()\n ret () }\n"
        ".function @b \":\" local 64 { ret () }\n"
        ".function @c \":\" scalars 1 local 4096 { func.ref s0, @d\n call.indirect s0, \":\" () -> ()\n ret () }\n"
        ".function @d \":\" local 8192 { ret () }\n"
        ".function @e \":\" { call @e () -> ()\n call @c () -> ()\n ret () }\n";
    static const uint64_t need[] = {16384, 4096, 12288, 8192, 12288};
    void *data;
    size_t size;
    BufvmError e = {0};
    ck_assert_msg(bvm_assemble(NULL, source, sizeof source - 1, &data, &size, &e) == BUFVM_OK, "%s", e.text);
    BvmModule m;
    ck_assert_int_eq(bvm_module_read(NULL, data, size, 0, &m, NULL), BUFVM_OK);
    for (int i = 0; i < 5; i++)
        ck_assert_uint_eq(m.functions[i].local_need, need[i]);
    ck_assert(m.functions[3].referenced && !m.functions[1].referenced);
    bvm_module_free(&m);
    free(data);
}
END_TEST

/* Random bytes and random splices of real text: an error with a place, or a module. */
START_TEST(test_hostile_text)
{
    uint64_t seed = 1;
    char buffer[sizeof text];
    for (int round = 0; round < 10000; round++) {
        memcpy(buffer, text, sizeof text);
        size_t n = sizeof text - 1;
        for (int k = 0; k < 3; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            size_t from = (size_t)(seed >> 33) % n, to = (size_t)(seed >> 17 & 0xFFFF) % n, len = (size_t)(seed >> 8 & 15);
            if (round % 3 == 0)
                buffer[from] = (char)(seed >> 24);
            else if (from + len < n && to + len < n)
                memmove(buffer + to, text + from, len);
            else
                n = from + 1;
        }
        char *exact = malloc(n);
        memcpy(exact, buffer, n);
        void *data = NULL;
        size_t size = 0;
        BufvmError e = {0};
        BufvmStatus status = bvm_assemble(NULL, exact, n, &data, &size, &e);
        ck_assert(status == BUFVM_OK || (e.text[0] && e.status == status));
        free(data);
        free(exact);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bytecode");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 240);
    tcase_add_test(t, test_rows);
    tcase_add_test(t, test_codec);
    tcase_add_test(t, test_codec_refuses);
    tcase_add_test(t, test_tables);
    tcase_add_test(t, test_versions);
    tcase_add_test(t, test_unknown_section);
    tcase_add_test(t, test_corrupt_fields);
    tcase_add_test(t, test_corrupt_table);
    tcase_add_test(t, test_truncation_and_flips);
    tcase_add_test(t, test_failing_allocations);
    tcase_add_test(t, test_writer_misuse);
    tcase_add_test(t, test_many_functions);
    tcase_add_test(t, test_order);
    tcase_add_test(t, test_need);
    tcase_add_test(t, test_hostile_text);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
