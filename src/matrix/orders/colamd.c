/* Column approximate minimum degree: few new entries when A is factorised with row exchanges. The library is
 * SuiteSparse's. */
#include "config.h"
#ifdef HAVE_SUITESPARSE
#    include <colamd.h>
#endif

#include <stdlib.h>

#include "base/apart.h"
#include "base/memory.h"
#include "matrix/orders/graph.h"
#include "matrix/orders/order.h"

enum { APPLY, DENSE_ROW, DENSE_COLUMN, AGGRESSIVE };

#ifdef HAVE_SUITESPARSE
/* The pattern by columns. */
struct columns_of {
    const struct ordering *ordering;
    int64_t *ptr;
    int32_t *rows;
};

/* The elements of COLAMD's array, if it counts in 32 bits; 0 if it cannot. */
static size_t short_length(const struct csr *a)
{
    size_t length =
        csr_nnz(a) < INT32_MAX ? colamd_recommended((int)csr_nnz(a), (int)a->rows, (int)a->cols) : 0;
    return length < INT32_MAX ? length : 0;
}

static enum verdict order_short(const struct columns_of *columns_of, double *knobs, int32_t *from)
{
    const struct csr *a = columns_of->ordering->a;
    size_t length = short_length(a);
    int *indices = malloc(length * sizeof *indices), *ptr = malloc(((size_t)a->cols + 1) * sizeof *ptr);
    int stats[COLAMD_STATS];
    if (!indices || !ptr) return VERDICT_MEMORY;
    for (int64_t k = 0; k < csr_nnz(a); k++)
        indices[k] = columns_of->rows[k];
    for (int64_t j = 0; j <= a->cols; j++)
        ptr[j] = (int)columns_of->ptr[j];
    if (!colamd((int)a->rows, (int)a->cols, (int)length, indices, ptr, knobs, stats)) return VERDICT_FAILED;
    for (int64_t k = 0; k < a->cols; k++)
        from[k] = ptr[k];
    return VERDICT_DONE;
}

static enum verdict order_long(const struct columns_of *columns_of, double *knobs, int32_t *from)
{
    const struct csr *a = columns_of->ordering->a;
    size_t length = colamd_l_recommended(csr_nnz(a), a->rows, a->cols);
    SuiteSparse_long *indices = malloc(length * sizeof *indices);
    SuiteSparse_long *ptr = malloc(((size_t)a->cols + 1) * sizeof *ptr), stats[COLAMD_STATS];
    if (length == 0 || !indices || !ptr) return VERDICT_MEMORY;
    for (int64_t k = 0; k < csr_nnz(a); k++)
        indices[k] = columns_of->rows[k];
    for (int64_t j = 0; j <= a->cols; j++)
        ptr[j] = columns_of->ptr[j];
    if (!colamd_l(a->rows, a->cols, (SuiteSparse_long)length, indices, ptr, knobs, stats))
        return VERDICT_FAILED;
    for (int64_t k = 0; k < a->cols; k++)
        from[k] = (int32_t)ptr[k];
    return VERDICT_DONE;
}

static enum verdict order(const void *argument, int32_t *from, int64_t count)
{
    const struct columns_of *columns_of = argument;
    const double *number = columns_of->ordering->values->number;
    double knobs[COLAMD_KNOBS];
    colamd_set_defaults(knobs);
    knobs[COLAMD_DENSE_ROW] = number[DENSE_ROW];
    knobs[COLAMD_DENSE_COL] = number[DENSE_COLUMN];
    knobs[COLAMD_AGGRESSIVE] = number[AGGRESSIVE];
    if (count == 0) return VERDICT_DONE;
    return short_length(columns_of->ordering->a) ? order_short(columns_of, knobs, from)
                                                 : order_long(columns_of, knobs, from);
}

static enum status compute_colamd(const struct ordering *ordering, int32_t *from, int64_t count,
                                  struct error *error)
{
    struct columns_of columns_of = {.ordering = ordering};
    enum status status =
        pattern_transpose(ordering->a, ordering->progress, &columns_of.ptr, &columns_of.rows, error);
    if (status != STATUS_OK) return status;
    progress_phase(ordering->progress, "ordering by COLAMD", 0);
    status = apart_fill(order, &columns_of, "COLAMD", from, count, ordering->progress, error);
    free(columns_of.ptr);
    free(columns_of.rows);
    return status;
}

static size_t bytes_colamd(const struct ordering *ordering)
{
    const struct csr *a = ordering->a;
    size_t all = pattern_bytes(a->cols + 1, csr_nnz(a)), length = short_length(a), work;
    size_t size = length ? sizeof(int32_t) : sizeof(int64_t);
    if (!length) length = colamd_l_recommended(csr_nnz(a), a->rows, a->cols);
    size_multiply(length + (size_t)a->cols + 1, size, &work);
    size_add(all, work, &all);
    return all;
}
#endif

static const struct parameter parameters[] = {
    [APPLY] = ORDER_APPLY("columns"),
    [DENSE_ROW] = {.name = "rows",
                   .help = "rows with more entries than this times sqrt(n) are left out; negative: none",
                   .type = PARAMETER_REAL,
                   .min = -1,
                   .max = 1e6,
                   .standard = 10},
    [DENSE_COLUMN] =
        {.name = "columns",
         .help = "columns with more entries than this times sqrt(min(m, n)) come last; negative: none",
         .type = PARAMETER_REAL,
         .min = -1,
         .max = 1e6,
         .standard = 10},
    [AGGRESSIVE] = {.name = "aggressive",
                    .help = "absorb rows aggressively",
                    .type = PARAMETER_YES_NO,
                    .standard = 1},
    {0},
};

const struct order order_colamd = {
    .name = "colamd",
    .summary = "column approximate minimum degree, for little fill in LU or QR; of any shape",
    .source =
        "Davis, Gilbert, Larimore and Ng, ACM Trans. Math. Softw. 30, 2004; the library SuiteSparse COLAMD",
    .package = "libsuitesparse-dev",
    .lines = LINES_COLUMNS,
    .usual = APPLY_COLUMNS,
    .parameters = parameters,
#ifdef HAVE_SUITESPARSE
    .bytes = bytes_colamd,
    .compute = compute_colamd,
#else
    .absent = true,
#endif
};
