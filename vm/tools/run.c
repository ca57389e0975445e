/* The run flags shared by vmrun and `vmc --run`, and what they do: list, check, benchmark, call. */
#include "tools.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct TextList {
    char **at;
    size_t n;
} TextList;

struct ToolRun {
    TextList inputs, outputs, expected, output_args, expected_args;
    char *function, *cpu;
    ToolTolerance tolerance;
    BufvmLimits limits;
    uint64_t max_elements, max_module;
    ToolBenchmark benchmark;
    bool list, check, statistics, no_mmap, expect_failure;
    uint32_t reports; /* of --sanitize, so far */
};

ToolRun *tool_run_new(void)
{
    ToolRun *run = calloc(1, sizeof *run);
    if (run)
        run->max_elements = 1024;
    return run;
}

static void free_list(TextList *list)
{
    for (size_t k = 0; k < list->n; k++)
        free(list->at[k]);
    free(list->at);
}

void tool_run_free(ToolRun *run)
{
    if (!run)
        return;
    free_list(&run->inputs);
    free_list(&run->outputs);
    free_list(&run->expected);
    free_list(&run->output_args);
    free_list(&run->expected_args);
    free(run->function);
    free(run->cpu);
    free(run);
}

/* ---- flags ---- */

const char *tool_flag_value(int argc, char **argv, int *i, const char *name)
{
    const char *arg = argv[*i];
    size_t n = strlen(name);
    if (strncmp(arg, "--", 2) != 0 || strncmp(arg + 2, name, n) != 0)
        return NULL;
    if (arg[2 + n] == '=')
        return arg + 3 + n;
    if (arg[2 + n] || *i + 1 >= argc)
        return NULL;
    return argv[++*i];
}

bool tool_parse_u64(const char *text, uint64_t *out)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (errno)
        return false;
    unsigned shift = 0;
    if (*end && strchr("kKmMgG", *end)) {
        shift = *end == 'k' || *end == 'K' ? 10 : *end == 'm' || *end == 'M' ? 20 : 30;
        end++;
        if (end[0] == 'i' && end[1] == 'B')
            end += 2;
    }
    *out = (uint64_t)value << shift;
    return !*end && (*out >> shift) == value;
}

static bool push(TextList *list, const char *text, ToolError *error)
{
    char **grown = realloc(list->at, (list->n + 1) * sizeof *grown);
    if (!grown)
        return tool_fail(error, TOOL_LIMIT, "out of memory");
    list->at = grown;
    grown[list->n] = strdup(text);
    return grown[list->n] ? (list->n++, true) : tool_fail(error, TOOL_LIMIT, "out of memory");
}

static bool parse_tolerance(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && *out >= 0;
}

typedef struct NumberFlag {
    const char *name;
    size_t offset; /* a uint64_t or, when small, a uint32_t within ToolRun */
    bool is_small;
} NumberFlag;
#define RUN_LIMIT(flag, field, is_small)                                                                                           \
    {                                                                                                                              \
        flag, offsetof(ToolRun, limits) + offsetof(BufvmLimits, field), is_small                                                   \
    }
static const NumberFlag number_flags[] = {
    RUN_LIMIT("local-memory", local_memory, false),
    RUN_LIMIT("task_worker_local_memory", local_memory, false),
    RUN_LIMIT("max-memory", memory, false),
    RUN_LIMIT("max-allocation", allocation, false),
    RUN_LIMIT("fuel", fuel, false),
    RUN_LIMIT("max-stack", stack, false),
    RUN_LIMIT("call-depth", call_depth, true),
    RUN_LIMIT("threads", threads, true),
    {"max-module", offsetof(ToolRun, max_module), false},
    {"output_max_element_count", offsetof(ToolRun, max_elements), false},
};

static int number_flag(ToolRun *run, int argc, char **argv, int *i, ToolError *error)
{
    for (size_t k = 0; k < sizeof number_flags / sizeof *number_flags; k++) {
        const char *text = tool_flag_value(argc, argv, i, number_flags[k].name);
        uint64_t value;
        if (!text)
            continue;
        if (!tool_parse_u64(text, &value) || (number_flags[k].is_small && value > UINT32_MAX)) {
            tool_fail(error, TOOL_USAGE, "--%s: '%.80s' is no number", number_flags[k].name, text);
            return -1;
        }
        char *field = (char *)run + number_flags[k].offset;
        if (number_flags[k].is_small)
            *(uint32_t *)(void *)field = (uint32_t)value;
        else
            *(uint64_t *)(void *)field = value;
        return 1;
    }
    return 0;
}

static int list_flag(ToolRun *run, int argc, char **argv, int *i, ToolError *error)
{
    const struct {
        const char *name;
        TextList *list;
    } lists[] = {{"input", &run->inputs},
                 {"output", &run->outputs},
                 {"expected_output", &run->expected},
                 {"output_arg", &run->output_args},
                 {"expected_arg", &run->expected_args}};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        const char *text = tool_flag_value(argc, argv, i, lists[k].name);
        if (text)
            return push(lists[k].list, text, error) ? 1 : -1;
    }
    return 0;
}

static int tolerance_flag(ToolRun *run, int argc, char **argv, int *i, ToolError *error)
{
    const char *text;
    bool ok = true;
    if ((text = tool_flag_value(argc, argv, i, "atol")))
        ok = parse_tolerance(text, &run->tolerance.atol);
    else if ((text = tool_flag_value(argc, argv, i, "rtol")))
        ok = parse_tolerance(text, &run->tolerance.rtol);
    else if ((text = tool_flag_value(argc, argv, i, "ulp")))
        ok = tool_parse_u64(text, &run->tolerance.ulp);
    else
        return 0;
    run->tolerance.approximate = true;
    if (!ok)
        tool_fail(error, TOOL_USAGE, "'%.80s' is no tolerance", text);
    return ok ? 1 : -1;
}

static int switch_flag(ToolRun *run, const char *arg)
{
    const struct {
        const char *name;
        bool *flag;
    } switches[] = {{"--list", &run->list},
                    {"--check", &run->check},
                    {"--print-statistics", &run->statistics},
                    {"--print_statistics", &run->statistics},
                    {"--poison", &run->limits.poison},
                    {"--switch", &run->limits.switch_dispatch},
                    {"--no-mmap", &run->no_mmap},
                    {"--expect_failure", &run->expect_failure}};
    for (size_t k = 0; k < sizeof switches / sizeof *switches; k++)
        if (strcmp(arg, switches[k].name) == 0) {
            *switches[k].flag = true;
            return 1;
        }
    return 0;
}

/* 1 taken, 0 not ours, -1 error */
static int sanitize_flag(ToolRun *run, const char *arg, ToolError *error)
{
    static const char name[] = "--sanitize";
    size_t n = sizeof name - 1;
    if (strncmp(arg, name, n) != 0 || (arg[n] && arg[n] != '='))
        return 0;
    run->limits.sanitize |= BUFVM_SANITIZE;
    if (!arg[n])
        return 1;
    if (strcmp(arg + n, "=race") != 0) {
        tool_fail(error, TOOL_USAGE, "--sanitize: '%.80s' is not among its values: race", arg + n + 1);
        return -1;
    }
    run->limits.sanitize |= BUFVM_SANITIZE_RACE;
    return 1;
}

static bool replace_text(char **field, const char *text, ToolError *error)
{
    free(*field);
    *field = strdup(text);
    return *field || tool_fail(error, TOOL_LIMIT, "out of memory");
}

int tool_run_flag(ToolRun *run, int argc, char **argv, int *i, ToolError *error)
{
    const char *text = tool_flag_value(argc, argv, i, "function");
    if (text)
        return replace_text(&run->function, *text == '@' ? text + 1 : text, error) ? 1 : -1;
    text = tool_flag_value(argc, argv, i, "cpu");
    if (text)
        return replace_text(&run->cpu, text, error) ? 1 : -1;
    int taken = switch_flag(run, argv[*i]);
    if (!taken)
        taken = sanitize_flag(run, argv[*i], error);
    if (!taken)
        taken = tool_benchmark_flag(&run->benchmark, argc, argv, i, error);
    if (!taken)
        taken = list_flag(run, argc, argv, i, error);
    if (!taken)
        taken = tolerance_flag(run, argc, argv, i, error);
    if (!taken)
        taken = number_flag(run, argc, argv, i, error);
    return taken;
}

const char *tool_run_help(void)
{
    return "  --function=NAME            the function to call (needed when the module exports several)\n"
           "  --input=VALUE              next argument: 4xf32=1,2,3,4  2x2xi32=[1 2][3 4]  2x2xf32=7 (splat)\n"
           "                             f32=1 or 3 (scalars)  @file.npy  2x3xf32=@raw.bin\n"
           "  --output=TARGET            next result: @file.npy, @file.bin (raw), '-' (print), '' (drop)\n"
           "  --expected_output=VALUE    next result must equal VALUE; '(ignored)' skips one\n"
           "  --atol=X --rtol=X --ulp=N  tolerances of the comparison; without them it is exact to the bit\n"
           "  --output_arg=N=@FILE       write memref argument N after the call\n"
           "  --expected_arg=N=VALUE     memref argument N must equal VALUE after the call\n"
           "  --output_max_element_count=N   print at most N elements of a value (1024; 0 = all)\n"
           "  --list                     print the exported functions, their types and local memory\n"
           "  --check                    run every export without arguments as a test\n"
           "  --expect_failure           with --check: succeed when some test fails\n"
           "  --benchmark[=SECONDS]      time repeated calls; without --function all exports without arguments\n"
           "  --benchmark_min_time=Ns|Nx --benchmark_repetitions=N --benchmark_min_warmup_time=N\n"
           "  --benchmark_format=console|json   each of these turns the benchmark on\n"
           "  --print-statistics         counts and memory of the run, on standard error\n"
           "  --local-memory=BYTES       workgroup local memory (also --task_worker_local_memory)\n"
           "  --max-memory=BYTES --max-allocation=BYTES --max-stack=BYTES --max-module=BYTES\n"
           "  --fuel=N --call-depth=N    limits of a call\n"
           "  --threads=N                worker threads (1); results do not depend on it\n"
           "  --cpu=NAME                 kernel variant at most: portable, sse2, avx2, avx512; neon, fp16, bf16,\n"
           "                             dotprod, i8mm (also BUFVM_CPU)\n"
           "  --switch                   the switch twin of the dispatch loop\n"
           "  --poison                   memory that was never written reads as 0xCB bytes, not zero\n"
           "  --sanitize[=race]          report what MLIR leaves undefined, with source lines (module of vmc -g);\n"
           "                             race: also turns of parallel loops that touch one element\n"
           "  --no-mmap                  read a private copy of the module file\n"
           "  --flagfile=FILE            more flags, one a line\n"
           "Sizes take K, M and G.\n";
}

void tool_run_load_options(const ToolRun *run, BufvmLoadOptions *out)
{
    memset(out, 0, sizeof *out);
    out->max_module_bytes = run->max_module;
    out->no_mmap = run->no_mmap;
}

/* ---- flag files ---- */

static bool add_arg(int *argc, char ***argv, const char *text, size_t n, ToolError *error)
{
    char **grown = realloc(*argv, ((size_t)*argc + 2) * sizeof *grown);
    if (!grown)
        return tool_fail(error, TOOL_LIMIT, "out of memory");
    *argv = grown;
    grown[*argc] = strndup(text, n);
    if (!grown[*argc])
        return tool_fail(error, TOOL_LIMIT, "out of memory");
    grown[++*argc] = NULL;
    return true;
}

static bool add_flagfile(const char *path, int *argc, char ***argv, ToolError *error)
{
    char *data;
    size_t size;
    if (!tool_read_file(path, 1 << 24, &data, &size, error))
        return false;
    bool ok = true;
    for (char *line = data; ok && *line;) {
        size_t n = strcspn(line, "\n");
        char *next = line + n + (line[n] == '\n');
        while (n && (line[n - 1] == ' ' || line[n - 1] == '\r'))
            n--;
        while (n && *line == ' ') {
            line++;
            n--;
        }
        if (n && *line != '#' && !(n > 1 && line[0] == '/' && line[1] == '/'))
            ok = line[0] == '-' && line[1] == '-' && strncmp(line, "--flagfile", 10) != 0
                     ? add_arg(argc, argv, line, n, error)
                     : tool_fail(error, TOOL_USAGE, "%s: '%.*s' is no flag", path, (int)(n > 80 ? 80 : n), line);
        line = next;
    }
    free(data);
    return ok;
}

bool tool_expand_flagfiles(int argc, char **argv, int *out_argc, char ***out_argv, ToolError *error)
{
    *out_argc = 0;
    *out_argv = NULL;
    for (int i = 0; i < argc; i++) {
        bool ok = strncmp(argv[i], "--flagfile=", 11) == 0 ? add_flagfile(argv[i] + 11, out_argc, out_argv, error)
                                                           : add_arg(out_argc, out_argv, argv[i], strlen(argv[i]), error);
        if (!ok) {
            tool_free_args(*out_argc, *out_argv);
            *out_argc = 0;
            *out_argv = NULL;
            return false;
        }
    }
    return true;
}

void tool_free_args(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        free(argv[i]);
    free(argv);
}

/* ---- one run ---- */

typedef struct Call { /* a function with its arguments and results */
    const BufvmSignature *signature;
    uint32_t number;
    ToolValue *args, *results;
    BufvmValue *raw_args, *raw_results;
} Call;

static int report(const char *program, const ToolError *error)
{
    fflush(stdout);
    fprintf(stderr, "%s: error: %s\n", program, error->text);
    return (int)error->exit;
}

static void print_type_list(uint32_t n, const BufvmType *types, FILE *out)
{
    fputc('(', out);
    for (uint32_t k = 0; k < n; k++)
        fprintf(out, "%s%s", k ? ", " : "", types[k].written);
    fputc(')', out);
}

static void list_exports(const BufvmModule *module)
{
    for (uint32_t k = 0; k < bufvm_module_exports(module); k++) {
        const BufvmSignature *s = bufvm_module_export(module, k);
        printf("@%s", s->name);
        print_type_list(s->nargs, s->args, stdout);
        fputs(" -> ", stdout);
        print_type_list(s->nresults, s->results, stdout);
        printf(" local %" PRIu64 "\n", s->local_memory);
    }
    for (uint32_t k = 0; k < bufvm_module_imports(module); k++)
        printf("import @%s\n", bufvm_module_import(module, k)->name);
}

static bool is_hidden(const BufvmSignature *s)
{
    return strncmp(s->name, "__", 2) == 0 || strchr(s->name, '$');
}

static bool find_function(const ToolRun *run, const BufvmModule *module, uint32_t *number, ToolError *error)
{
    uint32_t n = bufvm_module_exports(module);
    if (run->function)
        return bufvm_module_find(module, run->function, number) ||
               tool_fail(error, TOOL_USAGE, "the module exports no function '%.200s' (--list shows what it exports)",
                         run->function);
    uint32_t candidates = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (is_hidden(bufvm_module_export(module, k)))
            continue;
        *number = k;
        candidates++;
    }
    if (candidates == 0)
        return tool_fail(error, TOOL_USAGE, "the module exports no function");
    return candidates == 1 ||
           tool_fail(error, TOOL_USAGE, "the module exports %u functions: choose one with --function", candidates);
}

static bool is_memref_only(const BufvmSignature *s)
{
    if (s->nresults)
        return false;
    for (uint32_t k = 0; k < s->nargs; k++)
        if (s->args[k].is_memref)
            return true;
    return false;
}

/* The text's own element type must be the written one: i4 is not i8 although both take a byte. */
static bool check_arg(const Call *call, uint32_t k, ToolError *error)
{
    const BufvmType *type = &call->signature->args[k];
    ToolValue *arg = &call->args[k];
    ElemFormat wanted;
    if (!tool_elem_of_written(type->written, &wanted))
        return true;
    bool same_width = wanted.kind != 'i' || wanted.width == arg->format.width;
    bool sign_clash = wanted.kind == 'i' && arg->format.kind == 'i' && arg->format.is_unsigned != wanted.is_unsigned &&
                      strncmp(wanted.name, "si", 2) == 0;
    if (wanted.kind == arg->format.kind && same_width && wanted.elem == arg->format.elem && !sign_clash)
        return true;
    char dims[200] = "";
    size_t n = 0;
    for (uint32_t d = 0; arg->value.kind == BUFVM_VIEW && d < arg->value.view.rank && n < sizeof dims - 24; d++)
        n += (size_t)snprintf(dims + n, sizeof dims - n, "%" PRId64 "x", arg->value.view.dims[d]);
    return tool_fail(error, TOOL_USAGE, "argument %u of @%.200s: expected %.200s, got %s%s", k, call->signature->name,
                     type->written, dims, arg->format.name);
}

/* "N=REST" of --output_arg and --expected_arg: N must be a memref argument. */
static bool arg_number(const BufvmSignature *s, const char *text, uint32_t *k, const char **rest, ToolError *error)
{
    char *end;
    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (end == text || *end != '=' || errno || n >= s->nargs || !s->args[n].is_memref)
        return tool_fail(error, TOOL_USAGE, "'%.200s': expected N=..., N the number of a memref argument", text);
    *k = (uint32_t)n;
    *rest = end + 1;
    return true;
}

static bool arg_numbers_fit(const TextList *list, const BufvmSignature *s, ToolError *error)
{
    uint32_t k;
    const char *rest;
    for (size_t j = 0; j < list->n; j++)
        if (!arg_number(s, list->at[j], &k, &rest, error))
            return false;
    return true;
}

static bool prepare(const ToolRun *run, const BufvmModule *module, Call *call, ToolError *error)
{
    if (!find_function(run, module, &call->number, error))
        return false;
    const BufvmSignature *s = call->signature = bufvm_module_export(module, call->number);
    if (run->inputs.n != s->nargs)
        return tool_fail(error, TOOL_USAGE, "@%.200s takes %u arguments, %zu given", s->name, s->nargs, run->inputs.n);
    bool sinks_args = s->nresults == 0;
    if ((run->outputs.n || run->expected.n) && sinks_args)
        return tool_fail(error, TOOL_USAGE, "@%.200s has no results: use --output_arg or --expected_arg", s->name);
    if (run->outputs.n && run->outputs.n != s->nresults)
        return tool_fail(error, TOOL_USAGE, "@%.200s has %u results, %zu times --output", s->name, s->nresults, run->outputs.n);
    if (run->expected.n && run->expected.n != s->nresults)
        return tool_fail(error, TOOL_USAGE, "@%.200s has %u results, %zu times --expected_output", s->name, s->nresults,
                         run->expected.n);
    if (!arg_numbers_fit(&run->output_args, s, error) || !arg_numbers_fit(&run->expected_args, s, error))
        return false;
    call->args = calloc(s->nargs + 1, sizeof *call->args);
    call->results = calloc(s->nresults + 1, sizeof *call->results);
    call->raw_args = calloc(s->nargs + 1, sizeof *call->raw_args);
    call->raw_results = calloc(s->nresults + 1, sizeof *call->raw_results);
    if (!call->args || !call->results || !call->raw_args || !call->raw_results)
        return tool_fail(error, TOOL_LIMIT, "out of memory");
    for (uint32_t k = 0; k < s->nargs; k++) {
        ToolError why;
        if (!tool_value_parse(run->inputs.at[k], &s->args[k], &call->args[k], &why))
            return tool_fail(error, why.exit, "argument %u of @%.200s (%.200s): %.900s", k, s->name, s->args[k].written, why.text);
        if (call->args[k].ignored)
            return tool_fail(error, TOOL_USAGE, "argument %u of @%.200s cannot be ignored", k, s->name);
        if (!check_arg(call, k, error))
            return false;
        call->raw_args[k] = call->args[k].value;
    }
    return true;
}

static void release_call(Call *call)
{
    for (uint32_t k = 0; call->args && k < call->signature->nargs; k++)
        tool_value_release(&call->args[k]);
    for (uint32_t k = 0; call->results && k < call->signature->nresults; k++)
        tool_value_release(&call->results[k]);
    free(call->args);
    free(call->results);
    free(call->raw_args);
    free(call->raw_results);
}

static void take_results(Call *call)
{
    for (uint32_t k = 0; k < call->signature->nresults; k++) {
        tool_value_release(&call->results[k]);
        call->results[k].value = call->raw_results[k];
        tool_elem_of_written(call->signature->results[k].written, &call->results[k].format);
        memset(&call->raw_results[k], 0, sizeof call->raw_results[k]);
    }
}

static bool write_value(const char *target, const ToolValue *value, uint64_t max_elements, ToolError *error)
{
    if (strcmp(target, "-") == 0) {
        tool_value_print(value, max_elements, stdout);
        putchar('\n');
        return true;
    }
    if (!*target)
        return true;
    if (*target != '@')
        return tool_fail(error, TOOL_USAGE, "'%.200s' is no output: @FILE.npy, @FILE.bin, - or nothing", target);
    size_t n = strlen(target);
    if (n > 4 && strcmp(target + n - 4, ".npy") == 0)
        return tool_npy_write(target + 1, value, error);
    if (value->value.kind != BUFVM_VIEW)
        return tool_fail(error, TOOL_USAGE, "a scalar is written as .npy only");
    return tool_write_file(target + 1, bufvm_buffer_data(value->value.view.buffer) + value->value.view.offset,
                           (size_t)(tool_view_count(&value->value.view) * bufvm_elem_bytes(value->format.elem)), error);
}

static bool expect(const ToolRun *run, const char *what, uint32_t k, const ToolValue *actual, const char *text,
                   const BufvmType *type, bool *matches, ToolError *error)
{
    ToolValue expected;
    if (!tool_value_parse(text, type, &expected, error))
        return false;
    char *lines = NULL;
    size_t n = 0;
    FILE *memory = open_memstream(&lines, &n);
    if (!memory) {
        tool_value_release(&expected);
        return tool_fail(error, TOOL_LIMIT, "out of memory");
    }
    bool equal = tool_value_equal(actual, &expected, &run->tolerance, memory);
    fclose(memory);
    if (!equal) {
        printf("[FAILED] %s[%u]: %s", what, k, lines);
        *matches = false;
    }
    free(lines);
    tool_value_release(&expected);
    return true;
}

static bool deliver_args(const ToolRun *run, const Call *call, bool *matches, ToolError *error)
{
    uint32_t k;
    const char *rest;
    for (size_t j = 0; j < run->output_args.n; j++)
        if (!arg_number(call->signature, run->output_args.at[j], &k, &rest, error) ||
            !write_value(rest, &call->args[k], run->max_elements, error))
            return false;
    for (size_t j = 0; j < run->expected_args.n; j++)
        if (!arg_number(call->signature, run->expected_args.at[j], &k, &rest, error) ||
            !expect(run, "argument", k, &call->args[k], rest, &call->signature->args[k], matches, error))
            return false;
    if (!is_memref_only(call->signature) || run->output_args.n || run->expected_args.n)
        return true;
    for (k = 0; k < call->signature->nargs; k++) {
        if (!call->signature->args[k].is_memref)
            continue;
        printf("argument[%u]: ", k);
        tool_value_print(&call->args[k], run->max_elements, stdout);
        putchar('\n');
    }
    return true;
}

static bool deliver(const ToolRun *run, const Call *call, bool *matches, ToolError *error)
{
    for (uint32_t k = 0; k < call->signature->nresults; k++) {
        if (run->outputs.n) {
            if (!write_value(run->outputs.at[k], &call->results[k], run->max_elements, error))
                return false;
        } else if (!run->expected.n) {
            printf("result[%u]: ", k);
            tool_value_print(&call->results[k], run->max_elements, stdout);
            putchar('\n');
        }
        if (run->expected.n &&
            !expect(run, "result", k, &call->results[k], run->expected.at[k], &call->signature->results[k], matches, error))
            return false;
    }
    if (!deliver_args(run, call, matches, error))
        return false;
    if (run->expected.n && *matches)
        puts("[SUCCESS] all function outputs matched their expected values.");
    return true;
}

static bool call_once(BufvmContext *context, Call *call, ToolError *error)
{
    BufvmError from;
    memset(&from, 0, sizeof from);
    if (bufvm_call(context, call->number, call->raw_args, call->signature->nargs, call->raw_results, call->signature->nresults,
                   &from) != BUFVM_OK)
        return tool_fail_status(error, "call", &from);
    take_results(call);
    return true;
}

static void print_statistics(const BufvmContext *context)
{
    BufvmStatistics s;
    bufvm_context_statistics(context, &s);
    fflush(stdout);
    fprintf(stderr,
            "buffers allocated %" PRIu64 ", bytes now %" PRIu64 ", bytes peak %" PRIu64 ", instructions %" PRIu64 ", calls %" PRIu64
            ", not deallocated %" PRIu64 "\n",
            s.allocations, s.bytes_now, s.bytes_peak, s.instructions, s.calls, s.leaked_buffers);
}

enum { MAX_IMPORTS = 128 };

static void on_report(void *user, const BufvmReport *report)
{
    ToolRun *run = user;
    run->reports++;
    fflush(stdout);
    fprintf(stderr, "%s:%" PRIu32 ":%" PRIu32 ": sanitize: %s [%s] in @%s\n", report->file, report->line, report->col, report->text,
            report->kind, report->function);
}

static bool make_context(ToolRun *run, BufvmModule *module, ToolHost *host, BufvmContext **context, ToolError *error)
{
    BufvmImport imports[MAX_IMPORTS];
    BufvmError from;
    memset(&from, 0, sizeof from);
    size_t n = tool_host_imports(host, imports, MAX_IMPORTS);
    BufvmLimits limits = run->limits;
    limits.on_report = on_report;
    limits.report_user = run;
    limits.cpu = run->cpu ? run->cpu : getenv("BUFVM_CPU");
    if (bufvm_context_new(module, &limits, imports, n, NULL, context, &from) != BUFVM_OK)
        return tool_fail_status(error, "context", &from);
    return true;
}

/* Every export without arguments and results, each in a context of its own, as iree-check-module does. */
static int check_all(ToolRun *run, BufvmModule *module, const char *program)
{
    uint32_t passed = 0, failed = 0;
    ToolError error;
    for (uint32_t k = 0; k < bufvm_module_exports(module); k++) {
        const BufvmSignature *s = bufvm_module_export(module, k);
        if (is_hidden(s) || (run->function && strcmp(run->function, s->name) != 0))
            continue;
        if (s->nargs) {
            printf("[ SKIPPED ] %s (takes arguments)\n", s->name);
            continue;
        }
        ToolHost host = {.out = stdout, .report = stdout};
        uint32_t reports = run->reports;
        Call call = {.signature = s, .number = k};
        call.results = calloc(s->nresults + 1, sizeof *call.results);
        call.raw_results = calloc(s->nresults + 1, sizeof *call.raw_results);
        BufvmContext *context = NULL;
        bool ok = call.results && call.raw_results ? make_context(run, module, &host, &context, &error)
                                                   : tool_fail(&error, TOOL_LIMIT, "out of memory");
        printf("[ RUN     ] %s\n", s->name);
        fflush(stdout);
        ok = ok && call_once(context, &call, &error);
        if (!ok)
            printf("%s\n", error.text);
        ok = ok && host.failed_checks == 0 && run->reports == reports;
        printf(ok ? "[      OK ] %s\n" : "[  FAILED ] %s\n", s->name);
        ok ? passed++ : failed++;
        release_call(&call);
        bufvm_context_free(context);
    }
    printf("%u passed, %u failed\n", passed, failed);
    if (passed + failed == 0) {
        fprintf(stderr, "%s: error: the module exports no function without arguments to check\n", program);
        return TOOL_USAGE;
    }
    return (failed != 0) == run->expect_failure ? TOOL_OK : TOOL_MISMATCH;
}

/* Every export without arguments, in a context of its own. */
static bool benchmark_all(ToolRun *run, BufvmModule *module, ToolHost *host, ToolError *error)
{
    bool ok = true;
    for (uint32_t k = 0; ok && k < bufvm_module_exports(module); k++) {
        const BufvmSignature *s = bufvm_module_export(module, k);
        if (is_hidden(s) || s->nargs)
            continue;
        BufvmContext *context = NULL;
        BufvmValue *results = calloc(s->nresults + 1, sizeof *results);
        ok = results ? make_context(run, module, host, &context, error) : tool_fail(error, TOOL_LIMIT, "out of memory");
        ok = ok && tool_benchmark_function(&run->benchmark, &(ToolBenchmarkCall){context, k, s, NULL, results, &host->failed_checks}, error);
        if (ok && run->statistics)
            print_statistics(context);
        for (uint32_t i = 0; results && i < s->nresults; i++)
            bufvm_value_release(&results[i]);
        free(results);
        bufvm_context_free(context);
    }
    return ok;
}

/* As iree-benchmark-module does: the named or only function with the inputs given, else all that need none. */
static bool choose(const ToolRun *run, const BufvmModule *module, bool *all, ToolError *error)
{
    uint32_t visible = 0, ready = 0;
    for (uint32_t k = 0; k < bufvm_module_exports(module); k++) {
        const BufvmSignature *s = bufvm_module_export(module, k);
        visible += !is_hidden(s);
        ready += !is_hidden(s) && !s->nargs;
    }
    *all = !run->function && !run->inputs.n && visible > 1;
    return !*all || ready ||
           tool_fail(error, TOOL_USAGE, "the module exports no function without arguments: choose one with --function");
}

static int benchmark(ToolRun *run, BufvmModule *module, const char *program)
{
    ToolError error = {0};
    ToolHost host = {.out = stdout, .report = stdout};
    Call call = {0};
    BufvmContext *context = NULL;
    bool all, ok = choose(run, module, &all, &error);
    ok = ok && (all || (prepare(run, module, &call, &error) && make_context(run, module, &host, &context, &error)));
    if (ok) {
        tool_benchmark_begin(&run->benchmark, program);
        ToolBenchmarkCall one = {context, call.number, call.signature, call.raw_args, call.raw_results, &host.failed_checks};
        ok = all ? benchmark_all(run, module, &host, &error) : tool_benchmark_function(&run->benchmark, &one, &error);
        tool_benchmark_end(&run->benchmark);
    }
    if (ok && context && run->statistics)
        print_statistics(context);
    if (call.raw_results)
        take_results(&call);
    if (call.signature)
        release_call(&call);
    bufvm_context_free(context);
    if (ok && fflush(stdout) != 0)
        ok = tool_fail(&error, TOOL_IO, "standard output: %s", strerror(errno));
    if (!ok)
        return report(program, &error);
    return host.failed_checks == 0 ? TOOL_OK : TOOL_MISMATCH;
}

int tool_run_module(ToolRun *run, BufvmModule *module, const char *program)
{
    ToolError error = {0};
    if (run->list) {
        list_exports(module);
        return TOOL_OK;
    }
    if (run->check)
        return check_all(run, module, program);
    if (run->benchmark.on)
        return benchmark(run, module, program);
    ToolHost host = {.out = stdout, .report = stdout};
    Call call = {0};
    BufvmContext *context = NULL;
    bool matches = true;
    bool ok = prepare(run, module, &call, &error) && make_context(run, module, &host, &context, &error);
    ok = ok && call_once(context, &call, &error) && deliver(run, &call, &matches, &error);
    if (ok && run->statistics)
        print_statistics(context);
    if (call.signature)
        release_call(&call);
    bufvm_context_free(context);
    if (ok && fflush(stdout) != 0)
        ok = tool_fail(&error, TOOL_IO, "standard output: %s", strerror(errno));
    if (!ok)
        return report(program, &error);
    return matches && host.failed_checks == 0 && run->reports == 0 ? TOOL_OK : TOOL_MISMATCH;
}
