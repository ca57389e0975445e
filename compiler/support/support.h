/* Memory and small containers of the compiler.
 *
 * Arena: all compiler memory lives in arenas, by lifetime.  An allocation never
 * returns NULL: when the allocator hook or the memory limit refuses, the arena
 * longjmps to the guard that the API entry has set (bufvmc.c), which reports
 * BUFVMC_OUT_OF_MEMORY and frees every arena.  Nothing is freed one by one.
 *
 * None of this is thread-safe; one compilation belongs to one thread.
 */
#ifndef VMC_SUPPORT_H
#define VMC_SUPPORT_H

/* Between these two a fuzz build counts no coverage: code that says nothing of the input and would take most of a run's time. */
#if defined(__clang__) && defined(__has_attribute) && defined(__has_feature)
#if __has_feature(coverage_sanitizer)
#define VMC_UNTRACED_BEGIN _Pragma("clang attribute push(__attribute__((no_sanitize(\"coverage\"))), apply_to = function)")
#define VMC_UNTRACED_END   _Pragma("clang attribute pop")
#endif
#endif
#ifndef VMC_UNTRACED_BEGIN
#define VMC_UNTRACED_BEGIN
#define VMC_UNTRACED_END
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Allocator hook: realloc semantics; size 0 frees.  Returns NULL on failure. */
typedef void *(*VmcReallocFn)(void *user, void *ptr, size_t old_size, size_t new_size);

void *vmc_plain_realloc(void *user, void *ptr, size_t old_size, size_t new_size); /* the hook of those who give none */

typedef struct VmcMemory { /* one per compilation, shared by its arenas */
    VmcReallocFn realloc;
    void *user;
    size_t limit;   /* bytes; 0 = none */
    size_t used;    /* bytes now held */
    size_t peak;    /* largest `used` */
    jmp_buf *guard; /* where an allocation failure goes; never NULL while arenas are in use */
} VmcMemory;

typedef struct ArenaChunk ArenaChunk;
typedef struct Arena {
    VmcMemory *memory;
    ArenaChunk *chunks; /* newest first; large blocks get a chunk of their own */
    char *next, *end;
} Arena;

void vmc_arena_init(Arena *arena, VmcMemory *memory);
void vmc_arena_free(Arena *arena);
void *vmc_arena_alloc(Arena *arena, size_t size);                                /* 16-byte aligned, uninitialised */
void *vmc_arena_zalloc(Arena *arena, size_t size);                               /* zeroed */
void *vmc_arena_dup(Arena *arena, const void *data, size_t size);                /* copy, with a NUL byte after it */
void *vmc_arena_grow(Arena *arena, void *old, size_t old_size, size_t new_size); /* the old block is left behind */
/* Temporaries: everything allocated since the mark is freed by the rewind. */
typedef struct ArenaMark {
    ArenaChunk *chunks;
    char *next, *end;
} ArenaMark;
static inline ArenaMark vmc_arena_mark(const Arena *arena)
{
    return (ArenaMark){arena->chunks, arena->next, arena->end};
}
void vmc_arena_rewind(Arena *arena, ArenaMark mark);
char *vmc_arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void vmc_out_of_memory(VmcMemory *memory);

#define ARENA_NEW(arena, T)      ((T *)vmc_arena_zalloc((arena), sizeof(T)))
#define ARENA_ARRAY(arena, T, n) ((T *)vmc_arena_zalloc((arena), vmc_mul_size((arena)->memory, (size_t)(n), sizeof(T))))

/* n * size, or out of memory where that overflows. */
size_t vmc_mul_size(VmcMemory *memory, size_t n, size_t size);

/* Growable array in an arena:  VEC(Op *) ops = {0};  VEC_PUSH(arena, &ops, op);  for (i < ops.n) ops.at[i] */
#define VEC(T)                                                                                                                     \
    struct {                                                                                                                       \
        T *at;                                                                                                                     \
        size_t n, cap;                                                                                                             \
    }
#define VEC_PUSH(arena, v, x)                                                                                                      \
    do {                                                                                                                           \
        if ((v)->n == (v)->cap) {                                                                                                  \
            size_t vec_cap_ = (v)->cap ? 2 * (v)->cap : 8;                                                                         \
            (v)->at = vmc_arena_grow((arena), (v)->at, (v)->cap * sizeof(*(v)->at), vec_cap_ * sizeof(*(v)->at));                  \
            (v)->cap = vec_cap_;                                                                                                   \
        }                                                                                                                          \
        (v)->at[(v)->n++] = (x);                                                                                                   \
    } while (0)

/* Text under construction, NUL-terminated after every call. */
typedef struct Text {
    Arena *arena;
    char *at;
    size_t n, cap;
} Text;
void vmc_text_add(Text *text, const char *bytes, size_t n);
void vmc_text_str(Text *text, const char *string);
void vmc_text_fmt(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void vmc_text_char(Text *text, char c)
{
    vmc_text_add(text, &c, 1);
}

/* Pointer- or integer-keyed hash map with open addressing.  Keys are any 64-bit value but 0. */
typedef struct MapEntry {
    uint64_t key;
    uint64_t value;
} MapEntry;
typedef struct Map {
    Arena *arena;
    MapEntry *at;
    size_t n, cap;
} Map;
bool vmc_map_get(const Map *map, uint64_t key, uint64_t *value);
void vmc_map_put(Map *map, uint64_t key, uint64_t value); /* replaces */
#define MAP_KEY(pointer) ((uint64_t)(uintptr_t)(pointer))
static inline void *vmc_map_ptr(const Map *map, const void *key)
{
    uint64_t v = 0;
    return vmc_map_get(map, MAP_KEY(key), &v) ? (void *)(uintptr_t)v : NULL;
}
static inline void vmc_map_put_ptr(Map *map, const void *key, const void *value)
{
    vmc_map_put(map, MAP_KEY(key), MAP_KEY(value));
}

/* Hash of bytes, at memory speed; differs between hosts of different byte order. */
uint64_t vmc_hash(const void *data, size_t n, uint64_t seed);

/* Interned strings: equal text has equal address for the life of the table. */
typedef struct Interner {
    Arena *arena;
    const char **at;
    size_t n, cap;
} Interner;
const char *vmc_intern(Interner *interner, const char *text, size_t n);

#endif
