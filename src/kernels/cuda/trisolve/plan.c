#include "kernels/cuda/trisolve/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "kernels/cuda/trisolve/build.h"

static enum status add_item(struct build *build, struct item item, struct error *error)
{
    if (build->count == build->room) {
        const int64_t room = build->room + build->room / 2 + 64;
        struct item *wider = memory_resize(build->items, (size_t)room, sizeof *wider, error);
        if (!wider) return STATUS_MEMORY;
        build->items = wider;
        build->room = room;
    }
    build->items[build->count++] = item;
    return STATUS_OK;
}

/* Return the level of an item: one more than the largest level of the items that its terms refer to, or 0
 * without such terms. */
static int32_t level_of(const struct build *build, const struct item *item)
{
    int32_t level = -1;
    const int64_t count = build_fresh_count(item);
    for (int64_t k = 0; k < count; k++) {
        int64_t from;
        double factor;
        build_fresh_term(build, item, k, &from, &factor);
        if (build->items[from].level > level) level = build->items[from].level;
    }
    return level + 1;
}

/* Return the maximum number of terms of a row that is not cut. */
static int32_t most_terms(const struct build *build)
{
    return TRIPLAN_STEPS * (build->options->lanes ? build->options->lanes : 32);
}

/* Cut terms into pieces of at most `most` terms. If there are more than `most` pieces, cut these in the same
 * way. */
static enum status cut(struct build *build, struct terms *terms, int32_t most, bool old, struct error *error)
{
    enum status status = STATUS_OK;
    while ((terms->count > most || !terms->pieces) && status == STATUS_OK) {
        const int64_t first = build->count;
        for (int32_t k = 0; k < terms->count && status == STATUS_OK; k += most) {
            const struct terms some = {terms->first + k, terms->count - k < most ? terms->count - k : most,
                                       terms->pieces};
            struct item item = {.fresh = some};
            if (old && !terms->pieces) item = (struct item){.old = some};
            item.level = level_of(build, &item);
            if (old && item.level >= build->old_levels) build->old_levels = item.level + 1;
            status = add_item(build, item, error);
        }
        *terms = (struct terms){first, (int32_t)(build->count - first), true};
    }
    return status;
}

/* An entry and the level of its column. */
struct levelled {
    int32_t level, col;
    double val;
};

static int by_level(const void *a, const void *b)
{
    const struct levelled *one = a, *other = b;
    if (one->level != other->level) return one->level < other->level ? -1 : 1;
    return (one->col > other->col) - (one->col < other->col);
}

/* Sort the entries of a cut row by the level of their columns. */
static enum status sort_row(struct build *build, int64_t i, struct error *error)
{
    const int64_t first = build->own->row_ptr[i], count = build->own->row_ptr[i + 1] - first;
    struct levelled *entries = memory_array((size_t)count, sizeof *entries, error);
    if (!entries) return STATUS_MEMORY;
    for (int64_t k = 0; k < count; k++) {
        const int32_t col = build->own->col[first + k];
        entries[k] = (struct levelled){build->items[col].level, col, build->own->val[first + k]};
    }
    qsort(entries, (size_t)count, sizeof *entries, by_level);
    for (int64_t k = 0; k < count; k++) {
        build->sorted.col[first + k] = entries[k].col;
        build->sorted.val[first + k] = entries[k].val;
    }
    free(entries);
    return STATUS_OK;
}

/* If any row must be cut, copy the triangle, because the entries of cut rows are sorted. */
static enum status copy_sorted(struct build *build, struct error *error)
{
    const struct trisolve_triangle *own = build->own;
    const int64_t rows = build->parts->rows;
    bool cuts = false;
    for (int64_t i = 0; i < rows && !cuts; i++)
        cuts = own->row_ptr[i + 1] - own->row_ptr[i] > most_terms(build);
    if (!cuts) return STATUS_OK;
    const size_t entries = (size_t)own->row_ptr[rows];
    build->sorted.row_ptr = own->row_ptr;
    build->sorted.col = memory_array(entries, sizeof *build->sorted.col, error);
    build->sorted.val = memory_array(entries, sizeof *build->sorted.val, error);
    if (!build->sorted.col || !build->sorted.val) return STATUS_MEMORY;
    memcpy(build->sorted.col, own->col, entries * sizeof *own->col);
    memcpy(build->sorted.val, own->val, entries * sizeof *own->val);
    build->own = &build->sorted;
    return STATUS_OK;
}

static struct terms terms_of_row(const struct trisolve_triangle *triangle, int64_t i)
{
    return (struct terms){triangle->row_ptr[i], (int32_t)(triangle->row_ptr[i + 1] - triangle->row_ptr[i]),
                          false};
}

/* A cut row keeps half of the maximum number of terms: those of the last levels, which it must await anyway.
 * All other terms become pieces, which are known earlier. */
static enum status cut_row(struct build *build, int64_t i, struct item *row, struct error *error)
{
    const int32_t half = most_terms(build) / 2, early = row->fresh.count - half;
    row->early = (struct terms){row->fresh.first, early, false};
    row->fresh = (struct terms){row->fresh.first + early, half, false};
    enum status status = sort_row(build, i, error);
    return status == STATUS_OK ? cut(build, &row->early, half, false, error) : status;
}

static enum status add_row(struct build *build, int64_t i, struct error *error)
{
    struct item row = {.fresh = terms_of_row(build->own, i)};
    const int32_t most = most_terms(build);
    enum status status = STATUS_OK;
    if (build->other) row.old = terms_of_row(build->other, i);
    if (row.fresh.count > most) status = cut_row(build, i, &row, error);
    if (status == STATUS_OK && row.old.count > most) status = cut(build, &row.old, most, true, error);
    if (status != STATUS_OK) return status;
    row.level = level_of(build, &row);
    build->items[i] = row;
    return STATUS_OK;
}

/* Sort the items by level: a counting sort. */
static enum status sort(struct build *build, struct error *error)
{
    for (int64_t k = 0; k < build->count; k++)
        if (build->items[k].level >= build->levels) build->levels = build->items[k].level + 1;
    build->level_ptr = memory_zeroed((size_t)build->levels + 2, sizeof *build->level_ptr, error);
    build->order = memory_array((size_t)build->count, sizeof *build->order, error);
    if (!build->level_ptr || !build->order) return STATUS_MEMORY;
    for (int64_t k = 0; k < build->count; k++)
        build->level_ptr[build->items[k].level + 2]++;
    for (int64_t l = 0; l < build->levels; l++)
        build->level_ptr[l + 2] += build->level_ptr[l + 1];
    for (int64_t k = 0; k < build->count; k++)
        build->order[build->level_ptr[build->items[k].level + 1]++] = (int32_t)k;
    return STATUS_OK;
}

int build_shift(const struct build *build, int64_t terms, int64_t each)
{
    int shift = 0;
    if (build->options->lanes) return __builtin_ctz((unsigned)build->options->lanes);
    while (shift < 5 && (each << shift) < terms)
        shift++;
    return shift;
}

enum status build_levels(struct build *build, struct progress *progress, struct error *error)
{
    const int64_t rows = build->parts->rows;
    enum status status = STATUS_OK;
    build->room = rows + rows / 8 + 64;
    build->items = memory_array((size_t)build->room, sizeof *build->items, error);
    if (!build->items) return STATUS_MEMORY;
    build->count = rows;
    status = copy_sorted(build, error);
    for (int64_t k = 0; k < rows && status == STATUS_OK; k++) {
        const int64_t i = build->options->triangle == TRIANGLE_UPPER ? rows - 1 - k : k;
        if (k % 65536 == 0) status = progress_status(progress, error);
        if (status == STATUS_OK) status = add_row(build, i, error);
    }
    if (status == STATUS_OK && build->count > INT32_MAX / 2)
        status = error_set(error, STATUS_UNAVAILABLE, "the matrix has too many rows for 32-bit numbers");
    return status == STATUS_OK ? sort(build, error) : status;
}

enum status triplan_make(const struct trisolve_parts *parts, const struct triplan_options *options,
                         struct progress *progress, struct triplan *plan, struct error *error)
{
    const enum triangle other = options->triangle == TRIANGLE_LOWER ? TRIANGLE_UPPER : TRIANGLE_LOWER;
    struct build build = {.parts = parts, .options = options, .own = &parts->triangle[options->triangle]};
    if (options->both) build.other = &parts->triangle[other];
    *plan = (struct triplan){.threads = options->threads, .rows = parts->rows};
    enum status status = build_levels(&build, progress, error);
    if (status == STATUS_OK) status = build_phases(&build, plan, error);
    if (status == STATUS_OK) status = build_entries(&build, plan, progress, error);
    free(build.items);
    free(build.sorted.col);
    free(build.sorted.val);
    free(build.level_ptr);
    free(build.order);
    free(build.place);
    free(build.item);
    free(build.local_from);
    if (status != STATUS_OK) triplan_free(plan);
    return status;
}

static void entries_free(struct triplan_entries *entries)
{
    free(entries->ptr);
    free(entries->col);
    free(entries->val);
}

void triplan_free(struct triplan *plan)
{
    free(plan->slice);
    free(plan->row);
    free(plan->inverse);
    free(plan->diagonal);
    entries_free(&plan->fresh);
    entries_free(&plan->old);
    free(plan->phases);
    free(plan->level_slice);
    free(plan->segments);
    free(plan->start);
    free(plan->level);
    free(plan->own_col);
    free(plan->own_val);
    *plan = (struct triplan){0};
}

void triplan_forget(struct triplan *plan)
{
    plan->slice = NULL;
    plan->row = NULL;
    plan->inverse = plan->diagonal = plan->own_val = NULL;
    plan->fresh = plan->old = (struct triplan_entries){0};
    plan->phases = NULL;
    plan->level_slice = NULL;
    plan->segments = NULL;
    plan->start = plan->level = plan->own_col = NULL;
}
