#include "analysis/column_fill.h"

#include <stdlib.h>

#include "analysis/fill.h"
#include "base/memory.h"

/* Lines between two checks of the progress. */
#define STRETCH ((int64_t)1 << 16)

/* Cancellation is polled once every STRETCH lines. */
static inline bool is_cancelled_at(int64_t line, const struct progress *progress)
{
    return line % STRETCH == 0 && progress_cancelled(progress);
}

/* The Householder vector of column k has the rows that begin in k. It also has the rows of the vectors of the
 * children of k in the elimination tree, except their pivots (George, Liu and Ng, SIAM J. Sci. Statist.
 * Comput. 9, 1988). They are counted as in Davis, Direct Methods for Sparse Linear Systems, 2006, section
 * 5.3. */
static enum status count_vectors(const struct csr *a, const int32_t *parent, struct progress *progress,
                                 struct column_fill *fill, struct error *error)
{
    int64_t *rows = memory_zeroed((size_t)a->cols, sizeof *rows, error);
    if (!rows) return STATUS_MEMORY;
    for (int64_t i = 0; i < a->rows && !is_cancelled_at(i, progress); i++)
        if (a->row_ptr[i] < a->row_ptr[i + 1]) rows[a->col[a->row_ptr[i]]]++;
    for (int64_t k = 0; k < a->cols && !is_cancelled_at(k, progress); k++) {
        fill->householder += rows[k];
        fill->lacking += rows[k] == 0;
        if (rows[k] > 1 && parent[k] >= 0) rows[parent[k]] += rows[k] - 1;
    }
    free(rows);
    return progress_status(progress, error);
}

enum status column_fill_predict(const struct csr *a, struct progress *progress, struct column_fill *fill,
                                struct error *error)
{
    struct fill factor;
    *fill = (struct column_fill){0};
    int32_t *parent = memory_array((size_t)a->cols, sizeof *parent, error);
    enum status status = parent ? fill_predict_rows(a, progress, parent, &factor, error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        fill->entries = factor.entries;
        fill->flops = factor.flops;
        status = count_vectors(a, parent, progress, fill, error);
    }
    free(parent);
    if (status != STATUS_OK) *fill = (struct column_fill){0};
    return status;
}

/* The vectors are counted in less memory than the fill. */
size_t column_fill_bytes(const struct csr *a)
{
    return fill_rows_bytes(a) + (size_t)a->cols * sizeof(int32_t);
}
