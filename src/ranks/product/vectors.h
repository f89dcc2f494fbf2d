/* A rank's part of the vectors of products, in one precision, and the reference for its part of y. The
 * elements are those of a single process (kernels/timing/operands.h), for any number of ranks. */
#ifndef SPARSIGHT_RANKS_PRODUCT_VECTORS_H
#define SPARSIGHT_RANKS_PRODUCT_VECTORS_H

#include <stdint.h>

#include "base/error.h"
#include "formats/choice.h"
#include "kernels/product.h"
#include "kernels/timing/operands.h"
#include "ranks/product/split.h"

/* Make the operands for a product y = A x or y += A x of one or several vectors, unless they were made, from
 * a seed (0 means 1). Their rows are this rank's elements of y, and their columns its elements of x. The
 * reference computes its elements of x from the seed and receives none, so that it also detects a wrong
 * exchange. Not collective. STATUS_UNAVAILABLE if the product is transposed; STATUS_MEMORY; STATUS_LIMIT if
 * they take more than `limit` bytes (0: the default of memory_check). On failure they are {0}. O(own entries
 * columns). */
enum status vectors_make(const struct split *split, enum precision precision, struct product product,
                         uint64_t seed, size_t limit, struct operands *vectors, struct error *error);

#endif
