#include "formats/tile.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/criteria_rules.h"
#include "formats/fill.h"
#include "formats/tile_count.h"

static const struct parameter parameters[] = {{0}};

static const char *const kind_names[] = {
    [TILE_COO] = "COO", [TILE_CSR] = "CSR", [TILE_ELL] = "ELL", [TILE_DENSE] = "dense"};

static int64_t value_bytes(const struct storage *storage)
{
    return (storage->precision == PRECISION_F32 ? 4 : 8) * (storage->complex ? 2 : 1);
}

/* Planning */

static enum status count_all(const struct csr *a, int64_t value, const struct progress *progress,
                             struct skeleton_tiles *all, struct error *error)
{
    int64_t blocks = row_blocks(a), tiles = 0, slots = 0, bytes = 0, lanes = 0, largest = 0;
    bool failed = false;
#pragma omp parallel reduction(+ : tiles, slots, bytes, lanes) reduction(max : largest) \
    reduction(|| : failed) if (blocks > 1)
    {
        struct tile_columns columns;
        failed = !tile_columns_make(a, &columns);
#pragma omp for schedule(dynamic, 1)
        for (int64_t b = 0; b < blocks; b++) {
            if (failed) continue;
            const struct skeleton_tiles count =
                tile_count(a, value, strip_block_first(a, TILE_SIZE, blocks, b),
                           strip_block_first(a, TILE_SIZE, blocks, b + 1), &columns, progress);
            tiles += count.tiles;
            slots += count.slots;
            bytes += count.bytes;
            lanes += count.lanes;
            largest = max(largest, count.largest);
        }
        tile_columns_free(&columns);
    }
    *all = (struct skeleton_tiles){tiles, slots, bytes, lanes, largest};
    return failed ? error_set(error, STATUS_MEMORY, "out of memory: no room to count tiles") : STATUS_OK;
}

static enum status plan_tile(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    struct skeleton_tiles count = {0};
    if (a->skeleton && csr_nnz(a) > 0) {
        if (!a->skeleton->count_tiles)
            return error_set(error, STATUS_LIMIT,
                             "tile: its tiles are counted from entries, and these are not in memory");
        count = a->skeleton->count_tiles(a->skeleton, value_bytes(storage));
    } else {
        enum status status = count_all(a, value_bytes(storage), progress, &count, error);
        if (status != STATUS_OK) return status;
    }
    const int64_t rows = (storage->rows + TILE_SIZE - 1) / TILE_SIZE, last = max(count.slots, count.bytes);
    const int64_t pointers = count.tiles ? count.tiles + 1 : 0;
    storage->number[TILE_ROWS] = rows;
    storage->number[TILE_TILES] = count.tiles;
    storage->number[TILE_LARGEST] = count.largest;
    storage->number[TILE_LANES] = count.lanes;
    storage->slots[0] = count.slots;
    plan_scratch(storage, ((size_t)row_blocks(a) + 1) * 3 * sizeof(int64_t));
    plan_offsets(storage, TILE_PTR, "tile_ptr", rows + 1, last, "first tile of tile row e");
    plan_array(storage, TILE_COL, "tile_col", ROLE_COLUMNS, ELEMENT_I32, count.tiles,
               "tile column of tile e, in units of 16 columns");
    plan_offsets(storage, TILE_SLOT_PTR, "slot_ptr", pointers, last, "first slot of tile e");
    plan_offsets(storage, TILE_BYTE_PTR, "byte_ptr", pointers, last, "first byte of tile e in index");
    plan_array(storage, TILE_INDEX, "index", ROLE_ROWS, ELEMENT_U8, count.bytes,
               "how a tile is stored, its first slots of rows, and rows and columns in it");
    plan_slots(storage, TILE_VAL, "val", ROLE_VALUES, 0, "value of slot e");
    return progress_status(progress, error);
}

/* Filling */

static void put_half(uint8_t *bytes, int64_t e, int column)
{
    if (e % 2)
        bytes[e / 2] |= (uint8_t)(column << 4);
    else
        bytes[e / 2] = (uint8_t)column;
}

/* Write the columns of ELL and return the slot of the tile's entry n, which is in row i. */
static int64_t ell_slot_of(const struct tile *tile, int64_t i, int64_t n)
{
    return (n - tile->start[i]) * tile->rows + i;
}

static void fill_ell_columns(const struct tile *tile, int64_t slots, uint8_t *bytes)
{
    for (int64_t s = 0; s < slots; s++) {
        int64_t i = s % tile->rows, n = min(tile->start[i] + s / tile->rows, tile->start[i + 1] - 1);
        put_half(bytes, s, n < tile->start[i] ? 0 : tile->at[n] % TILE_SIZE);
    }
}

/* Write the bytes of a tile after the first one. */
static void fill_index(const struct tile *tile, const struct way *way, uint8_t *bytes)
{
    if (way->kind == TILE_ELL) fill_ell_columns(tile, way->slots, bytes);
    for (int64_t n = 0; n < tile->count && way->kind == TILE_COO; n++)
        bytes[n] = tile->at[n];
    if (way->kind != TILE_CSR) return;
    for (int64_t i = 0; i < tile->rows; i++)
        bytes[i] = (uint8_t)tile->start[i];
    for (int64_t n = 0; n < tile->count; n++)
        put_half(bytes + tile->rows, n, tile->at[n] % TILE_SIZE);
}

/* Return the slot, counted from the tile's first, of its entry n. */
static int64_t slot_in_tile(const struct tile *tile, enum tile_kind kind, int64_t n)
{
    int64_t i = tile->at[n] / TILE_SIZE;
    if (kind == TILE_ELL) return ell_slot_of(tile, i, n);
    return kind == TILE_DENSE ? tile->at[n] % TILE_SIZE * tile->rows + i : n;
}

static void fill_values(struct storage *storage, const struct csr *a, const struct tile *tile,
                        const struct way *way, int64_t first)
{
    struct array *val = &storage->array[TILE_VAL];
    for (int64_t s = 0; s < way->slots && way->slots > tile->count; s++)
        put_zero(val, first + s);
    for (int64_t n = 0; n < tile->count; n++)
        put_value(storage, val, first + slot_in_tile(tile, way->kind, n), a, tile->entry[n]);
}

/* Fill tile rows first .. end-1, before which there are `at` tiles, slots and bytes. */
static void fill_tiles(struct storage *storage, const struct csr *a, int64_t first, int64_t end,
                       struct skeleton_tiles at, const struct progress *progress)
{
    struct array *array = storage->array;
    const int64_t value = value_bytes(storage);
    for (int64_t r = first; r < end; r++) {
        array_set(&array[TILE_PTR], r, at.tiles);
        if (no_entries(a, TILE_SIZE, r)) continue;
        struct walk walk = walk_of(a, TILE_SIZE, r);
        struct tile tile;
        for (; tile_next(&walk, &tile); at.tiles++) {
            const struct way way = tile_way(&tile, value);
            uint8_t *bytes = (uint8_t *)array[TILE_INDEX].data + at.bytes;
            if (at.tiles % STRETCH == 0 && progress_cancelled(progress)) return;
            array_set(&array[TILE_COL], at.tiles, tile.col);
            array_set(&array[TILE_SLOT_PTR], at.tiles, at.slots);
            array_set(&array[TILE_BYTE_PTR], at.tiles, at.bytes);
            bytes[0] = (uint8_t)(way.kind | (way.kind == TILE_ELL ? tile.widest - 1 : 0) << 4);
            fill_index(&tile, &way, bytes + 1);
            fill_values(storage, a, &tile, &way, at.slots);
            at.slots += way.slots;
            at.bytes += way.bytes;
        }
    }
}

/* Write the ends of the pointers. */
static void fill_ends(struct storage *storage)
{
    const int64_t tiles = storage->number[TILE_TILES];
    array_set(&storage->array[TILE_PTR], storage->number[TILE_ROWS], tiles);
    if (tiles == 0) return;
    array_set(&storage->array[TILE_SLOT_PTR], tiles, storage->slots[0]);
    array_set(&storage->array[TILE_BYTE_PTR], tiles, storage->array[TILE_INDEX].length);
}

/* Count the tiles, slots and bytes of each block of rows first. Element b of three arrays then gets their
 * numbers in the blocks before b. */
static enum status fill_tile(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    const int64_t blocks = row_blocks(a), value = value_bytes(storage);
    int64_t *tiles = memory_array((size_t)(blocks + 1) * 3, sizeof *tiles, error);
    if (!tiles) return STATUS_MEMORY;
    int64_t *slots = tiles + blocks + 1, *bytes = slots + blocks + 1;
    progress_phase(progress, "converting to tiles", blocks);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        const struct skeleton_tiles count =
            tile_count(a, value, strip_block_first(a, TILE_SIZE, blocks, b),
                       strip_block_first(a, TILE_SIZE, blocks, b + 1), NULL, progress);
        tiles[b] = count.tiles;
        slots[b] = count.slots;
        bytes[b] = count.bytes;
    }
    threads_offsets(tiles, blocks);
    threads_offsets(slots, blocks);
    threads_offsets(bytes, blocks);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        fill_tiles(storage, a, strip_block_first(a, TILE_SIZE, blocks, b),
                   strip_block_first(a, TILE_SIZE, blocks, b + 1),
                   (struct skeleton_tiles){tiles[b], slots[b], bytes[b], 0, 0}, progress);
        progress_add(progress, 1);
    }
    fill_ends(storage);
    free(tiles);
    return progress_status(progress, error);
}

/* Stored tiles */

/* A stored tile. */
struct stored {
    int64_t t, row, col; /* its number, tile row and tile column */
    int64_t first, slots, byte, bytes;
    int64_t rows, cols;
    enum tile_kind kind;
    int64_t width;
    const uint8_t *index; /* after the first byte */
};

static struct stored tile_at(const struct storage *storage, int64_t t)
{
    const struct array *array = storage->array;
    struct stored tile = {.t = t,
                          .row = offset_find(&array[TILE_PTR], storage->number[TILE_ROWS], t),
                          .col = array_integer(&array[TILE_COL], t),
                          .first = array_integer(&array[TILE_SLOT_PTR], t),
                          .byte = array_integer(&array[TILE_BYTE_PTR], t)};
    tile.slots = array_integer(&array[TILE_SLOT_PTR], t + 1) - tile.first;
    tile.bytes = array_integer(&array[TILE_BYTE_PTR], t + 1) - tile.byte;
    tile.rows = min(TILE_SIZE, storage->rows - tile.row * TILE_SIZE);
    tile.cols = min(TILE_SIZE, storage->cols - tile.col * TILE_SIZE);
    const uint8_t *head = (const uint8_t *)array[TILE_INDEX].data + tile.byte;
    tile.index = head + 1;
    tile.kind = tile_kind(*head);
    tile.width = tile_width(*head);
    return tile;
}

/* Return the tile in whose slots slot e lies, or in whose bytes byte e lies. */
static struct stored tile_of(const struct storage *storage, int q, int64_t e)
{
    return tile_at(storage, offset_find(&storage->array[q], storage->number[TILE_TILES], e));
}

/* Return the row and the column in its tile, as row * 16 + column, of slot s. */
static int position_of(const struct stored *tile, int64_t s)
{
    int64_t i = 0;
    switch (tile->kind) {
    case TILE_COO:
        return tile->index[s];
    case TILE_CSR:
        while (i + 1 < tile->rows && tile->index[i + 1] <= s)
            i++;
        return (int)i * TILE_SIZE + tile_half(tile->index + tile->rows, s);
    case TILE_ELL:
        return (int)(s % tile->rows) * TILE_SIZE + tile_half(tile->index, s);
    default:
        return (int)(s % tile->rows * TILE_SIZE + s / tile->rows);
    }
}

static struct place place_in(const struct stored *tile, int position)
{
    return (struct place){tile->row * TILE_SIZE + position / TILE_SIZE,
                          tile->col * TILE_SIZE + position % TILE_SIZE};
}

/* Return the first slot at a position of a tile, or the number of slots. */
static int64_t slot_at(const struct stored *tile, int position)
{
    int64_t s = 0;
    while (s < tile->slots && position_of(tile, s) != position)
        s++;
    return s;
}

/* Return the tile of position (i, j), or -1 if it is not stored. */
static int64_t tile_find(const struct storage *storage, int64_t i, int64_t j)
{
    const struct array *ptr = &storage->array[TILE_PTR], *col = &storage->array[TILE_COL];
    const int64_t r = i / TILE_SIZE, end = array_integer(ptr, r + 1);
    const int64_t t = array_lower_bound(col, array_integer(ptr, r), end, j / TILE_SIZE);
    return t < end && array_integer(col, t) == j / TILE_SIZE ? t : -1;
}

/* Validating */

/* Return the first invalid byte, counted from the tile's first one; -1 if there is none. */
static int64_t bad_csr(const struct stored *tile)
{
    const uint8_t *start = tile->index;
    for (int64_t i = 0; i < tile->rows; i++)
        if (start[i] > tile->slots || (i == 0 ? start[i] != 0 : start[i] < start[i - 1])) return 1 + i;
    for (int64_t s = 0; s < tile->slots; s++) {
        int here = position_of(tile, s), before = s > 0 ? position_of(tile, s - 1) : -1;
        if (here % TILE_SIZE >= tile->cols || here <= before) return 1 + tile->rows + s / 2;
    }
    return tile->slots % 2 && tile_half(start + tile->rows, tile->slots) ? tile->bytes - 1 : -1;
}

static int64_t bad_coo(const struct stored *tile)
{
    for (int64_t s = 0; s < tile->slots; s++) {
        int here = tile->index[s];
        if (here % TILE_SIZE >= tile->cols || here / TILE_SIZE >= tile->rows ||
            (s > 0 && here <= tile->index[s - 1]))
            return 1 + s;
    }
    return -1;
}

/* The same for ELL: the columns of a row must ascend up to its padding. */
static int64_t bad_ell(const struct storage *storage, const struct stored *tile)
{
    for (int64_t s = 0; s < tile->slots; s++) {
        const bool padding = storage_padding(storage, 0, tile->first + s), top = s < tile->rows;
        const int here = tile_half(tile->index, s),
                  before = top ? -1 : tile_half(tile->index, s - tile->rows);
        if (here >= tile->cols || (padding ? here != (top ? 0 : before) : here <= before)) return 1 + s / 2;
        if (!padding && !top && storage_padding(storage, 0, tile->first + s - tile->rows)) return 1 + s / 2;
    }
    return tile->slots % 2 && tile_half(tile->index, tile->slots) ? tile->bytes - 1 : -1;
}

/* Return whether the kind and the numbers of slots and bytes are consistent. */
static bool sizes_fit(const struct stored *tile)
{
    if (tile->kind >= TILE_KINDS || (tile->kind != TILE_ELL && tile->width != 1) || tile->slots < 1 ||
        tile->slots > TILE_SLOTS || tile->bytes != tile_index_bytes(tile->kind, tile->rows, tile->slots))
        return false;
    if (tile->kind == TILE_ELL) return tile->slots == tile->rows * tile->width;
    return tile->kind != TILE_DENSE || tile->slots == tile->rows * tile->cols;
}

/* Return the first invalid byte of tile t; -1 if there is none. */
static int64_t bad_byte(const struct storage *storage, int64_t t)
{
    const struct array *byte_ptr = &storage->array[TILE_BYTE_PTR];
    if (array_integer(byte_ptr, t) == array_integer(byte_ptr, t + 1)) return 0;
    const struct stored tile = tile_at(storage, t);
    if (!sizes_fit(&tile)) return 0;
    switch (tile.kind) {
    case TILE_COO:
        return bad_coo(&tile);
    case TILE_CSR:
        return bad_csr(&tile);
    case TILE_ELL:
        return bad_ell(storage, &tile);
    default:
        return -1;
    }
}

/* Return the first tile whose column is not more than the one before it in its tile row, or the number of
 * tiles. */
static int64_t first_disorder(const struct storage *storage)
{
    const struct array *ptr = &storage->array[TILE_PTR], *col = &storage->array[TILE_COL];
    int64_t rows = storage->number[TILE_ROWS], worst = storage->number[TILE_TILES];
#pragma omp parallel for reduction(min : worst) if (rows > PARALLEL_MIN)
    for (int64_t r = 0; r < rows; r++)
        for (int64_t t = array_integer(ptr, r) + 1; t < array_integer(ptr, r + 1); t++)
            if (array_integer(col, t) <= array_integer(col, t - 1)) worst = min(worst, t);
    return worst;
}

static enum status validate_tile(const struct storage *storage, struct error *error)
{
    const struct array *array = storage->array;
    const int64_t tiles = storage->number[TILE_TILES];
    int64_t worst = tiles;
    enum status status = check_ascending(&array[TILE_PTR], tiles, error);
    if (status != STATUS_OK || tiles == 0) return status;
    status = check_ascending(&array[TILE_SLOT_PTR], storage->slots[0], error);
    if (status == STATUS_OK) status = check_ascending(&array[TILE_BYTE_PTR], array[TILE_INDEX].length, error);
    if (status == STATUS_OK)
        status = check_within(&array[TILE_COL], 0, (storage->cols - 1) / TILE_SIZE, error);
    if (status != STATUS_OK) return status;
    if (first_disorder(storage) < tiles)
        return bad_element(&array[TILE_COL], first_disorder(storage), "is not more than the one before",
                           error);
#pragma omp parallel for schedule(dynamic, 64) reduction(min : worst) if (tiles > 64)
    for (int64_t t = 0; t < tiles; t++)
        if (t < worst && bad_byte(storage, t) >= 0) worst = t;
    if (worst == tiles) return STATUS_OK;
    const int64_t byte = array_integer(&array[TILE_BYTE_PTR], worst) + bad_byte(storage, worst);
    return bad_element(&array[TILE_INDEX], min(byte, array[TILE_INDEX].length - 1), "does not fit its tile",
                       error);
}

/* Questions about single elements */

static struct place place_tile(const struct storage *storage, int part, int64_t e)
{
    const struct stored tile = tile_of(storage, TILE_SLOT_PTR, e);
    return place_in(&tile, position_of(&tile, e - tile.first));
}

static int64_t locate_tile(const struct storage *storage, const struct csr *a, int64_t i, int64_t k,
                           int *part)
{
    const struct stored tile = tile_at(storage, tile_find(storage, i, a->col[k]));
    *part = 0;
    return tile.first + slot_at(&tile, (int)(i % TILE_SIZE * TILE_SIZE + a->col[k] % TILE_SIZE));
}

/* A kernel needs all bytes of the position's tile: the tile's storage, and the row and its columns. For a
 * position outside of all tiles it needs the tile columns of the tile row. */
static struct extent touch_tile(const struct storage *storage, int q, const struct spot *spot)
{
    const struct array *array = storage->array;
    const int64_t r = spot->place.row / TILE_SIZE;
    if (q == TILE_PTR) return extent_of(r, 2);
    const int64_t t = spot->place.col < 0 ? -1 : tile_find(storage, spot->place.row, spot->place.col);
    if (q == TILE_COL && t < 0)
        return (struct extent){array_integer(&array[TILE_PTR], r), array_integer(&array[TILE_PTR], r + 1)};
    if (t < 0) return extent_none();
    if (q == TILE_COL) return extent_of(t, 1);
    if (q != TILE_INDEX) return extent_of(t, 2);
    return (struct extent){array_integer(&array[TILE_BYTE_PTR], t),
                           array_integer(&array[TILE_BYTE_PTR], t + 1)};
}

/* Return the position that byte b of a tile leads to. A byte with the columns of two slots leads to the first
 * one. */
static struct place leads_byte(const struct stored *tile, int64_t b)
{
    if (b == 0) return place_in(tile, 0);
    b--;
    if (tile->kind == TILE_COO) return place_in(tile, position_of(tile, b));
    if (tile->kind == TILE_CSR && b < tile->rows) return place_in(tile, (int)b * TILE_SIZE);
    return place_in(tile, position_of(tile, 2 * (tile->kind == TILE_CSR ? b - tile->rows : b)));
}

static struct place leads_tile(const struct storage *storage, int q, int64_t e)
{
    if (q == TILE_PTR) return (struct place){e < storage->number[TILE_ROWS] ? e * TILE_SIZE : -1, -1};
    if (q == TILE_INDEX) {
        const struct stored tile = tile_of(storage, TILE_BYTE_PTR, e);
        return leads_byte(&tile, e - tile.byte);
    }
    if (e == storage->number[TILE_TILES]) return (struct place){-1, -1};
    const struct stored tile = tile_at(storage, e);
    return place_in(&tile, 0);
}

/* A thick rule before each tile, a thin one where a row, or a column of ELL or of a dense tile begins. */
static enum rule rule_tile(const struct storage *storage, int q, int64_t e)
{
    if (q == TILE_INDEX) return tile_of(storage, TILE_BYTE_PTR, e).byte == e ? RULE_MAJOR : RULE_NONE;
    if (q != TILE_VAL) return RULE_NONE;
    const struct stored tile = tile_of(storage, TILE_SLOT_PTR, e);
    const int64_t s = e - tile.first;
    if (s == 0) return RULE_MAJOR;
    if (tile.kind == TILE_ELL || tile.kind == TILE_DENSE) return s % tile.rows ? RULE_NONE : RULE_MINOR;
    return position_of(&tile, s) / TILE_SIZE == position_of(&tile, s - 1) / TILE_SIZE ? RULE_NONE
                                                                                      : RULE_MINOR;
}

/* Each line has the slots of a tile. */
static struct shape shape_tile(const struct storage *storage)
{
    return (struct shape){.line = LINE_OTHER,
                          .name = "tile",
                          .lines = storage->number[TILE_TILES],
                          .wide = storage->number[TILE_LARGEST]};
}

static int64_t cell_tile(const struct storage *storage, int64_t line, int64_t c)
{
    const struct array *ptr = &storage->array[TILE_SLOT_PTR];
    const int64_t e = array_integer(ptr, line) + c;
    return e < array_integer(ptr, line + 1) ? e : -1;
}

static void find_tile(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c)
{
    *line = tile_find(storage, spot->place.row, spot->place.col);
    *c = spot->slot < 0 ? -1 : spot->slot - array_integer(&storage->array[TILE_SLOT_PTR], *line);
}

static int64_t label_tile(const struct storage *storage, int64_t line)
{
    return line;
}

static void explain_tile(const struct storage *storage, int q, int64_t e, struct text *text)
{
    if (q != TILE_INDEX) return;
    const struct stored tile = tile_of(storage, TILE_BYTE_PTR, e);
    const int64_t b = e - tile.byte - 1, rows = tile.kind == TILE_CSR ? tile.rows : 0;
    if (b < 0) {
        text_append(text, "the tile is stored as %s", kind_names[tile.kind]);
        if (tile.kind == TILE_ELL) text_append(text, " of width %d", (int)tile.width);
    } else if (tile.kind == TILE_COO)
        text_append(text, "row %d, column %d of the tile", tile.index[b] / TILE_SIZE,
                    tile.index[b] % TILE_SIZE);
    else if (b < rows)
        text_append(text, "first slot of row %d of the tile", (int)b);
    else if (2 * (b - rows) + 1 < tile.slots)
        text_append(text, "columns %d and %d of the tile", tile.index[b] % TILE_SIZE,
                    tile.index[b] / TILE_SIZE);
    else
        text_append(text, "column %d of the tile", tile.index[b] % TILE_SIZE);
}

/* The five criteria */

/* An added entry moves all later tiles, which have about the same bytes for each entry. */
static double term_writes(const struct layout *layout, int64_t first, int64_t end)
{
    const double each = layout->bytes / (double)max(layout->storage->nnz, 1);
    double sum = 0;
    for (int64_t i = first; i < end; i++)
        sum += free_places(layout, i) * each * (double)(layout->storage->nnz - layout->ptr[i + 1]);
    return sum;
}

static double writes_tile(const struct layout *layout)
{
    return criteria_sum(layout, 0, layout->lines, 1, term_writes);
}

/* A row is in all tiles of its tile row: each is looked up with column, storage, slots and bytes. */
static struct look_ups look_ups_of_tile(const struct layout *layout)
{
    const int64_t *number = layout->storage->number;
    const double tiles = (double)number[TILE_TILES], rows = (double)max(number[TILE_ROWS], 1);
    return (struct look_ups){2 + 4 * tiles / rows, bisection(tiles) + bisection(rows) + 1};
}

static double lanes_tile(const struct layout *layout)
{
    return (double)layout->storage->number[TILE_LANES];
}

static double work_tile(const struct layout *layout)
{
    return (double)layout->storage->slots[0];
}

static const struct criteria_rules criteria = {
    .writes = writes_tile,
    .look_ups = look_ups_of_tile,
    .lanes = lanes_tile,
    .work = work_tile,
};

static const char *const variants[] = {"", NULL};

static const struct format_trial trials[] = {{"", .quick = true}, {NULL}};

const struct format format_tile = {
    .name = "tile",
    .title = "Tiles",
    .summary = "tiles of 16 x 16 positions, each as COO, CSR, ELL or dense, with columns of 4 bits",
    .source = "Niu, Lu, Dong, Jin, Tan and Yuan, \"TileSpMV: A tiled algorithm for sparse matrix-vector "
              "multiplication on GPUs\", IPDPS 2021, section III",
    .wins = "It suits entries that lie close together, many of them in each tile: a column then takes half a "
            "byte, and x is loaded 16 elements at a time.",
    .parameters = parameters,
    .pads = "some tiles are stored as ELL or dense",
    .variants = variants,
    .lines = FORMAT_ROWS,
    .trials = trials,
    .criteria = &criteria,
    .plan = plan_tile,
    .fill = fill_tile,
    .validate = validate_tile,
    .place = place_tile,
    .locate = locate_tile,
    .touch = touch_tile,
    .leads = leads_tile,
    .rule = rule_tile,
    .shape = shape_tile,
    .cell = cell_tile,
    .find = find_tile,
    .label = label_tile,
    .explain = explain_tile,
};
