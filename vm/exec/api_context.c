/* The public face of contexts: limits, imports, constants and globals, and calls. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../kernels/kernels.h"
#include "exec.h"
#include "sanitize.h"

#define MAX_THREADS  1024u
#define ADDRESS_BASE (UINT64_C(1) << 32)

static BufvmStatus fill_limits(BufvmLimits *limits, BufvmError *error)
{
#define DEFAULT(field, value)                                                                                                      \
    if (!limits->field)                                                                                                            \
    limits->field = value
    DEFAULT(memory, UINT64_C(4) << 30);
    DEFAULT(allocation, limits->memory);
    DEFAULT(fuel, UINT64_MAX);
    DEFAULT(local_memory, bvm_local_default());
    DEFAULT(call_depth, 10000);
    DEFAULT(stack, UINT64_C(64) << 20);
    DEFAULT(threads, 1);
#undef DEFAULT
    limits->local_memory &= ~UINT64_C(63);
    if (limits->sanitize)
        limits->threads = 1; /* what is watched runs in order */
    if (limits->threads > MAX_THREADS)
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "%" PRIu32 " threads: the most is %u", limits->threads, MAX_THREADS);
    return BUFVM_OK;
}

static const BufvmImport *find_import(const BufvmContext *context, const char *name)
{
    for (size_t i = 0; i < context->ngiven; i++)
        if (context->given[i].name && strcmp(context->given[i].name, name) == 0)
            return &context->given[i];
    return NULL;
}

static BufvmStatus make_globals(BufvmContext *context, BufvmError *error)
{
    const BvmModule *m = &context->module->m;
    for (uint32_t i = 0; i < m->nglobals; i++) {
        const BvmGlobal *g = &m->globals[i];
        BufvmBuffer *block;
        BufvmStatus status = bvm_pool_alloc(context->pool, g->bytes, g->align, g->constant < 0, &block, error);
        if (status)
            return status;
        if (g->constant >= 0)
            bvm_constant_expand(&m->constants[g->constant], block->data);
        atomic_store(&block->flags, BVM_FIXED | (g->read_only ? BVM_READ_ONLY : 0));
        if (context->sanitizer && g->constant < 0 && !bvm_shadow_new(block, &context->allocator, false))
            return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: making a context");
        bvm_block_address(block, &context->main.next_address, g->align);
        context->globals[i] = block;
    }
    return BUFVM_OK;
}

/* Constants that are whole in the file are used where they are; splats wait until they are asked for. */
static void make_constants(BufvmContext *context)
{
    const BvmModule *m = &context->module->m;
    for (uint32_t i = 0; i < m->nconstants; i++) {
        const BvmConstant *c = &m->constants[i];
        bool whole = c->stored == c->bytes;
        bvm_block_init_fixed(&context->constants[i], whole ? (uint8_t *)(uintptr_t)c->data : NULL, c->bytes, BVM_READ_ONLY);
        bvm_block_address(&context->constants[i], &context->main.next_address, 64);
    }
}

BufvmBuffer *bvm_context_constant(BvmWorker *worker, uint64_t number)
{
    BufvmContext *context = worker->context;
    const BvmConstant *c = &context->module->m.constants[number];
    if (c->stored == c->bytes)
        return &context->constants[number];
    BufvmBuffer *block = atomic_load_explicit(&context->expanded[number], memory_order_acquire);
    if (block)
        return block;
    pthread_mutex_lock(&context->expand_lock);
    block = atomic_load_explicit(&context->expanded[number], memory_order_relaxed);
    if (!block && !bvm_pool_alloc(context->pool, c->bytes, 0, false, &block, &worker->error)) {
        bvm_constant_expand(c, block->data);
        atomic_store(&block->flags, BVM_FIXED | BVM_READ_ONLY);
        atomic_store(&block->address, atomic_load(&context->constants[number].address));
        context->nexpanded++;
        atomic_store_explicit(&context->expanded[number], block, memory_order_release);
    }
    pthread_mutex_unlock(&context->expand_lock);
    return block;
}

typedef struct Sizes {
    size_t imports, given, constants, expanded, globals;
} Sizes;

static Sizes sizes_of(const BufvmContext *context)
{
    const BvmModule *m = &context->module->m;
    return (Sizes){m->nimports * sizeof *context->imports, context->ngiven * sizeof *context->given,
                   m->nconstants * sizeof *context->constants, m->nconstants * sizeof *context->expanded,
                   m->nglobals * sizeof *context->globals};
}

void bufvm_context_free(BufvmContext *context)
{
    if (!context)
        return;
    BufvmAllocator a = context->allocator;
    Sizes n = sizes_of(context);
    bvm_threads_free(context);
    bvm_sanitizer_free(context);
    bvm_worker_free(&context->main);
    for (uint32_t i = 0; context->globals && i < context->module->m.nglobals; i++)
        bufvm_buffer_release(context->globals[i]);
    for (uint32_t i = 0; context->expanded && i < context->module->m.nconstants; i++)
        bufvm_buffer_release(atomic_load(&context->expanded[i]));
    bvm_pool_close(context->pool);
    pthread_mutex_destroy(&context->expand_lock);
    bvm_mem_free(&a, context->imports, n.imports);
    bvm_mem_free(&a, context->given, n.given);
    bvm_mem_free(&a, context->constants, n.constants);
    bvm_mem_free(&a, (void *)context->expanded, n.expanded);
    bvm_mem_free(&a, context->globals, n.globals);
    bufvm_module_release(context->module);
    bvm_mem_free(&a, context, sizeof *context);
}

static BufvmStatus fill_context(BufvmContext *context, const BufvmImport *imports, BufvmError *error)
{
    const BvmModule *m = &context->module->m;
    const BufvmAllocator *a = &context->allocator;
    Sizes n = sizes_of(context);
    context->pool = bvm_pool_new(a, context->limits.memory, context->limits.allocation, context->limits.poison);
    context->imports = bvm_mem_zalloc(a, n.imports);
    context->given = bvm_mem_zalloc(a, n.given);
    context->constants = bvm_mem_zalloc(a, n.constants);
    context->expanded = bvm_mem_zalloc(a, n.expanded);
    context->globals = bvm_mem_zalloc(a, n.globals);
    if (!context->pool || !context->imports || !context->given || !context->constants || !context->expanded || !context->globals)
        return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: making a context");
    BufvmStatus status = bvm_worker_init(&context->main, context);
    if (status) {
        if (error)
            *error = context->main.error;
        return status;
    }
    if (context->limits.sanitize && !bvm_sanitizer_new(context))
        return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: making a context");
    context->main.next_address = ADDRESS_BASE;
    if (context->ngiven)
        memcpy(context->given, imports, n.given);
    for (uint32_t i = 0; i < m->nimports; i++)
        context->imports[i] = find_import(context, m->imports[i].api.name);
    make_constants(context);
    return make_globals(context, error);
}

BufvmStatus bufvm_context_new(BufvmModule *module, const BufvmLimits *limits, const BufvmImport *imports, size_t n_imports,
                              const BufvmAllocator *allocator, BufvmContext **out, BufvmError *error)
{
    if (!out || !module || (n_imports && !imports))
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "bufvm_context_new: %s",
                         !out      ? "no place for the context"
                         : !module ? "no module"
                                   : "no imports");
    *out = NULL;
    BufvmLimits filled = limits ? *limits : (BufvmLimits){0};
    unsigned cpu;
    BufvmStatus status = fill_limits(&filled, error);
    if (status)
        return status;
    if (filled.sanitize && !module->m.ndebug_ops)
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "--sanitize needs a module with observation points: compile it with -g");
    if (!bvm_cpu_select(filled.cpu, &cpu))
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "cpu '%.64s' is not known (%s)", filled.cpu, bvm_cpu_names());
    BufvmAllocator a = bvm_mem_allocator(allocator);
    BufvmContext *context = bvm_mem_zalloc(&a, sizeof *context);
    if (!context)
        return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: making a context");
    context->allocator = a;
    context->module = module;
    context->limits = filled;
    context->limits.cpu = NULL; /* the caller's text */
    context->cpu = cpu;
    _Static_assert(sizeof context->kernels == BVM_KERNELS * sizeof *context->kernels, "exec.h");
    for (unsigned k = 0; k < BVM_KERNELS; k++)
        context->kernels[k] = bvm_kernel_first(k, cpu);
    context->loop = filled.sanitize ? bvm_loop_sanitize : filled.switch_dispatch ? bvm_loop_switch : bvm_loop_goto;
    context->ngiven = n_imports;
    context->main.context = context;
    bufvm_module_retain(module);
    if (pthread_mutex_init(&context->expand_lock, NULL)) {
        bufvm_module_release(module);
        bvm_mem_free(&a, context, sizeof *context);
        return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: lock of a context");
    }
    status = fill_context(context, imports, error);
    if (status) {
        bufvm_context_free(context);
        return status;
    }
    *out = context;
    return BUFVM_OK;
}

/* -- calls ------------------------------------------------------------------------------------------- */

static BufvmStatus about(BufvmStatus status, const char *what, uint32_t i, const char *name, const BufvmError *why,
                         BufvmError *error)
{
    if (!error)
        return status;
    *error = (BufvmError){.status = status};
    snprintf(error->text, sizeof error->text, "%s %u of @%s: %.800s", what, i, name, why->text);
    if (status == BUFVM_TRAP)
        snprintf(error->function, sizeof error->function, "%s", name);
    return status;
}

/* Results into buffers that the caller gave: all of them are made before one of those is written. */
static BufvmStatus copy_results(BufvmContext *context, const BvmExport *export, BvmFrame *frame, BufvmValue *results,
                                BufvmError *error)
{
    BvmWorker *worker = &context->main;
    const BvmSignature *sig = &context->module->m.signatures[export->signature];
    BvmSlots slots = {bvm_scalars(frame), bvm_buffers(frame), frame->pc + 1, 0, true};
    char *old_top;
    BvmChunk *old_chunk;
    BufvmValue *values = bvm_stack_alloc(worker, sig->nresults * sizeof *values, &old_top, &old_chunk);
    if (!values) {
        if (error)
            *error = worker->error;
        return worker->error.status;
    }
    BufvmError why;
    BufvmStatus status = BUFVM_OK;
    uint32_t made = 0, i;
    for (; made < sig->nresults; made++)
        if ((status = bvm_value_out(context, &sig->results[made], &sig->results_extra[made], &slots, false, &values[made], &why))) {
            about(status, "result", made, export->api.name, &why, error);
            break;
        }
    for (i = 0; i < sig->nresults && !status; i++)
        if (results[i].kind == BUFVM_VIEW && (status = bvm_value_copy(&values[i], &results[i], &why)))
            about(status, "result", i, export->api.name, &why, error);
    for (i = 0; i < made; i++) {
        if (!status && results[i].kind != BUFVM_VIEW)
            bvm_value_move(&values[i], &results[i]);
        else
            bufvm_value_release(&values[i]);
    }
    bvm_stack_free(worker, old_top, old_chunk);
    return status;
}

/* After a failure the results that are there are views, which the caller of this drops. */
static BufvmStatus give_results(BufvmContext *context, const BvmExport *export, BvmFrame *frame, BufvmValue *results,
                                BufvmError *error)
{
    const BvmSignature *sig = &context->module->m.signatures[export->signature];
    for (uint32_t i = 0; i < sig->nresults; i++)
        if (results[i].kind == BUFVM_VIEW)
            return copy_results(context, export, frame, results, error);
    BvmSlots slots = {bvm_scalars(frame), bvm_buffers(frame), frame->pc + 1, 0, true};
    BufvmError why;
    BufvmStatus status = BUFVM_OK;
    for (uint32_t i = 0; i < sig->nresults && !status; i++)
        if ((status = bvm_value_out(context, &sig->results[i], &sig->results_extra[i], &slots, false, &results[i], &why)))
            about(status, "result", i, export->api.name, &why, error);
    return status;
}

static void clear_error(BufvmError *error)
{
    error->status = BUFVM_OK;
    error->text[0] = error->function[0] = 0;
    error->line = error->col = 0;
    error->offset = 0;
}

/* Most arguments: of the sizes that the type gives, in memory of the caller's that was here before.  There is nothing to compute
   and nothing to count.  false: look closer. */
static bool take_argument(const BufvmContext *context, const BufvmType *type, const BvmTypeExtra *extra, const BufvmValue *value,
                          BvmSlots *slots)
{
    const BufvmView *view = &value->view;
    const BufvmBuffer *block = view->buffer;
    if (!extra->plain || value->kind != BUFVM_VIEW || !block || view->elem != type->elem || view->rank != type->rank)
        return false;
    for (uint32_t i = 0; i < type->rank; i++)
        if (view->dims[i] != type->dims[i])
            return false;
    uint64_t size = block->bytes, length = extra->plain;
    if (block->pool == context->pool || !atomic_load_explicit(&block->address, memory_order_relaxed) || view->offset > size ||
        length > size - view->offset)
        return false;
    bool writable = type->is_memref && !(atomic_load_explicit(&block->flags, memory_order_relaxed) & BVM_READ_ONLY);
    *slots->b++ =
        (BvmReg){block->data + view->offset, length, writable ? length : 0, (uintptr_t)block | BVM_BORROWED}; /* it was unset */
    return true;
}

static BufvmStatus run_export(BufvmContext *context, const BvmExport *export, const BufvmValue *args, BufvmValue *results,
                              BufvmError *error)
{
    BvmWorker *worker = &context->main;
    const BvmCode *code = &context->module->codes[export->function];
    const BvmSignature *sig = &context->module->m.signatures[export->signature];
    clear_error(&worker->error);
    BvmFrame *frame = bvm_worker_ready(worker, code) ? NULL : bvm_push(worker, code, NULL);
    if (!frame) {
        if (error)
            *error = worker->error;
        return worker->error.status;
    }
    worker->frame = frame;
    BvmSlots slots = {bvm_scalars(frame), bvm_buffers(frame), NULL, 0, true};
    BufvmError why;
    BufvmStatus status = BUFVM_OK;
    for (uint32_t i = 0; i < sig->nargs && !status; i++)
        if (!take_argument(context, &sig->args[i], &sig->args_extra[i], &args[i], &slots) &&
            (status = bvm_value_in(context, &sig->args[i], &sig->args_extra[i], &args[i], &slots, &why)))
            about(status, "argument", i, export->api.name, &why, error);
    if (!status) {
        status = bvm_run(worker, frame);
        if (!status && context->sanitizer)
            status = bvm_sanitize_return(worker, export, frame, args);
        if (context->sanitizer) {
            bvm_sanitize_forget(worker);
            bvm_sanitize_lent(context, args, sig->nargs);
        }
        if (!status)
            status = give_results(context, export, frame, results, error);
        else if (error)
            *error = worker->error;
    }
    bvm_unwind(worker, frame);
    return status;
}

static uint64_t blocks_of_results(const BufvmContext *context, const BufvmValue *results, size_t n)
{
    uint64_t count = 0;
    for (size_t i = 0; i < n; i++) {
        bool counts = results[i].kind == BUFVM_VIEW && results[i].view.buffer && results[i].view.buffer->pool == context->pool;
        for (size_t j = 0; j < i && counts; j++)
            counts = results[j].kind != BUFVM_VIEW || results[j].view.buffer != results[i].view.buffer;
        count += counts;
    }
    return count;
}

static BufvmStatus call(BufvmContext *context, uint32_t export_number, const BufvmValue *args, size_t nargs, BufvmValue *results,
                        size_t nresults, BufvmError *error)
{
    const BvmModule *m = &context->module->m;
    if (export_number >= m->nexports)
        return bvm_error(error, BUFVM_NOT_FOUND, "export %" PRIu32 " of %" PRIu32, export_number, m->nexports);
    const BvmExport *export = &m->exports[export_number];
    const BvmFunc *fn = &m->functions[export->function];
    if (nargs != export->api.nargs || (nargs && !args))
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "@%s takes %" PRIu32 " arguments, got %zu", export->api.name,
                         export->api.nargs, nargs);
    if (nresults != export->api.nresults || (nresults && !results))
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "@%s gives %" PRIu32 " results, %zu were asked for", export->api.name,
                         export->api.nresults, nresults);
    if (fn->local_need > context->limits.local_memory)
        return bvm_error(error, BUFVM_LIMIT, "function @%s needs %" PRIu64 " bytes of local memory, %" PRIu64 " available",
                         fn->name, fn->local_need, context->limits.local_memory);
    BvmWorker *worker = &context->main;
    uint64_t before = bvm_pool_blocks(context->pool);
    uint64_t expanded = context->nexpanded, given = blocks_of_results(context, results, nresults); /* the caller's: alive before */
    worker->fuel_limit = worker->fuel = context->limits.fuel;
    worker->budget = 0;
    num_env_enter(&worker->env);
    BufvmStatus status = run_export(context, export, args, results, error);
    num_env_leave(&worker->env);
    context->calls++;
    uint64_t left = worker->fuel + (worker->budget > 0 ? (uint64_t)worker->budget : 0);
    context->instructions += context->limits.fuel - left;
    atomic_store_explicit(&context->interrupt, false, memory_order_relaxed);
    uint64_t after = bvm_pool_blocks(context->pool), accounted = before - given + (context->nexpanded - expanded);
    if (!status)
        accounted += blocks_of_results(context, results, nresults);
    context->leaked += after > accounted ? after - accounted : 0;
    return status;
}

BufvmStatus bufvm_call(BufvmContext *context, uint32_t export_number, const BufvmValue *args, size_t nargs, BufvmValue *results,
                       size_t nresults, BufvmError *error)
{
    if (!context)
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "bufvm_call: no context");
    BufvmStatus status;
    if (atomic_flag_test_and_set_explicit(&context->busy, memory_order_acquire)) {
        status = bvm_error(error, BUFVM_BUSY, "the context runs another call");
    } else {
        status = call(context, export_number, args, nargs, results, nresults, error);
        atomic_flag_clear_explicit(&context->busy, memory_order_release);
    }
    if (status)
        for (size_t i = 0; results && i < nresults; i++) {
            if (results[i].kind == BUFVM_VIEW)
                bufvm_value_release(&results[i]);
            results[i].kind = BUFVM_NOTHING;
        }
    return status;
}

void bufvm_context_interrupt(BufvmContext *context)
{
    if (context)
        atomic_store_explicit(&context->interrupt, true, memory_order_relaxed);
}

void bufvm_context_statistics(const BufvmContext *context, BufvmStatistics *out)
{
    BvmPoolStatistics pool;
    bvm_pool_statistics(context->pool, &pool);
    *out = (BufvmStatistics){pool.allocations,      pool.bytes_now, pool.bytes_peak,
                             context->instructions, context->calls, context->leaked};
}
