/* The functions of math in f32, f16 and bf16, compiled once for those who define NUM_MATH_EXTERN. */
#define NUM_MATH_FN
#include "ops.h"
