/* Acceptance line 7: how long our programs take to start and end, beside an empty C program, and what they keep in memory. */
#include "bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool bench_spawn(const char *const *argv, Child *child)
{
    pid_t pid;
    struct rusage used;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    double start = bench_now();
    bool ok = posix_spawnp(&pid, argv[0], &files, NULL, (char *const *)(uintptr_t)argv, environ) == 0 &&
              wait4(pid, &child->status, 0, &used) == pid;
    child->seconds = bench_now() - start;
    posix_spawn_file_actions_destroy(&files);
    if (ok)
        child->peak_mb = (double)used.ru_maxrss / 1024;
    return ok && WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
}

int bench_between(char **argv)
{
    Child child = {0};
    bool ok = bench_spawn((const char *const *)(uintptr_t)argv, &child);
    printf("%d %.9f %f\n", ok, child.seconds, child.peak_mb);
    return 0;
}

bool bench_spawn_peak(const char *const *argv, Child *child)
{
    enum { MOST = 16 };
    char self[1024], text[128] = "", *between[MOST + 3] = {self, "--between"};
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    int ends[2], ok = 0;
    pid_t pid;
    if (length < 0 || pipe(ends))
        return bench_spawn(argv, child);
    self[length] = 0;
    for (int k = 0; k < MOST && argv[k]; k++)
        between[2 + k] = (char *)(uintptr_t)argv[k];
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    posix_spawn_file_actions_addclose(&files, ends[0]);
    bool started = posix_spawn(&pid, self, &files, NULL, between, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    for (size_t at = 0; started && at + 1 < sizeof text;) {
        ssize_t n = read(ends[0], text + at, sizeof text - 1 - at);
        if (n <= 0)
            break;
        at += (size_t)n;
    }
    close(ends[0]);
    if (started)
        waitpid(pid, &child->status, 0);
    return started && sscanf(text, "%d %lf %lf", &ok, &child->seconds, &child->peak_mb) == 3 && ok;
}

typedef struct Command {
    const char *argv[8];
} Command;

static double run_command(void *state, long calls)
{
    const Command *command = state;
    double seconds = 0;
    for (long k = 0; k < calls; k++) {
        Child child;
        if (!bench_spawn(command->argv, &child))
            return -1;
        seconds += child.seconds;
    }
    return seconds;
}

static bool compile_empty(const Bench *bench, const char *out)
{
    char command[4096], path[1100];
    const char *cc = getenv("BENCH_CC");
    snprintf(path, sizeof path, "%.1000s/empty.c", bench->scratch);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fputs("int main(void) { return 0; }\n", file);
    fclose(file);
    snprintf(command, sizeof command, "%.500s -O2 '%s' -o '%s' 2>/dev/null", cc ? cc : "gcc", path, out);
    return system(command) == 0;
}

/* A peer that is there and accepts the program, or no runner. */
static Runner peer_command(const char *name, Command *command)
{
    Child child;
    bool there = bench_spawn(command->argv, &child);
    if (!there)
        bench_skip("%s: not on this machine", name);
    return (Runner){name, there ? run_command : NULL, command};
}

void bench_start(const Bench *bench)
{
    char empty[1024], source[1024], module[1024], mlir_opt[64] = "mlir-opt";
    bench_title("7. start to end of a process");
    snprintf(empty, sizeof empty, "%s/empty", bench->scratch);
    snprintf(source, sizeof source, "%s/examples/argmax.mlir", bench->source);
    snprintf(module, sizeof module, "%s/argmax.vmb", bench->scratch);
    if (access("/usr/lib/llvm-19/bin/mlir-opt", X_OK) == 0)
        strcpy(mlir_opt, "/usr/lib/llvm-19/bin/mlir-opt");
    Command nothing = {{empty}}, vmc = {{"./vmc", source, "-o", module}};
    Command vmrun = {{"./vmrun", module, "--input=2x5xf32=[1 9 3 9 2][-5 -1 -2 -1 -3]"}}, opt = {{mlir_opt, source}};
    Child child;
    if (!compile_empty(bench, empty)) {
        bench_skip("no C compiler for an empty program");
        return;
    }
    if (!bench_spawn(vmc.argv, &child) || !bench_spawn(vmrun.argv, &child)) {
        bench_skip("./vmc or ./vmrun does not run %s", source);
        return;
    }
    Runner base = {"empty C program", run_command, &nothing}, ours[] = {{"ours", run_command, &vmc}, {"ours", run_command, &vmrun}};
    Peer peers[] = {{base, {TIME_AT_MOST, 4}}, {peer_command("mlir-opt, parsing only", &opt), {NO_BOUND, 0}}};
    bench_rows(bench, 7, "vmc of examples/argmax.mlir", 0, "", &ours[0], peers, 2);
    peers[0].bound.ratio = 3;
    bench_rows(bench, 7, "vmrun of its module", 0, "", &ours[1], peers, 1);
    double peaks[3] = {0};
    const Command *const commands[] = {&vmrun, &vmc, &nothing};
    for (int k = 0; k < 3; k++)
        if (bench_spawn_peak(commands[k]->argv, &child))
            peaks[k] = child.peak_mb;
    printf("%-4d %-34s %9.2f MB   (vmc %.2f, empty C program %.2f)  at most 5.00 MB %s\n", 7, "vmrun resident", peaks[0], peaks[1],
           peaks[2], peaks[0] <= 5 ? "met" : "MISSED");
}
