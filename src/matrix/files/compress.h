/* Writing compressed files and zip archives: a stream whose bytes are packed into another one. */
#ifndef SPARSIGHT_MATRIX_FILES_COMPRESS_H
#define SPARSIGHT_MATRIX_FILES_COMPRESS_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

struct archive;
struct gzip;

/* An open compressor, or zip archive. Start with {0}. */
struct compressor {
    FILE *file;              /* what is written to */
    FILE *into;              /* the caller's stream, which gets the packed bytes */
    struct archive *archive; /* NULL if nothing is packed, or by gzip */
    struct gzip *gzip;       /* NULL if it is not compressed by that */
};

/* Make compressor->file a stream that compresses into `into` as the ending of `path` says: .gz, .bz2, .xz or
 * .zst. With another ending, or path NULL, it is `into` itself. Returns STATUS_USAGE for archives (.zip,
 * .tar, .tar.*, .tgz), which are not written. All threads compress .gz, and .zst if the library has that; the
 * bytes do not depend on how many they are. */
enum status compressor_open(struct compressor *compressor, FILE *into, const char *path, struct error *error);

/* Make compressor->file a stream into a zip archive, whose members are stored without compression. The same
 * members give the same bytes at any time. Sizes and positions of more than 4 GiB are written as zip64.
 * STATUS_MEMORY, STATUS_UNAVAILABLE. */
enum status compressor_open_zip(struct compressor *compressor, FILE *into, struct error *error);

/* Begin a member of a zip archive, whose `size` bytes the caller then writes to compressor->file, all of
 * them. STATUS_IO. */
enum status compressor_member(struct compressor *compressor, const char *name, int64_t size,
                              struct error *error);

/* Write what is left. `into` stays open. Returns STATUS_IO with the text of errno if not all could be
 * written. */
enum status compressor_close(struct compressor *compressor, struct error *error);

#endif
