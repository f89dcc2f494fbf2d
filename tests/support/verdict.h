/* The message of the check of products on a vector. */
#ifndef SPARSIGHT_TESTS_SUPPORT_VERDICT_H
#define SPARSIGHT_TESTS_SUPPORT_VERDICT_H

#include "base/error.h"
#include "formats/format.h"
#include "matrix/csr.h"

/* The verdict on y as A x, or as start + A x unless start is NULL: the status of reference_check, and its
 * message. Vectors are as kernels of the precision have them, and are freed. */
enum status support_verdict(const struct csr *a, enum precision precision, void *x, void *y, void *start,
                            double *max_error, struct error *error);

#endif
