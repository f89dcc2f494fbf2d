/* Approximate minimum degree: few new entries when A + A^T is factorised. The library is SuiteSparse's. */
#include "config.h"
#ifdef HAVE_SUITESPARSE
#    include <amd.h>
#endif

#include <stdlib.h>

#include "base/apart.h"
#include "base/memory.h"
#include "matrix/orders/order.h"

enum { APPLY, DENSE, AGGRESSIVE };

#ifdef HAVE_SUITESPARSE
/* Elements that AMD and its input take: the pattern of A + A^T with room to work, some arrays of the size of
 * the matrix, and a copy of the columns. */
static size_t elements(const struct csr *a)
{
    size_t entries, lines, all;
    size_multiply((size_t)csr_nnz(a), 4, &entries); /* 2.4 of A + A^T, 1 of A, and slack */
    size_multiply((size_t)a->rows + 1, 12, &lines);
    size_add(entries, lines, &all);
    return all;
}

/* AMD's 32-bit version is used if all its indices fit. */
static bool is_short(const struct csr *a)
{
    return elements(a) < INT32_MAX;
}

static enum verdict verdict_of(long code)
{
    if (code == AMD_OUT_OF_MEMORY) return VERDICT_MEMORY;
    return code == AMD_OK || code == AMD_OK_BUT_JUMBLED ? VERDICT_DONE : VERDICT_FAILED;
}

static enum verdict order_short(const struct csr *a, double *control, int32_t *from)
{
    int *ptr = malloc(((size_t)a->rows + 1) * sizeof *ptr);
    if (!ptr) return VERDICT_MEMORY;
    for (int64_t i = 0; i <= a->rows; i++)
        ptr[i] = (int)a->row_ptr[i];
    return verdict_of(amd_order((int)a->rows, ptr, a->col, from, control, NULL));
}

static enum verdict order_long(const struct csr *a, double *control, int32_t *from)
{
    SuiteSparse_long *ptr = malloc(((size_t)a->rows + 1) * sizeof *ptr);
    SuiteSparse_long *col = malloc((size_t)csr_nnz(a) * sizeof *col);
    SuiteSparse_long *order = malloc((size_t)a->rows * sizeof *order);
    if (!ptr || !col || !order) return VERDICT_MEMORY;
    for (int64_t i = 0; i <= a->rows; i++)
        ptr[i] = a->row_ptr[i];
    for (int64_t k = 0; k < csr_nnz(a); k++)
        col[k] = a->col[k];
    enum verdict verdict = verdict_of(amd_l_order(a->rows, ptr, col, order, control, NULL));
    for (int64_t k = 0; k < a->rows; k++)
        from[k] = (int32_t)order[k];
    return verdict;
}

/* AMD takes columns; passing rows makes no difference to A + A^T. */
static enum verdict order(const void *argument, int32_t *from, int64_t count)
{
    const struct ordering *ordering = argument;
    double control[AMD_CONTROL];
    amd_defaults(control);
    control[AMD_DENSE] = ordering->values->number[DENSE];
    control[AMD_AGGRESSIVE] = ordering->values->number[AGGRESSIVE];
    if (count == 0) return VERDICT_DONE;
    return is_short(ordering->a) ? order_short(ordering->a, control, from)
                                 : order_long(ordering->a, control, from);
}

static enum status compute_amd(const struct ordering *ordering, int32_t *from, int64_t count,
                               struct error *error)
{
    progress_phase(ordering->progress, "ordering by AMD", 0);
    return apart_fill_within(ordering->seconds, order, ordering, "AMD", from, count, ordering->progress,
                             error);
}

static size_t bytes_amd(const struct ordering *ordering)
{
    size_t bytes;
    size_multiply(elements(ordering->a), is_short(ordering->a) ? sizeof(int32_t) : sizeof(int64_t), &bytes);
    return bytes;
}
#endif

static const struct parameter parameters[] = {
    [APPLY] = ORDER_APPLY("symmetric"),
    [DENSE] = {.name = "dense",
               .help = "rows with more entries than this times sqrt(n) come last; negative: none",
               .type = PARAMETER_REAL,
               .min = -1,
               .max = 1e6,
               .standard = 10},
    [AGGRESSIVE] = {.name = "aggressive",
                    .help = "absorb elements aggressively",
                    .type = PARAMETER_YES_NO,
                    .standard = 1},
    {0},
};

const struct order order_amd = {
    .name = "amd",
    .summary = "approximate minimum degree, for little fill in a Cholesky factorisation",
    .source = "Amestoy, Davis and Duff, SIAM J. Matrix Anal. Appl. 17, 1996; the library SuiteSparse AMD",
    .package = "libsuitesparse-dev",
    .lines = LINES_VERTICES,
    .usual = APPLY_SYMMETRIC,
    .parameters = parameters,
#ifdef HAVE_SUITESPARSE
    .bytes = bytes_amd,
    .compute = compute_amd,
#else
    .absent = true,
#endif
};
