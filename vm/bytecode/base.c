/* Memory and errors of the bytecode library: the default allocator, arenas, growing arrays. */
#include <stdlib.h>

#include "file.h"

static void *default_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

BufvmAllocator bvm_allocator_or_default(const BufvmAllocator *allocator)
{
    return allocator && allocator->realloc ? *allocator : (BufvmAllocator){default_realloc, NULL};
}

typedef struct Block {
    struct Block *next;
    size_t size; /* with this header */
} Block;

#define SMALL_BLOCK 65536

/* Blocks of their own for what is large; small pieces share one.  A large block is linked behind the
   newest small one so that its rest stays in use. */
void *bvm_arena_alloc(BvmArena *arena, size_t n)
{
    if (n > SIZE_MAX - SMALL_BLOCK)
        return NULL;
    n = n ? (n + 7) & ~(size_t)7 : 8;
    if (n <= arena->size - arena->used) {
        void *p = (char *)arena->blocks + arena->used;
        arena->used += n;
        return p;
    }
    bool large = n > SMALL_BLOCK / 4;
    size_t size = large ? sizeof(Block) + n : SMALL_BLOCK;
    Block *block = bvm_realloc(arena->allocator, NULL, 0, size);
    if (!block)
        return NULL;
    block->size = size;
    if (large && arena->blocks) {
        Block *first = arena->blocks;
        block->next = first->next;
        first->next = block;
    } else {
        block->next = arena->blocks;
        arena->blocks = block;
        arena->size = size;
        arena->used = sizeof(Block) + n;
    }
    return block + 1;
}

void *bvm_arena_array(BvmArena *arena, size_t n, size_t each)
{
    if (each && n > SIZE_MAX / each)
        return NULL;
    void *p = bvm_arena_alloc(arena, n * each);
    return p ? memset(p, 0, n * each) : NULL;
}

void bvm_arena_free(const BufvmAllocator *allocator, void *blocks)
{
    for (Block *b = blocks, *next; b; b = next) {
        next = b->next;
        bvm_release(allocator, b, b->size);
    }
}

bool bvm_vec_reserve(const BufvmAllocator *a, BvmVec *v, size_t more)
{
    if (more <= v->capacity - v->n)
        return true;
    if (more > SIZE_MAX / 4 || v->n > SIZE_MAX / 4)
        return false;
    size_t capacity = v->capacity + v->capacity / 2;
    if (capacity < v->n + more)
        capacity = v->n + more;
    if (capacity < 256)
        capacity = 256;
    uint8_t *data = bvm_realloc(a, v->data, v->capacity, capacity);
    if (!data)
        return false;
    v->data = data;
    v->capacity = capacity;
    return true;
}

bool bvm_vec_append(const BufvmAllocator *a, BvmVec *v, const void *data, size_t n)
{
    if (!bvm_vec_reserve(a, v, n))
        return false;
    if (n)
        memcpy(v->data + v->n, data, n);
    v->n += n;
    return true;
}

BufvmStatus bvm_fail(BufvmError *error, BufvmStatus status, uint64_t offset, const char *format, ...)
{
    if (error) {
        memset(error, 0, sizeof *error);
        error->status = status;
        error->offset = offset;
        va_list args;
        va_start(args, format);
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return status;
}

void bvm_constant_expand(const BvmConstant *constant, uint8_t *out)
{
    uint64_t stored = constant->stored, bytes = constant->bytes;
    if (stored == 0) {
        memset(out, 0, (size_t)bytes);
        return;
    }
    memcpy(out, constant->data, (size_t)stored);
    for (uint64_t done = stored; done < bytes;) { /* doubling: the copies are long */
        uint64_t piece = done < bytes - done ? done : bytes - done;
        memcpy(out + done, out, (size_t)piece);
        done += piece;
    }
}

bool bvm_banks_parse(const char *text, size_t n, BvmBanks *out)
{
    memset(out, 0, sizeof *out);
    const char *colon = n ? memchr(text, ':', n) : NULL;
    if (!colon || n > UINT32_MAX)
        return false;
    out->args = text;
    out->nargs = (uint32_t)(colon - text);
    out->results = colon + 1;
    out->nresults = (uint32_t)(n - out->nargs - 1);
    for (size_t i = 0; i < n; i++) {
        if (i == out->nargs)
            continue;
        if (text[i] != 's' && text[i] != 'b')
            return false;
        if (i < out->nargs && text[i] == 's')
            out->scalar_args++;
    }
    out->buffer_args = out->nargs - out->scalar_args;
    return true;
}

const BvmKernelInfo bvm_kernel_table[BVM_KERNELS] = {
#define KERNEL(number, name, operands, doc) [number] = {#name, operands},
#include "../kernels/kernels.def"
#undef KERNEL
};
