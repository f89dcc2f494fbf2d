/* Timing and estimating kernels on a matrix, with a temporary pool. */
#ifndef SPARSIGHT_TESTS_SUPPORT_TIMING_H
#define SPARSIGHT_TESTS_SUPPORT_TIMING_H

#include "session/results.h"

/* Call bench_run, results_run or results_estimate. */
enum status timing_bench(const struct csr *a, struct result *results, int count,
                         const struct bench_options *options, struct machines *machines,
                         struct progress *progress, struct error *error);
enum status timing_run(struct results *results, const struct csr *a, const struct bench_options *options,
                       struct progress *progress, struct error *error);
enum status timing_estimate(struct results *results, const struct csr *a,
                            const struct estimate_options *options, struct progress *progress,
                            struct error *error);

#endif
