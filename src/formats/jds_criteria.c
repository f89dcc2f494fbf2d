/* The rules of the five criteria for JDS. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/criteria_rules.h"
#include "formats/jds_parts.h"
#include "formats/sorted.h"

/* The number of rows of each length, and the storage with only its offsets: iter_ptr, or section_row and
 * section_ptr. */
struct diagonals {
    uint32_t *counts;
    struct storage jds;
};

static const struct diagonals *own_of(const struct layout *layout)
{
    return layout->own;
}

static void free_diagonals(struct layout *layout)
{
    struct diagonals *own = layout->own;
    if (!own) return;
    free(own->counts);
    for (int q = 0; q < own->jds.count; q++)
        free(own->jds.array[q].data);
    free(own);
}

static enum status find_diagonals(struct layout *layout, struct progress *progress, struct error *error)
{
    int last = jds_kind(layout->storage) == JDS_PLAIN ? JDS_ITER_PTR : JDS_SECTION_PTR;
    int64_t longest = longest_row(layout->a);
    size_t bytes = 2 * ((size_t)longest + 1) * sizeof(uint32_t);
    for (int q = JDS_ITER_PTR; q <= last; q++)
        bytes += (size_t)layout->storage->array[q].length * (size_t)layout->offset;
    enum status status = may_plan(layout->storage, bytes, error);
    if (status != STATUS_OK) return status;
    struct diagonals *own = layout->own = memory_zeroed(1, sizeof *own, error);
    if (!own) return STATUS_MEMORY;
    own->counts = memory_array((size_t)longest + 1, sizeof *own->counts, error);
    if (!own->counts) return STATUS_MEMORY;
    count_lengths(layout->a, longest, progress, own->counts);
    struct storage *jds = &own->jds;
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

/* A run of sorted rows first .. end-1 with one length, in one section. */
struct run {
    int64_t section; /* their section; 0 without sections */
    int64_t first, end, length;
    int64_t entries; /* of all sorted rows before them */
    bool begins;     /* the first row is the first of its length */
    int64_t left;    /* rows of this length from `first` on, in this section and later ones */
};

/* The first row of section s, or of all sorted rows without sections. */
static int64_t section_end(const struct layout *layout, int64_t s)
{
    if (jds_kind(layout->storage) == JDS_PLAIN) return jds_sorted(layout->storage);
    return jds_at(&own_of(layout)->jds, JDS_SECTION_ROW, s + 1);
}

/* Find the next run. It starts with {.length = -1}; returns false after the last. */
static bool next_run(const struct layout *layout, struct run *run)
{
    const uint32_t *counts = own_of(layout)->counts;
    bool starts = run->length < 0;
    int64_t left = 0; /* rows of the run's length that are beyond its section */
    if (starts) {
        *run = (struct run){.length = layout->storage->number[JDS_LONGEST], .begins = true};
        left = counts[run->length];
    } else {
        run->entries += run->length * (run->end - run->first);
        run->begins = false;
        left = run->left - (run->end - run->first);
        run->first = run->end;
    }
    while (left == 0) {
        if (run->length == 0) return false;
        left = counts[--run->length];
        run->begins = true;
    }
    while (section_end(layout, run->section) <= run->first)
        run->section++;
    run->left = left;
    run->end = min(run->first + left, section_end(layout, run->section));
    return true;
}

/* Diagonal L gets an entry, where L is the length of the row. The row is swapped with the first row of its
 * length, unless it is that row. */
static double writes_diagonals(const struct layout *layout, const struct run *run)
{
    const struct storage *storage = layout->storage;
    int64_t length = run->length, longest = storage->number[JDS_LONGEST], slots = 0, offsets = 1;
    if (length < longest) {
        slots = storage->slots[0] - jds_at(&own_of(layout)->jds, JDS_ITER_PTR, length + 1);
        offsets = longest - length;
    }
    double first = moved_bytes(layout, slots, offsets);
    double other = moved_bytes(layout, slots + 2 * length, offsets) + 2 * sizeof(int32_t);
    return at_most_all(layout, first) + (double)(run->end - run->first - 1) * at_most_all(layout, other);
}

/* A row with the width of its section makes all rows of the section longer. */
static double writes_sections(const struct layout *layout, const struct run *run)
{
    const int64_t s = run->section;
    const struct storage *jds = &own_of(layout)->jds;
    int64_t begin = jds_at(jds, JDS_SECTION_PTR, s), end = jds_at(jds, JDS_SECTION_PTR, s + 1);
    int64_t height = jds_at(jds, JDS_SECTION_ROW, s + 1) - jds_at(jds, JDS_SECTION_ROW, s);
    if (run->length * height < end - begin) return 0;
    double bytes = moved_bytes(layout, jds->slots[0] - end + height - 1, jds->number[JDS_SECTIONS] - s);
    return (double)(run->end - run->first) * at_most_all(layout, bytes);
}

/* Sections of CSR have the sorted rows one after another, and offsets of those with entries. */
static double writes_sorted(const struct layout *layout, const struct run *run)
{
    const int64_t *number = layout->storage->number;
    double sum = 0;
    for (int64_t r = run->first; r < run->end; r++) {
        int64_t after = layout->storage->slots[0] - run->entries - (r - run->first + 1) * run->length;
        int64_t offsets = max(1, number[JDS_FILLED] - r) + number[JDS_SECTIONS] - run->section;
        sum += at_most_all(layout, moved_bytes(layout, after, offsets));
    }
    return sum;
}

static double writes_jds(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    double sum = 0;
    for (struct run run = {.length = -1}; next_run(layout, &run);) {
        double places = (double)(layout->across - run.length), bytes;
        if (run.length == storage_parameter(storage, JDS_MAX))
            bytes = (double)(run.end - run.first) * layout->bytes;
        else if (jds_kind(storage) == JDS_PLAIN)
            bytes = writes_diagonals(layout, &run);
        else if (jds_kind(storage) == JDS_SECTIONS_ELL)
            bytes = writes_sections(layout, &run);
        else
            bytes = writes_sorted(layout, &run);
        sum += places * bytes;
    }
    return sum;
}

static struct look_ups look_ups_of_jds(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    const int64_t *number = storage->number;
    double rows = (double)storage->rows, sorted = (double)jds_sorted(storage);
    double inside = (double)(storage->nnz - storage->slots[1]);
    double row = look_ups_of_order(jds_sorted(storage), jds_sorted(storage)), entry;
    switch (jds_kind(storage)) {
    case JDS_PLAIN: /* the offsets of the diagonals that the row reaches, and of the one where it ends */
        row += sorted > 0 ? inside / sorted + 1 : 0;
        entry = bisection((double)number[JDS_LONGEST]) + 1;
        break;
    case JDS_SECTIONS_ELL:
        row += bisection((double)number[JDS_SECTIONS]) + 2;
        entry = bisection((double)number[JDS_SECTIONS]) + 2;
        break;
    default:
        row += 2;
        entry = bisection((double)number[JDS_FILLED]) + 1;
        break;
    }
    /* A row outside the sorted ones is first searched there, and then in the COO part. */
    double apart = (double)number[JDS_APART];
    row = (row * sorted + (sorted + look_ups_of_list(storage->slots[1], true)) * apart) / rows;
    entry = (entry * inside + (double)storage->slots[1]) / (double)storage->nnz;
    return (struct look_ups){row, entry};
}

static double sectors_diagonals(const struct layout *layout)
{
    const struct storage *jds = &own_of(layout)->jds;
    int64_t sum = 0;
    for (int64_t d = 0; d < jds->number[JDS_LONGEST]; d++) {
        int64_t first = jds_at(jds, JDS_ITER_PTR, d), end = jds_at(jds, JDS_ITER_PTR, d + 1);
        sum += sectors_of_run(first, end - first, layout->elements);
    }
    return (double)sum;
}

static double sectors_sections(const struct layout *layout)
{
    const struct storage *jds = &own_of(layout)->jds;
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
    for (struct run run = {.length = -1}; next_run(layout, &run);)
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

static double fetches_jds(const struct layout *layout)
{
    static double (*const sectors[])(const struct layout *) = {[JDS_PLAIN] = sectors_diagonals,
                                                               [JDS_SECTIONS_ELL] = sectors_sections,
                                                               [JDS_SECTIONS_CSR] = sectors_sorted};
    return each_array(layout, 0, sectors[jds_kind(layout->storage)]) + each_array(layout, 1, sectors_apart);
}

/* The first row of a warp is its longest. */
static double lanes_jds(const struct layout *layout)
{
    double sum = (double)layout->storage->slots[1];
    for (struct run run = {.length = -1}; next_run(layout, &run);) {
        int64_t begin = 0, end = jds_sorted(layout->storage);
        if (jds_kind(layout->storage) != JDS_PLAIN) {
            begin = jds_at(&own_of(layout)->jds, JDS_SECTION_ROW, run.section);
            end = jds_at(&own_of(layout)->jds, JDS_SECTION_ROW, run.section + 1);
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

const struct criteria_rules jds_criteria = {
    .find = find_diagonals,
    .release = free_diagonals,
    .writes = writes_jds,
    .look_ups = look_ups_of_jds,
    .fetches = fetches_jds,
    .lanes = lanes_jds,
};
