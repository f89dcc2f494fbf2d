/* Forecasts of what products take on this machine's processors, for the results of kernels of the host,
 * whether they were run or not. Those of GPUs come with their estimates (session/estimates.h). */
#ifndef SPARSIGHT_SESSION_FORECASTS_H
#define SPARSIGHT_SESSION_FORECASTS_H

#include "analysis/forecast/cpu.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/timing/bench.h"
#include "kernels/timing/processor.h"

/* Forecast the results of all kernels of the host whose storages can be planned within `limit` bytes. What
 * the processors take is that of *processor; if it is not there, it is found (processor_here), for which they
 * may be measured quickly. `known` is what is known of the matrix, the caller's; NULL: it is found, and
 * forgotten afterwards. Of libraries y = A x alone is forecast. STATUS_CANCELLED, STATUS_MEMORY. */
enum status forecasts_make(struct processor *processor, struct pool *pool, struct result *results, int count,
                           struct product product, size_t limit, struct cpu_matrix *known,
                           struct progress *progress, struct error *error);

#endif
