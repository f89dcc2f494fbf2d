/* What the rows of a matrix weigh where a library divides them evenly. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_WEIGHTS_H
#define SPARSIGHT_ANALYSIS_PARTS_WEIGHTS_H

/* The words of a parameter that says what is divided evenly: entries, or rows. */
enum { WEIGH_ENTRIES, WEIGH_ROWS };
#define WEIGHT_WORDS            \
    {                           \
        "entries", "rows", NULL \
    }

#endif
