/* Writing gzip files with all threads. The text is cut into blocks, which threads deflate at the same time,
 * each with the end of the block before as its dictionary; together they are one member, which every program
 * unpacks (as pigz does). The bytes do not depend on the number of threads, nor on the time. The formats are
 * RFC 1951 and 1952. */
#ifndef SPARSIGHT_MATRIX_FILES_GZIP_H
#define SPARSIGHT_MATRIX_FILES_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct gzip;

/* Begin to write compressed bytes into `into`, with the number of threads of a parallel region. If the system
 * gives fewer threads, these compress, or the caller's own. STATUS_MEMORY. */
enum status gzip_open(struct gzip **gzip, FILE *into, struct error *error);

/* Compress bytes; this may wait for other threads. Returns false, with errno set, if not all could be
 * written.
 */
bool gzip_write(struct gzip *gzip, const char *bytes, size_t count);

/* Write the remaining bytes, and free. Returns false, with errno set, if not all could be written, now or
 * before. `into` stays open. */
bool gzip_close(struct gzip *gzip);

#endif
