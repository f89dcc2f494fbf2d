/* Unpacking the members of a BGZF file (SAM specification, section 4.1: gzip members of at most 64 KiB, whose
 * extra field has their size) by several threads, ahead of the reader. The caller unpacks a member of another
 * form, and all bytes after it, one after the other. The text and the errors are the same as without this. */
#ifndef SPARSIGHT_MATRIX_FILES_GUNZIP_AHEAD_H
#define SPARSIGHT_MATRIX_FILES_GUNZIP_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "matrix/files/gunzip.h"

struct ahead;

/* *ahead becomes NULL if only one thread is available: the caller then unpacks all members. STATUS_MEMORY. */
enum status ahead_open(gunzip_source *source, void *context, struct ahead **ahead, struct error *error);

/* Begin again, with the source at the first byte of the file. */
void ahead_restart(struct ahead *ahead);

/* Return the number of bytes of the next text, which stays valid until the next call; 0 if no member of this
 * form follows. *some becomes true once there was one. */
ssize_t ahead_text(struct ahead *ahead, const void **bytes, bool *some);

/* After ahead_text has returned 0: get the bytes of the file from the first member that was not unpacked. It
 * is a gunzip_source. */
ssize_t ahead_bytes(struct ahead *ahead, const void **bytes);

/* Free everything; NULL is allowed. */
void ahead_close(struct ahead *ahead);

#endif
