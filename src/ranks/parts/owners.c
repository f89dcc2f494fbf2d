#include "ranks/parts/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Allocate on rank 0 the arrays of the whole pattern that it lacks. */
static enum status take_memory(const struct share *share, bool offsets, bool columns, size_t limit,
                               struct csr *whole, struct error *error)
{
    const size_t rows = (size_t)share->rows + 1, entries = (size_t)share->nnz;
    size_t bytes;
    size_multiply(columns ? entries : 0, sizeof *whole->col, &bytes);
    size_add(bytes, offsets ? rows * sizeof *whole->row_ptr : 0, &bytes);
    enum status status = memory_check(
        bytes, limit, "the pattern, which one rank gathers for a partition that no ranks find together,",
        error);
    if (status != STATUS_OK) return status;
    whole->rows = share->rows;
    whole->cols = share->cols;
    if (offsets) whole->row_ptr = memory_array(rows, sizeof *whole->row_ptr, error);
    if (columns) whole->col = memory_array(entries, sizeof *whole->col, error);
    return (whole->row_ptr || !offsets) && (whole->col || !columns) ? STATUS_OK : STATUS_MEMORY;
}

/* Gather the row offsets of all ranks, each of which counts from 0, and turn them into offsets of the whole
 * matrix. */
static void join_offsets(const struct ranks *ranks, const struct share *share, const int64_t *entries,
                         size_t *sizes, int64_t *row_ptr)
{
    for (int r = 0; r < ranks->count; r++)
        sizes[r] = (size_t)(share->cuts[r + 1] - share->cuts[r]) * sizeof *row_ptr;
    ranks_join(ranks, 0, share->own.row_ptr + 1, sizes, row_ptr ? row_ptr + 1 : NULL);
    if (!row_ptr) return;
    row_ptr[0] = 0;
    for (int64_t r = 0, before = 0; r < ranks->count; before += entries[r++])
        for (int64_t i = share->cuts[r]; i < share->cuts[r + 1]; i++)
            row_ptr[i + 1] += before;
}

/* Gather the arrays that rank 0 lacks: row offsets, and the columns of all entries if requested. */
static enum status gather(const struct ranks *ranks, const struct share *share, bool columns, size_t limit,
                          struct pattern *pattern, struct error *error)
{
    int missing[2] = {!pattern->whole.row_ptr, columns && !pattern->whole.col};
    const int64_t mine = csr_nnz(&share->own);
    ranks_broadcast(ranks, 0, missing, sizeof missing);
    if (!missing[0] && !missing[1]) return STATUS_OK;
    size_t *sizes = memory_zeroed((size_t)ranks->count, sizeof *sizes, error);
    int64_t *entries = memory_zeroed((size_t)ranks->count, sizeof *entries, error);
    enum status status = sizes && entries ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK && ranks->rank == 0) {
        pattern->own_offsets |= missing[0];
        pattern->own_columns |= missing[1];
        status = take_memory(share, missing[0], missing[1], limit, &pattern->whole, error);
    }
    status = ranks_agree(ranks, status, error);
    if (status == STATUS_OK) {
        ranks_share(ranks, &mine, 1, entries);
        if (missing[0]) join_offsets(ranks, share, entries, sizes, pattern->whole.row_ptr);
        for (int r = 0; r < ranks->count; r++)
            sizes[r] = (size_t)entries[r] * sizeof(int32_t);
        if (missing[1]) ranks_join(ranks, 0, share->own.col, sizes, pattern->whole.col);
    } else { /* incomplete arrays must not remain for the next partition */
        pattern_free(pattern);
    }
    free(sizes);
    free(entries);
    return status;
}

/* Find the partition on rank 0. */
static enum status find_alone(const struct ranks *ranks, const struct share *share,
                              const struct partition_choice *choice, size_t limit, struct pattern *pattern,
                              struct partition *partition, struct error *error)
{
    const struct partitioner *partitioner = choice->partitioner;
    const bool taken = !partitioner->absent && !(partitioner->square && share->rows != share->cols);
    struct partition found = {0};
    enum status status = STATUS_OK;
    if (taken) status = gather(ranks, share, !partitioner->by_rows, limit, pattern, error);
    if (status != STATUS_OK) return status;
    if (ranks->rank == 0) {
        struct csr whole = pattern->whole;
        whole.rows = share->rows;
        whole.cols = share->cols;
        status = partition_find(choice, &whole, share->matrix.symmetry != SYMMETRY_GENERAL, partition->parts,
                                limit, NULL, &found, error);
    }
    status = ranks_agree(ranks, status, error);
    if (status != STATUS_OK) return status;
    ranks_broadcast(ranks, 0, &found.parts, sizeof found.parts);
    partition->parts = found.parts;
    if (ranks->rank == 0)
        partition->owner = found.owner;
    else
        partition->owner = memory_array((size_t)share->rows, sizeof *partition->owner, error);
    return ranks_agree(ranks, partition->owner ? STATUS_OK : STATUS_MEMORY, error);
}

/* Partitions that the ranks find together. A function finds the owners of this rank's rows, and the other
 * lists of the partition, whose number of parts is given. Collective. */
typedef enum status find_function(const struct ranks *ranks, const struct share *share,
                                  const struct partition_choice *choice, struct partition *partition,
                                  int32_t *owner, struct error *error);

static const struct {
    const char *name;
    find_function *find;
} together[] = {
    {"blocks", blocks_owners},
    {"ptscotch", ptscotch_owners},
    {"hypergraph", zoltan_owners},
    {"finegrain", zoltan_owners},
};

/* NULL: rank 0 finds it. */
static find_function *find_of(const struct partition_choice *choice)
{
    for (size_t k = 0; k < sizeof together / sizeof *together; k++)
        if (strcmp(together[k].name, choice->partitioner->name) == 0) return together[k].find;
    return NULL;
}

/* Find a partition over the ranks, and join the owners of their rows on rank 0. */
static enum status find_ranked(const struct ranks *ranks, const struct share *share,
                               const struct partition_choice *choice, struct partition *partition,
                               struct error *error)
{
    size_t *sizes = memory_array((size_t)ranks->count, sizeof *sizes, error);
    int32_t *mine = memory_array((size_t)share->own.rows, sizeof *mine, error);
    partition->owner = memory_array((size_t)share->rows, sizeof *partition->owner, error);
    enum status status =
        ranks_agree(ranks, sizes && mine && partition->owner ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) status = find_of(choice)(ranks, share, choice, partition, mine, error);
    if (status == STATUS_OK) {
        for (int r = 0; r < ranks->count; r++)
            sizes[r] = (size_t)(share->cuts[r + 1] - share->cuts[r]) * sizeof *mine;
        ranks_join(ranks, 0, mine, sizes, partition->owner);
    }
    free(mine);
    free(sizes);
    return status;
}

enum status ranks_partition(const struct ranks *ranks, const struct share *share,
                            const struct partition_choice *choice, int64_t parts, size_t limit,
                            struct pattern *pattern, struct partition *partition, struct error *error)
{
    *partition = (struct partition){.parts = parts, .rows = share->rows};
    const size_t bytes = (size_t)share->rows * sizeof *partition->owner;
    enum status status = ranks_agree(
        ranks, memory_check(bytes, limit, "the owners of all rows, which each rank has,", error), error);
    if (status == STATUS_OK)
        status = find_of(choice) ? find_ranked(ranks, share, choice, partition, error)
                                 : find_alone(ranks, share, choice, limit, pattern, partition, error);
    if (status == STATUS_OK)
        ranks_broadcast(ranks, 0, partition->owner, bytes);
    else
        partition_free(partition);
    return status;
}

void pattern_free(struct pattern *pattern)
{
    if (pattern->own_offsets) free(pattern->whole.row_ptr);
    if (pattern->own_columns) free(pattern->whole.col);
    if (pattern->own_offsets) pattern->whole.row_ptr = NULL;
    if (pattern->own_columns) pattern->whole.col = NULL;
    pattern->own_offsets = pattern->own_columns = false;
}
