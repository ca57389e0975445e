/* Float formats as a table, and numbers taken apart: shared by convert.c and decimal.c. */
#ifndef BVM_NUMERIC_FORMATS_H
#define BVM_NUMERIC_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum NumSpecials {
    NUM_IEEE,     /* highest exponent: infinity and NaN */
    NUM_NAN_ONES, /* no infinity; all ones is NaN */
    NUM_NAN_NEG0, /* no infinity; the code of -0 is NaN, there is no -0 */
    NUM_FINITE    /* neither: too large saturates, NaN becomes 0 */
} NumSpecials;

typedef struct NumFormat {
    uint8_t exponent_bits, fraction_bits, specials;
    int16_t bias;
    bool is_unsigned; /* f8E8M0FNU: no sign, no zero, exponent code 0 is a normal number */
} NumFormat;

typedef enum NumClass { NUM_ZERO, NUM_NUMBER, NUM_INFINITY, NUM_NOT_A_NUMBER } NumClass;

/* (-1)^negative * m * 2^e */
typedef struct NumParts {
    NumClass class;
    bool negative;
    uint64_t m;
    int e;
} NumParts;

enum { NUM_NEAREST_EVEN, NUM_DOWN, NUM_UP, NUM_TOWARD_ZERO, NUM_NEAREST_AWAY };

const NumFormat *num_format(unsigned etype); /* NULL if it is no float type */
NumParts num_unpack(const NumFormat *format, uint64_t bits);
/* Rounds once.  sticky: the value is a little larger in magnitude than m * 2^e; m then has at least 58 significant bits. */
uint64_t num_pack(const NumFormat *format, NumParts value, bool sticky, unsigned mode);

#endif
