/* Every pair and triple of vm/exec/fused.def: what it leaves in registers and memory, what traps and where, is what its
 * instructions do one by one (moves between them keep them apart), in both dispatch loops.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/bytecode/writer.h"
#include "../../vm/exec/exec.h"
#include "../../vm/exec/fuse.h"

enum { ROUNDS = 60, ARGS = 6, SCALARS = 10, MARK = 8, IDLE = 9, BYTES = 64, MAX_WORDS = 256 };

typedef enum Shape {
    chain,
    raw,
    index_,
    truth,
    against,
    count,
    choose,
    next,
    chain_loop,
    raw_loop,
    count_loop,
    choose_loop,
    past
} Shape;
#define index index_ /* not the function of <strings.h> */

typedef struct Part {
    uint16_t row, etype;
} Part;
typedef struct Case {
    Shape shape;
    unsigned n;
    uint16_t joined;
    Part part[5];
} Case;

static const Case cases[] = {
#define P(a, T)                                                                                                                    \
    {                                                                                                                              \
        BVM_OP_##a, BVM_##T                                                                                                        \
    }
#define PAIR(shape, a, T, b, U)             {shape, 2, HF(a, T, b, U), {P(a, T), P(b, U)}},
#define TRIPLE(shape, a, T, b, U, c, V)     {shape, 3, HF3(a, T, b, U, c, V), {P(a, T), P(b, U), P(c, V)}},
#define FOUR(shape, a, T, b, U, c, V, d, X) {shape, 4, HF4(a, T, b, U, c, V, d, X), {P(a, T), P(b, U), P(c, V), P(d, X)}},
#define FIVE(shape, a, T, b, U, c, V, d, X, e, Y)                                                                                  \
    {shape, 5, HF5(a, T, b, U, c, V, d, X, e, Y), {P(a, T), P(b, U), P(c, V), P(d, X), P(e, Y)}},
#define STEP(a, T, b, U)
#define STEP3(a, T, b, U, c, V)
#define STEP4(a, T, b, U, c, V, d, X)
#include "../../vm/exec/fused.def"
#undef PAIR
#undef STEP
#undef TRIPLE
#undef FOUR
#undef STEP3
#undef STEP4
#undef FIVE
};
#undef index

static uint64_t seed = 20240229;

static uint32_t rnd(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % n);
}

static uint64_t any_value(void)
{
    static const uint64_t values[] = {0,
                                      1,
                                      2,
                                      3,
                                      7,
                                      UINT64_MAX,
                                      INT64_MAX,
                                      (uint64_t)1 << 63,
                                      0x7fffffff,
                                      0x80000000,
                                      0x3f800000,
                                      0xbf800000,
                                      0x7fc00000,
                                      0xffc00001,
                                      0x7f800001,
                                      0x7f800000,
                                      0xff800000,
                                      1,
                                      0x3eaaaaab,
                                      0x40490fdb,
                                      0xffffffff80000000,
                                      0x3ff0000000000000,
                                      0x7ff8000000000000,
                                      0xfff0000000000001,
                                      0x3fd5555555555555,
                                      0x8000000000000000};
    switch (rnd(4)) {
    case 0:
        return rnd(9);
    case 1:
        return values[rnd(sizeof values / sizeof *values)];
    case 2:
        return (uint64_t)(int64_t)(int32_t)(rnd(UINT32_MAX) ^ rnd(UINT32_MAX) << 1);
    default:
        return seed;
    }
}

/* -- programs ------------------------------------------------------------------------------------------ */

typedef struct Program {
    uint64_t code[MAX_WORDS];
    uint32_t n, first; /* first: word of the first part */
    uint32_t labels[5], nlabels;
    BvmLine lines[MAX_WORDS];
    uint32_t nlines;
} Program;

static void put(Program *p, const BvmInsn *insn, uint32_t line)
{
    p->lines[p->nlines++] = (BvmLine){p->n, line, 1};
    if (strchr(bvm_ops[insn->row].kinds, 'l'))
        p->labels[p->nlabels++] = p->n + (uint32_t)bvm_wide_at(insn->row);
    p->n += (uint32_t)bvm_encode(insn, p->code + p->n);
}

static void put_imm(Program *p, unsigned reg, uint64_t value)
{
    put(p, &(BvmInsn){.row = BVM_OP_imm, .regs = {(uint16_t)reg}, .wide = {value}}, 100);
}

static void put_ret(Program *p)
{
    static const uint16_t all[MARK + 1] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    put(p, &(BvmInsn){.row = BVM_OP_ret, .list = all, .nlist = MARK + 1}, 100);
}

static unsigned operands(unsigned row)
{
    unsigned n = 0;
    for (const char *k = bvm_ops[row].kinds; *k; k++)
        n += strchr(BVM_FIELD_KINDS, *k) != NULL;
    return n;
}

static bool commutes(unsigned row)
{
    return row == BVM_OP_addi || row == BVM_OP_muli || row == BVM_OP_xori || row == BVM_OP_andi || row == BVM_OP_ori ||
           row == BVM_OP_addf || row == BVM_OP_mulf || row == BVM_OP_loadx || row == BVM_OP_storex || row == BVM_OP_jeq ||
           row == BVM_OP_jne;
}

/* Field of the second that takes the first's result; -1: none. */
static int linked(Shape shape)
{
    switch (shape) {
    case chain:
    case raw:
    case count:
    case chain_loop:
    case raw_loop:
    case count_loop:
    case choose:
    case choose_loop:
        return 1;
    case index_:
        return 2;
    case truth:
    case against:
        return 0;
    default:
        return -1;
    }
}

static void random_parts(const Case *c, BvmInsn *insns)
{
    for (unsigned i = 0; i < c->n; i++) {
        BvmInsn *insn = &insns[i];
        *insn = (BvmInsn){.row = c->part[i].row, .etype = c->part[i].etype};
        for (unsigned k = 0; k < operands(insn->row); k++)
            insn->regs[k] = (uint16_t)rnd(8);
        for (const char *k = bvm_ops[insn->row].kinds; *k; k++)
            insn->wide[0] = *k == 'i' ? (rnd(3) ? rnd(4) : any_value()) : insn->wide[0];
        if (strchr(bvm_ops[insn->row].kinds, 'b')) /* loads and stores: the second operand */
            insn->regs[1] = 0;
        int k = insns[0].row == BVM_OP_load ? -1 : linked(c->shape);
        if (i == 1 && k >= 0)
            insn->regs[commutes(insn->row) && rnd(2) ? k + 1 : k] = insns[0].regs[0];
    }
    unsigned compare = insns[0].row == BVM_OP_load;
    if (compare && bvm_ops[insns[1].row].form == 'c')
        insns[1].regs[1] = insns[0].regs[0];
    if (c->shape == truth || c->shape == past)
        insns[compare + 1].regs[0] = insns[compare].regs[0];
    if (c->shape == choose || c->shape == choose_loop) {
        insns[compare + 1].regs[1] = insns[compare].regs[0];
        while (c->n > 2 && insns[compare + 1].regs[0] == insns[compare].regs[0])
            insns[compare + 1].regs[0] = (uint16_t)rnd(8);
        if (c->n > 2)
            insns[compare + 2].regs[1] = insns[compare].regs[0];
    }
    while (c->shape == raw_loop && insns[1].regs[0] != insns[0].regs[0]) { /* bits that must not be seen */
        unsigned k = 0;
        while (k < 3 && insns[2].regs[k] != insns[0].regs[0])
            k++;
        if (k == 3)
            break;
        insns[2].regs[k] = (uint16_t)rnd(8);
    }
    insns[0].nan_flag = c->shape == raw || c->shape == raw_loop;
}

static void make_program(Program *p, const Case *c, const BvmInsn *insns, const uint64_t *values, bool apart, bool back)
{
    memset(p, 0, sizeof *p);
    put_imm(p, 6, BYTES);
    put(p, &(BvmInsn){.row = BVM_OP_buffer_alloc, .regs = {0, 6}}, 100);
    for (unsigned i = 0; i < ARGS; i++) {
        put_imm(p, 6, i);
        put(p, &(BvmInsn){.row = BVM_OP_store, .etype = BVM_I64, .regs = {(uint16_t)i, 0, 6}}, 100);
    }
    put_imm(p, 6, values[0]);
    put_imm(p, 7, values[1]);
    put_imm(p, MARK, 0);
    uint32_t loop_end = 0;
    p->first = p->n;
    for (unsigned i = 0; i < c->n; i++) {
        if (c->shape == past && i == 3) {
            put_imm(p, MARK, 3);
            loop_end = p->n;
        }
        put(p, &insns[i], i + 1);
        if (apart)
            put(p, &(BvmInsn){.row = BVM_OP_mov, .regs = {IDLE, IDLE}}, 100);
    }
    bool hidden = insns[0].nan_flag && insns[0].regs[0] != insns[1].regs[0];
    uint32_t away = 0;
    for (unsigned end = 1; end <= 2; end++) {
        put(p, &(BvmInsn){.row = BVM_OP_addi_imm, .etype = BVM_I64, .regs = {MARK, MARK}, .wide = {end}}, 100);
        for (unsigned i = 0; i < 4; i++) { /* what was stored */
            put_imm(p, IDLE, 2 * i);
            put(p, &(BvmInsn){.row = BVM_OP_load, .etype = BVM_I64, .regs = {IDLE, 0, IDLE}}, 100);
            put(p, &(BvmInsn){.row = BVM_OP_xori, .etype = BVM_I64, .regs = {MARK, MARK, IDLE}}, 100);
            put(p, &(BvmInsn){.row = BVM_OP_muli_imm, .etype = BVM_I64, .regs = {MARK, MARK}, .wide = {1000003}}, 100);
        }
        if (hidden)
            put_imm(p, insns[0].regs[0], 0);
        put_ret(p);
        away = end == 1 ? p->n : away;
    }
    for (unsigned i = 0; i < p->nlabels; i++)
        p->code[p->labels[i]] = loop_end && i == 0 ? loop_end : back ? p->first : away;
}

/* -- runs -------------------------------------------------------------------------------------------------- */

typedef struct Outcome {
    BufvmStatus status;
    uint64_t results[MARK + 1], instructions;
    uint32_t line;
    char text[1024];
} Outcome;

static BufvmModule *load_program(Program *p, void **bytes)
{
    BvmWriter *w = bvm_writer_new(NULL);
    BvmTypeDesc i64 = {.kind = 's', .etype = BVM_I64, .written = "i64"}, types[MARK + 1];
    for (unsigned i = 0; i <= MARK; i++)
        types[i] = i64;
    bvm_write_source_name(w, "fused");
    bvm_write_declare(w, "main", "ssssss:sssssssss");
    BvmFunction body = {.nscalars = SCALARS, .nbuffers = 1, .code = p->code, .ncode = p->n, .lines = p->lines, .nlines = p->nlines};
    bvm_write_define(w, 0, &body);
    bvm_write_export(w, "main", 0, ARGS, types, MARK + 1, types);
    size_t size = 0;
    BufvmError error = {0};
    BufvmModule *module = NULL;
    ck_assert_msg(!bvm_writer_finish(w, bytes, &size, &error), "%s", error.text);
    bvm_writer_free(w);
    ck_assert_msg(!bufvm_module_load(*bytes, size, NULL, &module, &error), "%s", error.text);
    return module;
}

static Outcome run(BufvmModule *module, const uint64_t *args, uint32_t twin)
{
    Outcome out = {0};
    BufvmLimits limits = {.switch_dispatch = twin, .fuel = 3000};
    BufvmContext *context = NULL;
    BufvmError error = {0};
    BufvmValue in[ARGS], results[MARK + 1] = {{0}};
    for (unsigned i = 0; i < ARGS; i++)
        in[i] = (BufvmValue){.kind = BUFVM_SCALAR, .elem = BUFVM_I64, .bits = args[i]};
    ck_assert(!bufvm_context_new(module, &limits, NULL, 0, NULL, &context, &error));
    out.status = bufvm_call(context, 0, in, ARGS, results, MARK + 1, &error);
    for (unsigned i = 0; i <= MARK; i++)
        out.results[i] = out.status ? 0 : results[i].bits;
    out.line = out.status == BUFVM_TRAP ? error.line : 0;
    snprintf(out.text, sizeof out.text, "%s", out.status == BUFVM_TRAP ? error.text : "");
    BufvmStatistics statistics;
    bufvm_context_statistics(context, &statistics);
    out.instructions = statistics.instructions;
    bufvm_context_free(context);
    return out;
}

static void name_of(const Case *c, char *text, size_t size)
{
    size_t n = 0;
    for (unsigned i = 0; i < c->n; i++)
        n += (size_t)snprintf(text + n, size - n, "%s.%s ", bvm_ops[c->part[i].row].name, bvm_elem_name(c->part[i].etype));
}

START_TEST(as_one_by_one)
{
    const Case *c = &cases[_i];
    char name[120];
    unsigned finished = 0;
    if (c->part[c->n - 1].row == BVM_OP_call || c->part[c->n - 1].row == BVM_OP_ret) /* tests/cases/scalar_fused.mlir */
        return;
    name_of(c, name, sizeof name);
    for (unsigned round = 0; round < ROUNDS; round++) {
        BvmInsn insns[5];
        Program p;
        uint64_t args[ARGS], values[2] = {any_value(), any_value()};
        Outcome outcome[2][2];
        bool back = rnd(4) == 0;
        for (unsigned i = 0; i < ARGS; i++)
            args[i] = any_value();
        random_parts(c, insns);
        for (unsigned apart = 0; apart < 2; apart++) {
            void *bytes = NULL;
            make_program(&p, c, insns, values, apart, back);
            BufvmModule *module = load_program(&p, &bytes);
            uint16_t handler = (uint16_t)module->codes[0].code[p.first];
            ck_assert_msg(apart ? handler < H_COUNT : handler == c->joined, "%s: handler %u", name, handler);
            for (unsigned twin = 0; twin < 2; twin++)
                outcome[apart][twin] = run(module, args, twin);
            bufvm_module_release(module);
            free(bytes);
        }
        for (unsigned apart = 0; apart < 2; apart++)
            ck_assert_msg(!memcmp(&outcome[apart][0], &outcome[apart][1], sizeof(Outcome)), "%s: goto and switch differ", name);
        const Outcome *together = &outcome[0][0], *alone = &outcome[1][0];
        if (together->status == BUFVM_LIMIT || alone->status == BUFVM_LIMIT)
            continue;
        finished++;
        ck_assert_msg(together->status == alone->status, "%s: status %d, alone %d", name, together->status, alone->status);
        ck_assert_msg(together->line == alone->line && !strcmp(together->text, alone->text), "%s: line %u '%s', alone %u '%s'",
                      name, together->line, together->text, alone->line, alone->text);
        for (unsigned i = 0; i <= MARK; i++)
            ck_assert_msg(together->results[i] == alone->results[i], "%s round %u: s%u is %llx, alone %llx", name, round, i,
                          (unsigned long long)together->results[i], (unsigned long long)alone->results[i]);
    }
    ck_assert_uint_gt(finished, ROUNDS / 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fused");
    TCase *t = tcase_create("pairs and triples");
    tcase_add_loop_test(t, as_one_by_one, 0, (int)(sizeof cases / sizeof *cases));
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
