/* What tile instructions share on every machine: lanes in and out, masks, stretches, and the choice of a table of rows. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-vectorize,vect-cost-model=dynamic")
#endif

#include "tiles.h"

#include "../kernels/cpu.h"

/* -- tables ------------------------------------------------------------------------------------------ */

const BvmTileTable *bvm_tile_table(unsigned cpu)
{
#if defined(__x86_64__) && !defined(BUFVM_NO_SIMD)
    if (bvm_cpu_has(cpu, BVM_CPU_AVX512))
        return &bvm_tiles_avx512;
    if (bvm_cpu_has(cpu, BVM_CPU_AVX2))
        return &bvm_tiles_avx2;
#endif
    (void)cpu;
    return &bvm_tiles_base;
}

/* -- slots ------------------------------------------------------------------------------------------- */

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

void bvm_tile_convert_slots(unsigned row, unsigned source, uint8_t *d, const uint8_t *a, size_t n, unsigned dest)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t v = 0;
        num_eval(row, source, dest, slot_get(source, a, i), 0, 0, &v);
        slot_put(bytes_of(dest), d, i, v);
    }
}

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
    switch (bytes) {
    case 1:
        memset(d, (int)(slot & 0xff), n);
        break;
    case 2:
        for (size_t i = 0; i < n; i++)
            bvm_put16(d + 2 * i, (uint16_t)slot);
        break;
    case 4:
        for (size_t i = 0; i < n; i++)
            bvm_put32(d + 4 * i, (uint32_t)slot);
        break;
    default:
        for (size_t i = 0; i < n; i++)
            bvm_put64(d + 8 * i, slot);
    }
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
