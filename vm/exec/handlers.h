/* Numbers of the dispatch loop's handlers: one for each row and element type of opcodes.def, dense, in the
 * order of the table; then the tile forms of elementwise rows, then what fused.def joins.
 *
 * H(row, TYPE) is the number of a row by its name with underscores, for example H(buffer_alloc, NONE).
 */
#ifndef BVM_HANDLERS_H
#define BVM_HANDLERS_H

#include "../bytecode/format.h"
#include "../bytecode/opnames.h"

#define BVM_CAT5_(a, b, c, d, e)          a##b##c##d##e
#define BVM_CAT5(a, b, c, d, e)           BVM_CAT5_(a, b, c, d, e)
#define H(row, T)                         BVM_CAT5(H_, BVM_OP_##row, _, T, )
#define HF(a, T, b, U)                    HF_##a##_##T##_##b##_##U
#define HF3(a, T, b, U, c, V)             HF3_##a##_##T##_##b##_##U##_##c##_##V
#define HF4(a, T, b, U, c, V, d, X)       HF4_##a##_##T##_##b##_##U##_##c##_##V##_##d##_##X
#define HF5(a, T, b, U, c, V, d, X, e, Y) HF5_##a##_##T##_##b##_##U##_##c##_##V##_##d##_##X##_##e##_##Y

enum {
#define ONE(T, number, ...)          H_##number##_##T,
#define OP(number, name, TYPES, ...) TYPES(ONE, number)
#define EW(number, name, TYPES, ...) TYPES(ONE, number)
#include "../bytecode/opcodes.def"
#undef ONE
#undef OP
#undef EW
    H_TILES,
    H_BEFORE_TILES = H_TILES - 1,
#define ONE(T, number, ...) HT_##number##_##T,
#define OP(number, name, TYPES, ...)
#define EW(number, name, TYPES, ...) TYPES(ONE, number)
#include "../bytecode/opcodes.def"
#undef ONE
#undef OP
#undef EW
    H_COUNT,
    H_BEFORE_FUSED_ = H_COUNT - 1,
#define PAIR(shape, first, T, second, U)             HF(first, T, second, U),
#define STEP(first, T, second, U)                    HF(first, T, second, U),
#define TRIPLE(shape, first, T, second, U, third, V) HF3(first, T, second, U, third, V),
#define FOUR(shape, a, T, b, U, c, V, d, X)          HF4(a, T, b, U, c, V, d, X),
#define STEP3(a, T, b, U, c, V)                      HF3(a, T, b, U, c, V),
#define STEP4(a, T, b, U, c, V, d, X)                HF4(a, T, b, U, c, V, d, X),
#define FIVE(shape, a, T, b, U, c, V, d, X, e, Y)    HF5(a, T, b, U, c, V, d, X, e, Y),
#include "fused.def"
#undef PAIR
#undef STEP
#undef TRIPLE
#undef FOUR
#undef STEP3
#undef STEP4
#undef FIVE
    H_ALL
};

#endif
