/* Reading and writing Matrix Market files with all cores. The format is that of Boisvert, Pozo and Remington,
 * "The Matrix Market exchange formats: initial design", NISTIR 5935, 1996. */
#ifndef SPARSIGHT_MATRIX_FILES_MARKET_MARKET_H
#define SPARSIGHT_MATRIX_FILES_MARKET_MARKET_H

#include "base/error.h"
#include "base/job.h"
#include "matrix/files/container.h"
#include "matrix/files/rows_file.h"
#include "matrix/matrix.h"

/* Read a matrix from an open container. A plain file is read by position, in parallel and twice, as build.h
 * requires, and none of its text is kept. A stream is parsed as it arrives, and its entries are kept until
 * they are placed. Fills in field, symmetry, coordinate, stored, duplicates, csr and notes of *matrix, and
 * does not change name and path. Errors have the path, the line and the column of the first fault in the
 * file. */
enum status market_read(struct container *container, const struct load_options *options,
                        struct progress *progress, struct matrix *matrix, struct error *error);

/* Write `a` to `file` as a Matrix Market coordinate file of this field and symmetry; unless that is general,
 * only the lower triangle is written. `comment` may be NULL. Values have the fewest digits that read back to
 * the same double. All threads format, each with a buffer of 2.6 MiB. Returns STATUS_IO, STATUS_MEMORY or
 * STATUS_CANCELLED; the file is then incomplete. */
enum status market_write(FILE *file, const struct csr *a, enum field field, enum symmetry symmetry,
                         const char *comment, struct progress *progress, struct error *error);

/* Write this process's part of such a file. Entries are formatted twice, once for the sizes of their texts.
 * Beside the threads' buffers, 8 bytes for 4096 entries. Collective; errors are those of market_write, the
 * same on all processes. */
enum status market_write_rows(const struct rows_file *file, enum field field, enum symmetry symmetry,
                              struct error *error);

#endif
