/* Rows of f32 at the speed of memory, for AVX2 and, where ISA_AVX512 is defined, AVX-512: row_..._F32 for portable/argreduce.c.
 *
 * A chunk is 128 elements.  Its vertical extreme is compared with what each lane has; where it wins, the lane keeps it and the
 * number of the chunk.  At the end the first (or last) chunk that holds the extreme of all lanes is searched for it.  A NaN loses
 * in max and min because the operand that is no NaN comes second.  The end of the row is one more chunk that overlaps the one
 * before: elements seen twice change nothing.
 */
#ifdef ISA_AVX512
#ifndef __clang__ /* there the whole file has them */
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl")
#endif
#define F_LANES                  16
#define F_VEC                    __m512
#define F_INT                    __m512i
#define F_MASK                   __mmask16
#define F_LOAD(p)                _mm512_loadu_ps(p)
#define F_SPLAT(x)               _mm512_set1_ps(x)
#define F_ISPLAT(x)              _mm512_set1_epi32(x)
#define F_FURTHER(x, best, less) ((less) ? _mm512_min_ps(x, best) : _mm512_max_ps(x, best))
#define F_CMP(a, b, how)         _mm512_cmp_ps_mask(a, b, how)
#define F_BITS(mask)             ((uint32_t)(mask))
#define F_PICK(mask, a, b)       _mm512_mask_blend_epi32(mask, b, a)
#define F_EXTREME(v, less)       ((less) ? _mm512_reduce_min_ps(v) : _mm512_reduce_max_ps(v))
#define F_ADD(a, b)              _mm512_add_epi32(a, b)
#define F_LEAST(v)               _mm512_reduce_min_epi32(v)
#define F_MOST(v)                _mm512_reduce_max_epi32(v)
#else
#define F_LANES                  8
#define F_VEC                    __m256
#define F_INT                    __m256i
#define F_MASK                   __m256
#define F_LOAD(p)                _mm256_loadu_ps(p)
#define F_SPLAT(x)               _mm256_set1_ps(x)
#define F_ISPLAT(x)              _mm256_set1_epi32(x)
#define F_FURTHER(x, best, less) ((less) ? _mm256_min_ps(x, best) : _mm256_max_ps(x, best))
#define F_CMP(a, b, how)         _mm256_cmp_ps(a, b, how)
#define F_BITS(mask)             ((uint32_t)_mm256_movemask_ps(mask))
#define F_PICK(mask, a, b)       _mm256_blendv_epi8(b, a, _mm256_castps_si256(mask))
#define F_EXTREME(v, less)       extreme_of_lanes(v, less)
#define F_ADD(a, b)              _mm256_add_epi32(a, b)
#define F_LEAST(v)               of_int_lanes(v, true)
#define F_MOST(v)                of_int_lanes(v, false)

INLINE float extreme_of_lanes(__m256 v, bool less)
{
    __m128 a = _mm256_castps256_ps128(v), b = _mm256_extractf128_ps(v, 1);
    a = less ? _mm_min_ps(a, b) : _mm_max_ps(a, b);
    b = _mm_movehl_ps(a, a);
    a = less ? _mm_min_ps(a, b) : _mm_max_ps(a, b);
    b = _mm_movehdup_ps(a);
    return _mm_cvtss_f32(less ? _mm_min_ps(a, b) : _mm_max_ps(a, b));
}

INLINE int of_int_lanes(__m256i v, bool least)
{
    __m128i a = _mm256_castsi256_si128(v), b = _mm256_extracti128_si256(v, 1);
    a = least ? _mm_min_epi32(a, b) : _mm_max_epi32(a, b);
    b = _mm_shuffle_epi32(a, 0x4e);
    a = least ? _mm_min_epi32(a, b) : _mm_max_epi32(a, b);
    b = _mm_shuffle_epi32(a, 0xb1);
    return _mm_cvtsi128_si32(least ? _mm_min_epi32(a, b) : _mm_max_epi32(a, b));
}
#endif

#define F_CHUNK   128
#define F_VECTORS (F_CHUNK / F_LANES)

/* First or last element of a chunk that equals key; it is there. */
INLINE int64_t place_in_chunk(const float *p, float key, bool last)
{
    F_VEC k = F_SPLAT(key);
    uint64_t bits[2] = {0, 0};
    UNROLL
    for (int j = 0; j < F_VECTORS; j++) {
        bits[j * F_LANES / 64] |= (uint64_t)F_BITS(F_CMP(F_LOAD(p + j * F_LANES), k, _CMP_EQ_OQ)) << (j * F_LANES % 64);
    }
    bool high = last ? bits[1] != 0 : bits[0] == 0; /* a choice without a jump: where it is cannot be predicted */
    uint64_t word = high ? bits[1] : bits[0];
    return (high ? 64 : 0) + (last ? 63 - __builtin_clzll(word) : __builtin_ctzll(word));
}

/* Two vectors a compare. */
INLINE uint32_t chunk_nans(const float *p)
{
    uint32_t bits = 0;
    UNROLL
    for (int j = 0; j < F_VECTORS; j += 2)
        bits |= F_BITS(F_CMP(F_LOAD(p + j * F_LANES), F_LOAD(p + (j + 1) * F_LANES), _CMP_UNORD_Q));
    return bits;
}

/* Place of the first or last element that beats `best`, which is no NaN, and all others, or -1.  At least F_LANES elements, at
   most 2^31.  *nans: some element is a NaN (asked for by `watch`). */
INLINE int64_t beats_f32(const float *p, int64_t n, float best, bool less, bool last, bool watch, bool *nans)
{
    const float floor = FLOOR_F32(less);
    F_VEC had = F_SPLAT(best), ground = F_SPLAT(floor);
    F_INT chunk = F_ISPLAT(-1), number = F_ISPLAT(0), one = F_ISPLAT(1);
    uint32_t unordered = 0;
    int vectors = n >= F_CHUNK ? F_VECTORS : 1;
    int64_t size = vectors * F_LANES;
#define BEATS(found)                                                                                                               \
    {                                                                                                                              \
        F_MASK wins = less ? (last ? F_CMP(found, had, _CMP_LE_OQ) : F_CMP(found, had, _CMP_LT_OQ))                                \
                           : (last ? F_CMP(found, had, _CMP_GE_OQ) : F_CMP(found, had, _CMP_GT_OQ));                               \
        had = F_FURTHER(found, had, less);                                                                                         \
        chunk = F_PICK(wins, number, chunk);                                                                                       \
        number = F_ADD(number, one);                                                                                               \
    }
    if (vectors == F_VECTORS) {
        for (int64_t i = 0; i < n; i += F_CHUNK) {
            const float *q = p + (i + F_CHUNK <= n ? i : n - F_CHUNK);
            F_VEC a = F_FURTHER(F_LOAD(q), ground, less), b = F_FURTHER(F_LOAD(q + F_LANES), ground, less);
            UNROLL
            for (int j = 2; j < F_VECTORS; j += 2) {
                a = F_FURTHER(F_LOAD(q + j * F_LANES), a, less);
                b = F_FURTHER(F_LOAD(q + (j + 1) * F_LANES), b, less);
            }
            if (watch)
                unordered |= chunk_nans(q);
            a = F_FURTHER(a, b, less);
            BEATS(a)
        }
    } else {
        for (int64_t i = 0; i < n; i += F_LANES) {
            F_VEC v = F_LOAD(p + (i + F_LANES <= n ? i : n - F_LANES)), a = F_FURTHER(v, ground, less);
            if (watch)
                unordered |= F_BITS(F_CMP(v, v, _CMP_UNORD_Q));
            BEATS(a)
        }
    }
#undef BEATS
    *nans = unordered;
    float key = F_EXTREME(had, less);
    F_INT lanes = F_PICK(F_CMP(had, F_SPLAT(key), _CMP_EQ_OQ), chunk, F_ISPLAT(last ? -1 : INT32_MAX));
    int where = last ? F_MOST(lanes) : F_LEAST(lanes);
    if (where < 0 || (last && key == floor)) /* only what was there; or perhaps only NaNs */
        return last && key == floor ? place_F32((const uint8_t *)p, n, key, true) : -1;
    int64_t at = where * size + size <= n ? where * size : n - size;
    if (vectors == F_VECTORS)
        return at + place_in_chunk(p + at, key, last);
    uint32_t bits = F_BITS(F_CMP(F_LOAD(p + at), F_SPLAT(key), _CMP_EQ_OQ));
    return at + (last ? 31 - __builtin_clz(bits) : __builtin_ctz(bits));
}

INLINE void search_FAST_F32(uint8_t *o1, uint8_t *o2, unsigned index_bytes, const uint8_t *bytes, int64_t n, int64_t from,
                            bool less, bool last, bool takes_nan)
{
    const float *p = (const float *)bytes;
    float best = *(const e_F32 *)o1;
    bool nans = false;
    if (__builtin_expect(n < F_LANES || best != best, 0)) {
        search_F32(o1, o2, index_bytes, bytes, n, from, less, last, takes_nan);
        return;
    }
    int64_t at = beats_f32(p, n, best, less, last, takes_nan, &nans);
    if (nans) {
        search_F32(o1, o2, index_bytes, bytes, n, from, less, last, takes_nan);
    } else if (at >= 0) {
        memcpy(o1, bytes + 4 * at, 4);
        put_index(o2, index_bytes, from + at);
    }
}

FLOAT_ORDERS(ROW_ORDER, F32, FAST_F32)
#if defined(ISA_AVX512) && !defined(__clang__)
#pragma GCC pop_options
#endif
