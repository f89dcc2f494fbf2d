/* The model through which cuSPARSE's BSR is forecast: what its warps ask for is what their lanes do, one by
 * one, as the head of traces/bsr.c has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/range.h"
#include "formats/array.h"
#include "formats/bsr.h"
#include "support/kernels.h"
#include "support/lockstep.h"

/* Thread i takes row i. */
static void thread_bsr(const struct launch *launch, int64_t s, int64_t block, int thread,
                       struct lockstep *warp)
{
    const struct storage *storage = launch->storage;
    const int value = value_width(storage->precision, storage->complex), offset = storage->wide ? 8 : 4;
    const int64_t size = storage->number[BSR_SIZE], i = block * 128 + thread, r = i / size;
    assert_int_equal(s, 0);
    if (i >= storage->rows) return;
    note(warp, 0, ACCESS_LOAD, OPERAND_POINTERS, offset, r);
    note(warp, 1, ACCESS_LOAD, OPERAND_POINTERS, offset, r + 1);
    int64_t first = array_integer(&storage->array[BSR_ROW_PTR], r);
    for (int64_t k = first; k < array_integer(&storage->array[BSR_ROW_PTR], r + 1); k++) {
        note(warp, turn(k - first, 0), ACCESS_LOAD, OPERAND_COLUMNS, 4, k);
        for (int64_t j = 0; j < size; j++) {
            int64_t e = k * size * size + i % size * size + j;
            warp->padding = storage_padding(storage, 0, e);
            note(warp, turn(k - first, 1 + 2 * (int)j), ACCESS_LOAD, OPERAND_VALUES, value, e);
            note(warp, turn(k - first, 2 + 2 * (int)j), ACCESS_LOAD, OPERAND_X, value,
                 array_integer(&storage->array[BSR_COL], k) * size + j);
            warp->padding = false;
        }
    }
    if (launch->product.accumulate) note(warp, INT64_MAX - 1, ACCESS_LOAD, OPERAND_Y, value, i);
    note(warp, INT64_MAX, ACCESS_STORE, OPERAND_Y, value, i);
}

static void bsr_warps_ask_as_their_lanes_do(void **state)
{
    static const char *const format[] = {"size=2", "size=3", "size=4", "size=5", "size=6", "size=8"};
    for (size_t k = 0; k < sizeof format / sizeof *format; k++)
        assert_true(expect_trace(kernel_cusparse_bsr.like, "", format[k], thread_bsr) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bsr_warps_ask_as_their_lanes_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
