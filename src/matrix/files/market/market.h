/* Matrix Market files, fast: parsed by all cores, in the two passes that build.h asks for.
 * The format is Boisvert, Pozo and Remington, NISTIR 5935 (1996). */
#ifndef SPARSIGHT_MATRIX_FILES_MARKET_MARKET_H
#define SPARSIGHT_MATRIX_FILES_MARKET_MARKET_H

#include "base/error.h"
#include "base/job.h"
#include "matrix/files/container.h"
#include "matrix/matrix.h"

/* Read a matrix from an open container member. Plain files are read in place by position (twice, in parallel,
 * nothing kept); streams are parsed as they arrive, and their entries kept until they are placed.
 * Fills field, symmetry, coordinate, stored, duplicates, csr and notes of *matrix; leaves name and path
 * alone. Errors carry container_path, line and column (bytes, from 1) of the first thing wrong in the file.
 */
enum status market_read(struct container *container, const struct load_options *options,
                        struct progress *progress, struct matrix *matrix, struct error *error);

/* Write `a` as a Matrix Market coordinate file to `file`: field and symmetry as given (symmetric kinds write
 * the lower triangle only). Values are written with the fewest digits that read back to the same double.
 * Formatted by all threads; 2.6 MiB a thread for that. Cancelling leaves the file incomplete. Errors:
 * STATUS_IO, STATUS_MEMORY, STATUS_CANCELLED. */
enum status market_write(FILE *file, const struct csr *a, enum field field, enum symmetry symmetry,
                         const char *comment, struct progress *progress, struct error *error);

#endif
