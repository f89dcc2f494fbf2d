#include "report/ranges.h"

#include <stdio.h>

#include "base/text.h"

#define RANGES 16 /* maximum of ranges of equal width, and of lengths with a range each */

/* The smallest width of 1, 2, 5, 10, 20, ... for which at most RANGES ranges, which begin at its multiples,
 * cover min .. max. */
static int64_t range_width(int64_t min, int64_t max)
{
    static const int64_t steps[] = {1, 2, 5};
    int64_t width = 1, power = 1;
    for (int k = 0; max / width - min / width >= RANGES; k++) {
        if (k && k % 3 == 0) power *= 10;
        width = power * steps[k % 3];
    }
    return width;
}

int ranges_of(const struct lengths *lengths, struct range *ranges)
{
    int count = 0;
    if (lengths->bins <= RANGES) {
        for (int64_t k = 0; k < lengths->bins; k++) {
            int64_t length = lengths->histogram[k].length;
            ranges[count++] = (struct range){.first = length, .last = length};
        }
    } else if ((double)lengths->max <= 4 * lengths->mean) {
        int64_t width = range_width(lengths->min, lengths->max);
        for (int64_t first = lengths->min / width * width; first <= lengths->max; first += width)
            ranges[count++] = (struct range){.first = first, .last = first + width - 1};
    } else {
        ranges[count++] = (struct range){.first = 0, .last = 0};
        for (int64_t first = 1; first <= lengths->max; first *= 2)
            ranges[count++] = (struct range){.first = first, .last = 2 * first - 1};
    }
    int k = 0;
    for (int64_t bin = 0; bin < lengths->bins; bin++) {
        while (lengths->histogram[bin].length > ranges[k].last)
            k++;
        ranges[k].count += lengths->histogram[bin].count;
    }
    return count;
}

char *range_name(const struct range *range, char *out, size_t size)
{
    char first[32], last[32];
    format_count(first, sizeof first, range->first);
    format_count(last, sizeof last, range->last);
    snprintf(out, size, range->first == range->last ? "%s" : "%s-%s", first, last);
    return out;
}

int ranges_of_values(const struct values *values, struct range *ranges)
{
    struct value_bin bins[VALUE_RANGES];
    int width, count = values_bins(values, bins, VALUE_RANGES, &width);
    for (int k = 0; k < count; k++)
        ranges[k] =
            (struct range){.first = bins[k].first, .last = bins[k].first + width - 1, .count = bins[k].count};
    return count;
}

char *value_range_name(const struct range *range, char *out, size_t size)
{
    snprintf(out, size, "1e%lld", (long long)range->first);
    return out;
}
