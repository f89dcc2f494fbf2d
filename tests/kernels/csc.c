/* kernels/cpu/csc: the rows that threads share, the bytes and the memory for them, and the order of
 * summation. */
#include <string.h>

#include "kernels/kernel.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/stored.h"
#include "support/support.h"

/* Columns that reach from row to row; row 5 is empty. */
static const double chain[] = {1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0};

static void prepared(const struct kernel *kernel, const struct storage *storage, int threads, bool accumulate,
                     struct launch *launch)
{
    const struct preparing how = {.threads = threads, .product.accumulate = accumulate};
    assert_int_equal(preparing_here(kernel, "", storage, &how, launch, NULL), STATUS_OK);
}

/* Loads of x and y, stores of y, and elements of copies. */
static const struct moved {
    const struct kernel *kernel;
    int threads;
    bool accumulate;
    int64_t x, loads, stores, copies;
} moved[] = {
    /* 8 entries, each of which loads and stores; 6 rows are cleared. */
    {&kernel_cpu_csc_seq, 1, false, 4, 8, 8 + 6, 0},
    {&kernel_cpu_csc_seq, 1, true, 4, 8, 8, 0},
    {&kernel_cpu_csc_omp, 1, false, 4, 8, 8 + 6, 0},
    {&kernel_cpu_csc_omp, 1, true, 4, 8, 8, 0},
    /* Rows 0 .. 2 and 2 .. 4: the copy of three rows is cleared, and then added to rows 2 .. 4, of which only
     * row 2 has a sum already. */
    {&kernel_cpu_csc_omp, 2, false, 4, 8 + 1, 8 + 3 + 6 + 1, 3},
    {&kernel_cpu_csc_omp, 2, true, 4, 8 + 3, 8 + 3 + 3, 3},
    /* Rows 0 .. 1, 1 .. 2 and 3 .. 4, of entries 0 .. 1, 2 .. 4 and 5 .. 7: two threads share column 2. */
    {&kernel_cpu_csc_omp, 3, false, 5, 8 + 1, 8 + 2 + 6 + 1, 2},
    {&kernel_cpu_csc_omp, 3, true, 5, 8 + 2, 8 + 2 + 2, 2},
};

static void products_move_what_is_counted_by_hand(void **state)
{
    struct csr a = support_dense(6, 4, chain);
    struct storage csc = stored("csc", &a);
    for (size_t k = 0; k < sizeof moved / sizeof *moved; k++) {
        struct launch launch;
        prepared(moved[k].kernel, &csc, moved[k].threads, moved[k].accumulate, &launch);
        const struct traffic traffic = kernel_traffic(&launch);
        assert_int_equal(traffic.array_bytes, 5 * 4 + 8 * 12);
        assert_int_equal(traffic.own_bytes, 8 * moved[k].copies);
        assert_int_equal(traffic.x_loads, moved[k].x);
        assert_int_equal(traffic.y_loads, moved[k].loads);
        assert_int_equal(traffic.y_stores, moved[k].stores);
        kernel_release(&launch);
    }
    storage_free(&csc);
    csr_free(&a);
}

/* Threads without a row in common need no copies, in any order of their rows. */
static void rows_apart_need_no_copies(void **state)
{
    static const double blocks[] = {1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1},
                        mirrored[] = {0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0};
    for (int k = 0; k < 2; k++) {
        struct csr a = support_dense(4, 4, k ? mirrored : blocks);
        struct storage csc = stored("csc", &a);
        struct launch launch;
        prepared(&kernel_cpu_csc_omp, &csc, 2, false, &launch);
        assert_int_equal(kernel_traffic(&launch).own_bytes, 0);
        kernel_release(&launch);
        storage_free(&csc);
        csr_free(&a);
    }
}

/* Both threads reach all of 40 rows, so that the second one has 40 sums of its own. */
static void copies_are_held_against_the_limit(void **state)
{
    double ones[40 * 40];
    for (int k = 0; k < 40 * 40; k++)
        ones[k] = 1;
    struct csr a = support_dense(40, 40, ones);
    struct storage whole = stored("csc", &a);
    const size_t bytes = storage_size(&whole).bytes;
    for (int short_of = 0; short_of < 2; short_of++) {
        const struct storing storing = {.limit = bytes + 40 * 8 - (size_t)short_of};
        const struct preparing one = {.threads = 1}, two = {.threads = 2};
        struct storage csc = stored_with("csc", &storing, &a);
        struct error error = {0};
        struct launch launch = preparing_done(&kernel_cpu_csc_omp, "", &csc, &one);
        kernel_release(&launch);
        assert_int_equal(preparing_here(&kernel_cpu_csc_omp, "", &csc, &two, &launch, &error),
                         short_of ? STATUS_LIMIT : STATUS_OK);
        assert_true(!short_of || strstr(error.message, "the sums of csc-omp's threads"));
        kernel_release(&launch);
        storage_free(&csc);
    }
    storage_free(&whole);
    csr_free(&a);
}

/* With the same number of threads the result has the same bits, although each row's entries are divided among
 * all threads. */
static void sums_are_the_same_each_time(void **state)
{
    enum { N = 2000 };
    static double x[N], first[N], again[N];
    struct csr a = stored_matrix("gen:random,m=2000,n=2000,mean=20");
    struct storage csc = stored("csc", &a);
    struct launch launch;
    for (int j = 0; j < N; j++)
        x[j] = 1.0 / (j + 3);
    prepared(&kernel_cpu_csc_omp, &csc, 5, false, &launch);
    kernel_run(&launch, x, first);
    for (int k = 0; k < 50; k++) {
        memset(again, 255, sizeof again);
        kernel_run(&launch, x, again);
        assert_memory_equal(again, first, sizeof first);
    }
    kernel_release(&launch);
    storage_free(&csc);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_move_what_is_counted_by_hand),
        cmocka_unit_test(rows_apart_need_no_copies),
        cmocka_unit_test(copies_are_held_against_the_limit),
        cmocka_unit_test(sums_are_the_same_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
