/* Partitions of graphs by METIS, where this build has that library. */
#ifndef SPARSIGHT_MATRIX_ORDERS_METIS_H
#define SPARSIGHT_MATRIX_ORDERS_METIS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/orders/graph.h"

/* Find the owner, 0 <= owner[v] < parts, of each vertex. Parts have about the same weight, and few edges
 * between them; with `volume`, few elements of a vector are exchanged between them (Karypis and Kumar, J.
 * Parallel Distrib. Comput. 48, 1998). `weights` are those of the vertices, at least 0; NULL: all are equal.
 * A part may stay empty. METIS runs in a separate process (apart_fill). STATUS_UNAVAILABLE without the
 * library, STATUS_LIMIT if the graph is too large for its integers, STATUS_MEMORY, STATUS_CANCELLED. */
enum status metis_partition(const struct graph *graph, const int32_t *weights, int64_t parts, int64_t seed,
                            bool volume, int32_t *owner, struct progress *progress, struct error *error);

#endif
