#include "kernels/cuda/csr_tiles.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "formats/fill.h"

#define TILES_PER_BLOCK 64 /* number of tiles whose tables a thread makes at a time */
#define NARROW 65536       /* number of columns that 16 bits distinguish */

/* The matrix whose tiles are being made, and the tiles. */
struct making {
    const struct storage *storage;
    const struct array *row_ptr;
    const int32_t *col;
    int64_t rows, nnz, blocks;
    struct csr_tiles *tiles;
};

static int64_t row_end(const struct making *making, int64_t r)
{
    return array_integer(making->row_ptr, r + 1);
}

static bool is_empty(const struct making *making, int64_t r)
{
    return array_integer(making->row_ptr, r) == row_end(making, r);
}

/* Return the row that entry e is in. */
static int64_t row_of(const struct making *making, int64_t e)
{
    return offset_find(making->row_ptr, making->rows, e);
}

static int64_t tile_begin(const struct making *making, int64_t t)
{
    return min(t * csr_tile_entries(making->tiles), making->nnz);
}

/* Marks */

/* Return the number of rows with entries that end in block b of tiles. */
static int64_t count_ends(const struct making *making, int64_t b)
{
    int64_t first = tile_begin(making, b * TILES_PER_BLOCK), count = 0;
    int64_t end = tile_begin(making, (b + 1) * TILES_PER_BLOCK);
    for (int64_t r = row_of(making, first); r < making->rows && row_end(making, r) <= end; r++)
        count += !is_empty(making, r);
    return count;
}

/* Write the marks of tile t; bit j of ends[l] is set if entry j of lane l is the last of its row. */
static void put_marks(struct csr_tiles *tiles, int64_t t, const uint32_t ends[TILE_LANES])
{
    uint32_t before = 0;
    for (int lane = 0; lane < TILE_LANES; lane++) {
        uint32_t mark = ends[lane] | before << tiles->each;
        if (csr_tile_mark(tiles) == sizeof(uint16_t))
            ((uint16_t *)tiles->mark)[t * TILE_LANES + lane] = (uint16_t)mark;
        else
            ((uint32_t *)tiles->mark)[t * TILE_LANES + lane] = mark;
        for (uint32_t bits = ends[lane]; bits; bits &= bits - 1)
            before++;
    }
}

/* Make the tables of tile t. The first row that ends in it is *r, or the first nonempty one after *r; its
 * index among rows with entries is *ordinal. Both advance to the next tile. Returns the number of elements of
 * `rows` that the tile refers to. */
static int64_t make_tile(const struct making *making, int64_t t, int64_t *r, int64_t *ordinal)
{
    struct csr_tiles *tiles = making->tiles;
    int64_t begin = tile_begin(making, t), end = tile_begin(making, t + 1);
    int64_t first = 0, last = 0, count = 0;
    uint32_t ends[TILE_LANES] = {0};
    for (; *r < making->rows && row_end(making, *r) <= end; ++*r) {
        if (is_empty(making, *r)) continue;
        int64_t e = row_end(making, *r) - 1 - begin;
        ends[e / tiles->each] |= (uint32_t)1 << e % tiles->each;
        tiles->rows[*ordinal + count] = (int32_t)*r;
        if (count++ == 0) first = *r;
        last = *r;
    }
    bool together = count == 0 || last - first == count - 1;
    tiles->first[t] = (int32_t)(together ? first : ~*ordinal);
    put_marks(tiles, t, ends);
    *ordinal += count;
    return together ? 0 : count;
}

static enum status make_marks(struct making *making, struct error *error)
{
    struct csr_tiles *tiles = making->tiles;
    int64_t blocks = making->blocks, listed = 0;
    int64_t *ordinal = memory_array((size_t)blocks + 1, sizeof *ordinal, error);
    if (!ordinal) return STATUS_MEMORY;
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++)
        ordinal[b] = count_ends(making, b);
    threads_offsets(ordinal, blocks);
    tiles->ends = ordinal[blocks];
    tiles->rows = memory_array((size_t)tiles->ends, sizeof *tiles->rows, error);
    if (tiles->rows) {
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : listed) if (blocks > 1)
        for (int64_t b = 0; b < blocks; b++) {
            int64_t t = b * TILES_PER_BLOCK, k = ordinal[b], r = row_of(making, tile_begin(making, t));
            for (; t < min((b + 1) * TILES_PER_BLOCK, tiles->tiles); t++)
                listed += make_tile(making, t, &r, &k);
        }
    }
    free(ordinal);
    if (!tiles->rows) return STATUS_MEMORY;
    tiles->listed = listed;
    if (listed == 0) {
        free(tiles->rows);
        tiles->rows = NULL;
    }
    return STATUS_OK;
}

/* Mark the rows without entries. Each thread makes whole words. */
static enum status make_empty(struct making *making, struct error *error)
{
    struct csr_tiles *tiles = making->tiles;
    int64_t words = (making->rows + 31) / 32, found = 0;
    tiles->empty = memory_array((size_t)words, sizeof *tiles->empty, error);
    if (!tiles->empty) return STATUS_MEMORY;
#pragma omp parallel for schedule(static) reduction(+ : found) if (making->rows > PARALLEL_MIN)
    for (int64_t w = 0; w < words; w++) {
        uint32_t bits = 0;
        for (int64_t r = w * 32; r < min(w * 32 + 32, making->rows); r++)
            bits |= (uint32_t)is_empty(making, r) << (r - w * 32);
        tiles->empty[w] = bits;
        found += bits != 0;
    }
    tiles->words = (int32_t)words;
    if (found > 0) return STATUS_OK;
    free(tiles->empty);
    tiles->empty = NULL;
    tiles->words = 0;
    return STATUS_OK;
}

/* Chunks */

static struct tile_span make_span(const struct making *making, int64_t chunk)
{
    int64_t size = (int64_t)csr_tile_entries(making->tiles) << making->tiles->shift;
    int64_t begin = chunk * size, end = min(begin + size, making->nnz), r = row_of(making, begin);
    struct tile_span span = {.from = -1, .to = -1};
    int64_t start = array_integer(making->row_ptr, r);
    if (start < begin) {
        span.from = (int32_t)(start / size);
        span.row = (int32_t)r;
    }
    if (end == making->nnz) return span;
    r = row_of(making, end);
    start = array_integer(making->row_ptr, r);
    if (start < end) {
        span.to = (int32_t)((row_end(making, r) - 1) / size);
        span.to_from = (int32_t)(start / size);
        span.to_row = (int32_t)r;
    }
    return span;
}

static enum status make_spans(struct making *making, struct error *error)
{
    struct csr_tiles *tiles = making->tiles;
    tiles->spans = memory_array((size_t)tiles->chunks, sizeof *tiles->spans, error);
    if (!tiles->spans) return STATUS_MEMORY;
#pragma omp parallel for schedule(static) if (tiles->chunks > 1024)
    for (int64_t chunk = 0; chunk < tiles->chunks; chunk++)
        tiles->spans[chunk] = make_span(making, chunk);
    return STATUS_OK;
}

/* Choose `run` so that all blocks get the same number of runs, and `inverse`. For k < 2^32 / run,
 *
 *     floor(k inverse / 2^32) = floor(k / run),
 *     inverse = ceil(2^32 / run) = (2^32 + e) / run,    0 <= e < run,
 *
 * since k inverse / 2^32 exceeds k / run by k e / (2^32 run) < 1 / run. The tickets k are at most the chunks
 * of a block plus the last, unsuccessful draws of its warps; if they could exceed that bound, run becomes
 * 1. */
static void plan_runs(struct csr_tiles *tiles, const struct tile_plan *plan)
{
    int64_t blocks = max(plan->multiprocessors, 1), size = (int64_t)1 << tiles->shift;
    int64_t each = blocks * plan->run, rounds = max((tiles->tiles + each / 2) / each, 1);
    int64_t run = max((tiles->tiles + blocks * rounds * size - 1) / (blocks * rounds * size), 1);
    int64_t tickets = tiles->chunks / blocks + 2 * run + 1024;
    if (tickets * run >= (int64_t)1 << 32) run = 1;
    tiles->run = (int32_t)run;
    tiles->inverse = run > 1 ? (uint32_t)((((uint64_t)1 << 32) + (uint64_t)run - 1) / (uint64_t)run) : 0;
}

/* Columns */

/* Return the smallest column of tile t, or -1 if 16 bits cannot encode its range of columns. */
static int32_t tile_base(const struct making *making, int64_t t)
{
    int64_t begin = tile_begin(making, t), end = tile_begin(making, t + 1);
    int32_t low = making->col[begin], high = low;
    for (int64_t e = begin + 1; e < end; e++) {
        if (making->col[e] < low) low = making->col[e];
        if (making->col[e] > high) high = making->col[e];
    }
    return high - low < NARROW ? low : -1;
}

static void narrow_tile(const struct making *making, int64_t t)
{
    struct csr_tiles *tiles = making->tiles;
    int entries = csr_tile_entries(tiles);
    int64_t begin = tile_begin(making, t), count = tile_begin(making, t + 1) - begin;
    uint16_t *to = tiles->col16 + t * entries;
    int32_t base = tiles->base[t];
    for (int e = 0; e < entries; e++)
        to[csr_tile_place(tiles->each, e)] =
            (uint16_t)(base >= 0 && e < count ? making->col[begin + e] - base : 0);
}

static enum status make_columns(struct making *making, int columns, struct error *error)
{
    struct csr_tiles *tiles = making->tiles;
    int64_t count = tiles->tiles, wide = 0;
    if (columns == 32) return STATUS_OK;
    tiles->base = memory_array((size_t)count, sizeof *tiles->base, error);
    if (!tiles->base) return STATUS_MEMORY;
#pragma omp parallel for schedule(static) reduction(+ : wide) if (making->blocks > 1)
    for (int64_t t = 0; t < count; t++) {
        tiles->base[t] = tile_base(making, t);
        wide += tiles->base[t] < 0;
    }
    if (columns == 0 && wide > count / 2) {
        free(tiles->base);
        tiles->base = NULL;
        return STATUS_OK;
    }
    tiles->wide = wide;
    tiles->col16 = memory_array((size_t)count * (size_t)csr_tile_entries(tiles), sizeof *tiles->col16, error);
    if (!tiles->col16) return STATUS_MEMORY;
#pragma omp parallel for schedule(static) if (making->blocks > 1)
    for (int64_t t = 0; t < count; t++)
        narrow_tile(making, t);
    return STATUS_OK;
}

static enum status make_last(struct making *making, struct error *error)
{
    struct csr_tiles *tiles = making->tiles;
    const struct array *val = &making->storage->array[CSR_VAL];
    size_t entries = (size_t)csr_tile_entries(tiles), value = element_size(val->element);
    int64_t begin = tile_begin(making, tiles->tiles - 1);
    size_t count = (size_t)(making->nnz - begin);
    tiles->last_col = memory_zeroed(entries, sizeof *tiles->last_col, error);
    tiles->last_val = memory_zeroed(entries, value, error);
    if (!tiles->last_col || !tiles->last_val) return STATUS_MEMORY;
    memcpy(tiles->last_col, making->col + begin, count * sizeof *tiles->last_col);
    if (val->data) /* an outline has no values */
        memcpy(tiles->last_val, (const char *)val->data + (size_t)begin * value, count * value);
    return STATUS_OK;
}

/* Return STATUS_LIMIT if the tables take too much: for each tile marks, first row, 16-bit columns and a span,
 * and for each row its number and a bit. */
static enum status check_size(const struct csr_tiles *tiles, int64_t rows, size_t limit, struct error *error)
{
    size_t tile = 32 * csr_tile_mark(tiles) + 8 + 2 * (size_t)csr_tile_entries(tiles), bytes;
    size_multiply((size_t)tiles->tiles, tile + sizeof(struct tile_span), &bytes);
    size_add(bytes, (size_t)rows * sizeof(int32_t) + (size_t)rows / 8, &bytes);
    return memory_check(bytes, limit, "the tables of csr-balanced", error);
}

static enum status make_all(struct making *making, const struct tile_plan *plan, struct error *error)
{
    struct csr_tiles *tiles = making->tiles;
    enum status status = check_size(tiles, making->rows, plan->limit, error);
    if (status != STATUS_OK) return status;
    tiles->mark = memory_array((size_t)tiles->tiles * TILE_LANES, csr_tile_mark(tiles), error);
    tiles->first = memory_array((size_t)tiles->tiles, sizeof *tiles->first, error);
    if (!tiles->mark || !tiles->first) return STATUS_MEMORY;
    status = make_marks(making, error);
    if (status == STATUS_OK) status = make_empty(making, error);
    if (status == STATUS_OK) status = make_spans(making, error);
    if (status == STATUS_OK) status = make_columns(making, plan->columns, error);
    if (status == STATUS_OK) status = make_last(making, error);
    return status;
}

enum status csr_tiles_make(const struct storage *storage, const struct tile_plan *plan,
                           struct csr_tiles *tiles, struct error *error)
{
    struct making making = {.storage = storage,
                            .row_ptr = &storage->array[CSR_ROW_PTR],
                            .col = storage->array[CSR_COL].data,
                            .rows = storage->rows,
                            .nnz = storage->nnz,
                            .tiles = tiles};
    *tiles = (struct csr_tiles){.each = TILE_LANE_BYTES / value_width(storage->precision, storage->complex),
                                .shift = plan->shift};
    int64_t entries = csr_tile_entries(tiles), count = (storage->nnz + entries - 1) / entries;
    if (count > TILES_MAX)
        return error_set(error, STATUS_UNAVAILABLE, "csr-balanced takes up to %lld entries",
                         (long long)(TILES_MAX * entries));
    if (count == 0) return STATUS_OK;
    tiles->tiles = (int32_t)count;
    tiles->chunks = (int32_t)((count + ((int64_t)1 << plan->shift) - 1) >> plan->shift);
    making.blocks = (count + TILES_PER_BLOCK - 1) / TILES_PER_BLOCK;
    plan_runs(tiles, plan);
    enum status status = make_all(&making, plan, error);
    if (status != STATUS_OK) csr_tiles_free(tiles);
    return status;
}

void csr_tiles_free(struct csr_tiles *tiles)
{
    free(tiles->mark);
    free(tiles->first);
    free(tiles->rows);
    free(tiles->empty);
    free(tiles->spans);
    free(tiles->last_col);
    free(tiles->last_val);
    free(tiles->base);
    free(tiles->col16);
    *tiles = (struct csr_tiles){0};
}
