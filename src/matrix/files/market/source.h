/* The two sources of entries that market_read gives to build_csr: a plain file, which is read by position
 * whenever the builder asks, and a stream, whose entries are parsed once and kept. Only files/market uses
 * this. */
#ifndef SPARSIGHT_MATRIX_FILES_MARKET_SOURCE_H
#define SPARSIGHT_MATRIX_FILES_MARKET_SOURCE_H

#include "base/error.h"
#include "base/job.h"
#include "matrix/build.h"
#include "matrix/files/container.h"
#include "matrix/files/market/header.h"

/* Findings in the entries (struct market_parser): faults that lenient reading tolerates, and numbers that no
 * double represents. */
struct market_findings {
    bool non_integers;
    bool pattern_values;
    struct market_changed {
        struct market_change change;
        int64_t block; /* the block of the first of these numbers, whose ordinal is counted within the
                          block */
        int64_t line;  /* its line; 0 if unknown */
    } changed[MARKET_CHANGES];
};

/* Add the findings of the parser of a block. The caller ensures that one thread at a time calls it. */
void market_add_findings(struct market_findings *findings, const struct market_parser *parser, int64_t block);

/* Build the matrix. The caller has filled in `source`, except blocks, self and the functions. Errors have the
 * position of the first fault in the file. Beside the CSR arrays a plain file takes a few hundred KiB a
 * thread, and a stream 16 bytes an entry, 24 if complex; if several processes build the matrix, a stream's
 * entries go into a temporary file (base/spill.h). */
enum status market_build_plain(struct container *container, const struct market_header *header,
                               struct source *source, struct progress *progress, struct csr *a,
                               struct build_result *result, struct market_findings *findings,
                               struct error *error);
enum status market_build_stream(struct container *container, const struct market_header *header,
                                struct source *source, struct progress *progress, struct csr *a,
                                struct build_result *result, struct market_findings *findings,
                                struct error *error);

/* Return STATUS_INPUT for more or fewer entries than in the header; `line` and `column` are the position of
 * the first surplus entry, or of the end. */
enum status market_too_many(const struct container *container, const struct market_header *header,
                            int64_t line, struct error *error);
enum status market_too_few(const struct container *container, const struct market_header *header,
                           int64_t found, int64_t line, int64_t column, struct error *error);

/* Return STATUS_INPUT because a line of data is longer than MARKET_LINE_BYTES. */
enum status market_too_long(const struct container *container, int64_t line, struct error *error);

#endif
