/* What the parts of bufferization share: the kinds of ops that touch tensors, and the
 * decisions of the analysis that the rewrite carries out.
 *
 * bufferize_prepare.c   rewrites on tensors that make the rest simple
 * bufferize_analysis.c  decides which writes and which moves need a copy
 * bufferize_rewrite.c   turns the ops into their memref forms
 * bufferize.c           the pass: signatures, order, statistics
 */
#ifndef VMC_BUFFERIZE_H
#define VMC_BUFFERIZE_H

#include "../dialects/linalg.h"
#include "passes.h"

typedef enum BufKind {
    BUF_OTHER,       /* does not touch tensors, or is refused by name if it does */
    BUF_META,        /* shape only: dim, rank */
    BUF_READ,        /* reads operand tensors where it stands */
    BUF_CONSTANT,    /* result is read-only memory */
    BUF_EMPTY,       /* result is fresh memory that reads as zero */
    BUF_FRESH,       /* result is fresh memory filled by the op */
    BUF_VIEW,        /* result is operand 0 seen otherwise */
    BUF_IDENTITY,    /* result k is operand k */
    BUF_SELECT,      /* result is one of the operands */
    BUF_STRUCTURED,  /* destination style: result k is written over outs k */
    BUF_INSERT,      /* writes part of operand 1, the result */
    BUF_MATERIALIZE, /* copies operand 0 over operand 1 */
    BUF_TO_TENSOR,
    BUF_TO_BUFFER,
    BUF_FOR, /* carried values: the trailing operands, the trailing block arguments, the results */
    BUF_WHILE,
    BUF_CHOICE, /* results come from the yields of the regions */
    BUF_FORALL,
    BUF_BRANCH,
    BUF_RETURN,
    BUF_CALL,
    BUF_DROPPED, /* has no effect once memory is counted */
    BUF_YIELD,   /* terminator whose operands belong to the op around it */
} BufKind;

typedef struct Buf {
    PassContext *pc;
    Context *ctx;
    Arena *arena;
    Map kinds;      /* const OpDef * -> BufKind */
    Map copies;     /* Use * -> 1: the operand is replaced by a copy */
    Map fresh_outs; /* Use * -> 1: the operand is replaced by new memory, its content is not read */
    Map no_ops;     /* Op * -> 1: insert_slice whose source lies in place already */
    Map to_tensor;  /* Op * -> 1: bufferization.to_tensor may share the buffer */
    Map boundary;   /* Use * -> const Type *: the memref type of identity layout that this operand must have */
    Map refused;    /* Op * -> 1: touches tensors and has no form on buffers */
    Map globals;    /* Attr * -> constant global made for it */
    uint32_t nglobals;
    Op *global_at, *global_table; /* where constants of a symbol table go: in front of this op */
    uint64_t copied;              /* tensor copies inserted */
} Buf;

void vmc_buf_init(Buf *buf, PassContext *pc);
BufKind vmc_buf_kind(const Buf *buf, const Op *op);
/* The interval of operands that are carried into BUF_FOR, BUF_WHILE and BUF_FORALL regions. */
OperandRange vmc_buf_carried(const Op *op);
/* The destination of a BUF_INSERT or BUF_MATERIALIZE op. */
static inline Use *vmc_buf_dest(Op *op)
{
    return &op->operands[1];
}
/* Whether some element of `outs` operand k of a structured op may keep or show its old value. */
bool vmc_buf_reads_out(Context *ctx, const Structured *s, uint32_t k);
/* Memref of identity layout for a tensor type; other types (function types included) converted where they hold tensors. */
const Type *vmc_buf_type(Context *ctx, const Type *type);

/* operandSegmentSizes */
const Attr *vmc_buf_segments(Context *ctx, size_t n, const int32_t *sizes);

bool vmc_buf_prepare(Buf *buf);
void vmc_buf_analyze(Buf *buf);
bool vmc_buf_rewrite(Buf *buf);

#endif
