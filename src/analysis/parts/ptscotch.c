/* Partitions by PT-Scotch, which finds them over the ranks that hold the matrix:
 * src/ranks/parts/ptscotch.c.
 */
#include "analysis/parts/partition.h"
#include "analysis/parts/scotch.h"
#include "config.h"

const struct partitioner partitioner_ptscotch = {
    .name = "ptscotch",
    .summary = "the same, computed by the ranks of sparsight-mpi; no rank holds the whole pattern",
    .source = "Chevalier and Pellegrini, Parallel Computing 34, 2008; the library PT-Scotch",
    .package = "libptscotch-dev",
    .square = true,
    .ranked = true,
    .parameters = scotch_parameters,
#ifndef HAVE_PTSCOTCH
    .absent = true,
#endif
};
