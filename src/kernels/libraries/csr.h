/* Shared by the kernels of libraries: CSR arrays for libraries with 32-bit integers, and products that a
 * library lacks or that fail. */
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

/* `prepare` and `run` of the kernels of libraries, which call the library of the kernel's backend with the
 * launch's number of threads, and restore the previous setting. A matrix without entries has no state and is
 * not passed on: libraries refuse it, or leave y unchanged. Preparing fails with STATUS_UNAVAILABLE if the
 * library cannot be used, or if offsets have 64 bits: the functions called are those for 32-bit integers. run
 * cannot return an error: a product that fails sets all of y to NaN, so that the check notices. */
enum status library_prepare(struct launch *launch, struct error *error);
void library_run(const struct launch *launch);

/* The elements from one vector of X, or of Y, to the next if these lie one behind the other, and from row to
 * row if they lie side by side: the leading dimension. It is at least 1. */
int library_x_stride(const struct launch *launch);
int library_y_stride(const struct launch *launch);

/* 1 or 0, as the factor of what is added or replaced, in single precision or in double. */
const void *library_factor(bool single, bool one);

/* Fail with the name of the call, and the words or number of its error. `memory` is true if it was out of
 * memory. */
enum status library_failed(const struct library *library, const char *what, bool memory, const char *words,
                           struct error *error);

/* The same with the number of the error, and the library's name for such numbers. */
enum status library_failed_with(const struct library *library, const char *what, bool memory,
                                const char *called, int number, struct error *error);

/* Set y to 0, by the threads that the kernel has. */
void library_clear(const struct launch *launch);

/* The table of parameters of a kernel that has none of its own. */
extern const struct parameter library_parameters[];

#endif
