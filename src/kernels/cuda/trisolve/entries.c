/* The arrays of entries of a plan. */
#include <stdlib.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/threads.h"
#include "kernels/cuda/trisolve/build.h"

/* Terms up to this number are sorted by insertion. */
#define SORTED_MAX 64

static int rows_of(const struct triplan *plan, int64_t slice)
{
    return 32 >> plan->slice[slice].shift;
}

/* Return the item of row number `row` of a slice; NULL for padding. */
static const struct item *item_at(const struct build *build, const struct triplan *plan, int64_t slice,
                                  int row)
{
    const int32_t k = build->item[plan->slice[slice].place + row];
    return k < 0 ? NULL : &build->items[k];
}

/* A term that waits for an x. */
struct term {
    int32_t place;
    bool old;
    double factor;
};

/* Find the terms of an item whose columns are its segment's own (`local`), or all others. Returns their
 * number. `terms` has room for TRIPLAN_STEPS * 32 * 2, or is NULL. */
static int64_t terms_of(const struct build *build, const struct item *item, int32_t local_from, bool local,
                        struct term *terms)
{
    const int64_t count = build_fresh_count(item);
    int64_t found = 0;
    if (local_from == INT32_MAX && !terms) return local ? 0 : count;
    for (int64_t k = 0; k < count; k++) {
        int64_t from;
        double factor;
        const bool old = build_fresh_term(build, item, k, &from, &factor);
        if ((build->items[from].level >= local_from) != local) continue;
        if (terms) terms[found] = (struct term){build->place[from], old, factor};
        found++;
    }
    return found;
}

static int by_place(const void *a, const void *b)
{
    const struct term *one = a, *other = b;
    return (one->place > other->place) - (one->place < other->place);
}

/* Sort by place: the x that is computed last is then awaited after all others have been added. */
static void sort_terms(struct term *terms, int64_t count)
{
    if (count > SORTED_MAX) return qsort(terms, (size_t)count, sizeof *terms, by_place);
    for (int64_t k = 1; k < count; k++) {
        const struct term term = terms[k];
        int64_t to = k;
        for (; to > 0 && terms[to - 1].place > term.place; to--)
            terms[to] = terms[to - 1];
        terms[to] = term;
    }
}

static int64_t old_count(const struct item *item)
{
    return item->old.pieces ? 0 : item->old.count;
}

static void count_steps(const struct build *build, struct triplan *plan)
{
#pragma omp parallel for schedule(dynamic, 256)
    for (int64_t s = 0; s < plan->slices; s++) {
        const int lanes = 1 << plan->slice[s].shift;
        int64_t fresh = 0, old = 0;
        for (int r = 0; r < rows_of(plan, s); r++) {
            const struct item *item = item_at(build, plan, s, r);
            if (!item) continue;
            const int64_t count = terms_of(build, item, build->local_from[s], false, NULL);
            if (count > fresh) fresh = count;
            if (old_count(item) > old) old = old_count(item);
        }
        plan->fresh.ptr[s + 1] = (int32_t)((fresh + lanes - 1) / lanes);
        if (plan->old.ptr) plan->old.ptr[s + 1] = (int32_t)((old + lanes - 1) / lanes);
    }
}

/* Turn lengths into offsets. False if they exceed 31 bits. */
static bool add_up(int32_t *ptr, int64_t slices)
{
    int64_t sum = 0;
    for (int64_t s = 1; s <= slices; s++) {
        sum += ptr[s];
        if (sum > INT32_MAX) return false;
        ptr[s] = (int32_t)sum;
    }
    return true;
}

static enum status allocate(struct triplan_entries *entries, int64_t slices, struct error *error)
{
    if (!add_up(entries->ptr, slices))
        return error_set(error, STATUS_UNAVAILABLE, "the triangle has too many entries for 32-bit offsets");
    const size_t count = (size_t)entries->ptr[slices] * 32;
    entries->col = memory_array(count, sizeof *entries->col, error);
    entries->val = memory_array(count, sizeof *entries->val, error);
    return entries->col && entries->val ? STATUS_OK : STATUS_MEMORY;
}

/* Return the index in the arrays of entries of term k of row r of a slice. */
static int64_t at(const struct triplan *plan, const int32_t *ptr, int64_t slice, int r, int64_t k)
{
    const int shift = plan->slice[slice].shift;
    return 32 * (ptr[slice] + (k >> shift)) + ((int64_t)r << shift) + (k & ((1 << shift) - 1));
}

static void fill_fresh(const struct build *build, struct triplan *plan, int64_t slice, struct term *terms)
{
    struct triplan_entries *fresh = &plan->fresh;
    for (int64_t k = 32 * (int64_t)fresh->ptr[slice]; k < 32 * (int64_t)fresh->ptr[slice + 1]; k++) {
        fresh->col[k] = 0;
        fresh->val[k] = 0;
    }
    for (int r = 0; r < rows_of(plan, slice); r++) {
        const struct item *item = item_at(build, plan, slice, r);
        if (!item) continue;
        const int64_t count = terms_of(build, item, build->local_from[slice], false, terms);
        sort_terms(terms, count);
        for (int64_t k = 0; k < count; k++) {
            const int64_t to = at(plan, fresh->ptr, slice, r, k);
            fresh->col[to] = terms[k].old ? ~terms[k].place : terms[k].place;
            fresh->val[to] = terms[k].factor;
        }
    }
}

static void fill_old(const struct build *build, struct triplan *plan, int64_t slice)
{
    struct triplan_entries *old = &plan->old;
    for (int64_t k = 32 * (int64_t)old->ptr[slice]; k < 32 * (int64_t)old->ptr[slice + 1]; k++) {
        old->col[k] = -1;
        old->val[k] = 0;
    }
    for (int r = 0; r < rows_of(plan, slice); r++) {
        const struct item *item = item_at(build, plan, slice, r);
        for (int64_t k = 0; item && k < old_count(item); k++) {
            const int64_t to = at(plan, old->ptr, slice, r, k);
            old->col[to] = build->other->col[item->old.first + k];
            old->val[to] = build->other->val[item->old.first + k];
        }
    }
}

/* Fill in the row, the diagonal and its inverse for each place of a slice. */
static void fill_places(const struct build *build, struct triplan *plan, int64_t slice)
{
    const struct trisolve_parts *parts = build->parts;
    for (int r = 0; r < rows_of(plan, slice); r++) {
        const int64_t p = plan->slice[slice].place + r;
        const int32_t k = build->item[p];
        const bool row = k >= 0 && k < parts->rows;
        plan->row[p] = row ? k : k < 0 ? TRIPLAN_PADDING : TRIPLAN_PIECE;
        plan->inverse[p] = row ? parts->inverse[k] : -1;
        if (plan->diagonal) plan->diagonal[p] = row ? parts->diagonal[k] : 0;
    }
}

static void fill_segment(const struct build *build, struct triplan *plan,
                         const struct triplan_segment *segment, struct term *terms)
{
    const int64_t first = segment->place;
    uint16_t *start = plan->start + segment->first_start, *col = plan->own_col + segment->first_entry;
    double *val = plan->own_val + segment->first_entry;
    int64_t to = 0;
    for (int32_t r = 0; r < segment->rows; r++) {
        const int64_t count = terms_of(build, &build->items[build->item[first + r]],
                                       build->local_from[segment->slice], true, terms);
        start[r] = (uint16_t)to;
        sort_terms(terms, count);
        for (int64_t k = 0; k < count; k++, to++) {
            col[to] = (uint16_t)(terms[k].place - first);
            val[to] = terms[k].factor;
        }
    }
    start[segment->rows] = (uint16_t)to;
}

static enum status make_arrays(const struct build *build, struct triplan *plan, struct error *error)
{
    const size_t places = (size_t)plan->places, slices = (size_t)plan->slices;
    plan->row = memory_array(places, sizeof *plan->row, error);
    plan->inverse = memory_array(places, sizeof *plan->inverse, error);
    plan->fresh.ptr = memory_zeroed(slices + 1, sizeof *plan->fresh.ptr, error);
    plan->start = memory_array((size_t)plan->starts, sizeof *plan->start, error);
    plan->own_col = memory_array((size_t)plan->own_entries, sizeof *plan->own_col, error);
    plan->own_val = memory_array((size_t)plan->own_entries, sizeof *plan->own_val, error);
    if (!plan->row || !plan->inverse || !plan->fresh.ptr || !plan->start || !plan->own_col || !plan->own_val)
        return STATUS_MEMORY;
    if (!build->options->both) return STATUS_OK;
    plan->diagonal = memory_array(places, sizeof *plan->diagonal, error);
    plan->old.ptr = memory_zeroed(slices + 1, sizeof *plan->old.ptr, error);
    return plan->diagonal && plan->old.ptr ? STATUS_OK : STATUS_MEMORY;
}

enum status build_entries(struct build *build, struct triplan *plan, struct progress *progress,
                          struct error *error)
{
    bool failed = false;
    enum status status = make_arrays(build, plan, error);
    if (status == STATUS_OK) {
        count_steps(build, plan);
        status = allocate(&plan->fresh, plan->slices, error);
    }
    for (int64_t s = 0; s < plan->slices && status == STATUS_OK; s++) {
        plan->slice[s].begin = plan->fresh.ptr[s];
        plan->slice[s].end = plan->fresh.ptr[s + 1];
    }
    if (status == STATUS_OK && plan->old.ptr) status = allocate(&plan->old, plan->slices, error);
    if (status != STATUS_OK) return status;
#pragma omp parallel reduction(|| : failed)
    {
        /* new terms of a row, and the pieces of its old terms */
        struct term *terms = memory_array((size_t)2 * TRIPLAN_STEPS * 32, sizeof *terms, NULL);
        failed = !terms;
#pragma omp for schedule(dynamic, 64)
        for (int64_t s = 0; s < plan->slices; s++) {
            if (failed || progress_cancelled(progress)) continue;
            fill_places(build, plan, s);
            fill_fresh(build, plan, s, terms);
            if (plan->old.ptr) fill_old(build, plan, s);
        }
#pragma omp for schedule(dynamic, 1)
        for (int64_t g = 0; g < plan->segment_count; g++)
            if (!failed && !progress_cancelled(progress))
                fill_segment(build, plan, &plan->segments[g], terms);
        free(terms);
    }
    if (failed) return error_set(error, STATUS_MEMORY, "out of memory");
    return progress_status(progress, error);
}
