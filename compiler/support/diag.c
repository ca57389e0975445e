/* Collecting and rendering diagnostics. */
#include "diag.h"

#include <stdio.h>

#define WINDOW 110u /* columns of a source line that are shown */

static void add(Diag *diag, Severity severity, SrcPos pos, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    size_t size = n < 0 ? 0 : (size_t)n;
    char *text = vmc_arena_alloc(diag->arena, size + 1);
    text[0] = 0;
    if (n > 0)
        vsnprintf(text, size + 1, format, again);
    va_end(again);
    Diagnostic *d = ARENA_NEW(diag->arena, Diagnostic);
    d->severity = severity;
    d->pos = pos;
    d->text = text;
    if (diag->last)
        diag->last->next = d;
    else
        diag->first = d;
    diag->last = d;
}

static bool within_limit(const Diag *diag, uint32_t count)
{
    return count <= (diag->max_errors ? diag->max_errors : 20);
}

void vmc_error(Diag *diag, SrcPos pos, const char *format, ...)
{
    if (diag->errors < UINT32_MAX)
        diag->errors++;
    if (!within_limit(diag, diag->errors))
        return;
    va_list args;
    va_start(args, format);
    add(diag, SEVERITY_ERROR, pos, format, args);
    va_end(args);
}

void vmc_warning(Diag *diag, SrcPos pos, const char *format, ...)
{
    if (diag->warnings < UINT32_MAX)
        diag->warnings++;
    if (!within_limit(diag, diag->warnings) || !within_limit(diag, diag->errors))
        return;
    va_list args;
    va_start(args, format);
    add(diag, SEVERITY_WARNING, pos, format, args);
    va_end(args);
}

void vmc_note(Diag *diag, SrcPos pos, const char *format, ...)
{
    if (!within_limit(diag, diag->errors))
        return; /* belongs to a message that was only counted */
    va_list args;
    va_start(args, format);
    add(diag, SEVERITY_NOTE, pos, format, args);
    va_end(args);
}

static void find_lines(Diag *diag)
{
    const char *end = diag->source + diag->source_size;
    uint32_t n = 1;
    for (const char *p = diag->source; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
        n++;
    diag->line_starts = ARENA_ARRAY(diag->arena, uint32_t, n);
    uint32_t i = 1;
    for (const char *p = diag->source; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
        diag->line_starts[i++] = (uint32_t)(p + 1 - diag->source);
    diag->lines = n;
}

bool vmc_line_col(Diag *diag, SrcPos pos, uint32_t *line, uint32_t *col)
{
    if (!pos.offset_plus_1 || !diag->source || pos.offset_plus_1 - 1 > diag->source_size)
        return false;
    if (!diag->line_starts)
        find_lines(diag);
    uint32_t offset = pos.offset_plus_1 - 1, low = 0, high = diag->lines;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (diag->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    *line = low + 1;
    *col = offset - diag->line_starts[low] + 1;
    return true;
}

static void render_source(Diag *diag, uint32_t line, uint32_t col, Text *out)
{
    const char *start = diag->source + diag->line_starts[line - 1];
    const char *limit = diag->source + diag->source_size;
    const char *caret = start + (col - 1);
    /* never look further than the window, however long the line is */
    const char *from = (size_t)(caret - start) > WINDOW / 2 ? caret - WINDOW / 2 : start;
    const char *to = (size_t)(limit - from) > WINDOW ? from + WINDOW : limit;
    const char *newline = memchr(from, '\n', (size_t)(to - from));
    bool cut = !newline && to < limit && *to != '\n';
    if (newline)
        to = newline;
    while (from > start && from < caret && ((unsigned char)*from & 0xC0) == 0x80)
        from++; /* not inside a UTF-8 sequence */
    const char *lead = from > start ? "..." : "";
    vmc_text_fmt(out, "  %s", lead);
    for (const char *p = from; p < to; p++)
        vmc_text_char(out, (unsigned char)*p < ' ' && *p != '\t' ? ' ' : *p);
    vmc_text_str(out, cut ? "...\n" : "\n");
    vmc_text_fmt(out, "  %*s", (int)strlen(lead), "");
    for (const char *p = from; p < caret; p++)
        if (((unsigned char)*p & 0xC0) != 0x80)
            vmc_text_char(out, *p == '\t' ? '\t' : ' ');
    vmc_text_str(out, "^\n");
}

void vmc_diag_render(Diag *diag, Text *out)
{
    static const char *const names[] = {"error", "warning", "note", "remark"};
    vmc_text_add(out, "", 0);
    for (const Diagnostic *d = diag->first; d; d = d->next) {
        uint32_t line, col;
        const char *file = diag->file ? diag->file : "<stdin>";
        if (vmc_line_col(diag, d->pos, &line, &col)) {
            vmc_text_fmt(out, "%s:%u:%u: %s: ", file, line, col, names[d->severity]);
            vmc_text_str(out, d->text);
            vmc_text_char(out, '\n');
            render_source(diag, line, col, out);
        } else {
            vmc_text_fmt(out, "%s: %s: ", file, names[d->severity]);
            vmc_text_str(out, d->text);
            vmc_text_char(out, '\n');
        }
    }
    uint32_t shown = diag->max_errors ? diag->max_errors : 20;
    if (diag->errors > shown)
        vmc_text_fmt(out, "%s: note: %u further errors are not shown\n", diag->file ? diag->file : "<stdin>", diag->errors - shown);
}
