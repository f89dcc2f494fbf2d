/* Writing numbers as text, fast, as decimal.h reads them. The texts are not terminated. */
#ifndef SPARSIGHT_MATRIX_FILES_DECIMAL_WRITE_H
#define SPARSIGHT_MATRIX_FILES_DECIMAL_WRITE_H

#include <stdint.h>

/* Neither function writes more bytes than this. */
#define DECIMAL_BYTES 32

/* Write an integer at `out`. Returns the byte after it. */
char *decimal_write_integer(char *out, int64_t value);

/* Write the text that format_exact gives, with as few digits as read back to the same double, and no fewer
 * than it would find. decimal_start must have been called. Returns the byte after it. */
char *decimal_write(char *out, double value);

#endif
