/* Vectors with which matrices are multiplied, or with which products are compared. */
#ifndef SPARSIGHT_MATRIX_VECTOR_H
#define SPARSIGHT_MATRIX_VECTOR_H

/* The elements of a vector, of which the struct owns both arrays; vector_free frees them. How many there are,
 * its user knows. */
struct vector {
    double *real;
    double *imaginary; /* NULL if all elements are real */
};

/* Free the arrays; *vector becomes {0}, which it may be before. */
void vector_free(struct vector *vector);

#endif
