/* The Rows screen's own parts: its state and its panels. Only view_rows.c and rows_*.c include this. */
#ifndef SPARSIGHT_UI_ROWS_ROWS_H
#define SPARSIGHT_UI_ROWS_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/padding.h"
#include "drawing/bins.h"
#include "drawing/spans.h"
#include "drawing/viewport.h"
#include "formats/hyb.h"
#include "ui/view.h"

#define ROWS_BINS 512
#define ROWS_LONGEST 256

/* What is known of the rows, and of the columns once they were asked for. */
struct side {
    bool ready;
    struct spans spans;
    int64_t longest[ROWS_LONGEST];
    int count;
    int64_t cut; /* K; that of the rows is the explorer's once it was chosen */
    int rule;    /* of HYB that r chose last, or -1 */
    bool logarithmic;
    int selected; /* in the list of the longest */
    int first;    /* of it shown */
};

struct rows {
    bool columns; /* which side is shown */
    struct side sides[2];
    struct rect area;                                 /* of the last drawing */
    struct rect histogram, cumulative, profile, list; /* insides; high 0 if not shown */
    struct bin bins[ROWS_BINS];
    int bin_count, across; /* columns that they take together */
    bool geometric;
    struct zoom zoom; /* of the profile, whose lines go along axis COLS */
    struct viewport port;
    int level;
    bool profiled; /* zoom and port are set, for this side and width */
    int64_t seen;  /* the cursor's line when last drawn */
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

/* The first column of a bin's bar within the charts: bars are alike, or one column wider here and there, so
 * that they fill the width. Bin bin_count would begin after the last. */
static inline int rows_bin_left(const struct rows *rows, int bin)
{
    return rows->bin_count ? (int)((int64_t)bin * rows->across / rows->bin_count) : 0;
}

/* Bytes of a value in double precision. */
static inline size_t rows_value(const struct explorer *explorer)
{
    return explorer->session->shown->matrix.csr.imaginary ? 2 * sizeof(double) : sizeof(double);
}

/* The cut that one of HYB's rules chooses. */
int64_t rows_rule(const struct explorer *explorer, const struct rows *rows, enum hyb_rule rule);

/* "row", "rows", "column" or "columns". */
const char *rows_name(const struct rows *rows, int64_t count);

/* rows_charts.c: draw into the insides set before. */
void rows_draw_histogram(struct explorer *explorer, struct rows *rows, struct surface *surface);
void rows_draw_cumulative(struct explorer *explorer, struct rows *rows, struct surface *surface);

/* rows_profile.c: the length along the index. */
void rows_draw_profile(struct explorer *explorer, struct rows *rows, struct surface *surface);
void rows_zoom_profile(struct rows *rows, int level, int64_t line);

/* rows_panel.c: what is written beside the charts, from the top down. */
void rows_draw_panel(struct explorer *explorer, struct rows *rows, struct surface *surface,
                     struct rect panel);

/* Share of the way up for a count or a length: linear, or log(1 + value) / log(1 + top). */
double rows_height(const struct side *side, double value, double top);

#endif
