/* Estimates of products other than y = A x: the choices that were asked for stay as they are, their
 * parameters become known, and an estimate that is taken again is the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "kernels/kernel.h"
#include "session/estimates.h"
#include "session/results.h"
#include "support/preparing.h"
#include "support/support.h"

static const struct product products[] = {
    {.columns = 8}, {.columns = 3, .by_rows = true}, {.transposed = true}};

static struct results every_kernel(void)
{
    struct results results = {0};
    for (int k = 0; kernels[k]; k++) {
        const struct kernel_choice choice = preparing_choice(kernels[k], "", PRECISION_F64, 1);
        if (!kernels[k]->backend->devices) continue;
        assert_int_equal(results_want(&results, &choice, NULL), STATUS_OK);
        struct result *result = &results.items[results.count - 1];
        result->status = error_set(&result->error, STATUS_UNAVAILABLE, "no GPU");
    }
    return results;
}

static void make(struct results *results, const struct csr *a, struct product product,
                 struct estimated *estimated)
{
    struct gpu gpu;
    struct pool pool = {.a = a};
    struct estimates estimates = {0};
    struct error error = {0};
    assert_int_equal(gpu_find("h200", &gpu, NULL), STATUS_OK);
    const struct estimate_options options = {.gpu = &gpu, .seed = 1, .product = product};
    if (estimates_make(&estimates, &pool, results->items, results->count, &options, estimated, NULL, &error))
        fail_msg("%s", error.message);
    estimates_free(&estimates);
    pool_free(&pool);
}

/* The forecast's kernel has all parameters as numbers, also those that the choice leaves to it. */
static void expect_resolved(const struct result *result)
{
    const struct parameter *parameter = result->choice.kernel->parameters;
    for (int p = 0; parameter && parameter[p].name; p++)
        if (isnan(result->resolved.values.number[p]))
            fail_msg("%s: %s is unknown", result->choice.kernel->name, parameter[p].name);
    parameter = result->choice.kernel->format->parameters;
    for (int p = 0; parameter[p].name; p++)
        if (isnan(result->resolved.format.values.number[p]))
            fail_msg("%s: %s of the format is unknown", result->choice.kernel->name, parameter[p].name);
}

/* `asked` has the choices as requested. Returns the number of parameters left to kernels. */
static int check(const struct results *asked, const struct results *results, const struct results *again)
{
    int left = 0;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k], *other = &again->items[k];
        const struct kernel_choice *choice = &asked->items[k].choice;
        if (!result->predicted[0].there) continue;
        assert_true(kernel_choice_same(&result->choice, choice));
        assert_memory_equal(&result->predicted, &other->predicted, sizeof result->predicted);
        if (!result->choice.kernel->trace) continue;
        expect_resolved(result);
        assert_true(kernel_choice_same(&result->resolved, &other->resolved));
        for (int p = 0; p < PARAMETERS_MAX; p++)
            left += isnan(choice->values.number[p]);
    }
    return left;
}

static void check_kept(const struct results *asked, const struct estimated *estimated, struct product product)
{
    for (int k = 0; k < estimated->count; k++) {
        const struct kernel_choice *choice = &estimated->items[k]->result.choice;
        int n = 0;
        while (n < asked->count && !kernel_choice_same(&asked->items[n].choice, choice))
            n++;
        if (n == asked->count || !product_same(estimated->items[k]->product, product))
            fail_msg("%s is kept as another choice", choice->kernel->name);
    }
}

static void products_keep_choices_and_resolve_them(void **state)
{
    struct csr a = support_matrix(90, 90, 0.2, true, false, 4);
    int left = 0;
    for (size_t p = 0; p < sizeof products / sizeof *products; p++) {
        struct estimated estimated = {0};
        struct results asked = every_kernel(), first = every_kernel(), again = every_kernel();
        make(&first, &a, products[p], &estimated);
        assert_true(estimated.count > 3);
        make(&again, &a, products[p], &estimated);
        left += check(&asked, &first, &again);
        check_kept(&asked, &estimated, products[p]);
        results_free(&asked);
        results_free(&first);
        results_free(&again);
        estimated_free(&estimated);
    }
    assert_true(left > 0);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_keep_choices_and_resolve_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
