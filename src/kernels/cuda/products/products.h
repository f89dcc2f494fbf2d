/* Products of NVIDIA's GPUs other than y = A x: with the transposed matrix, and with several vectors at once.
 * Kernels whose descriptors allow them call the functions here. Formats that store rows separately (CSR, ELL,
 * SELL) share their loops, and COO has its own. C and C++ both include this header.
 *
 * The loops use X and Y in row-major order, so that the elements of X for a column of the matrix, one of each
 * vector, are contiguous and neighbouring lanes load them at once: a gather from several vectors then moves
 * whole sectors, however scattered the columns are (Huang et al., "GE-SpMM: general-purpose sparse
 * matrix-matrix multiplication on GPUs for graph neural networks", SC 2020; Yang, Buluc, Owens, "Design
 * principles for sparse matrix multiplication on the GPU", Euro-Par 2018, who call it row split).
 * Column-major vectors are transposed first, into memory allocated by prepare. */
#ifndef SPARSIGHT_KERNELS_CUDA_PRODUCTS_PRODUCTS_H
#define SPARSIGHT_KERNELS_CUDA_PRODUCTS_PRODUCTS_H

#include "kernels/cuda/grid.h"
#include "kernels/cuda/products/windows.h"
#include "kernels/kernel.h"

#define PRODUCT_THREADS 256 /* threads of a block */
#define PRODUCT_AHEAD 4     /* number of entries that a lane loads before it waits for the first */
#define PRODUCT_TURNS 8     /* maximum number of rows that a lane processes, one after another */
#define PRODUCT_BLOCKS 16   /* blocks for each multiprocessor before a lane processes more than one row */
#define PRODUCT_RESIDENT 4  /* blocks that a multiprocessor holds at once, by their registers */

/* The division of the vectors and of a row among the lanes of a warp. With `vector` 2, `lanes` 4 and `slices`
 * 2, a row has eight lanes:
 *
 *     lane               0    1    2    3    4    5    6    7
 *     vectors           0 1  2 3  4 5  6 7  0 1  2 3  4 5  6 7
 *     entries of a row   0, 2, 4, ...        1, 3, 5, ...
 *
 * If these are not all vectors, there is a further pass over the matrix for the next ones. */
struct product_cut {
    int vector; /* neighbouring elements that a lane loads at once: 16 bytes at most */
    int lanes;  /* the lanes that share the vectors: a power of two, WARP at most */
    int slices; /* number of groups of lanes that share a row's entries; lanes * slices is at most WARP */
    int passes;
};

/* Return the cut for this number of vectors of elements of `size` bytes, of which a pass takes at most
 * `width`. A lane loads up to `most` elements at once if they are aligned to their total size: `addresses` is
 * the OR of the start addresses of all vectors. A row has `threads` lanes, a power of two, or more if its
 * vectors need more. */
static inline struct product_cut product_cut_within(int columns, int width, int size, int most,
                                                    uintptr_t addresses, int threads)
{
    struct product_cut cut = {1, 1, 1, 1};
    while (cut.vector < most && 2 * cut.vector * size <= 16 && columns % (2 * cut.vector) == 0 &&
           addresses % (uintptr_t)(2 * cut.vector * size) == 0)
        cut.vector *= 2;
    while (cut.lanes < WARP && cut.lanes * cut.vector < (width < columns ? width : columns))
        cut.lanes *= 2;
    cut.passes = (columns + cut.lanes * cut.vector - 1) / (cut.lanes * cut.vector);
    while (cut.lanes * cut.slices < WARP && cut.lanes * cut.slices * 2 <= threads)
        cut.slices *= 2;
    return cut;
}

/* The same if a pass takes all vectors, as far as lanes suffice. */
static inline struct product_cut product_cut_of(int columns, int size, int most, uintptr_t addresses,
                                                int threads)
{
    return product_cut_within(columns, columns, size, most, addresses, threads);
}

/* Return whether lanes load the columns and values of the next entries before they multiply: if a lane has
 * more than two rounds of a row on average. On an H200 this saves up to a third of the time; with fewer
 * rounds the additional registers cost up to a fifth. */
static inline bool product_ahead(int64_t slots, int64_t rows, struct product_cut cut)
{
    return slots > 2 * PRODUCT_AHEAD * cut.slices * rows;
}

/* The blocks of a launch: each takes `rows` rows of one pass. */
struct product_blocks {
    int rows;
    int64_t passing; /* the blocks of a pass */
};

/* Return the blocks for this number of rows on a GPU with this number of multiprocessors. Rows of a block are
 * consecutive, so that elements of X that neighbouring rows share are found in L1. More rows are better, as
 * long as there are enough blocks to keep all multiprocessors busy to the end. If a row takes a whole warp,
 * and few waves of blocks would suffice, all blocks are resident at once: on an H200, a random matrix of
 * 20,000 rows with 64 vectors takes 25.1 us so, and 27.3 with a row for each warp. A block that stores Y
 * column by column has at least 32 rows, so that neighbouring elements of a vector are stored together. */
static inline struct product_blocks product_blocks_of(int64_t rows, struct product_cut cut, bool by_columns,
                                                      int multiprocessors)
{
    int groups = PRODUCT_THREADS / (cut.lanes * cut.slices);
    struct product_blocks blocks = {by_columns && groups < 32 ? 32 : groups, 0};
    const int64_t some = multiprocessors > 0 ? multiprocessors : 1, wave = some * PRODUCT_RESIDENT,
                  turns = (rows + groups - 1) / groups;
    if (!by_columns && cut.lanes * cut.slices == WARP && turns <= PRODUCT_TURNS * wave)
        blocks.rows = groups * (int)(turns > wave ? (turns + wave - 1) / wave : 1);
    else
        while (!by_columns && blocks.rows < groups * PRODUCT_TURNS &&
               rows / (2 * blocks.rows) >= some * PRODUCT_BLOCKS)
            blocks.rows *= 2;
    blocks.passing = (rows + blocks.rows - 1) / blocks.rows;
    return blocks;
}

/* Return the grid. A block that is to store Y column by column collects its sums in shared memory, in rows of
 * blocks.rows + 1 for each vector of a pass, followed by the numbers of its rows. */
static inline struct grid product_rows_grid(struct product_blocks blocks, struct product_cut cut,
                                            bool by_columns, size_t size)
{
    struct grid grid = {blocks.passing * cut.passes, PRODUCT_THREADS, 0};
    size_t wide = (size_t)(cut.lanes * cut.vector), high = (size_t)blocks.rows;
    if (by_columns) grid.shared = wide * (high + 1) * size + high * sizeof(int32_t);
    return grid;
}

/* Minimum number of elements of each vector in a block that transposes vectors. Its shared memory has room
 * for this number of elements of PRODUCT_COLUMNS_MAX + 1 vectors. */
#define PRODUCT_TURN_ROWS 32
#define PRODUCT_TURN_ROOM (PRODUCT_TURN_ROWS * (PRODUCT_COLUMNS_MAX + 1))

/* Return the number of elements of each vector in a block, a power of two. It is larger for fewer vectors, as
 * long as each multiprocessor has two blocks. */
static inline int product_turn_rows(int64_t size, int columns, int multiprocessors)
{
    int rows = PRODUCT_TURN_ROWS;
    while (2 * rows * (columns | 1) <= PRODUCT_TURN_ROOM && size / (2 * rows) >= 2 * multiprocessors)
        rows *= 2;
    return rows;
}

/* The launch->state if the product is not y = A x: X and Y in row-major order, in the device's memory; NULL
 * if not needed. */
struct product_state {
    void *x, *y;
    bool straight; /* vectors by columns are read and stored as they lie, by a thread for each row or entry */
    int width;     /* the most vectors of a pass over rows */
    struct product_windows windows;
};

/* Strides for the loops: element i of vector v of X is at i x_element + v x_vector, and likewise for Y. */
struct product_places {
    int64_t x_vector, y_vector;
    int x_element, y_element;
};

/* The treatment of Y. */
enum product_writes {
    PRODUCT_STORES,   /* each element is stored once, by the block of its row */
    PRODUCT_SHARES,   /* the same, and lanes that share a row read elements of all vectors together */
    PRODUCT_WALKS,    /* most elements are stored once, in the order of rows; others are added atomically */
    PRODUCT_ADDS,     /* entries are added to it, by atomic additions, in no order */
    PRODUCT_ADDS_ROWS /* the same, and X is read by neighbouring rows, in any layout */
};

/* Return the number of vectors of a thread that has a row and reads vectors by columns as they lie: the most
 * that leave threads enough to fill half of a GPU that holds `resident` of them, or a quarter with two
 * vectors. */
static inline int product_straight_vectors(int64_t rows, int columns, int size, int64_t resident)
{
    int vectors = size > 8 ? 4 : 8;
    while (vectors > 1 &&
           (vectors >= 2 * columns || rows * columns / vectors < resident / (vectors > 2 ? 2 : 4)))
        vectors /= 2;
    return vectors;
}

/* Make launch->state. It is in the device's memory. Fails with STATUS_LIMIT if it does not fit. */
enum status product_prepare(struct launch *launch, enum product_writes writes, struct error *error);

/* The same for coo-atomic, whose entries add to vectors by columns as they lie where that is faster. */
enum status product_prepare_coo(struct launch *launch, struct error *error);

/* The same for CSR, by windows of rows where that is faster (windows.h). */
enum status product_prepare_csr(struct launch *launch, struct error *error);

/* The same for formats that store equal slots of `beside` neighbouring rows together. Array q has their
 * columns. */
enum status product_prepare_beside(struct launch *launch, int q, int64_t beside, struct error *error);
void product_release(struct launch *launch);

/* Correct the traffic, unless the product is plain: X and Y are read and written once more if transposed. */
void product_traffic(const struct launch *launch, struct traffic *traffic);

/* Return true if there are several vectors, and they are stored column by column. */
static inline bool product_by_columns(const struct launch *launch)
{
    return product_columns(launch->product) > 1 && !launch->product.by_rows;
}

/* Return the strides of X and Y for a prepared launch: row-major, unless they are column-major and not
 * transposed. */
struct product_places product_places_of(const struct launch *launch);

#endif
