/* The header of a Matrix Market text: banner, comments, size line. Only for matrix/market*.c. */
#ifndef SPARSIGHT_MATRIX_FILES_MARKET_HEADER_H
#define SPARSIGHT_MATRIX_FILES_MARKET_HEADER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "matrix/files/container.h"
#include "matrix/files/market/parse.h"
#include "matrix/mmio/mmio.h"

/* A line may be this long; comments may be longer. */
#define MARKET_LINE_BYTES ((size_t)64 << 10)

/* The type code of a file, and what it says of the matrix. A letter that is none is taken for real, or
 * general. */
void market_typecode(bool coordinate, enum field field, enum symmetry symmetry, MM_typecode *matcode);
enum field market_field(const MM_typecode matcode);
enum symmetry market_symmetry(const MM_typecode matcode);

struct market_header {
    struct market_shape shape;
    int64_t offset;    /* of the first byte after the header */
    int64_t line;      /* number of the line that begins there, or that ends there with the text */
    int64_t column;    /* of that byte in the line */
    char *rest;        /* bytes already read from there on; freed by market_header_free */
    size_t rest_bytes; /* at most MARKET_LINE_BYTES */
    struct text notes; /* what lenient reading overlooked */
};

/* Read the header. A plain file's entries begin at header->offset; of a stream the bytes in header->rest come
 * before what container_read gives next. Refuses sizes that the bytes of a plain file, the memory or 32-bit
 * indices cannot hold. On failure *header need not be freed. */
enum status market_header_read(struct container *container, bool lenient, size_t limit,
                               struct market_header *header, struct error *error);

void market_header_free(struct market_header *header);

#endif
