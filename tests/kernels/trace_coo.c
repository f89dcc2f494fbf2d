/* Traces of COO: the requests of the threads of coo.cu, one by one, are those of their warps. */
#include "formats/array.h"
#include "formats/coo.h"
#include "kernels/cuda/coo.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"

static int64_t row(const struct launch *launch, int64_t e)
{
    return array_integer(&launch->storage->array[COO_ROW], e);
}

static int value(const struct launch *launch)
{
    return value_width(launch->storage->precision, launch->storage->complex);
}

static void multiply(const struct launch *launch, struct lockstep *warp, int64_t moment, int64_t e)
{
    note(warp, moment, ACCESS_LOAD, OPERAND_VALUES, value(launch), e);
    note(warp, moment + 1, ACCESS_LOAD, OPERAND_COLUMNS, 4, e);
    note(warp, moment + 2, ACCESS_LOAD, OPERAND_X, value(launch),
         array_integer(&launch->storage->array[COO_COL], e));
}

static void thread_atomic(const struct launch *launch, int64_t s, int64_t block, int thread,
                          struct lockstep *warp)
{
    int64_t e = block * (int64_t)launch->values.number[COO_ATOMIC_BLOCK] + thread;
    assert_int_equal(s, 0);
    if (e >= launch->storage->nnz) return;
    multiply(launch, warp, 0, e);
    note(warp, 10, ACCESS_LOAD, OPERAND_ROWS, 4, e);
    note_reduction(launch, warp, 11, row(launch, e));
}

static void finish_row(const struct launch *launch, struct lockstep *warp, int64_t moment, int64_t i,
                       bool began_before)
{
    if (began_before) {
        note_reduction(launch, warp, moment, i);
        return;
    }
    if (launch->product.accumulate) note(warp, moment + 1, ACCESS_LOAD, OPERAND_Y, value(launch), i);
    note(warp, moment + 2, ACCESS_STORE, OPERAND_Y, value(launch), i);
}

static void thread_segmented(const struct launch *launch, int64_t s, int64_t block, int thread,
                             struct lockstep *warp)
{
    int threads = (int)launch->values.number[COO_SEGMENTED_BLOCK], lane = thread % 32, t = 0;
    int64_t interval = 32 * (int64_t)launch->values.number[COO_SEGMENTED_STEPS];
    int64_t count = launch->storage->nnz, begin = (block * threads + thread) / 32 * interval;
    assert_int_equal(s, 0);
    if (begin >= count) return;
    int64_t end = begin + interval < count ? begin + interval : count;
    int64_t first = row(launch, begin), carried = first;
    note(warp, 0, ACCESS_LOAD, OPERAND_ROWS, 4, begin);
    for (int64_t e = begin + lane; e - lane < end; e += 32, t++) {
        int64_t own = e < end ? e : end - 1, next = e + 1 < end ? e + 1 : end - 1;
        int64_t last = e - lane + 31 < end ? e - lane + 31 : end - 1, i = row(launch, own);
        note(warp, turn(t, 0), ACCESS_LOAD, OPERAND_ROWS, 4, own);
        if (e < end) multiply(launch, warp, turn(t, 1), e);
        if (lane == 0 && i != carried) finish_row(launch, warp, turn(t, 10), carried, carried == first);
        if (lane < 31 && row(launch, next) != i) finish_row(launch, warp, turn(t, 20), i, i == first);
        carried = row(launch, last);
    }
    if (lane == 0) note_reduction(launch, warp, INT64_MAX - 100, carried);
}

static void coo_atomic_warps_ask_as_their_threads_do(void **state)
{
    static const char *const kernel[] = {"", "block=32", "block=48", "block=1024"};
    for (size_t k = 0; k < sizeof kernel / sizeof *kernel; k++)
        assert_true(expect_trace(&kernel_cuda_coo_atomic, kernel[k], NULL, thread_atomic) > 200);
    assert_true(expect_trace(&kernel_cuda_coo_atomic, "", "order=random", thread_atomic) > 200);
}

static void coo_segmented_warps_ask_as_their_threads_do(void **state)
{
    static const char *const kernel[] = {"", "block=32,steps=1", "block=64,steps=2", "block=1024,steps=1024"};
    for (size_t k = 0; k < sizeof kernel / sizeof *kernel; k++)
        assert_true(expect_trace(&kernel_cuda_coo_segmented, kernel[k], NULL, thread_segmented) > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coo_atomic_warps_ask_as_their_threads_do),
        cmocka_unit_test(coo_segmented_warps_ask_as_their_threads_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
