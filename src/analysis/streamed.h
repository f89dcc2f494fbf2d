/* Analyses of a matrix in one pass over its entries, which are not kept (matrix/relay.h), in memory
 * proportional to rows and columns, not to entries.
 *
 *     lengths of rows and columns, and all numbers derived from them; formats whose sizes depend on lengths
 *         alone are planned from `row_ptr`
 *     bandwidths, profile, diagonals, empty rows and columns
 *     the pyramid of the pattern, down to its cells
 *     all numbers of the values
 *     the symmetry that the source states, or that follows from all entries being in one triangle; else a
 *     sketch of it (mirror_sketch.h)
 *     an excerpt of the entries, from which kernels are forecast
 *
 * Every number except a sketched one equals that of the same entries in memory, and does not depend on the
 * number of threads. Integers, means and the Frobenius norm do so by their arithmetic. Sums of rows are
 * compensated, in an order that only the source determines. The sum of a column is a sum of integers, whose
 * unit is at most 2^-93 of the largest value. Both are rounded as the sums in memory are, unless the exact
 * sum is within some 2^-100 (columns: 2^-90) of the middle between two doubles. */
#ifndef SPARSIGHT_ANALYSIS_STREAMED_H
#define SPARSIGHT_ANALYSIS_STREAMED_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/forecast/excerpt.h"
#include "analysis/lengths.h"
#include "analysis/mirror_sketch.h"
#include "analysis/pyramid.h"
#include "analysis/structure.h"
#include "analysis/values.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/relay.h"

struct streamed_work;

/* Start with streamed_start, and pass `taker` to matrix_load. If matrix_load has chosen it, streamed_finish
 * makes the results. The results are owned; a new owner sets them to {0} or NULL here. */
struct streamed {
    struct taker taker;
    size_t limit;
    struct streamed_work *work;
    int64_t nnz;                /* entries, as listed, with mirror images */
    int64_t zeros;              /* entries whose value is 0 */
    int64_t *row_ptr, *col_ptr; /* rows + 1 and cols + 1 offsets */
    uint64_t *diagonals;        /* the set of the diagonals that have an entry, j - i + rows - 1 */
    struct lengths row_lengths, col_lengths;
    struct structure structure;
    struct mirror_found mirrors; /* from which the symmetry was found; {0} if nothing was sketched */
    struct values values;        /* not of a pattern */
    struct excerpt excerpt;
    struct excerpt foreseen; /* a smaller one for forecasts; {0}: `excerpt` is that, or has all entries */
    struct pyramid pyramid;
};

/* Prepare to receive entries in at most `limit` bytes (memory_limit). Nothing is allocated yet. The struct
 * must not be moved afterwards. */
void streamed_start(struct streamed *streamed, size_t limit);

/* Return the bytes needed at the peak for a matrix of this number of rows and columns, including those of
 * this number of threads. A row takes 32 bytes and a column 20 (24 and 12 for a pattern). If rows arrive
 * complete and in order, a row takes 24. Each row and column takes one bit more. The excerpts take
 * excerpt_bytes in addition, and the sketch of symmetry mirror_sketch_bytes. */
size_t streamed_bytes(const struct source *source, int threads, size_t limit);

/* Make the results. STATUS_MEMORY, STATUS_CANCELLED. */
enum status streamed_finish(struct streamed *streamed, struct progress *progress, struct error *error);

/* Free everything. Takes {0}. */
void streamed_free(struct streamed *streamed);

#endif
