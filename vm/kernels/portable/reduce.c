/* reduce: o[...] = combine(o[...], i[...]).
 *
 * An output keeps its order of combination; side by side work several outputs: lanes where both operands are contiguous
 * over an output dimension, else eight chains.  A single output is split into chains where the combiner is exact in any
 * order, which all are but the sum and product of floats.
 */
#include "isa.h"

#define CHAINS 8
#define LANES  32

/* nv outputs, each over nk inputs in order. */
typedef void Reducer(uint8_t *o, int64_t so, int64_t nv, const uint8_t *i, int64_t siv, int64_t nk, int64_t sik);

#define ANY_ORDER(name) (BVM_OP_##name != BVM_OP_addf && BVM_OP_##name != BVM_OP_mulf)
#define OPER(name, T)   NUM_FN(name, T)

#define REDUCER(T, name)                                                                                                           \
    static void reduce_##name##_##T(uint8_t *o, int64_t so, int64_t nv, const uint8_t *i, int64_t siv, int64_t nk, int64_t sik)    \
    {                                                                                                                              \
        const int64_t bytes = sizeof(NUM_CT_##T);                                                                                  \
        int64_t v = 0;                                                                                                             \
        if (so == bytes && siv == bytes)                                                                                           \
            for (; v + LANES <= nv; v += LANES) {                                                                                  \
                NUM_CT_##T acc[LANES];                                                                                             \
                for (int l = 0; l < LANES; l++)                                                                                    \
                    acc[l] = bvm_lane_get_##T(o + v * bytes, (size_t)l);                                                           \
                for (int64_t k = 0; k < nk; k++) {                                                                                 \
                    const uint8_t *p = i + v * bytes + k * sik;                                                                    \
                    for (int l = 0; l < LANES; l++)                                                                                \
                        acc[l] = OPER(name, T)(acc[l], bvm_lane_get_##T(p, (size_t)l));                                            \
                }                                                                                                                  \
                for (int l = 0; l < LANES; l++)                                                                                    \
                    bvm_lane_put_##T(o + v * bytes, (size_t)l, acc[l]);                                                            \
            }                                                                                                                      \
        for (; v + CHAINS <= nv; v += CHAINS) {                                                                                    \
            NUM_CT_##T acc[CHAINS];                                                                                                \
            for (int l = 0; l < CHAINS; l++)                                                                                       \
                acc[l] = LANE_GET(T, o + (v + l) * so);                                                                            \
            const uint8_t *p = i + v * siv;                                                                                        \
            for (int64_t k = 0; k < nk; k++, p += sik)                                                                             \
                for (int l = 0; l < CHAINS; l++)                                                                                   \
                    acc[l] = OPER(name, T)(acc[l], LANE_GET(T, p + l * siv));                                                      \
            for (int l = 0; l < CHAINS; l++)                                                                                       \
                LANE_PUT(T, o + (v + l) * so, acc[l]);                                                                             \
        }                                                                                                                          \
        for (; v < nv; v++) {                                                                                                      \
            NUM_CT_##T acc = LANE_GET(T, o + v * so);                                                                              \
            const uint8_t *p = i + v * siv;                                                                                        \
            int64_t k = 0;                                                                                                         \
            if (ANY_ORDER(name) && sik == bytes && nk >= 2 * LANES) {                                                              \
                NUM_CT_##T part[LANES];                                                                                            \
                for (int l = 0; l < LANES; l++)                                                                                    \
                    part[l] = bvm_lane_get_##T(p, (size_t)l);                                                                      \
                for (k = LANES; k + LANES <= nk; k += LANES)                                                                       \
                    for (int l = 0; l < LANES; l++)                                                                                \
                        part[l] = OPER(name, T)(part[l], bvm_lane_get_##T(p + k * bytes, (size_t)l));                              \
                for (int l = 0; l < LANES; l++)                                                                                    \
                    acc = OPER(name, T)(acc, part[l]);                                                                             \
            }                                                                                                                      \
            for (; k < nk; k++)                                                                                                    \
                acc = OPER(name, T)(acc, LANE_GET(T, p + k * sik));                                                                \
            LANE_PUT(T, o + v * so, acc);                                                                                          \
        }                                                                                                                          \
    }

#define COMBINERS(X)                                                                                                               \
    T_INT(X, addi)                                                                                                                 \
    T_INT(X, muli) T_INT(X, andi) T_INT(X, ori) T_INT(X, xori) T_INT(X, maxsi) T_INT(X, minsi) T_INT(X, maxui) T_INT(X, minui)     \
        T_FLT(X, addf) T_FLT(X, mulf) T_FLT(X, maximumf) T_FLT(X, minimumf) T_FLT(X, maxnumf) T_FLT(X, minnumf)
COMBINERS(REDUCER)

static Reducer *find(uint64_t row, unsigned etype)
{
    static const struct {
        uint16_t row;
        uint8_t etype;
        Reducer *fn;
    } table[] = {
#define ENTRY(T, name) {BVM_OP_##name, BVM_##T, reduce_##name##_##T},
        COMBINERS(ENTRY)};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].row == row && table[i].etype == etype)
            return table[i].fn;
    return NULL;
}

/* Element by element, in row-major order: right whatever overlaps. */
static BufvmStatus in_order(BvmKernelArgs *args, Reducer *fn)
{
    BvmWalk walk = {.n = args->rank};
    for (uint32_t d = 0; d < args->rank; d++)
        walk.dim[d] = d;
    bvm_walk_start(&walk, args);
    uint64_t piece = 0;
    do {
        fn(walk.ptr[0], 0, 1, walk.ptr[1], 0, 1, 0);
        if (++piece == BVM_KERNEL_PIECE) {
            BufvmStatus status = args->poll(args->user, piece);
            if (status)
                return status;
            piece = 0;
        }
    } while (bvm_walk_next(&walk, args));
    return args->poll(args->user, piece);
}

/* Output dimension that is worked on side by side: contiguous in both if there is one, else the longest; -1: none. */
static int pick_lanes(const BvmKernelArgs *args, int64_t bytes)
{
    int best = -1;
    for (uint32_t d = 0; d < args->rank; d++) {
        if (args->op[0].stride[d] == 0 || args->size[d] == 1)
            continue;
        if (args->op[0].stride[d] == bytes && args->op[1].stride[d] == bytes)
            return (int)d;
        if (best < 0 || args->size[d] > args->size[best])
            best = (int)d;
    }
    return best;
}

BufvmStatus ISA_NAME(bvm_reduce)(BvmKernelArgs *args)
{
    unsigned etype = args->op[0].etype;
    Reducer *fn = args->op[1].etype == etype ? find(args->param, etype) : NULL;
    if (!fn)
        return bvm_error(args->error, BUFVM_INVALID_ARGUMENT, "reduce of %s with opcode row %u is not in the kernel",
                         bvm_elem_name(etype), (unsigned)(args->param & 1023));
    bvm_kernel_simplify(args, 0);
    if (!bvm_kernel_independent(args, 1))
        return in_order(args, fn);
    int64_t bytes = (int64_t)bvm_elem_bytes(etype);
    int v = pick_lanes(args, bytes), k = -1;
    for (uint32_t d = 0; d < args->rank; d++)
        if (args->op[0].stride[d] == 0)
            k = (int)d;
    BvmWalk walk = {0};
    for (uint32_t d = 0; d < args->rank; d++) /* outputs in any order, then reductions in theirs */
        if ((int)d != v && (int)d != k && args->op[0].stride[d] != 0)
            walk.dim[walk.n++] = d;
    for (uint32_t d = 0; d < args->rank; d++)
        if ((int)d != v && (int)d != k && args->op[0].stride[d] == 0)
            walk.dim[walk.n++] = d;
    bvm_walk_start(&walk, args);
    int64_t nv = v < 0 ? 1 : args->size[v], so = v < 0 ? 0 : args->op[0].stride[v], siv = v < 0 ? 0 : args->op[1].stride[v];
    int64_t nk = k < 0 ? 1 : args->size[k], sik = k < 0 ? 0 : args->op[1].stride[k];
    do {
        int64_t rows = so == bytes && siv == bytes ? 256 : CHAINS, cols = BVM_KERNEL_PIECE / rows;
        if (nk < cols)
            rows = BVM_KERNEL_PIECE / nk >= LANES ? BVM_KERNEL_PIECE / nk / LANES * LANES : CHAINS;
        for (int64_t r = 0; r < nv; r += rows)
            for (int64_t c = 0; c < nk; c += cols) {
                int64_t m = nv - r < rows ? nv - r : rows, n = nk - c < cols ? nk - c : cols;
                fn(walk.ptr[0] + r * so, so, m, walk.ptr[1] + r * siv + c * sik, siv, n, sik);
                BufvmStatus status = args->poll(args->user, (uint64_t)m * (uint64_t)n);
                if (status)
                    return status;
            }
    } while (bvm_walk_next(&walk, args));
    return BUFVM_OK;
}

#undef CHAINS
#undef LANES
#undef ANY_ORDER
#undef OPER
#undef REDUCER
#undef COMBINERS
#undef ENTRY
