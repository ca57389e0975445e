/* Memory that runs out at every allocation, one after the other: compiling, assembling, loading, calling, trapping, reading and
 * printing values.
 *
 *   oom [--stride=N] [--full] FILE.mlir...      case files (caserun.c has their grammar)
 *
 * Each step runs again and again with the n-th allocation refused, first that one alone, then all that follow too, until a run
 * needs no more.  A refusal must come back as an error that says so or not matter at all; afterwards every byte is given back, and
 * the context gives the results that it gives without faults.  --stride tries every N-th allocation only, --full all levels.
 */
#include "../../vm/bytecode/module.h"
#include "../casefile.h"
#include "inject.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum Outcome { SAME, NO_MEMORY, WRONG } Outcome; /* as without faults; an error that says so; anything else */
typedef struct Step {                                    /* something that can be done again */
    const char *file, *what;
    unsigned kinds; /* of faults */
    Outcome (*run)(void *user, const char **why);
    void *user;
} Step;
typedef struct Totals {
    unsigned long runs, refused, failed;
} Totals;

static unsigned long stride = 1;
static bool full;
static Totals totals;
static FILE *report; /* standard output as it was at the start */
static const BufvmAllocator hook = {fault_realloc, NULL};

static void wrong(const Step *step, unsigned long n, bool sticky, const char *why)
{
    totals.failed++;
    fprintf(report, "FAIL %s: %s: allocation %lu%s: %s\n", step->file, step->what, n, sticky ? " and all after it" : "", why);
}

static void sweep(const Step *step)
{
    for (int sticky = 0; sticky < 2; sticky++)
        for (unsigned long n = 1;; n += stride) {
            const char *why = "";
            size_t before = fault_live();
            fault_arm(step->kinds, n, sticky);
            Outcome outcome = step->run(step->user, &why);
            bool fired = fault_disarm();
            totals.runs++;
            totals.refused += outcome == NO_MEMORY;
            if (fault_live() != before)
                wrong(step, n, sticky, "memory is not given back");
            if (outcome == WRONG || (outcome == NO_MEMORY && !fired))
                wrong(step, n, sticky, outcome == WRONG ? why : "out of memory without a reason");
            if (!fired || totals.failed > 20)
                break;
        }
}

/* ---- compiling ------------------------------------------------------------------- */

typedef struct Compile {
    const char *text;
    size_t n;
    BufvmcOptions options;
    BufvmcOutput clean;
} Compile;

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static Outcome compile_again(void *user, const char **why)
{
    const Compile *c = user;
    BufvmcOutput out;
    Outcome outcome = SAME;
    if (bufvmc_compile(c->text, c->n, &c->options, &out) == BUFVMC_OUT_OF_MEMORY) {
        outcome = out.data ? WRONG : NO_MEMORY;
        *why = "output in spite of the error";
    } else if (out.size != c->clean.size || (out.size && memcmp(out.data, c->clean.data, out.size) != 0) ||
               !same_text(out.diagnostics, c->clean.diagnostics)) {
        outcome = WRONG;
        *why = "another output";
    }
    bufvmc_output_free(&out);
    return outcome;
}

static void sweep_compile(const char *file, const char *what, Compile *c)
{
    bufvmc_compile(c->text, c->n, &c->options, &c->clean);
    sweep(&(Step){file, what, FAULT_HOOK, compile_again, c});
}

static void sweep_levels(const char *file, const Compile *base)
{
    static const struct {
        BufvmcEmit emit;
        const char *name;
    } levels[] = {{BUFVMC_PARSE, "parse"}, {BUFVMC_CORE, "core"}, {BUFVMC_BUFFERS, "buffers"}, {BUFVMC_SCHEDULE, "schedule"}};
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        Compile c = *base;
        c.options.emit = levels[k].emit;
        c.options.generic = k & 1;
        sweep_compile(file, levels[k].name, &c);
        bufvmc_output_free(&c.clean);
    }
    Compile c = *base;
    c.options.optimize = 1;
    c.options.debug = true;
    sweep_compile(file, "-O0 -g", &c);
    bufvmc_output_free(&c.clean);
}

static void sweep_assembly(const char *file, const Compile *base)
{
    Compile print = *base, assemble = *base;
    print.options.emit = BUFVMC_ASM;
    sweep_compile(file, "asm", &print);
    assemble.options.input_is_asm = true;
    assemble.text = print.clean.data;
    assemble.n = print.clean.size;
    sweep_compile(file, "assemble", &assemble);
    bufvmc_output_free(&assemble.clean);
    bufvmc_output_free(&print.clean);
}

/* ---- running --------------------------------------------------------------------- */

enum { MAX_CALLS = 256, MAX_VALUES = 64 };

typedef struct Call {
    char *text; /* of the line; split anew each time */
    char *clean;
    bool stable; /* a second call in the same context gives the same */
} Call;

typedef struct Run {
    const void *data;
    size_t size;
    BufvmLimits limits;
    Call calls[MAX_CALLS];
    size_t ncalls;
} Run;

static void print_values(FILE *out, ToolValue *values, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        tool_value_print(&values[k], 0, out);
        fputc('\n', out);
    }
}

/* Status and values of a call as text; faults stay off while arguments are read and results printed. */
static char *call_text(BufvmContext *context, BufvmModule *module, const char *line, unsigned kinds, unsigned long n, bool sticky,
                       bool *fired, BufvmStatus *status)
{
    char *copy = strdup(line), *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    CaseWords words;
    ToolValue args[MAX_VALUES], results[MAX_VALUES];
    BufvmValue raw[MAX_VALUES], given[MAX_VALUES];
    BufvmError error = {0};
    ToolError why = {0};
    uint32_t number = 0;
    memset(args, 0, sizeof args);
    memset(results, 0, sizeof results);
    memset(given, 0, sizeof given);
    case_split_words(copy, &words);
    const BufvmSignature *s =
        words.n && bufvm_module_find(module, words.at[0] + 1, &number) ? bufvm_module_export(module, number) : NULL;
    *status = BUFVM_INVALID_ARGUMENT;
    *fired = false; /* arguments that do not parse: nothing is called */
    if (s && s->nargs <= MAX_VALUES && s->nresults <= MAX_VALUES && case_parse_args(&words, s, args, &why)) {
        for (uint32_t k = 0; k < s->nargs; k++)
            raw[k] = args[k].value;
        fault_arm(kinds, n, sticky);
        *status = bufvm_call(context, number, raw, s->nargs, given, s->nresults, &error);
        *fired = fault_disarm();
        fprintf(out, "%s %s\n", bufvm_status_name(*status), error.text);
        for (uint32_t k = 0; k < s->nresults; k++) {
            results[k].value = given[k];
            tool_elem_of_written(s->results[k].written, &results[k].format);
        }
        print_values(out, results, s->nresults);
        if (!*status) /* memory is unspecified after a failure */
            print_values(out, args, s->nargs);
    } else {
        fprintf(out, "%s\n", why.text);
    }
    for (uint32_t k = 0; k < MAX_VALUES; k++) {
        tool_value_release(&args[k]);
        tool_value_release(&results[k]);
    }
    fclose(out);
    free(copy);
    return text;
}

typedef struct Opened {
    BufvmModule *module;
    BufvmContext *context;
    ToolHost host;
} Opened;

static BufvmStatus open_run(const Run *r, bool from_copy, Opened *o, BufvmError *error)
{
    BufvmLoadOptions load = {.allocator = &hook};
    BufvmImport imports[128];
    size_t n = tool_host_imports(&o->host, imports, 128);
    BufvmStatus status = bufvm_module_load((const char *)r->data + from_copy, r->size, &load, &o->module, error);
    return status ? status : bufvm_context_new(o->module, &r->limits, imports, n, &hook, &o->context, error);
}

static void close_run(Opened *o)
{
    bufvm_context_free(o->context);
    bufvm_module_release(o->module);
}

static FILE *nowhere;

/* What each call gives without faults. */
static bool run_clean(Run *r)
{
    Opened o = {.host = {.out = nowhere, .report = nowhere}};
    BufvmError error;
    bool fired, ok = !open_run(r, false, &o, &error);
    BufvmStatus status;
    for (size_t round = 0; round < 2 && ok; round++)
        for (size_t k = 0; k < r->ncalls; k++) {
            char *text = call_text(o.context, o.module, r->calls[k].text, 0, 0, false, &fired, &status);
            if (round == 0) {
                r->calls[k].clean = text;
            } else {
                r->calls[k].stable = same_text(text, r->calls[k].clean);
                free(text);
            }
        }
    close_run(&o);
    return ok;
}

/* Loading a module that has to be copied, and making a context. */
static Outcome open_again(void *user, const char **why)
{
    const Run *r = user;
    Opened o = {.host = {.out = nowhere, .report = nowhere}};
    BufvmError error;
    BufvmStatus status = open_run(r, true, &o, &error);
    bool context = o.context != NULL;
    close_run(&o);
    *why = context ? "a context in spite of the error" : bufvm_status_name(status);
    return status == BUFVM_OK ? SAME : status == BUFVM_OUT_OF_MEMORY && !context ? NO_MEMORY : WRONG;
}

static void call_wrong(const char *file, const Call *call, unsigned long n, bool sticky, const char *why, const char *text)
{
    Step step = {.file = file, .what = call->text};
    wrong(&step, n, sticky, why);
    fprintf(report, "  got:    %s  wanted: %s", text, call->clean);
}

/* Each call in a context of its own, since blocks and threads of earlier ones are kept. */
static void sweep_call(const char *file, const Run *r, const Call *call)
{
    size_t before = fault_live();
    for (int sticky = 0; sticky < 2; sticky++) {
        bool fired = true;
        for (unsigned long n = 1; fired && totals.failed <= 20; n += stride) {
            Opened o = {.host = {.out = nowhere, .report = nowhere}};
            BufvmError error;
            BufvmStatus status;
            if (open_run(r, false, &o, &error)) {
                call_wrong(file, call, n, sticky, "does not load", error.text);
                close_run(&o);
                return;
            }
            char *text = call_text(o.context, o.module, call->text, FAULT_HOOK | FAULT_THREAD, n, sticky, &fired, &status);
            totals.runs++;
            totals.refused += status == BUFVM_OUT_OF_MEMORY;
            if (status == BUFVM_OUT_OF_MEMORY ? !fired : call->stable && !same_text(text, call->clean))
                call_wrong(file, call, n, sticky, "neither an error nor the result", text);
            free(text);
            bool again;
            text = call_text(o.context, o.module, call->text, 0, 0, false, &again, &status);
            if (call->stable && !same_text(text, call->clean))
                call_wrong(file, call, n, sticky, "the context is not usable afterwards", text);
            free(text);
            close_run(&o);
            if (fault_live() != before)
                call_wrong(file, call, n, sticky, "memory is not given back", "");
        }
    }
}

static void sweep_run(const char *file, const char *source, const BufvmcOutput *module, unsigned sanitize)
{
    Run *r = calloc(1, sizeof *r);
    char *shifted = malloc(module->size + 16), *at = (char *)(uintptr_t)source, *text;
    memcpy(shifted, module->data, module->size);
    memcpy(shifted + 1, module->data, module->size); /* at an odd address: has to be copied */
    r->data = shifted;
    r->size = module->size;
    r->limits = (BufvmLimits){.memory = UINT64_C(256) << 20, .fuel = 100000000, .threads = 3, .sanitize = sanitize};
    sweep(&(Step){file, "load", FAULT_HOOK | FAULT_THREAD, open_again, r});
    memcpy(shifted, module->data, module->size);
    while (r->ncalls < MAX_CALLS && case_next_line(&at, "call:", &text))
        r->calls[r->ncalls++].text = text;
    bool ok = run_clean(r);
    for (size_t k = 0; k < r->ncalls; k++) {
        if (ok)
            sweep_call(file, r, &r->calls[k]);
        free(r->calls[k].text);
        free(r->calls[k].clean);
    }
    if (!ok) {
        totals.failed++;
        fprintf(report, "FAIL %s: does not load\n", file);
    }
    free(shifted);
    free(r);
}

/* ---- reading and printing values, the run of a program --------------------------- */

typedef struct Program {
    const void *data;
    size_t size;
    int clean;
    int argc;
    char *argv[8];
} Program;

static int run_program(const Program *p)
{
    ToolError error = {0};
    BufvmError from = {0};
    BufvmModule *module;
    BufvmLoadOptions load;
    ToolRun *run = tool_run_new();
    int code = run ? TOOL_OK : TOOL_LIMIT, argc = 0;
    char **argv = NULL;
    if (run && !tool_expand_flagfiles(p->argc, (char **)(uintptr_t)p->argv, &argc, &argv, &error))
        code = (int)error.exit;
    for (int i = 0; i < argc && code == TOOL_OK; i++)
        if (tool_run_flag(run, argc, argv, &i, &error) != 1)
            code = (int)error.exit;
    if (code == TOOL_OK) {
        tool_run_load_options(run, &load);
        if (bufvm_module_load(p->data, p->size, &load, &module, &from) == BUFVM_OK) {
            code = tool_run_module(run, module, "oom");
            bufvm_module_release(module);
        } else {
            code = (int)tool_exit_of(from.status);
        }
    }
    if (argv)
        tool_free_args(argc, argv);
    tool_run_free(run);
    return code;
}

static Outcome program_again(void *user, const char **why)
{
    const Program *p = user;
    int code = run_program(p);
    *why = "the exit code is neither that of a limit nor that without faults";
    return code == p->clean ? SAME : code == TOOL_LIMIT ? NO_MEMORY : WRONG;
}

static const char values_text[] = "func.func @f(%a: tensor<2x2xf32>, %m: memref<3xi4>, %c: complex<f32>) -> (tensor<2x2xf32>, "
                                  "complex<f32>) {\n"
                                  "  return %a, %c : tensor<2x2xf32>, complex<f32>\n}\n"
                                  "func.func @g(%m: memref<3xi4>) {\n  return\n}\n"
                                  "func.func @zero(%a: i32) -> i32 {\n  %z = arith.constant 0 : i32\n"
                                  "  %r = arith.divsi %a, %z : i32\n  return %r : i32\n}\n";

static void sweep_program(const BufvmcOutput *module, const char *what, int argc, char **argv)
{
    Program p = {module->data, module->size, 0, argc, {0}};
    memcpy(p.argv, argv, (size_t)argc * sizeof *argv);
    p.clean = run_program(&p);
    sweep(&(Step){"values", what, FAULT_MALLOC | FAULT_THREAD, program_again, &p});
}

static Outcome table_again(void *user, const char **why)
{
    BufvmcOutput out;
    const char *text = bufvmc_table(user, &out);
    Outcome outcome = text ? SAME : NO_MEMORY;
    *why = "no table";
    bufvmc_output_free(&out);
    return outcome;
}

static void sweep_tools(void)
{
    char dir[] = "oom.XXXXXX", npy[64], flags[64], output[80];
    BufvmcOutput module;
    ToolError error;
    if (!mkdtemp(dir) || bufvmc_compile(values_text, strlen(values_text), NULL, &module) != BUFVMC_OK) {
        totals.failed++;
        fputs("FAIL values: cannot start\n", report);
        return;
    }
    snprintf(npy, sizeof npy, "--input=@%s/a.npy", dir);
    snprintf(output, sizeof output, "--output=@%s/a.npy", dir);
    snprintf(flags, sizeof flags, "--flagfile=%s/flags", dir);
    if (!tool_write_file(flags + 11, "--function=f\n--input=3xi4=1,2,3\n", 32, &error))
        totals.failed++;
    sweep_program(&module, "write a file", 6,
                  (char *[]){"--function=@f", "--input=2x2xf32=[1 2][3 4]", "--input=3xi4=1", "--input=\"complex<f32>=(1,2)\"",
                             output, "--output="});
    sweep_program(&module, "read a file, compare", 8,
                  (char *[]){"--function=f", npy, "--input=3xi4=1,-2,3", "--input=c64=1 2", "--expected_output=2x2xf32=1,2,3,5",
                             "--expected_output=(ignored)", "--expected_arg=1=3xi4=7", "--atol=0.5"});
    sweep_program(&module, "arguments", 3, (char *[]){"--function=g", "--input=3xi4=1,2,3", "--output_arg=0=-"});
    sweep_program(&module, "trap", 2, (char *[]){"--function=zero", "--input=3"});
    sweep_program(&module, "flag file", 2, (char *[]){flags, "--cpu=portable"});
    sweep_program(&module, "list", 1, (char *[]){"--list"});
    for (size_t k = 0; k < 2; k++)
        sweep(&(Step){"tables", "table", FAULT_MALLOC, table_again, (void *)(uintptr_t)(k ? "ops" : "passes")});
    bufvmc_output_free(&module);
    unlink(npy + strlen("--input=@"));
    unlink(flags + strlen("--flagfile="));
    rmdir(dir);
}

/* ---- files ------------------------------------------------------------------------ */

static void sweep_file(const char *file)
{
    char *source, *keep = NULL;
    size_t n;
    ToolError error;
    if (!tool_read_file(file, SIZE_MAX, &source, &n, &error)) {
        totals.failed++;
        fprintf(report, "FAIL %s\n", error.text);
        return;
    }
    Compile c = {source, n, {.realloc = fault_realloc, .file_name = "case"}, {0}};
    unsigned sanitize = case_file_options(source, &c.options, &keep);
    sweep_compile(file, "compile", &c);
    if (full)
        sweep_levels(file, &c);
    if (c.clean.data) {
        sweep_assembly(file, &c);
        sweep_run(file, source, &c.clean, sanitize);
    }
    bufvmc_output_free(&c.clean);
    free(source);
    free(keep);
}

int main(int argc, char **argv)
{
    int i = 1;
    bool tools = true;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strncmp(argv[i], "--stride=", 9) == 0)
            stride = strtoul(argv[i] + 9, NULL, 10);
        else if (strcmp(argv[i], "--full") == 0)
            full = true;
        else if (strcmp(argv[i], "--no-tools") == 0)
            tools = false;
        else
            return fprintf(stderr, "oom: unknown flag '%s'\n", argv[i]), 2;
    }
    nowhere = fopen("/dev/null", "w");
    if (!nowhere || !stride)
        return 99;
    report = fdopen(dup(STDOUT_FILENO), "w");
    if (!report || dup2(fileno(nowhere), STDOUT_FILENO) < 0 || dup2(fileno(nowhere), STDERR_FILENO) < 0) /* the programs print */
        return 99;
    if (tools)
        sweep_tools();
    for (; i < argc; i++)
        sweep_file(argv[i]);
    fclose(nowhere);
    fprintf(report, "%lu runs, %lu out of memory, %lu failed\n", totals.runs, totals.refused, totals.failed);
    fclose(report);
    return totals.failed || !totals.refused;
}
