#include "analysis/grouping.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"

/* A part, while the parts are sorted. */
struct sorted {
    int64_t size, first; /* its number of lines, and its first row in the natural order */
    int32_t part;
};

static int by_size(const void *a, const void *b)
{
    const struct sorted *left = a, *right = b;
    if (left->size != right->size) return left->size > right->size ? -1 : 1;
    return (left->first > right->first) - (left->first < right->first);
}

/* Count the lines of each part and find the first of its rows. At most one part has no row, and it comes
 * after others of its size. */
static void count_lines(const struct csr *a, struct grouping *grouping, const int32_t *natural,
                        struct sorted *sorted)
{
    const struct parts *parts = &grouping->parts;
    const int32_t *col = parts_col(parts);
    for (int64_t p = 0; p < parts->count; p++)
        sorted[p] = (struct sorted){0, a->rows, (int32_t)p};
    for (int64_t i = 0; i < a->rows; i++) {
        struct sorted *part = &sorted[parts->row[i]];
        grouping->part[parts->row[i]].rows++;
        part->size++;
        part->first = min(part->first, natural ? natural[i] : i);
    }
    for (int64_t j = 0; j < a->cols; j++) {
        grouping->part[col[j]].cols++;
        sorted[col[j]].size++;
    }
}

enum status grouping_make(const struct csr *a, enum parting parting, bool symmetric, const int32_t *natural,
                          struct progress *progress, struct grouping *grouping, struct error *error)
{
    *grouping = (struct grouping){0};
    enum status status = parts_find(a, parting, symmetric, progress, &grouping->parts, error);
    if (status != STATUS_OK) return status;
    size_t count = (size_t)grouping->parts.count;
    struct sorted *sorted = memory_array(count, sizeof *sorted, error);
    grouping->part = memory_zeroed(count, sizeof *grouping->part, error);
    grouping->ranked = memory_array(count, sizeof *grouping->ranked, error);
    status = sorted && grouping->part && grouping->ranked ? progress_status(progress, error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        count_lines(a, grouping, natural, sorted);
        qsort(sorted, count, sizeof *sorted, by_size);
        for (size_t k = 0; k < count; k++) {
            grouping->part[sorted[k].part].rank = (int32_t)k;
            grouping->ranked[k] = sorted[k].part;
        }
    }
    free(sorted);
    if (status != STATUS_OK) grouping_free(grouping);
    return status;
}

size_t grouping_bytes(const struct csr *a, enum parting parting)
{
    size_t parts = parts_bytes(a, parting), sorting;
    size_multiply((size_t)(a->rows + a->cols), sizeof(struct part) + sizeof(struct sorted) + sizeof(int32_t),
                  &sorting);
    size_add(parts, sorting, &parts);
    return parts;
}

void grouping_free(struct grouping *grouping)
{
    parts_free(&grouping->parts);
    free(grouping->part);
    free(grouping->ranked);
    *grouping = (struct grouping){0};
}

/* The parts of the dots of a picture. */
struct joined {
    const struct parts *parts;
    int32_t *of_dot;
};

/* Add a row of the matrix to a row of dots. */
static void add_row(const struct csr *a, const struct size_dots *dots, int64_t i, int64_t right, size_t dot,
                    const void *into)
{
    const struct parts *parts = ((const struct joined *)into)->parts;
    int32_t *of_dot = ((const struct joined *)into)->of_dot + dot;
    const int32_t *part_of = parts_col(parts), own = parts->row[i];
    int64_t k = dots->col0 > 0 ? csr_lower_bound(a, i, dots->col0) : a->row_ptr[i];
    for (int64_t next = 0, x = -1; k < a->row_ptr[i + 1] && a->col[k] < right; k++) {
        int64_t j = a->col[k];
        if (j >= next) {
            x = (j - dots->col0) / dots->dot_cols;
            next = size_dots_border(dots->col0, dots->dot_cols, x + 1, a->cols);
        }
        of_dot[x] = dot_joined(of_dot[x], part_of[j] == own ? own : DOT_BETWEEN);
    }
}

enum status grouping_dots(const struct csr *a, const struct parts *parts, const struct size_dots *dots,
                          struct progress *progress, int32_t *of_dot, struct error *error)
{
    const struct joined joined = {parts, of_dot};
    for (size_t k = 0; k < (size_t)dots->high * (size_t)dots->wide; k++)
        of_dot[k] = DOT_EMPTY;
    return size_dots_walk(a, dots, add_row, &joined, "parts of dots", progress, error);
}
