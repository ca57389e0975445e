/* Whole files in and out.  Writing goes to a temporary beside the target that is renamed at the end, so that
 * a failure leaves the old file; targets that are no regular files (pipes, /dev/full) are written in place. */
#include "../bytecode/pages.h"
#include "tools.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void tool_start(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    for (int fd = 0; fd < 3; fd++) /* opened the wrong way round, so that what is read or written there fails */
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            continue;
}

int tool_end(const char *program, int code)
{
    bool failed = ferror(stdout) != 0; /* a write of long ago */
    if ((fclose(stdout) != 0 || failed) && code == TOOL_OK) {
        fprintf(stderr, "%s: error: standard output could not be written\n", program);
        code = TOOL_IO;
    }
    return code;
}

static bool read_all(int fd, size_t max, char **data, size_t *size, int *why)
{
    size_t cap = 1 << 16, n = 0;
    struct stat st;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 && (uint64_t)st.st_size < SIZE_MAX / 2)
        cap = (size_t)st.st_size + 1;
    if (cap > max && max < SIZE_MAX)
        cap = max;
    char *bytes = malloc(cap + 1);
    bvm_prefer_large_pages(bytes, cap + 1);
    if (!bytes) {
        *why = ENOMEM;
        return false;
    }
    for (;;) {
        ssize_t got = n < cap ? read(fd, bytes + n, cap - n) : 0;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            *why = errno;
            free(bytes);
            return false;
        }
        n += (size_t)got;
        if (n < cap && got == 0)
            break;
        if (n < cap)
            continue;
        if (n >= max)
            break;
        size_t bigger = cap > max / 2 ? max : cap * 2;
        char *grown = realloc(bytes, bigger + 1);
        if (!grown) {
            *why = ENOMEM;
            free(bytes);
            return false;
        }
        bytes = grown;
        cap = bigger;
    }
    bytes[n] = 0;
    *data = bytes;
    *size = n;
    return true;
}

bool tool_read_file(const char *path, size_t max, char **data, size_t *size, ToolError *error)
{
    if (max == SIZE_MAX)
        max = SIZE_MAX - 1;
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tool_fail(error, TOOL_IO, "%s: %s", path, strerror(errno));
    int why = 0;
    bool ok = read_all(fd, max, data, size, &why);
    if (!is_stdin)
        close(fd);
    return ok || tool_fail(error, why == ENOMEM ? TOOL_LIMIT : TOOL_IO, "%s: %s", path, strerror(why));
}

static bool write_all(int fd, const char *data, size_t size)
{
    while (size) {
        ssize_t put = write(fd, data, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        data += put;
        size -= (size_t)put;
    }
    return true;
}

static bool write_in_place(const char *path, const void *data, size_t size, ToolError *error)
{
    bool is_stdout = strcmp(path, "-") == 0;
    int fd = is_stdout ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return tool_fail(error, TOOL_IO, "%s: %s", path, strerror(errno));
    bool ok = write_all(fd, data, size);
    int why = errno;
    if (!is_stdout && close(fd) != 0 && ok) {
        why = errno;
        ok = false;
    }
    return ok || tool_fail(error, TOOL_IO, "%s: %s", path, strerror(why));
}

static bool write_temporary(const char *path, bool exists, mode_t mode, const void *data, size_t size, ToolError *error)
{
    size_t n = strlen(path);
    char *temporary = malloc(n + 8);
    if (!temporary)
        return tool_fail(error, TOOL_LIMIT, "out of memory");
    memcpy(temporary, path, n);
    memcpy(temporary + n, ".XXXXXX", 8);
    int fd = mkstemp(temporary);
    bool ok = fd >= 0 && write_all(fd, data, size);
    int why = errno;
    if (fd >= 0) {
        mode_t mask = umask(0);
        umask(mask);
        if (ok && fchmod(fd, exists ? mode & 07777 : 0666 & ~mask) != 0) {
            why = errno;
            ok = false;
        }
        if (close(fd) != 0 && ok) {
            why = errno;
            ok = false;
        }
        if (ok && rename(temporary, path) != 0) {
            why = errno;
            ok = false;
        }
        if (!ok)
            unlink(temporary);
    }
    free(temporary);
    return ok || tool_fail(error, TOOL_IO, "%s: %s", path, strerror(why));
}

bool tool_write_file(const char *path, const void *data, size_t size, ToolError *error)
{
    struct stat st;
    bool exists = stat(path, &st) == 0;
    if (strcmp(path, "-") == 0 || (exists && !S_ISREG(st.st_mode)))
        return write_in_place(path, data, size, error);
    if (exists && access(path, W_OK) != 0)
        return tool_fail(error, TOOL_IO, "%s: %s", path, strerror(errno));
    char *target = exists ? realpath(path, NULL) : NULL; /* a link stays one */
    bool ok = write_temporary(target ? target : path, exists, exists ? st.st_mode : 0, data, size, error);
    free(target);
    return ok;
}
