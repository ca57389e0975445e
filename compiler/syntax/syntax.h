/* Text to IR and back. */
#ifndef VMC_SYNTAX_H
#define VMC_SYNTAX_H

#include "../ir/ir.h"

typedef struct ParseOptions {
    const char *elided; /* NULL: dense_resource<__elided__> is an error; "zero", "random", "random:SEED" */
    bool allow_unregistered; /* ops of unknown dialects in custom form are kept as text (kept_op.c); an error otherwise */
} ParseOptions;

/* Parses ctx->diag.source (NUL-terminated, source_size bytes without it; embedded NULs are errors).
   On success ctx->module is set; several errors may have been collected otherwise. */
bool vmc_parse_module(Context *ctx, const ParseOptions *options);

typedef struct PrintOptions {
    bool generic;     /* "op"(...) form for every op */
    bool locations;   /* print loc(...) */
    uint64_t elide_over; /* constants of more elements than this print as dense_resource<__elided__>; 0 = never */
    /* elided constants are numbered from 0 and handed over (for -g); may be NULL */
    void (*on_elided)(void *user, const Attr *attr);
    void *user;
} PrintOptions;
void vmc_print_op(Context *ctx, const Op *op, const PrintOptions *options, Text *out);

#endif
