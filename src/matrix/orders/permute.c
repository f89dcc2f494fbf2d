#include "matrix/orders/permute.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/rows.h"

static enum status check(const int32_t *from, int64_t count, struct error *error)
{
    uint64_t *seen = memory_zeroed((size_t)(count / 64 + 1), sizeof *seen, error);
    enum status status = seen ? STATUS_OK : STATUS_MEMORY;
    for (int64_t k = 0; status == STATUS_OK && k < count; k++) {
        int64_t i = from[k], first = 0;
        if (i < 0 || i >= count) {
            status = error_set(error, STATUS_INPUT,
                               "not a permutation: element %" PRId64 " is %" PRId64
                               ", which is none of 1 to %" PRId64,
                               k + 1, i + 1, count);
            break;
        }
        uint64_t bit = (uint64_t)1 << (i % 64);
        if (seen[i / 64] & bit) {
            while (from[first] != i)
                first++;
            status =
                error_set(error, STATUS_INPUT,
                          "not a permutation: %" PRId64 " is element %" PRId64 " and again element %" PRId64,
                          i + 1, first + 1, k + 1);
        }
        seen[i / 64] |= bit;
    }
    free(seen);
    return status;
}

enum status permutation_check(const struct permutation *permutation, struct error *error)
{
    enum status status = check(permutation->from, permutation->count, error);
    if (status == STATUS_OK && permutation->cols)
        status = check(permutation->cols, permutation->col_count, error);
    return status;
}

void permutation_invert(const int32_t *from, int64_t count, int32_t *to)
{
#pragma omp parallel for schedule(static) if (count > PARALLEL_MIN)
    for (int64_t k = 0; k < count; k++)
        to[from[k]] = (int32_t)k;
}

static enum status allocate(struct csr *out, const struct csr *a, struct error *error)
{
    size_t nnz = (size_t)csr_nnz(a);
    *out = (struct csr){.rows = a->rows, .cols = a->cols};
    out->row_ptr = memory_array((size_t)a->rows + 1, sizeof *out->row_ptr, error);
    if (!out->row_ptr || csr_allocate(out, csr_nnz(a), a->imaginary != NULL, error) != STATUS_OK)
        return STATUS_MEMORY;
    threads_place(out->col, nnz * sizeof *out->col);
    threads_place(out->val, nnz * sizeof *out->val);
    if (out->imaginary) threads_place(out->imaginary, nnz * sizeof *out->imaginary);
    return STATUS_OK;
}

/* Copy the rows of `a` to their new positions, with the new columns of their entries. `to` is the inverse of
 * the columns' permutation, or NULL. */
static void copy_rows(const struct csr *a, const int32_t *rows, const int32_t *to, struct csr *out,
                      struct progress *progress)
{
#pragma omp parallel for schedule(static) if (a->rows > PARALLEL_MIN)
    for (int64_t r = 0; r < a->rows; r++) {
        int64_t i = rows ? rows[r] : r;
        out->row_ptr[r] = a->row_ptr[i + 1] - a->row_ptr[i];
    }
    threads_offsets(out->row_ptr, a->rows);
#pragma omp parallel for schedule(dynamic, 1024) if (csr_nnz(a) > PARALLEL_MIN)
    for (int64_t r = 0; r < a->rows; r++) {
        int64_t i = rows ? rows[r] : r, put = out->row_ptr[r];
        if (r % 1024 == 0) progress_add(progress, a->rows - r < 1024 ? a->rows - r : 1024);
        if (progress_cancelled(progress)) continue;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++, put++) {
            out->col[put] = to ? to[a->col[k]] : a->col[k];
            out->val[put] = a->val[k];
            if (a->imaginary) out->imaginary[put] = a->imaginary[k];
        }
    }
}

static enum status permute_csr(const struct csr *a, const struct permutation *permutation,
                               struct progress *progress, struct csr *out, struct error *error)
{
    const int32_t *cols = permutation_cols(permutation);
    int32_t *to = NULL;
    enum status status = allocate(out, a, error);
    if (status == STATUS_OK && cols) {
        to = memory_array((size_t)a->cols, sizeof *to, error);
        status = to ? STATUS_OK : STATUS_MEMORY;
    }
    if (status == STATUS_OK) {
        if (to) permutation_invert(cols, a->cols, to);
        progress_phase(progress, "reordering", to ? 2 * a->rows : a->rows); /* and the rows are sorted */
        copy_rows(a, permutation_rows(permutation), to, out, progress);
        status = progress_status(progress, error);
    }
    if (status == STATUS_OK && to) status = rows_sort(out, progress, error);
    free(to);
    return status;
}

/* Make the inverse of one permutation of a pair; NULL stays NULL. */
static enum status invert(const int32_t *from, int64_t count, int32_t **to, struct error *error)
{
    *to = NULL;
    if (!from) return STATUS_OK;
    *to = memory_array((size_t)count, sizeof **to, error);
    if (!*to) return STATUS_MEMORY;
    permutation_invert(from, count, *to);
    return STATUS_OK;
}

/* The positions of summed entries are permuted, too. */
static enum status permute_summed(const struct matrix *matrix, const struct permutation *permutation,
                                  struct summed *out, struct error *error)
{
    const struct summed *in = &matrix->summed;
    int32_t *rows = NULL, *cols = NULL;
    *out = (struct summed){.count = in->count};
    if (in->kept == 0) return STATUS_OK;
    enum status status = invert(permutation_rows(permutation), matrix->csr.rows, &rows, error);
    if (status == STATUS_OK) status = invert(permutation_cols(permutation), matrix->csr.cols, &cols, error);
    if (status == STATUS_OK) {
        out->list = memory_array((size_t)in->kept, sizeof *out->list, error);
        status = out->list ? STATUS_OK : STATUS_MEMORY;
    }
    if (status == STATUS_OK) {
        for (; out->kept < in->kept; out->kept++) {
            struct summed_place place = in->list[out->kept];
            if (rows) place.row = rows[place.row];
            if (cols) place.col = cols[place.col];
            out->list[out->kept] = place;
        }
        out->capacity = out->kept;
        summed_sort(out);
    }
    free(rows);
    free(cols);
    return status;
}

static enum status describe(const struct matrix *matrix, const struct permutation *permutation,
                            struct matrix *out, struct error *error)
{
    if (matrix->name) out->name = memory_string(matrix->name, error);
    if (matrix->path) out->path = memory_string(matrix->path, error);
    if (matrix->variable) out->variable = memory_string(matrix->variable, error);
    if ((matrix->name && !out->name) || (matrix->path && !out->path) || (matrix->variable && !out->variable))
        return STATUS_MEMORY;
    return permute_summed(matrix, permutation, &out->summed, error);
}

enum status permute_description(const struct matrix *matrix, const struct permutation *permutation,
                                struct matrix *out, struct error *error)
{
    *out = (struct matrix){.format = matrix->format,
                           .field = matrix->field,
                           .symmetry =
                               permutation->apply == APPLY_SYMMETRIC ? matrix->symmetry : SYMMETRY_GENERAL,
                           .transposed = matrix->transposed,
                           .coordinate = matrix->coordinate,
                           .stored = matrix->stored,
                           .duplicates = matrix->duplicates,
                           .explicit_zeros = matrix->explicit_zeros,
                           .about = matrix->about};
    enum status status = describe(matrix, permutation, out, error);
    if (status != STATUS_OK) matrix_free(out);
    return status;
}

enum status permute_matrix(const struct matrix *matrix, const struct permutation *permutation, size_t limit,
                           struct progress *progress, struct matrix *out, struct error *error)
{
    const struct csr *a = &matrix->csr;
    size_t held = csr_bytes(a->rows, csr_nnz(a), a->imaginary != NULL), wanted;
    *out = (struct matrix){0};
    size_add(held, (size_t)(permutation_cols(permutation) ? a->cols : 0) * sizeof(int32_t), &wanted);
    enum status status = memory_check_beside(wanted, held, limit, "the reordered matrix", error);
    if (status == STATUS_OK) status = permute_description(matrix, permutation, out, error);
    if (status == STATUS_OK) status = permute_csr(a, permutation, progress, &out->csr, error);
    if (status != STATUS_OK) matrix_free(out);
    return status;
}

void permute_vector(const int32_t *from, int64_t count, const double *in, double *out)
{
#pragma omp parallel for schedule(static) if (count > PARALLEL_MIN)
    for (int64_t k = 0; k < count; k++)
        out[k] = in[from ? from[k] : k];
}

void permute_back(const int32_t *from, int64_t count, const double *in, double *out)
{
#pragma omp parallel for schedule(static) if (count > PARALLEL_MIN)
    for (int64_t k = 0; k < count; k++)
        out[from ? from[k] : k] = in[k];
}

int64_t permute_bytes(int64_t count, size_t size)
{
    return count * (int64_t)(2 * size + sizeof(int32_t));
}

#define REPEATS 7

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double permute_seconds(const struct csr *a, const struct permutation *permutation, struct progress *progress)
{
    const int32_t *rows = permutation_rows(permutation), *cols = permutation_cols(permutation);
    int64_t longest = a->rows > a->cols ? a->rows : a->cols;
    double seconds[REPEATS];
    double *in = memory_zeroed((size_t)longest, sizeof *in, NULL);
    double *out = memory_zeroed((size_t)longest, sizeof *out, NULL);
    threads_gather(0);
    for (int k = 0; in && out && k < REPEATS; k++) {
        progress_quiet_begin(progress);
        double start = clock_seconds();
        if (cols) permute_vector(cols, a->cols, in, out);
        if (rows) permute_back(rows, a->rows, in, out);
        seconds[k] = clock_seconds() - start;
        progress_quiet_end(progress);
    }
    const bool measured = in && out;
    free(in);
    free(out);
    if (!measured) return NAN;
    qsort(seconds, REPEATS, sizeof *seconds, by_size);
    return seconds[REPEATS / 2];
}
