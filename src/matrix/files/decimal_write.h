/* Writing numbers fast, as texts that decimal.h reads. No 0 byte terminates the texts. */
#ifndef SPARSIGHT_MATRIX_FILES_DECIMAL_WRITE_H
#define SPARSIGHT_MATRIX_FILES_DECIMAL_WRITE_H

#include <stdint.h>

/* Neither function writes more bytes than this. */
#define DECIMAL_BYTES 32

/* Write an integer at `out`. Returns the byte after it. */
char *decimal_write_integer(char *out, int64_t value);

/* Write the same text as format_exact, with the fewest digits that read back to the same double.
 * decimal_start must have been called. Returns the byte after it. */
char *decimal_write(char *out, double value);

#endif
