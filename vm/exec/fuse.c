/* Joins decoded instructions that fused.def knows as pairs and triples.
 *
 * Each instruction is tried as a first one by itself, so that a jump into the middle of a pair finds what starts there.  Only
 * op fields change, and operands that commute may change sides.
 */
#include "fuse.h"

typedef enum Shape {
    SHAPE_chain,
    SHAPE_raw,
    SHAPE_index,
    SHAPE_truth,
    SHAPE_against,
    SHAPE_count,
    SHAPE_choose,
    SHAPE_next,
    SHAPE_past,
    SHAPE_step,
    SHAPE_step_choose
} Shape;
enum { SHAPE_chain_loop = SHAPE_next, SHAPE_raw_loop = SHAPE_next, SHAPE_count_loop = SHAPE_next, SHAPE_choose_loop = SHAPE_next };

typedef struct Row {
    uint16_t first, second, joined;
    uint8_t shape;
} Row;

static const Row rows[] = {
#define PAIR(shape, a, T, b, U)             {H(a, T), H(b, U), HF(a, T, b, U), SHAPE_##shape},
#define STEP(a, T, b, U)                    {H(a, T), H(b, U), HF(a, T, b, U), SHAPE_step},
#define TRIPLE(shape, a, T, b, U, c, V)     {HF(a, T, b, U), H(c, V), HF3(a, T, b, U, c, V), SHAPE_##shape},
#define FOUR(shape, a, T, b, U, c, V, d, X) {HF3(a, T, b, U, c, V), H(d, X), HF4(a, T, b, U, c, V, d, X), SHAPE_##shape},
#define STEP3(a, T, b, U, c, V)             {HF(a, T, b, U), H(c, V), HF3(a, T, b, U, c, V), SHAPE_step_choose},
#define STEP4(a, T, b, U, c, V, d, X)       {HF3(a, T, b, U, c, V), H(d, X), HF4(a, T, b, U, c, V, d, X), SHAPE_step_choose},
#define FIVE(shape, a, T, b, U, c, V, d, X, e, Y)                                                                                  \
    {HF4(a, T, b, U, c, V, d, X), H(e, Y), HF5(a, T, b, U, c, V, d, X, e, Y), SHAPE_##shape},
#include "fused.def"
#undef PAIR
#undef STEP
#undef TRIPLE
#undef FOUR
#undef STEP3
#undef STEP4
#undef FIVE
};
_Static_assert(H_ALL <= UINT16_MAX, "handler numbers fit the op field");
_Static_assert(sizeof rows / sizeof *rows == BVM_FUSED, "as many as handlers.h counts");

void bvm_fuse_init(BvmFuse *fuse)
{
    memset(fuse, 0, sizeof *fuse);
    for (unsigned i = BVM_FUSED; i-- > 0;) {
        fuse->next[i] = fuse->head[rows[i].first];
        fuse->head[rows[i].first] = (uint16_t)(i + 1);
    }
}

static uint16_t field(const uint64_t *word, unsigned k)
{
    return (uint16_t)(word[(k + 1) / 4] >> 16 * ((k + 1) & 3));
}

static void swap_fields(uint64_t *word, unsigned a, unsigned b)
{
    uint64_t x = field(word, a), y = field(word, b);
    uint64_t *at_a = word + (a + 1) / 4, *at_b = word + (b + 1) / 4;
    unsigned shift_a = 16 * ((a + 1) & 3), shift_b = 16 * ((b + 1) & 3);
    *at_a = (*at_a & ~(UINT64_C(0xffff) << shift_a)) | y << shift_a;
    *at_b = (*at_b & ~(UINT64_C(0xffff) << shift_b)) | x << shift_b;
}

/* Operand `k` of the second is the first's result, or operand `other` is and they commute. */
static bool takes(uint64_t *second, uint16_t result, unsigned k, unsigned other, bool commute)
{
    if (field(second, k) == result)
        return true;
    if (!commute || field(second, other) != result)
        return false;
    swap_fields(second, k, other);
    return true;
}

static bool commutes(unsigned row)
{
    switch (row) {
    case BVM_OP_addi:
    case BVM_OP_muli:
    case BVM_OP_andi:
    case BVM_OP_ori:
    case BVM_OP_xori:
    case BVM_OP_addf:
    case BVM_OP_mulf:
    case BVM_OP_jeq:
    case BVM_OP_jne:
    case BVM_OP_loadx:
    case BVM_OP_storex:
        return true;
    default:
        return false;
    }
}

/* `second` selects by the compare at `compare`, whose result a select before it has not overwritten. */
static bool chooses(const BvmFuseStart *start, const uint64_t *words, uint32_t compare, const uint64_t *second)
{
    uint16_t truth = field(words + compare, 0);
    return field(second, 1) == truth && (start->last == compare || field(words + start->last, 0) != truth);
}

static bool fits(const BvmFuseStart *start, unsigned shape, uint64_t *words, uint32_t at, const BvmInsn *insn)
{
    uint64_t *second = words + at;
    const uint64_t *last = words + start->last;
    uint16_t result = field(last, 0);
    switch (shape) {
    case SHAPE_raw:
        return start->nan_flag && takes(second, result, 1, 2, true);
    case SHAPE_chain:
    case SHAPE_count:
        return takes(second, result, 1, 2, commutes(insn->row));
    case SHAPE_index:
        return takes(second, result, 2, 3, commutes(insn->row));
    case SHAPE_step: /* compares what was loaded */
        return field(second, 1) == result;
    case SHAPE_truth:
        return field(second, 0) == result;
    case SHAPE_against:
        return takes(second, result, 0, 1, commutes(insn->row));
    case SHAPE_choose:
        return chooses(start, words, start->at, second);
    case SHAPE_step_choose: /* behind a load */
        return chooses(start, words, start->at + 1, second);
    case SHAPE_past:
        return false; /* bvm_fuse looks at the jump's target */
    default:
        return true;
    }
}

/* Joins the instruction at `at` to what starts at start->at; false if the table has no such row. */
static bool join(const BvmFuse *fuse, BvmFuseStart *start, uint64_t *words, uint32_t at, const BvmInsn *insn, uint16_t handler)
{
    for (unsigned i = fuse->head[start->handler]; i; i = fuse->next[i - 1]) {
        const Row *row = &rows[i - 1];
        if (row->second != handler || !fits(start, row->shape, words, at, insn))
            continue;
        if (row->shape < SHAPE_step)
            words[start->at] = (words[start->at] & ~UINT64_C(0xffff)) | row->joined;
        start->handler = row->joined;
        start->last = at;
        return true;
    }
    return false;
}

/* A forward jump that joined what starts at start->at goes to the end of a loop: that joins too.  The distance from the compare to
   the next turn goes into the jump's last field, which no one else reads. */
static void join_target(const BvmFuse *fuse, const BvmFuseStart *start, uint64_t *words, uint32_t at, const BvmInsn *insn)
{
    uint64_t target = insn->wide[0];
    if (insn->row != BVM_OP_jz || target <= at || BVM_CODE_ROW(fuse->code[target]) != BVM_OP_loop)
        return;
    int64_t turn = (int64_t)fuse->code[target + bvm_wide_at(BVM_OP_loop)] - (int64_t)(start->at + 1);
    if (turn != (int16_t)turn)
        return;
    for (unsigned i = fuse->head[start->handler]; i; i = fuse->next[i - 1]) {
        if (rows[i - 1].shape != SHAPE_past)
            continue;
        words[start->at] = (words[start->at] & ~UINT64_C(0xffff)) | rows[i - 1].joined;
        words[at] = (words[at] & (UINT64_MAX >> 16)) | (uint64_t)turn << 48;
    }
}

void bvm_fuse(BvmFuse *fuse, uint64_t *words, uint32_t at, const BvmInsn *insn)
{
    uint16_t handler = (uint16_t)words[at];
    unsigned kept = 0;
    for (unsigned i = 0; i < fuse->nstarts; i++) {
        BvmFuseStart start = fuse->starts[i];
        if (!join(fuse, &start, words, at, insn, handler))
            continue;
        join_target(fuse, &start, words, at, insn);
        fuse->starts[kept++] = start;
    }
    fuse->starts[kept++] = (BvmFuseStart){at, at, handler, insn->nan_flag};
    fuse->nstarts = kept;
}
