/* The pattern pyramid: it gives the exact number of entries in any rectangle of a matrix in constant time.
 *
 * The matrix is divided into a grid of at most PYRAMID_SIDE x PYRAMID_SIDE cells, each of row_step rows and
 * col_step columns. The cells' counts are stored as a summed-area table (Crow, "Summed-area tables for
 * texture mapping", SIGGRAPH 1984): S(r, c) is the number of entries in the first r rows and c columns of
 * cells. Any rectangle of whole cells then takes four look-ups, whatever its size. The table thus serves as
 * every level of a pyramid:
 *
 *             c0    c1
 *         +---+-----+
 *         | A |  B  |          A           = S(r0, c0)
 *     r0  +---+-----+          A + B       = S(r0, c1)
 *         | C |  D  |          A + C       = S(r1, c0)
 *     r1  +---+-----+          A + B + C + D = S(r1, c1)
 *
 *     D = S(r1, c1) - S(r0, c1) - S(r1, c0) + S(r0, c0)
 *
 * Rectangles that are not whole cells are counted in the rows of the matrix. A matrix with very many entries
 * has tiles (tiles.h) that are used instead down to their resolution. */
#ifndef SPARSIGHT_ANALYSIS_PYRAMID_H
#define SPARSIGHT_ANALYSIS_PYRAMID_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/slab.h"

#define PYRAMID_SIDE 4096

struct tiles;

struct pyramid {
    int64_t row_step, col_step;   /* rows and columns of a cell; powers of two */
    int64_t grid_rows, grid_cols; /* rows and columns of cells */
    void *sums;                   /* S, (grid_rows + 1) x (grid_cols + 1) elements, row by row; owned */
    int wide;                     /* whether sums have 64 bits, else 32 */
};

/* Build the pyramid of a matrix. Parallel; the columns are read once, or twice if it has tiles. Without
 * memory for tiles, it has none. The caller frees it with pyramid_free. */
enum status pyramid_build(const struct csr *a, struct progress *progress, struct pyramid *pyramid,
                          struct error *error);

/* Return the bytes that pyramid_build needs for a matrix of this number of rows, columns and entries; most of
 * them are the pyramid's own. */
size_t pyramid_bytes(int64_t rows, int64_t cols, int64_t nnz, int complex);

/* The same with sums of 64 bits if `wide`, else of 32. pyramid_build takes 64 bits from 2^32 entries on. */
enum status pyramid_build_as(const struct csr *a, int wide, struct progress *progress,
                             struct pyramid *pyramid, struct error *error);

/* The same with cells as large as those of `like`, so that dots that are whole cells of one are whole cells
 * of the other. */
enum status pyramid_build_like(const struct csr *a, const struct pyramid *like, struct progress *progress,
                               struct pyramid *pyramid, struct error *error);

/* Count the entries of a slab into the rows of cells that its rows lie in, counted from the one with the
 * slab's first row. Sums run along each row of cells only. If two slabs have rows in the same row of cells,
 * the caller adds their sums. Parallel. The caller frees it with pyramid_free. */
enum status pyramid_scan(const struct slab *slab, struct progress *progress, struct pyramid *pyramid,
                         struct error *error);

/* Begin the pyramid of the whole matrix that this is a slab of, without entries. pyramid_row returns row r of
 * cells of a scanned slab and its bytes; rows lie one after the other. pyramid_add adds such a row. After the
 * rows of all slabs, pyramid_sum completes the pyramid, which is then that of pyramid_build. STATUS_MEMORY.
 * The caller frees it with pyramid_free. */
enum status pyramid_begin(const struct slab *slab, struct pyramid *pyramid, struct error *error);
void *pyramid_row(const struct pyramid *pyramid, int64_t r, size_t *bytes);
void pyramid_add(struct pyramid *pyramid, int64_t r, const void *sums);
void pyramid_sum(struct pyramid *pyramid);

/* The number of entries in rows r0 .. r1-1 and columns c0 .. c1-1 of cells; there are none outside the grid.
 * O(1). */
int64_t pyramid_cells(const struct pyramid *pyramid, int64_t r0, int64_t r1, int64_t c0, int64_t c1);

/* The same for `count` rectangles beside each other: counts[k] becomes the number of entries in rows r0 ..
 * r1-1 and columns c[k] .. c[k + 1]-1 of cells. c[] has count + 1 elements, in ascending order. Two look-ups
 * for each. */
void pyramid_strip(const struct pyramid *pyramid, int64_t r0, int64_t r1, const int64_t *c, int count,
                   int64_t *counts);

/* Count the entries of a picture of high x wide dots: counts[y * wide + x] becomes the number of entries in
 * dot (y, x), which is the dot_rows rows from row0 + y * dot_rows on and the dot_cols columns from
 * col0 + x * dot_cols on. Dots are at least 1 x 1; there are no entries outside the matrix. If dots are whole
 * cells (dot_rows and row0 are multiples of row_step, dot_cols and col0 of col_step), this takes four
 * look-ups a dot. Else, if there are tiles (NULL: none) and dots are whole parts of them, the cost is that of
 * tiles_dots. Else the rows of `a` are read, which takes O(entries in the picture + rows in it log len), or
 * O(dots log len) for a long row; so dots that are larger than a cell should be whole cells. Parallel if
 * there is enough to do. */
void pyramid_dots(const struct pyramid *pyramid, const struct tiles *tiles, const struct csr *a, int64_t row0,
                  int64_t col0, int64_t dot_rows, int64_t dot_cols, int high, int wide, int64_t *counts);

/* The number of entries in rows r0 .. r1-1 and columns c0 .. c1-1 of the matrix. Whole cells are looked up,
 * and at the rim rows are searched: O(rows of cells), and O(log len) for each row whose rim is not empty. */
int64_t pyramid_count(const struct pyramid *pyramid, const struct csr *a, int64_t r0, int64_t r1, int64_t c0,
                      int64_t c1);

void pyramid_free(struct pyramid *pyramid);

#endif
