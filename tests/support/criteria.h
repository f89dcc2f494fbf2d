/* Shared by the tests of the criteria of formats. */
#ifndef SPARSIGHT_TESTS_SUPPORT_CRITERIA_H
#define SPARSIGHT_TESTS_SUPPORT_CRITERIA_H

#include "analysis/criteria.h"
#include "formats/format.h"

/* Return the matrix in a format with these parameters. Fails the test if it cannot be stored. */
struct storage criteria_stored(const char *format, const char *parameters, enum precision precision,
                               const struct csr *a);

/* Return the criteria of a storage, and those of a choice in double precision. */
struct criteria criteria_of_storage(const struct storage *storage, const struct csr *a);
struct criteria criteria_found(const char *format, const char *parameters, const struct csr *a);

/* Fail the test unless both are NaN, or differ only by rounding. `what` is the criterion's name. */
void criteria_near(double found, double expected, const char *format, const char *parameters,
                   const char *what);

#endif
