#include "formats/bell.h"

#include "base/range.h"
#include "base/threads.h"
#include "formats/bsr.h"
#include "formats/bsr_count.h"
#include "formats/bsr_walk.h"
#include "formats/criteria_rules.h"
#include "formats/fill.h"
#include "matrix/skeleton.h"

enum { SIZE };

static const struct parameter parameters[] = {
    [SIZE] = {"size", "rows and columns of a block", BELL_SIZE_MIN, BELL_SIZE_MAX, .type = PARAMETER_INTEGER,
              .automatic = "that of bsr"},
    {0},
};

/* Slots of a row, padding included. */
static inline int64_t row_slots(const struct storage *storage)
{
    return storage->number[BELL_WIDTH] * storage->number[BELL_SIZE];
}

/* Set the block size and the counts. If the size was requested, blocks are counted here. Otherwise the plan
 * of BSR has both. */
static enum status count(struct storage *storage, const struct csr *a, struct progress *progress,
                         struct error *error)
{
    struct bsr_count counted = {0};
    if (storage->values.given[SIZE]) {
        counted = bsr_count_all(a, storage_parameter(storage, SIZE), INT64_MAX, progress);
        if (counted.failed) return error_set(error, STATUS_MEMORY, "out of memory: no room to count blocks");
    } else {
        struct storage bsr;
        enum status status = plan_other(storage, &format_bsr, a, progress, &bsr, error);
        if (status != STATUS_OK) return status;
        storage->values.number[SIZE] = (double)bsr.number[BSR_SIZE];
        counted =
            (struct bsr_count){bsr.number[BSR_BLOCKS], bsr.number[BSR_LONGEST], bsr.number[BSR_OUTSIDE]};
    }
    storage->number[BELL_WIDTH] = counted.longest;
    storage->number[BELL_BLOCKS] = counted.blocks;
    storage->number[BELL_OUTSIDE] = counted.outside;
    return progress_status(progress, error);
}

static enum status plan_bell(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    if (a->skeleton && !a->skeleton->count_blocks && csr_nnz(a) > 0)
        return error_set(error, STATUS_LIMIT,
                         "bell: its blocks are counted from entries, and these are not in memory");
    enum status status = count(storage, a, progress, error);
    if (status != STATUS_OK) return status;
    const int64_t size = storage_parameter(storage, SIZE), rows = bsr_blocks_across(storage->rows, size);
    storage->number[BELL_SIZE] = size;
    storage->number[BELL_BLOCK_ROWS] = rows;
    storage->slots[0] = rows * size * row_slots(storage);
    plan_array(storage, BELL_COL, "ellColInd", ROLE_COLUMNS, ELEMENT_I32, rows * storage->number[BELL_WIDTH],
               "block column of block k, -1 for padding");
    plan_slots(storage, BELL_VAL, "ellValue", ROLE_VALUES, 0, "value of slot e, row by row");
    return STATUS_OK;
}

/* Filling */

/* Fill block c, the next one of the walk, in block column `column` of block row r. */
static void fill_block(struct storage *storage, struct walk *walk, int64_t r, int64_t c, int64_t column)
{
    const int64_t size = walk->size;
    for (int i = 0; i < walk->rows; i++) {
        const int64_t first = (r * size + i) * row_slots(storage) + c * size;
        for (int64_t entry; (entry = walk_entry(walk, i, column)) >= 0;)
            put_value(storage, &storage->array[BELL_VAL], first + walk->a->col[entry] - column * size,
                      walk->a, entry);
    }
    array_set(&storage->array[BELL_COL], r * storage->number[BELL_WIDTH] + c, column);
}

static void fill_block_row(struct storage *storage, const struct csr *a, int64_t r,
                           const struct progress *progress)
{
    const int64_t size = storage->number[BELL_SIZE], width = storage->number[BELL_WIDTH];
    const int64_t slots = size * row_slots(storage);
    int64_t c = 0;
    for (int64_t e = r * slots; e < (r + 1) * slots; e++) {
        if (e % STRETCH == 0 && progress_cancelled(progress)) return;
        put_zero(&storage->array[BELL_VAL], e);
    }
    if (!no_entries(a, size, r)) {
        struct walk walk = walk_of(a, size, r);
        for (int64_t column; (column = walk_column(&walk)) >= 0; c++) {
            if (c % STRETCH == STRETCH - 1 && progress_cancelled(progress)) return;
            fill_block(storage, &walk, r, c, column);
        }
    }
    for (; c < width; c++)
        array_set(&storage->array[BELL_COL], r * width + c, -1);
}

static enum status fill_bell(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    const int64_t rows = storage->number[BELL_BLOCK_ROWS];
    progress_phase(progress, "converting to blocked ELL", rows);
#pragma omp parallel for schedule(dynamic, 64) if (storage->slots[0] > PARALLEL_MIN)
    for (int64_t r = 0; r < rows; r++) {
        if (progress_cancelled(progress)) continue;
        fill_block_row(storage, a, r, progress);
        progress_add(progress, 1);
    }
    return progress_status(progress, error);
}

static enum status validate_bell(const struct storage *storage, struct error *error)
{
    const struct array *col = &storage->array[BELL_COL];
    const int64_t width = storage->number[BELL_WIDTH];
    const int64_t last = bsr_blocks_across(storage->cols, storage->number[BELL_SIZE]) - 1;
    enum status status = check_within(col, -1, last, error);
    for (int64_t k = 1; k < col->length && status == STATUS_OK; k++) {
        const int64_t before = array_integer(col, k - 1), here = array_integer(col, k);
        if (k % width == 0 || here == -1) continue;
        if (before == -1) return bad_element(col, k, "follows padding", error);
        if (here <= before) return bad_element(col, k, "is not more than the one before", error);
    }
    return status;
}

/* Questions about single elements */

static inline int64_t column_of(const struct storage *storage, int64_t k)
{
    return array_integer(&storage->array[BELL_COL], k);
}

/* Return the first block of a block row whose column is at least `column`, or which is padding; the end of
 * the block row if there is none. */
static int64_t lower_bound(const struct storage *storage, int64_t block_row, int64_t column)
{
    int64_t low = block_row * storage->number[BELL_WIDTH], high = low + storage->number[BELL_WIDTH];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2, here = column_of(storage, middle);
        if (here >= 0 && here < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t bell_blocks_of(const struct storage *storage, int64_t block_row)
{
    return lower_bound(storage, block_row, INT32_MAX) - block_row * storage->number[BELL_WIDTH];
}

/* Return the block of position (i, j), or -1 if it is not stored. */
static int64_t block_find(const struct storage *storage, int64_t i, int64_t j)
{
    const int64_t size = storage->number[BELL_SIZE], r = i / size, k = lower_bound(storage, r, j / size);
    return k < (r + 1) * storage->number[BELL_WIDTH] && column_of(storage, k) == j / size ? k : -1;
}

static struct place place_bell(const struct storage *storage, int part, int64_t e)
{
    const int64_t size = storage->number[BELL_SIZE], slots = row_slots(storage), i = e / slots;
    const int64_t column = column_of(storage, i / size * storage->number[BELL_WIDTH] + e % slots / size);
    const int64_t j = column * size + e % size;
    return (struct place){i < storage->rows ? i : -1, column >= 0 && j < storage->cols ? j : -1};
}

static int64_t locate_bell(const struct storage *storage, const struct csr *a, int64_t i, int64_t k,
                           int *part)
{
    const int64_t size = storage->number[BELL_SIZE], width = storage->number[BELL_WIDTH];
    *part = 0;
    return (i * width + block_find(storage, i, a->col[k]) % width) * size + a->col[k] % size;
}

/* A kernel needs the column of the block, or of all blocks of the block row if the spot lies in none. */
static struct extent touch_bell(const struct storage *storage, int q, const struct spot *spot)
{
    const int64_t width = storage->number[BELL_WIDTH], i = spot->place.row;
    const int64_t block = spot->place.col < 0 ? -1 : block_find(storage, i, spot->place.col);
    return block < 0 ? extent_of(i / storage->number[BELL_SIZE] * width, width) : extent_of(block, 1);
}

/* A column leads to the upper left corner of its block; padding to that of the first block which is not
 * stored. */
static struct place leads_bell(const struct storage *storage, int q, int64_t e)
{
    const int64_t size = storage->number[BELL_SIZE], width = storage->number[BELL_WIDTH], r = e / width;
    int64_t column = column_of(storage, e);
    if (column < 0)
        for (column = 0; column_of(storage, r * width + column) == column;)
            column++;
    return (struct place){r * size, column * size};
}

/* A thick rule before each block row, and a thin one before each other row. */
static enum rule rule_bell(const struct storage *storage, int q, int64_t e)
{
    const int64_t width = storage->number[BELL_WIDTH], slots = row_slots(storage);
    if (q == BELL_COL) return e % width == 0 ? RULE_MAJOR : RULE_NONE;
    if (e % slots) return RULE_NONE;
    return e / slots % storage->number[BELL_SIZE] == 0 ? RULE_MAJOR : RULE_MINOR;
}

/* The last lines may lie beyond the matrix. */
static struct shape shape_bell(const struct storage *storage)
{
    return (struct shape){.line = LINE_ROW,
                          .lines = storage->number[BELL_BLOCK_ROWS] * storage->number[BELL_SIZE],
                          .wide = row_slots(storage)};
}

static int64_t cell_bell(const struct storage *storage, int64_t line, int64_t c)
{
    return c < row_slots(storage) ? line * row_slots(storage) + c : -1;
}

static void find_bell(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c)
{
    *line = spot->place.row;
    *c = spot->slot < 0 ? -1 : spot->slot % row_slots(storage);
}

/* The five criteria */

/* If BELL_OUTSIDE is unknown, get the blocks of block rows from the skeleton. */
static enum status find_blocks(struct layout *layout, struct progress *progress, struct error *error)
{
    const struct skeleton *skeleton = layout->a->skeleton;
    if (!skeleton || !skeleton->block_rows) return progress_status(progress, error);
    layout->blocks = skeleton->block_rows(skeleton, layout->storage->number[BELL_SIZE]);
    return layout->blocks ? STATUS_OK
                          : error_set(error, STATUS_MEMORY, "no memory for the blocks of block rows");
}

static double positions_outside(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    const int64_t size = storage->number[BELL_SIZE], past = storage->cols % size;
    double sum = 0;
    if (!layout->blocks) return (double)storage->number[BELL_OUTSIDE];
    for (int64_t r = 0; r < storage->number[BELL_BLOCK_ROWS]; r++) {
        const int64_t blocks = layout->blocks[r] & ~SKELETON_LAST;
        const bool beyond = past && layout->blocks[r] & SKELETON_LAST;
        if (blocks < storage->number[BELL_WIDTH]) continue;
        sum += (double)min(size, storage->rows - r * size) *
               (double)(storage->cols - blocks * size + (beyond ? size - past : 0));
    }
    return sum;
}

/* An entry outside of the blocks takes a block of padding, which holds zeros already. If its block row has
 * no padding, the whole matrix is stored again. */
static double writes_bell(const struct layout *layout)
{
    return positions_outside(layout) * layout->bytes;
}

/* A thread for each row of the matrix goes through all its slots. */
static double slots_of_rows(const struct layout *layout)
{
    return (double)layout->storage->rows * (double)row_slots(layout->storage);
}

static const struct criteria_rules criteria = {
    .find = find_blocks,
    .writes = writes_bell,
    .look_ups = no_look_ups,
    .lanes = slots_of_rows,
    .work = slots_of_rows,
};

static const char *const variants[] = {"", NULL};

static const struct format_trial trials[] = {
    {"size=2", .quick = true}, {"size=4", .quick = true}, {"size=8", .quick = true}, {"size=16"}, {NULL}};

const struct format format_bell = {
    .name = "bell",
    .title = "Blocked ELL",
    .summary = "ELL of small dense blocks: block rows padded to the longest",
    .source = "cuSPARSE, cusparseCreateBlockedEll",
    .wins = "It suits entries in dense blocks, equally many of them in each block row, such as those of "
            "pruned neural networks. A single long block row pads all others.",
    .parameters = parameters,
    .pads = "blocks are not full, and block rows differ in length",
    .variants = variants,
    .lines = FORMAT_EVEN,
    .trials = trials,
    .criteria = &criteria,
    .plan = plan_bell,
    .fill = fill_bell,
    .validate = validate_bell,
    .place = place_bell,
    .locate = locate_bell,
    .touch = touch_bell,
    .leads = leads_bell,
    .rule = rule_bell,
    .shape = shape_bell,
    .cell = cell_bell,
    .find = find_bell,
    .label = label_row,
};
