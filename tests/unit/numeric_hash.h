/* One number for the results of every elementwise row on a fixed pseudo-random set of operands: the same on every machine. */
#ifndef NUMERIC_HASH_H
#define NUMERIC_HASH_H

#include <string.h>

#include "../../vm/bytecode/opnames.h"
#include "../../vm/numeric/ops.h"

#define NUMERIC_HASH UINT64_C(0xa60615f95e998002) /* of 500 operands a row and type */

typedef struct NumericHash {
    uint64_t state, hash, evaluated;
} NumericHash;

/* splitmix64 */
static inline uint64_t hash_random(NumericHash *h)
{
    uint64_t z = h->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline void hash_add(NumericHash *h, uint64_t v)
{
    h->hash = (h->hash ^ v) * UINT64_C(0x100000001b3);
    h->hash ^= h->hash >> 29;
    h->evaluated++;
}

/* Random bits; numbers of ordinary size; the values where things end. */
static inline uint64_t hash_operand(NumericHash *h, unsigned etype)
{
    static const double ends[] = {0,   1,     0.5,   2,     3,     1.5,    127,    128,    255,
                                  256, 32767, 32768, 65504, 65520, 0x1p31, 0x1p32, 0x1p63, 0x1p64};
    uint64_t r = hash_random(h), kind = hash_random(h) % 4;
    if (!num_is_float(etype))
        return kind == 0   ? r
               : kind == 1 ? (uint64_t)(int64_t)(int8_t)r
               : kind == 2 ? UINT64_C(1) << r % 64
                           : (uint64_t)num_sext(r, 1 + r % 64);
    if (kind == 0)
        return r;
    double sign = r & 1 ? -1.0 : 1.0;
    double a = kind == 1   ? (double)(r >> 11) * 0x1p-53
               : kind == 2 ? (double)(r >> 11) * 0x1p-45
                           : ends[(r >> 8) % (sizeof ends / sizeof ends[0])];
    return num_float_convert(BVM_F64, num_bits64(sign * a), etype, 0);
}

static inline void hash_row(NumericHash *h, unsigned row, unsigned etype, int count)
{
    bool converts = bvm_ops[row].form == 'x';
    for (int i = 0; i < count; i++) {
        uint64_t a = hash_operand(h, etype), b = hash_operand(h, row == BVM_OP_fpowi ? (unsigned)BVM_I32 : etype),
                 c = hash_operand(h, etype), r = 0;
        for (unsigned dest = converts ? 1 : 0; dest < (converts ? BVM_ELEMS : 1); dest++)
            hash_add(h, num_eval(row, etype, dest, a, b, c, &r) ? r : 0x7a9);
    }
}

/* Of one row and all its types. */
static inline uint64_t numeric_hash_row(unsigned row, int count)
{
    NumericHash h = {row, UINT64_C(0xcbf29ce484222325), 0};
    for (unsigned etype = 0; etype < BVM_ELEMS; etype++)
        if (bvm_ops[row].etypes >> etype & 1)
            hash_row(&h, row, etype, count);
    return h.hash;
}

/* Text both ways, in every float type. */
static inline uint64_t numeric_hash_text(int count)
{
    NumericHash h = {1, UINT64_C(0xcbf29ce484222325), 0};
    for (unsigned etype = 0; etype < BVM_ELEMS; etype++)
        for (int i = 0; num_is_float(etype) && i < count; i++) {
            char text[64];
            size_t n = num_print_float(etype, hash_operand(&h, etype), text);
            uint64_t bits = 0, crc = 0;
            for (size_t k = 0; k < n; k++)
                crc = crc * 131 + (unsigned char)text[k];
            hash_add(&h, crc);
            hash_add(&h, num_parse_float(text, n, BVM_F64, &bits));
            hash_add(&h, bits);
        }
    return h.hash;
}

static inline uint64_t numeric_hash_all(int count)
{
    uint64_t all = numeric_hash_text(count);
    for (unsigned row = 0; row < BVM_TILE; row++)
        if (bvm_ops[row].form)
            all = all * 31 + numeric_hash_row(row, count);
    return all;
}

#endif
