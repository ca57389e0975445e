/* Calls of host functions.
 *
 * Arguments are passed as values over the registers, results are checked against the import's type; whatever
 * happens, every reference that was taken is given back.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exec.h"
#include "sanitize.h"

static BufvmStatus failed(BvmWorker *worker, BufvmStatus status, const char *what, uint32_t i, const char *name,
                          const BufvmError *why)
{
    return bvm_trap(worker, status, "%s %u of %s: %s", what, i, name, why->text);
}

static BufvmStatus call_host(BvmWorker *worker, const BvmFrame *frame, const BufvmImport *import, const BufvmSignature *api,
                             const BufvmValue *args, BufvmValue *results)
{
    BufvmError error = {0};
    bvm_error_where(&error, frame, frame->pc);
    num_env_leave(&worker->env);
    BufvmStatus status = import->fn(import->user, worker->context, api, args, results, &error);
    num_env_enter(&worker->env);
    if (!status)
        return BUFVM_OK;
    error.text[sizeof error.text - 1] = 0;
    if (error.text[0])
        return bvm_trap(worker, status, "%s", error.text);
    return bvm_trap(worker, status, "host function %s failed: %s", api->name, bufvm_status_name(status));
}

BufvmStatus bvm_call_import(BvmWorker *worker, BvmFrame *frame, uint32_t number, const uint64_t *list)
{
    BufvmContext *context = worker->context;
    const BvmModule *m = &context->module->m;
    const BufvmSignature *api = &m->imports[number].api;
    const BvmSignature *sig = &m->signatures[m->imports[number].signature];
    const BufvmImport *import = context->imports[number];
    if (!import)
        return bvm_trap(worker, BUFVM_NOT_FOUND, "host function %s is not provided", api->name);
    BufvmStatus status = bvm_charge(worker, 1 + (uint64_t)sig->nargs);
    if (status)
        return status;
    char *old_top;
    BvmChunk *old_chunk;
    BufvmValue *args = bvm_stack_alloc(worker, ((size_t)sig->nargs + sig->nresults) * sizeof *args, &old_top, &old_chunk);
    if (!args)
        return worker->error.status;
    BufvmValue *results = args + sig->nargs;
    BvmSlots slots = {bvm_scalars(frame), bvm_buffers(frame), list, 0, false};
    BufvmError why;
    uint32_t made = 0;
    for (; made < sig->nargs && !status; made++)
        if ((status = bvm_value_out(context, &sig->args[made], &sig->args_extra[made], &slots, true, &args[made], &why))) {
            failed(worker, status, "argument", made, api->name, &why);
            break;
        }
    for (uint32_t i = 0; context->sanitizer && i < made && !status; i++)
        status = bvm_sanitize_value(worker, frame, frame->pc, &args[i], "argument %" PRIu32 " of host function %s", i, api->name);
    if (!status) {
        memset(results, 0, sig->nresults * sizeof *results);
        status = call_host(worker, frame, import, api, args, results);
        for (uint32_t i = 0; i < sig->nresults && !status; i++)
            if ((status = bvm_value_in(context, &sig->results[i], &sig->results_extra[i], &results[i], &slots, &why))) {
                status = status == BUFVM_INVALID_ARGUMENT ? BUFVM_HOST : status;
                failed(worker, status, "result", i, api->name, &why);
            }
        for (uint32_t i = 0; i < sig->nresults; i++)
            bufvm_value_release(&results[i]);
    }
    while (made-- > 0)
        bufvm_value_release(&args[made]);
    bvm_stack_free(worker, old_top, old_chunk);
    /* what the host did may have taken any time */
    if (!status && atomic_load_explicit(&context->interrupt, memory_order_relaxed))
        status = bvm_trap(worker, BUFVM_INTERRUPTED, "interrupted");
    return status;
}
