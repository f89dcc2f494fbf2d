/* The model for forecasts of cuSPARSE's BSR: the requests of its warps are those of their lanes, one by one,
 * as the head of traces/cusparse_bsr.c states. */
#include "base/range.h"
#include "formats/array.h"
#include "formats/bsr.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"
#include "support/support.h"

static int64_t pointer(const struct storage *storage, int64_t row)
{
    return array_integer(&storage->array[BSR_ROW_PTR], row);
}

/* Lane `q` of `lanes` that share a block row: in each step it loads `each` values of one of `blocks` blocks
 * that lie side by side. */
struct lane {
    int64_t q, blocks, each;
    bool in_turn; /* the second block waits for its x after the first */
};

static void walk(const struct storage *storage, int64_t row, struct lane lane, int64_t start,
                 struct lockstep *warp)
{
    const int value = value_width(storage->precision, storage->complex);
    const int64_t size = storage->number[BSR_SIZE], values = size * size;
    const int64_t which = lane.blocks > 1 ? lane.q * lane.each / values : 0;
    const int64_t part = lane.q * lane.each - which * values, end = pointer(storage, row + 1);
    if (which >= lane.blocks || part >= values) return;
    int64_t step = start;
    for (int64_t k = pointer(storage, row) + which; k < end; k += lane.blocks, step++) {
        const int64_t column = array_integer(&storage->array[BSR_COL], k);
        note(warp, turn(step, 0), ACCESS_LOAD, OPERAND_COLUMNS, 4, k);
        const int64_t e = k * values + part;
        warp->padding = storage_padding(storage, 0, e) && storage_padding(storage, 0, e + lane.each - 1);
        note(warp, turn(step, 1), ACCESS_LOAD, OPERAND_VALUES, value * (int)lane.each, e / lane.each);
        note(warp, turn(step, lane.in_turn && which == 1 ? 3 : 2), ACCESS_LOAD, OPERAND_X,
             value * (int)lane.each, (column * size + part % size) / lane.each);
        warp->padding = false;
    }
}

/* The store of thread number `thread` of a block of threads, as the first of the lanes that have the rows. */
static void put(const struct launch *launch, int64_t row, int64_t end, int lane, struct lockstep *warp)
{
    const struct storage *storage = launch->storage;
    const int value = value_width(storage->precision, storage->complex);
    end = min(end, storage->rows);
    for (int64_t i = row + lane; i < end; i += 32) {
        if (launch->product.accumulate)
            note(warp, INT64_MAX - 1000 + 2 * (i - row) / 32, ACCESS_LOAD, OPERAND_Y, value, i);
        note(warp, INT64_MAX - 999 + 2 * (i - row) / 32, ACCESS_STORE, OPERAND_Y, value, i);
    }
}

/* Sizes 2 and 4: as many threads to a row as a block has values; 128 threads share a row of more than 512
 * blocks. */
static void thread_of_square(const struct launch *launch, int64_t block, int thread, struct lockstep *warp)
{
    const struct storage *storage = launch->storage;
    const int64_t size = storage->number[BSR_SIZE], lanes = size * size, rows = 128 / lanes;
    const int64_t all = (storage->rows + size - 1) / size, row = block * rows + thread / lanes;
    const int64_t each = value_width(storage->precision, storage->complex) <= 8 ? 2 : 1;
    if (row < all && pointer(storage, row + 1) - pointer(storage, row) <= 512)
        walk(storage, row, (struct lane){thread % lanes, each, each, size == 2}, 0, warp);
    for (int64_t r = 0, start = 1000; r < rows && block * rows + r < all; r++, start += 1000000)
        if (pointer(storage, block * rows + r + 1) - pointer(storage, block * rows + r) > 512)
            walk(storage, block * rows + r, (struct lane){thread, 128 * each / lanes, each, false}, start,
                 warp);
}

static void thread_bsr(const struct launch *launch, int64_t s, int64_t block, int thread,
                       struct lockstep *warp)
{
    const struct storage *storage = launch->storage;
    const int offset = storage->wide ? 8 : 4, in_warp = thread % 32;
    const int64_t size = storage->number[BSR_SIZE], values = size * size;
    const int64_t all = (storage->rows + size - 1) / size;
    const bool square = size == 2 || size == 4;
    const int64_t lanes = square ? values : size == 3 ? 32 : 64;
    const int64_t threads = square || size == 3 ? 128 : lanes;
    const int64_t row = (block * threads + thread) / lanes;
    const int64_t first = (block * threads + thread - in_warp) / lanes;
    const int64_t rows = min(max(1, 32 / lanes), all - first);
    assert_int_equal(s, 0);
    if (rows <= 0) return;
    if (in_warp <= rows) note(warp, 0, ACCESS_LOAD, OPERAND_POINTERS, offset, first + in_warp);
    if (square)
        thread_of_square(launch, block, thread, warp);
    else
        walk(storage, row, (struct lane){thread % lanes, size == 3 ? 3 : 1, 1, false}, 0, warp);
    if ((block * threads + thread - in_warp) % lanes == 0 || lanes < 32)
        put(launch, first * size, (first + rows) * size, in_warp, warp);
}

static void bsr_warps_ask_as_their_lanes_do(void **state)
{
    static const char *const format[] = {"size=2", "size=3", "size=4", "size=5", "size=6", "size=8"};
    for (size_t k = 0; k < sizeof format / sizeof *format; k++)
        assert_true(expect_trace(kernel_cusparse_bsr.like, "", format[k], thread_bsr) > 100);
}

/* Rows of about 512 blocks, some of which have more and are shared, beside each other in a block of threads;
 * and rows that all are. */
static void long_rows_are_shared(void **state)
{
    static const struct {
        const char *format;
        double density;
    } cases[] = {{"size=2", 0.067}, {"size=4", 0.041}, {"size=3", 0.067}, {"size=2", 0.6}, {"size=4", 0.6}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct csr a = support_matrix(70, 4200, cases[k].density, false, false, 7);
        assert_true(expect_trace_of(kernel_cusparse_bsr.like, "", cases[k].format, &a, thread_bsr) > 0);
        csr_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bsr_warps_ask_as_their_lanes_do),
        cmocka_unit_test(long_rows_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
