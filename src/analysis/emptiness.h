/* Matrices of very many rows with entries in few of them. Work that visits each row for each format or kernel
 * would spend its time on empty rows, so it is skipped unless it is requested. */
#ifndef SPARSIGHT_ANALYSIS_EMPTINESS_H
#define SPARSIGHT_ANALYSIS_EMPTINESS_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum number of rows of a matrix that is analysed as a whole. */
#define EMPTINESS_ROWS ((int64_t)1 << 22)

/* Nearly all rows count as empty if a matrix has fewer than one entry for this number of rows. */
#define EMPTINESS_ROWS_AN_ENTRY 64

static inline bool rows_nearly_empty(int64_t rows, int64_t nnz)
{
    return rows > EMPTINESS_ROWS && nnz < rows / EMPTINESS_ROWS_AN_ENTRY;
}

#endif
