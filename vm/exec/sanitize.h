/* The watch over a program's definedness (--sanitize): what the dispatch loop's watched twin, kernels and calls tell it.
 *
 * A context that is watched runs loop_sanitize.c, where each instruction that touches memory, and each that may name a register
 * which holds something that was never written (a doubt), comes here first.  Copies move doubts between
 * registers and memory; any other use reports them.  A report does not stop the program; one is made for each place
 * and kind.  Everything runs on the calling thread.
 */
#ifndef BVM_SANITIZE_H
#define BVM_SANITIZE_H

#include "../bytecode/promises.h"
#include "../kernels/kernels.h"
#include "../memory/shadow.h"
#include "exec.h"
#include "handlers.h"

enum {
    BVM_DOUBTS = 64
}; /* registers that may hold something undefined at a time; what would be one more is reported where it is loaded */

typedef struct BvmOrigin { /* what a doubt is about: a byte of a buffer, and where it was loaded */
    BvmSource made, loaded;
    uint64_t offset, bytes;
} BvmOrigin;

typedef struct BvmDoubt {
    const BvmFrame *frame; /* NULL: an argument on its way into a frame */
    uint32_t reg;
    bool is_tile;
    BvmOrigin origin;
    uint8_t *lanes; /* of a tile: 1 = undefined; nlanes of them */
    size_t nlanes, bytes;
} BvmDoubt;

typedef struct BvmRace BvmRace; /* race.c */

typedef struct BvmReported { /* a place, and what was said of it */
    const void *by;          /* the instruction where the place is not known */
    const char *function, *kind;
    BvmSource source;
} BvmReported;
enum { BVM_REPORTS = 256 }; /* the most that one context makes */

typedef enum BvmWatch {
    WATCH_NAMED,  /* while one of its first three fields may be a register in doubt */
    WATCH_DOUBTS, /* while there are doubts */
    WATCH_ALWAYS
} BvmWatch;

typedef struct BvmSanitizer {
    uint32_t ndoubts, npending;
    uint64_t named;         /* by doubts: bit number of their registers modulo 64 */
    uint8_t watch[H_COUNT]; /* BvmWatch, per handler */
    BvmDoubt doubts[BVM_DOUBTS];
    bool fill_in_doubt; /* the scalar of the kernel that comes next */
    uint64_t serial;
    BufvmBuffer **owned; /* blocks that the program must dealloc, each with a reference */
    size_t nowned, owned_room;
    BvmReported reported[BVM_REPORTS];
    uint32_t nreported;
    BvmRace *race; /* NULL: not asked for */
} BvmSanitizer;

/* Whether bvm_sanitize wants to see the instruction at pc. */
static inline bool bvm_is_watched(const BvmSanitizer *z, const uint64_t *pc)
{
    uint8_t watch = z->watch[bvm_field(pc, 0)];
    if (watch != WATCH_NAMED || !z->ndoubts)
        return watch == WATCH_ALWAYS || (watch && z->ndoubts);
    uint64_t fields =
        UINT64_C(1) << (bvm_field(pc, 1) & 63) | UINT64_C(1) << (bvm_field(pc, 2) & 63) | UINT64_C(1) << (bvm_field(pc, 3) & 63);
    return (z->named & fields) || z->npending;
}
void bvm_sanitize_table(uint8_t watch[H_COUNT]);
bool bvm_sanitizer_new(BufvmContext *context);
void bvm_sanitizer_free(BufvmContext *context);
/* Before the instruction at pc. */
BufvmStatus bvm_sanitize(BvmWorker *worker, BvmFrame *frame, const uint64_t *pc);
/* Behind buffer.alloc and buffer.dealloc. */
BufvmStatus bvm_sanitize_made(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc, const BvmReg *reg, uint64_t flags);
void bvm_sanitize_ended(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc, const BvmReg *reg);
/* Before a kernel whose operands are bound: regs[k] is the register of args->op[k]. */
BufvmStatus bvm_sanitize_kernel(BvmWorker *worker, BvmFrame *frame, unsigned number, const char *name, const BvmKernelArgs *args,
                                const BvmReg *const *regs);
/* A strided view that goes to the host: what it is, in the words of the report. */
BufvmStatus bvm_sanitize_value(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc, const BufvmValue *value,
                               const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Results of a call from outside, memref arguments behind it, blocks that were not given back; forgets the call. */
BufvmStatus bvm_sanitize_return(BvmWorker *worker, const BvmExport *export, BvmFrame *frame, const BufvmValue *args);
void bvm_sanitize_forget(BvmWorker *worker);
/* Buffers that a call was lent outlive the context's allocator, perhaps: they keep nothing of it. */
void bvm_sanitize_lent(const BufvmContext *context, const BufvmValue *args, uint32_t n);

/* report.c */
void bvm_report(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc, const char *kind, const char *format, ...)
    __attribute__((format(printf, 5, 6), cold, noinline));
/* As bvm_report, about another place: `by` stands for its instruction. */
void bvm_report_at(BvmWorker *worker, const char *function, BvmSource source, const void *by, const char *kind, const char *text);
/* ", made at L:C"; nothing for blocks that no instruction made. */
enum { BVM_MADE_TEXT = 40 };
const char *bvm_made_text(BvmSource made, char *text);
BvmSource bvm_source_of(const BvmFrame *frame, const uint64_t *pc);
/* report.values, t.report.values */
void bvm_report_values(BvmWorker *worker, BvmFrame *frame, const uint64_t *pc, unsigned row, unsigned etype);

/* race.c: turns of parallel loops and what they touch. */
BvmRace *bvm_race_new(const BufvmAllocator *allocator, BvmPool *pool);
void bvm_race_free(BvmRace *race);
void bvm_race_forget(BvmRace *race);                         /* all loops have ended */
BufvmStatus bvm_race_mark(BvmWorker *worker, unsigned what); /* the operand of `parallel` */
BufvmStatus bvm_race_access(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc, BufvmBuffer *block, uint64_t offset,
                            uint64_t bytes, bool writes);
void bvm_race_fresh(BvmRace *race, BufvmBuffer *block, uint64_t offset, uint64_t bytes); /* is new memory of this turn */

#endif
