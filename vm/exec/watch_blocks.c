/* Memory as a whole, watched: lives of blocks, kernels by the range of their operands, values that leave for the host. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "watch.h"

typedef BvmAt At;

/* -- touches of memory -------------------------------------------------------------------------------------- */

BufvmStatus bvm_watch_no_memory(BvmWorker *worker)
{
    return bvm_trap(worker, BUFVM_OUT_OF_MEMORY, "out of memory: watching memory");
}

void bvm_watch_dead(const At *at, const BufvmBuffer *block, const char *what)
{
    BvmSource end = block->shadow ? block->shadow->ended : (BvmSource){0, 0};
    bvm_report(at->worker, at->frame, at->pc, "use-after-dealloc",
               "%s a buffer of %" PRIu64 " bytes that was deallocated at %" PRIu32 ":%" PRIu32, what, block->bytes, end.line,
               end.col);
}

/* A block that holds something undefined from now on has a shadow; constants never do. */
BufvmStatus bvm_watch_shadow(const At *at, BufvmBuffer *block)
{
    return block->shadow || bvm_shadow_new(block, &at->worker->context->allocator, true) ? BUFVM_OK
                                                                                         : bvm_watch_no_memory(at->worker);
}

/* -- blocks that the program must dealloc
 * ----------------------------------------------------------------------------------------------------- */

static bool own(BvmSanitizer *z, const BufvmAllocator *a, BufvmBuffer *block)
{
    if (z->nowned == z->owned_room) {
        size_t room = z->owned_room ? 2 * z->owned_room : 64;
        void *grown = a->realloc(a->user, z->owned, z->owned_room * sizeof *z->owned, room * sizeof *z->owned);
        if (!grown)
            return false;
        z->owned = grown;
        z->owned_room = room;
    }
    bufvm_buffer_retain(block);
    z->owned[z->nowned++] = block;
    block->shadow->owned = z->nowned;
    return true;
}

static void disown(BvmSanitizer *z, BufvmBuffer *block)
{
    size_t place = block->shadow ? block->shadow->owned : 0;
    if (!place)
        return;
    block->shadow->owned = 0;
    z->owned[place - 1] = z->owned[--z->nowned];
    if (place <= z->nowned)
        z->owned[place - 1]->shadow->owned = place;
    bufvm_buffer_release(block);
}

/* -- life of blocks ---------------------------------------------------------------------------------------- */

BufvmStatus bvm_sanitize_made(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc, const BvmReg *reg, uint64_t flags)
{
    BvmSanitizer *z = worker->context->sanitizer;
    BufvmBuffer *block = bvm_reg_block(reg);
    if (!bvm_shadow_new(block, &worker->context->allocator, false))
        return bvm_watch_no_memory(worker);
    block->shadow->serial = ++z->serial;
    block->shadow->made = bvm_source_of(frame, pc);
    block->shadow->made_by = pc;
    if ((flags & BVM_ALLOC_OWNED) && !own(z, &worker->context->allocator, block))
        return bvm_watch_no_memory(worker);
    return BUFVM_OK;
}

void bvm_sanitize_ended(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc, const BvmReg *reg)
{
    BufvmBuffer *block = bvm_reg_block(reg);
    if (block->shadow)
        block->shadow->ended = bvm_source_of(frame, pc);
    disown(worker->context->sanitizer, block);
}

/* -- kernels ------------------------------------------------------------------------------------------------------ */

typedef struct Run { /* what a run of a region is asked */
    const At *at;
    BufvmBuffer *block;
    bool written, writes;
    uint64_t bad; /* offset of the first run that is not written */
    BufvmStatus status;
} Run;

static bool is_written(void *user, uint64_t offset, uint64_t bytes)
{
    Run *run = user;
    run->bad = offset;
    return bvm_bits_all(run->block->shadow->bits, offset, bytes);
}

static bool mark_run(void *user, uint64_t offset, uint64_t bytes)
{
    Run *run = user;
    bvm_bits_set(run->block->shadow->bits, offset, bytes, run->written);
    return true;
}

static bool race_run(void *user, uint64_t offset, uint64_t bytes)
{
    Run *run = user;
    run->status = bvm_watch_race(run->at, run->block, offset, bytes, run->writes);
    return !run->status;
}

typedef struct Operand {
    BufvmBuffer *block;
    BvmRegion region;
    uint64_t elem;
} Operand;

static void operand_of(const BvmKernelArgs *args, unsigned k, const BvmReg *reg, Operand *o)
{
    o->block = bvm_reg_block(reg);
    o->elem = bvm_elem_bytes(args->op[k].etype);
    bvm_region_init(&o->region, (uint64_t)(args->op[k].p - o->block->data), o->elem, args->rank, args->size, args->op[k].stride);
}

/* Touches of memory that every kind has: end of life and races. */
static BufvmStatus touch(const At *at, Operand *o, bool writes)
{
    Run run = {.at = at, .block = o->block, .writes = writes};
    bvm_watch_alive(at, o->block, writes ? "write to" : "read of");
    if (at->z->race)
        bvm_region_each(&o->region, race_run, &run);
    return run.status;
}

static void mark(const Operand *o, bool written)
{
    Run run = {.block = o->block, .written = written};
    if (o->block->shadow)
        bvm_region_each(&o->region, mark_run, &run);
}

static void use_memory(const At *at, const Operand *o, const char *what)
{
    Run run = {.block = o->block};
    if (!o->block->shadow || bvm_region_each(&o->region, is_written, &run))
        return;
    uint64_t first = run.bad;
    while (bvm_bits_access(o->block->shadow->bits, first, 1))
        first++;
    char made[BVM_MADE_TEXT];
    bvm_report(at->worker, at->frame, at->pc, "uninitialized",
               "%s reads byte %" PRIu64 " of a buffer of %" PRIu64 " bytes%s, that was never written", what, first, o->block->bytes,
               bvm_made_text(o->block->shadow->made, made));
}

/* Element numbers in row-major order over an iteration space, as byte offsets of one operand. */
typedef struct Walk {
    int64_t index[BVM_KERNEL_RANK];
    uint64_t offset;
} Walk;

static bool step(const BvmKernelArgs *args, unsigned k, Walk *w)
{
    for (uint32_t d = args->rank; d-- > 0;) {
        w->offset += (uint64_t)args->op[k].stride[d];
        if (++w->index[d] < args->size[d])
            return true;
        w->offset -= (uint64_t)(args->op[k].stride[d] * args->size[d]);
        w->index[d] = 0;
    }
    return false;
}

/* Element by element, all of the source before any of the destination. */
static BufvmStatus copy_doubts(const At *at, const BvmKernelArgs *args, const Operand *to, const Operand *from)
{
    uint64_t n = 1, i = 0;
    BufvmStatus status = bvm_watch_shadow(at, to->block);
    for (uint32_t d = 0; d < args->rank; d++)
        n *= (uint64_t)args->size[d]; /* all elements are in memory, or steps are 0: bounded by what the kernel does */
    uint8_t *written = status ? NULL : bvm_mem_alloc(&at->worker->context->allocator, n);
    if (!written)
        return status ? status : bvm_watch_no_memory(at->worker);
    Walk w = {.offset = (uint64_t)(args->op[1].p - from->block->data)};
    do
        written[i++] = bvm_bits_access(from->block->shadow->bits, w.offset, 1) &&
                       bvm_bits_all(from->block->shadow->bits, w.offset, from->elem);
    while (i < n && step(args, 1, &w));
    w = (Walk){.offset = (uint64_t)(args->op[0].p - to->block->data)};
    i = 0;
    do
        bvm_bits_set(to->block->shadow->bits, w.offset, to->elem, written[i++]);
    while (i < n && step(args, 0, &w));
    bvm_mem_free(&at->worker->context->allocator, written, n);
    return BUFVM_OK;
}

static bool same_place(const BvmKernelArgs *args)
{
    bool same = args->op[0].p == args->op[1].p;
    for (uint32_t d = 0; d < args->rank; d++)
        same &= args->op[0].stride[d] == args->op[1].stride[d];
    return same;
}

typedef struct Meet { /* bytes of one region marked, those of another looked up */
    uint8_t *bits;
    uint64_t base, bytes, found;
} Meet;

static bool note_bytes(void *user, uint64_t offset, uint64_t bytes)
{
    Meet *m = user;
    bvm_bits_set(m->bits, offset - m->base, bytes, true);
    return true;
}

static bool meets(void *user, uint64_t offset, uint64_t bytes)
{
    Meet *m = user;
    for (uint64_t i = offset > m->base ? offset : m->base; i < offset + bytes && i - m->base < m->bytes; i++)
        if (bvm_bits_access(m->bits, i - m->base, 1)) {
            m->found = i;
            return false;
        }
    return true;
}

static uint64_t end_of(const BvmRegion *r)
{
    uint64_t end = r->offset + r->bytes;
    for (uint32_t d = 0; d < r->rank; d++)
        end += r->stride[d] * (r->count[d] - 1);
    return end;
}

/* memref.copy between views that share elements, unless they are one view. */
static BufvmStatus check_copy(const At *at, const BvmKernelArgs *args, const Operand *to, const Operand *from)
{
    uint64_t to_end = end_of(&to->region), from_end = end_of(&from->region);
    if (to->block != from->block || same_place(args) || to->region.offset >= from_end || from->region.offset >= to_end)
        return BUFVM_OK;
    Meet meet = {.base = from->region.offset, .bytes = from_end - from->region.offset};
    size_t room = (size_t)(meet.bytes / 8 + 2);
    meet.bits = bvm_mem_zalloc(&at->worker->context->allocator, room);
    if (!meet.bits)
        return bvm_watch_no_memory(at->worker);
    bvm_region_each(&from->region, note_bytes, &meet);
    if (!bvm_region_each(&to->region, meets, &meet))
        bvm_report(at->worker, at->frame, at->pc, "copy-overlap",
                   "source (bytes %" PRIu64 " to %" PRIu64 " of their buffer) and destination (%" PRIu64 " to %" PRIu64
                   ") share byte %" PRIu64,
                   from->region.offset, from_end - 1, to->region.offset, to_end - 1, meet.found);
    bvm_mem_free(&at->worker->context->allocator, meet.bits, room);
    return BUFVM_OK;
}

enum { FILL = 1, COPY, CONTRACT, REDUCE, ARGREDUCE };

BufvmStatus bvm_sanitize_kernel(BvmWorker *worker, BvmFrame *frame, unsigned number, const char *name, const BvmKernelArgs *args,
                                const BvmReg *const *regs)
{
    At at = {worker, worker->context->sanitizer, frame, frame->pc, BVM_OP_kernel, BVM_NONE};
    Operand o[3];
    BufvmStatus status = BUFVM_OK;
    unsigned outputs = number == ARGREDUCE ? 2 : 1;
    for (unsigned k = 0; k < args->nops && k < 3 && !status; k++) {
        operand_of(args, k, regs[k], &o[k]);
        status = touch(&at, &o[k], false);
    }
    for (unsigned k = 0; k < outputs && !status; k++)
        status = touch(&at, &o[k], true);
    if (status)
        return status;
    switch (number) {
    case FILL:
        status = at.z->fill_in_doubt ? bvm_watch_shadow(&at, o[0].block) : BUFVM_OK;
        if (!status)
            mark(&o[0], !at.z->fill_in_doubt);
        at.z->fill_in_doubt = false;
        return status;
    case COPY: {
        Run run = {.block = o[1].block};
        if (args->flags & BVM_COPY_APART)
            status = check_copy(&at, args, &o[0], &o[1]);
        if (status)
            return status;
        if (o[1].block->shadow && !bvm_region_each(&o[1].region, is_written, &run))
            return copy_doubts(&at, args, &o[0], &o[1]);
        mark(&o[0], true);
        return BUFVM_OK;
    }
    default:
        for (unsigned k = 0; k < args->nops; k++)
            if (number != ARGREDUCE || k != 1) /* a position that no element set stays what it was */
                use_memory(&at, &o[k], name);
        for (unsigned k = 0; k < outputs; k++)
            mark(&o[k], true);
        return BUFVM_OK;
    }
}

/* -- values that leave ------------------------------------------------------------------------------------------------ */

BufvmStatus bvm_sanitize_value(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc, const BufvmValue *value,
                               const char *format, ...)
{
    if (value->kind != BUFVM_STRIDED && value->kind != BUFVM_VIEW)
        return BUFVM_OK;
    At at = {worker, worker->context->sanitizer, (BvmFrame *)(uintptr_t)frame, pc, BVM_OP_ret, BVM_NONE};
    const BufvmView *view = &value->view;
    int64_t strides[BUFVM_MAX_RANK], step_bytes = (int64_t)bvm_elem_bytes(view->elem);
    for (uint32_t d = view->rank; d-- > 0;) {
        strides[d] = value->kind == BUFVM_STRIDED ? value->strides[d] * (int64_t)bvm_elem_bytes(view->elem) : step_bytes;
        step_bytes *= view->dims[d];
    }
    Operand o = {.block = view->buffer, .elem = bvm_elem_bytes(view->elem)};
    bvm_region_init(&o.region, view->offset, o.elem, view->rank, view->dims, strides);
    if (!o.region.bytes)
        return BUFVM_OK;
    char what[160];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    BufvmStatus status = touch(&at, &o, false);
    use_memory(&at, &o, what);
    mark(&o, true);
    return status;
}

static bool is_result(const At *at, const BufvmBuffer *block)
{
    const BvmBanks *sig = &at->frame->code->fn->sig;
    for (uint32_t i = 0; i < sig->nresults; i++)
        if (sig->results[i] == 'b' && bvm_reg_block(&bvm_buffers(at->frame)[bvm_list(at->pc + 1, i)]) == block)
            return true;
    return false;
}

static void report_leaks(const At *at)
{
    BvmSanitizer *z = at->z;
    while (z->nowned) {
        BufvmBuffer *block = z->owned[z->nowned - 1];
        char text[128];
        snprintf(text, sizeof text, "a buffer of %" PRIu64 " bytes was not deallocated when @%s returned", block->bytes,
                 at->frame->code->fn->name);
        if (!is_result(at, block))
            bvm_report_at(at->worker, at->frame->code->fn->name, block->shadow->made, block->shadow->made_by, "leak", text);
        disown(z, block);
    }
}

BufvmStatus bvm_sanitize_return(BvmWorker *worker, const BvmExport *export, BvmFrame *frame, const BufvmValue *args)
{
    BufvmContext *context = worker->context;
    const BvmSignature *sig = &context->module->m.signatures[export->signature];
    At at = {worker, context->sanitizer, frame, frame->pc, BVM_OP_ret, BVM_NONE};
    BvmSlots slots = {bvm_scalars(frame), bvm_buffers(frame), frame->pc + 1, 0, false};
    BufvmStatus status = BUFVM_OK;
    for (uint32_t i = 0; i < sig->nresults && !status; i++) {
        BufvmValue value;
        BufvmError why;
        if (bvm_value_out(context, &sig->results[i], &sig->results_extra[i], &slots, true, &value, &why))
            break; /* what is wrong with it is said where it is given */
        status = bvm_sanitize_value(worker, frame, frame->pc, &value, "result %" PRIu32 " of @%s", i, export->api.name);
        bufvm_value_release(&value);
    }
    for (uint32_t i = 0; i < sig->nargs && !status; i++)
        if (sig->args[i].is_memref && args[i].view.buffer && args[i].view.buffer->shadow)
            status = bvm_sanitize_value(worker, frame, frame->pc, &args[i], "memref argument %" PRIu32 " of @%s, behind the call,",
                                        i, export->api.name);
    report_leaks(&at);
    return status;
}

/* -- life ---------------------------------------------------------------------------------------------------------------- */

void bvm_sanitize_forget(BvmWorker *worker)
{
    BvmSanitizer *z = worker->context->sanitizer;
    bvm_watch_drop_doubts(worker);
    while (z->nowned)
        disown(z, z->owned[z->nowned - 1]);
    if (z->race)
        bvm_race_forget(z->race);
}

void bvm_sanitize_lent(const BufvmContext *context, const BufvmValue *args, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        bool is_view = args[i].kind == BUFVM_VIEW || args[i].kind == BUFVM_STRIDED;
        if (is_view && args[i].view.buffer && args[i].view.buffer->pool != context->pool)
            bvm_shadow_free(args[i].view.buffer);
    }
}

bool bvm_sanitizer_new(BufvmContext *context)
{
    BvmSanitizer *z = bvm_mem_zalloc(&context->allocator, sizeof *z);
    context->sanitizer = z;
    if (z)
        bvm_sanitize_table(z->watch);
    if (z && (context->limits.sanitize & BUFVM_SANITIZE_RACE))
        z->race = bvm_race_new(&context->allocator, context->pool);
    return z && (z->race || !(context->limits.sanitize & BUFVM_SANITIZE_RACE));
}

void bvm_sanitizer_free(BufvmContext *context)
{
    BvmSanitizer *z = context->sanitizer;
    if (!z)
        return;
    bvm_sanitize_forget(&context->main);
    bvm_mem_free(&context->allocator, z->owned, z->owned_room * sizeof *z->owned);
    bvm_race_free(z->race);
    bvm_mem_free(&context->allocator, z, sizeof *z);
    context->sanitizer = NULL;
}
