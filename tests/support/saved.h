/* Shared by the tests of saved reports: reports written by hand, added to a session, and compared. */
#ifndef SPARSIGHT_TESTS_SUPPORT_SAVED_H
#define SPARSIGHT_TESTS_SUPPORT_SAVED_H

#include <jansson.h>

#include "session/session.h"

#define MATRIX "gen:laplace2d,n=3" /* 9 x 9 with 33 entries */

/* The members of a kernel whose 30 samples took `us` microseconds each, for more members to follow. */
#define TIMES(us) "'samples': 30, 'time_us': " us ", 'median_us': " us ", 'low_us': " us ", 'high_us': " us

#define ROWS                                                                                        \
    "'kernels': [{'kernel': 'cpu/csr-omp', 'format': 'csr', 'backend': 'cpu', 'precision': 'f64', " \
    "'threads': 2, " TIMES("5") "}]"
#define NINE "'rows': 9, 'cols': 9, 'nnz': 33, "
#define SMALL "{'name': 's', 'rows': 1, 'cols': 1, 'nnz': 1, " ROWS "}\n"

/* A report as another build would write it, with a backend, a format and a parameter that this build does not
 * know. */
extern const char report_of_elsewhere[];

/* Load a matrix with no limits. */
void load_standard(struct session *session, const char *name);

/* Write a text, with each ' replaced by ". */
void write_quoted(const char *path, const char *text);

/* Open a file and add its results for the session's matrix. */
enum status take_saved(const char *path, struct session *session, struct error *error);

/* Fail the test, with the message, unless the results can be added. */
void expect_taken(const char *path, struct session *session);

/* Compare every column of every row of the file. */
void expect_rows(const struct results *results, const json_t *rows);

#endif
