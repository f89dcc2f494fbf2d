/* Reading vectors from files: an x to multiply with, or a b to compare A x with. */
#ifndef SPARSIGHT_MATRIX_FILES_VECTOR_H
#define SPARSIGHT_MATRIX_FILES_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/vector.h"

/* Requirements on a vector. */
struct vector_wanted {
    const char *what;  /* the vector's name, for messages: "x" */
    const char *lines; /* the unit of `size`: "columns" */
    int64_t size;
    bool complex; /* the matrix is complex, and the vector may be, too */
    size_t limit; /* in bytes, as for loading matrices */
};

/* Load a vector by a name such as the command line has for a MATRIX: a file, ARCHIVE:MEMBER, or "-". The
 * file's matrix must be size x 1, as an array or in coordinates; unlisted elements are 0. Returns
 * STATUS_INPUT if it has another size, is complex although the matrix is real, has no values, or has a value
 * that is not finite. The caller frees *vector with vector_free; on failure it is {0}. */
enum status vector_load(const char *name, const struct vector_wanted *wanted, struct progress *progress,
                        struct vector *vector, struct error *error);

#endif
