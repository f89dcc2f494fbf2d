#include "matrix/orders/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/orders/permute.h"

#define ORDER(name) extern const struct order order_##name;
#include "matrix/orders/orders.def"
#undef ORDER

const struct order *const orders[] = {
#define ORDER(name) &order_##name,
#include "matrix/orders/orders.def"
#undef ORDER
    NULL,
};

const char *const order_apply_words[] = {"symmetric", "rows", "columns", "each", NULL};
const char order_apply_help[] =
    "reorders rows and columns alike, rows only, columns only, or each by themselves";

enum status order_check(const struct order *order, struct error *error)
{
    if (!order->absent) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE,
                     "this build has no %s: install %s (its name in Debian) and build sparsight again",
                     order->name, order->package);
}

enum status order_check_alone(const struct order *order, struct error *error)
{
    enum status status = order_check(order, error);
    if (status != STATUS_OK || !order->ranked) return status;
    return error_set(
        error, STATUS_UNAVAILABLE,
        "it needs ranks: mpirun -n 8 sparsight-mpi report --reorder=%s; nd is nested dissection by "
        "one process",
        order->name);
}

void orders_describe(struct text *text)
{
    for (int k = 0; orders[k]; k++) {
        struct error reason = {0};
        text_append(text, "%s  %s\n", orders[k]->name, orders[k]->summary);
        parameters_describe(orders[k]->parameters, text);
        if (orders[k]->source[0]) text_append(text, "    source: %s\n", orders[k]->source);
        if (order_check(orders[k], &reason) != STATUS_OK)
            text_append(text, "    not available: %s\n", reason.message);
    }
}

void permutation_free(struct permutation *permutation)
{
    free(permutation->from);
    free(permutation->cols);
    *permutation = (struct permutation){0};
}

static const char *apply_phrase(enum order_apply apply)
{
    static const char *const phrases[] = {"rows and columns alike", "rows", "columns",
                                          "rows and columns each"};
    return phrases[apply];
}

enum status order_check_shape(const struct order *order, enum order_apply apply, const struct csr *a,
                              struct error *error)
{
    long long rows = (long long)a->rows, cols = (long long)a->cols;
    if (apply == APPLY_EACH && !order->compute_each)
        return error_set(error, STATUS_UNAVAILABLE,
                         "%s has one order, but apply=each needs one of rows and one of columns, as blocks "
                         "and components have",
                         order->name);
    if (apply == APPLY_SYMMETRIC && order->usual == APPLY_EACH)
        return error_set(error, STATUS_UNAVAILABLE,
                         "%s orders rows and columns each by themselves; strong orders them alike, and %s "
                         "takes apply=each, rows or columns",
                         order->name, order->name);
    if (rows == cols) return STATUS_OK;
    if (order->lines == LINES_VERTICES)
        return error_set(error, STATUS_UNAVAILABLE,
                         "%s orders the graph of A + A^T, which needs a square matrix, and this one is %lld "
                         "x %lld; use length, cluster, colamd, components, blocks, random or file",
                         order->name, rows, cols);
    if (apply == APPLY_SYMMETRIC)
        return error_set(error, STATUS_UNAVAILABLE,
                         "a matrix of %lld x %lld has no symmetric order; use %s:apply=%s", rows, cols,
                         order->name,
                         order->lines == LINES_EACH      ? "each"
                         : order->lines == LINES_COLUMNS ? "columns"
                                                         : "rows");
    bool suits = order->lines == LINES_ANY || order->lines == LINES_EACH || apply == APPLY_EACH ||
                 (order->lines == LINES_ROWS) == (apply == APPLY_ROWS);
    if (suits) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%s orders %s, but a matrix of %lld x %lld has other %s",
                     order->name, apply_phrase(order->lines == LINES_ROWS ? APPLY_ROWS : APPLY_COLUMNS), rows,
                     cols, apply_phrase(apply));
}

enum order_apply order_apply_of(const struct order *order, int asked, const struct csr *a)
{
    bool square = a->rows == a->cols;
    if (asked >= 0) return (enum order_apply)asked;
    return square || order->usual != APPLY_SYMMETRIC ? order->usual
           : order->compute_each                     ? APPLY_EACH
           : order->lines == LINES_COLUMNS           ? APPLY_COLUMNS
                                                     : APPLY_ROWS;
}

/* Return the parameter `apply`. If it was not given, set it to the value for the shape of the matrix. */
static enum order_apply resolve_apply(struct order_choice *choice, const struct csr *a)
{
    double *apply = &choice->values.number[0];
    *apply = order_apply_of(choice->order, isnan(*apply) ? -1 : (int)*apply, a);
    return (enum order_apply)(int)*apply;
}

/* Return the bytes of the arrays that the matrix has: it may be a pattern without values. */
static size_t bytes_held(const struct csr *a)
{
    const size_t nnz = (size_t)csr_nnz(a);
    const size_t each = a->val ? 0 : sizeof *a->val + (a->col ? 0 : sizeof *a->col);
    return csr_bytes(a->rows, csr_nnz(a), a->imaginary != NULL) - nnz * each;
}

static enum status check_memory(const struct ordering *ordering, const struct order *order, int64_t count,
                                struct error *error)
{
    const struct csr *a = ordering->a;
    size_t bytes = order->bytes ? order->bytes(ordering) : 0, from;
    char what[64];
    if (order->compute_each) count = a->rows + a->cols;
    size_multiply((size_t)count, sizeof(int32_t), &from);
    size_add(bytes, from, &bytes);
    snprintf(what, sizeof what, "the order %s", order->name);
    return memory_check_beside(bytes, bytes_held(a), ordering->limit, what, error);
}

/* True if the order has separate permutations of rows and columns, of which only one may be wanted. */
static bool is_each(const struct order *order, const struct ordering *ordering)
{
    bool square = ordering->a->rows == ordering->a->cols;
    return ordering->apply == APPLY_EACH || (order->lines == LINES_EACH && (!order->compute || !square));
}

static enum status compute_each(const struct order *order, const struct ordering *ordering,
                                struct permutation *permutation, struct error *error)
{
    const struct csr *a = ordering->a;
    int32_t *rows = memory_array((size_t)a->rows, sizeof *rows, error);
    int32_t *cols = memory_array((size_t)a->cols, sizeof *cols, error);
    enum status status = rows && cols ? order->compute_each(ordering, rows, cols, error) : STATUS_MEMORY;
    enum order_apply apply = ordering->apply;
    permutation->from = apply == APPLY_COLUMNS ? cols : rows;
    permutation->cols = apply == APPLY_EACH ? cols : NULL;
    permutation->col_count = apply == APPLY_EACH ? a->cols : 0;
    if (apply == APPLY_COLUMNS) free(rows);
    if (apply == APPLY_ROWS) free(cols);
    return status;
}

static enum status compute_one(const struct order *order, const struct ordering *ordering,
                               struct permutation *permutation, struct error *error)
{
    permutation->from = memory_array((size_t)permutation->count, sizeof *permutation->from, error);
    if (!permutation->from) return STATUS_MEMORY;
    return order->compute(ordering, permutation->from, permutation->count, error);
}

enum status order_compute(struct order_choice *choice, const struct matrix *matrix, size_t limit,
                          struct progress *progress, struct permutation *permutation, struct error *error)
{
    const struct order *order = choice->order;
    const struct csr *a = &matrix->csr;
    *permutation = (struct permutation){0};
    enum status status = order_check_alone(order, error);
    if (status != STATUS_OK) return status;
    enum order_apply apply = resolve_apply(choice, a);
    if (order->resolve) order->resolve(&choice->values, a);
    const struct ordering ordering = {.values = &choice->values,
                                      .a = a,
                                      .symmetric = matrix->symmetry != SYMMETRY_GENERAL,
                                      .apply = apply,
                                      .limit = limit,
                                      .seconds = choice->seconds,
                                      .progress = progress};
    permutation->apply = apply;
    permutation->count = apply == APPLY_COLUMNS ? a->cols : a->rows;
    status = order_check_shape(order, apply, a, error);
    if (status == STATUS_OK) status = check_memory(&ordering, order, permutation->count, error);
    if (status == STATUS_OK)
        status =
            (is_each(order, &ordering) ? compute_each : compute_one)(order, &ordering, permutation, error);
    if (status == STATUS_OK) status = permutation_check(permutation, error);
    if (status != STATUS_OK) permutation_free(permutation);
    return status;
}
