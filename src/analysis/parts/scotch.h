/* Parameters of the partitions by Scotch and PT-Scotch. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_SCOTCH_H
#define SPARSIGHT_ANALYSIS_PARTS_SCOTCH_H

#include "base/parameters.h"

enum { SCOTCH_STRATEGY, SCOTCH_IMBALANCE, SCOTCH_WEIGHTS, SCOTCH_SEED };

/* The values of SCOTCH_STRATEGY, in the order of its words. */
#define SCOTCH_STRATEGIES                                                                 \
    {                                                                                     \
        SCOTCH_STRATDEFAULT, SCOTCH_STRATQUALITY, SCOTCH_STRATSPEED, SCOTCH_STRATBALANCE, \
            SCOTCH_STRATRECURSIVE                                                         \
    }

extern const struct parameter scotch_parameters[];

#endif
