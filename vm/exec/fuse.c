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
    SHAPE_step
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
#include "fused.def"
#undef PAIR
#undef STEP
#undef TRIPLE
#undef FOUR
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
    case SHAPE_truth:
        return field(second, 0) == result;
    case SHAPE_against:
        return takes(second, result, 0, 1, commutes(insn->row));
    case SHAPE_choose: /* by the first compare; a select before may not have overwritten its result */
        return field(second, 1) == field(words + start->at, 0) &&
               (start->last == start->at || result != field(words + start->at, 0));
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
        if (row->shape != SHAPE_step)
            words[start->at] = (words[start->at] & ~UINT64_C(0xffff)) | row->joined;
        start->handler = row->joined;
        start->last = at;
        return true;
    }
    return false;
}

void bvm_fuse(BvmFuse *fuse, uint64_t *words, uint32_t at, const BvmInsn *insn)
{
    uint16_t handler = (uint16_t)words[at];
    unsigned kept = 0;
    for (unsigned i = 0; i < fuse->nstarts; i++) {
        BvmFuseStart start = fuse->starts[i];
        if (join(fuse, &start, words, at, insn, handler))
            fuse->starts[kept++] = start;
    }
    fuse->starts[kept++] = (BvmFuseStart){at, at, handler, insn->nan_flag};
    fuse->nstarts = kept;
}
