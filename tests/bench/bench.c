/* make bench: figures for the acceptance lines of execution speed, as ratios to peers measured in the same run.
 *
 *   bench [--source=DIR] [--only=1,2,8] [--peers=DIR] [--seconds=S] [--models=DIR] [--bert=SIZE]
 *
 * --only takes numbers of lines (0: limits of the machine; they are measured in every run); --peers (or BENCH_PEERS) names a folder
 * with other native loops, rows.c and ew.c; --seconds is the time for a row, --bert the one size of
 * line 8 to run.  Runs in the build folder, where ./vmc and ./vmrun
 * are. Nothing fails for being slow; what is missing on the machine is named.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Part {
    const char *number;
    void (*run)(const Bench *bench);
} Part;

static const Part parts[] = {{"1", bench_argmax}, {"2", bench_reductions}, {"3", bench_elementwise},
                             {"4", bench_chains}, {"5", bench_matmul},     {"6", bench_scalar},
                             {"7", bench_start},  {"8", bench_bert},       {"10", bench_kernels}};

static const char *value_of(const char *arg, const char *name)
{
    size_t n = strlen(name);
    return strncmp(arg, name, n) == 0 && arg[n] == '=' ? arg + n + 1 : NULL;
}

static bool selected(const char *only, const char *number)
{
    if (!only || !*only)
        return true;
    size_t n = strlen(number);
    for (const char *at = only; *at; at += strcspn(at, ", ") + (at[strcspn(at, ", ")] != 0))
        if (strcspn(at, ", ") == n && strncmp(at, number, n) == 0)
            return true;
    return false;
}

static int usage(const char *arg)
{
    fprintf(stderr,
            "bench: '%s' is not known\nusage: bench [--source=DIR] [--only=1,2,...] [--peers=DIR] [--seconds=S] [--models=DIR] "
            "[--bert=SIZE]\n",
            arg);
    return 2;
}

static void remove_scratch(const char *scratch)
{
    char command[1100];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    if (system(command) != 0)
        fprintf(stderr, "bench: %s stays\n", scratch);
}

int main(int argc, char **argv)
{
    const char *tmp = getenv("TMPDIR"), *only = NULL, *text;
    char scratch[1024];
    Bench bench = {.source = ".", .models = "bench-models", .peers = getenv("BENCH_PEERS"), .seconds = 0.6};
    if (argc > 2 && strcmp(argv[1], "--between") == 0)
        return bench_between(argv + 2);
    for (int i = 1; i < argc; i++) {
        if ((text = value_of(argv[i], "--source")))
            bench.source = text;
        else if ((text = value_of(argv[i], "--only")))
            only = text;
        else if ((text = value_of(argv[i], "--peers")))
            bench.peers = text;
        else if ((text = value_of(argv[i], "--models")))
            bench.models = text;
        else if ((text = value_of(argv[i], "--bert")))
            bench.bert = *text ? text : NULL;
        else if ((text = value_of(argv[i], "--seconds")) && atof(text) > 0)
            bench.seconds = atof(text);
        else
            return usage(argv[i]);
    }
    if (bench.peers && !*bench.peers)
        bench.peers = NULL;
    unsetenv("OPENBLAS_CORETYPE"); /* they would pick another kernel than the machine's */
    unsetenv("OPENBLAS_L2_SIZE");
    snprintf(scratch, sizeof scratch, "%s/bufvm-bench.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(scratch) || (mkdir(bench.models, 0777) != 0 && access(bench.models, W_OK) != 0)) {
        fprintf(stderr, "bench: no folder for scratch files\n");
        return 6;
    }
    bench.scratch = scratch;
    native_start(&bench);
    bench_limits(&bench);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (selected(only, parts[k].number))
            parts[k].run(&bench);
    native_stop();
    remove_scratch(scratch);
    return 0;
}
