/* Operands of products: the vectors, the moments when y is reset, and the time of one product. */
#include <string.h>

#include "base/job.h"
#include "kernels/timing/operands.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

#define SIDE 40

/* Operands of a square matrix, and csr-seq prepared for them. */
struct products {
    struct csr a;
    struct storage storage;
    struct launch launch;
    struct operands operands;
};

static void begin(struct products *products, enum precision precision, bool accumulate)
{
    const struct operands_options options = {.product.accumulate = accumulate};
    const struct preparing how = {.product.accumulate = accumulate, .threads = 1};
    *products = (struct products){.a = support_matrix(SIDE, SIDE, 0.3, false, false, 1)};
    products->storage =
        storing_done(kernel_cpu_csr_seq.format, "", &(struct storing){.precision = precision}, &products->a);
    products->launch = preparing_done(&kernel_cpu_csr_seq, "", &products->storage, &how);
    assert_int_equal(operands_make(&products->operands, &products->a, precision, &options, NULL, NULL),
                     STATUS_OK);
}

static double run(struct products *products, int count)
{
    double seconds;
    assert_int_equal(operands_run(&products->operands, &products->launch, count, &seconds, NULL), STATUS_OK);
    return seconds;
}

static void end(struct products *products)
{
    operands_free(&products->operands);
    kernel_release(&products->launch);
    storage_free(&products->storage);
    csr_free(&products->a);
}

/* A kernel that takes x for y, or y for x, would be right if both were the same. */
static void random_vectors_have_nothing_in_common(void **state)
{
    struct products f64, f32;
    begin(&f64, PRECISION_F64, true);
    begin(&f32, PRECISION_F32, true);
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            assert_true(((double *)f64.operands.start)[i] != ((double *)f64.operands.x)[j]);
            assert_true(((float *)f32.operands.start)[i] != ((float *)f32.operands.x)[j]);
        }
    end(&f64);
    end(&f32);
}

/* A single product stays in y. In a thousand products, the sums are reset in between. If products replace y,
 * it is not reset. */
static void sums_begin_anew_after_some_hundred_products(void **state)
{
    for (int accumulate = 0; accumulate < 2; accumulate++) {
        struct products products;
        struct operands *operands = &products.operands;
        double once[SIDE];
        begin(&products, PRECISION_F64, accumulate);
        assert_int_equal(operands_poison(operands, NULL, NULL), STATUS_OK);
        run(&products, 1);
        memcpy(once, operands->y, sizeof once);
        assert_int_equal(operands_settle(operands, NULL, NULL), STATUS_OK);
        assert_memory_equal(operands->y, once, sizeof once);
        run(&products, 1000);
        assert_int_equal(operands_settle(operands, NULL, NULL), STATUS_OK);
        assert_memory_equal(operands->y, accumulate ? operands->start : once, sizeof once);
        end(&products);
    }
}

/* The stated time of a product, a thousand times, is at most the time of all. */
static void the_time_is_that_of_one_product(void **state)
{
    struct products products;
    begin(&products, PRECISION_F64, false);
    double start = clock_seconds(), each = run(&products, 1000), all = clock_seconds() - start;
    assert_true(each > 0 && 1000 * each <= all + 1e-9);
    end(&products);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_vectors_have_nothing_in_common),
        cmocka_unit_test(sums_begin_anew_after_some_hundred_products),
        cmocka_unit_test(the_time_is_that_of_one_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
