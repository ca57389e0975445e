/* Frames and the worker that owns them.
 *
 * A stack is a list of chunks that grows up to the limit and is kept for the next call; frames never move.
 */
#include <inttypes.h>
#include <string.h>

#include "../kernels/kernels.h"

#include "exec.h"
#include "tiles.h"

#define FIRST_CHUNK ((size_t)16 << 10)

static size_t chunk_room(const BvmChunk *chunk)
{
    return chunk->bytes - sizeof *chunk;
}

static bool next_chunk(BvmWorker *worker, size_t bytes)
{
    const BufvmAllocator *a = &worker->context->allocator;
    BvmChunk *chunk = worker->chunk ? worker->chunk->next : NULL;
    while (chunk && chunk_room(chunk) < bytes) { /* kept, but too small */
        BvmChunk *after = chunk->next;
        worker->stack_bytes -= chunk->bytes;
        if (chunk->prev)
            chunk->prev->next = after;
        if (after)
            after->prev = chunk->prev;
        bvm_mem_free(a, chunk, chunk->bytes);
        chunk = after;
    }
    if (!chunk) {
        uint64_t limit = worker->context->limits.stack;
        uint64_t want = bytes + sizeof *chunk;
        uint64_t left = worker->stack_bytes < limit ? limit - worker->stack_bytes : 0;
        if (want > left) {
            bvm_trap(worker, BUFVM_LIMIT, "stack of frames: %" PRIu64 " more bytes needed, %" PRIu64 " in use, limit %" PRIu64,
                     want, worker->stack_bytes, limit);
            return false;
        }
        uint64_t roomy = worker->stack_bytes < FIRST_CHUNK ? FIRST_CHUNK : worker->stack_bytes;
        uint64_t size = want > roomy ? want : roomy < left ? roomy : left;
        chunk = bvm_mem_alloc(a, size);
        if (!chunk) {
            bvm_trap(worker, BUFVM_OUT_OF_MEMORY, "out of memory: stack of frames, %" PRIu64 " bytes", size);
            return false;
        }
        *chunk = (BvmChunk){.prev = worker->chunk, .bytes = size};
        if (worker->chunk)
            worker->chunk->next = chunk;
        worker->stack_bytes += size;
    }
    worker->chunk = chunk;
    worker->top = (char *)(chunk + 1);
    worker->end = (char *)chunk + chunk->bytes;
    return true;
}

void *bvm_stack_alloc(BvmWorker *worker, size_t bytes, char **old_top, BvmChunk **old_chunk)
{
    *old_top = worker->top;
    *old_chunk = worker->chunk;
    bytes = (bytes + 15) & ~(size_t)15;
    if (bytes > (size_t)(worker->end - worker->top) && !next_chunk(worker, bytes))
        return NULL;
    void *p = worker->top;
    worker->top += bytes;
    return p;
}

void bvm_stack_free(BvmWorker *worker, char *old_top, BvmChunk *old_chunk)
{
    worker->top = old_top;
    if (worker->chunk == old_chunk)
        return;
    worker->chunk = old_chunk;
    worker->end = (char *)old_chunk + old_chunk->bytes;
}

static void place_tiles(BvmWorker *worker, BvmFrame *frame)
{
    const BvmCode *code = frame->code;
    uint8_t **tiles = bvm_tiles(frame);
    uint8_t *full = (uint8_t *)(((uintptr_t)frame + code->lanes_at + 63) & ~(uintptr_t)63);
    for (uint32_t t = 0; t < code->ntiles; t++)
        tiles[t] = (code->fn->tiles[t].full ? full : worker->strip) + code->tile_at[t];
    if (code->full_bytes)
        memset(full, 0, code->full_bytes);
}

BvmFrame *bvm_push(BvmWorker *worker, const BvmCode *code, BvmFrame *up)
{
    if (worker->depth >= worker->context->limits.call_depth) {
        bvm_trap(worker, BUFVM_LIMIT, "call of @%s: the limit of call depth is %" PRIu32, code->fn->name,
                 worker->context->limits.call_depth);
        return NULL;
    }
    char *old_top = worker->top;
    BvmChunk *old_chunk = worker->chunk;
    size_t bytes = code->frame_bytes;
    if (__builtin_expect(bytes > (size_t)(worker->end - worker->top), 0)) {
        if (!next_chunk(worker, bytes)) {
            worker->top = old_top;
            return NULL;
        }
    }
    BvmFrame *frame = (BvmFrame *)worker->top;
    worker->top += bytes;
    worker->depth++;
    frame->up = up;
    frame->code = code;
    frame->old_top = old_top;
    frame->old_chunk = old_chunk;
    frame->local_base = up ? up->local_base + up->code->local_own : 0;
    frame->lanes = 0;
    frame->redo_pc = NULL;
    if (code->image)
        bvm_copy_image(frame, code);
    else
        memset(frame + 1, 0, code->tiles_at - sizeof *frame);
    if (code->ntiles)
        place_tiles(worker, frame);
    return frame;
}

void bvm_pop(BvmWorker *worker, BvmFrame *frame)
{
    BvmReg *b = bvm_buffers(frame);
    for (uint32_t i = 0, n = frame->code->nbuffers; i < n; i++)
        if (b[i].owner && !(b[i].owner & BVM_BORROWED))
            bvm_block_release((BufvmBuffer *)b[i].owner);
    worker->depth--;
    bvm_stack_free(worker, frame->old_top, frame->old_chunk);
}

void bvm_unwind(BvmWorker *worker, BvmFrame *entry)
{
    BvmFrame *frame = worker->frame, *up;
    do {
        up = frame->up;
        bvm_pop(worker, frame);
    } while (frame != entry && (frame = up));
    worker->frame = NULL;
}

/* -- workers --------------------------------------------------------------------------------------- */

#define SCRATCH_BYTES (BVM_KERNEL_SCRATCH + 63)
#define LOCAL_ADDRESS UINT64_C(0x1000000) /* the same for every worker */

BufvmStatus bvm_worker_init(BvmWorker *worker, BufvmContext *context)
{
    *worker = (BvmWorker){.context = context, .tile_table = bvm_tile_table(context->cpu)};
    worker->local.available = context->limits.local_memory;
    if (!next_chunk(worker, FIRST_CHUNK - sizeof(BvmChunk)))
        return worker->error.status;
    return BUFVM_OK;
}

void bvm_worker_free(BvmWorker *worker)
{
    const BufvmAllocator *a = &worker->context->allocator;
    BvmChunk *chunk = worker->chunk;
    while (chunk && chunk->prev)
        chunk = chunk->prev;
    while (chunk) {
        BvmChunk *next = chunk->next;
        bvm_mem_free(a, chunk, chunk->bytes);
        chunk = next;
    }
    bvm_local_free(&worker->local, worker->context->pool, a);
    if (worker->strip_raw) {
        bvm_mem_free(a, worker->strip_raw, worker->strip_bytes);
        bvm_pool_discharge(worker->context->pool, worker->strip_bytes);
    }
    if (worker->scratch_raw) {
        bvm_mem_free(a, worker->scratch_raw, SCRATCH_BYTES);
        bvm_pool_discharge(worker->context->pool, SCRATCH_BYTES);
    }
}

/* Made by the first kernel that wants it; kernels do without where memory is short or the limit so small that programs would
   feel it. */
uint8_t *bvm_worker_scratch(BvmWorker *worker)
{
    BufvmContext *context = worker->context;
    if (worker->scratch || worker->scratch_refused)
        return worker->scratch;
    if (context->limits.memory / 16 >= SCRATCH_BYTES && bvm_pool_charge(context->pool, SCRATCH_BYTES)) {
        worker->scratch_raw = bvm_mem_alloc(&context->allocator, SCRATCH_BYTES);
        if (worker->scratch_raw)
            worker->scratch = (uint8_t *)(((uintptr_t)worker->scratch_raw + 63) & ~(uintptr_t)63);
        else
            bvm_pool_discharge(context->pool, SCRATCH_BYTES);
    }
    worker->scratch_refused = !worker->scratch;
    return worker->scratch;
}

BufvmStatus bvm_worker_ready(BvmWorker *worker, const BvmCode *code)
{
    BufvmContext *context = worker->context;
    if (code->fn->local_need && !worker->local.raw) {
        BufvmStatus status = bvm_local_ready(&worker->local, context->pool, &context->allocator, &worker->error);
        if (status)
            return status;
        atomic_store(&worker->local.block.address, LOCAL_ADDRESS);
    }
    size_t strip = context->module->strip_bytes;
    if (strip && !worker->strip_raw) {
        size_t bytes = strip + 64;
        if (!bvm_pool_charge(context->pool, bytes))
            return bvm_pool_over(context->pool, "tile area", bytes, &worker->error);
        worker->strip_raw = bvm_mem_zalloc(&context->allocator, bytes);
        if (!worker->strip_raw) {
            bvm_pool_discharge(context->pool, bytes);
            return bvm_trap(worker, BUFVM_OUT_OF_MEMORY, "out of memory: tile area of %zu bytes", bytes);
        }
        worker->strip_bytes = bytes;
        worker->strip = (uint8_t *)(((uintptr_t)worker->strip_raw + 63) & ~(uintptr_t)63);
    }
    return BUFVM_OK;
}

#define SLICE UINT64_C(65536) /* how often the interrupt flag is looked at */

BufvmStatus bvm_refuel(BvmWorker *worker)
{
    if (atomic_load_explicit(&worker->context->interrupt, memory_order_relaxed))
        return bvm_trap(worker, BUFVM_INTERRUPTED, "interrupted");
    uint64_t owed = worker->budget < 0 ? (uint64_t)-worker->budget : 0;
    if (worker->budget > 0) /* asked before it was used up */
        worker->fuel += (uint64_t)worker->budget;
    if (owed > worker->fuel) {
        worker->fuel = 0;
        worker->budget = 0;
        return bvm_trap(worker, BUFVM_LIMIT, "fuel: the limit of %" PRIu64 " instructions was reached", worker->fuel_limit);
    }
    worker->fuel -= owed;
    uint64_t slice = worker->fuel < SLICE ? worker->fuel : SLICE;
    worker->fuel -= slice;
    worker->budget = (int64_t)slice;
    return BUFVM_OK;
}

BufvmStatus bvm_run(BvmWorker *worker, BvmFrame *entry)
{
    worker->frame = entry;
    return worker->context->loop(worker, entry);
}
