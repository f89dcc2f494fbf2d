/* Rows of a saved report's `kernels` as results. Only for the files of this folder. */
#ifndef SPARSIGHT_REPORT_SAVED_ROWS_H
#define SPARSIGHT_REPORT_SAVED_ROWS_H

#include <jansson.h>

#include "report/saved/reading.h"
#include "session/results.h"

/* The list `kernels` and the object `timing` of a report's matrix (see sparsight-report(5)) as results, so
 * that every kernel column has the report's value. Null or missing numbers are unknown. `path` is the file,
 * for errors: STATUS_INPUT names the row and the key at fault; STATUS_MEMORY. *results is {0} then. */
enum status saved_results(const json_t *matrix, const char *path, struct results *results,
                          struct error *error);

/* Two passes over the rows before any becomes a result. The first notes kernels that this build does not know
 * in results->foreign; the second adds a row's parameters to such a kernel. All rows with one name belong to
 * one kernel: a row with unknown parameters makes all of them foreign. */
void saved_note_kernel(struct reading *row, struct results *results);
void saved_note_parameters(struct reading *row, struct results *results);

/* Set the kernel of a row's result with its parameters and names, and nothing else. */
void saved_set_kernel(struct reading *row, struct results *results, struct result *result);

/* Set the parameter of this name; false if the table has none, or if it refuses the value. */
bool saved_put(const struct parameter *table, const char *name, const json_t *value,
               struct parameter_values *values);

/* Set all parameters of an object in one of two tables; the second may be NULL. Parameters missing in the
 * object become NaN. False if both tables lack a parameter or refuse its value. */
bool saved_put_all(const json_t *params, const struct parameter *table, struct parameter_values *values,
                   const struct parameter *further, struct parameter_values *further_values);

/* The row's estimate; there is none if it is null or missing. */
void saved_set_estimate(struct reading *row, struct estimate *estimate);

/* Set the forecast time of a row's result, for the report's state of the caches. */
void saved_set_prediction(struct reading *row, struct result *result);

#endif
