#include "analysis/parts/owners.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

/* So many rows are done before the progress is looked at. */
#define STEP 256

/* The entries of a dot while they are counted. The part of more than half of them, if there is one, is what
 * is left when entries of different parts are struck out in pairs (Boyer and Moore, "MJRTY: a fast majority
 * vote algorithm", 1991); a second pass counts whether it is. */
struct vote {
    int32_t part;
    int64_t left;   /* entries of `part` that were not struck out */
    int64_t own;    /* entries of `part` in the second pass */
    int64_t all;    /* entries */
    int64_t remote; /* those that need an element of another part */
};

/* Entries of a row, of this part, that lie in one dot. */
static void cast(struct vote *vote, int32_t part, int64_t entries, int64_t remote)
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

/* Count a row of the matrix in the votes of a row of dots: for the first time, or again for the parts that
 * are left. */
static void count_row(const struct csr *a, const struct partition *partition, const struct size_dots *dots,
                      int64_t i, int64_t right, bool again, struct vote *votes)
{
    const int32_t part = partition->owner[i];
    int64_t k = dots->col0 > 0 ? csr_lower_bound(a, i, dots->col0) : a->row_ptr[i], end = a->row_ptr[i + 1];
    while (k < end && a->col[k] < right) {
        int64_t x = (a->col[k] - dots->col0) / dots->dot_cols, first = k, remote = 0;
        int64_t next = min(right, size_dots_border(dots->col0, dots->dot_cols, x + 1, a->cols));
        for (; k < end && a->col[k] < next; k++)
            remote += !again && partition_column_owner(partition, a, a->col[k]) != part;
        if (!again)
            cast(&votes[x], part, k - first, remote);
        else if (votes[x].part == part)
            votes[x].own += k - first;
    }
}

static int32_t mark_of(const struct vote *vote)
{
    if (vote->all == 0) return OWNER_NONE;
    if (2 * vote->own <= vote->all) return OWNER_SEVERAL;
    return owner_mark(vote->part, 2 * vote->remote >= vote->all);
}

/* Find what is known of row y of dots. */
static void count_dots(const struct csr *a, const struct partition *partition, const struct size_dots *dots,
                       int y, int64_t right, struct progress *progress, struct vote *votes, int32_t *marks)
{
    int64_t first = size_dots_border(dots->row0, dots->dot_rows, y, a->rows);
    int64_t end = size_dots_border(dots->row0, dots->dot_rows, (int64_t)y + 1, a->rows);
    memset(votes, 0, (size_t)dots->wide * sizeof *votes);
    for (int again = 0; again < 2; again++)
        for (int64_t i = first; i < end; i++) {
            if ((i - first) % STEP == 0) {
                if (progress_cancelled(progress)) return;
                if (again) progress_add(progress, min(STEP, end - i));
            }
            count_row(a, partition, dots, i, right, again, votes);
        }
    for (int x = 0; x < dots->wide; x++)
        marks[(size_t)y * (size_t)dots->wide + (size_t)x] = mark_of(&votes[x]);
}

enum status owners_of_dots(const struct csr *a, const struct partition *partition,
                           const struct size_dots *dots, struct progress *progress, int32_t *marks,
                           struct error *error)
{
    int64_t right = size_dots_border(dots->col0, dots->dot_cols, dots->wide, a->cols);
    int64_t top = min(dots->row0, a->rows),
            bottom = size_dots_border(dots->row0, dots->dot_rows, dots->high, a->rows);
    int64_t work = a->row_ptr ? a->row_ptr[bottom] - a->row_ptr[top] + bottom - top : 0;
    enum status status = STATUS_OK;
    progress_phase(progress, "owners of dots", bottom - top);
#pragma omp parallel if (work > 16 * PARALLEL_MIN)
    {
        struct error mine = {0};
        struct vote *votes = memory_array((size_t)dots->wide, sizeof *votes, &mine);
#pragma omp for schedule(dynamic)
        for (int y = 0; y < dots->high; y++)
            if (votes) count_dots(a, partition, dots, y, right, progress, votes, marks);
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
