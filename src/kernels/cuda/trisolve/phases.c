/* The division of levels into phases and segments, and the places of rows. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/cuda/trisolve/build.h"

/* Fewer successive narrow levels are no phase: a further launch takes longer than they do. */
#define LEVELS_MIN 8
/* Rows of a wide level are sorted by their steps within windows of this many. */
#define WINDOW 1024

/* A segment that grows. */
struct growing {
    int64_t first_level; /* of the plan */
    int64_t rows, entries, levels, widest;
};

static int64_t rows_of(const struct build *build, int64_t level)
{
    return build->level_ptr[level + 1] - build->level_ptr[level];
}

/* The terms of a level's rows that are in items of level `from` and later ones. */
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
    if ((size_t)rows_of(build, level) * 18 > narrow) return false;
    return triplan_segment_bytes(rows_of(build, level), entries_from(build, level, 0), 1) <= narrow;
}

/* The end of the levels from `level` on that are narrow, or that are not, as this one is. */
static int64_t run_end(const bool *narrow, int64_t level, int64_t levels)
{
    int64_t end = level + 1;
    while (end < levels && narrow[end] == narrow[level])
        end++;
    return end;
}

/* Steps of an item in a wide phase. */
static int64_t steps_of(const struct build *build, int32_t k)
{
    const struct item *item = &build->items[k];
    const int lanes = build->options->lanes;
    const int64_t old = item->old.pieces ? 0 : item->old.count;
    return (build_fresh_count(item) + lanes - 1) / lanes + (old + lanes - 1) / lanes;
}

/* Sort items by falling steps, of which there are at most 2 TRIPLAN_STEPS + 1: a counting sort. */
static void sort_window(const struct build *build, int32_t *items, int64_t count, int32_t *sorted)
{
    enum { MOST = 2 * TRIPLAN_STEPS + 2 };
    int64_t begin[MOST + 2] = {0};
    for (int64_t k = 0; k < count; k++) {
        const int64_t steps = steps_of(build, items[k]);
        begin[MOST - (steps < MOST ? steps : MOST) + 1]++;
    }
    for (int s = 0; s <= MOST; s++)
        begin[s + 1] += begin[s];
    for (int64_t k = 0; k < count; k++) {
        const int64_t steps = steps_of(build, items[k]);
        sorted[begin[MOST - (steps < MOST ? steps : MOST)]++] = items[k];
    }
    memcpy(items, sorted, (size_t)count * sizeof *items);
}

/* The next items get the next places. */
static void settle(struct build *build, struct triplan *plan, int64_t first, int64_t end)
{
    for (int64_t k = first; k < end; k++)
        build->place[build->order[k]] = (int32_t)plan->places++;
}

/* End a slice. */
static void pad(struct triplan *plan)
{
    const int64_t rows = 32 / plan->lanes;
    plan->slices = (plan->places + rows - 1) / rows;
    plan->places = plan->slices * rows;
}

static void add_wide(struct build *build, struct triplan *plan, int64_t level, int64_t end, int32_t *sorted)
{
    struct triplan_phase *phase = &plan->phases[plan->phase_count++];
    *phase = (struct triplan_phase){.first = plan->slices, .first_level = plan->level_slices};
    for (; level < end; level++) {
        plan->level_slice[plan->level_slices++] = plan->slices;
        for (int64_t k = build->level_ptr[level]; k < build->level_ptr[level + 1]; k += WINDOW) {
            const int64_t left = build->level_ptr[level + 1] - k;
            sort_window(build, build->order + k, left < WINDOW ? left : WINDOW, sorted);
        }
        settle(build, plan, build->level_ptr[level], build->level_ptr[level + 1]);
        pad(plan);
    }
    phase->end_level = plan->level_slices;
    plan->level_slice[plan->level_slices++] = plan->slices;
    phase->end = plan->slices;
}

/* End a segment: its rows get places, and its numbers are noted. */
static void end_segment(struct build *build, struct triplan *plan, const struct growing *growing)
{
    const int64_t first = growing->first_level, end = first + growing->levels;
    struct triplan_segment *segment = &plan->segments[plan->segment_count++];
    int64_t threads = (growing->widest * plan->lanes + 31) / 32 * 32;
    if (threads > build->options->threads) threads = build->options->threads;
    *segment = (struct triplan_segment){.slice = (int32_t)plan->slices,
                                        .rows = (int32_t)growing->rows,
                                        .levels = (int32_t)growing->levels,
                                        .entries = (int32_t)growing->entries,
                                        .threads = (int32_t)threads,
                                        .first_start = plan->starts,
                                        .first_level = plan->level_starts,
                                        .first_entry = plan->own_entries};
    for (int64_t l = first; l <= end; l++)
        plan->level[plan->level_starts++] = (uint16_t)(build->level_ptr[l] - build->level_ptr[first]);
    settle(build, plan, build->level_ptr[first], build->level_ptr[end]);
    pad(plan);
    segment->slices = (int32_t)plan->slices - segment->slice;
    plan->starts += growing->rows + 1;
    plan->own_entries += growing->entries;
    const size_t bytes = triplan_segment_bytes(growing->rows, growing->entries, growing->levels);
    if (bytes > plan->shared) plan->shared = bytes;
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
            growing.levels++;
            if (rows_of(build, level) > growing.widest) growing.widest = rows_of(build, level);
        }
        end_segment(build, plan, &growing);
    }
    phase->end = plan->segment_count;
}

/* A narrow run that is too short joins the levels around it. */
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
    plan->level = memory_zeroed(2 * levels + 1, sizeof *plan->level, error);
    build->place = memory_array((size_t)build->count, sizeof *build->place, error);
    return plan->phases && plan->level_slice && plan->segments && plan->level && build->place ? STATUS_OK
                                                                                              : STATUS_MEMORY;
}

/* The items of places, and from which level on the columns of a slice are its segment's own. */
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
        const int64_t first = (int64_t)segment->slice * (32 / plan->lanes);
        for (int32_t s = 0; s < segment->slices; s++)
            build->local_from[segment->slice + s] = build->items[build->item[first]].level;
    }
    return STATUS_OK;
}

enum status build_phases(struct build *build, struct triplan *plan, struct error *error)
{
    bool *narrow = memory_array((size_t)build->levels, sizeof *narrow, error);
    int32_t *sorted = memory_array(WINDOW, sizeof *sorted, error);
    enum status status = narrow && sorted ? allocate(build, plan, error) : STATUS_MEMORY;
    plan->levels = build->levels;
    plan->pieces = build->count - build->parts->rows;
    plan->slices = 1; /* that of place 0 */
    plan->places = 32 / plan->lanes;
    if (status == STATUS_OK) {
        for (int64_t l = 0; l < build->levels; l++)
            narrow[l] = is_narrow(build, l);
        join_short_runs(build, narrow);
        for (int64_t l = 0; l < build->levels;) {
            const int64_t end = run_end(narrow, l, build->levels);
            if (narrow[l])
                add_narrow(build, plan, l, end);
            else
                add_wide(build, plan, l, end, sorted);
            l = end;
        }
        status = plan->places > INT32_MAX / 2
                     ? error_set(error, STATUS_UNAVAILABLE, "the matrix has too many rows for 32-bit numbers")
                     : invert(build, plan, error);
    }
    free(narrow);
    free(sorted);
    return status;
}
