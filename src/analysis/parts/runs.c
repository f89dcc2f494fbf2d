/* Parts that are runs of rows, with equal numbers of rows or about equal numbers of entries. */
#include "analysis/parts/partition.h"

static enum status compute_natural(const struct partitioning *partitioning, int32_t *owner, int64_t *parts,
                                   struct error *error)
{
    int64_t rows = partitioning->a->rows;
    for (int64_t i = 0; i < rows; i++)
        owner[i] = (int32_t)(i * *parts / rows);
    return progress_status(partitioning->progress, error);
}

/* Divide all entries evenly: a row belongs to the part that gets the middle of its entries. So a border
 * between parts is at most half a row away from the even division. Rows before the first entry go to the
 * first part, and so do all rows of a matrix without entries. */
static enum status compute_entries(const struct partitioning *partitioning, int32_t *owner, int64_t *parts,
                                   struct error *error)
{
    const struct csr *a = partitioning->a;
    const double share = (double)csr_nnz(a) / (double)*parts;
    for (int64_t i = 0; i < a->rows; i++) {
        double middle = ((double)a->row_ptr[i] + (double)a->row_ptr[i + 1]) / 2;
        int64_t part = share > 0 ? (int64_t)(middle / share) : 0;
        owner[i] = (int32_t)(part < *parts ? part : *parts - 1);
    }
    return progress_status(partitioning->progress, error);
}

static const struct parameter none[] = {{0}};

const struct partitioner partitioner_natural = {
    .name = "natural",
    .summary = "contiguous ranges of equally many rows",
    .source = "",
    .by_rows = true,
    .parameters = none,
    .compute = compute_natural,
};

const struct partitioner partitioner_entries = {
    .name = "entries",
    .summary = "contiguous ranges of rows with about equally many entries",
    .source = "",
    .by_rows = true,
    .parameters = none,
    .compute = compute_entries,
};
