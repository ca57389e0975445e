/* Iteration spaces: simplification, and what memory says about the order of the work. */
#include "kernels.h"

#include "../bytecode/format.h"

void bvm_kernel_simplify(BvmKernelArgs *args, uint32_t keep)
{
    uint32_t to = 0, fixed = args->rank > keep ? args->rank - keep : 0;
    for (uint32_t d = 0; d < args->rank; d++) {
        if (d < fixed && args->size[d] == 1)
            continue;
        bool joins = to > 0 && d < fixed;
        for (uint32_t k = 0; k < args->nops && joins; k++) {
            int64_t step;
            joins = !__builtin_mul_overflow(args->op[k].stride[d], args->size[d], &step) && args->op[k].stride[to - 1] == step;
        }
        int64_t joined;
        if (joins && !__builtin_mul_overflow(args->size[to - 1], args->size[d], &joined)) {
            args->size[to - 1] = joined;
            for (uint32_t k = 0; k < args->nops; k++)
                args->op[k].stride[to - 1] = args->op[k].stride[d];
            continue;
        }
        args->size[to] = args->size[d];
        for (uint32_t k = 0; k < args->nops; k++)
            args->op[k].stride[to] = args->op[k].stride[d];
        to++;
    }
    args->rank = to;
}

static uint64_t distance(int64_t stride)
{
    return stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
}

bool bvm_kernel_injective(const BvmKernelArgs *args, uint32_t k)
{
    uint64_t size[BVM_KERNEL_RANK], step[BVM_KERNEL_RANK];
    uint32_t n = 0;
    for (uint32_t d = 0; d < args->rank; d++) {
        uint64_t s = distance(args->op[k].stride[d]);
        if (!s || args->size[d] == 1)
            continue;
        uint32_t i = n++;
        for (; i > 0 && step[i - 1] > s; i--) {
            step[i] = step[i - 1];
            size[i] = size[i - 1];
        }
        step[i] = s;
        size[i] = (uint64_t)args->size[d];
    }
    uint64_t reach = bvm_elem_bytes(args->op[k].etype);
    for (uint32_t i = 0; i < n; i++) {
        if (step[i] < reach)
            return false;
        reach += (size[i] - 1) * step[i]; /* inside a buffer: no overflow */
    }
    return true;
}

typedef struct Span { /* of the bytes of an operand */
    const uint8_t *low, *high;
} Span;

static Span span(const BvmKernelArgs *args, uint32_t k)
{
    const BvmOperand *op = &args->op[k];
    Span s = {op->p, op->p + bvm_elem_bytes(op->etype)};
    for (uint32_t d = 0; d < args->rank; d++) {
        int64_t way = (args->size[d] - 1) * op->stride[d];
        s.low += way < 0 ? way : 0;
        s.high += way < 0 ? 0 : way;
    }
    return s;
}

static bool apart(const Span *a, const Span *b)
{
    return a->high <= b->low || b->high <= a->low;
}

bool bvm_kernel_apart(const BvmKernelArgs *args, uint32_t j, uint32_t k)
{
    Span a = span(args, j), b = span(args, k);
    return apart(&a, &b);
}

bool bvm_kernel_independent(const BvmKernelArgs *args, uint32_t outputs)
{
    if (args->independent)
        return true;
    Span spans[3];
    for (uint32_t k = 0; k < args->nops; k++)
        spans[k] = span(args, k);
    for (uint32_t j = 0; j < outputs; j++) {
        if (!bvm_kernel_injective(args, j))
            return false;
        for (uint32_t k = j + 1; k < args->nops; k++)
            if (!apart(&spans[j], &spans[k]))
                return false;
    }
    return true;
}

void bvm_walk_start(BvmWalk *walk, const BvmKernelArgs *args)
{
    for (uint32_t i = 0; i < walk->n; i++)
        walk->at[i] = 0;
    for (uint32_t k = 0; k < args->nops; k++)
        walk->ptr[k] = args->op[k].p;
}

bool bvm_walk_next(BvmWalk *walk, const BvmKernelArgs *args)
{
    for (uint32_t i = walk->n; i-- > 0;) {
        uint32_t d = walk->dim[i];
        if (++walk->at[i] < args->size[d]) {
            for (uint32_t k = 0; k < args->nops; k++)
                walk->ptr[k] += args->op[k].stride[d];
            return true;
        }
        walk->at[i] = 0;
        for (uint32_t k = 0; k < args->nops; k++)
            walk->ptr[k] -= args->op[k].stride[d] * (args->size[d] - 1);
    }
    return false;
}
