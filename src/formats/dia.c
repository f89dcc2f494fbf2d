#include "formats/dia.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/set.h"
#include "base/threads.h"
#include "formats/criteria_rules.h"
#include "formats/fill.h"
#include "matrix/nonempty.h"
#include "matrix/skeleton.h"

static const struct parameter parameters[] = {{0}};

/* Return the number of diagonals of a rows x cols matrix. In a set of them, diagonal j - i has the number
 * j - i + rows - 1, counted from the lower left corner:
 *
 *     2  3  4  5
 *     1  2  3  4      3 x 4: 6 diagonals, and the main diagonal is number 2
 *     0  1  2  3
 */
static int64_t diagonals_max(const struct csr *a)
{
    return a->rows && a->cols ? a->rows + a->cols - 1 : 0;
}

static int64_t main_diagonal(const struct csr *a)
{
    return a->rows - 1;
}

/* Return the bytes of a set of diagonals. */
static size_t diagonals_bytes(const struct csr *a)
{
    return set_bytes(diagonals_max(a));
}

/* Number of entries of a row between two checks for cancellation. */
#define ENTRIES_STRETCH 65536

static void add_row(uint64_t *set, const struct csr *a, int64_t i, const struct progress *progress)
{
    int64_t end = a->row_ptr[i + 1];
    for (int64_t first = a->row_ptr[i]; first < end; first += ENTRIES_STRETCH) {
        if (progress_cancelled(progress)) return;
        for (int64_t k = first; k < min(first + ENTRIES_STRETCH, end); k++)
            set_add(set, a->col[k] - i + main_diagonal(a));
    }
}

/* Return the set of the diagonals that have an entry, or NULL if memory is short. If cancelled, the set is
 * incomplete. */
static uint64_t *occupied(const struct csr *a, struct progress *progress, struct error *error)
{
    uint64_t *set = set_new(diagonals_max(a), error);
    int64_t blocks = row_blocks(a);
    if (!set) return NULL;
    if (a->skeleton) {
        memcpy(set, a->skeleton->diagonals, diagonals_bytes(a));
        return set;
    }
    progress_phase(progress, "counting diagonals", blocks);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t end = row_block_first(a, blocks, b + 1);
        if (progress_cancelled(progress)) continue;
        for (int64_t i = nonempty_from(a->row_ptr, row_block_first(a, blocks, b), end); i < end;
             i = nonempty_from(a->row_ptr, i + 1, end))
            add_row(set, a, i, progress);
        progress_add(progress, 1);
    }
    return set;
}

/* Return the number of positions on the diagonals of the set: rows max(0, -offset) to min(rows, cols -
 * offset) - 1 of each. */
static int64_t count_places(const struct csr *a, const uint64_t *set)
{
    int64_t n = diagonals_max(a), places = 0;
    for (int64_t q = set_next(set, n, 0); q < n; q = set_next(set, n, q + 1)) {
        int64_t offset = q - main_diagonal(a);
        places += min(a->rows, a->cols - offset) - max(0, -offset);
    }
    return places;
}

static enum status plan_dia(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    size_t slots;
    enum status status = may_plan(storage, diagonals_bytes(a), error);
    if (status != STATUS_OK) return status;
    uint64_t *set = occupied(a, progress, error);
    if (!set) return STATUS_MEMORY;
    int64_t diagonals = set_count(set, diagonals_max(a));
    storage->number[DIA_PLACES] = count_places(a, set);
    free(set);
    if (progress_cancelled(progress)) return progress_status(progress, error);
    if (!size_multiply((size_t)diagonals, (size_t)storage->rows, &slots) || slots > INT64_MAX)
        return error_set(error, STATUS_LIMIT, "dia would take %lld diagonals of %lld slots",
                         (long long)diagonals, (long long)storage->rows);
    storage->slots[0] = (int64_t)slots;
    storage->number[DIA_DIAGONALS] = diagonals;
    plan_scratch(storage, diagonals_bytes(a));
    plan_array(storage, DIA_OFFSETS, "offsets", ROLE_COLUMNS, ELEMENT_I32, diagonals,
               "column minus row on diagonal d");
    plan_slots(storage, DIA_VAL, "val", ROLE_VALUES, 0, "value of row e mod rows on its diagonal");
    return STATUS_OK;
}

/* Number of rows filled together: each diagonal is written in pieces of this number of slots, and the next
 * entries of these rows stay in the cache. */
#define PIECE 256

/* Number of diagonals between two checks for cancellation. */
#define DIAGONALS_STRETCH 256

/* Fill rows first .. end-1, at most PIECE of them, of all diagonals. The offsets of diagonals ascend, and so
 * do the columns of a row, so that next[i - first], the next entry of row i, passes over the row once. */
static void fill_piece(struct storage *storage, const struct csr *a, int64_t first, int64_t end,
                       const struct progress *progress)
{
    const int32_t *offsets = array_i32(storage, DIA_OFFSETS);
    struct array *val = &storage->array[DIA_VAL];
    int64_t next[PIECE], diagonals = storage->number[DIA_DIAGONALS];
    for (int64_t i = first; i < end; i++)
        next[i - first] = a->row_ptr[i];
    for (int64_t d = 0; d < diagonals; d++) {
        if (d % DIAGONALS_STRETCH == 0 && progress_cancelled(progress)) return;
        for (int64_t i = first; i < end; i++) {
            int64_t *k = &next[i - first];
            if (*k < a->row_ptr[i + 1] && a->col[*k] - i == offsets[d])
                put_value(storage, val, d * a->rows + i, a, (*k)++);
            else
                put_zero(val, d * a->rows + i);
        }
    }
}

static enum status fill_dia(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    int64_t max = diagonals_max(a), pieces = (a->rows + PIECE - 1) / PIECE, d = 0;
    uint64_t *set = occupied(a, progress, error);
    if (!set) return STATUS_MEMORY;
    if (!progress_cancelled(progress))
        for (int64_t at = set_next(set, max, 0); at < max; at = set_next(set, max, at + 1))
            array_set(&storage->array[DIA_OFFSETS], d++, at - main_diagonal(a));
    free(set);
    progress_phase(progress, "converting to DIA", pieces);
#pragma omp parallel for schedule(dynamic, 1) if (pieces > 1 && storage->slots[0] > PARALLEL_MIN)
    for (int64_t p = 0; p < pieces; p++) {
        if (progress_cancelled(progress)) continue;
        fill_piece(storage, a, p * PIECE, min((p + 1) * PIECE, a->rows), progress);
        progress_add(progress, 1);
    }
    return progress_status(progress, error);
}

static enum status validate_dia(const struct storage *storage, struct error *error)
{
    const struct array *offsets = &storage->array[DIA_OFFSETS];
    enum status status = check_within(offsets, 1 - storage->rows, storage->cols - 1, error);
    for (int64_t d = 1; d < offsets->length && status == STATUS_OK; d++)
        if (array_integer(offsets, d) <= array_integer(offsets, d - 1))
            status = bad_element(offsets, d, "is not more than the one before", error);
    return status;
}

static inline int64_t offset_of(const struct storage *storage, int64_t d)
{
    return array_integer(&storage->array[DIA_OFFSETS], d);
}

/* Return the diagonal with this offset, or -1 if it is not stored. */
static int64_t diagonal_find(const struct storage *storage, int64_t offset)
{
    int64_t diagonals = storage->number[DIA_DIAGONALS];
    int64_t d = array_lower_bound(&storage->array[DIA_OFFSETS], 0, diagonals, offset);
    return d < diagonals && offset_of(storage, d) == offset ? d : -1;
}

static struct place place_dia(const struct storage *storage, int part, int64_t e)
{
    int64_t i = e % storage->rows, j = i + offset_of(storage, e / storage->rows);
    return j >= 0 && j < storage->cols ? (struct place){i, j} : (struct place){-1, -1};
}

static int64_t locate_dia(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part)
{
    *part = 0;
    return diagonal_find(storage, a->col[k] - i) * storage->rows + i;
}

/* Return the diagonal of a spot, or -1 if it is not stored. */
static int64_t diagonal_of(const struct storage *storage, const struct spot *spot)
{
    if (spot->slot >= 0) return spot->slot / storage->rows;
    return spot->place.col < 0 ? -1 : diagonal_find(storage, spot->place.col - spot->place.row);
}

/* A kernel needs the offset of the diagonal. No element marks a missing diagonal. */
static struct extent touch_dia(const struct storage *storage, int q, const struct spot *spot)
{
    int64_t d = diagonal_of(storage, spot);
    return d < 0 ? extent_none() : extent_of(d, 1);
}

/* An offset leads to the first position of its diagonal, at the left or upper edge of the matrix. */
static struct place leads_dia(const struct storage *storage, int q, int64_t e)
{
    int64_t offset = offset_of(storage, e);
    return offset < 0 ? (struct place){-offset, 0} : (struct place){0, offset};
}

/* A rule before each diagonal. */
static enum rule rule_dia(const struct storage *storage, int q, int64_t e)
{
    return q == DIA_VAL && e % storage->rows == 0 ? RULE_MINOR : RULE_NONE;
}

static struct shape shape_dia(const struct storage *storage)
{
    int64_t lines = storage->number[DIA_DIAGONALS];
    return (struct shape){
        .line = LINE_OTHER, .name = "diagonal", .lines = lines, .wide = lines ? storage->rows : 0};
}

static int64_t cell_dia(const struct storage *storage, int64_t line, int64_t c)
{
    return c < storage->rows ? line * storage->rows + c : -1;
}

static void find_dia(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c)
{
    *line = diagonal_of(storage, spot);
    *c = spot->slot < 0 ? -1 : spot->slot % storage->rows;
}

/* The label of a line of the picture is the offset of its diagonal. */
static int64_t label_dia(const struct storage *storage, int64_t line)
{
    return offset_of(storage, line);
}

/* The five criteria */

static double writes_dia(const struct layout *layout)
{
    double places = (double)layout->lines * (double)layout->across;
    double beside = places - (double)layout->storage->number[DIA_PLACES];
    return beside * at_most_all(layout, (double)(layout->lines - 1) * (double)layout->value);
}

static double sectors_stored(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    return (double)sectors_of_rectangle(0, storage->rows, storage->number[DIA_DIAGONALS], layout->elements);
}

static double fetches_dia(const struct layout *layout)
{
    return each_array(layout, 0, sectors_stored);
}

static double work_dia(const struct layout *layout)
{
    return (double)layout->storage->slots[0];
}

static const struct criteria_rules criteria = {
    .writes = writes_dia,
    .look_ups = no_look_ups,
    .fetches = fetches_dia,
    .lanes = work_dia,
    .work = work_dia,
};

static const char *const variants[] = {"", NULL};

static const struct format_trial trials[] = {{"", .quick = true}, {NULL}};

const struct format format_dia = {
    .name = "dia",
    .title = "DIA",
    .summary = "whole diagonals, for matrices with few of them",
    .source = "Saad, Iterative Methods for Sparse Linear Systems, section 3.4",
    .wins =
        "It suits few and full diagonals, such as those of bands and stencils on regular grids: it reads no "
        "column indices, and x in sequence. Positions without an entry on a stored diagonal are padding.",
    .parameters = parameters,
    .pads = "diagonals are not full",
    .convert_cost = 9,
    .variants = variants,
    .lines = FORMAT_DIAGONALS,
    .trials = trials,
    .criteria = &criteria,
    .plan = plan_dia,
    .fill = fill_dia,
    .validate = validate_dia,
    .place = place_dia,
    .locate = locate_dia,
    .touch = touch_dia,
    .leads = leads_dia,
    .rule = rule_dia,
    .shape = shape_dia,
    .cell = cell_dia,
    .find = find_dia,
    .label = label_dia,
};
