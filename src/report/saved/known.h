/* The data of a saved report on a matrix, as a case without entries. Only for the files of this folder. */
#ifndef SPARSIGHT_REPORT_SAVED_KNOWN_H
#define SPARSIGHT_REPORT_SAVED_KNOWN_H

#include <jansson.h>

#include "report/packed/numbers.h"
#include "report/saved/reading.h"
#include "session/session.h"

/* Begin a session for the matrix of this object of a report, with all its data except runs. `path` is the
 * file, for errors and for the reason why entries are absent. STATUS_INPUT names the key at fault;
 * STATUS_MEMORY. The caller frees the session with session_free in any case. */
enum status known_session(const json_t *matrix, const char *path, size_t limit, struct session *session,
                          struct error *error);

/* Its steps: each reads some keys of the object in `reading` into the case. */
void known_set_matrix(struct reading *reading, struct matrix *matrix, int64_t *nnz);
void known_set_numbers(struct reading *reading, struct matrix_case *of);
void known_set_lengths(struct reading *reading, const char *key, struct matrix_case *of);
void known_set_formats(struct reading *reading, struct matrix_case *of);
void known_set_carried(struct reading *reading, struct matrix_case *of);
void known_set_distribution(struct reading *reading, struct matrix_case *of);
void known_set_solves(struct reading *reading, struct matrix_case *of);

/* Visit the rows of a list of this name, up to the first fault. */
void known_rows(struct reading *reading, const json_t *list, const char *name, struct matrix_case *of,
                void (*visit)(struct reading *row, struct matrix_case *of));

/* Open the packed numbers of the object; NULL on failure. */
struct unpacker *known_unpacker(struct reading *reading);

/* Reads the sketch of a partition, whose numbers were read. */
void known_set_sketch(struct reading *row, const struct matrix_case *of, struct distributed *division);

#endif
