/* Selection of allocation and access: memref.alloc, load, store, copy, globals, atomics.
 *
 * Every index is checked against its dimension unless what is known of it proves it inside; the buffer's length is
 * checked by the instruction itself.
 */
#include "select.h"

#include <stdio.h>

/* Bytes of an element and the element type that moves it unchanged; 0 where it has no storage here. */
uint64_t vmc_storage_elem(const Type *elem, unsigned *etype)
{
    Slot slot;
    if (elem->kind == TYPE_COMPLEX && vmc_slot(elem->elem, &slot)) {
        unsigned part = bvm_elem_bytes(slot.memory);
        *etype = part == 8 ? BVM_C128 : part == 4 ? BVM_C64 : part == 2 ? BVM_I32 : BVM_I16;
        return 2 * part;
    }
    if (!vmc_slot(elem, &slot))
        return 0;
    *etype = slot.memory;
    return bvm_elem_bytes(slot.memory);
}

static bool elem_of(Fn *f, const Op *op, const Type *elem, unsigned *etype, uint64_t *bytes)
{
    *bytes = vmc_storage_elem(elem, etype);
    if (*bytes)
        return true;
    Text text = {.arena = f->arena};
    vmc_print_type(&text, elem);
    vmc_fail(f, op, "elements of type %s", text.at);
    return false;
}

/* ---- bounds ------------------------------------------------------------------- */

void vmc_check_index(Fn *f, Num index, Num size, uint32_t dim)
{
    bool below = size.is_const ? index.hi < size.c : (index.below && index.below == size.r) || index.hi < size.lo;
    if (index.lo >= 0 && below)
        return;
    if (size.is_const)
        vmc_insn(f, ROW(check_index_imm), BVM_I64, REGS(vmc_use(f, index), dim), WIDE((uint64_t)size.c));
    else
        vmc_insn(f, ROW(check_index), BVM_I64, REGS(vmc_use(f, index), size.r, dim), NULL);
}

static Num *checked_indices(Fn *f, const Op *op, const View *view)
{
    OperandRange range = vmc_operand_group(op, "indices");
    Num *indices = ARENA_ARRAY(f->arena, Num, view->rank + 1);
    if (range.count != view->rank) {
        vmc_fail(f, op, "%u indices for %u dimensions", range.count, view->rank);
        return NULL;
    }
    for (uint32_t i = 0; i < view->rank; i++) {
        indices[i] = vmc_get_num(f, vmc_operand(op, range.first + i));
        vmc_check_index(f, indices[i], view->sizes[i], i);
    }
    return indices;
}

/* ---- element access ---------------------------------------------------------------- */

/* offset + sum of index * stride, as the sum of a register and another number (0 if one is enough). */
static Num linear_index(Fn *f, const View *view, const Num *indices, Num *second)
{
    Num fixed = vmc_num(0), plain[2], sum = vmc_num(0);
    unsigned nplain = 0;
    *second = vmc_num(0);
    /* Terms without a multiplication start the chain of multiply-adds; constants join it last. */
    for (uint32_t i = 0; i <= view->rank; i++) {
        Num term = i < view->rank ? indices[i] : view->offset, stride = i < view->rank ? view->strides[i] : vmc_num(1);
        if (term.is_const && stride.is_const)
            fixed = vmc_add(f, fixed, vmc_mul(f, term, stride));
        else if (stride.is_const && stride.c == 1 && nplain < 2)
            plain[nplain++] = term;
        else if (stride.is_const && stride.c == 1)
            plain[1] = vmc_add(f, plain[1], term);
    }
    if (nplain == 2)
        sum = plain[0];
    for (uint32_t i = 0; i < view->rank; i++) {
        Num term = indices[i], stride = view->strides[i];
        if ((term.is_const && stride.is_const) || (stride.is_const && stride.c == 1))
            continue;
        sum = vmc_mad(f, term, stride, sum);
    }
    if (nplain == 1 && sum.is_const)
        sum = vmc_add(f, plain[0], sum);
    else if (nplain == 1) /* apart from the products, which an inner loop may not change */
        *second = plain[0];
    sum = vmc_add(f, sum, fixed);
    if (nplain == 2)
        *second = plain[1];
    return sum;
}

Num vmc_linear_index(Fn *f, const View *view, const Num *indices)
{
    Num second, first = linear_index(f, view, indices, &second);
    return vmc_add(f, first, second);
}

static Num part_index(Fn *f, Num index, unsigned part)
{
    return vmc_add(f, vmc_mul(f, index, vmc_num(2)), vmc_num(part));
}

static void access(Fn *f, bool store, unsigned etype, Reg value, Reg buffer, Num index, Num second)
{
    if (second.is_const)
        vmc_insn(f, store ? ROW(store) : ROW(load), etype, REGS(value, buffer, vmc_use(f, vmc_add(f, index, second))), NULL);
    else
        vmc_insn(f, store ? ROW(storex) : ROW(loadx), etype, REGS(value, buffer, vmc_use(f, index), second.r), NULL);
}

static Num load_slot(Fn *f, const Slot *slot, Reg buffer, Num index, Num second)
{
    Reg r = vmc_reg(f, BANK_SCALAR);
    access(f, false, slot->memory, r, buffer, index, second);
    bool odd = slot->width != 8 * bvm_elem_bytes(slot->memory) && slot->width > 1;
    if (slot->is_small)
        r = vmc_zext(f, r, slot->width);
    else if (odd)
        r = vmc_sext(f, r, slot->width);
    Num n = vmc_num_reg(r);
    if (!slot->is_float && slot->width < 64) {
        n.lo = slot->width == 1 ? 0 : -(INT64_C(1) << (slot->width - 1));
        n.hi = slot->width == 1 ? 1 : (INT64_C(1) << (slot->width - 1)) - 1;
    }
    return n;
}

static void store_slot(Fn *f, const Slot *slot, Reg buffer, Num index, Num second, Num value)
{
    Reg r = vmc_use(f, value);
    if (slot->width > 1 && slot->width < 8) /* the byte's upper bits are zero */
        r = vmc_zext(f, r, slot->width);
    access(f, true, slot->memory, r, buffer, index, second);
}

Val *vmc_load_val(Fn *f, const View *view, const Num *indices)
{
    Slot slot;
    Num second, index = linear_index(f, view, indices, &second);
    if (vmc_slot(view->elem, &slot))
        return vmc_scalar_val(f, load_slot(f, &slot, view->buffer, index, second));
    Val *v = ARENA_NEW(f->arena, Val);
    if (view->elem->kind == TYPE_COMPLEX && vmc_slot(view->elem->elem, &slot)) {
        v->kind = VAL_COMPLEX;
        index = vmc_add(f, index, second);
        for (unsigned part = 0; part < 2; part++)
            v->num[part] = load_slot(f, &slot, view->buffer, part_index(f, index, part), vmc_num(0));
    }
    return v;
}

void vmc_store_val(Fn *f, const View *view, const Num *indices, Val *val)
{
    Slot slot;
    Num second, index = linear_index(f, view, indices, &second);
    if (vmc_slot(view->elem, &slot) && val->kind == VAL_SCALAR) {
        store_slot(f, &slot, view->buffer, index, second, val->num[0]);
    } else if (view->elem->kind == TYPE_COMPLEX && vmc_slot(view->elem->elem, &slot) && val->kind == VAL_COMPLEX) {
        index = vmc_add(f, index, second);
        for (unsigned part = 0; part < 2; part++)
            store_slot(f, &slot, view->buffer, part_index(f, index, part), vmc_num(0), val->num[part]);
    }
}

void vmc_mark_parallel(Fn *f, unsigned what)
{
    if (f->e->pc->options->debug)
        vmc_insn(f, ROW(parallel), BVM_NONE, REGS(what), NULL);
}

/* Of an atomic update (expand_memref.c). */
static void mark_update(Fn *f, const Op *op, unsigned what)
{
    if (vmc_get_attr(op, "bufvm.atomic"))
        vmc_mark_parallel(f, what);
}

static void emit_load(Fn *f, Op *op)
{
    View *view = vmc_get_view(f, vmc_operand(op, 0));
    unsigned etype;
    uint64_t bytes;
    Num *indices = view && elem_of(f, op, view->elem, &etype, &bytes) ? checked_indices(f, op, view) : NULL;
    if (!indices)
        return;
    mark_update(f, op, MARK_ATOMIC);
    vmc_set(f, &op->results[0], vmc_load_val(f, view, indices));
    mark_update(f, op, MARK_PLAIN);
}

static void emit_store(Fn *f, Op *op)
{
    View *view = vmc_get_view(f, vmc_operand(op, 1));
    unsigned etype;
    uint64_t bytes;
    Num *indices = view && elem_of(f, op, view->elem, &etype, &bytes) ? checked_indices(f, op, view) : NULL;
    if (!indices)
        return;
    mark_update(f, op, MARK_ATOMIC);
    vmc_store_val(f, view, indices, vmc_get(f, vmc_operand(op, 0)));
    mark_update(f, op, MARK_PLAIN);
}

/* ---- allocation ------------------------------------------------------------------------- */

void vmc_contiguous(Fn *f, View *view, const char *what)
{
    Num stride = vmc_num(1);
    for (uint32_t i = view->rank; i-- > 0;) {
        view->strides[i] = stride;
        if (i)
            stride = vmc_checked_mul(f, stride, view->sizes[i], what);
    }
}

Reg vmc_alloc_bytes(Fn *f, Num bytes, uint64_t align)
{
    Reg buffer = vmc_reg(f, BANK_BUFFER);
    vmc_insn(f, ROW(buffer_alloc), BVM_NONE, REGS(buffer, vmc_use(f, bytes)), WIDE(align));
    return buffer;
}

/* Bytes from the first to behind the last element that the layout reaches.  Sizes are not negative. */
static Num view_bytes(Fn *f, const View *view, bool row_major, uint64_t elem_bytes)
{
    const char *text = "the size of an allocation overflows";
    Num elements = vmc_num(1);
    for (uint32_t i = 0; row_major && i < view->rank; i++)
        elements = vmc_checked_mul(f, elements, view->sizes[i], text);
    if (!row_major) {
        elements = vmc_add(f, vmc_num(1), view->offset);
        for (uint32_t i = 0; i < view->rank; i++) { /* a dynamic size may be 0: one stride more than needed, never less than none */
            Num steps = view->sizes[i].is_const ? vmc_num(view->sizes[i].c - 1) : view->sizes[i];
            elements = vmc_add(f, elements, vmc_checked_mul(f, steps, view->strides[i], text));
        }
        for (uint32_t i = 0; i < view->rank; i++) {
            if (view->sizes[i].is_const && view->sizes[i].c == 0)
                elements = vmc_num(0);
        }
    }
    return vmc_checked_mul(f, elements, vmc_num((int64_t)elem_bytes), text);
}

static bool alloc_sizes(Fn *f, const Op *op, View *view, const Type *type)
{
    OperandRange dynamic = vmc_operand_group(op, "dynamicSizes");
    uint32_t next = 0;
    for (uint32_t i = 0; i < type->rank; i++) {
        if (type->dims[i] != VMC_DYNAMIC) {
            view->sizes[i] = vmc_num(type->dims[i]);
            continue;
        }
        if (next == dynamic.count) {
            vmc_fail(f, op, "too few dynamic sizes");
            return false;
        }
        Num size = vmc_get_num(f, vmc_operand(op, dynamic.first + next++));
        if (size.lo < 0)
            vmc_insn(f, ROW(check_size), BVM_I64, REGS(vmc_use(f, size)),
                     WIDE(vmc_text(f, "%s: the size of dimension %u is negative", op->name, i)));
        size.lo = size.lo < 0 ? 0 : size.lo;
        view->sizes[i] = size;
    }
    return true;
}

static bool alloc_strides(Fn *f, const Op *op, View *view, const Type *type)
{
    if (vmc_row_major(type)) {
        vmc_contiguous(f, view, "the size of an allocation overflows");
        return true;
    }
    int64_t offset, *strides = ARENA_ARRAY(f->arena, int64_t, type->rank + 1);
    bool known = vmc_memref_strides(f->ctx, type, &offset, strides) && offset != VMC_DYNAMIC && offset >= 0;
    for (uint32_t i = 0; known && i < type->rank; i++)
        known = strides[i] != VMC_DYNAMIC && strides[i] >= 0;
    if (!known) {
        vmc_fail(f, op, "its layout has dynamic or negative strides");
        return false;
    }
    view->offset = vmc_num(offset);
    for (uint32_t i = 0; i < type->rank; i++)
        view->strides[i] = vmc_num(strides[i]);
    return true;
}

/* Workgroup local memory is shared with earlier calls: it is cleared unless the program writes it first. */
static void clear_local(Fn *f, Reg buffer, uint64_t bytes)
{
    Reg zero = vmc_use(f, vmc_num(0));
    Reg list[5] = {vmc_use(f, vmc_num((int64_t)bytes)), buffer, zero, vmc_use(f, vmc_num(1)), zero};
    vmc_insn_list(f, ROW(kernel), NULL, WIDE(1 | 1u << 16 | (uint64_t)BVM_I8 << 24, 0), list, 5, 5);
}

/* The program wrote this allocation, so it has to end it. */
static uint64_t owned(const Op *op)
{
    return vmc_get_attr(op, "bufvm.owned") ? BVM_ALLOC_OWNED : 0;
}

static void emit_alloc(Fn *f, Op *op)
{
    const Type *type = op->results[0].type;
    unsigned etype;
    uint64_t elem_bytes;
    int64_t alignment = 0, local = 0;
    if (!elem_of(f, op, type->elem, &etype, &elem_bytes))
        return;
    vmc_get_int(op, "alignment", &alignment);
    if (alignment < 0 || alignment > (1 << 20) || (alignment & (alignment - 1))) {
        vmc_fail(f, op, "alignment %lld is not a power of two up to %d", (long long)alignment, 1 << 20);
        return;
    }
    View *view = vmc_new_view(f, 0, type->rank, type->elem);
    if (!alloc_sizes(f, op, view, type) || !alloc_strides(f, op, view, type))
        return;
    Num bytes = view_bytes(f, view, vmc_row_major(type), elem_bytes);
    bool written = vmc_get_attr(op, "bufvm.written") != NULL;
    if (bytes.is_const && vmc_get_int(op, "bufvm.local", &local) && local >= 0) {
        view->buffer = vmc_reg(f, BANK_BUFFER);
        vmc_insn(f, ROW(buffer_local), BVM_NONE, REGS(view->buffer), WIDE((uint64_t)local, (uint64_t)bytes.c));
        uint64_t end = (uint64_t)local + (uint64_t)bytes.c;
        f->local_bytes = end > f->local_bytes ? end : f->local_bytes;
        if (!written && bytes.c)
            clear_local(f, view->buffer, (uint64_t)bytes.c);
    } else {
        view->buffer = vmc_alloc_bytes(f, bytes, (uint64_t)alignment | (written ? BVM_ALLOC_WRITTEN : 0) | owned(op));
    }
    vmc_set(f, &op->results[0], vmc_view_val(f, view));
}

/* The allocation that a view is of, through casts; NULL if it is not in sight. */
static Op *allocation_of(Value *value)
{
    while (value->op && vmc_has_trait(value->op, TRAIT_VIEW) && value->op->noperands)
        value = vmc_operand(value->op, 0);
    return value->op;
}

static void emit_dealloc(Fn *f, Op *op)
{
    Val *v = vmc_get(f, vmc_operand(op, 0));
    Op *made = allocation_of(vmc_operand(op, 0));
    Num zero = vmc_num(0), offset = v->kind == VAL_VIEW ? v->view->offset : zero;
    if (made && vmc_is(made, "memref.alloca")) {
        vmc_insn(f, ROW(assert), BVM_NONE, REGS(vmc_use(f, zero)),
                 WIDE(vmc_text(f, "dealloc of memory of memref.alloca, which goes with its function")));
        return;
    }
    if (!offset.is_const || offset.c != 0)
        vmc_insn(f, ROW(check_equal), BVM_I64, REGS(vmc_use(f, offset), vmc_use(f, zero)),
                 WIDE(vmc_text(f, "dealloc of a view: it starts inside its buffer")));
    if (made && vmc_get_attr(made, "bufvm.local"))
        return;
    Reg buffer = v->kind == VAL_VIEW ? v->view->buffer : v->buffer;
    if (buffer)
        vmc_insn(f, ROW(buffer_dealloc), BVM_NONE, REGS(buffer), NULL);
}

/* ---- copies ----------------------------------------------------------------------------------- */

static void push_view(Fn *f, RegList *list, const View *view)
{
    VEC_PUSH(f->arena, list, view->buffer);
    VEC_PUSH(f->arena, list, vmc_use(f, view->offset));
    for (uint32_t i = 0; i < view->rank; i++)
        VEC_PUSH(f->arena, list, vmc_use(f, view->strides[i]));
}

void vmc_copy_views(Fn *f, const View *to, const View *from, unsigned flags)
{
    enum { KERNEL_COPY = 2 };
    unsigned etype = BVM_I8;
    RegList list = {0};
    vmc_storage_elem(from->elem, &etype);
    for (uint32_t i = 0; i < to->rank; i++)
        VEC_PUSH(f->arena, &list, vmc_use(f, to->sizes[i]));
    push_view(f, &list, to);
    push_view(f, &list, from);
    uint64_t first = KERNEL_COPY | (uint64_t)to->rank << 16 | (uint64_t)etype << 24 | (uint64_t)etype << 32 | (uint64_t)flags << 48;
    vmc_insn_list(f, ROW(kernel), NULL, WIDE(first, 0), list.at, list.n, list.n);
}

static void emit_copy(Fn *f, Op *op)
{
    Val *from = vmc_get(f, vmc_operand(op, 0)), *to = vmc_get(f, vmc_operand(op, 1));
    unsigned etype;
    uint64_t bytes;
    if (from->kind != VAL_VIEW || to->kind != VAL_VIEW) {
        vmc_fail(f, op, "its operands must be ranked: memref.cast them first");
        return;
    }
    if (!elem_of(f, op, from->view->elem, &etype, &bytes))
        return;
    for (uint32_t i = 0; i < to->view->rank && i < from->view->rank; i++) {
        Num a = from->view->sizes[i], b = to->view->sizes[i];
        if (!vmc_same(a, b))
            vmc_insn(f, ROW(check_equal), BVM_I64, REGS(vmc_use(f, a), vmc_use(f, b)),
                     WIDE(vmc_text(f, "memref.copy: sizes of dimension %u differ", i)));
    }
    vmc_copy_views(f, to->view, from->view, vmc_get_attr(op, "bufvm.owned") ? BVM_COPY_APART : 0);
}

static void emit_realloc(Fn *f, Op *op)
{
    const Type *type = op->results[0].type;
    View *old = vmc_get_view(f, vmc_operand(op, 0));
    Value *dynamic = vmc_operand_named(op, "dynamicResultSize");
    unsigned etype;
    uint64_t elem_bytes;
    int64_t alignment = 0;
    if (!old || !elem_of(f, op, type->elem, &etype, &elem_bytes))
        return;
    vmc_get_int(op, "alignment", &alignment);
    View *view = vmc_new_view(f, 0, 1, type->elem);
    view->sizes[0] = dynamic ? vmc_get_num(f, dynamic) : vmc_num(type->dims[0]);
    view->strides[0] = vmc_num(1);
    if (view->sizes[0].lo < 0)
        vmc_insn(f, ROW(check_size), BVM_I64, REGS(vmc_use(f, view->sizes[0])),
                 WIDE(vmc_text(f, "memref.realloc: the size is negative")));
    Num bytes = vmc_checked_mul(f, view->sizes[0], vmc_num((int64_t)elem_bytes), "the size of an allocation overflows");
    view->buffer = vmc_alloc_bytes(f, bytes, (uint64_t)alignment | owned(op));
    View kept = *view, source = *old;
    Reg least = vmc_reg(f, BANK_SCALAR);
    vmc_insn(f, ROW(minsi), BVM_I64, REGS(least, vmc_use(f, view->sizes[0]), vmc_use(f, old->sizes[0])), NULL);
    Num n = vmc_num_reg(least);
    kept.sizes = source.sizes = &n;
    vmc_copy_views(f, &kept, &source, 0);
    Op *made = allocation_of(vmc_operand(op, 0));
    if (!made || !vmc_get_attr(made, "bufvm.local"))
        vmc_insn(f, ROW(buffer_dealloc), BVM_NONE, REGS(old->buffer), NULL);
    vmc_set(f, &op->results[0], vmc_view_val(f, view));
}

/* ---- globals --------------------------------------------------------------------------------------- */

static const Attr *global_data(const Attr *value)
{
    return value && (value->kind == ATTR_DENSE || value->kind == ATTR_RESOURCE) ? value : NULL;
}

/* The constant of a global's initial value, or -1 without one; false (reported) if it has no bytes or the wrong number. */
static bool global_constant(Fn *f, Op *global, uint64_t bytes, int64_t *constant)
{
    const Attr *value = vmc_get_attr(global, "initial_value");
    const Attr *data = global_data(value);
    *constant = -1;
    if (!value || value->kind == ATTR_UNIT)
        return true;
    if (!data || !data->data || (!data->splat && data->n != bytes) || data->n > bytes) {
        if (bytes == 0)
            return true;
        vmc_fail(f, global, "its initial value has no bytes to store");
        return false;
    }
    bool borrowed = data->n > 256;
    *constant = (int64_t)bvm_write_constant(f->e->writer, data->data, data->n, bytes, borrowed);
    return true;
}

/* The writer's number of a global or its constant, made at the first use. */
static bool global_number(Fn *f, Op *global, const Type *type, uint64_t *number, bool *is_constant)
{
    uint64_t known, elem_bytes;
    unsigned etype;
    int64_t count, constant, alignment = 0;
    if (vmc_map_get(&f->e->globals, MAP_KEY(global), &known)) {
        *number = known >> 1;
        *is_constant = known & 1;
        return true;
    }
    if (!vmc_num_elements(type, &count) || !elem_of(f, global, type->elem, &etype, &elem_bytes))
        return false;
    uint64_t bytes = vmc_mul_size(f->arena->memory, (size_t)count, elem_bytes);
    if (!global_constant(f, global, bytes, &constant))
        return false;
    vmc_get_int(global, "alignment", &alignment);
    bool read_only = vmc_get_attr(global, "constant") != NULL;
    *is_constant = read_only && constant >= 0 && alignment <= 64;
    const char *name = vmc_get_string(global, "sym_name");
    uint32_t align = alignment > 64 && alignment <= (1 << 20) && !(alignment & (alignment - 1)) ? (uint32_t)alignment : 64;
    *number =
        *is_constant ? (uint64_t)constant : bvm_write_global(f->e->writer, name ? name : "", bytes, align, constant, read_only);
    vmc_map_put(&f->e->globals, MAP_KEY(global), *number << 1 | *is_constant);
    return true;
}

static void emit_get_global(Fn *f, Op *op)
{
    const Attr *symbol = vmc_get_attr(op, "name");
    Op *global = symbol ? vmc_resolve_symbol(op, symbol) : NULL;
    uint64_t number;
    bool is_constant;
    if (!global || !vmc_is(global, "memref.global")) {
        vmc_fail(f, op, "no memref.global of that name");
        return;
    }
    if (!global_number(f, global, op->results[0].type, &number, &is_constant))
        return;
    Val *v = vmc_new_val(f, op->results[0].type);
    if (!v)
        return;
    vmc_insn(f, is_constant ? ROW(buffer_const) : ROW(buffer_global), BVM_NONE, REGS(v->view->buffer), WIDE(number));
    vmc_set(f, &op->results[0], v);
}

/* ---- read, modify, write ------------------------------------------------------------------------------- */

static unsigned atomic_row(int64_t kind)
{
    static const uint16_t rows[] = {ROW(addf),    ROW(addi),  0,         ROW(maximumf), ROW(maxsi), ROW(maxui), ROW(minimumf),
                                    ROW(minsi),   ROW(minui), ROW(mulf), ROW(muli),     ROW(ori),   ROW(andi),  ROW(maxnumf),
                                    ROW(minnumf), ROW(xori)};
    return kind >= 0 && kind < (int64_t)(sizeof rows / sizeof *rows) ? rows[kind] : 0;
}

/* One thread runs a function, so the three steps need no lock. */
static void emit_atomic_rmw(Fn *f, Op *op)
{
    View *view = vmc_get_view(f, vmc_operand(op, 1));
    int64_t kind = -1;
    Slot slot;
    if (!view)
        return;
    if (!vmc_get_int(op, "kind", &kind) || !vmc_slot(view->elem, &slot) || slot.is_small || (kind != 2 && !atomic_row(kind))) {
        vmc_fail(f, op, "this kind on these elements");
        return;
    }
    Num *indices = checked_indices(f, op, view);
    if (!indices)
        return;
    vmc_mark_parallel(f, MARK_ATOMIC);
    Val *old = vmc_load_val(f, view, indices), *value = vmc_get(f, vmc_operand(op, 0));
    if (kind != 2) {
        Reg out = vmc_reg(f, BANK_SCALAR);
        Reg a = vmc_use(f, old->num[0]), b = vmc_use(f, value->num[0]);
        vmc_insn(f, atomic_row(kind), slot.etype == BVM_I1 ? BVM_I8 : slot.etype, REGS(out, a, b), NULL);
        value = vmc_scalar_val(f, vmc_num_reg(slot.is_float ? out : vmc_normalise(f, out, slot.width)));
    }
    vmc_store_val(f, view, indices, value);
    vmc_mark_parallel(f, MARK_PLAIN);
    vmc_set(f, &op->results[0], old);
}

static void emit_generic_atomic_rmw(Fn *f, Op *op)
{
    View *view = vmc_get_view(f, vmc_operand(op, 0));
    Num *indices = view ? checked_indices(f, op, view) : NULL;
    Block *body = vmc_entry(op, 0);
    if (!indices || !body || body->nargs != 1)
        return;
    vmc_mark_parallel(f, MARK_ATOMIC);
    Val *old = vmc_load_val(f, view, indices), *fresh = vmc_new_val(f, view->elem);
    if (!fresh)
        return;
    Target target = {.to = &fresh, .n = 1};
    const Target *outer = f->yield;
    vmc_set(f, body->args[0], old);
    f->yield = &target;
    vmc_emit_block(f, body);
    f->yield = outer;
    vmc_store_val(f, view, indices, fresh);
    vmc_mark_parallel(f, MARK_PLAIN);
    vmc_set(f, &op->results[0], old);
}

static void emit_nothing(Fn *f, Op *op)
{
    (void)f;
    (void)op;
}

const EmitRow vmc_memory_rows[] = {
    {"memref.load", emit_load},
    {"memref.store", emit_store},
    {"memref.alloc", emit_alloc},
    {"memref.alloca", emit_alloc},
    {"memref.dealloc", emit_dealloc},
    {"memref.realloc", emit_realloc},
    {"memref.copy", emit_copy},
    {"memref.global", emit_nothing},
    {"memref.get_global", emit_get_global},
    {"memref.atomic_rmw", emit_atomic_rmw},
    {"memref.generic_atomic_rmw", emit_generic_atomic_rmw},
    {"memref.prefetch", emit_nothing},
    {NULL, NULL},
};
