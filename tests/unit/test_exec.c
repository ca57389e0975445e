/* The interpreter through the public interface: programs in assembly, run by both dispatch loops. */
#include <check.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../vm/bufvm.h"
#include "../../vm/bytecode/module.h"
#include "../../vm/bytecode/opnames.h"
#include "../../vm/memory/endian.h"
#include "../../vm/numeric/numeric.h"

/* -- helpers -------------------------------------------------------------------------------------------- */

static void *module_bytes;

static BufvmModule *load(const char *text)
{
    void *data;
    size_t size;
    BufvmError error;
    BufvmModule *module = NULL;
    ck_assert_msg(!bvm_assemble(NULL, text, strlen(text), &data, &size, &error), "%s", error.text);
    ck_assert_msg(!bufvm_module_load(data, size, NULL, &module, &error), "%s", error.text);
    free(module_bytes);
    module_bytes = data;
    return module;
}

static BufvmContext *context_of(BufvmModule *module, const BufvmLimits *limits, const BufvmImport *imports, size_t n)
{
    BufvmContext *context = NULL;
    BufvmError error;
    ck_assert_msg(!bufvm_context_new(module, limits, imports, n, NULL, &context, &error), "%s", error.text);
    return context;
}

static uint32_t find(BufvmModule *module, const char *name)
{
    uint32_t number = 0;
    ck_assert_msg(bufvm_module_find(module, name, &number), "no export %s", name);
    return number;
}

static BufvmValue scalar(BufvmElem elem, uint64_t bits)
{
    return (BufvmValue){.kind = BUFVM_SCALAR, .elem = elem, .bits = bits};
}
#define I64(x) scalar(BUFVM_I64, (uint64_t)(x))

/* Calls @main with i64 arguments; returns the first result. */
static BufvmStatus run(BufvmModule *module, const BufvmLimits *limits, const BufvmValue *args, size_t nargs, uint64_t *result,
                       BufvmError *error)
{
    BufvmContext *context = context_of(module, limits, NULL, 0);
    uint32_t number = find(module, "main");
    size_t n = bufvm_module_export(module, number)->nresults;
    BufvmValue results[4];
    for (size_t i = 0; i < n; i++)
        results[i].kind = BUFVM_NOTHING;
    BufvmStatus status = bufvm_call(context, number, args, nargs, results, n, error);
    if (!status && n && result)
        *result = results[0].bits;
    for (size_t i = 0; i < n; i++)
        bufvm_value_release(&results[i]);
    BufvmStatistics statistics;
    bufvm_context_statistics(context, &statistics);
    ck_assert_uint_eq(statistics.leaked_buffers, 0);
    bufvm_context_free(context);
    return status;
}

/* The same text by both loops. */
static uint64_t value_of(const char *text, const BufvmValue *args, size_t nargs)
{
    uint64_t value[2] = {0, 0};
    BufvmModule *module = load(text);
    for (int twin = 0; twin < 2; twin++) {
        BufvmLimits limits = {.switch_dispatch = twin};
        BufvmError error = {0};
        BufvmStatus status = run(module, &limits, args, nargs, &value[twin], &error);
        ck_assert_msg(!status, "%s", error.text);
    }
    ck_assert_uint_eq(value[0], value[1]);
    bufvm_module_release(module);
    return value[0];
}

static void expect_failure(const char *text, const BufvmLimits *base, const BufvmValue *args, size_t nargs, BufvmStatus want,
                           const char *message)
{
    BufvmModule *module = load(text);
    for (int twin = 0; twin < 2; twin++) {
        BufvmLimits limits = base ? *base : (BufvmLimits){0};
        limits.switch_dispatch = twin;
        BufvmError error = {0};
        BufvmStatus status = run(module, &limits, args, nargs, NULL, &error);
        ck_assert_msg(status == want, "status %s, text %s", bufvm_status_name(status), error.text);
        ck_assert_msg(strstr(error.text, message), "got '%s', wanted '%s'", error.text, message);
        if (want == BUFVM_TRAP)
            ck_assert_str_eq(error.function, "main");
    }
    bufvm_module_release(module);
}

/* -- control ------------------------------------------------------------------------------------------- */

START_TEST(recursion)
{
    const char *text = ".function @main \"s:s\" scalars 4 buffers 0 {\n"
                       "  imm s1, 2\n  jsge.i64 s0, s1, L0\n  ret (s0)\nL0:\n"
                       "  addi.imm.i64 s2, s0, -1\n  call @main (s2) -> (s2)\n"
                       "  addi.imm.i64 s3, s0, -2\n  call @main (s3) -> (s3)\n"
                       "  addi.i64 s0, s2, s3\n  ret (s0)\n}\n"
                       ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    BufvmValue n = I64(20);
    ck_assert_uint_eq(value_of(text, &n, 1), 6765);
    BufvmLimits shallow = {.call_depth = 10};
    expect_failure(text, &shallow, &n, 1, BUFVM_LIMIT, "call depth is 10");
    BufvmLimits small = {.stack = 300};
    BufvmModule *module = load(text);
    BufvmContext *context = NULL;
    BufvmError error;
    BufvmStatus status = bufvm_context_new(module, &small, NULL, 0, NULL, &context, &error);
    ck_assert_int_eq(status, BUFVM_LIMIT);
    ck_assert(strstr(error.text, "limit 300"));
    bufvm_module_release(module);
    BufvmLimits fuel = {.fuel = 1000};
    expect_failure(text, &fuel, &n, 1, BUFVM_LIMIT, "limit of 1000 instructions");
}
END_TEST

START_TEST(deep_recursion_grows_the_stack)
{
    const char *text = ".function @main \"s:s\" scalars 40 buffers 2 {\n"
                       "  imm s1, 8\n  jz s0, L0\n  buffer.alloc b0, s1, 0\n"
                       "  addi.imm.i64 s2, s0, -2\n  call @main (s2) -> (s3)\n  addi.imm.i64 s3, s3, 1\n  ret (s3)\n"
                       "L0:\n  jne.i64 s0, s39, L1\n  ret (s0)\nL1:\n"
                       "  addi.imm.i64 s2, s0, -2\n  call @main (s2) -> (s3)\n  addi.imm.i64 s3, s3, 1\n  ret (s3)\n}\n"
                       ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    BufvmValue n = I64(18000);
    ck_assert_uint_eq(value_of(text, &n, 1), 9000);
    BufvmLimits stack = {.stack = 1 << 20};
    expect_failure(text, &stack, &n, 1, BUFVM_LIMIT, "limit 1048576");
}
END_TEST

#define LOOP_TEXT                                                                                                                  \
    ".function @main \"s:s\" scalars 4 buffers 0 {\n"                                                                              \
    "  imm s2, 1\n"                                                                                                                \
    "L0:\n  addi.i64 s1, s1, s3\n  xori.i64 s1, s1, s3\n  loop.i64 s3, s2, s0, L0\n  ret (s1)\n}\n"                                \
    ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n"

START_TEST(loops_and_fuel)
{
    BufvmValue n = I64(1000);
    uint64_t want = 0;
    for (uint64_t i = 0; i < 1000; i++)
        want = (want + i) ^ i;
    ck_assert_uint_eq(value_of(LOOP_TEXT, &n, 1), want);
    BufvmLimits fuel = {.fuel = 50};
    expect_failure(LOOP_TEXT, &fuel, &n, 1, BUFVM_LIMIT, "fuel");
    expect_failure(".function @main \":\" scalars 0 buffers 0 {\nL0:\n  jmp L0\n}\n.export @main = @main () -> ()\n", &fuel, NULL,
                   0, BUFVM_LIMIT, "fuel");
}
END_TEST

START_TEST(switches)
{
    const char *text = ".function @main \"s:s\" scalars 2 buffers 0 {\n"
                       "  switch.i64 s0, -1, 2\n  jmp L1\n  jmp L2\n  jmp L3\n"
                       "L1:\n  imm s1, 10\n  ret (s1)\nL2:\n  imm s1, 20\n  ret (s1)\nL3:\n  imm s1, 30\n  ret (s1)\n}\n"
                       ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    const int64_t in[] = {-1, 0, 1, 77, INT64_MIN, INT64_MAX};
    const uint64_t want[] = {10, 20, 30, 30, 30, 30};
    for (size_t i = 0; i < 6; i++) {
        BufvmValue n = I64(in[i]);
        ck_assert_uint_eq(value_of(text, &n, 1), want[i]);
    }
}
END_TEST

/* -- traps --------------------------------------------------------------------------------------------- */

#define ONE(body, scalars, buffers)                                                                                                \
    ".function @main \"s:s\" scalars " #scalars " buffers " #buffers " {\n  .line 7:3\n" body "  ret (s0)\n}\n"                    \
    ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n"

START_TEST(traps_say_why)
{
    BufvmValue seven = I64(7), minus = I64(-1), huge = I64(INT64_C(1) << 62), zero = I64(0);
    const char *index = ONE("  check.index.imm.i64 s0, 0, 4\n", 1, 0);
    expect_failure(index, NULL, &seven, 1, BUFVM_TRAP, "index 7 out of bounds for dimension 0 of size 4");
    expect_failure(index, NULL, &minus, 1, BUFVM_TRAP, "index -1 out of bounds for dimension 0 of size 4");
    expect_failure(ONE("  divsi.i64 s0, s0, s1\n", 2, 0), NULL, &seven, 1, BUFVM_TRAP, "integer division by zero");
    expect_failure(ONE("  assert s1, \"all is \\22well\\22\"\n", 2, 0), NULL, &seven, 1, BUFVM_TRAP, "all is \"well\"");
    expect_failure(ONE("  imm s1, 16\n  buffer.alloc b0, s1, 0\n  load.i32 s0, b0, s0\n", 2, 1), NULL, &seven, 1, BUFVM_TRAP,
                   "index 7 out of bounds for a buffer of 4 elements");
    const char *memory[] = {ONE("  imm s1, 16\n  buffer.alloc b0, s1, 0\n  load.i32 s0, b0, s0\n", 2, 1),
                            ONE("  imm s1, 16\n  buffer.alloc b0, s1, 0\n  store.i32 s0, b0, s0\n", 2, 1),
                            ONE("  imm s1, 16\n  buffer.alloc b0, s1, 0\n  loadx.f64 s0, b0, s0, s2\n", 3, 1),
                            ONE("  imm s1, 16\n  buffer.alloc b0, s1, 0\n  storex.i8 s0, b0, s0, s2\n", 3, 1)};
    for (size_t i = 0; i < 4; i++) {
        expect_failure(memory[i], NULL, &minus, 1, BUFVM_TRAP, "out of bounds");
        expect_failure(memory[i], NULL, &huge, 1, BUFVM_TRAP, "out of bounds");
    }
    expect_failure(ONE("  load.i32 s0, b0, s0\n", 1, 1), NULL, &zero, 1, BUFVM_TRAP, "null buffer");
    expect_failure(ONE("  buffer.dealloc b0\n", 1, 1), NULL, &zero, 1, BUFVM_TRAP, "null buffer");
    expect_failure(
        ONE("  imm s1, 16\n  buffer.alloc b0, s1, 0\n  buffer.mov b1, b0\n  buffer.dealloc b0\n  buffer.dealloc b1\n", 2, 2), NULL,
        &zero, 1, BUFVM_TRAP, "deallocated before");
    expect_failure(
        ONE("  imm s1, 16\n  buffer.alloc b0, s1, 0\n  imm s1, 8\n  buffer.view b0, b0, s0, s1\n  buffer.dealloc b0\n", 2, 1), NULL,
        &zero, 1, BUFVM_TRAP, "dealloc of a view");
    expect_failure(ONE("  imm s1, 16\n  buffer.alloc b0, s1, 0\n  buffer.view b0, b0, s0, s1\n", 2, 1), NULL, &seven, 1, BUFVM_TRAP,
                   "view of 16 bytes at offset 7");
    expect_failure(ONE("  buffer.alloc b0, s0, 0\n", 1, 1), NULL, &minus, 1, BUFVM_TRAP, "negative size -1");
    expect_failure(ONE("  unreachable \"never here\"\n", 1, 0), NULL, &zero, 1, BUFVM_TRAP, "never here");
    expect_failure(ONE("  call.indirect s0, \"s:s\" (s0) -> (s0)\n", 1, 0), NULL, &seven, 1, BUFVM_TRAP, "indirect call");
    expect_failure(ONE("  check.equal.i64 s0, s1, \"sizes differ\"\n", 2, 0), NULL, &seven, 1, BUFVM_TRAP, "sizes differ: 7 and 0");
    expect_failure(ONE("  check.size.i64 s0, \"negative\"\n", 1, 0), NULL, &minus, 1, BUFVM_TRAP, "negative: -1");
    const char *read_only =
        ".constant k0 8 data { 0011223344556677 }\n" ONE("  buffer.const b0, k0\n  store.i8 s0, b0, s0\n", 1, 1);
    expect_failure(read_only, NULL, &zero, 1, BUFVM_TRAP, "read-only");
    const char *constant = ".constant k0 8 data { 0011223344556677 }\n" ONE("  buffer.const b0, k0\n  buffer.dealloc b0\n", 1, 1);
    expect_failure(constant, NULL, &zero, 1, BUFVM_TRAP, "dealloc of a constant or global");
}
END_TEST

START_TEST(trap_names_the_line)
{
    BufvmModule *module = load(ONE("  .line 7:3\n  imm s1, 0\n  .line 9:5\n  remui.i32 s0, s0, s1\n  .line 11:1\n", 2, 0));
    BufvmError error;
    BufvmValue n = I64(1);
    ck_assert_int_eq(run(module, NULL, &n, 1, NULL, &error), BUFVM_TRAP);
    ck_assert_uint_eq(error.line, 9);
    ck_assert_uint_eq(error.col, 5);
    bufvm_module_release(module);
}
END_TEST

START_TEST(memory_limits)
{
    BufvmValue n = I64(1 << 20);
    const char *text = ONE("  buffer.alloc b0, s0, 0\n", 1, 1);
    BufvmLimits memory = {.memory = 100000}, one = {.allocation = 5000};
    expect_failure(text, &memory, &n, 1, BUFVM_LIMIT, "100000");
    expect_failure(text, &one, &n, 1, BUFVM_LIMIT, "1048576 bytes: the limit for one allocation is 5000");
    /* a loop that allocates runs in constant memory */
    const char *loop = ".function @main \"s:s\" scalars 4 buffers 1 {\n  imm s1, 1000\n  imm s2, 1\n"
                       "L0:\n  buffer.alloc b0, s1, 0\n  loop.i64 s3, s2, s0, L0\n  ret (s3)\n}\n"
                       ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    BufvmModule *module = load(loop);
    BufvmContext *context = context_of(module, &memory, NULL, 0);
    BufvmValue times = I64(200000), result = {0};
    BufvmError error;
    ck_assert_msg(!bufvm_call(context, 0, &times, 1, &result, 1, &error), "%s", error.text);
    BufvmStatistics s;
    bufvm_context_statistics(context, &s);
    ck_assert_uint_ge(s.allocations, 200000);
    ck_assert_uint_lt(s.bytes_peak, 5000);
    bufvm_context_free(context);
    bufvm_module_release(module);
}
END_TEST

START_TEST(local_memory)
{
    const char *text =
        ".function @leaf \"s:s\" scalars 3 buffers 1 local 128 {\n"
        "  buffer.local b0, 64, 64\n  imm s1, 7\n  load.i64 s2, b0, s1\n  store.i64 s0, b0, s1\n  local.size s1\n  ret (s1)\n}\n"
        ".function @main \"s:s\" scalars 4 buffers 1 local 64 {\n"
        "  buffer.local b0, 0, 64\n  imm s1, 42\n  store.i64 s1, b0, s2\n  call @leaf (s0) -> (s3)\n"
        "  load.i64 s1, b0, s2\n  local.size s2\n  subi.i64 s2, s2, s3\n  muli.imm.i64 s2, s2, 1000\n  addi.i64 s0, s1, s2\n  ret "
        "(s0)\n}\n"
        ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    BufvmValue n = I64(9);
    ck_assert_uint_eq(value_of(text, &n, 1), 64042);
    BufvmLimits small = {.local_memory = 2048};
    expect_failure(text, &small, &n, 1, BUFVM_LIMIT, "function @main needs 4096 bytes of local memory, 2048 available");
}
END_TEST

/* -- every elementwise row ------------------------------------------------------------------------------- */

typedef struct Builder {
    uint64_t code[4096];
    uint32_t n;
} Builder;

static void emit(Builder *b, unsigned row, unsigned etype, unsigned r0, unsigned r1, unsigned r2, unsigned r3, const uint64_t *wide)
{
    BvmInsn insn = {
        .row = (uint16_t)row, .etype = (uint16_t)etype, .regs = {(uint16_t)r0, (uint16_t)r1, (uint16_t)r2, (uint16_t)r3}};
    if (wide)
        insn.wide[0] = *wide;
    b->n += (uint32_t)bvm_encode(&insn, b->code + b->n);
}

static void emit_ret(Builder *b, uint16_t r)
{
    BvmInsn insn = {.row = BVM_OP_ret, .list = &r, .nlist = 1};
    b->n += (uint32_t)bvm_encode(&insn, b->code + b->n);
}

static const uint64_t samples[] = {0,
                                   1,
                                   2,
                                   3,
                                   0x7f,
                                   0x80,
                                   0xff,
                                   0x3c00,
                                   0x3f80,
                                   0x7fff,
                                   0x8000,
                                   0xffff,
                                   0x3f800000,
                                   0x40490fdb,
                                   0xbf000000,
                                   0x7f800000,
                                   0x7fc00001,
                                   0x80000000,
                                   0x7fffffff,
                                   0x3ff0000000000000,
                                   0xc008000000000000,
                                   0x7ff8000000000001,
                                   0x8000000000000000,
                                   0x7fffffffffffffff,
                                   0xffffffffffffffff,
                                   0x7ff0000000000000};
enum { NSAMPLES = sizeof samples / sizeof *samples };

static uint64_t slot_of_type(unsigned etype, uint64_t bits)
{
    unsigned width = bvm_elem_bits(etype);
    return bvm_elem_class(etype) == 'I' && width > 1 ? (uint64_t)num_sext(bits, width) : num_zext(bits, width);
}

/* One function per case: operands in s0..s2 by immediates, the scalar form into s3, the tile form into lanes, s4 its last lane. */
static void build_case(Builder *b, unsigned row, unsigned etype, unsigned dest, const uint64_t *x, bool tile,
                       const unsigned *operand_types, unsigned noperands, unsigned result_type)
{
    b->n = 0;
    for (unsigned i = 0; i < noperands; i++)
        emit(b, BVM_OP_imm, 0, i, 0, 0, 0, &x[i]);
    bool conversion = bvm_ops[row].form == 'x';
    if (!tile) {
        emit(b, row, etype, 3, 0, conversion ? dest : 1, 2, NULL);
    } else {
        uint64_t three = 3;
        emit(b, BVM_OP_imm, 0, 4, 0, 0, 0, &three);
        for (unsigned i = 0; i < noperands; i++)
            emit(b, BVM_OP_t_splat, operand_types[i], i, i, 0, 0, NULL);
        emit(b, row + BVM_TILE, etype, 3, 0, conversion ? dest : 1, 2, NULL);
        emit(b, BVM_OP_t_extract, result_type, 3, 3, 4, 0, NULL);
    }
    emit_ret(b, 3);
}

static void check_row(unsigned row, unsigned etype, unsigned dest)
{
    const BvmOpInfo *info = &bvm_ops[row];
    BvmInsn probe = {.row = (uint16_t)(row + BVM_TILE), .etype = (uint16_t)etype, .regs = {3, 0, (uint16_t)dest, 0}};
    unsigned noperands = info->form == '1' || info->form == 'p' || info->form == 'x' ? 1
                         : info->form == '3' || info->form == '?'                    ? 3
                                                                                     : 2;
    unsigned types[3], result = bvm_tile_elem(&probe, 0);
    for (unsigned i = 0; i < noperands; i++)
        types[i] = bvm_tile_elem(&probe, i + 1);
    bool tiles = bvm_tile_storage(result) == result && bvm_tile_storage(etype) == etype; /* storage formats have no t.extract */
    BvmWriter *w = bvm_writer_new(NULL);
    BvmTypeDesc out = {.kind = 's', .etype = BVM_I64, .written = "i64"};
    static Builder b;
    uint64_t want[NSAMPLES];
    bool traps[NSAMPLES];
    unsigned n = 0;
    char name[32];
    for (unsigned i = 0; i < NSAMPLES; i++, n++) {
        uint64_t x[3];
        for (unsigned k = 0; k < noperands; k++)
            x[k] = slot_of_type(types[k], samples[(i * (k + 1) + 5 * k) % NSAMPLES]);
        want[i] = 0;
        traps[i] = !num_eval(row, etype, dest, x[0], x[1], x[2], &want[i]);
        for (int tile = 0; tile <= tiles; tile++) {
            build_case(&b, row, etype, dest, x, tile, types, noperands, result);
            BvmTileDecl decl[4] = {{(uint8_t)types[0], 4, true},
                                   {(uint8_t)types[noperands > 1], 4, true},
                                   {(uint8_t)types[noperands - 1], 4, true},
                                   {(uint8_t)result, 4, true}};
            snprintf(name, sizeof name, "f%u_%d", i, tile);
            uint32_t f = bvm_write_declare(w, name, ":s");
            BvmFunction body = {
                .name = name, .banks = ":s", .nscalars = 5, .ntiles = tile ? 4 : 0, .tiles = decl, .code = b.code, .ncode = b.n};
            bvm_write_define(w, f, &body);
            bvm_write_export(w, name, f, 0, NULL, 1, &out);
        }
    }
    void *data;
    size_t size;
    BufvmError error = {0};
    ck_assert_msg(!bvm_writer_finish(w, &data, &size, &error), "%s", error.text);
    bvm_writer_free(w);
    BufvmModule *module;
    ck_assert_msg(!bufvm_module_load(data, size, NULL, &module, &error), "%s of %s: %s", info->name, bvm_elem_name(etype),
                  error.text);
    for (int twin = 0; twin < 2; twin++) {
        BufvmLimits limits = {.switch_dispatch = twin};
        BufvmContext *context = context_of(module, &limits, NULL, 0);
        for (unsigned i = 0; i < n; i++)
            for (int tile = 0; tile <= tiles; tile++) {
                BufvmValue r = {0};
                snprintf(name, sizeof name, "f%u_%d", i, tile);
                BufvmStatus status = bufvm_call(context, find(module, name), NULL, 0, &r, 1, &error);
                if (traps[i]) {
                    ck_assert_int_eq(status, BUFVM_TRAP);
                    continue;
                }
                ck_assert_msg(!status, "%s", error.text);
                ck_assert_msg(r.bits == want[i], "%s%s.%s dest %u sample %u: got %" PRIx64 " want %" PRIx64, tile ? "t." : "",
                              info->name, bvm_elem_name(etype), dest, i, r.bits, want[i]);
            }
        bufvm_context_free(context);
    }
    bufvm_module_release(module);
    free(data);
}

static void check_conversions(unsigned row, unsigned etype)
{
    for (unsigned dest = BVM_I1; dest <= BVM_F4E2M1FN; dest++) {
        uint64_t ignored;
        if (num_eval(row, etype, dest, 1, 0, 0, &ignored))
            check_row(row, etype, dest);
    }
}

START_TEST(every_elementwise_row)
{
    unsigned row = (unsigned)_i;
    if (!bvm_ops[row].name || !bvm_ops[row].form)
        return;
    for (unsigned etype = BVM_I1; etype <= BVM_F4E2M1FN; etype++) {
        if (!(bvm_ops[row].etypes >> etype & 1))
            continue;
        if (bvm_ops[row].form == 'x')
            check_conversions(row, etype);
        else
            check_row(row, etype, 0);
    }
}
END_TEST

/* -- strips -------------------------------------------------------------------------------------------------- */

static void put_float(uint8_t *p, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bvm_put32(p, bits);
}

START_TEST(strips)
{
    /* registers: b0 s0(dim) s? : the size of each view comes as a slot */
    const char *text =
        ".function @main \"bsbs:s\" scalars 8 buffers 2 {\n"
        "  .tile t0 f32 16\n  .tile t1 f32 16\n"
        "  imm16 s2, 1\n  strip s3, s0, 16, L1\n"
        "L0:\n  t.load.f32 t0, b0, s3, s2\n  t.mulf.f32 t1, t0, t0\n  t.addf.f32 t1, t1, t0\n  t.store.f32 t1, b1, s3, s2\n"
        "  strip.next s3, L0\nL1:\n  ret (s3)\n}\n"
        ".export @main = @main (v f32 memref [?] \"memref<?xf32>\", v f32 memref [?] \"memref<?xf32>\") -> (s i64 \"i64\")\n";
    BufvmModule *module = load(text);
    for (int twin = 0; twin < 2; twin++) {
        BufvmLimits limits = {.switch_dispatch = twin};
        BufvmContext *context = context_of(module, &limits, NULL, 0);
        for (int n = 0; n < 70; n++) {
            float in[80];
            uint8_t in_bytes[320], out_bytes[320];
            for (int i = 0; i < 80; i++) {
                in[i] = (float)i * 0.37f - 3;
                put_float(in_bytes + 4 * i, in[i]);
                put_float(out_bytes + 4 * i, -1);
            }
            BufvmValue args[2] = {{.kind = BUFVM_VIEW}, {.kind = BUFVM_VIEW}}, result = {0};
            BufvmError error;
            for (int k = 0; k < 2; k++) {
                ck_assert(!bufvm_buffer_wrap(NULL, k ? out_bytes : in_bytes, sizeof in_bytes, k == 0, NULL, NULL,
                                             &args[k].view.buffer, &error));
                args[k].view.elem = BUFVM_F32;
                args[k].view.rank = 1;
                args[k].view.dims[0] = n;
            }
            ck_assert_msg(!bufvm_call(context, 0, args, 2, &result, 1, &error), "%s", error.text);
            ck_assert_uint_eq(result.bits, (uint64_t)n);
            for (int i = 0; i < 80; i++) {
                volatile float square = in[i] * in[i];
                uint8_t want[4];
                put_float(want, i < n ? square + in[i] : -1.0f);
                ck_assert(memcmp(out_bytes + 4 * i, want, 4) == 0);
            }
            bufvm_value_release(&args[0]);
            bufvm_value_release(&args[1]);
        }
        bufvm_context_free(context);
    }
    bufvm_module_release(module);
}
END_TEST

/* A tile keeps what was loaded though the memory under it changes before its last use. */
START_TEST(strip_loads_are_values)
{
    const char *text =
        ".function @main \"s:s\" scalars 12 buffers 2 {\n"
        "  .tile t0 i64 16\n  .tile t1 i64 16\n  .tile t2 i64 16\n"
        "  imm s1, 200\n  buffer.alloc b0, s1, 0\n  buffer.alloc b1, s1, 0\n  imm16 s2, 1\n  imm s4, 12\n  imm s5, 0\n"
        "L3:\n  muli.i64 s6, s5, s5\n  store.i64 s6, b0, s5\n  loop.i64 s5, s2, s4, L3\n"
        "  strip s3, s4, 16, L1\n"
        "L0:\n  t.load.i64 t0, b0, s3, s2\n  t.load.i64 t2, b0, s3, s2\n  t.addi.i64 t1, t2, t2\n  t.store.i64 t1, b0, s2, s2\n"
        "  t.addi.i64 t1, t0, t0\n  t.store.i64 t1, b1, s3, s2\n  strip.next s3, L0\nL1:\n"
        "  imm s5, 0\nL4:\n  load.i64 s6, b1, s5\n  muli.imm.i64 s7, s7, 7\n  addi.i64 s7, s7, s6\n  loop.i64 s5, s2, s4, L4\n"
        "  load.i64 s6, b0, s4\n  addi.i64 s7, s7, s6\n  ret (s7)\n}\n"
        ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    uint64_t want = 0;
    for (uint64_t i = 0; i < 12; i++)
        want = want * 7 + 2 * i * i;
    BufvmValue zero = I64(0);
    ck_assert_uint_eq(value_of(text, &zero, 1), want + 2 * 121);
}
END_TEST

/* t.dest never moves a full tile, which is not in the strips' area. */
START_TEST(full_tiles_stay)
{
    const char *text =
        ".function @main \"s:s\" scalars 6 buffers 1 {\n"
        "  .tile t0 i64 16 full\n  .tile t1 i64 16\n"
        "  imm s1, 200\n  buffer.alloc b0, s1, 0\n  imm16 s2, 1\n  imm s4, 12\n  imm16 s5, 77\n  t.splat.i64 t0, s5\n"
        "  strip s3, s4, 16, L1\n"
        "L0:\n  t.iota.i64 t1, s3, s2\n  t.dest.i64 t0, b0, s3, s2\n  strip.next s3, L0\nL1:\n"
        "  imm16 s5, 2\n  t.extract.i64 s0, t0, s5\n  ret (s0)\n}\n"
        ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    BufvmValue zero = I64(0);
    ck_assert_uint_eq(value_of(text, &zero, 1), 77);
}
END_TEST

/* What t.store writes are the lanes that the tile had, wherever t.dest has put them: `first` and `step` are the t.store's, the
   t.dest is of element 0. */
static uint64_t stored_beside_dest(int first, int step)
{
    char text[1024];
    snprintf(text, sizeof text,
             ".function @main \"s:s\" scalars 12 buffers 1 {\n"
             "  .tile t0 i64 16\n"
             "  imm s1, 256\n  buffer.alloc b0, s1, 0\n  imm16 s2, 1\n  imm s4, 12\n  imm16 s5, %d\n  imm16 s6, %d\n"
             "  imm s7, 100\n  strip s3, s4, 16, L1\n"
             "L0:\n  t.dest.i64 t0, b0, s3, s2\n  t.iota.i64 t0, s7, s2\n  t.store.i64 t0, b0, s5, s6\n  strip.next s3, L0\n"
             "L1:\n  imm s8, 0\nL2:\n  load.i64 s9, b0, s5\n  muli.imm.i64 s10, s10, 3\n  addi.i64 s10, s10, s9\n"
             "  addi.i64 s5, s5, s6\n  loop.i64 s8, s2, s4, L2\n  ret (s10)\n}\n"
             ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n",
             first, step);
    BufvmValue zero = I64(0);
    return value_of(text, &zero, 1);
}

START_TEST(stores_beside_dest)
{
    uint64_t want = 0;
    for (uint64_t i = 0; i < 12; i++)
        want = want * 3 + 100 + i;
    ck_assert_uint_eq(stored_beside_dest(0, 1), want); /* as vmc writes it */
    ck_assert_uint_eq(stored_beside_dest(1, 1), want); /* lanes overlap elements */
    ck_assert_uint_eq(stored_beside_dest(0, 2), want); /* the first element is right, the others are not */
    ck_assert_uint_eq(stored_beside_dest(1, 2), want);
    ck_assert_uint_eq(stored_beside_dest(11, -1), want);
    ck_assert_uint_eq(stored_beside_dest(12, 1), want);
}
END_TEST

START_TEST(indirect_calls)
{
    const char *text = ".function @square \"s:s\" scalars 1 buffers 0 {\n  muli.i64 s0, s0, s0\n  ret (s0)\n}\n"
                       ".function @other \"ss:s\" scalars 2 buffers 0 {\n  ret (s1)\n}\n"
                       ".function @main \"s:s\" scalars 3 buffers 0 {\n  func.ref s1, @square\n  func.ref s2, @other\n"
                       "  jz s0, L0\n  call.indirect s1, \"s:s\" (s0) -> (s0)\n  ret (s0)\n"
                       "L0:\n  call.indirect s2, \"s:s\" (s0) -> (s0)\n  ret (s0)\n}\n"
                       ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    BufvmValue n = I64(9), zero = I64(0);
    ck_assert_uint_eq(value_of(text, &n, 1), 81);
    expect_failure(text, NULL, &zero, 1, BUFVM_TRAP, "@other has registers ss:s, the call passes s:s");
}
END_TEST

/* The first failing lane in loop order is the one reported, though a later instruction fails in an earlier lane. */
START_TEST(strip_traps_in_loop_order)
{
    const char *text = ".function @main \"s:s\" scalars 8 buffers 2 {\n"
                       "  .tile t0 i64 16\n  .tile t1 i64 16\n  .tile t2 i64 16\n"
                       "  imm s1, 80\n  buffer.alloc b0, s1, 0\n  imm s1, 48\n  buffer.alloc b1, s1, 0\n"
                       "  imm16 s2, 1\n  imm s4, 12\n  strip s3, s4, 16, L1\n"
                       "L0:\n  t.iota.i64 t0, s3, s2\n  t.gather.i64 t1, b0, t0\n  t.gather.i64 t2, b1, t0\n"
                       "  t.addi.i64 t1, t1, t2\n  t.store.i64 t1, b0, s3, s2\n  strip.next s3, L0\nL1:\n  ret (s3)\n}\n"
                       ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    BufvmValue zero = I64(0);
    expect_failure(text, NULL, &zero, 1, BUFVM_TRAP, "index 6 out of bounds for a buffer of 6 elements");
}
END_TEST

/* -- grids --------------------------------------------------------------------------------------------------- */

#define GRID_TEXT                                                                                                                  \
    ".function @work \"bs:\" scalars 6 buffers 2 local 64 {\n"                                                                     \
    "  buffer.local b1, 0, 64\n  imm s2, 0\n  store.i64 s0, b1, s2\n  imm s3, 1\n  imm s4, 1000\n"                                 \
    "L0:\n  load.i64 s1, b1, s2\n  addi.i64 s1, s1, s0\n  store.i64 s1, b1, s2\n  loop.i64 s5, s3, s4, L0\n"                       \
    "  load.i64 s1, b1, s2\n  store.i64 s1, b0, s0\n  ret ()\n}\n"

START_TEST(grids)
{
    const char *text = GRID_TEXT ".function @main \"s:s\" scalars 8 buffers 1 {\n"
                                 "  muli.imm.i64 s1, s0, 8\n  buffer.alloc b0, s1, 0\n  grid @work, s0 (b0)\n"
                                 "  imm s2, 1\nL0:\n  load.i64 s4, b0, s3\n  muli.imm.i64 s5, s5, 31\n  addi.i64 s5, s5, s4\n"
                                 "  loop.i64 s3, s2, s0, L0\n  ret (s5)\n}\n"
                                 ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    BufvmModule *module = load(text);
    const uint32_t threads[] = {1, 2, 7};
    uint64_t want = 0;
    for (uint64_t i = 0; i < 200; i++)
        want = want * 31 + 1001 * i;
    for (int k = 0; k < 6; k++) {
        BufvmLimits limits = {.threads = threads[k % 3], .switch_dispatch = k / 3};
        BufvmError error = {0};
        BufvmValue n = I64(200);
        uint64_t got;
        ck_assert_msg(!run(module, &limits, &n, 1, &got, &error), "%s", error.text);
        ck_assert_uint_eq(got, want);
    }
    bufvm_module_release(module);
}
END_TEST

START_TEST(lowest_workgroup_is_reported)
{
    const char *text = ".function @work \"s:\" scalars 4 buffers 0 {\n"
                       "  imm s1, 13\n  .line 3:9\n  remui.i64 s2, s0, s1\n  imm s1, 11\n  jne.i64 s2, s1, L0\n  "
                       "check.index.imm.i64 s0, 0, 5\nL0:\n  ret ()\n}\n"
                       ".function @main \"s:s\" scalars 2 buffers 0 {\n  grid @work, s0 ()\n  ret (s0)\n}\n"
                       ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    BufvmModule *module = load(text);
    for (uint32_t threads = 1; threads < 6; threads++) {
        BufvmLimits limits = {.threads = threads};
        BufvmError error = {0};
        BufvmValue n = I64(5000);
        ck_assert_int_eq(run(module, &limits, &n, 1, NULL, &error), BUFVM_TRAP);
        ck_assert_str_eq(error.text, "index 11 out of bounds for dimension 0 of size 5");
        ck_assert_str_eq(error.function, "work");
        ck_assert_uint_eq(error.line, 3);
        BufvmLimits fuel = {.threads = threads, .fuel = 4000};
        n.bits = 10; /* under the first failure: 10 workgroups */
        ck_assert_int_eq(run(module, &fuel, &n, 1, NULL, &error), BUFVM_OK);
        fuel.fuel = 5;
        ck_assert_int_eq(run(module, &fuel, &n, 1, NULL, &error), BUFVM_LIMIT);
    }
    bufvm_module_release(module);
}
END_TEST

START_TEST(grid_refuses_dealloc)
{
    const char *text = ".function @work \"bs:\" scalars 1 buffers 1 {\n  buffer.dealloc b0\n  ret ()\n}\n"
                       ".function @main \"s:s\" scalars 2 buffers 1 {\n  imm s1, 8\n  buffer.alloc b0, s1, 0\n  grid @work, s0 "
                       "(b0)\n  ret (s0)\n}\n"
                       ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    BufvmModule *module = load(text);
    BufvmError error;
    BufvmValue n = I64(3);
    ck_assert_int_eq(run(module, NULL, &n, 1, NULL, &error), BUFVM_TRAP);
    ck_assert(strstr(error.text, "dealloc of a borrowed buffer"));
    bufvm_module_release(module);
}
END_TEST

static void *interrupter(void *context)
{
    struct timespec pause = {0, 20000000};
    nanosleep(&pause, NULL);
    bufvm_context_interrupt(context);
    return NULL;
}

START_TEST(interrupt)
{
    const char *texts[] = {LOOP_TEXT,
                           ".function @main \"s:s\" scalars 5 buffers 1 {\n  imm s1, 8\n  buffer.alloc b0, s1, 0\n"
                           "  kernel reduce rank 1 types i64 i64 parameter 96 (s0, b0, s2, s2, b0, s2, s2)\n  ret (s2)\n}\n"
                           ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n"};
    for (int k = 0; k < 2; k++) {
        BufvmModule *module = load(texts[k]);
        BufvmContext *context = context_of(module, NULL, NULL, 0);
        BufvmValue n = I64(INT64_MAX), result = {0};
        BufvmError error;
        pthread_t thread;
        pthread_create(&thread, NULL, interrupter, context);
        ck_assert_int_eq(bufvm_call(context, 0, &n, 1, &result, 1, &error), BUFVM_INTERRUPTED);
        pthread_join(thread, NULL);
        n.bits = 1; /* usable again */
        ck_assert_int_eq(bufvm_call(context, 0, &n, 1, &result, 1, &error), BUFVM_OK);
        bufvm_context_free(context);
        bufvm_module_release(module);
    }
}
END_TEST

/* -- values and host functions ---------------------------------------------------------------------------------- */

static BufvmValue view_of(BufvmElem elem, uint32_t rank, const int64_t *dims)
{
    BufvmValue v = {.kind = BUFVM_VIEW, .view = {.elem = elem, .rank = rank}};
    uint64_t bytes = bufvm_elem_bytes(elem);
    for (uint32_t i = 0; i < rank; i++) {
        v.view.dims[i] = dims[i];
        bytes *= (uint64_t)dims[i];
    }
    BufvmError error;
    ck_assert(!bufvm_buffer_alloc(NULL, bytes, &v.view.buffer, &error));
    return v;
}

START_TEST(arguments_are_checked)
{
    const char *text =
        ".function @f \"bs:bs\" scalars 1 buffers 1 {\n  ret (b0, s0)\n}\n"
        ".export @f = @f (v i16 [17] \"tensor<17xi16>\", s i32 \"i32\") -> (v i16 [17] \"tensor<17xi16>\", s i32 \"i32\")\n";
    BufvmModule *module = load(text);
    BufvmContext *context = context_of(module, NULL, NULL, 0);
    BufvmValue args[2] = {view_of(BUFVM_I8, 1, (int64_t[]){17}), scalar(BUFVM_I32, 5)}, results[2] = {{0}, {0}};
    BufvmError error;
    ck_assert_int_eq(bufvm_call(context, 0, args, 2, results, 2, &error), BUFVM_INVALID_ARGUMENT);
    ck_assert_str_eq(error.text, "argument 0 of @f: expected tensor<17xi16>, got 17xi8");
    bufvm_value_release(&args[0]);
    args[0] = view_of(BUFVM_I16, 1, (int64_t[]){17});
    args[1] = scalar(BUFVM_I64, 5);
    ck_assert_int_eq(bufvm_call(context, 0, args, 2, results, 2, &error), BUFVM_INVALID_ARGUMENT);
    ck_assert_str_eq(error.text, "argument 1 of @f: expected i32, got a scalar i64");
    args[1] = scalar(BUFVM_I32, 0xffffffff);
    ck_assert_int_eq(bufvm_call(context, 0, args, 1, results, 2, &error), BUFVM_INVALID_ARGUMENT);
    ck_assert_str_eq(error.text, "@f takes 2 arguments, got 1");
    args[0].view.offset = 2;
    ck_assert_int_eq(bufvm_call(context, 0, args, 2, results, 2, &error), BUFVM_INVALID_ARGUMENT);
    ck_assert(strstr(error.text, "does not fit into a buffer of 34 bytes"));
    args[0].view.offset = 0;
    ck_assert_int_eq(bufvm_call(context, 7, args, 2, results, 2, &error), BUFVM_NOT_FOUND);
    ck_assert_int_eq(bufvm_call(context, 0, args, 2, results, 2, &error), BUFVM_OK);
    ck_assert_uint_eq(results[1].bits, UINT64_MAX);
    ck_assert_ptr_eq(results[0].view.buffer, args[0].view.buffer);
    bufvm_value_release(&results[0]);
    /* into a buffer of the caller's */
    bufvm_buffer_data(args[0].view.buffer)[3] = 9;
    results[0] = view_of(BUFVM_I16, 1, (int64_t[]){17});
    ck_assert_int_eq(bufvm_call(context, 0, args, 2, results, 2, &error), BUFVM_OK);
    ck_assert_ptr_ne(results[0].view.buffer, args[0].view.buffer);
    ck_assert_uint_eq(bufvm_buffer_data(results[0].view.buffer)[3], 9);
    bufvm_value_release(&results[0]);
    results[0] = view_of(BUFVM_I16, 1, (int64_t[]){16});
    ck_assert_int_eq(bufvm_call(context, 0, args, 2, results, 2, &error), BUFVM_INVALID_ARGUMENT);
    ck_assert(strstr(error.text, "result 0 of @f"));
    ck_assert_int_eq(results[0].kind, BUFVM_NOTHING);
    bufvm_value_release(&args[0]);
    bufvm_context_free(context);
    bufvm_module_release(module);
}
END_TEST

START_TEST(tensor_arguments_are_not_written)
{
    const char *text =
        ".function @f \"b:\" scalars 1 buffers 1 {\n  store.i16 s0, b0, s0\n  ret ()\n}\n"
        ".export @t = @f (v i16 [4] \"tensor<4xi16>\") -> ()\n.export @m = @f (v i16 memref [4] \"memref<4xi16>\") -> ()\n";
    BufvmModule *module = load(text);
    BufvmContext *context = context_of(module, NULL, NULL, 0);
    BufvmValue arg = view_of(BUFVM_I16, 1, (int64_t[]){4});
    BufvmError error;
    ck_assert_int_eq(bufvm_call(context, find(module, "t"), &arg, 1, NULL, 0, &error), BUFVM_TRAP);
    ck_assert_int_eq(bufvm_call(context, find(module, "m"), &arg, 1, NULL, 0, &error), BUFVM_OK);
    bufvm_value_release(&arg);
    bufvm_context_free(context);
    bufvm_module_release(module);
}
END_TEST

/* The caller's buffers are lent for the call; a result that is one of them holds it for itself, and only the pool's may be freed.
 */
START_TEST(arguments_are_lent)
{
    const char *text = ".function @same \"b:b\" scalars 1 buffers 2 {\n  buffer.mov b1, b0\n  ret (b1)\n}\n"
                       ".function @free \"b:\" scalars 1 buffers 1 {\n  buffer.dealloc b0\n  ret ()\n}\n"
                       ".function @make \":b\" scalars 1 buffers 1 {\n  imm s0, 8\n  buffer.alloc b0, s0, 0\n  ret (b0)\n}\n"
                       ".export @same = @same (v i16 memref [4] \"memref<4xi16>\") -> (v i16 memref [4] \"memref<4xi16>\")\n"
                       ".export @free = @free (v i16 memref [4] \"memref<4xi16>\") -> ()\n"
                       ".export @make = @make () -> (v i16 memref [4] \"memref<4xi16>\")\n";
    BufvmModule *module = load(text);
    BufvmContext *context = context_of(module, NULL, NULL, 0);
    BufvmValue arg = view_of(BUFVM_I16, 1, (int64_t[]){4}), result = {0}, again = {0};
    BufvmError error;
    ck_assert_msg(!bufvm_call(context, find(module, "same"), &arg, 1, &result, 1, &error), "%s", error.text);
    ck_assert_ptr_eq(result.view.buffer, arg.view.buffer);
    bufvm_buffer_data(arg.view.buffer)[3] = 7;
    bufvm_value_release(&arg);
    ck_assert_uint_eq(bufvm_buffer_data(result.view.buffer)[3], 7);
    ck_assert_int_eq(bufvm_call(context, find(module, "free"), &result, 1, NULL, 0, &error), BUFVM_TRAP);
    ck_assert_msg(strstr(error.text, "belongs to the caller") != NULL, "%s", error.text);
    ck_assert_uint_eq(bufvm_buffer_data(result.view.buffer)[3], 7);
    bufvm_value_release(&result);

    ck_assert_msg(!bufvm_call(context, find(module, "make"), NULL, 0, &result, 1, &error), "%s", error.text);
    ck_assert_msg(!bufvm_call(context, find(module, "same"), &result, 1, &again, 1, &error), "%s", error.text);
    ck_assert_ptr_eq(again.view.buffer, result.view.buffer);
    bufvm_value_release(&again);
    ck_assert_msg(!bufvm_call(context, find(module, "free"), &result, 1, NULL, 0, &error), "%s", error.text);
    bufvm_value_release(&result);
    bufvm_context_free(context);
    bufvm_module_release(module);
}
END_TEST

START_TEST(strided_results_are_gathered)
{
    const char *text = ".constant k0 24 data { 000000000100000002000000030000000400000005000000 }\n"
                       ".function @f \":bsssb\" scalars 4 buffers 2 {\n"
                       "  buffer.const b0, k0\n  imm s0, 1\n  imm s1, 1\n  imm s2, 3\n  ret (b0, s0, s1, s2, b0)\n}\n"
                       ".export @f = @f () -> (v i32 [2, 2] offset ? strides [?, ?] \"memref<2x2xi32, strided<[?, ?], offset: "
                       "?>>\", v i32 [6] \"tensor<6xi32>\")\n";
    BufvmModule *module = load(text);
    BufvmContext *context = context_of(module, NULL, NULL, 0);
    BufvmValue results[2] = {{0}, {0}};
    BufvmError error;
    ck_assert_msg(!bufvm_call(context, 0, NULL, 0, results, 2, &error), "%s", error.text);
    bufvm_context_free(context); /* results outlive it */
    bufvm_module_release(module);
    const uint8_t *p = bufvm_buffer_data(results[0].view.buffer) + results[0].view.offset;
    /* offset 1, strides 1 and 3: elements 1 4 2 5 */
    ck_assert_uint_eq(p[0], 1);
    ck_assert_uint_eq(p[4], 4);
    ck_assert_uint_eq(p[8], 2);
    ck_assert_uint_eq(p[12], 5);
    ck_assert_uint_eq(bufvm_buffer_data(results[1].view.buffer)[20], 5);
    bufvm_value_release(&results[0]);
    bufvm_value_release(&results[1]);
}
END_TEST

typedef struct Host {
    int calls;
    BufvmStatus fail;
    bool wrong;
} Host;

static BufvmStatus host_sum(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                            BufvmValue *results, BufvmError *error)
{
    Host *host = user;
    (void)context;
    host->calls++;
    ck_assert_str_eq(signature->name, "sum");
    ck_assert_int_eq(args[0].kind, BUFVM_STRIDED);
    int64_t sum = 0;
    const uint8_t *p = bufvm_buffer_data(args[0].view.buffer) + args[0].view.offset;
    for (int64_t i = 0; i < args[0].view.dims[0]; i++)
        sum += p[i * args[0].strides[0] * 4];
    if (host->fail) {
        if (error)
            snprintf(error->text, sizeof error->text, "host says no");
        return host->fail;
    }
    results[0] = host->wrong ? scalar(BUFVM_I32, 1) : scalar(BUFVM_I64, (uint64_t)sum);
    results[1] = view_of(BUFVM_I64, 1, (int64_t[]){3});
    bufvm_buffer_data(results[1].view.buffer)[8] = 100;
    return BUFVM_OK;
}

START_TEST(host_functions)
{
    const char *text = ".constant k0 16 data { 01000000020000000300000004000000 }\n"
                       ".import @sum (u i32 memref \"memref<*xi32>\") -> (s i64 \"i64\", v i64 [?] \"tensor<?xi64>\")\n"
                       ".function @main \"s:s\" scalars 8 buffers 4 {\n"
                       "  imm s1, 32\n  buffer.alloc b1, s1, 0\n  imm s2, 1\n  store.i64 s2, b1, s3\n  imm s2, 0\n  imm s4, 1\n  "
                       "store.i64 s2, b1, s4\n"
                       "  imm s2, 2\n  imm s4, 2\n  store.i64 s2, b1, s4\n  imm s4, 3\n  store.i64 s2, b1, s4\n"
                       "  buffer.const b0, k0\n  call.import @sum (b0, b1) -> (s5, b2, s6)\n  imm s4, 1\n  load.i64 s7, b2, s4\n"
                       "  addi.i64 s5, s5, s6\n  addi.i64 s5, s5, s7\n  ret (s5)\n}\n"
                       ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    BufvmModule *module = load(text);
    ck_assert_uint_eq(bufvm_module_imports(module), 1);
    Host host = {0};
    BufvmImport import = {"sum", host_sum, &host};
    BufvmContext *context = context_of(module, NULL, &import, 1), *without = context_of(module, NULL, NULL, 0);
    BufvmValue n = I64(0), result = {0};
    BufvmError error;
    ck_assert_msg(!bufvm_call(context, 0, &n, 1, &result, 1, &error), "%s", error.text);
    ck_assert_uint_eq(result.bits, 1 + 3 + 3 + 100);
    host.fail = BUFVM_HOST;
    ck_assert_int_eq(bufvm_call(context, 0, &n, 1, &result, 1, &error), BUFVM_HOST);
    ck_assert_str_eq(error.text, "host says no");
    ck_assert_str_eq(error.function, "main");
    host.fail = BUFVM_OK;
    host.wrong = true;
    ck_assert_int_eq(bufvm_call(context, 0, &n, 1, &result, 1, &error), BUFVM_HOST);
    ck_assert(strstr(error.text, "result 0 of sum: expected i64, got a scalar i32"));
    ck_assert_int_eq(host.calls, 3);
    ck_assert_int_eq(bufvm_call(without, 0, &n, 1, &result, 1, &error), BUFVM_NOT_FOUND);
    ck_assert(strstr(error.text, "sum"));
    bufvm_context_free(context);
    bufvm_context_free(without);
    bufvm_module_release(module);
}
END_TEST

static BufvmStatus host_reenters(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                                 BufvmValue *results, BufvmError *error)
{
    (void)user, (void)signature, (void)args, (void)results;
    return bufvm_call(context, 0, NULL, 0, NULL, 0, error);
}

START_TEST(busy)
{
    BufvmModule *module =
        load(".import @again () -> ()\n.function @f \":\" scalars 0 buffers 0 {\n  call.import @again () -> ()\n  ret ()\n}\n"
             ".export @f = @f () -> ()\n");
    BufvmImport import = {"again", host_reenters, NULL};
    BufvmContext *context = context_of(module, NULL, &import, 1);
    BufvmError error;
    ck_assert_int_eq(bufvm_call(context, 0, NULL, 0, NULL, 0, &error), BUFVM_BUSY);
    bufvm_context_free(context);
    bufvm_module_release(module);
}
END_TEST

START_TEST(addresses_are_reproducible)
{
    const char *text =
        ".function @main \"s:s\" scalars 4 buffers 2 {\n  imm s1, 10\n  buffer.alloc b0, s1, 0\n  buffer.alloc b1, s1, 4096\n"
        "  buffer.address s2, b0\n  buffer.address s3, b1\n  imm s1, 4095\n  andi.i64 s1, s1, s3\n  jnz s1, L0\n"
        "  muli.i64 s0, s2, s3\n  ret (s0)\nL0:\n  unreachable \"not aligned\"\n}\n"
        ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    BufvmValue n = I64(0);
    uint64_t first = value_of(text, &n, 1), second = value_of(text, &n, 1);
    ck_assert_uint_eq(first, second);
    ck_assert_uint_ne(first, 0);
}
END_TEST

START_TEST(poison_and_zero)
{
    const char *text = ONE("  imm s1, 80000\n  buffer.alloc b0, s1, 0\n  store.i32 s1, b0, s0\n  buffer.drop b0\n  buffer.alloc "
                           "b0, s1, 0\n  load.i32 s0, b0, s0\n",
                           2, 1);
    BufvmValue n = I64(3);
    ck_assert_uint_eq(value_of(text, &n, 1), 0);
    BufvmModule *module = load(text);
    BufvmLimits poison = {.poison = true};
    uint64_t got;
    BufvmError error;
    ck_assert_int_eq(run(module, &poison, &n, 1, &got, &error), BUFVM_OK);
    ck_assert_uint_eq(got & UINT32_MAX, 0xCBCBCBCB);
    bufvm_module_release(module);
}
END_TEST

/* -- failing allocations ---------------------------------------------------------------------------------------- */

typedef struct Failing {
    long left;
    long live;
} Failing;

static void *failing_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    Failing *f = user;
    (void)old_size;
    if (!new_size) {
        f->live -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    if (f->left-- <= 0)
        return NULL;
    void *p = realloc(ptr, new_size);
    f->live += !ptr && p;
    return p;
}

START_TEST(every_allocation_may_fail)
{
    const char *text =
        ".constant k0 4096 splat 01000000\n.global @g 100 align 64 init k1\n.constant k1 100 splat 07\n"
        ".import @sum (u i32 memref \"memref<*xi32>\") -> (s i64 \"i64\", v i64 [?] \"tensor<?xi64>\")\n" GRID_TEXT
        ".function @main \"sbs:sb\" scalars 8 buffers 4 {\n  imm s3, 50\n  muli.imm.i64 s3, s3, 8\n  buffer.alloc b1, s3, 0\n"
        "  imm s3, 50\n  grid @work, s3 (b1)\n  buffer.const b2, k0\n  imm s4, 8\n  buffer.alloc b3, s4, 0\n  ret (s3, b2)\n}\n"
        ".export @main = @main (s i64 \"i64\", v i32 [?] \"tensor<?xi32>\") -> (s i64 \"i64\", v i32 [1024] "
        "\"tensor<1024xi32>\")\n";
    void *data;
    size_t size;
    BufvmError error;
    ck_assert_msg(!bvm_assemble(NULL, text, strlen(text), &data, &size, &error), "%s", error.text);
    long n = 0;
    for (BufvmStatus status = BUFVM_OUT_OF_MEMORY; status; n++) {
        ck_assert_int_lt(n, 1000);
        Failing failing = {.left = n};
        BufvmAllocator allocator = {failing_realloc, &failing};
        BufvmLoadOptions options = {.allocator = &allocator};
        BufvmModule *module = NULL;
        BufvmContext *context = NULL;
        BufvmValue args[2] = {I64(1), view_of(BUFVM_I32, 1, (int64_t[]){5})}, results[2] = {{0}, {0}};
        status = bufvm_module_load(data, size, &options, &module, &error);
        if (!status)
            status = bufvm_context_new(module, NULL, NULL, 0, &allocator, &context, &error);
        if (!status)
            status = bufvm_call(context, 0, args, 2, results, 2, &error);
        ck_assert_msg(!status || status == BUFVM_OUT_OF_MEMORY, "%s: %s", bufvm_status_name(status), error.text);
        bufvm_context_free(context);
        bufvm_module_release(module);
        bufvm_value_release(&results[1]);
        bufvm_value_release(&args[1]);
        ck_assert_int_eq(failing.live, 0);
    }
    ck_assert_int_gt(n, 10);
    free(data);
}
END_TEST

START_TEST(files)
{
    BufvmModule *module = NULL;
    BufvmError error;
    ck_assert_int_eq(bufvm_module_load_file("/nonexistent/x.vmb", NULL, &module, &error), BUFVM_NOT_FOUND);
    ck_assert_int_eq(bufvm_module_load_file("/", NULL, &module, &error), BUFVM_IO);
    ck_assert_int_eq(bufvm_module_load_file("/dev/null", NULL, &module, &error), BUFVM_INVALID_MODULE);
    ck_assert_int_eq(bufvm_module_load_file("/dev/zero", NULL, &module, &error), BUFVM_INVALID_MODULE); /* has no end */
    ck_assert_int_eq(bufvm_module_load("", 0, NULL, &module, &error), BUFVM_INVALID_MODULE);
    void *data;
    size_t size;
    ck_assert(!bvm_assemble(NULL, LOOP_TEXT, strlen(LOOP_TEXT), &data, &size, &error));
    char path[] = "/tmp/test_exec_XXXXXX";
    FILE *file = fdopen(mkstemp(path), "wb");
    fwrite(data, 1, size, file);
    fclose(file);
    for (int copy = 0; copy < 2; copy++) {
        BufvmLoadOptions options = {.no_mmap = copy}, small = {.max_module_bytes = 10, .no_mmap = copy};
        ck_assert_msg(!bufvm_module_load_file(path, &options, &module, &error), "%s", error.text);
        bufvm_module_release(module);
        ck_assert_int_eq(bufvm_module_load_file(path, &small, &module, &error), BUFVM_LIMIT);
    }
    remove(path);
    /* bytes at an odd address are copied */
    uint8_t *odd = malloc(size + 1);
    memcpy(odd + 1, data, size);
    ck_assert(!bufvm_module_load(odd + 1, size, NULL, &module, &error));
    free(odd);
    bufvm_module_release(module);
    free(data);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("exec");
    TCase *t = tcase_create("exec");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, recursion);
    tcase_add_test(t, deep_recursion_grows_the_stack);
    tcase_add_test(t, loops_and_fuel);
    tcase_add_test(t, switches);
    tcase_add_test(t, traps_say_why);
    tcase_add_test(t, trap_names_the_line);
    tcase_add_test(t, memory_limits);
    tcase_add_test(t, local_memory);
    tcase_add_loop_test(t, every_elementwise_row, 0, BVM_TILE);
    tcase_add_test(t, strips);
    tcase_add_test(t, strip_traps_in_loop_order);
    tcase_add_test(t, strip_loads_are_values);
    tcase_add_test(t, full_tiles_stay);
    tcase_add_test(t, stores_beside_dest);
    tcase_add_test(t, indirect_calls);
    tcase_add_test(t, grids);
    tcase_add_test(t, lowest_workgroup_is_reported);
    tcase_add_test(t, grid_refuses_dealloc);
    tcase_add_test(t, interrupt);
    tcase_add_test(t, arguments_are_checked);
    tcase_add_test(t, tensor_arguments_are_not_written);
    tcase_add_test(t, arguments_are_lent);
    tcase_add_test(t, strided_results_are_gathered);
    tcase_add_test(t, host_functions);
    tcase_add_test(t, busy);
    tcase_add_test(t, addresses_are_reproducible);
    tcase_add_test(t, poison_and_zero);
    tcase_add_test(t, every_allocation_may_fail);
    tcase_add_test(t, files);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    free(module_bytes);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
