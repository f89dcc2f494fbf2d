/* Unpacking the members of a gzip file by several threads, ahead of the reader. The members of a BGZF file
 * (SAM specification, section 4.1: at most 64 KiB each) have their size in an extra field. Other files of
 * several members, such as those that `cat a.gz b.gz` makes, are cut where the header of another member may
 * begin. Such a cut is a guess, which is right only if the member before it ends exactly there, with the right
 * checksum and length. The caller unpacks a member that is wrong, larger than 8 MiB or alone, and all bytes
 * after it, one after the other. The text and the errors are the same as without this. At most some 80 MiB
 * wait for the reader. */
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
