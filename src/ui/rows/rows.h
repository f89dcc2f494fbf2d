/* Shared by the files of the Rows screen: its state, and its functions. A *line* is a row or a column,
 * whichever the screen shows. */
#ifndef SPARSIGHT_UI_ROWS_ROWS_H
#define SPARSIGHT_UI_ROWS_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/padding.h"
#include "drawing/bins.h"
#include "drawing/chart.h"
#include "drawing/spans.h"
#include "drawing/viewport.h"
#include "formats/hyb.h"
#include "ui/view.h"
#include "ui/widgets/panes.h"

#define ROWS_BINS 512
#define ROWS_LONGEST 256

/* The data of the rows; those of the columns are made once requested. */
struct side {
    bool ready;                    /* the other members are set */
    struct spans spans;            /* those of the case, which owns them */
    int64_t longest[ROWS_LONGEST]; /* the longest lines in descending order */
    int count;                     /* the number of them */
    int64_t cut;                   /* K; explorer_cut returns that of the rows if the user has chosen it */
    int rule;                      /* the rule of HYB that has chosen K, or -1 if none has */
    bool logarithmic;              /* heights are logarithmic */
    int selected;                  /* the selected line, as its index in `longest` */
    int first;                     /* the index in `longest` of the first line that is listed */
};

struct rows {
    bool columns;        /* the columns are shown, and not the rows */
    bool columns_wanted; /* the user has asked for the columns, which are not counted yet */
    struct side sides[2];
    struct rect area;                                 /* the last drawn rectangle of the screen */
    struct rect histogram, cumulative, profile, list; /* the rectangles of bars, curves and the list of lines;
                                                         their height is 0 if they were not drawn */
    int list_columns;                                 /* the number of columns of the list of lines */
    struct bin bins[ROWS_BINS];
    int bin_count;
    int across;     /* the width of the bars of all bins, in columns of the surface */
    bool geometric; /* bins of longer lines are wider */
    struct zoom
        zoom; /* this and the following members belong to the profile, whose lines run along axis COLS */
    struct viewport port;
    int level;
    bool profiled; /* zoom and port are set for this side */
    int64_t seen;  /* the line of the cursor when the profile was drawn last */
};

static inline struct side *rows_side(struct rows *rows)
{
    return &rows->sides[rows->columns];
}

static inline const struct lengths *rows_lengths(const struct explorer *explorer, const struct rows *rows)
{
    return rows->columns ? &explorer->session->shown->col_lengths : &explorer->session->shown->row_lengths;
}

static inline int64_t rows_cursor(const struct explorer *explorer, const struct rows *rows)
{
    return rows->columns ? explorer->cursor.col : explorer->cursor.row;
}

/* Return the column, within the chart, at which the bar of a bin begins: floor(bin across / bin_count). So
 * the bars fill the width, and their widths differ by at most one. Bin bin_count would follow the last. */
static inline int rows_bin_left(const struct rows *rows, int bin)
{
    return rows->bin_count ? (int)((int64_t)bin * rows->across / rows->bin_count) : 0;
}

/* Return the bytes of a value in double precision. */
static inline size_t rows_value(const struct explorer *explorer)
{
    return case_is_complex(explorer->session->shown) ? 2 * sizeof(double) : sizeof(double);
}

/* view.c */

/* Return the cut K that a rule of HYB chooses. */
int64_t rows_rule(const struct explorer *explorer, const struct rows *rows, enum hyb_rule rule);

/* charts.c */

/* Return "row", "rows", "column" or "columns". */
const char *rows_name(const struct rows *rows, int64_t count);

/* Draw the axes of a chart of heights up to `top` in a part of the area, and return it; with a side, heights
 * are on that side's scale, else shares. Horizontally, values are units of the canvas. */
struct chart rows_chart(const struct side *side, struct canvas *canvas, struct rect area, struct rect inside,
                        double top);

/* Draw the histogram of the lengths into rows->histogram. */
void rows_draw_histogram(struct explorer *explorer, struct rows *rows, struct surface *surface);

/* Draw the chart of the share of lines and entries up to a length into rows->cumulative. */
void rows_draw_cumulative(struct explorer *explorer, struct rows *rows, struct surface *surface);

/* profile.c */

/* Draw the chart of the length along the index into rows->profile. */
void rows_draw_profile(struct explorer *explorer, struct rows *rows, struct surface *surface);

/* Return true if the profile has more than one level of zoom, since the lines are more than its columns. */
bool rows_can_zoom(const struct rows *rows);

/* Change the zoom level of that chart, or go to the nearest existing one. `line` stays where it is on the
 * screen. */
void rows_zoom_profile(struct rows *rows, int level, int64_t line);

/* panel.c */

/* Write the numbers on the lengths, the meaning of the cut, and the list of the longest lines. */
void rows_draw_panel(struct explorer *explorer, struct rows *rows, struct surface *surface,
                     struct rect panel);

/* The view's definitions: of the numbers of the lengths, and of those of the formats at the cut. */
bool rows_define(struct explorer *explorer, void *state, int k, struct definition *definition);

#endif
