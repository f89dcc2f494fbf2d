/* The requests of the warps of the SELL kernel: their threads as in src/kernels/cuda/sell.cu, one at a
 * time. */
#include <stdlib.h>

#include "formats/array.h"
#include "formats/sell.h"
#include "kernels/cuda/sell.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"

static const struct sell_columns *columns_of(const struct launch *launch)
{
    return &((const struct sell_state *)launch->state)->columns;
}

static const uint8_t *index_of(const struct launch *launch)
{
    return ((const struct sell_state *)launch->state)->unique.index;
}

/* The positions of a thread's columns and values in their arrays. */
struct row {
    const struct launch *launch;
    bool narrow;
    int value;
    int64_t first, step, base;
};

static void load(const struct row *row, struct lockstep *warp, int64_t moment, int64_t d)
{
    int64_t k = row->first + d * row->step;
    warp->padding = storage_padding(row->launch->storage, 0, k);
    note(warp, moment, ACCESS_LOAD, OPERAND_COLUMNS, row->narrow ? 2 : 4, k);
    note(warp, moment + 1, ACCESS_LOAD, OPERAND_VALUES, index_of(row->launch) ? 1 : row->value, k);
    warp->padding = false;
}

static void load_x(const struct row *row, struct lockstep *warp, int64_t moment, int64_t d)
{
    int64_t k = row->first + d * row->step;
    int64_t j = row->narrow ? columns_of(row->launch)->narrow[k] + row->base
                            : array_integer(&row->launch->storage->array[SELL_COL], k);
    warp->padding = storage_padding(row->launch->storage, 0, k);
    if (index_of(row->launch))
        note(warp, moment, ACCESS_LOAD, OPERAND_TABLES, row->value, index_of(row->launch)[k]);
    note(warp, moment + 1, ACCESS_LOAD, OPERAND_X, row->value, j);
    warp->padding = false;
}

/* slots_sum: whole turns, and the rest. */
static void slots_sum(const struct row *row, struct lockstep *warp, int64_t left, int ahead)
{
    int64_t done = 0;
    for (int t = 0; left > (ahead - 1) * row->step; left -= ahead * row->step, done += ahead, t++) {
        for (int d = 0; d < ahead; d++)
            load(row, warp, turn(t, 2 * d), done + d);
        for (int d = 0; d < ahead; d++)
            load_x(row, warp, turn(t, 50 + 2 * d), done + d);
    }
    for (int d = 0; d < ahead - 1; d++)
        if (left > d * row->step) load(row, warp, turn(1000000, 2 * d), done + d);
    for (int d = 0; d < ahead - 1; d++)
        if (left > d * row->step) load_x(row, warp, turn(1000000, 50 + 2 * d), done + d);
}

static void thread_sell(const struct launch *launch, int64_t launched, int64_t block, int thread,
                        struct lockstep *warp)
{
    const struct storage *storage = launch->storage;
    const struct array *chunk_ptr = &storage->array[SELL_CHUNK_PTR];
    const double *number = launch->values.number;
    bool narrow = columns_of(launch)->narrow != NULL;
    int64_t s = (block * (int64_t)number[SELL_BLOCK] + thread) / 32, parts = sell_chunk_slices(storage);
    int64_t chunk = s / parts, place = s * 32 + thread % 32, i = place;
    int offset = (int)element_size(chunk_ptr->element);
    if (s >= sell_slices(storage)) return;
    note(warp, 0, ACCESS_LOAD, OPERAND_POINTERS, offset, chunk);
    note(warp, 1, ACCESS_LOAD, OPERAND_POINTERS, offset, chunk + 1);
    if (storage->values.number[SELL_SIGMA] > 1 && place < storage->rows) {
        note(warp, 2, ACCESS_LOAD, OPERAND_ROWS, 4, place);
        i = array_integer(&storage->array[SELL_PERM], place);
    }
    if (narrow) note(warp, 3, ACCESS_LOAD, OPERAND_TABLES, 4, s);
    struct row row = {.launch = launch,
                      .narrow = narrow && columns_of(launch)->base[s] >= 0,
                      .value = value_width(storage->precision, storage->complex),
                      .first = array_integer(chunk_ptr, chunk) + (s - chunk * parts) * 32 + thread % 32,
                      .step = parts * 32};
    if (row.narrow) row.base = columns_of(launch)->base[s];
    slots_sum(&row, warp, array_integer(chunk_ptr, chunk + 1) - row.first, (int)number[SELL_AHEAD]);
    if (place >= storage->rows) return;
    if (launch->product.accumulate) note(warp, INT64_MAX - 1, ACCESS_LOAD, OPERAND_Y, row.value, i);
    note(warp, INT64_MAX, ACCESS_STORE, OPERAND_Y, row.value, i);
}

static void slices_are_read_as_by_their_threads(void **state)
{
    static const struct {
        const char *parameters, *stored;
    } sets[] = {{"columns=16,ahead=4", "c=32,sigma=1"},
                {"columns=32,ahead=8,block=32", "c=32,sigma=64"},
                {"columns=16,ahead=8", "c=64,sigma=1"},
                {"columns=32,ahead=4,block=1024", "c=64,sigma=1000000"},
                {"columns=16,ahead=4,block=64", "c=96,sigma=512"},
                {"columns=32,ahead=8", "c=256,sigma=512"}};
    assert_true(expect_trace(&kernel_cuda_sell, "", NULL, thread_sell) > 200);
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        assert_true(expect_trace(&kernel_cuda_sell, sets[k].parameters, sets[k].stored, thread_sell) > 200);
}

static void values_are_told_by_bytes(void **state)
{
    assert_true(expect_trace_few(&kernel_cuda_sell, "values=8,columns=16", "c=32,sigma=1", 255, thread_sell) >
                50);
    assert_true(expect_trace_few(&kernel_cuda_sell, "values=8,columns=32,ahead=4", "c=64,sigma=512", 1,
                                 thread_sell) > 50);
}

/* Of three slices the middle one has columns too far apart for 16 bits. */
static void wide_slices_stand_among_narrow_ones(void **state)
{
    enum { ROWS = 96, COLS = 70000 };
    struct csr a = {.rows = ROWS, .cols = COLS};
    a.row_ptr = calloc(ROWS + 1, sizeof *a.row_ptr);
    a.col = calloc(2 * ROWS, sizeof *a.col);
    a.val = calloc(2 * ROWS, sizeof *a.val);
    assert_true(a.row_ptr && a.col && a.val);
    for (int32_t i = 0; i < ROWS; i++) {
        a.row_ptr[i + 1] = 2 * (i + 1);
        a.col[2 * i] = i * 7 % 50;
        a.col[2 * i + 1] = i == 40 ? COLS - 1 : i * 7 % 50 + 1 + i;
        a.val[2 * i] = a.val[2 * i + 1] = 1;
    }
    assert_true(expect_trace_of(&kernel_cuda_sell, "columns=16", "c=32,sigma=1", &a, thread_sell) >= 3);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_are_read_as_by_their_threads),
        cmocka_unit_test(values_are_told_by_bytes),
        cmocka_unit_test(wide_slices_stand_among_narrow_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
