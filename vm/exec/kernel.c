/* The kernel instruction: registers into operands, every access checked, then the kernel of the context's variant.
 *
 * Work is charged in pieces as the kernel reports it, so fuel and interrupts are seen inside long kernels.
 */
#include "../kernels/kernels.h"

#include <inttypes.h>
#include <string.h>

#include "exec.h"

typedef struct KernelInfo {
    const char *name, *operands;
} KernelInfo;

static const KernelInfo *kernel_info(unsigned number)
{
    static const KernelInfo infos[] = {
#define KERNEL(number, name, operands, doc) [number] = {#name, operands},
#include "../kernels/kernels.def"
#undef KERNEL
    };
    return number < sizeof infos / sizeof *infos && infos[number].name ? &infos[number] : NULL;
}

static BufvmStatus poll(void *user, uint64_t elements)
{
    return bvm_charge(user, elements);
}

/* Lowest and highest element that an operand touches, as element numbers. */
static bool reach(uint32_t rank, const int64_t *size, int64_t offset, const int64_t *stride, int64_t *low, int64_t *high)
{
    *low = *high = offset;
    for (uint32_t d = 0; d < rank; d++) {
        int64_t way;
        if (__builtin_mul_overflow(size[d] - 1, stride[d], &way))
            return false;
        int64_t *end = way < 0 ? low : high;
        if (__builtin_add_overflow(*end, way, end))
            return false;
    }
    return true;
}

static BufvmStatus bind_operand(BvmWorker *worker, const KernelInfo *info, BvmKernelArgs *args, unsigned number, bool writes,
                                const BvmReg *reg, int64_t offset, int64_t *stride)
{
    int64_t bytes = (int64_t)bvm_elem_bytes(args->op[number].etype), low, high;
    if (!bytes)
        return bvm_trap(worker, BUFVM_TRAP, "kernel %s: operand %u has no element type", info->name, number);
    uint64_t count = reg->length / (uint64_t)bytes;
    if (!reg->owner)
        return bvm_trap(worker, BUFVM_TRAP, "kernel %s: operand %u is a null buffer", info->name, number);
    if (!reach(args->rank, args->size, offset, stride, &low, &high))
        return bvm_trap(worker, BUFVM_TRAP, "kernel %s: sizes and strides of operand %u overflow", info->name, number);
    if (low < 0 || (uint64_t)high >= count)
        return bvm_trap(worker, BUFVM_TRAP,
                        "kernel %s: index %" PRId64 " of operand %u out of bounds for a buffer of %" PRIu64 " elements", info->name,
                        low < 0 ? low : high, number, count);
    if (writes && !reg->writable)
        return bvm_trap(worker, BUFVM_TRAP, "kernel %s: operand %u is a read-only buffer", info->name, number);
    args->op[number].p = reg->data + offset * bytes;
    for (uint32_t d = 0; d < args->rank; d++)
        args->op[number].stride[d] = args->size[d] == 1 ? 0 : stride[d] * bytes; /* within the buffer: no overflow */
    return BUFVM_OK;
}

BufvmStatus bvm_kernel(BvmWorker *worker, BvmFrame *frame, uint64_t word1, uint64_t word2, const uint64_t *list)
{
    unsigned number = word1 & 0xffff;
    const KernelInfo *info = kernel_info(number);
    const uint64_t *s = bvm_scalars(frame);
    const BvmReg *b = bvm_buffers(frame);
    BvmKernelArgs args = {.rank = word1 >> 16 & 0xff,
                          .flags = word1 >> 48,
                          .param = word2,
                          .cpu = worker->context->cpu,
                          .pool = worker->context->pool,
                          .error = &worker->error,
                          .poll = poll,
                          .user = worker};
    if (!info || args.rank > BVM_KERNEL_RANK)
        return bvm_trap(worker, BUFVM_TRAP, "kernel %u of rank %" PRIu32 " does not exist", number, args.rank);
    uint32_t at = 0;
    bool empty = false;
    for (const char *letter = info->operands; *letter; letter++) {
        if (*letter == 's') {
            args.scalar = s[bvm_list(list, at++)];
        } else if (*letter == 'N') {
            for (uint32_t d = 0; d < args.rank; d++) {
                args.size[d] = (int64_t)s[bvm_list(list, at++)];
                empty |= args.size[d] <= 0;
            }
        } else {
            unsigned k = args.nops++;
            int64_t stride[BVM_KERNEL_RANK];
            const BvmReg *reg = &b[bvm_list(list, at++)];
            int64_t offset = (int64_t)s[bvm_list(list, at++)];
            for (uint32_t d = 0; d < args.rank; d++)
                stride[d] = (int64_t)s[bvm_list(list, at++)];
            args.op[k].etype = word1 >> (24 + 8 * k) & 0xff;
            if (empty)
                continue;
            BufvmStatus status = bind_operand(worker, info, &args, k, *letter == 'o', reg, offset, stride);
            if (status)
                return status;
        }
    }
    if (empty)
        return BUFVM_OK;
    BufvmStatus status = bvm_kernel_run(number, &args);
    if (status == BUFVM_INVALID_ARGUMENT)
        return worker->error.status = BUFVM_TRAP;
    return status;
}
