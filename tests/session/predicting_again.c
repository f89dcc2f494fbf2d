/* Partitions that are predicted again for another network equal those predicted for it at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "session/distribution.h"

static void make(const struct matrix *matrix, const struct network *network, struct distribution *found)
{
    struct partition_list list = {0};
    struct error error = {0};
    assert_int_equal(partition_list_add(&list, "natural entries", &error), STATUS_OK);
    const struct distribution_request request = {
        .parts = {2, 3, 1000}, .count = 3, .partitions = list, .networked = true, .network = *network};
    assert_int_equal(distribution_make(matrix, &request, 0, NULL, found, &error), STATUS_OK);
    distribution_predict(found, 250, false, "cpu/csr-omp", 8, NULL);
    partition_list_free(&list);
}

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b) || (isnan(a) && isnan(b));
}

static void another_network_predicts_as_at_once(void **state)
{
    const struct network slow = {.latency_us = 30, .bandwidth_gbs = 0.5},
                         fast = {.latency_us = 1, .bandwidth_gbs = 40};
    const struct load_options options = {0};
    struct matrix matrix;
    struct distribution again, once;
    int predicted = 0, refused = 0;
    assert_int_equal(matrix_load("gen:laplace2d,n=20", &options, NULL, &matrix, NULL), STATUS_OK);
    make(&matrix, &slow, &again);
    make(&matrix, &fast, &once);
    again.items[0].status = once.items[0].status = STATUS_LIMIT; /* as if it had been refused */
    again.items[0].scaling = once.items[0].scaling = (struct scaling){0};
    distribution_predict_again(&again, &fast);
    assert_int_equal(again.count, once.count);
    assert_true(again.networked && again.network.latency_us == 1 && again.network.bandwidth_gbs == 40);
    for (int k = 0; k < again.count; k++) {
        const struct scaling *a = &again.items[k].scaling, *b = &once.items[k].scaling;
        assert_true(same(a->compute_us, b->compute_us) && same(a->exchange_us, b->exchange_us) &&
                    same(a->total_us, b->total_us) && same(a->overlap_us, b->overlap_us));
        predicted += again.items[k].status == STATUS_OK && a->total_us > 0 && a->exchange_us > 0;
        refused += a->total_us == 0;
    }
    assert_true(predicted >= 3 && refused >= 1);
    distribution_free(&again);
    distribution_free(&once);
    matrix_free(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_network_predicts_as_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
