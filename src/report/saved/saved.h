/* Reports saved as JSON, read back: results of another machine or of an earlier time. */
#ifndef SPARSIGHT_REPORT_SAVED_SAVED_H
#define SPARSIGHT_REPORT_SAVED_SAVED_H

#include <jansson.h>

#include "base/error.h"
#include "matrix/matrix.h"
#include "session/runs.h"
#include "session/session.h"

struct saved;

/* Read a file: a JSON report, or JSON lines, plain or compressed. This checks only the form; saved_add checks
 * the data of a matrix. limit: the limit in bytes, 0: the default of memory_check; reading needs about ten
 * times the file's length. Errors: STATUS_IO, STATUS_INPUT with line and column if it is not JSON, without
 * them if it is not a report of this schema; STATUS_MEMORY, STATUS_LIMIT. *saved is NULL then. The caller
 * frees with saved_close. */
enum status saved_open(const char *path, size_t limit, struct saved **saved, struct error *error);

/* True if the name ends in .json or .jsonl, like the names of saved reports; those of matrices do not. */
bool saved_is_named(const char *name);

/* The matrices of all documents in the file, in their order, as objects of a report; and the
 * origin (report/origin.h) of the first document or line that tells it; NULL if none does. The report owns
 * both. */
const json_t *saved_matrices(const struct saved *saved);
const json_t *saved_about(const struct saved *saved);

/* The errors of the matrices that could not be read, as objects of a report; the report owns them. */
const json_t *saved_errors(const struct saved *saved);

/* The path given to saved_open. */
const char *saved_path(const struct saved *saved);

/* Add the file's results for this case's matrix to the runs, each run labelled with the file's name and the
 * host's processor. The matrix is identified by rows, columns and entries; if several match, by its name too.
 * If it occurs more than once, as in appended lines, each occurrence is a run. STATUS_INPUT with a list of
 * the file's matrices if it is missing; STATUS_INPUT if it has no kernels although the case has its entries,
 * or if a number of a kernel is invalid; STATUS_LIMIT if there are too many runs; STATUS_MEMORY. Runs added
 * before the failure remain. */
enum status saved_add(const struct saved *saved, const struct matrix_case *of, struct runs *runs,
                      struct error *error);

/* Begin a session for a matrix of saved reports without its file (session_start_known). The numbers and the
 * carried data of the report become those of the case, which is shown; saved_add adds runs. The matrix is the
 * one of this name, or if `name` is NULL the only one, in its natural order. If several reports have it, the
 * first one that carries a pattern is used, else the first. `limit` is that of the session. STATUS_USAGE with
 * a list of the matrices if there is no such matrix, or more than one; STATUS_INPUT if the report's data are
 * inconsistent; STATUS_MEMORY. The caller frees the session with session_free in any case. */
enum status saved_session(struct saved *const *saved, int count, const char *name, size_t limit,
                          struct session *session, struct error *error);

/* Begin a session for matrix k of the file without the matrix's own file: the numbers, the carried data and
 * the results of the report become those of the case, in the report's order, and nothing is computed.
 * STATUS_INPUT if the report's data are inconsistent; STATUS_MEMORY. The report must outlive the session,
 * which the caller frees with session_free in any case. */
enum status saved_case(const struct saved *saved, size_t k, size_t limit, struct session *session,
                       struct error *error);

/* True if one of the reports has a matrix of this name. */
bool saved_has(struct saved *const *saved, int count, const char *name);

/* Call `take` for each matrix of the file that has results, with its name, the mean of its row lengths (NaN
 * if missing), and its results. Stops when `take` fails. STATUS_INPUT as saved_add. */
typedef enum status saved_take(void *argument, const char *name, double mean, const struct results *results,
                               struct error *error);
enum status saved_each(const struct saved *saved, saved_take *take, void *argument, struct error *error);

/* Write all runs of the shown case made in this session as a JSON report, with the matrix once for each run,
 * and mark them as saved. The file appears whole or not at all (base/output.h). The session must have
 * REPORT_NEEDS. STATUS_IO, STATUS_MEMORY. */
enum status saved_write(struct session *session, const char *path, struct error *error);

/* Free the result of saved_open; accepts NULL. */
void saved_close(struct saved *saved);

#endif
