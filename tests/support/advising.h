/* Advice from results that tests make by hand. */
#ifndef SPARSIGHT_TESTS_SUPPORT_ADVISING_H
#define SPARSIGHT_TESTS_SUPPORT_ADVISING_H

#include "session/advice.h"
#include "session/session.h"

/* A tridiagonal matrix: 1000 rows, 2998 entries, rows of 2 and 3 entries. */
#define ADVISING_MATRIX "gen:banded,n=1000,lower=1,upper=1"
#define ADVISING_ENTRIES 2998
#define ADVISING_CSR (ADVISING_ENTRIES * 12 + 1001 * 4)

/* Open a matrix, with estimates for an H200. Returns its results, which are empty. */
struct results *advising_load(struct session *session, const char *name);

/* Add a case of the same matrix in the order rcm, without results. */
struct matrix_case *advising_reorder(struct session *session);

/* Add a result of a kernel of the host or of a GPU that was not run, in double precision or in this
 * precision. */
struct result *advising_add(struct results *results, const struct kernel *kernel, size_t bytes);
struct result *advising_add_in(struct results *results, const struct kernel *kernel, enum precision precision,
                               size_t bytes);

/* Give the result a measured time, and a conversion of `convert` seconds. */
void advising_time(struct result *result, double seconds, double around, double convert);

/* Give the result a forecast for an H200 or for this processor, whose whole time belongs to one term. */
void advising_forecast(struct result *result, double seconds, enum bound bound);

/* The advice in double precision; valid until the next call. */
const struct advices *advising(struct session *session);

#endif
