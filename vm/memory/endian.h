/* Element access in little-endian memory, the one place that knows the host's byte order.
 *
 * Addresses need no alignment.  On little-endian hosts each function is one instruction;
 * bvm_le16/32/64 turn a host integer into memory order and back.
 */
#ifndef BVM_ENDIAN_H
#define BVM_ENDIAN_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BVM_BIG_ENDIAN 1
#else
#define BVM_BIG_ENDIAN 0
#endif

static inline uint16_t bvm_le16(uint16_t x)
{
    return BVM_BIG_ENDIAN ? __builtin_bswap16(x) : x;
}
static inline uint32_t bvm_le32(uint32_t x)
{
    return BVM_BIG_ENDIAN ? __builtin_bswap32(x) : x;
}
static inline uint64_t bvm_le64(uint64_t x)
{
    return BVM_BIG_ENDIAN ? __builtin_bswap64(x) : x;
}

static inline uint8_t bvm_get8(const uint8_t *p)
{
    return *p;
}
static inline uint16_t bvm_get16(const uint8_t *p)
{
    uint16_t x;
    memcpy(&x, p, 2);
    return bvm_le16(x);
}
static inline uint32_t bvm_get32(const uint8_t *p)
{
    uint32_t x;
    memcpy(&x, p, 4);
    return bvm_le32(x);
}
static inline uint64_t bvm_get64(const uint8_t *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    return bvm_le64(x);
}
static inline void bvm_put8(uint8_t *p, uint8_t x)
{
    *p = x;
}
static inline void bvm_put16(uint8_t *p, uint16_t x)
{
    x = bvm_le16(x);
    memcpy(p, &x, 2);
}
static inline void bvm_put32(uint8_t *p, uint32_t x)
{
    x = bvm_le32(x);
    memcpy(p, &x, 4);
}
static inline void bvm_put64(uint8_t *p, uint64_t x)
{
    x = bvm_le64(x);
    memcpy(p, &x, 8);
}

#endif
