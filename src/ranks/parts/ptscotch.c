#include "config.h"
#ifdef HAVE_PTSCOTCH
#    include "ranks/scotch.h"
#endif

#include <stdlib.h>

#include "analysis/parts/input.h"
#include "analysis/parts/scotch.h"
#include "base/memory.h"
#include "base/range.h"
#include "ranks/parts/parts.h"

#ifdef HAVE_PTSCOTCH

/* Weight the vertices by their entries, divided so that the sum fits in 32 bits. PT-Scotch requires weights
 * above 0. */
static enum status weigh(const struct share *share, struct scotch_graph *graph, struct error *error)
{
    const struct csr *own = &share->own;
    const int64_t divisor = 1 + share->nnz / (INT32_MAX / 2);
    graph->weight = memory_array((size_t)own->rows, sizeof *graph->weight, error);
    for (int64_t i = 0; graph->weight && i < own->rows; i++)
        graph->weight[i] = (SCOTCH_Num)max(1, (own->row_ptr[i + 1] - own->row_ptr[i]) / divisor);
    return graph->weight ? STATUS_OK : STATUS_MEMORY;
}

/* Partition the graph. Collective. */
static bool divide(const struct ranks *ranks, const struct scotch_graph *graph, const double *number,
                   int64_t parts, SCOTCH_Num *part)
{
    static const SCOTCH_Num flags[] = SCOTCH_STRATEGIES;
    SCOTCH_Strat strategy;
    struct scotch scotch;
    bool done =
        scotch_begin(ranks, graph, (int64_t)number[SCOTCH_SEED], &scotch) && SCOTCH_stratInit(&strategy) == 0;
    if (done) {
        done = SCOTCH_stratDgraphMapBuild(&strategy, flags[(int)number[SCOTCH_STRATEGY]],
                                          (SCOTCH_Num)ranks->count, (SCOTCH_Num)parts,
                                          number[SCOTCH_IMBALANCE]) == 0 &&
               SCOTCH_dgraphPart(&scotch.bound, (SCOTCH_Num)parts, &strategy, part) == 0;
        SCOTCH_stratExit(&strategy);
    }
    scotch_end(&scotch);
    return done;
}

/* Find the parts of the graph, which has edges. Collective. */
static enum status find(const struct ranks *ranks, const struct share *share, const double *number,
                        int64_t parts, struct scotch_graph *graph, int32_t *owner, struct error *error)
{
    const int64_t used = min(parts, share->rows);
    SCOTCH_Num *part = memory_array((size_t)share->own.rows, sizeof *part, error);
    enum status status = part ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK && number[SCOTCH_WEIGHTS] == WEIGH_ENTRIES) status = weigh(share, graph, error);
    status = ranks_agree(ranks, status, error);
    if (status == STATUS_OK && !divide(ranks, graph, number, used, part))
        status = error_set(error, STATUS_UNAVAILABLE, "PT-Scotch finds no partition");
    for (int64_t i = 0; i < share->own.rows && status == STATUS_OK; i++)
        owner[i] = (int32_t)part[i];
    free(part);
    return ranks_agree(ranks, status, error);
}

enum status ptscotch_owners(const struct ranks *ranks, const struct share *share,
                            const struct partition_choice *choice, struct partition *partition,
                            int32_t *owner, struct error *error)
{
    const int64_t parts = partition->parts;
    struct scotch_graph graph;
    if (share->rows != share->cols)
        return error_set(error, STATUS_UNAVAILABLE, "it divides only square matrices");
    enum status status = scotch_graph_make(ranks, share, &graph, error);
    if (status == STATUS_OK) {
        if (parts > 1 && graph.edges > 0)
            status = find(ranks, share, choice->values.number, parts, &graph, owner, error);
        else /* nothing holds any two rows together */
            for (int64_t i = 0; i < share->own.rows; i++)
                owner[i] = (int32_t)((share->first + i) * parts / share->rows);
    }
    scotch_graph_free(&graph);
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
