/* From the schedule level to a module file: instruction selection, registers, writing.
 * The only edge from compiler/ to the bytecode format (with numeric, for folding). */
#ifndef VMC_EMIT_H
#define VMC_EMIT_H

#include "../passes/passes.h"

/* On success *data (allocated with the options' hook) holds the file.  Reports ops that cannot be emitted by name. */
bool vmc_emit_module(PassContext *pc, void **data, size_t *size);

/* Whether the body of a structured op, on its element types, has tile code (passes/strips asks before it sets bufvm.strip). */
bool vmc_strip_supported(const Op *generic);
/* For -g: whether the ops of a body promise something (--sanitize looks at their operands), and whether tile code can look too. */
bool vmc_body_has_promises(const Op *generic);
bool vmc_strip_reports(const Op *generic);

#endif
