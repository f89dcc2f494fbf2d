#include "matrix/files/vector.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/matrix.h"

/* Copy one part of the entries of a matrix of one column, `from`; rows without an entry become 0. Returns
 * NULL without memory, and if an element is not finite. */
static double *take_part(const struct matrix *matrix, const double *from, struct error *error)
{
    const struct csr *a = &matrix->csr;
    double *part = memory_array((size_t)a->rows, sizeof *part, error);
    for (int64_t i = 0; part && i < a->rows; i++) {
        int64_t k = a->row_ptr[i];
        part[i] = k < a->row_ptr[i + 1] ? from[k] : 0;
        if (isfinite(part[i])) continue;
        error_at(error, STATUS_INPUT, matrix->path, 0, 0, "row %" PRId64 " is %g: a vector must be finite",
                 i + 1, part[i]);
        free(part);
        return NULL;
    }
    return part;
}

static enum status take_entries(const struct matrix *matrix, struct vector *vector, struct error *error)
{
    const struct csr *a = &matrix->csr;
    struct error reason = {0};
    vector->real = take_part(matrix, a->val, &reason);
    if (vector->real && a->imaginary) vector->imaginary = take_part(matrix, a->imaginary, &reason);
    if (vector->real && (vector->imaginary || !a->imaginary)) return STATUS_OK;
    if (error) *error = reason;
    return reason.status;
}

static enum status check_kind(const struct matrix *matrix, const struct vector_wanted *wanted,
                              struct error *error)
{
    const struct csr *a = &matrix->csr;
    if (a->rows != wanted->size || a->cols != 1) {
        const char *others = matrix->notes.data ? strstr(matrix->notes.data, "also in the archive") : NULL;
        return error_at(error, STATUS_INPUT, matrix->path, 0, 0,
                        "it is %" PRId64 " x %" PRId64 "; the matrix has %" PRId64
                        " %s, so %s must be %" PRId64 " x 1%s%.*s",
                        a->rows, a->cols, wanted->size, wanted->lines, wanted->what, wanted->size,
                        others ? "; " : "", others ? (int)strcspn(others, "\n") : 0, others ? others : "");
    }
    if (matrix->field == FIELD_COMPLEX && !wanted->complex)
        return error_at(error, STATUS_INPUT, matrix->path, 0, 0,
                        "it is complex; the matrix is real, so %s must be real", wanted->what);
    if (matrix->field == FIELD_PATTERN)
        return error_at(error, STATUS_INPUT, matrix->path, 0, 0, "it is a pattern, but %s needs values",
                        wanted->what);
    return STATUS_OK;
}

enum status vector_load(const char *name, const struct vector_wanted *wanted, struct progress *progress,
                        struct vector *vector, struct error *error)
{
    const struct load_options options = {.limit = wanted->limit};
    struct matrix matrix;
    *vector = (struct vector){0};
    enum status status = matrix_load(name, &options, progress, &matrix, error);
    if (status != STATUS_OK) return status;
    status = check_kind(&matrix, wanted, error);
    if (status == STATUS_OK) status = take_entries(&matrix, vector, error);
    if (status != STATUS_OK) vector_free(vector);
    matrix_free(&matrix);
    return status;
}
