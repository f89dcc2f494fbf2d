/* The two sources of entries that market_read hands to build_csr: a plain file, read by position as often as
 * the builder asks, and a stream, parsed once and kept. Only for matrix/market*.c. */
#ifndef SPARSIGHT_MATRIX_FILES_MARKET_SOURCE_H
#define SPARSIGHT_MATRIX_FILES_MARKET_SOURCE_H

#include "base/error.h"
#include "base/job.h"
#include "matrix/build.h"
#include "matrix/files/container.h"
#include "matrix/files/market/header.h"

/* What reading the entries found out besides the matrix. */
struct market_findings {
    bool non_integers;
    bool pattern_values;
};

/* Build the matrix. `source` comes with all but blocks, self and functions filled in. Errors carry the place
 * of the first thing wrong in the file. Cost: plain files are read twice. Memory: plain files need the CSR
 * arrays and a few hundred KiB a thread, streams 16 bytes an entry more (complex: 24). */
enum status market_build_plain(struct container *container, const struct market_header *header,
                               struct source *source, struct progress *progress, struct csr *a,
                               struct build_result *result, struct market_findings *findings,
                               struct error *error);
enum status market_build_stream(struct container *container, const struct market_header *header,
                                struct source *source, struct progress *progress, struct csr *a,
                                struct build_result *result, struct market_findings *findings,
                                struct error *error);

/* The faults that concern the number of entries; line and column as found. */
enum status market_too_many(const struct container *container, const struct market_header *header,
                            int64_t line, struct error *error);
enum status market_too_few(const struct container *container, const struct market_header *header,
                           int64_t found, int64_t line, int64_t column, struct error *error);

/* A line of data longer than MARKET_LINE_BYTES. */
enum status market_too_long(const struct container *container, int64_t line, struct error *error);

#endif
