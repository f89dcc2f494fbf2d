#include "formats/tile_count.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/criteria_rules.h"

bool tile_next(struct walk *walk, struct tile *tile)
{
    int64_t n = 0;
    tile->col = walk_column(walk);
    if (tile->col < 0) return false;
    tile->rows = walk->rows;
    tile->cols = min(TILE_SIZE, walk->a->cols - tile->col * TILE_SIZE);
    tile->widest = 0;
    for (int i = 0; i < walk->rows; i++) {
        tile->start[i] = n;
        for (int64_t k; (k = walk_entry(walk, i, tile->col)) >= 0; n++) {
            tile->entry[n] = k;
            tile->at[n] = (uint8_t)(i * TILE_SIZE + walk->a->col[k] % TILE_SIZE);
        }
        tile->widest = max(tile->widest, n - tile->start[i]);
    }
    tile->start[tile->rows] = tile->count = n;
    return true;
}

int64_t tile_index_bytes(enum tile_kind kind, int64_t rows, int64_t slots)
{
    switch (kind) {
    case TILE_COO:
        return 1 + slots;
    case TILE_CSR:
        return 1 + rows + (slots + 1) / 2;
    case TILE_ELL:
        return 1 + (slots + 1) / 2;
    default:
        return 1;
    }
}

struct way tile_way(const struct tile *tile, int64_t value)
{
    const int64_t slots[] = {[TILE_COO] = tile->count,
                             [TILE_CSR] = tile->count,
                             [TILE_ELL] = tile->rows * tile->widest,
                             [TILE_DENSE] = tile->rows * tile->cols};
    struct way best = {0};
    int64_t least = INT64_MAX;
    for (enum tile_kind kind = TILE_KINDS; kind-- > 0;) {
        int64_t bytes = tile_index_bytes(kind, tile->rows, slots[kind]), all = bytes + slots[kind] * value;
        if (all >= least) continue;
        least = all;
        best = (struct way){kind, slots[kind], bytes};
    }
    return best;
}

/* Lanes times steps of a warp: 32 entries of COO or positions at a time, or two lanes for each row. */
static int64_t lanes_of(const struct tile *tile, enum tile_kind kind)
{
    if (kind == TILE_DENSE) return TILE_SLOTS;
    return WARP_THREADS *
           ((kind == TILE_COO ? (tile->count - 1) / WARP_THREADS : (tile->widest - 1) / 2) + 1);
}

/* The rows of a tile row. next[i] is the first entry of row i after the previous tiles. key[TILE_SIZE + i] is
 * the first column of that entry's tile plus i; NONE if there is no entry. Each of the others is the least of
 * key[2 k] and key[2 k + 1], so that key[1] is the least of all (a tournament). */
struct rows {
    const struct csr *a;
    int64_t next[TILE_SIZE], end[TILE_SIZE];
    uint32_t key[2 * TILE_SIZE];
};

#define NONE UINT32_MAX
#define IN_TILE ((uint32_t)TILE_SIZE - 1)

static inline uint32_t key_of(const struct rows *rows, uint32_t i)
{
    if (rows->next[i] >= rows->end[i]) return NONE;
    return ((uint32_t)rows->a->col[rows->next[i]] & ~IN_TILE) | i;
}

static void begin_rows(const struct csr *a, int64_t tile_row, int64_t count, struct rows *rows)
{
    const int64_t first = tile_row * TILE_SIZE;
    rows->a = a;
    for (uint32_t i = 0; i < TILE_SIZE; i++) {
        rows->next[i] = i < count ? a->row_ptr[first + i] : 0;
        rows->end[i] = i < count ? a->row_ptr[first + i + 1] : 0;
        rows->key[TILE_SIZE + i] = key_of(rows, i);
    }
    for (int k = TILE_SIZE - 1; k > 0; k--)
        rows->key[k] = (uint32_t)min(rows->key[2 * k], rows->key[2 * k + 1]);
}

/* Pass the entries of row i in the tile that ends before column `end`. Returns their number. */
static inline int64_t pass_row(struct rows *rows, uint32_t i, int64_t end)
{
    const int32_t *col = rows->a->col;
    const int64_t first = rows->next[i], last = rows->end[i];
    int64_t k = first;
    while (k < last && col[k] < end)
        k++;
    rows->next[i] = k;
    uint32_t key = key_of(rows, i);
    size_t at = TILE_SIZE + i;
    rows->key[at] = key;
    for (; at > 1; at /= 2) {
        const uint32_t beside = rows->key[at ^ 1];
        key = key < beside ? key : beside;
        rows->key[at / 2] = key;
    }
    return k - first;
}

/* Pass the next tile, and count its entries. Returns false if there is none. */
static inline bool pass_tile(struct rows *rows, struct tile *tile)
{
    const uint32_t col = rows->key[1] & ~IN_TILE;
    if (rows->key[1] == NONE) return false;
    tile->cols = min(TILE_SIZE, rows->a->cols - (int64_t)col);
    tile->count = tile->widest = 0;
    while ((rows->key[1] & ~IN_TILE) == col) {
        const int64_t count = pass_row(rows, rows->key[1] & IN_TILE, (int64_t)col + TILE_SIZE);
        tile->count += count;
        tile->widest = max(tile->widest, count);
    }
    return true;
}

/* True if a tile is stored as the one before. */
static bool is_alike(const struct tile *tile, const struct tile *before)
{
    return tile->count == before->count && tile->widest == before->widest && tile->cols == before->cols &&
           tile->rows == before->rows;
}

/* The counts so far, and how the last tile is stored. */
struct counting {
    struct skeleton_tiles count;
    struct tile before;
    struct way way;
    int64_t value, lanes;
    const struct progress *progress;
};

/* Count a tile. Returns false if the work is cancelled. */
static inline bool note_tile(struct counting *counting, const struct tile *tile)
{
    struct skeleton_tiles *count = &counting->count;
    if (count->tiles++ % STRETCH == 0 && progress_cancelled(counting->progress)) return false;
    if (!is_alike(tile, &counting->before)) {
        counting->way = tile_way(tile, counting->value);
        counting->lanes = lanes_of(tile, counting->way.kind);
        counting->before.count = tile->count;
        counting->before.widest = tile->widest;
        counting->before.cols = tile->cols;
        counting->before.rows = tile->rows;
    }
    count->slots += counting->way.slots;
    count->bytes += counting->way.bytes;
    count->lanes += counting->lanes;
    count->largest = max(count->largest, counting->way.slots);
    return true;
}

/* A tile column: the last tile row with entries there, plus 1, and the counts of that tile. */
struct tile_column {
    uint32_t stamp;
    uint16_t count;
    uint8_t widest;
};

/* The most bytes of the columns, so that they stay in a cache. */
#define COLUMNS_MAX ((size_t)4 << 20)

bool tile_columns_make(const struct csr *a, struct tile_columns *columns)
{
    const int64_t across = (a->cols + TILE_SIZE - 1) / TILE_SIZE;
    const size_t each = sizeof *columns->of + sizeof *columns->list;
    *columns = (struct tile_columns){.of = NULL};
    if (across > csr_nnz(a) || (size_t)across > COLUMNS_MAX / each) return true;
    columns->of = memory_zeroed((size_t)across, each, NULL);
    if (columns->of) columns->list = (int32_t *)(columns->of + across);
    return columns->of != NULL;
}

void tile_columns_free(struct tile_columns *columns)
{
    free(columns->of);
    *columns = (struct tile_columns){.of = NULL};
}

/* Add the entries of a row to their tiles. False if cancelled. */
static bool add_row(const struct csr *a, int64_t i, uint32_t stamp, struct tile_columns *columns,
                    const struct progress *progress)
{
    const int32_t *col = a->col;
    int64_t runs = 0;
    for (int64_t k = a->row_ptr[i], last = a->row_ptr[i + 1]; k < last;) {
        const int32_t at = col[k] / TILE_SIZE;
        struct tile_column *column = &columns->of[at];
        unsigned width = 1;
        while (++k < last && col[k] / TILE_SIZE == at)
            width++;
        if (column->stamp != stamp) {
            *column = (struct tile_column){.stamp = stamp};
            columns->list[columns->count++] = at;
        }
        column->count = (uint16_t)(column->count + width);
        if (width > column->widest) column->widest = (uint8_t)width;
        if (++runs % STRETCH == 0 && progress_cancelled(progress)) return false;
    }
    return true;
}

/* Count the tiles of a tile row by its columns. False if cancelled. */
static bool count_columns(const struct csr *a, int64_t r, struct tile_columns *columns, struct tile *tile,
                          struct counting *counting)
{
    columns->count = 0;
    for (int64_t i = r * TILE_SIZE; i < r * TILE_SIZE + tile->rows; i++)
        if (!add_row(a, i, (uint32_t)r + 1, columns, counting->progress)) return false;
    for (int64_t k = 0; k < columns->count; k++) {
        const int64_t at = columns->list[k];
        tile->cols = min(TILE_SIZE, a->cols - at * TILE_SIZE);
        tile->count = columns->of[at].count;
        tile->widest = columns->of[at].widest;
        if (!note_tile(counting, tile)) return false;
    }
    return true;
}

/* Count the tiles of a tile row by merging its rows. False if cancelled. */
static bool count_merged(const struct csr *a, int64_t r, struct tile *tile, struct counting *counting)
{
    struct rows rows;
    begin_rows(a, r, tile->rows, &rows);
    while (pass_tile(&rows, tile))
        if (!note_tile(counting, tile)) return false;
    return true;
}

struct skeleton_tiles tile_count(const struct csr *a, int64_t value, int64_t first, int64_t end,
                                 struct tile_columns *columns, const struct progress *progress)
{
    struct counting counting = {.before.count = 0, .value = value, .progress = progress};
    struct tile tile;
    bool goes_on = true;
    for (int64_t r = next_block_row(a, TILE_SIZE, first); r < end && goes_on;
         r = next_block_row(a, TILE_SIZE, r + 1)) {
        tile.rows = min(TILE_SIZE, a->rows - r * TILE_SIZE);
        goes_on = columns && columns->of ? count_columns(a, r, columns, &tile, &counting)
                                         : count_merged(a, r, &tile, &counting);
    }
    return counting.count;
}
