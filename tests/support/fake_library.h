/* A fake library that replaces oneMKL, AOCL-Sparse, librsb, SuiteSparse:GraphBLAS and Arm Performance
 * Libraries. Like src/kernels/libraries, it follows their documentation. It has their functions, multiplies
 * in plain loops, and has the faults that the environment requests:
 *
 *     FAKE_LIBRARY=FUNCTION=ACTION    fail, memory (it fails for lack of it), exit, crash, hang, wrong (the
 *                                     last row is one too large), old (an old version), insist (on another
 *                                     layer), print
 *     FAKE_LARGE=1                    only with matrices of more than 4 rows
 *     FAKE_MARK=FILE                  FILE is made when the library is loaded
 *
 * It is compiled a second time as a library that lacks the last function of each (LACKING). Tests read the
 * last request in fake_seen. Each library has a separate file, such as fake_mkl.c; fake_library.c has the
 * shared code. */
#ifndef FAKE_LIBRARY_H
#define FAKE_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

/* The last request. */
struct fake_seen {
    int threads;   /* the threads of a product */
    int optimized; /* matrices that were analysed or tuned */
    int alive;     /* matrices that were not freed */
};
extern struct fake_seen fake_seen;

/* A matrix, or a vector of GraphBLAS. */
struct fake_matrix {
    int rows, cols, entries;
    const int *row_ptr, *col;
    const void *val;
    bool single;
    uint64_t *wide_row_ptr, *wide_col; /* GraphBLAS' own */
    void *data;                        /* the elements of a vector */
    uint64_t bytes;
};

/* The fault of a function for a matrix of this number of rows; "" for none. Faults that end or stop the
 * program are done here. */
const char *fake_fault(const char *function, int rows);

/* Return 0, or if the function must fail, the code of a failure or of missing memory. */
int fake_outcome(const char *function, int rows, int failure, int memory);

/* The caller keeps the arrays. */
struct fake_matrix *fake_matrix_new(int rows, int cols, int entries, const int *row_ptr, const int *col,
                                    const void *val, bool single);

/* Frees GraphBLAS' own arrays too; takes NULL. */
void fake_matrix_free(struct fake_matrix *a);

/* y = beta y + A x, for a function that may be asked to give a wrong result. */
void fake_multiply(const char *function, const struct fake_matrix *a, const void *x, double beta, void *y,
                   int threads);

/* Element e of a vector whose numbers have the precision of the matrix. */
double fake_number_at(const struct fake_matrix *a, const void *vector, int64_t e);

/* The distances between elements of a vector, and between vectors. */
struct fake_apart {
    int64_t element, vector;
};

/* The distances in vectors one behind the other, or side by side, with this leading dimension. */
struct fake_apart fake_apart_of(bool by_rows, int stride);

/* Y = beta Y + A X, or A^T X, for vectors with the distances `x` and `y`. */
void fake_multiply_several(const char *function, const struct fake_matrix *a, bool transposed, int columns,
                           const void *x, struct fake_apart x_apart, double beta, void *y,
                           struct fake_apart y_apart, int threads);

#endif
