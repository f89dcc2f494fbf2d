/* Reading vectors from files: an x to multiply with, or a b to hold A x against. */
#ifndef SPARSIGHT_MATRIX_FILES_VECTOR_H
#define SPARSIGHT_MATRIX_FILES_VECTOR_H

#include <stdint.h>

#include "base/error.h"
#include "base/job.h"

/* Load what the command line calls a MATRIX (a file, ARCHIVE:MEMBER, "-") as a vector of `size` doubles. It
 * has to be real or integer and size x 1, as an array or in coordinates; places that are not listed are 0.
 * For messages, `what` names the vector ("x") and `lines` what the matrix has `size` of ("columns"). `limit`
 * is that of loading matrices. Returns STATUS_INPUT if it has another size, is complex, has no values, or one
 * that is not finite. The caller frees *vector; on failure it is NULL. */
enum status vector_load(const char *name, const char *what, const char *lines, int64_t size, size_t limit,
                        struct progress *progress, double **vector, struct error *error);

#endif
