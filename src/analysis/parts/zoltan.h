/* The partitions of hypergraphs by Zoltan, which finds them over ranks: src/ranks/parts/zoltan.c. Only for
 * the two folders. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_ZOLTAN_H
#define SPARSIGHT_ANALYSIS_PARTS_ZOLTAN_H

#include <stdint.h>

/* The parameters of both partitions; the last one is of `hypergraph` only. */
enum { ZOLTAN_IMBALANCE, ZOLTAN_SEED, ZOLTAN_WEIGHTS };

/* Maximum number of entries of a matrix that is divided entry by entry: Zoltan takes some 200 bytes for each,
 * and some 7 us of the time of one rank (measured for gen:laplace3d,n=30 in 16 parts). */
#define FINEGRAIN_ENTRIES ((int64_t)1 << 22)

#endif
