/* Fuzz targets read matrices in several ways, and compare the results. */
#ifndef SPARSIGHT_TESTS_FUZZ_READERS_H
#define SPARSIGHT_TESTS_FUZZ_READERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "matrix/files/reader.h"
#include "matrix/matrix.h"

/* Matrices of fuzz targets take no more than this. */
#define FUZZ_LIMIT ((size_t)1 << 20)

/* Load MEMORY_FILE, or the member that `path` names in it. Ends the process if the result is no valid matrix,
 * or if a file stays open. */
enum status fuzz_load(const char *path, const struct load_options *options, struct matrix *matrix,
                      struct error *error);

/* End the process unless two matrices have the same bits; of NaNs, which have many, any will do if `text`.
 * `what` names both. */
void fuzz_same(const struct matrix *a, const struct matrix *b, bool text, const char *what);

/* Read these bytes as a file of this format in all ways: in place, as a stream, leniently; write the result
 * and read that. The ways must agree. Returns 1 if the file was read. */
int fuzz_read(const char *reader, const struct load_options *options, const uint8_t *data, size_t size);

#endif
