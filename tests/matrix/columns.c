/* matrix/columns: lengths and offsets of columns if most of them are empty, and the memory for that.
 * (tests/analysis/lengths.c compares both with plain counts if most are not.) */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "matrix/columns.h"
#include "support/allocations.h"
#include "support/cmocka.h"

/* The bytes that the allocator may add to each block. */
#define ROUNDING 4096

/* `rows` rows of two entries: row i in columns step * (i mod different) and last - (i mod 3). So column step
 * * d has an entry of each row i with i mod different = d, and each of the last three has a third of the
 * rows. */
static struct csr scattered(int64_t rows, int64_t cols, int64_t different, int64_t step)
{
    struct csr a = {.rows = rows, .cols = cols};
    a.row_ptr = memory_array((size_t)rows + 1, sizeof *a.row_ptr, NULL);
    a.col = memory_array((size_t)rows, 2 * sizeof *a.col, NULL);
    for (int64_t i = 0; i <= rows; i++)
        a.row_ptr[i] = 2 * i;
    for (int64_t i = 0; i < rows; i++) {
        a.col[2 * i] = (int32_t)(step * (i % different));
        a.col[2 * i + 1] = (int32_t)(cols - 1 - i % 3);
    }
    return a;
}

/* 10,000 entries in the maximum number of columns: the columns in their order, and the count of empty
 * ones. */
static void few_entries_take_little_memory(void **state)
{
    enum { ROWS = 5000, DIFFERENT = 700, STEP = 3000000 };
    struct csr a = scattered(ROWS, INT32_MAX, DIFFERENT, STEP);
    struct lines lines;
    uint32_t *lengths;
    allocations_begin();
    assert_int_equal(column_lengths(&a, NULL, &lines, &lengths, NULL), STATUS_OK);
    assert_true(allocations_now().peak <= 8 * 2 * ROWS + ROUNDING);
    assert_int_equal(lines.count, DIFFERENT + 3);
    assert_int_equal(lines.empty, (int64_t)INT32_MAX - DIFFERENT - 3);
    assert_ptr_equal(lines.lengths, lengths);
    for (int64_t d = 0; d < DIFFERENT; d++) /* 5000 = 7 x 700 + 100 */
        assert_int_equal(lengths[d], d < 100 ? 8 : 7);
    assert_int_equal(lengths[DIFFERENT], ROWS / 3);         /* i mod 3 = 2 */
    assert_int_equal(lengths[DIFFERENT + 1], ROWS / 3 + 1); /* 1 */
    assert_int_equal(lengths[DIFFERENT + 2], ROWS / 3 + 1); /* 0 */
    struct length_count *histogram;
    int64_t bins;
    assert_int_equal(histogram_of(&lines, NULL, &histogram, &bins, NULL), STATUS_OK);
    static const struct length_count expected[] = {
        {0, (int64_t)INT32_MAX - 703}, {7, 600}, {8, 100}, {1666, 1}, {1667, 2}};
    assert_int_equal(bins, 5);
    assert_memory_equal(histogram, expected, sizeof expected);
    free(histogram);
    free(lengths);
    csr_free(&a);
    assert_int_equal(allocations_now().blocks, -2); /* the two blocks of the matrix existed before */
}

/* Offsets state the memory that they need, use no more, and are refused before anything is allocated. */
static void offsets_are_held_against_the_limit(void **state)
{
    enum { ROWS = 600, DIFFERENT = 50, STEP = 20 };
    struct csr a = scattered(ROWS, 3000, DIFFERENT, STEP);
    size_t bytes = column_offsets_bytes(&a);
    int64_t *offsets;
    struct error error = {0};
    char size[32], limit[32];
    allocations_begin();
    assert_int_equal(column_offsets(&a, bytes - 1, NULL, &offsets, &error), STATUS_LIMIT);
    assert_null(offsets);
    assert_int_equal(allocations_now().peak, 0);
    assert_non_null(strstr(error.message, format_bytes(size, sizeof size, (double)bytes)));
    assert_non_null(strstr(error.message, format_bytes(limit, sizeof limit, (double)(bytes - 1))));
    assert_int_equal(column_offsets(&a, bytes, NULL, &offsets, NULL), STATUS_OK);
    assert_true(allocations_now().peak >= (long long)bytes &&
                allocations_now().peak <= (long long)bytes + ROUNDING);
    for (int64_t j = 0; j <= 3000; j++) {
        /* Twelve entries in each column STEP d, d < DIFFERENT; 200 in each of the last three. */
        int64_t stepped = j > 0 ? (j - 1) / STEP + 1 : 0, last = j > 2997 ? j - 2997 : 0;
        assert_int_equal(offsets[j], 12 * (stepped < DIFFERENT ? stepped : DIFFERENT) + 200 * last);
    }
    free(offsets);
    /* Too many columns for their offsets to fit in any memory. */
    a.cols = INT32_MAX;
    error_clear(&error);
    assert_int_equal(column_offsets(&a, (size_t)1 << 30, NULL, &offsets, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, format_bytes(size, sizeof size, 12.0 * INT32_MAX + 8)));
    csr_free(&a);
}

static void cancelling_and_want_of_memory_leave_nothing(void **state)
{
    struct csr a = scattered(300, 1000000, 100, 7);
    struct lines lines;
    uint32_t *lengths;
    struct progress progress = {0};
    struct error error = {0};
    allocations_begin();
    progress_cancel(&progress);
    assert_int_equal(column_lengths(&a, &progress, &lines, &lengths, &error), STATUS_CANCELLED);
    assert_null(lengths);
    error_clear(&error);
    memory_fail_after(0);
    assert_int_equal(column_lengths(&a, NULL, &lines, &lengths, &error), STATUS_MEMORY);
    memory_fail_after(-1);
    assert_null(lengths);
    assert_int_equal(error.status, STATUS_MEMORY);
    assert_int_equal(allocations_now().blocks, 0);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_entries_take_little_memory),
        cmocka_unit_test(offsets_are_held_against_the_limit),
        cmocka_unit_test(cancelling_and_want_of_memory_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
