#include "analysis/forecast/reuse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

#define LOOKED_AT 16384
#define LOOKED_AT_MIN 1024
#define ENTRIES_LOOKED_AT 1e6 /* approximate number of entries to examine for y by columns */
#define PARTS 8               /* number of parts of the scan, for any number of threads */
#define LOOK 1048576          /* entries between two checks for cancellation */

double reuse_bin_start(int bin)
{
    if (bin < 8) return bin;
    if (bin < 8 * 60) return (double)((int64_t)(8 + bin % 8) << (bin / 8 - 1));
    return ldexp(8 + bin % 8, bin / 8 - 1);
}

void reuse_note_edges(struct reuse *reuse, int64_t first, int64_t last)
{
    reuse->granules++;
    reuse->edge[reuse_bin(first)]++;
    reuse->edge[reuse_bin((int64_t)reuse->ticks - last)]++;
    reuse->round[reuse_bin((int64_t)reuse->ticks - last + first)]++;
}

double reuse_longer(const int64_t bins[REUSE_BINS], double t)
{
    double sum = 0;
    for (int b = REUSE_BINS - 2; b >= 0; b--) {
        if (bins[b] == 0) continue;
        double start = reuse_bin_start(b), end = reuse_bin_start(b + 1);
        if (end <= t) break;
        sum += (double)bins[b] * (start >= t ? 1 : (end - t) / (end - start));
    }
    return sum;
}

double reuse_within(const int64_t bins[REUSE_BINS], double t)
{
    double sum = 0;
    for (int b = 0; b < REUSE_BINS - 1; b++) {
        if (bins[b] == 0) continue; /* most bins are empty */
        double middle = (reuse_bin_start(b) + reuse_bin_start(b + 1) - (b < 8)) / 2;
        sum += (double)bins[b] * fmin(middle, t);
    }
    return sum;
}

static double beyond(const int64_t bins[REUSE_BINS], double t)
{
    return reuse_within(bins, INFINITY) - reuse_within(bins, t);
}

double reuse_footprint(const struct reuse *reuse, double t)
{
    double all = (double)reuse->granules, out = 0;
    if (t < reuse->ticks) out = (beyond(reuse->gap, t) + beyond(reuse->edge, t)) / (reuse->ticks - t);
    return fmax(0, all - out) * reuse->scale * REUSE_GRANULE;
}

double reuse_first(const struct reuse *reuse)
{
    return (double)reuse->granules * reuse->scale * REUSE_GRANULE;
}

double reuse_again(const struct reuse *reuse, double t)
{
    return reuse_longer(reuse->gap, t) * reuse->scale * REUSE_GRANULE;
}

double reuse_round(const struct reuse *reuse, double t)
{
    return reuse_longer(reuse->round, t) * reuse->scale * REUSE_GRANULE;
}

/* The choice of granules: one of each 2^bits neighbours. Group g has granule (g << bits) + of(g). A
 * multiplicative hash draws `of`. */
struct choice {
    int bits;
    uint64_t seed;
    int64_t groups;
};

static struct choice choose(int64_t granules, int64_t most, uint64_t seed)
{
    struct choice choice = {.seed = seed * UINT64_C(0xBF58476D1CE4E5B9)};
    while (granules >> choice.bits > most)
        choice.bits++;
    choice.groups = ((granules - 1) >> choice.bits) + 1;
    return choice;
}

static inline int64_t chosen_of(const struct choice *choice, int64_t group)
{
    uint64_t hash = ((uint64_t)group + choice->seed) * UINT64_C(0x9E3779B97F4A7C15);
    return (int64_t)(hash >> 40 & (((uint64_t)1 << choice->bits) - 1));
}

/* The first and last touch of each group's granule in a part of the scan; first is -1 if there is none. */
struct touched {
    int64_t first, last;
};

struct part {
    struct touched *touched;
    struct reuse reuse;
};

/* The shift from an element's index to its granule's index. */
static int granule_bits(int size)
{
    return __builtin_ctz((unsigned)(REUSE_GRANULE / size));
}

static void touch(struct part *part, int64_t group, int64_t tick)
{
    struct touched *touched = &part->touched[group];
    part->reuse.touches++;
    if (touched->first < 0)
        touched->first = tick;
    else
        part->reuse.gap[reuse_bin(tick - touched->last)]++;
    touched->last = tick;
}

/* Scan the entries of rows order[from] .. order[to - 1]. The first entry has tick `tick`. */
static void scan(const struct touches *touches, const int32_t *order, int64_t from, int64_t to, int64_t tick,
                 int shift, const struct choice *choice, struct part *part, struct progress *progress)
{
    const struct csr *a = touches->a;
    const bool all = touches->row_ptr == a->row_ptr;
    const int64_t mask = ((int64_t)1 << choice->bits) - 1;
    int64_t next = tick + LOOK;
    for (int64_t r = from; r < to; r++) {
        const int64_t i = order ? order[r] : r;
        if (tick > next) {
            if (progress_cancelled(progress)) return;
            next = tick + LOOK;
        }
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            const int64_t granule = a->col[k] >> shift, group = granule >> choice->bits;
            const int64_t at = all ? tick + k - a->row_ptr[i] : tick;
            if ((granule & mask) == chosen_of(choice, group)) touch(part, group, at);
        }
        tick += touches->row_ptr[i + 1] - touches->row_ptr[i];
    }
}

/* Join the parts: add the gap from the last touch in earlier parts to the first in this one. */
static void join(struct part *parts, int64_t groups, struct reuse *reuse)
{
    for (int p = 0; p < PARTS; p++) {
        for (int b = 0; b < REUSE_BINS; b++)
            reuse->gap[b] += parts[p].reuse.gap[b];
        reuse->touches += parts[p].reuse.touches;
    }
    for (int64_t g = 0; g < groups; g++) {
        struct touched all = {-1, -1};
        for (int p = 0; p < PARTS; p++) {
            const struct touched *some = &parts[p].touched[g];
            if (some->first < 0) continue;
            if (all.first < 0)
                all.first = some->first;
            else
                reuse->gap[reuse_bin(some->first - all.last)]++;
            all.last = some->last;
        }
        if (all.first >= 0) reuse_note_edges(reuse, all.first, all.last);
    }
}

/* Return the tick of the first entry of row order[r]. */
static int64_t tick_of(const int64_t *row_ptr, const int32_t *order, int64_t r, int64_t from, int64_t tick)
{
    if (!order) return row_ptr[r];
    for (int64_t q = from; q < r; q++)
        tick += row_ptr[order[q] + 1] - row_ptr[order[q]];
    return tick;
}

enum status reuse_of_x(const struct touches *touches, const int32_t *order, int size, uint64_t seed,
                       struct reuse *reuse, struct progress *progress, struct error *error)
{
    const struct csr *a = touches->a;
    const int64_t *row_ptr = touches->row_ptr;
    const int shift = granule_bits(size);
    struct part parts[PARTS] = {{0}};
    int64_t start[PARTS + 1] = {0}, tick[PARTS + 1] = {0};
    enum status status = STATUS_OK;
    *reuse = (struct reuse){.ticks = (double)row_ptr[a->rows], .scale = 1};
    if (csr_nnz(a) == 0) return STATUS_OK;
    const struct choice choice = choose(((a->cols - 1) >> shift) + 1, LOOKED_AT, seed);
    reuse->scale = (double)((int64_t)1 << choice.bits) * touches->scale;
    for (int p = 1; p <= PARTS; p++) {
        start[p] = a->rows * p / PARTS;
        tick[p] = tick_of(row_ptr, order, start[p], start[p - 1], tick[p - 1]);
    }
    for (int p = 0; p < PARTS && status == STATUS_OK; p++) {
        parts[p].touched = memory_array((size_t)choice.groups, sizeof *parts[p].touched, error);
        if (!parts[p].touched) status = STATUS_MEMORY;
    }
    if (status != STATUS_OK) goto out;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_count())
    for (int p = 0; p < PARTS; p++) {
        for (int64_t g = 0; g < choice.groups; g++)
            parts[p].touched[g] = (struct touched){-1, -1};
        scan(touches, order, start[p], start[p + 1], tick[p], shift, &choice, &parts[p], progress);
    }
    status = progress_status(progress, error);
    if (status == STATUS_OK) join(parts, choice.groups, reuse);
out:
    for (int p = 0; p < PARTS; p++)
        free(parts[p].touched);
    return status;
}

enum status reuse_of_y(const struct csr *a, const int32_t *order, int size, struct reuse *reuse,
                       struct error *error)
{
    const int shift = granule_bits(size);
    const int64_t granules = a->rows > 0 ? ((a->rows - 1) >> shift) + 1 : 0;
    struct part part = {.touched = memory_array((size_t)granules, sizeof *part.touched, error)};
    if (!part.touched) return STATUS_MEMORY;
    for (int64_t g = 0; g < granules; g++)
        part.touched[g] = (struct touched){-1, -1};
    for (int64_t r = 0; r < a->rows; r++)
        touch(&part, order[r] >> shift, r);
    *reuse = part.reuse;
    reuse->ticks = (double)a->rows;
    reuse->scale = 1;
    for (int64_t g = 0; g < granules; g++)
        if (part.touched[g].first >= 0) reuse_note_edges(reuse, part.touched[g].first, part.touched[g].last);
    free(part.touched);
    return STATUS_OK;
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Record the touches of the granule of rows first .. end - 1. */
static bool touch_columns(const struct csr *a, int64_t first, int64_t end, int32_t **column, size_t *room,
                          struct reuse *reuse, struct error *error)
{
    const size_t count = (size_t)(a->row_ptr[end] - a->row_ptr[first]);
    if (count == 0) return true;
    if (count > *room) {
        int32_t *wider = memory_resize(*column, 2 * count, sizeof **column, error);
        if (!wider) return false;
        *column = wider;
        *room = 2 * count;
    }
    memcpy(*column, a->col + a->row_ptr[first], count * sizeof **column);
    qsort(*column, count, sizeof **column, ascending);
    for (size_t k = 1; k < count; k++)
        reuse->gap[reuse_bin((*column)[k] - (*column)[k - 1])]++;
    reuse->touches += (int64_t)count;
    reuse_note_edges(reuse, (*column)[0], (*column)[count - 1]);
    return true;
}

enum status reuse_of_y_by_columns(const struct csr *a, int size, uint64_t seed, struct reuse *reuse,
                                  struct error *error)
{
    const int shift = granule_bits(size);
    int32_t *column = NULL;
    size_t room = 0;
    bool held = true;
    *reuse = (struct reuse){.ticks = (double)a->cols, .scale = 1};
    if (a->rows == 0) return STATUS_OK;
    const int64_t granules = ((a->rows - 1) >> shift) + 1;
    const double most = (double)granules * ENTRIES_LOOKED_AT / fmax(1, (double)csr_nnz(a));
    const struct choice choice = choose(granules, (int64_t)fmin(fmax(most, LOOKED_AT_MIN), LOOKED_AT), seed);
    reuse->scale = (double)((int64_t)1 << choice.bits);
    for (int64_t g = 0; g < choice.groups && held; g++) {
        const int64_t first = ((g << choice.bits) + chosen_of(&choice, g)) << shift;
        if (first < a->rows)
            held = touch_columns(a, first, min(first + ((int64_t)1 << shift), a->rows), &column, &room, reuse,
                                 error);
    }
    free(column);
    return held ? STATUS_OK : STATUS_MEMORY;
}
