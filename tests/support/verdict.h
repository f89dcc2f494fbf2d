/* The message of the check of products on a vector. */
#ifndef SPARSIGHT_TESTS_SUPPORT_VERDICT_H
#define SPARSIGHT_TESTS_SUPPORT_VERDICT_H

#include "base/error.h"
#include "formats/format.h"
#include "matrix/csr.h"

/* Check y as A x, or if `start` is not NULL as start + A x. Returns the status of reference_check, with its
 * message. The vectors have the precision's type, and are freed. */
enum status support_verdict(const struct csr *a, enum precision precision, void *x, void *y, void *start,
                            double *max_error, struct error *error);

#endif
