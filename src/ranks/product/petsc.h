/* PETSc, loaded when its kernel is requested, so that neither building nor starting the program needs it. Its
 * functions are declared as in the documentation of PETSc 3.18, with 32-bit integers and 64-bit reals. */
#ifndef SPARSIGHT_RANKS_PRODUCT_PETSC_H
#define SPARSIGHT_RANKS_PRODUCT_PETSC_H

#include <mpi.h>
#include <stddef.h>

#include "base/error.h"
#include "ranks/ranks.h"

/* The called functions. Each returns 0 or an error number. */
struct petsc {
    int (*initialized)(int *done);
    int (*initialize)(void);
    int (*pop_signals)(void);
    int (*push_errors)(int (*handler)(void), void *context);
    int (*return_error)(void); /* an error handler that returns the number and prints nothing */
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
 * STATUS_UNAVAILABLE and the reason if it is missing, was built for another MPI, or uses other types of
 * numbers. The variable SPARSIGHT_PETSC names its file or folder. Collective: all ranks have it, or none. */
const struct petsc *petsc_load(const struct ranks *ranks, struct error *error);

/* Write the version of the library that was loaded, "3.18.5"; "" if none was. */
void petsc_version(char *version, size_t size);

#endif
