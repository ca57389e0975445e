/* Golden modules: small modules that together hold every form of every row of the tables, with what their exports must give.
 *
 * Two kinds.  The .vmasm files of this folder, written by hand; and modules made from opcodes.def and kernels.def, since
 * there are thousands of forms: every row with every element type, every destination of a conversion, the .raw flag, every
 * compare, rounding mode and promise.  The exports of made modules are loops over `count` elements: for each form one
 * region of the output buffer receives its results, and `want` is what vm/numeric gives for them.
 */
#ifndef TEST_BYTECODE_FORMS_H
#define TEST_BYTECODE_FORMS_H

#include "../../vm/bytecode/file.h"

enum { GOLDEN_LANES = 13, GOLDEN_REGION = 16 * GOLDEN_LANES, GOLDEN_MAX_BYTES = 65535 };

/* One form in a made module: where its results lie, in elements of `result` from byte `region`. */
typedef struct GoldenForm {
    BvmInsn insn;
    uint32_t region;
    uint8_t result; /* element type of the results; 0: a slot of 8 bytes */
} GoldenForm;

typedef struct Golden {
    char name[64];
    uint8_t *data;
    size_t size;
    /* made modules: export 0 takes the output buffer and the count */
    GoldenForm *forms;
    size_t nforms;
    uint8_t *want, *known; /* per byte of the output; known: 0 not looked at, 1 exact, 2 begins a float whose NaN may be any */
    size_t nwant;
} Golden;

typedef struct Goldens {
    Golden *all;
    size_t n;
} Goldens;

/* Appends the made modules; false with a message when one cannot be made. */
bool goldens_make(Goldens *goldens);
/* Appends the module of an assembly file. */
bool goldens_read(Goldens *goldens, const char *path);
void goldens_free(Goldens *goldens);

/* Result of a row on slots, for all rows without an effect of their own: operands in the order of the row's kinds; the row's 16-bit
   numbers are in insn->regs behind them.  false: no such row, or it traps. */
bool forms_eval(const BvmInsn *insn, const uint64_t *operands, uint64_t *result);

#endif
