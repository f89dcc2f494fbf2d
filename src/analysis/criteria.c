#include "analysis/criteria.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/criteria_parts.h"
#include "analysis/emptiness.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/bsr.h"
#include "formats/cmrs_strip.h"
#include "formats/coo.h"
#include "formats/csc.h"
#include "formats/csr.h"
#include "formats/dia.h"
#include "formats/ell.h"
#include "formats/fill.h"
#include "formats/hyb.h"
#include "formats/jds_parts.h"
#include "formats/sell.h"
#include "formats/sorted.h"
#include "matrix/columns.h"
#include "matrix/skeleton.h"

#define RANGES 64

double criteria_sum(const struct layout *layout, int64_t begin, int64_t end, int64_t unit,
                    double (*term)(const struct layout *layout, int64_t first, int64_t end))
{
    double part[RANGES] = {0}, sum = 0;
    int64_t units = (end - begin + unit - 1) / unit;
#pragma omp parallel for schedule(dynamic, 1) if (end - begin > PARALLEL_MIN)
    for (int64_t p = 0; p < RANGES; p++) {
        int64_t first = units / RANGES * p + min(p, units % RANGES);
        int64_t last = first + units / RANGES + (p < units % RANGES);
        if (first < last) part[p] = term(layout, begin + first * unit, min(begin + last * unit, end));
    }
    for (int p = 0; p < RANGES; p++)
        sum += part[p];
    return sum;
}

/* Where the parts of a storage lie */

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

static int64_t height_of_strip(const struct storage *storage)
{
    return storage->number[CMRS_HEIGHT];
}

static int64_t slots_of_strip(const struct layout *layout, int64_t g, const struct progress *progress)
{
    const struct strip strip = strip_at(layout->a, layout->height, g);
    return strip_slots(&strip, layout->storage->number[CMRS_MODULO]);
}

static int64_t height_of_chunk(const struct storage *storage)
{
    return storage_parameter(storage, SELL_C);
}

static int64_t slots_of_chunk(const struct layout *layout, int64_t g, const struct progress *progress)
{
    int64_t wide = 0;
    for (int64_t r = g * layout->height; r < min((g + 1) * layout->height, layout->a->rows); r++)
        wide = max(wide, row_length(layout->a, row_at(layout, r)));
    return wide * layout->height;
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

/* A piece has so many rows, or those of the windows that are sorted and of whole warps if these are more. */
#define PIECE_ROWS ((int64_t)1 << 21)

/* Of JDS, whose rows are one window, the arrays tell the criteria more. */
static int64_t sorted_window(const struct storage *storage)
{
    return storage->format->lines == FORMAT_CHUNKS ? storage_sorted_window(storage) : 1;
}

/* Groups of a piece: so many that warps and windows begin with its first row. */
static int64_t groups_of_piece(const struct layout *layout)
{
    const int64_t whole = common_multiple(sorted_window(layout->storage), layout->height * WARP_THREADS);
    return max(PIECE_ROWS / whole, 1) * whole / layout->height;
}

/* The rows of a piece, a matrix that refers to the offsets of the other and owns nothing. */
static struct csr rows_of_piece(const struct layout *layout, int64_t first, int64_t end)
{
    struct csr part = *layout->a;
    part.row_ptr += first;
    part.rows = end - first;
    return part;
}

/* Take the memory for the first piece, which is the largest. */
static enum status take_groups(struct layout *layout, int64_t height, struct error *error)
{
    const struct storage *storage = layout->storage;
    int64_t window = sorted_window(storage), groups;
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
        enum status status = sort_rows(&part, sorted_window(layout->storage), progress, layout->order, error);
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

/* Diagonals and columns */

static enum status find_diagonals(struct layout *layout, struct progress *progress, struct error *error)
{
    struct storage *jds = &layout->jds;
    int last = jds_kind(layout->storage) == JDS_PLAIN ? JDS_ITER_PTR : JDS_SECTION_PTR;
    int64_t longest = longest_row(layout->a);
    size_t bytes = 2 * ((size_t)longest + 1) * sizeof *layout->counts;
    for (int q = JDS_ITER_PTR; q <= last; q++)
        bytes += (size_t)layout->storage->array[q].length * (size_t)layout->offset;
    enum status status = may_plan(layout->storage, bytes, error);
    if (status != STATUS_OK) return status;
    layout->counts = memory_array((size_t)longest + 1, sizeof *layout->counts, error);
    if (!layout->counts) return STATUS_MEMORY;
    count_lengths(layout->a, longest, progress, layout->counts);
    *jds = *layout->storage;
    for (int q = 0; q < jds->count; q++)
        jds->array[q].data = NULL;
    for (int q = JDS_ITER_PTR; q <= last; q++) {
        jds->array[q].data =
            memory_array((size_t)jds->array[q].length, element_size(jds->array[q].element), error);
        if (!jds->array[q].data) return STATUS_MEMORY;
    }
    status = progress_status(progress, error);
    return status == STATUS_OK ? jds_fill_offsets(jds, layout->a, progress, error) : status;
}

static enum status find_columns(struct layout *layout, struct progress *progress, struct error *error)
{
    layout->lines = layout->a->cols;
    layout->across = layout->a->rows;
    enum status status = may_plan(layout->storage, column_offsets_bytes(layout->a), error);
    if (status == STATUS_OK)
        status = column_offsets(layout->a, layout->storage->limit, progress, &layout->col_ptr, error);
    layout->ptr = layout->col_ptr;
    return status;
}

static enum status find_blocks(struct layout *layout, struct progress *progress, struct error *error)
{
    const struct skeleton *skeleton = layout->a->skeleton;
    if (!skeleton || !skeleton->block_rows) return progress_status(progress, error);
    layout->blocks = skeleton->block_rows(skeleton, layout->storage->number[BSR_SIZE]);
    return layout->blocks ? STATUS_OK
                          : error_set(error, STATUS_MEMORY, "no memory for the blocks of block rows");
}

static void layout_free(struct layout *layout)
{
    free(layout->col_ptr);
    free(layout->starts);
    free(layout->order);
    free(layout->counts);
    for (int q = 0; q < layout->jds.count; q++)
        free(layout->jds.array[q].data);
}

/* The first row of section s, or of all sorted rows where there are no sections. */
static int64_t section_end(const struct layout *layout, int64_t s)
{
    if (jds_kind(layout->storage) == JDS_PLAIN) return jds_sorted(layout->storage);
    return jds_at(&layout->jds, JDS_SECTION_ROW, s + 1);
}

bool jds_next_run(const struct layout *layout, struct jds_run *run)
{
    bool starts = run->length < 0;
    int64_t left = 0; /* rows of the run's length that are beyond its section */
    if (starts) {
        *run = (struct jds_run){.length = layout->storage->number[JDS_LONGEST], .begins = true};
        left = layout->counts[run->length];
    } else {
        run->entries += run->length * (run->end - run->first);
        run->begins = false;
        left = run->left - (run->end - run->first);
        run->first = run->end;
    }
    while (left == 0) {
        if (run->length == 0) return false;
        left = layout->counts[--run->length];
        run->begins = true;
    }
    while (section_end(layout, run->section) <= run->first)
        run->section++;
    run->left = left;
    run->end = min(run->first + left, section_end(layout, run->section));
    return true;
}

/* The formats */

static const struct criteria_rules rules[] = {
    {.format = &format_coo,
     .writes = writes_nothing,
     .look_ups = look_ups_of_coo,
     .fetches = fetches_entries,
     .lanes = lanes_entries},
    {.format = &format_csr,
     .writes = writes_lines,
     .look_ups = look_ups_of_csr,
     .fetches = fetches_lines,
     .lanes = lanes_lines},
    {.format = &format_csc,
     .find = find_columns,
     .writes = writes_lines,
     .look_ups = look_ups_of_csc,
     .fetches = fetches_lines,
     .lanes = lanes_lines},
    {.format = &format_ell,
     .writes = writes_ell,
     .look_ups = no_look_ups,
     .fetches = fetches_ell,
     .lanes = lanes_lines},
    {.format = &format_hyb,
     .writes = writes_nothing,
     .look_ups = look_ups_of_hyb,
     .fetches = fetches_hyb,
     .lanes = lanes_hyb},
    {.format = &format_jds,
     .find = find_diagonals,
     .writes = writes_jds,
     .look_ups = look_ups_of_jds,
     .fetches = fetches_jds,
     .lanes = lanes_jds},
    {.format = &format_cmrs,
     .height = height_of_strip,
     .slots = slots_of_strip,
     .writes = writes_cmrs,
     .look_ups = look_ups_of_cmrs,
     .searches = searches_in_strips,
     .fetches = fetches_cmrs,
     .lanes = lanes_cmrs,
     .work = work_groups},
    {.format = &format_sell,
     .height = height_of_chunk,
     .slots = slots_of_chunk,
     .writes = writes_sell,
     .look_ups = look_ups_of_sell,
     .fetches = fetches_sell,
     .lanes = lanes_sell},
    {.format = &format_dia,
     .writes = writes_dia,
     .look_ups = no_look_ups,
     .fetches = fetches_dia,
     .lanes = work_dia,
     .work = work_dia},
    {.format = &format_bsr,
     .find = find_blocks,
     .height = height_of_block_row,
     .slots = blocks_of_row,
     .writes = writes_bsr,
     .look_ups = look_ups_of_bsr,
     .lanes = lanes_bsr,
     .work = work_bsr},
    {.format = NULL},
};

static const struct criteria_rules *rules_of(const struct format *format)
{
    const struct criteria_rules *rule = rules;
    while (rule->format && rule->format != format)
        rule++;
    return rule->format ? rule : NULL;
}

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

/* What is summed over pieces, or of formats without groups is known at once. */
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
    criteria->space = (double)storage->nnz * (double)layout.value / layout.bytes;
    const struct criteria_rules *rule = rules_of(storage->format);
    if (!rule || rows_nearly_empty(a->rows, storage->nnz)) return progress_status(progress, error);
    struct sums sums = {0};
    enum status status = add_all(rule, &layout, progress, &sums, &missing);
    if (status == STATUS_OK) divide(rule, &layout, &sums, criteria);
    layout_free(&layout);
    if (status != STATUS_CANCELLED) return STATUS_OK;
    if (error) *error = missing;
    return status;
}
