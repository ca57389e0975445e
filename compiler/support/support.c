/* Arena, text, map and interner: see support.h for what they promise. */
#include "support.h"

#include "../../vm/bytecode/pages.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- arena --------------------------------------------------------------- */

struct ArenaChunk {
    ArenaChunk *next, *prev;
    size_t size; /* whole block, header included */
    size_t pad;
};

#define CHUNK_FIRST ((size_t)32 << 10)
#define CHUNK_MAX   ((size_t)1 << 20)
#define ALIGN16(n)  (((n) + 15) & ~(size_t)15)

_Static_assert(sizeof(ArenaChunk) % 16 == 0, "blocks behind the header stay aligned");

void *vmc_plain_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    void *p = realloc(ptr, new_size);
    bvm_prefer_large_pages(p, new_size);
    return p;
}

static void *memory_realloc(VmcMemory *memory, void *ptr, size_t old_size, size_t new_size)
{
    VmcReallocFn fn = memory->realloc ? memory->realloc : vmc_plain_realloc;
    if (new_size > old_size) {
        size_t more = new_size - old_size;
        if (memory->limit && (more > memory->limit || memory->used > memory->limit - more))
            vmc_out_of_memory(memory);
    }
    void *p = fn(memory->user, ptr, old_size, new_size);
    if (!p && new_size)
        vmc_out_of_memory(memory);
    memory->used = memory->used - old_size + new_size;
    if (memory->used > memory->peak)
        memory->peak = memory->used;
    return p;
}

_Noreturn void vmc_out_of_memory(VmcMemory *memory)
{
    longjmp(*memory->guard, 1);
}

size_t vmc_mul_size(VmcMemory *memory, size_t n, size_t size)
{
    size_t product;
    if (__builtin_mul_overflow(n, size, &product) || product > SIZE_MAX / 2)
        vmc_out_of_memory(memory);
    return product;
}

void vmc_arena_init(Arena *arena, VmcMemory *memory)
{
    *arena = (Arena){.memory = memory};
}

void vmc_arena_free(Arena *arena)
{
    ArenaChunk *chunk = arena->chunks;
    while (chunk) {
        ArenaChunk *next = chunk->next;
        memory_realloc(arena->memory, chunk, chunk->size, 0);
        chunk = next;
    }
    arena->chunks = NULL;
    arena->next = arena->end = NULL;
}

void vmc_arena_rewind(Arena *arena, ArenaMark mark)
{
    while (arena->chunks != mark.chunks) { /* newest first */
        ArenaChunk *chunk = arena->chunks;
        arena->chunks = chunk->next;
        memory_realloc(arena->memory, chunk, chunk->size, 0);
    }
    if (arena->chunks)
        arena->chunks->prev = NULL;
    arena->next = mark.next;
    arena->end = mark.end;
}

static void link_chunk(Arena *arena, ArenaChunk *chunk, size_t size)
{
    chunk->size = size;
    chunk->prev = NULL;
    chunk->next = arena->chunks;
    if (arena->chunks)
        arena->chunks->prev = chunk;
    arena->chunks = chunk;
}

static void *alloc_slow(Arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        vmc_out_of_memory(arena->memory);
    if (size >= CHUNK_MAX / 4) { /* a block of its own; the current chunk goes on being filled */
        size_t whole = size + sizeof(ArenaChunk);
        ArenaChunk *chunk = memory_realloc(arena->memory, NULL, 0, whole);
        link_chunk(arena, chunk, whole);
        return chunk + 1;
    }
    size_t whole = CHUNK_FIRST;
    if (arena->chunks) {
        whole = arena->memory->used / 4;
        whole = whole < CHUNK_FIRST ? CHUNK_FIRST : whole > CHUNK_MAX ? CHUNK_MAX : ALIGN16(whole);
    }
    if (whole < size + sizeof(ArenaChunk))
        whole = size + sizeof(ArenaChunk);
    ArenaChunk *chunk = memory_realloc(arena->memory, NULL, 0, whole);
    link_chunk(arena, chunk, whole);
    char *p = (char *)(chunk + 1);
    arena->next = p + size;
    arena->end = (char *)chunk + whole;
    return p;
}

void *vmc_arena_alloc(Arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        vmc_out_of_memory(arena->memory);
    size = ALIGN16(size ? size : 1);
    if (size <= (size_t)(arena->end - arena->next)) {
        void *p = arena->next;
        arena->next += size;
        return p;
    }
    return alloc_slow(arena, size);
}

void *vmc_arena_zalloc(Arena *arena, size_t size)
{
    return memset(vmc_arena_alloc(arena, size), 0, size);
}

void *vmc_arena_dup(Arena *arena, const void *data, size_t size)
{
    char *p = vmc_arena_alloc(arena, size + 1);
    if (size)
        memcpy(p, data, size);
    p[size] = 0;
    return p;
}

/* The last block of the current chunk grows in place. */
static bool extend_last(Arena *arena, void *old, size_t old_size, size_t new_size)
{
    if (!old || new_size > SIZE_MAX / 2 || (char *)old + ALIGN16(old_size ? old_size : 1) != arena->next)
        return false;
    if (ALIGN16(new_size) > (size_t)(arena->end - (char *)old))
        return false;
    arena->next = (char *)old + ALIGN16(new_size);
    return true;
}

void *vmc_arena_grow(Arena *arena, void *old, size_t old_size, size_t new_size)
{
    if (extend_last(arena, old, old_size, new_size))
        return old;
    void *p = vmc_arena_alloc(arena, new_size);
    if (old_size)
        memcpy(p, old, old_size < new_size ? old_size : new_size);
    return p;
}

/* As vmc_arena_grow, but a block with a chunk of its own is moved, so that nothing is left behind. */
static void *grow_moving(Arena *arena, void *old, size_t old_size, size_t new_size)
{
    if (new_size > SIZE_MAX / 2)
        vmc_out_of_memory(arena->memory);
    if (!old || ALIGN16(old_size) < CHUNK_MAX / 4) {
        if (ALIGN16(new_size) < CHUNK_MAX / 4)
            return vmc_arena_grow(arena, old, old_size, new_size);
        /* from here on in a chunk of its own, even where the current one has room */
        void *p = alloc_slow(arena, ALIGN16(new_size));
        if (old_size)
            memcpy(p, old, old_size);
        return p;
    }
    ArenaChunk *chunk = (ArenaChunk *)old - 1;
    size_t whole = ALIGN16(new_size) + sizeof(ArenaChunk);
    chunk = memory_realloc(arena->memory, chunk, chunk->size, whole);
    chunk->size = whole;
    if (chunk->prev)
        chunk->prev->next = chunk;
    else
        arena->chunks = chunk;
    if (chunk->next)
        chunk->next->prev = chunk;
    return chunk + 1;
}

char *vmc_arena_printf(Arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t size = n < 0 ? 0 : (size_t)n;
    char *p = vmc_arena_alloc(arena, size + 1);
    p[0] = 0;
    if (n > 0)
        vsnprintf(p, size + 1, format, again);
    va_end(again);
    return p;
}

/* ---- text ---------------------------------------------------------------- */

static void text_reserve(Text *text, size_t more)
{
    size_t need = text->n + more + 1;
    if (need < more)
        vmc_out_of_memory(text->arena->memory);
    if (need <= text->cap)
        return;
    size_t cap = text->cap ? text->cap : 128;
    while (cap < need)
        cap = cap > SIZE_MAX / 4 ? need : cap >= ((size_t)64 << 20) ? cap + cap / 4 : 2 * cap;
    text->at = grow_moving(text->arena, text->at, text->cap, cap);
    text->cap = cap;
}

void vmc_text_add(Text *text, const char *bytes, size_t n)
{
    text_reserve(text, n);
    if (n)
        memcpy(text->at + text->n, bytes, n);
    text->n += n;
    text->at[text->n] = 0;
}

void vmc_text_str(Text *text, const char *string)
{
    vmc_text_add(text, string, strlen(string));
}

void vmc_text_fmt(Text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n > 0) {
        text_reserve(text, (size_t)n);
        vsnprintf(text->at + text->n, (size_t)n + 1, format, again);
        text->n += (size_t)n;
    } else {
        vmc_text_add(text, "", 0);
    }
    va_end(again);
}

/* ---- map ----------------------------------------------------------------- */

VMC_UNTRACED_BEGIN /* addresses and hashes are chance */

    static uint64_t
    mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0x9fb21c651e98df25);
    x ^= x >> 29;
    x *= UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

static size_t map_slot(const Map *map, uint64_t key)
{
    size_t i = (size_t)mix(key) & (map->cap - 1);
    while (map->at[i].key && map->at[i].key != key)
        i = (i + 1) & (map->cap - 1);
    return i;
}

bool vmc_map_get(const Map *map, uint64_t key, uint64_t *value)
{
    if (!map->n)
        return false;
    size_t i = map_slot(map, key);
    if (!map->at[i].key)
        return false;
    *value = map->at[i].value;
    return true;
}

void vmc_map_put(Map *map, uint64_t key, uint64_t value)
{
    if (4 * (map->n + 1) > 3 * map->cap) {
        Map bigger = {.arena = map->arena, .cap = map->cap ? 2 * map->cap : 16, .n = map->n};
        bigger.at = ARENA_ARRAY(map->arena, MapEntry, bigger.cap);
        for (size_t i = 0; i < map->cap; i++)
            if (map->at[i].key)
                bigger.at[map_slot(&bigger, map->at[i].key)] = map->at[i];
        *map = bigger;
    }
    size_t i = map_slot(map, key);
    if (!map->at[i].key) {
        map->at[i].key = key;
        map->n++;
    }
    map->at[i].value = value;
}

/* ---- hashing and interner ------------------------------------------------ */

uint64_t vmc_hash(const void *data, size_t n, uint64_t seed)
{
    const unsigned char *p = data;
    uint64_t a = seed ^ UINT64_C(0x9e3779b97f4a7c15), b = a + n;
    while (n >= 16) { /* two independent lanes: bound by memory, not by the multiplier */
        uint64_t x, y;
        memcpy(&x, p, 8);
        memcpy(&y, p + 8, 8);
        a = (a ^ x) * UINT64_C(0x9fb21c651e98df25);
        a ^= a >> 32;
        b = (b ^ y) * UINT64_C(0xd6e8feb86659fd93);
        b ^= b >> 29;
        p += 16;
        n -= 16;
    }
    uint64_t tail[2] = {0, 0};
    if (n)
        memcpy(tail, p, n);
    return mix(a ^ tail[0]) ^ mix(b + tail[1] * UINT64_C(0x9e3779b97f4a7c15));
}

typedef struct InternHeader { /* stands before each interned string */
    uint64_t hash;
    size_t n;
} InternHeader;

static const InternHeader *header_of(const char *interned)
{
    return (const InternHeader *)(const void *)interned - 1;
}

const char *vmc_intern(Interner *interner, const char *text, size_t n)
{
    if (4 * (interner->n + 1) > 3 * interner->cap) {
        size_t cap = interner->cap ? 2 * interner->cap : 64;
        const char **at = ARENA_ARRAY(interner->arena, const char *, cap);
        for (size_t k = 0; k < interner->cap; k++) {
            if (!interner->at[k])
                continue;
            size_t i = (size_t)header_of(interner->at[k])->hash & (cap - 1);
            while (at[i])
                i = (i + 1) & (cap - 1);
            at[i] = interner->at[k];
        }
        interner->at = at;
        interner->cap = cap;
    }
    uint64_t hash = vmc_hash(text, n, 0);
    size_t i = (size_t)hash & (interner->cap - 1);
    for (; interner->at[i]; i = (i + 1) & (interner->cap - 1)) {
        const InternHeader *header = header_of(interner->at[i]);
        if (header->hash == hash && header->n == n && memcmp(interner->at[i], text, n) == 0)
            return interner->at[i];
    }
    InternHeader *header = vmc_arena_alloc(interner->arena, sizeof(InternHeader) + n + 1);
    *header = (InternHeader){hash, n};
    char *copy = (char *)(header + 1);
    if (n)
        memcpy(copy, text, n);
    copy[n] = 0;
    interner->at[i] = copy;
    interner->n++;
    return copy;
}

VMC_UNTRACED_END
