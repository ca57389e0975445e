/* --benchmark: the same call again and again in one process, and what that took.
 *
 * After a warm-up the calls of a repetition are timed in groups: a group is one call, or as many as last ten microseconds, so that
 * reading the clock does not count.  Results go into the buffers that the first call made.  Flags and JSON are as users of
 * Google's library know them; what is printed is what is known: times, the bytes of arguments and results, and the
 * instructions that the context counted.
 */
#include "tools.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

enum { MOST_GROUPS = 1 << 20, MOST_REPETITIONS = 10000 };
#define SHORTEST_GROUP 1e-5

/* ---- flags ---- */

static bool parse_seconds(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (end != text && *end == 's')
        end++;
    return end != text && !*end && *out > 0 && *out < 1e6;
}

static bool parse_min_time(const char *text, ToolBenchmark *b)
{
    size_t n = strlen(text);
    if (n > 1 && text[n - 1] == 'x') {
        char *end;
        b->calls = strtoull(text, &end, 10);
        return *text >= '0' && *text <= '9' && end == text + n - 1 && b->calls > 0;
    }
    b->calls = 0;
    return parse_seconds(text, &b->seconds);
}

static bool parse_format(const char *text, ToolBenchmark *b)
{
    b->json = strcmp(text, "json") == 0;
    return b->json || strcmp(text, "console") == 0 || strcmp(text, "text") == 0;
}

int tool_benchmark_flag(ToolBenchmark *b, int argc, char **argv, int *i, ToolError *error)
{
    const char *text, *wanted;
    uint64_t number;
    bool ok;
    if (strcmp(argv[*i], "--benchmark") == 0) {
        b->on = true;
        return 1;
    }
    const char *flag = argv[*i];
    if (strncmp(flag, "--benchmark=", 12) == 0) {
        ok = parse_seconds(text = flag + 12, &b->seconds);
        b->calls = 0;
        wanted = "a number of seconds";
    } else if ((text = tool_flag_value(argc, argv, i, "benchmark_min_time"))) {
        ok = parse_min_time(text, b);
        wanted = "a time ('0.5s') or a number of calls ('100x')";
    } else if ((text = tool_flag_value(argc, argv, i, "benchmark_min_warmup_time"))) {
        ok = parse_seconds(text, &b->warm_up);
        wanted = "a number of seconds";
    } else if ((text = tool_flag_value(argc, argv, i, "benchmark_repetitions"))) {
        ok = tool_parse_u64(text, &number) && number > 0 && number <= MOST_REPETITIONS;
        b->repetitions = ok ? (uint32_t)number : 0;
        wanted = "a number of repetitions (1 to 10000)";
    } else if ((text = tool_flag_value(argc, argv, i, "benchmark_format"))) {
        ok = parse_format(text, b);
        wanted = "'console' or 'json'";
    } else {
        return 0;
    }
    b->on = true;
    if (!ok)
        tool_fail(error, TOOL_USAGE, "%.*s: '%.80s' is not %s", (int)strcspn(flag, "="), flag, text, wanted);
    return ok ? 1 : -1;
}

/* ---- figures ---- */

typedef struct Figures { /* seconds per call */
    uint64_t calls;
    double least, median, most, mean, cpu;
    double instructions; /* per call */
} Figures;

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool call_group(const ToolBenchmarkCall *c, uint64_t calls, ToolError *error)
{
    BufvmError from;
    from.text[0] = 0;
    for (uint64_t k = 0; k < calls; k++) {
        if (bufvm_call(c->context, c->number, c->args, c->signature->nargs, c->results, c->signature->nresults, &from) == BUFVM_OK)
            continue;
        if (from.status == BUFVM_INVALID_ARGUMENT) { /* sizes that differ from call to call: a new buffer for each */
            if (bufvm_call(c->context, c->number, c->args, c->signature->nargs, c->results, c->signature->nresults, &from) ==
                BUFVM_OK)
                continue;
        }
        return tool_fail_status(error, "call", &from);
    }
    return true;
}

/* Calls until the time is over; finds how many calls make a group. */
static bool warm_up(const ToolBenchmarkCall *c, double seconds, uint64_t *group, ToolError *error)
{
    double start = now(CLOCK_MONOTONIC), last;
    *group = 1;
    uint64_t failed = *c->failed_checks;
    if (!call_group(c, 1, error)) /* makes the results' buffers */
        return false;
    if (*c->failed_checks > failed)
        return tool_fail(error, TOOL_MISMATCH, "@%s: a check failed, so it is not timed", c->signature->name);
    do {
        double t = now(CLOCK_MONOTONIC);
        if (!call_group(c, *group, error))
            return false;
        last = now(CLOCK_MONOTONIC);
        if (last - t < SHORTEST_GROUP)
            *group *= 2;
        else if (last - start >= seconds)
            return true;
    } while (true);
}

static bool repetition(const ToolBenchmark *b, const ToolBenchmarkCall *c, uint64_t group, double *times, Figures *out,
                       ToolError *error)
{
    BufvmStatistics before, after;
    double budget = b->seconds > 0 ? b->seconds : 1, cpu = now(CLOCK_PROCESS_CPUTIME_ID), start = now(CLOCK_MONOTONIC), end = start;
    uint64_t calls = 0;
    size_t n = 0;
    bufvm_context_statistics(c->context, &before);
    if (b->calls / MOST_GROUPS >= group)
        group = b->calls / MOST_GROUPS + 1;
    while (n < MOST_GROUPS && (b->calls ? calls < b->calls : n == 0 || end - start < budget)) {
        uint64_t now_calls = b->calls && b->calls - calls < group ? b->calls - calls : group;
        double t = now(CLOCK_MONOTONIC);
        if (!call_group(c, now_calls, error))
            return false;
        end = now(CLOCK_MONOTONIC);
        times[n++] = (end - t) / (double)now_calls;
        calls += now_calls;
    }
    bufvm_context_statistics(c->context, &after);
    *out = (Figures){.calls = calls,
                     .mean = (end - start) / (double)calls,
                     .cpu = (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / (double)calls,
                     .instructions = (double)(after.instructions - before.instructions) / (double)calls};
    qsort(times, n, sizeof *times, compare_doubles);
    out->least = times[0];
    out->median = times[n / 2];
    out->most = times[n - 1];
    return true;
}

static uint64_t value_bytes(const BufvmValue *value)
{
    if (value->kind == BUFVM_VIEW || value->kind == BUFVM_STRIDED)
        return tool_view_count(&value->view) * bufvm_elem_bytes(value->view.elem);
    return value->kind == BUFVM_SCALAR ? bufvm_elem_bytes(value->elem) : 0;
}

static uint64_t bytes_of(const ToolBenchmarkCall *c)
{
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < c->signature->nargs; k++)
        bytes += value_bytes(&c->args[k]);
    for (uint32_t k = 0; k < c->signature->nresults; k++)
        bytes += value_bytes(&c->results[k]);
    return bytes;
}

/* ---- printing ---- */

static void print_json_text(const char *text)
{
    putchar('"');
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        if (*p == '"' || *p == '\\')
            printf("\\%c", *p);
        else if (*p < 32)
            printf("\\u%04x", *p);
        else
            putchar(*p);
    putchar('"');
}

void tool_benchmark_begin(const ToolBenchmark *b, const char *program)
{
    if (!b->json) {
        printf("%-32s %12s %12s %12s %12s\n", "function", "calls", "minimum", "median", "maximum");
        return;
    }
    char date[64] = "";
    time_t seconds = time(NULL);
    struct tm parts;
    if (localtime_r(&seconds, &parts))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S%z", &parts);
    printf("{\n  \"context\": {\n    \"date\": \"%s\",\n    \"executable\": \"%s\",\n    \"version\": \"%s\",\n"
           "    \"num_cpus\": %ld\n  },\n  \"benchmarks\": [",
           date, program, PACKAGE_VERSION, sysconf(_SC_NPROCESSORS_ONLN));
}

void tool_benchmark_end(const ToolBenchmark *b)
{
    if (b->json)
        puts("\n  ]\n}");
}

static void json_head(ToolBenchmark *b, const char *name, const char *aggregate, uint32_t index)
{
    char full[300];
    printf("%s\n    {\n      \"name\": ", b->rows++ ? "," : "");
    snprintf(full, sizeof full, "%s%s%s", name, aggregate ? "_" : "", aggregate ? aggregate : "");
    print_json_text(full);
    printf(",\n      \"run_name\": ");
    print_json_text(name);
    printf(",\n      \"run_type\": \"%s\",\n      \"repetitions\": %" PRIu32 ",\n", aggregate ? "aggregate" : "iteration",
           b->repetitions ? b->repetitions : 1);
    if (aggregate)
        printf("      \"aggregate_name\": \"%s\",\n", aggregate);
    else
        printf("      \"repetition_index\": %" PRIu32 ",\n", index);
    printf("      \"threads\": 1,\n");
}

static void json_row(ToolBenchmark *b, const char *name, uint32_t index, const Figures *f, uint64_t bytes)
{
    json_head(b, name, NULL, index);
    printf("      \"iterations\": %" PRIu64
           ",\n      \"real_time\": %.3f,\n      \"cpu_time\": %.3f,\n      \"time_unit\": \"ns\",\n"
           "      \"min_time\": %.3f,\n      \"median_time\": %.3f,\n      \"max_time\": %.3f,\n      \"items_per_second\": %.6g,\n"
           "      \"bytes\": %" PRIu64
           ",\n      \"bytes_per_second\": %.6g,\n      \"instructions\": %.6g,\n      \"instructions_per_second\": %.6g\n    }",
           f->calls, 1e9 * f->mean, 1e9 * f->cpu, 1e9 * f->least, 1e9 * f->median, 1e9 * f->most, 1 / f->median, bytes,
           (double)bytes / f->median, f->instructions, f->instructions / f->median);
}

static void print_time(double seconds)
{
    if (seconds < 1e-6)
        printf(" %9.1f ns", 1e9 * seconds);
    else if (seconds < 1e-3)
        printf(" %9.3f us", 1e6 * seconds);
    else if (seconds < 1)
        printf(" %9.3f ms", 1e3 * seconds);
    else
        printf(" %9.3f s ", seconds);
}

static void console_row(const char *name, const Figures *f, uint64_t bytes)
{
    printf("@%-31s %12" PRIu64, name, f->calls);
    print_time(f->least);
    print_time(f->median);
    print_time(f->most);
    if (bytes)
        printf("  %" PRIu64 " bytes, %.4g GB/s", bytes, 1e-9 * (double)bytes / f->median);
    printf("  %.6g instructions, %.4g G/s\n", f->instructions, 1e-9 * f->instructions / f->median);
}

/* Over the repetitions: of the mean times, as elsewhere. */
static void print_aggregates(ToolBenchmark *b, const char *name, const Figures *all)
{
    double mean[2] = {0}, deviation[2] = {0}, values[2][MOST_REPETITIONS];
    uint32_t n = b->repetitions;
    for (uint32_t r = 0; r < n; r++) {
        values[0][r] = all[r].mean;
        values[1][r] = all[r].cpu;
        for (int k = 0; k < 2; k++)
            mean[k] += values[k][r] / n;
    }
    for (int k = 0; k < 2; k++) {
        for (uint32_t r = 0; r < n; r++)
            deviation[k] += (values[k][r] - mean[k]) * (values[k][r] - mean[k]);
        deviation[k] = sqrt(deviation[k] / (n - 1));
        qsort(values[k], n, sizeof *values[k], compare_doubles);
    }
    double median[2] = {values[0][n / 2], values[1][n / 2]};
    const struct {
        const char *name;
        const double *values;
    } rows[] = {{"mean", mean}, {"median", median}, {"stddev", deviation}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (b->json) {
            json_head(b, name, rows[k].name, 0);
            printf("      \"iterations\": %" PRIu32 ",\n      \"real_time\": %.3f,\n      \"cpu_time\": %.3f,\n"
                   "      \"time_unit\": \"ns\"\n    }",
                   n, 1e9 * rows[k].values[0], 1e9 * rows[k].values[1]);
        } else {
            printf("@%s, %s of the repetitions:", name, rows[k].name);
            print_time(rows[k].values[0]);
            putchar('\n');
        }
    }
}

bool tool_benchmark_function(ToolBenchmark *b, const ToolBenchmarkCall *call, ToolError *error)
{
    uint32_t n = b->repetitions ? b->repetitions : 1;
    double budget = b->seconds > 0 ? b->seconds : 1, *times = malloc(MOST_GROUPS * sizeof *times);
    Figures *all = calloc(n, sizeof *all);
    uint64_t group = 1;
    bool ok = times && all ? warm_up(call, b->warm_up > 0 ? b->warm_up : budget / 10, &group, error)
                           : tool_fail(error, TOOL_LIMIT, "out of memory");
    for (uint32_t r = 0; ok && r < n; r++) {
        ok = repetition(b, call, group, times, &all[r], error);
        if (!ok)
            break;
        if (b->json)
            json_row(b, call->signature->name, r, &all[r], bytes_of(call));
        else
            console_row(call->signature->name, &all[r], bytes_of(call));
        fflush(stdout);
    }
    if (ok && n > 1)
        print_aggregates(b, call->signature->name, all);
    free(times);
    free(all);
    return ok;
}
