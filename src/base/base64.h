/* Bytes as letters, for media that carry only text (RFC 4648, section 4). */
#ifndef SPARSIGHT_BASE_BASE64_H
#define SPARSIGHT_BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Write n bytes as letters into out, which has room for 4 ceil(n / 3) letters and is not terminated. Returns
 * their number. If a text is encoded in pieces, each piece except the last must be a multiple of three
 * bytes. */
size_t base64_encode(const unsigned char *bytes, size_t n, char *out);

/* Read n letters, of which the last ones may be `=`, into out, which has room for 3 n / 4 bytes; *used
 * becomes the number of bytes. False if n is not a multiple of four, or if a character is not a letter of
 * base64. */
bool base64_decode(const char *letters, size_t n, unsigned char *out, size_t *used);

/* Append n bytes as letters to a text. */
void base64_append(struct text *text, const void *bytes, size_t n);

#endif
