#include "matrix/graphs/touched.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/set.h"
#include "matrix/graphs/components.h"
#include "matrix/nonempty.h"

/* An entry touches two vertices, so that at most a vertex in eight is touched. */
#define VERTICES_AN_ENTRY 16

/* The set of touched vertices. before[w] of them are less than 64 w. */
struct ranks {
    uint64_t *set;
    uint32_t *before;
    int64_t shift; /* the vertex of column 0 */
};

static int64_t vertices_of(const struct csr *a)
{
    return components_vertices(a->rows, a->cols);
}

bool touched_are_few(const struct csr *a)
{
    return csr_nnz(a) < vertices_of(a) / VERTICES_AN_ENTRY;
}

size_t touched_bytes(const struct csr *a)
{
    size_t vertices = (size_t)vertices_of(a), nnz = (size_t)csr_nnz(a);
    return set_bytes((int64_t)vertices) + (vertices / 64 + 1) * sizeof(uint32_t) + nnz * sizeof(int32_t) +
           (2 * nnz + 1) * sizeof(int64_t);
}

/* Return the number of touched vertices before v. */
static int32_t rank_of(const struct ranks *ranks, int64_t v)
{
    uint64_t below = ranks->set[v >> 6] & (((uint64_t)1 << (v & 63)) - 1);
    return (int32_t)(ranks->before[v >> 6] + (uint32_t)__builtin_popcountll(below));
}

/* Find the touched vertices. Returns their number. */
static int64_t find_touched(const struct csr *a, struct ranks *ranks)
{
    uint32_t count = 0;
    for (int64_t i = nonempty_from(a->row_ptr, 0, a->rows); i < a->rows;
         i = nonempty_from(a->row_ptr, i + 1, a->rows))
        set_add_alone(ranks->set, i);
    for (int64_t k = 0; k < csr_nnz(a); k++)
        set_add_alone(ranks->set, a->col[k] + ranks->shift);
    for (int64_t w = 0; w <= vertices_of(a) / 64; w++) {
        ranks->before[w] = count;
        count += (uint32_t)__builtin_popcountll(ranks->set[w]);
    }
    return count;
}

/* The entries stay in their order, since the vertices do. */
static void make_graph(const struct csr *a, const struct ranks *ranks, struct csr *graph)
{
    for (int64_t i = nonempty_from(a->row_ptr, 0, a->rows); i < a->rows;
         i = nonempty_from(a->row_ptr, i + 1, a->rows))
        graph->row_ptr[rank_of(ranks, i) + 1] = a->row_ptr[i + 1];
    for (int64_t v = 0; v < graph->rows; v++)
        graph->row_ptr[v + 1] = max(graph->row_ptr[v + 1], graph->row_ptr[v]);
    for (int64_t k = 0; k < csr_nnz(a); k++)
        graph->col[k] = rank_of(ranks, a->col[k] + ranks->shift);
}

enum status touched_make(const struct csr *a, struct touched *touched, struct error *error)
{
    int64_t vertices = vertices_of(a);
    struct ranks ranks = {.shift = a->rows == a->cols ? 0 : a->rows};
    struct csr *graph = &touched->graph;
    *touched = (struct touched){0};
    ranks.set = set_new(vertices, error);
    ranks.before = memory_array((size_t)vertices / 64 + 1, sizeof *ranks.before, error);
    if (ranks.set && ranks.before) {
        graph->rows = graph->cols = find_touched(a, &ranks);
        touched->alone = vertices - graph->rows;
        graph->row_ptr = memory_zeroed((size_t)graph->rows + 1, sizeof *graph->row_ptr, error);
        graph->col = memory_array((size_t)csr_nnz(a), sizeof *graph->col, error);
    }
    bool made = graph->row_ptr && graph->col;
    if (made) make_graph(a, &ranks, graph);
    free(ranks.set);
    free(ranks.before);
    return made ? STATUS_OK : STATUS_MEMORY;
}

void touched_free(struct touched *touched)
{
    csr_free(&touched->graph);
}
