/* What the files of vm/exec share: decoded code, frames, workers, contexts.
 *
 * A context owns workers.  A worker runs one chain of frames on a stack of its own; the calling
 * thread is worker 0, the others belong to the context's thread pool and run grids.  Nothing here
 * is shared between workers but the module (immutable), the pool of blocks (locked), and the
 * context's atomics.
 */
#ifndef BVM_EXEC_H
#define BVM_EXEC_H

#include <stdatomic.h>
#include <string.h>

#include "../bytecode/module.h"
#include "../memory/memory.h"
#include "../numeric/numeric.h"

/* -- code ------------------------------------------------------------------------------------------ */

/* A function as the dispatch loop wants it.  `code` has the words of the file at the same places, but the op
   field is a handler's number (handlers.h) and labels are distances in words from their instruction. */
typedef struct BvmCode {
    const BvmFunc *fn;
    const uint64_t *code, *entry; /* entry: behind the constants that `image` holds */
    uint32_t nscalars, nbuffers, ntiles;
    uint32_t nargs, nresults;
    int64_t price; /* of a call, in fuel */
    uint64_t local_own;
    uint64_t *image; /* what scalars and buffers start as, in whole fours of words; NULL: zero */
    uint32_t image_words;
    bool is_simple;                        /* an image, scalars only, no tiles: bvm_push_simple may make its frames */
    bool may_host;                         /* can reach a host function: its grids run in order on the calling thread */
    size_t frame_bytes;                    /* everything */
    size_t buffers_at, tiles_at, lanes_at; /* offsets in the frame: buffers, tile pointers, full tiles */
    size_t full_bytes;                     /* full tiles */
    const uint64_t *tile_at;               /* per tile: offset among the full tiles, or in the worker's strip area */
} BvmCode;

/* A kernel instruction whose sizes, offsets and strides are constants of its function: what each call would compute from them. */
enum { BVM_PLAN_RANK = 4 };
typedef struct BvmKernelPlan {
    unsigned rank, nops, outputs; /* written operands come first */
    unsigned etype[3];
    uint16_t reg[3], scalar;              /* registers */
    uint64_t first[3], low[3], end[3];    /* bytes of a buffer: element 0, the lowest, behind the highest */
    int64_t size[BVM_PLAN_RANK], stride[3][BVM_PLAN_RANK];
    bool injective; /* all outputs are */
} BvmKernelPlan;
/* The plan of the instruction at `words` with the registers `list`; values[r]: what scalar register r always holds where is_fixed[r].
   false: it has none. */
bool bvm_kernel_plan(const uint64_t *words, const uint16_t *list, const uint64_t *values, const bool *is_fixed,
                     BvmKernelPlan *plan);

struct BufvmModule {
    atomic_uint refs;
    BufvmAllocator allocator;
    BvmModule m;
    BvmCode *codes;
    uint64_t *words;
    uint64_t *tile_at;
    uint64_t *images;
    BvmKernelPlan *plans; /* number k belongs to the instruction with k + 1 behind its op */
    size_t nwords, ntiles, nimages, nplans, plans_room;
    size_t strip_bytes; /* largest strip area of a function */
    void *map;          /* the file, mapped */
    size_t map_bytes;
    void *copy; /* or a copy of it */
    size_t copy_bytes;
};

BufvmStatus bvm_decode_module(BufvmModule *module, BufvmError *error);
void bvm_decode_free(BufvmModule *module);

/* -- frames ---------------------------------------------------------------------------------------- */

typedef struct BvmChunk {
    struct BvmChunk *prev, *next;
    size_t bytes;
} BvmChunk;

typedef struct BvmFrame {
    struct BvmFrame *up; /* the caller's frame; NULL at an entry from the API, a grid */
    const BvmCode *code;
    const uint64_t *pc; /* of the call that this frame waits for, or of the instruction that failed */
    char *old_top;
    BvmChunk *old_chunk;
    const uint64_t *resume; /* where `up` goes on if this is the frame of a call, */
    uint64_t result;        /* and its register of the first result */
    uint64_t local_base;
    /* The strip that runs; lanes is 0 outside.  After a trap its lanes run again one by one, so that the trap
       reported is the first in loop order. */
    uint64_t lanes, strip_total, strip_step;
    const uint64_t *strip_pc; /* its first instruction */
    const uint64_t *redo_pc;  /* of the instruction that failed first; NULL: no redo */
    uint32_t strip_reg;       /* its counter */
    BufvmStatus redo_status;
} BvmFrame;

static inline uint64_t *bvm_scalars(BvmFrame *f)
{
    return (uint64_t *)(f + 1);
}
static inline BvmReg *bvm_buffers(BvmFrame *f)
{
    return (BvmReg *)((char *)f + f->code->buffers_at);
}
static inline uint8_t **bvm_tiles(BvmFrame *f)
{
    return (uint8_t **)((char *)f + f->code->tiles_at);
}

typedef struct BvmWorker {
    BufvmContext *context;
    char *top, *end; /* of the current chunk */
    BvmChunk *chunk;
    uint64_t stack_bytes;
    uint32_t depth, grid_depth;
    BvmFrame *frame;
    int64_t budget; /* fuel at hand; the rest is `fuel` */
    uint64_t fuel, fuel_limit;
    uint64_t next_address;
    BvmLocal local;
    const struct BvmTileTable *tile_table; /* of the context's instruction set */
    uint8_t *strip;                        /* strip tiles */
    uint8_t *strip_raw;
    size_t strip_bytes;
    uint8_t *scratch; /* for kernels; NULL: not asked for yet, or refused */
    uint8_t *scratch_raw;
    bool scratch_refused;
    bool turn_is_short; /* a strip runs, and its tile instructions are paid at the end of a turn */
    NumEnv env;         /* the caller's floating-point mode */
    BufvmError error;
} BvmWorker;

typedef BufvmStatus BvmLoop(BvmWorker *worker, BvmFrame *frame);
BvmLoop bvm_loop_goto, bvm_loop_switch, bvm_loop_sanitize;
/* Runs the frames from `entry` until it returns (its frame stays, pc at the ret) or fails (frames stay, worker->frame
   is the innermost, worker->error says why). */
BufvmStatus bvm_run(BvmWorker *worker, BvmFrame *entry);

BvmFrame *bvm_push(BvmWorker *worker, const BvmCode *code, BvmFrame *up); /* NULL: worker->error */
static inline void bvm_copy_image(BvmFrame *frame, const BvmCode *code)
{
    uint64_t *to = bvm_scalars(frame);
    const uint64_t *from = code->image;
    uint32_t n = code->image_words;
    do { /* whole fours, at least one */
        memcpy(to, from, 32);
        to += 4;
        from += 4;
    } while (n -= 4);
}
/* For code that is_simple, where depth and the chunk allow: no trap, nothing out of line. */
static inline BvmFrame *bvm_push_simple(BvmWorker *worker, const BvmCode *code, BvmFrame *up)
{
    BvmFrame *frame = (BvmFrame *)worker->top;
    worker->top += code->frame_bytes;
    worker->depth++;
    frame->up = up;
    frame->code = code;
    frame->old_top = (char *)frame;
    frame->old_chunk = worker->chunk;
    frame->local_base = up->local_base + up->code->local_own;
    frame->lanes = 0;
    frame->redo_pc = NULL;
    bvm_copy_image(frame, code);
    return frame;
}
static inline void bvm_pop_simple(BvmWorker *worker, const BvmFrame *frame)
{
    worker->depth--;
    worker->top = (char *)(uintptr_t)frame;
    if (__builtin_expect(worker->chunk != frame->old_chunk, 0)) {
        worker->top = frame->old_top;
        worker->chunk = frame->old_chunk;
        worker->end = (char *)frame->old_chunk + frame->old_chunk->bytes;
    }
}
void bvm_pop(BvmWorker *worker, BvmFrame *frame);    /* drops its buffers */
void bvm_unwind(BvmWorker *worker, BvmFrame *entry); /* pops worker->frame up to and with entry */
void *bvm_stack_alloc(BvmWorker *worker, size_t bytes, char **old_top, BvmChunk **old_chunk);
void bvm_stack_free(BvmWorker *worker, char *old_top, BvmChunk *old_chunk);
BufvmStatus bvm_worker_init(BvmWorker *worker, BufvmContext *context);
void bvm_worker_free(BvmWorker *worker);
BufvmStatus bvm_worker_ready(BvmWorker *worker, const BvmCode *code); /* local memory and strip area for a call of code */
uint8_t *bvm_worker_scratch(BvmWorker *worker);                       /* BVM_KERNEL_SCRATCH bytes, or NULL */
/* budget has gone below zero: takes more fuel, polls the interrupt flag. */
BufvmStatus bvm_refuel(BvmWorker *worker);
static inline BufvmStatus bvm_charge(BvmWorker *worker, uint64_t cost)
{
    if (cost > (uint64_t)INT64_MAX)
        cost = (uint64_t)INT64_MAX;
    if (__builtin_sub_overflow(worker->budget, (int64_t)cost, &worker->budget))
        worker->budget = INT64_MIN + 1;
    return worker->budget < 0 ? bvm_refuel(worker) : BUFVM_OK;
}

/* -- contexts -------------------------------------------------------------------------------------- */

typedef struct BvmThreads BvmThreads;

struct BufvmContext {
    BufvmAllocator allocator;
    BufvmModule *module;
    BvmPool *pool;
    BufvmLimits limits; /* defaults filled in */
    BvmLoop *loop;
    unsigned cpu;                /* kernels/cpu.h */
    const struct BvmKernelRow *kernels[8]; /* where the choice of each begins */
    const BufvmImport **imports; /* by import number; NULL: missing */
    BufvmImport *given;
    size_t ngiven;
    BufvmBuffer *constants;           /* fixed blocks; data NULL with bytes: a splat that was not asked for */
    _Atomic(BufvmBuffer *) *expanded; /* per constant: its splat, or NULL */
    uint64_t nexpanded;
    BufvmBuffer **globals;
    pthread_mutex_t expand_lock;
    atomic_flag busy;
    atomic_bool interrupt;
    BvmWorker main;
    BvmThreads *threads;            /* made by the first grid that wants them */
    struct BvmSanitizer *sanitizer; /* NULL: not watched */
    uint64_t calls, instructions;
    uint64_t leaked;
};

/* Buffer of a constant in this context; NULL: worker->error. */
BufvmBuffer *bvm_context_constant(BvmWorker *worker, uint64_t number);
/* A number that stands for the address of `block`, given once. */
uint64_t bvm_block_address(BufvmBuffer *block, uint64_t *counter, uint64_t align);
/* The next such number; *counter moves behind it. */
static inline uint64_t bvm_next_address(const BufvmBuffer *block, uint64_t *counter, uint64_t align)
{
    if (align < 64)
        align = 64;
    uint64_t address = (*counter + align - 1) & ~(align - 1);
    *counter = address + ((block->bytes + 127) & ~UINT64_C(63)); /* a gap, so that ends differ from starts */
    return address;
}
/* For a block that nobody else knows yet. */
static inline void bvm_block_first_address(BufvmBuffer *block, uint64_t *counter, uint64_t align)
{
    atomic_store_explicit(&block->address, bvm_next_address(block, counter, align), memory_order_relaxed);
}

/* -- traps ----------------------------------------------------------------------------------------- */

BufvmStatus bvm_trap(BvmWorker *worker, BufvmStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold, noinline));
BufvmStatus bvm_trap_access(BvmWorker *worker, const BvmReg *reg, uint64_t index, unsigned shift, bool store)
    __attribute__((cold, noinline));
/* Adds function and source position to worker->error. */
void bvm_trap_where(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc);
void bvm_error_where(BufvmError *error, const BvmFrame *frame, const uint64_t *pc); /* function and place of an instruction */

/* -- instructions with a life of their own ----------------------------------------------------------- */

/* Field `k` of words in host order, counted from the op of the first: one load, no shifts. */
typedef uint16_t BvmField __attribute__((may_alias));
static inline uint16_t bvm_field(const uint64_t *words, uint32_t k)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    k ^= 3;
#endif
    return ((const BvmField *)words)[k];
}

/* Register `i` of an operand list whose count is at `list`. */
static inline uint16_t bvm_list(const uint64_t *list, uint32_t i)
{
    return bvm_field(list + 1, i);
}

BufvmStatus bvm_call_import(BvmWorker *worker, BvmFrame *frame, uint32_t number, const uint64_t *list);
BufvmStatus bvm_grid(BvmWorker *worker, BvmFrame *frame, uint32_t function, int64_t count, const uint64_t *list);
/* Runs piece(worker, user, k) for k < count on the caller and the context's threads; the status, and error, of the lowest that
   fails. A piece charges fuel to its worker. */
typedef BufvmStatus BvmPieceFn(BvmWorker *worker, void *user, uint64_t k);
BufvmStatus bvm_share(BvmWorker *worker, uint64_t count, BvmPieceFn *piece, void *user);
void bvm_threads_free(BufvmContext *context);
BufvmStatus bvm_kernel(BvmWorker *worker, BvmFrame *frame, const uint64_t *words); /* the instruction */
BufvmStatus bvm_check_range(BvmWorker *worker, int64_t offset, int64_t size, int64_t stride, int64_t extent, unsigned dim);
BufvmStatus bvm_dealloc(BvmWorker *worker, const BvmReg *reg);
BufvmStatus bvm_view(BvmWorker *worker, const BvmReg *from, uint64_t offset, uint64_t bytes, BvmReg *to);

/* -- values ---------------------------------------------------------------------------------------- */

/* The registers of a signature's values, one after the other: through a list of registers, or in order per bank. */
typedef struct BvmSlots {
    uint64_t *s;
    BvmReg *b;
    const uint64_t *list; /* NULL: s and b are taken in order */
    uint32_t at;          /* next of the list */
    bool is_export; /* in: buffers of the caller's are not counted, the caller holds them until the call ends; out: the frame is
                       done and gives its references away */
} BvmSlots;

/* A value from outside into registers, which take references of their own unless they borrow; checked against its type.  On failure
   nothing was taken and error->text opens with what it is about. */
BufvmStatus bvm_value_in(BufvmContext *context, const BufvmType *type, const BvmTypeExtra *extra, const BufvmValue *value,
                         BvmSlots *slots, BufvmError *error);
/* Registers as a value.  strided: its layout is kept (arguments of host functions); else it is row-major, in memory that may
   outlive the context, and a copy where that is needed. */
BufvmStatus bvm_value_out(BufvmContext *context, const BufvmType *type, const BvmTypeExtra *extra, BvmSlots *slots, bool strided,
                          BufvmValue *value, BufvmError *error);
/* What a scalar or row-major value has, without the room behind its rank. */
void bvm_value_move(const BufvmValue *from, BufvmValue *to);
/* The elements of a row-major value into a caller's view of the same type and shape. */
BufvmStatus bvm_value_copy(const BufvmValue *from, const BufvmValue *to, BufvmError *error);

#endif
