#include "analysis/parts/owners.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

/* Number of rows between two checks of the progress. */
#define STEP 256

/* Count entries of a row in one dot. They belong to this part. */
static void cast(struct owner_vote *vote, int32_t part, int64_t entries, int64_t remote)
{
    vote->all += entries;
    vote->remote += remote;
    if (vote->part == part || vote->left == 0) {
        vote->part = part;
        vote->left += entries;
    } else if (vote->left >= entries) {
        vote->left -= entries;
    } else {
        vote->part = part;
        vote->left = entries - vote->left;
    }
}

/* Return the end of the entries k .. end - 1 of a row that have the same owner as entry k. */
static int64_t run_end(const struct partition *partition, int64_t k, int64_t end)
{
    if (!partition->entry) return end;
    int64_t next = k + 1;
    while (next < end && partition->entry[next] == partition->entry[k])
        next++;
    return next;
}

/* Count the entries k .. end - 1 of a row, which have one owner, in a dot, in the first or the second
 * pass. */
static void count_run(const struct slab *slab, const struct partition *partition, int64_t k, int64_t end,
                      int32_t part, bool again, struct owner_vote *vote)
{
    int64_t remote = 0;
    if (again) {
        if (vote->part == part) vote->own += end - k;
        return;
    }
    for (int64_t e = k; e < end; e++)
        remote += partition_column_owner(partition, slab->cols, slab->a->col[e]) != part;
    cast(vote, part, end - k, remote);
}

/* Count row i of the slab in the votes of a row of dots, in the first or the second pass. */
static void count_row(const struct slab *slab, const struct partition *partition,
                      const struct size_dots *dots, int64_t i, int64_t right, bool again,
                      struct owner_vote *votes)
{
    const struct csr *a = slab->a;
    int64_t k = dots->col0 > 0 ? csr_lower_bound(a, i, dots->col0) : a->row_ptr[i], end = a->row_ptr[i + 1];
    while (k < end && a->col[k] < right) {
        int64_t x = (a->col[k] - dots->col0) / dots->dot_cols, first = k;
        int64_t next = min(right, size_dots_border(dots->col0, dots->dot_cols, x + 1, slab->cols));
        while (k < end && a->col[k] < next)
            k++;
        for (int64_t run; first < k; first = run) {
            run = run_end(partition, first, k);
            count_run(slab, partition, first, run, partition_entry_owner(partition, slab->first + i, first),
                      again, &votes[x]);
        }
    }
}

int32_t owner_vote_mark(const struct owner_vote *vote)
{
    if (vote->all == 0) return OWNER_NONE;
    if (2 * vote->own <= vote->all) return OWNER_SEVERAL;
    return owner_mark(vote->part, 2 * vote->remote >= vote->all);
}

void owner_vote_join(struct owner_vote *vote, const struct owner_vote *other)
{
    const int64_t all = vote->all + other->all, remote = vote->remote + other->remote;
    cast(vote, other->part, other->left, 0);
    vote->all = all;
    vote->remote = remote;
}

void owners_vote(const struct slab *slab, const struct partition *partition, const struct size_dots *dots,
                 int y, bool again, struct progress *progress, struct owner_vote *votes)
{
    const int64_t right = size_dots_border(dots->col0, dots->dot_cols, dots->wide, slab->cols);
    int64_t first = size_dots_border(dots->row0, dots->dot_rows, y, slab->rows) - slab->first;
    int64_t end = size_dots_border(dots->row0, dots->dot_rows, (int64_t)y + 1, slab->rows) - slab->first;
    first = max(first, 0);
    end = min(end, slab->a->rows);
    for (int64_t i = first; i < end; i++) {
        if ((i - first) % STEP == 0) {
            if (progress_cancelled(progress)) return;
            if (again) progress_add(progress, min(STEP, end - i));
        }
        count_row(slab, partition, dots, i, right, again, votes);
    }
}

/* Find the marks of row y of dots. */
static void mark_row(const struct slab *slab, const struct partition *partition, const struct size_dots *dots,
                     int y, struct progress *progress, struct owner_vote *votes, int32_t *marks)
{
    memset(votes, 0, (size_t)dots->wide * sizeof *votes);
    owners_vote(slab, partition, dots, y, false, progress, votes);
    owners_vote(slab, partition, dots, y, true, progress, votes);
    for (int x = 0; x < dots->wide; x++)
        marks[(size_t)y * (size_t)dots->wide + (size_t)x] = owner_vote_mark(&votes[x]);
}

enum status owners_of_dots(const struct csr *a, const struct partition *partition,
                           const struct size_dots *dots, struct progress *progress, int32_t *marks,
                           struct error *error)
{
    const struct slab slab = slab_of(a);
    int64_t top = min(dots->row0, a->rows),
            bottom = size_dots_border(dots->row0, dots->dot_rows, dots->high, a->rows);
    int64_t work = a->row_ptr ? a->row_ptr[bottom] - a->row_ptr[top] + bottom - top : 0;
    enum status status = STATUS_OK;
    progress_phase(progress, "owners of dots", bottom - top);
#pragma omp parallel if (work > 16 * PARALLEL_MIN)
    {
        struct error mine = {0};
        struct owner_vote *votes = memory_array((size_t)dots->wide, sizeof *votes, &mine);
#pragma omp for schedule(dynamic)
        for (int y = 0; y < dots->high; y++)
            if (votes) mark_row(&slab, partition, dots, y, progress, votes, marks);
        if (!votes) {
#pragma omp critical(sparsight_owners_error)
            {
                status = STATUS_MEMORY;
                if (error && error->status == STATUS_OK) *error = mine;
            }
        }
        free(votes);
    }
    return status == STATUS_OK ? progress_status(progress, error) : status;
}
