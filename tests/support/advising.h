/* Advice from results that tests make by hand. */
#ifndef SPARSIGHT_TESTS_SUPPORT_ADVISING_H
#define SPARSIGHT_TESTS_SUPPORT_ADVISING_H

#include "session/advice.h"
#include "session/session.h"

/* A tridiagonal matrix: 1000 rows, 2998 entries, rows of 2 and 3 entries. */
#define ADVISING_MATRIX "gen:banded,n=1000,lower=1,upper=1"
#define ADVISING_ENTRIES 2998
#define ADVISING_CSR (ADVISING_ENTRIES * 12 + 1001 * 4)

/* Open a matrix, with an H200 as the GPU that kernels are estimated for; its results, of which there are
 * none. */
struct results *advising_load(struct session *session, const char *name);

/* Add a case of the same matrix in another order, rcm, in which nothing is known yet. */
struct matrix_case *advising_reorder(struct session *session);

/* Add a result that was not run, in double precision or this one; the kernels are of the host or of a GPU. */
struct result *advising_add(struct results *results, const struct kernel *kernel, size_t bytes);
struct result *advising_add_in(struct results *results, const struct kernel *kernel, enum precision precision,
                               size_t bytes);

/* Let the result have been timed; converting took `convert` seconds. */
void advising_time(struct result *result, double seconds, double around, double convert);

/* Forecast it, for an H200 or this processor: all of the time is one term's. */
void advising_forecast(struct result *result, double seconds, enum bound bound);

/* The advice in double precision, which stays until it is asked for again. */
const struct advices *advising(struct session *session);

#endif
