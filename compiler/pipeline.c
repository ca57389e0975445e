/* The pipeline: which passes run, in which order, and what is checked between them.
 *
 * The list below is the order.  A pass belongs to the level that it works towards; a
 * module says in attributes how far it has come and under which options, so that the
 * text of any level reads back and goes on from there to the same code.
 */
#include "pipeline.h"
#include "passes/passes.h"
#include "syntax/syntax.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef enum Level { LEVEL_INPUT, LEVEL_CORE, LEVEL_BUFFERS, LEVEL_SCHEDULE, LEVEL_BYTECODE } Level;

enum {
    ALWAYS = 0,
    NOT_IN_DEBUG = 1 << 0,  /* merges, moves or drops named values: -g keeps every one */
    ONLY_CONTRACT = 1 << 1, /* --fp=contract */
};

typedef struct PassDef {
    const char *name;
    PassFn run;
    Level level;
    int min_opt; /* lowest -O that runs it */
    int flags;
    const char *doc;
} PassDef;

static const PassDef passes[] = {
    {"lower-vectors", vmc_pass_lower_vectors, LEVEL_CORE, 0, ALWAYS, "vectors become tensors, their ops loops and structured ops"},
    {"contract", vmc_pass_contract, LEVEL_CORE, 0, ONLY_CONTRACT, "mulf and addf of one block become math.fma (--fp=contract)"},
    {"lower-input", vmc_pass_lower_input, LEVEL_CORE, 0, ALWAYS, "check, util, print helpers and older spellings become core ops"},
    {"canonicalize", vmc_pass_canonicalize, LEVEL_CORE, 2, NOT_IN_DEBUG, "folds, simplifies control flow, removes dead code"},
    {"generalize", vmc_pass_generalize, LEVEL_CORE, 0, ALWAYS, "named linalg ops and compound tensor ops become generic ones"},
    {"lower-affine", vmc_pass_lower_affine, LEVEL_CORE, 0, ALWAYS, "affine ops become scf and arith"},
    {"expand-complex", vmc_pass_expand_complex, LEVEL_CORE, 0, ALWAYS,
     "complex products and functions are computed on their parts"},
    {"canonicalize", vmc_pass_canonicalize, LEVEL_CORE, 2, NOT_IN_DEBUG, NULL},
    {"cse", vmc_pass_cse, LEVEL_CORE, 2, NOT_IN_DEBUG, "equal pure ops are computed once"},
    {"hoist-invariants", vmc_pass_hoist_invariants, LEVEL_CORE, 2, NOT_IN_DEBUG,
     "what does not change in a loop moves in front of it"},
    {"widen-operands", vmc_pass_widen_operands, LEVEL_CORE, 2, NOT_IN_DEBUG,
     "integers narrower than a byte become bytes in front of products and sums"},
    {"split-zero-points", vmc_pass_split_zero_points, LEVEL_CORE, 2, NOT_IN_DEBUG,
     "products of integers with zero points become plain products and sums"},
    {"fold-layouts", vmc_pass_fold_layouts, LEVEL_CORE, 2, NOT_IN_DEBUG, "permutations and reshapes of constants are done at once"},
    {"fuse-generics", vmc_pass_fuse_generics, LEVEL_CORE, 2, NOT_IN_DEBUG, "structured ops are computed inside their consumers"},
    {"bufferize", vmc_pass_bufferize, LEVEL_BUFFERS, 0, ALWAYS, "tensors become memrefs, in place where no one sees it"},
    {"canonicalize", vmc_pass_canonicalize, LEVEL_BUFFERS, 2, NOT_IN_DEBUG, NULL},
    {"cse", vmc_pass_cse, LEVEL_BUFFERS, 2, NOT_IN_DEBUG, NULL},
    {"raise-loops", vmc_pass_raise_loops, LEVEL_SCHEDULE, 2, NOT_IN_DEBUG,
     "loop nests over memrefs that have the form of structured ops become generics"},
    {"block-rows", vmc_pass_block_rows, LEVEL_SCHEDULE, 2, NOT_IN_DEBUG,
     "chains of structured ops run block of rows by block of rows"},
    {"plan-memory", vmc_pass_plan_memory, LEVEL_SCHEDULE, 2, NOT_IN_DEBUG, "temporaries of disjoint lifetimes share memory"},
    {"match-kernels", vmc_pass_match_kernels, LEVEL_SCHEDULE, 0, ALWAYS, "structured ops that a kernel computes are marked"},
    {"match-strips", vmc_pass_match_strips, LEVEL_SCHEDULE, 2, ALWAYS, "structured ops that run as tile code are marked"},
    {"linalg-to-loops", vmc_pass_linalg_to_loops, LEVEL_SCHEDULE, 0, ALWAYS, "what is left of linalg becomes loops"},
    {"local-memory", vmc_pass_local_memory, LEVEL_SCHEDULE, 0, ALWAYS, "small static allocations move to workgroup local memory"},
};
enum { NUM_PASSES = sizeof(passes) / sizeof(passes[0]) };

static const char *const level_names[] = {"input", "core", "buffers", "schedule", "bytecode"};
static const char *const fp_names[] = {"strict", "contract", "fast"};

void vmc_pass_table(Text *out)
{
    for (size_t i = 0; i < NUM_PASSES; i++)
        if (passes[i].doc)
            vmc_text_fmt(out, "%-16s %-9s -O%d  %s\n", passes[i].name, level_names[passes[i].level], passes[i].min_opt,
                         passes[i].doc);
}

/* ---- names in comma-separated lists ------------------------------------- */

static bool listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = list; p && *p;) {
        size_t len = strcspn(p, ",");
        if (len == n && memcmp(p, name, n) == 0)
            return true;
        p += len;
        p += *p == ',';
    }
    return false;
}

static const PassDef *find_pass(const char *name, size_t n)
{
    for (size_t i = 0; i < NUM_PASSES; i++)
        if (strlen(passes[i].name) == n && memcmp(passes[i].name, name, n) == 0)
            return &passes[i];
    return NULL;
}

static bool check_list(PassContext *pc, const char *option, const char *list, bool all_allowed)
{
    bool ok = true;
    for (const char *p = list; p && *p;) {
        size_t len = strcspn(p, ",");
        if (!find_pass(p, len) && !(all_allowed && len == 3 && memcmp(p, "all", 3) == 0)) {
            vmc_error(&pc->ctx->diag, (SrcPos){0}, "%s names no pass: '%.*s'", option, (int)(len > 100 ? 100 : len), p);
            ok = false;
        }
        p += len;
        p += *p == ',';
    }
    return ok;
}

/* ---- what a module says of itself --------------------------------------- */

static bool read_level(PassContext *pc, Level *level)
{
    const Attr *a = vmc_get_attr(pc->ctx->module, "bufvm.level");
    *level = LEVEL_INPUT;
    if (!a)
        return true;
    for (int i = LEVEL_INPUT; a->kind == ATTR_STRING && i < LEVEL_BYTECODE; i++) {
        if (strcmp(a->s, level_names[i]) == 0) {
            *level = (Level)i;
            return true;
        }
    }
    vmc_error(&pc->ctx->diag, pc->ctx->module->pos,
              "attribute bufvm.level must be one of \"input\", \"core\", \"buffers\", \"schedule\"");
    return false;
}

static bool read_fp(PassContext *pc)
{
    const Attr *a = vmc_get_attr(pc->ctx->module, "bufvm.fp");
    if (!a || pc->options->fp_given)
        return true;
    for (int i = 0; a->kind == ATTR_STRING && i < 3; i++) {
        if (strcmp(a->s, fp_names[i]) == 0) {
            pc->fp = (BufvmcFp)i;
            return true;
        }
    }
    vmc_error(&pc->ctx->diag, pc->ctx->module->pos, "attribute bufvm.fp must be one of \"strict\", \"contract\", \"fast\"");
    return false;
}

/* bufvm.options = {debug, disable = "a,b", local_budget = n : i64, optimize = 0 : i64, row_major_matrices}: only what differs from
 * the defaults. */
static bool read_options(PassContext *pc, BufvmcOptions *merged)
{
    const Attr *a = vmc_get_attr(pc->ctx->module, "bufvm.options");
    if (!a)
        return true;
    bool ok = a->kind == ATTR_DICT;
    for (size_t i = 0; ok && i < a->n; i++) {
        const char *name = a->names[i];
        const Attr *v = a->elems[i];
        if (strcmp(name, "debug") == 0)
            merged->debug = true;
        else if (strcmp(name, "disable") == 0 && v->kind == ATTR_STRING)
            merged->disable_passes = merged->disable_passes ? merged->disable_passes : v->s;
        else if (strcmp(name, "local_budget") == 0 && v->kind == ATTR_INT && v->i >= 0)
            merged->local_budget = merged->local_budget ? merged->local_budget : (uint64_t)v->i;
        else if (strcmp(name, "row_major_matrices") == 0)
            merged->row_major_matrices = true;
        else if (strcmp(name, "optimize") == 0 && v->kind == ATTR_INT && (v->i == 0 || v->i == 2))
            merged->optimize = merged->optimize ? merged->optimize : (v->i == 0 ? 1 : 3);
        else
            ok = false;
    }
    if (!ok)
        vmc_error(&pc->ctx->diag, pc->ctx->module->pos,
                  "attribute bufvm.options is a dictionary of debug, disable, local_budget, optimize and row_major_matrices");
    return ok;
}

static void write_attributes(PassContext *pc, Level level)
{
    Context *ctx = pc->ctx;
    Op *module = ctx->module;
    const BufvmcOptions *o = pc->options;
    if (level != LEVEL_INPUT)
        vmc_set_attr(ctx, module, "bufvm.level", vmc_attr_string(ctx, level_names[level], strlen(level_names[level])));
    if (level != LEVEL_INPUT || pc->fp != BUFVMC_STRICT)
        vmc_set_attr(ctx, module, "bufvm.fp", vmc_attr_string(ctx, fp_names[pc->fp], strlen(fp_names[pc->fp])));
    NamedAttr entries[5];
    size_t n = 0;
    if (o->debug)
        entries[n++] = (NamedAttr){vmc_name(ctx, "debug"), vmc_attr_unit(ctx)};
    if (o->disable_passes && o->disable_passes[0])
        entries[n++] = (NamedAttr){vmc_name(ctx, "disable"), vmc_attr_string(ctx, o->disable_passes, strlen(o->disable_passes))};
    if (o->local_budget)
        entries[n++] = (NamedAttr){vmc_name(ctx, "local_budget"), vmc_attr_i64(ctx, (int64_t)o->local_budget)};
    if (pc->level == 0)
        entries[n++] = (NamedAttr){vmc_name(ctx, "optimize"), vmc_attr_i64(ctx, 0)};
    if (o->row_major_matrices)
        entries[n++] = (NamedAttr){vmc_name(ctx, "row_major_matrices"), vmc_attr_unit(ctx)};
    vmc_set_attr(ctx, module, "bufvm.options", n ? vmc_attr_dict(ctx, n, entries) : NULL);
}

/* ---- running ------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void dump(PassContext *pc, const PassDef *pass)
{
    const BufvmcOptions *o = pc->options;
    if (!o->dump_after || !o->on_dump || !(listed(o->dump_after, pass->name) || listed(o->dump_after, "all")))
        return;
    Text text = {.arena = &pc->ctx->arena};
    PrintOptions po = {.generic = o->generic, .locations = o->print_locations, .elide_over = o->elide_over};
    vmc_print_op(pc->ctx, pc->ctx->module, &po, &text);
    o->on_dump(o->user, pass->name, text.at ? text.at : "", text.n);
}

static bool verified(PassContext *pc, const char *after)
{
    if (vmc_verify(pc->ctx, pc->ctx->module))
        return true;
    if (after)
        vmc_note(&pc->ctx->diag, (SrcPos){0}, "found after the pass %s, which should not have made this", after);
    return false;
}

static bool run_pass(PassContext *pc, const PassDef *pass)
{
    double start = now();
    if (!pass->run(pc) || pc->ctx->diag.errors)
        return false;
    double seconds = now() - start;
    if (pc->options->on_time)
        pc->options->on_time(pc->options->user, pass->name, seconds);
    dump(pc, pass);
    return verified(pc, pass->name);
}

static bool no_tensor_type(Op *op, void *user)
{
    PassContext *pc = user;
    for (uint32_t i = 0; i < op->nresults; i++) {
        if (vmc_is_tensor(op->results[i].type)) {
            vmc_error(&pc->ctx->diag, op->pos, "'%s' still has a tensor result behind bufferize", op->name);
            return true;
        }
    }
    for (uint32_t i = 0; i < op->noperands; i++) {
        if (vmc_is_tensor(op->operands[i].value->type)) {
            vmc_error(&pc->ctx->diag, op->pos, "'%s' still has a tensor operand behind bufferize", op->name);
            return true;
        }
    }
    return true;
}

/* What a level promises beyond the rows of the ops. */
static bool check_level(PassContext *pc, Level level)
{
    if (level == LEVEL_BUFFERS)
        vmc_walk(pc->ctx->module, no_tensor_type, pc);
    return pc->ctx->diag.errors == 0;
}

static bool wanted(const PassContext *pc, const PassDef *pass)
{
    if (pc->level < pass->min_opt || listed(pc->options->disable_passes, pass->name))
        return false;
    if ((pass->flags & NOT_IN_DEBUG) && pc->options->debug)
        return false;
    return !(pass->flags & ONLY_CONTRACT) || pc->fp == BUFVMC_CONTRACT;
}

static bool run_listed(PassContext *pc)
{
    for (const char *p = pc->options->passes; *p;) {
        size_t len = strcspn(p, ",");
        if (!run_pass(pc, find_pass(p, len)))
            return false;
        p += len;
        p += *p == ',';
    }
    return true;
}

static Level target_level(BufvmcEmit emit)
{
    switch (emit) {
    case BUFVMC_PARSE:
        return LEVEL_INPUT;
    case BUFVMC_CORE:
        return LEVEL_CORE;
    case BUFVMC_BUFFERS:
        return LEVEL_BUFFERS;
    case BUFVMC_BYTECODE:
    case BUFVMC_ASM:
    case BUFVMC_SCHEDULE:
        break;
    }
    return LEVEL_SCHEDULE;
}

static bool run_levels(PassContext *pc, Level from, Level to)
{
    size_t i = 0;
    for (Level level = (Level)(from + 1); level <= to; level = (Level)(level + 1)) {
        for (i = 0; i < NUM_PASSES; i++)
            if (passes[i].level == level && wanted(pc, &passes[i]) && !run_pass(pc, &passes[i]))
                return false;
        if (!check_level(pc, level))
            return false;
    }
    return true;
}

static void keep_constant(void *user, const Attr *attr)
{
    PassContext *pc = user;
    VEC_PUSH(&pc->ctx->arena, &pc->input_constants, attr);
}

/* What -g puts into the module file is the input, so it is printed before anything changes it. */
static void keep_input(PassContext *pc)
{
    PrintOptions options = {.elide_over = 64, .on_elided = keep_constant, .user = pc};
    pc->input_text.arena = &pc->ctx->arena;
    vmc_print_op(pc->ctx, pc->ctx->module, &options, &pc->input_text);
}

/* Marks what --sanitize holds the program itself to: its own allocations, copies and assumptions, its parallel loops.  Later ones
   are the compiler's. */
static bool mark_own(Op *op, void *user)
{
    static const char *const owned[] = {"memref.alloc",      "memref.realloc",           "memref.copy", "memref.assume_alignment",
                                        "memref.atomic_rmw", "memref.generic_atomic_rmw"};
    static const char *const parallel[] = {"scf.parallel", "scf.forall", "affine.parallel"};
    Context *ctx = user;
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        if (vmc_is(op, owned[i]))
            vmc_set_attr(ctx, op, "bufvm.owned", vmc_attr_unit(ctx));
    for (size_t i = 0; i < sizeof parallel / sizeof *parallel; i++)
        if (vmc_is(op, parallel[i]))
            vmc_set_attr(ctx, op, "bufvm.parallel", vmc_attr_unit(ctx));
    return true;
}

/* In the body of a module values may be used before they are made, in circles even: no pass is ready for that. */
static bool only_symbols(PassContext *pc, const Op *module)
{
    bool ok = true;
    for (const Op *op = module->regions[0].first ? module->regions[0].first->first : NULL; op; op = op->next) {
        if (op->nresults || op->noperands) {
            vmc_error(&pc->ctx->diag, op->pos, "cannot lower '%s': it has no meaning at the top of a module", op->name);
            ok = false;
        }
        if (vmc_is(op, "builtin.module"))
            ok = only_symbols(pc, op) && ok;
    }
    return ok;
}

bool vmc_run_pipeline(PassContext *pc)
{
    BufvmcOptions *merged = ARENA_NEW(&pc->ctx->arena, BufvmcOptions);
    *merged = *pc->options;
    pc->fp = pc->options->fp;
    Level from;
    if (!read_level(pc, &from) || !read_fp(pc) || !read_options(pc, merged))
        return false;
    pc->options = merged;
    pc->level = merged->optimize == 1 ? 0 : 2;
    bool names_ok = check_list(pc, "--passes", merged->passes, false);
    names_ok = check_list(pc, "--disable-pass", merged->disable_passes, false) && names_ok;
    names_ok = check_list(pc, "--dump-after", merged->dump_after, true) && names_ok;
    pc->bad_options = !names_ok;
    if (!names_ok || !verified(pc, NULL))
        return false;
    Level to = target_level(merged->emit);
    if ((to > LEVEL_INPUT || merged->passes) && !only_symbols(pc, pc->ctx->module))
        return false;
    if (merged->debug)
        keep_input(pc);
    if (merged->debug && from == LEVEL_INPUT && to != LEVEL_INPUT && !merged->passes)
        vmc_walk(pc->ctx->module, mark_own, pc->ctx);
    if (merged->passes) {
        if (!run_listed(pc))
            return false;
        write_attributes(pc, from);
        return true;
    }
    if (!run_levels(pc, from, to))
        return false;
    write_attributes(pc, from > to ? from : to);
    return true;
}
