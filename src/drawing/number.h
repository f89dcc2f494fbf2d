/* Values in narrow fields. */
#ifndef SPARSIGHT_DRAWING_NUMBER_H
#define SPARSIGHT_DRAWING_NUMBER_H

#include <stddef.h>

/* Write a value in at most `wide` characters (at least 7), with as many digits as fit; "#" if none do. */
char *number_text(char *out, size_t size, double value, int wide);

#endif
