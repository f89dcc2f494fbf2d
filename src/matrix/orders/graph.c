#include "matrix/orders/graph.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"

/* Number of rows between two checks of the progress. */
#define STRETCH 1024

size_t pattern_bytes(int64_t lines, int64_t nnz)
{
    size_t ptr, index, all;
    size_multiply((size_t)lines + 1, sizeof(int64_t), &ptr);
    size_multiply((size_t)nnz, sizeof(int32_t), &index);
    size_add(ptr, index, &all);
    return all;
}

size_t graph_bytes(const struct csr *a, bool symmetric)
{
    int64_t nnz = csr_nnz(a);
    size_t all = pattern_bytes(a->rows, symmetric ? nnz : 2 * nnz);
    if (!symmetric) size_add(all, pattern_bytes(a->cols, nnz), &all);
    return all;
}

size_t graph_view_bytes(const struct csr *a, bool symmetric)
{
    return symmetric ? 0 : graph_bytes(a, false);
}

int64_t graph_degree(const struct graph *graph, int64_t v)
{
    const int64_t first = graph->ptr[v], end = graph->ptr[v + 1];
    int64_t low = first, high = end;
    if (!graph->view) return end - first;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (graph->neighbour[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return end - first - (low < end && graph->neighbour[low] == v);
}

int64_t graph_edges(const struct graph *graph)
{
    int64_t ends = graph->view ? 0 : graph->ptr[graph->count];
    for (int64_t v = 0; graph->view && v < graph->count; v++)
        ends += graph_degree(graph, v);
    return ends / 2;
}

/* Append each entry to its column; rows come in ascending order. ptr[j + 1] is the next free index of column
 * j, and finally its end. */
static void fill_columns(const struct csr *a, int64_t *ptr, int32_t *rows, struct progress *progress)
{
    for (int64_t i = 0; i < a->rows; i++) {
        if (i % STRETCH == 0) {
            if (progress_cancelled(progress)) return;
            progress_add(progress, a->rows - i < STRETCH ? a->rows - i : STRETCH);
        }
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            rows[ptr[a->col[k] + 1]++] = (int32_t)i;
    }
}

enum status pattern_transpose(const struct csr *a, struct progress *progress, int64_t **ptr, int32_t **rows,
                              struct error *error)
{
    int64_t nnz = csr_nnz(a);
    *ptr = memory_zeroed((size_t)a->cols + 2, sizeof **ptr, error);
    *rows = memory_array((size_t)nnz, sizeof **rows, error);
    enum status status = *ptr && *rows ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) {
        /* Counts are at j + 2, sums at j + 1, and after filling the offset of column j is at j. */
        for (int64_t k = 0; k < nnz; k++)
            (*ptr)[a->col[k] + 2]++;
        for (int64_t j = 0; j < a->cols; j++)
            (*ptr)[j + 2] += (*ptr)[j + 1];
        progress_phase(progress, "transposing the pattern", a->rows);
        fill_columns(a, *ptr, *rows, progress);
        status = progress_status(progress, error);
    }
    if (status != STATUS_OK) {
        free(*ptr);
        free(*rows);
        *ptr = NULL;
        *rows = NULL;
    }
    return status;
}

/* Merge the columns of row v of A and of A^T, without v itself, into `out`, unless that is NULL. Returns
 * their number. `t_ptr` is NULL if A^T has the pattern of A. */
static int64_t merge(const struct csr *a, const int64_t *t_ptr, const int32_t *t_rows, int64_t v,
                     int32_t *out)
{
    int64_t p = a->row_ptr[v], p_end = a->row_ptr[v + 1], q = t_ptr ? t_ptr[v] : 0,
            q_end = t_ptr ? t_ptr[v + 1] : 0, count = 0;
    while (p < p_end || q < q_end) {
        int32_t left = p < p_end ? a->col[p] : INT32_MAX, right = q < q_end ? t_rows[q] : INT32_MAX;
        int32_t u = left < right ? left : right;
        p += p < p_end && left == u;
        q += q < q_end && right == u;
        if (u == v) continue;
        if (out) out[count] = u;
        count++;
    }
    return count;
}

static enum status make(const struct csr *a, const int64_t *t_ptr, const int32_t *t_rows,
                        struct progress *progress, struct graph *graph, struct error *error)
{
    graph->count = a->rows;
    graph->ptr = memory_array((size_t)a->rows + 1, sizeof *graph->ptr, error);
    if (!graph->ptr) return STATUS_MEMORY;
    progress_phase(progress, "the graph of A + A^T", 2 * a->rows);
#pragma omp parallel for schedule(dynamic, STRETCH) if (csr_nnz(a) > PARALLEL_MIN)
    for (int64_t v = 0; v < a->rows; v++) {
        if (v % STRETCH == 0) progress_add(progress, a->rows - v < STRETCH ? a->rows - v : STRETCH);
        graph->ptr[v] = progress_cancelled(progress) ? 0 : merge(a, t_ptr, t_rows, v, NULL);
    }
    enum status status = progress_status(progress, error);
    if (status != STATUS_OK) return status;
    threads_offsets(graph->ptr, a->rows);
    graph->neighbour = memory_array((size_t)graph->ptr[a->rows], sizeof *graph->neighbour, error);
    if (!graph->neighbour) return STATUS_MEMORY;
#pragma omp parallel for schedule(dynamic, STRETCH) if (csr_nnz(a) > PARALLEL_MIN)
    for (int64_t v = 0; v < a->rows; v++) {
        if (v % STRETCH == 0) progress_add(progress, a->rows - v < STRETCH ? a->rows - v : STRETCH);
        if (!progress_cancelled(progress)) merge(a, t_ptr, t_rows, v, graph->neighbour + graph->ptr[v]);
    }
    return progress_status(progress, error);
}

enum status graph_make(const struct csr *a, bool symmetric, struct progress *progress, struct graph *graph,
                       struct error *error)
{
    int64_t *t_ptr = NULL;
    int32_t *t_rows = NULL;
    *graph = (struct graph){0};
    enum status status = symmetric ? STATUS_OK : pattern_transpose(a, progress, &t_ptr, &t_rows, error);
    if (status == STATUS_OK) status = make(a, t_ptr, t_rows, progress, graph, error);
    free(t_ptr);
    free(t_rows);
    if (status != STATUS_OK) graph_free(graph);
    return status;
}

enum status graph_view(const struct csr *a, bool symmetric, struct progress *progress, struct graph *graph,
                       struct error *error)
{
    if (!symmetric) return graph_make(a, false, progress, graph, error);
    *graph = (struct graph){a->rows, a->row_ptr, a->col, .view = true};
    return STATUS_OK;
}

void graph_free(struct graph *graph)
{
    if (!graph->view) {
        free(graph->ptr);
        free(graph->neighbour);
    }
    *graph = (struct graph){0};
}
