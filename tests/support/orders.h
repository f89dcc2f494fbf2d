/* Matrices and their orders for tests of matrix/orders. */
#ifndef SPARSIGHT_TESTS_SUPPORT_ORDERS_H
#define SPARSIGHT_TESTS_SUPPORT_ORDERS_H

#include "matrix/matrix.h"
#include "matrix/orders/order.h"

/* Compute the order of a matrix by this choice. Returns the status; *error has the message. */
enum status order_of_matrix(const char *text, const struct matrix *matrix, struct permutation *permutation,
                            struct error *error);

/* The same; a failure fails the test. The caller frees the result. */
struct permutation ordered_matrix(const char *text, const struct matrix *matrix);

/* Return a matrix named "made" that takes over the arrays of a csr. */
struct matrix made_matrix(struct csr a);

/* Fail the test unless the order is refused with this status and these words in its message. */
void expect_order_refused(const char *order, const struct matrix *matrix, enum status status,
                          const char *words);

#endif
