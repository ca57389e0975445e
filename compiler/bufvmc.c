/* The API entry: one call from text to a module or to the text of a level.
 *
 * It owns the context of the compilation and the guard that an allocation failure jumps
 * to; nothing survives the call but the output, which is memory of the allocator hook.
 */
#include "bufvmc.h"

#include "../vm/bytecode/module.h"
#include "emit/emit.h"
#include "ir/ir.h"
#include "pipeline.h"
#include "reference.h"
#include "syntax/syntax.h"

#include <stdlib.h>

/* What bufvmc_output_free needs; it outlives the options of the call. */
typedef struct Owned {
    VmcReallocFn realloc;
    void *user;
    size_t data_size; /* as allocated: text has a NUL that its size leaves out */
    size_t diagnostics_size;
} Owned;

typedef struct Session {
    Context ctx;
    BufvmcOptions options;
    Owned *owned;
    jmp_buf guard;
    bool bad_options;
} Session;

static const BufvmcOptions default_options;

static BufvmAllocator allocator_of(const Session *s)
{
    return (BufvmAllocator){.realloc = s->options.realloc, .user = s->options.user};
}

/* Memory that the hook handed out past the arenas; it counts towards the limit and the peak. */
static void account(Session *s, size_t bytes)
{
    VmcMemory *m = &s->ctx.memory;
    m->used += bytes;
    if (m->used > m->peak)
        m->peak = m->used;
}

static void *hook_alloc(Session *s, size_t n)
{
    VmcMemory *m = &s->ctx.memory;
    if (m->limit && (n > m->limit || m->used > m->limit - n))
        vmc_out_of_memory(m);
    void *p = s->options.realloc(s->options.user, NULL, 0, n);
    if (!p)
        vmc_out_of_memory(m);
    account(s, n);
    return p;
}

static void give(Session *s, BufvmcOutput *out, void *data, size_t size, size_t allocated)
{
    out->data = data;
    out->size = size;
    s->owned->data_size = allocated;
}

static void drop_data(BufvmcOutput *out, Owned *owned)
{
    if (out->data)
        owned->realloc(owned->user, out->data, owned->data_size, 0);
    out->data = NULL;
    out->size = 0;
}

static void give_text(Session *s, BufvmcOutput *out, const char *text, size_t n)
{
    char *data = hook_alloc(s, n + 1);
    if (n)
        memcpy(data, text, n);
    data[n] = 0;
    give(s, out, data, n, n + 1);
}

static void give_disassembly(Session *s, BufvmcOutput *out)
{
    BufvmAllocator allocator = allocator_of(s);
    BufvmError error = {0};
    char *text = NULL;
    size_t n = 0;
    BufvmStatus status = bvm_disassemble(&allocator, out->data, out->size, &text, &n, &error);
    drop_data(out, s->owned);
    if (status == BUFVM_OUT_OF_MEMORY)
        vmc_out_of_memory(&s->ctx.memory);
    if (status != BUFVM_OK) {
        vmc_error(&s->ctx.diag, (SrcPos){0}, "the module does not disassemble: %s", error.text);
        return;
    }
    give(s, out, text, n, n + 1);
    account(s, n + 1);
}

/* ---- input kinds ----------------------------------------------------------- */

static void compile_assembly(Session *s, BufvmcOutput *out)
{
    if (s->options.emit != BUFVMC_BYTECODE && s->options.emit != BUFVMC_ASM) {
        vmc_error(&s->ctx.diag, (SrcPos){0}, "bytecode assembly can only become bytecode or assembly");
        return;
    }
    BufvmAllocator allocator = allocator_of(s);
    BufvmError error = {0};
    void *data = NULL;
    size_t size = 0;
    BufvmStatus status = bvm_assemble(&allocator, s->ctx.diag.source, s->ctx.diag.source_size, &data, &size, &error);
    if (status == BUFVM_OUT_OF_MEMORY)
        vmc_out_of_memory(&s->ctx.memory);
    if (status != BUFVM_OK) {
        SrcPos pos = {0};
        const char *source = s->ctx.diag.source;
        uint32_t line = 1, col = 1;
        for (size_t i = 0; error.line && i <= s->ctx.diag.source_size && i < UINT32_MAX; i++) {
            if (line == error.line && col >= error.col) {
                pos.offset_plus_1 = (uint32_t)(i + 1);
                break;
            }
            if (i < s->ctx.diag.source_size && source[i] == '\n') {
                if (line == error.line)
                    break;
                line++;
                col = 1;
            } else {
                col++;
            }
        }
        vmc_error(&s->ctx.diag, pos, "%s", error.text);
        return;
    }
    give(s, out, data, size, size);
    account(s, size);
    if (s->options.emit == BUFVMC_ASM)
        give_disassembly(s, out);
}

static void print_level(Session *s, BufvmcOutput *out)
{
    Text text = {.arena = &s->ctx.arena};
    PrintOptions po = {.generic = s->options.generic, .locations = s->options.print_locations, .elide_over = s->options.elide_over};
    vmc_print_op(&s->ctx, s->ctx.module, &po, &text);
    give_text(s, out, text.at, text.n);
}

static void compile_mlir(Session *s, BufvmcOutput *out)
{
    Context *ctx = &s->ctx;
    bool keep = s->options.allow_unregistered || s->options.emit == BUFVMC_PARSE;
    ParseOptions parse = {.elided = s->options.elided, .allow_unregistered = keep};
    if (!vmc_parse_module(ctx, &parse) || ctx->diag.errors)
        return;
    PassContext pc = {.ctx = ctx, .options = &s->options};
    bool done = vmc_run_pipeline(&pc);
    s->bad_options = pc.bad_options;
    if (!done || ctx->diag.errors)
        return;
    if (s->options.emit != BUFVMC_BYTECODE && s->options.emit != BUFVMC_ASM) {
        print_level(s, out);
        return;
    }
    void *data = NULL;
    size_t size = 0;
    if (!vmc_emit_module(&pc, &data, &size) || ctx->diag.errors) {
        if (data)
            s->options.realloc(s->options.user, data, size, 0);
        return;
    }
    give(s, out, data, size, size);
    account(s, size);
    if (s->options.emit == BUFVMC_ASM)
        give_disassembly(s, out);
}

/* ---- the entry -------------------------------------------------------------- */

static bool is_mlir_bytecode(const char *text, size_t n)
{
    return n >= 4 && memcmp(text, "ML\xEFR", 4) == 0;
}

static void set_source(Session *s, const char *text, size_t n)
{
    Diag *diag = &s->ctx.diag;
    diag->file = s->options.file_name ? s->options.file_name : "<stdin>";
    diag->max_errors = s->options.max_errors ? s->options.max_errors : 20;
    diag->source = s->options.text_is_terminated ? text : vmc_arena_dup(&s->ctx.arena, text, n);
    diag->source_size = n;
}

static void compile(Session *s, const char *text, size_t n, BufvmcOutput *out)
{
    vmc_context_init(&s->ctx);
    if (n >= UINT32_MAX) {
        set_source(s, "", 0);
        vmc_error(&s->ctx.diag, (SrcPos){0}, "the input has %zu bytes; at most 4 GiB are possible", n);
        return;
    }
    if (is_mlir_bytecode(text, n)) {
        set_source(s, "", 0);
        vmc_error(&s->ctx.diag, (SrcPos){0}, "this is MLIR bytecode, vmc reads MLIR text: mlir-opt %s -o %s.mlir", s->ctx.diag.file,
                  s->ctx.diag.file);
        return;
    }
    set_source(s, text, n);
    if (s->options.input_is_asm)
        compile_assembly(s, out);
    else
        compile_mlir(s, out);
}

static void give_diagnostics(Session *s, BufvmcOutput *out)
{
    Text text = {.arena = &s->ctx.arena};
    vmc_diag_render(&s->ctx.diag, &text);
    char *copy = hook_alloc(s, text.n + 1);
    if (text.n)
        memcpy(copy, text.at, text.n);
    copy[text.n] = 0;
    out->diagnostics = copy;
    s->owned->diagnostics_size = text.n + 1;
    out->errors = s->ctx.diag.errors;
    out->warnings = s->ctx.diag.warnings;
}

/* All that may jump to the guard. */
static __attribute__((noinline)) BufvmcStatus run_guarded(Session *s, const char *text, size_t n, BufvmcOutput *out)
{
    if (setjmp(s->guard))
        return BUFVMC_OUT_OF_MEMORY;
    compile(s, text, n, out);
    give_diagnostics(s, out);
    if (s->bad_options)
        return BUFVMC_INVALID_ARGUMENT;
    return s->ctx.diag.errors || !out->data ? BUFVMC_ERRORS : BUFVMC_OK;
}

BufvmcStatus bufvmc_compile(const char *text, size_t n, const BufvmcOptions *options, BufvmcOutput *out)
{
    if (!out)
        return BUFVMC_INVALID_ARGUMENT;
    *out = (BufvmcOutput){0};
    if (!text && n)
        return BUFVMC_INVALID_ARGUMENT;
    const BufvmcOptions *const given = options ? options : &default_options;
    const VmcReallocFn hook = given->realloc ? given->realloc : vmc_plain_realloc;
    Session *s = hook(given->user, NULL, 0, sizeof *s);
    if (!s)
        return BUFVMC_OUT_OF_MEMORY;
    memset(s, 0, sizeof *s);
    Owned *owned = hook(given->user, NULL, 0, sizeof *owned);
    if (!owned) {
        hook(given->user, s, sizeof *s, 0);
        return BUFVMC_OUT_OF_MEMORY;
    }
    *owned = (Owned){.realloc = hook, .user = given->user};
    out->internal = owned;
    s->options = *given;
    s->options.realloc = hook;
    s->owned = owned;
    s->ctx.memory = (VmcMemory){.realloc = hook, .user = given->user, .limit = given->max_memory, .guard = &s->guard};
    account(s, sizeof *s + sizeof *owned);

    BufvmcStatus status = run_guarded(s, text ? text : "", n, out);
    if (status != BUFVMC_OK)
        drop_data(out, owned);
    out->memory_peak = s->ctx.memory.peak;
    vmc_context_free(&s->ctx);
    hook(given->user, s, sizeof *s, 0);
    return status;
}

void bufvmc_output_free(BufvmcOutput *out)
{
    if (!out || !out->internal)
        return;
    Owned *owned = out->internal;
    drop_data(out, owned);
    if (out->diagnostics)
        owned->realloc(owned->user, out->diagnostics, owned->diagnostics_size, 0);
    owned->realloc(owned->user, owned, sizeof *owned, 0);
    *out = (BufvmcOutput){0};
}

const char *bufvmc_table(const char *name, BufvmcOutput *storage)
{
    Session *s = calloc(1, sizeof *s);
    Owned *owned = calloc(1, sizeof *owned);
    *storage = (BufvmcOutput){0};
    if (!s || !owned) {
        free(s);
        free(owned);
        return NULL;
    }
    *owned = (Owned){.realloc = vmc_plain_realloc};
    storage->internal = owned;
    s->options.realloc = vmc_plain_realloc;
    s->owned = owned;
    s->ctx.memory = (VmcMemory){.realloc = vmc_plain_realloc, .guard = &s->guard};
    if (setjmp(s->guard) == 0) {
        vmc_arena_init(&s->ctx.arena, &s->ctx.memory);
        Text text = {.arena = &s->ctx.arena};
        if (strcmp(name, "ops") == 0)
            vmc_op_reference(&text);
        else if (strcmp(name, "passes") == 0)
            vmc_pass_table(&text);
        if (text.n)
            give_text(s, storage, text.at, text.n);
    }
    vmc_arena_free(&s->ctx.arena);
    free(s);
    return storage->data;
}
