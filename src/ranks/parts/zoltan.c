/* Partitions of hypergraphs by Zoltan's PHG.
 *
 * Rows (hypergraph): vertices are rows, and nets are columns; net j has the rows with an entry in column j,
 * and in a square matrix row j, which owns x(j). Entries (finegrain): vertices are entries, and nets are rows
 * and columns; in a square matrix there is also a vertex without weight for each (i, i) without an entry, and
 * the part of vertex (i, i) owns x(i) and y(i). Zoltan minimises the sum of connectivity - 1 over the nets,
 * which is the volume. */
#include "config.h"
#ifdef HAVE_ZOLTAN
#    include <mpi.h>
#    ifdef HAVE_TRILINOS_ZOLTAN_H
#        include <trilinos/zoltan.h>
#        include <trilinos/zoltan_eval.h>
#    else
#        include <zoltan.h>
#        include <zoltan_eval.h>
#    endif
#endif

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/parts/input.h"
#include "analysis/parts/zoltan.h"
#include "base/memory.h"
#include "base/range.h"
#include "ranks/parts/parts.h"

#ifdef HAVE_ZOLTAN

/* This rank's vertices, and the nets of each. */
struct hypergraph {
    int64_t first; /* vertex v has the number first + v among all */
    int vertices;  /* of this rank */
    int *ptr;      /* vertex v is in the nets net[ptr[v]] .. net[ptr[v + 1] - 1] */
    uint32_t *net; /* numbers among all */
    float *weight; /* of each vertex */
    int *part;     /* the result */
};

static void hypergraph_free(struct hypergraph *graph)
{
    free(graph->ptr);
    free(graph->net);
    free(graph->weight);
    free(graph->part);
}

static enum status hypergraph_room(int64_t vertices, int64_t pins, struct hypergraph *graph,
                                   struct error *error)
{
    if (vertices > INT_MAX - 1 || pins > INT_MAX)
        return error_set(error, STATUS_LIMIT,
                         "the hypergraph has %" PRId64
                         " pins on a rank, and Zoltan counts in 32 bits; more ranks have fewer each",
                         pins);
    graph->vertices = (int)vertices;
    graph->ptr = memory_array((size_t)vertices + 1, sizeof *graph->ptr, error);
    graph->net = memory_array((size_t)pins, sizeof *graph->net, error);
    graph->weight = memory_array((size_t)vertices, sizeof *graph->weight, error);
    graph->part = memory_zeroed((size_t)vertices, sizeof *graph->part, error);
    return graph->ptr && graph->net && graph->weight && graph->part ? STATUS_OK : STATUS_MEMORY;
}

/* True if row i of the share has an entry on the diagonal. */
static bool has_diagonal(const struct share *share, int64_t i)
{
    return csr_find(&share->own, i, share->first + i) >= 0;
}

/* Count the rows of the share without an entry on the diagonal. */
static int64_t count_empty_diagonal(const struct share *share)
{
    int64_t count = 0;
    for (int64_t i = 0; i < share->own.rows; i++)
        count += !has_diagonal(share, i);
    return count;
}

static enum status make_rows(const struct share *share, bool by_entries, struct hypergraph *graph,
                             struct error *error)
{
    const struct csr *own = &share->own;
    const bool square = share->rows == share->cols;
    enum status status = hypergraph_room(own->rows, csr_nnz(own) + own->rows, graph, error);
    if (status != STATUS_OK) return status;
    int pins = 0;
    graph->first = share->first;
    for (int64_t i = 0; i < own->rows; i++) {
        graph->ptr[i] = pins;
        graph->weight[i] = by_entries ? (float)(own->row_ptr[i + 1] - own->row_ptr[i]) : 1;
        for (int64_t k = own->row_ptr[i]; k < own->row_ptr[i + 1]; k++)
            graph->net[pins++] = (uint32_t)own->col[k];
        if (square && !has_diagonal(share, i)) graph->net[pins++] = (uint32_t)(share->first + i);
    }
    graph->ptr[own->rows] = pins;
    return STATUS_OK;
}

/* The vertices of a rank are its entries, then the empty positions of the diagonal in its rows. Net i is row
 * i, and net rows + j column j. */
static enum status make_entries(const struct ranks *ranks, const struct share *share,
                                struct hypergraph *graph, struct error *error)
{
    const struct csr *own = &share->own;
    const bool square = share->rows == share->cols;
    const int64_t vertices = csr_nnz(own) + (square ? count_empty_diagonal(share) : 0);
    graph->first = ranks_before(ranks, vertices);
    enum status status = hypergraph_room(vertices, 2 * vertices, graph, error);
    if (status != STATUS_OK) return status;
    int v = 0;
    for (int64_t i = 0; i < own->rows; i++)
        for (int64_t k = own->row_ptr[i]; k < own->row_ptr[i + 1]; k++, v++) {
            graph->weight[v] = 1;
            graph->net[2 * v] = (uint32_t)(share->first + i);
            graph->net[2 * v + 1] = (uint32_t)(share->rows + own->col[k]);
        }
    for (int64_t i = 0; square && i < own->rows; i++) {
        if (has_diagonal(share, i)) continue;
        graph->weight[v] = 0;
        graph->net[2 * v] = (uint32_t)(share->first + i);
        graph->net[2 * v + 1] = (uint32_t)(share->rows + share->first + i);
        v++;
    }
    for (v = 0; v <= graph->vertices; v++)
        graph->ptr[v] = 2 * v;
    return STATUS_OK;
}

/* Zoltan's questions */

static int count_vertices(void *data, int *failed)
{
    *failed = ZOLTAN_OK;
    return ((const struct hypergraph *)data)->vertices;
}

static void list_vertices(void *data, int gids, int lids, ZOLTAN_ID_PTR gid, ZOLTAN_ID_PTR lid, int weights,
                          float *weight, int *failed)
{
    const struct hypergraph *graph = data;
    *failed = ZOLTAN_OK;
    for (int v = 0; v < graph->vertices; v++) {
        gid[v] = (ZOLTAN_ID_TYPE)(graph->first + v);
        lid[v] = (ZOLTAN_ID_TYPE)v;
        weight[v] = graph->weight[v];
    }
}

static void size_pins(void *data, int *lists, int *pins, int *format, int *failed)
{
    const struct hypergraph *graph = data;
    *failed = ZOLTAN_OK;
    *lists = graph->vertices;
    *pins = graph->ptr[graph->vertices];
    *format = ZOLTAN_COMPRESSED_VERTEX;
}

static void list_pins(void *data, int gids, int lists, int pins, int format, ZOLTAN_ID_PTR vertex, int *ptr,
                      ZOLTAN_ID_PTR net, int *failed)
{
    const struct hypergraph *graph = data;
    *failed = ZOLTAN_OK;
    for (int v = 0; v < lists; v++) {
        vertex[v] = (ZOLTAN_ID_TYPE)(graph->first + v);
        ptr[v] = graph->ptr[v];
    }
    for (int k = 0; k < pins; k++)
        net[k] = graph->net[k];
}

static void list_parts(void *data, int gids, int lids, int count, ZOLTAN_ID_PTR gid, ZOLTAN_ID_PTR lid,
                       int *part, int *failed)
{
    const struct hypergraph *graph = data;
    *failed = ZOLTAN_OK;
    for (int v = 0; v < count; v++)
        part[v] = graph->part[lid[v]];
}

static bool set_options(struct Zoltan_Struct *zoltan, const double *number, int64_t parts)
{
    char count[24], tolerance[32], seed[24];
    snprintf(count, sizeof count, "%" PRId64, parts);
    snprintf(tolerance, sizeof tolerance, "%.6g", 1 + number[ZOLTAN_IMBALANCE]);
    snprintf(seed, sizeof seed, "%.0f", number[ZOLTAN_SEED]);
    const char *const options[][2] = {
        {"DEBUG_LEVEL", "0"},
        {"LB_METHOD", "HYPERGRAPH"},
        {"HYPERGRAPH_PACKAGE", "PHG"},
        {"LB_APPROACH", "PARTITION"},
        {"NUM_GID_ENTRIES", "1"},
        {"NUM_LID_ENTRIES", "1"},
        {"OBJ_WEIGHT_DIM", "1"},
        {"EDGE_WEIGHT_DIM", "0"},
        {"RETURN_LISTS", "PARTS"},
        {"NUM_GLOBAL_PARTS", count},
        {"IMBALANCE_TOL", tolerance},
        {"SEED", seed},
        /* no net is left out for its length */
        {"PHG_EDGE_SIZE_THRESHOLD", "1.0"},
        {"CHECK_HYPERGRAPH", "0"},
        {"PHG_CUT_OBJECTIVE", "CONNECTIVITY"},
    };
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (Zoltan_Set_Param(zoltan, options[k][0], options[k][1]) != ZOLTAN_OK) return false;
    return true;
}

static bool set_questions(struct Zoltan_Struct *zoltan, struct hypergraph *graph)
{
    return Zoltan_Set_Num_Obj_Fn(zoltan, count_vertices, graph) == ZOLTAN_OK &&
           Zoltan_Set_Obj_List_Fn(zoltan, list_vertices, graph) == ZOLTAN_OK &&
           Zoltan_Set_HG_Size_CS_Fn(zoltan, size_pins, graph) == ZOLTAN_OK &&
           Zoltan_Set_HG_CS_Fn(zoltan, list_pins, graph) == ZOLTAN_OK &&
           Zoltan_Set_Part_Multi_Fn(zoltan, list_parts, graph) == ZOLTAN_OK;
}

/* Find the parts. Collective. */
static bool partition(struct Zoltan_Struct *zoltan, struct hypergraph *graph)
{
    int changes, gids, lids, imports, exports, *from_rank, *from_part, *to_rank, *to_part;
    ZOLTAN_ID_PTR in_gid, in_lid, out_gid, out_lid;
    const int code =
        Zoltan_LB_Partition(zoltan, &changes, &gids, &lids, &imports, &in_gid, &in_lid, &from_rank,
                            &from_part, &exports, &out_gid, &out_lid, &to_rank, &to_part);
    const bool done = code == ZOLTAN_OK || code == ZOLTAN_WARN;
    if (!done) return false;
    for (int k = 0; k < exports; k++)
        graph->part[out_lid[k]] = to_part[k];
    Zoltan_LB_Free_Part(&in_gid, &in_lid, &from_rank, &from_part);
    Zoltan_LB_Free_Part(&out_gid, &out_lid, &to_rank, &to_part);
    return true;
}

/* Find the parts of all vertices, and unless `cut` is NULL the sum of connectivity - 1 as Zoltan evaluates
 * it. Collective. */
static enum status find(const struct ranks *ranks, struct hypergraph *graph, const double *number,
                        int64_t parts, double *cut, struct error *error)
{
    float version;
    ZOLTAN_HG_EVAL eval;
    bool done = Zoltan_Initialize(0, NULL, &version) == ZOLTAN_OK;
    struct Zoltan_Struct *zoltan = done ? Zoltan_Create(ranks->all) : NULL;
    done = zoltan && set_options(zoltan, number, parts) && set_questions(zoltan, graph);
    enum status status = ranks_agree(ranks, done ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) {
        done = partition(zoltan, graph);
        if (!done) status = error_set(error, STATUS_UNAVAILABLE, "Zoltan finds no partition");
        status = ranks_agree(ranks, status, error);
    }
    if (status == STATUS_OK && cut) {
        if (Zoltan_LB_Eval_HG(zoltan, 0, &eval) != ZOLTAN_OK)
            status = error_set(error, STATUS_UNAVAILABLE, "Zoltan does not evaluate the partition");
        else
            *cut = eval.cutl[EVAL_GLOBAL_SUM];
        status = ranks_agree(ranks, status, error);
    }
    if (zoltan) Zoltan_Destroy(&zoltan);
    return status;
}

/* Take the parts of the vertices as the owners of entries, and of a square matrix of the diagonal. */
static void take_entries(const struct share *share, const struct hypergraph *graph,
                         struct partition *partition, int32_t *owner)
{
    const int64_t entries = csr_nnz(&share->own);
    int64_t v = entries;
    for (int64_t k = 0; k < entries; k++)
        partition->entry[k] = graph->part[k];
    for (int64_t i = 0; share->rows == share->cols && i < share->own.rows; i++) {
        const int64_t k = csr_find(&share->own, i, share->first + i);
        owner[i] = graph->part[k >= 0 ? k : v];
        v += k < 0;
    }
}

/* Check the whole hypergraph, whose vertices and nets have 32-bit numbers. */
static enum status check(const struct share *share, bool entrywise, struct error *error)
{
    if (entrywise && share->nnz > FINEGRAIN_ENTRIES)
        return error_set(error, STATUS_LIMIT,
                         "the matrix has %" PRId64 " entries; they are divided one by one if there are at "
                         "most %" PRId64,
                         share->nnz, FINEGRAIN_ENTRIES);
    return STATUS_OK;
}

static enum status make(const struct ranks *ranks, const struct share *share,
                        const struct partition_choice *choice, struct partition *partition,
                        struct hypergraph *graph, struct error *error)
{
    if (!choice->partitioner->entrywise)
        return make_rows(share, choice->values.number[ZOLTAN_WEIGHTS] == WEIGH_ENTRIES, graph, error);
    const enum status status = make_entries(ranks, share, graph, error);
    partition->entry = memory_array((size_t)csr_nnz(&share->own), sizeof *partition->entry, error);
    return partition->entry ? status : STATUS_MEMORY;
}

enum status zoltan_owners_cut(const struct ranks *ranks, const struct share *share,
                              const struct partition_choice *choice, struct partition *partition,
                              int32_t *owner, double *cut, struct error *error)
{
    const bool entrywise = choice->partitioner->entrywise;
    struct hypergraph graph = {0};
    enum status status = check(share, entrywise, error);
    if (status != STATUS_OK) return status;
    status = ranks_agree(ranks, make(ranks, share, choice, partition, &graph, error), error);
    if (cut) *cut = 0;
    if (status == STATUS_OK && share->nnz > 0 && partition->parts > 1)
        status = find(ranks, &graph, choice->values.number, partition->parts, cut, error);
    if (status == STATUS_OK && entrywise) take_entries(share, &graph, partition, owner);
    for (int64_t i = 0; status == STATUS_OK && !entrywise && i < share->own.rows; i++)
        owner[i] = graph.part[i];
    hypergraph_free(&graph);
    if (status == STATUS_OK && share->rows != share->cols)
        status = ranks_holders(ranks, share, partition, owner, error);
    return status;
}

#else

enum status zoltan_owners_cut(const struct ranks *ranks, const struct share *share,
                              const struct partition_choice *choice, struct partition *partition,
                              int32_t *owner, double *cut, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "this build lacks it; install %s and build again",
                     choice->partitioner->package);
}

#endif

enum status zoltan_owners(const struct ranks *ranks, const struct share *share,
                          const struct partition_choice *choice, struct partition *partition, int32_t *owner,
                          struct error *error)
{
    return zoltan_owners_cut(ranks, share, choice, partition, owner, NULL, error);
}
