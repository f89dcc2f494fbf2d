/* Orders by METIS: nested dissection, and the parts of a partition one after the other. */
#include "config.h"
#ifdef HAVE_METIS
#    include <metis.h>
#endif

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/apart.h"
#include "base/memory.h"
#include "matrix/orders/graph.h"
#include "matrix/orders/metis.h"
#include "matrix/orders/order.h"

enum { APPLY, SEED, PARTS };

/* Rows of a part, so that its elements of x stay in a cache; and the minimum and maximum number of parts. */
#define PART_ROWS 4096
#define PARTS_MIN 2
#define PARTS_MAX 1024

static void resolve_kway(struct parameter_values *values, const struct csr *a)
{
    double parts = floor((double)a->rows / PART_ROWS);
    if (!isnan(values->number[PARTS])) return;
    values->number[PARTS] = fmin(PARTS_MAX, fmax(PARTS_MIN, parts));
}

#ifdef HAVE_METIS
/* METIS coarsens the graph until it is small. Each level has a weighted graph, and all levels together have
 * about two to three times the edges of the first. */
#    define EDGES_FACTOR 6
#    define VERTICES_FACTOR 24

static size_t bytes_metis(const struct ordering *ordering)
{
    const struct csr *a = ordering->a;
    size_t all = graph_bytes(a, ordering->symmetric), edges, vertices;
    size_multiply((size_t)csr_nnz(a) * (ordering->symmetric ? 1 : 2), EDGES_FACTOR * sizeof(idx_t), &edges);
    size_multiply((size_t)a->rows, VERTICES_FACTOR * sizeof(idx_t), &vertices);
    size_add(all, edges, &all);
    size_add(all, vertices, &all);
    return all;
}

/* The graph and the requested operation. */
struct dissection {
    const struct graph *graph;
    const int32_t *weights; /* of the vertices; NULL: all weigh the same */
    int64_t seed, parts;    /* parts: 0 for nested dissection */
    bool volume;            /* minimise the exchanged volume rather than the cut edges */
};

/* The graph in METIS's integers. */
struct input {
    idx_t count, *ptr, *neighbour, *weight, options[METIS_NOPTIONS];
};

static bool make_input(const struct dissection *dissection, struct input *input)
{
    const struct graph *graph = dissection->graph;
    int64_t edges = graph->ptr[graph->count];
    input->count = (idx_t)graph->count;
    input->ptr = malloc(((size_t)graph->count + 1) * sizeof *input->ptr);
    input->neighbour = malloc((size_t)edges * sizeof *input->neighbour);
    input->weight = dissection->weights ? malloc((size_t)graph->count * sizeof *input->weight) : NULL;
    if (!input->ptr || !input->neighbour || (dissection->weights && !input->weight)) return false;
    for (int64_t v = 0; dissection->weights && v < graph->count; v++)
        input->weight[v] = dissection->weights[v];
    for (int64_t v = 0; v <= graph->count; v++)
        input->ptr[v] = (idx_t)graph->ptr[v];
    for (int64_t k = 0; k < edges; k++)
        input->neighbour[k] = graph->neighbour[k];
    METIS_SetDefaultOptions(input->options);
    input->options[METIS_OPTION_SEED] = (idx_t)dissection->seed;
    input->options[METIS_OPTION_NUMBERING] = 0;
    if (dissection->volume) input->options[METIS_OPTION_OBJTYPE] = METIS_OBJTYPE_VOL;
    return true;
}

static enum verdict verdict_of(int code)
{
    if (code == METIS_ERROR_MEMORY) return VERDICT_MEMORY;
    return code == METIS_OK ? VERDICT_DONE : VERDICT_FAILED;
}

static enum verdict dissect(struct input *input, int32_t *from, int64_t count)
{
    idx_t *order = malloc((size_t)count * sizeof *order), *inverse = malloc((size_t)count * sizeof *inverse);
    if (!order || !inverse) return VERDICT_MEMORY;
    int code =
        METIS_NodeND(&input->count, input->ptr, input->neighbour, NULL, input->options, order, inverse);
    for (int64_t k = 0; code == METIS_OK && k < count; k++)
        from[k] = (int32_t)order[k];
    return verdict_of(code);
}

/* owner[v] becomes the part of vertex v. */
static enum verdict partition(struct input *input, int64_t wanted, int32_t *owner, int64_t count)
{
    idx_t parts = (idx_t)(wanted < count ? wanted : count), constraints = 1, cut;
    idx_t *part = malloc((size_t)count * sizeof *part);
    if (!part) return VERDICT_MEMORY;
    int code = METIS_PartGraphKway(&input->count, &constraints, input->ptr, input->neighbour, input->weight,
                                   NULL, NULL, &parts, NULL, NULL, input->options, &cut, part);
    for (int64_t v = 0; code == METIS_OK && v < count; v++)
        owner[v] = (int32_t)part[v];
    return verdict_of(code);
}

static enum verdict work(const void *argument, int32_t *from, int64_t count)
{
    const struct dissection *dissection = argument;
    struct input input;
    if (!make_input(dissection, &input)) return VERDICT_MEMORY;
    return dissection->parts ? partition(&input, dissection->parts, from, count)
                             : dissect(&input, from, count);
}

static enum status run(const struct dissection *dissection, int32_t *out, struct progress *progress,
                       struct error *error)
{
    int64_t count = dissection->graph->count, edges = dissection->graph->ptr[count];
    progress_phase(progress, dissection->parts ? "partitioning by METIS" : "nested dissection by METIS", 0);
    if (IDXTYPEWIDTH == 32 && edges > INT32_MAX)
        return error_set(
            error, STATUS_LIMIT,
            "the graph has %" PRId64 " edges in both directions, and this METIS counts in 32 bits", edges);
    return apart_fill(work, dissection, "METIS", out, count, progress, error);
}

enum status metis_partition(const struct graph *graph, const int32_t *weights, int64_t parts, int64_t seed,
                            bool volume, int32_t *owner, struct progress *progress, struct error *error)
{
    const struct dissection dissection = {
        .graph = graph, .weights = weights, .seed = seed, .parts = parts, .volume = volume};
    if (parts == 1 || graph->count == 0) {
        memset(owner, 0, (size_t)graph->count * sizeof *owner);
        return STATUS_OK;
    }
    if (graph->ptr[graph->count] == 0) { /* nothing holds any two vertices together */
        for (int64_t v = 0; v < graph->count; v++)
            owner[v] = (int32_t)(v * parts / graph->count);
        return STATUS_OK;
    }
    return run(&dissection, owner, progress, error);
}

/* The vertices of each part follow each other in their natural order. */
static enum status follow(const int32_t *owner, int64_t parts, int32_t *from, int64_t count,
                          struct error *error)
{
    int64_t *place = memory_zeroed((size_t)parts + 1, sizeof *place, error);
    if (!place) return STATUS_MEMORY;
    for (int64_t v = 0; v < count; v++)
        place[owner[v] + 1]++;
    for (int64_t p = 0; p < parts; p++)
        place[p + 1] += place[p];
    for (int64_t v = 0; v < count; v++)
        from[place[owner[v]]++] = (int32_t)v;
    free(place);
    return STATUS_OK;
}

static enum status compute(const struct ordering *ordering, int64_t parts, int32_t *from, int64_t count,
                           struct error *error)
{
    struct graph graph;
    int64_t seed = (int64_t)ordering->values->number[SEED];
    enum status status = graph_make(ordering->a, ordering->symmetric, ordering->progress, &graph, error);
    if (status != STATUS_OK) return status;
    const struct dissection dissection = {.graph = &graph, .seed = seed};
    if (graph.ptr[count] == 0) {
        for (int64_t k = 0; k < count; k++)
            from[k] = (int32_t)k;
    } else if (parts) {
        int32_t *owner = memory_array((size_t)count, sizeof *owner, error);
        status = owner ? metis_partition(&graph, NULL, parts, seed, false, owner, ordering->progress, error)
                       : STATUS_MEMORY;
        if (status == STATUS_OK) status = follow(owner, parts, from, count, error);
        free(owner);
    } else {
        status = run(&dissection, from, ordering->progress, error);
    }
    graph_free(&graph);
    return status;
}

static enum status compute_nd(const struct ordering *ordering, int32_t *from, int64_t count,
                              struct error *error)
{
    return compute(ordering, 0, from, count, error);
}

static enum status compute_kway(const struct ordering *ordering, int32_t *from, int64_t count,
                                struct error *error)
{
    return compute(ordering, (int64_t)ordering->values->number[PARTS], from, count, error);
}

#else
enum status metis_partition(const struct graph *graph, const int32_t *weights, int64_t parts, int64_t seed,
                            bool volume, int32_t *owner, struct progress *progress, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE,
                     "this build has no METIS; install libmetis-dev and build again");
}
#endif

static const struct parameter parameters_nd[] = {
    [APPLY] = ORDER_APPLY("symmetric"),
    [SEED] = SEED_OF("METIS's random choices"),
    {0},
};

static const struct parameter parameters_kway[] = {
    [APPLY] = ORDER_APPLY("symmetric"),
    [SEED] = SEED_OF("METIS's random choices"),
    [PARTS] = {.name = "parts",
               .help = "parts of about equally many rows",
               .type = PARAMETER_INTEGER,
               .min = 1,
               .max = 1000000,
               .automatic = "one for 4096 rows, 2 to 1024"},
    {0},
};

const struct order order_nd = {
    .name = "nd",
    .summary = "nested dissection: two halves, then their separator, and so on within the halves",
    .source = "Karypis and Kumar, SIAM J. Sci. Comput. 20, 1998; the library METIS",
    .package = "libmetis-dev",
    .lines = LINES_VERTICES,
    .usual = APPLY_SYMMETRIC,
    .parameters = parameters_nd,
#ifdef HAVE_METIS
    .bytes = bytes_metis,
    .compute = compute_nd,
#else
    .absent = true,
#endif
};

const struct order order_kway = {
    .name = "kway",
    .summary = "parts with few edges between them, one after the other",
    .source = "Karypis and Kumar, J. Parallel Distrib. Comput. 48, 1998; the library METIS",
    .package = "libmetis-dev",
    .lines = LINES_VERTICES,
    .usual = APPLY_SYMMETRIC,
    .parameters = parameters_kway,
    .resolve = resolve_kway,
#ifdef HAVE_METIS
    .bytes = bytes_metis,
    .compute = compute_kway,
#else
    .absent = true,
#endif
};
