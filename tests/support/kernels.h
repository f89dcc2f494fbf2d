/* Shared by the tests over all kernels. */
#ifndef SPARSIGHT_TESTS_SUPPORT_KERNELS_H
#define SPARSIGHT_TESTS_SUPPORT_KERNELS_H

#include "kernels/kernel.h"

/* All kernels, so that tests can name them. */
#define KERNEL(name) extern const struct kernel kernel_##name;
#include "kernels/kernels.def"
#undef KERNEL

/* Sets of a kernel's own parameters: the defaults, and each parameter over its range, also combined with each
   word of another parameter.
 */
struct sets {
    char text[64][96];
    int count;
};

struct sets sets_of(const struct kernel *kernel);

/* Return a matrix with 3000 columns and rows of these lengths, with entries at random positions. */
struct csr support_rows(int64_t rows, int64_t (*length)(int64_t i));

/* Lengths of 300 rows that are difficult for kernels; the last one is NULL. */
extern int64_t (*const support_lengths[])(int64_t i);

int64_t support_few(int64_t i); /* the last of these: one entry in 150 rows */

#endif
