/* The header of a Matrix Market text: banner, comments, size line. Only files/market and the catalogue use
 * this. */
#ifndef SPARSIGHT_MATRIX_FILES_MARKET_HEADER_H
#define SPARSIGHT_MATRIX_FILES_MARKET_HEADER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "matrix/about.h"
#include "matrix/files/container.h"
#include "matrix/files/market/parse.h"
#include "matrix/matrix.h"
#include "matrix/mmio/mmio.h"

/* Maximum bytes of a line; comments may be longer. */
#define MARKET_LINE_BYTES ((size_t)64 << 10)

/* Make the type code of a file; and return the field and the symmetry of a type code. An unknown letter means
 * real, or general. */
void market_typecode(bool coordinate, enum field field, enum symmetry symmetry, MM_typecode *matcode);
enum field market_field(const MM_typecode matcode);
enum symmetry market_symmetry(const MM_typecode matcode);

struct market_header {
    struct market_shape shape;
    int64_t offset;     /* the first byte of the entries, counted from the beginning of the text */
    int64_t line;       /* the number of the line of this byte */
    int64_t column;     /* the column of that byte */
    char *rest;         /* bytes read beyond the header; freed by market_header_free */
    size_t rest_bytes;  /* at most MARKET_LINE_BYTES */
    struct text notes;  /* a line for each fault that lenient reading tolerated */
    struct about about; /* metadata from the comments between the banner and the size line */
};

/* Read the header. Afterwards the entries of a plain file begin at header->offset; those of a stream begin
 * with the bytes in header->rest, followed by those that container_read returns. Returns STATUS_INPUT with
 * the position of the fault, STATUS_LIMIT for sizes that matrix_check refuses. On failure *header need not be
 * freed. */
enum status market_header_read(struct container *container, const struct load_options *options,
                               struct market_header *header, struct error *error);

void market_header_free(struct market_header *header);

#endif
