/* Tile instructions: loops over lanes made from the rows of opcodes.def and the bodies of vm/numeric.
 *
 * Plain loops that the compiler turns into vector code.  A destination equals a source or lies apart
 * from it, so no iteration depends on another.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-vectorize,vect-cost-model=dynamic")
#endif

#include "tiles.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#ifdef __clang__
#define LANES _Pragma("clang loop vectorize(assume_safety)") for (size_t i = 0; i < n; i++)
#else
#define LANES _Pragma("GCC ivdep") for (size_t i = 0; i < n; i++)
#endif
#define FN(number, T)                                                                                                              \
    static void tile_##number##_##T(uint8_t *d, const uint8_t *a, const uint8_t *b, const uint8_t *c, size_t n, unsigned dest)
#define A(T) bvm_lane_get_##T(a, i)
#define B(T) bvm_lane_get_##T(b, i)
#define C(T) bvm_lane_get_##T(c, i)

#define FORM_1(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_##T(d, i, NUM_FN(name, T)(A(T)));                                                                       \
    }
#define FORM_2(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_##T(d, i, NUM_FN(name, T)(A(T), B(T)));                                                                 \
    }
#define FORM_3(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_##T(d, i, NUM_FN(name, T)(A(T), B(T), C(T)));                                                           \
    }
#define FORM_c(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_I1(d, i, NUM_FN(name, T)(A(T), B(T)));                                                                  \
    }
#define FORM_p(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_I1(d, i, NUM_FN(name, T)(A(T)));                                                                        \
    }
#define FORM_s(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_##T(d, i, NUM_FN(name, T)(A(I1), B(T), C(T)));                                                          \
    }
#define FORM_e(T, number, name)                                                                                                    \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        LANES bvm_lane_put_##T(d, i, NUM_FN(name, T)(A(T), B(I32)));                                                               \
    }

/* -- conversions: a loop for each pair of types with arithmetic, slots for the storage formats --------------------------- */

static unsigned bytes_of(unsigned etype)
{
    return bvm_elem_bytes(etype);
}

static uint64_t slot_get(unsigned etype, const uint8_t *p, size_t i)
{
    switch (etype) {
    case BVM_I1:
        return p[i] & 1;
    case BVM_I8:
        return (uint64_t)(int8_t)p[i];
    case BVM_I16:
        return (uint64_t)(int16_t)bvm_get16(p + 2 * i);
    case BVM_I32:
        return (uint64_t)(int32_t)bvm_get32(p + 4 * i);
    default:
        break;
    }
    switch (bytes_of(etype)) {
    case 1:
        return p[i];
    case 2:
        return bvm_get16(p + 2 * i);
    case 4:
        return bvm_get32(p + 4 * i);
    default:
        return bvm_get64(p + 8 * i);
    }
}

static void slot_put(unsigned bytes, uint8_t *p, size_t i, uint64_t v)
{
    switch (bytes) {
    case 1:
        p[i] = (uint8_t)v;
        break;
    case 2:
        bvm_put16(p + 2 * i, (uint16_t)v);
        break;
    case 4:
        bvm_put32(p + 4 * i, (uint32_t)v);
        break;
    default:
        bvm_put64(p + 8 * i, v);
    }
}

static void convert_slots(unsigned row, unsigned source, uint8_t *d, const uint8_t *a, size_t n, unsigned dest)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t v = 0;
        num_eval(row, source, dest, slot_get(source, a, i), 0, 0, &v);
        slot_put(bytes_of(dest), d, i, v);
    }
}

#define CASE(D, name, T)                                                                                                           \
    case BVM_##D:                                                                                                                  \
        LANES bvm_lane_put_##D(d, i, NUM_CONV_FN(name, T, D)(A(T)));                                                               \
        return;
#define TO_FLT(name, T) CASE(F16, name, T) CASE(BF16, name, T) CASE(F32, name, T) CASE(F64, name, T)
#define TO_INT(name, T) CASE(I1, name, T) CASE(I8, name, T) CASE(I16, name, T) CASE(I32, name, T) CASE(I64, name, T)
#define CONVERT(number, name, T, CASES)                                                                                            \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        switch (dest) {                                                                                                            \
            CASES(name, T)                                                                                                         \
        default:                                                                                                                   \
            convert_slots(number, BVM_##T, d, a, n, dest);                                                                         \
        }                                                                                                                          \
    }
#define BY_SLOTS(T, number, ...)                                                                                                   \
    FN(number, T)                                                                                                                  \
    {                                                                                                                              \
        convert_slots(number, BVM_##T, d, a, n, dest);                                                                             \
    }
#define SITOF(T, number, ...) CONVERT(number, sitof, T, TO_FLT)
#define UITOF(T, number, ...) CONVERT(number, uitof, T, TO_FLT)
#define EXTS(T, number, ...)  CONVERT(number, exts, T, TO_INT)
#define EXTU(T, number, ...)  CONVERT(number, extu, T, TO_INT)
#define FTOSI(T, number, ...) CONVERT(number, ftosi, T, TO_INT)
#define FTOUI(T, number, ...) CONVERT(number, ftoui, T, TO_INT)
#define FCONV(T, number, ...) CONVERT(number, fconv, T, TO_FLT)
#define T_STORAGE(X, ...)                                                                                                          \
    X(F8E5M2, __VA_ARGS__)                                                                                                         \
    X(F8E4M3FN, __VA_ARGS__)                                                                                                       \
    X(F8E4M3, __VA_ARGS__) X(F8E5M2FNUZ, __VA_ARGS__) X(F8E4M3FNUZ, __VA_ARGS__) X(F8E4M3B11FNUZ, __VA_ARGS__)                     \
        X(F8E3M4, __VA_ARGS__) X(F8E8M0FNU, __VA_ARGS__) X(F6E2M3FN, __VA_ARGS__) X(F6E3M2FN, __VA_ARGS__)                         \
            X(F4E2M1FN, __VA_ARGS__)
T_INT1(SITOF, 257)
T_INT1(UITOF, 258)
T_INT1(EXTS, 261)
T_INT1(EXTU, 262)
T_FLT(FCONV, 256)
T_FLT(FTOSI, 259)
T_FLT(FTOUI, 260)
T_STORAGE(BY_SLOTS, 256)
T_STORAGE(BY_SLOTS, 259)
T_STORAGE(BY_SLOTS, 260)
_Static_assert(BVM_OP_fconv == 256 && BVM_OP_sitof == 257 && BVM_OP_uitof == 258 && BVM_OP_ftosi == 259 && BVM_OP_ftoui == 260 &&
                   BVM_OP_exts == 261 && BVM_OP_extu == 262,
               "the conversions above are named by number");
#define FORM_x(T, number, name)

#define OP(...)
#define EW(number, name, TYPES, ...) TYPES(NUM_PASTE2(FORM_, BVM_FORM_##name), number, name)
#include "../bytecode/opcodes.def"
#undef OP
#undef EW

BvmTileFn *const bvm_tile_fns[H_COUNT - H_TILES] = {
#define ONE(T, number, ...) [HT_##number##_##T - H_TILES] = tile_##number##_##T,
#define OP(...)
#define EW(number, name, TYPES, ...) TYPES(ONE, number)
#include "../bytecode/opcodes.def"
#undef OP
#undef EW
#undef ONE
};

/* -- reductions to a slot ---------------------------------------------------------------------------- */

#define REDUCE(T, name)                                                                                                            \
    static uint64_t reduce_##name##_##T(uint64_t start, const uint8_t *a, size_t n)                                                \
    {                                                                                                                              \
        NUM_CT_##T acc = NUM_FN(from_slot, T)(start);                                                                              \
        for (size_t i = 0; i < n; i++)                                                                                             \
            acc = NUM_FN(name, T)(acc, A(T));                                                                                      \
        return NUM_FN(slot, T)(acc);                                                                                               \
    }
#define REDUCE_ENTRY(T, name) [H(t_reduce_##name, T) - H(t_reduce_addi, I8)] = reduce_##name##_##T,
#define INTS(X)                                                                                                                    \
    T_INT(X, addi) T_INT(X, maxsi) T_INT(X, minsi) T_INT(X, maxui) T_INT(X, minui) T_INT(X, andi) T_INT(X, ori) T_INT(X, xori)
#define FLTS(X) T_FLT(X, addf) T_FLT(X, maximumf) T_FLT(X, minimumf) T_FLT(X, maxnumf) T_FLT(X, minnumf)
INTS(REDUCE)
FLTS(REDUCE)
BvmReduceFn *const bvm_reduce_fns[] = {INTS(REDUCE_ENTRY) FLTS(REDUCE_ENTRY)};

/* -- lanes in and out --------------------------------------------------------------------------------- */

uint64_t bvm_tile_get(unsigned etype, const uint8_t *a, size_t i)
{
    return slot_get(etype, a, i);
}

void bvm_tile_put(unsigned etype, uint8_t *a, size_t i, uint64_t slot)
{
    slot_put(bytes_of(etype), a, i, etype == BVM_I1 ? slot & 1 : slot);
}

size_t bvm_tile_zero(unsigned etype, const uint8_t *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (slot_get(etype, a, i) == 0)
            return i;
    return n;
}

size_t bvm_tile_false(const uint8_t *mask, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(mask[i] & 1))
            return i;
    return n;
}

void bvm_tile_splat(unsigned bytes, uint8_t *d, uint64_t slot, size_t n)
{
    for (size_t i = 0; i < n; i++)
        slot_put(bytes, d, i, slot);
}

void bvm_tile_iota(uint8_t *d, uint64_t start, uint64_t step, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bvm_put64(d + 8 * i, start + step * i);
}

#define BY_BYTES(BODY)                                                                                                             \
    switch (bytes) {                                                                                                               \
    case 1:                                                                                                                        \
        BODY(1) break;                                                                                                             \
    case 2:                                                                                                                        \
        BODY(2) break;                                                                                                             \
    case 4:                                                                                                                        \
        BODY(4) break;                                                                                                             \
    default:                                                                                                                       \
        BODY(8)                                                                                                                    \
    }

void bvm_tile_load(unsigned bytes, uint8_t *d, const uint8_t *from, int64_t step, size_t n)
{
    if (step == (int64_t)bytes) {
        memcpy(d, from, n * bytes);
        return;
    }
#define LOAD(N)                                                                                                                    \
    for (size_t i = 0; i < n; i++, from += step)                                                                                   \
        memcpy(d + N * i, from, N);
    BY_BYTES(LOAD)
}

void bvm_tile_store(unsigned bytes, const uint8_t *d, uint8_t *to, int64_t step, size_t n)
{
    if (step == (int64_t)bytes) {
        memcpy(to, d, n * bytes);
        return;
    }
#define STORE(N)                                                                                                                   \
    for (size_t i = 0; i < n; i++, to += step)                                                                                     \
        memcpy(to, d + N * i, N);
    BY_BYTES(STORE)
}

void bvm_scatter_mask(unsigned bytes, const uint8_t *d, const uint8_t *mask, uint8_t *base, uint64_t first, uint64_t step, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (mask[i] & 1)
            memcpy(base + (first + i * step) * bytes, d + i * bytes, bytes);
}

void bvm_tile_bits(uint8_t *d, size_t n)
{
    for (size_t i = 0; i < n; i++)
        d[i] &= 1;
}

/* -- stretches: elements at equal distances --------------------------------------------------------------- */

bool bvm_stretch_inside(uint64_t first, uint64_t step, uint64_t n, uint64_t count)
{
    int64_t way, last;
    return first < count && !__builtin_mul_overflow((int64_t)step, (int64_t)(n - 1), &way) &&
           !__builtin_add_overflow((int64_t)first, way, &last) && (uint64_t)last < count;
}

uint64_t bvm_stretch_bad(uint64_t first, uint64_t step, uint64_t n, uint64_t count)
{
    for (uint64_t i = 0; i < n; i++)
        if (first + i * step >= count)
            return first + i * step;
    return first + (n - 1) * step;
}

uint64_t bvm_stretch_bad_mask(uint64_t first, uint64_t step, const uint8_t *mask, size_t n, uint64_t count)
{
    for (size_t i = 0; i < n; i++)
        if ((mask[i] & 1) && first + i * step >= count)
            return i;
    return UINT64_MAX;
}

/* -- what a handler number says ---------------------------------------------------------------------------- */

char bvm_tile_form(unsigned handler)
{
    static const char forms[H_COUNT - H_TILES] = {
#define ONE(T, number, form) [HT_##number##_##T - H_TILES] = form[0],
#define OP(...)
#define EW(number, name, TYPES, form, doc) TYPES(ONE, number, form)
#include "../bytecode/opcodes.def"
#undef OP
#undef EW
#undef ONE
    };
    return forms[handler - H_TILES];
}

unsigned bvm_tile_divisor(unsigned handler)
{
    static const uint8_t types[] = {BVM_I8, BVM_I16, BVM_I32, BVM_I64};
    return types[(handler - HT_99_I8) & 3];
}

size_t bvm_tile_bad_index(const uint8_t *index, const uint8_t *mask, uint64_t count, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((!mask || (mask[i] & 1)) && bvm_get64(index + 8 * i) >= count)
            return i;
    return n;
}

void bvm_tile_gather(unsigned bytes, uint8_t *d, const uint8_t *from, const uint8_t *index, const uint8_t *mask, size_t n)
{
#define GATHER(N)                                                                                                                  \
    for (size_t i = 0; i < n; i++) {                                                                                               \
        if (!mask || (mask[i] & 1))                                                                                                \
            memcpy(d + N * i, from + N * bvm_get64(index + 8 * i), N);                                                             \
        else                                                                                                                       \
            memset(d + N * i, 0, N);                                                                                               \
    }
    BY_BYTES(GATHER)
}
