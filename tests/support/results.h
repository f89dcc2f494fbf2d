/* Results of kernels made by hand, and their numbers by key. */
#ifndef SPARSIGHT_TESTS_SUPPORT_RESULTS_H
#define SPARSIGHT_TESTS_SUPPORT_RESULTS_H

#include "columns/columns.h"
#include "session/results.h"

/* The results by hand; COUNT of them. */
enum { SEQ, OMP, ELL, FAST_ELL, WRONG, LONE, SINGLE, COUNT };

/* A kernel that reads another format than CSR, which make_ell_kernel makes before the tests of a group. */
extern struct kernel ell_kernel;
int make_ell_kernel(void **state);

/* A result with this median in seconds, and its interval from low to high. */
struct result result_of_seconds(const struct kernel *kernel, enum precision precision, int threads,
                                double low, double time, double high);

/* Fill in items[0..COUNT-1]: kernels of CSR and ELL, one that is wrong, one alone with its threads, and one
 * alone with its precision. */
void results_by_hand(struct result *items);

/* Return the value of the column with this key, which must exist. */
struct value result_number(const struct results *results, const struct result *result, const char *key);

/* Fail the test unless that value equals this number up to rounding; NaN means null. */
void expect_result_number(const struct results *results, const struct result *result, const char *key,
                          double expected);

#endif
