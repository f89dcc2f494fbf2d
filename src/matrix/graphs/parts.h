/* Parts of a matrix: the part of each row and of each column. */
#ifndef SPARSIGHT_MATRIX_GRAPHS_PARTS_H
#define SPARSIGHT_MATRIX_GRAPHS_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

enum parting {
    PARTS_CONNECTED, /* connected components (matrix/graphs/components.h) */
    PARTS_STRONG,    /* strongly connected ones, of a square matrix */
    PARTS_BLOCKS,    /* the blocks of the block triangular form (matrix/graphs/triangular.h) */
    PARTINGS
};

/* Parts are numbered from 0. An entry (i, j) lies within a part if row i and column j belong to the same one,
 * else between parts. All entries lie within connected components; in the other two kinds row i belongs to a
 * part of a smaller number than column j if the entry lies between parts. Owned; parts_free takes {0}.
 */
struct parts {
    int64_t count;
    int32_t *row, *col; /* `col` is NULL if column j belongs to the part of row j */
    bool under, over;   /* for blocks: part 0 is H, the underdetermined block; the last part is V, the
                           overdetermined one */
    int32_t *col_of;    /* for blocks: the column that is matched with each row, or -1; else NULL */
};

/* Return the part of each column. */
static inline const int32_t *parts_col(const struct parts *parts)
{
    return parts->col ? parts->col : parts->row;
}

/* Find the parts. For a pattern known to be `symmetric`, the strong components are the connected ones.
 * STATUS_UNAVAILABLE for strong components of a matrix that is not square; costs and other errors are those
 * of the headers named above: STATUS_LIMIT, STATUS_MEMORY, STATUS_CANCELLED. On failure *parts is {0}. */
enum status parts_find(const struct csr *a, enum parting parting, bool symmetric, struct progress *progress,
                       struct parts *parts, struct error *error);

/* Return the peak bytes of parts_find, including its result. */
size_t parts_bytes(const struct csr *a, enum parting parting);

void parts_free(struct parts *parts);

#endif
