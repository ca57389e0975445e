/* Workgroup local memory: one zeroed block per worker, made once, aligned to 4096. */
#include <inttypes.h>
#include <unistd.h>

#include "memory.h"
#include "shadow.h"

#define LEAST (UINT64_C(128) << 10)
#define MOST  (UINT64_C(64) << 20) /* a machine that reports more than this reports nonsense */
#define ALIGN UINT64_C(4096)

uint64_t bvm_local_default(void)
{
#ifdef _SC_LEVEL2_CACHE_SIZE
    long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    if (l2 > 0 && (uint64_t)l2 > LEAST && (uint64_t)l2 <= MOST)
        return (uint64_t)l2;
#endif
    return LEAST;
}

BufvmStatus bvm_local_ready(BvmLocal *local, BvmPool *pool, const BufvmAllocator *allocator, BufvmError *error)
{
    if (local->raw || !local->available)
        return BUFVM_OK;
    uint64_t bytes;
    if (__builtin_add_overflow(local->available, ALIGN - 1, &bytes) || bytes > SIZE_MAX / 2)
        bytes = UINT64_MAX;
    if (!bvm_pool_charge(pool, bytes))
        return bvm_pool_over(pool, "workgroup local memory", local->available, error);
    local->raw = bvm_mem_zalloc(allocator, bytes);
    if (!local->raw) {
        bvm_pool_discharge(pool, bytes);
        return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: workgroup local memory of %" PRIu64 " bytes",
                         local->available);
    }
    local->raw_bytes = bytes;
    uint8_t *base = (uint8_t *)(((uintptr_t)local->raw + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1));
    bvm_block_init_fixed(&local->block, base, local->available, BVM_LOCAL);
    return BUFVM_OK;
}

void bvm_local_free(BvmLocal *local, BvmPool *pool, const BufvmAllocator *allocator)
{
    bvm_shadow_free(&local->block);
    if (!local->raw)
        return;
    bvm_pool_discharge(pool, local->raw_bytes);
    bvm_mem_free(allocator, local->raw, local->raw_bytes);
    local->raw = NULL;
}
