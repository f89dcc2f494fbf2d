/* Facts on a matrix for forecasts of the host's kernels. */
#include <stdlib.h>

#include "analysis/forecast/cpu_parts.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/set.h"
#include "matrix/skeleton.h"

/* JDS sums this number of rows at a time; fewer rows take as long. */
#define JDS_AT_A_TIME 8

/* Count rows first .. end-1. */
static void count_rows(const int64_t *row_ptr, int64_t first, int64_t end, struct cpu_share *share)
{
    int64_t before = -1;
    *share = (struct cpu_share){.rows = end - first, .entries = row_ptr[end] - row_ptr[first]};
    for (int64_t i = first; i < end; i++) {
        int64_t length = row_ptr[i + 1] - row_ptr[i];
        share->length[reuse_bin(length)]++;
        share->uneven += before >= 0 && length != before;
        share->apart += before >= 0 ? llabs(length - before) : 0;
        before = length;
    }
}

/* Return the first row i with i + row_ptr[i] >= target. division_new divides rows by entries in this way. */
static int64_t row_with(const struct csr *a, double target)
{
    int64_t low = 0, high = a->rows;
    while (low < high) {
        int64_t at = low + (high - low) / 2;
        if ((double)a->row_ptr[at] + (double)at < target)
            low = at + 1;
        else
            high = at;
    }
    return low;
}

enum status cpu_need_shares(struct cpu_matrix *matrix, int threads, struct error *error)
{
    const struct csr *a = matrix->a;
    if (matrix->share && matrix->threads == threads) return STATUS_OK;
    free(matrix->share);
    matrix->share = memory_array((size_t)threads, sizeof *matrix->share, error);
    if (!matrix->share) return STATUS_MEMORY;
    matrix->threads = threads;
    const double all = (double)csr_nnz(a) + (double)a->rows;
    for (int t = 0; t < threads; t++)
        count_rows(a->row_ptr, row_with(a, all * t / threads),
                   t + 1 == threads ? a->rows : row_with(a, all * (t + 1) / threads), &matrix->share[t]);
    return STATUS_OK;
}

/* Sort rows by length, longest first, and rows of equal length by their index. */
enum status cpu_need_order(struct cpu_matrix *matrix, struct error *error)
{
    const struct csr *a = matrix->a;
    int64_t longest = 0;
    if (matrix->order) return STATUS_OK;
    for (int64_t i = 0; i < a->rows; i++)
        longest = max(longest, a->row_ptr[i + 1] - a->row_ptr[i]);
    int64_t *begin = memory_zeroed((size_t)longest + 2, sizeof *begin, error);
    if (!begin) return STATUS_MEMORY;
    matrix->order = memory_array((size_t)a->rows + 1, sizeof *matrix->order, error);
    if (matrix->order) {
        for (int64_t i = 0; i < a->rows; i++)
            begin[longest - (a->row_ptr[i + 1] - a->row_ptr[i]) + 1]++;
        for (int64_t l = 0; l <= longest; l++)
            begin[l + 1] += begin[l];
        for (int64_t i = 0; i < a->rows; i++)
            matrix->order[begin[longest - (a->row_ptr[i + 1] - a->row_ptr[i])]++] = (int32_t)i;
        matrix->longest = longest;
        matrix->apart = 0;
        for (int64_t r = 1; r < min(JDS_AT_A_TIME, a->rows); r++)
            matrix->apart += longest - (a->row_ptr[matrix->order[r] + 1] - a->row_ptr[matrix->order[r]]);
    }
    free(begin);
    return matrix->order ? STATUS_OK : STATUS_MEMORY;
}

/* List the rows of each column, as CSC does. */
enum status cpu_need_columns(struct cpu_matrix *matrix, struct error *error)
{
    const struct csr *a = matrix->a;
    struct csr *t = &matrix->columns;
    if (t->row_ptr) return STATUS_OK;
    *t = (struct csr){.rows = a->cols, .cols = a->rows};
    t->row_ptr = memory_zeroed((size_t)a->cols + 2, sizeof *t->row_ptr, error);
    t->col = t->row_ptr ? memory_array((size_t)csr_nnz(a) + 1, sizeof *t->col, error) : NULL;
    if (!t->col) return STATUS_MEMORY;
    for (int64_t k = 0; k < csr_nnz(a); k++)
        t->row_ptr[a->col[k] + 2]++;
    for (int64_t j = 0; j < a->cols; j++)
        t->row_ptr[j + 2] += t->row_ptr[j + 1];
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            t->col[t->row_ptr[a->col[k] + 1]++] = (int32_t)i;
    matrix->column = memory_array(1, sizeof *matrix->column, error);
    if (!matrix->column) return STATUS_MEMORY;
    count_rows(t->row_ptr, 0, t->rows, matrix->column);
    return STATUS_OK;
}

enum status cpu_need_inside(struct cpu_matrix *matrix, struct error *error)
{
    const struct csr *a = matrix->a;
    const uint64_t *known = !a->col && a->skeleton ? a->skeleton->diagonals : NULL;
    if (matrix->inside > 0 || (!a->col && !known)) return STATUS_OK;
    bool *there = memory_zeroed((size_t)(a->rows + a->cols) + 1, sizeof *there, error);
    if (!there) return STATUS_MEMORY;
    for (int64_t d = 0; known && d < a->rows + a->cols; d++)
        there[d + 1] = !set_lacks(known, d);
    for (int64_t i = 0; i < a->rows && !known; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            there[a->col[k] - i + a->rows] = true;
    for (int64_t offset = -a->rows; offset < a->cols; offset++)
        if (there[offset + a->rows])
            matrix->inside += (double)(min(a->rows, a->cols - offset) - max(0, -offset));
    free(there);
    return STATUS_OK;
}

enum status cpu_need_turned(struct cpu_matrix *matrix, struct error *error)
{
    enum status status = cpu_need_columns(matrix, error);
    if (status != STATUS_OK || matrix->turned) return status;
    matrix->turned = memory_zeroed(1, sizeof *matrix->turned, error);
    if (!matrix->turned) return STATUS_MEMORY;
    matrix->turned->a = &matrix->columns;
    return STATUS_OK;
}

double cpu_copied(const struct cpu_matrix *matrix, int threads, bool direct)
{
    const struct csr *a = matrix->a;
    const double all = (double)csr_nnz(a) + (double)a->rows;
    double sum = 0;
    int64_t reach = 0;
    if (matrix->excerpt || !a->col) return (double)threads * (double)a->cols;
    for (int t = 0; t < threads; t++) {
        const int64_t end = t + 1 == threads ? a->rows : row_with(a, all * (t + 1) / threads);
        int64_t low = a->cols, high = 0;
        for (int64_t i = row_with(a, all * t / threads); i < end; i++) {
            if (a->row_ptr[i] == a->row_ptr[i + 1]) continue;
            low = min(low, a->col[a->row_ptr[i]]);
            high = max(high, a->col[a->row_ptr[i + 1] - 1] + 1);
        }
        if (low >= high) continue;
        if (direct && low >= reach)
            reach = high;
        else
            sum += (double)(high - low);
    }
    return sum;
}

void cpu_matrix_free(struct cpu_matrix *matrix)
{
    free(matrix->share);
    free(matrix->column);
    free(matrix->order);
    free(matrix->columns.row_ptr);
    free(matrix->columns.col);
    if (matrix->turned) cpu_matrix_free(matrix->turned);
    free(matrix->turned);
    *matrix = (struct cpu_matrix){.a = matrix->a};
}
