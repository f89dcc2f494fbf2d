/* Unpacking the members of a BGZF file (SAM specification, section 4.1: gzip members of at most 64 KiB, whose
 * extra field has their size) by several threads, ahead of their reader. A member that is not as expected in
 * any way is left to the caller, as are all bytes behind it: they are then unpacked one after the other, with
 * the same text and the same errors as without this. */
#ifndef SPARSIGHT_MATRIX_FILES_GUNZIP_AHEAD_H
#define SPARSIGHT_MATRIX_FILES_GUNZIP_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "matrix/files/gunzip.h"

struct ahead;

/* *ahead becomes NULL if one thread alone would work: then members are unpacked one by one. STATUS_MEMORY. */
enum status ahead_open(gunzip_source *source, void *context, struct ahead **ahead, struct error *error);

/* Begin again, with the source at the first byte of the file. */
void ahead_restart(struct ahead *ahead);

/* Return the number of bytes of the next text, which stays until the next call; 0 if there is no further
 * member of this kind. *some becomes true once there was one. */
ssize_t ahead_text(struct ahead *ahead, const void **bytes, bool *some);

/* After ahead_text has returned 0: get the bytes of the file from the first member on that was not unpacked.
 * As a gunzip_source. */
ssize_t ahead_bytes(struct ahead *ahead, const void **bytes);

/* NULL is allowed. */
void ahead_close(struct ahead *ahead);

#endif
