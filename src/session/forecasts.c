#include "session/forecasts.h"

#include "analysis/forecast/cpu.h"

/* True if the kernel runs on the host, by loops of our own. */
static bool is_ours(const struct result *result)
{
    const struct backend *backend = result->choice.kernel->backend;
    return !backend->devices && !backend->foreign;
}

/* Where memory is too short to measure the processors there is no forecast, which is no failure. */
static enum status need_processor(struct processor *processor, size_t limit, struct progress *progress,
                                  struct error *error)
{
    if (processor->there || processor_find(processor)) return STATUS_OK;
    if (processor_measure(processor, false, limit, progress, NULL) != STATUS_CANCELLED) return STATUS_OK;
    return progress_status(progress, error);
}

static enum status forecast_result(const struct processor *processor, struct cpu_matrix *matrix,
                                   struct pool *pool, struct result *result, struct product product,
                                   size_t limit, struct progress *progress, struct error *error)
{
    const struct storage *plan = NULL;
    struct error reason = {0};
    enum status status = pool_plan(pool, &result->choice.format, limit, progress, &plan, &reason);
    if (status == STATUS_CANCELLED || (status == STATUS_MEMORY && !plan))
        return error_set(error, status, "%s", reason.message);
    if (status != STATUS_OK || !plan) return STATUS_OK;
    return cpu_forecast(processor, matrix, result->choice.kernel, plan, result->choice.threads, product,
                        result->predicted, progress, error);
}

enum status forecasts_make(struct processor *processor, struct pool *pool, struct result *results, int count,
                           struct product product, size_t limit, struct progress *progress,
                           struct error *error)
{
    struct cpu_matrix matrix = {.a = pool->a};
    enum status status = STATUS_OK;
    bool measured = false;
    for (int k = 0; k < count && status == STATUS_OK; k++) {
        if (!is_ours(&results[k])) continue;
        if (!measured) status = need_processor(processor, limit, progress, error);
        measured = true;
        if (status == STATUS_OK)
            status = forecast_result(processor, &matrix, pool, &results[k], product, limit, progress, error);
    }
    cpu_matrix_free(&matrix);
    return status;
}
