/* Files that fail: each system call of a read, of a load and of a write in turn; short and interrupted reads and writes.
 *
 * A failed write leaves the old file as it was and nothing beside it; a failed read is an error that names the file.
 */
#include "../../vm/bytecode/module.h"
#include "../../vm/tools/tools.h"
#include "inject.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long failed, faults;
static char dir[] = "io.XXXXXX";
static char path[64];

static void check(bool ok, const char *what, unsigned long n)
{
    if (ok)
        return;
    failed++;
    printf("FAIL %s (call %lu)\n", what, n);
}

static char content[300001];

static bool same_content(const char *want, size_t n)
{
    char *data;
    size_t size;
    ToolError error;
    if (!tool_read_file(path, SIZE_MAX, &data, &size, &error))
        return false;
    bool same = size == n && memcmp(data, want, n) == 0;
    free(data);
    return same;
}

static unsigned files(void)
{
    DIR *d = opendir(dir);
    unsigned n = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        n += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return n;
}

/* ---- writing: all or nothing ---------------------------------------------------- */

static void writes(bool exists)
{
    ToolError error;
    for (unsigned long n = 1;; n++) {
        unlink(path);
        if (exists)
            check(tool_write_file(path, "old", 3, &error), "preparing", n);
        fault_arm(FAULT_FILE, n, false);
        bool ok = tool_write_file(path, content, sizeof content, &error);
        bool fired = fault_disarm();
        faults += fired;
        check(ok == !fired, "a write fails when a call fails", n);
        if (!ok) {
            check(error.exit == TOOL_IO && strstr(error.text, path), "the error names the file", n);
            check(exists ? same_content("old", 3) : access(path, F_OK) != 0, "a failed write changes nothing", n);
        } else {
            check(same_content(content, sizeof content), "a write is whole", n);
        }
        check(files() == (exists || ok), "no temporary is left", n);
        if (!fired)
            break;
    }
}

/* ---- reading -------------------------------------------------------------------- */

static void reads(void)
{
    ToolError error;
    check(tool_write_file(path, content, sizeof content, &error), "preparing", 0);
    for (unsigned long n = 1;; n++) {
        char *data = NULL;
        size_t size = 0;
        fault_arm(FAULT_FILE, n, false);
        bool ok = tool_read_file(path, SIZE_MAX, &data, &size, &error);
        bool fired = fault_disarm();
        faults += fired;
        /* fstat only tells how large a file is at first, and nothing is lost when a file that was read fails to close */
        check(ok ? size == sizeof content && memcmp(data, content, size) == 0 : fired, "a read is whole or fails", n);
        check(ok || (error.exit == TOOL_IO && strstr(error.text, path)), "the error names the file", n);
        free(data);
        if (!fired)
            break;
    }
}

static void loads(const void *module, size_t size, bool no_mmap)
{
    ToolError error;
    check(tool_write_file(path, module, size, &error), "preparing", 0);
    BufvmLoadOptions options = {.no_mmap = no_mmap};
    for (unsigned kinds = FAULT_FILE;; kinds = FAULT_MALLOC) {
        for (unsigned long n = 1;; n++) {
            BufvmModule *loaded = NULL;
            BufvmError why = {0};
            fault_arm(kinds, n, false);
            BufvmStatus status = bufvm_module_load_file(path, &options, &loaded, &why);
            bool fired = fault_disarm();
            faults += fired;
            check(status ? fired && !loaded : loaded != NULL, "a load gives a module or an error", n);
            check(!status || status == (kinds == FAULT_FILE ? BUFVM_IO : BUFVM_OUT_OF_MEMORY), bufvm_status_name(status), n);
            bufvm_module_release(loaded);
            if (!fired)
                break;
        }
        if (kinds == FAULT_MALLOC)
            break;
    }
}

/* ---- short and interrupted ------------------------------------------------------ */

static void short_moves(const void *module, size_t size)
{
    static const size_t most[] = {1, 7, 4096};
    ToolError error;
    BufvmLoadOptions options = {.no_mmap = true};
    for (size_t k = 0; k < 3; k++) {
        char *data = NULL;
        size_t n = 0;
        BufvmModule *loaded = NULL;
        BufvmError why;
        unlink(path);
        fault_short(most[k]);
        check(tool_write_file(path, content, sizeof content, &error), "short writes", most[k]);
        check(tool_read_file(path, SIZE_MAX, &data, &n, &error) && n == sizeof content && memcmp(data, content, n) == 0,
              "short reads", most[k]);
        free(data);
        check(tool_write_file(path, module, size, &error), "short writes", most[k]);
        check(bufvm_module_load_file(path, &options, &loaded, &why) == BUFVM_OK, "short reads of a module", most[k]);
        bufvm_module_release(loaded);
        fault_short(0);
    }
}

/* ---- a limit of what is read ---------------------------------------------------- */

static void limits(const void *module, size_t size)
{
    ToolError error;
    char *data;
    size_t n;
    BufvmModule *loaded = NULL;
    check(tool_write_file(path, module, size, &error), "preparing", 0);
    check(tool_read_file(path, 100, &data, &n, &error) && n == 100, "a read up to a limit", 0);
    free(data);
    for (int no_mmap = 0; no_mmap < 2; no_mmap++) {
        BufvmLoadOptions options = {.max_module_bytes = size - 1, .no_mmap = no_mmap};
        BufvmError why = {0};
        check(bufvm_module_load_file(path, &options, &loaded, &why) == BUFVM_LIMIT, "a module over the limit", 0);
        char both[2][24];
        snprintf(both[0], sizeof both[0], "%zu bytes", size);
        snprintf(both[1], sizeof both[1], "is %zu", size - 1);
        check(strstr(why.text, both[0]) && strstr(why.text, both[1]), why.text, 0);
    }
    /* a pipe has no size to look at first */
    int ends[2];
    char name[32];
    check(pipe(ends) == 0, "pipe", 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    if (access(name, R_OK) == 0 && size < 4096) {
        check(write(ends[1], module, size) == (ssize_t)size, "filling a pipe", 0);
        close(ends[1]);
        BufvmError why = {0};
        check(bufvm_module_load_file(name, &(BufvmLoadOptions){.max_module_bytes = size - 1}, &loaded, &why) == BUFVM_LIMIT,
              "a module over the limit from a pipe", 0);
    } else {
        close(ends[1]);
    }
    close(ends[0]);
}

int main(void)
{
    static const char text[] = ".function @main \"s:s\" scalars 1 buffers 0 {\n  ret (s0)\n}\n"
                               ".export @main = @main (s i64 \"i64\") -> (s i64 \"i64\")\n";
    void *module;
    size_t size;
    BufvmError why;
    if (!mkdtemp(dir) || bvm_assemble(NULL, text, strlen(text), &module, &size, &why))
        return 99;
    snprintf(path, sizeof path, "%s/file", dir);
    for (size_t k = 0; k < sizeof content; k++)
        content[k] = (char)(k * 31 >> 3);
    writes(false);
    writes(true);
    reads();
    loads(module, size, false);
    loads(module, size, true);
    short_moves(module, size);
    limits(module, size);
    unlink(path);
    check(rmdir(dir) == 0, "the folder is empty", 0);
    free(module);
    printf("%lu faults, %lu failed\n", faults, failed);
    return failed || faults < 20;
}
