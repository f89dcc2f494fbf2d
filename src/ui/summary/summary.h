/* Shared by the files of the Summary screen. Only the files of this folder include this. */
#ifndef SPARSIGHT_UI_SUMMARY_SUMMARY_H
#define SPARSIGHT_UI_SUMMARY_SUMMARY_H

#include "columns/columns.h"
#include "session/portrait.h"
#include "ui/summary/advice_line.h"
#include "ui/view.h"
#include "ui/widgets/thumbnail.h"

/* The height of the foot: a rule, and two lines for the definition of the selected number. */
#define SUMMARY_FOOT_HIGH 3

/* The items are the numbers and the formats. They stand in `lists` columns of lines, called lists, which are
 * filled one after the other:
 *
 *     top           top + high         ...
 *     top + 1       top + high + 1     ...
 *     ...
 *     top+high-1    top + 2 high - 1   ... */
struct summary {
    int selected; /* the selected item */
    int top;      /* the first line that is shown */
    int lists;    /* the number of lists */
    int high;     /* the number of lines in a list */
    int wide;     /* the width of a list, with the gap to the next one */
    bool whole;   /* no group is divided between lists */
    struct rect list, panel;
    int spark_top; /* the row of the surface in which the row lengths begin */
    struct thumbnail thumbnail;
    struct advice_line advice;
    struct portrait portrait;
};

/* lists.c */

/* The number of items: the formats, and the numbers in their groups. */
int summary_items(void);

/* Return which format item k is, or -1 if it is a number. */
int summary_format(int k);

/* Return the number of item k, which is not a format. */
const struct column *summary_column(int k);

/* True if there is a heading above item k. */
bool summary_begins_group(int k);

/* Return the line of item k, counted through all lists. Each group has a heading, which is at the top of a
 * list or after a blank line. */
int summary_line(const struct summary *summary, int k);

/* The number of lines. */
int summary_lines(const struct summary *summary);

/* Return the item whose line is nearest to this one. */
int summary_item_near(const struct summary *summary, int line);

/* Find the cell of the surface at which a line begins. Returns false if the line is not shown. */
bool summary_place(const struct summary *summary, int line, int *y, int *x);

/* Make the layout of the screen, and scroll so that the selected item is shown. */
void summary_lay_out(struct summary *summary, const struct matrix *matrix, struct rect area);

/* head.c */

/* Return the height of everything above the lists in a screen of height `high`. */
int summary_head_high(const struct matrix *matrix, int high);

/* Write a line that describes the matrix. Under it follow the advice for each machine, the matrix's
 * peculiarities, the file's own description, and the notes on it. */
void summary_draw_head(const struct explorer *explorer, const struct summary *summary,
                       struct surface *surface, struct rect area);

#endif
