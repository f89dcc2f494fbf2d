/* What the kernels of libraries have in common: the arrays of CSR, as libraries with 32-bit integers take
 * them, and products that a library cannot be asked for or fails at. */
#ifndef SPARSIGHT_KERNELS_LIBRARIES_CSR_H
#define SPARSIGHT_KERNELS_LIBRARIES_CSR_H

#include "kernels/kernel.h"
#include "kernels/libraries/library.h"

/* The matrix of a launch. The arrays are the storage's; libraries that do not copy them read them in place,
 * and none writes to them. */
struct library_csr {
    int rows, cols, entries;
    int *row_ptr, *col;
    void *val; /* float or double, as `single` says */
    bool single;
};

/* `prepare` and `run` of the kernels of libraries, which ask the library of the kernel's backend with as many
 * threads as the launch has, and set what was set before again. A matrix without entries has no state and is
 * not handed on: libraries refuse it, or leave y as it is. Preparing fails with STATUS_UNAVAILABLE if the
 * library cannot be used, or if offsets have 64 bits: the functions called are those for 32-bit integers. A
 * product that fails, which run cannot say, becomes NaN in all of y, so that the check tells. */
enum status library_prepare(struct launch *launch, struct error *error);
void library_run(const struct launch *launch);

/* The elements from one vector of X, or of Y, to the next if these lie one behind the other, and from row to
 * row if they lie side by side: the leading dimension. It is at least 1. */
int library_x_stride(const struct launch *launch);
int library_y_stride(const struct launch *launch);

/* 1 or 0, as the factor of what is added or replaced, in single precision or in double. */
const void *library_factor(bool single, bool one);

/* Fail with what the library was asked for, and the words or number with which it failed. `memory` says that
 * it found no memory. */
enum status library_failed(const struct library *library, const char *what, bool memory, const char *words,
                           struct error *error);

/* The same with the number with which it failed, and what the library calls such numbers. */
enum status library_failed_with(const struct library *library, const char *what, bool memory,
                                const char *called, int number, struct error *error);

/* Set y to 0, by the threads that the kernel has. */
void library_clear(const struct launch *launch);

/* The table of parameters of a kernel that has none of its own. */
extern const struct parameter library_parameters[];

#endif
