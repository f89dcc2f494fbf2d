/* sss-omp: windows of rows, and products in each of their orders. */
#include <stdlib.h>

#include "formats/sss.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/sss.h"
#include "support/integers.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"
#include "support/unit.h"

#define ROWS 1200

/* The number of entries that row i has below the diagonal: all lengths up to 21 in turn; runs of 30 rows of
 * one length; long rows; and rows beyond the sorted lengths. */
static int64_t mixed(int64_t i)
{
    return i * 7 % 22;
}

static int64_t in_runs(int64_t i)
{
    return i / 30 % 22;
}

static int64_t mostly_long(int64_t i)
{
    return 17 + i * 5 % 9;
}

static int64_t one_huge(int64_t i)
{
    return i % 256 == 255 ? 256 : i % 3;
}

/* A symmetric or skew-symmetric matrix of small integers: row i has length(i) entries below the diagonal, or
 * as many as fit, at places `apart`, nearest to the diagonal first. */
static struct csr make(int64_t (*length)(int64_t), int64_t apart, bool skew)
{
    double *dense = calloc(ROWS * ROWS, sizeof *dense);
    assert_non_null(dense);
    for (int64_t i = 0; i < ROWS; i++) {
        if (!skew) dense[i * ROWS + i] = (double)(i % 5 - 2);
        for (int64_t e = 0, j = i - 1; e < length(i) && j >= 0; e++, j -= 1 + (i + e) % apart) {
            dense[i * ROWS + j] = (double)((i + 3 * e) % 9 + 1);
            dense[j * ROWS + i] = (skew ? -1 : 1) * dense[i * ROWS + j];
        }
    }
    struct csr a = support_dense(ROWS, ROWS, dense);
    free(dense);
    return a;
}

/* The windows cover all rows in order, and their runs and places each row once, by ascending length where
 * they are sorted. */
static void check_windows(const struct storage *storage, const struct sss_work *work)
{
    const int32_t *row_ptr = storage->array[SSS_ROW_PTR].data;
    int64_t row = 0;
    for (int64_t w = 0; w < work->windows; w++) {
        const struct sss_window *window = &work->window[w];
        bool seen[SSS_WINDOW_ROWS] = {false};
        int64_t place = 0;
        assert_int_equal(window->first, row);
        if (window->way == SSS_LONG) assert_int_equal(window[1].run, window->run);
        for (int64_t r = window->run; r < window[1].run; r++) {
            if (window->way == SSS_SORTED && r > window->run)
                assert_true(work->run[r].length > work->run[r - 1].length);
            for (int64_t e = 0; e < work->run[r].rows; e++, place++) {
                const int64_t at = work->order[row + place];
                if (window->way == SSS_EVEN) assert_int_equal(at, place);
                assert_false(seen[at]);
                seen[at] = true;
                assert_int_equal(row_ptr[row + at + 1] - row_ptr[row + at], work->run[r].length);
            }
        }
        if (window->way != SSS_LONG) assert_int_equal(row + place, window[1].first);
        row = window[1].first;
    }
    assert_int_equal(row, ROWS);
}

static const struct {
    int64_t (*length)(int64_t);
    enum sss_way way; /* of its second window, with one thread */
} cases[] = {{mixed, SSS_SORTED}, {in_runs, SSS_EVEN}, {mostly_long, SSS_LONG}, {one_huge, SSS_LONG}};
#define CASES (sizeof cases / sizeof *cases)

/* Rows of many lengths are sorted, unless they are long on average, or one is too long to be sorted. */
TEST(windows_hold_each_row_once)
{
    for (size_t n = 0; n < CASES; n++) {
        FREED(csr_free) struct csr a = make(cases[n].length, 3, false);
        FREED(storage_free) struct storage storage = storing_done(&format_sss, "", NULL, &a);
        for (int threads = 1; threads <= 5; threads += 2) {
            struct launch launch =
                preparing_done(&kernel_cpu_sss_omp, "", &storage, &(struct preparing){.threads = threads});
            const struct sss_work *work = launch.state;
            check_windows(&storage, work);
            if (threads == 1) assert_int_equal(work->window[1].way, cases[n].way);
            kernel_release(&launch);
        }
    }
}

static void check_products(const struct csr *a, enum precision precision)
{
    FREED(storage_free)
    struct storage storage = storing_done(&format_sss, "", &(struct storing){.precision = precision}, a);
    for (int threads = 1; threads <= 7; threads += 3)
        for (int accumulate = 0; accumulate < 2; accumulate++) {
            const struct preparing how = {.threads = threads, .product.accumulate = accumulate};
            struct launch launch = preparing_done(&kernel_cpu_sss_omp, "", &storage, &how);
            assert_true(integers_run(&launch, a));
            kernel_release(&launch);
        }
}

/* With all loops, for near and for far columns: far ones reach rows of other threads. */
TEST(products_are_exact_in_every_order)
{
    static const char *const isas[] = {"portable", "avx2", "avx512"};
    for (size_t n = 0; n < 2 * CASES; n++)
        for (int skew = 0; skew < 2; skew++) {
            FREED(csr_free) struct csr a = make(cases[n / 2].length, n % 2 ? 40 : 3, skew);
            for (size_t k = 0; k < sizeof isas / sizeof *isas; k++) {
                if (!loops_choose(isas[k])) continue;
                check_products(&a, PRECISION_F64);
                check_products(&a, PRECISION_F32);
            }
            loops_choose(NULL);
        }
}

/* Without memory for the tables under the user's limit, rows are multiplied without them. */
TEST(a_limit_leaves_the_windows_out)
{
    for (int skew = 0; skew < 2; skew++) {
        FREED(csr_free) struct csr a = make(mixed, 3, skew);
        FREED(storage_free) struct storage storage = storing_done(&format_sss, "", NULL, &a);
        storage.limit = storage_size(&storage).bytes + 8;
        struct launch launch =
            preparing_done(&kernel_cpu_sss_omp, "", &storage, &(struct preparing){.threads = 1});
        assert_int_equal(((const struct sss_work *)launch.state)->windows, 0);
        assert_true(integers_run(&launch, &a));
        kernel_release(&launch);
    }
}
