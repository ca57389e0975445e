/* The passes: one file each, one entry point each, run by pipeline.c in the order of its list.
 *
 * A pass transforms ctx->module in place, reports through ctx->diag and returns false when it
 * reported an error.  It leaves verified IR, is idempotent, and changes no bit of any result
 * unless --fp=fast allows it.
 *
 * Levels (what may be in the module behind the pass that ends the level):
 *   core       no named linalg op but fill, copy-like and those of `kernel` rows; old spellings gone; affine gone
 *   buffers    no tensor type anywhere: memrefs only; every allocation explicit; function types rewritten
 *   schedule   linalg.generic only with attribute `bufvm.kernel` or `bufvm.strip`; scf, memref, arith, math, func, cf;
 *              memref.alloca/alloc with `bufvm.local = offset` where it lives in workgroup local memory;
 *              scf.for with `bufvm.grid`: constant bounds, no results, independent turns that threads may share (emit/grids.c)
 * Module attributes: bufvm.level = "core"|"buffers"|"schedule", bufvm.fp, bufvm.options, so that the text reads back and goes on.
 */
#ifndef VMC_PASSES_H
#define VMC_PASSES_H

#include "../bufvmc.h"
#include "../dialects/dialect.h"

typedef struct PassContext {
    Context *ctx;
    const BufvmcOptions *options;
    BufvmcFp fp;
    int level; /* optimisation level: 0 or 2 */
    bool bad_options; /* the options, not the program, are at fault */
    /* -g: the module as it was read, constants of over 64 elements elided, and these in the order of the text */
    Text input_text;
    VEC(const Attr *) input_constants;
} PassContext;

typedef bool (*PassFn)(PassContext *pc);

bool vmc_pass_lower_vectors(PassContext *pc);     /* vector types and ops -> tensors and core ops */
bool vmc_pass_contract(PassContext *pc);          /* --fp=contract: mulf + addf -> math.fma, before any other change of arithmetic */
bool vmc_pass_lower_input(PassContext *pc);       /* check.*, util.*, print helpers, legacy spellings -> core */
bool vmc_pass_generalize(PassContext *pc);        /* linalg named ops -> linalg.generic; tensor.pad/generate/... -> core forms */
bool vmc_pass_canonicalize(PassContext *pc);      /* fold, simplify control flow, dead code */
bool vmc_pass_cse(PassContext *pc);
bool vmc_pass_hoist_invariants(PassContext *pc);  /* what does not change in a loop moves in front of it */
bool vmc_pass_widen_operands(PassContext *pc);    /* i2 to i7 become bytes in front of reductions */
bool vmc_pass_split_zero_points(PassContext *pc); /* quantised products become plain ones and sums */
bool vmc_pass_fold_layouts(PassContext *pc);      /* permuted and reshaped constants become constants */
bool vmc_pass_fuse_generics(PassContext *pc);     /* producers on tensors move into their consumers */
bool vmc_pass_bufferize(PassContext *pc);         /* tensors -> memrefs, in place where no one sees it */
bool vmc_pass_block_rows(PassContext *pc);        /* chains over the same rows run block by block */
bool vmc_pass_raise_loops(PassContext *pc);       /* loop nests over memrefs -> linalg.generic */
bool vmc_pass_plan_memory(PassContext *pc);       /* temporaries of disjoint lifetimes share memory; statistics */
bool vmc_pass_lower_affine(PassContext *pc);      /* affine.* -> scf, arith */
bool vmc_pass_expand_complex(PassContext *pc);    /* complex products, quotients and functions -> arith, math on their parts */
bool vmc_pass_match_kernels(PassContext *pc);     /* linalg.generic -> attribute bufvm.kernel where a kernel row fits */
bool vmc_pass_match_strips(PassContext *pc);      /* linalg.generic -> attribute bufvm.strip = lane dimension */
bool vmc_pass_linalg_to_loops(PassContext *pc);   /* what is left -> scf.for over memref.load/store */
bool vmc_pass_local_memory(PassContext *pc);      /* places static allocas: bufvm.local */

/* pipeline.c */
bool vmc_run_pipeline(PassContext *pc);

#endif
