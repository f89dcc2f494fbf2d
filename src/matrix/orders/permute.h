/* Applying permutations to matrices and vectors. */
#ifndef SPARSIGHT_MATRIX_ORDERS_PERMUTE_H
#define SPARSIGHT_MATRIX_ORDERS_PERMUTE_H

#include "matrix/orders/order.h"

/* STATUS_INPUT unless from[0..count-1] are the indices 0..count-1, each once; the message counts from 1 and
 * names the first index that is out of range or repeated, and both its positions. Takes a bit an index.
 * STATUS_MEMORY. */
enum status permutation_check(const struct permutation *permutation, struct error *error);

/* Fill in the inverse, to[from[k]] = k: line i of the natural matrix becomes line to[i]. */
void permutation_invert(const int32_t *from, int64_t count, int32_t *to);

/* Make *out the description of the matrix in that order: all but the entries and the notes. It is symmetric
 * if `matrix` is and rows and columns are permuted alike; general otherwise. The entries of `matrix` may be
 * missing. STATUS_MEMORY; on failure *out is {0}. */
enum status permute_description(const struct matrix *matrix, const struct permutation *permutation,
                                struct matrix *out, struct error *error);

/* Make *out the matrix in the order of the permutation, with rows sorted by column and the description
 * above. In parallel; O(nnz + rows + cols), and O(len log len) for each row whose columns move. STATUS_LIMIT
 * if the copy has no room within `limit` beside the matrix, STATUS_MEMORY, STATUS_CANCELLED; on failure *out
 * is {0}. */
enum status permute_matrix(const struct matrix *matrix, const struct permutation *permutation, size_t limit,
                           struct progress *progress, struct matrix *out, struct error *error);

/* The source of a reordered matrix: products with it are checked against those with the natural one. */
struct natural {
    const struct csr *a;        /* the natural matrix */
    const int32_t *rows, *cols; /* the permutations of its rows and columns; NULL: as they are */
};

/* Permute a vector, out[k] = in[from[k]]; and permute it back, out[from[k]] = in[k]. With from = NULL they
 * copy it. Parallel. */
void permute_vector(const int32_t *from, int64_t count, const double *in, double *out);
void permute_back(const int32_t *from, int64_t count, const double *in, double *out);

/* Return the bytes moved to permute this number of elements of `size` bytes: each is read and written once,
 * and its index of 4 bytes is read. */
int64_t permute_bytes(int64_t count, size_t size);

/* Return the seconds for one product in double precision that permuting x, and permuting y back, take
 * together: the median of several measurements; 0 if neither is permuted, NaN without memory for the
 * vectors. */
double permute_seconds(const struct csr *a, const struct permutation *permutation, struct progress *progress);

#endif
