/* vmrun: verifies a bytecode module and calls a function of it.  Options and nothing else. */
#include "tools/tools.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

static const char program[] = "vmrun";

static void print_help(void)
{
    printf("usage: vmrun MODULE.vmb [--function=NAME] [--input=VALUE]...\n"
           "Verifies a module made by vmc and calls a function of it. MODULE is a file or - (standard input);\n"
           "--module=FILE is the same. Results are printed as result[0]: 2x2xf32=[1 2][3 4].\n\n%s"
           "  --help --version\n\n"
           "Exit codes: 0 fine, 1 an expected value differs, a check failed or --sanitize reported, 2 bad usage or arguments,\n"
           "3 the module does not load, 4 the program trapped, 5 a limit was reached, 6 a file failed.\n",
           tool_run_help());
}

static int fail(const ToolError *error)
{
    fflush(stdout);
    fprintf(stderr, "%s: error: %s\n", program, error->text);
    return (int)error->exit;
}

/* 1: go on; 0: done with *code. */
static int parse_args(int argc, char **argv, ToolRun *run, const char **path, int *code)
{
    ToolError error = {0};
    for (int i = 1; i < argc; i++) {
        const char *module;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            return 0;
        }
        if (strcmp(argv[i], "--version") == 0) {
            puts("vmrun (bufvm) " PACKAGE_VERSION);
            return 0;
        }
        if (strncmp(argv[i], "--trace", 7) == 0 || strncmp(argv[i], "--profile", 9) == 0) {
            tool_fail(&error, TOOL_USAGE, "%.80s needs a module with observation points: compile with vmc -g", argv[i]);
            *code = fail(&error);
            return 0;
        }
        int taken = tool_run_flag(run, argc, argv, &i, &error);
        if (taken == 1)
            continue;
        if (taken == 0 && ((module = tool_flag_value(argc, argv, &i, "module")) || argv[i][0] != '-' || !argv[i][1])) {
            if (!*path) {
                *path = module ? module : argv[i];
                continue;
            }
            tool_fail(&error, TOOL_USAGE, "one module at a time: '%.200s' and '%.200s'", *path, module ? module : argv[i]);
        } else if (taken == 0) {
            tool_fail(&error, TOOL_USAGE, "unknown flag '%.200s' (vmrun --help lists them)", argv[i]);
        }
        *code = fail(&error);
        return 0;
    }
    if (!*path) {
        tool_fail(&error, TOOL_USAGE, "no module given (vmrun --help)");
        *code = fail(&error);
    }
    return *path != NULL;
}

static bool is_text(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".mlir") == 0 || strcmp(dot, ".vmasm") == 0);
}

static int run_path(ToolRun *run, const char *path)
{
    ToolError error;
    BufvmError from;
    BufvmLoadOptions options;
    BufvmModule *module;
    char *data = NULL;
    size_t size;
    memset(&from, 0, sizeof from);
    tool_run_load_options(run, &options);
    BufvmStatus status;
    if (strcmp(path, "-") == 0) {
        if (!tool_read_file(path, SIZE_MAX, &data, &size, &error))
            return fail(&error);
        status = bufvm_module_load(data, size, &options, &module, &from);
    } else {
        status = bufvm_module_load_file(path, &options, &module, &from);
    }
    int code;
    if (status == BUFVM_OK) {
        code = tool_run_module(run, module, program);
        bufvm_module_release(module);
    } else {
        if (status == BUFVM_INVALID_MODULE && is_text(path))
            tool_fail(&error, TOOL_MODULE, "%.200s is program text, not a module: compile it with vmc, or use vmc --run", path);
        else
            tool_fail_status(&error, path, &from);
        if (status == BUFVM_NOT_FOUND) /* here it is the file that is not there */
            error.exit = TOOL_IO;
        code = fail(&error);
    }
    free(data);
    return code;
}

int main(int argc, char **argv)
{
    ToolError error;
    const char *path = NULL;
    int code = TOOL_OK;
    tool_start();
    if (!tool_expand_flagfiles(argc, argv, &argc, &argv, &error))
        return fail(&error);
    ToolRun *run = tool_run_new();
    if (run && parse_args(argc, argv, run, &path, &code))
        code = run_path(run, path);
    if (!run)
        code = TOOL_LIMIT;
    tool_run_free(run);
    tool_free_args(argc, argv);
    return tool_end(program, code);
}
