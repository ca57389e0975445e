/* Values during selection: numbers with what is known of them, views, and the registers that stand for them.
 *
 * Arithmetic on numbers here is that of indices and addresses: 64 bits, wrapping, folded where both sides are known.
 */
#include "select.h"

#include <stdio.h>

static const Num unknown = {.lo = INT64_MIN, .hi = INT64_MAX};

bool vmc_slot(const Type *type, Slot *out)
{
    memset(out, 0, sizeof *out);
    if (type->kind == TYPE_INDEX) {
        *out = (Slot){BVM_I64, BVM_I64, 64, false, false};
        return true;
    }
    if (type->kind == TYPE_INT) {
        if (type->width == 0 || type->width > 64)
            return false;
        uint8_t wide = type->width <= 8 ? BVM_I8 : type->width <= 16 ? BVM_I16 : type->width <= 32 ? BVM_I32 : BVM_I64;
        *out = (Slot){type->width == 1 ? BVM_I1 : wide, type->width == 1 ? BVM_I1 : wide, (uint8_t)type->width, false, false};
        return true;
    }
    if (type->kind != TYPE_FLOAT || type->format > FLOAT_F4E2M1FN)
        return false;
    uint8_t etype = (uint8_t)(BVM_F16 + (type->format - FLOAT_F16));
    bool small = type->format > FLOAT_F64;
    uint8_t bits = (uint8_t)(type->format <= FLOAT_BF16 ? 16 : type->format == FLOAT_F32 ? 32 : type->format == FLOAT_F64 ? 64 : 8);
    *out = (Slot){etype, small ? BVM_I8 : etype, bits, true, small};
    if (type->format == FLOAT_F6E2M3FN || type->format == FLOAT_F6E3M2FN)
        out->width = 6;
    if (type->format == FLOAT_F4E2M1FN)
        out->width = 4;
    return true;
}

void vmc_fail(Fn *f, const Op *op, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    f->failed = true;
    vmc_error(&f->ctx->diag, op->pos, "cannot lower '%s': %s", op->name, text);
}

uint64_t vmc_text(Fn *f, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return bvm_write_string(f->e->writer, text, strlen(text));
}

Num vmc_num(int64_t c)
{
    return (Num){.is_const = true, .c = c, .lo = c, .hi = c};
}

Num vmc_num_reg(Reg r)
{
    Num n = unknown;
    n.r = r;
    return n;
}

void vmc_assign(Fn *f, Reg to, Num from)
{
    if (!from.is_const)
        vmc_insn(f, ROW(mov), BVM_NONE, REGS(to, from.r), NULL);
    else if (from.c >= INT16_MIN && from.c <= INT16_MAX)
        vmc_insn(f, ROW(imm16), BVM_NONE, REGS(to, (uint16_t)from.c), NULL);
    else
        vmc_insn(f, ROW(imm), BVM_NONE, REGS(to), WIDE((uint64_t)from.c));
}

enum { POOL_MAX = 1024 }; /* more distinct constants than that are made where they are used */

Reg vmc_use(Fn *f, Num n)
{
    if (!n.is_const)
        return n.r;
    uint64_t known = f->zero;
    if (n.c == 0 ? known != 0 : vmc_map_get(&f->constants, (uint64_t)n.c, &known))
        return (Reg)known;
    Reg r = vmc_reg(f, BANK_SCALAR);
    if (f->pool.n == POOL_MAX) {
        vmc_assign(f, r, n);
        return r;
    }
    VEC_PUSH(f->arena, &f->pool, n.c);
    VEC_PUSH(f->arena, &f->pool_regs, r);
    if (n.c == 0)
        f->zero = r;
    else
        vmc_map_put(&f->constants, (uint64_t)n.c, r);
    return r;
}

bool vmc_same(Num a, Num b)
{
    return a.is_const ? b.is_const && a.c == b.c : !b.is_const && a.r == b.r;
}

/* -- arithmetic on indices ----------------------------------------------------------------------------------------- */

static int64_t wrap_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
static int64_t wrap_mul(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static void add_range(Num *out, Num a, Num b)
{
    int64_t lo, hi;
    if (!__builtin_add_overflow(a.lo, b.lo, &lo) && !__builtin_add_overflow(a.hi, b.hi, &hi)) {
        out->lo = lo;
        out->hi = hi;
    }
}

static void mul_range(Num *out, Num a, Num b)
{
    int64_t p[4];
    if (__builtin_mul_overflow(a.lo, b.lo, &p[0]) || __builtin_mul_overflow(a.lo, b.hi, &p[1]) ||
        __builtin_mul_overflow(a.hi, b.lo, &p[2]) || __builtin_mul_overflow(a.hi, b.hi, &p[3]))
        return;
    out->lo = out->hi = p[0];
    for (int i = 1; i < 4; i++) {
        out->lo = p[i] < out->lo ? p[i] : out->lo;
        out->hi = p[i] > out->hi ? p[i] : out->hi;
    }
}

Num vmc_add(Fn *f, Num a, Num b)
{
    if (a.is_const && b.is_const)
        return vmc_num(wrap_add(a.c, b.c));
    if (a.is_const) {
        Num t = a;
        a = b;
        b = t;
    }
    if (b.is_const && b.c == 0)
        return a;
    Num out = vmc_num_reg(vmc_reg(f, BANK_SCALAR));
    if (b.is_const)
        vmc_insn(f, ROW(addi_imm), BVM_I64, REGS(out.r, a.r), WIDE((uint64_t)b.c));
    else
        vmc_insn(f, ROW(addi), BVM_I64, REGS(out.r, a.r, b.r), NULL);
    add_range(&out, a, b);
    if (b.is_const && b.c < 0 && a.lo > INT64_MIN - b.c)
        out.below = a.below; /* smaller than something that is below already, and it did not wrap */
    return out;
}

Num vmc_mul(Fn *f, Num a, Num b)
{
    if (a.is_const && b.is_const)
        return vmc_num(wrap_mul(a.c, b.c));
    if (a.is_const) {
        Num t = a;
        a = b;
        b = t;
    }
    if (b.is_const && b.c == 0)
        return vmc_num(0);
    if (b.is_const && b.c == 1)
        return a;
    Num out = vmc_num_reg(vmc_reg(f, BANK_SCALAR));
    if (b.is_const)
        vmc_insn(f, ROW(muli_imm), BVM_I64, REGS(out.r, a.r), WIDE((uint64_t)b.c));
    else
        vmc_insn(f, ROW(muli), BVM_I64, REGS(out.r, a.r, b.r), NULL);
    mul_range(&out, a, b);
    return out;
}

Num vmc_mad(Fn *f, Num a, Num b, Num c)
{
    if (a.is_const) {
        Num t = a;
        a = b;
        b = t;
    }
    if (a.is_const || c.is_const || (b.is_const && (b.c == 0 || b.c == 1)))
        return vmc_add(f, vmc_mul(f, a, b), c);
    Num product = unknown, out = vmc_num_reg(vmc_reg(f, BANK_SCALAR));
    if (b.is_const)
        vmc_insn(f, ROW(mad_imm), BVM_I64, REGS(out.r, a.r, c.r), WIDE((uint64_t)b.c));
    else
        vmc_insn(f, ROW(mad), BVM_I64, REGS(out.r, a.r, b.r, c.r), NULL);
    mul_range(&product, a, b);
    add_range(&out, product, c);
    return out;
}

Num vmc_checked_mul(Fn *f, Num a, Num b, const char *text)
{
    Num product = unknown;
    mul_range(&product, a, b);
    int64_t out;
    if (a.is_const && b.is_const && !__builtin_mul_overflow(a.c, b.c, &out))
        return vmc_num(out);
    if (a.is_const && (a.c == 0 || a.c == 1))
        return vmc_mul(f, a, b);
    if (b.is_const && (b.c == 0 || b.c == 1))
        return vmc_mul(f, a, b);
    if (product.hi < INT64_MAX && product.lo >= 0)
        return vmc_mul(f, a, b);
    /* The high half of 2ab is zero just where ab is below 2^63.  The trap names the factors. */
    Reg ra = vmc_use(f, a), rb = vmc_use(f, b), twice = vmc_reg(f, BANK_SCALAR), high = vmc_reg(f, BANK_SCALAR),
        low = vmc_reg(f, BANK_SCALAR);
    Label good = vmc_label(f);
    vmc_insn(f, ROW(addi), BVM_I64, REGS(twice, ra, ra), NULL);
    vmc_insn(f, ROW(mulhui), BVM_I64, REGS(high, twice, rb), NULL);
    vmc_insn(f, ROW(muli), BVM_I64, REGS(low, ra, rb), NULL);
    vmc_insn(f, ROW(jeq), BVM_I64, REGS(high, vmc_use(f, vmc_num(0))), WIDE(good));
    vmc_insn(f, ROW(check_equal), BVM_I64, REGS(ra, rb), WIDE(vmc_text(f, "%s, factors", text)));
    vmc_insn(f, ROW(unreachable), BVM_NONE, NULL, WIDE(vmc_text(f, "%s: a size times itself", text)));
    vmc_place(f, good);
    Num n = vmc_num_reg(low);
    n.lo = 0;
    return n;
}

/* -- values ------------------------------------------------------------------------------------------------------------ */

Val *vmc_scalar_val(Fn *f, Num n)
{
    Val *v = ARENA_NEW(f->arena, Val);
    v->kind = VAL_SCALAR;
    v->num[0] = n;
    return v;
}

Val *vmc_view_val(Fn *f, View *view)
{
    Val *v = ARENA_NEW(f->arena, Val);
    v->kind = VAL_VIEW;
    v->view = view;
    return v;
}

View *vmc_new_view(Fn *f, Reg buffer, uint32_t rank, const Type *elem)
{
    View *view = ARENA_NEW(f->arena, View);
    view->buffer = buffer;
    view->rank = rank;
    view->elem = elem;
    view->offset = vmc_num(0);
    view->sizes = ARENA_ARRAY(f->arena, Num, rank + 1);
    view->strides = ARENA_ARRAY(f->arena, Num, rank + 1);
    return view;
}

static Num open_field(Fn *f, int64_t written)
{
    return written == VMC_DYNAMIC ? vmc_num_reg(vmc_reg(f, BANK_SCALAR)) : vmc_num(written);
}

static View *view_of_type(Fn *f, const Type *type)
{
    int64_t offset = 0;
    int64_t *strides = ARENA_ARRAY(f->arena, int64_t, type->rank + 1);
    if (!vmc_memref_strides(f->ctx, type, &offset, strides))
        return NULL;
    View *view = vmc_new_view(f, vmc_reg(f, BANK_BUFFER), type->rank, type->elem);
    view->offset = open_field(f, offset);
    for (uint32_t i = 0; i < type->rank; i++) {
        view->sizes[i] = open_field(f, type->dims[i]);
        view->sizes[i].lo = view->sizes[i].is_const ? view->sizes[i].lo : 0;
    }
    for (uint32_t i = 0; i < type->rank; i++)
        view->strides[i] = open_field(f, strides[i]);
    return view;
}

static Val *no_form(Fn *f, const Type *type)
{
    Text text = {.arena = f->arena};
    vmc_print_type(&text, type);
    f->failed = true;
    vmc_error(&f->ctx->diag, f->pos, "cannot lower a value of type %s%s", text.at ? text.at : "?",
              type->kind == TYPE_MEMREF ? ": its layout is not strided" : "");
    return NULL;
}

Val *vmc_new_val(Fn *f, const Type *type)
{
    Val *v = ARENA_NEW(f->arena, Val);
    Slot slot;
    if (vmc_slot(type, &slot)) {
        v->kind = VAL_SCALAR;
        v->num[0] = vmc_num_reg(vmc_reg(f, BANK_SCALAR));
    } else if (type->kind == TYPE_FUNCTION) {
        v->kind = VAL_SCALAR;
        v->num[0] = vmc_num_reg(vmc_reg(f, BANK_SCALAR));
    } else if (type->kind == TYPE_COMPLEX && vmc_slot(type->elem, &slot)) {
        v->kind = VAL_COMPLEX;
        v->num[0] = vmc_num_reg(vmc_reg(f, BANK_SCALAR));
        v->num[1] = vmc_num_reg(vmc_reg(f, BANK_SCALAR));
    } else if (type->kind == TYPE_MEMREF) {
        v->kind = VAL_VIEW;
        v->view = view_of_type(f, type);
        if (!v->view)
            return no_form(f, type);
    } else if (type->kind == TYPE_UNRANKED_MEMREF) {
        v->kind = VAL_UNRANKED;
        v->buffer = vmc_reg(f, BANK_BUFFER);
        v->descriptor = vmc_reg(f, BANK_BUFFER);
    } else {
        return no_form(f, type);
    }
    return v;
}

Val *vmc_get(Fn *f, Value *value)
{
    Val *v = vmc_map_ptr(&f->values, value);
    if (v)
        return v;
    /* Code that no path reaches may use a value that was never made; and one whose op was refused stands for itself. */
    v = vmc_new_val(f, value->type);
    if (!v) {
        v = ARENA_NEW(f->arena, Val);
        v->kind = VAL_NOTHING;
    }
    vmc_set(f, value, v);
    return v;
}

void vmc_set(Fn *f, Value *value, Val *val)
{
    vmc_map_put_ptr(&f->values, value, val);
}

Num vmc_get_num(Fn *f, Value *value)
{
    Val *v = vmc_get(f, value);
    return v->kind == VAL_SCALAR ? v->num[0] : vmc_num(0);
}

Reg vmc_get_reg(Fn *f, Value *value)
{
    return vmc_use(f, vmc_get_num(f, value));
}

View *vmc_get_view(Fn *f, Value *value)
{
    Val *v = vmc_get(f, value);
    if (v->kind == VAL_VIEW)
        return v->view;
    if (!f->failed)
        no_form(f, value->type);
    return NULL;
}

void vmc_set_scalar(Fn *f, Op *op, uint32_t result, Num n)
{
    vmc_set(f, &op->results[result], vmc_scalar_val(f, n));
}

static void copy_num(Fn *f, Copies *copies, Num to, Num from)
{
    if (to.is_const)
        return; /* the type says it: verified to agree */
    VEC_PUSH(f->arena, copies, ((Copy){to.r, from}));
}

void vmc_copy_val(Fn *f, Copies *copies, Val *to, Val *from)
{
    if (to->kind != from->kind)
        return; /* an error was reported */
    switch (to->kind) {
    case VAL_NOTHING:
        break;
    case VAL_COMPLEX:
        copy_num(f, copies, to->num[1], from->num[1]);
        copy_num(f, copies, to->num[0], from->num[0]);
        break;
    case VAL_SCALAR:
        copy_num(f, copies, to->num[0], from->num[0]);
        break;
    case VAL_UNRANKED:
        VEC_PUSH(f->arena, copies, ((Copy){to->buffer, vmc_num_reg(from->buffer)}));
        VEC_PUSH(f->arena, copies, ((Copy){to->descriptor, vmc_num_reg(from->descriptor)}));
        break;
    case VAL_VIEW:
        VEC_PUSH(f->arena, copies, ((Copy){to->view->buffer, vmc_num_reg(from->view->buffer)}));
        copy_num(f, copies, to->view->offset, from->view->offset);
        for (uint32_t i = 0; i < to->view->rank; i++) {
            copy_num(f, copies, to->view->sizes[i], from->view->sizes[i]);
            copy_num(f, copies, to->view->strides[i], from->view->strides[i]);
        }
        break;
    }
}

bool vmc_row_major(const Type *memref)
{
    return !memref->layout || (memref->layout->kind == ATTR_MAP && vmc_map_is_identity(memref->layout->map));
}

/* -- registers of calls ------------------------------------------------------------------------------------------------ */

void vmc_abi_regs(Fn *f, const Type *type, Val *val, RegList *out)
{
    switch (val->kind) {
    case VAL_NOTHING:
        break;
    case VAL_COMPLEX:
        VEC_PUSH(f->arena, out, vmc_use(f, val->num[0]));
        VEC_PUSH(f->arena, out, vmc_use(f, val->num[1]));
        break;
    case VAL_SCALAR:
        VEC_PUSH(f->arena, out, vmc_use(f, val->num[0]));
        break;
    case VAL_UNRANKED:
        VEC_PUSH(f->arena, out, val->buffer);
        VEC_PUSH(f->arena, out, val->descriptor);
        break;
    case VAL_VIEW: {
        int64_t offset = 0;
        int64_t *strides = ARENA_ARRAY(f->arena, int64_t, type->rank + 1);
        vmc_memref_strides(f->ctx, type, &offset, strides);
        VEC_PUSH(f->arena, out, val->view->buffer);
        if (offset == VMC_DYNAMIC)
            VEC_PUSH(f->arena, out, vmc_use(f, val->view->offset));
        for (uint32_t i = 0; i < type->rank; i++) {
            if (type->dims[i] == VMC_DYNAMIC)
                VEC_PUSH(f->arena, out, vmc_use(f, val->view->sizes[i]));
        }
        for (uint32_t i = 0; !vmc_row_major(type) && i < type->rank; i++) {
            if (strides[i] == VMC_DYNAMIC)
                VEC_PUSH(f->arena, out, vmc_use(f, val->view->strides[i]));
        }
        break;
    }
    }
}

char *vmc_abi_banks(Context *ctx, Arena *arena, const Type *type)
{
    Slot slot;
    Text text = {.arena = arena};
    if (vmc_slot(type, &slot) || type->kind == TYPE_FUNCTION) {
        vmc_text_str(&text, "s");
    } else if (type->kind == TYPE_COMPLEX && vmc_slot(type->elem, &slot)) {
        vmc_text_str(&text, "ss");
    } else if (type->kind == TYPE_UNRANKED_MEMREF) {
        vmc_text_str(&text, "bb");
    } else if (type->kind == TYPE_MEMREF) {
        int64_t offset = 0;
        int64_t *strides = ARENA_ARRAY(arena, int64_t, type->rank + 1);
        if (!vmc_memref_strides(ctx, type, &offset, strides))
            return NULL;
        vmc_text_str(&text, offset == VMC_DYNAMIC ? "bs" : "b");
        for (uint32_t i = 0; i < type->rank; i++)
            vmc_text_str(&text, type->dims[i] == VMC_DYNAMIC ? "s" : "");
        for (uint32_t i = 0; !vmc_row_major(type) && i < type->rank; i++)
            vmc_text_str(&text, strides[i] == VMC_DYNAMIC ? "s" : "");
    } else {
        return NULL;
    }
    return text.at;
}

char *vmc_function_banks(Context *ctx, Arena *arena, const Type *function)
{
    Text text = {.arena = arena};
    for (uint32_t i = 0; i < function->nins + function->nouts; i++) {
        if (i == function->nins)
            vmc_text_str(&text, ":");
        const char *banks = vmc_abi_banks(ctx, arena, i < function->nins ? function->ins[i] : function->outs[i - function->nins]);
        if (!banks)
            return NULL;
        vmc_text_str(&text, banks);
    }
    if (function->nouts == 0)
        vmc_text_str(&text, ":");
    return text.at;
}

void vmc_complete_view(Fn *f, const Type *type, Val *val)
{
    if (val->kind != VAL_VIEW || !vmc_row_major(type))
        return;
    Num stride = vmc_num(1);
    for (uint32_t i = type->rank; i-- > 0;) {
        val->view->strides[i] = stride;
        stride = i ? vmc_mul(f, stride, val->view->sizes[i]) : stride;
    }
}
