/* The floating-point environment of the calling thread: round to nearest, no flushing of subnormals.
 *
 * x86 keeps both in MXCSR, AArch64 in FPCR (with bits that turn NaNs into default ones or flush half precision); elsewhere only the
 * rounding mode can be wrong.
 */
#include "numeric.h"

#if defined(__SSE2__)
enum {
    MXCSR_FLUSHES = 0x8040, /* FTZ, DAZ */
    MXCSR_ROUNDING = 0x6000,
    MXCSR_MASKS = 0x1f80
};
static unsigned wanted_from(unsigned saved)
{
    return (saved & ~(unsigned)(MXCSR_FLUSHES | MXCSR_ROUNDING)) | MXCSR_MASKS;
}
void num_env_enter(NumEnv *env)
{
    unsigned saved = __builtin_ia32_stmxcsr(), wanted = wanted_from(saved);
    env->saved = saved;
    if (wanted != saved)
        __builtin_ia32_ldmxcsr(wanted);
}
void num_env_leave(const NumEnv *env)
{
    unsigned saved = (unsigned)env->saved;
    if (wanted_from(saved) != saved)
        __builtin_ia32_ldmxcsr(saved);
}
#elif defined(__aarch64__)
#define FPCR_CLEAR UINT64_C(0x03ff9f07) /* AH DN FZ RMode Stride FZ16 Len, trap enables, FIZ NEP */
static uint64_t read_fpcr(void)
{
    uint64_t v;
    __asm__ volatile("mrs %0, fpcr" : "=r"(v));
    return v;
}
static void write_fpcr(uint64_t v)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(v));
}
void num_env_enter(NumEnv *env)
{
    env->saved = read_fpcr();
    if (env->saved & FPCR_CLEAR)
        write_fpcr(env->saved & ~FPCR_CLEAR);
}
void num_env_leave(const NumEnv *env)
{
    if (env->saved & FPCR_CLEAR)
        write_fpcr(env->saved);
}
#else
#include <fenv.h>
void num_env_enter(NumEnv *env)
{
    env->saved = (uint64_t)fegetround();
    fesetround(FE_TONEAREST);
}
void num_env_leave(const NumEnv *env)
{
    fesetround((int)env->saved);
}
#endif
