/* Blocks, the pool and workgroup local memory. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../../vm/memory/endian.h"
#include "../../vm/memory/memory.h"

static BufvmAllocator malloc_hook(void)
{
    return bvm_mem_allocator(NULL);
}

static BufvmBuffer *take(BvmPool *pool, uint64_t bytes, uint64_t align, bool cleared)
{
    BufvmBuffer *block = NULL;
    BufvmError error;
    ck_assert_msg(!bvm_pool_alloc(pool, bytes, align, cleared, &block, &error), "%s", error.text);
    ck_assert_uint_eq(block->bytes, bytes);
    ck_assert_uint_ge(block->capacity, bytes);
    ck_assert_uint_eq((uintptr_t)block->data % (align < 64 ? 64 : align), 0);
    return block;
}

static bool all_zero(const uint8_t *p, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

START_TEST(blocks_are_reused_and_cleared)
{
    BufvmAllocator a = malloc_hook();
    BvmPool *pool = bvm_pool_new(&a, 0, 0, false);
    for (uint64_t bytes = 0; bytes < 300000; bytes = bytes * 5 / 4 + 1) {
        BufvmBuffer *block = take(pool, bytes, 0, true);
        ck_assert(all_zero(block->data, bytes));
        memset(block->data, 0x55, bytes);
        bvm_block_release(block);
        BufvmBuffer *again = take(pool, bytes, 0, true);
        ck_assert_ptr_eq(again, block);
        ck_assert(all_zero(again->data, bytes));
        bvm_block_release(again);
    }
    BvmPoolStatistics s;
    bvm_pool_statistics(pool, &s);
    ck_assert_uint_eq(s.blocks, 0);
    ck_assert_uint_eq(s.bytes_now, 0);
    bvm_pool_close(pool);
}
END_TEST

START_TEST(alignment)
{
    BufvmAllocator a = malloc_hook();
    BvmPool *pool = bvm_pool_new(&a, 0, 0, false);
    for (uint64_t align = 1; align <= 1 << 20; align *= 2) {
        BufvmBuffer *x = take(pool, 100, align, true), *y = take(pool, 100, align, true);
        bvm_block_release(x);
        bvm_block_release(y);
    }
    bvm_pool_close(pool);
}
END_TEST

START_TEST(limits_count_kept_blocks)
{
    BufvmAllocator a = malloc_hook();
    BvmPool *pool = bvm_pool_new(&a, 1 << 20, 0, false);
    BufvmBuffer *block = take(pool, 900000, 0, true), *other = NULL;
    BufvmError error;
    ck_assert_int_eq(bvm_pool_alloc(pool, 200000, 0, true, &other, &error), BUFVM_LIMIT);
    ck_assert(strstr(error.text, "1048576"));
    bvm_block_release(block);
    for (int i = 0; i < 100; i++) { /* kept blocks make room */
        block = take(pool, 20000 + 8192 * (uint64_t)i, 0, true);
        bvm_block_release(block);
    }
    ck_assert_int_eq(bvm_pool_alloc(pool, UINT64_MAX, 0, true, &other, &error), BUFVM_LIMIT);
    ck_assert_int_eq(bvm_pool_alloc(pool, UINT64_MAX - 100, 64, true, &other, &error), BUFVM_LIMIT);
    ck_assert(bvm_pool_charge(pool, 1000000));
    ck_assert(!bvm_pool_charge(pool, 100000));
    bvm_pool_discharge(pool, 1000000);
    bvm_pool_close(pool);
}
END_TEST

START_TEST(blocks_outlive_their_pool)
{
    BufvmAllocator a = malloc_hook();
    BvmPool *pool = bvm_pool_new(&a, 0, 0, true);
    BufvmBuffer *x = take(pool, 10, 0, true), *y = take(pool, 10, 0, false);
    ck_assert_uint_eq(x->data[9], 0xCB);
    bvm_pool_close(pool);
    bvm_block_release(x);
    y->data[0] = 1;
    bvm_block_release(y);
}
END_TEST

static void released(void *user, void *data)
{
    ck_assert_ptr_eq(user, (char *)data + 1);
    *(char *)data = 7;
}

START_TEST(wrapped_memory_is_given_back_once)
{
    char bytes[4] = {0};
    BufvmBuffer *buffer;
    BufvmError error;
    ck_assert(!bufvm_buffer_wrap(NULL, bytes, 4, true, released, bytes + 1, &buffer, &error));
    ck_assert_uint_eq(bufvm_buffer_bytes(buffer), 4);
    ck_assert_ptr_eq(bufvm_buffer_data(buffer), (uint8_t *)bytes);
    bufvm_buffer_retain(buffer);
    bufvm_buffer_release(buffer);
    ck_assert_int_eq(bytes[0], 0);
    BvmReg reg = bvm_reg_of(buffer, true);
    ck_assert_uint_eq(reg.length, 4);
    ck_assert_uint_eq(reg.writable, 0);
    bvm_reg_drop(&reg);
    ck_assert_int_eq(bytes[0], 7);
    ck_assert_int_eq(bufvm_buffer_wrap(NULL, NULL, 4, true, NULL, NULL, &buffer, &error), BUFVM_INVALID_ARGUMENT);
    bufvm_buffer_release(NULL);
}
END_TEST

START_TEST(local_memory_is_made_once)
{
    BufvmAllocator a = malloc_hook();
    BvmPool *pool = bvm_pool_new(&a, 1 << 20, 0, false);
    BvmLocal local = {.available = 8192}, large = {.available = 1 << 21};
    BufvmError error;
    ck_assert_uint_ge(bvm_local_default(), 128 << 10);
    ck_assert(!bvm_local_ready(&local, pool, &a, &error));
    uint8_t *data = local.block.data;
    ck_assert_uint_eq((uintptr_t)data % 4096, 0);
    ck_assert(!bvm_local_ready(&local, pool, &a, &error));
    ck_assert_ptr_eq(local.block.data, data);
    ck_assert_int_eq(bvm_local_ready(&large, pool, &a, &error), BUFVM_LIMIT);
    bvm_local_free(&local, pool, &a);
    bvm_local_free(&large, pool, &a);
    BvmPoolStatistics s;
    bvm_pool_statistics(pool, &s);
    ck_assert_uint_eq(s.bytes_now, 0);
    bvm_pool_close(pool);
}
END_TEST

START_TEST(memory_is_little_endian)
{
    uint8_t p[9];
    bvm_put64(p + 1, UINT64_C(0x0807060504030201));
    for (int i = 0; i < 8; i++)
        ck_assert_uint_eq(p[1 + i], (unsigned)i + 1);
    ck_assert_uint_eq(bvm_get16(p + 1), 0x0201);
    ck_assert_uint_eq(bvm_get32(p + 1), 0x04030201);
    ck_assert_uint_eq(bvm_get64(p + 1), UINT64_C(0x0807060504030201));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *t = tcase_create("memory");
    tcase_add_test(t, blocks_are_reused_and_cleared);
    tcase_add_test(t, alignment);
    tcase_add_test(t, limits_count_kept_blocks);
    tcase_add_test(t, blocks_outlive_their_pool);
    tcase_add_test(t, wrapped_memory_is_given_back_once);
    tcase_add_test(t, local_memory_is_made_once);
    tcase_add_test(t, memory_is_little_endian);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
