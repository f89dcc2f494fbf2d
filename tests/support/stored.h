/* Shared by the worked examples of formats: matrices of data/, their storages, and arrays written by hand. */
#ifndef SPARSIGHT_TESTS_SUPPORT_STORED_H
#define SPARSIGHT_TESTS_SUPPORT_STORED_H

#include "matrix/csr.h"
#include "support/storing.h"

/* Return the matrix of this name on the command line; "pmpp.mtx" is the file in data/, "tests/..." one beside
 * it in the sources, "gen:..." is generated. Fails the test if it cannot be loaded. Free with csr_free. */
struct csr stored_matrix(const char *name);

/* Return `a` in a format, named as in a list of formats: "ell:layout=rows". Fails the test if that is
 * refused, or if the storage does not validate. Free with storage_free. */
struct storage stored_with(const char *format, const struct storing *options, const struct csr *a);
struct storage stored(const char *format, const struct csr *a); /* with the default options */

/* Return the status of storing `a`; *message is in static memory. */
enum status stored_status(const char *format, const struct storing *options, const struct csr *a,
                          const char **message);

/* Return the array called `name`, which must exist. */
const struct array *stored_array(const struct storage *storage, const char *name);

/* Fail the test unless the array called `name` has the elements in `text`, separated by blanks and written by
 * array_text. A * stands for any element of padding. */
void stored_expect(const struct storage *storage, const char *name, const char *text);

/* Fail the test unless validation refuses the storage with these words in its message. */
void stored_refused(const struct storage *storage, const char *message);

/* Store `a` with the first, second, ... allocation failing, until none fails. Each failure must give
 * STATUS_MEMORY and leak nothing. */
void stored_sweep(const char *format, const struct csr *a);

#endif
