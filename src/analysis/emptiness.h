/* Matrices of very many rows with entries in few of them. Whatever goes through each row for each format or
 * kernel would spend its time on empty rows alone, so such work is left out unless it is asked for. */
#ifndef SPARSIGHT_ANALYSIS_EMPTINESS_H
#define SPARSIGHT_ANALYSIS_EMPTINESS_H

#include <stdbool.h>
#include <stdint.h>

/* A matrix of at most so many rows is looked at as a whole. */
#define EMPTINESS_ROWS ((int64_t)1 << 22)

/* With fewer than one entry in so many rows nearly all are empty. */
#define EMPTINESS_ROWS_AN_ENTRY 64

static inline bool rows_nearly_empty(int64_t rows, int64_t nnz)
{
    return rows > EMPTINESS_ROWS && nnz < rows / EMPTINESS_ROWS_AN_ENTRY;
}

#endif
