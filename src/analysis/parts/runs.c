/* Parts that are runs of rows, with equal numbers of rows or about equal numbers of entries. */
#include "analysis/parts/runs.h"

#include "analysis/parts/partition.h"

static enum status compute_natural(const struct partitioning *partitioning, int32_t *owner, int64_t *parts,
                                   struct error *error)
{
    int64_t rows = partitioning->a->rows;
    for (int64_t i = 0; i < rows; i++)
        owner[i] = (int32_t)(i * *parts / rows);
    return progress_status(partitioning->progress, error);
}

static enum status compute_entries(const struct partitioning *partitioning, int32_t *owner, int64_t *parts,
                                   struct error *error)
{
    const struct csr *a = partitioning->a;
    for (int64_t i = 0; i < a->rows; i++)
        owner[i] = runs_part(a->row_ptr[i], a->row_ptr[i + 1], csr_nnz(a), *parts);
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
