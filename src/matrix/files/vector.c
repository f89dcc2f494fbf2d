#include "matrix/files/vector.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/matrix.h"

/* Copy the entries of a matrix of one column; rows without an entry become 0. */
static enum status take_entries(const struct matrix *matrix, double *vector, struct error *error)
{
    const struct csr *a = &matrix->csr;
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t k = a->row_ptr[i];
        vector[i] = k < a->row_ptr[i + 1] ? a->val[k] : 0;
        if (!isfinite(vector[i]))
            return error_at(error, STATUS_INPUT, matrix->path, 0, 0,
                            "row %" PRId64 " is %g: a vector must be finite", i + 1, vector[i]);
    }
    return STATUS_OK;
}

static enum status check_kind(const struct matrix *matrix, const char *what, const char *lines, int64_t size,
                              struct error *error)
{
    const struct csr *a = &matrix->csr;
    if (a->rows != size || a->cols != 1) {
        const char *others = matrix->notes.data ? strstr(matrix->notes.data, "also in the archive") : NULL;
        return error_at(error, STATUS_INPUT, matrix->path, 0, 0,
                        "it is %" PRId64 " x %" PRId64 "; the matrix has %" PRId64
                        " %s, so %s must be %" PRId64 " x 1%s%.*s",
                        a->rows, a->cols, size, lines, what, size, others ? "; " : "",
                        others ? (int)strcspn(others, "\n") : 0, others ? others : "");
    }
    if (matrix->field == FIELD_COMPLEX)
        return error_at(error, STATUS_INPUT, matrix->path, 0, 0, "it is complex; %s must be real", what);
    if (matrix->field == FIELD_PATTERN)
        return error_at(error, STATUS_INPUT, matrix->path, 0, 0, "it is a pattern: %s needs values", what);
    return STATUS_OK;
}

enum status vector_load(const char *name, const char *what, const char *lines, int64_t size, size_t limit,
                        struct progress *progress, double **vector, struct error *error)
{
    const struct load_options options = {.limit = limit};
    struct matrix matrix;
    *vector = NULL;
    enum status status = matrix_load(name, &options, progress, &matrix, error);
    if (status != STATUS_OK) return status;
    status = check_kind(&matrix, what, lines, size, error);
    if (status == STATUS_OK) {
        *vector = memory_array((size_t)size, sizeof **vector, error);
        status = *vector ? take_entries(&matrix, *vector, error) : STATUS_MEMORY;
    }
    if (status != STATUS_OK) {
        free(*vector);
        *vector = NULL;
    }
    matrix_free(&matrix);
    return status;
}
