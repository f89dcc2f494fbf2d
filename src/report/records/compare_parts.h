/* What comparing and telling of it share. Only for report/records/compare*.c. */
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
    struct pair *pairs; /* of the two sides that are compared now; owned */
    int count, room;
    bool failed;
};

/* Append the sheets of what differs in version, machine and timing: settings, and figures that were measured.
 */
void tell_settings(struct comparison *comparison, const struct side *base, const struct side *other);

/* Append the sheet of the pairs, and count them; and that of their means. */
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
 * Medicine 27, 2008, eq. 3.) Where the two intervals do not overlap, that of the ratio does not hold 1: the
 * hypotenuse is no longer than the two sides together. NaN if a time is not positive. */
struct ratio ratio_of(struct measured of, struct measured to);

/* A geometric mean that grows. Start with {0}. */
struct ratio_mean {
    int count;
    double sum;          /* of logarithms */
    double below, above; /* sums of the squares of what the intervals reach below and above them */
};

/* Let the mean have one ratio more. One that is NaN is left out. */
void ratio_mean_add(struct ratio_mean *mean, struct ratio ratio);

/* The geometric mean of n ratios, exp((1/n) sum d), with ends exp((1/n) (sum d -+ sqrt(sum of squares))) by
 * the same method for a sum of independent numbers. It says how well these matrices are measured, and nothing
 * of others. NaN of none. */
struct ratio ratio_mean_value(const struct ratio_mean *mean);

#endif
