/* Writing compressed files: a stream whose bytes are compressed into another one. */
#ifndef SPARSIGHT_MATRIX_FILES_COMPRESS_H
#define SPARSIGHT_MATRIX_FILES_COMPRESS_H

#include <stdio.h>

#include "base/error.h"

struct archive;
struct gzip;

/* An open compressor. Start with {0}. */
struct compressor {
    FILE *file;              /* the stream of compressed bytes */
    FILE *into;              /* the caller's stream, which gets the compressed bytes */
    struct archive *archive; /* NULL if nothing is compressed, or by gzip */
    struct gzip *gzip;       /* NULL if it is not compressed by that */
};

/* Make compressor->file a stream that compresses into `into` as the ending of `path` says: .gz, .bz2, .xz or
 * .zst. With another ending, or path NULL, it is `into` itself. Returns STATUS_USAGE for archives (.zip,
 * .tar, .tar.*, .tgz), which are not written. All threads compress .gz, and .zst if the library has that; the
 * bytes do not depend on how many they are. */
enum status compressor_open(struct compressor *compressor, FILE *into, const char *path, struct error *error);

/* Write the remaining bytes. `into` stays open. Returns STATUS_IO with the text of errno if not all could be
 * written. */
enum status compressor_close(struct compressor *compressor, struct error *error);

#endif
