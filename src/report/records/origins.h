/* The sheet `reports`: the origins of reports that other sheets were made from. */
#ifndef SPARSIGHT_REPORT_RECORDS_ORIGINS_H
#define SPARSIGHT_REPORT_RECORDS_ORIGINS_H

#include <jansson.h>

#include "report/records/sheets.h"

/* Begin the sheet, and append a row: a file and its origin (report/origin.h); NULL: unknown. */
void origins_begin(struct sheets *sheets);
void origins_add(struct sheets *sheets, const char *file, const json_t *origin);

#endif
