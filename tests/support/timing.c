#include "support/timing.h"

enum status timing_bench(const struct csr *a, struct result *results, int count,
                         const struct bench_options *options, struct machines *machines,
                         struct progress *progress, struct error *error)
{
    struct pool pool = {.a = a};
    enum status status = bench_run(&pool, results, count, options, machines, progress, error);
    pool_free(&pool);
    return status;
}

enum status timing_run(struct results *results, const struct csr *a, const struct bench_options *options,
                       struct progress *progress, struct error *error)
{
    struct pool pool = {.a = a};
    enum status status = results_run(results, &pool, options, progress, error);
    pool_free(&pool);
    return status;
}

enum status timing_estimate(struct results *results, const struct csr *a,
                            const struct estimate_options *options, struct progress *progress,
                            struct error *error)
{
    struct pool pool = {.a = a};
    enum status status = results_estimate(results, &pool, options, progress, error);
    pool_free(&pool);
    return status;
}
