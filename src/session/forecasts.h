/* Forecast times of products on this machine's processors, for the results of CPU kernels, run or not.
 * Forecasts for GPUs come with their estimates (session/estimates.h). */
#ifndef SPARSIGHT_SESSION_FORECASTS_H
#define SPARSIGHT_SESSION_FORECASTS_H

#include "analysis/forecast/cpu.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/timing/bench.h"
#include "kernels/timing/processor.h"

/* Forecast the results of all kernels of the host whose storages can be planned within `limit` bytes.
 * *processor is the profile of the processors; if it is empty, processor_here finds it, perhaps by a quick
 * measurement. `known` has facts on the matrix, owned by the caller; NULL: they are found, and discarded
 * afterwards. For libraries only y = A x is forecast. STATUS_CANCELLED, STATUS_MEMORY. */
enum status forecasts_make(struct processor *processor, struct pool *pool, struct result *results, int count,
                           struct product product, size_t limit, struct cpu_matrix *known,
                           struct progress *progress, struct error *error);

#endif
