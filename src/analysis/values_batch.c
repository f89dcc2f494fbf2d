#include "analysis/values_batch.h"

#include <float.h>
#include <math.h>

#include "base/wide.h"

/* Ranges that are looked for side by side, which the compiler puts into wide registers. */
#define LANES 8

struct range {
    double min[LANES], max[LANES], least[LANES]; /* least: the smallest size but 0 */
    int64_t positive[LANES], negative[LANES], strange[LANES];
};

static inline void look_at(double value, int l, struct range *range)
{
    double size = fabs(value), kept = size == 0 ? INFINITY : size;
    range->min[l] = value < range->min[l] ? value : range->min[l];
    range->max[l] = value > range->max[l] ? value : range->max[l];
    range->least[l] = kept < range->least[l] ? kept : range->least[l];
    range->positive[l] += value > 0;
    range->negative[l] += value < 0;
    range->strange[l] += !(size <= DBL_MAX);
}

WIDE static void look(const double *val, int64_t count, struct range *range)
{
    struct range lanes;
    int64_t k = 0;
    for (int l = 0; l < LANES; l++) {
        lanes.min[l] = lanes.least[l] = INFINITY;
        lanes.max[l] = -INFINITY;
        lanes.positive[l] = lanes.negative[l] = lanes.strange[l] = 0;
    }
    for (; k + LANES <= count; k += LANES)
        for (int l = 0; l < LANES; l++)
            look_at(val[k + l], l, &lanes);
    for (; k < count; k++)
        look_at(val[k], 0, &lanes);
    *range = lanes;
}

/* Add what was found to the part; it has no value that is not finite. */
static void add_range(const struct range *range, int64_t count, struct values_part *part)
{
    struct values *v = &part->values;
    part->finite += count;
    for (int l = 0; l < LANES; l++) {
        v->positive += range->positive[l];
        v->negative += range->negative[l];
        v->min = fmin(v->min, range->min[l]);
        v->max = fmax(v->max, range->max[l]);
        v->min_abs = fmin(v->min_abs, range->least[l]);
        if (range->min[l] > range->max[l]) continue; /* it has no value */
        v->max_abs = fmax(v->max_abs, fmax(fabs(range->min[l]), fabs(range->max[l])));
    }
}

static inline uint64_t size_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & INT64_MAX;
}

static inline double size_of(uint64_t bits)
{
    double size;
    memcpy(&size, &bits, sizeof size);
    return size;
}

/* How many sizes are that of the value before them. */
WIDE static int64_t repeats_of(const double *val, int64_t count)
{
    int64_t repeats = 0;
    for (int64_t k = 1; k < count; k++)
        repeats += fabs(val[k]) == fabs(val[k - 1]);
    return repeats;
}

/* Take sizes that often repeat the one before: each once, with how often it comes. */
static void take_repeated(const struct powers *powers, const double *val, int64_t count,
                          struct values_part *part)
{
    for (int64_t k = 0, end; k < count; k = end) {
        uint64_t bits = size_bits(val[k]);
        end = k + 1;
        while (end < count && size_bits(val[end]) == bits)
            end++;
        if (bits == 0) continue;
        part->values.decades[decade_of(powers, size_of(bits))] += end - k;
        exact_add_times(&part->sums, size_of(bits), (uint64_t)(end - k));
    }
}

static void take_each(const struct powers *powers, const double *val, int64_t count, struct values_part *part)
{
    for (int64_t k = 0; k < count; k++) {
        double size = fabs(val[k]);
        if (size == 0) continue;
        part->values.decades[decade_of(powers, size)]++;
        exact_add(&part->sums, size);
    }
}

bool values_take_batch(const struct powers *powers, const double *val, int64_t count,
                       struct values_part *part)
{
    struct range range;
    int64_t strange = 0;
    look(val, count, &range);
    for (int l = 0; l < LANES; l++)
        strange += range.strange[l];
    if (strange > 0) return false;
    add_range(&range, count, part);
    if (2 * repeats_of(val, count) > count)
        take_repeated(powers, val, count, part);
    else
        take_each(powers, val, count, part);
    return true;
}
