/* Exchanging elements of x between ranks, from and to the host's memory, overlapped with computation. */
#ifndef SPARSIGHT_RANKS_PRODUCT_EXCHANGE_H
#define SPARSIGHT_RANKS_PRODUCT_EXCHANGE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "kernels/product.h"
#include "ranks/product/plan.h"
#include "ranks/ranks.h"

/* An exchange, set up once and repeated for each product. Start with {0}; free with exchange_close. */
struct exchange {
    const struct plan *plan; /* the caller's */
    struct product product;
    size_t size; /* of an element */
    int threads; /* that pack the sent elements */
    char *sent;  /* the packed elements to send; the caller's if given */
    bool own;    /* the exchange owns `sent` */
    MPI_Request *request;
    int requests;
};

/* Set up the exchange of elements of `size` bytes (4, 8 or 16), of all vectors of X of this product, into the
 * array `halo`: plan->halo elements of each vector, in the product's layout. Message k has its elements
 * vector by vector, or row by row, as in the product. `sent` has room for plan->sends elements of each
 * vector; NULL: it is allocated. Not collective, but all ranks must have set up before one of them begins.
 * STATUS_MEMORY. */
enum status exchange_open(const struct ranks *ranks, const struct plan *plan, struct product product,
                          size_t size, int threads, void *halo, void *sent, struct exchange *exchange,
                          struct error *error);

/* Pack the elements of the array x that other ranks need. */
void exchange_pack(struct exchange *exchange, const void *x);

/* Begin the exchange of the packed elements, and wait for its end: the halo is then complete, and elements
 * may be packed anew. In between the arrays must not be used. */
void exchange_begin(struct exchange *exchange);
void exchange_end(struct exchange *exchange);

void exchange_close(struct exchange *exchange);

#endif
