/* Reports that were saved as JSON, read back: what kernels did on another machine, or at another time. */
#ifndef SPARSIGHT_REPORT_SAVED_SAVED_H
#define SPARSIGHT_REPORT_SAVED_SAVED_H

#include <jansson.h>

#include "base/error.h"
#include "matrix/matrix.h"
#include "session/runs.h"
#include "session/session.h"

struct saved;

/* Read a file: a JSON report, or JSON lines, plain or compressed. This checks only the form; saved_add checks
 * the data on a matrix. limit: its limit in bytes, 0: the default of memory_check; some ten times its length
 * are needed. Errors: STATUS_IO, STATUS_INPUT with line and column if it is not JSON, without them if it is
 * not a report of this schema; STATUS_MEMORY, STATUS_LIMIT. *saved is NULL then. The caller frees with
 * saved_close. */
enum status saved_open(const char *path, size_t limit, struct saved **saved, struct error *error);

/* True if the name ends as those of saved reports do, in .json or .jsonl: no matrix is called so. */
bool saved_is_named(const char *name);

/* The matrices of all documents in the file, in their order: objects of a report. And what the first document
 * says of itself, an object with `version` and `host`; NULL if the file has lines alone. Both stay the
 * report's. */
const json_t *saved_matrices(const struct saved *saved);
const json_t *saved_about(const struct saved *saved);

/* The file, as it was named to saved_open. */
const char *saved_path(const struct saved *saved);

/* Add what was run on this case's matrix to the runs, each run labelled with the file's name and the host's
 * processor. The matrix is found by rows, columns and entries; if there are several of these, by its name
 * too. Of one that occurs more than once, as in lines that were written one after another, each is a run.
 * STATUS_INPUT if it is not there, saying which are, or not with kernels although the case has its entries,
 * or if its kernels' numbers are none; STATUS_LIMIT if there are too many runs, STATUS_MEMORY. Those that
 * were added before that stay. */
enum status saved_add(const struct saved *saved, const struct matrix_case *of, struct runs *runs,
                      struct error *error);

/* Begin a session of a matrix of saved reports without having the matrix (session_start_known): what the
 * report tells and carries of it becomes what is known of the case, which is shown; runs are added by
 * saved_add. The matrix is the one of this name, or if `name` is NULL the only one; its natural order alone
 * is looked for. If several reports have it, the first counts that carries a pattern, else the first. `limit`
 * is that of the session. STATUS_USAGE if there is no such matrix, or more than one, saying which are;
 * STATUS_INPUT if what the report says of it makes no sense, STATUS_MEMORY. The caller frees the session with
 * session_free in any case. */
enum status saved_session(struct saved *const *saved, int count, const char *name, size_t limit,
                          struct session *session, struct error *error);

/* True if one of the reports has a matrix of this name. */
bool saved_has(struct saved *const *saved, int count, const char *name);

/* Let `take` have each matrix of the file that kernels were run on: its name, the mean of its row lengths
 * (NaN if the file does not say), and its results. Stops when that fails. STATUS_INPUT as saved_add. */
typedef enum status saved_take(void *argument, const char *name, double mean, const struct results *results,
                               struct error *error);
enum status saved_each(const struct saved *saved, saved_take *take, void *argument, struct error *error);

/* Write all runs of the shown case that were made here as a JSON report, which has the matrix once for each
 * run, and mark them as saved. The file appears whole or not at all (base/output.h). The session must have
 * REPORT_NEEDS. STATUS_IO, STATUS_MEMORY. */
enum status saved_write(struct session *session, const char *path, struct error *error);

/* Free what saved_open has made; NULL is taken too. */
void saved_close(struct saved *saved);

#endif
