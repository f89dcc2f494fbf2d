#include "matrix/graphs/levels.h"

#include <stdlib.h>

#include "base/job.h"
#include "base/memory.h"

/* Rows between two checks of the progress. */
#define STRETCH 4096

/* Return the level of row i in the lower triangle. Add the number of its entries there to *entries. */
static int32_t level_below(const struct csr *a, int64_t i, const int32_t *level, int64_t *entries)
{
    int32_t own = 0;
    int64_t k = a->row_ptr[i];
    for (; k < a->row_ptr[i + 1] && a->col[k] < i; k++)
        if (level[a->col[k]] >= own) own = level[a->col[k]] + 1;
    *entries += k - a->row_ptr[i];
    return own;
}

static int32_t level_above(const struct csr *a, int64_t i, const int32_t *level, int64_t *entries)
{
    int32_t own = 0;
    int64_t k = a->row_ptr[i + 1];
    for (; k > a->row_ptr[i] && a->col[k - 1] > i; k--)
        if (level[a->col[k - 1]] >= own) own = level[a->col[k - 1]] + 1;
    *entries += a->row_ptr[i + 1] - k;
    return own;
}

/* Set sets->widest and sets->median. Level l has rows_of[l] rows. levels_of[w], for w = 0 .. rows and 0 at
 * the start, counts the levels of w rows. */
static void measure(const int64_t *rows_of, int64_t rows, struct level_sets *sets, int32_t *levels_of)
{
    for (int64_t l = 0; l < sets->count; l++) {
        if (rows_of[l] > sets->widest) sets->widest = rows_of[l];
        levels_of[rows_of[l]]++;
    }
    int64_t within = 0;
    for (sets->median = sets->widest; sets->median > 0; sets->median--) {
        within += sets->median * levels_of[sets->median];
        if (2 * within >= rows) break;
    }
}

static enum status count_widths(const int32_t *level, int64_t rows, struct level_sets *sets,
                                struct error *error)
{
    int64_t *rows_of = memory_zeroed((size_t)sets->count, sizeof *rows_of, error);
    int32_t *levels_of = memory_zeroed((size_t)rows + 1, sizeof *levels_of, error);
    const bool all = rows_of && levels_of;
    for (int64_t i = 0; all && i < rows; i++)
        rows_of[level[i]]++;
    if (all) measure(rows_of, rows, sets, levels_of);
    free(rows_of);
    free(levels_of);
    return all ? STATUS_OK : STATUS_MEMORY;
}

enum status levels_find(const struct csr *a, enum triangle triangle, struct progress *progress,
                        int32_t *level, struct level_sets *sets, struct error *error)
{
    const int64_t rows = a->rows;
    *sets = (struct level_sets){0};
    if (rows != a->cols)
        return error_set(error, STATUS_UNAVAILABLE, "levels need a square matrix; this one is %lld x %lld",
                         (long long)a->rows, (long long)a->cols);
    progress_phase(progress, "levels of a triangular solve", rows);
    for (int64_t k = 0; k < rows; k++) {
        if (k % STRETCH == 0) {
            if (progress_cancelled(progress)) return progress_status(progress, error);
            progress_add(progress, rows - k < STRETCH ? rows - k : STRETCH);
        }
        const int64_t i = triangle == TRIANGLE_LOWER ? k : rows - 1 - k;
        level[i] = triangle == TRIANGLE_LOWER ? level_below(a, i, level, &sets->entries)
                                              : level_above(a, i, level, &sets->entries);
        if (level[i] >= sets->count) sets->count = level[i] + 1;
    }
    return rows ? count_widths(level, rows, sets, error) : STATUS_OK;
}

size_t levels_bytes(int64_t rows)
{
    return ((size_t)rows + 1) * (sizeof(int64_t) + sizeof(int32_t));
}
