/* Joining of decoded instructions (fuse.c, fused.def). */
#ifndef BVM_FUSE_H
#define BVM_FUSE_H

#include <string.h>

#include "handlers.h"

enum { BVM_FUSED = H_ALL - H_COUNT, BVM_FUSE_LONGEST = 5 };

typedef struct BvmFuseStart { /* an instruction that more may join */
    uint32_t at, last;        /* its words; those of the last that joined */
    uint16_t handler;
    bool nan_flag;
} BvmFuseStart;

typedef struct BvmFuse {
    uint16_t head[H_ALL], next[BVM_FUSED]; /* rows by their first handler: numbers + 1 */
    const uint64_t *code;                  /* of the function, as the file has it */
    BvmFuseStart starts[BVM_FUSE_LONGEST];
    unsigned nstarts;
} BvmFuse;

void bvm_fuse_init(BvmFuse *fuse);
/* The instruction at words[at], whose op field is its handler; called for each in order.  At a function's start `code` is
   set, and `nstarts` to 0. */
void bvm_fuse(BvmFuse *fuse, uint64_t *words, uint32_t at, const BvmInsn *insn);

#endif
