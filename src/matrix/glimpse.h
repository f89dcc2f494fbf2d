/* A coarse picture of a matrix that is being read. Threads that read count a sample of the entries in a grid
 * of cells, and another thread may draw the grid at any time. The grid stays at the same address.
 *
 * Of each stretch of GLIMPSE_STRETCH consecutive entries of a block, one piece of GLIMPSE_PIECE is counted,
 * so that counting costs little beside reading. The position of the piece within its stretch is a hash of the
 * stretch's number: with a fixed position, the sample of a matrix with rows of GLIMPSE_STRETCH entries would
 * have the same columns of each row. */
#ifndef SPARSIGHT_MATRIX_GLIMPSE_H
#define SPARSIGHT_MATRIX_GLIMPSE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Maximum number of cells along a side. */
#define GLIMPSE_SIDE 512

#define GLIMPSE_STRETCH 512
#define GLIMPSE_PIECE 16
#define GLIMPSE_SAMPLE (GLIMPSE_STRETCH / GLIMPSE_PIECE)

/* Start with {0}. `transposed` may be set before reading: entry (i, j) is then counted at (j, i). The other
 * members may be read by any thread once glimpse_begun returns true. */
struct glimpse {
    bool transposed;
    bool mirrored;                /* each off-diagonal entry is counted at its mirror image, too */
    int64_t rows, cols;           /* of the matrix */
    int row_shift, col_shift;     /* a cell has 2^row_shift rows and 2^col_shift columns */
    int64_t grid_rows, grid_cols; /* rows and columns of cells */
    atomic_bool begun;            /* the members above no longer change */
    _Atomic int64_t blocks, done; /* number of blocks of the source (0: unknown), and of those that were
                                     read */
    _Atomic int64_t counted;      /* entries that were counted, without mirror images */
    _Atomic uint32_t cells[GLIMPSE_SIDE * GLIMPSE_SIDE]; /* counts, row by row, grid_cols cells in each row */
};

/* Begin to count entries of a matrix of this size, whose source has this number of blocks (0: unknown). A
 * second call changes only the number of blocks, and sets the number of read ones to 0. All functions that
 * change a glimpse accept NULL, and do nothing. */
void glimpse_begin(struct glimpse *glimpse, int64_t rows, int64_t cols, bool mirrored, int64_t blocks);

/* True once the size of the matrix is known. */
bool glimpse_begun(const struct glimpse *glimpse);

/* Return the first of the GLIMPSE_PIECE entries that are counted in a stretch of a block. */
static inline int glimpse_piece(int64_t block, int64_t stretch)
{
    uint64_t hash = ((uint64_t)block << 24 ^ (uint64_t)stretch) * UINT64_C(0x9e3779b97f4a7c15);
    return (int)((hash >> 40) % GLIMPSE_SAMPLE) * GLIMPSE_PIECE;
}

/* Count the pieces of `count` entries of a block, from its entry number `before` on, the first entry of a
 * stretch. Several threads may call it at once. */
void glimpse_take(struct glimpse *glimpse, const int32_t *row, const int32_t *col, int64_t count,
                  int64_t block, int64_t before);

/* A block has been read. */
void glimpse_block(struct glimpse *glimpse);

/* Return the share of the source that was read, from 0 to 1; -1 if it is unknown. */
double glimpse_share(const struct glimpse *glimpse);

#endif
