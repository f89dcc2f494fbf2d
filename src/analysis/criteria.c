#include "analysis/criteria.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/emptiness.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/criteria_rules.h"
#include "formats/sorted.h"
#include "matrix/skeleton.h"

/* The bytes of a slot of part 0, of a value and of an offset. */
static void find_sizes(struct layout *layout)
{
    const struct storage *storage = layout->storage;
    layout->offset = storage->wide ? sizeof(int64_t) : sizeof(int32_t);
    for (int q = 0; q < storage->count; q++) {
        const struct array *array = &storage->array[q];
        int64_t size = (int64_t)element_size(array->element);
        if (array->role == ROLE_VALUES) layout->value = size;
        if (array->per_slot && array->part == 0) layout->slot += size;
    }
}

/* Groups */

/* Number of rows of a piece; more if sorted windows and whole warps require it. */
#define PIECE_ROWS ((int64_t)1 << 21)

/* Number of groups of a piece, chosen so that warps and windows begin with its first row. */
static int64_t groups_of_piece(const struct layout *layout)
{
    const int64_t whole =
        common_multiple(storage_sorted_window(layout->storage), layout->height * WARP_THREADS);
    return max(PIECE_ROWS / whole, 1) * whole / layout->height;
}

/* The rows of a piece as a matrix, which borrows the offsets of the whole one and owns nothing. */
static struct csr rows_of_piece(const struct layout *layout, int64_t first, int64_t end)
{
    struct csr part = *layout->a;
    part.row_ptr += first;
    part.rows = end - first;
    return part;
}

/* Allocate the memory for the first piece, which is the largest. */
static enum status take_groups(struct layout *layout, int64_t height, struct error *error)
{
    const struct storage *storage = layout->storage;
    int64_t window = storage_sorted_window(storage), groups;
    layout->height = height;
    layout->groups = (layout->a->rows + height - 1) / height;
    groups = min(layout->groups, groups_of_piece(layout));
    const struct csr part = rows_of_piece(layout, 0, min(groups * height, layout->a->rows));
    size_t bytes = ((size_t)groups + 1) * sizeof *layout->starts;
    if (window > 1) bytes += (size_t)part.rows * sizeof *layout->order + sort_rows_bytes(&part, window);
    enum status status = may_plan(storage, bytes, error);
    if (status != STATUS_OK) return status;
    layout->starts = memory_array((size_t)groups + 1, sizeof *layout->starts, error);
    if (window > 1) layout->order = memory_array((size_t)part.rows, sizeof *layout->order, error);
    return layout->starts && (layout->order || window <= 1) ? STATUS_OK : STATUS_MEMORY;
}

/* The groups that a thread takes at a time. */
#define GROUPS_STRETCH 1024

/* Go on to the next piece. */
static enum status next_piece(struct layout *layout, const struct criteria_rules *rule,
                              struct progress *progress, struct error *error)
{
    int64_t first = layout->end_group, end = min(first + groups_of_piece(layout), layout->groups);
    int64_t *starts = layout->starts, before = first > 0 ? group_start(layout, first) : 0;
    layout->first_group = first;
    layout->end_group = end;
    layout->first_row = first * layout->height;
    layout->end_row = min(end * layout->height, layout->a->rows);
    if (layout->order) {
        const struct csr part = rows_of_piece(layout, layout->first_row, layout->end_row);
        enum status status =
            sort_rows(&part, storage_sorted_window(layout->storage), progress, layout->order, error);
        if (status != STATUS_OK) return status;
    }
#pragma omp parallel for schedule(dynamic, GROUPS_STRETCH) if (end - first > GROUPS_STRETCH)
    for (int64_t g = first; g < end; g++)
        starts[g - first] = progress_cancelled(progress) ? 0 : rule->slots(layout, g, progress);
    threads_offsets(starts, end - first);
    for (int64_t k = 0; k <= end - first; k++)
        starts[k] += before;
    return progress_status(progress, error);
}

static void layout_free(struct layout *layout, const struct criteria_rules *rule)
{
    if (rule->release)
        rule->release(layout);
    else
        free(layout->own);
    free(layout->starts);
    free(layout->order);
}

/* Sums and shares */

/* The bytes that entries take in the arrays that have an element for each slot. */
static double entry_bytes(const struct storage *storage)
{
    double bytes[STORAGE_PARTS] = {0};
    for (int q = 0; q < storage->count; q++)
        if (storage->array[q].per_slot)
            bytes[storage->array[q].part] += (double)element_size(storage->array[q].element);
    double apart = (double)storage->slots[1];
    return bytes[0] * ((double)storage->nnz - apart) + bytes[1] * apart;
}

/* The sums over pieces. Formats without groups fill them in one step. */
struct sums {
    double writes, searches, fetches, lanes, work;
};

static void add_piece(const struct criteria_rules *rule, const struct layout *layout, struct sums *sums)
{
    sums->writes += rule->writes(layout);
    if (rule->searches) sums->searches += rule->searches(layout);
    if (rule->fetches) sums->fetches += rule->fetches(layout);
    if (rule->work) sums->work += rule->work(layout);
    sums->lanes += rule->lanes(layout);
}

static enum status add_all(const struct criteria_rules *rule, struct layout *layout,
                           struct progress *progress, struct sums *sums, struct error *error)
{
    enum status status = rule->find ? rule->find(layout, progress, error) : progress_status(progress, error);
    if (status == STATUS_OK && rule->height)
        status = take_groups(layout, rule->height(layout->storage), error);
    if (status == STATUS_OK && !rule->height) add_piece(rule, layout, sums);
    while (status == STATUS_OK && layout->end_group < layout->groups) {
        status = next_piece(layout, rule, progress, error);
        if (status == STATUS_OK) add_piece(rule, layout, sums);
    }
    return status;
}

static void divide(const struct criteria_rules *rule, const struct layout *layout, const struct sums *sums,
                   struct criteria *criteria)
{
    const struct storage *storage = layout->storage;
    double nnz = (double)storage->nnz, rows = (double)storage->rows;
    double places = rows * (double)storage->cols - nnz;
    const struct look_ups look_ups = rule->look_ups(layout);
    double row = look_ups.row + sums->searches / rows;
    criteria->flexibility = 1 - share_of(sums->writes, layout->bytes * places);
    criteria->accessibility = (1 / (1 + row) + 1 / (1 + look_ups.entry)) / 2;
    if (rule->fetches && !storage->complex) criteria->access = share_of(entry_bytes(storage), sums->fetches);
    criteria->balance = share_of(rule->work ? sums->work : nnz, sums->lanes);
}

struct criteria criteria_unknown(void)
{
    return (struct criteria){NAN, NAN, NAN, NAN, NAN};
}

enum status criteria_of(const struct storage *storage, const struct csr *a, struct progress *progress,
                        struct criteria *criteria, struct error *error)
{
    if (a->skeleton && a->skeleton->all) a = a->skeleton->all;
    struct layout layout = {.storage = storage,
                            .a = a,
                            .bytes = (double)storage_size(storage).bytes,
                            .lines = a->rows,
                            .across = a->cols,
                            .ptr = a->row_ptr,
                            .end_row = a->rows};
    struct error missing = {0};
    *criteria = criteria_unknown();
    if (storage->nnz == 0) return STATUS_OK;
    find_sizes(&layout);
    criteria->space = (double)(storage->nnz - storage->mirrored) * (double)layout.value / layout.bytes;
    const struct criteria_rules *rule = storage->format->criteria;
    if (!rule || storage->estimated || rows_nearly_empty(a->rows, storage->nnz))
        return progress_status(progress, error);
    struct sums sums = {0};
    enum status status = add_all(rule, &layout, progress, &sums, &missing);
    if (status == STATUS_OK) divide(rule, &layout, &sums, criteria);
    layout_free(&layout, rule);
    if (status != STATUS_CANCELLED) return STATUS_OK;
    if (error) *error = missing;
    return status;
}
