#include "analysis/column_sums.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

/* Rows are summed up in at most so many stretches, each into an array of its own. How many there are depends
 * on the matrix alone, so that sums are the same with any number of threads. */
#define STRETCHES 32

/* A stretch has at least so many entries a column, so that its array takes little beside the entries. */
#define ENTRIES_A_COLUMN 8

/* Within a stretch, threads share the columns, in at most so many ranges: each looks at all of its rows. */
#define RANGES 16

/* So many rows are done before the progress is looked at. */
#define STEP 1024

static double size_of(const struct csr *a, int64_t k)
{
    return a->imaginary ? hypot(a->val[k], a->imaginary[k]) : fabs(a->val[k]);
}

/* True if so few columns can have an entry that entries are sorted instead. */
static bool is_sparse(int64_t cols, int64_t nnz)
{
    return cols / 4 > nnz;
}

static int64_t stretches_of(int64_t cols, int64_t nnz)
{
    int64_t fit = nnz / ENTRIES_A_COLUMN / max(cols, 1);
    return min(max(fit, 1), STRETCHES);
}

struct place {
    int64_t entry;
    int32_t col;
};

size_t column_sums_bytes(int64_t cols, int64_t nnz)
{
    size_t bytes;
    if (is_sparse(cols, nnz))
        size_multiply((size_t)nnz, sizeof(struct place), &bytes);
    else
        size_multiply((size_t)(stretches_of(cols, nnz) * cols), sizeof(double), &bytes);
    return bytes;
}

static int by_column(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->col != b->col) return a->col < b->col ? -1 : 1;
    return (a->entry > b->entry) - (a->entry < b->entry);
}

/* Sort the entries by column, and sum up each column's. */
static enum status sum_sorted(const struct csr *a, double *largest, struct error *error)
{
    int64_t nnz = csr_nnz(a);
    struct place *places = memory_array((size_t)nnz, sizeof *places, error);
    double sum = 0;
    if (!places) return STATUS_MEMORY;
    for (int64_t k = 0; k < nnz; k++)
        places[k] = (struct place){k, a->col[k]};
    qsort(places, (size_t)nnz, sizeof *places, by_column);
    for (int64_t k = 0; k < nnz; k++) {
        bool begins = k == 0 || places[k].col != places[k - 1].col;
        sum = size_of(a, places[k].entry) + (begins ? 0 : sum);
        *largest = fmax(*largest, sum);
    }
    free(places);
    return STATUS_OK;
}

/* Add rows first .. end-1, of columns from .. to-1, to the sums. */
static void add_rows(const struct csr *a, int64_t first, int64_t end, int64_t from, int64_t to, double *sums,
                     struct progress *progress)
{
    for (int64_t i = first; i < end; i++) {
        if (i % STEP == 0 && progress_cancelled(progress)) return;
        int64_t k = from > 0 ? csr_lower_bound(a, i, from) : a->row_ptr[i];
        for (; k < a->row_ptr[i + 1] && a->col[k] < to; k++)
            sums[a->col[k]] += size_of(a, k);
    }
}

/* Return the row with which a stretch begins. All have about as many entries, as far as whole rows do. */
static int64_t row_of_stretch(const struct csr *a, int64_t s, int64_t stretches)
{
    int64_t nnz = csr_nnz(a);
    if (s == 0 || s == stretches) return s ? a->rows : 0;
    int64_t k = nnz / stretches * s;
    return k < nnz ? csr_row_of(a, k) : a->rows;
}

static double largest_of(const struct csr *a, const double *sums, int64_t stretches)
{
    double largest = 0;
#pragma omp parallel for reduction(max : largest) if (a->cols > PARALLEL_MIN)
    for (int64_t j = 0; j < a->cols; j++) {
        double sum = 0;
        for (int64_t s = 0; s < stretches; s++)
            sum += sums[s * a->cols + j];
        if (sum > largest) largest = sum;
    }
    return largest;
}

enum status column_sums_max(const struct csr *a, struct progress *progress, double *largest,
                            struct error *error)
{
    int64_t nnz = csr_nnz(a), stretches = stretches_of(a->cols, nnz);
    *largest = 0;
    if (is_sparse(a->cols, nnz)) return sum_sorted(a, largest, error);
    double *sums = memory_zeroed((size_t)(stretches * a->cols), sizeof *sums, error);
    if (!sums) return STATUS_MEMORY;
    int64_t ranges = min(max(threads_count() / stretches, 1), RANGES), tasks = stretches * ranges;
    progress_phase(progress, "sums of columns", tasks);
#pragma omp parallel for schedule(dynamic) if (nnz > PARALLEL_MIN)
    for (int64_t t = 0; t < tasks; t++) {
        int64_t s = t / ranges, r = t % ranges;
        add_rows(a, row_of_stretch(a, s, stretches), row_of_stretch(a, s + 1, stretches),
                 a->cols * r / ranges, a->cols * (r + 1) / ranges, sums + s * a->cols, progress);
        progress_add(progress, 1);
    }
    enum status status = progress_status(progress, error);
    if (status == STATUS_OK) *largest = largest_of(a, sums, stretches);
    free(sums);
    return status;
}
