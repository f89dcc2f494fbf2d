#include "drawing/bins.h"

#include <math.h>

#include "drawing/viewport.h"

/* Bins grow geometrically if 99% of the lines lie within this share of the range of lengths, since bins of
 * equal width would show little more than one bar. */
#define SKEWED (1. / 8)

static int equal_bins(struct bin *bins, int limit, int64_t min, int64_t max, int64_t width)
{
    int count = 0;
    for (int64_t from = width > 1 ? min / width * width : min; from <= max && count < limit; from += width)
        bins[count++] = (struct bin){.from = from, .to = from + width - 1};
    return count;
}

/* Each bin ends just before `ratio` times its beginning, but has at least one length. With `left` bins from
 * `from` to max + 1, ratio^left = (max + 1) / from. */
static int growing_bins(struct bin *bins, int limit, int64_t min, int64_t max)
{
    int count = 0;
    int64_t from = min;
    if (from == 0) bins[count++] = (struct bin){.from = 0, .to = 0}, from = 1;
    while (from <= max && count < limit) {
        double ratio = pow((double)(max + 1) / (double)from, 1. / (limit - count));
        int64_t to = (int64_t)ceil((double)from * ratio) - 1;
        if (to < from) to = from;
        if (to > max) to = max;
        bins[count++] = (struct bin){.from = from, .to = to};
        from = to + 1;
    }
    return count;
}

int bins_make(const struct lengths *lengths, struct bin *bins, int limit, bool *geometric)
{
    *geometric = false;
    if (!lengths->lines || limit < 2) return 0;
    int64_t min = lengths->min, max = lengths->max, span = max - min + 1;
    *geometric = span > limit && lengths->p99 - (double)min < SKEWED * (double)(max - min);
    /* The first bin may begin before the minimum, so one bin less must cover the range. */
    int64_t width = span <= limit ? 1 : axis_nice((double)span / (limit - 1));
    int count = *geometric ? growing_bins(bins, limit, min, max) : equal_bins(bins, limit, min, max, width);
    int at = 0;
    for (int64_t k = 0; k < lengths->bins; k++) {
        const struct length_count *one = &lengths->histogram[k];
        while (at < count - 1 && one->length > bins[at].to)
            at++;
        bins[at].lines += one->count;
        bins[at].entries += one->count * one->length;
    }
    return count;
}

int bins_find(const struct bin *bins, int count, int64_t length)
{
    int at = 0;
    while (at < count - 1 && length > bins[at].to)
        at++;
    return at;
}
