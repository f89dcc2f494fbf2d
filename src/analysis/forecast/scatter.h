/* How far elements of x are apart in time: what decides in which cache of a processor a load finds them.
 *
 * A tick is an entry, in the order in which rows are taken. A touch of a line of 64 bytes comes a gap of
 * ticks after the one before. In that time the lines of x that were touched, and the entries that were read
 * beside them, have gone through the caches: the footprint of the gap,
 *
 *     F(g) = 64 (number of lines touched in g ticks, on average) + g (bytes read in a tick)
 *
 * of which the first is the integral from 0 to g of the share of touches whose gap is longer (Xiang, Ding,
 * Luo and Bao, "HOTL: a higher order theory of locality", ASPLOS 2013). A cache that holds F(g) bytes still
 * has the line. Touches that follow one of the line before are in order: a processor fetches them ahead, so
 * that they cost bandwidth: the line before was touched at most SCATTER_NEAR ticks ago, and in the last
 * quarter of a gap of more than 64. The others are far, and cost what a load at random does. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_SCATTER_H
#define SPARSIGHT_ANALYSIS_FORECAST_SCATTER_H

#include "analysis/forecast/reuse.h"
#include "kernels/timing/processor.h"

/* A line that was touched so many ticks ago may still be that behind which a processor fetches ahead. */
#define SCATTER_NEAR 4096

/* The touches of lines, counted by their gap (reuse_bin). The first touches of lines have none. */
struct scatter {
    bool there;
    double ticks; /* of a product */
    double scale; /* so many touches stand behind each that was counted */
    int64_t touches;
    int64_t near[REUSE_BINS], far[REUSE_BINS];
    int64_t first_near, first_far;
};

/* Count the touches of x, whose elements have `size` bytes, by the entries of rows order[0], order[1], ...,
 * or of rows in their own order if `order` is NULL. Of more than 16 million entries, only those are counted
 * whose lines are in a group of 64 that is drawn. Where only some columns are there, the entries of a row
 * have the tick of its first one. O(nnz), and 8 bytes for each line of x. STATUS_MEMORY, STATUS_CANCELLED. */
enum status scatter_of_x(const struct touches *touches, const int32_t *order, int size,
                         struct scatter *scatter, struct progress *progress, struct error *error);

/* Count the touches of y if each row's element is written once, in this order: a tick is a row. */
enum status scatter_of_y(const struct csr *a, const int32_t *order, int size, struct scatter *scatter,
                         struct error *error);

/* The seconds that all touches take on one of so many threads that share them, while `bytes` are read beside
 * them in a tick and a product reads `footprint` bytes in all; first touches find what the product before
 * left in the caches, or nothing if `cold`. Each touch brings so many neighbouring `lines`, of which those
 * behind the first come in order. *far are the seconds of loads at random, *near those of lines in order. */
void scatter_seconds(const struct scatter *scatter, const struct processor *processor, int threads,
                     double bytes, double footprint, double lines, bool cold, double *far, double *near);

#endif
