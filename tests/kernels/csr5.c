/* kernels/cpu/csr5: products by hand, with rows that several threads share, and threads without a tile. */
#include <math.h>

#include "formats/csr5.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/stored.h"
#include "support/support.h"
#include "support/unit.h"

extern const struct kernel kernel_cpu_csr5_omp;

/* Y = A x, or Y += A x if `accumulate`, with x = 1, 1, ..., by this number of threads; y is poisoned first.
 */
static void check_product(const char *format, const struct csr *a, int threads, bool accumulate,
                          const double *expected)
{
    double x[128], y[128];
    FREED(storage_free) struct storage storage = stored(format, a);
    const struct preparing how = {.threads = threads, .product.accumulate = accumulate};
    struct launch launch = preparing_done(&kernel_cpu_csr5_omp, "", &storage, &how);
    for (int64_t k = 0; k < 128; k++) {
        x[k] = 1;
        y[k] = accumulate ? 1000 : NAN;
    }
    y[a->rows] = -0.0; /* even if 0 is added, it loses its sign */
    kernel_run(&launch, x, y);
    assert_true(signbit(y[a->rows]));
    for (int64_t i = 0; i < a->rows; i++)
        assert_true(y[i] == expected[i] + (accumulate ? 1000 : 0));
    kernel_release(&launch);
}

static void check_all(const struct csr *a, const double *expected)
{
    static const char *const choices[] = {
        "csr5:omega=4,sigma=4", "csr5:omega=4,sigma=2", "csr5:omega=8,sigma=1",  "csr5:omega=2,sigma=3",
        "csr5:omega=1,sigma=1", "csr5:omega=16",        "csr5:omega=32,sigma=1", "csr5"};
    for (size_t f = 0; f < sizeof choices / sizeof *choices; f++)
        for (int threads = 1; threads <= 12; threads++)
            for (int accumulate = 0; accumulate < 2; accumulate++)
                check_product(choices[f], a, threads, accumulate, expected);
}

/* Rows of 2, 8, 6, 3, 0, 8, 0 and 7 entries with the values 1 to 34. */
TEST(rows_across_tiles)
{
    static const int lengths[] = {2, 8, 6, 3, 0, 8, 0, 7};
    static const double sums[] = {1 + 2, 52, 81, 17 + 18 + 19, 0, 188, 0, 217};
    double dense[64] = {0}, value = 0;
    for (int i = 0; i < 8; i++)
        for (int d = 0; d < lengths[i]; d++)
            dense[8 * i + d] = ++value;
    FREED(csr_free) struct csr a = support_dense(8, 8, dense);
    check_all(&a, sums);
}

/* A full row of 100 entries, 1 to 100, between empty ones: many threads have nothing else. */
TEST(a_row_of_many_threads)
{
    static const double sums[] = {0, 0, 5050, 0, 7, 0};
    double dense[600] = {[400] = 7};
    for (int j = 0; j < 100; j++)
        dense[200 + j] = j + 1;
    FREED(csr_free) struct csr a = support_dense(6, 100, dense);
    check_all(&a, sums);
}

/* One entry, or none, before which rows are empty. */
TEST(single_entries)
{
    static const double one[] = {3}, none[] = {0, 0, 0}, last[] = {0, 0, 5};
    FREED(csr_free) struct csr a = support_dense(1, 1, one);
    FREED(csr_free) struct csr empty = support_dense(3, 1, none);
    FREED(csr_free) struct csr late = support_dense(3, 1, last);
    check_all(&a, one);
    check_all(&empty, none);
    check_all(&late, last);
}
