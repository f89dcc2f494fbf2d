/* kernels/cpu/sss: the rows that threads share, and the traffic, counted by hand. */
#include <string.h>

#include "formats/sss.h"
#include "kernels/cpu/sss.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"
#include "support/unit.h"

/* Eight rows with an entry on the diagonal and one before it, mirrored: the second of two threads begins with
 * row 5, which reaches row 4. `far` is an entry of row 6 in column 1, mirrored. */
static struct csr chain(bool far)
{
    double dense[64] = {0};
    for (int i = 0; i < 8; i++) {
        dense[9 * i] = 2;
        if (i > 0) dense[9 * i - 1] = dense[9 * i - 8] = -1;
    }
    if (far) dense[6 * 8 + 1] = dense[1 * 8 + 6] = 5;
    return support_dense(8, 8, dense);
}

/* A share copies exactly the rows before its own that its entries reach. */
TEST(copies_are_of_the_rows_that_are_reached)
{
    for (int far = 0; far < 2; far++) {
        FREED(csr_free) struct csr a = chain(far);
        FREED(storage_free) struct storage storage = storing_done(&format_sss, "", NULL, &a);
        struct launch launch =
            preparing_done(&kernel_cpu_sss_omp, "", &storage, &(struct preparing){.threads = 2});
        const struct sss_work *work = launch.state;
        assert_int_equal(work->shares, 2);
        assert_int_equal(work->share[0].low, 0);
        assert_int_equal(work->share[1].first, work->share[0].end);
        assert_int_equal(work->share[1].low, far ? 1 : work->share[1].first - 1);
        assert_int_equal(work->share[0].alone, 0);
        assert_int_equal(work->share[1].alone, far ? 7 : work->share[1].first + 1);
        assert_int_equal(work->copied, far ? work->share[1].first - 1 : 1);
        kernel_release(&launch);
    }
}

/* 8 rows and 7 entries make 15 elements of x. y is loaded and stored for each mirror image, and stored once a
 * row. The copied row is cleared, loaded, and stored once more. The first share has rows of 0 and 1 entries
 * and is sorted, and so is the second: all elements of y are once more stored and loaded. The second share
 * reaches the first, so that its 3 rows are summed beside the copy, loaded there and stored to y: it begins
 * with row 5, before which there are 5 rows and 4 entries of 8 and 7. The tables are 2 windows and the end,
 * the runs of 0, 1 and 1 entries, and 9 places. */
TEST(traffic_counts_images_and_copies)
{
    FREED(csr_free) struct csr a = chain(false);
    FREED(storage_free) struct storage storage = storing_done(&format_sss, "", NULL, &a);
    for (int accumulate = 0; accumulate < 2; accumulate++) {
        const struct preparing one = {.threads = 1, .product.accumulate = accumulate},
                               two = {.threads = 2, .product.accumulate = accumulate};
        struct launch seq = preparing_done(&kernel_cpu_sss_seq, "", &storage, &one);
        struct launch omp = preparing_done(&kernel_cpu_sss_omp, "", &storage, &two);
        const struct traffic by_one = kernel_traffic(&seq), by_two = kernel_traffic(&omp);
        assert_int_equal(by_one.x_loads, 15);
        assert_int_equal(by_one.y_loads, 7 + 8 * accumulate);
        assert_int_equal(by_one.y_stores, 15);
        assert_int_equal(by_one.own_bytes, 0);
        assert_int_equal(by_two.x_loads, 15);
        /* all of share 0; share 1 has one window, which reaches */
        assert_int_equal(by_two.y_loads, 7 + 8 * accumulate + 1 + 8 + 3);
        assert_int_equal(by_two.y_stores, 15 + 2 + 8 + 3);
        assert_int_equal(by_two.own_bytes, (1 + 3) * 8 + 3 * sizeof(struct sss_window) + 3 * 8 + 9);
        kernel_release(&seq);
        kernel_release(&omp);
    }
}

/* The copies count among the bytes under the user's limit. */
TEST(copies_keep_the_limit)
{
    FREED(csr_free) struct csr a = chain(true);
    FREED(storage_free) struct storage storage = storing_done(&format_sss, "", NULL, &a);
    struct launch launch;
    struct error error = {0};
    storage.limit = storage_size(&storage).bytes + 8;
    assert_int_equal(
        preparing_here(&kernel_cpu_sss_omp, "", &storage, &(struct preparing){.threads = 2}, &launch, &error),
        STATUS_LIMIT);
    assert_non_null(strstr(error.message, "sums of sss-omp's threads"));
    kernel_release(&launch);
}
