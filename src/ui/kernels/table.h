/* The content and the layout of the Kernels screen's table. Its drawing, table.c, alone includes this beside
 * layout.c. */
#ifndef SPARSIGHT_UI_KERNELS_TABLE_H
#define SPARSIGHT_UI_KERNELS_TABLE_H

#include "ui/kernels/kernels.h"

#define TABLE_GAP 1 /* blanks before a column; its last place is kept for the mark of sorting */

/* Where a column is drawn. */
struct column_place {
    int column, x, wide;
};

struct table_layout {
    struct column_place places[KERNELS_COLUMNS];
    int count; /* the number of columns in sight */
    int more;  /* the number of columns scrolled out at the right */
    int name_x, name_wide;
    int bar_x, bar_wide; /* bar_wide is 0 if there is no room for bars */
    int head_high;
};

/* The content of a line: its result, or its preliminary times while it is being timed. */
struct sight {
    const struct result *result;
    const struct results *results; /* that the result is one of */
    bool so_far;
    struct result item; /* the result if it is of no run; `alone` has it alone, with its estimate */
    struct results alone;
    struct estimate estimate;
};

/* Find what a line shows. *sight must stay where it is, as its members point to each other. */
void table_look(const struct explorer *explorer, const struct kernels_screen *screen, const struct line *line,
                struct sight *sight);

/* Write a column's short heading; if it has none, its title, with the unit if cells lack it. */
void table_heading(int column, char *out, size_t size);

/* Wrap a heading into lines of at most `wide` columns, unless a word is wider, and write them right-aligned,
 * the last one at `bottom`. If `surface` is NULL they are only counted. Returns the number of lines. */
int table_wrap(struct surface *surface, int bottom, int x, int wide, enum colour colour, unsigned attributes,
               const char *text);

/* Write a value as a cell of its column. */
void table_cell(int column, struct value value, char *out, size_t size);

/* True if the cells of the column are words, which are left-aligned. */
bool table_is_words(int column);

/* Measure the lines in sight. While the user scrolls, columns become wider where they must but never
 * narrower, so that the table does not move back and forth. */
void table_measure(const struct explorer *explorer, struct kernels_screen *screen, int rows);

/* Divide the room. Names get the width that all columns leave, or three eighths of the table if that is more,
 * but no more than the widest name needs. Then columns are scrolled until the one under the column cursor is
 * in sight. */
void table_lay_out(struct kernels_screen *screen, struct rect rect, struct table_layout *layout);

/* Scroll the lines so that the cursor is in sight. */
void table_scroll(struct kernels_screen *screen, int rows);

#endif
