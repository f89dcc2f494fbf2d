#include "matrix/csr.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "matrix/skeleton.h"

int csr_complex(const struct csr *a)
{
    return a->skeleton ? a->skeleton->complex : a->imaginary != NULL;
}

int64_t csr_lower_bound(const struct csr *a, int64_t i, int64_t j)
{
    const int32_t *col = a->col;
    int64_t first = a->row_ptr[i], count = a->row_ptr[i + 1] - first;
    while (count > 0) {
        int64_t half = count / 2;
        if (col[first + half] < j) {
            first += half + 1;
            count -= half + 1;
        } else
            count = half;
    }
    return first;
}

int64_t csr_find(const struct csr *a, int64_t i, int64_t j)
{
    int64_t k = csr_lower_bound(a, i, j);
    return k < a->row_ptr[i + 1] && a->col[k] == j ? k : -1;
}

int64_t csr_row_of(const struct csr *a, int64_t k)
{
    int64_t low = 1, high = a->rows; /* row_ptr[low - 1] <= k < row_ptr[high] */
    BISECT(low, high, a->row_ptr[middle] <= k);
    return low - 1;
}

static enum status bad_row(int64_t i, const char *what, struct error *error)
{
    return error_set(error, STATUS_INPUT, "row %lld: %s", (long long)i + 1, what);
}

/* Return the fault in the columns of row i, or NULL. */
static const char *row_fault(const struct csr *a, int64_t i)
{
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
        if (a->col[k] < 0 || a->col[k] >= a->cols) return "a column lies outside the matrix";
        if (k > a->row_ptr[i] && a->col[k] <= a->col[k - 1]) return "columns are not strictly ascending";
    }
    return NULL;
}

enum status csr_validate(const struct csr *a, struct error *error)
{
    if (a->rows < 0 || a->rows > INT32_MAX || a->cols < 0 || a->cols > INT32_MAX)
        return error_set(error, STATUS_INPUT, "%lld x %lld is not a size that this program can hold",
                         (long long)a->rows, (long long)a->cols);
    if (!a->row_ptr || !a->col || !a->val || a->row_ptr[0] != 0)
        return error_set(error, STATUS_INPUT, "an array is missing, or the first offset is not 0");
    for (int64_t i = 0; i < a->rows; i++)
        if (a->row_ptr[i + 1] < a->row_ptr[i]) return bad_row(i, "offsets descend", error);
    int64_t worst = a->rows;
#pragma omp parallel for schedule(dynamic, 4096) reduction(min : worst) if (a->rows > 4096)
    for (int64_t i = 0; i < a->rows; i++)
        if (i < worst && row_fault(a, i)) worst = i;
    return worst < a->rows ? bad_row(worst, row_fault(a, worst), error) : STATUS_OK;
}

size_t csr_bytes(int64_t rows, int64_t nnz, int complex)
{
    size_t entry = sizeof(int32_t) + (complex ? 2 : 1) * sizeof(double), entries, offsets, all;
    if (!size_multiply((size_t)nnz, entry, &entries)) return SIZE_MAX;
    if (!size_multiply((size_t)rows + 1, sizeof(int64_t), &offsets)) return SIZE_MAX;
    size_add(entries, offsets, &all);
    return all;
}

static inline int is_zero(const struct csr *a, int64_t k)
{
    return a->val[k] == 0 && (!a->imaginary || a->imaginary[k] == 0);
}

int64_t csr_count_zeros(const struct csr *a)
{
    int64_t zeros = 0, nnz = csr_nnz(a);
#pragma omp parallel for reduction(+ : zeros) if (nnz > PARALLEL_MIN)
    for (int64_t k = 0; k < nnz; k++)
        zeros += is_zero(a, k);
    return zeros;
}

static inline int is_finite(const struct csr *a, int64_t k)
{
    return isfinite(a->val[k]) && (!a->imaginary || isfinite(a->imaginary[k]));
}

enum status csr_check_finite(const struct csr *a, const char *what, struct error *error)
{
    const int64_t nnz = csr_nnz(a);
    int64_t first = nnz;
#pragma omp parallel for reduction(min : first) if (nnz > PARALLEL_MIN)
    for (int64_t k = 0; k < nnz; k++)
        if (k < first && !is_finite(a, k)) first = k;
    if (first == nnz) return STATUS_OK;
    const int nan = isnan(a->val[first]) || (a->imaginary && isnan(a->imaginary[first]));
    return error_set(error, STATUS_UNAVAILABLE, "%s: unavailable, since the value at (%lld, %lld) is %s",
                     what, (long long)csr_row_of(a, first) + 1, (long long)a->col[first] + 1,
                     nan ? "NaN" : "infinite");
}

int64_t csr_drop_zeros(struct csr *a)
{
    int64_t kept = 0, first = 0;
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t end = a->row_ptr[i + 1];
        for (int64_t k = first; k < end; k++) {
            if (is_zero(a, k)) continue;
            csr_move(a, k, kept++);
        }
        first = end;
        a->row_ptr[i + 1] = kept;
    }
    return first - kept;
}

enum status csr_allocate(struct csr *a, int64_t nnz, int complex, struct error *error)
{
    a->col = memory_array((size_t)nnz, sizeof *a->col, error);
    a->val = memory_array((size_t)nnz, sizeof *a->val, error);
    if (complex) a->imaginary = memory_array((size_t)nnz, sizeof *a->imaginary, error);
    return a->col && a->val && (!complex || a->imaginary) ? STATUS_OK : STATUS_MEMORY;
}

void csr_free(struct csr *a)
{
    free(a->row_ptr);
    free(a->col);
    free(a->val);
    free(a->imaginary);
    *a = (struct csr){0};
}

void skeleton_free(struct skeleton *skeleton)
{
    free(skeleton->col_ptr);
    free(skeleton->diagonals);
    *skeleton = (struct skeleton){0};
}
