#include "matrix/graphs/triangular.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "matrix/graphs/components.h"
#include "matrix/graphs/matching.h"
#include "matrix/orders/graph.h"

/* Number of lines between two checks of the progress. */
#define STEP 4096

/* The lines of a pattern, which are rows or columns. Line i crosses the lines index[ptr[i]] ..
 * index[ptr[i+1]-1]. */
struct pattern {
    int64_t count;
    const int64_t *ptr;
    const int32_t *index;
};

/* Mark the lines on alternating paths from free lines: from a line to all lines that it crosses, and from
 * each of those to its matched line. Returns the number of marked lines, and in *crossed the number of
 * reached crossing lines, which are `reached`. */
static int64_t reach(const struct pattern *pattern, const int32_t *crossing_of, const int32_t *line_of,
                     bool *marked, bool *reached, int32_t *queue, struct progress *progress, int64_t *crossed)
{
    int64_t head = 0, tail = 0;
    *crossed = 0;
    for (int64_t i = 0; i < pattern->count; i++)
        if (crossing_of[i] < 0) {
            marked[i] = true;
            queue[tail++] = (int32_t)i;
        }
    while (head < tail) {
        int32_t i = queue[head++];
        if (head % STEP == 0 && progress_cancelled(progress)) break;
        for (int64_t k = pattern->ptr[i]; k < pattern->ptr[i + 1]; k++) {
            int32_t j = pattern->index[k], line = line_of[j];
            if (reached[j]) continue;
            reached[j] = true;
            ++*crossed;
            /* In a largest matching no free line is reachable. */
            if (line < 0 || marked[line]) continue;
            marked[line] = true;
            queue[tail++] = line;
        }
    }
    return tail;
}

/* The rows and columns that belong to H or V. */
struct coarse {
    bool *row, *col;
    int32_t *queue;
};

static void find_vertical(const struct csr *a, const struct matching *matching, const struct coarse *coarse,
                          struct progress *progress, struct triangular *t)
{
    const struct pattern rows = {a->rows, a->row_ptr, a->col};
    t->v_rows = reach(&rows, matching->col_of, matching->row_of, coarse->row, coarse->col, coarse->queue,
                      progress, &t->v_cols);
}

/* Columns are processed row by row, which needs A^T, but only if a column is free. */
static enum status find_horizontal(const struct csr *a, const struct matching *matching,
                                   const struct coarse *coarse, struct progress *progress,
                                   struct triangular *t, struct error *error)
{
    int64_t *ptr = NULL;
    int32_t *index = NULL;
    if (matching->size == a->cols) return STATUS_OK;
    enum status status = pattern_transpose(a, progress, &ptr, &index, error);
    if (status != STATUS_OK) return status;
    const struct pattern cols = {a->cols, ptr, index};
    t->h_cols = reach(&cols, matching->row_of, matching->col_of, coarse->col, coarse->row, coarse->queue,
                      progress, &t->h_rows);
    free(ptr);
    free(index);
    return STATUS_OK;
}

/* The blocks of S are the strongly connected components of the rows in S, of which row i leads to the row
 * that is matched with column j if (i, j) is an entry. `row` becomes the component of each row, unless it is
 * NULL. */
static enum status find_blocks(const struct csr *a, const struct matching *matching, struct coarse *coarse,
                               int32_t *row, struct progress *progress, struct triangular *t,
                               struct error *error)
{
    for (int64_t j = 0; j < a->cols; j++)
        if (coarse->col[j]) matching->row_of[j] = -1;
    for (int64_t i = 0; i < a->rows; i++)
        coarse->row[i] = !coarse->row[i];
    return strong_components(a, matching->row_of, coarse->row, progress, row, &t->blocks, &t->largest, error);
}

/* Temporary block numbers of lines, until all are known. */
enum { IN_S = -1, IN_V = -2, IN_H = -3 };

static enum status allocate(struct triangular_lines *lines, const struct csr *a, struct error *error)
{
    lines->row = memory_array((size_t)a->rows, sizeof *lines->row, error);
    lines->col = memory_array((size_t)a->cols, sizeof *lines->col, error);
    return lines->row && lines->col ? STATUS_OK : STATUS_MEMORY;
}

/* Return which lines are in V, those marked before the search for H; and then which are in H. */
static void tell(struct triangular_lines *lines, const struct csr *a, const struct coarse *coarse,
                 bool horizontal)
{
    for (int64_t i = 0; i < a->rows; i++)
        if (!horizontal || (coarse->row[i] && lines->row[i] != IN_V))
            lines->row[i] = horizontal ? IN_H : coarse->row[i] ? IN_V : IN_S;
    for (int64_t j = 0; j < a->cols; j++)
        if (!horizontal || (coarse->col[j] && lines->col[j] != IN_V))
            lines->col[j] = horizontal ? IN_H : coarse->col[j] ? IN_V : IN_S;
}

/* Number the blocks. `component` has those of the rows in S; it may be NULL if the matrix has no rows. */
static void number(struct triangular_lines *lines, const struct csr *a, const struct triangular *t,
                   const int32_t *component)
{
    lines->under = t->h_rows + t->h_cols > 0;
    lines->over = t->v_rows + t->v_cols > 0;
    lines->blocks = t->blocks + lines->under + lines->over;
    int32_t last = (int32_t)lines->blocks - 1;
    for (int64_t j = 0; j < a->cols; j++)
        if (lines->col[j] != IN_S) lines->col[j] = lines->col[j] == IN_H ? 0 : last;
    for (int64_t i = 0; i < a->rows; i++) {
        bool square = lines->row[i] == IN_S;
        lines->row[i] = square ? component[i] + lines->under : lines->row[i] == IN_H ? 0 : last;
        if (square) lines->col[lines->col_of[i]] = lines->row[i];
    }
}

void triangular_lines_free(struct triangular_lines *lines)
{
    free(lines->row);
    free(lines->col);
    free(lines->col_of);
    *lines = (struct triangular_lines){0};
}

size_t triangular_bytes(const struct csr *a)
{
    size_t lines = (size_t)(a->rows + a->cols), matching = matching_bytes(a), all;
    size_t transposed = pattern_bytes(a->cols, csr_nnz(a)), strong = strong_components_bytes(a->rows);
    size_add(matching, transposed > strong ? transposed : strong, &all);
    size_add(all, lines + (size_t)max(a->rows, a->cols) * sizeof(int32_t), &all);
    return all;
}

enum status triangular_find(const struct csr *a, struct progress *progress, struct triangular *triangular,
                            struct triangular_lines *lines, struct error *error)
{
    struct matching matching;
    struct coarse coarse = {0};
    int32_t *component = NULL;
    *triangular = (struct triangular){0};
    if (lines) *lines = (struct triangular_lines){0};
    enum status status = matching_find(a, progress, &matching, error);
    if (status != STATUS_OK) return status;
    triangular->rank = matching.size;
    coarse.row = memory_zeroed((size_t)a->rows, sizeof *coarse.row, error);
    coarse.col = memory_zeroed((size_t)a->cols, sizeof *coarse.col, error);
    coarse.queue = memory_array((size_t)max(a->rows, a->cols), sizeof *coarse.queue, error);
    progress_phase(progress, "block triangular form", 0);
    if (!coarse.row || !coarse.col || !coarse.queue) status = STATUS_MEMORY;
    if (status == STATUS_OK && lines) {
        component = memory_array((size_t)a->rows, sizeof *component, error);
        status = component ? allocate(lines, a, error) : STATUS_MEMORY;
    }
    if (status == STATUS_OK) find_vertical(a, &matching, &coarse, progress, triangular);
    if (status == STATUS_OK && lines) tell(lines, a, &coarse, false);
    if (status == STATUS_OK) status = find_horizontal(a, &matching, &coarse, progress, triangular, error);
    if (status == STATUS_OK && lines) tell(lines, a, &coarse, true);
    if (status == STATUS_OK) status = progress_status(progress, error);
    triangular->square = a->rows - triangular->h_rows - triangular->v_rows;
    if (status == STATUS_OK)
        status = find_blocks(a, &matching, &coarse, component, progress, triangular, error);
    if (lines) {
        lines->col_of = matching.col_of;
        matching.col_of = NULL;
    }
    if (status == STATUS_OK && lines) number(lines, a, triangular, component);
    if (status != STATUS_OK && lines) triangular_lines_free(lines);
    matching_free(&matching);
    free(component);
    free(coarse.row);
    free(coarse.col);
    free(coarse.queue);
    return status;
}
