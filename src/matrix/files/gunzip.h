/* Unpacking gzip files (RFC 1952), with a check of their checksums. The filter of libarchive reads the
 * checksum at the end of a file and does not compare it, so that it accepts damaged files. */
#ifndef SPARSIGHT_MATRIX_FILES_GUNZIP_H
#define SPARSIGHT_MATRIX_FILES_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct gunzip;

/* Get the next bytes of the file, which stay until the next call. Return their number, 0 at the end, or -1 on
 * failure. */
typedef ssize_t gunzip_source(void *context, const void **bytes);

/* Return true if these are the first bytes of a gzip file. */
bool gunzip_begins(const char *bytes, size_t count);

/* Open a file that `source` reads with this context. Returns NULL with STATUS_MEMORY if memory is short. */
struct gunzip *gunzip_open(gunzip_source *source, void *context, struct error *error);

/* Begin again. The source must be at the first byte of the file. */
void gunzip_restart(struct gunzip *gunzip);

/* Unpack the next bytes, which stay valid until the next call. As in gzip, the texts of several members are
 * concatenated. Bytes after the last member are ignored; a byte 0x1f there begins another member. Returns the
 * number of bytes, or 0 at the end, if all checksums were right. Returns -1 on failure and on each later
 * call; *error then has STATUS_INPUT or STATUS_MEMORY, but is not set if the source has failed. */
ssize_t gunzip_next(struct gunzip *gunzip, const void **bytes, struct error *error);

/* Free everything; NULL is allowed. */
void gunzip_close(struct gunzip *gunzip);

#endif
