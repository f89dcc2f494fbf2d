/* What the rows of a matrix weigh where a library divides them evenly. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_WEIGHTS_H
#define SPARSIGHT_ANALYSIS_PARTS_WEIGHTS_H

#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "matrix/csr.h"

/* The words of a parameter that says what is divided evenly: entries, or rows. */
enum { WEIGH_ENTRIES, WEIGH_ROWS };
#define WEIGHT_WORDS            \
    {                           \
        "entries", "rows", NULL \
    }

/* Return a weight for each row, as many as it has entries, divided by so much that all weights together are
 * within 32 bits; a row without an entry weighs nothing. The caller frees them. NULL: STATUS_MEMORY. */
static inline int32_t *row_weights(const struct csr *a, struct error *error)
{
    int64_t divisor = 1 + csr_nnz(a) / INT32_MAX;
    int32_t *weights = memory_array((size_t)a->rows, sizeof *weights, error);
    for (int64_t i = 0; weights && i < a->rows; i++)
        weights[i] = (int32_t)((a->row_ptr[i + 1] - a->row_ptr[i]) / divisor);
    return weights;
}

#endif
