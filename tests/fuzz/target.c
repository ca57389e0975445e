/* See target.h. */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Pool threads do not exist here: contexts have one. */
static size_t live, peak;
static clock_t begun;

/* Seconds of processor time that an input may take: sanitizers and the counters of coverage make it several times slower. */
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) ||                           \
    __has_feature(thread_sanitizer)
enum { MOST_SECONDS = 5 };
#else
enum { MOST_SECONDS = 1 };
#endif

void *fuzz_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user;
    void *p = NULL;
    if (!new_size) {
        free(ptr);
    } else {
        p = realloc(ptr, new_size);
        if (!p)
            return NULL;
    }
    live = live - (ptr ? old_size : 0) + new_size;
    if (live > peak)
        peak = live;
    return p;
}

const BufvmAllocator fuzz_allocator = {fuzz_realloc, NULL};

void fuzz_begin(void)
{
    live = peak = 0;
    begun = clock();
}

void fuzz_end(size_t size)
{
    if (live) {
        fprintf(stderr, "%zu bytes are not given back\n", live);
        abort();
    }
    if (peak > ((size_t)64 << 20) + 20 * size) {
        fprintf(stderr, "%zu bytes allocated for an input of %zu\n", peak, size);
        abort();
    }
    const char *emulator = getenv("EMULATOR"); /* an emulated machine has no time of its own */
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    if (seconds > MOST_SECONDS && (!emulator || !*emulator)) {
        fprintf(stderr, "%.2f seconds for an input of %zu\n", seconds, size);
        abort();
    }
}

enum { MAX_VALUES = 16, MAX_BYTES = 1 << 16 };

/* false: the type asks for more than a test gives */
static bool make_argument(const BufvmType *type, uint32_t seed, BufvmValue *value)
{
    memset(value, 0, sizeof *value);
    if (type->kind == BUFVM_SCALAR) {
        value->kind = BUFVM_SCALAR;
        value->elem = type->elem;
        value->bits = bufvm_elem_bytes(type->elem) == 8 ? seed % 5 : seed % 2;
        return true;
    }
    uint64_t count = 1;
    value->view.elem = type->elem ? type->elem : BUFVM_F32;
    value->view.rank = type->rank;
    for (uint32_t d = 0; d < type->rank; d++) {
        int64_t dim = type->dims[d] < 0 ? 1 + (int64_t)(seed % 4) : type->dims[d];
        if (dim > MAX_BYTES)
            return false;
        value->view.dims[d] = dim;
        count *= (uint64_t)dim;
        if (count > MAX_BYTES)
            return false;
    }
    uint64_t bytes = count * bufvm_elem_bytes(value->view.elem);
    if (bufvm_buffer_alloc(&fuzz_allocator, bytes, &value->view.buffer, NULL) != BUFVM_OK)
        return false;
    value->kind = BUFVM_VIEW;
    uint8_t *data = bufvm_buffer_data(value->view.buffer);
    for (uint64_t k = 0; k < bytes; k++)
        data[k] = (uint8_t)(k * seed >> 3 & 1);
    return true;
}

static BufvmStatus host(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                        BufvmValue *results, BufvmError *error)
{
    (void)user, (void)context, (void)args, (void)error;
    for (uint32_t k = 0; k < signature->nresults; k++)
        if (!make_argument(&signature->results[k], k + 3, &results[k]))
            return BUFVM_HOST;
    return BUFVM_OK;
}

static void call_export(BufvmContext *context, uint32_t number, const BufvmSignature *s)
{
    BufvmValue args[MAX_VALUES], results[MAX_VALUES];
    BufvmError error;
    uint32_t n = 0;
    if (s->nargs > MAX_VALUES || s->nresults > MAX_VALUES)
        return;
    memset(results, 0, sizeof results);
    while (n < s->nargs && make_argument(&s->args[n], number * 7 + n + 1, &args[n]))
        n++;
    if (n == s->nargs) {
        BufvmStatus status = bufvm_call(context, number, args, n, results, s->nresults, &error);
        if (status == BUFVM_BUSY || status == BUFVM_INTERRUPTED || status == BUFVM_OUT_OF_MEMORY)
            abort();
        for (uint32_t k = 0; k < s->nresults; k++)
            bufvm_value_release(&results[k]);
    }
    while (n)
        bufvm_value_release(&args[--n]);
}

void fuzz_run_module(const void *data, size_t size, bool must_load)
{
    BufvmLoadOptions load = {.allocator = &fuzz_allocator};
    BufvmLimits limits = {.memory = 8 << 20, .fuel = 100000, .local_memory = 1 << 16, .call_depth = 200, .stack = 1 << 20};
    BufvmModule *module = NULL;
    BufvmContext *context = NULL;
    BufvmError error;
    BufvmStatus status = bufvm_module_load(data, size, &load, &module, &error);
    if (status) {
        if (must_load && status != BUFVM_OUT_OF_MEMORY) {
            fprintf(stderr, "%s\n", error.text);
            abort();
        }
        return;
    }
    BufvmImport imports[8];
    size_t nimports = 0;
    for (; nimports < 8 && nimports < bufvm_module_imports(module); nimports++)
        imports[nimports] = (BufvmImport){bufvm_module_import(module, (uint32_t)nimports)->name, host, NULL};
    if (bufvm_context_new(module, &limits, imports, nimports, &fuzz_allocator, &context, &error) == BUFVM_OK) {
        for (uint32_t k = 0; k < bufvm_module_exports(module) && k < 16; k++)
            call_export(context, k, bufvm_module_export(module, k));
        bufvm_context_free(context);
    }
    bufvm_module_release(module);
}
