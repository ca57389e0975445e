/* The kernel instruction: registers into operands, every access checked, then the kernel of the context's variant.
 *
 * A long kernel whose outputs are independent is cut into pieces that the context's threads share.
 * Work is charged in pieces as the kernel reports it, so fuel and interrupts are seen inside long kernels.
 */
#include "../kernels/kernels.h"

#include <inttypes.h>
#include <string.h>

#include "exec.h"
#include "sanitize.h"

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

/* Operand `number` out of its registers: buffer, offset, strides.  Its lowest and highest element must lie inside the buffer. */
static BufvmStatus bind_operand(BvmWorker *worker, const KernelInfo *info, BvmKernelArgs *args, unsigned number, bool writes,
                                const BvmReg *reg, const uint64_t *s, const uint64_t *list, uint32_t at)
{
    BvmOperand *op = &args->op[number];
    unsigned bytes = bvm_elem_bytes(op->etype), shift = (unsigned)__builtin_ctz(bytes | 0x80);
    int64_t offset = (int64_t)s[bvm_list(list, at)], low = offset, high = offset;
    if (!bytes)
        return bvm_trap(worker, BUFVM_TRAP, "kernel %s: operand %u has no element type", info->name, number);
    if (!reg->owner)
        return bvm_trap(worker, BUFVM_TRAP, "kernel %s: operand %u is a null buffer", info->name, number);
    bool fits = true;
    for (uint32_t d = 0; d < args->rank; d++) {
        int64_t stride = (int64_t)s[bvm_list(list, at + 1 + d)], way;
        fits &= !__builtin_mul_overflow(args->size[d] - 1, stride, &way);
        fits &= !__builtin_add_overflow(low, way < 0 ? way : 0, &low) && !__builtin_add_overflow(high, way < 0 ? 0 : way, &high);
        op->stride[d] = args->size[d] == 1 ? 0 : (int64_t)((uint64_t)stride << shift); /* within the buffer: no overflow */
    }
    if (!fits)
        return bvm_trap(worker, BUFVM_TRAP, "kernel %s: sizes and strides of operand %u overflow", info->name, number);
    uint64_t count = reg->length >> shift;
    if (low < 0 || (uint64_t)high >= count)
        return bvm_trap(worker, BUFVM_TRAP,
                        "kernel %s: index %" PRId64 " of operand %u out of bounds for a buffer of %" PRIu64 " elements", info->name,
                        low < 0 ? low : high, number, count);
    if (writes && !reg->writable)
        return bvm_trap(worker, BUFVM_TRAP, "kernel %s: operand %u is a read-only buffer", info->name, number);
    op->p = reg->data + ((uint64_t)offset << shift);
    return BUFVM_OK;
}

/* -- plans -------------------------------------------------------------------------------------------- */

static bool plan_operand(BvmKernelPlan *plan, const BvmKernelArgs *args, unsigned k)
{
    unsigned bytes = bvm_elem_bytes(args->op[k].etype);
    int64_t low = (int64_t)plan->first[k], high = low;
    for (uint32_t d = 0; d < args->rank; d++) {
        int64_t way;
        if (__builtin_mul_overflow(args->size[d] - 1, args->op[k].stride[d], &way) ||
            __builtin_add_overflow(way < 0 ? low : high, way, way < 0 ? &low : &high))
            return false;
    }
    if (low < 0 || __builtin_add_overflow(high, (int64_t)bytes, &high))
        return false;
    plan->low[k] = (uint64_t)low;
    plan->end[k] = (uint64_t)high;
    plan->injective &= k >= plan->outputs || bvm_kernel_injective(args, k);
    return true;
}

bool bvm_kernel_plan(const uint64_t *words, const uint16_t *list, const uint64_t *values, const bool *is_fixed, BvmKernelPlan *plan)
{
    unsigned number = words[1] & 0xffff, flags = (unsigned)(words[1] >> 48);
    const KernelInfo *info = kernel_info(number);
    BvmKernelArgs args = {.rank = words[1] >> 16 & 0xff};
    if (!info || args.rank > BVM_PLAN_RANK)
        return false;
    *plan = (BvmKernelPlan){.injective = true};
    for (const char *letter = info->operands; *letter; letter++) {
        unsigned k = args.nops;
        if (*letter == 's') {
            plan->scalar = *list++;
            continue;
        }
        if (*letter != 'N') {
            plan->outputs += *letter == 'o';
            plan->reg[k] = *list++;
            plan->etype[k] = args.op[k].etype = words[1] >> (24 + 8 * k) & 0xff;
            int64_t bytes = (int64_t)bvm_elem_bytes(args.op[k].etype), first;
            if (!bytes || !is_fixed[*list] || __builtin_mul_overflow((int64_t)values[*list++], bytes, &first) || first < 0)
                return false;
            plan->first[k] = (uint64_t)first;
        }
        for (uint32_t d = 0; d < args.rank; d++, list++) {
            int64_t value = (int64_t)values[*list];
            if (!is_fixed[*list])
                return false;
            if (*letter == 'N')
                args.size[d] = value;
            else if (__builtin_mul_overflow(args.size[d] == 1 ? 0 : value, (int64_t)bvm_elem_bytes(args.op[k].etype),
                                            &args.op[k].stride[d]))
                return false;
            if (*letter == 'N' && value <= 0)
                return false;
        }
        args.nops += *letter != 'N';
    }
    for (unsigned k = 0; k < args.nops; k++)
        if (!plan_operand(plan, &args, k))
            return false;
    if (plan->outputs == 1)
        bvm_kernel_simplify(&args, 0);
    else if (flags == 0) /* the position is counted along the last dimension */
        bvm_kernel_simplify(&args, 1);
    plan->rank = args.rank;
    plan->nops = args.nops;
    memcpy(plan->size, args.size, args.rank * sizeof *args.size);
    for (unsigned k = 0; k < args.nops; k++)
        memcpy(plan->stride[k], args.op[k].stride, args.rank * sizeof *args.size);
    return true;
}

/* false: something does not fit, bind_operand says what. */
static bool bind_plan(const BvmKernelPlan *plan, const uint64_t *s, const BvmReg *b, BvmKernelArgs *args)
{
    args->rank = plan->rank;
    args->nops = plan->nops;
    args->scalar = s[plan->scalar];
    args->independent = plan->injective;
    for (unsigned d = 0; d < plan->rank; d++)
        args->size[d] = plan->size[d];
    const uint8_t *low[3], *end[3];
    for (unsigned k = 0; k < plan->nops; k++) {
        const BvmReg *reg = &b[plan->reg[k]];
        if (plan->end[k] > (k < plan->outputs ? reg->writable : reg->length))
            return false;
        BvmOperand *op = &args->op[k];
        op->p = reg->data + plan->first[k];
        op->etype = plan->etype[k];
        for (unsigned d = 0; d < plan->rank; d++)
            op->stride[d] = plan->stride[k][d];
        low[k] = reg->data + plan->low[k];
        end[k] = reg->data + plan->end[k];
        for (unsigned j = 0; j < k && j < plan->outputs; j++)
            args->independent &= end[j] <= low[k] || end[k] <= low[j];
    }
    return true;
}

/* -- pieces for threads ------------------------------------------------------------------------------ */

/* Turns of the loop nest below which threads cost more than they save; a piece is a multiple of PIECE_ROWS turns of one loop. */
enum { SHARED_WORK = 1 << 20, PIECES = 8, PIECE_ROWS = 48 };

typedef struct Pieces {
    const BvmKernelArgs *args;
    unsigned number;
    uint32_t dim;
    int64_t rows; /* of a piece */
} Pieces;

static BufvmStatus run_kernel(BvmWorker *worker, unsigned number, BvmKernelArgs *args)
{
    args->error = &worker->error;
    args->user = worker;
    args->scratch = bvm_kernel_wants_scratch(number, args) ? bvm_worker_scratch(worker) : NULL;
    BufvmStatus status = bvm_kernel_run_from(worker->context->kernels[number], args);
    return status == BUFVM_INVALID_ARGUMENT ? worker->error.status = BUFVM_TRAP : status;
}

static BufvmStatus run_piece(BvmWorker *worker, void *user, uint64_t k)
{
    const Pieces *pieces = user;
    BvmKernelArgs args = *pieces->args;
    int64_t first = (int64_t)k * pieces->rows, left = args.size[pieces->dim] - first;
    args.size[pieces->dim] = left < pieces->rows ? left : pieces->rows;
    for (uint32_t i = 0; i < args.nops; i++)
        args.op[i].p += first * args.op[i].stride[pieces->dim];
    return run_kernel(worker, pieces->number, &args);
}

/* The longest dimension that all outputs move along, so that pieces of it write different elements; false where the kernel is short
   or its order matters. */
static bool cut(const KernelInfo *info, Pieces *pieces)
{
    const BvmKernelArgs *args = pieces->args;
    uint32_t outputs = 0;
    int64_t work = 1;
    for (const char *letter = info->operands; *letter; letter++)
        outputs += *letter == 'o';
    /* the dimension of a position counts from its start */
    uint32_t position = outputs > 1 && args->flags < args->rank ? args->rank - 1 - args->flags : args->rank;
    for (uint32_t d = 0; d < args->rank; d++)
        if (__builtin_mul_overflow(work, args->size[d], &work))
            work = INT64_MAX;
    if (work < SHARED_WORK)
        return false;
    pieces->dim = args->rank;
    for (uint32_t d = 0; d < args->rank; d++) {
        bool moves = args->size[d] > 1 && d != position;
        for (uint32_t k = 0; k < outputs; k++)
            moves &= args->op[k].stride[d] != 0;
        if (moves && (pieces->dim == args->rank || args->size[d] > args->size[pieces->dim]))
            pieces->dim = d;
    }
    if (pieces->dim == args->rank || !bvm_kernel_independent(args, outputs))
        return false;
    int64_t n = args->size[pieces->dim], rows = (n + PIECES - 1) / PIECES;
    pieces->rows = rows > PIECE_ROWS ? (rows + PIECE_ROWS - 1) / PIECE_ROWS * PIECE_ROWS : rows;
    return true;
}

/* Operands as the registers say; sizes that are not positive: *empty. */
static BufvmStatus bind(BvmWorker *worker, const KernelInfo *info, const uint64_t *words, const uint64_t *s, const BvmReg *b,
                        BvmKernelArgs *args, const BvmReg **regs, bool *empty)
{
    const uint64_t *list = words + 3;
    uint32_t at = 0;
    args->rank = words[1] >> 16 & 0xff;
    args->nops = 0;
    args->scalar = 0;
    args->independent = false;
    for (const char *letter = info->operands; *letter; letter++) {
        if (*letter == 's') {
            args->scalar = s[bvm_list(list, at++)];
        } else if (*letter == 'N') {
            for (uint32_t d = 0; d < args->rank; d++) {
                args->size[d] = (int64_t)s[bvm_list(list, at++)];
                *empty |= args->size[d] <= 0;
            }
            if (*empty)
                return BUFVM_OK;
        } else {
            unsigned k = args->nops++;
            const BvmReg *reg = regs[k] = &b[bvm_list(list, at++)];
            args->op[k].etype = words[1] >> (24 + 8 * k) & 0xff;
            BufvmStatus status = bind_operand(worker, info, args, k, *letter == 'o', reg, s, list, at);
            if (status)
                return status;
            at += 1 + args->rank;
        }
    }
    return BUFVM_OK;
}

BufvmStatus bvm_kernel(BvmWorker *worker, BvmFrame *frame, const uint64_t *words)
{
    const BufvmContext *context = worker->context;
    unsigned number = words[1] & 0xffff;
    const uint64_t *s = bvm_scalars(frame);
    const BvmReg *b = bvm_buffers(frame);
    const KernelInfo *info = kernel_info(number);
    uint64_t plan = words[0] >> 16;
    BvmKernelArgs args; /* filled as far as the rank and the operands go: it is large */
    args.flags = (unsigned)(words[1] >> 48);
    args.param = words[2];
    args.cpu = context->cpu;
    args.pool = context->pool;
    args.poll = poll;
    unsigned rank = words[1] >> 16 & 0xff;
    if (!info || rank > BVM_KERNEL_RANK)
        return bvm_trap(worker, BUFVM_TRAP, "kernel %u of rank %u does not exist", number, rank);
    if (!plan || context->sanitizer || !bind_plan(&context->module->plans[plan - 1], s, b, &args)) {
        const BvmReg *regs[3];
        bool empty = false;
        BufvmStatus status = bind(worker, info, words, s, b, &args, regs, &empty);
        if (status || empty)
            return status;
        if (context->sanitizer && (status = bvm_sanitize_kernel(worker, frame, number, info->name, &args, regs)))
            return status;
    }
    Pieces pieces = {.args = &args, .number = number};
    if (context->limits.threads > 1 && !worker->grid_depth && cut(info, &pieces)) {
        int64_t n = args.size[pieces.dim];
        return bvm_share(worker, (uint64_t)((n + pieces.rows - 1) / pieces.rows), run_piece, &pieces);
    }
    return run_kernel(worker, number, &args);
}
