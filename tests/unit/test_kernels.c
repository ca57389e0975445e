/* Every row of the kernel table against the loop nest that defines it, byte for byte, on inputs that round.
 *
 * The loop nest here is written over num_eval alone: one element after the other in row-major order.  Spaces are random:
 * ranks, sizes around the vector lengths, permuted, padded and negative strides, offsets that break alignment, overlap.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/bytecode/format.h"
#include "../../vm/bytecode/opnames.h"
#include "../../vm/kernels/kernels.h"
#include "../../vm/memory/endian.h"
#include "../../vm/numeric/numeric.h"

#define ARENA 96000

static uint64_t seed = 12345;
static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * UINT64_C(0x2545F4914F6CDD1D);
}
static uint32_t below(uint32_t n)
{
    return (uint32_t)((next_random() >> 33) % n);
}

static uint64_t polled;
static BufvmStatus count_poll(void *user, uint64_t elements)
{
    ck_assert_uint_le(elements, 4 * BVM_KERNEL_PIECE);
    polled += elements;
    return user && polled > *(uint64_t *)user ? BUFVM_INTERRUPTED : BUFVM_OK;
}

static uint64_t get_slot(unsigned etype, const uint8_t *p, bool is_unsigned)
{
    unsigned bytes = bvm_elem_bytes(etype);
    uint64_t v = 0;
    for (unsigned i = 0; i < bytes && i < 8; i++) /* complex numbers are only moved */
        v |= (uint64_t)p[i] << 8 * i;
    if (etype == BVM_I1)
        return v & 1;
    return bvm_elem_class(etype) == 'I' && !is_unsigned ? (uint64_t)num_sext(v, 8 * bytes) : v;
}

static void put_slot(unsigned etype, uint8_t *p, uint64_t v)
{
    for (unsigned i = 0; i < bvm_elem_bytes(etype); i++)
        p[i] = (uint8_t)(v >> 8 * (i & 7));
}

/* Numbers that round; sometimes NaN, infinity, zeros of both signs, subnormals.  Coarse: few values, many of them odd ones. */
static void random_bytes(uint8_t *p, size_t n, unsigned etype, bool coarse)
{
    for (size_t i = 0; i + 8 <= n; i += 8)
        bvm_put64(p + i, next_random());
    unsigned bytes = bvm_elem_bytes(etype);
    if (bvm_elem_class(etype) != 'F') {
        for (size_t i = 0; coarse && i + bytes <= n; i += bytes)
            put_slot(etype, p + i, (uint64_t)below(5) - 2);
        return;
    }
    uint32_t rare = coarse ? 1u << below(12) : 500;
    for (size_t i = 0; i + bytes <= n; i += bytes) {
        double x = coarse ? (double)below(5) - 3 : (double)(int64_t)next_random() * 0x1p-62;
        uint64_t slot, f64;
        memcpy(&f64, &x, 8);
        static const uint64_t odd[] = {
            0, UINT64_C(1) << 63, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000123, 0xfff4000000000001, 1};
        if (below(rare) == 0)
            f64 = odd[below(7)];
        if (etype != BVM_F64 && below(300) == 0)
            f64 = (f64 & ~(UINT64_C(0x7ff) << 52)) | (uint64_t)(1023 - (etype == BVM_F16 ? 16 : 128)) << 52; /* near underflow */
        slot = f64;
        if (etype != BVM_F64)
            num_eval(BVM_OP_fconv, BVM_F64, etype, f64, 0, 0, &slot);
        put_slot(etype, p + i, slot);
    }
}

/* -- the definition ------------------------------------------------------------------------------------------- */

static uint64_t widen(unsigned from, unsigned to, uint64_t slot)
{
    uint64_t r = slot;
    if (from != to && bvm_elem_class(to) == 'F')
        num_eval(bvm_elem_class(from) == 'I' ? BVM_OP_sitof : BVM_OP_fconv, bvm_elem_class(from) == 'I' ? BVM_I64 : from, to, slot,
                 0, 0, &r); /* integers narrower than that: their slots are the numbers */
    return r;
}

static void reference(unsigned kernel, const BvmKernelArgs *a, const uint8_t *source_copy, const uint8_t *source)
{
    int64_t index[BVM_KERNEL_RANK] = {0};
    unsigned t = a->op[0].etype;
    for (;;) {
        uint8_t *p[3] = {NULL, NULL, NULL};
        for (uint32_t k = 0; k < a->nops; k++) {
            p[k] = a->op[k].p;
            for (uint32_t d = 0; d < a->rank; d++)
                p[k] += index[d] * a->op[k].stride[d];
        }
        uint64_t o = get_slot(t, p[0], false), x, y, r = 0;
        switch (kernel) {
        case 1:
            put_slot(t, p[0], a->scalar);
            break;
        case 2:
            memcpy(p[0], source_copy + (p[1] - source), bvm_elem_bytes(t));
            break;
        case 3:
            x = widen(a->op[1].etype, t, get_slot(a->op[1].etype, p[1], a->flags & 2));
            y = widen(a->op[2].etype, t, get_slot(a->op[2].etype, p[2], a->flags & 4));
            if (bvm_elem_class(t) == 'F' && (a->flags & 1)) {
                num_eval(BVM_OP_fma, t, 0, x, y, o, &o);
            } else {
                num_eval(bvm_elem_class(t) == 'F' ? BVM_OP_mulf : BVM_OP_muli, t, 0, x, y, 0, &r);
                num_eval(bvm_elem_class(t) == 'F' ? BVM_OP_addf : BVM_OP_addi, t, 0, o, r, 0, &o);
            }
            put_slot(t, p[0], o);
            break;
        case 4:
            x = widen(a->op[1].etype, t, get_slot(a->op[1].etype, p[1], a->flags & 4));
            num_eval((unsigned)a->param, t == BVM_I1 ? BVM_I8 : t, 0, o, x, 0, &r);
            put_slot(t, p[0], r);
            break;
        default:
            x = get_slot(t, p[2], false);
            num_eval((unsigned)a->param & 0xffff, t, 0, x, o, 0, &r);
            if (a->param >> 16 >= BVM_OP_cmpf_oeq) { /* a choice of its own; a NaN stays */
                num_eval(BVM_OP_cmpf_uno, t, 0, o, o, 0, &y);
                r = r && !y;
                uint64_t other = 0;
                num_eval((unsigned)(a->param >> 16), t, 0, x, o, 0, &other);
                put_slot(t, p[0], other && !y ? x : o);
            } else if (a->param >> 16) {
                num_eval((unsigned)(a->param >> 16), t, 0, x, o, 0, &o);
                put_slot(t, p[0], o);
            }
            if (r) {
                if (!(a->param >> 16))
                    put_slot(t, p[0], x);
                put_slot(a->op[1].etype, p[1], (uint64_t)index[a->rank - 1 - a->flags]);
            }
        }
        uint32_t d = a->rank;
        while (d > 0 && ++index[d - 1] == a->size[d - 1])
            index[--d] = 0;
        if (d == 0)
            return;
    }
}

/* -- random spaces ---------------------------------------------------------------------------------------------- */

/* Strides of an operand over the dimensions that it moves in: a random order, sometimes padded, sometimes backwards. */
static void random_strides(BvmKernelArgs *a, uint32_t k, uint32_t moves, uint8_t *arena, bool aligned)
{
    uint32_t order[BVM_KERNEL_RANK], n = 0;
    int64_t step = bvm_elem_bytes(a->op[k].etype), low = 0;
    for (uint32_t d = 0; d < a->rank; d++) {
        a->op[k].stride[d] = 0;
        if (moves >> d & 1)
            order[n++] = d;
    }
    if (below(3))
        for (uint32_t i = n; i > 1; i--) {
            uint32_t j = below(i), tmp = order[j];
            order[j] = order[i - 1];
            order[i - 1] = tmp;
        }
    for (uint32_t i = n; i-- > 0;) {
        uint32_t d = order[i];
        if (below(6) == 0)
            step += bvm_elem_bytes(a->op[k].etype) * below(3);
        a->op[k].stride[d] = below(8) ? step : -step;
        if (a->op[k].stride[d] < 0)
            low += (a->size[d] - 1) * step;
        step *= a->size[d];
    }
    ck_assert_int_lt(step, ARENA - 64);
    a->op[k].p = arena + low + (aligned ? 64 : below(64));
}

typedef struct Case {
    unsigned kernel, o, x, y, flags;
    uint64_t param;
} Case;

static uint8_t memory[3][ARENA], mine[3][ARENA], before[3][ARENA];
static uint8_t scratch[BVM_KERNEL_SCRATCH] __attribute__((aligned(64)));

/* How often a row of the table ran in this test. */
static unsigned runs[64];

/* Does the row run here and serve the types of the case? */
static bool row_runs(const BvmKernelRow *row, const Case *c)
{
    BvmKernelArgs a = {.flags = c->flags};
    unsigned types[3] = {c->o, c->x, c->y};
    if (row->kernel != c->kernel)
        return false;
    ck_assert(bvm_cpu_select(NULL, &a.cpu));
    for (int k = 0; k < 3; k++)
        a.op[k].etype = types[k];
    if (!bvm_kernel_row_fits(row, &a))
        return false;
    runs[row - bvm_kernel_rows]++;
    return true;
}

/* Every row of the kernel whose extensions are here has run. */
static void check_runs(unsigned kernel)
{
    unsigned cpu;
    ck_assert(bvm_cpu_select(NULL, &cpu));
    for (const BvmKernelRow *row = bvm_kernel_rows; row->fn; row++) {
        if (row->kernel != kernel)
            continue;
        if (!bvm_cpu_has(cpu, row->cpu))
            fprintf(stderr, "kernel %u %s: not on this machine\n", row->kernel, row->variant);
        else
            ck_assert_msg(runs[row - bvm_kernel_rows] > 0, "no case for kernel %u %s", kernel, row->variant);
    }
}

/* `before` holds the random bytes of the case. */
static void run_case(const BvmKernelRow *row, const Case *c, BvmPool *pool, bool overlap)
{
    memcpy(memory, before, sizeof memory);
    BvmKernelArgs a = {.flags = c->flags, .param = c->param, .cpu = row->cpu, .pool = pool, .poll = count_poll};
    BufvmError error = {0};
    a.error = &error;
    a.scratch = below(2) ? scratch : NULL;
    a.nops = c->kernel == 1 ? 1 : c->kernel == 2 || c->kernel == 4 ? 2 : 3;
    unsigned types[3] = {c->o, c->x, c->y};
    a.rank = 1 + below(c->kernel == 3 ? 4 : 3);
    if (c->kernel < 3 && below(12) == 0)
        a.rank = 0;
    if (c->kernel == 5)
        a.flags = below(3) ? 0 : below(a.rank);
    uint64_t budget = below(4) ? 1500 : 2500;
    for (uint32_t d = 0; d < a.rank; d++) {
        static const int64_t sizes[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 130, 300, 1100, 2100};
        a.size[d] = sizes[below(18)];
        if ((uint64_t)a.size[d] > budget)
            a.size[d] = 1 + (int64_t)below((uint32_t)budget);
        budget /= (uint64_t)a.size[d];
        budget = budget ? budget : 1;
    }
    uint32_t all = (1u << a.rank) - 1;
    bool aligned = below(2);
    for (uint32_t k = 0; k < a.nops; k++) {
        a.op[k].etype = types[k];
        uint32_t moves = all;
        if (c->kernel == 3)
            moves = k == 0 ? below(all + 1) : below(4) ? below(all + 1) : all;
        if (c->kernel == 4 && k == 0)
            moves = below(all + 1);
        if (c->kernel == 5 && k < 2)
            moves = k == 0 ? (below(5) ? below(all + 1) & ~(1u << (a.rank - 1 - a.flags)) : below(all + 1)) : 0;
        random_strides(&a, k, moves, memory[overlap && types[k] == types[0] ? 0 : k], aligned);
    }
    if (c->kernel == 5) /* the index moves as the value does */
        for (uint32_t d = 0; d < a.rank; d++)
            a.op[1].stride[d] = a.op[0].stride[d] / (int64_t)bvm_elem_bytes(types[0]) * (int64_t)bvm_elem_bytes(types[1]);
    if (c->kernel == 5)
        a.op[1].p = memory[1] + ARENA / 2;
    a.scalar = next_random();
    if (c->o == BVM_I1)
        a.scalar &= 1;
    BvmKernelArgs b = a;
    BufvmStatus status = row->fn(&b);
    ck_assert_msg(!status, "%s", error.text);
    memcpy(mine, memory, sizeof memory);
    memcpy(memory, before, sizeof memory);
    uint32_t source = overlap && types[1] == types[0] ? 0 : 1;
    reference(c->kernel, &a, before[source], memory[source]);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0, differs = (size_t)memcmp(memory[k], mine[k], ARENA); differs && i < ARENA; i++)
            ck_assert_msg(
                memory[k][i] == mine[k][i],
                "kernel %u %s types %u %u %u param %u flags %u overlap %d rank %u sizes %ld %ld %ld %ld: operand %d byte %zu",
                c->kernel, row->variant, c->o, c->x, c->y, (unsigned)c->param, c->flags, overlap, a.rank, (long)a.size[0],
                (long)a.size[1], (long)a.size[2], (long)a.size[3], k, i);
}

static void run_cases(const Case *c, int times)
{
    BufvmAllocator allocator = bvm_mem_allocator(NULL);
    BvmPool *pool = bvm_pool_new(&allocator, 0, 0, false);
    unsigned ran = 0;
    for (const BvmKernelRow *row = bvm_kernel_rows; row->fn; row++) {
        if (!row_runs(row, c))
            continue;
        ran++;
        unsigned types[3] = {c->o, c->x, c->y};
        for (int i = 0; i < times; i++) {
            for (int k = 0; k < 3 && i % 8 == 0; k++)
                random_bytes(before[k], ARENA, types[k] ? types[k] : BVM_I8, c->kernel >= 4 && i % 16 == 0);
            run_case(row, c, pool, i % 5 == 4);
        }
    }
    ck_assert_uint_gt(ran, 0);
    bvm_pool_close(pool);
}

START_TEST(moves)
{
    static const unsigned types[] = {BVM_I1, BVM_I8, BVM_I16, BVM_F32, BVM_F64, BVM_I64, BVM_C128};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i] != BVM_C128)
            run_cases(&(Case){1, types[i], 0, 0, 0, 0}, 40);
        run_cases(&(Case){2, types[i], types[i], 0, 0, 0}, 40);
    }
}
END_TEST

START_TEST(contractions)
{
    static const Case cases[] = {
        {3, BVM_F32, BVM_F32, BVM_F32, 0, 0},     {3, BVM_F32, BVM_F32, BVM_F32, 1, 0},
        {3, BVM_F64, BVM_F64, BVM_F64, 0, 0},     {3, BVM_F64, BVM_F32, BVM_F64, 1, 0},
        {3, BVM_F32, BVM_F16, BVM_BF16, 0, 0},    {3, BVM_F32, BVM_F16, BVM_F32, 1, 0},
        {3, BVM_I32, BVM_I8, BVM_I8, 0, 0},       {3, BVM_I32, BVM_I8, BVM_I8, 2, 0},
        {3, BVM_I32, BVM_I8, BVM_I16, 6, 0},      {3, BVM_I64, BVM_I64, BVM_I32, 4, 0},
        {3, BVM_I32, BVM_I32, BVM_I32, 0, 0},     {3, BVM_I8, BVM_I8, BVM_I8, 0, 0},
        {3, BVM_F16, BVM_F16, BVM_F16, 0, 0},     {3, BVM_BF16, BVM_BF16, BVM_BF16, 0, 0},
        {3, BVM_F16, BVM_F16, BVM_F16, 1, 0},     {3, BVM_BF16, BVM_BF16, BVM_BF16, 1, 0},
        {3, BVM_I16, BVM_I8, BVM_I16, 2, 0},      {3, BVM_F32, BVM_F16, BVM_F16, 0, 0},
        {3, BVM_I32, BVM_I16, BVM_I16, 0, 0},     {3, BVM_I32, BVM_I1, BVM_I8, 0, 0},
        {3, BVM_F64, BVM_F8E5M2, BVM_BF16, 0, 0}, {3, BVM_F16, BVM_F8E4M3FN, BVM_F16, 0, 0},
        {3, BVM_I64, BVM_I8, BVM_I16, 4, 0},      {3, BVM_I32, BVM_I8, BVM_I8, 4, 0},
        {3, BVM_I32, BVM_I8, BVM_I8, 6, 0},       {3, BVM_I16, BVM_I8, BVM_I1, 2, 0},
        {3, BVM_I32, BVM_I1, BVM_I1, 0, 0},       {3, BVM_I8, BVM_I8, BVM_I8, 2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_cases(&cases[i], 120);
    check_runs(3);
}
END_TEST

/* What goes into an accumulator of the type: itself and what is narrower. */
static bool goes_into(unsigned o, unsigned x)
{
    static const unsigned stored[] = {BVM_F8E5M2, BVM_F4E2M1FN}; /* of those with no arithmetic of their own */
    if (bvm_elem_class(o) == 'I')
        return bvm_elem_class(x) == 'I' && bvm_elem_bits(x) <= bvm_elem_bits(o);
    if (x == o || x == stored[0] || x == stored[1])
        return true;
    return x >= BVM_F16 && x <= BVM_F64 && bvm_elem_bits(x) < bvm_elem_bits(o);
}

START_TEST(contractions_of_every_type)
{
    for (unsigned o = BVM_I8; o <= BVM_F64; o++)
        for (unsigned x = BVM_I1; x <= BVM_F4E2M1FN; x++)
            for (unsigned y = BVM_I1; y <= BVM_F4E2M1FN; y++) {
                bool is_float = bvm_elem_class(o) == 'F';
                if (goes_into(o, x) && goes_into(o, y))
                    for (uint32_t flags = 0; flags < (is_float ? 2 : 8); flags += is_float ? 1 : 2)
                        run_cases(&(Case){3, o, x, y, flags, 0}, 4);
            }
}
END_TEST

/* -- contractions whose shapes have names: blocks larger than a panel, windows, lanes over batches ------------------------- */

typedef struct Shape {
    const char *name;
    uint32_t rank;
    int64_t size[7], stride[3][7]; /* elements; the output first */
} Shape;

static const Shape shapes[] = {
    {"deep", 3, {5, 40, 1100}, {{40, 1, 0}, {1100, 0, 1}, {0, 1, 40}}},
    {"tall", 3, {300, 33, 9}, {{33, 1, 0}, {9, 0, 1}, {0, 1, 33}}},
    {"broad", 3, {30, 1100, 3}, {{1100, 1, 0}, {3, 0, 1}, {0, 1, 1100}}},
    {"blocks", 3, {151, 34, 20}, {{34, 1, 0}, {20, 0, 1}, {0, 1, 34}}},
    {"row", 3, {1, 300, 70}, {{300, 1, 0}, {70, 0, 1}, {0, 1, 300}}},
    {"column", 3, {70, 1, 300}, {{1, 1, 0}, {300, 0, 1}, {0, 1, 1}}},
    {"dot", 1, {2100}, {{0}, {1}, {1}}},
    {"two sums", 2, {3, 700}, {{0, 0}, {700, 1}, {700, 1}}},
    {"right transposed", 3, {37, 35, 67}, {{35, 1, 0}, {67, 0, 1}, {0, 67, 1}}},
    {"left transposed", 3, {37, 35, 67}, {{35, 1, 0}, {1, 0, 37}, {0, 1, 35}}},
    {"output transposed", 3, {37, 35, 67}, {{1, 37, 0}, {67, 0, 1}, {0, 1, 35}}},
    {"output apart", 3, {17, 33, 40}, {{66, 2, 0}, {40, 0, 1}, {0, 1, 33}}},
    {"backwards", 3, {17, 33, 40}, {{-33, -1, 0}, {-40, 0, -1}, {0, -1, -33}}},
    {"batch", 4, {4, 17, 33, 20}, {{561, 33, 1, 0}, {340, 20, 0, 1}, {660, 0, 1, 33}}},
    {"rows of two", 2, {130, 65}, {{1, 0}, {65, 1}, {65, 1}}},
    {"columns of two", 2, {65, 130}, {{0, 1}, {130, 1}, {130, 1}}},
    {"broadcast", 3, {9, 40, 30}, {{40, 1, 0}, {0, 0, 1}, {0, 1, 40}}},
    {"tiles", 6, {3, 2, 4, 8, 8, 5}, {{128, 64, 0, 8, 1, 0}, {160, 0, 40, 5, 0, 1}, {0, 160, 40, 0, 5, 1}}},
    {"nhwc window",
     7,
     {2, 5, 7, 20, 3, 3, 10},
     {{700, 140, 20, 1, 0, 0, 0}, {630, 90, 10, 0, 90, 10, 1}, {0, 0, 0, 1, 600, 200, 20}}},
    {"nhwc window of steps",
     7,
     {1, 4, 5, 33, 3, 2, 3},
     {{660, 165, 33, 1, 0, 0, 0}, {0, 72, 6, 0, 72, 9, 1}, {0, 0, 0, 1, 198, 99, 33}}},
    {"nchw window", 7, {2, 9, 6, 7, 5, 3, 3}, {{378, 42, 7, 1, 0, 0, 0}, {360, 0, 9, 1, 72, 9, 1}, {0, 45, 0, 0, 9, 3, 1}}},
    {"depthwise", 6, {1, 5, 9, 70, 3, 3}, {{0, 630, 70, 1, 0, 0}, {0, 770, 70, 1, 770, 70}, {0, 0, 0, 1, 210, 70}}},
    {"depthwise of steps", 6, {1, 3, 5, 16, 3, 3}, {{0, 80, 16, 1, 0, 0}, {0, 352, 32, 1, 176, 16}, {0, 0, 0, 1, 48, 16}}},
    {"depthwise of several",
     7,
     {1, 3, 5, 40, 2, 3, 3},
     {{0, 400, 80, 2, 1, 0, 0}, {0, 280, 40, 1, 0, 280, 40}, {0, 0, 0, 2, 1, 240, 80}}},
    {"line", 2, {300, 5}, {{1, 0}, {1, 1}, {0, 1}}},
    {"deep tiles", 3, {7, 3, 5100}, {{3, 1, 0}, {5100, 0, 1}, {0, 5100, 1}}},
    {"both along k", 3, {26, 33, 75}, {{33, 1, 0}, {75, 0, 1}, {0, 75, 1}}},
};

static void run_shape(const Shape *s, const Case *c)
{
    static uint8_t start[3][4 * ARENA], expected[4 * ARENA], got[4 * ARENA];
    BufvmError error = {0};
    BvmKernelArgs a = {.rank = s->rank, .nops = 3, .flags = c->flags, .poll = count_poll, .error = &error};
    unsigned types[3] = {c->o, c->x, c->y};
    int64_t low[3] = {0}, skip = below(2) ? 1 : 64; /* sometimes of odd alignment */
    uint64_t volume = 1;
    for (uint32_t d = 0; d < s->rank; d++) {
        a.size[d] = s->size[d];
        volume *= (uint64_t)s->size[d];
    }
    for (int k = 0; k < 3; k++) {
        random_bytes(start[k], sizeof start[k], types[k], false);
        a.op[k].etype = types[k];
        for (uint32_t d = 0; d < s->rank; d++) {
            a.op[k].stride[d] = s->size[d] == 1 ? 0 : s->stride[k][d] * (int64_t)bvm_elem_bytes(types[k]);
            low[k] -= a.op[k].stride[d] < 0 ? a.op[k].stride[d] * (s->size[d] - 1) : 0;
        }
        a.op[k].p = start[k] + skip * (int64_t)bvm_elem_bytes(types[k]) + low[k] + (skip == 1 && k == 0);
    }
    int64_t at = a.op[0].p - start[0];
    memcpy(expected, start[0], sizeof expected);
    a.op[0].p = expected + at;
    reference(3, &a, NULL, NULL);
    for (const BvmKernelRow *row = bvm_kernel_rows; row->fn; row++)
        for (int roomy = row_runs(row, c) ? 0 : 2; roomy < 2; roomy++) {
            BvmKernelArgs b = a;
            memcpy(got, start[0], sizeof got);
            b.op[0].p = got + at;
            b.scratch = roomy ? scratch : NULL;
            polled = 0;
            ck_assert_int_eq(row->fn(&b), BUFVM_OK);
            ck_assert_msg(memcmp(got, expected, sizeof got) == 0, "%s of types %u %u %u flags %u, %s, scratch %d", s->name, c->o,
                          c->x, c->y, c->flags, row->variant, roomy);
            ck_assert_uint_eq(polled, volume); /* the same fuel whatever the variant */
        }
}

START_TEST(contraction_shapes)
{
    static const Case cases[] = {
        {3, BVM_F32, BVM_F32, BVM_F32, 0, 0},    {3, BVM_F32, BVM_F32, BVM_F32, 1, 0}, {3, BVM_F64, BVM_F64, BVM_F64, 0, 0},
        {3, BVM_F64, BVM_F64, BVM_F64, 1, 0},    {3, BVM_F32, BVM_F16, BVM_F16, 0, 0}, {3, BVM_F32, BVM_BF16, BVM_BF16, 0, 0},
        {3, BVM_I32, BVM_I8, BVM_I8, 0, 0},      {3, BVM_I32, BVM_I8, BVM_I8, 6, 0},   {3, BVM_I32, BVM_I16, BVM_I16, 0, 0},
        {3, BVM_I32, BVM_I16, BVM_I16, 2, 0},    {3, BVM_I32, BVM_I32, BVM_I32, 0, 0}, {3, BVM_I64, BVM_I32, BVM_I32, 0, 0},
        {3, BVM_F16, BVM_F16, BVM_F16, 0, 0},    {3, BVM_F16, BVM_F16, BVM_F16, 1, 0}, {3, BVM_BF16, BVM_BF16, BVM_BF16, 0, 0},
        {3, BVM_BF16, BVM_BF16, BVM_BF16, 1, 0}, {3, BVM_I8, BVM_I8, BVM_I8, 0, 0},    {3, BVM_I16, BVM_I16, BVM_I8, 0, 0},
        {3, BVM_F32, BVM_F32, BVM_BF16, 0, 0},   {3, BVM_F64, BVM_F32, BVM_F16, 1, 0}, {3, BVM_I32, BVM_I8, BVM_I8, 2, 0},
        {3, BVM_I32, BVM_I8, BVM_I8, 4, 0},      {3, BVM_I32, BVM_I1, BVM_I8, 4, 0},   {3, BVM_I16, BVM_I8, BVM_I8, 4, 0},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            run_shape(&shapes[i], &cases[k]);
    check_runs(3);
}
END_TEST

START_TEST(reductions)
{
    static const unsigned ints[] = {BVM_OP_addi,  BVM_OP_muli,  BVM_OP_andi,  BVM_OP_ori,  BVM_OP_xori,
                                    BVM_OP_maxsi, BVM_OP_minsi, BVM_OP_maxui, BVM_OP_minui};
    static const unsigned floats[] = {BVM_OP_addf, BVM_OP_mulf, BVM_OP_maximumf, BVM_OP_minimumf, BVM_OP_maxnumf, BVM_OP_minnumf};
    for (unsigned t = BVM_I8; t <= BVM_I64; t++)
        for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
            run_cases(&(Case){4, t, t, 0, 0, ints[i]}, 15);
    for (unsigned t = BVM_F16; t <= BVM_F64; t++)
        for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
            run_cases(&(Case){4, t, t, 0, 0, floats[i]}, t >= BVM_F32 ? 80 : 25);
}
END_TEST

START_TEST(widening_reductions)
{
    static const Case cases[] = {
        {4, BVM_I1, BVM_I1, 0, 0, BVM_OP_ori},        {4, BVM_I1, BVM_I1, 0, 0, BVM_OP_andi},
        {4, BVM_I1, BVM_I1, 0, 0, BVM_OP_xori},       {4, BVM_I32, BVM_I8, 0, 0, BVM_OP_addi},
        {4, BVM_I32, BVM_I8, 0, 4, BVM_OP_addi},      {4, BVM_I64, BVM_I32, 0, 4, BVM_OP_addi},
        {4, BVM_I64, BVM_I16, 0, 0, BVM_OP_muli},     {4, BVM_I64, BVM_I1, 0, 4, BVM_OP_addi},
        {4, BVM_I16, BVM_I8, 0, 0, BVM_OP_maxsi},     {4, BVM_F32, BVM_F16, 0, 0, BVM_OP_addf},
        {4, BVM_F32, BVM_BF16, 0, 0, BVM_OP_addf},    {4, BVM_F64, BVM_F32, 0, 0, BVM_OP_addf},
        {4, BVM_F64, BVM_F16, 0, 0, BVM_OP_mulf},     {4, BVM_F32, BVM_I8, 0, 4, BVM_OP_addf},
        {4, BVM_F32, BVM_I32, 0, 0, BVM_OP_addf},     {4, BVM_F64, BVM_I32, 0, 4, BVM_OP_addf},
        {4, BVM_F32, BVM_F16, 0, 0, BVM_OP_maximumf},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_cases(&cases[i], 60);
}
END_TEST

START_TEST(argreductions)
{
    for (unsigned t = BVM_F16; t <= BVM_F64; t++)
        for (unsigned row = BVM_OP_cmpf_ogt; row <= BVM_OP_cmpf_ule; row++)
            if (row != BVM_OP_cmpf_one && row != BVM_OP_cmpf_ord && row != BVM_OP_cmpf_ueq)
                run_cases(&(Case){5, t, row % 2 ? BVM_I64 : BVM_I32, t, 0, row}, t == BVM_F32 ? 120 : 40);
    for (unsigned t = BVM_I8; t <= BVM_I64; t++)
        for (unsigned row = BVM_OP_cmpi_slt; row <= BVM_OP_cmpi_uge; row++)
            run_cases(&(Case){5, t, BVM_I8 + (t + row) % 4, t, 0, row}, 10);
}
END_TEST

/* The value is combined, which tells zeros and NaNs apart. */
START_TEST(combining_argreductions)
{
    static const unsigned compares[2][4] = {{BVM_OP_cmpf_ogt, BVM_OP_cmpf_oge, BVM_OP_cmpf_ugt, BVM_OP_cmpf_uge},
                                            {BVM_OP_cmpf_olt, BVM_OP_cmpf_ole, BVM_OP_cmpf_ult, BVM_OP_cmpf_ule}},
                          combiners[2][2] = {{BVM_OP_maximumf, BVM_OP_maxnumf}, {BVM_OP_minimumf, BVM_OP_minnumf}};
    for (unsigned t = BVM_F16; t <= BVM_F64; t++)
        for (unsigned way = 0; way < 2; way++)
            for (unsigned i = 0; i < 8; i++)
                run_cases(&(Case){5, t, i % 2 ? BVM_I64 : BVM_I32, t, 0, compares[way][i / 2] | combiners[way][i % 2] << 16},
                          t == BVM_F32 ? 80 : 40);
}
END_TEST

/* The value is chosen by itself, a NaN stays. */
START_TEST(holding_argreductions)
{
    static const unsigned compares[2][2] = {{BVM_OP_cmpf_ugt, BVM_OP_cmpf_uge}, {BVM_OP_cmpf_ult, BVM_OP_cmpf_ule}};
    for (unsigned t = BVM_F16; t <= BVM_F64; t++)
        for (unsigned i = 0; i < 8; i++)
            run_cases(&(Case){5, t, i % 2 ? BVM_I64 : BVM_I32, t, 0, compares[i / 4][i / 2 % 2] | compares[i / 4][i % 2] << 16},
                      t == BVM_F32 ? 80 : 40);
}
END_TEST

START_TEST(polls_stop_the_work)
{
    static float o, x = 1;
    uint64_t limit = 1 << 20;
    for (unsigned kernel = 3; kernel <= 4; kernel++)
        for (const BvmKernelRow *row = bvm_kernel_rows; row->fn; row++) {
            unsigned cpu;
            bvm_cpu_select(NULL, &cpu);
            if (row->kernel != kernel || !bvm_cpu_has(cpu, row->cpu) || row->serves)
                continue;
            BvmKernelArgs a = {.rank = 2,
                               .nops = kernel == 3 ? 3 : 2,
                               .size = {1 << 30, 1 << 30},
                               .param = BVM_OP_addf,
                               .poll = count_poll,
                               .user = &limit};
            for (int k = 0; k < 3; k++)
                a.op[k] = (BvmOperand){.p = (uint8_t *)(k ? &x : &o), .etype = BVM_F32};
            polled = 0;
            ck_assert_int_eq(row->fn(&a), BUFVM_INTERRUPTED);
            ck_assert_uint_lt(polled, limit + 4 * BVM_KERNEL_PIECE);
        }
}
END_TEST

START_TEST(refused_types)
{
    BufvmError error;
    uint8_t byte[16] = {0};
    BvmKernelArgs a = {.rank = 1, .nops = 3, .size = {2}, .poll = count_poll, .error = &error};
    for (int k = 0; k < 3; k++)
        a.op[k] = (BvmOperand){.p = byte, .etype = k ? BVM_I64 : BVM_I32};
    ck_assert_int_eq(bvm_kernel_run(3, &a), BUFVM_INVALID_ARGUMENT);
    a.param = BVM_OP_subi;
    ck_assert_int_eq(bvm_kernel_run(4, &a), BUFVM_INVALID_ARGUMENT);
    ck_assert_int_eq(bvm_kernel_run(5, &a), BUFVM_INVALID_ARGUMENT);
    ck_assert_int_eq(bvm_kernel_run(99, &a), BUFVM_INVALID_ARGUMENT);
    unsigned cpu;
    ck_assert(bvm_cpu_select("portable", &cpu));
    ck_assert_uint_eq(cpu, BVM_CPU_PORTABLE);
    ck_assert(!bvm_cpu_select("z80", &cpu));
}
END_TEST

/* A row that has some types alone refuses the others; one that has all leaves some to others where they are faster.  Neither is
   chosen for them. */
START_TEST(rows_of_some_types)
{
    float f[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    BufvmError error;
    unsigned cpu;
    ck_assert(bvm_cpu_select(NULL, &cpu));
    for (const BvmKernelRow *row = bvm_kernel_rows; row->fn; row++) {
        bool has_all = strcmp(row->variant, "avx512") == 0;
        if (!row->serves || !bvm_cpu_has(cpu, row->cpu))
            continue;
        BvmKernelArgs a = {
            .rank = 1, .nops = 3, .size = {2}, .cpu = cpu | (has_all ? BVM_CPU_HALVES : 0), .poll = count_poll, .error = &error};
        for (int k = 0; k < 3; k++)
            a.op[k] = (BvmOperand){.p = (uint8_t *)(f + 2 * k), .etype = BVM_F32, .stride = {4}};
        BvmKernelArgs b = a;
        ck_assert(!bvm_kernel_row_fits(row, &a));
        ck_assert_int_eq(row->fn(&a), has_all ? BUFVM_OK : BUFVM_INVALID_ARGUMENT);
        ck_assert_int_eq(bvm_kernel_run(3, &b), BUFVM_OK);
    }
    ck_assert(bvm_cpu_select("neon", &cpu));
    ck_assert_uint_le(cpu, BVM_CPU_BASE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kernels");
    TCase *t = tcase_create("kernels");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, moves);
    tcase_add_test(t, contractions);
    tcase_add_test(t, contractions_of_every_type);
    tcase_add_test(t, contraction_shapes);
    tcase_add_test(t, reductions);
    tcase_add_test(t, widening_reductions);
    tcase_add_test(t, argreductions);
    tcase_add_test(t, combining_argreductions);
    tcase_add_test(t, holding_argreductions);
    tcase_add_test(t, polls_stop_the_work);
    tcase_add_test(t, refused_types);
    tcase_add_test(t, rows_of_some_types);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
