/* CSR cut into tiles with equal numbers of entries, regardless of rows. Tables give the ends of rows in a
 * tile, and the numbers of these rows. They replace row_ptr. C and C++ both include this.
 *
 * A tile is 32 K entries, which a warp multiplies at once; K values have 64 bytes: K = 8 in double, 16 in
 * single precision, and half of that for complex matrices. Its sums come from a segmented scan (Blelloch,
 * "Prefix sums and their applications", CMU-CS-90-190, 1990) with marks at the ends of segments, as in CSR5
 * (Liu and Vinter, ICS 2015). With K = 4, entries e of rows a, b and c:
 *
 *     e          0 1 2 3   4 5 6 7   8 9 ...
 *     row        a a b b   b b b c   c c ...
 *     lane          0         1         2           lane l adds up entries l K .. l K + K-1
 *     ends       . 1 . .   . . 1 .   . . ...        1: the last entry of its row
 *     before        0         1         2           rows that end in the lanes below
 *
 * Lane 0 has the sum of a, which is the first that ends in the tile, and passes its partial sum of b to lane
 * 1, where b ends; and so on. Unlike in CSR5 the entries stay in the order of CSR, whose arrays val and col
 * are read directly, 32 consecutive entries at a time; the products move between lanes in shared memory. So
 * the time of a tile does not depend on the lengths of rows. Neither does the work of a warp, as with the
 * merge path of Merrill and Garland (SC 2016), but without a search during the product. The joining and
 * distribution of tiles, and 16-bit columns, are our own.
 *
 * Consecutive tiles make a chunk, which one warp processes: it carries the sum of a row that is unfinished at
 * the end of a tile to the next. The last warp to finish sums a row that lies in several chunks: each warp
 * stores its partial sum and increments a counter, and none waits for a warp that has not begun. */
#ifndef SPARSIGHT_KERNELS_CUDA_CSR_TILES_H
#define SPARSIGHT_KERNELS_CUDA_CSR_TILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "formats/format.h"

#define TILE_LANES 32      /* the threads that share a tile */
#define TILE_LANE_BYTES 64 /* the bytes of K values */
#define TILE_LANE_MAX 16   /* K in single precision, which is the most */
#define TILES_MAX ((int64_t)1 << 30)

/* The rows that extend beyond a chunk. Five lanes read this at once, so it is padded to a sector of 32
 * bytes. */
struct tile_span {
    /* The row that is open at the chunk's start: the chunk in which it begins (-1 if no row is open), and its
     * number. */
    int32_t from, row;
    /* The row that is open at the chunk's end: the chunk in which it ends (-1 if no row is open), the chunk
     * in which it begins, and its number. */
    int32_t to, to_from, to_row;
    int32_t unused[3];
};

/* The tables, on the host as they are made, or in the memory of a device. The struct owns those on the host.
 */
struct csr_tiles {
    int32_t tiles;    /* ceil(entries / (32 K)) */
    int32_t each;     /* K */
    int32_t shift;    /* log2 of the tiles of a chunk */
    int32_t chunks;   /* number of chunks */
    int32_t run;      /* number of consecutive chunks of a block of threads */
    uint32_t inverse; /* ceil(2^32 / run), for dividing by run; 0 if run is 1 */
    int32_t words;    /* elements of `empty`, each for 32 rows */
    /* Element 32 t + l is for lane l of tile t. Bit j of its lower K bits is set if entry l K + j of the tile
     * is the last of its row; the upper bits are the number of such entries in lower lanes. The type is
     * uint32_t where K is 16, so that marks take 2 bits an entry, and uint16_t where K is 8 or 4. */
    void *mark;
    /* The first row that ends in each tile. If the rows that end in the tile are consecutive, as they are
     * unless there are empty ones among them, this is the row itself; else it is ~k, and the rows are
     * rows[k], rows[k+1] and so on. */
    int32_t *first;
    int32_t *rows;   /* all rows with entries; NULL if no tile needs them */
    uint32_t *empty; /* bit i % 32 of word i / 32 is set if row i has no entry; NULL if all rows have one */
    struct tile_span *spans; /* one for each chunk */
    /* The last tile, filled up with column 0 and value 0, so that no load needs to check the end of the
     * matrix. */
    int32_t *last_col;
    void *last_val;
    /* Columns of 16 bits are counted from the smallest column of their tile, which is in `base`. -1 there
     * means that the tile spans more than 65536 columns, which are read from CSR. col16 is in the order of
     * csr_tile_place. Both are NULL if columns have 32 bits. */
    int32_t *base;
    uint16_t *col16;
    int64_t wide;   /* number of tiles whose columns span too much */
    int64_t ends;   /* number of rows with entries: elements of `rows` */
    int64_t listed; /* number of elements of `rows` that tiles refer to */
};

/* Parameters of the tables. */
struct tile_plan {
    int columns; /* bits of a column: 16 or 32, or 0 for 16 unless most tiles span too much */
    int shift;   /* log2 of the tiles of a chunk */
    int run;     /* number of consecutive tiles of a block; rounded so that all blocks have equal numbers */
    int multiprocessors; /* blocks that share the work */
    size_t limit;        /* limit in bytes for all tables together; 0: the default of memory_check */
};

/* Return the element of a tile's 16-bit columns for entry e, with `each` = K. Lane l = e % 32 multiplies
 * entries l, l + 32, l + 64, ..., and reads the columns of eight of them at once, which are 16 bytes, or of
 * all if K is 4. */
static inline int csr_tile_place(int each, int e)
{
    int lane = e % TILE_LANES, j = e / TILE_LANES, some = each < 8 ? each : 8;
    return j / some * some * TILE_LANES + lane * some + j % some;
}

/* Make the tables of a matrix stored as CSR. Returns STATUS_MEMORY, STATUS_LIMIT, and STATUS_UNAVAILABLE for
 * more than TILES_MAX tiles; nothing is left behind then. Parallel, O(rows + entries + chunks log rows). */
enum status csr_tiles_make(const struct storage *storage, const struct tile_plan *plan,
                           struct csr_tiles *tiles, struct error *error);

/* Return the bytes of an element of `mark`, and the entries of a tile. */
static inline size_t csr_tile_mark(const struct csr_tiles *tiles)
{
    return tiles->each == TILE_LANE_MAX ? sizeof(uint32_t) : sizeof(uint16_t);
}

static inline int csr_tile_entries(const struct csr_tiles *tiles)
{
    return tiles->each * TILE_LANES;
}

void csr_tiles_free(struct csr_tiles *tiles); /* takes {0} */

#endif
