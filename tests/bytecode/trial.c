/* Trials of hostile modules: see trial.h. */
#include "trial.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../vm/bytecode/file.h"
#include "../../vm/bytecode/opnames.h"
#include "../counting.h"

enum { ALLOCATION_LIMIT = 64 << 20, FUEL = 20000, MEMORY = 1 << 20, VALUES = 24, SHARED = 4, SECONDS = 30 };

/* -- the note ---------------------------------------------------------------------------------- */

enum { NOTE_BYTES = 4096 };
static char *note_text;
static const char *note_path;
static char no_note[NOTE_BYTES];

bool trial_open_note(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || ftruncate(fd, NOTE_BYTES))
        return false;
    void *map = mmap(NULL, NOTE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map == MAP_FAILED)
        return false;
    note_text = map;
    note_path = path;
    return true;
}

void trial_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(note_text ? note_text : no_note, NOTE_BYTES, format, args);
    va_end(args);
}

void trial_close_note(void)
{
    if (note_path)
        unlink(note_path);
}

static bool broken(const char *format, ...)
{
    va_list args;
    fprintf(stderr, "%s\n  ", note_text ? note_text : no_note);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return false;
}

/* -- arguments --------------------------------------------------------------------------------- */

/* What a call of a trial shares with its host functions. */
typedef struct Run {
    const BufvmAllocator *allocator;
    const Trial *trial;
    uint64_t state;
    BufvmBuffer *shared[SHARED];
    uint8_t *memory[SHARED];
    uint32_t call;
    bool reentered; /* a call of a busy context was not refused */
    uint64_t digest;
} Run;

static uint32_t rnd(Run *r, uint32_t n)
{
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((r->state >> 33) % n);
}

static void digest(Run *r, const void *data, size_t n)
{
    const uint8_t *p = data;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        r->digest = (r->digest ^ word) * 0x9E3779B97F4A7C15u;
        r->digest ^= r->digest >> 29;
    }
    for (; n; n--)
        r->digest = (r->digest ^ *p++) * 1099511628211u;
}

static const uint32_t shared_bytes[SHARED] = {24000, 4099, 4096, 0};

static const uint8_t *pattern(uint32_t from)
{
    static uint8_t bytes[24000 + 256];
    if (!bytes[1])
        for (uint32_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)(k * 7 + (k >> 8) * 13);
    return bytes + from % 256;
}

static void free_memory(void *user, void *data)
{
    (void)data;
    free(user);
}

/* One block of the library's, one of ours at an odd address, one that may only be read, and one of no bytes. */
static bool share_buffers(Run *r)
{
    const BufvmAllocator *a = r->allocator;
    memset(r->shared, 0, sizeof r->shared);
    if (bufvm_buffer_alloc(a, shared_bytes[0], &r->shared[0], NULL) != BUFVM_OK)
        return false;
    for (int i = 1; i < SHARED; i++) {
        size_t odd = i == 1;
        uint8_t *memory = malloc(shared_bytes[i] + odd + 1);
        if (bufvm_buffer_wrap(a, memory + odd, shared_bytes[i], i == 2, free_memory, memory, &r->shared[i], NULL) != BUFVM_OK)
            return false;
    }
    for (int i = 0; i < SHARED; i++) {
        uint8_t *p = bufvm_buffer_data(r->shared[i]);
        if (r->trial->seed && p)
            memcpy(p, pattern(r->call), shared_bytes[i]);
        else if (p)
            memset(p, 0, shared_bytes[i]);
    }
    return true;
}

static uint64_t any_number(Run *r)
{
    static const uint64_t numbers[] = {0,
                                       1,
                                       2,
                                       13,
                                       16,
                                       UINT64_MAX,
                                       (uint64_t)-2,
                                       1u << 31,
                                       UINT32_MAX,
                                       0x7fffffff,
                                       0x3f800000,
                                       0x7f800000u,
                                       0x7fc00001,
                                       INT64_MAX,
                                       UINT64_C(1) << 63,
                                       UINT64_C(1) << 62,
                                       0x3ff0000000000000,
                                       0x7ff0000000000001};
    uint32_t what = rnd(r, 8);
    return what < 4 ? rnd(r, 17) : what < 7 ? numbers[rnd(r, sizeof numbers / sizeof *numbers)] : r->state;
}

/* A block of its own for what fits best. */
static bool plain_view(Run *r, const BufvmType *type, BufvmView *view)
{
    uint64_t bytes = bufvm_elem_bytes(type->elem);
    for (uint32_t i = 0; i < type->rank; i++) {
        int64_t dim = type->dims[i] < 0 ? r->trial->open : type->dims[i];
        view->dims[i] = dim;
        if (dim && bytes > MEMORY / (uint64_t)dim)
            return false; /* a mutated type may ask for more than a test wants to give */
        bytes *= (uint64_t)dim;
    }
    return bufvm_buffer_alloc(r->allocator, bytes, &view->buffer, NULL) == BUFVM_OK;
}

/* A view that fits its buffer most times: shared with others, overlapping them, without elements, or with strides. */
static void random_view(Run *r, const BufvmType *type, BufvmValue *out)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 4, 13, 16, 64};
    BufvmView *view = &out->view;
    uint32_t which = rnd(r, 8) ? rnd(r, 3) : 3;
    uint64_t room = shared_bytes[which], elem = bufvm_elem_bytes(type->elem), count = 1;
    if (type->kind == BUFVM_NOTHING)
        view->rank = rnd(r, 4);
    for (uint32_t i = 0; i < view->rank; i++) {
        bool fixed = type->kind == BUFVM_VIEW && type->dims[i] >= 0;
        int64_t most = elem && count ? (int64_t)(room / elem / count) : 0;
        int64_t dim = fixed ? type->dims[i] : rnd(r, 4) == 0 ? most : sizes[rnd(r, sizeof sizes / sizeof *sizes)];
        dim = !fixed && dim > most && rnd(r, 16) ? most : dim;
        view->dims[i] = dim;
        count = dim && count > UINT64_MAX / (uint64_t)dim ? UINT64_MAX : count * (uint64_t)dim;
    }
    uint64_t need = elem && count > room / elem ? room : count * elem;
    view->buffer = r->shared[which];
    view->offset = rnd(r, 32) == 0 ? any_number(r) : room > need && rnd(r, 3) ? rnd(r, (uint32_t)(room - need) + 1) : 0;
    bufvm_buffer_retain(view->buffer);
    if (rnd(r, 6) == 0) {
        out->kind = BUFVM_STRIDED;
        int64_t step = 1;
        for (uint32_t i = view->rank; i-- > 0;) {
            out->strides[i] = rnd(r, 4) ? step : (int64_t)rnd(r, 7) - 3;
            step = view->dims[i] > 0 && view->dims[i] < 100 ? step * view->dims[i] : step;
        }
    }
}

static bool make_argument(Run *r, const BufvmType *type, BufvmValue *out)
{
    memset(out, 0, sizeof *out);
    if (type->kind == BUFVM_SCALAR) {
        out->kind = BUFVM_SCALAR;
        out->elem = type->elem;
        out->bits = r->trial->seed ? any_number(r) : type->elem == BUFVM_F32 ? 0x40400000 : type->elem == BUFVM_I1 ? 1 : 3;
        out->bits2 = r->trial->seed ? any_number(r) : 0;
        return true;
    }
    out->kind = BUFVM_VIEW;
    out->view.elem = type->elem;
    out->view.rank = type->rank;
    if (!r->trial->seed)
        return plain_view(r, type, &out->view);
    random_view(r, type, out);
    return true;
}

/* Reads what the module gives out, as a host function may. */
static void read_value(Run *r, const BufvmValue *v)
{
    if (v->kind == BUFVM_SCALAR) {
        digest(r, &v->bits, sizeof v->bits);
        digest(r, &v->bits2, sizeof v->bits2);
    }
    if (v->kind != BUFVM_VIEW && v->kind != BUFVM_STRIDED)
        return;
    const uint8_t *data = bufvm_buffer_data(v->view.buffer) + v->view.offset;
    size_t elem = bufvm_elem_bytes(v->view.elem);
    int64_t index[BUFVM_MAX_RANK] = {0}, strides[BUFVM_MAX_RANK], step = 1;
    uint64_t count = 1;
    for (uint32_t i = v->view.rank; i-- > 0; step *= v->view.dims[i]) {
        strides[i] = v->kind == BUFVM_STRIDED ? v->strides[i] : step;
        if (v->view.dims[i] <= 0)
            return;
        count = count < 4096 ? count * (uint64_t)v->view.dims[i] : count; /* a stride of 0 makes large ones */
    }
    for (uint64_t k = 0; k < count && k < 4096; k++) {
        int64_t at = 0;
        for (uint32_t i = 0; i < v->view.rank; i++)
            at += index[i] * strides[i];
        digest(r, data + at * (int64_t)elem, elem);
        for (uint32_t i = v->view.rank; i-- > 0 && ++index[i] == v->view.dims[i];)
            index[i] = 0;
    }
}

static BufvmStatus host(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                        BufvmValue *results, BufvmError *error)
{
    Run *r = user;
    for (uint32_t i = 0; i < signature->nargs; i++)
        read_value(r, &args[i]);
    if (r->trial->seed && rnd(r, 16) == 0)
        r->reentered |= bufvm_call(context, 0, NULL, 0, NULL, 0, NULL) != BUFVM_BUSY;
    if (r->trial->seed && rnd(r, 16) == 0) {
        memset(error->text, 'x', sizeof error->text); /* not terminated */
        return BUFVM_HOST;
    }
    for (uint32_t i = 0; i < signature->nresults; i++) {
        if (r->trial->seed && rnd(r, 32) == 0)
            continue; /* nothing, where a value is due */
        if (!make_argument(r, &signature->results[i], &results[i]))
            return BUFVM_HOST;
    }
    return BUFVM_OK;
}

/* -- calls --------------------------------------------------------------------------------------- */

static BufvmStatus call_export(Run *r, BufvmContext *context, uint32_t number, const BufvmSignature *sig, BufvmError *error)
{
    BufvmValue *args = calloc(sig->nargs + (size_t)1, sizeof *args), *results = calloc(sig->nresults + (size_t)1, sizeof *results);
    BufvmStatus status = BUFVM_INVALID_ARGUMENT;
    bool ok = sig->nargs <= VALUES && sig->nresults <= VALUES && (!r->trial->seed || share_buffers(r));
    for (uint32_t i = 0; i < sig->nargs && ok; i++)
        ok = make_argument(r, &sig->args[i], &args[i]);
    for (uint32_t i = 0; i < sig->nresults && ok && r->trial->seed; i++)
        if (sig->results[i].kind == BUFVM_VIEW && rnd(r, 8) == 0) {
            make_argument(r, &sig->results[i], &results[i]); /* a place for the result, maybe where an argument lies */
            if (results[i].kind == BUFVM_STRIDED)
                bufvm_value_release(&results[i]);
        }
    if (ok)
        status = bufvm_call(context, number, args, sig->nargs, results, sig->nresults, error);
    digest(r, &status, sizeof status);
    for (uint32_t i = 0; i < sig->nresults && status == BUFVM_OK; i++)
        read_value(r, &results[i]);
    for (uint32_t i = 0; i < sig->nargs && status == BUFVM_OK && r->trial->compare && !r->trial->seed; i++)
        read_value(r, &args[i]);
    for (int i = 0; i < SHARED && status == BUFVM_OK && r->trial->compare && r->trial->seed; i++)
        digest(r, bufvm_buffer_data(r->shared[i]), shared_bytes[i]);
    if (status == BUFVM_TRAP && ok)
        digest(r, error->text, strlen(error->text));
    for (uint32_t i = 0; i < sig->nargs; i++)
        bufvm_value_release(&args[i]);
    for (uint32_t i = 0; i < sig->nresults; i++)
        bufvm_value_release(&results[i]);
    for (int i = 0; i < SHARED; i++)
        bufvm_buffer_release(r->shared[i]);
    memset(r->shared, 0, sizeof r->shared);
    free(args);
    free(results);
    return status;
}

/* How a run of all exports ended: the worst of them. */
typedef struct End {
    unsigned long returned, traps, met_limits, unfit;
    bool ok;
    uint64_t digest;
} End;

static End run_exports(BufvmModule *module, const BufvmAllocator *a, const Trial *trial)
{
    Run r = {.allocator = a, .trial = trial, .state = trial->seed * 7919 + 1, .digest = 14695981039346656037u};
    BufvmLimits limits = {.memory = MEMORY,
                          .fuel = FUEL,
                          .local_memory = 1 << 16,
                          .call_depth = 100,
                          .stack = 1 << 20,
                          .threads = trial->threads ? trial->threads : 1,
                          .switch_dispatch = trial->switched,
                          .poison = trial->seed & 1,
                          .cpu = trial->portable ? "portable" : NULL,
                          .sanitize = trial->watch ? BUFVM_SANITIZE | BUFVM_SANITIZE_RACE : 0};
    BufvmImport imports[16];
    size_t nimports = 0;
    for (; nimports < 16 && nimports < bufvm_module_imports(module); nimports++)
        imports[nimports] = (BufvmImport){bufvm_module_import(module, (uint32_t)nimports)->name, host, &r};
    BufvmContext *context = NULL;
    BufvmError error;
    memset(&error, 0, sizeof error);
    End end = {.ok = true};
    BufvmStatus status = bufvm_context_new(module, &limits, imports, nimports, a, &context, &error);
    if (status != BUFVM_OK) {
        end.met_limits = 1;
        end.ok = (status == BUFVM_LIMIT && error.text[0]) || broken("no context: %s: %s", bufvm_status_name(status), error.text);
        return end;
    }
    bool same = true; /* memory is unspecified after a trap: what comes later may differ */
    for (uint32_t i = 0; i < bufvm_module_exports(module) && end.ok; i++) {
        r.call = i;
        uint64_t before = r.digest;
        status = call_export(&r, context, i, bufvm_module_export(module, i), &error);
        if (!same)
            r.digest = before;
        same = same && status == BUFVM_OK;
        end.returned += status == BUFVM_OK;
        end.traps += status == BUFVM_TRAP;
        end.met_limits += status == BUFVM_LIMIT;
        end.unfit += status == BUFVM_INVALID_ARGUMENT || status == BUFVM_HOST;
        end.ok = status == BUFVM_OK || status == BUFVM_TRAP || status == BUFVM_LIMIT || status == BUFVM_INVALID_ARGUMENT ||
                 status == BUFVM_HOST || (status == BUFVM_NOT_FOUND && nimports < bufvm_module_imports(module)) ||
                 broken("export %u: %s: %s", i, bufvm_status_name(status), error.text);
    }
    if (r.reentered)
        end.ok = broken("a running context took a call");
    bufvm_context_free(context);
    end.digest = r.digest;
    return end;
}

/* Sums in any order are the one thing that kernels of several machines may do in several ways. */
static bool has_free_order(const uint8_t *data, size_t size)
{
    static uint16_t list[65536];
    BvmModule m;
    bool found = false;
    if (bvm_module_read(NULL, data, size, 0, &m, NULL) != BUFVM_OK)
        return true;
    for (uint32_t f = 0; f < m.nfunctions; f++) {
        BvmInsn insn;
        for (size_t at = 0; at < m.functions[f].ncode;) {
            at += bvm_decode(m.functions[f].code + at, m.functions[f].ncode - at, &insn, list, NULL);
            found = found || (insn.row == BVM_OP_kernel && (insn.wide[0] & 0xFFFF) == 4 && insn.wide[0] >> 48 & 2);
        }
    }
    bvm_module_free(&m);
    return found;
}

static bool compare_runs(BufvmModule *module, const BufvmAllocator *a, const Trial *trial, const End *first)
{
    Trial other = *trial;
    other.switched = !trial->switched;
    other.portable = !trial->portable;
    other.threads = trial->threads > 1 ? 1 : 3;
    End second = run_exports(module, a, &other);
    return second.ok &&
           (second.digest == first->digest || broken("two runs differ (switch %d, portable %d, threads %u and the contrary)",
                                                     trial->switched, trial->portable, trial->threads));
}

/* Records that nothing names are not in the text, and equal ones become one; after that nothing changes any more. */
static bool keeps_text(const uint8_t *data, size_t size)
{
    char *text = NULL, *text2 = NULL;
    void *back = NULL, *back2 = NULL;
    size_t n = 0, n2 = 0, again = 0, again2 = 0;
    BufvmError error = {0};
    bool ok = bvm_disassemble(NULL, data, size, &text, &n, &error) == BUFVM_OK &&
              bvm_assemble(NULL, text, n, &back, &again, &error) == BUFVM_OK &&
              bvm_disassemble(NULL, back, again, &text2, &n2, &error) == BUFVM_OK &&
              bvm_assemble(NULL, text2, n2, &back2, &again2, &error) == BUFVM_OK;
    if (!ok)
        broken("its text is not taken: %u:%u: %s", error.line, error.col, error.text);
    else if (again != again2 || memcmp(back, back2, again) != 0)
        ok = broken("its text gives another module");
    free(text);
    free(text2);
    free(back);
    free(back2);
    return ok;
}

static bool run_loaded(BufvmModule *module, const BufvmAllocator *a, const uint8_t *data, size_t size, const Trial *trial,
                       Tally *tally)
{
    Trial mine = *trial;
    BvmModule m;
    mine.watch = trial->watch && bvm_module_read(NULL, data, size, 0, &m, NULL) == BUFVM_OK;
    if (mine.watch) {
        mine.watch = m.ndebug_ops != 0;
        bvm_module_free(&m);
    }
    End end = run_exports(module, a, &mine);
    tally->loaded++;
    tally->returned += end.returned;
    tally->traps += end.traps;
    tally->met_limits += end.met_limits;
    tally->unfit += end.unfit;
    *(end.traps ? &tally->trapped : end.met_limits ? &tally->limits : &tally->finished) += 1;
    tally->watched += mine.watch;
    if (end.ok && trial->compare && !mine.watch && !has_free_order(data, size)) {
        tally->compared++;
        end.ok = compare_runs(module, a, &mine, &end);
    }
    if (end.ok && trial->text && bvm_get16(data + 10) <= BVM_VERSION_MINOR) { /* text knows no sections of later versions */
        tally->texts++;
        end.ok = keeps_text(data, size);
    }
    return end.ok;
}

bool trial_run(const uint8_t *data, size_t size, const Trial *trial, Tally *tally)
{
    /* in a block of exactly its size, 8-byte aligned as in-place use asks: a sanitizer sees any read outside */
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, data, size);
    Counter counter;
    atomic_init(&counter.now, 0);
    atomic_init(&counter.peak, 0);
    BufvmAllocator a = {count_realloc, &counter};
    BufvmLoadOptions options = {.allocator = &a};
    BufvmModule *module = NULL;
    BufvmError error;
    error.text[0] = 0;
    error.offset = 0;
    bool ok = true;
    alarm(SECONDS);
    BufvmStatus status = bufvm_module_load(copy, size, &options, &module, &error);
    if (status == BUFVM_OK) {
        ok = run_loaded(module, &a, copy, size, trial, tally);
        bufvm_module_release(module);
    } else {
        tally->refused++;
        if (status != BUFVM_INVALID_MODULE && status != BUFVM_VERSION && status != BUFVM_LIMIT)
            ok = broken("status %s: %s", bufvm_status_name(status), error.text);
        else if (!error.text[0] || error.offset > size)
            ok = broken("refused without a reason or offset");
    }
    alarm(0);
    if (ok && counter.now)
        ok = broken("%zu bytes leaked", (size_t)counter.now);
    if (ok && counter.peak > ALLOCATION_LIMIT + 20 * size)
        ok = broken("%zu bytes allocated", (size_t)counter.peak);
    free(copy);
    return ok;
}

void trial_print(const Tally *t)
{
    unsigned long all = t->refused + t->loaded;
    double share = all ? 100.0 / (double)all : 0;
    printf("%lu trials: %.1f %% refused, %.1f %% loaded (%.1f %% ended, %.1f %% trapped, %.1f %% met a limit); calls: %lu "
           "returned, %lu "
           "trapped, %lu met a limit, %lu had unfit arguments; %lu watched, %lu run twice, %lu by text\n",
           all, share * (double)t->refused, share * (double)t->loaded, share * (double)t->finished, share * (double)t->trapped,
           share * (double)t->limits, t->returned, t->traps, t->met_limits, t->unfit, t->watched, t->compared, t->texts);
}
