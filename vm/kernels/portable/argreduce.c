/* argreduce: where compare(i[...], o1[...]) then o1 = i, o2 = position along the last dimension.
 *
 * Four rows at once, so that one row's chain of compares does not hold up the others.
 */
#include "isa.h"

#define CHAINS 4

/* nv rows of values and indices, each over nk inputs, the first of which has position `from`. */
typedef void ArgReducer(uint8_t *o1, int64_t so1, uint8_t *o2, int64_t so2, unsigned index_bytes, int64_t nv, const uint8_t *i,
                        int64_t siv, int64_t nk, int64_t sik, int64_t from);

static inline int64_t get_index(const uint8_t *p, unsigned bytes)
{
    switch (bytes) {
    case 1:
        return (int8_t)bvm_get8(p);
    case 2:
        return (int16_t)bvm_get16(p);
    case 4:
        return (int32_t)bvm_get32(p);
    default:
        return (int64_t)bvm_get64(p);
    }
}

static inline void put_index(uint8_t *p, unsigned bytes, int64_t v)
{
    switch (bytes) {
    case 1:
        bvm_put8(p, (uint8_t)v);
        break;
    case 2:
        bvm_put16(p, (uint16_t)v);
        break;
    case 4:
        bvm_put32(p, (uint32_t)v);
        break;
    default:
        bvm_put64(p, (uint64_t)v);
    }
}

#define ROWS(T, name, N)                                                                                                           \
    {                                                                                                                              \
        NUM_CT_##T best[N];                                                                                                        \
        int64_t at[N];                                                                                                             \
        for (int l = 0; l < N; l++) {                                                                                              \
            best[l] = LANE_GET(T, o1 + (v + l) * so1);                                                                             \
            at[l] = get_index(o2 + (v + l) * so2, index_bytes);                                                                    \
        }                                                                                                                          \
        const uint8_t *p = i + v * siv;                                                                                            \
        for (int64_t k = from; k < from + nk; k++, p += sik)                                                                       \
            for (int l = 0; l < N; l++) {                                                                                          \
                NUM_CT_##T x = LANE_GET(T, p + l * siv);                                                                           \
                bool take = NUM_FN(name, T)(x, best[l]);                                                                           \
                best[l] = take ? x : best[l];                                                                                      \
                at[l] = take ? k : at[l];                                                                                          \
            }                                                                                                                      \
        for (int l = 0; l < N; l++) {                                                                                              \
            LANE_PUT(T, o1 + (v + l) * so1, best[l]);                                                                              \
            put_index(o2 + (v + l) * so2, index_bytes, at[l]);                                                                     \
        }                                                                                                                          \
    }
#define ARG_REDUCER(T, name)                                                                                                       \
    static void arg_##name##_##T(uint8_t *o1, int64_t so1, uint8_t *o2, int64_t so2, unsigned index_bytes, int64_t nv,             \
                                 const uint8_t *i, int64_t siv, int64_t nk, int64_t sik, int64_t from)                             \
    {                                                                                                                              \
        int64_t v = 0;                                                                                                             \
        for (; v + CHAINS <= nv; v += CHAINS)                                                                                      \
            ROWS(T, name, CHAINS)                                                                                                  \
        for (; v < nv; v++)                                                                                                        \
            ROWS(T, name, 1)                                                                                                       \
    }
#define COMPARES(X)                                                                                                                \
    T_INT(X, cmpi_slt)                                                                                                             \
    T_INT(X, cmpi_sle) T_INT(X, cmpi_sgt) T_INT(X, cmpi_sge) T_INT(X, cmpi_ult) T_INT(X, cmpi_ule) T_INT(X, cmpi_ugt)              \
        T_INT(X, cmpi_uge) T_FLT(X, cmpf_ogt) T_FLT(X, cmpf_oge) T_FLT(X, cmpf_olt) T_FLT(X, cmpf_ole) T_FLT(X, cmpf_ugt)          \
            T_FLT(X, cmpf_uge) T_FLT(X, cmpf_ult) T_FLT(X, cmpf_ule)
COMPARES(ARG_REDUCER)

static ArgReducer *find_arg(uint64_t row, unsigned etype)
{
    static const struct {
        uint16_t row;
        uint8_t etype;
        ArgReducer *fn;
    } table[] = {
#define ENTRY(T, name) {BVM_OP_##name, BVM_##T, arg_##name##_##T},
        COMPARES(ENTRY)};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].row == row && table[i].etype == etype)
            return table[i].fn;
    return NULL;
}

BufvmStatus ISA_NAME(bvm_argreduce)(BvmKernelArgs *args)
{
    unsigned etype = args->op[0].etype, index = args->op[1].etype, index_bytes = bvm_elem_bytes(index);
    bool index_ok = index == BVM_I8 || index == BVM_I16 || index == BVM_I32 || index == BVM_I64;
    ArgReducer *fn = args->op[2].etype == etype && index_ok && args->rank ? find_arg(args->param, etype) : NULL;
    if (!fn)
        return bvm_error(args->error, BUFVM_INVALID_ARGUMENT, "argreduce of %s to %s with opcode row %u is not in the kernel",
                         bvm_elem_name(etype), bvm_elem_name(index), (unsigned)(args->param & 1023));
    bvm_kernel_simplify(args, 1);
    uint32_t k = args->rank - 1;
    bool reduces = args->op[0].stride[k] == 0 && args->op[1].stride[k] == 0;
    bool free = reduces && bvm_kernel_independent(args, 2);
    int v = -1; /* the longest dimension of the outputs */
    for (uint32_t d = 0; free && d < k; d++)
        if (args->op[0].stride[d] && args->op[1].stride[d] && (v < 0 || args->size[d] > args->size[v]))
            v = (int)d;
    BvmWalk walk = {0};
    for (uint32_t d = 0; d < args->rank; d++)
        if ((int)d != v && (d != k || !reduces))
            walk.dim[walk.n++] = d;
    bvm_walk_start(&walk, args);
    int64_t nv = v < 0 ? 1 : args->size[v], so1 = v < 0 ? 0 : args->op[0].stride[v], so2 = v < 0 ? 0 : args->op[1].stride[v],
            siv = v < 0 ? 0 : args->op[2].stride[v];
    int64_t nk = reduces ? args->size[k] : 1, sik = args->op[2].stride[k];
    uint64_t owed = 0;
    do {
        if (!free) { /* one element at a time, in order */
            for (int64_t c = 0; c < nk; c++) {
                int64_t position = reduces ? c : walk.at[walk.n - 1];
                fn(walk.ptr[0], 0, walk.ptr[1], 0, index_bytes, 1, walk.ptr[2] + c * sik, 0, 1, 0, position);
                if (++owed == BVM_KERNEL_PIECE) {
                    BufvmStatus status = args->poll(args->user, owed);
                    if (status)
                        return status;
                    owed = 0;
                }
            }
            continue;
        }
        int64_t cols = BVM_KERNEL_PIECE / CHAINS, rows = CHAINS;
        if (nk < cols)
            rows = BVM_KERNEL_PIECE / nk / CHAINS * CHAINS;
        for (int64_t r = 0; r < nv; r += rows)
            for (int64_t c = 0; c < nk; c += cols) {
                int64_t m = nv - r < rows ? nv - r : rows, n = nk - c < cols ? nk - c : cols;
                fn(walk.ptr[0] + r * so1, so1, walk.ptr[1] + r * so2, so2, index_bytes, m, walk.ptr[2] + r * siv + c * sik, siv, n,
                   sik, c);
                BufvmStatus status = args->poll(args->user, (uint64_t)m * (uint64_t)n);
                if (status)
                    return status;
            }
    } while (bvm_walk_next(&walk, args));
    return owed ? args->poll(args->user, owed) : BUFVM_OK;
}

#undef CHAINS
#undef ROWS
#undef ARG_REDUCER
#undef COMPARES
#undef ENTRY
