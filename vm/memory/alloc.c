/* The allocator hook and error texts: every allocation of the library passes here and may fail. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bytecode/pages.h"
#include "memory.h"

static void *default_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (!new_size) {
        free(ptr);
        return NULL;
    }
    void *p = realloc(ptr, new_size);
    bvm_prefer_large_pages(p, new_size);
    return p;
}

BufvmAllocator bvm_mem_allocator(const BufvmAllocator *given)
{
    return given && given->realloc ? *given : (BufvmAllocator){default_realloc, NULL};
}

void *bvm_mem_alloc(const BufvmAllocator *a, size_t n)
{
    return a->realloc(a->user, NULL, 0, n ? n : 1);
}

void *bvm_mem_zalloc(const BufvmAllocator *a, size_t n)
{
    n = n ? n : 1;
    bool own = a->realloc == default_realloc;
    void *p = own ? calloc(1, n) : a->realloc(a->user, NULL, 0, n); /* large blocks come clean from the system, untouched */
    if (own)
        bvm_prefer_large_pages(p, n);
    else if (p)
        memset(p, 0, n);
    return p;
}

void bvm_mem_free(const BufvmAllocator *a, void *p, size_t n)
{
    if (p)
        a->realloc(a->user, p, n ? n : 1, 0);
}

BufvmStatus bvm_error(BufvmError *error, BufvmStatus status, const char *format, ...)
{
    if (!error)
        return status;
    *error = (BufvmError){.status = status};
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return status;
}
