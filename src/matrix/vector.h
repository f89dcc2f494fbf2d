/* Vectors with which matrices are multiplied, or with which products are compared. */
#ifndef SPARSIGHT_MATRIX_VECTOR_H
#define SPARSIGHT_MATRIX_VECTOR_H

/* The elements of a vector. The struct owns both arrays, and vector_free frees them. The caller keeps the
 * number of elements. */
struct vector {
    double *real;
    double *imaginary; /* NULL if all elements are real */
};

/* Free the arrays; *vector becomes {0}. It accepts {0}. */
void vector_free(struct vector *vector);

#endif
