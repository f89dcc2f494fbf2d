/* Partitions of the graph of A + A^T by Scotch. */
#include "config.h"
#ifdef HAVE_SCOTCH
#    include <stdio.h>
/* scotch.h needs the types of the headers above. */
#    include <stdint.h>
#    ifdef HAVE_SCOTCH_SCOTCH_H
#        include <scotch/scotch.h>
#    else
#        include <scotch.h>
#    endif
#endif

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/parts/input.h"
#include "analysis/parts/partition.h"
#include "analysis/parts/scotch.h"
#include "base/apart.h"
#include "matrix/orders/graph.h"

static const char *const strategies[] = {"default", "quality", "speed", "balance", "recursive", NULL};
static const char *const weightings[] = WEIGHT_WORDS;

#ifdef HAVE_SCOTCH
/* Scotch coarsens the graph until it is small, as METIS does. Each level has a graph with weighted vertices
 * and edges, and all levels together have about two to three times the edges of the first. */
#    define EDGE_BYTES (8 * sizeof(SCOTCH_Num))
#    define VERTEX_BYTES (32 * sizeof(SCOTCH_Num))

static size_t bytes_scotch(const struct partitioning *partitioning)
{
    return graph_input_bytes(partitioning, EDGE_BYTES, VERTEX_BYTES);
}

/* The graph and the requested partition. */
struct request {
    const struct graph *graph;
    const int32_t *weights; /* of the vertices; NULL: all weigh the same */
    int64_t parts, seed;
    int strategy; /* an index of `strategies` */
    double imbalance;
};

/* The graph in Scotch's integers. */
struct numbers {
    SCOTCH_Num *ptr, *neighbour, *weight, *part;
};

static bool make_input(const struct request *request, struct numbers *input)
{
    const struct graph *graph = request->graph;
    size_t count = (size_t)graph->count, edges = (size_t)graph->ptr[graph->count];
    input->ptr = malloc((count + 1) * sizeof *input->ptr);
    input->neighbour = malloc(edges * sizeof *input->neighbour);
    input->weight = request->weights ? malloc(count * sizeof *input->weight) : NULL;
    input->part = malloc(count * sizeof *input->part);
    if (!input->ptr || !input->neighbour || !input->part || (request->weights && !input->weight))
        return false;
    for (size_t v = 0; request->weights && v < count; v++)
        input->weight[v] = request->weights[v];
    for (size_t v = 0; v <= count; v++)
        input->ptr[v] = (SCOTCH_Num)graph->ptr[v];
    for (size_t k = 0; k < edges; k++)
        input->neighbour[k] = graph->neighbour[k];
    return true;
}

/* Partition the graph on one thread, with random numbers from the seed alone. By default Scotch uses all
 * threads of the machine, and its result depends on their timing. */
static bool divide(const struct request *request, const struct numbers *input, SCOTCH_Graph *graph)
{
    static const SCOTCH_Num flags[] = SCOTCH_STRATEGIES;
    SCOTCH_Num count = (SCOTCH_Num)request->graph->count,
               parts = (SCOTCH_Num)(request->parts < request->graph->count ? request->parts
                                                                           : request->graph->count);
    SCOTCH_Strat strategy;
    SCOTCH_Graph bound;
    SCOTCH_Context *context = SCOTCH_contextAlloc();
    return context && SCOTCH_contextInit(context) == 0 &&
           SCOTCH_contextOptionSetNum(context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
           SCOTCH_contextThreadSpawn(context, 1, NULL) == 0 && SCOTCH_contextRandomClone(context) == 0 &&
           (SCOTCH_contextRandomSeed(context, (SCOTCH_Num)request->seed), true) &&
           (SCOTCH_contextRandomReset(context), true) &&
           SCOTCH_graphBuild(graph, 0, count, input->ptr, NULL, input->weight, NULL, input->ptr[count],
                             input->neighbour, NULL) == 0 &&
           SCOTCH_graphInit(&bound) == 0 && SCOTCH_contextBindGraph(context, graph, &bound) == 0 &&
           SCOTCH_stratInit(&strategy) == 0 &&
           SCOTCH_stratGraphMapBuild(&strategy, flags[request->strategy], parts, request->imbalance) == 0 &&
           SCOTCH_graphPart(&bound, parts, &strategy, input->part) == 0;
}

static enum verdict work(const void *argument, int32_t *owner, int64_t count)
{
    const struct request *request = argument;
    struct numbers input;
    SCOTCH_Graph graph;
    if (!make_input(request, &input)) return VERDICT_MEMORY;
    if (SCOTCH_graphInit(&graph) != 0 || !divide(request, &input, &graph)) return VERDICT_FAILED;
    for (int64_t v = 0; v < count; v++)
        owner[v] = (int32_t)input.part[v];
    return VERDICT_DONE;
}

static enum status divide_apart(const struct request *request, int32_t *owner, struct progress *progress,
                                struct error *error)
{
    int64_t count = request->graph->count, edges = request->graph->ptr[count];
    progress_phase(progress, "partitioning by Scotch", 0);
    if (sizeof(SCOTCH_Num) == 4 && edges > INT32_MAX)
        return error_set(
            error, STATUS_LIMIT,
            "the graph has %" PRId64 " edges in both directions, and this Scotch counts in 32 bits", edges);
    return apart_fill(work, request, "Scotch", owner, count, progress, error);
}

static enum status compute_scotch(const struct partitioning *partitioning, int32_t *owner, int64_t *parts,
                                  struct error *error)
{
    const double *number = partitioning->values->number;
    struct graph_input input;
    enum status status =
        graph_input_make(partitioning, number[SCOTCH_WEIGHTS] == WEIGH_ENTRIES, &input, error);
    if (status != STATUS_OK) return status;
    const struct graph *graph = &input.graph;
    const struct request request = {.graph = graph,
                                    .weights = input.weights,
                                    .parts = *parts,
                                    .seed = (int64_t)number[SCOTCH_SEED],
                                    .strategy = (int)number[SCOTCH_STRATEGY],
                                    .imbalance = number[SCOTCH_IMBALANCE]};
    if (*parts == 1 || graph->ptr[graph->count] == 0) {
        /* No two rows are connected. */
        for (int64_t v = 0; v < graph->count; v++)
            owner[v] = (int32_t)(v * *parts / graph->count);
    } else {
        status = divide_apart(&request, owner, partitioning->progress, error);
    }
    graph_input_free(&input);
    return status;
}
#endif

const struct parameter scotch_parameters[] = {
    [SCOTCH_STRATEGY] = {.name = "strategy",
                         .help = "strategy: what to optimise, or recursive bisection",
                         .type = PARAMETER_WORD,
                         .words = strategies},
    [SCOTCH_IMBALANCE] = {.name = "imbalance",
                          .help = "allowed excess of a part over its share; long rows may exceed it",
                          .type = PARAMETER_REAL,
                          .min = 0,
                          .max = 1,
                          .standard = 0.03},
    [SCOTCH_WEIGHTS] = {.name = "weights",
                        .help = "quantity to balance: entries, or rows",
                        .type = PARAMETER_WORD,
                        .words = weightings},
    [SCOTCH_SEED] = SEED_OF("Scotch's random choices"),
    {0},
};

const struct partitioner partitioner_scotch = {
    .name = "scotch",
    .summary = "parts of the graph of A + A^T with few entries between them, for square matrices",
    .source = "Pellegrini and Roman, HPCN Europe, LNCS 1067, 1996; the library Scotch",
    .package = "libscotch-dev",
    .square = true,
    .parameters = scotch_parameters,
#ifdef HAVE_SCOTCH
    .bytes = bytes_scotch,
    .compute = compute_scotch,
#else
    .absent = true,
#endif
};
