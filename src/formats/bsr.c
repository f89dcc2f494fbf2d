#include "formats/bsr.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/criteria_rules.h"
#include "formats/fill.h"
#include "matrix/nonempty.h"
#include "matrix/skeleton.h"

enum { SIZE };

static const struct parameter parameters[] = {
    [SIZE] = {"size", "rows and columns of a block", BSR_SIZE_MIN, BSR_SIZE_MAX, .type = PARAMETER_INTEGER,
              .automatic = "by bytes"},
    {0},
};

/* A walk over the blocks of a block row, from left to right, by merging its rows. next[r] is the first entry
 * of row r after the previous blocks. The smallest column among these entries determines the next block,
 * which takes its entries from each row. Size 2, after the first block:
 *
 *     row 0     x  x | .  . | x  .        next[0] is in column 4
 *     row 1     x  . | .  . | .  x        next[1] is in column 5: the next block is 4 / 2 = 2
 */
struct walk {
    const struct csr *a;
    int64_t size;
    int rows; /* the size; fewer in the last block row if the matrix ends within it */
    int64_t next[BSR_SIZE_MAX], end[BSR_SIZE_MAX];
};

static inline struct walk walk_of(const struct csr *a, int64_t size, int64_t block_row)
{
    struct walk walk = {.a = a, .size = size};
    int64_t first = block_row * size;
    walk.rows = (int)min(size, a->rows - first);
    for (int r = 0; r < walk.rows; r++) {
        walk.next[r] = a->row_ptr[first + r];
        walk.end[r] = a->row_ptr[first + r + 1];
    }
    return walk;
}

/* Return true if a block row has no entries. There may be very many of these, which are skipped. */
static inline bool no_entries(const struct csr *a, int64_t size, int64_t block_row)
{
    return a->row_ptr[block_row * size] == a->row_ptr[min((block_row + 1) * size, a->rows)];
}

/* Return the first block row >= `block_row` with entries. */
static inline int64_t next_block_row(const struct csr *a, int64_t size, int64_t block_row)
{
    int64_t row = nonempty_from(a->row_ptr, min(block_row * size, a->rows), a->rows);
    return row < a->rows ? row / size : INT64_MAX;
}

/* Return the block column of the next block, or -1 if there is none. */
static inline int64_t walk_column(const struct walk *walk)
{
    int64_t col = INT64_MAX;
    for (int r = 0; r < walk->rows; r++)
        if (walk->next[r] < walk->end[r]) col = min(col, walk->a->col[walk->next[r]]);
    return col == INT64_MAX ? -1 : col / walk->size;
}

/* If the next entry of row r lies in block column `column`, pass it and return it, else return -1. */
static inline int64_t walk_entry(struct walk *walk, int r, int64_t column)
{
    int64_t k = walk->next[r];
    if (k >= walk->end[r] || walk->a->col[k] >= (column + 1) * walk->size) return -1;
    walk->next[r]++;
    return k;
}

/* Number of blocks between two checks for cancellation, since a row may be very long. */
#define STRETCH 4096

/* Return the number of blocks of a block row; fewer if cancelled. */
static int64_t count_blocks(const struct csr *a, int64_t size, int64_t block_row,
                            const struct progress *progress)
{
    if (no_entries(a, size, block_row)) return 0;
    struct walk walk = walk_of(a, size, block_row);
    int64_t blocks = 0, column;
    for (; (column = walk_column(&walk)) >= 0; blocks++) {
        if (blocks % STRETCH == STRETCH - 1 && progress_cancelled(progress)) break;
        for (int r = 0; r < walk.rows; r++)
            while (walk_entry(&walk, r, column) >= 0)
                ;
    }
    return blocks;
}

/* Planning */

static int64_t blocks_across(int64_t lines, int64_t size)
{
    return (lines + size - 1) / size;
}

/* The counts for one size of blocks. */
struct count {
    int64_t blocks;
    int64_t longest; /* the number of blocks of the longest block row */
    bool failed;     /* without memory; nothing is counted */
};

/* Stamps take at most this number of bytes for each thread, so that they stay in a cache. */
#define STAMPS_MAX ((size_t)4 << 20)

/* Stamps of the block columns: the last block row with an entry there, plus 1. Where most block columns have
 * no block, the walk is faster. */
static bool stamps_help(const struct csr *a, int64_t size)
{
    const int64_t across = blocks_across(a->cols, size);
    return across <= csr_nnz(a) && (size_t)across <= STAMPS_MAX / sizeof(int32_t);
}

/* Return the number of block columns of these entries that do not have this stamp, which they get. */
static inline int64_t stamp_each(const int32_t *col, int64_t count, uint32_t size, int32_t stamp,
                                 int32_t *stamps)
{
    int64_t blocks = 0;
    for (int64_t k = 0; k < count; k++) {
        int32_t *const of = &stamps[(uint32_t)col[k] / size];
        blocks += *of != stamp;
        *of = stamp;
    }
    return blocks;
}

/* The same for some sizes that the compiler knows, so that it needs no division. */
static int64_t stamp_some(const int32_t *col, int64_t count, int64_t size, int32_t stamp, int32_t *stamps)
{
    switch (size) {
    case 2:
        return stamp_each(col, count, 2, stamp, stamps);
    case 3:
        return stamp_each(col, count, 3, stamp, stamps);
    case 4:
        return stamp_each(col, count, 4, stamp, stamps);
    case 5:
        return stamp_each(col, count, 5, stamp, stamps);
    case 6:
        return stamp_each(col, count, 6, stamp, stamps);
    case 7:
        return stamp_each(col, count, 7, stamp, stamps);
    case 8:
        return stamp_each(col, count, 8, stamp, stamps);
    default:
        return stamp_each(col, count, (uint32_t)size, stamp, stamps);
    }
}

/* The same as count_blocks, by stamps: each entry is looked at once, in any order. */
static int64_t count_stamped(const struct csr *a, int64_t size, int64_t block_row, int32_t *stamps,
                             const struct progress *progress)
{
    const int64_t end = a->row_ptr[min((block_row + 1) * size, a->rows)];
    int64_t blocks = 0;
    for (int64_t k = a->row_ptr[block_row * size]; k < end; k += STRETCH) {
        if (end - k > STRETCH && progress_cancelled(progress)) break;
        blocks += stamp_some(a->col + k, min(STRETCH, end - k), size, (int32_t)block_row + 1, stamps);
    }
    return blocks;
}

/* Count the blocks of a range of block rows: one of `ranges`. */
static struct count count_range(const struct csr *a, int64_t size, int64_t range, int64_t ranges,
                                int32_t *stamps, const struct progress *progress)
{
    const int64_t end = strip_block_first(a, size, ranges, range + 1);
    struct count sum = {0};
    for (int64_t r = next_block_row(a, size, strip_block_first(a, size, ranges, range)); r < end;
         r = next_block_row(a, size, r + 1)) {
        const int64_t count =
            stamps ? count_stamped(a, size, r, stamps, progress) : count_blocks(a, size, r, progress);
        sum.blocks += count;
        sum.longest = max(sum.longest, count);
    }
    return sum;
}

/* Count the blocks of all block rows, which threads share in ranges. Counting ends early beyond `max` blocks;
 * the result is then above `max`, but not exact. */
static struct count count_all(const struct csr *a, int64_t size, int64_t max, const struct progress *progress)
{
    if (a->skeleton && a->skeleton->count_blocks) {
        struct count told = {0};
        told.blocks = a->skeleton->count_blocks(a->skeleton, size, max, &told.longest);
        return told;
    }
    const bool stamp = stamps_help(a, size);
    int64_t ranges = row_blocks(a), blocks = 0, longest = 0, so_far = 0;
    bool failed = false;
#pragma omp parallel reduction(+ : blocks) reduction(max : longest) reduction(|| : failed) if (ranges > 1)
    {
        const size_t across = (size_t)blocks_across(a->cols, size);
        int32_t *stamps = stamp ? memory_zeroed(across, sizeof *stamps, NULL) : NULL;
        failed = stamp && !stamps;
#pragma omp for schedule(dynamic, 1)
        for (int64_t t = 0; t < ranges; t++) {
            if (failed || progress_cancelled(progress)) continue;
            if (__atomic_load_n(&so_far, __ATOMIC_RELAXED) > max) continue;
            const struct count here = count_range(a, size, t, ranges, stamps, progress);
            blocks += here.blocks;
            if (here.longest > longest) longest = here.longest;
            __atomic_fetch_add(&so_far, here.blocks, __ATOMIC_RELAXED);
        }
        free(stamps);
    }
    return (struct count){blocks, longest, failed};
}

int64_t bsr_blocks_of(const struct csr *a, int64_t size, int64_t block_row, const struct progress *progress)
{
    return count_blocks(a, size, block_row, progress);
}

bool bsr_ends_with_last(const struct csr *a, int64_t size, int64_t block_row)
{
    int64_t last = (a->cols - 1) / size * size;
    for (int64_t i = block_row * size; i < min((block_row + 1) * size, a->rows); i++)
        if (a->row_ptr[i] < a->row_ptr[i + 1] && a->col[a->row_ptr[i + 1] - 1] >= last) return true;
    return false;
}

static void use(struct storage *storage, int64_t size, struct count count)
{
    storage->values.number[SIZE] = (double)size;
    storage->number[BSR_SIZE] = size;
    storage->number[BSR_BLOCK_ROWS] = blocks_across(storage->rows, size);
    storage->number[BSR_BLOCKS] = count.blocks;
    storage->number[BSR_LONGEST] = count.longest;
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
        struct count count = count_all(a, size, max, progress);
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

/* Return the bytes that range_blocks takes. */
static size_t range_bytes(const struct csr *a)
{
    return ((size_t)row_blocks(a) + 1) * sizeof(int64_t);
}

static enum status plan_bsr(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    int64_t size = storage->values.given[SIZE] ? storage_parameter(storage, SIZE) : 0;
    if (a->skeleton && !a->skeleton->count_blocks && csr_nnz(a) > 0)
        return error_set(error, STATUS_LIMIT,
                         "bsr: its blocks are counted from entries, and these are not in memory");
    const struct count given = size ? count_all(a, size, INT64_MAX, progress) : (struct count){0};
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
            first[t] += count_blocks(a, size, r, progress);
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
            last = blocks_across(storage->cols, storage->number[BSR_SIZE]) - 1;
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

static int64_t label_bsr(const struct storage *storage, int64_t line)
{
    return line;
}

/* The five criteria */

static enum status find_blocks(struct layout *layout, struct progress *progress, struct error *error)
{
    const struct skeleton *skeleton = layout->a->skeleton;
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
    .label = label_bsr,
};
