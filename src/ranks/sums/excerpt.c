/* An excerpt of a matrix whose columns are not gathered. */
#include <stdlib.h>

#include "base/memory.h"
#include "ranks/sums/parts.h"

/* Join the entries kept by the ranks. */
static void join_draw(const struct sums *sums, const struct excerpt_draw *mine, const int64_t *counts,
                      size_t *sizes, struct excerpt_draw *all)
{
    const struct {
        const void *from;
        void *to;
        size_t size;
    } part[] = {{mine->row, all->row, sizeof *mine->row},
                {mine->col, all->col, sizeof *mine->col},
                {mine->val, all->val, sizeof *mine->val}};
    const int parts = mine->val ? 3 : 2;
    all->count = 0;
    for (int p = 0; p < parts; p++) {
        for (int r = 0; r < sums->ranks->count; r++)
            sizes[r] = (size_t)counts[r * EXCERPT_DRAWS] * part[p].size;
        ranks_join(sums->ranks, 0, part[p].from, sizes, part[p].to);
    }
    for (int r = 0; r < sums->ranks->count; r++)
        all->count += counts[r * EXCERPT_DRAWS];
}

/* Join the kept entries on rank 0, which makes the excerpt. */
static enum status join_entries(struct sums *sums, const struct excerpt_gather *mine,
                                struct excerpt_gather *all, struct excerpt *excerpt, struct error *error)
{
    const int ranks = sums->ranks->count;
    int64_t count[EXCERPT_DRAWS];
    int64_t *counts = memory_array((size_t)ranks * EXCERPT_DRAWS, sizeof *counts, error);
    size_t *sizes = memory_array((size_t)ranks, sizeof *sizes, error);
    enum status status = ranks_agree(sums->ranks, counts && sizes ? STATUS_OK : STATUS_MEMORY, error);
    for (int d = 0; d < EXCERPT_DRAWS; d++)
        count[d] = mine->of[d].count;
    if (status == STATUS_OK) ranks_share(sums->ranks, count, EXCERPT_DRAWS, counts);
    for (int d = 0; d < EXCERPT_DRAWS && status == STATUS_OK; d++) {
        join_draw(sums, &mine->of[d], counts + d, sizes, &all->of[d]);
        all->of[d].level = mine->of[d].level;
    }
    free(counts);
    free(sizes);
    if (status == STATUS_OK && sums->ranks->rank == 0)
        status = excerpt_end(all, sums->csr.row_ptr, excerpt, error);
    return ranks_agree(sums->ranks, status, error);
}

enum status sums_excerpt(struct sums *sums, int64_t admitted, struct excerpt *excerpt, struct error *error)
{
    const struct share *share = sums->share;
    const bool complex = share->own.imaginary != NULL;
    struct excerpt_gather mine = {0}, all = {0};
    int64_t counts[EXCERPT_DRAWS][EXCERPT_LEVELS + 1];
    if (sums_gathers(sums)) return STATUS_OK;
    enum status status =
        excerpt_begin(share->rows, share->cols, share->nnz, admitted, !complex, complex, &mine, error);
    if (status == STATUS_OK && sums->ranks->rank == 0)
        status =
            excerpt_begin(share->rows, share->cols, share->nnz, admitted, !complex, complex, &all, error);
    status = ranks_agree(sums->ranks, status, error);
    if (status == STATUS_OK) {
        excerpt_count(&mine, &share->own, share->first, counts);
        ranks_sum(sums->ranks, counts[0], EXCERPT_DRAWS * (EXCERPT_LEVELS + 1));
        for (int d = 0; d < EXCERPT_DRAWS; d++)
            excerpt_rise(&mine.of[d], excerpt_level(counts[d], admitted));
        excerpt_take_rows(&mine, &share->own, share->first);
        status = join_entries(sums, &mine, &all, excerpt, error);
    }
    excerpt_drop(&mine);
    excerpt_drop(&all);
    return status;
}
