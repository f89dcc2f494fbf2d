/* Partitions of hypergraphs by Zoltan, which finds them over the ranks that hold the matrix:
 * src/ranks/parts/zoltan.c. */
#include "analysis/parts/zoltan.h"

#include "analysis/parts/input.h"
#include "analysis/parts/partition.h"
#include "config.h"

static const char *const weightings[] = WEIGHT_WORDS;

#define IMBALANCE                                                                                       \
    {                                                                                                   \
        .name = "imbalance", .help = "allowed excess of a part over its share", .type = PARAMETER_REAL, \
        .min = 0, .max = 1, .standard = 0.03                                                            \
    }

static const struct parameter of_rows[] = {
    [ZOLTAN_IMBALANCE] = IMBALANCE,
    [ZOLTAN_SEED] = SEED_OF("Zoltan's random choices"),
    [ZOLTAN_WEIGHTS] = {.name = "weights",
                        .help = "quantity to balance: entries, or rows",
                        .type = PARAMETER_WORD,
                        .words = weightings},
    {0},
};

static const struct parameter of_entries[] = {
    [ZOLTAN_IMBALANCE] = IMBALANCE,
    [ZOLTAN_SEED] = SEED_OF("Zoltan's random choices"),
    {0},
};

const struct partitioner partitioner_hypergraph = {
    .name = "hypergraph",
    .summary = "rows by the hypergraph of columns, whose cut is the volume; by the ranks of sparsight-mpi",
    .source = "Catalyurek and Aykanat, IEEE Trans. Parallel Distrib. Syst. 10, 1999; Devine, Boman, Heaphy, "
              "Bisseling and Catalyurek, Proc. IPDPS 2006; the library Zoltan",
    .package = "libtrilinos-zoltan-dev",
    .ranked = true,
    .parameters = of_rows,
#ifndef HAVE_ZOLTAN
    .absent = true,
#endif
};

const struct partitioner partitioner_finegrain = {
    .name = "finegrain",
    .summary = "2D: entries one by one, by the hypergraph of rows and columns, of matrices with at most "
               "4,194,304 entries; by the ranks of sparsight-mpi",
    .source = "Catalyurek and Aykanat, Proc. IPDPS 2001; the library Zoltan",
    .package = "libtrilinos-zoltan-dev",
    .ranked = true,
    .entrywise = true,
    .parameters = of_entries,
#ifndef HAVE_ZOLTAN
    .absent = true,
#endif
};
