/* kernels/cpu/bell: products, and the traffic, by hand. */
#include "formats/bell.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"
#include "support/unit.h"

/* The matrix of NVIDIA's example dense2sparse_blockedell without its last row and column: in blocks of 2, the
 * first block row has one of padding, and the last block reaches beyond both. */
static const double dense[] = {0, 0, 1, 2, 0, 0, 0, 3, 4, 0, 5, 6, 0, 0, 7};

/* With x = 1 2 3 4 5: 3 + 2 * 4, 3 * 3 + 4 * 4, 5 + 6 * 2 + 7 * 5. */
static const double expected[] = {11, 25, 52};

TEST(products_equal_hand_work)
{
    static const char *const sizes[] = {"size=2", "size=3", "size=8", "size=9", "size=32"};
    double x[] = {1, 2, 3, 4, 5}, y[4];
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
        for (int threads = 1; threads <= 5; threads++)
            for (int accumulate = 0; accumulate < 2; accumulate++) {
                const struct preparing how = {.threads = threads, .product.accumulate = accumulate};
                FREED(csr_free) struct csr a = support_dense(3, 5, dense);
                FREED(storage_free) struct storage bell = storing_done(&format_bell, sizes[n], NULL, &a);
                struct launch launch = preparing_done(&kernel_cpu_bell_omp, "", &bell, &how);
                for (int i = 0; i < 4; i++)
                    y[i] = 100;
                launch.x = x;
                launch.y = y;
                launch.kernel->run(&launch);
                for (int i = 0; i < 3; i++)
                    assert_true(y[i] == expected[i] + 100 * accumulate);
                assert_true(y[3] == 100); /* there is no such row */
                kernel_release(&launch);
            }
}

/* Three blocks load two elements of x, but one of them the last element alone; a block of four values is
 * passed over. */
TEST(traffic_skips_padding)
{
    FREED(csr_free) struct csr a = support_dense(3, 5, dense);
    FREED(storage_free) struct storage bell = storing_done(&format_bell, "size=2", NULL, &a);
    struct launch launch = preparing_done(&kernel_cpu_bell_omp, "", &bell, &(struct preparing){.threads = 2});
    const struct traffic traffic = kernel_traffic(&launch);
    assert_int_equal(traffic.x_loads, 5);
    assert_int_equal(traffic.y_stores, 3);
    assert_int_equal(traffic.array_bytes, 4 * 4 + 12 * 8);
    assert_int_equal(traffic.passed_bytes, 4 * 8);
    kernel_release(&launch);
}
