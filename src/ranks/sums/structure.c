/* The structure: the findings of slabs are joined, and entries above the diagonal travel to the rows of their
 * mirror images. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/set.h"
#include "ranks/sums/parts.h"

/* Minimum number of mirrors that a rank sends in a round, if it has them. */
#define MIRRORS_MIN 1024

/* The data sent in a round. */
struct travel {
    int64_t most;                    /* mirrors that a rank sends */
    struct mirror *found, *out, *in; /* at most `most`; the same sorted by destination; the received ones */
    int64_t *out_counts, *in_counts, *next;
};

static enum status travel_open(const struct ranks *ranks, struct travel *travel, struct error *error)
{
    size_t count = (size_t)ranks->count;
    travel->most = max((int64_t)(SUMS_ROUND / sizeof(struct mirror)) / ranks->count, MIRRORS_MIN);
    travel->found = memory_array((size_t)travel->most, sizeof *travel->found, error);
    travel->out = memory_array((size_t)travel->most, sizeof *travel->out, error);
    travel->in = memory_array((size_t)travel->most * count, sizeof *travel->in, error);
    travel->out_counts = memory_array(count, sizeof(int64_t), error);
    travel->in_counts = memory_array(count, sizeof(int64_t), error);
    travel->next = memory_array(count, sizeof(int64_t), error);
    bool there =
        travel->found && travel->out && travel->in && travel->out_counts && travel->in_counts && travel->next;
    return there ? STATUS_OK : STATUS_MEMORY;
}

static void travel_free(struct travel *travel)
{
    free(travel->found);
    free(travel->out);
    free(travel->in);
    free(travel->out_counts);
    free(travel->in_counts);
    free(travel->next);
}

/* Sort the mirrors found by destination rank. */
static void deal(const struct sums *sums, struct travel *travel, int64_t count)
{
    int ranks = sums->ranks->count;
    for (int r = 0; r < ranks; r++)
        travel->out_counts[r] = 0;
    for (int64_t k = 0; k < count; k++)
        travel->out_counts[share_owner(sums->share, sums->ranks, travel->found[k].col)]++;
    for (int64_t r = 0, before = 0; r < ranks; before += travel->out_counts[r++])
        travel->next[r] = before;
    for (int64_t k = 0; k < count; k++)
        travel->out[travel->next[share_owner(sums->share, sums->ranks, travel->found[k].col)]++] =
            travel->found[k];
}

/* Mirrors travel in rounds until no rank has any left. */
static void meet(const struct sums *sums, struct travel *travel, struct structure_part *part)
{
    int64_t row = 0, entry = 0;
    for (;;) {
        int64_t count = structure_beyond(&sums->slab, &row, &entry, travel->found, travel->most), any = count;
        ranks_max(sums->ranks, &any, 1);
        if (any == 0) return;
        deal(sums, travel, count);
        ranks_counts(sums->ranks, travel->out_counts, travel->in_counts);
        ranks_exchange(sums->ranks, travel->out, travel->out_counts, travel->in, travel->in_counts,
                       sizeof *travel->in);
        int64_t come = 0;
        for (int r = 0; r < sums->ranks->count; r++)
            come += travel->in_counts[r];
        structure_meet(&sums->slab, travel->in, come, part);
    }
}

static void join(void *to, const void *from)
{
    structure_join(to, from);
}

enum status sums_structure(struct sums *sums, struct structure *structure, struct error *error)
{
    const struct share *share = sums->share;
    struct structure_part part = {0}, other;
    struct travel travel = {0};
    enum status status = structure_scan(&sums->slab, NULL, &part, error);
    if (status == STATUS_OK) status = travel_open(sums->ranks, &travel, error);
    status = ranks_agree(sums->ranks, status, error);
    if (status == STATUS_OK) {
        meet(sums, &travel, &part);
        ranks_combine(sums->ranks, &part, &other, sizeof part, join);
        ranks_unite(sums->ranks, part.columns, (int64_t)(set_bytes(share->cols) / sizeof *part.columns));
        ranks_unite(sums->ranks, part.diagonals,
                    (int64_t)(set_bytes(share->rows + share->cols) / sizeof *part.diagonals));
        if (sums->ranks->rank == 0) {
            structure_finish(&part, share->rows, share->cols, share->nnz, structure);
            sums->skeleton.diagonals = part.diagonals;
            part.diagonals = NULL;
        }
    }
    travel_free(&travel);
    structure_part_free(&part);
    return status;
}
