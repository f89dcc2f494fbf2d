#include "matrix/transpose.h"

#include "base/memory.h"
#include "base/range.h"

/* So many rows are gone through between two looks at the progress. */
#define STRETCH 4096

/* Put the entries of rows first .. end-1 behind those that their columns have so far: rows come in ascending
 * order. row_ptr[j + 1] is where row j of the transposed matrix goes on, and where it ends in the end. */
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
    out->col = memory_array(nnz, sizeof *out->col, error);
    out->val = memory_array(nnz, sizeof *out->val, error);
    if (a->imaginary) out->imaginary = memory_array(nnz, sizeof *out->imaginary, error);
    enum status status = STATUS_OK;
    if (!out->row_ptr || !out->col || !out->val || (a->imaginary && !out->imaginary)) status = STATUS_MEMORY;
    if (status == STATUS_OK) {
        progress_phase(progress, "transposing the matrix", a->rows);
        /* Counted two places on, summed up one place on, filled to the place itself. */
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
