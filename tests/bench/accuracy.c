/* How far the f32 functions of math.h are from the truth, on all 2^32 inputs or every Nth of them; those of f64 on random ones.
 *
 *   accuracy [--stride=N] [--tables] [function...]
 *   accuracy --f64=POINTS [function...]
 *
 * The measure is the C library's function in double, which is good to about 2^-53; its vector form decides wherever the result is
 * not next to the middle of two f32.  Prints for each function the worst error in
 * units of the last place (0.5 where all are correctly rounded), where it is, and how many results are not the correctly rounded
 * one; fails beyond 0.501, or 0.51 for
 * powf and atan2 (pseudo-random pairs there).  What is tested is the tile loop of the best instruction set; --tables compares those
 * of the others with it, bit by bit.  A whole function takes half a minute.
 *
 * f64: the C library's function in long double, where that has more bits than double; fails beyond 1 unit.  A third of the inputs
 * are any bits, a third have exponents around 0, the rest are multiples of 1/8 and what lies beside them, and the ends.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/exec/tiles.h"
#include "../../vm/kernels/cpu.h"
#include "accuracy_reference.h"

typedef struct Function {
    const char *name;
    unsigned handler; /* of the tile loop */
    double (*reference)(double);
    void (*references)(const double *x, double *y, size_t n);
} Function;

static double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}

#define ROW(NAME) {#NAME, BVM_CAT5(HT_, BVM_OP_##NAME, _, F32, ) - H_TILES, NAME, reference_##NAME},
static const Function functions[] = {NUM_FUNCTIONS_1(ROW)};

typedef struct Worst {
    double error;
    float x, y;
    uint64_t inputs, misrounded, wrong_special;
} Worst;

/* Of f32 around a number. */
static double last_place(double a)
{
    int e;
    frexp(a, &e);
    return ldexp(1.0, (e < -125 ? -125 : e) - 24);
}

static void compare(Worst *worst, float x, float y, float got, double want)
{
    float rounded = (float)want;
    worst->inputs++;
    if (rounded != rounded || isinf(rounded) || isinf(got)) {
        uint32_t bits = rounded != rounded ? NUM_NAN_F32 : num_bits32(rounded);
        worst->wrong_special += num_bits32(got) != bits;
        return;
    }
    worst->misrounded += num_bits32(got) != num_bits32(rounded);
    double error = fabs((double)got - want) / last_place(want);
    if (!(error <= worst->error)) {
        worst->error = error;
        worst->x = x;
        worst->y = y;
    }
}

static bool report(const char *name, const Worst *w, double bound, bool two)
{
    bool good = w->error <= bound && w->wrong_special == 0;
    printf("%-6s %10" PRIu64 " inputs, worst %.6f ulp at %a", name, w->inputs, w->error, (double)w->x);
    if (two)
        printf(", %a", (double)w->y);
    printf(", %" PRIu64 " not correctly rounded, %" PRIu64 " wrong special values%s\n", w->misrounded, w->wrong_special,
           good ? "" : "  FAILED");
    fflush(stdout);
    return good;
}

enum { BLOCK = 4096 };

/* Inputs first + k * stride, k < n. */
static void check_block(const Function *f, const BvmTileTable *const *tables, uint64_t first, uint64_t stride, size_t n,
                        Worst *worst, uint64_t *different)
{
    static float x[BLOCK], got[BLOCK], other[BLOCK];
    static double wide[BLOCK], want[BLOCK];
    for (size_t k = 0; k < n; k++) {
        x[k] = num_float32((uint32_t)(first + k * stride));
        wide[k] = (double)x[k];
    }
    f->references(wide, want, n);
    tables[0]->rows[f->handler]((uint8_t *)got, (const uint8_t *)x, NULL, NULL, n, 0);
    for (unsigned t = 1; tables[t]; t++) {
        tables[t]->rows[f->handler]((uint8_t *)other, (const uint8_t *)x, NULL, NULL, n, 0);
        for (size_t k = 0; k < n; k++)
            *different += num_bits32(got[k]) != num_bits32(other[k]);
    }
    for (size_t k = 0; k < n; k++) {
        float below = (float)(want[k] - want[k] * 0x1p-45), above = (float)(want[k] + want[k] * 0x1p-45);
        bool sure = num_bits32(below) == num_bits32(got[k]) && num_bits32(above) == num_bits32(got[k]);
        worst->inputs += sure;
        if (!sure)
            compare(worst, x[k], 0, got[k], f->reference(wide[k]));
    }
}

static bool check_unary(const Function *f, uint64_t stride, bool every_table)
{
    const BvmTileTable *tables[8] = {NULL};
    unsigned cpu, n = 0;
    Worst worst = {.error = 0.5};
    uint64_t different = 0;
    bvm_cpu_select(NULL, &cpu);
    for (unsigned at_most = cpu + 1; at_most-- > 0;)
        if (n == 0 || (every_table && bvm_tile_table(at_most) != tables[n - 1]))
            tables[n++] = bvm_tile_table(at_most);
    uint64_t inputs = UINT32_MAX / stride + 1;
    for (uint64_t k = 0; k < inputs; k += BLOCK)
        check_block(f, tables, k * stride, stride, inputs - k < BLOCK ? (size_t)(inputs - k) : BLOCK, &worst, &different);
    if (every_table)
        printf("%-6s %u loops, %" PRIu64 " results differ\n", f->name, n, different);
    return report(f->name, &worst, 0.501, false) && different == 0;
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Half of the pairs have exponents around 0, where most results are finite. */
static bool check_binary(const char *name, float (*tested)(float, float), double (*reference)(double, double), uint64_t stride)
{
    Worst worst = {.error = 0};
    uint64_t state = 1;
    for (uint64_t i = 0; i < (UINT64_C(1) << 30) / stride; i++) {
        uint64_t r = next_random(&state);
        uint32_t a = (uint32_t)r, b = (uint32_t)(r >> 32);
        if (i & 1) {
            a = (a & 0x807fffff) | (120 + (a >> 23) % 16) << 23;
            b = (b & 0x807fffff) | (120 + (b >> 23) % 16) << 23;
        }
        float x = num_float32(a), y = num_float32(b);
        compare(&worst, x, y, tested(x, y), reference((double)x, (double)y));
    }
    return report(name, &worst, 0.51, true);
}

/* ---- f64 ------------------------------------------------------------------------------- */

static long double rsqrtl(long double x)
{
    return 1.0L / sqrtl(x);
}

typedef struct Function64 {
    const char *name;
    double (*one)(double), (*two)(double, double);
    long double (*reference)(long double), (*reference2)(long double, long double);
} Function64;
#define ROW64(NAME) {#NAME, num_##NAME##_f64, NULL, NAME##l, NULL},
static const Function64 functions64[] = {
    NUM_FUNCTIONS_1(ROW64){"atan2", NULL, num_atan2_f64, NULL, atan2l},
    {"powf", NULL, num_powf_f64, NULL, powl},
};

static double random_f64(uint64_t *state)
{
    static const double ends[] = {0.0, 1.0, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, 0.5, 2.0, 709.782712893384, 745.2};
    uint64_t r = next_random(state), which = next_random(state) % 96;
    if (which < 32)
        return num_float64(r);
    if (which < 64)
        return num_float64((r & 0x800fffffffffffff) | (uint64_t)(1023 - 12 + (r >> 52) % 24) << 52);
    double x = which < 94 ? (double)((int64_t)(r % 16385) - 8192) * 0.125 : ends[r % (sizeof ends / sizeof *ends)];
    x = r >> 63 ? -x : x;
    return r >> 62 & 1 ? nextafter(x, r >> 61 & 1 ? INFINITY : -INFINITY) : x;
}

static bool check_f64(const Function64 *f, uint64_t points)
{
    uint64_t state = 64, misrounded = 0, wrong_special = 0;
    long double worst = 0;
    double at[2] = {0, 0};
    for (uint64_t i = 0; i < points; i++) {
        double x = random_f64(&state), y = random_f64(&state), got = f->one ? f->one(x) : f->two(x, y);
        long double want = f->one ? f->reference(x) : f->reference2(x, y);
        double rounded = (double)want;
        if (rounded != rounded || isinf(rounded) || isinf(got)) {
            wrong_special += num_bits64(got) != (rounded != rounded ? NUM_NAN_F64 : num_bits64(rounded));
            continue;
        }
        misrounded += num_bits64(got) != num_bits64(rounded);
        int e;
        frexp(rounded, &e);
        long double error = fabsl((long double)got - want) / ldexpl(1.0L, (e < -1021 ? -1021 : e) - 53);
        if (!(error <= worst)) {
            worst = error;
            at[0] = x;
            at[1] = y;
        }
    }
    bool good = worst <= 1 && wrong_special == 0;
    printf("%-6s f64 %" PRIu64 " inputs, worst %.4Lf ulp at %a", f->name, points, worst, at[0]);
    if (f->two)
        printf(", %a", at[1]);
    printf(", %" PRIu64 " not correctly rounded, %" PRIu64 " wrong special values%s\n", misrounded, wrong_special,
           good ? "" : "  FAILED");
    fflush(stdout);
    return good;
}

static bool wanted(const char *name, char **names, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return n == 0;
}

static int main_f64(uint64_t points, char **names, int n)
{
    bool good = true;
    if (LDBL_MANT_DIG < 64) {
        fprintf(stderr, "accuracy: long double has no more bits than double here\n");
        return 77;
    }
    for (size_t i = 0; i < sizeof functions64 / sizeof *functions64; i++)
        if (wanted(functions64[i].name, names, n))
            good &= check_f64(&functions64[i], points);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    uint64_t stride = 1;
    if (argc > 1 && strncmp(argv[1], "--f64=", 6) == 0)
        return main_f64(strtoull(argv[1] + 6, NULL, 10), argv + 2, argc - 2);
    if (argc > 1 && strncmp(argv[1], "--stride=", 9) == 0) {
        stride = strtoull(argv[1] + 9, NULL, 10);
        argv++;
        argc--;
    }
    bool every_table = argc > 1 && strcmp(argv[1], "--tables") == 0;
    argv += every_table;
    argc -= every_table;
    if (stride == 0) {
        fprintf(stderr, "usage: accuracy [--stride=N] [--tables] [function...] or accuracy --f64=POINTS [function...]\n");
        return 2;
    }
    bool good = true;
    int checked = 0;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (wanted(functions[i].name, argv + 1, argc - 1)) {
            good &= check_unary(&functions[i], stride, every_table);
            checked++;
        }
    if (wanted("atan2", argv + 1, argc - 1)) {
        good &= check_binary("atan2", num_atan2_f32, atan2, stride);
        checked++;
    }
    if (wanted("powf", argv + 1, argc - 1)) {
        good &= check_binary("powf", num_powf_f32, pow, stride);
        checked++;
    }
    if (checked == 0) {
        fprintf(stderr, "accuracy: no such function\n");
        return 2;
    }
    return good ? 0 : 1;
}
