/* Bodies that reduce: one combiner, perhaps over a widened input, or a value with the index of where it was found.
 *
 * A body that finds a value and its index only compares, selects and takes extremes of two numbers, so what it does depends on
 * nothing but how they are ordered.  It is run on numbers of every order (less, greater, equal, zeros of both signs, NaNs); the
 * compare whose choice it makes each time is the one that it spells, however it does so.  The value may be that of a combiner, as
 * maximumf, beside an index that a compare chooses, or each may be chosen by a compare that keeps a NaN: then both are found.
 *
 * Importers of JAX also ask which index is less, for equals.  Where one loop reduces and the index starts at no more than zero,
 * what was found before is never at a greater position: then that is known, and the body is run for less and for equal ones.  That
 * holds of numbers; it holds of the compare where the positions fit its type, and where the index starts at zero if the compare or
 * a conversion in front of it takes the index for unsigned.
 */
#include "../../vm/bytecode/opnames.h"
#include "../../vm/numeric/numeric.h"

#include "alias.h"
#include "match.h"

enum { FLAG_ANY_ORDER = 2, FLAG_UNSIGNED_INPUT = 4 }; /* of reduce in kernels.def */

/* ---- one combiner ------------------------------------------------------------------------ */

static bool is_combiner(const char *row)
{
    static const char *const rows[] = {"addi",  "muli", "andi", "ori",      "xori",     "maxsi",   "minsi",  "maxui",
                                       "minui", "addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i], row) == 0)
            return true;
    return false;
}

/* On one bit every combiner is a logical one (signed, 1 is -1). */
static const char *bit_combiner(const char *row)
{
    static const char *const pairs[][2] = {{"addi", "xori"}, {"muli", "andi"}, {"andi", "andi"},
                                           {"ori", "ori"},   {"xori", "xori"}, {"maxsi", "andi"},
                                           {"minsi", "ori"}, {"maxui", "ori"}, {"minui", "andi"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(pairs[i][0], row) == 0)
            return pairs[i][1];
    return NULL;
}

/* The conversions of the kernel: `from` is the type of the input. */
static bool is_widening(const Op *op, unsigned from, unsigned to, int64_t *flags)
{
    bool is_unsigned = vmc_is(op, "arith.extui") || vmc_is(op, "arith.uitofp");
    if (is_unsigned)
        *flags |= FLAG_UNSIGNED_INPUT;
    if (vmc_is(op, "arith.extf"))
        return (from == BVM_F16 || from == BVM_BF16) ? to == BVM_F32 || to == BVM_F64 : from == BVM_F32 && to == BVM_F64;
    bool from_int = (from == BVM_I1 && is_unsigned) || (from >= BVM_I8 && from <= BVM_I32);
    if (vmc_is(op, "arith.extsi") || vmc_is(op, "arith.extui"))
        return from_int && to > (from == BVM_I1 ? BVM_I8 : from) && to <= BVM_I64;
    return (vmc_is(op, "arith.sitofp") || vmc_is(op, "arith.uitofp")) && from_int && from != BVM_I1 &&
           (to == BVM_F32 || to == BVM_F64);
}

bool vmc_match_reduce(Match *m)
{
    Op *combine = m->yield->operands[0].value->op;
    int out = (int)m->s.nins;
    if (m->s.nouts != 1 || m->nops > 2 || !combine || combine->parent != m->s.body || combine->noperands != 2 ||
        !vmc_match_reduces(m))
        return false;
    int row = vmc_numeric_row(combine);
    const char *name = row < 0 ? NULL : bvm_ops[row].name;
    unsigned etype = vmc_match_etype(vmc_match_elem(m, m->s.nins));
    if (!name || !is_combiner(name) || (etype != BVM_I1 && !vmc_match_arithmetic(etype)))
        return false;
    bool second = vmc_match_operand(m, combine->operands[1].value) == out;
    if (!second && vmc_match_operand(m, combine->operands[0].value) != out)
        return false;
    Value *input = combine->operands[second ? 0 : 1].value;
    int64_t flags = m->fast ? FLAG_ANY_ORDER : 0;
    uint32_t nops = 1;
    if (input->op && input->op->parent == m->s.body && input->op->noperands == 1) {
        Value *narrow = input->op->operands[0].value;
        if (!is_widening(input->op, vmc_match_etype(narrow->type), etype, &flags))
            return false;
        input = narrow;
        nops++;
    }
    int in = vmc_match_operand(m, input);
    if (in < 0 || in >= out || nops != m->nops || vmc_structured_is_scalar(&m->s, (uint32_t)in))
        return false;
    const int64_t order[2] = {out, in};
    vmc_match_claim(m, "reduce", 2, order, &(Combine){etype == BVM_I1 ? bit_combiner(name) : name, NULL}, flags);
    return true;
}

/* ---- a value and its index ------------------------------------------------------------------ */

typedef enum Tag { TAG_NONE, TAG_VALUE, TAG_INDEX, TAG_BIT } Tag;
typedef struct Sample {
    Tag tag;
    uint64_t slot;
    bool old; /* INDEX: what the out held */
} Sample;

typedef struct ArgBody {
    const Match *m;
    unsigned etype;
    int value, index; /* operands: the outs; the input is operand 0 */
    int64_t dim;      /* of linalg.index; -1: not seen yet */
    unsigned width;   /* least width that the index passes through, 64 if none */
    unsigned full;    /* width of the index in its out */
    Map known;
    uint64_t x, had;  /* the numbers of this run */
    bool in_order;    /* known: an index that was found before is at most the new one */
    uint64_t before;  /* the index of this run */
    bool compared;    /* positions are compared */
    bool is_unsigned; /* and what the out held is taken for unsigned */
} ArgBody;

enum { NEW_INDEX = 5, SOME_INDEX = 77, LESS_INDEX = 2 };

static Sample *sample_of(ArgBody *b, const Value *value)
{
    Sample *s = vmc_map_ptr(&b->known, value);
    if (s || value->op)
        return s;
    int k = vmc_match_operand(b->m, value);
    if (k < 0)
        return NULL;
    s = ARENA_NEW(&b->m->ctx->arena, Sample);
    *s = k == 0          ? (Sample){TAG_VALUE, b->x, false}
         : k == b->value ? (Sample){TAG_VALUE, b->had, false}
         : k == b->index ? (Sample){TAG_INDEX, b->before, true}
                         : (Sample){TAG_NONE, 0, false};
    return s;
}

static bool is_index_cast(const Op *op)
{
    return vmc_is(op, "arith.index_cast") || vmc_is(op, "arith.index_castui") || vmc_is(op, "arith.trunci") ||
           vmc_is(op, "arith.extsi") || vmc_is(op, "arith.extui");
}

/* Runs one op; false: it is none of those that only look at the order. */
static bool run_op(ArgBody *b, Op *op, Sample *out)
{
    Sample in[3] = {{0}};
    int64_t dim, bit;
    if (op->nresults != 1 || op->noperands > 3)
        return false;
    for (uint32_t i = 0; i < op->noperands; i++) {
        Sample *s = sample_of(b, op->operands[i].value);
        if (!s || s->tag == TAG_NONE)
            return false;
        in[i] = *s;
    }
    if (vmc_is(op, "linalg.index")) {
        if (!vmc_get_int(op, "dim", &dim) || (b->dim >= 0 && b->dim != dim))
            return false;
        b->dim = dim;
        *out = (Sample){TAG_INDEX, NEW_INDEX, false};
        return true;
    }
    if (vmc_constant_int(&op->results[0], &bit) && op->results[0].type->kind == TYPE_INT && op->results[0].type->width == 1) {
        *out = (Sample){TAG_BIT, (uint64_t)bit & 1, false};
        return true;
    }
    if (is_index_cast(op)) {
        const Type *to = op->results[0].type;
        if (in[0].tag != TAG_INDEX || (to->kind == TYPE_INT && to->width < 8))
            return false;
        if (in[0].old && to->kind == TYPE_INT && to->width < b->full)
            return false; /* what the out held may be any number: it would not come back whole */
        if (to->kind == TYPE_INT && to->width < b->width)
            b->width = to->width;
        b->is_unsigned |= in[0].old && (vmc_is(op, "arith.extui") || vmc_is(op, "arith.index_castui"));
        *out = in[0];
        return true;
    }
    if (vmc_is(op, "arith.select")) {
        if (in[0].tag != TAG_BIT || in[1].tag != in[2].tag)
            return false;
        *out = in[0].slot ? in[1] : in[2];
        return true;
    }
    int row = vmc_numeric_row(op);
    const char *name = row < 0 ? NULL : bvm_ops[row].name;
    if (!name || op->noperands != 2 || in[0].tag != in[1].tag)
        return false;
    bool logic = strcmp(name, "andi") == 0 || strcmp(name, "ori") == 0 || strcmp(name, "xori") == 0;
    bool extreme = strncmp(name, "max", 3) == 0 || strncmp(name, "min", 3) == 0, compare = bvm_ops[row].form == 'c';
    bool index = in[0].tag == TAG_INDEX;
    if (in[0].tag == TAG_BIT ? !logic : index ? !compare || !b->in_order : !(extreme || compare))
        return false;
    b->compared |= index;
    b->is_unsigned |= index && strncmp(name, "cmpi_u", 6) == 0;
    out->tag = in[0].tag == TAG_BIT || compare ? TAG_BIT : TAG_VALUE;
    return num_eval((unsigned)row,
                    in[0].tag == TAG_BIT ? BVM_I8
                    : index              ? BVM_I64
                                         : b->etype,
                    0, in[0].slot, in[1].slot, 0, &out->slot);
}

/* What the body makes of the numbers x and had. */
static bool run_body(ArgBody *b, uint64_t x, uint64_t had, Sample *value, Sample *index)
{
    b->known = (Map){.arena = &b->m->ctx->arena};
    b->x = x;
    b->had = had;
    for (Op *op = b->m->s.body->first; op != b->m->yield; op = op->next) {
        Sample *s = ARENA_NEW(&b->m->ctx->arena, Sample);
        if (!run_op(b, op, s))
            return false;
        vmc_map_put_ptr(&b->known, &op->results[0], s);
    }
    Sample *v = sample_of(b, b->m->yield->operands[b->value - 1].value),
           *i = sample_of(b, b->m->yield->operands[b->index - 1].value);
    if (!v || !i || v->tag != TAG_VALUE || i->tag != TAG_INDEX)
        return false;
    *value = *v;
    *index = *i;
    return true;
}

/* Two numbers in every order; as f64 for floats. */
static const double float_orders[][2] = {{1, 2}, {2, 1}, {1, 1}, {0.0, -0.0}, {-0.0, 0.0}};
static const int64_t int_orders[][2] = {{1, 2}, {2, 1}, {1, 1}, {-1, 1}, {1, -1}};
enum { NUMBERS = 5, NANS = 4 };

static bool sample_pair(unsigned etype, int i, uint64_t *x, uint64_t *had)
{
    static const uint64_t quiet[] = {
        [BVM_F16] = 0x7e01, [BVM_BF16] = 0x7fc1, [BVM_F32] = 0x7fc00001, [BVM_F64] = 0x7ff8000000000001};
    static const uint64_t other[] = {
        [BVM_F16] = 0xfe02, [BVM_BF16] = 0xffc2, [BVM_F32] = 0xffc00002, [BVM_F64] = 0xfff8000000000002};
    if (etype < BVM_F16) {
        if (i >= NUMBERS)
            return false;
        *x = (uint64_t)int_orders[i][0];
        *had = (uint64_t)int_orders[i][1];
        return true;
    }
    for (int side = 0; side < 2; side++) {
        uint64_t bits, *to = side ? had : x;
        double d = i < NUMBERS ? float_orders[i][side] : 1;
        memcpy(&bits, &d, sizeof bits);
        *to = bits;
        if (etype != BVM_F64 && !num_eval(BVM_OP_fconv, BVM_F64, etype, bits, 0, 0, to))
            return false;
    }
    if (i == NUMBERS || i >= NUMBERS + 2) /* a NaN; a number and a NaN; two NaNs; the same one */
        *x = quiet[etype];
    if (i >= NUMBERS + 1)
        *had = i == NUMBERS + 2 ? other[etype] : quiet[etype];
    return i < NUMBERS + NANS;
}

/* Rules that fit every run so far, a bit each: compares of the table below that choose the index, the value; the same where a NaN
   that is held stays; combiners that make the value. */
typedef struct Fits {
    unsigned index, value, held_index, held_value, combined;
} Fits;

enum { COMPARES = 8, MOST = 0x33, LEAST = 0xcc, UNORDERED = 0xf0, COMBINERS = 4, MAXIMA = 2 };
static const unsigned float_rows[COMPARES] = {BVM_OP_cmpf_ogt, BVM_OP_cmpf_oge, BVM_OP_cmpf_olt, BVM_OP_cmpf_ole,
                                              BVM_OP_cmpf_ugt, BVM_OP_cmpf_uge, BVM_OP_cmpf_ult, BVM_OP_cmpf_ule};
static const unsigned int_rows[COMPARES] = {BVM_OP_cmpi_sgt, BVM_OP_cmpi_sge, BVM_OP_cmpi_slt, BVM_OP_cmpi_sle,
                                            BVM_OP_cmpi_ugt, BVM_OP_cmpi_uge, BVM_OP_cmpi_ult, BVM_OP_cmpi_ule};
static const unsigned combiner_rows[COMBINERS] = {BVM_OP_maximumf, BVM_OP_maxnumf, BVM_OP_minimumf, BVM_OP_minnumf};

static void keep_compares(const ArgBody *b, uint64_t x, uint64_t had, uint64_t value, uint64_t index, Fits *fits)
{
    const unsigned *rows = b->etype < BVM_F16 ? int_rows : float_rows;
    uint64_t take = 0, nan = 0;
    if (b->etype >= BVM_F16)
        num_eval(BVM_OP_cmpf_uno, b->etype, 0, had, had, 0, &nan);
    for (unsigned r = 0; r < COMPARES; r++) {
        unsigned bit = 1u << r;
        bool known = num_eval(rows[r], b->etype, 0, x, had, 0, &take), held = take && !nan;
        if (!known || value != (take ? x : had))
            fits->value &= ~bit;
        if (!known || index != (take ? NEW_INDEX : b->before))
            fits->index &= ~bit;
        if (!known || value != (held ? x : had))
            fits->held_value &= ~bit;
        if (!known || index != (held ? NEW_INDEX : b->before))
            fits->held_index &= ~bit;
    }
}

/* Runs the body on all numbers, with b->before as the index that was found before. */
static bool keep_fits(ArgBody *b, Fits *fits)
{
    uint64_t x, had, made;
    Sample value, index;
    for (int i = 0; sample_pair(b->etype, i, &x, &had); i++) {
        if (!run_body(b, x, had, &value, &index))
            return false;
        keep_compares(b, x, had, value.slot, index.slot, fits);
        for (unsigned c = 0; c < COMBINERS; c++)
            if (b->etype < BVM_F16 || !num_eval(combiner_rows[c], b->etype, 0, x, had, 0, &made) || value.slot != made)
                fits->combined &= ~(1u << c);
    }
    return true;
}

static const char *row_name(const ArgBody *b, unsigned fits)
{
    return bvm_ops[(b->etype < BVM_F16 ? int_rows : float_rows)[__builtin_ctz(fits)]].name;
}

/* What chooses the index and makes the value; false: the body does something else. */
static bool spelled(ArgBody *b, Combine *out)
{
    Fits fits = {~0u >> (32 - COMPARES), ~0u >> (32 - COMPARES), UNORDERED, UNORDERED, (1u << COMBINERS) - 1};
    b->before = b->in_order ? LESS_INDEX : SOME_INDEX;
    bool ran = keep_fits(b, &fits);
    b->before = NEW_INDEX;
    if (!ran || (b->in_order && !keep_fits(b, &fits)))
        return false;
    if (fits.index & fits.value) {
        *out = (Combine){row_name(b, fits.index & fits.value), NULL};
        return true;
    }
    for (unsigned c = 0; c < COMBINERS; c++) {
        unsigned same_way = fits.index & (c < MAXIMA ? MOST : LEAST);
        if (fits.combined >> c & 1 && same_way) {
            *out = (Combine){row_name(b, same_way), bvm_ops[combiner_rows[c]].name};
            return true;
        }
    }
    for (unsigned way = 0; way < 2 && b->etype >= BVM_F16; way++) {
        unsigned index = fits.held_index & (way ? LEAST : MOST), value = fits.held_value & (way ? LEAST : MOST);
        if (index && value) {
            *out = (Combine){row_name(b, index), row_name(b, value)};
            return true;
        }
    }
    return false;
}

static bool is_fill(const Op *op)
{
    const Attr *name = vmc_dict_get(vmc_get_attr(op, "bufvm.kernel"), "name");
    return name && name->kind == ATTR_STRING && strcmp(name->s, "fill") == 0;
}

/* The op does not write to the memref. */
static bool leaves(Context *ctx, Op *op, Value *memref)
{
    Structured s;
    if (vmc_has_trait(op, TRAIT_SPECULATABLE) || vmc_has_trait(op, TRAIT_CONSTANT) || vmc_is(op, "memref.alloc"))
        return true;
    if (!vmc_has_trait(op, TRAIT_STRUCTURED) || !vmc_structured(ctx, op, &s) || op->nresults)
        return false;
    for (uint32_t k = s.nins; k < s.nins + s.nouts; k++)
        if (!vmc_memrefs_apart(ctx, vmc_structured_operand(&s, k), memref))
            return false;
    return true;
}

/* Each element of the out belongs to the turns of one loop: those of the others have elements of their own. */
static bool one_loop_reduces(const Match *m, uint32_t out)
{
    uint32_t others = 0;
    for (uint32_t l = 0; l < m->s.nloops; l++) {
        bool moves = false;
        for (uint32_t r = 0; r < m->s.maps[out]->nresults; r++)
            moves |= m->s.maps[out]->results[r]->kind == AFFINE_DIM && m->s.maps[out]->results[r]->value == (int64_t)l;
        others += !moves;
    }
    return others == 1 && vmc_layout_is_injective(m->ctx, vmc_structured_operand(&m->s, out)->type);
}

/* The index starts at a constant that is at most zero, and one loop reduces: what the out holds is never past the position. */
static bool starts_in_front(const Match *m, uint32_t out, int64_t *start)
{
    enum { FAR = 32 };
    Value *memref = vmc_structured_operand(&m->s, out);
    bool one_loop = one_loop_reduces(m, out);
    uint32_t far = 0;
    for (Op *op = m->op->prev; op && one_loop && far < FAR; op = op->prev, far++) {
        if (is_fill(op) && op->operands[1].value == memref)
            return vmc_constant_int(op->operands[0].value, start) && *start <= 0;
        if (!leaves(m->ctx, op, memref))
            return false;
    }
    return false;
}

/* The position goes through no type that it may not fit, but for the one of the out; not for that one either where positions are
   compared.  2^31 elements in a row of unknown size are not waited for. */
static bool index_fits(const ArgBody *b, unsigned width)
{
    enum { LONG = 32 };
    int64_t size = vmc_structured_static_size(&b->m->s, (uint32_t)b->dim);
    unsigned least = b->width < width ? b->width : width;
    if (size != VMC_DYNAMIC && size - 1 <= INT64_MAX >> (64 - least))
        return true;
    return b->width >= width && (!b->compared || least == 64 || (size == VMC_DYNAMIC && least >= LONG));
}

/* value and index in the outs, one way round or the other */
bool vmc_match_argreduce(Match *m)
{
    enum { MOST_OPS = 16 };
    if (m->s.nouts != 2 || m->s.nins != 1 || m->s.nloops == 0 || m->nops > MOST_OPS || vmc_structured_is_scalar(&m->s, 0) ||
        m->s.maps[1] != m->s.maps[2] || !vmc_match_reduces(m))
        return false;
    unsigned etype = vmc_match_etype(vmc_match_elem(m, 0));
    if (!vmc_match_arithmetic(etype) ||
        !vmc_memrefs_apart(m->ctx, vmc_structured_operand(&m->s, 1), vmc_structured_operand(&m->s, 2)))
        return false;
    for (int first = 1; first <= 2; first++) {
        ArgBody b = {.m = m, .etype = etype, .value = first, .index = 3 - first, .dim = -1, .width = 64};
        unsigned at_type = vmc_match_etype(vmc_match_elem(m, (uint32_t)b.index));
        if (vmc_match_elem(m, (uint32_t)first) != vmc_match_elem(m, 0) || at_type < BVM_I8 || at_type > BVM_I64)
            continue;
        b.full = 8 * bvm_elem_bytes(at_type);
        Combine combine;
        int64_t start = 1;
        bool found = spelled(&b, &combine);
        if (!found && starts_in_front(m, (uint32_t)b.index, &start)) {
            b.in_order = true;
            b.dim = -1;
            b.width = 64;
            b.is_unsigned = false;
            found = spelled(&b, &combine) && (start == 0 || !b.is_unsigned);
        }
        if (!found || b.dim < 0 || b.dim >= (int64_t)m->s.nloops || !index_fits(&b, 8 * bvm_elem_bytes(at_type)))
            continue;
        const int64_t order[3] = {b.value, b.index, 0};
        vmc_match_claim(m, "argreduce", 3, order, &combine, (int64_t)m->s.nloops - 1 - b.dim);
        return true;
    }
    return false;
}
