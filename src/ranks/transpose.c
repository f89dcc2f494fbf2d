#include "ranks/transpose.h"

#include <stdlib.h>

#include "base/memory.h"
#include "ranks/moved.h"

enum status share_transposed(const struct ranks *ranks, const struct share *share, size_t limit,
                             struct share *to, struct error *error)
{
    const struct move move = {.transposed = true};
    enum status status =
        share_moved(ranks, share, &move, memory_limit(limit) / (size_t)ranks->near, to, error);
    if (status == STATUS_OK) to->matrix.symmetry = share->matrix.symmetry;
    return status;
}

/* The numbers of positions that this rank sends to each rank, and receives from it. */
struct counts {
    int64_t *out, *in, *next;
};

/* Sort the transposed positions by the ranks that own their rows. */
static void sort_places(const struct ranks *ranks, const struct share *to, const struct summed *summed,
                        struct counts *counts, struct summed_place *sorted)
{
    for (int64_t k = 0; k < summed->kept; k++)
        counts->out[share_owner(to, ranks, summed->list[k].col)]++;
    for (int r = 1; r < ranks->count; r++)
        counts->next[r] = counts->next[r - 1] + counts->out[r - 1];
    for (int64_t k = 0; k < summed->kept; k++) {
        const struct summed_place *place = &summed->list[k];
        sorted[counts->next[share_owner(to, ranks, place->col)]++] =
            (struct summed_place){place->col, place->row, place->entries};
    }
}

/* Send the positions at which entries were summed to the owners of their new rows. */
static enum status move_summed(const struct ranks *ranks, const struct share *to, struct summed *summed,
                               struct error *error)
{
    const size_t all = (size_t)ranks->count;
    struct counts counts = {.out = memory_zeroed(all, sizeof *counts.out, error),
                            .in = memory_zeroed(all, sizeof *counts.in, error),
                            .next = memory_zeroed(all, sizeof *counts.next, error)};
    struct summed_place *going = memory_array((size_t)summed->kept, sizeof *going, error), *coming = NULL;
    struct summed moved = {0};
    bool there = counts.out && counts.in && counts.next && going;
    enum status status = ranks_agree(ranks, there ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) {
        int64_t received = 0;
        sort_places(ranks, to, summed, &counts, going);
        ranks_counts(ranks, counts.out, counts.in);
        for (int r = 0; r < ranks->count; r++)
            received += counts.in[r];
        coming = memory_array((size_t)received, sizeof *coming, error);
        status = ranks_agree(ranks, coming ? STATUS_OK : STATUS_MEMORY, error);
        if (status == STATUS_OK) ranks_exchange(ranks, going, counts.out, coming, counts.in, sizeof *going);
        for (int64_t k = 0; k < received && status == STATUS_OK; k++)
            status = summed_add(&moved, coming[k].row, coming[k].col, coming[k].entries, error);
        status = ranks_agree(ranks, status, error);
    }
    if (status == STATUS_OK) {
        summed_sort(&moved);
        summed_free(summed);
        *summed = moved;
        moved = (struct summed){0};
    }
    summed_free(&moved);
    free(coming);
    free(going);
    free(counts.next);
    free(counts.in);
    free(counts.out);
    return status;
}

/* Replace the rows by those of A^T; the description stays. */
static enum status turn(const struct ranks *ranks, struct share *share, size_t limit, struct error *error)
{
    const struct move move = {.transposed = true};
    struct share turned;
    struct error refusal = {0};
    enum status status = share_moved(ranks, share, &move, share_leaves(share, limit), &turned, &refusal);
    if (status == STATUS_LIMIT && limit)
        return error_set(error, status,
                         "%.2048s; that limit is what the matrix before transposing leaves of --limit",
                         refusal.message);
    if (status != STATUS_OK) {
        *error = refusal;
        return status;
    }
    csr_free(&share->own);
    status = move_summed(ranks, &turned, &share->matrix.summed, error);
    if (status != STATUS_OK) {
        share_free(&turned);
        return status;
    }
    free(share->cuts);
    turned.matrix = share->matrix;
    turned.words = share->words;
    *share = turned;
    return STATUS_OK;
}

enum status share_transpose(const struct ranks *ranks, struct share *share, size_t limit, struct error *error)
{
    struct text name = {0};
    text_append(&name, "%s^T", share->matrix.name ? share->matrix.name : "");
    enum status status = name.failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
    status = ranks_agree(ranks, status, error);
    if (status == STATUS_OK && share->matrix.symmetry != SYMMETRY_SYMMETRIC)
        status = turn(ranks, share, limit, error);
    if (status != STATUS_OK) {
        text_free(&name);
        return status;
    }
    free(share->matrix.name);
    share->matrix.name = name.data;
    share->matrix.transposed = true;
    return STATUS_OK;
}
