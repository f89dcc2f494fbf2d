/* Writing a distributed matrix to a file: each rank writes the part of its rows. */
#ifndef SPARSIGHT_RANKS_WRITE_H
#define SPARSIGHT_RANKS_WRITE_H

#include "base/error.h"
#include "matrix/files/reader.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* STATUS_UNAVAILABLE if ranks do not write this format together, or not compressed as the ending of the path
 * says, with the remedy. Not collective. */
enum status share_check_output(const struct reader *writer, const char *path, struct error *error);

/* Write the matrix to a regular file: the bytes that writer->write gives for the whole. share->matrix needs
 * the field, the symmetry and the number of duplicates. The file has a temporary name, in a folder that all
 * ranks must see, until it is complete (base/output.h); on failure nothing of it is left. A rank takes the
 * memory of writer->write_rows, at most 2.6 MiB for each thread and 8 bytes a row.
 *
 * STATUS_UNAVAILABLE as above, and if the path is that of something else; STATUS_IO, STATUS_MEMORY; on all
 * ranks alike. Collective. */
enum status share_write(const struct ranks *ranks, const struct share *share, const struct reader *writer,
                        const char *comment, const char *path, struct error *error);

#endif
