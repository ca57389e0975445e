/* Hooks of builtin, func, arith, math, complex, cf, scf, index, ub, check and util. */
#ifndef VMC_HOOKS_CORE_H
#define VMC_HOOKS_CORE_H

#include "dialect.h"

/* builtin, func, cf, util, ub (func.c, builtin.c, cf.c) */
bool vmc_module_parse(Asm *p, const OpDef *def);
void vmc_module_print(Printer *p, const Op *op);
bool vmc_func_parse(Asm *p, const OpDef *def);
void vmc_func_print(Printer *p, const Op *op);
bool vmc_func_verify(Context *ctx, Op *op);
bool vmc_return_verify(Context *ctx, Op *op);
bool vmc_call_verify(Context *ctx, Op *op);
bool vmc_call_indirect_parse(Asm *p, const OpDef *def);
void vmc_call_indirect_print(Printer *p, const Op *op);
bool vmc_call_indirect_verify(Context *ctx, Op *op);
bool vmc_func_constant_verify(Context *ctx, Op *op);
bool vmc_br_parse(Asm *p, const OpDef *def);
void vmc_br_print(Printer *p, const Op *op);
bool vmc_cond_br_parse(Asm *p, const OpDef *def);
void vmc_cond_br_print(Printer *p, const Op *op);
bool vmc_switch_parse(Asm *p, const OpDef *def);
void vmc_switch_print(Printer *p, const Op *op);
bool vmc_br_verify(Context *ctx, Op *op);
bool vmc_switch_verify(Context *ctx, Op *op);

/* arith (arith.c); the parts serve math, complex and index too */
bool vmc_constant_parse(Asm *p, const OpDef *def);
void vmc_constant_print(Printer *p, const Op *op);
bool vmc_constant_verify(Context *ctx, Op *op);
bool vmc_is_fastmath(const Attr *attr); /* a list of flags that the short form can print and read */
bool vmc_is_overflow(const Attr *attr);
bool vmc_flags_parse(Asm *p, const OpDef *def, const char *name);
void vmc_flags_print(Printer *p, const Op *op, const char *name);
bool vmc_select_parse(Asm *p, const OpDef *def);
void vmc_select_print(Printer *p, const Op *op);
bool vmc_select_verify(Context *ctx, Op *op);
bool vmc_ext_verify(Context *ctx, Op *op);
bool vmc_trunc_verify(Context *ctx, Op *op);
bool vmc_bitcast_verify(Context *ctx, Op *op);
bool vmc_index_cast_verify(Context *ctx, Op *op);
bool vmc_bitcast_fold(Context *ctx, Op *op, const Attr *const *operands, const Attr **attrs, Value **values);
bool vmc_numeric_fold(Context *ctx, Op *op, const Attr *const *operands, const Attr **attrs, Value **values);

/* complex, index (complex.c, index.c) */
bool vmc_complex_constant_verify(Context *ctx, Op *op);
bool vmc_complex_bitcast_verify(Context *ctx, Op *op);
bool vmc_index_cmp_parse(Asm *p, const OpDef *def);
void vmc_index_cmp_print(Printer *p, const Op *op);
bool vmc_index_cmp_verify(Context *ctx, Op *op);

/* ub, util, check */
bool vmc_poison_parse(Asm *p, const OpDef *def);
void vmc_poison_print(Printer *p, const Op *op);
bool vmc_barrier_parse(Asm *p, const OpDef *def);
void vmc_barrier_print(Printer *p, const Op *op);
bool vmc_barrier_verify(Context *ctx, Op *op);
bool vmc_tolerance_parse(Asm *p, const OpDef *def, const char *name);
void vmc_tolerance_print(Printer *p, const Op *op, const char *name);
bool vmc_check_verify(Context *ctx, Op *op);

/* transform */
bool vmc_kept_text_parse(Asm *p, const OpDef *def);
void vmc_kept_text_print(Printer *p, const Op *op);

/* scf (scf.c, scf_parallel.c) */
bool vmc_scf_for_parse(Asm *p, const OpDef *def);
void vmc_scf_for_print(Printer *p, const Op *op);
bool vmc_scf_for_verify(Context *ctx, Op *op);
bool vmc_scf_if_parse(Asm *p, const OpDef *def);
void vmc_scf_if_print(Printer *p, const Op *op);
bool vmc_scf_if_verify(Context *ctx, Op *op);
bool vmc_scf_while_parse(Asm *p, const OpDef *def);
void vmc_scf_while_print(Printer *p, const Op *op);
bool vmc_scf_while_verify(Context *ctx, Op *op);
bool vmc_execute_region_parse(Asm *p, const OpDef *def);
void vmc_execute_region_print(Printer *p, const Op *op);
bool vmc_index_switch_parse(Asm *p, const OpDef *def);
void vmc_index_switch_print(Printer *p, const Op *op);
bool vmc_index_switch_verify(Context *ctx, Op *op);
bool vmc_scf_parallel_parse(Asm *p, const OpDef *def);
void vmc_scf_parallel_print(Printer *p, const Op *op);
bool vmc_scf_parallel_verify(Context *ctx, Op *op);
bool vmc_scf_reduce_parse(Asm *p, const OpDef *def);
void vmc_scf_reduce_print(Printer *p, const Op *op);
bool vmc_scf_reduce_verify(Context *ctx, Op *op);
bool vmc_forall_parse(Asm *p, const OpDef *def);
void vmc_forall_print(Printer *p, const Op *op);
bool vmc_forall_verify(Context *ctx, Op *op);
bool vmc_in_parallel_parse(Asm *p, const OpDef *def);
void vmc_in_parallel_print(Printer *p, const Op *op);
bool vmc_scf_yield_verify(Context *ctx, Op *op);

/* util and ml_program globals (globals.c) */
bool vmc_util_global_parse(Asm *p, const OpDef *def);
void vmc_util_global_print(Printer *p, const Op *op);
bool vmc_ml_global_parse(Asm *p, const OpDef *def);
void vmc_ml_global_print(Printer *p, const Op *op);
bool vmc_global_verify(Context *ctx, Op *op);
bool vmc_global_access_verify(Context *ctx, Op *op);

/* flow (flow.c) */
bool vmc_flow_constant_infer(Asm *p, const OpDef *def);
bool vmc_flow_constant_verify(Context *ctx, Op *op);
bool vmc_flow_cast_verify(Context *ctx, Op *op);

#endif
