/* Runs whole-program tests: .mlir files that carry their calls and expected results in comments.
 *
 *   // call: @f ARG...      an exported function and its arguments
 *   // want: RESULT...      its results in order; or `error`: vmc or the VM must refuse
 *   // check: TEXT          without a call: what the compiler's messages must contain (with `want: error`)
 *   // report: L:C KIND     behind a want line: what --sanitize must report of the call, each report a line of its own
 *   // options: FLAG...     --fp=contract, -g, --sanitize, --elided=zero, ... for this file
 *
 * A value is `4xf32=[1 2 3 4]`, `2x2xi8=[[1 2][3 4]]`, `i32=5`; blanks outside brackets separate values.  `nan` matches
 * any NaN, everything else is exact to the bit.  Flags choose the configuration:
 *
 *   caserun [-O0] [--fp=F] [-g] [--sanitize[=race]] [--disable-pass=P] [--threads=N] [--cpu=V] [--switch] [--asm] [--print-hash]
 *           FILE...
 *
 * --sanitize    compiles with -g and watches; a report that no line asks for is a failure
 * --asm      disassembles and assembles the module and demands the same bytes
 * --print-hash  prints a hash of all result bytes, for comparison between machines
 */
#include "casefile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Options {
    BufvmcOptions compile;
    BufvmLimits limits;
    bool assembly, print_hash, quiet;
} Options;

typedef struct Tally {
    uint32_t passed, failed;
    uint64_t hash;
} Tally;

static void fail(Tally *tally, const char *file, const char *call, const char *format, const char *detail)
{
    tally->failed++;
    printf("FAIL %s: %s: ", file, call);
    printf(format, detail);
    putchar('\n');
}

static void hash_value(Tally *tally, const ToolValue *value)
{
    const uint8_t *p = (const uint8_t *)&value->value.bits;
    size_t n = sizeof value->value.bits;
    uint8_t scalar[8];
    if (value->value.kind == BUFVM_VIEW) {
        p = bufvm_buffer_data(value->value.view.buffer) + value->value.view.offset;
        n = (size_t)tool_view_count(&value->value.view) * bufvm_elem_bytes(value->format.elem);
    } else {
        for (unsigned k = 0; k < 8; k++)
            scalar[k] = (uint8_t)(value->value.bits >> 8 * k);
        p = scalar;
    }
    for (size_t k = 0; k < n; k++)
        tally->hash = (tally->hash ^ p[k]) * UINT64_C(1099511628211);
}

/* ---- one call ---- */

enum { MAX_REPORTS = 32 };

typedef struct Running {
    const char *file;
    BufvmModule *module;
    BufvmContext *context;
    Tally *tally;
    BufvmLimits limits;
    const BufvmImport *imports;
    size_t nimports;
    char *reports[MAX_REPORTS]; /* of the running call: "L:C KIND", NULL behind its report line */
    char *texts[MAX_REPORTS];
    size_t nreports;
} Running;

static void on_report(void *user, const BufvmReport *report)
{
    Running *r = user;
    char text[160];
    if (r->nreports == MAX_REPORTS)
        return;
    snprintf(text, sizeof text, "%" PRIu32 ":%" PRIu32 " %s", report->line, report->col, report->kind);
    r->reports[r->nreports] = strdup(text);
    r->texts[r->nreports++] = strdup(report->text);
}

static bool call_function(const Running *r, const CaseWords *call, ToolValue *args, ToolValue *results, uint32_t *nresults,
                          ToolError *error)
{
    uint32_t number;
    if (!bufvm_module_find(r->module, call->at[0] + 1, &number))
        return tool_fail(error, TOOL_USAGE, "no export %s", call->at[0]);
    const BufvmSignature *s = bufvm_module_export(r->module, number);
    if (s->nargs > 64 || s->nresults > 64)
        return tool_fail(error, TOOL_USAGE, "over 64 arguments or results");
    BufvmValue raw[64], out[64];
    BufvmError from;
    memset(&from, 0, sizeof from);
    memset(out, 0, sizeof out);
    if (!case_parse_args(call, s, args, error))
        return false;
    for (uint32_t k = 0; k < s->nargs; k++)
        raw[k] = args[k].value;
    if (bufvm_call(r->context, number, raw, s->nargs, out, s->nresults, &from) != BUFVM_OK)
        return tool_fail_status(error, "call", &from);
    for (uint32_t k = 0; k < s->nresults; k++) {
        results[k].value = out[k];
        tool_elem_of_written(s->results[k].written, &results[k].format);
    }
    *nresults = s->nresults;
    if (s->nresults == 0) /* memref arguments are what such a function gives back */
        for (uint32_t k = 0; k < s->nargs; k++)
            if (s->args[k].is_memref) {
                results[*nresults] = args[k];
                bufvm_buffer_retain(args[k].value.view.buffer);
                ++*nresults;
            }
    return true;
}

static void compare_results(const Running *r, const char *name, const CaseWords *want, const ToolValue *results, uint32_t n)
{
    if (want->n != n) {
        fail(r->tally, r->file, name, "%s", "wrong number of results");
        return;
    }
    ToolTolerance exact = {0};
    for (uint32_t k = 0; k < n; k++) {
        ToolValue expected;
        ToolError error;
        BufvmType type = {.kind = results[k].value.kind, .written = results[k].format.name};
        if (!tool_value_parse(want->at[k], &type, &expected, &error)) {
            fail(r->tally, r->file, name, "bad want line: %s", error.text);
            return;
        }
        bool equal = tool_value_equal(&results[k], &expected, &exact, stdout);
        tool_value_release(&expected);
        if (!equal) {
            printf("     got ");
            tool_value_print(&results[k], 200, stdout);
            putchar('\n');
            fail(r->tally, r->file, name, "result %s differs", want->at[k]);
            return;
        }
        hash_value(r->tally, &results[k]);
    }
    r->tally->passed++;
}

static void run_call(const Running *r, char *call_text, char *want_text)
{
    CaseWords call, want;
    case_split_words(call_text, &call);
    case_split_words(want_text, &want);
    if (!call.n || call.at[0][0] != '@') {
        fail(r->tally, r->file, call_text, "%s", "bad call line");
        return;
    }
    ToolValue *args = calloc(64, sizeof *args), *results = calloc(128, sizeof *results);
    ToolError error = {0};
    uint32_t n = 0;
    bool ok = args && results && call_function(r, &call, args, results, &n, &error);
    bool wants_error = want.n == 1 && strcmp(want.at[0], "error") == 0;
    if (ok && wants_error)
        fail(r->tally, r->file, call.at[0], "%s", "succeeded where an error is wanted");
    else if (!ok && !wants_error)
        fail(r->tally, r->file, call.at[0], "%s", error.text);
    else if (wants_error)
        r->tally->passed++;
    else
        compare_results(r, call.at[0], &want, results, n);
    for (size_t k = 0; args && k < 64; k++)
        tool_value_release(&args[k]);
    for (size_t k = 0; results && k < 128; k++)
        tool_value_release(&results[k]);
    free(args);
    free(results);
}

/* ---- one file ---- */

static bool emit(const BufvmcOptions *base, BufvmcEmit level, bool is_asm, const char *text, size_t n, BufvmcOutput *out)
{
    BufvmcOptions o = *base;
    o.emit = level;
    o.input_is_asm = is_asm;
    bool ok = bufvmc_compile(text, n, &o, out) == BUFVMC_OK;
    if (!ok && out->diagnostics)
        fputs(out->diagnostics, stdout);
    return ok;
}

static bool same_output(const BufvmcOutput *a, const void *data, size_t size)
{
    return a->size == size && memcmp(a->data, data, size) == 0;
}

static bool same_module(const Options *options, const char *text, size_t n, const BufvmcOptions *base, const BufvmcOutput *module,
                        const char **why)
{
    if (!options->assembly)
        return true;
    BufvmcOutput assembly, again;
    bool ok = emit(base, BUFVMC_ASM, false, text, n, &assembly);
    if (ok) {
        ok = emit(base, BUFVMC_BYTECODE, true, assembly.data, assembly.size, &again) &&
             same_output(&again, module->data, module->size);
        bufvmc_output_free(&again);
    }
    bufvmc_output_free(&assembly);
    *why = "assembly does not give the same bytes";
    return ok;
}

/* The report lines up to the next call against what was reported, in any order. */
static void compare_reports(Running *r, const char *call, char *at)
{
    char *next = at, *line, *unused = NULL, *end = case_next_line(&next, "call:", &unused) ? next : NULL;
    free(unused);
    while (case_next_line(&at, "report:", &line)) {
        size_t k = 0;
        const char *wanted = line + strspn(line, " ");
        if (end && at > end) {
            free(line);
            break;
        }
        while (k < r->nreports && (!r->reports[k] || strcmp(r->reports[k], wanted) != 0))
            k++;
        if (k == r->nreports) {
            fail(r->tally, r->file, call, "no report '%s'", wanted);
        } else {
            free(r->reports[k]);
            r->reports[k] = NULL;
        }
        free(line);
    }
    for (size_t k = 0; k < r->nreports; k++) {
        if (r->reports[k]) {
            printf("     %s: %s\n", r->reports[k], r->texts[k]);
            fail(r->tally, r->file, call, "reported '%s'", r->reports[k]);
        }
        free(r->reports[k]);
        free(r->texts[k]);
    }
    r->nreports = 0;
}

/* A watched call has a context of its own, which reports each place once. */
static bool fresh_context(Running *r)
{
    BufvmError from;
    memset(&from, 0, sizeof from);
    bufvm_context_free(r->context);
    r->context = NULL;
    if (bufvm_context_new(r->module, &r->limits, r->imports, r->nimports, NULL, &r->context, &from) == BUFVM_OK)
        return true;
    fail(r->tally, r->file, "context", "%s", from.text);
    return false;
}

static void run_calls(Running *r, char *source)
{
    char *at = source, *call, *want;
    uint32_t calls = 0;
    while (case_next_line(&at, "call:", &call)) {
        calls++;
        if (case_next_line(&at, "want:", &want)) {
            if (!r->limits.sanitize || calls == 1 || fresh_context(r)) {
                run_call(r, call, want);
                if (r->limits.sanitize)
                    compare_reports(r, call, at);
            }
            free(want);
        } else {
            fail(r->tally, r->file, call, "%s", "no want line");
        }
        free(call);
    }
    if (!calls)
        fail(r->tally, r->file, "file", "%s", "no call line");
}

static void run_compiled(const Options *options, unsigned sanitize, const char *file, char *source, const BufvmcOutput *out,
                         Tally *tally)
{
    BufvmError from;
    memset(&from, 0, sizeof from);
    ToolHost host = {.out = stderr, .report = stdout}; /* what programs print is no result: no line of ours begins with it */
    BufvmImport imports[128];
    size_t n = tool_host_imports(&host, imports, 128);
    Running r = {.file = file, .tally = tally, .limits = options->limits, .imports = imports, .nimports = n};
    r.limits.on_report = on_report;
    r.limits.report_user = &r;
    r.limits.sanitize |= sanitize;
    if (bufvm_module_load(out->data, out->size, NULL, &r.module, &from) != BUFVM_OK) {
        fail(tally, file, "load", "%s", from.text);
        return;
    }
    if (fresh_context(&r))
        run_calls(&r, source);
    bufvm_context_free(r.context);
    bufvm_module_release(r.module);
}

static void run_file(const Options *options, const char *file, Tally *tally)
{
    char *source, *keep = NULL, *want = NULL, *check = NULL;
    size_t n;
    ToolError error;
    if (!tool_read_file(file, SIZE_MAX, &source, &n, &error)) {
        fail(tally, file, "read", "%s", error.text);
        return;
    }
    BufvmcOptions o = options->compile;
    const char *slash = strrchr(file, '/');
    o.file_name = slash ? slash + 1 : file;
    unsigned sanitize = case_file_options(source, &o, &keep);
    BufvmcOutput out;
    BufvmcStatus status = bufvmc_compile(source, n, &o, &out);
    char *at = source;
    const char *why = NULL;
    if (status == BUFVMC_OK) {
        if (!same_module(options, source, n, &o, &out, &why))
            fail(tally, file, "assembly", "%s", why);
        run_compiled(options, sanitize, file, source, &out, tally);
    } else if (case_next_line(&at, "want:", &want) && strcmp(want, " error") == 0) {
        at = source;
        const char *text = case_next_line(&at, "check:", &check) ? check + strspn(check, " ") : "error:";
        if (out.diagnostics && strstr(out.diagnostics, text))
            tally->passed++;
        else
            fail(tally, file, "messages", "do not contain '%s'", text);
    } else {
        fail(tally, file, "compile", "%s", out.diagnostics ? out.diagnostics : "out of memory");
    }
    bufvmc_output_free(&out);
    free(source);
    free(keep);
    free(want);
    free(check);
}

static bool parse_flag(Options *o, const char *arg)
{
    BufvmcOptions *c = &o->compile;
    if (strcmp(arg, "-O0") == 0)
        c->optimize = 1;
    else if (strcmp(arg, "-g") == 0)
        c->debug = true;
    else if (case_sanitize_flag(arg))
        c->debug = (o->limits.sanitize |= case_sanitize_flag(arg)) != 0;
    else if (strcmp(arg, "--fp=strict") == 0 || strcmp(arg, "--fp=contract") == 0)
        c->fp = arg[5] == 's' ? BUFVMC_STRICT : BUFVMC_CONTRACT;
    else if (strncmp(arg, "--disable-pass=", 15) == 0)
        c->disable_passes = arg + 15;
    else if (strncmp(arg, "--threads=", 10) == 0)
        o->limits.threads = (uint32_t)strtoul(arg + 10, NULL, 10);
    else if (strncmp(arg, "--cpu=", 6) == 0)
        o->limits.cpu = arg + 6;
    else if (strcmp(arg, "--switch") == 0)
        o->limits.switch_dispatch = true;
    else if (strcmp(arg, "--asm") == 0)
        o->assembly = true;
    else if (strcmp(arg, "--print-hash") == 0)
        o->print_hash = true;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    Options options;
    memset(&options, 0, sizeof options);
    Tally tally = {.hash = UINT64_C(14695981039346656037)};
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++)
        if (!parse_flag(&options, argv[i])) {
            fprintf(stderr, "caserun: unknown flag '%s'\n", argv[i]);
            return 2;
        }
    for (; i < argc; i++)
        run_file(&options, argv[i], &tally);
    if (options.print_hash)
        printf("hash %016" PRIx64 "\n", tally.hash);
    printf("%" PRIu32 " passed, %" PRIu32 " failed\n", tally.passed, tally.failed);
    return tally.failed || !tally.passed;
}
