/* Data that a JSON report carries beside the numbers of a matrix, to show it without the matrix: the object
 * `carried` of sparsight-report(5), with the cells of the pattern and the lengths of all rows and columns,
 * packed (report/packed). */
#ifndef SPARSIGHT_REPORT_JSON_CARRIED_H
#define SPARSIGHT_REPORT_JSON_CARRIED_H

#include <jansson.h>

#include "session/session.h"

/* Default maximum of the bytes of `carried` (session.carry). */
#define CARRIED_BYTES ((size_t)64 << 10)

/* Maximum number of cells along a side of the pattern, and of stretches of rows or columns. */
#define CARRIED_SIDE 1024
#define CARRIED_STRETCHES 4096

/* The parts of the session that it is made from, as far as available. */
#define CARRIED_WANTS (SESSION_PYRAMID | SESSION_COL_PTR)

/* The object of a case in its natural order, in at most session->carry bytes. null for another order, if
 * session->carry is 0, and if nothing fits. NULL without memory. */
json_t *carried_json(const struct session *session, const struct matrix_case *matrix_case);

/* The object `carried` of a partition of this number of rows, in at most *most bytes, from which its size is
 * subtracted; null if that is too little, or if there are no pictures of the partition. NULL without
 * memory. */
json_t *carried_parts_json(const struct distributed *division, int64_t rows, size_t *most);

#endif
