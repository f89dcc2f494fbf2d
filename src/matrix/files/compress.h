/* Writing compressed files: a stream whose bytes are compressed into another one. */
#ifndef SPARSIGHT_MATRIX_FILES_COMPRESS_H
#define SPARSIGHT_MATRIX_FILES_COMPRESS_H

#include <stdio.h>

#include "base/error.h"

struct archive;

/* Start with {0}. */
struct compressor {
    FILE *file; /* to be written to */
    FILE *into; /* the caller's, which gets the compressed bytes */
    struct archive *archive;
};

/* A stream that writes into `into` as the ending of `path` asks for: .gz, .bz2, .xz or .zst; any other, or
 * path NULL: `into` itself. STATUS_USAGE for archives (.zip, .tar, .tar.*, .tgz), which are not written. */
enum status compressor_open(struct compressor *compressor, FILE *into, const char *path, struct error *error);

/* Write what is left. `into` stays open. STATUS_IO with errno's text if not all could be written. */
enum status compressor_close(struct compressor *compressor, struct error *error);

#endif
