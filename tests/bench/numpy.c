/* numpy in a process of its own, driven over pipes; it times itself, so the pipe costs nothing that is counted. */
#include "bench.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* false: no answer, or an error, whose text is in `text`. */
static bool ask(const Numpy *n, const char *line, char *text, size_t room)
{
    size_t at = 0;
    text[0] = 0;
    if (n->pid <= 0 || write(n->to, line, strlen(line)) != (ssize_t)strlen(line))
        return false;
    while (at + 1 < room && read(n->from, text + at, 1) == 1 && text[at] != '\n')
        at++;
    text[at] = 0;
    return at && strncmp(text, "error", 5) != 0;
}

static bool start(const Bench *bench, Numpy *n)
{
    char script[1024];
    const char *python = getenv("BENCH_PYTHON");
    snprintf(script, sizeof script, "%s/tests/bench/numpy_peer.py", bench->source);
    if (!python)
        python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
    int to[2], from[2];
    if (pipe(to) || pipe(from))
        return false;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, to[0], 0);
    posix_spawn_file_actions_adddup2(&files, from[1], 1);
    for (int k = 0; k < 2; k++) {
        posix_spawn_file_actions_addclose(&files, to[k]);
        posix_spawn_file_actions_addclose(&files, from[k]);
    }
    char *argv[] = {(char *)(uintptr_t)python, script, NULL};
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    bool ok = posix_spawnp(&n->pid, python, &files, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    close(to[0]);
    close(from[1]);
    n->to = to[1];
    n->from = from[0];
    if (!ok)
        n->pid = -1;
    return ok;
}

static double run_numpy(void *state, long calls)
{
    char line[64], text[256];
    const Numpy *n = state;
    snprintf(line, sizeof line, "run %d %ld\n", n->number, calls);
    return ask(n, line, text, sizeof text) ? 1e-9 * atof(text) : -1;
}

Runner numpy_runner(const Bench *bench, Numpy *n, const char *setup)
{
    static bool told;
    char text[512];
    Runner none = {.name = "numpy"};
    signal(SIGPIPE, SIG_IGN);
    if (!n->pid && !start(bench, n))
        return none;
    char line[2048];
    snprintf(line, sizeof line, "%s\n", setup);
    if (!ask(n, line, text, sizeof text)) {
        if (!told)
            bench_skip("numpy: %s", text[0] ? text : "no answer");
        told = true;
        return none;
    }
    n->number = atoi(text);
    return (Runner){"numpy", run_numpy, n};
}

double numpy_peak_mb(const Numpy *n)
{
    char text[256];
    return ask(n, "peak\n", text, sizeof text) ? atof(text) : 0;
}

void numpy_stop(Numpy *n)
{
    if (n->pid > 0) {
        close(n->to);
        close(n->from);
        waitpid(n->pid, NULL, 0);
    }
    *n = (Numpy){0};
}
