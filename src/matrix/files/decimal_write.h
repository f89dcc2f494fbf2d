/* Numbers as text, fast: the writing side of decimal.h. Nothing is terminated. */
#ifndef SPARSIGHT_MATRIX_FILES_DECIMAL_WRITE_H
#define SPARSIGHT_MATRIX_FILES_DECIMAL_WRITE_H

#include <stdint.h>

/* The most bytes that either takes. */
#define DECIMAL_BYTES 32

/* Write a number's digits at `out`. Returns the byte after them. */
char *decimal_write_integer(char *out, int64_t value);

/* Write the text that format_exact gives, the fewest digits that read back to the same double. decimal_start
 * must have been called. Returns the byte after it. */
char *decimal_write(char *out, double value);

#endif
