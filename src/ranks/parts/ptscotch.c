#include "config.h"
#ifdef HAVE_PTSCOTCH
/* ptscotch.h needs the types of the headers above. */
#    include <stdint.h>
#    include <stdio.h>

#    include <mpi.h>
#    ifdef HAVE_SCOTCH_PTSCOTCH_H
#        include <scotch/ptscotch.h>
#    else
#        include <ptscotch.h>
#    endif
#endif

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/parts/input.h"
#include "analysis/parts/scotch.h"
#include "base/memory.h"
#include "base/range.h"
#include "ranks/parts/parts.h"

#ifdef HAVE_PTSCOTCH

/* An edge to send to the owner of its vertex. */
struct edge {
    int32_t vertex, neighbour; /* of the whole */
};

/* This rank's vertices of the graph, in PT-Scotch's integers. */
struct local {
    SCOTCH_Num *ptr, *neighbour, *weight, *part;
};

static void local_free(struct local *local)
{
    free(local->ptr);
    free(local->neighbour);
    free(local->weight);
    free(local->part);
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
static void tidy(struct local *local, int64_t vertices)
{
    SCOTCH_Num begin = 0, end = 0;
    for (int64_t v = 0; v < vertices; v++) {
        const SCOTCH_Num last = local->ptr[v + 1];
        SCOTCH_Num first = end;
        qsort(local->neighbour + begin, (size_t)(last - begin), sizeof *local->neighbour, compare);
        for (SCOTCH_Num k = begin; k < last; k++)
            if (end == first || local->neighbour[end - 1] != local->neighbour[k])
                local->neighbour[end++] = local->neighbour[k];
        begin = last;
        local->ptr[v] = first;
        if (v + 1 == vertices) local->ptr[vertices] = end;
    }
}

/* Join the edges of own and of mirrored entries, without loops. */
static enum status make_local(const struct share *share, const struct edge *edges, int64_t count,
                              struct local *local, struct error *error)
{
    const struct csr *own = &share->own;
    const int64_t most = csr_nnz(own) + count;
    if (sizeof(SCOTCH_Num) == 4 && most > INT32_MAX)
        return error_set(error, STATUS_LIMIT,
                         "the graph has %" PRId64
                         " edges on a rank, and this PT-Scotch counts in 32 bits; more ranks have fewer each",
                         most);
    local->ptr = memory_zeroed((size_t)own->rows + 2, sizeof *local->ptr, error);
    local->neighbour = memory_array((size_t)most, sizeof *local->neighbour, error);
    local->part = memory_array((size_t)own->rows, sizeof *local->part, error);
    if (!local->ptr || !local->neighbour || !local->part) return STATUS_MEMORY;
    SCOTCH_Num *next =
        local->ptr + 1; /* next[v + 1] is the next free slot of vertex v; finally it equals ptr */
    for (int64_t i = 0; i < own->rows; i++)
        for (int64_t k = own->row_ptr[i]; k < own->row_ptr[i + 1]; k++)
            next[i + 1] += own->col[k] != share->first + i;
    for (int64_t k = 0; k < count; k++)
        next[edges[k].vertex - share->first + 1] += edges[k].vertex != edges[k].neighbour;
    for (int64_t i = 0; i < own->rows; i++)
        next[i + 1] += next[i];
    for (int64_t i = 0; i < own->rows; i++)
        for (int64_t k = own->row_ptr[i]; k < own->row_ptr[i + 1]; k++)
            if (own->col[k] != share->first + i) local->neighbour[next[i]++] = own->col[k];
    for (int64_t k = 0; k < count; k++)
        if (edges[k].vertex != edges[k].neighbour)
            local->neighbour[next[edges[k].vertex - share->first]++] = edges[k].neighbour;
    tidy(local, own->rows);
    return STATUS_OK;
}

/* Weight the vertices by their entries, divided so that the sum fits in 32 bits. PT-Scotch requires weights
 * above 0. */
static enum status weigh(const struct share *share, struct local *local, struct error *error)
{
    const struct csr *own = &share->own;
    const int64_t divisor = 1 + share->nnz / (INT32_MAX / 2);
    local->weight = memory_array((size_t)own->rows, sizeof *local->weight, error);
    for (int64_t i = 0; local->weight && i < own->rows; i++)
        local->weight[i] = (SCOTCH_Num)max(1, (own->row_ptr[i + 1] - own->row_ptr[i]) / divisor);
    return local->weight ? STATUS_OK : STATUS_MEMORY;
}

/* Partition the graph, each rank on one thread, with random numbers from the seed alone. Collective. */
static bool divide(const struct ranks *ranks, const struct share *share, const double *number, int64_t parts,
                   const struct local *local)
{
    static const SCOTCH_Num flags[] = SCOTCH_STRATEGIES;
    const SCOTCH_Num vertices = (SCOTCH_Num)share->own.rows, edges = local->ptr[vertices];
    SCOTCH_Strat strategy;
    SCOTCH_Dgraph graph, bound;
    SCOTCH_Context *context = SCOTCH_contextAlloc();
    bool done =
        context && SCOTCH_contextInit(context) == 0 &&
        SCOTCH_contextOptionSetNum(context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
        SCOTCH_contextThreadSpawn(context, 1, NULL) == 0 && SCOTCH_contextRandomClone(context) == 0 &&
        (SCOTCH_contextRandomSeed(context, (SCOTCH_Num)number[SCOTCH_SEED]), true) &&
        (SCOTCH_contextRandomReset(context), true) && SCOTCH_dgraphInit(&graph, ranks->all) == 0 &&
        SCOTCH_dgraphBuild(&graph, 0, vertices, vertices, local->ptr, NULL, local->weight, NULL, edges, edges,
                           local->neighbour, NULL, NULL) == 0 &&
        SCOTCH_dgraphInit(&bound, ranks->all) == 0 &&
        SCOTCH_contextBindDgraph(context, &graph, &bound) == 0 && SCOTCH_stratInit(&strategy) == 0 &&
        SCOTCH_stratDgraphMapBuild(&strategy, flags[(int)number[SCOTCH_STRATEGY]], (SCOTCH_Num)ranks->count,
                                   (SCOTCH_Num)parts, number[SCOTCH_IMBALANCE]) == 0 &&
        SCOTCH_dgraphPart(&bound, (SCOTCH_Num)parts, &strategy, local->part) == 0;
    if (done) {
        SCOTCH_stratExit(&strategy);
        SCOTCH_dgraphExit(&bound);
        SCOTCH_dgraphExit(&graph);
        SCOTCH_contextExit(context);
        SCOTCH_memFree(context);
    }
    return done;
}

/* Find the parts of the graph, which has edges. Collective. */
static enum status find(const struct ranks *ranks, const struct share *share, const double *number,
                        int64_t parts, struct local *local, int32_t *owner, struct error *error)
{
    const int64_t used = min(parts, share->rows);
    enum status status = STATUS_OK;
    if (number[SCOTCH_WEIGHTS] == WEIGH_ENTRIES) status = weigh(share, local, error);
    status = ranks_agree(ranks, status, error);
    if (status != STATUS_OK) return status;
    if (!divide(ranks, share, number, used, local))
        status = error_set(error, STATUS_UNAVAILABLE, "PT-Scotch finds no partition");
    for (int64_t i = 0; i < share->own.rows && status == STATUS_OK; i++)
        owner[i] = (int32_t)local->part[i];
    return ranks_agree(ranks, status, error);
}

enum status ptscotch_owners(const struct ranks *ranks, const struct share *share,
                            const struct partition_choice *choice, struct partition *partition,
                            int32_t *owner, struct error *error)
{
    const int64_t parts = partition->parts;
    struct local local = {0};
    struct edge *edges = NULL;
    int64_t count = 0;
    if (share->rows != share->cols)
        return error_set(error, STATUS_UNAVAILABLE, "it divides only square matrices");
    enum status status = STATUS_OK;
    if (share->matrix.symmetry == SYMMETRY_GENERAL)
        status = exchange_mirrored(ranks, share, &edges, &count, error);
    if (status == STATUS_OK)
        status = ranks_agree(ranks, make_local(share, edges, count, &local, error), error);
    free(edges);
    if (status == STATUS_OK) {
        int64_t all = local.ptr[share->own.rows];
        ranks_sum(ranks, &all, 1);
        if (parts > 1 && all > 0)
            status = find(ranks, share, choice->values.number, parts, &local, owner, error);
        else /* nothing holds any two rows together */
            for (int64_t i = 0; i < share->own.rows; i++)
                owner[i] = (int32_t)((share->first + i) * parts / share->rows);
    }
    local_free(&local);
    return status;
}

#else

enum status ptscotch_owners(const struct ranks *ranks, const struct share *share,
                            const struct partition_choice *choice, struct partition *partition,
                            int32_t *owner, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "this build lacks it; install %s and build again",
                     choice->partitioner->package);
}

#endif
