/* Shared by the tests over all kernels. */
#ifndef SPARSIGHT_TESTS_SUPPORT_KERNELS_H
#define SPARSIGHT_TESTS_SUPPORT_KERNELS_H

#include "kernels/kernel.h"

/* All kernels, which tests ask for by name. */
#define KERNEL(name) extern const struct kernel kernel_##name;
#include "kernels/kernels.def"
#undef KERNEL

/* Sets of a kernel's own parameters: the defaults, each one over its range, and after each word of another.
 */
struct sets {
    char text[64][96];
    int count;
};

struct sets sets_of(const struct kernel *kernel);

/* Rows of these lengths, at most the 3000 columns that there are, with entries at random positions. */
struct csr support_rows(int64_t rows, int64_t (*length)(int64_t i));

/* Lengths of 300 rows that kernels could trip over; the last one is NULL. */
extern int64_t (*const support_lengths[])(int64_t i);

int64_t support_few(int64_t i); /* the last of them: one entry in 150 rows */

#endif
