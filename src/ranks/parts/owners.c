#include "ranks/parts/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ranks/pattern.h"

#define WHAT "the pattern, which one rank gathers for a partition that no ranks find together,"

/* Find the partition on rank 0. */
static enum status find_alone(const struct ranks *ranks, const struct share *share,
                              const struct partition_choice *choice, size_t limit, struct pattern *pattern,
                              struct partition *partition, struct error *error)
{
    const struct partitioner *partitioner = choice->partitioner;
    const bool taken = !partitioner->absent && !(partitioner->square && share->rows != share->cols);
    struct partition found = {0};
    enum status status = STATUS_OK;
    if (taken) status = pattern_gather(ranks, share, !partitioner->by_rows, limit, WHAT, pattern, error);
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
