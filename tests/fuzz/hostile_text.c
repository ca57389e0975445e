/* Hostile text for the compiler: every input gives a module or messages, within bounds.
 *
 *   hostile_text ROUNDS FILE...
 *
 * Fixed inputs first: deep nesting of everything that nests, one line of 10 MB, cyclic and exploding aliases, shapes that
 * are huge or overflow.  Then ROUNDS random changes of each file, and random text.  The allocator hook counts: nothing may
 * hold over 64 MiB + 20 times the input.  What compiles is loaded and its exports without arguments are run with little fuel
 * and memory.  Reproducible: the random numbers start from the file's number.
 */
#include "../../compiler/bufvmc.h"
#include "../../vm/tools/tools.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Count {
    size_t used, peak;
} Count;

typedef struct Totals {
    uint64_t runs, modules, refused, failures;
} Totals;

static void *counting_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    Count *count = user;
    if (!new_size) {
        count->used -= old_size;
        free(ptr);
        return NULL;
    }
    void *p = realloc(ptr, new_size);
    if (p) {
        count->used += new_size - old_size;
        if (count->used > count->peak)
            count->peak = count->used;
    }
    return p;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void run_exports(const BufvmcOutput *out)
{
    BufvmError error;
    BufvmModule *module;
    if (bufvm_module_load(out->data, out->size, NULL, &module, &error) != BUFVM_OK)
        return;
    BufvmLimits limits = {.fuel = 100000, .memory = 16 << 20, .call_depth = 100};
    BufvmContext *context;
    if (bufvm_context_new(module, &limits, NULL, 0, NULL, &context, &error) == BUFVM_OK) {
        for (uint32_t k = 0; k < bufvm_module_exports(module); k++) {
            const BufvmSignature *s = bufvm_module_export(module, k);
            BufvmValue *results = calloc(s->nresults + 1, sizeof *results);
            if (s->nargs == 0 && results && bufvm_call(context, k, NULL, 0, results, s->nresults, &error) == BUFVM_OK)
                for (uint32_t r = 0; r < s->nresults; r++)
                    bufvm_value_release(&results[r]);
            free(results);
        }
        bufvm_context_free(context);
    }
    bufvm_module_release(module);
}

static void try_text(const char *name, const char *text, size_t n, Totals *totals)
{
    Count count = {0, 0};
    BufvmcOptions options;
    memset(&options, 0, sizeof options);
    options.allow_unregistered = n % 2; /* half of the texts: ops of unknown dialects are kept */
    options.realloc = counting_realloc;
    options.user = &count;
    options.max_memory = (64u << 20) + 20 * n;
    BufvmcOutput out;
    clock_t start = clock();
    BufvmcStatus status = bufvmc_compile(text, n, &options, &out);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    totals->runs++;
    bool is_silent =
        status != BUFVMC_OK && status != BUFVMC_OUT_OF_MEMORY && (!out.diagnostics || !strstr(out.diagnostics, "error:"));
    if (is_silent || count.peak > (64u << 20) + 20 * n || seconds > 1 + 2e-6 * (double)n) {
        totals->failures++;
        printf("FAIL %s: status %d, %zu bytes for %zu of input, %.2f s%s\n", name, (int)status, count.peak, n, seconds,
               is_silent ? ", no message" : "");
        FILE *f = fopen("hostile-failure.mlir", "wb");
        if (f) {
            fwrite(text, 1, n, f);
            fclose(f);
        }
    }
    if (status == BUFVMC_OK) {
        totals->modules++;
        run_exports(&out);
    } else {
        totals->refused++;
    }
    bufvmc_output_free(&out);
    if (count.used) {
        totals->failures++;
        printf("FAIL %s: %zu bytes leaked\n", name, count.used);
    }
}

/* ---- fixed inputs ---- */

typedef struct Nest {
    const char *name, *before, *open, *middle, *close, *after;
} Nest;

static const Nest nests[] = {
    {"types", "func.func private @f(", "tuple<", "i32", ">", ")"},
    {"function types", "func.func private @f(", "(", "i32", ") -> i32", ")"},
    {"vectors of complex", "func.func private @f(", "complex<", "f32", ">", ")"},
    {"array attributes", "module attributes {a = ", "[", "1", "]", "} {}"},
    {"dictionaries", "module attributes {a = ", "{a = ", "1", "}", "} {}"},
    {"modules", "", "module {", "", "}", ""},
    {"generic regions", "", "\"builtin.module\"() ({", "", "}) : () -> ()", ""},
    {"scf.if", "func.func @f(%c: i1) {", "scf.if %c {", "", "}", "return }"},
    {"affine expressions", "#m = affine_map<(d0) -> (", "(", "d0", " + 1)", ")>"},
    {"minus signs", "#m = affine_map<(d0) -> (", "-", "d0", "", ")>"},
    {"dense literals", "func.func @f() { %0 = arith.constant dense<", "[", "1", "]", "> : tensor<1xi32> return }"},
    {"locations", "func.func @f() { return loc(", "callsite(\"a\" at ", "\"b\"", ")", ") }"},
    {"fused locations", "func.func @f() { return loc(", "fused[", "\"b\"", "]", ") }"},
    {"opaque types", "func.func private @f(", "!a.b<", "c", ">", ")"},
    {"opaque attributes", "module attributes {a = ", "#a.b<", "c", ">", "} {}"},
    {"layouts", "func.func private @f(memref<1xf32, ", "affine_map<(d0) -> (", "d0", ")>", ">)"},
    {"symbols", "module attributes {a = @a", "::@b", "", "", "} {}"},
    {"parentheses", "", "(", "", ")", ""},
    {"quotes", "", "\"", "", "", ""},
    {"comments", "", "//", "", "", ""},
    {"braces", "", "{", "", "", ""},
};

static char *repeat(const Nest *nest, size_t depth, size_t *n)
{
    size_t size =
        strlen(nest->before) + depth * (strlen(nest->open) + strlen(nest->close)) + strlen(nest->middle) + strlen(nest->after) + 1;
    char *text = malloc(size), *p = text;
    if (!text)
        exit(2);
    p = stpcpy(p, nest->before);
    for (size_t k = 0; k < depth; k++)
        p = stpcpy(p, nest->open);
    p = stpcpy(p, nest->middle);
    for (size_t k = 0; k < depth; k++)
        p = stpcpy(p, nest->close);
    p = stpcpy(p, nest->after);
    *n = (size_t)(p - text);
    return text;
}

static const char *const texts[] = {
    "",
    "#a = #b\n#b = #a\nmodule attributes {x = #a} {}",
    "#a = #a\nmodule attributes {x = #a} {}",
    "!a = !b\n!b = !a\nfunc.func private @f(!a)",
    "!a = tuple<!a, !a>\nfunc.func private @f(!a)",
    "#loc = loc(#loc)\nfunc.func @f() { return loc(#loc) }",
    "#loc1 = loc(callsite(#loc2 at #loc2))\n#loc2 = loc(callsite(#loc1 at #loc1))\nfunc.func @f() { return loc(#loc1) }",
    "func.func @f(%a: tensor<9223372036854775807x9223372036854775807xf32>) -> tensor<9223372036854775807x9223372036854775807xf32> "
    "{ return %a : "
    "tensor<9223372036854775807x9223372036854775807xf32> }",
    "func.func @f() -> tensor<4294967296x4294967296xf32> { %0 = arith.constant dense<1.0> : tensor<4294967296x4294967296xf32> "
    "return %0 : "
    "tensor<4294967296x4294967296xf32> }",
    "func.func @f() -> tensor<1000000000000xf32> { %0 = arith.constant dense<1.0> : tensor<1000000000000xf32> return %0 : "
    "tensor<1000000000000xf32> }",
    "func.func @f() -> memref<1000000x1000000xf32> { %0 = memref.alloc() : memref<1000000x1000000xf32> return %0 : "
    "memref<1000000x1000000xf32> }",
    "func.func @f() { %0 = memref.alloca() : memref<9223372036854775807xi64> return }",
    "func.func @f(%a: tensor<99999999999999999999999xf32>) { return }",
    "func.func @f(%a: memref<4xf32, strided<[9223372036854775807], offset: 9223372036854775807>>) { return }",
    "func.func @f(%a: i99999999999999999999) { return }",
    "func.func @f(%a: i0) { return }",
    "func.func @f() -> i32 { %0 = arith.constant 99999999999999999999999999999999 : i32 return %0 : i32 }",
    "func.func @f() -> f32 { %0 = arith.constant 1.0e99999999999 : f32 return %0 : f32 }",
    "func.func @f() -> index { %c0 = arith.constant 0 : index %n = arith.constant 9223372036854775807 : index %c1 = arith.constant "
    "1 : index\n"
    "  scf.for %i = %c0 to %n step %c1 { scf.yield } return %n : index }",
    "func.func @f() { call @f() : () -> () return }",
    "func.func @f() -> tensor<4xf32> { %0 = arith.constant dense<\"0x\"> : tensor<4xf32> return %0 : tensor<4xf32> }",
    "func.func @f() -> tensor<4xf32> { %0 = arith.constant dense<\"0x123\"> : tensor<4xf32> return %0 : tensor<4xf32> }",
    "func.func @f() -> tensor<4xf32> { %0 = arith.constant dense_resource<x> : tensor<4xf32> return %0 : tensor<4xf32> }\n"
    "{-# dialect_resources: { builtin: { x: \"0x04000000\" } } #-}",
    "{-# dialect_resources: { builtin: { x: \"0x04000000",
    "%0:99999999999 = \"a.b\"() : () -> ()",
    "func.func @f(%a: i32) { ^bb0: cf.br ^bb0 }",
    "ML\xEFR\x06MLIR19.1.7",
    "\xff\xfe\x00",
};

static void exploding_aliases(Totals *totals)
{
    char *text = malloc(1 << 16), *p = text;
    p += sprintf(p, "#a0 = [1, 1]\n!t0 = tuple<i32, i32>\n");
    for (int k = 1; k < 60; k++)
        p += sprintf(p, "#a%d = [#a%d, #a%d]\n!t%d = tuple<!t%d, !t%d>\n", k, k - 1, k - 1, k, k - 1, k - 1);
    p += sprintf(p, "module attributes {x = #a59} { func.func private @f(!t59) }\n");
    try_text("exploding aliases", text, (size_t)(p - text), totals);
    free(text);
}

/* A function type that takes and gives the one before: three times as long to write out at each step. */
static void exploding_functions(Totals *totals)
{
    char text[4096], *p = text + sprintf(text, "!f0 = () -> i32\n");
    for (int k = 1; k < 40; k++)
        p += sprintf(p, "!f%d = (!f%d, !f%d) -> !f%d\n", k, k - 1, k - 1, k - 1);
    p += sprintf(p, "func.func private @f(!f39)\n");
    try_text("exploding function types", text, (size_t)(p - text), totals);
}

static void one_line(const char *name, const char *before, const char *piece, const char *after, Totals *totals)
{
    size_t n = 10u << 20, m = strlen(piece);
    char *text = malloc(n + 1000), *p = stpcpy(text, before);
    while ((size_t)(p - text) + m < n)
        p = stpcpy(p, piece);
    p = stpcpy(p, after);
    try_text(name, text, (size_t)(p - text), totals);
    free(text);
}

static void fixed_inputs(Totals *totals)
{
    static const size_t depths[] = {100, 999, 1001, 100000};
    for (size_t k = 0; k < sizeof nests / sizeof *nests; k++)
        for (size_t d = 0; d < 4; d++) {
            size_t n;
            char *text = repeat(&nests[k], depths[d], &n);
            try_text(nests[k].name, text, n, totals);
            free(text);
        }
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        try_text(texts[k], texts[k], k + 1 == sizeof texts / sizeof *texts ? 3 : strlen(texts[k]), totals);
    exploding_aliases(totals);
    exploding_functions(totals);
    one_line("10 MB of blanks", "", "          ", "", totals);
    one_line("10 MB of one name", "func.func @", "aaaaaaaaaaaaaaaa", "", totals);
    one_line("10 MB of ops", "func.func @f(%a: i32) -> i32 { ", "%b = arith.addi %a, %a : i32 ", "return %a : i32 }", totals);
    one_line("10 MB of good ops", "func.func @f(%a: i32) { ", "arith.addi %a, %a : i32 ", "return }", totals);
    one_line("10 MB of numbers", "module attributes {a = [", "1, 2.5, ", "3]} {}", totals);
    one_line("10 MB of errors", "", "@ ", "", totals);
    one_line("10 MB of percent", "", "%", "", totals);
    one_line("10 MB of functions", "", "func.func private @f() ", "", totals);
}

/* ---- random changes ---- */

static const char *const pieces[] = {"<",
                                     ">",
                                     "{",
                                     "}",
                                     "(",
                                     ")",
                                     "[",
                                     "]",
                                     "%0",
                                     "^bb0",
                                     "@f",
                                     "#a",
                                     "!t",
                                     "i32",
                                     "f32",
                                     "index",
                                     "tensor<4x",
                                     "memref<?x",
                                     "->",
                                     "=",
                                     ":",
                                     ",",
                                     "\"",
                                     "loc(",
                                     "dense<",
                                     "-1",
                                     "0x7F",
                                     "9223372036854775808",
                                     "?",
                                     "*",
                                     "linalg.generic",
                                     "scf.for",
                                     "arith.addi",
                                     "affine_map<",
                                     "strided<[",
                                     "\n",
                                     "//",
                                     "return",
                                     "true",
                                     "unit",
                                     "e+",
                                     "::",
                                     "{-#",
                                     "#-}"};

static size_t change(char *text, size_t n, size_t cap, uint64_t *state)
{
    uint64_t kind = next_random(state) % 6, at = n ? next_random(state) % n : 0;
    size_t length = (size_t)(next_random(state) % 40) + 1;
    if (kind == 0 && n) {
        text[at] = (char)(text[at] ^ (1 << next_random(state) % 8));
    } else if (kind == 1 && n) {
        text[at] = (char)next_random(state);
    } else if (kind == 2 && at + length < n) {
        memmove(text + at, text + at + length, n - at - length);
        n -= length;
    } else if (kind == 3) {
        const char *piece = pieces[next_random(state) % (sizeof pieces / sizeof *pieces)];
        size_t m = strlen(piece);
        if (n + m < cap) {
            memmove(text + at + m, text + at, n - at);
            memcpy(text + at, piece, m);
            n += m;
        }
    } else if (kind == 4 && n > length && n + length < cap) { /* a stretch from elsewhere */
        size_t from = (size_t)(next_random(state) % (n - length));
        char copy[64];
        memcpy(copy, text + from, length);
        memmove(text + at + length, text + at, n - at);
        memcpy(text + at, copy, length);
        n += length;
    } else if (kind == 5) {
        n = (size_t)at; /* cut short */
    }
    return n;
}

static void random_changes(const char *file, unsigned long rounds, uint64_t seed, Totals *totals)
{
    char *source;
    size_t n;
    ToolError error;
    if (!tool_read_file(file, SIZE_MAX, &source, &n, &error)) {
        printf("FAIL %s\n", error.text);
        totals->failures++;
        return;
    }
    size_t cap = n + 4096;
    char *text = malloc(cap);
    uint64_t state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (unsigned long k = 0; text && k < rounds; k++) {
        memcpy(text, source, n);
        size_t m = n, changes = (size_t)(next_random(&state) % 4) + 1;
        while (changes--)
            m = change(text, m, cap, &state);
        try_text(file, text, m, totals);
    }
    free(text);
    free(source);
}

static void random_text(unsigned long rounds, Totals *totals)
{
    uint64_t state = 88172645463325252u;
    char text[2048];
    for (unsigned long k = 0; k < rounds; k++) {
        size_t n = 0;
        bool bytes = k % 2;
        while (n < 1500 && next_random(&state) % 100) {
            if (bytes)
                text[n++] = (char)next_random(&state);
            else
                n = (size_t)(stpcpy(text + n, pieces[next_random(&state) % (sizeof pieces / sizeof *pieces)]) - text);
        }
        try_text("random text", text, n, totals);
    }
}

int main(int argc, char **argv)
{
    Totals totals = {0, 0, 0, 0};
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 10;
    fixed_inputs(&totals);
    random_text(rounds * 10, &totals);
    for (int i = 2; i < argc; i++)
        random_changes(argv[i], rounds, (uint64_t)i, &totals);
    printf("%" PRIu64 " inputs: %" PRIu64 " modules, %" PRIu64 " refused\n", totals.runs, totals.modules, totals.refused);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", totals.runs - totals.failures, totals.failures);
    return totals.failures != 0;
}
