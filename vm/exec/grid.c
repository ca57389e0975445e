/* Grids: one function over workgroups, on the calling thread or on the context's threads; and pieces of a kernel, which are shared
 * in the same way.
 *
 * Workgroups are handed out in ascending order, so those below one that fails always run to their end and the lowest failure is
 * the one reported, whatever the number of threads.  Each starts with the fuel that was there when the grid began; their sum is
 * charged. Buffers are borrowed: the caller's frame holds them while the grid runs.
 */
#include <inttypes.h>

#include "exec.h"

#define MAX_NESTING    16 /* grids within grids use the host's stack */
#define ADDRESS_BASE   (UINT64_C(1) << 44)
#define ADDRESS_STRIDE (UINT64_C(1) << 24)

typedef struct Job {
    BvmPieceFn *piece; /* NULL: a function over workgroups */
    void *user;
    const BvmCode *code;
    const uint64_t *s;
    const BvmReg *b;
    const uint64_t *list;
    uint64_t count, fuel, local_base;
    atomic_uint_least64_t next, used, stop_at;
    pthread_mutex_t lock;
    uint64_t failed; /* lowest workgroup that failed; count: none */
    BufvmError error;
} Job;

struct BvmThreads {
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    uint64_t generation;
    Job *job;
    uint32_t running, n;
    bool stop;
    size_t bytes;
    BvmWorker *workers;
    pthread_t *ids;
};

/* -- one workgroup ----------------------------------------------------------------------------------- */

static BvmFrame *enter(BvmWorker *worker, const Job *job, uint64_t workgroup, uint64_t local_base)
{
    BvmFrame *frame = bvm_push(worker, job->code, NULL);
    if (!frame)
        return NULL;
    frame->local_base = local_base;
    uint64_t *s = bvm_scalars(frame);
    BvmReg *b = bvm_buffers(frame);
    const char *kinds = job->code->fn->sig.args;
    for (uint32_t i = 0; i + 1 < job->code->nargs; i++) {
        uint16_t r = bvm_list(job->list, i);
        if (kinds[i] == 's') {
            *s++ = job->s[r];
        } else {
            *b = job->b[r];
            if (b->owner)
                b->owner |= BVM_BORROWED;
            b++;
        }
    }
    *s = workgroup;
    return frame;
}

static BufvmStatus run_workgroup(BvmWorker *worker, const Job *job, uint64_t workgroup, uint64_t local_base)
{
    worker->next_address = ADDRESS_BASE + workgroup * ADDRESS_STRIDE;
    BvmFrame *frame = enter(worker, job, workgroup, local_base);
    if (!frame)
        return worker->error.status;
    BufvmStatus status = bvm_charge(worker, 1);
    if (status) {
        bvm_pop(worker, frame);
        return status;
    }
    status = bvm_run(worker, frame);
    bvm_unwind(worker, frame);
    return status;
}

static BufvmStatus run_one(BvmWorker *worker, Job *job, uint64_t number, uint64_t local_base)
{
    worker->fuel = job->fuel;
    worker->budget = 0;
    worker->error.function[0] = 0;
    BufvmStatus status = job->piece ? job->piece(worker, job->user, number) : run_workgroup(worker, job, number, local_base);
    uint64_t used = job->fuel - (worker->fuel + (uint64_t)worker->budget);
    uint64_t before = atomic_fetch_add_explicit(&job->used, used, memory_order_relaxed);
    if (!status && used > job->fuel - (before < job->fuel ? before : job->fuel))
        status = bvm_trap(worker, BUFVM_LIMIT, "fuel: the limit of %" PRIu64 " instructions was reached", worker->fuel_limit);
    return status;
}

static void run_all(BvmWorker *worker, Job *job, uint64_t local_base)
{
    for (;;) {
        uint64_t workgroup = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (workgroup >= job->count || workgroup > atomic_load_explicit(&job->stop_at, memory_order_relaxed))
            return;
        if (!run_one(worker, job, workgroup, local_base))
            continue;
        pthread_mutex_lock(&job->lock);
        if (workgroup < job->failed) {
            job->failed = workgroup;
            job->error = worker->error;
            atomic_store_explicit(&job->stop_at, workgroup, memory_order_relaxed);
        }
        pthread_mutex_unlock(&job->lock);
    }
}

/* -- threads ------------------------------------------------------------------------------------------ */

static void *thread_main(void *argument)
{
    BvmWorker *worker = argument;
    BvmThreads *threads = worker->context->threads;
    uint64_t seen = 0;
    num_env_enter(&worker->env);
    pthread_mutex_lock(&threads->lock);
    for (;;) {
        while (threads->generation == seen && !threads->stop)
            pthread_cond_wait(&threads->start, &threads->lock);
        if (threads->stop)
            break;
        seen = threads->generation;
        Job *job = threads->job;
        pthread_mutex_unlock(&threads->lock);
        run_all(worker, job, 0);
        pthread_mutex_lock(&threads->lock);
        if (--threads->running == 0)
            pthread_cond_signal(&threads->done);
    }
    pthread_mutex_unlock(&threads->lock);
    return NULL;
}

/* Fewer threads than asked for is no error: results do not depend on their number. */
static void threads_new(BufvmContext *context)
{
    uint32_t n = context->limits.threads - 1;
    size_t bytes = sizeof(BvmThreads) + n * (sizeof(BvmWorker) + sizeof(pthread_t));
    BvmThreads *threads = bvm_mem_zalloc(&context->allocator, bytes);
    if (!threads)
        return;
    threads->bytes = bytes;
    threads->workers = (BvmWorker *)(threads + 1);
    threads->ids = (pthread_t *)(threads->workers + n);
    if (pthread_mutex_init(&threads->lock, NULL) || pthread_cond_init(&threads->start, NULL) ||
        pthread_cond_init(&threads->done, NULL)) {
        bvm_mem_free(&context->allocator, threads, bytes);
        return;
    }
    context->threads = threads;
    for (; threads->n < n; threads->n++) {
        BvmWorker *worker = &threads->workers[threads->n];
        if (bvm_worker_init(worker, context))
            break;
        worker->fuel_limit = context->main.fuel_limit;
        worker->grid_depth = 1;
        if (pthread_create(&threads->ids[threads->n], NULL, thread_main, worker)) {
            bvm_worker_free(worker);
            break;
        }
    }
}

void bvm_threads_free(BufvmContext *context)
{
    BvmThreads *threads = context->threads;
    if (!threads)
        return;
    pthread_mutex_lock(&threads->lock);
    threads->stop = true;
    pthread_cond_broadcast(&threads->start);
    pthread_mutex_unlock(&threads->lock);
    for (uint32_t i = 0; i < threads->n; i++) {
        pthread_join(threads->ids[i], NULL);
        bvm_worker_free(&threads->workers[i]);
    }
    pthread_cond_destroy(&threads->start);
    pthread_cond_destroy(&threads->done);
    pthread_mutex_destroy(&threads->lock);
    bvm_mem_free(&context->allocator, threads, threads->bytes);
    context->threads = NULL;
}

static BufvmStatus run_on_threads(BvmWorker *worker, BvmThreads *threads, Job *job, uint64_t local_base)
{
    for (uint32_t i = 0; i < threads->n; i++) {
        BufvmStatus status = job->code ? bvm_worker_ready(&threads->workers[i], job->code) : BUFVM_OK;
        if (status) { /* a limit that one worker keeps: what it allows does not depend on the threads */
            run_all(worker, job, local_base);
            return BUFVM_OK;
        }
        threads->workers[i].fuel_limit = worker->fuel_limit;
    }
    pthread_mutex_lock(&threads->lock);
    threads->job = job;
    threads->running = threads->n;
    threads->generation++;
    pthread_cond_broadcast(&threads->start);
    pthread_mutex_unlock(&threads->lock);
    run_all(worker, job, local_base);
    pthread_mutex_lock(&threads->lock);
    while (threads->running)
        pthread_cond_wait(&threads->done, &threads->lock);
    pthread_mutex_unlock(&threads->lock);
    return BUFVM_OK;
}

/* -- jobs ------------------------------------------------------------------------------------------------ */

static BufvmStatus run_job(BvmWorker *worker, Job *job, bool alone)
{
    BufvmContext *context = worker->context;
    BvmFrame *frame = worker->frame;
    BufvmStatus status = BUFVM_OK;
    uint64_t budget = worker->budget > 0 ? (uint64_t)worker->budget : 0;
    uint64_t address = worker->next_address;
    job->fuel = worker->fuel > UINT64_MAX - budget ? UINT64_MAX : worker->fuel + budget;
    job->failed = job->count;
    atomic_init(&job->next, 0);
    atomic_init(&job->used, 0);
    atomic_init(&job->stop_at, UINT64_MAX);
    if (pthread_mutex_init(&job->lock, NULL))
        return bvm_trap(worker, BUFVM_OUT_OF_MEMORY, "out of memory: lock of a grid");

    if (!alone && !context->threads)
        threads_new(context);
    worker->grid_depth++;
    if (alone || !context->threads || !context->threads->n)
        run_all(worker, job, job->local_base);
    else
        status = run_on_threads(worker, context->threads, job, job->local_base);
    worker->grid_depth--;
    worker->frame = frame;
    worker->next_address = address;
    pthread_mutex_destroy(&job->lock);

    uint64_t used = atomic_load(&job->used), left = used < job->fuel ? job->fuel - used : 0;
    uint64_t slice = left < 65536 ? left : 65536;
    worker->budget = (int64_t)slice;
    worker->fuel = left - slice;
    if (!status && job->failed < job->count) {
        worker->error = job->error;
        status = job->error.status;
    }
    return status;
}

BufvmStatus bvm_share(BvmWorker *worker, uint64_t count, BvmPieceFn *piece, void *user)
{
    Job job = {.piece = piece, .user = user, .count = count};
    return run_job(worker, &job, false);
}

/* -- the instruction ------------------------------------------------------------------------------------ */

BufvmStatus bvm_grid(BvmWorker *worker, BvmFrame *frame, uint32_t function, int64_t count, const uint64_t *list)
{
    BufvmContext *context = worker->context;
    const BvmCode *code = &context->module->codes[function];
    if (count <= 0)
        return BUFVM_OK;
    if (worker->grid_depth >= MAX_NESTING)
        return bvm_trap(worker, BUFVM_LIMIT, "grid over @%s: the limit of nested grids is %d", code->fn->name, MAX_NESTING);
    BufvmStatus status = bvm_worker_ready(worker, code);
    if (status)
        return status;
    uint64_t local_base = frame->local_base + frame->code->fn->local_own;
    if (code->fn->local_need &&
        (local_base > worker->local.available || code->fn->local_own > worker->local.available - local_base))
        return bvm_trap(worker, BUFVM_LIMIT, "function @%s needs %" PRIu64 " bytes of local memory, %" PRIu64 " available",
                        code->fn->name, code->fn->local_need,
                        worker->local.available - (local_base < worker->local.available ? local_base : worker->local.available));

    Job job = {.code = code,
               .s = bvm_scalars(frame),
               .b = bvm_buffers(frame),
               .list = list,
               .count = (uint64_t)count,
               .local_base = local_base};
    worker->frame = frame;
    return run_job(worker, &job, worker->grid_depth || context->limits.threads <= 1 || code->may_host || count == 1);
}
