#include "matrix/graphs/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/graphs/components.h"
#include "matrix/graphs/triangular.h"

/* The components of a matrix that is not square are found as one array, the columns after the rows. */
static enum status find_connected(const struct csr *a, struct progress *progress, struct parts *parts,
                                  struct error *error)
{
    bool square = a->rows == a->cols;
    int64_t vertices = square ? a->rows : a->rows + a->cols;
    parts->row = memory_array((size_t)vertices, sizeof *parts->row, error);
    if (!parts->row) return STATUS_MEMORY;
    enum status status = connected_components(a, progress, parts->row, &parts->count, error);
    if (status != STATUS_OK || square) return status;
    parts->col = memory_array((size_t)a->cols, sizeof *parts->col, error);
    if (!parts->col) return STATUS_MEMORY;
    memcpy(parts->col, parts->row + a->rows, (size_t)a->cols * sizeof *parts->col);
    return STATUS_OK;
}

static enum status find_strong(const struct csr *a, struct progress *progress, struct parts *parts,
                               struct error *error)
{
    int64_t largest;
    if (a->rows != a->cols)
        return error_set(error, STATUS_UNAVAILABLE,
                         "strongly connected components are those of a square matrix, and it is %lld x %lld",
                         (long long)a->rows, (long long)a->cols);
    parts->row = memory_array((size_t)a->rows, sizeof *parts->row, error);
    if (!parts->row) return STATUS_MEMORY;
    return strong_components(a, NULL, NULL, progress, parts->row, &parts->count, &largest, error);
}

static enum status find_blocks(const struct csr *a, struct progress *progress, struct parts *parts,
                               struct error *error)
{
    struct triangular triangular;
    struct triangular_lines lines;
    enum status status = triangular_find(a, progress, &triangular, &lines, error);
    if (status != STATUS_OK) return status;
    *parts = (struct parts){.count = lines.blocks,
                            .row = lines.row,
                            .col = lines.col,
                            .under = lines.under,
                            .over = lines.over,
                            .col_of = lines.col_of};
    return STATUS_OK;
}

enum status parts_find(const struct csr *a, enum parting parting, bool symmetric, struct progress *progress,
                       struct parts *parts, struct error *error)
{
    *parts = (struct parts){0};
    bool connected = parting == PARTS_CONNECTED || (parting == PARTS_STRONG && symmetric);
    enum status status = connected                 ? find_connected(a, progress, parts, error)
                         : parting == PARTS_STRONG ? find_strong(a, progress, parts, error)
                                                   : find_blocks(a, progress, parts, error);
    if (status != STATUS_OK) parts_free(parts);
    return status;
}

size_t parts_bytes(const struct csr *a, enum parting parting)
{
    size_t left, work = parting == PARTS_BLOCKS ? triangular_bytes(a) : components_each_bytes(a);
    size_multiply((size_t)(a->rows + a->cols), 2 * sizeof(int32_t), &left);
    size_add(work, left, &left);
    return left;
}

void parts_free(struct parts *parts)
{
    free(parts->row);
    free(parts->col);
    free(parts->col_of);
    *parts = (struct parts){0};
}
