/* Shared by the tables of a collection. Only for report/records/figures*.c. */
#ifndef SPARSIGHT_REPORT_RECORDS_FIGURES_PARTS_H
#define SPARSIGHT_REPORT_RECORDS_FIGURES_PARTS_H

#include "report/records/figures.h"

/* The precisions of rows, ended by NULL. */
extern const char *const figures_precisions[];

/* The fastest timed row of this precision and backend that `fits`; NULL if there is none. */
const struct record_row *figures_fastest(const struct record *record, const char *precision,
                                         const char *backend, bool (*fits)(const struct record_row *row));

/* The indices of the records sorted by one of their numbers, ascending, NaN last; NULL without memory. The
 * caller frees. */
int *figures_order(const struct collection *collection, double (*key)(const struct record *record));

void figures_bandwidth(const struct collection *collection, struct sheets *sheets);
void figures_speedup(const struct collection *collection, struct sheets *sheets);
void figures_padding(const struct collection *collection, struct sheets *sheets);
void figures_threads(const struct collection *collection, struct sheets *sheets);
void figures_deviation(const struct collection *collection, struct sheets *sheets);

#endif
