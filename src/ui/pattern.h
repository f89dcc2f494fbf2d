/* The Pattern screen's own parts: its state, its layout, its pictures. Only view_pattern.c and pattern_*.c
 * include this. */
#ifndef SPARSIGHT_UI_PATTERN_H
#define SPARSIGHT_UI_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/entries.h"
#include "ui/shade.h"
#include "ui/view.h"
#include "ui/viewport.h"

/* How dots are drawn. */
enum picture {
    PICTURE_BLOCKS,     /* half blocks in shades of colour: 2 x 1 dots a character */
    PICTURE_CHARACTERS, /* one dot a character, by ink */
    PICTURE_BRAILLE,    /* 4 x 2 dots a character: there is an entry or not */
    PICTURE_NUMBERS,    /* one place a field of characters */
};

/* What the user wants to see. */
enum wish { WISH_AUTOMATIC, WISH_SHADED, WISH_BRAILLE };

/* A picture to come back to. */
struct pattern_visit {
    int level;
    int64_t start[2];
    struct cursor cursor;
};

#define PATTERN_VISITS 64

struct pattern {
    struct rect area;   /* what the layout was made for */
    bool ascii, shades; /* the same */
    bool laid_out;

    struct rect insides[2], panels[2]; /* of pictures, and of numbers, which leave the panel less */
    struct rect inside;                /* the characters of the picture, without its frame and labels */
    struct rect panel;
    bool beside;    /* the panel is to the right, not below */
    int label_wide; /* of row labels */

    struct zoom zoom;
    int level;            /* zoom_levels(&zoom): numbers */
    enum wish wish;       /* by hand */
    enum picture picture; /* what is drawn */
    int per[2];           /* dots of a character */
    int large[2];         /* a dot is so many dots high and wide: 1 but for small matrices */
    int lines, field;     /* numbers: lines of a row, columns of a field */
    struct viewport port;

    int64_t *counts; /* of the dots in use, row-major; owned */
    size_t capacity;
    struct viewport counted; /* what they are counted for */
    struct shade shade;      /* their scale */
    int64_t most, total;     /* the largest count, and their sum */
    bool lacking;            /* no memory for them */

    struct cursor seen; /* the cursor when last drawn */
    bool diagonal, bands;
    struct pattern_visit visits[PATTERN_VISITS]; /* a stack: where Enter was pressed */
    int depth;
    int drag_y, drag_x;
};

/* pattern_layout.c */

/* Divide the area, and keep level and picture as they were as far as it can. */
void pattern_lay_out(struct explorer *explorer, struct pattern *pattern, struct rect area);
/* Go to a zoom level; `place` keeps its place on the screen. */
void pattern_zoom(struct explorer *explorer, struct pattern *pattern, int level, const int64_t place[2]);
/* Number of levels of pictures; the level of this number shows numbers. */
int pattern_numbers_level(const struct pattern *pattern);
/* The level that shows the whole matrix: numbers if they all fit. */
int pattern_fit_level(const struct pattern *pattern);
/* Count what is shown, unless that was done already. */
void pattern_count(struct explorer *explorer, struct pattern *pattern);
/* Entries / places of a dot with this many entries; one that reaches beyond the matrix counts as whole. */
double pattern_density(const struct pattern *pattern, int64_t count);
/* The matrix places of dot (y, x) of the picture, clipped to the matrix. */
struct range pattern_dot(const struct pattern *pattern, int64_t y, int64_t x);
/* The dot under a character of the surface; false if there is none. */
bool pattern_at(const struct pattern *pattern, int y, int x, int64_t dot[2]);

/* pattern_picture.c */
void pattern_draw_picture(struct explorer *explorer, struct pattern *pattern, struct surface *surface);

/* The colour of a level of the scale (-1: no entry) in this picture. */
enum colour pattern_colour(const struct pattern *pattern, int level);

/* pattern_frame.c: the frame with its ticks and labels; `high` x `wide` characters of `inside` are in use. */
void pattern_draw_frame(struct explorer *explorer, struct pattern *pattern, struct surface *surface, int high,
                        int wide);

/* pattern_numbers.c */
void pattern_draw_numbers(struct explorer *explorer, struct pattern *pattern, struct surface *surface);

/* pattern_panel.c */
void pattern_draw_panel(struct explorer *explorer, struct pattern *pattern, struct surface *surface);

#endif
