/* One trial of bytes that may be a module: load, call every export, and see that every promise is kept.
 *
 * The only outcomes are: refused with a reason, or loaded and each call returned, trapped, met a limit, or was refused for its
 * arguments.  Memory is counted (nothing left behind, no excess), a call that takes longer than its fuel ends the program, and the
 * trial is described in a file before it begins, which stays when the program dies.
 */
#ifndef TEST_BYTECODE_TRIAL_H
#define TEST_BYTECODE_TRIAL_H

#include "../../vm/bufvm.h"

typedef struct Tally {
    unsigned long refused, loaded;
    unsigned long finished, trapped, limits;          /* of the loaded ones: the worst of their calls */
    unsigned long returned, traps, met_limits, unfit; /* calls; unfit: arguments refused, or an error of the host's */
    unsigned long watched, compared, texts;           /* modules run with --sanitize; in two ways; disassembled and back */
} Tally;

typedef struct Trial {
    uint64_t seed;    /* of the arguments; 0: what fits best: 3, and zeros in views of `open` elements */
    int64_t open;     /* size of open dimensions when the seed is 0 */
    uint32_t threads; /* 0: 1 */
    bool switched;    /* the switch twin of the dispatch loop */
    bool portable;    /* no SIMD */
    bool watch;       /* --sanitize, if the module has observation points */
    bool compare;     /* a second run with another loop, other kernels and threads gives the same */
    bool text;        /* what loads is disassembled and assembled, and then again to the same bytes */
} Trial;

/* false, with a message: a promise is broken. */
bool trial_run(const uint8_t *data, size_t size, const Trial *trial, Tally *tally);
/* The file that says which trial runs; NULL: none. */
bool trial_open_note(const char *path);
__attribute__((format(printf, 1, 2))) void trial_note(const char *format, ...);
void trial_close_note(void); /* removes it: all went well */
void trial_print(const Tally *tally);

#endif
