/* Kernels that read values by bytes: as indices into a table of few distinct values (formats/unique.h), or as
 * one value of all entries. Such a kernel has a parameter `values` with these words. C and C++ both include
 * this. */
#ifndef SPARSIGHT_KERNELS_TOLD_H
#define SPARSIGHT_KERNELS_TOLD_H

/* The encoding of values. */
enum { TOLD_BYTE, TOLD_FULL, TOLD_ONE };
extern const char *const told_words[];
#define TOLD_HELP "bits of a value: 8 are an index into a table of up to 256 values"

/* The same for kernels that also support TOLD_ONE. */
extern const char *const told_words_or_one[];
#define TOLD_HELP_OR_ONE TOLD_HELP "; 0: all are equal"

#endif
