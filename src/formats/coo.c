#include "formats/coo.h"

#include <string.h>

#include "base/threads.h"
#include "formats/criteria_rules.h"
#include "formats/fill.h"
#include "matrix/generators/hash.h"

static const char *const orders[] = {[COO_BY_ROW] = "row", [COO_RANDOM] = "random", NULL};

/* Values of parameters are doubles, which count exactly up to 2^53. */
static const struct parameter parameters[] = {
    [COO_ORDER] = {"order", "order of the entries: by row and column, or random", .type = PARAMETER_WORD,
                   .words = orders},
    [COO_SEED] = {"seed", "seed of a random order", 0, 9007199254740992.0, 1, .type = PARAMETER_INTEGER},
    {0},
};

static enum status plan_coo(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    storage->slots[0] = storage->nnz;
    plan_slots(storage, COO_ROW, "row", ROLE_ROWS, 0, "row of entry e");
    plan_slots(storage, COO_COL, "col", ROLE_COLUMNS, 0, "column of entry e");
    plan_slots(storage, COO_VAL, "val", ROLE_VALUES, 0, "value of entry e");
    return STATUS_OK;
}

static bool is_random(const struct storage *storage)
{
    return storage_parameter(storage, COO_ORDER) == COO_RANDOM;
}

/* Return the permutation by which entry k of the matrix goes to slot hash_image(&order, k), if the order is
 * random. Its key is not the seed itself, from which the generator of permutation matrices takes its columns:
 * with equal seeds the entries of such a matrix would come out in the order of their columns. */
static struct hash_permutation order_of(const struct storage *storage)
{
    uint64_t seed = (uint64_t)storage_parameter(storage, COO_SEED);
    return hash_permutation(hash_key(seed, HASH_PLACE, 0), storage->nnz);
}

static void fill_rows(struct storage *storage, const struct csr *a, int64_t first, int64_t end)
{
    int32_t *row = array_i32(storage, COO_ROW), *col = array_i32(storage, COO_COL);
    struct array *val = &storage->array[COO_VAL];
    for (int64_t i = first; i < end; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            row[k] = (int32_t)i;
            col[k] = a->col[k];
            put_value(storage, val, k, a, k);
        }
}

static void scatter_rows(struct storage *storage, const struct csr *a, const struct hash_permutation *order,
                         int64_t first, int64_t end)
{
    int32_t *row = array_i32(storage, COO_ROW), *col = array_i32(storage, COO_COL);
    struct array *val = &storage->array[COO_VAL];
    for (int64_t i = first; i < end; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int64_t e = hash_image(order, k);
            row[e] = (int32_t)i;
            col[e] = a->col[k];
            put_value(storage, val, e, a, k);
        }
}

static enum status fill_coo(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    const struct hash_permutation order = order_of(storage);
    int64_t blocks = row_blocks(a);
    progress_phase(progress, "converting to COO", blocks);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t first = row_block_first(a, blocks, b), end = row_block_first(a, blocks, b + 1);
        if (is_random(storage))
            scatter_rows(storage, a, &order, first, end);
        else
            fill_rows(storage, a, first, end);
        progress_add(progress, 1);
    }
    return progress_status(progress, error);
}

/* Return the first element that violates the order of rows and columns, or the length if there is none. */
static int64_t first_unsorted(const struct array *row, const struct array *col)
{
    const int32_t *i = row->data, *j = col->data;
    int64_t n = row->length, worst = n;
#pragma omp parallel for reduction(min : worst) if (n > PARALLEL_MIN)
    for (int64_t e = 1; e < n; e++)
        if (e < worst && (i[e] < i[e - 1] || (i[e] == i[e - 1] && j[e] <= j[e - 1]))) worst = e;
    return worst;
}

enum status coo_check(const struct storage *storage, const struct array *row, const struct array *col,
                      bool sorted, struct error *error)
{
    enum status status = check_within(row, 0, storage->rows - 1, error);
    if (status == STATUS_OK) status = check_within(col, 0, storage->cols - 1, error);
    if (status != STATUS_OK || !sorted) return status;
    int64_t e = first_unsorted(row, col);
    if (e == row->length) return STATUS_OK;
    bool same = array_integer(row, e) == array_integer(row, e - 1);
    return bad_element(same ? col : row, e,
                       same ? "is not beyond the one before" : "is less than the one before", error);
}

static enum status validate_coo(const struct storage *storage, struct error *error)
{
    return coo_check(storage, &storage->array[COO_ROW], &storage->array[COO_COL], !is_random(storage), error);
}

static struct place place_coo(const struct storage *storage, int part, int64_t e)
{
    return (struct place){array_integer(&storage->array[COO_ROW], e),
                          array_integer(&storage->array[COO_COL], e)};
}

static int64_t locate_coo(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part)
{
    *part = 0;
    if (!is_random(storage)) return k;
    const struct hash_permutation order = order_of(storage);
    return hash_image(&order, k);
}

enum rule coo_rule(const struct array *row, int64_t e)
{
    return array_integer(row, e) != array_integer(row, e - 1) ? RULE_MINOR : RULE_NONE;
}

/* In the order of rows there is a rule before each row; in a random order there is none. */
static enum rule rule_coo(const struct storage *storage, int q, int64_t e)
{
    return is_random(storage) ? RULE_NONE : coo_rule(&storage->array[COO_ROW], e);
}

/* The five criteria */

static struct look_ups look_ups_of_coo(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    bool sorted = storage_parameter(storage, COO_ORDER) == COO_BY_ROW;
    return (struct look_ups){look_ups_of_list(storage->nnz, sorted), 1};
}

static double sectors_entries(const struct layout *layout)
{
    return (double)sectors_of_run(0, layout->storage->nnz, layout->elements);
}

static double fetches_entries(const struct layout *layout)
{
    return each_array(layout, 0, sectors_entries);
}

static double lanes_entries(const struct layout *layout)
{
    return (double)layout->storage->nnz;
}

static const struct criteria_rules criteria = {
    .writes = writes_nothing,
    .look_ups = look_ups_of_coo,
    .fetches = fetches_entries,
    .lanes = lanes_entries,
};

static const char *const variants[] = {"", NULL};

static const struct format_trial trials[] = {{"", .quick = true}, {NULL}};

const struct format format_coo = {
    .name = "coo",
    .title = "COO",
    .summary = "coordinates: row, column and value of each entry, by rows or in any order",
    .source = "PMPP, section 10.4, figures 10.11 and 10.12",
    .wins = "It accepts entries in any order, so that a changing matrix is cheap to update. Its GPU kernels "
            "divide entries among threads, not rows, so that long rows do no harm.",
    .parameters = parameters,
    .convert_cost = 4,
    .variants = variants,
    .lines = FORMAT_ROWS,
    .trials = trials,
    .criteria = &criteria,
    .plan = plan_coo,
    .fill = fill_coo,
    .validate = validate_coo,
    .place = place_coo,
    .locate = locate_coo,
    .touch = touch_none,
    .leads = leads_nowhere,
    .rule = rule_coo,
};
