/* The kernel csr-segmented: CSR on NVIDIA's GPUs by blocks of threads that process short runs of rows, so
 * that even a small matrix occupies the whole GPU at once. C and C++ both include this.
 *
 * A run is a maximal range of rows with at most as many entries as a block processes, K for each of its
 * threads. The products of a run are in the order of the matrix, and rows are added up by a segmented scan
 * (Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990). A row with more entries than a block
 * processes is cut into parts, each a run; the last of their blocks to finish adds up their partial sums. */
#ifndef SPARSIGHT_KERNELS_CUDA_CSR_SEGMENTED_H
#define SPARSIGHT_KERNELS_CUDA_CSR_SEGMENTED_H

#include <stdint.h>

#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct trace trace_csr_segmented; /* in traces/csr_segmented.c */

/* The indices of csr-segmented's parameters. */
enum { SEGMENTED_ENTRIES, SEGMENTED_BLOCK, SEGMENTED_EARLY };

/* Maximum number of entries of a run per thread: more are not faster on an H200, and need too many registers
 * on some GPUs. */
#define SEGMENTED_ENTRIES_MAX 4
#define SEGMENTED_ROWS 2 /* maximum rows of a run for each entry that a block processes */

/* A run: all entries of `rows` rows from `row` on, or a part of one row. The struct is a sector of 32 bytes.
 */
struct segmented_run {
    int64_t begin, end; /* its entries are begin .. end - 1 */
    int32_t row, rows;
    int32_t parts; /* number of parts of the row, each a run; 0 for a run of whole rows */
    /* For a part: the index of the run with the row's first part. For whole rows: the number of empty
     * ones. */
    int32_t from;
};

/* The launch->state of csr-segmented. */
struct segmented {
    struct segmented_run *runs; /* in the device's memory, as the following */
    int64_t count;              /* their number */
    /* Words 2 r and 2 r + 1 are for the partial sum of run r, a part of a row: each has a half of a double in
     * its lower half, and a flag that it is valid in its upper half. A complex matrix has four words a run,
     * two for each part of the number. Between products they are 0. NULL if no row has parts. */
    uint64_t *partials;
    uint32_t
        *arrived; /* element r: number of arrived parts of the row that begins in run r; 0 between products */
    int64_t parts; /* number of runs that are parts of rows */
};

/* The entries that a block takes. */
static inline int64_t segmented_room(const struct launch *launch)
{
    const double *number = launch->values.number;
    return (int64_t)number[SEGMENTED_BLOCK] * (int64_t)number[SEGMENTED_ENTRIES];
}

/* Return the index of product i of a run in shared memory, in values of `size` bytes. There is a gap after
 * every 128 bytes, so that lanes that read K products each, one at a time, have no bank conflicts. */
#ifdef __CUDACC__
__host__ __device__
#endif
    static inline int
    segmented_place(int i, int size)
{
    return i + i / (128 / size);
}

/* Return the number of words of the partial sum of a run. */
static inline int segmented_words(bool complex)
{
    return complex ? 4 : 2;
}

/* Return the bytes of a warp's sum in double precision, and the same number for the flag whether a row has
 * ended in it. */
#ifdef __CUDACC__
__host__ __device__
#endif
    static inline int
    segmented_unit(bool complex)
{
    return complex ? 16 : 8;
}

/* Return the bytes of shared memory in front of the products: the row that ends with each entry, and the data
 * that each warp passes on (a sum, and whether a row has ended in it). */
#ifdef __CUDACC__
__host__ __device__
#endif
    static inline int
    segmented_front(int threads, int entries, bool complex)
{
    return 2 * threads * entries + threads / WARP * 2 * segmented_unit(complex);
}

/* Each run has a block. */
static inline struct grid segmented_grid(const struct launch *launch)
{
    const struct segmented *segmented = (const struct segmented *)launch->state;
    const double *number = launch->values.number;
    int threads = (int)number[SEGMENTED_BLOCK], entries = (int)number[SEGMENTED_ENTRIES];
    struct grid grid = {segmented->count, threads, 0};
    grid.shared = (size_t)segmented_front(threads, entries, launch->storage->complex);
    int value = (int)value_size(launch->storage);
    if (entries > 1) grid.shared += (size_t)segmented_place(threads * entries, value) * (size_t)value;
    return grid;
}

/* This is in csr_segmented.cu. */
void cuda_csr_segmented(const struct launch *launch);

#endif
