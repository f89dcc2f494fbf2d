/* Unpacking gzip files, with their checksums. libarchive's own filter reads the checksum at the end of a file
 * and does not compare it, so that it takes changed bytes for the text. The format is RFC 1952. */
#ifndef SPARSIGHT_MATRIX_FILES_GUNZIP_H
#define SPARSIGHT_MATRIX_FILES_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct gunzip;

/* Get the next bytes of the file, which stay until the next call. Returns how many there are, 0 at the end,
 * -1 on failure. */
typedef ssize_t gunzip_source(void *context, const void **bytes);

/* Return true if a file begins as one of gzip does. */
bool gunzip_begins(const char *bytes, size_t count);

/* Return NULL with STATUS_MEMORY if there is no memory. */
struct gunzip *gunzip_open(gunzip_source *source, void *context, struct error *error);

/* Begin again: the source is at the first byte of the file. */
void gunzip_restart(struct gunzip *gunzip);

/* Unpack the next bytes, which stay until the next call. Several members are one text, as for gzip, and bytes
 * after the last one are ignored. Returns how many bytes there are, 0 at the end, where the checksum was
 * right, or -1: then *error has STATUS_INPUT or STATUS_MEMORY, unless the source has failed. A failure stays.
 */
ssize_t gunzip_next(struct gunzip *gunzip, const void **bytes, struct error *error);

/* Free it; NULL is allowed. */
void gunzip_close(struct gunzip *gunzip);

#endif
