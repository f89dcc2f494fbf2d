#include "analysis/tiles.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

/* A cell has SIDE x SIDE parts. A tile is a table if its cell has more entries than a table has bytes. The
 * counts of a table fit in 32 bits. If the grid has 4096 x 4096 cells, a part of a matrix with less than 2^31
 * rows and columns has at most 2^30 positions. The grid has fewer cells only if the matrix has fewer than
 * 2^32 entries. */
#define SIDE 16
#define PARTS (SIDE * SIDE)
#define LISTED_MAX ((int64_t)(PARTS * sizeof(uint32_t)))

/* The beginning of a tile is stored for every STRIDE-th cell; the others are counted from there. */
#define STRIDE 64

/* Number of entries between two checks for cancellation. */
#define LOOK_AFTER 65536

/* Entries and elements of tables that a single thread counts, in a few milliseconds: on a busy machine a
 * second thread may wait longer than a whole frame for a processor. */
#define ALONE_ELEMENTS ((int64_t)1 << 22)
#define BANDS_PER_THREAD 4

static size_t strides(const struct pyramid *p)
{
    return (size_t)(p->grid_cols + STRIDE - 1) / STRIDE;
}

static int64_t cell_entries(const struct pyramid *p, int64_t r, int64_t c)
{
    return pyramid_cells(p, r, r + 1, c, c + 1);
}

/* The elements of `words` that the tile of a cell with this number of entries takes. */
static size_t tile_words(int64_t entries)
{
    return entries > LISTED_MAX ? PARTS : (size_t)(entries + 3) / sizeof(uint32_t);
}

/* Set the starts of all tiles. Returns the number of words of all. */
static size_t place_tiles(const struct pyramid *p, struct tiles *tiles)
{
    size_t across = strides(p), at = 0;
#pragma omp parallel for schedule(dynamic, 16)
    for (int64_t r = 0; r < p->grid_rows; r++)
        for (size_t s = 0; s < across; s++) {
            size_t words = 0;
            for (int64_t c = (int64_t)s * STRIDE; c < min((int64_t)(s + 1) * STRIDE, p->grid_cols); c++)
                words += tile_words(cell_entries(p, r, c));
            tiles->starts[(size_t)r * across + s] = words;
        }
    for (size_t k = 0; k < (size_t)p->grid_rows * across; k++) {
        size_t words = tiles->starts[k];
        tiles->starts[k] = at;
        at += words;
    }
    return at;
}

/* The position for the next entry of a cell, in one number so that those of a row of cells stay in the cache:
 * 2 x the byte of a list, or 2 x the first word of a table + 1. */
static void begin_row(const struct pyramid *p, const struct tiles *tiles, int64_t r, size_t *places)
{
    const size_t *starts = tiles->starts + (size_t)r * strides(p);
    size_t at = 0;
    for (int64_t c = 0; c < p->grid_cols; c++) {
        int64_t entries = cell_entries(p, r, c);
        if (c % STRIDE == 0) at = starts[c / STRIDE];
        bool table = entries > LISTED_MAX;
        places[c] = table ? 2 * at + 1 : 2 * at * sizeof(uint32_t);
        at += tile_words(entries);
    }
}

/* Fill the tiles of row r of cells. */
static void fill_row(const struct csr *a, const struct pyramid *p, const struct tiles *tiles, int64_t r,
                     size_t *places, struct progress *progress)
{
    int cell_shift = __builtin_ctzll((uint64_t)p->col_step);
    int part_shift = __builtin_ctzll((uint64_t)tiles->part_cols);
    int64_t first = r * p->row_step, end = min(first + p->row_step, a->rows), looked = a->row_ptr[first];
    uint8_t *bytes = (uint8_t *)tiles->words;
    if (a->row_ptr[first] == a->row_ptr[end]) return;
    begin_row(p, tiles, r, places);
    for (int64_t i = first; i < end; i++) {
        unsigned row = (unsigned)((i - first) / tiles->part_rows) * SIDE;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            size_t *place = &places[a->col[k] >> cell_shift];
            unsigned part =
                row + ((unsigned)(a->col[k] >> part_shift) & (unsigned)((p->col_step >> part_shift) - 1));
            if (*place % 2) {
                tiles->words[*place / 2 + part]++;
            } else {
                bytes[*place / 2] = (uint8_t)part;
                *place += 2;
            }
        }
        if (a->row_ptr[i + 1] - looked < LOOK_AFTER) continue;
        progress_add(progress, a->row_ptr[i + 1] - looked);
        looked = a->row_ptr[i + 1];
        if (progress_cancelled(progress)) return;
    }
    progress_add(progress, a->row_ptr[end] - looked);
}

enum status tiles_make(const struct csr *a, const struct pyramid *pyramid, size_t limit,
                       struct progress *progress, struct tiles *tiles, struct error *error)
{
    enum status status = STATUS_MEMORY;
    int threads = threads_count();
    size_t cols = (size_t)pyramid->grid_cols, words;
    size_t *places = memory_array((size_t)threads, (cols + 1) * sizeof *places, error);
    *tiles = (struct tiles){.part_rows = max(pyramid->row_step / SIDE, 1),
                            .part_cols = max(pyramid->col_step / SIDE, 1)};
    if (!places) goto out;
    progress_phase(progress, "finer pattern", csr_nnz(a));
    tiles->starts =
        memory_array((size_t)pyramid->grid_rows + 1, (strides(pyramid) + 1) * sizeof *tiles->starts, error);
    if (!tiles->starts) goto out;
    words = place_tiles(pyramid, tiles) + 1;
    status = memory_check(words * sizeof *tiles->words, limit, "the finer pattern", error);
    if (status == STATUS_OK)
        status = memory_check_beside(words * sizeof *tiles->words,
                                     csr_bytes(a->rows, csr_nnz(a), a->imaginary != NULL), limit,
                                     "the finer pattern", error);
    if (status != STATUS_OK) goto out;
    tiles->words = memory_zeroed(words, sizeof *tiles->words, error);
    status = tiles->words ? STATUS_OK : STATUS_MEMORY;
    if (status != STATUS_OK) goto out;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t r = 0; r < pyramid->grid_rows; r++)
        if (!progress_cancelled(progress))
            fill_row(a, pyramid, tiles, r, places + (size_t)omp_get_thread_num() * cols, progress);
    status = progress_status(progress, error);
out:
    free(places);
    if (status != STATUS_OK) tiles_free(tiles);
    return status;
}

enum status tiles_make_if_many(const struct csr *a, const struct pyramid *pyramid, size_t limit,
                               struct progress *progress, struct tiles *tiles, struct error *error)
{
    *tiles = (struct tiles){0};
    if (csr_nnz(a) < TILES_FROM) return STATUS_OK;
    tiles_make(a, pyramid, limit, progress, tiles, NULL);
    return progress_status(progress, error);
}

bool tiles_suit(const struct tiles *tiles, int64_t row0, int64_t col0, int64_t dot_rows, int64_t dot_cols)
{
    /* The products of these and the size of a picture do not overflow. */
    bool small = row0 >= INT32_MIN && row0 <= INT32_MAX && col0 >= INT32_MIN && col0 <= INT32_MAX &&
                 dot_rows <= INT32_MAX && dot_cols <= INT32_MAX;
    return tiles->words && small && row0 % tiles->part_rows == 0 && dot_rows % tiles->part_rows == 0 &&
           col0 % tiles->part_cols == 0 && dot_cols % tiles->part_cols == 0;
}

/* A picture in units of parts: its origin, and the parts of a dot. One thread counts band `top .. bottom - 1`
 * of its rows of dots. */
struct counting {
    const struct tiles *tiles;
    const struct pyramid *p;
    int64_t row0, col0, dot_rows, dot_cols;
    int64_t top, bottom, wide;
    int64_t *counts;
};

/* The number of the dot that contains a part, among `dots` dots from number `from` on; -1 if none does. */
static int64_t dot_of(int64_t part, int64_t origin, int64_t dot, int64_t from, int64_t dots)
{
    int64_t index = part < origin ? -1 : (part - origin) / dot;
    return index >= from && index < dots ? index : -1;
}

/* Count a cell: rows[] are the rows of dots that its rows of parts are in, and dots[] the dots of its columns
 * of parts. Parts outside the picture have NULL and -1. */
static void count_cell(const struct tiles *tiles, size_t at, int64_t entries, int64_t *const *rows,
                       const int64_t *dots, bool whole)
{
    const uint8_t *list = (const uint8_t *)(tiles->words + at);
    if (entries > LISTED_MAX && whole) {
        for (int part = 0; part < PARTS; part++)
            rows[part / SIDE][dots[part % SIDE]] += tiles->words[at + (size_t)part];
    } else if (entries > LISTED_MAX) {
        for (int part = 0; part < PARTS; part++)
            if (rows[part / SIDE] && dots[part % SIDE] >= 0)
                rows[part / SIDE][dots[part % SIDE]] += tiles->words[at + (size_t)part];
    } else if (whole) {
        for (int64_t k = 0; k < entries; k++)
            rows[list[k] / SIDE][dots[list[k] % SIDE]]++;
    } else {
        for (int64_t k = 0; k < entries; k++)
            if (rows[list[k] / SIDE] && dots[list[k] % SIDE] >= 0)
                rows[list[k] / SIDE][dots[list[k] % SIDE]]++;
    }
}

/* Count row r of cells into the band. */
static void count_row(const struct counting *c, int64_t r)
{
    const struct pyramid *p = c->p;
    const struct tiles *tiles = c->tiles;
    int64_t high = p->row_step / tiles->part_rows, across = p->col_step / tiles->part_cols;
    int64_t *rows[SIDE], dots[SIDE];
    bool inside = true;
    for (int64_t k = 0; k < high; k++) {
        int64_t y = dot_of(r * high + k, c->row0, c->dot_rows, c->top, c->bottom);
        rows[k] = y < 0 ? NULL : c->counts + y * c->wide;
        inside = inside && rows[k];
    }
    int64_t first = clip(c->col0, INT64_MAX) / across;
    int64_t end = min((c->col0 + c->wide * c->dot_cols - 1) / across + 1, p->grid_cols);
    size_t at = 0;
    for (int64_t cell = first / STRIDE * STRIDE; cell < end; cell++) {
        int64_t entries = cell_entries(p, r, cell);
        bool whole = inside;
        if (cell % STRIDE == 0) at = tiles->starts[(size_t)r * strides(p) + (size_t)(cell / STRIDE)];
        if (cell >= first && entries) {
            for (int64_t k = 0; k < across; k++) {
                dots[k] = dot_of(cell * across + k, c->col0, c->dot_cols, 0, c->wide);
                whole = whole && dots[k] >= 0;
            }
            count_cell(tiles, at, entries, rows, dots, whole);
        }
        at += tile_words(entries);
    }
}

static void count_band(const struct counting *c)
{
    int64_t high = c->p->row_step / c->tiles->part_rows;
    int64_t first = clip(c->row0 + c->top * c->dot_rows, INT64_MAX) / high;
    int64_t end = min((c->row0 + c->bottom * c->dot_rows - 1) / high + 1, c->p->grid_rows);
    for (int64_t r = first; r < end; r++)
        count_row(c, r);
}

/* Estimate the entries of lists and elements of tables of a picture: a tile has at most LISTED_MAX of them,
 * and half of that on average if it has many entries. */
static int64_t elements_of(const struct counting *c, int64_t high)
{
    int64_t down = c->p->row_step / c->tiles->part_rows, across = c->p->col_step / c->tiles->part_cols;
    int64_t r0 = clip(c->row0, INT64_MAX) / down, r1 = (c->row0 + high * c->dot_rows) / down + 1;
    int64_t c0 = clip(c->col0, INT64_MAX) / across, c1 = (c->col0 + c->wide * c->dot_cols) / across + 1;
    double cells = (double)(min(r1, c->p->grid_rows) - r0) * (double)(min(c1, c->p->grid_cols) - c0);
    int64_t entries = pyramid_cells(c->p, r0, r1, c0, c1);
    return cells * (LISTED_MAX / 2) < (double)entries ? (int64_t)(cells * (LISTED_MAX / 2)) : entries;
}

void tiles_dots(const struct tiles *tiles, const struct pyramid *pyramid, int64_t row0, int64_t col0,
                int64_t dot_rows, int64_t dot_cols, int high, int wide, int64_t *counts)
{
    struct counting all = {.tiles = tiles,
                           .p = pyramid,
                           .row0 = row0 / tiles->part_rows,
                           .col0 = col0 / tiles->part_cols,
                           .dot_rows = dot_rows / tiles->part_rows,
                           .dot_cols = dot_cols / tiles->part_cols,
                           .wide = wide,
                           .counts = counts};
    int bands = elements_of(&all, high) < ALONE_ELEMENTS ? 1 : threads_count() * BANDS_PER_THREAD;
    memset(counts, 0, (size_t)high * (size_t)wide * sizeof *counts);
#pragma omp parallel for schedule(dynamic) if (bands > 1)
    for (int b = 0; b < bands; b++) {
        struct counting band = all;
        band.top = (int64_t)high * b / bands;
        band.bottom = (int64_t)high * (b + 1) / bands;
        if (band.top < band.bottom) count_band(&band);
    }
}

void tiles_free(struct tiles *tiles)
{
    free(tiles->words);
    free(tiles->starts);
    *tiles = (struct tiles){0};
}
