/* What a failed instruction says: reason with its numbers, function, source position; and the checks whose
 * failures need a few lines to explain.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "exec.h"

BufvmStatus bvm_trap(BvmWorker *worker, BufvmStatus status, const char *format, ...)
{
    worker->error = (BufvmError){.status = status};
    va_list args;
    va_start(args, format);
    vsnprintf(worker->error.text, sizeof worker->error.text, format, args);
    va_end(args);
    return status;
}

void bvm_error_where(BufvmError *error, const BvmFrame *frame, const uint64_t *pc)
{
    const BvmFunc *fn = frame->code->fn;
    snprintf(error->function, sizeof error->function, "%s", fn->name);
    if (!bvm_function_line(fn, (uint32_t)(pc - frame->code->code), &error->line, &error->col))
        error->line = error->col = 0;
}

void bvm_trap_where(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc)
{
    if (!worker->error.function[0]) /* else raised further in, in a grid */
        bvm_error_where(&worker->error, frame, pc);
}

static const char *what_is(const BvmReg *reg)
{
    const BufvmBuffer *block = bvm_reg_block(reg);
    unsigned flags = atomic_load_explicit(&block->flags, memory_order_relaxed);
    return flags & BVM_LOCAL ? "workgroup local memory" : flags & BVM_FIXED ? "a constant or global" : "a borrowed buffer";
}

BufvmStatus bvm_trap_access(BvmWorker *worker, const BvmReg *reg, uint64_t index, unsigned shift, bool store)
{
    if (!reg->owner)
        return bvm_trap(worker, BUFVM_TRAP, "%s of a null buffer", store ? "store to an element" : "load from an element");
    if (store && !reg->writable && index < reg->length >> shift)
        return bvm_trap(worker, BUFVM_TRAP, "store to element %" PRId64 " of a read-only buffer", (int64_t)index);
    return bvm_trap(worker, BUFVM_TRAP, "index %" PRId64 " out of bounds for a buffer of %" PRIu64 " elements", (int64_t)index,
                    reg->length >> shift);
}

BufvmStatus bvm_check_range(BvmWorker *worker, int64_t offset, int64_t size, int64_t stride, int64_t extent, unsigned dim)
{
    if (size == 0)
        return BUFVM_OK;
    int64_t way, last;
    bool inside = size > 0 && extent >= 0 && offset >= 0 && offset < extent && !__builtin_mul_overflow(size - 1, stride, &way) &&
                  !__builtin_add_overflow(offset, way, &last) && last >= 0 && last < extent;
    if (inside)
        return BUFVM_OK;
    return bvm_trap(worker, BUFVM_TRAP,
                    "offset %" PRId64 ", size %" PRId64 ", stride %" PRId64 " out of bounds for dimension %u of size %" PRId64,
                    offset, size, stride, dim, extent);
}

BufvmStatus bvm_view(BvmWorker *worker, const BvmReg *from, uint64_t offset, uint64_t bytes, BvmReg *to)
{
    if (!from->owner)
        return bvm_trap(worker, BUFVM_TRAP, "view of a null buffer");
    if (offset > from->length || bytes > from->length - offset)
        return bvm_trap(worker, BUFVM_TRAP,
                        "view of %" PRId64 " bytes at offset %" PRId64 " out of bounds for a buffer of %" PRIu64 " bytes",
                        (int64_t)bytes, (int64_t)offset, from->length);
    *to = (BvmReg){from->data ? from->data + offset : NULL, bytes, from->writable ? bytes : 0, from->owner};
    return BUFVM_OK;
}

BufvmStatus bvm_dealloc(BvmWorker *worker, const BvmReg *reg)
{
    if (!reg->owner)
        return bvm_trap(worker, BUFVM_TRAP, "dealloc of a null buffer");
    BufvmBuffer *block = bvm_reg_block(reg);
    bool fixed = atomic_load_explicit(&block->flags, memory_order_relaxed) & BVM_FIXED;
    if (!fixed && block->pool != worker->context->pool)
        return bvm_trap(worker, BUFVM_TRAP, "dealloc of a buffer that belongs to the caller");
    if (reg->owner & BVM_BORROWED)
        return bvm_trap(worker, BUFVM_TRAP, "dealloc of %s", what_is(reg));
    if (reg->data != block->data || reg->length != block->bytes)
        return bvm_trap(worker, BUFVM_TRAP, "dealloc of a view: %" PRIu64 " bytes of a buffer of %" PRIu64, reg->length,
                        block->bytes);
    if (atomic_fetch_or(&block->flags, BVM_DEAD) & BVM_DEAD)
        return bvm_trap(worker, BUFVM_TRAP, "dealloc of a buffer of %" PRIu64 " bytes that was deallocated before", block->bytes);
    return BUFVM_OK;
}

uint64_t bvm_block_address(BufvmBuffer *block, uint64_t *counter, uint64_t align)
{
    uint64_t have = atomic_load_explicit(&block->address, memory_order_relaxed);
    if (have)
        return have;
    uint64_t behind = *counter, mine = bvm_next_address(block, &behind, align);
    if (!atomic_compare_exchange_strong(&block->address, &have, mine))
        return have;
    *counter = behind;
    return mine;
}
