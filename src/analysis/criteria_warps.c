/* Memory access efficiency and load balance: what the warps of the plain kernels touch, and how many of
 * their threads have work. */
#include "analysis/criteria_parts.h"
#include "base/range.h"
#include "formats/array.h"
#include "formats/bsr.h"
#include "formats/cmrs.h"
#include "formats/dia.h"
#include "formats/ell.h"
#include "formats/fill.h"
#include "formats/hyb.h"
#include "formats/jds_parts.h"
#include "formats/sell.h"

#define SECTOR 32

/* The bytes of the sectors of all arrays of a part that have an element for each slot. `sectors` counts those
 * of an array of which a sector has layout->elements. */
static double each_array(const struct layout *layout, int part,
                         double (*sectors)(const struct layout *layout))
{
    const struct storage *storage = layout->storage;
    struct layout of_array = *layout;
    double sum = 0;
    for (int q = 0; q < storage->count; q++) {
        const struct array *array = &storage->array[q];
        of_array.elements = SECTOR / (int64_t)element_size(array->element);
        if (array->per_slot && array->part == part) sum += sectors(&of_array);
    }
    return sum * SECTOR;
}

/* Return the sectors that warps touch which take `count` neighbouring slots from `first` on, 32 at a time.
 * Since `elements`, those of a sector, divide 32, all warps begin at the same place of a sector. */
static int64_t sectors_of_run(int64_t first, int64_t count, int64_t elements)
{
    int64_t whole = count / WARP_THREADS, rest = count % WARP_THREADS, place = first % elements;
    int64_t sectors = whole * (WARP_THREADS / elements + (place > 0));
    return rest ? sectors + (place + rest - 1) / elements + 1 : sectors;
}

/* The same for `columns` runs, each of which begins where the one before it ends. Where they begin within a
 * sector recurs after as many runs as a sector has elements, at the latest. */
static int64_t sectors_of_rectangle(int64_t first, int64_t height, int64_t columns, int64_t elements)
{
    int64_t sectors = 0;
    for (int64_t d = 0; d < min(columns, elements); d++) {
        int64_t alike = (columns - d + elements - 1) / elements;
        sectors += alike * sectors_of_run(first + d * height, height, elements);
    }
    return sectors;
}

/* Lines that the threads of a warp go through side by side: line l has slots start[l] .. start[l] +
 * length[l]-1, and start[l + 1] >= start[l] + length[l]. In step d all lines that are longer than d are at
 * their slot d. */
struct abreast {
    int count;
    int64_t start[WARP_THREADS], length[WARP_THREADS];
};

/* Return the sectors that they touch, summed over steps. A line counts the sector that it is in unless the
 * next line that has the step is in it too. A line that is as long as a sector keeps all later ones out of
 * it, so that only short lines need be looked at step by step. */
static int64_t sectors_abreast(const struct abreast *lines, int64_t elements)
{
    int64_t sectors = 0;
    for (int l = 0; l < lines->count; l++) {
        if (lines->length[l] >= elements) {
            sectors += lines->length[l];
            continue;
        }
        for (int64_t d = 0; d < lines->length[l]; d++) {
            int next = l + 1;
            while (next < lines->count && lines->length[next] <= d)
                next++;
            sectors += next == lines->count ||
                       (lines->start[next] + d) / elements != (lines->start[l] + d) / elements;
        }
    }
    return sectors;
}

/* COO, and the second part of HYB and JDS */

static double sectors_entries(const struct layout *layout)
{
    return (double)sectors_of_run(0, layout->storage->nnz, layout->elements);
}

double fetches_entries(const struct layout *layout)
{
    return each_array(layout, 0, sectors_entries);
}

double lanes_entries(const struct layout *layout)
{
    return (double)layout->storage->nnz;
}

static double sectors_apart(const struct layout *layout)
{
    return (double)sectors_of_run(0, layout->storage->slots[1], layout->elements);
}

/* Rows, and columns of CSC */

static double term_lines(const struct layout *layout, int64_t first, int64_t end)
{
    struct abreast lines;
    int64_t sum = 0;
    for (int64_t warp = first; warp < end; warp += WARP_THREADS) {
        lines.count = (int)min(WARP_THREADS, end - warp);
        for (int l = 0; l < lines.count; l++) {
            lines.start[l] = layout->ptr[warp + l];
            lines.length[l] = line_length(layout, warp + l);
        }
        sum += sectors_abreast(&lines, layout->elements);
    }
    return (double)sum;
}

static double sectors_lines(const struct layout *layout)
{
    return criteria_sum(layout, 0, layout->lines, WARP_THREADS, term_lines);
}

double fetches_lines(const struct layout *layout)
{
    return each_array(layout, 0, sectors_lines);
}

/* Threads x the longest of their lines, of which entries beyond `most` do not count. */
static double lanes_up_to(const struct layout *layout, int64_t first, int64_t end, int64_t most)
{
    double sum = 0;
    for (int64_t warp = first; warp < end; warp += WARP_THREADS) {
        int64_t longest = 0, next = min(warp + WARP_THREADS, end);
        for (int64_t i = warp; i < next; i++)
            longest = max(longest, line_length(layout, row_at(layout, i)));
        sum += (double)(next - warp) * (double)min(longest, most);
    }
    return sum;
}

static double term_lanes(const struct layout *layout, int64_t first, int64_t end)
{
    return lanes_up_to(layout, first, end, INT64_MAX);
}

double lanes_lines(const struct layout *layout)
{
    return criteria_sum(layout, 0, layout->lines, WARP_THREADS, term_lanes);
}

/* ELL and HYB */

/* Rows by rows are lines that are all as long as the rectangle is wide. */
static double term_rows(const struct layout *layout, int64_t first, int64_t end)
{
    int64_t wide = layout->storage->number[ELL_WIDTH], sum = 0;
    struct abreast lines;
    for (int64_t warp = first; warp < end; warp += WARP_THREADS) {
        lines.count = (int)min(WARP_THREADS, end - warp);
        for (int l = 0; l < lines.count; l++) {
            lines.start[l] = (warp + l) * wide;
            lines.length[l] = wide;
        }
        sum += sectors_abreast(&lines, layout->elements);
    }
    return (double)sum;
}

static double sectors_rows(const struct layout *layout)
{
    return criteria_sum(layout, 0, layout->lines, WARP_THREADS, term_rows);
}

static double sectors_transposed(const struct layout *layout)
{
    return (double)sectors_of_rectangle(0, layout->lines, layout->storage->number[ELL_WIDTH],
                                        layout->elements);
}

static double fetches_padded(const struct layout *layout, int parameter)
{
    bool transposed = storage_parameter(layout->storage, parameter) == ELL_TRANSPOSED;
    return each_array(layout, 0, transposed ? sectors_transposed : sectors_rows);
}

double fetches_ell(const struct layout *layout)
{
    return fetches_padded(layout, ELL_LAYOUT);
}

double fetches_hyb(const struct layout *layout)
{
    return fetches_padded(layout, HYB_LAYOUT) + each_array(layout, 1, sectors_apart);
}

static double term_cut(const struct layout *layout, int64_t first, int64_t end)
{
    return lanes_up_to(layout, first, end, layout->storage->number[HYB_WIDTH]);
}

double lanes_hyb(const struct layout *layout)
{
    return criteria_sum(layout, 0, layout->lines, WARP_THREADS, term_cut) + (double)layout->storage->slots[1];
}

/* DIA: each diagonal is a run with a slot for every row. */

static double sectors_stored(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    return (double)sectors_of_rectangle(0, storage->rows, storage->number[DIA_DIAGONALS], layout->elements);
}

double fetches_dia(const struct layout *layout)
{
    return each_array(layout, 0, sectors_stored);
}

/* JDS */

static double sectors_diagonals(const struct layout *layout)
{
    const struct storage *jds = &layout->jds;
    int64_t sum = 0;
    for (int64_t d = 0; d < jds->number[JDS_LONGEST]; d++) {
        int64_t first = jds_at(jds, JDS_ITER_PTR, d), end = jds_at(jds, JDS_ITER_PTR, d + 1);
        sum += sectors_of_run(first, end - first, layout->elements);
    }
    return (double)sum;
}

static double sectors_sections(const struct layout *layout)
{
    const struct storage *jds = &layout->jds;
    int64_t sum = 0;
    for (int64_t s = 0; s < jds->number[JDS_SECTIONS]; s++) {
        int64_t height = jds_at(jds, JDS_SECTION_ROW, s + 1) - jds_at(jds, JDS_SECTION_ROW, s);
        int64_t first = jds_at(jds, JDS_SECTION_PTR, s), end = jds_at(jds, JDS_SECTION_PTR, s + 1);
        sum += sectors_of_rectangle(first, height, (end - first) / height, layout->elements);
    }
    return (double)sum;
}

/* The warps of a section of CSR begin with its first row. */
static double sectors_sorted(const struct layout *layout)
{
    struct abreast lines = {0};
    int64_t sum = 0, section = 0;
    for (struct jds_run run = {.length = -1}; jds_next_run(layout, &run);)
        for (int64_t r = run.first; r < run.end; r++) {
            if (lines.count == WARP_THREADS || run.section != section) {
                sum += sectors_abreast(&lines, layout->elements);
                lines.count = 0;
            }
            section = run.section;
            lines.start[lines.count] = run.entries + (r - run.first) * run.length;
            lines.length[lines.count++] = run.length;
        }
    return (double)(sum + sectors_abreast(&lines, layout->elements));
}

double fetches_jds(const struct layout *layout)
{
    static double (*const sectors[])(const struct layout *) = {[JDS_PLAIN] = sectors_diagonals,
                                                               [JDS_SECTIONS_ELL] = sectors_sections,
                                                               [JDS_SECTIONS_CSR] = sectors_sorted};
    return each_array(layout, 0, sectors[jds_kind(layout->storage)]) + each_array(layout, 1, sectors_apart);
}

/* The first row of a warp is its longest. */
double lanes_jds(const struct layout *layout)
{
    double sum = (double)layout->storage->slots[1];
    for (struct jds_run run = {.length = -1}; jds_next_run(layout, &run);) {
        int64_t begin = 0, end = jds_sorted(layout->storage);
        if (jds_kind(layout->storage) != JDS_PLAIN) {
            begin = jds_at(&layout->jds, JDS_SECTION_ROW, run.section);
            end = jds_at(&layout->jds, JDS_SECTION_ROW, run.section + 1);
        }
        /* the warps that begin in the run, and the threads of the last one of all */
        int64_t first = (run.first - begin + WARP_THREADS - 1) / WARP_THREADS * WARP_THREADS + begin;
        if (first >= run.end) continue;
        int64_t warps = (run.end - first + WARP_THREADS - 1) / WARP_THREADS;
        int64_t threads = min(warps * WARP_THREADS, end - first);
        sum += (double)threads * (double)run.length;
    }
    return sum;
}

/* CMRS: a strip is a run that its warp takes 32 slots at a time. */

static double term_strips(const struct layout *layout, int64_t first, int64_t end)
{
    int64_t sum = 0;
    for (int64_t s = first; s < end; s++)
        sum += sectors_of_run(group_start(layout, s), group_start(layout, s + 1) - group_start(layout, s),
                              layout->elements);
    return (double)sum;
}

static double sectors_strips(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_group, layout->end_group, 1, term_strips);
}

double fetches_cmrs(const struct layout *layout)
{
    return each_array(layout, 0, sectors_strips);
}

static double term_turns(const struct layout *layout, int64_t first, int64_t end)
{
    int64_t turns = 0;
    for (int64_t s = first; s < end; s++)
        turns += (group_start(layout, s + 1) - group_start(layout, s) + WARP_THREADS - 1) / WARP_THREADS;
    return (double)turns * WARP_THREADS;
}

double lanes_cmrs(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_group, layout->end_group, 1, term_turns);
}

double work_groups(const struct layout *layout)
{
    return (double)(group_start(layout, layout->end_group) - group_start(layout, layout->first_group));
}

/* SELL: a warp has 32 rows of a chunk, whose slots in each step are neighbours and begin with a sector. Rows
 * beyond the last one are loaded too. */

double fetches_sell(const struct layout *layout)
{
    if (storage_parameter(layout->storage, SELL_C) % WARP_THREADS) return NAN;
    return work_groups(layout) * (double)layout->slot;
}

double lanes_sell(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_row, layout->end_row, WARP_THREADS, term_lanes);
}

/* DIA and BSR, in which threads go through padding too: in DIA each has all diagonals */

double work_dia(const struct layout *layout)
{
    return (double)layout->storage->slots[0];
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

double lanes_bsr(const struct layout *layout)
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

double work_bsr(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_row, layout->end_row, 1, term_work);
}
