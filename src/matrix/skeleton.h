/* The skeleton of a matrix whose entries were streamed or are in other processes: the data needed for the
 * sizes of formats, in addition to the lengths of its rows. */
#ifndef SPARSIGHT_MATRIX_SKELETON_H
#define SPARSIGHT_MATRIX_SKELETON_H

#include <stdbool.h>
#include <stdint.h>

struct csr;

/* A number of blocks that was estimated from some block rows, and half its 95% interval. */
struct skeleton_blocks {
    double count, error;
};

/* Numbers of the tiles of format `tile` (formats/tile.h): tiles with entries, their slots, the bytes that
 * tell rows and columns, lanes times steps of warps, and the slots of the largest tile. */
struct skeleton_tiles {
    int64_t tiles, slots, bytes, lanes, largest;
};

/* A matrix refers to it by csr.skeleton. Code that plans a format must check this pointer before it reads
 * entries. Free with skeleton_free, which takes {0}. */
struct skeleton {
    bool complex;
    int64_t *col_ptr;    /* cols + 1: offsets of columns if entries are stored column by column; owned */
    uint64_t *diagonals; /* a set (base/set.h) of rows + cols: number j - i + rows - 1 if diagonal j - i has
                            an entry; owned */
    /* Return the number of nonempty blocks if the matrix is divided into blocks of size x size positions, and
     * the largest number of them in a block row. Counting ends early once there are more than `max`. NULL if
     * the entries cannot be read again. */
    int64_t (*count_blocks)(const struct skeleton *skeleton, int64_t size, int64_t max, int64_t *longest);
    /* Return the number of such blocks of each block row, with the bit SKELETON_LAST if one of them is in the
     * last block column. The array stays valid until the next call; NULL if memory is short. The function is
     * NULL if count_blocks is. */
    const uint32_t *(*block_rows)(const struct skeleton *skeleton, int64_t size);
    /* Return the tiles, for values of this many bytes. NULL if count_blocks is. */
    struct skeleton_tiles (*count_tiles)(const struct skeleton *skeleton, int64_t value);
    /* Estimate the number of such blocks. NULL if nothing is known of them, or they are counted. */
    struct skeleton_blocks (*estimate_blocks)(const struct skeleton *skeleton, int64_t size);
    void *context;         /* of these four; not owned */
    const struct csr *all; /* all entries, if a sample kept every one of them, without the values of a complex
                              matrix: formats are planned from these; NULL: there are none; not owned */
};
#define SKELETON_LAST ((uint32_t)1 << 31)

void skeleton_free(struct skeleton *skeleton);

#endif
