/* Compression in the form of zlib (RFC 1950, RFC 1951), for pictures: bytes that repeat the byte before them,
 * or those of the row above, take almost no room. It is fast rather than small. */
#ifndef SPARSIGHT_DRAWING_DEFLATE_H
#define SPARSIGHT_DRAWING_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Append `count` bytes, compressed. `row` is how many bytes a row has. O(count). */
void deflate_write(const uint8_t *bytes, size_t count, size_t row, struct text *out);

#endif
