/* The distance in time between touches of elements of x: it decides in which cache of a processor a load
 * finds them.
 *
 * A tick is an entry, in the order in which rows are processed. A touch of a line of 64 bytes follows the
 * previous one after a gap of ticks. In that time the touched lines of x, and the entries read, have gone
 * through the caches: the footprint of the gap,
 *
 *     F(g) = 64 (number of lines touched in g ticks, on average) + g (bytes read in a tick)
 *
 * of which the first is the integral from 0 to g of the share of touches whose gap is longer (Xiang, Ding,
 * Luo and Bao, "HOTL: a higher order theory of locality", ASPLOS 2013). A cache that holds F(g) bytes still
 * has the line. Touches of a line are in order if the previous line was touched at most SCATTER_NEAR ticks
 * ago and, if the gap is longer than 64 ticks, in its last quarter. A processor prefetches these lines, so
 * they cost bandwidth. The others are far, and cost the time of a random load. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_SCATTER_H
#define SPARSIGHT_ANALYSIS_FORECAST_SCATTER_H

#include "analysis/forecast/reuse.h"
#include "kernels/timing/processor.h"

/* A processor may still prefetch behind a line that was touched up to this number of ticks ago. */
#define SCATTER_NEAR 4096

/* The touches of lines, counted by their gap (reuse_bin). The first touches of lines have none. */
struct scatter {
    bool there;
    double ticks; /* of a product */
    double scale; /* each counted touch represents this number of touches */
    int64_t touches;
    int64_t near[REUSE_BINS], far[REUSE_BINS];
    int64_t first_near, first_far;
};

/* Count the touches of x, whose elements have `size` bytes, by the entries of rows order[0], order[1], ...,
 * or of rows in their own order if `order` is NULL. Of more than 16 million entries, only those are counted
 * whose lines are in a drawn group of 64. If only some columns are present, the entries of a row have the
 * tick of its first one. O(nnz), and 8 bytes for each line of x. STATUS_MEMORY, STATUS_CANCELLED. */
enum status scatter_of_x(const struct touches *touches, const int32_t *order, int size,
                         struct scatter *scatter, struct progress *progress, struct error *error);

/* Count the touches of y if each row's element is written once, in this order: a tick is a row. */
enum status scatter_of_y(const struct csr *a, const int32_t *order, int size, struct scatter *scatter,
                         struct error *error);

/* The seconds of all touches on one of the threads that share them. `bytes` are read beside them in a tick,
 * and a product reads `footprint` bytes in all. First touches find the data that the previous product left in
 * the caches, or nothing if `cold`. Each touch loads `lines` neighbouring lines; all but the first are in
 * order. A loop's loads take its factors of the time of loads of csr-omp (loop_scattered). *far becomes the
 * seconds of random loads, *near those of lines in order. */
void scatter_seconds(const struct scatter *scatter, const struct processor *processor,
                     const struct loop_pace *loop, int threads, double bytes, double footprint, double lines,
                     bool cold, double *far, double *near);

#endif
