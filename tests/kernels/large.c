/* The CPU kernels on arrays that exceed all caches: prefetching entries and x, and storing y around the
 * caches. Values and x are small whole numbers, so that sums are exact in either precision. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/cpu/cpu.h"
#include "kernels/list.h"
#include "support/cmocka.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

static const char *const sets[] = {"portable", "avx2", "avx512", "avx2-loads", "avx512-loads"};
#define SETS (sizeof sets / sizeof *sets)

/* Row i has entries in columns i-1, i and i+1, except at every seventh position, and in `more` other
 * columns. */
static struct csr matrix_of(int64_t rows, int64_t more)
{
    struct csr a = {.rows = rows, .cols = rows + more};
    int64_t count = 0;
    a.row_ptr = memory_zeroed((size_t)rows + 1, sizeof *a.row_ptr, NULL);
    a.col = memory_array((size_t)(rows * (3 + more)), sizeof *a.col, NULL);
    a.val = memory_array((size_t)(rows * (3 + more)), sizeof *a.val, NULL);
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = i - 1; j <= i + 1 + more; j++) {
            if (j < 0 || j >= a.cols || (3 * i + j) % 7 == 0) continue;
            a.col[count] = (int32_t)j;
            a.val[count++] = (double)(1 + (i + j) % 3);
        }
        a.row_ptr[i + 1] = count;
    }
    return a;
}

/* Element j of x. */
static int x_at(int64_t j)
{
    return (int)(j % 5) - 2;
}

static void *make_x(const struct csr *a, enum precision precision)
{
    bool single = precision == PRECISION_F32;
    void *x = memory_array((size_t)a->cols, single ? sizeof(float) : sizeof(double), NULL);
    for (int64_t j = 0; j < a->cols; j++)
        if (single)
            ((float *)x)[j] = (float)x_at(j);
        else
            ((double *)x)[j] = x_at(j);
    return x;
}

static void expect_product(const struct csr *a, enum precision precision, const void *y, const char *what)
{
    for (int64_t i = 0; i < a->rows; i++) {
        double sum = 0,
               found = precision == PRECISION_F32 ? (double)((const float *)y)[i] : ((const double *)y)[i];
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            sum += a->val[k] * x_at(a->col[k]);
        if (found != sum)
            fail_msg("%s, %s: row %lld is %g instead of %g", what, loops_for(precision)->isa, (long long)i,
                     found, sum);
    }
}

/* One kernel, y beginning at a line of the cache and `offset` elements behind one. */
static void run_at(const struct kernel_choice *choice, const struct storage *storage, const struct csr *a,
                   const void *x, int64_t offset)
{
    size_t size = storage->precision == PRECISION_F32 ? sizeof(float) : sizeof(double);
    char *memory = memory_array((size_t)(a->rows + offset) * size + 64, 1, NULL);
    char *y = memory + (64 - (uintptr_t)memory % 64) % 64 + (size_t)offset * size;
    struct launch launch;
    memset(y, 0xff, (size_t)a->rows * size); /* NaN */
    const struct kernel_choice wanted = kernel_choice_with(choice, storage->precision, 3);
    assert_int_equal(
        kernel_prepare(&wanted, storage, &(struct launch_options){.product = {0}}, &launch, NULL), STATUS_OK);
    kernel_run(&launch, x, y);
    expect_product(a, storage->precision, y, choice->kernel->name);
    kernel_release(&launch);
    free(memory);
}

static void try_list(const char *list, const struct csr *a, enum precision precision)
{
    struct kernel_list kernels_wanted = {0};
    void *x = make_x(a, precision);
    assert_int_equal(kernel_list_add(&kernels_wanted, list, NULL), STATUS_OK);
    for (int k = 0; k < kernels_wanted.count; k++) {
        const struct kernel_choice choice = kernel_choice_with(&kernels_wanted.choices[k], precision, 0);
        struct storage storage;
        assert_int_equal(format_convert(&choice.format, &(struct format_options){0}, a, NULL, &storage, NULL),
                         STATUS_OK);
        for (size_t s = 0; s < SETS; s++)
            for (int64_t offset = 0; offset < 2 && loops_choose(sets[s]); offset++)
                run_at(&choice, &storage, a, x, offset);
        storage_free(&storage);
    }
    assert_true(loops_choose(NULL));
    kernel_list_free(&kernels_wanted);
    free(x);
}

static void entries_are_asked_for_ahead(void **state)
{
    static const char list[] =
        "csr-omp cpu/csr-balanced csr-compact coo-omp ell-omp ell-omp:pad=sentinel ell-omp:layout=rows "
        "hyb-omp:k=3 "
        "jds-omp "
        "jds-omp:sections=equal jds-omp:sections=share,inside=csr cmrs-omp cmrs-omp:packed=1 "
        "cmrs-omp:height=3 "
        "sell-omp:c=8 sell-omp:c=24 sell-omp:c=64,sigma=128 sell-compact:c=8 sell-compact:c=32,sigma=128 "
        "dia-omp bsr-omp:size=2 bsr-omp:size=3 "
        "bsr-omp:size=4 "
        "bsr-omp:size=8";
    struct csr narrow = matrix_of(70001, 0), wide = matrix_of(9973, 40);
    for (enum precision precision = PRECISION_F64; precision <= PRECISION_F32; precision++) {
        try_list(list, &narrow, precision);
        try_list(list, &wide, precision);
    }
    csr_free(&narrow);
    csr_free(&wide);
}

/* Rows of up to half a vector, a vector, and more. */
static void short_rows_are_right(void **state)
{
    for (int64_t more = 0; more < 24; more++) {
        struct csr a = matrix_of(1003, more);
        try_list("csr-omp cpu/csr-balanced", &a, PRECISION_F64);
        try_list("csr-omp cpu/csr-balanced", &a, PRECISION_F32);
        csr_free(&a);
    }
}

/* 16 MiB of y and a few rows more. */
static void results_go_around_the_caches(void **state)
{
    struct csr a = matrix_of(2097155, 0);
    try_list("ell-omp sell-omp:c=16 sell-omp:c=40 dia-omp", &a, PRECISION_F64);
    csr_free(&a);
    a = matrix_of(4194311, 0);
    try_list("ell-omp:pad=sentinel sell-omp:c=16", &a, PRECISION_F32);
    csr_free(&a);
}

/* The loop for scattered columns, with rows around its prefetching distance. */
static void scattered_rows_are_right(void **state)
{
    static const int64_t rows[] = {0, 1, 2, 41, 42, 43, 50, 51, 84, 85, 86, 600};
    for (size_t n = 0; n < 32 * sizeof rows / sizeof *rows; n++) {
        struct csr a = matrix_of(rows[n / 32], n % 2 ? 60 : 0);
        enum precision precision = n / 2 % 2 ? PRECISION_F32 : PRECISION_F64;
        const struct storing options = {.precision = precision, .wide = n / 4 % 2};
        struct kernel_list list = {0};
        struct launch launch;
        void *x = make_x(&a, precision), *y = memory_array((size_t)a.rows, sizeof(double), NULL);
        assert_int_equal(kernel_list_add(&list, "csr-omp", NULL), STATUS_OK);
        struct storage storage = storing_done(list.choices[0].kernel->format, "", &options, &a);
        if (loops_choose(sets[1 + n / 8 % 4])) {
            launch = preparing_done(list.choices[0].kernel, "", &storage, &(struct preparing){.threads = 1});
            launch.x = x;
            launch.y = y;
            loops_for(precision)->csr_scattered(&launch, 0, a.rows);
            expect_product(&a, precision, y, "csr_scattered");
            kernel_release(&launch);
        }
        storage_free(&storage);
        kernel_list_free(&list);
        free(x);
        free(y);
        csr_free(&a);
    }
    assert_true(loops_choose(NULL));
}

/* Columns of entries: every `period`-th one is random, the others ascend in steps. */
#define ENTRIES 2000000
#define COLS ((int64_t)1 << 21) /* 16 MiB of doubles */

static bool scattered(int64_t period, int64_t step, int64_t cols, size_t size)
{
    int32_t *col = memory_array(ENTRIES, sizeof *col, NULL);
    uint64_t seed = 3;
    for (int64_t k = 0; k < ENTRIES; k++)
        col[k] = (int32_t)(period && k % period == 0 ? support_random(&seed, (uint32_t)cols)
                                                     : k * step / 4 % cols);
    bool found = columns_scattered(col, ENTRIES, cols, size);
    free(col);
    return found;
}

static void scattered_columns_are_told_from_others(void **state)
{
    assert_true(scattered(1, 1, COLS, sizeof(double)));
    assert_true(scattered(10, 1, COLS, sizeof(double)));
    assert_false(scattered(40, 1, COLS, sizeof(double)));
    assert_false(scattered(1, 1, COLS - 1, sizeof(double))); /* x is too small */
    assert_false(scattered(1, 1, COLS, sizeof(float)));
    assert_true(scattered(1, 1, 2 * COLS, sizeof(float)));
    assert_false(scattered(0, 1, COLS, sizeof(double)));
    assert_false(scattered(0, 32, COLS, sizeof(double))); /* one line after the other */
    assert_true(scattered(0, 64, COLS, sizeof(double)));  /* every second line */
    assert_false(columns_scattered(NULL, 0, COLS, sizeof(double)));
    for (int32_t count = 1; count < 9; count++) {
        const int32_t col[8] = {0, 100000, 200000, 300000, 400000, 500000, 600000, 700000};
        columns_scattered(col, count, COLS, sizeof(double)); /* must not read beyond the columns */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_asked_for_ahead),
        cmocka_unit_test(short_rows_are_right),
        cmocka_unit_test(results_go_around_the_caches),
        cmocka_unit_test(scattered_rows_are_right),
        cmocka_unit_test(scattered_columns_are_told_from_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
