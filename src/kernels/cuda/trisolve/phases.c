/* Dividing levels into phases and segments, and assigning places to rows. */
#include <stdlib.h>

#include "base/memory.h"
#include "kernels/cuda/trisolve/build.h"

/* A narrow phase has at least this number of levels. It gains about 0.2 us per level, which must pay for a
 * further launch. */
#define LEVELS_MIN 32
/* In a wide level, rows are sorted by their number of terms within windows of this size. */
#define WINDOW 1024
/* Terms per thread: few if all threads wait for a level, more in levels with at least ROWS_MANY rows. */
#define TERMS_FEW 4
#define TERMS_MANY 8
#define ROWS_MANY 16384
/* Own terms per thread for the mean row of a segment. The longest row may have TERMS_LONGEST times as
 * many. */
#define TERMS_OWN 2
#define TERMS_LONGEST 8

/* A segment to which levels are added. */
struct growing {
    int64_t first_level; /* number of a level of the plan */
    int64_t rows, entries, levels, widest;
    int64_t longest; /* terms of the longest row, own or not */
};

static int64_t rows_of(const struct build *build, int64_t level)
{
    return build->level_ptr[level + 1] - build->level_ptr[level];
}

/* Return the number of terms of a level's rows that refer to items of level `from` or later. */
static int64_t entries_from(const struct build *build, int64_t level, int64_t from)
{
    int64_t entries = 0;
    for (int64_t k = build->level_ptr[level]; k < build->level_ptr[level + 1]; k++) {
        const struct item *item = &build->items[build->order[k]];
        const int64_t count = build_fresh_count(item);
        if (from <= 0) entries += count;
        for (int64_t e = 0; e < count && from > 0; e++) {
            int64_t at;
            double factor;
            build_fresh_term(build, item, e, &at, &factor);
            entries += build->items[at].level >= from;
        }
    }
    return entries;
}

static bool is_narrow(const struct build *build, int64_t level)
{
    const size_t narrow = build->options->narrow;
    if (level < build->old_levels) return false;
    if ((size_t)rows_of(build, level) * 10 > narrow) return false;
    return triplan_segment_bytes(rows_of(build, level), entries_from(build, level, 0), 1) <= narrow;
}

/* Return the end of the run of levels that begins with `level`: all are narrow, or none is. */
static int64_t run_end(const bool *narrow, int64_t level, int64_t levels)
{
    int64_t end = level + 1;
    while (end < levels && narrow[end] == narrow[level])
        end++;
    return end;
}

/* Return the number of terms that determines the number of lanes for an item. */
static int64_t terms_of(const struct item *item)
{
    const int64_t fresh = build_fresh_count(item), old = item->old.pieces ? 0 : item->old.count;
    return fresh > old ? fresh : old;
}

static int by_terms(const void *a, const void *b)
{
    const int64_t *one = a, *other = b;
    return (*one < *other) - (*one > *other);
}

/* Sort items by descending number of terms, stably. `keys` has room for WINDOW. */
static void sort_window(const struct build *build, int32_t *items, int64_t count, int64_t *keys)
{
    bool sorted = true;
    for (int64_t k = 0; k < count; k++) {
        keys[k] = terms_of(&build->items[items[k]]) << 32 | (INT32_MAX - items[k]);
        sorted = sorted && (k == 0 || keys[k] <= keys[k - 1]);
    }
    if (sorted) return;
    qsort(keys, (size_t)count, sizeof *keys, by_terms);
    for (int64_t k = 0; k < count; k++)
        items[k] = (int32_t)(INT32_MAX - (keys[k] & INT32_MAX));
}

/* Add a slice of at most 32 >> shift items, from `first` on. Returns the item after its last one. */
static int64_t add_slice(struct build *build, struct triplan *plan, int shift, int64_t first, int64_t end)
{
    plan->slice[plan->slices++] = (struct triplan_slice){.place = (int32_t)plan->places, .shift = shift};
    for (int64_t k = 0; k < 32 >> shift && first < end; k++)
        build->place[build->order[first++]] = (int32_t)(plan->places + k);
    plan->places += 32 >> shift;
    return first;
}

static void add_wide_level(struct build *build, struct triplan *plan, int64_t level, int64_t *keys)
{
    const int64_t first = build->level_ptr[level], end = build->level_ptr[level + 1];
    const int64_t by_rows = end - first < ROWS_MANY ? TERMS_FEW : TERMS_MANY;
    const int64_t each = build->options->terms ? build->options->terms : by_rows;
    plan->level_slice[plan->level_slices++] = plan->slices;
    for (int64_t k = first; k < end;) {
        const int64_t last = end - k < WINDOW ? end : k + WINDOW;
        sort_window(build, build->order + k, last - k, keys);
        while (k < last) {
            const int64_t terms = terms_of(&build->items[build->order[k]]); /* the maximum of the slice */
            k = add_slice(build, plan, build_shift(build, terms, each), k, last);
        }
    }
}

static void add_wide(struct build *build, struct triplan *plan, int64_t level, int64_t end, int64_t *keys)
{
    struct triplan_phase *phase = &plan->phases[plan->phase_count++];
    *phase = (struct triplan_phase){.first = plan->slices, .first_level = plan->level_slices};
    for (; level < end; level++)
        add_wide_level(build, plan, level, keys);
    phase->end_level = plan->level_slices;
    plan->level_slice[plan->level_slices++] = plan->slices;
    phase->end = plan->slices;
}

/* Return the shift for a slice whose items keep their order, so that the first one need not be the
 * longest. */
static int shift_from(const struct build *build, int64_t first, int64_t end)
{
    int shift = 0;
    for (int64_t k = 0; k < 32 >> shift && first + k < end; k++) {
        const int needed = build_shift(build, terms_of(&build->items[build->order[first + k]]), TERMS_FEW);
        if (needed > shift) shift = needed;
    }
    return shift;
}

/* Complete a segment: record its numbers, and assign places to its rows. */
static void end_segment(struct build *build, struct triplan *plan, const struct growing *growing)
{
    const int64_t first = growing->first_level, end = first + growing->levels;
    struct triplan_segment *segment = &plan->segments[plan->segment_count++];
    const int64_t own = growing->entries / growing->rows, most = growing->longest / TERMS_LONGEST;
    const int shift = build_shift(build, own > most ? own : most, TERMS_OWN);
    int64_t threads = ((growing->widest << shift) + 31) / 32 * 32;
    if (threads > build->options->threads) threads = build->options->threads;
    *segment = (struct triplan_segment){.slice = (int32_t)plan->slices,
                                        .place = (int32_t)plan->places,
                                        .rows = (int32_t)growing->rows,
                                        .levels = (int32_t)growing->levels,
                                        .entries = (int32_t)growing->entries,
                                        .shift = shift,
                                        .threads = (int32_t)threads,
                                        .first_start = plan->starts,
                                        .first_level = plan->level_starts,
                                        .first_entry = plan->own_entries};
    for (int64_t l = first; l <= end; l++)
        plan->level[plan->level_starts++] = (uint16_t)(build->level_ptr[l] - build->level_ptr[first]);
    for (int64_t k = build->level_ptr[first]; k < build->level_ptr[end];)
        k = add_slice(build, plan, shift_from(build, k, build->level_ptr[end]), k, build->level_ptr[end]);
    segment->slices = (int32_t)plan->slices - segment->slice;
    plan->starts += growing->rows + 1;
    plan->own_entries += growing->entries;
    const size_t bytes = triplan_segment_bytes(growing->rows, growing->entries, growing->levels);
    if (bytes > plan->shared) plan->shared = bytes;
}

/* Return the number of terms of the level's longest row, or `longest` if that is larger. */
static int64_t longest_of(const struct build *build, int64_t level, int64_t longest)
{
    for (int64_t k = build->level_ptr[level]; k < build->level_ptr[level + 1]; k++) {
        const int64_t count = build_fresh_count(&build->items[build->order[k]]);
        if (count > longest) longest = count;
    }
    return longest;
}

static void add_narrow(struct build *build, struct triplan *plan, int64_t level, int64_t end)
{
    struct triplan_phase *phase = &plan->phases[plan->phase_count++];
    *phase = (struct triplan_phase){.narrow = true, .first = plan->segment_count};
    for (; level < end;) {
        struct growing growing = {.first_level = level};
        for (; level < end; level++) {
            const int64_t rows = growing.rows + rows_of(build, level);
            const int64_t entries =
                growing.entries + (growing.levels ? entries_from(build, level, growing.first_level) : 0);
            const bool fits =
                triplan_segment_bytes(rows, entries, growing.levels + 1) <= build->options->shared &&
                rows < UINT16_MAX && entries < UINT16_MAX;
            if (!fits && growing.levels) break;
            growing.rows = rows;
            growing.entries = entries;
            growing.longest = longest_of(build, level, growing.longest);
            growing.levels++;
            if (rows_of(build, level) > growing.widest) growing.widest = rows_of(build, level);
        }
        end_segment(build, plan, &growing);
    }
    phase->end = plan->segment_count;
}

/* Merge narrow runs that are too short with the wide levels around them. */
static void join_short_runs(const struct build *build, bool *narrow)
{
    for (int64_t l = 0; l < build->levels;) {
        const int64_t end = run_end(narrow, l, build->levels);
        for (int64_t k = l; k < end && end - l < LEVELS_MIN; k++)
            narrow[k] = false;
        l = end;
    }
}

static enum status allocate(struct build *build, struct triplan *plan, struct error *error)
{
    const size_t levels = (size_t)build->levels;
    plan->phases = memory_zeroed(levels + 1, sizeof *plan->phases, error);
    plan->level_slice = memory_zeroed(2 * levels + 1, sizeof *plan->level_slice, error);
    plan->segments = memory_zeroed(levels + 1, sizeof *plan->segments, error);
    plan->slice = memory_array((size_t)build->count + 1, sizeof *plan->slice, error);
    plan->level = memory_zeroed(2 * levels + 1, sizeof *plan->level, error);
    build->place = memory_array((size_t)build->count, sizeof *build->place, error);
    return plan->phases && plan->level_slice && plan->segments && plan->level && plan->slice && build->place
               ? STATUS_OK
               : STATUS_MEMORY;
}

/* Find the item of each place, and the level from which on a slice's columns are its segment's own. */
static enum status invert(struct build *build, struct triplan *plan, struct error *error)
{
    build->item = memory_array((size_t)plan->places, sizeof *build->item, error);
    build->local_from = memory_array((size_t)plan->slices, sizeof *build->local_from, error);
    if (!build->item || !build->local_from) return STATUS_MEMORY;
    for (int64_t p = 0; p < plan->places; p++)
        build->item[p] = -1;
    for (int64_t k = 0; k < build->count; k++)
        build->item[build->place[k]] = (int32_t)k;
    for (int64_t s = 0; s < plan->slices; s++)
        build->local_from[s] = INT32_MAX;
    for (int64_t g = 0; g < plan->segment_count; g++) {
        const struct triplan_segment *segment = &plan->segments[g];
        for (int32_t s = 0; s < segment->slices; s++)
            build->local_from[segment->slice + s] = build->items[build->item[segment->place]].level;
    }
    return STATUS_OK;
}

enum status build_phases(struct build *build, struct triplan *plan, struct error *error)
{
    bool *narrow = memory_array((size_t)build->levels, sizeof *narrow, error);
    int64_t *keys = memory_array(WINDOW, sizeof *keys, error);
    enum status status = narrow && keys ? allocate(build, plan, error) : STATUS_MEMORY;
    plan->levels = build->levels;
    plan->pieces = build->count - build->parts->rows;
    if (status == STATUS_OK) {
        add_slice(build, plan, 5, 0, 0); /* the slice of place 0 */
        for (int64_t l = 0; l < build->levels; l++)
            narrow[l] = is_narrow(build, l);
        join_short_runs(build, narrow);
        for (int64_t l = 0; l < build->levels;) {
            const int64_t end = run_end(narrow, l, build->levels);
            if (narrow[l])
                add_narrow(build, plan, l, end);
            else
                add_wide(build, plan, l, end, keys);
            l = end;
        }
        status = plan->places > INT32_MAX / 2
                     ? error_set(error, STATUS_UNAVAILABLE, "the matrix has too many rows for 32-bit numbers")
                     : invert(build, plan, error);
    }
    free(narrow);
    free(keys);
    return status;
}
