/* The data of a saved report on a matrix, as a case without entries. Only for report/saved*.c. */
#ifndef SPARSIGHT_REPORT_SAVED_KNOWN_H
#define SPARSIGHT_REPORT_SAVED_KNOWN_H

#include <jansson.h>

#include "report/packed/numbers.h"
#include "report/saved/reading.h"
#include "session/session.h"

/* Begin a session of the matrix that the object of a report tells of, with all that it tells but runs. `path`
 * is the file, for errors and for what the absence says. STATUS_INPUT names the key at fault; STATUS_MEMORY.
 * The caller frees the session with session_free in any case. */
enum status known_session(const json_t *matrix, const char *path, size_t limit, struct session *session,
                          struct error *error);

/* The parts of that: each reads some keys of the object in `reading`, and sets what the case knows of them.
 */
void known_set_matrix(struct reading *reading, struct matrix *matrix, int64_t *nnz);
void known_set_numbers(struct reading *reading, struct matrix_case *of);
void known_set_lengths(struct reading *reading, const char *key, struct matrix_case *of);
void known_set_formats(struct reading *reading, struct matrix_case *of);
void known_set_carried(struct reading *reading, struct matrix_case *of);
void known_set_distribution(struct reading *reading, struct matrix_case *of);

/* Open what the object has packed; NULL if that fails. */
struct unpacker *known_unpacker(struct reading *reading);

/* Of a partition, whose numbers were read. */
void known_set_sketch(struct reading *row, const struct matrix_case *of, struct distributed *division);

#endif
