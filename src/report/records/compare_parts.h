/* Shared by comparing reports and making the tables. Only for report/records/compare*.c. */
#ifndef SPARSIGHT_REPORT_RECORDS_COMPARE_PARTS_H
#define SPARSIGHT_REPORT_RECORDS_COMPARE_PARTS_H

#include <jansson.h>

#include "report/records/compare.h"
#include "report/records/record.h"

/* A report, or an order in it. */
struct side {
    char name[64];
    const json_t *about;    /* the report's; NULL: it says nothing */
    struct record *records; /* owned */
    bool *matched;          /* of each record; owned */
    int count;
};

/* A pair of rows: indices; -1 if there is none. */
struct pair {
    const struct record *base_record, *other_record;
    const struct record_row *base, *other;
};

struct comparison {
    struct sheets *sheets;
    struct compared *compared;
    double threshold;
    struct pair *pairs; /* of the two sides being compared; owned */
    int count, room;
    bool failed;
};

/* Append the sheets of differences in version, machine and timing: settings, and measured figures. */
void tell_settings(struct comparison *comparison, const struct side *base, const struct side *other);

/* Append the sheet of the pairs and count them; append the sheet of their means. */
void tell_pairs(struct comparison *comparison, const struct side *other);
void tell_means(struct comparison *comparison, const struct side *other);

/* Ratios of measured times with their intervals, and geometric means of them. */

struct ratio {
    double value, low, high;
};

/* A time with the ends of the 95% interval of its median; any unit. */
struct measured {
    double median, low, high;
};

/* The ratio of two independent medians, of / to, from the interval that each of them has, by the method of
 * variance estimates recovery on logarithms:
 *
 *     d = ln of - ln to
 *     ln low  = d - sqrt((ln of - ln of.low)^2 + (ln to.high - ln to)^2)
 *     ln high = d + sqrt((ln of.high - ln of)^2 + (ln to - ln to.low)^2)
 *
 * (Zou and Donner, Construction of confidence limits about effect measures: a general approach, Statistics in
 * Medicine 27, 2008, eq. 3.) If the two intervals do not overlap, that of the ratio does not contain 1: a
 * hypotenuse is no longer than the two legs together. NaN if a time is not positive. */
struct ratio ratio_of(struct measured of, struct measured to);

/* Accumulates a geometric mean. Start with {0}. */
struct ratio_mean {
    int count;
    double sum;          /* of logarithms */
    double below, above; /* sums of squares of the intervals' distances below and above the logarithms */
};

/* Add a ratio to the mean. NaN is skipped. */
void ratio_mean_add(struct ratio_mean *mean, struct ratio ratio);

/* The geometric mean of n ratios, exp((1/n) sum d), with ends exp((1/n) (sum d -+ sqrt(sum of squares))) by
 * the same method for a sum of independent numbers. The interval describes the precision of these
 * measurements, not other matrices. NaN without ratios. */
struct ratio ratio_mean_value(const struct ratio_mean *mean);

#endif
