/* Weights of the rows of a matrix, by which a library balances them. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_WEIGHTS_H
#define SPARSIGHT_ANALYSIS_PARTS_WEIGHTS_H

/* The words of the parameter that selects the weight to balance: entries or rows. */
enum { WEIGH_ENTRIES, WEIGH_ROWS };
#define WEIGHT_WORDS            \
    {                           \
        "entries", "rows", NULL \
    }

#endif
