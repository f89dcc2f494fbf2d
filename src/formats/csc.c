#include "formats/csc.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/criteria_rules.h"
#include "formats/fill.h"
#include "matrix/columns.h"

static const struct parameter parameters[] = {{0}};

/* Return the bytes that column_lengths takes: 8 an entry if most columns are empty, else its counts.
 * column_offsets takes the same beside the offsets, so that they are computed from its bytes. */
static size_t lengths_bytes(const struct csr *a)
{
    return column_lengths_bytes(a->cols, csr_nnz(a));
}

/* Return the number of stripes, ranges of rows that different threads fill. Each stripe has a 4-byte count
 * for every column. There are as many stripes as threads, but at most 2 nnz / cols, so that all counts
 * together, at most 8 nnz bytes, take less than the arrays of entries. With one stripe there are no counts:
 * the column pointers themselves are counted up. */
static int64_t stripes_for(const struct csr *a)
{
    int64_t nnz = csr_nnz(a), stripes_max = a->cols ? nnz / a->cols * 2 : 1;
    return nnz < PARALLEL_MIN ? 1 : max(1, min(threads_count(), stripes_max));
}

static size_t stripe_bytes(const struct csr *a)
{
    return (size_t)a->cols * sizeof(uint32_t);
}

/* Return the bytes of the counts of all stripes. */
static size_t counts_bytes(const struct csr *a)
{
    int64_t stripes = stripes_for(a);
    return stripes > 1 ? (size_t)stripes * stripe_bytes(a) : 0;
}

static enum status find_longest(struct storage *storage, const struct csr *a, struct progress *progress,
                                struct error *error)
{
    struct lines lines;
    uint32_t *lengths, longest = 0;
    progress_phase(progress, "column lengths", csr_nnz(a));
    enum status status = column_lengths(a, progress, &lines, &lengths, error);
    if (status != STATUS_OK) return status;
#pragma omp parallel for reduction(max : longest) if (lines.count > PARALLEL_MIN)
    for (int64_t j = 0; j < lines.count; j++) {
        uint32_t length = (uint32_t)lines_length(&lines, j);
        if (length > longest) longest = length;
    }
    free(lengths);
    storage->number[CSC_LONGEST] = longest;
    return STATUS_OK;
}

static enum status plan_csc(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    enum status status = may_plan(storage, lengths_bytes(a), error);
    if (status == STATUS_OK) status = find_longest(storage, a, progress, error);
    if (status != STATUS_OK) return status;
    storage->slots[0] = storage->nnz;
    plan_offsets(storage, CSC_COL_PTR, "col_ptr", storage->cols + 1, storage->nnz, "first entry of column j");
    plan_slots(storage, CSC_ROW, "row", ROLE_ROWS, 0, "row of entry e");
    plan_slots(storage, CSC_VAL, "val", ROLE_VALUES, 0, "value of entry e");
    /* Filling does not need lengths_bytes, but planning did. They are announced as well, so that a storage
     * planned within the limit can also be filled within it. */
    plan_scratch(storage, lengths_bytes(a));
    plan_scratch(storage, counts_bytes(a));
    return STATUS_OK;
}

/* Filling is a counting sort of the entries by column. Stripe s has a range of the blocks of rows
 * (row_blocks), and counts[s cols + j] has two meanings in turn:
 *
 *     first   the number of entries that stripe s has in column j
 *     then    the position in column j of the next entry of stripe s
 *
 * The second is the sum of the first over earlier stripes, with 3 stripes that have 2, 0 and 3 entries in
 * column j:
 *
 *     counts        2  0  3   ->   0  2  2
 *     column j      s0 s0 s2 s2 s2
 *
 * Without counts there is one stripe, and col_ptr[j] is first the length of column j and then the slot of its
 * next entry. Either way the entries of a column stay in the order of rows, with any number of stripes. */
struct filling {
    struct storage *storage;
    const struct csr *a;
    struct progress *progress;
    int64_t blocks, stripes;
    uint32_t *counts;
};

static void count_entry(const struct filling *filling, int64_t s, int64_t j)
{
    struct array *col_ptr = &filling->storage->array[CSC_COL_PTR];
    if (filling->counts)
        filling->counts[s * filling->a->cols + j]++;
    else
        array_set(col_ptr, j, array_integer(col_ptr, j) + 1);
}

static int64_t next_slot(const struct filling *filling, int64_t s, int64_t j)
{
    struct array *col_ptr = &filling->storage->array[CSC_COL_PTR];
    int64_t e = array_integer(col_ptr, j);
    if (filling->counts) return e + filling->counts[s * filling->a->cols + j]++;
    array_set(col_ptr, j, e + 1);
    return e;
}

static void count_rows(const struct filling *filling, int64_t s, int64_t first, int64_t end)
{
    const struct csr *a = filling->a;
    for (int64_t k = a->row_ptr[first]; k < a->row_ptr[end]; k++)
        count_entry(filling, s, a->col[k]);
}

static void put_rows(const struct filling *filling, int64_t s, int64_t first, int64_t end)
{
    const struct csr *a = filling->a;
    int32_t *row = array_i32(filling->storage, CSC_ROW);
    struct array *val = &filling->storage->array[CSC_VAL];
    for (int64_t i = first; i < end; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int64_t e = next_slot(filling, s, a->col[k]);
            row[e] = (int32_t)i;
            put_value(filling->storage, val, e, a, k);
        }
}

/* Call `act` for the rows of each block. One thread processes the blocks of a stripe in order. */
static void each_stripe(const struct filling *filling,
                        void (*act)(const struct filling *, int64_t s, int64_t first, int64_t end))
{
    int64_t blocks = filling->blocks, stripes = filling->stripes;
#pragma omp parallel for schedule(static, 1) if (stripes > 1)
    for (int64_t s = 0; s < stripes; s++)
        for (int64_t b = blocks * s / stripes; b < blocks * (s + 1) / stripes; b++) {
            if (progress_cancelled(filling->progress)) break;
            act(filling, s, row_block_first(filling->a, blocks, b),
                row_block_first(filling->a, blocks, b + 1));
            progress_add(filling->progress, 1);
        }
}

/* Set col_ptr[j] to the length of column j, and each count to the number of the column's entries in earlier
 * stripes. */
static void add_stripes(const struct filling *filling)
{
    int64_t cols = filling->a->cols;
    struct array *col_ptr = &filling->storage->array[CSC_COL_PTR];
#pragma omp parallel for schedule(static) if (cols > PARALLEL_MIN)
    for (int64_t j = 0; j < cols; j++) {
        uint32_t length = 0;
        for (int64_t s = 0; s < filling->stripes; s++) {
            uint32_t *count = &filling->counts[s * cols + j], own = *count;
            *count = length;
            length += own;
        }
        array_set(col_ptr, j, length);
    }
}

/* Turn the lengths in col_ptr[0 .. n-1] into offsets in col_ptr[0 .. n], as threads_offsets does for arrays
 * of int64. The array is cut into pieces: first each piece's sum is taken, then the sums are added up, and
 * then each piece is scanned, beginning with the sum of all pieces before it. */
#define PIECES 64
static void add_lengths(struct array *col_ptr, int64_t n)
{
    int64_t before[PIECES + 1] = {0};
#pragma omp parallel for schedule(static) if (n > PARALLEL_MIN)
    for (int p = 0; p < PIECES; p++) {
        int64_t sum = 0;
        for (int64_t j = n * p / PIECES; j < n * (p + 1) / PIECES; j++)
            sum += array_integer(col_ptr, j);
        before[p + 1] = sum;
    }
    for (int p = 0; p < PIECES; p++)
        before[p + 1] += before[p];
#pragma omp parallel for schedule(static) if (n > PARALLEL_MIN)
    for (int p = 0; p < PIECES; p++) {
        int64_t offset = before[p];
        for (int64_t j = n * p / PIECES; j < n * (p + 1) / PIECES; j++) {
            int64_t length = array_integer(col_ptr, j);
            array_set(col_ptr, j, offset);
            offset += length;
        }
    }
    array_set(col_ptr, n, before[PIECES]);
}

static void clear_pointers(struct array *col_ptr)
{
    int64_t n = col_ptr->length;
#pragma omp parallel for schedule(static) if (n > PARALLEL_MIN)
    for (int64_t j = 0; j < n; j++)
        array_set(col_ptr, j, 0);
}

/* Every col_ptr[j] was counted up from the beginning of column j to its end, which is the beginning of column
 * j+1. Moving all elements on by one makes col_ptr[j] the beginning again. */
static void move_pointers(struct array *col_ptr)
{
    char *data = col_ptr->data;
    size_t size = element_size(col_ptr->element);
    memmove(data + size, data, ((size_t)col_ptr->length - 1) * size);
    array_set(col_ptr, 0, 0);
}

static enum status fill_csc(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    struct array *col_ptr = &storage->array[CSC_COL_PTR];
    struct filling filling = {storage, a, progress, row_blocks(a), 1, NULL};
    /* With more threads than when the conversion was planned there are still no more stripes than their
     * announced scratch memory holds. */
    if (counts_bytes(a) > 0)
        filling.stripes = min(stripes_for(a), (int64_t)(storage->scratch / stripe_bytes(a)));
    progress_phase(progress, "converting to CSC", 2 * filling.blocks);
    if (filling.stripes > 1) {
        filling.counts = memory_zeroed((size_t)filling.stripes * stripe_bytes(a), 1, error);
        if (!filling.counts) return STATUS_MEMORY;
    } else {
        filling.stripes = 1;
        clear_pointers(col_ptr);
    }
    each_stripe(&filling, count_rows);
    if (progress_cancelled(progress)) goto out;
    if (filling.counts) add_stripes(&filling);
    add_lengths(col_ptr, a->cols);
    each_stripe(&filling, put_rows);
    if (!filling.counts) move_pointers(col_ptr);
out:
    free(filling.counts);
    return progress_status(progress, error);
}

/* Return true if entry e is the first of its column. */
static bool begins_column(const struct storage *storage, int64_t e)
{
    const struct array *col_ptr = &storage->array[CSC_COL_PTR];
    return array_integer(col_ptr, offset_find(col_ptr, storage->cols, e)) == e;
}

/* Return the first entry whose row is not larger than that of the previous entry in its column, or the number
 * of entries if there is none. */
static int64_t first_unsorted(const struct storage *storage)
{
    const int32_t *row = storage->array[CSC_ROW].data;
    int64_t n = storage->array[CSC_ROW].length, worst = n;
#pragma omp parallel for reduction(min : worst) if (n > PARALLEL_MIN)
    for (int64_t e = 1; e < n; e++)
        if (e < worst && row[e] <= row[e - 1] && !begins_column(storage, e)) worst = e;
    return worst;
}

static enum status validate_csc(const struct storage *storage, struct error *error)
{
    const struct array *row = &storage->array[CSC_ROW];
    enum status status = check_ascending(&storage->array[CSC_COL_PTR], storage->nnz, error);
    if (status == STATUS_OK) status = check_within(row, 0, storage->rows - 1, error);
    if (status != STATUS_OK) return status;
    int64_t e = first_unsorted(storage);
    return e < row->length ? bad_element(row, e, "is not beyond the one before", error) : STATUS_OK;
}

static struct place place_csc(const struct storage *storage, int part, int64_t e)
{
    return (struct place){array_integer(&storage->array[CSC_ROW], e),
                          offset_find(&storage->array[CSC_COL_PTR], storage->cols, e)};
}

/* Rows ascend in a column, so that a binary search finds the entry. */
static int64_t locate_csc(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part)
{
    const struct array *col_ptr = &storage->array[CSC_COL_PTR], *row = &storage->array[CSC_ROW];
    int64_t end = array_integer(col_ptr, a->col[k] + 1);
    int64_t e = array_lower_bound(row, array_integer(col_ptr, a->col[k]), end, i);
    *part = 0;
    return e < end && array_integer(row, e) == i ? e : -1;
}

/* A kernel needs the two offsets of the column's beginning and end. */
static struct extent touch_csc(const struct storage *storage, int q, const struct spot *spot)
{
    return extent_of(spot->place.col, 2);
}

/* A pointer leads to the first entry of its column. If the column is empty, it leads only to the column. */
static struct place leads_csc(const struct storage *storage, int q, int64_t e)
{
    const struct array *col_ptr = &storage->array[q];
    if (e >= storage->cols) return (struct place){-1, -1};
    int64_t first = array_integer(col_ptr, e);
    if (first == array_integer(col_ptr, e + 1)) return (struct place){-1, e};
    return (struct place){array_integer(&storage->array[CSC_ROW], first), e};
}

/* A rule before each column. */
static enum rule rule_csc(const struct storage *storage, int q, int64_t e)
{
    return q != CSC_COL_PTR && begins_column(storage, e) ? RULE_MINOR : RULE_NONE;
}

static struct shape shape_csc(const struct storage *storage)
{
    return (struct shape){.line = LINE_COLUMN, .lines = storage->cols, .wide = storage->number[CSC_LONGEST]};
}

static int64_t cell_csc(const struct storage *storage, int64_t line, int64_t c)
{
    int64_t e = array_integer(&storage->array[CSC_COL_PTR], line) + c;
    return e < array_integer(&storage->array[CSC_COL_PTR], line + 1) ? e : -1;
}

static void find_csc(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c)
{
    *line = spot->place.col;
    *c = spot->slot < 0 ? -1 : spot->slot - array_integer(&storage->array[CSC_COL_PTR], *line);
}

static int64_t label_csc(const struct storage *storage, int64_t line)
{
    return line;
}

/* The five criteria */

static enum status find_columns(struct layout *layout, struct progress *progress, struct error *error)
{
    layout->lines = layout->a->cols;
    layout->across = layout->a->rows;
    int64_t *col_ptr = NULL;
    enum status status = may_plan(layout->storage, column_offsets_bytes(layout->a), error);
    if (status == STATUS_OK)
        status = column_offsets(layout->a, layout->storage->limit, progress, &col_ptr, error);
    layout->own = col_ptr;
    layout->ptr = col_ptr;
    return status;
}

static struct look_ups look_ups_of_csc(const struct layout *layout)
{
    return (struct look_ups){look_ups_of_list(layout->storage->nnz, false), 1};
}

static const struct criteria_rules criteria = {
    .find = find_columns,
    .writes = writes_lines,
    .look_ups = look_ups_of_csc,
    .fetches = fetches_lines,
    .lanes = lanes_lines,
};

static const char *const variants[] = {"", NULL};

static const struct format_trial trials[] = {{"", .quick = true}, {NULL}};

const struct format format_csc = {
    .name = "csc",
    .title = "CSC",
    .summary = "compressed sparse columns: entries column by column, and the offset of each column",
    .source = "Saad, Iterative Methods for Sparse Linear Systems, section 3.4",
    .wins = "It suits products with the transposed matrix, and methods that read one column at a time. In y "
            "= A x several columns add to the same rows, so that it is rarely the fastest.",
    .parameters = parameters,
    .convert_cost = 8,
    .variants = variants,
    .lines = FORMAT_COLUMNS,
    .trials = trials,
    .criteria = &criteria,
    .plan = plan_csc,
    .fill = fill_csc,
    .validate = validate_csc,
    .place = place_csc,
    .locate = locate_csc,
    .touch = touch_csc,
    .leads = leads_csc,
    .rule = rule_csc,
    .shape = shape_csc,
    .cell = cell_csc,
    .find = find_csc,
    .label = label_csc,
};
