#include "formats/hyb.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/coo.h"
#include "formats/criteria_rules.h"
#include "formats/ell_part.h"
#include "matrix/histogram.h"

static const char *const rules[] = {
    [HYB_BYTES] = "bytes", [HYB_THIRD] = "third", [HYB_ENTRIES] = "share", NULL};

static const struct parameter parameters[] = {
    [HYB_K] = {"k", "entries of each row in ELL; the rest is in COO", 0, 2147483647,
               .type = PARAMETER_INTEGER, .automatic = "by rule"},
    [HYB_RULE] = {"rule",
                  "rule for k: fewest bytes, Bell and Garland's third of the rows, or a share of the entries",
                  .type = PARAMETER_WORD, .words = rules},
    [HYB_SHARE] = {"share", "minimum share of the entries in ELL, for rule=share", 0, 1, 0.9,
                   .type = PARAMETER_REAL},
    [HYB_LAYOUT] = {"layout", "layout of the padded rows: transposed, or one after another",
                    .type = PARAMETER_WORD, .words = ell_layouts},
    [HYB_PAD] = {"pad", "column of padding: that of the row's last entry in ELL, or -1",
                 .type = PARAMETER_WORD, .words = ell_pads},
    {0},
};

static struct ell_part part_of(const struct storage *storage)
{
    return (struct ell_part){
        .rows = storage->rows,
        .width = storage->number[HYB_WIDTH],
        .transposed = storage_parameter(storage, HYB_LAYOUT) == ELL_TRANSPOSED,
        .sentinel = storage_parameter(storage, HYB_PAD) == ELL_SENTINEL,
    };
}

static size_t value_bytes(const struct storage *storage)
{
    return (storage->precision == PRECISION_F32 ? sizeof(float) : sizeof(double)) *
           (storage->complex ? 2 : 1);
}

/* Return the number of a row's entries in COO. */
static int64_t rest_of(int64_t length, int64_t width)
{
    return length > width ? length - width : 0;
}

/* Set k, the width of ELL and the slots of both parts from the histogram of row lengths. */
static void divide(struct storage *storage, const struct length_count *histogram, int64_t bins)
{
    double *k = &storage->values.number[HYB_K];
    if (isnan(*k))
        *k = (double)hyb_choose(histogram, bins, (enum hyb_rule)storage_parameter(storage, HYB_RULE),
                                storage->values.number[HYB_SHARE], value_bytes(storage));
    int64_t width = min(storage_parameter(storage, HYB_K), bins ? histogram[bins - 1].length : 0);
    storage->number[HYB_WIDTH] = width;
    storage->slots[0] = storage->rows * width;
    for (int64_t b = 0; b < bins; b++)
        storage->slots[1] += histogram[b].count * rest_of(histogram[b].length, width);
}

/* Return the bytes that fill_rest takes. */
static size_t rest_bytes(const struct csr *a)
{
    return ((size_t)row_blocks(a) + 1) * sizeof(int64_t);
}

static enum status plan_hyb(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    const struct lines lines = {.count = a->rows, .offsets = a->row_ptr};
    struct length_count *histogram;
    int64_t bins;
    enum status status = may_plan(storage, histogram_bytes(&lines, storage->nnz), error);
    progress_phase(progress, "counting lengths of rows", storage->rows);
    if (status == STATUS_OK) status = histogram_of(&lines, progress, &histogram, &bins, error);
    if (status != STATUS_OK) return status;
    plan_scratch(storage, rest_bytes(a));
    divide(storage, histogram, bins);
    free(histogram);
    plan_slots(storage, HYB_ELL_COL, "ell_col", ROLE_COLUMNS, 0, "ELL: column of slot e");
    plan_slots(storage, HYB_ELL_VAL, "ell_val", ROLE_VALUES, 0, "ELL: value of slot e");
    plan_slots(storage, HYB_ROW, "coo_row", ROLE_ROWS, 1, "COO: row of entry e");
    plan_slots(storage, HYB_COL, "coo_col", ROLE_COLUMNS, 1, "COO: column of entry e");
    plan_slots(storage, HYB_VAL, "coo_val", ROLE_VALUES, 1, "COO: value of entry e");
    return STATUS_OK;
}

/* Return the number of entries of rows first .. end-1 in COO. */
static int64_t count_rest(const struct csr *a, int64_t width, int64_t first, int64_t end)
{
    int64_t rest = 0;
    for (int64_t i = first; i < end; i++)
        rest += rest_of(row_length(a, i), width);
    return rest;
}

/* Write the entries of rows first .. end-1 that belong to COO, from its entry e on. */
static void put_rest(struct storage *storage, const struct csr *a, int64_t first, int64_t end, int64_t e)
{
    int32_t *row = array_i32(storage, HYB_ROW), *col = array_i32(storage, HYB_COL);
    struct array *val = &storage->array[HYB_VAL];
    for (int64_t i = first; i < end; i++)
        for (int64_t k = a->row_ptr[i] + storage->number[HYB_WIDTH]; k < a->row_ptr[i + 1]; k++, e++) {
            row[e] = (int32_t)i;
            col[e] = a->col[k];
            put_value(storage, val, e, a, k);
        }
}

/* Fill the COO part. The entries of each block of rows are counted first, so that start[b] is the entry of
 * the part with which block b begins. */
static enum status fill_rest(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    int64_t blocks = row_blocks(a);
    int64_t *start = memory_array((size_t)blocks + 1, sizeof *start, error);
    if (!start) return STATUS_MEMORY;
    progress_phase(progress, "converting to HYB: COO", blocks);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++)
        start[b] = progress_cancelled(progress)
                       ? 0
                       : count_rest(a, storage->number[HYB_WIDTH], row_block_first(a, blocks, b),
                                    row_block_first(a, blocks, b + 1));
    threads_offsets(start, blocks);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        put_rest(storage, a, row_block_first(a, blocks, b), row_block_first(a, blocks, b + 1), start[b]);
        progress_add(progress, 1);
    }
    free(start);
    return progress_status(progress, error);
}

static enum status fill_hyb(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    const struct ell_part part = part_of(storage);
    enum status status = ell_part_fill(storage, &part, a, "converting to HYB: ELL", progress, error);
    if (status == STATUS_OK && storage->slots[1] > 0) status = fill_rest(storage, a, progress, error);
    return status;
}

/* Return the first entry that does not belong to COO: its row still has padding in ELL, or its column is not
 * beyond the row's last one in ELL. If there is none, return the number of entries. */
static int64_t first_misplaced(const struct storage *storage, const struct ell_part *part)
{
    const int32_t *row = storage->array[HYB_ROW].data, *col = storage->array[HYB_COL].data;
    const int32_t *ell_col = storage->array[HYB_ELL_COL].data;
    int64_t n = storage->slots[1], worst = n;
#pragma omp parallel for reduction(min : worst) if (n > PARALLEL_MIN)
    for (int64_t e = 0; e < n; e++) {
        int64_t last = ell_slot(part, row[e], part->width - 1);
        if (e < worst && (storage_padding(storage, 0, last) || col[e] <= ell_col[last])) worst = e;
    }
    return worst;
}

static enum status validate_hyb(const struct storage *storage, struct error *error)
{
    const struct ell_part part = part_of(storage);
    const struct array *row = &storage->array[HYB_ROW], *col = &storage->array[HYB_COL];
    enum status status = ell_part_validate(storage, &part, error);
    if (status == STATUS_OK) status = coo_check(storage, row, col, true, error);
    if (status != STATUS_OK || part.width == 0) return status;
    int64_t e = first_misplaced(storage, &part);
    return e < storage->slots[1]
               ? bad_element(row, e, "is a row that ELL has not the first entries of", error)
               : STATUS_OK;
}

static struct place place_hyb(const struct storage *storage, int part, int64_t e)
{
    const struct ell_part ell = part_of(storage);
    if (part == 0) return ell_place(storage, &ell, e);
    return (struct place){array_integer(&storage->array[HYB_ROW], e),
                          array_integer(&storage->array[HYB_COL], e)};
}

static int64_t locate_hyb(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part)
{
    const struct ell_part ell = part_of(storage);
    int64_t c = k - a->row_ptr[i];
    *part = c >= ell.width;
    if (*part == 0) return ell_slot(&ell, i, c);
    return array_lower_bound(&storage->array[HYB_ROW], 0, storage->slots[1], i) + c - ell.width;
}

static enum rule rule_hyb(const struct storage *storage, int q, int64_t e)
{
    const struct ell_part part = part_of(storage);
    return q <= HYB_ELL_VAL ? ell_rule(&part, e) : coo_rule(&storage->array[HYB_ROW], e);
}

/* The picture is that of ELL. Entries in COO are in none of its cells. */
static struct shape shape_hyb(const struct storage *storage)
{
    return (struct shape){.line = LINE_ROW, .lines = storage->rows, .wide = storage->number[HYB_WIDTH]};
}

static int64_t cell_hyb(const struct storage *storage, int64_t line, int64_t c)
{
    const struct ell_part part = part_of(storage);
    return ell_slot(&part, line, c);
}

static void find_hyb(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c)
{
    const struct ell_part part = part_of(storage);
    *line = spot->place.row;
    *c = spot->slot < 0 || spot->part != 0 ? -1 : ell_position(&part, spot->slot);
}

/* The five criteria */

static struct look_ups look_ups_of_hyb(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    return (struct look_ups){look_ups_of_list(storage->slots[1], true),
                             (double)storage->slots[1] / (double)storage->nnz};
}

static double fetches_hyb(const struct layout *layout)
{
    return ell_fetches(layout, HYB_LAYOUT) + each_array(layout, 1, sectors_apart);
}

static double term_cut(const struct layout *layout, int64_t first, int64_t end)
{
    return lanes_up_to(layout, first, end, layout->storage->number[HYB_WIDTH]);
}

static double lanes_hyb(const struct layout *layout)
{
    return criteria_sum(layout, 0, layout->lines, WARP_THREADS, term_cut) + (double)layout->storage->slots[1];
}

static const struct criteria_rules criteria = {
    .writes = writes_nothing,
    .look_ups = look_ups_of_hyb,
    .fetches = fetches_hyb,
    .lanes = lanes_hyb,
};

static const char *const variants[] = {"", "rule=third", NULL};

static const struct format_trial trials[] = {{"", .quick = true}, {"layout=rows"}, {NULL}};

const struct format format_hyb = {
    .name = "hyb",
    .title = "HYB",
    .summary = "hybrid: the first k entries of each row in ELL, the rest in COO",
    .source = "PMPP, section 10.4, figure 10.13; Bell and Garland, SC 2009",
    .wins = "It suits rows of nearly equal length with a few longer ones, whose excess is in COO and pads no "
            "other row. If lengths differ everywhere, most entries are in COO.",
    .parameters = parameters,
    .convert_cost = 7,
    .example = "k=2",
    .variants = variants,
    .trials = trials,
    .criteria = &criteria,
    .plan = plan_hyb,
    .fill = fill_hyb,
    .validate = validate_hyb,
    .place = place_hyb,
    .locate = locate_hyb,
    .touch = touch_none,
    .leads = leads_nowhere,
    .rule = rule_hyb,
    .shape = shape_hyb,
    .cell = cell_hyb,
    .find = find_hyb,
    .label = label_row,
};
