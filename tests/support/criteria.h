/* Shared by the tests of the criteria of formats. */
#ifndef SPARSIGHT_TESTS_SUPPORT_CRITERIA_H
#define SPARSIGHT_TESTS_SUPPORT_CRITERIA_H

#include "analysis/criteria.h"
#include "formats/format.h"

/* The matrix stored in a format with these parameters; the test fails if that fails. */
struct storage criteria_stored(const char *format, const char *parameters, enum precision precision,
                               const struct csr *a);

/* Its criteria, and those of a choice in double precision. */
struct criteria criteria_of_storage(const struct storage *storage, const struct csr *a);
struct criteria criteria_found(const char *format, const char *parameters, const struct csr *a);

/* Fail unless both are NaN, or differ by no more than rounding. `what` is the criterion's name. */
void criteria_near(double found, double expected, const char *format, const char *parameters,
                   const char *what);

#endif
