#include "analysis/column_sums.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

/* The rows are summed up in stretches, each into an array of its own. A stretch has at least this number of
 * entries for each column, so that the arrays are small beside the entries. */
#define ENTRIES_A_COLUMN 8

/* Within a stretch, threads share the columns, in at most this number of ranges, since each thread reads all
 * rows of the stretch. */
#define RANGES 16

/* Number of rows between two checks of the progress. */
#define STEP 1024

/* Bits by which a mantissa of 53 bits is shifted up if its exponent is that of the largest value. */
#define LIFT 43

exact_integer column_size(double largest, double size)
{
    uint64_t mantissa, greatest;
    if (!(size > 0 && size <= DBL_MAX)) return 0;
    int shift = exact_split(size, &mantissa) - exact_split(largest, &greatest) + LIFT;
    if (shift >= 0) return (exact_integer)mantissa << shift;
    return shift > -64 ? mantissa >> -shift : 0;
}

double column_sum(double largest, exact_integer units)
{
    uint64_t mantissa;
    if (units == 0) return 0;
    return ldexp((double)units, exact_split(largest, &mantissa) - EXACT_UNIT - LIFT);
}

static exact_integer size_of(const struct csr *a, double largest, int64_t k)
{
    return column_size(largest, a->imaginary ? hypot(a->val[k], a->imaginary[k]) : fabs(a->val[k]));
}

/* True if few columns can have an entry, so that sorting the entries is cheaper. */
static bool is_sparse(int64_t cols, int64_t nnz)
{
    return cols / 4 > nnz;
}

static int64_t stretches_of(int64_t cols, int64_t nnz)
{
    int64_t fit = nnz / ENTRIES_A_COLUMN / max(cols, 1);
    return min(max(fit, 1), nnz > PARALLEL_MIN ? threads_count() : 1);
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
        size_multiply((size_t)(stretches_of(cols, nnz) * cols), sizeof(exact_integer), &bytes);
    return bytes;
}

static int by_column(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    return (a->col > b->col) - (a->col < b->col);
}

/* Sort the entries by column, and sum up each column's. */
static enum status sum_sorted(const struct csr *a, double largest, double *greatest, struct error *error)
{
    int64_t nnz = csr_nnz(a);
    struct place *places = memory_array((size_t)nnz, sizeof *places, error);
    exact_integer sum = 0, most = 0;
    if (!places) return STATUS_MEMORY;
    for (int64_t k = 0; k < nnz; k++)
        places[k] = (struct place){k, a->col[k]};
    qsort(places, (size_t)nnz, sizeof *places, by_column);
    for (int64_t k = 0; k < nnz; k++) {
        bool begins = k == 0 || places[k].col != places[k - 1].col;
        sum = size_of(a, largest, places[k].entry) + (begins ? 0 : sum);
        if (sum > most) most = sum;
    }
    *greatest = column_sum(largest, most);
    free(places);
    return STATUS_OK;
}

/* Add rows first .. end-1, of columns from .. to-1, to the sums; sums[0] is that of column `base`. */
static void add_rows(const struct csr *a, double largest, int64_t first, int64_t end, int64_t from,
                     int64_t to, int64_t base, exact_integer *sums, struct progress *progress)
{
    for (int64_t i = first; i < end; i++) {
        if (i % STEP == 0 && progress_cancelled(progress)) return;
        int64_t k = from > 0 ? csr_lower_bound(a, i, from) : a->row_ptr[i];
        for (; k < a->row_ptr[i + 1] && a->col[k] < to; k++)
            sums[a->col[k] - base] += size_of(a, largest, k);
    }
}

/* Return the first row of a stretch. Stretches are whole rows with about equal numbers of entries. */
static int64_t row_of_stretch(const struct csr *a, int64_t s, int64_t stretches)
{
    int64_t nnz = csr_nnz(a);
    if (s == 0 || s == stretches) return s ? a->rows : 0;
    int64_t k = nnz / stretches * s;
    return k < nnz ? csr_row_of(a, k) : a->rows;
}

static exact_integer most_of(const exact_integer *sums, int64_t stretches, int64_t cols)
{
    exact_integer most = 0;
    for (int64_t j = 0; j < cols; j++) {
        exact_integer sum = 0;
        for (int64_t s = 0; s < stretches; s++)
            sum += sums[s * cols + j];
        if (sum > most) most = sum;
    }
    return most;
}

/* Sum columns from .. to-1 in stretches; sums[s * (to - from) + j - from] becomes the sum of column j over
 * the rows of stretch s. */
static void sum_stretches(const struct csr *a, double largest, int64_t stretches, int64_t from, int64_t to,
                          exact_integer *sums, struct progress *progress)
{
    int64_t ranges = min(max(threads_count() / stretches, 1), RANGES), tasks = stretches * ranges;
    int64_t cols = to - from;
    progress_phase(progress, "sums of columns", tasks);
#pragma omp parallel for schedule(dynamic) if (csr_nnz(a) > PARALLEL_MIN)
    for (int64_t t = 0; t < tasks; t++) {
        int64_t s = t / ranges, r = t % ranges;
        add_rows(a, largest, row_of_stretch(a, s, stretches), row_of_stretch(a, s + 1, stretches),
                 from + cols * r / ranges, from + cols * (r + 1) / ranges, from, sums + s * cols, progress);
        progress_add(progress, 1);
    }
}

void column_sums_add(const struct csr *a, double largest, int64_t from, int64_t to, exact_integer *sums,
                     struct progress *progress)
{
    sum_stretches(a, largest, 1, from, to, sums, progress);
}

enum status column_sums_max(const struct csr *a, double largest, struct progress *progress, double *sum,
                            struct error *error)
{
    int64_t nnz = csr_nnz(a), stretches = stretches_of(a->cols, nnz);
    *sum = 0;
    if (is_sparse(a->cols, nnz)) return sum_sorted(a, largest, sum, error);
    exact_integer *sums = memory_zeroed((size_t)(stretches * a->cols), sizeof *sums, error);
    if (!sums) return STATUS_MEMORY;
    sum_stretches(a, largest, stretches, 0, a->cols, sums, progress);
    enum status status = progress_status(progress, error);
    if (status == STATUS_OK) *sum = column_sum(largest, most_of(sums, stretches, a->cols));
    free(sums);
    return status;
}
