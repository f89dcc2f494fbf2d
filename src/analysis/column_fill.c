#include "analysis/column_fill.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fill.h"
#include "base/memory.h"
#include "base/range.h"
#include "matrix/orders/graph.h"

/* Entries, or lines, between two checks of the progress. */
#define STRETCH ((int64_t)1 << 16)

/* The rows that begin in each column, as lists, and the graph of the edges from first columns to others. -1
 * is the end of a list. */
struct star {
    const struct csr *a;
    int32_t *first; /* the first row in the list of each column, */
    int32_t *next;  /* and the row after each row in its list */
    int32_t *seen;  /* for each column the last first column with an edge to it */
    struct graph graph;
};

/* Cancellation is polled once every STRETCH lines. */
static inline bool is_cancelled_at(int64_t line, const struct progress *progress)
{
    return line % STRETCH == 0 && progress_cancelled(progress);
}

/* Make the lists of rows, in descending order. */
static void list_rows(struct star *s, struct progress *progress)
{
    const struct csr *a = s->a;
    memset(s->first, 0xff, (size_t)a->cols * sizeof *s->first);
    for (int64_t i = 0; i < a->rows && !is_cancelled_at(i, progress); i++) {
        if (a->row_ptr[i] == a->row_ptr[i + 1]) continue;
        int32_t f = a->col[a->row_ptr[i]];
        s->next[i] = s->first[f];
        s->first[f] = (int32_t)i;
    }
}

/* Count the edge {f, j} at both ends if `neighbour` is NULL. Otherwise append it to the neighbours of both.
 * These are not sorted, as fill_predict needs no order. ptr[v + 1] is the degree of v, or the next free
 * position. */
static inline void put_edge(struct graph *graph, int32_t f, int32_t j)
{
    int64_t at_f = graph->ptr[f + 1]++, at_j = graph->ptr[j + 1]++;
    if (!graph->neighbour) return;
    graph->neighbour[at_f] = j;
    graph->neighbour[at_j] = f;
}

/* Add the edges of row i, which begins in column f, unless they were added before. */
static void put_row(struct star *s, int64_t i, int32_t f, struct progress *progress)
{
    const struct csr *a = s->a;
    int64_t end = a->row_ptr[i + 1];
    for (int64_t k = a->row_ptr[i] + 1; k < end && !progress_cancelled(progress);)
        for (int64_t stop = min(k + STRETCH, end); k < stop; k++) {
            int32_t j = a->col[k];
            if (s->seen[j] == f) continue;
            s->seen[j] = f;
            put_edge(&s->graph, f, j);
        }
}

static enum status put_edges(struct star *s, struct progress *progress, struct error *error)
{
    const struct csr *a = s->a;
    int64_t put = 0;
    memset(s->seen, 0xff, (size_t)a->cols * sizeof *s->seen);
    for (int32_t f = 0; f < a->cols && !progress_cancelled(progress); f++) {
        for (int32_t i = s->first[f]; i >= 0 && !progress_cancelled(progress); i = s->next[i]) {
            put_row(s, i, f, progress);
            put += a->row_ptr[i + 1] - a->row_ptr[i];
        }
        if (put >= STRETCH || f + 1 == a->cols) {
            progress_add(progress, put);
            put = 0;
        }
    }
    return progress_status(progress, error);
}

/* Make the graph: count the edges, turn degrees into offsets, and append the edges. */
static enum status make_graph(struct star *s, struct progress *progress, struct error *error)
{
    const struct csr *a = s->a;
    struct graph *graph = &s->graph;
    graph->count = a->cols;
    s->first = memory_array((size_t)a->cols, sizeof *s->first, error);
    s->next = memory_array((size_t)a->rows, sizeof *s->next, error);
    s->seen = memory_array((size_t)a->cols, sizeof *s->seen, error);
    graph->ptr = memory_zeroed((size_t)a->cols + 1, sizeof *graph->ptr, error);
    if (!s->first || !s->next || !s->seen || !graph->ptr) return STATUS_MEMORY;
    progress_phase(progress, "the graph of A^T A by its rows", 2 * csr_nnz(a));
    list_rows(s, progress);
    enum status status = put_edges(s, progress, error);
    if (status != STATUS_OK) return status;
    int64_t edges = 0;
    for (int64_t v = 0; v < a->cols && !is_cancelled_at(v, progress); v++) {
        int64_t degree = graph->ptr[v + 1];
        graph->ptr[v + 1] = edges;
        edges += degree;
    }
    status = progress_status(progress, error);
    if (status != STATUS_OK) return status;
    graph->neighbour = memory_array((size_t)edges, sizeof *graph->neighbour, error);
    return graph->neighbour ? put_edges(s, progress, error) : STATUS_MEMORY;
}

/* The Householder vector of column k has the rows that begin in k. It also has the rows of the vectors of the
 * children of k in the elimination tree, except their pivots (George, Liu and Ng, SIAM J. Sci. Statist.
 * Comput. 9, 1988). They are counted as in Davis, Direct Methods for Sparse Linear Systems, 2006, section
 * 5.3. */
static enum status count_vectors(const struct csr *a, const struct graph *graph, struct progress *progress,
                                 struct column_fill *fill, struct error *error)
{
    int32_t *parent = memory_array((size_t)a->cols, sizeof *parent, error);
    int64_t *rows = memory_zeroed((size_t)a->cols, sizeof *rows, error);
    enum status status = parent && rows ? fill_parents(graph, progress, parent, error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        for (int64_t i = 0; i < a->rows && !is_cancelled_at(i, progress); i++)
            if (a->row_ptr[i] < a->row_ptr[i + 1]) rows[a->col[a->row_ptr[i]]]++;
        for (int64_t k = 0; k < a->cols && !is_cancelled_at(k, progress); k++) {
            fill->householder += rows[k];
            fill->lacking += rows[k] == 0;
            if (rows[k] > 1 && parent[k] >= 0) rows[parent[k]] += rows[k] - 1;
        }
        status = progress_status(progress, error);
    }
    free(parent);
    free(rows);
    return status;
}

static enum status predict(struct star *s, struct progress *progress, struct column_fill *fill,
                           struct error *error)
{
    struct fill factor;
    enum status status = make_graph(s, progress, error);
    free(s->first);
    free(s->next);
    free(s->seen);
    if (status == STATUS_OK) status = fill_predict(&s->graph, NULL, progress, &factor, error);
    if (status != STATUS_OK) return status;
    fill->entries = factor.entries;
    fill->flops = factor.flops;
    return count_vectors(s->a, &s->graph, progress, fill, error);
}

enum status column_fill_predict(const struct csr *a, struct progress *progress, struct column_fill *fill,
                                struct error *error)
{
    struct star s = {.a = a};
    *fill = (struct column_fill){0};
    enum status status = predict(&s, progress, fill, error);
    graph_free(&s.graph);
    if (status != STATUS_OK) *fill = (struct column_fill){0};
    return status;
}

size_t column_fill_bytes(const struct csr *a)
{
    size_t lists = (2 * (size_t)a->cols + (size_t)a->rows) * sizeof(int32_t);
    size_t all = pattern_bytes(a->cols, 2 * csr_nnz(a)), factor = fill_bytes(a->cols);
    size_add(all, lists > factor ? lists : factor, &all);
    return all;
}
