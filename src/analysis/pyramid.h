/* The pattern pyramid: exact counts of entries in any rectangle of cells, and from the rows themselves below
 * the cells' size.
 *
 * The matrix is divided into a grid of at most PYRAMID_SIDE x PYRAMID_SIDE cells, each row_step rows by
 * col_step columns. Kept is the summed-area table of the cells' counts (Crow, "Summed-area tables for texture
 * mapping", SIGGRAPH 1984), which answers for a rectangle of any whole number of cells with four look-ups:
 * every level of a pyramid at once. */
#ifndef SPARSIGHT_ANALYSIS_PYRAMID_H
#define SPARSIGHT_ANALYSIS_PYRAMID_H

#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

#define PYRAMID_SIDE 4096

struct pyramid {
    int64_t row_step, col_step; /* rows and columns of a cell */
    int64_t grid_rows, grid_cols;
    void *sums; /* (grid_rows + 1) x (grid_cols + 1), row-major; see pyramid.c for the width. Owned. */
    int wide;   /* 64-bit sums */
};

/* Count all entries into cells. Parallel, each thread a band of rows; reads the columns once. The caller
 * frees with pyramid_free. */
enum status pyramid_build(const struct csr *a, struct progress *progress, struct pyramid *pyramid,
                          struct error *error);

/* The same with 64-bit sums if `wide`, 32-bit ones otherwise; pyramid_build takes 64 bits from 2^32 entries
 * on. */
enum status pyramid_build_as(const struct csr *a, int wide, struct progress *progress,
                             struct pyramid *pyramid, struct error *error);

/* The same with cells as large as those of `like`, so that a picture is whole cells of both. */
enum status pyramid_build_like(const struct csr *a, const struct pyramid *like, struct progress *progress,
                               struct pyramid *pyramid, struct error *error);

/* Entries in rows [r0, r1) x columns [c0, c1), all in cells; clipped to the grid. */
int64_t pyramid_cells(const struct pyramid *pyramid, int64_t r0, int64_t r1, int64_t c0, int64_t c1);

/* Exact counts for a picture of high x wide dots, where dot (y, x) covers rows row0 + y*dot_rows ..
 * +dot_rows-1 and columns col0 + x*dot_cols .. +dot_cols-1: counts[y * wide + x]. Dots are at least 1 x 1;
 * the origin may be anywhere, parts outside the matrix count 0. From the cells if the dots are whole cells
 * (dot_rows and row0 multiples of row_step, dot_cols and col0 of col_step): four look-ups a dot. Else from
 * the rows of `a`: O(entries in the picture + rows in it log len), or for long rows O(dots log len) a row; so
 * dots larger than a cell should be whole cells. In parallel if there is enough to do. */
void pyramid_dots(const struct pyramid *pyramid, const struct csr *a, int64_t row0, int64_t col0,
                  int64_t dot_rows, int64_t dot_cols, int high, int wide, int64_t *counts);

/* Exact number of entries in rows [r0, r1) x columns [c0, c1) of the matrix, by cells where they are whole
 * and by rows at the rim: O(rows of cells, and log len for each row whose rim is not empty). */
int64_t pyramid_count(const struct pyramid *pyramid, const struct csr *a, int64_t r0, int64_t r1, int64_t c0,
                      int64_t c1);

void pyramid_free(struct pyramid *pyramid);

#endif
