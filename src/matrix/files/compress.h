/* Writing compressed files and zip archives: a stream whose bytes are packed into another one. */
#ifndef SPARSIGHT_MATRIX_FILES_COMPRESS_H
#define SPARSIGHT_MATRIX_FILES_COMPRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

struct archive;
struct gzip;

/* An open compressor, or zip archive. Start with {0}. */
struct compressor {
    FILE *file;              /* the stream of compressed bytes */
    FILE *into;              /* the caller's stream, which gets the packed bytes */
    struct archive *archive; /* NULL if the stream is not compressed, or compressed by gzip */
    struct gzip *gzip;       /* NULL if the stream is not compressed by gzip */
};

/* Make compressor->file a stream that compresses into `into` by the method that the ending of `path` names:
 * .gz, .bz2, .xz or .zst. With another ending, or path NULL, it is `into` itself. Returns STATUS_USAGE for
 * the endings of archives (.zip, .tar, .tar.*, .tgz), which are not written. All threads compress .gz, and
 * .zst if the library can; the bytes do not depend on the number of threads. */
enum status compressor_open(struct compressor *compressor, FILE *into, const char *path, struct error *error);

/* Return true if the ending of `path` names a compression, or an archive. */
bool compressor_packs(const char *path);

/* Make compressor->file a stream into a zip archive, whose members are stored without compression. The same
 * members always give the same bytes: no time is stored. Sizes and positions of more than 4 GiB are written
 * as zip64. STATUS_MEMORY, STATUS_UNAVAILABLE. */
enum status compressor_open_zip(struct compressor *compressor, FILE *into, struct error *error);

/* Begin a member of a zip archive. The caller then writes exactly its `size` bytes to compressor->file.
 * STATUS_IO. */
enum status compressor_member(struct compressor *compressor, const char *name, int64_t size,
                              struct error *error);

/* Write the remaining bytes. `into` stays open. Returns STATUS_IO with the text of errno if not all could be
 * written. */
enum status compressor_close(struct compressor *compressor, struct error *error);

#endif
