#include "analysis/values_batch.h"

#include <math.h>

#include "analysis/exact.h"
#include "base/wide.h"

#define SIGN INT64_MIN
#define INFINITE ((int64_t)2047 << 52)

/* Properties of values, found from their bits as integers: the order of sizes is that of these integers, and
 * the sign is the sign bit. The compiler vectorises integer comparisons. */
struct range {
    int64_t least;      /* the smallest size above 0; 0 if all are 0 */
    int64_t most_above; /* the largest size of positive values; 0 or less if there are none */
    int64_t most_below; /* the largest size of negative values; 0 or less if there are none */
    int64_t positive, negative;
};

static inline int64_t bits_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double value_of(int64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

WIDE static void look(const double *val, int64_t count, struct range *range)
{
    uint64_t before_least = UINT64_MAX; /* 1 less than the smallest size, so that 0 is the largest */
    int64_t most_above = SIGN, most_below = SIGN, positive = 0, negative = 0;
    for (int64_t k = 0; k < count; k++) {
        int64_t above = bits_of(val[k]), below = above ^ SIGN;
        uint64_t before = (uint64_t)(above & ~SIGN) - 1;
        before_least = before < before_least ? before : before_least;
        most_above = above > most_above ? above : most_above;
        most_below = below > most_below ? below : most_below;
        positive += above > 0;
        negative += below > 0;
    }
    *range = (struct range){(int64_t)(before_least + 1), most_above, most_below, positive, negative};
}

/* Return the largest size; 0 if all sizes are 0. */
static double most_of(const struct range *range)
{
    int64_t most = range->most_above > range->most_below ? range->most_above : range->most_below;
    return most > 0 ? value_of(most) : 0;
}

/* Add the range of values, all finite, to the part. */
static void add_range(const struct range *range, int64_t count, struct values_part *part)
{
    struct values *v = &part->values;
    double least = range->least > 0 ? value_of(range->least) : INFINITY;
    bool zeros = range->positive + range->negative < count;
    part->finite += count;
    v->positive += range->positive;
    v->negative += range->negative;
    if (range->negative > 0)
        v->min = fmin(v->min, -value_of(range->most_below));
    else
        v->min = fmin(v->min, zeros ? 0 : least);
    if (range->positive > 0)
        v->max = fmax(v->max, value_of(range->most_above));
    else
        v->max = fmax(v->max, zeros ? 0 : -least);
    v->min_abs = fmin(v->min_abs, least);
    v->max_abs = fmax(v->max_abs, most_of(range));
}

/* The number of sizes equal to that of the value before. `next` is `val` + 1, passed separately: the compiler
 * vectorises the loop only if it does not know that. */
WIDE static int64_t repeats_of(const double *val, const double *next, int64_t count)
{
    int64_t repeats = 0;
    for (int64_t k = 0; k < count; k++)
        repeats += fabs(next[k]) == fabs(val[k]);
    return repeats;
}

_Static_assert(VALUES_BATCH <= EXACT_BATCH, "what is looked at together is added together");

/* Take sizes that often repeat the one before: each run once, with its length. */
static void take_repeated(const struct powers *powers, const double *val, int64_t count,
                          struct values_part *part)
{
    for (int64_t k = 0, end; k < count; k = end) {
        int64_t bits = bits_of(val[k]) & ~SIGN;
        end = k + 1;
        while (end < count && (bits_of(val[end]) & ~SIGN) == bits)
            end++;
        if (bits == 0) continue;
        part->values.decades[decade_of(powers, value_of(bits))] += end - k;
        exact_add_times(&part->sums, value_of(bits), (uint64_t)(end - k));
    }
}

/* The number of sizes that are at least `least`. */
WIDE static int64_t count_from(const double *val, int64_t count, double power)
{
    int64_t found = 0;
    for (int64_t k = 0; k < count; k++)
        found += fabs(val[k]) >= power;
    return found;
}

/* Count the decades of `count` values, of which `others` are not 0, from the first decade to the last. */
static void count_decades(const struct powers *powers, const double *val, int64_t count, int64_t others,
                          int first, int last, struct values_part *part)
{
    for (int d = first; d <= last; d++) {
        int64_t above = d < last ? count_from(val, count, powers->power[d + 1]) : 0;
        part->values.decades[d] += others - above;
        others = above;
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

/* Take all sizes in one batch if they differ little. */
static void take_together(const struct powers *powers, const double *val, int64_t count,
                          const struct range *range, struct values_part *part)
{
    int64_t others = range->positive + range->negative;
    double least = value_of(range->least), most = most_of(range);
    if (others == 0) return;
    if (!exact_add_batch(&part->sums, val, count, least, most)) {
        take_each(powers, val, count, part);
        return;
    }
    count_decades(powers, val, count, others, decade_of(powers, least), decade_of(powers, most), part);
}

bool values_take_batch(const struct powers *powers, const double *val, int64_t count,
                       struct values_part *part)
{
    struct range range;
    look(val, count, &range);
    if (range.most_above >= INFINITE || range.most_below >= INFINITE) return false;
    add_range(&range, count, part);
    if (2 * repeats_of(val, val + 1, count - 1) > count)
        take_repeated(powers, val, count, part);
    else
        take_together(powers, val, count, &range, part);
    return true;
}
