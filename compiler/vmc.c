/* vmc: compiles MLIR text to bytecode, assembly or another level of the pipeline.  Options and nothing else. */
#include "bufvmc.h"

#include "../vm/tools/tools.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

static const char program[] = "vmc";

typedef struct Vmc {
    BufvmcOptions options;
    const char *input, *output;
    bool run, statistics;
    ToolRun *run_options;
} Vmc;

static const char help[] =
    "usage: vmc INPUT.mlir [-o OUTPUT]          compile to a bytecode module (or the form that --emit names)\n"
    "       vmc INPUT.vmasm [-o OUTPUT]         assemble\n"
    "       vmc --run INPUT.mlir [run flags]    compile and run in memory\n"
    "INPUT and OUTPUT may be - for standard input and output. Without -o, bytecode goes to INPUT with the\n"
    "ending .vmb and text to standard output.\n\n"
    "  --emit=parse|core|buffers|schedule|asm|bytecode   the level to stop at; every text reads back\n"
    "  -O0 -O2                    only the passes that lowering needs; all passes (default)\n"
    "  --fp=strict|contract|fast  floating-point rules, recorded in the module (strict)\n"
    "  -g                         observation points, input text and op table in the module\n"
    "  --passes=A,B               run these passes and no others\n"
    "  --disable-pass=A,B         leave these passes out\n"
    "  --list-passes              print the passes and what they do\n"
    "  --dump-after=PASS,...|all  print the module behind a pass, on standard error\n"
    "  --time-passes              print the time of each pass, on standard error\n"
    "  --print-statistics         print what the compiler counted, on standard error\n"
    "  --elided=zero|random[:SEED]    value of dense_resource<__elided__> constants (an error otherwise)\n"
    "  --local-budget=BYTES       workgroup local memory that vmc may place per call chain (64K)\n"
    "  --allow-unregistered       keep ops of unknown dialects in custom form as text, as --emit=parse does\n"
    "  --row-major-matrices       vector.matrix_multiply and flat_transpose (else column-major, as LLVM)\n"
    "  --generic --print-locations --elide-constants=N     form of printed IR\n"
    "  --print-op-reference       print the reference of all ops\n"
    "  --max-memory=BYTES --max-errors=N    limits (with --run, --max-memory is the program's)\n"
    "  --flagfile=FILE            more flags, one a line\n"
    "  --help --version\n\n"
    "Run flags (with --run):\n";

static int fail(const ToolError *error)
{
    fflush(stdout);
    fprintf(stderr, "%s: error: %s\n", program, error->text);
    return (int)error->exit;
}

/* ---- options ---- */

typedef struct NamedValue {
    const char *name;
    int value;
} NamedValue;

static const NamedValue emits[] = {{"bytecode", BUFVMC_BYTECODE},
                                   {"asm", BUFVMC_ASM},
                                   {"parse", BUFVMC_PARSE},
                                   {"core", BUFVMC_CORE},
                                   {"buffers", BUFVMC_BUFFERS},
                                   {"schedule", BUFVMC_SCHEDULE},
                                   {NULL, 0}};
static const NamedValue fps[] = {{"strict", BUFVMC_STRICT}, {"contract", BUFVMC_CONTRACT}, {"fast", BUFVMC_FAST}, {NULL, 0}};

static bool choose(const NamedValue *table, const char *flag, const char *text, int *value, ToolError *error)
{
    char names[100] = "";
    for (; table->name; table++) {
        if (strcmp(table->name, text) == 0) {
            *value = table->value;
            return true;
        }
        size_t n = strlen(names);
        snprintf(names + n, sizeof names - n, "%s%s", n ? ", " : "", table->name);
    }
    return tool_fail(error, TOOL_USAGE, "--%s: '%.80s' is not among its values: %s", flag, text, names);
}

static void on_dump(void *user, const char *pass, const char *text, size_t n)
{
    (void)user;
    fprintf(stderr, "// ---- after %s ----\n", pass);
    fwrite(text, 1, n, stderr);
}

static void on_time(void *user, const char *pass, double seconds)
{
    (void)user;
    fprintf(stderr, "%10.3f ms  %s\n", 1e3 * seconds, pass);
}

static void on_statistic(void *user, const char *name, uint64_t value)
{
    (void)user;
    fprintf(stderr, "%12" PRIu64 "  %s\n", value, name);
}

/* 1 taken, 0 not ours, -1 error */
static int switch_flag(Vmc *vmc, const char *arg)
{
    BufvmcOptions *o = &vmc->options;
    if (strcmp(arg, "--time-passes") == 0) {
        o->on_time = on_time;
        return 1;
    }
    if (strcmp(arg, "--print-statistics") == 0) {
        o->on_statistic = on_statistic;
        vmc->statistics = true;
        return 1;
    }
    if (strcmp(arg, "-O0") == 0 || strcmp(arg, "-O2") == 0) {
        o->optimize = arg[2] == '0' ? 1 : 3;
        return 1;
    }
    const struct {
        const char *name;
        bool *flag;
    } switches[] = {{"-g", &o->debug},
                    {"--run", &vmc->run},
                    {"--generic", &o->generic},
                    {"--print-locations", &o->print_locations},
                    {"--row-major-matrices", &o->row_major_matrices},
                    {"--allow-unregistered", &o->allow_unregistered}};
    for (size_t k = 0; k < sizeof switches / sizeof *switches; k++)
        if (strcmp(arg, switches[k].name) == 0) {
            *switches[k].flag = true;
            return 1;
        }
    return 0;
}

static int number_flag(Vmc *vmc, int argc, char **argv, int *i, ToolError *error)
{
    static const char *const names[] = {"local-budget", "elide-constants", "max-memory", "max-errors"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *text = tool_flag_value(argc, argv, i, names[k]);
        uint64_t value;
        if (!text)
            continue;
        if (!tool_parse_u64(text, &value) || (k == 3 && value > UINT32_MAX)) {
            tool_fail(error, TOOL_USAGE, "--%s: '%.80s' is no number", names[k], text);
            return -1;
        }
        if (k == 0)
            vmc->options.local_budget = value;
        else if (k == 1)
            vmc->options.elide_over = value;
        else if (k == 2)
            vmc->options.max_memory = (size_t)value;
        else
            vmc->options.max_errors = (uint32_t)value;
        return 1;
    }
    return 0;
}

static int value_flag(Vmc *vmc, int argc, char **argv, int *i, ToolError *error)
{
    BufvmcOptions *o = &vmc->options;
    const struct {
        const char *name;
        const char **to;
    } texts[] = {
        {"passes", &o->passes}, {"disable-pass", &o->disable_passes}, {"dump-after", &o->dump_after}, {"elided", &o->elided}};
    const char *text;
    int value = 0;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if ((text = tool_flag_value(argc, argv, i, texts[k].name))) {
            *texts[k].to = text;
            o->on_dump = on_dump;
            return 1;
        }
    if ((text = tool_flag_value(argc, argv, i, "emit"))) {
        if (!choose(emits, "emit", text, &value, error))
            return -1;
        o->emit = (BufvmcEmit)value;
        return 1;
    }
    if ((text = tool_flag_value(argc, argv, i, "fp"))) {
        if (!choose(fps, "fp", text, &value, error))
            return -1;
        o->fp = (BufvmcFp)value;
        o->fp_given = true;
        return 1;
    }
    return 0;
}

static int print_table(const char *name)
{
    BufvmcOutput storage;
    memset(&storage, 0, sizeof storage);
    const char *text = bufvmc_table(name, &storage);
    if (text)
        fputs(text, stdout);
    bufvmc_output_free(&storage);
    return text ? TOOL_OK : TOOL_LIMIT;
}

/* true: done with *code */
static bool information_flag(const char *arg, int *code)
{
    *code = TOOL_OK;
    if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0)
        printf("%s%s\nExit codes: 0 fine, 1 the input has errors (with --run: an expected value differs or a check failed),\n"
               "2 bad usage or arguments, 3 the module does not load, 4 the program trapped, 5 a limit was reached,\n"
               "6 a file failed.\n",
               help, tool_run_help());
    else if (strcmp(arg, "--version") == 0)
        puts("vmc (bufvm) " PACKAGE_VERSION);
    else if (strcmp(arg, "--print-op-reference") == 0)
        *code = print_table("ops");
    else if (strcmp(arg, "--list-passes") == 0)
        *code = print_table("passes");
    else
        return false;
    return true;
}

/* --run may stand anywhere, and decides who gets the run flags. */
static bool has_run(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--run") == 0)
            return true;
    return false;
}

static bool parse_args(Vmc *vmc, int argc, char **argv, int *code)
{
    ToolError error = {0};
    bool run = has_run(argc, argv);
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (information_flag(arg, code))
            return false;
        int taken = run ? tool_run_flag(vmc->run_options, argc, argv, &i, &error) : 0;
        if (!taken || strcmp(arg, "--print-statistics") == 0)
            taken = switch_flag(vmc, arg);
        if (!taken)
            taken = value_flag(vmc, argc, argv, &i, &error);
        if (!taken)
            taken = number_flag(vmc, argc, argv, &i, &error);
        if (taken == 1)
            continue;
        if (taken == 0 && strncmp(arg, "-o", 2) == 0 && (arg[2] || i + 1 < argc)) {
            vmc->output = arg[2] ? arg + 2 : argv[++i];
            continue;
        }
        if (taken == 0 && (arg[0] != '-' || !arg[1]) && !vmc->input) {
            vmc->input = arg;
            continue;
        }
        if (taken == 0)
            tool_fail(&error, TOOL_USAGE,
                      arg[0] == '-' && arg[1] ? "unknown flag '%.200s' (vmc --help lists them)" : "a second input: '%.200s'", arg);
        *code = fail(&error);
        return false;
    }
    if (vmc->input && run && (vmc->output || vmc->options.emit != BUFVMC_BYTECODE)) {
        tool_fail(&error, TOOL_USAGE, "--run writes no output: leave out -o and --emit");
        *code = fail(&error);
        return false;
    }
    if (vmc->input)
        return true;
    tool_fail(&error, TOOL_USAGE, "no input given (vmc --help)");
    *code = fail(&error);
    return false;
}

/* ---- work ---- */

static bool has_ending(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

/* INPUT with its ending replaced by .vmb; free it */
static char *default_output(const Vmc *vmc)
{
    if (strcmp(vmc->input, "-") == 0 || vmc->options.emit != BUFVMC_BYTECODE)
        return strdup("-");
    const char *slash = strrchr(vmc->input, '/'), *dot = strrchr(vmc->input, '.');
    size_t n = dot && dot > (slash ? slash + 1 : vmc->input) ? (size_t)(dot - vmc->input) : strlen(vmc->input);
    char *path = malloc(n + 5);
    if (path) {
        memcpy(path, vmc->input, n);
        memcpy(path + n, ".vmb", 5);
    }
    return path;
}

static int run_output(Vmc *vmc, const BufvmcOutput *out)
{
    ToolError error;
    BufvmError from;
    BufvmLoadOptions load;
    BufvmModule *module;
    memset(&from, 0, sizeof from);
    tool_run_load_options(vmc->run_options, &load);
    if (bufvm_module_load(out->data, out->size, &load, &module, &from) != BUFVM_OK) {
        tool_fail_status(&error, "the compiled module", &from);
        return fail(&error);
    }
    int code = tool_run_module(vmc->run_options, module, program);
    bufvm_module_release(module);
    return code;
}

static int write_output(const Vmc *vmc, const BufvmcOutput *out)
{
    ToolError error;
    char *path = vmc->output ? strdup(vmc->output) : default_output(vmc);
    bool ok = path ? tool_write_file(path, out->data, out->size, &error) : tool_fail(&error, TOOL_LIMIT, "out of memory");
    free(path);
    return ok ? TOOL_OK : fail(&error);
}

static int compile(Vmc *vmc)
{
    ToolError error;
    char *text;
    size_t n;
    if (!tool_read_file(vmc->input, SIZE_MAX, &text, &n, &error))
        return fail(&error);
    vmc->options.file_name = strcmp(vmc->input, "-") == 0 ? "<stdin>" : vmc->input;
    vmc->options.text_is_terminated = true; /* as tool_read_file gives it */
    vmc->options.input_is_asm = has_ending(vmc->input, ".vmasm") || strncmp(text, ".version", 8) == 0;
    if (vmc->run)
        vmc->options.emit = BUFVMC_BYTECODE;
    BufvmcOutput out;
    BufvmcStatus status = bufvmc_compile(text, n, &vmc->options, &out);
    free(text);
    if (out.diagnostics)
        fputs(out.diagnostics, stderr);
    int code = TOOL_OK;
    if (status == BUFVMC_ERRORS) {
        code = TOOL_MISMATCH;
    } else if (status == BUFVMC_OUT_OF_MEMORY) {
        fprintf(stderr, "%s: error: out of memory (or --max-memory reached)\n", program);
        code = TOOL_LIMIT;
    } else if (status != BUFVMC_OK) {
        code = TOOL_USAGE; /* the diagnostics say what */
    }
    if (vmc->statistics)
        on_statistic(NULL, "compiler memory peak, bytes", out.memory_peak);
    if (code == TOOL_OK)
        code = vmc->run ? run_output(vmc, &out) : write_output(vmc, &out);
    bufvmc_output_free(&out);
    return code;
}

int main(int argc, char **argv)
{
    ToolError error;
    Vmc vmc = {0};
    int code = TOOL_OK;
    tool_start();
    if (!tool_expand_flagfiles(argc, argv, &argc, &argv, &error))
        return fail(&error);
    vmc.run_options = tool_run_new();
    if (!vmc.run_options)
        code = TOOL_LIMIT;
    else if (parse_args(&vmc, argc, argv, &code))
        code = compile(&vmc);
    tool_run_free(vmc.run_options);
    tool_free_args(argc, argv);
    return tool_end(program, code);
}
