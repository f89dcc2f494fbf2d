/* Shared by the kernels of CSR5 and their loop. */
#ifndef SPARSIGHT_KERNELS_CPU_CSR5_H
#define SPARSIGHT_KERNELS_CPU_CSR5_H

#include "formats/array.h"
#include "formats/csr5.h"

/* A product has a unit for each tile, and the tail as the last unit. Return the row of a unit's first entry;
 * the number of rows if the tail is empty. */
static inline int64_t csr5_row(const struct storage *storage, int64_t unit)
{
    if (storage->nnz == 0) return storage->rows;
    return ((const uint32_t *)storage->array[CSR5_TILE_PTR].data)[unit] & ~CSR5_GAPS;
}

/* Return true if a unit begins within a row. */
static inline bool csr5_continues(const struct storage *storage, int64_t unit)
{
    int64_t row = csr5_row(storage, unit);
    return row < storage->rows &&
           array_integer(&storage->array[CSR5_ROW_PTR], row) < unit * storage->number[CSR5_SIZE];
}

#endif
