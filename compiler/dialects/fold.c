/* Constant folding of every op that is a row of the VM's instruction set, through vm/numeric alone.
 *
 * There is no arithmetic here: an op names its numeric row (hooks.numeric), operands become
 * slots as the VM would hold them, and num_eval and its kin give the result.  What traps at
 * run time (division by zero) is left alone, so that it traps there with its line.
 * Identities on floats are used only where they keep every bit of every operand, NaN included:
 * x + 0 or x * 1 are none, since an operation canonicalises a NaN and x + 0.0 turns -0 into +0.
 */
#include "../../vm/bytecode/opnames.h"
#include "../../vm/numeric/numeric.h"
#include "hooks.h"

/* Elements up to which a dense constant that is no splat is folded. */
enum { FOLD_LIMIT = 1024 };

/* ---- slots ------------------------------------------------------------------------- */

static uint32_t int_width(const Type *type)
{
    return type->kind == TYPE_INDEX ? 64 : type->width;
}
static bool is_intlike(const Type *type)
{
    return type->kind == TYPE_INDEX || (type->kind == TYPE_INT && type->width <= 64);
}
static bool is_foldable(const Type *type)
{
    return is_intlike(type) || (type->kind == TYPE_FLOAT && vmc_float_etype(type->format) != BVM_NONE);
}

/* From the low bits of `slot`, as the VM holds a value of that type. */
static uint64_t normal_slot(const Type *type, uint64_t slot)
{
    if (!is_intlike(type))
        return num_zext(slot, vmc_float_bits(type->format));
    uint32_t width = int_width(type);
    return width == 1 ? slot & 1 : (uint64_t)num_sext(slot, width);
}

unsigned vmc_etype(const Type *scalar)
{
    if (scalar->kind == TYPE_INDEX)
        return BVM_I64;
    if (scalar->kind == TYPE_FLOAT)
        return vmc_float_etype(scalar->format);
    if (scalar->kind == TYPE_COMPLEX && scalar->elem->kind == TYPE_FLOAT)
        return scalar->elem->format == FLOAT_F32 ? BVM_C64 : scalar->elem->format == FLOAT_F64 ? BVM_C128 : BVM_NONE;
    if (scalar->kind != TYPE_INT || scalar->width > 64)
        return BVM_NONE;
    return scalar->width == 1    ? BVM_I1
           : scalar->width <= 8  ? BVM_I8
           : scalar->width <= 16 ? BVM_I16
           : scalar->width <= 32 ? BVM_I32
                                 : BVM_I64;
}

bool vmc_attr_slot(const Attr *attr, uint64_t k, uint64_t *slot)
{
    if (attr->kind == ATTR_INT || attr->kind == ATTR_FLOAT) {
        *slot = (uint64_t)attr->i;
        return true;
    }
    if ((attr->kind != ATTR_DENSE && attr->kind != ATTR_RESOURCE) || !attr->data || !is_foldable(attr->type->elem))
        return false;
    uint64_t width = vmc_elem_bytes(attr->type->elem);
    if (width == 0 || width > 8 || attr->n < width || (!attr->splat && k >= attr->n / width))
        return false;
    const uint8_t *bytes = (const uint8_t *)attr->data + (attr->splat ? 0 : k * width);
    uint64_t v = 0;
    for (uint64_t i = width; i-- > 0;)
        v = v << 8 | bytes[i];
    *slot = normal_slot(attr->type->elem, v);
    return true;
}

/* Past 64 bits an integer goes on with its sign; all that is written of a complex number is a zero. */
static void put_slot(uint8_t *out, const Type *elem, uint64_t width, uint64_t slot)
{
    uint64_t v = elem->kind == TYPE_INT && elem->width < 8 ? num_zext(slot, elem->width) : slot;
    for (uint64_t i = 0; i < width; i++)
        out[i] = (uint8_t)(i < 8 ? v >> 8 * i : (int64_t)v < 0 ? 0xff : 0);
}

const Attr *vmc_attr_of_slot(Context *ctx, const Type *type, uint64_t slot)
{
    if (vmc_is_shaped(type)) {
        uint64_t width = vmc_elem_bytes(type->elem);
        uint8_t *bytes = vmc_arena_alloc(&ctx->arena, (size_t)width);
        put_slot(bytes, type->elem, width, slot);
        return vmc_attr_dense(ctx, type, bytes, width, true, false);
    }
    return type->kind == TYPE_FLOAT ? vmc_attr_float_bits(ctx, type, slot) : vmc_attr_int(ctx, type, (int64_t)slot);
}

/* ---- rows ------------------------------------------------------------------------------ */

/* The keyword of a compare's predicate: an enum value, or #index<cmp_predicate slt>. */
static const char *predicate_text(const Op *op, char out[8])
{
    const Attr *attr = vmc_get_attr(op, "predicate");
    if (attr && attr->kind == ATTR_INT)
        return vmc_enum_name(vmc_find_enum(vmc_is(op, "arith.cmpf") ? "cmpf_predicate" : "cmpi_predicate"), attr->i);
    attr = attr ? attr : vmc_get_attr(op, "pred");
    const char *blank = attr && attr->kind == ATTR_OPAQUE ? strrchr(attr->s, ' ') : NULL;
    size_t n = blank ? strcspn(blank + 1, ">") : 8;
    if (n >= 8)
        return NULL;
    memcpy(out, blank + 1, n);
    out[n] = 0;
    return out;
}

int vmc_numeric_row(const Op *op)
{
    const char *numeric = op->def ? op->def->hooks.numeric : NULL;
    if (!numeric)
        return -1;
    char predicate[8], name[24];
    bool compare = strcmp(numeric, "cmpi") == 0 || strcmp(numeric, "cmpf") == 0;
    const char *suffix = compare ? predicate_text(op, predicate) : "";
    size_t n = strlen(numeric), m = suffix ? strlen(suffix) : 0;
    if (!suffix || n + m + 2 > sizeof name)
        return -1;
    memcpy(name, numeric, n);
    if (m) {
        name[n++] = '_';
        memcpy(name + n, suffix, m);
    }
    return bvm_op_by_name(name, n + m);
}

/* ---- one element ---------------------------------------------------------------------------- */

typedef struct Eval {
    unsigned row;
    const Type *in, *out; /* scalars: of operand 0 (select: of the values) and of the result */
    unsigned mode;        /* rounding of float to float */
} Eval;

static bool eval_conversion(const Eval *eval, uint64_t a, uint64_t *result)
{
    unsigned in = eval->in->kind == TYPE_FLOAT ? vmc_float_etype(eval->in->format) : BVM_NONE;
    unsigned out = eval->out->kind == TYPE_FLOAT ? vmc_float_etype(eval->out->format) : BVM_NONE;
    unsigned width = is_intlike(eval->in) ? int_width(eval->in) : 0, out_width = is_intlike(eval->out) ? int_width(eval->out) : 0;
    switch (eval->row) {
    case BVM_OP_exts:
        *result = (uint64_t)num_sext(a, width);
        return width && out_width;
    case BVM_OP_extu:
        *result = num_zext(a, width);
        return width && out_width;
    case BVM_OP_fconv:
        if (!in || !out)
            return false;
        *result = num_float_convert(in, a, out, eval->mode);
        return true;
    case BVM_OP_sitof:
    case BVM_OP_uitof:
        if (!width || !out)
            return false;
        *result = num_int_to_float(width, eval->row == BVM_OP_sitof, a, out);
        return true;
    case BVM_OP_ftosi:
    case BVM_OP_ftoui:
        if (!in || !out_width)
            return false;
        *result = num_float_to_int(in, a, out_width, eval->row == BVM_OP_ftosi);
        return true;
    default:
        return false;
    }
}

static bool eval_element(const Eval *eval, const uint64_t slots[3], uint64_t *result)
{
    char form = bvm_ops[eval->row].form;
    bool done;
    if (form == '?') {
        *result = slots[0] & 1 ? slots[1] : slots[2];
        done = true;
    } else if (form == 'x') {
        done = eval_conversion(eval, slots[0], result);
    } else if (is_intlike(eval->in)) {
        done = num_eval_int(eval->row, int_width(eval->in), slots[0], slots[1], result);
    } else {
        done = num_eval(eval->row, vmc_float_etype(eval->in->format), BVM_NONE, slots[0], slots[1], slots[2], result);
    }
    if (done)
        *result = normal_slot(eval->out, *result);
    return done;
}

/* ---- whole ops ---------------------------------------------------------------------------------- */

static bool is_splat(const Attr *attr)
{
    return attr->kind != ATTR_DENSE || attr->splat;
}

/* Slots of element k of every operand. */
static bool operand_slots(const Op *op, const Attr *const *operands, uint64_t k, uint64_t slots[3])
{
    for (uint32_t i = 0; i < op->noperands; i++)
        if (!vmc_attr_slot(operands[i], k, &slots[i]))
            return false;
    return true;
}

static const Attr *fold_elements(Context *ctx, const Op *op, const Eval *eval, const Attr *const *operands)
{
    const Type *type = op->results[0].type;
    uint64_t slots[3] = {0}, result, width = vmc_elem_bytes(eval->out);
    bool splat = true;
    for (uint32_t i = 0; i < op->noperands; i++)
        splat &= is_splat(operands[i]);
    if (splat)
        return operand_slots(op, operands, 0, slots) && eval_element(eval, slots, &result) ? vmc_attr_of_slot(ctx, type, result)
                                                                                           : NULL;
    int64_t n;
    if (!vmc_num_elements(type, &n) || n <= 0 || n > FOLD_LIMIT)
        return NULL;
    uint8_t *data = vmc_arena_alloc(&ctx->arena, (size_t)((uint64_t)n * width));
    for (uint64_t k = 0; k < (uint64_t)n; k++) {
        if (!operand_slots(op, operands, k, slots) || !eval_element(eval, slots, &result))
            return NULL;
        put_slot(data + k * width, eval->out, width, result);
    }
    return vmc_attr_dense(ctx, type, data, (size_t)((uint64_t)n * width), false, true);
}

static bool is_int_constant(const Attr *attr, int64_t value)
{
    uint64_t slot;
    if (!attr || !attr->type || !is_splat(attr) || !is_intlike(vmc_elem_or_self(attr->type)) || !vmc_attr_slot(attr, 0, &slot))
        return false;
    return slot == normal_slot(vmc_elem_or_self(attr->type), (uint64_t)value);
}

/* Integer identities by row: which constant on the right leaves the left operand; which makes the result that constant. */
typedef struct Identity {
    unsigned row;
    bool has_neutral, has_absorber;
    int64_t neutral, absorber;
    char same; /* x op x: 'x' the operand, '0' zero, 0 nothing */
} Identity;

static const Identity identities[] = {
    {BVM_OP_addi, true, false, 0, 0, 0},      {BVM_OP_subi, true, false, 0, 0, '0'},     {BVM_OP_muli, true, true, 1, 0, 0},
    {BVM_OP_divsi, true, false, 1, 0, 0},     {BVM_OP_divui, true, false, 1, 0, 0},      {BVM_OP_ceildivsi, true, false, 1, 0, 0},
    {BVM_OP_ceildivui, true, false, 1, 0, 0}, {BVM_OP_floordivsi, true, false, 1, 0, 0}, {BVM_OP_andi, true, true, -1, 0, 'x'},
    {BVM_OP_ori, true, true, 0, -1, 'x'},     {BVM_OP_xori, true, false, 0, 0, '0'},     {BVM_OP_shli, true, false, 0, 0, 0},
    {BVM_OP_shrsi, true, false, 0, 0, 0},     {BVM_OP_shrui, true, false, 0, 0, 0},      {BVM_OP_maxsi, false, false, 0, 0, 'x'},
    {BVM_OP_minsi, false, false, 0, 0, 'x'},  {BVM_OP_maxui, false, false, 0, 0, 'x'},   {BVM_OP_minui, false, false, 0, 0, 'x'},
};

static const Identity *identity_of(unsigned row)
{
    for (size_t i = 0; i < sizeof identities / sizeof identities[0]; i++)
        if (identities[i].row == row)
            return &identities[i];
    return NULL;
}

static const Attr *zero_of(Context *ctx, const Type *type)
{
    return !vmc_is_shaped(type) || vmc_has_static_shape(type) ? vmc_attr_of_slot(ctx, type, 0) : NULL;
}

static bool fold_int_identity(Context *ctx, Op *op, unsigned row, const Attr *const *operands, const Attr **attrs, Value **values)
{
    const Identity *identity = identity_of(row);
    if (!identity || op->noperands != 2)
        return false;
    Value *a = op->operands[0].value, *b = op->operands[1].value;
    bool commutes = (op->def->traits & TRAIT_COMMUTATIVE) != 0;
    if (identity->has_neutral && is_int_constant(operands[1], identity->neutral))
        values[0] = a;
    else if (identity->has_neutral && commutes && is_int_constant(operands[0], identity->neutral))
        values[0] = b;
    else if (identity->has_absorber && is_int_constant(operands[1], identity->absorber))
        attrs[0] = operands[1];
    else if (identity->has_absorber && commutes && is_int_constant(operands[0], identity->absorber))
        attrs[0] = operands[0];
    else if (a == b && identity->same == 'x')
        values[0] = a;
    else if (a == b && identity->same == '0')
        attrs[0] = zero_of(ctx, op->results[0].type);
    return attrs[0] || values[0];
}

/* x cmp x for integers: whether equality satisfies the predicate, which the row itself says. */
static bool fold_self_compare(Context *ctx, Op *op, unsigned row, const Attr **attrs)
{
    const Type *type = op->results[0].type;
    uint64_t result;
    if (op->operands[0].value != op->operands[1].value || (vmc_is_shaped(type) && !vmc_has_static_shape(type)) ||
        !num_eval_int(row, 64, 0, 0, &result))
        return false;
    attrs[0] = vmc_attr_of_slot(ctx, type, result & 1);
    return true;
}

static bool fold_select(Op *op, const Attr *const *operands, Value **values)
{
    uint64_t slot;
    if (op->operands[1].value == op->operands[2].value)
        values[0] = op->operands[1].value;
    else if (operands[0] && is_splat(operands[0]) && vmc_attr_slot(operands[0], 0, &slot))
        values[0] = op->operands[slot & 1 ? 1 : 2].value;
    else if (is_int_constant(operands[1], 1) && is_int_constant(operands[2], 0) &&
             op->operands[0].value->type == op->results[0].type)
        values[0] = op->operands[0].value; /* i1: the condition itself */
    return values[0] != NULL;
}

/* An operation on the result of its inverse: negf(negf x), trunci(ext x), index_cast(index_cast x); all keep every bit. */
static bool fold_round_trip(Op *op, unsigned row, Value **values)
{
    Op *inner = op->noperands ? op->operands[0].value->op : NULL;
    if (!inner || op->noperands != 1 || inner->noperands != 1 || inner->operands[0].value->type != op->results[0].type)
        return false;
    int inner_row = vmc_numeric_row(inner);
    bool is_ext = inner_row == BVM_OP_exts || inner_row == BVM_OP_extu, takes_ext = row == BVM_OP_exts || row == BVM_OP_extu;
    const Type *middle = vmc_elem_or_self(op->operands[0].value->type), *outer = vmc_elem_or_self(op->results[0].type);
    bool round_trip = (row == BVM_OP_negf && inner_row == BVM_OP_negf) ||
                      (is_ext && takes_ext && is_intlike(middle) && is_intlike(outer) && int_width(middle) >= int_width(outer));
    if (round_trip)
        values[0] = inner->operands[0].value;
    return round_trip;
}

bool vmc_numeric_fold(Context *ctx, Op *op, const Attr *const *operands, const Attr **attrs, Value **values)
{
    int number = vmc_numeric_row(op);
    if (number < 0 || op->nresults != 1 || op->noperands == 0 || op->noperands > 3)
        return false;
    unsigned row = (unsigned)number;
    char form = bvm_ops[row].form;
    const Type *in = vmc_elem_or_self(op->operands[form == '?' ? 1 : 0].value->type), *out = vmc_elem_or_self(op->results[0].type);
    if (form == '?' && fold_select(op, operands, values))
        return true;
    if (vmc_is_memref(op->results[0].type) || !is_foldable(in) || !is_foldable(out))
        return false;
    bool constant = true;
    for (uint32_t i = 0; i < op->noperands; i++)
        constant &= operands[i] != NULL;
    if (constant) {
        int64_t mode = 0;
        vmc_get_int(op, "roundingmode", &mode);
        Eval eval = {row, in, out, (unsigned)mode};
        attrs[0] = fold_elements(ctx, op, &eval, operands);
        if (attrs[0])
            return true;
    }
    if (fold_round_trip(op, row, values))
        return true;
    if (!is_intlike(in))
        return false;
    return form == 'c' ? fold_self_compare(ctx, op, row, attrs) : fold_int_identity(ctx, op, row, operands, attrs, values);
}

/* arith.bitcast of a scalar or splat between numbers of one width: the slot's bits under another type. */
bool vmc_bitcast_fold(Context *ctx, Op *op, const Attr *const *operands, const Attr **attrs, Value **values)
{
    const Type *from = op->operands[0].value->type, *to = op->results[0].type;
    uint64_t slot;
    if (from == to) {
        values[0] = op->operands[0].value;
        return true;
    }
    if (!operands[0] || vmc_is_memref(to) || !is_foldable(vmc_elem_or_self(from)) || !is_foldable(vmc_elem_or_self(to)) ||
        !is_splat(operands[0]) || !vmc_attr_slot(operands[0], 0, &slot))
        return false;
    attrs[0] = vmc_attr_of_slot(ctx, to, normal_slot(vmc_elem_or_self(to), slot));
    return true;
}

bool vmc_fold_op(Context *ctx, Op *op, const Attr **attrs, Value **values)
{
    if (!op->def || !op->nresults || (!op->def->hooks.fold && !op->def->hooks.numeric))
        return false;
    const Attr *few[8];
    const Attr **operands = op->noperands <= 8 ? few : ARENA_ARRAY(&ctx->arena, const Attr *, op->noperands);
    for (uint32_t i = 0; i < op->noperands; i++)
        operands[i] = vmc_constant_of(op->operands[i].value);
    bool (*fold)(Context *, Op *, const Attr *const *, const Attr **, Value **) = op->def->hooks.fold;
    return (fold ? fold : vmc_numeric_fold)(ctx, op, operands, attrs, values);
}
