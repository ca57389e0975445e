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

static void span(const BvmKernelArgs *args, uint32_t k, const uint8_t **low, const uint8_t **high)
{
    *low = args->op[k].p;
    *high = args->op[k].p + bvm_elem_bytes(args->op[k].etype);
    for (uint32_t d = 0; d < args->rank; d++) {
        int64_t way = (args->size[d] - 1) * args->op[k].stride[d];
        if (way < 0)
            *low += way;
        else
            *high += way;
    }
}

bool bvm_kernel_apart(const BvmKernelArgs *args, uint32_t j, uint32_t k)
{
    const uint8_t *a, *a_end, *b, *b_end;
    span(args, j, &a, &a_end);
    span(args, k, &b, &b_end);
    return a_end <= b || b_end <= a;
}

bool bvm_kernel_independent(const BvmKernelArgs *args, uint32_t outputs)
{
    for (uint32_t j = 0; j < outputs; j++) {
        if (!bvm_kernel_injective(args, j))
            return false;
        for (uint32_t k = j + 1; k < args->nops; k++)
            if (!bvm_kernel_apart(args, j, k))
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
