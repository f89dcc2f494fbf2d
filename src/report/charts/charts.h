/* The figures of a collection as pictures. Each is drawn from one of its tables, or from its records. */
#ifndef SPARSIGHT_REPORT_CHARTS_CHARTS_H
#define SPARSIGHT_REPORT_CHARTS_CHARTS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "report/records/collection.h"
#include "report/records/sheets.h"

struct picture_form;
struct sheet_chart;

/* All charts, ended by NULL. */
extern const struct sheet_chart *const sheet_charts[];

/* Return the name of a chart, which is also that of its file, and its summary. */
const char *sheet_chart_name(const struct sheet_chart *chart);
const char *sheet_chart_title(const struct sheet_chart *chart);

/* Append a chart of the collection, whose tables `sheets` has (figures_append), in this form and of this size
 * in pixels, to `out`. STATUS_UNAVAILABLE if the table has nothing to draw; STATUS_MEMORY. */
enum status sheet_chart_write(const struct sheet_chart *chart, const struct collection *collection,
                              const struct sheets *sheets, const struct picture_form *form, int wide,
                              int high, bool light, struct text *out, struct error *error);

#endif
