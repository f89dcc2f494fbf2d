/* Products of CSR with several vectors by windows of eight rows whose columns overlap, as in finite elements
 * and grids: an element of X is loaded once for all rows of a window. If A is transposed, an element of Y is
 * added to once for all of them (the "vectors" of Chen et al., "Efficient tensor core-based GPU kernels for
 * structured sparsity under reduced precision", SC 2021, and of Shi et al., "FlashSparse", PPoPP 2025). C and
 * C++ both include this header. */
#ifndef SPARSIGHT_KERNELS_CUDA_PRODUCTS_WINDOWS_H
#define SPARSIGHT_KERNELS_CUDA_PRODUCTS_WINDOWS_H

#include "kernels/kernel.h"

#define WINDOW_THREADS 128 /* of a block; more find fewer elements of X in L1 */
#define WINDOW_ROWS 8
#define WINDOW_COLUMNS 4 /* columns of a tile */
#define WINDOW_SLOTS (WINDOW_ROWS * WINDOW_COLUMNS)
#define WINDOW_ADDED 8 /* vectors of a warp if A is transposed */

/* Window w has rows 8 w .. 8 w + 7, and tiles first[w] .. first[w + 1] - 1. Tile t has the columns col[4 t]
 * .. col[4 t + 3], in ascending order over the window; the last is repeated to fill its last tile. The values
 * of a tile, 0 where a row has no entry, begin at val[32 t]: of double precision row by row, as tensor cores
 * take them, of single precision column by column. */
struct product_windows {
    int64_t windows; /* 0: the product has none */
    int64_t tiles;
    int64_t *first; /* arrays in the device's memory; NULL for a plan, whose tiles are counted by a sample */
    int32_t *col;
    void *val;
};

/* Warps that a multiprocessor should have before each takes more vectors. */
#define WINDOW_WARPS 16

/* Return the number of warps of a window, which share the vectors. Of double precision a warp has 8, 16 or 32
 * vectors, of single precision up to 128. With 64 of double precision, stencil27 of 48^3 takes 116 us on an
 * H200, and 109 with 32. */
static inline int product_windows_passes(int64_t windows, int columns, int size, int multiprocessors)
{
    int vectors = 32;
    if (size < 8) return (columns + 127) / 128;
    while (vectors > 8 &&
           (columns % vectors || windows * (columns / vectors) < (int64_t)multiprocessors * WINDOW_WARPS))
        vectors /= 2;
    return columns / vectors;
}

/* Make the windows of a launch of CSR if its rows share enough columns that they save time, and none is much
 * longer than others. Of a plan with a pattern their number and that of their tiles is known. */
enum status product_windows_make(struct launch *launch, struct product_windows *windows, struct error *error);
void product_windows_release(struct launch *launch, struct product_windows *windows);

/* Bytes of the arrays. */
size_t product_windows_bytes(const struct launch *launch, const struct product_windows *windows);

/* Enqueue Y = A X or Y = A^T X by windows; in windows.cu. Return false if the launch has none, or if vectors
 * that are loaded 16 bytes at a time do not begin at multiples of these. */
bool cuda_windows_product(const struct launch *launch);

#endif
