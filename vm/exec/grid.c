/* Grids: one function over workgroups, on the calling thread or on the context's threads; and pieces of a kernel, which are shared
 * in the same way.
 *
 * Workgroups are handed out in ascending order, so those below one that fails always run to their end and the lowest failure is
 * the one reported, whatever the number of threads.  Each starts with the fuel that was there when the grid began; their sum is
 * charged. Buffers are borrowed: the caller's frame holds them while the grid runs.
 */
#include <inttypes.h>
#include <sched.h>
#include <time.h>

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

/* A job is open while `state` says so, threads that enter it are counted there, and it ends when it is closed and the last has
   left. The caller waits for none that has not entered: one that gets no processor holds nothing up. */
enum { JOB_INSIDE = 0xffff, JOB_OPEN = 1 << 16, JOB_NUMBER_SHIFT = 32 };

struct BvmThreads {
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    atomic_uint_least64_t state; /* number of the job << 32 | JOB_OPEN | threads inside */
    atomic_uint sleepers;        /* wait for `start` */
    atomic_bool is_awaited;      /* the caller waits for `done` */
    atomic_bool stop;
    Job *job;
    uint32_t n;
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

static bool is_new(BvmThreads *threads, uint64_t seen)
{
    uint64_t state = atomic_load(&threads->state);
    return ((state & JOB_OPEN) && state >> JOB_NUMBER_SHIFT != seen) || atomic_load_explicit(&threads->stop, memory_order_relaxed);
}

static bool is_left(BvmThreads *threads, uint64_t unused)
{
    (void)unused;
    return !(atomic_load(&threads->state) & JOB_INSIDE);
}

static uint64_t microseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* Looks for a short while: the kernels of a program follow one another within less than a thread takes to wake up. */
static bool look_for(bool (*holds)(BvmThreads *threads, uint64_t seen), BvmThreads *threads, uint64_t seen)
{
    enum { LOOKS = 64, MICROSECONDS = 100 };
    uint64_t end = microseconds() + MICROSECONDS;
    do {
        for (int i = 0; i < LOOKS; i++) {
            if (holds(threads, seen))
                return true;
#if defined(__x86_64__)
            __builtin_ia32_pause();
#elif defined(__aarch64__)
            __asm__ volatile("yield");
#endif
        }
        sched_yield(); /* who is waited for may want this processor */
    } while (microseconds() < end);
    return false;
}

static void wait_for_job(BvmThreads *threads, uint64_t seen)
{
    if (look_for(is_new, threads, seen))
        return;
    pthread_mutex_lock(&threads->lock);
    atomic_fetch_add(&threads->sleepers, 1);
    while (!is_new(threads, seen))
        pthread_cond_wait(&threads->start, &threads->lock);
    atomic_fetch_sub(&threads->sleepers, 1);
    pthread_mutex_unlock(&threads->lock);
}

static bool enter_job(BvmThreads *threads, uint64_t *seen)
{
    uint64_t state = atomic_load(&threads->state);
    while ((state & JOB_OPEN) && state >> JOB_NUMBER_SHIFT != *seen)
        if (atomic_compare_exchange_weak(&threads->state, &state, state + 1)) {
            *seen = state >> JOB_NUMBER_SHIFT;
            return true;
        }
    return false;
}

static void leave_job(BvmThreads *threads)
{
    uint64_t state = atomic_fetch_sub(&threads->state, 1);
    if ((state & (JOB_INSIDE | JOB_OPEN)) != 1 || !atomic_load(&threads->is_awaited))
        return;
    pthread_mutex_lock(&threads->lock);
    pthread_cond_signal(&threads->done);
    pthread_mutex_unlock(&threads->lock);
}

static void *thread_main(void *argument)
{
    BvmWorker *worker = argument;
    BvmThreads *threads = worker->context->threads;
    uint64_t seen = 0;
    num_env_enter(&worker->env);
    while (!atomic_load(&threads->stop)) {
        if (enter_job(threads, &seen)) {
            run_all(worker, threads->job, 0);
            leave_job(threads);
        } else {
            wait_for_job(threads, seen);
        }
    }
    return NULL;
}

static void open_job(BvmThreads *threads, Job *job)
{
    uint64_t number = atomic_load(&threads->state) >> JOB_NUMBER_SHIFT;
    number = number < UINT32_MAX ? number + 1 : 1;
    threads->job = job;
    atomic_store(&threads->state, number << JOB_NUMBER_SHIFT | JOB_OPEN);
    if (!atomic_load(&threads->sleepers))
        return;
    pthread_mutex_lock(&threads->lock);
    pthread_cond_broadcast(&threads->start);
    pthread_mutex_unlock(&threads->lock);
}

static void close_job(BvmThreads *threads)
{
    atomic_fetch_and(&threads->state, ~(uint64_t)JOB_OPEN);
    if (is_left(threads, 0) || look_for(is_left, threads, 0))
        return;
    pthread_mutex_lock(&threads->lock);
    atomic_store(&threads->is_awaited, true);
    while (!is_left(threads, 0))
        pthread_cond_wait(&threads->done, &threads->lock);
    atomic_store(&threads->is_awaited, false);
    pthread_mutex_unlock(&threads->lock);
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
    atomic_store(&threads->stop, true);
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
    open_job(threads, job);
    run_all(worker, job, local_base);
    close_job(threads);
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
