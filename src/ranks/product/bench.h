/* Timing kernels over ranks, like kernels/timing/bench.h in one process: in rounds over all kernels, which
 * makes them comparable, and with a check of each. */
#ifndef SPARSIGHT_RANKS_PRODUCT_BENCH_H
#define SPARSIGHT_RANKS_PRODUCT_BENCH_H

#include "base/error.h"
#include "base/job.h"
#include "kernels/timing/bench.h"
#include "ranks/ranks.h"
#include "ranks/share.h"
#include "session/results.h"

/* Run all requested kernels on the distributed matrix, and fill in the results, which are the same on all
 * ranks; the request must be the same, too.
 *
 * A sample is the time of the slowest rank for enough products to take 1 ms, since ranks leave the barrier
 * before it some microseconds apart; result->ranked has the phases of that rank. Sizes and bytes are sums
 * over the ranks, and errors of products their maximum. Parameters chosen by a format are those of rank 0.
 * GPU kernels run on all GPUs: the ranks of a node use them in turn, from options->device on. They are linked
 * (kernels/gpu/exchange.h) if no two ranks share one, else elements pass through the host.
 *
 * The options x, b, natural, cold, outlooks, and protocols of sources are unavailable over ranks:
 * STATUS_UNAVAILABLE. Collective. Kernels that cannot run, on one rank or on all, are results with their
 * error. Fails with STATUS_MEMORY, STATUS_LIMIT and STATUS_CANCELLED, on all ranks alike. `progress` is rank
 * 0's; NULL on others. */
enum status ranks_bench(const struct ranks *ranks, const struct share *share, struct results *results,
                        const struct bench_options *options, struct progress *progress, struct error *error);

/* The phases of a kernel that did not run on these ranks: unknown. Not collective. */
struct ranked ranks_unrun(const struct ranks *ranks);

#endif
