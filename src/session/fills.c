#include "session/fills.h"

#include "base/memory.h"
#include "matrix/orders/order.h"

/* The pattern is that of its mirror image if the source says so. */
static bool is_symmetric(const struct matrix *matrix)
{
    return matrix->symmetry != SYMMETRY_GENERAL;
}

static enum status predict_amd(const struct matrix *matrix, const struct graph *graph, size_t limit,
                               struct progress *progress, struct fill *fill, struct error *error)
{
    struct order_choice choice = {0};
    struct permutation permutation = {0};
    struct error refusal = {0};
    enum status status = order_choice_read("amd", &choice, error);
    if (status != STATUS_OK) return status;
    status = order_compute(&choice, matrix, limit, progress, &permutation, &refusal);
    bool refused = status == STATUS_UNAVAILABLE || status == STATUS_LIMIT;
    if (status == STATUS_OK)
        status = fill_predict(graph, permutation.from, progress, fill, error);
    else if (!refused && error && error->status == STATUS_OK)
        *error = refusal;
    permutation_free(&permutation);
    order_choice_free(&choice);
    return refused ? STATUS_OK : status;
}

size_t fills_bytes(const struct matrix *matrix)
{
    size_t bytes = 0;
    if (matrix->csr.rows == matrix->csr.cols)
        size_add(graph_bytes(&matrix->csr, is_symmetric(matrix)), fill_bytes(matrix->csr.rows), &bytes);
    return bytes;
}

enum status fills_of(const struct matrix *matrix, size_t limit, struct progress *progress,
                     struct fills *fills, struct error *error)
{
    const struct csr *a = &matrix->csr;
    struct graph graph;
    *fills = (struct fills){0};
    if (a->rows != a->cols) return STATUS_OK;
    enum status status = graph_make(a, is_symmetric(matrix), progress, &graph, error);
    if (status != STATUS_OK) return status;
    fills->lower = a->rows + graph.ptr[a->rows] / 2;
    status = fill_predict(&graph, NULL, progress, &fills->own, error);
    if (status == STATUS_OK) status = predict_amd(matrix, &graph, limit, progress, &fills->amd, error);
    graph_free(&graph);
    return status;
}
