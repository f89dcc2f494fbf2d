/* Blocks of BSR, and tiles: each rank counts those of the block rows that begin in its rows. Rows of such a
 * block row on later ranks are fetched beforehand. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/bsr.h"
#include "formats/tile_count.h"
#include "ranks/sums/parts.h"

/* Maximum number of rows by which a block row extends beyond a rank's last row. */
#define BEYOND (TILE_SIZE - 1)
_Static_assert(TILE_SIZE >= BSR_SIZE_MAX, "the edge has the rows of any block row");

/* Number of stages of a count, after each of which all ranks check whether to stop early. */
#define STAGES 16

/* Sleep between two checks of a rank that waits for rank 0. */
#define NAP_NANOSECONDS 1000000

enum { REQUEST_DISMISS, REQUEST_COUNT, REQUEST_ROWS, REQUEST_TILES };

struct far_blocks {
    struct csr edge; /* the last rows of this rank, at most BEYOND, followed by rows of later ranks, at most
                        BEYOND */
    int64_t edge_first; /* the matrix row of its row 0 */
    uint32_t *mine;     /* the blocks of this rank's block rows; owned */
    uint32_t *rows;     /* on rank 0: the blocks of all block rows; owned */
    /* For each size the number of blocks. If counting stopped early it is a number above `max`; -1: not
     * counted. */
    int64_t blocks[BSR_SIZE_MAX + 1], longest[BSR_SIZE_MAX + 1], max[BSR_SIZE_MAX + 1];
};

/* Return the number of rows that rank r needs from `owner`: those after its last row. *first becomes the
 * first of them. */
static int64_t shared_rows(const struct share *share, int r, int owner, int64_t *first)
{
    int64_t from = share->cuts[r + 1], end = min(from + BEYOND, share->rows);
    if (share->cuts[r] == share->cuts[r + 1]) end = from;
    *first = max(from, share->cuts[owner]);
    return max(min(end, share->cuts[owner + 1]) - *first, 0);
}

/* Rows to exchange: their lengths, their concatenated columns, and the counts for each rank. */
struct rows_way {
    int64_t *rows, *entries; /* of each rank */
    int64_t *lengths;
    int32_t *columns;
    int64_t all_rows, all_entries;
};

static void way_free(struct rows_way *way)
{
    free(way->rows);
    free(way->entries);
    free(way->lengths);
    free(way->columns);
}

static bool way_counts(const struct ranks *ranks, struct rows_way *way, struct error *error)
{
    way->rows = memory_zeroed((size_t)ranks->count, sizeof *way->rows, error);
    way->entries = memory_zeroed((size_t)ranks->count, sizeof *way->entries, error);
    return way->rows && way->entries;
}

static bool way_arrays(struct rows_way *way, struct error *error)
{
    way->lengths = memory_array((size_t)way->all_rows, sizeof *way->lengths, error);
    way->columns = memory_array((size_t)way->all_entries, sizeof *way->columns, error);
    return way->lengths && way->columns;
}

/* Collect the rows that earlier ranks need from this one. */
static enum status pack(const struct sums *sums, struct rows_way *way, struct error *error)
{
    const struct share *share = sums->share;
    const struct csr *own = &share->own;
    int64_t first, rows = 0, entries = 0;
    if (!way_counts(sums->ranks, way, error)) return STATUS_MEMORY;
    for (int r = 0; r < sums->ranks->rank; r++) {
        way->rows[r] = shared_rows(share, r, sums->ranks->rank, &first);
        if (way->rows[r] == 0) continue;
        const int64_t *ptr = own->row_ptr + (first - share->first);
        way->entries[r] = ptr[way->rows[r]] - ptr[0];
        way->all_rows += way->rows[r];
        way->all_entries += way->entries[r];
    }
    if (!way_arrays(way, error)) return STATUS_MEMORY;
    for (int r = 0; r < sums->ranks->rank; r++) {
        if (shared_rows(share, r, sums->ranks->rank, &first) == 0) continue;
        const int64_t *ptr = own->row_ptr + (first - share->first);
        for (int64_t i = 0; i < way->rows[r]; i++)
            way->lengths[rows++] = ptr[i + 1] - ptr[i];
        memcpy(way->columns + entries, own->col + ptr[0], (size_t)way->entries[r] * sizeof *own->col);
        entries += way->entries[r];
    }
    return STATUS_OK;
}

/* Allocate memory for the received rows; each sender has sent its number of entries. */
static enum status expect(const struct sums *sums, struct rows_way *way, struct error *error)
{
    int64_t first;
    for (int r = sums->ranks->rank + 1; r < sums->ranks->count; r++) {
        way->rows[r] = shared_rows(sums->share, sums->ranks->rank, r, &first);
        way->all_rows += way->rows[r];
        way->all_entries += way->entries[r];
    }
    return way_arrays(way, error) ? STATUS_OK : STATUS_MEMORY;
}

/* Make the edge: this rank's last rows and the received ones. */
static enum status make_edge(const struct sums *sums, const struct rows_way *come, struct error *error)
{
    struct far_blocks *blocks = sums->blocks;
    const struct csr *own = &sums->share->own;
    struct csr *edge = &blocks->edge;
    int64_t tail = min(own->rows, BEYOND), begin = own->row_ptr[own->rows - tail];
    int64_t entries = csr_nnz(own) - begin;
    edge->rows = tail + come->all_rows;
    edge->cols = own->cols;
    blocks->edge_first = sums->share->last - tail;
    edge->row_ptr = memory_array((size_t)edge->rows + 1, sizeof *edge->row_ptr, error);
    edge->col = memory_array((size_t)(entries + come->all_entries), sizeof *edge->col, error);
    if (!edge->row_ptr || !edge->col) return STATUS_MEMORY;
    for (int64_t i = 0; i <= tail; i++)
        edge->row_ptr[i] = own->row_ptr[own->rows - tail + i] - begin;
    for (int64_t i = 0; i < come->all_rows; i++)
        edge->row_ptr[tail + i + 1] = edge->row_ptr[tail + i] + come->lengths[i];
    if (entries) memcpy(edge->col, own->col + begin, (size_t)entries * sizeof *edge->col);
    if (come->all_entries)
        memcpy(edge->col + entries, come->columns, (size_t)come->all_entries * sizeof *edge->col);
    return STATUS_OK;
}

static enum status get_edge(const struct sums *sums, struct rows_way *out, struct rows_way *in,
                            struct error *error)
{
    enum status status = pack(sums, out, error);
    if (status == STATUS_OK && !way_counts(sums->ranks, in, error)) status = STATUS_MEMORY;
    status = ranks_agree(sums->ranks, status, error);
    if (status != STATUS_OK) return status;
    ranks_counts(sums->ranks, out->entries, in->entries);
    status = ranks_agree(sums->ranks, expect(sums, in, error), error);
    if (status != STATUS_OK) return status;
    ranks_exchange(sums->ranks, out->lengths, out->rows, in->lengths, in->rows, sizeof *in->lengths);
    ranks_exchange(sums->ranks, out->columns, out->entries, in->columns, in->entries, sizeof *in->columns);
    return ranks_agree(sums->ranks, make_edge(sums, in, error), error);
}

/* Counting */

static int64_t first_block_row(const struct share *share, int r, int64_t size)
{
    return (share->cuts[r] + size - 1) / size;
}

/* Return the rows of block row b as a matrix in which it is block row 0. */
static struct csr block_row_of(const struct sums *sums, int64_t size, int64_t b)
{
    const struct share *share = sums->share;
    bool inside = b * size + size <= share->last || share->last == share->rows;
    struct csr part = inside ? share->own : sums->blocks->edge;
    int64_t before = b * size - (inside ? share->first : sums->blocks->edge_first);
    part.row_ptr += before;
    part.rows -= before;
    return part;
}

/* Count block rows from .. end-1, and write the number of blocks of each to `mine` unless that is NULL. */
static int64_t count_rows(const struct sums *sums, int64_t size, int64_t from, int64_t end, uint32_t *mine,
                          int64_t *longest)
{
    int64_t blocks = 0, most = 0;
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : blocks) reduction(max : most)
    for (int64_t b = from; b < end; b++) {
        const struct csr part = block_row_of(sums, size, b);
        int64_t count = bsr_blocks_of(&part, size, 0, NULL);
        blocks += count;
        most = max(most, count);
        if (mine) mine[b - from] = (uint32_t)count | (bsr_ends_with_last(&part, size, 0) ? SKELETON_LAST : 0);
    }
    *longest = max(*longest, most);
    return blocks;
}

/* Count the blocks of all ranks, and stop once they exceed `max`. Collective. */
static int64_t count_all(const struct sums *sums, int64_t size, int64_t max, int64_t *longest)
{
    int64_t from = first_block_row(sums->share, sums->ranks->rank, size), blocks = 0;
    int64_t rows = first_block_row(sums->share, sums->ranks->rank + 1, size) - from;
    *longest = 0;
    for (int64_t s = 0; s < STAGES && blocks <= max; s++) {
        int64_t here =
            count_rows(sums, size, from + rows * s / STAGES, from + rows * (s + 1) / STAGES, NULL, longest);
        ranks_sum(sums->ranks, &here, 1);
        blocks += here;
    }
    ranks_max(sums->ranks, longest, 1);
    return blocks;
}

/* Gather the blocks of all block rows on rank 0. Collective; fails with the same error on all ranks. */
static enum status gather_rows(const struct sums *sums, int64_t size)
{
    struct far_blocks *blocks = sums->blocks;
    struct error error = {0};
    int ranks = sums->ranks->count;
    int64_t from = first_block_row(sums->share, sums->ranks->rank, size), longest = 0;
    int64_t end = first_block_row(sums->share, sums->ranks->rank + 1, size);
    free(blocks->rows);
    blocks->rows = NULL;
    blocks->mine = memory_array((size_t)(end - from), sizeof *blocks->mine, &error);
    size_t *sizes = memory_array((size_t)ranks, sizeof *sizes, &error);
    enum status status = blocks->mine && sizes ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK && sums->ranks->rank == 0) {
        size_t all = (size_t)((sums->share->rows + size - 1) / size);
        blocks->rows = memory_array(all, sizeof *blocks->rows, &error);
        if (!blocks->rows) status = STATUS_MEMORY;
    }
    status = ranks_agree(sums->ranks, status, &error);
    if (status == STATUS_OK) {
        for (int r = 0; r < ranks; r++)
            sizes[r] =
                (size_t)(first_block_row(sums->share, r + 1, size) - first_block_row(sums->share, r, size)) *
                sizeof *blocks->mine;
        count_rows(sums, size, from, end, blocks->mine, &longest);
        ranks_join(sums->ranks, 0, blocks->mine, sizes, blocks->rows);
    }
    free(blocks->mine);
    blocks->mine = NULL;
    free(sizes);
    return status;
}

/* Count the tiles of all ranks. Collective. */
static struct skeleton_tiles count_tiles(const struct sums *sums, int64_t value)
{
    const int64_t from = first_block_row(sums->share, sums->ranks->rank, TILE_SIZE);
    const int64_t end = first_block_row(sums->share, sums->ranks->rank + 1, TILE_SIZE);
    int64_t tiles = 0, slots = 0, bytes = 0, lanes = 0, largest = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : tiles, slots, bytes, lanes) \
    reduction(max : largest)
    for (int64_t b = from; b < end; b++) {
        const struct csr part = block_row_of(sums, TILE_SIZE, b);
        const struct skeleton_tiles row = tile_count(&part, value, 0, 1, NULL, NULL);
        tiles += row.tiles;
        slots += row.slots;
        bytes += row.bytes;
        lanes += row.lanes;
        largest = max(largest, row.largest);
    }
    int64_t sum[] = {tiles, slots, bytes, lanes};
    ranks_sum(sums->ranks, sum, 4);
    ranks_max(sums->ranks, &largest, 1);
    return (struct skeleton_tiles){sum[0], sum[1], sum[2], sum[3], largest};
}

/* Rank 0 sends requests, and the other ranks answer them */

/* Send rank 0's request to all ranks. The others sleep while they wait, since rank 0 may use all processors
 * for a long time. */
static void pass(const struct ranks *ranks, int64_t request[3])
{
    const struct timespec nap = {.tv_nsec = NAP_NANOSECONDS};
    MPI_Request passing;
    int done = 0;
    MPI_Ibcast(request, 3, MPI_INT64_T, 0, ranks->all, &passing);
    for (MPI_Test(&passing, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&passing, &done, MPI_STATUS_IGNORE))
        nanosleep(&nap, NULL);
}

void blocks_serve(struct sums *sums)
{
    for (;;) {
        int64_t request[3] = {REQUEST_DISMISS}, longest;
        pass(sums->ranks, request);
        if (request[0] == REQUEST_DISMISS) return;
        if (request[0] == REQUEST_COUNT)
            count_all(sums, request[1], request[2], &longest);
        else if (request[0] == REQUEST_TILES)
            count_tiles(sums, request[1]);
        else
            gather_rows(sums, request[1]);
    }
}

void blocks_dismiss(struct sums *sums)
{
    pass(sums->ranks, (int64_t[]){REQUEST_DISMISS, 0, 0});
}

static int64_t ask_count(const struct skeleton *skeleton, int64_t size, int64_t max, int64_t *longest)
{
    struct sums *sums = skeleton->context;
    struct far_blocks *blocks = sums->blocks;
    bool known =
        blocks->blocks[size] >= 0 && (blocks->blocks[size] <= blocks->max[size] || max <= blocks->max[size]);
    if (!known) {
        int threads = threads_count();
        threads_set(sums->threads);
        pass(sums->ranks, (int64_t[]){REQUEST_COUNT, size, max});
        blocks->blocks[size] = count_all(sums, size, max, &blocks->longest[size]);
        blocks->max[size] = max;
        threads_set(threads);
    }
    *longest = blocks->longest[size];
    return blocks->blocks[size];
}

static const uint32_t *ask_rows(const struct skeleton *skeleton, int64_t size)
{
    struct sums *sums = skeleton->context;
    int threads = threads_count();
    threads_set(sums->threads);
    pass(sums->ranks, (int64_t[]){REQUEST_ROWS, size, 0});
    enum status status = gather_rows(sums, size);
    threads_set(threads);
    return status == STATUS_OK ? sums->blocks->rows : NULL;
}

static struct skeleton_tiles ask_tiles(const struct skeleton *skeleton, int64_t value)
{
    struct sums *sums = skeleton->context;
    int threads = threads_count();
    threads_set(sums->threads);
    pass(sums->ranks, (int64_t[]){REQUEST_TILES, value, 0});
    const struct skeleton_tiles count = count_tiles(sums, value);
    threads_set(threads);
    return count;
}

enum status blocks_open(struct sums *sums, struct error *error)
{
    struct rows_way out = {0}, in = {0};
    sums->blocks = memory_zeroed(1, sizeof *sums->blocks, error);
    enum status status = ranks_agree(sums->ranks, sums->blocks ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) status = get_edge(sums, &out, &in, error);
    way_free(&out);
    way_free(&in);
    if (status != STATUS_OK) return status;
    for (int size = 0; size <= BSR_SIZE_MAX; size++)
        sums->blocks->blocks[size] = -1;
    sums->skeleton.context = sums;
    sums->skeleton.count_blocks = ask_count;
    sums->skeleton.block_rows = ask_rows;
    sums->skeleton.count_tiles = ask_tiles;
    return STATUS_OK;
}

void blocks_close(struct sums *sums)
{
    if (!sums->blocks) return;
    csr_free(&sums->blocks->edge);
    free(sums->blocks->mine);
    free(sums->blocks->rows);
    free(sums->blocks);
    sums->blocks = NULL;
}
