#include "analysis/spgemm_sample.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "matrix/generators/hash.h"

/* Number of rows between two checks of the progress. */
#define STEP 4096

/* The cost of a row of C, and that of each row of `right` that it reads, in multiplications, which take 1 to
 * 3 ns. Measured: reading a row of `right`, anywhere in memory, takes 24 to 210 ns. */
#define ROW_COST 16
#define ENTRY_COST 32

/* Steps of the bisection for the factor of proportionality. */
#define HALVINGS 200

/* The rows of a class. */
struct row_class {
    int64_t count;
    double work;    /* sum of their multiplications, */
    double entries; /* and sum of their entries in `left` */
    int64_t next;   /* position of the next row of the class, while rows are sorted */
};

struct drawing {
    const struct row_product *product;
    int64_t budget;
    uint64_t seed;
    struct row_class of[SPGEMM_CLASSES];
    int group_of[SPGEMM_CLASSES];
    double share; /* the factor of proportionality of spgemm_sample_draw */
    int32_t *order;
};

/* Return the class of a number of multiplications. From 8 on it consists of the binary exponent and the three
 * bits after the leading one. It is below 61 * 8. */
static int class_of(int64_t work)
{
    if (work < 8) return (int)work;
    int exponent = 63 - __builtin_clzll((unsigned long long)work);
    return (exponent - 2) * 8 + (int)(work >> (exponent - 3) & 7);
}

static inline int64_t left_length(const struct row_product *product, int64_t i)
{
    return product->left.ptr[i + 1] - product->left.ptr[i];
}

static inline bool in_group(const struct row_product *product, int64_t i)
{
    return left_length(product, i) > 1 && product->work[i] > 0;
}

static void classify(struct drawing *d, struct progress *progress, struct spgemm_sample *sample)
{
    const struct row_product *product = d->product;
    for (int64_t i = 0; i < product->rows; i++) {
        if (i % STEP == 0 && progress_cancelled(progress)) return;
        int64_t work = product->work[i];
        if (in_group(product, i)) {
            struct row_class *class = &d->of[class_of(work)];
            class->count++;
            class->work += (double)work;
            class->entries += (double)left_length(product, i);
        } else {
            sample->known += work;
            sample->longest = max(sample->longest, work);
        }
    }
}

static double cost_of(const struct row_class *class)
{
    return ROW_COST + (class->work + ENTRY_COST * class->entries) / (double)class->count;
}

/* Return s / sqrt(w) (spgemm_sample_draw) for the means of a class. */
static double weight_of(const struct drawing *d, const struct row_class *class)
{
    double work = class->work / (double)class->count;
    return fmin(work, (double)d->product->cols) / sqrt(cost_of(class));
}

static double share_of_class(const struct drawing *d, const struct row_class *class, double share)
{
    return fmin(1, share * weight_of(d, class));
}

static double cost_at(const struct drawing *d, double share)
{
    double cost = 0;
    for (int c = 0; c < SPGEMM_CLASSES; c++)
        if (d->of[c].count)
            cost += share_of_class(d, &d->of[c], share) * (double)d->of[c].count * cost_of(&d->of[c]);
    return cost;
}

/* Find the factor for which the sample costs the budget. */
static void find_share(struct drawing *d)
{
    double low = 0, high = 0;
    for (int c = 0; c < SPGEMM_CLASSES; c++)
        if (d->of[c].count) high = fmax(high, 1 / weight_of(d, &d->of[c]));
    d->share = INFINITY;
    if (cost_at(d, d->share) <= (double)d->budget) return;
    for (int k = 0; k < HALVINGS; k++) {
        d->share = low + (high - low) / 2;
        if (cost_at(d, d->share) > (double)d->budget)
            high = d->share;
        else
            low = d->share;
    }
    d->share = low;
}

/* Close the open group. It is cut into strata, at least one, that give about this number of drawn rows. If
 * they would give all rows, there are no strata, and all rows are drawn. */
static void close_group(struct spgemm_sample *sample, double drawn)
{
    struct spgemm_group *group = &sample->group[sample->groups++];
    group->strata = (int64_t)fmax(1, floor(drawn / 2));
    if (2 * group->strata >= group->count) group->strata = 0;
    sample->count += group->strata ? 2 * group->strata : group->count;
}

/* Make groups of classes, beginning with the most multiplications. If fewer than two rows would be drawn from
 * a class, it shares its group with the next class, unless that is drawn as a whole. */
static void make_groups(struct drawing *d, struct spgemm_sample *sample)
{
    int64_t position = 0;
    double drawn = 0;
    for (int c = SPGEMM_CLASSES - 1; c >= 0; c--) {
        struct row_class *class = &d->of[c];
        if (!class->count) continue;
        double share = share_of_class(d, class, d->share);
        struct spgemm_group *group = &sample->group[sample->groups];
        if (share >= 1 && group->count) {
            close_group(sample, drawn);
            group++;
        }
        if (!group->count) {
            group->first = position;
            drawn = 0;
        }
        class->next = position;
        d->group_of[c] = sample->groups;
        group->count += class->count;
        position += class->count;
        drawn += share * (double)class->count;
        if (share >= 1 || drawn >= 2) close_group(sample, share >= 1 ? 2 * (double)group->count : drawn);
    }
    if (sample->group[sample->groups].count) close_group(sample, drawn);
}

static void sort_rows(struct drawing *d, struct progress *progress, struct spgemm_sample *sample)
{
    const struct row_product *product = d->product;
    for (int64_t i = 0; i < product->rows; i++) {
        if (i % STEP == 0 && progress_cancelled(progress)) return;
        if (!in_group(product, i)) continue;
        int c = class_of(product->work[i]);
        struct spgemm_group *group = &sample->group[d->group_of[c]];
        d->order[d->of[c].next++] = (int32_t)i;
        group->most = max(group->most, product->work[i]);
    }
}

/* Return the position of the first row of stratum b of a group: first + b count / strata, rounded down. */
static int64_t stratum_first(const struct spgemm_group *group, int64_t b)
{
    return group->first + (int64_t)((__int128)b * group->count / group->strata);
}

static void draw_group(const struct drawing *d, int g, const struct spgemm_sample *sample,
                       struct progress *progress, int32_t *out)
{
    const struct spgemm_group *group = &sample->group[g];
    const uint64_t key = hash_key(d->seed, HASH_PLACE, g);
    for (int64_t q = 0; group->strata == 0 && q < group->count; q++)
        out[q] = d->order[group->first + q];
    for (int64_t b = 0; b < group->strata; b++) {
        if (b % STEP == 0 && progress_cancelled(progress)) return;
        int64_t first = stratum_first(group, b), count = stratum_first(group, b + 1) - first;
        int64_t one = hash_below(hash_at(key, 2 * b), count);
        int64_t other = hash_below(hash_at(key, 2 * b + 1), count - 1);
        out[2 * b] = d->order[first + one];
        out[2 * b + 1] = d->order[first + other + (other >= one)];
    }
}

static int64_t drawn_from(const struct spgemm_group *group)
{
    return group->strata ? 2 * group->strata : group->count;
}

static enum status draw(struct drawing *d, struct progress *progress, struct spgemm_sample *sample,
                        struct error *error)
{
    classify(d, progress, sample);
    enum status status = progress_status(progress, error);
    if (status != STATUS_OK) return status;
    find_share(d);
    make_groups(d, sample);
    int64_t grouped = 0, place = 0;
    for (int g = 0; g < sample->groups; g++)
        grouped += sample->group[g].count;
    d->order = memory_array((size_t)grouped, sizeof *d->order, error);
    sample->rows = memory_array((size_t)sample->count, sizeof *sample->rows, error);
    if (!d->order || !sample->rows) return STATUS_MEMORY;
    sort_rows(d, progress, sample);
    for (int g = 0; g < sample->groups && !progress_cancelled(progress); g++) {
        draw_group(d, g, sample, progress, sample->rows + place);
        place += drawn_from(&sample->group[g]);
    }
    return progress_status(progress, error);
}

enum status spgemm_sample_draw(const struct row_product *product, int64_t budget, uint64_t seed,
                               struct progress *progress, struct spgemm_sample *sample, struct error *error)
{
    *sample = (struct spgemm_sample){0};
    struct drawing *d = memory_zeroed(1, sizeof *d, error);
    if (!d) return STATUS_MEMORY;
    d->product = product;
    d->budget = budget;
    d->seed = seed;
    enum status status = draw(d, progress, sample, error);
    if (status != STATUS_OK) spgemm_sample_free(sample);
    free(d->order);
    free(d);
    return status;
}

void spgemm_sample_estimate(const struct spgemm_sample *sample, const int32_t *lengths, double *estimate,
                            double *error)
{
    double sum = (double)sample->known, variance = 0;
    for (int g = 0; g < sample->groups; g++) {
        const struct spgemm_group *group = &sample->group[g];
        for (int64_t q = 0; group->strata == 0 && q < group->count; q++)
            sum += (double)lengths[q];
        for (int64_t b = 0; b < group->strata; b++) {
            double count = (double)(stratum_first(group, b + 1) - stratum_first(group, b));
            double one = (double)lengths[2 * b], other = (double)lengths[2 * b + 1];
            sum += count * (one + other) / 2;
            variance += count * (count - 2) * (one - other) * (one - other) / 4;
        }
        lengths += drawn_from(group);
    }
    *estimate = sum;
    *error = sqrt(variance);
}

size_t spgemm_sample_bytes(int64_t rows, int64_t budget)
{
    size_t drawn = (size_t)min(rows, budget / ROW_COST + 4);
    return ((size_t)rows + drawn) * sizeof(int32_t) + sizeof(struct drawing);
}

void spgemm_sample_free(struct spgemm_sample *sample)
{
    free(sample->rows);
    *sample = (struct spgemm_sample){0};
}
