/* Damaged modules: mutate [--step=N] FILE.vmasm...
 *
 * Every single-bit flip (each N-th with --step) and every truncation of the files' modules either fails to load with a
 * reason, or loads and runs all its exports within fuel and memory limits.  The bytes lie in a block of exactly their
 * size, so that a sanitizer sees any read outside; the allocator counts, so that a leak or an excess is seen without one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/bytecode/module.h"

#define ALLOCATION_LIMIT (64u << 20)
#define FUEL             20000
#define MEMORY           (1u << 20)

typedef struct Counter {
    size_t now, peak;
} Counter;

typedef struct Tally {
    unsigned long refused, ran, trapped, limits;
} Tally;

/* A pool thread may call: this program asks for one thread only. */
static void *count_realloc(void *user, void *p, size_t old, size_t n)
{
    Counter *c = user;
    c->now = c->now - (p ? old : 0) + n;
    c->peak = c->now > c->peak ? c->now : c->peak;
    if (n == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, n);
}

/* An argument that fits its type: 3 for scalars, zeros in views with 4 for open dimensions. */
static bool make_argument(const BufvmAllocator *a, const BufvmType *type, BufvmValue *out)
{
    memset(out, 0, sizeof *out);
    if (type->kind == BUFVM_SCALAR) {
        out->kind = BUFVM_SCALAR;
        out->elem = type->elem;
        out->bits = type->elem == BUFVM_F32 ? 0x40400000 : type->elem == BUFVM_I1 ? 1 : 3;
        return true;
    }
    out->kind = BUFVM_VIEW;
    out->view.elem = type->elem;
    out->view.rank = type->rank;
    uint64_t bytes = bufvm_elem_bytes(type->elem);
    for (uint32_t i = 0; i < type->rank; i++) {
        int64_t dim = type->dims[i] < 0 ? 4 : type->dims[i];
        out->view.dims[i] = dim;
        if (dim && bytes > MEMORY / (uint64_t)dim)
            return false; /* a mutated type may ask for more than a test wants to give */
        bytes *= (uint64_t)dim;
    }
    return bufvm_buffer_alloc(a, bytes, &out->view.buffer, NULL) == BUFVM_OK;
}

static BufvmStatus call_export(const BufvmAllocator *a, BufvmContext *context, uint32_t number, const BufvmSignature *sig,
                               BufvmError *error)
{
    BufvmValue *args = calloc(sig->nargs + 1, sizeof *args), *results = calloc(sig->nresults + 1, sizeof *results);
    BufvmStatus status = BUFVM_OK;
    bool ok = true;
    for (uint32_t i = 0; i < sig->nargs; i++)
        ok = make_argument(a, &sig->args[i], &args[i]) && ok;
    if (ok)
        status = bufvm_call(context, number, args, sig->nargs, results, sig->nresults, error);
    for (uint32_t i = 0; i < sig->nargs; i++)
        bufvm_value_release(&args[i]);
    for (uint32_t i = 0; i < sig->nresults; i++)
        bufvm_value_release(&results[i]);
    free(args);
    free(results);
    return status;
}

static void run_module(const BufvmAllocator *a, BufvmModule *module, Tally *tally)
{
    BufvmLimits limits = {
        .memory = MEMORY, .fuel = FUEL, .local_memory = 1 << 16, .call_depth = 100, .stack = 1 << 20, .threads = 1};
    BufvmContext *context = NULL;
    BufvmError error = {0};
    if (bufvm_context_new(module, &limits, NULL, 0, a, &context, &error) != BUFVM_OK) {
        tally->limits++;
        return;
    }
    for (uint32_t i = 0; i < bufvm_module_exports(module); i++) {
        BufvmStatus status = call_export(a, context, i, bufvm_module_export(module, i), &error);
        if (status == BUFVM_OK)
            tally->ran++;
        else if (status == BUFVM_TRAP)
            tally->trapped++;
        else
            tally->limits++;
    }
    bufvm_context_free(context);
}

/* False: a rule of this page was broken. */
static bool try_bytes(const uint8_t *data, size_t size, Tally *tally)
{
    Counter counter = {0, 0};
    BufvmAllocator a = {count_realloc, &counter};
    BufvmLoadOptions options = {.allocator = &a};
    BufvmModule *module = NULL;
    BufvmError error = {0};
    BufvmStatus status = bufvm_module_load(data, size, &options, &module, &error);
    if (status == BUFVM_OK) {
        run_module(&a, module, tally);
        bufvm_module_release(module);
    } else {
        tally->refused++;
        if (status != BUFVM_INVALID_MODULE && status != BUFVM_VERSION && status != BUFVM_LIMIT)
            return fprintf(stderr, "status %s: %s\n", bufvm_status_name(status), error.text) < 0;
        if (!error.text[0] || error.offset > size)
            return fprintf(stderr, "refused without a reason or offset\n") < 0;
    }
    if (counter.now)
        return fprintf(stderr, "%zu bytes leaked\n", counter.now) < 0;
    if (counter.peak > ALLOCATION_LIMIT + 20 * size)
        return fprintf(stderr, "%zu bytes allocated\n", counter.peak) < 0;
    return true;
}

/* A copy in a block of its own, 8-byte aligned as the API asks for in-place use. */
static bool try_copy(const uint8_t *data, size_t size, size_t flip, Tally *tally)
{
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, data, size);
    if (flip < 8 * size)
        copy[flip / 8] ^= (uint8_t)(1u << flip % 8);
    bool ok = try_bytes(copy, size, tally);
    free(copy);
    return ok;
}

static bool mutate(const char *path, size_t step)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    char *text = malloc(1 << 20);
    size_t n = fread(text, 1, 1 << 20, f), size = 0;
    fclose(f);
    void *data = NULL;
    BufvmError error = {0};
    BufvmStatus status = bvm_assemble(NULL, text, n, &data, &size, &error);
    free(text);
    if (status != BUFVM_OK)
        return fprintf(stderr, "%s: %s\n", path, error.text) < 0;
    Tally tally = {0, 0, 0, 0};
    bool ok = try_copy(data, size, SIZE_MAX, &tally);
    unsigned long clean = tally.ran;
    for (size_t i = 0; i < size && ok; i += step)
        if (!(ok = try_copy(data, i, SIZE_MAX, &tally)))
            fprintf(stderr, "%s: cut to %zu bytes\n", path, i);
    for (size_t i = 0; i < 8 * size && ok; i += step)
        if (!(ok = try_copy(data, size, i, &tally)))
            fprintf(stderr, "%s: bit %zu of byte %zu flipped\n", path, i % 8, i / 8);
    printf("%s: %zu bytes; %lu exports ran unharmed; mutants: %lu refused, %lu calls returned, %lu trapped, %lu met a limit\n",
           path, size, clean, tally.refused, tally.ran - clean, tally.trapped, tally.limits);
    free(data);
    return ok;
}

int main(int argc, char **argv)
{
    size_t step = 1;
    int bad = 0, files = 0;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--step=", 7) == 0) {
            step = strtoul(argv[i] + 7, NULL, 10);
            continue;
        }
        bad |= !mutate(argv[i], step ? step : 1);
        files++;
    }
    return bad || !files;
}
