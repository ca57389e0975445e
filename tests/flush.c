/* A host that runs with flush-to-zero on (as one built with -ffast-math does) gets the same answers and keeps its own mode. */
#include "../compiler/bufvmc.h"
#include "../vm/bufvm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#if defined __x86_64__
#include <xmmintrin.h>
static uint64_t get_mode(void) { return _mm_getcsr(); }
static void set_flushing(void) { _mm_setcsr(_mm_getcsr() | 0x8040); }
#elif defined __aarch64__
static uint64_t get_mode(void)
{
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}
static void set_flushing(void) { __asm__ volatile("msr fpcr, %0" ::"r"(get_mode() | UINT64_C(1) << 24)); }
#else
static uint64_t get_mode(void) { return 0; }
static void set_flushing(void) {}
#endif

static const char program[] = "func.func @f(%x: f32, %y: f32) -> (f32, f64) {\n"
                              "  %p = arith.mulf %x, %y : f32\n"
                              "  %d = arith.extf %p : f32 to f64\n"
                              "  %k = arith.constant 1.0e-275 : f64\n"
                              "  %q = arith.mulf %d, %k : f64\n"
                              "  return %p, %q : f32, f64\n"
                              "}\n";

/* 2^-70 * 2^-70 is the subnormal 2^-140 */
static int call(uint64_t *f, uint64_t *d)
{
    BufvmcOutput out;
    BufvmError error;
    BufvmModule *module;
    BufvmContext *context;
    if (bufvmc_compile(program, strlen(program), NULL, &out) != BUFVMC_OK) {
        fputs(out.diagnostics ? out.diagnostics : "out of memory\n", stderr);
        return 1;
    }
    int bad = bufvm_module_load(out.data, out.size, NULL, &module, &error) != BUFVM_OK ||
              bufvm_context_new(module, NULL, NULL, 0, NULL, &context, &error) != BUFVM_OK;
    if (bad)
        return 1;
    BufvmValue args[2] = {{.kind = BUFVM_SCALAR, .elem = BUFVM_F32, .bits = 0x1C800000}, {.kind = BUFVM_SCALAR, .elem = BUFVM_F32, .bits = 0x1C800000}};
    BufvmValue results[2];
    memset(results, 0, sizeof results);
    bad = bufvm_call(context, 0, args, 2, results, 2, &error) != BUFVM_OK;
    *f = results[0].bits;
    *d = results[1].bits;
    bufvm_context_free(context);
    bufvm_module_release(module);
    bufvmc_output_free(&out);
    return bad;
}

int main(void)
{
    uint64_t f[2], d[2];
    if (call(&f[0], &d[0]))
        return 1;
    set_flushing();
    uint64_t before = get_mode();
    if (call(&f[1], &d[1]))
        return 1;
    uint64_t after = get_mode();
    int failed = f[0] != f[1] || d[0] != d[1] || before != after || f[0] != 0x200;
    printf("%016" PRIx64 " %016" PRIx64 ", %016" PRIx64 " %016" PRIx64 ", mode %" PRIx64 " %" PRIx64 "\n", f[0], f[1], d[0], d[1], before, after);
    printf("%d passed, %d failed\n", !failed, failed);
    return failed;
}
