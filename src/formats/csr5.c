#include "formats/csr5.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/criteria_rules.h"
#include "formats/fill.h"
#include "matrix/nonempty.h"

static const struct parameter parameters[] = {
    [CSR5_OMEGA] = {"omega", "columns of a tile, one for each lane", 1, CSR5_OMEGA_MAX, 8,
                    .type = PARAMETER_POWER},
    [CSR5_SIGMA] = {"sigma", "rows of a tile, which are the entries of a lane", 1, CSR5_SIGMA_MAX, 16,
                    .type = PARAMETER_INTEGER},
    {0},
};

/* Tiles */

/* The rows of a tile, found from the offsets of rows. */
struct tile {
    int64_t row, next; /* the row of its first entry, and that of the next tile's first entry */
    int64_t segments;  /* the rows that have entries in the tile */
    bool gaps;         /* one of rows row .. next-1 is empty */
};

/* Offsets of rows as an array. */
static struct array offsets_of(const struct csr *a)
{
    return (struct array){.element = ELEMENT_I64, .length = a->rows + 1, .data = a->row_ptr};
}

/* Return the first row after row i that has entries, or the number of rows if there is none. */
static int64_t row_after(const struct array *row_ptr, int64_t i)
{
    int64_t rows = row_ptr->length - 1, end = array_integer(row_ptr, i + 1);
    if (i + 1 == rows || array_integer(row_ptr, i + 2) > end) return i + 1;
    return array_lower_bound(row_ptr, i + 2, rows + 1, end + 1) - 1;
}

/* Return the tile of entries k .. k + size-1, the first of which is in row i. */
static struct tile tile_at(const struct array *row_ptr, int64_t i, int64_t k, int64_t size)
{
    struct tile tile = {.row = i};
    for (;; i = tile.next) {
        int64_t end = array_integer(row_ptr, i + 1);
        tile.segments++;
        tile.next = end > k + size ? i : row_after(row_ptr, i);
        if (tile.next > i + 1) tile.gaps = true;
        if (end >= k + size) return tile;
    }
}

/* Return the first tile of block b. Tiles are divided into as many blocks as rows are (row_blocks). */
static int64_t block_first(int64_t tiles, int64_t blocks, int64_t b)
{
    return tiles / blocks * b + min(b, tiles % blocks);
}

/* Return the words of empty_offset that tiles first .. end-1 have. */
static int64_t count_gaps(const struct array *row_ptr, int64_t size, int64_t first, int64_t end)
{
    int64_t words = 0;
    if (first == end) return 0;
    int64_t row = offset_find(row_ptr, row_ptr->length - 1, first * size);
    for (int64_t t = first; t < end; t++) {
        const struct tile tile = tile_at(row_ptr, row, t * size, size);
        if (tile.gaps) words += tile.segments;
        row = tile.next;
    }
    return words;
}

/* Planning */

/* Count the words of empty_offset of all tiles. Most matrices have no empty row. */
static enum status measure(const struct storage *storage, const struct csr *a, struct progress *progress,
                           int64_t *words, struct error *error)
{
    const struct array row_ptr = offsets_of(a);
    int64_t tiles = storage->number[CSR5_TILES], blocks = row_blocks(a), sum = 0;
    *words = 0;
    if (nonempty_count(a->row_ptr, a->rows) == a->rows) return STATUS_OK;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        sum += count_gaps(&row_ptr, storage->number[CSR5_SIZE], block_first(tiles, blocks, b),
                          block_first(tiles, blocks, b + 1));
    }
    *words = sum;
    return progress_status(progress, error);
}

static enum status plan_csr5(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    int64_t *number = storage->number, words;
    number[CSR5_OMEGA] = storage_parameter(storage, CSR5_OMEGA);
    number[CSR5_SIGMA] = storage_parameter(storage, CSR5_SIGMA);
    number[CSR5_SIZE] = number[CSR5_OMEGA] * number[CSR5_SIGMA];
    number[CSR5_TILES] = storage->nnz / number[CSR5_SIZE];
    enum status status = measure(storage, a, progress, &words, error);
    if (status != STATUS_OK) return status;
    int64_t desc = number[CSR5_TILES] * number[CSR5_OMEGA] + words;
    storage->slots[0] = number[CSR5_TILES] * number[CSR5_SIZE];
    storage->slots[1] = storage->nnz - storage->slots[0];
    plan_scratch(storage, ((size_t)row_blocks(a) + 1) * sizeof(int64_t));
    plan_offsets(storage, CSR5_ROW_PTR, "row_ptr", storage->rows + 1, max(storage->nnz, desc),
                 "first entry of row i");
    plan_array(storage, CSR5_TILE_PTR, "tile_ptr", ROLE_ROWS, ELEMENT_U32,
               storage->nnz ? number[CSR5_TILES] + 1 : 0,
               "row of the first entry of tile t; 2^31 more if rows of the tile are empty");
    plan_array(storage, CSR5_TILE_DESC, "tile_desc", ROLE_ROWS, ELEMENT_U32, desc,
               "y_offset, seg_offset and bit_flag of column c of a tile, or an empty_offset");
    plan_slots(storage, CSR5_COL, "col_idx", ROLE_COLUMNS, 0, "column of slot e of the tiles");
    plan_slots(storage, CSR5_VAL, "val", ROLE_VALUES, 0, "value of slot e of the tiles");
    plan_slots(storage, CSR5_TAIL_COL, "tail_col", ROLE_COLUMNS, 1, "tail: column of entry e");
    plan_slots(storage, CSR5_TAIL_VAL, "tail_val", ROLE_VALUES, 1, "tail: value of entry e");
    if (words > 0)
        plan_offsets(storage, CSR5_DESC_PTR, "desc_ptr", number[CSR5_TILES] + 1, max(storage->nnz, desc),
                     "first word of tile t in tile_desc");
    return STATUS_OK;
}

/* Filling */

/* Write the descriptor of a tile to `word`, and return the number of its words. */
static int64_t describe(const struct storage *storage, const struct array *row_ptr, const struct tile *tile,
                        int64_t k, uint32_t *word)
{
    const int64_t *number = storage->number;
    int64_t omega = number[CSR5_OMEGA], sigma = number[CSR5_SIGMA], head = 0, segment = 0;
    for (int64_t c = 0; c < omega; c++)
        word[c] = 0;
    for (int64_t i = tile->row; segment < tile->segments; i = row_after(row_ptr, i), segment++) {
        int64_t e = segment ? array_integer(row_ptr, i) - k : 0;
        word[e / sigma] |= (uint32_t)1 << (e % sigma);
        if (tile->gaps) word[omega + segment] = (uint32_t)(i - tile->row);
    }
    for (int64_t c = 0, before = 0; c < omega; c++) {
        int64_t set = __builtin_popcount(word[c]);
        if (set == 0)
            word[head] += (uint32_t)1 << CSR5_FLAG_BITS;
        else
            head = c;
        word[c] |= (uint32_t)before << (CSR5_FLAG_BITS + CSR5_SEG_BITS);
        before += set;
    }
    return omega + (tile->gaps ? tile->segments : 0);
}

static uint32_t first_row_of(const struct tile *tile)
{
    return (uint32_t)tile->row | (tile->gaps ? CSR5_GAPS : 0);
}

/* Write the entries of tile t, which begin with entry k, transposed. */
static void fill_slots(struct storage *storage, const struct csr *a, int64_t t)
{
    int64_t omega = storage->number[CSR5_OMEGA], sigma = storage->number[CSR5_SIGMA];
    int64_t first = t * storage->number[CSR5_SIZE];
    int32_t *col = array_i32(storage, CSR5_COL);
    struct array *val = &storage->array[CSR5_VAL];
    for (int64_t r = 0; r < sigma; r++)
        for (int64_t c = 0; c < omega; c++) {
            int64_t e = first + r * omega + c, k = first + c * sigma + r;
            col[e] = a->col[k];
            put_value(storage, val, e, a, k);
        }
}

/* Fill tiles first .. end-1, whose descriptors begin at word `at`. */
static void fill_tiles(struct storage *storage, const struct csr *a, int64_t first, int64_t end, int64_t at)
{
    const struct array row_ptr = offsets_of(a);
    int64_t size = storage->number[CSR5_SIZE];
    uint32_t *tile_ptr = storage->array[CSR5_TILE_PTR].data, *desc = storage->array[CSR5_TILE_DESC].data;
    if (first == end) return;
    int64_t row = offset_find(&row_ptr, a->rows, first * size);
    for (int64_t t = first; t < end; t++) {
        const struct tile tile = tile_at(&row_ptr, row, t * size, size);
        tile_ptr[t] = first_row_of(&tile);
        if (storage->count > CSR5_DESC_PTR) array_set(&storage->array[CSR5_DESC_PTR], t, at);
        at += describe(storage, &row_ptr, &tile, t * size, desc + at);
        fill_slots(storage, a, t);
        row = tile.next;
    }
}

/* Return the row of the first entry in the tail, or the number of rows. */
static int64_t tail_row(const struct storage *storage, const struct array *row_ptr)
{
    return storage->slots[1] ? offset_find(row_ptr, storage->rows, storage->slots[0]) : storage->rows;
}

/* Write the tail, and the last elements of the arrays with one for each tile. */
static void fill_tail(struct storage *storage, const struct csr *a)
{
    const struct array row_ptr = offsets_of(a);
    int64_t tiles = storage->number[CSR5_TILES];
    int32_t *col = array_i32(storage, CSR5_TAIL_COL);
    if (storage->nnz == 0) return;
    ((uint32_t *)storage->array[CSR5_TILE_PTR].data)[tiles] = (uint32_t)tail_row(storage, &row_ptr);
    if (storage->count > CSR5_DESC_PTR)
        array_set(&storage->array[CSR5_DESC_PTR], tiles, storage->array[CSR5_TILE_DESC].length);
    for (int64_t e = 0; e < storage->slots[1]; e++) {
        col[e] = a->col[storage->slots[0] + e];
        put_value(storage, &storage->array[CSR5_TAIL_VAL], e, a, storage->slots[0] + e);
    }
}

static enum status fill_csr5(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    const struct array row_ptr = offsets_of(a);
    int64_t tiles = storage->number[CSR5_TILES], size = storage->number[CSR5_SIZE], blocks = row_blocks(a);
    int64_t *at = memory_array((size_t)blocks + 1, sizeof *at, error);
    if (!at) return STATUS_MEMORY;
    progress_phase(progress, "converting to CSR5", blocks);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t first = block_first(tiles, blocks, b), end = block_first(tiles, blocks, b + 1);
        at[b] = (end - first) * storage->number[CSR5_OMEGA];
        if (storage->count > CSR5_DESC_PTR && !progress_cancelled(progress))
            at[b] += count_gaps(&row_ptr, size, first, end);
    }
    threads_offsets(at, blocks);
    if (!progress_cancelled(progress)) fill_tail(storage, a);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t end = row_block_first(a, blocks, b + 1);
        if (progress_cancelled(progress)) continue;
        for (int64_t i = row_block_first(a, blocks, b); i < end; i++)
            array_set(&storage->array[CSR5_ROW_PTR], i, a->row_ptr[i]);
        fill_tiles(storage, a, block_first(tiles, blocks, b), block_first(tiles, blocks, b + 1), at[b]);
        progress_add(progress, 1);
    }
    array_set(&storage->array[CSR5_ROW_PTR], a->rows, a->row_ptr[a->rows]);
    free(at);
    return progress_status(progress, error);
}

/* Validating */

/* Return the word with which the descriptor of tile t begins, t <= tiles. */
static int64_t desc_start(const struct storage *storage, int64_t t)
{
    if (storage->count > CSR5_DESC_PTR) return array_integer(&storage->array[CSR5_DESC_PTR], t);
    return t * storage->number[CSR5_OMEGA];
}

/* Return the tile to whose descriptor word w belongs. */
static int64_t tile_of_word(const struct storage *storage, int64_t w)
{
    if (storage->count <= CSR5_DESC_PTR) return w / storage->number[CSR5_OMEGA];
    return offset_find(&storage->array[CSR5_DESC_PTR], storage->number[CSR5_TILES], w);
}

/* A fault: element e of array q; q is -1 if there is none. */
struct fault {
    int q;
    int64_t e;
};

/* Return the first fault of tile t, whose first entry is in row `row`. The rows determine everything. */
static struct fault tile_fault(const struct storage *storage, int64_t t)
{
    const struct array *row_ptr = &storage->array[CSR5_ROW_PTR];
    const uint32_t *tile_ptr = storage->array[CSR5_TILE_PTR].data,
                   *desc = storage->array[CSR5_TILE_DESC].data;
    uint32_t word[CSR5_OMEGA_MAX * (CSR5_SIGMA_MAX + 1)];
    int64_t k = t * storage->number[CSR5_SIZE], at = desc_start(storage, t);
    const struct tile tile =
        tile_at(row_ptr, offset_find(row_ptr, storage->rows, k), k, storage->number[CSR5_SIZE]);
    if (tile_ptr[t] != first_row_of(&tile)) return (struct fault){CSR5_TILE_PTR, t};
    int64_t words = describe(storage, row_ptr, &tile, k, word);
    if (desc_start(storage, t + 1) - at != words) return (struct fault){CSR5_DESC_PTR, t + 1};
    for (int64_t w = 0; w < words; w++)
        if (desc[at + w] != word[w]) return (struct fault){CSR5_TILE_DESC, at + w};
    return (struct fault){-1, 0};
}

static enum status validate_tiles(const struct storage *storage, struct error *error)
{
    int64_t tiles = storage->number[CSR5_TILES], worst = tiles;
    const struct array *tile_ptr = &storage->array[CSR5_TILE_PTR];
#pragma omp parallel for schedule(dynamic, 64) reduction(min : worst) if (tiles > 64)
    for (int64_t t = 0; t < tiles; t++)
        if (t < worst && tile_fault(storage, t).q >= 0) worst = t;
    if (worst < tiles) {
        const struct fault fault = tile_fault(storage, worst);
        return bad_element(&storage->array[fault.q], fault.e, "does not fit row_ptr", error);
    }
    if (storage->nnz && array_integer(tile_ptr, tiles) != tail_row(storage, &storage->array[CSR5_ROW_PTR]))
        return bad_element(tile_ptr, tiles, "does not fit row_ptr", error);
    return STATUS_OK;
}

static enum status validate_csr5(const struct storage *storage, struct error *error)
{
    const struct array *array = storage->array;
    enum status status = check_ascending(&array[CSR5_ROW_PTR], storage->nnz, error);
    if (status == STATUS_OK && storage->count > CSR5_DESC_PTR)
        status = check_ascending(&array[CSR5_DESC_PTR], array[CSR5_TILE_DESC].length, error);
    if (status == STATUS_OK) status = check_within(&array[CSR5_COL], 0, storage->cols - 1, error);
    if (status == STATUS_OK) status = check_within(&array[CSR5_TAIL_COL], 0, storage->cols - 1, error);
    return status == STATUS_OK ? validate_tiles(storage, error) : status;
}

/* Questions about single elements */

/* Return the entry, in the order of CSR, in slot e of part 0. */
static int64_t entry_of(const struct storage *storage, int64_t e)
{
    const int64_t *number = storage->number;
    int64_t tile = e / number[CSR5_SIZE] * number[CSR5_SIZE], rest = e - tile;
    return tile + rest % number[CSR5_OMEGA] * number[CSR5_SIGMA] + rest / number[CSR5_OMEGA];
}

static int64_t slot_of(const struct storage *storage, int64_t k)
{
    const int64_t *number = storage->number;
    int64_t tile = k / number[CSR5_SIZE] * number[CSR5_SIZE], rest = k - tile;
    return tile + rest % number[CSR5_SIGMA] * number[CSR5_OMEGA] + rest / number[CSR5_SIGMA];
}

static struct place place_csr5(const struct storage *storage, int part, int64_t e)
{
    int64_t k = part ? storage->slots[0] + e : entry_of(storage, e);
    return (struct place){offset_find(&storage->array[CSR5_ROW_PTR], storage->rows, k),
                          array_integer(&storage->array[part ? CSR5_TAIL_COL : CSR5_COL], e)};
}

static int64_t locate_csr5(const struct storage *storage, const struct csr *a, int64_t i, int64_t k,
                           int *part)
{
    *part = k >= storage->slots[0];
    return *part ? k - storage->slots[0] : slot_of(storage, k);
}

/* An entry needs its tile and its column there. To find that there is no entry, a kernel goes through all
 * tiles of the row. */
static struct extent touch_csr5(const struct storage *storage, int q, const struct spot *spot)
{
    const struct array *row_ptr = &storage->array[CSR5_ROW_PTR];
    int64_t size = storage->number[CSR5_SIZE], tiles = storage->number[CSR5_TILES];
    int64_t first = array_integer(row_ptr, spot->place.row),
            end = array_integer(row_ptr, spot->place.row + 1);
    if (q == CSR5_ROW_PTR) return extent_of(spot->place.row, 2);
    if (spot->slot >= 0) {
        first = spot->part ? storage->slots[0] + spot->slot : spot->slot / size * size;
        end = first + 1;
    }
    if (first == end) return extent_none();
    first = min(first / size, tiles);
    end = min((end - 1) / size + 1, tiles + 1);
    if (q == CSR5_TILE_PTR) return extent_of(first, min(end + 1, tiles + 1) - first);
    end = min(end, tiles);
    if (first == tiles) return extent_none();
    if (q == CSR5_DESC_PTR) return extent_of(first, end + 1 - first);
    int64_t start = desc_start(storage, first);
    if (spot->slot >= 0 && storage->count <= CSR5_DESC_PTR)
        return extent_of(start + spot->slot % storage->number[CSR5_OMEGA], 1);
    return extent_of(start, desc_start(storage, end) - start);
}

/* Return the first slot of the segment that begins at set bit s of tile t. */
static int64_t segment_slot(const struct storage *storage, int64_t t, int64_t s)
{
    const int64_t *number = storage->number;
    const uint32_t *desc = (const uint32_t *)storage->array[CSR5_TILE_DESC].data + desc_start(storage, t);
    for (int64_t k = 0; k < number[CSR5_SIZE]; k++)
        if (desc[k / number[CSR5_SIGMA]] >> k % number[CSR5_SIGMA] & 1 && s-- == 0)
            return slot_of(storage, t * number[CSR5_SIZE] + k);
    return t * number[CSR5_SIZE];
}

/* Without a tail, the last element of tile_ptr is the end of the last tile, and leads to its last entry. */
static struct place leads_csr5(const struct storage *storage, int q, int64_t e)
{
    int64_t tiles = storage->number[CSR5_TILES], omega = storage->number[CSR5_OMEGA];
    if (q == CSR5_ROW_PTR) return (struct place){e < storage->rows ? e : -1, -1};
    if (q == CSR5_TILE_PTR && e == tiles)
        return storage->slots[1] ? place_csr5(storage, 1, 0) : place_csr5(storage, 0, storage->slots[0] - 1);
    if (q != CSR5_TILE_DESC)
        return e < tiles ? place_csr5(storage, 0, e * storage->number[CSR5_SIZE]) : (struct place){-1, -1};
    int64_t t = tile_of_word(storage, e);
    e -= desc_start(storage, t);
    return place_csr5(storage, 0,
                      e < omega ? t * storage->number[CSR5_SIZE] + e : segment_slot(storage, t, e - omega));
}

/* A thick rule before each tile, a thin one before each of its rows, and before each row of the matrix in the
 * tail. */
static enum rule rule_csr5(const struct storage *storage, int q, int64_t e)
{
    const struct array *row_ptr = &storage->array[CSR5_ROW_PTR];
    int64_t k = storage->slots[0] + e;
    if (q < CSR5_COL || q == CSR5_DESC_PTR) return RULE_NONE;
    if (q <= CSR5_VAL)
        return e % storage->number[CSR5_SIZE] == 0    ? RULE_MAJOR
               : e % storage->number[CSR5_OMEGA] == 0 ? RULE_MINOR
                                                      : RULE_NONE;
    return array_integer(row_ptr, offset_find(row_ptr, storage->rows, k)) == k ? RULE_MINOR : RULE_NONE;
}

/* Each line is a row of a tile. */
static struct shape shape_csr5(const struct storage *storage)
{
    return (struct shape){.line = LINE_OTHER,
                          .name = "tile",
                          .lines = storage->number[CSR5_TILES] * storage->number[CSR5_SIGMA],
                          .wide = storage->number[CSR5_TILES] ? storage->number[CSR5_OMEGA] : 0};
}

static int64_t cell_csr5(const struct storage *storage, int64_t line, int64_t c)
{
    return c < storage->number[CSR5_OMEGA] ? line * storage->number[CSR5_OMEGA] + c : -1;
}

static void find_csr5(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c)
{
    bool drawn = spot->slot >= 0 && spot->part == 0;
    *line = drawn ? spot->slot / storage->number[CSR5_OMEGA] : -1;
    *c = drawn ? spot->slot % storage->number[CSR5_OMEGA] : -1;
}

static int64_t label_csr5(const struct storage *storage, int64_t line)
{
    return line / storage->number[CSR5_SIGMA];
}

/* Explain a word of a column. The bits of its flag are written from the first row of the tile on. */
static void explain_column(const struct storage *storage, uint32_t word, struct text *text)
{
    text_append(text, "y_offset %u, seg_offset %u, bit_flag ", word >> (CSR5_FLAG_BITS + CSR5_SEG_BITS),
                word >> CSR5_FLAG_BITS & (((uint32_t)1 << CSR5_SEG_BITS) - 1));
    for (int64_t r = 0; r < storage->number[CSR5_SIGMA]; r++)
        text_append(text, "%d", (int)(word >> r & 1));
}

static void explain_csr5(const struct storage *storage, int q, int64_t e, struct text *text)
{
    if (q != CSR5_TILE_PTR && q != CSR5_TILE_DESC) return;
    uint32_t word = (uint32_t)array_integer(&storage->array[q], e);
    if (q == CSR5_TILE_PTR) {
        if (word & CSR5_GAPS) text_append(text, "row %u, and rows of the tile are empty", word & ~CSR5_GAPS);
    } else if (e - desc_start(storage, tile_of_word(storage, e)) < storage->number[CSR5_OMEGA])
        explain_column(storage, word, text);
    else
        text_append(text, "empty_offset %u", word);
}

/* The five criteria */

static struct look_ups look_ups_of_csr5(const struct layout *layout)
{
    return (struct look_ups){2, bisection((double)layout->storage->rows)};
}

/* An added entry moves all later entries, and changes the offsets of later rows and the descriptors of later
 * tiles. The change of descriptors is counted as their mean bytes per later entry. */
static double term_writes(const struct layout *layout, int64_t first, int64_t end)
{
    const struct storage *storage = layout->storage;
    int64_t words = storage->array[CSR5_TILE_PTR].length + storage->array[CSR5_TILE_DESC].length;
    double described = (double)words * (double)sizeof(uint32_t) / (double)max(storage->nnz, 1), sum = 0;
    for (int64_t i = first; i < end; i++) {
        int64_t later = storage->nnz - layout->ptr[i + 1];
        sum += free_places(layout, i) *
               (moved_bytes(layout, later, storage->rows - i) + described * (double)later);
    }
    return sum;
}

static double writes_csr5(const struct layout *layout)
{
    return criteria_sum(layout, 0, layout->lines, 1, term_writes);
}

static double sectors_tiles(const struct layout *layout)
{
    return (double)sectors_of_run(0, layout->storage->slots[0], layout->elements);
}

static double fetches_csr5(const struct layout *layout)
{
    return each_array(layout, 0, sectors_tiles) + each_array(layout, 1, sectors_apart);
}

static double lanes_csr5(const struct layout *layout)
{
    return (double)layout->storage->nnz;
}

static const struct criteria_rules criteria = {
    .writes = writes_csr5,
    .look_ups = look_ups_of_csr5,
    .fetches = fetches_csr5,
    .lanes = lanes_csr5,
};

static const char *const variants[] = {"", NULL};

static const struct format_trial trials[] = {{"", .quick = true}, {NULL}};

const struct format format_csr5 = {
    .name = "csr5",
    .title = "CSR5",
    .summary = "the entries of CSR in tiles of equal size, transposed, with bits that mark the first entry "
               "of each row",
    .source = "Liu and Vinter, \"CSR5: An efficient storage format for cross-platform sparse matrix-vector "
              "multiplication\", ICS 2015, section 3",
    .wins = "It suits rows of very different lengths: all tiles have equally many entries, so that vectors "
            "are full and threads are balanced, whatever the rows.",
    .parameters = parameters,
    .variants = variants,
    .example = "omega=2,sigma=2",
    .lines = FORMAT_EVEN,
    .trials = trials,
    .criteria = &criteria,
    .plan = plan_csr5,
    .fill = fill_csr5,
    .validate = validate_csr5,
    .place = place_csr5,
    .locate = locate_csr5,
    .touch = touch_csr5,
    .leads = leads_csr5,
    .rule = rule_csr5,
    .shape = shape_csr5,
    .cell = cell_csr5,
    .find = find_csr5,
    .label = label_csr5,
    .explain = explain_csr5,
};
