/* Writing gzip files with all threads. The text is cut into blocks, which threads deflate at the same time,
 * each with the end of the block before as its dictionary; together they are one member, which every program
 * unpacks. So does pigz. The bytes do not depend on the number of threads, nor on the time. The formats are
 * RFC 1951 and 1952. */
#ifndef SPARSIGHT_MATRIX_FILES_GZIP_H
#define SPARSIGHT_MATRIX_FILES_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct gzip;

/* Begin to write compressed bytes into `into`, by as many threads as a parallel region would get.
 * STATUS_MEMORY; if the system gives fewer threads, those do it, or the caller's own. */
enum status gzip_open(struct gzip **gzip, FILE *into, struct error *error);

/* Compress bytes, which may wait for other threads. Returns false, with errno set, if not all could be
 * written.
 */
bool gzip_write(struct gzip *gzip, const char *bytes, size_t count);

/* Write the remaining bytes, and free. Returns false, with errno set, if not all could be written, now or
 * before. `into` stays open. */
bool gzip_close(struct gzip *gzip);

#endif
