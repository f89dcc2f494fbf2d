#include "matrix/transpose.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "matrix/matrix.h"

/* Number of rows between two checks of the progress. */
#define STRETCH 4096

/* Append the entries of rows first .. end-1 to their columns; rows come in ascending order. row_ptr[j + 1] is
 * the next free index of row j of the transposed matrix, and finally its end. */
static void fill_rows(const struct csr *a, int64_t first, int64_t end, struct csr *out)
{
    for (int64_t i = first; i < end; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int64_t place = out->row_ptr[a->col[k] + 1]++;
            out->col[place] = (int32_t)i;
            out->val[place] = a->val[k];
            if (a->imaginary) out->imaginary[place] = a->imaginary[k];
        }
}

enum status csr_transpose(const struct csr *a, struct progress *progress, struct csr *out,
                          struct error *error)
{
    size_t nnz = (size_t)csr_nnz(a);
    *out = (struct csr){.rows = a->cols, .cols = a->rows};
    out->row_ptr = memory_zeroed((size_t)a->cols + 2, sizeof *out->row_ptr, error);
    enum status status =
        out->row_ptr ? csr_allocate(out, csr_nnz(a), a->imaginary != NULL, error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        progress_phase(progress, "transposing the matrix", a->rows);
        /* Counts are at j + 2, sums at j + 1, and after filling the offset of row j is at j. */
        for (size_t k = 0; k < nnz; k++)
            out->row_ptr[a->col[k] + 2]++;
        for (int64_t j = 0; j < a->cols; j++)
            out->row_ptr[j + 2] += out->row_ptr[j + 1];
        for (int64_t i = 0, end; i < a->rows && !progress_cancelled(progress); i = end) {
            end = min(i + STRETCH, a->rows);
            fill_rows(a, i, end, out);
            progress_add(progress, end - i);
        }
        status = progress_status(progress, error);
    }
    if (status != STATUS_OK) csr_free(out);
    return status;
}

/* Return the name of the transposed matrix, which the caller frees; NULL if there is no memory. */
static char *transposed_name(const char *name, struct error *error)
{
    struct text text = {0};
    text_append(&text, "%s^T", name);
    if (!text.failed) return text.data;
    error_set(error, STATUS_MEMORY, "out of memory");
    text_free(&text);
    return NULL;
}

static void transpose_summed(struct summed *summed)
{
    for (int64_t k = 0; k < summed->kept; k++) {
        struct summed_place *place = &summed->list[k];
        *place = (struct summed_place){place->col, place->row, place->entries};
    }
    summed_sort(summed);
}

enum status matrix_transpose(struct matrix *matrix, size_t limit, struct progress *progress,
                             struct error *error)
{
    const struct csr *a = &matrix->csr;
    bool same = matrix->symmetry == SYMMETRY_SYMMETRIC;
    size_t held = csr_bytes(a->rows, csr_nnz(a), a->imaginary != NULL);
    size_t wanted = csr_bytes(a->cols, csr_nnz(a), a->imaginary != NULL);
    struct csr transposed;
    char *name = transposed_name(matrix->name ? matrix->name : "", error);
    enum status status = name ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK && !same)
        status = memory_check_beside(wanted, held, limit, "the transposed matrix", error);
    if (status == STATUS_OK && !same) status = csr_transpose(a, progress, &transposed, error);
    if (status != STATUS_OK) {
        free(name);
        return status;
    }
    if (!same) {
        csr_free(&matrix->csr);
        matrix->csr = transposed;
        transpose_summed(&matrix->summed);
    }
    free(matrix->name);
    matrix->name = name;
    matrix->transposed = true;
    return STATUS_OK;
}
