/* The parts of a JSON report. */
#ifndef SPARSIGHT_REPORT_JSON_JSON_H
#define SPARSIGHT_REPORT_JSON_JSON_H

#include <jansson.h>

#include "columns/columns.h"
#include "session/session.h"

/* A column's value as a string, a number, an object or null. NULL without memory. */
json_t *value_json(struct value value);

/* The columns of a table as an object, in which a dot of a key leads into an object. NULL without memory. */
json_t *columns_json(const struct column *table, const struct subject *subject);

/* The list `formats`: an object for each conversion of a case, in their order. NULL without memory. */
json_t *formats_json(const struct matrix_case *matrix_case);

/* The list `kernels`: an object for each result of a case. NULL without memory. */
json_t *kernels_json(const struct matrix_case *matrix_case);

/* The object `distribution`; null if it was not requested. NULL without memory. */
json_t *distribution_json(const struct session *session, const struct matrix_case *matrix_case);

/* The object `timing`: the settings of timing, and the machine's measurements; null if no kernel was
 * requested. NULL without memory. */
json_t *timing_json(const struct matrix_case *matrix_case);

/* The object `solve`, of a case with solves. NULL without memory. */
json_t *solve_json(const struct session *session, const struct matrix_case *matrix_case);

/* The object `trisolve`, of a case with timed triangular solves. NULL without memory. */
json_t *trisolves_json(const struct matrix_case *matrix_case);

/* The object `advice`: by precision and machine (processor, GPU), {} if no kernel is timed or forecast.
 * NULL without memory. */
json_t *advice_json(const struct session *session, const struct matrix_case *matrix_case);

/* A figure of a machine. Unmeasured or non-finite numbers become null. */
json_t *figure_json(double figure);

#endif
