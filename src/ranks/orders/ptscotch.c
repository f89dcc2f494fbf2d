#include "ranks/orders/ptscotch.h"

#include <stdlib.h>

#include "base/memory.h"
#include "config.h"
#include "matrix/orders/ptscotch.h"
#ifdef HAVE_PTSCOTCH
#    include "ranks/scotch.h"

/* Maximum imbalance of the two parts beside a separator. */
#    define BALANCE 0.1

/* Order the graph, which PT-Scotch numbers from 0. Collective. */
static bool dissect(const struct ranks *ranks, const struct scotch_graph *graph, const double *number,
                    SCOTCH_Num *place)
{
    SCOTCH_Strat strategy;
    SCOTCH_Dordering ordering;
    struct scotch scotch;
    bool done = scotch_begin(ranks, graph, (int64_t)number[DISSECTION_SEED], &scotch) &&
                SCOTCH_stratInit(&strategy) == 0;
    if (done) {
        done = SCOTCH_stratDgraphOrderBuild(&strategy, SCOTCH_STRATDEFAULT, (SCOTCH_Num)ranks->count, 0,
                                            BALANCE) == 0 &&
               SCOTCH_dgraphOrderInit(&scotch.bound, &ordering) == 0;
        if (done) {
            done = SCOTCH_dgraphOrderCompute(&scotch.bound, &ordering, &strategy) == 0 &&
                   SCOTCH_dgraphOrderPerm(&scotch.bound, &ordering, place) == 0;
            SCOTCH_dgraphOrderExit(&scotch.bound, &ordering);
        }
        SCOTCH_stratExit(&strategy);
    }
    scotch_end(&scotch);
    return done;
}

enum status ptscotch_places(const struct ranks *ranks, const struct share *share,
                            const struct parameter_values *values, int32_t *place, struct error *error)
{
    const int64_t rows = share->own.rows;
    struct scotch_graph graph;
    SCOTCH_Num *found = NULL;
    enum status status = scotch_graph_make(ranks, share, &graph, error);
    if (status == STATUS_OK) {
        found = memory_array((size_t)rows, sizeof *found, error);
        status = ranks_agree(ranks, found ? STATUS_OK : STATUS_MEMORY, error);
    }
    for (int64_t i = 0; i < rows && status == STATUS_OK; i++)
        found[i] = (SCOTCH_Num)(share->first + i); /* without edges, the rows stay where they are */
    if (status == STATUS_OK && graph.edges > 0 && !dissect(ranks, &graph, values->number, found))
        status = error_set(error, STATUS_UNAVAILABLE, "PT-Scotch finds no order of this matrix");
    for (int64_t i = 0; i < rows && status == STATUS_OK; i++)
        place[i] = (int32_t)found[i];
    free(found);
    scotch_graph_free(&graph);
    return ranks_agree(ranks, status, error);
}

#else

enum status ptscotch_places(const struct ranks *ranks, const struct share *share,
                            const struct parameter_values *values, int32_t *place, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "this build has no PT-Scotch");
}

#endif
