/* What the parts of the instruction buffer share: machine.c orders the work and gives registers, hoist.c, coalesce.c and
 * jumps.c tidy the code before that.
 */
#ifndef VMC_MACHINE_H
#define VMC_MACHINE_H

#include "select.h"

typedef enum Access { ACCESS_READ = 1, ACCESS_WRITE = 2 } Access;

/* Calls visit(reg slot, access) for every register of the instruction, its operands before its list. */
typedef void (*VisitFn)(Fn *f, Reg *reg, unsigned access, uint32_t at);
void vmc_visit_registers(Fn *f, Insn *insn, uint32_t at, VisitFn visit);
/* The label operand's place in `wide`, or NULL. */
uint64_t *vmc_insn_label(Insn *insn);
/* No effect but on its first field, which is written after the other operands are read. */
bool vmc_is_plain(unsigned row);
/* Nothing follows it. */
bool vmc_ends_flow(const Insn *insn);
/* Takes ROW_NOTHING out. */
void vmc_compact(Fn *f);

/* Arithmetic of addresses that a loop does not change goes before the loop. */
void vmc_hoist_addresses(Fn *f);
/* Registers that are copies of each other and never needed at once become one. */
void vmc_coalesce(Fn *f);
/* Takes out jumps to the next instruction. */
void vmc_drop_jumps_to_next(Fn *f);
/* Jumps to jumps, jumps around jumps, jumps to a return. */
void vmc_thread_jumps(Fn *f);

#endif
