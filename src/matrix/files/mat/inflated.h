/* Reading a compressed variable at any position, without holding all of it in memory. Only files/mat uses
 * this.
 *
 * The variable is inflated once from its beginning to its end. On the way, points are noted at which
 * inflating can begin again, each with the 32 KiB of text before it (as in zran.c of zlib, Adler). Then a
 * part of the text is inflated from the point before it. Several threads read at once, and each chunk between
 * two points that is in use, and some more, stay in memory. There are at most some 1024 points, and a chunk
 * has at least 1 MiB. */
#ifndef SPARSIGHT_MATRIX_FILES_MAT_INFLATED_H
#define SPARSIGHT_MATRIX_FILES_MAT_INFLATED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/files/mat/elements.h"

struct inflated;

/* Open an element of `file` whose text has `size` bytes; inflate all of it, and compare its checksum. The
 * points are at least `spacing` bytes apart; 0: the standard. *inflated becomes NULL with STATUS_OK if the
 * points would be too far apart. STATUS_INPUT if it is damaged, STATUS_IO, STATUS_MEMORY. */
enum status inflated_open(const struct span *file, const struct element *element, int64_t size,
                          int64_t spacing, struct inflated **inflated, struct error *error);

/* Copy bytes of the text, which must be within it; a view_read. */
enum status inflated_read(void *inflated, int64_t at, void *out, size_t count, struct error *error);

void inflated_close(struct inflated *inflated);

#endif
