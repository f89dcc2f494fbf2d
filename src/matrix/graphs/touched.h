/* The vertices of a matrix that have an entry, for matrices most of whose vertices have none. */
#ifndef SPARSIGHT_MATRIX_GRAPHS_TOUCHED_H
#define SPARSIGHT_MATRIX_GRAPHS_TOUCHED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "matrix/csr.h"

/* The vertices are those of components.h. `graph` has the vertices with an entry in their row or column, in
 * the same order, and all entries, without values. `alone` is the number of the other vertices. */
struct touched {
    struct csr graph;
    int64_t alone;
};

/* Return true if so few vertices can have an entry that leaving out the others pays off. */
bool touched_are_few(const struct csr *a);

/* Return the bytes that touched_make takes, with the graph. */
size_t touched_bytes(const struct csr *a);

/* Make the graph of touched vertices, at most INT32_MAX of them. O(nnz log rows + vertices / 64), one thread.
 * touched_free frees it, also after a failure. STATUS_MEMORY. */
enum status touched_make(const struct csr *a, struct touched *touched, struct error *error);

void touched_free(struct touched *touched);

#endif
