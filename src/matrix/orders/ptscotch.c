/* Nested dissection by PT-Scotch, over the ranks that hold the matrix: src/ranks/orders/ptscotch.c. */
#include "matrix/orders/ptscotch.h"

#include "config.h"
#include "matrix/orders/order.h"

static const struct parameter parameters[] = {
    [DISSECTION_APPLY] = ORDER_APPLY("symmetric"),
    [DISSECTION_SEED] = SEED_OF("PT-Scotch's random choices"),
    {0},
};

const struct order order_ptscotch = {
    .name = "ptscotch",
    .summary = "nested dissection by the ranks of sparsight-mpi; no rank holds the whole pattern",
    .source = "Chevalier and Pellegrini, Parallel Computing 34, 2008; the library PT-Scotch",
    .package = "libptscotch-dev",
    .ranked = true,
    .lines = LINES_VERTICES,
    .usual = APPLY_SYMMETRIC,
    .parameters = parameters,
#ifndef HAVE_PTSCOTCH
    .absent = true,
#endif
};
