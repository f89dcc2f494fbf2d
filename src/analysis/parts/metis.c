/* Partitions of the graph of A + A^T by METIS. */
#include "config.h"

#include "analysis/parts/input.h"
#include "analysis/parts/partition.h"
#include "matrix/orders/metis.h"

enum { OBJECTIVE, WEIGHTS, SEED };

static const char *const objectives[] = {"volume", "cut", NULL};
static const char *const weightings[] = WEIGHT_WORDS;

#ifdef HAVE_METIS
/* METIS coarsens the graph until it is small. Each level has a weighted graph, and all levels together have
 * about two to three times the edges of the first. For the volume it also counts each vertex's neighbours in
 * each part. */
#    define EDGE_BYTES ((size_t)56)
#    define VERTEX_BYTES ((size_t)128)

static size_t bytes_metis(const struct partitioning *partitioning)
{
    return graph_input_bytes(partitioning, EDGE_BYTES, VERTEX_BYTES);
}

static enum status compute_metis(const struct partitioning *partitioning, int32_t *owner, int64_t *parts,
                                 struct error *error)
{
    const double *number = partitioning->values->number;
    struct graph_input input;
    enum status status = graph_input_make(partitioning, number[WEIGHTS] == WEIGH_ENTRIES, &input, error);
    if (status != STATUS_OK) return status;
    status = metis_partition(&input.graph, input.weights, *parts, (int64_t)number[SEED],
                             number[OBJECTIVE] == 0, owner, partitioning->progress, error);
    graph_input_free(&input);
    return status;
}
#endif

static const struct parameter parameters[] = {
    [OBJECTIVE] = {.name = "objective",
                   .help = "objective to minimise: exchanged elements, or entries between parts",
                   .type = PARAMETER_WORD,
                   .words = objectives},
    [WEIGHTS] = {.name = "weights",
                 .help = "quantity to balance: entries, or rows",
                 .type = PARAMETER_WORD,
                 .words = weightings},
    [SEED] = SEED_OF("METIS's random choices"),
    {0},
};

const struct partitioner partitioner_metis = {
    .name = "metis",
    .summary = "parts of the graph of A + A^T with little communication, for square matrices",
    .source = "Karypis and Kumar, J. Parallel Distrib. Comput. 48, 1998; the library METIS",
    .package = "libmetis-dev",
    .square = true,
    .parameters = parameters,
#ifdef HAVE_METIS
    .bytes = bytes_metis,
    .compute = compute_metis,
#else
    .absent = true,
#endif
};
