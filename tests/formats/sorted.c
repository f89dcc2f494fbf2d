/* formats/sorted: rows in the order of their lengths, in windows small and large, for any number of threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/sorted.h"
#include "support/support.h"

/* Rows of random lengths below `max`; one in `many` has up to 100 times as many entries. There are no
 * entries: only lengths are looked at. */
static struct csr rows_of_lengths(int64_t rows, uint32_t max, uint32_t many, uint64_t seed)
{
    struct csr a = {.rows = rows, .cols = INT32_MAX};
    a.row_ptr = test_calloc((size_t)rows + 1, sizeof *a.row_ptr);
    for (int64_t i = 0; i < rows; i++) {
        int64_t length = support_random(&seed, max);
        if (support_random(&seed, many) == 0) length *= 1 + support_random(&seed, 100);
        a.row_ptr[i + 1] = a.row_ptr[i] + length;
    }
    return a;
}

static int64_t length_of(const struct csr *a, int64_t i)
{
    return a->row_ptr[i + 1] - a->row_ptr[i];
}

/* The only order that keeps each window's rows together, sorts them by descending length, and ties by row. */
static void check_order(const struct csr *a, int64_t window)
{
    int32_t *order = test_malloc(((size_t)a->rows + 1) * sizeof *order);
    memset(order, -1, (size_t)a->rows * sizeof *order);
    assert_int_equal(sort_rows(a, window, NULL, order, NULL), STATUS_OK);
    for (int64_t r = 0; r < a->rows; r++) {
        if (order[r] / window != r / window) fail_msg("row %d at %lld", order[r], (long long)r);
        if (r % window == 0) continue;
        int64_t before = length_of(a, order[r - 1]), length = length_of(a, order[r]);
        if (before < length || (before == length && order[r - 1] >= order[r]))
            fail_msg("window %lld: row %d of %lld before row %d of %lld", (long long)window, order[r - 1],
                     (long long)before, order[r], (long long)length);
    }
    for (int64_t r = 0; r < a->rows; r += 97) {
        int64_t first = r / window * window, end = first + window < a->rows ? first + window : a->rows;
        assert_int_equal(sorted_position(a, order, first, end, order[r]), r);
    }
    test_free(order);
}

static void windows_are_sorted(void **state)
{
    static const int64_t windows[] = {1, 2, 7, 32, 1000, 65536, 65537, 150000, INT32_MAX};
    static const struct {
        int64_t rows;
        uint32_t max, many;
    } cases[] = {{1, 9, 1},        {100, 1, 9},        {5000, 40, 300},
                 {200000, 12, 50}, {140000, 3000, 10}, {70000, 90000, 2}};
    for (int threads = 1; threads <= 3; threads += 2) {
        threads_set(threads);
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            struct csr a = rows_of_lengths(cases[c].rows, cases[c].max, cases[c].many, 7 + c);
            for (size_t w = 0; w < sizeof windows / sizeof *windows; w++)
                check_order(&a, windows[w]);
            test_free(a.row_ptr);
        }
    }
    threads_set(0);
}

static void lengths_are_counted(void **state)
{
    for (int threads = 1; threads <= 3; threads += 2) {
        struct csr a = rows_of_lengths(150000, 1500, 40, 3);
        int64_t longest = 0;
        for (int64_t i = 0; i < a.rows; i++)
            if (length_of(&a, i) > longest) longest = length_of(&a, i);
        uint32_t *counts = test_malloc(((size_t)longest + 1) * sizeof *counts);
        threads_set(threads);
        count_lengths(&a, longest, NULL, counts);
        for (int64_t i = 0; i < a.rows; i++)
            counts[length_of(&a, i)]--;
        for (int64_t length = 0; length <= longest; length++)
            assert_int_equal(counts[length], 0);
        test_free(counts);
        test_free(a.row_ptr);
    }
    threads_set(0);
}

static void sorting_may_fail(void **state)
{
    struct csr a = rows_of_lengths(100000, 30, 9, 1);
    int32_t *order = test_malloc((size_t)a.rows * sizeof *order);
    struct progress progress = {0};
    struct error error = {0};
    for (long fail = 0; fail < 2; fail++) {
        memory_fail_after(fail);
        assert_int_equal(sort_rows(&a, a.rows, NULL, order, NULL), STATUS_MEMORY);
        assert_int_equal(memory_failures(), 1);
    }
    memory_fail_after(-1);
    progress_cancel(&progress);
    assert_int_equal(sort_rows(&a, a.rows, &progress, order, &error), STATUS_CANCELLED);
    assert_int_equal(sort_rows(&a, 64, &progress, order, &error), STATUS_CANCELLED);
    test_free(order);
    test_free(a.row_ptr);
}

/* 4 bytes a row and no more than some counts, whatever the number of columns. */
static void memory_goes_by_rows(void **state)
{
    static const int64_t rows[] = {0, 1, 100, 5000, 300000}, cols[] = {1, 70, 100000};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int64_t window = 1; window <= 1 << 20; window *= 32) {
            const struct csr narrow = {.rows = rows[r], .cols = 1};
            const size_t bytes = sort_rows_bytes(&narrow, window);
            assert_in_range(bytes, 4 * (size_t)rows[r], 5 * (size_t)rows[r] + (1 << 20));
            if (window <= 32) assert_int_equal(bytes, 4 * (size_t)rows[r]);
            for (size_t c = 0; c < sizeof cols / sizeof *cols; c++) {
                const struct csr a = {.rows = rows[r], .cols = cols[c]};
                assert_int_equal(sort_rows_bytes(&a, window), bytes);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_are_sorted),
        cmocka_unit_test(lengths_are_counted),
        cmocka_unit_test(sorting_may_fail),
        cmocka_unit_test(memory_goes_by_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
