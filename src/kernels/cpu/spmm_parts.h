/* Shared by the files of spmm.h only. */
#ifndef SPARSIGHT_KERNELS_CPU_SPMM_PARTS_H
#define SPARSIGHT_KERNELS_CPU_SPMM_PARTS_H

#include "kernels/cpu/spmm.h"

/* Bytes per row of a block of columns if vectors or sums are copied: four cache lines. */
#define BLOCK_BYTES 256

/* Number of rows converted between layouts at a time, in the first-level cache. */
#define TILE 32

static inline size_t value_bytes(const struct launch *launch)
{
    return element_size(storage_values(launch->storage, 0)->element);
}

/* The columns of a block, if vectors or sums are copied. */
static inline int block_columns(const struct launch *launch)
{
    int most = BLOCK_BYTES / (int)value_bytes(launch);
    return launch->product.columns < most ? launch->product.columns : most;
}

/* True if X and Y are not stored row by row; a single vector is. */
static inline bool by_columns(const struct launch *launch)
{
    return launch->product.columns > 1 && !launch->product.by_rows;
}

/* The index of row i of column c in X or Y, whose vectors have `size` elements. */
static inline char *at(const struct launch *launch, const void *vectors, int64_t size, int64_t i, int c)
{
    return (char *)(uintptr_t)vectors +
           (size_t)product_place(launch->product, size, i, c) * value_bytes(launch);
}

/* Allocate this number of elements if they fit in the user's limit minus the matrix. */
enum status spmm_allocate(const struct launch *launch, int64_t elements, const char *what, void **memory,
                          struct error *error);

/* A block of columns of Y = A X, and the X that the loops read, whose rows have the block's columns. */
struct spmm_block {
    int first, columns;
    const void *x;
};

/* Multiply the share of thread t. */
void spmm_share(const struct launch *launch, int t, const struct spmm_block *block);

/* Y = A X by columns: choose the source, allocate the copies of X, and run. Return the rows of X in the
 * copies. */
enum status spmm_columns_prepare(struct launch *launch, struct error *error);
void spmm_columns_run(const struct launch *launch);
int64_t spmm_packed_rows(const struct launch *launch);

/* Y = A^T X: allocate the shared data of the threads, and run. */
enum status spmm_add_prepare(struct launch *launch, struct error *error);
void spmm_add_run(const struct launch *launch);

#endif
