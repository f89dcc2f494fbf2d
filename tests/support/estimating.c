#include "support/estimating.h"

#include <math.h>

#include "analysis/forecast/products.h"
#include "formats/pool.h"
#include "kernels/list.h"
#include "support/cmocka.h"

void expect_near(double found, double wanted, double share, const char *what)
{
    if (fabs(found - wanted) <= share * fabs(wanted)) return;
    fail_msg("%s: %g, not %g", what, found, wanted);
}

struct gpu estimating_gpu(const char *name)
{
    struct gpu gpu;
    assert_int_equal(gpu_find(name, &gpu, NULL), STATUS_OK);
    return gpu;
}

struct estimate estimating_product(const struct csr *a, const struct excerpt *excerpt, const char *name,
                                   const struct gpu *gpu, struct product product)
{
    struct pool pool = {.a = a};
    struct memory_reuse reuse = {.a = a, .excerpt = excerpt};
    struct kernel_list list = {0};
    struct estimate estimate;
    struct kernel_choice resolved;
    const struct storage *plan;
    struct error error = {0};
    assert_int_equal(kernel_list_add(&list, name, &error), STATUS_OK);
    resolved = list.choices[0];
    assert_int_equal(pool_plan(&pool, &list.choices[0].format, 0, NULL, &plan, &error), STATUS_OK);
    if (product_estimate(&list.choices[0], plan, gpu, product, &reuse, &estimate, &resolved, NULL, &error) !=
        STATUS_OK)
        fail_msg("%s: %s", name, error.message);
    memory_reuse_free(&reuse);
    pool_free(&pool);
    kernel_list_free(&list);
    return estimate;
}
