#include "analysis/solvers/embedding.h"

#include "base/memory.h"
#include "base/threads.h"

enum status embedding_make(const struct csr *a, struct csr *embedded, struct error *error)
{
    const int64_t rows = 2 * a->rows, nnz = 4 * csr_nnz(a);
    *embedded = (struct csr){.rows = rows, .cols = 2 * a->cols};
    if (embedded->cols > INT32_MAX)
        return error_set(error, STATUS_MEMORY, "preconditioners of complex matrices have at most 2^30 rows");
    embedded->row_ptr = memory_array((size_t)rows + 1, sizeof *embedded->row_ptr, error);
    embedded->col = memory_array((size_t)nnz, sizeof *embedded->col, error);
    embedded->val = memory_array((size_t)nnz, sizeof *embedded->val, error);
    if (!embedded->row_ptr || !embedded->col || !embedded->val) {
        csr_free(embedded);
        return STATUS_MEMORY;
    }
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t from = a->row_ptr[i], length = a->row_ptr[i + 1] - from;
        embedded->row_ptr[2 * i] = 4 * from;
        embedded->row_ptr[2 * i + 1] = 4 * from + 2 * length;
    }
    embedded->row_ptr[rows] = nnz;
#pragma omp parallel for schedule(static) if (nnz > PARALLEL_MIN)
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t from = a->row_ptr[i], length = a->row_ptr[i + 1] - from;
        for (int64_t k = 0; k < length; k++) {
            const int64_t upper = 4 * from + 2 * k, lower = upper + 2 * length;
            embedded->col[upper] = embedded->col[lower] = 2 * a->col[from + k];
            embedded->col[upper + 1] = embedded->col[lower + 1] = 2 * a->col[from + k] + 1;
            embedded->val[upper] = embedded->val[lower + 1] = a->val[from + k];
            embedded->val[upper + 1] = -a->imaginary[from + k];
            embedded->val[lower] = a->imaginary[from + k];
        }
    }
    return STATUS_OK;
}

size_t embedding_bytes(const struct csr *a)
{
    return csr_bytes(2 * a->rows, 4 * csr_nnz(a), 0);
}
