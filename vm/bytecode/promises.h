/* Numbers of promises.def, for the compiler and the watch. */
#ifndef BVM_PROMISES_H
#define BVM_PROMISES_H

enum {
#define PROMISE(number, NAME, kind, text) BVM_PROMISE_##NAME = number,
#include "promises.def"
#undef PROMISE
};
enum { BVM_PROMISES = BVM_PROMISE_NUW_TRUNC };

#endif
