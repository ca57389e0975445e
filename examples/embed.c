/* Everything an embedder does, in one program: compile text in memory, load a module from memory and from a file, call functions
 * by name, wrap own memory, provide a host function, set limits, and read what a trap says.  Prints what it found; exits 0 when all
 * was as expected.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkstemp, fdopen */
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bufvm.h>
#include <bufvmc.h>

static const char program[] = "func.func private @report(i64)\n"
                              "func.func @scale(%in: memref<4xf32>, %factor: f32, %out: memref<4xf32>) {\n"
                              "  %c0 = arith.constant 0 : index\n"
                              "  %c1 = arith.constant 1 : index\n"
                              "  %c4 = arith.constant 4 : index\n"
                              "  scf.for %i = %c0 to %c4 step %c1 {\n"
                              "    %x = memref.load %in[%i] : memref<4xf32>\n"
                              "    %y = arith.mulf %x, %factor : f32\n"
                              "    memref.store %y, %out[%i] : memref<4xf32>\n"
                              "  }\n"
                              "  return\n"
                              "}\n"
                              "func.func @pick(%t: tensor<3xi32>, %i: index) -> i32 {\n"
                              "  %x = tensor.extract %t[%i] : tensor<3xi32>\n"
                              "  return %x : i32\n"
                              "}\n"
                              "func.func @tell(%n: i64) {\n"
                              "  func.call @report(%n) : (i64) -> ()\n"
                              "  return\n"
                              "}\n"
                              "func.func @forever() {\n"
                              "  %true = arith.constant true\n"
                              "  scf.while : () -> () {\n"
                              "    scf.condition(%true)\n"
                              "  } do {\n"
                              "    scf.yield\n"
                              "  }\n"
                              "  return\n"
                              "}\n";

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "embed: %s: %s\n", what, why);
    exit(1);
}

static void check(BufvmStatus status, const char *what, const BufvmError *error)
{
    if (status)
        fail(what, error->text);
}

/* A host function: the module sees it as @report. */
static BufvmStatus report(void *user, BufvmContext *context, const BufvmSignature *signature, const BufvmValue *args,
                          BufvmValue *results, BufvmError *error)
{
    (void)context, (void)signature, (void)results, (void)error;
    *(int64_t *)user = (int64_t)args[0].bits;
    printf("host function: %lld\n", (long long)args[0].bits);
    return BUFVM_OK;
}

static uint32_t function(const BufvmModule *module, const char *name)
{
    uint32_t number;
    if (!bufvm_module_find(module, name, &number))
        fail(name, "no such function");
    const BufvmSignature *s = bufvm_module_export(module, number);
    printf("@%s takes", s->name);
    for (uint32_t i = 0; i < s->nargs; i++)
        printf(" %s", s->args[i].written);
    printf("%s\n", s->nargs ? "" : " nothing");
    return number;
}

/* The caller's array as a buffer, without a copy.  Bytes are little-endian on every host. */
static BufvmValue wrap(void *data, BufvmElem elem, int64_t n)
{
    BufvmError error;
    BufvmValue value = {.kind = BUFVM_VIEW, .view = {.elem = elem, .rank = 1}};
    value.view.dims[0] = n;
    check(bufvm_buffer_wrap(NULL, data, (uint64_t)n * bufvm_elem_bytes(elem), false, NULL, NULL, &value.view.buffer, &error),
          "wrap", &error);
    return value;
}

static void put_f32(uint8_t *p, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(bits >> 8 * i);
}

static float get_f32(const uint8_t *p)
{
    uint32_t bits = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void scale(BufvmContext *context, const BufvmModule *module)
{
    uint8_t in[16], out[16] = {0};
    for (int i = 0; i < 4; i++)
        put_f32(in + 4 * i, (float)i + 0.5f);
    BufvmError error;
    BufvmValue args[3] = {
        wrap(in, BUFVM_F32, 4), {.kind = BUFVM_SCALAR, .elem = BUFVM_F32, .bits = 0x40000000}, wrap(out, BUFVM_F32, 4)};
    check(bufvm_call(context, function(module, "scale"), args, 3, NULL, 0, &error), "scale", &error);
    for (int i = 0; i < 4; i++) {
        printf("%g ", (double)get_f32(out + 4 * i));
        if (get_f32(out + 4 * i) != 2 * ((float)i + 0.5f))
            fail("scale", "wrong number");
    }
    printf("\n");
    bufvm_value_release(&args[0]);
    bufvm_value_release(&args[2]);
}

static void expect(BufvmStatus got, BufvmStatus want, const char *what, const BufvmError *error)
{
    if (got != want)
        fail(what, got ? error->text : "succeeded");
    printf("%s: %s: %s\n", what, bufvm_status_name(got), error->text);
}

static void traps_and_limits(BufvmContext *context, const BufvmModule *module)
{
    uint8_t three[12] = {7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0};
    BufvmError error;
    BufvmValue args[2] = {wrap(three, BUFVM_I32, 3), {.kind = BUFVM_SCALAR, .elem = BUFVM_I64, .bits = 2}},
               result = {.kind = BUFVM_NOTHING};
    uint32_t pick = function(module, "pick");
    check(bufvm_call(context, pick, args, 2, &result, 1, &error), "pick", &error);
    if (result.bits != 9)
        fail("pick", "wrong number");
    args[1].bits = 3;
    expect(bufvm_call(context, pick, args, 2, &result, 1, &error), BUFVM_TRAP, "pick past the end", &error);
    printf("  in @%s at line %u\n", error.function, error.line);
    args[1].elem = BUFVM_F32;
    expect(bufvm_call(context, pick, args, 2, &result, 1, &error), BUFVM_INVALID_ARGUMENT, "pick with a float", &error);
    bufvm_value_release(&args[0]);
    expect(bufvm_call(context, function(module, "forever"), NULL, 0, NULL, 0, &error), BUFVM_LIMIT, "forever", &error);
}

static void from_file(const void *data, size_t size)
{
    char path[] = "embed_XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file))
        fail(path, "cannot write");
    BufvmModule *module;
    BufvmError error;
    BufvmStatus status = bufvm_module_load_file(path, NULL, &module, &error);
    remove(path);
    check(status, "load file", &error);
    printf("%u functions from a file, fp %s\n", bufvm_module_exports(module), bufvm_module_attribute(module, "fp"));
    bufvm_module_release(module);
}

int main(void)
{
    BufvmcOutput compiled;
    if (bufvmc_compile(program, strlen(program), NULL, &compiled) != BUFVMC_OK)
        fail("compile", compiled.diagnostics ? compiled.diagnostics : "out of memory");

    BufvmError error;
    BufvmModule *module;
    BufvmContext *context;
    int64_t reported = 0;
    check(bufvm_module_load(compiled.data, compiled.size, NULL, &module, &error), "load", &error);
    BufvmImport imports[] = {{"report", report, &reported}};
    BufvmLimits limits = {.fuel = 1000000, .memory = 64 << 20};
    check(bufvm_context_new(module, &limits, imports, 1, NULL, &context, &error), "context", &error);

    scale(context, module);
    BufvmValue n = {.kind = BUFVM_SCALAR, .elem = BUFVM_I64, .bits = 42};
    check(bufvm_call(context, function(module, "tell"), &n, 1, NULL, 0, &error), "tell", &error);
    if (reported != 42)
        fail("tell", "the host function saw another number");
    traps_and_limits(context, module);
    from_file(compiled.data, compiled.size);

    bufvm_context_free(context);
    bufvm_module_release(module);
    bufvmc_output_free(&compiled);
    return 0;
}
