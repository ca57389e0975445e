/* Values of the outside world into registers and back (the convention of types is in bytecode/writer.h).
 *
 * Whatever comes in is checked against the type; whatever a module gives out is checked against its
 * buffer, since sizes and strides are numbers that the module computed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../memory/endian.h"
#include "exec.h"

static uint64_t *next_scalar(BvmSlots *slots)
{
    return slots->list ? &slots->s[bvm_list(slots->list, slots->at++)] : slots->s++;
}
static BvmReg *next_buffer(BvmSlots *slots)
{
    return slots->list ? &slots->b[bvm_list(slots->list, slots->at++)] : slots->b++;
}

static void set_buffer(BvmSlots *slots, BvmReg reg)
{
    BvmReg *to = next_buffer(slots);
    bvm_reg_drop(to);
    *to = reg;
}

/* -- shapes ---------------------------------------------------------------------------------------- */

/* Elements of a strided shape relative to its first: count, lowest, highest.  false: a dimension is negative or a number overflows.
 */
typedef struct Extent {
    uint64_t count;
    int64_t low, high;
} Extent;

static bool extent_of(uint32_t rank, const int64_t *dims, const int64_t *strides, Extent *out)
{
    *out = (Extent){.count = 1};
    bool empty = false;
    for (uint32_t i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return false;
        empty |= dims[i] == 0;
    }
    if (empty) {
        out->count = 0;
        return true;
    }
    for (uint32_t i = 0; i < rank; i++) {
        int64_t way;
        if (__builtin_mul_overflow(out->count, (uint64_t)dims[i], &out->count) || out->count > INT64_MAX ||
            __builtin_mul_overflow(dims[i] - 1, strides[i], &way))
            return false;
        int64_t *end = way < 0 ? &out->low : &out->high;
        if (__builtin_add_overflow(*end, way, end))
            return false;
    }
    return true;
}

static bool row_major(uint32_t rank, const int64_t *dims, int64_t *strides)
{
    int64_t step = 1;
    for (uint32_t i = rank; i-- > 0;) {
        strides[i] = step;
        if (dims[i] < 0 || (dims[i] && __builtin_mul_overflow(step, dims[i], &step)))
            return false;
    }
    return true;
}

static bool is_row_major(uint32_t rank, const int64_t *dims, const int64_t *strides)
{
    int64_t step = 1;
    for (uint32_t i = rank; i-- > 0;) {
        if (dims[i] == 0)
            return true;
        if (dims[i] != 1 && strides[i] != step)
            return false;
        if (__builtin_mul_overflow(step, dims[i], &step))
            return false;
    }
    return true;
}

/* -- texts ----------------------------------------------------------------------------------------- */

static void value_text(const BufvmValue *value, char *out, size_t n)
{
    const char *elem;
    switch (value->kind) {
    case BUFVM_SCALAR:
        elem = bvm_elem_name(value->elem);
        snprintf(out, n, "a scalar %s", elem ? elem : "of unknown type");
        return;
    case BUFVM_VIEW:
    case BUFVM_STRIDED: {
        size_t at = 0;
        for (uint32_t i = 0; i < value->view.rank && i < BUFVM_MAX_RANK && at < n; i++)
            at += (size_t)snprintf(out + at, n - at, "%" PRId64 "x", value->view.dims[i]);
        elem = bvm_elem_name(value->view.elem);
        if (at < n)
            snprintf(out + at, n - at, "%s%s%s", elem ? elem : "unknown type", value->kind == BUFVM_STRIDED ? " with strides" : "",
                     value->view.buffer ? "" : " without a buffer");
        return;
    }
    case BUFVM_NOTHING:
        snprintf(out, n, "nothing");
        return;
    default:
        snprintf(out, n, "a value of unknown kind %d", (int)value->kind);
    }
}

static BufvmStatus mismatch(const BufvmType *type, const BufvmValue *value, BufvmError *error)
{
    char got[256];
    value_text(value, got, sizeof got);
    return bvm_error(error, BUFVM_INVALID_ARGUMENT, "expected %s, got %s", type->written ? type->written : "another type", got);
}

/* -- in -------------------------------------------------------------------------------------------- */

static BufvmStatus scalar_in(const BufvmType *type, const BufvmValue *value, BvmSlots *slots, BufvmError *error)
{
    if (value->kind != BUFVM_SCALAR || value->elem != type->elem)
        return mismatch(type, value, error);
    unsigned bits = bvm_elem_bits(type->elem);
    char class = bvm_elem_class(type->elem);
    if (class == 'C') {
        uint64_t mask = bits == 128 ? UINT64_MAX : UINT32_MAX;
        *next_scalar(slots) = value->bits & mask;
        *next_scalar(slots) = value->bits2 & mask;
    } else if (class == 'I' && bits > 1) {
        *next_scalar(slots) = (uint64_t)num_sext(value->bits, bits);
    } else {
        *next_scalar(slots) = num_zext(value->bits, bits);
    }
    return BUFVM_OK;
}

/* Strides of a view from outside, after its type, shape and place in its buffer were checked. */
static BufvmStatus check_view(const BufvmType *type, const BufvmValue *value, int64_t *strides, Extent *extent, BufvmError *error)
{
    const BufvmView *view = &value->view;
    if ((value->kind != BUFVM_VIEW && value->kind != BUFVM_STRIDED) || !view->buffer || view->elem != type->elem ||
        view->rank > BUFVM_MAX_RANK || (type->kind == BUFVM_VIEW && view->rank != type->rank))
        return mismatch(type, value, error);
    for (uint32_t i = 0; i < view->rank; i++)
        if (view->dims[i] < 0 || (type->kind == BUFVM_VIEW && type->dims[i] >= 0 && type->dims[i] != view->dims[i]))
            return mismatch(type, value, error);
    bool fits = true;
    if (value->kind == BUFVM_STRIDED)
        memcpy(strides, value->strides, view->rank * sizeof *strides);
    else
        fits = row_major(view->rank, view->dims, strides);
    fits = fits && extent_of(view->rank, view->dims, strides, extent);
    int64_t bytes = (int64_t)bvm_elem_bytes(view->elem), low, high;
    uint64_t size = view->buffer->bytes;
    fits = fits && view->offset <= size;
    if (fits && extent->count)
        fits = !__builtin_mul_overflow(extent->low, bytes, &low) && !__builtin_mul_overflow(extent->high + 1, bytes, &high) &&
               !__builtin_add_overflow(low, (int64_t)view->offset, &low) &&
               !__builtin_add_overflow(high, (int64_t)view->offset, &high) && low >= 0 && (uint64_t)high <= size;
    if (fits)
        return BUFVM_OK;
    char got[256];
    value_text(value, got, sizeof got);
    return bvm_error(error, BUFVM_INVALID_ARGUMENT, "%s at byte %" PRIu64 " does not fit into a buffer of %" PRIu64 " bytes", got,
                     view->offset, size);
}

/* Where the elements of a view lie: bytes of a buffer, and the element offset that goes with strides. */
typedef struct Place {
    int64_t base, offset;
    uint64_t length;
} Place;

/* The caller holds its own buffers while the call runs; those of the pool the program may free, so they are counted. */
static inline void place_in(BufvmContext *context, const BufvmType *type, BufvmBuffer *block, const Place *place, BvmSlots *slots)
{
    uintptr_t owner = (uintptr_t)block;
    unsigned flags = atomic_load_explicit(&block->flags, memory_order_relaxed);
    bool writable = type->is_memref && !(flags & BVM_READ_ONLY);
    if (!atomic_load_explicit(&block->address, memory_order_relaxed))
        bvm_block_address(block, &context->main.next_address, 64);
    if (slots->is_export && block->pool != context->pool)
        owner |= BVM_BORROWED;
    else
        bufvm_buffer_retain(block);
    set_buffer(slots, (BvmReg){block->data ? block->data + place->base : NULL, place->length, writable ? place->length : 0, owner});
}

/* Most views: the type asks for row-major at offset 0, the value is row-major and not empty.  false: look closer. */
static bool plain_in(BufvmContext *context, const BufvmType *type, const BvmTypeExtra *extra, const BufvmValue *value,
                     BvmSlots *slots)
{
    const BufvmView *view = &value->view;
    if (value->kind != BUFVM_VIEW || extra->strides || extra->offset != 0 || !view->buffer || view->elem != type->elem ||
        view->rank != type->rank)
        return false;
    uint64_t bytes = bvm_elem_bytes(type->elem), size = view->buffer->bytes;
    bool good = true;
    for (uint32_t i = 0; i < type->rank; i++) {
        good &= view->dims[i] > 0 && (type->dims[i] < 0 || type->dims[i] == view->dims[i]);
        good &= !__builtin_mul_overflow(bytes, (uint64_t)view->dims[i], &bytes);
    }
    if (!good || view->offset > size || bytes > size - view->offset)
        return false;
    place_in(context, type, view->buffer, &(Place){(int64_t)view->offset, 0, bytes}, slots);
    for (uint32_t i = 0; i < type->rank; i++)
        if (type->dims[i] < 0)
            *next_scalar(slots) = (uint64_t)view->dims[i];
    return true;
}

static __attribute__((noinline)) BufvmStatus ranked_in(BufvmContext *context, const BufvmType *type, const BvmTypeExtra *extra,
                                                       const BufvmValue *value, BvmSlots *slots, BufvmError *error)
{
    int64_t strides[BUFVM_MAX_RANK];
    Extent extent;
    BufvmStatus status = check_view(type, value, strides, &extent, error);
    if (status)
        return status;
    const BufvmView *view = &value->view;
    bool layout = extra->strides || is_row_major(view->rank, view->dims, strides);
    for (uint32_t i = 0; extra->strides && i < view->rank; i++)
        layout &= extra->strides[i] == BVM_DYNAMIC_STRIDE || extra->strides[i] == strides[i] || view->dims[i] <= 1 || !extent.count;
    if (!layout)
        return mismatch(type, value, error);
    BufvmBuffer *block = view->buffer;
    int64_t bytes = (int64_t)bvm_elem_bytes(view->elem);
    int64_t first = (int64_t)view->offset, low = first + extent.low * bytes,
            high = extent.count ? first + (extent.high + 1) * bytes : first;
    int64_t base = low, offset = -extent.low;
    if (extra->offset >= 0) {
        int64_t before;
        offset = extra->offset;
        if (__builtin_mul_overflow(offset, bytes, &before) || before > first || first - before > low)
            return mismatch(type, value, error);
        base = first - before;
    }
    place_in(context, type, block, &(Place){base, offset, (uint64_t)(high - base)}, slots);
    if (extra->offset < 0)
        *next_scalar(slots) = (uint64_t)offset;
    for (uint32_t i = 0; i < view->rank; i++)
        if (type->dims[i] < 0)
            *next_scalar(slots) = (uint64_t)view->dims[i];
    for (uint32_t i = 0; extra->strides && i < view->rank; i++)
        if (extra->strides[i] == BVM_DYNAMIC_STRIDE)
            *next_scalar(slots) = (uint64_t)strides[i];
    return BUFVM_OK;
}

static __attribute__((noinline)) BufvmStatus unranked_in(BufvmContext *context, const BufvmType *type, const BufvmValue *value,
                                                         BvmSlots *slots, BufvmError *error)
{
    int64_t strides[BUFVM_MAX_RANK];
    Extent extent;
    BufvmStatus status = check_view(type, value, strides, &extent, error);
    if (status)
        return status;
    const BufvmView *view = &value->view;
    BufvmBuffer *block = view->buffer, *descriptor;
    status = bvm_pool_alloc(context->pool, 8 * (2 + 2 * (uint64_t)view->rank), 0, true, &descriptor, error);
    if (status)
        return status;
    bvm_block_address(block, &context->main.next_address, 64);
    bvm_block_address(descriptor, &context->main.next_address, 64);
    int64_t bytes = (int64_t)bvm_elem_bytes(view->elem), low = (int64_t)view->offset + extent.low * bytes;
    uint64_t length = extent.count ? (uint64_t)((extent.high - extent.low + 1) * bytes) : 0;
    uint8_t *p = descriptor->data;
    bvm_put64(p, view->rank);
    bvm_put64(p + 8, (uint64_t)-extent.low);
    for (uint32_t i = 0; i < view->rank; i++) {
        bvm_put64(p + 16 + 8 * i, (uint64_t)view->dims[i]);
        bvm_put64(p + 16 + 8 * (view->rank + i), (uint64_t)strides[i]);
    }
    bool writable = type->is_memref && !(atomic_load_explicit(&block->flags, memory_order_relaxed) & BVM_READ_ONLY);
    bufvm_buffer_retain(block);
    set_buffer(slots, (BvmReg){block->data ? block->data + low : NULL, length, writable ? length : 0, (uintptr_t)block});
    set_buffer(slots, bvm_reg_of(descriptor, true));
    return BUFVM_OK;
}

BufvmStatus bvm_value_in(BufvmContext *context, const BufvmType *type, const BvmTypeExtra *extra, const BufvmValue *value,
                         BvmSlots *slots, BufvmError *error)
{
    if (type->kind == BUFVM_SCALAR)
        return scalar_in(type, value, slots, error);
    if (type->kind == BUFVM_VIEW && plain_in(context, type, extra, value, slots))
        return BUFVM_OK;
    if (type->kind == BUFVM_VIEW)
        return ranked_in(context, type, extra, value, slots, error);
    return unranked_in(context, type, value, slots, error);
}

/* -- out ------------------------------------------------------------------------------------------- */

static BufvmStatus scalar_out(const BufvmType *type, BvmSlots *slots, BufvmValue *value)
{
    unsigned bits = bvm_elem_bits(type->elem);
    char class = bvm_elem_class(type->elem);
    value->kind = BUFVM_SCALAR;
    value->bits = *next_scalar(slots);
    if (class == 'C') {
        value->bits2 = *next_scalar(slots);
        bits /= 2;
        value->bits2 = num_zext(value->bits2, bits);
    }
    value->bits = class == 'I' && bits > 1 ? (uint64_t)num_sext(value->bits, bits) : num_zext(value->bits, bits);
    return BUFVM_OK;
}

/* The registers of a view as numbers. */
typedef struct Shape {
    BvmReg *reg;
    uint32_t rank;
    int64_t offset, dims[BUFVM_MAX_RANK], strides[BUFVM_MAX_RANK];
} Shape;

static BufvmStatus read_ranked(const BufvmType *type, const BvmTypeExtra *extra, BvmSlots *slots, Shape *shape, BufvmError *error)
{
    shape->reg = next_buffer(slots);
    shape->rank = type->rank;
    shape->offset = extra->offset >= 0 ? extra->offset : (int64_t)*next_scalar(slots);
    for (uint32_t i = 0; i < type->rank; i++)
        shape->dims[i] = type->dims[i] >= 0 ? type->dims[i] : (int64_t)*next_scalar(slots);
    if (!extra->strides) {
        if (row_major(shape->rank, shape->dims, shape->strides))
            return BUFVM_OK;
        return bvm_error(error, BUFVM_TRAP, "sizes of %s are negative or overflow", type->written);
    }
    for (uint32_t i = 0; i < type->rank; i++)
        shape->strides[i] = extra->strides[i] != BVM_DYNAMIC_STRIDE ? extra->strides[i] : (int64_t)*next_scalar(slots);
    return BUFVM_OK;
}

static BufvmStatus read_unranked(const BufvmType *type, BvmSlots *slots, Shape *shape, BufvmError *error)
{
    shape->reg = next_buffer(slots);
    const BvmReg *d = next_buffer(slots);
    uint64_t rank = d->length >= 16 ? bvm_get64(d->data) : UINT64_MAX;
    if (rank > BUFVM_MAX_RANK || d->length < 16 + 16 * rank)
        return bvm_error(error, BUFVM_TRAP, "%s has no valid descriptor", type->written);
    shape->rank = (uint32_t)rank;
    shape->offset = (int64_t)bvm_get64(d->data + 8);
    for (uint32_t i = 0; i < rank; i++) {
        shape->dims[i] = (int64_t)bvm_get64(d->data + 16 + 8 * i);
        shape->strides[i] = (int64_t)bvm_get64(d->data + 16 + 8 * (rank + i));
    }
    return BUFVM_OK;
}

static void gather(uint8_t *to, const uint8_t *first, const Shape *shape, uint64_t count, size_t bytes)
{
    int64_t index[BUFVM_MAX_RANK] = {0};
    for (uint64_t k = 0; k < count; k++) {
        int64_t at = 0;
        for (uint32_t i = 0; i < shape->rank; i++)
            at += index[i] * shape->strides[i];
        memcpy(to + k * bytes, first + at * (int64_t)bytes, bytes);
        for (uint32_t i = shape->rank; i-- > 0 && ++index[i] == shape->dims[i];)
            index[i] = 0;
    }
}

/* Most results: of known sizes, in a block that may outlive the context.  false: look closer. */
static bool plain_out(const BufvmType *type, const BvmTypeExtra *extra, BvmSlots *slots, BufvmValue *value)
{
    BvmReg *reg = slots->list ? &slots->b[bvm_list(slots->list, slots->at)] : slots->b;
    BufvmBuffer *block = bvm_reg_block(reg);
    if (!block || extra->plain > reg->length || (atomic_load_explicit(&block->flags, memory_order_relaxed) & BVM_FIXED))
        return false;
    next_buffer(slots);
    value->kind = BUFVM_VIEW;
    value->view.buffer = block;
    value->view.offset = (uint64_t)(reg->data - block->data);
    value->view.elem = type->elem;
    value->view.rank = type->rank;
    for (uint32_t i = 0; i < type->rank; i++)
        value->view.dims[i] = type->dims[i];
    if (reg->owner & BVM_BORROWED)
        bufvm_buffer_retain(block);
    else
        reg->owner |= BVM_BORROWED; /* its reference is the value's now */
    return true;
}

static __attribute__((noinline)) BufvmStatus shaped_out(BufvmContext *context, const BufvmType *type, const BvmTypeExtra *extra,
                                                        BvmSlots *slots, bool strided, BufvmValue *value, BufvmError *error)
{
    Shape shape;
    BufvmStatus status =
        type->kind == BUFVM_VIEW ? read_ranked(type, extra, slots, &shape, error) : read_unranked(type, slots, &shape, error);
    if (status)
        return status;
    BufvmBuffer *block = bvm_reg_block(shape.reg);
    if (!block)
        return bvm_error(error, BUFVM_TRAP, "%s is a null buffer", type->written);
    int64_t bytes = (int64_t)bvm_elem_bytes(type->elem), low = 0, high = 0;
    Extent extent;
    bool inside = extent_of(shape.rank, shape.dims, shape.strides, &extent);
    if (inside && extent.count)
        inside = !__builtin_add_overflow(extent.low, shape.offset, &low) &&
                 !__builtin_add_overflow(extent.high, shape.offset, &high) && low >= 0 &&
                 (uint64_t)high < shape.reg->length / (uint64_t)bytes;
    if (!inside)
        return bvm_error(error, BUFVM_TRAP, "sizes or strides of %s lead out of its buffer of %" PRIu64 " bytes", type->written,
                         shape.reg->length);
    int64_t first = extent.count ? shape.offset * bytes : 0;
    BufvmView *view = &value->view;
    view->elem = type->elem;
    view->rank = shape.rank;
    memcpy(view->dims, shape.dims, shape.rank * sizeof *view->dims);
    bool fixed = atomic_load_explicit(&block->flags, memory_order_relaxed) & BVM_FIXED; /* borrowed ones are the caller's */
    if (strided || (!fixed && is_row_major(shape.rank, shape.dims, shape.strides))) {
        view->buffer = block;
        view->offset = (uint64_t)(shape.reg->data - block->data) + (uint64_t)first;
        if (strided)
            memcpy(value->strides, shape.strides, shape.rank * sizeof *value->strides);
        bufvm_buffer_retain(block);
    } else {
        status = bvm_pool_alloc(context->pool, extent.count * (uint64_t)bytes, 0, false, &view->buffer, error);
        if (status)
            return status;
        bvm_block_first_address(view->buffer, &context->main.next_address, 64);
        if (is_row_major(shape.rank, shape.dims, shape.strides)) {
            if (extent.count)
                memcpy(view->buffer->data, shape.reg->data + first, extent.count * (size_t)bytes);
        } else if (extent.count) {
            gather(view->buffer->data, shape.reg->data + first, &shape, extent.count, (size_t)bytes);
        }
    }
    value->kind = strided ? BUFVM_STRIDED : BUFVM_VIEW;
    return BUFVM_OK;
}

BufvmStatus bvm_value_out(BufvmContext *context, const BufvmType *type, const BvmTypeExtra *extra, BvmSlots *slots, bool strided,
                          BufvmValue *value, BufvmError *error)
{
    value->kind = BUFVM_NOTHING; /* not all of it: what is behind the rank is never read */
    value->elem = type->elem;
    value->bits = value->bits2 = 0;
    value->view.buffer = NULL;
    value->view.offset = 0;
    value->view.rank = 0;
    if (extra->plain && slots->is_export && plain_out(type, extra, slots, value))
        return BUFVM_OK;
    if (type->kind == BUFVM_SCALAR)
        return scalar_out(type, slots, value);
    return shaped_out(context, type, extra, slots, strided, value, error);
}

void bvm_value_move(const BufvmValue *from, BufvmValue *to)
{
    to->kind = from->kind;
    to->elem = from->elem;
    to->bits = from->bits;
    to->bits2 = from->bits2;
    to->view.buffer = from->view.buffer;
    to->view.offset = from->view.offset;
    to->view.elem = from->view.elem;
    to->view.rank = from->kind == BUFVM_VIEW ? from->view.rank : 0;
    memcpy(to->view.dims, from->view.dims, to->view.rank * sizeof *to->view.dims);
}

BufvmStatus bvm_value_copy(const BufvmValue *from, const BufvmValue *to, BufvmError *error)
{
    const BufvmView *x = &from->view, *y = &to->view;
    bool same = y->buffer && x->elem == y->elem && x->rank == y->rank;
    uint64_t bytes = bvm_elem_bytes(x->elem);
    for (uint32_t i = 0; same && i < x->rank; i++) {
        same = x->dims[i] == y->dims[i];
        bytes *= (uint64_t)x->dims[i]; /* the shape was checked against its buffer */
    }
    if (!same) {
        char got[256], want[256];
        value_text(from, got, sizeof got);
        value_text(to, want, sizeof want);
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "a result of %s does not go into a buffer given for %s", got, want);
    }
    unsigned flags = atomic_load_explicit(&y->buffer->flags, memory_order_relaxed);
    if (flags & BVM_READ_ONLY)
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "the buffer given for the result is read-only");
    if (y->offset > y->buffer->bytes || bytes > y->buffer->bytes - y->offset)
        return bvm_error(error, BUFVM_INVALID_ARGUMENT,
                         "a result of %" PRIu64 " bytes does not fit at byte %" PRIu64 " of a buffer of %" PRIu64, bytes, y->offset,
                         y->buffer->bytes);
    if (bytes)
        memmove(y->buffer->data + y->offset, x->buffer->data + x->offset, (size_t)bytes);
    return BUFVM_OK;
}

void bufvm_value_release(BufvmValue *value)
{
    if (!value)
        return;
    if (value->kind == BUFVM_VIEW || value->kind == BUFVM_STRIDED)
        bufvm_buffer_release(value->view.buffer);
    value->kind = BUFVM_NOTHING;
    value->view.buffer = NULL;
}
