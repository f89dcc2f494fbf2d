#include "formats/bsr.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/bsr_count.h"
#include "formats/bsr_walk.h"
#include "formats/criteria_rules.h"
#include "formats/fill.h"
#include "matrix/skeleton.h"

enum { SIZE };

static const struct parameter parameters[] = {
    [SIZE] = {"size", "rows and columns of a block", BSR_SIZE_MIN, BSR_SIZE_MAX, .type = PARAMETER_INTEGER,
              .automatic = "by bytes"},
    {0},
};

bool bsr_ends_with_last(const struct csr *a, int64_t size, int64_t block_row)
{
    int64_t last = (a->cols - 1) / size * size;
    for (int64_t i = block_row * size; i < min((block_row + 1) * size, a->rows); i++)
        if (a->row_ptr[i] < a->row_ptr[i + 1] && a->col[a->row_ptr[i + 1] - 1] >= last) return true;
    return false;
}

static void use(struct storage *storage, int64_t size, struct bsr_count count)
{
    storage->values.number[SIZE] = (double)size;
    storage->number[BSR_SIZE] = size;
    storage->number[BSR_BLOCK_ROWS] = bsr_blocks_across(storage->rows, size);
    storage->number[BSR_BLOCKS] = count.blocks;
    storage->number[BSR_LONGEST] = count.longest;
    storage->number[BSR_OUTSIDE] = count.outside;
    storage->slots[0] = count.blocks * size * size;
    plan_offsets(storage, BSR_ROW_PTR, "row_ptr", storage->number[BSR_BLOCK_ROWS] + 1, count.blocks,
                 "first block of block row r");
    plan_array(storage, BSR_COL, "col", ROLE_COLUMNS, ELEMENT_I32, count.blocks, "block column of block k");
    plan_slots(storage, BSR_VAL, "val", ROLE_VALUES, 0, "value of slot e, block after block, by rows");
}

/* Return the number of blocks that fit into `bytes` without row_ptr. */
static int64_t blocks_within(const struct storage *storage, int64_t size, size_t bytes)
{
    size_t block = sizeof(int32_t) + (size_t)(size * size) * element_size(storage->array[BSR_VAL].element);
    return (int64_t)(bytes / block);
}

/* Choose the size that takes the fewest bytes, and the smallest of these if there are several. Counting the
 * blocks of a size ends as soon as they take more bytes than the best size so far. False without memory. */
static bool choose(struct storage *storage, const struct csr *a, struct progress *progress)
{
    bool wide = storage->wide;
    struct storage best = *storage;
    int64_t max = INT64_MAX;
    progress_phase(progress, "choosing the size of blocks", BSR_SIZE_MAX - BSR_SIZE_MIN + 1);
    for (int64_t size = BSR_SIZE_MIN; size <= BSR_SIZE_MAX && !progress_cancelled(progress); size++) {
        if (size > BSR_SIZE_MIN) max = blocks_within(&best, size, storage_size(&best).bytes);
        struct bsr_count count = bsr_count_all(a, size, max, progress);
        progress_add(progress, 1);
        if (count.failed) return false;
        if (count.blocks > max) continue;
        storage->wide = wide;
        use(storage, size, count);
        if (size == BSR_SIZE_MIN || storage_size(storage).bytes < storage_size(&best).bytes) best = *storage;
    }
    *storage = best;
    return true;
}

/* The same by estimates: `use` them, and their error. */
static void use_estimate(struct storage *storage, const struct skeleton *skeleton, int64_t size)
{
    const struct skeleton_blocks blocks = skeleton->estimate_blocks(skeleton, size);
    use(storage, size, (struct bsr_count){.blocks = llround(blocks.count), .outside = -1});
    const size_t value = element_size(storage->array[BSR_VAL].element);
    storage->estimated = true;
    storage->size_error = blocks.error * (double)(sizeof(int32_t) + (size_t)(size * size) * value);
}

static void estimate(struct storage *storage, const struct skeleton *skeleton, int64_t given)
{
    struct storage best = *storage;
    if (given) {
        use_estimate(storage, skeleton, given);
        return;
    }
    for (int64_t size = BSR_SIZE_MIN; size <= BSR_SIZE_MAX; size++) {
        struct storage next = *storage;
        use_estimate(&next, skeleton, size);
        if (size == BSR_SIZE_MIN || storage_size(&next).bytes < storage_size(&best).bytes) best = next;
    }
    *storage = best;
}

/* Return the bytes that range_blocks takes. */
static size_t range_bytes(const struct csr *a)
{
    return ((size_t)row_blocks(a) + 1) * sizeof(int64_t);
}

static enum status plan_bsr(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    int64_t size = storage->values.given[SIZE] ? storage_parameter(storage, SIZE) : 0;
    const bool counted = !a->skeleton || a->skeleton->count_blocks || csr_nnz(a) == 0;
    if (!counted && a->skeleton->estimate_blocks) {
        estimate(storage, a->skeleton, size);
        return progress_status(progress, error);
    }
    if (!counted)
        return error_set(error, STATUS_LIMIT,
                         "bsr: its blocks are counted from entries, and these are not in memory");
    const struct bsr_count given = size ? bsr_count_all(a, size, INT64_MAX, progress) : (struct bsr_count){0};
    if (size) use(storage, size, given);
    if (given.failed || (!size && !choose(storage, a, progress)))
        return error_set(error, STATUS_MEMORY, "out of memory: no room to count blocks");
    plan_scratch(storage, range_bytes(a));
    return progress_status(progress, error);
}

/* Filling */

/* Return the first block of each range of block rows, or NULL if memory is short. If cancelled, the blocks
 * are wrong. */
static int64_t *range_blocks(const struct csr *a, int64_t size, int64_t ranges, struct progress *progress,
                             struct error *error)
{
    int64_t *first = memory_zeroed((size_t)ranges + 1, sizeof *first, error);
    if (!first) return NULL;
#pragma omp parallel for schedule(dynamic, 1) if (ranges > 1)
    for (int64_t t = 0; t < ranges; t++) {
        int64_t end = strip_block_first(a, size, ranges, t + 1);
        if (progress_cancelled(progress)) continue;
        for (int64_t r = strip_block_first(a, size, ranges, t); r < end; r++)
            first[t] += bsr_blocks_of(a, size, r, progress);
        progress_add(progress, 1);
    }
    threads_offsets(first, ranges);
    return first;
}

/* Fill block k, the next one of the walk, in block column `column`. */
static void fill_block(struct storage *storage, struct walk *walk, int64_t k, int64_t column)
{
    struct array *val = &storage->array[BSR_VAL];
    int64_t size = walk->size, entry;
    for (int64_t e = k * size * size; e < (k + 1) * size * size; e++)
        put_zero(val, e);
    for (int r = 0; r < walk->rows; r++)
        while ((entry = walk_entry(walk, r, column)) >= 0)
            put_value(storage, val, (k * size + r) * size + walk->a->col[entry] - column * size, walk->a,
                      entry);
    array_set(&storage->array[BSR_COL], k, column);
}

/* Fill block rows r .. end-1, the first of whose blocks is k. */
static void fill_range(struct storage *storage, const struct csr *a, int64_t r, int64_t end, int64_t k,
                       const struct progress *progress)
{
    for (; r < end; r++) {
        array_set(&storage->array[BSR_ROW_PTR], r, k);
        if (no_entries(a, storage->number[BSR_SIZE], r)) continue;
        struct walk walk = walk_of(a, storage->number[BSR_SIZE], r);
        for (int64_t column; (column = walk_column(&walk)) >= 0; k++) {
            if (k % STRETCH == 0 && progress_cancelled(progress)) return;
            fill_block(storage, &walk, k, column);
        }
    }
}

static enum status fill_bsr(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    int64_t ranges = row_blocks(a), size = storage->number[BSR_SIZE];
    progress_phase(progress, "converting to BSR", 2 * ranges);
    int64_t *first = range_blocks(a, size, ranges, progress, error);
    if (!first) return STATUS_MEMORY;
    array_set(&storage->array[BSR_ROW_PTR], storage->number[BSR_BLOCK_ROWS], storage->number[BSR_BLOCKS]);
#pragma omp parallel for schedule(dynamic, 1) if (ranges > 1)
    for (int64_t t = 0; t < ranges; t++) {
        if (progress_cancelled(progress)) continue;
        fill_range(storage, a, strip_block_first(a, size, ranges, t),
                   strip_block_first(a, size, ranges, t + 1), first[t], progress);
        progress_add(progress, 1);
    }
    free(first);
    return progress_status(progress, error);
}

static enum status validate_bsr(const struct storage *storage, struct error *error)
{
    const struct array *row_ptr = &storage->array[BSR_ROW_PTR], *col = &storage->array[BSR_COL];
    int64_t rows = storage->number[BSR_BLOCK_ROWS],
            last = bsr_blocks_across(storage->cols, storage->number[BSR_SIZE]) - 1;
    enum status status = check_ascending(row_ptr, storage->number[BSR_BLOCKS], error);
    if (status == STATUS_OK) status = check_within(col, 0, last, error);
    for (int64_t r = 0; r < rows && status == STATUS_OK; r++)
        for (int64_t k = array_integer(row_ptr, r) + 1; k < array_integer(row_ptr, r + 1); k++)
            if (array_integer(col, k) <= array_integer(col, k - 1))
                return bad_element(col, k, "is not more than the one before", error);
    return status;
}

/* Questions about single elements */

static inline int64_t block_start(const struct storage *storage, int64_t r)
{
    return array_integer(&storage->array[BSR_ROW_PTR], r);
}

static int64_t block_row_of(const struct storage *storage, int64_t k)
{
    return offset_find(&storage->array[BSR_ROW_PTR], storage->number[BSR_BLOCK_ROWS], k);
}

/* Return the block of position (i, j), or -1 if it is not stored. */
static int64_t block_find(const struct storage *storage, int64_t i, int64_t j)
{
    const struct array *col = &storage->array[BSR_COL];
    int64_t size = storage->number[BSR_SIZE], r = i / size;
    int64_t end = block_start(storage, r + 1),
            k = array_lower_bound(col, block_start(storage, r), end, j / size);
    return k < end && array_integer(col, k) == j / size ? k : -1;
}

static struct place place_bsr(const struct storage *storage, int part, int64_t e)
{
    int64_t size = storage->number[BSR_SIZE], k = e / (size * size), within = e % (size * size);
    int64_t i = block_row_of(storage, k) * size + within / size;
    int64_t j = array_integer(&storage->array[BSR_COL], k) * size + within % size;
    return i < storage->rows && j < storage->cols ? (struct place){i, j} : (struct place){-1, -1};
}

static int64_t locate_bsr(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part)
{
    int64_t size = storage->number[BSR_SIZE], block = block_find(storage, i, a->col[k]);
    *part = 0;
    return (block * size + i % size) * size + a->col[k] % size;
}

/* Return the block of a spot, or -1 if it is not stored. */
static int64_t block_of(const struct storage *storage, const struct spot *spot)
{
    int64_t size = storage->number[BSR_SIZE];
    if (spot->slot >= 0) return spot->slot / (size * size);
    return spot->place.col < 0 ? -1 : block_find(storage, spot->place.row, spot->place.col);
}

/* A kernel needs the two offsets of the block row's beginning and end, and the column of the block if it is
 * stored. */
static struct extent touch_bsr(const struct storage *storage, int q, const struct spot *spot)
{
    if (q == BSR_ROW_PTR) return extent_of(spot->place.row / storage->number[BSR_SIZE], 2);
    int64_t block = block_of(storage, spot);
    return block < 0 ? extent_none() : extent_of(block, 1);
}

/* A pointer leads to the first row of its block row, a column to the upper left corner of its block. */
static struct place leads_bsr(const struct storage *storage, int q, int64_t e)
{
    int64_t size = storage->number[BSR_SIZE];
    if (q == BSR_ROW_PTR) return (struct place){e < storage->number[BSR_BLOCK_ROWS] ? e * size : -1, -1};
    return (struct place){block_row_of(storage, e) * size, array_integer(&storage->array[BSR_COL], e) * size};
}

/* A thick rule before each block row, and a thin one before each other block. */
static enum rule rule_bsr(const struct storage *storage, int q, int64_t e)
{
    int64_t slots = q == BSR_VAL ? storage->number[BSR_SIZE] * storage->number[BSR_SIZE] : 1, k = e / slots;
    if (q == BSR_ROW_PTR || e % slots) return RULE_NONE;
    if (block_start(storage, block_row_of(storage, k)) == k) return RULE_MAJOR;
    return q == BSR_VAL ? RULE_MINOR : RULE_NONE;
}

/* A line of the picture is a row, with its slots in all blocks of its block row. The last lines may lie
 * beyond the matrix. */
static struct shape shape_bsr(const struct storage *storage)
{
    int64_t size = storage->number[BSR_SIZE];
    return (struct shape){.line = LINE_ROW,
                          .lines = storage->number[BSR_BLOCK_ROWS] * size,
                          .wide = storage->number[BSR_LONGEST] * size};
}

static int64_t cell_bsr(const struct storage *storage, int64_t line, int64_t c)
{
    int64_t size = storage->number[BSR_SIZE], k = block_start(storage, line / size) + c / size;
    return k < block_start(storage, line / size + 1) ? (k * size + line % size) * size + c % size : -1;
}

static void find_bsr(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c)
{
    int64_t size = storage->number[BSR_SIZE];
    *line = spot->place.row;
    *c = spot->slot < 0
             ? -1
             : (block_of(storage, spot) - block_start(storage, *line / size)) * size + spot->slot % size;
}

/* The five criteria */

static enum status find_blocks(struct layout *layout, struct progress *progress, struct error *error)
{
    const struct skeleton *skeleton = layout->a->skeleton;
    if (!skeleton) {
        struct bsr_stamps *stamps;
        enum status status = bsr_stamps_make(layout->a, layout->storage->number[BSR_SIZE], &stamps, error);
        layout->own = stamps;
        if (status != STATUS_OK) return status;
    }
    if (!skeleton || !skeleton->block_rows) return progress_status(progress, error);
    layout->blocks = skeleton->block_rows(skeleton, layout->storage->number[BSR_SIZE]);
    return layout->blocks ? STATUS_OK
                          : error_set(error, STATUS_MEMORY, "no memory for the blocks of block rows");
}

static int64_t height_of_block_row(const struct storage *storage)
{
    return storage->number[BSR_SIZE];
}

static int64_t blocks_of_row(const struct layout *layout, int64_t g, const struct progress *progress)
{
    if (layout->blocks) return layout->blocks[g] & ~SKELETON_LAST;
    if (layout->own) return bsr_blocks_stamped(layout->own, layout->a, g, progress);
    return bsr_blocks_of(layout->a, layout->height, g, progress);
}

/* The number of columns by which the last block of a block row reaches beyond the matrix, if the block row
 * has that block. */
static int64_t columns_beyond(const struct layout *layout, int64_t block_row)
{
    const struct csr *a = layout->a;
    int64_t size = layout->storage->number[BSR_SIZE], whole = a->cols / size * size;
    if (whole == a->cols) return 0;
    bool last =
        layout->blocks ? layout->blocks[block_row] & SKELETON_LAST : bsr_ends_with_last(a, size, block_row);
    return last ? whole + size - a->cols : 0;
}

static double term_block_rows(const struct layout *layout, int64_t first, int64_t end)
{
    const int64_t blocks = layout->storage->number[BSR_BLOCKS];
    const int64_t size = layout->storage->number[BSR_SIZE], value = layout->value;
    const double block = (double)(size * size * value) + sizeof(int32_t), others = (double)(size * size - 1);
    double sum = 0;
    for (int64_t g = first; g < end; g++) {
        int64_t rows = min(size, layout->a->rows - g * size);
        int64_t stored =
            (group_start(layout, g + 1) - group_start(layout, g)) * size - columns_beyond(layout, g);
        double bytes = others * (double)value + (double)(blocks - group_start(layout, g + 1)) * block +
                       (double)(layout->groups - g) * (double)layout->offset;
        sum += (double)rows * (double)(layout->a->cols - stored) * at_most_all(layout, bytes);
    }
    return sum;
}

static double writes_bsr(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_group, layout->end_group, 1, term_block_rows);
}

static struct look_ups look_ups_of_bsr(const struct layout *layout)
{
    return (struct look_ups){2, bisection((double)layout->groups)};
}

/* The slots of row i. */
static int64_t slots_of_row(const struct layout *layout, int64_t i)
{
    int64_t size = layout->storage->number[BSR_SIZE], g = i / size;
    return (group_start(layout, g + 1) - group_start(layout, g)) * size;
}

static double term_blocks(const struct layout *layout, int64_t first, int64_t end)
{
    double sum = 0;
    for (int64_t warp = first; warp < end; warp += WARP_THREADS) {
        int64_t longest = 0, next = min(warp + WARP_THREADS, end);
        for (int64_t i = warp; i < next; i++)
            longest = max(longest, slots_of_row(layout, i));
        sum += (double)(next - warp) * (double)longest;
    }
    return sum;
}

static double lanes_bsr(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_row, layout->end_row, WARP_THREADS, term_blocks);
}

static double term_work(const struct layout *layout, int64_t first, int64_t end)
{
    double sum = 0;
    for (int64_t i = first; i < end; i++)
        sum += (double)slots_of_row(layout, i);
    return sum;
}

static double work_bsr(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_row, layout->end_row, 1, term_work);
}

static const struct criteria_rules criteria = {
    .find = find_blocks,
    .height = height_of_block_row,
    .slots = blocks_of_row,
    .writes = writes_bsr,
    .look_ups = look_ups_of_bsr,
    .lanes = lanes_bsr,
    .work = work_bsr,
};

static const char *const variants[] = {"", NULL};

static const struct format_trial trials[] = {{"size=2", .quick = true}, {"size=3", .quick = true},
                                             {"size=4", .quick = true}, {"size=6"},
                                             {"size=8", .quick = true}, {NULL}};

const struct format format_bsr = {
    .name = "bsr",
    .title = "BSR",
    .summary = "CSR of small dense blocks",
    .source = "block compressed sparse row format of cuSPARSE and SciPy",
    .wins = "It suits entries in small dense blocks, such as those of several unknowns at each vertex of a "
            "mesh: a block has one column index. If blocks are half empty, it moves more bytes than CSR.",
    .parameters = parameters,
    .pads = "blocks are not full",
    .convert_cost = 26,
    .variants = variants,
    .lines = FORMAT_BLOCKS,
    .trials = trials,
    .criteria = &criteria,
    .plan = plan_bsr,
    .fill = fill_bsr,
    .validate = validate_bsr,
    .place = place_bsr,
    .locate = locate_bsr,
    .touch = touch_bsr,
    .leads = leads_bsr,
    .rule = rule_bsr,
    .shape = shape_bsr,
    .cell = cell_bsr,
    .find = find_bsr,
    .label = label_row,
};
