/* Lines of CSV that formats share. */
#ifndef SPARSIGHT_REPORT_CSV_H
#define SPARSIGHT_REPORT_CSV_H

#include "report/report.h"

/* Append the keys and the values of the report's origin to a line, each after a comma, and end the line.
 * Lines of several reports in one table keep their machines apart. */
void csv_origin_header(struct text *text);
void csv_origin(struct report *report, struct text *text);

#endif
