/* PETSc, loaded when its kernel is asked for, so that neither building nor starting the program needs it. Its
 * functions are declared as in the documentation of PETSc 3.18, with integers of 32 bits and real numbers
 * of 64. */
#ifndef SPARSIGHT_RANKS_PRODUCT_PETSC_H
#define SPARSIGHT_RANKS_PRODUCT_PETSC_H

#include <mpi.h>
#include <stddef.h>

#include "base/error.h"
#include "ranks/ranks.h"

/* The functions that are called. Each returns 0, or the number of an error. */
struct petsc {
    int (*initialized)(int *done);
    int (*initialize)(void);
    int (*pop_signals)(void);
    int (*push_errors)(int (*handler)(void), void *context);
    int (*return_error)(void); /* a handler that returns the number and prints nothing */
    int (*version)(char *text, size_t size);
    int (*type_of)(const char *name, int *type, int *known);
    int (*size_of)(int type, size_t *size);
    int (*mat_create)(MPI_Comm all, int rows, int cols, int all_rows, int all_cols, const int *row_ptr,
                      const int *col, const double *val, void **mat);
    int (*vec_create)(MPI_Comm all, int block, int size, int all_size, const double *data, void **vec);
    int (*mult)(void *mat, void *x, void *y);
    int (*mult_add)(void *mat, void *x, void *plus, void *y);
    int (*mat_destroy)(void **mat);
    int (*vec_destroy)(void **vec);
};

/* Return the functions of the library, which is loaded and started by the first call; NULL with
 * STATUS_UNAVAILABLE and the reason if it is not there, is of another MPI, or works with other numbers. The
 * variable SPARSIGHT_PETSC names the file or the folder that it is in. Collective: all ranks have it, or
 * none. */
const struct petsc *petsc_load(const struct ranks *ranks, struct error *error);

/* Write the version of the library that was loaded, "3.18.5"; "" if none was. */
void petsc_version(char *version, size_t size);

#endif
