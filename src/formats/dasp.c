#include "formats/dasp.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/criteria_rules.h"
#include "formats/dasp_parts.h"
#include "formats/fill.h"
#include "formats/sorted.h"
#include "matrix/histogram.h"

static const struct parameter parameters[] = {
    [DASP_ABOVE] = {"long", "rows with more entries are long, and stored in groups of 64", DASP_K, INT32_MAX,
                    256, .type = PARAMETER_INTEGER},
    [DASP_THRESHOLD] = {"threshold",
                        "minimum share of a block's slots that have entries; others are irregular", 0, 1,
                        0.75, .type = PARAMETER_REAL},
    {0},
};

/* Planning: everything follows from the lengths of the sorted rows. */

/* The lengths of all rows in sorted order, from their histogram. */
struct walk {
    const struct length_count *first, *bin; /* the shortest length; the present one */
    int64_t left;                           /* rows of the present length that are left */
};

static struct walk walk_new(const struct length_count *histogram, int64_t bins)
{
    return (struct walk){.first = histogram, .bin = histogram + bins};
}

/* Return the length of the next row, or -1 if there is none. The row is not yet taken. */
static int64_t walk_next(struct walk *walk)
{
    while (walk->left == 0) {
        if (walk->bin == walk->first) return -1;
        walk->left = (--walk->bin)->count;
    }
    return walk->bin->length;
}

/* A row block: its number of regular blocks, its irregular entries, and those of its first row, which has the
 * most. */
struct row_block {
    int64_t rows, blocks, irregular, most;
};

/* Return the number of entries that a block must have. */
static int64_t least_entries(const struct storage *storage)
{
    return max((int64_t)ceil(storage->values.number[DASP_THRESHOLD] * DASP_BLOCK), 1);
}

/* Return the row block of `rows` rows of these lengths, which do not ascend. */
static struct row_block row_block_of(const int64_t *length, int64_t rows, int64_t least)
{
    struct row_block row_block = {.rows = rows, .blocks = rows == DASP_M ? length[DASP_M - 1] / DASP_K : 0};
    for (;; row_block.blocks++) {
        int64_t entries = 0;
        for (int64_t l = 0; l < rows; l++)
            entries += min(max(length[l] - DASP_K * row_block.blocks, 0), DASP_K);
        if (entries < least) break;
    }
    for (int64_t l = 0; l < rows; l++)
        row_block.irregular += max(length[l] - DASP_K * row_block.blocks, 0);
    row_block.most = max(length[0] - DASP_K * row_block.blocks, 0);
    return row_block;
}

/* Take the rows of the next row block. If all have one length, *times becomes the number of equal row blocks
 * that are taken at once, else 1. */
static struct row_block next_row_block(struct walk *walk, int64_t least, int64_t *length, int64_t *times)
{
    int64_t rows = 0;
    *times = 1;
    if (walk_next(walk) > DASP_K && walk->left >= DASP_M) {
        for (; rows < DASP_M; rows++)
            length[rows] = walk->bin->length;
        *times = walk->left / DASP_M;
        walk->left %= DASP_M;
    }
    for (; rows < DASP_M && walk_next(walk) > DASP_K; walk->left--)
        length[rows++] = walk->bin->length;
    return row_block_of(length, rows, least);
}

static int64_t slots_of_long(int64_t length)
{
    return (length + DASP_GROUP - 1) / DASP_GROUP * DASP_GROUP;
}

/* Count the long and medium rows and their slots. */
static void plan_rows(struct storage *storage, struct walk *walk)
{
    const int64_t least = least_entries(storage), above = storage_parameter(storage, DASP_ABOVE);
    int64_t *number = storage->number, length[DASP_M], times;
    for (int64_t wide; (wide = walk_next(walk)) > above; walk->left = 0) {
        number[DASP_LONG] += walk->left;
        number[DASP_WIDEST] = max(number[DASP_WIDEST], slots_of_long(wide));
        storage->slots[0] += walk->left * slots_of_long(wide);
    }
    while (walk_next(walk) > DASP_K) {
        const struct row_block row_block = next_row_block(walk, least, length, &times);
        number[DASP_MEDIUM] += times * row_block.rows;
        number[DASP_WIDEST] = max(number[DASP_WIDEST], row_block.blocks * DASP_K);
        storage->slots[0] += times * row_block.blocks * DASP_BLOCK;
        storage->slots[1] += times * row_block.irregular;
    }
    number[DASP_SHORT] = storage->slots[0];
}

/* Count the short rows, which are left, and their slots. */
static void plan_short(struct storage *storage, struct walk *walk)
{
    int64_t *number = storage->number, rows[DASP_K + 1] = {0};
    for (int64_t length; (length = walk_next(walk)) >= 0; walk->left = 0)
        rows[length] = walk->left;
    number[DASP_PAIRS] = min(rows[1], rows[3]);
    number[DASP_FOURS] = rows[4] + rows[3] - number[DASP_PAIRS];
    number[DASP_TWOS] = rows[2];
    number[DASP_ONES] = rows[1] - number[DASP_PAIRS];
    const struct dasp_short s = dasp_short(storage);
    int64_t blocks = s.four_blocks + s.pair_blocks + s.two_blocks;
    storage->slots[0] += blocks * DASP_BLOCK + number[DASP_ONES];
    if (blocks + number[DASP_ONES] > 0) number[DASP_WIDEST] = max(number[DASP_WIDEST], blocks ? DASP_K : 1);
}

static void plan_arrays(struct storage *storage)
{
    plan_array(storage, DASP_PERM, "perm", ROLE_ROWS, ELEMENT_I32, storage->rows, "row at sorted position p");
    plan_offsets(storage, DASP_BLOCK_PTR, "block_ptr", dasp_pieces(storage) + 1,
                 max(storage->slots[0], storage->slots[1]),
                 "first slot of a long row, of a row block, and of short rows");
    plan_slots(storage, DASP_COL, "col", ROLE_COLUMNS, 0, "column of slot e of the blocks");
    plan_slots(storage, DASP_VAL, "val", ROLE_VALUES, 0, "value of slot e of the blocks");
    if (storage->slots[1] == 0) return;
    plan_offsets(storage, DASP_IRREG_PTR, "irreg_ptr", storage->number[DASP_MEDIUM] + 1,
                 max(storage->slots[0], storage->slots[1]), "first irregular entry of a medium row")
        ->part = 1;
    plan_slots(storage, DASP_IRREG_COL, "irreg_col", ROLE_COLUMNS, 1, "column of irregular entry e");
    plan_slots(storage, DASP_IRREG_VAL, "irreg_val", ROLE_VALUES, 1, "value of irregular entry e");
}

static enum status histogram_of_rows(const struct storage *storage, const struct csr *a,
                                     struct progress *progress, struct length_count **histogram,
                                     int64_t *bins, struct error *error)
{
    const struct lines lines = {.count = a->rows, .offsets = a->row_ptr};
    enum status status = may_plan(storage, histogram_bytes(&lines, storage->nnz), error);
    progress_phase(progress, "counting lengths of rows", storage->rows);
    return status == STATUS_OK ? histogram_of(&lines, progress, histogram, bins, error) : status;
}

static enum status plan_dasp(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    struct length_count *histogram = NULL;
    int64_t bins;
    enum status status = histogram_of_rows(storage, a, progress, &histogram, &bins, error);
    if (status != STATUS_OK) return status;
    struct walk walk = walk_new(histogram, bins);
    plan_rows(storage, &walk);
    plan_short(storage, &walk);
    free(histogram);
    plan_arrays(storage);
    plan_scratch(storage, sort_rows_bytes(a, max(a->rows, 1)));
    return STATUS_OK;
}

/* Filling */

/* Row blocks between two checks for cancelling. */
#define CHECK_BLOCKS 1024

/* Write block_ptr and irreg_ptr from the lengths of the sorted rows. */
static enum status fill_pointers(struct storage *storage, const struct csr *a, struct progress *progress,
                                 struct error *error)
{
    const int32_t *perm = storage->array[DASP_PERM].data;
    const int64_t longs = storage->number[DASP_LONG], medium = storage->number[DASP_MEDIUM],
                  least = least_entries(storage);
    struct array *block_ptr = &storage->array[DASP_BLOCK_PTR], *irreg_ptr = &storage->array[DASP_IRREG_PTR];
    int64_t slot = 0, irregular = 0, length[DASP_M];
    for (int64_t p = 0; p < longs; p++) {
        array_set(block_ptr, p, slot);
        slot += slots_of_long(row_length(a, perm[p]));
    }
    for (int64_t b = 0; b < dasp_blocks(medium); b++) {
        if (b % CHECK_BLOCKS == 0 && progress_cancelled(progress)) return progress_status(progress, error);
        int64_t rows = min(medium - DASP_M * b, DASP_M);
        for (int64_t l = 0; l < rows; l++)
            length[l] = row_length(a, perm[longs + DASP_M * b + l]);
        const struct row_block row_block = row_block_of(length, rows, least);
        array_set(block_ptr, longs + b, slot);
        slot += row_block.blocks * DASP_BLOCK;
        for (int64_t l = 0; l < rows && storage->slots[1] > 0; l++) {
            array_set(irreg_ptr, DASP_M * b + l, irregular);
            irregular += max(length[l] - DASP_K * row_block.blocks, 0);
        }
    }
    array_set(block_ptr, dasp_pieces(storage), slot);
    if (storage->slots[1] > 0) array_set(irreg_ptr, medium, irregular);
    return STATUS_OK;
}

/* Put entries d .. d + wide-1 of the row at position p into slots slot .. slot + wide-1. The slots beyond the
 * row are padding, as are all if p is -1. */
static void put_slots(struct storage *storage, const struct csr *a, int64_t p, int64_t d, int64_t slot,
                      int64_t wide)
{
    int32_t *col = array_i32(storage, DASP_COL);
    struct array *val = &storage->array[DASP_VAL];
    int64_t i = p < 0 ? -1 : ((const int32_t *)storage->array[DASP_PERM].data)[p];
    int64_t first = i < 0 ? 0 : a->row_ptr[i] + d, end = i < 0 ? 0 : a->row_ptr[i + 1];
    for (int64_t s = 0; s < wide; s++) {
        col[slot + s] = i < 0 ? 0 : a->col[min(first + s, end - 1)];
        if (first + s < end)
            put_value(storage, val, slot + s, a, first + s);
        else
            put_zero(val, slot + s);
    }
}

/* Put row block b. */
static void put_row_block(struct storage *storage, const struct csr *a, int64_t b)
{
    const int64_t longs = storage->number[DASP_LONG], medium = storage->number[DASP_MEDIUM];
    const int32_t *perm = storage->array[DASP_PERM].data;
    const struct array *block_ptr = &storage->array[DASP_BLOCK_PTR];
    int64_t slot = array_integer(block_ptr, longs + b), end = array_integer(block_ptr, longs + b + 1);
    int64_t blocks = (end - slot) / DASP_BLOCK;
    for (int64_t j = 0; j < blocks; j++)
        for (int64_t l = 0; l < DASP_M; l++, slot += DASP_K)
            put_slots(storage, a, DASP_M * b + l < medium ? longs + DASP_M * b + l : -1, DASP_K * j, slot,
                      DASP_K);
    if (storage->slots[1] == 0) return;
    int32_t *col = array_i32(storage, DASP_IRREG_COL);
    int64_t e = array_integer(&storage->array[DASP_IRREG_PTR], DASP_M * b);
    for (int64_t q = DASP_M * b; q < min(DASP_M * (b + 1), medium); q++) {
        const int64_t i = perm[longs + q];
        for (int64_t k = a->row_ptr[i] + DASP_K * blocks; k < a->row_ptr[i + 1]; k++, e++) {
            col[e] = a->col[k];
            put_value(storage, &storage->array[DASP_IRREG_VAL], e, a, k);
        }
    }
}

/* Put block b of the short rows, counted from the first one, or for the block after the last one all rows of
 * one entry without a partner. */
static void put_short_block(struct storage *storage, const struct csr *a, int64_t b)
{
    const struct dasp_short s = dasp_short(storage);
    const int64_t *number = storage->number;
    int64_t slot = number[DASP_SHORT] + b * DASP_BLOCK;
    for (int64_t l = 0; l < DASP_M; l++, slot += DASP_K)
        if (b < s.four_blocks) {
            int64_t q = DASP_M * b + l;
            put_slots(storage, a, q < number[DASP_FOURS] ? s.fours + q : -1, 0, slot, DASP_K);
        } else if (b < s.four_blocks + s.pair_blocks) {
            int64_t q = DASP_M * (b - s.four_blocks) + l;
            put_slots(storage, a, q < number[DASP_PAIRS] ? s.ones + q : -1, 0, slot, 1);
            put_slots(storage, a, q < number[DASP_PAIRS] ? s.threes + q : -1, 0, slot + 1, DASP_K - 1);
        } else {
            int64_t q = 2 * (DASP_M * (b - s.four_blocks - s.pair_blocks) + l);
            put_slots(storage, a, q < number[DASP_TWOS] ? s.twos + q : -1, 0, slot, 2);
            put_slots(storage, a, q + 1 < number[DASP_TWOS] ? s.twos + q + 1 : -1, 0, slot + 2, 2);
        }
}

/* Put piece u: long rows, row blocks, blocks of short rows, and then the rows of one entry without a partner,
 * 32 at a time. */
static void put_piece(struct storage *storage, const struct csr *a, int64_t u)
{
    const struct dasp_short s = dasp_short(storage);
    const int64_t longs = storage->number[DASP_LONG], pieces = dasp_pieces(storage),
                  blocks = s.four_blocks + s.pair_blocks + s.two_blocks;
    const struct array *block_ptr = &storage->array[DASP_BLOCK_PTR];
    if (u < longs) {
        int64_t slot = array_integer(block_ptr, u);
        put_slots(storage, a, u, 0, slot, array_integer(block_ptr, u + 1) - slot);
    } else if (u < pieces) {
        put_row_block(storage, a, u - longs);
    } else if (u < pieces + blocks) {
        put_short_block(storage, a, u - pieces);
    } else {
        int64_t first = (u - pieces - blocks) * DASP_BLOCK;
        for (int64_t q = first; q < min(first + DASP_BLOCK, storage->number[DASP_ONES]); q++)
            put_slots(storage, a, s.single + q, 0, storage->number[DASP_SHORT] + blocks * DASP_BLOCK + q, 1);
    }
}

static enum status fill_dasp(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    enum status status = STATUS_OK;
    if (a->rows > 0) status = sort_rows(a, a->rows, progress, array_i32(storage, DASP_PERM), error);
    if (status == STATUS_OK) status = fill_pointers(storage, a, progress, error);
    if (status != STATUS_OK) return status;
    const int64_t pieces = dasp_pieces(storage) +
                           (storage->slots[0] - storage->number[DASP_SHORT] + DASP_BLOCK - 1) / DASP_BLOCK;
    progress_phase(progress, "converting to DASP", pieces);
#pragma omp parallel for schedule(dynamic, 64) if (storage->slots[0] > PARALLEL_MIN)
    for (int64_t u = 0; u < pieces; u++) {
        if (progress_cancelled(progress)) continue;
        put_piece(storage, a, u);
        progress_add(progress, 1);
    }
    return progress_status(progress, error);
}

static enum status validate_dasp(const struct storage *storage, struct error *error)
{
    const struct array *array = storage->array, *block_ptr = &array[DASP_BLOCK_PTR];
    enum status status = check_distinct(&array[DASP_PERM], storage->rows, error);
    if (status == STATUS_OK) status = check_ascending(block_ptr, storage->number[DASP_SHORT], error);
    for (int64_t u = 1; u < block_ptr->length && status == STATUS_OK; u++) {
        const bool is_long = u <= storage->number[DASP_LONG];
        if (array_integer(block_ptr, u) % (is_long ? DASP_GROUP : DASP_BLOCK))
            status =
                bad_element(block_ptr, u, is_long ? "is no multiple of 64" : "is no multiple of 32", error);
    }
    if (status == STATUS_OK) status = check_within(&array[DASP_COL], 0, storage->cols - 1, error);
    if (status != STATUS_OK || storage->slots[1] == 0) return status;
    status = check_ascending(&array[DASP_IRREG_PTR], storage->slots[1], error);
    return status == STATUS_OK ? check_within(&array[DASP_IRREG_COL], 0, storage->cols - 1, error) : status;
}

/* The five criteria */

/* What the criteria need of row blocks: lanes times steps of the warps that sum irregular entries, four lanes
 * a row; and the bytes written to add an entry, summed over the positions without one. */
struct walked {
    double lanes, writes;
};

/* Return the bytes that an entry in one of `rows` rows of a length writes, summed over all free positions of
 * these rows. The row is swapped with the first one of its length, so that two lines are written again;
 * `behind` are the bytes that move because the entry does not fit into padding. */
static double writes_of_rows(const struct layout *layout, int64_t rows, int64_t length, double behind)
{
    const double lines = moved_bytes(layout, 2 * (length + 1), 0) + 2 * sizeof(int32_t);
    return (double)rows * (double)(layout->across - length) * at_most_all(layout, lines + behind);
}

/* The bytes of irregular entries, and of their offsets, from one in the middle of a row block on. */
static double irregular_behind(const struct layout *layout, int64_t before, int64_t rows)
{
    const struct storage *storage = layout->storage;
    return moved_bytes(layout, storage->slots[1] - before, storage->number[DASP_MEDIUM] - rows);
}

/* Long rows: a full last group moves all later slots. */
static void walk_long(const struct layout *layout, struct walk *walk, struct walked *walked)
{
    const struct storage *storage = layout->storage;
    int64_t slot = 0, rows = 0;
    for (int64_t length; (length = walk_next(walk)) > storage_parameter(storage, DASP_ABOVE);
         walk->left = 0) {
        const int64_t wide = slots_of_long(length), later = storage->slots[0] - slot - walk->left * wide / 2;
        walked->writes +=
            writes_of_rows(layout, walk->left, length,
                           length % DASP_GROUP ? 0 : moved_bytes(layout, later, dasp_pieces(storage) - rows));
        slot += walk->left * wide;
        rows += walk->left;
    }
}

/* Row blocks: an entry fits into padding, or it is irregular and moves the later ones. */
static void walk_medium(const struct layout *layout, struct walk *walk, struct walked *walked)
{
    const int64_t least = least_entries(layout->storage);
    int64_t length[DASP_M], times, irregular = 0, rows = 0;
    while (walk_next(walk) > DASP_K) {
        const struct row_block row_block = next_row_block(walk, least, length, &times);
        const double half = (double)times / 2;
        const double behind =
            irregular_behind(layout, irregular + (int64_t)(half * (double)row_block.irregular),
                             rows + (int64_t)(half * (double)row_block.rows));
        walked->lanes += (double)(times * DASP_BLOCK * ((row_block.most + DASP_K - 1) / DASP_K));
        for (int64_t l = 0; l < row_block.rows; l++)
            walked->writes +=
                writes_of_rows(layout, times, length[l], length[l] < row_block.blocks * DASP_K ? 0 : behind);
        irregular += times * row_block.irregular;
        rows += times * row_block.rows;
    }
}

/* Short rows: a row of 4 entries becomes a medium one, before all others. */
static void walk_short(const struct layout *layout, struct walk *walk, struct walked *walked)
{
    const struct storage *storage = layout->storage;
    const double all = moved_bytes(layout, storage->slots[0] - storage->number[DASP_SHORT], 0);
    for (int64_t length; (length = walk_next(walk)) >= 0; walk->left = 0)
        walked->writes += writes_of_rows(layout, walk->left, length, length < DASP_K ? 0 : all);
}

static enum status find_walked(struct layout *layout, struct progress *progress, struct error *error)
{
    struct length_count *histogram = NULL;
    int64_t bins;
    struct walked *walked = layout->own = memory_zeroed(1, sizeof *walked, error);
    if (!walked) return STATUS_MEMORY;
    enum status status = histogram_of_rows(layout->storage, layout->a, progress, &histogram, &bins, error);
    if (status != STATUS_OK) return status;
    struct walk walk = walk_new(histogram, bins);
    walk_long(layout, &walk, walked);
    walk_medium(layout, &walk, walked);
    walk_short(layout, &walk, walked);
    free(histogram);
    return STATUS_OK;
}

static double writes_dasp(const struct layout *layout)
{
    return ((const struct walked *)layout->own)->writes;
}

/* A row is searched in perm. */
static struct look_ups look_ups_of_dasp(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    return (struct look_ups){look_ups_of_order(storage->rows, storage->rows) + 2,
                             bisection((double)dasp_pieces(storage)) + 1};
}

static double sectors_blocks(const struct layout *layout)
{
    return (double)sectors_of_run(0, layout->storage->slots[0], layout->elements);
}

static double fetches_dasp(const struct layout *layout)
{
    return each_array(layout, 0, sectors_blocks) + each_array(layout, 1, sectors_apart);
}

/* A warp takes a block at a time, padding included. */
static double lanes_dasp(const struct layout *layout)
{
    const int64_t steps = (layout->storage->slots[0] + WARP_THREADS - 1) / WARP_THREADS;
    return (double)(steps * WARP_THREADS) + ((const struct walked *)layout->own)->lanes;
}

static double work_dasp(const struct layout *layout)
{
    return (double)(layout->storage->slots[0] + layout->storage->slots[1]);
}

static const struct criteria_rules criteria = {
    .find = find_walked,
    .writes = writes_dasp,
    .look_ups = look_ups_of_dasp,
    .fetches = fetches_dasp,
    .lanes = lanes_dasp,
    .work = work_dasp,
};

static const char *const variants[] = {"", NULL};

static const struct format_trial trials[] = {{"", .quick = true}, {NULL}};

static int64_t sorted_window(const struct storage *storage)
{
    return storage->rows;
}

const struct format format_dasp = {
    .name = "dasp",
    .title = "DASP",
    .summary =
        "rows sorted by length, in blocks of 8 x 4 slots for instructions that multiply dense matrices; "
        "short rows share lines, and entries of sparse blocks are stored apart",
    .source =
        "Lu and Liu, \"DASP: Specific dense matrix multiply-accumulate units accelerated general sparse "
        "matrix-vector multiplication\", SC 2023, section 3",
    .wins = "It suits GPUs with instructions that multiply small dense matrices, and rows of any lengths: "
            "long ones are cut into groups, and short ones share lines, so that there is little padding.",
    .parameters = parameters,
    .pads = "blocks and groups are not full",
    .variants = variants,
    .trials = trials,
    .sorted_window = sorted_window,
    .criteria = &criteria,
    .plan = plan_dasp,
    .fill = fill_dasp,
    .validate = validate_dasp,
    .place = dasp_place,
    .locate = dasp_locate,
    .touch = dasp_touch,
    .leads = dasp_leads,
    .rule = dasp_rule,
    .shape = dasp_shape,
    .cell = dasp_cell,
    .find = dasp_find,
    .label = dasp_label,
};
