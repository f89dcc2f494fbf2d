#include "analysis/fill_dots.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/fill.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

/* Minimum number of rows for several threads. */
#define PARALLEL_ROWS 1024

enum status fill_tree_make(const struct csr *a, bool symmetric, struct progress *progress,
                           struct fill_tree *tree, struct error *error)
{
    *tree = (struct fill_tree){0};
    enum status status = graph_make(a, symmetric, progress, &tree->graph, error);
    if (status != STATUS_OK) return status;
    tree->parent = memory_array((size_t)a->rows, sizeof *tree->parent, error);
    status = tree->parent ? fill_parents(&tree->graph, progress, tree->parent, error) : STATUS_MEMORY;
    if (status != STATUS_OK) fill_tree_free(tree);
    return status;
}

size_t fill_tree_bytes(const struct csr *a, bool symmetric)
{
    size_t lines, all = graph_bytes(a, symmetric);
    size_multiply((size_t)a->rows, (2 + (size_t)threads_count()) * sizeof(int32_t), &lines);
    size_add(all, lines, &all);
    return all;
}

void fill_tree_free(struct fill_tree *tree)
{
    graph_free(&tree->graph);
    free(tree->parent);
    *tree = (struct fill_tree){0};
}

/* A walker counts row after row. walked[j] is the last row, counted from 1, in which it visited column j. */
struct walker {
    const struct fill_tree *tree;
    const struct size_dots *dots;
    int64_t right; /* one past the last column of the picture */
    int32_t *walked;
};

static inline void add(const struct walker *walker, int64_t j, int more, double *counts)
{
    const struct size_dots *dots = walker->dots;
    if (j >= dots->col0 && j < walker->right) counts[(j - dots->col0) / dots->dot_cols] += more;
}

/* Count all columns of the row, and subtract those in the matrix. Columns ascend on the path up, so that it
 * may end right of the picture. */
static void walk_row(const struct walker *walker, int64_t i, double *counts)
{
    const struct graph *graph = &walker->tree->graph;
    const int32_t *parent = walker->tree->parent;
    int32_t mark = (int32_t)i + 1;
    int64_t end = min(i, walker->right);
    for (int64_t k = graph->ptr[i]; k < graph->ptr[i + 1] && graph->neighbour[k] < end; k++) {
        add(walker, graph->neighbour[k], -1, counts);
        for (int32_t j = graph->neighbour[k]; j < end && walker->walked[j] != mark; j = parent[j]) {
            walker->walked[j] = mark;
            add(walker, j, 1, counts);
        }
    }
}

static void walk_dots(const struct walker *walker, int y, struct progress *progress, double *counts)
{
    const struct size_dots *dots = walker->dots;
    int64_t rows = walker->tree->graph.count;
    int64_t first = size_dots_border(dots->row0, dots->dot_rows, y, rows);
    int64_t end = size_dots_border(dots->row0, dots->dot_rows, (int64_t)y + 1, rows);
    for (int64_t i = first; i < end && !progress_cancelled(progress); i++) {
        walk_row(walker, i, counts + (size_t)y * (size_t)dots->wide);
        progress_add(progress, 1);
    }
}

enum status fill_of_dots(const struct fill_tree *tree, const struct size_dots *dots,
                         struct progress *progress, double *counts, struct error *error)
{
    int64_t rows = tree->graph.count;
    int64_t right = size_dots_border(dots->col0, dots->dot_cols, dots->wide, rows);
    int64_t top = min(dots->row0, rows);
    int64_t bottom = size_dots_border(dots->row0, dots->dot_rows, dots->high, rows);
    bool missing = false;
    memset(counts, 0, (size_t)dots->high * (size_t)dots->wide * sizeof *counts);
    progress_phase(progress, "fill of a Cholesky factor", bottom - top);
#pragma omp parallel if (bottom - top > PARALLEL_ROWS)
    {
        struct walker walker = {tree, dots, right, memory_zeroed((size_t)rows, sizeof(int32_t), NULL)};
        if (!walker.walked) {
#pragma omp atomic write
            missing = true;
        }
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (int y = 0; y < dots->high; y++)
            if (!missing) walk_dots(&walker, y, progress, counts);
        free(walker.walked);
    }
    if (missing) return error_set(error, STATUS_MEMORY, "out of memory");
    return progress_status(progress, error);
}
