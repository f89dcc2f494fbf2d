/* Writing values into narrow fields. */
#ifndef SPARSIGHT_DRAWING_NUMBER_H
#define SPARSIGHT_DRAWING_NUMBER_H

#include <stddef.h>

/* Write a value in at most `wide` characters, 7 or more, with as many digits as fit; "#" if not even one
 * does. */
char *number_text(char *out, size_t size, double value, int wide);

#endif
