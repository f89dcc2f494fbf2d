#include "config.h"
#ifdef HAVE_PTSCOTCH
#    include "ranks/scotch.h"

#    include <inttypes.h>
#    include <stdlib.h>

#    include "base/memory.h"

/* An edge to send to the owner of its vertex. */
struct edge {
    int32_t vertex, neighbour; /* of the whole */
};

void scotch_graph_free(struct scotch_graph *graph)
{
    free(graph->ptr);
    free(graph->neighbour);
    free(graph->weight);
    *graph = (struct scotch_graph){0};
}

/* Send the mirror image of each entry to the rank that owns its row. The caller frees *edges. Collective. */
static enum status exchange_mirrored(const struct ranks *ranks, const struct share *share,
                                     struct edge **edges, int64_t *count, struct error *error)
{
    const struct csr *own = &share->own;
    const size_t all = (size_t)ranks->count;
    int64_t *out = memory_zeroed(all, sizeof *out, error), *in = memory_zeroed(all, sizeof *in, error),
            *next = memory_zeroed(all + 1, sizeof *next, error);
    struct edge *going = memory_array((size_t)csr_nnz(own), sizeof *going, error);
    enum status status = ranks_agree(ranks, out && in && next && going ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) {
        for (int64_t k = 0; k < csr_nnz(own); k++)
            out[share_owner(share, ranks, own->col[k])]++;
        for (int r = 0; r < ranks->count; r++)
            next[r + 1] = next[r] + out[r];
        for (int64_t i = 0; i < own->rows; i++)
            for (int64_t k = own->row_ptr[i]; k < own->row_ptr[i + 1]; k++)
                going[next[share_owner(share, ranks, own->col[k])]++] =
                    (struct edge){own->col[k], (int32_t)(share->first + i)};
        ranks_counts(ranks, out, in);
        *count = 0;
        for (int r = 0; r < ranks->count; r++)
            *count += in[r];
        *edges = memory_array((size_t)*count, sizeof **edges, error);
        status = ranks_agree(ranks, *edges ? STATUS_OK : STATUS_MEMORY, error);
    }
    if (status == STATUS_OK) ranks_exchange(ranks, going, out, *edges, in, sizeof *going);
    free(going);
    free(next);
    free(in);
    free(out);
    return status;
}

static int compare(const void *a, const void *b)
{
    const SCOTCH_Num left = *(const SCOTCH_Num *)a, right = *(const SCOTCH_Num *)b;
    return (left > right) - (left < right);
}

/* Sort the neighbours of each vertex, and remove duplicates. */
static void tidy(struct scotch_graph *graph)
{
    SCOTCH_Num begin = 0, end = 0;
    for (int64_t v = 0; v < graph->vertices; v++) {
        const SCOTCH_Num last = graph->ptr[v + 1];
        SCOTCH_Num first = end;
        qsort(graph->neighbour + begin, (size_t)(last - begin), sizeof *graph->neighbour, compare);
        for (SCOTCH_Num k = begin; k < last; k++)
            if (end == first || graph->neighbour[end - 1] != graph->neighbour[k])
                graph->neighbour[end++] = graph->neighbour[k];
        begin = last;
        graph->ptr[v] = first;
        if (v + 1 == graph->vertices) graph->ptr[graph->vertices] = end;
    }
}

/* Join the edges of own and of mirrored entries, without loops. */
static enum status join_edges(const struct share *share, const struct edge *edges, int64_t count,
                              struct scotch_graph *graph, struct error *error)
{
    const struct csr *own = &share->own;
    const int64_t most = csr_nnz(own) + count;
    if (sizeof(SCOTCH_Num) == 4 && most > INT32_MAX)
        return error_set(error, STATUS_LIMIT,
                         "the graph has %" PRId64
                         " edges on a rank, and this PT-Scotch counts in 32 bits; more ranks have fewer each",
                         most);
    graph->vertices = own->rows;
    graph->ptr = memory_zeroed((size_t)own->rows + 2, sizeof *graph->ptr, error);
    graph->neighbour = memory_array((size_t)most, sizeof *graph->neighbour, error);
    if (!graph->ptr || !graph->neighbour) return STATUS_MEMORY;
    SCOTCH_Num *next =
        graph->ptr + 1; /* next[v + 1] is the next free slot of vertex v; finally it equals ptr */
    for (int64_t i = 0; i < own->rows; i++)
        for (int64_t k = own->row_ptr[i]; k < own->row_ptr[i + 1]; k++)
            next[i + 1] += own->col[k] != share->first + i;
    for (int64_t k = 0; k < count; k++)
        next[edges[k].vertex - share->first + 1] += edges[k].vertex != edges[k].neighbour;
    for (int64_t i = 0; i < own->rows; i++)
        next[i + 1] += next[i];
    for (int64_t i = 0; i < own->rows; i++)
        for (int64_t k = own->row_ptr[i]; k < own->row_ptr[i + 1]; k++)
            if (own->col[k] != share->first + i) graph->neighbour[next[i]++] = own->col[k];
    for (int64_t k = 0; k < count; k++)
        if (edges[k].vertex != edges[k].neighbour)
            graph->neighbour[next[edges[k].vertex - share->first]++] = edges[k].neighbour;
    tidy(graph);
    return STATUS_OK;
}

enum status scotch_graph_make(const struct ranks *ranks, const struct share *share,
                              struct scotch_graph *graph, struct error *error)
{
    struct edge *edges = NULL;
    int64_t count = 0;
    *graph = (struct scotch_graph){0};
    enum status status = STATUS_OK;
    if (share->matrix.symmetry == SYMMETRY_GENERAL)
        status = exchange_mirrored(ranks, share, &edges, &count, error);
    if (status == STATUS_OK)
        status = ranks_agree(ranks, join_edges(share, edges, count, graph, error), error);
    free(edges);
    if (status != STATUS_OK) return status;
    graph->edges = graph->ptr[graph->vertices];
    ranks_sum(ranks, &graph->edges, 1);
    return STATUS_OK;
}

/* The steps of scotch_begin. Each returns whether it succeeded. */
static bool open_context(struct scotch *scotch)
{
    scotch->context = SCOTCH_contextAlloc();
    return scotch->context && SCOTCH_contextInit(scotch->context) == 0;
}

static bool set_up(struct scotch *scotch, int64_t seed)
{
    SCOTCH_Context *context = scotch->context;
    if (SCOTCH_contextOptionSetNum(context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) != 0 ||
        SCOTCH_contextThreadSpawn(context, 1, NULL) != 0 || SCOTCH_contextRandomClone(context) != 0)
        return false;
    SCOTCH_contextRandomSeed(context, (SCOTCH_Num)seed);
    SCOTCH_contextRandomReset(context);
    return true;
}

bool scotch_begin(const struct ranks *ranks, const struct scotch_graph *graph, int64_t seed,
                  struct scotch *scotch)
{
    const SCOTCH_Num vertices = (SCOTCH_Num)graph->vertices, edges = graph->ptr[vertices];
    *scotch = (struct scotch){0};
    if (!open_context(scotch)) return false;
    scotch->begun = 1;
    if (!set_up(scotch, seed) || SCOTCH_dgraphInit(&scotch->graph, ranks->all) != 0) return false;
    scotch->begun = 2;
    if (SCOTCH_dgraphBuild(&scotch->graph, 0, vertices, vertices, graph->ptr, NULL, graph->weight, NULL,
                           edges, edges, graph->neighbour, NULL, NULL) != 0 ||
        SCOTCH_dgraphInit(&scotch->bound, ranks->all) != 0)
        return false;
    scotch->begun = 3;
    return SCOTCH_contextBindDgraph(scotch->context, &scotch->graph, &scotch->bound) == 0;
}

void scotch_end(struct scotch *scotch)
{
    if (scotch->begun > 2) SCOTCH_dgraphExit(&scotch->bound);
    if (scotch->begun > 1) SCOTCH_dgraphExit(&scotch->graph);
    if (scotch->begun > 0) SCOTCH_contextExit(scotch->context);
    if (scotch->context) SCOTCH_memFree(scotch->context);
    *scotch = (struct scotch){0};
}

#endif
