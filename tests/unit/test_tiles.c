/* Tile rows that take slots or do two operations: every table against the rows that they are made of, bit by bit; and the
 * functions of math, whose loops are compiled for vectors and whose rows over slots are not.
 *
 * What a row means is read from its name: t.FAMILY.MODES.  Lanes hold special values and numbers whose results round.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/bytecode/opnames.h"
#include "../../vm/exec/tiles.h"
#include "../../vm/kernels/cpu.h"

enum { LANES = 135, GUARD = 64 };

static uint64_t state = 88172645463325252u;
static uint64_t rnd(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static uint64_t sample(unsigned etype)
{
    static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                       0x7fc00000, 0xffc01234, 0x7f800001, 1,          0x80000001, 0x7f7fffff};
    unsigned pick = rnd() % 24;
    double near = ((double)(rnd() >> 11) * 0x1p-53 - 0.5) * 8;
    if (etype == BVM_F32)
        return pick < 12 ? special[pick] : num_slot_f32((float)near);
    if (etype == BVM_F64)
        return pick < 12 ? (uint64_t)special[pick] << 32 | (pick == 9) : num_slot_f64(near);
    return pick < 6 ? (uint64_t)((int64_t)pick - 3) : (uint64_t)num_sext(rnd(), bvm_elem_bits(etype));
}

static uint64_t eval(unsigned row, unsigned etype, uint64_t a, uint64_t b)
{
    uint64_t r = 0;
    ck_assert(num_eval(row, etype, 0, a, b, 0, &r));
    return r;
}

static uint64_t expected(const char *family, unsigned etype, unsigned immediate, const uint64_t *x)
{
    static const struct {
        const char *name;
        unsigned inner, outer;
        bool reversed;
    } pairs[] = {{"madd", BVM_OP_mulf, BVM_OP_addf, false},          {"msub", BVM_OP_mulf, BVM_OP_subf, false},
                 {"nmadd", BVM_OP_mulf, BVM_OP_subf, true},          {"mulmul", BVM_OP_mulf, BVM_OP_mulf, false},
                 {"addmul", BVM_OP_addf, BVM_OP_mulf, false},        {"submul", BVM_OP_subf, BVM_OP_mulf, false},
                 {"clampf", BVM_OP_maximumf, BVM_OP_minimumf, false}};
    if (strcmp(family, "cmpsel") == 0) {
        unsigned first = etype == BVM_F32 || etype == BVM_F64 ? BVM_OP_cmpf_oeq : BVM_OP_cmpi_eq;
        return eval(first + immediate, etype, x[0], x[1]) & 1 ? x[2] : x[3];
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(family, pairs[i].name) == 0) {
            uint64_t inner = eval(pairs[i].inner, etype, x[0], x[1]);
            return pairs[i].reversed ? eval(pairs[i].outer, etype, x[2], inner) : eval(pairs[i].outer, etype, inner, x[2]);
        }
    return eval((unsigned)bvm_op_by_name(family, strlen(family)), etype, x[0], x[1]);
}

/* in_place: the destination is the first tile operand. */
static void check_fused(const BvmTileTable *table, unsigned handler, unsigned row, unsigned etype, unsigned immediate, size_t n,
                        bool in_place)
{
    static uint8_t memory[6][8 * LANES + 2 * GUARD], before[8 * LANES + 2 * GUARD];
    char family[24] = {0};
    const char *modes = strrchr(bvm_ops[row].name, '.') + 1;
    memcpy(family, bvm_ops[row].name + 2, (size_t)(modes - bvm_ops[row].name) - 3);
    unsigned noperands = (unsigned)strlen(modes), bytes = bvm_elem_bytes(etype), first = 0;
    uint8_t *tiles[6];
    uint64_t scalars[6], words[2] = {0}, want[LANES];
    BvmInsn insn = {.row = (uint16_t)row, .etype = (uint16_t)etype, .regs = {5, 0, 1, 2, 3}};
    for (unsigned k = 0; k < 6; k++) {
        tiles[k] = memory[k] + GUARD + k; /* no alignment */
        scalars[k] = sample(etype);
        for (size_t i = 0; i < sizeof memory[k]; i++)
            memory[k][i] = (uint8_t)rnd();
        for (size_t i = 0; i < n; i++)
            bvm_tile_put(etype, tiles[k], i, sample(etype));
    }
    insn.regs[noperands + 1] = (uint16_t)immediate;
    ck_assert_uint_le(bvm_encode(&insn, words), 2);
    while (modes[first] != 't')
        first++;
    if (in_place)
        tiles[5] = tiles[first];
    uint8_t *block = in_place ? memory[first] : memory[5];
    for (size_t i = 0; i < n; i++) {
        uint64_t x[4];
        for (unsigned k = 0; k < noperands; k++)
            x[k] = modes[k] == 's' ? scalars[k] : bvm_tile_get(etype, tiles[k], i);
        want[i] = expected(family, etype, immediate, x);
    }
    memcpy(before, block, sizeof before);
    table->fused[handler](tiles, scalars, words, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(bvm_tile_get(etype, tiles[5], i) == want[i], "%s.%s lane %zu of %zu: %llx, expected %llx", bvm_ops[row].name,
                      bvm_elem_name(etype), i, n, (unsigned long long)bvm_tile_get(etype, tiles[5], i),
                      (unsigned long long)want[i]);
    size_t from = (size_t)(tiles[5] - block);
    ck_assert(memcmp(before, block, from) == 0);
    ck_assert(memcmp(before + from + n * bytes, block + from + n * bytes, sizeof before - from - n * bytes) == 0);
}

START_TEST(fused_rows)
{
    static const size_t lengths[] = {1, 2, 7, 16, 31, 33, 64, LANES};
    const BvmTileTable *previous = NULL;
    unsigned cpu, ran = 0;
    ck_assert(bvm_cpu_select(NULL, &cpu));
    for (unsigned at_most = 0; at_most <= cpu; at_most++) {
        const BvmTileTable *table = bvm_tile_table(at_most);
        if (table == previous)
            continue;
        previous = table;
        unsigned handler = 0;
        for (unsigned row = BVM_OP_t_addi_ts; row <= BVM_OP_t_cmpsel_tsst; row++)
            for (unsigned etype = 1; etype < BVM_ELEMS; etype++) {
                if (!bvm_ops[row].name || !(bvm_ops[row].etypes >> etype & 1))
                    continue;
                bool selects = row >= BVM_OP_t_cmpsel_tttt, is_float = etype == BVM_F32 || etype == BVM_F64;
                for (unsigned immediate = 0; immediate < (!selects ? 1u : is_float ? 14u : 10u); immediate++)
                    for (size_t k = 0; k < 2 * sizeof lengths / sizeof *lengths; k++, ran++)
                        check_fused(table, handler, row, etype, immediate, lengths[k / 2], k & 1);
                handler++;
            }
    }
    ck_assert_uint_gt(ran, 1000);
}
END_TEST

/* Near numbers, here and there a stretch with others: infinities, NaN, huge ones. */
static uint64_t argument(unsigned etype, size_t i)
{
    uint64_t r = rnd();
    uint32_t bits =
        (i / 128) % 3 == 2 && r % 64 == 0 ? (uint32_t)(r >> 32) : num_bits32((float)((double)(r >> 11) * 0x1p-53 - 0.5) * 9);
    return etype == BVM_F32 ? bits : etype == BVM_BF16 ? bits >> 16 : num_f32_to_f16(num_float32(bits));
}

static void check_function(const BvmTileTable *table, unsigned handler, unsigned row, unsigned etype, size_t n, bool in_place)
{
    enum { MOST = 700 };
    static uint8_t from[4 * MOST + 1], to[4 * MOST + 1];
    uint8_t *a = from + 1, *d = in_place ? a : to;
    uint64_t want[MOST];
    for (size_t i = 0; i < n; i++) {
        bvm_tile_put(etype, a, i, argument(etype, i));
        want[i] = eval(row, etype, bvm_tile_get(etype, a, i), 0);
    }
    table->rows[handler - H_TILES](d, a, NULL, NULL, n, 0);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(bvm_tile_get(etype, d, i) == want[i], "%s.%s lane %zu of %zu: %llx, expected %llx", bvm_ops[row].name,
                      bvm_elem_name(etype), i, n, (unsigned long long)bvm_tile_get(etype, d, i), (unsigned long long)want[i]);
}

START_TEST(functions)
{
    static const size_t lengths[] = {1, 15, 255, 256, 257, 700};
    unsigned cpu;
    ck_assert(bvm_cpu_select(NULL, &cpu));
    for (unsigned at_most = 0; at_most <= cpu; at_most++) {
        const BvmTileTable *table = bvm_tile_table(at_most);
        if (at_most > 0 && table == bvm_tile_table(at_most - 1))
            continue;
#define CHECK(NAME, T) check_function(table, BVM_CAT5(HT_, BVM_OP_##NAME, _, T, ), BVM_OP_##NAME, BVM_##T, lengths[k / 2], k & 1);
#define FUNCTION(NAME) CHECK(NAME, F32) CHECK(NAME, F16) CHECK(NAME, BF16)
        for (size_t k = 0; k < 2 * sizeof lengths / sizeof *lengths; k++) {
            NUM_FUNCTIONS_1(FUNCTION)
        }
    }
}
END_TEST

START_TEST(masks_choose_tables)
{
    unsigned portable, best;
    ck_assert(bvm_cpu_select("portable", &portable) && bvm_cpu_select(NULL, &best));
    ck_assert_ptr_eq(bvm_tile_table(portable), &bvm_tiles_base);
    ck_assert(!bvm_cpu_has(best, BVM_CPU_AVX2) || bvm_tile_table(best) != bvm_tile_table(portable));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tiles");
    TCase *tc = tcase_create("rows");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, fused_rows);
    tcase_add_test(tc, functions);
    tcase_add_test(tc, masks_choose_tables);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
