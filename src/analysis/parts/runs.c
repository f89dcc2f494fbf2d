/* Parts that are runs of rows: of equally many rows, or of about equally many entries. */
#include "analysis/parts/partition.h"

static enum status compute_natural(const struct partitioning *partitioning, int32_t *owner, int64_t *parts,
                                   struct error *error)
{
    int64_t rows = partitioning->a->rows;
    for (int64_t i = 0; i < rows; i++)
        owner[i] = (int32_t)(i * *parts / rows);
    return progress_status(partitioning->progress, error);
}

/* A row belongs to the part that has the middle of its entries, if all entries are divided evenly: so the
 * border between two parts is never further from its place than half of a row. Rows before the first entry,
 * and in a matrix without any all rows, go to the first part. */
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
