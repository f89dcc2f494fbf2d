/* Traces of ELL: the requests of the threads of ell.cu, one by one, are those of their warps. */
#include "formats/array.h"
#include "kernels/cuda/ell.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"

static int value(const struct launch *launch)
{
    return value_width(launch->storage->precision, launch->storage->complex);
}

static int64_t column(const struct launch *launch, int64_t e)
{
    return array_integer(&launch->storage->array[ELL_COL], e);
}

static void multiply(const struct launch *launch, struct lockstep *warp, int64_t moment, int64_t e)
{
    warp->padding = storage_padding(launch->storage, 0, e);
    note(warp, moment, ACCESS_LOAD, OPERAND_COLUMNS, 4, e);
    if (column(launch, e) >= 0) {
        note(warp, moment + 1, ACCESS_LOAD, OPERAND_VALUES, value(launch), e);
        note(warp, moment + 2, ACCESS_LOAD, OPERAND_X, value(launch), column(launch, e));
    }
    warp->padding = false;
}

static void put(const struct launch *launch, struct lockstep *warp, int64_t i)
{
    if (launch->product.accumulate) note(warp, INT64_MAX - 1, ACCESS_LOAD, OPERAND_Y, value(launch), i);
    note(warp, INT64_MAX, ACCESS_STORE, OPERAND_Y, value(launch), i);
}

static int64_t row_of(const struct launch *launch, int64_t s, int64_t block, int thread)
{
    assert_int_equal(s, 0);
    return block * (int64_t)launch->values.number[ELL_BLOCK] + thread;
}

static void thread_transposed(const struct launch *launch, int64_t s, int64_t block, int thread,
                              struct lockstep *warp)
{
    int64_t i = row_of(launch, s, block, thread), rows = launch->storage->rows;
    if (i >= rows) return;
    for (int64_t c = 0; c < launch->storage->number[ELL_WIDTH]; c++)
        multiply(launch, warp, turn(c, 0), c * rows + i);
    put(launch, warp, i);
}

/* Entries of row i: its slots up to where it repeats its last column with the value 0. */
static int64_t length(const struct launch *launch, int64_t i)
{
    const int64_t rows = launch->storage->rows;
    int64_t c = launch->storage->number[ELL_WIDTH];
    while (c > 0 && storage_padding(launch->storage, 0, (c - 1) * rows + i))
        c--;
    return c;
}

/* And the weight of a warp is its loads of columns, and those of values and x of its longest row. */
static void thread_masked(const struct launch *launch, int64_t s, int64_t block, int thread,
                          struct lockstep *warp)
{
    const int64_t first = row_of(launch, s, block, thread), rows = launch->storage->rows;
    if (thread % 32 == 0 && first < rows) {
        int64_t longest = 0;
        for (int64_t i = first; i < first + 32 && i < rows; i++)
            if (length(launch, i) > longest) longest = length(launch, i);
        assert_int_equal(trace_weight(launch, s, first / 32),
                         launch->storage->number[ELL_WIDTH] + 2 * longest);
    }
    thread_transposed(launch, s, block, thread, warp);
}

static void thread_bounded(const struct launch *launch, int64_t s, int64_t block, int thread,
                           struct lockstep *warp)
{
    int64_t i = row_of(launch, s, block, thread), rows = launch->storage->rows;
    if (i >= rows) return;
    note(warp, 0, ACCESS_LOAD, OPERAND_TABLES, 4, i);
    for (int64_t c = 0, end = length(launch, i); c < end; c++)
        multiply(launch, warp, turn(c, 0), c * rows + i);
    put(launch, warp, i);
}

static void thread_rowmajor(const struct launch *launch, int64_t s, int64_t block, int thread,
                            struct lockstep *warp)
{
    int64_t i = row_of(launch, s, block, thread), width = launch->storage->number[ELL_WIDTH];
    if (i >= launch->storage->rows) return;
    for (int64_t c = 0; c < width; c++)
        multiply(launch, warp, turn(c, 0), i * width + c);
    put(launch, warp, i);
}

static void ell_padded_warps_ask_as_their_threads_do(void **state)
{
    assert_true(expect_trace(&kernel_cuda_ell_padded, "block=48", NULL, thread_transposed) > 200);
}

static void ell_masked_warps_ask_as_their_threads_do(void **state)
{
    assert_true(expect_trace(&kernel_cuda_ell_masked, "block=32", NULL, thread_masked) > 200);
}

static void ell_bounded_warps_ask_as_their_threads_do(void **state)
{
    assert_true(expect_trace(&kernel_cuda_ell_bounded, "", NULL, thread_bounded) > 200);
    assert_true(expect_trace(&kernel_cuda_ell_bounded, "block=32", "pad=sentinel", thread_bounded) > 200);
}

static void ell_rowmajor_warps_ask_as_their_threads_do(void **state)
{
    assert_true(expect_trace(&kernel_cuda_ell_rowmajor, "block=1024", NULL, thread_rowmajor) > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ell_padded_warps_ask_as_their_threads_do),
        cmocka_unit_test(ell_masked_warps_ask_as_their_threads_do),
        cmocka_unit_test(ell_bounded_warps_ask_as_their_threads_do),
        cmocka_unit_test(ell_rowmajor_warps_ask_as_their_threads_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
