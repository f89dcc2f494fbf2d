/* The trace of DIA: the requests of the threads of dia.cu, one by one, are those of their warps. */
#include "formats/array.h"
#include "kernels/cuda/dia.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"

static void thread_dia(const struct launch *launch, int64_t s, int64_t block, int thread,
                       struct lockstep *warp)
{
    const struct storage *storage = launch->storage;
    const int size = value_width(storage->precision, storage->complex);
    const int64_t i = block * (int64_t)launch->values.number[DIA_KERNEL_BLOCK] + thread;
    assert_int_equal(s, 0);
    if (i >= storage->rows) return;
    for (int64_t d = 0; d < storage->number[DIA_DIAGONALS]; d++) {
        const int64_t e = d * storage->rows + i, j = i + array_integer(&storage->array[DIA_OFFSETS], d);
        warp->padding = storage_padding(storage, 0, e);
        note(warp, turn(d, 0), ACCESS_LOAD, OPERAND_COLUMNS, 4, d);
        note(warp, turn(d, 1), ACCESS_LOAD, OPERAND_VALUES, size, e);
        if (j >= 0 && j < storage->cols) note(warp, turn(d, 2), ACCESS_LOAD, OPERAND_X, size, j);
        warp->padding = false;
    }
    if (launch->product.accumulate) note(warp, INT64_MAX - 1, ACCESS_LOAD, OPERAND_Y, size, i);
    note(warp, INT64_MAX, ACCESS_STORE, OPERAND_Y, size, i);
}

static void dia_warps_ask_as_their_threads_do(void **state)
{
    static const char *const kernel[] = {"", "block=32", "block=48", "block=1024,early=0"};
    for (size_t k = 0; k < sizeof kernel / sizeof *kernel; k++)
        assert_true(expect_trace(&kernel_cuda_dia, kernel[k], NULL, thread_dia) > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dia_warps_ask_as_their_threads_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
