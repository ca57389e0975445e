/* Diagnostics: located messages, collected, never printed or fatal here.
 *
 * An error is reported once, where it is found; code that meets the product of an
 * earlier error says nothing (no cascade).  Each error may have notes.  After
 * `max_errors` (default 20) further ones are counted only.
 */
#ifndef VMC_DIAG_H
#define VMC_DIAG_H

#include "support.h"

typedef struct SrcPos { /* byte offset + 1 into the main input; 0 = unknown */
    uint32_t offset_plus_1;
} SrcPos;

typedef enum Severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE, SEVERITY_REMARK } Severity;

typedef struct Diagnostic {
    Severity severity;
    SrcPos pos;
    const char *text;        /* no newline at the end */
    struct Diagnostic *next; /* notes follow the message they belong to */
} Diagnostic;

typedef struct Diag {
    Arena *arena;
    const char *file; /* as the user named it; "<stdin>" */
    const char *source;
    size_t source_size;
    Diagnostic *first, *last;
    uint32_t errors, warnings, max_errors;
    uint32_t *line_starts; /* made on first use */
    uint32_t lines;
} Diag;

void vmc_error(Diag *diag, SrcPos pos, const char *format, ...) __attribute__((format(printf, 3, 4)));
void vmc_warning(Diag *diag, SrcPos pos, const char *format, ...) __attribute__((format(printf, 3, 4)));
void vmc_note(Diag *diag, SrcPos pos, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* 1-based; false when the position is unknown.  Columns count bytes. */
bool vmc_line_col(Diag *diag, SrcPos pos, uint32_t *line, uint32_t *col);
/* "file:line:col: error: text\n" + source line + caret line, for every diagnostic.  Long source lines are cut to a window round the caret. */
void vmc_diag_render(Diag *diag, Text *out);

#endif
