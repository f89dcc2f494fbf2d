/* Rows of a saved report's `kernels` as results. Only for report/saved*.c. */
#ifndef SPARSIGHT_REPORT_SAVED_ROWS_H
#define SPARSIGHT_REPORT_SAVED_ROWS_H

#include <jansson.h>

#include "report/saved/reading.h"
#include "session/results.h"

/* The list `kernels` and the object `timing` of a report's matrix (see sparsight-report(5)) as results, so
 * that every kernel column has the value that the report has. Null or missing numbers are unknown. `path` is
 * the file, for errors: STATUS_INPUT names the row and the key at fault; STATUS_MEMORY. *results is {0}
 * then. */
enum status saved_results(const json_t *matrix, const char *path, struct results *results,
                          struct error *error);

/* Of each row, before any becomes a result: if this build does not know its kernel, note it in
 * results->foreign; and then, let that kernel have the row's parameters. All rows of a name are of the same
 * kernel: one with parameters that this build does not know makes all of them foreign. */
void saved_note_kernel(struct reading *row, struct results *results);
void saved_note_parameters(struct reading *row, struct results *results);

/* The kernel of a row with its parameters and names, which are all that is set. */
void saved_set_kernel(struct reading *row, struct results *results, struct result *result);

/* Put a value where the table has a parameter of this name; false if it has none, or one that does not take
 * the value. */
bool saved_put(const struct parameter *table, const char *name, const json_t *value,
               struct parameter_values *values);

/* Put all parameters of an object where one of two tables has them, of which the second may be NULL; NaN is
 * what the object lacks. False if both tables lack one, or do not take its value. */
bool saved_put_all(const json_t *params, const struct parameter *table, struct parameter_values *values,
                   const struct parameter *further, struct parameter_values *further_values);

/* The row's estimate; there is none if it is null or missing. */
void saved_set_estimate(struct reading *row, struct estimate *estimate);

/* Set the forecast time of a row's result, in whichever state the report has caches in. */
void saved_set_prediction(struct reading *row, struct result *result);

#endif
