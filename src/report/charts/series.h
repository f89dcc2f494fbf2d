/* The data of a chart of a collection. Only for the files of this folder. */
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
    CHART_LINES,  /* the points of a series are joined by lines */
    CHART_BARS    /* each row of the table has a name and a bar for each height */
};

struct chart_height {
    const char *key, *name; /* the column, and its name in the legend */
    bool line;              /* a model: its points are joined by a line in charts of any shape */
};

struct sheet_chart {
    const char *name, *title;
    const char *sheet; /* the table's key; NULL: forecast against measured times, from the records */
    const char
        *across; /* the column of the x axis; NULL: rows side by side, with their names; for bars the name */
    const char *across_title, *up_title;
    bool across_logarithmic, up_logarithmic;
    bool across_whole;                          /* the x axis has integers and begins at the first */
    struct chart_height heights[CHART_HEIGHTS]; /* those that have a key */
    const char *by[CHART_BY];                   /* columns that distinguish series */
    enum chart_shape shape;
    bool even;     /* a line is drawn at 1 */
    bool diagonal; /* draw the line y = x */
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
    int rows; /* rows of the table that occur in at least one series; series refer to their indices */
    const char **names; /* of rows; each may be NULL; the texts belong to the table */
};

/* Take the numbers of a chart. Numbers that are not finite, or <= 0 on a logarithmic axis, are left out, and
 * so are rows without numbers. STATUS_MEMORY. */
enum status series_take(const struct sheet_chart *chart, const struct collection *collection,
                        const struct sheets *sheets, struct series_list *list, struct error *error);

void series_free(struct series_list *list);

/* Draw a chart whose list has at least one series. */
void chart_draw(const struct sheet_chart *chart, const struct series_list *list, struct canvas *canvas);

#endif
