/* fill and copy: bytes of elements, no arithmetic. */
#include <string.h>

#include "../kernels.h"

#include "../../bytecode/format.h"
#include "../../memory/endian.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-vectorize,vect-cost-model=dynamic")
#endif

#define BY_BYTES(bytes, BODY)                                                                                                      \
    switch (bytes) {                                                                                                               \
    case 1:                                                                                                                        \
        BODY(1)                                                                                                                    \
        break;                                                                                                                     \
    case 2:                                                                                                                        \
        BODY(2)                                                                                                                    \
        break;                                                                                                                     \
    case 4:                                                                                                                        \
        BODY(4)                                                                                                                    \
        break;                                                                                                                     \
    case 8:                                                                                                                        \
        BODY(8)                                                                                                                    \
        break;                                                                                                                     \
    default:                                                                                                                       \
        BODY(16)                                                                                                                   \
    }

/* Largest steps outside, for one operand whose order does not matter to the others. */
static void sort_dims(BvmKernelArgs *args)
{
    for (uint32_t i = 1; i < args->rank; i++)
        for (uint32_t j = i; j > 0; j--) {
            int64_t a = args->op[0].stride[j - 1], b = args->op[0].stride[j];
            if ((a < 0 ? -a : a) >= (b < 0 ? -b : b))
                break;
            int64_t t = args->size[j];
            args->size[j] = args->size[j - 1];
            args->size[j - 1] = t;
            for (uint32_t k = 0; k < args->nops; k++) {
                t = args->op[k].stride[j];
                args->op[k].stride[j] = args->op[k].stride[j - 1];
                args->op[k].stride[j - 1] = t;
            }
        }
}

static void all_but_last(BvmWalk *walk, const BvmKernelArgs *args)
{
    walk->n = args->rank - 1;
    for (uint32_t i = 0; i < walk->n; i++)
        walk->dim[i] = i;
    bvm_walk_start(walk, args);
}

/* A space of no dimensions is one element. */
static void at_least_one_dim(BvmKernelArgs *args)
{
    if (args->rank)
        return;
    args->rank = 1;
    args->size[0] = 1;
    for (uint32_t k = 0; k < args->nops; k++)
        args->op[k].stride[0] = 0;
}

/* `value` is in memory order. */
static void fill_stretch(uint8_t *o, int64_t step, int64_t n, unsigned bytes, const uint8_t *value)
{
    if (step == (int64_t)bytes && memcmp(value, value + 1, bytes - 1) == 0) { /* zeros, mostly: one byte repeated */
        memset(o, value[0], (size_t)n * bytes);
        return;
    }
#define FILL(N)                                                                                                                    \
    {                                                                                                                              \
        uint8_t v[N];                                                                                                              \
        memcpy(v, value, N);                                                                                                       \
        if (step == N)                                                                                                             \
            for (int64_t i = 0; i < n; i++)                                                                                        \
                memcpy(o + i * N, v, N);                                                                                           \
        else                                                                                                                       \
            for (int64_t i = 0; i < n; i++)                                                                                        \
                memcpy(o + i * step, v, N);                                                                                        \
    }
    BY_BYTES(bytes, FILL)
}

BufvmStatus bvm_fill_portable(BvmKernelArgs *args)
{
    BvmWalk walk;
    unsigned bytes = bvm_elem_bytes(args->op[0].etype);
    uint8_t value[16] = {0};
    bvm_put64(value, args->op[0].etype == BVM_I1 ? args->scalar & 1 : args->scalar);
    sort_dims(args);
    bvm_kernel_simplify(args, 0);
    at_least_one_dim(args);
    all_but_last(&walk, args);
    int64_t n = args->size[args->rank - 1], step = args->op[0].stride[args->rank - 1];
    do {
        for (int64_t at = 0; at < n; at += BVM_KERNEL_PIECE) {
            int64_t piece = n - at < BVM_KERNEL_PIECE ? n - at : BVM_KERNEL_PIECE;
            fill_stretch(walk.ptr[0] + at * step, step, piece, bytes, value);
            BufvmStatus status = args->poll(args->user, (uint64_t)piece);
            if (status)
                return status;
        }
    } while (bvm_walk_next(&walk, args));
    return BUFVM_OK;
}

static void copy_stretch(uint8_t *o, int64_t so, const uint8_t *i, int64_t si, int64_t n, unsigned bytes)
{
    if (so == (int64_t)bytes && si == so) {
        memcpy(o, i, (size_t)n * bytes);
        return;
    }
#define COPY(N)                                                                                                                    \
    for (int64_t k = 0; k < n; k++)                                                                                                \
        memcpy(o + k * so, i + k * si, N);
    BY_BYTES(bytes, COPY)
}

/* Squares of a transposition stay in cache. */
static void copy_plane(uint8_t *o, const uint8_t *i, const BvmKernelArgs *args, uint32_t d, int64_t from, int64_t to, int64_t n,
                       unsigned bytes)
{
    const int64_t so0 = args->op[0].stride[d], si0 = args->op[1].stride[d], so1 = args->op[0].stride[d + 1],
                  si1 = args->op[1].stride[d + 1];
    for (int64_t c = 0; c < n; c += 16) {
        int64_t m = n - c < 16 ? n - c : 16;
        for (int64_t r = from; r < to; r++)
            copy_stretch(o + r * so0 + c * so1, so1, i + r * si0 + c * si1, si1, m, bytes);
    }
}

#define PLANE (BVM_KERNEL_PIECE / 16) /* of 16 rows, how long at once */

static BufvmStatus copy_apart(BvmKernelArgs *args, unsigned bytes, bool any_order)
{
    BvmWalk walk;
    BufvmStatus status = BUFVM_OK;
    uint32_t last = args->rank - 1;
    bool plane =
        any_order && args->rank > 1 && args->op[1].stride[last] != (int64_t)bytes && args->op[1].stride[last - 1] == (int64_t)bytes;
    all_but_last(&walk, args);
    if (plane) {
        walk.n--;
        bvm_walk_start(&walk, args);
        do {
            for (int64_t r = 0; r < args->size[last - 1] && !status; r += 16)
                for (int64_t c = 0; c < args->size[last] && !status; c += PLANE) {
                    int64_t to = args->size[last - 1] - r < 16 ? args->size[last - 1] : r + 16;
                    int64_t n = args->size[last] - c < PLANE ? args->size[last] - c : PLANE;
                    copy_plane(walk.ptr[0] + c * args->op[0].stride[last], walk.ptr[1] + c * args->op[1].stride[last], args,
                               last - 1, r, to, n, bytes);
                    status = args->poll(args->user, (uint64_t)(to - r) * (uint64_t)n);
                }
        } while (!status && bvm_walk_next(&walk, args));
        return status;
    }
    int64_t n = args->size[last], so = args->op[0].stride[last], si = args->op[1].stride[last];
    do {
        for (int64_t at = 0; at < n && !status; at += BVM_KERNEL_PIECE) {
            int64_t piece = n - at < BVM_KERNEL_PIECE ? n - at : BVM_KERNEL_PIECE;
            copy_stretch(walk.ptr[0] + at * so, so, walk.ptr[1] + at * si, si, piece, bytes);
            status = args->poll(args->user, (uint64_t)piece);
        }
    } while (!status && bvm_walk_next(&walk, args));
    return status;
}

/* The source goes through a copy of its own. */
static BufvmStatus copy_overlapping(BvmKernelArgs *args, unsigned bytes, bool any_order)
{
    uint64_t count = 1;
    for (uint32_t d = 0; d < args->rank; d++)
        if (__builtin_mul_overflow(count, (uint64_t)args->size[d], &count) || count > INT64_MAX / 8)
            return bvm_error(args->error, BUFVM_LIMIT, "copy of overlapping operands is too large");
    BufvmBuffer *temporary;
    BufvmStatus status = bvm_pool_alloc(args->pool, count * bytes, 0, false, &temporary, args->error);
    if (status)
        return status;
    BvmOperand given = args->op[0];
    args->op[0].p = temporary->data;
    int64_t step = bytes;
    for (uint32_t d = args->rank; d-- > 0; step *= args->size[d])
        args->op[0].stride[d] = step;
    BvmOperand packed = args->op[0];
    status = copy_apart(args, bytes, true);
    args->op[0] = given;
    args->op[1] = packed;
    if (!status)
        status = copy_apart(args, bytes, any_order);
    bvm_block_release(temporary);
    return status;
}

/* memmove in pieces, from the end that the other operand does not reach into. */
static BufvmStatus move_stretch(BvmKernelArgs *args, unsigned bytes)
{
    const int64_t n = args->size[0];
    const bool backward = args->op[0].p > args->op[1].p;
    BufvmStatus status = BUFVM_OK;
    for (int64_t done = 0; done < n && !status; done += BVM_KERNEL_PIECE) {
        int64_t piece = n - done < BVM_KERNEL_PIECE ? n - done : BVM_KERNEL_PIECE;
        int64_t at = (backward ? n - done - piece : done) * (int64_t)bytes;
        memmove(args->op[0].p + at, args->op[1].p + at, (size_t)piece * bytes);
        status = args->poll(args->user, (uint64_t)piece);
    }
    return status;
}

BufvmStatus bvm_copy_portable(BvmKernelArgs *args)
{
    unsigned bytes = bvm_elem_bytes(args->op[0].etype);
    bool injective = bvm_kernel_injective(args, 0), apart = bvm_kernel_apart(args, 0, 1);
    for (uint32_t d = 0; d < args->rank && injective; d++)
        injective = args->op[0].stride[d] != 0 || args->size[d] == 1;
    if (injective)
        sort_dims(args);
    bvm_kernel_simplify(args, 0);
    at_least_one_dim(args);
    if (!apart && args->rank == 1 && args->op[0].stride[0] == (int64_t)bytes && args->op[1].stride[0] == (int64_t)bytes) {
        return move_stretch(args, bytes);
    }
    return apart ? copy_apart(args, bytes, injective) : copy_overlapping(args, bytes, injective);
}
