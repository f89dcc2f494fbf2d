/* What a chart of a collection is drawn of. Only for the files of this folder. */
#ifndef SPARSIGHT_REPORT_CHARTS_SERIES_H
#define SPARSIGHT_REPORT_CHARTS_SERIES_H

#include <stdbool.h>

#include "drawing/canvas.h"
#include "report/charts/charts.h"

#define CHART_HEIGHTS 5
#define CHART_BY 4
#define SERIES_NAME 160

/* How a chart shows its numbers. */
enum chart_shape {
    CHART_POINTS, /* a mark each */
    CHART_LINES,  /* the points of a series are joined */
    CHART_BARS    /* a row of the table is a name, and a bar for each height */
};

struct chart_height {
    const char *key, *name; /* the column, and what the legend calls it */
    bool line;              /* its points are joined, whatever the shape: a model */
};

struct sheet_chart {
    const char *name, *title;
    const char *sheet; /* the table's key; NULL: forecast beside measured times, of the records */
    const char
        *across; /* the column; NULL: rows stand beside each other, with their names; of bars the name */
    const char *across_title, *up_title;
    bool across_logarithmic, up_logarithmic;
    bool across_whole; /* whole numbers stand across, and the axis begins at the first */
    struct chart_height heights[CHART_HEIGHTS]; /* those that have a key */
    const char *by[CHART_BY];                   /* columns by which a series is told from others */
    enum chart_shape shape;
    bool even;     /* a line stands at 1 */
    bool diagonal; /* a line stands where both are equal */
};

struct series_point {
    double x, y;
    int row; /* of the table */
};

struct series {
    char name[SERIES_NAME];
    int height; /* the number of the height */
    struct series_point *items;
    int count, room;
};

/* Start with {0}; free with series_free. */
struct series_list {
    struct series *items;
    int count, room;
    int rows;           /* of the table, in one of its series at least; numbers of rows are below */
    const char **names; /* of rows; each may be NULL; the texts are the table's */
};

/* Take the numbers of a chart. Those that are not finite, or not above 0 on a logarithmic axis, are left out,
 * and so are rows without any. STATUS_MEMORY. */
enum status series_take(const struct sheet_chart *chart, const struct collection *collection,
                        const struct sheets *sheets, struct series_list *list, struct error *error);

void series_free(struct series_list *list);

/* Draw a chart whose list has a series at least. */
void chart_draw(const struct sheet_chart *chart, const struct series_list *list, struct canvas *canvas);

#endif
