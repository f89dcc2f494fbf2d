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

#endif
