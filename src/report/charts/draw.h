/* Drawing the series of a chart. Only for the files of this folder. */
#ifndef SPARSIGHT_REPORT_CHARTS_DRAW_H
#define SPARSIGHT_REPORT_CHARTS_DRAW_H

#include "drawing/canvas.h"
#include "report/charts/series.h"

/* Draw a chart whose list has at least one series. */
void chart_draw(const struct sheet_chart *chart, const struct series_list *list, struct canvas *canvas);

#endif
