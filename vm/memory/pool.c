/* Blocks and the pool of a context.
 *
 * Freed blocks are kept in size classes (four to a power of two) and handed out again, so that
 * a loop that allocates does not go to the allocator each turn.  Bytes in use and bytes kept
 * together never pass the context's limit, nor the highest use so far by more than a quarter.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "memory.h"
#include "shadow.h"

#define CLASSES   240
#define SCAN      8 /* kept blocks of a class that are looked at for one that is large enough */
#define KEEP      (UINT64_C(1) << 20)
#define BIG_BLOCK (UINT64_C(1) << 16) /* from here on sizes are rounded to pages only */
#define POISON    0xCB

struct BvmPool {
    atomic_flag lock; /* held for a few instructions, and for what the allocator's free takes */
    BufvmAllocator allocator;
    uint64_t limit, allocation_limit;
    uint64_t used, peak, kept; /* raw bytes */
    uint64_t allocations;
    atomic_uint_least64_t blocks; /* written under the lock, read without */
    bool closed, poison;
    BufvmBuffer *free[CLASSES];
};

static void lock_pool(BvmPool *pool)
{
    for (unsigned tries = 0; atomic_flag_test_and_set_explicit(&pool->lock, memory_order_acquire); tries++)
        if (tries > 100) /* who holds it does not run */
            nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
}

static void unlock_pool(BvmPool *pool)
{
    atomic_flag_clear_explicit(&pool->lock, memory_order_release);
}

/* -- size classes ---------------------------------------------------------------------------------- */

static uint32_t size_class(uint64_t bytes, uint64_t *rounded)
{
    if (bytes <= 64) {
        *rounded = 64;
        return 0;
    }
    unsigned lg = 63u - (unsigned)__builtin_clzll(bytes - 1);
    uint64_t step = UINT64_C(1) << (lg - 2), up = (bytes + step - 1) & ~(step - 1);
    uint32_t number = (lg - 6) * 4 + (uint32_t)((up - (UINT64_C(1) << lg)) / step);
    *rounded = bytes >= BIG_BLOCK ? (bytes + 4095) & ~UINT64_C(4095) : up;
    return number;
}

/* -- blocks ---------------------------------------------------------------------------------------- */

BvmReg bvm_reg_of(BufvmBuffer *block, bool counted)
{
    bool read_only = atomic_load_explicit(&block->flags, memory_order_relaxed) & BVM_READ_ONLY;
    return (BvmReg){block->data, block->bytes, read_only ? 0 : block->bytes, (uintptr_t)block | (counted ? 0 : BVM_BORROWED)};
}

void bvm_block_init_fixed(BufvmBuffer *block, uint8_t *data, uint64_t bytes, unsigned flags)
{
    *block = (BufvmBuffer){.data = data, .bytes = bytes, .capacity = bytes};
    atomic_init(&block->refs, 1);
    atomic_init(&block->flags, flags | BVM_FIXED);
}

/* A block whose bytes follow its header in one allocation; `raw` is what that takes. */
static BufvmBuffer *block_new(const BufvmAllocator *a, uint64_t capacity, uint64_t align, uint64_t raw, bool cleared)
{
    BufvmBuffer *block = cleared ? bvm_mem_zalloc(a, raw) : bvm_mem_alloc(a, raw);
    if (!block)
        return NULL;
    *block = (BufvmBuffer){.capacity = capacity, .raw = raw, .allocator = *a};
    block->data = (uint8_t *)(((uintptr_t)(block + 1) + align - 1) & ~(uintptr_t)(align - 1));
    return block;
}

static bool raw_size(uint64_t capacity, uint64_t align, uint64_t *raw)
{
    return !__builtin_add_overflow(capacity, sizeof(BufvmBuffer) + align - 1, raw) && *raw <= SIZE_MAX / 2;
}

static void block_destroy(BufvmBuffer *block)
{
    BufvmAllocator a = block->allocator;
    bvm_mem_free(&a, block, block->raw);
}

/* -- pool ------------------------------------------------------------------------------------------ */

BvmPool *bvm_pool_new(const BufvmAllocator *allocator, uint64_t limit, uint64_t allocation_limit, bool poison)
{
    BvmPool *pool = bvm_mem_zalloc(allocator, sizeof *pool);
    if (!pool)
        return NULL;
    atomic_flag_clear(&pool->lock);
    pool->allocator = *allocator;
    pool->limit = limit ? limit : UINT64_MAX;
    pool->allocation_limit = allocation_limit ? allocation_limit : pool->limit;
    pool->poison = poison;
    return pool;
}

static void pool_destroy(BvmPool *pool)
{
    BufvmAllocator a = pool->allocator;
    bvm_mem_free(&a, pool, sizeof *pool);
}

static bool fits(const BvmPool *pool, uint64_t room, uint64_t cap)
{
    uint64_t total = pool->used + pool->kept;
    return total <= cap && room <= cap - total;
}

static void drop_kept(BvmPool *pool, unsigned class)
{
    BufvmBuffer *block = pool->free[class];
    pool->free[class] = block->next;
    pool->kept -= block->raw;
    block_destroy(block);
}

/* Gives kept blocks back to the allocator, largest first but those of the class `spare` last, until `room` more bytes fit under
 * `cap`. */
static void trim(BvmPool *pool, uint64_t room, uint64_t cap, unsigned spare)
{
    for (unsigned c = CLASSES; c-- > 0 && pool->kept && !fits(pool, room, cap);)
        while (c != spare && pool->free[c] && !fits(pool, room, cap))
            drop_kept(pool, c);
    while (spare < CLASSES && pool->free[spare] && !fits(pool, room, cap))
        drop_kept(pool, spare);
}

void bvm_pool_close(BvmPool *pool)
{
    if (!pool)
        return;
    lock_pool(pool);
    trim(pool, UINT64_MAX, 0, CLASSES);
    pool->closed = true;
    bool last = pool->blocks == 0;
    unlock_pool(pool);
    if (last)
        pool_destroy(pool);
}

static BufvmBuffer *take_kept(BvmPool *pool, uint32_t class, uint64_t bytes, uint64_t align)
{
    BufvmBuffer **link = &pool->free[class];
    for (unsigned i = 0; *link && i < SCAN; i++, link = &(*link)->next) {
        BufvmBuffer *block = *link;
        if (block->capacity < bytes || ((uintptr_t)block->data & (align - 1)))
            continue;
        *link = block->next;
        pool->kept -= block->raw;
        return block;
    }
    return NULL;
}

static void count_blocks(BvmPool *pool, int change)
{
    uint64_t blocks = atomic_load_explicit(&pool->blocks, memory_order_relaxed) + (uint64_t)change;
    atomic_store_explicit(&pool->blocks, blocks, memory_order_relaxed);
}

static void count_use(BvmPool *pool, uint64_t raw)
{
    pool->used += raw;
    if (pool->used > pool->peak)
        pool->peak = pool->used;
}

BufvmStatus bvm_pool_over(BvmPool *pool, const char *what, uint64_t bytes, BufvmError *error)
{
    lock_pool(pool);
    uint64_t used = pool->used;
    unlock_pool(pool);
    return bvm_error(error, BUFVM_LIMIT, "%s of %" PRIu64 " bytes, %" PRIu64 " in use, limit %" PRIu64, what, bytes, used,
                     pool->limit);
}

/* What a block takes is more than its bytes: the room to align it, and the step of its size class. */
static BufvmStatus no_room(BvmPool *pool, uint64_t bytes, uint64_t raw, BufvmError *error)
{
    char what[80];
    snprintf(what, sizeof what, "out of memory: buffer of %" PRIu64 " bytes: a block", bytes);
    return bvm_pool_over(pool, what, raw, error);
}

BufvmStatus bvm_pool_alloc(BvmPool *pool, uint64_t bytes, uint64_t align, bool cleared, BufvmBuffer **out, BufvmError *error)
{
    if (align < 64)
        align = 64;
    if (bytes > pool->allocation_limit || bytes > SIZE_MAX / 4 || align > SIZE_MAX / 4)
        return bvm_error(error, BUFVM_LIMIT, "buffer of %" PRIu64 " bytes: the limit for one allocation is %" PRIu64, bytes,
                         pool->allocation_limit);
    uint64_t capacity, raw;
    uint32_t class = size_class(bytes, &capacity);
    if (!raw_size(capacity, align, &raw))
        return bvm_error(error, BUFVM_LIMIT, "buffer of %" PRIu64 " bytes aligned to %" PRIu64 " is too large", bytes, align);

    lock_pool(pool);
    BufvmBuffer *block = take_kept(pool, class, bytes, align);
    bool fresh = !block;
    if (fresh) {
        if (raw > pool->limit || pool->used > pool->limit - raw) {
            unlock_pool(pool);
            return no_room(pool, bytes, raw, error);
        }
        trim(pool, raw, pool->limit, CLASSES);
    } else {
        raw = block->raw;
    }
    count_use(pool, raw);
    pool->allocations++;
    count_blocks(pool, 1);
    unlock_pool(pool);

    if (fresh && !(block = block_new(&pool->allocator, capacity, align, raw, !pool->poison))) {
        lock_pool(pool);
        pool->used -= raw;
        count_blocks(pool, -1);
        pool->allocations--;
        unlock_pool(pool);
        return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: the allocator refused a buffer of %" PRIu64 " bytes", bytes);
    }
    if (pool->poison)
        memset(block->data, POISON, bytes);
    else if (!fresh && cleared)
        memset(block->data, 0, bytes);
    block->bytes = bytes;
    block->pool = pool;
    block->size_class = class;
    block->next = NULL;
    atomic_init(&block->refs, 1);
    atomic_init(&block->flags, 0);
    atomic_init(&block->address, 0);
    *out = block;
    return BUFVM_OK;
}

static void give_back(BufvmBuffer *block)
{
    BvmPool *pool = block->pool;
    lock_pool(pool);
    pool->used -= block->raw;
    count_blocks(pool, -1);
    bool last = pool->closed && pool->blocks == 0, keep = !pool->closed;
    if (keep) {
        block->next = pool->free[block->size_class];
        pool->free[block->size_class] = block;
        pool->kept += block->raw;
        uint64_t cap = pool->peak + pool->peak / 4 + KEEP;
        if (!fits(pool, 0, cap))
            trim(pool, 0, cap, block->size_class);
    }
    unlock_pool(pool);
    if (!keep)
        block_destroy(block);
    if (last)
        pool_destroy(pool);
}

bool bvm_pool_charge(BvmPool *pool, uint64_t bytes)
{
    lock_pool(pool);
    bool allowed = bytes <= pool->limit && pool->used <= pool->limit - bytes;
    if (allowed) {
        trim(pool, bytes, pool->limit, CLASSES);
        count_use(pool, bytes);
    }
    unlock_pool(pool);
    return allowed;
}

void bvm_pool_discharge(BvmPool *pool, uint64_t bytes)
{
    lock_pool(pool);
    pool->used -= bytes;
    unlock_pool(pool);
}

void bvm_pool_statistics(BvmPool *pool, BvmPoolStatistics *out)
{
    lock_pool(pool);
    *out = (BvmPoolStatistics){pool->allocations, pool->used, pool->peak, pool->blocks};
    unlock_pool(pool);
}

uint64_t bvm_pool_blocks(const BvmPool *pool)
{
    return atomic_load_explicit(&pool->blocks, memory_order_relaxed);
}

/* -- references ------------------------------------------------------------------------------------ */

void bvm_block_release(BufvmBuffer *block)
{
    if (atomic_load_explicit(&block->refs, memory_order_acquire) != 1 && /* else nobody is there to take another */
        atomic_fetch_sub_explicit(&block->refs, 1, memory_order_acq_rel) != 1)
        return;
    if (block->release)
        block->release(block->user, block->data);
    if (block->shadow)
        bvm_shadow_free(block);
    if (block->pool)
        give_back(block);
    else if (block->raw)
        block_destroy(block);
}

void bufvm_buffer_retain(BufvmBuffer *buffer)
{
    if (buffer)
        atomic_fetch_add_explicit(&buffer->refs, 1, memory_order_relaxed);
}

void bufvm_buffer_release(BufvmBuffer *buffer)
{
    if (buffer)
        bvm_block_release(buffer);
}

uint8_t *bufvm_buffer_data(BufvmBuffer *buffer)
{
    return buffer ? buffer->data : NULL;
}

uint64_t bufvm_buffer_bytes(const BufvmBuffer *buffer)
{
    return buffer ? buffer->bytes : 0;
}

BufvmStatus bufvm_buffer_alloc(const BufvmAllocator *allocator, uint64_t bytes, BufvmBuffer **out, BufvmError *error)
{
    if (!out)
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "bufvm_buffer_alloc: no place for the result");
    *out = NULL;
    BufvmAllocator a = bvm_mem_allocator(allocator);
    uint64_t capacity = bytes ? bytes : 1, raw;
    BufvmBuffer *block = raw_size(capacity, 64, &raw) ? block_new(&a, capacity, 64, raw, true) : NULL;
    if (!block)
        return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: buffer of %" PRIu64 " bytes", bytes);
    block->bytes = bytes;
    atomic_init(&block->refs, 1);
    *out = block;
    return BUFVM_OK;
}

BufvmStatus bufvm_buffer_wrap(const BufvmAllocator *allocator, void *data, uint64_t bytes, bool read_only,
                              void (*release)(void *user, void *data), void *user, BufvmBuffer **out, BufvmError *error)
{
    if (!out)
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "bufvm_buffer_wrap: no place for the result");
    *out = NULL;
    if ((!data && bytes) || bytes > SIZE_MAX / 2)
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "bufvm_buffer_wrap: %" PRIu64 " bytes at %s", bytes,
                         data ? "an address" : "NULL");
    BufvmAllocator a = bvm_mem_allocator(allocator);
    BufvmBuffer *block = bvm_mem_zalloc(&a, sizeof *block);
    if (!block)
        return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: buffer header");
    *block = (BufvmBuffer){
        .data = data, .bytes = bytes, .capacity = bytes, .raw = sizeof *block, .allocator = a, .release = release, .user = user};
    atomic_init(&block->refs, 1);
    atomic_init(&block->flags, read_only ? BVM_READ_ONLY : 0);
    *out = block;
    return BUFVM_OK;
}
