/* Constants of oneMKL's sparse BLAS (mkl_spblas.h), whose functions take 32-bit integers (LP64). */
#ifndef SPARSIGHT_KERNELS_LIBRARIES_MKL_H
#define SPARSIGHT_KERNELS_LIBRARIES_MKL_H

enum { MKL_BASE_ZERO = 0, MKL_NON_TRANSPOSE = 10, MKL_TRANSPOSE = 11, MKL_ROW_MAJOR = 101, MKL_COLUMN_MAJOR };
enum { MKL_GENERAL = 20, MKL_SYMMETRIC, MKL_TRIANGULAR = 23, MKL_LOWER = 40, MKL_UPPER, MKL_FULL };
enum { MKL_NON_UNIT = 50, MKL_MEMORY_AGGRESSIVE = 81 };

/* The kind of a matrix (MKL_GENERAL and so on), the triangle that counts, and whether its diagonal is 1. */
struct mkl_descr {
    int type, mode, diagonal;
};

/* The products or solves that the library is told to expect. */
#define MKL_CALLS 1000

#endif
