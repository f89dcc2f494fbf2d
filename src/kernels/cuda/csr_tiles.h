/* CSR cut into tiles of as many entries each, whatever the rows: the tables that tell where in a tile rows
 * end, and whom the rows belong to. They take the place of row_ptr. C and C++ alike.
 *
 * A tile is 32 K entries (K = 8 in double, 16 in single precision): what a warp multiplies at once. Its sums
 * are those of a segmented scan (Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990; with
 * marks at the ends of segments as in CSR5: Liu and Vinter, ICS 2015). Unlike there the entries stay in the
 * order of CSR, whose arrays val and col are read as they are: the warp turns products round in shared
 * memory. So a tile's time does not depend on the lengths of rows, and neither does what a warp has to do, as
 * with Merrill and Garland's merge path (SC 2016), but nothing is searched for while multiplying. How tiles
 * are joined and handed out, and columns of 16 bits, is our own.
 *
 * Several tiles in a row are a chunk, which one warp takes whole: it carries the sum of an open row from tile
 * to tile. A row that lies in several chunks is summed by the last of their warps to arrive: each gives its
 * part and counts itself, and nobody waits for a warp that has not begun. */
#ifndef SPARSIGHT_KERNELS_CUDA_CSR_TILES_H
#define SPARSIGHT_KERNELS_CUDA_CSR_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "formats/format.h"

#define TILE_LANES 32    /* threads that share a tile */
#define TILE_LANE_F64 8  /* entries of each of them */
#define TILE_LANE_F32 16 /* likewise in single precision: 128 bytes of values a warp and load in both */
#define TILES_MAX ((int64_t)1 << 30)

/* Rows that lie in several chunks, as seen from one chunk. Padded to a sector of 32 bytes, read by five lanes
 * at once. */
struct tile_span {
    int32_t from, row; /* of the row open at its start: the chunk it begins in, -1 if none is open; the row */
    int32_t to, to_from, to_row; /* of the row open at its end: the chunk it ends in, -1 if none is open; the
                                    chunk it begins in; the row */
    int32_t unused[3];
};

/* The tables, on the host as they are made, or in the memory of a device. All of the host's are owned. */
struct csr_tiles {
    int32_t tiles;    /* ceil(entries / 32 K) */
    int32_t each;     /* K */
    int32_t shift;    /* log2 of the tiles of a chunk */
    int32_t chunks;   /* in all */
    int32_t run;      /* chunks in a row that one block of threads takes */
    uint32_t inverse; /* ceil(2^32 / run), to divide by; 0 if run is 1 */
    int32_t words;    /* of `empty`, one for 32 rows */
    /* For lane l of tile t, element 32 t + l: bit j of the low K says that entry l K + j of the tile is the
     * last of its row; the bits above count such entries of the lanes below. uint16_t where K is 8, so that
     * marks are 2 bits an entry, else uint32_t. */
    void *mark;
    /* A tile's first row that ends: the row itself if those that end in the tile follow each other, as they
     * do unless there are empty ones among them; else ~k, and their numbers are rows[k], rows[k+1], ... */
    int32_t *first;
    int32_t *rows;           /* rows with entries; NULL if no tile needs them */
    uint32_t *empty;         /* bit i % 32 of word i / 32: row i has no entry; NULL if all rows have */
    struct tile_span *spans; /* of each chunk */
    /* The last tile filled up with column 0 and value 0, so that no load needs to ask where the matrix ends.
     */
    int32_t *last_col;
    void *last_val;
    /* Columns of 16 bits: less a tile's least column, which is `base`, -1 where a tile spans more than 65536
     * columns (its columns are read from CSR). In the order of csr_tile_place. Both NULL if columns have 32
     * bits. */
    int32_t *base;
    uint16_t *col16;
    int64_t wide;   /* tiles that span too much */
    int64_t ends;   /* rows with entries: elements of `rows`, */
    int64_t listed; /* of which tiles refer to so many */
};

/* What tables are made for. */
struct tile_plan {
    int columns;         /* 16 or 32; 0: 16 unless most tiles span too much */
    int shift;           /* log2 of the tiles of a chunk */
    int run;             /* tiles that a block takes in a row; rounded so that all blocks get as many */
    int multiprocessors; /* blocks that share the work */
};

/* Where a tile's entry e has its 16-bit column: lane e % 32 multiplies entries e % 32, e % 32 + 32, ... and
 * reads the columns of eight of them as 16 bytes. */
static inline int csr_tile_place(int e)
{
    int lane = e % TILE_LANES, j = e / TILE_LANES;
    return j / 8 * 8 * TILE_LANES + lane * 8 + j % 8;
}

/* Make the tables of a matrix stored as CSR. STATUS_MEMORY, STATUS_LIMIT, or STATUS_UNAVAILABLE for more than
 * TILES_MAX tiles; nothing is left behind then. Parallel, O(rows + entries) with a search in row_ptr for
 * each chunk. */
enum status csr_tiles_make(const struct storage *storage, const struct tile_plan *plan,
                           struct csr_tiles *tiles, struct error *error);

/* Bytes of an element of `mark`; entries of a tile. */
static inline size_t csr_tile_mark(const struct csr_tiles *tiles)
{
    return tiles->each == TILE_LANE_F64 ? sizeof(uint16_t) : sizeof(uint32_t);
}

static inline int csr_tile_entries(const struct csr_tiles *tiles)
{
    return tiles->each * TILE_LANES;
}

void csr_tiles_free(struct csr_tiles *tiles); /* takes {0} */

#endif
