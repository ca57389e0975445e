/* Selection of ops that make another view of a buffer: only fields change, memory is not touched.
 *
 * Unranked memrefs carry their shape in a second buffer of i64: rank, offset, sizes, strides.
 */
#include "select.h"

#include "../../vm/bytecode/promises.h"

#include <stdio.h>

/* ---- mixed static and dynamic lists --------------------------------------------- */

typedef struct Mixed {
    Num *at;
    uint32_t n;
} Mixed;

static bool mixed_list(Fn *f, const Op *op, const char *statics, const char *group, Mixed *out)
{
    const int64_t *values = NULL;
    const Attr *attr = vmc_get_attr(op, statics);
    OperandRange dynamic = vmc_operand_group(op, group);
    ptrdiff_t n = attr ? vmc_attr_ints(f->ctx, attr, &values) : -1;
    if (n < 0) {
        vmc_fail(f, op, "attribute %s is missing", statics);
        return false;
    }
    out->at = ARENA_ARRAY(f->arena, Num, (size_t)n + 1);
    out->n = (uint32_t)n;
    uint32_t next = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        if (values[i] != VMC_DYNAMIC) {
            out->at[i] = vmc_num(values[i]);
        } else if (next < dynamic.count) {
            out->at[i] = vmc_get_num(f, vmc_operand(op, dynamic.first + next++));
        } else {
            vmc_fail(f, op, "too few operands for %s", statics);
            return false;
        }
    }
    return true;
}

static Num checked_size(Fn *f, const Op *op, Num size)
{
    if (size.lo < 0)
        vmc_insn(f, ROW(check_size), BVM_I64, REGS(vmc_use(f, size)), WIDE(vmc_text(f, "%s: a size is negative", op->name)));
    size.lo = size.lo < 0 ? 0 : size.lo;
    return size;
}

/* ---- subview ------------------------------------------------------------------------ */

static void check_range(Fn *f, Num offset, Num size, Num stride, Num bound, uint32_t dim)
{
    int64_t span, end;
    bool inside = offset.lo >= 0 && size.is_const && stride.is_const && size.c >= 0 && stride.c >= 0 && bound.is_const &&
                  !__builtin_mul_overflow(size.c - 1, stride.c, &span) && !__builtin_add_overflow(offset.hi, span, &end) &&
                  (size.c == 0 || end < bound.c);
    bool whole = offset.is_const && offset.c == 0 && stride.is_const && stride.c == 1 && vmc_same(size, bound);
    if (!inside && !whole)
        vmc_insn(f, ROW(check_range), BVM_I64,
                 REGS(vmc_use(f, offset), vmc_use(f, size), vmc_use(f, stride), vmc_use(f, bound), dim), NULL);
}

static bool may_equal(int64_t written, Num n)
{
    return written == VMC_DYNAMIC || !n.is_const || n.c == written;
}

/* Which dimensions of `full` make up the result type: the others have size 1.  kept[j] = dimension of `full`. */
static bool kept_dimensions(Fn *f, const View *full, const Type *type, uint32_t *kept)
{
    uint32_t rank = full->rank, want = type->rank;
    int64_t offset, *strides = ARENA_ARRAY(f->arena, int64_t, want + 1);
    if (want > rank || !vmc_memref_strides(f->ctx, type, &offset, strides))
        return false;
    /* fits[i][j]: dimensions i.. can be matched to result dimensions j..; from the back */
    bool *fits = ARENA_ARRAY(f->arena, bool, (size_t)(rank + 1) * (want + 1));
    bool *keeps = ARENA_ARRAY(f->arena, bool, (size_t)(rank + 1) * (want + 1));
    size_t row = want + 1;
    fits[rank * row + want] = true;
    for (uint32_t i = rank; i-- > 0;) {
        for (uint32_t j = 0; j <= want; j++) {
            Num size = full->sizes[i];
            bool drop = size.is_const && size.c == 1 && fits[(i + 1) * row + j];
            bool keep = j < want && (type->dims[j] == VMC_DYNAMIC ? !size.is_const : size.is_const && size.c == type->dims[j]) &&
                        may_equal(strides[j], full->strides[i]) && fits[(i + 1) * row + j + 1];
            if (!keep && j < want && !drop) /* types that say less than is known */
                keep = may_equal(type->dims[j], size) && fits[(i + 1) * row + j + 1];
            fits[i * row + j] = drop || keep;
            keeps[i * row + j] = keep;
        }
    }
    if (!fits[0])
        return false;
    uint32_t j = 0;
    for (uint32_t i = 0; i < rank; i++) {
        if (keeps[i * row + j])
            kept[j++] = i;
    }
    return j == want;
}

static void emit_subview(Fn *f, Op *op)
{
    View *source = vmc_get_view(f, vmc_operand(op, 0));
    const Type *type = op->results[0].type;
    Mixed offsets, sizes, strides;
    if (!source || !mixed_list(f, op, "static_offsets", "offsets", &offsets) ||
        !mixed_list(f, op, "static_sizes", "sizes", &sizes) || !mixed_list(f, op, "static_strides", "strides", &strides))
        return;
    if (offsets.n != source->rank || sizes.n != source->rank || strides.n != source->rank) {
        vmc_fail(f, op, "its lists do not have the rank of the source");
        return;
    }
    View *full = vmc_new_view(f, source->buffer, source->rank, source->elem);
    full->offset = source->offset;
    for (uint32_t i = 0; i < source->rank; i++) {
        check_range(f, offsets.at[i], sizes.at[i], strides.at[i], source->sizes[i], i);
        full->offset = vmc_mad(f, offsets.at[i], source->strides[i], full->offset);
        full->sizes[i] = sizes.at[i];
        full->sizes[i].lo = full->sizes[i].lo < 0 ? 0 : full->sizes[i].lo;
        full->strides[i] = vmc_mul(f, source->strides[i], strides.at[i]);
    }
    uint32_t *kept = ARENA_ARRAY(f->arena, uint32_t, source->rank + 1);
    if (!kept_dimensions(f, full, type, kept)) {
        vmc_fail(f, op, "its result type does not fit its sizes and strides");
        return;
    }
    View *view = vmc_new_view(f, source->buffer, type->rank, source->elem);
    view->offset = full->offset;
    for (uint32_t j = 0; j < type->rank; j++) {
        view->sizes[j] = full->sizes[kept[j]];
        view->strides[j] = full->strides[kept[j]];
    }
    vmc_set(f, &op->results[0], vmc_view_val(f, view));
}

/* ---- unranked --------------------------------------------------------------------------- */

static Num read_word(Fn *f, Reg descriptor, Num index)
{
    Reg r = vmc_reg(f, BANK_SCALAR);
    vmc_insn(f, ROW(load), BVM_I64, REGS(r, descriptor, vmc_use(f, index)), NULL);
    return vmc_num_reg(r);
}

static void write_word(Fn *f, Reg descriptor, uint32_t index, Num value)
{
    vmc_insn(f, ROW(store), BVM_I64, REGS(vmc_use(f, value), descriptor, vmc_use(f, vmc_num(index))), NULL);
}

static Val *to_unranked(Fn *f, const View *view)
{
    Val *v = ARENA_NEW(f->arena, Val);
    v->kind = VAL_UNRANKED;
    v->buffer = view->buffer;
    v->descriptor = vmc_alloc_bytes(f, vmc_num(8 * (2 + 2 * (int64_t)view->rank)), BVM_ALLOC_WRITTEN);
    write_word(f, v->descriptor, 0, vmc_num(view->rank));
    write_word(f, v->descriptor, 1, view->offset);
    for (uint32_t i = 0; i < view->rank; i++) {
        write_word(f, v->descriptor, 2 + i, view->sizes[i]);
        write_word(f, v->descriptor, 2 + view->rank + i, view->strides[i]);
    }
    return v;
}

/* A field that the result type fixes is checked once; one that it leaves open keeps what is known. */
static Num cast_field(Fn *f, Num known, int64_t written, const char *what, uint32_t dim)
{
    if (written == VMC_DYNAMIC || (known.is_const && known.c == written))
        return known;
    vmc_insn(f, ROW(check_equal), BVM_I64, REGS(vmc_use(f, known), vmc_use(f, vmc_num(written))),
             WIDE(vmc_text(f, "memref.cast: %s of dimension %u differs from the type's", what, dim)));
    return vmc_num(written);
}

/* Row-major types have no strides of their own: what a type with strides says must be that. */
static void check_row_major(Fn *f, const View *view)
{
    Num stride = vmc_num(1);
    for (uint32_t i = view->rank; i-- > 0;) {
        bool unused = view->sizes[i].is_const && view->sizes[i].c <= 1;
        if (!unused && !vmc_same(view->strides[i], stride))
            vmc_insn(f, ROW(check_equal), BVM_I64, REGS(vmc_use(f, view->strides[i]), vmc_use(f, stride)),
                     WIDE(vmc_text(f, "memref.cast: stride of dimension %u differs from the type's", i)));
        stride = i ? vmc_mul(f, stride, view->sizes[i]) : stride;
    }
}

static Val *cast_view(Fn *f, const View *source, const Type *from, const Type *type)
{
    int64_t offset, *strides = ARENA_ARRAY(f->arena, int64_t, type->rank + 1);
    if (!vmc_memref_strides(f->ctx, type, &offset, strides))
        return vmc_new_val(f, type); /* reports the layout */
    View *view = vmc_new_view(f, source->buffer, type->rank, type->elem);
    view->offset = cast_field(f, source->offset, offset, "offset", 0);
    for (uint32_t i = 0; i < type->rank; i++)
        view->sizes[i] = cast_field(f, source->sizes[i], type->dims[i], "size", i);
    for (uint32_t i = 0; i < type->rank; i++) {
        bool unused = view->sizes[i].is_const && view->sizes[i].c <= 1;
        view->strides[i] = unused ? source->strides[i] : cast_field(f, source->strides[i], strides[i], "stride", i);
    }
    if (vmc_row_major(type) && !(from->kind == TYPE_MEMREF && vmc_row_major(from)))
        check_row_major(f, view);
    return vmc_view_val(f, view);
}

static View *read_descriptor(Fn *f, const Val *v, const Type *type, const char *what)
{
    Num rank = read_word(f, v->descriptor, vmc_num(0));
    vmc_insn(f, ROW(check_equal), BVM_I64, REGS(vmc_use(f, rank), vmc_use(f, vmc_num(type->rank))),
             WIDE(vmc_text(f, "%s: the rank differs from the type's", what)));
    View *view = vmc_new_view(f, v->buffer, type->rank, type->elem);
    view->offset = read_word(f, v->descriptor, vmc_num(1));
    for (uint32_t i = 0; i < type->rank; i++) {
        view->sizes[i] = read_word(f, v->descriptor, vmc_num(2 + (int64_t)i));
        view->strides[i] = read_word(f, v->descriptor, vmc_num(2 + (int64_t)type->rank + i));
    }
    return view;
}

static void emit_cast(Fn *f, Op *op)
{
    Val *v = vmc_get(f, vmc_operand(op, 0)), *out = NULL;
    const Type *type = op->results[0].type;
    if (type->kind == TYPE_UNRANKED_MEMREF && v->kind == VAL_VIEW)
        out = to_unranked(f, v->view);
    else if (type->kind == TYPE_UNRANKED_MEMREF)
        out = v;
    else if (v->kind == VAL_UNRANKED)
        out = cast_view(f, read_descriptor(f, v, type, "memref.cast"), vmc_operand(op, 0)->type, type);
    else if (v->kind == VAL_VIEW && v->view->rank == type->rank)
        out = cast_view(f, v->view, vmc_operand(op, 0)->type, type);
    if (out)
        vmc_set(f, &op->results[0], out);
    else
        vmc_fail(f, op, "between these types");
}

static void emit_same(Fn *f, Op *op)
{
    if (op->nresults)
        vmc_set(f, &op->results[0], vmc_get(f, vmc_operand(op, 0)));
}

/* Under -g the address is looked at: that of a buffer is a number that is as aligned as was asked for. */
static void emit_assume_alignment(Fn *f, Op *op)
{
    int64_t alignment = 0;
    View *view = vmc_get_view(f, vmc_operand(op, 0));
    unsigned etype;
    if (view && f->e->pc->options->debug && vmc_get_int(op, "alignment", &alignment) && alignment > 1) {
        Reg base = vmc_reg(f, BANK_SCALAR);
        Num bytes = vmc_num((int64_t)vmc_storage_elem(view->elem, &etype));
        vmc_insn(f, ROW(buffer_address), BVM_NONE, REGS(base, view->buffer), NULL);
        Reg address = vmc_use(f, vmc_mad(f, view->offset, bytes, vmc_num_reg(base)));
        vmc_insn(f, ROW(report_values), BVM_I64, REGS(address, vmc_use(f, vmc_num(alignment)), BVM_PROMISE_ALIGN, 64), NULL);
    }
    emit_same(f, op);
}

/* ---- queries ----------------------------------------------------------------------------------- */

static void emit_rank(Fn *f, Op *op)
{
    Val *v = vmc_get(f, vmc_operand(op, 0));
    vmc_set_scalar(f, op, 0,
                   v->kind == VAL_UNRANKED ? read_word(f, v->descriptor, vmc_num(0)) : vmc_num(v->view ? v->view->rank : 0));
}

static Num choose_size(Fn *f, const View *view, Num index)
{
    Reg out = vmc_reg(f, BANK_SCALAR), i = vmc_use(f, index);
    Num chosen = view->rank ? view->sizes[0] : vmc_num(0);
    for (uint32_t k = 1; k < view->rank; k++) {
        Reg is = vmc_reg(f, BANK_SCALAR), next = vmc_reg(f, BANK_SCALAR);
        vmc_insn(f, ROW(cmpi_eq), BVM_I64, REGS(is, i, vmc_use(f, vmc_num(k))), NULL);
        vmc_insn(f, ROW(select), BVM_I64, REGS(next, is, vmc_use(f, view->sizes[k]), vmc_use(f, chosen)), NULL);
        chosen = vmc_num_reg(next);
    }
    vmc_assign(f, out, chosen);
    Num n = vmc_num_reg(out);
    n.lo = 0;
    return n;
}

static void check_dim(Fn *f, Num index, Num rank)
{
    vmc_insn(f, ROW(check_index), BVM_I64, REGS(vmc_use(f, index), vmc_use(f, rank), BVM_DIM_OF_RANK), NULL);
}

static void emit_dim(Fn *f, Op *op)
{
    Val *v = vmc_get(f, vmc_operand(op, 0));
    Num index = vmc_get_num(f, vmc_operand(op, 1));
    if (v->kind == VAL_UNRANKED) {
        Num rank = read_word(f, v->descriptor, vmc_num(0));
        check_dim(f, index, rank);
        Num size = read_word(f, v->descriptor, vmc_add(f, index, vmc_num(2)));
        size.lo = 0;
        vmc_set_scalar(f, op, 0, size);
        return;
    }
    View *view = vmc_get_view(f, vmc_operand(op, 0));
    if (!view)
        return;
    if (index.is_const && index.c >= 0 && index.c < view->rank) {
        vmc_set_scalar(f, op, 0, view->sizes[index.c]);
        return;
    }
    check_dim(f, index, vmc_num(view->rank));
    vmc_set_scalar(f, op, 0, choose_size(f, view, index));
}

static void emit_metadata(Fn *f, Op *op)
{
    View *view = vmc_get_view(f, vmc_operand(op, 0));
    if (!view || op->nresults != 2 + 2 * view->rank)
        return;
    View *base = vmc_new_view(f, view->buffer, 0, view->elem);
    vmc_set(f, &op->results[0], vmc_view_val(f, base));
    vmc_set_scalar(f, op, 1, view->offset);
    for (uint32_t i = 0; i < view->rank; i++) {
        vmc_set_scalar(f, op, 2 + i, view->sizes[i]);
        vmc_set_scalar(f, op, 2 + view->rank + i, view->strides[i]);
    }
}

static void emit_pointer(Fn *f, Op *op)
{
    Val *v = vmc_get(f, vmc_operand(op, 0));
    Reg r = vmc_reg(f, BANK_SCALAR), buffer = v->kind == VAL_VIEW ? v->view->buffer : v->buffer;
    vmc_insn(f, ROW(buffer_address), BVM_NONE, REGS(r, buffer), NULL);
    vmc_set_scalar(f, op, 0, vmc_num_reg(r));
}

/* ---- other shapes ----------------------------------------------------------------------------------- */

static void emit_reinterpret_cast(Fn *f, Op *op)
{
    Val *v = vmc_get(f, vmc_operand(op, 0));
    Mixed offsets, sizes, strides;
    if (!mixed_list(f, op, "static_offsets", "offsets", &offsets) || !mixed_list(f, op, "static_sizes", "sizes", &sizes) ||
        !mixed_list(f, op, "static_strides", "strides", &strides))
        return;
    const Type *type = op->results[0].type;
    if ((v->kind != VAL_VIEW && v->kind != VAL_UNRANKED) || offsets.n != 1 || sizes.n != type->rank || strides.n != type->rank) {
        vmc_fail(f, op, "its lists do not fit its result type");
        return;
    }
    View *view = vmc_new_view(f, v->kind == VAL_VIEW ? v->view->buffer : v->buffer, type->rank, type->elem);
    view->offset = offsets.at[0];
    for (uint32_t i = 0; i < type->rank; i++) {
        view->sizes[i] = checked_size(f, op, sizes.at[i]);
        view->strides[i] = strides.at[i];
    }
    vmc_set(f, &op->results[0], vmc_view_val(f, view));
}

typedef struct Group {
    uint32_t first, count;
} Group;

/* Consecutive groups of the reassociation attribute; NULL (reported) if they are not the dimensions 0 .. rank-1 in order. */
static Group *reassociation(Fn *f, const Op *op, uint32_t groups, uint32_t rank)
{
    const Attr *a = vmc_get_attr(op, "reassociation");
    Group *out = ARENA_ARRAY(f->arena, Group, groups + 1);
    uint32_t next = 0;
    bool ok = a && a->kind == ATTR_ARRAY && a->n == groups;
    for (uint32_t g = 0; ok && g < groups; g++) {
        const int64_t *dims = NULL;
        ptrdiff_t n = vmc_attr_ints(f->ctx, a->elems[g], &dims);
        ok = n > 0;
        out[g] = (Group){next, ok ? (uint32_t)n : 0};
        for (ptrdiff_t i = 0; ok && i < n; i++)
            ok = dims[i] == (int64_t)next++;
    }
    if (ok && (next == rank || groups == 0))
        return out;
    vmc_fail(f, op, "its reassociation does not list the dimensions in order");
    return NULL;
}

static Num divide_size(Fn *f, const Op *op, Num size, Num by)
{
    if (size.is_const && by.is_const && by.c > 0 && size.c % by.c == 0)
        return vmc_num(size.c / by.c);
    if (by.is_const && by.c == 1)
        return size;
    Reg quotient = vmc_reg(f, BANK_SCALAR), rest = vmc_reg(f, BANK_SCALAR), a = vmc_use(f, size), b = vmc_use(f, by);
    vmc_insn(f, ROW(remui), BVM_I64, REGS(rest, a, b), NULL);
    vmc_insn(f, ROW(check_equal), BVM_I64, REGS(rest, vmc_use(f, vmc_num(0))),
             WIDE(vmc_text(f, "%s: the size is no multiple of the static sizes", op->name)));
    vmc_insn(f, ROW(divui), BVM_I64, REGS(quotient, a, b), NULL);
    Num n = vmc_num_reg(quotient);
    n.lo = 0;
    return n;
}

/* Sizes of one group of an expand_shape: as given, or the one dynamic size is what the others leave. */
static bool group_sizes(Fn *f, const Op *op, const Type *type, Group g, Num whole, const Mixed *given, View *view)
{
    Num product = vmc_num(1);
    uint32_t open = UINT32_MAX;
    for (uint32_t i = g.first; i < g.first + g.count; i++) {
        bool is_given = given && i < given->n;
        if (is_given)
            view->sizes[i] = given->at[i];
        else if (type->dims[i] != VMC_DYNAMIC)
            view->sizes[i] = vmc_num(type->dims[i]);
        else if (open == UINT32_MAX)
            open = i;
        else {
            vmc_fail(f, op, "several dynamic sizes in one group without output_shape");
            return false;
        }
        if (open != i) {
            if (view->sizes[i].lo < 0)
                vmc_insn(f, ROW(check_size), BVM_I64, REGS(vmc_use(f, view->sizes[i])),
                         WIDE(vmc_text(f, "%s: a size is negative", op->name)));
            product = vmc_checked_mul(f, product, view->sizes[i], "memref.expand_shape: the sizes overflow");
        }
    }
    if (open != UINT32_MAX)
        view->sizes[open] = divide_size(f, op, whole, product);
    else if (!vmc_same(product, whole))
        vmc_insn(f, ROW(check_equal), BVM_I64, REGS(vmc_use(f, product), vmc_use(f, whole)),
                 WIDE(vmc_text(f, "%s: the sizes do not multiply to that of the source", op->name)));
    return true;
}

static void emit_expand_shape(Fn *f, Op *op)
{
    View *source = vmc_get_view(f, vmc_operand(op, 0));
    const Type *type = op->results[0].type;
    Mixed given = {0};
    if (!source || (vmc_get_attr(op, "static_output_shape") && !mixed_list(f, op, "static_output_shape", "output_shape", &given)))
        return;
    Group *groups = reassociation(f, op, source->rank, type->rank);
    if (!groups)
        return;
    View *view = vmc_new_view(f, source->buffer, type->rank, source->elem);
    view->offset = source->offset;
    for (uint32_t g = 0; g < source->rank; g++) {
        if (!group_sizes(f, op, type, groups[g], source->sizes[g], given.at ? &given : NULL, view))
            return;
        Num stride = source->strides[g];
        for (uint32_t i = groups[g].first + groups[g].count; i-- > groups[g].first;) {
            view->strides[i] = stride;
            stride = i > groups[g].first ? vmc_mul(f, stride, view->sizes[i]) : stride;
        }
    }
    for (uint32_t i = 0; source->rank == 0 && i < type->rank; i++) {
        view->sizes[i] = vmc_num(1);
        view->strides[i] = vmc_num(1);
    }
    vmc_set(f, &op->results[0], vmc_view_val(f, view));
}

static void emit_collapse_shape(Fn *f, Op *op)
{
    View *source = vmc_get_view(f, vmc_operand(op, 0));
    const Type *type = op->results[0].type;
    if (!source)
        return;
    Group *groups = reassociation(f, op, type->rank, source->rank);
    if (!groups)
        return;
    View *view = vmc_new_view(f, source->buffer, type->rank, source->elem);
    view->offset = source->offset;
    for (uint32_t g = 0; g < type->rank; g++) {
        Num size = vmc_num(1), stride = vmc_num(1);
        bool found = false;
        for (uint32_t i = groups[g].first + groups[g].count; i-- > groups[g].first;) {
            size = vmc_checked_mul(f, size, source->sizes[i], "memref.collapse_shape: the sizes overflow");
            bool one = source->sizes[i].is_const && source->sizes[i].c == 1;
            if (!found && (!one || i == groups[g].first)) { /* the innermost dimension that is more than one element */
                stride = source->strides[i];
                found = true;
                continue;
            }
        }
        view->sizes[g] = size;
        view->strides[g] = stride;
    }
    vmc_set(f, &op->results[0], vmc_view_val(f, view));
}

static void emit_transpose(Fn *f, Op *op)
{
    View *source = vmc_get_view(f, vmc_operand(op, 0));
    const Attr *a = vmc_get_attr(op, "permutation");
    if (!source)
        return;
    if (!a || a->kind != ATTR_MAP || a->map->nresults != source->rank) {
        vmc_fail(f, op, "its permutation does not have the rank of the source");
        return;
    }
    View *view = vmc_new_view(f, source->buffer, source->rank, source->elem);
    view->offset = source->offset;
    for (uint32_t i = 0; i < source->rank; i++) {
        const AffineExpr *e = a->map->results[i];
        if (e->kind != AFFINE_DIM || e->value >= source->rank) {
            vmc_fail(f, op, "its map is no permutation");
            return;
        }
        view->sizes[i] = source->sizes[e->value];
        view->strides[i] = source->strides[e->value];
    }
    vmc_set(f, &op->results[0], vmc_view_val(f, view));
}

static void emit_view(Fn *f, Op *op)
{
    View *source = vmc_get_view(f, vmc_operand(op, 0));
    const Type *type = op->results[0].type;
    OperandRange dynamic = vmc_operand_group(op, "sizes");
    unsigned etype;
    uint64_t elem_bytes = vmc_storage_elem(type->elem, &etype);
    if (!source)
        return;
    if (!elem_bytes || source->rank != 1 || vmc_storage_elem(source->elem, &etype) != 1) {
        vmc_fail(f, op, "its source must be a buffer of bytes, its result have elements with storage");
        return;
    }
    View *view = vmc_new_view(f, vmc_reg(f, BANK_BUFFER), type->rank, type->elem);
    Num bytes = vmc_num((int64_t)elem_bytes);
    uint32_t next = 0;
    for (uint32_t i = 0; i < type->rank; i++) {
        view->sizes[i] = type->dims[i] != VMC_DYNAMIC ? vmc_num(type->dims[i])
                         : next < dynamic.count       ? vmc_get_num(f, vmc_operand(op, dynamic.first + next))
                                                      : vmc_num(0);
        next += type->dims[i] == VMC_DYNAMIC;
        if (view->sizes[i].lo < 0)
            vmc_insn(f, ROW(check_size), BVM_I64, REGS(vmc_use(f, view->sizes[i])),
                     WIDE(vmc_text(f, "memref.view: a size is negative")));
        view->sizes[i].lo = view->sizes[i].lo < 0 ? 0 : view->sizes[i].lo;
        bytes = vmc_checked_mul(f, bytes, view->sizes[i], "memref.view: the sizes overflow");
    }
    vmc_contiguous(f, view, "memref.view: the sizes overflow");
    Num shift = vmc_add(f, source->offset, vmc_get_num(f, vmc_operand(op, 1)));
    vmc_insn(f, ROW(buffer_view), BVM_NONE, REGS(view->buffer, source->buffer, vmc_use(f, shift), vmc_use(f, bytes)), NULL);
    vmc_set(f, &op->results[0], vmc_view_val(f, view));
}

/* Product of sizes; of an unranked one those of its descriptor. */
static Num count_elements(Fn *f, const Val *v, const char *text)
{
    Num count = vmc_num(1);
    if (v->kind == VAL_VIEW) {
        for (uint32_t i = 0; i < v->view->rank; i++)
            count = vmc_checked_mul(f, count, v->view->sizes[i], text);
        return count;
    }
    Label top = vmc_label(f), end = vmc_label(f);
    Reg total = vmc_reg(f, BANK_SCALAR), i = vmc_reg(f, BANK_SCALAR);
    Reg one = vmc_use(f, vmc_num(1)), rank = vmc_use(f, read_word(f, v->descriptor, vmc_num(0)));
    Reg two = vmc_use(f, vmc_num(2)), at = vmc_reg(f, BANK_SCALAR);
    vmc_assign(f, total, count);
    vmc_assign(f, i, vmc_num(0));
    vmc_insn(f, ROW(jsge), BVM_I64, REGS(i, rank), WIDE(end));
    vmc_place(f, top);
    vmc_insn(f, ROW(addi), BVM_I64, REGS(at, i, two), NULL);
    Num size = read_word(f, v->descriptor, vmc_num_reg(at));
    vmc_insn(f, ROW(muli), BVM_I64, REGS(total, total, size.r), NULL);
    vmc_insn(f, ROW(loop), BVM_I64, REGS(i, one, rank), WIDE(top));
    vmc_place(f, end);
    return vmc_num_reg(total);
}

/* The shape operand's elements are sizes; the source is contiguous.  To an unranked result the descriptor is written from them. */
static void emit_reshape(Fn *f, Op *op)
{
    Val *source = vmc_get(f, vmc_operand(op, 0));
    View *shape = vmc_get_view(f, vmc_operand(op, 1));
    const Type *type = op->results[0].type;
    if (!shape)
        return;
    if (shape->rank != 1 || !shape->sizes[0].is_const || (type->kind == TYPE_MEMREF && (uint64_t)shape->sizes[0].c != type->rank) ||
        shape->sizes[0].c > 64) {
        vmc_fail(f, op, "its shape operand must have a static size, at most 64");
        return;
    }
    uint32_t rank = (uint32_t)shape->sizes[0].c;
    View *view = vmc_new_view(f, 0, rank, type->elem);
    view->buffer = source->kind == VAL_VIEW ? source->view->buffer : source->buffer;
    view->offset = source->kind == VAL_VIEW ? source->view->offset : read_word(f, source->descriptor, vmc_num(1));
    for (uint32_t i = 0; i < rank; i++) {
        Num at = vmc_num(i);
        Val *size = vmc_load_val(f, shape, &at);
        bool fixed = type->kind == TYPE_MEMREF && type->dims[i] != VMC_DYNAMIC;
        view->sizes[i] = fixed ? vmc_num(type->dims[i]) : size->num[0];
        if (fixed)
            vmc_insn(f, ROW(check_equal), BVM_I64, REGS(vmc_use(f, size->num[0]), vmc_use(f, view->sizes[i])),
                     WIDE(vmc_text(f, "memref.reshape: the shape gives another size than the type for dimension %u", i)));
        if (view->sizes[i].lo < 0)
            vmc_insn(f, ROW(check_size), BVM_I64, REGS(vmc_use(f, view->sizes[i])),
                     WIDE(vmc_text(f, "memref.reshape: a size is negative")));
        view->sizes[i].lo = view->sizes[i].lo < 0 ? 0 : view->sizes[i].lo;
    }
    vmc_contiguous(f, view, "memref.reshape: the sizes overflow");
    Num from = count_elements(f, source, "memref.reshape: the sizes overflow");
    Num to = count_elements(f, vmc_view_val(f, view), "memref.reshape: the sizes overflow");
    if (!vmc_same(from, to))
        vmc_insn(f, ROW(check_equal), BVM_I64, REGS(vmc_use(f, from), vmc_use(f, to)),
                 WIDE(vmc_text(f, "memref.reshape: the numbers of elements differ")));
    vmc_set(f, &op->results[0], type->kind == TYPE_MEMREF ? vmc_view_val(f, view) : to_unranked(f, view));
}

const EmitRow vmc_view_rows[] = {
    {"memref.subview", emit_subview},
    {"memref.cast", emit_cast},
    {"memref.memory_space_cast", emit_same},
    {"memref.assume_alignment", emit_assume_alignment},
    {"memref.rank", emit_rank},
    {"memref.dim", emit_dim},
    {"memref.extract_strided_metadata", emit_metadata},
    {"memref.extract_aligned_pointer_as_index", emit_pointer},
    {"memref.reinterpret_cast", emit_reinterpret_cast},
    {"memref.expand_shape", emit_expand_shape},
    {"memref.collapse_shape", emit_collapse_shape},
    {"memref.transpose", emit_transpose},
    {"memref.view", emit_view},
    {"memref.reshape", emit_reshape},
    {NULL, NULL},
};
