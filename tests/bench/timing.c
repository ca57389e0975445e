/* Taking turns, medians, and the rows of the table. */
#include "bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RUNNERS = 10, ROUNDS = 25, FEWEST_ROUNDS = 3 };

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values, size_t n)
{
    double sorted[ROUNDS];
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_doubles);
    return sorted[n / 2];
}

static double least(const double *values, size_t n)
{
    double best = values[0];
    for (size_t i = 1; i < n; i++)
        best = values[i] < best ? values[i] : best;
    return best;
}

/* As many calls as fill a sample of two milliseconds. */
static long calibrate(const Runner *runner)
{
    long calls = 1;
    runner->run(runner->state, 1);
    for (;;) {
        double t = runner->run(runner->state, calls);
        if (t < 0 || t > 0.002 || calls > 1000000000)
            return calls;
        long more = t > 1e-6 ? (long)((double)calls * 0.0025 / t) : calls * 16;
        calls = more > calls ? more : calls + 1;
    }
}

void bench_measure(const Bench *bench, const Runner *runners, size_t n, Times *times, Pairing *pairings)
{
    static double samples[MOST_RUNNERS][ROUNDS];
    long calls[MOST_RUNNERS];
    if (n > MOST_RUNNERS)
        n = MOST_RUNNERS;
    for (size_t k = 0; k < n; k++)
        calls[k] = calibrate(&runners[k]);
    double start = bench_now();
    size_t rounds = 0;
    while (rounds < ROUNDS && (rounds < FEWEST_ROUNDS || bench_now() - start < bench->seconds)) {
        for (size_t k = 0; k < n; k++) {
            if (calls[k] > 1) /* the others' data went through the caches */
                runners[k].run(runners[k].state, 1 + calls[k] / 16);
            samples[k][rounds] = runners[k].run(runners[k].state, calls[k]) / (double)calls[k];
        }
        rounds++;
    }
    for (size_t k = 0; k < n; k++) {
        times[k] = (Times){least(samples[k], rounds), median(samples[k], rounds)};
        if (!pairings)
            continue;
        double ratios[ROUNDS];
        for (size_t r = 0; r < rounds; r++)
            ratios[r] = samples[k][r] / samples[0][r];
        pairings[k] = (Pairing){times[k], median(ratios, rounds), times[k].best / times[0].best};
    }
}

void bench_title(const char *text)
{
    printf("\n%s\n%-4s %-34s %12s %16s  %-24s %12s %8s %8s  %s\n", text, "line", "what", "ours", "", "peer", "peer's", "ratio",
           "of best", "bound");
    fflush(stdout);
}

void bench_skip(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    printf("     skipped: ");
    vprintf(format, list);
    putchar('\n');
    va_end(list);
    fflush(stdout);
}

static void print_time(double seconds)
{
    if (seconds < 1e-5)
        printf(" %9.1f ns", 1e9 * seconds);
    else if (seconds < 1e-2)
        printf(" %9.2f us", 1e6 * seconds);
    else
        printf(" %9.2f ms", 1e3 * seconds);
}

static bool meets(const Bound *bound, double speed)
{
    return bound->kind == SPEED_AT_LEAST ? speed >= bound->ratio : 1 / speed <= bound->ratio;
}

void bench_row(int line, const char *what, const Times *ours, double units, const char *unit, const char *peer,
               const Pairing *pairing, const Bound *bound)
{
    printf("%-4d %-34s", line, what);
    print_time(ours->median);
    if (units > 0)
        printf(" %8.2f %-7s", 1e-9 * units / ours->median, unit);
    else
        printf(" %16s", "");
    if (peer) {
        bool as_time = bound && bound->kind == TIME_AT_MOST;
        printf("  %-24s", peer);
        print_time(pairing->times.median);
        printf(" %8.2f %8.2f", as_time ? 1 / pairing->median : pairing->median, as_time ? 1 / pairing->best : pairing->best);
        if (bound && bound->kind != NO_BOUND)
            printf("  %s %.2f %s", as_time ? "time at most" : "speed at least", bound->ratio,
                   meets(bound, pairing->median) ? "met"
                   : meets(bound, pairing->best) ? "met by the best"
                                                 : "MISSED");
        else
            printf("  (speed)");
    }
    putchar('\n');
    fflush(stdout);
}

Times bench_rows(const Bench *bench, int line, const char *what, double units, const char *unit, const Runner *ours,
                 const Peer *peers, size_t npeers)
{
    Runner runners[MOST_RUNNERS] = {*ours};
    const Peer *there[MOST_RUNNERS] = {NULL};
    size_t n = 1;
    for (size_t k = 0; k < npeers && n < MOST_RUNNERS; k++)
        if (peers[k].runner.run) {
            there[n] = &peers[k];
            runners[n++] = peers[k].runner;
        }
    Times times[MOST_RUNNERS];
    Pairing pairings[MOST_RUNNERS];
    bench_measure(bench, runners, n, times, pairings);
    if (n == 1)
        bench_row(line, what, &times[0], units, unit, NULL, NULL, NULL);
    for (size_t k = 1; k < n; k++)
        bench_row(line, what, &times[0], units, unit, runners[k].name, &pairings[k], &there[k]->bound);
    return times[0];
}
