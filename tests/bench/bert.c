/* Acceptance line 8: BERT classifiers of several sizes, in all three modes, beside the same network in numpy. */
#include "../../vm/tools/tools.h"
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Model {
    const char *size;
    int tokens, layers, width, inner;
    double tolerance; /* of the logits */
} Model;

static const Model models[] = {{"tiny", 12, 2, 128, 512, 1e-6},    {"tiny", 128, 2, 128, 512, 1e-6},
                               {"mini", 12, 4, 256, 1024, 5e-6},   {"mini", 128, 4, 256, 1024, 5e-6},
                               {"minilm", 12, 6, 384, 1536, 5e-6}, {"minilm", 128, 6, 384, 1536, 5e-6},
                               {"base", 12, 12, 768, 3072, 2e-5}};

static const char *const mode_names[] = {"strict", "contract", "fast"};
enum { MODES = 3, VARIANTS = 4 }; /* the last: contract on two threads */

typedef struct Loaded { /* a model in one mode */
    BufvmModule *module;
    BufvmContext *context;
    BufvmValue *ids;
    bool by_wall;
    double worst; /* error of the logits */
    double peak_mb;
} Loaded;

static double operations(const Model *m)
{
    double t = m->tokens, w = m->width;
    return m->layers * (2 * t * (4 * w * w + 2 * w * m->inner) + 4 * t * t * w) + 2 * w * w;
}

static bool make_model(const Bench *bench, const Model *m, const char *prefix)
{
    char path[1200], script[1200], tokens[16];
    snprintf(path, sizeof path, "%s.logits.npy", prefix); /* written last */
    if (access(path, R_OK) == 0)
        return true;
    snprintf(script, sizeof script, "%s/tests/models/bert.py", bench->source);
    snprintf(tokens, sizeof tokens, "%d", m->tokens);
    const char *python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
    const char *argv[] = {python, script, "--size", m->size, "--tokens", tokens, "--dump", "-o", prefix, NULL};
    Child child;
    return bench_spawn(argv, &child);
}

static double run_model(void *state, long calls)
{
    Loaded *l = state;
    double (*now)(void) = l->by_wall ? bench_now : bench_cpu_now;
    double start = now();
    for (long k = 0; k < calls; k++) {
        BufvmValue result = {0};
        if (bufvm_call(l->context, 0, l->ids, 1, &result, 1, NULL))
            return -1;
        bufvm_value_release(&result);
    }
    return now() - start;
}

static double worst_error(Loaded *l, const BufvmValue *logits)
{
    BufvmValue result = {0};
    double worst = 0;
    if (bufvm_call(l->context, 0, l->ids, 1, &result, 1, NULL))
        return INFINITY;
    for (int i = 0; i < 2; i++) {
        float x, y;
        memcpy(&x, bufvm_buffer_data(result.view.buffer) + result.view.offset + 4 * i, sizeof x);
        memcpy(&y, bufvm_buffer_data(logits->view.buffer) + logits->view.offset + 4 * i, sizeof y);
        double error = fabs((double)x - (double)y);
        worst = error > worst || isnan(error) ? error : worst;
    }
    bufvm_value_release(&result);
    return worst;
}

static void unload(Loaded *l)
{
    bufvm_context_free(l->context);
    bufvm_module_release(l->module);
    *l = (Loaded){0};
}

/* Compiled by ./vmc, so that its memory is its own. */
static bool load_mode(const char *prefix, const char *mode, unsigned threads, Loaded *l, Child *compiler)
{
    char source[1200], module[1200], flag[32];
    BufvmError error;
    snprintf(source, sizeof source, "%s.mlir", prefix);
    snprintf(module, sizeof module, "%s-%s.vmb", prefix, mode);
    snprintf(flag, sizeof flag, "--fp=%s", mode);
    const char *argv[] = {"./vmc", source, flag, "-o", module, NULL};
    BufvmLimits limits = {.threads = threads, .memory = UINT64_C(16) << 30, .cpu = getenv("BUFVM_CPU")};
    if (compiler && !bench_spawn_peak(argv, compiler)) {
        bench_skip("%s does not compile with %s", source, flag);
        return false;
    }
    if (bufvm_module_load_file(module, NULL, &l->module, &error) ||
        bufvm_context_new(l->module, &limits, NULL, 0, NULL, &l->context, &error)) {
        bench_skip("%s: %s", module, error.text);
        unload(l);
        return false;
    }
    return true;
}

static double process_peak(const char *prefix, const char *mode)
{
    char module[1200], input[1200];
    snprintf(module, sizeof module, "%s-%s.vmb", prefix, mode);
    snprintf(input, sizeof input, "--input=@%s.ids.npy", prefix);
    const char *argv[] = {"./vmrun", "--max-memory=16G", module, input, NULL};
    Child child;
    return bench_spawn_peak(argv, &child) ? child.peak_mb : 0;
}

/* Two threads beside one, and the same of a loop that stays in registers, all by the wall clock and in turns. */
static void threads_row(const Bench *bench, Loaded *one, Loaded *two)
{
    Times times[4];
    double work = 2e7;
    Runner runners[4] = {{"one", run_model, one}, {"two", run_model, two}};
    one->by_wall = true;
    bool limited = native_two_threads(work, &runners[2], &runners[3]);
    bench_measure(bench, runners, limited ? 4 : 2, times, NULL);
    one->by_wall = false;
    double gain = times[0].best / times[1].best, limit = limited ? times[2].best / times[3].best : 0;
    printf("%-4d two threads gain %.2f", 8, gain);
    if (limited)
        printf("; a loop in registers gains %.2f; share %.2f, at least 0.85 %s", limit, gain / limit,
               gain >= 0.85 * limit ? "met" : "MISSED");
    putchar('\n');
}

static void model_rows(const Bench *bench, const Model *m, const char *prefix, BufvmValue *ids, const BufvmValue *logits)
{
    static const Bound bounds[VARIANTS] = {{TIME_AT_MOST, 1.5}, {SPEED_AT_LEAST, 1}, {NO_BOUND, 0}, {NO_BOUND, 0}};
    Loaded loaded[VARIANTS] = {{0}};
    Runner runners[VARIANTS + 1];
    int which[VARIANTS + 1], n = 0;
    char what[80], setup[2600];
    for (int k = 0; k < VARIANTS; k++) {
        Child compiler = {0};
        const char *mode = mode_names[k < MODES ? k : 1];
        if (!load_mode(prefix, mode, k < MODES ? 1 : 2, &loaded[k], k < MODES ? &compiler : NULL))
            continue;
        loaded[k].ids = ids;
        loaded[k].by_wall = k >= MODES;
        loaded[k].worst = worst_error(&loaded[k], logits);
        loaded[k].peak_mb = k < MODES ? process_peak(prefix, mode) : 0;
        if (k < MODES)
            printf(
                "%-4d bert %s %d %s: compiled in %.2f s with %.0f MB, vmrun's peak %.0f MB; logits off by %.1e, at most %.0e %s\n",
                8, m->size, m->tokens, mode, compiler.seconds, compiler.peak_mb, loaded[k].peak_mb, loaded[k].worst, m->tolerance,
                loaded[k].worst <= m->tolerance ? "met" : "MISSED");
        fflush(stdout);
        which[n] = k;
        runners[n++] = (Runner){"ours", run_model, &loaded[k]};
    }
    Numpy numpy = {0};
    snprintf(setup, sizeof setup, "bert %s %d %s %s/tests/models/bert.py", m->size, m->tokens, prefix, bench->source);
    Runner peer = numpy_runner(bench, &numpy, setup);
    int count = n + (peer.run != NULL);
    runners[n] = peer;
    Times times[VARIANTS + 1];
    Pairing pairings[VARIANTS + 1];
    if (n)
        bench_measure(bench, runners, (size_t)count, times, pairings);
    for (int k = 0; k < n; k++) {
        snprintf(what, sizeof what, "bert %s %d %s%s", m->size, m->tokens, mode_names[which[k] < MODES ? which[k] : 1],
                 which[k] < MODES ? "" : ", 2 threads");
        Pairing pairing = pairings[count - 1]; /* its ratios are to the first runner */
        pairing.median = pairing.times.median / times[k].median;
        pairing.best = pairing.times.best / times[k].best;
        bench_row(8, what, &times[k], operations(m), "GFLOP/s", peer.run ? "numpy" : NULL, &pairing, &bounds[which[k]]);
    }
    if (peer.run)
        printf("%-4d numpy's process: peak %.0f MB\n", 8, numpy_peak_mb(&numpy));
    if (n == VARIANTS)
        threads_row(bench, &loaded[1], &loaded[3]);
    numpy_stop(&numpy);
    for (int k = 0; k < VARIANTS; k++)
        unload(&loaded[k]);
    for (int k = 0; k < MODES; k++) {
        snprintf(setup, sizeof setup, "%s-%s.vmb", prefix, mode_names[k]);
        unlink(setup);
    }
}

void bench_bert(const Bench *bench)
{
    bench_title("8. BERT, beside numpy with OpenBLAS on one thread");
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        if (bench->bert && strcmp(bench->bert, models[k].size) != 0)
            continue;
        char prefix[1024], text[1100];
        ToolValue ids = {0}, logits = {0};
        ToolError error = {0};
        snprintf(prefix, sizeof prefix, "%s/bert-%s-%d", bench->models, models[k].size, models[k].tokens);
        if (!make_model(bench, &models[k], prefix)) {
            bench_skip("bert %s: python3 with numpy writes the model", models[k].size);
            continue;
        }
        snprintf(text, sizeof text, "@%s.ids.npy", prefix);
        bool ok = tool_value_parse(text, NULL, &ids, &error);
        snprintf(text, sizeof text, "@%s.logits.npy", prefix);
        ok = ok && tool_value_parse(text, NULL, &logits, &error);
        if (ok)
            model_rows(bench, &models[k], prefix, &ids.value, &logits.value);
        else
            bench_skip("%s: %s", prefix, error.text);
        tool_value_release(&ids);
        tool_value_release(&logits);
    }
}
