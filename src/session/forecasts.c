#include "session/forecasts.h"

#include <stdio.h>

#include "analysis/forecast/interval.h"
#include "kernels/timing/processor_sure.h"

/* Return the own host kernel that forecasts the time of a result: its kernel, or the one similar to a
 * library's; NULL if there is none. */
static const struct kernel *teller_of(const struct result *result)
{
    const struct kernel *kernel = result->choice.kernel;
    if (!backend_is_own(kernel->backend)) kernel = kernel->like;
    return kernel && backend_is_own(kernel->backend) ? kernel : NULL;
}

static enum status forecast_result(const struct processor *processor, struct cpu_matrix *matrix,
                                   struct pool *pool, const struct kernel *teller, struct result *result,
                                   struct product product, size_t limit, struct progress *progress,
                                   struct error *error)
{
    const struct storage *plan = NULL;
    struct error reason = {0};
    enum status status = pool_plan(pool, &result->choice.format, limit, progress, &plan, &reason);
    if (status == STATUS_CANCELLED || (status == STATUS_MEMORY && !plan))
        return error_set(error, status, "%s", reason.message);
    if (status != STATUS_OK || !plan) return STATUS_OK;
    if (!product_plain(product)) {
        struct kernel_choice choice = result->choice;
        if (teller != choice.kernel) return STATUS_OK;
        if (choice.kernel->resolve) choice.kernel->resolve(&choice, product);
        if (result->status != STATUS_OK || result->samples.count == 0)
            result->resolved.values = choice.values;
        return cpu_forecast_product(processor, matrix, &choice, plan, choice.threads, product,
                                    result->predicted, progress, error);
    }
    struct kernel_choice told = result->choice;
    if (teller != told.kernel) status = kernel_choice_read(teller, "", &told, error);
    if (status == STATUS_OK)
        status = cpu_forecast(processor, matrix, &told, plan, result->choice.threads, product,
                              result->predicted, progress, error);
    for (int cold = 0; cold < 2 && teller != result->choice.kernel; cold++) {
        snprintf(result->predicted[cold].like, sizeof result->predicted[cold].like, "%s/%s",
                 teller->backend->name, teller->name);
        interval_set(result->choice.kernel, &result->predicted[cold]);
    }
    return status;
}

enum status forecasts_make(struct processor *processor, struct pool *pool, struct result *results, int count,
                           struct product product, size_t limit, struct cpu_matrix *known,
                           struct progress *progress, struct error *error)
{
    struct cpu_matrix own = {.a = pool->a}, *matrix = known ? known : &own;
    enum status status = STATUS_OK;
    for (int k = 0; k < count && status == STATUS_OK; k++) {
        const struct kernel *teller = teller_of(&results[k]);
        if (!teller) continue;
        if (!processor->there) status = processor_here(processor, PROCESSOR_PROBED, limit, progress, error);
        if (status == STATUS_OK)
            status = forecast_result(processor, matrix, pool, teller, &results[k], product, limit, progress,
                                     error);
    }
    cpu_matrix_free(&own);
    return status;
}
