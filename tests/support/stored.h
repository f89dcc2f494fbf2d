/* Shared by the worked examples of formats: matrices of data/, storing them, and arrays as written by
 * hand. */
#ifndef SPARSIGHT_TESTS_SUPPORT_STORED_H
#define SPARSIGHT_TESTS_SUPPORT_STORED_H

#include "matrix/csr.h"
#include "support/storing.h"

/* The matrix that the command line calls so; "pmpp.mtx" is the file in data/, "tests/..." one beside it in
 * the sources, "gen:..." is generated. Fails the test if it cannot be loaded. Free with csr_free. */
struct csr stored_matrix(const char *name);

/* `a` as a list of formats names it: "ell:layout=rows". Fails the test if that is refused, or if the storage
 * does not validate. Free with storage_free. */
struct storage stored_with(const char *format, const struct storing *options, const struct csr *a);
struct storage stored(const char *format, const struct csr *a); /* usual options */

/* The status and the message of storing `a` (static memory). */
enum status stored_status(const char *format, const struct storing *options, const struct csr *a,
                          const char **message);

/* The array called `name`, which must be there. */
const struct array *stored_array(const struct storage *storage, const char *name);

/* Fails unless the array called `name` reads as in `text`: its elements separated by blanks, as array_text
 * writes them. A * stands for any element of padding. */
void stored_expect(const struct storage *storage, const char *name, const char *text);

/* Fails unless validation refuses the storage with this in its message. */
void stored_refused(const struct storage *storage, const char *message);

/* Store `a` with the first, second, ... allocation failing, until none does: always STATUS_MEMORY, and
 * nothing left behind. */
void stored_sweep(const char *format, const struct csr *a);

#endif
