/* The reuse of memory: the time between two touches. It decides whether a cache that keeps recently used data
 * still has the data.
 *
 * A granule is 64 bytes, the unit that the modelled GPUs fetch from memory. A product lasts `ticks`, and each
 * touch of a granule has a tick. The gaps between the touches of a granule are counted by their length. A
 * cache that keeps the data touched in the last T ticks misses
 *
 *     misses(T) = granules + the number of gaps longer than T
 *
 * and holds, on average over all windows of T ticks that lie within the product (Xiang, Ding, Luo and Bao,
 * "HOTL: a higher order theory of locality", ASPLOS 2013, equation 3),
 *
 *     footprint(T) = granules - sum over all gaps g, also those before the first and behind the last touch of
 *                    a granule, of max(0, g - T) / (ticks - T)
 *
 * granules. T is the value for which footprint(T) is the capacity of the cache. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_REUSE_H
#define SPARSIGHT_ANALYSIS_FORECAST_REUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

#define REUSE_GRANULE 64
#define REUSE_BINS 512 /* of gaps: eight for each power of two, so a length is known within 6% */

struct reuse {
    double ticks;              /* duration of a product */
    double scale;              /* each examined granule represents `scale` granules */
    int64_t granules;          /* examined granules that are touched at all */
    int64_t touches;           /* touches of the examined granules */
    int64_t gap[REUSE_BINS];   /* gaps between the touches of a granule */
    int64_t edge[REUSE_BINS];  /* gaps from the beginning to the first touch, and from the last to the end */
    int64_t round[REUSE_BINS]; /* gaps from the last touch in a product to the first in the next one */
};

/* Return the bin of a gap, which is at least 0, and the smallest gap of a bin. */
static inline int reuse_bin(int64_t gap)
{
    if (gap < 8) return gap < 0 ? 0 : (int)gap;
    const int top = 63 - __builtin_clzll((unsigned long long)gap);
    return 8 * (top - 2) + (int)(gap >> (top - 3) & 7);
}
double reuse_bin_start(int bin);

/* Record the ticks of the first and the last touch of a granule. */
void reuse_note_edges(struct reuse *reuse, int64_t first, int64_t last);

/* Return the number of gaps of these bins that are longer than T ticks. */
double reuse_longer(const int64_t bins[REUSE_BINS], double t);

/* Return the sum over the gaps of these bins of min(g, T). */
double reuse_within(const int64_t bins[REUSE_BINS], double t);

/* Return the granules, in bytes, that are touched in a window of T ticks, on average; all if T is the whole
 * product or more. */
double reuse_footprint(const struct reuse *reuse, double t);

/* Return the bytes that are fetched if data touched in the last T ticks is still cached: `again` without the
 * first touches. */
double reuse_first(const struct reuse *reuse);
double reuse_again(const struct reuse *reuse, double t);

/* Return the bytes of first touches that are fetched if the same product came before. */
double reuse_round(const struct reuse *reuse, double t);

/* The entries of a matrix that touch elements of x: all entries, or those of some columns. */
struct touches {
    const struct csr *a;    /* all rows, with these entries; the caller's */
    const int64_t *row_ptr; /* the offsets of the rows with all entries; those of `a` if it has all */
    double scale;           /* each present column represents this number of columns */
};

/* Return the touches of a matrix with all entries. */
static inline struct touches touches_of(const struct csr *a)
{
    return (struct touches){.a = a, .row_ptr = a->row_ptr, .scale = 1};
}

/* The reuse of x, whose elements have `size` bytes: a tick is an entry, and rows are taken in the order
 * order[0], order[1], ..., or in their own if `order` is NULL. At most some 16384 granules are examined, one
 * of each 2^k neighbouring ones, drawn with `seed`. If only some columns are present, the entries of a row
 * have the tick of its first one. Parallel, O(nnz); the result does not depend on the threads. STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status reuse_of_x(const struct touches *touches, const int32_t *order, int size, uint64_t seed,
                       struct reuse *reuse, struct progress *progress, struct error *error);

/* The reuse of y if rows are written once each, in the order order[0], order[1], ...: a tick is a row.
 * O(rows). STATUS_MEMORY. */
enum status reuse_of_y(const struct csr *a, const int32_t *order, int size, struct reuse *reuse,
                       struct error *error);

/* The reuse of y if the entries are added to it column by column: a tick is a column. At most some 16384
 * granules are examined, and fewer if they have many entries. O(entries of these, times the logarithm of
 * their number a granule). STATUS_MEMORY. */
enum status reuse_of_y_by_columns(const struct csr *a, int size, uint64_t seed, struct reuse *reuse,
                                  struct error *error);

#endif
