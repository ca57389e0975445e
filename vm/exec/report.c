/* What the watch says: reports with their place in the source, and the promises of promises.def. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sanitize.h"
#include "tiles.h"
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-vectorize,vect-cost-model=dynamic")
#endif

/* -- reports -------------------------------------------------------------------------------------------- */

BvmSource bvm_source_of(const BvmFrame *frame, const uint64_t *pc)
{
    BvmSource source = {0, 0};
    if (!bvm_function_line(frame->code->fn, (uint32_t)(pc - frame->code->code), &source.line, &source.col))
        source = (BvmSource){0, 0};
    return source;
}

const char *bvm_made_text(BvmSource made, char *text)
{
    text[0] = 0;
    if (made.line)
        snprintf(text, BVM_MADE_TEXT, ", made at %" PRIu32 ":%" PRIu32, made.line, made.col);
    return text;
}

/* The first of its kind from this place, and there is room to say so. */
static bool is_new(BvmSanitizer *z, const char *function, BvmSource source, const void *by, const char *kind)
{
    by = source.line ? NULL : by;
    for (uint32_t i = 0; i < z->nreported; i++) {
        const BvmReported *r = &z->reported[i];
        if (r->by == by && r->function == function && r->source.line == source.line && r->source.col == source.col &&
            strcmp(r->kind, kind) == 0)
            return false;
    }
    if (z->nreported == BVM_REPORTS)
        return false;
    z->reported[z->nreported++] = (BvmReported){by, function, kind, source};
    return true;
}

void bvm_report_at(BvmWorker *worker, const char *function, BvmSource source, const void *by, const char *kind, const char *text)
{
    const BufvmContext *context = worker->context;
    const BvmModule *m = &context->module->m;
    if (!is_new(context->sanitizer, function, source, by, kind))
        return;
    BufvmReport report = {kind, text, function, m->nsources ? m->sources[0] : "", source.line, source.col};
    if (context->limits.on_report)
        context->limits.on_report(context->limits.report_user, &report);
}

void bvm_report(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc, const char *kind, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    bvm_report_at(worker, frame->code->fn->name, bvm_source_of(frame, pc), pc, kind, text);
}

/* -- promises ---------------------------------------------------------------------------------------------- */

typedef struct Promise {
    const char *kind, *text;
} Promise;
static const Promise promises[BVM_PROMISES + 1] = {
#define PROMISE(number, NAME, kind, text) [number] = {kind, text},
#include "../bytecode/promises.def"
#undef PROMISE
};

static double as_float(unsigned etype, uint64_t slot)
{
    return num_from_slot_f64(num_float_convert(etype, slot, BVM_F64, 0));
}

/* Signed: -2^(w-1) - 1 < x < 2^(w-1); unsigned: -1 < x < 2^w. */
static bool converts(double x, unsigned width, bool is_signed)
{
    double top = ldexp(1, (int)width - is_signed);
    if (!is_signed)
        return x > -1 && x < top;
    return (width > 53 ? x >= -top : x > -top - 1) && x < top;
}

/* a and b as the numbers that they are: sign-extended from the width. */
static bool signed_overflow(unsigned promise, __int128 a, __int128 b, unsigned width)
{
    __int128 r = promise == BVM_PROMISE_NSW_ADD ? a + b : promise == BVM_PROMISE_NSW_SUB ? a - b : a * b;
    __int128 half = (__int128)1 << (width - 1);
    return r < -half || r >= half;
}

static bool unsigned_overflow(unsigned promise, unsigned __int128 a, unsigned __int128 b, unsigned width)
{
    if (promise == BVM_PROMISE_NUW_SUB)
        return a < b;
    return (promise == BVM_PROMISE_NUW_ADD ? a + b : a * b) >> width != 0;
}

static bool is_broken(unsigned promise, unsigned etype, unsigned width, uint64_t a, uint64_t b)
{
    bool is_float = etype >= BVM_F16;
    unsigned bits = width >= 1 && width <= 64 ? width : 64;
    int64_t sa = num_sext(a, bits), sb = num_sext(b, bits);
    uint64_t ua = num_zext(a, bits), ub = num_zext(b, bits);
    switch (promise) {
    case BVM_PROMISE_SHIFT:
        return ub >= bits;
    case BVM_PROMISE_NSW_ADD:
    case BVM_PROMISE_NSW_SUB:
    case BVM_PROMISE_NSW_MUL:
        return signed_overflow(promise, sa, sb, bits);
    case BVM_PROMISE_NUW_ADD:
    case BVM_PROMISE_NUW_SUB:
    case BVM_PROMISE_NUW_MUL:
        return unsigned_overflow(promise, ua, ub, bits);
    case BVM_PROMISE_NSW_SHL: /* a count that is too large has a report of its own */
        return ub < bits && num_sext((uint64_t)sa << ub, bits) >> ub != sa;
    case BVM_PROMISE_NUW_SHL:
        return ub < bits && num_zext(ua << ub, bits) >> ub != ua;
    case BVM_PROMISE_DIVIDE:
        return sa == num_sext(UINT64_C(1) << (bits - 1), bits) && sb == -1;
    case BVM_PROMISE_TO_SIGNED:
    case BVM_PROMISE_TO_UNSIGNED:
        return is_float && !converts(as_float(etype, a), bits, promise == BVM_PROMISE_TO_SIGNED);
    case BVM_PROMISE_NNAN:
    case BVM_PROMISE_NNAN_RESULT:
        return is_float && (isnan(as_float(etype, a)) || isnan(as_float(etype, b)));
    case BVM_PROMISE_NINF:
    case BVM_PROMISE_NINF_RESULT:
        return is_float && (isinf(as_float(etype, a)) || isinf(as_float(etype, b)));
    case BVM_PROMISE_NSW_TRUNC: /* the slot is the number, whatever its width was */
        return (uint64_t)sa != a;
    case BVM_PROMISE_NUW_TRUNC:
        return ua != a;
    case BVM_PROMISE_ALIGN:
        return b == 0 || a % b != 0;
    default:
        return false;
    }
}

static bool is_unsigned(unsigned promise)
{
    return promise == BVM_PROMISE_NUW_ADD || promise == BVM_PROMISE_NUW_SUB || promise == BVM_PROMISE_NUW_MUL ||
           promise == BVM_PROMISE_NUW_SHL;
}

static void say(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc, unsigned promise, unsigned etype, unsigned width,
                uint64_t a, uint64_t b)
{
    char text[400];
    size_t n = 0;
    unsigned bits = width >= 1 && width <= 64 ? width : 64;
    bool zero = is_unsigned(promise);
    for (const char *p = promises[promise].text; *p && n < sizeof text - 40; p++) {
        if (*p != '%') {
            text[n++] = *p;
            continue;
        }
        char letter = *++p;
        uint64_t v = letter == 'a' || letter == 'f' ? a : b;
        bool count = letter == 'b' && (promise == BVM_PROMISE_SHIFT || promise == BVM_PROMISE_NSW_SHL);
        int m = letter == 'i'                    ? snprintf(text + n, 40, "%" PRId64, (int64_t)a)
                : letter == 'w'                  ? snprintf(text + n, 40, "%u", bits)
                : letter == 'f' || letter == 'g' ? snprintf(text + n, 40, "%.9g", as_float(etype, v))
                : zero || count                  ? snprintf(text + n, 40, "%" PRIu64, num_zext(v, bits))
                                                 : snprintf(text + n, 40, "%" PRId64, num_sext(v, bits));
        n += m > 0 ? (size_t)m : 0;
    }
    text[n] = 0;
    bvm_report(worker, frame, pc, promises[promise].kind, "%s", text);
}

/* -- lanes ---------------------------------------------------------------------------------------------------- */

/* Whether some lane may break the promise, many lanes at a time; true where that is not known for the type. */
#define INT_LANES(T, S, U, GET)                                                                                                    \
    static bool suspect_##T(unsigned promise, const uint8_t *pa, const uint8_t *pb, size_t n, unsigned width)                      \
    {                                                                                                                              \
        U bad = 0;                                                                                                                 \
        U top = (U)((U)1 << (sizeof(U) * 8 - 1));                                                                                  \
        for (size_t from = 0; from < n; from += 256) {                                                                             \
            size_t to = n - from < 256 ? n : from + 256;                                                                           \
            switch (promise) {                                                                                                     \
            case BVM_PROMISE_SHIFT:                                                                                                \
                for (size_t i = from; i < to; i++)                                                                                 \
                    bad |= (U)((U)GET(pb + sizeof(U) * i) >= width);                                                               \
                break;                                                                                                             \
            case BVM_PROMISE_NSW_ADD:                                                                                              \
                for (size_t i = from; i < to; i++) {                                                                               \
                    U a = (U)GET(pa + sizeof(U) * i), b = (U)GET(pb + sizeof(U) * i), s = (U)(a + b);                              \
                    bad |= (U)((a ^ s) & (b ^ s) & top);                                                                           \
                }                                                                                                                  \
                break;                                                                                                             \
            case BVM_PROMISE_NUW_ADD:                                                                                              \
                for (size_t i = from; i < to; i++) {                                                                               \
                    U a = (U)GET(pa + sizeof(U) * i), b = (U)GET(pb + sizeof(U) * i), s = (U)(a + b);                              \
                    bad |= (U)(s < a);                                                                                             \
                }                                                                                                                  \
                break;                                                                                                             \
            case BVM_PROMISE_NSW_SUB:                                                                                              \
                for (size_t i = from; i < to; i++) {                                                                               \
                    U a = (U)GET(pa + sizeof(U) * i), b = (U)GET(pb + sizeof(U) * i), s = (U)(a - b);                              \
                    bad |= (U)((a ^ b) & (a ^ s) & top);                                                                           \
                }                                                                                                                  \
                break;                                                                                                             \
            case BVM_PROMISE_NUW_SUB:                                                                                              \
                for (size_t i = from; i < to; i++)                                                                                 \
                    bad |= (U)((U)GET(pa + sizeof(U) * i) < (U)GET(pb + sizeof(U) * i));                                           \
                break;                                                                                                             \
            case BVM_PROMISE_NSW_MUL:                                                                                              \
                for (size_t i = from; i < to; i++) {                                                                               \
                    S product;                                                                                                     \
                    bad |= (U)__builtin_mul_overflow((S)GET(pa + sizeof(U) * i), (S)GET(pb + sizeof(U) * i), &product);            \
                }                                                                                                                  \
                break;                                                                                                             \
            case BVM_PROMISE_DIVIDE:                                                                                               \
                for (size_t i = from; i < to; i++)                                                                                 \
                    bad |= (U)((U)((U)GET(pa + sizeof(U) * i) == top) & (U)((U)GET(pb + sizeof(U) * i) == (U)-1));                 \
                break;                                                                                                             \
            default:                                                                                                               \
                return true;                                                                                                       \
            }                                                                                                                      \
            if (bad)                                                                                                               \
                return true;                                                                                                       \
        }                                                                                                                          \
        return false;                                                                                                              \
    }
INT_LANES(i8, int8_t, uint8_t, bvm_get8)
INT_LANES(i16, int16_t, uint16_t, bvm_get16)
INT_LANES(i32, int32_t, uint32_t, bvm_get32)
INT_LANES(i64, int64_t, uint64_t, bvm_get64)

#define FLOAT_LANES(T, C, U, GET, INFINITE)                                                                                        \
    static bool suspect_##T(unsigned promise, const uint8_t *pa, const uint8_t *pb, size_t n, unsigned width)                      \
    {                                                                                                                              \
        U bad = 0;                                                                                                                 \
        bool infinities = promise == BVM_PROMISE_NINF || promise == BVM_PROMISE_NINF_RESULT;                                       \
        bool is_signed = promise == BVM_PROMISE_TO_SIGNED;                                                                         \
        if (promise == BVM_PROMISE_TO_SIGNED || promise == BVM_PROMISE_TO_UNSIGNED) {                                              \
            C low = is_signed ? (C)-ldexp(1, (int)width - 1) : 0, high = (C)ldexp(1, (int)width - is_signed);                      \
            for (size_t i = 0; i < n; i++) {                                                                                       \
                U bits = (U)GET(pa + sizeof(U) * i);                                                                               \
                C x;                                                                                                               \
                memcpy(&x, &bits, sizeof x);                                                                                       \
                bad |= (U)((U) !(x >= low) | (U) !(x < high));                                                                     \
            }                                                                                                                      \
            return bad != 0;                                                                                                       \
        }                                                                                                                          \
        for (size_t i = 0; i < n; i++) {                                                                                           \
            U a = (U)(GET(pa + sizeof(U) * i) << 1), b = (U)(GET(pb + sizeof(U) * i) << 1), limit = (U)((U)(INFINITE) << 1);       \
            bad |= infinities ? (U)((U)(a == limit) | (U)(b == limit)) : (U)((U)(a > limit) | (U)(b > limit));                     \
        }                                                                                                                          \
        return bad != 0;                                                                                                           \
    }
FLOAT_LANES(f32, float, uint32_t, bvm_get32, UINT32_C(0x7f800000))
FLOAT_LANES(f64, double, uint64_t, bvm_get64, UINT64_C(0x7ff0000000000000))

static bool suspect(unsigned promise, unsigned etype, const uint8_t *a, const uint8_t *b, size_t n, unsigned width)
{
    if (etype <= BVM_I64 && promise != BVM_PROMISE_SHIFT && width != bvm_elem_bits(etype))
        return true; /* what wraps in the lanes is of their own width */
    switch (etype) {
    case BVM_I8:
        return suspect_i8(promise, a, b, n, width);
    case BVM_I16:
        return suspect_i16(promise, a, b, n, width);
    case BVM_I32:
        return suspect_i32(promise, a, b, n, width);
    case BVM_I64:
        return suspect_i64(promise, a, b, n, width);
    case BVM_F32:
        return suspect_f32(promise, a, b, n, width);
    case BVM_F64:
        return suspect_f64(promise, a, b, n, width);
    default:
        return true;
    }
}

static void report_lanes(BvmWorker *worker, BvmFrame *frame, const uint64_t *pc, unsigned etype, unsigned promise, unsigned width)
{
    uint8_t **tiles = bvm_tiles(frame);
    const uint8_t *a = tiles[bvm_field(pc, 1)], *b = tiles[bvm_field(pc, 2)];
    size_t n = frame->lanes ? (size_t)frame->lanes : frame->code->fn->tiles[bvm_field(pc, 1)].capacity;
    if (!suspect(promise, etype, a, b, n, width))
        return;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = bvm_tile_get(etype, a, i), y = bvm_tile_get(etype, b, i);
        if (is_broken(promise, etype, width, x, y)) {
            say(worker, frame, pc, promise, etype, width, x, y);
            return;
        }
    }
}

void bvm_report_values(BvmWorker *worker, BvmFrame *frame, const uint64_t *pc, unsigned row, unsigned etype)
{
    unsigned promise = bvm_field(pc, 3), width = bvm_field(pc, 4);
    const uint64_t *s = bvm_scalars(frame);
    if (promise >= BVM_PROMISES + 1 || !promises[promise].text)
        return;
    if (row == BVM_OP_t_report_values) {
        report_lanes(worker, frame, pc, etype, promise, width);
        return;
    }
    uint64_t a = s[bvm_field(pc, 1)], b = s[bvm_field(pc, 2)];
    if (is_broken(promise, etype, width, a, b))
        say(worker, frame, pc, promise, etype, width, a, b);
}
