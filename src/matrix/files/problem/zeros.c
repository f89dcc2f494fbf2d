#include "matrix/files/problem/zeros.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "matrix/relay.h"

/* Merge row i of both into `out`, from entry *k on; of an entry of both, a's value counts. With out->col NULL
 * entries are only counted. */
static void merge_row(const struct csr *a, const struct csr *pattern, int64_t i, struct csr *out, int64_t *k)
{
    int64_t p = a->row_ptr[i], q = pattern->row_ptr[i];
    int64_t p_end = a->row_ptr[i + 1], q_end = pattern->row_ptr[i + 1];
    while (p < p_end || q < q_end) {
        bool both = p < p_end && q < q_end && a->col[p] == pattern->col[q];
        bool own = both || q == q_end || (p < p_end && a->col[p] < pattern->col[q]);
        if (out->col) {
            out->col[*k] = own ? a->col[p] : pattern->col[q];
            out->val[*k] = own ? a->val[p] : 0;
            if (out->imaginary) out->imaginary[*k] = own ? a->imaginary[p] : 0;
        }
        p += own;
        q += both || !own;
        ++*k;
    }
}

/* Give `a` an entry of value 0 wherever `pattern`, of the same size, has one and `a` has none; *added becomes
 * their number. On failure `a` is unchanged. */
static enum status add(struct csr *a, const struct csr *pattern, size_t limit, int64_t *added,
                       struct error *error)
{
    struct csr out = {.rows = a->rows, .cols = a->cols};
    int64_t nnz = 0, k = 0;
    for (int64_t i = 0; i < a->rows; i++)
        merge_row(a, pattern, i, &out, &nnz);
    *added = nnz - csr_nnz(a);
    if (*added == 0) return STATUS_OK;
    enum status status = memory_check(csr_bytes(a->rows, nnz, a->imaginary != NULL), limit,
                                      "the matrix with its zeros", error);
    if (status != STATUS_OK) return status;
    out.row_ptr = memory_array((size_t)a->rows + 1, sizeof *out.row_ptr, error);
    if (!out.row_ptr || csr_allocate(&out, nnz, a->imaginary != NULL, error) != STATUS_OK) {
        csr_free(&out);
        return STATUS_MEMORY;
    }
    for (int64_t i = 0; i < a->rows; i++) {
        out.row_ptr[i] = k;
        merge_row(a, pattern, i, &out, &k);
    }
    out.row_ptr[a->rows] = k;
    csr_free(a);
    *a = out;
    return STATUS_OK;
}

enum status zeros_take(const struct arrays *arrays, const struct load_options *options,
                       struct progress *progress, struct matrix *matrix, struct error *error)
{
    struct matrix zeros = {0};
    int64_t added = 0;
    if (!arrays || arrays->rows != matrix->csr.rows || arrays->cols != matrix->csr.cols) {
        text_append(&matrix->notes,
                    ZEROS_NAME " is not a sparse matrix of the size of " ZEROS_MATRIX ", and not read\n");
        return STATUS_OK;
    }
    if (options->taker && options->taker->chosen) {
        text_append(&matrix->notes, ZEROS_NAME " of the file is left out, since entries are not in memory\n");
        return STATUS_OK;
    }
    enum status status = arrays_build(arrays, options, progress, &zeros, error);
    if (status == STATUS_OK) status = add(&matrix->csr, &zeros.csr, options->limit, &added, error);
    if (added > 0) {
        matrix->stored += added;
        matrix->zeros_counted = false;
        text_append(&matrix->notes, "%lld explicit zeros stand in " ZEROS_NAME " of the file\n",
                    (long long)added);
    }
    matrix_free(&zeros);
    return status;
}
