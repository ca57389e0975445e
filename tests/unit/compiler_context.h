/* A compiler context for a unit test: made by context_new, freed by context_free. */
#ifndef TEST_COMPILER_CONTEXT_H
#define TEST_COMPILER_CONTEXT_H

#include "../../compiler/dialects/dialect.h"
#include "../../compiler/syntax/syntax.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static void *context_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user, (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

static jmp_buf context_guard;

static __attribute__((unused)) Context *context_new(const char *source)
{
    Context *ctx = calloc(1, sizeof *ctx);
    ck_assert_ptr_nonnull(ctx);
    ctx->memory.realloc = context_realloc;
    ctx->memory.guard = &context_guard;
    if (setjmp(context_guard))
        ck_abort_msg("out of memory");
    vmc_context_init(ctx);
    ctx->diag.file = "test.mlir";
    ctx->diag.source = source;
    ctx->diag.source_size = strlen(source);
    ctx->diag.max_errors = 20;
    return ctx;
}

static __attribute__((unused)) void context_free(Context *ctx)
{
    vmc_context_free(ctx);
    free(ctx);
}

static __attribute__((unused)) const char *context_messages(Context *ctx)
{
    Text text = {.arena = &ctx->arena};
    vmc_diag_render(&ctx->diag, &text);
    return text.at ? text.at : "";
}

/* Parses and verifies; fails the test with the messages otherwise. */
static __attribute__((unused)) Context *context_parse(const char *source)
{
    Context *ctx = context_new(source);
    const ParseOptions options = {0};
    if (!vmc_parse_module(ctx, &options) || !vmc_verify(ctx, ctx->module))
        ck_abort_msg("%s", context_messages(ctx));
    return ctx;
}

static __attribute__((unused)) const char *context_print(Context *ctx, bool generic)
{
    Text text = {.arena = &ctx->arena};
    const PrintOptions options = {.generic = generic};
    vmc_print_op(ctx, ctx->module, &options, &text);
    return text.at;
}

/* One error, at that line, whose text has `message` in it. */
static __attribute__((unused)) void context_refuses(const char *source, const char *message, int line)
{
    char place[32];
    Context *ctx = context_new(source);
    const ParseOptions options = {0};
    snprintf(place, sizeof place, "test.mlir:%d:", line);
    ck_assert_msg(!vmc_parse_module(ctx, &options) || !vmc_verify(ctx, ctx->module), "accepted: %s", source);
    const char *messages = context_messages(ctx);
    ck_assert_msg(strstr(messages, message) != NULL, "no `%s` in\n%s", message, messages);
    ck_assert_msg(strstr(messages, place) != NULL, "not at its line:\n%s", messages);
    ck_assert_uint_eq(ctx->diag.errors, 1);
    context_free(ctx);
}

/* Prints in both forms, each of which reads back to the same; `custom` (or NULL) stands in the custom form. */
static __attribute__((unused)) void context_reads_back(const char *source, const char *custom)
{
    for (int generic = 0; generic < 2; generic++) {
        Context *first = context_parse(source);
        char *once = strdup(context_print(first, generic));
        ck_assert_msg(generic || !custom || strstr(once, custom) != NULL, "no `%s` in\n%s", custom, once);
        Context *second = context_parse(once);
        ck_assert_str_eq(once, context_print(second, generic));
        context_free(first);
        context_free(second);
        free(once);
    }
}

#endif
