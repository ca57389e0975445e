/* See inject.h. */
#include "inject.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_uint armed;
static atomic_ulong left;
static atomic_bool sticky_fault, fired;
static atomic_size_t live, peak;
static size_t most_bytes;
static atomic_uint moves;

void fault_arm(unsigned kinds, unsigned long n, bool sticky)
{
    atomic_store(&left, n);
    atomic_store(&sticky_fault, sticky);
    atomic_store(&fired, false);
    atomic_store(&peak, atomic_load(&live));
    atomic_store(&armed, kinds);
}

bool fault_disarm(void)
{
    atomic_store(&armed, 0);
    return atomic_load(&fired);
}

static bool fails(unsigned kind)
{
    if (!(atomic_load(&armed) & kind))
        return false;
    unsigned long n = atomic_load(&left);
    while (n && !atomic_compare_exchange_weak(&left, &n, n - 1))
        continue;
    if (n > 1 || (n == 0 && !atomic_load(&sticky_fault)))
        return false;
    atomic_store(&fired, true);
    return true;
}

/* ---- the hook ---------------------------------------------------------------- */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);

typedef struct Header { /* before each block of the hook */
    size_t size;
    size_t pad;
} Header;

void *fault_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user;
    Header *h = ptr ? (Header *)ptr - 1 : NULL;
    if (h && h->size != old_size) {
        fprintf(stderr, "the allocator hook is told %zu bytes of a block of %zu\n", old_size, h->size);
        abort();
    }
    if (!new_size) {
        if (h)
            atomic_fetch_sub(&live, old_size);
        free(h);
        return NULL;
    }
    if (fails(FAULT_HOOK))
        return NULL;
    Header *p = __real_malloc(sizeof *p + new_size); /* always another place: nobody may keep the old one */
    if (!p)
        return NULL;
    p->size = new_size;
    memset(p + 1, 0xA5, new_size);
    if (h) {
        memcpy(p + 1, ptr, old_size < new_size ? old_size : new_size);
        atomic_fetch_sub(&live, old_size);
        free(h);
    }
    size_t now = atomic_fetch_add(&live, new_size) + new_size;
    for (size_t high = atomic_load(&peak); high < now && !atomic_compare_exchange_weak(&peak, &high, now);)
        continue;
    return p + 1;
}

size_t fault_live(void)
{
    return atomic_load(&live);
}

size_t fault_peak(void)
{
    return atomic_load(&peak);
}

/* ---- what the objects of the test call ------------------------------------------ */

#define WRAP(kind, error, type, name, parameters, arguments, failure)                                                              \
    type __real_##name parameters;                                                                                                 \
    type __wrap_##name parameters;                                                                                                 \
    type __wrap_##name parameters                                                                                                  \
    {                                                                                                                              \
        if (fails(kind)) {                                                                                                         \
            errno = error;                                                                                                         \
            return failure;                                                                                                        \
        }                                                                                                                          \
        return __real_##name arguments;                                                                                            \
    }

WRAP(FAULT_MALLOC, ENOMEM, void *, malloc, (size_t n), (n), NULL)
WRAP(FAULT_MALLOC, ENOMEM, void *, calloc, (size_t n, size_t size), (n, size), NULL)
WRAP(FAULT_MALLOC, ENOMEM, void *, realloc, (void *p, size_t n), (p, n), NULL)
WRAP(FAULT_MALLOC, ENOMEM, char *, strdup, (const char *s), (s), NULL)
WRAP(FAULT_MALLOC, ENOMEM, char *, strndup, (const char *s, size_t n), (s, n), NULL)
WRAP(FAULT_MALLOC, ENOMEM, FILE *, open_memstream, (char **p, size_t *n), (p, n), NULL)
WRAP(FAULT_MALLOC, ENOMEM, void *, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t at), (p, n, prot, flags, fd, at),
     MAP_FAILED)
WRAP(FAULT_THREAD, EAGAIN, int, pthread_create, (pthread_t * id, const pthread_attr_t *a, void *(*f)(void *), void *user),
     (id, a, f, user), EAGAIN)
WRAP(FAULT_THREAD, ENOMEM, int, pthread_mutex_init, (pthread_mutex_t * m, const pthread_mutexattr_t *a), (m, a), ENOMEM)
WRAP(FAULT_THREAD, ENOMEM, int, pthread_cond_init, (pthread_cond_t * c, const pthread_condattr_t *a), (c, a), ENOMEM)
WRAP(FAULT_FILE, EIO, int, fstat, (int fd, struct stat *st), (fd, st), -1)
WRAP(FAULT_FILE, EPERM, int, fchmod, (int fd, mode_t mode), (fd, mode), -1)
WRAP(FAULT_FILE, ENOSPC, int, mkstemp, (char *pattern), (pattern), -1)
WRAP(FAULT_FILE, EXDEV, int, rename, (const char *from, const char *to), (from, to), -1)

int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    if (fails(FAULT_FILE)) {
        errno = EMFILE;
        return -1;
    }
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return __real_open(path, flags, mode);
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd) /* the file is closed all the same */
{
    int status = __real_close(fd);
    if (!fails(FAULT_FILE))
        return status;
    errno = EIO;
    return -1;
}

void fault_short(size_t most)
{
    most_bytes = most;
    atomic_store(&moves, 0);
}

/* Cuts what is to be moved; false: interrupted. */
static bool shorten(size_t *n)
{
    if (!most_bytes)
        return true;
    if (*n > most_bytes)
        *n = most_bytes;
    return atomic_fetch_add(&moves, 1) & 1;
}

#define MOVE(name, pointer)                                                                                                        \
    ssize_t __real_##name(int fd, pointer p, size_t n);                                                                            \
    ssize_t __wrap_##name(int fd, pointer p, size_t n);                                                                            \
    ssize_t __wrap_##name(int fd, pointer p, size_t n)                                                                             \
    {                                                                                                                              \
        if (fails(FAULT_FILE)) {                                                                                                   \
            errno = EIO;                                                                                                           \
            return -1;                                                                                                             \
        }                                                                                                                          \
        if (!shorten(&n)) {                                                                                                        \
            errno = EINTR;                                                                                                         \
            return -1;                                                                                                             \
        }                                                                                                                          \
        return __real_##name(fd, p, n);                                                                                            \
    }
MOVE(read, void *)
MOVE(write, const void *)
