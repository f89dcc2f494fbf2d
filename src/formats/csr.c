#include "formats/csr.h"

#include <string.h>

#include "formats/criteria_rules.h"
#include "formats/fill.h"

static const struct parameter parameters[] = {{0}};

static enum status plan_csr(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    storage->slots[0] = storage->nnz;
    storage->number[CSR_LONGEST] = longest_row(a);
    plan_offsets(storage, CSR_ROW_PTR, "row_ptr", storage->rows + 1, storage->nnz, "first entry of row i");
    plan_slots(storage, CSR_COL, "col", ROLE_COLUMNS, 0, "column of entry k");
    plan_slots(storage, CSR_VAL, "val", ROLE_VALUES, 0, "value of entry k");
    return STATUS_OK;
}

static enum status fill_csr(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    struct array *row_ptr = &storage->array[CSR_ROW_PTR], *val = &storage->array[CSR_VAL];
    int32_t *col = array_i32(storage, CSR_COL);
    int64_t blocks = row_blocks(a);
    progress_phase(progress, "converting to CSR", blocks);
    array_set(row_ptr, a->rows, a->row_ptr[a->rows]);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t first = row_block_first(a, blocks, b), end = row_block_first(a, blocks, b + 1);
        for (int64_t i = first; i < end; i++)
            array_set(row_ptr, i, a->row_ptr[i]);
        int64_t from = a->row_ptr[first], to = a->row_ptr[end];
        memcpy(col + from, a->col + from, (size_t)(to - from) * sizeof *col);
        for (int64_t k = from; k < to; k++)
            put_value(storage, val, k, a, k);
        progress_add(progress, 1);
    }
    return progress_status(progress, error);
}

static enum status validate_csr(const struct storage *storage, struct error *error)
{
    enum status status = check_ascending(&storage->array[CSR_ROW_PTR], storage->nnz, error);
    if (status == STATUS_OK) status = check_within(&storage->array[CSR_COL], 0, storage->cols - 1, error);
    return status;
}

static struct place place_csr(const struct storage *storage, int part, int64_t e)
{
    return (struct place){offset_find(&storage->array[CSR_ROW_PTR], storage->rows, e),
                          array_integer(&storage->array[CSR_COL], e)};
}

static int64_t locate_csr(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part)
{
    *part = 0;
    return k;
}

/* A kernel needs the two offsets of the row's beginning and end. */
static struct extent touch_csr(const struct storage *storage, int q, const struct spot *spot)
{
    return extent_of(spot->place.row, 2);
}

static struct place leads_csr(const struct storage *storage, int q, int64_t e)
{
    return (struct place){e < storage->rows ? e : -1, -1};
}

/* A rule before each row. */
static enum rule rule_csr(const struct storage *storage, int q, int64_t e)
{
    const struct array *row_ptr = &storage->array[CSR_ROW_PTR];
    if (q == CSR_ROW_PTR) return RULE_NONE;
    return array_integer(row_ptr, offset_find(row_ptr, storage->rows, e)) == e ? RULE_MINOR : RULE_NONE;
}

static struct shape shape_csr(const struct storage *storage)
{
    return (struct shape){.line = LINE_ROW, .lines = storage->rows, .wide = storage->number[CSR_LONGEST]};
}

static int64_t cell_csr(const struct storage *storage, int64_t line, int64_t c)
{
    int64_t e = array_integer(&storage->array[CSR_ROW_PTR], line) + c;
    return e < array_integer(&storage->array[CSR_ROW_PTR], line + 1) ? e : -1;
}

static void find_csr(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c)
{
    *line = spot->place.row;
    *c = spot->slot < 0 ? -1 : spot->slot - array_integer(&storage->array[CSR_ROW_PTR], *line);
}

/* The five criteria */

static struct look_ups look_ups_of_csr(const struct layout *layout)
{
    return (struct look_ups){2, bisection((double)layout->storage->rows)};
}

static const struct criteria_rules criteria = {
    .writes = writes_lines,
    .look_ups = look_ups_of_csr,
    .fetches = fetches_lines,
    .lanes = lanes_lines,
};

static const char *const variants[] = {"", NULL};

static const struct format_trial trials[] = {{"", .first = true}, {NULL}};

const struct format format_csr = {
    .name = "csr",
    .title = "CSR",
    .summary = "compressed sparse rows: entries row by row, and the offset of each row",
    .source = "PMPP, section 10.2, figure 10.2",
    .wins = "It suits nearly every matrix. sparsight holds matrices in CSR, so that it needs no conversion. "
            "It has no padding, and its size depends only on the numbers of rows and entries.",
    .parameters = parameters,
    .tells_values = true,
    .convert_cost = 3,
    .variants = variants,
    .lines = FORMAT_ROWS,
    .trials = trials,
    .criteria = &criteria,
    .plan = plan_csr,
    .fill = fill_csr,
    .validate = validate_csr,
    .place = place_csr,
    .locate = locate_csr,
    .touch = touch_csr,
    .leads = leads_csr,
    .rule = rule_csr,
    .shape = shape_csr,
    .cell = cell_csr,
    .find = find_csr,
    .label = label_row,
};
