/* Kernels of a report, over ranks. */
#ifndef SPARSIGHT_RANKS_PRODUCT_RUN_H
#define SPARSIGHT_RANKS_PRODUCT_RUN_H

#include <stddef.h>

#include "base/error.h"
#include "ranks/ranks.h"
#include "ranks/share.h"
#include "report/report.h"
#include "session/results.h"

/* Run the kernels of a report's request, in its precisions and with the ranks' threads, on the matrix as cut
 * by each partition of the request, one after the other, or as shared if there is none. The results, the same
 * on all ranks, are {0} if no kernel is requested; free with results_free. If a partition is unavailable or
 * does not get the memory that it needs, its kernels have the reason. Otherwise fails as share_by_partition
 * and ranks_bench do. Collective. */
enum status ranks_run(const struct ranks *ranks, const struct share *share,
                      const struct report_request *request, size_t limit, struct results *results,
                      struct error *error);

#endif
